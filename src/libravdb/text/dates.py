"""Dates that a text speaks of: "two weeks ago", "letzten März", "8 de mayo", "上周二", resolved against a moment.

A small grammar of our own, as data (`date_words.py`): a text is cut into words, each word has kinds, and an
expression is a sequence of kinds, perhaps behind a word that narrows or bounds it ("late May", "since last week").
Every start looks at no more words than the longest pattern has, so time is linear in the text. Pure: the moment that
words count from is an argument. Days are days of UTC.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import NamedTuple

from libravdb.text.analysis import ALL_STOP_WORDS, STOP_WORDS
from libravdb.text.chinese_dates import read_chinese
from libravdb.text.date_words import AMBIGUOUS_MONTHS, BOUNDS, LANGUAGES, LOWER_TOO, DateLanguage, DateOrder
from libravdb.text.days import EARLIEST, LATEST, MEANINGS, Days, beside, bounded, numeric, part_of
from libravdb.text.unicode import normalised

DAY_MS = 86_400_000
MOST_EXPRESSIONS = 16
"""More dates than this are a calendar, not a hint; reading stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time that words name: [start, end) in milliseconds, and how far off the speaker may be."""

    start: int
    end: int
    softness: int
    words: str

    def closeness(self, at: int) -> float:
        """`exp(−gap/softness)`: 1 inside the span, falling with the distance to it."""
        gap = max(self.start - at, at - self.end + 1, 0)
        return math.exp(-min(gap / self.softness, 50.0))


def read_dates(text: str, *, now: int) -> tuple[Span, ...]:
    """The stretches of time that a text names, in order of appearance, counted from `now`.

    A date in figures that can be read in two ways ("4/5/2023") gives both, with the same words.
    """
    today = _day(now)
    spans = _spaced_dates(text, today)
    if _HAN.search(text):
        spans += [_span(days, words) for days, words in read_chinese(text, today, most=MOST_EXPRESSIONS)]
    return tuple(spans[:MOST_EXPRESSIONS])


@lru_cache(maxsize=4096)
def count_dates(text: str) -> int:
    """How many expressions of time a text holds, whenever it was said."""
    return len(read_dates(text, now=946_684_800_000))


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────

_FIGURE = (
    r"\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|\d{4}\.\d{1,2}\.\d{1,2}"
    r"|\d{1,2}(?:\.\d{1,2}\.|/\d{1,2}/|-\d{1,2}-)(?:\d{4}|\d{2})(?![\d]|[./-]\d)"
    r"|\d{1,2}\.\d{1,2}\.(?!\d)|\d{1,2}/\d{1,2}(?![\d/])"
    r"|\d+(?:st|nd|rd|th|er|\.(?=\s*[^\W\d]))?"
)
_WORD = re.compile(rf"[mM]id?(?=-)|[^\W\d_]+(?:[-'’][^\W\d_]+)*|(?=\d)(?:{_FIGURE})")
_ASCII_WORD = re.compile(rf"[mM]id?(?=-)|[a-zA-Z]+(?:[-'][a-zA-Z]+)*|(?=[0-9])(?:{_FIGURE})")
"""The same for texts of plain letters, in half the time."""
_HAN = re.compile("[\u4e00-\u9fff]")
_MARKS = re.compile("[\u0300-\u036f]+")
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|\.)$")
_PARTS = re.compile(r"\d[-/.]\d")
_FIGURES = re.compile(r"\d(?:[-/.]\d|st|nd|rd|th)|\bam \d")
"""What a date may look like that has no word in it."""


Choices = dict[str, int | str]
"""The kinds that a word can be in a language, with the value of each."""


@lru_cache(maxsize=4096)
def _fold(word: str) -> str:
    return _MARKS.sub("", normalised(word.lower().replace("’", "'"), "NFD"))


@lru_cache(maxsize=8192)
def _choices(folded: str) -> tuple[Choices | None, ...]:
    """A word's kinds in each language; None where it has none, which is nearly always."""
    if folded[0].isdigit():
        kinds = _number_kinds(folded)
        return tuple(kinds or None for _ in LANGUAGES)
    return tuple(_kinds(folded, language) for language in LANGUAGES)


