"""One writer thread with group commit: whoever waits together is made durable together.

Jobs that arrive while the disk is busy share the next transaction, each inside its own savepoint: one that
fails is undone alone. A job is acknowledged only after the transaction's commit has reached the disk.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from libravdb.adapters.sqlite.connection import BUSY_SECONDS
from libravdb.adapters.sqlite.reader_gate import Lulls
from libravdb.errors import LibraError, StoreClosed, StoreError

_WAL_BYTES = 32 * 2**20  # a log beyond this is written back and begun anew
_WAL_LOOK = 64  # groups between two looks at its size
_WAL_PATIENCE = 0.25  # seconds the writer waits for readers to leave the log; a long one is left in peace
_GROUP = 256  # jobs per transaction: bounds the memory and the wait of the first in line

_Result = TypeVar("_Result")
Removed = dict[tuple[int, int], list[int]]
"""Per collection and epoch the record rows that went away."""


@dataclass(frozen=True, slots=True)
class Done(Generic[_Result]):
    """What a job gives back: its result, and the rows that memory must take out."""

    result: _Result
    removed: Removed


class _Job(Generic[_Result]):
    def __init__(self, work: Callable[[sqlite3.Connection], Done[_Result]]) -> None:
        self.work = work
        self.future: Future[_Result] = Future()


class Committer:
    """Runs jobs on the one writing connection, in the order they came."""

    def __init__(
        self,
        db: sqlite3.Connection,
        *,
        path: str,
        lulls: Lulls,
        check_file: Callable[[], None],
        explain: Callable[[sqlite3.Error], LibraError],
        before_visible: Callable[[Removed], None],
        after_failure: Callable[[Removed], None],
        when_idle: Callable[[sqlite3.Connection], None],
    ) -> None:
        self._db = db
        self._path = path
        self._lulls = lulls
        self._check_file = check_file
        self._explain = explain
        self._before_visible = before_visible
        self._after_failure = after_failure
        self._when_idle = when_idle
        self._queue: queue.SimpleQueue[_Job[object] | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        self._groups = 0
        self._thread = threading.Thread(target=self._run, name="libravdb-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[sqlite3.Connection], Done[_Result]]) -> _Result:
        """Run the job in a transaction and wait until it is durable."""
        job = _Job(work)
        with self._closing:
            if self._closed:
                raise StoreClosed(self._path, "the store is closed", remedy="Open it again.")
            self._queue.put(job)  # type: ignore[arg-type]  # a queue of jobs of any result
        return job.future.result()

    def close(self) -> None:
        """Finish every accepted job, then stop."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()  # also when somebody else is closing: the connection is in use until then

    def _run(self) -> None:
        closing = False
        while not closing:
            group: list[_Job[object]] = []
            job = self._queue.get()
            while job is not None:
                group.append(job)
                if len(group) == _GROUP or self._queue.empty():
                    break
                job = self._queue.get()
            closing = job is None
            if group:
                self._commit(group)
                self._groups += 1
                if self._groups % _WAL_LOOK == 0:
                    self._tame_log()
                if closing or self._queue.empty():
                    self._tidy()

    def _tidy(self) -> None:
        """What can wait until nobody does."""
        try:
            self._check_file()
            self._when_idle(self._db)
        except (sqlite3.Error, StoreError):
            return  # it is tried again; a failing disk shows itself at the next commit, to somebody who can act

    def _tame_log(self) -> None:
        """Begin the write-ahead log anew when it has grown long.

        SQLite does so by itself only at a moment when nobody reads. Under constant load that moment never comes, the
        log grows without bound, and every read pays for it; so the writer makes such a moment now and then. Readers of
        other processes know nothing of it: for them SQLite waits as long again.
        """
        try:
            if Path(f"{self._path}-wal").stat().st_size <= _WAL_BYTES:
                return
            with self._lulls.lull(_WAL_PATIENCE):
                self._db.execute(f"PRAGMA busy_timeout = {int(_WAL_PATIENCE * 1000)}")
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except (OSError, sqlite3.Error):
            return  # a failing disk shows itself at the next commit, to somebody who can act
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")

    def _commit(self, group: list[_Job[object]]) -> None:
        """Make a group durable. When the file itself fails, each member gets a try of its own.

        Nobody is told that something is kept before the file was seen at its path, after it was written.
        """
        try:
            self._check_file()
            outcomes = self._transact(group)
            self._check_file()
        except StoreError as error:
            for job in group:
                job.future.set_exception(error)
            return
        except sqlite3.Error as error:
            if len(group) > 1:
                for job in group:
                    self._commit([job])
                return
            group[0].future.set_exception(self._explain(error))
            return
        for job, outcome in zip(group, outcomes, strict=True):
            if isinstance(outcome, Done):
                job.future.set_result(outcome.result)
            else:
                job.future.set_exception(outcome)

    def _transact(self, group: list[_Job[object]]) -> list[Done[object] | Exception]:
        outcomes: list[Done[object] | Exception] = []
        removed: Removed = {}
        noted = False
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for job in group:
                outcome = self._attempt(job)
                outcomes.append(outcome)
                if isinstance(outcome, Done):
                    removed |= outcome.removed
            self._before_visible(removed)
            noted = True
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if noted:
                self._after_failure(removed)
            raise
        return outcomes

    def _attempt(self, job: _Job[object]) -> Done[object] | Exception:
        """One job inside its savepoint; errors of the file itself go up, all others stay the job's own."""
        self._db.execute("SAVEPOINT job")
        try:
            outcome: Done[object] | Exception = job.work(self._db)
        except sqlite3.Error:
            raise
        except Exception as error:  # noqa: BLE001 - a defect in one job must reach its caller, not end the writer
            outcome = error
        if isinstance(outcome, Exception):
            self._db.execute("ROLLBACK TO job")
        self._db.execute("RELEASE job")
        return outcome
