"""The recent tail: how much of the end of a conversation stays word for word.

Its mandatory part, T_base, is the last few turns. Beyond that it takes in whole bundles as far as a budget lets it. A
bundle that no tail could hold, a long task of an agent, is cut inside: its task stays, and as many of its last steps as
fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from libravdb.core.continuity.bundles import bundle, step_starts
from libravdb.model import Bundle, Role, Tail, Turn

SuffixPrice = Callable[[int], int]
"""The tokens of the turns from a place on; asked from the end towards the beginning."""

CutPrice = Callable[[int, int], int]
"""The tokens of the turns from the second place on, with the one turn at the first place before them."""

MARKER = 64
"""Tokens that are kept free for the words that tell what is left out inside a bundle."""


RUNNING = 0.2
"""Most of its room that a tail leaves free when it moves in the middle of a turn: an agent must not lose its thread."""


@dataclass(frozen=True, slots=True)
class _Start:
    """A place where a tail may begin, and the task that has to stand before it if that is inside a bundle."""

    place: int
    task: int | None = None


@dataclass(frozen=True, slots=True)
class _Prices:
    """What a tail costs by where it begins."""

    whole: SuffixPrice
    cut: CutPrice

    def of(self, start: _Start) -> int:
        if start.task is None:
            return self.whole(start.place)
        return self.cut(start.task, start.place) + MARKER


def base_start(turns: Sequence[Turn], minimum: int) -> int:
    """Where T_base begins: the shortest suffix with at least `minimum` turns, or all there are; a tool's result never
    stands there without its call."""
    base = max(0, len(turns) - max(0, minimum))
    while 0 < base < len(turns) and turns[base].role is Role.TOOL:
        base -= 1
    return base


def choose_tail(
    turns: Sequence[Turn],
    *,
    price: SuffixPrice,
    tail_budget: int,
    room: Callable[[int], int],
    minimum: int,
    held: int | None = None,
    slack: float = 0.0,
    firm: int | None = None,
    reserve: int = 0,
    cut_price: CutPrice | None = None,
) -> Tail:
    """T_recent: the longest suffix of whole bundles that contains T_base and fits
    `min(max(τ_tail, toks(T_base)), room(toks(T_base)))`, where room is `τ − toks(I1) − toks(I2*)`.

    When T_base alone exceeds `tail_budget`, it stays. A bundle that T_base cuts is pulled in wholly if there is room.
    If there is none, or if it is older and alone larger than a tail, it is cut inside: its first turn, the task, stays,
    and the longest suffix of whole steps that fits.

    With `slack` the tail moves in steps instead of with each turn, so that a prompt begins with the same words most of
    the time: it stays at `held`, the place where it began before, while that fits, and when it does not, the share
    `slack` of the budget is left free for what comes. `firm` is given in the middle of a turn: then it stays at `held`
    whatever its own budget, as long as that leaves so many tokens of the room free, and moves by a part of the room.
    What is cut inside leaves `reserve` tokens of the room free.
    """
    prices = _Prices(price, cut_price or (lambda task, place: price(place) + price(task) - price(task + 1)))
    base = base_start(turns, minimum)
    base_tokens = price(base)
    total = room(base_tokens)
    bundles = bundle(turns)
    first = next((each for each in bundles if each.start <= base < each.end), None)
    edge = base if first is None else first.start
    limit = min(max(tail_budget, base_tokens), total)
    most = total - (firm or 0)
    is_running = price(edge) > total
    if is_running:
        starts: Iterable[_Start] = (steps := _inside(turns, first, upto=base))
        if not steps or prices.of(steps[0]) > total:
            return _stopped(base, base_tokens, total, is_split=edge != base)
        most = limit = max(most - reserve, prices.of(steps[0]))
    elif firm is not None and held is not None:
        starts = _every_start(turns, bundles, edge)
        limit = max(limit, most)
    else:
        starts = _WholeStarts(turns, bundles, edge, prices, limit)
    if firm is not None or is_running:
        start, reason = _kept_on(starts, prices, limit=limit, held=held, slack=min(slack, RUNNING), most=most)
    else:
        start, reason = _settled(starts, prices, limit=limit, held=held, slack=slack)
    return Tail(
        base=base,
        start=start.place,
        base_tokens=base_tokens,
        tokens=prices.whole(start.place) if start.task is None else prices.cut(start.task, start.place),
        is_split=start.task is not None,
        task=start.task,
        limit=limit,
        reasons=(
            _base_reason(base_tokens, tail_budget, len(turns) - base),
            reason,
            *_pulled(base, edge, start),
            *_left_inside(start),
        ),
    )


def _settled(
    starts: Iterable[_Start], prices: _Prices, *, limit: int, held: int | None, slack: float
) -> tuple[_Start, str]:
    """Where the tail begins, and why: where it began before if it may, else the longest that fits."""
    longest, reason = _longest(starts, prices, limit), f"the longest that fits {limit:,} tokens"
    before = _at(starts, held)
    if not slack or before is None or before == longest:
        return longest, reason
    least, price = (1 - slack) * limit, prices.of(before)
    if price <= limit and 2 * price >= least:
        return before, "it begins where it began before"
    if before.place < longest.place:
        return _longest(starts, prices, int(least)), _moved(slack, limit)
    return longest, reason


def _kept_on(
    starts: Iterable[_Start], prices: _Prices, *, limit: int, held: int | None, slack: float, most: int
) -> tuple[_Start, str]:
    """The same in the middle of a turn: it stays whatever its own budget, and when it has to move, it moves by little,
    rather too little than too far."""
    before = _at(starts, held)
    if slack and before is not None and prices.of(before) <= most:
        return before, "it stays where it began when this turn began"
    longest = _longest(starts, prices, limit)
    if not slack or before is None or before.place > longest.place:
        return longest, f"the longest that fits {limit:,} tokens"
    enough = (start for start in starts if (1 - slack) * limit <= prices.of(start) <= limit)
    return next(enough, longest), _moved(slack, limit)


def _moved(slack: float, limit: int) -> str:
    return f"moved on, with {slack:.0%} of {limit:,} tokens left free so that it can stay there"


# ── where it may begin ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _WholeStarts:
    """The beginnings of bundles, from the last to the first; of one that is larger than any tail its steps. Each is
    looked for when it is asked for: a session has hundreds, and few of them fit."""

    turns: Sequence[Turn]
    bundles: Sequence[Bundle]
    edge: int
    prices: _Prices
    limit: int

    def __iter__(self) -> Iterator[_Start]:
        yield _Start(self.edge)
        whole = self.prices.whole
        for each in reversed(self.bundles):
            if each.start >= self.edge:
                continue
            if whole(each.start) - whole(each.end) > self.limit:
                yield from _inside(self.turns, each, upto=each.end - 1)
                return
            yield _Start(each.start)


def _every_start(turns: Sequence[Turn], bundles: Sequence[Bundle], edge: int) -> list[_Start]:
    """Every step of every bundle, from the last to the first: in the middle of a turn a tail shrinks by little."""
    starts: list[_Start] = [_Start(edge)]
    for each in reversed([one for one in bundles if one.start < edge]):
        starts += [*_inside(turns, each, upto=each.end - 1), _Start(each.start)]
    return starts


def _inside(turns: Sequence[Turn], each: Bundle | None, *, upto: int) -> list[_Start]:
    """Where the steps of a bundle begin, from the last to the first; none where it does not begin with a task."""
    if each is None or turns[each.start].role is not Role.USER:
        return []
    return [_Start(place, each.start) for place in reversed(step_starts(turns, each)) if place <= upto]


def _at(starts: Iterable[_Start], place: int | None) -> _Start | None:
    """The one of the starts, given from the last to the first, that is at a place."""
    if place is None:
        return None
    reached = next((start for start in starts if start.place <= place), None)
    return reached if reached is not None and reached.place == place else None


def _longest(starts: Iterable[_Start], prices: _Prices, limit: int) -> _Start:
    """The earliest of the starts, given from the last to the first, up to which all fit; the last one in any case."""
    later = iter(starts)
    chosen = next(later)
    for start in later:
        if prices.of(start) <= limit:
            chosen = start
        elif start.task is None:
            break
    return chosen


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────


def _stopped(base: int, tokens: int, total: int, *, is_split: bool) -> Tail:
    """T_base alone, because there is no room for more."""
    problem = (
        f"the last turns take {tokens:,} tokens, and there is room for {max(0, total):,}"
        if tokens > total
        else f"the rest of the first bundle does not fit {total:,} tokens: it stays cut where the last turns begin"
    )
    return Tail(base=base, start=base, base_tokens=tokens, tokens=tokens, is_split=is_split, reasons=(problem,))


def _base_reason(tokens: int, budget: int, turns: int) -> str:
    over = f", more than the {budget:,} of a tail" if tokens > budget else ""
    return f"the last {turns} turns take {tokens:,} tokens{over}"


def _pulled(base: int, edge: int, start: _Start) -> tuple[str, ...]:
    return (f"{base - edge} turns more complete the first bundle",) if start.place <= edge < base else ()


def _left_inside(start: _Start) -> tuple[str, ...]:
    if start.task is None:
        return ()
    return (f"{start.place - start.task - 1:,} turns are left out between a task and its last steps",)