def _kinds(folded: str, language: DateLanguage) -> Choices | None:
    found = language.words.get(folded)
    if found is None and "'" in folded:
        head, _, rest = folded.partition("'")
        bare = rest if head in language.elided else head if rest in language.endings else ""
        found = language.words.get(bare)
    return None if found is None else dict(found)


def _number_kinds(text: str) -> Choices:
    ordinal = _ORDINAL.match(text)
    if ordinal:
        return {"ORDINAL": int(ordinal[1])}
    if not text.isascii():
        return {}
    if _PARTS.search(text):
        is_whole = text[:4].isdigit() or text[-4:].isdigit() or len(re.findall("[-/]", text)) == 2  # not 1.2.23
        return {"NUMERIC" if is_whole else "SHORT": text}
    if not text.isdigit() or len(text) > 4:
        return {}
    value = int(text)
    if 1900 <= value < 2100:
        return {"YEAR": value}
    return {"NUM": value, "DIG": value} if 0 < value < 1000 else {}


_ANCHORS = frozenset(
    ("NUMERIC", "SHORT", "ORDINAL", "DAY", "YEAR", "MONTH", "WEEKDAY", "SEASON", "UNIT", "HOLIDAY", "Q", "MORNING")
)
"""Kinds of which every expression has one: a text without such a word names no time."""


def _anchor_words() -> frozenset[str]:
    words = {
        form
        for language in LANGUAGES
        for word, kinds in language.words.items()
        if not _ANCHORS.isdisjoint(kind for kind, _ in kinds)
        for form in (
            word,
            *(f"{head}'{word}" for head in language.elided),
            *(f"{word}'{ending}" for ending in language.endings),
        )
    }
    return frozenset(words | {str(year) for year in range(1900, 2100)})


_ANCHOR_WORDS = _anchor_words()


@lru_cache(maxsize=8192)
def _anchored(folded: str) -> frozenset[int]:
    """The languages, by number, in which a word can be what an expression is about."""
    choices = _choices(folded)
    return frozenset(number for number, kinds in enumerate(choices) if kinds and not _ANCHORS.isdisjoint(kinds))


def _anchor_places(text: str) -> list[int]:
    """Which words of a text an expression may be about. Most texts have none, and are not looked at word by word."""
    if text.isascii():
        plain = text.lower()
        words = _ASCII_WORD.findall(plain)
        if _ANCHOR_WORDS.isdisjoint(words) and _FIGURES.search(plain) is None:
            return []
    else:
        words = [word.lower() if word.isascii() else _fold(word) for word in _WORD.findall(text)]
    return [place for place, word in enumerate(words) if word in _ANCHOR_WORDS or word[0] in _ASCII_DIGITS]


_ASCII_DIGITS = frozenset("0123456789")


# ── expressions ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _PatternNode:
    """A place in the tree of a language's patterns: what may follow, and what it means to end here."""

    following: dict[str, _PatternNode] = field(default_factory=dict)
    order: DateOrder | None = None


def _tree(language: DateLanguage) -> _PatternNode:
    root = _PatternNode()
    for kinds, order in language.patterns.items():
        node = root
        for kind in kinds:
            node = node.following.setdefault(kind, _PatternNode())
        node.order = order
    return root


_TREES = tuple(_tree(language) for language in LANGUAGES)
_LONGEST = max(len(kinds) for language in LANGUAGES for kinds in language.patterns)
_BETWEEN = frozenset(("THE", "OF"))
_ABBREVIATED = 4  # letters of a month's name before its dot: "Sept."
_GAP = re.compile(r"[\s\-,]*")
_DOT = re.compile(r"\.[\s,]*")
_CLOSE = re.compile(r"[\s-]*")
_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")
_SMALL_WORDS = ALL_STOP_WORDS - {"of"}


class _Match(NamedTuple):
    """An expression: its days, and the words [first, end) that name it."""

    days: tuple[Days, ...]
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class _Reading:
    """A text in words; `hidden` is a word that means no time here."""

    text: str
    words: Sequence[re.Match[str]]
    today: date
    hidden: str = ""

    def kinds(self, place: int, number: int) -> Choices | None:
        """What a word can be in a language."""
        folded = _fold(self.words[place][0])
        return None if folded == self.hidden else _choices(folded)[number]

    def is_joined(self, place: int, gap: re.Pattern[str]) -> bool:
        """True if nothing but what `gap` allows stands between a word and the one before it; a month's
        name cut short ends in a dot."""
        before = self.words[place - 1]
        between = self.text[before.end() : self.words[place].start()]
        if gap.fullmatch(between) is not None:
            return True
        is_month = any(kinds and "MONTH" in kinds for kinds in _choices(_fold(before[0])))
        return is_month and len(before[0]) <= _ABBREVIATED and _DOT.fullmatch(between) is not None


