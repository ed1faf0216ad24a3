"""The shape of the tables, as named steps. Each runs once, in one transaction with its own record.

A step is never edited after a release: a change of shape is a new step at the end. Any number of daemons may start at
once: a lock lets one of them run the steps. A database that names a step we do not know was written by a newer version,
and is refused before anything in it is touched.

Every statement names the tables with their schema, and never relies on `search_path`. What belongs to a collection is
partitioned by it, so that the rows of one lie together and a search of one reads nobody else's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from secrets import token_hex
from typing import Any
from zlib import crc32

import psycopg

from libravdb.errors import StoreError, StoreTooNew

SCHEMA = "libravdb"
PARTITIONS = 16
OLDEST_SERVER = 15

Db = psycopg.Connection[tuple[Any, ...]]
Migration = Callable[[Db], None]

LOCKS = crc32(SCHEMA.encode()) - 2**31
"""The first half of every advisory lock of ours; the second half says what is locked."""

LOCK_MIGRATIONS, LOCK_SPACES, LOCK_SERVER = 1, 2, 3
"""Held alone by whoever runs steps, by whoever changes the vector spaces, and by whoever meets another server first;
commits hold the second together."""


def facts_and_topics(db: Db) -> None:
    """What there is once: facts, the number of the next commit, and which commit changed each topic last.

    A commit locks the rows of all topics that it may touch or depends on before it reads anything, and takes its number
    when it has all of them: so the numbers of one topic only grow, and commits to one collection follow one another.
    Kinds: 1 a collection, 2 a session, 3 the vector spaces. `commits` remembers for a while which commits there were,
    by a key that the writer made: after a lost connection it can be asked whether one was kept. Its time is the
    server's: clocks of writers differ.
    """
    _execute(
        db,
        'CREATE TABLE {s}.facts (name text COLLATE "C" PRIMARY KEY, value text NOT NULL)',
        "CREATE SEQUENCE {s}.commits_seq",
        'CREATE TABLE {s}.topics (kind smallint NOT NULL, name text COLLATE "C" NOT NULL, revision bigint NOT NULL,'
        " PRIMARY KEY (kind, name)) WITH (fillfactor = 80)",
        "CREATE TABLE {s}.commits (key uuid PRIMARY KEY, revision bigint NOT NULL,"
        " at timestamptz NOT NULL DEFAULT now())",
        "CREATE INDEX commits_by_time ON {s}.commits USING brin (at)",
    )
    with db.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {SCHEMA}.facts VALUES (%s, %s)", [("identity", token_hex(16)), ("analysis", "")]
        )


def records_and_texts(db: Db) -> None:
    """Collections, their records, and their texts with what they are indexed under.

    - A record's `row` is never reused and stands for one text at one time: when either changes, the row does. Rows of
      one collection grow with its revisions. `metadata` is as it was written, `facts` what filters compare of it;
      `owner`, `session` and `speaker` are keys (`keys.py`) of what stands in it under `userId`, `sessionId`, `speaker`.
    - `collections.removed` is the commit at which rows left it last, or got vectors later than themselves: an array in
      memory that is older must be loaded anew, for any other the rows beyond its last are enough. `texts` and `terms`
      count its texts and how many terms these have, `records` its records. Who may see it stands beside: `shared` by
      all, the `owner` (a `text_key`) of what names nobody in it, and the `session` whose it is (`tenants.py`).
    - A text stands once in each collection that holds it, so that nothing of one tenant lies among the rows of another.
      `arrival` is when it first came to the store: a copy has that of the original. `words` are what finds it, `terms`
      and `bag` what tells how often each stands in it (`term_counts`).
    - `words.holders` counts the texts of a collection that hold a term (its `text_key`).
    """
    _execute(
        db,
        "CREATE SEQUENCE {s}.collections_seq AS integer",
        "CREATE TABLE {s}.collections (id integer PRIMARY KEY,"
        ' name text COLLATE "C" NOT NULL UNIQUE, records bigint NOT NULL DEFAULT 0, texts bigint NOT NULL DEFAULT 0,'
        " terms bigint NOT NULL DEFAULT 0, removed bigint NOT NULL DEFAULT 0,"
        ' shared boolean NOT NULL, owner text COLLATE "C", session text COLLATE "C") WITH (fillfactor = 80)',
        "CREATE SEQUENCE {s}.records_seq",
        'CREATE TABLE {s}.records (collection integer NOT NULL, row bigint NOT NULL, id text COLLATE "C" NOT NULL,'
        " digest bytea NOT NULL, at bigint NOT NULL, version bigint NOT NULL, access_count bigint NOT NULL,"
        ' expires bigint, owner text COLLATE "C", session text COLLATE "C",'
        ' speaker text COLLATE "C", metadata text NOT NULL, facts jsonb NOT NULL,'
        " PRIMARY KEY (collection, id)) PARTITION BY HASH (collection)",
        "CREATE SEQUENCE {s}.texts_seq",
        "CREATE TABLE {s}.texts (collection integer NOT NULL, digest bytea NOT NULL, arrival bigint NOT NULL,"
        " blank boolean NOT NULL, length integer NOT NULL, words bigint[] NOT NULL, bag bytea NOT NULL,"
        " terms text NOT NULL, body text NOT NULL, PRIMARY KEY (collection, digest)) PARTITION BY HASH (collection)",
        'CREATE TABLE {s}.words (collection integer NOT NULL, term text COLLATE "C" NOT NULL,'
        " holders bigint NOT NULL, PRIMARY KEY (collection, term)) PARTITION BY HASH (collection)",
    )
    _partition(db, "records", "fillfactor = 90")
    _partition(db, "texts")
    _partition(db, "words", "fillfactor = 80")
    _execute(
        db,
        "CREATE INDEX collections_by_owner ON {s}.collections (owner) WHERE owner IS NOT NULL",
        "CREATE INDEX collections_by_session ON {s}.collections (session) WHERE session IS NOT NULL",
        "CREATE INDEX records_by_row ON {s}.records (collection, row)",
        "CREATE INDEX records_by_time ON {s}.records (collection, at DESC, id DESC)",
        "CREATE INDEX records_by_text ON {s}.records (collection, digest)",
        "CREATE INDEX records_by_session ON {s}.records (collection, session, at, row) WHERE session IS NOT NULL",
        "CREATE INDEX records_by_speaker ON {s}.records (collection, speaker) WHERE speaker IS NOT NULL",
        "CREATE INDEX records_by_owner ON {s}.records (owner, collection) WHERE owner IS NOT NULL",
        "CREATE INDEX records_by_expiry ON {s}.records (expires) WHERE expires IS NOT NULL",
        "CREATE INDEX texts_by_words ON {s}.texts USING gin (words) WITH (fastupdate = off)",
        "CREATE INDEX texts_by_digest ON {s}.texts (digest)",  # who else holds a text
        "CREATE INDEX texts_by_arrival ON {s}.texts (arrival) WHERE NOT blank",
    )


def vector_spaces(db: Db) -> None:
    """Vectors per embedder: `codes` is narrow (a sign bit a dimension, those of a text in one row), `vectors` wide: a
    row per vector of a text (place 0: of all of it), as little-endian float16, in its page as long as that has room."""
    _execute(
        db,
        "CREATE TABLE {s}.spaces (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,"
        ' fingerprint text COLLATE "C" NOT NULL UNIQUE, dimensions integer NOT NULL, description text NOT NULL,'
        " state text NOT NULL CHECK (state IN ('active', 'building', 'retired')), retired bigint NOT NULL DEFAULT 0)",
        "CREATE UNIQUE INDEX one_active_space ON {s}.spaces (state) WHERE state = 'active'",
        "CREATE TABLE {s}.codes (collection integer NOT NULL, space integer NOT NULL, digest bytea NOT NULL,"
        " vectors integer NOT NULL, code bytea NOT NULL,"
        " PRIMARY KEY (collection, space, digest)) PARTITION BY HASH (collection)",
        "CREATE TABLE {s}.vectors (collection integer NOT NULL, space integer NOT NULL, digest bytea NOT NULL,"
        " place integer NOT NULL, vector bytea NOT NULL,"
        " PRIMARY KEY (collection, space, digest, place)) PARTITION BY HASH (collection)",
    )
    _partition(db, "codes", "toast_tuple_target = 8160")
    _partition(db, "vectors", "toast_tuple_target = 8160")
    for table, column in [("codes", "code"), ("vectors", "vector")]:
        for name in (table, *_partitions(table)):
            _execute(db, f"ALTER TABLE {{s}}.{name} ALTER COLUMN {column} SET STORAGE EXTERNAL")


def sessions_edges_journal(db: Db) -> None:
    """What belongs to a session beside its records: its state, coverage of its summaries, its events; and the files
    that the store was copied to. `session_owners.owner` is the `text_key` of a namespace, `edges.place` an `edge_key`.
    """
    _execute(
        db,
        'CREATE TABLE {s}.sessions (session text COLLATE "C" PRIMARY KEY, generation bigint NOT NULL,'
        " state text NOT NULL, at bigint NOT NULL) WITH (fillfactor = 80)",
        'CREATE TABLE {s}.session_owners (owner text COLLATE "C" NOT NULL, session text COLLATE "C" NOT NULL,'
        " PRIMARY KEY (owner, session))",
        "CREATE INDEX session_owners_by_session ON {s}.session_owners (session)",
        'CREATE TABLE {s}.edges (place bytea PRIMARY KEY, session text COLLATE "C" NOT NULL,'
        ' parent text COLLATE "C" NOT NULL, child text COLLATE "C" NOT NULL, child_kind text NOT NULL,'
        " position bigint NOT NULL, at bigint NOT NULL)",
        "CREATE INDEX edges_by_parent ON {s}.edges (session, parent)",
        "CREATE INDEX edges_by_child ON {s}.edges (session, child)",
        "CREATE TABLE {s}.journal (seq bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,"
        ' session text COLLATE "C" NOT NULL, at bigint NOT NULL, entry text NOT NULL)',
        "CREATE INDEX journal_by_session ON {s}.journal (session, seq)",
        "CREATE TABLE {s}.copies (kind text NOT NULL, path text NOT NULL, at bigint NOT NULL)",
        "CREATE UNIQUE INDEX copies_once ON {s}.copies (md5(kind), md5(path))",
    )


MIGRATIONS: tuple[Migration, ...] = (facts_and_topics, records_and_texts, vector_spaces, sessions_edges_journal)


def migrate(db: Db, *, path: str) -> list[str]:
    """Bring the database to today's shape; returns the names of the steps that ran here."""
    _refuse_unfit(db, path=path)
    applied = applied_migrations(db)
    refuse_newer(applied, path=path)
    return [
        migration.__name__
        for migration in MIGRATIONS
        if migration.__name__ not in applied and _run(db, migration, path)
    ]


