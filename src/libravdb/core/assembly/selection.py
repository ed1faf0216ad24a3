"""Which memories enter a prompt: by rank, as far as they fit, each once, and in an order that can be read.

Candidates go through a tuple of sieves; each says in words why something does not pass, or says nothing. What passes is
packed in rank order until the room is full, so that a larger budget never holds less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from libravdb.core.assembly.already_shown import Seen, identities, words_of
from libravdb.core.assembly.budget import Growing, Scale, share_of
from libravdb.core.assembly.excerpts import LEAST_PASSAGE, SHORT, best_passage
from libravdb.core.assembly.receipt import PASSAGE
from libravdb.core.assembly.render import FRAMES, Entry, EntryLine, Kin, entry_of_record, framed, joined, kin_of
from libravdb.model import Chosen, Hit, Json, LeftOut, Material, Record, SectionKind, Why
from libravdb.model.record_ids import split_shared_turn_id
from libravdb.model.turn_metadata import SUPERSEDED_AT, SUPERSEDED_BY, TurnMetadata, turn_behind
from libravdb.text.tokens import prompt_tokens

TAG = 8
"""Tokens that a memory costs beside its words, about."""

LEADING = 3
"""The best memories of a question, by which its subject is known."""

PROFILE = "the profile"
"""Where a text stands that is a line of the profile."""

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
    """All that decides about candidates.

    `before` is what the last assembly chose; with `is_same_turn` it is chosen again and nothing else. With
    `is_same_subject` it ranks as if it scored better by `margin`, and keeps its place. `recovered` come first, and may
    take `reserve` tokens. One memory may take `share` of the room; of a longer one the passage is shown that has most
    of the question's words, its `stems`. With a `share` of 0 memories stand whole or not at all. `thrift` lets what is
    long rank as if it scored less.
    """

    seen: Seen
    floor: float
    measure: Measure
    before: Sequence[Chosen] = ()
    is_same_turn: bool = False
    is_same_subject: bool = False
    silence: str = ""
    recovered: Sequence[Hit] = ()
    reserve: int = 0
    margin: float = 0.0
    thrift: float = 0.0
    share: float = 0.0
    stems: Sequence[str] = ()


class Measure(Protocol):
    """What is held against the floor; None when it was not measured."""

    def __call__(self, hit: Hit, /) -> float | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A hit that may stand in a prompt, as its entry would."""

    hit: Hit
    entry: Entry
    kin: Kin

    @property
    def line(self) -> EntryLine:
        """What it says."""
        return self.entry.lines[0]

    def part(self, others: Collection[Kin]) -> str:
        """What it adds to a frame in which these kin stand."""
        return self.entry.continued if self.kin in others else self.entry.shown

    def shortened(self, limit: int, stems: Sequence[str]) -> Offer:
        """The same with the best passage of at most so many tokens, if it is longer."""
        passage = best_passage(self.line.text, limit, stems)
        if passage == self.line.text:
            return self
        reason = f"{PASSAGE}, {len(passage):,} of {len(self.hit.record.text):,} characters"
        told = tuple(one for one in self.hit.reasons if not one.startswith(PASSAGE))
        return replace(
            self,
            hit=replace(self.hit, reasons=(*told, reason)),
            entry=replace(self.entry, lines=(replace(self.line, text=passage),)),
        )


def offer(hit: Hit, kind: SectionKind) -> Offer:
    """A hit with its entry. Guidance stands alone: which of two rules is newer must be told."""
    is_alone = kind is SectionKind.ELEVATED
    entry = entry_of_record(hit.record, is_timed=is_alone)
    kin = (hit.record.collection, hit.record.id) if is_alone else kin_of(hit.record, entry)
    return Offer(hit=hit, entry=entry, kin=kin)


