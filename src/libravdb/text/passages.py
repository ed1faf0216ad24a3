"""Which pieces of a text get a vector of their own: passages of a sentence or two. Pure, and linear in time.

A passage is a slice of the text, and the slices cover it: no character that is not a space is lost.
"""

from __future__ import annotations

from libravdb.errors import InvalidInput
from libravdb.text.sentences import Span, sentences

RECIPE = 1
"""Grows when splitting, windows or averaging change: part of every embedder's fingerprint."""

SHORT = 60
"""A passage of fewer UTF-8 bytes takes in its neighbour. Bytes, because a Chinese character says as much as a
short word."""


def require_text(text: str) -> None:
    """Refuse what no embedder can read: nothing but spaces, or half of a surrogate pair."""
    if not text or text.isspace():
        raise InvalidInput("text", "is empty")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            "text",
            f"contains a lone surrogate at position {error.start}",
            remedy="Decode the source as UTF-8 with errors='replace' before it is stored.",
        ) from error


def split(text: str) -> list[str]:
    """The passages of a text in order, without the spaces around them."""
    return [text[start:end] for start, end in spans(text)]


def spans(text: str) -> list[Span]:
    """Where the passages begin and end: sentences, the short ones joined with a neighbour."""
    joined: list[Span] = []
    open_passage: Span | None = None
    for start, end in sentences(text):
        begin = start if open_passage is None else open_passage[0]
        open_passage = (begin, end)
        if _bytes(text[begin:end]) >= SHORT:
            joined.append(open_passage)
            open_passage = None
    if open_passage is not None:
        begin = joined.pop()[0] if joined else open_passage[0]
        joined.append((begin, open_passage[1]))
    return joined


def windows(length: int, size: int) -> list[Span]:
    """`length` items in as few runs of at most `size` as possible, of nearly equal length; none gives one empty run."""
    count = max(1, -(-length // size))
    return [(length * i // count, length * (i + 1) // count) for i in range(count)]


def _bytes(piece: str) -> int:
    return len(piece.encode(errors="surrogatepass"))
