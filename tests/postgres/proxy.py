"""A proxy between a client and PostgreSQL that cuts the connection at a message of our choice.

It reads the framing of the protocol (version 3: a byte for the kind, four for the length), and for each message which
statement is executed. A fault waits for one message and then does one thing: nothing of the message arrives, all or
half of it, and then both ends are closed; or everything stays open and nobody hears anything any more. A fault happens
once, to one connection; what connects afterwards is served.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Self

Place = str | tuple[str, int]
"""Where a server listens: the path of a unix socket, or a host and a port."""

_ENCRYPTION = (80877103, 80877104)  # requests for TLS and GSSAPI: the server answers with one bare byte
_SECONDS = 60.0
_TOLD = b"SFATAL\0VFATAL\0C08P01\0Mserver conn crashed?\0\0"
_CRASHED = struct.pack("!ci", b"E", len(_TOLD) + 4) + _TOLD


class Action(StrEnum):
    """What happens to the message that a fault was waiting for."""

    CUT_BEFORE = "cut before"
    CUT_AFTER = "cut after"
    CUT_WITHIN = "cut within"
    FREEZE = "freeze"
    """No byte passes any more in either direction, and nobody is told: a network that swallows packets."""
    CRASH = "crash"
    """As a pooler tells its client that it lost the server's connection, instead of a message of the server."""
    ABANDON = "abandon"
    """The client is cut off, and the server is not told: it waits for more, as for a machine that lost its power."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. `statement` is what it executes when the client sends it, and what is done when the server does."""

    is_client: bool
    kind: str
    data: bytes
    statement: str = ""

    def __str__(self) -> str:
        sender = "client" if self.is_client else "server"
        return f"{sender} {self.kind} {' '.join(self.statement.split())[:40]}".strip()

    @property
    def is_commit_sent(self) -> bool:
        """Whether it tells the server to commit."""
        return self.is_client and self.statement == "COMMIT"

    @property
    def is_commit_answered(self) -> bool:
        """Whether it tells the client that the server has committed."""
        return not self.is_client and self.statement == "COMMIT"


def anything(_: Message) -> bool:
    """Every message."""
    return True


@dataclass(slots=True, kw_only=True)
class Fault:
    """What to do with the message that `where` is true of, when it is the one of that number among those."""

    action: Action
    where: Callable[[Message], bool] = anything
    number: int = 0
    met: threading.Event = field(default_factory=threading.Event)


