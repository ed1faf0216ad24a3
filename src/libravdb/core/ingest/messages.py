"""Host messages of every shape become what was said: role, text, and what the host knows of id, time and speaker.

One message gives one `Said`, or two when it mixes what tools answered with what a person said (Anthropic's shape):
a tool's words must not count as the person's. Nothing said is lost: text is kept whole, calls and binary parts are
described, thinking is dropped, and whatever is not to be kept says why in `skipped`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from libravdb.core.ingest.binary_data import one_line
from libravdb.core.ingest.parts import Mask, Piece, describe_call, join, read_content, read_result
from libravdb.core.ingest.settings import DEFAULTS, IngestSettings
from libravdb.core.ingest.validation import Object, first_of, kind_of, list_in, object_in, refuse, text_in, time_in
from libravdb.errors import InvalidInput
from libravdb.model import IncomingTurn, Json, Role, role_named

EMPTY = "empty"
HEARTBEAT = "heartbeat"
SYSTEM_PROMPT = "system prompt"
HOST_SUMMARY = "summary by the host"
THINKING = "thinking"


_SUMMARIES = ("compactionsummary", "branchsummary")
_IDS = ("id", "messageId", "message_id", "turnId", "turn_id", "entryId", "entry_id", "uuid")
_TIMES = ("timestamp", "ts", "at", "time", "createdAt", "created_at", "create_time", "date")
_SPEAKERS = ("speaker", "name", "senderName", "sender_name", "sender", "author")
_CONTENTS = ("content", "text", "parts", "summary", "output", "body")
_TOOLS = ("toolName", "tool_name", "name")
_CALLS = ("toolCallId", "tool_call_id", "call_id", "tool_use_id")


def read_messages(
    messages: object,
    *,
    field: str = "messages",
    mask: Mask = str,
    settings: IngestSettings = DEFAULTS,
) -> tuple[IncomingTurn, ...]:
    """What a host's list of messages says, in its order. A malformed message is refused by the name of its field.

    `mask` takes secrets out of the arguments of tool calls before their descriptors are cut.
    """
    said: list[IncomingTurn] = []
    for position, message in enumerate(list_in(messages, field)):
        said.extend(read_message(message, field=f"{field}[{position}]", mask=mask, settings=settings))
    return tuple(said)


def read_message(
    message: object, *, field: str = "message", mask: Mask = str, settings: IngestSettings = DEFAULTS
) -> tuple[IncomingTurn, ...]:
    """What one message says. Text alone was said by the user."""
    if isinstance(message, str):
        message = {"role": "user", "content": message}
    elif not isinstance(message, Mapping):
        raise refuse(field, message, "text or an object")
    outer, inner, field = _unwrapped(message, field)
    role, skipped = _read_role(inner, field)
    said = IncomingTurn(
        role=role or Role.SYSTEM,
        text="",
        id=_read_id(outer, inner, field),
        at=_read_time(outer, inner, field, settings.time_zone),
        speaker=_read_speaker(inner, role, field),
        skipped=skipped,
    )
    if role is None:  # an entry of the host's own bookkeeping, whatever its shape
        return (said,)
    heard = _listen(inner, said, field, mask)
    return tuple(_judge(one, inner, settings) for one in heard)


def bound_result(said: IncomingTurn, limit: int) -> IncomingTurn:
    """A tool's answer cut in the middle when it is longer than the limit, with a marker that says how much is gone.

    The head of an output tells what it is, its end how it went; the middle of a very long log tells least.
    """
    if said.role is not Role.TOOL or len(said.text) <= limit:
        return said
    head = limit * 2 // 3
    tail = limit - head
    gone = len(said.text) - head - tail
    end = said.text[len(said.text) - tail :]
    marker = f"\n[… {gone} of {len(said.text)} characters of this tool result left out …]\n"
    return replace(said, text=said.text[:head] + marker + end)


# ── the envelope ──────────────────────────────────────────────────────────────────────────────────────────


def _unwrapped(message: Object, field: str) -> tuple[Object, Object, str]:
    """The outer and the inner message: a line of a transcript file holds the message with its own id and time."""
    inner = message.get("message")
    if "role" not in message and isinstance(inner, Mapping):
        return message, inner, f"{field}.message"
    return message, message, field


_KNOWN_ROLES = f"Known roles: {', '.join(Role)}."


def _read_role(message: Object, field: str) -> tuple[Role | None, str]:
    """The role, and why the message is skipped because of it. No role: it is not a message at all."""
    told = message.get("role")
    if told is None and isinstance(message.get("author"), Mapping):
        told = message["author"].get("role")
    if told is not None and not isinstance(told, str):
        raise InvalidInput(f"{field}.role", f"is {kind_of(told)}, not text", remedy=_KNOWN_ROLES)
    kind = message.get("type")
    if told is None and kind == "function_call":
        return Role.ASSISTANT, ""
    word = told if told is not None else kind
    if not isinstance(word, str) or not word.strip():
        raise InvalidInput(f"{field}.role", "is missing", remedy=_KNOWN_ROLES)
    if (role := role_named(word)) is not None:
        return role, SYSTEM_PROMPT if role is Role.SYSTEM else ""
    word = _plain(word)
    if word in _SUMMARIES:
        return Role.SYSTEM, HOST_SUMMARY
    if told is None and word == "reasoning":
        return None, THINKING
    return None, f"unknown {'role' if told is not None else 'entry'} {one_line(word, 40)!r}"


def _plain(word: str) -> str:
    return word.strip().lower().replace("_", "").replace("-", "")


def _read_id(outer: Object, inner: Object, field: str) -> str | None:
    for source in (outer, inner):
        name, value = first_of(source, _IDS)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value) if abs(value) < 10**40 else None
        if name and text_in(value, f"{field}.{name}").strip():
            return text_in(value, f"{field}.{name}")
    return None


def _read_time(outer: Object, inner: Object, field: str, zone: str) -> int | None:
    for source in (inner, outer):
        name, value = first_of(source, _TIMES)
        time = time_in(value, f"{field}.{name}", zone) if name else None
        if time is not None:
            return time
    return None


def _read_speaker(message: Object, role: Role | None, field: str) -> str:
    """The name of who speaks, if the host knows one; a tool's name is not a speaker's."""
    if role is None or role is Role.TOOL:
        return ""
    name, value = first_of(message, _SPEAKERS)
    if isinstance(value, Mapping):
        inner, value = first_of(value, ("name", "displayName", "username"))
        if not inner:
            return ""
        name = f"{name}.{inner}"
    return one_line(text_in(value, f"{field}.{name}")) if name else ""


# ── the content ───────────────────────────────────────────────────────────────────────────────────────────


def _listen(message: Object, said: IncomingTurn, field: str, mask: Mask) -> list[IncomingTurn]:
    """The message's text, with the answers of tools apart from what was said."""
    name, content = _content_of(message, field)
    if said.role is Role.TOOL:
        return [_read_tool(message, said, field=field, name=name, content=content, mask=mask)]
    pieces = read_content(content, f"{field}.{name}", mask)
    pieces += _read_calls(message, field, mask)
    results = [piece for piece in pieces if piece.is_result]
    spoken = replace(said, text=_without_thinking(join([one for one in pieces if not one.is_result]), said.role))
    if not results:
        return [spoken]
    # Only parts of an unnamed message may share a name with it: the answers of tools get a name of their own.
    answered = replace(
        said,
        role=Role.TOOL,
        text=join(results),
        speaker="",
        id=said.id and (f"{said.id}:results" if spoken.text else said.id),
        metadata=_tool_facts(results[0]) if len(results) == 1 else {},
    )
    return [answered, spoken] if spoken.text else [answered]


