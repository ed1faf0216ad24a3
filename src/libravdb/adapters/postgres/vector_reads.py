"""What is read of vectors: those of a collection behind a row, their sign codes, and those of a few records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.postgres.collection_heads import CollectionHead
from libravdb.adapters.postgres.read_transaction import PlannedAnew, ReadTransaction, Statement
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.vector_codes import Codes, Halves, as_floats, code_bytes
from libravdb.adapters.vector_search import Rows, View
from libravdb.errors import StoreError

PLACE_BITS = 20
"""A vector's id is its record's row and its place in it: since a row stands for one text for ever, an id stands for one
vector."""

AT_ONCE = 500_000
"""Records whose codes come in one value."""

ONE_BY_ONE = 20_000
"""Records up to which each is looked up by its key: more are joined as a whole."""

LARGEST = 2**29
"""Bytes of one value: PostgreSQL takes twice as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceInUse:
    """The vector space in use, and the commit that changed the set of spaces last."""

    id: int
    dimensions: int
    fingerprint: str
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrivedVectors:
    """Vectors of so many texts as they came from the server, ordered by record and place; either halves or codes."""

    texts: int
    records: Rows
    vectors: Rows
    halves: Halves | None = None
    codes: NDArray[np.uint64] | None = None


# ── what the server is asked ──────────────────────────────────────────────────────────────────────────────

# One value of many bytes costs a fraction of many rows, on both sides. They are sorted here: to the server each is a
# tuple of a kilobyte.
_PACKED_HALVES = (
    "SELECT string_agg(int8send(h.row), ''::bytea), string_agg(int4send(h.place), ''::bytea),"
    " string_agg(h.vector, ''::bytea) FROM"
)
_PACKED_CODES = (
    "SELECT string_agg(int8send(h.row), ''::bytea), string_agg(int4send(h.vectors), ''::bytea),"
    " string_agg(h.code, ''::bytea) FROM"
)
_NEWER = (
    f"(SELECT r.row, r.digest FROM {SCHEMA}.records r WHERE r.collection = %s AND r.row > %s ORDER BY r.row LIMIT %s) r"
)
NEWER_HALVES = (
    f"{_PACKED_HALVES} (SELECT r.row, v.place, v.vector FROM {_NEWER} CROSS JOIN LATERAL (SELECT v.place, v.vector"
    f" FROM {SCHEMA}.vectors v WHERE v.collection = %s AND v.space = %s AND v.digest = r.digest OFFSET 0) v) h"
)
NEWER_CODES = (
    f"{_PACKED_CODES} (SELECT r.row, c.vectors, c.code FROM {_NEWER} CROSS JOIN LATERAL (SELECT c.vectors, c.code"
    f" FROM {SCHEMA}.codes c WHERE c.collection = %s AND c.space = %s AND c.digest = r.digest LIMIT 1) c) h"
)
_MANY_CODES = PlannedAnew(
    f"WITH r AS MATERIALIZED {_NEWER.removesuffix(' r')} SELECT string_agg(int8send(r.row), ''::bytea),"
    " string_agg(int4send(c.vectors), ''::bytea), string_agg(c.code, ''::bytea), (SELECT count(*) FROM r),"
    f" (SELECT max(row) FROM r) FROM r JOIN {SCHEMA}.codes c ON c.digest = r.digest"
    " WHERE c.collection = %s AND c.space = %s"
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


def many_codes(read: ReadTransaction, head: CollectionHead, space: SpaceInUse, after: int) -> ArrivedVectors:
    """The codes behind a row, part by part."""
    parts = []
    while True:
        values = (head.id, after, AT_ONCE, head.id, space.id)
        _, ((*row, count, last),), _ = read.ask_all([_WHOLE, (_MANY_CODES, values), _AS_BEFORE])
        parts.append(codes_in(row, space.dimensions))
        if count < AT_ONCE:
            return _joined(parts)
        after = last


def halves_in(row: Sequence[bytes | None], dimensions: int) -> ArrivedVectors:
    records, places, vectors = (part or b"" for part in row)
    rows = np.frombuffer(records, dtype=">i8").astype(np.int64)
    ids = rows << PLACE_BITS | np.frombuffer(places, dtype=">i4").astype(np.int64)
    order = np.argsort(ids)
    halves = np.frombuffer(vectors, dtype="<u2").reshape(-1, dimensions)
    return ArrivedVectors(texts=np.unique(rows).size, records=rows[order], vectors=ids[order], halves=halves[order])


def codes_in(row: Sequence[bytes | None], dimensions: int) -> ArrivedVectors:
    records, counts, codes = (part or b"" for part in row)
    held = np.frombuffer(counts, dtype=">i4").astype(np.int64)
    rows = np.repeat(np.frombuffer(records, dtype=">i8").astype(np.int64), held)
    ids = rows << PLACE_BITS | (np.arange(rows.size) - np.repeat(np.cumsum(held) - held, held))
    order = np.argsort(ids)
    packed = np.frombuffer(codes, dtype=np.uint8).reshape(-1, code_bytes(dimensions))
    return ArrivedVectors(texts=held.size, records=rows[order], vectors=ids[order], codes=columns(packed[order]))


def _joined(parts: Sequence[ArrivedVectors]) -> ArrivedVectors:
    if len(parts) == 1:
        return parts[0]
    return ArrivedVectors(
        texts=sum(part.texts for part in parts),
        records=np.concatenate([part.records for part in parts]),
        vectors=np.concatenate([part.vectors for part in parts]),
        codes=np.concatenate([part.codes for part in parts if part.codes is not None], axis=1),
    )


def columns(codes: NDArray[np.uint8]) -> Codes:
    """Codes as a scan reads them: one word of all of them after the other."""
    return codes.view("<u8").reshape(codes.shape[0], codes.shape[1] // 8).T


def read_vectors(read: ReadTransaction, collections: Sequence[int], space: SpaceInUse, rows: Sequence[int]) -> View:
    """The vectors of a few records, whatever is held of their collections."""
    found = read.ask(_OF_RECORDS, (list(rows), list(collections), space.id))
    arrived = halves_in(found[0], space.dimensions)
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
