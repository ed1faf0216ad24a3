"""Raw recovery: when ranking found nothing worth much, the raw turns get a small place of their own."""

from __future__ import annotations

from collections.abc import Sequence

from libravdb.model import Hit
from libravdb.recall.settings import RecallSettings

LOW_CONFIDENCE = 0.5
"""A summary that stands for its turns no better than this is no answer by itself."""


def needs_raw(hits: Sequence[Hit], settings: RecallSettings) -> str:
    """In words why raw turns should be searched; empty when there is no need.

    There is when nothing was found, when the best score is below `weak`, or when only summaries of low confidence were.
    """
    if not hits:
        return "nothing was found"
    best = max(hit.score for hit in hits)
    if best < settings.weak:
        return f"the best score is {best:.2f}, below {settings.weak:.2f}"
    if all(_is_doubtful(hit) for hit in hits):
        return "only summaries of low confidence were found"
    return ""


def reserve(budget: int, settings: RecallSettings) -> int:
    """Tokens kept for raw turns: a share of the memory budget, within bounds, and never more than there is."""
    share = round(max(budget, 0) * settings.reserve_share)
    return min(max(share, settings.reserve_least), settings.reserve_most, max(budget, 0))


def _is_doubtful(hit: Hit) -> bool:
    if hit.record.metadata.get("type") != "summary":
        return False
    confidence = hit.record.metadata.get("confidence")
    return not isinstance(confidence, int | float) or confidence < LOW_CONFIDENCE
