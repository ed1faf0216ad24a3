"""Connections to the server: where it is, what every connection is told, and a pool that lends them.

A connection is looked at whenever it is lent: one whose server went away is let go of, and another one made. Nothing
here shows the password: neither a message nor a `repr`.

Nobody waits for the end of a read: its ROLLBACK is sent, and the answer taken when the connection is lent again.
Whoever reads on at once gets another connection meanwhile.
"""

from __future__ import annotations

import logging
import os
import selectors
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import quote
from uuid import UUID

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from libravdb.adapters.postgres.arrays import teach
from libravdb.adapters.postgres.schema import Db
from libravdb.adapters.postgres.server_errors import explain, is_forgotten
from libravdb.errors import ConfigError, LibraError, StoreBusy, StoreClosed, StoreError, StoreForked
from libravdb.model.addresses import ENCODE, ambiguity_of
from libravdb.ports.settings import DATABASES

MOST_CONNECTIONS = 24
"""That one store holds at a time; whoever comes then waits."""

MOST_WRITING = 16
"""Of those: commits that wait for one busy collection leave some for the reads of all others."""

WAIT_SECONDS = 30.0
CONNECT_SECONDS = 10
ANSWER_SECONDS = 10.0
"""How long the end of a read is waited for before its connection counts as lost."""

_SETTINGS = {
    "statement_timeout": "120s",
    "lock_timeout": "30s",
    "idle_in_transaction_session_timeout": "600s",
    "tcp_keepalives_idle": "30",  # a client that vanished without a word is noticed there
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "client_connection_check_interval": "10s",
    "jit": "off",  # our statements are short: compiling one takes longer than running it
    "timezone": "UTC",
}
_SET = (
    "SELECT pg_backend_pid(), count(set_config(s.name, o.value, false))"
    " FROM unnest(%s::text[], %s::text[]) o(name, value)"
    " JOIN pg_catalog.pg_settings s ON s.name = o.name"
    " WHERE s.source NOT IN ('client', 'user', 'database', 'database user')"
)
"""What the operator decided, for the role, the database or in the URL, stays. Tells also who really answers."""

_PREPARED = 500  # statements that a connection remembers
_WAITS = 16  # ends of reads that were waited for when a second connection is made: that costs many times as much

# The error itself reaches whoever asked; that a pipeline ended with it is no news.
logging.getLogger("psycopg").addFilter(lambda record: not record.getMessage().startswith("error ignored"))


class Address:
    """Where the server is, from a URL. `shown` names it without the password."""

    def __init__(self, url: str) -> None:
        told = _read(url)
        defaults: dict[str, Any] = {
            "connect_timeout": CONNECT_SECONDS,
            "application_name": "libravdb",
            "client_encoding": "UTF8",
            "keepalives_idle": 30,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 30_000,
        }
        self._parameters: dict[str, Any] = {**defaults, **told}
        self.secret = str(told.get("password") or "")
        self.shown = _shown(told)

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"

    def shown_for(self, user: str) -> str:
        """The address under which somebody else connects."""
        return _shown({**self._parameters, "user": quote(user, safe="")})

    def connect(self, *, is_preparing: bool = True) -> Db:
        """A new connection in autocommit mode: transactions are begun and ended by name."""
        db = psycopg.connect(**self._parameters, autocommit=True, prepare_threshold=2 if is_preparing else None)
        try:
            db.prepared_max = _PREPARED
            teach(db)
            found = db.execute(_SET, (list(_SETTINGS), list(_SETTINGS.values()))).fetchone()
            is_pooled = found is None or found[0] != db.info.backend_pid
            if is_preparing and is_pooled and not _are_names_kept_apart(db):
                db.prepare_threshold = None
        except BaseException:
            db.close()
            raise
        return db

    def explain(self, error: psycopg.Error) -> LibraError:
        """An error of the server as one of ours."""
        return explain(error, self.shown, secret=self.secret)


def _leave(_: Db) -> None:
    """Do nothing with a connection that was made."""


