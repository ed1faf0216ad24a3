"""What the labels say about the score: P(useful | G) by isotonic regression, a threshold, and distributions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from libravdb.errors import InvalidInput
from libravdb.model import Bin, Calibration, CalibrationStep, Distribution, GateReport, Metadata
from libravdb.model.turn_metadata import (
    GATE_ADMITTED,
    GATE_CONVERSATIONAL,
    GATE_ENGINEERING,
    GATE_SCORE,
    GATE_TECHNICAL,
    GATE_VETO,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One judged turn that somebody called useful or not."""

    score: float
    is_useful: bool


def fit(labels: Sequence[Label]) -> tuple[CalibrationStep, ...]:
    """Isotonic regression by pooling adjacent violators: the rising steps closest to the labels in squares.

    Labels of one score are one point. Where a later point is less useful than an earlier one, both become one step with
    their mean.
    """
    points: dict[float, list[bool]] = {}
    for label in sorted(labels, key=lambda label: _known(label.score)):
        points.setdefault(label.score, []).append(label.is_useful)
    pooled: list[tuple[float, int, int]] = []  # first score, useful, all
    for score, useful in points.items():
        pooled.append((score, sum(useful), len(useful)))
        while len(pooled) > 1 and pooled[-2][1] * pooled[-1][2] >= pooled[-1][1] * pooled[-2][2]:
            _, more_useful, more = pooled.pop()
            first, some_useful, some = pooled.pop()
            pooled.append((first, some_useful + more_useful, some + more))
    return tuple(CalibrationStep(score=score, chance=useful / count, labels=count) for score, useful, count in pooled)


def calibrate(labels: Sequence[Label], *, least_chance: float = 0.5, least_labels: int = 20) -> Calibration:
    """P(useful | G) and the threshold it suggests: the lowest score from which at least `least_chance` was useful.

    With equal costs of keeping a useless turn and losing a useful one, one half is the right chance. Too few labels, or
    labels of one kind only, suggest nothing, and the note says so.
    """
    steps = fit(labels)
    if len(labels) < least_labels:
        return Calibration(
            steps=steps, threshold=None, note=f"{len(labels)} labels; {least_labels} are needed for a suggestion"
        )
    useful = sum(label.is_useful for label in labels)
    if useful in (0, len(labels)):
        kind = "useful" if useful else "useless"
        return Calibration(
            steps=steps, threshold=None, note=f"all {len(labels)} labels are {kind}; both kinds are needed"
        )
    found = next((step.score for step in steps if step.chance >= least_chance), None)
    if found is None:
        note = f"no score was useful in {least_chance:.0%} of the cases; the scalar does not separate these labels"
        return Calibration(steps=steps, threshold=None, note=note)
    if len(steps) == 1:
        return Calibration(
            steps=steps, threshold=None, note="useful and useless turns score alike; no threshold separates them"
        )
    note = f"from {found:.2f} on at least {least_chance:.0%} of {len(labels)} labelled turns were useful"
    return Calibration(steps=steps, threshold=found, note=note)


def histogram(values: Sequence[float], bins: int = 10, *, low: float = 0.0, high: float = 1.0) -> tuple[Bin, ...]:
    """Equal bins over [low, high]; values outside count in the nearest, values that are no number are left out."""
    if bins < 1:
        raise InvalidInput("bins", f"must be at least 1, not {bins}")
    if not low < high:
        raise InvalidInput("low, high", f"must rise, not {low} and {high}")
    counts = [0] * bins
    for value in values:
        if not math.isnan(value):
            place = (min(max(value, low), high) - low) / (high - low) * bins
            counts[min(int(place), bins - 1)] += 1
    edges = [low + (high - low) * place / bins for place in range(bins + 1)]
    return tuple(Bin(low=edges[i], high=edges[i + 1], count=counts[i]) for i in range(bins))


def report(judged: Sequence[Metadata], *, bins: int = 10) -> GateReport:
    """Sum up what was stored with judged turns: shares, vetoes (most frequent first), distributions of G, T and both
    branches. Records that were never judged are left out."""
    stored = [each for each in judged if GATE_ADMITTED in each]
    vetoes = Counter(str(each[GATE_VETO]) for each in stored if each.get(GATE_VETO))
    admitted = sum(each[GATE_ADMITTED] is True for each in stored)
    return GateReport(
        judged=len(stored),
        admitted=admitted,
        vetoes=tuple(sorted(vetoes.items(), key=lambda item: (-item[1], item[0]))),
        below_threshold=len(stored) - admitted - vetoes.total(),
        distributions=tuple(distribution(name, _values(stored, key), bins=bins) for name, key in MEASURES),
    )


MEASURES = (
    ("G", GATE_SCORE),
    ("T", GATE_TECHNICAL),
    ("Gconv", GATE_CONVERSATIONAL),
    ("Gtech", GATE_ENGINEERING),
)


def _values(stored: Sequence[Metadata], key: str) -> list[float]:
    return [float(value) for each in stored if isinstance(value := each.get(key), int | float)]


def distribution(name: str, values: Sequence[float], *, bins: int = 10) -> Distribution:
    """The mean and the histogram of one measure; the mean of nothing is 0."""
    return Distribution(name=name, mean=sum(values) / len(values) if values else 0.0, bins=histogram(values, bins))


def _known(score: float) -> float:
    if not math.isfinite(score):
        raise InvalidInput("score", f"must be a finite number, not {score}")
    return score
