"""Private keys in a text: PEM, OpenSSH and PGP blocks, whole, on one line with `\\n`, or cut off at either end."""

from __future__ import annotations

import re

_FEWEST = 24  # letters of a body; less is a mention of the marker
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_INSIDE = re.compile(r"(?:[^-]|-(?!----))*+")  # up to the next line of dashes, whatever it is
# Lines of a key whose end is missing: base64, headers such as "Proc-Type: 4,ENCRYPTED", escaped line ends, quotes.
_LINES = re.compile(
    r"(?:[\s>|\"'+]|\\+[nr]|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\n\\]{0,200}"
    r"|[A-Za-z0-9+/]{16,}+={0,2})*+"
)
_RUN = re.compile(rf"[A-Za-z0-9+/]{{{_FEWEST},}}")
_BODY = re.compile(r"[A-Za-z0-9+/]{4,}={0,2}")
_REACH = 20_000  # no key is longer; a bound for looking back


def find_private_keys(text: str) -> list[tuple[int, int]]:
    """Where private keys stand, in order."""
    if "PRIVATE KEY" not in text:
        return []
    spans: list[tuple[int, int]] = []
    for begin in _BEGIN.finditer(text):
        spans.extend(_from_beginning(text, begin))
    ends = {stop for _, stop in spans}
    for end in _END.finditer(text):
        if end.end() not in ends:
            spans.extend(_from_end(text, end))
    return sorted(spans)


def _from_beginning(text: str, begin: re.Match[str]) -> list[tuple[int, int]]:
    """The block that begins here: to its end line, or as far as lines of a key go."""
    inside = _INSIDE.match(text, begin.end())
    end = _END.match(text, inside.end()) if inside else None
    if inside and end:
        return [(begin.start(), end.end())] if _RUN.search(inside[0]) else []
    lines = _LINES.match(text, begin.end())
    if lines is None or sum(c.isalnum() for c in lines[0]) < _FEWEST:
        return []
    return [(begin.start(), begin.end() + len(lines[0].rstrip()))]


def _from_end(text: str, end: re.Match[str]) -> list[tuple[int, int]]:
    """The lines of base64 above an end line whose beginning is missing."""
    lowest = max(0, end.start() - _REACH)
    start = end.start()
    while start > lowest:
        line_start = max(text.rfind("\n", lowest, start - 1) + 1, lowest)
        line = text[line_start:start].strip(" \t\r\n>|\"'\\")
        if line and not _BODY.fullmatch(line):
            break
        start = line_start
    body = text[start : end.start()]
    return [(end.start() - len(body.lstrip()), end.end())] if len(body.strip()) >= _FEWEST else []
