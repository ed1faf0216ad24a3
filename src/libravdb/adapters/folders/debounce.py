"""Paths that changed, each held back until it has been quiet for a moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable

PATIENCE = 10
"""A path that never becomes quiet is looked at after this many quiet times all the same."""


class Inbox:
    """Told of paths by any thread, emptied by one. With nothing in it, waiting costs nothing."""

    def __init__(self, *, quiet_seconds: float) -> None:
        self._quiet = quiet_seconds
        self._changed = threading.Condition()
        self._due: dict[str, float] = {}
        self._latest: dict[str, float] = {}
        self._is_closed = False

    def add(self, paths: Iterable[str], *, after: float | None = None, elapsed: float = 0.0) -> None:
        """Look at these paths once they have been quiet, as they were for `elapsed` seconds, or `after` so many."""
        now = time.monotonic()
        wait = max(0.0, self._quiet - elapsed) if after is None else after
        with self._changed:
            for path in paths:
                latest = self._latest.setdefault(path, now + max(wait, self._quiet * PATIENCE))
                self._due[path] = min(now + wait, latest)
            self._changed.notify_all()

    def take(self, *, wait: bool) -> set[str]:
        """The paths that are due. With `wait`, blocks until there are some; empty when closed."""
        with self._changed:
            while not self._is_closed:
                now = time.monotonic()
                due = {path for path, moment in self._due.items() if moment <= now}
                for path in due:
                    del self._due[path], self._latest[path]
                if due or not wait:
                    return due
                self._changed.wait(min(self._due.values()) - now if self._due else None)
            return set()

    def rest(self, seconds: float) -> None:
        """Wait this long, or until it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed, timeout=seconds)

    def close(self) -> None:
        """Let go whoever waits."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    @property
    def is_closed(self) -> bool:
        """Whether it was closed."""
        return self._is_closed
