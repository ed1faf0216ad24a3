"""What is decided, preferred or denied is read from ordinary sentences, and small talk is read as nothing."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.compaction.said_sentences import HELD, NONE, SHOWN

from libravdb.core.compaction.stances import LONGEST, find_stance, may_hold_stance


def stance(sentence: str) -> str:
    found = find_stance(sentence)
    return NONE if found is None else str(found[0])


@pytest.mark.parametrize(("sentence", "label"), SHOWN)
def test_sentences_are_read_as_they_are_meant(sentence: str, label: str) -> None:
    assert stance(sentence) == label


@pytest.mark.parametrize("sentence", [sentence for sentence, label in HELD if label == NONE])
def test_small_talk_questions_and_what_is_imagined_are_no_stance(sentence: str) -> None:
    assert stance(sentence) == NONE


def test_most_sentences_that_nothing_was_chosen_by_are_read_as_they_are_meant() -> None:
    missed = [sentence for sentence, label in HELD if stance(sentence) != label]
    assert len(missed) <= len(HELD) // 10, missed


@given(st.text(max_size=300))
def test_any_text_is_read_and_its_stance_stands_in_it(text: str) -> None:
    found = find_stance(text)
    assert found is None or 0 <= found[1] <= len(text)


@pytest.mark.parametrize("piece", ["no ", "n'a ", "leave ", "si a ", "wenn ", "like a ", "the plan a "])
def test_a_long_text_without_an_end_is_read_in_bounded_time(piece: str) -> None:
    began = time.process_time()
    find_stance(piece * 4000)
    assert time.process_time() - began < 2


def test_of_an_endless_sentence_only_the_beginning_is_read() -> None:
    decided = "we decided to buy the blue boat "
    assert find_stance(decided + "and so on " * LONGEST) is not None
    assert find_stance("and so on " * LONGEST + decided) is None
    assert may_hold_stance("and so on " * LONGEST)  # the sentences of a long text are looked at one by one
