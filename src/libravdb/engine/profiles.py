"""What a person does with his profile: looks at it, pins, corrects and forgets lines."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from libravdb.core.profile.lines import LineOverride, without_line
from libravdb.engine.known_profiles import FEW, KnownProfiles
from libravdb.engine.pages import every_record, one_record
from libravdb.engine.profile_records import (
    BUILT,
    ProfileContent,
    built,
    lines_of,
    put_override,
    put_stated,
    read_profile,
    rebuilt,
    stated_in_all,
)
from libravdb.engine.retry import retry_on_conflict
from libravdb.errors import InvalidInput, NotFound
from libravdb.model import Change, Profile, ProfileLine, Put, Remove, Topic
from libravdb.model.collections import durable_memory, profile_of
from libravdb.model.namespaces import named
from libravdb.model.record_ids import profile_line_id
from libravdb.ports.clock import Clock
from libravdb.ports.store import Store
from libravdb.text.unicode import mend

LONGEST = 300
"""Characters of a line that a person writes."""


class Profiles:
    """The verbs that are about a profile. Usable from many threads."""

    def __init__(self, *, store: Store, known: KnownProfiles, clock: Clock, mask: Callable[[str], str]) -> None:
        self._store = store
        self._known = known
        self._clock = clock
        self._mask = mask

    def show(self, *, namespace: str) -> Profile:
        """What is known and current about a person, line by line, with where each comes from."""
        namespace = named(namespace)
        self._known.complete(namespace)
        with self._store.read() as snapshot:
            return Profile(namespace=namespace, lines=self._known.lines(snapshot, namespace))

    def rebuild(self, *, namespace: str) -> Profile:
        """Read every memory again; what was pinned, corrected and forgotten stays so."""
        namespace = named(namespace)

        def work() -> None:
            with self._store.read() as snapshot:
                stated = stated_in_all(every_record(snapshot, durable_memory(namespace)))
                changes = rebuilt(snapshot, namespace, stated, is_whole=True)
                is_noted = one_record(snapshot, profile_of(namespace), BUILT) is not None
                is_large = snapshot.sizes([durable_memory(namespace)])[durable_memory(namespace)] > FEW
            if is_large and not is_noted:
                changes.append(built(namespace, now=self._clock()))
            if changes:
                self._store.commit(changes)

        retry_on_conflict(work)
        return self.show(namespace=namespace)

    def pin(self, id: str, *, namespace: str, is_pinned: bool = True) -> ProfileLine:
        """Keep a line as it is, whatever is said later, and first of all in a small budget; or let it go with the
        times again."""

        def pinned(content: ProfileContent, line: ProfileLine) -> _Rework:
            wanted = replace(line, is_pinned=is_pinned)
            if not is_pinned and not line.is_edited:
                return _Rework(line=wanted, changes=[_without_override(content, line)])
            before = content.overrides.get(line.id)
            at = before.at if before is not None and line.is_edited else self._clock()
            return _Rework(line=wanted, changes=[_with_override(content, wanted, at=at)])

        return self._reworked(id, namespace, pinned)

    def edit(self, id: str, text: str, *, namespace: str) -> ProfileLine:
        """Correct a line. The correction stands until the person says something newer about the same thing; one that
        is pinned stays."""
        corrected = " ".join(self._mask(mend(text)).split())
        if not corrected:
            raise InvalidInput("text", "is empty", remedy="Say it as it is, or forget the line: profile forget.")
        if len(corrected) > LONGEST:
            problem = f"has {len(corrected):,} characters, a line has at most {LONGEST}"
            raise InvalidInput("text", problem, remedy="Say it shorter; 'libravdb remember' keeps the rest.")

        def edited(content: ProfileContent, line: ProfileLine) -> _Rework:
            wanted = replace(line, text=corrected, is_edited=True, is_dated=False)
            return _Rework(line=wanted, changes=[_with_override(content, wanted, at=self._clock())])

        return self._reworked(id, namespace, edited)

    def forget(self, id: str, *, namespace: str) -> ProfileLine:
        """Take a line out of the profile; returns it. The memory stays, and the line does not come back from it; it
        does when the person says it anew."""

        def forgotten(content: ProfileContent, line: ProfileLine) -> _Rework:
            left = ((memory, without_line(memory, line)) for memory in content.memories.values())
            stated = [put_stated(content.namespace, now) for before, now in left if now != before]
            return _Rework(line=line, changes=[_without_override(content, line), *stated])

        return self._reworked(id, namespace, forgotten)

    def _reworked(
        self, id: str, namespace: str, rework: Callable[[ProfileContent, ProfileLine], _Rework]
    ) -> ProfileLine:
        """Change one line, decided by the profile as it is when that is written."""
        namespace = named(namespace)
        self._known.complete(namespace)

        def work() -> ProfileLine:
            with self._store.read() as snapshot:
                content = read_profile(snapshot, namespace)
                unless = snapshot.revisions([Topic.collection(profile_of(namespace))])
            done = rework(content, _found(id, lines_of(content)))
            self._store.commit(done.changes, unless=unless)
            return done.line

        return retry_on_conflict(work)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rework:
    """A line as it is from now on, and what makes it so."""

    line: ProfileLine
    changes: Sequence[Change]


def _with_override(content: ProfileContent, line: ProfileLine, *, at: int) -> Put:
    memory = content.memories.get(line.source)
    turn = memory.turn if memory is not None else ""
    return put_override(content.namespace, LineOverride(line=line, at=at), turn=turn)


def _without_override(content: ProfileContent, line: ProfileLine) -> Remove:
    return Remove(collection=profile_of(content.namespace), id=profile_line_id(line.id))


def _found(id: str, lines: Sequence[ProfileLine]) -> ProfileLine:
    """The line of that name; one that is not there is told with what may have been meant."""
    found = next((line for line in lines if line.id == id), None)
    if found is not None:
        return found
    near = difflib.get_close_matches(id[:LONGEST], [line.id for line in lines], n=1)
    meant = f"Did you mean {near[0]!r}? " if near else ""
    raise NotFound("profile line", id, remedy=f"{meant}'libravdb profile show' lists them all.")
