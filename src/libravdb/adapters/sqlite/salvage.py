"""Row by row out of a damaged file: whatever page can still be read gives what stands on it.

Tables are read in stretches; one that fails is halved until the rows that cannot be read are alone. A text counts only
if it is what its address says, JSON only if it is an object. The file itself is not written to.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

from libravdb.adapters.sqlite.connection import REPAIR, is_at_rest
from libravdb.adapters.sqlite.integrity import differing_bits
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.adapters.sqlite.vector_cache import from_blobs
from libravdb.adapters.vector_codes import code_bytes
from libravdb.errors import LibraError, NotFound, StoreCorrupt
from libravdb.model import (
    Edge,
    Embedding,
    JournalEntry,
    Loss,
    Metadata,
    Record,
    SessionState,
    Space,
    SpaceState,
    digest,
)
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.validation import check_embedding, check_metadata, check_name

STRETCH = 256
NAMED = 100
"""Ids that are told of each loss."""

_HEADER, _RIGHTMOST, _INTERIOR = 100, 108, 0x05
_PAGE = 4096
_EMPTY = 2**18  # more than a store without any record takes
_MOST_PAGES = 2**26  # a quarter of a terabyte: a header that says more is damaged itself
_MAGIC = b"SQLite format 3\0"
_Row = tuple[Any, ...]
_Read = Callable[[_Row], Any]


class SqliteSalvage:
    """Implements the port `Salvage` over a file of this store."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise NotFound("store", str(path), remedy="Name the file that is damaged.")
        self._path = path
        self._folder = contextlib.ExitStack()
        self._losses: Counter[tuple[str, str]] = Counter()
        self._lost_ids: dict[tuple[str, str], list[str]] = {}
        self._uncounted: set[str] = set()
        self._db = self._opened()
        self._names = self._collection_names()
        if not self._names and self._path.stat().st_size > _EMPTY:
            self._db.close()
            raise self._unreadable()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()
        self._folder.close()

    def spaces(self) -> tuple[Space, ...]:
        """Vector spaces."""
        columns = "fingerprint, dimensions, description, state"
        return tuple(space for _, space in self._rows("spaces", "id", columns, _space))

    def collections(self) -> tuple[str, ...]:
        """The names of the collections."""
        return tuple(sorted(set(self._names.values())))

    def records(self, progress: Progress = no_progress) -> Iterator[tuple[Record, Embedding | None]]:
        """Records, with their vectors in the active space where those are sound."""
        texts: dict[int, str] = dict(self._rows("texts", "id", "digest, body", _checked_text))
        space = self._active_space()
        known = self._known_records()
        found: set[int] = set()
        columns = "collection, id, text, metadata, at, version, access_count"
        for row, (collection, id, text, metadata, at, version, accesses) in self._rows(
            "records", "row", columns, _record
        ):
            found.add(row)
            progress(len(found), max(len(known), len(found)))
            name = self._names.get(collection)
            if name is None or text not in texts:
                self._lose("records", name or "", id)
                continue
            record = Record(
                collection=name,
                id=id,
                text=texts[text],
                metadata=metadata,
                at=at,
                version=version,
                access_count=accesses,
            )
            yield record, None if space is None else self._vectors(text, *space)
        for row in known.keys() - found:
            collection, id = known[row]
            self._lose("records", self._names.get(collection, ""), id)

    def edges(self) -> Iterator[Edge]:
        """Coverage edges."""
        columns = ("session", "parent", "child", "child_kind", "position", "at")
        yield from self._keyed("edges", columns, 3, _edge)

    def states(self) -> Iterator[SessionState]:
        """States of sessions."""
        yield from self._keyed("sessions", ("session", "generation", "state", "at"), 1, _state)

    def journal(self) -> Iterator[JournalEntry]:
        """Journal entries, oldest first."""
        for seq, (session, at, entry) in self._rows("journal", "seq", "session, at, entry", _journal):
            yield JournalEntry(seq=seq, session=session, at=at, entry=entry)

    def losses(self) -> tuple[Loss, ...]:
        """What could not be read, as far as it is known."""
        counted = [
            Loss(kind=kind, place=place, count=count, ids=tuple(self._lost_ids.get((kind, place), ())))
            for (kind, place), count in sorted(self._losses.items())
        ]
        return (*counted, *(Loss(kind=kind) for kind in sorted(self._uncounted)))

    # ── reading around damage ─────────────────────────────────────────────────────────────────────────────

    def _opened(self) -> sqlite3.Connection:
        """The file itself; else a copy as long as it should be; else one with a table of contents of ours."""
        with self._path.open("rb") as file:
            head = file.read(_HEADER)
        if head.startswith(_MAGIC) and _told_bytes(head) <= self._path.stat().st_size:
            found = _try_to_open(self._path)
            if found is not None:
                return found
        copy = self._copied(_told_bytes(head))
        found = _try_to_open(copy)
        if found is None:
            _graft_contents(copy)
            found = _try_to_open(copy)
        if found is None:
            raise self._unreadable()
        return found

    def _unreadable(self) -> StoreCorrupt:
        self._folder.close()
        remedy = REPAIR.partition(", or ")[2].capitalize()
        return StoreCorrupt(str(self._path), "holds nothing that can be read as a store", remedy=remedy)

    def _copied(self, length: int) -> Path:
        """A copy of at least this length: SQLite does not open what was cut off."""
        folder = Path(self._folder.enter_context(tempfile.TemporaryDirectory(prefix="libravdb-repair-")))
        copy = folder / "store"
        shutil.copyfile(self._path, copy)
        log = self._path.with_name(f"{self._path.name}-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name("store-wal"))
        with copy.open("r+b") as file:
            file.truncate(max(copy.stat().st_size, length))
        return copy

    def _rows(self, table: str, key: str, columns: str, read: _Read) -> Iterator[tuple[int, Any]]:
        """The rows of a table with a numbered key, each as `read` makes it; what cannot be read is counted."""
        last = self._last_key(table, key)
        sql = f"SELECT {key}, {columns} FROM {table} WHERE {key} BETWEEN ? AND ? ORDER BY {key}"
        for start in range(1, last + 1, STRETCH):
            for row in self._stretch(sql, table, start, min(start + STRETCH - 1, last)):
                try:
                    yield row[0], read(row[1:])
                except (ValueError, TypeError, LibraError):
                    self._losses[table, ""] += table != "records"
                    if table == "records":
                        self._lose_unread(row)

    def _stretch(self, sql: str, table: str, start: int, end: int) -> list[_Row]:
        try:
            return self._db.execute(sql, (start, end)).fetchall()
        except sqlite3.DatabaseError:
            if start == end:
                self._losses[table, ""] += table != "records"  # records are named by their index
                return []
        middle = (start + end) // 2
        return self._stretch(sql, table, start, middle) + self._stretch(sql, table, middle + 1, end)

    def _last_key(self, table: str, key: str) -> int:
        """The highest key ever given: SQLite counts it, and the table has it at its end."""
        found = 0
        for sql, values in (
            (f"SELECT max({key}) FROM {table}", ()),
            ("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)),
        ):
            with contextlib.suppress(sqlite3.DatabaseError):
                row = self._db.execute(sql, values).fetchone()
                found = max(found, row[0] if row and isinstance(row[0], int) else 0)
        return min(found, 2**40)

    def _keyed(self, table: str, columns: tuple[str, ...], keys: int, read: _Read) -> Iterator[Any]:
        """The rows of a table that is an index itself: from both of its ends up to what cannot be read."""
        seen: set[_Row] = set()
        for way in ("ASC", "DESC"):
            order = ", ".join(f"{column} {way}" for column in columns[:keys])
            cursor = iter(self._until_damage(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}", table))
            for row in cursor:
                if row[:keys] in seen:
                    continue
                seen.add(row[:keys])
                try:
                    yield read(row)
                except (ValueError, TypeError, LibraError):
                    self._losses[table, ""] += 1

    def _until_damage(self, sql: str, table: str) -> Iterator[_Row]:
        try:
            yield from self._db.execute(sql)
        except sqlite3.DatabaseError:
            self._uncounted.add(table)

    def _known_records(self) -> dict[int, tuple[int, str]]:
        """Every record that its index of ids names, by row."""
        found: dict[int, tuple[int, str]] = {}
        for way in ("ASC", "DESC"):
            sql = (
                "SELECT row, collection, id FROM records INDEXED BY sqlite_autoindex_records_1 WHERE collection > 0"
                f" ORDER BY collection {way}, id {way}"
            )
            with contextlib.suppress(sqlite3.DatabaseError):
                for row, collection, id in self._db.execute(sql):
                    found[row] = (collection, bytes(id).decode(errors="replace"))
        return found

    def _collection_names(self) -> dict[int, str]:
        """By the table, and by its index, which holds the same."""
        found: dict[int, str] = dict(self._rows("collections", "id", "name", _text_row))
        indexed = "SELECT id, name FROM collections INDEXED BY sqlite_autoindex_collections_1 WHERE name >= ''"
        for id, name in self._until_damage(indexed, "collections"):
            with contextlib.suppress(ValueError, TypeError, LibraError):
                found.setdefault(id, _text_row((name,)))
        return found

    def _lose_unread(self, row: _Row) -> None:
        _, collection, id, *_ = row
        name = bytes(id).decode(errors="replace") if isinstance(id, bytes) else ""
        self._lose("records", self._names.get(collection, ""), name)

    def _lose(self, kind: str, place: str, id: str) -> None:
        self._losses[kind, place] += 1
        named = self._lost_ids.setdefault((kind, place), [])
        if id and len(named) < NAMED:
            named.append(id)

    # ── vectors ───────────────────────────────────────────────────────────────────────────────────────────

    def _active_space(self) -> tuple[int, str, int] | None:
        for id, space in self._rows("spaces", "id", "fingerprint, dimensions, description, state", _space):
            if space.state is SpaceState.ACTIVE:
                return id, space.fingerprint, space.dimensions
        return None

    def _vectors(self, text: int, space: int, fingerprint: str, dimensions: int) -> Embedding | None:
        """The vectors of a text, if they are those that its code was made of; else they are to be made anew."""
        try:
            return self._checked_vectors(text, space, fingerprint, dimensions)
        except (sqlite3.DatabaseError, ValueError, TypeError, LibraError):
            self._losses["vectors", ""] += 1
            return None

    def _checked_vectors(self, text: int, space: int, fingerprint: str, dimensions: int) -> Embedding | None:
        found = self._db.execute(
            "SELECT first_vector, vectors, code FROM codes WHERE space = ? AND text = ?", (space, text)
        ).fetchone()
        if found is None:
            return None
        first, count, code = found
        held = [
            blob
            for (blob,) in self._db.execute(
                "SELECT vector FROM vectors WHERE id BETWEEN ? AND ? ORDER BY id", (first, first + count - 1)
            )
        ]
        embedding = Embedding(fingerprint=fingerprint, vectors=from_blobs(held, dimensions))
        check_embedding(embedding)
        is_whole = len(held) == count and len(code) == count * code_bytes(dimensions)
        if not is_whole or differing_bits(code, held, dimensions):
            raise ValueError(text)
        return embedding


# ── rows as values; whatever is not what it should be raises ──────────────────────────────────────────────


def _text(raw: object) -> str:
    if not isinstance(raw, bytes):
        raise TypeError(raw)
    return raw.decode()


def _number(raw: object, *, least: int = -(2**63)) -> int:
    if not isinstance(raw, int) or raw < least:
        raise ValueError(raw)
    return raw


def _object(raw: object) -> Metadata:
    found = json.loads(_text(raw))
    check_metadata(found)
    return dict(found)


def _text_row(row: _Row) -> str:
    name = _text(row[0])
    check_name("collection", name)
    return name


def _checked_text(row: _Row) -> str:
    address, raw = row
    body = _text(raw)
    if digest(body) != address:
        raise ValueError(address)
    return body


def _record(row: _Row) -> tuple[int, str, int, Metadata, int, int, int]:
    collection, id, text, metadata, at, version, accesses = row
    name = _text(id)
    check_name("id", name)
    return (
        _number(collection),
        name,
        _number(text),
        _object(metadata),
        _number(at),
        _number(version, least=1),
        _number(accesses, least=0),
    )


def _space(row: _Row) -> Space:
    fingerprint, dimensions, description, state = row
    return Space(
        fingerprint=_text(fingerprint),
        dimensions=_number(dimensions, least=1),
        description=_object(description),
        state=SpaceState(_text(state)),
        texts=0,
        vectors=0,
    )


def _edge(row: _Row) -> Edge:
    session, parent, child, kind, position, at = row
    return Edge(
        session=_text(session),
        parent=_text(parent),
        child=_text(child),
        child_kind=_text(kind),
        position=_number(position),
        at=_number(at),
    )


def _state(row: _Row) -> SessionState:
    session, generation, state, at = row
    return SessionState(
        session=_text(session), generation=_number(generation, least=1), state=_object(state), at=_number(at)
    )


def _journal(row: _Row) -> tuple[str, int, Metadata]:
    session, at, entry = row
    return _text(session), _number(at), _object(entry)


def _try_to_open(path: Path) -> sqlite3.Connection | None:
    """A connection that reads what others refuse; None where not even the table of contents can be read."""
    mode = "ro&immutable=1" if is_at_rest(path) else "ro"
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    db.text_factory = bytes
    try:
        db.execute("PRAGMA writable_schema = ON")  # a schema need not make sense
        tables = {bytes(name) for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if {b"records", b"texts", b"collections", b"spaces", b"vectors", b"codes", b"edges", b"sessions"} <= tables:
            return db
    except sqlite3.DatabaseError:
        pass
    db.close()
    return None


def _graft_contents(copy: Path) -> None:
    """Put the first page of a new store in place of one that cannot be read: every store is made in the same steps, so
    what the first of them made begins on the same pages everywhere."""
    new = copy.with_name("new")
    with SqliteStore(new):
        pass
    fresh = new.read_bytes()
    first = bytearray(fresh[:_PAGE])
    pages = copy.stat().st_size // _PAGE
    cells = int.from_bytes(first[103:105], "big")
    starts = [int.from_bytes(first[112 + 2 * cell : 114 + 2 * cell], "big") for cell in range(cells)]
    with copy.open("r+b") as file:
        file.truncate(pages * _PAGE)
        file.seek(pages * _PAGE)
        for place in (_RIGHTMOST, *starts) if first[_HEADER] == _INTERIOR else ():
            child = int.from_bytes(first[place : place + 4], "big")
            file.write(fresh[(child - 1) * _PAGE : child * _PAGE])
            pages += 1
            first[place : place + 4] = pages.to_bytes(4, "big")
        first[28:40] = struct.pack(">III", pages, 0, 0)  # as many pages, none of them free
        file.seek(0)
        file.write(first)


def _told_bytes(head: bytes) -> int:
    """How long a file is by its header; 0 where the header says nothing that could be."""
    if not head.startswith(_MAGIC) or len(head) < _HEADER:
        return 0
    (page,), (pages,) = struct.unpack(">H", head[16:18]), struct.unpack(">I", head[28:32])
    return int(page * pages) if page == _PAGE and pages < _MOST_PAGES else 0
