"""Which records our own commits changed, so that what is kept in memory is moved along instead of read again.

A commit tells at which revision it found every collection that it touched: each of ours is a step of a collection from
one revision to the next. Where steps lead from one revision to another, nobody else wrote there in between; where one
is missing, because somebody shares the store with us, whoever keeps something reads it again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from libravdb.engine.prepared_store import PreparedStore
from libravdb.model import (
    Append,
    Change,
    ClearJournal,
    Commit,
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
    TopicKind,
    Touch,
    Unlink,
)
from libravdb.ports.store import NO_CONDITION, Store

MOST_STEPS, MOST_IDS = 8_192, 512
"""Steps that are remembered, and ids that one commit changed; a larger one counts as everybody's."""

Touched = Mapping[str, frozenset[str]]
"""The ids of the records that changed, by collection."""

Dropped = Callable[[str, Collection[str] | None], None]
"""Told of records that are gone, by collection; None for all of it."""


class _Step(NamedTuple):
    """From which revision a commit of ours brought a collection, and what it changed there."""

    before: Revision
    ids: frozenset[str]


class OwnCommits:
    """The last commits of this engine, as steps of collections. Usable from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._steps: OrderedDict[tuple[str, Revision], _Step] = OrderedDict()
        self._listening: list[Dropped] = []

    def listen(self, dropped: Dropped) -> None:
        """Whoever keeps records is told at once when they are deleted."""
        self._listening.append(dropped)

    def note(self, commit: Commit, changes: Iterable[Change]) -> None:
        """A commit of ours was made."""
        changes = list(changes)
        touched = touched_by(changes)
        gone = {change.name for change in changes if isinstance(change, DropCollection)}
        if touched is not None:
            with self._lock:
                for topic, before in commit.before.items():
                    if topic.kind is TopicKind.COLLECTION and topic.name not in gone:
                        ids = touched.get(topic.name, frozenset())  # none where a text got its vectors elsewhere
                        self._steps[topic.name, commit.revision] = _Step(before, ids)
                while len(self._steps) > MOST_STEPS:
                    self._steps.popitem(last=False)
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
        if not 0 < after <= until:
            return None
        found: set[str] = set()
        with self._lock:
            while until > after:
                step = self._steps.get((collection, until))
                if step is None:
                    return None
                found |= step.ids
                until = step.before
        return frozenset(found) if until == after else None

    def forget(self) -> None:
        """Let go of all: whatever is kept is read again."""
        with self._lock:
            self._steps.clear()


def touched_by(changes: Iterable[Change]) -> Touched | None:
    """The records that changes name, but for whole collections that go; None when they are too many."""
    found: dict[str, set[str]] = {}
    for change in changes:
        match change:
            case Put(collection=name, id=id) | Remove(collection=name, id=id):
                found.setdefault(name, set()).add(id)
            case Restore(record=record):
                found.setdefault(record.collection, set()).add(record.id)
            case Touch(collection=name, ids=ids):
                found.setdefault(name, set()).update(ids)
            case EnsureCollection() | DropCollection() | Link() | Unlink() | Append() | ClearJournal():
                pass
            case SetState() | RestoreState() | DropState():
                pass
    if sum(map(len, found.values())) > MOST_IDS:
        return None
    return {name: frozenset(ids) for name, ids in found.items()}


class NotedStore(PreparedStore):
    """A store that tells which commits are ours."""

    def __init__(self, store: Store, commits: OwnCommits) -> None:
        super().__init__(store, lambda changes: changes)
        self._commits = commits

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        """Apply all changes or none, and note what they changed."""
        changes = list(changes)
        done = super().commit(changes, unless=unless)
        self._commits.note(done, changes)
        return done
