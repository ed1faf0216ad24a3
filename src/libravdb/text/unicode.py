"""Text that can be stored: half a character, torn off where a host cut its text, must not cost the rest."""

from __future__ import annotations

from libravdb.errors import InvalidInput


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
