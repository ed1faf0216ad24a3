"""Questions to SQL: every read runs on a connection whose transaction sees one consistent state."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from libravdb.adapters.sqlite.filters import best_rows, where_sql
from libravdb.adapters.sqlite.fulltext import IndexedCollection, Word, WordSearch
from libravdb.adapters.sqlite.schema import MIGRATIONS
from libravdb.adapters.sqlite.vector_cache import (
    Mask,
    Rows,
    Vector,
    VectorCache,
    View,
    cosines,
    fetch_vectors,
    from_blobs,
    nearest,
)
from libravdb.errors import SpaceMismatch
from libravdb.model import (
    Candidate,
    CollectionInfo,
    Edge,
    Embedding,
    JournalEntry,
    Query,
    Record,
    SessionState,
    Space,
    SpaceState,
    StoreStats,
    Where,
    digest,
)
from libravdb.ports.settings import StoreSettings
from libravdb.text.analysis import ANALYSIS

RECORD = (
    "SELECT c.name, r.id, t.body, r.metadata, r.at, r.version, r.access_count, r.row FROM records r"
    " CROSS JOIN collections c ON c.id = r.collection CROSS JOIN texts t ON t.id = r.text"
)


# ── records and their company ─────────────────────────────────────────────────────────────────────────────


def get(db: sqlite3.Connection, collection: str, id: str) -> Record | None:
    """One record, or None."""
    found = db.execute(
        f"{RECORD} WHERE r.collection = (SELECT id FROM collections WHERE name = ?) AND r.id = ?", (collection, id)
    ).fetchone()
    return None if found is None else to_record(found)


def scan(
    db: sqlite3.Connection, collection: str, *, where: Where, after: str | None, limit: int | None
) -> list[Record]:
    """Records in byte order of their ids."""
    condition, values = where_sql(where)
    if after is not None:
        condition, values = f"{condition} AND r.id > ?", [*values, after]
    rows = db.execute(
        f"{RECORD} WHERE r.collection = (SELECT id FROM collections WHERE name = ?){condition} ORDER BY r.id LIMIT ?",
        (collection, *values, _limit(limit)),
    )
    return [to_record(row) for row in rows]


def latest(db: sqlite3.Connection, collection: str, *, limit: int, where: Where) -> list[Record]:
    """The newest records first."""
    condition, values = where_sql(where)
    rows = db.execute(
        f"{RECORD} WHERE r.collection = (SELECT id FROM collections WHERE name = ?){condition}"
        " ORDER BY r.at DESC, r.id DESC LIMIT ?",
        (collection, *values, _limit(limit)),
    )
    return [to_record(row) for row in rows]


def holding(db: sqlite3.Connection, collection: str, text: str) -> list[Record]:
    """Records with exactly this text, by time, then id."""
    rows = db.execute(
        f"{RECORD} WHERE r.collection = (SELECT id FROM collections WHERE name = ?)"
        " AND r.text = (SELECT id FROM texts WHERE digest = ?) ORDER BY r.at, r.id",
        (collection, digest(text)),
    )
    return [to_record(row) for row in rows]


def collections(db: sqlite3.Connection, prefix: str) -> list[CollectionInfo]:
    """Collections whose names start with the prefix, in byte order: a stretch of the index on names."""
    end = _behind(prefix)
    rows = db.execute(
        "SELECT c.name, (SELECT count(*) FROM records r INDEXED BY records_by_arrival WHERE r.collection = c.id)"
        f" FROM collections c WHERE c.name >= ?{'' if end is None else ' AND c.name < ?'} ORDER BY c.name",
        (prefix,) if end is None else (prefix, end),
    )
    return [CollectionInfo(name=name, records=records) for name, records in rows]


def _behind(prefix: str) -> str | None:
    """The least text behind every text that starts so; None when there is none."""
    for place in range(len(prefix) - 1, -1, -1):
        point = ord(prefix[place]) + 1
        if point <= sys.maxunicode:
            return prefix[:place] + chr(0xE000 if 0xD800 <= point < 0xE000 else point)  # no text holds surrogates
    return None


def speakers(db: sqlite3.Connection, collection: str, limit: int) -> list[str]:
    """Who speaks in a collection: from each name the index is asked for the next, so rows are not counted."""
    rows = db.execute(
        "WITH RECURSIVE names (collection, name) AS ("
        " SELECT c.id, (SELECT min(r.speaker) FROM records r WHERE r.collection = c.id AND r.speaker IS NOT NULL)"
        " FROM collections c WHERE c.name = ?"
        " UNION ALL SELECT collection, (SELECT min(r.speaker) FROM records r WHERE r.collection = names.collection"
        " AND r.speaker > names.name) FROM names WHERE name IS NOT NULL"
        ") SELECT name FROM names WHERE name IS NOT NULL LIMIT ?",
        (collection, _limit(limit)),
    )
    named = [json.loads(name) for (name,) in rows]
    return sorted(name for name in named if isinstance(name, str) and name)


def edges(db: sqlite3.Connection, session: str | None, parent: str | None) -> list[Edge]:
    """Coverage edges by session, parent, position, child."""
    asked = {"session": session, "parent": parent}
    given = {name: value for name, value in asked.items() if value is not None}
    condition = " AND ".join(["TRUE", *(f"{name} = :{name}" for name in given)])  # no "or NULL": it would use no index
    rows = db.execute(
        f"SELECT session, parent, child, child_kind, position, at FROM edges WHERE {condition}"
        " ORDER BY session, parent, position, child",
        given,
    )
    return [
        Edge(session=session, parent=parent, child=child, child_kind=kind, position=position, at=at)
        for session, parent, child, kind, position, at in rows
    ]


def journal(db: sqlite3.Connection, session: str | None, limit: int | None) -> list[JournalEntry]:
    """Journal entries, newest last."""
    condition, values = ("", ()) if session is None else (" WHERE session = ?", (session,))
    rows = db.execute(
        f"SELECT seq, session, at, entry FROM journal{condition} ORDER BY seq DESC LIMIT ?", (*values, _limit(limit))
    ).fetchall()
    return [
        JournalEntry(seq=seq, session=session, at=at, entry=json.loads(entry))
        for seq, session, at, entry in reversed(rows)
    ]


def session_states(db: sqlite3.Connection, session: str | None = None) -> list[SessionState]:
    """Sessions with a state of their own, all or one."""
    condition, values = ("", ()) if session is None else (" WHERE session = ?", (session,))
    rows = db.execute(f"SELECT session, generation, state, at FROM sessions{condition} ORDER BY session", values)
    return [
        SessionState(session=session, generation=generation, state=json.loads(state), at=at)
        for session, generation, state, at in rows
    ]


def spaces(db: sqlite3.Connection) -> list[Space]:
    """Vector spaces, the active one first."""
    rows = db.execute(
        "SELECT fingerprint, dimensions, description, state, texts, vectors, retired FROM spaces"
        " ORDER BY state = 'active' DESC, fingerprint"
    )
    return [
        Space(
            fingerprint=fingerprint,
            dimensions=dimensions,
            description=json.loads(description),
            state=SpaceState(state),
            texts=texts,
            vectors=vectors,
            retired=retired,
        )
        for fingerprint, dimensions, description, state, texts, vectors, retired in rows
    ]


def unembedded(db: sqlite3.Connection, fingerprint: str, limit: int) -> list[tuple[bytes, str]]:
    """Texts worth a vector that have none in this space, oldest first."""
    return db.execute(
        "SELECT t.digest, t.body FROM texts t WHERE NOT t.blank AND NOT EXISTS ("
        " SELECT 1 FROM codes c JOIN spaces s ON s.id = c.space WHERE s.fingerprint = ? AND c.text = t.id)"
        " ORDER BY t.id LIMIT ?",
        (fingerprint, _limit(limit)),
    ).fetchall()


def sample_texts(db: sqlite3.Connection, limit: int) -> list[tuple[bytes, str]]:
    """Texts spread evenly over the store, oldest first."""
    ids = [text for (text,) in db.execute("SELECT id FROM texts WHERE NOT blank ORDER BY id")]
    step = max(1, -(-len(ids) // limit)) if limit > 0 else len(ids) + 1
    chosen = ids[::step][:limit]
    return db.execute(
        "SELECT digest, body FROM texts WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", (json.dumps(chosen),)
    ).fetchall()


def stored_vectors(db: sqlite3.Connection, fingerprint: str, text: str) -> Vector | None:
    """The vectors of a text in a space, or None."""
    found = db.execute(
        "SELECT s.dimensions, c.first_vector, c.vectors FROM codes c JOIN spaces s ON s.id = c.space"
        " JOIN texts t ON t.id = c.text WHERE s.fingerprint = ? AND t.digest = ?",
        (fingerprint, digest(text)),
    ).fetchone()
    if found is None:
        return None
    dimensions, first, count = found
    rows = db.execute("SELECT vector FROM vectors WHERE id BETWEEN ? AND ? ORDER BY id", (first, first + count - 1))
    return from_blobs((vector for (vector,) in rows), dimensions)


def _limit(limit: int | None) -> int:
    """For SQLite a negative limit means everything; for a caller it means nothing."""
    return -1 if limit is None else min(max(limit, 0), 2**63 - 1)


def to_record(row: tuple[str, str, str, str, int, int, int, int]) -> Record:
    collection, id, text, metadata, at, version, access_count, _ = row
    return Record(
        collection=collection,
        id=id,
        text=text,
        metadata=json.loads(metadata),
        at=at,
        version=version,
        access_count=access_count,
    )


# ── search ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class RowMatch:
    """What a search has measured of one record so far."""

    cosine: float | None = None
    vector: int | None = None
    bm25: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionMatches:
    """The best records of a collection, row to what was measured; how many of its texts hold a word, of those that were
    counted on the way; and its vectors, if they were compared."""

    found: dict[int, RowMatch]
    holders: Mapping[Word, int]
    view: View | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What searches keep in memory between two of them."""

    cache: VectorCache
    words: WordSearch
    settings: StoreSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedCollection:
    """A collection that is searched, as the reader's transaction sees it; `space` is None without vectors."""

    name: str
    id: int
    epoch: int
    texts: int
    terms: int
    space: int | None
    dimensions: int
    excluded: Rows

    @property
    def indexed(self) -> IndexedCollection:
        """The collection as the full-text index knows it."""
        return IndexedCollection(id=self.id, texts=self.texts)


