"""A store copied into another one of any kind, as it is: from a file into a database, and back.

    marked ─► spaces ─► records ─► vectors ─► sessions, edges, journal ─► spaces in use ─► compared ─► mark taken away

What is there already, and the same, is not written again, so a copy that was broken off goes on where it stopped. At
the end both sides are read once more, each as of one moment, and compared part by part, by counts and digests: only a
copy that is the same is a copy. The first store is only read.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

from libravdb.engine.indexing import IndexingStore
from libravdb.engine.pages import PAGE, every_record
from libravdb.errors import StoreBusy, StoreError
from libravdb.model import (
    Append,
    Change,
    ClearJournal,
    CopiedPart,
    CopiedStore,
    DropCollection,
    DropState,
    Embedding,
    EnsureCollection,
    Key,
    Link,
    Order,
    Put,
    Record,
    Remove,
    Restore,
    RestoreState,
    Space,
    SpaceState,
    Unlink,
    digest,
)
from libravdb.model.collections import UNFINISHED_COPY
from libravdb.model.turn_metadata import SESSION
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.store import Snapshot, Store

BATCH = 256
"""Records that one commit writes."""

BATCH_CHARS = 2_000_000
"""Characters of texts that one commit writes, but for a single longer one."""

ROUNDS = 5
"""How often what others write to the first store meanwhile is brought along."""

JOURNAL_ROOM = 2**31 - 1
_COLLECTION, _VECTORS = "collection ", "vectors of "  # before the name of a part
T = TypeVar("T")


def copy_store(source: Store, target: Store, progress: Progress = no_progress) -> CopiedStore:
    """Make an empty store the same as another one, or go on with it; returns what was compared at the end.

    Raises StoreError when the target holds something else, and StoreBusy when others go on writing to the source.
    """
    if source.maintenance.identity() == target.maintenance.identity():
        raise StoreError("the target", "is the first store under another name", remedy="Name an empty one.")
    copy = _Copy(source, IndexingStore(target))
    if not copy.is_begun():
        copy.begin()
    for _ in range(ROUNDS):
        steps = _Steps(progress)
        with source.read() as snapshot:
            copy.bring(snapshot, steps)
        with source.read() as snapshot, target.read() as made:
            wanted = steps.compared(snapshot)
            found = tuple(_with_what_counts(steps.compared(made), snapshot))
        if wanted == found:
            copy.finish()
            return CopiedStore(parts=found, written=copy.written)
    differing = [one.name for one, other in itertools.zip_longest(wanted, found) if one != other and one is not None]
    raise StoreBusy(
        "the store",
        f"others write to it while it is copied ({', '.join(differing[:5])} still differ)",
        remedy="Stop whatever uses it, and run the same command again: it goes on where it was.",
    )


class _Steps:
    """How far a copy is: every record is brought, then read once more on both sides."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._done = self._total = 0

    def begin(self, records: int) -> None:
        """So many records there are to be brought."""
        self._total = 3 * records
        self.take(0)

    def take(self, records: int) -> None:
        """So many more are done."""
        self._done += records
        self._progress(self._done, max(self._total, self._done))

    def compared(self, snapshot: Snapshot) -> tuple[CopiedPart, ...]:
        """Every part of a side."""
        parts: list[CopiedPart] = []
        for part in compared(snapshot):
            parts.append(part)
            self.take(part.count if part.name.startswith(_COLLECTION) else 0)
        return tuple(parts)


