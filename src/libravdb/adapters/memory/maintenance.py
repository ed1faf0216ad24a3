"""What an operator asks of a store in memory: counts, soundness, and an index made anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from secrets import token_bytes, token_hex

from libravdb.adapters.memory.state import NAME, MemoryState, StateCell
from libravdb.adapters.memory.vectors import waiting
from libravdb.core.compaction import coverage
from libravdb.errors import StoreError
from libravdb.model import (
    BackupCopy,
    DeletedContent,
    Edge,
    ErasureCheck,
    Finding,
    Revision,
    SpaceState,
    StoreCopy,
    StoreHealth,
    StoreStats,
    Topic,
)
from libravdb.model.collections import raw_turns, session_summaries, session_view
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.store import Analyse
from libravdb.ports.validation import check_encodable


class MemoryMaintenance:
    """Implements the port `Maintenance`."""

    makes_backups = False

    def __init__(self, cell: StateCell) -> None:
        self._cell = cell
        self._identity, self._secret = token_hex(16), token_bytes(32)
        self._copies: dict[tuple[str, str], StoreCopy] = {}

    def stats(self) -> StoreStats:
        """Counts over the whole store; what is only in memory has no size on disk."""
        state = self._cell.state()
        active = state.active()
        return StoreStats(
            collections=len(state.records),
            records=sum(len(records) for records in state.records.values()),
            texts=len(state.texts),
            unembedded=sum(1 for _ in waiting(state, active.fingerprint if active else None)),
            edges=len(state.edges),
            journal=len(state.journal),
            sessions=len(state.sessions),
            size_bytes=0,
            versions={"analysis": state.analysis, "format": "memory"},
        )

    def health(self) -> StoreHealth:
        """What has no file is always writable."""
        self._cell.state()
        return StoreHealth()

    def check(self) -> StoreHealth:
        """What has no file cannot be damaged."""
        return self.health()

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant; yields what is broken."""
        findings = list(_broken(self._cell.state()))
        progress(1, 1)
        yield from findings

    def backup(self, target: Path, progress: Progress = no_progress) -> BackupCopy:  # noqa: ARG002 - the port's signature
        """Refused: there is no file, and nobody should believe that there were one."""
        self._cell.state()
        raise StoreError(
            NAME,
            f"a store in memory cannot be copied to {target}",
            remedy="Open a store with a file, or export the records.",
        )

    def analysis(self) -> str:
        """The name of the analysis that made the index of words; empty when it must be made anew."""
        return self._cell.state().analysis

    def reindex(self, analysis: str, analyse: Analyse, progress: Progress = no_progress) -> None:
        """Index every text anew by an analysis, in one commit that touches every collection."""
        with self._cell.draft() as draft:
            state = draft.state
            for done, text in enumerate(state.texts.values(), start=1):
                state.terms[text] = tuple(analyse(text))
                progress(done, len(state.texts))
            state.analysis = analysis
            draft.touched |= {Topic.collection(name) for name in state.records}
            draft.finish()

    # ── erasure ───────────────────────────────────────────────────────────────────────────────────────────

    def identity(self) -> str:
        """What tells this store from every other."""
        return self._identity

    def revision(self) -> Revision:
        """The number of the newest commit."""
        return self._cell.state().commits

    def change_token(self) -> str:
        """The number of the newest commit: they come to light one by one."""
        return str(self.revision())

    def secret(self) -> bytes:
        """A key that is gone with the store."""
        return self._secret

    def note_copy(self, copy: StoreCopy) -> None:
        """Remember that the store was copied to a file."""
        check_encodable(kind=copy.kind, path=copy.path)
        self._copies[copy.kind, copy.path] = copy

    def copies(self) -> tuple[StoreCopy, ...]:
        """The files that the store was copied to, the first copy first."""
        known = (replace(copy, exists=Path(copy.path).exists()) for copy in self._copies.values())
        return tuple(sorted(known, key=lambda copy: (copy.at, copy.kind, copy.path)))

    def refuse_unpurgeable(self) -> None:
        """Raise when the store is closed."""
        self._cell.state()

    def purge(self, *, is_anew: bool = False) -> tuple[ErasureCheck, ...]:  # noqa: ARG002 - the port's signature
        """Nothing to wipe: what is deleted is let go of."""
        self._cell.state()
        return ()

    def residue(self, deleted: DeletedContent, *, is_alone: bool = False) -> tuple[ErasureCheck, ...]:  # noqa: ARG002
        """Look for what was deleted. There is no file, so there are no bytes to look at."""
        state = self._cell.state()
        used = {text for name in state.records for text in state.texts_in(name)}
        texts = [text for text in state.texts.values() if text not in used]
        words = {term for text, terms in state.terms.items() if text not in used for term in terms}
        vectors = [text for held in state.vectors.values() for text in held if text not in used]
        found = {"texts": len(texts), "vectors": len(vectors), "index": len(words & deleted.terms)}
        return tuple(
            ErasureCheck(name=name, is_passed=not left, detail=f"{left:,} left") for name, left in found.items()
        )


