"""How a record is named to a model: `durable/mem:47cc6af11a887915`, one word without quotes, spaces or brackets.

A summary belongs to a session, which its name tells too: `summary/monday/summary:3e51c51f1c90850c`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from libravdb.errors import InvalidInput
from libravdb.model import Record, Scope
from libravdb.model.collections import SESSION_KINDS, parse_collection, scope_of
from libravdb.model.record_ids import shared_turn_id
from libravdb.model.turn_metadata import TurnMetadata

READABLE = (Scope.DURABLE, Scope.HISTORY, Scope.ELEVATED, Scope.LORE, Scope.GLOBAL)
"""The scopes whose records can be read by their ids alone, the likeliest first."""

FORGETTABLE = (Scope.DURABLE, Scope.HISTORY)
"""What the model may delete when the user asks for it. Rules and shared facts are written elsewhere."""

RECORD_URI = "memory://record/"
RECEIPT_URI = "memory://receipt/"
PROFILE_URI = "memory://profile"

_SPECIAL = re.compile(r"[^\w.:/@+=,~()*!-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordReference:
    """A record as a model names it; without a scope it may stand in any. `session` is set for a summary."""

    id: str
    scope: Scope | None = None
    session: str = ""

    def __str__(self) -> str:
        parts = (self.scope or "", *([_session_part(self.session)] if self.session else []), _part(self.id))
        return "/".join(each for each in parts if each)

    @property
    def uri(self) -> str:
        """The resource that holds it."""
        return RECORD_URI + quote(str(self), safe="")


def reference_to(record: Record) -> RecordReference:
    """How a record is named. A turn of a running session is named by its place in the history of all of them."""
    place = parse_collection(record.collection)
    if place.kind in SESSION_KINDS and TurnMetadata.of(record).is_summary:
        return RecordReference(scope=Scope.SUMMARY, session=place.owner, id=record.id)
    scope = scope_of(record.collection)
    if scope is Scope.SESSION:
        return RecordReference(scope=Scope.HISTORY, id=shared_turn_id(place.owner, record.id))
    return RecordReference(scope=scope, id=record.id)


def parse_reference(text: str) -> RecordReference:
    """What a model or a person wrote: a name that a tool returned, or a bare id."""
    text = text.strip().removeprefix(RECORD_URI) if text.strip().startswith(RECORD_URI) else text.strip()
    if not text:
        raise InvalidInput("id", "is empty", remedy="Give an id that memory_search returned.")
    head, slash, rest = text.partition("/")
    if not slash or head not in tuple(Scope) or not rest:
        return RecordReference(id=unquote(text))
    scope = Scope(head)
    if scope is not Scope.SUMMARY:
        return RecordReference(scope=scope, id=unquote(rest))
    session, slash, id = rest.partition("/")
    if not slash or not id:
        raise InvalidInput("id", f"{text!r} names no summary", remedy="Give the whole id that memory_search returned.")
    return RecordReference(scope=scope, session=unquote(session), id=unquote(id))


def _part(text: str) -> str:
    return _SPECIAL.sub(lambda match: quote(match[0], safe="", errors="replace"), text)


def _session_part(text: str) -> str:
    return _part(text).replace("/", "%2F")
