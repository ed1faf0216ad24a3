"""A moment without readers, which the writer needs now and then to begin its log anew."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Lulls:
    """Counts who reads, and holds new readers back for a moment when the writer asks for one.

    The moment is bounded on both sides: a long read is not waited for, and no reader waits longer than the lull lasts.
    """

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._readers = 0
        self._is_wanted = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Around every read."""
        with self._change:
            self._change.wait_for(lambda: not self._is_wanted)
            self._readers += 1
        try:
            yield
        finally:
            with self._change:
                self._readers -= 1
                self._change.notify_all()

    @contextmanager
    def lull(self, patience: float) -> Iterator[bool]:
        """Hold new readers back; yields whether those who were reading have left within so many seconds."""
        with self._change:
            self._is_wanted = True
            is_quiet = self._change.wait_for(lambda: self._readers == 0, timeout=patience)
        try:
            yield is_quiet
        finally:
            with self._change:
                self._is_wanted = False
                self._change.notify_all()
