"""What is read of vectors: those of a collection behind a row, their sign codes, and those of a few records.

A collection comes in parts. How many vectors a record has is known to nobody before, so a part ends where one value of
the server would become too long, and tells how far it came.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.postgres.read_transaction import PlannedAnew, ReadTransaction, Statement
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.vector_codes import Codes, Halves, as_floats, code_bytes
from libravdb.adapters.vector_search import Rows, View
from libravdb.errors import StoreError

PLACE_BITS = 20
"""A vector's id is its record's row and its place in it: since a row stands for one text for ever, an id stands for one
vector."""

AT_ONCE = 500_000
"""Records that are looked at for one part."""

ONE_BY_ONE = 20_000
"""Records up to which each is looked up by its key: more are joined as a whole."""

MOST_BYTES = 2**29
"""Of one value: PostgreSQL takes twice as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceInUse:
    """The vector space in use, and the commit that changed the set of spaces last."""

    id: int
    dimensions: int
    fingerprint: str
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrivedVectors:
    """Vectors as they came from the server, ordered by record and place; either halves or codes. `through` is the last
    row that was looked at, whether it has vectors or not, and `is_all` whether none is behind it."""

    records: Rows
    vectors: Rows
    halves: Halves | None = None
    codes: NDArray[np.uint64] | None = None
    through: int = 0
    is_all: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorRead:
    """A question for vectors of a collection behind a row. So many records are looked at; those come whose vectors are
    not more than `most` together. Of codes a record comes that has more alone, or nothing ever would."""

    collection: int
    space: SpaceInUse
    after: int
    records: int
    most: int
    is_exact: bool

    @property
    def is_whole(self) -> bool:
        """Whether so many records are looked at that their codes are joined as a whole, in a round trip of its own."""
        return not self.is_exact and self.records > ONE_BY_ONE

    @property
    def statement(self) -> Statement:
        """In SQL."""
        told = _NEWER_HALVES if self.is_exact else _MANY_CODES if self.is_whole else _NEWER_CODES
        place = (self.collection, self.space.id)
        values = (self.collection, self.after, self.records, *place, self.most, *place)
        return told, values if self.is_exact else values[:-2]

    def found(self, row: Sequence[Any]) -> ArrivedVectors:
        """What was answered."""
        *packed, count, last, left_out = row
        arrived = (_halves if self.is_exact else _codes)(packed, self.space.dimensions)
        is_all = left_out is None and count < self.records
        return replace(arrived, through=(last or 0) if left_out is None else left_out - 1, is_all=is_all)

    def ask(self, read: ReadTransaction) -> Sequence[Any]:
        """The answer, in a round trip of its own."""
        if not self.is_whole:
            return read.ask(*self.statement)[0]
        return read.ask_all([_WHOLE, self.statement, _AS_BEFORE])[1][0]

    def all(self, read: ReadTransaction, row: Sequence[Any] | None = None) -> ArrivedVectors:
        """Everything behind the row, part by part; `row` answers the first part, where it was asked for before."""
        parts = [self.found(self.ask(read) if row is None else row)]
        while not parts[-1].is_all:
            behind = replace(self, after=parts[-1].through, records=AT_ONCE)
            parts.append(behind.found(behind.ask(read)))
        return _joined(parts)


def halves_behind(collection: int, space: SpaceInUse, after: int, *, most: int) -> VectorRead:
    """All vectors behind a row, if there are no more than so many."""
    return VectorRead(collection=collection, space=space, after=after, records=most + 1, most=most, is_exact=True)


