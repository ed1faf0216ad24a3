"""The store that people use: one SQLite file in WAL mode, one writer, any number of readers."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from libravdb.adapters.sqlite import connection, integrity, queries, recall_reads, schema, writes
from libravdb.adapters.sqlite.fulltext import WordSearch
from libravdb.adapters.sqlite.group_commit import Committer, Done, Removed
from libravdb.adapters.sqlite.reader_gate import Lulls
from libravdb.adapters.sqlite.vector_cache import Vector, VectorCache
from libravdb.errors import InvalidInput, StoreClosed, StoreError
from libravdb.model import (
    ANYTHING,
    Candidate,
    CandidateSet,
    Change,
    CollectionInfo,
    Edge,
    Embedding,
    Finding,
    JournalEntry,
    Metadata,
    Query,
    Record,
    SessionState,
    Space,
    StoredText,
    StoreStats,
    Where,
    digest,
)
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import Progress, no_progress
from libravdb.ports.validation import (
    check_changes,
    check_embedding,
    check_encodable,
    check_metadata,
    check_name,
    check_query,
    check_where,
    to_json,
)

_READ_CACHE = 16_000  # KiB of pages that a reader remembers; SQLite's 2,000 made a recall a tenth dearer
_BACKUP_PAGES = 1024  # copied per step: other writers get their turn in between


class SqliteStore:
    """Implements the port `Store`. Safe to use from many threads; several processes may open the same file."""

    def __init__(
        self,
        path: Path,
        *,
        now: int | None = None,
        settings: StoreSettings | None = None,
    ) -> None:
        self._path = path
        self._settings = settings or StoreSettings()
        self._cache = VectorCache(self._settings)
        self._reader = queries.Reader(cache=self._cache, words=WordSearch(), settings=self._settings)
        self._idle: list[sqlite3.Connection] = []
        self._pool = threading.Lock()
        self._lulls = Lulls()
        self._closed = False
        connection.create(path)
        writer = connection.connect(path)
        try:
            connection.check_identity(writer, path)
            schema.refuse_newer(schema.applied_migrations(writer), path=str(path))
            connection.use_write_ahead_log(writer)
            schema.migrate(writer, path=str(path), now=int(time.time() * 1000) if now is None else now)
            writes.renew_full_text(writer)
        except sqlite3.Error as error:
            writer.close()
            raise connection.explain(error, str(path)) from error
        except BaseException:
            writer.close()
            raise
        self._writer = writer
        self._commits = Committer(
            writer,
            path=str(path),
            lulls=self._lulls,
            before_visible=self._note_removals,
            after_failure=self._forget_arrays,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._path

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────

    def commit(self, changes: Sequence[Change]) -> None:
        """Apply all changes or none; durable when it returns."""
        check_changes(changes, max_text_chars=self._settings.max_text_chars)
        if changes:
            self._write(lambda writing: writing.apply(changes))

    def add_vectors(self, items: Sequence[tuple[bytes, Embedding]]) -> int:
        """Attach vectors to texts by digest; texts that are gone are skipped."""
        for _, embedding in items:
            check_embedding(embedding)

        def attach(db: sqlite3.Connection) -> Done[int]:
            writing = writes.WriteTransaction(db)
            added = 0
            for address, embedding in items:
                known = db.execute("SELECT id FROM texts WHERE digest = ?", (address,)).fetchone()
                added += known is not None and writing.attach(known[0], embedding)
            return Done(added, writing.removed)

        return self._commits.submit(attach)

    def open_space(self, *, fingerprint: str, dimensions: int, description: Metadata) -> Space:
        """Make the space known: active when there is no active one, else building."""
        check_metadata(description)
        check_name("fingerprint", fingerprint)
        if dimensions < 1 or not fingerprint:
            raise InvalidInput("space", f"{fingerprint!r} with {dimensions} dimensions is not a vector space")
        self._submit(
            lambda db: writes.open_space(
                db, fingerprint=fingerprint, dimensions=dimensions, description=to_json(description)
            )
        )
        return next(space for space in self.spaces() if space.fingerprint == fingerprint)

    def activate_space(self, fingerprint: str) -> None:
        """Switch search over to this space; the one that was active is retired, and kept."""
        check_encodable(fingerprint=fingerprint)
        self._submit(lambda db: writes.activate_space(db, fingerprint))

    def drop_space(self, fingerprint: str) -> None:
        """Delete a space that is not active, with its vectors."""
        check_encodable(fingerprint=fingerprint)
        self._submit(lambda db: writes.drop_space(db, fingerprint))

    def _write(self, work: Callable[[writes.WriteTransaction], None]) -> None:
        def job(db: sqlite3.Connection) -> Done[None]:
            writing = writes.WriteTransaction(db)
            work(writing)
            writing.finish()
            return Done(None, writing.removed)

        self._commits.submit(job)

    def _submit(self, work: Callable[[sqlite3.Connection], None]) -> None:
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

    def get(self, collection: str, id: str) -> Record | None:
        """One record, or None."""
        check_encodable(collection=collection, id=id)
        with self._reading() as db:
            return queries.get(db, collection, id)

    def scan(
        self, collection: str, *, where: Where = ANYTHING, after: str | None = None, limit: int | None = None
    ) -> list[Record]:
        """Records in byte order of their ids, from the one behind `after`."""
        check_encodable(collection=collection, after=after)
        check_where(where)
        with self._reading() as db:
            return queries.scan(db, collection, where=where, after=after, limit=limit)

    def latest(self, collection: str, *, limit: int, where: Where = ANYTHING) -> list[Record]:
        """The newest records first."""
        check_encodable(collection=collection)
        check_where(where)
        with self._reading() as db:
            return queries.latest(db, collection, limit=limit, where=where)

    def holding(self, collection: str, text: str) -> list[Record]:
        """The records of a collection that hold exactly this text, by time, then id."""
        check_encodable(collection=collection, text=text)
        with self._reading() as db:
            return queries.holding(db, collection, text)

    def collections(self, prefix: str = "") -> list[CollectionInfo]:
        """Collections in byte order of their names."""
        check_encodable(prefix=prefix)
        with self._reading() as db:
            return queries.collections(db, prefix)

    def speakers(self, collection: str, *, limit: int = 256) -> list[str]:
        """Who speaks in a collection, by name; of more than `limit` only some."""
        check_encodable(collection=collection)
        with self._reading() as db:
            return queries.speakers(db, collection, limit)

    def search(self, query: Query) -> list[Candidate]:
        """Dense and lexical candidates of every asked collection, from one consistent view."""
        check_query(query)
        with self._reading() as db:
            return queries.search(db, query, self._reader)

    def survey(self, query: Query) -> CandidateSet:
        """Candidates measured in full, the turns beside them, and how common the question's words are."""
        check_query(query)
        with self._reading() as db:
            return recall_reads.survey(db, query, self._reader)

    def edges(self, session: str | None = None, *, parent: str | None = None) -> list[Edge]:
        """Coverage edges by session, parent, position, child."""
        check_encodable(session=session, parent=parent)
        with self._reading() as db:
            return queries.edges(db, session, parent)

    def journal(self, *, session: str | None = None, limit: int | None = None) -> list[JournalEntry]:
        """Journal entries, newest last."""
        check_encodable(session=session)
        with self._reading() as db:
            return queries.journal(db, session, limit)

    def session_state(self, session: str) -> SessionState | None:
        """A session's own state, or None."""
        check_encodable(session=session)
        with self._reading() as db:
            return next(iter(queries.session_states(db, session)), None)

    def sessions(self) -> list[SessionState]:
        """Every session with a state, in byte order of the names."""
        with self._reading() as db:
            return queries.session_states(db)

    def spaces(self) -> list[Space]:
        """Vector spaces, the active one first."""
        with self._reading() as db:
            return queries.spaces(db)

    def unembedded(self, fingerprint: str, *, limit: int) -> list[StoredText]:
        """Non-empty texts that have no vector in this space, oldest first."""
        check_encodable(fingerprint=fingerprint)
        with self._reading() as db:
            found = queries.unembedded(db, fingerprint, limit)
        return [StoredText(digest=address, text=text) for address, text in found]

    def unembedded_among(self, fingerprint: str, texts: Sequence[str]) -> list[str]:
        """Those of the given texts that have no vector in this space."""
        check_encodable(fingerprint=fingerprint)
        for text in texts:
            check_encodable(text=text)
        with self._reading() as db:
            return [
                text
                for text in dict.fromkeys(texts)
                if db.execute(
                    "SELECT 1 FROM texts t JOIN codes c ON c.text = t.id JOIN spaces s ON s.id = c.space"
                    " WHERE t.digest = ? AND s.fingerprint = ?",
                    (digest(text), fingerprint),
                ).fetchone()
                is None
            ]

    def sample_texts(self, limit: int) -> list[StoredText]:
        """Up to `limit` non-empty texts spread evenly over the store, oldest first."""
        with self._reading() as db:
            found = queries.sample_texts(db, limit)
        return [StoredText(digest=address, text=text) for address, text in found]

    def vectors(self, fingerprint: str, text: str) -> Vector | None:
        """The stored vectors of a text in a space, or None."""
        check_encodable(fingerprint=fingerprint, text=text)
        with self._reading() as db:
            return queries.stored_vectors(db, fingerprint, text)

    def stats(self) -> StoreStats:
        """Counts over the whole store."""
        with self._reading() as db:
            return queries.stats(db)

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant, read-only; yields what is broken."""
        self._refuse_closed()
        yield from integrity.verify_file(self._path, progress)

    def backup(self, target: Path, progress: Progress = no_progress) -> None:
        """Copy a consistent state to a new file while others read and write."""
        if target.exists():
            raise StoreError(str(target), "exists already", remedy="Name a file that does not exist yet.")
        part = target.with_name(target.name + ".part")
        with self._reading() as db:  # one state from first page to last: writers do not make the copy start over
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            try:
                self._copy(db, part, progress)
                part.rename(target)
            except sqlite3.Error as error:
                raise connection.explain(error, str(target)) from error
            finally:
                with suppress(OSError):
                    part.unlink(missing_ok=True)

    def _copy(self, db: sqlite3.Connection, part: Path, progress: Progress) -> None:
        connection.create(part)
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

    def close(self) -> None:
        """Finish what was accepted and let go of the file."""
        self._commits.close()
        with self._pool:
            self._closed = True
            connections = [*self._idle, self._writer]
            self._idle = []
        for db in connections:
            db.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
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

    @contextmanager
    def _borrowed(self) -> Iterator[sqlite3.Connection]:
        with self._pool:
            self._refuse_closed()
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

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreClosed(str(self._path), "the store is closed", remedy="Open it again.")
