"""What a store holds of a namespace, found by looking and not by what a deletion planned: the second pair of eyes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from libravdb.engine.namespace_deletion import EVENT_IDENTITY
from libravdb.engine.pages import every_record
from libravdb.model import JournalEntry, Revision, Topic, Where
from libravdb.model.collections import (
    LIFECYCLE_JOURNAL,
    CollectionKind,
    namespace_collections,
    namespace_of,
    parse_collection,
    raw_turns,
)
from libravdb.model.namespaces import nameless_session, resolve_namespace, unnamed
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import OWNER, TurnMetadata
from libravdb.ports.store import Snapshot

MOST_OWNERS = 1_000_000
"""Owners told apart in one collection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """So many things of a namespace stand in a place; `revision` is the commit that changed the place last, and
    `is_own` tells that everything in it is the namespace's."""

    place: str
    count: int
    revision: Revision
    is_own: bool = False


def holdings(snapshot: Snapshot, namespace: str, *, journal_since: int = 0) -> tuple[Holding, ...]:
    """Every place in which something of a namespace stands. Of the journal only what came later than a moment counts
    as changed since."""
    found = [*_own(snapshot, namespace), *_shared(snapshot, namespace), *_states(snapshot, namespace)]
    for entry in snapshot.journal():
        if identity_of(snapshot, entry) == namespace:
            revision = 2**62 if entry.at >= journal_since else 0
            found.append(Holding(place=LIFECYCLE_JOURNAL, count=1, revision=revision))
    return tuple(found)


def known_namespaces(snapshot: Snapshot) -> Iterator[str]:
    """Every namespace of which the store holds anything, some more than once."""
    for info in snapshot.collections().items:
        if (owner := namespace_of(info.name)) is not None:
            yield owner
        name = parse_collection(info.name)
        if name.kind is CollectionKind.RAW_TURNS:
            yield unnamed(name.owner)
        yield from snapshot.distinct(info.name, OWNER, limit=MOST_OWNERS)
    for state in snapshot.states_of(None).items:
        yield from SessionMetadata.of(state).namespaces
    for entry in snapshot.journal():
        yield identity_of(snapshot, entry)


def _own(snapshot: Snapshot, namespace: str) -> Iterator[Holding]:
    names = namespace_collections(namespace)
    revisions = snapshot.revisions([Topic.collection(name) for name in names])
    sizes = snapshot.sizes(names)
    for name in names:
        if revision := revisions[Topic.collection(name)]:
            yield Holding(place=name, count=sizes[name], revision=revision, is_own=True)


def _shared(snapshot: Snapshot, namespace: str) -> Iterator[Holding]:
    """Records that tell themselves whose they are, unless they stand in what is some namespace's own, and turns without
    a name in the session that stands for one."""
    of_it = Where(metadata={OWNER: (namespace,)})
    for info in snapshot.collections(owner=namespace).items:
        if namespace_of(info.name) is None:
            count = len(snapshot.page(info.name, where=of_it, limit=None).items)
            yield _holding(snapshot, info.name, count)
    if (session := nameless_session(namespace)) is not None:
        turns = every_record(snapshot, raw_turns(session))
        count = sum(TurnMetadata.of(turn).owner is None for turn in turns)
        if count:
            yield _holding(snapshot, raw_turns(session), count)


def _holding(snapshot: Snapshot, name: str, count: int) -> Holding:
    topic = Topic.collection(name)
    return Holding(place=name, count=count, revision=snapshot.revisions([topic])[topic])


def _states(snapshot: Snapshot, namespace: str) -> Iterator[Holding]:
    for state in snapshot.states_of(namespace).items:
        topic = Topic.session(state.session)
        yield Holding(place="session states", count=1, revision=snapshot.revisions([topic])[topic])


def identity_of(snapshot: Snapshot, entry: JournalEntry) -> str:
    """Whose an event is: the namespace that speaks in its session alone, else by what the event tells itself."""
    owners = SessionMetadata.of(snapshot.states([entry.session]).get(entry.session)).namespaces
    if owners:
        return owners[0] if len(owners) == 1 else ""
    told = {name: str(entry.entry.get(key, "")) for name, key in EVENT_IDENTITY}
    return resolve_namespace(**told)
