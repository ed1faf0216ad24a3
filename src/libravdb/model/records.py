"""What is kept: records, what belongs to a session beside them, and vectors."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from libravdb.model.json import Metadata

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

MUST_BE_NEW = 0
"""As `expect`: the record must not exist yet."""


def digest(text: str) -> bytes:
    """The content address of a text."""
    return sha256(text.encode()).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One text under an id in a collection, as the store holds it."""

    collection: str
    id: str
    text: str
    metadata: Metadata
    at: int
    version: int
    access_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """Coverage: `parent` (a summary) stands for `child` (a turn or another summary)."""

    session: str
    parent: str
    child: str
    child_kind: str
    position: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One lifecycle event of a session; the journal is bounded and never enters retrieval."""

    seq: int
    session: str
    at: int
    entry: Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """What the engine remembers about a session itself; `generation` grows with each change."""

    session: str
    generation: int
    state: Metadata
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedding:
    """The vectors of one text: row 0 is the whole, later rows its passages in order."""

    fingerprint: str
    vectors: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A text to be remembered. Without an id it gets one from its content, so that it is kept once. `expires_at` is the
    moment from which on it is shown by nothing: milliseconds, a date or time as ISO 8601 writes it, or a span (30d)."""

    text: str
    collection: str
    id: str | None = None
    metadata: Metadata | None = None
    at: int | None = None
    expires_at: int | str | None = None
