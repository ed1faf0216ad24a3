"""`libravdb authored watch` as a person meets it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.served import environment

Result = subprocess.CompletedProcess[str]
Run = Callable[..., Result]
WATCH = [sys.executable, "-m", "libravdb", "authored", "watch"]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / ".obsidian").mkdir(parents=True)
    (folder / ".obsidian" / "plugin.md").write_text("not a note")
    (folder / "boat.md").write_text("Anna keeps a green boat in Trieste.")
    (folder / "AGENTS.md").write_text("- never lie")
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(*arguments: str, **settings: str) -> Result:
        return subprocess.run(
            [sys.executable, "-m", "libravdb", *arguments],
            capture_output=True,
            text=True,
            check=False,
            env=_environment(tmp_path) | settings,
        )

    return run


def _environment(home: Path) -> dict[str, str]:
    return environment(home, NO_COLOR="1", COLUMNS="100", LIBRAVDB_EMBEDDING_BACKEND="none")  # no model to load


def test_once_brings_memory_in_step_and_says_what_it_did(run: Run, notes: Path) -> None:
    first = run("authored", "watch", str(notes), "--once")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.splitlines() == [
        f"added {notes / 'AGENTS.md'}",
        f"added {notes / 'boat.md'}",
        "2 added; 2 notes in memory.",
    ]
    assert run("authored", "watch", str(notes), "--once").stdout == "Nothing changed; 2 notes in memory.\n"
    (notes / "boat.md").rename(notes / "ship.md")
    (notes / "AGENTS.md").write_bytes(b"\xff")
    again = run("authored", "watch", str(notes), "--once")
    assert again.stdout.splitlines() == [
        f"renamed {notes / 'ship.md'} (was {notes / 'boat.md'})",
        f"refused {notes / 'AGENTS.md'}: is not UTF-8 (line 1); save it as UTF-8",
        "1 renamed, 1 refused; 2 notes in memory.",
    ]
    assert "green boat" in run("search", "boat", "--collection", "authored:variant").stdout


def test_rules_bind_only_where_the_user_says_so(run: Run, notes: Path) -> None:
    def kinds() -> dict[str, str]:
        lines = run("authored", "list").stdout.splitlines()
        return {Path(line.split("\t")[0]).name: line.split("\t")[1] for line in lines}

    run("authored", "watch", str(notes), "--once")
    assert kinds() == {"AGENTS.md": "note", "boat.md": "note"}
    done = run("authored", "watch", str(notes), "--once", "--core", "/AGENTS.md")
    assert done.stdout.splitlines()[0] == f"changed {notes / 'AGENTS.md'}"
    assert kinds() == {"AGENTS.md": "core", "boat.md": "note"}


def test_patterns_choose_and_what_is_left_out_is_withdrawn(run: Run, notes: Path) -> None:
    (notes / "list.txt").write_text("flour, rye")
    run("authored", "watch", str(notes), "--once")
    done = run("--json", "authored", "watch", str(notes), "--once", "--include", "*.txt", "--include", "boat.md")
    news = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["did"], Path(each["path"]).name) for each in news[:-1]] == [
        ("removed", "AGENTS.md"),
        ("added", "list.txt"),
    ]
    assert news[-1] == {"counts": {"added": 1, "removed": 1}, "unchanged": 1, "documents": 2}
    done = run("authored", "watch", str(notes), "--once", "--exclude", "boat.md")
    gone = [line for line in done.stdout.splitlines() if line.startswith("removed")]
    assert gone == [f"removed {notes / 'boat.md'}", f"removed {notes / 'list.txt'}"]


def test_without_a_folder_the_configured_ones_are_taken_and_one_is_needed(run: Run, notes: Path) -> None:
    done = run("authored", "watch", "--once", LIBRAVDB_WATCH_FOLDERS=str(notes))
    assert done.stdout.endswith("2 notes in memory.\n")
    nothing = run("authored", "watch", "--once")
    assert nothing.returncode == 2
    assert "watch.folders" in nothing.stderr
    assert run("authored", "watch", str(notes / "gone")).returncode == 2
    wrong = run("authored", "watch", str(notes), "--include", "[z-a]")
    assert (wrong.returncode, "include: '[z-a]'" in wrong.stderr) == (1, True)


def test_a_missing_configured_folder_is_a_failure_for_cron(run: Run, tmp_path: Path) -> None:
    done = run("authored", "watch", "--once", LIBRAVDB_WATCH_FOLDERS=str(tmp_path / "gone"))
    assert done.returncode == 1
    assert "is not there" in done.stderr


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_it_follows_until_it_is_told_to_stop_and_sums_up(tmp_path: Path, notes: Path, name: signal.Signals) -> None:
    process = subprocess.Popen(
        [*WATCH, str(notes), "--debounce", "20"],
        env=_environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    guard = threading.Timer(60, process.kill)  # a failing test must not wait for ever
    guard.start()
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == f"Watching {notes}. Ctrl-C ends it.\n"
        (notes / "bread.md").write_text("Rye bread needs nine hours.")
        assert process.stdout.readline() == f"added {notes / 'bread.md'}\n"
        (notes / "bread.md").replace(notes / "rye.md")
        assert process.stdout.readline() == f"renamed {notes / 'rye.md'} (was {notes / 'bread.md'})\n"
        process.send_signal(name)
        out, err = process.communicate()
    finally:
        guard.cancel()
    assert (process.returncode, out, err) == (0, "3 added, 1 renamed; 3 notes in memory.\n", "")


def test_without_the_extra_the_remedy_is_named(tmp_path: Path, notes: Path) -> None:
    arguments = [*WATCH[3:], str(notes)]
    code = f"import sys; sys.modules['watchfiles'] = None; from libravdb.cli import main; main({arguments})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=_environment(tmp_path)
    )
    assert done.returncode == 1
    assert "pip install 'libravdb-memory[watch]'" in done.stderr
    assert "Traceback" not in done.stderr
