"""Rules of retention, applied: what is older than its rule allows goes, a little at a time, and nothing younger.

A run looks for what is due and deletes it in batches, each of which is one commit: whoever is interrupted leaves a
sound store, and the next run goes on. Every commit looks again: what was updated, said again or pinned meanwhile
stays. A dry run looks for the same, and deletes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from libravdb.core.retention.rules import RetentionRule, age_of, read_retention
from libravdb.engine.deletion import Deletions
from libravdb.engine.expiry import Expiry
from libravdb.engine.namespace_holdings import identity_of
from libravdb.engine.pages import every_record
from libravdb.model import Condition, Operator, Record, Retained, RetainedKind, RetainedRow, Where
from libravdb.model.collections import (
    CollectionKind,
    durable_memory,
    parse_collection,
    prefix,
    profile_of,
    prompt_receipts,
    turn_history,
)
from libravdb.model.turn_metadata import IS_PINNED, SOURCE_MEMORY, last_said
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.store import Snapshot, Store

BATCH = 128
"""Records that one commit deletes; whoever writes meanwhile waits for no more."""

_HOMES: Mapping[RetainedKind, CollectionKind] = {
    RetainedKind.RECEIPTS: CollectionKind.PROMPT_RECEIPTS,
    RetainedKind.MEMORIES: CollectionKind.DURABLE_MEMORY,
    RetainedKind.TURNS: CollectionKind.TURN_HISTORY,
}
"""Where records of a kind stand, by namespace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Due:
    """What is older than its rule allows, in one namespace."""

    row: RetainedRow
    ids: tuple[str, ...]


class Retention:
    """Applies the rules. Usable from many threads: two may run at once, to the same end."""

    def __init__(
        self, *, living: Store, deletions: Deletions, expiry: Expiry, clock: Clock, rules: Sequence[str] = ()
    ) -> None:
        self._living = living
        self._deletions = deletions
        self._expiry = expiry
        self._clock = clock
        self._rules = read_retention(rules)
        self._let_go: Mapping[RetainedKind, Callable[[RetainedRow, Sequence[str]], int]] = {
            RetainedKind.TURNS: self._let_turns_go,
            RetainedKind.MEMORIES: self._let_memories_go,
            RetainedKind.RECEIPTS: self._remove_receipts,
            RetainedKind.JOURNAL: self._clear_events,
        }

    def retain(self, *, is_dry_run: bool = False, progress: Progress = no_progress) -> Retained:
        """Delete what has expired, and what is older than the rules allow; or only tell how much it is."""
        now = self._clock()
        with self._living.read() as snapshot:  # what has expired goes anyway, and counts once
            due = [one for kind in RetainedKind for one in self._due(snapshot, kind, now)]
        expired = len(self._expiry.expired()) if is_dry_run else self._expiry.sweep()
        if is_dry_run:
            return Retained(rows=tuple(one.row for one in due), expired=expired, is_dry_run=True)
        total, done = sum(len(one.ids) for one in due), 0
        rows: list[RetainedRow] = []
        for one in due:
            gone = 0
            for start in range(0, len(one.ids), BATCH):
                some = one.ids[start : start + BATCH]
                gone += self._let_go[one.row.kind](one.row, some)
                done += len(some)
                progress(done, total)
            rows += [replace(one.row, records=gone)] if gone else []
        return Retained(rows=tuple(rows), expired=expired)

    # ── what is due ───────────────────────────────────────────────────────────────────────────────────────

    def _due(self, snapshot: Snapshot, kind: RetainedKind, now: int) -> Iterator[_Due]:
        if not any(rule.kind is kind and rule.age is not None for rule in self._rules):
            return
        if kind is RetainedKind.JOURNAL:
            yield from self._due_events(snapshot, now)
            return
        for info in snapshot.collections(prefix=prefix(_HOMES[kind])).items:
            name = parse_collection(info.name)
            age = age_of(self._rules, name.owner, kind) if name.kind is _HOMES[kind] else None
            if age is not None:
                ids = tuple(_old_ones(snapshot, kind, name.owner, before=now - age))
                yield from _counted(name.owner, kind, ids, before=now - age)

    def _due_events(self, snapshot: Snapshot, now: int) -> Iterator[_Due]:
        found: dict[str, list[str]] = {}
        ages: dict[str, int | None] = {}
        for entry in snapshot.journal():
            owner = identity_of(snapshot, entry)
            if owner not in ages:
                ages[owner] = age_of(self._rules, owner, RetainedKind.JOURNAL)
            age = ages[owner]
            if age is not None and entry.at < now - age:
                found.setdefault(owner, []).append(str(entry.seq))
        for owner, seqs in sorted(found.items()):
            yield from _counted(owner, RetainedKind.JOURNAL, tuple(seqs), before=now - (ages[owner] or 0))

    def _let_turns_go(self, row: RetainedRow, ids: Sequence[str]) -> int:
        return self._deletions.let_turns_go(row.namespace, ids, still=partial(_due_turns, before=row.before))

    def _let_memories_go(self, row: RetainedRow, ids: Sequence[str]) -> int:
        still = partial(_due_memories, namespace=row.namespace, before=row.before)
        return self._deletions.let_memories_go(row.namespace, ids, still=still)

    def _remove_receipts(self, row: RetainedRow, ids: Sequence[str]) -> int:
        self._deletions.remove(prompt_receipts(row.namespace), ids)
        return len(ids)

    def _clear_events(self, _: RetainedRow, seqs: Sequence[str]) -> int:
        return self._deletions.clear_events(frozenset(map(int, seqs)))

    @property
    def rules(self) -> tuple[RetentionRule, ...]:
        """The rules as they count, the first before the others."""
        return self._rules


def _counted(namespace: str, kind: RetainedKind, ids: tuple[str, ...], *, before: int) -> Iterator[_Due]:
    if ids:
        yield _Due(row=RetainedRow(namespace=namespace, kind=kind, records=len(ids), before=before), ids=ids)


def _old_ones(snapshot: Snapshot, kind: RetainedKind, namespace: str, *, before: int) -> Iterator[str]:
    """The ids of what is older, in byte order."""
    older = Where(until=before)
    match kind:
        case RetainedKind.TURNS:
            yield from (record.id for record in every_record(snapshot, turn_history(namespace), where=older))
        case RetainedKind.RECEIPTS:
            yield from (record.id for record in every_record(snapshot, prompt_receipts(namespace), where=older))
        case RetainedKind.MEMORIES:
            found = every_record(snapshot, durable_memory(namespace), where=older)
            yield from (record.id for record in _due_memories(snapshot, found, namespace=namespace, before=before))


def _due_turns(_: Snapshot, turns: Iterable[Record], *, before: int) -> list[Record]:
    return [turn for turn in turns if turn.at < before]


def _due_memories(snapshot: Snapshot, memories: Iterable[Record], *, namespace: str, before: int) -> list[Record]:
    """Those of some memories that were last said before a moment, and stand behind no pinned line."""
    old = [memory for memory in memories if last_said(memory) < before]
    pinned = _pinned(snapshot, namespace) if old else frozenset()
    return [memory for memory in old if memory.id not in pinned]


def _pinned(snapshot: Snapshot, namespace: str) -> frozenset[str]:
    """The memories behind the lines of a profile that the person pinned: they stay with them."""
    is_pinned = Where(conditions=(Condition(IS_PINNED, Operator.EQ, value=True),))
    lines = every_record(snapshot, profile_of(namespace), where=is_pinned)
    return frozenset(str(line.metadata.get(SOURCE_MEMORY, "")) for line in lines)
