"""Vectors in memory: of small collections themselves, of large ones their sign codes.

A collection's vectors are loaded when it is first searched, kept while the memory budget allows, and brought
up to date from the file before each search (`adapters/vector_search.py`). No index file exists that could be corrupt
or stale.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.kept_vectors import KeptVectors
from libravdb.adapters.vector_codes import Codes, Halves, Vector, as_floats, code_bytes, sign_codes
from libravdb.adapters.vector_search import Rows, View
from libravdb.ports.settings import StoreSettings

_Scalar = TypeVar("_Scalar", bound=np.generic)

_OVERHEAD = 2_048  # bytes of a block's Python objects, about
_KEPT_SHARE = 3  # quarters of what blocks leave that hold vectors read last: the fourth is for the next collection
_MAX_NOTED = 1_000  # removals noted beyond this are not worth replaying: load again


def to_blob(vector: Vector) -> bytes:
    """One vector as it is stored: float16, little-endian."""
    return vector.astype("<f2").tobytes()


def from_blobs(blobs: Iterable[bytes], dimensions: int) -> Vector:
    """Stored vectors back as float32 rows."""
    return as_floats(_halves(blobs, dimensions))


def _halves(blobs: Iterable[bytes], dimensions: int) -> Halves:
    return np.frombuffer(b"".join(blobs), dtype="<u2").reshape(-1, dimensions)


class VectorBlock:
    """Growing arrays over one collection; `sync` brings them up to the file's state."""

    def __init__(self, *, collection: int, space: int, dimensions: int, exact_rows: int) -> None:
        self.collection = collection
        self.space = space
        self.dimensions = dimensions
        self.lock = threading.Lock()
        self._exact_rows = exact_rows
        self._words = code_bytes(dimensions) // 8
        self._removals: dict[int, Rows] = {}
        self._reset()

    def _reset(self) -> None:
        self._epoch = -1
        self._last_row = 0
        self._size = 0
        self._buried = 0
        self._records = np.empty(0, dtype=np.int64)
        self._vectors = np.empty(0, dtype=np.int64)
        self._alive = np.empty(0, dtype=np.bool_)
        self._matrix: Vector | None = np.empty((0, self.dimensions), dtype=np.float32)
        self._codes: Codes | None = None

    @property
    def nbytes(self) -> int:
        """Memory in use; an empty collection takes some too, or any number of them would be kept."""
        arrays = (self._records, self._vectors, self._alive, self._matrix, self._codes)
        return _OVERHEAD + sum(array.nbytes for array in arrays if array is not None)

    def note_removal(self, epoch: int, rows: Rows) -> None:
        """The writer tells that the step to `epoch` removed exactly these record rows."""
        self._removals[epoch] = rows
        if len(self._removals) > _MAX_NOTED:
            self._removals.clear()

    def sync(self, db: sqlite3.Connection, epoch: int) -> View:
        """The view at the state that `db`'s transaction sees. Call with the lock held."""
        if epoch < self._epoch:  # a reader that began before the newest removal: it gets arrays of its own
            return self._private(db, epoch)
        while self._epoch < epoch and self._epoch + 1 in self._removals:
            self._epoch += 1
            self._bury(self._removals.pop(self._epoch))
        newest = self._newest_row(db)
        if self._epoch != epoch or self._is_mostly_dead():
            self._removals.clear()
            self._reset()
            self._load(db)
            self._epoch = epoch
            self._last_row = newest
        elif newest > self._last_row:
            self._append_newer(db)
            self._last_row = newest
        return self._view(newest)

    def _private(self, db: sqlite3.Connection, epoch: int) -> View:
        block = VectorBlock(
            collection=self.collection, space=self.space, dimensions=self.dimensions, exact_rows=self._exact_rows
        )
        return block.sync(db, epoch)

    def _view(self, newest: int) -> View:
        """Rows up to the newest that the reader sees: another reader may have added later ones already."""
        end = int(np.searchsorted(self._records[: self._size], newest, side="right"))
        return View(
            records=self._records[:end],
            vectors=self._vectors[:end],
            alive=self._alive[:end].copy(),
            matrix=None if self._matrix is None else self._matrix[:end],
            codes=None if self._codes is None else self._codes[:, :end],
        )

    def _bury(self, rows: Rows) -> None:
        """Mark the vectors of removed records; views taken earlier have their own marks."""
        records = self._records[: self._size]
        starts = np.searchsorted(records, rows, side="left")
        ends = np.searchsorted(records, rows, side="right")
        for start, end in zip(starts, ends, strict=True):
            self._alive[start:end] = False
        self._buried += int((ends - starts).sum())

    def _is_mostly_dead(self) -> bool:
        return self._buried * 2 > self._size

    def _load(self, db: sqlite3.Connection) -> None:
        found = db.execute(
            "SELECT r.row, c.first_vector, c.vectors, c.code FROM records r INDEXED BY records_by_text"
            " CROSS JOIN codes c ON c.space = ? AND c.text = r.text WHERE r.collection = ?",
            (self.space, self.collection),
        ).fetchall()
        found.sort(key=lambda row: row[0])
        self._append(db, found)

    def _append_newer(self, db: sqlite3.Connection) -> None:
        found = db.execute(
            "SELECT r.row, c.first_vector, c.vectors, c.code FROM records r INDEXED BY records_by_arrival"
            " CROSS JOIN codes c ON c.space = ? AND c.text = r.text"
            " WHERE r.collection = ? AND r.row > ? ORDER BY r.row",
            (self.space, self.collection, self._last_row),
        ).fetchall()
        self._append(db, found)

    def _newest_row(self, db: sqlite3.Connection) -> int:
        row = db.execute(
            "SELECT max(row) FROM records INDEXED BY records_by_arrival WHERE collection = ?",
            (self.collection,),
        ).fetchone()[0]
        return int(row or 0)

    def _append(self, db: sqlite3.Connection, found: list[tuple[int, int, int, bytes]]) -> None:
        if not found:
            return
        counts = np.fromiter((row[2] for row in found), dtype=np.int64, count=len(found))
        records = np.repeat(np.fromiter((row[0] for row in found), dtype=np.int64, count=len(found)), counts)
        firsts = np.fromiter((row[1] for row in found), dtype=np.int64, count=len(found))
        within = np.arange(records.size) - np.repeat(np.cumsum(counts) - counts, counts)
        vectors = np.repeat(firsts, counts) + within
        start, end = self._size, self._size + records.size
        self._grow(end)
        self._records[start:end] = records
        self._vectors[start:end] = vectors
        self._alive[start:end] = True
        if self._codes is not None:
            joined = np.frombuffer(b"".join(row[3] for row in found), dtype="<u8")
            self._codes[:, start:end] = joined.reshape(-1, self._words).T
        elif self._matrix is not None:
            self._matrix[start:end] = fetch_vectors(db, vectors, self.dimensions)
        self._size = end

    def _grow(self, size: int) -> None:
        """Room for `size` vectors; past the exact limit the matrix gives way to codes.

        Old arrays stay as they are for the views that hold them.
        """
        if self._matrix is not None and size > self._exact_rows:
            packed = sign_codes(self._matrix[: self._size]).view("<u8").reshape(-1, self._words)
            self._codes = np.zeros((self._words, self._records.size), dtype=np.uint64)
            self._codes[:, : self._size] = packed.T
            self._matrix = None
        capacity = self._records.size
        if size <= capacity:
            return
        room = size if capacity == 0 else max(size, capacity * 3 // 2)
        self._records = _extended(self._records, room)
        self._vectors = _extended(self._vectors, room)
        self._alive = _extended(self._alive, room)
        if self._codes is not None:
            codes = np.zeros((self._words, room), dtype=np.uint64)
            codes[:, : self._size] = self._codes[:, : self._size]
            self._codes = codes
        elif self._matrix is not None:
            matrix = np.empty((room, self.dimensions), dtype=np.float32)
            matrix[: self._size] = self._matrix[: self._size]
            self._matrix = matrix


def _extended(array: NDArray[_Scalar], room: int) -> NDArray[_Scalar]:
    longer = np.zeros(room, dtype=array.dtype)
    longer[: array.size] = array
    return longer


def fetch_vectors(db: sqlite3.Connection, ids: Rows, dimensions: int) -> Vector:
    """Vectors by id, in the order of `ids`."""
    distinct, places = np.unique(ids, return_inverse=True)
    return as_floats(_read_vectors(db, distinct, dimensions))[places]


def _read_vectors(db: sqlite3.Connection, distinct: Rows, dimensions: int) -> Halves:
    found = db.execute(
        "SELECT v.vector FROM json_each(?) j CROSS JOIN vectors v ON v.id = j.value",  # in the order of the list
        (json.dumps(distinct.tolist()),),
    ).fetchall()
    if len(found) != distinct.size:
        raise KeyError(f"{distinct.size - len(found)} vectors are missing")
    return _halves((vector for (vector,) in found), dimensions)


# ── all collections in memory ─────────────────────────────────────────────────────────────────────────────


class VectorCache:
    """Blocks of the collections searched last, within a budget of bytes; what they leave is for vectors read last."""

    def __init__(self, settings: StoreSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._blocks: OrderedDict[int, VectorBlock] = OrderedDict()
        self._sizes: dict[int, int] = {}
        self._held = 0
        self._kept = KeptVectors()

    def view(self, db: sqlite3.Connection, *, collection: int, epoch: int, space: int, dimensions: int) -> View:
        """The collection's vectors as `db`'s transaction sees them."""
        with self._lock:
            block = self._blocks.get(collection)
            if block is None or block.space != space:
                exact = self._settings.exact_search_rows
                block = VectorBlock(collection=collection, space=space, dimensions=dimensions, exact_rows=exact)
                self._blocks[collection] = block
            self._blocks.move_to_end(collection)
        with block.lock:
            view = block.sync(db, epoch)
        with self._lock:
            if self._blocks.get(collection) is block:
                self._weigh(collection, block.nbytes)
            self._shrink(dimensions)
        return view

    def fetch(self, db: sqlite3.Connection, ids: Rows, dimensions: int) -> Vector:
        """Vectors by id, in the order of `ids`, for exact scores in a large collection."""
        with self._lock:
            if self._kept.nbytes == 0:
                self._kept.fit(self._left() * _KEPT_SHARE // 4, dimensions)
        return self._kept.get(ids, dimensions, lambda missing: _read_vectors(db, missing, dimensions))

    def note_removal(self, collection: int, epoch: int, rows: list[int]) -> None:
        """Told by the writer just before its commit becomes visible."""
        with self._lock:
            block = self._blocks.get(collection)
        if block is not None:
            with block.lock:
                block.note_removal(epoch, np.array(sorted(rows), dtype=np.int64))

    def forget(self, collection: int) -> None:
        """Drop a collection's arrays; they are loaded again when asked for."""
        with self._lock:
            self._blocks.pop(collection, None)
            self._weigh(collection, 0)
            self._kept.clear()

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._blocks.clear()
            self._sizes.clear()
            self._held = 0
            self._kept.clear()

    @property
    def nbytes(self) -> int:
        """Memory in use."""
        with self._lock:
            return self._kept.nbytes + sum(block.nbytes for block in self._blocks.values())

    def _weigh(self, collection: int, size: int) -> None:
        """A block takes so many bytes now; the lock is held. All are not asked again for each search: they are many."""
        self._held += size - self._sizes.pop(collection, 0)
        if size:
            self._sizes[collection] = size

    def _left(self) -> int:
        """Bytes that the blocks leave of the budget; the lock is held."""
        return self._settings.vector_cache_mb * 2**20 - self._held

    def _shrink(self, dimensions: int) -> None:
        """Let go of the collections searched longest ago; the one in use stays, however large. The lock is held."""
        while self._left() < 0 and len(self._blocks) > 1:
            self._weigh(self._blocks.popitem(last=False)[0], 0)
        if self._kept.nbytes > max(self._left(), 0):
            self._kept.fit(self._left() * _KEPT_SHARE // 4, dimensions)
