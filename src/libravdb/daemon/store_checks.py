"""The daemon reads all of its file soon after the start and then rarely, beside serving: damage that no question has
met yet is found as well. The outcome is told by `status` and `health`."""

from __future__ import annotations

import logging
import threading

from libravdb.errors import LibraError, StoreClosed
from libravdb.ports.store import Maintenance

FIRST_SECONDS = 60.0
"""Until the first check: those who come at the start are served first."""

_HOUR = 3600.0
logger = logging.getLogger("libravdb.daemon")


class StoreChecks:
    """Checks a store now and then in a thread of its own."""

    def __init__(self, maintenance: Maintenance, *, hours: float, first_seconds: float = FIRST_SECONDS) -> None:
        self._maintenance = maintenance
        self._pause = hours * _HOUR
        self._first = first_seconds
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="libravdb-store-check", daemon=True)

    def start(self) -> None:
        """Begin, unless checks are switched off."""
        if self._pause > 0:
            self._thread.start()

    def stop(self) -> None:
        """No further check; one that is under way is not waited for."""
        self._stopping.set()

    def _run(self) -> None:
        pause = self._first
        while not self._stopping.wait(pause):
            if not self._check():
                return
            pause = self._pause

    def _check(self) -> bool:
        """Whether it is worth checking again: a damaged file stays damaged."""
        try:
            found = self._maintenance.check()
        except StoreClosed:
            return False
        except LibraError as error:
            logger.error("the store could not be checked", extra={"problem": str(error)})  # noqa: TRY400 - told in words
            return True
        if not found.is_writable:
            logger.error("the store is read-only", extra={"problem": found.problem, "remedy": found.remedy})
            return False
        logger.info("the store is sound")
        return True
