"""The proof that a database is sound: every invariant of the store, checked in one read without writing.

Each check is a function from a connection to findings; `CHECKS` lists them with the invariant they prove. What is
promised of conversations and their summaries is asked in `coverage`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

from libravdb.adapters import term_counts
from libravdb.adapters.postgres.filters import facts_json
from libravdb.adapters.postgres.keys import edge_key, expiry, holders_of, key_under, text_key, text_key_sql, word_keys
from libravdb.adapters.postgres.schema import SCHEMA as S
from libravdb.adapters.postgres.schema import Db
from libravdb.adapters.vector_codes import code_bytes, sign_codes
from libravdb.core.compaction import coverage
from libravdb.model import Edge, Finding, Metadata
from libravdb.model.collections import raw_turns, session_summaries, session_view
from libravdb.ports.clock import Progress, no_progress

Check = Callable[[Db], Iterator[str]]

_BATCH = 500


def verify(db: Db, progress: Progress = no_progress) -> Iterator[Finding]:
    """Run every check inside the caller's read; yields what is broken."""
    for done, (invariant, check) in enumerate(CHECKS):
        progress(done, len(CHECKS))
        for detail in check(db):
            yield Finding(invariant=invariant, detail=detail)
    progress(len(CHECKS), len(CHECKS))


def _rows(db: Db, question: str, *values: object) -> Iterator[tuple[Any, ...]]:
    """The rows of a question that may have very many: they come in batches, and never all at once."""
    with db.cursor(name="checked", binary=True) as cursor:
        cursor.itersize = _BATCH
        yield from cursor.execute(question.encode(), values)


def misread_texts(db: Db) -> Iterator[str]:
    """Texts that are no longer what was written. All of them are read."""
    for collection, address in _rows(db, _MISREAD):
        yield f"text {address.hex()} of collection {collection} is not what its address says"


def _references_resolve(db: Db) -> Iterator[str]:
    for table in ("records", "texts", "words", "codes", "vectors"):
        question = (
            f"SELECT DISTINCT collection FROM {S}.{table} x"
            f" WHERE NOT EXISTS (SELECT 1 FROM {S}.collections c WHERE c.id = x.collection)"
        )
        for (collection,) in _rows(db, question):
            yield f"{table} belong to collection {collection}, which does not exist"
    for collection, id in _rows(db, _TEXTLESS):
        yield f"record {id!r} of collection {collection} has no text"


def _texts_are_used(db: Db) -> Iterator[str]:
    for collection, address in _rows(db, _UNUSED):
        yield f"text {address.hex()} of collection {collection} belongs to no record"


def _collections_count_right(db: Db) -> Iterator[str]:
    for name, *counts in _rows(db, _COUNTS):
        told, real = counts[:3], counts[3:]
        if told != real:
            yield f"collection {name!r} counts {told} records, texts and terms, not {real}"


def _collections_tell_whose(db: Db) -> Iterator[str]:
    """Who may see a collection is what its name tells."""
    for name, *told in _rows(db, f"SELECT name, shared, owner, session FROM {S}.collections"):
        if tuple(told) != holders_of(name):
            yield f"collection {name!r} is marked as seen by {told}, not by {list(holders_of(name))}"


def _texts_are_indexed(db: Db) -> Iterator[str]:
    """What finds a text by its words is what it came with."""
    question = f"SELECT collection, digest, blank, length, words, bag, terms, body FROM {S}.texts"
    for collection, address, blank, length, words, bag, joined, body in _rows(db, question):
        terms = joined.split(" ") if joined else []
        if (length, bag) != (len(terms), term_counts.pack(terms)):
            yield f"text {address.hex()} of collection {collection} has a bag that does not hold its terms"
        if sorted(words) != word_keys(collection, terms):
            yield f"text {address.hex()} of collection {collection} is not indexed under its terms"
        if blank != (not body.strip()):
            yield f"text {address.hex()} of collection {collection} is wrongly marked as blank or not"


def _words_count_right(db: Db) -> Iterator[str]:
    for collection, term, holders, real in _rows(db, _HOLDERS):
        yield f"collection {collection} counts {holders} texts with {term!r}, not {real}"


def _records_are_as_written(db: Db) -> Iterator[str]:
    """What filters and indexes compare is what the metadata say; versions and counts are possible."""
    question = (
        "SELECT collection, id, version, access_count, expires, owner, session, speaker, metadata, facts"
        f" FROM {S}.records"
    )
    for collection, id, version, access_count, expires, owner, session, speaker, written, facts in _rows(db, question):
        where = f"record {id!r} of collection {collection}"
        metadata = _json_object(written)
        if metadata is None:
            yield f"{where} has metadata that are no JSON object"
            continue
        told = [key_under(metadata, name) for name in ("userId", "sessionId", "speaker")]
        if [owner, session, speaker] != told or expires != expiry(metadata):
            yield f"{where} is found by what its metadata do not say"
        if facts != json.loads(facts_json(metadata)):
            yield f"{where} is compared by what its metadata do not say"
        if version < 1 or access_count < 0:
            yield f"{where} has an impossible version or access count"


