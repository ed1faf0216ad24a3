"""The store's twin without a file: plain dictionaries, for tests and as the measure of what is right.

It passes the same contract suite as the SQLite store, and a stateful test compares the two step by step. It
is written to be read, not to be fast: a commit works on a copy of everything, a search looks at everything.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path
from typing import Self, TypeVar

import numpy as np

from libravdb.adapters.sqlite.vector_cache import Vector, cosines
from libravdb.core.compaction import coverage
from libravdb.errors import Conflict, InvalidInput, NotFound, SpaceMismatch, StoreClosed, StoreError
from libravdb.model import (
    ANYTHING,
    Append,
    Candidate,
    CandidateSet,
    Change,
    ClearJournal,
    CollectionInfo,
    DropCollection,
    DropState,
    Edge,
    Embedding,
    EnsureCollection,
    Finding,
    JournalEntry,
    KeepState,
    Link,
    MeasuredCandidate,
    Metadata,
    Put,
    Query,
    Record,
    Remove,
    Restore,
    RestoreState,
    SessionState,
    SetState,
    Space,
    SpaceState,
    StoredText,
    StoreStats,
    Touch,
    Unlink,
    Vocabulary,
    Where,
    digest,
)
from libravdb.model.collections import raw_turns, session_summaries, session_view
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import Progress, no_progress
from libravdb.ports.validation import (
    check_changes,
    check_embedding,
    check_encodable,
    check_metadata,
    check_name,
    check_query,
    check_where,
    refuse_unseen,
    to_json,
)
from libravdb.text.analysis import ANALYSIS, index_terms, query_terms

_T = TypeVar("_T")
_NAME = "(memory)"  # stands where errors name a file
_K1 = 1.2
_B = 0.75
_LEAST_IDF = 1e-6


@dataclass(slots=True)
class _StoreState:
    """Everything the store holds. Values are never changed in place, so a copy need not go deeper than `copy`."""

    records: dict[str, dict[str, Record]] = field(default_factory=dict)
    texts: dict[bytes, str] = field(default_factory=dict)  # oldest first
    terms: dict[bytes, list[str]] = field(default_factory=dict)
    spaces: dict[str, Space] = field(default_factory=dict)
    vectors: dict[str, dict[bytes, Vector]] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], Edge] = field(default_factory=dict)
    journal: list[JournalEntry] = field(default_factory=list)
    next_seq: int = 1
    sessions: dict[str, SessionState] = field(default_factory=dict)

    def copy(self) -> _StoreState:
        return _StoreState(
            records={name: dict(records) for name, records in self.records.items()},
            texts=dict(self.texts),
            terms=dict(self.terms),
            spaces=dict(self.spaces),
            vectors={fingerprint: dict(vectors) for fingerprint, vectors in self.vectors.items()},
            edges=dict(self.edges),
            journal=list(self.journal),
            next_seq=self.next_seq,
            sessions=dict(self.sessions),
        )

    def active(self) -> Space | None:
        return next((space for space in self.spaces.values() if space.state == SpaceState.ACTIVE), None)

    def used(self) -> set[bytes]:
        """Addresses of the texts that some record refers to."""
        return {digest(record.text) for records in self.records.values() for record in records.values()}


class MemoryStore:
    """Implements the port `Store` without durability. Safe to use from many threads."""

    def __init__(self, *, settings: StoreSettings | None = None) -> None:
        self._settings = settings or StoreSettings()
        self._state = _StoreState()
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────

    def commit(self, changes: Sequence[Change]) -> None:
        """Apply all changes or none."""
        check_changes(changes, max_text_chars=self._settings.max_text_chars)
        with self._writing() as state:
            for change in changes:
                _apply(state, change)
            _erase_unused(state)

    def add_vectors(self, items: Sequence[tuple[bytes, Embedding]]) -> int:
        """Attach vectors to texts by digest; texts that are gone are skipped."""
        for _, embedding in items:
            check_embedding(embedding)
        with self._writing() as state:
            return sum(_attach(state, address, embedding) for address, embedding in items if address in state.texts)

    def open_space(self, *, fingerprint: str, dimensions: int, description: Metadata) -> Space:
        """Make the space known: active when there is no active one, else building."""
        check_metadata(description)
        check_name("fingerprint", fingerprint)
        if dimensions < 1 or not fingerprint:
            raise InvalidInput("space", f"{fingerprint!r} with {dimensions} dimensions is not a vector space")
        with self._writing() as state:
            known = state.spaces.get(fingerprint)
            if known is None:
                known = Space(
                    fingerprint=fingerprint,
                    dimensions=dimensions,
                    description=_copied(description),
                    state=SpaceState.BUILDING if state.active() else SpaceState.ACTIVE,
                    texts=0,
                    vectors=0,
                )
                state.vectors[fingerprint] = {}
            elif known.dimensions != dimensions:
                raise _other_dimensions(fingerprint, offered=dimensions, known=known.dimensions)
            elif known.state == SpaceState.RETIRED:
                known = replace(known, state=SpaceState.BUILDING)
            state.spaces[fingerprint] = known
            return _counted(state, known)

    def activate_space(self, fingerprint: str) -> None:
        """Switch search over to this space; the one that was active is retired, and kept."""
        check_encodable(fingerprint=fingerprint)
        with self._writing() as state:
            space = _known_space(state, fingerprint)
            active = state.active()
            if active is not None and active.fingerprint != fingerprint:
                latest = max(one.retired for one in state.spaces.values())
                state.spaces[active.fingerprint] = replace(active, state=SpaceState.RETIRED, retired=latest + 1)
            state.spaces[fingerprint] = replace(space, state=SpaceState.ACTIVE)

    def drop_space(self, fingerprint: str) -> None:
        """Delete a space that is not active, with its vectors."""
        check_encodable(fingerprint=fingerprint)
        with self._writing() as state:
            if _known_space(state, fingerprint).state == SpaceState.ACTIVE:
                raise InvalidInput(
                    "fingerprint", f"{fingerprint} is the space in use", remedy="Activate another one first."
                )
            del state.spaces[fingerprint]
            del state.vectors[fingerprint]

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────

    def get(self, collection: str, id: str) -> Record | None:
        """One record, or None."""
        check_encodable(collection=collection, id=id)
        with self._reading() as state:
            found = state.records.get(collection, {}).get(id)
            return None if found is None else _own(found)

    def scan(
        self, collection: str, *, where: Where = ANYTHING, after: str | None = None, limit: int | None = None
    ) -> list[Record]:
        """Records in byte order of their ids, from the one behind `after`."""
        check_encodable(collection=collection, after=after)
        check_where(where)
        with self._reading() as state:
            records = state.records.get(collection, {}).values()
            found = [one for one in records if _passes(one, where) and (after is None or _key(one.id) > _key(after))]
        return [_own(record) for record in _first(sorted(found, key=lambda record: _key(record.id)), limit)]

    def latest(self, collection: str, *, limit: int, where: Where = ANYTHING) -> list[Record]:
        """The newest records first."""
        check_encodable(collection=collection)
        check_where(where)
        with self._reading() as state:
            found = [record for record in state.records.get(collection, {}).values() if _passes(record, where)]
        found.sort(key=lambda record: (record.at, _key(record.id)), reverse=True)
        return [_own(record) for record in _first(found, limit)]

    def holding(self, collection: str, text: str) -> list[Record]:
        """The records of a collection that hold exactly this text, by time, then id."""
        check_encodable(collection=collection, text=text)
        with self._reading() as state:
            found = [record for record in state.records.get(collection, {}).values() if record.text == text]
        return [_own(record) for record in sorted(found, key=lambda record: (record.at, _key(record.id)))]

    def collections(self, prefix: str = "") -> list[CollectionInfo]:
        """Collections in byte order of their names."""
        check_encodable(prefix=prefix)
        with self._reading() as state:
            return [
                CollectionInfo(name=name, records=len(state.records[name]))
                for name in sorted(state.records, key=_key)
                if name.startswith(prefix)
            ]

    def speakers(self, collection: str, *, limit: int = 256) -> list[str]:
        """Who speaks in a collection, by name; of more than `limit` only some."""
        check_encodable(collection=collection)
        with self._reading() as state:
            said = {to_json(one.metadata.get("speaker")) for one in state.records.get(collection, {}).values()}
        named = [json.loads(name) for name in _first(sorted(said - {"null"}, key=_key), limit)]
        return sorted(name for name in named if isinstance(name, str) and name)

    def search(self, query: Query) -> list[Candidate]:
        """Dense and lexical candidates of every asked collection, from one consistent view."""
        check_query(query)
        with self._reading() as state:
            return list(_search(state, query))

    def survey(self, query: Query) -> CandidateSet:
        """Candidates measured in full, the turns beside them, and how common the question's words are."""
        check_query(query)
        with self._reading() as state:
            words = tuple(query_terms(query.text)) if query.text else ()
            query = replace(query, is_whole=False)
            names = [name for name in dict.fromkeys(query.collections) if name in state.records and query.k > 0]
            return CandidateSet(
                words=words,
                sightings=tuple(one for name in names for one in _sightings(state, query, name, words)),
                vocabularies={name: _vocabulary(state, name, words) for name in names},
            )

    def edges(self, session: str | None = None, *, parent: str | None = None) -> list[Edge]:
        """Coverage edges by session, parent, position, child."""
        check_encodable(session=session, parent=parent)
        with self._reading() as state:
            found = [
                edge
                for edge in state.edges.values()
                if session in (None, edge.session) and parent in (None, edge.parent)
            ]
        return sorted(found, key=lambda edge: (_key(edge.session), _key(edge.parent), edge.position, _key(edge.child)))

    def journal(self, *, session: str | None = None, limit: int | None = None) -> list[JournalEntry]:
        """Journal entries, newest last."""
        check_encodable(session=session)
        with self._reading() as state:
            found = [entry for entry in reversed(state.journal) if session in (None, entry.session)]
        return [replace(entry, entry=_copied(entry.entry)) for entry in reversed(_first(found, limit))]

    def session_state(self, session: str) -> SessionState | None:
        """A session's own state, or None."""
        check_encodable(session=session)
        return next((state for state in self.sessions() if state.session == session), None)

    def sessions(self) -> list[SessionState]:
        """Every session with a state, in byte order of the names."""
        with self._reading() as state:
            found = sorted(state.sessions.values(), key=lambda session: _key(session.session))
        return [replace(session, state=_copied(session.state)) for session in found]

    def spaces(self) -> list[Space]:
        """Vector spaces, the active one first."""
        with self._reading() as state:
            spaces = [_counted(state, space) for space in state.spaces.values()]
        return sorted(spaces, key=lambda space: (space.state != SpaceState.ACTIVE, _key(space.fingerprint)))

    def unembedded(self, fingerprint: str, *, limit: int) -> list[StoredText]:
        """Non-empty texts that have no vector in this space, oldest first."""
        check_encodable(fingerprint=fingerprint)
        with self._reading() as state:
            return _first(list(_waiting(state, fingerprint)), limit)

    def unembedded_among(self, fingerprint: str, texts: Sequence[str]) -> list[str]:
        """Those of the given texts that have no vector in this space."""
        check_encodable(fingerprint=fingerprint)
        for text in texts:
            check_encodable(text=text)
        with self._reading() as state:
            known = state.vectors.get(fingerprint, {})
            return [text for text in dict.fromkeys(texts) if digest(text) not in known]

    def sample_texts(self, limit: int) -> list[StoredText]:
        """Up to `limit` non-empty texts spread evenly over the store, oldest first."""
        if limit <= 0:
            return []
        with self._reading() as state:
            worthy = [StoredText(digest=address, text=text) for address, text in state.texts.items() if text.strip()]
        return worthy[:: max(1, math.ceil(len(worthy) / limit))]

    def vectors(self, fingerprint: str, text: str) -> Vector | None:
        """The stored vectors of a text in a space, or None."""
        check_encodable(fingerprint=fingerprint, text=text)
        with self._reading() as state:
            found = state.vectors.get(fingerprint, {}).get(digest(text))
        return None if found is None else found.copy()

    def stats(self) -> StoreStats:
        """Counts over the whole store; what is only in memory has no size on disk."""
        with self._reading() as state:
            active = state.active()
            return StoreStats(
                collections=len(state.records),
                records=sum(len(records) for records in state.records.values()),
                texts=len(state.texts),
                unembedded=sum(1 for _ in _waiting(state, active.fingerprint if active else None)),
                edges=len(state.edges),
                journal=len(state.journal),
                sessions=len(state.sessions),
                size_bytes=0,
                versions={"analysis": ANALYSIS, "format": "memory"},
            )

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant; yields what is broken."""
        with self._reading() as state:
            findings = list(_broken(state))
        progress(1, 1)
        yield from findings

    def backup(self, target: Path, progress: Progress = no_progress) -> None:  # noqa: ARG002 - the port's signature
        """Refused: there is no file, and nobody should believe that there were one."""
        with self._reading():
            raise StoreError(
                _NAME,
                f"a store in memory cannot be copied to {target}",
                remedy="Open a store with a file, or export the records.",
            )

    def close(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._closed = True
            self._state = _StoreState()

    @contextmanager
    def _reading(self) -> Iterator[_StoreState]:
        with self._lock:
            if self._closed:
                raise StoreClosed(_NAME, "the store is closed", remedy="Open it again.")
            yield self._state

    @contextmanager
    def _writing(self) -> Iterator[_StoreState]:
        """A copy that takes the place of the state when nothing was raised."""
        with self._reading() as state:
            changed = state.copy()
            yield changed
            self._state = changed


# ── changes ───────────────────────────────────────────────────────────────────────────────────────────────


def _apply(state: _StoreState, change: Change) -> None:
    match change:
        case Put():
            _put(state, change)
        case Restore(record=record, embedding=embedding):
            _write(state, _own(record), embedding, is_arrival=True)
        case Remove(collection=collection, id=id, expect=expect):
            found = state.records.get(collection, {}).get(id)
            _expect(f"Record {id!r} in {collection!r}", expect, found.version if found else 0)
            if found is not None:
                del state.records[collection][id]
        case Touch(collection=collection, ids=ids):
            records = state.records.get(collection, {})
            for id in set(ids) & records.keys():
                records[id] = replace(records[id], access_count=records[id].access_count + 1)
        case EnsureCollection(name=name):
            state.records.setdefault(name, {})
        case DropCollection(name=name, seen=seen):
            if seen is not None:
                refuse_unseen(name, len(state.records.get(name, {}).keys() - seen))
            state.records.pop(name, None)
        case _:
            _apply_to_session(state, change)


def _apply_to_session(state: _StoreState, change: Change) -> None:
    match change:
        case Link(edge=edge):
            state.edges[edge.session, edge.parent, edge.child] = edge
        case Unlink(session=session, parent=parent):
            state.edges = {
                key: edge
                for key, edge in state.edges.items()
                if edge.session != session or parent not in (None, edge.parent)
            }
        case Append(session=session, at=at, entry=entry, keep=keep):
            state.journal.append(JournalEntry(seq=state.next_seq, session=session, at=at, entry=_copied(entry)))
            state.next_seq += 1
            state.journal = state.journal[-keep:]
        case ClearJournal(seqs=seqs):
            state.journal = [] if seqs is None else [entry for entry in state.journal if entry.seq not in seqs]
        case SetState(session=session, state=content, at=at, expect=expect):
            known = state.sessions.get(session)
            generation = known.generation if known else 0
            _expect(f"Session {session!r}", expect, generation)
            state.sessions[session] = SessionState(
                session=session, generation=generation + 1, state=_copied(content), at=at
            )
        case RestoreState(state=session_state):
            state.sessions[session_state.session] = replace(session_state, state=_copied(session_state.state))
        case KeepState(state=seen):
            held = state.sessions.get(seen.session)
            _expect(f"Session {seen.session!r}", seen.generation, held.generation if held else 0)
            if held is not None and _canonical(held.state) != _canonical(seen.state):
                raise Conflict(f"Session {seen.session!r}", expected=seen.generation, actual=seen.generation)
        case DropState(session=session, expect=expect):
            known = state.sessions.get(session)
            _expect(f"Session {session!r}", expect, known.generation if known else 0)
            state.sessions.pop(session, None)


def _canonical(metadata: Metadata) -> str:
    return json.dumps(metadata, sort_keys=True)


def _expect(what: str, expect: int | None, actual: int) -> None:
    if expect is not None and expect != actual:
        raise Conflict(what, expected=expect, actual=actual)


def _put(state: _StoreState, put: Put) -> None:
    """A new record has version 1; a change of text, time or metadata is a new version; the same again is none."""
    old = state.records.get(put.collection, {}).get(put.id)
    _expect(f"Record {put.id!r} in {put.collection!r}", put.expect, old.version if old else 0)
    new = Record(
        collection=put.collection,
        id=put.id,
        text=put.text,
        metadata=_copied(put.metadata),
        at=put.at,
        version=old.version + 1 if old else 1,
        access_count=old.access_count if old else 0,
    )
    is_same = (
        old is not None
        and (old.text, old.at) == (new.text, new.at)
        and json.dumps(old.metadata, sort_keys=True) == json.dumps(new.metadata, sort_keys=True)
    )
    _write(state, old if old is not None and is_same else new, put.embedding)


def _write(state: _StoreState, record: Record, embedding: Embedding | None, *, is_arrival: bool = False) -> None:
    address = digest(record.text)
    held = state.records.setdefault(record.collection, {})
    old = held.get(record.id)
    if is_arrival or (old is not None and (old.text, old.at) != (record.text, record.at)):
        held.pop(record.id, None)  # said anew: among turns of the same moment it is now the latest
    held[record.id] = record
    state.texts.setdefault(address, record.text)
    if address not in state.terms:
        state.terms[address] = index_terms(record.text)
    if embedding is not None:
        _attach(state, address, embedding)


def _attach(state: _StoreState, address: bytes, embedding: Embedding) -> bool:
    """Give a text its vectors in the embedding's space, unless it has them; True when it got them now."""
    space = state.spaces.get(embedding.fingerprint)
    if space is None or space.state == SpaceState.RETIRED:
        active = state.active()
        raise SpaceMismatch(offered=embedding.fingerprint, active=active.fingerprint if active else "none")
    offered = embedding.vectors.shape[1]
    if offered != space.dimensions:
        raise _other_dimensions(space.fingerprint, offered=offered, known=space.dimensions)
    known = state.vectors[space.fingerprint]
    if address in known:
        return False
    known[address] = embedding.vectors.astype(np.float16).astype(np.float32)
    return True


