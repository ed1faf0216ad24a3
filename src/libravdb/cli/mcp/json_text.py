"""Members of a JSON file, added and taken out in its text: every other byte stays, comments and spaces too.

What is read is JSON with comments and trailing commas, as hosts write it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_BLANK = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PLAIN = re.compile(r"[-+.\w]+")


@dataclass(slots=True, kw_only=True)
class _JsonMember:
    """A member of an object: where its key and its value stand, and the comma behind it, if there is one."""

    name: str
    start: int
    value: _JsonNode
    comma: int | None = None


@dataclass(slots=True, kw_only=True)
class _JsonNode:
    """A value and where it stands; `members` are set for an object."""

    start: int
    end: int
    value: Any
    members: list[_JsonMember] | None = None

    def member(self, name: str) -> _JsonMember | None:
        """The member of a name; of several, the last counts, as everywhere."""
        return next((each for each in reversed(self.members or []) if each.name == name), None)


def read_json(text: str) -> Any:  # noqa: ANN401 - JSON is anything
    """The value of a text; an empty text is an empty object. Raises ValueError."""
    return _root(text).value if text.strip("\ufeff \t\r\n") else {}


def with_member(text: str, section: str, name: str, value: object) -> str:
    """The text with a member of a section of its outermost object, in the place of what stood under that name."""
    if not text.strip("\ufeff \t\r\n"):
        return json.dumps({section: {name: value}}, indent=2, ensure_ascii=False) + "\n"
    root = _root(text)
    _refuse_other(root, "the file")
    layout = _Layout.of(text, root)
    held = root.member(section)
    if held is None:
        return _added(text, root, section, {name: value}, layout=layout, depth=0)
    _refuse_other(held.value, section)
    present = held.value.member(name)
    if present is None:
        return _added(text, held.value, name, value, layout=layout, depth=1)
    if present.value.value == value:
        return text
    is_inline = "\n" not in text[held.value.start : present.start]
    return text[: present.value.start] + layout.dumped(value, 2, is_inline=is_inline) + text[present.value.end :]


def without_member(text: str, section: str, name: str) -> str:
    """The text without that member. The section stays, empty or not."""
    held = _root(text).member(section) if text.strip("\ufeff \t\r\n") else None
    if held is None or held.value.members is None:
        return text
    members = held.value.members
    place = next((number for number, each in enumerate(members) if each.name == name), None)
    if place is None:
        return text
    gone = members[place]
    begin = _blank_before(text, gone.start)
    if place == len(members) - 1 and place > 0 and gone.comma is None:
        before = members[place - 1].comma
        assert before is not None  # noqa: S101 - another member follows it
        return text[:before] + text[before + 1 : begin] + text[gone.value.end :]
    end = gone.value.end if gone.comma is None else gone.comma + 1
    rest = text[:begin] + text[end:]
    if len(members) == 1 and not text[held.value.start + 1 : begin] + text[end : held.value.end - 1].strip():
        return text[: held.value.start] + "{}" + text[held.value.end :]
    return rest


def _refuse_other(node: _JsonNode, what: str) -> None:
    if node.members is None:
        raise ValueError(f"{what} is no object")


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """How a file is written: its line breaks, and what one level is indented by."""

    newline: str
    unit: str

    @classmethod
    def of(cls, text: str, root: _JsonNode) -> _Layout:
        unit = "  "
        if root.members:
            start = root.members[0].start
            before = text[_blank_before(text, start) : start]
            if "\n" in before:
                unit = before.rpartition("\n")[2] or unit
        return cls(newline="\r\n" if "\r\n" in text else "\n", unit=unit)

    def dumped(self, value: object, depth: int, *, is_inline: bool) -> str:
        if is_inline:
            return json.dumps(value, ensure_ascii=False)
        lines = json.dumps(value, ensure_ascii=False, indent=self.unit).split("\n")
        return f"{self.newline}{self.unit * depth}".join(lines)


def _added(text: str, node: _JsonNode, name: str, value: object, *, layout: _Layout, depth: int) -> str:
    """The text with a further member at the end of an object at a depth."""
    members = node.members or []
    is_inline = bool(members) and "\n" not in text[node.start : members[-1].start]
    member = f"{json.dumps(name, ensure_ascii=False)}: {layout.dumped(value, depth + 1, is_inline=is_inline)}"
    tail = _blank_before(text, node.end - 1)
    if is_inline:
        comma = "" if members[-1].comma is not None else ","
        return f"{text[:tail]}{comma} {member}{text[tail:]}"
    opening = layout.newline + layout.unit * (depth + 1)
    if not members:
        closing = "" if "\n" in text[tail : node.end - 1] else layout.newline + layout.unit * depth
        return text[:tail] + opening + member + closing + text[tail:]
    last = members[-1]
    if last.comma is not None:
        return text[:tail] + opening + member + text[tail:]
    return f"{text[: last.value.end]},{text[last.value.end : tail]}{opening}{member}{text[tail:]}"


def _blank_before(text: str, place: int) -> int:
    """Where the spaces begin that stand before a place; comments are none."""
    while place and text[place - 1].isspace():
        place -= 1
    return place


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────


def _root(text: str) -> _JsonNode:
    node = _read_value(text, _skip(text, 0))
    if (end := _skip(text, node.end)) != len(text):
        raise ValueError(f"something follows the end, at line {_line(text, end)}")
    return node


def _read_value(text: str, place: int) -> _JsonNode:
    opening = text[place : place + 1]
    if opening == "{":
        return _read_object(text, place)
    if opening == "[":
        return _read_array(text, place)
    found = _STRING.match(text, place) or _PLAIN.match(text, place)
    if found is None:
        raise ValueError(f"a value is missing at line {_line(text, place)}")
    try:
        value = json.loads(found[0])
    except ValueError as error:
        raise ValueError(f"{found[0][:20]!r} at line {_line(text, place)} is no value") from error
    return _JsonNode(start=place, end=found.end(), value=value)


def _read_object(text: str, start: int) -> _JsonNode:
    members: list[_JsonMember] = []
    place = _skip(text, start + 1)
    while text[place : place + 1] != "}":
        if members and members[-1].comma is None:
            raise ValueError(f"a comma is missing before line {_line(text, place)}")
        key = _STRING.match(text, place)
        if key is None:
            raise ValueError(f"a name is missing at line {_line(text, place)}")
        colon = _skip(text, key.end())
        if text[colon : colon + 1] != ":":
            raise ValueError(f"a colon is missing at line {_line(text, colon)}")
        member = _JsonMember(name=json.loads(key[0]), start=place, value=_read_value(text, _skip(text, colon + 1)))
        place = _skip(text, member.value.end)
        if text[place : place + 1] == ",":
            member.comma = place
            place = _skip(text, place + 1)
        members.append(member)
    value = {each.name: each.value.value for each in members}
    return _JsonNode(start=start, end=place + 1, value=value, members=members)


def _read_array(text: str, start: int) -> _JsonNode:
    values: list[Any] = []
    place = _skip(text, start + 1)
    has_comma = True
    while text[place : place + 1] != "]":
        if not has_comma:
            raise ValueError(f"a comma is missing before line {_line(text, place)}")
        item = _read_value(text, place)
        values.append(item.value)
        place = _skip(text, item.end)
        if has_comma := text[place : place + 1] == ",":
            place = _skip(text, place + 1)
    return _JsonNode(start=start, end=place + 1, value=values)


def _skip(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return place if found is None else found.end()


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
