"""What is wrong with a value, in our words: msgspec tells where it stopped, the types and the value tell the rest."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, get_args, get_origin

import msgspec

from libravdb.errors import InvalidInput
from libravdb.wire.fields import bare, fields_of, known_fields, nearest

_PATH = re.compile(r" - at `\$(.*)`$")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")  # a field, a place in a list, some value of a mapping
_PLAIN = {str: "text", bool: "a boolean", int: "an integer", float: "a number"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where something stands: its value, the type it should have, and the class whose field it is or is within."""

    path: str
    value: object
    hint: Any
    owner: type
    is_field: bool = False


def refusal_of(error: msgspec.ValidationError, cls: type, raw: object, *, is_strict: bool) -> InvalidInput:
    """The error that names the field, what is wrong with it, and what is taken."""
    told = str(error)
    found = _PATH.search(told)
    steps = _STEP.findall(found[1]) if found else []
    whole = _Place(path="", value=raw, hint=cls, owner=cls)
    places = list(_reached(whole, steps))
    for place in (whole, *places):
        refused = _refused(place, is_strict=is_strict)
        if refused is not None:
            return refused
    path = places[0].path if places else ""
    return InvalidInput(path or "params", f"does not fit ({_PATH.sub('', told)})", remedy=known_fields(cls))


def _reached(place: _Place, steps: Sequence[tuple[str, str]]) -> Iterator[_Place]:
    """The places that a path may mean: msgspec does not tell which value of a mapping it was."""
    if not steps:
        yield place
        return
    for next_place in _next(place, *steps[0]):
        yield from _reached(next_place, steps[1:])


def _next(place: _Place, field: str, index: str) -> Iterator[_Place]:
    hint, value = bare(place.hint), place.value
    arguments = get_args(hint)
    if field and isinstance(value, Mapping):
        path = f"{place.path}.{field}".lstrip(".")
        yield _Place(path=path, value=value.get(field), hint=fields_of(hint)[field].hint, owner=hint, is_field=True)
    elif index == "..." and isinstance(value, Mapping):
        for key, item in value.items():
            yield replace(place, path=f"{place.path}.{key}", value=item, hint=arguments[-1], is_field=False)
    elif index.isdigit() and isinstance(value, list) and int(index) < len(value):
        inner = arguments[0] if arguments[-1] is Ellipsis else arguments[int(index)]
        path = f"{place.path}[{index}]"
        yield replace(place, path=path, value=value[int(index)], hint=inner, is_field=False)


def _refused(place: _Place, *, is_strict: bool) -> InvalidInput | None:
    """What is wrong at a place itself; None when it is not what msgspec meant."""
    hint, value = bare(place.hint), place.value
    if dataclasses.is_dataclass(hint) and isinstance(hint, type) and isinstance(value, Mapping):
        return _refused_fields(hint, value, path=place.path, is_strict=is_strict)
    problem = ""
    if value is None and place.is_field:
        problem = "is required"
    elif isinstance(hint, type) and issubclass(hint, Enum):
        allowed = [member.value for member in hint]
        problem = "" if value in allowed else f"is {value!r}, not one of {', '.join(map(str, allowed))}"
    elif hint is not Any and _kind(value) != _wanted(hint).replace("an integer", "a number"):
        problem = f"is {_kind(value)}, not {_wanted(hint)}"
    return InvalidInput(place.path or "params", problem, remedy=known_fields(place.owner)) if problem else None


def _refused_fields(cls: type, value: Mapping[str, object], *, path: str, is_strict: bool) -> InvalidInput | None:
    known, within = fields_of(cls), f"{path}." if path else ""
    unknown = next((name for name in value if name not in known), None)
    if is_strict and unknown is not None:
        remedy = f"{nearest(unknown, known)} {known_fields(cls)}".lstrip()
        return InvalidInput(f"{within}{unknown}", "is not a known field", remedy=remedy)
    missing = (wire for wire, field in known.items() if field.is_required and value.get(wire) is None)
    for wire in missing:
        return InvalidInput(f"{within}{wire}", "is required", remedy=known_fields(cls))
    return None


def _kind(value: object) -> str:
    if value is None:
        return "null"
    for kind, name in ((bool, "a boolean"), (str, "text"), (Mapping, "an object"), (list, "a list")):
        if isinstance(value, kind):
            return name
    return "a number"


def _wanted(hint: Any) -> str:  # noqa: ANN401 - a type of any kind
    return "a list" if get_origin(hint) is tuple else _PLAIN.get(hint, "an object")