def _erase_unused(state: _StoreState) -> None:
    """A text goes with its last record, and takes its vectors along."""
    for address in state.texts.keys() - state.used():
        del state.texts[address]
        del state.terms[address]
        for vectors in state.vectors.values():
            vectors.pop(address, None)


def _known_space(state: _StoreState, fingerprint: str) -> Space:
    if fingerprint not in state.spaces:
        raise NotFound("vector space", fingerprint, remedy="'libravdb status' lists the spaces of a store.")
    return state.spaces[fingerprint]


def _other_dimensions(fingerprint: str, *, offered: int, known: int) -> SpaceMismatch:
    return SpaceMismatch(
        offered=f"{fingerprint} with {offered} dimensions", active=f"{fingerprint} with {known} dimensions"
    )


# ── questions ─────────────────────────────────────────────────────────────────────────────────────────────


def _search(state: _StoreState, query: Query) -> Iterator[Candidate]:
    active = state.active()
    embedding = query.embedding
    if embedding is not None and active is not None:
        if embedding.fingerprint != active.fingerprint:
            raise SpaceMismatch(offered=embedding.fingerprint, active=active.fingerprint)
        if embedding.vectors.shape[1] != active.dimensions:
            raise _other_dimensions(active.fingerprint, offered=embedding.vectors.shape[1], known=active.dimensions)
    for name in dict.fromkeys(query.collections):
        excluded = query.exclude.get(name, frozenset())
        records = {
            id: record
            for id, record in state.records.get(name, {}).items()
            if id not in excluded and _passes(record, query.where)
        }
        similar = (
            {}
            if embedding is None or active is None
            else _similarities(state, active, records, embedding, is_whole=query.is_whole)
        )
        matching = {} if query.text is None else _matches(state, records, query.text)
        near = _best({id: cosine for id, (cosine, _) in similar.items()}, query.k)
        worded = _best(matching, query.k)
        for id in sorted(near | worded, key=_key):
            cosine, passage = similar.get(id, (None, None))
            bm25 = matching[id] if id in worded else None
            yield Candidate(record=_own(records[id]), cosine=cosine, passage=passage, bm25=bm25)


