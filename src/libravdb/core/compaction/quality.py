"""How well a summary stands for its sources, measured where they are searched: in the space of their vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from libravdb.core.compaction.settings import DEFAULTS
from libravdb.model import Source

if TYPE_CHECKING:
    from libravdb.model import Vector

MIN_ALIGN = 0.65
"""An abstractive draft below this is about something else."""

MODEL_SHARE = 0.2
"""How much a model's own confidence counts beside what was measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """`align` is the cosine with the middle of the sources, `cover` the mean with each of them; both in [−1, 1] and
    [0, 1]. `confidence` is in [0, 1]."""

    align: float
    cover: float
    confidence: float

    @property
    def decay_rate(self) -> float:
        """`1 − confidence`: how much a summary yields to raw turns when both are found."""
        return 1 - self.confidence


UNKNOWN = Quality(align=0.0, cover=0.0, confidence=0.0)
"""What is said where nothing can be measured."""


def measure(summary: Vector | None, sources: Sequence[Vector]) -> Quality:
    """`align = cos(v_s, mean v_i)`, `cover = mean max(0, cos(v_s, v_i))`, `confidence = clamp((align + cover)/2)`.

    A vector that is missing, zero or not finite has no direction: its cosine is 0.
    """
    if summary is None or not sources:
        return UNKNOWN
    rows = [_unit(source) for source in sources]
    mine = _unit(summary)
    align = _cosine(mine, _unit(np.mean(rows, axis=0)))
    cover = float(np.mean([max(0.0, _cosine(mine, row)) for row in rows]))
    return Quality(align=align, cover=cover, confidence=_clamp((align + cover) / 2))


def is_about(quality: Quality, least: float = MIN_ALIGN) -> bool:
    """True when an abstractive draft may be accepted: align ≥ .65, or ≥ that of the extract in whose place it stands,
    since no text is close to the mean of a talk about many things."""
    return quality.align >= min(least, MIN_ALIGN)


def trust(quality: Quality, model_confidence: float | None) -> Quality:
    """An accepted abstractive draft: `.8·confidence + .2·model_confidence`; a model without one leaves it as it is."""
    if model_confidence is None or not math.isfinite(model_confidence):
        return quality
    blended = (1 - MODEL_SHARE) * quality.confidence + MODEL_SHARE * _clamp(model_confidence)
    return Quality(align=quality.align, cover=quality.cover, confidence=_clamp(blended))


def mean_gate(sources: Sequence[Source]) -> float | None:
    """The mean gate score of those sources that were judged; None when none was. Answers are not judged, and must not
    count against their questions."""
    known = [source.gate for source in sources if source.gate is not None and math.isfinite(source.gate)]
    return sum(known) / len(known) if known else None


def is_worth_abstracting(sources: Sequence[Source], *, least: float = DEFAULTS.model_gate) -> bool:
    """True when the mean gate score of a cluster reaches `least`; at 0 every cluster does, judged or not."""
    mean = mean_gate(sources)
    return least <= 0 or (mean is not None and mean >= least)


def _unit(vector: Vector) -> Vector:
    row = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(row)) if np.isfinite(row).all() else 0.0
    return np.asarray(row / length if length > 0 and math.isfinite(length) else np.zeros_like(row), dtype=np.float32)


def _cosine(one: Vector, other: Vector) -> float:
    return min(1.0, max(-1.0, float(one @ other)))


def _clamp(value: float) -> float:
    return min(1.0, max(0.0, value))
