"""What each kind of change does, on values in memory: the twin of `adapters/memory/changes.py`, over what is known.

A draft begins with what the store holds of all that the changes mention (`KnownState`), applies them in order, and
tells at the end how the store must differ (`Difference`). Nothing here speaks to the server.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from libravdb.adapters.postgres.difference import (
    Cleared,
    Difference,
    NewEntry,
    NewText,
    NewVectors,
    TextCopy,
    VectorCopy,
    WrittenRecord,
)
from libravdb.adapters.postgres.keys import edge_key
from libravdb.adapters.postgres.known import KnownSpace, KnownState, StoredRecord
from libravdb.adapters.postgres.request import Attach, CommitRequest, Writing
from libravdb.adapters.vector_codes import Vector
from libravdb.errors import Conflict
from libravdb.model import (
    Append,
    ClearJournal,
    DropCollection,
    DropState,
    Edge,
    Embedding,
    EnsureCollection,
    Key,
    Link,
    Metadata,
    Put,
    Remove,
    Restore,
    RestoreState,
    SessionState,
    SetState,
    SpaceState,
    Terms,
    Topic,
    TopicKind,
    Touch,
    Unlink,
)
from libravdb.ports.validation import refuse_unanalysed, to_json


class MustKnowMore(Exception):
    """Texts that stand somewhere already get vectors now: the collections that hold them must be locked too."""

    def __init__(self, digests: Iterable[bytes]) -> None:
        super().__init__("some texts get vectors late")
        self.digests = tuple(digests)


@dataclass(slots=True, kw_only=True)
class _DraftRecord:
    """A record as it stands in the draft. `row` is None when it gets a new one; `arrival` is its place among those."""

    digest: bytes
    at: int
    version: int
    access_count: int
    written: str
    metadata: Metadata | None = None
    row: int | None = None
    arrival: int = 0


@dataclass(slots=True, kw_only=True)
class _Attached:
    space: KnownSpace
    vectors: Vector


class CommitDraft:
    """A commit in the making. `touched` are the topics that changed, `attached` counts texts that got vectors."""

    def __init__(self, known: KnownState, request: CommitRequest) -> None:
        self._known = known
        self._request = request
        self._collections = dict(known.numbers)
        self._dropped: list[int] = []
        self._records: dict[Key, _DraftRecord | None] = {key: _kept(stored) for key, stored in known.records.items()}
        self._base = dict(known.records)
        self._arrivals = 0
        self._texts: dict[bytes, tuple[str, Terms]] = {}
        self._vectors: dict[tuple[int, bytes], _Attached] = {}
        self._late: set[bytes] = set()
        self._states: dict[str, SessionState | None] = {}
        self._generations = dict(known.generations)
        self._edges = dict(known.edges)
        self._edge_counts = defaultdict(int, known.edge_counts)
        self._journal: list[NewEntry | Cleared] = []
        self._is_journal_changed = False
        self.touched: set[Topic] = set()
        self.attached = 0

    def apply(self, changes: Iterable[Writing]) -> None:
        """Make all changes in order."""
        for change in changes:
            match change:
                case Put():
                    self._put(change)
                case Restore():
                    self._restore(change)
                case Remove():
                    self._remove(change)
                case Touch(collection=collection, ids=ids):
                    self._count_access(collection, ids)
                case EnsureCollection(name=name):
                    self._ensure(name)
                case DropCollection(name=name):
                    self._drop(name)
                case Attach(digest=digest, embedding=embedding):
                    self._attach(digest, embedding)
                case _:
                    self._apply_beside(change)
        if self._late:
            raise MustKnowMore(self._late)

    def _apply_beside(
        self, change: Link | Unlink | Append | ClearJournal | SetState | RestoreState | DropState
    ) -> None:
        """What belongs to a session, and the journal."""
        match change:
            case Link(edge=edge):
                self._link(edge)
            case Unlink(session=session, parent=parent):
                self._unlink(session, parent)
            case Append(session=session, at=at, entry=entry, keep=keep):
                self._journal.append(NewEntry(session=session, at=at, entry=to_json(entry), keep=keep))
                self._is_journal_changed = True
            case ClearJournal(seqs=seqs):
                self._clear_journal(seqs)
            case SetState(session=session, state=content, at=at, expect=expect):
                generation = self._expect_generation(session, expect) + 1
                self._set_state(SessionState(session=session, generation=generation, state=content, at=at))
            case RestoreState(state=state):
                self._set_state(state)
            case DropState(session=session, expect=expect):
                self._expect_generation(session, expect)
                self._drop_state(session)

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────

    def _put(self, put: Put) -> None:
        """A new record has version 1; a change of text, time or metadata is a new version; the same again is none."""
        key, address, written = Key(put.collection, put.id), self._request.digests[put.text], to_json(put.metadata)
        old = self._records.get(key)
        _expect(f"Record {put.id!r} in {put.collection!r}", put.expect, old.version if old else 0)
        is_said_anew = old is None or (old.digest, old.at) != (address, put.at)
        if old is None or is_said_anew or not _is_same(old.written, written):
            kept = _DraftRecord(
                digest=address,
                at=put.at,
                version=old.version + 1 if old else 1,
                access_count=old.access_count if old else 0,
                written=written,
                metadata=put.metadata,
            )
            if old is not None and not is_said_anew:
                kept.row, kept.arrival = old.row, old.arrival
            self._write(key, kept)
        self._bring_text(put.text, address, put.terms, put.embedding)

    def _restore(self, restore: Restore) -> None:
        record = restore.record
        address = self._request.digests[record.text]
        kept = _DraftRecord(
            digest=address,
            at=record.at,
            version=record.version,
            access_count=record.access_count,
            written=to_json(record.metadata),
            metadata=record.metadata,
        )
        self._write(Key(record.collection, record.id), kept)
        self._bring_text(record.text, address, restore.terms, restore.embedding)

    def _write(self, key: Key, kept: _DraftRecord) -> None:
        """A record without a row is the latest to arrive, also among turns of the same moment."""
        if kept.row is None and not kept.arrival:
            self._arrivals += 1
            kept.arrival = self._arrivals
        self._ensure(key.collection)
        self._records[key] = kept
        self.touched.add(Topic.collection(key.collection))

    def _remove(self, remove: Remove) -> None:
        key = Key(remove.collection, remove.id)
        found = self._records.get(key)
        _expect(f"Record {remove.id!r} in {remove.collection!r}", remove.expect, found.version if found else 0)
        if found is not None:
            self._records[key] = None
            self.touched.add(Topic.collection(key.collection))

    def _count_access(self, collection: str, ids: Iterable[str]) -> None:
        for id in dict.fromkeys(ids):
            found = self._records.get(Key(collection, id))
            if found is not None:
                self._records[Key(collection, id)] = replace(found, access_count=found.access_count + 1)
                self.touched.add(Topic.collection(collection))

    # ── collections ───────────────────────────────────────────────────────────────────────────────────────

    def _ensure(self, name: str) -> None:
        if name not in self._collections:
            self._collections[name] = self._known.fresh[name]
            self.touched.add(Topic.collection(name))

    def _drop(self, name: str) -> None:
        number = self._collections.pop(name, None)
        if number is None:
            return
        if number == self._known.numbers.get(name):
            self._dropped.append(number)
        for key in [key for key in self._records if key.collection == name]:
            self._records[key] = None
            self._base.pop(key, None)  # it goes with its collection
        self.touched.add(Topic.collection(name))

    # ── texts and their vectors ───────────────────────────────────────────────────────────────────────────

    def _bring_text(self, text: str, address: bytes, terms: Terms | None, embedding: Embedding | None) -> None:
        """A text comes with its terms once; its vectors may come later."""
        if address not in self._known.holders and address not in self._texts:
            if terms is None:
                refuse_unanalysed(text)
            self._texts[address] = (text, tuple(terms or ()))
        if embedding is not None:
            self._attach(address, embedding)

    def _attach(self, address: bytes, embedding: Embedding) -> None:
        """Give a text its vectors in the embedding's space, unless it has them.

        A collection that held it before changes when the space is in use; one that gets it now has changed anyway.
        """
        holder = self._known.holders.get(address)
        if holder is None and address not in self._texts:
            return  # gone
        space = self._known.space_for(embedding)
        if (space.id, address) in self._vectors or self._has_vectors(space, address):
            return
        self._vectors[space.id, address] = _Attached(space=space, vectors=embedding.vectors)
        self.attached += 1
        if holder is None:
            return
        if address not in self._known.late:
            self._late.add(address)
        elif space.state == SpaceState.ACTIVE:
            self.touched |= {Topic.collection(name) for name in self._lacking(space.id, address)}

    def _has_vectors(self, space: KnownSpace, address: bytes) -> bool:
        """Whether a text that stands somewhere has its vectors: everywhere, where all that hold it are known."""
        holder = self._known.holders.get(address)
        if holder is None:
            return False
        return not self._lacking(space.id, address) if address in self._known.late else space.id in holder.spaces

    def _lacking(self, space: int, address: bytes) -> dict[str, int]:
        """The collections that hold a text without its vectors in a space: number by name."""
        holders = self._known.late.get(address, {})
        return {name: holder.collection for name, holder in holders.items() if space not in holder.spaces}

    # ── sessions and the journal ──────────────────────────────────────────────────────────────────────────

    def _link(self, edge: Edge) -> None:
        place = edge_key(edge.session, edge.parent, edge.child)
        known = self._edges.get(place)
        if known == edge:
            return
        self._edges[place] = edge
        self._edge_counts[edge.session] += known is None
        self.touched.add(Topic.session(edge.session))

    def _unlink(self, session: str, parent: str | None) -> None:
        gone = [
            place
            for place, edge in self._edges.items()
            if edge.session == session and (parent is None or edge.parent == parent)
        ]
        for place in gone:
            del self._edges[place]
        self._edge_counts[session] -= len(gone)
        if gone:
            self.touched.add(Topic.session(session))

    def _clear_journal(self, seqs: frozenset[int] | None) -> None:
        self._journal.append(Cleared(seqs=None if seqs is None else seqs & self._request.seqs))
        self._is_journal_changed |= self._known.has_journal if seqs is None else bool(seqs & self._known.seqs)

    def _expect_generation(self, session: str, expect: int | None) -> int:
        generation = self._generations.get(session, 0)
        _expect(f"Session {session!r}", expect, generation)
        return generation

    def _set_state(self, state: SessionState) -> None:
        self._states[state.session] = state
        self._generations[state.session] = state.generation
        self.touched.add(Topic.session(state.session))

    def _drop_state(self, session: str) -> None:
        if self._generations.pop(session, None) is not None:
            self._states[session] = None
            self.touched.add(Topic.session(session))

    # ── the difference ────────────────────────────────────────────────────────────────────────────────────

    @property
    def is_told(self) -> bool:
        """Whether this is a commit that has a number. One that only adds vectors to a space out of use has none."""
        return bool(self.touched) or self._is_journal_changed

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to write."""
        return self.is_told or bool(self._vectors)

    def difference(self) -> Difference:
        """How the store must differ."""
        made = Difference(dropped=tuple(self._dropped), journal=tuple(self._journal))
        made.collections.update(
            (number, name) for name, number in self._collections.items() if number != self._known.numbers.get(name)
        )
        self._tell_records(made)
        self._tell_texts(made)
        self._tell_sessions(made)
        self._tell_topics(made)
        return made

    def _tell_records(self, made: Difference) -> None:
        for key, kept in self._records.items():
            base = self._base.get(key)
            if kept is None:
                if base is not None:
                    number = self._collections[key.collection]
                    made.removed.append((number, key.id))
                    made.left.append((number, base.digest))
                    made.count_records(number, -1)
                    made.renewed.add(number)
                continue
            number = self._collections[key.collection]
            if base is None:
                made.count_records(number, 1)
            elif kept.row is None:
                made.renewed.add(number)
                if base.digest != kept.digest:
                    made.left.append((number, base.digest))
            if base is None or kept.metadata is not None:
                made.written.append(_written(number, key.id, kept))
            elif kept.access_count != base.access_count:
                made.counted.append((number, key.id, kept.access_count))
        made.written.sort(key=lambda record: record.arrival)

    def _tell_texts(self, made: Difference) -> None:
        """Texts that a collection gets: a new one is sent once, every other is copied from where it stands."""
        entered: dict[bytes, list[int]] = defaultdict(list)
        names = {number: name for name, number in self._collections.items()}
        for record in made.written:
            name = names[record.collection]
            is_here = (name, record.digest) in self._known.places and record.collection == self._known.numbers.get(name)
            if not is_here and record.collection not in entered[record.digest]:
                entered[record.digest].append(record.collection)
        entered = {address: entered[address] for address in (*self._texts, *entered) if entered.get(address)}
        for address, numbers in entered.items():
            made.entered.extend((number, address) for number in numbers)
            holder = self._known.holders.get(address)
            if holder is None:
                first, *others = numbers
                body, terms = self._texts[address]
                made.texts.append(NewText(collection=first, digest=address, body=body, terms=terms))
                made.text_copies.extend(TextCopy(to=number, digest=address, of=first) for number in others)
                continue
            made.text_copies.extend(TextCopy(to=number, digest=address, of=holder.collection) for number in numbers)
            made.vector_copies.extend(
                VectorCopy(to=number, space=space, digest=address, of=holder.collection)
                for number in numbers
                for space in sorted(holder.spaces)
            )
        self._tell_vectors(made, entered)

    def _tell_vectors(self, made: Difference, entered: Mapping[bytes, list[int]]) -> None:
        """Vectors go wherever their text stands: they are sent once, and copied on the server."""
        for (space, address), attached in self._vectors.items():
            before = [
                number
                for name, number in self._lacking(space, address).items()
                if self._collections.get(name) == number or name not in self._request.collections
            ]
            numbers = [*entered.get(address, ()), *before]
            if attached.space.state == SpaceState.ACTIVE:
                made.renewed.update(before)
            if numbers:
                first, *others = numbers
                made.vectors.append(NewVectors(collection=first, space=space, digest=address, vectors=attached.vectors))
                made.vector_copies.extend(
                    VectorCopy(to=number, space=space, digest=address, of=first) for number in others
                )

    def _tell_sessions(self, made: Difference) -> None:
        for session, state in self._states.items():
            if state is not None:
                made.states.append(state)
            elif session in self._known.generations:
                made.dropped_states.append(session)
        base = self._known.edges
        made.edges.extend((place, edge) for place, edge in self._edges.items() if base.get(place) != edge)
        made.unlinked.extend(place for place in base if place not in self._edges)

    def _tell_topics(self, made: Difference) -> None:
        made.moved.extend(topic for topic in self.touched if self._holds(topic))
        kept = set(made.moved)
        made.gone.extend(
            topic
            for topic, revision in self._known.revisions.items()
            if topic not in kept and (topic in self.touched or revision == 0) and topic.kind is not TopicKind.SPACES
        )

    def _holds(self, topic: Topic) -> bool:
        """Whether there is anything of a topic that was touched."""
        if topic.kind is TopicKind.COLLECTION:
            return topic.name in self._collections or topic.name not in self._request.collections
        return topic.name in self._generations or self._edge_counts[topic.name] > 0


def _expect(what: str, expect: int | None, actual: int) -> None:
    if expect is not None and expect != actual:
        raise Conflict(what, expected=expect, actual=actual)


def _kept(stored: StoredRecord) -> _DraftRecord:
    return _DraftRecord(
        digest=stored.digest,
        at=stored.at,
        version=stored.version,
        access_count=stored.access_count,
        written=stored.metadata,
        row=stored.row,
    )


def _written(number: int, id: str, kept: _DraftRecord) -> WrittenRecord:
    return WrittenRecord(
        collection=number,
        id=id,
        digest=kept.digest,
        at=kept.at,
        version=kept.version,
        access_count=kept.access_count,
        metadata=kept.metadata or {},
        written=kept.written,
        row=kept.row,
        arrival=kept.arrival,
    )


def _is_same(left: str, right: str) -> bool:
    """Equal as JSON objects; the order of keys does not count, 1 and true and 1.0 differ."""
    return left == right or json.dumps(json.loads(left), sort_keys=True) == json.dumps(
        json.loads(right), sort_keys=True
    )
