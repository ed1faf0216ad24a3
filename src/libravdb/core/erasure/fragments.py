"""Pieces of what was deleted, and how they are found again in raw bytes: of a file, a log, or what is still there.

Pieces lie so close that no stretch of `STRIDE + LENGTH` bytes of a deleted text is without a whole one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

LENGTH = 16
"""Bytes of a piece; of a shorter text the whole is one."""

STRIDE = 32
LEAST = 8
"""Shorter ones stand everywhere by chance."""

VARIETY = 5
"""Different bytes that a piece needs: rows of spaces or dashes tell nothing."""

MOST = 200_000
"""Pieces that are looked for at once; of more, every n-th."""

_SLOTS = 20
_SPREAD = np.uint64(0x9E37_79B9_7F4A_7C15)


def cut(data: bytes) -> Iterator[bytes]:
    """The pieces of some bytes that are worth looking for."""
    last = max(len(data) - LENGTH, 0)
    for start in (*range(0, last, STRIDE), last):
        piece = data[start : start + LENGTH]
        if len(piece) >= LEAST and len(set(piece)) >= VARIETY:
            yield piece


def cut_all(contents: Iterable[bytes]) -> frozenset[bytes]:
    """The pieces of many contents, at most `MOST`, spread evenly."""
    pieces = sorted({piece for content in contents for piece in cut(content)})
    return frozenset(pieces[:: len(pieces) // MOST + 1])


class FragmentScan:
    """Looks for many pieces at once. The first eight bytes at every place are compared as numbers, so that the time
    hangs on the bytes that are read and hardly on the number of pieces."""

    def __init__(self, pieces: Collection[bytes]) -> None:
        self._pieces: dict[int, list[bytes]] = {}
        for piece in pieces:
            self._pieces.setdefault(int.from_bytes(piece[:LEAST], "little"), []).append(piece)
        self._heads = np.array(sorted(self._pieces), dtype=np.uint64)
        self._slots = np.zeros(2**_SLOTS, dtype=np.bool_)
        self._slots[_slot(self._heads)] = True

    def found_in(self, data: bytes) -> set[bytes]:
        """Those of the pieces that stand somewhere in these bytes."""
        if not self._pieces:
            return set()
        return {piece for shift in range(LEAST) for piece in self._found_at(data, shift)}

    def found_in_chunks(self, chunks: Iterable[bytes]) -> set[bytes]:
        """Those of the pieces that stand somewhere in what the chunks are parts of, also where two of them meet."""
        found: set[bytes] = set()
        end = b""
        for chunk in chunks:
            found |= self.found_in(end + chunk)
            end = (end + chunk)[1 - LENGTH :]
        return found

    def _found_at(self, data: bytes, shift: int) -> Iterator[bytes]:
        count = (len(data) - shift) // LEAST
        if count <= 0:
            return
        numbers = np.frombuffer(data, dtype="<u8", count=count, offset=shift)
        likely = np.flatnonzero(self._slots[_slot(numbers)])
        for place in likely[np.isin(numbers[likely], self._heads)].tolist():
            start = place * LEAST + shift
            for piece in self._pieces[int(numbers[place])]:
                if data[start : start + len(piece)] == piece:
                    yield piece


def _slot(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    slots: NDArray[np.uint64] = (numbers * _SPREAD) >> np.uint64(64 - _SLOTS)
    return slots
