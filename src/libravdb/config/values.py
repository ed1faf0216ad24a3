"""One setting and its value: what kinds there are, what each allows, and how a value is written."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from libravdb.config.origins import Origin
from libravdb.errors import ConfigError
from libravdb.model.addresses import MASK, passwords_in, without_password

PREFIX = "LIBRAVDB_"


class Kind(StrEnum):
    """What sort of value a setting takes."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    PATH = "path"
    TEXTS = "texts"
    PATHS = "paths"


KINDS: Mapping[Any, Kind] = {
    str: Kind.TEXT,
    int: Kind.INTEGER,
    float: Kind.NUMBER,
    bool: Kind.BOOLEAN,
    Path: Kind.PATH,
    tuple[str, ...]: Kind.TEXTS,
    tuple[Path, ...]: Kind.PATHS,
}
"""The kind of a setting, by the type of its field."""

_SEPARATORS = {Kind.TEXTS: ",", Kind.PATHS: os.pathsep}
"""Between the items of a list in the environment; paths as in PATH."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One key of the tree with all that is known about it; `key` is dotted, as in `store.path`."""

    key: str
    kind: Kind
    default: object
    help: str
    minimum: float
    maximum: float
    choices: tuple[str, ...]
    spellings: Mapping[str, str]
    alias: str
    former: str
    secret: bool
    address: bool
    expert: bool

    @property
    def section(self) -> str:
        """The room, `store` in `store.path`."""
        return self.key.partition(".")[0]

    @property
    def name(self) -> str:
        """The name within its section, `path` in `store.path`."""
        return self.key.partition(".")[2]

    @property
    def keys(self) -> tuple[str, ...]:
        """Its dotted key, and the one it had before if that was another."""
        return (self.key, self.former) if self.former else (self.key,)

    @property
    def flat_names(self) -> tuple[str, ...]:
        """Names without a section, the main one first: `store_path`, `db_path`."""
        names = (self.key.replace(".", "_"), self.alias, self.former.replace(".", "_"))
        return tuple(name for name in names if name)

    @property
    def env_names(self) -> tuple[str, ...]:
        """Environment variables that set it, the main one first."""
        return tuple(PREFIX + name.upper() for name in self.flat_names)

    @property
    def env(self) -> str:
        """The main environment variable, `LIBRAVDB_STORE_PATH`."""
        return self.env_names[0]

    def is_confidential(self, value: object) -> bool:
        """Whether a value must not be shown, nor be written where others may read it."""
        return bool(value) and (self.secret or (self.address and bool(passwords_in(str(value)))))

    @property
    def allowed(self) -> str:
        """In words, which values are taken."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.kind is Kind.BOOLEAN:
            return "true or false"
        if self.kind in (Kind.INTEGER, Kind.NUMBER):
            article = "an" if self.kind is Kind.INTEGER else "a"
            return f"{article} {self.kind} from {self.minimum} to {self.maximum}"
        if self.kind in _SEPARATORS:
            return f"a list of {self.kind}"
        return "a path" if self.kind is Kind.PATH else "text"


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────


def render_value(setting: Setting, value: object) -> str:
    """A value as it would be written in the file; a secret that is set shows as a mask."""
    if setting.secret and value != "":
        return MASK
    if setting.address and isinstance(value, str):
        value = without_password(value)
    plain: object = str(value) if isinstance(value, Path) else value
    if isinstance(value, tuple):
        plain = [str(item) for item in value]
    written = json.dumps(plain, ensure_ascii=False)
    return written.encode("utf-8", "backslashreplace").decode()  # a path may hold bytes that are not UTF-8


def env_text(setting: Setting, value: object) -> str:
    """A value as it would be written in the environment."""
    if isinstance(value, tuple):
        return _SEPARATORS[setting.kind].join(str(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────

_TRUTHS = {
    **dict.fromkeys(("true", "1", "yes", "on"), True),
    **dict.fromkeys(("false", "0", "no", "off"), False),
}
_INTEGER = re.compile(r"[+-]?[0-9]{1,30}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)


def meaning_of(text: str, kind: Kind) -> object:
    """What a text of the environment stands for; text with no such meaning stays, and is then refused."""
    word = text.strip()
    if kind is Kind.BOOLEAN:
        return _TRUTHS.get(word.lower(), text)
    if kind is Kind.INTEGER and _INTEGER.fullmatch(word):
        return int(word)
    if kind is Kind.NUMBER and _NUMBER.fullmatch(word):
        return float(word)
    if kind in _SEPARATORS:
        return [item.strip() for item in text.split(_SEPARATORS[kind]) if item.strip()]
    return text


def checked(setting: Setting, value: object, origin: Origin) -> object:
    """The value in the setting's own type, or a ConfigError that says what is allowed."""
    typed = _TYPED[setting.kind](value)
    if isinstance(typed, str):
        typed = setting.spellings.get(typed, typed)
    is_chosen = not setting.choices or typed in setting.choices
    is_within = not isinstance(typed, int | float) or setting.minimum <= typed <= setting.maximum
    if typed is None or not is_chosen or not is_within:
        raise refused(setting, value, origin)
    return typed


def refused(setting: Setting, value: object, origin: Origin) -> ConfigError:
    given = kind_of(value)
    if isinstance(value, str):
        given = "what was written" if setting.secret or setting.address or len(value) > 80 else repr(value)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**30):
        given = given if setting.secret else repr(value)
    problem = f"must be {setting.allowed}, not {given}"
    remedy = f"Correct it, or remove it to use the default {render_value(setting, setting.default)}."
    return ConfigError(setting.key, problem, origin=str(origin), remedy=remedy)


def kind_of(value: object) -> str:
    for type_, words in _WORDS:
        if isinstance(value, type_):
            return words
    return f"a {type(value).__name__}"


_WORDS: tuple[tuple[Any, str], ...] = (
    (type(None), "null"),
    (bool, "true or false"),
    (int, "an integer"),
    (float, "a number"),
    (str, "text"),
    (Mapping, "a table"),
    (list | tuple, "a list"),
)


def _text(value: object) -> str | None:
    """Text that can be stored: a lone surrogate is half a character and no text."""
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        return None
    return str(value)


def _integer(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > sys.float_info.max:
        return None
    return float(value) if math.isfinite(value) else None


def _boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _path(value: object) -> Path | None:
    if not isinstance(value, str | Path) or str(value) == "" or "\0" in str(value):
        return None
    return Path(value)


def _list_of(typed: Callable[[object], object]) -> Callable[[object], object]:
    def read(value: object) -> tuple[object, ...] | None:
        if not isinstance(value, list | tuple):
            return None
        items = tuple(typed(item) for item in value)
        return None if None in items else items

    return read


_TYPED: Mapping[Kind, Callable[[object], object]] = {
    Kind.TEXT: _text,
    Kind.INTEGER: _integer,
    Kind.NUMBER: _number,
    Kind.BOOLEAN: _boolean,
    Kind.PATH: _path,
    Kind.TEXTS: _list_of(_text),
    Kind.PATHS: _list_of(_path),
}
