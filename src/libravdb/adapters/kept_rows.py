"""What searches read of rows again and again, kept for those that follow: ids of records, and bags of terms.

A row stands for one text under one id for ever: no number comes twice, and a change of the text is a new row. So what
is kept is never stale, whichever moment a reader sees, as long as the texts were analysed alike: whoever asks tells the
analysis, and what was kept of another one is let go.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from typing import NamedTuple

MOST_BYTES = 8 * 2**20
"""Of rows that are kept, about; those read first go first."""

_OVERHEAD = 300  # bytes of a row's Python objects, about


class KeptRow(NamedTuple):
    """A row by what is read of it: the id of its record (empty where a row has none), how many terms its text has, and
    their bag."""

    id: str
    length: int
    bag: bytes


class KeptRows:
    """Rows that were read last, within a number of bytes. Usable from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        """Let go of everything; who is reading now keeps nothing."""
        with self._lock:
            self._kept = _Kept("")

    def get(
        self, rows: Collection[int], *, analysis: str, read: Callable[[list[int]], dict[int, KeptRow]]
    ) -> dict[int, KeptRow]:
        """These rows, in their order, of those that there are; those that are not kept are read."""
        kept = self._of(analysis)
        known = kept.rows
        found = {row: one for row in rows if (one := known.get(row)) is not None}
        if len(found) == len(rows):
            return found
        fresh = read([row for row in rows if row not in found])
        with self._lock:
            if kept is self._kept:
                kept.add(fresh)
        found |= fresh
        return {row: found[row] for row in rows if row in found}

    def keep(self, fresh: dict[int, KeptRow], *, analysis: str) -> None:
        """Keep rows that were read with something else."""
        kept = self._of(analysis)
        with self._lock:
            if kept is self._kept:
                kept.add(fresh)

    def _of(self, analysis: str) -> _Kept:
        """What is kept of texts that were analysed so."""
        with self._lock:
            if self._kept.analysis != analysis:
                self._kept = _Kept(analysis)
            return self._kept


class _Kept:
    """Rows of texts that were analysed alike."""

    def __init__(self, analysis: str) -> None:
        self.analysis = analysis
        self.rows: dict[int, KeptRow] = {}
        self._bytes = 0

    def add(self, fresh: dict[int, KeptRow]) -> None:
        for row, read in fresh.items():
            if row not in self.rows:
                self.rows[row] = read
                self._bytes += _bytes(read)
        while self._bytes > MOST_BYTES:
            self._bytes -= _bytes(self.rows.pop(next(iter(self.rows))))


def _bytes(read: KeptRow) -> int:
    return _OVERHEAD + len(read.id) + len(read.bag)