class _Copy:
    """One copy under way."""

    def __init__(self, source: Store, target: Store) -> None:
        self._source = source
        self._target = target
        self._mark = Put(collection=UNFINISHED_COPY, id=source.maintenance.identity(), text="", at=0, metadata={})
        self.written = 0

    # ── beginning and end ─────────────────────────────────────────────────────────────────────────────────

    def is_begun(self) -> bool:
        """Whether the target holds a part of this very store. Raises StoreError when it holds anything else."""
        with self._target.read() as made:
            marks = [record.id for record in every_record(made, UNFINISHED_COPY)]
            is_used = any(space.vectors for space in made.spaces())  # one without vectors comes with a first start
            is_empty = not (made.collections(limit=1).items or made.states_of(None, limit=1).items or is_used)
            has_journal = bool(made.journal(limit=1))
        if marks == [self._mark.id]:
            return True
        if (is_empty and not has_journal) or self._is_copied():
            return False
        problem = "holds an unfinished copy of another store" if marks else "holds memory already"
        raise StoreError(
            "the target",
            problem,
            remedy="Name an empty one; 'libravdb export' and 'import' bring two memories together.",
        )

    def _is_copied(self) -> bool:
        """Whether a former copy came to its end."""
        with self._source.read() as snapshot, self._target.read() as made:
            found = _with_what_counts(compared(made), snapshot)
            return all(one == other for one, other in itertools.zip_longest(compared(snapshot), found))

    def begin(self) -> None:
        """Mark the target, so that nobody takes a part for the whole."""
        self._target.commit([self._mark])

    def finish(self) -> None:
        """It is whole."""
        self._target.commit([DropCollection(name=UNFINISHED_COPY)])

    # ── the parts ─────────────────────────────────────────────────────────────────────────────────────────

    def bring(self, snapshot: Snapshot, steps: _Steps) -> None:
        """Bring the target to a moment of the source."""
        self._drop_other_spaces(snapshot)
        spaces = self._open_spaces(snapshot)
        infos = snapshot.collections().items
        with self._target.read() as made:
            known = {info.name for info in made.collections().items}
        gone = known - {info.name for info in infos} - {UNFINISHED_COPY}
        self._commit(DropCollection(name=name) for name in sorted(gone))
        self._commit(EnsureCollection(name=info.name) for info in infos if info.name not in known)
        steps.begin(sum(info.records for info in infos))
        active = next((space.fingerprint for space in spaces if space.state is SpaceState.ACTIVE), "")
        for info in infos:
            self._remove_surplus(snapshot, info.name)
            for moments in _weighed(in_arrival(snapshot, info.name)):
                self._bring_records(snapshot, info.name, moments, active)
                steps.take(sum(map(len, moments)))
        for space in spaces:
            self._bring_vectors(snapshot, space.fingerprint)
        self._bring_sessions(snapshot)
        self._use_spaces(spaces)

    def _remove_surplus(self, snapshot: Snapshot, collection: str) -> None:
        """What the source has deleted since an earlier attempt."""
        with self._target.read() as made:
            ids = [record.id for record in every_record(made, collection)]
        for some in _some(ids, PAGE):
            kept = snapshot.records([Key(collection, id) for id in some])
            self._commit(Remove(collection=collection, id=id) for id in some if Key(collection, id) not in kept)

    def _bring_records(
        self, snapshot: Snapshot, collection: str, moments: Sequence[Sequence[Record]], active: str
    ) -> None:
        """What was said in one moment is written anew together: among them the order of arrival tells who was first."""
        keys = [Key(collection, record.id) for moment in moments for record in moment]
        with self._target.read() as made:
            known = made.records(keys)
        missing = [moment for moment in moments if not all(_is_same(one, known.get(_key(one))) for one in moment)]
        records = [record for moment in missing for record in moment]
        vectors = snapshot.vectors(active, {digest(record.text) for record in records}) if active and records else {}
        changes: list[Change] = []
        for record in records:
            rows = vectors.get(digest(record.text))
            embedding = None if rows is None else Embedding(fingerprint=active, vectors=rows)
            changes.append(Restore(record=record, embedding=embedding))
        if changes:
            self._target.commit(changes)
            self.written += len(changes)

    def _bring_vectors(self, snapshot: Snapshot, fingerprint: str) -> None:
        """The vectors of a space that the target's texts do not have yet."""
        if self._is_retired(fingerprint):
            return  # it was whole before another one took its place
        for info in snapshot.collections().items:
            for some in _some(every_record(snapshot, info.name), PAGE):
                digests = {digest(record.text) for record in some if record.text}
                held = snapshot.vectors(fingerprint, digests)
                with self._target.read() as made:
                    known = made.vectors(fingerprint, held.keys())
                new = [(one, Embedding(fingerprint=fingerprint, vectors=held[one])) for one in held if one not in known]
                if new:
                    self._target.vectors.add(new)

    def _bring_sessions(self, snapshot: Snapshot) -> None:
        with self._target.read() as made:
            known_states = {state.session: state for state in made.states_of(None).items}
            known_edges = set(made.edges(None))
            known_journal = [_told(entry.session, entry.at, entry.entry) for entry in made.journal()]
        states = {state.session: state for state in snapshot.states_of(None).items}
        edges, journal = snapshot.edges(None), snapshot.journal()
        self._commit(DropState(session=session) for session in sorted(known_states.keys() - states.keys()))
        self._commit(
            RestoreState(state=state)
            for state in states.values()
            if (known := known_states.get(state.session)) is None or _told(*_fields(known)) != _told(*_fields(state))
        )
        moved = {edge.session for edge in known_edges.symmetric_difference(edges)}
        self._commit(Unlink(session=session) for session in sorted(moved))
        self._commit(Link(edge=edge) for edge in edges if edge.session in moved)
        if known_journal != [_told(entry.session, entry.at, entry.entry) for entry in journal]:
            said = (Append(session=e.session, at=e.at, entry=e.entry, keep=JOURNAL_ROOM) for e in journal)
            self._commit(itertools.chain([ClearJournal()], said))

    # ── vector spaces ─────────────────────────────────────────────────────────────────────────────────────

    def _drop_other_spaces(self, snapshot: Snapshot) -> None:
        """Let go of what a first start left in the target, and of what the source dropped meanwhile: spaces are then in
        use one after the other, as they were in the source."""
        spaces = sorted(snapshot.spaces(), key=_age)
        used = [space.fingerprint for space in spaces if space.state is not SpaceState.BUILDING]
        known = self._spaces()
        active = next((name for name, state in known.items() if state is SpaceState.ACTIVE), None)
        before = used[: used.index(active)] if active in used else used
        is_in_turn = active in used and all(known.get(name) is SpaceState.RETIRED for name in before)
        kept = {space.fingerprint for space in spaces}
        if active is not None and used and not is_in_turn:
            self._open(spaces[0])
            self._target.vectors.activate(used[0])
            kept = {used[0]}
        for name, state in self._spaces().items():
            if state is not SpaceState.ACTIVE and name not in kept:
                self._target.vectors.drop(name)

    def _open(self, space: Space) -> None:
        self._target.vectors.open(
            fingerprint=space.fingerprint, dimensions=space.dimensions, description=space.description
        )

    def _open_spaces(self, snapshot: Snapshot) -> list[Space]:
        """Make the spaces known in the order in which they were in use; the rest is switched to when it is whole."""
        spaces = sorted(snapshot.spaces(), key=_age)
        known = self._spaces()
        for space in spaces:
            if space.fingerprint not in known:  # opening one that is retired would bring it back
                self._open(space)
        return spaces

    def _use_spaces(self, spaces: Sequence[Space]) -> None:
        """Switch from one to the next, so that each is what it is in the source."""
        for space in spaces:
            known = self._spaces()[space.fingerprint]
            if space.state is not SpaceState.BUILDING and known is SpaceState.BUILDING:
                self._target.vectors.activate(space.fingerprint)

    def _is_retired(self, fingerprint: str) -> bool:
        return self._spaces().get(fingerprint) is SpaceState.RETIRED

    def _spaces(self) -> dict[str, SpaceState]:
        with self._target.read() as made:
            return {space.fingerprint: space.state for space in made.spaces()}

    def _commit(self, changes: Iterable[Change]) -> None:
        for some in _some(changes, BATCH):
            self._target.commit(some)


