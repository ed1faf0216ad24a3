"""Turns that nobody will look for, told from those that state something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.gate.substance import is_passing


@pytest.mark.parametrize(
    "text",
    ["thanks!", "ok cool", "Great boat!", "can you make it shorter?", "invitation, 3 lines", "Noted.", "danke dir"],
)
def test_it_states_nothing(text: str) -> None:
    assert is_passing(text)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Linz.",
        "11.6",
        "My essay has to be 800 words",
        "we moved to Graz last week, can you fix the letter?",
        "The green boat lies in Kiel.",
        "Ich bin allergisch gegen Nüsse.",
    ],
)
def test_it_states_something(text: str) -> None:
    assert not is_passing(text)


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    is_passing(text)
