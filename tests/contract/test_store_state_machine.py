"""The SQLite store against its twin in memory, step by step, in random order.

Two SQLite stores share one file, as two processes would: whatever one writes the other must see, arrays in
memory included. Collections are small, but the limit between exact and coded search is smaller still.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from functools import partial
from math import log
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from numpy.typing import NDArray
from tests.contract.stores import OpenStore, ask, open_postgres_store, walk
from tests.puts import put, restore

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.errors import LibraError
from libravdb.model import (
    SPACES,
    Append,
    Change,
    ClearJournal,
    Commit,
    DropCollection,
    DropState,
    Edge,
    Embedding,
    EnsureCollection,
    Features,
    Key,
    Link,
    Near,
    Order,
    Page,
    Record,
    Remove,
    RestoreState,
    Revision,
    SessionState,
    SetState,
    Topic,
    Touch,
    Unlink,
    Where,
    Word,
    digest,
)
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import Snapshot, Store
from libravdb.testing import MemoryStore
from libravdb.text.analysis import index_terms, query_terms

T = TypeVar("T")

NAMES = ["user:a", "user:ab", "b", "\x01"]
COLLECTIONS = st.sampled_from(NAMES)
IDS = st.sampled_from([f"id{i}" for i in range(8)] + ["é", "c:l"])
WORDED = [f"number {i} of the words" for i in range(8)] + [
    *("", " ", "Katzen und Hunde", "東京・大阪", "हूँ। λόγος", "getUserName", "the the cat", "CAT words")
]
TEXTS = st.sampled_from(WORDED)
QUESTIONS = st.sampled_from(
    ["words", "number 3", "cat", "京", "大阪", "user", "λόγος हूँ", "hund", "the", "", "nothing here", "number words cat"]
)
TIMES = st.integers(0, 4)
VALUES = st.sampled_from([1, 1.0, True, "1", None, 0, -0.0])
METADATA = st.dictionaries(st.sampled_from(["k", "l", "sessionId", "speaker"]), VALUES, max_size=3)
DIMENSIONS = {"space-a": 4, "space-b": 4, "space-c": 70}
FINGERPRINTS = st.sampled_from(["space-a", "space-a", "space-a", "space-b", "space-b", "space-c"])
SESSIONS = st.sampled_from(["s", "t"])
EXPECT = st.sampled_from([None, None, None, 0, 1, 2])
WHERE = st.one_of(
    st.just(Where()),
    st.builds(
        Where,
        metadata=st.dictionaries(
            st.sampled_from(["k", "l", "speaker"]), st.lists(VALUES, max_size=2).map(tuple), max_size=1
        ),
        since=st.none() | TIMES,
        until=st.none() | TIMES,
    ),
)
EXCLUDE = st.dictionaries(COLLECTIONS, st.frozensets(IDS, max_size=5), max_size=2)
SOME_COLLECTIONS = st.lists(COLLECTIONS, min_size=1, max_size=3).map(tuple)
KEYS = st.lists(st.builds(Key, COLLECTIONS, IDS), max_size=6)
KS = st.sampled_from([1, 2, 5, 100])
EVERYTHING = 1_000
TOPICS = [*map(Topic.collection, NAMES), *map(Topic.session, "st"), SPACES]


def embedding(fingerprint: str, seeds: Sequence[int]) -> Embedding:
    """Few directions, so that ties happen; the same seed is the same direction."""
    numbers = np.stack([np.random.default_rng(seed).standard_normal(DIMENSIONS[fingerprint]) for seed in seeds])
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
PLAIN_PUTS = st.builds(put, COLLECTIONS, IDS, TEXTS, at=TIMES, metadata=METADATA)
PUTS = st.builds(put, COLLECTIONS, IDS, TEXTS, at=TIMES, metadata=METADATA, embedding=EMBEDDINGS, expect=EXPECT)
UNANALYSED = st.builds(put, COLLECTIONS, IDS, TEXTS, at=TIMES, terms=st.none(), expect=EXPECT)
STATE = METADATA | st.fixed_dictionaries({"namespaces": st.lists(st.sampled_from(["u", "u:v", 1]), max_size=2)})
STATES = st.builds(SessionState, session=SESSIONS, generation=st.integers(1, 3), state=STATE, at=TIMES)
CHANGES: st.SearchStrategy[Change] = st.one_of(
    PUTS,
    PLAIN_PUTS,
    PLAIN_PUTS,
    UNANALYSED,
    st.builds(restore, RECORDS, embedding=EMBEDDINGS),
    st.builds(Remove, collection=COLLECTIONS, id=IDS, expect=EXPECT),
    st.builds(Touch, collection=COLLECTIONS, ids=st.lists(IDS, max_size=4).map(tuple)),
    st.builds(DropCollection, name=COLLECTIONS),
    st.builds(EnsureCollection, name=COLLECTIONS),
    st.builds(Link, edge=EDGES),
    st.builds(Unlink, session=SESSIONS, parent=st.sampled_from([None, "p", "q"])),
    st.builds(Append, session=SESSIONS, at=TIMES, entry=METADATA, keep=st.integers(1, 4)),
    st.builds(ClearJournal, seqs=st.none() | st.frozensets(st.integers(1, 9))),
    st.builds(SetState, session=SESSIONS, state=STATE, at=TIMES, expect=EXPECT),
    st.builds(DropState, session=SESSIONS, expect=EXPECT),
    st.builds(RestoreState, state=STATES),
)


def outcome(work: Callable[[], T]) -> T | tuple[type, str]:
    """What came of it: a value, or the error in its words."""
    try:
        return work()
    except LibraError as error:
        return type(error), str(error)


def whole(read: Snapshot) -> object:
    """Everything that can be read without a question."""
    infos = read.collections().items
    pages = {info.name: read.page(info.name).items for info in infos}
    addresses = [digest(text) for text in WORDED]
    return (
        infos,
        pages,
        {name: read.page(name, order=Order.NEWEST).items for name in pages},
        {name: read.holding(name, addresses) for name in pages},
        {name: [read.distinct(name, key, limit=99) for key in ("k", "speaker")] for name in pages},
        read.sizes(NAMES),
        read.spaces(),
        read.edges(None),
        read.journal(),
        [read.states_of(owner) for owner in (None, "u", "u:v", "nobody")],
        read.vocabularies(NAMES, query_terms("number words cat 京")),
        {
            fingerprint: {text: rows.tolist() for text, rows in read.vectors(fingerprint, addresses).items()}
            for fingerprint in DIMENSIONS
        },
    )


def counted(store: Store) -> object:
    """What an operator is told, without what depends on the file."""
    stats = store.maintenance.stats()
    return (
        (stats.collections, stats.records, stats.texts, stats.unembedded, stats.edges, stats.journal, stats.sessions),
        store.maintenance.analysis(),
        [store.vectors.missing(fingerprint, limit=100) for fingerprint in DIMENSIONS],
        store.vectors.sample(3),
    )


def bm25(read: Snapshot, keys: Sequence[Key], words: Sequence[Word]) -> dict[Key, float]:
    """What BM25 makes of the features that a store tells: a third reckoning, beside those of the two stores."""
    forms: list[Word] = [(form,) for form in dict.fromkeys(form for word in words for form in word)]
    vocabularies = read.vocabularies([key.collection for key in keys], forms)
    scores: dict[Key, float] = {}
    for key, one in read.features(keys, embedding=None, words=forms).items():
        told = vocabularies[key.collection]
        slack = 1.2 * (0.25 + 0.75 * one.length * told.texts / max(told.terms, 1))
        idfs = [max(log((told.texts - held + 0.5) / (held + 0.5)), 1e-6) for held in told.holders]
        scores[key] = sum(idf * n * 2.2 / (n + slack) for idf, n in zip(idfs, one.counts, strict=True))
    return scores


def unmeasured(features: Mapping[Key, Features]) -> dict[Key, Features]:
    """All but the cosines, which are compared apart: sums of floats."""
    return {key: one._replace(cosine=None, whole=None) for key, one in features.items()}


def same_features(found: Mapping[Key, Features], wanted: Mapping[Key, Features]) -> None:
    assert unmeasured(found) == unmeasured(wanted)
    for key, one in found.items():
        assert (one.cosine, one.whole) == pytest.approx((wanted[key].cosine, wanted[key].whole), abs=1e-6)


def same_nearest(found: object, wanted: object) -> None:
    """Errors in the same words, or the same records in the same order, with cosines that are the same within reason."""
    if not (_are_near(found) and _are_near(wanted)):
        assert found == wanted
        return
    assert isinstance(found, tuple)
    assert isinstance(wanted, tuple)
    assert [(one.key, one.passage) for one in found] == [(one.key, one.passage) for one in wanted]
    assert [one.cosine for one in found] == pytest.approx([one.cosine for one in wanted], abs=1e-6)


def _are_near(found: object) -> bool:
    return isinstance(found, tuple) and all(isinstance(one, Near) for one in found)


@dataclass
class OpenRead:
    """A read that was begun some steps ago, and what the twin told at that moment."""

    read: Snapshot
    told: object
    revisions: Mapping[Topic, Revision]
    asked: Embedding | None
    near: tuple[Near, ...]


EVERYTHING_RESCORED = StoreSettings(
    exact_search_rows=7,
    shortlist_rows=10_000,
    shortlist_rows_max=10_000,
    rescore_rows=10_000,
    rescore_rows_max=10_000,
)
"""Codes from the eighth vector on, with a shortlist that leaves nothing out: results stay exact."""


class TwinStores(RuleBasedStateMachine):
    """Every step is taken by both kinds of store and must end alike."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.twin = MemoryStore()
        self.stores = [self.open(), self.open()]
        self.analyses = 0
        self.reads: list[tuple[AbstractContextManager[Snapshot], OpenRead]] = []
        # Where each store begins to number its commits is its own affair.
        mine, its = (store.commit([EnsureCollection(name="first")]).revision for store in (self.stores[0], self.twin))
        self.ahead = mine - its

    def open(self) -> OpenStore:
        store = SqliteStore(self.folder / "store.db", settings=EVERYTHING_RESCORED)
        store._writer.execute("PRAGMA synchronous = OFF")  # durability is not the question here
        return store

    def teardown(self) -> None:
        try:
            wanted = ask(self.twin, whole)
            assert ask(self.stores[0], whole) == ask(self.stores[1], whole) == wanted
            assert counted(self.stores[0]) == counted(self.stores[1]) == counted(self.twin)
            assert list(self.stores[0].maintenance.verify()) == []
            assert list(self.twin.maintenance.verify()) == []
        finally:
            while self.reads:
                self.end_read()
            for store in self.stores:
                store.close()
            shutil.rmtree(self.folder)

    def both(self, who: int, work: Callable[[Store], object]) -> None:
        assert outcome(lambda: work(self.stores[who])) == outcome(lambda: work(self.twin))

    def commit_both(self, who: int, changes: Sequence[Change], unless: Mapping[Topic, Revision] | None = None) -> None:
        """Both end alike, the number of the commit included; what is left out of `unless` is not asked."""
        mine = outcome(lambda: self.stores[who].commit(changes, unless=unless or {}))
        its = outcome(lambda: self.twin.commit(changes, unless=self.as_the_twin(unless or {})))
        if isinstance(mine, Commit) and isinstance(its, Commit):
            assert self.as_the_twin({SPACES: mine.revision})[SPACES] == its.revision
            assert self.as_the_twin(mine.before) == its.before
        elif unless:  # each tells the revision in its own numbers
            assert re.sub(r"\d+", "#", str(mine)) == re.sub(r"\d+", "#", str(its))
        else:
            assert mine == its

    def as_the_twin(self, revisions: Mapping[Topic, Revision]) -> dict[Topic, Revision]:
        """Revisions of the file in the twin's numbers."""
        return {topic: revision and revision - self.ahead for topic, revision in revisions.items()}

    @property
    def active(self) -> list[str]:
        """The space in use, if there is one."""
        return [space.fingerprint for space in ask(self.twin, lambda read: read.spaces())[:1]]

    # ── steps ─────────────────────────────────────────────────────────────────────────────────────────────

    @initialize(is_ready=st.sampled_from([True, True, True, False]))
    def begin(self, *, is_ready: bool) -> None:
        if is_ready:
            self.open_space(0, "space-a")

    @rule(who=st.integers(0, 1), changes=st.lists(CHANGES, min_size=1, max_size=5))
    def commit(self, who: int, changes: list[Change]) -> None:
        self.commit_both(who, changes)

    @rule(
        who=st.integers(0, 1),
        changes=st.lists(CHANGES, max_size=2),
        topics=st.lists(st.sampled_from(TOPICS), min_size=1, max_size=3, unique=True),
        moved=st.none() | CHANGES,
    )
    def commit_unless(self, who: int, changes: list[Change], topics: list[Topic], moved: Change | None) -> None:
        """Decided by what was seen, while the other process may have changed something."""
        seen = self.stores[who].revisions(topics)
        if moved is not None:
            self.commit_both(1 - who, [moved])
        self.commit_both(who, changes, unless=seen)

    @rule(
        who=st.integers(0, 1), into=COLLECTIONS, texts=st.lists(TEXTS, min_size=2, max_size=8), seed=st.integers(0, 5)
    )
    def fill(self, who: int, into: str, texts: list[str], seed: int) -> None:
        active = self.active
        changes = [
            put(
                into,
                f"id{place}",
                text,
                at=place % 3,
                metadata={"sessionId": seed % 2},
                embedding=embedding(active[0], [seed, place]) if active else None,
            )
            for place, text in enumerate(texts)
        ]
        self.commit_both(who, changes)

    @rule(who=st.integers(0, 1), fingerprint=FINGERPRINTS)
    def open_space(self, who: int, fingerprint: str) -> None:
        dimensions = DIMENSIONS[fingerprint]
        self.both(
            who, lambda store: store.vectors.open(fingerprint=fingerprint, dimensions=dimensions, description={"a": 1})
        )

    @rule(who=st.integers(0, 1), fingerprint=FINGERPRINTS)
    def activate_space(self, who: int, fingerprint: str) -> None:
        self.both(who, lambda store: store.vectors.activate(fingerprint))

    @rule(who=st.integers(0, 1), fingerprint=FINGERPRINTS)
    def drop_space(self, who: int, fingerprint: str) -> None:
        self.both(who, lambda store: store.vectors.drop(fingerprint))

    @rule(who=st.integers(0, 1), fingerprint=FINGERPRINTS, seeds=SEEDS, limit=st.integers(0, 4), text=TEXTS)
    def back_fill(self, who: int, fingerprint: str, seeds: list[int], limit: int, text: str) -> None:
        waiting = self.twin.vectors.missing(fingerprint, limit=limit)
        items = [(one.digest, embedding(fingerprint, [place, *seeds])) for place, one in enumerate(waiting)]
        items.append((digest(text), embedding(fingerprint, seeds)))
        self.both(who, lambda store: store.vectors.add(items))

    @rule(who=st.integers(0, 1), name=COLLECTIONS, is_analysed=st.booleans())
    def rewrite(self, who: int, name: str, *, is_analysed: bool) -> None:
        """Drop a collection and write it again in the same commit: what stays in the store keeps terms and vectors."""
        held = ask(self.twin, lambda read: read.page(name)).items
        again = [put(name, one.id, one.text, at=one.at) for one in held]
        bare = [replace(one, terms=None) for one in again]
        self.commit_both(who, [DropCollection(name=name), *(again if is_analysed else bare)])

    @rule(who=st.integers(0, 1), name=COLLECTIONS, seed=st.integers(0, 5))
    def grow(self, who: int, name: str, seed: int) -> None:
        """One record after the other, each searched for at once: from exact search into coded search."""
        for fingerprint in self.active:
            for place in range(8):
                vectors = embedding(fingerprint, [seed + place])
                self.commit_both(who, [put(name, f"g{place}", f"grown {seed + place}", at=0, embedding=vectors)])
                self.ask_nearest(self.stores[who], (name,), vectors, k=3)

    @rule(who=st.integers(0, 1), other=FINGERPRINTS, seeds=SEEDS)
    def switch_there_and_back(self, who: int, other: str, seeds: list[int]) -> None:
        """Meanwhile the space that was left gets vectors, and the arrays that remember it are old."""
        for mine in self.active:
            for fingerprint in (other, mine):
                self.open_space(who, fingerprint)
                self.back_fill(who, fingerprint, seeds, limit=1, text="")
                self.activate_space(who, fingerprint)

    @rule(who=st.integers(0, 1), is_plain=st.booleans())
    def reindex(self, who: int, *, is_plain: bool) -> None:
        self.analyses += 1
        analyse = index_terms if is_plain else (lambda text: [*index_terms(text), "more"])
        name = f"analysis {self.analyses}"
        self.both(who, lambda store: store.maintenance.reindex(name, lambda text: tuple(analyse(text))))

    @rule(who=st.integers(0, 1))
    def reopen(self, who: int) -> None:
        while self.reads:
            self.end_read()
        self.stores[who].close()
        self.stores[who] = self.open()

    # ── reads that last ───────────────────────────────────────────────────────────────────────────────────

    @rule(who=st.integers(0, 1), is_searched=st.booleans())
    def begin_read(self, who: int, *, is_searched: bool) -> None:
        if len(self.reads) >= 3:
            return
        asked = next((embedding(fingerprint, [1]) for fingerprint in self.active), None)
        with self.twin.read() as twin:
            near = () if asked is None else twin.nearest(NAMES, asked, k=100)
            told, revisions = whole(twin), twin.revisions(TOPICS)
        lasting = self.stores[who].read()
        begun = OpenRead(lasting.__enter__(), told, revisions, asked, near)
        self.reads.append((lasting, begun))
        if is_searched:
            self.compare_with_its_moment(begun)

    @rule()
    def look_again(self) -> None:
        for _, one in self.reads:
            self.compare_with_its_moment(one)

    @rule()
    def end_read(self) -> None:
        if self.reads:
            lasting, one = self.reads.pop(0)
            with ExitStack() as stack:
                stack.push(lasting)
                self.compare_with_its_moment(one)

    def compare_with_its_moment(self, one: OpenRead) -> None:
        assert whole(one.read) == one.told
        assert self.as_the_twin(one.read.revisions(TOPICS)) == one.revisions
        if one.asked is not None:
            same_nearest(one.read.nearest(NAMES, one.asked, k=100), one.near)

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────

    @rule(
        collections=SOME_COLLECTIONS, seed=st.integers(0, 9), k=KS, exclude=EXCLUDE, where=WHERE, is_whole=st.booleans()
    )
    def search_vectors(
        self,
        collections: tuple[str, ...],
        seed: int,
        k: int,
        exclude: dict[str, frozenset[str]],
        where: Where,
        *,
        is_whole: bool,
    ) -> None:
        spaces = ask(self.twin, lambda read: read.spaces())[:2]
        for fingerprint in [space.fingerprint for space in spaces]:
            asked = embedding(fingerprint, [seed])
            for store in self.stores:
                self.ask_nearest(store, collections, asked, k=k, exclude=exclude, where=where, is_whole=is_whole)

    @rule(question=QUESTIONS, collections=SOME_COLLECTIONS, k=KS, exclude=EXCLUDE, where=WHERE)
    def search_words(
        self,
        question: str,
        collections: tuple[str, ...],
        k: int,
        exclude: dict[str, frozenset[str]],
        where: Where,
    ) -> None:
        """Which records match is compared exactly, and so is their order where scores differ; k takes the first."""
        words = query_terms(question)
        with self.twin.read() as twin:
            wanted = twin.matching(collections, words, k=EVERYTHING, where=where, exclude=exclude)
            scores = bm25(twin, wanted, words)
        for store in self.stores:
            with store.read() as read:
                found = read.matching(collections, words, k=EVERYTHING, where=where, exclude=exclude)
                chosen = read.matching(collections, words, k=k, where=where, exclude=exclude)
                assert bm25(read, found, words) == pytest.approx(scores)
            assert len(found) == len(wanted)
            assert set(found) == set(wanted)
            for name in dict.fromkeys(collections):
                mine, its, first = ([key for key in keys if key.collection == name] for keys in (found, wanted, chosen))
                assert [scores[key] for key in mine] == pytest.approx([scores[key] for key in its])
                assert first == mine[:k]
            assert [key.collection for key in found] == [key.collection for key in wanted]

    @rule(question=QUESTIONS, collections=SOME_COLLECTIONS, seed=st.none() | st.integers(0, 5), where=WHERE, keys=KEYS)
    def recall(
        self, question: str, collections: tuple[str, ...], seed: int | None, where: Where, keys: list[Key]
    ) -> None:
        """As a recall does: candidates, the turns beside them, and what is measured of all, in one read."""
        words = query_terms(question)
        active = self.active
        asked = embedding(active[0], [seed]) if active and seed is not None else None
        with self.twin.read() as twin:
            near = twin.nearest(collections, asked, k=2, where=where) if asked else ()
            found = dict.fromkeys([one.key for one in near])
            found |= dict.fromkeys(twin.matching(collections, words, k=EVERYTHING, where=where))
            found |= dict.fromkeys(keys)
            beside = twin.neighbours(list(found), where=where)
            met = [*found, *(key for one in beside.values() for key in (one.before, one.after) if key is not None)]
            features = twin.features(met, embedding=asked, words=words)
            vocabularies = twin.vocabularies(collections, words)
            records = twin.records(met)
        for store in self.stores:
            with store.read() as read:
                if asked:
                    same_nearest(read.nearest(collections, asked, k=2, where=where), near)
                read.matching(collections, words, k=EVERYTHING, where=where)
                assert read.neighbours(list(found), where=where) == beside
                same_features(read.features(met, embedding=asked, words=words), features)
                assert read.vocabularies(collections, words) == vocabularies
                assert read.records(met) == records

    @rule(keys=KEYS, where=WHERE, exclude=EXCLUDE)
    def look_beside(self, keys: list[Key], where: Where, exclude: dict[str, frozenset[str]]) -> None:
        wanted = ask(self.twin, lambda read: read.neighbours(keys, where=where, exclude=exclude))
        for store in self.stores:
            assert ask(store, lambda read: read.neighbours(keys, where=where, exclude=exclude)) == wanted

    @rule(who=st.integers(0, 1), fingerprint=FINGERPRINTS, seeds=SEEDS, k=KS, question=QUESTIONS)
    def measure(self, who: int, fingerprint: str, seeds: list[int], k: int, question: str) -> None:
        """Several questions in one read: what was remembered of one must not answer another."""
        words = query_terms(question)
        with self.twin.read() as twin, self.stores[who].read() as read:
            keys = [Key(name, one.id) for name in NAMES for one in twin.page(name).items]
            for seed in seeds:
                asked = embedding(fingerprint, [seed])
                near = [outcome(partial(one.nearest, NAMES, asked, k=k)) for one in (read, twin)]
                same_nearest(*near)
                if fingerprint in self.active:
                    features = [one.features(keys, embedding=asked, words=words) for one in (read, twin)]
                    same_features(*features)

    @rule(who=st.integers(0, 1), where=WHERE, after=st.none() | IDS, limit=st.none() | st.integers(0, 3))
    def read_pages(self, who: int, where: Where, after: str | None, limit: int | None) -> None:
        for name in NAMES:

            def by_id(read: Snapshot, name: str = name) -> Page[Record]:
                return read.page(name, where=where, after=after, limit=limit)

            def newest(read: Snapshot, name: str = name) -> list[tuple[Record, ...]]:
                """Cursors are each store's own."""
                pages = walk(lambda after: read.page(name, order=Order.NEWEST, where=where, after=after, limit=limit))
                return [page.items for page in pages]

            assert ask(self.stores[who], by_id) == ask(self.twin, by_id)
            assert ask(self.stores[who], newest) == ask(self.twin, newest)
        self.both(who, lambda store: ask(store, lambda read: read.collections(prefix="user:a", limit=limit)))
        self.both(who, lambda store: ask(store, lambda read: read.states_of("u", limit=limit)))

    @rule()
    def verify(self) -> None:
        assert list(self.stores[1].maintenance.verify()) == []

    @invariant()
    def stores_agree(self) -> None:
        assert counted(self.stores[0]) == counted(self.stores[1])
        for store in self.stores:
            assert ask(store, lambda read: read.spaces()) == ask(self.twin, lambda read: read.spaces())

    @invariant()
    def revisions_agree(self) -> None:
        """Whoever made a commit, and whoever looks: both processes see the same numbers, and they are the twin's."""
        wanted = self.twin.revisions(TOPICS)
        for store in self.stores:
            assert self.as_the_twin(store.revisions(TOPICS)) == wanted

    @invariant()
    def arrays_are_up_to_date(self) -> None:
        """The first store is searched after every step, the second now and then: both ways caches can go stale."""
        for fingerprint in self.active:
            self.ask_nearest(self.stores[0], NAMES, embedding(fingerprint, [0]), k=100)

    def ask_nearest(
        self,
        store: Store,
        collections: Sequence[str],
        asked: Embedding,
        *,
        k: int,
        where: Where | None = None,
        exclude: Mapping[str, frozenset[str]] | None = None,
        is_whole: bool = False,
    ) -> None:
        def nearest(one: Store) -> object:
            return outcome(
                lambda: ask(
                    one,
                    lambda read: read.nearest(
                        collections, asked, k=k, where=where or Where(), exclude=exclude or {}, is_whole=is_whole
                    ),
                )
            )

        same_nearest(nearest(store), nearest(self.twin))


def test_the_sqlite_store_and_its_twin_never_differ() -> None:
    run_state_machine_as_test(
        TwinStores,
        settings=settings(
            max_examples=20, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


class PostgresTwins(TwinStores):
    """The same with two processes over one database, which a third one keeps for them."""

    def __init__(self) -> None:
        self.keeper = open_postgres_store()
        super().__init__()

    def open(self) -> OpenStore:
        return open_postgres_store(beside=self.keeper, settings=EVERYTHING_RESCORED)

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            self.keeper.close()


@pytest.mark.postgres
@pytest.mark.parametrize("examples", [10, pytest.param(40, marks=pytest.mark.thorough)])
def test_the_postgres_store_and_its_twin_never_differ(examples: int) -> None:
    run_state_machine_as_test(
        PostgresTwins,
        settings=settings(
            max_examples=examples, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
