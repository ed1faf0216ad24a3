"""Questions to SQL: every read runs on a connection whose transaction sees one consistent state."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from libravdb.adapters.sqlite.connection import Inconsistent
from libravdb.adapters.sqlite.filters import INDEXED, where_sql
from libravdb.adapters.sqlite.schema import MIGRATIONS
from libravdb.adapters.sqlite.vector_cache import fetch_vectors
from libravdb.adapters.sqlite.writes import analysis_of
from libravdb.adapters.vector_codes import Vector
from libravdb.model import (
    CollectionInfo,
    Edge,
    JournalEntry,
    Key,
    Metadata,
    Order,
    Page,
    Record,
    SessionState,
    Space,
    SpaceState,
    StoreStats,
    Volume,
    Where,
    digest,
)
from libravdb.model.turn_metadata import OWNER
from libravdb.ports.paging import newest_cursor, page_of, read_newest_cursor
from libravdb.ports.validation import to_json

RecordRow = tuple[str, str, str | None, str, int, int, int, bytes | None, int]
"""Name of the collection, id, text, metadata, moment, version, access count, address of the text, row."""

_COLUMNS = "SELECT c.name, r.id, t.body, r.metadata, r.at, r.version, r.access_count, t.digest, r.row"
# A left join: a record whose text is missing is damage, and must not be missing as well.
RECORD = f"{_COLUMNS} FROM records r CROSS JOIN collections c ON c.id = r.collection LEFT JOIN texts t ON t.id = r.text"


# ── records and their company ─────────────────────────────────────────────────────────────────────────────


def records(db: sqlite3.Connection, keys: Collection[Key]) -> dict[Key, tuple[int, Record]]:
    """Those of these records that there are, with their rows."""
    rows = db.execute(
        f"{_COLUMNS} FROM json_each(?) j CROSS JOIN collections c ON c.name = j.value ->> 0"
        " CROSS JOIN records r ON r.collection = c.id AND r.id = j.value ->> 1 LEFT JOIN texts t ON t.id = r.text",
        (json.dumps([list(key) for key in keys]),),
    ).fetchall()
    return {Key(row[0], row[1]): (row[-1], record) for row, record in zip(rows, to_records(rows), strict=True)}


def rows_of(db: sqlite3.Connection, keys: Collection[Key]) -> dict[Key, int]:
    """The rows of these records, of those that there are."""
    found = db.execute(
        "SELECT c.name, r.id, r.row FROM json_each(?) j CROSS JOIN collections c ON c.name = j.value ->> 0"
        " CROSS JOIN records r ON r.collection = c.id AND r.id = j.value ->> 1",
        (json.dumps([list(key) for key in keys]),),
    )
    return {Key(name, id): row for name, id, row in found}


def page(
    db: sqlite3.Connection,
    collection: str,
    *,
    order: Order,
    where: Where,
    after: str | None,
    limit: int | None,
    excluded: Collection[str] = (),
) -> Page[Record]:
    """Records of a collection in an order; one more than asked for is read, to know whether there is a next page."""
    condition, values = where_sql(where)
    if excluded:
        condition = f"{condition} AND r.id NOT IN (SELECT value FROM json_each(?))"
        values = [*values, json.dumps(list(excluded))]
    if after is not None and order is Order.ID:
        condition, values = f"{condition} AND r.id > ?", [*values, after]
    elif after is not None:
        at, id = read_newest_cursor(after)
        condition, values = f"{condition} AND (r.at, r.id) < (?, ?)", [*values, at, id]
    by = "r.id" if order is Order.ID else "r.at DESC, r.id DESC"
    if order is Order.NEWEST:
        condition = condition.replace("r.owner", "+r.owner")  # by that index all of the owner's would be sorted first
    elif limit is None and OWNER in where.metadata and not where.may_lack:
        by = "+r.id"  # all of the owner's at once: sorted once, and nobody else's is looked at
    rows = db.execute(
        f"{RECORD} WHERE r.collection = (SELECT id FROM collections WHERE name = ?){condition} ORDER BY {by} LIMIT ?",
        (collection, *values, _one_more(limit)),
    ).fetchall()
    if where.is_open() and not excluded and (limit is None or len(rows) <= limit):
        _refuse_shortened(db, collection, len(rows) if after is None else None)
    return page_of(to_records(rows), limit, cursor=_id_of if order is Order.ID else newest_cursor)


def expired(db: sqlite3.Connection, now: int, limit: int | None) -> tuple[Key, ...]:
    """The records whose moment to go has come, by that moment: a stretch of the index on it."""
    rows = db.execute(
        "SELECT c.name, r.id FROM records r INDEXED BY records_by_expiry"
        " CROSS JOIN collections c ON c.id = r.collection"
        " WHERE r.expires <= ? ORDER BY r.expires, c.name, r.id LIMIT ?",
        (now, _limit(limit)),
    )
    return tuple(Key(name, id) for name, id in rows)


def _refuse_shortened(db: sqlite3.Connection, collection: str, listed: int | None) -> None:
    """At the end of a list: what was walked through must be as long as the collection is by another index."""
    counted, walked = db.execute(
        "SELECT (SELECT count(*) FROM records INDEXED BY records_by_arrival WHERE collection = c.id),"
        " (SELECT count(*) FROM records INDEXED BY sqlite_autoindex_records_1 WHERE collection = c.id)"
        " FROM collections c WHERE c.name = ?",
        (collection,),
    ).fetchone() or (0, 0)
    if counted != walked or (listed is not None and listed != counted):
        found = walked if listed is None else listed
        raise Inconsistent(f"{found} records of {collection!r} are found, {counted} are counted")


def _id_of(record: Record) -> str:
    return record.id


def _one_more(limit: int | None) -> int:
    """What is read for a page: one more tells whether another page follows."""
    return _limit(None if limit is None else max(limit, 0) + 1)


def holding(db: sqlite3.Connection, collection: str, digests: Collection[bytes]) -> dict[bytes, tuple[Record, ...]]:
    """Records with exactly these texts, by time, then id."""
    found: dict[bytes, tuple[Record, ...]] = {}
    for address in dict.fromkeys(digests):
        rows = db.execute(
            f"{RECORD} WHERE r.collection = (SELECT id FROM collections WHERE name = ?)"
            " AND r.text = (SELECT id FROM texts WHERE digest = ?) ORDER BY r.at, r.id",
            (collection, address),
        ).fetchall()
        if rows:
            found[address] = tuple(to_records(rows))
    return found


def sizes(db: sqlite3.Connection, collections: Collection[str]) -> dict[str, int]:
    """How many records each of these collections holds."""
    rows = db.execute(
        "SELECT c.name, (SELECT count(*) FROM records r INDEXED BY records_by_arrival WHERE r.collection = c.id)"
        " FROM json_each(?) j CROSS JOIN collections c ON c.name = j.value",
        (json.dumps(list(dict.fromkeys(collections))),),
    )
    return {**dict.fromkeys(collections, 0), **dict(rows.fetchall())}


def collections(
    db: sqlite3.Connection, *, owner: str | None, prefix: str, after: str | None, limit: int | None
) -> Page[CollectionInfo]:
    """Collections whose names start with the prefix, in byte order: a stretch of the index on names. Those of an owner
    are found by the index on owners, which names only what it holds."""
    end = _behind(prefix)
    conditions, values = ["c.name >= ?"], [prefix]
    if end is not None:
        conditions, values = [*conditions, "c.name < ?"], [*values, end]
    if after is not None:
        conditions, values = [*conditions, "c.name > ?"], [*values, after]
    source = "collections c"
    if owner is not None:  # in this order: from what the owner holds to its collections, not from all collections
        held = "SELECT DISTINCT collection FROM records INDEXED BY records_by_owner WHERE owner = ?"
        source, values = f"({held}) o CROSS JOIN collections c ON c.id = o.collection", [to_json(owner), *values]
    rows = db.execute(
        "SELECT c.name, (SELECT count(*) FROM records r INDEXED BY records_by_arrival WHERE r.collection = c.id)"
        f" FROM {source} WHERE {' AND '.join(conditions)} ORDER BY c.name LIMIT ?",
        (*values, _one_more(limit)),
    ).fetchall()
    found = [CollectionInfo(name=name, records=records) for name, records in rows]
    return page_of(found, limit, cursor=lambda last: last.name)


def volume(db: sqlite3.Connection, collections: Collection[str], owner: str | None) -> Volume:
    """What stands in these collections or is an owner's, found by the indexes on both."""
    row = db.execute(
        "SELECT count(*), coalesce(sum(length(CAST(t.body AS BLOB)) + length(CAST(r.metadata AS BLOB))), 0) FROM ("
        "SELECT r.row FROM json_each(?) j CROSS JOIN collections c ON c.name = j.value"
        " CROSS JOIN records r INDEXED BY records_by_arrival ON r.collection = c.id"
        " UNION SELECT row FROM records INDEXED BY records_by_owner WHERE owner = ?"
        ") o CROSS JOIN records r ON r.row = o.row CROSS JOIN texts t ON t.id = r.text",
        (json.dumps(list(collections)), None if owner is None else to_json(owner)),
    ).fetchone()
    return Volume(records=row[0], size_bytes=row[1])


