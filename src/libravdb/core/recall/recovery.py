"""Raw recovery: when ranking found nothing worth much, the raw turns get a small place of their own."""

from __future__ import annotations

from collections.abc import Sequence

from libravdb.core.recall.settings import RecallSettings
from libravdb.model import Hit, Record
from libravdb.model.turn_metadata import TurnMetadata

LOW_CONFIDENCE = 0.5
"""A summary that stands for its turns no better than this is no answer by itself."""


def needs_raw(hits: Sequence[Hit], settings: RecallSettings) -> str:
    """In words why raw turns should be searched; empty when there is no need.

    There is when nothing was found, when the strongest evidence is below `weak`, or when only summaries of low
    confidence were found.
    """
    if not hits:
        return "nothing was found"
    best = max(strength(hit) for hit in hits)
    if best < settings.weak:
        return f"the strongest evidence is {best:.2f}, below {settings.weak:.2f}"
    if all(_is_doubtful(hit) for hit in hits):
        return "only summaries of low confidence were found"
    return ""


def strength(hit: Hit) -> float:
    """How strongly a hit speaks to the question, whatever its rivals are; what was not measured counts by its score."""
    return max(hit.breakdown.get("strength", hit.score), 0.0)


def bare_summaries(hits: Sequence[Hit], *, foremost: int) -> list[Record]:
    """The summaries among the foremost hits of whose turns none was found."""
    turns = [hit.record for hit in hits if not TurnMetadata.of(hit.record).is_summary]
    found = [hit.record for hit in hits[:foremost] if TurnMetadata.of(hit.record).is_summary]
    return [summary for summary in found if not any(is_behind(turn, summary) for turn in turns)]


def is_behind(turn: Record, summary: Record) -> bool:
    """True when a turn lies in the stretch of its session that a summary stands for.

    Clusters are contiguous in time, so the times of the earliest and the latest turn bound them at every level.
    """
    told = TurnMetadata.of(summary)
    if told.source_span is None or TurnMetadata.of(turn).session != told.session:
        return False
    first, last = told.source_span
    return first <= turn.at <= last


def reserve(budget: int, settings: RecallSettings) -> int:
    """Tokens kept for raw turns: a share of the memory budget, within bounds, and never more than there is."""
    share = round(max(budget, 0) * settings.reserve_share)
    return min(max(share, settings.reserve_least), settings.reserve_most, max(budget, 0))


def _is_doubtful(hit: Hit) -> bool:
    told = TurnMetadata.of(hit.record)
    return told.is_summary and told.confidence < LOW_CONFIDENCE
