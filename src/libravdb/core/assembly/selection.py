"""Which memories enter a prompt: by rank, as far as they fit, each once, and steady from turn to turn.

Candidates go through a tuple of sieves; each says in words why something does not pass, or says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from libravdb.core.assembly.already_shown import Seen, identities
from libravdb.core.assembly.budget import Growing, Scale
from libravdb.core.assembly.render import FRAMES, Entry, Kin, entry_of_record, framed, joined, kin_of
from libravdb.model import Chosen, Hit, LeftOut, Record, SectionKind, Why
from libravdb.model.record_ids import split_shared_turn_id
from libravdb.model.turn_metadata import TurnMetadata, turn_behind
from libravdb.text.tokens import prompt_tokens

TAG = 16
"""Tokens that the tags of an entry take, about."""

STANDING = "standing_wish"
"""The part of a score that marks what stands in every prompt, whatever is asked."""

Refusal = tuple[Why, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What was chosen, in the order in which it stands, and what was left out.

    `pieces` are the lines of its frame, `parts` what each hit adds to it. `is_standing` when an earlier call of the
    same turn has put it there.
    """

    hits: tuple[Hit, ...]
    parts: tuple[str, ...]
    pieces: tuple[str, ...]
    tokens: int
    left_out: tuple[LeftOut, ...]
    is_standing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortlist:
    """Candidates in rank order with all that decides about them.

    `before` is what the last assembly chose; with `is_same_turn` it is chosen again and nothing else. `superseding`
    holds, for each outdated memory that has its successor among the candidates, that successor's id. `recovered` come
    first, and may take `reserve` tokens.
    """

    seen: Seen
    floor: float
    measure: Callable[[Hit], float]
    before: Sequence[Chosen] = ()
    is_same_turn: bool = False
    silence: str = ""
    superseding: Mapping[tuple[str, str], str] = field(default_factory=dict)
    recovered: Sequence[Hit] = ()
    reserve: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A hit that may stand in a prompt, as its entry would."""

    hit: Hit
    entry: Entry
    kin: Kin

    def part(self, others: Collection[Kin]) -> str:
        """What it adds to a frame in which these kin stand."""
        return self.entry.continued if self.kin in others else self.entry.line

    def continues(self, other: Offer) -> bool:
        """Whether it stands in the entry of the one before it: it is of its kin, and was not said earlier."""
        return self.kin == other.kin and self.hit.record.at >= other.hit.record.at


def offer(hit: Hit, kind: SectionKind) -> Offer:
    """A hit with its entry. Guidance stands alone: which of two rules is newer must be told."""
    entry = entry_of_record(hit.record)
    is_alone = kind is SectionKind.ELEVATED
    kin = (hit.record.collection, hit.record.id) if is_alone else kin_of(hit.record, entry)
    return Offer(hit=hit, entry=entry, kin=kin)


def grouped(offers: Sequence[Offer]) -> list[list[Offer]]:
    """Offers in their order, those together that stand in one entry."""
    groups: list[list[Offer]] = []
    for one in offers:
        if groups and one.continues(groups[-1][-1]):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def parts_of(offers: Sequence[Offer]) -> tuple[str, ...]:
    """What each adds to a frame in which they stand in this order."""
    groups = grouped(offers)
    return tuple(one.entry.line if one is group[0] else one.entry.continued for group in groups for one in group)


Sieve = Callable[[Hit, Shortlist], Refusal | None]


def is_silent(_: Hit, shortlist: Shortlist) -> Refusal | None:
    """Nothing is relevant, so nothing is shown."""
    return (Why.SCORE, shortlist.silence) if shortlist.silence else None


def is_empty(hit: Hit, _: Shortlist) -> Refusal | None:
    """It has no words."""
    return None if hit.record.text.strip() else (Why.SCORE, "it says nothing")


def is_below_floor(hit: Hit, shortlist: Shortlist) -> Refusal | None:
    """It scores less than what counts at all."""
    value = shortlist.measure(hit)
    if value >= shortlist.floor:
        return None
    return Why.SCORE, f"{value:.2f} is below {shortlist.floor:.2f}"


def is_visible(hit: Hit, shortlist: Shortlist) -> Refusal | None:
    """The model sees it anyway."""
    where = shortlist.seen.find(hit.record)
    return (Why.VISIBLE, f"it stands in {where}") if where else None


def is_superseded(hit: Hit, shortlist: Shortlist) -> Refusal | None:
    """A newer statement is at hand."""
    for identity in identities(hit.record) if shortlist.superseding else ():
        if newer := shortlist.superseding.get(identity):
            return Why.SUPERSEDED, f"{newer} says it anew"
    return None


def is_late(hit: Hit, shortlist: Shortlist) -> Refusal | None:
    """It was not chosen when this turn began, and a turn keeps its choice."""
    if not shortlist.is_same_turn or any(one.id == name_of(hit.record) for one in shortlist.before):
        return None
    return Why.SAME_TURN, "it was not chosen when this turn began"


SIEVES: tuple[Sieve, ...] = (is_empty, is_silent, is_superseded, is_visible, is_below_floor)
SIEVES_OF_A_TURN: tuple[Sieve, ...] = (is_late, is_visible)
"""A turn that has chosen sticks to it, whatever recall says now."""


def choose(
    hits: Sequence[Hit],
    shortlist: Shortlist,
    kind: SectionKind,
    *,
    scale: Scale,
    room: int,
    margin: float = 0.0,
    thrift: float = 0.0,
) -> Choice:
    """Pack hits into a frame in rank order, skipping what does not fit `room`; what is taken counts as seen.

    What was chosen before ranks as if it scored better by `margin`, and keeps its place in the order; what is long
    ranks as if it scored less. Recovered turns come first, as far as their reserve goes.
    """
    kept = min(room, shortlist.reserve)
    ranked = _ranked(hits, shortlist, margin=margin, thrift=thrift)
    sieves = SIEVES_OF_A_TURN if shortlist.is_same_turn else SIEVES
    unasked = tuple(sieve for sieve in sieves if sieve is not is_silent)  # silence is about what recall has seen
    offered = [(hit, kept, unasked) for hit in shortlist.recovered] + [(hit, room, sieves) for hit in ranked]
    frame = Growing(scale, FRAMES[kind].opening, FRAMES[kind].closing)
    taken: dict[str, Offer] = {}
    kin: set[Kin] = set()
    left_out: list[LeftOut] = []
    for hit, most, asked in offered:
        if name_of(hit.record) in taken:
            continue  # a standing wish that is close to the question, too
        refusal = next((found for sieve in asked if (found := sieve(hit, shortlist))), None)
        if refusal:
            left_out.append(left(hit, *refusal))
            continue
        one = offer(hit, kind)
        part = one.part(kin)
        if (cost := frame.price_with(part)) > most:
            reason = f"it would take this part to {cost:,} tokens, {max(0, most):,} are left"
            left_out.append(left(hit, Why.BUDGET, reason))
            continue
        frame.append(part)
        kin.add(one.kin)
        taken[name_of(hit.record)] = one
        shortlist.seen.add_record(hit.record, f"the part {kind.value}")
    return _settled(taken, left_out, shortlist, kind, scale=scale, room=room)


def _settled(
    taken: dict[str, Offer],
    left_out: list[LeftOut],
    shortlist: Shortlist,
    kind: SectionKind,
    *,
    scale: Scale,
    room: int,
) -> Choice:
    """The choice in its final order, weighed once more: what stood apart before may stand apart still, and a host's
    counter may find another order dearer. What was taken last goes first."""
    while True:
        offers = _in_place(taken, shortlist.before)
        pieces = framed(kind, (joined([one.entry for one in group]).line for group in grouped(offers)))
        cost = scale.price("".join(pieces)) if pieces else 0
        if cost <= room or not taken:
            break
        _, last = taken.popitem()
        reason = f"this part takes {cost:,} tokens with it, {max(0, room):,} are left"
        left_out.append(left(last.hit, Why.BUDGET, reason))
    return Choice(
        hits=tuple(one.hit for one in offers),
        parts=parts_of(offers),
        pieces=pieces,
        tokens=cost,
        left_out=tuple(left_out),
    )


def _ranked(hits: Sequence[Hit], shortlist: Shortlist, *, margin: float, thrift: float) -> list[Hit]:
    """Best first; equal scores as they came, which is how recall broke the tie."""
    kept = {one.id for one in shortlist.before}
    if shortlist.is_same_turn:
        order = {one.id: place for place, one in enumerate(shortlist.before)}
        return sorted(hits, key=lambda hit: order.get(name_of(hit.record), len(order)))

    def worth(hit: Hit) -> float:
        score = score_of(hit) + (margin if kept and name_of(hit.record) in kept else 0.0)
        return score / math.pow(prompt_tokens(hit.record.text) + TAG, thrift)

    return sorted(hits, key=lambda hit: -worth(hit))


def _in_place(taken: Mapping[str, Offer], before: Sequence[Chosen]) -> tuple[Offer, ...]:
    """What stood there before keeps its order, and stands before what is new; of that kin stand together, in the order
    in which they were said, and those first that may continue what stands there. Standing wishes come first, by time:
    their place depends on nothing else."""
    wishes = sorted(
        (one for one in taken.values() if STANDING in one.hit.breakdown),
        key=lambda one: (one.hit.record.at, one.hit.record.id),
    )
    if wishes:
        rest = {name: one for name, one in taken.items() if STANDING not in one.hit.breakdown}
        return *wishes, *_in_place(rest, before)
    names = [name for name in dict.fromkeys(one.id for one in before) if name in taken]
    kept, known = [taken[name] for name in names], set(names)
    groups: dict[Kin, list[Offer]] = {kept[-1].kin: []} if kept else {}
    for name, one in taken.items():
        if name not in known:
            groups.setdefault(one.kin, []).append(one)
    for group in groups.values():
        group.sort(key=lambda one: (one.hit.record.at, one.hit.record.id))
    return *kept, *(one for group in groups.values() for one in group)


def superseding(hits: Sequence[Hit], seen: Seen) -> dict[tuple[str, str], str]:
    """For each memory that is marked as outdated, its successor, if that is among the hits or seen already.

    The mark counts for the same turn in every collection it stands in.
    """
    present = {hit.record.id for hit in hits}
    found: dict[tuple[str, str], str] = {}
    for hit in hits:
        newer = TurnMetadata.of(hit.record).superseded_by
        if newer is not None and newer != hit.record.id and (newer in present or _is_seen(newer, seen)):
            found.update(dict.fromkeys(identities(hit.record), newer))
    return found


def _is_seen(id: str, seen: Seen) -> bool:
    """Whether the turn that a durable memory came from stands in the prompt: its id names session and turn."""
    return seen.holds(*split_shared_turn_id(id))


def name_of(record: Record) -> str:
    """What a memory is called across assemblies: by its turn, since one that is folded leaves its session and is met in
    the history from then on; else by its id, which is unique within a collection only."""
    turn = None if TurnMetadata.of(record).is_excerpt else turn_behind(record)
    return f"{record.collection}/{record.id}" if turn is None else f"turn {turn.session}/{turn.id}"


def score_of(hit: Hit) -> float:
    """A score that can be compared, shown and stored: what is no number, or negative, counts as 0."""
    return finite(hit.score)


def similarity_of(hit: Hit) -> float:
    """sim(q, s): the cosine where one was measured, else the score."""
    return finite(hit.breakdown.get("cosine", hit.score))


def finite(value: float) -> float:
    """The number itself, or 0 for what is negative or none."""
    return value if math.isfinite(value) and value > 0 else 0.0


def left(hit: Hit, why: Why, reason: str) -> LeftOut:
    """A hit that is left out."""
    return LeftOut(id=hit.record.id, collection=hit.record.collection, why=why, reason=reason, score=score_of(hit))


def left_record(record: Record, why: Why, reason: str) -> LeftOut:
    """A record that is left out without having been ranked."""
    return LeftOut(id=record.id, collection=record.collection, why=why, reason=reason)
