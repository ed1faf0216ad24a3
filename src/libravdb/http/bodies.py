"""Bodies of requests: read whole, within a size, a time, and what all bodies together may take."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from starlette.types import Message, Receive

from libravdb.http.options import HttpOptions
from libravdb.http.refusals import HttpRefusal

SMALL = 65_536
"""A body within this takes nothing of what all share."""

UNREAD = 2**20
"""Bytes that are still taken from who is refused: closed at once, it could not read why."""


class ClientGone(Exception):
    """Whoever asked has hung up."""


class BodyBudget:
    """The bytes that bodies under way may take. Used within one event loop."""

    def __init__(self, most: int, *, connections: int) -> None:
        self._most = most
        self._places = max(connections // 2, 1)
        self._used: Counter[str] = Counter()
        self._coming: Counter[str] = Counter()

    @contextmanager
    def share(self, who: str) -> Iterator[BodyShare]:
        """What one body holds; given back at the end."""
        share = BodyShare(self, who)
        try:
            yield share
        finally:
            self._used[who] -= share.held
            self._used += Counter()  # forgets those that hold nothing

    @contextmanager
    def place(self, who: str) -> Iterator[None]:
        """A place for a body that is on its way; refused to a caller who has half of all connections so."""
        if self._coming[who] >= self._places:
            raise _busy("Too many requests of this token are only half here.", "Send each of them whole, and at once.")
        self._coming[who] += 1
        try:
            yield
        finally:
            self._coming[who] -= 1
            self._coming += Counter()

    def grow(self, who: str, size: int) -> None:
        """Let a caller hold more; refused when there is too little, or when it holds half of all."""
        if self._used.total() + size > self._most or self._used[who] + size > self._most // 2:
            raise _busy("Too many large requests are under way.", "Try again in a moment, or send less at once.")
        self._used[who] += size


def _busy(told: str, remedy: str) -> HttpRefusal:
    return HttpRefusal(503, "Busy", told, remedy=remedy, headers={"retry-after": "1"})


class BodyShare:
    """What one body holds of the budget."""

    def __init__(self, budget: BodyBudget, who: str) -> None:
        self._budget = budget
        self._who = who
        self.held = 0

    def cover(self, size: int) -> None:
        """Hold enough for a body of this size."""
        if size > SMALL and size > self.held:
            self._budget.grow(self._who, size - self.held)
            self.held = size

    def place(self) -> AbstractContextManager[None]:
        """Entered while the body is on its way."""
        return self._budget.place(self._who)


async def read_body(
    receive: Receive, headers: Mapping[str, str], share: BodyShare, options: HttpOptions, *, most: int | None = None
) -> bytes:
    """The whole body; refused when it is too long, too slow, or stops in the middle. `most`: bytes that are taken here,
    where that is less than elsewhere."""
    most = options.body_bytes if most is None else min(most, options.body_bytes)
    announced = headers.get("content-length", "")
    if announced.isascii() and announced.isdigit():
        _check_size(int(announced[:20]), most)
        share.cover(int(announced))
    parts, size = [], 0
    try:
        with share.place():
            async with asyncio.timeout(options.body_seconds):
                while True:
                    message = await _chunk(receive, options)
                    chunk = message.get("body", b"")
                    size += len(chunk)
                    _check_size(size, most)
                    share.cover(size)
                    parts.append(chunk)
                    if not message.get("more_body", False):
                        return b"".join(parts)
    except TimeoutError as error:
        raise HttpRefusal(
            408, "RequestTimeout", "The body did not come in time.", remedy="Send it whole, and at once."
        ) from error


async def _chunk(receive: Receive, options: HttpOptions) -> Message:
    async with asyncio.timeout(options.stall_seconds):
        message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientGone
    return message


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise HttpRefusal(
            413,
            "ContentTooLarge",
            f"The body has more than {most:,} bytes.",
            remedy="Send it in parts. Over /rpc and /v1 more is taken than over /mcp, as daemon.max_line_mb says.",
        )


async def let_run_out(receive: Receive, *, seconds: float = 1.0) -> bool:
    """Take a little of a body that nobody wants, unkept; gives whether that was all of it."""
    taken = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while taken < UNREAD:
                message: Mapping[str, Any] = await receive()
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return True
                taken += len(message.get("body", b""))
    return False
