"""MCP over streamable HTTP, as a part of an HTTP door: every request stands by itself, and its token decides whose
memory it reaches.

A token with exactly one namespace, written out, reaches that one. Whoever may reach several names one with every
request: in the path (`/mcp/anna`) or in the header `Libravdb-Namespace` (percent-encoded where it is not ASCII). What
stands in both must agree. Host, Origin, TLS and the delay after wrong tokens are the business of the door.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from libravdb.errors import Forbidden, InvalidInput, LibraError
from libravdb.mcp.caller import MemoryCaller, OpenEngine
from libravdb.mcp.server import make_server
from libravdb.model.namespaces import named

PATH = "/mcp"
HEADER = "libravdb-namespace"
_CALLER = "libravdb.mcp.caller"
_ANY = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpGuest:
    """Whoever showed a token: the namespaces of its rights as they were written, `*` for any run of characters, which
    of them it may reach, and an engine that holds it to its rights."""

    namespaces: tuple[str, ...]
    allows: Callable[[str], bool]
    engine: OpenEngine


GuestOf = Callable[[Scope], HttpGuest | None]
"""Who sent a request, by the door's own reading of its token; None when no token is taken."""


class McpDoor:
    """An ASGI application for one path and what is below it. It serves while `running` is entered, once."""

    def __init__(self, guest_of: GuestOf, *, body_bytes: int, has_aliases: bool = True) -> None:
        self._guest_of = guest_of
        server = make_server(_caller_of, has_aliases=has_aliases)
        self._manager = StreamableHTTPSessionManager(
            server._lowlevel_server,  # noqa: SLF001 - the SDK's own app does the same, with routes of its own
            json_response=True,
            stateless=True,
            max_request_body_size=body_bytes,
        )

    def routes(self, path: str = PATH) -> list[BaseRoute]:
        """The path itself, and the same with a namespace behind it."""
        return [Route(path, endpoint=self), Route(f"{path}/{{namespace:path}}", endpoint=self)]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While it serves: belongs into the lifespan of the application."""
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":  # the SDK would hold a stream open for news that never come
            await _not_allowed()(scope, receive, send)
            return
        try:
            guest = self._guest_of(scope)
            if guest is None:
                await _unauthenticated()(scope, receive, send)
                return
            caller = MemoryCaller(namespace=_namespace(scope, guest), engine=guest.engine)
        except LibraError as error:
            status = 403 if isinstance(error, Forbidden) else 400
            await _refusal(status, error)(scope, receive, send)
            return
        await self._manager.handle_request({**scope, _CALLER: caller}, receive, send)


def bearer_token(scope: Scope) -> str:
    """The token that a request shows in its header; empty when there is none."""
    scheme, _, token = Request(scope).headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _caller_of(context: Any) -> MemoryCaller:  # noqa: ANN401 - the SDK's
    caller: MemoryCaller = context.request_context.request.scope[_CALLER]
    return caller


def _namespace(scope: Scope, guest: HttpGuest) -> str:
    """Whose memory a request is about. Raises Forbidden, and InvalidInput when it has to be told."""
    in_path = str(scope.get("path_params", {}).get("namespace", ""))
    in_header = unquote(Request(scope).headers.get(HEADER, ""))
    told = {named(each) for each in (in_path, in_header) if each.strip()}
    if len(told) > 1:
        raise InvalidInput("namespace", "path and header differ", remedy="Name it once.")
    if told:
        (namespace,) = told
        if not guest.allows(namespace):
            raise Forbidden(
                f"This token has no right to the namespace {namespace!r}.",
                remedy="Ask for a token with that namespace.",
            )
        return namespace
    only = guest.namespaces[0] if len(guest.namespaces) == 1 else _ANY
    if _ANY in only:
        raise InvalidInput(
            "namespace",
            "is not told, and this token reaches several",
            remedy=f"Name it in the path ({PATH}/NAME) or in the header Libravdb-Namespace.",
        )
    return named(only)


def _unauthenticated() -> Response:
    error = LibraError("A token is needed.", remedy="Send the header 'Authorization: Bearer TOKEN'.")
    response = _refusal(401, error, kind="Unauthenticated")
    response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _not_allowed() -> Response:
    error = LibraError("Only POST is served here.", remedy="Send every message of MCP as a POST of its own.")
    response = _refusal(405, error, kind="MethodNotAllowed")
    response.headers["Allow"] = "POST"
    return response


def _refusal(status: int, error: LibraError, *, kind: str = "") -> Response:
    told = {"kind": kind or type(error).__name__, "message": error.message, "remedy": error.remedy}
    return Response(json.dumps({"error": told}), status_code=status, media_type="application/json")
