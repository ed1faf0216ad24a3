"""JSON to params and results to JSON: dataclasses with snake_case fields, camelCase on the wire."""

from __future__ import annotations

import dataclasses
import difflib
import math
import types
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from libravdb.errors import InvalidInput

T = TypeVar("T")


def camel(name: str) -> str:
    """The name of a field on the wire."""
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


def read(cls: type[T], raw: object, *, is_strict: bool, path: str = "") -> T:
    """A params object from JSON. Missing or null fields take their defaults.

    Any JSON number serves where an integer is meant. Unknown fields are ignored, or refused by name when strict.
    """
    if raw is None:
        raw = {}
    if not isinstance(raw, Mapping):
        raise InvalidInput(path.rstrip(".") or "params", f"is {_kind(raw)}, not an object", remedy=_known_fields(cls))
    shape = shape_of(cls)
    if is_strict:
        unknown = [key for key in raw if key not in shape]
        if unknown:
            remedy = f"{nearest(unknown[0], shape)} {_known_fields(cls)}".lstrip()
            raise InvalidInput(f"{path}{unknown[0]}", "is not a known field", remedy=remedy)
    values = {}
    for wire, (name, hint, is_required) in shape.items():
        value = raw.get(wire)
        if value is not None:
            try:
                values[name] = _convert(hint, value, f"{path}{wire}", is_strict=is_strict)
            except _Unfit as error:
                raise InvalidInput(error.path, error.problem, remedy=_known_fields(cls)) from error
        elif is_required and type(None) in get_args(hint):
            values[name] = None  # whoever wrote it left it out
        elif is_required:
            raise InvalidInput(f"{path}{wire}", "is required", remedy=_known_fields(cls))
    return cls(**values)


def nearest(name: str, known: Iterable[str]) -> str:
    """The question whether another name was meant; empty when none is near."""
    found = difflib.get_close_matches(name[:MOST_COMPARED], known, n=1)
    return f"Did you mean {found[0]!r}?" if found else ""


MOST_COMPARED = 200
"""Characters of an unknown name that are compared with known ones: a hostile one may be very long."""


def _known_fields(cls: type) -> str:
    """In words what an object takes, for whoever gave it something else."""
    told = [
        f"{wire} ({type_name(hint)}{', required' if is_required else ''})"
        for wire, (_, hint, is_required) in shape_of(cls).items()
    ]
    return f"Known are: {', '.join(told)}." if told else "It takes no fields."


class _Unfit(Exception):
    """A value that is not of its field's type."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem


def write(value: Any) -> Any:  # noqa: ANN401 - JSON is anything
    """A result as JSON: dataclasses to objects with camelCase keys, fields that are None left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            camel(field.name): write(item)
            for field in dataclasses.fields(value)
            if (item := getattr(value, field.name)) is not None
        }
    if isinstance(value, Mapping):
        return {key: write(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [write(item) for item in value]
    return value


_SHAPES: dict[type, Mapping[str, tuple[str, Any, bool]]] = {}


def shape_of(cls: type) -> Mapping[str, tuple[str, Any, bool]]:
    """Wire name to field name, type, and whether it must be given; looked up once per class."""
    if cls not in _SHAPES:
        _SHAPES[cls] = _read_shape(cls)
    return _SHAPES[cls]


def _read_shape(cls: type) -> Mapping[str, tuple[str, Any, bool]]:
    hints = get_type_hints(cls)
    missing = dataclasses.MISSING
    return {
        camel(field.name): (
            field.name,
            hints[field.name],
            field.default is missing and field.default_factory is missing,
        )
        for field in dataclasses.fields(cls)
    }


def _convert(hint: Any, value: object, path: str, *, is_strict: bool) -> Any:  # noqa: ANN401 - a type of any kind
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        options = [option for option in get_args(hint) if option is not type(None)]
        return _convert(options[0], value, path, is_strict=is_strict) if len(options) == 1 else value
    if hint is Any or hint is object or origin is Literal:
        return value
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enumerated(hint, value, path)
    if hint is str and isinstance(value, str):
        return value
    if hint is bool and isinstance(value, bool):
        return value
    if hint in (int, float) and isinstance(value, int | float) and not isinstance(value, bool):
        if isinstance(value, float) and not math.isfinite(value):
            raise _Unfit(path, "is not a finite number")
        return int(value) if hint is int else float(value)
    if origin in (tuple, list) and isinstance(value, list):
        inner = get_args(hint)[0]
        return tuple(_convert(inner, item, f"{path}[{i}]", is_strict=is_strict) for i, item in enumerate(value))
    if origin in (dict, Mapping) and isinstance(value, Mapping):
        inner = get_args(hint)[1]
        return {key: _convert(inner, item, f"{path}.{key}", is_strict=is_strict) for key, item in value.items()}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type) and isinstance(value, Mapping):
        return read(hint, value, is_strict=is_strict, path=f"{path}.")
    raise _Unfit(path, f"is {_kind(value)}, not {_wanted(hint)}")


def _enumerated(hint: type[Enum], value: object, path: str) -> Enum:
    try:
        return hint(value)
    except ValueError as error:
        allowed = ", ".join(str(member.value) for member in hint)
        raise _Unfit(path, f"is {value!r}, not one of {allowed}") from error


def _kind(value: object) -> str:
    if value is None:
        return "null"
    for kind, name in ((bool, "a boolean"), (str, "text"), (Mapping, "an object"), (list, "a list")):
        if isinstance(value, kind):
            return name
    return "a number"


def type_name(hint: Any) -> str:  # noqa: ANN401 - a type of any kind
    """A type in the words of the reference."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        options = [option for option in get_args(hint) if option is not type(None)]
        return type_name(options[0]) if len(options) == 1 else "any"
    if origin in (tuple, list):
        return f"{type_name(get_args(hint)[0])}[]"
    if origin in (dict, Mapping):
        return "object" if get_args(hint)[1] in (Any, object) else f"object of {type_name(get_args(hint)[1])}"
    if dataclasses.is_dataclass(hint):
        return "object"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "|".join(str(member.value) for member in hint)
    names = {str: "text", bool: "boolean", int: "integer", float: "number"}
    return names.get(hint, "any")


def _wanted(hint: Any) -> str:  # noqa: ANN401 - a type of any kind
    name = type_name(hint)
    if name.endswith("[]"):
        return "a list"
    return {"text": "text", "object": "an object", "integer": "an integer"}.get(name, f"a {name}")
