"""A served engine over each transport, and a raw line client that sees exactly what the wire says."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from libravdb.adapters.notes.workspace import WorkspaceFiles
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.client.client import Client
from libravdb.client.transport import InProcessTransport
from libravdb.daemon.call_stats import Calls
from libravdb.daemon.dispatch import Connection, Dispatcher
from libravdb.daemon.guard import Guard
from libravdb.daemon.handlers.engine import EngineMethods
from libravdb.daemon.handlers.lifecycle import LifecycleMethods
from libravdb.daemon.handlers.memories import MemoryMethods
from libravdb.daemon.handlers.notes import NoteMethods
from libravdb.daemon.handlers.storage import StorageMethods
from libravdb.daemon.handlers.transfer import TransferMethods
from libravdb.daemon.note_watch import NoteWatch
from libravdb.daemon.server import Limits, Server
from libravdb.daemon.tokens import TokenRegistry
from libravdb.engine.engine import Engine
from libravdb.testing import WordsEmbedder
from libravdb.wire import endpoint

NOON = 1_790_000_000_000
TOKEN = "open sesame"  # noqa: S105 - made up
LOOPBACK = endpoint.Endpoint(host="127.0.0.1", port=0)


class Wire(Protocol):
    """Sends lines, reads replies."""

    def send(self, data: bytes) -> None: ...

    def receive(self) -> dict[str, Any]: ...

    def close(self) -> None: ...


class SocketWire:
    """A plain client over a socket."""

    def __init__(self, address: endpoint.Endpoint) -> None:
        family = socket.AF_UNIX if address.path else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.settimeout(30)
        self.socket.connect(address.path or (address.host, address.port))
        self._file = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def receive(self) -> dict[str, Any]:
        line = self._file.readline()
        assert line.endswith(b"\n"), "the connection was closed"
        reply = json.loads(line)
        assert isinstance(reply, dict)
        return reply

    def is_closed(self) -> bool:
        return self._file.readline() == b""

    def close(self) -> None:
        self._file.close()
        self.socket.close()


def authenticated(address: endpoint.Endpoint, token: str = TOKEN) -> SocketWire:
    """A client that has shown its token."""
    wire = SocketWire(address)
    assert ask(wire, "authenticate", {"token": token})["result"] == {"ok": True}
    return wire


class InProcessWire:
    """The same lines, straight into the dispatcher."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._connection = Connection()
        self._replies: list[bytes] = []

    def send(self, data: bytes) -> None:
        for line in data.splitlines():
            reply = self._dispatcher.reply(line, self._connection)
            if reply is not None:
                self._replies.append(reply)

    def receive(self) -> dict[str, Any]:
        reply = json.loads(self._replies.pop(0))
        assert isinstance(reply, dict)
        return reply

    def close(self) -> None:
        """Nothing to let go of."""


class Served:
    """A dispatcher, and a server over it once it was asked to listen."""

    def __init__(self, folder: Path, *, tokens: TokenRegistry | None = None) -> None:
        self.embedder = WordsEmbedder()
        self.store = SqliteStore(folder / "data.libravdb", now=NOON)
        self.now = NOON
        self.engine = Engine(store=self.store, load_embedder=lambda _: self.embedder, clock=lambda: self.now)
        self.calls = Calls()
        methods = StorageMethods(
            self.engine,
            self.store,
            clock=lambda: self.now,
            calls=self.calls,
            path=str(folder / "data.libravdb"),
            journal_entries=5,
        )
        self.transfers = TransferMethods(
            self.engine, store_path=folder / "data.libravdb", backup_folder=str(folder / "backups")
        )
        handlers = {
            **methods.handlers(),
            **EngineMethods(self.engine).handlers(),
            **LifecycleMethods(self.engine).handlers(),
            **MemoryMethods(self.engine, self.transfers).handlers(),
            **NoteMethods(self.engine, NoteWatch(self.engine.notes, WorkspaceFiles())).handlers(),
            **self.transfers.handlers(),
        }
        tokens = tokens or TokenRegistry.of_one(TOKEN)
        self.dispatcher = Dispatcher(
            handlers, calls=self.calls, guard=Guard(self.store, self.engine.masking), tokens=tokens
        )
        self._thread: threading.Thread | None = None
        self.listener: socket.socket | None = None

    def listen(self, address: endpoint.Endpoint, limits: Limits | None = None) -> endpoint.Endpoint:
        """Serve in a thread; gives the real address back."""
        self.listener, actual = endpoint.listen(address, has_token=True)
        server = Server(self.dispatcher, self.listener, needs_token=not actual.path, limits=limits)
        ready = threading.Event()

        async def run() -> None:
            self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
            ready.set()
            await server.run(self._stop)

        self._thread = threading.Thread(target=lambda: asyncio.run(run()))
        self._thread.start()
        ready.wait(10)
        return actual

    def client(self) -> Client:
        """A client of the dispatcher in this process."""
        connection = Connection()
        return Client(InProcessTransport(lambda line: self.dispatcher.reply(line, connection)))

    def close(self) -> None:
        if self._thread is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(30)
            assert not self._thread.is_alive()
        self.transfers.close()
        self.engine.close()


Call = Callable[..., Any]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.close()


@pytest.fixture(params=["unix", "tcp", "in-process"])
def wire(request: pytest.FixtureRequest, served: Served, tmp_path: Path) -> Iterator[Wire]:
    """A connected client, over each transport in turn."""
    connected: Wire
    if request.param == "unix":
        connected = SocketWire(served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock"))))
    elif request.param == "tcp":
        connected = authenticated(served.listen(LOOPBACK))
    else:
        connected = InProcessWire(served.dispatcher)
    yield connected
    connected.close()


def ask(wire: Wire, method: str, params: object = None, id: object = 7) -> dict[str, Any]:
    """One request, one reply."""
    wire.send(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n")
    return wire.receive()


@pytest.fixture
def call(wire: Wire) -> Call:
    """Calls a method and gives its result; an error fails the test."""

    def call(method: str, params: object = None) -> Any:
        reply = ask(wire, method, params)
        assert "error" not in reply, reply
        assert (reply["jsonrpc"], reply["id"]) == ("2.0", 7)
        return reply["result"]

    return call


@pytest.fixture
def refused(wire: Wire) -> Call:
    """Calls a method that must fail, and gives the message."""

    def refused(method: str, params: object = None) -> str:
        reply = ask(wire, method, params)
        assert set(reply) == {"jsonrpc", "id", "error"}, reply
        assert reply["error"]["message"]
        return str(reply["error"]["message"])

    return refused


# ── the daemon as a process ───────────────────────────────────────────────────────────────────────────────

Start = Callable[..., "subprocess.Popen[str]"]


def environment(home: Path, **settings: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LIBRAVDB_")}
    return kept | {"HOME": str(home), "PYTHONWARNINGS": "error"} | settings


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts `libravdbd` in a home of its own; whatever still runs at the end is killed."""
    running: list[subprocess.Popen[str]] = []

    def start(**settings: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "libravdb.daemon"],
            env=environment(tmp_path, **settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()
