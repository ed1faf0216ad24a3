"""What each kind of change does to a state, and which topics it touches: none when nothing changes."""

from __future__ import annotations

import json
from collections.abc import Set as AbstractSet
from dataclasses import replace

from libravdb.adapters.memory.state import MemoryState, StateDraft, copied, own
from libravdb.adapters.memory.vectors import attach, searched_anew
from libravdb.errors import Conflict
from libravdb.model import (
    Append,
    Change,
    ClearJournal,
    DropCollection,
    DropState,
    Edge,
    Embedding,
    EnsureCollection,
    JournalEntry,
    Link,
    Metadata,
    Put,
    Record,
    Remove,
    Restore,
    RestoreState,
    SessionState,
    SetState,
    Terms,
    Topic,
    Touch,
    Unlink,
    digest,
)
from libravdb.ports.validation import refuse_unanalysed

Touched = AbstractSet[Topic]
_NOTHING: Touched = frozenset()


def apply(draft: StateDraft, change: Change) -> None:
    """Make one change, and note what it touched."""
    state = draft.state
    touched = _NOTHING
    match change:
        case Put():
            touched = _put(state, change)
        case Restore(record=record, embedding=embedding, terms=terms):
            state.records.get(record.collection, {}).pop(record.id, None)  # it arrives now
            touched = _write(state, own(record)) | _bring_text(state, record.text, terms, embedding)
        case Remove():
            touched = _remove(state, change)
        case Touch(collection=collection, ids=ids):
            touched = _count_access(state, collection, ids)
        case EnsureCollection(name=name):
            touched = _ensure(state, name)
        case DropCollection(name=name):
            touched = _NOTHING if state.records.pop(name, None) is None else {Topic.collection(name)}
        case Link(edge=edge):
            touched = _link(state, edge)
        case Unlink(session=session, parent=parent):
            touched = _unlink(state, session, parent)
        case Append():
            _append(state, change)
        case ClearJournal(seqs=seqs):
            state.journal = [] if seqs is None else [entry for entry in state.journal if entry.seq not in seqs]
        case SetState(session=session, state=content, at=at, expect=expect):
            generation = _expect_generation(state, session, expect) + 1
            touched = _set_state(state, SessionState(session=session, generation=generation, state=content, at=at))
        case RestoreState(state=session_state):
            touched = _set_state(state, session_state)
        case DropState(session=session, expect=expect):
            _expect_generation(state, session, expect)
            touched = _NOTHING if state.sessions.pop(session, None) is None else {Topic.session(session)}
    draft.touched |= touched


def erase_unused(state: MemoryState) -> None:
    """A text goes with its last record, and takes its terms and vectors along."""
    unused = set(state.texts.values()).difference(*(state.texts_in(name) for name in state.records))
    for text in unused:
        del state.texts[digest(text)]
        del state.terms[text]
        for vectors in state.vectors.values():
            vectors.pop(text, None)


def _expect(what: str, expect: int | None, actual: int) -> None:
    if expect is not None and expect != actual:
        raise Conflict(what, expected=expect, actual=actual)


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────


def _put(state: MemoryState, put: Put) -> Touched:
    """A new record has version 1; a change of text, time or metadata is a new version; the same again is none."""
    old = state.records.get(put.collection, {}).get(put.id)
    _expect(f"Record {put.id!r} in {put.collection!r}", put.expect, old.version if old else 0)
    new = Record(
        collection=put.collection,
        id=put.id,
        text=put.text,
        metadata=copied(put.metadata),
        at=put.at,
        version=old.version + 1 if old else 1,
        access_count=old.access_count if old else 0,
    )
    touched = _NOTHING
    if old is None or not _is_same(old, new):
        if old is not None and (old.text, old.at) != (new.text, new.at):
            del state.records[put.collection][put.id]  # said anew: among turns of the same moment it is now the latest
        touched = _write(state, new)
    return touched | _bring_text(state, put.text, put.terms, put.embedding)


def _is_same(old: Record, new: Record) -> bool:
    """Metadata compares as written: the order of keys does not count, but 1, 1.0 and true differ."""
    return (old.text, old.at, _canonical(old.metadata)) == (new.text, new.at, _canonical(new.metadata))


def _canonical(metadata: Metadata) -> str:
    return json.dumps(metadata, sort_keys=True)


def _write(state: MemoryState, record: Record) -> Touched:
    state.records.setdefault(record.collection, {})[record.id] = record
    return {Topic.collection(record.collection)}


def _bring_text(state: MemoryState, text: str, terms: Terms | None, embedding: Embedding | None) -> Touched:
    """A text comes with its terms once; its vectors may come later, and then every collection that holds it changes."""
    if text not in state.terms:
        if terms is None:
            refuse_unanalysed(text)
        state.texts[digest(text)] = text
        state.terms[text] = tuple(terms or ())
    if embedding is None or not attach(state, text, embedding):
        return _NOTHING
    return searched_anew(state, text, embedding)


def _remove(state: MemoryState, remove: Remove) -> Touched:
    records = state.records.get(remove.collection, {})
    found = records.get(remove.id)
    _expect(f"Record {remove.id!r} in {remove.collection!r}", remove.expect, found.version if found else 0)
    return _NOTHING if records.pop(remove.id, None) is None else {Topic.collection(remove.collection)}


def _count_access(state: MemoryState, collection: str, ids: tuple[str, ...]) -> Touched:
    records = state.records.get(collection, {})
    known = set(ids) & records.keys()
    for id in known:
        records[id] = replace(records[id], access_count=records[id].access_count + 1)
    return {Topic.collection(collection)} if known else _NOTHING


def _ensure(state: MemoryState, name: str) -> Touched:
    if name in state.records:
        return _NOTHING
    state.records[name] = {}
    return {Topic.collection(name)}


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────


def _link(state: MemoryState, edge: Edge) -> Touched:
    place = (edge.session, edge.parent, edge.child)
    if state.edges.get(place) == edge:
        return _NOTHING
    state.edges[place] = edge
    return {Topic.session(edge.session)}


def _unlink(state: MemoryState, session: str, parent: str | None) -> Touched:
    gone = [
        place
        for place, edge in state.edges.items()
        if edge.session == session and (parent is None or edge.parent == parent)
    ]
    for place in gone:
        del state.edges[place]
    return {Topic.session(session)} if gone else _NOTHING


def _append(state: MemoryState, append: Append) -> None:
    entry = JournalEntry(seq=state.next_seq, session=append.session, at=append.at, entry=copied(append.entry))
    state.next_seq += 1
    state.journal = [*state.journal, entry][-append.keep :]


def _expect_generation(state: MemoryState, session: str, expect: int | None) -> int:
    known = state.sessions.get(session)
    generation = known.generation if known else 0
    _expect(f"Session {session!r}", expect, generation)
    return generation


def _set_state(state: MemoryState, session_state: SessionState) -> Touched:
    state.sessions[session_state.session] = replace(session_state, state=copied(session_state.state))
    return {Topic.session(session_state.session)}
