"""What has expired is shown by nothing from its moment on, and deleted soon after.

Every flow that shows something reads through a `LivingStore`: its snapshots pass over what has expired, and over all
that was made of it, as if it were deleted already. What keeps records in memory asks `hides` before it answers from
there. The sweep deletes it for good, as `forget` does; the daemon sweeps now and then, and every writer a little.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from libravdb.engine.former_versions import version_traces
from libravdb.engine.prepared_store import PreparedStore
from libravdb.engine.profile_records import profile_lines
from libravdb.engine.session_share import own_traces
from libravdb.engine.summary_invalidation import unfold
from libravdb.errors import InvalidInput
from libravdb.model import (
    ANYTHING,
    NOTHING_FORESEEN,
    Beside,
    Change,
    CollectionInfo,
    Commit,
    Edge,
    Embedding,
    Excluded,
    Features,
    Foreseen,
    JournalEntry,
    Key,
    Near,
    Order,
    Page,
    Put,
    Record,
    Restore,
    Revision,
    SessionState,
    Space,
    Topic,
    Vocabulary,
    Volume,
    Where,
    Word,
)
from libravdb.model.collections import (
    CollectionKind,
    durable_memory,
    parse_collection,
    session_collections,
    session_summaries,
    session_view,
)
from libravdb.model.turn_metadata import SOURCE_MEMORY, owner_of
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.store import NO_CONDITION, NOTHING_EXCLUDED, Snapshot, Store
from libravdb.ports.walls import Sight, for_nobody, sight
from libravdb.text.durations import DURATIONS, read_moment

if TYPE_CHECKING:
    from libravdb.model import Vector

BATCH = 128
"""Records that one step of a sweep deletes; writers in between wait for no more."""

_INT64 = 2**63
_MOST_SIGHTS = 256  # callers of whom it is kept in memory what they do not see any more


def expiry_moment(told: object, *, now: int) -> int:
    """The moment that somebody wrote for a text to expire: milliseconds, or as `read_moment` reads it. It lies ahead:
    what has expired already would be kept for nobody."""
    moment: int | None = None
    if isinstance(told, str):
        moment = read_moment(told, now=now)
    elif isinstance(told, int | float) and not isinstance(told, bool) and told == told // 1:
        moment = int(told)
    if moment is None or not -_INT64 <= moment < _INT64:
        remedy = f"Give milliseconds since 1970, a date or time such as 2026-12-01, or a span such as {DURATIONS}."
        raise InvalidInput("expires_at", f"is {str(told)[:40]!r}, which is no moment", remedy=remedy)
    if moment <= now:
        remedy = "Give a moment that is still to come, or do not keep the text at all."
        raise InvalidInput("expires_at", "lies in the past", remedy=remedy)
    return moment


def hides(snapshot: Snapshot, collection: str) -> bool:
    """True when a snapshot passes over something of a collection: what is kept in memory of it is no answer then."""
    return isinstance(snapshot, LivingSnapshot) and collection in snapshot.hidden


class LivingStore(PreparedStore):
    """A store in which nothing is seen that has expired. Usable from many threads."""

    def __init__(self, store: Store, *, clock: Clock, sweep: Callable[[int | None], int]) -> None:
        super().__init__(store, lambda changes: changes)
        self._clock = clock
        self._sweep = sweep
        self._sweeping = threading.Lock()
        self._knowing = threading.Lock()
        self._known: OrderedDict[Sight | None, _KnownExpired] = OrderedDict()

    @contextmanager
    def read(self, foreseen: Foreseen = NOTHING_FORESEEN) -> Iterator[Snapshot]:
        """The store at this moment, without what has expired."""
        with self._store.read(foreseen) as snapshot:
            expired = snapshot.expired(self._clock())
            known = self._known_now()
            if expired != known.expired:
                known = self._know(known.moved(snapshot, expired))
            yield LivingSnapshot(snapshot, known.hidden) if expired else snapshot

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        """Apply all changes or none. What is written where something has expired finds the place empty."""
        hidden = self._known_now().hidden
        written = (one.record if isinstance(one, Restore) else one for one in changes if isinstance(one, Put | Restore))
        if hidden and any(one.id in hidden.get(one.collection, ()) for one in written):
            self._sweep(None)
        done = super().commit(changes, unless=unless)
        if hidden and self._sweeping.acquire(blocking=False):
            try:
                self._sweep(BATCH)
            finally:
                self._sweeping.release()
        return done

    def _known_now(self) -> _KnownExpired:
        """What is known to whoever may see the same: of what somebody may not see he cannot know what it has left."""
        return self._known.get(sight(), _NOTHING_EXPIRED)

    def _know(self, known: _KnownExpired) -> _KnownExpired:
        with self._knowing:
            self._known[sight()] = known
            self._known.move_to_end(sight())
            while len(self._known) > _MOST_SIGHTS:
                self._known.popitem(last=False)
        return known


@dataclass(frozen=True, slots=True, kw_only=True)
class _KnownExpired:
    """What had expired at the last look, what was made of each, and all that is passed over for it."""

    expired: tuple[Key, ...] = ()
    traces: Mapping[Key, frozenset[Key]] = field(default_factory=dict)
    hidden: Excluded = field(default_factory=dict)

    def moved(self, snapshot: Snapshot, expired: tuple[Key, ...]) -> _KnownExpired:
        """The same after more has expired, or some was deleted. Only what is new is looked at."""
        new = [key for key in expired if key not in self.traces]
        found = traces_of(snapshot, new) if new else {}
        traces = {key: found[key] if key in found else self.traces[key] for key in expired}
        hidden: dict[str, set[str]] = {}
        for key, made in traces.items():
            for collection, id in (key, *made):
                hidden.setdefault(collection, set()).add(id)
        return _KnownExpired(
            expired=expired,
            traces=traces,
            hidden={collection: frozenset(ids) for collection, ids in hidden.items()},
        )


_NOTHING_EXPIRED = _KnownExpired()


def traces_of(snapshot: Snapshot, expired: Collection[Key]) -> dict[Key, frozenset[Key]]:
    """What was made of each of these: whatever its turn left, what a profile has of it, what it said before it was
    updated, and the summaries that may hold something of it."""
    found = {key: {key} for key in expired}
    for key, record in snapshot.records(expired).items():
        found[key] |= set(own_traces(snapshot, record))
    memories = {place: key for key, places in found.items() for place in places if _is_memory(place)}
    for line in profile_lines(snapshot, memories):
        memory = Key(durable_memory(owner_of(line)), str(line.metadata[SOURCE_MEMORY]))
        found[memories[memory]].add(Key(line.collection, line.id))
    for version in version_traces(snapshot, memories):
        owner, id = parse_collection(version.collection).owner, str(version.metadata[SOURCE_MEMORY])
        found[memories[Key(durable_memory(owner), id)]].add(Key(version.collection, version.id))
    for opened in unfold(snapshot, {place for places in found.values() for place in places}, now=0):
        own = set(session_collections(opened.session))
        names = session_summaries(opened.session), session_view(opened.session)
        gone = {Key(name, id) for id in opened.opened for name in names}
        for places in found.values():
            if any(place.collection in own for place in places):
                places.update(gone)
    return {key: frozenset(places) for key, places in found.items()}


def _is_memory(place: Key) -> bool:
    return parse_collection(place.collection).kind is CollectionKind.DURABLE_MEMORY


def united(one: Excluded, other: Excluded) -> Excluded:
    """What either passes over."""
    none: frozenset[str] = frozenset()
    return {name: one.get(name, none) | other.get(name, none) for name in {**one, **other}}


class Expiry:
    """Deletes what has expired. Usable from many threads: two may sweep at once, to the same end."""

    def __init__(self, *, store: Store, forget: Callable[[str, Sequence[str]], int], clock: Clock) -> None:
        self._store = store
        self._forget = forget
        self._clock = clock

    def expired(self) -> tuple[Key, ...]:
        """What has expired by now, and is still in the store."""
        with self._store.read() as snapshot:
            return snapshot.expired(self._clock())

    def sweep(self, most: int | None = None, progress: Progress = no_progress) -> int:
        """Delete what has expired, wherever it left text, a little at a time; returns how many records had. Whoever
        writes does it for all: what is left of a text may stand where he sees nothing."""
        gone = 0
        with for_nobody():
            while most is None or gone < most:
                with self._store.read() as snapshot:
                    due = snapshot.expired(self._clock(), limit=BATCH if most is None else min(BATCH, most - gone))
                if not due:
                    break
                grouped: dict[str, list[str]] = {}
                for key in due:
                    grouped.setdefault(key.collection, []).append(key.id)
                for collection, ids in grouped.items():
                    self._forget(collection, ids)
                gone += len(due)
                progress(gone, gone)
        return gone


class LivingSnapshot:
    """Implements the port `Snapshot` over another one, and passes over what is hidden."""

    def __init__(self, snapshot: Snapshot, hidden: Excluded) -> None:
        self._snapshot = snapshot
        self.hidden = hidden

    def _seen(self, keys: Collection[Key]) -> list[Key]:
        return [key for key in keys if key.id not in self.hidden.get(key.collection, ())]

    def _without(self, exclude: Excluded) -> Excluded:
        return united(self.hidden, exclude) if exclude else self.hidden

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """Which commit changed each of these last."""
        return self._snapshot.revisions(topics)

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────

    def records(self, keys: Collection[Key]) -> Mapping[Key, Record]:
        """Those of these records that there are, and may be seen."""
        return self._snapshot.records(self._seen(keys))

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
        """Records of a collection in an order."""
        return self._snapshot.page(
            collection, order=order, where=where, after=after, limit=limit, exclude=self._without(exclude)
        )

    def expired(self, now: int, *, limit: int | None = None) -> tuple[Key, ...]:
        """The records whose moment to go has come: those that are passed over here."""
        return self._snapshot.expired(now, limit=limit)

    def holding(self, collection: str, digests: Collection[bytes]) -> Mapping[bytes, tuple[Record, ...]]:
        """The records of a collection that hold exactly these texts."""
        hidden = self.hidden.get(collection, frozenset())
        found = {
            digest: tuple(record for record in records if record.id not in hidden)
            for digest, records in self._snapshot.holding(collection, digests).items()
        }
        return {digest: records for digest, records in found.items() if records}

    def distinct(self, collection: str, key: str, *, limit: int) -> tuple[str, ...]:
        """The texts that stand under a metadata key in a collection."""
        return self._snapshot.distinct(collection, key, limit=limit)

    # ── collections and sessions ──────────────────────────────────────────────────────────────────────────

    def sizes(self, collections: Collection[str]) -> Mapping[str, int]:
        """How many records each of these holds, those that are passed over included: it is what the file holds."""
        return self._snapshot.sizes(collections)

    def volume(self, collections: Collection[str], *, owner: str | None = None) -> Volume:
        """How much there is, counted as `sizes` counts."""
        return self._snapshot.volume(collections, owner=owner)

    def collections(
        self, *, owner: str | None = None, prefix: str = "", after: str | None = None, limit: int | None = None
    ) -> Page[CollectionInfo]:
        """Collections in byte order of their names."""
        return self._snapshot.collections(owner=owner, prefix=prefix, after=after, limit=limit)

    def states(self, sessions: Collection[str]) -> Mapping[str, SessionState]:
        """The states of these sessions."""
        return self._snapshot.states(sessions)

    def states_of(self, owner: str | None, *, after: str | None = None, limit: int | None = None) -> Page[SessionState]:
        """The states of the sessions of a namespace."""
        return self._snapshot.states_of(owner, after=after, limit=limit)

    def edges(
        self, session: str | None, *, parents: Collection[str] | None = None, children: Collection[str] | None = None
    ) -> tuple[Edge, ...]:
        """Coverage edges."""
        return self._snapshot.edges(session, parents=parents, children=children)

    def journal(self, *, sessions: Collection[str] | None = None, limit: int | None = None) -> tuple[JournalEntry, ...]:
        """Journal entries, newest last."""
        return self._snapshot.journal(sessions=sessions, limit=limit)

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
        """The k records of each collection closest to a vector."""
        return self._snapshot.nearest(
            collections, embedding, k=k, where=where, exclude=self._without(exclude), is_whole=is_whole
        )

    def matching(
        self,
        collections: Sequence[str],
        words: Sequence[Word],
        *,
        k: int,
        where: Where = ANYTHING,
        exclude: Excluded = NOTHING_EXCLUDED,
    ) -> tuple[Key, ...]:
        """Up to k records of each collection that hold some of these words."""
        return self._snapshot.matching(collections, words, k=k, where=where, exclude=self._without(exclude))

    def neighbours(
        self, keys: Collection[Key], *, where: Where = ANYTHING, exclude: Excluded = NOTHING_EXCLUDED
    ) -> Mapping[Key, Beside]:
        """The turns right before and after these in their session."""
        return self._snapshot.neighbours(self._seen(keys), where=where, exclude=self._without(exclude))

    def features(
        self, keys: Collection[Key], *, embedding: Embedding | None, words: Sequence[Word]
    ) -> Mapping[Key, Features]:
        """What ranking measures of these records."""
        return self._snapshot.features(self._seen(keys), embedding=embedding, words=words)

    def vocabularies(self, collections: Collection[str], words: Sequence[Word]) -> Mapping[str, Vocabulary]:
        """How common words are in each of these collections."""
        return self._snapshot.vocabularies(collections, words)

    # ── vectors ───────────────────────────────────────────────────────────────────────────────────────────

    def spaces(self, *, is_counted: bool = True) -> tuple[Space, ...]:
        """Vector spaces, the active one first."""
        return self._snapshot.spaces(is_counted=is_counted)

    def vectors(self, fingerprint: str, digests: Collection[bytes]) -> Mapping[bytes, Vector]:
        """The stored vectors of these texts in a space."""
        return self._snapshot.vectors(fingerprint, digests)
