"""The first half of a commit: lock all that it may touch, in everybody's order, then read what it asked for.

All of it travels to the server together. Every statement sees what was committed when it begins, so what is read after
the locks is what stands until this commit ends.
"""

from __future__ import annotations

from typing import Any

import psycopg

from libravdb.adapters.postgres.arrays import written
from libravdb.adapters.postgres.known import KnownSpace, KnownState, StoredRecord, TextHolder
from libravdb.adapters.postgres.request import KINDS, CommitRequest
from libravdb.adapters.postgres.schema import LOCK_SPACES, LOCKS, Db
from libravdb.adapters.postgres.schema import SCHEMA as S
from libravdb.model import SPACES, Edge, Topic

_KINDS = {number: kind for kind, number in KINDS.items()}

Answer = psycopg.Cursor[tuple[Any, ...]]


class Lookup:
    """Questions that were sent, and what becomes of the answers. Made inside a pipeline, read after it."""

    def __init__(self, db: Db, request: CommitRequest) -> None:
        self._db = db
        self._request = request
        self._topics = request.topics()
        self._answers: dict[str, Answer] = {}
        db.execute(_FIRST.encode(), (STANDSTILL,))
        if self._topics:
            columns = ([KINDS[topic.kind] for topic in self._topics], [topic.name for topic in self._topics])
            db.execute(_MAKE_TOPICS.encode(), written(columns))
            self._ask("topics", _LOCK_TOPICS, *columns)
        self._ask_for_records()
        self._ask_for_the_rest()

    def known(self) -> KnownState | None:
        """What the store holds of all that; None when a topic went away while it was waited for."""
        known = KnownState()
        for kind, name, revision in self._told("topics"):
            known.revisions[Topic(_KINDS[kind], name)] = revision
        if len(known.revisions) < len(self._topics):
            return None
        self._read_records(known)
        self._read_texts(known)
        self._read_the_rest(known)
        return known

    def _ask_for_records(self) -> None:
        asked = self._request
        if asked.collections:
            names = list(asked.collections)
            dropped, filled = [asked.collections[name] for name in names], [name in asked.filled for name in names]
            self._ask("collections", _COLLECTIONS, names, dropped, filled)
        if asked.keys:
            self._ask("records", RECORDS, [key.collection for key in asked.keys], [key.id for key in asked.keys])
        if asked.places:
            self._ask("places", _PLACES, [name for name, _ in asked.places], [address for _, address in asked.places])
        if asked.texts:
            self._ask("holders", _HOLDERS, list(asked.texts))
            self._ask("spaces", f"SELECT id, fingerprint, dimensions, state FROM {S}.spaces")
        if asked.late:
            self._ask("late", _LATE, list(asked.late))
        if asked.brings_terms:
            self._ask("analysis", f"SELECT value FROM {S}.facts WHERE name = 'analysis'")

    def _ask_for_the_rest(self) -> None:
        asked = self._request
        if asked.sessions:
            sessions = list(asked.sessions)
            self._ask("sessions", _SESSIONS, sessions)
        if asked.edges:
            self._ask("edges", f"SELECT {_EDGE} FROM {S}.edges e WHERE place = ANY(%b::bytea[])", list(asked.edges))
        if asked.unlinked:
            places = list(asked.unlinked)
            self._ask("unlinked", _UNLINKED, [session for session, _ in places], [parent for _, parent in places])
        if asked.seqs:
            self._ask("seqs", f"SELECT seq FROM {S}.journal WHERE seq = ANY(%s::bigint[])", sorted(asked.seqs))
        if asked.clears_journal:
            self._ask("journal", f"SELECT 1 FROM {S}.journal LIMIT 1")
        if SPACES in asked.unless:
            self._ask("revision", f"SELECT revision FROM {S}.topics WHERE kind = {KINDS[SPACES.kind]}")

    def _read_records(self, known: KnownState) -> None:
        for name, number, fresh in self._told("collections"):
            if number is not None:
                known.numbers[name] = number
            if fresh is not None:
                known.fresh[name] = fresh
        keys = list(self._request.keys)
        for place, row, address, at, version, access_count, metadata in self._told("records"):
            known.records[keys[place - 1]] = StoredRecord(
                row=row, digest=address, at=at, version=version, access_count=access_count, metadata=metadata
            )

    def _read_texts(self, known: KnownState) -> None:
        places, texts = list(self._request.places), list(self._request.texts)
        known.places = {places[place - 1] for (place,) in self._told("places")}
        for place, number, spaces in self._told("holders"):
            known.holders[texts[place - 1]] = TextHolder(collection=number, spaces=frozenset(spaces))
        known.spaces = tuple(
            KnownSpace(id=number, fingerprint=fingerprint, dimensions=dimensions, state=state)
            for number, fingerprint, dimensions, state in self._told("spaces")
        )
        known.analysis = next((analysis for (analysis,) in self._told("analysis")), "")
        known.late = {address: {} for address in self._request.late}
        for address, name, number, spaces in self._told("late"):
            known.late[address][name] = TextHolder(collection=number, spaces=frozenset(spaces))

    def _read_the_rest(self, known: KnownState) -> None:
        for session, generation, edges in self._told("sessions"):
            if generation is not None:
                known.generations[session] = generation
            known.edge_counts[session] = edges
        for asked in ("edges", "unlinked"):
            for place, session, parent, child, kind, position, at in self._told(asked):
                known.edges[place] = Edge(
                    session=session, parent=parent, child=child, child_kind=kind, position=position, at=at
                )
        known.seqs = {seq for (seq,) in self._told("seqs")}
        known.has_journal = bool(self._told("journal"))
        if SPACES in self._request.unless:
            known.revisions[SPACES] = next((revision for (revision,) in self._told("revision")), 0)

    def _ask(self, name: str, statement: str, *values: object) -> None:
        self._answers[name] = self._db.execute(statement.encode(), written(values), binary=True)

    def _told(self, name: str) -> list[tuple[Any, ...]]:
        answer = self._answers.get(name)
        return [] if answer is None else answer.fetchall()