def _spaced_dates(text: str, today: date) -> list[Span]:
    places = _anchor_places(text)
    if not places:
        return []
    words = list((_ASCII_WORD if text.isascii() else _WORD).finditer(text))
    spoken = [(place, _anchored(_fold(words[place][0]))) for place in places]
    # there "hier" is a place, not yesterday
    hidden = "hier" if any(words[place][0].lower() == "hier" for place in places) and _is_german(words) else ""
    reading = _Reading(text, words, today, hidden)
    spans: list[Span] = []
    end = 0
    for start, numbers in _starts(spoken):
        if start < end or len(spans) >= MOST_EXPRESSIONS:
            continue
        found = _expression(reading, start, numbers, least=end)
        if found is not None:
            end = found.end
            said = text[words[found.first].start() : words[end - 1].end()]
            spans.extend(_span(days, said) for days in found.days)
    return spans


def _starts(spoken: Sequence[tuple[int, frozenset[int]]]) -> list[tuple[int, list[int]]]:
    """Where expressions about these words may begin, and in which languages."""
    found: dict[int, set[int]] = {}
    for place, numbers in spoken:
        for start in range(max(place - _LONGEST + 1, 0), place + 1):
            found.setdefault(start, set()).update(numbers)
    return [(start, sorted(found[start])) for start in sorted(found)]


def _is_german(words: Sequence[re.Match[str]]) -> bool:
    """More function words of German than of French."""
    said = [word[0].lower() for word in words]
    return sum(one in STOP_WORDS["german"] for one in said) > sum(one in STOP_WORDS["french"] for one in said)


def _expression(reading: _Reading, start: int, spoken: Sequence[int], *, least: int) -> _Match | None:
    """The longest expression of these languages that begins here; words before `least` are taken."""
    best: _Match | None = None
    for number in spoken:
        for end, order, values in _orders_from(reading, start, number):
            if best is not None and end <= best.end:
                break
            found = _framed(reading, start, end, number=number, order=order, values=values, least=least)
            if found is not None:
                best = found
                break
    return best


def _orders_from(reading: _Reading, start: int, number: int) -> list[tuple[int, DateOrder, Choices]]:
    """Every pattern of a language that fits the words from here on: where it ends, and the values of its words; the
    longest first."""
    found: list[tuple[int, DateOrder, Choices]] = []
    paths: list[tuple[_PatternNode, Choices]] = [(_TREES[number], {})]
    place = start
    while paths and place < len(reading.words):
        kinds = reading.kinds(place, number)
        if kinds is None or (place > start and not reading.is_joined(place, _GAP)):
            break
        paths = [
            (node.following[kind], {**values, kind: value})
            for node, values in paths
            for kind, value in kinds.items()
            if kind in node.following
        ]
        place += 1
        found.extend((place, node.order, values) for node, values in paths if node.order is not None)
    return found[::-1]


def _framed(
    reading: _Reading, start: int, end: int, *, number: int, order: DateOrder, values: Choices, least: int
) -> _Match | None:
    """What a pattern means behind the words that stand before it; None where it needs one of those, or is nonsense."""
    frame = _frame(reading, start, number, least=least)
    if order.frames and not any(kind in order.frames for kind in frame.kinds):
        return None
    if not _is_plausible(reading, start, end, number=number, order=order, values=values, frame=frame):
        return None
    today = reading.today
    try:
        if order.meaning == "numeric":
            read = numeric(str(values.get("NUMERIC", values.get("SHORT"))), today)
        else:
            read = (MEANINGS[order.meaning](values, today),)
        first = frame.first if order.frames or frame.third is not None or frame.bound else start
        return _Match(tuple(frame.applied(days, today) for days in read), first, end)
    except (ValueError, OverflowError, KeyError):  # the 31st of June, a million years ago, the first year of May
        return None


