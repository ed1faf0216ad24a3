"""Vectors that were read from the file for exact scores, kept for the searches that follow.

Reading a vector costs more than comparing it: each is a page of the file. An id stands for one vector for ever (no id
comes twice, and no vector is changed), so that what is kept is never stale, whichever moment a reader sees.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Halves = NDArray[np.uint16]
"""Float16 numbers as their bits, a row per vector, as they are stored."""
Read = Callable[[Ids], Halves]
"""Vectors by distinct ids, ascending, from the file."""


class KeptVectors:
    """Vectors by id within a number of bytes. Usable from many threads.

    Each id has one place, its remainder by the number of places; whoever is read last stays there.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._resize(0, 1)

    @property
    def nbytes(self) -> int:
        """Memory that may come into use."""
        return self._ids.nbytes + self._halves.nbytes

    def fit(self, budget: int, dimensions: int) -> None:
        """Take no more than so many bytes; what was kept is let go if that changes the number of places."""
        places = max(budget, 0) // (2 * dimensions + 8)
        with self._lock:
            if (places, dimensions) != self._halves.shape:
                self._resize(places, dimensions)

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._resize(*self._halves.shape)

    def get(self, ids: Ids, dimensions: int, read: Read) -> NDArray[np.float32]:
        """The vectors of these ids, in their order; those that are not kept are read."""
        found, missing = self._look_up(ids, dimensions)
        if missing.size:
            distinct, order = np.unique(ids[missing], return_inverse=True)
            fresh = read(distinct)
            found[missing] = fresh[order]
            self._keep(distinct, fresh)
        return as_floats(found)

    def _look_up(self, ids: Ids, dimensions: int) -> tuple[Halves, Ids]:
        """A row for each id, and which of the rows are still to be filled."""
        with self._lock:
            if not self._ids.size or self._halves.shape[1] != dimensions:
                return np.empty((ids.size, dimensions), dtype=np.uint16), np.arange(ids.size)
            places = ids % self._ids.size
            return self._halves[places], np.flatnonzero(self._ids[places] != ids)

    def _keep(self, ids: Ids, halves: Halves) -> None:
        with self._lock:
            if not self._ids.size or self._halves.shape[1] != halves.shape[1]:
                return  # resized meanwhile
            places, first = np.unique(ids % self._ids.size, return_index=True)  # of two for one place the first
            self._ids[places] = ids[first]
            self._halves[places] = halves[first]

    def _resize(self, places: int, dimensions: int) -> None:
        self._ids = np.zeros(places, dtype=np.int64)  # ids begin at 1
        self._halves = np.zeros((places, dimensions), dtype=np.uint16)  # the system gives pages when they are used


def as_floats(halves: Halves) -> NDArray[np.float32]:
    """Float16 bits as float32: looked up, at a third of what numpy takes to convert them."""
    return np.take(_floats(), halves)


@cache
def _floats() -> NDArray[np.float32]:
    with np.errstate(invalid="ignore"):  # some of all bits are no numbers
        return np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float32)
