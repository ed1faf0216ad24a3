"""What is measured of one question's ranking; every measure is a share, so that means are percentages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

BUDGETS = (512, 1_024, 2_048)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One turn of a ranking: its id, its session, what it costs."""

    turn: str
    session: str
    tokens: int


def measure(ranking: Sequence[Ranked], evidence: frozenset[str], sessions: frozenset[str]) -> dict[str, float]:
    """Turn measures when there are evidence turns, session measures when there are evidence sessions."""
    found: dict[str, float] = {}
    if evidence:
        found |= _turn_measures([one.turn for one in ranking], evidence)
        found |= {f"in {budget}": _within(ranking, evidence, budget) for budget in BUDGETS}
    if sessions:
        found |= _session_measures(list(dict.fromkeys(one.session for one in ranking)), sessions)
    return found


def _turn_measures(turns: Sequence[str], evidence: frozenset[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for k in (1, 5, 10):
        held = sum(turn in evidence for turn in turns[:k])
        found[f"any@{k}"], found[f"frac@{k}"] = float(held > 0), held / len(evidence)
    gain = sum(1 / math.log2(place + 2) for place, turn in enumerate(turns[:10]) if turn in evidence)
    best = sum(1 / math.log2(place + 2) for place in range(min(10, len(evidence))))
    return {**found, "ndcg@10": gain / best}


def _within(ranking: Sequence[Ranked], evidence: frozenset[str], budget: int) -> float:
    """Pack in rank order, skipping what does not fit; the share of evidence turns inside."""
    left, held = budget, 0
    for one in ranking:
        if one.tokens <= left:
            left -= one.tokens
            held += one.turn in evidence
    return held / len(evidence)


def _session_measures(ranked: Sequence[str], sessions: frozenset[str]) -> dict[str, float]:
    found = {f"session any@{k}": float(bool(sessions & set(ranked[:k]))) for k in (1, 5, 10, 50)}
    found["session all@5"] = float(sessions <= set(ranked[:5]))
    found["session frac@5"] = len(sessions & set(ranked[:5])) / len(sessions)
    return found
