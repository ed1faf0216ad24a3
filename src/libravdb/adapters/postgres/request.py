"""What the changes of one commit need to know of the store: every name, key and address that they mention."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from libravdb.adapters.postgres.keys import edge_key
from libravdb.model import (
    Append,
    Change,
    ClearJournal,
    DropCollection,
    DropState,
    Embedding,
    EnsureCollection,
    Key,
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
    digest,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attach:
    """Give a text its vectors, wherever it stands; one that is gone, or has them, is passed over."""

    digest: bytes
    embedding: Embedding


Writing = Change | Attach
"""What a commit is made of."""


@dataclass(slots=True, kw_only=True)
class CommitRequest:
    """All that is to be locked and read before changes can be applied. Of sets only the order of arrival counts."""

    collections: dict[str, bool] = field(default_factory=dict)  # and whether they are dropped
    filled: set[str] = field(default_factory=set)  # those into which something is put, so that they may have to be made
    keys: dict[Key, None] = field(default_factory=dict)
    places: dict[tuple[str, bytes], None] = field(default_factory=dict)  # texts, with the collection they are put into
    texts: dict[bytes, None] = field(default_factory=dict)
    digests: dict[str, bytes] = field(default_factory=dict)  # of each text
    sessions: dict[str, None] = field(default_factory=dict)
    edges: dict[bytes, None] = field(default_factory=dict)
    unlinked: dict[tuple[str, str | None], None] = field(default_factory=dict)
    seqs: set[int] = field(default_factory=set)
    clears_journal: bool = False
    unless: Mapping[Topic, Revision] = field(default_factory=dict)
    late: dict[bytes, None] = field(default_factory=dict)  # texts that get vectors wherever they stand already
    beside: dict[str, None] = field(default_factory=dict)  # collections that hold those
    brings_terms: bool = False

    def topics(self) -> list[Topic]:
        """What is to be locked, in the order in which everybody locks: all but the set of vector spaces."""
        names = {*self.collections, *self.beside}
        found = {Topic.collection(name) for name in names} | {Topic.session(name) for name in self.sessions}
        found |= {topic for topic in self.unless if topic.kind is not TopicKind.SPACES}
        return sorted(found, key=lambda topic: (KINDS[topic.kind], topic.name.encode()))


KINDS = {TopicKind.COLLECTION: 1, TopicKind.SESSION: 2, TopicKind.SPACES: 3}
"""Kinds of topics as the table writes them."""


_MOST = 2**63 - 1


def request_of(changes: Iterable[Writing], unless: Mapping[Topic, Revision]) -> CommitRequest:
    """Read off what these changes mention."""
    request = CommitRequest(unless=unless)
    for change in changes:
        _note(request, change)
    return request


def _note(request: CommitRequest, change: Writing) -> None:
    match change:
        case Put(collection=collection, id=id, text=text, terms=terms):
            _note_record(request, Key(collection, id), text)
            request.brings_terms |= terms is not None
        case Restore(record=record, terms=terms):
            _note_record(request, Key(record.collection, record.id), record.text)
            request.brings_terms |= terms is not None
        case Remove(collection=collection, id=id):
            request.collections.setdefault(collection, False)
            request.keys[Key(collection, id)] = None
        case Touch(collection=collection, ids=ids):
            request.collections.setdefault(collection, False)
            request.keys.update((Key(collection, id), None) for id in ids)
        case EnsureCollection(name=name):
            request.collections.setdefault(name, False)
            request.filled.add(name)
        case DropCollection(name=name):
            request.collections[name] = True
        case Attach(digest=address):
            request.texts[address] = request.late[address] = None
        case ClearJournal(seqs=seqs):
            request.seqs |= {seq for seq in seqs or () if 0 < seq <= _MOST}
            request.clears_journal |= seqs is None
        case Append():
            pass  # it needs nothing, and no topic is about it
        case Link() | Unlink() | SetState() | RestoreState() | DropState():
            _note_session(request, change)


def _note_record(request: CommitRequest, key: Key, text: str) -> None:
    address = request.digests.get(text)
    if address is None:
        address = request.digests[text] = digest(text)
    request.collections.setdefault(key.collection, False)
    request.filled.add(key.collection)
    request.keys[key] = None
    request.places[key.collection, address] = None
    request.texts[address] = None


def _note_session(request: CommitRequest, change: Link | Unlink | SetState | RestoreState | DropState) -> None:
    match change:
        case Link(edge=edge):
            request.sessions[edge.session] = None
            request.edges[edge_key(edge.session, edge.parent, edge.child)] = None
        case Unlink(session=session, parent=parent):
            request.sessions[session] = None
            request.unlinked[session, parent] = None
        case RestoreState(state=state):
            request.sessions[state.session] = None
        case SetState(session=session) | DropState(session=session):
            request.sessions[session] = None
