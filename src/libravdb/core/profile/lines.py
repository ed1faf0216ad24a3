"""The lines of a profile from all that was stated: the newest value of each thing, as the person wants it.

Nothing is lost by a newer value: every memory keeps what it states, and the lines follow from all of it. So it does not
matter in which order statements come in, and when a memory is forgotten what stood there before comes back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from libravdb.core.profile.clauses import clause_of
from libravdb.core.profile.kinds import (
    CAREFUL,
    Slot,
    describes_person,
    fold,
    line_id,
    line_name,
    place_of,
    shown_kind,
    slot_of,
    value_of,
)
from libravdb.model import AttributeKind, ProfileLine, StatedAttribute
from libravdb.text.analysis import index_terms
from libravdb.text.dates import read_dates


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedMemory:
    """What a memory states of the person: `since` when it was first said, and `at` when last.

    `forgotten` names the lines that the person does not want from this memory.
    """

    memory: str
    since: int
    at: int
    attributes: tuple[StatedAttribute, ...]
    session: str = ""
    turn: str = ""
    speaker: str = ""
    superseded_by: str | None = None
    superseded_at: int = 0
    forgotten: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOverride:
    """A line as the person wants it since `at`. Pinned it stays; else it stands until he says something newer."""

    line: ProfileLine
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    attribute: StatedAttribute
    memory: StatedMemory


_Place = tuple[Slot, str]
"""What a statement is about, and what tells its value from others that stand beside it."""


@dataclass(slots=True)
class _Values:
    """What holds in each slot, and when each value was last spoken of."""

    held: dict[Slot, dict[str, _Standing]] = field(default_factory=dict)
    spoken_at: dict[_Place, int] = field(default_factory=dict)

    def hear(self, attribute: StatedAttribute, memory: StatedMemory, speaker: str) -> None:
        """One more statement, newer than all before it."""
        slot, value = slot_of(attribute, speaker), value_of(attribute)
        values = self.held.setdefault(slot, {})
        is_about_all = attribute.is_single or (attribute.is_ended and not value)
        for each in (*values, value) if is_about_all else (value,):
            values.pop(each, None)
            self.spoken_at[slot, each] = memory.at
        if attribute.is_ended and attribute.kind is AttributeKind.HABIT:
            self._end(attribute, slot, memory.at)
        if not attribute.is_ended:
            values[value] = _Standing(attribute=attribute, memory=memory)

    def _end(self, attribute: StatedAttribute, slot: Slot, at: int) -> None:
        """What was given up or sold ends whatever tells of it, of those kinds that one can give up."""
        head = next(iter(_stems(attribute.value)), "")
        for other, values in self.held.items():
            if other[:2] != slot[:2] or other.kind not in _GIVEN_UP:
                continue
            for value in [key for key, one in values.items() if head in _stems(one.attribute.value)]:
                del values[value]
                self.spoken_at[other, value] = at

    def spoken_by_name(self) -> dict[str, int]:
        """When each line was last spoken of."""
        return {line_name(slot, value): at for (slot, value), at in self.spoken_at.items()}


_GIVEN_UP = frozenset(
    {AttributeKind.HABIT, AttributeKind.VEHICLE, AttributeKind.LIKING, AttributeKind.FAVOURITE, AttributeKind.LANGUAGE}
)
_SAME = {"jog": "run", "bicycl": "bike"}


@lru_cache(maxsize=2_048)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(_SAME.get(term, term) for term in index_terms(text))


def forget_lines() -> None:
    """Let go of the words of statements that were read before."""
    for known in (fold, clause_of, _stems, _is_relative):
        known.cache_clear()


def stated_of_person(attributes: Iterable[StatedAttribute]) -> tuple[StatedAttribute, ...]:
    """Those statements that belong into a profile."""
    return tuple(attribute for attribute in attributes if describes_person(attribute))


def current_lines(
    memories: Collection[StatedMemory], overrides: Collection[LineOverride] = (), *, as_of: int | None = None
) -> tuple[ProfileLine, ...]:
    """The lines in their order: by kind, then by what they are about. The same statements give the same lines."""
    known = memories if as_of is None else [_known_at(one, as_of) for one in memories if one.since <= as_of]
    told = sorted(known, key=lambda one: (one.at, one.memory))
    is_group = len({fold(one.speaker) for one in told if one.speaker}) > 1
    values, by_name = _Values(), {one.memory: one for one in told}
    for memory in told:
        speaker = memory.speaker if is_group else ""
        for attribute in _holding(memory, by_name):
            values.hear(attribute, memory, speaker)
    lines = dict(_lines(values, is_group=is_group))
    spoken_at = values.spoken_by_name() if overrides else {}
    for wanted in overrides:
        if as_of is None or wanted.at <= as_of:
            _override(lines, wanted, spoken_at)
    return _once(sorted(lines.values(), key=_order))


def _known_at(memory: StatedMemory, as_of: int) -> StatedMemory:
    """A memory as it was at a moment: not yet said again, nor outdated, by what came later."""
    at = memory.at if memory.at <= as_of else memory.since
    if memory.superseded_by is None or memory.superseded_at <= as_of:
        return replace(memory, at=at)
    return replace(memory, at=at, superseded_by=None, superseded_at=0)


def most_important(lines: Sequence[ProfileLine], most: int) -> tuple[ProfileLine, ...]:
    """The pinned lines and the first of the others, in their order."""
    first = sorted(lines, key=lambda line: not line.is_pinned)[:most]
    kept = {line.id for line in first}
    return tuple(line for line in lines if line.id in kept)


def without_line(memory: StatedMemory, line: ProfileLine) -> StatedMemory:
    """A memory without what it says in a line. It cannot come back from here, since the line's name is kept."""
    gone = {
        line_id(attribute)
        for attribute in memory.attributes
        if line.id in (line_id(attribute), line_id(attribute, memory.speaker))
        or (memory.memory == line.source and _text(attribute, memory) == _unprefixed(line, memory))
    }
    return without_forgotten(replace(memory, forgotten=memory.forgotten | gone))


