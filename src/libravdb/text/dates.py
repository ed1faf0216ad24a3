"""Dates that a text speaks of: "two weeks ago", "letzten März", "8 de mayo", "上周二", resolved against a moment.

A small grammar of our own, as data (`date_words.py`): a text is cut into words, each word has kinds, and an
expression is a sequence of kinds. Every start looks at no more words than the longest pattern has, so time is
linear in the text. Pure: the moment that words count from is an argument. Days are days of UTC.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from libravdb.text.analysis import STOP_WORDS
from libravdb.text.date_words import (
    CHINESE_DAYS,
    CHINESE_DIGITS,
    CHINESE_UNITS,
    CHINESE_WEEKDAYS,
    LANGUAGES,
)

DAY_MS = 86_400_000
MOST_EXPRESSIONS = 16
"""More dates than this are a calendar, not a hint; reading stops."""

_EARLIEST, _LATEST = date(1, 1, 1), date(9999, 12, 30)


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


class _Word(NamedTuple):
    text: str
    folded: str
    start: int
    end: int
    is_capital: bool


@dataclass(frozen=True, slots=True)
class _Days:
    """Whole days [first, last] and the softness in days."""

    first: date
    last: date
    softness: float


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────

_WORD = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|\d+(?:st|nd|rd|th|er|\.(?=\s*[^\W\d]))?|[^\W\d_]+(?:[-'’][^\W\d_]+)*"
)
_HAN = re.compile("[\u4e00-\u9fff]")
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|\.)$")
_AMBIGUOUS_MONTHS = frozenset(("may", "march", "mars", "mai"))


def read_dates(text: str, *, now: int) -> tuple[Span, ...]:
    """The stretches of time that a text names, in order of appearance, counted from `now`."""
    today = _day(now)
    spans = _spaced_dates(text, today)
    if _HAN.search(text):
        spans += _chinese_dates(text, today)
    return tuple(spans[:MOST_EXPRESSIONS])


@lru_cache(maxsize=4096)
def count_dates(text: str) -> int:
    """How many expressions of time a text holds, whenever it was said."""
    return len(read_dates(text, now=946_684_800_000))


@lru_cache(maxsize=4096)
def _fold(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.lower().replace("’", "'"))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _words(text: str) -> list[_Word]:
    return [
        _Word(match[0], _fold(match[0]), match.start(), match.end(), match[0][0].isupper())
        for match in _WORD.finditer(text)
    ]


Choices = dict[str, int | str]
"""The kinds that a word can be in a language, with the value of each."""


@lru_cache(maxsize=8192)
def _choices(folded: str) -> tuple[Choices | None, ...]:
    """A word's kinds in each language; None where it has none, which is nearly always."""
    if folded[0].isdigit():
        kinds = _number_kinds(folded)
        return tuple(kinds or None for _ in LANGUAGES)
    return tuple(dict(language.words[folded]) if folded in language.words else None for language in LANGUAGES)


def _number_kinds(text: str) -> Choices:
    if "-" in text or "/" in text:
        return {"ISO": text}
    ordinal = _ORDINAL.match(text)
    if ordinal:
        return {"ORDINAL": int(ordinal[1])}
    if not text.isascii() or not text.isdigit() or len(text) > 4:
        return {}
    value = int(text)
    if 1900 <= value < 2100:
        return {"YEAR": value}
    return {"NUM": value} if 0 < value < 1000 else {}


_ANCHORS = frozenset(("ISO", "DAY", "YEAR", "MONTH", "WEEKDAY", "SEASON", "UNIT"))
"""Kinds of which every expression has one: a text without such a word names no time."""


@lru_cache(maxsize=8192)
def _anchored(word: str) -> frozenset[int]:
    """The languages, by number, in which a word can be what an expression is about."""
    choices = _choices(_fold(word))
    return frozenset(number for number, kinds in enumerate(choices) if kinds and not _ANCHORS.isdisjoint(kinds))