class Proxy:
    """Listens as the server does: on a unix socket in a folder of its own, or on a free port of this machine."""

    def __init__(self, server: Place) -> None:
        self._server = server
        self.folder = Path(tempfile.mkdtemp(prefix="lv-px-"))  # short: the path of a socket has 107 bytes at most
        self._lock = threading.Lock()
        self._fault: Fault | None = None
        self._seen: list[Message] | None = None
        self._delay = 0.0
        self._lines: set[_Line] = set()
        self._closed = threading.Event()
        self._listener = self._listen()
        self._accepting = threading.Thread(target=self._accept, name="proxy")
        self._accepting.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def url(self, database: str) -> str:
        """Where a database is found through the proxy."""
        if isinstance(self._server, str):
            return f"postgresql://postgres@/{database}?host={self.folder}"
        return f"postgresql://postgres@127.0.0.1:{self._listener.getsockname()[1]}/{database}"

    # ── faults ────────────────────────────────────────────────────────────────────────────────────────────

    def arm(self, fault: Fault) -> Fault:
        """Let this happen next; the messages are counted from now on."""
        with self._lock:
            self._fault = fault
        return fault

    def disarm(self) -> None:
        """Let nothing happen."""
        with self._lock:
            self._fault = None

    @contextlib.contextmanager
    def recording(self) -> Iterator[list[Message]]:
        """What passes meanwhile, on all connections in the order of arrival."""
        seen: list[Message] = []
        with self._lock:
            self._seen = seen
        try:
            yield seen
        finally:
            with self._lock:
                self._seen = None

    def delay(self, seconds: float) -> None:
        """Hold every message back for so long."""
        self._delay = seconds

    def sever(self) -> None:
        """Cut all connections that there are, frozen ones too."""
        with self._lock:
            lines = list(self._lines)
        for line in lines:
            line.cut()

    @contextlib.contextmanager
    def refusing(self) -> Iterator[None]:
        """Nobody can connect meanwhile, and whoever is connected is cut off."""
        self._stop_listening()
        self.sever()
        try:
            yield
        finally:
            self._listener = self._listen()
            self._accepting = threading.Thread(target=self._accept, name="proxy")
            self._accepting.start()

    def refuse_from_next_fault(self) -> None:
        """Nobody can connect any more once the armed fault has happened, until `accept_again`."""
        with self._lock:
            assert self._fault is not None
            self._is_refusing_after = True

    def accept_again(self) -> None:
        """Serve whoever connects."""
        with self._lock:
            self._is_refusing_after = self._is_refusing = False

    def close(self) -> None:
        """Cut everything, and leave nothing behind."""
        self._closed.set()
        self._stop_listening()
        self.sever()
        shutil.rmtree(self.folder, ignore_errors=True)

    _is_refusing_after = False
    _is_refusing = False

    # ── connections ───────────────────────────────────────────────────────────────────────────────────────

    def _listen(self) -> socket.socket:
        if isinstance(self._server, str):
            path = self.folder / ".s.PGSQL.5432"
            path.unlink(missing_ok=True)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(path))
        else:
            listener = socket.create_server(("127.0.0.1", 0))
        listener.listen(128)
        return listener

    def _stop_listening(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes up whoever accepts
        self._listener.close()
        self._accepting.join(_SECONDS)

    def _accept(self) -> None:
        listener = self._listener
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            if self._is_refusing:
                client.close()
                continue
            try:
                server = _connect(self._server)
            except OSError:
                client.close()  # the server is down: the client hears of it
                continue
            line = _Line(self, client, server)
            with self._lock:
                self._lines.add(line)
            line.start()

    def forget(self, line: _Line) -> None:
        """This connection is over."""
        with self._lock:
            self._lines.discard(line)

    def decide(self, message: Message) -> Action | None:
        """What to do with a message; None to let it pass."""
        if self._delay:
            self._closed.wait(self._delay)
        with self._lock:
            if self._seen is not None:
                self._seen.append(message)
            fault = self._fault
            if fault is None or not fault.where(message):
                return None
            if fault.number:
                fault.number -= 1
                return None
            self._fault = None
            self._is_refusing = self._is_refusing_after
        fault.met.set()
        return fault.action


class _Line:
    """One connection through the proxy: two threads, one for each direction."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._statements: dict[bytes, str] = {}  # by name, as the client prepared them
        self._bound: dict[bytes, bytes] = {}  # portals
        self._is_frozen = False
        self._cut = threading.Event()

    def start(self) -> None:
        """Serve it."""
        threading.Thread(target=self._run, args=(self._forward_client,), name="proxy client", daemon=True).start()

    def cut(self) -> None:
        """Close both ends."""
        self._cut.set()
        for end in (self._client, self._server):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._client.close()
        self._server.close()
        self._proxy.forget(self)

    def _run(self, forward: Callable[[], None]) -> None:
        with contextlib.suppress(OSError, EOFError):  # one end has gone away: so does the other
            forward()
        if not self._is_frozen:
            self.cut()

    def _forward_client(self) -> None:
        self._shake_hands()
        threading.Thread(target=self._run, args=(self._forward_server,), name="proxy server", daemon=True).start()
        while self._pass(self._read(self._client, is_client=True), self._server):
            pass

    def _forward_server(self) -> None:
        while self._pass(self._read(self._server, is_client=False), self._client):
            pass

    def _shake_hands(self) -> None:
        """The first messages have no kind."""
        while True:
            length = _receive(self._client, 4)
            body = _receive(self._client, struct.unpack("!i", length)[0] - 4)
            self._server.sendall(length + body)
            if struct.unpack("!i", body[:4])[0] not in _ENCRYPTION:
                return
            self._client.sendall(_receive(self._server, 1))

    def _pass(self, message: Message, to: socket.socket) -> bool:
        """Send a message on, or do what a fault says; whether more can follow."""
        if self._is_frozen:
            return False
        action = self._proxy.decide(message)
        match action:
            case None:
                to.sendall(message.data)
                return True
            case Action.CUT_AFTER:
                to.sendall(message.data)
            case Action.CUT_WITHIN:
                to.sendall(message.data[: max(1, len(message.data) // 2)])
            case Action.CRASH:
                to.sendall(_CRASHED)
            case Action.FREEZE:
                self._is_frozen = True
            case Action.ABANDON:
                self._is_frozen = True
                self._client.shutdown(socket.SHUT_RDWR)
            case Action.CUT_BEFORE:
                pass
        return False

    def _read(self, end: socket.socket, *, is_client: bool) -> Message:
        head = _receive(end, 5)
        kind, length = struct.unpack("!ci", head)
        body = _receive(end, length - 4)
        name = kind.decode("ascii")
        statement = self._sent(name, body) if is_client else _done(name, body)
        return Message(is_client=is_client, kind=name, data=head + body, statement=statement)

    def _sent(self, kind: str, body: bytes) -> str:
        """What a message of the client executes."""
        match kind, body.split(b"\0"):
            case "Q", [query, *_]:
                return query.decode()
            case "P", [name, query, *_]:
                self._statements[name] = query.decode()
            case "B", [portal, name, *_]:
                self._bound[portal] = name
            case "E", [portal, *_]:
                return self._statements.get(self._bound.get(portal, b""), "")
        return ""


def _done(kind: str, body: bytes) -> str:
    return body.rstrip(b"\0").decode() if kind == "C" else ""


def _receive(end: socket.socket, size: int) -> bytes:
    received = b""
    while len(received) < size:
        more = end.recv(size - len(received))
        if not more:
            raise EOFError
        received += more
    return received


def _connect(place: Place) -> socket.socket:
    if isinstance(place, str):
        made = socket.socket(socket.AF_UNIX)
        try:
            made.connect(place)
        except OSError:
            made.close()
            raise
        return made
    return socket.create_connection(place, _SECONDS)
