"""Extraction: words that were said, in their order, within the limit, the same every time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from libravdb.core.compaction.extractive import METHOD, MOST_UNITS, clip, extract, split_units
from libravdb.core.compaction.facts import inventory
from libravdb.core.compaction.labels import speaker_of
from libravdb.model import SummaryTask
from libravdb.text.tokens import prompt_tokens

Rows = NDArray[np.float32]
TEXT = st.text(max_size=60) | st.lists(
    st.sampled_from(["We met in Rome. ", "It rained.", "\n", "The fix is ABC-123! ", "猫。", "x" * 500, "\ud800"]),
    max_size=8,
).map("".join)
TASKS = st.builds(
    lambda texts, roles, limit: SummaryTask(texts=tuple(texts), roles=tuple(roles[: len(texts)]), max_tokens=limit),
    st.lists(TEXT, max_size=6),
    st.lists(st.sampled_from(["user", "assistant", "Anna"]), min_size=6, max_size=6),
    st.integers(0, 120),
)


def task(*texts: str, roles: tuple[str, ...] = (), limit: int = 1000) -> SummaryTask:
    return SummaryTask(texts=texts, roles=roles or ("user",) * len(texts), max_tokens=limit)


def draft(asked: SummaryTask, vectors: Rows | None = None) -> str:
    return extract(asked, split_units(asked), vectors=vectors, facts=inventory(asked.texts)).text


def squeezed(text: str) -> str:
    return "".join(text.split())


@given(TASKS)
def test_a_draft_fits_and_says_nothing_that_was_not_said(asked: SummaryTask) -> None:
    text = draft(asked)
    assert prompt_tokens(text) <= asked.max_tokens
    assert text == draft(asked)
    for label in ("User: ", "Assistant: ", "Anna: "):
        text = text.replace(label, "")
    left = squeezed(text).replace("…", "")
    reached = {0}  # how much of the draft the units up to here, each taken or not, can spell
    for unit in split_units(asked):
        said = squeezed(unit.text).replace("…", "")
        reached |= {place + len(said) for place in reached if left.startswith(said, place)}
    heads = [squeezed(unit.text).replace("…", "") for unit in split_units(asked)]
    is_clipped = any(head.startswith(left) for head in heads) or "?" in left
    assert len(left) in reached or is_clipped


@given(TASKS)
def test_units_are_pieces_of_their_texts_in_order_and_cover_them(asked: SummaryTask) -> None:
    units = split_units(asked)
    assert [(unit.source, unit.start) for unit in units] == sorted((unit.source, unit.start) for unit in units)
    for place, text in enumerate(asked.texts):
        told = squeezed("".join(unit.text for unit in units if unit.source == place))
        assert told.replace("…", "") == squeezed(text).replace("…", "")


@given(TASKS, st.data())
def test_any_vectors_do(asked: SummaryTask, data: st.DataObject) -> None:
    units = split_units(asked)
    rows = data.draw(
        st.lists(st.lists(st.floats(width=32), min_size=2, max_size=2), min_size=len(units), max_size=len(units))
    )
    text = draft(asked, np.array(rows, dtype=np.float32).reshape(len(units), 2))
    assert prompt_tokens(text) <= asked.max_tokens


def test_with_room_for_all_every_distinct_sentence_is_there() -> None:
    texts = ("The cat sleeps on the sofa.", "Taxes are due in spring. " * 3 + "Rome is loud at night. " * 5)
    text = draft(task(*texts))
    assert all(
        sentence in text for sentence in ("The cat sleeps on the sofa.", "Taxes are due in spring.", "Rome is loud")
    )


def test_every_line_has_its_day_and_its_speaker() -> None:
    asked = SummaryTask(
        texts=("I moved to Rome.", "Rome is loud.", "How nice Rome must be in spring.", "It is."),
        roles=("Anna", "Anna", "assistant", "Anna"),
        days=("2023-10-12", "2023-10-12", "2023-10-12", "2023-10-13"),
        max_tokens=1000,
    )
    assert draft(asked) == (
        "[2023-10-12] Anna: I moved to Rome. Rome is loud.\n"
        "[2023-10-12] Assistant: How nice Rome must be in spring.\n"
        "[2023-10-13] Anna: It is."
    )


def test_a_lone_speaker_is_named_too() -> None:
    assert draft(task("I moved to Rome.", "Rome is loud.")) == "User: I moved to Rome. Rome is loud."


def test_names_are_written_as_they_are_and_roles_with_a_capital() -> None:
    assert [speaker_of(label) for label in ("user", "tool", "anna", "Dr.\nNo")] == ["User", "Tool", "anna", "Dr. No"]
    assert [speaker_of("user", name) for name in ("A: B;", "Assistant", "user", "")] == [
        "A B",
        "User (Assistant)",
        "User",
        "User",
    ]


def test_an_answer_goes_with_its_question_or_neither_does() -> None:
    texts = (
        "When does the ferry to Elba leave?",
        "At 14:05, from pier 3.",
        "The cellar is full of old newspapers that nobody wants to read any more, I fear.",
        "Who has the keys of the chapel now?",
        "Odette Marchand has them.",
    )
    roles = ("user", "assistant", "user", "user", "assistant")
    for limit in range(60):
        text = draft(task(*texts, roles=roles, limit=limit))
        if limit < 20:
            continue  # nothing fits whole
        assert ("ferry" in text) == ("14:05" in text), limit
        assert ("keys" in text) == ("Odette" in text), limit


def test_small_talk_goes_first_and_leaves_no_trace() -> None:
    texts = ("Good morning!", "We moved the archive to the old mill last week.", "Thanks a lot!", "Gute Nacht!")
    assert draft(task(*texts)) == "User: We moved the archive to the old mill last week."


def test_what_is_left_out_is_marked() -> None:
    long = (
        "The archive moved to the mill in 1911. It rained and rained, and the cat slept on the stairs all through the"
        " day. ABC-123 is it."
    )
    text = draft(task(long, "Nothing else happened in that week, as far as anybody knows.", limit=22))
    assert text == "User: The archive moved to the mill in 1911. … ABC-123 is it. …"


def test_two_different_sentences_win_over_two_that_say_the_same() -> None:
    texts = ("The cat sleeps on the sofa.", "On the sofa the cat sleeps.", "Taxes are due in spring.")
    rows = np.array([[1, 0], [0.99, 0.14], [0, 1]], dtype=np.float32)
    assert "Taxes" in draft(task(*texts, limit=20), rows)


def test_a_sentence_with_facts_wins_over_one_without() -> None:
    texts = ("That is how we do it around here, is it.", "That was fixed in ABC-123 by tool v2.3.1.")
    rows = np.array([[1, 0], [1, 0]], dtype=np.float32)
    assert draft(task(*texts, limit=16), rows) == f"User: … {texts[1]}".replace("… ", "")


def test_where_no_sentence_fits_the_best_one_is_clipped_at_a_word() -> None:
    assert (
        draft(task("A rather long sentence that will not fit into so little room.", limit=9))
        == "User: A rather long sentence …"
    )


@given(st.text(max_size=80), st.integers(0, 30))
def test_a_clipped_text_fits_and_is_the_head_of_the_text(text: str, limit: int) -> None:
    clipped = clip(text, limit)
    assert prompt_tokens(clipped) <= limit
    assert " ".join(text.split()).startswith(clipped.removesuffix("…"))


def test_of_very_long_turns_the_head_and_the_tail_are_looked_at() -> None:
    long = " ".join(f"This is sentence number {place} of a very long turn indeed." for place in range(3000))
    units = split_units(task(long, "Short one."))
    assert len(units) <= MOST_UNITS
    assert "number 0 " in units[0].text
    assert "number 2999 " in units[-2].text
    assert units[-1].text == "Short one."


@pytest.mark.parametrize("piece", ["a", "a ", ". ", "\n", "A. "])
def test_a_huge_text_is_cut_in_one_pass(piece: str) -> None:
    asked = task(piece * (200_000 // len(piece)), "end", limit=50)
    text = draft(asked)
    assert prompt_tokens(text) <= 50
    assert text


def test_nothing_said_gives_nothing() -> None:
    assert draft(task()) == draft(task("", "  \n")) == ""
    assert extract(task(), ()).method == METHOD


def test_vectors_that_are_no_numbers_count_as_none() -> None:
    rows = np.array([[math.nan, 1], [math.inf, 0], [0, 0]], dtype=np.float32)
    assert draft(task("One thing.", "Two things.", "Three.", limit=50), rows)
