"""Search by words: which texts of a collection hold the words of a question, ranked by BM25.

The index is only asked where words stand; the ranking is reckoned here, over arrays. FTS5 can rank too, but looks up
each row's length in a table and reads every word's rows twice, at three to four times the cost.

Rarity and length are those of the collection that is searched, so that one tenant's words never move another's
ranking; only where a collection is most of a large store the whole index stands for it, which is cheaper to ask.

A question's cost is the number of rows its words stand in. Words are therefore taken rarest first until they stand in
enough rows to choose from; the commonest words of a long question, which tell least, are left out. In a small store
every word is used.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters import term_counts
from libravdb.adapters.bm25 import Scores, gains, idf
from libravdb.adapters.sqlite.filters import where_sql
from libravdb.adapters.sqlite.kept_rows import LEXICAL, FileRows
from libravdb.adapters.sqlite.postings import SMALL_STORE, Extent, LongPostings, match_term, read_extent
from libravdb.adapters.vector_search import Rows
from libravdb.model import Where, Word

_PAGE = 12  # full-text rows looked up beyond those asked for, before looking whether they are enough
_ENOUGH_MIN, _ENOUGH_MAX = 2_000, 8_000  # rows to choose from, in stores from 200,000 to 800,000 texts
_ENOUGH_SHARE = 100
_MAX_WORDS = 64  # a question of more distinct words is a text: its rarest ones say what it is about
_MAX_COLLECTIONS, _MAX_KNOWN = 64, 20_000  # whose word counts are remembered, and how many words of each
_STALE = 1.1  # in a large store counts of words are taken anew when it has grown by a tenth


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedCollection:
    """A collection as the full-text index knows it: how many texts stand in it, and terms in all of them."""

    id: int
    texts: int
    terms: int

    @property
    def average(self) -> float:
        """Terms of a text."""
        return self.terms / max(self.texts, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """The records that hold words of a question, best first, row to id; and of words that were counted on the way, how
    many texts of the collection hold them."""

    ids: dict[int, str]
    holders: Mapping[Word, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    """Full-text rows that hold a word of a question, each once, their BM25, and what was counted on the way."""

    rows: Rows
    scores: Scores
    holders: Mapping[Word, int] = field(default_factory=dict)


class WordSearch:
    """Searches, and remembers how common words are, where they stand and how long rows are. Usable from many
    threads."""

    def __init__(self) -> None:
        self._lengths = _Lengths()
        self._bags = FileRows(LEXICAL)
        self.clear()

    def clear(self) -> None:
        """Let go of all words."""
        self._counts: tuple[Extent, dict[str, int]] = (Extent(0, 0, 0), {})
        self._holders: dict[int, tuple[int, dict[Word, int]]] = {}
        self._postings = LongPostings()
        self._bags.clear()

    def search(
        self,
        db: sqlite3.Connection,
        collection: IndexedCollection,
        words: Sequence[Word],
        *,
        k: int,
        where: Where,
        excluded: Rows,
    ) -> Worded:
        """The k best records by BM25; equal scores by id, so that the order of insertion does not show.

        Full-text rows stand for texts; which records of the collection carry them, and whether these pass the
        filter, is looked up page by page until enough are found.
        """
        ranked = self._ranked(db, collection, words)
        skip = set(excluded.tolist())
        found: list[tuple[float, str, int]] = []
        for page in _pages(ranked, k + _PAGE):
            found += _records_of(db, collection.id, page, where, skip)
            if len(found) >= k:
                break
        return Worded(ids={row: id for _, id, row in sorted(found)[:k]}, holders=ranked.holders)

    def holders(
        self, db: sqlite3.Connection, collection: IndexedCollection, words: Sequence[Word], counted: Mapping[Word, int]
    ) -> tuple[int, ...]:
        """How many texts of the collection hold each word, in any of its forms, if that was not counted already.

        Counted once and then remembered until the collection has grown or shrunk by a tenth: a word's rarity hardly
        moves by one text. In a collection that is most of a large store the whole index is asked, which counts without
        looking at rows.
        """
        if all(word in counted for word in words):
            return tuple(counted[word] for word in words)
        counted_at, known = self._holders.get(collection.id, (0, {}))
        is_small = collection.texts <= SMALL_STORE
        if is_small or not counted_at / _STALE <= collection.texts <= counted_at * _STALE:
            counted_at, known = collection.texts, {}
        extent = read_extent(db)
        for word in words:
            if word not in known:
                known[word] = self._holding(db, collection, word, extent)
        if not is_small:
            if len(self._holders) >= _MAX_COLLECTIONS or len(known) > _MAX_KNOWN:
                self._holders.clear()
            self._holders[collection.id] = (counted_at, known)
        return tuple(known[word] for word in words)

    def _holding(self, db: sqlite3.Connection, collection: IndexedCollection, word: Word, extent: Extent) -> int:
        if extent.holds_mostly(collection.texts) and not _has_prefix(word):
            return min(sum(self._count(db, form, extent) for form in word), collection.texts)
        found = db.execute("SELECT count(*) FROM lexicon WHERE lexicon MATCH ?", (_match(word, collection),)).fetchone()
        return int(found[0])

    def _ranked(self, db: sqlite3.Connection, collection: IndexedCollection, words: Sequence[Word]) -> _Ranked:
        extent = read_extent(db)
        chosen = self._telling_words(db, list(words), extent)
        forms = list(dict.fromkeys(form for word in chosen for form in word))
        if not forms:
            return _Ranked(rows=np.empty(0, dtype=np.int64), scores=np.empty(0))
        if extent.holds_mostly(collection.texts) and not _has_prefix(forms):
            return self._ranked_by_postings(db, forms, extent)
        rows, counts, lengths = _bags_of(db, _match(forms, collection), forms, self._bags)
        weights = np.array([idf(held, collection.texts) for held in np.count_nonzero(counts, axis=0).tolist()])
        columns = {form: column for column, form in enumerate(forms)}
        holders = {word: int(counts[:, [columns[form] for form in word]].any(axis=1).sum()) for word in chosen}
        gained = gains(counts, lengths[:, None], collection.average)
        return _Ranked(rows=rows, scores=gained @ weights, holders=holders)

    def _ranked_by_postings(self, db: sqlite3.Connection, forms: list[str], extent: Extent) -> _Ranked:
        """Where each term stands, one entry an occurrence, is all of BM25 but the lengths, which are in memory."""
        lengths = self._lengths.synced(db, extent.newest)
        holders: list[Rows] = []
        gained: list[Scores] = []
        for form in forms:
            rows, counts = self._postings.get(db, form, extent)
            holders.append(rows)
            gained.append(idf(rows.size, extent.rows) * gains(counts, lengths[rows], extent.average))
        rows, places = np.unique(np.concatenate(holders), return_inverse=True)
        scores = np.bincount(places, weights=np.concatenate(gained), minlength=rows.size).astype(np.float64)
        return _Ranked(rows=rows, scores=scores)

    def _telling_words(self, db: sqlite3.Connection, words: list[Word], extent: Extent) -> list[Word]:
        """The rarest words that stand in enough rows together; all of them in a small store."""
        if extent.is_small and len(words) <= _MAX_WORDS:
            return words
        enough = min(max(extent.rows // _ENOUGH_SHARE, _ENOUGH_MIN), _ENOUGH_MAX)
        counted = sorted((sum(self._count(db, form, extent) for form in word), word) for word in words)
        chosen: list[Word] = []
        rows = 0
        for count, word in counted[:_MAX_WORDS]:
            if chosen and rows + count > enough and rows > 0:
                break
            chosen.append(word)
            rows += count
        return chosen

    def _count(self, db: sqlite3.Connection, form: str, extent: Extent) -> int:
        """In how many full-text rows a term stands; a prefix counts as rare. In a small store always exact."""
        if form.endswith("*"):
            return 0
        counted_at, counts = self._counts
        is_fresh = counted_at == extent or (
            not extent.is_small and counted_at.rows <= extent.rows <= counted_at.rows * _STALE
        )
        if not is_fresh or len(counts) > _MAX_KNOWN:
            counts = {}
            self._counts = extent, counts
        count = counts.get(form)
        if count is None:
            found = db.execute("SELECT doc FROM lexicon_terms WHERE term = ? AND col = 'terms'", (form,)).fetchone()
            counts[form] = count = 0 if found is None else int(found[0])
        return count


def _pages(ranked: _Ranked, size: int) -> Iterator[dict[int, float]]:
    """Rows with their scores, best first, in pages that grow; equals stay together. Only what is asked for is sorted
    out: most questions end with the first page."""
    rows, scores = ranked.rows, ranked.scores
    while rows.size:
        last = -np.inf if size >= rows.size else np.partition(scores, rows.size - size)[rows.size - size]
        is_taken = scores >= last
        yield dict(zip(rows[is_taken].tolist(), scores[is_taken].tolist(), strict=True))
        size = 4 * int(np.count_nonzero(is_taken))
        rows, scores = rows[~is_taken], scores[~is_taken]


class _Lengths:
    """How many terms each full-text row has, by its number. A row's length never changes, and no number comes twice."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known = np.zeros(1, dtype=np.float32)

    def synced(self, db: sqlite3.Connection, newest: int) -> NDArray[np.float32]:
        """At least all rows that `db`'s transaction sees, of which `newest` is the last."""
        with self._lock:
            if newest >= self._known.size:
                found = db.execute(
                    "SELECT l.row, b.length FROM lexical l CROSS JOIN bags b ON b.text = l.text WHERE l.row >= ?",
                    (self._known.size,),
                ).fetchall()
                longer = np.zeros(newest + 1, dtype=np.float32)
                longer[: self._known.size] = self._known
                if found:
                    rows, lengths = zip(*found, strict=True)
                    longer[list(rows)] = lengths
                self._known = longer
            return self._known


