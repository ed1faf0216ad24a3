"""The store that people use: one SQLite file in WAL mode, one writer, any number of readers."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Self

from libravdb.adapters.sqlite import connection, schema, writes
from libravdb.adapters.sqlite.file import create
from libravdb.adapters.sqlite.fulltext import WordSearch
from libravdb.adapters.sqlite.group_commit import Committer, Done, Removed
from libravdb.adapters.sqlite.maintenance import SqliteMaintenance
from libravdb.adapters.sqlite.ownership import claim
from libravdb.adapters.sqlite.reader_gate import Lulls
from libravdb.adapters.sqlite.recall_reads import Reader
from libravdb.adapters.sqlite.snapshot import SqliteSnapshot
from libravdb.adapters.sqlite.spaces import SqliteSpaces
from libravdb.adapters.sqlite.vector_cache import VectorCache
from libravdb.errors import StoreClosed
from libravdb.model import Change, Revision, Topic
from libravdb.ports.claim import ClaimKind
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import NO_CONDITION
from libravdb.ports.validation import check_changes, check_topics

_CHUNK = 4 * 2**20
_READ_CACHE = 16_000  # KiB of pages that a reader remembers; SQLite's 2,000 made a recall a tenth dearer


class SqliteStore:
    """Implements the port `Store`. Safe to use from many threads. Its process owns the file while it is open; only
    commands (`kind`) share it with other processes."""

    def __init__(
        self,
        path: Path,
        *,
        now: int | None = None,
        settings: StoreSettings | None = None,
        kind: ClaimKind = ClaimKind.PROGRAM,
    ) -> None:
        self._path = path
        self._settings = settings or StoreSettings()
        self._cache = VectorCache(self._settings)
        self._reader = Reader(cache=self._cache, words=WordSearch(), settings=self._settings)
        self._idle: list[sqlite3.Connection] = []
        self._pool = threading.Lock()
        self._lulls = Lulls()
        self._closed = False
        self._file: BufferedReader | None = None
        self._looking = threading.Lock()
        self._claim = claim(path, kind)
        try:
            self._writer = _open_writer(path, now=int(time.time() * 1000) if now is None else now)
        except BaseException:
            self._claim.close()
            raise
        self._commits = Committer(
            self._writer,
            path=str(path),
            lulls=self._lulls,
            before_visible=self._note_removals,
            after_failure=self._forget_arrays,
            when_idle=writes.wipe_words,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._path

    @property
    def vectors(self) -> SqliteSpaces:
        """Its vector spaces."""
        return SqliteSpaces(self)

    @property
    def maintenance(self) -> SqliteMaintenance:
        """What operators need."""
        return SqliteMaintenance(self)

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Revision:
        """Apply all changes or none; durable when it returns."""
        check_changes(changes, max_text_chars=self._settings.max_text_chars)
        check_topics(unless)
        if not changes and not unless:
            return 0

        def work(writing: writes.WriteTransaction) -> None:
            writing.require(unless)
            writing.apply(changes)

        return self.write(work)

    def write(self, work: Callable[[writes.WriteTransaction], object]) -> Revision:
        """Do this work in one commit; returns its number, 0 when it changed nothing."""

        def job(db: sqlite3.Connection) -> Done[Revision]:
            writing = writes.WriteTransaction(db)
            work(writing)
            writing.finish()
            return Done(writing.revision, writing.removed)

        return self._commits.submit(job)

    def submit(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do this work on the writing connection, in one commit."""

        def job(db: sqlite3.Connection) -> Done[None]:
            work(db)
            return Done(None, {})

        self._commits.submit(job)

    def _note_removals(self, removed: Removed) -> None:
        for (collection, epoch), rows in removed.items():
            self._cache.note_removal(collection, epoch, rows)

    def _forget_arrays(self, removed: Removed) -> None:
        for collection, _ in removed:
            self._cache.forget(collection)

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def read(self) -> Iterator[SqliteSnapshot]:
        """The file at this moment."""
        with self.reading() as db:
            db.execute(
                "SELECT 1 FROM revisions LIMIT 1"
            ).fetchone()  # the moment is now, not that of the first question
            snapshot = SqliteSnapshot(db, self._reader)
            try:
                yield snapshot
            finally:
                snapshot.close()

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """As of now which commit changed each of these last; 0 where there is nothing."""
        with self.read() as snapshot:
            return snapshot.revisions(topics)

    def close(self) -> None:
        """Finish what was accepted and let go of the file."""
        self._commits.close()
        with self._pool:
            self._closed = True
            connections = [*self._idle, self._writer]
            self._idle = []
        for db in connections:
            db.close()
        with self._looking:
            if self._file is not None:
                self._file.close()
        self._claim.close()  # last: whoever comes next finds the file at rest

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a read transaction: everything read through it is of one moment."""
        with self._lulls.reading(), self._borrowed() as db:
            try:
                db.execute("BEGIN")
                yield db
            except sqlite3.Error as error:
                raise connection.explain(error, str(self._path)) from error
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")

    def content(self) -> Iterator[bytes]:
        """The bytes of the file as they are. It stays open as long as the store: closing it would drop SQLite's locks,
        which a process has on a file and not on a descriptor."""
        with self._looking:
            self.refuse_closed()
            if self._file is None:
                self._file = self._path.open("rb")
            self._file.seek(0)
            while chunk := self._file.read(_CHUNK):
                yield chunk

    @contextmanager
    def _borrowed(self) -> Iterator[sqlite3.Connection]:
        with self._pool:
            self.refuse_closed()
            db = self._idle.pop() if self._idle else None
        if db is None:
            db = connection.connect(self._path)
            db.execute("PRAGMA query_only = ON")
            db.execute(f"PRAGMA cache_size = -{_READ_CACHE}")
        try:
            yield db
        finally:
            with self._pool:
                if self._closed:
                    db.close()
                else:
                    self._idle.append(db)

    def refuse_closed(self) -> None:
        if self._closed:
            raise StoreClosed(str(self._path), "the store is closed", remedy="Open it again.")


def _open_writer(path: Path, *, now: int) -> sqlite3.Connection:
    """The connection that writes, to a file that is ours and up to date."""
    create(path)
    writer = connection.connect(path)
    try:
        connection.check_identity(writer, path)
        schema.refuse_newer(schema.applied_migrations(writer), path=str(path))
        connection.use_write_ahead_log(writer)
        schema.migrate(writer, path=str(path), now=now)
        writes.wipe_words(writer)
    except sqlite3.Error as error:
        writer.close()
        raise connection.explain(error, str(path)) from error
    except BaseException:
        writer.close()
        raise
    return writer