def without_forgotten(memory: StatedMemory) -> StatedMemory:
    """A memory without what was forgotten of it."""
    kept = tuple(one for one in memory.attributes if line_id(one) not in memory.forgotten)
    return replace(memory, attributes=kept)


# ── what holds ────────────────────────────────────────────────────────────────────────────────────────────


def _holding(memory: StatedMemory, by_name: Mapping[str, StatedMemory]) -> Iterator[StatedAttribute]:
    """What a memory states that may still hold. Of an outdated one that is what its successor does not speak of, if
    it speaks of some of it; what must not be lost by a misunderstanding; and what it said to have ended."""
    if memory.superseded_by is None or memory.superseded_at < memory.at:
        yield from memory.attributes
        return
    newer = by_name.get(memory.superseded_by)
    spoken_of = {slot_of(one) for one in newer.attributes} if newer else set()
    is_partly = any(slot_of(one) in spoken_of for one in memory.attributes)
    yield from (one for one in memory.attributes if is_partly or one.is_ended or one.kind in CAREFUL)


def _lines(values: _Values, *, is_group: bool) -> Iterator[tuple[str, ProfileLine]]:
    for held in values.held.values():
        for standing in held.values():
            line = _line(standing.attribute, standing.memory, is_group=is_group)
            yield line.id, line


def _line(attribute: StatedAttribute, memory: StatedMemory, *, is_group: bool) -> ProfileLine:
    speaker = memory.speaker if is_group else ""
    text = _text(attribute, memory)
    return ProfileLine(
        id=line_id(attribute, speaker),
        kind=shown_kind(attribute),
        subject=attribute.subject,
        text=f"{speaker}: {text}" if speaker else text,
        since=memory.since,
        source=memory.memory,
        session=memory.session,
        is_dated=attribute.kind not in _EVERY_YEAR and _is_relative(text, memory.since),
    )


@lru_cache(maxsize=2_048)
def _is_relative(text: str, at: int) -> bool:
    """Whether a text names a time that depends on when it was said: it would name another one year and a bit later."""
    return [span.start for span in read_dates(text, now=at)] != [
        span.start for span in read_dates(text, now=at + _LATER)
    ]


_LATER = 397 * 86_400_000
_EVERY_YEAR = frozenset({AttributeKind.BIRTHDAY, AttributeKind.HABIT, AttributeKind.CONTACT})


def _text(attribute: StatedAttribute, memory: StatedMemory) -> str:
    own = slot_of(attribute), value_of(attribute)
    beside = (one for one in memory.attributes if one is not attribute and one.sentence == attribute.sentence)
    return clause_of(attribute, is_alone=all((slot_of(one), value_of(one)) == own for one in beside))


def _unprefixed(line: ProfileLine, memory: StatedMemory) -> str:
    return line.text.removeprefix(f"{memory.speaker}: ") if memory.speaker else line.text


def _override(lines: dict[str, ProfileLine], wanted: LineOverride, spoken_at: Mapping[str, int]) -> None:
    if wanted.line.is_pinned or spoken_at.get(wanted.line.id, 0) <= wanted.at:
        lines[wanted.line.id] = wanted.line


# ── how it is shown ───────────────────────────────────────────────────────────────────────────────────────


def _order(line: ProfileLine) -> tuple[int, bool, str, str]:
    return place_of(line.kind), bool(line.subject), fold(line.subject), line.id


def _once(lines: Sequence[ProfileLine]) -> tuple[ProfileLine, ...]:
    """Lines without those that others say too: word for word, as a part of a longer one of the same kind, or, where
    somebody is only named, as a part of any that matters as much."""
    first: dict[str, ProfileLine] = {}
    for line in lines:
        known = first.get(_words(line))
        if known is None or (line.is_pinned and not known.is_pinned):
            first[_words(line)] = line
    distinct = [line for line in lines if first[_words(line)] is line]
    kin: dict[tuple[str, AttributeKind], list[str]] = {}
    for line in distinct:
        kin.setdefault((line.source, line.kind), []).append(_words(line))
    return tuple(
        line
        for line in distinct
        if line.is_pinned or not (_is_part(line, kin[line.source, line.kind]) or _is_named_in(line, distinct))
    )


def _is_named_in(line: ProfileLine, lines: Iterable[ProfileLine]) -> bool:
    """Whether a line of somebody stands in a longer one, which a small budget serves as soon as this one."""
    if line.kind is not AttributeKind.PERSON:
        return False
    words = _words(line)
    named = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)
    more = (one for one in lines if place_of(one.kind) <= place_of(line.kind) and len(_words(one)) > len(words))
    return any(named.search(one.text) for one in more)


def _is_part(line: ProfileLine, kin: Iterable[str]) -> bool:
    words = _words(line)
    return any(words != one and words in one for one in kin)


def _words(line: ProfileLine) -> str:
    return line.text.rstrip(".!。！ ")
