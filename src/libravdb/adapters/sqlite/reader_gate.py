"""A moment without readers, which whoever begins the log anew needs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Lulls:
    """Counts who reads, and holds new readers back for a moment when somebody asks for one.

    The moment is bounded on both sides: a long read is not waited for, and no reader waits longer than the lull lasts.
    """

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._readers = 0
        self._wanted = 0
        self._own = threading.local()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Around every read. Who reads already is not held back: the lull waits for him."""
        depth: int = getattr(self._own, "depth", 0)
        with self._change:
            self._change.wait_for(lambda: depth or not self._wanted)
            self._readers += 1
        self._own.depth = depth + 1
        try:
            yield
        finally:
            self._own.depth = depth
            with self._change:
                self._readers -= 1
                self._change.notify_all()

    @contextmanager
    def lull(self, patience: float) -> Iterator[bool]:
        """Hold new readers back; yields whether those who were reading have left within so many seconds."""
        with self._change:
            self._wanted += 1
            is_quiet = self._change.wait_for(lambda: self._readers == 0, timeout=patience)
        try:
            yield is_quiet
        finally:
            with self._change:
                self._wanted -= 1
                self._change.notify_all()
