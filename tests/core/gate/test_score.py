"""The invariants of the gate's number, over any text, any cosines and any valid weights."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.gate.score import (
    gate_tokens,
    judge,
    measure_specificity,
    mix,
    technical_of,
)
from libravdb.core.gate.settings import DEFAULTS, GateSettings
from libravdb.errors import InvalidInput
from libravdb.model import Firing
from libravdb.model.turn_metadata import gate_facts

UNIT = st.floats(0, 1)
COSINES = st.lists(st.floats(-1, 1), max_size=10).map(tuple)
WORDS = (
    "we I my fixed src/a.py def f(x): ``` https://x.org/a panic: x 8f3a91c git push on Monday five kg prefer E1045 ok ?"
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS.split(" ")), max_size=20).map(" ".join))


@st.composite
def weights(draw: st.DrawFn) -> GateSettings:
    def branch() -> tuple[float, float, float]:
        one, two, three = draw(st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(1, 50)))
        whole = one + two + three
        return one / whole, two / whole, three / whole

    (novelty, repetition, load), (specificity, action, detail) = branch(), branch()
    return GateSettings(
        novelty=novelty,
        repetition=repetition,
        load=load,
        specificity=specificity,
        action=action,
        detail=detail,
        threshold=draw(UNIT),
        turn_similarity=draw(UNIT),
        durable_similarity=draw(UNIT),
        turn_count=draw(st.integers(1, 10)),
        durable_count=draw(st.integers(1, 10)),
        technical_norm=draw(st.floats(0.1, 5)),
    )


@given(TEXTS, COSINES, COSINES, weights())
def test_the_invariants_hold(
    text: str, turn_cosines: tuple[float, ...], durable_cosines: tuple[float, ...], chosen: GateSettings
) -> None:
    verdict = judge(text, turn_cosines=turn_cosines, durable_cosines=durable_cosines, weights=chosen)
    parts = [value for value in gate_facts(verdict).values() if isinstance(value, float)]
    assert len(parts) == 10
    assert all(0 <= part <= 1 and math.isfinite(part) for part in parts)
    low, high = sorted((verdict.conversational, verdict.engineering))
    assert low <= verdict.score <= high
    if not durable_cosines:
        assert verdict.novelty == 1
    if verdict.saturation == 1:
        assert verdict.repetition == 0
    if verdict.technical == 0:
        assert verdict.score == verdict.conversational
    if verdict.technical == 1:
        assert verdict.score == verdict.engineering
    assert verdict.is_admitted == (not verdict.veto and verdict.score >= chosen.threshold)
    assert verdict.reasons


@given(TEXTS, COSINES, COSINES)
def test_the_same_input_gives_the_same_verdict(text: str, turns: tuple[float, ...], durable: tuple[float, ...]) -> None:
    first = judge(text, turn_cosines=turns, durable_cosines=durable)
    assert judge(text, turn_cosines=turns, durable_cosines=durable) == first


@given(UNIT, UNIT, UNIT)
def test_the_mixture_lies_between_its_branches(technical: float, conversational: float, engineering: float) -> None:
    mixed = mix(technical, conversational, engineering)
    assert min(conversational, engineering) <= mixed <= max(conversational, engineering)


def test_the_numbers_are_those_of_the_specification() -> None:
    verdict = judge(
        "My daughter Mia starts school in September.",
        turn_cosines=(0.9, 0.81, 0.80, 0.79, 0.1),
        durable_cosines=(0.86, 0.5, 0.1, -0.4, 0.04),
    )
    assert verdict.novelty == pytest.approx(1 - (0.86 + 0.5 + 0.1 + 0.04) / 5)
    assert verdict.frequency == pytest.approx(3 / 5)
    assert verdict.saturation == pytest.approx(1 / 3)
    assert verdict.repetition == pytest.approx(3 / 5 * 2 / 3)
    assert verdict.load == pytest.approx(0.9)
    assert verdict.technical == 0
    assert verdict.score == pytest.approx(0.35 * verdict.novelty + 0.40 * verdict.repetition + 0.25 * 0.9)


def test_technical_density_is_divided_by_one_and_a_half() -> None:
    assert technical_of("see src/app.py") == pytest.approx(0.4 / 1.5)
    assert technical_of("```\ndef f(x):\n```\nin src/app.py, git push") == 1


def test_specificity_counts_each_thing_and_divides_by_length() -> None:
    named = (Firing(signal="file path", weight=0.4, evidence=("a.py", "b.py")),)
    assert measure_specificity(named, "x" * 400) == pytest.approx(0.8)
    assert measure_specificity(named, "x" * 1600) == pytest.approx(0.2)
    assert measure_specificity(named * 5, "x") == 1


@pytest.mark.parametrize(("text", "tokens"), [("", 1), ("abc", 1), ("12345678", 2), ("äöü1", 1), ("你好你好你", 1)])
def test_gate_tokens_are_a_quarter_of_the_code_points(text: str, tokens: int) -> None:
    assert gate_tokens(text) == tokens


def test_what_is_stored_has_exactly_the_named_fields() -> None:
    verdict = judge("I live in Porto.", turn_cosines=(), durable_cosines=())
    names = "score t h r d p a dtech gconv gtech admitted veto verdict".split()
    assert list(gate_facts(verdict)) == [f"gating_{name}" for name in names]
    assert gate_facts(verdict)["gating_verdict"] == "kept: score 0.50 reaches 0.34"


def test_the_reasons_name_what_fired() -> None:
    reasons = judge("My sister lives in Oslo.", turn_cosines=(0.9,), durable_cosines=(0.9,)).reasons
    assert any("reference to a person +0.3 (my, sister)" in reason for reason in reasons)
    assert any("said before" in reason for reason in reasons)
    assert any("known already" in reason for reason in reasons)


def test_repetition_helps_a_fact_that_is_not_yet_known() -> None:
    text = "The nightly job writes to the warehouse."
    durable = (0.5,) * 5
    once = judge(text, turn_cosines=(), durable_cosines=durable)
    often = judge(text, turn_cosines=(0.9,) * 5, durable_cosines=durable)
    assert not once.is_admitted
    assert often.is_admitted
    assert not judge(text, turn_cosines=(0.9,) * 5, durable_cosines=(0.9,) * 5).is_admitted


@pytest.mark.parametrize("text", ["thanks a lot!", "ok", "How are you?", "👍"])
def test_repetition_does_not_promote_small_talk(text: str) -> None:
    verdict = judge(text, turn_cosines=(1.0,) * 10, durable_cosines=())
    assert verdict.score >= verdict.threshold
    assert verdict.veto == "no substance"
    assert not verdict.is_admitted


def test_cosines_that_are_no_numbers_count_as_nothing() -> None:
    verdict = judge("I live in Porto.", turn_cosines=(math.nan,), durable_cosines=(math.nan, math.inf))
    assert verdict.novelty == 1
    assert verdict.frequency == 0


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"novelty": 0.5}, "must sum to 1, not to 1.15"),
        ({"action": 0.0}, "technical branch must sum to 1"),
        ({"novelty": -0.1, "repetition": 0.85}, "must lie between 0 and 1, not at -0.1"),
        ({"threshold": 1.5}, "must lie between 0 and 1"),
        ({"turn_similarity": -0.1}, "must lie between 0 and 1"),
        ({"technical_norm": 0}, "must lie between 0.01 and 100, not at 0"),
        ({"turn_count": 0}, "must lie between 1 and 10000, not at 0"),
        ({"load": math.nan}, "must be a finite number"),
    ],
)
def test_wrong_weights_are_refused_in_words(wrong: dict[str, float], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        GateSettings(**wrong)  # type: ignore[arg-type] # whole numbers among floats


def test_the_default_weights_are_those_of_the_specification() -> None:
    chosen = DEFAULTS
    assert (chosen.novelty, chosen.repetition, chosen.load) == (0.35, 0.40, 0.25)
    assert (chosen.specificity, chosen.action, chosen.detail) == (0.40, 0.35, 0.25)
    assert (chosen.threshold, chosen.turn_similarity, chosen.durable_similarity) == (0.34, 0.80, 0.85)
    assert (chosen.turn_count, chosen.durable_count, chosen.technical_norm) == (5, 3, 1.5)
