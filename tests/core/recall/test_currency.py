"""What replaced a memory stands before it, nothing is lost, and nothing appears twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.recall.currency import Succession, arrange, identity, newer_first, told_day
from libravdb.model import Hit, Record

DAY = 86_400_000


def hit(number: int, *, score: float = 0.5, at: int = 0, strength: float | None = None) -> Hit:
    breakdown = {} if strength is None else {"strength": strength}
    return Hit(record=_record(number, at=at), score=score, breakdown=breakdown, reasons=())


def _record(number: int, *, at: int = 0) -> Record:
    return Record(
        collection="user:anna", id=f"m{number}", text=f"Text {number}", metadata={}, at=at, version=1, access_count=0
    )


def replaced(by: int, *, is_shown: bool = True) -> Succession:
    return Succession(successor=f"m{by}", since=DAY, current=_record(by), is_shown=is_shown)


def ids(hits: list[Hit]) -> list[str]:
    return [one.record.id for one in hits]


def test_a_successor_that_ranked_lower_comes_right_before_what_it_replaced() -> None:
    hits = [hit(1, score=0.9), hit(3, score=0.8), hit(2, score=0.3)]
    arranged = arrange(hits, {identity(hits[0].record): replaced(2)})
    assert ids(arranged) == ["m2", "m1", "m3"]
    assert arranged[0].score == 0.9


def test_a_successor_that_was_not_found_is_added() -> None:
    arranged = arrange([hit(1)], {identity(_record(1)): replaced(2)})
    assert ids(arranged) == ["m2", "m1"]
    assert arranged[1].reasons[0] == "outdated since 1970-01-02: replaced by “Text 2”"
    assert arranged[1].breakdown["outdated"] == 1
    assert arranged[1].record.metadata["superseded_by"] == "m2"


def test_one_that_may_not_be_shown_is_named_and_not_added() -> None:
    arranged = arrange([hit(1)], {identity(_record(1)): replaced(2, is_shown=False)})
    assert ids(arranged) == ["m1"]
    assert "replaced by “Text 2”" in arranged[0].reasons[0]


def test_a_successor_that_ranks_higher_stays_where_it_is() -> None:
    hits = [hit(2, score=0.9), hit(3, score=0.8), hit(1, score=0.3)]
    assert ids(arrange(hits, {identity(hits[2].record): replaced(2)})) == ["m2", "m3", "m1"]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_successor_is_at_least_as_strong_as_what_it_replaced(*, is_first: bool) -> None:
    old, new = hit(1, score=0.6, strength=0.85), hit(2, score=0.9 if is_first else 0.2, strength=0.76)
    arranged = arrange(sorted([old, new], key=lambda one: -one.score), {identity(old.record): replaced(2)})
    assert [(one.record.id, one.breakdown["strength"]) for one in arranged] == [("m2", 0.85), ("m1", 0.85)]


def test_a_successor_that_was_not_found_has_the_strength_of_what_it_replaced() -> None:
    arranged = arrange([hit(1, strength=0.4)], {identity(_record(1)): replaced(2)})
    assert arranged[0].breakdown["strength"] == 0.4


def test_a_stronger_successor_keeps_its_strength() -> None:
    hits = [hit(2, score=0.9, strength=0.9), hit(1, strength=0.3)]
    arranged = arrange(hits, {identity(hits[1].record): replaced(2)})
    assert [one.breakdown["strength"] for one in arranged] == [0.9, 0.3]


def test_between_equally_good_hits_the_newer_is_first() -> None:
    assert ids(newer_first([hit(1, at=1), hit(2, at=9), hit(3, at=5, score=0.1)])) == ["m2", "m1", "m3"]


def test_a_moment_that_no_calendar_holds_has_no_day() -> None:
    assert told_day(2**61) == ""
    assert told_day(None) == ""


@given(
    numbers=st.lists(st.integers(0, 8), unique=True, max_size=8),
    links=st.dictionaries(st.integers(0, 8), st.integers(0, 8), max_size=6),
    is_shown=st.booleans(),
)
def test_nothing_is_lost_nothing_twice_and_no_outdated_one_stands_first(
    numbers: list[int], links: dict[int, int], *, is_shown: bool
) -> None:
    current = {old: new for old, new in links.items() if old != new and new not in links}
    hits = [hit(number, score=1 - place / 10, at=number) for place, number in enumerate(numbers)]
    marks = {identity(_record(old)): replaced(new, is_shown=is_shown) for old, new in current.items()}
    found = ids(arrange(hits, marks))
    assert len(found) == len(set(found))
    assert set(ids(hits)) <= set(found)
    for old, new in current.items():
        if f"m{old}" in found and f"m{new}" in found:
            assert found.index(f"m{new}") < found.index(f"m{old}")