def applied_migrations(db: Db) -> list[str]:
    """Names of the steps the database has had, oldest first."""
    if not _has_ledger(db):
        return []
    return [name for (name,) in db.execute(f"SELECT name FROM {SCHEMA}.migrations ORDER BY place")]


def refuse_newer(applied: Iterable[str], *, path: str) -> None:
    """A step we do not know means a newer program wrote the database."""
    ours = {migration.__name__ for migration in MIGRATIONS}
    unknown = [name for name in applied if name not in ours]
    if unknown:
        raise StoreTooNew(
            path,
            f"written by a newer version of libravdb (it has the step {unknown[0]!r})",
            remedy="Upgrade with 'pip install -U libravdb-memory'. The database was not touched.",
        )


def wait_for_steps(db: Db) -> None:
    """Let nobody else run steps until this transaction ends, and wait for whoever does, however long that takes him.

    What is done then may take its time too. But a table that somebody else uses is waited for as everybody waits:
    behind whoever waits to change one all others would queue.
    """
    found = db.execute(_BE_PATIENT).fetchone()
    db.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCKS, LOCK_MIGRATIONS))
    db.execute("SELECT set_config('lock_timeout', %s, true)", found[:1] if found else ("30s",))


_BE_PATIENT = b"""
SELECT current_setting('lock_timeout'),
  set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)
"""


