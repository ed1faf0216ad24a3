"""Filters in SQL, shared by the readers of records and of the full-text index."""

from __future__ import annotations

from libravdb.model import Json, Where
from libravdb.ports.validation import to_json

INDEXED = {"sessionId": "session", "speaker": "speaker", "userId": "owner"}
"""Metadata that has a column of its own."""


def where_sql(where: Where) -> tuple[str, list[str | int]]:
    """A filter as conditions on `r`, with their values. Metadata values compare as JSON, numbers as numbers."""
    condition, values = "", list[str | int]()
    if where.since is not None:
        condition, values = f"{condition} AND r.at >= ?", [*values, where.since]
    if where.until is not None:
        condition, values = f"{condition} AND r.at < ?", [*values, where.until]
    for key, allowed in where.metadata.items():
        wanted = [form for value in allowed for form in _forms(value)]
        marks = ", ".join("?" for _ in wanted)
        column, path = (f"r.{INDEXED[key]}", []) if key in INDEXED else ("r.metadata -> ?", [f'$."{key}"'])
        told, needs = f"{column} IN ({marks})", [*path, *wanted]
        if key in where.may_lack:
            told, needs = f"({told} OR {column} IS NULL)", [*needs, *path]
        condition, values = f"{condition} AND {told}", [*values, *needs]
    return condition, values


def _forms(value: Json) -> list[str]:
    """How a value may be written: a whole number also with a point, since 1 and 1.0 are the same."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        return [to_json(value)]
    if value == 0:
        return ["0", "0.0", "-0.0"]
    whole = to_json(int(value))
    is_float = abs(value) < _LARGEST_FLOAT and float(value) == int(value)
    return [whole, to_json(float(value))] if is_float else [whole]


_LARGEST_FLOAT = 10**308
