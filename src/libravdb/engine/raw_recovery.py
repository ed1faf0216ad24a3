"""Raw recovery at work: when recall is weak, or found a summary and none of its turns, the session's raw turns are
searched, and the best of them get a small place of their own in the prompt.

What was folded has left the session's active view. It is still met in the history of its namespace, but there it has
to stand up to everything that was ever said; here it only has to stand up to its own session.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from libravdb.core.recall.recovery import bare_summaries, is_behind, needs_raw, reserve, strength
from libravdb.core.recall.settings import RecallSettings
from libravdb.model import Answer, Hit, Record
from libravdb.model.collections import raw_turns
from libravdb.model.turn_metadata import turn_behind

FOREMOST = 8
"""Hits among which a summary calls for its turns; one that is found further down is no answer anyway."""

MOST_TURNS = 8
"""Raw turns that are offered; more would never fit the reserve."""

SearchRaw = Callable[[str, int], Answer]
"""Searches one collection by name for so many hits, among what the asker may see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """Raw turns in rank order, the tokens that are kept for them, and in words why they were searched."""

    hits: tuple[Hit, ...] = ()
    tokens: int = 0
    why: str = ""


def recover(
    found: Sequence[Hit],
    *,
    session: str,
    budget: int,
    search: SearchRaw,
    settings: RecallSettings,
) -> Recovered:
    """Raw turns of a session, when what was found calls for them: those that are strong themselves, and those behind a
    summary that was found without them."""
    why = needs_raw(found, settings)
    summaries = bare_summaries(found, foremost=FOREMOST)
    if not why and summaries:
        why = f"{_named(summaries)} found, and none of the turns behind it"
    tokens = reserve(budget, settings) if why else 0
    if not tokens:
        return Recovered()
    known = {turn for hit in found if (turn := turn_behind(hit.record)) is not None}
    raw = (hit for hit in search(raw_turns(session), MOST_TURNS).hits if turn_behind(hit.record) not in known)
    chosen = [
        hit
        for hit in raw
        if strength(hit) >= settings.weak or any(is_behind(hit.record, summary) for summary in summaries)
    ]
    hits = tuple(replace(hit, reasons=(f"a raw turn: {why}", *hit.reasons)) for hit in chosen)
    return Recovered(hits=hits, tokens=tokens, why=why) if hits else Recovered()


def _named(summaries: Sequence[Record]) -> str:
    return f"the summary {summaries[0].id} was" if len(summaries) == 1 else f"{len(summaries)} summaries were"
