"""A Markdown document as an ordered sequence of nodes with exact positions. Pure.

Only the block structure matters here, so inline markup is never parsed. Every line belongs to at most one node: the
blocks of CommonMark share no lines, and a list item owns its lines except those of the items nested in it. Lines
without a node are blank or hold nothing but marks (a rule `---`, a lone `>`): joining the nodes loses no word.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from libravdb.model import Node, NodeKind

if TYPE_CHECKING:
    from markdown_it.token import Token

CONTEXT_CHARS = 500
"""How much of one parent item's text a nested item keeps: its beginning says what it is about."""

CONTEXT_PARENTS = 8
"""How many parents, the nearest. With both limits a document's nodes stay linear in its length."""

_LINE_END = re.compile(r"\r\n?|\n")
_BOM = "\ufeff"
_FENCE_OF_FRONT_MATTER = re.compile(r"(---|\.\.\.)[ \t]*")
_KEY = re.compile(r"(\"[^\"]*\"|'[^']*'|[^\s\"'#\[\]{},&*!|>%@`?:-][^:]*):(\s|$)")
_BLANK = re.compile(r"\s*")
_QUOTED_BLANK = re.compile(r"[\s>]*")
_MARKS_ONLY = re.compile(r"[\s>*+-]*")
_ITEM_MARKS = re.compile(r"\A(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s|\Z)))+[ \t]*(?:\[[ xX]\][ \t]+)?")
_LINE_MARKS = re.compile(r"^[ \t>]+", re.MULTILINE)

_KINDS = {
    "heading_open": NodeKind.HEADING,
    "paragraph_open": NodeKind.PARAGRAPH,
    "fence": NodeKind.CODE,
    "code_block": NodeKind.CODE,
    "table_open": NodeKind.TABLE,
    "html_block": NodeKind.HTML,
    "blockquote_open": NodeKind.BLOCKQUOTE,
    "list_item_open": NodeKind.LIST_ITEM,
}


def split(text: str) -> tuple[Node, ...]:
    """The nodes of a document in source order."""
    lines = _lines(text)
    body = _front_matter_lines(text, lines)
    front = [_Stretch(kind=NodeKind.FRONT_MATTER, first=0, last=body)] if body else []
    nodes: list[Node] = []
    firsts: dict[int, Node] = {}  # the node that each list item begins with

    @functools.cache
    def head(item: int) -> str:
        return " ".join(prose(firsts[item])[:CONTEXT_CHARS].split())

    for stretch in (*front, *_stretches(text, lines, body)):
        items = stretch.parents if stretch.item is None else (*stretch.parents, stretch.item)
        around = tuple(head(item) for item in [one for one in items if one in firsts][-CONTEXT_PARENTS:])
        node = _node(text, lines, stretch, ordinal=len(nodes), around=around)
        nodes.append(node)
        if stretch.item is not None:
            firsts.setdefault(stretch.item, node)
    return tuple(nodes)


def prose(node: Node) -> str:
    """What a node says, without the marks and the indentation of lists, tasks and quotes: for readers of sentences.

    Line for line: the n-th line of the prose is the n-th line of the node.
    """
    if node.kind is NodeKind.LIST_ITEM:
        return _LINE_MARKS.sub("", _ITEM_MARKS.sub("", node.text, count=1))
    return _LINE_MARKS.sub("", node.text) if node.kind is NodeKind.BLOCKQUOTE else node.text


# ── lines ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Lines:
    """Where each line begins and ends in characters, without its line end, and where it begins in bytes."""

    starts: list[int]
    ends: list[int]
    bytes: list[int]


def _lines(text: str) -> _Lines:
    """The lines of a text; a byte order mark at its beginning belongs to none."""
    begin = len(_BOM) if text.startswith(_BOM) else 0
    starts, ends = [begin], []
    for mark in _LINE_END.finditer(text, begin):
        ends.append(mark.start())
        starts.append(mark.end())
    ends.append(len(text))
    if text.isascii():
        return _Lines(starts=starts, ends=ends, bytes=starts)
    sizes, at, last = [], 0, 0
    for start in starts:
        at += _size(text[last:start])
        sizes.append(at)
        last = start
    return _Lines(starts=starts, ends=ends, bytes=sizes)


def _size(text: str) -> int:
    """How many bytes of UTF-8; half a character, which nobody can write, counts as the three that it would take."""
    return len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))


def _front_matter_lines(text: str, lines: _Lines) -> int:
    """How many lines at the beginning are front matter; 0 when there is none.

    It opens with `---` on the very first line, closes with `---` or `...`, and holds at least one key, or nothing at
    all. A rule that merely opens a document is followed by a blank line or by prose.
    """

    def line(number: int) -> str:
        return text[lines.starts[number] : lines.ends[number]]

    if not re.fullmatch(r"---[ \t]*", line(0)):
        return 0
    has_key = False
    for number in range(1, len(lines.starts)):
        written = line(number)
        if _FENCE_OF_FRONT_MATTER.fullmatch(written):
            return number + 1
        if not has_key and not written.startswith("#"):
            if not _KEY.match(written):
                return 0
            has_key = True
    return 0


