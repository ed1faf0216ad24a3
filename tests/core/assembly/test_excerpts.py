"""Passages of long memories: the sentences around the words that were asked for, never more than there is room for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.core.assembly.materials import HOSTILE, PLAIN

from libravdb.core.assembly.excerpts import CUT, best_passage, stems_of
from libravdb.text.tokens import prompt_tokens

TALK = "Nothing happened there. " * 30


def test_a_text_that_fits_is_left_as_it_is() -> None:
    assert best_passage("I keep bees.\n", 20, ("bees",)) == "I keep bees.\n"


def test_the_passage_holds_the_sentence_with_most_words_of_the_question() -> None:
    text = f"{TALK}The bees are in Lugano. {TALK}In Lugano the bees swarmed twice. {TALK}"
    passage = best_passage(text, 40, stems_of("When did the bees swarm in Lugano?"))
    assert passage.startswith(f"{CUT}In Lugano the bees swarmed twice.")
    assert passage.endswith(CUT)


def test_without_a_common_word_it_is_the_beginning() -> None:
    assert best_passage(f"First of all. {TALK}", 20, ("taxes",)).startswith("First of all. Nothing")


def test_chinese_is_found_by_its_characters() -> None:
    text = "今天天气很好。" * 40 + "我的蜜蜂住在卢加诺。" + "我们去散步。" * 40
    assert "我的蜜蜂住在卢加诺" in best_passage(text, 60, stems_of("蜜蜂住在哪里？"))


def test_a_sentence_that_is_too_long_is_cut_at_a_word() -> None:
    assert best_passage("word " * 400, 20, ()) == f"{'word ' * 15}word{CUT}"


@given(
    st.lists(st.sampled_from((*HOSTILE, *PLAIN, "A sentence. ", "x" * 300))).map("".join),
    st.integers(1, 60),
    st.sampled_from(("bees", "1 < 2", "Привет")),
)
def test_a_passage_is_a_slice_of_the_text_and_keeps_its_limit(text: str, limit: int, question: str) -> None:
    passage = best_passage(text, limit, stems_of(question))
    assert passage == text or passage.removeprefix(CUT).removesuffix(CUT) in text
    assert prompt_tokens(passage) <= limit + 1
