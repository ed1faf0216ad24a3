"""Pieces of deleted texts are found wherever they stand, and nothing else is taken for one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.erasure.fragments import LENGTH, STRIDE, FragmentScan, cut, cut_all

telling = st.lists(st.integers(0, 255), min_size=8, max_size=300).map(bytes)


@given(st.lists(telling, max_size=8), st.lists(telling, max_size=8))
def test_a_scan_finds_exactly_the_pieces_that_stand_there(contents: list[bytes], others: list[bytes]) -> None:
    pieces = cut_all(contents)
    haystack = b"".join([*others, *contents[1:], b"end"])
    assert FragmentScan(pieces).found_in(haystack) == {piece for piece in pieces if piece in haystack}


@given(telling, st.integers(1, 40))
def test_pieces_are_found_where_chunks_meet(content: bytes, size: int) -> None:
    pieces = cut_all([content])
    chunks = [content[start : start + size] for start in range(0, len(content), size)]
    assert FragmentScan(pieces).found_in_chunks(chunks) == set(pieces)


@given(st.permutations(range(256)), st.integers(0, 200))
def test_no_stretch_of_a_deleted_text_goes_unnoticed(order: list[int], start: int) -> None:
    text = bytes(order)
    left = text[start : start + STRIDE + LENGTH]
    if len(left) == STRIDE + LENGTH:
        assert FragmentScan(cut_all([text])).found_in(b"...." + left + b"....")


def test_what_stands_everywhere_by_chance_is_not_looked_for() -> None:
    assert list(cut(b"short")) == []
    assert list(cut(b"-" * 200)) == []
    assert list(cut(b"whole one")) == [b"whole one"]


def test_no_pieces_are_found_nowhere() -> None:
    assert FragmentScan(()).found_in(b"anything at all, really") == set()
    assert FragmentScan([b"a piece of text!"]).found_in(b"") == set()
