"""Search by words: which texts of a collection hold the words of a question, ranked by BM25.

FTS5 ranks every row that holds one of the words, about two microseconds each, so a question's cost is the number of
rows its words stand in. Words are therefore taken rarest first until they stand in enough rows to choose from; the
commonest words of a long question, which tell least, are left out. In a small store every word is used.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from libravdb.model import Query, Where
from libravdb.store.filters import best_rows, where_sql
from libravdb.store.vectors import Rows
from libravdb.terms import query_terms

_PAGE = 64  # full-text rows read beyond those asked for, before looking whether they are enough
_ENOUGH_MIN, _ENOUGH_MAX = 2_000, 8_000  # rows to choose from, in stores from 200,000 to 800,000 texts
_ENOUGH_SHARE = 100
_MAX_WORDS = 64  # a question of more distinct words is a text: its rarest ones say what it is about
_SMALL_STORE = 5_000  # full-text rows up to which counting words costs more than it saves
_LARGE_SHARE = 0.3  # a collection that holds this much of the store is filtered after ranking, not while
_MAX_COLLECTIONS, _MAX_KNOWN = 64, 20_000  # whose word counts are remembered, and how many words of each
_STALE = 1.1  # counts of words are taken anew when the store has grown by a tenth


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedCollection:
    """A collection as the full-text index knows it, and how many texts stand in it."""

    id: int
    texts: int


class WordSearch:
    """Searches, and remembers how common words are; a count that is a little old only costs a little time."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._counted_at = 0
        self._holders: dict[int, tuple[int, dict[tuple[str, ...], int]]] = {}

    def search(
        self, db: sqlite3.Connection, collection: IndexedCollection, query: Query, excluded: Rows
    ) -> dict[int, float]:
        """The k best records by BM25, row to score.

        Full-text rows stand for texts; which records of the collection carry them, and whether these pass the
        filter, is looked up page by page until enough are found.
        """
        match = self._match(db, collection, query.text or "")
        if match is None:
            return {}
        skip = set(excluded.tolist())
        page = 2 * query.k + _PAGE
        while True:
            texts = _ranked_texts(db, match, page)
            scores = dict(_records_of(db, collection.id, texts, query.where, skip))
            exhausted = len(texts) < page
            worst = min(texts.values(), default=0.0)
            if exhausted or sum(score > worst for score in scores.values()) >= query.k:
                kept = best_rows(db, scores, query.k)
                return {row: scores[row] for row in kept}
            page *= 4

    def holders(
        self, db: sqlite3.Connection, collection: IndexedCollection, words: Sequence[tuple[str, ...]]
    ) -> tuple[int, ...]:
        """How many texts of the collection hold each word, in any of its forms.

        Counted once and then remembered until the collection has grown or shrunk by a tenth: a word's rarity hardly
        moves by one text. In a collection that is most of a large store the whole index is asked, which counts without
        looking at rows.
        """
        counted_at, known = self._holders.get(collection.id, (0, {}))
        is_small = collection.texts <= _SMALL_STORE
        if is_small or not counted_at / _STALE <= collection.texts <= counted_at * _STALE:
            counted_at, known = collection.texts, {}
        size = _index_rows(db)
        for word in words:
            if word not in known:
                known[word] = self._holding(db, collection, word, size)
        if not is_small:
            if len(self._holders) >= _MAX_COLLECTIONS or len(known) > _MAX_KNOWN:
                self._holders.clear()
            self._holders[collection.id] = (counted_at, known)
        return tuple(known[word] for word in words)

    def _holding(self, db: sqlite3.Connection, collection: IndexedCollection, word: tuple[str, ...], size: int) -> int:
        if collection.texts > _LARGE_SHARE * size and size > _SMALL_STORE and not any(f.endswith("*") for f in word):
            return min(sum(self._count(db, form, size) for form in word), collection.texts)
        found = db.execute(
            "SELECT count(*) FROM lexicon WHERE lexicon MATCH ?",
            (f"scope : c{collection.id} AND terms : ({_asked(word)})",),
        ).fetchone()
        return int(found[0])

    def _match(self, db: sqlite3.Connection, collection: IndexedCollection, text: str) -> str | None:
        """The question in FTS5's language: in this collection, any form of any of its words."""
        size = _index_rows(db)
        words = self._telling_words(db, query_terms(text), size)
        forms = dict.fromkeys(form for word in words for form in word)
        if not forms:
            return None
        asked = _asked(forms)
        if collection.texts > _LARGE_SHARE * size and size > _SMALL_STORE:
            return f"terms : ({asked})"
        return f"scope : c{collection.id} AND terms : ({asked})"

    def _telling_words(self, db: sqlite3.Connection, words: list[tuple[str, ...]], size: int) -> list[tuple[str, ...]]:
        """The rarest words that stand in enough rows together; all of them in a small store."""
        if size <= _SMALL_STORE and len(words) <= _MAX_WORDS:
            return words
        enough = min(max(size // _ENOUGH_SHARE, _ENOUGH_MIN), _ENOUGH_MAX)
        counted = sorted((sum(self._count(db, form, size) for form in word), word) for word in words)
        chosen: list[tuple[str, ...]] = []
        rows = 0
        for count, word in counted[:_MAX_WORDS]:
            if chosen and rows + count > enough and rows > 0:
                break
            chosen.append(word)
            rows += count
        return chosen

    def _count(self, db: sqlite3.Connection, form: str, size: int) -> int:
        """In how many full-text rows a term stands; a prefix counts as rare."""
        if form.endswith("*"):
            return 0
        if not self._counted_at <= size <= self._counted_at * _STALE:
            self._counts.clear()
            self._counted_at = size
        if form not in self._counts:
            found = db.execute("SELECT doc FROM lexicon_terms WHERE term = ? AND col = 'terms'", (form,)).fetchone()
            self._counts[form] = 0 if found is None else int(found[0])
        return self._counts[form]


def _asked(forms: Iterable[str]) -> str:
    """Any of these terms, in FTS5's language."""
    return " OR ".join(f'"{form[:-1]}" *' if form.endswith("*") else f'"{form}"' for form in forms)


def _index_rows(db: sqlite3.Connection) -> int:
    """About how many rows the full-text index has: the newest row's number, never too small."""
    return int(db.execute("SELECT coalesce(max(row), 0) FROM lexical").fetchone()[0])


def _ranked_texts(db: sqlite3.Connection, match: str, limit: int) -> dict[int, float]:
    """Texts by BM25, best first (FTS5 gives it negated)."""
    rows = db.execute(
        "SELECT l.text, f.rank FROM (SELECT rowid, rank FROM lexicon WHERE lexicon MATCH ? ORDER BY rank LIMIT ?) f"
        " CROSS JOIN lexical l ON l.row = f.rowid",
        (match, limit),
    )
    return {text: -rank for text, rank in rows}


def _records_of(
    db: sqlite3.Connection, collection: int, texts: dict[int, float], where: Where, skip: set[int]
) -> Iterator[tuple[int, float]]:
    condition, values = where_sql(where)
    rows = db.execute(
        "SELECT r.row, r.text FROM records r INDEXED BY records_by_text"
        f" WHERE r.collection = ? AND r.text IN (SELECT value FROM json_each(?)){condition}",
        (collection, json.dumps(list(texts)), *values),
    )
    for row, text in rows:
        if row not in skip:
            yield row, texts[text]