def grouped(offers: Sequence[Offer]) -> list[list[Offer]]:
    """Offers in their order, those together that stand in one entry."""
    groups: list[list[Offer]] = []
    for one in offers:
        if groups and one.kin == groups[-1][-1].kin:
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def parts_of(offers: Sequence[Offer]) -> tuple[str, ...]:
    """What each adds to a frame in which they stand in this order."""
    groups = grouped(offers)
    return tuple(one.entry.shown if one is group[0] else one.entry.continued for group in groups for one in group)


Sieve = Callable[[Hit, Shortlist], Refusal | None]


def is_silent(_: Hit, shortlist: Shortlist) -> Refusal | None:
    """Nothing is relevant, so nothing is shown."""
    return (Why.SCORE, shortlist.silence) if shortlist.silence else None


def is_empty(hit: Hit, _: Shortlist) -> Refusal | None:
    """It has no words."""
    return None if hit.record.text.strip() else (Why.SCORE, "it says nothing")


def is_below_floor(hit: Hit, shortlist: Shortlist) -> Refusal | None:
    """It is weaker than what counts at all."""
    value = shortlist.measure(hit)
    if value is None or value >= shortlist.floor:
        return None
    return Why.SCORE, f"{value:.2f} is below {shortlist.floor:.2f}"


def is_visible(hit: Hit, shortlist: Shortlist) -> Refusal | None:
    """The model sees it anyway."""
    where = shortlist.seen.find(hit.record)
    if where == PROFILE and STANDING in hit.breakdown:
        return None  # "Call me Max" is known of the person, and asked of the agent
    return (Why.VISIBLE, f"it stands in {where}") if where else None


def lacks_successor(hit: Hit, shortlist: Shortlist) -> Refusal | None:
    """It is outdated, and what took its place does not stand in the prompt."""
    newer = TurnMetadata.of(hit.record).superseded_by
    if newer is None or newer == hit.record.id or stands(newer, hit.record, shortlist.seen):
        return None
    return Why.SUPERSEDED, f"{newer} says it anew, and does not stand here"


def is_superseded(hit: Hit, _: Shortlist) -> Refusal | None:
    """It is outdated. What is to be done is told by the newest alone."""
    newer = TurnMetadata.of(hit.record).superseded_by
    return None if newer is None or newer == hit.record.id else (Why.SUPERSEDED, f"{newer} says it anew")


def stands(newer: str, older: Record, seen: Seen) -> bool:
    """Whether the successor of a memory stands in the prompt. It is of the same collection, and the id of one that was
    said names session and turn."""
    return seen.holds(older.collection, newer) or seen.holds(*split_shared_turn_id(newer))


def is_late(hit: Hit, shortlist: Shortlist) -> Refusal | None:
    """It was not chosen when this turn began, and a turn keeps its choice. A standing wish counts from the moment it is
    said: it is never late."""
    is_chosen = any(one.id == name_of(hit.record) for one in shortlist.before)
    if not shortlist.is_same_turn or is_chosen or STANDING in hit.breakdown:
        return None
    return Why.SAME_TURN, "it was not chosen when this turn began"


SIEVES: tuple[Sieve, ...] = (is_empty, is_silent, lacks_successor, is_visible, is_below_floor)
SIEVES_OF_GUIDANCE: tuple[Sieve, ...] = (is_empty, is_superseded, is_visible, is_below_floor)
SIEVES_OF_A_TURN: tuple[Sieve, ...] = (is_visible, is_late, lacks_successor)
"""A turn that has chosen sticks to it, whatever recall says now."""


def choose(
    hits: Sequence[Hit], shortlist: Shortlist, kind: SectionKind, *, scale: Scale, room: int, today: str
) -> Choice:
    """Pack hits into a frame in rank order until `room` is full; what is taken counts as seen.

    Recovered turns come first, as far as their reserve goes.
    """
    sieves = _sieves(kind, shortlist)
    unasked = tuple(sieve for sieve in sieves if sieve is not is_silent)  # silence is about what recall has seen
    frame = Growing(scale, FRAMES[kind].opening_on(today), FRAMES[kind].closing)
    packing = _Packing(shortlist=shortlist, kind=kind, frame=frame, whole=room)
    packing.pack(shortlist.recovered, unasked, most=min(room, shortlist.reserve))
    packing.pack(_ranked(hits, shortlist), sieves, most=room)
    return _settled(packing, scale=scale, room=room, today=today)


