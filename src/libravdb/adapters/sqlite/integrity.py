"""The proof that a file is sound: every invariant of the store, checked without writing.

Each check is a function from a connection to findings; `CHECKS` lists them with the invariant they prove. What is
promised of conversations and their summaries is asked in `coverage`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

from libravdb.adapters import term_counts
from libravdb.adapters.sqlite.checksums import misread_records
from libravdb.adapters.sqlite.connection import check_head, check_identity, connect_to_read, explain, is_damage
from libravdb.adapters.sqlite.schema import applied_migrations, refuse_newer, refuse_older
from libravdb.adapters.sqlite.vector_cache import from_blobs
from libravdb.adapters.vector_codes import code_bytes, sign_codes
from libravdb.core.compaction import coverage
from libravdb.errors import NotFound
from libravdb.model import Edge, Finding, Metadata, digest
from libravdb.model.collections import raw_turns, session_summaries, session_view
from libravdb.ports.clock import Progress, no_progress

Check = Callable[[sqlite3.Connection], Iterator[str]]


def verify_file(path: Path, progress: Progress = no_progress) -> Iterator[Finding]:
    """Run every check on one consistent state of the file; yields what is broken, writes nothing."""
    if not path.is_file():
        raise NotFound("store", str(path), remedy="Set store.path, or make one with 'libravdb remember'.")
    with path.open("rb") as file:
        check_head(file.read(16), path)
    yield from verify_open_file(path, progress)


def verify_open_file(path: Path, progress: Progress = no_progress) -> Iterator[Finding]:
    """The same of a file that this process has open: only SQLite opens it again, and keeps its locks."""
    db = connect_to_read(path)
    db.text_factory = lambda raw: raw.decode(errors="replace")  # a damaged text is a finding, not the end
    try:
        check_identity(db, path)
        applied = applied_migrations(db)
        refuse_newer(applied, path=str(path))
        refuse_older(applied, path=str(path))
        db.execute("BEGIN")
        for done, (invariant, check) in enumerate(CHECKS):
            progress(done, len(CHECKS))
            for detail in _found(check, db):
                yield Finding(invariant=invariant, detail=detail)
        progress(len(CHECKS), len(CHECKS))
    except sqlite3.Error as error:
        raise explain(error, str(path)) from error
    finally:
        db.close()


def _found(check: Check, db: sqlite3.Connection) -> Iterator[str]:
    """What a check finds. A row that it cannot even read is a finding too, and ends this check only."""
    try:
        yield from check(db)
    except sqlite3.Error as error:
        if not is_damage(error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _OUTSIDE:
            raise
        yield f"cannot be checked to the end: {_told(error)}"
    except _UNREADABLE as error:
        yield f"cannot be checked to the end, a row holds what was never written: {_told(error)}"


_OUTSIDE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
)
"""Errors that tell of the disk or of other processes, not of what stands in the file."""

_UNREADABLE = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)
"""What comes of values that no writer of ours writes: NULL for a text, a text for a number, too few bytes."""


def _told(error: Exception) -> str:
    """An error in one line."""
    return " ".join(str(error).split())


def _file_is_sound(db: sqlite3.Connection) -> Iterator[str]:
    for (message,) in db.execute("PRAGMA integrity_check"):
        yield from (line for line in message.splitlines() if line != "ok" and not line.startswith("*** in database"))


def _references_resolve(db: sqlite3.Connection) -> Iterator[str]:
    for table, row, parent, _ in db.execute("PRAGMA foreign_key_check"):
        yield f"{table} row {row} refers to a missing row of {parent}"


def _texts_match_their_address(db: sqlite3.Connection) -> Iterator[str]:
    for text, address, body, blank in db.execute("SELECT id, digest, body, blank FROM texts"):
        if not isinstance(body, str) or digest(body) != address:
            yield f"text {text} is not what its address says"
        elif bool(blank) != (not body.strip()):
            yield f"text {text} is wrongly marked as blank or not"


def misread_texts(db: sqlite3.Connection) -> Iterator[str]:
    """Texts that are no longer what was written, as far as their bytes tell."""
    yield from _found(_texts_match_their_address, db)


def _texts_are_used(db: sqlite3.Connection) -> Iterator[str]:
    rows = db.execute("SELECT id FROM texts t WHERE NOT EXISTS (SELECT 1 FROM placements p WHERE p.text = t.id)")
    for (text,) in rows:
        yield f"text {text} belongs to no record"


def _placements_match_records(db: sqlite3.Connection) -> Iterator[str]:
    missing = db.execute(
        "SELECT collection, text FROM records EXCEPT SELECT collection, text FROM placements"
    ).fetchall()
    extra = db.execute("SELECT collection, text FROM placements EXCEPT SELECT collection, text FROM records")
    for collection, text in missing:
        yield f"text {text} is not indexed for collection {collection}"
    for collection, text in extra:
        yield f"text {text} is indexed for collection {collection} without a record there"


def _collections_count_right(db: sqlite3.Connection) -> Iterator[str]:
    rows = db.execute(
        "SELECT c.name, c.texts, c.terms, count(p.text), coalesce(sum(b.length), 0) FROM collections c"
        " LEFT JOIN placements p ON p.collection = c.id LEFT JOIN bags b ON b.text = p.text GROUP BY c.id"
    )
    for name, texts, terms, real_texts, real_terms in rows:
        if (texts, terms) != (real_texts, real_terms):
            yield f"collection {name!r} counts {texts} texts of {terms} terms, not {real_texts} of {real_terms}"


def _bags_match_texts(db: sqlite3.Connection) -> Iterator[str]:
    rows = db.execute("SELECT t.id, b.terms, b.length, b.bag FROM texts t LEFT JOIN bags b ON b.text = t.id")
    for text, joined, length, bag in rows:
        terms = _terms(joined)
        if (length, bag) != (len(terms), term_counts.pack(terms)):
            yield f"text {text} has a bag that does not hold its terms"


def _terms(joined: str | None) -> list[str]:
    return joined.split(" ") if joined else []


def _scopes_match_placements(db: sqlite3.Connection) -> Iterator[str]:
    placed: dict[int, set[str]] = {}
    for row, collection in db.execute("SELECT lexical, collection FROM placements"):
        placed.setdefault(row, set()).add(f"c{collection}")
    for row, scope, scopes in db.execute("SELECT row, scope, scopes FROM lexical"):
        tokens = scope.split()
        if len(tokens) != scopes or set(tokens) != placed.pop(row, set()):
            yield f"full-text row {row} is indexed under {scope!r}, not under its collections"
    for row in placed:
        yield f"full-text row {row} is missing"


def _full_text_matches_texts(db: sqlite3.Connection) -> Iterator[str]:
    """What the index holds for each row is what its text came with, to the last position."""
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.lexicon_instances USING fts5vocab(main, lexicon, instance)")
    held: dict[int, int] = {}
    for row, term, column, offset in db.execute('SELECT doc, term, col, "offset" FROM temp.lexicon_instances'):
        held[row] = held.get(row, 0) + _mark(column, offset, term)
    rows = db.execute("SELECT l.row, l.scope, b.terms FROM lexical l LEFT JOIN bags b ON b.text = l.text")
    for row, scope, joined in rows:
        wanted = sum(_mark("scope", i, term) for i, term in enumerate(scope.split()))
        wanted += sum(_mark("terms", i, term) for i, term in enumerate(_terms(joined)))
        if held.pop(row, 0) != wanted:
            yield f"full-text row {row} does not hold its text's terms"
    for row in held:
        yield f"full-text row {row} belongs to no text"


def _mark(column: str, offset: int, term: str) -> int:
    """A number for one term at one place; a row's marks are summed, so their order does not matter."""
    return crc32(f"{column} {offset} {term}".encode()) + 1


