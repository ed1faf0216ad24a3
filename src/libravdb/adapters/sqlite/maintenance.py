"""What an operator asks of the file as a whole: its figures, its soundness, a copy, an index made anew."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Protocol

from libravdb.adapters.sqlite import connection, erasure, integrity, queries, writes
from libravdb.adapters.sqlite.fast_checks import check_pages
from libravdb.adapters.sqlite.file import create, explain_os, key_beside
from libravdb.adapters.sqlite.soundness import Soundness
from libravdb.errors import StoreCorrupt, StoreError
from libravdb.model import (
    BackupCopy,
    DeletedContent,
    ErasureCheck,
    Finding,
    Revision,
    StoreCopy,
    StoreHealth,
    StoreStats,
)
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.store import Analyse
from libravdb.ports.validation import check_encodable

_BACKUP_PAGES = 1024  # copied per step: other writers get their turn in between


class OpenFile(Protocol):
    """The store's file, as maintenance uses it."""

    @property
    def path(self) -> Path:
        """Where the file is."""

    @property
    def soundness(self) -> Soundness:
        """Whether it can be trusted."""

    def health(self) -> StoreHealth:
        """Whether it takes writes right now."""

    def check_writable(self) -> None:
        """Raise when nothing may be written."""

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """A connection inside a read transaction."""

    def lull(self, patience: float) -> AbstractContextManager[bool]:
        """Hold readers of this process back for a moment."""

    def submit(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do this work on the writing connection, in one commit."""

    def content(self) -> Iterator[bytes]:
        """The bytes of the file."""

    def forget_read(self) -> None:
        """Let go of what searches keep in memory."""

    def refuse_closed(self) -> None:
        """Raise when the store was closed."""


class SqliteMaintenance:
    """Implements the port `Maintenance`."""

    makes_backups = True

    def __init__(self, store: OpenFile) -> None:
        self._store = store

    def stats(self) -> StoreStats:
        """Counts over the whole store."""
        with self._store.reading() as db:
            return queries.stats(db)

    def health(self) -> StoreHealth:
        """Whether the file takes writes right now, and if not, why and what to do."""
        return self._store.health()

    def check(self) -> StoreHealth:
        """Read every page and every entry of every index; from the first damage on every write is refused."""
        with self._store.reading() as db:
            found = next(check_pages(db), None) or next(integrity.misread_texts(db), None)
        if found is not None:
            self._store.soundness.condemn(found)
        self._store.soundness.checked_at = int(time.time() * 1000)
        return self._store.health()

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant, read-only; yields what is broken."""
        self._store.refuse_closed()
        yield from integrity.verify_open_file(self._store.path, progress)

    def analysis(self) -> str:
        """The name of the analysis that made the index of words; empty when it must be made anew."""
        with self._store.reading() as db:
            return writes.analysis_of(db)

    def reindex(self, analysis: str, analyse: Analyse, progress: Progress = no_progress) -> None:
        """Index every text anew by an analysis, in one commit."""
        self._store.submit(lambda db: writes.renew_full_text(db, analysis, analyse, progress))
        self._store.forget_read()

    def backup(self, target: Path, progress: Progress = no_progress) -> BackupCopy:
        """Copy a consistent state to a new file while others read and write, and verify the copy."""
        if target.exists():
            raise StoreError(str(target), "exists already", remedy="Name a file that does not exist yet.")
        if isinstance(self._store.soundness.refusal, StoreCorrupt):
            self._store.soundness.refuse()
        part = target.with_name(target.name + ".part")
        try:
            with self._store.reading() as db:  # one state from first page to last, whatever is written meanwhile
                db.execute("SELECT count(*) FROM sqlite_master").fetchone()
                _copy(db, part, progress)
            self._refuse_unsound(part)
            return _keep(part, target)
        except sqlite3.Error as error:
            raise connection.explain(error, str(target)) from error
        except OSError as error:
            raise explain_os(error, target) from error
        finally:
            for suffix in ("", "-journal", "-wal", "-shm"):
                with suppress(OSError):
                    part.with_name(part.name + suffix).unlink(missing_ok=True)

    def _refuse_unsound(self, part: Path) -> None:
        """A copy has whatever its source has: when it is not sound, the source is not either."""
        try:
            found = next(integrity.verify_file(part), None)
        except StoreCorrupt as error:
            problem = error.problem
        else:
            if found is None:
                return
            problem = f"{found.invariant}: {found.detail}"
        raise StoreCorrupt(
            str(self._store.path), f"is damaged ({problem}); its copy was removed again", remedy=connection.REPAIR
        )

    # ── erasure ───────────────────────────────────────────────────────────────────────────────────────────

    def identity(self) -> str:
        """What tells this store from every other; a backup of it is the same store."""
        with self._store.reading() as db:
            return str(db.execute("SELECT value FROM facts WHERE name = 'identity'").fetchone()[0])

    def revision(self) -> Revision:
        """The number of the newest commit."""
        with self._store.reading() as db:
            return int(db.execute("SELECT revision FROM revisions WHERE kind = 'store'").fetchone()[0])

    def change_token(self) -> str:
        """The number of the newest commit: a file has one writer, and they come to light one by one."""
        return str(self.revision())

    def secret(self) -> bytes:
        """A key beside the file that only its owner can read, made at first use."""
        return key_beside(self._store.path)

    def note_copy(self, copy: StoreCopy) -> None:
        """Remember that the store was copied to a file."""
        check_encodable(kind=copy.kind, path=copy.path)
        row = (copy.kind, copy.path, copy.at)

        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR REPLACE INTO copies VALUES (?, ?, ?)", row)

        self._store.submit(write)

    def copies(self) -> tuple[StoreCopy, ...]:
        """The files that the store was copied to, the first copy first."""
        with self._store.reading() as db:
            rows = db.execute("SELECT kind, path, at FROM copies ORDER BY at, kind, path").fetchall()
        return tuple(StoreCopy(kind=kind, path=path, at=at, exists=Path(path).exists()) for kind, path, at in rows)

    def refuse_unpurgeable(self) -> None:
        """Raise when the store is closed: whoever may delete in a file may wipe it too."""
        self._store.refuse_closed()

    def purge(self, *, is_anew: bool = False) -> tuple[ErasureCheck, ...]:
        """Wipe what deletions left behind in index, log and pages; `is_anew` writes the whole file anew."""
        self._store.refuse_closed()
        erasure.purge(self._store.path, self._store.lull, is_anew=is_anew)
        self._store.forget_read()
        anew = ErasureCheck(name="file", is_passed=True, detail="the whole file was written anew")
        return (anew,) if is_anew else ()

    def residue(self, deleted: DeletedContent, *, is_alone: bool = False) -> tuple[ErasureCheck, ...]:
        """Look everywhere for what was deleted; `is_alone` lets writers wait, whose words may be the same."""
        self._store.refuse_closed()
        path = self._store.path
        with (
            erasure.writers_waiting(path, self._store.lull) if is_alone else nullcontext(),
            self._store.reading() as db,
        ):
            return tuple(erasure.checks(db, deleted, content=self._store.content(), log=erasure.log_of(path)))


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
    except sqlite3.Error as error:
        raise connection.explain(error, str(part)) from error
    finally:
        copy.close()


def _keep(part: Path, target: Path) -> BackupCopy:
    """Bring the copy to the disk, then give it its name, and that to the disk too."""
    with part.open("rb+") as file:
        read = hashlib.file_digest(file, "sha256").hexdigest()
        os.fsync(file.fileno())
    part.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return BackupCopy(size_bytes=target.stat().st_size, sha256=read)
