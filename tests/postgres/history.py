"""What clients of one store did and saw, each with its beginning and its end, and whether that can be true.

A store is linearizable when every operation seems to happen at one moment between its beginning and its end. The number
of a commit is the witness: ordered by it, the writes of a collection must be possible one after another, in an order
that no clock on the wall contradicts, and every look must show exactly the writes up to the number that it names. With
a witness the check takes a sort instead of a search through all orders.

A write whose outcome nobody knows may or may not be among them; what a look shows is then not compared value by value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

Numbers = Mapping[str, int]
"""Revisions by collection."""


class Ending(StrEnum):
    """How a write ended."""

    KEPT = "kept"
    REFUSED = "refused"  # a condition did not hold
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """A client appended a value to the register of each of these collections, in one commit. `named` are the
    revisions that it made a condition, `before` those that the store said it followed."""

    start: float
    end: float
    value: str
    collections: tuple[str, ...]
    ending: Ending = Ending.KEPT
    revision: int = 0
    named: Numbers = field(default_factory=dict)
    before: Numbers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A client read these collections in one snapshot: their revisions, and what their registers held."""

    start: float
    end: float
    revisions: Numbers
    values: Mapping[str, tuple[str, ...]]


@dataclass(slots=True)
class History:
    """All that happened; clients only ever append to the two lists, which needs no lock."""

    appends: list[Append] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)

    @property
    def collections(self) -> list[str]:
        """All that were written or looked at."""
        written = {name for one in self.appends for name in one.collections}
        return sorted(written | {name for look in self.looks for name in look.revisions})

    def kept(self, collection: str) -> list[Append]:
        """The appends to a collection that were acknowledged, by number."""
        mine = (one for one in self.appends if one.ending is Ending.KEPT and collection in one.collections)
        return sorted(mine, key=lambda one: one.revision)

    def unknown(self, collection: str) -> list[Append]:
        """Those of which nobody knows."""
        return [one for one in self.appends if one.ending is Ending.UNKNOWN and collection in one.collections]


def violations(history: History) -> list[str]:
    """Everything that cannot be true of a linearizable store; empty when all can."""
    found: list[str] = []
    for check in CHECKS:
        found += check(history)
    return found


def numbers_are_unique(history: History) -> Iterator[str]:
    """No two commits have one number, and every commit follows what it named and what it followed."""
    owners: dict[int, str] = {}
    for one in history.appends:
        if one.ending is not Ending.KEPT:
            continue
        if one.revision in owners:
            yield f"{one.value} and {owners[one.revision]} have the number {one.revision}"
        owners[one.revision] = one.value
        for name in one.collections:
            if name not in one.before or one.before[name] >= one.revision:
                yield f"{one.value} ({one.revision}) followed {one.before.get(name)} in {name}"
        for name, named in one.named.items():
            if one.before.get(name, named) != named:
                yield f"{one.value} named {named} of {name} and followed {one.before[name]}"


def writes_follow_one_another(history: History) -> Iterator[str]:
    """Each write of a collection followed exactly the one before it: two can never have followed the same."""
    for name in history.collections:
        gaps, last = 0, 0
        for one in history.kept(name):
            followed = one.before.get(name, 0)
            if followed < last:
                yield f"{one.value} ({one.revision}) in {name} followed {followed}, not {last}"
            gaps += followed > last
            last = one.revision
        if gaps > len(history.unknown(name)):
            yield f"{name} has {gaps} writes that nobody made"


def order_agrees_with_time(history: History) -> Iterator[str]:
    """A write that ended before another began has the smaller number."""
    for name in history.collections:
        kept = history.kept(name)
        earliest_end = float("inf")
        for one in reversed(kept):
            if earliest_end < one.start:
                yield f"{one.value} ({one.revision}) in {name} began after a later number had ended"
            earliest_end = min(earliest_end, one.end)