def _vectors_match_codes(db: sqlite3.Connection) -> Iterator[str]:
    spaces: dict[int, int] = dict(db.execute("SELECT id, dimensions FROM spaces"))
    claimed = 0
    rows = db.execute("SELECT space, text, first_vector, vectors, code FROM codes")
    for space, text, first, count, code in rows:
        dimensions = spaces.get(space, 0)
        claimed += count
        blobs = [
            blob
            for (blob,) in db.execute(
                "SELECT vector FROM vectors WHERE id BETWEEN ? AND ? ORDER BY id", (first, first + count - 1)
            )
        ]
        if dimensions == 0:
            yield f"text {text} has vectors in a space that does not exist"
        elif len(blobs) != count or count < 1:
            yield f"text {text} has {len(blobs)} of {count} vectors"
        elif any(len(blob) != 2 * dimensions for blob in blobs):
            yield f"text {text} has a vector that does not have {dimensions} dimensions"
        elif len(code) != count * code_bytes(dimensions):
            yield f"text {text} has a code of the wrong length"
        elif differing_bits(code, blobs, dimensions):
            yield f"text {text} has a code that is not that of its vectors"
    (stored,) = db.execute("SELECT count(*) FROM vectors").fetchone()
    if stored != claimed:
        yield f"{stored} vectors are stored, {claimed} belong to texts"


