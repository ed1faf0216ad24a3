"""What clients of one set did and saw, each with its beginning and its end, and whether that can be true.

Every value is added once, by one client, and removed at most once, by the same one and after it was added. So it can be
told of most looks at the whole set whether a value was not there yet, there, or gone: as so many steps that had been
taken by then. A set is linearizable when all looks can be put in one order, in which no step is taken back, and which
no clock contradicts.

A step whose outcome nobody knows may have been taken at any time after it began, or never.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

Step = tuple[str, bool]
"""A value, and whether it is about its removal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A step that a client took."""

    start: float
    end: float
    value: str
    is_removal: bool = False
    is_known: bool = True

    @property
    def ended(self) -> float:
        """From when on everybody must see it."""
        return self.end if self.is_known else float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a client saw: of the whole set, or of one value that it asked about. `how` tells where."""

    start: float
    end: float
    values: frozenset[str]
    asked: str = ""
    how: str = "a look"


@dataclass(slots=True)
class SetHistory:
    """All that happened; clients only ever append to the two lists, which needs no lock."""

    steps: list[Taken] = field(default_factory=list)
    looks: list[Seen] = field(default_factory=list)


class _Values:
    """The steps of each value. Many steps together are bits of one number: there are millions of pairs to compare."""

    def __init__(self, history: SetHistory) -> None:
        self.added = {one.value: one for one in history.steps if not one.is_removal}
        self.removed = {one.value: one for one in history.steps if one.is_removal}
        self._steps: list[Step] = [(value, is_removal) for value in self.added for is_removal in (False, True)]

    def taken_by(self, look: Seen) -> tuple[int, int]:
        """The steps that had been taken at a look, and those of which it cannot be told."""
        taken: list[str] = []
        unsure: list[str] = []
        for value, added in reversed(self.added.items()):  # as digits: the last one first
            removed = self.removed.get(value)
            is_unsure = False
            if value in look.values:
                taken.append("01")
            elif added.ended < look.start:
                taken.append("11")
            else:
                taken.append("00")
                is_unsure = removed is not None and removed.start <= look.end
            unsure.append("11" if is_unsure else "00")
        return int("0" + "".join(taken), 2), int("0" + "".join(unsure), 2)

    def first_of(self, steps: int) -> Step:
        """One of many steps."""
        return min(step for place, step in enumerate(self._steps) if steps >> place & 1)


def violations(history: SetHistory) -> list[str]:
    """Everything that cannot be true of a linearizable set; empty when all can."""
    values = _Values(history)
    return [*_wrong_looks(history, values), *_looks_out_of_order(history, values)]


def _wrong_looks(history: SetHistory, values: _Values) -> Iterator[str]:
    """A look shows what was added before it began, and nothing that was removed by then or added after it ended."""
    for look in history.looks:
        for value in [look.asked] if look.asked else values.added.keys() | look.values:
            added, removed = values.added.get(value), values.removed.get(value)
            if value in look.values and (added is None or added.start > look.end):
                yield f"{look.how} showed {value}, which nobody had added"
            if value in look.values and removed is not None and removed.ended < look.start:
                yield f"{look.how} showed {value} after it was removed"
            is_there = added is not None and added.ended < look.start
            if value not in look.values and is_there and (removed is None or removed.start > look.end):
                yield f"{look.how} did not show {value} after it was acknowledged"


def _looks_out_of_order(history: SetHistory, values: _Values) -> Iterator[str]:
    """Of two looks at the whole set one has seen all the steps that the other has; the one that began when the other
    had ended."""
    whole = [(look, *values.taken_by(look)) for look in history.looks if not look.asked]
    for (one, mine, unsure), (other, theirs, as_unsure) in combinations(whole, 2):
        only_mine, only_theirs = mine & ~theirs & ~as_unsure, theirs & ~mine & ~unsure
        if only_mine and only_theirs:
            first, second = values.first_of(only_mine), values.first_of(only_theirs)
            yield f"one look saw {first} and another {second}, and neither saw both"
        if (only_mine and one.end < other.start) or (only_theirs and other.end < one.start):
            yield f"a look went back behind {values.first_of(only_mine or only_theirs)}"
