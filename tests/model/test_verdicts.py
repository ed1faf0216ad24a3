"""A verdict in words, and what its words tell again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.model import Verdict, admission_in

VERDICT = Verdict(
    score=0.5,
    threshold=0.35,
    novelty=0.5,
    frequency=0.5,
    saturation=0.5,
    repetition=0.5,
    technical=0.5,
    load=0.5,
    specificity=0.5,
    action=0.5,
    detail=0.5,
    conversational=0.5,
    engineering=0.5,
    veto="",
    reasons=(),
)


@given(st.text(min_size=1), st.floats(0, 1))
def test_what_admitted_a_turn_is_told_by_the_words_of_its_verdict(reason: str, score: float) -> None:
    assert admission_in(replace(VERDICT, admission=reason, score=score).words()) == reason


@pytest.mark.parametrize(
    "verdict", [VERDICT, replace(VERDICT, score=0.1), replace(VERDICT, veto="empty", admission="it replaces “x”")]
)
def test_what_a_score_decided_names_no_admission(verdict: Verdict) -> None:
    assert admission_in(verdict.words()) == ""
