"""What a prompt takes from memory: guidance, summaries and what was recalled, each within its room."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from libravdb.core.assembly.context import AssemblyContext
from libravdb.core.assembly.covered_turns import coverage_of, places_of
from libravdb.core.assembly.excerpts import CUT, stems_of
from libravdb.core.assembly.render import FRAMES, ParsedFrame, entry_of_record, framed
from libravdb.core.assembly.selection import (
    STANDING,
    Choice,
    Offer,
    Shortlist,
    choose,
    is_same_subject,
    left,
    left_record,
    name_of,
    offer,
    parts_of,
    similarity_of,
    strength_of,
)
from libravdb.model import Chosen, Hit, Record, SectionKind, Why

MANY_WISHES = 12
"""Standing wishes beyond which some are shown for their closeness to the question alone."""


def choose_elevated(desk: AssemblyContext, room: int) -> Choice:
    """E*(q): standing wishes, the newest first as far as there is room, then protected guidance with sim(q, s) > θ1."""
    above = math.nextafter(desk.settings.elevated_floor, math.inf)
    return _chosen(desk, SectionKind.ELEVATED, desk.material.elevated, room=room, floor=above)


def _first(desk: AssemblyContext, kind: SectionKind, hits: Sequence[Hit]) -> Sequence[Hit]:
    """What comes before everything that is ranked: recovered turns, or standing wishes."""
    if kind is SectionKind.RECALLED:
        return desk.material.recovered
    return [hit for hit in hits if STANDING in hit.breakdown]


def _wish_room(hits: Sequence[Hit], *, room: int, floor: float) -> int:
    """What standing wishes may take: all, or two thirds where something else is close to the question."""
    wishes = {hit.record.id for hit in hits if STANDING in hit.breakdown}
    is_asked = any(hit.record.id not in wishes and similarity_of(hit) >= floor for hit in hits)
    return room * 2 // 3 if is_asked or len(wishes) > MANY_WISHES else room


def choose_recalled(desk: AssemblyContext, room: int) -> Choice:
    """Proj(V_rest, q): what recall found, unless it says that nothing is relevant; before it the raw turns that were
    recovered, within their reserve."""
    return _chosen(desk, SectionKind.RECALLED, desk.material.recalled, room=room, floor=desk.material.floor)


def _before(desk: AssemblyContext, kind: SectionKind) -> Sequence[Chosen]:
    """What the last prompt chose."""
    if desk.material.previous is None:
        return ()
    is_recall = kind is SectionKind.RECALLED
    return desk.material.previous.recalled if is_recall else desk.material.previous.elevated


def _chosen(desk: AssemblyContext, kind: SectionKind, hits: Sequence[Hit], *, room: int, floor: float) -> Choice:
    standing = _standing(desk, kind, hits, room=room)
    if standing is not None:
        return standing
    is_recall = kind is SectionKind.RECALLED
    before = _before(desk, kind)
    shortlist = Shortlist(
        seen=desk.seen,
        floor=floor,
        measure=strength_of if is_recall else similarity_of,
        before=before,
        is_same_turn=desk.is_same_turn,
        is_same_subject=not is_recall or is_same_subject(hits, before),
        silence=desk.material.silence if is_recall else "",
        recovered=_first(desk, kind, hits),
        reserve=desk.material.reserve if is_recall else _wish_room(hits, room=room, floor=floor),
        margin=desk.settings.margin,
        thrift=desk.settings.thrift,
        share=desk.settings.memory_share if is_recall else 0.0,
        stems=stems_of(desk.material.prompt) if is_recall else (),
    )
    ranked = [hit for hit in hits if STANDING not in hit.breakdown]
    return choose(ranked, shortlist, kind, scale=desk.scale, room=room, today=desk.today)


def _standing(desk: AssemblyContext, kind: SectionKind, hits: Sequence[Hit], *, room: int) -> Choice | None:
    """What an earlier call of this turn put into the host's messages stays as it is, byte for byte, if it still fits.

    None when no earlier call left anything; a call that left another part but not this one chose nothing here.
    """
    blocks = [block for block in desk.history.blocks if block.kind is kind]
    if not desk.history.blocks:
        return None
    text = "".join(block.text for block in blocks)
    tokens = desk.scale.price(text) if text else 0
    if tokens > room:
        return None
    if kind is SectionKind.RECALLED:
        hits = (*desk.material.recovered, *hits)
    known = {one.id for one in _before(desk, kind)}
    offers = sorted((offer(hit, kind) for hit in hits), key=lambda one: name_of(one.hit.record) not in known)
    told = dict.fromkeys(
        (entry.heading, line.who, line.text) for block in blocks for entry in block.entries for line in entry.lines
    )
    kept = [one for heading, who, text in told if (one := _offer_of(offers, heading, who, text))]
    for one in kept:
        desk.seen.add_record(one.hit.record, f"the part {kind.value}")
    found = tuple(one.hit for one in kept)
    late = (hit for hit in hits if hit not in found)
    return Choice(
        hits=found,
        parts=parts_of(kept),
        pieces=_pieces_of(blocks),
        tokens=tokens,
        left_out=tuple(left(hit, Why.SAME_TURN, "it was not chosen when this turn began") for hit in late),
        is_standing=True,
    )


def _offer_of(offers: Sequence[Offer], heading: tuple[str, ...], who: str, text: str) -> Offer | None:
    """The first offer that stands there so, whole or as a passage."""
    same = [one for one in offers if (one.entry.heading, one.line.who) == (heading, who)]
    whole = next((one for one in same if one.line.text == text), None)
    passage = text.strip(CUT)
    if whole is not None or not passage or passage == text:
        return whole
    part = next((one for one in same if passage in one.line.text), None)
    return None if part is None else replace(part, entry=replace(part.entry, lines=(replace(part.line, text=text),)))


def _pieces_of(blocks: Sequence[ParsedFrame]) -> tuple[str, ...]:
    pieces: list[str] = []
    for block in blocks:
        pieces += (block.opening, *(entry.shown for entry in block.entries), FRAMES[block.kind].closing)
    return tuple(pieces)


def choose_summaries(desk: AssemblyContext, room: int, shown: Collection[int], *, is_steady: bool = False) -> Choice:
    """The newest summaries that fit, oldest first; one stays while any of its turns is unseen.

    They begin with the one that they began with in the prompt before while that fits, so that new ones only come behind
    them; when it does not, half of the room is left free for what comes. `is_steady`: what stood there stands again.
    """
    past = desk.history.past
    offered = (*desk.material.folded_summaries, *desk.material.summaries) if is_steady else desk.material.summaries
    at = places_of(past) if offered else {}
    seen = {one.id for one in offered if coverage_of(one, past, at).is_seen(shown)}
    unseen = [record for record in offered if record.id not in seen]
    before = desk.material.previous.summaries if desk.material.previous else ()
    kept = _from(unseen, before, is_steady=is_steady)
    if (not kept and not is_steady) or _price(desk, kept) > room:
        kept = _newest(desk, unseen, room // 2 if before else room) or _newest(desk, unseen, room)
    for record in kept:
        desk.seen.add_record(record, "the summaries")
    lines = [entry_of_record(record).shown for record in kept]
    pieces = framed(SectionKind.SUMMARIES, lines)
    names = {record.id for record in kept}
    return Choice(
        hits=tuple(Hit(record=one, score=0.0, breakdown={}, reasons=("stands for older turns",)) for one in kept),
        parts=tuple(lines),
        pieces=pieces,
        tokens=desk.scale.price("".join(pieces)) if pieces else 0,
        left_out=tuple(
            left_record(one, Why.VISIBLE, "all of its turns stand in the conversation")
            if one.id in seen
            else left_record(one, Why.BUDGET, f"summaries have {max(0, room):,} tokens")
            for one in reversed(desk.material.summaries)
            if one.id not in names
        ),
    )


def _from(unseen: Sequence[Record], before: Sequence[str], *, is_steady: bool) -> list[Record]:
    """The summaries from the first one on that stood there before."""
    if is_steady:
        known = {record.id: record for record in unseen}
        return [known[name] for name in before if name in known]
    first = next((place for place, record in enumerate(unseen) if record.id in before[:1]), len(unseen))
    return list(unseen[first:])


def _newest(desk: AssemblyContext, unseen: Sequence[Record], room: int) -> list[Record]:
    """The newest that fit, without a gap; what is too long by itself is left out."""
    kept: list[Record] = []
    for record in reversed(unseen):
        if _price(desk, [record, *kept]) > room:
            if kept:
                break
            continue
        kept.insert(0, record)
    return kept


def _price(desk: AssemblyContext, records: Sequence[Record]) -> int:
    pieces = framed(SectionKind.SUMMARIES, (entry_of_record(record).shown for record in records))
    return desk.scale.price("".join(pieces)) if pieces else 0
