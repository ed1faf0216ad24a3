"""What a profile keeps in the store: for each memory what it states, and lines as the person wants them.

These records have no text of their own, so they are neither indexed nor embedded. They name the memory and the turn
behind it: whoever forgets one of those forgets them too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from libravdb.core.gate.attributes import read_attributes
from libravdb.core.profile.lines import LineOverride, StatedMemory, current_lines, stated_of_person, without_forgotten
from libravdb.engine.pages import every_record
from libravdb.model import (
    MUST_BE_NEW,
    AttributeKind,
    Change,
    Json,
    Key,
    ProfileLine,
    Put,
    Record,
    Remove,
    Role,
    StatedAttribute,
    Where,
)
from libravdb.model.collections import CollectionKind, durable_memory, namespace_of, parse_collection, profile_of
from libravdb.model.record_ids import profile_line_id, profile_source_id
from libravdb.model.turn_metadata import (
    FORGOTTEN_LINES,
    IS_DATED,
    IS_EDITED,
    IS_PINNED,
    KIND,
    LAST_SEEN_AT,
    LAST_STATED_AT,
    OWNER,
    PROFILE_LINE,
    SESSION,
    SOURCE_MEMORY,
    SOURCE_TURN,
    SPEAKER,
    STATED,
    SUPERSEDED_AT,
    SUPERSEDED_BY,
    RecordKind,
    TurnMetadata,
)
from libravdb.ports.store import Snapshot

BUILT = "built"
"""The id of the record which tells that the memories of a namespace were all read once."""


ProfileStatement = StatedMemory | LineOverride | None
"""What a record of a profile tells: what a memory states, a line as the person wants it, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileContent:
    """All that a profile consists of."""

    namespace: str
    memories: Mapping[str, StatedMemory]
    overrides: Mapping[str, LineOverride]


def read_profile(snapshot: Snapshot, namespace: str) -> ProfileContent:
    """What a profile consists of at a moment; what somebody else wrote there counts as nothing."""
    return content_of(namespace, map(told_in, every_record(snapshot, profile_of(namespace))))


def told_in(record: Record) -> ProfileStatement:
    """What a record of a profile tells."""
    memory = stated_in(record)
    return _override_in(record) if memory is None else memory


def content_of(namespace: str, told: Iterable[ProfileStatement]) -> ProfileContent:
    """What a profile consists of by what its records tell, in their order."""
    memories: dict[str, StatedMemory] = {}
    overrides: dict[str, LineOverride] = {}
    for one in told:
        if isinstance(one, StatedMemory):
            memories[one.memory] = one
        elif one is not None:
            overrides[one.line.id] = one
    return ProfileContent(namespace=namespace, memories=memories, overrides=overrides)


def lines_of(content: ProfileContent, *, as_of: int | None = None) -> tuple[ProfileLine, ...]:
    """The current lines; `as_of` leaves out what was said later."""
    return current_lines(content.memories.values(), content.overrides.values(), as_of=as_of)


# ── what memories state ───────────────────────────────────────────────────────────────────────────────────


def stated_by(record: Record | Put) -> StatedMemory | None:
    """What a memory states of the person; None when it is nothing, or nothing that a user said."""
    told = TurnMetadata(record.metadata)
    if told.role is not Role.USER or told.is_echo:
        return None
    kept = stated_of_person(read_attributes(record.text))
    if not kept:
        return None
    superseded_at, last = record.metadata.get(SUPERSEDED_AT), record.metadata.get(LAST_SEEN_AT)
    return StatedMemory(
        memory=record.id,
        since=record.at,
        at=last if isinstance(last, int) else record.at,
        attributes=kept,
        session=(told.session or "") if told.source_turn else "",
        turn=told.source_turn or "",
        speaker=told.speaker,
        superseded_by=told.superseded_by,
        superseded_at=superseded_at if isinstance(superseded_at, int) else 0,
    )


def stated_in_all(records: Iterable[Record]) -> dict[str, StatedMemory]:
    """What memories state, of those that state something, by their ids."""
    found = (stated_by(record) for record in records)
    return {memory.memory: memory for memory in found if memory is not None}


def put_stated(namespace: str, memory: StatedMemory) -> Put:
    """The record of what a memory states."""
    whence: dict[str, Json] = {SESSION: memory.session, SOURCE_TURN: memory.turn} if memory.turn else {}
    outdated: dict[str, Json] = (
        {SUPERSEDED_BY: memory.superseded_by, SUPERSEDED_AT: memory.superseded_at} if memory.superseded_by else {}
    )
    return Put(
        collection=profile_of(namespace),
        id=profile_source_id(memory.memory),
        text="",
        at=memory.since,
        metadata={
            KIND: RecordKind.PROFILE_SOURCE.value,
            OWNER: namespace,
            SOURCE_MEMORY: memory.memory,
            **whence,
            **({SPEAKER: memory.speaker} if memory.speaker else {}),
            **outdated,
            LAST_STATED_AT: memory.at,
            STATED: [_told(attribute) for attribute in memory.attributes],
            **({FORGOTTEN_LINES: list[Json](sorted(memory.forgotten))} if memory.forgotten else {}),
        },
    )


