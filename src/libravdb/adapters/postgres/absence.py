"""How long whoever asks waits for a server that went away: a restart of it is bridged, and an outage told at once.

The time runs from when the server was first missed, for all threads of a store together, and not for each call anew. So
the threads of a daemon are never held up for longer, however many calls come while the server is away.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

import psycopg

from libravdb.adapters.postgres.server_errors import is_lost

RECONNECT_SECONDS = 10.0
"""How long a server that went away is waited for."""

_PAUSES = (0.02, 0.04, 0.08, 0.16, 0.32, 0.5)
"""Seconds between attempts; the last one from then on."""

_Result = TypeVar("_Result")


def pause(number: int) -> float:
    """Seconds before the next attempt, after so many: by chance a little more or less, so that not all come at once."""
    return _PAUSES[min(number, len(_PAUSES) - 1)] * random.uniform(0.5, 1)  # noqa: S311 - no secret


class Absence:
    """When the server of one store was first missed. Usable from many threads."""

    def __init__(self) -> None:
        self._missed_at: float | None = None

    def bridge(self, reach: Callable[[], _Result], *, is_patient: bool = True) -> _Result:
        """What `reach` gives, as soon as the server can be reached; its error when that takes too long, and at once for
        who is not patient. It refuses by itself when the store is closed meanwhile."""
        number, began = 0, time.monotonic()
        while True:
            try:
                reached = reach()
            except psycopg.Error as error:
                if not is_lost(error) or not self._is_worth_waiting(began, is_patient=is_patient):
                    raise
            else:
                self._missed_at = None
                return reached
            time.sleep(pause(number))
            number += 1

    def _is_worth_waiting(self, began: float, *, is_patient: bool) -> bool:
        missed_at = self._missed_at
        if missed_at is None:
            self._missed_at = missed_at = began
        is_recent = time.monotonic() < missed_at + RECONNECT_SECONDS
        return is_patient and is_recent
