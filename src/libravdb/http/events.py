"""What changes in a namespace, told to whoever listens: server-sent events at `/v1/{namespace}/events`.

An event tells that something changed, never what: whoever wants to know asks again, with the rights that he has then.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from starlette.types import Message, Receive, Send

from libravdb.http.backend import HttpBackend, HttpCaller
from libravdb.http.refusals import HttpRefusal, refusal_of
from libravdb.wire.codec import encode

LOOK_SECONDS = 1.0
"""How often it is looked whether something changed."""

QUIET_SECONDS = 15.0
"""After so long without an event a comment tells both ends, and whatever stands between, that the other is there."""

MOST_OF_ONE, MOST = 8, 200
"""Streams that one caller, and all together, may keep open: each takes a connection."""

HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "connection": "close",
}


class EventStreams:
    """The streams that are open. Used within one event loop."""

    def __init__(self, backend: HttpBackend, *, look_seconds: float = LOOK_SECONDS) -> None:
        self._backend = backend
        self._look_seconds = look_seconds
        self._open: Counter[str] = Counter()
        self._closing = asyncio.Event()

    def close(self) -> None:
        """Let every stream end."""
        self._closing.set()

    async def serve(self, namespace: str, caller: HttpCaller, receive: Receive, send: Send) -> None:
        """Tell what changes until somebody hangs up, the door closes, or the caller may no longer look."""
        with self._place(caller):
            revision = await self._revision(namespace, caller)
            headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send(_chunk(_event("hello", {"revision": revision})))
            gone = asyncio.create_task(_hung_up(receive))
            closing = asyncio.create_task(self._closing.wait())
            try:
                await self._tell(namespace, caller, revision, send, until={gone, closing})
            finally:
                gone.cancel()
                closing.cancel()
            await send({"type": "http.response.body", "body": b""})

    async def _tell(
        self, namespace: str, caller: HttpCaller, revision: int, send: Send, *, until: set[asyncio.Task[Any]]
    ) -> None:
        quiet = 0.0
        while True:
            ended, _ = await asyncio.wait(until, timeout=self._look_seconds, return_when=asyncio.FIRST_COMPLETED)
            if ended:
                return
            try:
                now = await self._revision(namespace, caller)
            except HttpRefusal as refused:
                await send(_chunk(_event("end", {"message": refused.message, "remedy": refused.remedy})))
                return
            quiet += self._look_seconds
            if now != revision:
                revision, quiet = now, 0.0
                await send(_chunk(_event("change", {"revision": revision})))
            elif quiet >= QUIET_SECONDS:
                quiet = 0.0
                await send(_chunk(b": nothing new\n\n"))

    async def _revision(self, namespace: str, caller: HttpCaller) -> int:
        """Which change of the namespace was the last; asked as every call is, with the rights of this moment."""
        return await self._backend.answer("changes", lambda: {"namespace": namespace}, caller, _told)

    @contextmanager
    def _place(self, caller: HttpCaller) -> Iterator[None]:
        if self._open[caller.digest] >= MOST_OF_ONE or self._open.total() >= MOST:
            raise HttpRefusal(
                429,
                "TooManyStreams",
                f"At most {MOST_OF_ONE} streams of events are open for one token, and {MOST} in all.",
                remedy="Close one of them.",
                headers={"retry-after": "5"},
            )
        self._open[caller.digest] += 1
        try:
            yield
        finally:
            self._open[caller.digest] -= 1
            self._open += Counter()


def _told(outcome: Mapping[str, Any]) -> int:
    if "error" in outcome:
        raise refusal_of(outcome["error"])
    revision: int = outcome["result"].revision
    return revision


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(kind: str, data: Mapping[str, object]) -> bytes:
    return f"event: {kind}\ndata: ".encode() + encode(data).strip() + b"\n\n"


def _chunk(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}
