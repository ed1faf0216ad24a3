"""The estimate of prompt tokens follows its formula, script by script."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from libravdb.text.tokens import prompt_tokens


@given(st.integers(0, 500))
def test_text_of_one_script_is_its_length_over_the_scripts_rate(length: int) -> None:
    assert prompt_tokens("a" * length) == math.ceil(length / 4)
    assert prompt_tokens("中" * length) == math.ceil(length * 5 / 8)
    assert prompt_tokens("ж" * length) == math.ceil(length * 2 / 5)


@given(st.text(max_size=80), st.text(max_size=80))
def test_more_text_never_costs_less_and_joining_saves_at_most_one(first: str, second: str) -> None:
    whole = prompt_tokens(first + second)
    assert max(prompt_tokens(first), prompt_tokens(second)) <= whole
    assert whole <= prompt_tokens(first) + prompt_tokens(second) <= whole + 1
