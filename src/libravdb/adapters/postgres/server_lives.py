"""When the server is another one than before: it was started again, restored, or a standby took its place.

Commits may be lost then, and their numbers be given out again, while what processes keep in memory is right by these
numbers. So a store that meets another server lets go of what it keeps, and before anybody commits there the numbers
leave a gap, beyond which none was ever given out: whoever still knows something by a number of before finds that it is
another one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from psycopg.errors import InsufficientPrivilege, ReadOnlySqlTransaction

from libravdb.adapters.postgres.schema import LOCK_SERVER, LOCKS, Db
from libravdb.adapters.postgres.schema import SCHEMA as S

ROWS_A_SECOND, COMMITS_A_SECOND = 2**12, 2**20
"""No store has written as many since the first day of 2026, from which the numbers are reckoned: so whatever was given
out before lies below the number of this second. However often a server starts, rows reach 2 ** 43, which is as far as
the id of a vector goes (`vector_reads.py`), after 68 years."""


class ServerLives:
    """Which server a store has met last. Usable from many threads."""

    def __init__(self, when_changed: Callable[[], None]) -> None:
        self._when_changed = when_changed
        self._met = ""
        self._lock = threading.Lock()

    def meet(self, db: Db) -> None:
        """Look who answers on a new connection, before it is used."""
        with self._lock:
            life, has_tables = _life(db)
            if life == self._met:
                return
            self._when_changed()
            if has_tables:
                _note(db, life)
            self._met = life


def _life(db: Db) -> tuple[str, bool]:
    """What tells a server from every other: when it was started, and which of its tables are ours."""
    found = db.execute(_LIFE.encode()).fetchone()
    started, tables = found or ("", "")
    return f"{started} {tables}", bool(tables)


def _note(db: Db, life: str) -> None:
    """Leave a gap in the numbers, once for each server; who may only read gives out none."""
    with suppress(ReadOnlySqlTransaction, InsufficientPrivilege), db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCKS, LOCK_SERVER))
        noted = db.execute(f"SELECT value FROM {S}.facts WHERE name = 'server'".encode()).fetchone()
        if noted is not None and noted[0] == life:
            return
        db.execute(_NOTE.encode(), (life,))
        if noted is not None:
            db.execute(_LEAVE_GAP.encode())


_LIFE = f"""
SELECT extract(epoch FROM pg_postmaster_start_time())::text, coalesce(to_regclass('{S}.records_seq')::oid::text, '')
"""

_NOTE = f"""
INSERT INTO {S}.facts (name, value) VALUES ('server', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""

_LEAVE_GAP = f"""
WITH now AS (SELECT extract(epoch FROM clock_timestamp() - '2026-01-01 00:00:00+00'::timestamptz)::bigint AS seconds)
SELECT setval('{S}.commits_seq', greatest(nextval('{S}.commits_seq'), seconds * {COMMITS_A_SECOND})),
  setval('{S}.records_seq', greatest(nextval('{S}.records_seq'), seconds * {ROWS_A_SECOND}))
FROM now
"""
