"""Words: BM25 with the rarity of the namespace, over turns that lend one another their words."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from libravdb.model import Vocabulary

Values = NDArray[np.float64]


def length_share(average: float, *, short: float, long: float) -> float:
    """Where a collection stands between chats of short turns (0) and logs of long ones (1), by the average number of
    terms: `ln(average/short) / ln(long/short)`, held in [0, 1]."""
    if average <= 0 or short <= 0 or long <= short:
        return 0.0
    return min(max(math.log(average / short) / math.log(long / short), 0.0), 1.0)


def blend(short: float, long: float, share: Values) -> Values:
    """The values between that of short turns and that of long ones."""
    return np.asarray(short + (long - short) * share)


def rarity(vocabulary: Vocabulary) -> Values:
    """For each word `ln(1 + (N − n + ½)/(n + ½))`, N texts of which n hold it; never negative."""
    held = np.minimum(np.array(vocabulary.holders, dtype=np.float64), vocabulary.texts)
    return np.asarray(np.log1p((vocabulary.texts - held + 0.5) / (held + 0.5)))


def bm25(
    counts: Values, lengths: Values, *, weights: Values, average: Values | float, k1: float, b: Values | float
) -> Values:
    """`Σ rarity · tf·(k₁+1) / (tf + k₁·(1 − b + b·length/average))` for each row of `counts`, each with its own rarity,
    average and b."""
    if counts.size == 0:
        return np.zeros(counts.shape[0])
    norm = k1 * (1 - b + b * lengths / np.maximum(average, 1.0))
    return np.asarray((weights * counts * (k1 + 1) / (counts + np.maximum(norm, 1e-9)[:, np.newaxis])).sum(axis=1))


def coverage(counts: Values, weights: Values) -> Values:
    """The share of the question's words, weighted by rarity, that each row holds."""
    if counts.size == 0:
        return np.zeros(counts.shape[0])
    return np.asarray(((counts > 0) * weights).sum(axis=1) / np.maximum(weights.sum(axis=-1), 1e-12))
