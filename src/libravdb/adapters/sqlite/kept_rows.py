"""Rows of the file that searches read again and again (`adapters/kept_rows.py`), and how they are read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection

from libravdb.adapters.kept_rows import KeptRow, KeptRows
from libravdb.adapters.sqlite.writes import analysis_of

RECORDS = (
    "SELECT r.row, r.id, b.length, b.bag FROM json_each(?) j"
    " CROSS JOIN records r ON r.row = j.value CROSS JOIN bags b ON b.text = r.text"
)
"""Rows of records."""

LEXICAL = (
    "SELECT l.row, '', b.length, b.bag FROM json_each(?) j"
    " CROSS JOIN lexical l ON l.row = j.value CROSS JOIN bags b ON b.text = l.text"
)
"""Rows of the full-text index."""


class FileRows:
    """Rows that one statement gives, kept. Usable from many threads."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._kept = KeptRows()

    def clear(self) -> None:
        """Let go of everything."""
        self._kept.clear()

    def get(self, db: sqlite3.Connection, rows: Collection[int]) -> dict[int, KeptRow]:
        """These rows, in their order, of those that there are."""

        def read(missing: list[int]) -> dict[int, KeptRow]:
            asked = db.execute(self._query, (json.dumps(missing),))
            return {row: KeptRow(id, length, bag) for row, id, length, bag in asked}

        return self._kept.get(rows, analysis=analysis_of(db), read=read)
