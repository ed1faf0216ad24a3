"""Bags hold how often each term stands in a text, whatever the order of the terms."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from libravdb.adapters import term_counts

TERMS = st.lists(st.sampled_from(["sail", "boat", "東京", "é", "x" * 64, "1"]), max_size=30)


@given(st.lists(TERMS, max_size=6), TERMS)
def test_counts_are_those_of_the_terms(texts: list[list[str]], asked: list[str]) -> None:
    words = [(term,) for term in asked] + [("boat", "sail")]
    counts = term_counts.count([term_counts.pack(terms) for terms in texts], words).tolist()
    wanted = [[sum(Counter(terms)[form] for form in word) for word in words] for terms in texts]
    assert counts == wanted


def test_the_order_of_terms_does_not_show_and_counts_have_a_ceiling() -> None:
    assert term_counts.pack(["a", "b", "a"]) == term_counts.pack(["b", "a", "a"])
    assert term_counts.count([term_counts.pack(["a"] * 1_000)], [("a",)]).tolist() == [[255]]
    assert term_counts.pack([]) == b""
