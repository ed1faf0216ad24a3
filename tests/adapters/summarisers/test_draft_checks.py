"""What a summariser may give: no circles, no emptiness, no more than fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.adapters.summarisers.draft_checks import circle_start, finished, fit, goes_in_circles, says_nothing
from libravdb.text.tokens import prompt_tokens


@given(st.lists(st.integers(), max_size=20), st.lists(st.integers(), min_size=1, max_size=32), st.integers(12, 15))
def test_a_run_that_is_said_again_and_again_is_a_circle(head: list[int], run: list[int], times: int) -> None:
    tokens = [*head, *run * times]

    again = circle_start(tokens)

    assert again is not None
    rest = range(again, len(tokens))
    assert any(all(tokens[place] == tokens[place - period] for place in rest) for period in range(1, 33))


@given(st.lists(st.integers(), unique=True, max_size=200))
def test_what_never_repeats_is_no_circle(tokens: list[int]) -> None:
    assert circle_start(tokens) is None


@pytest.mark.parametrize(
    "text",
    [
        "call 000-000-000 at 10.10.10.10",
        "ha ha ha, he said",
        "no no no no, never that again",
        "a list: one two three, one two three, and one more",
        "",
    ],
)
def test_honest_repetition_is_no_circle(text: str) -> None:
    assert circle_start(list(text.split())) is None
    assert not goes_in_circles(text)


def test_a_circle_anywhere_is_found() -> None:
    assert goes_in_circles("At first " + "the release was late and " * 4 + "then it came.")
    assert goes_in_circles("word " * 5_000)


def test_the_end_of_a_circle_is_the_end_of_its_first_round() -> None:
    tokens = list("xyz" + "abcd" * 3)

    assert "".join(tokens[: circle_start(tokens)]) == "xyzabcd"


@pytest.mark.parametrize("text", ["", " ", "...", "—!?", "* * *", "🎉"])
def test_text_without_a_letter_or_digit_says_nothing(text: str) -> None:
    assert says_nothing(text)
    assert not says_nothing(text + "ж")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Anna is ill. The meeting is", "Anna is ill."),
        ("Anna is ill. The meeting is off.", "Anna is ill. The meeting is off."),
        ('Anna is ill. She said: "Go on."', 'Anna is ill. She said: "Go on."'),
        ("今天很好。我们去", "今天很好。"),
        ("The budget is 12", "The budget is"),
        ("Anna", "Anna"),
        ("", ""),
    ],
)
def test_a_sentence_or_else_a_word_that_was_broken_off_is_left_out(text: str, kept: str) -> None:
    assert finished(text) == kept


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(1, 60))
def test_what_fits_is_a_beginning_within_the_limit(text: str, most: int) -> None:
    kept = fit(text, most)

    assert prompt_tokens(kept) <= most
    assert text.startswith(kept)
    assert kept == text or prompt_tokens(text) > most


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (100, "Anna is ill. The meeting is on Friday."),
        (5, "Anna is ill."),
        (2, "Anna is"),
        (1, "Anna"),
    ],
)
def test_whole_sentences_fit_before_words_and_words_before_letters(most: int, kept: str) -> None:
    assert fit("Anna is ill. The meeting is on Friday.", most) == kept


def test_a_long_word_is_cut_within() -> None:
    assert fit("x" * 1_000_000, 5) == "x" * 20