def _sieves(kind: SectionKind, shortlist: Shortlist) -> tuple[Sieve, ...]:
    if shortlist.is_same_turn:
        return SIEVES_OF_A_TURN
    return SIEVES_OF_GUIDANCE if kind is SectionKind.ELEVATED else SIEVES


@dataclass(slots=True, kw_only=True)
class _Packing:
    """A frame being filled: what was taken so far, by name, and what was left out."""

    shortlist: Shortlist
    kind: SectionKind
    frame: Growing
    whole: int
    taken: dict[str, Offer] = field(default_factory=dict)
    kin: set[Kin] = field(default_factory=set)
    left_out: list[LeftOut] = field(default_factory=list)

    def pack(self, hits: Sequence[Hit], sieves: Sequence[Sieve], *, most: int) -> None:
        """Take hits in their order. Where one does not fit any more, none after it is tried: a shorter one that got in
        for it would have to go when the room is larger. What must stand whole is skipped instead."""
        is_full = False
        for hit in hits:
            if name_of(hit.record) in self.taken:
                continue  # a standing wish that is close to the question, too
            refusal = next((found for sieve in sieves if (found := sieve(hit, self.shortlist))), None)
            whole = offer(hit, self.kind)
            one = None if refusal or is_full else self._fitting(whole, most)
            if one is not None and one is not whole and (where := self.shortlist.seen.find_text(one.line.text)):
                refusal, one = (Why.VISIBLE, f"its passage stands in {where}"), None
            if one is not None:
                self._take(one)
                continue
            is_full = is_full or (refusal is None and self.shortlist.share > 0)
            full = Why.BUDGET, f"the {max(0, most):,} tokens of this part are taken"
            self.left_out.append(left(hit, *(refusal or full)))

    def _fitting(self, one: Offer, most: int) -> Offer | None:
        """An offer as it fits: whole, or as the passage that there is room for; None when there is no such room."""
        shortlist = self.shortlist
        if shortlist.share > 0:
            one = one.shortened(max(SHORT, share_of(shortlist.share, self.whole)), shortlist.stems)
        over = self.frame.price_with(one.part(self.kin)) - most
        if over <= 0:
            return one
        rest = prompt_tokens(one.line.text) - over - 1  # the marks of a cut
        if shortlist.share <= 0 or rest < LEAST_PASSAGE:
            return None
        one = one.shortened(rest, shortlist.stems)
        return one if self.frame.price_with(one.part(self.kin)) <= most else None

    def _take(self, one: Offer) -> None:
        self.frame.append(one.part(self.kin))
        self.kin.add(one.kin)
        self.taken[name_of(one.hit.record)] = one
        self.shortlist.seen.add_record(one.hit.record, f"the part {self.kind.value}")
        self.shortlist.seen.add_text(one.line.text, f"the part {self.kind.value}")


def _settled(packing: _Packing, *, scale: Scale, room: int, today: str) -> Choice:
    """The choice in its final order, weighed once more: a host's counter may find another order dearer. What was taken
    last goes first."""
    shortlist, taken = packing.shortlist, packing.taken
    kept = shortlist.before if shortlist.is_same_turn or shortlist.is_same_subject else ()
    while True:
        offers = in_order(taken, kept)
        entries = (joined([one.entry for one in group]) for group in grouped(offers))
        pieces = framed(packing.kind, (entry.shown for entry in entries), today=today)
        cost = scale.price("".join(pieces)) if pieces else 0
        if cost <= room or not taken:
            break
        _, last = taken.popitem()
        reason = f"this part takes {cost:,} tokens with it, {max(0, room):,} are left"
        packing.left_out.append(left(last.hit, Why.BUDGET, reason))
    return Choice(
        hits=tuple(one.hit for one in offers),
        parts=parts_of(offers),
        pieces=pieces,
        tokens=cost,
        left_out=tuple(packing.left_out),
    )