def _sightings(
    state: _StoreState, query: Query, name: str, words: Sequence[tuple[str, ...]]
) -> Iterator[MeasuredCandidate]:
    """What `_search` finds here, and in a linked collection the turns beside it, by id."""
    active = state.active()
    candidates = list(_search(state, replace(query, collections=(name,))))
    found = {one.record.id for one in candidates}
    near = _best({one.record.id: one.cosine for one in candidates if one.cosine is not None}, query.links)
    worded = _best({one.record.id: one.bm25 for one in candidates if one.bm25 is not None}, query.links)
    excluded = query.exclude.get(name, frozenset())
    allowed = {
        id: record
        for id, record in state.records[name].items()
        if id in found or (id not in excluded and _passes(record, query.where))
    }
    links = _links(state.records[name], near | worded) if name in query.linked else []
    links = [(before, after) for before, after in links if before in allowed and after in allowed]
    befores = {after: before for before, after in links}
    afters = dict(links)
    for id in sorted({*found, *befores, *afters}, key=_key):
        record = allowed[id]
        vectors = None
        if query.embedding is not None and active is not None:
            vectors = state.vectors[active.fingerprint].get(digest(record.text))
        exact = None if vectors is None or query.embedding is None else cosines(vectors, query.embedding.vectors[0])
        terms = state.terms[digest(record.text)]
        yield MeasuredCandidate(
            record=_own(record),
            cosine=None if exact is None else float(exact.max()),
            whole=None if exact is None else float(exact[0]),
            passage=None if exact is None else int(np.argmax(exact)),
            counts=tuple(sum(_count(terms, form) for form in forms) for forms in words),
            length=len(terms),
            before=befores.get(id),
            after=afters.get(id),
            is_found=id in found,
        )


