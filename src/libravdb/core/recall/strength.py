"""How strong is this evidence? A number that means the same for every question, whatever else was found.

The order of hits is relative: it is scaled over the candidates, and the best of a bad lot comes first too. Strength is
absolute. It looks only at what a hit shows by itself (its meaning, its words, those of the turns beside it), at how
large the memory is (in a large one something is always a little similar), and tells the chance that such a hit answers
such a question: of hits with strength .4, four in ten did, on conversations that people had labelled.

`python -m bench.recall.strength` fits the weights and the steps again and shows how well they hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from libravdb.core.recall.bm25 import Values, coverage
from libravdb.core.recall.candidates import Pool, beside


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceWeights:
    """What each sign adds to the log-odds that a hit answers; `size` is per doubling of the memory's texts."""

    cosine: float
    words: float
    words_beside: float
    passing: float
    asking: float
    date: float
    size: float
    constant: float


DENSE = EvidenceWeights(
    cosine=5.59, words=1.35, words_beside=0.96, passing=-0.96, asking=-1.62, date=1.26, size=-0.358, constant=-2.22
)
"""With vectors."""
LEXICAL = EvidenceWeights(
    cosine=0.0, words=3.0, words_beside=1.2, passing=-1.0, asking=-1.5, date=1.3, size=-0.25, constant=-2.2
)
"""Without vectors words alone speak."""

STEPS: tuple[tuple[float, float], ...] = (
    (-6.0, 0.0),
    (-4.0, 0.01),
    (-3.0, 0.04),
    (-2.0, 0.12),
    (-1.0, 0.3),
    (0.0, 0.5),
    (1.0, 0.7),
    (3.0, 0.95),
)
"""Log-odds and the share of hits that answered, by isotonic regression; between two steps in a straight line."""


TYPICAL_CHANCE = 0.11
"""The mean cosine between two texts of one memory where the weights were fitted."""


def measure_strength(
    pool: Pool, *, asking: Values, date: Values, passing: Values, dated: Values, chance: float | None = None
) -> Values:
    """The strength of every row, in [0, 1].

    `chance` is how similar two texts of this memory are by chance: what is closer than that counts, on a scale that
    ends at the same text. It makes the weights hold for memories and embedders that call everything similar.
    `asking` is the share of a turn that asks, `date` how close its time is to the one asked about, `passing` 1 for a
    turn that states nothing. `dated` is 1 for each word of the question that belongs to a date: those are no topic.
    """
    if len(pool) == 0:
        return np.zeros(0)
    weights = DENSE if pool.is_dense else LEXICAL
    topic = pool.weights * (1 - dated)
    words = coverage(pool.counts, topic)
    near = coverage(pool.counts + beside(pool.counts, pool.before) + beside(pool.counts, pool.after), topic)
    odds = (
        weights.constant
        + weights.cosine * _above_chance(pool.cosine, chance)
        + weights.words * words
        + weights.words_beside * near
        + weights.passing * passing
        + weights.asking * asking
        + weights.date * date
        + weights.size * np.log2(np.maximum(pool.texts, 2.0))
    )
    return calibrated(odds)


def _above_chance(cosine: Values, chance: float | None) -> Values:
    if chance is None:
        return cosine
    return np.asarray(TYPICAL_CHANCE + (cosine - chance) * (1 - TYPICAL_CHANCE) / max(1 - chance, 0.05))


def calibrated(odds: Values) -> Values:
    """Log-odds as the share of such hits that answered."""
    steps = np.array(STEPS)
    return np.asarray(np.clip(np.interp(odds, steps[:, 0], steps[:, 1]), 0.0, 1.0))