# ── rank ──────────────────────────────────────────────────────────────────────────────────────────────────


def _ranked(hits: Sequence[Hit], shortlist: Shortlist) -> list[Hit]:
    """Best first; equal scores as they came, which is how recall broke the tie."""
    if shortlist.is_same_turn:
        order = {one.id: place for place, one in enumerate(shortlist.before)}
        return _behind_successors(sorted(hits, key=lambda hit: order.get(name_of(hit.record), len(order))))
    kept = {one.id for one in shortlist.before} if shortlist.is_same_subject else set()

    def worth(hit: Hit) -> float:
        score = score_of(hit) + (shortlist.margin if kept and name_of(hit.record) in kept else 0.0)
        return score / math.pow(prompt_tokens(hit.record.text) + TAG, shortlist.thrift)

    return _behind_successors(_newest(sorted(hits, key=lambda hit: -worth(hit))))


def _newest(ranked: Sequence[Hit]) -> list[Hit]:
    """Of texts that say the same in the same words the newest stands where the best of them ranks; the others, which
    come behind it, are seen already then. What somebody else says is his own, and outdated memories are as they are."""
    same: dict[tuple[str, ...], list[Hit]] = {}
    for hit in ranked:
        told = TurnMetadata.of(hit.record)
        name = hit.record.id if told.is_outdated else ""
        same.setdefault((words_of(hit.record.text), told.role_name, told.speaker, name), []).append(hit)
    if len(same) == len(ranked):
        return list(ranked)
    place = {id(hit): number for number, hit in enumerate(ranked)}
    first = {id(max(each, key=lambda hit: hit.record.at)): place[id(each[0])] for each in same.values()}
    return sorted(ranked, key=lambda hit: (first.get(id(hit), place[id(hit)]), id(hit) not in first))


def _behind_successors(ranked: Sequence[Hit]) -> list[Hit]:
    """Every outdated memory behind what took its place."""
    ids = {hit.record.id for hit in ranked}
    waiting: dict[str, list[Hit]] = {}
    placed: list[Hit] = []
    done: set[str] = set()

    def put(hit: Hit) -> None:
        placed.append(hit)
        done.add(hit.record.id)
        for older in waiting.pop(hit.record.id, ()):
            put(older)

    for hit in ranked:
        newer = TurnMetadata.of(hit.record).superseded_by
        if newer is None or newer not in ids or newer in done or newer == hit.record.id:
            put(hit)
        else:
            waiting.setdefault(newer, []).append(hit)
    return [*placed, *(hit for each in waiting.values() for hit in each)]  # those that outdate one another in a ring


def with_marks(material: Material) -> Material:
    """A material in which every copy of an outdated memory is marked: the mark counts for the same turn in every
    collection it stands in."""
    marks = {
        identity: {
            key: hit.record.metadata[key] for key in (SUPERSEDED_BY, SUPERSEDED_AT) if key in hit.record.metadata
        }
        for hit in (*material.elevated, *material.recovered, *material.recalled)
        if TurnMetadata.of(hit.record).superseded_by is not None
        for identity in identities(hit.record)
    }
    if not marks:
        return material
    elevated, recovered, recalled = (
        tuple(_with_mark(hit, marks) for hit in hits)
        for hits in (material.elevated, material.recovered, material.recalled)
    )
    return replace(material, elevated=elevated, recovered=recovered, recalled=recalled)


