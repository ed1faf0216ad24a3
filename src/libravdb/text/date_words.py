"""The words of dates in five languages, as data for `dates.py`.

A language names its words by kind and the orders in which kinds make an expression. Kinds:

- `NUM` a number word, `FEW` a vague one (its value is a guess, so the span is wider)
- `UNIT` day, week, month, year, weekend; `WEEKDAY` Monday = 0; `MONTH` 1–12; `SEASON` first month of three
- `LAST`, `NEXT`, `THIS`, `PAST` which one is meant; `AGO` counts back from now; `SINCE` up to now
- `DAY` a whole expression in one word: how many days from today ("yesterday" is −1)
- `IN`, `OF`, `THE` particles

Digits are read without words: `NUM` below 1000, `YEAR` for 1900–2099, `ORDINAL` for "8th", "8.", `ISO` for 2023-05-08.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Kinds = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DateLanguage:
    """The date words of one language. `words` maps a folded word to its kinds and the value of each."""

    name: str
    words: Mapping[str, tuple[tuple[str, int | str], ...]]
    patterns: Mapping[Kinds, str]


def _language(
    name: str, kinds: Mapping[str, Mapping[str, int | str] | str], patterns: Mapping[str, str]
) -> DateLanguage:
    words: dict[str, tuple[tuple[str, int | str], ...]] = {}
    for kind, members in kinds.items():
        valued = dict.fromkeys(members.split(), kind) if isinstance(members, str) else members
        for word, value in valued.items():
            words[word] = (*words.get(word, ()), (kind, value))
    return DateLanguage(
        name=name,
        words=words,
        patterns={tuple(order.split()): meaning for order, meaning in patterns.items()},
    )


def _numbered(names: str, start: int = 1) -> dict[str, int | str]:
    """`one two …` → 1, 2, …; names of the same number are joined by a slash."""
    return {name: start + i for i, group in enumerate(names.split()) for name in group.split("/")}


def _units(**names: str) -> dict[str, int | str]:
    return {name: unit for unit, group in names.items() for name in group.split()}


# Orders that mean the same in every language with spaces; a pattern's meaning names a function of `dates.py`.
_COMMON = {
    "ISO": "iso",
    "DAY": "day_word",
    "NUM MONTH YEAR": "date_dmy",
    "ORDINAL MONTH YEAR": "date_dmy",
    "NUM MONTH": "date_dm",
    "ORDINAL MONTH": "date_dm",
    "MONTH YEAR": "month_of_year",
    "IN MONTH": "month",
    "LAST MONTH": "last_month",
    "THIS MONTH": "month",
    "NEXT MONTH": "next_month",
    "IN YEAR": "year",
    "LAST UNIT": "last_unit",
    "THIS UNIT": "this_unit",
    "NEXT UNIT": "next_unit",
    "LAST WEEKDAY": "last_weekday",
    "THIS WEEKDAY": "last_weekday",
    "NEXT WEEKDAY": "next_weekday",
    "LAST SEASON": "last_season",
    "THIS SEASON": "season",
    "IN SEASON": "season",
    "PAST UNIT": "past_units",
    "PAST NUM UNIT": "past_units",
    "PAST FEW UNIT": "past_units",
    "LAST NUM UNIT": "past_units",
    "LAST FEW UNIT": "past_units",
    "SINCE MONTH": "since_month",
    "SINCE LAST MONTH": "since_month",
    "SINCE YEAR": "since_year",
    "SINCE LAST UNIT": "since_unit",
}

ENGLISH = _language(
    "english",
    {
        "NUM": {**_numbered("one/a/an two three four five six seven eight nine ten eleven twelve"), "couple": 2},
        "FEW": {"few": 3, "several": 4},
        "UNIT": _units(
            day="day days", week="week weeks", month="month months", year="year years", weekend="weekend weekends"
        ),
        "WEEKDAY": _numbered("monday tuesday wednesday thursday friday saturday sunday", 0),
        "MONTH": _numbered(
            "january/jan february/feb march april/apr may june/jun july/jul august/aug september/sep/sept october/oct"
            " november/nov december/dec"
        ),
        "SEASON": {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12},
        "LAST": "last previous",
        "PAST": "past",
        "NEXT": "next coming upcoming",
        "THIS": "this",
        "AGO": "ago",
        "SINCE": "since",
        "IN": "in during by until early mid late around",
        "OF": "of",
        "THE": "the on",
        "DAY": {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1},
    },
    {
        **_COMMON,
        "NUM UNIT AGO": "units_ago",
        "FEW UNIT AGO": "units_ago",
        "NUM FEW UNIT AGO": "few_units_ago",
        "NUM NUM UNIT AGO": "few_units_ago",  # a couple weeks ago
        "NUM NUM OF UNIT AGO": "few_units_ago",  # a couple of weeks ago
        "MONTH NUM YEAR": "date_mdy",
        "MONTH ORDINAL YEAR": "date_mdy",
        "MONTH NUM": "date_md",
        "MONTH ORDINAL": "date_md",
        "ORDINAL OF MONTH": "date_dm",
        "ORDINAL OF MONTH YEAR": "date_dmy",
        "MONTH OF YEAR": "month_of_year",
        "SEASON YEAR": "season_of_year",
        "SEASON OF YEAR": "season_of_year",
        "WEEKDAY": "last_weekday",
        "WEEKDAY NUM UNIT AGO": "weekday_ago",
    },
)

GERMAN = _language(
    "german",
    {
        "NUM": _numbered("ein/eine/einem/einer/einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf"),
        "FEW": {"paar": 3, "einigen": 3, "wenigen": 3, "mehreren": 4},
        "UNIT": _units(
            day="tag tage tagen",
            week="woche wochen",
            month="monat monate monaten",
            year="jahr jahre jahren",
            weekend="wochenende wochenenden",
        ),
        "WEEKDAY": _numbered("montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag", 0),
        "MONTH": _numbered("januar/janner februar marz april mai juni juli august september oktober november dezember"),
        "SEASON": {"fruhling": 3, "fruhjahr": 3, "sommer": 6, "herbst": 9, "winter": 12},
        "LAST": "letzten letzte letztes letzter letztem vorigen vorige voriges vergangenen vergangene vergangenes",
        "PAST": "vergangenen",
        "NEXT": "nachsten nachste nachstes nachster kommenden kommende",
        "THIS": "diesen diese dieses diesem dieser",
        "AGO": "vor",
        "SINCE": "seit",
        "IN": "im in anfang mitte ende",
        "THE": "der den dem am",
        "DAY": {"heute": 0, "gestern": -1, "vorgestern": -2, "morgen": 1, "ubermorgen": 2},
    },
    {
        **_COMMON,
        "AGO NUM UNIT": "ago_units",
        "AGO FEW UNIT": "ago_units",
        "AGO NUM FEW UNIT": "ago_few_units",
        "THE WEEKDAY": "last_weekday",
    },
)

SPANISH = _language(
    "spanish",
    {
        "NUM": _numbered("un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce"),
        "FEW": {"unos": 3, "unas": 3, "pocos": 3, "pocas": 3, "varios": 4, "varias": 4},
        "UNIT": _units(day="dia dias", week="semana semanas", month="mes meses", year="ano anos", weekend="finde"),
        "WEEKDAY": _numbered("lunes martes miercoles jueves viernes sabado domingo", 0),
        "MONTH": _numbered(
            "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre"
        ),
        "SEASON": {"primavera": 3, "verano": 6, "otono": 9, "invierno": 12},
        "LAST": "pasado pasada ultimo ultima",
        "PAST": "ultimos ultimas",
        "NEXT": "proximo proxima",
        "THIS": "este esta",
        "AGO": "hace",
        "SINCE": "desde",
        "IN": "en durante",
        "OF": "de del",
        "THE": "el la los las",
        "DAY": {"hoy": 0, "ayer": -1, "anteayer": -2, "antier": -2, "anoche": -1},
    },
    {
        **_COMMON,
        "AGO NUM UNIT": "ago_units",
        "AGO FEW UNIT": "ago_units",
        "UNIT LAST": "unit_last",
        "WEEKDAY LAST": "weekday_last",
        "MONTH LAST": "month_last",
        "SEASON LAST": "season_last",
        "THE WEEKDAY": "last_weekday",
        "NUM OF MONTH": "date_dm",
        "NUM OF MONTH OF YEAR": "date_dmy",
        "MONTH OF YEAR": "month_of_year",
        "SEASON OF YEAR": "season_of_year",
    },
)

FRENCH = _language(
    "french",
    {
        "NUM": _numbered("un/une deux trois quatre cinq six sept huit neuf dix onze douze"),
        "FEW": {"quelques": 3, "plusieurs": 4},
        "UNIT": _units(
            day="jour jours", week="semaine semaines", month="mois", year="an ans annee annees", weekend="week-end"
        ),
        "WEEKDAY": _numbered("lundi mardi mercredi jeudi vendredi samedi dimanche", 0),
        "MONTH": _numbered("janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre"),
        "SEASON": {"printemps": 3, "ete": 6, "automne": 9, "hiver": 12},
        "LAST": "dernier derniere passe passee",
        "PAST": "derniers dernieres",
        "NEXT": "prochain prochaine",
        "THIS": "ce cet cette",
        "SINCE": "depuis",
        "IN": "en debut fin mi pendant",
        "OF": "de",
        "THE": "le la les",
        "AGO": "a",
        "IL": "il",
        "Y": "y",
        "DAY": {"hier": -1, "avant-hier": -2, "demain": 1, "aujourd'hui": 0},
    },
    {
        **_COMMON,
        "IL Y AGO NUM UNIT": "ago_units",
        "IL Y AGO FEW UNIT": "ago_units",
        "UNIT LAST": "unit_last",
        "WEEKDAY LAST": "weekday_last",
        "MONTH LAST": "month_last",
        "SEASON LAST": "season_last",
        "THE WEEKDAY": "last_weekday",
        "PAST NUM UNIT": "past_units",
        "NUM PAST UNIT": "past_units",
        "MONTH OF YEAR": "month_of_year",
    },
)

LANGUAGES = (ENGLISH, GERMAN, SPANISH, FRENCH)

CHINESE_DIGITS = {char: i for i, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "十": 10}
CHINESE_WEEKDAYS = {char: i for i, char in enumerate("一二三四五六")} | {"日": 6, "天": 6}
CHINESE_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
CHINESE_DAYS = {
    "今天": 0,
    "今日": 0,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "前天": -2,
    "大前天": -3,
    "明天": 1,
    "后天": 2,
}

TEMPORAL_PHRASES = (  # asked about time: when, how long, before, after, first …
    "when did",
    "when was",
    "when were",
    "when is",
    "when will",
    "when have",
    "how long",
    "how many days",
    "how many weeks",
    "how many months",
    "how many years",
    "which came first",
    "what order",
    "the order",
    "happened first",
    "what date",
    "which date",
    "what day",
    "what month",
    "what year",
    "which month",
    "which year",
    "most recent",
    "how old",
    "before or after",
    " before ",
    " after ",
    " since ",
    " first,",
    " or the ",
    "wann ",
    "wie lange",
    "seit wann",
    "wie viele tage",
    "wie viele wochen",
    "zuerst",
    "bevor ",
    "nachdem ",
    "cuando ",
    "cuánto tiempo",
    "cuanto tiempo",
    "hace cuanto",
    "antes de",
    "después de",
    "despues de",
    "primero",
    "quand ",
    "combien de temps",
    "depuis quand",
    "avant de",
    "après",
    "en premier",
    "什么时候",
    "何时",
    "多久",
    "之前",
    "之后",
    "以来",
    "哪天",
    "几号",
    "先",
    "第一次",
    "多长时间",
)
