"""The vectors that search compares: right at every moment, for every reader, within their budget."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.stores import SPACE, ask, near_ids, open_space, vector
from tests.postgres.stores import LentStore, open_lent
from tests.puts import put

from libravdb.adapters.postgres import vector_reads
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.model import DropCollection, Embedding, Near, Put, Remove
from libravdb.ports.settings import StoreSettings

MANY = 40
EXACT = StoreSettings()
CODED = StoreSettings(
    exact_search_rows=1, shortlist_rows=10_000, shortlist_rows_max=10_000, rescore_rows=10_000, rescore_rows_max=10_000
)


def turned(number: int, *, of: str = "c", text: str | None = None) -> Put:
    """A record whose direction tells its number: the smaller, the nearer to [1, 0]."""
    return put(of, f"{number:03}", text or f"text {number} of {of}", embedding=vector([MANY, number]))


def order_of(store: PostgresStore, of: str = "c") -> list[str]:
    return near_ids(store, [1, 0], of=of, k=999)


def named(numbers: range | list[int]) -> list[str]:
    return [f"{number:03}" for number in numbers]


@pytest.fixture(params=[EXACT, CODED], ids=["exact", "coded"])
def store(request: pytest.FixtureRequest) -> Iterator[LentStore]:
    with open_lent(settings=request.param) as opened:
        open_space(opened)
        yield opened


def test_what_another_process_writes_is_found_at_once(store: LentStore) -> None:
    with PostgresStore(store.url) as other:
        for number in range(5):
            other.commit([turned(number)])
            assert order_of(store) == named(range(number + 1))
        other.commit([Remove(collection="c", id="002")])
        assert order_of(store) == named([0, 1, 3, 4])
        other.commit([turned(2), turned(4, text="a text that was changed")])
        assert order_of(store) == named(range(5))
        other.commit([DropCollection(name="c")])
        assert order_of(store) == []
        other.commit([turned(7)])
        assert order_of(store) == ["007"]


def test_a_text_that_gets_its_vectors_later_is_found(store: LentStore) -> None:
    store.commit([turned(0), put("c", "001", "late"), turned(2)])
    assert order_of(store) == named([0, 2])
    with PostgresStore(store.url) as other:
        other.commit([put("d", "x", "late", embedding=vector([MANY, 1]))])
    assert order_of(store) == named([0, 1, 2])


def test_a_reader_of_an_older_moment_gets_what_is_of_that_moment(store: LentStore) -> None:
    told: list[tuple[object, list[str]]] = []
    with ExitStack() as stack:
        for step in range(6):
            store.commit([turned(step)] if step != 3 else [Remove(collection="c", id="001")])
            assert order_of(store)  # the newest is in memory now
            told.append((stack.enter_context(store.read()), order_of(store)))
        for snapshot, wanted in [*told, *told[::-1]]:
            near = snapshot.nearest(["c"], vector([1, 0]), k=99)  # type: ignore[attr-defined]
            assert [one.key.id for one in near] == wanted
        assert order_of(store) == named([0, 2, 4, 5])


def test_a_space_that_is_used_again_is_loaded_again(store: LentStore) -> None:
    store.commit([turned(0), turned(1)])
    assert order_of(store) == named([0, 1])
    open_space(store, "other")
    store.vectors.activate("other")
    open_space(store)  # builds up again, while nobody searches it
    store.commit([turned(2)])
    store.vectors.activate(SPACE)
    assert order_of(store) == named([0, 1, 2])


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    steps=st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, MANY - 1), st.booleans()), min_size=1, max_size=30),
    exact=st.sampled_from([1, 5, 100]),
    at_once=st.sampled_from([2, 7, 500_000]),
)
def test_however_it_is_read_it_is_what_was_written(
    steps: list[tuple[str, int, bool]], exact: int, at_once: int
) -> None:
    """Two processes write and search in turns; codes come in parts of any size."""
    told = StoreSettings(exact_search_rows=exact, rescore_rows=10_000, rescore_rows_max=10_000, shortlist_rows=10_000)
    kept: set[int] = set()
    with pytest.MonkeyPatch.context() as patch, open_lent(settings=told) as one, PostgresStore(one.url) as other:
        patch.setattr(vector_reads, "AT_ONCE", at_once)
        patch.setattr(vector_reads, "ONE_BY_ONE", at_once)
        open_space(one)
        for who, number, is_kept in steps:
            writer = one if who == "a" else other
            writer.commit([turned(number) if is_kept else Remove(collection="c", id=f"{number:03}")])
            kept = kept | {number} if is_kept else kept - {number}
            if number % 3 == 0:
                assert order_of(one) == named(sorted(kept))
        assert order_of(one) == order_of(other) == named(sorted(kept))


@pytest.mark.parametrize("one_by_one", [0, 4, 12])
@pytest.mark.parametrize("at_once", [1, 5, 10, 11])
def test_codes_of_a_large_collection_come_in_parts(
    monkeypatch: pytest.MonkeyPatch, one_by_one: int, at_once: int
) -> None:
    """Some records have no vectors: what counts is how many came, and not how many codes."""
    monkeypatch.setattr(vector_reads, "AT_ONCE", at_once)
    monkeypatch.setattr(vector_reads, "ONE_BY_ONE", one_by_one)
    with open_lent(settings=CODED) as store:
        open_space(store)
        store.commit([turned(number) for number in range(10) if number != 3] + [put("c", "003", "without vectors")])
        assert order_of(store) == named([number for number in range(10) if number != 3])
        store.commit([turned(number) for number in range(10, 21)])
        assert order_of(store) == named([number for number in range(21) if number != 3])


@pytest.mark.parametrize("most_bytes", [1, 5 * 8, 2**29])
def test_no_value_is_longer_than_the_server_takes_however_many_vectors_a_text_has(
    monkeypatch: pytest.MonkeyPatch, most_bytes: int
) -> None:
    """Records do not tell how many vectors they have: of 7 with a thousand sentences each, none could be searched."""
    monkeypatch.setattr(vector_reads, "MOST_BYTES", most_bytes)
    with open_lent(settings=CODED) as store:
        open_space(store)
        for first, last in ((0, 6), (6, 7), (7, 12)):
            store.commit([long(number) for number in range(first, last)])
            assert order_of(store) == named(range(last))


@pytest.mark.parametrize("exact", [3, 11, 12, 13, 30])
def test_vectors_are_counted_and_not_records(exact: int) -> None:
    told = replace(CODED, exact_search_rows=exact)
    with open_lent(settings=told) as store:
        open_space(store)
        for first, last in ((0, 3), (3, 4), (4, 6)):  # three vectors each
            store.commit([long(number) for number in range(first, last)])
            assert order_of(store) == named(range(last))
            ((held,),) = [[block] for block in store._caches.vectors._blocks.values()]
            assert (held.matrix is not None) == (last * 3 <= exact)


def test_records_without_vectors_hide_nobody_behind_them() -> None:
    """While the embedder is away very many may come."""
    with open_lent(settings=replace(CODED, exact_search_rows=4)) as store:
        open_space(store)
        store.commit([turned(0), turned(1)])
        assert order_of(store) == named([0, 1])
        store.commit([put("c", f"without {number}", f"without vectors {number}") for number in range(12)])
        assert order_of(store) == named([0, 1])
        store.commit([turned(2)])
        assert order_of(store) == named([0, 1, 2])
        store.commit([turned(3), turned(4)])
        assert order_of(store) == named(range(5))


def long(number: int) -> Put:
    """A record of three vectors; the nearest of them tells its number."""
    rows = np.array([[MANY, number], [0, 1], [-1, 0]], dtype=np.float32)
    embedding = Embedding(fingerprint=SPACE, vectors=rows / np.linalg.norm(rows, axis=1, keepdims=True))
    return put("c", f"{number:03}", f"long text {number}", embedding=embedding)


def test_many_threads_find_all_that_was_written_before_they_asked(store: LentStore) -> None:
    def write_and_look(number: int) -> bool:
        store.commit([turned(number)])
        return f"{number:03}" in order_of(store)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(write_and_look, range(MANY)))
    assert order_of(store) == named(range(MANY))


# ── the budget ────────────────────────────────────────────────────────────────────────────────────────────

WIDE = 256


def wide(of: str, count: int, seed: int) -> list[Put]:
    numbers = np.random.default_rng(seed).normal(size=(count, WIDE))
    rows = (numbers / np.linalg.norm(numbers, axis=1, keepdims=True)).astype(np.float32)
    return [
        put(of, f"{n:03}", f"{of} {n}", embedding=Embedding(fingerprint=SPACE, vectors=rows[n : n + 1]))
        for n in range(count)
    ]


def test_memory_stays_within_its_budget_and_answers_stay_the_same() -> None:
    """What was searched longest ago gives up its vectors, and then its codes."""
    budget = StoreSettings(vector_cache_mb=1, rescore_rows=10_000, rescore_rows_max=10_000)
    names = [f"c{number}" for number in range(6)]
    question = wide("q", 1, 99)[0].embedding
    assert question is not None

    def nearest(name: str) -> tuple[Near, ...]:
        return ask(opened, lambda read: read.nearest([name], question, k=10))

    with open_lent(settings=budget) as opened:
        open_space(opened, dimensions=WIDE)
        for seed, name in enumerate(names):
            opened.commit(wide(name, 300, seed))  # 300 kB of vectors each
        first = {name: nearest(name) for name in names}
        blocks = opened._caches.vectors
        for name in names * 3:
            assert nearest(name) == first[name]
            assert blocks.nbytes <= 2**20
        held = list(blocks._blocks.values())
        assert len(held) == len(names)
        assert any(block.matrix is None for block in held)
        blocks.clear()
        assert blocks.nbytes == 0
