"""The reads behind recall: candidates of a question, the turns beside them, and what ranking measures of each.

All of it comes from one state of the file. Nothing here looks at every record of a collection, unless a filter has to:
candidates come from the vector arrays and the full-text index, neighbours from an index on sessions, word counts from
bags.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from libravdb.adapters import term_counts
from libravdb.adapters.sqlite.filters import where_sql
from libravdb.adapters.sqlite.fulltext import IndexedCollection, WordSearch
from libravdb.adapters.sqlite.kept_rows import FileRows
from libravdb.adapters.sqlite.vector_cache import VectorCache
from libravdb.adapters.vector_codes import Vector
from libravdb.adapters.vector_search import Rows, View, nearest
from libravdb.errors import SpaceMismatch
from libravdb.model import Embedding, Key, Near, Where, Word
from libravdb.ports.settings import StoreSettings

Row = int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What searches keep in memory between two of them."""

    cache: VectorCache
    words: WordSearch
    rows: FileRows
    settings: StoreSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedCollection:
    """A collection that is searched, as the reader's transaction sees it."""

    id: int
    epoch: int
    texts: int
    terms: int

    @property
    def indexed(self) -> IndexedCollection:
        """The collection as the full-text index knows it."""
        return IndexedCollection(id=self.id, texts=self.texts, terms=self.terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveSpace:
    """The vector space in use."""

    id: int
    dimensions: int


@dataclass(slots=True)
class Met:
    """What a snapshot has learnt of a collection so far: rows of records, its vectors, who holds which word, and what
    the question `embedding` has measured, row to cosine and vector."""

    collection: SearchedCollection
    rows: dict[str, Row] = field(default_factory=dict)
    view: View | None = None
    holders: Mapping[Word, int] = field(default_factory=dict)
    embedding: Embedding | None = None
    measured: dict[Row, tuple[float, int]] = field(default_factory=dict)


def find_collection(db: sqlite3.Connection, name: str) -> SearchedCollection | None:
    """A collection by its name."""
    row = db.execute("SELECT id, epoch, texts, terms FROM collections WHERE name = ?", (name,)).fetchone()
    return None if row is None else SearchedCollection(id=row[0], epoch=row[1], texts=row[2], terms=row[3])


def active_space(db: sqlite3.Connection, embedding: Embedding) -> ActiveSpace | None:
    """The space in use, if there is one; a question of another embedder is refused."""
    found = db.execute("SELECT id, dimensions, fingerprint FROM spaces WHERE state = 'active'").fetchone()
    if found is None:
        return None
    if embedding.fingerprint != found[2]:
        raise SpaceMismatch(offered=embedding.fingerprint, active=found[2])
    if embedding.vectors.shape[1] != found[1]:
        raise SpaceMismatch(
            offered=f"{embedding.fingerprint} with {embedding.vectors.shape[1]} dimensions",
            active=f"{embedding.fingerprint} with {found[1]} dimensions",
        )
    return ActiveSpace(id=int(found[0]), dimensions=int(found[1]))


def view_of(db: sqlite3.Connection, met: Met, space: ActiveSpace, reader: Reader) -> View:
    """The vectors of a collection, brought up to date once a snapshot."""
    if met.view is None:
        met.view = reader.cache.view(
            db, collection=met.collection.id, epoch=met.collection.epoch, space=space.id, dimensions=space.dimensions
        )
    return met.view


def near(
    db: sqlite3.Connection,
    name: str,
    met: Met,
    space: ActiveSpace,
    reader: Reader,
    *,
    embedding: Embedding,
    k: int,
    where: Where,
    excluded: Collection[str],
    is_whole: bool,
) -> list[Near]:
    """The k records of a collection closest to a vector, best first, equals by id."""
    view = view_of(db, met, space, reader)
    only = None if where.is_open() else _matching_rows(db, met.collection.id, where)
    hidden = rows_of(db, met.collection.id, excluded)
    query = embedding.vectors[0]

    def fetch(ids: Rows) -> Vector:
        return reader.cache.fetch(db, ids, query.size)

    mask = view.mask(only=only, without=hidden, is_whole=is_whole)
    found = nearest(view, query, k=k, mask=mask, fetch=fetch, settings=reader.settings)
    kept = reader.rows.get(db, [row for row, _, _ in found])
    met.rows.update((read.id, row) for row, read in kept.items())
    found.sort(key=lambda one: (-one.cosine, kept[one.record].id))
    if not is_whole:
        if met.embedding is not embedding:  # what another question measured is no answer to this one
            met.measured.clear()
        met.embedding = embedding
        met.measured.update((row, (cosine, vector)) for row, vector, cosine in found)
    del found[k:]
    starts, _ = view.spans(np.array([row for row, _, _ in found], dtype=np.int64))
    firsts = view.vectors[starts].tolist() if found else []
    return [
        Near(key=Key(name, kept[row].id), cosine=cosine, passage=vector - first)
        for (row, vector, cosine), first in zip(found, firsts, strict=True)
    ]


def matching(
    db: sqlite3.Connection,
    name: str,
    met: Met,
    reader: Reader,
    *,
    words: Sequence[Word],
    k: int,
    where: Where,
    excluded: Collection[str],
) -> list[Key]:
    """The k records of a collection whose words tell most."""
    hidden = rows_of(db, met.collection.id, excluded)
    found = reader.words.search(db, met.collection.indexed, words, k=k, where=where, excluded=hidden)
    met.holders = {**met.holders, **found.holders}
    met.rows.update((id, row) for row, id in found.ids.items())
    return [Key(name, id) for id in found.ids.values()]


# Turns of one moment are told apart by arrival. Two seeks rather than one over (at, row): SQLite would use only the
# time for it, and walk through all turns of that moment.
_BESIDE = (
    "SELECT n.row FROM records n INDEXED BY records_by_session"
    " WHERE n.collection = r.collection AND n.session = r.session"
)
_LINKS = (
    f"SELECT r.row,"
    f" coalesce(({_BESIDE} AND n.at = r.at AND n.row < r.row ORDER BY n.row DESC LIMIT 1),"
    f" ({_BESIDE} AND n.at < r.at ORDER BY n.at DESC, n.row DESC LIMIT 1)),"
    f" coalesce(({_BESIDE} AND n.at = r.at AND n.row > r.row ORDER BY n.row LIMIT 1),"
    f" ({_BESIDE} AND n.at > r.at ORDER BY n.at, n.row LIMIT 1))"
    " FROM records r WHERE r.session IS NOT NULL AND r.row IN (SELECT value FROM json_each(?))"
)


def links(db: sqlite3.Connection, rows: Sequence[Row]) -> dict[Row, tuple[Row | None, Row | None]]:
    """The rows right before and after these in their sessions."""
    return {row: (before, after) for row, before, after in db.execute(_LINKS, (json.dumps(list(rows)),))}


def visible(db: sqlite3.Connection, rows: Collection[Row], where: Where) -> dict[Row, Key]:
    """Those of these rows that a filter lets through, with their places."""
    if not rows:
        return {}
    condition, values = where_sql(where)
    found = db.execute(
        "SELECT r.row, c.name, r.id FROM json_each(?) j CROSS JOIN records r ON r.row = j.value"
        f" CROSS JOIN collections c ON c.id = r.collection WHERE TRUE{condition}",
        (json.dumps(list(rows)), *values),
    )
    return {row: Key(name, id) for row, name, id in found}


def worded(
    db: sqlite3.Connection, rows: Collection[Row], words: Sequence[Word], reader: Reader
) -> dict[Row, tuple[tuple[int, ...], int]]:
    """How often each word stands in each record, and how many terms the record has."""
    if any(form.endswith("*") for forms in words for form in forms):  # a prefix has no checksum
        found = db.execute(
            "SELECT r.row, b.length, b.terms FROM json_each(?) j"
            " CROSS JOIN records r ON r.row = j.value CROSS JOIN bags b ON b.text = r.text",
            (json.dumps(list(rows)),),
        ).fetchall()
        counted = term_counts.count_terms([terms for *_, terms in found], words).tolist()
        return {row: (tuple(count), length) for (row, length, _), count in zip(found, counted, strict=True)}
    kept = reader.rows.get(db, rows)
    counts = term_counts.count([read.bag for read in kept.values()], words).tolist()
    return {row: (tuple(count), read.length) for (row, read), count in zip(kept.items(), counts, strict=True)}


def rows_of(db: sqlite3.Connection, collection: int, ids: Collection[str]) -> Rows:
    """The rows of these records, sorted."""
    if not ids:
        return np.empty(0, dtype=np.int64)
    rows = db.execute(
        "SELECT row FROM records WHERE collection = ? AND id IN (SELECT value FROM json_each(?))",
        (collection, json.dumps(list(ids))),
    ).fetchall()
    return np.array(sorted(row for (row,) in rows), dtype=np.int64)


def _matching_rows(db: sqlite3.Connection, collection: int, where: Where) -> Rows:
    """Rows that a filter lets through, sorted; costs a look at every record of the collection."""
    condition, values = where_sql(where)
    rows = db.execute(f"SELECT r.row FROM records r WHERE r.collection = ?{condition}", (collection, *values))
    return np.array(sorted(row for (row,) in rows), dtype=np.int64)