def _links(records: dict[str, Record], found: set[str]) -> list[tuple[str, str]]:
    """Pairs of turns that follow one another in a session, at least one of them found. Arrival breaks ties of time."""
    sessions: dict[str, list[Record]] = {}
    for record in records.values():
        if "sessionId" in record.metadata:
            sessions.setdefault(to_json(record.metadata["sessionId"]), []).append(record)
    pairs: list[tuple[str, str]] = []
    for turns in sessions.values():
        ordered = [turn.id for turn in sorted(turns, key=lambda turn: turn.at)]
        pairs += [pair for pair in pairwise(ordered) if found & set(pair)]
    return pairs


def _vocabulary(state: _StoreState, name: str, words: Sequence[tuple[str, ...]]) -> Vocabulary:
    texts = [state.terms[address] for address in {digest(record.text) for record in state.records[name].values()}]
    return Vocabulary(
        texts=len(texts),
        terms=sum(len(terms) for terms in texts),
        holders=tuple(sum(any(_count(terms, form) for form in forms) for terms in texts) for forms in words),
    )


def _similarities(
    state: _StoreState, space: Space, records: dict[str, Record], embedding: Embedding, *, is_whole: bool
) -> dict[str, tuple[float, int]]:
    """For each record that has vectors its best cosine, and which vector that was."""
    known = state.vectors[space.fingerprint]
    measured: dict[str, tuple[float, int]] = {}
    for id, record in records.items():
        vectors = known.get(digest(record.text))
        if vectors is not None:
            exact = cosines(vectors[:1] if is_whole else vectors, embedding.vectors[0])
            best = int(np.argmax(exact))
            measured[id] = (float(exact[best]), best)
    return measured


