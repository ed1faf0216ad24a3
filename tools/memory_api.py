"""Prints the reference of `Memory` for `docs/reference/memory-api.md`: `python tools/memory_api.py`.

Everything comes from the signatures and docstrings: the methods, the values that they take and give, the errors.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any, get_args, get_type_hints

from libravdb import Memory, errors, model


def markdown() -> str:
    """The whole reference: methods in the order of the class, then every value in the order in which it is met."""
    methods = list(_methods())
    parts = [
        f"## `Memory`\n\n{_told(Memory)}",
        *(f"### `Memory.{name}`\n\n{_signature(name, method)}\n\n{_told(method)}" for name, method in methods),
        "## What goes in and comes out",
        *(_value(value) for value in _values(method for _, method in methods)),
        f"## Errors\n\n{_drawn(errors.__doc__ or '')}",
    ]
    return "\n\n".join(parts) + "\n"


def _methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, member in vars(Memory).items():
        method = member.__func__ if isinstance(member, classmethod) else member
        if inspect.isfunction(method) and not name.startswith("_"):
            yield name, method


def _signature(name: str, method: Callable[..., Any]) -> str:
    signature = inspect.signature(method)
    given = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    texts = [_parameter(each) for each in given]
    named = next((place for place, each in enumerate(given) if each.kind is each.KEYWORD_ONLY), None)
    if named is not None and not any(each.kind is each.VAR_POSITIONAL for each in given):
        texts.insert(named, "*")
    line = f"{name}({', '.join(texts)}) -> {signature.return_annotation}"
    if len(line) > 100:
        inner = "".join(f"    {text},\n" for text in texts)
        line = f"{name}(\n{inner}) -> {signature.return_annotation}"
    return f"```text\n{line}\n```"


def _parameter(given: inspect.Parameter) -> str:
    star = "*" if given.kind is given.VAR_POSITIONAL else ""
    default = "" if given.default is given.empty else f" = {_shown(given.default)}"
    return f"{star}{given.name}: {given.annotation}{default}"


def _shown(value: object) -> str:
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, tuple) and value and all(isinstance(each, Enum) for each in value):
        kind: type[Enum] = type(value[0])
        return f"tuple({kind.__name__})" if value == tuple(kind) else f"({', '.join(map(_shown, value))})"
    return repr(value)


def _values(methods: Iterator[Callable[..., Any]]) -> list[type]:
    """Every type of ours that a method takes or gives, and every one inside those."""
    met: dict[type, None] = {}
    waiting = [hint for method in methods for hint in get_type_hints(method, localns=vars(model)).values()]
    while waiting:
        hint = waiting.pop(0)
        waiting.extend(get_args(hint))
        if _is_value(hint) and hint not in met:
            met[hint] = None
            waiting.extend(get_type_hints(hint, localns=vars(model)).values() if is_dataclass(hint) else ())
    return list(met)


def _is_value(hint: object) -> bool:
    is_ours = isinstance(hint, type) and hint.__module__.startswith("libravdb.")
    return is_ours and (is_dataclass(hint) or issubclass(hint, Enum))  # type: ignore[arg-type] # a type: is_ours says so


def _value(value: type) -> str:
    parts = [f"### `{value.__name__}`", _told(value)]
    if issubclass(value, Enum):
        parts.append(" · ".join(f"`{each.name}` “{each.value}”" for each in value))
    elif is_dataclass(value):
        parts.append(" · ".join(_field(each) for each in fields(value)))
        parts.extend(f"`{name}`: {_told(made)}" for name, made in vars(value).items() if _is_told(name, made))
    return "\n\n".join(parts)


def _field(each: Any) -> str:  # noqa: ANN401 - dataclasses.Field, which is generic in its value only
    if each.default is not MISSING:
        return f"`{each.name}: {each.type} = {_shown(each.default)}`"
    return f"`{each.name}: {each.type}`" if each.default_factory is MISSING else f"`{each.name}: {each.type} = …`"


def _is_told(name: str, made: object) -> bool:
    is_made = isinstance(made, property) or inspect.isfunction(made)
    return is_made and not name.startswith("_") and bool(made.__doc__)


def _told(thing: object) -> str:
    return inspect.getdoc(thing) or ""


def _drawn(text: str) -> str:
    """The docstring with the tree in it kept as it is drawn."""
    return re.sub(r"^(LibraError\n(?:.+\n)+)", r"```text\n\1```\n", inspect.cleandoc(text), flags=re.MULTILINE)


if __name__ == "__main__":
    sys.stdout.write(markdown())