def _behind(prefix: str) -> str | None:
    """The least text behind every text that starts so; None when there is none."""
    for place in range(len(prefix) - 1, -1, -1):
        point = ord(prefix[place]) + 1
        if point <= sys.maxunicode:
            return prefix[:place] + chr(0xE000 if 0xD800 <= point < 0xE000 else point)  # no text holds surrogates
    return None


def distinct(db: sqlite3.Connection, collection: str, key: str, limit: int) -> tuple[str, ...]:
    """The texts under a metadata key. Where a column has the key, the index is asked for the next from each value, so
    rows are not counted; else every record is looked at."""
    column = INDEXED.get(key)
    if column is None:
        rows = db.execute(
            "SELECT DISTINCT r.metadata -> ? FROM records r JOIN collections c ON c.id = r.collection WHERE c.name = ?",
            (f'$."{key}"', collection),
        )
    else:
        rows = db.execute(
            "WITH RECURSIVE found (collection, value) AS ("
            f" SELECT c.id, (SELECT min(r.{column}) FROM records r"
            f" WHERE r.collection = c.id AND r.{column} IS NOT NULL)"
            " FROM collections c WHERE c.name = ?"
            f" UNION ALL SELECT collection, (SELECT min(r.{column}) FROM records r"
            f" WHERE r.collection = found.collection AND r.{column} > found.value) FROM found WHERE value IS NOT NULL"
            ") SELECT value FROM found WHERE value IS NOT NULL LIMIT ?",
            (collection, _limit(limit)),
        )
    values = [json.loads(value) for (value,) in rows if value is not None]
    return tuple(sorted(value for value in values if isinstance(value, str)))[: max(limit, 0)]