def _matches(state: _StoreState, records: dict[str, Record], text: str) -> dict[str, float]:
    """BM25 of each record with a matching word: Σ idf · tf·(k₁+1) / (tf + k₁·(1 − b + b·length/average)).

    idf = ln((N − df + ½) / (df + ½)), at least 1e-6. N and df count the distinct texts of the whole store, so
    that a text weighs the same in every collection.
    """
    scores: dict[bytes, float] = {}
    average = sum(len(terms) for terms in state.terms.values()) / max(1, len(state.terms))
    for form in dict.fromkeys(form for word in query_terms(text) for form in word):
        counts = {address: _count(terms, form) for address, terms in state.terms.items()}
        holders = sum(1 for count in counts.values() if count)
        idf = math.log((len(counts) - holders + 0.5) / (holders + 0.5))
        for address, count in counts.items():
            if count:
                length = _K1 * (1 - _B + _B * len(state.terms[address]) / average)
                gain = max(idf, _LEAST_IDF) * count * (_K1 + 1) / (count + length)
                scores[address] = scores.get(address, 0.0) + gain
    return {id: scores[digest(record.text)] for id, record in records.items() if digest(record.text) in scores}


def _count(terms: list[str], form: str) -> int:
    if form.endswith("*"):
        return sum(term.startswith(form[:-1]) for term in terms)
    return terms.count(form)


