"""Vectors in memory: exact search in small collections, sign codes with exact rescoring in large ones.

A collection's vectors are loaded when it is first searched, kept while the memory budget allows, and brought
up to date from the file before each search. Up to `exact_search_rows` vectors are compared one by one. Above that
only one bit per dimension stays in memory, and a search narrows down in three steps:

1. Hamming distance between sign codes, over all rows, keeps the `shortlist_rows` nearest;
2. the dot product of the query with each kept row's signs (its ±1 vector) orders those;
3. the first fifth of them, within `rescore_rows` and its maximum, are read from the file and scored exactly.

Filters are applied before step 1, never after it, so a narrow filter in a large collection still fills its
page. No index file exists that could be corrupt or stale.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.sqlite.kept_vectors import Halves, KeptVectors, as_floats
from libravdb.ports.settings import StoreSettings

_Scalar = TypeVar("_Scalar", bound=np.generic)
Vector = NDArray[np.float32]
Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Fetch = Callable[[Rows], Vector]
"""Vectors by id, ascending, as float32 rows."""

_CHUNK = 16_384  # rows per step of the Hamming scan: the working set stays inside the CPU's cache
_STRETCH = 2_048  # rows per step of an exact scan: small enough for one thread
_PLANES = 6  # binary digits of a rounded query; four cost a fifth of a percent of the ten nearest, more gain nothing
_TIE = 1e-5  # float32 sums of the same numbers differ by less than this, whatever their order
_SAMPLE = 16  # one distance in so many is looked at to guess where the nearest end
_FEW = 8  # where a mask allows less than one row in so many, picking them out costs less than scanning all
_SHORTLIST_SHARE = 100  # one row in so many is shortlisted, within the configured bounds
_RESCORE_SHARE = 5  # one shortlisted row in so many is scored exactly: reading it costs most of a search
_OVERHEAD = 2_048  # bytes of a block's Python objects, about
_KEPT_SHARE = 3  # quarters of what blocks leave that hold vectors read last: the fourth is for the next collection
_MAX_NOTED = 1_000  # removals noted beyond this are not worth replaying: load again


class Neighbour(NamedTuple):
    """A record near the query: its row, its best vector's id and cosine."""

    record: int
    vector: int
    cosine: float


# ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────


def to_blob(vector: Vector) -> bytes:
    """One vector as it is stored: float16, little-endian."""
    return vector.astype("<f2").tobytes()


def from_blobs(blobs: Iterable[bytes], dimensions: int) -> Vector:
    """Stored vectors back as float32 rows."""
    return as_floats(_halves(blobs, dimensions))


def _halves(blobs: Iterable[bytes], dimensions: int) -> Halves:
    return np.frombuffer(b"".join(blobs), dtype="<u2").reshape(-1, dimensions)


def code_bytes(dimensions: int) -> int:
    """Bytes of one sign code: whole 64-bit words."""
    return (dimensions + 63) // 64 * 8


def sign_codes(vectors: Vector) -> NDArray[np.uint8]:
    """One bit per dimension (is it positive?), padded with zeros to whole words, a row per vector."""
    bits = np.packbits(vectors > 0, axis=1)
    padding = code_bytes(vectors.shape[1]) - bits.shape[1]
    return np.pad(bits, ((0, 0), (0, padding))) if padding else bits


def cosines(rows: Vector, query: Vector) -> NDArray[np.float64]:
    """Dot products of normalised rows with a normalised query.

    Row by row in double precision: the result of a row does not depend on which rows stand beside it, as it would in a
    matrix product, so equal texts tie exactly.
    """
    return np.asarray(np.vecdot(rows.astype(np.float64), query.astype(np.float64)))