def stated_in(record: Record) -> StatedMemory | None:
    """What a record tells that a memory states; None when it is no such record."""
    told, facts = TurnMetadata.of(record), record.metadata
    memory = facts.get(SOURCE_MEMORY)
    if told.kind != RecordKind.PROFILE_SOURCE or not isinstance(memory, str):
        return None
    at, superseded_at = facts.get(LAST_STATED_AT), facts.get(SUPERSEDED_AT)
    forgotten = facts.get(FORGOTTEN_LINES)
    return StatedMemory(
        memory=memory,
        since=record.at,
        at=at if isinstance(at, int) else record.at,
        attributes=tuple(_attributes_in(facts.get(STATED))),
        session=told.session or "",
        turn=told.source_turn or "",
        speaker=told.speaker,
        superseded_by=told.superseded_by,
        superseded_at=superseded_at if isinstance(superseded_at, int) else 0,
        forgotten=frozenset(str(one) for one in forgotten) if isinstance(forgotten, list) else frozenset(),
    )


def renamed_statement(record: Record, memory: str) -> Record:
    """A record of a profile, kept for a memory that has another id from now on."""
    is_statement = TurnMetadata.of(record).kind == RecordKind.PROFILE_SOURCE
    id = profile_source_id(memory) if is_statement else record.id
    return replace(record, id=id, metadata={**record.metadata, SOURCE_MEMORY: memory})


def _told(attribute: StatedAttribute) -> dict[str, Json]:
    told: dict[str, Json] = {
        "kind": attribute.kind.value,
        "subject": attribute.subject,
        "name": attribute.name,
        "value": attribute.value,
        "sentence": attribute.sentence,
    }
    marks: dict[str, Json] = {"single": attribute.is_single, "ended": attribute.is_ended}
    return {**told, **{name: mark for name, mark in marks.items() if mark}}


def _attributes_in(told: Json) -> Iterable[StatedAttribute]:
    for each in told if isinstance(told, list) else ():
        if isinstance(each, dict) and each.get("kind") in _KINDS:
            texts = {name: str(each.get(name, "")) for name in ("subject", "name", "value", "sentence")}
            yield StatedAttribute(
                kind=AttributeKind(str(each["kind"])),
                is_single=each.get("single") is True,
                is_ended=each.get("ended") is True,
                **texts,
            )


_KINDS = frozenset(kind.value for kind in AttributeKind)


# ── lines as the person wants them ────────────────────────────────────────────────────────────────────────


def put_override(namespace: str, wanted: LineOverride, *, turn: str) -> Put:
    """The record of a line as it is wanted."""
    line = wanted.line
    whence: dict[str, Json] = {SESSION: line.session, SOURCE_TURN: turn} if turn else {}
    return Put(
        collection=profile_of(namespace),
        id=profile_line_id(line.id),
        text="",
        at=wanted.at,
        metadata={
            KIND: RecordKind.PROFILE_LINE.value,
            OWNER: namespace,
            SOURCE_MEMORY: line.source,
            **whence,
            PROFILE_LINE: {
                "id": line.id,
                "kind": line.kind.value,
                "subject": line.subject,
                "text": line.text,
                "since": line.since,
            },
            IS_PINNED: line.is_pinned,
            IS_EDITED: line.is_edited,
            IS_DATED: line.is_dated,
        },
    )


def _override_in(record: Record) -> LineOverride | None:
    told = record.metadata.get(PROFILE_LINE)
    if TurnMetadata.of(record).kind != RecordKind.PROFILE_LINE or not isinstance(told, dict):
        return None
    if told.get("kind") not in _KINDS:
        return None
    facts = cast("dict[str, Any]", told)
    return LineOverride(
        line=ProfileLine(
            id=str(facts.get("id", "")),
            kind=AttributeKind(str(facts["kind"])),
            subject=str(facts.get("subject", "")),
            text=str(facts.get("text", "")),
            since=facts["since"] if isinstance(facts.get("since"), int) else record.at,
            source=str(record.metadata.get(SOURCE_MEMORY, "")),
            session=TurnMetadata.of(record).session or "",
            is_pinned=record.metadata.get(IS_PINNED) is True,
            is_edited=record.metadata.get(IS_EDITED) is True,
            is_dated=record.metadata.get(IS_DATED) is True,
        ),
        at=record.at,
    )


# ── what follows from changes of memories ─────────────────────────────────────────────────────────────────


def judged_changes(snapshot: Snapshot, namespace: str, changes: Sequence[Change]) -> list[Change]:
    """What judged turns change in the profile, by what they change in memory: more statements, some that were said
    again, and some that are outdated."""
    puts = [one for one in changes if isinstance(one, Put) and one.collection == durable_memory(namespace)]
    stated = (stated_by(put) for put in puts if put.expect == MUST_BE_NEW)
    return [
        *(put_stated(namespace, memory) for memory in stated if memory is not None),
        *following(snapshot, namespace, (put for put in puts if put.expect != MUST_BE_NEW)),
    ]


