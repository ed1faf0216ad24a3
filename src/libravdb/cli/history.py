"""How a memory came to hold: what it replaced, and what replaced it, with dates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from libravdb.cli.output import Output, local_time, one_line
from libravdb.model import Scope
from libravdb.model.record_ids import shared_turn_id
from libravdb.model.turn_metadata import TurnMetadata, owner_of, turn_behind

if TYPE_CHECKING:
    from libravdb.model import Record

MOST_LINKS = 64
"""A history is shown so far."""


class Reads(Protocol):
    """Reads one record of a namespace."""

    def read(self, id: str, *, namespace: str, scope: Scope) -> Record | None:
        """One record, or None."""


def chain_of(memories: Reads, record: Record) -> list[Record]:
    """A memory with all that it replaced and all that replaced it, the oldest first."""
    found = {record.id: record}
    waiting = [record]
    while waiting and len(found) < MOST_LINKS:
        told = TurnMetadata.of(one := waiting.pop())
        for id in (*told.supersedes, *((told.superseded_by,) if told.superseded_by else ())):
            if id not in found and (other := _kept(memories, one, id)) is not None:
                found[id] = other
                waiting.append(other)
    return sorted(found.values(), key=lambda each: (each.at, each.id))


def durable_of(memories: Reads, record: Record) -> Record:
    """The durable memory of a turn that was met elsewhere, else the record itself."""
    turn, owner = turn_behind(record), owner_of(record)
    if turn is None or not owner:
        return record
    return _kept(memories, record, shared_turn_id(*turn)) or record


def _kept(memories: Reads, near: Record, id: str) -> Record | None:
    owner = owner_of(near)
    return memories.read(id, namespace=owner, scope=Scope.DURABLE) if owner else None


def chains_of(memories: Reads, records: Iterable[Record]) -> list[list[Record]]:
    """The histories of some memories that have one, each once."""
    chains: list[list[Record]] = []
    shown: set[tuple[str, str]] = set()
    for record in records:
        kept = durable_of(memories, record)
        if (kept.collection, kept.id) in shown:
            continue
        chain = chain_of(memories, kept)
        shown |= {(one.collection, one.id) for one in chain}
        if len(chain) > 1:
            chains.append(chain)
    return chains


def show_chains(output: Output, chains: Sequence[Sequence[Record]]) -> None:
    """Each history, old to new; what holds is the last."""
    if not chains:
        output.say("None of these replaced anything, and nothing replaced them.")
    for chain in chains:
        rows = [
            (
                local_time(one.at),
                one.id,
                state_of(one) or "holds",
                ("→ " if place else "") + output.brief(one.text, 200),
            )
            for place, one in enumerate(chain)
        ]
        output.table(("when", "id", "state", "text"), rows)


def state_of(record: Record) -> str:
    """Whether a memory is outdated, since when and by which; empty when it holds."""
    told = TurnMetadata.of(record)
    if not told.is_outdated:
        return ""
    since = f" since {local_time(told.superseded_at)}" if told.superseded_at is not None else ""
    return f"outdated{since}, by {one_line(told.superseded_by or '')}"


def current_first(records: Sequence[Record]) -> list[Record]:
    """Memories in their order, the outdated ones behind all that hold."""
    return sorted(records, key=lambda record: TurnMetadata.of(record).is_outdated)
