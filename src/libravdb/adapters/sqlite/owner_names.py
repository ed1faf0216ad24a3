"""A step of the schema: owners by the names under which they are found today, and ids that no two turns share.

Names are compared composed (NFC) since then, and an id of a user's own choice that begins like one of ours got a
prefix. Whoever was known by another spelling finds his memory again; two spellings of one name become one memory.
"""

from __future__ import annotations

import itertools
import json
import sqlite3

from libravdb.model.collections import NAMESPACE_KINDS, CollectionKind, CollectionName, parse_collection
from libravdb.model.namespaces import renamed
from libravdb.model.record_ids import guidance_id
from libravdb.model.turn_metadata import OWNER, SESSION, SOURCE_TURN
from libravdb.ports.validation import to_json

_GUIDANCE = (CollectionKind.USER_GUIDANCE, CollectionKind.SESSION_GUIDANCE)


def owners_by_one_name(db: sqlite3.Connection) -> None:
    """Collections, records and sessions by the names of today. Where two collections become one, the index of words is
    made anew."""
    _rename_guidance(db)
    _rename_in_records(db)
    _rename_in_sessions(db)
    for id, name in db.execute("SELECT id, name FROM collections ORDER BY id").fetchall():
        place = parse_collection(name)
        whose = renamed(place.owner)
        if place.kind in NAMESPACE_KINDS and whose != place.owner:
            _rename_collection(db, id, str(CollectionName(kind=place.kind, owner=whose)))


def _rename_guidance(db: sqlite3.Connection) -> None:
    """Turns that are kept word for word, where an id could be that of two."""
    for collection, name in db.execute("SELECT id, name FROM collections").fetchall():
        if parse_collection(name).kind not in _GUIDANCE:
            continue
        told_of = "SELECT row, id, metadata FROM records WHERE collection = ? AND json_valid(metadata)"
        for row, id, metadata in db.execute(told_of, (collection,)).fetchall():
            told = json.loads(metadata)
            session, turn = told.get(SESSION), told.get(SOURCE_TURN)
            if isinstance(session, str) and isinstance(turn, str) and id == f"guidance:{session}:{turn}":
                db.execute("UPDATE OR IGNORE records SET id = ? WHERE row = ?", (guidance_id(session, turn), row))


def _rename_in_records(db: sqlite3.Connection) -> None:
    owners = [owner for (owner,) in db.execute("SELECT DISTINCT owner FROM records WHERE owner IS NOT NULL")]
    for owner in owners:
        told = json.loads(owner)
        if not isinstance(told, str) or renamed(told) == told:
            continue
        for row, metadata in db.execute("SELECT row, metadata FROM records WHERE owner = ?", (owner,)).fetchall():
            facts = {**json.loads(metadata), OWNER: renamed(told)}
            db.execute("UPDATE records SET metadata = ? WHERE row = ?", (to_json(facts), row))


def _rename_in_sessions(db: sqlite3.Connection) -> None:
    for session, written in db.execute("SELECT session, state FROM sessions WHERE json_valid(state)").fetchall():
        state = json.loads(written)
        names = state.get("namespaces")
        told = [renamed(name) for name in names if isinstance(name, str)] if isinstance(names, list) else []
        if told and told != names:
            state["namespaces"] = sorted(set(told))
            db.execute("UPDATE sessions SET state = ? WHERE session = ?", (to_json(state), session))
            db.execute("DELETE FROM session_owners WHERE session = ?", (session,))
            db.executemany("INSERT INTO session_owners VALUES (?, ?)", [(name, session) for name in set(told)])


def _rename_collection(db: sqlite3.Connection, collection: int, name: str) -> None:
    twin = db.execute("SELECT id FROM collections WHERE name = ?", (name,)).fetchone()
    if twin is None:
        db.execute("UPDATE collections SET name = ? WHERE id = ?", (name, collection))
        return
    _move_records(db, collection, twin[0])
    _move_words(db, collection, twin[0])
    db.execute("DELETE FROM collections WHERE id = ?", (collection,))
    db.execute("UPDATE facts SET value = '' WHERE name = 'analysis'")


def _move_records(db: sqlite3.Connection, old: int, new: int) -> None:
    """Into another collection; what stands there under the same id stays, and a further one gets a number."""
    for row, id, text in db.execute("SELECT row, id, text FROM records WHERE collection = ?", (old,)).fetchall():
        held = db.execute("SELECT text FROM records WHERE collection = ? AND id = ?", (new, id)).fetchone()
        if held == (text,):
            db.execute("DELETE FROM records WHERE row = ?", (row,))
            continue
        numbered = itertools.chain([id], (f"{id}~{number}" for number in itertools.count(2)))
        free = next(one for one in numbered if not _is_used(db, new, one))
        db.execute("UPDATE records SET collection = ?, id = ? WHERE row = ?", (new, free, row))


def _is_used(db: sqlite3.Connection, collection: int, id: str) -> bool:
    found = db.execute("SELECT 1 FROM records WHERE collection = ? AND id = ?", (collection, id))
    return found.fetchone() is not None


def _move_words(db: sqlite3.Connection, old: int, new: int) -> None:
    """What texts are indexed under, as it is remembered; the index itself is made from it."""
    placed = db.execute("SELECT text, lexical FROM placements WHERE collection = ?", (old,)).fetchall()
    for text, lexical in placed:
        known = db.execute("SELECT 1 FROM placements WHERE collection = ? AND text = ?", (new, text)).fetchone()
        (scope,) = db.execute("SELECT scope FROM lexical WHERE row = ?", (lexical,)).fetchone()
        scopes = [f"c{new}" if one == f"c{old}" else one for one in scope.split()]
        db.execute("DELETE FROM placements WHERE collection = ? AND text = ?", (old, text))
        if known is not None:
            scopes = [one for one in scope.split() if one != f"c{old}"]
        else:
            db.execute("INSERT INTO placements VALUES (?, ?, ?)", (new, text, lexical))
        if scopes:
            written = (" ".join(scopes), len(scopes), lexical)
            db.execute("UPDATE lexical SET scope = ?, scopes = ? WHERE row = ?", written)
        else:
            db.execute("DELETE FROM lexical WHERE row = ?", (lexical,))
    db.execute(
        "UPDATE collections SET texts = (SELECT count(*) FROM placements WHERE collection = ?) WHERE id = ?", (new, new)
    )
