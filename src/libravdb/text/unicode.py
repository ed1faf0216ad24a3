"""Text that can be stored: half a character, torn off where a host cut its text, must not cost the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping

from libravdb.errors import InvalidInput
from libravdb.model import Json


def mend(text: str) -> str:
    """The text with halves of surrogate pairs joined, and lone ones replaced by U+FFFD."""
    if not isinstance(text, str):
        raise InvalidInput("text", f"is {type(text).__name__}, not text")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def mend_json(value: Mapping[str, Json]) -> dict[str, Json]:
    """An object whose texts are mended, keys too."""
    if "\\ud" not in json.dumps(value):
        return dict(value)
    return {mend(key): _mended(item) for key, item in value.items()}


def _mended(value: Json) -> Json:
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    return mend_json(value) if isinstance(value, dict) else value