def differing_bits(code: bytes, blobs: list[bytes], dimensions: int) -> bool:
    """Codes are made before rounding to float16; a dimension that rounds to zero may have either sign."""
    vectors = from_blobs(blobs, dimensions)
    remade = sign_codes(vectors).tobytes()
    if code == remade:
        return False
    differing = sum((a ^ b).bit_count() for a, b in zip(code, remade, strict=True))
    return differing > int((vectors == 0).sum())


def _one_space_is_active(db: sqlite3.Connection) -> Iterator[str]:
    states = [state for (state,) in db.execute("SELECT state FROM spaces")]
    if states and states.count("active") != 1:
        yield f"{states.count('active')} of {len(states)} vector spaces are active"


def _spaces_count_right(db: sqlite3.Connection) -> Iterator[str]:
    rows = db.execute(
        "SELECT s.fingerprint, s.texts, s.vectors, count(c.text), coalesce(sum(c.vectors), 0)"
        " FROM spaces s LEFT JOIN codes c ON c.space = s.id GROUP BY s.id"
    )
    for fingerprint, texts, vectors, real_texts, real_vectors in rows:
        if (texts, vectors) != (real_texts, real_vectors):
            yield f"space {fingerprint} counts {vectors} vectors of {texts} texts, not {real_vectors} of {real_texts}"


def _json_is_valid(db: sqlite3.Connection) -> Iterator[str]:
    columns = (
        ("records", "row", "metadata"),
        ("sessions", "session", "state"),
        ("journal", "seq", "entry"),
        ("spaces", "fingerprint", "description"),
    )
    for table, key, column in columns:
        for name, written in db.execute(f"SELECT {key}, {column} FROM {table}"):
            if not _is_json_object(written):
                yield f"{table} {name!r} has {column} that is no JSON object"


def _is_json_object(written: object) -> bool:
    try:
        return isinstance(written, str) and isinstance(json.loads(written), dict)
    except (ValueError, RecursionError):
        return False


def _owners_match_states(db: sqlite3.Connection) -> Iterator[str]:
    told = {
        (owner, session)
        for session, state in db.execute("SELECT session, iif(json_valid(state), state, '{}') FROM sessions")
        for owner in _owners(json.loads(state))
    }
    kept = set(db.execute("SELECT owner, session FROM session_owners"))
    for owner, session in sorted(told ^ kept):
        yield f"session {session!r} is wrongly known, or not known, as one of {owner!r}"


def _owners(state: object) -> list[str]:
    owners = state.get("namespaces") if isinstance(state, dict) else None
    return [owner for owner in owners if isinstance(owner, str)] if isinstance(owners, list) else []


