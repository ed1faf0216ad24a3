"""Vectors as numbers: what float16 bits mean, their sign codes, and how alike two of them are.

Of every store that keeps vectors; none of it knows a database.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Halves = NDArray[np.uint16]
"""Float16 numbers as their bits, a row per vector, as they are stored."""
Codes = NDArray[np.uint64]
"""Sign codes, a column per vector: one word of all codes after the other, as a scan reads them."""


def as_floats(halves: Halves) -> Vector:
    """Float16 bits as float32: looked up, at a third of what numpy takes to convert them."""
    return np.take(_floats(), halves)


@cache
def _floats() -> NDArray[np.float32]:
    with np.errstate(invalid="ignore"):  # some of all bits are no numbers
        return np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float32)


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
