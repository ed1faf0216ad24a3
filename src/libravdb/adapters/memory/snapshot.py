"""Reads of a store in memory, all of one state.

Names and ids are ordered by their bytes; Python orders texts by code point, which is the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from libravdb.adapters.memory.measures import bm25, count
from libravdb.adapters.memory.state import NAME, MemoryState, copied, own
from libravdb.adapters.memory.vectors import cosines, counted, vectors_for
from libravdb.errors import StoreClosed
from libravdb.model import (
    ANYTHING,
    Beside,
    CollectionInfo,
    Edge,
    Embedding,
    Excluded,
    Features,
    JournalEntry,
    Key,
    Near,
    Order,
    Page,
    Record,
    Revision,
    SessionState,
    Space,
    SpaceState,
    Topic,
    Vocabulary,
    Volume,
    Where,
    Word,
)
from libravdb.model.turn_metadata import OWNER, expiry_of
from libravdb.ports.paging import newest_cursor, page_of, read_newest_cursor
from libravdb.ports.store import NOTHING_EXCLUDED
from libravdb.ports.validation import (
    check_encodable,
    check_excluded,
    check_keys,
    check_topics,
    check_where,
    check_words,
    to_json,
)

if TYPE_CHECKING:
    from libravdb.model import Vector


class MemorySnapshot:
    """Implements the port `Snapshot`."""

    def __init__(self, state: MemoryState) -> None:
        self._held: MemoryState | None = state

    def close(self) -> None:
        """The read is over: whoever goes on reading has a defect, and shall notice."""
        self._held = None

    @property
    def _state(self) -> MemoryState:
        if self._held is None:
            raise StoreClosed(NAME, "this read is over", remedy="Read inside the block of `read`.")
        return self._held

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """Which commit changed each of these last; 0 where there is nothing."""
        check_topics(topics)
        return self._state.revisions_of(topics)

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────

    def records(self, keys: Collection[Key]) -> Mapping[Key, Record]:
        """Those of these records that there are."""
        check_keys(keys)
        return {key: own(record) for key, record in self._found(keys).items()}

    def page(
        self,
        collection: str,
        *,
        order: Order = Order.ID,
        where: Where = ANYTHING,
        after: str | None = None,
        limit: int | None = None,
        exclude: Excluded = NOTHING_EXCLUDED,
    ) -> Page[Record]:
        """Records of a collection in an order, from the one behind `after`."""
        check_encodable(collection=collection, after=after)
        check_where(where)
        check_excluded(exclude)
        records = [own(record) for record in self._open(collection, where, exclude)]
        if order is Order.ID:
            left = [record for record in records if after is None or record.id > after]
            return page_of(sorted(left, key=lambda record: record.id), limit, cursor=lambda record: record.id)
        last = None if after is None else read_newest_cursor(after)
        left = [record for record in records if last is None or (record.at, record.id) < last]
        left.sort(key=lambda record: (record.at, record.id), reverse=True)
        return page_of(left, limit, cursor=newest_cursor)

    def expired(self, now: int, *, limit: int | None = None) -> tuple[Key, ...]:
        """The records whose moment to go has come, by that moment, then collection and id; every one is looked at."""
        found = sorted(
            (moment, name, record.id)
            for name, records in self._state.records.items()
            for record in records.values()
            if (moment := expiry_of(record.metadata)) is not None and moment <= now
        )
        return tuple(Key(name, id) for _, name, id in found[: None if limit is None else max(limit, 0)])

    def holding(self, collection: str, digests: Collection[bytes]) -> Mapping[bytes, tuple[Record, ...]]:
        """The records of a collection that hold exactly these texts, by time, then id."""
        check_encodable(collection=collection)
        state = self._state
        texts = {digest: state.texts[digest] for digest in digests if digest in state.texts}
        records = sorted(self._records(collection).values(), key=lambda record: (record.at, record.id))
        found = {
            digest: tuple(own(record) for record in records if record.text == text) for digest, text in texts.items()
        }
        return {digest: holders for digest, holders in found.items() if holders}

    def distinct(self, collection: str, key: str, *, limit: int) -> tuple[str, ...]:
        """The texts that stand under a metadata key in a collection, by their bytes."""
        check_encodable(collection=collection)
        check_where(Where(metadata={key: ()}))
        values = (record.metadata.get(key) for record in self._records(collection).values())
        return tuple(sorted({value for value in values if isinstance(value, str)})[: max(limit, 0)])

    # ── collections and sessions ──────────────────────────────────────────────────────────────────────────

    def sizes(self, collections: Collection[str]) -> Mapping[str, int]:
        """How many records each of these holds; 0 where there is none."""
        _check_each("collection", collections)
        return {name: len(self._records(name)) for name in collections}

    def collections(
        self, *, owner: str | None = None, prefix: str = "", after: str | None = None, limit: int | None = None
    ) -> Page[CollectionInfo]:
        """Collections in byte order of their names; with `owner`, only those that hold records of that namespace."""
        check_encodable(owner=owner, prefix=prefix, after=after)
        records = self._state.records
        names = sorted(name for name in records if name.startswith(prefix) and (after is None or name > after))
        if owner is not None:
            own_ones = Where(metadata={"userId": (owner,)})
            names = [name for name in names if any(own_ones.passes(record) for record in records[name].values())]
        found = [CollectionInfo(name=name, records=len(records[name])) for name in names]
        return page_of(found, limit, cursor=lambda info: info.name)

    def volume(self, collections: Collection[str], *, owner: str | None = None) -> Volume:
        """How much stands in these collections or is an owner's."""
        _check_each("collection", collections)
        check_encodable(owner=owner)
        found = {
            Key(name, record.id): record
            for name, records in self._state.records.items()
            for record in records.values()
            if name in collections or (owner is not None and record.metadata.get(OWNER) == owner)
        }
        sizes = (len(one.text.encode()) + len(to_json(one.metadata).encode()) for one in found.values())
        return Volume(records=len(found), size_bytes=sum(sizes))

    def states(self, sessions: Collection[str]) -> Mapping[str, SessionState]:
        """The states of these sessions, of those that have one."""
        _check_each("session", sessions)
        known = self._state.sessions
        return {session: _own_state(known[session]) for session in sessions if session in known}

    def states_of(self, owner: str | None, *, after: str | None = None, limit: int | None = None) -> Page[SessionState]:
        """The states of the sessions that hold turns of a namespace, in byte order of their names."""
        check_encodable(owner=owner, after=after)
        found = [
            _own_state(state)
            for name, state in sorted(self._state.sessions.items())
            if (after is None or name > after) and (owner is None or owner in _owners(state))
        ]
        return page_of(found, limit, cursor=lambda state: state.session)

    def edges(
        self, session: str | None, *, parents: Collection[str] | None = None, children: Collection[str] | None = None
    ) -> tuple[Edge, ...]:
        """Coverage edges by session, parent, position, child; None for those of all."""
        check_encodable(session=session)
        _check_each("parent", parents or ())
        _check_each("child", children or ())
        found = (
            edge
            for edge in self._state.edges.values()
            if (session is None or edge.session == session)
            and (parents is None or edge.parent in parents)
            and (children is None or edge.child in children)
        )
        return tuple(sorted(found, key=lambda edge: (edge.session, edge.parent, edge.position, edge.child)))

    def journal(self, *, sessions: Collection[str] | None = None, limit: int | None = None) -> tuple[JournalEntry, ...]:
        """Journal entries, newest last; `limit` keeps the newest."""
        _check_each("session", sessions or ())
        found = [
            replace(entry, entry=copied(entry.entry))
            for entry in self._state.journal
            if sessions is None or entry.session in sessions
        ]
        return tuple(found if limit is None else found[len(found) - min(len(found), max(limit, 0)) :])

    # ── candidates and features ───────────────────────────────────────────────────────────────────────────

    def nearest(
        self,
        collections: Sequence[str],
        embedding: Embedding,
        *,
        k: int,
        where: Where = ANYTHING,
        exclude: Excluded = NOTHING_EXCLUDED,
        is_whole: bool = False,
    ) -> tuple[Near, ...]:
        """The k records of each collection closest to a vector, best first, equals by id; every one is looked at."""
        _check_search(collections, where, exclude)
        vectors = vectors_for(self._state, embedding)
        found: list[Near] = []
        for name in dict.fromkeys(collections):
            near = [
                _near(record, vectors[record.text][:1] if is_whole else vectors[record.text], embedding)
                for record in self._open(name, where, exclude)
                if record.text in vectors
            ]
            found += sorted(near, key=lambda one: (-one.cosine, one.key.id))[: max(k, 0)]
        return tuple(found)

    def matching(
        self,
        collections: Sequence[str],
        words: Sequence[Word],
        *,
        k: int,
        where: Where = ANYTHING,
        exclude: Excluded = NOTHING_EXCLUDED,
    ) -> tuple[Key, ...]:
        """Up to k records of each collection that hold some of these words, by BM25, equals by id."""
        _check_search(collections, where, exclude)
        check_words(words)
        found: list[Key] = []
        for name in dict.fromkeys(collections):
            scores = bm25({text: self._state.terms[text] for text in self._state.texts_in(name)}, words)
            worded = [record for record in self._open(name, where, exclude) if record.text in scores]
            worded.sort(key=lambda record: (-scores[record.text], record.id))
            found += [Key(name, record.id) for record in worded[: max(k, 0)]]
        return tuple(found)

    def neighbours(
        self, keys: Collection[Key], *, where: Where = ANYTHING, exclude: Excluded = NOTHING_EXCLUDED
    ) -> Mapping[Key, Beside]:
        """The turns right before and after these in their session; each of these that there is has an entry."""
        check_keys(keys)
        _check_search((), where, exclude)
        beside = {key: Beside() for key in self._found(keys)}
        for name in {key.collection for key in beside}:
            seen = beside.keys() | {Key(name, record.id) for record in self._open(name, where, exclude)}
            for before, after in _successions(self._records(name).values()):
                if before in beside and after in seen:
                    beside[before] = replace(beside[before], after=after)
                if after in beside and before in seen:
                    beside[after] = replace(beside[after], before=before)
        return beside

    def features(
        self, keys: Collection[Key], *, embedding: Embedding | None, words: Sequence[Word]
    ) -> Mapping[Key, Features]:
        """What ranking measures of these records."""
        check_keys(keys)
        check_words(words)
        vectors = vectors_for(self._state, embedding)
        return {
            key: self._features(record, vectors.get(record.text), embedding, words)
            for key, record in self._found(keys).items()
        }

    def _features(
        self, record: Record, vectors: Vector | None, embedding: Embedding | None, words: Sequence[Word]
    ) -> Features:
        terms = self._state.terms[record.text]
        worded = Features(counts=tuple(count(terms, word) for word in words), length=len(terms))
        if vectors is None or embedding is None:
            return worded
        exact = cosines(vectors, embedding)
        return worded._replace(cosine=float(exact.max()), whole=float(exact[0]), passage=int(np.argmax(exact)))

    def vocabularies(self, collections: Collection[str], words: Sequence[Word]) -> Mapping[str, Vocabulary]:
        """How common words are in each of these collections, of those that there are."""
        _check_each("collection", collections)
        check_words(words)
        return {name: self._vocabulary(name, words) for name in collections if name in self._state.records}

    def _vocabulary(self, collection: str, words: Sequence[Word]) -> Vocabulary:
        texts = [self._state.terms[text] for text in self._state.texts_in(collection)]
        return Vocabulary(
            texts=len(texts),
            terms=sum(len(terms) for terms in texts),
            holders=tuple(sum(count(terms, word) > 0 for terms in texts) for word in words),
        )

    # ── vectors ───────────────────────────────────────────────────────────────────────────────────────────

    def spaces(self, *, is_counted: bool = True) -> tuple[Space, ...]:  # noqa: ARG002 - counted along anyway
        """Vector spaces, the active one first, then by fingerprint."""
        spaces = [counted(self._state, space) for space in self._state.spaces.values()]
        return tuple(sorted(spaces, key=lambda space: (space.state != SpaceState.ACTIVE, space.fingerprint)))

    def vectors(self, fingerprint: str, digests: Collection[bytes]) -> Mapping[bytes, Vector]:
        """The stored vectors of these texts in a space, of those that have some."""
        check_encodable(fingerprint=fingerprint)
        known = self._state.vectors.get(fingerprint, {})
        texts = ((digest, self._state.texts.get(digest)) for digest in digests)
        return {digest: known[text].copy() for digest, text in texts if text is not None and text in known}

    # ── one collection ────────────────────────────────────────────────────────────────────────────────────

    def _records(self, collection: str) -> dict[str, Record]:
        return self._state.records.get(collection, {})

    def _found(self, keys: Collection[Key]) -> dict[Key, Record]:
        return {key: self._records(key.collection)[key.id] for key in keys if key.id in self._records(key.collection)}

    def _open(self, collection: str, where: Where, exclude: Excluded) -> Iterator[Record]:
        """What a filter and an exclusion leave of a collection."""
        hidden = exclude.get(collection, frozenset())
        return (one for one in self._records(collection).values() if one.id not in hidden and where.passes(one))


