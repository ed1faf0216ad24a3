"""The way back from compaction: what is deleted must not live on in a summary.

When a turn or a summary goes, every summary whose text may hold something of it is opened: it disappears, and what else
it stood for comes back into the session's active view, from where the next compaction folds it anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from libravdb.core.compaction.lineage import SUMMARY, holders
from libravdb.model import Change, Edge, Json, Put, Record, Remove, SessionState, SetState, Unlink
from libravdb.model.collections import session_prefix
from libravdb.ports.store import Store
from libravdb.text.tokens import prompt_tokens

_ACTIVE, _RAW, _SUMMARIES = "session", "session_raw", "session_summary"
WITHDRAWN = "withdrawn"
"""In the metadata of a raw turn: when it was asked to leave the active view."""

_RAW_MARKS = ("raw_history", "active_view")


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
    sessions: dict[str, dict[str, set[str]]] = {}
    for collection, id in places:
        scope, _, session = collection.partition(":")
        if scope in (_ACTIVE, _RAW, _SUMMARIES):
            sessions.setdefault(session, {}).setdefault(scope, set()).add(id)
    return [_session(store, session, going, now=now) for session, going in sorted(sessions.items())]


def unfold_all(store: Store, session: str, *, now: int) -> Unfolding:
    """What opens every summary of a session."""
    summaries = {record.id for record in store.scan(f"{_SUMMARIES}:{session}")}
    return _session(store, session, {_SUMMARIES: summaries}, now=now)


def _session(store: Store, session: str, going: dict[str, set[str]], *, now: int) -> Unfolding:
    state = store.session_state(session)  # before all else: what is read then is at least as new
    edges = store.edges(session)
    summaries = {record.id: record for record in store.scan(f"{_SUMMARIES}:{session}")} if edges else {}
    seen, raw = going.get(_ACTIVE, set()), going.get(_RAW, set())
    gone = raw | going.get(_SUMMARIES, set()) | (seen & summaries.keys())
    leaning = {id: _support(record) for id, record in summaries.items()}
    opened = frozenset(holders(edges, gone, leaning=leaning) | (gone & summaries.keys()))
    back = list(_brought_back(store, session, edges, opened=opened, without=gone | seen))
    changes: list[Change] = [
        *(_withdrawn(record, now) for id in sorted(seen - gone) if (record := store.get(f"{_RAW}:{session}", id))),
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
    for scope in (_SUMMARIES, _ACTIVE):
        if store.get(f"{scope}:{session}", summary) is not None:
            yield Remove(collection=f"{scope}:{session}", id=summary)
    yield Unlink(session=session, parent=summary)


def _brought_back(
    store: Store, session: str, edges: Iterable[Edge], *, opened: Collection[str], without: Collection[str]
) -> Iterator[Put]:
    """What opened summaries stood for, as it stood in the active view before; not what was asked to leave it."""
    for edge in edges:
        if edge.parent not in opened or edge.child in opened or edge.child in without:
            continue
        scope = _SUMMARIES if edge.child_kind == SUMMARY else _RAW
        record = store.get(f"{scope}:{session}", edge.child)
        if record is not None and WITHDRAWN not in record.metadata:
            facts = {key: value for key, value in record.metadata.items() if key not in _RAW_MARKS}
            facts |= _gate_marks(store, session, record)
            yield Put(collection=f"{_ACTIVE}:{session}", id=record.id, text=record.text, at=record.at, metadata=facts)


def _gate_marks(store: Store, session: str, record: Record) -> dict[str, Json]:
    """What the gate said of a turn: the active view has it, the raw layer does not, the repetition index keeps it."""
    judged = store.get(f"turns:{record.metadata.get('userId')}", session_prefix(session) + record.id)
    told = {} if judged is None else judged.metadata
    return {key: value for key, value in told.items() if key.startswith("gating_")}


def _withdrawn(record: Record, now: int) -> Put:
    return Put(
        collection=record.collection,
        id=record.id,
        text=record.text,
        at=record.at,
        metadata={**record.metadata, WITHDRAWN: now},
        expect=record.version,
    )


def _support(record: Record) -> list[str]:
    """The summaries that a model had before its eyes; extraction has nothing but its sources."""
    lineage = record.metadata.get("continuity_lineage")
    if record.metadata.get("method") == "extractive" or not isinstance(lineage, dict):
        return []
    named = lineage.get("support_summary_ids")
    return [id for id in named if isinstance(id, str)] if isinstance(named, list) else []
