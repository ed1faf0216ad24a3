"""The SQLite store against its twin in memory, step by step, in random order.

Two SQLite stores share one file, as two processes would: whatever one writes the other must see, arrays in
memory included. Collections are small, but the limit between exact and coded search is smaller still.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from numpy.typing import NDArray

from libravdb.adapters.memory.store import MemoryStore
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.errors import LibraError
from libravdb.model import (
    Append,
    Candidate,
    Change,
    ClearJournal,
    DropCollection,
    DropState,
    Edge,
    Embedding,
    EnsureCollection,
    KeepState,
    Link,
    MeasuredCandidate,
    Put,
    Query,
    Record,
    Remove,
    Restore,
    RestoreState,
    SessionState,
    SetState,
    Touch,
    Unlink,
    Where,
    digest,
)
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import Store

T = TypeVar("T")

COLLECTIONS = st.sampled_from(["user:a", "user:ab", "b", "\0"])
IDS = st.sampled_from([f"id{i}" for i in range(8)] + ["é", "n\0l"])
TEXTS = st.sampled_from(
    [f"number {i} of the words" for i in range(8)]
    + ["", " ", "Katzen und Hunde", "東京・大阪", "हूँ। λόγος", "getUserName", "the the cat", "CAT words"]
)
QUESTIONS = st.sampled_from(
    ["words", "number 3", "cat", "京", "大阪", "user", "λόγος हूँ", "hund", "the", "", "nothing here"]
)
TIMES = st.integers(0, 4)
METADATA = st.dictionaries(
    st.sampled_from(["k", "l", "sessionId"]), st.sampled_from([1, 1.0, True, "1", None]), max_size=3
)
SPACES = {"space-a": 4, "space-b": 4, "space-c": 70}
FINGERPRINTS = st.sampled_from(["space-a", "space-a", "space-a", "space-b", "space-b", "space-c"])
SESSIONS = st.sampled_from(["s", "t"])
EXPECT = st.sampled_from([None, None, None, 0, 1, 2])
WHERE = st.one_of(
    st.just(Where()),
    st.builds(
        Where,
        metadata=st.dictionaries(
            st.sampled_from(["k", "l"]),
            st.lists(st.sampled_from([1, 1.0, True, "1", None]), max_size=2).map(tuple),
            max_size=1,
        ),
        since=st.none() | TIMES,
        until=st.none() | TIMES,
    ),
)
KS = st.sampled_from([1, 2, 5, 100])


def embedding(fingerprint: str, seeds: list[int]) -> Embedding:
    """Few directions, so that ties happen; the same seed is the same direction."""
    numbers = np.stack([np.random.default_rng(seed).standard_normal(SPACES[fingerprint]) for seed in seeds])
    unit: NDArray[np.float32] = (numbers / np.linalg.norm(numbers, axis=1, keepdims=True)).astype(np.float32)
    return Embedding(fingerprint=fingerprint, vectors=unit)


SEEDS = st.lists(st.integers(0, 5), min_size=1, max_size=3)
EMBEDDINGS = st.none() | st.builds(embedding, FINGERPRINTS, SEEDS)
RECORDS = st.builds(
    Record,
    collection=COLLECTIONS,
    id=IDS,
    text=TEXTS,
    metadata=METADATA,
    at=TIMES,
    version=st.integers(1, 3),
    access_count=st.integers(0, 3),
)
# Parents and children have names of their own: a summary that covers itself is a finding, not a state.
EDGES = st.builds(
    Edge,
    session=SESSIONS,
    parent=st.sampled_from(["p", "q"]),
    child=st.sampled_from(["x", "y", "z"]),
    child_kind=st.sampled_from(["turn", "summary"]),
    position=st.integers(0, 2),
    at=TIMES,
)
PUTS = st.builds(
    Put, collection=COLLECTIONS, id=IDS, text=TEXTS, at=TIMES, metadata=METADATA, embedding=EMBEDDINGS, expect=EXPECT
)
PLAIN_PUTS = st.builds(Put, collection=COLLECTIONS, id=IDS, text=TEXTS, at=TIMES, metadata=METADATA)
STATES = st.builds(SessionState, session=SESSIONS, generation=st.integers(1, 3), state=METADATA, at=TIMES)
CHANGES: st.SearchStrategy[Change] = st.one_of(
    PUTS,
    PLAIN_PUTS,
    PLAIN_PUTS,
    st.builds(Restore, record=RECORDS, embedding=EMBEDDINGS),
    st.builds(Remove, collection=COLLECTIONS, id=IDS, expect=EXPECT),
    st.builds(Touch, collection=COLLECTIONS, ids=st.lists(IDS, max_size=4).map(tuple)),
    st.builds(DropCollection, name=COLLECTIONS),
    st.builds(DropCollection, name=COLLECTIONS, seen=st.frozensets(IDS)),
    st.builds(EnsureCollection, name=COLLECTIONS),
    st.builds(Link, edge=EDGES),
    st.builds(Unlink, session=SESSIONS, parent=st.sampled_from([None, "p", "q"])),
    st.builds(Append, session=SESSIONS, at=TIMES, entry=METADATA, keep=st.integers(1, 4)),
    st.builds(ClearJournal, seqs=st.none() | st.frozensets(st.integers(1, 9))),
    st.builds(SetState, session=SESSIONS, state=METADATA, at=TIMES, expect=EXPECT),
    st.builds(DropState, session=SESSIONS, expect=EXPECT),
    st.builds(KeepState, state=STATES),
    st.builds(RestoreState, state=STATES),
)


def outcome(work: Callable[[], T]) -> T | tuple[type, str]:
    """What came of it: a value, or the error in its words."""
    try:
        return work()
    except LibraError as error:
        return type(error), str(error)


def unmeasured(sighting: MeasuredCandidate) -> MeasuredCandidate:
    """All but the cosines, which are compared apart: sums of floats."""
    return replace(sighting, cosine=None, whole=None)


def whole(store: Store) -> object:
    """Everything that can be read without a question."""
    stats = store.stats()
    names = [info.name for info in store.collections()]
    return (
        store.collections(),
        {name: store.scan(name) for name in names},
        {name: store.latest(name, limit=5) for name in names},
        {
            name: [
                [one.id for one in store.holding(name, text)] for text in sorted({one.text for one in store.scan(name)})
            ]
            for name in names
        },
        (stats.collections, stats.records, stats.texts, stats.unembedded, stats.edges, stats.journal, stats.sessions),
        store.spaces(),
        [store.unembedded(fingerprint, limit=100) for fingerprint in SPACES],
        store.sample_texts(3),
        store.edges(),
        store.journal(),
        store.sessions(),
    )


class TwinStores(RuleBasedStateMachine):
    """Every step is taken by both kinds of store and must end alike."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.twin = MemoryStore()
        self.stores = [self.open(), self.open()]

    def open(self) -> SqliteStore:
        """Codes from the eighth vector on, with a shortlist that leaves nothing out: results stay exact."""
        everything = StoreSettings(
            exact_search_rows=7,
            shortlist_rows=10_000,
            shortlist_rows_max=10_000,
            rescore_rows=10_000,
            rescore_rows_max=10_000,
        )
        store = SqliteStore(self.folder / "store.db", settings=everything)
        store._writer.execute("PRAGMA synchronous = OFF")  # durability is not the question here
        return store

    def teardown(self) -> None:
        try:
            assert whole(self.stores[0]) == whole(self.stores[1]) == whole(self.twin)
            assert list(self.stores[0].verify()) == []
            assert list(self.twin.verify()) == []
        finally:
            for store in self.stores:
                store.close()
            shutil.rmtree(self.folder)

    def both(self, who: int, work: Callable[[Store], object]) -> None:
        assert outcome(lambda: work(self.stores[who])) == outcome(lambda: work(self.twin))

    @initialize(is_ready=st.sampled_from([True, True, True, False]))
    def begin(self, *, is_ready: bool) -> None:
        if is_ready:
            self.both(0, lambda store: store.open_space(fingerprint="space-a", dimensions=4, description={"a": 1}))

    @rule(who=st.integers(0, 1), changes=st.lists(CHANGES, min_size=1, max_size=5))
    def commit(self, who: int, changes: list[Change]) -> None:
        self.both(who, lambda store: store.commit(changes))

    @rule(
        who=st.integers(0, 1), into=COLLECTIONS, texts=st.lists(TEXTS, min_size=2, max_size=8), seed=st.integers(0, 5)
    )
    def fill(self, who: int, into: str, texts: list[str], seed: int) -> None:
        active = [space.fingerprint for space in self.twin.spaces()][:1]
        changes = [
            Put(
                collection=into,
                id=f"id{place}",
                text=text,
                at=place % 3,
                metadata={"sessionId": seed % 2},
                embedding=embedding(active[0], [seed, place]) if active else None,
            )
            for place, text in enumerate(texts)
        ]
        self.both(who, lambda store: store.commit(changes))

    @rule(who=st.integers(0, 1), fingerprint=FINGERPRINTS)
    def open_space(self, who: int, fingerprint: str) -> None:
        dimensions = SPACES[fingerprint]
        self.both(
            who,
            lambda store: store.open_space(fingerprint=fingerprint, dimensions=dimensions, description={"a": 1}),
        )

    @rule(who=st.integers(0, 1), fingerprint=FINGERPRINTS)
    def activate_space(self, who: int, fingerprint: str) -> None:
        self.both(who, lambda store: store.activate_space(fingerprint))

    @rule(who=st.integers(0, 1), fingerprint=FINGERPRINTS)
    def drop_space(self, who: int, fingerprint: str) -> None:
        self.both(who, lambda store: store.drop_space(fingerprint))

    @rule(who=st.integers(0, 1), fingerprint=FINGERPRINTS, seeds=SEEDS, limit=st.integers(0, 4), text=TEXTS)
    def back_fill(self, who: int, fingerprint: str, seeds: list[int], limit: int, text: str) -> None:
        waiting = self.twin.unembedded(fingerprint, limit=limit)
        items = [(one.digest, embedding(fingerprint, [place, *seeds])) for place, one in enumerate(waiting)]
        items.append((digest(text), embedding(fingerprint, seeds)))
        self.both(who, lambda store: store.add_vectors(items))

    @rule(who=st.integers(0, 1), name=COLLECTIONS)
    def rewrite(self, who: int, name: str) -> None:
        """Drop a collection and write it again in the same commit: what stays in the store keeps its vectors."""
        again = [Put(collection=name, id=one.id, text=one.text, at=one.at) for one in self.twin.scan(name)]
        self.both(who, lambda store: store.commit([DropCollection(name=name), *again]))

    @rule(who=st.integers(0, 1), name=COLLECTIONS, seed=st.integers(0, 5))
    def grow(self, who: int, name: str, seed: int) -> None:
        """One record after the other, each searched for at once: from exact search into coded search."""
        for space in self.twin.spaces()[:1]:
            for place in range(8):
                vectors = embedding(space.fingerprint, [seed + place])
                new = Put(collection=name, id=f"g{place}", text=f"grown {seed + place}", at=0, embedding=vectors)
                self.both(who, lambda store, new=new: store.commit([new]))  # type: ignore[misc]
                asked = Query(collections=(name,), k=3, embedding=vectors)
                self.compare(self.stores[who].search(asked), self.twin.search(asked))

    @rule(who=st.integers(0, 1), other=FINGERPRINTS, seeds=SEEDS)
    def switch_there_and_back(self, who: int, other: str, seeds: list[int]) -> None:
        """Meanwhile the space that was left gets vectors, and the arrays that remember it are old."""
        for space in self.twin.spaces()[:1]:
            mine = space.fingerprint
            for fingerprint in (other, mine):
                dimensions = SPACES[fingerprint]
                self.both(
                    who,
                    lambda store, fingerprint=fingerprint, dimensions=dimensions: store.open_space(  # type: ignore[misc]
                        fingerprint=fingerprint, dimensions=dimensions, description={"a": 1}
                    ),
                )
                self.back_fill(who, fingerprint, seeds, limit=1, text="")
                self.both(who, lambda store, fingerprint=fingerprint: store.activate_space(fingerprint))  # type: ignore[misc]

    @rule(who=st.integers(0, 1))
    def reopen(self, who: int) -> None:
        self.stores[who].close()
        self.stores[who] = self.open()

    @rule(
        collections=st.lists(COLLECTIONS, min_size=1, max_size=3).map(tuple),
        seed=st.integers(0, 9),
        k=KS,
        exclude=st.dictionaries(COLLECTIONS, st.frozensets(IDS, max_size=5), max_size=2),
        where=WHERE,
    )
    def search_vectors(
        self,
        collections: tuple[str, ...],
        seed: int,
        k: int,
        exclude: dict[str, frozenset[str]],
        where: Where,
    ) -> None:
        for fingerprint in [space.fingerprint for space in self.twin.spaces()][:2]:
            asked = Query(
                collections=collections,
                k=k,
                embedding=embedding(fingerprint, [seed]),
                exclude=exclude,
                where=where,
            )
            wanted = outcome(lambda asked=asked: self.twin.search(asked))  # type: ignore[misc]
            for store in self.stores:
                found = outcome(lambda store=store, asked=asked: store.search(asked))  # type: ignore[misc]
                self.compare(found, wanted)

    @rule(
        question=QUESTIONS,
        collections=st.lists(COLLECTIONS, min_size=1, max_size=3).map(tuple),
        k=KS,
        exclude=st.dictionaries(COLLECTIONS, st.frozensets(IDS, max_size=5), max_size=2),
        where=WHERE,
    )
    def search_words(
        self,
        question: str,
        collections: tuple[str, ...],
        k: int,
        exclude: dict[str, frozenset[str]],
        where: Where,
    ) -> None:
        """Which records match is compared exactly; of their order only what does not depend on the formula."""
        everything = Query(collections=collections, k=1000, text=question, exclude=exclude, where=where)
        page = Query(collections=collections, k=k, text=question, exclude=exclude, where=where)
        wanted = [one.record for one in self.twin.search(everything)]
        for store in self.stores:
            found = store.search(everything)
            assert [one.record for one in found] == wanted
            assert all(one.bm25 is not None and one.bm25 > 0 for one in found)
            scores = {(one.record.collection, one.record.id): one.bm25 or 0 for one in found}
            chosen = store.search(page)
            for name in dict.fromkeys(collections):
                ranked = sorted((-scores[key], key[1]) for key in scores if key[0] == name)
                best = {id for _, id in ranked[:k]}
                assert {one.record.id for one in chosen if one.record.collection == name} == best

    @rule(question=QUESTIONS, collection=COLLECTIONS, seed=st.integers(0, 5), where=WHERE)
    def search_both(self, question: str, collection: str, seed: int, where: Where) -> None:
        for space in self.twin.spaces()[:1]:
            asked = Query(
                collections=(collection,),
                k=100,
                text=question,
                embedding=embedding(space.fingerprint, [seed]),
                where=where,
            )
            wanted = self.twin.search(asked)
            for store in self.stores:
                self.compare(store.search(asked), wanted)

    @rule(
        question=st.none() | QUESTIONS,
        collections=st.lists(COLLECTIONS, min_size=1, max_size=3).map(tuple),
        seed=st.none() | st.integers(0, 5),
        k=KS,
        exclude=st.dictionaries(COLLECTIONS, st.frozensets(IDS, max_size=5), max_size=2),
        where=WHERE,
    )
    def survey(
        self,
        *,
        question: str | None,
        collections: tuple[str, ...],
        seed: int | None,
        k: int,
        exclude: dict[str, frozenset[str]],
        where: Where,
    ) -> None:
        """With words all candidates are asked for: which are the k best by words depends on the formula."""
        space = next(iter(self.twin.spaces()), None)
        asked = Query(
            collections=collections,
            k=k if question is None else 1000,
            text=question,
            embedding=None if seed is None or space is None else embedding(space.fingerprint, [seed]),
            exclude=exclude,
            where=where,
            linked=frozenset(collections[:2]),
        )
        wanted = self.twin.survey(asked)
        for store in self.stores:
            found = store.survey(asked)
            assert (found.words, found.vocabularies) == (wanted.words, wanted.vocabularies)
            assert [unmeasured(one) for one in found.sightings] == [unmeasured(one) for one in wanted.sightings]
            for one, other in zip(found.sightings, wanted.sightings, strict=True):
                assert (one.cosine, one.whole) == pytest.approx((other.cosine, other.whole), abs=1e-6)

    @rule(who=st.integers(0, 1), where=WHERE, after=st.none() | IDS, limit=st.none() | st.integers(0, 3))
    def read_pages(self, who: int, where: Where, after: str | None, limit: int | None) -> None:
        for name in ("user:a", "user:ab", "b", "\0"):
            self.both(who, lambda store, name=name: store.scan(name, where=where, after=after, limit=limit))  # type: ignore[misc]
            self.both(who, lambda store, name=name: store.latest(name, where=where, limit=limit or 0))  # type: ignore[misc]
        self.both(who, lambda store: store.collections("user:a"))

    @rule(who=st.integers(0, 1), fingerprint=FINGERPRINTS, texts=st.lists(TEXTS, max_size=4))
    def read_vectors(self, who: int, fingerprint: str, texts: list[str]) -> None:
        self.both(who, lambda store: store.unembedded_among(fingerprint, texts))
        for text in texts:
            mine, its = self.stores[who].vectors(fingerprint, text), self.twin.vectors(fingerprint, text)
            assert (mine is None) == (its is None)
            assert mine is None or its is None or np.array_equal(mine, its)

    @rule()
    def verify(self) -> None:
        assert list(self.stores[1].verify()) == []

    @invariant()
    def stores_agree(self) -> None:
        assert self.stores[0].stats() == self.stores[1].stats()
        assert self.stores[0].spaces() == self.twin.spaces()

    @invariant()
    def arrays_are_up_to_date(self) -> None:
        """The first store is searched after every step, the second now and then: both ways caches can go stale."""
        for space in self.twin.spaces()[:1]:
            names = tuple(info.name for info in self.twin.collections())
            asked = Query(collections=names, k=100, embedding=embedding(space.fingerprint, [0]))
            self.compare(self.stores[0].search(asked), self.twin.search(asked))

    def compare(self, found: list[Candidate] | tuple[type, str], wanted: list[Candidate] | tuple[type, str]) -> None:
        if isinstance(found, tuple) or isinstance(wanted, tuple):
            assert found == wanted
            return
        assert [(one.record, one.passage, one.bm25 is None) for one in found] == [
            (one.record, one.passage, one.bm25 is None) for one in wanted
        ]
        for one, other in zip(found, wanted, strict=True):
            assert one.cosine == (None if other.cosine is None else pytest.approx(other.cosine, abs=1e-6))


def test_the_sqlite_store_and_its_twin_never_differ() -> None:
    run_state_machine_as_test(
        TwinStores,
        settings=settings(
            max_examples=75, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
