"""What goes when a namespace goes: all that is its own, and its part of what it shares with others.

A plan is made of what the store holds, and committed only if that is still so: whoever writes meanwhile is met by a
Conflict, and the plan is made again. Every turn stands in the history of its namespace, so a history that holds nothing
new tells that nothing new was said. In collections that are neither a session's nor a namespace's, such as those of a
client's own naming, whatever names the namespace as its owner goes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from libravdb.engine.pages import every_record
from libravdb.engine.session_names import hosts_of
from libravdb.engine.session_share import NOT_TOLD, SessionShare
from libravdb.engine.summary_invalidation import Unfolding, unfold
from libravdb.model import (
    Change,
    ClearJournal,
    DropCollection,
    DropState,
    JournalEntry,
    Json,
    Key,
    Record,
    Remove,
    Revision,
    SessionState,
    SetState,
    Topic,
    Unlink,
    Where,
)
from libravdb.model.collections import (
    commit_markers,
    is_nobodys,
    namespace_collections,
    raw_turns,
    session_collections,
    session_of,
    turn_history,
)
from libravdb.model.namespaces import nameless_session, resolve_namespace, unnamed
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import KIND, OWNER, RecordKind, owner_of, turn_traces
from libravdb.ports.store import Snapshot

EVENT_IDENTITY = (("session_key", "sessionKey"), ("agent", "agentId"), ("session", "sessionId"))  # as events tell it


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion:
    """What one commit deletes, what keeps coverage whole beside it, how many records the caller asked to go, and what
    must still be as it was when this was planned. `revision` is that of the commit, 0 when there is none."""

    changes: Sequence[Change]
    unfoldings: Sequence[Unfolding]
    records: int
    unless: Mapping[Topic, Revision] = field(default_factory=dict)
    revision: Revision = 0


def leave(snapshot: Snapshot, namespace: str, *, now: int) -> Deletion:
    """What deletes all that belongs to exactly this namespace. Of a session that others took part in only the
    namespace's own turns go."""
    return _Leaving(snapshot, namespace, now=now).planned()


@dataclass(frozen=True, slots=True, kw_only=True)
class _SessionOwners:
    """A session, and whose turns it holds."""

    name: str
    state: SessionState | None
    owners: frozenset[str]

    @property
    def path(self) -> tuple[str, ...]:
        """The other names under which its host's session stood, or stands now."""
        return tuple(name for name in SessionMetadata.of(self.state).names if name != self.name)


@dataclass(slots=True)
class _DeletionPlan:
    names: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    unfoldings: list[Unfolding] = field(default_factory=list)