# ── blocks ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    """Lines `first` up to `last` that make one node. `item` numbers its list item, `parents` the items around it."""

    kind: NodeKind
    first: int
    last: int
    item: int | None = None
    parents: tuple[int, ...] = ()


@dataclass(slots=True, kw_only=True)
class _Container:
    """A list item or a quote while its lines are handed out; `cursor` is the first line not handed out yet."""

    kind: NodeKind
    cursor: int
    end: int
    item: int | None
    parents: tuple[int, ...]

    def up_to(self, line: int) -> _Stretch:
        """Its own lines from the cursor on."""
        return _Stretch(kind=self.kind, first=self.cursor, last=line, item=self.item, parents=self.parents)


def _stretches(text: str, lines: _Lines, body: int) -> list[_Stretch]:
    """The stretches of the body, which begins at a line, in source order; what has no word is left out."""
    from libravdb.core.authored.blocks import parse  # noqa: PLC0415 - who has no documents need not wait for markdown-it

    if body >= len(lines.starts):
        return []
    found = [
        trimmed
        for stretch in _swept(parse(_LINE_END.sub("\n", text[lines.starts[body] :])), offset=body)
        if (trimmed := _trimmed(text, lines, stretch)) is not None
    ]
    found.sort(key=lambda stretch: stretch.first)
    return found


def _swept(tokens: Sequence[Token], *, offset: int) -> Iterator[_Stretch]:
    """Hand out the lines of each block; a container's own lines are those that no item inside it has."""
    stack: list[_Container | None] = []  # None: a quote inside another container, which owns its lines
    held: list[_Container] = []
    items = 0
    for token in tokens:
        if token.type in ("list_item_close", "blockquote_close"):
            closed = stack.pop()
            if closed is not None:
                yield held.pop().up_to(closed.end)
                if held:
                    held[-1].cursor = max(held[-1].cursor, closed.end)
            continue
        kind = _KINDS.get(token.type)
        if kind is None or token.map is None:
            continue
        first, last = token.map[0] + offset, token.map[1] + offset
        if kind is NodeKind.LIST_ITEM or kind is NodeKind.BLOCKQUOTE:
            if kind is NodeKind.BLOCKQUOTE and held:
                stack.append(None)
                continue
            if held:
                yield held[-1].up_to(first)
            parents = tuple(one.item for one in held if one.item is not None)
            items += 1
            item = items if kind is NodeKind.LIST_ITEM else None
            held.append(_Container(kind=kind, cursor=first, end=last, item=item, parents=parents))
            stack.append(held[-1])
        elif not held:
            yield _Stretch(kind=kind, first=first, last=last)


def _trimmed(text: str, lines: _Lines, stretch: _Stretch) -> _Stretch | None:
    """The stretch without empty lines around it; None when nothing but marks is left."""
    first, last = stretch.first, min(stretch.last, len(lines.starts))
    is_container = stretch.kind is NodeKind.LIST_ITEM or stretch.kind is NodeKind.BLOCKQUOTE
    is_empty = _QUOTED_BLANK.fullmatch if is_container else _BLANK.fullmatch
    while first < last and is_empty(text, lines.starts[first], lines.ends[first]):
        first += 1
    while first < last and is_empty(text, lines.starts[last - 1], lines.ends[last - 1]):
        last -= 1
    if first >= last:
        return None
    if is_container and _MARKS_ONLY.fullmatch(text, lines.starts[first], lines.ends[last - 1]):
        return None
    if first == stretch.first and last == stretch.last:
        return stretch
    return replace(stretch, first=first, last=last)


# ── nodes ─────────────────────────────────────────────────────────────────────────────────────────────────


def _node(text: str, lines: _Lines, stretch: _Stretch, *, ordinal: int, around: tuple[str, ...]) -> Node:
    first, last = stretch.first, stretch.last - 1
    begin, end = lines.starts[first], lines.ends[last]
    source = text[begin:end].rstrip()
    body = source if stretch.kind is NodeKind.CODE else source.lstrip()  # the indentation of code is part of it
    indent = len(source) - len(body)
    if first != last:
        body = _LINE_END.sub("\n", body)
        body = _dedented(body, indent) if indent else body
    return Node(
        kind=stretch.kind,
        ordinal=ordinal,
        start=lines.bytes[first] + _size(source[:indent]),
        end=lines.bytes[first] + _size(source),
        line=first + 1,
        text=body,
        context=around,
    )


def _dedented(text: str, indent: int) -> str:
    """Each later line without the first line's indentation, as far as it has it; a tab is never cut."""
    first, *rest = text.split("\n")
    return "\n".join([first, *(line[min(indent, len(line) - len(line.lstrip(" "))) :] for line in rest)])
