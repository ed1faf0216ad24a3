"""Updates replace, lookalikes stand apart: two halves of labelled pairs, of which one was never looked at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.gate.replacement import same_name, same_subject
from libravdb.core.gate.statement import content_of
from libravdb.core.gate.supersession import is_same, relate
from libravdb.model import Kin

CORPUS = Path(__file__).parent / "corpus"
HALVES = ("dev", "check")
NEAR = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdatePair:
    """An old statement, a newer one, and whether the newer replaces it."""

    is_update: bool
    language: str
    old: str
    new: str


def load(half: str) -> list[UpdatePair]:
    rows = (CORPUS / f"updates-{half}.tsv").read_text(encoding="utf-8").splitlines()
    return [
        UpdatePair(is_update=label == "update", language=language, old=old, new=new)
        for label, language, old, new in (row.split("\t") for row in rows)
    ]


def is_linked(pair: UpdatePair) -> bool:
    return relate(pair.new, pair.old, NEAR).kin is Kin.SUPERSEDES


def test_the_pairs_are_many_and_in_five_languages() -> None:
    pairs = [pair for half in HALVES for pair in load(half)]
    assert sum(pair.is_update for pair in pairs) >= 100
    assert sum(not pair.is_update for pair in pairs) >= 100
    assert {pair.language for pair in pairs} == {"en", "de", "es", "fr", "zh"}


@pytest.mark.parametrize("half", HALVES)
def test_nine_of_ten_updates_are_recognised(half: str) -> None:
    updates = [pair for pair in load(half) if pair.is_update]
    missed = [pair for pair in updates if not is_linked(pair)]
    assert len(missed) <= 0.1 * len(updates), missed


@pytest.mark.parametrize("half", HALVES)
def test_lookalikes_stand_apart(half: str) -> None:
    apart = [pair for pair in load(half) if not pair.is_update]
    wrong = [pair for pair in apart if is_linked(pair)]
    assert len(wrong) <= 0.02 * len(apart), wrong


@pytest.mark.parametrize("half", HALVES)
def test_no_statement_replaces_itself(half: str) -> None:
    for pair in load(half):
        for text in (pair.old, pair.new):
            assert relate(text, text, 1.0).kin is not Kin.SUPERSEDES


@given(st.text(max_size=120), st.floats(0, 1))
def test_no_text_replaces_itself(text: str, cosine: float) -> None:
    assert relate(text, text, cosine).kin is not Kin.SUPERSEDES


@given(st.text(max_size=80), st.text(max_size=80))
def test_being_the_same_goes_both_ways(one: str, other: str) -> None:
    left, right = content_of(one), content_of(other)
    assert is_same(left, right) == is_same(right, left)


_SUBJECTS = st.sampled_from(["", "sister", "sister ana", "ana", "brother", "api", "stage api", "mother rosa"])


@given(_SUBJECTS, _SUBJECTS)
def test_being_of_one_subject_goes_both_ways(one: str, other: str) -> None:
    assert same_subject(one, other) == same_subject(other, one)
    assert same_subject(one, one)
    assert same_name(one, other) == same_name(other, one)


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("sister ana", "ana", True),
        ("sister", "sister ana", True),
        ("sister ana", "sister lea", False),
        ("", "sister", False),
        ("api", "stage api", False),
    ],
)
def test_a_name_decides_who_is_meant(one: str, other: str, *, is_one: bool) -> None:
    assert same_subject(one, other) is is_one


def test_a_long_turn_is_not_outdated_by_one_fact() -> None:
    old = "I live in Cork. I work at Fjord Labs. My aunt is Wilma. I play chess. I am allergic to kiwi."
    assert relate("I live in Galway.", old, NEAR).kin is Kin.DISTINCT
