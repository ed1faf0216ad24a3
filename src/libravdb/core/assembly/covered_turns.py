"""Which turns of a conversation a summary stands for, at every level."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from libravdb.core.assembly.already_shown import Past
from libravdb.model import Record
from libravdb.model.turn_metadata import TurnMetadata


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The places of a conversation that a summary stands for; `is_whole` when all its turns are among them."""

    places: frozenset[int]
    is_whole: bool

    def is_seen(self, shown: Collection[int]) -> bool:
        """Whether every one of its turns stands at one of these places: then the summary tells nothing more."""
        return self.is_whole and bool(self.places) and all(place in shown for place in self.places)


def places_of(past: Sequence[Past]) -> dict[str, int]:
    """Where each turn of a conversation that has an id stands."""
    return {step.turn.id: place for place, step in enumerate(past) if step.turn.id}


def coverage_of(record: Record, past: Sequence[Past], at: Mapping[str, int]) -> Coverage:
    """What a summary stands for: one of turns names them all, one of summaries its first and its last turn. Where only
    times are known, they tell. `at` tells where each turn stands."""
    told = TurnMetadata.of(record)
    named = told.source_turns
    places = {at[id] for id in named if id in at}
    if not told.is_folded_again:
        return Coverage(places=frozenset(places), is_whole=bool(named) and len(places) == len(set(named)))
    first, last = told.turn_bounds or ("", "")
    if last in at:
        return Coverage(places=frozenset(range(at.get(first, 0), at[last] + 1)), is_whole=first in at)
    span = told.source_span
    if span is not None:
        places |= {place for place, step in enumerate(past) if span[0] <= step.turn.at <= span[1]}
    return Coverage(places=frozenset(places), is_whole=bool(past) and span is not None and past[0].turn.at < span[0])


def is_summary_of(record: Record, session: str) -> bool:
    """Whether a record is a summary of this session, wherever it was found."""
    told = TurnMetadata.of(record)
    return told.is_summary and told.session == session
