"""The shape of the file, as named steps. Each runs once, in one transaction with its own record.

A step is never edited after a release: a change of shape is a new step at the end. A file that names a step
we do not know was written by a newer version, and is refused before anything in it is touched.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

from libravdb.adapters.sqlite.checksums import fill_checksums
from libravdb.adapters.sqlite.owner_names import owners_by_one_name
from libravdb.errors import StoreError, StoreTooNew
from libravdb.model import digest
from libravdb.model.former_spellings import spell_anew
from libravdb.model.json import mend_json
from libravdb.ports.validation import to_json
from libravdb.text.unicode import mend

APPLICATION_ID = 0x4C56_4442  # "LVDB" in the file's header tells our files from other SQLite files

SECURE_DELETE = (3, 42, 0)
"""From here on FTS5 can wipe the words of a deleted text at once; before, they go when segments are merged."""

Migration = Callable[[sqlite3.Connection], None]


def records_and_texts(db: sqlite3.Connection) -> None:
    """One text, one row: records in any number of collections refer to it by its content.

    `collections.epoch` grows whenever records leave a collection or get vectors later than themselves, so
    that an array in memory knows whether adding the newest rows is enough to be up to date.
    `collections.texts` counts its placements: word search asks how much of the store a collection is.
    A record's `row` is never reused and stands for one text at one time: when either changes, the row does.
    """
    db.execute("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
    db.execute(
        "CREATE TABLE collections ("
        " id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL DEFAULT 0,"
        " texts INTEGER NOT NULL DEFAULT 0)"
    )
    db.execute(
        "CREATE TABLE texts ("
        " id INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE, body TEXT NOT NULL,"
        " blank INTEGER NOT NULL)"
    )
    db.execute(
        "CREATE TABLE records ("
        " row INTEGER PRIMARY KEY AUTOINCREMENT,"
        " collection INTEGER NOT NULL REFERENCES collections(id),"
        " id TEXT NOT NULL,"
        " text INTEGER NOT NULL REFERENCES texts(id),"
        " metadata TEXT NOT NULL,"
        " at INTEGER NOT NULL,"
        " version INTEGER NOT NULL,"
        " access_count INTEGER NOT NULL,"
        " UNIQUE (collection, id))"
    )
    db.execute("CREATE INDEX records_by_arrival ON records (collection)")  # every index ends with the row
    db.execute("CREATE INDEX records_by_text ON records (collection, text)")
    db.execute("CREATE INDEX records_by_time ON records (collection, at)")
    # SQLite looks for referring rows whenever a row that can be referred to is deleted: without this index
    # (and codes_by_vector, placements_by_row) erasing one text would read the whole of three tables.
    db.execute("CREATE INDEX records_of_text ON records (text)")


def vector_spaces(db: sqlite3.Connection) -> None:
    """Vectors apart from texts, per embedder: `codes` is narrow (a sign bit a dimension), `vectors` wide.

    A text has one row in `codes`: the codes of its vectors in order, whose ids follow `first_vector`.
    `spaces.texts` and `spaces.vectors` count along, because every search asks which space is in use.
    """
    db.execute(
        "CREATE TABLE spaces ("
        " id INTEGER PRIMARY KEY AUTOINCREMENT, fingerprint TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL,"
        " description TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('active', 'building', 'retired')),"
        " texts INTEGER NOT NULL DEFAULT 0, vectors INTEGER NOT NULL DEFAULT 0, retired INTEGER NOT NULL DEFAULT 0)"
    )
    db.execute("CREATE UNIQUE INDEX one_active_space ON spaces (state) WHERE state = 'active'")
    db.execute("CREATE TABLE vectors (id INTEGER PRIMARY KEY AUTOINCREMENT, vector BLOB NOT NULL)")
    db.execute(
        "CREATE TABLE codes ("
        " space INTEGER NOT NULL REFERENCES spaces(id), text INTEGER NOT NULL REFERENCES texts(id),"
        " first_vector INTEGER NOT NULL REFERENCES vectors(id), vectors INTEGER NOT NULL, code BLOB NOT NULL,"
        " PRIMARY KEY (space, text)) WITHOUT ROWID"
    )
    db.execute("CREATE INDEX codes_by_text ON codes (text)")
    db.execute("CREATE INDEX codes_by_vector ON codes (first_vector)")


def full_text(db: sqlite3.Connection) -> None:
    """Terms of each text, beside the collections it stands in as tokens of their own (`scope`).

    The index keeps no content: `lexical` remembers what each row was indexed under, so that it can be taken
    out again exactly. Splitting into terms is not done here (`text/analysis.py`); FTS5 only has to keep them whole.
    `facts.analysis` names what split them; while it is empty, the index is to be made anew.
    """
    db.execute(
        "CREATE VIRTUAL TABLE lexicon USING fts5("
        " scope, terms, content='', tokenize=\"unicode61 remove_diacritics 0 categories 'L* N* M* Co'\")"
    )
    db.execute("INSERT INTO lexicon (lexicon, rank) VALUES ('rank', 'bm25(0.0, 1.0)')")
    if sqlite3.sqlite_version_info >= SECURE_DELETE:
        db.execute("INSERT INTO lexicon (lexicon, rank) VALUES ('secure-delete', 1)")
    db.execute("CREATE VIRTUAL TABLE lexicon_terms USING fts5vocab('lexicon', 'col')")  # how common each term is
    db.execute(
        "CREATE TABLE lexical ("
        " row INTEGER PRIMARY KEY AUTOINCREMENT, text INTEGER NOT NULL REFERENCES texts(id), scope TEXT NOT NULL,"
        " scopes INTEGER NOT NULL)"
    )
    db.execute("CREATE INDEX lexical_by_text ON lexical (text, scopes)")
    db.execute(
        "CREATE TABLE placements ("
        " collection INTEGER NOT NULL REFERENCES collections(id), text INTEGER NOT NULL REFERENCES texts(id),"
        " lexical INTEGER NOT NULL REFERENCES lexical(row),"
        " PRIMARY KEY (collection, text)) WITHOUT ROWID"
    )
    db.execute("CREATE INDEX placements_by_text ON placements (text)")
    db.execute("CREATE INDEX placements_by_row ON placements (lexical)")
    db.execute("INSERT INTO facts VALUES ('analysis', '')")


def sessions_edges_journal(db: sqlite3.Connection) -> None:
    """What belongs to a session beside its records: its state, coverage of its summaries, its events."""
    db.execute(
        "CREATE TABLE sessions ("
        " session TEXT PRIMARY KEY, generation INTEGER NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL"
        ") WITHOUT ROWID"
    )
    db.execute(
        "CREATE TABLE edges ("
        " session TEXT NOT NULL, parent TEXT NOT NULL, child TEXT NOT NULL, child_kind TEXT NOT NULL,"
        " position INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (session, parent, child)) WITHOUT ROWID"
    )
    db.execute("CREATE INDEX edges_by_child ON edges (session, child)")
    db.execute(
        "CREATE TABLE journal ("
        " seq INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, at INTEGER NOT NULL, entry TEXT NOT NULL)"
    )
    db.execute("CREATE INDEX journal_by_session ON journal (session, seq)")


def bags_and_sessions(db: sqlite3.Connection) -> None:
    """What ranking needs without reading texts: term counts, lengths, and the session a record was said in.

    `records.session` and `records.speaker` are the JSON of the metadata's `sessionId` and `speaker` (as filters compare
    it), read from it by SQLite itself; the indexes find the turns beside a turn and those who speak in a collection.
    `collections.terms` counts along as `collections.texts` does.
    """
    db.execute(
        "CREATE TABLE bags (text INTEGER PRIMARY KEY REFERENCES texts(id), length INTEGER NOT NULL, bag BLOB NOT NULL)"
    )
    db.execute("INSERT INTO bags (text, length, bag) SELECT id, 0, x'' FROM texts")  # counted when indexed anew
    db.execute("ALTER TABLE collections ADD COLUMN terms INTEGER NOT NULL DEFAULT 0")
    for column, key in (("session", "sessionId"), ("speaker", "speaker")):
        db.execute(
            f"ALTER TABLE records ADD COLUMN {column} TEXT GENERATED ALWAYS AS"
            f" (iif(json_valid(metadata), metadata -> '$.{key}', NULL)) VIRTUAL"
        )
    db.execute("CREATE INDEX records_by_speaker ON records (collection, speaker) WHERE speaker IS NOT NULL")
    db.execute("CREATE INDEX records_by_session ON records (collection, session, at) WHERE session IS NOT NULL")


def occurrences(db: sqlite3.Connection) -> None:
    """Where each term stands, as a table: a view of the index that takes no room."""
    db.execute("CREATE VIRTUAL TABLE lexicon_occurrences USING fts5vocab('lexicon', 'instance')")


def revisions_terms_owners(db: sqlite3.Connection) -> None:
    """What lets others notice a change, and what lets a text be taken out of the index without being analysed again.

    `revisions` holds one number for the whole store, which grows with each commit, and the commit that changed each
    session, and the spaces, last; `collections.revision` that of each collection. `bags.terms` are what a text went
    into the index with. `session_owners` finds the sessions of a namespace without looking at anybody else's, and
    `records.owner`, the JSON of the metadata's `userId`, the collections in which it has records.
    """
    db.execute(
        "CREATE TABLE revisions (kind TEXT NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL,"
        " PRIMARY KEY (kind, name)) WITHOUT ROWID"
    )
    db.execute("INSERT INTO revisions VALUES ('store', '', 1)")
    db.execute(
        "INSERT INTO revisions SELECT 'session', session, 1 FROM sessions UNION SELECT 'session', session, 1 FROM edges"
    )
    db.execute("INSERT INTO revisions SELECT 'spaces', '', 1 WHERE EXISTS (SELECT 1 FROM spaces)")
    db.execute("ALTER TABLE collections ADD COLUMN revision INTEGER NOT NULL DEFAULT 1")
    db.execute("ALTER TABLE bags ADD COLUMN terms TEXT NOT NULL DEFAULT ''")
    db.execute("UPDATE facts SET value = '' WHERE name = 'analysis'")
    db.execute(
        "CREATE TABLE session_owners (owner TEXT NOT NULL, session TEXT NOT NULL,"
        " PRIMARY KEY (owner, session)) WITHOUT ROWID"
    )
    db.execute("CREATE INDEX session_owners_by_session ON session_owners (session)")
    db.execute(
        "ALTER TABLE records ADD COLUMN owner TEXT GENERATED ALWAYS AS"
        " (iif(json_valid(metadata), metadata -> '$.userId', NULL)) VIRTUAL"
    )
    db.execute("CREATE INDEX records_by_owner ON records (owner, collection) WHERE owner IS NOT NULL")
    db.execute(
        "INSERT OR IGNORE INTO session_owners SELECT j.value, s.session FROM sessions s,"
        " json_each(s.state, '$.namespaces') j WHERE j.type = 'text'"
    )


def texts_without_nul(db: sqlite3.Connection) -> None:
    """U+FFFD for each NUL in texts, metadata, states and events: what holds one could be read, but not written again,
    so that a turn with one could neither be folded nor put back when its neighbour is deleted."""
    for text, body in db.execute("SELECT id, body FROM texts WHERE instr(CAST(body AS BLOB), x'00')").fetchall():
        mended = mend(body)
        while db.execute("SELECT 1 FROM texts WHERE digest = ?", (digest(mended),)).fetchone():
            mended += "\ufffd"  # there is such a text already, and each has its own row
        db.execute("UPDATE texts SET digest = ?, body = ? WHERE id = ?", (digest(mended), mended, text))
    for table, key, column in (
        ("records", "row", "metadata"),
        ("sessions", "session", "state"),
        ("journal", "seq", "entry"),
    ):
        told = f"SELECT {key}, {column} FROM {table} WHERE instr({column}, '\\u0000') AND json_valid({column})"
        for name, written in db.execute(told).fetchall():
            mended = to_json(mend_json(json.loads(written)))
            db.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (mended, name))


def spellings_of_the_wire(db: sqlite3.Connection) -> None:
    """Kinds of authored nodes and entries of dream diaries as the wire contract spells them."""
    told = (
        "SELECT r.row, c.id, c.name, r.id, r.metadata FROM collections c JOIN records r ON r.collection = c.id"
        " WHERE (c.name GLOB 'authored:*' OR c.name GLOB 'dream:*') AND json_valid(r.metadata)"
    )
    for row, collection, name, id, written in db.execute(told).fetchall():
        facts = json.loads(written)
        if not isinstance(facts, dict) or (spelled := spell_anew(name, id, facts)) == (id, facts):
            continue
        taken = db.execute("SELECT 1 FROM records WHERE collection = ? AND id = ?", (collection, spelled[0])).fetchone()
        new = id if taken else spelled[0]
        db.execute("UPDATE records SET id = ?, metadata = ? WHERE row = ?", (new, to_json(spelled[1]), row))


def identity_and_copies(db: sqlite3.Connection) -> None:
    """What tells this store from every other, and the files that it was copied to: they keep what is deleted here."""
    db.execute("INSERT INTO facts VALUES ('identity', lower(hex(randomblob(16))))")
    db.execute(
        "CREATE TABLE copies (kind TEXT NOT NULL, path TEXT NOT NULL, at INTEGER NOT NULL,"
        " PRIMARY KEY (kind, path)) WITHOUT ROWID"
    )


def record_checksums(db: sqlite3.Connection) -> None:
    """What tells a byte that changed in a record's id, metadata or time from one that was written."""
    db.execute("ALTER TABLE records ADD COLUMN checksum BLOB NOT NULL DEFAULT x''")
    fill_checksums(db)


