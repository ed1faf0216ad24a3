"""What a namespace held when it was deleted: counted for a certificate, and remembered until it was looked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from libravdb.core.erasure.fragments import cut_all
from libravdb.engine.namespace_deletion import Deletion
from libravdb.engine.namespace_holdings import Holding
from libravdb.engine.pages import every_record
from libravdb.model import (
    ClearJournal,
    DeletedContent,
    DropCollection,
    DropState,
    ErasureCount,
    Key,
    Record,
    Remove,
    Unlink,
    digest,
)
from libravdb.model.collections import CollectionKind, parse_collection
from libravdb.model.turn_metadata import TurnKey, turn_behind
from libravdb.ports.store import Snapshot
from libravdb.ports.validation import to_json
from libravdb.text.analysis import index_terms

if TYPE_CHECKING:
    from libravdb.model.records import Vector

_AT_ONCE = 500
_KINDS: Mapping[CollectionKind, str] = {
    CollectionKind.DURABLE_MEMORY: "memories",
    CollectionKind.SESSION_SUMMARIES: "summaries",
    CollectionKind.USER_GUIDANCE: "guidance",
    CollectionKind.SESSION_GUIDANCE: "guidance",
    CollectionKind.DREAM_ENTRIES: "dream_entries",
    CollectionKind.PROMPT_RECEIPTS: "receipts",
    CollectionKind.PROFILE: "profile_lines",
    CollectionKind.COMMIT_MARKERS: "markers",
}
COUNTED = (
    "turns", "memories", "summaries", "guidance", "dream_entries", "profile_lines", "receipts", "markers", "edges",
    "sessions", "journal_entries", "records", "texts", "vectors", "words",
)  # fmt: skip
"""What a certificate counts, in its order."""


@dataclass(slots=True)
class DeletedNamespace:
    """What stood in the store at the moment of which a deletion was planned.

    A look only takes things in, and counting comes later: the longer it took, the more often somebody who writes to the
    namespace would be faster than the deletion. Vectors of a text stay the same, and are read once.
    """

    _beside: Counter[str] = field(default_factory=Counter)
    _records: dict[Key, Record] = field(default_factory=dict)
    _contents: list[bytes] = field(default_factory=list)
    _dropped: set[str] = field(default_factory=set)
    _events: set[int] = field(default_factory=set)
    _vectors: dict[tuple[str, bytes], Vector | None] = field(default_factory=dict)

    def look(self, snapshot: Snapshot, planned: Deletion) -> None:
        """Take it all in; a plan that is made again is looked at again."""
        changes = [*planned.changes, *(change for each in planned.unfoldings for change in each.changes)]
        self._dropped = {change.name for change in changes if isinstance(change, DropCollection)}
        self._records = {Key(one.collection, one.id): one for one in _going(snapshot, changes, self._dropped)}
        self._contents, self._events, self._beside = [], set(), Counter()
        self._look_beside(snapshot, changes)
        self._look_at_vectors(snapshot)

    def _counted_records(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        turns: set[TurnKey] = set()
        for record in self._records.values():
            kind = _KINDS.get(parse_collection(record.collection).kind)
            turn = turn_behind(record) if kind is None else None
            if kind is not None:
                counts[kind] += 1
            if turn is not None:
                turns.add(turn)
        counts["turns"] = len(turns)
        counts["records"] = len(self._records)
        counts["texts"] = len(self._digests())
        counts["words"] = len(self._terms())
        counts["vectors"] = sum(len(vectors) for vectors in self._vectors.values() if vectors is not None)
        return counts

    def _look_beside(self, snapshot: Snapshot, changes: Sequence[object]) -> None:
        """Edges, states and events, which are no records."""
        edges = set()
        for change in changes:
            match change:
                case Unlink(session=session, parent=None):
                    edges |= set(snapshot.edges(session))
                case Unlink(session=session, parent=str(parent)):
                    edges |= set(snapshot.edges(session, parents=[parent]))
                case DropState(session=session):
                    self._beside["sessions"] += 1
                    self._contents += (to_json(one.state).encode() for one in snapshot.states([session]).values())
                case ClearJournal(seqs=seqs):
                    gone = [entry for entry in snapshot.journal() if seqs is None or entry.seq in seqs]
                    self._events |= {entry.seq for entry in gone}
                    self._contents += (to_json(entry.entry).encode() for entry in gone)
        self._beside["edges"] = len(edges)
        self._beside["journal_entries"] = len(self._events)

    def _look_at_vectors(self, snapshot: Snapshot) -> None:
        digests = self._digests()
        for space in snapshot.spaces():
            unknown = [each for each in digests if (space.fingerprint, each) not in self._vectors]
            for start in range(0, len(unknown), _AT_ONCE):
                batch = unknown[start : start + _AT_ONCE]
                found = snapshot.vectors(space.fingerprint, batch)
                self._vectors |= {(space.fingerprint, each): found.get(each) for each in batch}

    def _digests(self) -> list[bytes]:
        return sorted({digest(record.text) for record in self._records.values() if record.text})

    def _terms(self) -> frozenset[str]:
        return frozenset(term for text in {one.text for one in self._records.values()} for term in index_terms(text))

    def counts(self) -> tuple[ErasureCount, ...]:
        """How much of each kind there was."""
        counts = self._counted_records() + self._beside
        return tuple(ErasureCount(kind=kind, count=counts[kind]) for kind in COUNTED)

    def content(self) -> DeletedContent:
        """What to look for afterwards."""
        texts = {record.text.encode() for record in self._records.values()}
        facts = {to_json(record.metadata).encode() for record in self._records.values()}
        held = (vectors for vectors in self._vectors.values() if vectors is not None)
        rows = (row.astype("<f2").tobytes() for vectors in held for row in vectors)
        pieces = cut_all([*texts, *facts, *self._contents, *rows])
        return DeletedContent(terms=self._terms(), pieces=pieces)

    def events_left(self, snapshot: Snapshot) -> int:
        """How many of the journal's entries are still there: once its session is gone, nothing tells whose one was."""
        return sum(entry.seq in self._events for entry in snapshot.journal())

    def stand_again(self, snapshot: Snapshot, found: Sequence[Holding]) -> int:
        """How many of the records stand where they stood, unchanged, in a collection that others use too: nothing tells
        that they were written again. Of one that was dropped, everything is new."""
        places = {one.place for one in found if not one.is_own} - self._dropped
        keys = [key for key in self._records if key.collection in places]
        return sum(self._records[key] == record for key, record in snapshot.records(keys).items())


def _going(snapshot: Snapshot, changes: Sequence[object], dropped: set[str]) -> Iterator[Record]:
    """The records that a deletion takes away."""
    for name in sorted(dropped):
        yield from every_record(snapshot, name)
    keys = [Key(change.collection, change.id) for change in changes if isinstance(change, Remove)]
    yield from snapshot.records(keys).values()
