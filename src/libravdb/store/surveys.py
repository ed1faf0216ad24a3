"""The read behind recall: candidates of a question, the turns beside them, and everything ranking measures.

All of it comes from one state of the file. Nothing here looks at every record of a collection: candidates come from
the vector arrays and the full-text index, neighbours from an index on sessions, word counts from bags.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from libravdb.model import Query, Record, Sighting, Survey, Vocabulary
from libravdb.store import bags
from libravdb.store.filters import where_sql
from libravdb.store.reading import RECORD, Found, Place, Reader, find, open_places, to_record
from libravdb.store.vectors import Vector, cosines, fetch_vectors
from libravdb.terms import index_terms, query_terms

Row = int


@dataclass(slots=True)
class _Met:
    """What is known of one record so far."""

    is_found: bool = False
    cosine: float | None = None
    whole: float | None = None
    vector: int | None = None
    first_vector: int | None = None
    before: Row | None = None
    after: Row | None = None
    counts: tuple[int, ...] = ()
    length: int = 0
    record: Record | None = field(default=None)


def survey(db: sqlite3.Connection, query: Query, reader: Reader) -> Survey:
    """Every asked collection in turn, then by id."""
    query = replace(query, is_whole=False)
    words = tuple(query_terms(query.text)) if query.text else ()
    sightings: list[Sighting] = []
    vocabularies: dict[str, Vocabulary] = {}
    for place in open_places(db, query):
        found = find(db, query, place, reader)
        met = {row: _Met(is_found=True, cosine=one.cosine, vector=one.vector) for row, one in found.items()}
        if place.name in query.linked:
            _meet_neighbours(db, met, _best(found, query.links), query, place)
        if query.embedding is not None and place.space is not None:
            _measure(db, met, place.space, query.embedding.vectors[0])
        _read_records(db, met)
        _count_words(db, met, words)
        vocabularies[place.name] = Vocabulary(
            texts=place.texts,
            terms=place.terms,
            holders=reader.words.holders(db, place.indexed, words),
        )
        sightings.extend(_sightings(met))
    return Survey(words=words, sightings=tuple(sightings), vocabularies=vocabularies)


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


def _best(found: dict[Row, Found], count: int) -> list[Row]:
    """The first of each kind; equals in the order of rows."""
    near = sorted((-one.cosine, row) for row, one in found.items() if one.cosine is not None)
    worded = sorted((-one.bm25, row) for row, one in found.items() if one.bm25 is not None)
    return list({row for _, row in near[:count] + worded[:count]})


def _meet_neighbours(db: sqlite3.Connection, met: dict[Row, _Met], rows: list[Row], query: Query, place: Place) -> None:
    """The turns right before and after these, unless the filter or an exclusion hides them."""
    links = db.execute(_LINKS, (json.dumps(rows),)).fetchall()
    beside = {row for _, before, after in links for row in (before, after) if row is not None} - met.keys()
    allowed = _allowed(db, beside, query) - set(place.excluded.tolist()) | met.keys()
    for row in beside & allowed:
        met[row] = _Met()
    for row, before, after in links:
        if before in allowed:
            met[row].before, met[before].after = before, row
        if after in allowed:
            met[row].after, met[after].before = after, row


def _allowed(db: sqlite3.Connection, rows: set[Row], query: Query) -> set[Row]:
    if query.where.is_open() or not rows:
        return rows
    condition, values = where_sql(query.where)
    found = db.execute(
        f"SELECT r.row FROM records r WHERE r.row IN (SELECT value FROM json_each(?)){condition}",
        (json.dumps(list(rows)), *values),
    )
    return {row for (row,) in found}


def _measure(db: sqlite3.Connection, met: dict[Row, _Met], space: int, query: Vector) -> None:
    """Cosines of whole texts, and the best ones of the records that vectors did not bring here."""
    rows = db.execute(
        "SELECT r.row, c.first_vector, c.vectors FROM records r CROSS JOIN codes c ON c.space = ? AND c.text = r.text"
        " WHERE r.row IN (SELECT value FROM json_each(?))",
        (space, json.dumps(list(met))),
    ).fetchall()
    for row, first, count in rows:
        one = met[row]
        one.first_vector = first
        if count == 1 and one.cosine is not None:  # the whole text is its only passage
            one.whole = one.cosine
    rows = [row for row in rows if met[row[0]].whole is None]
    if not rows:
        return
    counts = [1 if met[row].cosine is not None else count for row, _, count in rows]
    ids = np.concatenate([np.arange(first, first + n) for (_, first, _), n in zip(rows, counts, strict=True)])
    exact = cosines(fetch_vectors(db, ids, query.size), query)
    end = 0
    for (row, first, _), count in zip(rows, counts, strict=True):
        start, end = end, end + count
        one = met[row]
        one.whole = float(exact[start])
        if one.cosine is None:
            best = int(np.argmax(exact[start:end]))
            one.cosine, one.vector = float(exact[start + best]), first + best


def _read_records(db: sqlite3.Connection, met: dict[Row, _Met]) -> None:
    rows = db.execute(f"{RECORD} WHERE r.row IN (SELECT value FROM json_each(?))", (json.dumps(list(met)),))
    for row in rows:
        met[row[-1]].record = to_record(row)


def _count_words(db: sqlite3.Connection, met: dict[Row, _Met], words: Sequence[tuple[str, ...]]) -> None:
    rows = db.execute(
        "SELECT r.row, b.length, b.bag FROM records r CROSS JOIN bags b ON b.text = r.text"
        " WHERE r.row IN (SELECT value FROM json_each(?))",
        (json.dumps(list(met)),),
    ).fetchall()
    counts = bags.count([bag for *_, bag in rows], words)
    for (row, length, _), found in zip(rows, counts.tolist(), strict=True):
        met[row].length, met[row].counts = length, tuple(found)
    if any(form.endswith("*") for forms in words for form in forms):  # a prefix has no checksum: read the texts
        for one in met.values():
            terms = index_terms(one.record.text) if one.record is not None else []
            one.counts = tuple(sum(_stands(form, term) for form in forms for term in terms) for forms in words)


def _stands(form: str, term: str) -> bool:
    return term.startswith(form[:-1]) if form.endswith("*") else term == form


def _sightings(met: dict[Row, _Met]) -> Iterable[Sighting]:
    names = {row: one.record.id for row, one in met.items() if one.record is not None}
    for one in sorted(met.values(), key=lambda one: one.record.id.encode() if one.record else b""):
        if one.record is None:
            continue
        yield Sighting(
            record=one.record,
            cosine=one.cosine,
            whole=one.whole,
            passage=None if one.vector is None or one.first_vector is None else one.vector - one.first_vector,
            counts=one.counts,
            length=one.length,
            before=None if one.before is None else names.get(one.before),
            after=None if one.after is None else names.get(one.after),
            is_found=one.is_found,
        )
