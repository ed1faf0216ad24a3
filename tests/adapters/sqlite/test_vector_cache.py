"""The arrays that search compares: exact answers, bounded memory, and never a stale or a torn one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests import puts
from tests.contract.stores import ask

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.adapters.vector_codes import Vector, code_bytes, cosines, sign_codes
from libravdb.adapters.vector_search import Rows, View, _hamming, _smallest, nearest
from libravdb.model import Change, DropCollection, Embedding, Put, Remove
from libravdb.ports.settings import StoreSettings

SPACE = "model"


def unit(numbers: NDArray[np.float64]) -> Vector:
    rows: Vector = (numbers / np.linalg.norm(numbers, axis=-1, keepdims=True)).astype(np.float32)
    return rows


def view_of(vectors: Vector, records: Rows, *, is_coded: bool) -> View:
    words = code_bytes(vectors.shape[1]) // 8
    packed = sign_codes(vectors).view("<u8").reshape(-1, words)
    return View(
        records=records,
        vectors=np.arange(len(vectors), dtype=np.int64),
        alive=np.ones(len(vectors), dtype=np.bool_),
        matrix=None if is_coded else vectors,
        codes=np.ascontiguousarray(packed.T) if is_coded else None,
    )


def brute_force(
    vectors: Vector, records: Rows, query: Vector, mask: NDArray[np.bool_], k: int
) -> list[tuple[int, float]]:
    """The k best records by their best vector, with all that tie with the last."""
    exact = cosines(vectors, query)
    best: dict[int, float] = {}
    for place in np.flatnonzero(mask):
        record = int(records[place])
        best[record] = max(best.get(record, -2.0), float(exact[place]))
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    if k <= 0:
        return []
    return [item for item in ranked if len(ranked) <= k or item[1] >= ranked[k - 1][1]]


@pytest.mark.xfail(strict=True, reason="a known limit: signs do not tell apart what lies in one crowd, 55 % are found")
def test_coded_search_finds_99_of_100_neighbours_in_crowds_of_6_000_without_any_shape() -> None:
    vectors, queries = clustered(np.random.default_rng(11), clusters=5, spread=0.5)
    view = view_of(vectors, np.arange(30_000, dtype=np.int64), is_coded=True)
    hits = 0
    for query in queries:
        found = nearest(view, query, k=10, mask=view.alive, fetch=lambda ids: vectors[ids], settings=StoreSettings())
        tenth = np.sort(cosines(vectors, query))[-10]
        hits += sum(one.cosine >= tenth for one in found[:10])
    assert hits / (10 * len(queries)) >= 0.99


@settings(deadline=None, max_examples=150)
@given(
    seed=st.integers(0, 2**32 - 1),
    size=st.integers(0, 120),
    dimensions=st.sampled_from([1, 2, 3, 64, 65, 100]),
    k=st.integers(-1, 130),
    share=st.sampled_from([0.0, 0.05, 0.5, 1.0]),
    is_coded=st.booleans(),
)
def test_nearest_equals_brute_force_for_any_mask_and_any_k(
    *, seed: int, size: int, dimensions: int, k: int, share: float, is_coded: bool
) -> None:
    """Coded search too, when its shortlist leaves nothing out."""
    random = np.random.default_rng(seed)
    directions = unit(random.standard_normal((max(1, size // 3), dimensions)))
    vectors = directions[random.integers(0, len(directions), size)]  # some equal, so that there are ties
    records = np.sort(random.integers(0, max(1, size // 2), size)).astype(np.int64)
    mask = random.random(size) < share
    query = unit(random.standard_normal(dimensions))
    found = nearest(
        view_of(vectors, records, is_coded=is_coded),
        query,
        k=k,
        mask=mask,
        fetch=lambda ids: vectors[ids],
        settings=StoreSettings(
            shortlist_rows=10_000, shortlist_rows_max=10_000, rescore_rows=10_000, rescore_rows_max=10_000
        ),
    )
    assert [(one.record, one.cosine) for one in found] == brute_force(vectors, records, query, mask, k)
    assert all(records[one.vector] == one.record and mask[one.vector] for one in found)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), allowed=st.integers(0, 400), k=st.integers(1, 30))
def test_a_narrow_filter_fills_its_page_in_coded_search(*, seed: int, allowed: int, k: int) -> None:
    """With the smallest of shortlists: a filter is applied before it, never after it."""
    random = np.random.default_rng(seed)
    vectors = unit(random.standard_normal((3000, 32)))
    records = np.arange(3000, dtype=np.int64) // 2
    mask = np.zeros(3000, dtype=np.bool_)
    mask[random.choice(3000, allowed, replace=False)] = True
    found = nearest(
        view_of(vectors, records, is_coded=True),
        unit(random.standard_normal(32)),
        k=k,
        mask=mask,
        fetch=lambda ids: vectors[ids],
        settings=StoreSettings(shortlist_rows=4, shortlist_rows_max=4, rescore_rows=2, rescore_rows_max=2),
    )
    assert len(found) >= min(k, np.unique(records[mask]).size)
    assert all(mask[one.vector] for one in found)


def clustered(random: np.random.Generator, *, clusters: int, spread: float) -> tuple[Vector, Vector]:
    """30,000 vectors around some centres, and questions around the same ones."""
    centres = random.standard_normal((clusters, 384))
    noise = random.standard_normal((30_000, 384))
    vectors = unit(centres[random.integers(0, clusters, 30_000)] + spread * noise)
    asked = unit(centres[random.integers(0, clusters, 50)] + spread * random.standard_normal((50, 384)))
    return vectors.astype(np.float16).astype(np.float32), asked


def several(random: np.random.Generator) -> tuple[Vector, Vector]:
    """Each vector stands there seven times."""
    vectors, asked = clustered(random, clusters=300, spread=0.9)
    return vectors[np.arange(30_000) // 7], asked


def all_equal(random: np.random.Generator) -> tuple[Vector, Vector]:
    vectors, asked = clustered(random, clusters=300, spread=0.9)
    return np.repeat(vectors[:1], 30_000, axis=0), asked


DISTRIBUTIONS: dict[str, Callable[[np.random.Generator], tuple[Vector, Vector]]] = {
    "wide clusters": lambda random: clustered(random, clusters=300, spread=0.9),
    "tight clusters": lambda random: clustered(random, clusters=150, spread=0.3),
    "several times the same": several,
    "all equal": all_equal,
}


@pytest.mark.parametrize("share", [1.0, pytest.param(0.1, marks=pytest.mark.thorough), 0.01])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_coded_search_finds_99_of_100_neighbours_among_30_000_with_the_default_settings(
    name: str, share: float
) -> None:
    """Whatever part of them a filter lets through. Of equals any will do."""
    random = np.random.default_rng(11)
    vectors, queries = DISTRIBUTIONS[name](random)
    view = view_of(vectors, np.arange(30_000, dtype=np.int64), is_coded=True)
    mask = random.random(30_000) < share
    hits = 0
    for query in queries:
        found = nearest(view, query, k=10, mask=mask, fetch=lambda ids: vectors[ids], settings=StoreSettings())
        tenth = np.sort(cosines(vectors[mask], query))[-10]
        assert len({one.record for one in found}) == len(found) >= 10
        assert all(mask[one.record] for one in found)
        hits += sum(one.cosine >= tenth for one in found[:10])
    assert hits / (10 * len(queries)) >= 0.99


@settings(deadline=None, max_examples=150)
@given(
    seed=st.integers(0, 2**32 - 1),
    size=st.integers(1, 3_000),
    count=st.integers(1, 3_100),
    shape=st.sampled_from(["any", "rising", "equal", "few near"]),
)
def test_the_smallest_distances_are_found_with_all_that_tie(seed: int, size: int, count: int, shape: str) -> None:
    """Also where the sample that is looked at first misleads."""
    random = np.random.default_rng(seed)
    distance = random.integers(0, 385, size).astype(np.uint16)
    if shape == "rising":
        distance.sort()
    elif shape == "equal":
        distance[:] = 200
    elif shape == "few near":
        distance[:] = 300
        distance[::16] = random.integers(0, 50, distance[::16].size)
    last = np.sort(distance)[min(count, size) - 1]
    assert _smallest(distance, count).tolist() == np.flatnonzero(distance <= last).tolist()


@pytest.mark.parametrize("words", [1, 2, 3, 4, 6, 16])
@pytest.mark.parametrize("size", [0, 1, 16_383, 16_384, 16_385])
def test_differing_bits_are_counted_one_by_one(size: int, words: int) -> None:
    random = np.random.default_rng(words)
    codes = random.integers(0, 2**64, (words, size), dtype=np.uint64)
    codes[:, ::5] = 0
    for query in (
        np.zeros(words, np.uint64),
        np.full(words, 2**64 - 1, np.uint64),
        codes[:, 0] if size else codes[:, :0],
    ):
        if query.size == words:
            counted = np.bitwise_count(codes ^ query[:, None]).sum(axis=0, dtype=np.int64)
            assert _hamming(codes, query).tolist() == counted.tolist()


def test_the_cosine_of_a_row_does_not_depend_on_its_neighbours() -> None:
    random = np.random.default_rng(5)
    vectors, query = unit(random.standard_normal((500, 384))), unit(random.standard_normal(384))
    together = cosines(vectors, query)
    assert [float(cosines(vectors[i : i + 1], query)[0]) for i in range(500)] == together.tolist()
    assert np.array_equal(cosines(vectors[::7], query), together[::7])


# ── through the store ─────────────────────────────────────────────────────────────────────────────────────


def embed(seed: int, dimensions: int = 16) -> Embedding:
    return Embedding(fingerprint=SPACE, vectors=unit(np.random.default_rng(seed).standard_normal((1, dimensions))))


def open_store(path: Path, *, dimensions: int = 16, **limits: float) -> SqliteStore:
    store = SqliteStore(path / "store.db", settings=StoreSettings(**limits))  # type: ignore[arg-type]  # far less than a MiB
    store.vectors.open(fingerprint=SPACE, dimensions=dimensions, description={})
    return store


def put(number: int, *, into: str = "c", text: str = "") -> Put:
    return puts.put(into, f"{number}", text or f"text {number}", at=number, embedding=embed(number))


def found_ids(store: SqliteStore, seed: int = 0, *, k: int = 10_000, into: str = "c") -> set[str]:
    return {one.key.id for one in ask(store, lambda read: read.nearest([into], embed(seed), k=k))}


@pytest.mark.parametrize("step", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("first", [0, 1, 5, 9, 10, 11])
def test_a_collection_grows_past_the_exact_limit_without_a_gap(tmp_path: Path, first: int, step: int) -> None:
    with open_store(tmp_path, exact_search_rows=10) as store:
        store.commit([put(i) for i in range(first)])
        for size in range(first, 45, step):
            assert found_ids(store) == {f"{i}" for i in range(size)}
            assert found_ids(store, abs(size - 1), k=1) == ({f"{size - 1}"} if size else set())
            store.commit([put(i) for i in range(size, size + step)])


@pytest.mark.parametrize("exact_rows", [5, 1000])
def test_removed_records_leave_the_arrays_without_a_reload(
    tmp_path: Path, exact_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(tmp_path, exact_search_rows=exact_rows) as store:
        store.commit([put(i) for i in range(100)])
        assert len(found_ids(store)) == 100
        (block,) = store._cache._blocks.values()

        def refuse(*_: object) -> None:
            pytest.fail("the arrays were loaded again")

        monkeypatch.setattr(block, "_load", refuse)
        for i in range(40):
            store.commit([Remove(collection="c", id=f"{i}")])
            store.commit([put(100 + i), Remove(collection="c", id="nobody")])
            assert found_ids(store) == {f"{j}" for j in range(i + 1, 101 + i)}
        monkeypatch.undo()
        store.commit([Remove(collection="c", id=f"{i}") for i in range(40, 135)])
        assert found_ids(store) == {"135", "136", "137", "138", "139"}


def test_more_removals_than_are_noted_are_noticed_all_the_same(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        store.commit([put(i, text=f"text {i % 7}") for i in range(2500)])
        assert len(found_ids(store)) == 2500
        store.commit([Remove(collection="c", id=f"{i}") for i in range(1100)])
        assert found_ids(store) == {f"{i}" for i in range(1100, 2500)}


def test_memory_stays_within_the_budget_and_the_collection_in_use_stays(tmp_path: Path) -> None:
    budget = 40_000
    with open_store(tmp_path, vector_cache_mb=budget / 2**20) as store:
        store.commit([put(i, into=f"c{i % 10}") for i in range(1000)])
        for i in range(30):
            assert len(found_ids(store, into=f"c{i % 10}")) == 100
            assert store._cache.nbytes <= budget
            assert len(store._cache._blocks) >= 1
        store.commit([put(i, into="large") for i in range(2000)])
        assert len(found_ids(store, into="large")) == 2000
        assert len(store._cache._blocks) == 1


def test_empty_collections_do_not_pile_up_in_memory(tmp_path: Path) -> None:
    with open_store(tmp_path, vector_cache_mb=20_000 / 2**20) as store:
        for i in range(200):
            store.commit([put(0, into=f"c{i}"), Remove(collection=f"c{i}", id="0")])
            assert found_ids(store, into=f"c{i}") == set()
        assert len(store._cache._blocks) < 100


# ── many threads ──────────────────────────────────────────────────────────────────────────────────────────


class Reader:
    """Searches until told to stop, and keeps what went wrong."""

    def __init__(self, look: Callable[[], None], done: threading.Event) -> None:
        self.rounds = 0
        self._look = look
        self._done = done

    def run(self) -> None:
        while not self._done.is_set() or self.rounds == 0:
            self._look()
            self.rounds += 1


@pytest.mark.parametrize("exact_rows", [20, 100_000])
def test_searches_during_writes_never_fail_and_see_what_was_acknowledged(tmp_path: Path, exact_rows: int) -> None:
    with open_store(
        tmp_path,
        exact_search_rows=exact_rows,
        shortlist_rows=10_000,
        shortlist_rows_max=10_000,
        rescore_rows=10_000,
        rescore_rows_max=10_000,
    ) as store:
        store.commit([put(i) for i in range(60)])
        removed: set[str] = set()
        written: set[str] = {f"{i}" for i in range(60)}
        done = threading.Event()

        def look() -> None:
            gone, there = set(removed), set(written)
            seen = found_ids(store, 3)
            assert not seen & gone, "a record that was removed and acknowledged came back"
            assert there & written <= seen, "a record that was acknowledged is missing"  # and nobody began to remove it
            assert len(found_ids(store, 3, k=20)) == 20

        def write(worker: int) -> None:
            for i in range(60):
                number = 1000 * (worker + 1) + i
                changes: list[Change] = [put(number)]
                if i >= 20:
                    old = f"{number - 20}"
                    written.discard(old)
                    changes.append(Remove(collection="c", id=old))
                store.commit(changes)
                if i >= 20:
                    removed.add(f"{number - 20}")
                written.add(f"{number}")
                assert f"{number}" in found_ids(store, number, k=1), "a writer must read its own write"

        with ThreadPoolExecutor(6) as pool:
            readers = [Reader(look, done) for _ in range(2)]
            reading = [pool.submit(reader.run) for reader in readers]
            writing = [pool.submit(write, worker) for worker in range(3)]
            try:
                for one in writing:
                    one.result()
            finally:
                done.set()
            for one in reading:
                one.result()
        assert all(reader.rounds for reader in readers)
        assert found_ids(store) == written


@pytest.mark.parametrize("exact_rows", [5, 100_000])
def test_a_record_that_is_being_replaced_is_never_missing(tmp_path: Path, exact_rows: int) -> None:
    """A replacement is a removal and an insertion: every view has the one or the other."""
    with open_store(
        tmp_path,
        exact_search_rows=exact_rows,
        shortlist_rows=10_000,
        shortlist_rows_max=10_000,
        rescore_rows=10_000,
        rescore_rows_max=10_000,
    ) as store:
        names = {f"{i}" for i in range(20)}
        store.commit([put(i) for i in range(20)])
        done = threading.Event()

        def look() -> None:
            assert found_ids(store) == names

        with ThreadPoolExecutor(3) as pool:
            reading = [pool.submit(Reader(look, done).run) for _ in range(2)]
            try:
                for turn in range(150):
                    store.commit([put(turn % 20, text=f"turn {turn} {i}") for i in range(2)])
            finally:
                done.set()
            for one in reading:
                one.result()


def test_a_reader_of_an_older_state_sees_that_state(tmp_path: Path) -> None:
    """Two transactions at once, one begun before a change and one after it, each with its own view."""
    with open_store(tmp_path, exact_search_rows=4) as store:
        store.commit([put(i) for i in range(10)])
        found_ids(store)

        def view(db: object, epoch: int) -> View:
            return store._cache.view(db, collection=1, epoch=epoch, space=1, dimensions=16)  # type: ignore[arg-type]

        with store.reading() as old:
            (before,) = old.execute("SELECT epoch FROM collections WHERE id = 1").fetchone()
            first = view(old, before)
            store.commit([put(10)])
            assert len(found_ids(store)) == 11
            second = view(old, before)  # of the arrays that everybody shares
            assert second.records.tolist() == first.records.tolist()
            store.commit([Remove(collection="c", id="3")])
            assert len(found_ids(store)) == 10
            assert first.alive.all()
            assert second.alive.all()
            (shared,) = store._cache._blocks.values()
            newest = shared._epoch
            assert newest > before
            again = view(old, before)
            assert again.records.tolist() == first.records.tolist()
            assert again.alive.all()
            assert shared._epoch == newest, "an old reader must not set the shared arrays back"
        assert len(found_ids(store)) == 10


def test_a_dropped_collection_is_gone_for_searches_that_follow(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        for turn in range(5):
            store.commit([put(i) for i in range(turn, turn + 5)])
            assert len(found_ids(store)) == 5
            store.commit([DropCollection(name="c")])
            assert found_ids(store) == set()
