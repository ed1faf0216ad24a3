"""A statement as short as it can stand by itself, in the words that were said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.profile.clauses import LONGEST, clause_of
from libravdb.model import AttributeKind, StatedAttribute
from libravdb.text.tokens import prompt_tokens


def told(value: str, sentence: str, *, subject: str = "") -> StatedAttribute:
    return StatedAttribute(subject=subject, kind=AttributeKind.HOME, name="", value=value, sentence=sentence)


def test_a_short_sentence_that_says_nothing_else_stays_whole() -> None:
    assert clause_of(told("walnuts", "I'm allergic to walnuts, but only raw ones.")) == (
        "I'm allergic to walnuts, but only raw ones."
    )


@pytest.mark.parametrize(
    ("sentence", "value", "subject", "clause"),
    [
        ("My name is Tom and I live in Graz.", "Graz", "", "I live in Graz."),
        ("My name is Tom and I live in Graz.", "Tom", "", "My name is Tom"),
        ("Hi, I'm Tom, I work as a nurse, nice to meet you", "nurse", "", "I work as a nurse"),
        ("I'm allergic to walnuts and shellfish.", "shellfish", "", "I'm allergic to walnuts and shellfish."),
        ("I'm allergic to walnuts and shellfish.", "walnuts", "", "I'm allergic to walnuts"),
        ("My sister Ana, a doctor, is in Porto.", "Porto", "sister", "My sister Ana, a doctor, is in Porto."),
        ("Ich heiße Uwe und ich wohne in Köln, aber nicht gern.", "Köln", "", "ich wohne in Köln"),
        ("Je m'appelle Luc et j'habite à Lyon.", "Lyon", "", "j'habite à Lyon."),
        ("Me llamo Ana y mi perro se llama Toby.", "Toby", "perro", "mi perro se llama Toby."),
        ("我叫李雷，我住在北京，喜欢喝茶。", "北京", "", "我住在北京"),
        ("I pay 1,020 in rent and I like it.", "1,020", "", "I pay 1,020 in rent"),
    ],
)  # fmt: skip
def test_of_several_things_each_has_the_clause_that_tells_whom_it_is_about(
    sentence: str, value: str, subject: str, clause: str
) -> None:
    assert clause_of(told(value, sentence, subject=subject), is_alone=False) == clause


def test_a_sentence_without_end_is_shown_around_what_it_tells() -> None:
    long = f"I {'really ' * 80}live in Graz {'and so on ' * 80}."
    line = clause_of(told("Graz", long))
    assert "live in Graz" in line
    assert line.startswith("…")
    assert prompt_tokens(line) <= LONGEST + 2


@given(sentence=st.text(max_size=300), value=st.text(max_size=300), is_alone=st.booleans())
def test_a_line_is_words_of_its_sentence_and_never_long(sentence: str, value: str, *, is_alone: bool) -> None:
    line = clause_of(told(value, f"{sentence} {value} {sentence}"), is_alone=is_alone)
    words = " ".join(f"{sentence} {value} {sentence}".split())
    assert line.strip("…").strip() in words
    assert len(line) <= 400