def open_places(db: sqlite3.Connection, query: Query) -> Iterator[SearchedCollection]:
    """The asked collections that exist, each once, in the order asked."""
    space = _active_space(db, query.embedding)
    for name in dict.fromkeys(query.collections):
        row = db.execute("SELECT id, epoch, texts, terms FROM collections WHERE name = ?", (name,)).fetchone()
        if row is None or query.k <= 0:
            continue
        collection, epoch, texts, terms = row
        yield SearchedCollection(
            name=name,
            id=collection,
            epoch=epoch,
            texts=texts,
            terms=terms,
            space=None if space is None else space[0],
            dimensions=0 if space is None else space[1],
            excluded=_rows_of(db, collection, query.exclude.get(name, frozenset())),
        )


def find(db: sqlite3.Connection, query: Query, place: SearchedCollection, reader: Reader) -> CollectionMatches:
    """The k best records of a collection by cosine and the k best by words."""
    found: dict[int, RowMatch] = {}
    view = None
    if query.embedding is not None and place.space is not None:
        view = reader.cache.view(
            db, collection=place.id, epoch=place.epoch, space=place.space, dimensions=place.dimensions
        )
        only = None if query.where.is_open() else _matching_rows(db, place.id, query.where)
        mask = view.mask(only=only, without=place.excluded, is_whole=query.is_whole)
        found = _dense(db, view, query.embedding.vectors[0], k=query.k, mask=mask, settings=reader.settings)
    if query.text is None:
        return CollectionMatches(found=found, holders={}, view=view)
    worded = reader.words.search(db, place.indexed, query, place.excluded)
    for row, score in worded.scores.items():
        found.setdefault(row, RowMatch()).bm25 = score
    return CollectionMatches(found=found, holders=worded.holders, view=view)


