"""Deleting: records wherever they left text, whole collections, a namespace, everything; and moving a namespace, which
leaves nothing where it was. What is deleted lives on in no summary, no receipt and no cache."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from libravdb.engine.former_versions import as_it_was, version_traces
from libravdb.engine.namespace_deletion import Deletion, leave
from libravdb.engine.namespace_move import plan_move
from libravdb.engine.pages import every_record
from libravdb.engine.profile_records import following, profile_traces
from libravdb.engine.promotion import Gate
from libravdb.engine.prompts import Prompts
from libravdb.engine.receipts import Receipts
from libravdb.engine.retry import retry_on_conflict
from libravdb.engine.session_share import own_traces, repetitions
from libravdb.engine.summary_invalidation import unfold, unfold_all
from libravdb.errors import InvalidInput
from libravdb.model import (
    Change,
    ClearJournal,
    DropCollection,
    DropState,
    ForgottenTurns,
    Json,
    Key,
    MovedMemory,
    Record,
    Remove,
    Topic,
    Unlink,
    Where,
)
from libravdb.model.collections import (
    COVERED_KINDS,
    TURN_KINDS,
    CollectionKind,
    durable_memory,
    former_versions,
    namespace_of,
    parse_collection,
    profile_of,
    turn_history,
)
from libravdb.model.namespaces import named, nameless_session
from libravdb.model.turn_metadata import SESSION, SPEAKER, owner_of
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store

MOST_SHOWN = 20
"""Turns that are shown of those that go."""

_AS_SAID = (*TURN_KINDS, CollectionKind.TURN_HISTORY, CollectionKind.TURN_INDEX)
"""Where a turn stands as it was said, and as the gate judged it."""

Plan = Callable[[Snapshot], Deletion]
"""What is to be deleted, as the store is at a moment."""

Look = Callable[[Snapshot, Deletion], None]
"""Sees what is about to be deleted."""

StillDue = Callable[[Snapshot, Iterable[Record]], list[Record]]
"""Those of some records that are to go, as the store is at a moment: others may have written since they were found."""


class Deletions:
    """The verbs that delete. Usable from many threads; no receipt is written behind its deletion."""

    def __init__(
        self,
        *,
        store: Store,
        gate: Gate,
        receipts: Receipts,
        prompts: Prompts,
        grown: Callable[[str, int], None],
        clock: Clock,
    ) -> None:
        self._store = store
        self._gate = gate
        self._receipts = receipts
        self._prompts = prompts
        self._grown = grown
        self._clock = clock

    def forget(self, collection: str, ids: Sequence[str]) -> int:
        """Delete records by id, all in one commit; returns how many there were.

        What came from a turn goes wherever the turn left its text: history, session, repetition index. Summaries that
        may hold something of it are opened, and what else they stood for is folded anew. So do the turns that said a
        memory once more, and receipts whose question has the same words, or whose reasons tell what a memory states. A
        memory that a forgotten one had made outdated counts again.
        """
        return self._delete(lambda snapshot: self._forgetting(snapshot, collection, ids))

    def _forgetting(self, snapshot: Snapshot, collection: str, ids: Sequence[str]) -> Deletion:
        present = list(snapshot.records([Key(collection, id) for id in dict.fromkeys(ids)]).values())
        places = {(record.collection, record.id) for record in present}
        former = [as_it_was(version) for version in version_traces(snapshot, places)]
        sources = (*present, *former, *repetitions(snapshot, present))
        places |= {place for record in sources for place in own_traces(snapshot, record)}
        gone = snapshot.records([Key(*place) for place in places]).values()
        restored = self._gate.release(gone, snapshot)
        also: list[Change] = [*restored]
        for owner in sorted({name for change in restored if (name := namespace_of(change.collection)) is not None}):
            also += following(snapshot, owner, restored)
        texts: dict[str, list[str]] = {}
        for record in sources:
            if namespace := owner_of(record):
                texts.setdefault(namespace, []).append(record.text)
        for namespace, said in texts.items():
            memories = [id for name, id in places if name == durable_memory(namespace)]
            also += self._receipts.drop_telling(said, memories, namespace, snapshot)
        return self._removal(snapshot, places, records=len(present), also=also)

    def forget_turns(
        self, *, namespace: str, sessions: Collection[str] = (), speaker: str = "", is_dry: bool = False
    ) -> ForgottenTurns:
        """Delete all that was said to a namespace in some sessions, or by somebody, or both, wherever it left text. A
        dry run only tells what would go."""
        if not sessions and not speaker:
            raise InvalidInput("session", "and speaker are empty", remedy="Name a session, or who spoke.")
        history = turn_history(named(namespace))
        wanted: dict[str, tuple[Json, ...]] = {SESSION: tuple(sorted(sessions))} if sessions else {}
        wanted |= {SPEAKER: (speaker,)} if speaker else {}
        with self._store.read() as snapshot:
            found = list(every_record(snapshot, history, where=Where(metadata=wanted)))
        if found and not is_dry:
            self.forget(history, [record.id for record in found])
        latest = sorted(found, key=lambda record: (-record.at, record.id))[:MOST_SHOWN]
        return ForgottenTurns(turns=len(found), latest=tuple(latest), is_dry=is_dry)

    def remove(self, collection: str, ids: Sequence[str]) -> None:
        """Delete exactly these records of a collection, in one commit; unknown ones are no error. Of the rest only
        summaries change, where one would stand for what is gone."""
        places = {(collection, id) for id in ids}
        self._delete(lambda snapshot: self._removal(snapshot, places, records=len(places)))

    def let_turns_go(self, namespace: str, ids: Sequence[str], *, still: StillDue) -> int:
        """Delete turns by their ids in a namespace's history, wherever they stand as turns; returns how many went. What
        was kept of them stays: memories, with what a profile has of them, and standing guidance. Summaries that may
        hold something of them are opened. `still` tells which of them are due in the very commit that deletes them."""
        history = turn_history(named(namespace))

        def plan(snapshot: Snapshot) -> Deletion:
            present = still(snapshot, snapshot.records([Key(history, id) for id in dict.fromkeys(ids)]).values())
            places = {trace for record in present for trace in own_traces(snapshot, record)} | _places(present)
            said = {place for place in places if parse_collection(place[0]).kind in _AS_SAID}
            planned = self._removal(snapshot, said, records=len(present))
            return replace(planned, unless=snapshot.revisions([Topic.collection(history)]))

        return self._delete(plan)

    def let_memories_go(self, namespace: str, ids: Sequence[str], *, still: StillDue) -> int:
        """Delete durable memories of a namespace by their ids, with what its profile has of them; returns how many
        went. The turns that they came from stay. What one of them had made outdated counts again. `still` tells which
        of them are due in the very commit that deletes them."""
        memories, profile = durable_memory(named(namespace)), profile_of(named(namespace))

        def plan(snapshot: Snapshot) -> Deletion:
            present = still(snapshot, snapshot.records([Key(memories, id) for id in dict.fromkeys(ids)]).values())
            restored = self._gate.release(present, snapshot)
            also: list[Change] = [*restored, *following(snapshot, named(namespace), restored)]
            planned = self._removal(snapshot, _places(present), records=len(present), also=also)
            return replace(planned, unless=snapshot.revisions([Topic.collection(memories), Topic.collection(profile)]))

        return self._delete(plan)

    def clear_events(self, seqs: frozenset[int]) -> int:
        """Delete entries of the journal by their numbers; unknown ones are no error."""
        self._store.commit([ClearJournal(seqs=seqs)])
        return len(seqs)

    def _removal(
        self,
        snapshot: Snapshot,
        places: Collection[tuple[str, str]],
        *,
        records: int,
        also: Sequence[Change] = (),
    ) -> Deletion:
        """What deletes the records at these places, with what profiles have of them and what they said before, and
        opens the summaries that stood for them."""
        in_profile = profile_traces(snapshot, places)
        former = {(version.collection, version.id) for version in version_traces(snapshot, places)}
        removals = [Remove(collection=name, id=id) for name, id in sorted({*places, *in_profile, *former})]
        return Deletion(
            changes=[*also, *removals],
            unfoldings=unfold(snapshot, places, now=self._clock()),
            records=records,
        )

    def flush(self, names: Sequence[str]) -> int:
        """Delete whole collections, all in one commit; returns how many records went.

        A session that loses its active view, its raw turns or its summaries loses all of its summaries, and a
        namespace that loses its memories its profile and their history: none stands for what is not there.
        """
        with self._receipts.paused():
            gone = self._delete(lambda snapshot: self._flushing(snapshot, names))
            for name in map(parse_collection, names):
                if name.kind is CollectionKind.PROMPT_RECEIPTS:
                    self._receipts.discard(name.owner)
        return gone

    def _flushing(self, snapshot: Snapshot, names: Sequence[str]) -> Deletion:
        topics = {name: Topic.collection(name) for name in names}
        there = snapshot.revisions(topics.values())
        present = [name for name, topic in topics.items() if there[topic]]
        parsed = [parse_collection(name) for name in present]
        sessions = sorted({name.owner for name in parsed if name.kind in COVERED_KINDS})
        owners = [name.owner for name in parsed if name.kind is CollectionKind.DURABLE_MEMORY]
        with_them = {place(owner) for owner in owners for place in (profile_of, former_versions)}
        return Deletion(
            changes=[DropCollection(name=name) for name in sorted({*present, *with_them})],
            unfoldings=[unfold_all(snapshot, session, now=self._clock()) for session in sessions],
            records=sum(snapshot.sizes(present).values()),
        )

    def flush_everything(self) -> int:
        """Delete all there is: collections, session states, coverage and the journal; returns how many records went."""

        def everything(snapshot: Snapshot) -> Deletion:
            sizes = {info.name: info.records for info in snapshot.collections().items}
            sessions = {state.session for state in snapshot.states_of(None).items}
            sessions |= {edge.session for edge in snapshot.edges(None)}
            changes: list[Change] = [
                *(DropCollection(name=name) for name in sizes),
                *(DropState(session=session) for session in sorted(sessions)),
                *(Unlink(session=session) for session in sorted(sessions)),
                ClearJournal(),
            ]
            return Deletion(changes=changes, unfoldings=(), records=sum(sizes.values()))

        with self._receipts.paused():
            gone = self._delete(everything)
            self._prompts.forget()
        return gone

    def flush_namespace(self, namespace: str) -> int:
        """Delete all that belongs to exactly this namespace, its sessions included; returns how many records went.

        Of a session that others took part in only the namespace's own turns go.
        """
        return self.leave(namespace).records

    def leave(self, namespace: str, look: Look = lambda _snapshot, _planned: None) -> Deletion:
        """Delete a namespace, and tell all about it. `look` sees what is about to go, at the very moment of which it
        was planned, and once more each time that it must be planned again."""
        whose = named(namespace)

        def plan(snapshot: Snapshot) -> Deletion:
            planned = leave(snapshot, whose, now=self._clock())
            look(snapshot, planned)
            return planned

        with self._receipts.paused():
            done = self._done(plan)
            self._prompts.forget(whose)
        return done

    def move_namespace(self, namespace: str, *, to_namespace: str, is_dry_run: bool = False) -> MovedMemory:
        """Give all that belongs to exactly this namespace to another one, in one commit; the same again finds nothing.

        With `is_dry_run` it is only counted. What both hold stays once.
        """
        source, target = named(namespace), named(to_namespace)
        if source == target:
            raise InvalidInput("to_namespace", "is the same namespace", remedy="Name another one.")
        if nameless_session(source) is not None:
            raise InvalidInput("namespace", "is a session without a name", remedy="What has an owner can be moved.")

        def work() -> MovedMemory:
            with self._store.read() as snapshot:
                planned = plan_move(snapshot, source, target, now=self._clock())
            if not is_dry_run and planned.changes:
                self._store.commit(planned.changes, unless=planned.unless)
            return replace(planned.moved, is_dry_run=is_dry_run)

        with self._receipts.paused():
            moved = retry_on_conflict(work)
            if not is_dry_run:
                self._prompts.forget(source)
                self._prompts.take_over(target)
        return moved

    def _delete(self, plan: Plan) -> int:
        """Commit what is planned, in one go; when others wrote meanwhile, plan again. Returns how many records went."""
        return self._done(plan).records

    def _done(self, plan: Plan) -> Deletion:
        with self._receipts.paused():
            planned = retry_on_conflict(lambda: self._committed(plan))
            for each in planned.unfoldings:
                self._grown(each.session, each.tokens)
            return planned

    def _committed(self, plan: Plan) -> Deletion:
        with self._store.read() as snapshot:
            planned = plan(snapshot)
        opening = [change for each in planned.unfoldings for change in each.changes]
        steps = [each.step for each in planned.unfoldings if each.step is not None]
        done = self._store.commit([*opening, *planned.changes, *steps], unless=planned.unless)
        return replace(planned, revision=done.revision)


def _places(records: Iterable[Record]) -> set[Key]:
    return {Key(record.collection, record.id) for record in records}
