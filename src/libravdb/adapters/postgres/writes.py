"""A difference as statements: each kind of row in one statement, however many there are.

All statements of a commit travel to the server together, so none can wait for the answer to another: what must hold
between two of them is checked by the server itself, by a division by zero when it does not (`VANISHED`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from libravdb.adapters import term_counts
from libravdb.adapters.postgres.difference import (
    Cleared,
    Difference,
    NewEntry,
    NewText,
    NewVectors,
    TextCopy,
    VectorCopy,
    WrittenRecord,
)
from libravdb.adapters.postgres.filters import facts_json
from libravdb.adapters.postgres.keys import expiry, holders_of, key_under, text_key, text_key_sql, word_keys
from libravdb.adapters.postgres.request import KINDS
from libravdb.adapters.postgres.schema import SCHEMA as S
from libravdb.adapters.vector_codes import sign_codes
from libravdb.model import Edge, SessionState, Topic
from libravdb.ports.validation import to_json

Statement = tuple[str, Sequence[Any]]

VANISHED = "22012"
"""The code of a check that failed: what was to be copied went away meanwhile, and the commit is to be made again."""

_KEEP_ALL = 2**31 - 1
_NUMBER = f"currval('{S}.commits_seq')"


def statements(made: Difference) -> Iterator[Statement]:
    """Everything that a commit writes, in order; it has taken its number before. The rows of a collection that is
    dropped go last: what it held may be copied to one that is made anew under its name."""
    if made.dropped:
        yield f"DELETE FROM {S}.collections WHERE id = ANY(%s::int[])", (list(made.dropped),)
    if made.collections:
        yield _INSERT_COLLECTIONS, _columns_of_collections(made.collections)
    if made.texts:
        yield _INSERT_TEXTS, _columns_of_texts(made.texts)
    if made.text_copies:
        yield _COPY_TEXTS, (*_columns_of_copies(made.text_copies), len(made.text_copies))
    if made.entered:
        yield _COUNT_WORDS, ([number for number, _ in made.entered], [address for _, address in made.entered])
    if made.vectors:
        yield _INSERT_VECTORS, _columns_of_vectors(made.vectors)
    if made.vector_copies:
        columns = _columns_of_vector_copies(made.vector_copies)
        yield _COPY_VECTORS, columns
        yield _CHECK_VECTORS, (len(made.vector_copies), *columns[:3])
    yield from _record_statements(made)
    yield from _session_statements(made)
    for change in made.journal:
        yield from _journal_statements(change)
    if made.moved:
        yield _MOVE_TOPICS, _columns_of_topics(made.moved)
    if made.gone:
        yield _DELETE_TOPICS, _columns_of_topics(made.gone)


def _record_statements(made: Difference) -> Iterator[Statement]:
    if made.removed:
        yield _DELETE_RECORDS, ([number for number, _ in made.removed], [id for _, id in made.removed])
    if made.written:
        yield _UPSERT_RECORDS, _columns_of_records(made.written)
    if made.counted:
        yield _COUNT_ACCESS, _columns(made.counted, 3)
    if made.left:
        yield _ERASE_TEXTS, _columns(made.left, 2)
    if made.dropped:
        for table in ("records", "texts", "words", "codes", "vectors"):
            yield f"DELETE FROM {S}.{table} WHERE collection = ANY(%s::int[])", (list(made.dropped),)
    changed = sorted(made.sizes.keys() | made.renewed)
    if changed:
        sizes = [made.sizes.get(number, 0) for number in changed]
        yield _COUNT_RECORDS, (changed, sizes, [number in made.renewed for number in changed])


def _session_statements(made: Difference) -> Iterator[Statement]:
    if made.states:
        yield _UPSERT_STATES, _columns_of_states(made.states)
    if made.dropped_states:
        yield f"DELETE FROM {S}.sessions WHERE session = ANY(%s::text[])", (made.dropped_states,)
    if made.states or made.dropped_states:
        yield _REPLACE_OWNERS, _columns_of_owners(made)
    if made.unlinked:
        yield f"DELETE FROM {S}.edges WHERE place = ANY(%b::bytea[])", (made.unlinked,)
    if made.edges:
        yield _UPSERT_EDGES, _columns_of_edges(made.edges)


def _journal_statements(change: NewEntry | Cleared) -> Iterator[Statement]:
    match change:
        case NewEntry(session=session, at=at, entry=entry, keep=keep):
            yield f"INSERT INTO {S}.journal (session, at, entry) VALUES (%s, %s, %s)", (session, at, entry)
            if keep < _KEEP_ALL:
                yield _TRIM_JOURNAL, (keep,)
        case Cleared(seqs=None):
            yield f"DELETE FROM {S}.journal", ()
        case Cleared(seqs=seqs):
            yield f"DELETE FROM {S}.journal WHERE seq = ANY(%s::bigint[])", (sorted(seqs or ()),)


# ── columns ───────────────────────────────────────────────────────────────────────────────────────────────


def _columns(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    return [[row[place] for row in rows] for place in range(width)]


def _columns_of_collections(collections: Mapping[int, str]) -> list[list[Any]]:
    """Numbers and names, and who may see each."""
    whose = [holders_of(name) for name in collections.values()]
    return [list(collections), list(collections.values()), *_columns(whose, 3)]


def _columns_of_texts(texts: Sequence[NewText]) -> list[list[Any]]:
    words = ["{" + ",".join(map(str, word_keys(text.collection, text.terms))) + "}" for text in texts]
    return [
        [text.collection for text in texts],
        [text.digest for text in texts],
        [not text.body.strip() for text in texts],
        [len(text.terms) for text in texts],
        words,
        [term_counts.pack(text.terms) for text in texts],
        [" ".join(text.terms) for text in texts],
        [text.body for text in texts],
    ]


def _columns_of_copies(copies: Sequence[TextCopy]) -> list[list[Any]]:
    return [[copy.to for copy in copies], [copy.digest for copy in copies], [copy.of for copy in copies]]


def _columns_of_vectors(brought: Sequence[NewVectors]) -> list[list[Any]]:
    """Five columns of codes, then three of vectors, each of which names the place of its code among them, from one."""
    halves = [one.vectors.astype("<f2") for one in brought]
    vectors = [(place, row, vector) for place, rows in enumerate(halves) for row, vector in enumerate(rows)]
    return [
        [one.collection for one in brought],
        [one.space for one in brought],
        [one.digest for one in brought],
        [len(rows) for rows in halves],
        [sign_codes(rows.astype(np.float32)).tobytes() for rows in halves],
        [place + 1 for place, _, _ in vectors],
        [row for _, row, _ in vectors],
        [vector.tobytes() for _, _, vector in vectors],
    ]


def _columns_of_vector_copies(copies: Sequence[VectorCopy]) -> list[list[Any]]:
    return [
        [copy.to for copy in copies],
        [copy.space for copy in copies],
        [copy.digest for copy in copies],
        [copy.of for copy in copies],
    ]


def _columns_of_records(records: Sequence[WrittenRecord]) -> list[list[Any]]:
    return [
        [record.collection for record in records],
        [record.row for record in records],
        [record.id for record in records],
        [record.digest for record in records],
        [record.at for record in records],
        [record.version for record in records],
        [record.access_count for record in records],
        [expiry(record.metadata) for record in records],
        *([key_under(record.metadata, name) for record in records] for name in ("userId", "sessionId", "speaker")),
        [record.written for record in records],
        [facts_json(record.metadata) for record in records],
    ]


def _columns_of_states(states: Sequence[SessionState]) -> list[list[Any]]:
    return [
        [state.session for state in states],
        [state.generation for state in states],
        [to_json(state.state) for state in states],
        [state.at for state in states],
    ]


def _columns_of_owners(made: Difference) -> list[list[Any]]:
    """The sessions that were written or dropped, then pairs of the owners that they have now."""
    pairs = [(text_key(owner), state.session) for state in made.states for owner in _owners(state)]
    return [[*(state.session for state in made.states), *made.dropped_states], *_columns(pairs, 2)]


def _owners(state: SessionState) -> list[str]:
    told = state.state.get("namespaces")
    return sorted({owner for owner in told if isinstance(owner, str)}) if isinstance(told, list) else []


def _columns_of_edges(edges: Sequence[tuple[bytes, Edge]]) -> list[list[Any]]:
    return [
        [place for place, _ in edges],
        [edge.session for _, edge in edges],
        [edge.parent for _, edge in edges],
        [edge.child for _, edge in edges],
        [edge.child_kind for _, edge in edges],
        [edge.position for _, edge in edges],
        [edge.at for _, edge in edges],
    ]


def _columns_of_topics(topics: Sequence[Topic]) -> list[list[Any]]:
    return [[KINDS[topic.kind] for topic in topics], [topic.name for topic in topics]]


# ── statements ────────────────────────────────────────────────────────────────────────────────────────────

_INSERT_COLLECTIONS = f"""
INSERT INTO {S}.collections (id, name, shared, owner, session)
SELECT * FROM unnest(%s::int[], %s::text[], %s::bool[], %s::text[], %s::text[])
"""

_INSERT_TEXTS = f"""
INSERT INTO {S}.texts (collection, digest, arrival, blank, length, words, bag, terms, body)
SELECT collection, digest, nextval('{S}.texts_seq'), blank, length, words::bigint[], bag, terms, body
FROM unnest(%s::int[], %b::bytea[], %s::bool[], %s::int[], %s::text[], %b::bytea[], %s::text[], %s::text[])
  AS k (collection, digest, blank, length, words, bag, terms, body)
