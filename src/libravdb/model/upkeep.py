"""What is told about the store and about work on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from libravdb.model.json import Metadata
from libravdb.model.recall import SearchMode


class SpaceState(StrEnum):
    """The life of a vector space in a store."""

    ACTIVE = "active"
    BUILDING = "building"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """The vectors of one embedder: `fingerprint` is its content, `description` is for people.

    `texts` counts the distinct texts that have vectors, `vectors` the vectors. `retired` grows with each switch: the
    space with the highest was in use last.
    """

    fingerprint: str
    dimensions: int
    description: Metadata
    state: SpaceState
    texts: int
    vectors: int
    retired: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredText:
    """A distinct text of the store, by its content address."""

    digest: bytes
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionInfo:
    """A collection and how many records it holds."""

    name: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """How much there is of something: records, and the bytes of their texts and metadata."""

    records: int = 0
    size_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStats:
    """Counts over the whole store. `unembedded` texts have no vector in the active space yet."""

    collections: int
    records: int
    texts: int
    unembedded: int
    edges: int
    journal: int
    sessions: int
    size_bytes: int
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreHealth:
    """Whether a store takes writes: `problem` says why not, `remedy` what to do; `is_readable`: it can be read at
    least. `checked_at` is when all of it was checked last, 0 when it was not since it was opened."""

    problem: str = ""
    remedy: str = ""
    checked_at: int = 0
    is_readable: bool = True

    @property
    def is_writable(self) -> bool:
        """Nothing stands against a write."""
        return not self.problem

    def words(self) -> str:
        """What to tell people; empty when all is well."""
        how = "is read-only" if self.is_readable else "cannot be used"
        return f"The store {how}: {self.problem}. {self.remedy}" if self.problem else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupCopy:
    """A copy of a store that was checked: its size, and the SHA-256 of its bytes in hex."""

    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """The state of a watcher. `mode` is scanning, notified, polling, stopped or failed; `waiting` notes are still to be
    read; `last_change` is 0 when there was none; of the problems the first are told in words."""

    folders: tuple[str, ...]
    mode: str
    documents: int
    waiting: int
    last_change: int
    problem_count: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of an engine: how it searches, with what, over what; in a daemon also the folders it watches."""

    version: str
    mode: SearchMode
    degraded: str
    embedder: Metadata
    spaces: tuple[Space, ...]
    store: StoreStats
    watch: Watching | None = None
    health: StoreHealth = StoreHealth()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedded:
    """What a re-embedding did: `found` and `required` are the self-check's shares (None: none was due)."""

    fingerprint: str
    embedded: int
    switched: bool
    found: float | None = None
    required: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import brought in. `known` counts the lines whose record was there already, and stayed as it was."""

    records: int = 0
    edges: int = 0
    journal: int = 0
    sessions: int = 0
    vectors: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What could not be saved from a damaged store: how many of a kind in a collection, the first of them by id. None
    for a number that cannot be known."""

    kind: str
    place: str = ""
    count: int | None = None
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """What was saved from a damaged store into a new one, and what was not. `mended` records were put right because
    something they stood for or stood behind is lost."""

    saved: Imported
    mended: int = 0
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A broken invariant that `fsck` found."""

    invariant: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedMemory:
    """What became another namespace's, or would: turns, durable memories, standing wishes, sessions in which any of it
    was said, and records in all."""

    namespace: str
    to_namespace: str
    turns: int
    memories: int
    wishes: int
    sessions: int
    records: int
    is_dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedPart:
    """A part of a store: a collection, the sessions, the vectors of a space; how much it is, and a digest of it all."""

    name: str
    count: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedStore:
    """A store that was copied, part by part as both sides hold it, and how many records were written for it now."""

    parts: tuple[CopiedPart, ...]
    written: int

    @property
    def records(self) -> int:
        """How many records there are."""
        return sum(part.count for part in self.parts if part.name.startswith("collection "))
