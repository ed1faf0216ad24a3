"""How the gate decided so far, and what answers on its memories say about its threshold."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationStep:
    """From this score on, this share of turns was useful; `labels` of them support it."""

    score: float
    chance: float
    labels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """P(useful | G) as rising steps. `threshold` is None when the labels cannot suggest one; `note` says why or how."""

    steps: tuple[CalibrationStep, ...]
    threshold: float | None
    note: str

    def chance(self, score: float) -> float | None:
        """P(useful | G = score); below the first label its chance, without labels None."""
        if not self.steps:
            return None
        place = bisect_right([step.score for step in self.steps], score) - 1
        return self.steps[max(place, 0)].chance


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """How many values lie in [low, high); the last bin holds its upper end too."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """A measure over many verdicts."""

    name: str
    mean: float
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateReport:
    """What the gate has done: how much it kept, why it refused, and how its measures spread."""

    judged: int
    admitted: int
    vetoes: tuple[tuple[str, int], ...]
    below_threshold: int
    distributions: tuple[Distribution, ...]

    @property
    def admitted_share(self) -> float:
        """The share of judged turns that were kept; 0 when none was judged."""
        return self.admitted / self.judged if self.judged else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GateAccount:
    """How the gate decided so far in a namespace, and what `labels` answers, `useful` of them yes, say about it."""

    namespace: str
    threshold: float
    report: GateReport
    labels: int
    useful: int
    calibration: Calibration