def _best(scores: dict[str, float], k: int) -> set[str]:
    """The k best ids; equal scores by id."""
    return set(sorted(scores, key=lambda name: (-scores[name], _key(name)))[: max(k, 0)])


def _passes(record: Record, where: Where) -> bool:
    """Values compare as JSON: 1, 1.0, true and "1" differ, and a missing key equals nothing."""
    if where.since is not None and record.at < where.since:
        return False
    if where.until is not None and record.at >= where.until:
        return False
    return all(
        key in record.metadata and to_json(record.metadata[key]) in {to_json(value) for value in values}
        for key, values in where.metadata.items()
    )


def _waiting(state: _StoreState, fingerprint: str | None) -> Iterator[StoredText]:
    known = state.vectors.get(fingerprint, {}) if fingerprint is not None else {}
    for address, text in state.texts.items():
        if text.strip() and address not in known:
            yield StoredText(digest=address, text=text)


def _counted(state: _StoreState, space: Space) -> Space:
    vectors = state.vectors[space.fingerprint].values()
    return replace(space, texts=len(vectors), vectors=sum(len(rows) for rows in vectors))


def _first(found: list[_T], limit: int | None) -> list[_T]:
    return found if limit is None else found[: max(limit, 0)]


def _key(name: str) -> bytes:
    """Names are ordered by their bytes."""
    return name.encode()


