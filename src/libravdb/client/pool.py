"""Several connections to one daemon: many threads ask at once, each over a connection that is free.

A connection answers one question at a time. So a few are kept, made when they are needed, and lent for one exchange;
whoever finds none free waits for the next one, no longer than he would wait for an answer.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from libravdb.client.transport import Transport
from libravdb.errors import DaemonError

MOST_CONNECTIONS = 8
"""Connections of one program: more would only wait at the daemon."""


class PooledTransport:
    """Carries lines over whichever of a few connections is free. Usable from many threads.

    `connect` gives a transport that connects when it is first used, and again after it was closed.
    """

    def __init__(self, connect: Callable[[], Transport], *, most: int = MOST_CONNECTIONS) -> None:
        self._connect = connect
        self._most = most
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._places = threading.Semaphore(self._most)
        self._free = [self._connect()]
        self._is_local = self._free[0].is_local
        self._closed = 0

    @property
    def is_local(self) -> bool:
        """True when both ends see the same files."""
        return self._is_local

    def exchange(self, line: bytes, *, seconds: float, may_repeat: bool) -> bytes:
        """The reply to a request, before the deadline."""
        self._leave_to_parent()
        deadline = time.monotonic() + seconds
        if not self._places.acquire(timeout=seconds):
            raise DaemonError(
                f"The daemon is busy: none of {self._most} connections was free within {seconds:g} seconds.",
                remedy="Ask less at once, or give it more time.",
            )
        with self._lock:
            transport, closed = self._free.pop() if self._free else self._connect(), self._closed
        try:
            left = max(deadline - time.monotonic(), 0.001)
            return transport.exchange(line, seconds=left, may_repeat=may_repeat)
        finally:
            self._take_back(transport, closed)
            self._places.release()

    def close(self) -> None:
        """Let go of every connection; those that are lent go when they come back."""
        self._leave_to_parent()
        with self._lock:
            self._closed += 1
            free = [*self._free]
        for transport in free:
            transport.close()

    def _take_back(self, transport: Transport, closed: int) -> None:
        with self._lock:
            self._free.append(transport)
            is_left = closed != self._closed
        if is_left:
            transport.close()

    def _leave_to_parent(self) -> None:
        """A forked child has connections of its own, and locks that nobody else holds."""
        if os.getpid() != self._process:
            self._begin()
