"""Filters in SQL, shared by the readers of records and of the full-text index.

Metadata is compared as JSON. What `->` gives is a value as it is written, so that equality is equality of writings; for
an order its type is asked first, and then its value, by `->>`. PostgreSQL says the same with `jsonb_typeof`, a cast to
`numeric`, and `COLLATE "C"` for texts.
"""

from __future__ import annotations

from collections.abc import Sequence

from libravdb.model import Condition, Json, Operator, Where, ordered_number
from libravdb.ports.validation import to_json

INDEXED = {"sessionId": "session", "speaker": "speaker", "userId": "owner"}
"""Metadata that has a column of its own."""

MANY = 200
"""So many values are bound one by one; more come as one list, since a statement takes so many parameters and no
more."""

SqlValue = str | int | float
Told = tuple[str, list[SqlValue]]
"""A condition in SQL, and the values of its parameters."""


def where_sql(where: Where) -> Told:
    """A filter as conditions on `r`, with their values. Metadata values compare as JSON, numbers as numbers."""
    parts: list[Told] = []
    if where.since is not None:
        parts.append(("r.at >= ?", [where.since]))
    if where.until is not None:
        parts.append(("r.at < ?", [where.until]))
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
            column, path = _written(key)
            return f"{column} IS {'NOT ' if value else ''}NULL", [*path]
    return _ordered_sql(condition)


def _is_among(key: str, values: Sequence[Json], *, may_lack: bool = False) -> Told:
    column, path = _written(key)
    wanted: list[SqlValue] = [form for value in values for form in _forms(value)]
    if len(wanted) > MANY:
        marks, wanted = "SELECT value FROM json_each(?)", [to_json(wanted)]
    else:
        marks = ", ".join("?" for _ in wanted)
    told, needs = f"({column} IN ({marks}))", [*path, *wanted]
    return (f"({told} OR {column} IS NULL)", [*needs, *path]) if may_lack else (told, needs)


def _ordered_sql(condition: Condition) -> Told:
    """Only numbers are ordered with numbers, and only texts with texts, those by their bytes, which is by their code
    points."""
    value, path = condition.value, _path(condition.key)
    bound: SqlValue
    if isinstance(value, str):
        kinds, bound = "('text')", value
    elif isinstance(value, int | float):
        kinds, bound = "('integer', 'real')", ordered_number(value)
    else:
        return "FALSE", []
    sign = _SIGNS[condition.operator]
    told, needs = f"(r.metadata ->> ?) {sign} ?", [path, bound]
    if isinstance(bound, float):  # SQLite may read a number that is written to the last digit as the one beside it
        equals, written = _is_among(condition.key, (value,))
        told = f"({equals} OR {told})" if sign.endswith("=") else f"({told} AND NOT {equals})"
        needs = [*written, *needs] if sign.endswith("=") else [*needs, *written]
    return f"(json_type(r.metadata, ?) IN {kinds} AND {told})", [path, *needs]


_SIGNS = {Operator.GT: ">", Operator.GTE: ">=", Operator.LT: "<", Operator.LTE: "<="}


def _written(key: str) -> tuple[str, list[SqlValue]]:
    """Where a value stands as it is written, NULL where there is none, and the parameters for it."""
    return (f"r.{INDEXED[key]}", []) if key in INDEXED else ("(r.metadata -> ?)", [_path(key)])


def _path(key: str) -> str:
    return f'$."{key}"'


def _forms(value: Json) -> list[str]:
    """How a value may be written: a whole number also with a point, since 1 and 1.0 are the same."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        return [to_json(value)]
    if value == 0:
        return ["0", "0.0", "-0.0"]
    whole = to_json(int(value))
    try:
        pointed = float(value)
    except OverflowError:
        return [whole]
    return [whole, to_json(pointed)] if pointed == value else [whole]
