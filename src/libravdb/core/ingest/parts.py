"""Parts of a message's content, in the shapes of every host, as text: what was said, and what a tool answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from libravdb.core.ingest.binary_data import describe, describe_data, describe_media, one_line
from libravdb.core.ingest.validation import Object, first_of, kind_of, list_in, refuse, text_in
from libravdb.errors import InvalidInput

MAX_DEPTH = 6
"""Levels of parts within parts that are read."""
MAX_VALUE = 120
MAX_CALL = 400
_MAX_ARGUMENTS = 20_000  # a longer text of arguments is not parsed: its descriptor shows only the beginning anyway

Mask = Callable[[str], str]
"""Takes the secrets out of a text. Descriptors are cut, and half a secret is recognised by nobody: so it goes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One part as text. `is_result` tells what a tool answered from what a person or a model said."""

    text: str
    is_result: bool = False
    tool: str = ""
    call: str = ""
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part that is being read: its value, its name for errors, how to mask, and how deep it lies."""

    value: Object
    field: str
    mask: Mask
    depth: int = 0

    def text(self, *names: str) -> str:
        """The text under the first of the names that is there; empty when none is."""
        name, value = first_of(self.value, names)
        return text_in(value, f"{self.field}.{name}") if name else ""

    def label(self, *names: str) -> str:
        """A name or an id under one of the names, on one line."""
        name, value = first_of(self.value, names)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)[:40]
        return one_line(text_in(value, f"{self.field}.{name}")) if name else ""


def read_content(content: object, field: str, mask: Mask, depth: int = 0) -> list[Piece]:
    """The pieces of a message's content: text, a part, or a list of both. None is no content."""
    if content is None:
        return []
    if isinstance(content, str):
        return [Piece(text=describe_data(text_in(content, field)))]
    if isinstance(content, Mapping):
        return _read_part(content, field, mask, depth)
    pieces: list[Piece] = []
    for position, part in enumerate(list_in(content, field, "text, an object or a list")):
        where = f"{field}[{position}]"
        if isinstance(part, str):
            pieces.append(Piece(text=describe_data(text_in(part, where))))
        elif isinstance(part, Mapping):
            pieces.extend(_read_part(part, where, mask, depth))
        elif part is not None:
            raise refuse(where, part, "text or an object")
    return pieces


def describe_call(name: str, arguments: object, mask: Mask) -> str:
    """A tool call in a few words: `[tool call: read_file path="src/x.py"]`."""
    shown = " ".join((f"[tool call: {name or 'unnamed'}", *_arguments_in_words(arguments, mask)))
    return (shown if len(shown) < MAX_CALL else shown[: MAX_CALL - 2] + "…") + "]"


def read_result(content: object, field: str, mask: Mask, depth: int = 0) -> str:
    """What a tool answered, as text: its text parts joined, binary parts described, other values as JSON."""
    if depth >= MAX_DEPTH:
        return "[nested content left out]"
    if isinstance(content, Mapping) and not any(name in content for name in ("type", "text", "content", "parts")):
        return _as_json(content, field)
    if isinstance(content, bool | int | float):
        return json.dumps(content)
    if isinstance(content, Sequence) and not isinstance(content, str) and _is_plain(content):
        return _as_json(content, field)
    return join(read_content(content, field, mask, depth))


def join(pieces: Sequence[Piece]) -> str:
    """Pieces one below the other, empty ones left out."""
    return "\n".join(piece.text for piece in pieces if piece.text)


# ── one reader a kind of part ─────────────────────────────────────────────────────────────────────────────


def _read_part(value: Object, field: str, mask: Mask, depth: int) -> list[Piece]:
    if depth >= MAX_DEPTH:
        return [Piece(text="[nested content left out]")]
    part = Part(value=value, field=field, mask=mask, depth=depth)
    kind = value.get("type", value.get("content_type"))
    if kind is not None and not isinstance(kind, str):
        raise refuse(f"{field}.type", kind, "text")
    if isinstance(value.get("parts"), list):
        return _read_nested(part)
    reader = READERS.get(kind) if kind is not None else _reader_by_field(value)
    if reader is None:
        return _read_unknown(part)
    return reader(part)


