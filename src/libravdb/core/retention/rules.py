"""Rules of retention: which namespaces, which kind, how long. Of several that fit, the first counts."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from libravdb.errors import InvalidInput
from libravdb.model.namespaces import fits
from libravdb.model.retention import RetainedKind
from libravdb.text.durations import DURATIONS, read_duration

FOREVER = "forever"
"""As an age: an exception to the rules behind it."""

MOST_RULES = 1_000

_FORM = f'Write "namespaces kind age", such as "person:* turns 90d"; an age is {DURATIONS}, or {FOREVER}.'
_KINDS = f"Kinds are {', '.join(RetainedKind)}."
_NO_KINDS = {
    "summaries": "A summary goes with the first turn that it stands for: write a rule about turns.",
    "guidance": "Standing guidance is never deleted by a rule; 'libravdb guidance remove' takes a wish back.",
    "profile": "A profile follows its memories: write a rule about memories. Pinned lines stay.",
    "documents": "Documents are kept as long as their author keeps them.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionRule:
    """What is older than `age` goes, in milliseconds; None keeps it. In `pattern` a `*` stands for anything."""

    pattern: str
    kind: RetainedKind
    age: int | None
    written: str

    def fits(self, namespace: str) -> bool:
        """True for a namespace that the rule is about."""
        return fits(namespace, self.pattern)


def read_retention(lines: Sequence[str]) -> tuple[RetentionRule, ...]:
    """The rules as they are written. InvalidInput names the line, what is wrong with it, and what would be right."""
    if len(lines) > MOST_RULES:
        raise InvalidInput("rules", f"are {len(lines):,}, at most {MOST_RULES:,} are allowed", remedy="Use patterns.")
    rules: list[RetentionRule] = []
    for number, line in enumerate(lines, 1):
        rule = _rule(line, number)
        covering = next((place for place, one in enumerate(rules, 1) if _covers(one, rule)), None)
        if covering is not None:
            problem = f"({rule.written!r}) never counts: rule {covering} is about all of it"
            raise InvalidInput(f"rule {number}", problem, remedy="Move it before that rule, or remove it.")
        rules.append(rule)
    return tuple(rules)


def age_of(rules: Iterable[RetentionRule], namespace: str, kind: RetainedKind) -> int | None:
    """How long a kind is kept in a namespace, by the first rule that is about it; None for ever."""
    return next((rule.age for rule in rules if rule.kind is kind and rule.fits(namespace)), None)


def _rule(line: str, number: int) -> RetentionRule:
    place, shown = f"rule {number}", f"({line[:_LONGEST]!r})"
    parts = line.rsplit(None, 2)
    if len(parts) != _PARTS:
        raise InvalidInput(place, f"{shown} has not three parts", remedy=_FORM)
    pattern, kind, age = parts[0].strip(), parts[1].lower(), parts[2].lower()
    if kind in _NO_KINDS:
        raise InvalidInput(place, f"{shown} is about {kind}", remedy=f"{_NO_KINDS[kind]} {_KINDS}")
    if kind not in set(RetainedKind):
        near = difflib.get_close_matches(kind, [one.value for one in RetainedKind], n=1)
        meant = f"Did you mean {near[0]!r}? " if near else ""
        raise InvalidInput(place, f"{shown} is about {kind[:_LONGEST]!r}, which is no kind", remedy=meant + _KINDS)
    span = None if age == FOREVER else read_duration(age)
    if span is None and age != FOREVER:
        raise InvalidInput(place, f"{shown} has the age {age[:_LONGEST]!r}, which is none", remedy=_FORM)
    return RetentionRule(pattern=pattern, kind=RetainedKind(kind), age=span, written=line.strip())


def _covers(one: RetentionRule, other: RetentionRule) -> bool:
    """True when nothing is left for the second: a pattern that fits another pattern's text fits all that it fits."""
    return one.kind is other.kind and one.fits(other.pattern)


_PARTS = 3
_LONGEST = 80