def _content_of(message: Object, field: str) -> tuple[str, object]:
    """Where the message says something; an empty field hides no other."""
    told = {name: message[name] for name in _CONTENTS if name in message and message[name] not in ("", [], ())}
    name, content = first_of(told or message, _CONTENTS)
    if name or any(known in message for known in (*_CONTENTS, "tool_calls", "function_call")):
        return name or "content", content
    if message.get("type") == "function_call" or "command" in message:
        return "content", None
    raise InvalidInput(f"{field}.content", "is missing")


def _read_calls(message: Object, field: str, mask: Mask) -> list[Piece]:
    """Calls that stand beside the content: OpenAI's `tool_calls`, the older `function_call`, or a lone call."""
    if message.get("type") == "function_call" and "role" not in message:
        return [Piece(text=describe_call(_name_in(message, field), message.get("arguments"), mask))]
    pieces = []
    calls = message.get("tool_calls", message.get("toolCalls"))
    for position, call in enumerate(list_in(calls, f"{field}.tool_calls") if calls is not None else ()):
        where = f"{field}.tool_calls[{position}]"
        function = object_in(call, where).get("function", call)
        function = object_in(function, f"{where}.function")
        arguments = first_of(function, ("arguments", "args", "input"))[1]
        pieces.append(Piece(text=describe_call(_name_in(function, where), arguments, mask)))
    if (call := message.get("function_call")) is not None:
        function = object_in(call, f"{field}.function_call")
        pieces.append(
            Piece(text=describe_call(_name_in(function, f"{field}.function_call"), function.get("arguments"), mask))
        )
    return pieces


