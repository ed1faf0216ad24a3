"""What is looked at whenever a file is opened, in milliseconds: small files whole, large ones at their seams.

The seams are the ends of every table and index, and whether indexes over the same rows count the same. The daemon reads
the rest of a large file soon after its start (`check_pages`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

SMALL_BYTES = 4 * 2**20
"""Up to this size every page is looked at."""

MOST_COUNTED = 400_000
"""Rows up to which indexes are counted: a scan of the narrow ones, a few milliseconds for a hundred thousand."""

_SAME_ROWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "records",
        (
            "INDEXED BY sqlite_autoindex_records_1 WHERE collection > 0",
            "INDEXED BY records_by_arrival WHERE collection > 0",
            "INDEXED BY records_by_text WHERE collection > 0",
            "INDEXED BY records_by_time WHERE collection > 0",
            "INDEXED BY records_of_text WHERE text > 0",
        ),
    ),
    (
        "placements",
        ("INDEXED BY placements_by_text WHERE text > 0", "INDEXED BY placements_by_row WHERE lexical > 0"),
    ),
    ("codes", ("INDEXED BY codes_by_text WHERE text > 0", "INDEXED BY codes_by_vector WHERE first_vector > 0")),
)
"""Every key is positive; without a condition SQLite counts along an index of its own choice."""

_SAME_NUMBERS = (
    (
        "collections count other texts than are placed",
        "SELECT coalesce(sum(texts), 0) FROM collections",
        "SELECT count(*) FROM placements INDEXED BY placements_by_text WHERE text > 0",
    ),
    (
        "texts and their places differ",
        "SELECT count(*) FROM texts INDEXED BY sqlite_autoindex_texts_1 WHERE digest > x''",
        "SELECT count(DISTINCT text) FROM placements INDEXED BY placements_by_text",
    ),
    (
        "spaces count other texts than have vectors",
        "SELECT coalesce(sum(texts), 0) FROM spaces",
        "SELECT count(*) FROM codes INDEXED BY codes_by_text WHERE text > 0",
    ),
)


def check_fast(db: sqlite3.Connection) -> Iterator[str]:
    """What is broken, as far as a quick look tells."""
    (pages,), (size,) = db.execute("PRAGMA page_count").fetchone(), db.execute("PRAGMA page_size").fetchone()
    if pages * size <= SMALL_BYTES:
        yield from check_structure(db)
    yield from _tables_have_ends(db)
    _look_up_a_word(db)
    (rows,) = db.execute("SELECT coalesce(max(row), 0) FROM records").fetchone()
    if rows <= MOST_COUNTED:
        yield from _counts_agree(db)


def check_structure(db: sqlite3.Connection) -> Iterator[str]:
    """Every page in its place, without comparing indexes with their rows."""
    yield from _told(db.execute("PRAGMA quick_check(3)"))


def _told(rows: Iterable[tuple[str]]) -> Iterator[str]:
    """What SQLite found, without its headings and in one line."""
    for (found,) in rows:
        if found != "ok":
            yield "; ".join(line for line in found.splitlines() if not line.startswith("***"))


def check_pages(db: sqlite3.Connection) -> Iterator[str]:
    """Every page and every index entry; SQLite's own work, during which other threads go on."""
    yield from _told(db.execute("PRAGMA integrity_check(3)"))
    for table, row, parent, _ in db.execute("PRAGMA foreign_key_check"):
        yield f"{table} row {row} refers to a missing row of {parent}"
        return


def _tables_have_ends(db: sqlite3.Connection) -> Iterator[str]:
    """The first and the last row of every table can be read, which leads along both edges of its tree."""
    tables = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0").fetchall()
    for name, sql in tables:
        key = "1, 2" if str(sql).upper().endswith("WITHOUT ROWID") else "rowid"
        if name in {"facts", "sessions", "lexicon_config"}:
            key = "1"
        ends = (f'SELECT * FROM "{name}" ORDER BY {key} {way} LIMIT 1' for way in ("ASC", "DESC"))
        if len({db.execute(end).fetchone() is None for end in ends}) > 1:
            yield f"table {name} has one end only"


def _look_up_a_word(db: sqlite3.Connection) -> None:
    db.execute("SELECT 1 FROM lexicon WHERE lexicon MATCH 'scope : c1' LIMIT 1").fetchone()


def _counts_agree(db: sqlite3.Connection) -> Iterator[str]:
    for table, indexes in _SAME_ROWS:
        counts = {_count(db, f"SELECT count(*) FROM {table} {index}") for index in indexes}
        if len(counts) > 1:
            yield f"the indexes of {table} count {min(counts):,} to {max(counts):,} rows"
    for problem, one, other in _SAME_NUMBERS:
        if _count(db, one) != _count(db, other):
            yield problem


def _count(db: sqlite3.Connection, sql: str) -> int:
    return int(db.execute(sql).fetchone()[0])