def _read_text(part: Part) -> list[Piece]:
    name, value = first_of(part.value, ("text", "refusal", "content", "value"))
    if not name:
        if "text" in part.value or "refusal" in part.value:
            return []
        raise InvalidInput(f"{part.field}.text", "is missing")
    if isinstance(value, Mapping):  # {"type": "text", "text": {"value": …, "annotations": […]}}
        return read_content({"type": "text", "text": value.get("value")}, f"{part.field}.{name}", part.mask)
    return [Piece(text=describe_data(text_in(value, f"{part.field}.{name}")))]


def _read_nothing(part: Part) -> list[Piece]:  # noqa: ARG001 - a reader like the others
    """Thinking is not said."""
    return []


def _read_call(part: Part) -> list[Piece]:
    inner = next((part.value[name] for name in ("function", "functionCall") if name in part.value), None)
    source = part if inner is None else Part(value=_object(inner), field=part.field, mask=part.mask)
    _, arguments = first_of(source.value, ("input", "arguments", "args", "partialJson"))
    return [Piece(text=describe_call(source.label("name", "toolName", "tool_name"), arguments, part.mask))]


def _read_result(part: Part) -> list[Piece]:
    inner = part.value.get("functionResponse")
    if inner is not None:
        part = Part(value=_object(inner), field=f"{part.field}.functionResponse", mask=part.mask, depth=part.depth)
    name, content = first_of(part.value, ("content", "output", "result", "response", "text"))
    is_error = part.value.get("is_error", part.value.get("isError")) is True
    return [
        Piece(
            text=read_result(content, f"{part.field}.{name}", part.mask, part.depth + 1),
            is_result=True,
            tool=part.label("name", "toolName", "tool_name"),
            call=part.label("tool_use_id", "toolCallId", "tool_call_id", "call_id", "toolUseId"),
            is_error=is_error,
        )
    ]


def _read_image(part: Part) -> list[Piece]:
    return [Piece(text=_describe_source(part, "image"))]


def _read_audio(part: Part) -> list[Piece]:
    """Sound in a few words; its transcript was said."""
    transcript = part.text("transcript")
    pieces = [Piece(text=_describe_source(part, "audio"))]
    return pieces + ([Piece(text=transcript)] if transcript else [])


def _read_video(part: Part) -> list[Piece]:
    return [Piece(text=_describe_source(part, "video"))]


def _read_file(part: Part) -> list[Piece]:
    """A file in a few words; a document that came as plain text keeps its text."""
    source = part.value.get("source")
    if isinstance(source, Mapping) and source.get("type") in ("text", "content"):
        name, content = first_of(source, ("data", "content"))
        text = read_result(content, f"{part.field}.source.{name}", part.mask, part.depth + 1)
        return [Piece(text=describe("file", part.label("title", "filename", "name"))), Piece(text=text)]
    return [Piece(text=_describe_source(part, "file"))]


def _read_inline(part: Part) -> list[Piece]:
    """Gemini's `inlineData` and `fileData`: the media type says what it is."""
    _, inner = first_of(part.value, ("inlineData", "inline_data", "fileData", "file_data"))
    family, _, format = str(_object(inner).get("mimeType", _object(inner).get("mime_type", ""))).partition("/")
    _, source = first_of(_object(inner), ("data", "fileUri", "file_uri"))
    kind = family if family in ("image", "audio", "video") else "file"
    return [Piece(text=describe_media(kind, source if isinstance(source, str) else "", format))]


def _read_nested(part: Part) -> list[Piece]:
    """A part that only holds parts."""
    name, content = first_of(part.value, ("parts", "content", "message"))
    return read_content(content, f"{part.field}.{name}", part.mask, part.depth + 1)


def _read_unknown(part: Part) -> list[Piece]:
    """Text under a type that we do not know was said all the same; other unknown parts are named."""
    if isinstance(part.value.get("text"), str):
        return _read_text(part)
    if isinstance(part.value.get("content", part.value.get("parts")), str | list):
        return _read_nested(part)
    return [Piece(text=describe("unknown part", str(part.value.get("type") or "without a type")))]