# ── one collection's vectors ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A collection's vectors at one moment, ordered by record row. Either `matrix` or `codes` is there."""

    records: Rows
    vectors: Rows
    alive: Mask
    matrix: Vector | None
    codes: NDArray[np.uint64] | None

    def mask(self, *, only: Rows | None, without: Rows, is_whole: bool = False) -> Mask:
        """Which vectors may be found: alive, of a record in `only` (None: any) and not in `without`.

        With `is_whole` only the first vector of each record, which is that of its whole text.
        """
        mask = self.alive if only is None else self.alive & _member(self.records, only)
        if is_whole and self.records.size:
            mask = mask & np.concatenate(([True], self.records[1:] != self.records[:-1]))
        return mask & ~_member(self.records, without) if without.size else mask

    def spans(self, rows: Rows) -> tuple[Rows, Rows]:
        """Where the vectors of each record begin here, and how many there are; 0 for a record that has none."""
        starts = np.searchsorted(self.records, rows, side="left")
        counts = np.searchsorted(self.records, rows, side="right") - starts
        if self.records.size:
            counts[~self.alive[np.minimum(starts, self.records.size - 1)]] = 0
        return starts, counts


def _member(values: Rows, of: Rows) -> Mask:
    """For each value whether the sorted array `of` holds it."""
    if of.size == 0:
        return np.zeros(values.shape, dtype=np.bool_)
    places = np.minimum(np.searchsorted(of, values), of.size - 1)
    return np.asarray(of[places] == values)


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
        self._codes: NDArray[np.uint64] | None = None

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


# ── search ────────────────────────────────────────────────────────────────────────────────────────────────


def nearest(view: View, query: Vector, *, k: int, mask: Mask, fetch: Fetch, settings: StoreSettings) -> list[Neighbour]:
    """The k records nearest to the query, with every further one that ties with the last; best first.

    A record counts as its best vector. Among equals the order is by row: the caller, who knows ids, decides.
    """
    available = int(np.count_nonzero(mask))
    if available == 0 or k <= 0:
        return []
    wanted = min(k, available)
    reach = 1
    while True:
        positions = _promising(view, query, wanted=wanted * reach, mask=mask, reach=reach, settings=settings)
        records, vectors, exact = _best_per_record(view, query, positions, fetch)
        if records.size >= wanted or positions.size >= available:
            break
        reach *= 4
    end = records.size if records.size <= k else int(np.count_nonzero(exact >= exact[k - 1]))
    found = zip(records[:end].tolist(), vectors[:end].tolist(), exact[:end].tolist(), strict=True)
    return list(itertools.starmap(Neighbour, found))