HOLDERS = f"SELECT DISTINCT c.name FROM {S}.texts t JOIN {S}.collections c ON c.id = t.collection"
"""The names of collections that hold texts; the caller says which."""

STANDSTILL = "20s"
"""How long the server waits for the second half of a commit, before it lets go of its locks and undoes the first."""

# In the middle of a commit it can tell too, from 17 on, that somebody vanished or stands still. To plan a statement
# anew for each list of keys takes longer than to run it, so it is planned once; by keys, whatever the list, and
# although a table may be empty at that moment.
_FIRST = f"""
SELECT pg_advisory_xact_lock_shared({LOCKS}, {LOCK_SPACES}),
  set_config('idle_in_transaction_session_timeout', %s, true),
  set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
  CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL
    THEN set_config('transaction_timeout', '300s', true) END
"""

_MAKE_TOPICS = f"""
INSERT INTO {S}.topics (kind, name, revision)
SELECT kind, name, 0 FROM unnest(%s::smallint[], %s::text[]) AS k (kind, name) ON CONFLICT DO NOTHING
"""

_LOCK_TOPICS = f"""
SELECT t.kind, t.name, t.revision
FROM {S}.topics t JOIN unnest(%s::smallint[], %s::text[]) AS k (kind, name) ON t.kind = k.kind AND t.name = k.name
ORDER BY t.kind, t.name FOR UPDATE OF t
"""

_COLLECTIONS = f"""
SELECT k.name, c.id,
  CASE WHEN k.is_filled AND (c.id IS NULL OR k.is_dropped) THEN nextval('{S}.collections_seq')::int END
FROM unnest(%s::text[], %s::bool[], %s::bool[]) AS k (name, is_dropped, is_filled)
LEFT JOIN {S}.collections c ON c.name = k.name
"""

RECORDS = f"""
SELECT k.place, r.row, r.digest, r.at, r.version, r.access_count, r.metadata
FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY AS k (name, id, place)
JOIN {S}.collections c ON c.name = k.name
CROSS JOIN LATERAL (
  SELECT * FROM {S}.records r WHERE r.collection = c.id AND r.id BETWEEN k.id AND k.id ORDER BY r.id LIMIT 1
) r
"""

_PLACES = f"""
SELECT k.place
FROM unnest(%s::text[], %b::bytea[]) WITH ORDINALITY AS k (name, digest, place)
JOIN {S}.collections c ON c.name = k.name
CROSS JOIN LATERAL (SELECT 1 FROM {S}.texts t WHERE t.collection = c.id AND t.digest = k.digest LIMIT 1) t
"""

_SPACES_OF = f"""ARRAY(
  SELECT s.id FROM {S}.spaces s CROSS JOIN LATERAL (
    SELECT 1 FROM {S}.codes d WHERE d.collection = t.collection AND d.space = s.id AND d.digest = t.digest LIMIT 1
  ) d
)"""

# One that holds a text is enough, a short text may stand in very many. They are alike, but for one that got its copy
# while another got vectors; that lacks them until they are attached again.
_HOLDERS = f"""
SELECT k.place, t.collection, {_SPACES_OF}
FROM unnest(%b::bytea[]) WITH ORDINALITY AS k (digest, place)
CROSS JOIN LATERAL (SELECT collection, digest FROM {S}.texts t WHERE t.digest = k.digest LIMIT 1) t
"""

_LATE = f"""
SELECT t.digest, c.name, c.id, {_SPACES_OF} FROM {S}.texts t JOIN {S}.collections c ON c.id = t.collection
WHERE t.digest = ANY(%b::bytea[])
"""

_SESSIONS = f"""
SELECT k.session, s.generation, (SELECT count(*) FROM {S}.edges e WHERE e.session = k.session)
FROM unnest(%s::text[]) AS k (session) LEFT JOIN {S}.sessions s ON s.session = k.session
"""

_EDGE = "e.place, e.session, e.parent, e.child, e.child_kind, e.position, e.at"

_UNLINKED = f"""
SELECT {_EDGE} FROM unnest(%s::text[], %s::text[]) AS k (session, parent)
JOIN {S}.edges e ON e.session = k.session AND (k.parent IS NULL OR e.parent = k.parent)
"""
