"""Sessions that have grown are compacted off the reply path, one after the other."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from libravdb.errors import LibraError
from libravdb.ports.walls import for_nobody

_log = logging.getLogger(__name__)

Compact = Callable[[str, Callable[[], bool]], object]
"""Compacts a session, and asks now and then whether to stop."""


class Growth:
    """Counts what comes into sessions, and lets a thread of its own compact those that have grown enough."""

    def __init__(self, compact: Compact, *, auto_tokens: int) -> None:
        self._compact = compact
        self._auto_tokens = auto_tokens
        self._grown: dict[str, int] = {}
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def note(self, session: str, tokens: int) -> None:
        """A session has grown by so many tokens."""
        if not self._auto_tokens or not tokens:
            return
        with self._lock:
            grown = self._grown.pop(session, 0) + tokens
            if grown < self._auto_tokens or self._stopping.is_set():
                self._grown[session] = grown
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="libravdb-compaction", daemon=True)
                self._thread.start()
        self._queue.put(session)

    def _run(self) -> None:
        with for_nobody():  # the call that started the thread may have been somebody's
            self._compact_each()

    def _compact_each(self) -> None:
        while (session := self._queue.get()) is not None:
            if self._stopping.is_set():
                continue
            try:
                self._compact(session, self._stopping.is_set)
            except LibraError as error:
                _log.warning("session %s was not compacted: %s", session, error)
            except Exception:  # noqa: BLE001 - a defect met in one session must not end compaction for all others
                _log.exception("session %s was not compacted", session)

    def close(self) -> None:
        """Finish the cluster at hand and drop the rest: it will be found again."""
        self._stopping.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            self._queue.put(None)
            thread.join()
