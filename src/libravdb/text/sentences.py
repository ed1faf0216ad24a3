"""Where the sentences of a text begin and end. Pure, and linear in time.

Sentences are slices of the text, and the slices cover it: no character that is not a space is lost. Every regular
expression here consumes what it looked at, so a megabyte of dots costs no more than a megabyte of prose.
"""

from __future__ import annotations

import re

Span = tuple[int, int]

_STOPS = ".!?…"
_FULL_STOPS = "。！？｡．؟۔।॥։።។"
_CLOSERS = "\"'”’“‘»›)\\]}」』）】"
_NEWLINES = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_MARK = re.compile(
    rf"(?P<stop>[{_STOPS}]+)(?P<closer>[{_CLOSERS}]*)(?P<gap>\s*)"
    rf"|(?P<full>[{_FULL_STOPS}]+)[{_CLOSERS}]*\s*"
    rf"|(?P<line>[{_NEWLINES}]\s*)"
)
_LINE_ENDS = frozenset((*_NEWLINES, "\r\n"))
_WRAPPED = 40  # a line at least this long may go on in the next; shorter ones are items, headings, code
_LOOK_BACK = 20  # no abbreviation is longer; a bound keeps texts without spaces linear

# Words after which a full stop ends no sentence. Those of one letter, and those with a stop inside ("e.g", "z.B"),
# are recognised by their shape.
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st sr jr rev gen col capt sgt hon messrs mme mlle fr hr hrn frau sig sra dott vs cf ca approx"
    " al ed eds vol no nr nos pp p fig figs eq sec ch dept univ inc ltd co corp est resp incl excl min max"
    " jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun"
    " bzw usw ggf evtl zzgl inkl exkl vgl abs art kap bd str tel env av bld núm pág ej resp".split()
)
_ABBREVIATIONS_MID_SENTENCE = frozenset("etc usw ff sq seq approx vs".split())


def sentences(text: str) -> list[Span]:
    """Where the sentences begin and end; a line of a list or of code is one too."""
    found: list[Span] = []
    begin = 0
    for mark in _MARK.finditer(text):
        if _ends_sentence(text, mark):
            _append_trimmed(found, text, begin, mark.end())
            begin = mark.end()
    _append_trimmed(found, text, begin, len(text))
    return found


def _append_trimmed(found: list[Span], text: str, begin: int, end: int) -> None:
    piece = text[begin:end]
    start = begin + len(piece) - len(piece.lstrip())
    stop = begin + len(piece.rstrip())
    if start < stop:
        found.append((start, stop))


def _ends_sentence(text: str, mark: re.Match[str]) -> bool:
    if mark.lastgroup == "full":
        return True
    following = text[mark.end() : mark.end() + 1]
    if mark.lastgroup == "line":
        return not _line_goes_on(text, mark, following)
    if not mark["gap"]:
        return False  # "3.5", "example.org", "wow!!x"; or the end of the text, where nothing is left to cut
    if mark["gap"] != " " and any(newline in mark["gap"] for newline in _NEWLINES):
        return True
    before = text[max(0, mark.start() - _LOOK_BACK) : mark.start()].split()
    word = before[-1].lstrip("([{\"'“‘«„") if before else ""
    if following.islower():
        # People who write no capitals still end sentences; quotes, dots and short forms go on.
        return not mark["closer"] and (mark["stop"] != "." or _is_plain_word(word)) and "…" not in mark["stop"]
    return mark["stop"] != "." or not _is_abbreviation(word)


def _line_goes_on(text: str, mark: re.Match[str], following: str) -> bool:
    """A wrapped line: long, not ended by a mark, and the next one starts at the margin with a small letter."""
    if not following.islower() or mark["line"] not in _LINE_ENDS:
        return False
    before = text[max(0, mark.start() - _WRAPPED) : mark.start()]
    return len(before) == _WRAPPED and not any(n in before for n in _NEWLINES) and before[-1] not in ":;{}"


def _is_plain_word(word: str) -> bool:
    return len(word) > 1 and not _is_abbreviation(word) and word.lower() not in _ABBREVIATIONS_MID_SENTENCE


def _is_abbreviation(word: str) -> bool:
    """Initials ("J."), ordinals and list numbers ("3."), shortened words, and forms with a stop inside."""
    if len(word) == 1:
        return word.isalnum()
    return (word.isdigit() and len(word) == 2) or "." in word[1:] or word.lower() in _ABBREVIATIONS
