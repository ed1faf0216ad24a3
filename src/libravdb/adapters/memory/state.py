"""Everything that a store in memory holds, and how one commit after the other replaces it."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from libravdb.errors import StoreClosed
from libravdb.model import (
    Commit,
    Edge,
    JournalEntry,
    Metadata,
    Record,
    Revision,
    SessionState,
    Space,
    SpaceState,
    Terms,
    Topic,
    TopicKind,
)
from libravdb.ports.validation import to_json

if TYPE_CHECKING:
    from libravdb.model import Vector

NAME = "(memory)"
"""Stands where errors name a file."""


@dataclass(slots=True)
class MemoryState:
    """A store at one moment. Values in it are never changed in place, so a copy need not go deeper than `copy`."""

    records: dict[str, dict[str, Record]] = field(default_factory=dict)  # of each collection in the order of arrival
    texts: dict[bytes, str] = field(default_factory=dict)  # by their digests, oldest first
    terms: dict[str, Terms] = field(default_factory=dict)  # of each text
    analysis: str = ""
    spaces: dict[str, Space] = field(default_factory=dict)
    vectors: dict[str, dict[str, Vector]] = field(default_factory=dict)  # of each space, by text
    edges: dict[tuple[str, str, str], Edge] = field(default_factory=dict)
    journal: list[JournalEntry] = field(default_factory=list)
    next_seq: int = 1
    sessions: dict[str, SessionState] = field(default_factory=dict)
    commits: Revision = 0
    revisions: dict[Topic, Revision] = field(default_factory=dict)

    def copy(self) -> MemoryState:
        """One that may be changed."""
        return replace(
            self,
            records={name: dict(records) for name, records in self.records.items()},
            texts=dict(self.texts),
            terms=dict(self.terms),
            spaces=dict(self.spaces),
            vectors={fingerprint: dict(vectors) for fingerprint, vectors in self.vectors.items()},
            edges=dict(self.edges),
            journal=list(self.journal),
            sessions=dict(self.sessions),
            revisions=dict(self.revisions),
        )

    def active(self) -> Space | None:
        """The space in use."""
        return next((space for space in self.spaces.values() if space.state == SpaceState.ACTIVE), None)

    def holds(self, topic: Topic) -> bool:
        """Whether there is anything of a topic."""
        match topic.kind:
            case TopicKind.COLLECTION:
                return topic.name in self.records
            case TopicKind.SESSION:
                return topic.name in self.sessions or any(edge.session == topic.name for edge in self.edges.values())
            case TopicKind.SPACES:
                return bool(self.spaces)

    def revisions_of(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """Which commit changed each of these last; 0 where there is nothing."""
        return {topic: self.revisions.get(topic, 0) for topic in topics}

    def texts_in(self, collection: str) -> set[str]:
        """The distinct texts of a collection."""
        return {record.text for record in self.records.get(collection, {}).values()}


class StateDraft:
    """A commit in the making: `state` may be changed, and `touched` collects the topics that were."""

    def __init__(self, before: MemoryState) -> None:
        self._before = before
        self.state = before.copy()
        self.touched: set[Topic] = set()

    def finish(self) -> Commit:
        """Number the commit and mark what it touched; 0 when nothing changed."""
        state = self.state
        if not self.touched and _untold(state) == _untold(self._before):
            return Commit()
        state.commits += 1
        for topic in self.touched:
            if state.holds(topic):
                state.revisions[topic] = state.commits
            else:
                state.revisions.pop(topic, None)
        return Commit(revision=state.commits, before=self._before.revisions_of(self.touched))


def _untold(state: MemoryState) -> tuple[object, ...]:
    """What can change although it is no topic."""
    return state.journal, state.next_seq, state.analysis


class StateCell:
    """The state that stands now. Reads share it, and a commit puts a changed copy in its place."""

    def __init__(self) -> None:
        self._state: MemoryState | None = MemoryState()
        self._writing = threading.Lock()

    def state(self) -> MemoryState:
        """What stands now; nobody changes it any more."""
        state = self._state
        if state is None:
            raise StoreClosed(NAME, "the store is closed", remedy="Open it again.")
        return state

    @contextmanager
    def draft(self) -> Iterator[StateDraft]:
        """One commit at a time; when nothing was raised, its state is the one that stands."""
        with self._writing:
            draft = StateDraft(self.state())
            yield draft
            self._state = draft.state

    def close(self) -> None:
        """Let go of everything, after the commit that is under way."""
        with self._writing:
            self._state = None


def copied(metadata: Metadata) -> Metadata:
    """As it comes back from a file: the caller's object may change later, ours may not."""
    copy: Metadata = json.loads(to_json(metadata))
    return copy


def own(record: Record) -> Record:
    """A record that shares nothing with the caller's."""
    return replace(record, metadata=copied(record.metadata))