def _near(record: Record, vectors: Vector, embedding: Embedding) -> Near:
    """By its best vector, of equals the first."""
    exact = cosines(vectors, embedding)
    best = int(np.argmax(exact))
    return Near(key=Key(record.collection, record.id), cosine=float(exact[best]), passage=best)


def _successions(records: Collection[Record]) -> Iterator[tuple[Key, Key]]:
    """Pairs of turns that follow one another in a session; of the same moment in the order they arrived."""
    sessions: dict[str, list[Record]] = {}
    for record in sorted(records, key=lambda record: record.at):
        if "sessionId" in record.metadata:
            sessions.setdefault(to_json(record.metadata["sessionId"]), []).append(record)
    for turns in sessions.values():
        yield from pairwise(Key(turn.collection, turn.id) for turn in turns)


def _owners(state: SessionState) -> list[str]:
    """The namespaces whose turns a session holds, as its state tells."""
    namespaces = state.state.get("namespaces")
    return [name for name in namespaces if isinstance(name, str)] if isinstance(namespaces, list) else []


def _own_state(state: SessionState) -> SessionState:
    return replace(state, state=copied(state.state))


def _check_search(collections: Collection[str], where: Where, exclude: Excluded) -> None:
    _check_each("collection", collections)
    check_where(where)
    check_excluded(exclude)


def _check_each(field: str, names: Collection[str]) -> None:
    for name in names:
        check_encodable(**{field: name})