def following(snapshot: Snapshot, namespace: str, puts: Iterable[Put]) -> list[Put]:
    """What makes a profile know which memories are outdated, which count again and which were said once more, as these
    changes of them tell."""
    told = {put.id: put for put in puts if put.collection == durable_memory(namespace)}
    changes: list[Put] = []
    for record, memory in _sources(snapshot, namespace, told):
        facts = told[memory.memory].metadata
        by, at, last = facts.get(SUPERSEDED_BY), facts.get(SUPERSEDED_AT), facts.get(LAST_SEEN_AT)
        is_again = isinstance(last, int) and last > memory.at
        said = stated_by(told[memory.memory]) if is_again and memory.forgotten else None
        now = replace(
            said or memory,  # what was forgotten of it is said anew
            at=max(memory.at, last) if isinstance(last, int) else memory.at,
            superseded_by=by if isinstance(by, str) else None,
            superseded_at=at if isinstance(by, str) and isinstance(at, int) else 0,
        )
        if now != memory:
            changes.append(replace(put_stated(namespace, now), expect=record.version))
    return changes


def _sources(snapshot: Snapshot, namespace: str, ids: Collection[str]) -> list[tuple[Record, StatedMemory]]:
    if not ids:
        return []
    found = snapshot.records([Key(profile_of(namespace), profile_source_id(id)) for id in ids])
    return [(record, memory) for record in found.values() if (memory := stated_in(record)) is not None]


def profile_traces(snapshot: Snapshot, places: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Where a profile holds something of the memories among these places (collection, id)."""
    return {(record.collection, record.id) for record in profile_lines(snapshot, places)}


def profile_lines(snapshot: Snapshot, places: Collection[tuple[str, str]]) -> Iterator[Record]:
    """The records of profiles that are made of the memories among these places (collection, id)."""
    memories: dict[str, list[str]] = {}
    for collection, id in places:
        name = parse_collection(collection)
        if name.kind is CollectionKind.DURABLE_MEMORY:
            memories.setdefault(name.owner, []).append(id)
    for owner, ids in memories.items():
        for start in range(0, len(ids), _AT_ONCE):
            of_them = Where(metadata={SOURCE_MEMORY: tuple(ids[start : start + _AT_ONCE])})
            yield from every_record(snapshot, profile_of(owner), where=of_them)


_AT_ONCE = 200


def rebuilt(snapshot: Snapshot, namespace: str, stated: Mapping[str, StatedMemory], *, is_whole: bool) -> list[Change]:
    """What makes a profile hold exactly what its memories state; what was forgotten of them stays forgotten.

    Unless `is_whole`, memories that are not among the given ones keep what they have.
    """
    changes: list[Change] = []
    known: set[str] = set()
    for record in every_record(snapshot, profile_of(namespace)):
        source = record.metadata.get(SOURCE_MEMORY)
        memory = stated_in(record)
        if memory is not None and memory.memory in stated:
            known.add(memory.memory)
            fresh = without_forgotten(replace(stated[memory.memory], forgotten=memory.forgotten))
            if fresh != memory:
                changes.append(replace(put_stated(namespace, fresh), expect=record.version))
        elif is_whole and isinstance(source, str) and source not in stated:
            changes.append(Remove(collection=record.collection, id=record.id, expect=record.version))
    changes += (put_stated(namespace, stated[name]) for name in sorted(stated.keys() - known))
    return changes


def built(namespace: str, *, now: int) -> Put:
    """The record which tells that all memories were read."""
    facts: dict[str, Json] = {KIND: RecordKind.PROFILE_BUILT.value, OWNER: namespace}
    return Put(collection=profile_of(namespace), id=BUILT, text="", at=now, metadata=facts)


def profile_unread(namespace: str) -> Remove:
    """What makes the memories of a namespace be read again when its profile is next asked for."""
    return Remove(collection=profile_of(namespace), id=BUILT)


def updated_statement(put: Put) -> Change:
    """What a profile holds of a memory that says something else now."""
    namespace = parse_collection(put.collection).owner
    memory = stated_by(put)
    if memory is not None:
        return put_stated(namespace, memory)
    return Remove(collection=profile_of(namespace), id=profile_source_id(put.id))


def changes_with(puts: Sequence[Put]) -> list[Change]:
    """Texts that are kept on request, with what those among them state that are memories of somebody."""
    changes: list[Change] = list(puts)
    for put in puts:
        namespace = namespace_of(put.collection)
        if namespace is None or parse_collection(put.collection).kind is not CollectionKind.DURABLE_MEMORY:
            continue
        memory = stated_by(put)
        if memory is not None:
            changes.append(put_stated(namespace, memory))
        elif put.expect is None:  # it may take the place of one that stated something
            changes.append(Remove(collection=profile_of(namespace), id=profile_source_id(put.id)))
    return changes
