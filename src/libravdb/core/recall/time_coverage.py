"""Questions about time: two complementary turns answer "how long between" better than two similar ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from libravdb.core.recall.bm25 import Values
from libravdb.core.recall.candidates import Pool
from libravdb.text.dates import count_dates

_DENSE_DATES = 2  # expressions of time in a text from which on it counts as full of them
_READ_CHARS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """A row in the order of selection, with the score it was selected by and what it added."""

    row: int
    score: float
    dates: float
    coverage: float


def select(pool: Pool, rows: list[int], score: Values, *, share: float, first: int) -> list[Selected]:
    """Greedy: each step takes the row with the most `(1−ξ)·S + ξ·(.6·S + .2·A + .2·ΔΦ)`.

    A is the density of date expressions, ΔΦ the share of the question's words (its event slots, weighted by rarity)
    that no row taken so far holds and this one does. ξ = 0 leaves the order as it is. Only the `first` rows are
    reordered; scores never exceed the one before, so that the order stays readable.
    """
    head, tail = rows[:first], rows[first:]
    dated = {row: _dates(pool, row) for row in head} if share > 0 else {}
    uncovered = pool.weights.max(axis=0) if len(pool) else np.zeros(pool.counts.shape[1])
    total = float(uncovered.sum()) or 1.0
    left = list(head)
    taken: list[Selected] = []
    ceiling = 1.0
    while left:
        if share <= 0:
            row, value, brought = left[0], float(score[left[0]]), 0.0
        else:
            brings = {row: float(uncovered[pool.counts[row] > 0].sum()) / total for row in left}
            value, row = max(
                ((_blended(float(score[row]), dated[row], brings[row], share), row) for row in left),
                key=lambda pair: (pair[0], -head.index(pair[1])),
            )
            brought = brings[row]
            uncovered[pool.counts[row] > 0] = 0.0
        ceiling = min(ceiling, value)
        taken.append(Selected(row=row, score=ceiling, dates=dated.get(row, 0.0), coverage=brought))
        left.remove(row)
    for row in tail:
        ceiling = min(ceiling, float(score[row]))
        taken.append(Selected(row=row, score=ceiling, dates=0.0, coverage=0.0))
    return taken


def _blended(score: float, dates: float, coverage: float, share: float) -> float:
    return (1 - share) * score + share * (0.6 * score + 0.2 * dates + 0.2 * coverage)


def _dates(pool: Pool, row: int) -> float:
    return min(count_dates(pool.sightings[row].record.text[:_READ_CHARS]) / _DENSE_DATES, 1.0)
