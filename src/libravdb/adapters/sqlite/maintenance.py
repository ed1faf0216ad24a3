"""What an operator asks of the file as a whole: its figures, its soundness, a copy, an index made anew."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Protocol

from libravdb.adapters.sqlite import connection, erasure, integrity, queries, writes
from libravdb.adapters.sqlite.file import create, key_beside
from libravdb.errors import StoreError
from libravdb.model import DeletedContent, ErasureCheck, Finding, Revision, StoreCopy, StoreStats
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

    def content(self) -> Iterator[bytes]:
        """The bytes of the file."""

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

    # ── erasure ───────────────────────────────────────────────────────────────────────────────────────────

    def identity(self) -> str:
        """What tells this store from every other; a backup of it is the same store."""
        with self._store.reading() as db:
            return str(db.execute("SELECT value FROM facts WHERE name = 'identity'").fetchone()[0])

    def revision(self) -> Revision:
        """The number of the newest commit."""
        with self._store.reading() as db:
            return int(db.execute("SELECT revision FROM revisions WHERE kind = 'store'").fetchone()[0])

    def secret(self) -> bytes:
        """A key beside the file that only its owner can read, made at first use."""
        return key_beside(self._store.path)

    def note_copy(self, copy: StoreCopy) -> None:
        """Remember that the store was copied to a file."""
        row = (copy.kind, copy.path, copy.at)

        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR REPLACE INTO copies VALUES (?, ?, ?)", row)

        self._store.submit(write)

    def copies(self) -> tuple[StoreCopy, ...]:
        """The files that the store was copied to, the first copy first."""
        with self._store.reading() as db:
            rows = db.execute("SELECT kind, path, at FROM copies ORDER BY at, kind, path").fetchall()
        return tuple(StoreCopy(kind=kind, path=path, at=at, exists=Path(path).exists()) for kind, path, at in rows)

    def purge(self, *, is_anew: bool = False) -> None:
        """Wipe what deletions left behind in index, log and pages; `is_anew` writes the whole file anew."""
        self._store.refuse_closed()
        erasure.purge(self._store.path, is_anew=is_anew)

    def residue(self, deleted: DeletedContent) -> tuple[ErasureCheck, ...]:
        """Look everywhere for what was deleted."""
        log = Path(f"{self._store.path}-wal")
        with self._store.reading() as db:
            return tuple(erasure.checks(db, deleted, content=self._store.content(), log=log))


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