def expiry(db: sqlite3.Connection) -> None:
    """What finds the records whose moment to go has come, without a look at any other: the whole number that the
    metadata tell under `memory_expires_at`."""
    db.execute(
        "ALTER TABLE records ADD COLUMN expires INTEGER GENERATED ALWAYS AS"
        " (iif(json_valid(metadata), iif(json_type(metadata, '$.memory_expires_at') = 'integer',"
        " metadata ->> '$.memory_expires_at', NULL), NULL)) VIRTUAL"
    )
    db.execute("CREATE INDEX records_by_expiry ON records (expires) WHERE expires IS NOT NULL")


MIGRATIONS: tuple[Migration, ...] = (
    records_and_texts,
    vector_spaces,
    full_text,
    sessions_edges_journal,
    bags_and_sessions,
    occurrences,
    revisions_terms_owners,
    texts_without_nul,
    owners_by_one_name,
    spellings_of_the_wire,
    identity_and_copies,
    record_checksums,
    expiry,
)


def migrate(db: sqlite3.Connection, *, path: str, now: int) -> list[str]:
    """Bring the file to today's shape; returns the names of the steps that ran."""
    applied = applied_migrations(db)
    refuse_newer(applied, path=path)
    ran: list[str] = []
    for migration in MIGRATIONS:
        name = migration.__name__
        if name in applied:
            continue
        db.execute("BEGIN IMMEDIATE")
        try:
            _ensure_ledger(db)
            if not _is_applied(db, name):  # another process may have been faster
                migration(db)
                db.execute("INSERT INTO migrations VALUES (?, ?)", (name, now))
                ran.append(name)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
    if ran:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # a log that is cut off must not take the tables along
    return ran