@dataclass(frozen=True, slots=True)
class _DateFrame:
    """The words before an expression that narrow or bound it, from the `first` on."""

    first: int
    kinds: frozenset[str] = frozenset()
    third: int | None = None
    bound: str = ""
    unit: str = ""
    count: int | None = None

    def applied(self, days: Days, today: date) -> Days:
        if self.third is not None:
            days = part_of(days, self.third)
        if self.unit:
            return beside(days, self.bound, self.unit, self.count)
        return bounded(days, self.bound, today) if self.bound else days


def _frame(reading: _Reading, start: int, number: int, *, least: int) -> _DateFrame:
    """What stands before an expression: "in", "early", "since", "two days before"."""
    first, kinds, third, bound = start, frozenset[str](), None, ""
    place, value = _kind_before(reading, start, number, frozenset(("PART",)), least)
    if place is not None:
        first, third, kinds = place, int(value), kinds | {"PART"}
    else:
        place, _ = _kind_before(reading, start, number, frozenset(("IN", "ON", "AT")), least)
        if place is not None:
            inner, value = _kind_before(reading, place, number, frozenset(("PART",)), least)  # late in May
            kinds |= {kind for kind in (reading.kinds(place, number) or {}) if kind in ("IN", "ON", "AT")}
            first = place
            if inner is not None:
                first, third = inner, int(value)
    place, _ = _kind_before(reading, first, number, BOUNDS, least)
    if place is None:
        return _DateFrame(first if kinds else start, kinds, third)
    told = reading.kinds(place, number) or {}
    bound = next(kind for kind in told if kind in BOUNDS)
    kinds |= {bound}
    unit, name = _kind_before(reading, place, number, frozenset(("UNIT",)), least) if bound in _SIDES else (None, 0)
    if unit is None:
        return _DateFrame(place, kinds, third, bound)
    many, count = _kind_before(reading, unit, number, frozenset(("NUM",)), least)
    if many is None:
        return _DateFrame(unit, kinds, third, bound, str(name))
    return _DateFrame(many, kinds, third, bound, str(name), int(count))


_SIDES = ("BEFORE", "AFTER")


def _kind_before(
    reading: _Reading, start: int, number: int, wanted: frozenset[str], least: int
) -> tuple[int | None, int | str]:
    """The place and value of a word of one of these kinds before a place, at most two small words away."""
    for place in range(start - 1, max(start - 4, least - 1, -1), -1):
        kinds = reading.kinds(place, number)
        if kinds is None or not reading.is_joined(place + 1, _CLOSE):
            return None, 0
        for kind in wanted:
            if kind in kinds:
                return place, kinds[kind]
        if _BETWEEN.isdisjoint(kinds):
            return None, 0
    return None, 0


def _is_plausible(
    reading: _Reading, start: int, end: int, *, number: int, order: DateOrder, values: Choices, frame: _DateFrame
) -> bool:
    """ "You may 5 times" names no month, "on the 14th floor" no day."""
    if order.meaning == "day_of_month":
        following = _NEXT_WORD.match(reading.text, reading.words[end - 1].end())
        return following is None or following[1].lower() in _SMALL_WORDS
    ambiguous = AMBIGUOUS_MONTHS.get(LANGUAGES[number].name)
    if ambiguous is None or "MONTH" not in values or "YEAR" in values or values.get("WHICH", 0) != 0:
        return True
    is_plain = any(word[0] in ambiguous for word in reading.words[start:end])
    return not is_plain or not LOWER_TOO.isdisjoint(frame.kinds)


# ── days to milliseconds ──────────────────────────────────────────────────────────────────────────────────


def _day(at: int) -> date:
    """The day of a moment, held inside what a calendar can name."""
    days = min(max(at // DAY_MS, EARLIEST.toordinal() - 719_163), LATEST.toordinal() - 719_163)
    return date.fromordinal(days + 719_163)


def _span(days: Days, words: str) -> Span:
    return Span(
        start=_start_of(days.first),
        end=_start_of(days.last) + DAY_MS,
        softness=max(1, round(days.softness * DAY_MS)),
        words=words,
    )


def _start_of(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000


def forget_dates() -> None:
    """Let go of the texts and words that were read before."""
    for known in (count_dates, _fold, _choices, _anchored):
        known.cache_clear()
