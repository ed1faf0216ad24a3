"""Prints the reference of the protocol for `docs/reference/protocol.md`: `python -m libravdb.wire.reference`."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable
from typing import get_type_hints

from libravdb.wire import codes
from libravdb.wire.fields import camel, type_name
from libravdb.wire.methods.access import ACCESS
from libravdb.wire.methods.connection import CONNECTION_METHODS
from libravdb.wire.methods.engine import ENGINE_METHODS
from libravdb.wire.methods.inspection import INSPECTION_METHODS
from libravdb.wire.methods.lifecycle import LIFECYCLE_METHODS
from libravdb.wire.methods.memories import MEMORY_METHODS
from libravdb.wire.methods.method import AnyMethod
from libravdb.wire.methods.notes import NOTE_METHODS
from libravdb.wire.methods.storage import STORAGE_METHODS
from libravdb.wire.methods.transfer import TRANSFER_METHODS

_STRICT = (
    "An unknown, missing or ill-typed field is an error that names it; its remedy names the fields that are taken."
)
_LIFECYCLE = (
    "One call per step of a host's life. The namespace is `userId`, else `session-key:` with `sessionKey`, else"
    " `agent-id:` with `agentId`, else `session:` with `sessionId`, else `default`."
)

_LISTS = (
    "The namespace is told as in a host's life. A list comes in pages: `after` is the `next` of the page before,"
    " which is missing after the last one."
)
_INSPECTION = (
    "For people who want to see what memory holds and why. The namespace is told as in a host's life; lists take a"
    " session by the name that `list_sessions` tells. What is null in a result is left out."
)
_NOTES = (
    "What an agent writes down in its workspace. `search` and `assemble` see it when `notesOf` names the agent's"
    " namespace."
)
_TRANSFER = "Export, import and backup for an admin who shares no disk with the daemon."


def markdown() -> str:
    """Every method with its params and results, and every code of an error."""
    parts = [
        "## Storage methods\n\nUnknown fields are ignored, missing and null ones take their defaults.\n",
        *_sections(STORAGE_METHODS),
        f"## Methods of our own\n\n{_STRICT}\n",
        *_sections(ENGINE_METHODS),
        f"## Lifecycle methods\n\n{_LIFECYCLE}\n",
        *_sections(LIFECYCLE_METHODS),
        f"## Memories one by one, and lists\n\n{_LISTS}\n",
        *_sections(MEMORY_METHODS),
        f"## Looking into memory\n\n{_INSPECTION}\n",
        *_sections(INSPECTION_METHODS),
        f"## An agent's notes\n\n{_NOTES}\n",
        *_sections(NOTE_METHODS),
        f"## In and out\n\n{_TRANSFER}\n",
        *_sections(TRANSFER_METHODS),
        "## The connection\n",
        *_sections(CONNECTION_METHODS),
        "## Codes of errors\n\n| code | error |\n|---|---|\n"
        + "".join(f"| {code} | `{cls.__name__}` |\n" for cls, code in codes.CODES)
        + f"| {codes.INVALID_REQUEST} | not a request |\n| {codes.UNKNOWN_METHOD} | unknown method |\n"
        + f"| {codes.CRASHED} | the handler crashed |\n| {codes.UNAUTHENTICATED} | not authenticated |\n",
    ]
    return "\n".join(parts)


def _sections(methods: Iterable[AnyMethod]) -> list[str]:
    return [
        f"### `{method.name}`\n\n{method.about}\n\n- role: {ACCESS[method.name].role}\n"
        f"- params: {_fields(method.params, with_defaults=True)}\n"
        f"- result: {_fields(method.result, with_defaults=False)}\n"
        for method in methods
    ]


def _fields(cls: type, *, with_defaults: bool) -> str:
    """The fields of a type on one line, nested ones in parentheses."""
    hints = get_type_hints(cls)
    told = []
    for field in dataclasses.fields(cls):
        hint = hints[field.name]
        text = f"`{camel(field.name)}` {type_name(hint)}"
        inner = _inner(hint)
        if inner is not None:
            text += f" ({_fields(inner, with_defaults=with_defaults)})"
        default = field.default
        if with_defaults and default is not dataclasses.MISSING and default not in ("", None):
            text += f" = {str(default).lower() if isinstance(default, bool) else default}"
        told.append(text)
    return ", ".join(told) or "none"


def _inner(hint: object) -> type | None:
    """The dataclass inside a type, if there is one."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return hint
    for argument in getattr(hint, "__args__", ()):
        found = _inner(argument)
        if found is not None:
            return found
    return None


if __name__ == "__main__":
    sys.stdout.write(markdown())
