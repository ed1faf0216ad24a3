"""get, update, versions, sessions, users, and one user out and in, as people type them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import run_command
from tests.served import environment

Run = Callable[..., "tuple[int, str, str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        done = run_command(*arguments, env=environment(tmp_path, LIBRAVDB_EMBEDDING_BACKEND="none"), cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    return run


def test_a_memory_is_shown_updated_and_its_versions_are_told(run: Run) -> None:
    run("remember", "We deploy on Tuesdays", "--id", "deploys", "--meta", "topic=release")
    code, out, _ = run("update", "deploys", "We deploy on Wednesdays", "--meta", "by=ben", "--without", "topic")
    assert (code, "versions deploys" in out) == (0, True)
    told = json.loads(run("--json", "get", "deploys")[1])
    assert (told["text"], told["metadata"]["by"], "topic" in told["metadata"]) == (
        "We deploy on Wednesdays",
        "ben",
        False,
    )
    assert "We deploy on Wednesdays" in run("get", "deploys")[1]
    _, listed, _ = run("versions", "deploys")
    first, second = listed.splitlines()
    assert first.endswith("before\tWe deploy on Tuesdays")
    assert second.endswith("today\tWe deploy on Wednesdays")
    code, _, said = run("update", "deploys")
    assert (code, "Give a text" in said) == (2, True)
    for command in (("get", "nothing"), ("update", "nothing", "x"), ("versions", "nothing")):
        code, _, said = run(*command)
        assert (code, "libravdb list" in said) == (1, True)


def test_when_a_memory_expires_is_set_and_lifted(run: Run) -> None:
    run("remember", "The guest password is on the board", "--id", "guest")
    assert run("update", "guest", "--expires", "30d")[0] == 0
    assert "memory_expires_at" in json.loads(run("--json", "get", "guest")[1])["metadata"]
    assert run("update", "guest", "--expires", "never")[0] == 0
    assert "memory_expires_at" not in json.loads(run("--json", "get", "guest")[1])["metadata"]
    code, _, said = run("update", "guest", "--expires", "soon")
    assert (code, "90d" in said) == (1, True)


def test_a_user_goes_out_and_comes_in_with_his_sessions(run: Run, tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text(json.dumps([{"role": "user", "content": "I keep bees on the roof."}]))
    for user in ("anna", "ben"):
        run("ingest", str(tmp_path / "chat.json"), "--session", f"of {user}", "--user", user)
    assert [line.split("\t")[0] for line in run("users")[1].splitlines()] == ["anna", "ben"]
    before = run("sessions", "--user", "anna")[1]
    assert before.startswith("of anna\t1\t")
    file = tmp_path / "anna.jsonl"
    assert run("export", str(file), "--user", "anna")[0] == 0
    assert "ben" not in file.read_text()
    run("flush", "--user", "anna", "--yes")
    assert run("sessions", "--user", "anna")[1] == ""
    assert run("import", str(file))[0] == 0
    assert run("sessions", "--user", "anna")[1] == before
    assert json.loads(run("--json", "sessions", "--user", "ben")[1])["next"] is None
    assert run("export", str(tmp_path / "x"), "--user", "anna", "--vectors")[0] == 2
