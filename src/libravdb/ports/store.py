"""The seams: what the engine needs from disk, models and clocks. Implementations stand at the edge.

Every implementation of a port passes that port's contract suite in `tests/contract`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from libravdb.model import (
    ANYTHING,
    Candidate,
    CandidateSet,
    Change,
    CollectionInfo,
    Draft,
    Edge,
    Embedding,
    Finding,
    JournalEntry,
    Metadata,
    Query,
    Record,
    SessionState,
    Space,
    StoredText,
    StoreStats,
    SummaryTask,
    Where,
)

if TYPE_CHECKING:
    from libravdb.model import Vector

Clock = Callable[[], int]
"""Now, in milliseconds since 1970 UTC."""

Progress = Callable[[int, int], None]
"""Told (done, total) while long work goes on."""


def no_progress(done: int, total: int) -> None:
    """Nobody is watching."""


class Store(Protocol):
    """Records, vectors and full text in one crash-safe place.

    Acknowledged means durable: when `commit` has returned, a kill loses nothing. A commit is atomic, also
    over many records. Reads never wait for writes.
    """

    def commit(self, changes: Sequence[Change]) -> None:
        """Apply all changes or none. Raises Conflict when an `expect` does not hold."""

    def get(self, collection: str, id: str) -> Record | None:
        """One record, or None."""

    def scan(
        self, collection: str, *, where: Where = ANYTHING, after: str | None = None, limit: int | None = None
    ) -> list[Record]:
        """Records in byte order of their ids, from the one behind `after`."""

    def latest(self, collection: str, *, limit: int, where: Where = ANYTHING) -> list[Record]:
        """The newest records first (time, then id descending)."""

    def holding(self, collection: str, text: str) -> list[Record]:
        """The records of a collection that hold exactly this text, by time, then id."""

    def collections(self, prefix: str = "") -> list[CollectionInfo]:
        """Collections in byte order of their names, those that start with `prefix`."""

    def speakers(self, collection: str, *, limit: int = 256) -> list[str]:
        """Who speaks in a collection (`speaker` in the metadata), by name; of more than `limit` only some."""

    def search(self, query: Query) -> list[Candidate]:
        """Dense and lexical candidates of every asked collection, from one consistent view.

        Each collection contributes its `k` best by cosine and its `k` best by BM25; a candidate found by
        words alone also carries its cosine. Order: collection as asked, then id.
        """

    def survey(self, query: Query) -> CandidateSet:
        """What ranking needs, from one consistent view: candidates as `search` finds them, each measured in full, and
        how common the question's words are in each collection.

        In a collection of `query.linked` the turns right before and after the best `query.links` candidates of each
        kind in their session (`sessionId`; by time, then arrival) are met too, as far as the filter lets them through.
        Order: collection as asked, then id.
        """

    def edges(self, session: str | None = None, *, parent: str | None = None) -> list[Edge]:
        """Coverage edges by session, parent, position, child."""

    def journal(self, *, session: str | None = None, limit: int | None = None) -> list[JournalEntry]:
        """Journal entries, newest last; `limit` keeps the newest."""

    def session_state(self, session: str) -> SessionState | None:
        """A session's own state, or None."""

    def sessions(self) -> list[SessionState]:
        """Every session with a state, in byte order of the names."""

    def spaces(self) -> list[Space]:
        """Vector spaces, the active one first, then by fingerprint."""

    def open_space(self, *, fingerprint: str, dimensions: int, description: Metadata) -> Space:
        """Make the space known: active when the store has no active one, else building. Idempotent."""

    def activate_space(self, fingerprint: str) -> None:
        """Switch search over to this space in one step; the one that was active is retired, and kept."""

    def drop_space(self, fingerprint: str) -> None:
        """Delete a space that is not active, with its vectors."""

    def unembedded(self, fingerprint: str, *, limit: int) -> list[StoredText]:
        """Non-empty texts that have no vector in this space, oldest first."""

    def unembedded_among(self, fingerprint: str, texts: Sequence[str]) -> list[str]:
        """Those of the given texts that have no vector in this space, in the order given, each once."""

    def add_vectors(self, items: Sequence[tuple[bytes, Embedding]]) -> int:
        """Attach vectors to texts by digest, in one commit; texts that are gone are skipped, the rest counted."""

    def sample_texts(self, limit: int) -> list[StoredText]:
        """Up to `limit` non-empty texts spread evenly over the store, oldest first; always the same ones."""

    def vectors(self, fingerprint: str, text: str) -> Vector | None:
        """The stored vectors of a text in a space (float16 precision), or None."""

    def stats(self) -> StoreStats:
        """Counts over the whole store."""

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant, read-only; yields what is broken."""

    def backup(self, target: Path, progress: Progress = no_progress) -> None:
        """Copy a consistent state to a new file while others read and write."""

    def close(self) -> None:
        """Finish what was accepted and let go of the file; closing twice is fine."""


class Embedder(Protocol):
    """Texts to vectors. Deterministic: the same text gives the same vectors, whatever else is embedded."""

    @property
    def fingerprint(self) -> str:
        """Identifies the model by content: equal fingerprints mean interchangeable vectors."""

    @property
    def dimensions(self) -> int:
        """The length of every vector."""

    @property
    def description(self) -> Metadata:
        """For people and for loading the same embedder again: backend, name, where it came from."""

    def embed_text(self, text: str) -> Vector:
        """All vectors of a text to be kept, as rows: the whole first, then its passages."""

    def embed_texts(self, texts: Sequence[str], progress: Progress = no_progress) -> list[Vector]:
        """`embed_text` for many, as fast as the machine allows."""

    def embed_query(self, text: str) -> Vector:
        """One vector for a question."""

    def probe(self) -> Vector | None:
        """The vector of a fixed sentence, where the fingerprint is a name and not the content: a server may change
        its model behind the same name. None where the fingerprint says it all."""

    def close(self) -> None:
        """Let go of the model."""


class Summariser(Protocol):
    """Writes a shorter text that stands for many. What it writes is measured before it replaces anything."""

    @property
    def name(self) -> str:
        """What a draft's `method` says: extractive, onnx …"""

    def summarise(self, task: SummaryTask) -> Draft:
        """One draft for the task. Raises SummariserError when there is none to be had."""

    def close(self) -> None:
        """Let go of the model; closing twice is fine."""
