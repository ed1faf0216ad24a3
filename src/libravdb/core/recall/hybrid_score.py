"""From relevance to a score: the hybrid law, with scope, age and the quality of summaries."""

from __future__ import annotations

import math

import numpy as np

from libravdb.core.recall.bm25 import Values
from libravdb.core.recall.candidates import Pool
from libravdb.core.recall.question import Question
from libravdb.core.recall.settings import RecallSettings
from libravdb.model import Scope
from libravdb.model.turn_metadata import TurnMetadata


def hybrid(
    pool: Pool, relevance: Values, question: Question, settings: RecallSettings
) -> tuple[Values, dict[str, Values]]:
    """`score = (α·rel + β·R + γ·S)·Q`, in [0, 1], and its parts by name.

    α, β, γ are clamped to be non-negative and renormalised to sum to 1. R = exp(−λ·age in seconds) with λ by scope,
    S the scope's weight, Q = 1 − δ·decay_rate for summaries and 1 for everything else.
    """
    alpha, beta, gamma = law_weights(settings)
    ages = np.maximum(question.now - np.array([one.record.at for one in pool.sightings], dtype=np.float64), 0.0) / 1000
    rate = {scope: max(_rate(scope, settings), 0.0) for scope in Scope}
    rates = np.array([rate[scope] for scope in pool.scopes])
    recency = np.exp(-np.minimum(rates * ages, 700.0))  # what lies in the future counts as now
    near = {scope: min(max(settings.scope_weight(scope), 0.0), 1.0) for scope in Scope}
    nearness = np.array([near[scope] for scope in pool.scopes])
    quality = np.array([quality_of(told, settings.summary_decay) for told in pool.told])
    score = (alpha * relevance + beta * recency + gamma * nearness) * quality
    parts = {"relevance": alpha * relevance, "recency": beta * recency, "scope": gamma * nearness, "quality": quality}
    return np.asarray(np.clip(score, 0.0, 1.0)), parts


def law_weights(settings: RecallSettings) -> tuple[float, float, float]:
    """α, β, γ: clamped, summing to 1; relevance alone when all are zero."""
    weights = [max(0.0, weight) for weight in (settings.relevance, settings.recency, settings.scope)]
    total = sum(weights)
    if total <= 0:
        return 1.0, 0.0, 0.0
    return weights[0] / total, weights[1] / total, weights[2] / total


def quality_of(told: TurnMetadata, decay: float) -> float:
    """`1 − δ·decay_rate` for a summary, 1 for everything that was said."""
    if not told.is_summary:
        return 1.0
    rate = told.facts.get("decay_rate")
    known = float(rate) if isinstance(rate, int | float) and math.isfinite(rate) else 0.0
    return 1.0 - min(max(decay, 0.0), 1.0) * min(max(known, 0.0), 1.0)


def _rate(scope: Scope, settings: RecallSettings) -> float:
    if scope is Scope.SESSION:
        return settings.recency_session
    return settings.recency_durable if scope is Scope.DURABLE else settings.recency_other
