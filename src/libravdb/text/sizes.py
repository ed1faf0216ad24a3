"""Bytes in the words of people."""

from __future__ import annotations


def size(count: float) -> str:
    """Bytes in a unit that fits."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"
