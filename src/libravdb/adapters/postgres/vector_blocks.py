"""Vectors of collections in memory: of small ones themselves, of large ones their sign codes.

A collection's vectors are loaded when it is first searched. What is held is right by the revision of the collection,
read in the same snapshot as the search: rows that came since are added, and when records left since (or got vectors
later than themselves) all are loaded anew. Nobody is told of changes, and nobody has to be. A reader of an older moment
gets what is of that moment.

Memory stays within a budget. Half of it may hold vectors themselves; a collection that was searched longest ago gives
them up first and keeps its codes, which take a thirtieth, and then those too. What blocks leave is for vectors that
were read last for exact scores.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.kept_vectors import KeptVectors
from libravdb.adapters.postgres.collection_heads import CollectionHead
from libravdb.adapters.postgres.read_transaction import Found, ReadTransaction, Statement
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.vector_reads import (
    ArrivedVectors,
    SpaceInUse,
    VectorRead,
    codes_behind,
    columns,
    halves_behind,
    most_exact,
    vectors_by_id,
)
from libravdb.adapters.vector_codes import Codes, Vector, as_floats, code_bytes, sign_codes
from libravdb.adapters.vector_search import Rows, View
from libravdb.ports.settings import StoreSettings

_Scalar = TypeVar("_Scalar", bound=np.generic)

_OVERHEAD = 2_048  # bytes of a block's Python objects, about
_KEPT_SHARE = 3  # quarters of what blocks leave that hold vectors read last: the fourth is for the next collection


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomers:
    """What is asked for the records of a collection behind a row, and what becomes of the answer."""

    statement: Callable[[int, int], Statement]
    learn: Callable[[Found], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A collection's vectors at one moment, at which it had so many records (`known`), the last of them in the row
    `through`. The arrays may be longer than `size`: what follows is a later moment's, and never changes what stands
    before it."""

    space: SpaceInUse
    revision: int
    removed: int
    known: int
    through: int
    size: int
    records: Rows
    vectors: Rows
    matrix: Vector | None
    codes: Codes | None

    @property
    def nbytes(self) -> int:
        """Memory in use; an empty collection takes some too, or any number of them would be kept."""
        arrays = (self.records, self.vectors, self.matrix, self.codes)
        return _OVERHEAD + sum(array.nbytes for array in arrays if array is not None)

    def view(self, newest: int | None = None) -> View:
        """All of it, or the records up to a row."""
        end = self.size
        if newest is not None:
            end = int(np.searchsorted(self.records[:end], newest, side="right"))
        return View(
            records=self.records[:end],
            vectors=self.vectors[:end],
            alive=np.broadcast_to(np.True_, end),
            matrix=None if self.matrix is None else self.matrix[:end],
            codes=None if self.codes is None else self.codes[:, :end],
        )

    def is_older_than(self, other: _Block) -> bool:
        return (self.space.revision, self.revision) < (other.space.revision, other.revision)

    def apart(self) -> _Block:
        """The same in arrays without room: what others wrote behind it is not touched when it grows."""
        return replace(
            self,
            records=self.records[: self.size],
            vectors=self.vectors[: self.size],
            matrix=None if self.matrix is None else self.matrix[: self.size],
            codes=None if self.codes is None else self.codes[:, : self.size],
        )

    def coded(self) -> _Block:
        """The same without vectors."""
        if self.matrix is None:
            return self
        codes = np.ascontiguousarray(columns(sign_codes(self.matrix)))
        return replace(self, matrix=None, codes=codes)

    def extended(self, arrived: ArrivedVectors, head: CollectionHead) -> _Block:
        """With what came since. Written behind what stands there, as long as there is room: only one may do so."""
        end = self.size + arrived.records.size
        room = self.records.size if end <= self.records.size else max(end, self.records.size * 3 // 2)
        records, vectors = _longer(self.records, room), _longer(self.vectors, room)
        records[self.size : end], vectors[self.size : end] = arrived.records, arrived.vectors
        matrix, codes = self.matrix, self.codes
        if matrix is not None and arrived.halves is not None:
            matrix = _longer_rows(matrix, room)
            matrix[self.size : end] = as_floats(arrived.halves)
        elif codes is not None and arrived.codes is not None:
            codes = _longer_columns(codes, room)
            codes[:, self.size : end] = arrived.codes
        return _Block(
            space=self.space,
            revision=head.revision,
            removed=head.removed,
            known=head.records,
            through=max(self.through, arrived.through),
            size=end,
            records=records,
            vectors=vectors,
            matrix=matrix,
            codes=codes,
        )


class VectorBlocks:
    """The vectors of the collections searched last. Usable from many threads; no lock is held while a server is
    asked."""

    def __init__(self, settings: StoreSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._blocks: OrderedDict[int, _Block] = OrderedDict()
            self._bytes = self._exact = 0
            self._kept: tuple[int, KeptVectors] = (0, KeptVectors())

    @property
    def nbytes(self) -> int:
        """Memory in use."""
        with self._lock:
            return self._kept[1].nbytes + self._bytes

    # ── views ─────────────────────────────────────────────────────────────────────────────────────────────

    def views(
        self,
        read: ReadTransaction,
        heads: Sequence[CollectionHead],
        space: SpaceInUse,
        *,
        along: Sequence[CollectionHead] = (),
        newcomers: Newcomers | None = None,
    ) -> dict[int, View]:
        """The vectors of these collections as the transaction sees them, by their numbers.

        When the server has to be asked, what is held of the collections `along` is brought up to date too, and what
        `newcomers` asks for the records that came since comes in the same round trip.
        """
        with self._lock:
            held = {head.id: self._usable(head, space) for head in heads}
            beside = {head.id: block for head in along if (block := self._usable(head, space)) is not None}
        found = {head.id: block.view() for head in heads if (block := held[head.id]) and _is_current(block, head)}
        behind = [head for head in heads if head.id not in found]
        if behind:
            behind += [head for head in along if head.id in beside and beside[head.id].revision < head.revision]
            held = {**beside, **held}
            readings = {head.id: self._reading(head, held[head.id], space) for head in behind}
            statements = [
                _newest_row(head.id) if reading is None else reading.statement
                for head in behind
                if not ((reading := readings[head.id]) and reading.is_whole)
            ]
            arriving = _asking_for_newcomers(newcomers, [(head, held[head.id]) for head in behind])
            told = iter(read.ask_all([*statements, *arriving]) if statements or arriving else ())
            for head in behind:
                reading = readings[head.id]
                row = None if reading and reading.is_whole else next(told)[0]
                found[head.id] = self._brought_up(read, head, held[head.id], reading, row)
            for rows in told:
                if newcomers is not None:
                    newcomers.learn(rows)
        with self._lock:
            self._shrink(space)
        return found

    def _usable(self, head: CollectionHead, space: SpaceInUse) -> _Block | None:
        """What is held of a collection, if it can serve a reader of this moment; the lock is held."""
        block = self._blocks.get(head.id)
        if block is None or block.space != space:
            return None
        self._blocks.move_to_end(head.id)
        is_cut_off = max(block.removed, head.removed) > min(block.revision, head.revision)
        return None if is_cut_off else block

    def _reading(self, head: CollectionHead, block: _Block | None, space: SpaceInUse) -> VectorRead | None:
        """What a collection needs: what came since, or everything; None for a reader of the past."""
        if block is not None and head.revision < block.revision:
            return None
        exact = self._exact_vectors(space)
        if block is None:
            block = _empty(head, space, is_exact=head.records <= exact)
        if block.matrix is not None:
            return halves_behind(head.id, space, block.through, most=exact - block.size)
        return codes_behind(head.id, space, block.through, expected=head.records - block.known)

    def _exact_vectors(self, space: SpaceInUse) -> int:
        """Vectors of a collection up to which all are compared; as many as one value holds."""
        return min(self._settings.exact_search_rows, most_exact(space))

    def _brought_up(
        self,
        read: ReadTransaction,
        head: CollectionHead,
        block: _Block | None,
        reading: VectorRead | None,
        row: tuple[Any, ...] | None,
    ) -> View:
        """What is held, made that of the reader's moment; `row` answers what was read of it, if that was asked for. Of
        more vectors than are compared all, only codes are held."""
        if reading is None:
            assert block is not None  # noqa: S101 - only what is held can be of a later moment
            assert row is not None  # noqa: S101
            return block.view(newest=row[0])
        if block is None:
            block = _empty(head, reading.space, is_exact=reading.is_exact)
        if reading.is_exact and row is not None:
            arrived = reading.found(row)
            if arrived.is_all:
                return self._grown(head, block, arrived).view()
            block, row = self._keep(head, block.coded(), instead_of=block), None
            reading = codes_behind(head.id, reading.space, block.through, expected=head.records - block.known)
        return self._grown(head, block, reading.all(read, row)).view()

    def _grown(self, head: CollectionHead, block: _Block, arrived: ArrivedVectors) -> _Block:
        """A block with what came since; held from now on, unless another reader was faster."""
        with self._lock:
            held = self._blocks.get(head.id)
            if held is block or held is None or held.is_older_than(block):
                grown = (block if held is block else block.apart()).extended(arrived, head)
                self._hold(head.id, grown)
                return grown
        return block.apart().extended(arrived, head)

    def _keep(self, head: CollectionHead, block: _Block, *, instead_of: _Block) -> _Block:
        with self._lock:
            if self._blocks.get(head.id) is instead_of:
                self._hold(head.id, block)
        return block

    # ── vectors for exact scores ──────────────────────────────────────────────────────────────────────────

    def fetch(self, read: ReadTransaction, collection: int, space: SpaceInUse, ids: Rows) -> Vector:
        """Vectors by id, in the order of `ids`, for exact scores in a large collection."""
        with self._lock:
            if self._kept[0] != space.id:
                self._kept = space.id, KeptVectors()
            kept = self._kept[1]
            if kept.nbytes == 0:
                kept.fit(self._left() * _KEPT_SHARE // 4, space.dimensions)
        return kept.get(ids, space.dimensions, lambda missing: vectors_by_id(read, collection, space, missing))

    # ── the budget ────────────────────────────────────────────────────────────────────────────────────────

    def _hold(self, id: int, block: _Block) -> None:
        """Hold a block in the place of another; the lock is held. All are not weighed again for each search: they are
        many."""
        self._drop(id)
        self._blocks[id] = block
        self._bytes += block.nbytes
        self._exact += block.matrix is not None

    def _drop(self, id: int) -> None:
        block = self._blocks.pop(id, None)
        if block is not None:
            self._bytes -= block.nbytes
            self._exact -= block.matrix is not None

    def _left(self) -> int:
        return max(self._settings.vector_cache_mb * 2**20 - self._bytes, 0)

    def _shrink(self, space: SpaceInUse) -> None:
        """Let go of what was searched longest ago; the one in use keeps its codes, however large. The lock is held."""
        budget = self._settings.vector_cache_mb * 2**20
        if self._bytes > budget // 2 and self._exact:
            for id, block in list(self._blocks.items()):
                if block.matrix is not None:
                    coded = self._blocks[id] = block.coded()  # in its place: it was not searched now
                    self._bytes += coded.nbytes - block.nbytes
                    self._exact -= 1
                if self._bytes <= budget // 2:
                    break
        while self._bytes > budget and len(self._blocks) > 1:
            self._drop(next(iter(self._blocks)))
        if self._kept[1].nbytes > self._left():
            self._kept[1].fit(self._left() * _KEPT_SHARE // 4, space.dimensions)


def _asking_for_newcomers(
    newcomers: Newcomers | None, behind: Sequence[tuple[CollectionHead, _Block | None]]
) -> list[Statement]:
    """What asks for the records that came to collections of which something is held."""
    if newcomers is None:
        return []
    return [
        newcomers.statement(head.id, block.through)
        for head, block in behind
        if block is not None and block.revision < head.revision
    ]


def _newest_row(collection: int) -> Statement:
    return f"SELECT coalesce(max(row), 0) FROM {SCHEMA}.records WHERE collection = %s", (collection,)


def _is_current(block: _Block, head: CollectionHead) -> bool:
    return block.revision == head.revision


def _empty(head: CollectionHead, space: SpaceInUse, *, is_exact: bool) -> _Block:
    words = code_bytes(space.dimensions) // 8
    return _Block(
        space=space,
        revision=head.revision,
        removed=head.removed,
        known=0,
        through=0,
        size=0,
        records=np.empty(0, dtype=np.int64),
        vectors=np.empty(0, dtype=np.int64),
        matrix=np.empty((0, space.dimensions), dtype=np.float32) if is_exact else None,
        codes=None if is_exact else np.empty((words, 0), dtype=np.uint64),
    )


# ── growing arrays ────────────────────────────────────────────────────────────────────────────────────────


def _longer(array: NDArray[_Scalar], room: int) -> NDArray[_Scalar]:
    if array.size >= room:
        return array
    longer = np.zeros(room, dtype=array.dtype)
    longer[: array.size] = array
    return longer


def _longer_rows(matrix: Vector, room: int) -> Vector:
    if matrix.shape[0] >= room:
        return matrix
    longer = np.empty((room, matrix.shape[1]), dtype=np.float32)
    longer[: matrix.shape[0]] = matrix
    return longer


def _longer_columns(codes: Codes, room: int) -> Codes:
    if codes.shape[1] >= room:
        return codes
    longer = np.zeros((codes.shape[0], room), dtype=np.uint64)
    longer[:, : codes.shape[1]] = codes
    return longer
