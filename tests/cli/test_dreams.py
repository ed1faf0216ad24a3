"""`libravdb dream-promote`: a diary is read, weighed and promoted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.test_guidance import run
from tests.support import open_words_engine

from libravdb.model.collections import dream_entries
from libravdb.testing import WordsEmbedder

ROUTER = "The old router stands in the cellar"
DIARY = f"## Deep Sleep\n- {ROUTER} {{score=0.9 recall=3 unique=2}}\n- weak {{score=0.1 recall=1}}\n"


def test_a_diary_is_weighed_and_what_deserves_it_is_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store, diary = tmp_path / "m.libravdb", tmp_path / "DREAMS.md"
    with open_words_engine(store, WordsEmbedder()):
        diary.write_text(DIARY, encoding="utf-8")
    code, out, _ = run(capsys, store, "--json", "dream-promote", str(diary), "--agent", "ops", "--dry-run")
    told = json.loads(out)
    assert (code, told["promoted"], told["rejected"], told["is_dry"]) == (0, 1, 1, True)
    code, out, _ = run(capsys, store, "dream-promote", str(diary), "--agent", "ops")
    assert code == 0
    assert ROUTER in out
    with open_words_engine(store, WordsEmbedder()) as engine:
        (kept,) = engine.memories.latest(dream_entries("agent-id:ops"), limit=5)
        assert kept.text == ROUTER


def test_a_diary_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with open_words_engine(tmp_path / "m.libravdb", WordsEmbedder()):
        pass
    code, _, err = run(capsys, tmp_path / "m.libravdb", "dream-promote", str(tmp_path / "none.md"))
    assert code != 0
    assert "none.md" in err
