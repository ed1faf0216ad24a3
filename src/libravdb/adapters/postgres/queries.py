"""Questions to SQL that need nothing but the server: records and their company, sessions, spaces.

Every statement names the collections that it reads as numbers, wherever the question names some: the planner then looks
at their partitions alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from libravdb.adapters.postgres.filters import SqlValue, where_sql
from libravdb.adapters.postgres.keys import text_key, value_key
from libravdb.adapters.postgres.read_transaction import Found, PlannedAnew, ReadTransaction, Statement
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.tenants import OWN_COLLECTIONS
from libravdb.adapters.vector_codes import Vector, as_floats
from libravdb.model import (
    CollectionInfo,
    Edge,
    JournalEntry,
    Key,
    Metadata,
    Order,
    Page,
    Record,
    Revision,
    SessionState,
    Space,
    SpaceState,
    Volume,
    Where,
)
from libravdb.model.turn_metadata import SPEAKER
from libravdb.ports.paging import newest_cursor, page_of, read_newest_cursor

_MOST = 2**63 - 1
_RECORD = "r.id, t.body, r.metadata, r.at, r.version, r.access_count, r.row, r.collection"
_TEXT = (
    f"CROSS JOIN LATERAL (SELECT t.body FROM {SCHEMA}.texts t"
    " WHERE t.collection = r.collection AND t.digest = r.digest LIMIT 1) t"
)
"""One by one, by its key: a server that has not counted its rows yet would read all texts for a few."""

_TEXT_OF = (
    f"CROSS JOIN LATERAL (SELECT t.body FROM {SCHEMA}.texts t"
    " WHERE t.collection = %s AND t.digest = r.digest LIMIT 1) t"
)
"""The same in one collection, by its number."""


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────


def records_statement(collection: str, number: int, ids: Collection[str]) -> Statement:
    """What asks for records of a collection whose number is known."""
    told = (
        f"SELECT {_RECORD}, %s::text FROM unnest(%s::text[]) k(id) CROSS JOIN LATERAL (SELECT * FROM {SCHEMA}.records r"
        f" WHERE r.collection = %s AND r.id BETWEEN k.id AND k.id ORDER BY r.id LIMIT 1) r {_TEXT_OF}"
    )
    return told, (collection, list(ids), number, number)


def named_records_statement(keys: Collection[Key]) -> Statement:
    """What asks for records by the names of their collections."""
    told = (
        f"SELECT {_RECORD}, k.name FROM unnest(%s::text[], %s::text[]) k(name, id)"
        f" JOIN {SCHEMA}.collections c ON c.name = k.name CROSS JOIN LATERAL (SELECT * FROM {SCHEMA}.records r"
        f" WHERE r.collection = c.id AND r.id BETWEEN k.id AND k.id ORDER BY r.id LIMIT 1) r {_TEXT}"
    )
    return told, ([key.collection for key in keys], [key.id for key in keys])


def records_in(found: Found) -> list[tuple[int, int, Record]]:
    """The records that were found, with the numbers of their collections and their rows."""
    records = _to_records(found, [row[8] for row in found])
    return [(row[7], row[6], record) for row, record in zip(found, records, strict=True)]


def page(
    read: ReadTransaction,
    collection: tuple[str, int],
    *,
    order: Order,
    where: Where,
    after: str | None,
    limit: int | None,
    excluded: Collection[str],
) -> Page[Record]:
    """Records of a collection in an order; one more than asked for is read, to know whether there is a next page."""
    name, number = collection
    condition, values = where_sql(where)
    if excluded:
        condition, values = f"{condition} AND r.id <> ALL(%s::text[])", [*values, list(excluded)]
    if after is not None and order is Order.ID:
        condition, values = f"{condition} AND r.id > %s", [*values, after]
    elif after is not None:
        condition, values = f"{condition} AND (r.at, r.id) < (%s, %s)", [*values, *read_newest_cursor(after)]
    by = "r.id" if order is Order.ID else "r.at DESC, r.id DESC"
    statement = (
        f"SELECT {_RECORD} FROM (SELECT * FROM {SCHEMA}.records r"
        f" WHERE r.collection = %s{condition} ORDER BY {by} LIMIT %s) r {_TEXT_OF} ORDER BY {by}"
    )
    told = number, *values, _one_more(limit), number
    rows = read.ask(statement if where.is_open() and not excluded else PlannedAnew(statement), told)
    cursor = newest_cursor if order is Order.NEWEST else _id_of
    return page_of(_to_records(rows, [name] * len(rows)), limit, cursor=cursor)


def _id_of(record: Record) -> str:
    return record.id


_FIRST_EXPIRY = f"SELECT min(expires) FROM {SCHEMA}.records WHERE expires IS NOT NULL"


def first_expiry(read: ReadTransaction) -> Statement:
    """What asks when the first record of all has to go. A limited read asks that of all too: of its own it would know
    only after a look at everybody else's."""
    return f"SELECT {SCHEMA}.first_expiry()" if read.is_limited else _FIRST_EXPIRY, ()