def edges(
    db: sqlite3.Connection, session: str | None, parents: Collection[str] | None, children: Collection[str] | None
) -> tuple[Edge, ...]:
    """Coverage edges by session, parent, position, child."""
    conditions, values = ["TRUE"], list[str]()
    if session is not None:
        conditions, values = [*conditions, "session = ?"], [*values, session]
    if parents is not None:
        conditions = [*conditions, "parent IN (SELECT value FROM json_each(?))"]
        values = [*values, json.dumps(list(parents))]
    if children is not None:
        conditions = [*conditions, "child IN (SELECT value FROM json_each(?))"]
        values = [*values, json.dumps(list(children))]
    is_upward = session is not None and parents is None and children is not None
    by = " INDEXED BY edges_by_child" if is_upward else ""  # else all of the session would be walked, for its order
    rows = db.execute(
        f"SELECT session, parent, child, child_kind, position, at FROM edges{by} WHERE {' AND '.join(conditions)}"
        " ORDER BY session, parent, position, child",
        values,
    )
    return tuple(
        Edge(session=session, parent=parent, child=child, child_kind=kind, position=position, at=at)
        for session, parent, child, kind, position, at in rows
    )


def journal(db: sqlite3.Connection, sessions: Collection[str] | None, limit: int | None) -> tuple[JournalEntry, ...]:
    """Journal entries, newest last."""
    condition, values = "", list[str]()
    if sessions is not None:
        condition, values = " WHERE session IN (SELECT value FROM json_each(?))", [json.dumps(list(sessions))]
    rows = db.execute(
        f"SELECT seq, session, at, entry FROM journal{condition} ORDER BY seq DESC LIMIT ?", (*values, _limit(limit))
    ).fetchall()
    return tuple(
        JournalEntry(seq=seq, session=session, at=at, entry=json.loads(entry))
        for seq, session, at, entry in reversed(rows)
    )


_STATE = "SELECT s.session, s.generation, s.state, s.at FROM sessions s"


