"""The port of whatever keeps memory: records, vectors and words in one crash-safe place.

More than one database can keep this contract, so it promises nothing that only one file in one process can give:

- **One moment.** Whatever is read through one `Snapshot` is of one moment; commits of others do not show in it.
- **Acknowledged means durable.** When `commit` has returned, a kill loses nothing. A commit is atomic.
- **Revisions.** Every topic has the number of the commit that changed it last, also over other processes. A cache above
  this port is right as long as it knows the revision it was read at; a decision is still right when `commit` finds
  the topics of `unless` where they were.
- **No text is analysed here.** What a text is indexed under comes with it (`Put.terms`), and a question comes as words.
- **Ranking is not done here.** Reads give candidates in a good order, and features that are exact.
- Texts and names hold no NUL. A filter lets through exactly what `Where.passes` does (`model/filters.py`), before k:
  numbers compare as numbers, 1 equals 1.0 and neither equals true, texts are ordered by code point.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, Self

from libravdb.model import (
    ANYTHING,
    NOTHING_FORESEEN,
    BackupCopy,
    Beside,
    Change,
    CollectionInfo,
    Commit,
    DeletedContent,
    Edge,
    Embedding,
    ErasureCheck,
    Excluded,
    Features,
    Finding,
    Foreseen,
    JournalEntry,
    Key,
    Metadata,
    Near,
    Order,
    Page,
    Record,
    Revision,
    SessionState,
    Space,
    StoreCopy,
    StoredText,
    StoreHealth,
    StoreStats,
    Terms,
    Topic,
    Vocabulary,
    Volume,
    Where,
    Word,
)
from libravdb.ports.clock import Progress, no_progress

if TYPE_CHECKING:
    from libravdb.model import Vector

NOTHING_EXCLUDED: Excluded = MappingProxyType({})
NO_CONDITION: Mapping[Topic, Revision] = MappingProxyType({})

Analyse = Callable[[str], Terms]
"""What a text is indexed under."""


class Snapshot(Protocol):
    """The store as it is at one moment. Used by one thread, and only while its `read` lasts."""

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """Which commit changed each of these last; 0 where there is nothing."""

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────

    def records(self, keys: Collection[Key]) -> Mapping[Key, Record]:
        """Those of these records that there are."""

    def page(
        self,
        collection: str,
        *,
        order: Order = Order.ID,
        where: Where = ANYTHING,
        after: str | None = None,
        limit: int | None = None,
        exclude: Excluded = NOTHING_EXCLUDED,
    ) -> Page[Record]:
        """Records of a collection in an order, from the one behind `after`: a page's `next`, or by id any id. What is
        excluded is passed over, and never shortens a page."""

    def expired(self, now: int, *, limit: int | None = None) -> tuple[Key, ...]:
        """The records whose moment to go has come: those with a whole number up to `now` under the metadata key
        `memory_expires_at`. By that number, then collection and id, at a cost of what has expired."""

    def holding(self, collection: str, digests: Collection[bytes]) -> Mapping[bytes, tuple[Record, ...]]:
        """The records of a collection that hold exactly these texts, by time, then id; texts that none holds are left
        out."""

    def distinct(self, collection: str, key: str, *, limit: int) -> tuple[str, ...]:
        """The texts that stand under a metadata key in a collection, by their bytes; of more than `limit` only some."""

    # ── collections and sessions ──────────────────────────────────────────────────────────────────────────

    def sizes(self, collections: Collection[str]) -> Mapping[str, int]:
        """How many records each of these holds; 0 where there is none."""

    def collections(
        self, *, owner: str | None = None, prefix: str = "", after: str | None = None, limit: int | None = None
    ) -> Page[CollectionInfo]:
        """Collections in byte order of their names, those that start with `prefix`; with `owner`, only those that hold
        records of that namespace (`userId`), at a cost of what it holds."""

    def volume(self, collections: Collection[str], *, owner: str | None = None) -> Volume:
        """How much stands in these collections, and with `owner` in all records of that namespace (`userId`) wherever
        they stand; each record counts once. Costs what there is."""

    def states(self, sessions: Collection[str]) -> Mapping[str, SessionState]:
        """The states of these sessions, of those that have one."""

    def states_of(self, owner: str | None, *, after: str | None = None, limit: int | None = None) -> Page[SessionState]:
        """The states of the sessions that hold turns of a namespace (None: of all), in byte order of their names."""

    def edges(
        self, session: str | None, *, parents: Collection[str] | None = None, children: Collection[str] | None = None
    ) -> tuple[Edge, ...]:
        """Coverage edges by session, parent, position, child; None for those of all. With `parents` only those from
        these, with `children` only those to these, at a cost of what there is of them."""

    def journal(self, *, sessions: Collection[str] | None = None, limit: int | None = None) -> tuple[JournalEntry, ...]:
        """Journal entries, newest last; `limit` keeps the newest."""

    # ── candidates and features ───────────────────────────────────────────────────────────────────────────

    def nearest(
        self,
        collections: Sequence[str],
        embedding: Embedding,
        *,
        k: int,
        where: Where = ANYTHING,
        exclude: Excluded = NOTHING_EXCLUDED,
        is_whole: bool = False,
    ) -> tuple[Near, ...]:
        """The k records of each collection closest to a vector: collections as asked, then best first, equals by id.

        The filter comes before k. Every cosine is exact; which records are found may miss a few of a large collection
        (at least 95 of 100 are right). `is_whole` compares whole texts only, not their passages. Raises SpaceMismatch
        when the vector is not of the space in use.
        """

    def matching(
        self,
        collections: Sequence[str],
        words: Sequence[Word],
        *,
        k: int,
        where: Where = ANYTHING,
        exclude: Excluded = NOTHING_EXCLUDED,
    ) -> tuple[Key, ...]:
        """Up to k records of each collection that hold some of these words: collections as asked, then those that tell
        most first, by any good measure; equals by id."""

    def neighbours(
        self, keys: Collection[Key], *, where: Where = ANYTHING, exclude: Excluded = NOTHING_EXCLUDED
    ) -> Mapping[Key, Beside]:
        """The turns right before and after these in their session (`sessionId`; by time, then arrival). A record that
        the filter or an exclusion hides is nobody's neighbour, unless it was asked for."""

    def features(
        self, keys: Collection[Key], *, embedding: Embedding | None, words: Sequence[Word]
    ) -> Mapping[Key, Features]:
        """What ranking measures of these records, exactly."""

    def vocabularies(self, collections: Collection[str], words: Sequence[Word]) -> Mapping[str, Vocabulary]:
        """How common words are in each of these collections, of those that there are."""

    # ── vectors ───────────────────────────────────────────────────────────────────────────────────────────

    def spaces(self, *, is_counted: bool = True) -> tuple[Space, ...]:
        """Vector spaces, the active one first, then by fingerprint. How much is in them may be told as 0 to those who
        do not need it: where many write at once, it is known only by counting."""

    def vectors(self, fingerprint: str, digests: Collection[bytes]) -> Mapping[bytes, Vector]:
        """The stored vectors of these texts in a space (float16 precision), of those that have some."""