class _Leaving:
    """One look at the store: only at what the namespace holds, or shares with others."""

    def __init__(self, snapshot: Snapshot, namespace: str, *, now: int) -> None:
        self._snapshot = snapshot
        self._namespace = namespace
        self._now = now
        self._known: dict[str, _SessionOwners] = {}
        self._sizes: dict[str, int] = {}
        self._held = [info.name for info in snapshot.collections(owner=namespace).items]
        self._sessions = [self._session(name) for name in sorted(self._session_names())]

    def planned(self) -> Deletion:
        plan = _DeletionPlan(names=list(namespace_collections(self._namespace)))
        for session in self._sessions:
            if session.owners == {self._namespace} and not self._others_in(session):
                self._drop(session, plan)
            elif not session.owners and self._is_signpost(session) and not self._leads_to_others(session):
                plan.changes += _dropped(session)
            else:
                self._take_out(session, plan)
        nobodys = [name for name in self._held if is_nobodys(name)]
        plan.changes += self._own_in(nobodys)
        plan.changes += self._events()
        removed = sum(isinstance(change, Remove) for change in plan.changes)
        plan.changes += (DropCollection(name=name) for name in plan.names)
        records = removed + sum(self._snapshot.sizes(plan.names).values())
        unless = self._snapshot.revisions(
            [Topic.collection(name) for name in (turn_history(self._namespace), *nobodys)]
        )
        return Deletion(changes=plan.changes, unfoldings=plan.unfoldings, records=records, unless=unless)

    def _own_in(self, names: Sequence[str]) -> list[Remove]:
        """What the namespace has in collections that others may use too, by what each record tells itself."""
        own = Where(metadata={OWNER: (self._namespace,)})
        records = (record for name in names for record in self._snapshot.page(name, where=own, limit=None).items)
        return [Remove(collection=record.collection, id=record.id) for record in records]

    # ── sessions ──────────────────────────────────────────────────────────────────────────────────────────

    def _session_names(self) -> set[str]:
        """Every session in which the namespace left something, and the other names of its host's session."""
        names = {session for name in self._held if (session := session_of(name)) is not None}
        names |= {state.session for state in self._snapshot.states_of(self._namespace).items}
        names |= {name for name in (nameless_session(self._namespace),) if name is not None}
        found: set[str] = set()
        while new := names - found:
            found |= new
            names |= {name for session in new for name in (*self._session(session).path, *hosts_of(session))}
        return {name for name in found if self._session(name).state is not None or self._size_of(name)}

    def _session(self, name: str) -> _SessionOwners:
        """A session with its owners. One without a state has those that its turns tell."""
        if name not in self._known:
            state = self._snapshot.states([name]).get(name)
            owners = set(SessionMetadata.of(state).namespaces)
            if state is None:
                owners = {owner_of(record) for record in every_record(self._snapshot, raw_turns(name))} - {""}
            if not owners and self._snapshot.sizes([raw_turns(name)])[raw_turns(name)]:
                owners = {unnamed(name)}
            self._known[name] = _SessionOwners(name=name, state=state, owners=frozenset(owners))
        return self._known[name]

    def _size_of(self, session: str) -> int:
        """How many records stand in the collections of a session."""
        if session not in self._sizes:
            self._sizes[session] = sum(self._snapshot.sizes(session_collections(session)).values())
        return self._sizes[session]

    def _drop(self, session: _SessionOwners, plan: _DeletionPlan) -> None:
        """Nobody else spoke in it. If others go on under its name, where it leads stays."""
        plan.names += session_collections(session.name)
        plan.changes.append(Unlink(session=session.name))
        if self._leads_to_others(session):
            plan.changes += self._without_owner(session)
        else:
            plan.changes += _dropped(session)

    def _take_out(self, session: _SessionOwners, plan: _DeletionPlan) -> None:
        """Others spoke in it too: only the namespace's own part goes."""
        places = self._places_in(session)
        if not places and self._namespace not in session.owners:
            return
        plan.changes += (Remove(collection=name, id=id) for name, id in sorted(places))
        plan.changes += self._without_owner(session)
        opened = unfold(self._snapshot, places, now=self._now)
        plan.unfoldings += (replace(each, step=None) for each in opened)  # the state changes above

    def _events(self) -> list[ClearJournal]:
        """The journal's entries on sessions that were the namespace's alone, or that tell its name."""
        gone = {entry.seq for entry in self._snapshot.journal() if self._is_own(entry)}
        return [ClearJournal(seqs=frozenset(gone))] if gone else []

    def _is_own(self, entry: JournalEntry) -> bool:
        session = self._session(entry.session)
        told = {name: str(entry.entry.get(key, "")) for name, key in EVENT_IDENTITY}
        if not session.owners:
            return resolve_namespace(**told) == self._namespace
        if session.owners == {self._namespace} and not self._leads_to_others(session):
            return True
        by_name = {resolve_namespace(**{name: value}) for name, value in told.items() if value and name != "session"}
        return self._namespace in by_name

    def _others_in(self, session: _SessionOwners) -> bool:
        """True when records in a session tell of owners that its state does not know: a client may write anywhere."""
        own = SessionShare(namespace=self._namespace, nameless=NOT_TOLD).where
        names = session_collections(session.name)
        held = sum(1 for name in names for _ in every_record(self._snapshot, name, where=own))
        return held < self._size_of(session.name)

    def _leads_to_others(self, session: _SessionOwners) -> bool:
        return any(self._session(name).owners - {self._namespace} for name in session.path)

    def _is_signpost(self, session: _SessionOwners) -> bool:
        """True when a session holds nothing and only tells under which name its host's session goes on."""
        return bool(session.path) and not self._size_of(session.name)

    def _without_owner(self, session: _SessionOwners) -> list[SetState]:
        if session.state is None:
            return []
        told = SessionMetadata.of(session.state).left(self._namespace)
        return [SetState(session=session.name, state=told.facts, at=self._now, expect=session.state.generation)]

    # ── what is the namespace's own in a session that it shares ───────────────────────────────────────────

    def _places_in(self, whole: _SessionOwners) -> set[tuple[str, str]]:
        session, own = whole.name, Where(metadata={OWNER: (self._namespace,)})
        names = session_collections(session)
        records = [record for name in names for record in every_record(self._snapshot, name, where=own)]
        if self._namespace == unnamed(session) or whole.owners == {self._namespace}:
            turns = (record for name in names for record in every_record(self._snapshot, name))
            records += (record for record in turns if _is_nobodys(record))
        places = {(record.collection, record.id) for record in records}
        traces = {Key(*place) for record in records for place in turn_traces(record) if place[0] in names}
        there = self._snapshot.records(traces)
        places |= {(key.collection, key.id) for key, trace in there.items() if self._is_nobody_elses(trace)}
        return places | self._notes_on(session, {id for name, id in places if name == raw_turns(session)})

    def _is_nobody_elses(self, record: Record) -> bool:
        return owner_of(record) in ("", self._namespace)

    def _notes_on(self, session: str, turns: Collection[str]) -> set[tuple[str, str]]:
        """That these turns were committed under keys, noted before notes told whose they are."""
        notes = every_record(self._snapshot, commit_markers(session)) if turns else ()
        return {(note.collection, note.id) for note in notes if _is_about(note, turns)}


def _is_nobodys(record: Record) -> bool:
    """True for a turn that came without any name."""
    return not owner_of(record) and record.metadata.get(KIND, RecordKind.TURN) == RecordKind.TURN


def _dropped(session: _SessionOwners) -> list[DropState]:
    return [] if session.state is None else [DropState(session=session.name, expect=session.state.generation)]


def _is_about(note: Record, turns: Collection[str]) -> bool:
    facts: Mapping[str, Json] = note.metadata
    named = facts.get("turns")
    return OWNER not in facts and isinstance(named, list) and any(id in turns for id in named)
