"""Deleting, whatever is named: records with all that a turn left, collections, namespaces, everything.

What is deleted lives on nowhere: summaries that may hold something of it are opened, receipts that ask for it go.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from libravdb.engine.namespace_deletion import Deletion, leave
from libravdb.engine.promotion import Gate
from libravdb.engine.prompts import Prompts
from libravdb.engine.receipts import Receipts
from libravdb.engine.retry import retry_on_conflict
from libravdb.engine.summary_invalidation import unfold, unfold_all
from libravdb.model import Change, ClearJournal, DropCollection, DropState, Remove, Unlink
from libravdb.model.collections import COVERED_KINDS, CollectionKind, parse_collection
from libravdb.model.namespaces import named
from libravdb.model.turn_metadata import owner_of, turn_traces
from libravdb.ports.store import Clock, Store


class Deletions:
    """The verbs that delete. Usable from many threads; no receipt is written behind its deletion."""

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        gate: Gate,
        prompts: Prompts,
        receipts: Receipts,
        grown: Callable[[str, int], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._gate = gate
        self._prompts = prompts
        self._receipts = receipts
        self._grown = grown

    def forget(self, collection: str, ids: Sequence[str]) -> int:
        """Delete records by id, all in one commit; returns how many there were.

        What came from a turn goes wherever the turn left its text: history, session, repetition index. Summaries that
        may hold something of it are opened, and what else they stood for is folded anew. Receipts whose question has
        the same words go. A memory that a forgotten one had made outdated counts again.
        """
        return self._delete(lambda: self._forgetting(collection, ids))

    def _forgetting(self, collection: str, ids: Sequence[str]) -> Deletion:
        present = [record for id in dict.fromkeys(ids) if (record := self._store.get(collection, id)) is not None]
        places = {(record.collection, record.id) for record in present}
        places |= {place for record in present for place in turn_traces(record)}
        restored = [change for record in present for change in self._gate.release(record)]
        also: list[Change] = [change for change in restored if (change.collection, change.id) not in places]
        texts: dict[str, list[str]] = {}
        for record in present:
            if namespace := owner_of(record):
                texts.setdefault(namespace, []).append(record.text)
        also += (change for namespace, said in texts.items() for change in self._receipts.drop_asked(said, namespace))
        return self._removal(places, records=len(present), also=also)

    def remove(self, collection: str, ids: Sequence[str]) -> None:
        """Delete exactly these records of a collection, in one commit; unknown ones are no error. Of the rest only
        summaries change, where one would stand for what is gone."""
        places = {(collection, id) for id in ids}
        self._delete(lambda: self._removal(places, records=len(places)))

    def _removal(self, places: Collection[tuple[str, str]], *, records: int, also: Sequence[Change] = ()) -> Deletion:
        """What deletes the records at these places, and opens the summaries that stood for them."""
        removals = [Remove(collection=name, id=id) for name, id in sorted(places)]
        return Deletion(
            changes=[*also, *removals],
            unfoldings=unfold(self._store, places, now=self._clock()),
            records=records,
        )

    def _delete(self, plan: Callable[[], Deletion]) -> int:
        """Commit what is planned, in one go; when others wrote meanwhile, plan again. Returns how many records went."""
        with self._receipts.paused():
            planned = retry_on_conflict(lambda: self._committed(plan()))
            for each in planned.unfoldings:
                self._grown(each.session, each.tokens)
            return planned.records

    def _committed(self, planned: Deletion) -> Deletion:
        opening = [change for each in planned.unfoldings for change in each.changes]
        steps = [each.step for each in planned.unfoldings if each.step is not None]
        self._store.commit([*opening, *planned.changes, *steps])
        return planned

    def flush(self, names: Sequence[str]) -> int:
        """Delete whole collections, all in one commit; returns how many records went.

        A session that loses its active view, its raw turns or its summaries loses all of its summaries: none stands for
        what is not there.
        """
        with self._receipts.paused():
            gone = self._delete(lambda: self._flushing(names))
            for name in map(parse_collection, names):
                if name.kind is CollectionKind.PROMPT_RECEIPTS:
                    self._receipts.discard(name.owner)
        return gone

    def _flushing(self, names: Sequence[str]) -> Deletion:
        sizes = {info.name: info.records for info in self._store.collections()}
        present = [name for name in dict.fromkeys(names) if name in sizes]
        sessions = sorted({name.owner for name in map(parse_collection, present) if name.kind in COVERED_KINDS})
        return Deletion(
            changes=[DropCollection(name=name) for name in present],
            unfoldings=[unfold_all(self._store, session, now=self._clock()) for session in sessions],
            records=sum(sizes[name] for name in present),
        )

    def flush_everything(self) -> int:
        """Delete all there is: collections, session states, coverage and the journal; returns how many records went."""
        with self._receipts.paused():
            sizes = {info.name: info.records for info in self._store.collections()}
            sessions = {state.session for state in self._store.sessions()}
            sessions |= {edge.session for edge in self._store.edges()}
            self._store.commit(
                [
                    *(DropCollection(name=name) for name in sizes),
                    *(DropState(session=session) for session in sorted(sessions)),
                    *(Unlink(session=session) for session in sorted(sessions)),
                    ClearJournal(),
                ]
            )
            self._prompts.forget()
        return sum(sizes.values())

    def flush_namespace(self, namespace: str) -> int:
        """Delete all that belongs to exactly this namespace, its sessions included; returns how many records went.

        Of a session that others took part in only the namespace's own turns go.
        """
        whose = named(namespace)
        with self._receipts.paused():
            gone = self._delete(lambda: leave(self._store, whose, now=self._clock()))
            self._prompts.forget(whose)
        return gone
