"""What a question tells before anything is searched."""

from __future__ import annotations

import pytest

from libravdb.core.recall.question import is_about_dreams


@pytest.mark.parametrize(
    "question",
    [
        "What did I dream last night?", "any recurring DREAMS?", "the nightmare of mine", "what I dreamt of",
        "Was habe ich geträumt?", "mein Traum vom Meer", "¿Qué soñé ayer?", "mis sueños", "Quel rêve ai-je fait ?",
        "我昨晚的梦是什么", "昨日見た夢は",
    ],
)  # fmt: skip
def test_a_question_about_dreams_is_known_in_every_language_that_questions_are_read_in(question: str) -> None:
    assert is_about_dreams(question)


@pytest.mark.parametrize(
    "question", ["Where is the dreamliner?", "Was ist ein Trauma?", "traumatic", "son of Anna", ""]
)
def test_words_that_only_begin_alike_are_about_something_else(question: str) -> None:
    assert not is_about_dreams(question)
