"""BM25 over arrays: how much each of a question's terms tells about the texts that hold it.

The score of a text is Σ idf · gain over the terms it holds. `adapters/memory` reckons the same text by text.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]

_K1, _B, _LEAST_IDF = 1.2, 0.75, 1e-6


def idf(holders: int, texts: int) -> float:
    """How much a term tells that stands in so many of these texts."""
    return max(log((max(texts - holders, 0) + 0.5) / (holders + 0.5)), _LEAST_IDF)


def gains(counts: NDArray[np.generic], lengths: NDArray[np.generic], average: float) -> Scores:
    """BM25's share of each count: more occurrences gain ever less, in a long text less than in a short one."""
    slack = _K1 * (1 - _B + _B * lengths.astype(np.float64) / (average or 1.0))
    found = counts.astype(np.float64)
    return np.asarray(found * (_K1 + 1) / (found + slack))
