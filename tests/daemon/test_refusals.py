"""What a caller is told who asks for the wrong thing: what is wrong, and what would be right."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.served import InProcessWire, Served, Wire, ask, environment

from libravdb.adapters.sqlite.ownership import claim
from libravdb.ports.claim import ClaimKind
from libravdb.wire.fields import fields_of
from libravdb.wire.methods.table import METHODS


def error_of(wire: Wire, method: str, params: object = None) -> dict[str, Any]:
    error = ask(wire, method, params)["error"]
    assert isinstance(error, dict)
    return error


def test_an_unknown_method_is_told_with_the_nearest_one_and_its_message_stays_exact(wire: Wire) -> None:
    error = error_of(wire, "inzert_text")
    assert (error["message"], error["code"]) == ("unknown method: inzert_text", -32601)
    assert error["data"]["remedy"].startswith("Did you mean 'insert_text'? ")
    assert error["data"]["kind"] == "DaemonError"


@pytest.mark.parametrize("name", ["", "☂", "x" * 1_000_000, "search\0"])
def test_a_method_that_is_near_none_is_told_with_where_they_are_listed(wire: Wire, name: str) -> None:
    error = error_of(wire, name)
    assert error["message"] == f"unknown method: {name}"
    assert "docs/reference/protocol.md lists its methods" in error["data"]["remedy"]


@pytest.mark.parametrize(
    ("method", "params", "problem", "remedy"),
    [
        (
            "remember",
            {"note": []},
            "note: is not a known field.",
            "Did you mean 'notes'? Known are: notes (object[], required)",
        ),
        ("remember", {}, "notes: is required.", "Known are: notes (object[], required), replace (boolean)."),
        ("remember", {"notes": "x"}, "notes: is text, not a list.", "Known are: notes (object[], required)"),
        (
            "remember",
            {"notes": [{"text": "x", "colection": "c"}]},
            "notes[0].colection: is not a known field.",
            "Did you mean 'collection'? Known are: text (text, required)",
        ),
        (
            "remember",
            {"notes": [{"text": 7, "collection": "c"}]},
            "notes[0].text: is a number, not text.",
            "Known are: text (text, required)",
        ),
        ("remember", {"notes": [7]}, "notes[0]: is a number, not an object.", "Known are: notes (object[], required)"),
        ("remember", [], "params: is a list, not an object.", "Known are: notes"),
        (
            "assemble",
            {"sessionId": "s", "tokenBudget": 9, "mode": "x"},
            "mode: is 'x', not one of augment, window.",
            "mode (augment|window)",
        ),
        ("describe", {"loud": True}, "loud: is not a known field.", "It takes no fields."),
        (
            "search_text",
            {"k": "many"},
            "k: is text, not an integer.",
            "Known are: collection (text), text (text), k (integer), excludeIds (text[]).",
        ),
        ("search_text", {"excludeIds": [1]}, "excludeIds[0]: is a number, not text.", "excludeIds (text[])"),
        (
            "search_text_collections",
            {"excludeByCollection": {"a": ["x"], "b": [7]}},
            "excludeByCollection.b[0]: is a number, not text.",
            "excludeByCollection (object of text[])",
        ),
        ("search_text_collections", {"excludeByCollection": []}, "excludeByCollection: is a list, not an object.", ""),
        ("search_text", {"excludeIds": [None]}, "excludeIds[0]: is null, not text.", "excludeIds (text[])"),
        ("ingest", {"sessionId": "s", "message": None}, "message: is required.", "message (any, required)"),
        ("judge", None, "text: is required.", "text (text, required)"),
        (
            "promote_dream_entries",
            {"entries": [{"score": 10**400}]},
            "entries[0].score: does not fit (Number out of range).",
            "Known are: ",
        ),
        (
            "ingest_markdown_document",
            {"sourceMeta": {"sourceSize": "x"}},
            "sourceMeta.sourceSize: is text, not an integer.",
            "sourceSize (integer)",
        ),
    ],
)
def test_a_wrong_field_is_told_with_what_is_taken(
    wire: Wire, method: str, params: object, problem: str, remedy: str
) -> None:
    error = error_of(wire, method, params)
    assert (error["code"], error["data"]["kind"]) == (-32602, "InvalidInput")
    assert error["data"]["message"] == problem
    assert remedy in error["data"]["remedy"]
    assert error["message"] == f"{problem} {error['data']['remedy']}"


@pytest.mark.parametrize(
    ("method", "params", "message", "field"),
    [
        ("insert_text", {}, "record id is required", "id"),
        ("insert_session_turn", {}, "session ID is required", "sessionId"),
        ("query_raw_session", {}, "sessionId is required", "sessionId"),
        ("expand_summary", {"sessionId": "s"}, "summaryId is required", "summaryId"),
        ("delete_authored_document", {}, "sourceDoc is required", "sourceDoc"),
        ("promote_dream_entries", {}, "userId is required", "userId"),
        ("flush_namespace", {}, "namespace or userId is required", "namespace or userId"),
        ("compact_session", {}, "session ID is required", "sessionId"),
    ],
)
def test_a_message_that_clients_compare_stays_exact_and_its_remedy_stands_beside_it(
    wire: Wire, method: str, params: object, message: str, field: str
) -> None:
    error = error_of(wire, method, params)
    assert error["message"] == error["data"]["message"] == message
    assert error["data"]["remedy"] == f"Give {field} as text that is not empty."


def test_every_strict_method_tells_each_of_its_fields(served: Served) -> None:
    wire = InProcessWire(served.dispatcher)
    for method in METHODS.values():
        if method.is_strict:
            remedy = error_of(wire, method.name, {"nonsense": 1})["data"]["remedy"]
            assert all(f"{name} (" in remedy for name in fields_of(method.params)), method.name


# ── a daemon of another version ───────────────────────────────────────────────────────────────────────────

Answer = Callable[[dict[str, Any]], None]


@pytest.fixture
def other_daemon(tmp_path: Path) -> Iterator[Answer]:
    """Holds the default store of a home and answers every request with the same error."""
    store = tmp_path / ".clawdb" / "data.libravdb"
    lock = claim(store, ClaimKind.DAEMON)
    store.write_bytes(b"SQLite format 3\0")  # a daemon has made it by then
    listener = socket.create_server(("127.0.0.1", 0))
    serving: list[threading.Thread] = []

    def answer(error: dict[str, Any]) -> None:
        def serve() -> None:
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as lines:
                for line in lines:
                    reply = {"jsonrpc": "2.0", "id": json.loads(line)["id"], "error": error}
                    connection.sendall(json.dumps(reply).encode() + b"\n")

        serving.append(threading.Thread(target=serve))
        serving[-1].start()
        lock.announce(f"tcp:127.0.0.1:{listener.getsockname()[1]}")

    yield answer
    for thread in serving:
        thread.join(30)
    listener.close()
    lock.close()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            {"message": "unknown method: list_records", "code": -32601},
            "error: unknown method: list_records\n  After an upgrade restart the daemon;",
        ),
        (
            {
                "message": "unknown method: list_records",
                "code": -32601,
                "data": {"kind": "DaemonError", "message": "unknown method: list_records", "remedy": "Turn it off."},
            },
            "error: unknown method: list_records\n  Turn it off.\n",
        ),
        (
            {
                "message": "where: is not a known field. Known are: limit.",
                "code": -32602,
                "data": {
                    "kind": "InvalidInput",
                    "message": "where: is not a known field.",
                    "remedy": "Known are: limit.",
                },
            },
            "error: where: is not a known field.\n  Known are: limit.\n",
        ),
    ],
)
def test_the_command_shows_what_to_do_about_a_daemon_of_another_version(
    other_daemon: Answer, tmp_path: Path, error: dict[str, Any], told: str
) -> None:
    other_daemon(error)
    done = subprocess.run(
        [sys.executable, "-m", "libravdb", "list"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=environment(tmp_path, NO_COLOR="1"),
    )
    assert done.returncode == 1
    assert done.stderr.startswith(told)