class VectorSpaces(Protocol):
    """The vectors of every embedder that the store has known; one space at a time is in use."""

    def open(self, *, fingerprint: str, dimensions: int, description: Metadata) -> Space:
        """Make the space known: active when the store has no active one, else building. Idempotent."""

    def activate(self, fingerprint: str) -> None:
        """Switch search over to this space in one step; the one that was active is retired, and kept."""

    def drop(self, fingerprint: str) -> None:
        """Delete a space that is not active, with its vectors."""

    def missing(self, fingerprint: str, *, limit: int) -> tuple[StoredText, ...]:
        """Non-empty texts that have no vector in this space, oldest first."""

    def add(self, items: Sequence[tuple[bytes, Embedding]]) -> int:
        """Attach vectors to texts by digest, in one commit; texts that are gone are skipped, the rest counted."""

    def sample(self, limit: int) -> tuple[StoredText, ...]:
        """Up to `limit` non-empty texts spread evenly over the store, oldest first; always the same ones."""


class Maintenance(Protocol):
    """What an operator asks of the store as a whole."""

    @property
    def makes_backups(self) -> bool:
        """Whether `backup` copies it to a file; else that is refused, and somebody else's task."""

    def stats(self) -> StoreStats:
        """Counts over the whole store."""

    def health(self) -> StoreHealth:
        """Whether the store takes writes right now, and if not, why and what to do. What is sound can be read."""

    def check(self) -> StoreHealth:
        """Read all of the store's file once; from the first damage on every write is refused."""

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant, read-only; yields what is broken."""

    def backup(self, target: Path, progress: Progress = no_progress) -> BackupCopy:
        """Copy a consistent state to a new file while others read and write, and verify the copy. One that is not
        sound is removed again, and refused."""

    def analysis(self) -> str:
        """The name of the analysis that made the index of words; empty when it must be made anew."""

    def reindex(self, analysis: str, analyse: Analyse, progress: Progress = no_progress) -> None:
        """Index every text anew by an analysis, in one commit."""

    # ── erasure ───────────────────────────────────────────────────────────────────────────────────────────

    def identity(self) -> str:
        """What tells this store from every other; a backup of it is the same store."""

    def revision(self) -> Revision:
        """The number of the newest commit."""

    def change_token(self) -> str:
        """The same text as long as nobody commits anything, and another one once what somebody committed can be read:
        where several write, a commit may come to light after one of a greater number."""

    def secret(self) -> bytes:
        """A key that only the owner of the store can read, made at first use. Copies do not hold it."""

    def note_copy(self, copy: StoreCopy) -> None:
        """Remember that the store was copied to a file; no commit, and the same file again counts once."""

    def copies(self) -> tuple[StoreCopy, ...]:
        """The files that the store was copied to, the first copy first, and which of them are still there."""

    def refuse_unpurgeable(self) -> None:
        """Raise when what is deleted now could not be wiped: whoever asks first has deleted nothing by then."""

    def purge(self, *, is_anew: bool = False) -> tuple[ErasureCheck, ...]:
        """Wipe what deletions left behind, and tell what can be said of it then; `is_anew` also wipes what nobody could
        look for. A check that fails tells what stands in the way."""

    def residue(self, deleted: DeletedContent, *, is_alone: bool = False) -> tuple[ErasureCheck, ...]:
        """Look for what was deleted in all that the store consists of. What somebody else still holds is no residue;
        `is_alone` lets writers wait until all has been looked at, where that is not done at one moment anyway."""


class Store(Protocol):
    """Records, vectors and words in one crash-safe place; see the module."""

    @property
    def vectors(self) -> VectorSpaces:
        """Its vector spaces."""

    @property
    def maintenance(self) -> Maintenance:
        """What operators need."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes write to it as we do: what the next one should know must not wait in memory then."""

    def read(self, foreseen: Foreseen = NOTHING_FORESEEN) -> AbstractContextManager[Snapshot]:
        """The store at this moment, for as long as the block lasts. Reads never wait for writes."""

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        """Apply all changes or none; returns the number of the commit (0 when there was nothing to do), and where the
        topics stood that it touched.

        Raises Conflict, and changes nothing, when a topic of `unless` is no longer at the revision given, or an
        `expect` does not hold.
        """

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """As of now which commit changed each of these last; 0 where there is nothing."""

    def exclusive(self, name: str, *, is_waiting: bool = True) -> AbstractContextManager[bool]:
        """A block that nobody else is inside of under this name, over all processes that share the store: True inside
        of it. Who does not wait gets False while somebody is. What happens inside is no transaction, and who dies there
        lets go of it; names are apart from those of topics. Over a network a holder whose connection is lost goes on
        while another one begins: it saves work, and what is written inside must be right by its own conditions."""

    def close(self) -> None:
        """Finish what was accepted and let go of the store; closing twice is fine."""


class OpenStore(Store, Protocol):
    """A store as whoever opened it has it: at the end of its block it is closed."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
