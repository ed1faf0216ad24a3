"""What of a session is whose: two people may give their sessions one name, and neither sees what the other said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libravdb.engine.pages import every_record
from libravdb.model import Json, Key, Record, Where, digest, equal_values
from libravdb.model.collections import (
    CollectionKind,
    durable_memory,
    parse_collection,
    session_guidance,
    session_of,
    turn_index,
    user_guidance,
)
from libravdb.model.namespaces import unnamed
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import (
    OWNER,
    REPEATS,
    SESSION,
    SOURCE_TURN,
    TIMES_SEEN,
    TurnMetadata,
    owner_of,
    turn_behind,
    turn_traces,
)
from libravdb.ports.store import Snapshot

NOT_TOLD: tuple[Json, ...] = ("", None)
"""What stands for an owner where nobody is named."""

_AT_ONCE = 1_000
"""Memories whose repetitions are looked for together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionShare:
    """The part of a session that is a namespace's own. `nameless` are the ways of naming nobody that count as its own
    too; a record that tells nothing of its owner counts if there is one. `has_others`: somebody else has spoken; in a
    session in which nobody has, one is neither alone nor among others."""

    namespace: str
    nameless: tuple[Json, ...] = ()
    is_alone: bool = False
    has_others: bool = False

    @property
    def where(self) -> Where:
        """The filter that lets exactly this part through."""
        may_lack = (OWNER,) if self.nameless else ()
        return Where(metadata={OWNER: (self.namespace, *self.nameless)}, may_lack=may_lack)

    def holds(self, record: Record) -> bool:
        """True for a record of this part."""
        told = record.metadata.get(OWNER)
        return told == self.namespace or (told in self.nameless if OWNER in record.metadata else bool(self.nameless))


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPart:
    """The collections of a session that is asked, and the share of it that may be seen there."""

    collections: frozenset[str] = frozenset()
    share: SessionShare | None = None

    def parted(self, collections: Sequence[str], where: Where) -> Iterator[tuple[list[str], Where]]:
        """Collections that are asked together, each with the filter that counts there."""
        shared = [name for name in collections if name in self.collections]
        others = [name for name in collections if name not in self.collections]
        if others or not shared:
            yield others, where
        if shared and self.share is not None:
            yield shared, both(where, self.share.where)

    def lets_see(self, record: Record) -> bool:
        """True unless a record stands where only the own part may be seen, and is none of it."""
        return record.collection not in self.collections or (self.share is not None and self.share.holds(record))


NOBODYS_PART = OwnPart()
"""No session is asked: whoever names a collection asks for all of it."""


def both(one: Where, other: Where) -> Where:
    """The filter that lets through what both do."""
    keys = {**one.metadata, **other.metadata}
    metadata = {key: _common(key, one, other) for key in keys}
    lacking = {key for key in keys if all(key in each.may_lack or key not in each.metadata for each in (one, other))}
    starts = [each.since for each in (one, other) if each.since is not None]
    ends = [each.until for each in (one, other) if each.until is not None]
    return Where(
        metadata=metadata,
        since=max(starts, default=None),
        until=min(ends, default=None),
        may_lack=tuple(sorted(lacking)),
        conditions=(*one.conditions, *(each for each in other.conditions if each not in one.conditions)),
    )


def _common(key: str, one: Where, other: Where) -> tuple[Json, ...]:
    if key not in one.metadata or key not in other.metadata:
        return (one if key in one.metadata else other).metadata[key]
    return tuple(value for value in one.metadata[key] if any(equal_values(value, each) for each in other.metadata[key]))


def share_of(snapshot: Snapshot, session: str, namespace: str) -> SessionShare:
    """A namespace's part of a session: what it said there.

    What names nobody is the only speaker's. Where several speak it is nobody's but theirs who came without a name, and
    of that only turns: a summary or a kept turn of nobody may hold what several said.
    """
    speakers = set(SessionMetadata.of(snapshot.states([session]).get(session)).namespaces)
    is_alone = (speakers or {unnamed(session)}) == {namespace}
    if is_alone:
        return SessionShare(namespace=namespace, nameless=NOT_TOLD, is_alone=True)
    return SessionShare(
        namespace=namespace,
        nameless=(None,) if namespace == unnamed(session) else (),
        has_others=bool(speakers - {namespace}),
    )


def own_traces(snapshot: Snapshot, record: Record) -> list[Key]:
    """Where the turn behind a record left its text. In the session that a record tells of, somebody else may have said
    something under the same id: that stays."""
    there = {**snapshot.records([Key(*place) for place in turn_traces(record)]), **_sentences_of(snapshot, record)}
    return [key for key, trace in there.items() if _is_by_the_same(snapshot, record, trace)]


def repetitions(snapshot: Snapshot, records: Sequence[Record]) -> list[Record]:
    """The turns that said these memories once more, as the repetition index has them. Where it does not tell, as in
    older stores, those that hold the same text, unless another memory holds it too."""
    memories: dict[str, list[Record]] = {}
    for record in records:
        name = parse_collection(record.collection)
        if name.kind is CollectionKind.DURABLE_MEMORY and TIMES_SEEN in record.metadata:
            memories.setdefault(name.owner, []).append(record)
    return [turn for owner, own in memories.items() for turn in _repeating(snapshot, owner, own)]


def _repeating(snapshot: Snapshot, owner: str, memories: Sequence[Record]) -> Iterator[Record]:
    index = turn_index(owner)
    for start in range(0, len(memories), _AT_ONCE):
        some = memories[start : start + _AT_ONCE]
        marked = Where(metadata={REPEATS: tuple(memory.id for memory in some)})
        yield from every_record(snapshot, index, where=marked)
        addresses = {digest(memory.text) for memory in some}
        kept = snapshot.holding(durable_memory(owner), addresses)
        gone = {memory.id for memory in memories}
        for address, turns in snapshot.holding(index, addresses).items():
            if all(memory.id in gone for memory in kept.get(address, ())):
                yield from turns


def _sentences_of(snapshot: Snapshot, record: Record) -> dict[Key, Record]:
    """The sentences that are kept word for word of the turn behind a record."""
    turn, owner = turn_behind(record), owner_of(record)
    if turn is None:
        return {}
    where = Where(metadata={SESSION: (turn.session,), SOURCE_TURN: (turn.id,)})
    names = [session_guidance(turn.session), *([user_guidance(owner)] if owner else [])]
    found = (kept for name in names for kept in snapshot.page(name, where=where).items)
    return {Key(kept.collection, kept.id): kept for kept in found}


def _is_by_the_same(snapshot: Snapshot, record: Record, trace: Record) -> bool:
    session = session_of(trace.collection)
    return session is None or share_of(snapshot, session, owner_of(record) or unnamed(session)).holds(trace)


def by_owner(records: Sequence[Record], speakers: Sequence[str]) -> list[list[Record]]:
    """The records of each owner by themselves, in their order. What names nobody is the only speaker's, if there is
    one."""
    alone = speakers[0] if len(speakers) == 1 else ""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(TurnMetadata.of(record).owner or alone, []).append(record)
    return list(found.values())
