"""Torn characters are mended in one way, wherever text comes in."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.errors import InvalidInput
from libravdb.text.unicode import MOST_MARKS, mend, normalised

TEXTS = st.text(st.characters(), max_size=50)


@given(TEXTS)
def test_whole_text_is_left_alone_and_the_result_can_always_be_stored(text: str) -> None:
    clean = mend(text)
    clean.encode()
    assert "\0" not in clean
    if not any("\ud800" <= char <= "\udfff" or char == "\0" for char in text):
        assert clean == text


def test_halves_of_a_character_are_joined_and_stray_ones_replaced() -> None:
    assert mend("ok \ud83d\ude00 and \ud83d") == "ok 😀 and �"
    assert mend("\ufeff\ud83d") == "\ufeff�"


def test_a_nul_which_no_database_likes_is_replaced_and_costs_nothing_else() -> None:
    assert mend("before\0after") == "before\ufffdafter"
    assert mend("é\0") == "é\ufffd"


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(InvalidInput, match="is int, not text"):
        mend(7)  # type: ignore[arg-type]


LETTERS = ["a", "é", " ", "が", "\u0301", "\u0316", "\u0323", "\u093c", "…", "ﬁ"]
MARKED = st.lists(st.sampled_from(LETTERS), max_size=MOST_MARKS)


@given(MARKED.map("".join), st.sampled_from(["NFC", "NFD", "NFKC"]))
def test_what_people_write_has_the_normal_form_of_unicode(text: str, form: str) -> None:
    assert normalised(text, form) == unicodedata.normalize(form, text)  # type: ignore[arg-type]


@given(st.lists(st.sampled_from("\u0301\u0316\u0323"), min_size=MOST_MARKS + 1, max_size=3 * MOST_MARKS).map("".join))
def test_of_a_heap_of_marks_on_one_letter_only_the_first_are_kept(marks: str) -> None:
    text = f"o{marks} and e{marks}"
    few = f"o{marks[:MOST_MARKS]} and e{marks[:MOST_MARKS]}"
    assert normalised(text, "NFKC") == unicodedata.normalize("NFKC", few)
    assert normalised("…" * 100, "NFC") == "…" * 100
