"""Records that were read before, kept as long as nobody changed them: most of what a prompt needs it needed before.

Every collection is known at a revision. A snapshot of that revision is served from memory; for a later one what our own
commits changed is read again, and everything when somebody else wrote there. A snapshot of an earlier moment is served
from the store, and teaches nothing.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

from libravdb.engine.expiry import hides
from libravdb.engine.own_commits import OwnCommits
from libravdb.engine.pages import newest
from libravdb.engine.session_share import SessionShare
from libravdb.model import Key, Record, Revision, Topic, Where
from libravdb.model.collections import namespace_of, raw_turns, session_of
from libravdb.model.namespaces import unnamed
from libravdb.model.turn_metadata import TurnMetadata
from libravdb.ports.store import Snapshot

T = TypeVar("T")

TAIL = 400
"""Turns at the end of a session that are kept."""

MOST_CHARS = 4_000_000
"""Characters of records that are kept, and as many of turns; the longest unused go first."""

MOST_SESSIONS = 64
"""Sessions whose last turns are kept."""

MOST_MARKS = 256
"""Marks whose newest records are kept, of all collections together."""

LONGEST = 20_000
"""Characters of a record that is kept."""


@dataclass(slots=True)
class _KnownCollection:
    """What is known of a collection at a revision: records, and ids (None) under which there is none."""

    revision: Revision
    records: dict[str, Record | None] = field(default_factory=dict)
    chars: int = 0

    def add(self, id: str, record: Record | None) -> None:
        self.records[id] = record
        self.chars += _size(record)

    def drop(self, ids: Collection[str]) -> None:
        for id in ids:
            if id in self.records:
                self.chars -= _size(self.records.pop(id))


@dataclass(frozen=True, slots=True, kw_only=True)
class _MarkedRecords:
    """The newest records of a collection that have a mark, newest first, at a revision."""

    revision: Revision
    limit: int
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTail:
    """The last turns of somebody in a session at a revision, newest first; what was made of each is kept with them."""

    revision: Revision
    share: SessionShare
    records: tuple[Record, ...]
    made: dict[str, dict[str, object]]

    def of_each(self, name: str, make: Callable[[Record], T], *, limit: int = TAIL) -> list[T]:
        """What is made of each of these turns, newest first; what has this name is made once."""
        made = cast("dict[str, T]", self.made.setdefault(name, {}))
        records = self.records if limit >= len(self.records) else self.records[:limit]
        for record in records:
            if record.id not in made:
                made[record.id] = make(record)
        return [made[record.id] for record in records]


class KnownRecords:
    """Records by where they stand, and the last turns of sessions. Usable from many threads."""

    def __init__(self, commits: OwnCommits) -> None:
        self._commits = commits
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _KnownCollection] = OrderedDict()
        self._tails: OrderedDict[tuple[str, str], SessionTail] = OrderedDict()
        self._marked: OrderedDict[tuple[str, str], _MarkedRecords] = OrderedDict()
        self._drops = 0
        commits.listen(self._drop)

    def changed(self, collection: str, after: Revision, until: Revision) -> frozenset[str] | None:
        """The ids of a collection that we changed from one revision to another; None when others may have."""
        return self._commits.between(collection, after, until)

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────

    def records(self, snapshot: Snapshot, keys: Collection[Key]) -> dict[Key, Record]:
        """Those of these records that there are at this moment, as `Snapshot.records` gives them."""
        names = dict.fromkeys(key.collection for key in keys)
        if any(hides(snapshot, name) for name in names):
            return dict(snapshot.records(keys))
        topics = snapshot.revisions([Topic.collection(name) for name in names])
        now = {topic.name: revision for topic, revision in topics.items()}
        asked = [key for key in dict.fromkeys(keys) if now[key.collection]]
        with self._lock:
            drops = self._drops
            current = {name: kept.records for name in names if (kept := self._at(name, now[name])) is not None}
            known = {key: current[key.collection][key.id] for key in asked if key.id in current.get(key.collection, ())}
        missing = [key for key in asked if key not in known]
        if missing:
            read = snapshot.records(missing)
            known |= {key: read.get(key) for key in missing}
            self._learn({key: known[key] for key in missing}, now, drops)
        return {key: record for key, record in known.items() if record is not None}

    def _at(self, name: str, revision: Revision) -> _KnownCollection | None:
        """With the lock held: what is known of a collection at a revision, brought there if that can be."""
        kept = self._kept.get(name)
        if kept is None or kept.revision > revision:
            return None
        if kept.revision != revision:
            changed = self._commits.between(name, kept.revision, revision)
            if changed is None:
                del self._kept[name]
                return None
            kept.drop(changed)
            kept.revision = revision
        self._kept.move_to_end(name)
        return kept

    def _learn(self, read: Mapping[Key, Record | None], now: Mapping[str, Revision], drops: int) -> None:
        """Keep what was read at these revisions, unless more is known by now, or something was deleted meanwhile."""
        with self._lock:
            if drops != self._drops:
                return
            for key, record in read.items():
                revision = now[key.collection]
                kept = self._kept.get(key.collection)
                if kept is None or kept.revision < revision:
                    kept = self._kept[key.collection] = _KnownCollection(revision)
                if kept.revision == revision and key.id not in kept.records and _size(record) <= LONGEST:
                    kept.add(key.id, record)
            while sum(kept.chars for kept in self._kept.values()) > MOST_CHARS:
                self._kept.popitem(last=False)

    def newest_marked(self, snapshot: Snapshot, collection: str, mark: str, *, limit: int) -> tuple[Record, ...]:
        """The newest records of a collection whose metadata have this mark (True), newest first."""
        topic = Topic.collection(collection)
        revision = snapshot.revisions([topic])[topic]
        if not revision:
            return ()
        if hides(snapshot, collection):
            return newest(snapshot, collection, limit=limit, where=Where(metadata={mark: (True,)}))
        with self._lock:
            drops = self._drops
            known = self._marked.get((collection, mark))
        found: _MarkedRecords | None = None
        if known is not None and known.limit == limit:
            changed = self._commits.between(collection, known.revision, revision)
            found = (
                None
                if changed is None
                else _moved_along(snapshot, known, changed, collection=collection, mark=mark, revision=revision)
            )
        if found is None:
            records = newest(snapshot, collection, limit=limit, where=Where(metadata={mark: (True,)}))
            found = _MarkedRecords(revision=revision, limit=limit, records=records)
        with self._lock:
            before = self._marked.get((collection, mark))
            is_older = before is not None and before.revision > revision
            if drops == self._drops and not is_older and sum(map(_size, found.records)) <= MOST_CHARS // MOST_MARKS:
                self._marked[collection, mark] = found
                self._marked.move_to_end((collection, mark))
                while len(self._marked) > MOST_MARKS:
                    self._marked.popitem(last=False)
        return found.records

    # ── the end of a session ──────────────────────────────────────────────────────────────────────────────

    def tail(self, snapshot: Snapshot, session: str, share: SessionShare) -> SessionTail:
        """The last turns of a namespace's part of a session at this moment."""
        topic = Topic.collection(raw_turns(session))
        revision = snapshot.revisions([topic])[topic]
        if hides(snapshot, topic.name):
            records = newest(snapshot, topic.name, limit=TAIL, where=share.where)
            return SessionTail(revision=revision, share=share, records=records, made={})
        with self._lock:
            drops = self._drops
            known = self._tails.get((session, share.namespace))
        if known is not None and known.share == share:
            changed = self._commits.between(topic.name, known.revision, revision)
            tail = (
                None
                if changed is None
                else _followed(snapshot, known, changed, collection=topic.name, revision=revision)
            )
            if tail is not None:
                self._keep(session, tail, drops)
                return tail
        records = newest(snapshot, topic.name, limit=TAIL, where=share.where)
        tail = SessionTail(revision=revision, share=share, records=records, made={})
        self._keep(session, tail, drops)
        return tail

    def _keep(self, session: str, tail: SessionTail, drops: int) -> None:
        with self._lock:
            place = session, tail.share.namespace
            known = self._tails.get(place)
            is_older = known is not None and known.revision > tail.revision
            if drops != self._drops or is_older or sum(map(_size, tail.records)) > MOST_CHARS // 4:
                return
            self._tails[place] = tail
            self._tails.move_to_end(place)
            while len(self._tails) > MOST_SESSIONS:
                self._tails.popitem(last=False)

    # ── deletion ──────────────────────────────────────────────────────────────────────────────────────────

    def _drop(self, collection: str, ids: Collection[str] | None) -> None:
        """Records are gone: their words are not kept for anybody, and who is reading them now keeps nothing."""
        session = session_of(collection)
        with self._lock:
            self._drops += 1
            if ids is None:
                self._kept.pop(collection, None)
            elif (kept := self._kept.get(collection)) is not None:
                kept.drop(ids)
            for place in [place for place in self._tails if place[0] == session]:
                del self._tails[place]
            for name in [name for name in self._marked if name[0] == collection]:
                del self._marked[name]

    def forget(self) -> None:
        """Let go of everything: some of it was deleted, and whose a record is is not always told."""
        self._commits.forget()
        with self._lock:
            self._drops += 1
            self._kept.clear()
            self._tails.clear()
            self._marked.clear()

    def holds(self, namespace: str) -> bool:
        """Whether anything of a namespace is kept."""
        with self._lock:
            kept = [record for one in self._kept.values() for record in one.records.values() if record is not None]
            kept += (record for tail in self._tails.values() for record in tail.records)
            kept += (record for marked in self._marked.values() for record in marked.records)
            return any(_is_of(record, namespace) for record in kept)


