"""The fields of a value as the wire knows them: their names there, their types in words, and which must be given."""

from __future__ import annotations

import dataclasses
import difflib
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

MOST_COMPARED = 200
"""Characters of an unknown name that are compared with known ones: a hostile one may be very long."""


Function = TypeVar("Function", bound=Callable[..., Any])


def cached(function: Function) -> Function:
    """`functools.cache` for functions of types, which mypy does not take for hashable."""
    return cast(Function, cache(function))


@dataclass(frozen=True, slots=True, kw_only=True)
class WireField:
    """One field, with its name and type in the class. Without a default, and where None is a value, None is meant when
    it is left out."""

    name: str
    hint: Any
    has_default: bool

    @property
    def may_be_none(self) -> bool:
        """True when null is a value of its own here."""
        return type(None) in get_args(self.hint)

    @property
    def is_required(self) -> bool:
        """True when it must be given."""
        return not self.has_default and not self.may_be_none


def camel(name: str) -> str:
    """The name of a field on the wire."""
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


@cached
def fields_of(cls: type) -> Mapping[str, WireField]:
    """The fields of a dataclass by their names on the wire."""
    hints = get_type_hints(cls)
    missing = dataclasses.MISSING
    return {
        camel(field.name): WireField(
            name=field.name,
            hint=hints[field.name],
            has_default=field.default is not missing or field.default_factory is not missing,
        )
        for field in dataclasses.fields(cls)
    }


def bare(hint: Any) -> Any:  # noqa: ANN401 - a type of any kind
    """A type without its None; of several that are possible Any."""
    if get_origin(hint) not in (Union, types.UnionType):
        return hint
    options = [option for option in get_args(hint) if option is not type(None)]
    return options[0] if len(options) == 1 else Any


def type_name(hint: Any) -> str:  # noqa: ANN401 - a type of any kind
    """A type in the words of the reference."""
    hint = bare(hint)
    if get_origin(hint) is tuple:
        return f"{type_name(get_args(hint)[0])}[]"
    if get_origin(hint) is Mapping:
        inner = get_args(hint)[1]
        return "object" if inner is Any or bare(inner) is Any else f"object of {type_name(inner)}"
    if dataclasses.is_dataclass(hint):
        return "object"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "|".join(str(member.value) for member in hint)
    names = {str: "text", bool: "boolean", int: "integer", float: "number"}
    return names.get(hint, "any")


def known_fields(cls: type) -> str:
    """In words what an object takes, for whoever gave it something else."""
    told = [
        f"{wire} ({type_name(field.hint)}{', required' if field.is_required else ''})"
        for wire, field in fields_of(cls).items()
    ]
    return f"Known are: {', '.join(told)}." if told else "It takes no fields."


def nearest(name: str, known: Iterable[str]) -> str:
    """The question whether another name was meant; empty when none is near."""
    found = difflib.get_close_matches(name[:MOST_COMPARED], known, n=1)
    return f"Did you mean {found[0]!r}?" if found else ""
