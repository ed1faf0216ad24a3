"""Every number that recall decides by. `docs/internals/recall.md` tells which defaults were measured, and on what."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """Weights of recall. `…_short` holds for chats of short turns, `…_long` for logs of long ones; in between they are
    blended by the average length of a turn (`lexical.length_share`)."""

    candidates: int = 48
    links: int = 32
    # words against meaning
    dense_weight: float = 0.6
    passage_share_short: float = 0.5
    passage_share_long: float = 1.0
    k1: float = 0.9
    length_norm_short: float = 0.2
    length_norm_long: float = 0.75
    short_terms: int = 40
    long_terms: int = 160
    context_before: float = 0.5
    context_after: float = 0.3
    # cues
    speaker: float = 0.45
    question_short: float = 0.2
    question_long: float = 0.1
    date: float = 0.4
    event_date: float = 0.2
    role: float = 0.25
    time_answer: float = 0.1
    number_answer: float = 0.1
    length_short: float = 0.0
    length_long: float = 0.05
    # what stands beside
    reply: float = 0.2
    next_turn: float = 0.1
    previous_turn: float = 0.05
    session_short: float = 0.5
    session_long: float = 0.2
    session_depth_short: float = 0.0
    session_depth_long: float = 0.1
    # the hybrid law
    relevance: float = 0.97
    recency: float = 0.0
    scope: float = 0.03
    summary_decay: float = 0.5
    recency_session: float = 1e-4
    recency_durable: float = 1e-5
    recency_other: float = 2e-6
    scope_session: float = 1.0
    scope_elevated: float = 0.8
    scope_durable: float = 0.6
    scope_lore: float = 0.5
    scope_summary: float = 0.5
    scope_history: float = 0.4
    scope_global: float = 0.3
    # two passes
    coarse: int = 64
    least_similarity: float = 0.0
    keyword_coverage: float = 0.0
    standing: float = 0.05
    # hops, time, recovery, silence
    hop_share: float = 0.5
    least_hop: float = 0.15
    temporal: float = 0.0
    weak: float = 0.3
    reserve_share: float = 0.1
    reserve_least: int = 16
    reserve_most: int = 128
    silence: float = 0.7

    def scope_weight(self, scope: Scope) -> float:
        """S of the hybrid law: how near a scope is to what is going on."""
        weight: float = getattr(self, f"scope_{scope}")
        return weight
