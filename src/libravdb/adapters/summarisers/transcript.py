"""What a summariser reads: one line a text, with who said it. Pure, and linear in the length of the texts."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from libravdb.errors import SummariserError
from libravdb.model import SummaryTask

SHORTEST = 40
GAP = "[…]"

_UNREADABLE = re.compile("[\ud800-\udfff\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")


def lines(task: SummaryTask, *, name: str, has_days: bool = False) -> list[str]:
    """`role: text` for every text that says something, each on one line, in any Unicode that came; with `has_days`
    `[day] role: text`, as far as the days are known.

    Raises SummariserError, in the name of the summariser, for a task that asks for nothing.
    """
    if len(task.roles) != len(task.texts):
        raise SummariserError(name, f"is given {len(task.texts)} texts and {len(task.roles)} roles")
    if task.max_tokens < 1:
        raise SummariserError(name, f"may write {task.max_tokens} tokens, and needs at least 1")
    spoken = zip(map(on_one_line, task.roles), map(on_one_line, task.texts), strict=True)
    days = task.days if has_days and len(task.days) == len(task.texts) else ("",) * len(task.texts)
    found = [
        f"{_label(day, role)}{text}" for day, (role, text) in zip(map(on_one_line, days), spoken, strict=True) if text
    ]
    if not found:
        raise SummariserError(name, "is given nothing but empty texts")
    return found


def _label(day: str, role: str) -> str:
    """Who said it when: nothing is told of a day without a speaker."""
    return f"{f'[{day}] ' if day else ''}{role}: " if role else ""


def on_own_lines(text: str) -> str:
    """A text whose lines count: each with single spaces, none of them empty."""
    return "\n".join(filter(None, map(on_one_line, text.splitlines())))


def on_one_line(text: str) -> str:
    """The text with single spaces. Half of a surrogate pair, and characters that only steer a terminal, are replaced:
    no tokenizer reads the one and no reader wants the other."""
    return " ".join(_UNREADABLE.sub("\ufffd", text).split())


def level(sizes: Sequence[int], limit: int) -> int:
    """The largest c with `Σ min(size, c) ≤ limit`: how long each may be when the longest are shortened first.

    The short ones stay whole, and what they do not use goes to the longer ones. At least 1.
    """
    left = limit
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return max(1, share)
        left -= size
    return max(1, *sizes) if sizes else 1


def cut(total: int, capacity: int, *kinds: Sequence[int]) -> list[tuple[int, int]]:
    """`total` tokens in as few windows of at most `capacity` as can be, of nearly equal length.

    `kinds` are the places (ascending) where a cut does no harm, the best kind first, such as the beginnings of lines
    and those of words. A window ends at the best kind that it can reach, as close to an equal share as possible.
    """
    count = max(1, math.ceil(total / capacity))
    found: list[tuple[int, int]] = []
    begin = 0
    for left in range(count - 1, -1, -1):
        ideal = begin + math.ceil((total - begin) / (left + 1))
        lowest, highest = max(begin + 1, total - left * capacity), min(begin + capacity, total)
        end = total if left == 0 else _place(ideal, lowest, highest, kinds)
        found.append((begin, end))
        begin = end
    return found


def _place(ideal: int, lowest: int, highest: int, kinds: Sequence[Sequence[int]]) -> int:
    for places in kinds:
        reached = places[bisect_left(places, lowest) : bisect_right(places, highest)]
        if reached:
            return min(reached, key=lambda place: abs(place - ideal))
    return ideal


def shorten(texts: Sequence[str], *, limit: int) -> list[str]:
    """Texts of about `limit` characters altogether: of the longest the middle is left out, and marked.

    Of more texts than could have 40 characters each, those in the middle are left out.
    """
    fitting = max(1, limit // SHORTEST)
    kept = list(texts)
    if len(kept) > fitting:
        head, tail = _ends(fitting)
        kept = [*kept[:head], GAP, *kept[len(kept) - tail :]]
    most = level([len(text) for text in kept], limit)
    return [text if len(text) <= most else _without_middle(text, most) for text in kept]


def _without_middle(text: str, most: int) -> str:
    head, tail = _ends(most)
    return f"{text[:head]} {GAP} {text[len(text) - tail :]}".rstrip()


def _ends(room: int) -> tuple[int, int]:
    """Two thirds of the room for the beginning, the rest for the end."""
    head = math.ceil(room * 2 / 3)
    return head, room - head
