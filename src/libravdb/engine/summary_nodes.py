"""The summaries of a session as a tree: each with what it stands for, down to the turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libravdb.core.compaction.lineage import SUMMARY, TURN, expand
from libravdb.engine.pages import every_record
from libravdb.engine.session_share import share_of
from libravdb.model import Edge, Key, Record, SummaryChild, SummaryNode
from libravdb.model.collections import session_summaries, session_view
from libravdb.model.record_ids import shared_turn_id
from libravdb.model.turn_metadata import TurnMetadata
from libravdb.ports.store import Snapshot

_DEEPEST = 10_000


def read_nodes(snapshot: Snapshot, session: str, namespace: str) -> tuple[SummaryNode, ...]:
    """A namespace's own summaries of a session, of every level, the oldest first."""
    own = share_of(snapshot, session, namespace).where
    every = every_record(snapshot, session_summaries(session), where=own)
    summaries = sorted(
        (one for one in every if TurnMetadata.of(one).is_summary), key=lambda one: (_first_at(one), one.at, one.id)
    )
    ids = [one.id for one in summaries]
    covered: dict[str, list[Edge]] = {}
    for edge in snapshot.edges(session, parents=ids) if ids else ():
        covered.setdefault(edge.parent, []).append(edge)
    active = {key.id for key in snapshot.records([Key(session_view(session), id) for id in ids])}
    return tuple(_node(one, covered, is_active=one.id in active) for one in summaries)


def _node(record: Record, covered: Mapping[str, Sequence[Edge]], *, is_active: bool) -> SummaryNode:
    told = TurnMetadata.of(record)
    return SummaryNode(
        id=record.id,
        level=told.level,
        text=record.text,
        at=record.at,
        first_at=_first_at(record),
        turn_count=_turn_count(record, covered) if told.turn_count is None else told.turn_count,
        method=told.method,
        confidence=told.confidence,
        facts_kept=told.facts_kept,
        facts_listed=told.facts_listed,
        is_active=is_active,
        fallback=told.fallback,
        children=tuple(_child(edge) for edge in covered.get(record.id, ())),
    )


def _first_at(record: Record) -> int:
    span = TurnMetadata.of(record).source_span
    return record.at if span is None else span[0]


def _turn_count(record: Record, covered: Mapping[str, Sequence[Edge]]) -> int:
    """The turns behind a summary that does not tell how many they are."""
    below = expand(lambda parent: covered.get(parent, ()), record.id, depth=_DEEPEST)
    return sum(edge.child_kind != SUMMARY for edge in below)


def _child(edge: Edge) -> SummaryChild:
    if edge.child_kind == SUMMARY:
        return SummaryChild(id=edge.child, kind=SUMMARY)
    return SummaryChild(id=shared_turn_id(edge.session, edge.child), kind=TURN)
