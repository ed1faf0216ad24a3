"""What the coverage of a conversation promises, proved over plain values: every store asks the same questions.

Each question is a function from a conversation to what is broken; `QUESTIONS` lists them with the invariant they prove.
Together with "coverage is acyclic" they say that every summary leads to raw turns that are there, and that everything
said can be reached. A session that holds neither raw turns nor summaries is no conversation; its edges are its owner's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from libravdb.model import Edge, Metadata
from libravdb.model.collections import CollectionKind, parse_collection
from libravdb.model.turn_metadata import RAW_HISTORY, WITHDRAWN, RecordKind

_CONVERSATION = (CollectionKind.RAW_TURNS, CollectionKind.SESSION_SUMMARIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One session: the ids of its active view, its raw turns and its summaries with their metadata, and its edges in
    order."""

    session: str
    active: frozenset[str]
    turns: Mapping[str, Metadata]
    summaries: Mapping[str, Metadata]
    edges: Sequence[Edge]


Question = Callable[[Conversation], Iterator[str]]


def sessions_in(collections: Sequence[str]) -> list[str]:
    """The sessions that are conversations, by the names of all collections."""
    return sorted({found.owner for found in map(parse_collection, collections) if found.kind in _CONVERSATION})


def _edges_lead_to_what_is_there(conversation: Conversation) -> Iterator[str]:
    for edge in conversation.edges:
        if edge.parent not in conversation.summaries:
            yield f"{edge.child!r} is covered by {edge.parent!r}, which is not there"
        held = conversation.summaries if edge.child_kind == RecordKind.SUMMARY else conversation.turns
        if edge.child not in held:
            yield f"summary {edge.parent!r} stands for the {edge.child_kind} {edge.child!r}, which is not there"


def _summaries_have_their_sources(conversation: Conversation) -> Iterator[str]:
    covered: dict[str, list[str]] = {}
    for edge in conversation.edges:
        covered.setdefault(edge.parent, []).append(edge.child)
    for id, facts in conversation.summaries.items():
        if id not in covered:
            yield f"summary {id!r} has no sources"
        elif isinstance(named := facts.get("source_ids"), list) and named != covered[id]:
            yield f"summary {id!r} names other sources than it covers"


def _everything_said_is_reached(conversation: Conversation) -> Iterator[str]:
    """From the active view, directly or through summaries. What was taken out of the view on request is not asked for;
    nor is a session in which nothing was folded: its view is the host's to trim."""
    if not conversation.edges:
        return
    children = {edge.child for edge in conversation.edges}
    for id, facts in conversation.turns.items():
        is_said = facts.get(RAW_HISTORY) is True and not facts.get(WITHDRAWN)
        if is_said and id not in conversation.active and id not in children:
            yield f"turn {id!r} is neither in the active view nor behind a summary"
    for id in conversation.summaries:
        if id not in conversation.active and id not in children:
            yield f"summary {id!r} is neither in the active view nor behind another"


QUESTIONS: tuple[tuple[str, Question], ...] = (
    ("edges lead to what is there", _edges_lead_to_what_is_there),
    ("summaries have their sources", _summaries_have_their_sources),
    ("everything said is reached", _everything_said_is_reached),
)
