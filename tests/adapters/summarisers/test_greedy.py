"""Greedy decoding over plain functions: what is chosen, when it ends, and how sure it was."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from libravdb.adapters.summarisers.greedy import (
    NextScores,
    NotFinite,
    StopReason,
    confidence,
    log_probability,
    repeating,
    write,
)

EOS = frozenset({1})
SCORES = st.lists(st.floats(-50, 50, width=32), min_size=2, max_size=30)


def following(*tokens: int, size: int = 50) -> NextScores:
    """A model that writes these tokens, whatever came before, and then the last for ever."""
    left = list(tokens)

    def next_scores(_: int) -> NDArray[np.float32]:
        scores = np.zeros(size, dtype=np.float32)
        scores[left.pop(0) if len(left) > 1 else left[0]] = 20
        return scores

    return next_scores


def test_the_likeliest_token_is_written_until_the_model_ends() -> None:
    written = write(following(7, 8, 9, 1), start=0, eos=EOS, limit=50)

    assert written.tokens == (7, 8, 9)
    assert len(written.log_probabilities) == 4
    assert written.end is StopReason.FINISHED


def test_the_model_is_told_its_last_token_and_first_the_start() -> None:
    told: list[int] = []
    model = following(7, 8, 1)

    def next_scores(last: int) -> NDArray[np.float32]:
        told.append(last)
        return model(last)

    write(next_scores, start=0, eos=EOS, limit=50)

    assert told == [0, 7, 8]


def test_the_limit_ends_a_text() -> None:
    written = write(following(*range(2, 40)), start=0, eos=EOS, limit=5)

    assert written.tokens == (2, 3, 4, 5, 6)
    assert written.end is StopReason.LIMIT


def test_a_circle_ends_a_text_after_its_first_round() -> None:
    written = write(following(5, 6, *(7, 8, 9, 10) * 9, 1), start=0, eos=EOS, limit=50)

    assert written.tokens == (5, 6, 7, 8, 9, 10)
    assert len(written.log_probabilities) == 6
    assert written.end is StopReason.CIRCLE


def test_no_run_is_written_twice_when_the_model_asks_for_that() -> None:
    written = write(following(*(7, 8, 9) * 5, 1), start=0, eos=EOS, limit=12, no_repeat=3)

    runs = [written.tokens[place : place + 3] for place in range(len(written.tokens) - 2)]
    assert len(set(runs)) == len(runs)
    assert written.tokens[:5] == (7, 8, 9, 7, 8)
    assert confidence(written.log_probabilities) < 0.1  # a token that the model did not want


def test_of_equal_tokens_the_first_is_taken() -> None:
    written = write(lambda _: np.zeros(9, dtype=np.float32), start=0, eos=frozenset({8}), limit=3)

    assert written.tokens == (0, 0, 0)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_scores_that_are_no_numbers_are_refused(value: float) -> None:
    with pytest.raises(NotFinite):
        write(lambda _: np.full(9, value, dtype=np.float32), start=0, eos=EOS, limit=3)


def test_a_token_that_the_model_rules_out_is_no_harm() -> None:
    scores = np.array([-np.inf, 3, 0], dtype=np.float32)

    assert write(lambda _: scores, start=0, eos=EOS, limit=3).end is StopReason.FINISHED


@given(SCORES)
def test_probabilities_sum_to_one(scores: list[float]) -> None:
    row = np.array(scores, dtype=np.float32)

    assert math.fsum(math.exp(log_probability(row, token)) for token in range(len(row))) == pytest.approx(1)


@given(st.lists(st.floats(-700, 0), min_size=1))
def test_confidence_is_the_geometric_mean_and_stays_in_its_range(steps: list[float]) -> None:
    found = confidence(steps)

    assert 0 <= found <= 1
    assert found == pytest.approx(float(np.exp(np.mean(steps))), abs=1e-12)


def test_confidence_of_dice_is_one_in_the_vocabulary() -> None:
    step = log_probability(np.zeros(50, dtype=np.float32), 3)

    assert confidence([step] * 7) == pytest.approx(1 / 50)
    assert confidence([]) == 0


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 4))
def test_tokens_that_would_repeat_a_run_are_exactly_those(tokens: list[int], length: int) -> None:
    runs = {tuple(tokens[place : place + length]) for place in range(len(tokens) - length + 1)}

    expected = {token for token in range(4) if tuple([*tokens, token][-length:]) in runs and len(tokens) >= length}
    assert set(repeating(tokens, length)) == expected
