"""Where each term stands in the full-text index, and how much the index holds.

Common terms are asked for again and again, and reading where they stand is most of what a search by words costs. What
was read stays in memory while the index only grows: what was added since is looked up, by its row numbers. A row that
leaves the index is noticed by its count, and everything is read anew.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters import term_counts

Rows = NDArray[np.int64]
Counts = NDArray[np.int64]

SMALL_STORE = 5_000
"""Full-text rows up to which leaving words out saves nothing."""

_LARGE_SHARE = 0.3  # a collection that holds this much of the store is filtered after ranking, not while
_LONG = 200  # rows from which a term's list is worth keeping
_MOST_KEPT = 1_000_000  # rows in all lists that are kept, of 6 bytes each
_MOST_NEW = 2_000  # rows added since the lists were read beyond which they are read anew
_LARGEST_ROW, _LARGEST_COUNT = 2**32 - 1, 2**16 - 1


@dataclass(frozen=True, slots=True)
class Extent:
    """How much the index holds: rows, terms in all of them, and its newest row, whose number never comes again."""

    rows: int
    terms: int
    newest: int

    @property
    def average(self) -> float:
        """Terms of a row."""
        return self.terms / max(self.rows, 1)

    @property
    def is_small(self) -> bool:
        """Whether looking at everything costs nothing."""
        return self.rows <= SMALL_STORE

    def holds_mostly(self, texts: int) -> bool:
        """Whether so many texts are so much of a large index that their words are best looked up in all of it."""
        return texts > _LARGE_SHARE * self.rows and not self.is_small


@dataclass(frozen=True, slots=True, kw_only=True)
class _TermRows:
    """A term's rows, ascending, and how often it stands in each, of all rows up to number `upto`."""

    rows: NDArray[np.uint32]
    counts: NDArray[np.uint16]
    upto: int


class LongPostings:
    """The lists of common terms, those asked for last, within a number of rows. Usable from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lists: OrderedDict[str, _TermRows] = OrderedDict()
        self._extent = Extent(0, 0, 0)
        self._size = 0

    def get(self, db: sqlite3.Connection, term: str, extent: Extent) -> tuple[Rows, Counts]:
        """The rows a term stands in, ascending, and how often, as `db`'s transaction sees them; `extent` is what it
        sees of the whole."""
        kept = self._kept(db, term, extent)
        if kept is None:
            rows, counts = _read(db, term)
        else:
            rows, counts = kept.rows.astype(np.int64), kept.counts.astype(np.int64)
            if kept.upto == extent.newest:
                return rows, counts
            new_rows, new_counts = _read_newer(db, term, kept.upto)
            rows, counts = np.concatenate([rows, new_rows]), np.concatenate([counts, new_counts])
        if rows.size >= _LONG and rows[-1] <= _LARGEST_ROW and counts.max() <= _LARGEST_COUNT:
            self._keep(term, rows, counts, extent)
        return rows, counts

    def _kept(self, db: sqlite3.Connection, term: str, extent: Extent) -> _TermRows | None:
        with self._lock:
            if self._extent != extent:
                if self._extent.newest > extent.newest:  # a reader of an older moment
                    return None
                if not _has_only_grown(db, self._extent, extent):
                    self._lists.clear()
                    self._size = 0
                self._extent = extent
            kept = self._lists.get(term)
            if kept is not None:
                self._lists.move_to_end(term)
            return kept

    def _keep(self, term: str, rows: Rows, counts: Counts, extent: Extent) -> None:
        with self._lock:
            if self._extent != extent:  # another reader was faster, of another moment
                return
            if term in self._lists:
                self._size -= self._lists.pop(term).rows.size
            self._lists[term] = _TermRows(
                rows=rows.astype(np.uint32), counts=counts.astype(np.uint16), upto=extent.newest
            )
            self._size += rows.size
            while self._size > _MOST_KEPT:
                _, oldest = self._lists.popitem(last=False)
                self._size -= oldest.rows.size


def _has_only_grown(db: sqlite3.Connection, before: Extent, now: Extent) -> bool:
    """Whether the rows that were there are all there still: those with new numbers make up the whole difference."""
    if before.newest == now.newest or not 0 <= now.rows - before.rows <= _MOST_NEW:
        return before == now
    (new,) = db.execute("SELECT count(*) FROM lexical WHERE row > ?", (before.newest,)).fetchone()
    return bool(new == now.rows - before.rows)


def read_extent(db: sqlite3.Connection) -> Extent:
    """FTS5 keeps count of its rows and of the terms in each column: three varints at the start of its first block."""
    found = db.execute("SELECT block FROM lexicon_data WHERE id = 1").fetchone()
    numbers: list[int] = []
    number = 0
    for byte in found[0] if found is not None else b"":
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(number)
            number = 0
    rows, _, terms = numbers[:3] if len(numbers) >= 3 else (0, 0, 0)
    (newest,) = db.execute("SELECT coalesce(max(row), 0) FROM lexical").fetchone()
    return Extent(rows, terms, newest)


def match_term(form: str) -> str:
    """A term, or a prefix (`form*`), in FTS5's language, whatever stands in it."""
    if form.endswith("*"):
        return f"{_quoted(form[:-1])} *"
    return _quoted(form)


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _read(db: sqlite3.Connection, term: str) -> tuple[Rows, Counts]:
    """As one string, a number for each occurrence: a row of its own would cost twice as much."""
    (joined,) = db.execute(
        "SELECT group_concat(doc) FROM lexicon_occurrences WHERE term = ? AND col = 'terms'", (term,)
    ).fetchone()
    rows, counts = np.unique(np.fromstring(joined or "", dtype=np.int64, sep=","), return_counts=True)
    return rows, counts.astype(np.int64)


def _read_newer(db: sqlite3.Connection, term: str, after: int) -> tuple[Rows, Counts]:
    """Of the rows with higher numbers only."""
    found = db.execute(
        "SELECT l.row, b.terms FROM (SELECT rowid FROM lexicon WHERE lexicon MATCH ? AND rowid > ?) f"
        " CROSS JOIN lexical l ON l.row = f.rowid CROSS JOIN bags b ON b.text = l.text ORDER BY l.row",
        (f"terms : {match_term(term)}", after),
    ).fetchall()
    rows = np.array([row for row, _ in found], dtype=np.int64)
    return rows, term_counts.count_terms([terms for _, terms in found], [(term,)])[:, 0]
