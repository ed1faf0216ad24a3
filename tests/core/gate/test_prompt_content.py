"""Prompts that speak of nothing a memory holds, told from those that do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.gate.prompt_content import without_content

EMPTY = (
    "hello there", "Hi!", "thank you so much", "ok", "yes", "go on", "continue please", "12 + 30", "what is 15% of 80",
    "3.5 km in miles", "how many cups are in a litre?", "what time is it?", "🙂", "...", "test", "haha",
    "guten Morgen", "danke dir", "weiter", "wie viel Uhr ist es?", "10 mal 12", "hola", "muchas gracias", "sigue",
    "bonjour", "merci beaucoup", "continue", "你好", "谢谢", "继续", "12乘以8",
)  # fmt: skip
TELLING = (
    "rent?", "my bio", "lunch ideas?", "who's coming on friday", "am I still running on weekends?",
    "hi, where do I live?", "thanks! and what was the name of the plumber",
    "write a poem about my dog", "what did I say about the boiler",
    "wann ist mein Termin?", "Geschenk für Oma", "¿dónde vivo?", "mon adresse", "我住在哪里", "port of the api server",
    "is it still my turn?", "test results of the knee", "how many miles did I run in May", "what's my number",
)  # fmt: skip


@pytest.mark.parametrize("prompt", EMPTY)
def test_nothing_is_asked_for(prompt: str) -> None:
    assert without_content(prompt).startswith("the message")


@pytest.mark.parametrize("prompt", TELLING)
def test_something_is_asked_for(prompt: str) -> None:
    assert without_content(prompt) == ""


def test_an_empty_prompt_is_somebody_elses_business() -> None:
    assert without_content("  ") == ""


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    without_content(text)