def expired(read: ReadTransaction, now: int, limit: int | None) -> tuple[Key, ...]:
    """The records whose moment to go has come, by that moment: a stretch of the index on it."""
    due = f"(SELECT * FROM {SCHEMA}.records WHERE expires <= %s)"
    if read.is_limited:
        due = f"{SCHEMA}.expired(%s::bigint)"
    rows = read.ask(
        f"SELECT c.name, r.id FROM {due} r JOIN {SCHEMA}.collections c ON c.id = r.collection"
        ' ORDER BY r.expires, c.name, r.id COLLATE "C" LIMIT %s',
        (now, _limit(limit)),
    )
    return tuple(Key(name, id) for name, id in rows)


def holding_statement(places: Collection[tuple[str, bytes]]) -> Statement:
    """What asks for the records of collections with exactly these texts, by time, then id."""
    told = (
        f"SELECT {_RECORD}, k.name, r.digest FROM unnest(%s::text[], %s::bytea[]) k(name, digest)"
        f" JOIN {SCHEMA}.collections c ON c.name = k.name CROSS JOIN LATERAL (SELECT *"
        f" FROM {SCHEMA}.records r WHERE r.collection = c.id AND r.digest BETWEEN k.digest AND k.digest"
        f" ORDER BY r.digest OFFSET 0) r {_TEXT} ORDER BY r.at, r.id"
    )
    return told, ([name for name, _ in places], [address for _, address in places])


def holding_in(found: Found) -> dict[tuple[str, bytes], tuple[Record, ...]]:
    """The records that were found, by collection and text."""
    grouped: dict[tuple[str, bytes], list[Record]] = {}
    for row, record in zip(found, _to_records(found, [row[8] for row in found]), strict=True):
        grouped.setdefault((row[8], row[9]), []).append(record)
    return {place: tuple(records) for place, records in grouped.items()}


def newest_statement(names: Collection[str]) -> Statement:
    """What asks for the newest record of each of these collections, and for one more: it tells whether there is one."""
    told = (
        f"SELECT {_RECORD}, k.name FROM unnest(%s::text[]) k(name) JOIN {SCHEMA}.collections c ON c.name = k.name"
        f" CROSS JOIN LATERAL (SELECT * FROM {SCHEMA}.records r WHERE r.collection = c.id"
        f" ORDER BY r.at DESC, r.id DESC LIMIT 2) r {_TEXT} ORDER BY r.at DESC, r.id DESC"
    )
    return told, (list(names),)


def newest_in(found: Found) -> dict[str, Page[Record]]:
    """The pages of one record that were found, by collection."""
    grouped: dict[str, list[Record]] = {}
    for row, record in zip(found, _to_records(found, [row[8] for row in found]), strict=True):
        grouped.setdefault(row[8], []).append(record)
    return {name: page_of(records, 1, cursor=newest_cursor) for name, records in grouped.items()}


def distinct_statement(key: str, names: Collection[str]) -> Statement:
    """What asks for the texts under a metadata key in collections. Speakers have an index of their own, in which each
    is met once: a collection has few of them, and very many records."""
    told = _SPEAKERS if key == SPEAKER else _DISTINCT
    return f"{told} WHERE jsonb_typeof(d.value) = 'string'", (key, key, list(names))