def _name_in(function: Object, field: str) -> str:
    name = function.get("name")
    return one_line(text_in(name, f"{field}.name")) if name is not None else ""


def _read_tool(
    message: Object, said: IncomingTurn, *, field: str, name: str, content: object, mask: Mask
) -> IncomingTurn:
    """A message that is a tool's answer. A host's own shell shows its command first."""
    text = read_result(content, f"{field}.{name}", mask)
    if isinstance(message.get("command"), str):
        text = f"$ {text_in(message['command'], f'{field}.command')}\n{text}"
    tool, call = (first_of(message, names)[1] for names in (_TOOLS, _CALLS))
    piece = Piece(
        text=text,
        tool=one_line(tool) if isinstance(tool, str) else "",
        call=one_line(call) if isinstance(call, str) else "",
        is_error=message.get("isError", message.get("is_error")) is True,
    )
    return replace(said, text=text, metadata=_tool_facts(piece))


def _tool_facts(piece: Piece) -> dict[str, Json]:
    facts: dict[str, Json] = {}
    if piece.tool:
        facts["tool"] = piece.tool
    if piece.call:
        facts["tool_call_id"] = piece.call
    if piece.is_error:
        facts["is_error"] = True
    return facts


_INLINE_THINKING = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL)


def _without_thinking(text: str, role: Role) -> str:
    """An answer without the thoughts that some models write before it."""
    found = _INLINE_THINKING.match(text) if role is Role.ASSISTANT else None
    return text[found.end() :] if found else text


# ── what is not kept ──────────────────────────────────────────────────────────────────────────────────────


def _judge(said: IncomingTurn, message: Object, settings: IngestSettings) -> IncomingTurn:
    if said.skipped:
        return said
    is_flagged = message.get("isHeartbeat", message.get("is_heartbeat")) is True
    if is_flagged or is_heartbeat(said.text, prompts=settings.heartbeat_prompts):
        return replace(said, skipped=HEARTBEAT)
    return said if said.text.strip() else replace(said, skipped=EMPTY)


_ACKNOWLEDGED = re.compile(
    r"[*_`\"']{0,4}(?:<[a-z]{1,8}>)?[*_`]{0,4}HEARTBEAT_OK[*_`.!]{0,6}(?:</[a-z]{1,8}>)?[*_`\"'.!]{0,6}"
)
_ASKED = re.compile(
    r"(?:\[[^\]\n]{1,80}\]\s{0,4}|(?:system|heartbeat)[^\n:]{0,40}:\s{0,4}){0,3}"
    r"(?:(?:read|check|follow|consult)\s(?:the\s)?`?HEARTBEAT\.md\b|(?<=\[heartbeat\])|(?<=heartbeat:)\s)",
    re.IGNORECASE,
)
# A pulse ends with what is to be answered, and perhaps the time; whoever goes on says something.
_ENDS_AS_ASKED = re.compile(
    r"\b(?:reply|replying|respond|answer|say|return|output|send|with)\b[^\n?]{0,60}HEARTBEAT_OK[`\"'*_.!)]{0,6}"
    r"(?:\s+[^\n?]{0,20}\btime\b[^\n?]{0,80})?\s*\Z",
    re.IGNORECASE,
)
_LONGEST_PROMPT = 4_000


def is_heartbeat(text: str, *, prompts: Sequence[str] = ()) -> bool:
    """Whether a text is a host's pulse: the bare acknowledgement, or a prompt that begins as one and asks for it.

    Somebody who writes about heartbeats says something: the whole text must be the pulse.
    """
    text = text.strip()
    if any(prompt.strip() and text.startswith(prompt.strip()) for prompt in prompts):
        return True
    if "HEARTBEAT_OK" not in text or len(text) > _LONGEST_PROMPT:
        return False
    if _ACKNOWLEDGED.fullmatch(text):
        return True
    return _ASKED.match(text) is not None and _ENDS_AS_ASKED.search(text) is not None