# ── comparing ─────────────────────────────────────────────────────────────────────────────────────────────


def compared(snapshot: Snapshot) -> Iterator[CopiedPart]:
    """Every part of a store at one moment, with how much it is and a digest of all of it."""
    infos = [info for info in snapshot.collections().items if info.name != UNFINISHED_COPY]
    for info in infos:
        records = (record for moment in in_arrival(snapshot, info.name) for record in moment)
        yield _part(f"{_COLLECTION}{info.name}", map(_written, records))
    yield _part("sessions", (_told(*_fields(one)) for one in snapshot.states_of(None).items))
    yield _part("edges", (_told(*_fields(one)) for one in snapshot.edges(None)))
    yield _part("journal", (_told(one.session, one.at, one.entry) for one in snapshot.journal()))
    for space in sorted(snapshot.spaces(), key=_age):
        yield _part(_vectors_of(space), _vector_lines(snapshot, space.fingerprint, (info.name for info in infos)))


def _with_what_counts(parts: Iterable[CopiedPart], source: Snapshot) -> Iterator[CopiedPart]:
    """The parts of a copy without a space that the source does not have and in which nothing is: where the source has
    none at all, the one that a first start left stays in use."""
    known = {_vectors_of(space) for space in source.spaces()}
    return (part for part in parts if part.count or part.name in known or not part.name.startswith(_VECTORS))


