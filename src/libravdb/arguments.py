"""What people give to `Memory`: checked once, under the names that they know, wherever the engine is.

A value is given back as the engine takes it, or refused as InvalidInput with what to give instead. What only the engine
can know (whether an id exists, how long a text may be) is left to it: it says so alike through every door.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from libravdb.errors import InvalidInput
from libravdb.model import Json, Role, Where, role_named
from libravdb.ports.settings import is_database
from libravdb.text.unicode import mend

MOST_NESTED = 100
"""Deeper nesting would exhaust the stack of whoever reads it back."""

_INT64 = 2**63
_ROLES = f"Known roles: {', '.join(Role)}."
_MESSAGE = 'Give a text, or a message such as {"role": "user", "content": "…"}.'
_MOMENT = "Give a datetime, or milliseconds since 1970."
_PLAIN = "Texts, numbers, true, false, None, and lists and dicts of them can be kept; write a time as text."

Choice = TypeVar("Choice", bound=StrEnum)


# ── texts and names ───────────────────────────────────────────────────────────────────────────────────────


def text_in(field: str, given: object) -> str:
    """A text; half a character in it is mended, as everywhere."""
    if not isinstance(given, str):
        raise _wrong(field, given, "text", remedy="Give a text.")
    return mend(given)


def name_in(field: str, given: object) -> str:
    """An id, or another name: it is never mended, or two names would be one."""
    if not isinstance(given, str):
        raise _wrong(field, given, "text", remedy="Give a text.")
    if mend(given) != given:
        problem = "has a NUL character or half a surrogate pair, which no file can hold"
        raise InvalidInput(field, problem, remedy="Replace it, for example with U+FFFD.")
    return given


def name_or_none(field: str, given: object) -> str | None:
    """A name, where one need not be given."""
    return None if given is None else name_in(field, given)


def names_in(field: str, given: Iterable[object]) -> list[str]:
    """Names one by one, each given by itself or in a list with others."""
    told: list[object] = []
    for each in given:
        if isinstance(each, str):
            told.append(each)
        elif isinstance(each, Iterable) and not isinstance(each, bytes | Mapping):
            told.extend(each)
        else:
            raise _wrong(f"{field}[{len(told)}]", each, "text", remedy="Give texts, or a list of them.")
    return [name_in(f"{field}[{place}]", each) for place, each in enumerate(told)]


def choice_in(field: str, given: object, known: type[Choice]) -> Choice:
    """One of a few words, or the member that it names."""
    found = next((one for one in known if one == given), None)
    if found is None:
        raise InvalidInput(field, f"is {_shown(given)}", remedy=f"Choose one of {', '.join(known)}.")
    return found


def choices_in(field: str, given: object, known: type[Choice]) -> tuple[Choice, ...]:
    """Some of a few words, in a list."""
    if not isinstance(given, Iterable) or isinstance(given, str | bytes | Mapping):
        raise _wrong(field, given, "a list", remedy=f"Give a list of {', '.join(known)}.")
    return tuple(choice_in(f"{field}[{place}]", one, known) for place, one in enumerate(given))


def path_in(field: str, given: object) -> Path:
    """The path of a file."""
    told = os.fspath(given) if isinstance(given, os.PathLike) else given
    if not isinstance(told, str):
        raise _wrong(field, given, "a path", remedy="Give the path of a file, as text or as a Path.")
    if "\0" in told or not told:
        raise InvalidInput(field, "is empty" if not told else "has a NUL character", remedy="Give the path of a file.")
    return Path(told)


def store_in(field: str, given: object) -> dict[str, object]:
    """The setting of a store that is named by its file or by the address of its database."""
    if isinstance(given, str) and is_database(given):
        return {"store.url": text_in(field, given)}
    return {"store.path": path_in(field, given)}


# ── numbers, claims and times ─────────────────────────────────────────────────────────────────────────────


def number_in(field: str, given: object) -> int:
    """A whole number."""
    try:
        number = operator.index(given)  # type: ignore[arg-type]  # what is none is refused below
    except TypeError:
        number = None
    if number is None or isinstance(given, bool) or not -_INT64 <= number < _INT64:
        raise InvalidInput(field, f"is {_shown(given)}", remedy="Give a whole number.")
    return number


def number_or_none(field: str, given: object) -> int | None:
    """A whole number, where one need not be given."""
    return None if given is None else number_in(field, given)


def claim_in(field: str, given: object) -> bool:
    """True or False."""
    if not isinstance(given, bool):
        raise InvalidInput(field, f"is {_shown(given)}", remedy="Give True or False.")
    return given


def moment_in(field: str, given: object) -> int | None:
    """A time in milliseconds; a datetime without a zone is the machine's."""
    if given is None:
        return None
    moment = _told_moment(given)
    if moment is None or not -_INT64 <= moment < _INT64:
        raise InvalidInput(field, f"is {_shown(given)}", remedy=_MOMENT)
    return moment


