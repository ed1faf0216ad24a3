"""The store that people use: one SQLite file in WAL mode, one writer, any number of readers."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Self

from libravdb.adapters.named_locks import NamedLocks
from libravdb.adapters.sqlite import connection, writes
from libravdb.adapters.sqlite.file import FileIdentity
from libravdb.adapters.sqlite.fulltext import WordSearch
from libravdb.adapters.sqlite.group_commit import Committer, Done, Removed
from libravdb.adapters.sqlite.kept_rows import RECORDS, FileRows
from libravdb.adapters.sqlite.maintenance import SqliteMaintenance
from libravdb.adapters.sqlite.opening import open_file
from libravdb.adapters.sqlite.ownership import claim
from libravdb.adapters.sqlite.reader_gate import Lulls
from libravdb.adapters.sqlite.recall_reads import Reader
from libravdb.adapters.sqlite.snapshot import SqliteSnapshot
from libravdb.adapters.sqlite.soundness import Soundness
from libravdb.adapters.sqlite.spaces import SqliteSpaces
from libravdb.adapters.sqlite.vector_cache import VectorCache
from libravdb.errors import StoreBusy, StoreClosed, StoreError, StoreForked, StoreFull, StoreReplaced
from libravdb.model import NOTHING_FORESEEN, Change, Commit, Foreseen, Revision, StoreHealth, Topic
from libravdb.ports.claim import ClaimKind
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import NO_CONDITION
from libravdb.ports.validation import check_changes, check_condition

_CHUNK = 4 * 2**20
_PATIENCE = 1.0  # seconds that opening for writing again waits for readers
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
        self._reader = Reader(cache=self._cache, words=WordSearch(), rows=FileRows(RECORDS), settings=self._settings)
        self._idle: list[sqlite3.Connection] = []
        self._pool = threading.Condition()
        self._exclusive = NamedLocks()
        self._lulls = Lulls()
        self._closed = False
        self._file: BufferedReader | None = None
        self._looking = threading.Lock()
        self._process = os.getpid()
        self._now = int(time.time() * 1000) if now is None else now
        self.soundness = Soundness(path)
        self._opening = threading.Lock()
        self._is_writing = False
        self._writer: sqlite3.Connection  # these two are there while it writes
        self._commits: Committer
        self._claim = claim(path, kind)
        self._identity = FileIdentity(path)
        try:
            self._open()
        except BaseException:
            self._claim.close()
            raise

    def _open(self) -> None:
        opened = open_file(self._path, self._claim, self.soundness, now=self._now)
        self._connect = opened.connect
        with self._borrowed():  # one that reads is always there: the file may be renamed, and cannot be opened then
            self._identity = FileIdentity(self._path)
        if opened.writer is None:
            return
        self._writer = opened.writer
        self._commits = Committer(
            opened.writer,
            path=str(self._path),
            lulls=self._lulls,
            check_file=self.check_writable,
            explain=self.soundness.explain,
            before_visible=self._note_removals,
            after_failure=self._forget_arrays,
            when_idle=writes.wipe_words,
        )
        self._is_writing = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._path

    @property
    def is_shared(self) -> bool:
        """A file has one owner."""
        return False

    @property
    def vectors(self) -> SqliteSpaces:
        """Its vector spaces."""
        return SqliteSpaces(self)

    @property
    def maintenance(self) -> SqliteMaintenance:
        """What operators need."""
        return SqliteMaintenance(self)

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        """Apply all changes or none; durable when it returns."""
        check_changes(changes, max_text_chars=self._settings.max_text_chars)
        check_condition(unless)
        if not changes and not unless:
            return Commit()

        def work(writing: writes.WriteTransaction) -> None:
            writing.require(unless)
            writing.apply(changes)

        return self.write(work)

    def write(self, work: Callable[[writes.WriteTransaction], object]) -> Commit:
        """Do this work in one commit; its number is 0 when it changed nothing."""

        def job(db: sqlite3.Connection) -> Done[Commit]:
            writing = writes.WriteTransaction(db)
            work(writing)
            writing.finish()
            return Done(Commit(revision=writing.revision, before=writing.before), writing.removed)

        return self._committer().submit(job)

    def submit(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do this work on the writing connection, in one commit."""

        def job(db: sqlite3.Connection) -> Done[None]:
            work(db)
            return Done(None, {})

        self._committer().submit(job)

    def health(self) -> StoreHealth:
        """Whether the file takes writes right now."""
        self.refuse_closed()
        try:
            self.check_writable()
        except StoreError as refusal:
            told = f"{refusal.path} {refusal.problem}"
            return StoreHealth(problem=told, remedy=refusal.remedy, checked_at=self.soundness.checked_at)
        return StoreHealth(checked_at=self.soundness.checked_at)

    def check_writable(self) -> None:
        """Raise when nothing may be written: the file is damaged, read-only, or not the one at its path any more."""
        self.soundness.refuse()
        self._identity.check()

    def _committer(self) -> Committer:
        """Whoever writes. A disk that was full as the file was opened may have room by now."""
        self.refuse_closed()
        if not self._is_writing:
            with self._opening:
                if isinstance(self.soundness.refusal, StoreFull):
                    self._open_again()
        self.soundness.refuse()
        return self._commits

    def _open_again(self) -> None:
        """In a moment without readers: theirs see nothing of what is written from now on."""
        with self._lulls.lull(_PATIENCE) as is_quiet:
            if not is_quiet:
                return
            with self._pool:
                for db in self._idle:
                    db.close()
                self._idle = []
            self.soundness.unseal()
            self._open()

    def forget_read(self) -> None:
        """Let go of the vectors and words that searches keep in memory."""
        self._cache.clear()
        self._reader.words.clear()
        self._reader.rows.clear()

    def _note_removals(self, removed: Removed) -> None:
        for (collection, epoch), rows in removed.items():
            self._cache.note_removal(collection, epoch, rows)

    def _forget_arrays(self, removed: Removed) -> None:
        for collection, _ in removed:
            self._cache.forget(collection)

    def exclusive(self, name: str, *, is_waiting: bool = True) -> AbstractContextManager[bool]:
        """A block that nobody else of this process is inside of under this name: the file has one owner, and commands
        that share it meet in their commits."""
        return self._exclusive.holding(name, is_waiting=is_waiting)

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def read(self, foreseen: Foreseen = NOTHING_FORESEEN) -> Iterator[SqliteSnapshot]:  # noqa: ARG002  all is near
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
        if os.getpid() != self._process:
            return  # in a forked child everything is its parent's
        if self._is_writing:
            self._commits.close()
        with self._pool:
            self._closed = True
            connections = [*self._idle, *([self._writer] if self._is_writing else ())]
            self._idle = []
        for db in connections:
            db.close()
        with self._looking:
            if self._file is not None:
                self._file.close()
        self.soundness.renew_note()
        self._claim.close()  # last: whoever comes next finds the file at rest

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a read transaction: everything read through it is of one moment."""
        self._refuse_fork()
        with self._lulls.reading(), self._borrowed() as db:
            try:
                db.execute("BEGIN")
                yield db
            except sqlite3.Error as error:
                raise self.soundness.explain(error) from error
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")

    def lull(self, patience: float) -> AbstractContextManager[bool]:
        """A moment in which nobody of this process reads; tells whether those who did have left by then."""
        return self._lulls.lull(patience)

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
        db = self._idle_connection()
        if db is None:
            db = self._connect()
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
                    self._pool.notify()

    def _idle_connection(self) -> sqlite3.Connection | None:
        """One that nobody uses; None when one can be made. Of a file that is no longer at its path none can: then
        somebody's is waited for."""
        with self._pool:
            self.refuse_closed()
            if self._idle:
                return self._idle.pop()
            if not self._is_displaced():
                return None
            if not self._pool.wait_for(lambda: self._idle or self._closed, timeout=connection.BUSY_SECONDS):
                raise StoreBusy(str(self._path), "all connections are in use", remedy="Try again.")
            self.refuse_closed()
            return self._idle.pop()

    def _is_displaced(self) -> bool:
        try:
            self._identity.check()
        except StoreReplaced:
            return True
        except StoreError:
            return False
        return False

    def refuse_closed(self) -> None:
        """Raise when the store was closed, or is a parent's."""
        self._refuse_fork()
        if self._closed:
            raise StoreClosed(str(self._path), "the store is closed", remedy="Open it again.")

    def _refuse_fork(self) -> None:
        """Before any lock: in a forked child nobody is left to open them."""
        if os.getpid() != self._process:
            raise StoreForked(
                str(self._path),
                f"was opened by process {self._process}, and this is a forked child of it",
                remedy="Open it after the fork, in one process; a daemon lets several share it.",
            )