def search(db: sqlite3.Connection, query: Query, reader: Reader) -> list[Candidate]:
    """Dense and lexical candidates of each collection asked, in that order, then by id."""
    candidates: list[Candidate] = []
    for place in open_places(db, query):
        found = find(db, query, place, reader).found
        if query.embedding is not None and place.space is not None:
            _measure_rest(db, found, place.space, query.embedding.vectors[0], is_whole=query.is_whole)
        candidates.extend(_candidates(db, found, place.space))
    return candidates


def _dense(
    db: sqlite3.Connection, view: View, vector: Vector, *, k: int, mask: Mask, settings: StoreSettings
) -> dict[int, RowMatch]:
    """The k best records by cosine, row to what was measured."""

    def fetch(ids: Rows) -> Vector:
        return fetch_vectors(db, ids, vector.size)

    near = nearest(view, vector, k=k, mask=mask, fetch=fetch, settings=settings)
    kept = best_rows(db, {neighbour.record: neighbour.cosine for neighbour in near}, k)
    return {one.record: RowMatch(cosine=one.cosine, vector=one.vector) for one in near if one.record in kept}


def _active_space(db: sqlite3.Connection, embedding: Embedding | None) -> tuple[int, int] | None:
    """Id and dimensions of the space in use; a query of another embedder is refused."""
    found = db.execute("SELECT id, dimensions, fingerprint FROM spaces WHERE state = 'active'").fetchone()
    if found is None:
        return None
    if embedding is not None and embedding.fingerprint != found[2]:
        raise SpaceMismatch(offered=embedding.fingerprint, active=found[2])
    if embedding is not None and embedding.vectors.shape[1] != found[1]:
        raise SpaceMismatch(
            offered=f"{embedding.fingerprint} with {embedding.vectors.shape[1]} dimensions",
            active=f"{embedding.fingerprint} with {found[1]} dimensions",
        )
    return int(found[0]), int(found[1])


