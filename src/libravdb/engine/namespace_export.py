"""One namespace as lines of JSON, and back: all that is its own, and its part of the sessions in which it spoke.

The lines are those of an export of the whole store, with the namespace in the header. What comes back is trusted by
nobody: a line that is not the namespace's own is refused, and of a session only that the namespace speaks in it is
taken. Nothing is ever overwritten: what stands under the id of a line stays as it is.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from libravdb.engine.embedding import Embeddings
from libravdb.engine.export import (
    NO_SPACE,
    brief,
    check_header,
    header_line,
    item_line,
    numbered,
    parse_line,
    read_change,
    record_line,
)
from libravdb.engine.former_versions import is_of_memory
from libravdb.engine.pages import every_record
from libravdb.engine.profile_records import profile_unread
from libravdb.engine.retry import retry_on_conflict
from libravdb.engine.session_share import SessionShare, share_of
from libravdb.errors import InvalidInput
from libravdb.model import (
    MUST_BE_NEW,
    Change,
    Edge,
    EnsureCollection,
    Imported,
    Key,
    Link,
    Record,
    Restore,
    SessionState,
    SetState,
    Topic,
)
from libravdb.model.collections import (
    NAMESPACE_KINDS,
    SESSION_KINDS,
    CollectionKind,
    durable_memory,
    namespace_collections,
    parse_collection,
    raw_turns,
    session_collections,
    session_summaries,
)
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import KIND, OWNER, SOURCE_MEMORY, RecordKind
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.store import Snapshot, Store

BATCH = 64
"""Lines that are embedded and written together."""

_REMEDY = "Import a file that was exported of this user, as it is; 'libravdb import' reads an export of a whole store."


# ── out ───────────────────────────────────────────────────────────────────────────────────────────────────


def namespace_lines(snapshot: Snapshot, namespace: str, *, now: int, progress: Progress = no_progress) -> Iterator[str]:
    """A moment of one namespace as lines."""
    own = [name for name, size in snapshot.sizes(namespace_collections(namespace)).items() if size]
    sessions = {state.session: share_of(snapshot, state.session, namespace) for state in _states(snapshot, namespace)}
    total = sum(snapshot.sizes(own).values()) + sum(
        1 for session, share in sessions.items() for _ in _spoken(snapshot, session, share)
    )
    yield header_line(now=now, records=total, namespace=namespace)
    done = 0
    for name in own:
        yield item_line({"kind": "collection", "name": name})
        for record in every_record(snapshot, name):
            yield record_line(record)
            done += 1
            progress(done, total)
    for session, share in sessions.items():
        summaries: set[str] = set()
        for record in _spoken(snapshot, session, share):
            if parse_collection(record.collection).kind is CollectionKind.SESSION_SUMMARIES:
                summaries.add(record.id)
            yield record_line(replace(record, metadata={**record.metadata, OWNER: namespace}))
            done += 1
            progress(done, total)
        yield from (_edge_line(edge) for edge in snapshot.edges(session) if edge.parent in summaries)


def _states(snapshot: Snapshot, namespace: str) -> Iterator[SessionState]:
    return iter(snapshot.states_of(namespace).items)


def _spoken(snapshot: Snapshot, session: str, share: SessionShare) -> Iterator[Record]:
    """The part of a session that is a namespace's own."""
    for name in session_collections(session):
        yield from every_record(snapshot, name, where=share.where)


def _edge_line(edge: Edge) -> str:
    fields = ("session", "parent", "child", "child_kind", "position", "at")
    return item_line({"kind": "edge", **{name: getattr(edge, name) for name in fields}})


# ── in ────────────────────────────────────────────────────────────────────────────────────────────────────


