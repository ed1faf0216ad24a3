"""Text that can be stored: half a character, torn off where a host cut its text, must not cost the rest. And text that
can be compared: in one normal form, at a cost of its length."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from libravdb.errors import InvalidInput

MOST_MARKS = 30
"""Combining marks on one letter that are read, as Unicode's own stream-safe format has it; no language needs more."""

_MANY_MARKS = re.compile(rf"[^\w\s\x00-\x7f]{{{MOST_MARKS + 1},}}")


def mend(text: str) -> str:
    """The text with halves of surrogate pairs joined; lone ones, and NUL, which no database likes, become U+FFFD."""
    if not isinstance(text, str):
        raise InvalidInput("text", f"is {type(text).__name__}, not text")
    text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def normalised(text: str, form: Literal["NFC", "NFD", "NFKC"]) -> str:
    """A text in a normal form. Marks are put in order by comparing each with all before it: of thousands on one letter,
    which nobody can read, only the first few are kept, or a message could hold up everything for an hour."""
    return text if text.isascii() else unicodedata.normalize(form, _MANY_MARKS.sub(_with_few_marks, text))


def _with_few_marks(run: re.Match[str]) -> str:
    kept, marks = [], 0
    for letter in run[0]:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)
