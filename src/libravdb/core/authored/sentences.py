"""Text to sentences, and a sentence to words: what the deontic reader reads. Pure, and linear in time.

The text may be Markdown: fenced code, tables and headings are left out, list marks and quote marks do not belong to a
sentence, inline code and quotations are opaque. Every position counts characters of the text that was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 600
"""Characters of a sentence that are read; a rule says what it is well before that, and a bound keeps reading linear."""

CODE = "`"
"""The word that stands for inline code, a path or an address."""

QUOTE = '"'
"""The word that stands for a quotation."""

Span = tuple[int, int]

_QUOTED = (
    '"[^"\n]{1,400}"|“[^“”\n]{1,400}”|„[^„“”\n]{1,400}[“”]|«[^«»\n]{1,400}»|「[^「」\n]{1,400}」|『[^『』\n]{1,400}』'
)
_BOUNDARY = re.compile(
    rf"(?P<opaque>`[^`\n]{{1,400}}`|{_QUOTED})"
    r"|(?P<stop>[.!?…]+)(?P<closer>[*_~)\]\"”’»']*)"
    r"|[。！？｡]+[”」』）*_]*"
    r"|(?P<line>\n)"
)
_FENCE = re.compile(r"^[ \t]{0,3}(?:[-*+>] +)?(```|~~~)", re.MULTILINE)
_MARKER = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+•‣◦–] +|\d{1,3}[.)] +|[a-z][.)] +)(?:\[[ xX]\] +)?)?")
_MARKED_LINE = re.compile(r"[ \t]*(?:>|[-*+•‣◦] |\d{1,3}[.)] |#{1,6} |\||```|~~~|\n|\Z)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_WRAPPED = 40  # a line at least this long may go on in the next; shorter ones are items of their own
_LOOK_BACK = 16  # no abbreviation is longer

# Words after which a full stop ends no sentence; one letter, or a stop inside ("e.g", "z.B"), shows by its shape.
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st vs cf ca approx al etc no nr fig sec incl excl min max resp bzw usw ggf evtl inkl vgl abs"
    " sr sra núm pág ej av mme mlle".split()
)

TOKEN = re.compile(
    r"(?P<code>`[^`]+`|https?://\S+|[\w.-]*/[\w./-]+)"
    r"|(?P<link>\]\([^()\[\]\s]*\))"
    r'|(?P<quote>"[^"]+"|“[^“”]+”|„[^„“”]+[“”]|«[^«»]+»|「[^「」]+」|『[^『』]+』)'
    r"|(?P<word>[^\W_]+(?:[-'’ʼ._][^\W_]+)*)"
    r"|(?P<mark>[,;:!?…()—–.。！？，；：、（）｡]|(?<=\s)-(?=\s)|--)"
)
MARKS = {
    "，": ",",
    "、": ",",
    "；": ";",
    "：": ":",
    "（": "(",
    "）": ")",
    "。": ".",
    "｡": ".",
    "！": "!",
    "？": "?",
} | {
    "–": "—",
    "-": "—",
    "--": "—",
    "…": ".",
}
"""Marks of all scripts, and the plain one that each stands for."""

SIGNS = {"code": CODE, "quote": QUOTE, "link": ""}
"""What stands for a token that is no word and no mark."""


def split(text: str) -> Iterator[Span]:
    """The spans of the sentences of a text, in order, without what marks a list item or a quotation."""
    for start, end in _prose(text):
        yield from _split_prose(text, start, end)


def _prose(text: str) -> Iterator[Span]:
    """The parts of a text outside fenced code; a fence that is never closed goes on to the end."""
    start, fence = 0, ""
    for found in _FENCE.finditer(text):
        if not fence:
            fence = found[1]
            yield start, found.start()
        elif found[1] == fence:
            fence = ""
            start = text.find("\n", found.end()) + 1 or len(text)
    if not fence:
        yield start, len(text)


def _split_prose(text: str, start: int, end: int) -> Iterator[Span]:
    begin = line = start
    for mark in _BOUNDARY.finditer(text, start, end):
        if mark["line"]:
            stops = mark.start() - line < _WRAPPED or bool(_MARKED_LINE.match(text, mark.end()))
            stops = stops or bool(_HEADING.match(text, line))
            line = mark.end()
        else:
            stops = _ends_sentence(text, mark, end)
        if stops:
            yield from _trimmed(text, begin, mark.end())
            begin = mark.end()
    yield from _trimmed(text, begin, end)


def _ends_sentence(text: str, mark: re.Match[str], end: int) -> bool:
    after = text[mark.end() : mark.end() + 1] if mark.end() < end else ""
    if mark["opaque"]:
        # A quotation that ends like a sentence ends the sentence around it when the next begins with a capital.
        closes = mark["opaque"][-2] in ".!?…。！？"
        return closes and (
            not after or after == "\n" or (after == " " and text[mark.end() + 1 : mark.end() + 2].isupper())
        )
    if mark["stop"] is None:
        return True
    if after and not after.isspace():
        return False
    return not (mark["stop"] == "." and after == " " and _is_abbreviated(text, mark.start()))


def _is_abbreviated(text: str, dot: int) -> bool:
    before = text[max(0, dot - _LOOK_BACK) : dot]
    word = before[max(before.rfind(" "), before.rfind("\n"), before.rfind("(")) + 1 :]
    return (len(word) == 1 and word.isalpha()) or "." in word or word.lower() in _ABBREVIATIONS


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """The span without marks and spaces around it; nothing for a heading, a row of a table or an empty one."""
    while start < end and text[start].isspace():
        start += 1
    if start >= end or text[start] == "|" or _HEADING.match(text, start, end):
        return
    marker = _MARKER.match(text, start, end)
    start = marker.end() if marker else start
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end
