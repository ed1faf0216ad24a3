"""What a summariser reads: lines of any Unicode, shortened fairly, cut where it does no harm."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.adapters.summarisers.transcript import cut, level, lines, on_one_line, shorten
from libravdb.errors import SummariserError
from libravdb.model import SummaryTask

ANY_TEXT = st.text(st.characters(exclude_categories=()))


def task(texts: tuple[str, ...], roles: tuple[str, ...], max_tokens: int = 50) -> SummaryTask:
    return SummaryTask(texts=texts, roles=roles, max_tokens=max_tokens)


def test_each_text_is_one_line_with_who_said_it() -> None:
    asked = task(("one\n\n  two", "", "three"), ("user", "tool", ""))

    assert lines(asked, name="x") == ["user: one two", "three"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (task((), ()), "nothing but empty texts"),
        (task(("  ",), ("user",)), "nothing but empty texts"),
        (task(("a", "b"), ("user",)), "2 texts and 1 roles"),
        (task(("a",), ("user",), 0), "may write 0 tokens"),
        (task(("a",), ("user",), -5), "may write -5 tokens"),
    ],
)
def test_a_task_that_asks_for_nothing_is_refused_in_the_summarisers_name(asked: SummaryTask, words: str) -> None:
    with pytest.raises(SummariserError, match=f"Summariser x: .*{words}"):
        lines(asked, name="x")


@given(ANY_TEXT)
def test_any_text_becomes_one_readable_line(text: str) -> None:
    line = on_one_line(text)

    assert len(line.encode().splitlines()) <= 1
    assert line == line.strip()
    assert not any(character < " " for character in line)


@given(st.lists(st.integers(0, 500)), st.integers(0, 2000))
def test_the_longest_are_shortened_first_and_no_room_is_wasted(sizes: list[int], limit: int) -> None:
    most = level(sizes, limit)

    kept = sum(min(size, most) for size in sizes)
    assert kept <= max(limit, len(sizes))
    if kept < sum(sizes):
        assert sum(min(size, most + 1) for size in sizes) > limit


@given(st.lists(st.text("abc", min_size=1, max_size=60), min_size=1, max_size=9), st.integers(400, 500))
def test_shortened_texts_keep_their_ends_and_their_order(texts: list[str], limit: int) -> None:
    shortened = shorten(texts, limit=limit)

    for text, kept in zip(texts, shortened, strict=True):
        head, mark, tail = kept.partition(" […]")
        assert kept == text if not mark else text.startswith(head) and text.endswith(tail.strip())
    assert sum(len(kept.replace(" […] ", "").replace(" […]", "")) for kept in shortened) <= limit


@given(st.lists(st.text(max_size=300), max_size=60), st.integers(1, 1000))
def test_shortened_texts_need_little_more_room_than_allowed(texts: list[str], limit: int) -> None:
    shortened = shorten(texts, limit=limit)

    marks = 6 * len(shortened)
    assert sum(map(len, shortened)) <= max(limit, len(shortened)) + marks
    fitting = max(1, limit // 40)
    assert len(shortened) == (len(texts) if len(texts) <= fitting else fitting + 1)


def test_of_too_many_texts_the_first_and_the_last_are_kept() -> None:
    shortened = shorten([f"text {number}" for number in range(100_000)], limit=4_000)

    assert len(shortened) == 101
    assert (shortened[0], shortened[66:69], shortened[-1]) == (
        "text 0",
        ["text 66", "[…]", "text 99967"],
        "text 99999",
    )


@given(st.integers(0, 400), st.integers(1, 60), st.lists(st.integers(0, 400)), st.lists(st.integers(0, 400)))
def test_windows_cover_everything_in_order_and_none_is_too_long(
    total: int, capacity: int, best: list[int], good: list[int]
) -> None:
    found = cut(total, capacity, sorted(best), sorted(good))

    assert found[0][0] == 0
    assert found[-1][1] == total
    assert all(end == begin for (_, end), (begin, _) in pairwise(found))
    assert all(0 < end - begin <= capacity for begin, end in found) or total == 0
    assert len(found) == max(1, -(-total // capacity))


def test_a_window_ends_where_a_line_begins_and_else_where_a_word_does() -> None:
    assert cut(100, 60, [45, 80], [50]) == [(0, 45), (45, 100)]
    assert cut(100, 60, [10], [47, 53, 70]) == [(0, 47), (47, 100)]
    assert cut(100, 60, [], []) == [(0, 50), (50, 100)]
