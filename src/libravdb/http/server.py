"""The HTTP door on a listening socket, within an event loop that serves others too."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Sequence
from pathlib import Path

from uvicorn.config import Config
from uvicorn.lifespan.on import LifespanOn
from uvicorn.server import ServerState

from libravdb.errors import DaemonError
from libravdb.http.backend import HttpBackend
from libravdb.http.door import HttpDoor, HttpMount
from libravdb.http.options import HttpOptions, is_loopback
from libravdb.http.protocol import DoorProtocol
from libravdb.wire.endpoint import BACKLOG, Endpoint, listen_tcp


class HttpServer:
    """Serves a backend until it is told to stop. Unlike uvicorn's own server it wakes up only when somebody asks."""

    def __init__(
        self,
        backend: HttpBackend,
        listener: socket.socket,
        *,
        options: HttpOptions,
        tls: ssl.SSLContext | None = None,
        mounts: Sequence[HttpMount] = (),
    ) -> None:
        _mute_uvicorn()
        self._listener = listener
        self._options = options
        self._tls = tls
        self._door = HttpDoor(backend, options, mounts=mounts)
        self._config = Config(
            self._door,
            http=DoorProtocol,
            ws="none",
            loop="none",
            lifespan="on",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=int(options.idle_seconds),
            h11_max_incomplete_event_size=options.header_bytes,
        )
        self._state = ServerState()

    @property
    def connections(self) -> int:
        """Clients connected now."""
        return len(self._state.connections)

    async def run(self, stop: asyncio.Event) -> None:
        """Accept and serve; after `stop`, finish what runs and return."""
        self._config.load()
        lifespan = LifespanOn(self._config)
        await lifespan.startup()
        if lifespan.should_exit:
            raise DaemonError("The HTTP door could not be opened.", remedy="The log says why.")
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: DoorProtocol(
                config=self._config,
                server_state=self._state,
                app_state=lifespan.state,
                options=self._options,
                _loop=loop,
            ),
            sock=self._listener,
            ssl=self._tls,
            backlog=BACKLOG,
            ssl_handshake_timeout=self._options.header_seconds if self._tls else None,
        )
        await stop.wait()
        self._door.close()
        server.close()
        await self._finish()
        await lifespan.shutdown()

    async def _finish(self) -> None:
        """Let answers under way be given; whoever is idle is closed at once, and whoever does not read in the end."""
        for _ in range(10):  # a connection that was only accepted becomes known a few rounds later
            await asyncio.sleep(0)
        for connection in list(self._state.connections):
            connection.shutdown()
        if self._state.tasks:
            _, late = await asyncio.wait(set(self._state.tasks), timeout=self._options.shutdown_seconds)
            for task in late:
                task.cancel()
        for _ in range(100):  # their last words go out
            if not self._state.connections:
                break
            await asyncio.sleep(0.01)
        for connection in list(self._state.connections):
            connection.transport.abort()
        for _ in range(3):
            await asyncio.sleep(0)


def listen_http(text: str, *, has_token: bool, is_private: bool) -> tuple[socket.socket, Endpoint]:
    """A listening socket for `host:port`. `is_private`: what is said there is encrypted, by us or by a proxy."""
    host, _, port = text.strip().removeprefix("http://").removeprefix("https://").rstrip("/").rpartition(":")
    if not host or not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise DaemonError(
            f"{text!r} is no place to serve HTTP at.", remedy="Write host:port, as 127.0.0.1:8420 (port 0 takes any)."
        )
    if not has_token:
        raise DaemonError(
            f"HTTP at {text} would be open to every user and program that reaches it, a browser too.",
            remedy="Run 'libravdb token create --role admin' first, or leave daemon.http out.",
        )
    host = host.strip("[]")
    if not is_loopback(host) and not is_private:
        raise DaemonError(
            f"HTTP at {text} would be reached from other machines, and tokens and memories would travel unencrypted.",
            remedy="Set daemon.tls_cert and daemon.tls_key, or listen on 127.0.0.1 behind a proxy;"
            " where the proxy is on another machine, name it in daemon.http_proxies.",
        )
    return listen_tcp(Endpoint(host=host, port=int(port)))


def tls_context(cert: str, key: str) -> ssl.SSLContext | None:
    """TLS with these files; None without a certificate."""
    if key and not cert:
        raise DaemonError(
            "daemon.tls_key has no certificate beside it.", remedy="Set daemon.tls_cert too, or remove it."
        )
    if not cert:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(Path(cert).expanduser(), Path(key).expanduser() if key else None, _no_password)
    except (OSError, ValueError) as error:
        raise DaemonError(
            f"The certificate {cert} cannot be used ({getattr(error, 'strerror', None) or error}).",
            remedy="Give PEM files that belong together, readable by this user: daemon.tls_cert and daemon.tls_key.",
        ) from error
    return context


def _no_password() -> str:
    raise ValueError("the key has a password")


def _mute_uvicorn() -> None:
    """What it would say is told by answers, numbers and our own log; it would quote what clients send."""
    log = logging.getLogger("uvicorn")
    log.propagate = False
    if not log.handlers:
        log.addHandler(logging.NullHandler())
