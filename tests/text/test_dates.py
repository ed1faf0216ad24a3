"""Words that name a time, in five languages, counted from a moment; and hostile texts, which name none."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.text.date_words import LANGUAGES
from libravdb.text.dates import (
    _ASCII_WORD,
    _WORD,
    DAY_MS,
    MOST_EXPRESSIONS,
    Span,
    count_dates,
    read_dates,
)
from libravdb.text.days import easter

NOW = int(datetime(2023, 5, 30, 18, 45, tzinfo=UTC).timestamp() * 1000)  # a Tuesday


def day(at: int) -> date:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)).date()


def days(span: Span) -> tuple[str, str]:
    return day(span.start).isoformat(), day(span.end - 1).isoformat()


SAID = [
    ("what did I do two weeks ago?", "two weeks ago", "2023-05-16", "2023-05-16"),
    ("a couple of weeks ago", "a couple of weeks ago", "2023-05-16", "2023-05-16"),
    ("ten days ago", "ten days ago", "2023-05-20", "2023-05-20"),
    ("3 months ago", "3 months ago", "2023-02-28", "2023-02-28"),
    ("last Tuesday", "last Tuesday", "2023-05-23", "2023-05-23"),
    ("on the Wednesday two months ago", "Wednesday two months ago", "2023-03-29", "2023-03-29"),
    ("yesterday", "yesterday", "2023-05-29", "2023-05-29"),
    ("last week", "last week", "2023-05-22", "2023-05-28"),
    ("last weekend", "last weekend", "2023-05-27", "2023-05-28"),
    ("this month", "this month", "2023-05-01", "2023-05-31"),
    ("next year", "next year", "2024-01-01", "2024-12-31"),
    ("in May", "in May", "2023-05-01", "2023-05-31"),
    ("in June", "in June", "2022-06-01", "2022-06-30"),
    ("last May", "last May", "2022-05-01", "2022-05-31"),
    ("on 8 May, 2023", "8 May, 2023", "2023-05-08", "2023-05-08"),
    ("May 8th", "May 8th", "2023-05-08", "2023-05-08"),
    ("December 24", "December 24", "2022-12-24", "2022-12-24"),
    ("on 2023-04-01 at noon", "2023-04-01", "2023-04-01", "2023-04-01"),
    ("summer of 2022", "summer of 2022", "2022-06-01", "2022-08-31"),
    ("last summer", "last summer", "2022-06-01", "2022-08-31"),
    ("in the last two weeks", "last two weeks", "2023-05-16", "2023-05-30"),
    ("since March", "since March", "2023-03-01", "2023-05-30"),
    ("vor zwei Wochen", "vor zwei Wochen", "2023-05-16", "2023-05-16"),
    ("letzten März", "letzten März", "2023-03-01", "2023-03-31"),
    ("am 8. Mai 2022", "8. Mai 2022", "2022-05-08", "2022-05-08"),
    ("vorgestern", "vorgestern", "2023-05-28", "2023-05-28"),
    ("letzte Woche", "letzte Woche", "2023-05-22", "2023-05-28"),
    ("hace dos semanas", "hace dos semanas", "2023-05-16", "2023-05-16"),
    ("la semana pasada", "semana pasada", "2023-05-22", "2023-05-28"),
    ("el 8 de mayo de 2023", "8 de mayo de 2023", "2023-05-08", "2023-05-08"),
    ("anteayer", "anteayer", "2023-05-28", "2023-05-28"),
    ("il y a trois jours", "il y a trois jours", "2023-05-27", "2023-05-27"),
    ("mardi dernier", "mardi dernier", "2023-05-23", "2023-05-23"),
    ("avant-hier", "avant-hier", "2023-05-28", "2023-05-28"),
    ("en août", "en août", "2022-08-01", "2022-08-31"),
    ("上周我们说了什么", "上周", "2023-05-22", "2023-05-28"),
    ("上周二", "上周二", "2023-05-23", "2023-05-23"),
    ("两周前", "两周前", "2023-05-16", "2023-05-16"),
    ("去年五月", "去年五月", "2022-05-01", "2022-05-31"),
    ("5月8日", "5月8日", "2023-05-08", "2023-05-08"),
    ("昨天", "昨天", "2023-05-29", "2023-05-29"),
    ("on Sunday, May 7", "Sunday, May 7", "2023-05-07", "2023-05-07"),
    ("in March 2022", "March 2022", "2022-03-01", "2022-03-31"),
    ("what did I buy in march 2022?", "march 2022", "2022-03-01", "2022-03-31"),
    ("in March of last year", "March of last year", "2022-03-01", "2022-03-31"),
    ("last year in March", "last year in March", "2022-03-01", "2022-03-31"),
    ("during May", "during May", "2023-05-01", "2023-05-31"),
    ("what did we plan in may?", "in may", "2023-05-01", "2023-05-31"),
    ("since the summer of 2022", "since the summer of 2022", "2022-06-01", "2023-05-30"),
    ("before March 2023", "before March 2023", "0001-01-01", "2023-02-28"),
    ("after 14 May", "after 14 May", "2023-05-15", "2023-06-14"),
    ("after April", "after April", "2023-05-01", "2023-05-31"),
    ("until last week", "until last week", "0001-01-01", "2023-05-28"),
    ("summer 2022", "summer 2022", "2022-06-01", "2022-08-31"),
    ("in the spring of 2022", "spring of 2022", "2022-03-01", "2022-05-31"),
    ("in the spring", "in the spring", "2023-03-01", "2023-05-31"),
    ("the winter of 2021", "winter of 2021", "2021-12-01", "2022-02-28"),
    ("14.03.2023", "14.03.2023", "2023-03-14", "2023-03-14"),
    ("14/3/2023", "14/3/2023", "2023-03-14", "2023-03-14"),
    ("3/14/2023", "3/14/2023", "2023-03-14", "2023-03-14"),
    ("on 3/14", "on 3/14", "2023-03-14", "2023-03-14"),
    ("2023/3/14", "2023/3/14", "2023-03-14", "2023-03-14"),
    ("last night", "last night", "2023-05-29", "2023-05-29"),
    ("this morning", "this morning", "2023-05-30", "2023-05-30"),
    ("yesterday evening", "yesterday evening", "2023-05-29", "2023-05-29"),
    ("the day before yesterday", "day before yesterday", "2023-05-28", "2023-05-28"),
    ("the weekend before last", "weekend before last", "2023-05-20", "2023-05-21"),
    ("the week before last", "week before last", "2023-05-15", "2023-05-21"),
    ("the night before last", "night before last", "2023-05-28", "2023-05-28"),
    ("on Tuesday last week", "Tuesday last week", "2023-05-23", "2023-05-23"),
    ("in early May", "early May", "2023-05-01", "2023-05-10"),
    ("mid-May", "mid-May", "2023-05-11", "2023-05-20"),
    ("late in April", "late in April", "2023-04-21", "2023-04-30"),
    ("at the end of last month", "end of last month", "2023-04-21", "2023-04-30"),
    ("early 2023", "early 2023", "2023-01-01", "2023-05-01"),
    ("on the 14th", "on the 14th", "2023-05-14", "2023-05-14"),
    ("on the 14th of April", "14th of April", "2023-04-14", "2023-04-14"),
    ("Q1 2023", "Q1 2023", "2023-01-01", "2023-03-31"),
    ("in the first quarter of 2023", "first quarter of 2023", "2023-01-01", "2023-03-31"),
    ("last quarter", "last quarter", "2023-01-01", "2023-03-31"),
    ("the first week of May", "first week of May", "2023-05-01", "2023-05-07"),
    ("the last weekend of April", "last weekend of April", "2023-04-29", "2023-04-30"),
    ("at Christmas", "at Christmas", "2022-12-24", "2022-12-26"),
    ("last Christmas", "last Christmas", "2022-12-24", "2022-12-26"),
    ("on New Year's Eve", "on New Year's Eve", "2022-12-31", "2022-12-31"),
    ("Easter 2024", "Easter 2024", "2024-03-29", "2024-04-01"),
    ("the weekend before Easter", "weekend before Easter", "2023-04-01", "2023-04-02"),
    ("two days before Christmas", "two days before Christmas", "2022-12-22", "2022-12-22"),
    ("the day after May 8th", "day after May 8th", "2023-05-09", "2023-05-09"),
    ("Jan. 5, 2023", "Jan. 5, 2023", "2023-01-05", "2023-01-05"),
    ("yesterday's walk", "yesterday's", "2023-05-29", "2023-05-29"),
    ("im März 2022", "März 2022", "2022-03-01", "2022-03-31"),
    ("im Frühling 2022", "Frühling 2022", "2022-03-01", "2022-05-31"),
    ("im Sommer", "im Sommer", "2022-06-01", "2022-08-31"),
    ("seit Mai", "seit Mai", "2023-05-01", "2023-05-30"),
    ("vor März 2023", "vor März 2023", "0001-01-01", "2023-02-28"),
    ("am 14.3. waren wir dort", "am 14.3.", "2023-03-14", "2023-03-14"),
    ("am 14. haben wir gegessen", "am 14.", "2023-05-14", "2023-05-14"),
    ("gestern Abend", "gestern Abend", "2023-05-29", "2023-05-29"),
    ("heute Morgen", "heute Morgen", "2023-05-30", "2023-05-30"),
    ("letzte Nacht", "letzte Nacht", "2023-05-29", "2023-05-29"),
    ("letztes Wochenende", "letztes Wochenende", "2023-05-27", "2023-05-28"),
    ("vorletztes Wochenende", "vorletztes Wochenende", "2023-05-20", "2023-05-21"),
    ("Anfang Mai", "Anfang Mai", "2023-05-01", "2023-05-10"),
    ("Ende letzten Jahres", "Ende letzten Jahres", "2022-09-01", "2022-12-31"),
    ("im März letzten Jahres", "März letzten Jahres", "2022-03-01", "2022-03-31"),
    ("letztes Jahr im März", "letztes Jahr im März", "2022-03-01", "2022-03-31"),
    ("im Jahr 2022", "im Jahr 2022", "2022-01-01", "2022-12-31"),
    ("im ersten Quartal 2023", "ersten Quartal 2023", "2023-01-01", "2023-03-31"),
    ("vor etwa drei Wochen", "vor etwa drei Wochen", "2023-05-09", "2023-05-09"),
    ("an Weihnachten", "an Weihnachten", "2022-12-24", "2022-12-26"),
    ("an Silvester", "an Silvester", "2022-12-31", "2022-12-31"),
    ("am Tag vor Heiligabend", "Tag vor Heiligabend", "2022-12-23", "2022-12-23"),
    ("en marzo de 2022", "marzo de 2022", "2022-03-01", "2022-03-31"),
    ("en marzo del año pasado", "marzo del año pasado", "2022-03-01", "2022-03-31"),
    ("en la primavera de 2022", "primavera de 2022", "2022-03-01", "2022-05-31"),
    ("antes de marzo de 2023", "antes de marzo de 2023", "0001-01-01", "2023-02-28"),
    ("desde mayo", "desde mayo", "2023-05-01", "2023-05-30"),
    ("hace tres meses", "hace tres meses", "2023-02-28", "2023-02-28"),
    ("hace un par de semanas", "hace un par de semanas", "2023-05-16", "2023-05-16"),
    ("dos semanas atrás", "dos semanas atrás", "2023-05-16", "2023-05-16"),
    ("el fin de semana pasado", "fin de semana pasado", "2023-05-27", "2023-05-28"),
    ("este fin de semana", "este fin de semana", "2023-06-03", "2023-06-04"),
    ("la semana antepasada", "semana antepasada", "2023-05-15", "2023-05-21"),
    ("anoche", "anoche", "2023-05-29", "2023-05-29"),
    ("ayer por la tarde", "ayer por la tarde", "2023-05-29", "2023-05-29"),
    ("esta mañana", "esta mañana", "2023-05-30", "2023-05-30"),
    ("pasado mañana", "pasado mañana", "2023-06-01", "2023-06-01"),
    ("a principios de mayo", "principios de mayo", "2023-05-01", "2023-05-10"),
    ("a finales de abril", "finales de abril", "2023-04-21", "2023-04-30"),
    ("el día 14", "el día 14", "2023-05-14", "2023-05-14"),
    ("en el primer trimestre de 2023", "primer trimestre de 2023", "2023-01-01", "2023-03-31"),
    ("en Navidad", "en Navidad", "2022-12-24", "2022-12-26"),
    ("la Navidad pasada", "Navidad pasada", "2022-12-24", "2022-12-26"),
    ("en mars 2022", "mars 2022", "2022-03-01", "2022-03-31"),
    ("le 8 mai", "8 mai", "2023-05-08", "2023-05-08"),
    ("au printemps 2022", "printemps 2022", "2022-03-01", "2022-05-31"),
    ("pendant l'été", "pendant l'été", "2022-06-01", "2022-08-31"),
    ("l’été 2022", "l’été 2022", "2022-06-01", "2022-08-31"),
    ("en mars de l'année dernière", "mars de l'année dernière", "2022-03-01", "2022-03-31"),
    ("il y a deux semaines", "il y a deux semaines", "2023-05-16", "2023-05-16"),
    ("il y a environ trois jours", "il y a environ trois jours", "2023-05-27", "2023-05-27"),
    ("hier soir", "hier soir", "2023-05-29", "2023-05-29"),
    ("ce matin", "ce matin", "2023-05-30", "2023-05-30"),
    ("la nuit dernière", "nuit dernière", "2023-05-29", "2023-05-29"),
    ("le week-end dernier", "week-end dernier", "2023-05-27", "2023-05-28"),
    ("l'avant-dernier week-end", "l'avant-dernier week-end", "2023-05-20", "2023-05-21"),
    ("avant mars 2023", "avant mars 2023", "0001-01-01", "2023-02-28"),
    ("depuis mai", "depuis mai", "2023-05-01", "2023-05-30"),
    ("jusqu'en mars 2023", "jusqu'en mars 2023", "0001-01-01", "2023-03-31"),
    ("début mai", "début mai", "2023-05-01", "2023-05-10"),
    ("à la mi-mai", "mi-mai", "2023-05-11", "2023-05-20"),
    ("fin avril", "fin avril", "2023-04-21", "2023-04-30"),
    ("à Noël", "à Noël", "2022-12-24", "2022-12-26"),
    ("le premier trimestre 2023", "premier trimestre 2023", "2023-01-01", "2023-03-31"),
    ("2022年3月", "2022年3月", "2022-03-01", "2022-03-31"),
    ("2023年3月14日", "2023年3月14日", "2023-03-14", "2023-03-14"),
    ("去年夏天", "去年夏天", "2022-06-01", "2022-08-31"),
    ("2022年春天", "2022年春天", "2022-03-01", "2022-05-31"),
    ("前天", "前天", "2023-05-28", "2023-05-28"),
    ("昨晚", "昨晚", "2023-05-29", "2023-05-29"),
    ("上个月", "上个月", "2023-04-01", "2023-04-30"),
    ("上个月底", "上个月底", "2023-04-21", "2023-04-30"),
    ("上上周", "上上周", "2023-05-15", "2023-05-21"),
    ("上周末", "上周末", "2023-05-27", "2023-05-28"),
    ("五月初", "五月初", "2023-05-01", "2023-05-10"),
    ("2023年第一季度", "2023年第一季度", "2023-01-01", "2023-03-31"),
    ("3月以来", "3月以来", "2023-03-01", "2023-05-30"),
    ("2023年3月之前", "2023年3月之前", "0001-01-01", "2023-02-28"),
    ("去年圣诞节", "去年圣诞节", "2022-12-24", "2022-12-26"),
    ("圣诞节", "圣诞节", "2022-12-24", "2022-12-26"),
    ("半年前", "半年前", "2022-11-28", "2022-11-28"),
    ("14号我们去了哪里", "14号", "2023-05-14", "2023-05-14"),
    ("我在2023-03-14买了车", "2023-03-14", "2023-03-14", "2023-03-14"),
]


@pytest.mark.parametrize(("text", "words", "first", "last"), SAID)
def test_a_time_is_read_as_people_mean_it(text: str, words: str, first: str, last: str) -> None:
    (span,) = read_dates(text, now=NOW)
    assert span.words == words
    assert days(span) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "You may 5 times ask",
        "How many weeks ago did I meet Emma?",
        "my last name",
        "We march on",
        "for two weeks",
        "Valentine's day",
        "31 June",
        "13月",
        "9999999999 days ago",
        "on Mai",
        "Wir treffen uns hier, das ist der Ort.",
        "on the 14th floor",
        "half of it, 1/2, at 24/7",
        "it costs 12.5.",
        "version 1.2.23 on 10.0.12.5",
        "13/14/2023",
        "She may march on",
        "a May day",
        "We went in. May came too.",
        "il a été malade",
        "Happy new year!",
        "I love Christmas",
        "in the first place",
        "in Q5",
        "it was the night before",
        "in 20 minutes",
        "早上去每周一的会",
        "他住十号楼",
    ],
)
def test_what_names_no_time_is_left_alone(text: str) -> None:
    assert read_dates(text, now=NOW) == ()


def test_a_date_in_figures_that_can_be_read_in_two_ways_gives_both() -> None:
    assert [days(span)[0] for span in read_dates("on 5/4/2023", now=NOW)] == ["2023-04-05", "2023-05-04"]
    assert [days(span)[0] for span in read_dates("am 5.4.2023", now=NOW)] == ["2023-04-05"]
    assert [days(span)[0] for span in read_dates("5/5/2023", now=NOW)] == ["2023-05-05"]


@pytest.mark.parametrize(
    "text",
    ["in March 2022", "im März 2022", "en marzo de 2022", "en mars 2022", "2022年3月", "summer 2021", "14.03.2022"],
)
def test_a_date_with_its_year_means_the_same_whenever_it_is_asked(text: str) -> None:
    assert read_dates(text, now=NOW) == read_dates(text, now=NOW + 400 * DAY_MS)


def test_easter_is_where_the_church_has_it() -> None:
    known = {1961: (4, 2), 2000: (4, 23), 2008: (3, 23), 2023: (4, 9), 2024: (3, 31), 2038: (4, 25)}
    assert {year: (easter(year).month, easter(year).day) for year in known} == known


def test_the_29th_of_february_is_one_that_there_was() -> None:
    (span,) = read_dates("on 29 February", now=NOW)
    assert days(span) == ("2020-02-29", "2020-02-29")


def test_two_dates_come_in_the_order_of_the_text() -> None:
    first, second = read_dates("between March 3rd and yesterday", now=NOW)
    assert (first.words, second.words) == ("March 3rd", "yesterday")


def test_closeness_is_one_inside_and_falls_outside() -> None:
    (span,) = read_dates("two weeks ago", now=NOW)
    inside, near, far = (span.closeness(span.start + shift * DAY_MS) for shift in (0, 3, 9))
    assert inside == 1
    assert 1 > near > far > 0
    assert span.closeness(-(2**62)) >= 0


def test_a_vaguer_count_is_softer() -> None:
    (exact,) = read_dates("3 weeks ago", now=NOW)
    (vague,) = read_dates("a few weeks ago", now=NOW)
    assert vague.softness > exact.softness


def test_a_calendar_is_cut_short() -> None:
    assert count_dates("yesterday " * 1000) == MOST_EXPRESSIONS


@given(st.text(max_size=300), st.integers(-(2**62), 2**62))
def test_any_text_at_any_moment_gives_well_formed_spans(text: str, now: int) -> None:
    for span in read_dates(text, now=now):
        assert span.start < span.end
        assert span.softness > 0
        assert span.words in text
        assert 0 <= span.closeness(now) <= 1


PIECES = st.lists(
    st.sampled_from(
        [word for language in LANGUAGES for word in language.words]
        + ["8", "14.3.", "3/14", "1.2.2023", "2023-02-30", "2023", "8th", "31.", "le", "'", ".", ",", "-", "\n"]
        + ["2023年", "上个", "月", "五", "周末", "以来", "之前", "号", "半", "圣诞节", "底"]
    ),
    max_size=12,
)


@given(PIECES, st.sampled_from([" ", "", " the ", "-"]), st.integers(-(2**55), 2**55))
def test_any_words_of_dates_in_any_order_give_well_formed_spans(pieces: list[str], between: str, now: int) -> None:
    text = between.join(pieces)
    found = read_dates(text, now=now)
    assert found == read_dates(text, now=now)
    assert len(found) <= MOST_EXPRESSIONS
    for span in found:
        assert span.start < span.end
        assert span.words in text


@given(st.text(st.characters(codec="ascii"), max_size=60))
def test_plain_letters_are_cut_into_the_same_words_by_the_faster_way(text: str) -> None:
    assert _ASCII_WORD.findall(text) == _WORD.findall(text)


@pytest.mark.parametrize(
    "piece",
    [
        "one ",
        "last ",
        "1-",
        "十",
        "a few ",
        "in the last ",
        "May ",
        "\ud800",
        "'",
        "8.",
        "上",
        "1/",
        "1.1.",
        "mid-",
        "the ",
        "3月",
    ],
)
def test_a_long_run_of_date_words_is_read_to_its_end(piece: str) -> None:
    assert len(read_dates(piece * 3_000, now=NOW)) <= MOST_EXPRESSIONS
