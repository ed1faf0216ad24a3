"""Array maths of the embed room: from the vectors of windows to the rows of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from libravdb.model import Vector


def unit(vector: Vector) -> Vector:
    """The vector at length 1. It must not be zero."""
    wide = vector.astype(np.float64)
    scaled: Vector = (wide / np.sqrt(wide @ wide)).astype(np.float32)
    return scaled


def is_usable(vector: Vector) -> bool:
    """True when all numbers are finite and not all are zero: only such a vector has a direction."""
    return bool(np.isfinite(vector).all() and np.any(vector))


def layer_norm(vector: Vector) -> Vector:
    """Mean 0 and variance 1 over the numbers of one vector, as Matryoshka models want it before a cut."""
    wide = vector.astype(np.float64)
    centred = wide - wide.mean()
    levelled: Vector = (centred / np.sqrt(centred.var() + 1e-5)).astype(np.float32)
    return levelled


def weighted_mean(vectors: Sequence[Vector], weights: Sequence[int]) -> Vector:
    """Σ weight·vector / Σ weight: the whole text's vector out of those of its windows."""
    if len(vectors) == 1:
        return vectors[0]
    mean: Vector = np.average(np.stack(vectors).astype(np.float64), axis=0, weights=weights).astype(np.float32)
    return mean
