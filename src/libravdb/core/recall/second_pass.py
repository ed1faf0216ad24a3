"""The second pass: of the best few, those that hold the question's words and stand well come first."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from libravdb.core.recall.bm25 import Values, coverage
from libravdb.core.recall.candidates import Pool
from libravdb.core.recall.settings import RecallSettings
from libravdb.model import Record


def coarse(pool: Pool, score: Values, settings: RecallSettings, *, least: int, earned: NDArray[np.bool_]) -> list[int]:
    """Rows of the first pass: the best k₁ by score (never fewer than `least`), best first, ties by collection and id.

    A row needs to have `earned` its place by itself: what others lend it may lift it, and not admit it. Beside that it
    needs a cosine of θ₁ or one of the question's words; without vectors words and neighbours are all there is.
    """
    kept = earned
    if pool.is_dense and settings.least_similarity > 0:
        kept = earned & ((pool.cosine >= settings.least_similarity) | (pool.counts.sum(axis=1) > 0))
    order = np.lexsort((np.arange(len(pool)), -score))  # rows of a pool stand by collection and id
    return [int(row) for row in order if kept[row]][: max(settings.coarse, least)]


def second(pool: Pool, rows: list[int], score: Values, settings: RecallSettings) -> tuple[Values, Values, Values]:
    """`ω · score · (1 + κ·M)/(1 + κ)` for these rows, with M and ω: all in [0, 1].

    M is the share of the question's distinct keywords in the text, weighted by rarity. ω = 1 − μ + μ·(f + authority)/2
    with f = ln(1 + accesses)/ln(2 + most accesses): what was used often, or was written with authority, stands better.
    """
    kappa, share = max(settings.keyword_coverage, 0.0), min(max(settings.standing, 0.0), 1.0)
    match = coverage(pool.counts, pool.weights)[rows]
    most = max((pool.sightings[row].record.access_count for row in rows), default=0)
    standing = np.array([_standing(pool.sightings[row].record, most) for row in rows])
    omega = 1 - share + share * standing
    return omega * score[rows] * (1 + kappa * match) / (1 + kappa), match, omega


def _standing(record: Record, most: int) -> float:
    used = math.log1p(record.access_count) / math.log(2 + most)
    authority = record.metadata.get("authority")
    known = float(authority) if isinstance(authority, int | float) and math.isfinite(authority) else 0.0
    return (min(used, 1.0) + min(max(known, 0.0), 1.0)) / 2
