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
from dataclasses import dataclass

from libravdb.daemon.dispatch import Connection, Dispatcher
from libravdb.daemon.frames import CHUNK, LARGE, FrameBudget, LineReader, LineRefused, LineTooLong
from libravdb.daemon.pools import CallPools
from libravdb.daemon.settings import DEFAULTS
from libravdb.daemon.strangers import Strangers
from libravdb.wire import codes
from libravdb.wire.codec import encode
from libravdb.wire.endpoint import BACKLOG, peer_user
from libravdb.wire.failures import invalid, refusal
from libravdb.wire.methods.method import MethodPace

logger = logging.getLogger("libravdb.daemon")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one client may take, and what all may take together. `stranger_*` holds until a client has authenticated."""

    line_bytes: int = DEFAULTS.max_line_mb * 2**20
    lines_under_way: int = 8
    """How many lines of the greatest length fit in memory while they come."""

    connections: int = DEFAULTS.max_connections
    threads: int = 16
    quick_threads: int = 2
    long_threads: int = 2
    large_line_seconds: float = 60.0
    stall_seconds: float = 1.0
    shutdown_seconds: float = 10.0
    stranger_bytes: int = 8_192
    stranger_seconds: float = 10.0
    stranger_failures: int = 3
    first_delay_seconds: float = 0.25
    most_delay_seconds: float = 5.0

    def open_pools(self) -> CallPools:
        """Threads as many as are allowed."""
        return CallPools({
            MethodPace.QUICK: self.quick_threads,
            MethodPace.USUAL: self.threads,
            MethodPace.LONG: self.long_threads,
        })  # fmt: skip

    def strangers(self) -> Strangers:
        """Nobody has shown a wrong token yet."""
        return Strangers(first_seconds=self.first_delay_seconds, most_seconds=self.most_delay_seconds)


@dataclass(slots=True, eq=False)
class ClientConnection:
    """One connection as the server sees it."""

    connection: Connection
    since: float
    address: str = ""
    failures: int = 0
    task: asyncio.Task[None] | None = None
    has_spoken: bool = False
    is_busy: bool = False


class Server:
    """Serves a dispatcher on a listening socket until it is told to stop."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        listener: socket.socket,
        *,
        needs_token: bool,
        limits: Limits | None = None,
        pools: CallPools | None = None,
        strangers: Strangers | None = None,
    ) -> None:
        self._dispatcher = dispatcher
        self._listener = listener
        self._needs_token = needs_token
        self._limits = limits or Limits()
        self._clients: set[ClientConnection] = set()
        self._is_stopping = False
        self._has_own_pools = pools is None
        self._pools = pools or self._limits.open_pools()
        self._strangers = strangers or self._limits.strangers()

    @property
    def connections(self) -> int:
        """Clients connected now."""
        return len(self._clients)

    async def run(self, stop: asyncio.Event) -> None:
        """Accept and serve; after `stop`, finish what runs and return."""
        limits = self._limits
        self._budget = FrameBudget(limits.lines_under_way * limits.line_bytes, stall_seconds=limits.stall_seconds)
        server = await asyncio.start_server(self._serve, sock=self._listener, limit=CHUNK, backlog=BACKLOG)
        await stop.wait()
        self._is_stopping = True
        server.close()
        await self._finish_clients()
        if self._has_own_pools:
            self._pools.close()

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
        address = _address(writer)
        connection = Connection(
            is_trusted=not self._needs_token, is_local=is_local, door="unix" if is_local else "tcp", address=address
        )
        client = ClientConnection(connection=connection, since=time.monotonic(), address=address)
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
        limits = self._limits
        lines = LineReader(reader, self._budget, limits.line_bytes, limits.large_line_seconds)
        while not self._is_stopping:
            try:
                line = await self._line(client, lines)
            except LineTooLong:
                reply = encode(invalid(f"the line has more than {limits.line_bytes:,} bytes"))
            except LineRefused as refused:
                logger.warning("connection refused", extra={"peer": client.address, "why": str(refused)})
                writer.write(encode(invalid(str(refused))))
                await _leave(reader, writer)
                return
            else:
                if line is None:
                    return
                reply = await self._answer(client, line)
            if reply:
                writer.write(reply)
                await writer.drain()
            client.is_busy = False
            if client.failures >= limits.stranger_failures:
                return

    async def _line(self, client: ClientConnection, lines: LineReader) -> bytes | None:
        """The next line; whoever has not authenticated has little room and little time for it."""
        if client.connection.is_trusted:
            return await lines.line()
        try:
            async with asyncio.timeout_at(client.since + self._limits.stranger_seconds):
                return await lines.line(most=self._limits.stranger_bytes)
        except TimeoutError as error:
            raise LineRefused(f"nobody authenticated within {self._limits.stranger_seconds:g} s") from error

    async def _answer(self, client: ClientConnection, line: bytes) -> bytes:
        client.is_busy = True
        reply = await self._pools.run(self._dispatcher.pace(line), self._dispatcher.reply, line, client.connection)
        client.has_spoken = client.connection.is_trusted and reply is not None
        if not client.connection.is_trusted:
            await self._hold_off(client)
        return reply or b""

    async def _hold_off(self, client: ClientConnection) -> None:
        """Count a line of a stranger against it; the answer to a wrong token waits, and nobody waits with it."""
        client.failures += 1
        client.is_busy = False
        if client.connection.showed_wrong_token:
            client.connection.showed_wrong_token = False
            failures = self._strangers.failed(client.address)
            logger.warning("wrong token", extra={"peer": client.address, "failures": failures})
            await asyncio.sleep(self._strangers.seconds(client.address))


def _address(writer: asyncio.StreamWriter) -> str:
    """Where a client is: its machine's address, without the port; empty on a unix socket."""
    name = writer.get_extra_info("peername")
    return str(name[0]) if isinstance(name, tuple) else ""


async def _leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say the last word and let what is still under way run out, unread: closed at once, the word could be lost."""
    try:
        async with asyncio.timeout(1.0):
            await writer.drain()
            writer.write_eof()
            for _ in range(LARGE // CHUNK):
                if not await reader.read(CHUNK):
                    return
    except (TimeoutError, OSError):
        pass  # it does not listen


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    try:
        await asyncio.wait_for(writer.wait_closed(), timeout=1.0)
    except (TimeoutError, ConnectionError, asyncio.CancelledError):
        writer.transport.abort()  # a client that does not read its last reply does not get it
