"""Locks by name inside one process: one for each name that somebody is inside of, or waits for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class NamedLocks:
    """Whoever is inside a name is there alone. Usable from many threads; a thread that is inside must not ask again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._named: dict[str, tuple[threading.Lock, int]] = {}

    @contextmanager
    def holding(self, name: str, *, is_waiting: bool = True) -> Iterator[bool]:
        """A block that nobody else is inside of under this name: True; False when somebody is and nobody waits."""
        held = self._entered(name)
        is_inside = held.acquire(blocking=is_waiting)
        try:
            yield is_inside
        finally:
            if is_inside:
                held.release()
            self._left(name)

    def _entered(self, name: str) -> threading.Lock:
        with self._lock:
            held, users = self._named.get(name, (threading.Lock(), 0))
            self._named[name] = held, users + 1
            return held

    def _left(self, name: str) -> None:
        with self._lock:
            held, users = self._named[name]
            if users > 1:
                self._named[name] = held, users - 1
            else:
                del self._named[name]