class NamespaceImport:
    """Reads the lines of one namespace into a store; what is there stays, so the same lines again change nothing."""

    def __init__(
        self, store: Store, embeddings: Embeddings, namespace: str, *, clock: Clock, mask: Callable[[Change], Change]
    ) -> None:
        self._mask = mask
        self._store = store
        self._embeddings = embeddings
        self._namespace = namespace
        self._clock = clock
        self._kinds: set[CollectionKind] = set()

    def read(self, lines: Iterable[str], progress: Progress = no_progress, *, first_line: int = 2) -> Imported:
        """Take them all in, batch by batch; the first is the header, the next has the number `first_line`. What
        was taken before a line that is refused stays."""
        done, total = Imported(), 0
        batch: list[tuple[int, Change]] = []
        for number, line in numbered(lines, first_line):
            if number % BATCH == 0:
                progress(done.records, max(total, done.records))
            if not line.strip():
                continue
            item = parse_line(number, line)
            if number == 1 or item["kind"] == "header":
                total = self._announced(number, item)
                continue
            change = self._change(number, item)
            if change is not None:
                batch.append((number, change))
            if len(batch) >= BATCH:
                done, batch = self._taken(batch, done), []
                progress(done.records, max(total, done.records))
        done = self._taken(batch, done)
        if CollectionKind.DURABLE_MEMORY in self._kinds and CollectionKind.PROFILE not in self._kinds:
            self._store.commit([profile_unread(self._namespace)])
        progress(done.records, max(total, done.records))
        return done

    def _announced(self, number: int, item: dict[str, Any]) -> int:
        """How many records the header announces; it must be of this namespace."""
        check_header(number, item)
        if item.get("namespace") != self._namespace:
            whose = item.get("namespace")
            told = f"is of {whose!r}" if isinstance(whose, str) else "is not of one namespace"
            raise InvalidInput(f"line {number}", f"{told}, not of {self._namespace!r}", remedy=_REMEDY)
        records = item.get("records", 0)
        return records if isinstance(records, int) else 0

    def _change(self, number: int, item: dict[str, Any]) -> Change | None:
        """What a line changes, if it is the namespace's own."""
        kind = item["kind"]
        if kind in ("session", "journal"):
            return None  # that somebody speaks in a session is told by what he said there
        try:
            change = self._mask(read_change(item, NO_SPACE))  # looked at as it will stand in the store
            is_own = self._is_own(change)
        except (AttributeError, KeyError, TypeError, ValueError, binascii.Error) as error:
            raise InvalidInput(f"line {number}", f"is not a {kind} ({brief(error)})", remedy=_REMEDY) from error
        if not is_own:
            raise InvalidInput(f"line {number}", f"holds a {kind} that is not of {self._namespace!r}", remedy=_REMEDY)
        return change

    def _is_own(self, change: Change) -> bool:
        match change:
            case EnsureCollection(name=name):
                place = parse_collection(name)
                return place.kind in NAMESPACE_KINDS and place.owner == self._namespace
            case Restore(record=record):
                _refuse_ill_typed(record)
                place = parse_collection(record.collection)
                if place.kind in NAMESPACE_KINDS:  # whose it is, is told by where it stands
                    return place.owner == self._namespace
                return place.kind in SESSION_KINDS and record.metadata.get(OWNER) == self._namespace
            case Link():
                return True  # looked at when what it leads to is there
        return False

    def _taken(self, batch: Sequence[tuple[int, Change]], done: Imported) -> Imported:
        """Write a batch: records first, so that edges find what they lead to."""
        if not batch:
            return done
        return retry_on_conflict(lambda: self._written(batch, done))

    def _written(self, batch: Sequence[tuple[int, Change]], done: Imported) -> Imported:
        restores = [(number, one) for number, one in batch if isinstance(one, Restore)]
        with self._store.read() as snapshot:
            for number, one in restores:
                self._refuse_taken(snapshot, number, one.record)
            new = self._new_ones(snapshot, [one for _, one in restores])
            states = self._joined(snapshot, [one.record for one in new])
            unless = snapshot.revisions({Topic.collection(one.record.collection) for _, one in restores})
        vectors = self._embeddings.of_texts([one.record.text for one in new if one.record.text.strip()])
        whole = [replace(one, embedding=vectors.of(one.record.text)) for one in new]
        made = [one for _, one in batch if isinstance(one, EnsureCollection)]
        self._store.commit([*made, *whole, *states], unless=unless)
        self._kinds |= {parse_collection(one.record.collection).kind for one in whole}
        links = [(number, one) for number, one in batch if isinstance(one, Link)]
        if links:
            with self._store.read() as snapshot:
                for number, link in links:
                    self._refuse_foreign(snapshot, number, link.edge)
            self._store.commit([link for _, link in links])
        return replace(
            done,
            records=done.records + len(whole),
            known=done.known + len(restores) - len(whole),
            edges=done.edges + len(links),
            sessions=done.sessions + sum(one.expect == MUST_BE_NEW for one in states),
        )

    def _new_ones(self, snapshot: Snapshot, restores: Sequence[Restore]) -> list[Restore]:
        """Those under whose id nothing stands; what was made of a memory comes only with that memory."""
        given = {Key(one.record.collection, one.record.id): one for one in reversed(restores)}
        held = snapshot.records(list(given))
        new = [one for key, one in reversed(given.items()) if key not in held]
        wanted = {self._memory_behind(one.record) for one in new} - {None}
        memories = dict(snapshot.records([key for key in wanted if key is not None]))
        memories |= {key: given[key].record for key in wanted if key is not None and key in given and key not in held}
        return [one for one in new if self._fits(one.record, memories)]

    def _memory_behind(self, record: Record) -> Key | None:
        """The memory of which a record tells what it said before, or what it states."""
        kind, id = record.metadata.get(KIND), record.metadata.get(SOURCE_MEMORY)
        is_made = kind in (RecordKind.FORMER_VERSION, RecordKind.PROFILE_SOURCE)
        return Key(durable_memory(self._namespace), id) if is_made and isinstance(id, str) else None

    def _fits(self, record: Record, memories: Mapping[Key, Record]) -> bool:
        key = self._memory_behind(record)
        if key is None:
            return True
        memory = memories.get(key)
        if memory is None:
            return False
        is_former = record.metadata.get(KIND) == RecordKind.FORMER_VERSION
        return is_of_memory(record, memory) if is_former else record.at == memory.at

    def _refuse_taken(self, snapshot: Snapshot, number: int, record: Record) -> None:
        """Somebody else may have said something in the same session under the same id."""
        place = parse_collection(record.collection)
        key = Key(record.collection, record.id)
        held = snapshot.records([key]).get(key) if place.kind in SESSION_KINDS else None
        if held is not None and not share_of(snapshot, place.owner, self._namespace).holds(held):
            raise InvalidInput(
                f"line {number}",
                f"has the id {record.id!r}, which somebody else uses in the session {place.owner!r}",
                remedy="Nothing of others is overwritten: leave the line out.",
            )

    def _joined(self, snapshot: Snapshot, records: Sequence[Record]) -> list[SetState]:
        """That the namespace speaks in the sessions of these records."""
        names = {place.owner for one in records if (place := parse_collection(one.collection)).kind in SESSION_KINDS}
        states = snapshot.states(names)
        now = self._clock()
        return [
            SetState(
                session=name,
                state=SessionMetadata.of(states.get(name)).joined(self._namespace, now=now).facts,
                at=now,
                expect=states[name].generation if name in states else MUST_BE_NEW,
            )
            for name in sorted(names)
            if self._namespace not in SessionMetadata.of(states.get(name)).namespaces
        ]

    def _refuse_foreign(self, snapshot: Snapshot, number: int, edge: Edge) -> None:
        """Both ends of an edge must be the namespace's own."""
        child = session_summaries if edge.child_kind == RecordKind.SUMMARY else raw_turns
        keys = [Key(session_summaries(edge.session), edge.parent), Key(child(edge.session), edge.child)]
        found, share = snapshot.records(keys), share_of(snapshot, edge.session, self._namespace)
        if not all(key in found and share.holds(found[key]) for key in keys):
            problem = f"leads from or to what {self._namespace!r} does not have"
            raise InvalidInput(f"line {number}", problem, remedy=_REMEDY)


def _refuse_ill_typed(record: Record) -> None:
    for name in ("collection", "id", "text"):
        if not isinstance(getattr(record, name), str):
            raise TypeError(f"{name} is no text")
    if not isinstance(record.metadata, dict):
        raise TypeError("metadata is no object")
