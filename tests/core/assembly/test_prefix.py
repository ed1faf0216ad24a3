"""A session of 200 turns: every prompt keeps its budget, and most of it is the beginning of the one before."""

from __future__ import annotations

from statistics import mean

import pytest
from bench.prefix import session

from libravdb.model import AssemblyMode


@pytest.mark.parametrize("mode", AssemblyMode)
def test_nine_tenths_of_a_prompt_are_the_beginning_of_the_one_before(mode: AssemblyMode) -> None:
    first, *later = session(mode)
    for step in (first, *later):
        assert step.made.receipt.violations == ()
        assert step.made.tokens <= step.made.budget
    assert len(later) == 199
    assert mean(step.ours / step.tokens for step in later) >= 0.9
    assert mean(step.recall_first / step.tokens for step in later) < 0.2
    told = [step.made.receipt.leading_tokens for step in later]
    assert all(step.ours <= leading for step, leading in zip(later, told, strict=True))
