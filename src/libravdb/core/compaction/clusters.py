"""Which turns are folded together: contiguous runs of about twenty, cut where a bundle ends, and near the ideal place
where the vectors show that the talk turns to something else.

Summaries are folded too, but only with their like: a summary of turns waits until there are as many of them as turns in
a cluster, or until they are too dear to stand side by side, and so on for each level. Otherwise the oldest text would
be summarised anew, and blurred, by every compaction. A session of n turns is then seen as a few summaries of each of
log(n) levels.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from libravdb.core.compaction.settings import DEFAULTS
from libravdb.model import Source
from libravdb.text.tokens import prompt_tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONGEST_BUNDLE = 4
"""A bundle of more than this many times `target` turns may be cut: an agent that works on one question for a thousand
steps must not end up as one summary."""

MOST_WAITING = 4_000
"""Summaries of a level that together take this many tokens are folded although they are few: no prompt has room for
more of them."""

MOST_TOGETHER = 2_400
"""Tokens of summaries that are folded into one: twice the most that it may take."""

LOOK_AROUND = 4
"""Turns before and behind a place that are compared to see whether the subject changes there."""

SINGLE = "a single turn: a summary of it would save nothing"
WAITING = "too few summaries of this level to be folded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """The sources from place `start` to before `end`, to be folded into one summary of `level`.

    `declined` says why they are not folded; empty means that they are. `reasons` tell how the edges came about.
    """

    start: int
    end: int
    level: int = 1
    declined: str = ""
    reasons: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many sources it holds."""
        return self.end - self.start


def plan(
    sources: Sequence[Source],
    *,
    edges: Collection[int],
    target: int = DEFAULTS.target_turns,
    shifts: Mapping[int, float] = MappingProxyType({}),
) -> tuple[Cluster, ...]:
    """Clusters over everything older than the tail, in order of time; each source stands in exactly one.

    `edges` are the places where a bundle begins, `shifts` those where the subject changes, and how much. A turn that
    was left behind between summaries counts with the summaries around it.
    """
    seams = {*edges, *(seam for place, each in enumerate(sources) if each.is_summary for seam in (place, place + 1))}
    planned: list[Cluster] = []
    for start, end, level in _runs(sources):
        if level and end - start < target and _price(sources[start:end]) < MOST_WAITING:
            planned.append(Cluster(start=start, end=end, level=level + 1, declined=WAITING))
            continue
        inside = {edge - start for edge in seams if start < edge < end}
        turning = {place - start: shift for place, shift in shifts.items() if start < place < end}
        size = _fitting(sources[start:end], target) if level else target
        found = cluster(end - start, edges=inside, target=size, shifts=turning)
        planned.extend(_placed(each, start, sources) for each in found)
    return tuple(planned)


