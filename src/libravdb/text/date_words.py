"""The words of dates in five languages, as data for `dates.py`.

A language names its words by kind and the orders in which kinds make an expression. Kinds:

- `NUM` a number, `DIG` one in figures, `FEW` a vague one (its value is a guess, so the span is wider), `FIRST` first …
- `UNIT` day, week, weekend, month, quarter, year; `WEEKDAY` Monday = 0; `MONTH` 1–12; `SEASON` first month of three
- `WHICH` this one (0), the last (−1), the one before (−2), the next (1); `PAST` a stretch up to now
- `AGO`, `BACK` count back from now; `ABOUT` says that a count is none
- `MORNING` and `FIN` (of the week) as Spanish has them; `IL` `Y` the French way to say ago
- `DAY` a whole expression in one word: how many days from today ("yesterday" is −1); `DAYPART` may follow it
- `HOLIDAY` by name, `NEW` `NEWYEAR` and `EVE` beside it; `Q` the letter before a quarter's number
- before an expression: `IN` and `ON` and `AT` (a bare month, day or holiday needs one), `PART` which third of it,
  `SINCE` `BEFORE` `AFTER` `UNTIL`; `THE`, `OF` and the like stand between

Figures are read without words: `NUM` below 1000, `YEAR` for 1900–2099, `ORDINAL` for "8th", "8.", `NUMERIC` for a date
with its year, `SHORT` for one without.

In an order, `[OF]` may be left out and `DIG|ORDINAL` is one of the two.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Kinds = tuple[str, ...]

BOUNDS = frozenset(("SINCE", "BEFORE", "AFTER", "UNTIL"))
_SPAN = BOUNDS | {"IN", "PART"}
_POINT = BOUNDS | {"ON"}
_FEAST = BOUNDS | {"IN", "ON", "AT"}
_ALONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DateOrder:
    """What an order of kinds means; with `frames`, only behind a word of one of these kinds."""

    meaning: str
    frames: frozenset[str] = _ALONE


@dataclass(frozen=True, slots=True, kw_only=True)
class DateLanguage:
    """The date words of one language. `words` maps a folded word to its kinds and the value of each; a word may begin
    with one of `elided` and an apostrophe, or end in an apostrophe and one of `endings`."""

    name: str
    words: Mapping[str, tuple[tuple[str, int | str], ...]]
    patterns: Mapping[Kinds, DateOrder]
    elided: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()


def _language(
    name: str,
    kinds: Mapping[str, Mapping[str, int | str] | str],
    patterns: Mapping[str, str | DateOrder],
    *,
    elided: str = "",
    endings: str = "",
) -> DateLanguage:
    words: dict[str, tuple[tuple[str, int | str], ...]] = {}
    for kind, members in kinds.items():
        valued = dict.fromkeys(members.split(), kind) if isinstance(members, str) else members
        for word, value in valued.items():
            words[word] = (*words.get(word, ()), (kind, value))
    return DateLanguage(
        name=name,
        words=words,
        patterns={
            kinds: DateOrder(meaning) if isinstance(meaning, str) else meaning
            for order, meaning in patterns.items()
            for kinds in _orders(order)
        },
        elided=frozenset(elided.split()),
        endings=frozenset(endings.split()),
    )


def _orders(order: str) -> Iterator[Kinds]:
    """Every order that a short form stands for."""
    choices = [
        ("", *part[1:-1].split("|")) if part.startswith("[") else tuple(part.split("|")) for part in order.split()
    ]
    for chosen in itertools.product(*choices):
        kinds = tuple(kind for kind in chosen if kind)
        if kinds[-1] not in ("OF", "THE"):
            yield kinds


def _numbered(names: str, start: int = 1) -> dict[str, int | str]:
    """`one two …` → 1, 2, …; names of the same number are joined by a slash."""
    return {name: start + i for i, group in enumerate(names.split()) for name in group.split("/")}


def _valued(*groups: tuple[int | str, str]) -> dict[str, int | str]:
    """Words with a value in common."""
    return {name: value for value, names in groups for name in names.split()}


def _units(**names: str) -> dict[str, int | str]:
    return {name: unit for unit, group in names.items() for name in group.split()}


# Orders that mean the same in every language with spaces; a pattern's meaning names a function of `days.py`.
_COMMON: dict[str, str | DateOrder] = {
    "NUMERIC": "numeric",
    "SHORT": DateOrder("numeric", _POINT),
    "DAY [DAYPART]": "day_word",
    "[WEEKDAY] DIG|ORDINAL [OF] MONTH [OF] [YEAR]": "date",
    "WEEKDAY THE DIG|ORDINAL [OF] MONTH [OF] [YEAR]": "date",
    "FIRST OF MONTH [OF] [YEAR]": "date",
    "MONTH": DateOrder("month", _SPAN),
    "MONTH [OF] YEAR": "month",
    "WHICH MONTH": "month",
    "MONTH [OF] [THE] WHICH UNIT": "month",
    "SEASON": DateOrder("season", _SPAN),
    "SEASON [OF] YEAR": "season",
    "WHICH SEASON": "season",
    "SEASON [OF] [THE] WHICH UNIT": "season",
    "WHICH UNIT IN SEASON": "season",
    "YEAR": DateOrder("year", _SPAN),
    "UNIT YEAR": DateOrder("year", _SPAN),
    "Q DIG": DateOrder("quarter", _SPAN),
    "Q DIG [OF] YEAR": "quarter",
    "FIRST|ORDINAL UNIT": DateOrder("quarter", _SPAN),
    "FIRST|ORDINAL UNIT [OF] [THE] YEAR": "quarter",
    "FIRST|ORDINAL|WHICH UNIT [OF|IN] MONTH [OF] [YEAR]": "unit_of_month",
    "WHICH UNIT": "unit",
    "WHICH WEEKDAY [DAYPART]": "weekday",
    "WEEKDAY [OF] WHICH UNIT": "weekday_of_week",
    "WHICH UNIT [ON] WEEKDAY": "weekday_of_week",
    "PAST [NUM|FEW] UNIT": "past_units",
    "WHICH NUM|FEW UNIT": "past_units",
    "HOLIDAY": DateOrder("holiday", _FEAST),
    "HOLIDAY [OF] YEAR": "holiday",
    "WHICH HOLIDAY": "holiday",
}
_NOUN_FIRST: dict[str, str | DateOrder] = {  # what comes on top where "last" stands behind its noun
    "UNIT WHICH": "unit",
    "WEEKDAY WHICH": "weekday",
    "MONTH WHICH": "month",
    "SEASON WHICH": "season",
    "HOLIDAY WHICH": "holiday",
    "WEEKDAY [OF] [THE] UNIT WHICH": "weekday_of_week",
    "MONTH [OF] [THE] UNIT WHICH": "month",
    "SEASON [OF] [THE] UNIT WHICH": "season",
    "UNIT WHICH IN MONTH": "month",
    "UNIT WHICH IN SEASON": "season",
    "NUM PAST UNIT": "past_units",
    "THE WEEKDAY": "weekday",
    "THE UNIT DIG": "day_of_month",
}

ENGLISH = _language(
    "english",
    {
        "NUM": {
            **_numbered(
                "one/a/an two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
                " seventeen eighteen nineteen twenty"
            ),
            "couple": 2,
            "dozen": 12,
        },
        "FEW": {"few": 3, "several": 4},
        "FIRST": _numbered("first second third fourth"),
        "UNIT": _units(
            day="day days night nights morning evening afternoon",
            week="week weeks",
            month="month months",
            quarter="quarter quarters",
            year="year years",
            weekend="weekend weekends",
        ),
        "DAYPART": "morning noon afternoon evening night",
        "WEEKDAY": _numbered("monday tuesday wednesday thursday friday saturday sunday", 0),
        "MONTH": _numbered(
            "january/jan february/feb march april/apr may june/jun july/jul august/aug september/sep/sept october/oct"
            " november/nov december/dec"
        ),
        "SEASON": {"spring": 3, "springtime": 3, "summer": 6, "summertime": 6, "autumn": 9, "fall": 9, "winter": 12},
        "WHICH": _valued((-1, "last previous"), (0, "this"), (1, "next coming upcoming")),
        "PAST": "past",
        "AGO": "ago",
        "HOLIDAY": _valued(("christmas", "christmas xmas"), ("easter", "easter"), ("halloween", "halloween")),
        "NEW": "new",
        "NEWYEAR": "year years",
        "EVE": "eve",
        "Q": "q",
        "SINCE": "since",
        "BEFORE": "before",
        "AFTER": "after",
        "UNTIL": "until till",
        "IN": "in during by around throughout",
        "ON": "on",
        "AT": "at over for around",
        "PART": _valued((0, "early beginning start"), (1, "mid middle"), (2, "late end")),
        "OF": "of",
        "THE": "the",
        "DAY": {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1},
    },
    {
        **_COMMON,
        "NUM|FEW UNIT AGO": "units_ago",
        "NUM FEW|NUM UNIT AGO": "few_units_ago",  # a few weeks ago, a couple weeks ago
        "NUM NUM OF UNIT AGO": "few_units_ago",  # a couple of weeks ago
        "[WEEKDAY] MONTH DIG|ORDINAL [YEAR]": "date",
        "WEEKDAY [DAYPART]": "weekday",
        "WEEKDAY NUM UNIT AGO": "weekday_ago",
        "UNIT BEFORE WHICH": "unit_before_last",
        "THE ORDINAL": DateOrder("day_of_month", _POINT),
        "HOLIDAY EVE|UNIT": DateOrder("holiday", _FEAST),
        "HOLIDAY EVE|UNIT [OF] YEAR": "holiday",
        "WHICH HOLIDAY EVE|UNIT": "holiday",
        "NEW NEWYEAR [EVE|UNIT]": DateOrder("holiday", _POINT | {"AT"}),
        "WHICH NEW NEWYEAR EVE|UNIT": "holiday",
        "NEW NEWYEAR EVE|UNIT [OF] YEAR": "holiday",
    },
    endings="s",
)

GERMAN = _language(
    "german",
    {
        "NUM": _numbered("ein/eine/einem/einer/einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf"),
        "FEW": {"paar": 3, "einigen": 3, "wenigen": 3, "mehreren": 4},
        "FIRST": _numbered(
            "erste/ersten/erstes/erster zweite/zweiten/zweites/zweiter dritte/dritten/drittes/dritter"
            " vierte/vierten/viertes/vierter"
        ),
        "UNIT": _units(
            day="tag tage tagen tages abend abende abenden nacht nachten vormittag nachmittag",
            week="woche wochen",
            month="monat monate monaten monats",
            quarter="quartal quartale quartals quartalen",
            year="jahr jahre jahren jahres",
            weekend="wochenende wochenenden wochenendes",
        ),
        "DAYPART": "morgen fruh vormittag mittag nachmittag abend nacht",
        "WEEKDAY": _numbered("montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag", 0),
        "MONTH": _numbered(
            "januar/janner februar/feber marz/maerz april mai juni juli august september oktober november dezember"
        ),
        "SEASON": {"fruhling": 3, "fruhjahr": 3, "sommer": 6, "herbst": 9, "winter": 12, "sommers": 6},
        "WHICH": _valued(
            (-2, "vorletzten vorletzte vorletztes vorletzter vorletztem"),
            (-1, "letzten letzte letztes letzter letztem vorigen vorige voriges voriger vorigem"),
            (-1, "vergangenen vergangene vergangenes vergangener"),
            (0, "diesen diese dieses diesem dieser"),
            (1, "nachsten nachste nachstes nachster nachstem kommenden kommende kommendes"),
        ),
        "PAST": "vergangenen",
        "AGO": "vor",
        "ABOUT": "etwa ungefahr circa ca rund uber gut knapp fast mehr als",
        "HOLIDAY": _valued(
            ("christmas", "weihnachten"),
            ("christmas eve", "heiligabend"),
            ("new year's eve", "silvester"),
            ("new year", "neujahr"),
            ("easter", "ostern"),
            ("halloween", "halloween"),
        ),
        "Q": "q",
        "SINCE": "seit ab",
        "BEFORE": "vor",
        "AFTER": "nach",
        "UNTIL": "bis",
        "IN": "im in wahrend",
        "ON": "am vom zum den",
        "AT": "an zu uber",
        "PART": _valued((0, "anfang"), (1, "mitte"), (2, "ende")),
        "OF": "des",
        "THE": "der den dem das die zum",
        "DAY": {"heute": 0, "gestern": -1, "vorgestern": -2, "morgen": 1, "ubermorgen": 2},
    },
    {
        **_COMMON,
        "AGO [ABOUT] [ABOUT] NUM|FEW UNIT": "units_ago",
        "AGO NUM FEW UNIT": "few_units_ago",
        "THE|ON WEEKDAY [DAYPART]": "weekday",
        "ORDINAL": DateOrder("day_of_month", _POINT),
    },
)

SPANISH = _language(
    "spanish",
    {
        "NUM": {**_numbered("un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce"), "par": 2},
        "FEW": {"unos": 3, "unas": 3, "pocos": 3, "pocas": 3, "varios": 4, "varias": 4},
        "FIRST": _numbered("primer/primero/primera segundo/segunda tercer/tercero/tercera cuarto/cuarta"),
        "UNIT": _units(
            day="dia dias noche noches tarde madrugada",
            week="semana semanas",
            month="mes meses",
            quarter="trimestre trimestres",
            year="ano anos",
            weekend="finde",
        ),
        "DAYPART": "noche tarde madrugada",
        "WEEKDAY": _numbered("lunes martes miercoles jueves viernes sabado domingo", 0),
        "MONTH": _numbered(
            "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre"
        ),
        "SEASON": {"primavera": 3, "verano": 6, "otono": 9, "invierno": 12},
        "WHICH": _valued(
            (-2, "antepasado antepasada penultimo penultima"),
            (-1, "pasado pasada ultimo ultima"),
            (0, "este esta"),
            (1, "proximo proxima siguiente"),
        ),
        "PAST": "ultimos ultimas",
        "AGO": "hace",
        "BACK": "atras",
        "ABOUT": "como casi aproximadamente mas de",
        "FIN": "fin",
        "MORNING": "manana",
        "HOLIDAY": _valued(
            ("christmas", "navidad navidades"),
            ("christmas eve", "nochebuena"),
            ("new year's eve", "nochevieja"),
            ("easter", "pascua"),
            ("halloween", "halloween"),
        ),
        "Q": "q t",
        "SINCE": "desde",
        "BEFORE": "antes",
        "AFTER": "despues tras",
        "UNTIL": "hasta",
        "IN": "en durante",
        "ON": "el al del",
        "AT": "por a para",
        "PART": _valued((0, "principios principio inicios comienzos"), (1, "mediados"), (2, "finales fines fin final")),
        "OF": "de del",
        "POR": "por",
        "THE": "el la los las",
        "DAY": {"hoy": 0, "ayer": -1, "anteayer": -2, "antier": -2, "anteanoche": -2, "anoche": -1},
    },
    {
        **_COMMON,
        **_NOUN_FIRST,
        "AGO [ABOUT] [ABOUT] NUM|FEW UNIT": "units_ago",
        "AGO FEW NUM UNIT": "units_ago",
        "AGO NUM NUM [OF] UNIT": "few_units_ago",  # hace un par de semanas
        "NUM|FEW UNIT BACK": "units_ago",
        "NUM OF MONTH [OF] [YEAR]": "date",
        "DAY POR THE DAYPART": "day_word",
        "WHICH MORNING": "manana",
        "WHICH FIN OF UNIT": "weekend",
        "FIN OF UNIT WHICH": "weekend",
    },
)

FRENCH = _language(
    "french",
    {
        "NUM": _numbered("un/une deux trois quatre cinq six sept huit neuf dix onze douze"),
        "FEW": {"quelques": 3, "plusieurs": 4},
        "FIRST": _numbered("premier/premiere deuxieme/second/seconde troisieme quatrieme"),
        "UNIT": _units(
            day="jour jours nuit nuits soir soirs matin apres-midi",
            week="semaine semaines",
            month="mois",
            quarter="trimestre trimestres",
            year="an ans annee annees",
            weekend="week-end weekend week-ends weekends",
        ),
        "DAYPART": "soir matin midi apres-midi",
        "WEEKDAY": _numbered("lundi mardi mercredi jeudi vendredi samedi dimanche", 0),
        "MONTH": _numbered("janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre"),
        "SEASON": {"printemps": 3, "ete": 6, "automne": 9, "hiver": 12},
        "WHICH": _valued(
            (-2, "avant-dernier avant-derniere"),
            (-1, "dernier derniere passe passee"),
            (0, "ce cet cette"),
            (1, "prochain prochaine"),
        ),
        "PAST": "derniers dernieres",
        "AGO": "a",
        "ABOUT": "environ presque pres de plus",
        "HOLIDAY": _valued(
            ("christmas", "noel"),
            ("new year's eve", "saint-sylvestre"),
            ("easter", "paques"),
            ("halloween", "halloween"),
        ),
        "Q": "q t",
        "SINCE": "depuis",
        "BEFORE": "avant",
        "AFTER": "apres",
        "UNTIL": "jusqu'a jusqu'au jusqu'en jusque",
        "IN": "en pendant durant courant au",
        "ON": "le du au",
        "AT": "a pour",
        "PART": _valued((0, "debut"), (1, "mi milieu"), (2, "fin")),
        "OF": "de du d",
        "THE": "le la les l",
        "IL": "il",
        "Y": "y",
        "DAY": {"hier": -1, "avant-hier": -2, "demain": 1, "apres-demain": 2, "aujourd'hui": 0},
    },
    {
        **_COMMON,
        **_NOUN_FIRST,
        "IL Y AGO [ABOUT] [ABOUT] NUM|FEW UNIT": "units_ago",
    },
    elided="l d qu",
)

LANGUAGES = (ENGLISH, GERMAN, SPANISH, FRENCH)

LOWER_TOO = frozenset(("IN", "SINCE", "UNTIL", "PART"))
AMBIGUOUS_MONTHS = {"english": frozenset(("may", "march"))}
"""Months that are plain words too: written without a capital they count only with a year, with "last" or "next", or
behind a word of `LOWER_TOO`."""

CHINESE_DIGITS = {char: i for i, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "十": 10}
CHINESE_WEEKDAYS = {char: i for i, char in enumerate("一二三四五六")} | {"日": 6, "天": 6}
CHINESE_UNITS = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "季度": "quarter",
    "年": "year",
}
CHINESE_DAYS = {
    "今天": 0,
    "今日": 0,
    "今早": 0,
    "今晚": 0,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "昨夜": -1,
    "前天": -2,
    "前晚": -2,
    "大前天": -3,
    "明天": 1,
    "后天": 2,
    "大后天": 3,
}
CHINESE_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
CHINESE_HOLIDAYS = {
    "圣诞节": "christmas",
    "圣诞": "christmas",
    "平安夜": "christmas eve",
    "跨年夜": "new year's eve",
    "元旦": "new year",
    "复活节": "easter",
    "万圣节": "halloween",
}
CHINESE_PARTS = {"初": 0, "上旬": 0, "中": 1, "中旬": 1, "下旬": 2, "底": 2, "末": 2}
CHINESE_BOUNDS = {
    "以来": "SINCE",
    "至今": "SINCE",
    "之前": "BEFORE",
    "以前": "BEFORE",
    "之后": "AFTER",
    "以后": "AFTER",
    "为止": "UNTIL",
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
