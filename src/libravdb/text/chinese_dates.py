"""Dates in Chinese, which puts no spaces between words: one pattern of bounded parts over the whole text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from libravdb.text.date_words import (
    CHINESE_BOUNDS,
    CHINESE_DAYS,
    CHINESE_DIGITS,
    CHINESE_HOLIDAYS,
    CHINESE_PARTS,
    CHINESE_SEASONS,
    CHINESE_UNITS,
    CHINESE_WEEKDAYS,
)
from libravdb.text.days import (
    Days,
    bounded,
    date_of,
    day_of_month,
    day_word,
    holiday,
    month,
    month_days,
    one,
    part_of,
    past_units,
    quarter,
    season,
    unit_days,
    units_ago,
    weekday,
    year,
)


def _any(words: dict[str, int] | dict[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_NUMBER = "(?:[0-9]{1,3}|[一二两三四五六七八九十]{1,3})"
_YEAR = "(?:(?P<{0}year>[0-9]{{4}})年|(?P<{0}rel>今年|去年|前年|明年))的?"
_EXPRESSION = re.compile(
    f"(?P<word>{_any(CHINESE_DAYS)})"
    f"|(?P<ago>{_NUMBER}|几|半)个?多?(?P<agounit>天|日|周|星期|礼拜|月|季度|年)(?:之|以)?前"
    f"|(?P<past>最近|过去)的?(?P<pastn>{_NUMBER}|几)?个?(?P<pastunit>天|周|星期|礼拜|月|季度|年)"
    "|(?P<which>上上个?|上个?|这个?|本|下个?)(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])?(?P<weekend>末)?"
    "|(?P<whichunit>上上个?|上个?|这个|本|下个?)(?P<unit>月|季度)(?P<unitpart>[初中底末]|[上中下]旬)?"
    f"|{_YEAR.format('s')}(?P<season>[春夏秋冬])[天季]"
    f"|{_YEAR.format('q')}第?(?P<quarter>[一二三四1-4])季度"
    f"|{_YEAR.format('h')}(?P<yholiday>{_any(CHINESE_HOLIDAYS)})"
    f"|{_YEAR.format('')}(?P<yearpart>[初中底末](?!学))?"
    f"(?:(?P<ymonth>{_NUMBER})月(?:份)?(?:(?P<yday>{_NUMBER})[日号]|(?P<ypart>[初中底末]|[上中下]旬))?)?"
    f"|(?P<month>{_NUMBER})月(?:份)?(?:(?P<day>{_NUMBER})[日号]|(?P<part>[初中底末]|[上中下]旬))?"
    f"|(?P<holiday>{_any(CHINESE_HOLIDAYS)})"
    f"|(?<![0-9一二三四五六七八九十])(?P<dayonly>{_NUMBER})号(?![0-9楼线房室门店院机桌])"
    "|(?<!每)(?:周|星期|礼拜)(?P<bare>[一二三四五六日天])"
)
_BOUND = re.compile(_any(CHINESE_BOUNDS))
_SHIFT = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1}
_YEARS = {"今年": 0, "去年": -1, "前年": -2, "明年": 1}


def read_chinese(text: str, today: date, *, most: int) -> Iterator[tuple[Days, str]]:
    """The days that a text names, with its words, in order; at most so many."""
    count = 0
    for match in _EXPRESSION.finditer(text):
        try:
            days, words = _days(match, today), match[0]
            bound = _BOUND.match(text, match.end())
            if bound is not None:
                days, words = bounded(days, CHINESE_BOUNDS[bound[0]], today), words + bound[0]
        except (ValueError, OverflowError):
            continue
        yield days, words
        count += 1
        if count == most:
            return


def _days(match: re.Match[str], today: date) -> Days:
    group = match.groupdict()
    if group["word"]:
        return day_word({"DAY": CHINESE_DAYS[group["word"]]}, today)
    if group["ago"]:
        return _ago(group["ago"], CHINESE_UNITS[group["agounit"]], today)
    if group["past"]:
        count = _number(group["pastn"] or "一")
        return past_units({"UNIT": CHINESE_UNITS[group["pastunit"]], "NUM": count}, today)
    if group["which"]:
        shift = _SHIFT[group["which"].rstrip("个")]
        if group["weekday"]:
            monday = unit_days("week", today, shift).first
            return one(monday + timedelta(days=CHINESE_WEEKDAYS[group["weekday"]]))
        return unit_days("weekend" if group["weekend"] else "week", today, shift)
    if group["whichunit"]:
        whole = unit_days(CHINESE_UNITS[group["unit"]], today, _SHIFT[group["whichunit"].rstrip("个")])
        return _part(whole, group["unitpart"])
    if group["bare"]:
        return weekday({"WEEKDAY": CHINESE_WEEKDAYS[group["bare"]]}, today)
    return _date(group, today)


def _date(group: dict[str, str | None], today: date) -> Days:
    if group["season"]:
        return season({"SEASON": CHINESE_SEASONS[group["season"]], "YEAR": _year(group, "s", today)}, today)
    if group["quarter"]:
        return quarter({"NUM": _number(group["quarter"]), "YEAR": _year(group, "q", today)}, today)
    if group["yholiday"]:
        return holiday({"HOLIDAY": CHINESE_HOLIDAYS[group["yholiday"]], "YEAR": _year(group, "h", today)}, today)
    if group["holiday"]:
        return holiday({"HOLIDAY": CHINESE_HOLIDAYS[group["holiday"]]}, today)
    if group["dayonly"]:
        return day_of_month({"DIG": _number(group["dayonly"])}, today)
    if group["year"] or group["rel"]:
        return _date_of_year(group, _year(group, "", today), today)
    number = _number(group["month"] or "")
    if not 1 <= number <= 12:
        raise ValueError(number)
    if group["day"]:
        return date_of({"MONTH": number, "DIG": _number(group["day"])}, today)
    return _part(month({"MONTH": number}, today), group["part"])


def _date_of_year(group: dict[str, str | None], told: int, today: date) -> Days:
    if not group["ymonth"]:
        return _part(year({"YEAR": told}, today), group["yearpart"])
    number = _number(group["ymonth"])
    if group["yday"]:
        return one(date(told, number, _number(group["yday"])))
    return _part(month_days(told, number), group["ypart"])


def _year(group: dict[str, str | None], prefix: str, today: date) -> int:
    written = group[f"{prefix}year"]
    return int(written) if written else today.year + _YEARS[group[f"{prefix}rel"] or "今年"]


def _ago(count: str, unit: str, today: date) -> Days:
    """几 ("a few") counts as three and is vague; 半 ("half") is only said of months and years."""
    if count != "半":
        return units_ago({"UNIT": unit, "FEW" if count == "几" else "NUM": _number(count)}, today)
    if unit not in ("month", "year"):
        raise ValueError(unit)
    return units_ago({"UNIT": "month", "FEW": 6} if unit == "year" else {"UNIT": "day", "FEW": 15}, today)


def _part(days: Days, part: str | None) -> Days:
    return part_of(days, CHINESE_PARTS[part]) if part else days


def _number(digits: str) -> int:
    """一 … 九十九, or plain digits; 几 ("a few") counts as three."""
    if digits == "几":
        return 3
    if digits.isascii():
        return int(digits)
    tens, has_ten, ones = digits.partition("十")
    if not has_ten:
        return CHINESE_DIGITS[digits[-1]]
    return (CHINESE_DIGITS[tens[-1]] if tens else 1) * 10 + (CHINESE_DIGITS[ones[-1]] if ones else 0)