def _with_mark(hit: Hit, marks: Mapping[tuple[str, str], Mapping[str, Json]]) -> Hit:
    found = next((marks[one] for one in identities(hit.record) if one in marks), None)
    if found is None or TurnMetadata.of(hit.record).is_outdated:
        return hit
    return replace(hit, record=replace(hit.record, metadata={**hit.record.metadata, **found}))


def is_same_subject(hits: Sequence[Hit], before: Sequence[Chosen]) -> bool:
    """Whether a question is about what the one before was about: the best memories of both are mostly the same."""
    now = {name_of(hit.record) for hit in sorted(hits, key=lambda hit: -score_of(hit))[:LEADING]}
    then = {one.id for one in sorted(before, key=lambda one: -one.score)[:LEADING]}
    return bool(now and then) and 2 * len(now & then) >= min(len(now), len(then))


# ── order ─────────────────────────────────────────────────────────────────────────────────────────────────


def in_order(taken: Mapping[str, Offer], kept: Sequence[Chosen]) -> tuple[Offer, ...]:
    """By subject: those of which something was kept where they stood, then the others by rank; within a subject in the
    order of time, the entry first that begins first. Standing wishes come before all, by time: their place depends on
    nothing else."""
    wishes = [one for one in taken.values() if STANDING in one.hit.breakdown]
    if wishes:
        rest = {name: one for name, one in taken.items() if STANDING not in one.hit.breakdown}
        return *sorted(wishes, key=lambda one: (one.hit.record.at, one.hit.record.id)), *in_order(rest, kept)
    places = {one.id: place for place, one in reversed(list(enumerate(kept)))}
    subjects = _subjects(taken)
    ranks = {name: rank for rank, name in enumerate(taken, start=len(places))}
    first: dict[str, int] = {}
    begun: dict[Kin, int] = {}
    for name, one in taken.items():
        subject = subjects[name]
        first[subject] = min(first.get(subject, len(places) + len(ranks)), places.get(name, ranks[name]))
        begun[one.kin] = min(begun.get(one.kin, one.hit.record.at), one.hit.record.at)

    def place(name: str) -> tuple[int, int, Kin, int, str]:
        one = taken[name]
        return first[subjects[name]], begun[one.kin], one.kin, one.hit.record.at, one.hit.record.id

    return tuple(taken[name] for name in sorted(taken, key=place))


def _subjects(taken: Mapping[str, Offer]) -> dict[str, str]:
    """For each name what it is about: the conversation, joined with the one in which it was said anew."""
    root: dict[str, str] = {}

    def find(one: str) -> str:
        while root.get(one, one) != one:
            one = root[one]
        return one

    own = {name: _subject(one) for name, one in taken.items()}
    by_id = {one.hit.record.id: own[name] for name, one in taken.items()}
    for name, one in taken.items():
        newer = by_id.get(TurnMetadata.of(one.hit.record).superseded_by or "")
        if newer is not None and find(newer) != find(own[name]):
            root[find(own[name])] = find(newer)
    return {name: find(subject) for name, subject in own.items()}


def _subject(one: Offer) -> str:
    session = TurnMetadata.of(one.hit.record).session
    return f"session {session}" if session and one.kin[0] == session else "\0".join(("", *one.kin))


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


def strength_of(hit: Hit) -> float | None:
    """How strong the evidence is by itself, in [0, 1]; None where nobody measured it."""
    told = hit.breakdown.get("strength")
    return None if told is None else finite(told)


def finite(value: float) -> float:
    """The number itself, or 0 for what is negative or none."""
    return value if math.isfinite(value) and value > 0 else 0.0


def left(hit: Hit, why: Why, reason: str) -> LeftOut:
    """A hit that is left out."""
    return LeftOut(id=hit.record.id, collection=hit.record.collection, why=why, reason=reason, score=score_of(hit))


def left_record(record: Record, why: Why, reason: str) -> LeftOut:
    """A record that is left out without having been ranked."""
    return LeftOut(id=record.id, collection=record.collection, why=why, reason=reason)
