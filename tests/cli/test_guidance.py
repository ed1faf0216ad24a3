"""Standing wishes at the command line: listed with topic and date, removed by number or id."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support import open_words_engine

from libravdb.cli.app import main
from libravdb.testing import WordsEmbedder

GERMAN, ENGLISH = "From now on answer in German.", "Please answer in English again from now on."


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "m.libravdb"
    with open_words_engine(path, WordsEmbedder()) as engine:
        for n, text in enumerate((GERMAN, "No emojis please.", ENGLISH)):
            message = {"role": "user", "content": text, "id": f"u{n}", "timestamp": 1_700_000_000_000 + 60_000 * n}
            engine.conversations.ingest(message, session="monday", namespace="default")
    return path


def run(capsys: pytest.CaptureFixture[str], store: Path, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(["--store", str(store), *arguments])
    told = capsys.readouterr()
    return int(str(left.value.code)), told.out, told.err


def test_wishes_are_listed_the_newest_first_and_outdated_ones_on_request(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    code, out, _ = run(capsys, store, "guidance", "list")
    assert code == 0
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[:3] for row in rows] == [["1", ENGLISH, "language"], ["2", "No emojis please.", "emoji"]]
    assert rows[0][4] == "monday"
    _, every, _ = run(capsys, store, "guidance", "list", "--all")
    assert GERMAN in every
    assert "replaced by guidance:monday:u2" in every


def test_a_wish_is_removed_by_its_number_or_its_id(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    assert run(capsys, store, "guidance", "remove", "2")[0] == 0
    _, out, _ = run(capsys, store, "--json", "guidance", "list")
    (left,) = json.loads(out)
    assert left["text"] == ENGLISH
    assert run(capsys, store, "guidance", "remove", left["id"])[0] == 0
    code, _, err = run(capsys, store, "guidance", "remove", "1")
    assert code == 1
    assert "guidance list" in err


def test_gate_explain_tells_of_a_standing_wish(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    _, out, _ = run(capsys, store, "gate", "explain", "Nice day. Please always answer in German.")
    assert "A standing wish (general): Please always answer in German." in out
