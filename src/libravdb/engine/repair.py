"""A new store out of what can be read of a damaged one: records first, then what holds them together, mended."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from libravdb.core.compaction.coverage import Conversation, sessions_in
from libravdb.core.compaction.mending import Mending, mend_conversation
from libravdb.engine.pages import every_record
from libravdb.model import (
    Append,
    Change,
    Edge,
    EnsureCollection,
    Imported,
    Link,
    Record,
    Remove,
    Repaired,
    Restore,
    RestoreState,
    SpaceState,
    Unlink,
)
from libravdb.model.collections import raw_turns, session_summaries, session_view
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.salvage import Salvage
from libravdb.ports.store import Snapshot, Store

BATCH = 256


def repair(store: Store, salvage: Salvage, progress: Progress = no_progress) -> Repaired:
    """Write into an empty store whatever is sound, and put right what stood on what is lost."""
    active = next((space for space in salvage.spaces() if space.state is SpaceState.ACTIVE), None)
    if active is not None:
        store.vectors.open(fingerprint=active.fingerprint, dimensions=active.dimensions, description=active.description)
    store.commit([EnsureCollection(name=name) for name in salvage.collections()])
    vectors = 0

    def restored() -> Iterator[Change]:
        nonlocal vectors
        for record, embedding in salvage.records(progress):
            vectors += embedding is not None
            yield Restore(record=record, embedding=embedding)

    records = _commit(store, restored())
    edges = _commit(store, (Link(edge=edge) for edge in salvage.edges()))
    states = _commit(store, (RestoreState(state=state) for state in salvage.states()))
    journal = _commit(store, (Append(session=e.session, at=e.at, entry=e.entry) for e in salvage.journal()))
    mended = _commit(store, _mending(store))
    saved = Imported(records=records, edges=edges, sessions=states, journal=journal, vectors=vectors)
    return Repaired(saved=saved, mended=mended, losses=salvage.losses())


def _commit(store: Store, changes: Iterable[Change]) -> int:
    """All of them, some at a time; returns how many."""
    done, waiting = 0, iter(changes)
    while batch := list(itertools.islice(waiting, BATCH)):
        store.commit(batch)
        done += len(batch)
    return done


def _mending(store: Store) -> list[Change]:
    with store.read() as snapshot:
        names = [info.name for info in snapshot.collections().items]
        return [change for session in sessions_in(names) for change in _mended(snapshot, session)]


def _mended(snapshot: Snapshot, session: str) -> Iterator[Change]:
    view, turns, summaries = (
        {record.id: record for record in every_record(snapshot, name)}
        for name in (session_view(session), raw_turns(session), session_summaries(session))
    )
    edges = snapshot.edges(session)
    found = mend_conversation(
        Conversation(
            session=session,
            active=frozenset(view),
            turns={id: record.metadata for id, record in turns.items()},
            summaries={id: record.metadata for id, record in summaries.items()},
            edges=edges,
        )
    )
    yield from _relinked(session, edges, found)
    for id, sources in found.sources.items():
        yield from _named(summaries[id], view.get(id), sources)
    for id in found.orphans:
        yield Remove(collection=session_summaries(session), id=id)
    for shown in (*(turns[id] for id in found.turns_shown), *(summaries[id] for id in found.summaries_shown)):
        yield Restore(record=replace(shown, collection=session_view(session)))


def _relinked(session: str, edges: tuple[Edge, ...], found: Mending) -> Iterator[Change]:
    changed = {edge.parent for edge in edges if edge not in found.edges}
    for parent in sorted(changed):
        yield Unlink(session=session, parent=parent)
    yield from (Link(edge=edge) for edge in found.edges if edge.parent in changed)


def _named(summary: Record, shown: Record | None, sources: tuple[str, ...]) -> Iterator[Change]:
    """A summary that lost sources names those that are left."""
    for record in (summary, shown):
        if record is not None and record.metadata.get("source_ids", list(sources)) != list(sources):
            yield Restore(record=replace(record, metadata={**record.metadata, "source_ids": list(sources)}))
