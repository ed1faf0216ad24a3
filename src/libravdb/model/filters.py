"""Filters: what a record's metadata and its time must be for it to be met at all.

What a filter says is decided here once, in plain Python; a database says the same in its own words. Numbers compare as
numbers: 1 equals 1.0, and neither equals true. Whole numbers beyond 64 bits are ordered as floating point numbers are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from libravdb.errors import InvalidInput
from libravdb.model.json import Json, Metadata
from libravdb.model.records import Record


class Operator(StrEnum):
    """How a condition compares what stands under its key."""

    EQ = "$eq"
    NE = "$ne"
    GT = "$gt"
    GTE = "$gte"
    LT = "$lt"
    LTE = "$lte"
    IN = "$in"
    EXISTS = "$exists"


OPERATORS = f"The operators are {', '.join(Operator)}."
"""What whoever wrote another one is told."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold of the value under a metadata key.

    `$ne` also holds where the key is missing; every other one but `$exists` false asks that it is there. An ordering
    holds between two numbers and between two texts, and never otherwise: a boolean is neither. `$in` takes a list.
    """

    key: str
    operator: Operator
    value: Json = None

    def holds(self, metadata: Metadata) -> bool:
        """True for metadata that fulfil it."""
        is_there, value = self.key in metadata, metadata.get(self.key)
        match self.operator:
            case Operator.EXISTS:
                return is_there is self.value
            case Operator.NE:
                return not is_there or not equal_values(value, self.value)
            case Operator.EQ:
                return is_there and equal_values(value, self.value)
            case Operator.IN:
                listed = self.value if isinstance(self.value, list | tuple) else ()
                return is_there and any(equal_values(value, one) for one in listed)
        return is_there and self._is_ordered(value)

    def _is_ordered(self, value: Json) -> bool:
        left, right = _ordered(value), _ordered(self.value)
        if left is None or right is None or left[0] != right[0]:
            return False
        match self.operator:
            case Operator.GT:
                return left > right
            case Operator.GTE:
                return left >= right
            case Operator.LT:
                return left < right
        return left <= right


def equal_values(left: Json, right: Json) -> bool:
    """Numbers compare as numbers; everything else equals only its own kind. Python alone would say that 1 is True."""
    if isinstance(left, int | float) and isinstance(right, int | float):
        return isinstance(left, bool) == isinstance(right, bool) and left == right
    return type(left) is type(right) and left == right


def _ordered(value: Json) -> tuple[int, float | str] | None:
    """A number or a text as it is ordered, told apart by the first part; None for what has no order."""
    if isinstance(value, str):
        return 1, value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return 0, ordered_number(value)


def ordered_number(number: float) -> float:
    """A number as every database orders it: exact within 64 bits, beyond them a floating point number."""
    if isinstance(number, float) or -_INT64 <= number < _INT64:
        return number
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


_INT64 = 2**63


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """A filter: every named metadata key equals one of its values, every condition holds, and the time lies in
    [since, until).

    A record that lacks a key of `metadata` is let through only if `may_lack` tells so.
    """

    metadata: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    since: int | None = None
    until: int | None = None
    may_lack: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()

    @classmethod
    def of(
        cls, written: Mapping[str, object] | Where | None, *, since: int | None = None, until: int | None = None
    ) -> Where:
        """A filter as people write it: `{"topic": "x", "priority": {"$gte": 3}, "city": ["Bonn", "Ulm"]}`. A plain
        value is what the key must have, a list what it may have, an object holds operators."""
        if isinstance(written, Where):
            return written
        if written is not None and not isinstance(written, Mapping):
            raise InvalidInput("where", f"is {type(written).__name__}, not an object", remedy=_WRITTEN)
        metadata: dict[str, tuple[Json, ...]] = {}
        conditions: list[Condition] = []
        for key, told in (written or {}).items():
            if not isinstance(key, str):
                raise InvalidInput("where", f"has the key {key!r}, which is no text", remedy=_WRITTEN)
            if key.startswith("$"):
                raise InvalidInput("where", f"has {_brief(key)} where a key stands", remedy=_WRITTEN)
            if isinstance(told, Mapping):
                conditions += _conditions(key, told)
            elif isinstance(told, list | tuple):
                conditions.append(Condition(key, Operator.IN, list(told)))
            else:
                metadata[key] = (told,)  # type: ignore[assignment]  # what cannot be compared is refused by the store
        return cls(metadata=metadata, conditions=tuple(conditions), since=since, until=until)

    def is_open(self) -> bool:
        """True when the filter lets everything through."""
        return not self.metadata and not self.conditions and self.since is None and self.until is None

    def passes(self, record: Record) -> bool:
        """True for a record that the filter lets through."""
        if self.since is not None and record.at < self.since:
            return False
        if self.until is not None and record.at >= self.until:
            return False
        return self.fits(record.metadata)

    def fits(self, metadata: Metadata) -> bool:
        """True for metadata that the filter lets through, whatever the time."""
        for key, values in self.metadata.items():
            if key in metadata:
                if not any(equal_values(metadata[key], value) for value in values):
                    return False
            elif key not in self.may_lack:
                return False
        return all(condition.holds(metadata) for condition in self.conditions)


def _conditions(key: str, told: Mapping[object, object]) -> list[Condition]:
    if not told:
        raise InvalidInput("where", f"says nothing of {_brief(key)}", remedy=_WRITTEN)
    for name in told:
        if name not in _KNOWN:
            raise InvalidInput("where", f"has {_brief(name)} for {_brief(key)}, which is no operator", remedy=_WRITTEN)
    return [Condition(key, Operator(str(name)), value) for name, value in told.items()]  # type: ignore[arg-type]  # the store refuses what it cannot compare


def _brief(name: object) -> str:
    told = repr(name)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"


_KNOWN = frozenset(str(operator) for operator in Operator)
_LONGEST = 80
_WRITTEN = f'{OPERATORS} Write a filter such as {{"topic": "release", "priority": {{"$gte": 3}}}}.'

ANYTHING = Where()
"""The filter that lets everything through."""