_DISTINCT = (
    f"SELECT c.name, %s::text, d.value #>> '{{}}' FROM (SELECT %s::text AS key) k"
    f" CROSS JOIN unnest(%s::text[]) n(name) JOIN {SCHEMA}.collections c ON c.name = n.name"
    f" CROSS JOIN LATERAL (SELECT DISTINCT r.facts -> k.key AS value FROM {SCHEMA}.records r"
    " WHERE r.collection = c.id) d"
)
_SPEAKERS = (
    f"SELECT c.name, %s::text, d.value #>> '{{}}' FROM (SELECT %s::text AS key) k"
    f" CROSS JOIN unnest(%s::text[]) n(name) JOIN {SCHEMA}.collections c ON c.name = n.name"
    " CROSS JOIN LATERAL (WITH RECURSIVE met AS ("
    f"(SELECT r.speaker, r.facts FROM {SCHEMA}.records r WHERE r.collection = c.id AND r.speaker IS NOT NULL"
    " ORDER BY r.speaker LIMIT 1) UNION ALL SELECT r.speaker, r.facts FROM met CROSS JOIN LATERAL"
    f" (SELECT r.speaker, r.facts FROM {SCHEMA}.records r WHERE r.collection = c.id AND r.speaker > met.speaker"
    " ORDER BY r.speaker LIMIT 1) r) SELECT met.facts -> k.key AS value FROM met) d"
)


def distinct_in(found: Found) -> dict[tuple[str, str], tuple[str, ...]]:
    """The texts that were found, by collection and key, in the order of their bytes."""
    grouped: dict[tuple[str, str], set[str]] = {}
    for name, key, told in found:
        grouped.setdefault((name, key), set()).add(told)
    return {place: tuple(sorted(texts, key=str.encode)) for place, texts in grouped.items()}


def _to_records(rows: Found, names: Iterable[str]) -> list[Record]:
    """Rows as records of these collections. All metadata are read at once, at half the cost."""
    told: list[Metadata] = json.loads(f"[{','.join([row[2] for row in rows])}]")
    return [
        Record(
            collection=name,
            id=row[0],
            text=row[1],
            metadata=metadata,
            at=row[3],
            version=row[4],
            access_count=row[5],
        )
        for row, metadata, name in zip(rows, told, names, strict=True)
    ]


# ── collections and sessions ──────────────────────────────────────────────────────────────────────────────


def collections(
    read: ReadTransaction, *, owner: str | None, prefix: str, after: str | None, limit: int | None
) -> Page[CollectionInfo]:
    """Collections whose names start with the prefix, in byte order: a stretch of the index on names. Those of an owner
    are found by the index on owners, which names only what it holds."""
    conditions, values = ["c.name >= %s"], list[SqlValue]([prefix])
    end = behind(prefix)
    if end is not None:
        conditions, values = [*conditions, "c.name < %s"], [*values, end]
    if after is not None:
        conditions, values = [*conditions, "c.name > %s"], [*values, after]
    if owner is not None:
        held = f"SELECT r.collection FROM {SCHEMA}.records r WHERE r.owner = %s"
        conditions, values = [*conditions, f"c.id IN ({held})"], [*values, value_key(owner)]
    rows = read.ask(
        f"SELECT c.name, c.records FROM {SCHEMA}.collections c WHERE {' AND '.join(conditions)}"
        " ORDER BY c.name LIMIT %s",
        (*values, _one_more(limit)),
    )
    found = [CollectionInfo(name=name, records=held) for name, held in rows]
    return page_of(found, limit, cursor=lambda last: last.name)


def volume(read: ReadTransaction, collections: Collection[str], owner: str | None) -> Volume:
    """What stands in these collections or is an owner's: a stretch of an index for each: others cost nothing."""
    chosen = f"SELECT c.id FROM {SCHEMA}.collections c WHERE c.name = ANY(%s::text[])"
    parts = [f"SELECT r.* FROM ({chosen} OFFSET 0) c CROSS JOIN LATERAL ({_OF_COLLECTION}) r"]
    values: list[object] = [list(collections)]
    if owner is not None:
        parts.append(f"SELECT r.* FROM ({_OF_OWNER}) r WHERE r.collection <> ALL(ARRAY({chosen}))")
        values += [value_key(owner), list(collections)]
    statement = (
        "SELECT count(*), coalesce(sum(octet_length(t.body) + octet_length(r.metadata)), 0)::bigint"
        f" FROM ({' UNION ALL '.join(parts)}) r {_TEXT}"
    )
    rows = read.ask(PlannedAnew(statement), values)
    return Volume(records=rows[0][0], size_bytes=rows[0][1])


