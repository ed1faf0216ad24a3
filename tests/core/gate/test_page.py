"""The gate's page says what the code does."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from libravdb.core.gate.detectors import ACTION, DETAIL, PLAIN, PRECISE, TECHNICAL
from libravdb.core.gate.languages import LANGUAGES, GateVocabulary
from libravdb.core.gate.vetoes import VETOES, Circumstances

PAGE = (Path(__file__).parents[3] / "docs" / "internals" / "gate.md").read_text(encoding="utf-8")
FAMILIES = {"T": TECHNICAL, "Dnl": PLAIN, "P": PRECISE, "A": ACTION, "Dtech": DETAIL}


def test_the_table_of_detectors_is_that_of_the_code() -> None:
    shown = re.findall(r"^\| (T|Dnl|P|A|Dtech) \| ([^|]+) \| (\d\.\d) \|$", PAGE, re.MULTILINE)
    held = [(name, signal.name, f"{signal.weight:.1f}") for name, family in FAMILIES.items() for signal in family]
    assert shown == held


def test_every_veto_is_on_the_page() -> None:
    shown = re.findall(r"^\| `([a-z ]+)` \|", PAGE, re.MULTILINE)
    assert shown == ["echo", "secret only", "boot text", "tool noise", "restated rule", "no substance"]
    assert len(shown) == len(VETOES)
    assert Circumstances().rules == ()


def test_every_language_is_on_the_page() -> None:
    assert [words.name for words in LANGUAGES if words.name.title() not in PAGE] == []


@pytest.mark.parametrize("words", LANGUAGES, ids=lambda words: words.name)
def test_every_language_has_every_kind_of_words(words: GateVocabulary) -> None:
    kinds = [each.name for each in fields(words) if str(each.type).startswith("tuple")]
    assert len(kinds) >= 16
    assert [kind for kind in kinds if not getattr(words, kind) and kind != "speaker"] == []
    assert all(words.pattern(kind).search("") is None for kind in kinds)