def _promising(view: View, query: Vector, *, wanted: int, mask: Mask, reach: int, settings: StoreSettings) -> Rows:
    """Positions of the vectors that may be among the best: a superset in the exact case, nearly so else."""
    if view.matrix is not None:
        similar = _similar(view.matrix, query)
        similar[~mask] = -np.inf
        allowed = int(np.count_nonzero(mask))
        if wanted >= allowed:
            return np.flatnonzero(mask)
        cut = np.partition(similar, similar.size - wanted)[similar.size - wanted]
        return np.flatnonzero(similar >= cut - _TIE)
    assert view.codes is not None
    size = np.clip(view.records.size // _SHORTLIST_SHARE, settings.shortlist_rows, settings.shortlist_rows_max)
    exact = np.clip(size // _RESCORE_SHARE, settings.rescore_rows, settings.rescore_rows_max)
    rescore = max(int(exact) * reach, wanted * 3)
    short = _shortlist(view.codes, query, mask=mask, count=max(int(size) * reach, rescore))
    if short.size <= rescore:
        return short
    signs = _signed_dot(np.take(view.codes, short, axis=1), query)
    return np.sort(short[np.argpartition(-signs, rescore)[:rescore]])


def _shortlist(codes: NDArray[np.uint64], query: Vector, *, mask: Mask, count: int) -> Rows:
    """Positions of the `count` codes nearest to the query's among those that the mask allows, and of all that tie with
    the last of them. Where it allows few, only those are looked at."""
    code = sign_codes(query[np.newaxis, :]).view("<u8")[0]
    allowed = int(np.count_nonzero(mask))
    if allowed <= count:
        return np.flatnonzero(mask)
    if allowed * _FEW < mask.size:
        places = np.flatnonzero(mask)
        return places[_smallest(_hamming(np.take(codes, places, axis=1), code), count)]
    distance = _hamming(codes, code)
    if allowed < mask.size:
        distance[~mask] = 64 * code.size + 1  # further than any; fewer are wanted than are allowed
    return _smallest(distance, count)


def _similar(matrix: Vector, query: Vector) -> Vector:
    """Dot products of all rows, a stretch at a time: a large product would be spread over threads that spin, and cost
    many times the CPU time it saves."""
    found = np.empty(matrix.shape[0], dtype=np.float32)
    for start in range(0, found.size, _STRETCH):
        np.matmul(matrix[start : start + _STRETCH], query, out=found[start : start + _STRETCH])
    return found


def _hamming(codes: NDArray[np.uint64], query: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """Differing bits between every code and the query's.

    Three words at a time are counted in bytes, which cannot overflow, and everything is written in place: adding bytes
    to wider numbers and making arrays took a third of the scan.
    """
    words, size = codes.shape
    distance = np.zeros(size, dtype=np.uint16)
    room = min(size, _CHUNK)
    differing, counts, sums = np.empty(room, np.uint64), np.empty(room, np.uint8), np.empty(room, np.uint8)
    for start in range(0, size, _CHUNK):
        part = distance[start : start + _CHUNK]
        bits, count, few = differing[: part.size], counts[: part.size], sums[: part.size]
        for first in range(0, words, 3):
            few.fill(0)
            for word in range(first, min(first + 3, words)):
                np.bitwise_xor(codes[word, start : start + part.size], query[word], out=bits)
                few += np.bitwise_count(bits, out=count)
            part += few
    return distance


def _smallest(distance: NDArray[np.uint16], count: int) -> Rows:
    """Positions of the `count` smallest distances and of everything that ties with the last of them.

    A sample tells about where the last of them lies, so that only the nearest have to be counted exactly.
    """
    if count >= distance.size:
        return np.arange(distance.size)
    guess = _cut(distance[::_SAMPLE], count * 5 // (4 * _SAMPLE) + _SAMPLE)
    near = np.flatnonzero(distance <= guess)
    if near.size < count:
        near = np.arange(distance.size)
    nearest_ones = distance[near]
    return near[nearest_ones <= _cut(nearest_ones, count)]


def _cut(distance: NDArray[np.uint16], count: int) -> int:
    """The distance of the one that is number `count` from the nearest on; the largest where there are fewer."""
    upto = np.cumsum(np.bincount(distance))
    return int(np.searchsorted(upto, min(count, distance.size)))


def _signed_dot(codes: NDArray[np.uint64], query: Vector) -> NDArray[np.float64]:
    """The query's dot product with each code read as bits, which orders codes as their ±1 vectors would.

    The query is rounded to 64 levels and cut into its binary digits; each digit's part is a count of common bits. No
    matrix product is needed: those spread over threads that spin, and cost more CPU time than they save.
    """
    low, high = float(query.min()), float(query.max())
    step = (high - low) / (2**_PLANES - 1) or 1.0
    levels = np.rint((query - low) / step).astype(np.uint8)
    digits = np.stack([(levels >> plane) & 1 for plane in range(_PLANES)]).astype(np.float32)
    masks = sign_codes(digits).view("<u8")
    common = np.zeros(codes.shape[1], dtype=np.uint32)
    ones = np.zeros(codes.shape[1], dtype=np.uint32)
    for word, words in enumerate(codes):
        ones += np.bitwise_count(words)
        for plane, mask in enumerate(masks):
            common += np.left_shift(np.bitwise_count(words & mask[word]), plane, dtype=np.uint32)
    return np.asarray(common * step + ones * low)


def _best_per_record(
    view: View, query: Vector, positions: Rows, fetch: Fetch
) -> tuple[Rows, Rows, NDArray[np.float64]]:
    """Records with their best vector among these and its exact cosine, best first, then by row."""
    vectors = view.vectors[positions]
    rows = view.matrix[positions] if view.matrix is not None else fetch(vectors)
    exact = cosines(rows, query)
    records = view.records[positions]
    order = np.lexsort((vectors, records, -exact))
    _, first = np.unique(records[order], return_index=True)
    best = order[np.sort(first)]
    return records[best], vectors[best], exact[best]