def _vectors_of(space: Space) -> str:
    return f"{_VECTORS}{space.fingerprint} ({space.state.value}, {space.dimensions} dimensions)"


def _part(name: str, lines: Iterable[str]) -> CopiedPart:
    told, count = sha256(), 0
    for line in lines:
        told.update(line.encode(errors="surrogatepass") + b"\n")
        count += 1
    return CopiedPart(name=name, count=count, sha256=told.hexdigest())


def _vector_lines(snapshot: Snapshot, fingerprint: str, collections: Iterable[str]) -> Iterator[str]:
    """The vectors of every text, where it stands."""
    for name in collections:
        for some in _some(every_record(snapshot, name), PAGE):
            held = snapshot.vectors(fingerprint, {digest(record.text) for record in some})
            for address in sorted(held):
                yield f"{address.hex()} {held[address].astype('<f2').tobytes().hex()}"


def in_arrival(snapshot: Snapshot, collection: str) -> Iterator[tuple[Record, ...]]:
    """The records of each moment, the last moment first; those of one moment in the order in which they arrived, as far
    as anybody can ask for it: within a session."""
    held: list[Record] = []
    after: str | None = None
    while True:
        page = snapshot.page(collection, order=Order.NEWEST, after=after, limit=PAGE)
        held += page.items
        last = held[-1].at if held and page.next is not None else None
        whole = [record for record in held if record.at != last]
        held = held[len(whole) :]
        yield from _ordered(snapshot, whole)
        if page.next is None:
            return
        after = page.next


def _ordered(snapshot: Snapshot, records: Sequence[Record]) -> Iterator[tuple[Record, ...]]:
    moments = [tuple(some) for _, some in itertools.groupby(records, key=lambda record: record.at)]
    together = [_key(record) for moment in moments if len(moment) > 1 for record in moment]
    beside = snapshot.neighbours(together) if together else {}

    def followers(record: Record) -> Key | None:
        found = beside.get(_key(record))
        return None if found is None else found.after

    for moment in moments:
        yield moment if len(moment) == 1 else tuple(_in_a_row(moment, followers))


def _in_a_row(moment: Sequence[Record], follower: Callable[[Record], Key | None]) -> Iterator[Record]:
    """Records of one moment, session by session, each followed by the one that arrived next."""
    records = {_key(record): record for record in sorted(moment, key=lambda one: (_session(one), one.id.encode()))}
    following = {key: after for key, record in records.items() if (after := follower(record)) in records}
    firsts = [key for key in records if key not in set(following.values())]
    for key in (*firsts, *records):  # a circle has no first one; there is none, and nothing would be lost
        place: Key | None = key
        while place is not None and place in records:
            yield records.pop(place)
            place = following.get(place)


def _session(record: Record) -> str:
    return json.dumps(record.metadata.get(SESSION), sort_keys=True)


def _age(space: Space) -> tuple[int, int, str]:
    """Those that were in use, in this order; then the one in use; then those that nobody used yet."""
    states = SpaceState.RETIRED, SpaceState.ACTIVE, SpaceState.BUILDING
    return states.index(space.state), space.retired, space.fingerprint


def _is_same(record: Record, other: Record | None) -> bool:
    return other is not None and _written(record) == _written(other)


def _written(record: Record) -> str:
    return _told(record.id, record.text, record.metadata, record.at, record.version, record.access_count)


def _told(*values: object) -> str:
    return json.dumps(values, sort_keys=True, ensure_ascii=False, default=dict)


def _fields(value: object) -> tuple[object, ...]:
    return tuple(getattr(value, name) for name in value.__dataclass_fields__)  # type: ignore[attr-defined]


def _key(record: Record) -> Key:
    return Key(record.collection, record.id)


def _weighed(moments: Iterable[tuple[Record, ...]]) -> Iterator[list[tuple[Record, ...]]]:
    """Moments in batches of so many records and characters."""
    batch: list[tuple[Record, ...]] = []
    records = chars = 0
    for moment in moments:
        size = sum(len(record.text) for record in moment)
        if batch and (records + len(moment) > BATCH or chars + size > BATCH_CHARS):
            yield batch
            batch, records, chars = [], 0, 0
        batch.append(moment)
        records, chars = records + len(moment), chars + size
    if batch:
        yield batch


def _some(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(itertools.islice(rest, size)):
        yield some
