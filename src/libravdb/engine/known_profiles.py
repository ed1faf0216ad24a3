"""The lines of profiles for prompts, kept in memory as long as nobody changed them.

What memories state is written with them, in their own commit. Stores of an earlier edition hold memories that were
never read for it: they are read once, when their profile is first asked for.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from libravdb.engine.expiry import hides
from libravdb.engine.own_commits import OwnCommits
from libravdb.engine.pages import every_record, newest, one_record
from libravdb.engine.profile_records import (
    BUILT,
    ProfileStatement,
    built,
    content_of,
    lines_of,
    read_profile,
    rebuilt,
    stated_in_all,
    told_in,
)
from libravdb.engine.retry import retry_on_conflict
from libravdb.errors import StoreError
from libravdb.model import Key, ProfileLine, Revision, Topic
from libravdb.model.collections import durable_memory, namespace_of, profile_of
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store

MOST_READ = 2_000
"""Memories of an earlier edition that are read when a profile is first asked for, the newest; a rebuild reads all."""

FEW = 64
"""So few memories are read again by the next process; of more it is noted that they were."""

REMEMBERED, MOST_COMPLETE = 256, 65_536
"""Profiles kept in memory, and names of namespaces whose profile is known to be complete."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _KnownProfile:
    """A profile at a revision: what its records tell, by their ids, and its lines."""

    revision: Revision
    told: Mapping[str, ProfileStatement]
    lines: tuple[ProfileLine, ...]


class KnownProfiles:
    """Lines by the revision they were read at; what our own commits changed is read again, and everything when somebody
    else wrote there. Usable from many threads: two may read at once, to the same end."""

    def __init__(self, *, store: Store, commits: OwnCommits, clock: Clock) -> None:
        self._store = store
        self._commits = commits
        self._clock = clock
        self._known: OrderedDict[str, _KnownProfile] = OrderedDict()
        self._complete: OrderedDict[str, None] = OrderedDict()
        commits.listen(self._drop)

    def lines(self, snapshot: Snapshot, namespace: str, *, as_of: int | None = None) -> tuple[ProfileLine, ...]:
        """The lines of a profile at a moment; `as_of` leaves out what was said later."""
        topic = Topic.collection(profile_of(namespace))
        revision = snapshot.revisions([topic])[topic]
        if not revision:
            return ()
        if as_of is not None or hides(snapshot, topic.name):
            return lines_of(read_profile(snapshot, namespace), as_of=as_of)
        known = self._known.get(namespace)
        if known is None or known.revision != revision:
            told = self._told(snapshot, topic.name, known, revision)
            ordered = (told[id] for id in sorted(told, key=str.encode))
            lines = lines_of(content_of(namespace, ordered))
            self._known[namespace] = known = _KnownProfile(revision=revision, told=told, lines=lines)
            _shrink(self._known, REMEMBERED)
        return known.lines

    def _told(
        self, snapshot: Snapshot, name: str, known: _KnownProfile | None, revision: Revision
    ) -> dict[str, ProfileStatement]:
        """What the records of a profile tell at a revision, by their ids."""
        changed = None if known is None else self._commits.between(name, known.revision, revision)
        if known is None or changed is None:
            return {record.id: told_in(record) for record in every_record(snapshot, name)}
        found = snapshot.records([Key(name, id) for id in changed])
        kept = {id: told for id, told in known.told.items() if id not in changed}
        return kept | {key.id: told_in(record) for key, record in found.items()}

    def complete(self, namespace: str) -> None:
        """See to it that what was kept by an earlier edition was read; once for a namespace.

        Where that cannot be written down the profile holds what it holds: a prompt does not fail for it.
        """
        if namespace in self._complete:
            return
        try:
            retry_on_conflict(lambda: self._completed(namespace))
        except StoreError as error:
            _log.warning("the profile of a namespace could not be completed: %s", error)
        self._complete[namespace] = None
        _shrink(self._complete, MOST_COMPLETE)

    def read_anew(self, namespaces: Iterable[str]) -> None:
        """Memories came in that nobody has read for a profile. Whoever shares the store may know the profile to be
        complete: so it is completed here, before it is told that they came."""
        for namespace in namespaces:
            self.forget(namespace)
            if self._store.is_shared:
                self.complete(namespace)

    def _completed(self, namespace: str) -> None:
        with self._store.read() as snapshot:
            held = snapshot.sizes([durable_memory(namespace)])[durable_memory(namespace)]
            if not held or one_record(snapshot, profile_of(namespace), BUILT) is not None:
                return
            memories = newest(snapshot, durable_memory(namespace), limit=MOST_READ)
            changes = rebuilt(snapshot, namespace, stated_in_all(memories), is_whole=False)
        if held > FEW:
            changes.append(built(namespace, now=self._clock()))
        if changes:
            self._store.commit(changes)

    def _drop(self, collection: str, _: Collection[str] | None) -> None:
        """Something of a profile is gone: its words are not kept."""
        whose = namespace_of(collection)
        if whose is not None and collection == profile_of(whose):
            self._known.pop(whose, None)

    def forget(self, namespace: str | None = None) -> None:
        """Let go of what is remembered of a namespace, or of everybody's: it was deleted, or others came in."""
        for remembered in (self._known, self._complete):
            if namespace is None:
                remembered.clear()
            else:
                remembered.pop(namespace, None)

    def holds(self, namespace: str) -> bool:
        """Whether anything of a namespace is remembered."""
        known = self._known.get(namespace)
        return known is not None and any(told is not None for told in known.told.values())


def _shrink(remembered: OrderedDict[str, Any], most: int) -> None:
    while len(remembered) > most:
        try:
            remembered.popitem(last=False)
        except KeyError:  # another thread took the last one
            return