def _rows_of(db: sqlite3.Connection, collection: int, ids: Collection[str]) -> Rows:
    plain = [id for id in ids if "\0" not in id]
    rows = db.execute(
        "SELECT row FROM records WHERE collection = ? AND id IN (SELECT value FROM json_each(?))",
        (collection, json.dumps(plain)),
    ).fetchall()
    for id in ids:
        if "\0" in id:  # SQLite's JSON would cut it off there
            rows += db.execute("SELECT row FROM records WHERE collection = ? AND id = ?", (collection, id)).fetchall()
    return np.array(sorted(row for (row,) in rows), dtype=np.int64)


def _matching_rows(db: sqlite3.Connection, collection: int, where: Where) -> Rows:
    """Rows that a filter lets through, sorted; costs a look at every record of the collection."""
    condition, values = where_sql(where)
    rows = db.execute(f"SELECT r.row FROM records r WHERE r.collection = ?{condition}", (collection, *values))
    return np.array(sorted(row for (row,) in rows), dtype=np.int64)


def _measure_rest(
    db: sqlite3.Connection, found: dict[int, RowMatch], space: int, query: Vector, *, is_whole: bool
) -> None:
    """Cosines of the candidates that only their words brought here."""
    rest = [row for row, measured in found.items() if measured.cosine is None]
    if not rest:
        return
    rows = db.execute(
        "SELECT r.row, c.first_vector, iif(?, 1, c.vectors) FROM records r"
        " CROSS JOIN codes c ON c.space = ? AND c.text = r.text WHERE r.row IN (SELECT value FROM json_each(?))",
        (is_whole, space, json.dumps(rest)),
    ).fetchall()
    if not rows:
        return
    ids = np.concatenate([np.arange(first, first + count) for _, first, count in rows])
    exact = cosines(fetch_vectors(db, ids, query.size), query)
    end = 0
    for row, first, count in rows:
        start, end = end, end + count
        best = int(np.argmax(exact[start:end]))
        found[row].cosine, found[row].vector = float(exact[start + best]), first + best


def _candidates(db: sqlite3.Connection, found: dict[int, RowMatch], space: int | None) -> Iterator[Candidate]:
    rows = db.execute(
        f"{RECORD} WHERE r.row IN (SELECT value FROM json_each(?)) ORDER BY r.id", (json.dumps(list(found)),)
    ).fetchall()
    firsts = _first_vectors(db, [row[-1] for row in rows], space)
    for row in rows:
        measured = found[row[-1]]
        passage = None if measured.vector is None else measured.vector - firsts[row[-1]]
        yield Candidate(record=to_record(row), cosine=measured.cosine, passage=passage, bm25=measured.bm25)


def _first_vectors(db: sqlite3.Connection, rows: list[int], space: int | None) -> dict[int, int]:
    if space is None:
        return {}
    found = db.execute(
        "SELECT r.row, c.first_vector FROM records r CROSS JOIN codes c ON c.space = ? AND c.text = r.text"
        " WHERE r.row IN (SELECT value FROM json_each(?))",
        (space, json.dumps(rows)),
    )
    return dict(found)


# ── the whole store ───────────────────────────────────────────────────────────────────────────────────────


def stats(db: sqlite3.Connection) -> StoreStats:
    """Counts over the whole store."""

    def count(sql: str) -> int:
        return int(db.execute(sql).fetchone()[0])

    return StoreStats(
        collections=count("SELECT count(*) FROM collections"),
        records=count("SELECT count(*) FROM records"),
        texts=count("SELECT count(*) FROM texts"),
        unembedded=count(
            "SELECT count(*) FROM texts t WHERE NOT t.blank AND NOT EXISTS (SELECT 1 FROM codes c"
            " WHERE c.text = t.id AND c.space = (SELECT id FROM spaces WHERE state = 'active'))"
        ),
        edges=count("SELECT count(*) FROM edges"),
        journal=count("SELECT count(*) FROM journal"),
        sessions=count("SELECT count(*) FROM sessions"),
        size_bytes=count("PRAGMA page_count") * count("PRAGMA page_size"),
        versions={"sqlite": sqlite3.sqlite_version, "analysis": ANALYSIS, "format": MIGRATIONS[-1].__name__},
    )
