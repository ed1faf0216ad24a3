"""Calendar arithmetic for `dates.py`: from what the words of an expression stand for to whole days.

Every meaning is a function of the values that the words have and of today. One that makes no sense (the 31st of June)
raises ValueError or OverflowError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

Values = Mapping[str, int | str]
"""What the words of an expression stand for, by kind."""


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days [first, last] and the softness in days."""

    first: date
    last: date
    softness: float


Meaning = Callable[[Values, date], Days]

EARLIEST, LATEST = date(1, 1, 1), date(9999, 12, 30)

_SOFT_AGO = {"day": 1.0, "week": 3.0, "month": 9.0, "quarter": 20.0, "year": 60.0, "weekend": 2.0}
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365, "weekend": 7}
_OPEN_DAYS = 30
"""How far a time reaches that only has a beginning, and that in the future."""


def one(day: date, softness: float = 0.75) -> Days:
    """A single day."""
    return Days(day, day, softness)


def _number(values: Values) -> int:
    for kind in ("FEW", "NUM", "DIG", "ORDINAL", "FIRST"):
        if kind in values:
            return int(values[kind])
    return 1


def _which(values: Values) -> int:
    return int(values["WHICH"])


# ── dates ─────────────────────────────────────────────────────────────────────────────────────────────────


def numeric(written: str, today: date) -> tuple[Days, ...]:
    """A date in figures. Where both orders make sense, and neither is the only one in use, both are meant."""
    mark = next(char for char in written if not char.isdigit())
    parts = [int(part) for part in written.strip(".").split(mark)]
    if len(written.partition(mark)[0]) == 4:
        return (one(date(parts[0], parts[1], parts[2])),)
    orders = [(parts[0], parts[1])] if mark == "." else [(parts[0], parts[1]), (parts[1], parts[0])]
    found = [_valid(day, month, parts[2] if len(parts) == 3 else None, today) for day, month in dict.fromkeys(orders)]
    read = tuple(one(each) for each in found if each is not None)
    if not read:
        raise ValueError(written)
    return read


def _valid(day: int, month: int, year: int | None, today: date) -> date | None:
    try:
        if year is None:
            return _latest(month, day, today)
        full = year if year > 99 else year + (2000 if year < 70 else 1900)
        return date(full, month, day) if 1900 <= full < 2100 else None
    except ValueError:
        return None


def _latest(month: int, day: int, today: date) -> date:
    """The latest such day that is not far in the future."""
    soon = today + timedelta(days=31)
    for year in range(today.year, today.year - 9, -1):
        if month == 2 and day == 29 and not _is_leap(year):
            continue
        found = date(year, month, day)
        if found <= soon:
            return found
    raise ValueError(day)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def day_word(values: Values, today: date) -> Days:
    """Yesterday, tomorrow."""
    return one(today + timedelta(days=int(values["DAY"])))


def manana(values: Values, today: date) -> Days:
    """ "Esta mañana" is today, "pasado mañana" the day after tomorrow."""
    return one(today + timedelta(days={0: 0, -1: 2}.get(_which(values), 1)))


def date_of(values: Values, today: date) -> Days:
    """A day of a month; without a year the latest one that is not far in the future."""
    month, day = int(values["MONTH"]), _number(values)
    if "YEAR" in values:
        return one(date(int(values["YEAR"]), month, day))
    return one(_latest(month, day, today))


def day_of_month(values: Values, today: date) -> Days:
    """ "The 14th": of this month, or of the last one that has such a day."""
    if values.get("UNIT", "day") != "day":
        raise ValueError(values["UNIT"])
    day = _number(values)
    for back in range(3):
        found = unit_days("month", today, -back)
        if day <= found.last.day and found.first + timedelta(days=day - 1) <= today:
            return one(found.first + timedelta(days=day - 1))
    raise ValueError(day)


# ── months, seasons, quarters, years ──────────────────────────────────────────────────────────────────────