# ── expressions ───────────────────────────────────────────────────────────────────────────────────────────

_LONGEST = max(len(pattern) for language in LANGUAGES for pattern in language.patterns)
_BY_LENGTH = tuple(
    tuple([(p, m) for p, m in language.patterns.items() if len(p) == length] for length in range(_LONGEST + 1))
    for language in LANGUAGES
)


def _spaced_dates(text: str, today: date) -> list[Span]:
    anchors = [(place, told) for place, word in enumerate(_WORD.findall(text)) if (told := _anchored(word))]
    if not anchors:
        return []  # most texts: they are not looked at word by word
    spoken = sorted({number for _, told in anchors for number in told})
    starts = sorted({max(place - back, 0) for place, _ in anchors for back in range(_LONGEST)})
    words = _words(text)
    choices = [_choices(word.folded) for word in words]
    if any(word.folded == "hier" for word in words) and _is_german(words):  # there "hier" is a place, not yesterday
        choices = [_NO_CHOICE if word.folded == "hier" else choice for word, choice in zip(words, choices, strict=True)]
    spans: list[Span] = []
    end = 0
    for start in starts:
        if start < end or len(spans) >= MOST_EXPRESSIONS:
            continue
        found = _expression(words, choices, start, today, spoken) if any(choices[start]) else None
        if found is not None:
            days, length = found
            end = start + length
            spans.append(_span(days, text[words[start].start : words[end - 1].end]))
    return spans


_NO_CHOICE: tuple[Choices | None, ...] = tuple(None for _ in LANGUAGES)


def _is_german(words: Sequence[_Word]) -> bool:
    """More function words of German than of French."""
    said = [word.text.lower() for word in words]
    return sum(one in STOP_WORDS["german"] for one in said) > sum(one in STOP_WORDS["french"] for one in said)


def _expression(
    words: Sequence[_Word],
    choices: Sequence[tuple[Choices | None, ...]],
    position: int,
    today: date,
    spoken: Sequence[int],
) -> tuple[_Days, int] | None:
    """The longest expression of these languages that begins here, and how many words it has."""
    best: tuple[_Days, int] | None = None
    for number in spoken:
        run = _run(choices, position, number)
        for length in range(len(run), 0 if best is None else best[1], -1):
            days = _read(words[position : position + length], run[:length], _BY_LENGTH[number][length], today)
            if days is not None:
                best = days, length
                break
    return best


def _run(choices: Sequence[tuple[Choices | None, ...]], position: int, number: int) -> list[Choices]:
    """The words from here on that all mean something in one language, as many as an expression can have."""
    run: list[Choices] = []
    for choice in choices[position : position + _LONGEST]:
        kinds = choice[number]
        if kinds is None:
            break
        run.append(kinds)
    return run


def _read(
    stretch: Sequence[_Word], run: Sequence[Choices], patterns: Sequence[tuple[tuple[str, ...], str]], today: date
) -> _Days | None:
    for pattern, meaning in patterns:
        if all(kind in kinds for kind, kinds in zip(pattern, run, strict=True)) and _is_plausible(stretch, pattern):
            values = {kind: kinds[kind] for kind, kinds in zip(pattern, run, strict=True)}
            try:
                return MEANINGS[meaning](values, today)
            except (ValueError, OverflowError):  # the 31st of June, a million years ago
                return None
    return None


def _is_plausible(stretch: Sequence[_Word], pattern: Sequence[str]) -> bool:
    """ "you may 5 times" names no month: one that is also a plain word must be written with a capital."""
    return all(
        kind != "MONTH" or word.is_capital or word.folded not in _AMBIGUOUS_MONTHS or "YEAR" in pattern
        for word, kind in zip(stretch, pattern, strict=True)
    )


Values = Choices


# ── meanings ──────────────────────────────────────────────────────────────────────────────────────────────

