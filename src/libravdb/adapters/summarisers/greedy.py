"""Greedy decoding: the likeliest token each time, until the model ends, the room ends, or it goes in circles. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.summarisers.draft_checks import circle_start

NextScores = Callable[[int], NDArray[np.float32]]
"""Told the last token, gives the scores (logits) of the next over the vocabulary."""


class StopReason(StrEnum):
    """Why a text ended."""

    FINISHED = "finished"
    LIMIT = "limit"
    CIRCLE = "circle"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedText:
    """The tokens without start and end, the log-probability of every step (the end's included), and why it ended."""

    tokens: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    end: StopReason


class NotFinite(Exception):
    """The model gives scores that are no numbers."""


def write(next_scores: NextScores, *, start: int, eos: frozenset[int], limit: int, no_repeat: int = 0) -> DecodedText:
    """Up to `limit` tokens. With `no_repeat` n no run of n tokens is written twice, as some models ask for; the
    probability of a token is still the one that the model gave it among all."""
    tokens: list[int] = []
    steps: list[float] = []
    last = start
    while len(tokens) < limit:
        scores = next_scores(last)
        last = _best(scores, repeating(tokens, no_repeat))
        steps.append(log_probability(scores, last))
        if last in eos:
            return DecodedText(tokens=tuple(tokens), log_probabilities=tuple(steps), end=StopReason.FINISHED)
        tokens.append(last)
        again = circle_start(tokens)
        if again is not None:
            return DecodedText(
                tokens=tuple(tokens[:again]), log_probabilities=tuple(steps[:again]), end=StopReason.CIRCLE
            )
    return DecodedText(tokens=tuple(tokens), log_probabilities=tuple(steps), end=StopReason.LIMIT)


def _best(scores: NDArray[np.float32], banned: Sequence[int]) -> int:
    if not np.isfinite(scores.max()):  # minus infinity is fine for some: no such token, says the model
        raise NotFinite
    if banned:
        scores = scores.copy()
        scores[list(banned)] = -np.inf
    return int(scores.argmax())  # of equal ones the first: the same model writes the same text


def repeating(tokens: Sequence[int], length: int) -> list[int]:
    """The tokens that would complete a run of `length` which stands in `tokens` already."""
    if length < 1 or len(tokens) < length:
        return []
    tail = tuple(tokens[len(tokens) - length + 1 :])
    runs = (tokens[place : place + length] for place in range(len(tokens) - length + 1))
    return [run[-1] for run in runs if tuple(run[:-1]) == tail]


def log_probability(scores: NDArray[np.float32], token: int) -> float:
    """`log softmax(scores)[token] = scores[token] − max − log Σ exp(scores − max)`, at most 0."""
    wide = scores.astype(np.float64)
    highest = wide.max()
    return min(0.0, float(wide[token] - highest - np.log(np.exp(wide - highest).sum())))


def confidence(log_probabilities: Sequence[float]) -> float:
    """`exp(1/n · Σ log p_t)` in [0, 1]: the geometric mean of the probabilities of the n steps.

    1 when the model saw no alternative at any step; 1/V when it rolled dice over a vocabulary of V. The geometric
    mean, because one step that the model hardly believed spoils a sentence however sure the others were.
    """
    if not log_probabilities:
        return 0.0
    return math.exp(math.fsum(log_probabilities) / len(log_probabilities))
