"""Who comes in: the Host and Origin of each request, its token, and one way to refuse; then whatever it asked for.

Further rooms (MCP, an inspector) are hung in as mounts: an ASGI application under a path, behind the same checks. It
finds who asks in `scope["state"]["caller"]`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from email.utils import formatdate
from functools import lru_cache
from typing import Any

from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from libravdb.http import openapi, rest
from libravdb.http.backend import HttpBackend, HttpCaller
from libravdb.http.bodies import BodyBudget, ClientGone, let_run_out, read_body
from libravdb.http.events import EventStreams
from libravdb.http.options import HttpOptions, is_served
from libravdb.http.refusals import HttpRefusal, not_allowed, unauthenticated
from libravdb.wire.codec import encode

JSON = "application/json"
OPEN_PATHS = ("/health", "/ready", "/openapi.json")
"""What needs no token: it tells nothing of anybody."""

_STREAMED = "GET, OPTIONS"

_FOR_READING = b"for=read"
"""Asks whether a daemon is ready for calls that only read, as one of a replica is."""

SAFE_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""On every answer that does not bring its own."""

logger = logging.getLogger("libravdb.daemon")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpAnswer:
    """A complete answer."""

    body: bytes
    status: int = 200
    media: str = JSON
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpMount:
    """An ASGI application under a path, which gets the body of a request whole. `is_open`: it needs no token (files of
    a page that asks for one itself). `verbs` is told to who asks what is possible. `lifespan` is entered while the door
    is open."""

    path: str
    app: ASGIApp
    verbs: str = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"
    is_open: bool = False
    body_bytes: int = 2**20
    lifespan: Callable[[], AbstractAsyncContextManager[None]] | None = None


