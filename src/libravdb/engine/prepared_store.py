"""A store into which every change goes prepared: without its secrets, with its terms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

from libravdb.model import NOTHING_FORESEEN, Change, Commit, Foreseen, Revision, Topic
from libravdb.ports.store import NO_CONDITION, Maintenance, Snapshot, Store, VectorSpaces

Prepare = Callable[[Sequence[Change]], Iterable[Change]]
"""What is done to the changes of a commit before they are written."""


class PreparedStore:
    """Implements the port `Store` over another store."""

    def __init__(self, store: Store, prepare: Prepare) -> None:
        self._store = store
        self._prepare = prepare

    @property
    def vectors(self) -> VectorSpaces:
        """Its vector spaces."""
        return self._store.vectors

    @property
    def maintenance(self) -> Maintenance:
        """What operators need."""
        return self._store.maintenance

    @property
    def is_shared(self) -> bool:
        """Whether others write to it too."""
        return self._store.is_shared

    def read(self, foreseen: Foreseen = NOTHING_FORESEEN) -> AbstractContextManager[Snapshot]:
        """The store at this moment."""
        return self._store.read(foreseen)

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        """Apply all changes or none, each of them prepared."""
        return self._store.commit(list(self._prepare(changes)), unless=unless)

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """As of now which commit changed each of these last."""
        return self._store.revisions(topics)

    def exclusive(self, name: str, *, is_waiting: bool = True) -> AbstractContextManager[bool]:
        """A block that nobody else is inside of under this name."""
        return self._store.exclusive(name, is_waiting=is_waiting)

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()