def unfitness(db: Db) -> tuple[str, str] | None:
    """What keeps a database from ever holding a store, and the remedy; None when nothing does."""
    version = db.info.server_version // 10_000
    if version < OLDEST_SERVER:
        told = f"is PostgreSQL {version}, at least {OLDEST_SERVER} is needed"
        return told, f"Use PostgreSQL {OLDEST_SERVER} or newer."
    encoding = db.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        told = f"holds text as {encoding}, which cannot hold every text"
        return told, "Make a database with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."
    return None


def beginning_problem(db: Db) -> tuple[str, str] | None:
    """What keeps the tables from being made where there are none yet, and the remedy; None when nothing does."""
    found = db.execute(_MAY_BEGIN.encode()).fetchone()
    has_tables, is_read_only, may_create = found or (False, False, False)
    if has_tables or (may_create and not is_read_only):
        return None
    if is_read_only:
        return "has no tables yet, and takes no writes", "Open the store once on the primary: it makes the tables."
    grant = f'GRANT CREATE ON DATABASE "{db.info.dbname}" TO "{db.info.user}".'
    remedy = f"Run 'libravdb import - </dev/null' once as the owner of the schema, or as its superuser: {grant}"
    return "has no tables yet, and the user of store.url may not make them", remedy


_MAY_BEGIN = f"""
SELECT to_regclass('{SCHEMA}.migrations') IS NOT NULL,
  pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool,
  coalesce((SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = '{SCHEMA}'),
    has_database_privilege(current_database(), 'CREATE'))
"""


