"""Turns as they are listed: what the gate said of each, which memory it became, and which summary stands for it.

A page is read, and then whatever tells of its turns, by their ids: what a page costs does not depend on how much there
is besides.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from libravdb.engine.pages import newest
from libravdb.engine.session_share import SessionShare, share_of
from libravdb.model import GateScore, Key, Order, Page, Record, TurnVerdict, TurnView, Where, admission_in
from libravdb.model.collections import durable_memory, session_view, turn_history, turn_index
from libravdb.model.turn_metadata import SESSION, TurnKey, TurnMetadata, turn_behind
from libravdb.ports.store import Snapshot

BRIEF = 200
"""Characters of a turn that are told with its score."""


def read_turns(
    snapshot: Snapshot,
    namespace: str,
    *,
    session: str | None,
    since: int | None,
    until: int | None,
    limit: int,
    after: str | None,
) -> Page[TurnView]:
    """What was said to a namespace, the newest first."""
    said_there = {} if session is None else {SESSION: (session,)}
    where = Where(metadata=said_there, since=since, until=until)
    page = snapshot.page(turn_history(namespace), order=Order.NEWEST, where=where, after=after, limit=limit)
    fates = _read_fates(snapshot, namespace, page.items)
    return Page(items=tuple(_view(record, fates) for record in page), next=page.next)


def read_scores(snapshot: Snapshot, namespace: str, *, limit: int) -> tuple[GateScore, ...]:
    """How the gate scored the newest of the turns that it judged, the newest first."""
    judged = newest(snapshot, turn_index(namespace), limit=limit)
    return tuple(score for record in judged if (score := _score(record)) is not None)


def _score(record: Record) -> GateScore | None:
    told = TurnMetadata.of(record)
    if told.gate_score is None:
        return None
    return GateScore(
        id=record.id,
        at=record.at,
        score=told.gate_score,
        is_admitted=told.is_admitted,
        veto=told.gate_veto,
        admission=admission_in(told.gate_verdict),
        text=record.text[:BRIEF],
    )


# ── what became of turns ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fates:
    """What tells of some turns: what the gate's index and durable memory hold, and the summaries standing for them."""

    namespace: str
    held: Mapping[Key, Record]
    summaries: Mapping[TurnKey, str]

    def judged(self, id: str) -> TurnMetadata | None:
        """What the gate's index tells of a turn."""
        record = self.held.get(Key(turn_index(self.namespace), id))
        return None if record is None else TurnMetadata.of(record)

    def memory(self, id: str) -> Record | None:
        """The memory that a turn became, or said once more."""
        judged = self.judged(id)
        repeated = None if judged is None else judged.repeats
        keys = (Key(durable_memory(self.namespace), one) for one in (id, repeated) if one)
        return next((self.held[key] for key in keys if key in self.held), None)


def _view(record: Record, fates: _Fates) -> TurnView:
    told, turn = TurnMetadata.of(record), turn_behind(record)
    judged, memory = fates.judged(record.id), fates.memory(record.id)
    return TurnView(
        id=record.id,
        session=told.session or "",
        at=record.at,
        role=told.role_name,
        speaker=told.speaker,
        text=record.text,
        verdict=None if judged is None else _verdict(judged),
        memory="" if memory is None else memory.id,
        folded_into="" if turn is None else fates.summaries.get(turn, ""),
        is_outdated=memory is not None and TurnMetadata.of(memory).is_outdated,
    )


def _verdict(judged: TurnMetadata) -> TurnVerdict | None:
    if judged.gate_score is None:
        return None
    return TurnVerdict(
        words=judged.gate_verdict, score=judged.gate_score, is_admitted=judged.is_admitted, veto=judged.gate_veto
    )


def _read_fates(snapshot: Snapshot, namespace: str, records: Sequence[Record]) -> _Fates:
    index, memory = turn_index(namespace), durable_memory(namespace)
    held = dict(snapshot.records([Key(name, record.id) for record in records for name in (index, memory)]))
    repeated = [TurnMetadata.of(record).repeats for key, record in held.items() if key.collection == index]
    held |= snapshot.records([Key(memory, id) for id in repeated if id])
    sessions: dict[str, list[str]] = {}
    for turn in map(turn_behind, records):
        if turn is not None:
            sessions.setdefault(turn.session, []).append(turn.id)
    summaries = {
        TurnKey(session, id): summary
        for session, ids in sessions.items()
        for id, summary in standing_summaries(
            snapshot, session, ids, share=share_of(snapshot, session, namespace)
        ).items()
    }
    return _Fates(namespace=namespace, held=held, summaries=summaries)


def standing_summaries(
    snapshot: Snapshot, session: str, turns: Sequence[str], *, share: SessionShare
) -> Mapping[str, str]:
    """For those of these turns that were folded, the summary of the session's view that stands for each."""
    view = session_view(session)
    verbatim = {key.id for key in snapshot.records([Key(view, id) for id in turns])}
    folded = [id for id in turns if id not in verbatim]
    parents = _parents(snapshot, session, folded) if folded else {}
    above = {parent for several in parents.values() for parent in several}
    found = snapshot.records([Key(view, id) for id in above]) if above else {}
    active = {key.id for key, record in found.items() if TurnMetadata.of(record).is_summary and share.holds(record)}
    standing = ((id, _first_above(id, parents, active)) for id in folded)
    return {id: summary for id, summary in standing if summary}


def _parents(snapshot: Snapshot, session: str, turns: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """What stands right above these turns, above that, and so on."""
    parents: dict[str, list[str]] = {}
    seen, waiting = set(turns), set(turns)
    while waiting:
        found: set[str] = set()
        for edge in snapshot.edges(session, children=waiting):
            parents.setdefault(edge.child, []).append(edge.parent)
            found.add(edge.parent)
        waiting = found - seen
        seen |= found
    return parents


def _first_above(child: str, parents: Mapping[str, Sequence[str]], wanted: Collection[str]) -> str:
    """The nearest of the wanted ones that stands above; empty when none does."""
    seen, waiting = {child}, [child]
    while waiting:
        above = [one for each in waiting for one in parents.get(each, ()) if one not in seen]
        for one in above:
            if one in wanted:
                return one
        seen.update(above)
        waiting = above
    return ""
