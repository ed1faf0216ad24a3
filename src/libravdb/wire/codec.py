"""Values to JSON and back: dataclasses with snake_case fields, camelCase on the wire. msgspec checks and converts.

msgspec renames the fields of its own structs, not those of dataclasses. So beside each dataclass of the table stand two
structs, made when they are first needed: one that JSON is read into, before it is poured into the dataclass, and one
that a dataclass is written from. The first also takes what a bare dataclass would refuse: null for what is left out,
any number for an integer.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_args, get_origin

import msgspec

from libravdb.wire.fields import bare, cached, camel, fields_of
from libravdb.wire.refusals import refusal_of

T = TypeVar("T")
Pour = Callable[[Any], Any]
"""Makes the value of a dataclass's field from what msgspec has read."""


def read(cls: type[T], raw: object, *, is_strict: bool) -> T:
    """A value from JSON. Missing or null fields take their defaults.

    Any JSON number serves where an integer is meant. Unknown fields are ignored, or refused by name when strict.
    """
    incoming = _incoming(cls, is_strict=is_strict)
    raw = {} if raw is None else raw
    try:
        value: T = incoming.poured(msgspec.convert(raw, incoming.form))
    except msgspec.ValidationError as error:
        raise refusal_of(error, cls, raw, is_strict=is_strict) from error
    return value


def write(value: object) -> object:
    """A result as `encode` takes it: a dataclass with its names on the wire, without what is None in it."""
    is_value = dataclasses.is_dataclass(value) and not isinstance(value, type)
    return msgspec.convert(value, _outgoing(type(value)), from_attributes=True) if is_value else value


def encode(message: object) -> bytes:
    """A message as one line. Half a character in it, as in an id that came so, is written in ASCII."""
    try:
        return msgspec.json.encode(message, enc_hook=_plain) + b"\n"
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(message, enc_hook=_plain), separators=(",", ":")).encode() + b"\n"


def encode_strictly(message: object) -> bytes:
    """A message as one line, by the standard library: ValueError or TypeError for what JSON does not know, where
    msgspec would write null for a NaN and text for a date."""
    return json.dumps(message, default=_named_fields, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _plain(value: object) -> object:
    """What msgspec does not know by itself: mappings that are no dict, numbers of numpy."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, float):
        return float(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def _named_fields(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        told = ((wire, getattr(value, field.name)) for wire, field in fields_of(type(value)).items())
        return {wire: item for wire, item in told if item is not None}
    return _plain(value)


# ── structs beside dataclasses ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _Incoming:
    """The type that msgspec reads, and how its value is poured; None when it is poured as it is."""

    form: Any
    pour: Pour | None = None

    def poured(self, value: Any) -> Any:  # noqa: ANN401 - a value of any kind
        return value if self.pour is None else self.pour(value)


@cached
def _incoming(hint: Any, *, is_strict: bool) -> _Incoming:  # noqa: ANN401 - a type of any kind
    hint = bare(hint)
    arguments = get_args(hint)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _incoming_object(hint, is_strict=is_strict)
    if hint is int:
        return _Incoming(form=int | float, pour=int)
    if get_origin(hint) is Mapping:
        inner = _incoming(arguments[1], is_strict=is_strict)
        return _Incoming(form=dict[str, inner.form], pour=inner.pour and _each_value(inner.pour))  # type: ignore[name-defined]  # made as it runs
    if get_origin(hint) is tuple and arguments[-1] is Ellipsis:
        inner = _incoming(arguments[0], is_strict=is_strict)
        return _Incoming(form=tuple[inner.form, ...], pour=inner.pour and _each(inner.pour))  # type: ignore[name-defined]  # made as it runs
    if get_origin(hint) is tuple:
        inners = [_incoming(argument, is_strict=is_strict) for argument in arguments]
        return _Incoming(form=tuple[*(inner.form for inner in inners)], pour=_one_by_one(inners))  # type: ignore[misc]  # made as it runs
    return _Incoming(form=hint)


def _incoming_object(cls: type, *, is_strict: bool) -> _Incoming:
    inners = {field: _incoming(field.hint, is_strict=is_strict) for field in fields_of(cls).values()}
    form = msgspec.defstruct(
        cls.__name__,
        [
            (field.name, _without_none(inner.form)) if field.is_required else (field.name, _or_none(inner.form), None)
            for field, inner in inners.items()
        ],
        rename=camel,
        kw_only=True,
        forbid_unknown_fields=is_strict,
    )
    steps = [(field.name, inner.pour, field.has_default) for field, inner in inners.items()]

    def pour(struct: object) -> object:
        values = {}
        for name, pour, has_default in steps:
            value = getattr(struct, name)
            if value is not None:
                values[name] = value if pour is None else pour(value)
            elif not has_default:
                values[name] = None
        return cls(**values)

    return _Incoming(form=form, pour=pour)


def _each(pour: Pour) -> Pour:
    return lambda values: tuple(map(pour, values))


def _each_value(pour: Pour) -> Pour:
    return lambda values: {key: pour(value) for key, value in values.items()}


def _one_by_one(inners: list[_Incoming]) -> Pour:
    return lambda values: tuple(inner.poured(value) for inner, value in zip(inners, values, strict=True))


@cached
def _outgoing(hint: Any) -> Any:  # noqa: ANN401 - a type of any kind
    """The type that msgspec writes; Any for what has no object of ours in it."""
    hint = bare(hint)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return msgspec.defstruct(
            hint.__name__,
            [
                (field.name, _or_none(_outgoing(field.hint)), None)
                if field.may_be_none
                else (field.name, _outgoing(field.hint))
                for field in fields_of(hint).values()
            ],
            rename=camel,
            kw_only=True,
            omit_defaults=True,
        )
    inners = [_outgoing(argument) for argument in get_args(hint) if argument is not Ellipsis]
    if all(inner is Any for inner in inners):
        return Any
    return tuple[inners[0], ...] if get_origin(hint) is tuple else dict[str, inners[1]]  # type: ignore[valid-type]  # made as it runs


def _without_none(form: Any) -> Any:  # noqa: ANN401 - a type of any kind
    """A required field of any type is given when it is not null."""
    return bool | int | float | str | list[Any] | dict[str, Any] if form is Any else form


def _or_none(form: Any) -> Any:  # noqa: ANN401 - a type of any kind
    return form if form is Any else form | None