def states(db: sqlite3.Connection, sessions: Collection[str]) -> dict[str, SessionState]:
    """The states of these sessions, of those that have one."""
    rows = db.execute(f"{_STATE} WHERE s.session IN (SELECT value FROM json_each(?))", (json.dumps(list(sessions)),))
    return {row[0]: _to_state(row) for row in rows}


def states_of(db: sqlite3.Connection, owner: str | None, after: str | None, limit: int | None) -> Page[SessionState]:
    """The states of a namespace's sessions (None: of all), in byte order of their names."""
    joined, conditions, values = "", ["TRUE"], list[str]()
    if owner is not None:
        joined, conditions, values = " JOIN session_owners o ON o.session = s.session", ["o.owner = ?"], [owner]
    if after is not None:
        conditions, values = [*conditions, "s.session > ?"], [*values, after]
    rows = db.execute(
        f"{_STATE}{joined} WHERE {' AND '.join(conditions)} ORDER BY s.session LIMIT ?",
        (*values, _one_more(limit)),
    ).fetchall()
    return page_of([_to_state(row) for row in rows], limit, cursor=lambda last: last.session)


def _to_state(row: tuple[str, int, str, int]) -> SessionState:
    session, generation, state, at = row
    return SessionState(session=session, generation=generation, state=json.loads(state), at=at)


def spaces(db: sqlite3.Connection) -> tuple[Space, ...]:
    """Vector spaces, the active one first."""
    rows = db.execute(
        "SELECT fingerprint, dimensions, description, state, texts, vectors, retired FROM spaces"
        " ORDER BY state = 'active' DESC, fingerprint"
    )
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
        for fingerprint, dimensions, description, state, texts, vectors, retired in rows
    )


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


def stored_vectors(db: sqlite3.Connection, fingerprint: str, digests: Collection[bytes]) -> dict[bytes, Vector]:
    """The vectors of these texts in a space, of those that have some."""
    space = db.execute("SELECT id, dimensions FROM spaces WHERE fingerprint = ?", (fingerprint,)).fetchone()
    rows = [] if space is None else list(_codes_of(db, space[0], list(dict.fromkeys(digests))))
    if not rows:
        return {}
    ids = np.concatenate([np.arange(first, first + count) for _, first, count in rows])
    vectors = fetch_vectors(db, ids, space[1])
    ends = np.cumsum([count for *_, count in rows])
    return {row[0]: part for row, part in zip(rows, np.split(vectors, ends[:-1]), strict=True)}


def _codes_of(db: sqlite3.Connection, space: int, digests: list[bytes]) -> Iterator[tuple[bytes, int, int]]:
    """Address, first vector and number of vectors of texts; a statement takes so many parameters and no more."""
    for start in range(0, len(digests), _PARAMETERS):
        some = digests[start : start + _PARAMETERS]
        yield from db.execute(
            "SELECT t.digest, c.first_vector, c.vectors FROM texts t"
            " CROSS JOIN codes c ON c.space = ? AND c.text = t.id"
            f" WHERE t.digest IN ({', '.join('?' for _ in some)})",
            (space, *some),
        )


_PARAMETERS = 500


def _limit(limit: int | None) -> int:
    """For SQLite a negative limit means everything; for a caller it means nothing."""
    return -1 if limit is None else min(max(limit, 0), 2**63 - 1)


def to_records(rows: Sequence[RecordRow]) -> list[Record]:
    """Rows of `RECORD` as records. All metadata are read at once, at half the cost."""
    try:
        told: list[Metadata] = json.loads(f"[{','.join([row[3] for row in rows])}]")
    except ValueError as error:
        raise Inconsistent(f"metadata are no JSON ({error})") from error
    return [
        Record(
            collection=row[0],
            id=row[1],
            text=_body(row),
            metadata=metadata,
            at=row[4],
            version=row[5],
            access_count=row[6],
        )
        for row, metadata in zip(rows, told, strict=True)
    ]


def _body(row: RecordRow) -> str:
    """The text, if it is what was written."""
    body = row[2]
    if body is None:
        raise Inconsistent(f"the text of record {row[1]!r} in {row[0]!r} is missing")
    if digest(body) != row[7]:
        raise Inconsistent(f"the text of record {row[1]!r} in {row[0]!r} is not what was written")
    return body


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
        versions={"sqlite": sqlite3.sqlite_version, "analysis": analysis_of(db), "format": MIGRATIONS[-1].__name__},
    )
