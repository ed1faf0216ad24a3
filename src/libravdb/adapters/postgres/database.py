"""The database as the parts of a store use it: reads of one moment, transactions, names that one holds alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import sha256
from typing import Any, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from libravdb.adapters.named_locks import NamedLocks
from libravdb.adapters.postgres.absence import Absence
from libravdb.adapters.postgres.connection import Address, ConnectionPool
from libravdb.adapters.postgres.schema import SCHEMA, Db
from libravdb.adapters.postgres.server_errors import is_forgotten, is_lost
from libravdb.adapters.postgres.server_lives import ServerLives
from libravdb.adapters.postgres.transactions import Attempt, Transactions
from libravdb.errors import StoreError

_Result = TypeVar("_Result")

_READ = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_PATIENT = b"SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)"
_TRIES = 3  # until a connection is found that works


class Database:
    """One database, over any number of connections and threads."""

    def __init__(self, address: Address, *, when_changed: Callable[[], None]) -> None:
        """`when_changed` is told that the server is another one than before (`server_lives.py`)."""
        self.address = address
        self.lives = ServerLives(when_changed)
        self._absence = Absence()
        self._pool = ConnectionPool(address, when_made=self.lives.meet)
        self._limited = ConnectionPool(address, when_made=self.lives.meet)  # plans depend on the role at their making
        self._transactions = Transactions(self._pool)
        self._names = NamedLocks()

    @property
    def shown(self) -> str:
        """Where it is, as it may be shown."""
        return self.address.shown

    @contextmanager
    def lent(
        self, begin: Callable[[Db], _Result], *, is_limited: bool = False, is_patient: bool = True
    ) -> Iterator[_Result]:
        """What `begin` makes of a connection, for as long as the block lasts; of another one when that was lost.
        Whatever transaction it is in at the end is undone. Reads that are limited have connections of their own.
        Who is patient waits for a server that is away (`absence.py`)."""
        pool = self._limited if is_limited else self._pool
        with self.explaining(), ExitStack() as lent:
            yield self._first(lent, begin, pool, is_patient=is_patient)

    @contextmanager
    def reading(self) -> Iterator[Db]:
        """A connection inside a read of one moment that may take its time."""
        with self.lent(_begin_reading) as db:
            yield db

    @contextmanager
    def alone(self) -> Iterator[Db]:
        """A connection of its own outside of any transaction, for work that takes its time."""
        self._pool.refuse_unusable()
        with self.explaining(), self._absence.bridge(self._alone) as db:
            db.execute("SELECT set_config('statement_timeout', '0', false)")
            yield db
            if db.info.transaction_status is not TransactionStatus.IDLE:
                db.execute("ROLLBACK")

    def ask(self, question: str, *values: object, is_patient: bool = True) -> list[tuple[Any, ...]]:
        """One question outside of any transaction."""
        asked = self.lent(lambda db: db.execute(question.encode(), values).fetchall(), is_patient=is_patient)
        with asked as answer:
            return answer

    def run(self, work: Callable[[Attempt[_Result]], _Result]) -> _Result:
        """Do this work in a transaction of its own. It may be done several times, but is kept once."""
        return self._transactions.run(work)

    @property
    def transactions(self) -> Transactions:
        """What runs transactions."""
        return self._transactions

    @contextmanager
    def exclusive(self, name: str, *, is_waiting: bool) -> Iterator[bool]:
        """A block that nobody else is inside of under this name, over all processes.

        A connection of its own holds the lock, and a process that dies lets go of both. It is that of an open
        transaction and not of a session, so that it also holds behind a pooler that lends by transaction.
        """
        self._pool.refuse_unusable()
        with ExitStack() as held:
            is_inside = held.enter_context(self._names.holding(name, is_waiting=is_waiting))
            if is_inside:
                with self.explaining():
                    db = held.enter_context(closing(self._absence.bridge(self._alone)))
                    held.callback(_let_go, db)
                    is_inside = _lock_name(db, name, is_waiting=is_waiting)
            if not is_inside:
                held.close()  # whoever is not inside keeps nobody out
            yield is_inside

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """A block in which errors of the server are told as ours."""
        try:
            yield
        except psycopg.Error as error:
            raise self.address.explain(error) from None

    def refuse_unusable(self) -> None:
        """Raise when the store was closed, or is a parent's."""
        self._pool.refuse_unusable()

    def close(self) -> None:
        """Finish what was accepted, and let go. In a forked child all of it is the parent's, and goes on there."""
        if self._pool.is_of_parent:
            return
        self._pool.close()
        self._limited.close()
        self._transactions.drain()

    def _first(
        self, lent: ExitStack, begin: Callable[[Db], _Result], pool: ConnectionPool, *, is_patient: bool
    ) -> _Result:
        for number in range(1, _TRIES + 1):
            db = None
            try:
                with ExitStack() as one:  # whoever lends it hears of the error
                    db = self._lent_to(one, pool, is_patient=is_patient)
                    begun = begin(db)
                    lent.push(one.pop_all())
                    return begun
            except (psycopg.Error, StoreError) as error:
                cause = error if isinstance(error, psycopg.Error) else error.__cause__
                is_passing = isinstance(cause, psycopg.Error) and (is_lost(cause) or is_forgotten(cause))
                if db is None or number == _TRIES or not is_passing:
                    raise
        raise AssertionError  # pragma: no cover - the last try returns or raises

    def _lent_to(self, who: ExitStack, pool: ConnectionPool, *, is_patient: bool) -> Db:
        return self._absence.bridge(lambda: who.enter_context(pool.lend()), is_patient=is_patient)

    def _alone(self) -> Db:
        """A connection that is not the pool's."""
        self._pool.refuse_unusable()
        return self.address.connect(is_preparing=False)


def _begin_reading(db: Db) -> Db:
    db.execute(_READ)
    db.execute(_PATIENT)
    return db


def _let_go(db: Db) -> None:
    """End a transaction, and wait until it has ended: the server notices only later that a connection is closed."""
    with suppress(psycopg.Error):
        db.execute("ROLLBACK")


def _lock_name(db: Db, name: str, *, is_waiting: bool) -> bool:
    number = int.from_bytes(sha256(f"{SCHEMA} {name}".encode(errors="surrogatepass")).digest()[:8], "big", signed=True)
    db.execute("BEGIN READ ONLY")
    db.execute("SELECT set_config('idle_in_transaction_session_timeout', '0', true)")
    db.execute(_PATIENT)
    if is_waiting:
        db.execute("SELECT pg_advisory_xact_lock(%s::bigint)", (number,))
        return True
    found = db.execute("SELECT pg_try_advisory_xact_lock(%s::bigint)", (number,)).fetchone()
    return found is not None and bool(found[0])