def month_days(year: int, month: int) -> Days:
    """A month."""
    after = date(year + month // 12, month % 12 + 1, 1)
    return Days(date(year, month, 1), after - timedelta(days=1), 4.0)


def month(values: Values, today: date) -> Days:
    """Of the year that is told, else the latest that has begun; the last one lies before this month, the next one
    behind it."""
    number, year = int(values["MONTH"]), today.year
    if "YEAR" in values:
        return month_days(int(values["YEAR"]), number)
    which = _which(values) if "WHICH" in values else 0
    if "UNIT" in values:
        return month_days(_year_of(values, today), number)
    if which == 0:
        return month_days(year - (number > today.month), number)
    if which > 0:
        return month_days(year + (number <= today.month), number)
    return month_days(year - (number >= today.month) + which + 1, number)


def _year_of(values: Values, today: date) -> int:
    """ "Last year" beside a month or a season."""
    if values["UNIT"] != "year":
        raise ValueError(values["UNIT"])
    return today.year + _which(values)


def year(values: Values, _: date) -> Days:
    """A year; a word beside it, if any, is "year"."""
    if values.get("UNIT", "year") != "year":
        raise ValueError(values["UNIT"])
    number = int(values["YEAR"])
    return Days(date(number, 1, 1), date(number, 12, 31), 15.0)


def season_days(year: int, month: int) -> Days:
    """Three months from the first of one on."""
    last = month_days(year + (month + 1) // 12, (month + 1) % 12 + 1).last
    return Days(date(year, month, 1), last, 10.0)


def season(values: Values, today: date) -> Days:
    """Of the year that is told, else the latest that has begun; the last one is over, the next one has not begun."""
    first = int(values["SEASON"])
    if "YEAR" in values:
        return season_days(int(values["YEAR"]), first)
    if "UNIT" in values:
        return season_days(_year_of(values, today), first)
    which = _which(values) if "WHICH" in values else 0
    if which == 0:
        return season_days(today.year - (first > today.month), first)
    if which > 0:
        return season_days(today.year + (first <= today.month), first)
    found = season_days(today.year, first)
    over = found if found.last < today else season_days(today.year - 1, first)
    return season_days(over.first.year + which + 1, first)


def quarter(values: Values, today: date) -> Days:
    """Three months of a year, counted from January."""
    number = _number(values)
    if not 1 <= number <= 4 or values.get("UNIT", "quarter") != "quarter":
        raise ValueError(number)
    first = 3 * number - 2
    return season_days(int(values["YEAR"]) if "YEAR" in values else today.year - (first > today.month), first)


def unit_of_month(values: Values, today: date) -> Days:
    """ "The first week of May", "the last weekend of May", "the last day of May"; "last year in May" is that May."""
    if values["UNIT"] == "year" and "WHICH" in values:
        return month(values, today)
    whole = month({kind: value for kind, value in values.items() if kind in ("MONTH", "YEAR")}, today)
    unit, length = str(values["UNIT"]), {"day": 1, "week": 7, "weekend": 2}[str(values["UNIT"])]
    if "WHICH" in values:
        if _which(values) != -1:
            raise ValueError(unit)
        back = (whole.last.weekday() - 6) % 7 if unit == "weekend" else 0
        last = whole.last - timedelta(days=back)
        return Days(last - timedelta(days=length - 1), last, 2.0)
    first = whole.first + timedelta(days=(5 - whole.first.weekday()) % 7 if unit == "weekend" else 0)
    first += timedelta(days=(_number(values) - 1) * _UNIT_DAYS[unit])
    if first > whole.last:
        raise ValueError(unit)
    return Days(first, min(first + timedelta(days=length - 1), whole.last), 2.0)


# ── units ─────────────────────────────────────────────────────────────────────────────────────────────────


def unit_days(unit: str, today: date, shift: int) -> Days:
    """The calendar unit that holds today, moved by `shift` of them."""
    if unit == "day":
        return one(today + timedelta(days=shift))
    if unit in ("week", "weekend"):
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=shift)
        first = monday + timedelta(days=5 if unit == "weekend" else 0)
        return Days(first, monday + timedelta(days=6), 2.0)
    if unit == "month":
        months = today.year * 12 + today.month - 1 + shift
        return month_days(months // 12, months % 12 + 1)
    if unit == "quarter":
        quarters = today.year * 4 + (today.month - 1) // 3 + shift
        return season_days(quarters // 4, quarters % 4 * 3 + 1)
    return year({"YEAR": today.year + shift}, today)


def unit(values: Values, today: date) -> Days:
    """This week, last month, next year."""
    return unit_days(str(values["UNIT"]), today, _which(values))


def weekend(values: Values, today: date) -> Days:
    """The weekend of a language that calls it the end of a week."""
    if values["UNIT"] != "week":
        raise ValueError(values["UNIT"])
    return unit_days("weekend", today, _which(values))


def unit_before_last(values: Values, today: date) -> Days:
    """The one before the last."""
    if _which(values) != -1:
        raise ValueError(values["WHICH"])
    return unit_days(str(values["UNIT"]), today, -2)


def weekday(values: Values, today: date) -> Days:
    """The latest such day before today, or the next one; speakers sometimes mean the one a week earlier."""
    number, which = int(values["WEEKDAY"]), _which(values) if "WHICH" in values else -1
    if which > 0:
        return one(today + timedelta(days=(number - today.weekday() - 1) % 7 + 1))
    back = (today.weekday() - number - 1) % 7 + 1
    return one(today - timedelta(days=back + (7 if which == -2 else 0)))


def weekday_of_week(values: Values, today: date) -> Days:
    """ "Tuesday last week"."""
    if values["UNIT"] != "week":
        raise ValueError(values["UNIT"])
    return one(unit(values, today).first + timedelta(days=int(values["WEEKDAY"])))


def units_ago(values: Values, today: date) -> Days:
    """So many units before today; the larger the unit, the less the speaker meant the exact day."""
    unit, count = str(values["UNIT"]), _number(values)
    vague = 2.0 if "FEW" in values else 1.0
    if unit == "weekend":
        return unit_days(unit, today, -count)
    if unit in ("month", "quarter", "year"):
        months = today.year * 12 + today.month - 1 - count * {"month": 1, "quarter": 3, "year": 12}[unit]
        day = min(today.day, 28)
        return one(date(months // 12, months % 12 + 1, day), _SOFT_AGO[unit] * vague)
    return one(today - timedelta(days=count * _UNIT_DAYS[unit]), _SOFT_AGO[unit] * vague)


def few_units_ago(values: Values, today: date) -> Days:
    """ "A couple of weeks ago"."""
    return units_ago({"FEW": _number(values), **values}, today)


def weekday_ago(values: Values, today: date) -> Days:
    """ "The Wednesday two months ago": the one nearest to that time."""
    around = units_ago(values, today).first
    shift = (int(values["WEEKDAY"]) - around.weekday() + 3) % 7 - 3
    return one(around + timedelta(days=shift), 2.0)


def past_units(values: Values, today: date) -> Days:
    """The stretch of so many units that ends today."""
    if int(values.get("WHICH", -1)) != -1:
        raise ValueError(values["WHICH"])
    days = _number(values) * _UNIT_DAYS[str(values["UNIT"])]
    return Days(today - timedelta(days=days), today, max(1.0, days / 10))


# ── holidays ──────────────────────────────────────────────────────────────────────────────────────────────

_FIXED = {  # month, first day, last day
    "christmas": (12, 24, 26),
    "christmas eve": (12, 24, 24),
    "christmas day": (12, 25, 25),
    "halloween": (10, 31, 31),
    "new year's eve": (12, 31, 31),
    "new year": (1, 1, 1),
}


def easter(year: int) -> date:
    """Easter Sunday by the Gregorian computus (Butcher's form)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


def _holiday_days(name: str, year: int) -> Days:
    if name == "easter":
        sunday = easter(year)
        return Days(sunday - timedelta(days=2), sunday + timedelta(days=1), 1.5)
    month, first, last = _FIXED[name]
    return Days(date(year, month, first), date(year, month, last), 1.5)


def holiday(values: Values, today: date) -> Days:
    """Of the year that is told, else the latest that is not far in the future; the last one is over."""
    name = _holiday_name(values)
    if "YEAR" in values:
        return _holiday_days(name, int(values["YEAR"]))
    which = _which(values) if "WHICH" in values else 0
    this = _holiday_days(name, today.year)
    if which > 0:
        return this if this.first > today else _holiday_days(name, today.year + 1)
    edge = today + timedelta(days=31) if which == 0 else today - timedelta(days=1)
    latest = today.year if this.last <= edge else today.year - 1
    return _holiday_days(name, latest + min(which + 1, 0))


def _holiday_name(values: Values) -> str:
    name = str(values.get("HOLIDAY", "new year"))
    if "EVE" in values:
        return "new year's eve" if name == "new year" else f"{name} eve"
    return "christmas day" if name == "christmas" and "UNIT" in values else name


# ── what stands before a time ─────────────────────────────────────────────────────────────────────────────


def part_of(days: Days, third: int) -> Days:
    """The first, middle or last third of a stretch of a week or more; "late Monday" is Monday."""
    length = (days.last - days.first).days + 1
    if length < 7:
        return days
    first = days.first + timedelta(days=length * third // 3)
    last = days.first + timedelta(days=length * (third + 1) // 3 - 1)
    return Days(first, last, max(1.0, days.softness / 2))


def bounded(days: Days, bound: str, today: date) -> Days:
    """ "Since", "before", "after", "until" a time."""
    if bound == "SINCE":
        return Days(min(days.first, today), today, days.softness)
    if bound == "BEFORE":
        return Days(EARLIEST, days.first - timedelta(days=1), days.softness)
    if bound == "UNTIL":
        return Days(EARLIEST, days.last, days.softness)
    first = days.last + timedelta(days=1)
    return Days(first, max(today, first + timedelta(days=_OPEN_DAYS)), days.softness)


def beside(days: Days, bound: str, unit: str, count: int | None) -> Days:
    """ "The day before", "the weekend after", "two weeks before" a time."""
    sign = -1 if bound == "BEFORE" else 1
    edge = days.first if sign < 0 else days.last
    if count is not None and unit != "weekend":
        return one(edge + sign * timedelta(days=count * _UNIT_DAYS[unit]), _SOFT_AGO[unit])
    if unit == "weekend":
        gap = (edge.weekday() - 6 - 1) % 7 + 1 if sign < 0 else (5 - edge.weekday() - 1) % 7 + 1
        end = edge + sign * timedelta(days=gap)
        return Days(end - timedelta(days=1), end, 2.0) if sign < 0 else Days(end, end + timedelta(days=1), 2.0)
    near, far = edge + sign * timedelta(days=1), edge + sign * timedelta(days=_UNIT_DAYS[unit])
    return Days(min(near, far), max(near, far), 1.0)


MEANINGS: dict[str, Meaning] = {
    "day_word": day_word,
    "manana": manana,
    "date": date_of,
    "day_of_month": day_of_month,
    "month": month,
    "season": season,
    "quarter": quarter,
    "year": year,
    "unit": unit,
    "weekend": weekend,
    "unit_before_last": unit_before_last,
    "unit_of_month": unit_of_month,
    "weekday": weekday,
    "weekday_of_week": weekday_of_week,
    "units_ago": units_ago,
    "few_units_ago": few_units_ago,
    "weekday_ago": weekday_ago,
    "past_units": past_units,
    "holiday": holiday,
}
