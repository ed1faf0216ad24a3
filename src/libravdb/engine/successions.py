"""What replaced which memory: read from durable memory, for whatever collection a turn was met in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial

from libravdb.core.gate.partial import replaced_kinds, still_holds
from libravdb.core.recall.currency import Identity, Succession, identity
from libravdb.engine.known_records import KnownRecords
from libravdb.model import Excluded, Key, Record, Where
from libravdb.model.collections import durable_memory, turn_history
from libravdb.model.record_ids import shared_turn_id
from libravdb.model.turn_metadata import TurnMetadata, owner_of, turn_behind
from libravdb.ports.store import Snapshot

ReadRecords = Callable[[Collection[Key]], Mapping[Key, Record]]
"""Those of some records that there are."""

MOST_LINKS = 64
"""A chain of updates is followed so far."""


def durable_key(record: Record) -> Key | None:
    """Where durable memory holds the turn of a record, if it does."""
    owner, turn = owner_of(record), turn_behind(record)
    if not owner or TurnMetadata.of(record).is_excerpt:
        return None
    if record.collection == durable_memory(owner):
        return Key(record.collection, record.id)
    return None if turn is None else Key(durable_memory(owner), shared_turn_id(*turn))


def read_successions(
    snapshot: Snapshot,
    records: Iterable[Record],
    *,
    collections: Collection[str],
    where: Where,
    exclude: Excluded,
    known_records: KnownRecords | None = None,
) -> dict[Identity, Succession]:
    """What became of those of these records that are outdated. One read tells that none is; a chain takes one a link.

    A successor that came too late for the question makes nothing outdated yet.
    """
    kept = [(key, record) for record in records if (key := durable_key(record)) is not None]
    known: dict[Key, Record] = {key: record for key, record in kept if record.collection == key.collection}
    unknown = [key for key in dict.fromkeys(key for key, _ in kept) if key not in known]
    read = snapshot.records if known_records is None else partial(known_records.records, snapshot)
    if unknown:
        known |= read(unknown)
    _follow(read, known)
    found: dict[Identity, Succession] = {}
    for key, record in kept:
        chain = [one for one in chain_of(key, known) if where.until is None or one.at < where.until]
        is_rewritten = bool(chain) and _is_rewritten(record, chain[0])
        if is_rewritten:
            chain.insert(0, record)
        if len(chain) > 1:
            told = TurnMetadata.of(chain[0])
            current = _shown(snapshot, chain[-1], collections)
            found[identity(record)] = Succession(
                successor=chain[1].id,
                since=TurnMetadata.of(chain[1]).updated_at if is_rewritten else told.superseded_at,
                current=current,
                is_shown=current.collection in collections
                and current.id not in exclude.get(current.collection, frozenset())
                and where.passes(current),
                is_partial=not is_rewritten and still_holds(chain[1].text, chain[0].text),
                kinds=replaced_kinds(chain[1].text),
            )
    return found


def successors(snapshot: Snapshot, memory: Record) -> tuple[str, ...]:
    """What replaced a memory, and what replaced that, link by link to the end of the chain."""
    found: dict[str, None] = {}
    while (newer := TurnMetadata.of(memory).superseded_by) and newer not in found:
        found[newer] = None
        record = snapshot.records([Key(memory.collection, newer)]).get(Key(memory.collection, newer))
        if record is None:
            break
        memory = record
    return tuple(found)


def _is_rewritten(record: Record, memory: Record) -> bool:
    """Whether somebody gave the memory of a turn another text, so that what was said then holds no more."""
    if record.collection == memory.collection or record.text == memory.text:
        return False
    return TurnMetadata.of(memory).updated_at is not None


def _follow(read: ReadRecords, known: dict[Key, Record]) -> None:
    """Read on, link by link, until nothing new is named."""
    for _ in range(MOST_LINKS):
        named = {
            Key(key.collection, newer)
            for key, record in known.items()
            if (newer := TurnMetadata.of(record).superseded_by) is not None
        }
        missing = named - known.keys()
        found = read(list(missing)) if missing else {}
        if not found:
            return
        known |= found


def chain_of(key: Key, known: Mapping[Key, Record]) -> list[Record]:
    """A memory and what replaced it, link by link, the one that holds last."""
    chain: list[Record] = []
    seen: set[Key] = set()
    while key in known and key not in seen:
        seen.add(key)
        chain.append(known[key])
        key = Key(key.collection, TurnMetadata.of(known[key]).superseded_by or "")
    return chain


def _shown(snapshot: Snapshot, current: Record, collections: Collection[str]) -> Record:
    """What holds now, from durable memory if it is asked, else from the history if that is."""
    history = Key(turn_history(owner_of(current)), current.id)
    if current.collection in collections or history.collection not in collections:
        return current
    return snapshot.records([history]).get(history, current)
