"""The daemon watches folders: through a real process, a real socket and a real file system."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.daemon.test_process import connect, failed, ready
from tests.served import Start, environment

from libravdb.client.remote_engine import RemoteEngine
from libravdb.model import Watching
from libravdb.wire.methods.method import NoParams
from libravdb.wire.methods.storage import STATUS

DEADLINE = 60.0


def watching(engine: RemoteEngine) -> Watching:
    state = engine.status().watch
    assert state is not None
    return state


def until(holds: Callable[[], bool]) -> None:
    """Ask the daemon again and again, a little apart, until it is so; fails after a long time."""
    pause, tries = threading.Event(), int(DEADLINE / 0.02)
    assert any(holds() or pause.wait(0.02) for _ in range(tries)), "it never came to be"


def found(engine: RemoteEngine, question: str) -> list[str]:
    return [hit.record.text for hit in engine.search(question, collections=["authored:variant"], k=1).hits]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "boat.md").write_text("Anna keeps a green boat in Trieste.")
    return folder


def test_a_note_that_is_saved_is_found_and_one_that_is_deleted_is_not(start: Start, notes: Path) -> None:
    process = start(LIBRAVDB_WATCH_FOLDERS=str(notes), LIBRAVDB_WATCH_DEBOUNCE_MS="20")
    address = ready(process)
    with RemoteEngine(connect(address)) as engine:
        until(lambda: watching(engine).mode == "notified")
        assert found(engine, "green boat") == ["Anna keeps a green boat in Trieste."]
        (notes / "bread.md").write_text("The rye bread needs nine hours.")
        until(lambda: found(engine, "rye bread") == ["The rye bread needs nine hours."])
        (notes / "bread.md").unlink()
        until(lambda: watching(engine).documents == 1)
        assert found(engine, "rye bread") == ["Anna keeps a green boat in Trieste."]
        state = watching(engine)
        assert (state.folders, state.problems, state.last_change > 0) == ((str(notes),), (), True)
    with connect(address) as client:
        assert client.call(STATUS, NoParams()).watch == state
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 0
    events = [json.loads(line)["event"] for line in err.splitlines()]
    assert events == ["listening", "note ready", "stopped"]


def test_a_refused_document_is_told_in_status_and_logged_once(start: Start, notes: Path) -> None:
    (notes / "AGENTS.md").write_text("- never lie\n" * 200)
    process = start(
        LIBRAVDB_WATCH_FOLDERS=str(notes),
        LIBRAVDB_WATCH_CORE="/AGENTS.md",
        LIBRAVDB_AUTHORED_PROMPT_TOKENS="100",
        LIBRAVDB_WATCH_DEBOUNCE_MS="20",
    )
    with RemoteEngine(connect(ready(process))) as engine:
        until(lambda: watching(engine).mode == "notified")
        (problem,) = watching(engine).problems
        assert problem.startswith(f"{notes / 'AGENTS.md'}: ")
        assert "hard rules take" in problem
        (notes / "other.md").write_text("Something else.")
        until(lambda: watching(engine).documents == 2)
        (notes / "AGENTS.md").write_text("- never lie")
        until(lambda: watching(engine).problems == () and watching(engine).documents == 3)
    process.send_signal(signal.SIGTERM)
    lines = [json.loads(line) for line in process.communicate(timeout=30)[1].splitlines()]
    (refused,) = [line for line in lines if line["event"] == "note refused"]
    assert (refused["level"], refused["path"]) == ("warning", str(notes / "AGENTS.md"))


def test_a_kill_during_the_first_scan_loses_nothing_and_doubles_nothing(start: Start, notes: Path) -> None:
    names = {str(notes / f"{number:03}.md") for number in range(60)} | {str(notes / "boat.md")}
    for name in sorted(names):
        Path(name).write_text(f"# Note {Path(name).stem}\n\nThe number of this note is {Path(name).stem}.")
    settings = {"LIBRAVDB_WATCH_FOLDERS": str(notes), "LIBRAVDB_WATCH_CPU_SHARE": "0.2"}
    first = start(**settings)
    with RemoteEngine(connect(ready(first))) as engine:
        until(lambda: watching(engine).documents >= 3)
        assert watching(engine).mode == "scanning"
        first.kill()
        first.wait()
    second = start(**(settings | {"LIBRAVDB_WATCH_CPU_SHARE": "1"}))
    with RemoteEngine(connect(ready(second))) as engine:
        until(lambda: watching(engine).mode == "notified")
        assert set(engine.documents.list()) == names
        assert {info.name: info.records for info in engine.memories.collections("authored:")} == {
            "authored:variant": 2 * 61
        }
        assert engine.status().store.unembedded == 0


def test_stopping_during_the_first_scan_is_clean_and_quick(start: Start, notes: Path) -> None:
    for number in range(200):
        (notes / f"{number}.md").write_text(f"The number of this note is {number}. " * 20)
    process = start(LIBRAVDB_WATCH_FOLDERS=str(notes))
    with RemoteEngine(connect(ready(process))) as engine:
        until(lambda: watching(engine).documents > 0)
    process.send_signal(signal.SIGTERM)
    err = process.communicate(timeout=10)[1]
    assert process.returncode == 0
    assert [json.loads(line)["event"] for line in err.splitlines()] == ["listening", "stopped"]


def test_a_pattern_that_makes_no_sense_is_told_at_the_start(start: Start, notes: Path) -> None:
    said = failed(start(LIBRAVDB_WATCH_FOLDERS=str(notes), LIBRAVDB_WATCH_EXCLUDE="[z-a]"))
    assert "exclude: '[z-a]' is not a pattern" in said


def test_a_folder_that_is_missing_does_not_keep_the_daemon_from_serving(start: Start, tmp_path: Path) -> None:
    process = start(LIBRAVDB_WATCH_FOLDERS=str(tmp_path / "gone"))
    with RemoteEngine(connect(ready(process))) as engine:
        until(lambda: watching(engine).problem_count == 1)
        assert "is not there" in watching(engine).problems[0]


def test_status_of_the_command_line_tells_what_is_watched(start: Start, notes: Path, tmp_path: Path) -> None:
    process = start(LIBRAVDB_WATCH_FOLDERS=str(notes))
    with RemoteEngine(connect(ready(process))) as engine:
        until(lambda: watching(engine).mode == "notified")
    said = _libravdb(tmp_path, "status")
    assert f"watched\t1 notes in {notes} (notified)" in said
    assert json.loads(_libravdb(tmp_path, "--json", "status"))["watch"]["documents"] == 1


def _libravdb(home: Path, *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "libravdb", *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=environment(home),
    ).stdout
