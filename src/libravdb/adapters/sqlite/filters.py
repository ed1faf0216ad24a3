"""Filters and order in SQL, shared by the readers of records and of the full-text index."""

from __future__ import annotations

import json
import sqlite3

from libravdb.model import Where
from libravdb.ports.validation import to_json

_INDEXED = {"sessionId": "session", "speaker": "speaker"}
"""Metadata that has a column of its own."""


def where_sql(where: Where) -> tuple[str, list[str | int]]:
    """A filter as conditions on `r`, with their values. Metadata values compare as JSON: 1, 1.0 and true differ."""
    condition, values = "", list[str | int]()
    if where.since is not None:
        condition, values = f"{condition} AND r.at >= ?", [*values, where.since]
    if where.until is not None:
        condition, values = f"{condition} AND r.at < ?", [*values, where.until]
    for key, allowed in where.metadata.items():
        marks = ", ".join("?" for _ in allowed)
        wanted = [to_json(value) for value in allowed]
        if key in _INDEXED:
            condition, values = f"{condition} AND r.{_INDEXED[key]} IN ({marks})", [*values, *wanted]
        else:
            condition, values = f"{condition} AND r.metadata -> ? IN ({marks})", [*values, f'$."{key}"', *wanted]
    return condition, values


def best_rows(db: sqlite3.Connection, scores: dict[int, float], k: int) -> set[int]:
    """The k best rows by score; equal scores by id, so that the order of insertion does not show."""
    if len(scores) <= k:
        return set(scores)
    ids = dict(
        db.execute(
            "SELECT row, id FROM records WHERE row IN (SELECT value FROM json_each(?))",
            (json.dumps(list(scores)),),
        )
    )
    ordered = sorted((row for row in scores if row in ids), key=lambda row: (-scores[row], ids[row]))
    return set(ordered[:k])
