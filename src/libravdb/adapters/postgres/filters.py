"""Filters in PostgreSQL's words: what `Where.passes` says of metadata, said of `records.facts`.

`facts` is written here too, since both have to agree on numbers. PostgreSQL compares the numbers of jsonb exactly, as
decimals; Python compares a whole number with a floating point number by its exact value, and `model/filters.py` orders
whole numbers beyond 64 bits as floating point numbers. So a floating point number that is whole is written with all of
its digits, and the bound of an order is moved to where the rounded numbers part (`_least`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from libravdb.adapters.postgres.keys import value_key
from libravdb.model import Condition, Json, Metadata, Operator, Where, ordered_number
from libravdb.ports.validation import to_json

INDEXED = {"sessionId": "session", "speaker": "speaker", "userId": "owner"}
"""Metadata that has a column of its own: the key of its value."""

SqlValue = str | int | list[str]
Told = tuple[str, list[SqlValue]]
"""A condition in SQL, and the values of its parameters."""

_INT64 = 2**63
_WHOLE = 1e16  # from here on Python writes a floating point number with an exponent, and not with all of its digits
_BEYOND = 2**1025  # no floating point number is as large
_TOP = "1e9999"  # no number of metadata is as large
_FEW = 2
_ONE_OF_FEW = "(r.facts -> %s::text) = ANY(%s::text[]::jsonb[])"
_ONE_OF_MANY = "((r.facts -> %s::text) IN (SELECT v::jsonb FROM unnest(%s::text[]) v)) IS TRUE"
"""Many values are read once and hashed: an array is read and looked through for each record. As the operand of a test
they stay that, and are no table to be joined with."""

_SIGNS = {Operator.GT: ">", Operator.GTE: ">=", Operator.LT: "<", Operator.LTE: "<="}


def facts_json(metadata: Metadata) -> str:
    """Metadata as `records.facts` holds them: what can be compared. Of a list or an object only that it is one."""
    return to_json({key: _comparable(value) for key, value in metadata.items()})


def _comparable(value: Json) -> Json:
    if isinstance(value, list | tuple):
        return []
    if isinstance(value, Mapping):
        return {}
    return _exact(value)


def _exact(value: Json) -> Json:
    """A whole floating point number with all of its digits: jsonb keeps decimals, not what they were read as."""
    return int(value) if isinstance(value, float) and abs(value) >= _WHOLE else value


def where_sql(where: Where) -> Told:
    """A filter as conditions on `r`, each after an AND, with their values."""
    parts: list[Told] = []
    if where.since is not None:
        parts.append(("r.at >= %s", [where.since]))
    if where.until is not None:
        parts.append(("r.at < %s", [where.until]))
    parts += (_is_among(key, allowed, may_lack=key in where.may_lack) for key, allowed in where.metadata.items())
    parts += map(_condition_sql, where.conditions)
    return "".join(f" AND {told}" for told, _ in parts), [value for _, values in parts for value in values]


def _condition_sql(condition: Condition) -> Told:
    key, value = condition.key, condition.value
    match condition.operator:
        case Operator.EQ:
            return _is_among(key, (value,))
        case Operator.IN:
            return _is_among(key, value if isinstance(value, list | tuple) else ())
        case Operator.NE:
            told, needs = _is_among(key, (value,))
            return f"{told} IS NOT TRUE", needs
        case Operator.EXISTS:
            return f"(r.facts -> %s::text) IS {'NOT ' if value else ''}NULL", [key]
    return _ordered_sql(condition)


def _is_among(key: str, values: Sequence[Json], *, may_lack: bool = False) -> Told:
    """What stands under a key is one of these values. Texts under a key with a column are found by its index."""
    if key in INDEXED and all(isinstance(value, str) for value in values):
        column = f"r.{INDEXED[key]}"
        told, needs = f"({column} = ANY(%s::text[]))", [[value_key(value) for value in values]]
        return (f"({told} OR {column} IS NULL)", [*needs]) if may_lack else (told, [*needs])
    written = [to_json(_exact(value)) for value in values]
    told = f"({_ONE_OF_FEW if len(values) <= _FEW else _ONE_OF_MANY})"
    return (f"({told} OR (r.facts -> %s::text) IS NULL)", [key, written, key]) if may_lack else (told, [key, written])


def _ordered_sql(condition: Condition) -> Told:
    """Numbers are ordered with numbers, as jsonb orders them; texts with texts, by their code points."""
    key, value, sign = condition.key, condition.value, _SIGNS[condition.operator]
    if isinstance(value, str):
        told = f'((r.facts ->> %s::text) COLLATE "C" {sign} %s)'
        return f"(jsonb_typeof(r.facts -> %s::text) = 'string' AND {told})", [key, key, value]
    if not isinstance(value, int | float):
        return "FALSE", []
    told, bound = _bounded(sign, ordered_number(value))
    return f"(jsonb_typeof(r.facts -> %s::text) = 'number' AND (r.facts -> %s::text) {told} %s::jsonb)", [
        key,
        key,
        bound,
    ]


def _bounded(sign: str, bound: float) -> tuple[str, str]:
    """An order as one of exact numbers: its sign and its bound."""
    if -_INT64 < bound < _INT64:  # the lowest one is also what a little below it is rounded to
        return sign, to_json(_exact(bound))
    if sign in (">=", "<"):
        return sign, _least(lambda number: ordered_number(number) >= bound)
    return ">=" if sign == ">" else "<", _least(lambda number: ordered_number(number) > bound)


def _least(holds: Callable[[int], bool]) -> str:
    """The least whole number of which something holds that holds of every larger one too."""
    low, high = -_BEYOND, _BEYOND
    if holds(low) or not holds(high):
        return f"-{_TOP}" if holds(low) else _TOP
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return str(high)
