"""Silence: when nothing that is remembered speaks to a question, nothing is shown.

What counts as nothing depends on the store and the embedder: in a long history something is always a little similar.
So a namespace is asked a few dozen questions that it can hardly answer, about submarines and monasteries; how strong
their best evidence is tells how strong evidence looks when it means nothing. Most of them lie below the floor.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libravdb.core.recall.bm25 import coverage
from libravdb.core.recall.candidates import Pool

PROBES: tuple[str, ...] = (
    "What colour is the submarine in the harbour?",
    "When does the ferry to the island leave?",
    "Who repaired the roof of the monastery?",
    "How many violins are in the quartet's storage room?",
    "Which fertiliser was used on the tomato field?",
    "Where was the passport renewed?",
    "What is the combination of the safe in the attic?",
    "Why was the chess tournament postponed?",
    "How long did the knee surgery take?",
    "What did the judge say about the inheritance?",
    "Which tax form is due in spring?",
    "Who won the regional curling championship?",
    "What was the title of the thesis on glaciers?",
    "How much did the antique clock cost?",
    "Where are the keys of the sailing boat?",
    "When was the telescope delivered?",
    "What is the name of the neighbour's parrot?",
    "Which vaccine is needed for the trip to the tropics?",
    "How often does the boiler have to be serviced?",
    "What did the plumber find behind the wall?",
    "Who painted the portrait in the hallway?",
    "When did the volcano erupt?",
    "Which battery does the hearing aid use?",
    "What is the recipe for the rye bread?",
    "Where did the choir perform at Christmas?",
    "How old is the tractor?",
    "What grade did the chemistry exam get?",
    "Which lawyer drew up the contract?",
    "When does the gym membership expire?",
    "What is the password of the guest network?",
    "How far is the lighthouse from the village?",
    "Who was invited to the christening?",
)

LEAST_TEXTS = 20
"""A memory smaller than this is shown whole sooner than it is judged."""


def evidence(pool: Pool) -> float:
    """How strongly the candidates speak to the question, on a scale that does not depend on their number.

    `(2·cosine + coverage)/3`, at least 0: the cosine of the closest passage, and the largest share of the question's
    words, weighted by rarity, that stands in one turn. These may be two turns: in a chat the one that answers often
    stands beside the one that has the words. Without vectors, coverage alone.
    """
    if len(pool) == 0:
        return 0.0
    words = float(coverage(pool.counts, pool.weights).max())
    strength = (2 * float(pool.cosine.max()) + words) / 3 if pool.is_dense else words
    return max(strength, 0.0)


def floor(strengths: Sequence[float], share: float) -> float:
    """The evidence that `share` of the probes do not reach; nothing is silenced without probes."""
    if not strengths:
        return 0.0
    return float(np.quantile(np.array(strengths), min(max(share, 0.0), 1.0)))
