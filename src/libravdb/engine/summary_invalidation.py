"""The way back from compaction: what is deleted must not live on in a summary.

When a turn or a summary goes, every summary whose text may hold something of it is opened: it disappears, and what else
it stood for comes back into the session's active view, from where the next compaction folds it anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from libravdb.core.compaction.lineage import holders
from libravdb.model import Change, Edge, Json, Put, Record, Remove, SessionState, SetState, Unlink
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
from libravdb.ports.store import Store
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


def unfold(store: Store, places: Collection[tuple[str, str]], *, now: int) -> list[Unfolding]:
    """What else has to change when the records at these places (collection, id) go: one for each session touched.

    A turn that is only taken out of the active view keeps a mark in its raw record that this was asked for.
    """
    sessions: dict[str, _Going] = {}
    for collection, id in places:
        name = parse_collection(collection)
        if name.kind in COVERED_KINDS:
            sessions.setdefault(name.owner, {}).setdefault(name.kind, set()).add(id)
    return [_session(store, session, going, now=now) for session, going in sorted(sessions.items())]


def unfold_all(store: Store, session: str, *, now: int) -> Unfolding:
    """What opens every summary of a session."""
    summaries = {record.id for record in store.scan(session_summaries(session))}
    return _session(store, session, {CollectionKind.SESSION_SUMMARIES: summaries}, now=now)


def _session(store: Store, session: str, going: _Going, *, now: int) -> Unfolding:
    state = store.session_state(session)  # before all else: what is read then is at least as new
    edges = store.edges(session)
    summaries = {record.id: record for record in store.scan(session_summaries(session))} if edges else {}
    seen, raw = going.get(CollectionKind.SESSION_VIEW, set()), going.get(CollectionKind.RAW_TURNS, set())
    gone = raw | going.get(CollectionKind.SESSION_SUMMARIES, set()) | (seen & summaries.keys())
    leaning = {id: _support(record) for id, record in summaries.items()}
    opened = frozenset(holders(edges, gone, leaning=leaning) | (gone & summaries.keys()))
    back = list(_brought_back(store, session, edges, opened=opened, without=gone | seen))
    changes: list[Change] = [
        *(_withdrawn(record, now) for id in sorted(seen - gone) if (record := store.get(raw_turns(session), id))),
        *(change for id in sorted(opened) for change in _removal(store, session, id)),
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


def _removal(store: Store, session: str, summary: str) -> Iterator[Change]:
    for name in (session_summaries(session), session_view(session)):
        if store.get(name, summary) is not None:
            yield Remove(collection=name, id=summary)
    yield Unlink(session=session, parent=summary)


def _brought_back(
    store: Store, session: str, edges: Iterable[Edge], *, opened: Collection[str], without: Collection[str]
) -> Iterator[Put]:
    """What opened summaries stood for, as it stood in the active view before; not what was asked to leave it."""
    for edge in edges:
        if edge.parent not in opened or edge.child in opened or edge.child in without:
            continue
        record = store.get(child_collection(edge), edge.child)
        if record is not None and not TurnMetadata.of(record).is_withdrawn:
            facts = view_facts(record.metadata) | _gate_marks(store, session, record)
            yield Put(collection=session_view(session), id=record.id, text=record.text, at=record.at, metadata=facts)


def _gate_marks(store: Store, session: str, record: Record) -> dict[str, Json]:
    """What the gate said of a turn: the active view has it, the raw layer does not, the repetition index keeps it."""
    owner = TurnMetadata.of(record).owner
    judged = None if owner is None else store.get(turn_index(owner), shared_turn_id(session, record.id))
    return {} if judged is None else gate_facts_in(judged.metadata)


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
    is_extracted = record.metadata.get("method") == "extractive"
    return () if is_extracted else TurnMetadata.of(record).support_summaries
