"""Expressions that are compiled at their first use."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.text.lazy_pattern import LazyPattern


@given(st.text("abAB ", max_size=12))
def test_it_matches_like_the_expression_itself(text: str) -> None:
    lazy, plain = LazyPattern("a+(b)?", re.IGNORECASE), re.compile("a+(b)?", re.IGNORECASE)
    for name in ("search", "match", "fullmatch"):
        found, expected = getattr(lazy, name)(text), getattr(plain, name)(text)
        assert (found and found.span()) == (expected and expected.span())
    assert [one.span() for one in lazy.finditer(text)] == [one.span() for one in plain.finditer(text)]


def test_nothing_is_compiled_before_it_is_used() -> None:
    broken = LazyPattern("(")
    with pytest.raises(re.error):
        broken.search("a")
    used = LazyPattern("a")
    assert used.compiled() is used.compiled()
