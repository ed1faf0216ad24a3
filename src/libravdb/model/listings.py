"""What is told of sessions and of namespaces where many are listed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """A session as somebody has it: how many turns of it are his, and when the first and the last were said."""

    name: str
    turns: int
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceInfo:
    """A namespace: how many records its own collections hold, and how many bytes of text and metadata these are."""

    name: str
    records: int
    bytes: int