# ── soundness ─────────────────────────────────────────────────────────────────────────────────────────────


def _broken(state: MemoryState) -> Iterator[Finding]:
    used = {text for name in state.records for text in state.texts_in(name)}
    if used != set(state.texts.values()) or used != state.terms.keys():
        yield Finding(invariant="texts are used", detail="texts and records do not agree")
    if state.spaces.keys() != state.vectors.keys():
        yield Finding(invariant="references resolve", detail="spaces and vectors do not agree")
    for fingerprint, vectors in state.vectors.items():
        if vectors.keys() - used:
            yield Finding(invariant="references resolve", detail=f"space {fingerprint} has vectors of no text")
    states = [space.state for space in state.spaces.values()]
    if states and states.count(SpaceState.ACTIVE) != 1:
        yield Finding(invariant="one space is active", detail=f"{states.count(SpaceState.ACTIVE)} are")
    yield from _unmarked(state)
    yield from _cycles(state.edges.values())
    for session in coverage.sessions_in(list(state.records)):
        for invariant, question in coverage.QUESTIONS:
            for detail in question(_conversation(state, session)):
                yield Finding(invariant=invariant, detail=f"session {session!r}: {detail}")


def _unmarked(state: MemoryState) -> Iterator[Finding]:
    """What is there has a revision, and nothing else has."""
    topics = {Topic.collection(name) for name in state.records}
    topics |= {Topic.session(name) for name in state.sessions}
    topics |= {Topic.session(edge.session) for edge in state.edges.values()}
    for topic in topics - state.revisions.keys():
        yield Finding(invariant="what is there has a revision", detail=f"{topic.kind} {topic.name!r} has none")
    for topic, revision in state.revisions.items():
        if not state.holds(topic) or not 0 < revision <= state.commits:
            yield Finding(invariant="what is there has a revision", detail=f"{topic.kind} {topic.name!r}: {revision}")


def _conversation(state: MemoryState, session: str) -> coverage.Conversation:
    active, turns, summaries = (
        {record.id: record.metadata for record in state.records.get(collection, {}).values()}
        for collection in (session_view(session), raw_turns(session), session_summaries(session))
    )
    edges = [edge for edge in state.edges.values() if edge.session == session]
    return coverage.Conversation(
        session=session,
        active=frozenset(active),
        turns=turns,
        summaries=summaries,
        edges=sorted(edges, key=lambda edge: (edge.parent, edge.position, edge.child)),
    )


def _cycles(edges: Iterable[Edge]) -> Iterator[Finding]:
    covered: TopologicalSorter[tuple[str, str]] = TopologicalSorter()
    for edge in edges:
        covered.add((edge.session, edge.parent), (edge.session, edge.child))
    try:
        covered.prepare()
    except CycleError as error:
        yield Finding(invariant="coverage is acyclic", detail=f"{error.args[1]} cover one another")