def _copied(metadata: Metadata) -> Metadata:
    """As it comes back from a file: the caller's object may change later, ours may not."""
    copy: Metadata = json.loads(to_json(metadata))
    return copy


def _own(record: Record) -> Record:
    return replace(record, metadata=_copied(record.metadata))


# ── soundness ─────────────────────────────────────────────────────────────────────────────────────────────


def _broken(state: _StoreState) -> Iterator[Finding]:
    if state.used() != state.texts.keys() or state.texts.keys() != state.terms.keys():
        yield Finding(invariant="texts are used", detail="texts and records do not agree")
    if state.spaces.keys() != state.vectors.keys():
        yield Finding(invariant="references resolve", detail="spaces and vectors do not agree")
    for fingerprint, vectors in state.vectors.items():
        if vectors.keys() - state.texts.keys():
            yield Finding(invariant="references resolve", detail=f"space {fingerprint} has vectors of no text")
    states = [space.state for space in state.spaces.values()]
    if states and states.count(SpaceState.ACTIVE) != 1:
        yield Finding(invariant="one space is active", detail=f"{states.count(SpaceState.ACTIVE)} are")
    yield from _cycles(state.edges.values())
    for session in coverage.sessions_in(list(state.records)):
        for invariant, question in coverage.QUESTIONS:
            for detail in question(_conversation(state, session)):
                yield Finding(invariant=invariant, detail=f"session {session!r}: {detail}")


def _conversation(state: _StoreState, session: str) -> coverage.Conversation:
    active, turns, summaries = (
        {record.id: record.metadata for record in state.records.get(name, {}).values()}
        for name in (session_view(session), raw_turns(session), session_summaries(session))
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
