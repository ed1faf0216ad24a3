"""The store's twin without a file: plain dictionaries, for tests and as the measure of what is right.

It passes the same contract suite as the SQLite store, and a stateful test compares the two step by step. It
is written to be read, not to be fast: a commit works on a copy of everything, a search looks at everything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Self

from libravdb.adapters.memory.changes import apply, erase_unused
from libravdb.adapters.memory.maintenance import MemoryMaintenance
from libravdb.adapters.memory.snapshot import MemorySnapshot
from libravdb.adapters.memory.state import StateCell
from libravdb.adapters.memory.vectors import MemoryVectorSpaces
from libravdb.adapters.named_locks import NamedLocks
from libravdb.model import NOTHING_FORESEEN, Change, Commit, Foreseen, Revision, Topic
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import NO_CONDITION
from libravdb.ports.validation import check_changes, check_condition, check_topics, refuse_moved


class MemoryStore:
    """Implements the port `Store` without durability. Safe to use from many threads. `is_shared` says that several
    engines have it, as if each were a process of its own."""

    def __init__(self, *, settings: StoreSettings | None = None, is_shared: bool = False) -> None:
        self._settings = settings or StoreSettings()
        self._is_shared = is_shared
        self._cell = StateCell()
        self._exclusive = NamedLocks()
        self._vectors = MemoryVectorSpaces(self._cell)
        self._maintenance = MemoryMaintenance(self._cell)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_shared(self) -> bool:
        """Whether several engines were given this object."""
        return self._is_shared

    @property
    def vectors(self) -> MemoryVectorSpaces:
        """Its vector spaces."""
        return self._vectors

    @property
    def maintenance(self) -> MemoryMaintenance:
        """What operators need."""
        return self._maintenance

    @contextmanager
    def read(self, foreseen: Foreseen = NOTHING_FORESEEN) -> Iterator[MemorySnapshot]:  # noqa: ARG002  all is near
        """The store at this moment: commits put another state in its place, and never change this one."""
        snapshot = MemorySnapshot(self._cell.state())
        try:
            yield snapshot
        finally:
            snapshot.close()

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        """Apply all changes or none; returns the number of the commit (0 when there was nothing to do), and where the
        topics stood that it touched."""
        check_changes(changes, max_text_chars=self._settings.max_text_chars)
        check_condition(unless)
        with self._cell.draft() as draft:
            refuse_moved(unless, draft.state.revisions_of(unless))
            for change in changes:
                apply(draft, change)
            erase_unused(draft.state)
            return draft.finish()

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """As of now which commit changed each of these last; 0 where there is nothing."""
        check_topics(topics)
        return self._cell.state().revisions_of(topics)

    def exclusive(self, name: str, *, is_waiting: bool = True) -> AbstractContextManager[bool]:
        """A block that nobody else who uses this object is inside of under this name."""
        return self._exclusive.holding(name, is_waiting=is_waiting)

    def close(self) -> None:
        """Let go of everything."""
        self._cell.close()