def _followed(
    snapshot: Snapshot, known: SessionTail, changed: frozenset[str], *, collection: str, revision: Revision
) -> SessionTail | None:
    """The end of a session after more was said; None when something of it was changed or removed."""
    if not changed:
        return replace(known, revision=revision)
    if any(record.id in changed for record in known.records) or len(changed) > TAIL:
        return None
    said = snapshot.records([Key(collection, id) for id in changed])
    own = [record for record in said.values() if known.share.holds(record)]
    later = sorted(own, key=_age, reverse=True)
    if later and known.records and _age(later[-1]) < _age(known.records[0]):  # something was said before the last turn
        records = sorted([*known.records, *own], key=_age, reverse=True)
    else:
        records = [*later, *known.records]
    made = {name: dict(each) for name, each in list(known.made.items())}
    for gone in records[TAIL:]:
        for each in made.values():
            each.pop(gone.id, None)
    return replace(known, revision=revision, records=tuple(records[:TAIL]), made=made)


def _age(record: Record) -> tuple[int, bytes]:
    return record.at, record.id.encode()


def _moved_along(
    snapshot: Snapshot,
    known: _MarkedRecords,
    changed: frozenset[str],
    *,
    collection: str,
    mark: str,
    revision: Revision,
) -> _MarkedRecords | None:
    """The newest marked records after some of the collection were written; None when one of them has gone, moved or
    lost its mark: another may take its place then."""
    if not changed:
        return replace(known, revision=revision)
    read = snapshot.records([Key(collection, id) for id in changed])
    marked = {record.id: record for record in read.values() if record.metadata.get(mark) is True}
    for record in known.records:
        if record.id in changed and (record.id not in marked or marked[record.id].at != record.at):
            return None
    records = [*(record for record in known.records if record.id not in changed), *marked.values()]
    records.sort(key=lambda one: (one.at, one.id.encode()), reverse=True)
    return replace(known, revision=revision, records=tuple(records[: known.limit]))


def _is_of(record: Record, namespace: str) -> bool:
    session = session_of(record.collection)
    return namespace in (namespace_of(record.collection), TurnMetadata.of(record).owner) or (
        session is not None and unnamed(session) == namespace
    )


def _size(record: Record | None) -> int:
    return (0 if record is None else len(record.text)) + _METADATA


_METADATA = 400  # characters that metadata are counted as