_OF_COLLECTION = f"SELECT r.collection, r.digest, r.metadata FROM {SCHEMA}.records r WHERE r.collection = c.id OFFSET 0"
_OF_OWNER = f"SELECT r.collection, r.digest, r.metadata FROM {SCHEMA}.records r WHERE r.owner = %s OFFSET 0"

_STATE = f"SELECT s.session, s.generation, s.state, s.at FROM {SCHEMA}.sessions s"


def states_statement(sessions: Collection[str]) -> Statement:
    """What asks for sessions: the state of each, if it has one, and which commit changed it last."""
    told = (
        "SELECT k.session, s.generation, s.state, s.at, coalesce(t.revision, 0) FROM unnest(%s::text[]) k(session)"
        f" LEFT JOIN {SCHEMA}.topics t ON t.kind = 2 AND t.name = k.session"
        f" LEFT JOIN {SCHEMA}.sessions s ON s.session = k.session"
    )
    return told, (list(sessions),)


def states_in(found: Found) -> tuple[dict[str, SessionState | None], dict[str, Revision]]:
    """The states of the sessions that were asked for, and which commit changed each last."""
    states = {row[0]: None if row[1] is None else _to_state(row[:4]) for row in found}
    return states, {row[0]: row[-1] for row in found}


def states_of(read: ReadTransaction, owner: str | None, after: str | None, limit: int | None) -> Page[SessionState]:
    """The states of a namespace's sessions (None: of all), in byte order of their names."""
    joined, conditions, values = "", ["TRUE"], list[SqlValue]()
    if owner is not None:
        joined = f" JOIN {SCHEMA}.session_owners o ON o.session = s.session"
        conditions, values = ["o.owner = %s"], [text_key(owner)]
    if after is not None:
        conditions, values = [*conditions, "s.session > %s"], [*values, after]
    rows = read.ask(
        f"{_STATE}{joined} WHERE {' AND '.join(conditions)} ORDER BY s.session LIMIT %s", (*values, _one_more(limit))
    )
    return page_of([_to_state(row) for row in rows], limit, cursor=lambda last: last.session)


def _to_state(row: tuple[Any, ...]) -> SessionState:
    session, generation, state, at = row
    return SessionState(session=session, generation=generation, state=json.loads(state), at=at)


def edges(
    read: ReadTransaction, session: str | None, parents: Collection[str] | None, children: Collection[str] | None
) -> tuple[Edge, ...]:
    """Coverage edges by session, parent, position, child."""
    conditions, values = ["TRUE"], list[SqlValue]()
    if session is not None:
        conditions, values = [*conditions, "session = %s"], [*values, session]
    if parents is not None:
        conditions, values = [*conditions, "parent = ANY(%s::text[])"], [*values, list(parents)]
    if children is not None:
        conditions, values = [*conditions, "child = ANY(%s::text[])"], [*values, list(children)]
    rows = read.ask(
        f"SELECT session, parent, child, child_kind, position, at FROM {SCHEMA}.edges"
        f" WHERE {' AND '.join(conditions)} ORDER BY session, parent, position, child",
        values,
    )
    return tuple(
        Edge(session=session, parent=parent, child=child, child_kind=kind, position=position, at=at)
        for session, parent, child, kind, position, at in rows
    )


def journal(read: ReadTransaction, sessions: Collection[str] | None, limit: int | None) -> tuple[JournalEntry, ...]:
    """Journal entries, newest last."""
    condition, values = "", list[SqlValue]()
    if sessions is not None:
        condition, values = " WHERE session = ANY(%s::text[])", [list(sessions)]
    rows = read.ask(
        f"SELECT seq, session, at, entry FROM {SCHEMA}.journal{condition} ORDER BY seq DESC LIMIT %s",
        (*values, _limit(limit)),
    )
    return tuple(
        JournalEntry(seq=seq, session=session, at=at, entry=json.loads(entry))
        for seq, session, at, entry in reversed(rows)
    )


