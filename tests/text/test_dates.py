"""Words that name a time, in five languages, counted from a moment; and hostile texts, which name none."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.text.dates import DAY_MS, MOST_EXPRESSIONS, Span, count_dates, read_dates

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
    ],
)
def test_what_names_no_time_is_left_alone(text: str) -> None:
    assert read_dates(text, now=NOW) == ()


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


@pytest.mark.parametrize(
    "piece", ["one ", "last ", "1-", "十", "a few ", "in the last ", "May ", "\ud800", "'", "8.", "上"]
)
def test_a_long_run_of_date_words_is_read_to_its_end(piece: str) -> None:
    assert len(read_dates(piece * 3_000, now=NOW)) <= MOST_EXPRESSIONS
