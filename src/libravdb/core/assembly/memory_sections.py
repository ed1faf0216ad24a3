"""What a prompt takes from memory: guidance, summaries and what was recalled, each within its room."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from libravdb.core.assembly.budget import Growing
from libravdb.core.assembly.context import AssemblyContext
from libravdb.core.assembly.covered_turns import coverage_of
from libravdb.core.assembly.excerpts import CUT, stems_of
from libravdb.core.assembly.render import FRAMES, ParsedFrame, entry_of_record
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
from libravdb.model import Chosen, Hit, LeftOut, SectionKind, Why

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
    """The newest summaries that fit, oldest first; one stays while any of its turns is unseen. `is_steady`: what the
    prompt before took is taken again."""
    before = desk.material.previous.summaries if is_steady and desk.material.previous else None
    taken: list[Hit] = []
    refused: list[LeftOut] = []
    frame = Growing(desk.scale, FRAMES[SectionKind.SUMMARIES].opening, FRAMES[SectionKind.SUMMARIES].closing)
    for record in reversed(desk.material.summaries):
        line = entry_of_record(record).shown
        if coverage_of(record, desk.history.past).is_seen(shown):
            refused.append(left_record(record, Why.VISIBLE, "all of its turns stand in the conversation"))
        elif (before is None or record.id in before) and frame.price_with(line) <= room:
            frame.prepend(line)
            taken.insert(0, Hit(record=record, score=0.0, breakdown={}, reasons=("stands for older turns",)))
        else:
            refused.append(left_record(record, Why.BUDGET, f"summaries have {max(0, room):,} tokens"))
    while taken and frame.price > room:  # a host's counter may find an older summary in front dearer
        frame = Growing(desk.scale, FRAMES[SectionKind.SUMMARIES].opening, FRAMES[SectionKind.SUMMARIES].closing)
        refused.append(left_record(taken.pop(0).record, Why.BUDGET, "too dear in its place"))
        for hit in taken:
            frame.append(entry_of_record(hit.record).shown)
    for hit in taken:
        desk.seen.add_record(hit.record, "the summaries")
    return Choice(
        hits=tuple(taken),
        parts=frame.pieces[1:-1],
        pieces=frame.pieces,
        tokens=frame.price,
        left_out=tuple(refused),
    )