Reader = Callable[[Part], list[Piece]]
READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("text", "input_text", "output_text", "refusal", "summary_text"), _read_text),
    **dict.fromkeys(
        ("thinking", "reasoning", "redacted_thinking", "reasoning_content", "thought", "thoughts"), _read_nothing
    ),
    **dict.fromkeys(
        (
            "tool_use",
            "toolCall",
            "tool_call",
            "toolUse",
            "function_call",
            "functionCall",
            "function",
            "server_tool_use",
        ),
        _read_call,
    ),
    **dict.fromkeys(
        ("tool_result", "toolResult", "tool-result", "function_call_output", "functionResponse"), _read_result
    ),
    **dict.fromkeys(("image", "image_url", "input_image", "imageUrl", "image_asset_pointer"), _read_image),
    **dict.fromkeys(("audio", "input_audio", "output_audio"), _read_audio),
    **dict.fromkeys(("video", "video_url", "input_video"), _read_video),
    **dict.fromkeys(("file", "input_file", "document"), _read_file),
    **dict.fromkeys(("message", "multimodal_text"), _read_nested),
}
"""Every type of part that is read, by the host's word for it."""

_BY_FIELD: tuple[tuple[tuple[str, ...], Reader], ...] = (
    (("thought",), _read_nothing),
    (("functionCall",), _read_call),
    (("functionResponse",), _read_result),
    (("inlineData", "inline_data", "fileData", "file_data"), _read_inline),
    (("image_url",), _read_image),
    (("text",), _read_text),
)


def _reader_by_field(value: Object) -> Reader | None:
    """Parts without a type tell what they are by the field they have."""
    return next((reader for names, reader in _BY_FIELD if any(value.get(name) for name in names)), None)


# ── describing ────────────────────────────────────────────────────────────────────────────────────────────


def _describe_source(part: Part, kind: str) -> str:
    """A binary part: its name and format if told, its size or its address."""
    facts = [part.label("filename", "fileName", "title", "name"), _format_of(part.value)]
    for holder in (part.value, *_holders(part.value)):
        facts[0] = facts[0] or _plain(holder.get("filename"))
        facts[1] = facts[1] or _format_of(holder)
        _, source = first_of(holder, ("data", "url", "image_url", "file_data", "video_url", "file_url", "imageUrl"))
        if isinstance(source, str) and source:
            return describe_media(kind, source, *(fact for fact in facts if fact))
    return describe(kind, *facts)


def _holders(value: Object) -> list[Object]:
    names = ("source", "image_url", "input_audio", "audio", "file", "video_url", "image", "imageUrl")
    return [value[name] for name in names if isinstance(value.get(name), Mapping)]


def _format_of(value: Object) -> str:
    _, told = first_of(value, ("mimeType", "mime_type", "media_type", "mediaType", "format"))
    return _plain(told).rpartition("/")[2]


def _plain(value: object) -> str:
    return mended if isinstance(value, str) and (mended := one_line(value)) else ""


def _arguments_in_words(arguments: object, mask: Mask) -> list[str]:
    if isinstance(arguments, str):
        arguments = _parsed(arguments)
    if arguments is None or arguments in ("", {}):
        return []
    pairs = arguments.items() if isinstance(arguments, Mapping) else [("input", arguments)]
    shown: list[str] = []
    for name, value in pairs:
        if sum(map(len, shown)) >= MAX_CALL:
            break
        shown.append(one_line(mask(f"{one_line(str(name), 60)}={_value_in_words(value)}"), MAX_VALUE))
    return shown


def _parsed(arguments: str) -> object:
    """Arguments that came as JSON text, or the text itself when it is no JSON."""
    if arguments.lstrip().startswith(("{", "[")) and len(arguments) <= _MAX_ARGUMENTS:
        try:
            return json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
    return arguments


def _value_in_words(value: object) -> str:
    if isinstance(value, str):
        value = describe_data(value[:_MAX_ARGUMENTS])
    try:
        return json.dumps(value, ensure_ascii=False)[:_MAX_ARGUMENTS]
    except (TypeError, ValueError, RecursionError):
        return kind_of(value)


def _is_plain(content: Sequence[Any]) -> bool:
    """A list that holds no parts: numbers, or rows of a table."""
    return bool(content) and not any(
        isinstance(item, str) or (isinstance(item, Mapping) and ("type" in item or "text" in item)) for item in content
    )


def _as_json(value: object, field: str) -> str:
    try:
        return describe_data(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(field, "holds something that is no JSON value") from error


def _object(value: object) -> Object:
    return value if isinstance(value, Mapping) else {}