def _rows_are_distinct(db: Db) -> Iterator[str]:
    question = f"SELECT collection, row FROM {S}.records GROUP BY collection, row HAVING count(*) > 1"
    for collection, row in _rows(db, question):
        yield f"row {row} of collection {collection} stands for several records"


def _vectors_match_codes(db: Db) -> Iterator[str]:
    for collection, address, space in _rows(db, _LOOSE_CODES):
        yield f"text {address.hex()} of collection {collection} has vectors in space {space}, and one of them is gone"
    for collection, address, space in _rows(db, _LOOSE_VECTORS):
        yield f"a vector of text {address.hex()} of collection {collection} in space {space} has no code"
    for collection, address, dimensions, count, code, vectors in _rows(db, _CODES):
        where = f"text {address.hex()} of collection {collection}"
        if len(vectors) != count or count < 1:
            yield f"{where} has {len(vectors)} of {count} vectors"
        elif any(len(vector) != 2 * dimensions for vector in vectors):
            yield f"{where} has a vector that does not have {dimensions} dimensions"
        elif len(code) != count * code_bytes(dimensions):
            yield f"{where} has a code of the wrong length"
        elif code != _code(vectors, dimensions):
            yield f"{where} has a code that is not that of its vectors"


def _code(vectors: list[bytes], dimensions: int) -> bytes:
    rows = np.frombuffer(b"".join(vectors), dtype="<f2").reshape(-1, dimensions).astype(np.float32)
    return sign_codes(rows).tobytes()


def _one_space_is_active(db: Db) -> Iterator[str]:
    states = [state for (state,) in db.execute(f"SELECT state FROM {S}.spaces".encode())]
    if states and states.count("active") != 1:
        yield f"{states.count('active')} of {len(states)} vector spaces are active"


def _json_is_valid(db: Db) -> Iterator[str]:
    columns = (("sessions", "session", "state"), ("journal", "seq", "entry"), ("spaces", "fingerprint", "description"))
    for table, key, column in columns:
        for name, written in _rows(db, f"SELECT {key}, {column} FROM {S}.{table}"):
            if _json_object(written) is None:
                yield f"{table} {name!r} has {column} that is no JSON object"
    for (session,) in _rows(db, f"SELECT session FROM {S}.sessions WHERE generation < 1"):
        yield f"session {session!r} has an impossible generation"


def _json_object(written: str) -> Metadata | None:
    try:
        read = json.loads(written)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def _owners_match_states(db: Db) -> Iterator[str]:
    told = {
        (text_key(owner), session)
        for session, state in _rows(db, f"SELECT session, state FROM {S}.sessions")
        for owner in _owners(_json_object(state) or {})
    }
    kept = {(owner, session) for owner, session in _rows(db, f"SELECT owner, session FROM {S}.session_owners")}
    for owner, session in sorted(told ^ kept):
        yield f"session {session!r} is wrongly known, or not known, as one of {owner!r}"


def _owners(state: Metadata) -> list[str]:
    owners = state.get("namespaces")
    return [owner for owner in owners if isinstance(owner, str)] if isinstance(owners, list) else []


def _revisions_are_known(db: Db) -> Iterator[str]:
    """What is there has a revision, and nothing else has."""
    for kind, name in _rows(db, _UNMARKED):
        yield f"{kind} {name!r} has no revision"
    for kind, name, revision in _rows(db, _MISMARKED):
        yield f"topic {name!r} of kind {kind} is at revision {revision}, and there is no such thing"


def _coverage_is_acyclic(db: Db) -> Iterator[str]:
    covered: TopologicalSorter[tuple[str, str]] = TopologicalSorter()
    for place, session, parent, child in _rows(db, f"SELECT place, session, parent, child FROM {S}.edges"):
        covered.add((session, parent), (session, child))
        if place != edge_key(session, parent, child):
            yield f"the edge from {parent!r} to {child!r} of session {session!r} stands at a wrong place"
    try:
        covered.prepare()
    except CycleError as error:
        yield f"{error.args[1]} cover one another"


def _asked(question: coverage.Question) -> Check:
    """A question about coverage as a check of the whole database."""

    def check(db: Db) -> Iterator[str]:
        for conversation in _conversations(db):
            for detail in question(conversation):
                yield f"session {conversation.session!r}: {detail}"

    return check


def _conversations(db: Db) -> Iterator[coverage.Conversation]:
    """Every session with its active view, raw turns, summaries and edges, one after the other."""
    names = [name for (name,) in db.execute(f"SELECT name FROM {S}.collections ORDER BY name".encode())]
    for session in coverage.sessions_in(names):
        rows = db.execute(
            f"SELECT session, parent, child, child_kind, position, at FROM {S}.edges WHERE session = %s"
            " ORDER BY parent, position, child".encode(),
            (session,),
        ).fetchall()
        yield coverage.Conversation(
            session=session,
            active=frozenset(_held(db, session_view(session))),
            turns=_held(db, raw_turns(session)),
            summaries=_held(db, session_summaries(session)),
            edges=[
                Edge(session=session, parent=parent, child=child, child_kind=kind, position=position, at=at)
                for session, parent, child, kind, position, at in rows
            ],
        )


