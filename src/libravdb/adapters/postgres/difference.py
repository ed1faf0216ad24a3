"""How a store must differ after a commit: plain values, ready to be written set by set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from libravdb.adapters.vector_codes import Vector
from libravdb.model import Edge, Metadata, SessionState, Terms, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRecord:
    """A record as it is written; `row` is None when it gets a new one, in the order of `arrival`."""

    collection: int
    id: str
    digest: bytes
    at: int
    version: int
    access_count: int
    metadata: Metadata
    written: str
    row: int | None
    arrival: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewText:
    """A text that no collection held."""

    collection: int
    digest: bytes
    body: str
    terms: Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCopy:
    """A text that another collection holds already."""

    to: int
    digest: bytes
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVectors:
    """Vectors of a text that had none in their space."""

    collection: int
    space: int
    digest: bytes
    vectors: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorCopy:
    """Vectors that a text has in another collection."""

    to: int
    space: int
    digest: bytes
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An event that the journal gets; then the oldest beyond `keep` go."""

    session: str
    at: int
    entry: str
    keep: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """Events that go; None for all."""

    seqs: frozenset[int] | None


@dataclass(slots=True, kw_only=True)
class Difference:
    """Everything that one commit writes. Collections, spaces and texts are told by their numbers and addresses.

    `left` are texts that a record of a collection held and no longer holds: they go unless another one does. `entered`
    are texts that a collection did not hold. `renewed` are collections of which an array in memory must be loaded anew.
    """

    collections: dict[int, str] = field(default_factory=dict)
    dropped: Sequence[int] = ()
    texts: list[NewText] = field(default_factory=list)
    text_copies: list[TextCopy] = field(default_factory=list)
    entered: list[tuple[int, bytes]] = field(default_factory=list)
    vectors: list[NewVectors] = field(default_factory=list)
    vector_copies: list[VectorCopy] = field(default_factory=list)
    removed: list[tuple[int, str]] = field(default_factory=list)
    written: list[WrittenRecord] = field(default_factory=list)
    counted: list[tuple[int, str, int]] = field(default_factory=list)
    left: list[tuple[int, bytes]] = field(default_factory=list)
    sizes: dict[int, int] = field(default_factory=dict)
    renewed: set[int] = field(default_factory=set)
    states: list[SessionState] = field(default_factory=list)
    dropped_states: list[str] = field(default_factory=list)
    edges: list[tuple[bytes, Edge]] = field(default_factory=list)
    unlinked: list[bytes] = field(default_factory=list)
    journal: Sequence[Entry | Cleared] = ()
    moved: list[Topic] = field(default_factory=list)
    gone: list[Topic] = field(default_factory=list)

    def count_records(self, collection: int, more: int) -> None:
        """A collection has this many records more."""
        self.sizes[collection] = self.sizes.get(collection, 0) + more
