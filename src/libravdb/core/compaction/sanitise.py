"""What a summariser gets to see of a text: payloads that say nothing in words become short markers. What an agent puts
into the arguments of a call, and what a tool gives back as data, is nobody's speech.

Only the view changes; what is stored stays as it was said. Linear in time: a text is read line by line, and a line by
expressions that consume what they looked at.
"""

from __future__ import annotations

import json
import re

MAX_CODE_LINES = 12
MAX_CODE_CHARS = 600
"""A fenced block beyond either is shown as its marker and its first line."""

LONG_RUN = 96
"""Characters of base64 or hex without a space that count as a payload. A SHA-256 (64) is an identifier and stays."""

DATA = "[data]"
"""Stands for data that a tool gave back, or an agent wrote, in place of words."""

LONGEST_DATA = 100_000
"""Characters of a text that are tried as JSON; a longer one is judged by its ends."""

_CALL = re.compile(r"[ \t]{0,8}\[tool call: (?P<name>[^\s\]]{1,200})[^\n]*")
_DATA_LINE = re.compile(
    r"[ \t]{0,40}(?:[{\[][ \t]{0,4}[\"{\[\d][^\n]*|\"[^\"\n]{1,100}\"[ \t]{0,4}:[^\n]*|[{}\[\]][{}\[\],; \t]{0,40})"
)
_DATA_FENCE = re.compile(r"```(?:json|jsonl|xml|yaml)\b.*?(?:```|\Z)", re.DOTALL)
_FENCE = re.compile(r"[ \t]{0,8}(?:[-*+>][ \t]{1,4})?(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>[\w+#.-]{0,30})")
_DATA_URI = re.compile(r"data:(?P<type>[\w.+-]{1,60}/[\w.+-]{1,60})?(?:;[\w=.-]{1,60}){0,4},[^\s\"'<>()]{32,}")
_RUN = re.compile(rf"(?<![\w+/=-])[A-Za-z0-9+/_-]{{{LONG_RUN},}}={{0,2}}(?![\w+/=-])")
_HEX = re.compile(r"[0-9a-fA-F]+")
_WORDY = re.compile(r"[/_-]")
_HEX_DUMP = re.compile(r"[ \t]{0,8}(?:[0-9a-fA-F]{4,16}:?[ \t]+)?(?:[0-9a-fA-F]{2,8}[ \t]+){12,}")


def sanitise(text: str) -> str:
    """The text as a summariser sees it."""
    return "\n".join(_shorten_line(line) for line in _fold_code(text.split("\n")))


def without_payload(text: str) -> tuple[str, tuple[str, ...]]:
    """What an agent or a tool says in words, and the names of the tools that it calls; `DATA` for nothing but data."""
    if _is_json(text.strip()):
        return DATA, ()
    calls: list[str] = []
    said: list[str] = []
    has_data = False
    for line in _DATA_FENCE.sub(DATA, text).split("\n"):
        if call := _CALL.match(line):
            calls.append(call["name"])
        elif _DATA_LINE.fullmatch(line):
            has_data = True
        else:
            said.append(line)
    words = "\n".join(said).strip("\n")
    return (DATA if has_data and not calls and not words.strip() else words), tuple(calls)


def _is_json(text: str) -> bool:
    """True for an object or a list in JSON; one that is too long to be read, by its ends."""
    if not (text[:1] in ("{", "[") and text[-1:] in ("}", "]", "…")):
        return False
    if len(text) > LONGEST_DATA:
        return _DATA_LINE.match(text) is not None
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _fold_code(lines: list[str]) -> list[str]:
    """Lines, with each big fenced block as one marker. A fence that is never closed reaches to the end."""
    shown: list[str] = []
    place = 0
    while place < len(lines):
        fence = _FENCE.match(lines[place])
        if fence is None:
            shown.append(lines[place])
            place += 1
            continue
        end = _closing(lines, place + 1, fence["mark"])
        block = lines[place:end]
        shown.extend([_marker(block, fence["language"])] if _is_big(block) else block)
        place = end
    return shown


def _closing(lines: list[str], place: int, mark: str) -> int:
    """The place behind the line that closes a fence."""
    while place < len(lines):
        line = lines[place].strip()
        place += 1
        if line.startswith(mark) and not line.strip(mark[0]):
            break
    return place


def _is_big(block: list[str]) -> bool:
    return len(block) - 2 > MAX_CODE_LINES or sum(map(len, block)) > MAX_CODE_CHARS


def _marker(block: list[str], language: str) -> str:
    """What stands for a block: its language, its length, and its first line that says something."""
    first = next((line.strip() for line in block[1:] if line.strip().strip("`~")), "")
    head = f": {first[:80].rstrip()} …" if first else ""
    return f"[{language or 'code'}, {max(0, len(block) - 2)} lines{head}]"


def _shorten_line(line: str) -> str:
    if len(line) < LONG_RUN // 2:
        return line
    dump = _HEX_DUMP.match(line)
    if dump and not dump[0].replace(" ", "").replace("\t", "").isdigit():  # a row of plain numbers is a table
        return f"[hex, {len(line):,} characters]"
    return _RUN.sub(_run_marker, _DATA_URI.sub(_uri_marker, line))


def _uri_marker(found: re.Match[str]) -> str:
    return f"[data: {found['type'] or 'text/plain'}, {len(found[0]):,} characters]"


def _run_marker(found: re.Match[str]) -> str:
    run = found[0]
    if _HEX.fullmatch(run):
        return f"[hex, {len(run):,} characters]"
    # A long path or a long word with hyphens is made of words; a payload has letters of both cases and digits.
    if _WORDY.search(run) and not _is_mixed(run):
        return run
    return f"[base64, {len(run):,} characters]"


def _is_mixed(run: str) -> bool:
    return any(c.isdigit() for c in run) and any(c.isupper() for c in run) and any(c.islower() for c in run)