def _told_moment(given: object) -> int | None:
    if isinstance(given, datetime):
        try:
            return int(given.timestamp() * 1000)
        except (ValueError, OverflowError, OSError):  # beyond what the machine's calendar knows
            return None
    return given if type(given) is int else None


def expiry_in(field: str, given: object) -> int | str | None:
    """A time, or a span or a date in words, which the engine reads."""
    return mend(given) if isinstance(given, str) else moment_in(field, given)


# ── objects and messages ──────────────────────────────────────────────────────────────────────────────────


def metadata_in(field: str, given: object) -> dict[str, Json] | None:
    """Facts by their names, as JSON says them; None where there are none."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise _wrong(field, given, "a dict", remedy='Give a dict such as {"topic": "boats"}.')
    return _plain_object(field, given, 0)


def settings_in(field: str, given: object) -> dict[str, object]:
    """Settings by their dotted names; the configuration looks at their values."""
    if given is not None and not isinstance(given, Mapping):
        raise _wrong(field, given, "a dict", remedy='Give a dict such as {"search.k": 5}.')
    return {name_in(field, name): value for name, value in (given or {}).items()}


def filter_in(given: object, *, since: object, until: object) -> Where:
    """A filter as people write it: metadata that must be so, and when it was said."""
    asked = Where.of(given)  # type: ignore[arg-type]  # it refuses what is no filter
    first, last = moment_in("since", since), moment_in("until", until)
    return replace(
        asked,
        metadata={mend(key): tuple(_plain("where", one, 0) for one in told) for key, told in asked.metadata.items()},
        conditions=tuple(
            replace(one, key=mend(one.key), value=_plain("where", one.value, 0)) for one in asked.conditions
        ),
        since=asked.since if first is None else first,
        until=asked.until if last is None else last,
    )


def each_in(given: Iterable[object]) -> list[object]:
    """Messages one by one, each given by itself or in a list with others."""
    return [one for each in given for one in (each if isinstance(each, list | tuple) else (each,))]


def said_in(field: str, given: object) -> list[Json]:
    """Messages that are to be kept: whoever writes one means a role that there is."""
    told = messages_in(field, given)
    for place, message in enumerate(told):
        _refuse_unknown_role(f"{field}[{place}]", message)
    return told


def messages_in(field: str, given: object) -> list[Json]:
    """A list of messages, each a text or an object, in the shape of any host."""
    if not isinstance(given, list | tuple):
        raise _wrong(field, given, "a list", remedy="Give a list of messages.")
    told: list[Json] = []
    for place, message in enumerate(given):
        if not isinstance(message, str | Mapping):
            raise _wrong(f"{field}[{place}]", message, "text or a dict", remedy=_MESSAGE)
        told.append(_plain(f"{field}[{place}]", message, 0))
    return told


def _refuse_unknown_role(field: str, message: object) -> None:
    """What a host keeps beside its messages has no role, and is left to the engine."""
    inner = message.get("message", message) if isinstance(message, Mapping) and "role" not in message else message
    role = inner.get("role") if isinstance(inner, Mapping) else None
    if isinstance(role, str) and role.strip() and role_named(role) is None:
        raise InvalidInput(f"{field}.role", f"is {role!r}, which is no role", remedy=_ROLES)


def _plain(field: str, value: object, depth: int) -> Json:
    """A value as JSON says it; whatever would come back as something else is refused."""
    if depth > MOST_NESTED:
        raise InvalidInput(field, f"is nested more than {MOST_NESTED} deep", remedy="Keep it flatter, or as text.")
    if isinstance(value, str):
        return mend(value)
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, Mapping):
        return _plain_object(field, value, depth)
    if isinstance(value, list | tuple):
        return [_plain(field, item, depth + 1) for item in value]
    raise InvalidInput(field, f"holds {_shown(value)}, which JSON cannot say", remedy=_PLAIN)


def _plain_object(field: str, given: Mapping[object, object], depth: int) -> dict[str, Json]:
    for key in given:
        if not isinstance(key, str):
            raise InvalidInput(field, f"has the key {_shown(key)}, which is no text", remedy="Write every key as text.")
    return {mend(str(key)): _plain(field, item, depth + 1) for key, item in given.items()}


# ── refusing ──────────────────────────────────────────────────────────────────────────────────────────────


def _wrong(field: str, given: object, wanted: str, *, remedy: str) -> InvalidInput:
    told = "None" if given is None else f"of type {type(given).__name__}"
    return InvalidInput(field, f"is {told}, not {wanted}", remedy=remedy)


def _shown(given: object) -> str:
    """A value as somebody wrote it, or of what type it is where that would be long."""
    told = repr(given) if isinstance(given, str | int | float | datetime | None) else ""
    return told if 0 < len(told) <= 60 else f"of type {type(given).__name__}"
