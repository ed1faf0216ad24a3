"""Transactions that end well: what others disturb is run again, and after a lost connection it is found out whether the
commit was kept.

Every transaction has a key that only its writer knows. It is written with the commit, so when nobody knows whether that
was kept, the key tells: whoever runs the transaction again writes the key first, which waits for the lost one and fails
when that was kept; and when ours is there first, the lost one fails.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar
from uuid import UUID

import psycopg

from libravdb.adapters.postgres import absence
from libravdb.adapters.postgres.connection import ConnectionPool, new_key
from libravdb.adapters.postgres.schema import SCHEMA, Db
from libravdb.adapters.postgres.server_errors import is_forgotten, is_lost, is_worth_repeating
from libravdb.adapters.postgres.writes import VANISHED
from libravdb.errors import LibraError, StoreBusy, StoreClosed, StoreError
from libravdb.model import Revision

FORGET_EVERY = 10_000
"""After so many transactions of a process old keys are forgotten: a daemon may run for years."""

FORGOTTEN_AT_ONCE = 2 * FORGET_EVERY
"""So that what is forgotten keeps up with what is written, and takes a moment only."""

MOST_ATTEMPTS = 50

_Result = TypeVar("_Result")

BEGIN = b"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"


class StartOver(Exception):
    """What the transaction stands on has changed meanwhile: run it again."""


class _WasKept(Exception):
    """The commit that nobody knew about was kept, under this number."""

    def __init__(self, revision: Revision) -> None:
        super().__init__(f"kept as {revision}")
        self.revision = revision


class Attempt(Generic[_Result]):
    """One try of a transaction on one connection: `begin`, work, `finish`. Those two only queue in a pipeline."""

    def __init__(self, db: Db, key: UUID, *, is_again: bool) -> None:
        self.db = db
        self.promise: Callable[[Revision], _Result] | None = None
        self._key = key
        self._is_again = is_again
        self._marked: psycopg.Cursor[tuple[Any, ...]] | None = None
        self._found: psycopg.Cursor[tuple[Any, ...]] | None = None

    def begin(self) -> None:
        """Begin; after a lost commit with its key."""
        self.db.execute(BEGIN)
        if self._is_again:
            self._marked = self.db.execute(
                f"INSERT INTO {SCHEMA}.commits VALUES (%s, 0) ON CONFLICT DO NOTHING", (self._key,)
            )
            self._found = self.db.execute(f"SELECT revision FROM {SCHEMA}.commits WHERE key = %s", (self._key,))

    def check(self) -> None:
        """When what was queued at the beginning is done: stop when the lost commit was kept after all.

        Its connection may have been lost while it waited for a standby: it can be read then, and is acknowledged only
        by a commit of our own, which waits for the standby too.
        """
        if self._marked is None or self._found is None or self._marked.rowcount:
            return
        found = self._found.fetchone()
        self.db.execute(f"UPDATE {SCHEMA}.commits SET at = now() WHERE key = %s".encode(), (self._key,))
        self.db.execute("COMMIT")
        raise _WasKept(found[0] if found else 0)

    def finish(self, promise: Callable[[Revision], _Result], *, number: str) -> None:
        """Commit under a number, an expression; `promise` makes the result when the answer gets lost."""
        if self._is_again:
            self.db.execute(f"UPDATE {SCHEMA}.commits SET revision = {number} WHERE key = %s".encode(), (self._key,))
        else:
            self.db.execute(f"INSERT INTO {SCHEMA}.commits VALUES (%s, {number})".encode(), (self._key,))
        self.promise = promise
        self.db.execute("COMMIT")


class Transactions:
    """Runs the transactions of one store, from any number of threads."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool
        self._running = self._kept = 0
        self._ended = threading.Condition()

    def run(self, work: Callable[[Attempt[_Result]], _Result]) -> _Result:
        """Do this work in a transaction of its own. It may be done several times, but is kept once."""
        self._pool.refuse_unusable()
        with self._ended:
            self._running += 1
        try:
            done = self._run(work)
            self._forget_sometimes()
            return done
        finally:
            with self._ended:
                self._running -= 1
                self._ended.notify_all()

    def drain(self) -> None:
        """Wait until all that run have ended."""
        with self._ended:
            self._ended.wait_for(lambda: not self._running)

    def _forget_sometimes(self) -> None:
        with self._ended:
            self._kept += 1
            is_due = self._kept % FORGET_EVERY == 0
        if is_due:
            with suppress(psycopg.Error, StoreError), self._pool.lend() as db:  # another time will do
                forget_old_keys(db)

    def _run(self, work: Callable[[Attempt[_Result]], _Result]) -> _Result:
        key, promise, away = new_key(), None, _Away()
        for number in range(MOST_ATTEMPTS):
            attempt: Attempt[_Result] | None = None
            try:
                with self._pool.lend(is_writing=True) as db:
                    attempt = Attempt(db, key, is_again=promise is not None)
                    return work(attempt)
            except (StoreBusy, StoreClosed):
                if attempt is None and promise is not None:  # there was no connection to ask about it
                    raise self._unsure() from None
                raise
            except StartOver:
                if number == 0:
                    continue  # it knows more now, which is seldom somebody else's doing
            except _WasKept as kept:
                assert promise is not None  # noqa: S101 - only then the key is asked for
                return promise(kept.revision)
            except psycopg.Error as error:
                if is_lost(error):
                    made = attempt.promise if attempt else None
                    away.note(is_open=bool(made and not promise))
                    promise = made or promise
                if not _is_passing(error) or away.is_too_long:
                    raise self._explained(error, is_unsure=promise is not None) from None
            time.sleep(absence.pause(number))
        raise self._unsure() if promise is not None else self._hindered()

    def _explained(self, error: psycopg.Error, *, is_unsure: bool) -> LibraError:
        return self._unsure() if is_unsure else self._pool.address.explain(error)

    def _hindered(self) -> StoreError:
        return StoreBusy(
            self._pool.address.shown,
            f"others wrote the same at the same time, {MOST_ATTEMPTS} times in a row; nothing was written",
            remedy="Try again.",
        )

    def _unsure(self) -> StoreError:
        return StoreError(
            self._pool.address.shown,
            "the connection was lost while a write was confirmed, and no other answer was to be had from the server:"
            " whether it was kept is not known",
            remedy="Look when the server is back, before you repeat it.",
        )