def codes_behind(collection: int, space: SpaceInUse, after: int, *, expected: int) -> VectorRead:
    """The codes of all vectors behind a row, where about so many records are expected."""
    most = max(MOST_BYTES // code_bytes(space.dimensions), 1)
    records = ONE_BY_ONE if expected <= ONE_BY_ONE else AT_ONCE
    return VectorRead(collection=collection, space=space, after=after, records=records, most=most, is_exact=False)


def most_exact(space: SpaceInUse) -> int:
    """How many vectors come in one value."""
    return MOST_BYTES // (2 * space.dimensions)


# ── what the server is asked ──────────────────────────────────────────────────────────────────────────────

# One value of many bytes costs a fraction of many rows, on both sides. They are sorted here: to the server each is a
# tuple of a kilobyte.
_PACKED_HALVES = (
    "SELECT string_agg(int8send(h.row), ''::bytea), string_agg(int4send(h.place), ''::bytea),"
    " string_agg(h.vector, ''::bytea) FROM"
)
_PACKED_CODES = (
    "SELECT string_agg(int8send(c.row), ''::bytea), string_agg(int4send(c.vectors), ''::bytea),"
    " string_agg(c.code, ''::bytea)"
)
_LOOKED_AT = (
    f"WITH r AS MATERIALIZED (SELECT r.row, r.digest FROM {SCHEMA}.records r"
    " WHERE r.collection = %s AND r.row > %s ORDER BY r.row LIMIT %s), c AS MATERIALIZED"
)
_SO_FAR = "sum(c.vectors) OVER (ORDER BY r.row) - c.vectors AS so_far"
_CODE = (
    f"CROSS JOIN LATERAL (SELECT c.vectors, c.code FROM {SCHEMA}.codes c"
    " WHERE c.collection = %s AND c.space = %s AND c.digest = r.digest LIMIT 1) c"
)
_HOW_FAR = ", (SELECT count(*) FROM r), (SELECT max(row) FROM r), (SELECT min(row) FILTER (WHERE NOT {}) FROM c)"
_ALL_FIT, _BEGINS = "c.so_far + c.vectors <= m.most", "c.so_far < m.most"
_MOST = "(SELECT %s::bigint AS most) m"
_NEWER_HALVES = (
    f"{_LOOKED_AT} (SELECT r.row, r.digest, c.vectors, {_SO_FAR} FROM r {_CODE})"
    f" SELECT h.*{_HOW_FAR.format(_ALL_FIT)} FROM {_MOST}"
    f" CROSS JOIN LATERAL ({_PACKED_HALVES} (SELECT c.row, v.place, v.vector FROM c"
    f" CROSS JOIN LATERAL (SELECT v.place, v.vector FROM {SCHEMA}.vectors v WHERE v.collection = %s AND v.space = %s"
    f" AND v.digest = c.digest OFFSET 0) v WHERE {_ALL_FIT}) h) h"
)
_CODES = (
    f" SELECT h.*{_HOW_FAR.format(_BEGINS)} FROM {_MOST} CROSS JOIN LATERAL ({_PACKED_CODES} FROM c WHERE {_BEGINS}) h"
)
_NEWER_CODES = f"{_LOOKED_AT} (SELECT r.row, c.vectors, c.code, {_SO_FAR} FROM r {_CODE}){_CODES}"
_MANY_CODES = PlannedAnew(
    f"{_LOOKED_AT} (SELECT r.row, c.vectors, c.code, {_SO_FAR} FROM r JOIN {SCHEMA}.codes c ON c.digest = r.digest"
    f" WHERE c.collection = %s AND c.space = %s){_CODES}"
)
_WHOLE: Statement = ("SELECT set_config('enable_nestloop', 'off', true), set_config('work_mem', '256MB', true)", ())
"""A server that has not counted its rows yet would look up each of a million codes."""

_AS_BEFORE: Statement = ("SELECT set_config('enable_nestloop', 'on', true)", ())
_VECTORS = (
    "SELECT string_agg(v.vector, ''::bytea ORDER BY k.n) FROM unnest(%s::bigint[], %s::integer[]) WITH ORDINALITY"
    f" k(row, place, n) CROSS JOIN LATERAL (SELECT r.digest FROM {SCHEMA}.records r"
    " WHERE r.collection = %s AND r.row BETWEEN k.row AND k.row ORDER BY r.row LIMIT 1) r"
    f" CROSS JOIN LATERAL (SELECT v.vector FROM {SCHEMA}.vectors v"
    " WHERE v.collection = %s AND v.space = %s AND v.digest = r.digest AND v.place = k.place LIMIT 1) v"
)
_OF_RECORDS = (
    f"{_PACKED_HALVES} (SELECT r.row, v.place, v.vector FROM unnest(%s::bigint[]) k(row)"
    f" CROSS JOIN LATERAL (SELECT r.row, r.collection, r.digest FROM {SCHEMA}.records r"
    " WHERE r.collection = ANY(%s::integer[]) AND r.row BETWEEN k.row AND k.row ORDER BY r.row LIMIT 1) r"
    f" CROSS JOIN LATERAL (SELECT v.place, v.vector FROM {SCHEMA}.vectors v"
    " WHERE v.collection = r.collection AND v.space = %s AND v.digest = r.digest OFFSET 0) v) h"
)


def _halves(row: Sequence[bytes | None], dimensions: int) -> ArrivedVectors:
    records, places, vectors = (part or b"" for part in row)
    rows = np.frombuffer(records, dtype=">i8").astype(np.int64)
    ids = rows << PLACE_BITS | np.frombuffer(places, dtype=">i4").astype(np.int64)
    order = np.argsort(ids)
    halves = np.frombuffer(vectors, dtype="<u2").reshape(-1, dimensions)
    return ArrivedVectors(records=rows[order], vectors=ids[order], halves=halves[order])


def _codes(row: Sequence[bytes | None], dimensions: int) -> ArrivedVectors:
    records, counts, codes = (part or b"" for part in row)
    held = np.frombuffer(counts, dtype=">i4").astype(np.int64)
    rows = np.repeat(np.frombuffer(records, dtype=">i8").astype(np.int64), held)
    ids = rows << PLACE_BITS | (np.arange(rows.size) - np.repeat(np.cumsum(held) - held, held))
    order = np.argsort(ids)
    packed = np.frombuffer(codes, dtype=np.uint8).reshape(-1, code_bytes(dimensions))
    return ArrivedVectors(records=rows[order], vectors=ids[order], codes=columns(packed[order]))


def _joined(parts: Sequence[ArrivedVectors]) -> ArrivedVectors:
    if len(parts) == 1:
        return parts[0]
    return ArrivedVectors(
        records=np.concatenate([part.records for part in parts]),
        vectors=np.concatenate([part.vectors for part in parts]),
        codes=np.concatenate([part.codes for part in parts if part.codes is not None], axis=1),
        through=max(part.through for part in parts),
    )


def columns(codes: NDArray[np.uint8]) -> Codes:
    """Codes as a scan reads them: one word of all of them after the other."""
    return codes.view("<u8").reshape(codes.shape[0], codes.shape[1] // 8).T


def read_vectors(read: ReadTransaction, collections: Sequence[int], space: SpaceInUse, rows: Sequence[int]) -> View:
    """The vectors of a few records, whatever is held of their collections."""
    found = read.ask(_OF_RECORDS, (list(rows), list(collections), space.id))
    arrived = _halves(found[0], space.dimensions)
    return View(
        records=arrived.records,
        vectors=arrived.vectors,
        alive=np.broadcast_to(np.True_, arrived.records.size),
        matrix=np.empty((0, space.dimensions), dtype=np.float32)
        if arrived.halves is None
        else as_floats(arrived.halves),
        codes=None,
    )


def vectors_by_id(read: ReadTransaction, collection: int, space: SpaceInUse, ids: Rows) -> Halves:
    rows, places = (ids >> PLACE_BITS).tolist(), (ids & (2**PLACE_BITS - 1)).tolist()
    (found,) = read.ask(_VECTORS, (rows, places, collection, collection, space.id))[0]
    halves = np.frombuffer(found or b"", dtype="<u2").reshape(-1, space.dimensions)
    if halves.shape[0] != ids.size:
        raise StoreError(
            "the store",
            f"{ids.size - halves.shape[0]} vectors of a collection are missing",
            remedy="Run 'libravdb fsck'.",
        )
    return halves
