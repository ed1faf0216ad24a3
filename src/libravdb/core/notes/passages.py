"""A note cut into passages that can be found: lines that belong together, with the headings above them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

FULL = 480
"""Characters from which on a passage ends at the next item or paragraph."""

LONGEST = 4 * FULL
"""Characters from which on it ends at the next line, whatever that is."""

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*?)[ \t#]*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_REMARK = re.compile(r"[ \t]*<!--[^>]*-->[ \t]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePassage:
    """Lines `first` to `last` of a note, counted from 1. `text` has the headings before them that they stand under."""

    first: int
    last: int
    text: str


@dataclass(slots=True)
class _Gathered:
    """Lines that are being gathered, each with its number, under headings by their levels."""

    under: tuple[tuple[int, str], ...] = ()
    lines: list[tuple[int, str]] = field(default_factory=list)
    length: int = 0
    is_heading_only: bool = True

    def add(self, number: int, line: str, *, is_heading: bool = False) -> None:
        if line.strip() and not is_heading:
            self.is_heading_only = False
        self.lines.append((number, line))
        self.length += len(line) + 1


def passages(text: str) -> tuple[NotePassage, ...]:
    """The passages of a note in their order. Every line that says something is in exactly one of them; remarks for
    machines (`<!-- … -->` on a line of their own) are in none."""
    return tuple(made for gathered in _gathered_in(text.splitlines()) if (made := _passage(gathered)) is not None)


def _gathered_in(lines: Sequence[str]) -> Iterator[_Gathered]:
    gathered = _Gathered()
    trail: tuple[tuple[int, str], ...] = ()
    fence = ""
    is_after_blank = True
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        heading = None if fence else _HEADING.match(line)
        if heading is not None:
            level = len(heading[1])
            above = tuple(one for one in trail if one[0] < level)
            if not gathered.is_heading_only or (gathered.lines and above != trail):
                yield gathered
                gathered = _Gathered(under=above)
            trail = (*above, (level, heading[2]))
            gathered.add(number, line, is_heading=True)
        else:
            may_end = not fence and (is_after_blank or _ITEM.match(line) is not None)
            if gathered.length >= LONGEST or (gathered.length >= FULL and may_end and line.strip()):
                yield gathered
                gathered = _Gathered(under=trail)
            gathered.add(number, line)
        if mark is not None and heading is None:
            fence = "" if fence == mark[1] else fence or mark[1]
        is_after_blank = not line.strip()
    yield gathered


def _passage(gathered: _Gathered) -> NotePassage | None:
    told = [(number, line.rstrip()) for number, line in gathered.lines if line.strip() and _REMARK.match(line) is None]
    if not told:
        return None
    first, last = told[0][0], told[-1][0]
    shown = [
        line.rstrip() for number, line in gathered.lines if first <= number <= last and _REMARK.match(line) is None
    ]
    above = " › ".join(title for _, title in gathered.under)
    return NotePassage(first=first, last=last, text="\n".join([above, *shown] if above else shown))
