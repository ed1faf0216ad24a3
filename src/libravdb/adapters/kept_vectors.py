"""Vectors that were read from a store for exact scores, kept for the searches that follow.

Reading a vector costs more than comparing it. An id stands for one vector for ever (no id
comes twice, and no vector is changed), so that what is kept is never stale, whichever moment a reader sees.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.vector_codes import Halves, as_floats

Ids = NDArray[np.int64]
Read = Callable[[Ids], Halves]
"""Vectors by distinct ids, ascending, from the store."""


class KeptVectors:
    """Vectors by id within a number of bytes, those read last. Usable from many threads.

    They lie in the order in which they were read, in a ring: memory is taken as it fills. Where an id lies is noted
    under its remainder by the size of the ring; of two ids with the same remainder the one read last is found.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next = 0
        self._resize(0, 1)

    @property
    def nbytes(self) -> int:
        """Memory that may come into use."""
        return self._ids.nbytes + self._places.nbytes + self._halves.nbytes

    def fit(self, budget: int, dimensions: int) -> None:
        """Take no more than so many bytes; if that changes how many vectors there is room for, all are let go."""
        room = max(budget, 0) // (2 * dimensions + 16)
        with self._lock:
            if (room, dimensions) != self._halves.shape:
                self._resize(room, dimensions)

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._resize(*self._halves.shape)

    def get(self, ids: Ids, dimensions: int, read: Read) -> NDArray[np.float32]:
        """The vectors of these ids, in their order; those that are not kept are read."""
        found = np.empty((ids.size, dimensions), dtype=np.uint16)
        missing = self._fill(found, ids)
        if missing.size:
            distinct, order = np.unique(ids[missing], return_inverse=True)
            fresh = read(distinct)
            found[missing] = fresh[order]
            self._keep(distinct, fresh)
        return as_floats(found)

    def _fill(self, found: Halves, ids: Ids) -> Ids:
        """Put what is kept into its rows; which rows are still to be filled."""
        with self._lock:
            if not self._holds(found):
                return np.arange(ids.size)
            places = self._places[ids % self._ids.size]
            is_kept = self._ids[places] == ids
            found[is_kept] = self._halves[places[is_kept]]
        return np.flatnonzero(~is_kept)

    def _keep(self, ids: Ids, halves: Halves) -> None:
        with self._lock:
            if not self._holds(halves):
                return
            room = self._ids.size
            ids, halves = ids[:room], halves[:room]
            places = (self._next + np.arange(ids.size)) % room
            self._next = (self._next + ids.size) % room
            self._ids[places] = ids
            self._halves[places] = halves
            self._places[ids % room] = places

    def _holds(self, halves: Halves) -> bool:
        """Whether vectors of this length are kept at all."""
        return self._ids.size > 0 and self._halves.shape[1] == halves.shape[1]

    def _resize(self, room: int, dimensions: int) -> None:
        self._next = 0
        self._ids: Ids = np.zeros(room, dtype=np.int64)  # ids begin at 1
        self._places: Ids = np.zeros(room, dtype=np.int64)
        self._halves: Halves = np.zeros(
            (room, dimensions), dtype=np.uint16
        )  # the system gives pages when they are used
