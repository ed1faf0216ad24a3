"""MCP behind the HTTP door, where its extra is installed; tokens, rights and quotas are those of every call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from libravdb.client.client import Client
from libravdb.client.remote_engine import RemoteEngine
from libravdb.client.transport import InProcessTransport
from libravdb.daemon.dispatch import Connection, Dispatcher
from libravdb.daemon.tokens import TokenRegistry
from libravdb.errors import ExtraMissing
from libravdb.mcp import require_extra

if TYPE_CHECKING:
    from libravdb.http.door import HttpMount
    from libravdb.mcp.http_door import HttpGuest

DOOR = "mcp"
BODY_BYTES = 2**20


def mcp_mounts(dispatcher: Dispatcher, tokens: TokenRegistry, *, body_bytes: int = BODY_BYTES) -> tuple[HttpMount, ...]:
    """What is hung into the HTTP door; nothing where the extra is not installed."""
    try:
        require_extra()
    except ExtraMissing:
        return ()
    from libravdb.http.door import HttpMount  # noqa: PLC0415 - extras
    from libravdb.mcp.http_door import PATH, McpDoor  # noqa: PLC0415

    door = McpDoor(lambda scope: _guest(scope, dispatcher, tokens), body_bytes=body_bytes)

    async def serve(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI's own types are the extra's
        named = scope["path"].removeprefix(PATH).strip("/")
        await door({**scope, "path_params": {"namespace": named}}, receive, send)

    return (HttpMount(path=PATH, app=serve, verbs="OPTIONS, POST", body_bytes=body_bytes, lifespan=door.running),)


def _guest(scope: Any, dispatcher: Dispatcher, tokens: TokenRegistry) -> HttpGuest | None:  # noqa: ANN401 - so too
    """Whoever the HTTP door has let in, held to the rights of its token at every call."""
    from libravdb.mcp.http_door import HttpGuest  # noqa: PLC0415 - an extra

    caller = scope["state"]["caller"]
    rights = tokens.rights(caller.digest)
    if rights is None:
        return None
    connection = Connection(is_local=False, digest=caller.digest, door=DOOR, address=caller.address)

    @contextmanager
    def engine() -> Iterator[RemoteEngine]:
        with RemoteEngine(Client(InProcessTransport(lambda line: dispatcher.reply(line, connection)))) as lent:
            yield lent

    return HttpGuest(namespaces=rights.namespaces, allows=rights.allows, engine=engine)
