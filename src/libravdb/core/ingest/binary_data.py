"""Bulky binary data in a text or a part, told in a few words: `[image: png, 20 KB]`."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from libravdb.text.unicode import mend

LONGEST_INLINE = 1024
"""Characters of base64 in a row that stay in a text; a longer run is data, and nobody said it."""
MAX_NAME = 120

# Each run is anchored at its first character, so that a long one is looked at once.
_DATA_URI = re.compile(
    r"data:(?P<type>[a-zA-Z0-9.+-]{1,40}/[a-zA-Z0-9.+-]{1,80})?(?:;[a-zA-Z0-9=._-]{1,60}){0,4}?"
    r";base64,(?P<data>[A-Za-z0-9+/=_-]{128,}+)"
)
_RUN = re.compile(rf"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{{{LONGEST_INLINE},}}+={{0,2}}")
_WRAPPED = re.compile(r"^(?:[A-Za-z0-9+/]{60,80}\r?\n){12,}+(?:[A-Za-z0-9+/]{1,80}={1,2})?", re.MULTILINE)
_KINDS = ("image", "audio", "video")


def describe_data(text: str) -> str:
    """The text with data URIs and long runs of base64 replaced by descriptors; everything else stays as it is."""
    if len(text) < 128:
        return text
    if "base64," in text:
        text = _DATA_URI.sub(lambda found: describe(*_kind_and_format(found["type"] or ""), data=found["data"]), text)
    if len(text) >= LONGEST_INLINE:
        text = _RUN.sub(_describe_run, text)
        text = _WRAPPED.sub(_describe_run, text)
    return text


def describe(kind: str, *facts: str, data: str = "", size: int | None = None) -> str:
    """A descriptor: what it is, what is known of it, how large it is. `data` is base64 and only measured."""
    if data:
        size = len(data.rstrip("=")) * 3 // 4
    told = [one_line(fact) for fact in facts if fact and fact.strip()]
    if size is not None:
        told.append(bytes_in_words(size))
    return f"[{kind}: {', '.join(told)}]" if told else f"[{kind}]"


def describe_media(kind: str, source: str, *facts: str) -> str:
    """A descriptor for an address or for data: a data URI and bare base64 are measured, an address is shown without its
    query, which often carries a signature."""
    if source.startswith("data:"):
        head, _, data = source.partition(",")
        format = head[5:].split(";")[0].rpartition("/")[2]
        return describe(kind, *(facts or (format,)), data=data)
    if "://" in source[:20]:
        return describe(kind, *facts, address_in_words(source))
    return describe(kind, *facts, data=source)


def address_in_words(url: str) -> str:
    """Where something lies: scheme, host and path of an address, without user, password and query."""
    try:
        parts = urlsplit(url[:2000])
        host = parts.hostname or ""
    except ValueError:
        return "an address that cannot be read"
    return one_line(f"{parts.scheme}://{host}{parts.path}")


def bytes_in_words(size: int) -> str:
    """A size as people write it: 512 bytes, 20 KB, 1.4 MB."""
    if size < 1000:
        return f"{size} byte{'' if size == 1 else 's'}"
    if size < 1_000_000:
        return f"{round(size / 1000)} KB"
    return f"{size / 1_000_000:.1f} MB"


def one_line(text: str, limit: int = MAX_NAME) -> str:
    """The text on one line, cut with an ellipsis when it is longer than the limit."""
    line = " ".join(mend(text[: 4 * limit]).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _describe_run(found: re.Match[str]) -> str:
    """A run of base64 letters is data when it mixes them; a thousand times the same key is something somebody typed."""
    run = found[0]
    head = run[:LONGEST_INLINE]
    if not (any(c.isupper() for c in head) and any(c.islower() for c in head) and any(c.isdigit() for c in head)):
        return run
    newline = "\n" if run.endswith("\n") else ""
    return describe("base64 data", data="".join(run.split())) + newline


def _kind_and_format(media_type: str) -> tuple[str, str]:
    family, _, format = media_type.partition("/")
    return (family, format) if family in _KINDS else ("data", media_type)
