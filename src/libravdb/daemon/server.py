"""Lines over sockets: asyncio at the edge, the engine in threads.

Requests of one connection are answered in the order they came, one at a time; connections are independent, and one that
sends garbage, never reads, or holds half a line costs the others nothing.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from libravdb.daemon.dispatch import Connection, Dispatcher, invalid, refusal
from libravdb.daemon.settings import DEFAULTS
from libravdb.wire import codes
from libravdb.wire.codec import encode
from libravdb.wire.endpoint import peer_user
from libravdb.wire.methods.method import MethodPace

logger = logging.getLogger("libravdb.daemon")

_CHUNK = 65_536
_SMALL_LINE = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one client may take. Lines beyond a mebibyte wait for one of a few places, so that memory stays bounded
    however many clients send such lines at once."""

    line_bytes: int = DEFAULTS.max_line_mb * 2**20
    connections: int = DEFAULTS.max_connections
    threads: int = 16
    quick_threads: int = 2
    long_threads: int = 2
    large_lines: int = 4
    large_line_seconds: float = 60.0
    shutdown_seconds: float = 10.0


class LineTooLong(Exception):
    """A line went over the limit; it was dropped up to its end."""


@dataclass(slots=True, eq=False)
class ClientConnection:
    """One connection as the server sees it."""

    connection: Connection
    since: float
    task: asyncio.Task[None] | None = None
    has_spoken: bool = False
    is_busy: bool = False


@dataclass(slots=True)
class LineReader:
    """Splits a stream into lines of bounded length; a longer one is reported once and skipped."""

    stream: asyncio.StreamReader
    limits: Limits
    large: asyncio.Semaphore
    _buffer: bytearray = field(default_factory=bytearray)
    _searched: int = 0
    _dropping: bool = False
    _holds_place: bool = False
    _deadline: float = 0.0

    async def line(self) -> bytes | None:
        """The next line without its end, None when the stream is over. Raises LineTooLong, TimeoutError."""
        try:
            while True:
                end = self._buffer.find(b"\n", self._searched)
                if end >= 0:
                    line = bytes(self._buffer[:end])
                    del self._buffer[: end + 1]
                    self._searched = 0
                    if self._dropping:
                        self._dropping = False
                        raise LineTooLong
                    return line
                self._searched = len(self._buffer)
                if self._dropping or len(self._buffer) > self.limits.line_bytes:
                    self._dropping = True
                    self._buffer.clear()
                    self._searched = 0
                chunk = await self._chunk()
                if not chunk:
                    return None
                self._buffer += chunk
        finally:
            self._give_back()

    async def _chunk(self) -> bytes:
        if len(self._buffer) <= _SMALL_LINE:
            return await self.stream.read(_CHUNK)
        if not self._holds_place:
            await self.large.acquire()
            self._holds_place = True
            self._deadline = asyncio.get_running_loop().time() + self.limits.large_line_seconds
        async with asyncio.timeout_at(self._deadline):
            return await self.stream.read(2**20)

    def _give_back(self) -> None:
        if self._holds_place:
            self._holds_place = False
            self.large.release()


class Server:
    """Serves a dispatcher on a listening socket until it is told to stop."""

    def __init__(
        self, dispatcher: Dispatcher, listener: socket.socket, *, needs_token: bool, limits: Limits | None = None
    ) -> None:
        self._dispatcher = dispatcher
        self._listener = listener
        self._needs_token = needs_token
        self._limits = limits or Limits()
        self._clients: set[ClientConnection] = set()
        self._is_stopping = False

    @property
    def connections(self) -> int:
        """Clients connected now."""
        return len(self._clients)

    async def run(self, stop: asyncio.Event) -> None:
        """Accept and serve; after `stop`, finish what runs and return."""
        self._large = asyncio.Semaphore(self._limits.large_lines)
        self._pools = {
            MethodPace.QUICK: ThreadPoolExecutor(self._limits.quick_threads, thread_name_prefix="libravdb-quick"),
            MethodPace.USUAL: ThreadPoolExecutor(self._limits.threads, thread_name_prefix="libravdb-call"),
            MethodPace.LONG: ThreadPoolExecutor(self._limits.long_threads, thread_name_prefix="libravdb-long"),
        }
        server = await asyncio.start_server(self._serve, sock=self._listener, limit=_CHUNK)
        await stop.wait()
        self._is_stopping = True
        server.close()
        await self._finish_clients()
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    async def _finish_clients(self) -> None:
        for client in list(self._clients):
            if client.task is not None and not client.is_busy:
                client.task.cancel()
        tasks = {client.task for client in self._clients if client.task is not None}
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=self._limits.shutdown_seconds)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=1.0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        is_local = writer.get_extra_info("socket").family == socket.AF_UNIX
        connection = Connection(is_trusted=not self._needs_token, is_local=is_local)
        client = ClientConnection(connection=connection, since=time.monotonic())
        client.task = asyncio.current_task()
        refused = self._refusal(writer)
        self._clients.add(client)
        try:
            if refused:
                writer.write(encode({"jsonrpc": "2.0", **refusal(refused, code=codes.UNAUTHENTICATED)}))
                return
            await self._converse(client, reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass  # the client has gone, or we are stopping: either way there is nobody to tell
        finally:
            self._clients.discard(client)
            await _close(writer)

    def _refusal(self, writer: asyncio.StreamWriter) -> str:
        """Why this connection is not served; empty when it is."""
        peer: socket.socket = writer.get_extra_info("socket")
        if peer.family == socket.AF_UNIX:
            user = peer_user(peer)
            if user is not None and user != os.geteuid():
                return f"connections of user {user} are not served: the memory belongs to user {os.geteuid()}"
        if len(self._clients) >= self._limits.connections and not self._make_room():
            return f"too many connections: at most {self._limits.connections} at a time"
        return ""

    def _make_room(self) -> bool:
        """Close the oldest connection that never asked anything; whoever has asked may stay idle for ever."""
        silent = [client for client in self._clients if not client.has_spoken]
        if not silent:
            return False
        oldest = min(silent, key=lambda client: client.since)
        self._clients.discard(oldest)
        if oldest.task is not None:
            oldest.task.cancel()
        return True

    async def _converse(
        self, client: ClientConnection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        lines = LineReader(reader, self._limits, self._large)
        loop = asyncio.get_running_loop()
        while not self._is_stopping:
            try:
                line = await lines.line()
            except LineTooLong:
                reply = encode(invalid(f"the line has more than {self._limits.line_bytes:,} bytes"))
            except TimeoutError:
                seconds = self._limits.large_line_seconds
                writer.write(encode(invalid(f"the line was not finished within {seconds:g} s")))
                return
            else:
                if line is None:
                    return
                client.is_busy = True
                pool = self._pools[self._dispatcher.pace(line)]
                answer = await loop.run_in_executor(pool, self._dispatcher.reply, line, client.connection)
                client.has_spoken = client.connection.is_trusted and answer is not None
                reply = answer or b""
            if reply:
                writer.write(reply)
                await writer.drain()
            client.is_busy = False


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    try:
        await asyncio.wait_for(writer.wait_closed(), timeout=1.0)
    except (TimeoutError, ConnectionError, asyncio.CancelledError):
        writer.transport.abort()  # a client that does not read its last reply does not get it