def applied_migrations(db: sqlite3.Connection) -> list[str]:
    """Names of the steps the file has had, oldest first."""
    known = db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").fetchone()
    if known is None:
        return []
    return [name for (name,) in db.execute("SELECT name FROM migrations ORDER BY rowid")]


def refuse_newer(applied: list[str], *, path: str) -> None:
    """A step we do not know means a newer program wrote the file."""
    ours = {migration.__name__ for migration in MIGRATIONS}
    unknown = [name for name in applied if name not in ours]
    if unknown:
        raise StoreTooNew(
            path,
            f"written by a newer version of libravdb (it has the step {unknown[0]!r})",
            remedy="Upgrade with 'pip install -U libravdb-memory'. The file was not touched.",
        )


def refuse_older(applied: list[str], *, path: str) -> None:
    """A file that lacks a step has another shape than what we look for."""
    missing = [migration.__name__ for migration in MIGRATIONS if migration.__name__ not in applied]
    if missing:
        raise StoreError(
            path,
            f"was written by an older version of libravdb (it lacks the step {missing[0]!r}), and not opened since",
            remedy="Open it once with this version, for example with 'libravdb status', then check it.",
        )


def _ensure_ledger(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)")
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _is_applied(db: sqlite3.Connection, name: str) -> bool:
    return db.execute("SELECT 1 FROM migrations WHERE name = ?", (name,)).fetchone() is not None