class ConnectionPool:
    """Lends connections to any number of threads of one process."""

    def __init__(
        self, address: Address, *, most: int = MOST_CONNECTIONS, when_made: Callable[[Db], None] = _leave
    ) -> None:
        self.address = address
        self._most = most
        self._most_writing = max(1, most * MOST_WRITING // MOST_CONNECTIONS)
        self._when_made = when_made
        self._idle: list[Db] = []
        self._lent = self._writing = 0
        self._changed = threading.Condition()
        self._closed = False
        self._is_preparing = True
        self._waits = 0
        self._process = os.getpid()

    def __repr__(self) -> str:
        return f"ConnectionPool({self.address.shown!r})"

    @contextmanager
    def lend(self, *, is_writing: bool = False) -> Iterator[Db]:
        """A connection that works and is in no transaction, for as long as the block lasts.

        One on which the server refused something is not lent again, even if that was caught inside: of statements that
        were sent together and not run, psycopg believes that they are prepared.
        """
        db = self._take(is_writing=is_writing)
        try:
            yield db
        except (psycopg.Error, StoreError) as error:
            cause = error if isinstance(error, psycopg.Error) else error.__cause__
            if isinstance(cause, psycopg.Error):
                _close(db)
                if is_forgotten(cause):
                    self._stop_preparing()
            raise
        finally:
            self._give_back(db, is_writing=is_writing)

    def close(self) -> None:
        """Let go of all that nobody uses; the others follow when they are given back."""
        if self.is_of_parent:
            return
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            self._changed.notify_all()
        for db in idle:
            _close(db)

    @property
    def is_of_parent(self) -> bool:
        """Whether this is a forked child: connections, locks and threads are those of its parent."""
        return os.getpid() != self._process

    def refuse_unusable(self) -> None:
        """Raise when the store was closed, or is a parent's. Before any lock: in a forked child nobody is left to open
        them."""
        if self.is_of_parent:
            raise StoreForked(
                self.address.shown,
                f"was opened by process {self._process}, and this is a forked child of it",
                remedy="Open it after the fork.",
            )
        if self._closed:
            raise StoreClosed(self.address.shown, "the store is closed", remedy="Open it again.")

    def _take(self, *, is_writing: bool) -> Db:
        self.refuse_unusable()
        with self._changed:
            if not self._changed.wait_for(
                lambda: self._closed or self._has_room(is_writing=is_writing), timeout=WAIT_SECONDS
            ):
                which = f"{self._most_writing} connections of this process that write"
                raise StoreBusy(
                    self.address.shown,
                    f"all {which if is_writing else f'{self._most} connections of this process'} have been in use for"
                    f" {WAIT_SECONDS:.0f} seconds",
                    remedy="Try again.",
                )
            self.refuse_unusable()
            self._lent += 1
            self._writing += is_writing
        try:
            return self._working()
        except BaseException:
            self._note_return(None, is_writing=is_writing)
            raise

    def _has_room(self, *, is_writing: bool) -> bool:
        return self._lent < self._most and not (is_writing and self._writing >= self._most_writing)

    def _working(self) -> Db:
        while True:
            with self._changed:
                db = self._pop_idle()
            if db is None:
                return self._made()
            if _is_settled(db) and _works(db):
                return db
            _close(db)

    def _made(self) -> Db:
        db = self.address.connect(is_preparing=self._is_preparing)
        try:
            self._when_made(db)
        except BaseException:
            _close(db)
            raise
        return db

    def _pop_idle(self) -> Db | None:
        """One that nobody uses, the last one whose read has ended; None when another one is to be made. The lock is
        held."""
        for place in range(len(self._idle) - 1, -1, -1):
            if not _is_ending(self._idle[place]) or _has_input(self._idle[place]):
                return self._idle.pop(place)
        if not self._idle:
            return None
        self._waits += 1
        is_alone = self._lent - 1 + len(self._idle) == 1
        return None if is_alone and self._waits > _WAITS else self._idle.pop(0)

    def _give_back(self, db: Db, *, is_writing: bool) -> None:
        is_sound = not db.closed and (db.info.transaction_status is TransactionStatus.IDLE or _send_rollback(db))
        if not is_sound:
            _close(db)
        self._note_return(db if is_sound else None, is_writing=is_writing)

    def _note_return(self, db: Db | None, *, is_writing: bool) -> None:
        with self._changed:
            self._lent -= 1
            self._writing -= is_writing
            if db is not None and not self._closed:
                self._idle.append(db)
                db = None
            self._changed.notify_all()  # one alone may be a writer that has to wait on
        if db is not None:
            _close(db)

    def _stop_preparing(self) -> None:
        """A pooler that lends connections by transaction stands between: nothing can be prepared."""
        with self._changed:
            self._is_preparing = False
            idle, self._idle = self._idle, []
        for db in idle:
            _close(db)


def new_key() -> UUID:
    """What a commit is known by: its time in milliseconds, then chance, so that neighbours in time are neighbours in
    the index (RFC 9562, version 7)."""
    chance = int.from_bytes(os.urandom(10), "big")
    return UUID(int=int(time.time() * 1000) << 80 | chance & ~(0xF000_C000 << 48) | 0x7000_8000 << 48)


def _are_names_kept_apart(db: Db) -> bool:
    """Whether a pooler between us and the server gives every prepared statement a name of its own, as PgBouncer does
    from 1.21 on where `max_prepared_statements` is set. Where it does not, a name that we gave may stand for somebody
    else's statement on the next connection that it lends us."""
    try:
        with db.transaction():
            with db.pipeline():
                found = db.execute("SELECT name FROM pg_prepared_statements", prepare=True)
            is_apart = not any(name.startswith("_pg3_") for (name,) in found)
            if not is_apart:
                db.execute("DEALLOCATE ALL")
            return is_apart
    except psycopg.errors.DuplicatePreparedStatement:
        return False


def _works(db: Db) -> bool:
    """Whether an idle connection still works: a server that let go of it has said so."""
    return not db.closed and not _has_input(db)  # nothing was asked, so whatever came is a farewell


def _has_input(db: Db, *, wait_seconds: float = 0) -> bool:
    """Whether the server has sent something, or is gone."""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(db.fileno(), selectors.EVENT_READ)
            return bool(selector.select(wait_seconds))
    except (OSError, ValueError, psycopg.Error):
        return True


def _send_rollback(db: Db) -> bool:
    """End a sound transaction without waiting for it; whether that could be told to the server."""
    if db.info.transaction_status is not TransactionStatus.INTRANS:
        return False  # a statement is running: somebody was interrupted; or one was refused
    try:
        db.pgconn.send_query(b"ROLLBACK")
        return db.pgconn.flush() == 0
    except psycopg.Error:
        return False


def _is_ending(db: Db) -> bool:
    """Whether the end of a transaction was told to the server, and its answer not taken yet."""
    return not db.closed and db.info.transaction_status is TransactionStatus.ACTIVE


def _is_settled(db: Db) -> bool:
    """Whether an idle connection is in no transaction; the answer to a ROLLBACK is waited for."""
    if not _is_ending(db):
        return not db.closed
    try:
        while True:
            while db.pgconn.is_busy():
                if not _has_input(db, wait_seconds=ANSWER_SECONDS):
                    return False
                db.pgconn.consume_input()
            if db.pgconn.get_result() is None:
                return db.info.transaction_status is TransactionStatus.IDLE
    except psycopg.Error:
        return False


def _close(db: Db) -> None:
    with suppress(psycopg.Error, OSError):
        db.close()


def _read(url: str) -> dict[str, Any]:
    """The parameters of a URL. libpq would take a part of a password that is not encoded for a host or a port."""
    problem = ambiguity_of(url) if url.startswith(DATABASES) else ""
    try:
        told = {} if problem else conninfo_to_dict(url)
    except (psycopg.ProgrammingError, UnicodeError):
        problem = "is not a URL of PostgreSQL"
    if problem:  # out of the handler: its error may quote the URL with its password
        remedy = f"Write postgresql://user@host:5432/database. {ENCODE}"
        raise ConfigError("store.url", problem, origin="store.url", remedy=remedy)
    return dict(told)


def _shown(told: dict[str, Any]) -> str:
    """The address as it may be shown."""
    host = str(told.get("host") or told.get("hostaddr") or os.environ.get("PGHOST") or "")
    user = f"{told['user']}@" if told.get("user") else ""
    port = f":{told['port']}" if told.get("port") else ""
    where = "" if host.startswith("/") else f"{host}{port}"
    return f"postgresql://{user}{where}/{told.get('dbname') or ''}"
