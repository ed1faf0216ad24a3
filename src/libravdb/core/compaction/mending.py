"""What a conversation needs after some of it was lost, so that the rest keeps what its coverage promises.

A summary names the sources that are left; one without any stays in the active view, as what it says. What nothing
stands for any more comes back into the view.
"""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.core.compaction.coverage import Conversation
from libravdb.model import Edge
from libravdb.model.turn_metadata import RAW_HISTORY, WITHDRAWN, RecordKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Mending:
    """Edges that stay; summaries by the sources they have left; those that stand for nothing; what comes back."""

    edges: tuple[Edge, ...]
    sources: dict[str, tuple[str, ...]]
    orphans: frozenset[str]
    turns_shown: frozenset[str]
    summaries_shown: frozenset[str]


def mend_conversation(conversation: Conversation) -> Mending:
    """What to change, by the conversation as it is."""
    kept = tuple(edge for edge in conversation.edges if _leads_somewhere(conversation, edge))
    while True:
        parents = {edge.parent for edge in kept}
        orphans = frozenset(id for id in conversation.summaries if id not in parents)
        rest = tuple(edge for edge in kept if edge.child not in orphans or edge.child_kind != RecordKind.SUMMARY)
        if rest == kept:
            break
        kept = rest
    children = {edge.child for edge in kept}
    seen = conversation.active | children
    said = {id for id, facts in conversation.turns.items() if facts.get(RAW_HISTORY) is True}
    said -= {id for id, facts in conversation.turns.items() if facts.get(WITHDRAWN)}
    return Mending(
        edges=kept,
        sources=_sources(kept),
        orphans=orphans,
        turns_shown=frozenset(said - seen) if kept or orphans or conversation.edges else frozenset(),
        summaries_shown=frozenset(set(conversation.summaries) - seen),
    )


def _leads_somewhere(conversation: Conversation, edge: Edge) -> bool:
    held = conversation.summaries if edge.child_kind == RecordKind.SUMMARY else conversation.turns
    return edge.parent in conversation.summaries and edge.child in held


def _sources(edges: tuple[Edge, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for edge in edges:
        found[edge.parent] = (*found.get(edge.parent, ()), edge.child)
    return found
