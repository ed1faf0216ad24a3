"""Looking again: a commit that met somebody else's is decided anew, on what the store holds by then."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from libravdb.errors import Conflict

ATTEMPTS = 1_000
"""How often one call looks again when others write to the same place: each conflict means that one got through."""

_T = TypeVar("_T")


def retry_on_conflict(work: Callable[[], _T], *, attempts: int = ATTEMPTS) -> _T:
    """What the work gives, done again from the start as long as somebody else was faster; the last Conflict is raised.

    The work reads what it decides by itself, so that every attempt sees what was written meanwhile.
    """
    for _ in range(attempts - 1):
        try:
            return work()
        except Conflict:
            continue
    return work()
