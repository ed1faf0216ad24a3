"""A table of a TOML file, added and taken out in its text: every other byte stays, comments too."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

_HEADER = re.compile(r"^\s*\[")
_NOTHING = re.compile(r"^\s*(?:#.*)?$")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def read_toml(text: str) -> dict[str, Any]:
    """The document. Raises ValueError."""
    return tomllib.loads(text.removeprefix("\ufeff"))


def with_table(text: str, section: str, name: str, value: Mapping[str, Any]) -> str:
    """The text with a table `[section.name]`, in the place of what stood there, else at its end."""
    present = read_toml(text).get(section, {}).get(name)
    if present == value:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    written = newline.join(_table(section, name, value)) + newline
    found = _region(text, section, name)
    if present is not None and found is not None:
        return text[: found[0]] + written + text[found[1] :]
    if not text.strip("\ufeff \t\r\n"):
        return text + written
    return text + ("" if text.endswith("\n") else newline) + newline + written


def write_table(section: str, name: str, value: Mapping[str, Any]) -> str:
    """A table as it is written."""
    return "\n".join(_table(section, name, value)) + "\n"


def table_text(text: str, section: str, name: str) -> str:
    """What stands in a text for that table; empty when it is written in another way."""
    found = _region(text, section, name)
    return "" if found is None else text[found[0] : found[1]]


def with_table_text(text: str, section: str, name: str, written: str) -> str:
    """The text with other lines in the place of that table."""
    found = _region(text, section, name)
    return text if found is None else text[: found[0]] + written + text[found[1] :]


def without_table(text: str, section: str, name: str) -> str:
    """The text without that table, and without the blank line before it."""
    found = _region(text, section, name)
    if found is None:
        return text
    before, after = text[: found[0]], text[found[1] :]
    if before.endswith(("\n\n", "\n\r\n")):
        before = before[: -2 if before.endswith("\r\n") else -1]
    return before + after


def _table(section: str, name: str, value: Mapping[str, Any]) -> list[str]:
    title = f"{section}.{_key(name)}"
    plain = {key: item for key, item in value.items() if not isinstance(item, Mapping)}
    lines = [f"[{title}]", *(f"{_key(key)} = {_value(item)}" for key, item in plain.items())]
    for key, item in value.items():
        if isinstance(item, Mapping) and item:
            inner = (f"{_key(each)} = {_value(one)}" for each, one in item.items())
            lines += ["", f"[{title}.{_key(key)}]", *inner]
    return lines


def _key(text: str) -> str:
    return text if _BARE.fullmatch(text) else _value(text)


def _value(item: object) -> str:
    """A text or a list of texts: JSON writes them as TOML does, save for one control character."""
    return json.dumps(item, ensure_ascii=False).replace("\x7f", "\\u007F")


def _region(text: str, section: str, name: str) -> tuple[int, int] | None:
    """From the header of a table to its end, with the tables inside it; comments before the next table are that
    one's."""
    header = re.compile(rf'^\s*\[\s*{section}\s*\.\s*(?:{re.escape(name)}|"{re.escape(name)}")\s*[.\]]')
    start = end = None
    place = 0
    for line in text.splitlines(keepends=True):
        is_ours = header.match(line) is not None
        if start is None and is_ours:
            start = place
        elif start is not None and _HEADER.match(line) and not is_ours:
            break
        place += len(line)
        if start is not None and not _NOTHING.match(line.rstrip("\r\n")):
            end = place
    return None if start is None or end is None else (start, end)