def looks_see_what_was_acknowledged(history: History) -> Iterator[str]:
    """A look shows every write that ended before it began, and none that began after it ended."""
    for name in history.collections:
        kept = history.kept(name)
        starts = {one.revision: one.start for one in kept}
        latest = _highest_by_end((one.end, one.revision) for one in kept)
        for look in history.looks:
            if name not in look.revisions:
                continue
            seen, needed = look.revisions[name], latest.until(look.start)
            if seen < needed:
                yield f"a look at {name} saw {seen} after {needed} was acknowledged"
            if seen and seen not in starts and not history.unknown(name):
                yield f"a look at {name} saw {seen}, which nobody wrote"
            if starts.get(seen, look.start) > look.end:
                yield f"a look at {name} saw {seen} before it was written"


def looks_never_go_back(history: History) -> Iterator[str]:
    """A look that begins after another has ended shows nothing older."""
    for name in history.collections:
        looks = [look for look in history.looks if name in look.revisions]
        latest = _highest_by_end((look.end, look.revisions[name]) for look in looks)
        for look in looks:
            if look.revisions[name] < latest.until(look.start):
                yield f"a look at {name} went back from {latest.until(look.start)} to {look.revisions[name]}"


def looks_show_exactly_their_moment(history: History) -> Iterator[str]:
    """A register holds the values of all writes up to the revision of the look, in order, and nothing else. No value
    stands twice, whatever is known."""
    for name in history.collections:
        kept = history.kept(name)
        for look in history.looks:
            values = look.values.get(name, ())
            if len(set(values)) < len(values):
                yield f"a look at {name} saw a value twice"
            expected = tuple(one.value for one in kept if one.revision <= look.revisions.get(name, 0))
            if history.unknown(name):
                values = tuple(value for value in values if value in set(expected))
            if name in look.values and values != expected:
                yield f"a look at {name} at {look.revisions[name]} saw {values[-3:]}, not {expected[-3:]}"


def looks_never_mix_moments(history: History) -> Iterator[str]:
    """What was written to two collections at once is seen in both or in neither."""
    joint = [one for one in history.appends if one.ending is Ending.KEPT and len(one.collections) > 1]
    for look in history.looks:
        for one in joint:
            seen = {look.revisions[name] >= one.revision for name in one.collections if name in look.revisions}
            if len(seen) > 1:
                yield f"{one.value} ({one.revision}) was seen in one collection only"


def refusals_have_a_reason(history: History) -> Iterator[str]:
    """Whoever was refused had named a revision that another write had overtaken, or that there never was."""
    for one in history.appends:
        if one.ending is not Ending.REFUSED:
            continue
        if not any(_is_overtaken(history, name, named, one.end) for name, named in one.named.items()):
            yield f"{one.value} was refused for {dict(one.named)} though nobody wrote in between"


def _is_overtaken(history: History, name: str, named: int, end: float) -> bool:
    others = [*history.kept(name), *history.unknown(name)]
    return any(other.start <= end and (other.revision > named or not other.revision) for other in others)


CHECKS = (
    numbers_are_unique,
    writes_follow_one_another,
    order_agrees_with_time,
    looks_see_what_was_acknowledged,
    looks_never_go_back,
    looks_show_exactly_their_moment,
    looks_never_mix_moments,
    refusals_have_a_reason,
)


class _Highest:
    """The highest number among all that had ended by a time."""

    def __init__(self, ends: Sequence[float], highest: Sequence[int]) -> None:
        self._ends = ends
        self._highest = highest

    def until(self, time: float) -> int:
        """Among those that ended before this."""
        place = bisect_left(self._ends, time)
        return self._highest[place - 1] if place else 0


def _highest_by_end(pairs: Iterable[tuple[float, int]]) -> _Highest:
    ordered = sorted(pairs)
    highest: list[int] = []
    for _, number in ordered:
        highest.append(max(number, highest[-1]) if highest else number)
    return _Highest([end for end, _ in ordered], highest)
