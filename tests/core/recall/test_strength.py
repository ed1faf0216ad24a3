"""Strength: absolute, bounded, and moved by a hit's own meaning and words alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.recall.test_rank import SCOPES, ranked, sighting, surveyed

from libravdb.core.recall.question import read_question
from libravdb.core.recall.rank import rank
from libravdb.core.recall.settings import RecallSettings
from libravdb.core.recall.strength import STEPS, calibrated
from libravdb.model import CandidateSet

COSINES = st.floats(-1, 1)


def strength(survey: CandidateSet, id: str, *, chance: float | None = None) -> float:
    question = read_question("where is it", now=0)
    ranking = rank(survey, question, scopes=SCOPES, settings=RecallSettings(), k=10, chance=chance)
    row = next(row for row, one in enumerate(ranking.pool.sightings) if one.record.id == id)
    return float(ranking.strength[row])


@given(COSINES, st.lists(COSINES, max_size=8))
def test_rivals_do_not_change_it(cosine: float, rivals: list[float]) -> None:
    alone = surveyed(sighting("a", cosine=cosine))
    among = surveyed(sighting("a", cosine=cosine), *(sighting(f"r{n}", cosine=c) for n, c in enumerate(rivals)))
    assert strength(among, "a") == pytest.approx(strength(alone, "a"))


@given(COSINES, COSINES, st.floats(0, 0.9))
def test_closer_is_never_weaker(one: float, other: float, chance: float) -> None:
    low, high = sorted((one, other))
    weak, strong = (strength(surveyed(sighting("a", cosine=c)), "a", chance=chance) for c in (low, high))
    assert 0 <= weak <= strong <= 1


def test_more_of_the_words_are_never_weaker_and_a_larger_memory_asks_for_more() -> None:
    none, one, both = (strength(surveyed(sighting("a", counts=counts)), "a") for counts in ((0, 0), (1, 0), (2, 1)))
    assert none < one < both
    small = surveyed(sighting("a"))
    large = surveyed(sighting("a"), texts=100_000)
    assert strength(large, "a") < strength(small, "a")


def test_what_lies_above_chance_counts() -> None:
    survey = surveyed(sighting("a", cosine=0.8))
    assert strength(survey, "a", chance=0.78) < strength(survey, "a", chance=0.1)


def test_the_steps_rise_and_end_within_bounds() -> None:
    odds = np.linspace(-20, 20, 400)
    values = calibrated(odds)
    assert (np.diff(values) >= 0).all()
    assert values.min() >= 0
    assert values.max() <= 1
    assert [step for step, _ in STEPS] == sorted(step for step, _ in STEPS)


def test_neighbours_and_session_lift_and_never_admit() -> None:
    """A turn beside the best hit that has neither its meaning nor its words is not offered."""
    far = sighting("far", cosine=-0.4, before="near", sessionId="s")
    near = sighting("near", cosine=0.8, counts=(2, 1), after="far", sessionId="s")
    assert [hit.record.id for hit in ranked(surveyed(near, far, texts=5_000))] == ["near"]


def test_a_passing_turn_is_offered_only_as_the_answer_to_what_was_asked() -> None:
    asked = sighting("asked", "Shall we take the ferry?", cosine=0.6, counts=(1, 1), after="yes")
    yes = sighting("yes", cosine=0.1, is_passing=True, before="asked")
    thanks = sighting("thanks", cosine=0.6, counts=(1, 1), is_passing=True)
    assert {hit.record.id for hit in ranked(surveyed(asked, yes, thanks))} == {"asked", "yes"}


def test_every_hit_tells_its_strength() -> None:
    assert all("strength" in hit.breakdown for hit in ranked(surveyed(sighting("a"), sighting("b"))))
