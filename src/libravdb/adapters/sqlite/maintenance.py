"""What an operator asks of the file as a whole: its figures, its soundness, a copy, an index made anew."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Protocol

from libravdb.adapters.sqlite import connection, integrity, queries, writes
from libravdb.adapters.sqlite.file import create
from libravdb.errors import StoreError
from libravdb.model import Finding, StoreStats
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.store import Analyse

_BACKUP_PAGES = 1024  # copied per step: other writers get their turn in between


class OpenFile(Protocol):
    """The store's file, as maintenance uses it."""

    @property
    def path(self) -> Path:
        """Where the file is."""

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """A connection inside a read transaction."""

    def submit(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do this work on the writing connection, in one commit."""

    def refuse_closed(self) -> None:
        """Raise when the store was closed."""


class SqliteMaintenance:
    """Implements the port `Maintenance`."""

    def __init__(self, store: OpenFile) -> None:
        self._store = store

    def stats(self) -> StoreStats:
        """Counts over the whole store."""
        with self._store.reading() as db:
            return queries.stats(db)

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant, read-only; yields what is broken."""
        self._store.refuse_closed()
        yield from integrity.verify_file(self._store.path, progress)

    def analysis(self) -> str:
        """The name of the analysis that made the index of words; empty when it must be made anew."""
        with self._store.reading() as db:
            return writes.analysis_of(db)

    def reindex(self, analysis: str, analyse: Analyse, progress: Progress = no_progress) -> None:
        """Index every text anew by an analysis, in one commit."""
        self._store.submit(lambda db: writes.renew_full_text(db, analysis, analyse, progress))

    def backup(self, target: Path, progress: Progress = no_progress) -> None:
        """Copy a consistent state to a new file while others read and write."""
        if target.exists():
            raise StoreError(str(target), "exists already", remedy="Name a file that does not exist yet.")
        part = target.with_name(target.name + ".part")
        with self._store.reading() as db:  # one state from first page to last: writers do not make the copy start over
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            try:
                _copy(db, part, progress)
                part.rename(target)
            except sqlite3.Error as error:
                raise connection.explain(error, str(target)) from error
            finally:
                with suppress(OSError):
                    part.unlink(missing_ok=True)


def _copy(db: sqlite3.Connection, part: Path, progress: Progress) -> None:
    create(part)
    os.truncate(part, 0)  # a copy that was killed may have left something
    copy = connection.connect(part)
    try:
        db.backup(
            copy,
            pages=_BACKUP_PAGES,
            progress=lambda _status, left, total: progress(total - left, total),
        )
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
    finally:
        copy.close()
