"""A door of our own, on loopback, for as long as somebody looks: where the daemon of the store serves no HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
from collections.abc import Callable
from urllib.parse import quote, urlencode

from libravdb.daemon_link import DaemonLink
from libravdb.http.options import HttpOptions, served_hosts
from libravdb.http.server import HttpServer, listen_http
from libravdb.inspector.files import PATH
from libravdb.inspector.forwarded_calls import ForwardedCalls
from libravdb.inspector.mount import inspector_mount
from libravdb.wire.methods.access import AccessRole

ADDRESS = "127.0.0.1:0"
CONNECTIONS = 64


def page_address(url: str, *, token: str, namespace: str) -> str:
    """The page behind a door. What stands in a fragment is sent to nobody: the page reads the token there and takes it
    out of the address at once."""
    return f"{url}{PATH}/#{urlencode({'token': token, 'namespace': namespace}, quote_via=quote)}"


def serve_inspector(
    link: DaemonLink, *, namespace: str, role: AccessRole, address: str, opened: Callable[[str], None]
) -> None:
    """Serve the page until the process is asked to end; `opened` is told its address once, with its token."""
    link.reach()
    token = secrets.token_urlsafe(32)
    listener, actual = listen_http(address, has_token=True, is_private=False)
    with listener:
        options = HttpOptions(hosts=served_hosts(actual.host, ()), connections=CONNECTIONS)
        backend = ForwardedCalls(link, token=token, role=role)
        server = HttpServer(backend, listener, options=options, mounts=(inspector_mount(),))
        host = f"[{actual.host}]" if ":" in actual.host else actual.host
        page = page_address(f"http://{host}:{actual.port}", token=token, namespace=namespace)
        asyncio.run(_until_asked(server, lambda: opened(page)))


async def _until_asked(server: HttpServer, tell: Callable[[], None]) -> None:
    """Serve until a signal comes. Nothing is told before a signal is heeded: what was left for a browser is taken away
    again, whenever it comes."""
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # not everywhere
            asyncio.get_running_loop().add_signal_handler(name, stop.set)
    telling = asyncio.create_task(asyncio.to_thread(tell))  # some browsers return when they are closed
    telling.add_done_callback(lambda done: stop.set() if done.exception() else None)
    await server.run(stop)
    await telling