# ── vectors ───────────────────────────────────────────────────────────────────────────────────────────────


SPACE = "s.fingerprint, s.dimensions, s.description, s.state, s.retired"
SPACES_IN_ORDER = "ORDER BY s.state = 'active' DESC, s.fingerprint"


def spaces(read: ReadTransaction) -> tuple[Space, ...]:
    """Vector spaces, the active one first. To count a text once, wherever it stands, costs a look at all codes."""
    return to_spaces(
        read.ask(
            f"SELECT {SPACE}, coalesce(h.texts, 0), coalesce(h.vectors, 0) FROM {SCHEMA}.spaces s"
            " LEFT JOIN (SELECT d.space, count(*) AS texts, sum(d.vectors)::bigint AS vectors"
            f" FROM (SELECT DISTINCT space, digest, vectors FROM {SCHEMA}.codes) d GROUP BY d.space) h"
            f" ON h.space = s.id {SPACES_IN_ORDER}"
        )
    )


def to_spaces(rows: Found) -> tuple[Space, ...]:
    """Rows of `SPACE` with two counts as vector spaces."""
    return tuple(
        Space(
            fingerprint=fingerprint,
            dimensions=dimensions,
            description=json.loads(description),
            state=SpaceState(state),
            texts=texts,
            vectors=vectors,
            retired=retired,
        )
        for fingerprint, dimensions, description, state, retired, texts, vectors in rows
    )


def stored_vectors(
    read: ReadTransaction, fingerprint: str, digests: Collection[bytes], met: Sequence[int]
) -> dict[bytes, Vector]:
    """The vectors of these texts in a space, of those that have some: those of one collection each, since a text has
    the same wherever it stands. A limited read looks where it has been (`met`), and at what belongs to its namespaces:
    whoever says "ok" would else look at everybody who said so, to find that he may see none of it."""
    holder = f"SELECT t.collection FROM {SCHEMA}.texts t WHERE t.digest = k.digest LIMIT 1"
    values: list[object] = [list(dict.fromkeys(digests))]
    if read.is_limited:
        holder = (
            f"SELECT t.collection FROM unnest(%s::integer[] || {OWN_COLLECTIONS}) o(id) CROSS JOIN LATERAL"
            f" (SELECT t.collection FROM {SCHEMA}.texts t WHERE t.collection = o.id AND t.digest = k.digest OFFSET 0) t"
            " LIMIT 1"
        )
        values.append(list(met))
    rows = read.ask(
        f"SELECT k.digest, v.vector FROM {SCHEMA}.spaces s CROSS JOIN unnest(%s::bytea[]) k(digest)"
        f" CROSS JOIN LATERAL ({holder}) h"
        f" CROSS JOIN LATERAL (SELECT v.place, v.vector FROM {SCHEMA}.vectors v WHERE v.collection = h.collection"
        " AND v.space = s.id AND v.digest = k.digest OFFSET 0) v WHERE s.fingerprint = %s ORDER BY k.digest, v.place",
        (*values, fingerprint),
    )
    found: dict[bytes, list[bytes]] = {}
    for digest, vector in rows:
        found.setdefault(digest, []).append(vector)
    return {
        digest: as_floats(np.frombuffer(b"".join(vectors), dtype="<u2").reshape(len(vectors), -1))
        for digest, vectors in found.items()
    }


# ── limits and ends ───────────────────────────────────────────────────────────────────────────────────────


def behind(prefix: str) -> str | None:
    """The least text behind every text that starts so; None when there is none."""
    for place in range(len(prefix) - 1, -1, -1):
        point = ord(prefix[place]) + 1
        if point <= sys.maxunicode:
            return prefix[:place] + chr(0xE000 if 0xD800 <= point < 0xE000 else point)  # no text holds surrogates
    return None


def _limit(limit: int | None) -> int:
    return _MOST if limit is None else min(max(limit, 0), _MOST)


def _one_more(limit: int | None) -> int:
    """What is read for a page: one more tells whether another page follows."""
    return _limit(None if limit is None else max(limit, 0) + 1)
