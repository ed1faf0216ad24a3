"""What moves when the memory of one namespace becomes another's: records, sessions, wishes, profile; nothing is copied.

One commit, planned of what the store holds and made only if that is still so. Texts keep their vectors, records their
ids, versions and counts. Where the other namespace holds something under the same id, the same text stays once, and
another one gets a number. Accounts of earlier prompts go: they tell of prompts of somebody else.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from libravdb.engine.former_versions import renamed_version
from libravdb.engine.pages import every_record
from libravdb.engine.profile_records import BUILT, renamed_statement
from libravdb.model import (
    Change,
    DropCollection,
    Key,
    MovedMemory,
    Record,
    Remove,
    Restore,
    Revision,
    SetState,
    Topic,
    Where,
)
from libravdb.model.collections import (
    NAMESPACE_KINDS,
    CollectionKind,
    CollectionName,
    namespace_collections,
    namespace_of,
    parse_collection,
)
from libravdb.model.record_ids import commit_marker_id
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import OWNER, SOURCE_MEMORY
from libravdb.ports.store import Snapshot

_LEFT_BEHIND = CollectionKind.PROMPT_RECEIPTS
_MADE_OF_MEMORIES = {CollectionKind.FORMER_VERSIONS: renamed_version, CollectionKind.PROFILE: renamed_statement}
_STAYING = (CollectionKind.AGENT_NOTES, CollectionKind.CURATED_NOTES)
"""Notes are an agent's, whoever its memory goes to: they are what the files of its workspace say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What one commit moves, how much of each kind, and what must still be as it was when this was planned."""

    changes: Sequence[Change]
    moved: MovedMemory
    unless: Mapping[Topic, Revision]


def plan_move(snapshot: Snapshot, source: str, target: str, *, now: int) -> Move:
    """All that gives what is a namespace's to another one. Without anything there, nothing changes."""
    held = [info.name for info in snapshot.collections(owner=source).items]
    shared = [name for name in held if namespace_of(name) is None]
    own = [*_own(snapshot, source, target)]
    elsewhere = [*_elsewhere(snapshot, shared, source, target)]
    states = [*_states(snapshot, source, target, now=now)]
    going = [name for name in namespace_collections(source) if parse_collection(name).kind not in _STAYING]
    sizes = snapshot.sizes(going)
    dropped = [DropCollection(name=name) for name, size in sizes.items() if size]
    counts = {parse_collection(name).kind: size for name, size in sizes.items()}
    moved = MovedMemory(
        namespace=source,
        to_namespace=target,
        turns=counts[CollectionKind.TURN_HISTORY],
        memories=counts[CollectionKind.DURABLE_MEMORY],
        wishes=counts[CollectionKind.USER_GUIDANCE],
        sessions=len(states),
        records=sum(sizes.values()) - counts[_LEFT_BEHIND] + sum(isinstance(change, Restore) for change in elsewhere),
    )
    names = (*namespace_collections(source), *namespace_collections(target), *shared)
    unless = snapshot.revisions([Topic.collection(name) for name in names])
    return Move(changes=[*own, *elsewhere, *states, *dropped], moved=moved, unless=unless)


def _own(snapshot: Snapshot, source: str, target: str) -> Iterator[Restore]:
    """What stands in the namespace's own collections, as it will stand in the other's. What a memory said before and
    what it states goes with it, under whichever id."""
    renamed: dict[str, str] = {}
    for kind in NAMESPACE_KINDS:
        if kind is _LEFT_BEHIND or kind in _STAYING:
            continue
        place = str(CollectionName(kind=kind, owner=target))
        is_empty = not snapshot.sizes([place])[place]
        taken: set[str] = set()
        for record in every_record(snapshot, str(CollectionName(kind=kind, owner=source))):
            if kind is CollectionKind.PROFILE and record.id == BUILT:
                continue  # whether the other's memories were all read, it tells itself
            if kind in _MADE_OF_MEMORIES and (memory := record.metadata.get(SOURCE_MEMORY)) in renamed:
                of_renamed = _MADE_OF_MEMORIES[kind]
                record = of_renamed(record, renamed[str(memory)])  # noqa: PLW2901 - the same one, for another id
            id = record.id if is_empty else _free_id(snapshot, place, record, taken)
            if id is not None:
                taken.add(id)
                if kind is CollectionKind.DURABLE_MEMORY and id != record.id:
                    renamed[record.id] = id
                yield Restore(record=replace(_given_to(record, target), collection=place, id=id))


def _free_id(snapshot: Snapshot, place: str, record: Record, taken: set[str]) -> str | None:
    """Under which id a record can stand there; None when it does already."""
    for id in itertools.chain([record.id], (f"{record.id}~{number}" for number in itertools.count(2))):
        there = snapshot.records([Key(place, id)]).get(Key(place, id))
        if there is None and id not in taken:
            return id
        if there is not None and there.text == record.text:
            return None
    raise AssertionError("numbers do not end")


def _elsewhere(snapshot: Snapshot, names: Sequence[str], source: str, target: str) -> Iterator[Restore | Remove]:
    """What is the namespace's in sessions, and in collections that others use too: it stays in its place. That a batch
    was committed is told under a name of its owner, so that a retry is known."""
    own = Where(metadata={OWNER: (source,)})
    for name in names:
        for record in every_record(snapshot, name, where=own):
            given = _given_to(record, target)
            batch = record.id.removesuffix(commit_marker_id("", source))
            if parse_collection(name).kind is CollectionKind.COMMIT_MARKERS and batch != record.id:
                given = replace(given, id=commit_marker_id(batch, target))
                yield Remove(collection=name, id=record.id)
            yield Restore(record=given)


def _states(snapshot: Snapshot, source: str, target: str, *, now: int) -> Iterator[SetState]:
    for state in snapshot.states_of(source).items:
        told = SessionMetadata.of(state).left(source).joined(target, now=now)
        yield SetState(session=state.session, state=told.facts, at=now, expect=state.generation)


def _given_to(record: Record, target: str) -> Record:
    return replace(record, metadata={**record.metadata, OWNER: target}) if OWNER in record.metadata else record
