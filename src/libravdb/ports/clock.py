"""Time, and who is told how far long work has come."""

from __future__ import annotations

from collections.abc import Callable

Clock = Callable[[], int]
"""Now, in milliseconds since 1970 UTC."""

Progress = Callable[[int, int], None]
"""Told (done, total) while long work goes on."""


def no_progress(done: int, total: int) -> None:
    """Nobody is watching."""