class _Away:
    """How long a server has been away: from the first connection that was lost on, however long that was used before,
    and anew when a commit becomes open with one, so that its key is asked for at least once."""

    def __init__(self) -> None:
        self._until: float | None = None
        self.is_too_long = False

    def note(self, *, is_open: bool) -> None:
        """A connection was lost, or not to be had; `is_open` when nobody knows of a commit since then."""
        now = time.monotonic()
        self.is_too_long = self._until is not None and not is_open and now > self._until
        if self._until is None or is_open:
            self._until = now + absence.RECONNECT_SECONDS


def forget_old_keys(db: Db) -> None:
    """Forget some keys of commits that nobody asks for any more; by the server's clock, which is everybody's.

    It is housekeeping: what others are just forgetting is left to them, and where it cannot be done now, or by us (a
    replica, a role that may only read), somebody else does it another time.
    """
    with suppress(psycopg.Error):
        db.execute(_FORGET.encode(), (FORGOTTEN_AT_ONCE,))


_FORGET = f"""
DELETE FROM {SCHEMA}.commits WHERE key = ANY(ARRAY(
  SELECT key FROM {SCHEMA}.commits WHERE at < now() - interval '1 day' LIMIT %s FOR UPDATE SKIP LOCKED))
"""


def _is_passing(error: psycopg.Error) -> bool:
    return is_lost(error) or is_worth_repeating(error) or is_forgotten(error) or error.sqlstate == VANISHED
