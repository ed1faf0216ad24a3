"""Bundles: turns of a session that are to be kept or folded together.

A question and what answers it belong together. An answer and the *next* question do not: otherwise every chat would be
one endless bundle, and nothing of it could ever be folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from libravdb.model import Bundle, Role, Turn
from libravdb.model.turn_metadata import bundle_in


def in_order(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Turns by the time they were said; those of one moment stay as they arrived."""
    return tuple(sorted(turns, key=lambda turn: turn.at))


def bundle(turns: Sequence[Turn]) -> tuple[Bundle, ...]:
    """The bundles of turns in order: each turn stands in exactly one, and bundles follow each other without a gap.

    A bundle begins with a user turn and reaches to the next one. Turns that share a `continuity_bundle_id` are in one
    bundle, with all that stands between them.
    """
    keys = [bundle_in(turn.metadata) for turn in turns]
    last = {key: place for place, key in enumerate(keys) if key}
    bundles: list[Bundle] = []
    start, reach, reason = 0, 0, ""
    for place, turn in enumerate(turns):
        if turn.role is Role.USER and place > reach:
            bundles.append(Bundle(start=start, end=place, reason=reason))
            start, reason = place, ""
        key = keys[place]
        if key and last[key] > place:
            reach, reason = max(reach, last[key]), f"they share the bundle {key!r}"
        elif not reason:
            reason = _reason(turn)
    if turns:
        bundles.append(Bundle(start=start, end=len(turns), reason=reason))
    return tuple(bundles)


def step_starts(turns: Sequence[Turn], each: Bundle) -> list[int]:
    """Where the steps of a bundle begin, behind its first turn: a step is a message with all results of its calls."""
    return [place for place in range(each.start + 1, each.end) if turns[place].role is not Role.TOOL]


def _reason(turn: Turn) -> str:
    return "a question and what answers it" if turn.role is Role.USER else "what came before the first question"
