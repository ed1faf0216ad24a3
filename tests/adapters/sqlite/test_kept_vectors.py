"""What is kept of vectors that were read: always the vector of the id, never more than there is room for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.adapters.sqlite.test_vector_cache import embed, found_ids, open_store, put

from libravdb.adapters.kept_vectors import Ids, KeptVectors
from libravdb.adapters.vector_codes import Halves, as_floats
from libravdb.model import Remove

WIDTH = 4


def halves_of(ids: Ids) -> Halves:
    """The file: another vector for each id."""
    return (ids[:, None] * WIDTH + np.arange(WIDTH)).astype(np.uint16)


@settings(max_examples=200)
@given(
    questions=st.lists(st.lists(st.integers(1, 60), max_size=30), max_size=20),
    room=st.lists(st.integers(0, 40), min_size=1, max_size=4),
)
def test_every_id_gives_its_own_vector_whatever_was_read_before(questions: list[list[int]], room: list[int]) -> None:
    kept = KeptVectors()
    for turn, asked in enumerate(questions):
        kept.fit(room[turn % len(room)] * (2 * WIDTH + 16), WIDTH)
        ids = np.array(asked, dtype=np.int64)
        assert np.array_equal(kept.get(ids, WIDTH, halves_of), as_floats(halves_of(ids)), equal_nan=True)
        assert kept.nbytes <= room[turn % len(room)] * (2 * WIDTH + 16)


def test_what_was_read_is_not_read_again_while_there_is_room() -> None:
    kept, reads = KeptVectors(), []

    def read(ids: Ids) -> Halves:
        reads.append(ids.tolist())
        return halves_of(ids)

    kept.fit(100 * (2 * WIDTH + 16), WIDTH)
    for asked in ([3, 1, 3], [1, 2, 3], [2, 1]):
        kept.get(np.array(asked, dtype=np.int64), WIDTH, read)
    assert reads == [[1, 3], [2]]
    kept.clear()
    kept.get(np.array([1], dtype=np.int64), WIDTH, read)
    assert reads[-1] == [1]


def test_all_float16_numbers_are_read_as_numpy_reads_them() -> None:
    every = np.arange(2**16, dtype=np.uint16)
    with np.errstate(invalid="ignore"):
        assert np.array_equal(as_floats(every), every.view(np.float16).astype(np.float32), equal_nan=True)


def test_a_purge_leaves_no_vector_of_a_deleted_record_in_memory(tmp_path: Path) -> None:
    with open_store(tmp_path, exact_search_rows=10) as store:
        store.commit([put(i) for i in range(50)])
        assert len(found_ids(store)) == 50
        deleted = embed(7).vectors.astype(np.float16).view(np.uint16)[0]
        assert (store._cache._kept._halves == deleted).all(axis=1).any()
        store.commit([Remove(collection="c", id="7")])
        store.maintenance.purge()
        assert not (store._cache._kept._halves == deleted).all(axis=1).any()
        assert len(found_ids(store)) == 49