"""

_COPY_TEXTS = f"""
WITH copied AS (
  INSERT INTO {S}.texts (collection, digest, arrival, blank, length, words, bag, terms, body)
  SELECT k.target, k.digest, t.arrival, t.blank, t.length,
    ARRAY(SELECT (k.target::bigint << 32) | (word & 4294967295) FROM unnest(t.words) AS word), t.bag, t.terms, t.body
  FROM unnest(%s::int[], %b::bytea[], %s::int[]) AS k (target, digest, source)
  CROSS JOIN LATERAL (
    SELECT * FROM {S}.texts t WHERE t.collection = k.source AND t.digest = k.digest LIMIT 1
  ) t
  RETURNING 1
)
SELECT 1 / (CASE WHEN count(*) = %s THEN 1 ELSE 0 END) FROM copied
"""

_COUNT_WORDS = f"""
WITH entered AS (
  SELECT k.collection, t.length, t.terms
  FROM unnest(%s::int[], %b::bytea[]) AS k (collection, digest)
  CROSS JOIN LATERAL (
    SELECT length, terms FROM {S}.texts t WHERE t.collection = k.collection AND t.digest = k.digest LIMIT 1
  ) t
), counted AS (
  UPDATE {S}.collections c SET texts = c.texts + e.texts, terms = c.terms + e.terms
  FROM (SELECT collection, count(*) AS texts, sum(length) AS terms FROM entered GROUP BY collection) e
  WHERE c.id = e.collection
)
INSERT INTO {S}.words AS w (collection, term, holders)
SELECT e.collection, {text_key_sql("t.term")}, count(*)
FROM entered e CROSS JOIN LATERAL (SELECT DISTINCT unnest(string_to_array(e.terms, ' ')) AS term) t
GROUP BY 1, 2
ON CONFLICT (collection, term) DO UPDATE SET holders = w.holders + excluded.holders
"""

_INSERT_VECTORS = f"""
WITH given AS (
  SELECT * FROM unnest(%s::int[], %s::int[], %b::bytea[], %s::int[], %b::bytea[])
    WITH ORDINALITY AS k (collection, space, digest, vectors, code, place)
), added AS (
  INSERT INTO {S}.codes (collection, space, digest, vectors, code)
  SELECT collection, space, digest, vectors, code FROM given
  ON CONFLICT DO NOTHING RETURNING collection, space, digest
)
INSERT INTO {S}.vectors (collection, space, digest, place, vector)
SELECT g.collection, g.space, g.digest, v.place, v.vector
FROM unnest(%s::int[], %s::int[], %b::bytea[]) AS v (code, place, vector)
JOIN given g ON g.place = v.code JOIN added USING (collection, space, digest)
"""

_COPY_VECTORS = f"""
WITH given AS (
  SELECT * FROM unnest(%s::int[], %s::int[], %b::bytea[], %s::int[]) AS k (collection, space, digest, source)
), added AS (
  INSERT INTO {S}.codes (collection, space, digest, vectors, code)
  SELECT g.collection, g.space, g.digest, c.vectors, c.code
  FROM given g CROSS JOIN LATERAL (
    SELECT vectors, code FROM {S}.codes c
    WHERE c.collection = g.source AND c.space = g.space AND c.digest = g.digest LIMIT 1
  ) c
  ON CONFLICT DO NOTHING RETURNING collection, space, digest
)
INSERT INTO {S}.vectors (collection, space, digest, place, vector)
SELECT g.collection, g.space, g.digest, v.place, v.vector
FROM given g JOIN added USING (collection, space, digest)
CROSS JOIN LATERAL (
  SELECT place, vector FROM {S}.vectors v
  WHERE v.collection = g.source AND v.space = g.space AND v.digest = g.digest OFFSET 0
) v
"""

_CHECK_VECTORS = f"""
SELECT 1 / (CASE WHEN count(*) = %s THEN 1 ELSE 0 END)
FROM unnest(%s::int[], %s::int[], %b::bytea[]) AS k (collection, space, digest)
CROSS JOIN LATERAL (
  SELECT 1 FROM {S}.codes c
  WHERE c.collection = k.collection AND c.space = k.space AND c.digest = k.digest LIMIT 1
) c
"""

_DELETE_RECORDS = f"""
DELETE FROM {S}.records r USING unnest(%s::int[], %s::text[]) AS k (collection, id)
WHERE r.collection = k.collection AND r.id = k.id
"""

_UPSERT_RECORDS = f"""
INSERT INTO {S}.records (collection, row, id, digest, at, version, access_count, expires, owner, session, speaker,
  metadata, facts)
