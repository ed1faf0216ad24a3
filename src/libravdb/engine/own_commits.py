"""Which records our own commits changed, so that what is kept in memory is moved along instead of read again.

A store numbers its commits one by one. Between two revisions of a collection nobody else wrote to it when every number
from the one to the other is a commit of ours; where one is missing, whoever keeps something reads it again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from libravdb.engine.prepared_store import PreparedStore
from libravdb.model import (
    Append,
    Change,
    ClearJournal,
    DropCollection,
    DropState,
    EnsureCollection,
    Link,
    Put,
    Remove,
    Restore,
    RestoreState,
    Revision,
    SetState,
    Topic,
    Touch,
    Unlink,
)
from libravdb.ports.store import NO_CONDITION, Store

MOST_COMMITS, MOST_IDS = 1_024, 512
"""Commits that are remembered, and ids of one; a larger one counts as everybody's."""

Touched = Mapping[str, frozenset[str]]
"""The ids of the records that changed, by collection."""

Dropped = Callable[[str, Collection[str] | None], None]
"""Told of records that are gone, by collection; None for all of it."""


class OwnCommits:
    """The last commits of this engine, by their numbers. Usable from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[Revision, Touched] = OrderedDict()
        self._listening: list[Dropped] = []

    def listen(self, dropped: Dropped) -> None:
        """Whoever keeps records is told at once when they are deleted."""
        self._listening.append(dropped)

    def note(self, revision: Revision, changes: Iterable[Change]) -> None:
        """A commit of ours was made."""
        changes = list(changes)
        touched = touched_by(changes)
        if revision and touched is not None:
            with self._lock:
                self._known[revision] = touched
                while len(self._known) > MOST_COMMITS:
                    self._known.popitem(last=False)
        for change in changes:
            if isinstance(change, Remove):
                self._tell(change.collection, (change.id,))
            elif isinstance(change, DropCollection):
                self._tell(change.name, None)

    def _tell(self, collection: str, ids: Collection[str] | None) -> None:
        for dropped in self._listening:
            dropped(collection, ids)

    def between(self, collection: str, after: Revision, until: Revision) -> frozenset[str] | None:
        """The ids of a collection that changed from one revision to another; None when somebody else may have written
        there."""
        if not 0 < after <= until or until - after > MOST_COMMITS:
            return None
        found: set[str] = set()
        with self._lock:
            for number in range(after + 1, until + 1):
                touched = self._known.get(number)
                if touched is None:
                    return None
                found |= touched.get(collection, frozenset())
        return frozenset(found)

    def forget(self) -> None:
        """Let go of all: whatever is kept is read again."""
        with self._lock:
            self._known.clear()


def touched_by(changes: Iterable[Change]) -> Touched | None:
    """The records that changes name; None when they are too many, or a whole collection goes."""
    found: dict[str, set[str]] = {}
    for change in changes:
        match change:
            case Put(collection=name, id=id) | Remove(collection=name, id=id):
                found.setdefault(name, set()).add(id)
            case Restore(record=record):
                found.setdefault(record.collection, set()).add(record.id)
            case Touch(collection=name, ids=ids):
                found.setdefault(name, set()).update(ids)
            case EnsureCollection() | Link() | Unlink() | Append() | ClearJournal():
                pass
            case SetState() | RestoreState() | DropState():
                pass
            case DropCollection():
                return None
    if sum(map(len, found.values())) > MOST_IDS:
        return None
    return {name: frozenset(ids) for name, ids in found.items()}


class NotedStore(PreparedStore):
    """A store that tells which commits are ours."""

    def __init__(self, store: Store, commits: OwnCommits) -> None:
        super().__init__(store, lambda changes: changes)
        self._commits = commits

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Revision:
        """Apply all changes or none, and note what they changed."""
        changes = list(changes)
        revision = super().commit(changes, unless=unless)
        self._commits.note(revision, changes)
        return revision
