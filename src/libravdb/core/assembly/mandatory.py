"""What stands in every prompt: hard rules and the last turns; with them the claims that are served in between.

Soft rules and the profile come after the mandatory part of the tail and before the rest of it, so all are settled here:
the profile keeps its bytes while a conversation grows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from libravdb.core.assembly.budget import Growing, share_of, soft_room
from libravdb.core.assembly.context import AssemblyContext, ProfilePart, Rules, tail_steps
from libravdb.core.assembly.profile_section import ProfileOffer
from libravdb.core.assembly.render import (
    DOCUMENT_CLOSING,
    ENTRY_CLOSING,
    FRAMES,
    Entry,
    document_opening,
    entry_of_record,
    entry_of_turn,
    framed,
    rule_line,
    rule_pieces,
    source_of,
    tier_of,
    turn_pieces,
)
from libravdb.core.assembly.selection import left_record
from libravdb.model import ChooseTail, Record, SectionKind, Tail, Tier, Why

CLOSING_SHARE = 0.5
"""Share of the budget that a tail may take to reach back to where summaries end."""

BESIDE_TOKENS = 2_500
"""What a large budget leaves for rules, profile, summaries and memories: they do not grow with it."""

RESERVED = 0.1
"""Share of the budget that a long task leaves free for summaries of its steps."""


def serve_mandatory(desk: AssemblyContext, choose_tail: ChooseTail) -> tuple[Rules, ProfilePart, Tail]:
    """Hard rules and the tail, with the soft rules and the profile that stand between them in precedence."""
    hard = tuple(rule for rule in desk.material.rules if tier_of(rule) is Tier.HARD)
    soft = tuple(rule for rule in desk.material.rules if tier_of(rule) is Tier.SOFT)
    pieces = framed(SectionKind.RULES, rule_pieces(hard))
    hard_tokens = desk.scale.price("".join(pieces)) if pieces else 0
    profile = ProfileOffer(desk)

    @cache
    def served(base: int) -> Rules:
        return _serve_rules(desk, hard, soft, hard_tokens=hard_tokens, base=base)

    def room(base: int) -> int:
        free = desk.material.budget - desk.pinned_tokens - served(base).tokens
        known = max(profile.serve(free - base, is_steady=steady).tokens for steady in (True, False))
        return free - known

    tail = choose_tail(
        [past.turn for past in desk.history.past],
        price=_suffix_price(desk),
        tail_budget=_tail_budget(desk),
        room=room,
        minimum=desk.settings.minimum_turns,
        held=desk.held,
        slack=desk.settings.slack,
        firm=_firm(desk),
        reserve=_summary_reserve(desk),
        cut_price=_cut_price(desk),
    )
    rules = served(tail.base_tokens)
    free = desk.material.budget - desk.pinned_tokens - rules.tokens - tail.base_tokens
    return rules, profile.serve(free, is_steady=tail.start == desk.held), tail


def _serve_rules(
    desk: AssemblyContext, hard: tuple[Record, ...], soft: tuple[Record, ...], *, hard_tokens: int, base: int
) -> Rules:
    """I2*: the longest prefix of the soft rules, in authored order, that fits τ_I2eff.

    The price of soft rules is what the frame costs more with them.
    """
    budget = desk.material.budget
    room = soft_room(budget, share=desk.shares.soft, hard=hard_tokens + desk.pinned_tokens, base=base)
    frame = Growing(
        desk.scale,
        "".join((FRAMES[SectionKind.RULES].opening, *rule_pieces(hard))),
        DOCUMENT_CLOSING + FRAMES[SectionKind.RULES].closing,
    )
    taken = 0
    for number, rule in enumerate(soft):
        is_next = number > 0 and source_of(soft[number - 1]) == source_of(rule)
        heading = "" if is_next else (DOCUMENT_CLOSING if number else "") + document_opening(rule)
        if frame.price_with(heading + rule_line(rule)) - hard_tokens > room:
            break
        frame.append(heading + rule_line(rule))
        taken += 1
    reason = f"soft rules have {room:,} tokens, and stand in their order"
    return Rules(
        hard=hard,
        soft=soft[:taken],
        pieces=framed(SectionKind.RULES, (*rule_pieces(hard), *rule_pieces(soft[:taken]))),
        tokens=frame.price if taken else hard_tokens,
        hard_tokens=hard_tokens,
        room=room,
        left_out=tuple(left_record(rule, Why.BUDGET, reason) for rule in soft[taken:]),
    )


def _suffix_price(desk: AssemblyContext) -> Callable[[int], int]:
    """The price of the conversation from a place on: a turn that the host does not show costs its entry in the tail's
    frame, a message costs itself where we choose which ones stay, and nothing where the host keeps them anyway."""
    past = desk.history.past
    frame = Growing(desk.scale, FRAMES[SectionKind.TAIL].opening, FRAMES[SectionKind.TAIL].closing)
    messages, reached = 0, len(past)
    prices = {reached: 0}
    first: Entry | None = None

    def price(place: int) -> int:
        nonlocal messages, reached, first
        for at in range(reached - 1, place - 1, -1):
            step = past[at]
            if step.place is None:
                first = _prepended(frame, entry_of_turn(step.turn), first)
            elif desk.is_window:
                messages += desk.prices[step.place]
            prices[at] = messages + frame.price
        reached = min(reached, place)
        return prices[place]

    return price


def _cut_price(desk: AssemblyContext) -> Callable[[int, int], int]:
    """The price of one turn and, behind it, the conversation from a later place on."""
    past = desk.history.past

    def price(task: int, start: int) -> int:
        steps = (past[task], *past[start:])
        messages = sum(desk.prices[step.place] for step in steps if step.place is not None) if desk.is_window else 0
        pieces = framed(SectionKind.TAIL, turn_pieces(step.turn for step in steps if step.place is None))
        return messages + (desk.scale.price("".join(pieces)) if pieces else 0)

    return price


def _tail_budget(desk: AssemblyContext) -> int:
    """What the tail may take: its share; where older turns were folded half of the budget, and all of a large one but
    what else a prompt needs, so that none falls between it and the summaries and the window moves rarely. It does not
    follow the folds: a tail that shrinks has to move."""
    budget = desk.material.budget
    if not desk.material.summaries:
        return share_of(desk.shares.tail, budget)
    return max(share_of(max(desk.shares.tail, CLOSING_SHARE), budget), budget - BESIDE_TOKENS)


def _summary_reserve(desk: AssemblyContext) -> int:
    """What a task that is cut leaves free for summaries of its own steps, beside those that stand there."""
    if not desk.material.summaries:
        return 0
    return max(0, share_of(RESERVED, desk.material.budget) - _standing_summaries(desk))


def _standing_summaries(desk: AssemblyContext) -> int:
    """What the summaries cost that stand there since this turn began."""
    before = desk.material.previous.summaries if desk.is_same_turn and desk.material.previous else ()
    standing = (entry_of_record(record).shown for record in desk.material.summaries if record.id in before)
    pieces = framed(SectionKind.SUMMARIES, standing)
    return desk.scale.price("".join(pieces)) if pieces else 0


def _prepended(frame: Growing, entry: Entry, first: Entry | None) -> Entry:
    """The entry of a turn that was put before all others, into the first entry if that is of the same day."""
    words = "".join(line.shown for line in entry.lines)
    if first is not None and first.heading == entry.heading:
        frame.prepend(words, behind=1)
    else:
        frame.prepend(words + ENTRY_CLOSING)
        frame.prepend(entry.opening)
    return entry


def _firm(desk: AssemblyContext) -> int | None:
    """In the middle of a turn, what has to be left free for what the turn has chosen already."""
    if not desk.is_same_turn:
        return None
    standing = "".join(block.text for block in desk.history.blocks)
    return (desk.scale.price(standing) if standing else 0) + _standing_summaries(desk)


def gap_pieces(desk: AssemblyContext, tail: Tail, *, free: int) -> tuple[str, ...]:
    """What tells the model that a task is cut, if that fits."""
    if tail.task is None:
        return ()
    left = tail.start - tail.task - 1
    what = "1 turn of a task is" if left == 1 else f"{left:,} turns of a task are"
    pieces = framed(SectionKind.GAP, (f"{what} left out here, between its first message and what follows it.\n",))
    return pieces if desk.scale.price("".join(pieces)) <= free else ()


def tail_pieces(desk: AssemblyContext, tail: Tail) -> tuple[str, ...]:
    """The turns of the tail that the host does not show."""
    hidden = (step.turn for step in tail_steps(desk.history.past, tail) if step.place is None)
    return framed(SectionKind.TAIL, turn_pieces(hidden))
