"""On whose behalf the store is read: what a door sets, and a store that can holds every read against.

A door that lets in whoever is limited to some namespaces checks each call itself; that is the first wall. Around the
call it also says here what the caller may see at most. A store that has a second wall (PostgreSQL, with row-level
security) shows nothing else in this thread until the call is over, whatever is asked of it. Stores without one ignore
it.

It is said by doors alone, and not by the flows of the engine, so that a mistake in one of them cannot widen it. Work
that goes on beside all calls is done `for_nobody`: what keeps the store itself in order must see all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a caller may see: what is of these namespaces (patterns, see `model.namespaces.fits`), the sessions in which
    they speak, and those in which they are about to."""

    namespaces: tuple[str, ...]
    sessions: tuple[str, ...] = ()


_SIGHT: ContextVar[Sight | None] = ContextVar("sight", default=None)


def sight() -> Sight | None:
    """What may be seen in this thread now; None when all may."""
    return _SIGHT.get()


@contextmanager
def seen_by(namespaces: Sequence[str], *, sessions: Sequence[str] = ()) -> Iterator[None]:
    """A block in which only what these namespaces may see is read."""
    token = _SIGHT.set(Sight(namespaces=tuple(namespaces), sessions=tuple(sessions)))
    try:
        yield
    finally:
        _SIGHT.reset(token)


@contextmanager
def for_nobody() -> Iterator[None]:
    """A block of housekeeping inside of a call, or in a thread that a call has started: all is seen."""
    token = _SIGHT.set(None)
    try:
        yield
    finally:
        _SIGHT.reset(token)
