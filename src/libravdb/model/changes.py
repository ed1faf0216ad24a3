"""What a commit may change; the store applies all of it or none."""

from __future__ import annotations

from dataclasses import dataclass, field

from libravdb.model.json import Metadata
from libravdb.model.reads import Terms
from libravdb.model.records import Edge, Embedding, Record, SessionState


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """Write a record. `expect` is the version the caller saw: None for any, MUST_BE_NEW for none.

    `terms` are what the text is indexed under; None only for a text that the store holds already.
    """

    collection: str
    id: str
    text: str
    at: int
    metadata: Metadata = field(default_factory=dict)
    embedding: Embedding | None = None
    expect: int | None = None
    terms: Terms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """Write a record exactly as an export holds it, version and access count included."""

    record: Record
    embedding: Embedding | None = None
    terms: Terms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """Delete a record. An unknown one is no error unless `expect` names a version."""

    collection: str
    id: str
    expect: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """Count one access for each distinct id; unknown ids are skipped."""

    collection: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnsureCollection:
    """Make the collection exist, empty if it is new."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DropCollection:
    """Delete a collection and every record in it; an unknown one is no error."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Write a coverage edge; the same edge again is no change."""

    edge: Edge


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlink:
    """Delete every coverage edge of a session, or those of one of its summaries."""

    session: str
    parent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """Add a journal entry, then drop the oldest beyond `keep`: none, unless it says how many."""

    session: str
    at: int
    entry: Metadata
    keep: int = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearJournal:
    """Delete the journal entries of these numbers; unknown ones are no error. None for all."""

    seqs: frozenset[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState:
    """Replace a session's state when its generation is still `expect` (0: there is none yet)."""

    session: str
    state: Metadata
    at: int
    expect: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreState:
    """Write a session's state exactly as an export holds it, generation included."""

    state: SessionState


@dataclass(frozen=True, slots=True, kw_only=True)
class DropState:
    """Forget a session's state; an unknown one is no error unless `expect` names a generation."""

    session: str
    expect: int | None = None


Change = (
    Put
    | Restore
    | Remove
    | Touch
    | EnsureCollection
    | DropCollection
    | Link
    | Unlink
    | Append
    | ClearJournal
    | SetState
    | RestoreState
    | DropState
)
