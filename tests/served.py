"""A served engine over each transport, and a raw line client that sees exactly what the wire says."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest
from tests.support import open_file_store

from libravdb.adapters.notes.workspace import WorkspaceFiles
from libravdb.client.client import Client
from libravdb.client.transport import InProcessTransport
from libravdb.daemon.audit import Audit
from libravdb.daemon.call_stats import Calls
from libravdb.daemon.dispatch import Connection, Dispatcher
from libravdb.daemon.gauges import daemon_gauges
from libravdb.daemon.guard import Guard
from libravdb.daemon.handlers.engine import EngineMethods
from libravdb.daemon.handlers.inspection import InspectionMethods
from libravdb.daemon.handlers.lifecycle import LifecycleMethods
from libravdb.daemon.handlers.memories import MemoryMethods
from libravdb.daemon.handlers.notes import NoteMethods
from libravdb.daemon.handlers.storage import StorageMethods
from libravdb.daemon.handlers.transfer import TransferMethods
from libravdb.daemon.http_calls import HttpCalls
from libravdb.daemon.note_watch import NoteWatch
from libravdb.daemon.quotas import QuotaRules, Quotas, measured
from libravdb.daemon.server import Limits, Server
from libravdb.daemon.settings import Quota
from libravdb.daemon.tokens import TokenRegistry
from libravdb.engine.engine import Engine
from libravdb.http.door import HttpMount
from libravdb.http.options import HttpOptions
from libravdb.http.server import HttpServer
from libravdb.ports.store import Store
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


class HttpWire:
    """The same lines as bodies of POST /rpc, one connection."""

    def __init__(self, address: endpoint.Endpoint, token: str = TOKEN) -> None:
        self._connection = http.client.HTTPConnection(address.host, address.port, timeout=30)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._replies: list[bytes] = []

    def send(self, data: bytes) -> None:
        for line in data.splitlines():
            if line.strip():
                self._connection.request("POST", "/rpc", body=line, headers=self._headers)
                self._replies.append(self._connection.getresponse().read())

    def receive(self) -> dict[str, Any]:
        reply = json.loads(self._replies.pop(0))
        assert isinstance(reply, dict)
        return reply

    def close(self) -> None:
        self._connection.close()


class Served:
    """A dispatcher, and a server over it once it was asked to listen."""

    def __init__(
        self,
        folder: Path,
        *,
        tokens: TokenRegistry | None = None,
        rules: QuotaRules | None = None,
        audit: Audit | None = None,
        store: Store | None = None,
    ) -> None:
        self.embedder = WordsEmbedder()
        self.store: Store = store or open_file_store(folder / "data.libravdb", now=NOON)
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
            self.engine, folder=folder / "data.libravdb.exports", backup_folder=str(folder / "backups")
        )
        handlers = {
            **methods.handlers(),
            **EngineMethods(self.engine).handlers(),
            **LifecycleMethods(self.engine).handlers(),
            **MemoryMethods(self.engine, self.transfers).handlers(),
            **InspectionMethods(self.engine).handlers(),
            **NoteMethods(self.engine, NoteWatch(self.engine.notes, WorkspaceFiles())).handlers(),
            **self.transfers.handlers(),
        }
        self.path = folder / "data.libravdb"
        self.tokens = tokens or TokenRegistry.of_one(TOKEN)
        self.dispatcher = Dispatcher(
            handlers,
            calls=self.calls,
            guard=Guard(self.store, self.engine.masking),
            tokens=self.tokens,
            quotas=Quotas(rules or QuotaRules(Quota()), lambda namespace: measured(self.store, namespace)),
            audit=audit,
        )
        self._stops: list[Callable[[], None]] = []
        self.listener: socket.socket | None = None

    def listen(self, address: endpoint.Endpoint, limits: Limits | None = None) -> endpoint.Endpoint:
        """Serve in a thread; gives the real address back."""
        self.listener, actual = endpoint.listen(address, has_token=True)
        server = Server(self.dispatcher, self.listener, needs_token=not actual.path, limits=limits)
        self._serve(server.run)
        return actual

    def listen_http(
        self,
        options: HttpOptions | None = None,
        *,
        tls: ssl.SSLContext | None = None,
        mounts: Sequence[HttpMount] = (),
        limits: Limits | None = None,
    ) -> endpoint.Endpoint:
        """Serve HTTP in a thread; gives the real address back."""
        listener, actual = endpoint.listen_tcp(LOOPBACK)
        limits = limits or Limits(first_delay_seconds=0.0, most_delay_seconds=0.0)
        pools, warm = limits.open_pools(), threading.Event()
        warm.set()
        gauges = dict(daemon_gauges(self.store, self.engine, pools))
        self.http_calls = HttpCalls(
            self.dispatcher,
            store=self.store,
            engine=self.engine,
            tokens=self.tokens,
            pools=pools,
            strangers=limits.strangers(),
            calls=self.calls,
            gauges=gauges,
            warm=warm,
        )
        self.http = HttpServer(self.http_calls, listener, options=options or HttpOptions(), tls=tls, mounts=mounts)
        self._serve(self.http.run)
        self._stops += [pools.close, listener.close]
        return actual

    def _serve(self, run: Callable[[asyncio.Event], Awaitable[None]]) -> None:
        ready = threading.Event()
        stops: list[Callable[[], object]] = []

        async def serve() -> None:
            loop, stop = asyncio.get_running_loop(), asyncio.Event()
            stops.append(lambda: loop.call_soon_threadsafe(stop.set))
            ready.set()
            await run(stop)

        thread = threading.Thread(target=lambda: asyncio.run(serve()))
        thread.start()
        ready.wait(10)

        def finish() -> None:
            stops[0]()
            thread.join(30)
            assert not thread.is_alive()

        self._stops.append(finish)

    def client(self) -> Client:
        """A client of the dispatcher in this process."""
        connection = Connection()
        return Client(InProcessTransport(lambda line: self.dispatcher.reply(line, connection)))

    def close(self) -> None:
        for stop in self._stops:
            stop()
        self.transfers.close()
        self.engine.close()


Call = Callable[..., Any]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.close()


@pytest.fixture(params=["unix", "tcp", "http", "in-process"])
def wire(request: pytest.FixtureRequest, served: Served, tmp_path: Path) -> Iterator[Wire]:
    """A connected client, over each transport in turn."""
    connected: Wire
    if request.param == "unix":
        connected = SocketWire(served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock"))))
    elif request.param == "tcp":
        connected = authenticated(served.listen(LOOPBACK))
    elif request.param == "http":
        connected = HttpWire(served.listen_http())
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
