"""JSON as values: what metadata, states and journal entries are made of, and what of it can be stored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from libravdb.text.unicode import mend

if TYPE_CHECKING:
    Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
else:  # whoever reads hints while the program runs would look for the inner name in the module of the hint
    Json = None | bool | int | float | str | list[Any] | dict[str, Any]

Metadata = Mapping[str, Json]


def mend_json(value: Mapping[str, Json]) -> dict[str, Json]:
    """An object whose texts are mended, keys too."""
    written = json.dumps(value)
    if "\\ud" not in written and "\\u0000" not in written:
        return dict(value)
    return {mend(key): _mended(item) for key, item in value.items()}


def _mended(value: Json) -> Json:
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    return mend_json(value) if isinstance(value, dict) else value
