"""What an attack once found: each of these broke something, and must not again."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_command
from tests.contract.stores import kept
from tests.served import Served, SocketWire, Start, Wire, ask, environment

from libravdb.adapters.sqlite import ownership
from libravdb.client.client import Client
from libravdb.client.transport import SocketTransport
from libravdb.daemon.server import Limits
from libravdb.errors import DaemonError
from libravdb.model import Edge, Link, SetState
from libravdb.ports.claim import ClaimKind
from libravdb.wire import endpoint
from libravdb.wire.methods.engine import REEMBED, ReembedParams
from libravdb.wire.methods.method import MethodPace, NoParams
from libravdb.wire.methods.storage import (
    HEALTH,
    INSERT_SESSION_TURN,
    INSERT_TEXT,
    LIST_COLLECTION,
    SEARCH_TEXT,
    SESSION_LIFECYCLE_HINT,
    STATUS,
    InsertSessionTurn,
    InsertText,
    ListCollection,
    SearchText,
    SessionLifecycleHint,
)


def libravdb(home: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, env=environment(home, **settings))


def ready(process: subprocess.Popen[str]) -> Client:
    assert process.stdout is not None
    return Client(SocketTransport(endpoint.parse(process.stdout.readline().strip())))


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("has_daemon", [True, False])
def test_an_export_overwrites_nothing_least_of_all_the_store(start: Start, tmp_path: Path, has_daemon: bool) -> None:  # noqa: FBT001 - a case
    libravdb(tmp_path, "remember", "precious")
    if has_daemon:
        ready(start())
    store = tmp_path / ".clawdb" / "data.libravdb"
    refused = libravdb(tmp_path, "export", str(store))
    assert refused.returncode == 1
    assert "exists already" in refused.stderr
    (tmp_path / "notes.txt").write_text("mine")
    assert libravdb(tmp_path, "export", str(tmp_path / "notes.txt")).returncode == 1
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert "precious" in libravdb(tmp_path, "list").stdout
    assert libravdb(tmp_path, "export", "/").returncode == 1


def test_flushing_everything_leaves_nothing_private(start: Start, tmp_path: Path) -> None:
    with ready(start()) as client:
        client.call(SESSION_LIFECYCLE_HINT, SessionLifecycleHint(hook="end", session_file="/home/anna/secret"))
        client.call(INSERT_SESSION_TURN, InsertSessionTurn(session_id="s", id="1", text="hello"))
        assert libravdb(tmp_path, "flush", "--everything", "--yes").returncode == 0
        for collection in ("_internal:lifecycle_journal", "session_state:s", "session:s", "session_raw:s"):
            assert client.call(LIST_COLLECTION, ListCollection(collection=collection)).results == ()


# ── an embedding server that is away ──────────────────────────────────────────────────────────────────────


def test_a_dead_embedding_server_stops_no_write_and_health_says_why(start: Start) -> None:
    dead = {
        "LIBRAVDB_EMBEDDING_BACKEND": "ollama",
        "LIBRAVDB_EMBEDDING_ENDPOINT": "http://127.0.0.1:9",
        "LIBRAVDB_EMBEDDING_MODEL": "m",
        "LIBRAVDB_EMBEDDING_RETRIES": "0",
    }
    with ready(start(**dead)) as client:
        health = client.call(HEALTH, NoParams())
        assert health.ok
        assert "words only" in health.message
        assert client.call(INSERT_TEXT, InsertText(collection="c", id="x", text="a green boat")).degraded
        assert client.call(STATUS, NoParams()).mode == "lexical-only"
        assert client.call(SEARCH_TEXT, SearchText(collection="c", text="boat", k=1)).results[0].id == "x"


# ── many at once ──────────────────────────────────────────────────────────────────────────────────────────


def test_many_changes_of_one_records_metadata_all_get_through(served: Served) -> None:
    def work(number: int) -> None:
        client = served.client()
        for turn in range(15):
            client.call(
                INSERT_TEXT, InsertText(collection="m", id="a", text="same", metadata={"by": number, "turn": turn})
            )

    failures: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - carried to the main thread
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert kept(served.store, "a", of="m").version == 120


def test_long_calls_hold_up_neither_usual_nor_quick_ones(served: Served, tmp_path: Path) -> None:
    address = served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock")), Limits(threads=2))
    entered, leave = threading.Semaphore(0), threading.Event()

    def slow(_: object) -> Any:
        entered.release()
        assert leave.wait(30)
        return {}

    handlers = served.dispatcher._handlers
    assert isinstance(handlers, dict)
    handlers["reembed"] = slow
    wires = [SocketWire(address) for _ in range(5)]
    for wire in wires:
        wire.send(b'{"id":1,"method":"reembed"}\n')
    assert entered.acquire(timeout=10)
    good = SocketWire(address)
    assert ask(good, "health")["result"]["ok"]
    assert ask(good, "insert_text", {"collection": "c", "id": "x", "text": "y"})["result"]["ok"]
    leave.set()
    for wire in (*wires, good):
        wire.close()


def test_a_glance_tells_how_long_a_request_may_take(served: Served) -> None:
    pace = served.dispatcher.pace
    assert pace(b'{"method":"health"}') is MethodPace.QUICK
    assert pace(b'{"method":"backup"}') is MethodPace.LONG
    for line in (b'{"method":"search"}', b"garbage", b"[]", b'{"method":5}', b'{"method":[]}', b"{" * 10_000):
        assert pace(line) is MethodPace.USUAL


# ── starting and stopping ─────────────────────────────────────────────────────────────────────────────────


def test_long_work_is_broken_off_when_the_daemon_is_asked_to_stop(start: Start, tmp_path: Path) -> None:
    lines = [json.dumps({"kind": "header", "format": "libravdb-export", "version": 1, "records": 20_000})]
    for n in range(20_000):
        record = {"kind": "record", "collection": "c", "id": str(n), "text": f"line {n}", "metadata": {}, "at": n}
        lines.append(json.dumps(record | {"version": 1, "access_count": 0}))
    (tmp_path / "big.jsonl").write_text("\n".join(lines))
    process = start()
    with ready(process) as watcher:
        importing = subprocess.Popen(
            [sys.executable, "-m", "libravdb", "import", str(tmp_path / "big.jsonl")],
            env=environment(tmp_path),
            stderr=subprocess.PIPE,
            text=True,
        )
        while watcher.call(STATUS, NoParams()).record_count == 0:
            assert importing.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    _, err = importing.communicate(timeout=60)
    assert importing.returncode == 1
    assert "stopping" in err or "No daemon answers" in err
    assert libravdb(tmp_path, "fsck").returncode == 0


def test_a_daemon_waits_for_a_command_that_is_about_to_finish(start: Start, tmp_path: Path) -> None:
    store = tmp_path / ".clawdb" / "data.libravdb"
    with ownership.claim(store, ClaimKind.COMMAND):
        process = start()
    with ready(process) as client:
        assert client.call(HEALTH, NoParams()).ok


def test_a_stopping_daemon_does_not_remove_the_socket_of_another(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "shared.sock"
    first = start(LIBRAVDB_RPC_ENDPOINT=f"unix:{path}")
    ready(first).close()
    path.unlink()
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        first.send_signal(signal.SIGTERM)
        assert first.wait(30) == 0
        assert path.is_socket()


# ── slow and silent senders ───────────────────────────────────────────────────────────────────────────────


def test_blank_lines_do_not_count_as_speaking(served: Served, tmp_path: Path) -> None:
    address = served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock")), Limits(connections=4))
    silent = [SocketWire(address) for _ in range(4)]
    for wire in silent:
        wire.send(b"\n")
    good = SocketWire(address)
    assert ask(good, "health")["result"]["ok"]
    for wire in (*silent, good):
        wire.close()


def test_a_large_line_that_trickles_is_given_up(served: Served, tmp_path: Path) -> None:
    limits = Limits(large_line_seconds=0.5, lines_under_way=1)
    address = served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock")), limits)
    slow = SocketWire(address)
    slow.send(b"x" * (2**20 + 2**17))
    stop = threading.Event()

    def trickle() -> None:
        while not stop.wait(0.05):
            try:
                slow.send(b"x")
            except OSError:
                return

    thread = threading.Thread(target=trickle)
    thread.start()
    assert "was not finished" in slow.receive()["error"]["message"]
    stop.set()
    thread.join()
    slow.close()


# ── the wire ──────────────────────────────────────────────────────────────────────────────────────────────


def test_all_means_all_with_words_alone_and_without_text(wire: Wire, served: Served) -> None:
    for id, text in (("a", "boat"), ("b", "kite"), ("c", "")):
        ask(wire, "insert_text", {"collection": "c", "id": id, "text": text})
    for is_broken in (False, True):
        served.embedder.is_broken = is_broken
        found = ask(wire, "search_text", {"collection": "c", "text": "boat"})["result"]["results"]
        assert {record["id"] for record in found} == {"a", "b", "c"}
        assert found[0]["id"] == "a"


def test_a_number_beyond_doubles_does_not_break_the_listing_of_rules(wire: Wire) -> None:
    metadata = {"source_doc": "x", "position": 10**400, "ordinal": 0}
    ask(wire, "insert_text", {"collection": "authored:soft", "id": "x", "text": "y", "metadata": metadata})
    assert ask(wire, "list_collection", {"collection": "authored:soft"})["result"]["results"][0]["id"] == "x"


def test_numbers_are_found_by_either_spelling(wire: Wire) -> None:
    for id, value in (("a", 1), ("b", 1.0), ("c", 2), ("d", True)):
        ask(wire, "insert_text", {"collection": "c", "id": id, "text": id, "metadata": {"n": value}})
    found = ask(wire, "list_by_meta", {"collection": "c", "key": "n", "value": 1})["result"]["results"]
    assert [record["id"] for record in found] == ["a", "b"]


def test_torn_characters_are_mended_in_every_field_of_every_method(wire: Wire) -> None:
    torn = "cut \ud83d"
    requests = [
        ("ingest_markdown_document", {"sourceDoc": "d", "text": torn, "tokenizerId": torn}),
        ("session_lifecycle_hint", {"hook": "h", "reason": torn}),
        ("insert_text", {"collection": torn, "id": torn, "text": torn, "metadata": {torn: [torn]}}),
        ("search_text", {"collection": torn, "text": torn, "excludeIds": [torn]}),
    ]
    for method, params in requests:
        reply = ask(wire, method, params, id=torn)
        assert "error" not in reply, reply
        assert reply["id"] == torn


def test_edges_are_listed_by_id_with_the_time_of_what_they_cover(wire: Wire, served: Served) -> None:
    ask(wire, "insert_session_turn", {"sessionId": "s", "id": "z", "text": "hello", "metadata": {"ts": 77}})
    edges = [
        Edge(session="s", parent="p", child=child, child_kind="turn", position=position, at=5)
        for position, child in enumerate(("z", "a"))
    ]
    served.store.commit([*(Link(edge=edge) for edge in edges), SetState(session="t", state={}, at=1)])
    listed = ask(wire, "list_collection", {"collection": "session_edge:s"})["result"]["results"]
    assert [record["id"] for record in listed] == ["edge:p:a", "edge:p:z"]
    assert listed[1]["metadata"]["child_ts"] == 77
    expanded = ask(wire, "expand_summary", {"sessionId": "s", "summaryId": "p"})["result"]["results"]
    assert [record["id"] for record in expanded] == ["z"]


# ── the client ────────────────────────────────────────────────────────────────────────────────────────────


class OneReply:
    """A server that answers once with what it is told, then hangs up."""

    def __init__(self, path: Path, replies: list[bytes]) -> None:
        self.asked: list[bytes] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._replies = replies
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        for reply in self._replies:
            connection, _ = self._listener.accept()
            with connection:
                self.asked.append(connection.makefile("rb").readline())
                connection.sendall(reply)
        self._listener.close()

    def join(self) -> None:
        self._thread.join(10)


@pytest.mark.parametrize("reply", [b"nonsense\n", b"5\n", b"{}\n", b'{"result":[]}\n'])
def test_an_answer_that_is_none_of_a_daemon_is_said_to_be(tmp_path: Path, reply: bytes) -> None:
    server = OneReply(tmp_path / "s", [reply])
    client = Client(SocketTransport(endpoint.Endpoint(path=str(tmp_path / "s"))))
    with client, pytest.raises(DaemonError, match="not one of a libravdb daemon"):
        client.call(HEALTH, NoParams())
    server.join()


def test_a_lost_reply_is_asked_for_again_only_where_a_repeat_changes_nothing(tmp_path: Path) -> None:
    health = json.dumps({"result": {"ok": True, "message": "ok"}}).encode() + b"\n"
    server = OneReply(tmp_path / "a", [b"", health])
    with Client(SocketTransport(endpoint.Endpoint(path=str(tmp_path / "a")), sleep=lambda _: None)) as client:
        assert client.call(HEALTH, NoParams()).ok
    server.join()
    assert len(server.asked) == 2
    once = OneReply(tmp_path / "b", [b""])
    client = Client(SocketTransport(endpoint.Endpoint(path=str(tmp_path / "b")), sleep=lambda _: None))
    with client, pytest.raises(DaemonError, match="No daemon answers"):
        client.call(REEMBED, ReembedParams())
    once.join()
    assert len(once.asked) == 1


def test_a_call_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        client = Client(SocketTransport(endpoint.Endpoint(path=str(tmp_path / "s"))), seconds=0.2)
        with client, pytest.raises(DaemonError, match=r"did not answer within 0\.2 seconds"):
            client.call(HEALTH, NoParams())
