"""The daemon as a process: readiness, signals, one per store, stale remains of dead ones, clear start-up errors."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.served import TOKEN, Start, ask, authenticated, environment

from libravdb.client.client import Client
from libravdb.client.transport import SocketTransport
from libravdb.errors import DaemonError, InvalidInput
from libravdb.wire.endpoint import parse
from libravdb.wire.methods.method import NoParams
from libravdb.wire.methods.storage import HEALTH, INSERT_TEXT, LIST_COLLECTION, STATUS, InsertText, ListCollection

WITH_TOKEN = {"LIBRAVDB_DAEMON_TOKEN": TOKEN}


def ready(process: subprocess.Popen[str]) -> str:
    """The endpoint from the first line on standard output."""
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if not line:
        raise AssertionError(process.communicate()[1])
    return line


def connect(address: str, **options: str) -> Client:
    return Client(SocketTransport(parse(address), **options))  # type: ignore[arg-type]  # only the token is given


def failed(process: subprocess.Popen[str]) -> str:
    """What a daemon that could not start says."""
    out, err = process.communicate(timeout=30)
    assert process.returncode == 1, err
    assert out == ""
    assert "Traceback" not in err
    return err


def test_the_first_line_is_the_endpoint_and_it_serves_there(start: Start, tmp_path: Path) -> None:
    process = start()
    address = ready(process)
    assert address == f"unix:{tmp_path}/.clawdb/run/libravdb.sock"
    with connect(address) as client:
        assert client.call(HEALTH, NoParams()).ok
        client.call(INSERT_TEXT, InsertText(collection="c", id="x", text="a green boat"))
        (record,) = client.call(LIST_COLLECTION, ListCollection(collection="c")).results
        assert record.text == "a green boat"


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_cleanly(start: Start, tmp_path: Path, name: signal.Signals) -> None:
    process = start()
    path = Path(ready(process).removeprefix("unix:"))
    process.send_signal(name)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "")
    assert not path.exists()
    assert [json.loads(line)["event"] for line in err.splitlines()] == ["listening", "stopped"]
    assert not (tmp_path / ".clawdb" / "data.libravdb-wal").exists()


def test_a_reply_under_way_is_finished_before_it_stops(start: Start) -> None:
    process = start()
    address = ready(process)
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(address.removeprefix("unix:"))
        request = {"id": 1, "method": "insert_text", "params": {"collection": "c", "id": "x", "text": "w " * 4_000}}
        raw.sendall(json.dumps(request).encode() + b"\n")
        with connect(address) as other:
            while other.call(STATUS, NoParams()).calls.get("status", {}).get("calls", 0) < 3:
                pass
        process.send_signal(signal.SIGTERM)
        raw.settimeout(60)
        assert json.loads(raw.makefile("rb").readline()) == {"jsonrpc": "2.0", "id": 1, "result": {"ok": True}}
    assert process.wait(30) == 0


def test_socket_and_store_are_private(start: Start, tmp_path: Path) -> None:
    path = Path(ready(start()).removeprefix("unix:"))
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / ".clawdb" / "data.libravdb").stat().st_mode & 0o777 == 0o600


def test_a_second_daemon_on_the_same_store_refuses_and_names_the_first(start: Start) -> None:
    first = start()
    ready(first)
    said = failed(start(LIBRAVDB_RPC_ENDPOINT="tcp:127.0.0.1:0"))
    assert "A daemon already serves" in said
    assert f"process {first.pid}" in said
    assert "stop it first" in said


def test_what_a_killed_daemon_left_behind_is_taken_over(start: Start, tmp_path: Path) -> None:
    first = start()
    address = ready(first)
    with connect(address) as client:
        client.call(INSERT_TEXT, InsertText(collection="c", id="x", text="kept"))
    first.kill()
    first.wait()
    assert Path(address.removeprefix("unix:")).exists()
    assert (tmp_path / ".clawdb" / "data.libravdb.lock").read_text()
    assert ready(start()) == address
    with connect(address) as client:
        listed = client.call(LIST_COLLECTION, ListCollection(collection="c")).results
        assert [record.text for record in listed] == ["kept"]


def test_a_socket_that_somebody_listens_on_is_not_taken_away(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "busy.sock"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        assert "Another process listens" in failed(start(LIBRAVDB_RPC_ENDPOINT=f"unix:{path}"))
        assert path.is_socket()


def test_a_file_in_place_of_the_socket_is_not_deleted(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine")
    assert "is not a socket" in failed(start(LIBRAVDB_RPC_ENDPOINT=f"unix:{path}"))
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("endpoint", "message"),
    [
        ("unix:/" + "x" * 200, "at most 10"),
        ("http://localhost", "is not an endpoint"),
        ("tcp:127.0.0.1:99999", "is not an endpoint"),
        ("tcp:0.0.0.0:0", "would be open to every user"),
        ("tcp:127.0.0.1:0", "libravdb token create"),
        ("unix:/proc/libravdb.sock", "Cannot listen"),
        ("nonsense", "is not an endpoint"),
    ],
)
def test_an_impossible_endpoint_is_refused_with_the_remedy(start: Start, endpoint: str, message: str) -> None:
    assert message in failed(start(LIBRAVDB_RPC_ENDPOINT=endpoint))


def test_a_port_in_use_is_named(start: Start) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        said = failed(start(LIBRAVDB_RPC_ENDPOINT=f"tcp:127.0.0.1:{other.getsockname()[1]}", **WITH_TOKEN))
    assert "Address already in use" in said
    assert "another port" in said


def test_a_broken_configuration_is_told_before_anything_is_touched(start: Start, tmp_path: Path) -> None:
    assert "LIBRAVDB_SEARCH_K" in failed(start(LIBRAVDB_SEARCH_K="many"))
    assert not (tmp_path / ".clawdb").exists()


def test_a_port_of_zero_is_reported_as_the_real_one(start: Start) -> None:
    address = ready(start(LIBRAVDB_RPC_ENDPOINT="tcp:127.0.0.1:0", **WITH_TOKEN))
    assert int(address.rpartition(":")[2]) > 0
    with connect(address, token=TOKEN) as client:
        assert client.call(HEALTH, NoParams()).ok


def test_with_a_token_every_tcp_connection_must_show_it_first(start: Start) -> None:
    address = ready(start(LIBRAVDB_RPC_ENDPOINT="tcp:127.0.0.1:0", **WITH_TOKEN))
    with connect(address, token=TOKEN) as client:
        assert client.call(HEALTH, NoParams()).ok
    with connect(address) as client, pytest.raises(DaemonError, match="authentication required"):
        client.call(HEALTH, NoParams())
    with connect(address, token="guess") as client, pytest.raises(DaemonError, match="not the right one"):  # noqa: S106 - made up
        client.call(HEALTH, NoParams())


def test_methods_that_name_files_are_not_served_over_tcp(start: Start, tmp_path: Path) -> None:
    wire = authenticated(parse(ready(start(LIBRAVDB_RPC_ENDPOINT="tcp:127.0.0.1:0", **WITH_TOKEN))))
    assert "unix sockets only" in ask(wire, "backup", {"path": str(tmp_path / "b")})["error"]["message"]
    wire.close()
    assert not (tmp_path / "b").exists()


def test_version_and_usage(tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "libravdb.daemon", *arguments],
            capture_output=True,
            text=True,
            check=False,
            env=environment(tmp_path),
        )

    assert run("version").stdout.startswith("libravdbd ")
    wrong = run("dance")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr.startswith("usage: libravdbd")


def test_logs_have_a_line_per_call_at_debug_and_no_text_unless_asked(start: Start) -> None:
    for asked in ("false", "true"):
        process = start(LIBRAVDB_DAEMON_LOG_LEVEL="debug", LIBRAVDB_DAEMON_LOG_TEXT=asked)
        with connect(ready(process)) as client:
            client.call(INSERT_TEXT, InsertText(collection="c", id="x", text="secret plan"))
        process.send_signal(signal.SIGTERM)
        err = process.communicate(timeout=30)[1]
        calls = [json.loads(line) for line in err.splitlines() if '"call"' in line]
        assert [(call["method"], call["ok"]) for call in calls] == [("insert_text", True)]
        assert ("secret plan" in err) == (asked == "true")


def test_commands_use_the_daemon_that_holds_the_store_and_the_file_otherwise(start: Start, tmp_path: Path) -> None:
    def libravdb(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "libravdb", *arguments],
            capture_output=True,
            text=True,
            check=True,
            env=environment(tmp_path),
        )
        return done.stdout

    libravdb("remember", "before the daemon", "--id", "a")
    process = start(LIBRAVDB_DAEMON_LOG_LEVEL="debug")
    ready(process)
    libravdb("remember", "through the daemon", "--id", "b")
    assert [line.split("\t")[1] for line in libravdb("list").splitlines()] == ["b", "a"]
    assert "through the daemon" in libravdb("search", "daemon")
    assert libravdb("status").count("\n") >= 6
    libravdb("export", str(tmp_path / "x.jsonl"))
    libravdb("backup", str(tmp_path / "copy.libravdb"))
    assert "Imported 2 records" in libravdb("import", str(tmp_path / "x.jsonl"))
    assert libravdb("export").count('"kind":"record"') == 2
    assert "Embedded 0 texts" in libravdb("reembed")
    assert libravdb("forget", "a") == "Forgot 1.\n"
    process.send_signal(signal.SIGTERM)
    err = process.communicate(timeout=30)[1]
    methods = {json.loads(line).get("method") for line in err.splitlines()}
    assert {
        "remember",
        "list_records",
        "search",
        "describe",
        "export_file",
        "backup",
        "import_file",
        "forget",
    } <= methods
    assert [line.split("\t")[1] for line in libravdb("list").splitlines()] == ["b"]


def test_errors_of_the_daemon_come_back_as_what_they_were(start: Start) -> None:
    with connect(ready(start())) as client, pytest.raises(InvalidInput, match="record id is required"):
        client.call(INSERT_TEXT, InsertText(collection="c", text="x"))
