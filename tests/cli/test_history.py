"""What replaced what, as the commands show it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.test_commands import Run, run

__all__ = ["run"]

TOWNS = ("Cork", "Galway", "Sligo")


@pytest.fixture
def moved(run: Run, tmp_path: Path) -> list[str]:
    """The ids of three homes, each of which replaced the one before."""
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps([{"role": "user", "content": f"I live in {town}."} for town in TOWNS]))
    assert run("ingest", str(talk), "--session", "s", "--user", "anna").returncode == 0
    listed = {one["text"]: one for one in json.loads(run("--json", "list", "--user", "anna").stdout)}
    return [listed[f"I live in {town}."]["id"] for town in TOWNS]


def test_list_shows_what_holds_first_and_marks_the_rest(run: Run, moved: list[str]) -> None:
    rows = [line.split("\t") for line in run("list", "--user", "anna").stdout.splitlines()]
    assert rows[0][2] == "I live in Sligo."
    assert all(row[2].startswith("(outdated since ") for row in rows[1:])
    assert moved[2] in rows[1][2]
    current = run("list", "--user", "anna", "--current").stdout.splitlines()
    assert len(current) == 1


def test_history_shows_the_chain_from_old_to_new(run: Run, moved: list[str]) -> None:
    for command in (["list"], ["search", "Where do I live?"]):
        rows = [line.split("\t") for line in run(*command, "--user", "anna", "--history").stdout.splitlines()]
        assert [row[1] for row in rows] == moved
        assert rows[-1][2] == "holds"
        assert rows[-1][3] == "→ I live in Sligo."


def test_search_marks_what_is_outdated_in_words_and_in_json(run: Run, moved: list[str]) -> None:
    found = json.loads(run("--json", "search", "Where do I live?", "--user", "anna", "--history").stdout)
    assert found["hits"][0]["id"] == moved[2]
    old = next(hit for hit in found["hits"] if hit["id"] == moved[0])
    assert old["is_outdated"]
    assert old["superseded_by"] == moved[1]
    assert old["reasons"][0].endswith("replaced by “I live in Sligo.”")
    assert [one["id"] for one in found["history"][0]] == moved


def test_restore_takes_back_one_link(run: Run, moved: list[str]) -> None:
    assert run("gate", "restore", moved[1], "--user", "anna").returncode == 0
    listed = {one["id"]: one for one in json.loads(run("--json", "list", "--user", "anna").stdout)}
    assert [listed[id]["is_outdated"] for id in moved] == [True, False, False]


def test_gate_explain_tells_what_an_update_replaces(run: Run, moved: list[str]) -> None:
    told = json.loads(run("--json", "gate", "explain", "I live in Ennis.", "--user", "anna").stdout)
    assert told["is_admitted"]
    assert told["admission"] == "it replaces “I live in Sligo.”"
    assert told["outdated"] == [moved[2]]
    assert told["attributes"][0]["kind"] == "home"
    words = run("gate", "explain", "I live in Ennis.", "--user", "anna").stdout
    assert "It states home: Ennis" in words