def _revisions_are_known(db: sqlite3.Connection) -> Iterator[str]:
    (newest,) = db.execute("SELECT coalesce(max(revision), 0) FROM revisions WHERE kind = 'store'").fetchone()
    rows = db.execute(
        "SELECT 'collection', name, revision FROM collections UNION ALL SELECT kind, name, revision FROM revisions"
    )
    for kind, name, revision in rows:
        if not 1 <= revision <= newest:
            yield f"{kind} {name!r} is at revision {revision} of {newest}"
    missing = db.execute(
        "SELECT session FROM sessions UNION SELECT session FROM edges"
        " EXCEPT SELECT name FROM revisions WHERE kind = 'session'"
    )
    for (session,) in missing:
        yield f"session {session!r} has no revision"


def _versions_are_positive(db: sqlite3.Connection) -> Iterator[str]:
    rows = db.execute(
        "SELECT row FROM records WHERE version < 1 OR access_count < 0"
        " OR (typeof(version), typeof(access_count)) <> ('integer', 'integer')"
    )
    for (row,) in rows:
        yield f"record row {row} has an impossible version or access count"
    for (session,) in db.execute("SELECT session FROM sessions WHERE generation < 1"):
        yield f"session {session!r} has an impossible generation"


def _coverage_is_acyclic(db: sqlite3.Connection) -> Iterator[str]:
    children: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for session, parent, child in db.execute("SELECT session, parent, child FROM edges"):
        children.setdefault((session, parent), []).append((session, child))
    finished: set[tuple[str, str]] = set()
    for root in children:
        path, stack = set[tuple[str, str]](), [(root, False)]
        while stack:
            node, left = stack.pop()
            if left:
                path.discard(node)
                finished.add(node)
            elif node in path:
                yield f"summary {node[1]!r} of session {node[0]!r} covers itself"
            elif node not in finished:
                path.add(node)
                stack.append((node, True))
                stack.extend((child, False) for child in children.get(node, ()))


def _asked(question: coverage.Question) -> Check:
    """A question about coverage as a check of the whole file."""

    def check(db: sqlite3.Connection) -> Iterator[str]:
        for conversation in _conversations(db):
            for detail in question(conversation):
                yield f"session {conversation.session!r}: {detail}"

    return check


def _conversations(db: sqlite3.Connection) -> Iterator[coverage.Conversation]:
    """Every session with its active view, raw turns, summaries and edges, one after the other."""
    names = [name for (name,) in db.execute("SELECT name FROM collections")]
    for session in coverage.sessions_in(names):
        rows = db.execute(
            "SELECT session, parent, child, child_kind, position, at FROM edges WHERE session = ?"
            " ORDER BY parent, position, child",
            (session,),
        )
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


def _held(db: sqlite3.Connection, collection: str) -> dict[str, Metadata]:
    """The records of a collection by id, with what their metadata say; metadata that are no JSON say nothing."""
    rows = db.execute(
        "SELECT r.id, iif(json_valid(r.metadata), r.metadata, '{}') FROM records r"
        " JOIN collections c ON c.id = r.collection WHERE c.name = ?",
        (collection,),
    )
    found = ((id, json.loads(written)) for id, written in rows)
    return {id: told if isinstance(told, dict) else {} for id, told in found}


CHECKS: tuple[tuple[str, Check], ...] = (
    ("the file is sound", _file_is_sound),
    ("references resolve", _references_resolve),
    ("texts match their address", _texts_match_their_address),
    ("records are as written", misread_records),
    ("texts are used", _texts_are_used),
    ("placements match records", _placements_match_records),
    ("collections count right", _collections_count_right),
    ("bags match texts", _bags_match_texts),
    ("scopes match placements", _scopes_match_placements),
    ("full text matches texts", _full_text_matches_texts),
    ("vectors match codes", _vectors_match_codes),
    ("one space is active", _one_space_is_active),
    ("spaces count right", _spaces_count_right),
    ("JSON is valid", _json_is_valid),
    ("versions are positive", _versions_are_positive),
    ("owners match states", _owners_match_states),
    ("revisions are known", _revisions_are_known),
    ("coverage is acyclic", _coverage_is_acyclic),
    *((invariant, _asked(question)) for invariant, question in coverage.QUESTIONS),
)
