"""The passage of a long memory that speaks to the question, where the whole would take the room of many others."""

from __future__ import annotations

from collections.abc import Sequence

from libravdb.text.analysis import query_words
from libravdb.text.sentences import Span, sentences
from libravdb.text.tokens import prompt_tokens

CUT = "…"
"""Stands where something of a memory was left out."""

LEAST_PASSAGE = 16
"""Tokens below which a passage says too little to be worth its place."""

SHORT = 48
"""A memory of so many tokens stands whole as long as there is room, however little that is."""

MOST_SENTENCES = 2_000
"""Sentences of a text that are looked at; a memory that holds more is a document, not something said."""

_ENDINGS = 2  # letters at the end of a word that may be an ending
_LEAST_STEM = 4


def stems_of(question: str) -> tuple[str, ...]:
    """The words of a question without what may be their endings, as they are looked for in a text."""
    words = (word.casefold() for word in query_words(question).values())
    return tuple(dict.fromkeys(word[: max(_LEAST_STEM, len(word) - _ENDINGS)] for word in words))


def best_passage(text: str, limit: int, stems: Sequence[str]) -> str:
    """Of a text of more than `limit` tokens about so many: whole sentences around the one that has most words of the
    question, the first one of equals; `…` stands where it goes on."""
    if prompt_tokens(text) <= limit:
        return text
    spans = sentences(text)[:MOST_SENTENCES]
    if not spans:
        return _marked(text, 0, _fitting(text, 0, len(text), limit))
    held = [_held(text, span, stems) for span in spans]
    first = last = held.index(max(held))
    start, end = spans[first]
    if prompt_tokens(text[start:end]) > limit:
        return _marked(text, start, _fitting(text, start, end, limit))
    while True:
        if last + 1 < len(spans) and prompt_tokens(text[start : spans[last + 1][1]]) <= limit:
            last += 1
        elif first > 0 and prompt_tokens(text[spans[first - 1][0] : end]) <= limit:
            first -= 1
        else:
            return _marked(text, start, end)
        start, end = spans[first][0], spans[last][1]


def _held(text: str, span: Span, stems: Sequence[str]) -> int:
    said = text[slice(*span)].casefold()
    return sum(stem in said for stem in stems)


def _fitting(text: str, start: int, end: int, limit: int) -> int:
    """Where a piece that begins at `start` and has at most `limit` tokens ends, at a space if there is one near."""
    low, high = start, end
    while low < high:
        middle = (low + high + 1) // 2
        if prompt_tokens(text[start:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    space = text.rfind(" ", start + (low - start) // 2, low)
    return space if low < end and space > start else low


def _marked(text: str, start: int, end: int) -> str:
    before, after = (CUT if text[:start].strip() else ""), (CUT if text[end:].strip() else "")
    return f"{before}{text[start:end].strip()}{after}"
