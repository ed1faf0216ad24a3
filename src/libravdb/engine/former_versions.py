"""What memories said before they were updated: kept beside them, read as their history, and deleted with them.

A former version holds the text and the metadata that a memory had. It stands in a collection of its own that no scope
names and no search looks at; its text is the same row of the store that the memory had, so its vectors stay with it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from libravdb.model import MUST_BE_NEW, Order, Put, Record
from libravdb.model.collections import (
    CollectionKind,
    durable_memory,
    former_versions,
    parse_collection,
)
from libravdb.model.record_ids import former_version_id, former_version_prefix
from libravdb.model.turn_metadata import (
    FORMER_METADATA,
    FORMER_VERSION,
    KIND,
    OWNER,
    SOURCE_MEMORY,
    UPDATED_AT,
    RecordKind,
)
from libravdb.ports.store import Snapshot

_AT_ONCE = 100


def put_former(record: Record, snapshot: Snapshot, *, namespace: str, now: int) -> Put:
    """A memory as it is, to be kept when it changes, after all that is kept of it already: a memory that came back from
    a file may have begun to count anew."""
    last = max((_version(each) for each in _kept(snapshot, namespace, record.id)), default=0)
    version = max(record.version, last + 1)
    return Put(
        collection=former_versions(namespace),
        id=former_version_id(record.id, version),
        text=record.text,
        at=record.at,
        metadata={
            KIND: RecordKind.FORMER_VERSION.value,
            OWNER: namespace,
            SOURCE_MEMORY: record.id,
            FORMER_VERSION: version,
            UPDATED_AT: now,
            FORMER_METADATA: dict(record.metadata),
        },
        expect=MUST_BE_NEW,
    )


def versions_of(snapshot: Snapshot, namespace: str, memory: str) -> list[Record]:
    """The former versions of a memory as it was, the oldest first."""
    found = [_as_it_was(record, namespace) for record in _kept(snapshot, namespace, memory)]
    return sorted(found, key=lambda record: record.version)


def version_traces(snapshot: Snapshot, places: Collection[tuple[str, str]]) -> list[Record]:
    """The former versions of the memories among these places (collection, id), as they are kept."""
    memories: dict[str, list[str]] = {}
    for collection, id in places:
        name = parse_collection(collection)
        if name.kind is CollectionKind.DURABLE_MEMORY:
            memories.setdefault(name.owner, []).append(id)
    sizes = snapshot.sizes([former_versions(owner) for owner in memories]) if memories else {}
    return [
        record
        for owner, ids in memories.items()
        if sizes[former_versions(owner)]
        for id in ids
        for record in _kept(snapshot, owner, id)
    ]


def is_of_memory(version: Record, memory: Record) -> bool:
    """Whether a former version may be one of a memory: the memory was updated, and not before that one was."""
    told, last = version.metadata.get(UPDATED_AT), memory.metadata.get(UPDATED_AT)
    return isinstance(told, int) and isinstance(last, int) and told <= last


def as_it_was(record: Record) -> Record:
    """A former version as the memory that it was."""
    return _as_it_was(record, parse_collection(record.collection).owner)


def renamed_version(record: Record, memory: str) -> Record:
    """A former version, kept for a memory that has another id from now on."""
    id = former_version_id(memory, _version(record))
    return replace(record, id=id, metadata={**record.metadata, SOURCE_MEMORY: memory})


def _kept(snapshot: Snapshot, namespace: str, memory: str) -> list[Record]:
    """What is kept of a memory: ids that begin alike stand together."""
    collection, prefix = former_versions(namespace), former_version_prefix(memory)
    found: list[Record] = []
    after: str | None = prefix
    while after is not None:
        page = snapshot.page(collection, order=Order.ID, after=after, limit=_AT_ONCE)
        own = [record for record in page if record.id.startswith(prefix)]
        found += own
        after = page.next if len(own) == len(page) else None
    return [record for record in found if record.metadata.get(SOURCE_MEMORY) == memory]


def _as_it_was(record: Record, namespace: str) -> Record:
    told = record.metadata.get(FORMER_METADATA)
    return Record(
        collection=durable_memory(namespace),
        id=str(record.metadata.get(SOURCE_MEMORY, "")),
        text=record.text,
        metadata=told if isinstance(told, dict) else {},
        at=record.at,
        version=_version(record),
        access_count=0,
    )


def _version(record: Record) -> int:
    told = record.metadata.get(FORMER_VERSION)
    return told if isinstance(told, int) else 0