def _held(db: Db, collection: str) -> dict[str, Metadata]:
    """The records of a collection by id, with what their metadata say; metadata that are no JSON say nothing."""
    rows = db.execute(
        f"SELECT r.id, r.metadata FROM {S}.records r"
        f" WHERE r.collection = (SELECT id FROM {S}.collections WHERE name = %s)".encode(),
        (collection,),
    ).fetchall()
    return {id: _json_object(written) or {} for id, written in rows}


_MISREAD = f"SELECT collection, digest FROM {S}.texts WHERE digest <> sha256(convert_to(body, 'UTF8'))"

_TEXTLESS = f"""
SELECT collection, id FROM {S}.records r
WHERE NOT EXISTS (SELECT 1 FROM {S}.texts t WHERE t.collection = r.collection AND t.digest = r.digest)
"""

_UNUSED = f"""
SELECT collection, digest FROM {S}.texts t
WHERE NOT EXISTS (SELECT 1 FROM {S}.records r WHERE r.collection = t.collection AND r.digest = t.digest)
"""

_COUNTS = f"""
SELECT c.name, c.records, c.texts, c.terms, coalesce(r.records, 0), coalesce(t.texts, 0), coalesce(t.terms, 0)
FROM {S}.collections c
LEFT JOIN (SELECT collection, count(*) AS records FROM {S}.records GROUP BY 1) r ON r.collection = c.id
LEFT JOIN (SELECT collection, count(*) AS texts, sum(length)::bigint AS terms FROM {S}.texts GROUP BY 1) t
  ON t.collection = c.id
"""

_HOLDERS = f"""
SELECT collection, term, coalesce(w.holders, 0), coalesce(h.holders, 0)
FROM {S}.words w FULL JOIN (
  SELECT t.collection, {text_key_sql("d.term")} COLLATE "C" AS term, count(*) AS holders
  FROM {S}.texts t CROSS JOIN LATERAL (SELECT DISTINCT unnest(string_to_array(t.terms, ' ')) AS term) d
  GROUP BY 1, 2
) h USING (collection, term)
WHERE w.holders IS DISTINCT FROM h.holders
"""

_LOOSE_CODES = f"""
SELECT collection, digest, space FROM {S}.codes c
WHERE NOT EXISTS (SELECT 1 FROM {S}.texts t WHERE t.collection = c.collection AND t.digest = c.digest)
  OR NOT EXISTS (SELECT 1 FROM {S}.spaces s WHERE s.id = c.space)
"""

_LOOSE_VECTORS = f"""
SELECT DISTINCT collection, digest, space FROM {S}.vectors v WHERE NOT EXISTS (
  SELECT 1 FROM {S}.codes c WHERE c.collection = v.collection AND c.space = v.space AND c.digest = v.digest
    AND v.place < c.vectors
)
"""

_CODES = f"""
SELECT c.collection, c.digest, s.dimensions, c.vectors, c.code, ARRAY(
  SELECT v.vector FROM {S}.vectors v
  WHERE v.collection = c.collection AND v.space = c.space AND v.digest = c.digest ORDER BY v.place
)
FROM {S}.codes c JOIN {S}.spaces s ON s.id = c.space
"""

_UNMARKED = f"""
SELECT 'collection', name FROM {S}.collections
WHERE name NOT IN (SELECT name FROM {S}.topics WHERE kind = 1 AND revision > 0)
UNION ALL
SELECT 'session', session FROM (SELECT session FROM {S}.sessions UNION SELECT session FROM {S}.edges) s
WHERE session NOT IN (SELECT name FROM {S}.topics WHERE kind = 2 AND revision > 0)
"""

_MISMARKED = f"""
SELECT kind, name, revision FROM {S}.topics
WHERE revision NOT BETWEEN 1 AND (SELECT last_value FROM {S}.commits_seq)
  OR (kind = 1 AND name NOT IN (SELECT name FROM {S}.collections))
  OR (kind = 2 AND name NOT IN (SELECT session FROM {S}.sessions UNION SELECT session FROM {S}.edges))
"""

CHECKS: tuple[tuple[str, Check], ...] = (
    ("references resolve", _references_resolve),
    ("texts match their address", misread_texts),
    ("records are as written", _records_are_as_written),
    ("rows are distinct", _rows_are_distinct),
    ("texts are used", _texts_are_used),
    ("collections count right", _collections_count_right),
    ("collections tell whose they are", _collections_tell_whose),
    ("texts are indexed", _texts_are_indexed),
    ("words count right", _words_count_right),
    ("vectors match codes", _vectors_match_codes),
    ("one space is active", _one_space_is_active),
    ("JSON is valid", _json_is_valid),
    ("owners match states", _owners_match_states),
    ("revisions are known", _revisions_are_known),
    ("coverage is acyclic", _coverage_is_acyclic),
    *((invariant, _asked(question)) for invariant, question in coverage.QUESTIONS),
)