def _has_prefix(forms: Iterable[str]) -> bool:
    return any(form.endswith("*") for form in forms)


def _match(forms: Iterable[str], collection: IndexedCollection) -> str:
    """In FTS5's language: any of these terms, in this collection."""
    asked = " OR ".join(match_term(form) for form in forms)
    return f"scope : c{collection.id} AND terms : ({asked})"


def _bags_of(
    db: sqlite3.Connection, match: str, forms: list[str], kept: FileRows
) -> tuple[Rows, NDArray[np.int64], Rows]:
    """Rows that match, how often each term stands in them, and their lengths."""
    words = [(form,) for form in forms]
    if _has_prefix(forms):  # a prefix has no checksum
        found = db.execute(
            "SELECT l.row, b.length, b.terms FROM (SELECT rowid FROM lexicon WHERE lexicon MATCH ?) f"
            " CROSS JOIN lexical l ON l.row = f.rowid CROSS JOIN bags b ON b.text = l.text",
            (match,),
        ).fetchall()
        counts = term_counts.count_terms([terms for *_, terms in found], words)
        numbers = np.array([(row, length) for row, length, _ in found], dtype=np.int64).reshape(-1, 2)
        return numbers[:, 0], counts, numbers[:, 1]
    matched = db.execute("SELECT rowid FROM lexicon WHERE lexicon MATCH ?", (match,)).fetchall()
    bags = kept.get(db, [row for (row,) in matched])
    counts = term_counts.count([read.bag for read in bags.values()], words)
    lengths = np.array([read.length for read in bags.values()], dtype=np.int64)
    return np.array(list(bags), dtype=np.int64), counts, lengths


def _records_of(
    db: sqlite3.Connection, collection: int, texts: dict[int, float], where: Where, skip: set[int]
) -> list[tuple[float, str, int]]:
    """The records of a collection that carry these full-text rows: their score negated, id and row."""
    condition, values = where_sql(where)
    found = db.execute(
        "SELECT l.row, r.id, r.row FROM lexical l"
        " CROSS JOIN records r INDEXED BY records_by_text ON r.collection = ? AND r.text = l.text"
        f" WHERE l.row IN (SELECT value FROM json_each(?)){condition}",
        (collection, json.dumps(list(texts)), *values),
    )
    return [(-texts[text], id, row) for text, id, row in found if row not in skip]
