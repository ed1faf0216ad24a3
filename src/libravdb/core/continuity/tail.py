"""The recent tail: how much of the end of a conversation stays word for word.

Its mandatory part, T_base, is the last few turns. Beyond that it takes in whole bundles as far as a budget lets it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from libravdb.core.continuity.bundles import bundle
from libravdb.model import Tail, Turn

SuffixPrice = Callable[[int], int]
"""The tokens of the turns from a place on; asked from the end towards the beginning."""


def base_start(turns: Sequence[Turn], minimum: int) -> int:
    """Where T_base begins: the shortest suffix with at least `minimum` turns, or all there are."""
    return max(0, len(turns) - max(0, minimum))


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
) -> Tail:
    """T_recent: the longest bundle-safe suffix that contains T_base and fits
    `min(max(τ_tail, toks(T_base)), room(toks(T_base)))`, where room is `τ − toks(I1) − toks(I2*)`.

    When T_base alone exceeds `tail_budget`, it stays. A bundle that T_base cuts is pulled in wholly if there is room;
    if not, the boundary stays where T_base put it: coupling is a heuristic, the budget is not.

    With `slack` the tail moves in steps instead of with each turn, so that a prompt begins with the same words most of
    the time: it stays at `held`, the place where it began before, while that fits, and when it does not, the share
    `slack` of the budget is left free for what comes. `firm` is given in the middle of a turn: then it stays at `held`
    whatever its own budget, as long as that leaves so many tokens of the room free.
    """
    base = base_start(turns, minimum)
    base_tokens = price(base)
    total = room(base_tokens)
    starts = _starts(turns)
    edge = max((start for start in starts if start <= base), default=0)
    if price(edge) > total:
        return _stopped(base, base_tokens, total, is_split=edge != base)
    limit = min(max(tail_budget, base_tokens), total)
    edges = [start for start in reversed(starts) if start <= edge]
    longest, reason = _longest(edges, price, limit), f"the longest that fits {limit:,} tokens"
    if slack and held is not None and held != longest and held in edges:
        least = (1 - slack) * limit
        if firm is not None and price(held) <= total - firm:
            longest, reason = held, "it stays where it began when this turn began"
        elif price(held) <= limit and 2 * price(held) >= least:
            longest, reason = held, "it begins where it began before"
        elif held < longest:
            longest = _longest(edges, price, int(least))
            reason = f"moved on, with {slack:.0%} of {limit:,} tokens left free so that it can stay there"
    return Tail(
        base=base,
        start=longest,
        base_tokens=base_tokens,
        tokens=price(longest),
        is_split=False,
        reasons=(_base_reason(base_tokens, tail_budget, len(turns) - base), reason, *_pulled(base, edge)),
    )


def _starts(turns: Sequence[Turn]) -> list[int]:
    """Where a tail may begin without cutting a bundle: at the beginning of one, or behind the last."""
    return [*(each.start for each in bundle(turns)), len(turns)]


def _longest(edges: Sequence[int], price: SuffixPrice, limit: int) -> int:
    """The earliest of the edges, given from the last to the first, up to which all fit; the last one in any case."""
    chosen = edges[0]
    for edge in edges[1:]:
        if price(edge) > limit:
            break
        chosen = edge
    return chosen


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


def _pulled(base: int, edge: int) -> tuple[str, ...]:
    return (f"{base - edge} turns more complete the first bundle",) if edge < base else ()
