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

GAP = 2**32
"""Numbers that are left out when the server is another one: more than can have been lost."""


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
SELECT setval('{S}.commits_seq', nextval('{S}.commits_seq') + {GAP}),
  setval('{S}.records_seq', nextval('{S}.records_seq') + {GAP})
"""
