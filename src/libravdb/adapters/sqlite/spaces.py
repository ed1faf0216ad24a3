"""The vector spaces of the file: one for each embedder that was ever in use."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from libravdb.adapters.sqlite import queries, writes
from libravdb.errors import InvalidInput
from libravdb.model import Commit, Embedding, Metadata, Space, StoredText
from libravdb.ports.validation import check_embedding, check_encodable, check_metadata, check_name, to_json


class WritableFile(Protocol):
    """The store's file, as its spaces use it."""

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """A connection inside a read transaction."""

    def write(self, work: Callable[[writes.WriteTransaction], object]) -> Commit:
        """Do this work in one commit."""

    def submit(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do this work on the writing connection, in one commit."""


class SqliteSpaces:
    """Implements the port `VectorSpaces`."""

    def __init__(self, store: WritableFile) -> None:
        self._store = store

    def open(self, *, fingerprint: str, dimensions: int, description: Metadata) -> Space:
        """Make the space known: active when there is no active one, else building."""
        check_metadata(description)
        check_name("fingerprint", fingerprint)
        if dimensions < 1 or not fingerprint:
            raise InvalidInput("space", f"{fingerprint!r} with {dimensions} dimensions is not a vector space")
        written = to_json(description)
        self._store.submit(
            lambda db: writes.open_space(db, fingerprint=fingerprint, dimensions=dimensions, description=written)
        )
        with self._store.reading() as db:
            return next(space for space in queries.spaces(db) if space.fingerprint == fingerprint)

    def activate(self, fingerprint: str) -> None:
        """Switch search over to this space; the one that was active is retired, and kept."""
        check_encodable(fingerprint=fingerprint)
        self._store.submit(lambda db: writes.activate_space(db, fingerprint))

    def drop(self, fingerprint: str) -> None:
        """Delete a space that is not active, with its vectors."""
        check_encodable(fingerprint=fingerprint)
        self._store.submit(lambda db: writes.drop_space(db, fingerprint))

    def missing(self, fingerprint: str, *, limit: int) -> tuple[StoredText, ...]:
        """Non-empty texts that have no vector in this space, oldest first."""
        check_encodable(fingerprint=fingerprint)
        with self._store.reading() as db:
            found = queries.unembedded(db, fingerprint, limit)
        return tuple(StoredText(digest=address, text=text) for address, text in found)

    def add(self, items: Sequence[tuple[bytes, Embedding]]) -> int:
        """Attach vectors to texts by digest; texts that are gone are skipped."""
        for _, embedding in items:
            check_embedding(embedding)
        added = 0

        def work(writing: writes.WriteTransaction) -> None:
            nonlocal added
            added = sum(writing.attach_to(address, embedding) for address, embedding in items)

        self._store.write(work)
        return added

    def sample(self, limit: int) -> tuple[StoredText, ...]:
        """Up to `limit` non-empty texts spread evenly over the store, oldest first."""
        with self._store.reading() as db:
            found = queries.sample_texts(db, limit)
        return tuple(StoredText(digest=address, text=text) for address, text in found)