class HttpDoor:
    """The ASGI application. Used within one event loop."""

    def __init__(self, backend: HttpBackend, options: HttpOptions, *, mounts: Sequence[HttpMount] = ()) -> None:
        self._backend = backend
        self._options = options
        self._mounts = tuple(mounts)
        self._bodies = BodyBudget(options.bodies_bytes, connections=options.connections)
        self._events = EventStreams(backend)
        self._held_off = 0
        self._running_out = 0
        self._lifespans = Starlette(lifespan=self._lifespan)

    def close(self) -> None:
        """Nothing new is waited for: what would go on for ever ends."""
        self._events.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespans(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, _SafeSend(send))

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for mount in self._mounts:
                if mount.lifespan is not None:
                    await stack.enter_async_context(mount.lifespan())
            yield

    async def _serve(self, scope: Scope, receive: Receive, send: _SafeSend) -> None:
        reader = _BodyStream(receive)
        headers = _headers(scope)
        shared = self._shared(headers)
        try:
            self._check_size(scope)
            self._check_origin(scope, headers)
            answer = await self._answer(scope, headers, reader, send)
        except HttpRefusal as refused:
            answer = HttpAnswer(body=refused.body(), status=refused.status, headers=refused.headers)
        except ClientGone:
            return
        except Exception as error:  # noqa: BLE001 - the one of this door; no content is logged
            logger.error("http failed", extra={"kind": type(error).__name__, "path": _route(scope)})  # noqa: TRY400 - so too
            told = HttpRefusal(500, "Crashed", "The daemon failed to answer; its log says why.")
            answer = HttpAnswer(body=told.body(), status=500)
        if answer is not None and not send.has_begun:
            is_over = reader.is_over or ("expect" not in headers and await self._let_run_out(reader))
            await _send(answer, send, shared, is_last=not is_over)

    async def _answer(
        self, scope: Scope, headers: Mapping[str, str], reader: _BodyStream, send: Send
    ) -> HttpAnswer | None:
        """The answer; None when it has been given already."""
        path, verb = scope["path"], scope["method"]
        if path in OPEN_PATHS:
            return await self._open(path, verb, scope["query_string"])
        mount = next((one for one in self._mounts if path == one.path or path.startswith(one.path + "/")), None)
        if verb == "OPTIONS":
            return _options(self._allowed(scope) if mount is None else mount.verbs)
        if mount is not None:
            await self._enter(mount, scope, headers, reader, send)
            return None
        caller = await self._caller(scope, headers)
        if path == "/rpc":
            return await self._rpc(verb, headers, reader, caller)
        if path == "/metrics":
            return await self._metrics(verb, caller)
        if path == "/caller":
            return _told_caller(verb, caller)
        if (namespace := rest.event_stream_of(scope["raw_path"])) is not None:
            if verb != "GET":
                raise not_allowed(verb, _STREAMED)
            await self._events.serve(namespace, caller, reader, send)
            return None
        return await self._rest(scope, headers, reader, caller)

    async def _enter(
        self, mount: HttpMount, scope: Scope, headers: Mapping[str, str], reader: _BodyStream, send: Send
    ) -> None:
        """Let a mount answer a request that is here as a whole."""
        who = self._address(scope, headers)
        if not mount.is_open:
            caller = await self._caller(scope, headers)
            scope.setdefault("state", {})["caller"] = caller
            who = caller.digest
        with self._bodies.share(who) as share:
            body = await read_body(reader, headers, share, self._options, most=mount.body_bytes)
            told = {**scope, "root_path": scope.get("root_path", "") + mount.path}
            await mount.app(told, _WholeBody(body, reader), send)

    async def _let_run_out(self, reader: _BodyStream) -> bool:
        """Take a little of a body that nobody wants, so long as not too many do: each of them takes a connection."""
        if self._running_out >= self._options.held_off:
            return False
        self._running_out += 1
        try:
            return await let_run_out(reader)
        finally:
            self._running_out -= 1

    # ── what there is ─────────────────────────────────────────────────────────────────────────────────────

    async def _open(self, path: str, verb: str, query: bytes) -> HttpAnswer:
        if verb == "OPTIONS":
            return _options("GET, HEAD, OPTIONS")
        if verb not in ("GET", "HEAD"):
            raise not_allowed(verb, "GET, HEAD, OPTIONS")
        if path == "/health":
            return HttpAnswer(body=encode({"ok": True}))
        if path == "/openapi.json":
            return HttpAnswer(body=encode(openapi.document()))
        state = await self._backend.readiness()
        is_ready = not state.problem or (query == _FOR_READING and state.is_readable)
        told = {"ready": is_ready, "degraded": state.is_degraded, "problem": state.problem}
        return HttpAnswer(body=encode(told), status=200 if is_ready else 503)

    async def _metrics(self, verb: str, caller: HttpCaller) -> HttpAnswer:
        if verb not in ("GET", "HEAD"):
            raise not_allowed(verb, "GET, HEAD, OPTIONS")
        if not caller.is_of_all:
            raise HttpRefusal(
                403,
                "Forbidden",
                "The numbers are about all namespaces, and this token has some.",
                remedy="Use a token of role admin, or of role read with --namespace '*'.",
            )
        text = await self._backend.metrics()
        return HttpAnswer(body=text.encode(), media="text/plain; version=0.0.4; charset=utf-8")

    async def _rpc(self, verb: str, headers: Mapping[str, str], reader: _BodyStream, caller: HttpCaller) -> HttpAnswer:
        if verb != "POST":
            raise not_allowed(verb, "OPTIONS, POST")
        _check_media(headers)
        with self._bodies.share(caller.digest) as share:
            line = await read_body(reader, headers, share, self._options)
            if line.lstrip()[:1] == b"[":
                raise HttpRefusal(
                    400,
                    "InvalidInput",
                    "A list of requests is not taken.",
                    remedy="Send one request at a time; the connection stays open.",
                )
            if not line.strip():
                raise HttpRefusal(400, "InvalidInput", "The body is empty.", remedy="Send a JSON-RPC request.")
            return HttpAnswer(body=await self._backend.reply(line, caller))

    async def _rest(
        self, scope: Scope, headers: Mapping[str, str], reader: _BodyStream, caller: HttpCaller
    ) -> HttpAnswer:
        found = rest.find(scope["raw_path"])
        row = rest.choose(found, scope["method"])
        with self._bodies.share(caller.digest) as share:
            body = b""
            if row.has_body:
                body = await read_body(reader, headers, share, self._options)
                if body:
                    _check_media(headers)
            told = await rest.serve(row, found, scope["query_string"], body, backend=self._backend, caller=caller)
        return HttpAnswer(body=told, status=row.status)

    def _allowed(self, scope: Scope) -> str:
        known = {"/rpc": "OPTIONS, POST", "/metrics": "GET, HEAD, OPTIONS", "/caller": "GET, HEAD, OPTIONS"}
        if rest.event_stream_of(scope["raw_path"]) is not None:
            return _STREAMED
        return known.get(scope["path"]) or rest.find(scope["raw_path"]).allowed

    # ── who asks ──────────────────────────────────────────────────────────────────────────────────────────

    def _check_size(self, scope: Scope) -> None:
        if sum(len(name) + len(value) for name, value in scope["headers"]) > self._options.header_bytes:
            raise HttpRefusal(431, "HeadersTooLarge", "The headers are too large.", remedy="Send fewer.")

    def _check_origin(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Refuse what a web page of somebody else could have sent: by another name of ours, or from another origin."""
        host = headers.get("host", "")
        if not is_served(host, self._options.hosts):
            raise HttpRefusal(
                421,
                "MisdirectedRequest",
                f"The host {host[:200]!r} is not served here.",
                remedy="Use the address that the daemon listens on, or let an admin add the name to daemon.http_hosts.",
            )
        origin = headers.get("origin")
        if origin is not None and origin not in (f"{scope['scheme']}://{host}", *self._options.origins):
            raise HttpRefusal(
                403,
                "ForeignOrigin",
                f"Pages of {origin[:200]!r} may not ask here.",
                remedy="An admin can add the origin to daemon.http_origins.",
            )

    def _shared(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        """What lets a page of a configured origin read the answer; nothing by default."""
        origin = headers.get("origin")
        if origin is None or origin not in self._options.origins:
            return {}
        return {
            "access-control-allow-origin": origin,
            "access-control-allow-headers": "authorization, content-type",
            "access-control-allow-methods": "DELETE, GET, PATCH, POST, PUT",
            "vary": "origin",
        }

    async def _caller(self, scope: Scope, headers: Mapping[str, str]) -> HttpCaller:
        address = self._address(scope, headers)
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not token.strip():
            raise unauthenticated()
        caller = self._backend.caller(token.strip(), address)
        if caller is None:
            await self._hold_off(address)
            raise unauthenticated(is_wrong=True)
        return caller

    async def _hold_off(self, address: str) -> None:
        """Let who showed a wrong token wait, so long as not too many do: each of them takes a connection."""
        if self._held_off >= self._options.held_off:
            raise HttpRefusal(
                429, "TooManyStrangers", "Too many wrong tokens come in.", remedy="Wait.", headers={"retry-after": "5"}
            )
        self._held_off += 1
        try:
            await self._backend.hold_off(address)
        finally:
            self._held_off -= 1

    def _address(self, scope: Scope, headers: Mapping[str, str]) -> str:
        """Where a request comes from: behind a proxy that is believed, what that says last."""
        client = scope.get("client")
        address = str(client[0]) if client else ""
        told = [part.strip() for part in headers.get("x-forwarded-for", "").split(",") if part.strip()]
        while address in self._options.proxies and told:
            address = told.pop()[:100]
        return address


class _BodyStream:
    """Receives what a client sends, and knows whether that was all."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.is_over = False

    async def __call__(self) -> Message:
        message = await self._receive()
        self.is_over = message["type"] == "http.disconnect" or not message.get("more_body", False)
        return message


class _WholeBody:
    """Gives a body that was read already as one message, and then whatever else comes."""

    def __init__(self, body: bytes, reader: _BodyStream) -> None:
        self._body: bytes | None = body
        self._reader = reader

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._reader()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


def _headers(scope: Scope) -> Mapping[str, str]:
    """The headers of a request; one that comes twice counts for nothing where only one may come."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1")
        found[key] = f"{found[key]}, {value.decode('latin-1')}" if key in found else value.decode("latin-1")
    return found


def _check_media(headers: Mapping[str, str]) -> None:
    """Only JSON is read: what a form of a web page can send is something else."""
    media, _, rest_of_it = headers.get("content-type", "").partition(";")
    charset = rest_of_it.strip().lower().removeprefix("charset=").strip('"')
    if media.strip().lower() != JSON or charset not in ("", "utf-8", "utf8"):
        raise HttpRefusal(
            415, "UnsupportedMediaType", "The body must be JSON in UTF-8.", remedy=f"Send 'Content-Type: {JSON}'."
        )
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise HttpRefusal(415, "UnsupportedMediaType", "A packed body is not taken.", remedy="Send it as it is.")


def _told_caller(verb: str, caller: HttpCaller) -> HttpAnswer:
    """What whoever asks may do, so that a page offers nothing else."""
    if verb not in ("GET", "HEAD"):
        raise not_allowed(verb, "GET, HEAD, OPTIONS")
    told = {"name": caller.name, "role": caller.role, "namespaces": caller.namespaces, "isOfAll": caller.is_of_all}
    return HttpAnswer(body=encode(told))


def _options(allowed: str) -> HttpAnswer:
    return HttpAnswer(body=b"", status=204, headers={"allow": allowed})


def _route(scope: Scope) -> str:
    """Where something failed, without any name: the path may hold one."""
    return str(scope["path"]).strip("/").partition("/")[0][:20]


class _SafeSend:
    """Sends an answer, with what makes it safe in a browser where it does not say otherwise."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = list(message.get("headers", ()))
            told = {name.lower() for name, _ in headers}
            added = {**SAFE_HEADERS, "date": _date(int(time.time()))}
            headers += [(name.encode(), value.encode()) for name, value in added.items() if name.encode() not in told]
            message = {**message, "headers": headers}
        await self._send(message)


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)


async def _send(answer: HttpAnswer, send: Send, shared: Mapping[str, str], *, is_last: bool) -> None:
    told: dict[str, Any] = {
        **({"content-type": answer.media, "content-length": str(len(answer.body))} if answer.status != 204 else {}),
        **(answer.headers or {}),
        **shared,
        **({"connection": "close"} if is_last else {}),
    }
    headers = [(name.encode(), value.encode("latin-1")) for name, value in told.items()]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
