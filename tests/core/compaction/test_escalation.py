"""The ladder: every climb ends, smaller or declined with the reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.compaction.escalation import (
    MOST_TOKENS,
    SHARES,
    Ask,
    Climb,
    Declined,
    Folded,
    Rung,
    begin,
    failed,
    next_step,
    room,
    tried,
)
from libravdb.core.compaction.extractive import extract, split_units
from libravdb.core.compaction.quality import Quality
from libravdb.model import Draft, SummaryTask
from libravdb.text.tokens import prompt_tokens

GOOD = Quality(align=0.9, cover=0.6, confidence=0.75)
TEXTS = st.lists(
    st.text(max_size=80) | st.sampled_from(["We paid $1,200 on 7 May 2023. " * 8, "See src/app.py."]), max_size=8
)


def climb_with(texts: list[str]) -> Folded | Declined:
    """Fold by extraction alone, as the engine does without a model."""
    climb = begin(texts)
    while isinstance(step := next_step(climb), Ask):
        task = SummaryTask(texts=tuple(texts), roles=("user",) * len(texts), max_tokens=step.text_tokens)
        climb = tried(climb, step, extract(task, split_units(task), facts=climb.facts))
    return step


def end(climb: Climb) -> Folded | Declined:
    step = next_step(climb)
    assert not isinstance(step, Ask)
    return step


def ask(climb: Climb) -> Ask:
    step = next_step(climb)
    assert isinstance(step, Ask)
    return step


@given(TEXTS)
def test_extraction_gets_a_cluster_strictly_smaller_or_declines_with_a_reason(texts: list[str]) -> None:
    result = climb_with(texts)
    before = sum(prompt_tokens(text) for text in texts)
    if isinstance(result, Declined):
        assert result.reasons
    else:
        assert prompt_tokens(result.text) == result.tokens < result.source_tokens == before
        assert result.tokens <= room(before, result.rung)
        assert result.text.strip()


@given(TEXTS, st.lists(st.text(max_size=200), min_size=1, max_size=9), st.booleans(), st.floats())
def test_whatever_a_summariser_writes_the_climb_ends_smaller_or_declined(
    texts: list[str],
    written: list[str],
    is_abstractive: bool,  # noqa: FBT001 - drawn by hypothesis
    align: float,
) -> None:
    climb = begin(texts, is_abstractive=is_abstractive)
    for turn in range(20):
        step = next_step(climb)
        if not isinstance(step, Ask):
            break
        method = "onnx" if step.is_abstractive else "extractive"
        draft = Draft(text=written[turn % len(written)], method=method, confidence=0.5)
        climb = tried(climb, step, draft, replace(GOOD, align=align))
    result = end(climb)
    assert result.reasons
    if isinstance(result, Folded):
        assert result.tokens < result.source_tokens
        assert result.method == "extractive" or align >= 0.65


def test_the_rungs_come_in_order_and_then_the_cluster_is_left_alone() -> None:
    climb = begin(["word " * 100] * 4)
    rungs = []
    while isinstance(step := next_step(climb), Ask):
        rungs.append(step.rung)
        climb = failed(climb, step, "nothing came")
    assert rungs == [Rung.NORMAL, Rung.AGGRESSIVE, Rung.DETERMINISTIC]
    assert step == Declined(reasons=tuple(f"{rung}: nothing came" for rung in Rung))


def test_a_model_that_is_about_something_else_gives_way_to_extraction_on_the_same_rung() -> None:
    climb = begin(["word " * 100] * 4, is_abstractive=True)
    first = ask(climb)
    assert first.is_abstractive
    climb = tried(climb, first, Draft(text="cats", method="onnx"), replace(GOOD, align=0.64))
    second = ask(climb)
    assert (second.rung, second.is_abstractive) == (Rung.NORMAL, False)
    assert climb.reasons == ("normal: onnx is about something else (align 0.64, needed 0.65)",)


def test_a_model_that_cannot_be_measured_is_not_believed() -> None:
    climb = begin(["word " * 100] * 4, is_abstractive=True)
    climb = tried(climb, ask(climb), Draft(text="words", method="onnx"))
    assert climb.reasons == ("normal: onnx cannot be measured: there are no vectors",)


def test_a_model_that_is_accepted_says_what_it_missed_in_the_ledger() -> None:
    climb = begin(
        ["They paid $1,200 for src/app.py, and then talked for a long while about it. " * 4], is_abstractive=True
    )
    result = end(tried(climb, ask(climb), Draft(text="They paid for it.", method="onnx", confidence=0.4), GOOD))
    assert isinstance(result, Folded)
    assert result.text == "They paid for it.\nFacts: They paid $1,200 for src/app.py"
    assert (result.method, result.model_confidence, result.survival.rate) == ("onnx", 0.4, 1.0)


def test_an_extract_leaves_room_for_the_facts_it_misses() -> None:
    filler = "We talked about the weather for quite a while, and about nothing else at all, as people do in autumn."
    texts = [f"{filler} Then it cost {place}7 EUR, which is a lot. {filler}" for place in range(20)]
    result = climb_with(texts)
    assert isinstance(result, Folded)
    assert result.tokens <= SHARES[Rung.NORMAL] * result.source_tokens
    assert result.survival.rate == 1


def test_no_summary_is_longer_than_the_most() -> None:
    assert room(10**6, Rung.NORMAL) == MOST_TOKENS


@pytest.mark.parametrize("texts", [[], [""], ["a"], ["ok", "ok"]])
def test_what_is_too_short_is_left_alone(texts: list[str]) -> None:
    result = climb_with(texts)
    assert isinstance(result, Declined)
    assert "leave no room" in result.reasons[-1]