def _refuse_unfit(db: Db, *, path: str) -> None:
    problem = unfitness(db)
    if problem is not None:
        told, remedy = problem
        raise StoreError(path, told, remedy=f"{remedy} Nothing was changed.")


def _run(db: Db, migration: Migration, path: str) -> bool:
    """One step in one transaction; False when another process was faster."""
    with db.transaction():
        wait_for_steps(db)
        _ensure_ledger(db)
        applied = applied_migrations(db)
        refuse_newer(applied, path=path)
        if migration.__name__ in applied:
            return False
        migration(db)
        db.execute(f"INSERT INTO {SCHEMA}.migrations (name) VALUES (%s)", (migration.__name__,))
        return True


def _has_ledger(db: Db) -> bool:
    found = db.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.migrations",)).fetchone()
    return found is not None and found[0] is not None


def _ensure_ledger(db: Db) -> None:
    """Only when it is not there: whoever may not make a schema can still use one that was made for them."""
    found = db.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (SCHEMA,)).fetchone()
    if found is None:
        _execute(db, "CREATE SCHEMA {s}")
    if not _has_ledger(db):
        _execute(
            db,
            "CREATE TABLE {s}.migrations (place integer GENERATED ALWAYS AS IDENTITY, name text PRIMARY KEY,"
            " applied_at timestamptz NOT NULL DEFAULT now())",
        )


def _partitions(table: str) -> list[str]:
    return [f"{table}_{number}" for number in range(PARTITIONS)]


def _partition(db: Db, table: str, options: str = "") -> None:
    for number, name in enumerate(_partitions(table)):
        _execute(
            db,
            f"CREATE TABLE {{s}}.{name} PARTITION OF {{s}}.{table}"
            f" FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})" + (f" WITH ({options})" if options else ""),
        )


def _execute(db: Db, *statements: str) -> None:
    """Run statements in which `{s}` stands for the schema."""
    for statement in statements:
        db.execute(statement.replace("{s}", SCHEMA).encode())
