"""What a search measures, as plain formulas: how much the words of a record tell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from libravdb.model import Terms, Word

_K1 = 1.2
_B = 0.75
_LEAST_IDF = 1e-6


def bm25(texts: Mapping[str, Terms], words: Sequence[Word]) -> dict[str, float]:
    """How much each text with a matching form tells: Σ idf · tf·(k₁+1) / (tf + k₁·(1 − b + b·length/average)).

    idf = ln((N − df + ½) / (df + ½)), at least 1e-6, so that a match is never nothing. N, df and the average are those
    of these texts alone: what others write changes nothing here.
    """
    scores: dict[str, float] = {}
    average = sum(len(terms) for terms in texts.values()) / max(1, len(texts))
    for form in dict.fromkeys(form for word in words for form in word):
        counts = {text: count(terms, (form,)) for text, terms in texts.items()}
        holders = sum(1 for found in counts.values() if found)
        idf = max(math.log((len(texts) - holders + 0.5) / (holders + 0.5)), _LEAST_IDF)
        for text, found in counts.items():
            if found:
                room = _K1 * (1 - _B + _B * len(texts[text]) / average)
                scores[text] = scores.get(text, 0.0) + idf * found * (_K1 + 1) / (found + room)
    return scores


def count(terms: Iterable[str], word: Word) -> int:
    """How often a word stands among terms, in any of its forms; one that ends with `*` stands for all that begin so."""
    return sum(_stands_for(form, term) for term in terms for form in word)


def _stands_for(form: str, term: str) -> bool:
    return term.startswith(form[:-1]) if form.endswith("*") else term == form
