"""Current before outdated: what replaced a memory stands right before it, and the outdated one says so.

Ranking knows how close a memory is to a question, not whether it still holds: the old address and the new one are
equally close. What was linked when it was said decides here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from libravdb.core.recall.question import Question
from libravdb.model import AttributeKind, Hit, Json, Record
from libravdb.model.turn_metadata import SUPERSEDED_AT, SUPERSEDED_BY, TurnKey, TurnMetadata, turn_behind

EQUAL = 0.0005
"""Scores that differ by less are equally good."""
_BRIEF = 80

Identity = TurnKey | tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Succession:
    """What became of an outdated memory: its direct successor's id, since when, and what holds now.

    `is_shown` tells whether what holds now may be shown although it was not found itself. `is_partial`: the outdated
    memory also states something that still holds; what was replaced is of these `kinds`.
    """

    successor: str
    since: int | None
    current: Record
    is_shown: bool = True
    is_partial: bool = False
    kinds: frozenset[AttributeKind] = frozenset()


def identity(record: Record) -> Identity:
    """The same for every record of one turn, in whatever collection; a sentence of it is something else."""
    turn = None if TurnMetadata.of(record).is_excerpt else turn_behind(record)
    return turn or (record.collection, record.id)


def concerning(
    hits: Sequence[Hit], successions: Mapping[Identity, Succession], question: Question
) -> tuple[list[Hit], dict[Identity, Succession]]:
    """The hits and what became of them, as far as it concerns a question: a memory of which only a part was replaced is
    outdated only for who asks for that part."""
    outdated = {
        name: one for name, one in successions.items() if not one.is_partial or bool(one.kinds & question.asked)
    }
    return [hit if identity(hit.record) in outdated else _unmarked(hit) for hit in hits], outdated


def _unmarked(hit: Hit) -> Hit:
    """A hit as it stands where nothing of it is outdated."""
    if not TurnMetadata.of(hit.record).is_outdated:
        return hit
    kept = {key: value for key, value in hit.record.metadata.items() if key not in (SUPERSEDED_BY, SUPERSEDED_AT)}
    return replace(hit, record=replace(hit.record, metadata=kept))


def arrange(hits: Sequence[Hit], successions: Mapping[Identity, Succession]) -> list[Hit]:
    """Hits with each outdated one marked and right behind what replaced it, unless that ranks higher anyway.

    What replaced it is taken from the hits, or added where it may be shown, and is as strong as what it replaced.
    Nothing is lost, and nothing twice.
    """
    ordered = newer_first(hits)
    places = {identity(hit.record): hit for hit in ordered}
    arranged: list[Hit] = []
    placed: set[Identity] = set()
    for hit in ordered:
        name = identity(hit.record)
        if name in placed:
            continue
        succession = successions.get(name)
        if succession is not None:
            current = identity(succession.current)
            if current not in placed and current != name and (current in places or succession.is_shown):
                arranged.append(_lifted(places.get(current), hit, succession))
                placed.add(current)
        arranged.append(hit if succession is None else _marked(hit, succession))
        placed.add(name)
    strengths = _inherited(hits, successions)
    return [_as_strong(hit, strengths.get(identity(hit.record))) for hit in arranged]


def _inherited(hits: Sequence[Hit], successions: Mapping[Identity, Succession]) -> dict[Identity, float]:
    """How strong the strongest is that each current memory replaced: who asks for the old asks for the new."""
    strengths: dict[Identity, float] = {}
    for hit in hits:
        succession, strength = successions.get(identity(hit.record)), hit.breakdown.get("strength")
        if succession is not None and strength is not None:
            current = identity(succession.current)
            strengths[current] = max(strength, strengths.get(current, 0.0))
    return strengths


def _as_strong(hit: Hit, strength: float | None) -> Hit:
    """A hit that is at least so strong."""
    if strength is None or hit.breakdown.get("strength", -1.0) >= strength:
        return hit
    return replace(hit, breakdown={**hit.breakdown, "strength": strength})


def newer_first(hits: Sequence[Hit]) -> list[Hit]:
    """Hits in their order, and of those that stand together with equal scores the newer first."""
    ordered: list[Hit] = []
    run: list[Hit] = []
    for hit in hits:
        if run and abs(run[0].score - hit.score) >= EQUAL:
            ordered += sorted(run, key=lambda one: -one.record.at)
            run = []
        run.append(hit)
    return ordered + sorted(run, key=lambda one: -one.record.at)


def _lifted(found: Hit | None, outdated: Hit, succession: Succession) -> Hit:
    """What holds now, at least as good as what it replaced."""
    reason = f"replaces what was found: {_quoted(outdated.record)}"
    if found is None:
        score = outdated.score
        return Hit(record=succession.current, score=score, breakdown={"successor": score}, reasons=(reason,))
    return replace(found, score=max(found.score, outdated.score), reasons=(*found.reasons, reason))


def _marked(hit: Hit, succession: Succession) -> Hit:
    since = f" since {day}" if (day := told_day(succession.since)) else ""
    marks: dict[str, Json] = {SUPERSEDED_BY: succession.successor}
    marks |= {SUPERSEDED_AT: succession.since} if succession.since is not None else {}
    return replace(
        hit,
        record=replace(hit.record, metadata={**hit.record.metadata, **marks}),
        breakdown={**hit.breakdown, "outdated": 1.0},
        reasons=(f"outdated{since}: replaced by {_quoted(succession.current)}", *hit.reasons),
    )


def told_day(moment: int | None) -> str:
    """The day of a moment; empty when there is none, or no calendar holds it."""
    if moment is None:
        return ""
    try:
        return datetime.fromtimestamp(moment / 1000, UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return ""


def _quoted(record: Record) -> str:
    text = " ".join(record.text.split())
    return f"“{text if len(text) <= _BRIEF else text[:_BRIEF] + '…'}”"