SELECT collection, coalesce(row, nextval('{S}.records_seq')), id, digest, at, version, access_count,
  expires, owner, session, speaker, metadata, facts::jsonb
FROM unnest(%s::int[], %s::bigint[], %s::text[], %b::bytea[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[],
  %s::text[], %s::text[], %s::text[], %s::text[], %s::text[])
  AS k (collection, row, id, digest, at, version, access_count, expires, owner, session, speaker, metadata, facts)
ON CONFLICT (collection, id) DO UPDATE SET row = excluded.row, digest = excluded.digest, at = excluded.at,
  version = excluded.version, access_count = excluded.access_count,
  expires = excluded.expires, owner = excluded.owner, session = excluded.session, speaker = excluded.speaker,
  metadata = excluded.metadata, facts = excluded.facts
"""

_COUNT_ACCESS = f"""
UPDATE {S}.records r SET access_count = k.count
FROM unnest(%s::int[], %s::text[], %s::bigint[]) AS k (collection, id, count)
WHERE r.collection = k.collection AND r.id = k.id
"""

_ERASE_TEXTS = f"""
WITH erased AS (
  DELETE FROM {S}.texts t USING unnest(%s::int[], %b::bytea[]) AS k (collection, digest)
  WHERE t.collection = k.collection AND t.digest = k.digest AND NOT EXISTS (
    SELECT 1 FROM {S}.records r WHERE r.collection = k.collection AND r.digest = k.digest
  )
  RETURNING t.collection, t.digest, t.length, t.terms
), codes AS (
  DELETE FROM {S}.codes c USING erased e WHERE c.collection = e.collection AND c.digest = e.digest
    AND c.space IN (SELECT id FROM {S}.spaces)
), vectors AS (
  DELETE FROM {S}.vectors v USING erased e WHERE v.collection = e.collection AND v.digest = e.digest
    AND v.space IN (SELECT id FROM {S}.spaces)
), counted AS (
  UPDATE {S}.collections c SET texts = c.texts - e.texts, terms = c.terms - e.terms
  FROM (SELECT collection, count(*) AS texts, sum(length) AS terms FROM erased GROUP BY collection) e
  WHERE c.id = e.collection
), fewer AS (
  SELECT e.collection, {text_key_sql("t.term")} AS term, count(*) AS holders
  FROM erased e CROSS JOIN LATERAL (SELECT DISTINCT unnest(string_to_array(e.terms, ' ')) AS term) t
  GROUP BY 1, 2
), unheld AS (
  DELETE FROM {S}.words w USING fewer f
  WHERE w.collection = f.collection AND w.term = f.term AND w.holders <= f.holders
)
UPDATE {S}.words w SET holders = w.holders - f.holders FROM fewer f
WHERE w.collection = f.collection AND w.term = f.term AND w.holders > f.holders
"""

_COUNT_RECORDS = f"""
UPDATE {S}.collections c SET records = c.records + k.more,
  removed = CASE WHEN k.is_renewed THEN {_NUMBER} ELSE c.removed END
FROM unnest(%s::int[], %s::bigint[], %s::bool[]) AS k (id, more, is_renewed) WHERE c.id = k.id
"""

_UPSERT_STATES = f"""
INSERT INTO {S}.sessions (session, generation, state, at)
SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bigint[])
ON CONFLICT (session) DO UPDATE SET generation = excluded.generation, state = excluded.state, at = excluded.at
"""

_REPLACE_OWNERS = f"""
WITH written AS (SELECT unnest(%s::text[]) AS session),
owned AS (SELECT * FROM unnest(%s::text[], %s::text[]) AS k (owner, session)),
gone AS (
  DELETE FROM {S}.session_owners o USING written w WHERE o.session = w.session
    AND NOT EXISTS (SELECT 1 FROM owned WHERE owned.owner = o.owner AND owned.session = o.session)
)
INSERT INTO {S}.session_owners (owner, session) SELECT owner, session FROM owned ON CONFLICT DO NOTHING
"""

_UPSERT_EDGES = f"""
INSERT INTO {S}.edges (place, session, parent, child, child_kind, position, at)
SELECT * FROM unnest(%b::bytea[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::bigint[])
ON CONFLICT (place) DO UPDATE SET child_kind = excluded.child_kind, position = excluded.position, at = excluded.at
"""

_TRIM_JOURNAL = f"""
DELETE FROM {S}.journal WHERE seq = ANY(ARRAY(
  SELECT seq FROM {S}.journal
  WHERE seq <= (SELECT seq FROM {S}.journal ORDER BY seq DESC OFFSET %s LIMIT 1) FOR UPDATE SKIP LOCKED))
"""

_MOVE_TOPICS = f"""
UPDATE {S}.topics t SET revision = {_NUMBER} FROM unnest(%s::smallint[], %s::text[]) AS k (kind, name)
WHERE t.kind = k.kind AND t.name = k.name
"""

_DELETE_TOPICS = f"""
DELETE FROM {S}.topics t USING unnest(%s::smallint[], %s::text[]) AS k (kind, name)
WHERE t.kind = k.kind AND t.name = k.name
"""
