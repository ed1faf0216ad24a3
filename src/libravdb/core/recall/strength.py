"""How strong is this evidence? A number that means the same for every question, whatever else was found.

The order of hits is relative: it is scaled over the candidates, and the best of a bad lot comes first too. Strength is
absolute. It looks only at what a hit shows by itself (its meaning, its words, those of the turns beside it), at how
large the memory is (in a large one something is always a little similar), and tells the chance that such a hit answers
such a question: of hits with strength .4, four in ten did, on conversations that people had labelled.

`python -m bench.recall.strength` fits the weights and the steps again and shows how well they hold.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libravdb.core.recall.bm25 import Values, coverage
from libravdb.core.recall.candidates import Pool, beside
from libravdb.core.recall.cues import date_closeness, missing_kinds
from libravdb.core.recall.question import Question

SIGNS = ("cosine", "words", "words_beside", "passing", "asking", "date", "missing", "size")
"""What is looked at: the closest passage, the share of the question's words in the turn and in the turns beside it, a
turn that states nothing, its share of questions, the time asked about, a time or number that is asked for and not
there, and how often the memory has doubled."""

DENSE = (6.21, 1.71, 0.16, -1.97, -0.17, 0.79, -0.23, -0.30)
DENSE_CONSTANT = -2.70
"""What each sign adds to the log-odds that a hit answers, with vectors."""

LEXICAL = (0.0, 3.67, 0.0, -2.09, -1.07, 1.28, -0.8, -0.3)
LEXICAL_CONSTANT = -1.14
"""The same without vectors."""

STEPS: tuple[tuple[float, float], ...] = (
    (-5.0, 0.0),
    (-4.35, 0.008),
    (-3.87, 0.013),
    (-3.42, 0.023),
    (-3.1, 0.033),
    (-2.79, 0.066),
    (-2.31, 0.089),
    (-2.02, 0.144),
    (-1.72, 0.187),
    (-1.27, 0.28),
    (-0.52, 0.37),
    (-0.2, 0.423),
    (0.54, 0.537),
    (1.09, 0.727),
    (1.29, 0.813),
    (3.0, 0.95),
)
"""Log-odds and the share of hits that answered, by isotonic regression; between two steps in a straight line."""

_LARGEST = 1_024  # texts; beyond the memories that were measured nothing is guessed
TYPICAL_CHANCE, ORDINARY_CHANCE, EXTRAORDINARY_CHANCE = 0.11, 0.3, 0.6
"""The mean cosine between two texts of one memory: where the weights were fitted; up to which cosines are taken as they
are; and from which on they are wholly measured by it."""


def measure_strength(pool: Pool, question: Question, dated: Values, *, chance: float | None = None) -> Values:
    """The strength of every row, in [0, 1].

    `dated` is 1 for each word of the question that belongs to a date: those are no topic. `chance` is how similar two
    texts of this memory are by chance: what is closer than that counts, on a scale that ends at the same text. It makes
    the weights hold for memories and embedders that call everything similar.
    """
    weights, constant = (DENSE, DENSE_CONSTANT) if pool.is_dense else (LEXICAL, LEXICAL_CONSTANT)
    signs = signs_of(pool, question, dated, chance=chance)
    return calibrated(constant + signs @ np.array(weights))


def signs_of(pool: Pool, question: Question, dated: Values, *, chance: float | None) -> Values:
    """The signs of every row, in the order of `SIGNS`."""
    topic = pool.weights * (1 - dated)
    near = pool.counts + beside(pool.counts, pool.before) + beside(pool.counts, pool.after)
    return np.stack(
        [
            _above_chance(pool.cosine, chance) if pool.is_dense else np.zeros(len(pool)),
            coverage(pool.counts, topic),
            coverage(near, topic),
            pool.passing,
            pool.asks,
            date_closeness(pool, question),
            missing_kinds(pool, question),
            np.log2(np.clip(pool.texts, 2.0, _LARGEST)),
        ],
        axis=1,
    )


def _above_chance(cosine: Values, chance: float | None) -> Values:
    """Cosines as an ordinary embedder would give them: where everything is similar, only what is more so counts."""
    if chance is None or chance <= ORDINARY_CHANCE:
        return cosine
    share = min((chance - ORDINARY_CHANCE) / (EXTRAORDINARY_CHANCE - ORDINARY_CHANCE), 1.0)
    scaled = TYPICAL_CHANCE + (cosine - chance) * (1 - TYPICAL_CHANCE) / max(1 - chance, 0.005)
    return np.asarray((1 - share) * cosine + share * scaled)


def calibrated(odds: Values, steps: Sequence[tuple[float, float]] = STEPS) -> Values:
    """Log-odds as the share of such hits that answered."""
    table = np.array(steps)
    return np.asarray(np.clip(np.interp(odds, table[:, 0], table[:, 1]), 0.0, 1.0))
