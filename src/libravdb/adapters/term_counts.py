"""How often each term stands in a text, in four bytes a term, so that BM25 can be reckoned without reading texts.

A bag is a row of 32-bit numbers: 24 bits of the term's checksum, 8 bits of its count (255 means "at least"). Two
terms of one text share a checksum once in a million texts or so; the price is a slightly wrong count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]

_MOST = 255


def pack(terms: Iterable[str]) -> bytes:
    """The bag of these terms; the order in which they come does not show."""
    counts: Counter[int] = Counter()
    for term, count in Counter(terms).items():
        counts[_mark(term)] += count
    numbers = sorted(mark << 8 | min(count, _MOST) for mark, count in counts.items())
    return np.array(numbers, dtype="<u4").tobytes()


def count(bags: Sequence[bytes], words: Sequence[Sequence[str]]) -> Counts:
    """How often each word, in any of its forms, stands in each bag: a row per bag, a column per word."""
    found = np.zeros((len(bags), len(words)), dtype=np.int64)
    numbers = np.frombuffer(b"".join(bags), dtype="<u4")
    if numbers.size == 0:
        return found
    marks, counts = numbers >> 8, numbers & _MOST
    ends = np.cumsum([len(bag) // 4 for bag in bags])
    for column, forms in enumerate(words):
        for mark in {_mark(form) for form in forms}:
            places = np.flatnonzero(marks == mark)
            found[np.searchsorted(ends, places, side="right"), column] += counts[places]  # a mark is once in a bag
    return found


def count_terms(joined: Sequence[str], words: Sequence[Sequence[str]]) -> Counts:
    """The same over the terms themselves, each row joined by spaces: for words with a prefix (`form*`) among them."""
    found = np.zeros((len(joined), len(words)), dtype=np.int64)
    for row, text in enumerate(joined):
        terms = text.split(" ")
        found[row] = [sum(_stands(form, term) for form in forms for term in terms) for forms in words]
    return found


def _stands(form: str, term: str) -> bool:
    return term.startswith(form[:-1]) if form.endswith("*") else term == form


def _mark(term: str) -> int:
    return crc32(term.encode(errors="surrogatepass")) >> 8
