"""Which turns are folded together: contiguous runs of about twenty, cut where a bundle ends.

Summaries are folded too, but only with their like: a summary of turns waits until there are as many of them as turns in
a cluster, or until they are too dear to stand side by side, and so on for each level. Otherwise the oldest text would
be summarised anew, and blurred, by every compaction. A session of n turns is then seen as a few summaries of each of
log(n) levels.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from libravdb.core.compaction.settings import DEFAULTS
from libravdb.model import Source
from libravdb.text.tokens import prompt_tokens

LONGEST_BUNDLE = 4
"""A bundle of more than this many times `target` turns may be cut: an agent that works on one question for a thousand
steps must not end up as one summary."""

MOST_WAITING = 4_000
"""Summaries of a level that together take this many tokens are folded although they are few: no prompt has room for
more of them."""

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
    sources: Sequence[Source], *, edges: Collection[int], target: int = DEFAULTS.target_turns
) -> tuple[Cluster, ...]:
    """Clusters over everything older than the tail, in order of time; each source stands in exactly one.

    `edges` are the places where a bundle begins. A turn that was left behind between summaries counts with the
    summaries around it.
    """
    seams = {*edges, *(seam for place, each in enumerate(sources) if each.is_summary for seam in (place, place + 1))}
    planned: list[Cluster] = []
    for start, end, level in _runs(sources):
        if level and end - start < target and _price(sources[start:end]) < MOST_WAITING:
            planned.append(Cluster(start=start, end=end, level=level + 1, declined=WAITING))
            continue
        inside = {edge - start for edge in seams if start < edge < end}
        planned.extend(_placed(each, start, sources) for each in cluster(end - start, edges=inside, target=target))
    return tuple(planned)


def _price(sources: Sequence[Source]) -> int:
    return sum(prompt_tokens(source.text) for source in sources)


def cluster(count: int, *, edges: Collection[int], target: int = DEFAULTS.target_turns) -> tuple[Cluster, ...]:
    """`c = ceil(n/k)` contiguous clusters of n turns, turn i in cluster `floor(i·c/n)`, cut where bundles begin.

    Each cut moves to the nearest edge, the earlier one of two, that leaves at least two turns on either side; where
    there is none the neighbours stay together.
    """
    if count < 2:
        return tuple(Cluster(start=0, end=1, declined=SINGLE) for _ in range(count))
    target = max(2, target)
    clusters = -(-count // target)
    ideal = [-(-place * count // clusters) for place in range(1, clusters)]
    allowed = sorted(_allowed(count, edges, ideal, target))
    cuts, notes = [0], {0: ""}
    for place in ideal:
        cut = _nearest(allowed, place, low=cuts[-1] + 2, high=count - 2)
        if cut is not None:
            cuts.append(cut)
            notes[cut] = "" if cut == place else f"begins at turn {cut} with its bundle, not at {place}"
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
