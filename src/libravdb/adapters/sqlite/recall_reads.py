"""The read behind recall: candidates of a question, the turns beside them, and everything ranking measures.

All of it comes from one state of the file. Nothing here looks at every record of a collection: candidates come from
the vector arrays and the full-text index, neighbours from an index on sessions, word counts from bags.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import itemgetter

import numpy as np

from libravdb.adapters.sqlite import term_counts
from libravdb.adapters.sqlite.filters import where_sql
from libravdb.adapters.sqlite.queries import Reader, RowMatch, SearchedCollection, find, open_places
from libravdb.adapters.sqlite.vector_cache import Vector, View, cosines, fetch_vectors
from libravdb.model import CandidateSet, MeasuredCandidate, Metadata, Query, Record, Vocabulary
from libravdb.text.analysis import index_terms, query_terms

Row = int
Beside = dict[Row, Row]
"""From a record to the one right before it, or right after it."""

_Read = tuple[Row, str, str, str, int, int, int, int, bytes]
"""A record as it is read: row, id, text, metadata, time, version, accesses; length and bag."""

_READ = (
    "SELECT r.row, r.id, t.body, r.metadata, r.at, r.version, r.access_count, b.length, b.bag"
    " FROM json_each(?) j CROSS JOIN records r ON r.row = j.value"
    " CROSS JOIN texts t ON t.id = r.text CROSS JOIN bags b ON b.text = r.text"
)


def survey(db: sqlite3.Connection, query: Query, reader: Reader) -> CandidateSet:
    """Every asked collection in turn, then by id."""
    query = replace(query, is_whole=False)
    words = tuple(query_terms(query.text)) if query.text else ()
    sightings: list[MeasuredCandidate] = []
    vocabularies: dict[str, Vocabulary] = {}
    for place in open_places(db, query):
        finding = find(db, query, place, reader)
        found = finding.found
        before, after = _links(db, _best(found, query.links), query, place) if place.name in query.linked else ({}, {})
        met = sorted({*found, *before, *after})
        rows: list[_Read] = db.execute(_READ, (json.dumps(met),)).fetchall()
        rows.sort(key=itemgetter(1))
        measured: dict[Row, _Measured] = {}
        if query.embedding is not None and finding.view is not None:
            measured = _measured(db, met, found, finding.view, query.embedding.vectors[0])
        counts = _counts(rows, words)
        names = {row[0]: row[1] for row in rows}
        vocabularies[place.name] = Vocabulary(
            texts=place.texts,
            terms=place.terms,
            holders=reader.words.holders(db, place.indexed, words, finding.holders),
        )
        told: list[Metadata] = json.loads(f"[{','.join([row[3] for row in rows])}]")  # at once: half the cost
        for one, metadata, count in zip(rows, told, counts, strict=True):
            row, id, text, _, at, version, access_count, length, _ = one
            cosine, whole, passage = measured.get(row, _UNMEASURED)
            record = Record(
                collection=place.name,
                id=id,
                text=text,
                metadata=metadata,
                at=at,
                version=version,
                access_count=access_count,
            )
            sightings.append(
                MeasuredCandidate(
                    record=record,
                    cosine=cosine,
                    whole=whole,
                    passage=passage,
                    counts=tuple(count),
                    length=length,
                    before=names.get(before.get(row, 0)),
                    after=names.get(after.get(row, 0)),
                    is_found=row in found,
                )
            )
    return CandidateSet(words=words, sightings=tuple(sightings), vocabularies=vocabularies)


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


def _best(found: dict[Row, RowMatch], count: int) -> list[Row]:
    """The first of each kind; equals in the order of rows."""
    near = sorted((-one.cosine, row) for row, one in found.items() if one.cosine is not None)
    worded = sorted((-one.bm25, row) for row, one in found.items() if one.bm25 is not None)
    return list({row for _, row in near[:count] + worded[:count]})


def _links(db: sqlite3.Connection, rows: list[Row], query: Query, place: SearchedCollection) -> tuple[Beside, Beside]:
    """The turns right before and after these, unless the filter or an exclusion hides them."""
    links = db.execute(_LINKS, (json.dumps(rows),)).fetchall()
    beside = {row for _, *pair in links for row in pair if row is not None} - set(rows)
    allowed = _allowed(db, beside, query) - set(place.excluded.tolist()) | set(rows)
    before: Beside = {}
    after: Beside = {}
    for row, previous, following in links:
        if previous in allowed:
            before[row], after[previous] = previous, row
        if following in allowed:
            after[row], before[following] = following, row
    return before, after


def _allowed(db: sqlite3.Connection, rows: set[Row], query: Query) -> set[Row]:
    if query.where.is_open() or not rows:
        return rows
    condition, values = where_sql(query.where)
    found = db.execute(
        f"SELECT r.row FROM records r WHERE r.row IN (SELECT value FROM json_each(?)){condition}",
        (json.dumps(list(rows)), *values),
    )
    return {row for (row,) in found}


_Measured = tuple[float | None, float | None, int | None]
_UNMEASURED: _Measured = (None, None, None)


def _measured(
    db: sqlite3.Connection, rows: Sequence[Row], found: dict[Row, RowMatch], view: View, query: Vector
) -> dict[Row, _Measured]:
    """Of each record that has vectors the best cosine, that of its whole text, and which vector was best.

    What the search by vectors has measured is not measured again.
    """
    measured: dict[Row, _Measured] = {}
    open_: list[tuple[Row, int, int, RowMatch]] = []
    starts, counts = view.spans(np.array(rows, dtype=np.int64))
    for row, start, count in zip(rows, starts.tolist(), counts.tolist(), strict=True):
        known = found.get(row, _NOT_FOUND)
        if known.cosine is None and count:
            open_.append((row, start, count, known))
        elif known.cosine is not None and count == 1:  # the whole text is its only passage
            measured[row] = known.cosine, known.cosine, 0
        elif known.cosine is not None:
            open_.append((row, start, 1, known))
    if not open_:
        return measured
    places = np.concatenate([np.arange(start, start + count) for _, start, count, _ in open_])
    vectors = view.vectors[places]
    exact = cosines(view.matrix[places] if view.matrix is not None else fetch_vectors(db, vectors, query.size), query)
    end = 0
    for row, _, count, known in open_:
        begin, end = end, end + count
        if known.cosine is not None and known.vector is not None:
            measured[row] = known.cosine, float(exact[begin]), known.vector - int(vectors[begin])
        else:
            passage = int(np.argmax(exact[begin:end]))
            measured[row] = float(exact[begin + passage]), float(exact[begin]), passage
    return measured


_NOT_FOUND = RowMatch()


def _counts(rows: Sequence[_Read], words: Sequence[tuple[str, ...]]) -> Iterable[Sequence[int]]:
    """How often each word stands in each record."""
    if any(form.endswith("*") for forms in words for form in forms):  # a prefix has no checksum: read the texts
        return [
            [sum(_stands(form, term) for form in forms for term in terms) for forms in words]
            for terms in (index_terms(text) for _, _, text, *_ in rows)
        ]
    counted: list[list[int]] = term_counts.count([row[8] for row in rows], words).tolist()
    return counted


def _stands(form: str, term: str) -> bool:
    return term.startswith(form[:-1]) if form.endswith("*") else term == form
