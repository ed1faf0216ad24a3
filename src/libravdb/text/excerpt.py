"""What of a very long text gets vectors: its head, its end, and from each stretch between them the sentence that tells
most. Pure, and linear in time.

Every word of a text is indexed whatever its length; a vector for each of ten thousand sentences would cost a minute.
"""

from __future__ import annotations

import re
from itertools import pairwise

from libravdb.text.sentences import Span, sentences

HEAD_SHARE, END_SHARE = 3, 1
"""Eighths of an excerpt that the head and the end of the text take; the rest goes to what lies between."""

STRETCH = 240
"""Characters of an excerpt for each stretch of the text between head and end: about two sentences."""

LONGEST = 300
"""A longer sentence (a line of a log, text without a stop) is taken in pieces of so many characters."""

_NUMBER, _NAME, _DECISION = 2, 2, 4
_TELLS = re.compile(
    r"(?P<number>\d[\d.,:/-]*)"
    r"|(?<=[\w,;] )(?P<name>[^\W\d_a-z][\w'’-]+)"
    r"|\b(?P<decision>decided|decision|agreed|chose|never|always|must|prefer|remember|because|fixed|broke[n]?|error"
    r"|failed|deadline|entschieden|beschlossen|niemals|immer|fehler|decidi\w+|decisión|nunca|siempre|décid\w+|jamais"
    r"|toujours|erreur)\b|(?P<cjk>决定|必须|不要|记住|喜欢|错误)",
    re.IGNORECASE,
)


def excerpt(text: str, limit: int) -> str:
    """The text itself up to `limit` bytes of UTF-8; of a longer one about so much of it, in its order, a line each.

    Bytes, because a Chinese character costs a model as much as a short word.
    """
    size = len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))
    if size <= limit:
        return text
    limit = limit * len(text) // size
    spans = [piece for span in sentences(text) for piece in _pieces(*span)]
    if not spans:
        return text[:limit]
    head = _taken(spans, limit * HEAD_SHARE // 8)
    end = _taken(spans[: len(head) - 1 : -1], limit * END_SHARE // 8)[::-1]
    between = spans[len(head) : len(spans) - len(end)]
    room = limit - sum(_size(span) for span in (*head, *end))
    chosen = (*head, *_most_telling(text, between, room), *end)
    return "\n".join(text[start:stop] for start, stop in chosen)


def _pieces(start: int, end: int) -> list[Span]:
    return [(begin, min(begin + LONGEST, end)) for begin in range(start, end, LONGEST)]


def _taken(spans: list[Span], room: int) -> list[Span]:
    """As many from the beginning as there is room for, at least one."""
    taken: list[Span] = []
    for span in spans:
        room -= _size(span)
        if taken and room < 0:
            break
        taken.append(span)
    return taken


def _most_telling(text: str, spans: list[Span], room: int) -> list[Span]:
    """From each stretch of equal length the sentence that tells most for its length, the earlier one of two."""
    count = min(max(room // STRETCH, 0), len(spans))
    edges = [len(spans) * place // count for place in range(count + 1)] if count else []
    best = [max(spans[start:stop], key=lambda span: _telling(text, span)) for start, stop in pairwise(edges)]
    kept: list[Span] = []
    for span in sorted(best, key=lambda span: -_telling(text, span)):
        if _size(span) <= room:
            kept.append(span)
            room -= _size(span)
    return sorted(kept)


def _telling(text: str, span: Span) -> float:
    """Names, numbers and decisions of a sentence, for each of its characters; a very short one gains nothing by it."""
    weight = 0
    for found in _TELLS.finditer(text, *span):
        kind = found.lastgroup
        if kind == "name" and not found[0][0].isupper():
            continue
        weight += _NUMBER if kind == "number" else _NAME if kind == "name" else _DECISION
    return weight / max(_size(span), 60)


def _size(span: Span) -> int:
    return span[1] - span[0] + 1