def _fitting(summaries: Sequence[Source], target: int) -> int:
    """How many summaries are folded together: as many as turns would be, or fewer that are not too dear together."""
    parts = max(1, -(-_price(summaries) // MOST_TOGETHER))
    return max(2, min(target, -(-len(summaries) // parts)))


def topic_shifts(vectors: Sequence[NDArray[np.float32] | None]) -> dict[int, float]:
    """The places before which the subject changes, and how much: `1 − cos` of the mean of the turns before and of those
    behind, where that is more than a standard deviation above what is usual here. Empty where too little is known."""
    known = [(place, vector) for place, vector in enumerate(vectors) if vector is not None]
    if len(known) < 2 * LOOK_AROUND:
        return {}
    rows = np.nan_to_num(np.stack([vector for _, vector in known]).astype(np.float64))
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0)])
    middle = np.arange(LOOK_AROUND, len(known) - LOOK_AROUND + 1)
    before = sums[middle] - sums[middle - LOOK_AROUND]
    behind = sums[middle + LOOK_AROUND] - sums[middle]
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(behind, axis=1)
    shifts = 1 - np.sum(before * behind, axis=1) / np.where(lengths > 0, lengths, 1)
    usual = float(shifts.mean() + shifts.std())
    return {known[at][0]: float(shift) for at, shift in zip(middle[:-1], shifts[:-1], strict=True) if shift > usual}


def _price(sources: Sequence[Source]) -> int:
    return sum(prompt_tokens(source.text) for source in sources)


def cluster(
    count: int,
    *,
    edges: Collection[int],
    target: int = DEFAULTS.target_turns,
    shifts: Mapping[int, float] = MappingProxyType({}),
) -> tuple[Cluster, ...]:
    """`c = ceil(n/k)` contiguous clusters of n turns, turn i in cluster `floor(i·c/n)`, cut where bundles begin.

    Each cut moves to the edge within a quarter of k at which the subject changes most, else to the nearest edge, the
    earlier one of two, that leaves at least two turns on either side; where there is none the neighbours stay together.
    """
    if count < 2:
        return tuple(Cluster(start=0, end=1, declined=SINGLE) for _ in range(count))
    target = max(2, target)
    clusters = -(-count // target)
    ideal = [-(-place * count // clusters) for place in range(1, clusters)]
    allowed = sorted(_allowed(count, edges, ideal, target))
    cuts, notes = [0], {0: ""}
    for place in ideal:
        low, high = cuts[-1] + 2, count - 2
        near = allowed[bisect_left(allowed, place - target // 4) : bisect_right(allowed, place + target // 4)]
        turning = [each for each in near if each in shifts and low <= each <= high]
        cut = max(turning, key=lambda each: shifts[each], default=_nearest(allowed, place, low=low, high=high))
        if cut is not None:
            cuts.append(cut)
            why = "another subject" if cut in turning else "its bundle"
            notes[cut] = "" if cut == place else f"begins at turn {cut} with {why}, not at {place}"
    return tuple(
        Cluster(start=start, end=end, reasons=tuple(filter(None, (notes[start],))))
        for start, end in pairwise([*cuts, count])
    )


def _allowed(count: int, edges: Collection[int], ideal: Sequence[int], target: int) -> set[int]:
    """The edges of bundles, and the ideal cuts inside bundles that are too long to stay whole."""
    inside = sorted({edge for edge in edges if 0 < edge < count})
    allowed = set(inside)
    for start, end in pairwise([0, *inside, count]):
        if end - start > LONGEST_BUNDLE * target:
            allowed.update(ideal[bisect_left(ideal, start) : bisect_left(ideal, end)])
    return allowed


def _nearest(allowed: Sequence[int], place: int, *, low: int, high: int) -> int | None:
    """The allowed cut nearest to `place` between `low` and `high`, the earlier one on a tie."""
    at = bisect_left(allowed, place)
    before = allowed[at - 1] if at else None
    after = allowed[at] if at < len(allowed) else None
    near = [cut for cut in (before, after) if cut is not None and low <= cut <= high]
    return min(near, key=lambda cut: (abs(cut - place), cut), default=None)


def _runs(sources: Sequence[Source]) -> Iterator[tuple[int, int, int]]:
    """Maximal runs of one level as (start, end, level), levels falling towards now.

    A source counts at the highest level of itself and all that is newer, so there are no more runs than levels.
    """
    end, level = len(sources), 0
    found: list[tuple[int, int, int]] = []
    for place in range(len(sources) - 1, -1, -1):
        if sources[place].level > level:
            found.append((place + 1, end, level))
            end, level = place + 1, sources[place].level
    found.append((0, end, level))
    return ((start, stop, at) for start, stop, at in reversed(found) if start < stop)


def _placed(each: Cluster, by: int, sources: Sequence[Source]) -> Cluster:
    """A cluster of a run as one of the whole, one level above the highest of its sources."""
    start, end = each.start + by, each.end + by
    level = 1 + max(source.level for source in sources[start:end])
    return Cluster(start=start, end=end, level=level, declined=each.declined, reasons=each.reasons)
