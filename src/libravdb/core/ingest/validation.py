"""Fields of a value that came from outside: taken when they are what they should be, refused by their full name
when not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from libravdb.errors import InvalidInput
from libravdb.text.unicode import mend

Object = Mapping[str, Any]

_FIRST_MS = 100_000_000_000
"""A number below it counts seconds: as seconds it is the year 5138, as milliseconds March 1973."""
_LAST = 253_402_300_800_000  # milliseconds to the year 10000, beyond which no calendar here can write a date
_LARGEST = 1e21  # nanoseconds of the year 33658


def kind_of(value: object) -> str:
    """What a value is, in the reader's words."""
    for type_, words in _WORDS:
        if isinstance(value, type_):
            return words
    return f"a {type(value).__name__}"


_WORDS: tuple[tuple[type, str], ...] = (
    (type(None), "null"),
    (bool, "true or false"),
    (int, "a number"),
    (float, "a number"),
    (str, "text"),
    (bytes, "bytes"),
    (Mapping, "an object"),
    (Sequence, "a list"),
)


def refuse(field: str, value: object, wanted: str) -> InvalidInput:
    """The error for a value of the wrong kind. It never shows the value itself."""
    return InvalidInput(field, f"is {kind_of(value)}, not {wanted}")


def text_in(value: object, field: str) -> str:
    """The value as text that can be stored."""
    if not isinstance(value, str):
        raise refuse(field, value, "text")
    return mend(value)


def object_in(value: object, field: str) -> Object:
    """The value as an object."""
    if not isinstance(value, Mapping):
        raise refuse(field, value, "an object")
    return value


def list_in(value: object, field: str, wanted: str = "a list") -> Sequence[Any]:
    """The value as a list; `wanted` says in words what else would have done."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise refuse(field, value, wanted)
    return value


def first_of(source: Object, names: Sequence[str]) -> tuple[str, Any]:
    """The first of several names that holds something, with its value; ("", None) when none does."""
    for name in names:
        if source.get(name) is not None:
            return name, source[name]
    return "", None


def time_in(value: object, field: str, zone: str = "") -> int | None:
    """A time as milliseconds since 1970: from milliseconds, seconds, micro- or nanoseconds, or ISO text.

    The size of a number tells its unit. ISO text without a zone is of the host's `zone`, or of this machine's when that
    is not known. Zero and empty text mean "unknown".
    """
    if isinstance(value, str):
        return _time_in_text(value.strip(), field, zone)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refuse(field, value, "a time")
    if not 0 <= value < _LARGEST:  # not a number is no time either: it compares as false
        raise InvalidInput(field, "is a number that is no time")
    if value == 0:
        return None
    milliseconds = value * 1000 if value < _FIRST_MS else value
    while milliseconds >= 1000 * _FIRST_MS:
        milliseconds = milliseconds // 1000
    return round(milliseconds)


def _time_in_text(text: str, field: str, zone: str) -> int | None:
    if not text:
        return None
    if text.isascii() and text.replace(".", "", 1).isdigit() and len(text) <= 30:
        return time_in(float(text), field)
    try:
        moment = datetime.fromisoformat(text)
        if zone and not moment.tzinfo:
            moment = moment.replace(tzinfo=ZoneInfo(zone))
        milliseconds = round(moment.timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        problem = "is text that is no ISO 8601 time"
        raise InvalidInput(field, problem, remedy="Write 2026-01-31T18:45:00Z, or milliseconds since 1970.") from error
    if not 0 <= milliseconds < _LAST:
        raise InvalidInput(field, "lies before 1970 or after the year 9999")
    return milliseconds or None
