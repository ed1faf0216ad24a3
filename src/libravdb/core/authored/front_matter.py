"""The one key of a front matter that we read: `hop_targets`, the documents or nodes that a hit on this one pulls in.

It may be a single string, an inline list or a block list, as YAML writes them, and Obsidian's `[[links]]` count as what
they link to. Every other key is somebody else's and stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

KEY = "hop_targets"

_KEY = re.compile(rf"(?:{KEY}|\"{KEY}\"|'{KEY}')[ \t]*:(?:[ \t]+(.*)|[ \t]*$)")
_ENTRY = re.compile(r"[ \t]*-(?:[ \t]+(.*)|$)")
_COMMENT = re.compile(r"(?:^|[ \t])#.*$")
_SCALAR = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'|([^\s\[\],\"'][^\[\],]*)")
_LINK = re.compile(r"\[\[([^\]|]*)(?:\|[^\]]*)?\]\]")


def hop_targets(front_matter: str) -> tuple[str, ...]:
    """The targets in the order written, each once; none when the key is missing or empty."""
    lines = front_matter.split("\n")
    for number, line in enumerate(lines):
        found = _KEY.match(line)
        if found is not None:
            value = _COMMENT.sub("", found[1] or "").strip()
            targets = _of_value(value, lines[number + 1 :]) if value else _of_block(lines[number + 1 :])
            return tuple(dict.fromkeys(target for target in map(_linked, targets) if target))
    return ()


def _of_value(value: str, following: Sequence[str]) -> Iterator[str]:
    """A single string, or an inline list that may go on over the next lines until its bracket closes."""
    if not value.startswith("["):
        yield _unquoted(value)
        return
    written = [value]
    for line in following:
        if _closes(written[-1]) or line.startswith(("---", "...")):
            break
        written.append(_COMMENT.sub("", line))
    for scalar in _SCALAR.finditer(" ".join(written)):
        yield _unquoted(scalar[0].strip())


def _closes(line: str) -> bool:
    return line.rstrip().endswith("]")


def _of_block(lines: Sequence[str]) -> Iterator[str]:
    """The entries `- …` up to the next key."""
    for line in lines:
        entry = _ENTRY.fullmatch(line)
        if entry is not None and not line.startswith("---"):
            yield _unquoted(_COMMENT.sub("", entry[1] or "").strip())
        elif line.strip() and not line.lstrip().startswith("#"):
            return


def _unquoted(written: str) -> str:
    quoted = _SCALAR.fullmatch(written)
    if quoted is None:
        return written
    double, single, plain = quoted.groups()
    if double is not None:
        return re.sub(r"\\(.)", r"\1", double)
    return single.replace("''", "'") if single is not None else plain


def _linked(target: str) -> str:
    link = _LINK.fullmatch(target)
    return (link[1] if link else target).strip()
