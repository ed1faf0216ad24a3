"""How much a message becomes once it is read: a byte or two can be a value of fifty."""

from __future__ import annotations

import numpy as np

UNCOUNTED = 2**20
"""A message within this many bytes is read as it is."""

MOST_VALUES = 1_000_000
"""Values of one message. A million of them take some 100 MB and a tenth of a second in which nobody else computes."""

_MARKS = (b",", b"[", b"{")


def refuse_crowd(message: bytes) -> None:
    """ValueError for a message of too many values, before it is read: a value follows a comma, or is the first in a
    bracket."""
    if len(message) > UNCOUNTED and sum(map(message.count, _MARKS)) > MOST_VALUES and _values(message) > MOST_VALUES:
        raise ValueError(f"more than {MOST_VALUES:,} values")


def _values(message: bytes) -> int:
    """Marks of values outside of texts: behind an even number of quotes."""
    told = np.frombuffer(message.replace(rb"\\", b"").replace(rb"\"", b""), dtype=np.uint8)
    is_inside = np.bitwise_xor.accumulate(told == ord('"'))
    return sum(int(np.count_nonzero((told == ord(mark)) & ~is_inside)) for mark in _MARKS)
