"""Lines out of a stream, of bounded length, and the memory that all of them together may take.

A line that has begun takes memory before anybody knows what it asks. As long as there is enough, everybody gets it at
once; when there is not, those whose bytes stopped coming lose what they hold to those whose bytes flow.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field

CHUNK = 65_536
"""Bytes read at a time; a line within it takes nothing of what all share."""

LARGE = 2**20
"""A line beyond this must be finished within a time."""

_STEP = 2**18
_HTTP = re.compile(rb"(?:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH|PRI) |HTTP/\d|Host:", re.IGNORECASE)
_TLS = b"\x16\x03"


class LineTooLong(Exception):
    """A line went over the limit; it was dropped up to its end."""


class LineRefused(Exception):
    """What came is not read any further: the connection is to be closed, and its other end told why."""


@dataclass(slots=True, eq=False)
class PartialLine:
    """A line under way: what it holds of the budget, and since when no byte of it came."""

    size: int = 0
    since: float = 0.0
    reading: asyncio.Timeout | None = None
    is_evicted: bool = False


class FrameBudget:
    """The bytes that lines under way may take together.

    One line at a time may go beyond it, so that somebody always gets to the end. Used within one event loop.
    """

    def __init__(self, most: int, *, stall_seconds: float) -> None:
        self._most = most
        self._stall_seconds = stall_seconds
        self._frames: set[PartialLine] = set()
        self._used = 0
        self._foremost: PartialLine | None = None
        self._freed = asyncio.Event()

    @property
    def used(self) -> int:
        """Bytes that are held now."""
        return self._used

    async def grow(self, frame: PartialLine, size: int) -> None:
        """Let a frame hold more; waits while there is too little and nobody who holds some has stalled."""
        while self._used + size > self._most and self._foremost is not frame:
            if self._evict_stalled():
                continue
            if self._foremost is None:
                self._foremost = frame
                break
            await self._wait()
        self._frames.add(frame)
        frame.size += size
        self._used += size

    def release(self, frame: PartialLine) -> None:
        """The frame is complete, or was given up."""
        self._frames.discard(frame)
        self._used -= frame.size
        frame.size = 0
        if self._foremost is frame:
            self._foremost = None
        self._freed.set()
        self._freed = asyncio.Event()

    def _evict_stalled(self) -> bool:
        """Take from the one that has waited longest for its next byte what it holds, if that is long enough."""
        reading = [frame for frame in self._frames if frame.reading is not None]
        oldest = min(reading, key=lambda frame: frame.since, default=None)
        now = asyncio.get_running_loop().time()
        if oldest is None or oldest.reading is None or now - oldest.since < self._stall_seconds:
            return False
        oldest.is_evicted = True
        oldest.reading.reschedule(now)
        oldest.reading = None
        self.release(oldest)
        return True

    async def _wait(self) -> None:
        """Until something was given back, or the next one counts as stalled."""
        since = min((frame.since for frame in self._frames if frame.reading is not None), default=None)
        now = asyncio.get_running_loop().time()
        seconds = None if since is None else max(since + self._stall_seconds - now, 0.0)
        try:
            async with asyncio.timeout(seconds):
                await self._freed.wait()
        except TimeoutError:
            pass  # somebody has stalled by now


@dataclass(slots=True)
class LineReader:
    """Splits a stream into lines of bounded length; a longer one is reported once and skipped."""

    stream: asyncio.StreamReader
    budget: FrameBudget
    line_bytes: int
    large_line_seconds: float
    _frame: PartialLine = field(default_factory=PartialLine)
    _buffer: bytearray = field(default_factory=bytearray)
    _searched: int = 0
    _is_dropping: bool = False
    _seconds_left: float = 0.0

    async def line(self, *, most: int | None = None) -> bytes | None:
        """The next line without its end, None when the stream is over.

        `most` is the length beyond which a line of a stranger is not even dropped. Raises LineTooLong, LineRefused.
        """
        self._seconds_left = self.large_line_seconds
        try:
            while True:
                end = self._buffer.find(b"\n", self._searched)
                if end >= 0:
                    return self._taken(end)
                self._searched = len(self._buffer)
                self._refuse_foreign(self._buffer)
                if most is not None and len(self._buffer) > most:
                    raise LineRefused(f"authenticate first: until then a line has at most {most:,} bytes")
                self._drop_overlong()
                chunk = await self._chunk()
                if not chunk:
                    return None
                self._buffer += chunk
        finally:
            self.budget.release(self._frame)

    def _taken(self, end: int) -> bytes:
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        if self._is_dropping:
            self._is_dropping = False
            raise LineTooLong
        self._refuse_foreign(line)
        return line

    def _refuse_foreign(self, start: bytes | bytearray) -> None:
        """A browser can be made to send a body that looks like one of our lines; what stands before it betrays it."""
        if not self._is_dropping and _HTTP.match(start):
            raise LineRefused("this is not an HTTP server; nothing of the request was carried out")
        if start.startswith(_TLS):
            raise LineRefused("TLS is not spoken here: use a tunnel that ends before the daemon")

    def _drop_overlong(self) -> None:
        if self._is_dropping or len(self._buffer) > self.line_bytes:
            self._is_dropping = True
            self._buffer.clear()
            self._searched = 0

    async def _chunk(self) -> bytes:
        held = len(self._buffer)
        if held < CHUNK:
            return await self.stream.read(CHUNK)
        if held + CHUNK > self._frame.size:
            await self.budget.grow(self._frame, _STEP)
        return await self._timed_chunk(is_large=held > LARGE)

    async def _timed_chunk(self, *, is_large: bool) -> bytes:
        """The next bytes, unless others need the place more; time is counted only while it is the sender's turn."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout_at(began + self._seconds_left if is_large else None) as reading:
                self._frame.since, self._frame.reading = began, reading
                return await self.stream.read(CHUNK)
        except TimeoutError as error:
            if self._frame.is_evicted:
                raise LineRefused("the line stopped in the middle, and others needed its place") from error
            raise LineRefused(f"the line was not finished within {self.large_line_seconds:g} s") from error
        finally:
            self._frame.reading = None
            self._seconds_left -= (loop.time() - began) if is_large else 0.0
