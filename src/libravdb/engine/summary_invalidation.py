"""The way back from compaction: what is deleted must not live on in a summary.

When a turn or a summary goes, every summary whose text may hold something of it is opened: it disappears, and what else
it stood for comes back into the session's active view, from where the next compaction folds it anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from libravdb.core.compaction.lineage import holders
from libravdb.engine.pages import every_record
from libravdb.model import Change, Edge, Key, Put, Record, Remove, SessionState, SetState, Unlink
from libravdb.model.collections import (
    COVERED_KINDS,
    CollectionKind,
    parse_collection,
    raw_turns,
    session_summaries,
    session_view,
    turn_index,
)
from libravdb.model.record_ids import shared_turn_id
from libravdb.model.turn_metadata import WITHDRAWN, TurnMetadata, child_collection, gate_facts_in, view_facts
from libravdb.ports.store import Snapshot
from libravdb.text.tokens import prompt_tokens

_Going = dict[CollectionKind, set[str]]
"""The ids that go from each kind of collection of one session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfolding:
    """What else has to change when records of a session go: `opened` are the summaries that are no more, `tokens` the
    price of what comes back into the active view.

    `step` advances the session's state, so that a compaction which read what is going now finds that out.
    """

    session: str
    changes: tuple[Change, ...]
    step: SetState | None
    opened: frozenset[str]
    tokens: int


def unfold(snapshot: Snapshot, places: Collection[tuple[str, str]], *, now: int) -> list[Unfolding]:
    """What else has to change when the records at these places (collection, id) go: one for each session touched.

    A turn that is only taken out of the active view keeps a mark in its raw record that this was asked for.
    """
    sessions: dict[str, _Going] = {}
    for collection, id in places:
        name = parse_collection(collection)
        if name.kind in COVERED_KINDS:
            sessions.setdefault(name.owner, {}).setdefault(name.kind, set()).add(id)
    return [_session(snapshot, session, going, now=now) for session, going in sorted(sessions.items())]


def unfold_all(snapshot: Snapshot, session: str, *, now: int) -> Unfolding:
    """What opens every summary of a session."""
    summaries = {record.id for record in every_record(snapshot, session_summaries(session))}
    return _session(snapshot, session, {CollectionKind.SESSION_SUMMARIES: summaries}, now=now)


def _session(snapshot: Snapshot, session: str, going: _Going, *, now: int) -> Unfolding:
    state = snapshot.states([session]).get(session)
    edges = snapshot.edges(session)
    summaries = {record.id: record for record in every_record(snapshot, session_summaries(session))} if edges else {}
    seen, raw = going.get(CollectionKind.SESSION_VIEW, set()), going.get(CollectionKind.RAW_TURNS, set())
    gone = raw | going.get(CollectionKind.SESSION_SUMMARIES, set()) | (seen & summaries.keys())
    leaning = {id: _support(record) for id, record in summaries.items()}
    opened = frozenset(holders(edges, gone, leaning=leaning) | (gone & summaries.keys()))
    back = list(_brought_back(snapshot, session, edges, opened=opened, without=gone | seen))
    changes: list[Change] = [
        *(_withdrawn(record, now) for record in _raw(snapshot, session, seen - gone)),
        *_removals(snapshot, session, opened),
        *back,
    ]
    return Unfolding(
        session=session,
        changes=tuple(changes),
        step=None if state is None else _step(state, now),
        opened=opened,
        tokens=sum(prompt_tokens(put.text) for put in back),
    )


def _step(state: SessionState, now: int) -> SetState:
    return SetState(session=state.session, state=state.state, at=now, expect=state.generation)


def _raw(snapshot: Snapshot, session: str, ids: Iterable[str]) -> Iterable[Record]:
    """The raw turns of these ids that there are."""
    return snapshot.records([Key(raw_turns(session), id) for id in sorted(ids)]).values()


def _removals(snapshot: Snapshot, session: str, summaries: Iterable[str]) -> Iterator[Change]:
    """What takes opened summaries away, wherever they stand."""
    names = (session_summaries(session), session_view(session))
    there = snapshot.records([Key(name, id) for id in sorted(summaries) for name in names])
    yield from (Remove(collection=key.collection, id=key.id) for key in there)
    yield from (Unlink(session=session, parent=id) for id in sorted(summaries))


def _brought_back(
    snapshot: Snapshot, session: str, edges: Iterable[Edge], *, opened: Collection[str], without: Collection[str]
) -> Iterator[Put]:
    """What opened summaries stood for, as it stood in the active view before; not what was asked to leave it."""
    children = [
        Key(child_collection(edge), edge.child)
        for edge in edges
        if edge.parent in opened and edge.child not in opened and edge.child not in without
    ]
    found = snapshot.records(children)
    back = [found[key] for key in children if key in found and not TurnMetadata.of(found[key]).is_withdrawn]
    judged = snapshot.records([key for record in back if (key := _index_key(session, record)) is not None])
    for record in back:
        key = _index_key(session, record)
        marks = gate_facts_in(judged[key].metadata) if key is not None and key in judged else {}
        yield Put(
            collection=session_view(session),
            id=record.id,
            text=record.text,
            at=record.at,
            metadata=view_facts(record.metadata) | marks,
        )


def _index_key(session: str, record: Record) -> Key | None:
    """Where the repetition index keeps what the gate said of a turn: the active view has it, the raw layer does not."""
    owner = TurnMetadata.of(record).owner
    return None if owner is None else Key(turn_index(owner), shared_turn_id(session, record.id))


def _withdrawn(record: Record, now: int) -> Put:
    return Put(
        collection=record.collection,
        id=record.id,
        text=record.text,
        at=record.at,
        metadata={**record.metadata, WITHDRAWN: now},
        expect=record.version,
    )


def _support(record: Record) -> tuple[str, ...]:
    """The summaries that a model had before its eyes; extraction has nothing but its sources."""
    is_extracted = TurnMetadata.of(record).method == "extractive"
    return () if is_extracted else TurnMetadata.of(record).support_summaries