_SOFT_AGO = {"day": 1.0, "week": 3.0, "month": 9.0, "year": 60.0, "weekend": 2.0}
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365, "weekend": 7}


def _one(day: date, softness: float = 0.75) -> _Days:
    return _Days(day, day, softness)


def _number(values: Values) -> int:
    return int(values.get("FEW", values.get("NUM", values.get("ORDINAL", 1))))


def _iso(values: Values, _: date) -> _Days:
    year, month, day = (int(part) for part in re.split("[-/]", str(values["ISO"])))
    return _one(date(year, month, day))


def _day_word(values: Values, today: date) -> _Days:
    return _one(today + timedelta(days=int(values["DAY"])))


def _date(values: Values, today: date) -> _Days:
    """A day of a month; without a year the latest one that is not far in the future."""
    month, day = int(values["MONTH"]), _number(values)
    if "YEAR" in values:
        return _one(date(int(values["YEAR"]), month, day))
    this = date(today.year, month, day)
    return _one(this if this <= today + timedelta(days=31) else date(today.year - 1, month, day))


def _month_days(year: int, month: int) -> _Days:
    after = date(year + month // 12, month % 12 + 1, 1)
    return _Days(date(year, month, 1), after - timedelta(days=1), 4.0)


def _month(values: Values, today: date) -> _Days:
    """The latest such month that has begun."""
    month = int(values["MONTH"])
    return _month_days(today.year - (month > today.month), month)


def _last_month(values: Values, today: date) -> _Days:
    month = int(values["MONTH"])
    return _month_days(today.year - (month >= today.month), month)


def _next_month(values: Values, today: date) -> _Days:
    month = int(values["MONTH"])
    return _month_days(today.year + (month <= today.month), month)


def _month_of_year(values: Values, _: date) -> _Days:
    return _month_days(int(values["YEAR"]), int(values["MONTH"]))


def _year(values: Values, _: date) -> _Days:
    year = int(values["YEAR"])
    return _Days(date(year, 1, 1), date(year, 12, 31), 15.0)


def _unit_days(unit: str, today: date, shift: int) -> _Days:
    """The calendar unit that holds today, moved by `shift` of them."""
    if unit == "day":
        return _one(today + timedelta(days=shift))
    if unit in ("week", "weekend"):
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=shift)
        first = monday + timedelta(days=5 if unit == "weekend" else 0)
        return _Days(first, monday + timedelta(days=6), 2.0)
    if unit == "month":
        months = today.year * 12 + today.month - 1 + shift
        return _month_days(months // 12, months % 12 + 1)
    return _year({"YEAR": today.year + shift}, today)


def _last_unit(values: Values, today: date) -> _Days:
    return _unit_days(str(values["UNIT"]), today, -1)


def _this_unit(values: Values, today: date) -> _Days:
    return _unit_days(str(values["UNIT"]), today, 0)


def _next_unit(values: Values, today: date) -> _Days:
    return _unit_days(str(values["UNIT"]), today, 1)


def _last_weekday(values: Values, today: date) -> _Days:
    """The latest such day before today; speakers sometimes mean the one a week earlier."""
    back = (today.weekday() - int(values["WEEKDAY"]) - 1) % 7 + 1
    return _one(today - timedelta(days=back))


def _next_weekday(values: Values, today: date) -> _Days:
    ahead = (int(values["WEEKDAY"]) - today.weekday() - 1) % 7 + 1
    return _one(today + timedelta(days=ahead))


def _season_days(year: int, month: int) -> _Days:
    last = _month_days(year + (month + 1) // 12, (month + 1) % 12 + 1).last
    return _Days(date(year, month, 1), last, 10.0)


def _season(values: Values, today: date) -> _Days:
    month = int(values["SEASON"])
    return _season_days(today.year - (month > today.month), month)


def _last_season(values: Values, today: date) -> _Days:
    """The latest such season that is over."""
    month = int(values["SEASON"])
    found = _season_days(today.year, month)
    return found if found.last < today else _season_days(today.year - 1, month)


def _season_of_year(values: Values, _: date) -> _Days:
    return _season_days(int(values["YEAR"]), int(values["SEASON"]))


def _units_ago(values: Values, today: date) -> _Days:
    """So many units before today; the larger the unit, the less the speaker meant the exact day."""
    unit, count = str(values["UNIT"]), _number(values)
    vague = 2.0 if "FEW" in values else 1.0
    if unit == "weekend":
        return _unit_days(unit, today, -count)
    if unit in ("month", "year"):
        months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
        day = min(today.day, 28)
        return _one(date(months // 12, months % 12 + 1, day), _SOFT_AGO[unit] * vague)
    return _one(today - timedelta(days=count * _UNIT_DAYS[unit]), _SOFT_AGO[unit] * vague)


def _weekday_ago(values: Values, today: date) -> _Days:
    """ "The Wednesday two months ago": the one nearest to that time."""
    around = _units_ago(values, today).first
    shift = (int(values["WEEKDAY"]) - around.weekday() + 3) % 7 - 3
    return _one(around + timedelta(days=shift), 2.0)


def _few_units_ago(values: Values, today: date) -> _Days:
    return _units_ago({"FEW": _number(values), **values}, today)


def _past_units(values: Values, today: date) -> _Days:
    """The stretch of so many units that ends today."""
    days = _number(values) * _UNIT_DAYS[str(values["UNIT"])]
    return _Days(today - timedelta(days=days), today, max(1.0, days / 10))


def _until_today(first: _Days, today: date) -> _Days:
    return _Days(min(first.first, today), today, first.softness)


def _since_month(values: Values, today: date) -> _Days:
    return _until_today(_month(values, today), today)


def _since_year(values: Values, today: date) -> _Days:
    return _until_today(_year(values, today), today)


def _since_unit(values: Values, today: date) -> _Days:
    return _until_today(_last_unit(values, today), today)


MEANINGS: dict[str, Callable[[Values, date], _Days]] = {
    "iso": _iso,
    "day_word": _day_word,
    "date_dmy": _date,
    "date_dm": _date,
    "date_mdy": _date,
    "date_md": _date,
    "month": _month,
    "last_month": _last_month,
    "month_last": _last_month,
    "next_month": _next_month,
    "month_of_year": _month_of_year,
    "year": _year,
    "last_unit": _last_unit,
    "unit_last": _last_unit,
    "this_unit": _this_unit,
    "next_unit": _next_unit,
    "last_weekday": _last_weekday,
    "weekday_last": _last_weekday,
    "next_weekday": _next_weekday,
    "season": _season,
    "last_season": _last_season,
    "season_last": _last_season,
    "season_of_year": _season_of_year,
    "units_ago": _units_ago,
    "weekday_ago": _weekday_ago,
    "ago_units": _units_ago,
    "few_units_ago": _few_units_ago,
    "ago_few_units": _few_units_ago,
    "past_units": _past_units,
    "since_month": _since_month,
    "since_year": _since_year,
    "since_unit": _since_unit,
}


# ── Chinese ───────────────────────────────────────────────────────────────────────────────────────────────

_CN_NUMBER = "(?:[0-9]{1,3}|[一二两三四五六七八九十]{1,3})"
_CHINESE = re.compile(
    f"(?P<word>{'|'.join(sorted(CHINESE_DAYS, key=len, reverse=True))})"
    f"|(?P<ago>{_CN_NUMBER}|几)个?(?P<agounit>天|日|周|星期|礼拜|月|年)(?:之|以)?前"
    f"|(?P<past>最近|过去)的?(?P<pastn>{_CN_NUMBER}|几)?个?(?P<pastunit>天|周|星期|礼拜|月|年)"
    "|(?P<which>上个?|这个?|本|下个?)(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])?(?P<weekend>末)?"
    "|(?P<whichmonth>上个?|这个|本|下个?)月"
    f"|(?:(?P<year>[0-9]{{4}})年|(?P<relyear>今年|去年|前年|明年))(?:(?P<ymonth>{_CN_NUMBER})月(?:份)?(?:(?P<yday>{_CN_NUMBER})[日号])?)?"
    f"|(?P<month>{_CN_NUMBER})月(?:份)?(?:(?P<day>{_CN_NUMBER})[日号])?"
    "|(?:周|星期|礼拜)(?P<bare>[一二三四五六日天])"
)
_CN_SHIFT = {"上": -1, "这": 0, "本": 0, "下": 1}
_CN_YEARS = {"今年": 0, "去年": -1, "前年": -2, "明年": 1}


def _chinese_dates(text: str, today: date) -> list[Span]:
    spans: list[Span] = []
    for match in _CHINESE.finditer(text):
        try:
            spans.append(_span(_chinese_days(match, today), match[0]))
        except (ValueError, OverflowError):
            continue
        if len(spans) == MOST_EXPRESSIONS:
            break
    return spans


def _chinese_days(match: re.Match[str], today: date) -> _Days:
    group = match.groupdict()
    if group["word"]:
        return _day_word({"DAY": CHINESE_DAYS[group["word"]]}, today)
    if group["ago"]:
        kind = "FEW" if group["ago"] == "几" else "NUM"
        return _units_ago({"UNIT": CHINESE_UNITS[group["agounit"]], kind: _chinese_number(group["ago"])}, today)
    if group["past"]:
        count = _chinese_number(group["pastn"] or "一")
        return _past_units({"UNIT": CHINESE_UNITS[group["pastunit"]], "NUM": count}, today)
    if group["which"]:
        shift = _CN_SHIFT[group["which"][0]]
        if group["weekday"]:
            monday = _unit_days("week", today, shift).first
            return _one(monday + timedelta(days=CHINESE_WEEKDAYS[group["weekday"]]))
        return _unit_days("weekend" if group["weekend"] else "week", today, shift)
    if group["whichmonth"]:
        return _unit_days("month", today, _CN_SHIFT[group["whichmonth"][0]])
    if group["bare"]:
        return _last_weekday({"WEEKDAY": CHINESE_WEEKDAYS[group["bare"]]}, today)
    return _chinese_date(group, today)


def _chinese_date(group: dict[str, str], today: date) -> _Days:
    if group["year"] or group["relyear"]:
        year = int(group["year"]) if group["year"] else today.year + _CN_YEARS[group["relyear"]]
        if group["yday"]:
            return _one(date(year, _chinese_number(group["ymonth"]), _chinese_number(group["yday"])))
        return _month_days(year, _chinese_number(group["ymonth"])) if group["ymonth"] else _year({"YEAR": year}, today)
    month = _chinese_number(group["month"])
    if not 1 <= month <= 12:
        raise ValueError(month)
    if group["day"]:
        return _date({"MONTH": month, "NUM": _chinese_number(group["day"])}, today)
    return _month({"MONTH": month}, today)


def _chinese_number(digits: str) -> int:
    """一 … 九十九, or plain digits; 几 ("a few") counts as three."""
    if digits == "几":
        return 3
    if digits.isascii():
        return int(digits)
    tens, has_ten, ones = digits.partition("十")
    if not has_ten:
        return CHINESE_DIGITS[digits[-1]]
    return (CHINESE_DIGITS[tens[-1]] if tens else 1) * 10 + (CHINESE_DIGITS[ones[-1]] if ones else 0)


# ── days to milliseconds ──────────────────────────────────────────────────────────────────────────────────


def _day(at: int) -> date:
    """The day of a moment, held inside what a calendar can name."""
    days = min(max(at // DAY_MS, _EARLIEST.toordinal() - 719_163), _LATEST.toordinal() - 719_163)
    return date.fromordinal(days + 719_163)


def _span(days: _Days, words: str) -> Span:
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
