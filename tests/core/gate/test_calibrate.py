"""Calibration: isotonic, honest about too little, and plain counts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.gate.calibrate import Label, calibrate, fit, histogram, report
from libravdb.core.gate.score import judge
from libravdb.errors import InvalidInput
from libravdb.model import Json
from libravdb.model.turn_metadata import gate_facts

LABELS = st.lists(st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.booleans()), max_size=40).map(
    lambda rows: [Label(score=score, is_useful=useful) for score, useful in rows]
)


@given(LABELS)
def test_the_chance_rises_and_keeps_the_mean(labels: list[Label]) -> None:
    steps = fit(labels)
    chances = [step.chance for step in steps]
    assert chances == sorted(chances)
    assert [step.score for step in steps] == sorted(step.score for step in steps)
    assert sum(step.labels for step in steps) == len(labels)
    useful = sum(label.is_useful for label in labels)
    assert math.isclose(sum(step.chance * step.labels for step in steps), useful, abs_tol=1e-9)


@given(LABELS, st.permutations(range(40)))
def test_the_order_of_labels_does_not_show(labels: list[Label], order: list[int]) -> None:
    shuffled = [labels[place] for place in order if place < len(labels)]
    assert fit(shuffled) == fit(labels)


@given(LABELS, st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_no_other_rising_steps_are_closer(labels: list[Label], shifts: list[float]) -> None:
    """Moving the fitted chances towards any rising sequence does not lower the squared error."""
    steps = fit(labels)
    rising = sorted(shifts)
    fitted = {label.score: _chance(steps, label.score) for label in labels}
    error = sum((fitted[label.score] - label.is_useful) ** 2 for label in labels)
    scores = sorted(fitted)
    for weight in (0.01, 0.1):
        moved = {
            score: (1 - weight) * fitted[score] + weight * rising[place * len(rising) // len(scores)]
            for place, score in enumerate(scores)
        }
        assert sum((moved[label.score] - label.is_useful) ** 2 for label in labels) >= error - 1e-9


def _chance(steps: tuple[object, ...], score: float) -> float:
    held = [step for step in steps if step.score <= score]  # type: ignore[attr-defined] # steps of a fit
    return float(held[-1].chance)  # type: ignore[attr-defined] # steps of a fit


def test_a_clear_cut_suggests_its_score() -> None:
    labels = [Label(score=place / 40, is_useful=place >= 20) for place in range(40)]
    found = calibrate(labels)
    assert found.threshold == 0.5
    assert found.chance(0.1) == 0
    assert found.chance(0.9) == 1
    assert "at least 50%" in found.note


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([], "0 labels"),
        ([Label(score=0.5, is_useful=True)], "1 labels"),
        ([Label(score=0.5, is_useful=True)] * 30, "all 30 labels are useful"),
        ([Label(score=0.5, is_useful=False)] * 30, "all 30 labels are useless"),
        ([Label(score=0.5, is_useful=n % 2 == 0) for n in range(30)], "score alike"),
        ([Label(score=n / 30, is_useful=n < 3) for n in range(30)], "does not separate"),
    ],
)
def test_labels_that_tell_nothing_suggest_nothing(labels: list[Label], said: str) -> None:
    found = calibrate(labels)
    assert found.threshold is None
    assert said in found.note


def test_without_labels_no_chance_is_known() -> None:
    assert calibrate([]).chance(0.5) is None


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(InvalidInput, match="finite"):
        fit([Label(score=math.nan, is_useful=True)])


@given(st.lists(st.floats(-1, 2), max_size=50), st.integers(1, 20))
def test_a_histogram_counts_every_value_once(values: list[float], bins: int) -> None:
    made = histogram(values, bins)
    assert len(made) == bins
    assert sum(each.count for each in made) == len(values)
    assert made[0].low == 0
    assert made[-1].high == 1


def test_the_upper_end_falls_into_the_last_bin() -> None:
    assert [each.count for each in histogram([0.0, 0.5, 1.0, math.nan], 2)] == [1, 2]


@pytest.mark.parametrize(("bins", "low", "high"), [(0, 0.0, 1.0), (3, 1.0, 1.0)])
def test_impossible_bins_are_refused(bins: int, low: float, high: float) -> None:
    with pytest.raises(InvalidInput):
        histogram([0.5], bins, low=low, high=high)


def test_a_report_sums_up_what_was_stored() -> None:
    said = ("The courtyard is quiet in the evening.", "thanks", "The nightly job writes to the warehouse.")
    stored: list[dict[str, Json]] = [
        gate_facts(judge(text, turn_cosines=(), durable_cosines=(0.6,) * 5)) for text in said
    ]
    summed = report([*stored, {"other": 1}])
    assert (summed.judged, summed.admitted, summed.below_threshold) == (3, 0, 2)
    assert summed.vetoes == (("no substance", 1),)
    assert [each.name for each in summed.distributions] == ["G", "T", "Gconv", "Gtech"]
    assert sum(each.count for each in summed.distributions[0].bins) == 3


def test_an_empty_report_has_no_share() -> None:
    assert report([]).admitted_share == 0


@pytest.mark.parametrize(
    ("text", "durable", "is_admitted", "veto"),
    [
        ("The courtyard is quiet in the evening.", (), True, ""),
        ("ok", (), False, "no substance"),
        ("The courtyard is quiet in the evening.", (0.9,), False, ""),
    ],
)
def test_a_verdict_is_stored_with_what_became_of_the_turn(
    text: str, durable: tuple[float, ...], *, is_admitted: bool, veto: str
) -> None:
    told = gate_facts(judge(text, turn_cosines=(), durable_cosines=durable))
    assert (told["gating_admitted"], told["gating_veto"]) == (is_admitted, veto)
    summed = report([told])
    assert (summed.admitted, summed.vetoes) == (int(is_admitted), ((veto, 1),) if veto else ())
