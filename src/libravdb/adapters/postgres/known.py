"""What a commit finds in the store of what it asked for, after everything it may touch was locked."""

from __future__ import annotations

from dataclasses import dataclass, field

from libravdb.errors import SpaceMismatch
from libravdb.model import Edge, Embedding, Key, Revision, SpaceState, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRecord:
    """A record that is there: `metadata` as it was written, `row` the number of its row."""

    row: int
    digest: bytes
    at: int
    version: int
    access_count: int
    metadata: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextHolder:
    """A collection that holds a text, and the spaces in which the text has vectors there."""

    collection: int
    spaces: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSpace:
    """A vector space, by its number."""

    id: int
    fingerprint: str
    dimensions: int
    state: str


@dataclass(slots=True, kw_only=True)
class KnownState:
    """The part of the store that a commit asked for.

    `numbers` are of collections that there are, `fresh` numbers for those that may have to be made. `holders` names one
    collection that holds a text, `late` all that hold it, by name; `analysis` is what indexed all texts.
    """

    revisions: dict[Topic, Revision] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    fresh: dict[str, int] = field(default_factory=dict)
    records: dict[Key, StoredRecord] = field(default_factory=dict)
    places: set[tuple[str, bytes]] = field(default_factory=set)
    holders: dict[bytes, TextHolder] = field(default_factory=dict)
    late: dict[bytes, dict[str, TextHolder]] = field(default_factory=dict)
    spaces: tuple[KnownSpace, ...] = ()
    generations: dict[str, int] = field(default_factory=dict)
    edges: dict[bytes, Edge] = field(default_factory=dict)
    edge_counts: dict[str, int] = field(default_factory=dict)
    seqs: set[int] = field(default_factory=set)
    has_journal: bool = False
    analysis: str = ""

    def space_for(self, embedding: Embedding) -> KnownSpace:
        """The space of these vectors; raises SpaceMismatch when they can be put into none."""
        open_ones = [space for space in self.spaces if space.state != SpaceState.RETIRED]
        found = next((space for space in open_ones if space.fingerprint == embedding.fingerprint), None)
        if found is None:
            active = next((space for space in self.spaces if space.state == SpaceState.ACTIVE), None)
            raise SpaceMismatch(offered=embedding.fingerprint, active=active.fingerprint if active else "none")
        offered = embedding.vectors.shape[1]
        if offered != found.dimensions:
            raise other_dimensions(found.fingerprint, offered=offered, known=found.dimensions)
        return found


def other_dimensions(fingerprint: str, *, offered: int, known: int) -> SpaceMismatch:
    """Vectors of one embedder that have another length than its others."""
    return SpaceMismatch(
        offered=f"{fingerprint} with {offered} dimensions", active=f"{fingerprint} with {known} dimensions"
    )
