"""Lists of common words that are kept: what a fresh look at the index gives, after any change."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import puts

from libravdb.adapters.sqlite import postings
from libravdb.adapters.sqlite.postings import LongPostings, read_extent
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.model import Change, Remove

TERMS = ("plum", "pear", "fig")  # stems that are words


def put(number: int, words: str) -> Change:
    return puts.put("c", f"{number}", f"{words} n{number}", at=number)


def check(store: SqliteStore, kept: LongPostings) -> None:
    """Kept and fresh lists are one."""
    with store.reading() as db:
        extent = read_extent(db)
        for term in TERMS:
            rows, counts = kept.get(db, term, extent)
            fresh_rows, fresh_counts = postings._read(db, term)
            assert rows.tolist() == fresh_rows.tolist()
            assert counts.tolist() == fresh_counts.tolist()


@pytest.fixture(autouse=True)
def _every_list_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "_LONG", 1)


texts = st.lists(st.sampled_from(TERMS), min_size=1, max_size=5).map(" ".join)
changes = st.tuples(st.sampled_from(["put", "put", "put", "remove"]), st.integers(0, 12), texts)


@settings(max_examples=40, deadline=None)
@given(commits=st.lists(st.lists(changes, min_size=1, max_size=4), max_size=12), most=st.sampled_from([3, 1_000]))
def test_kept_lists_equal_fresh_ones_after_any_change(commits: list[list[tuple[str, int, str]]], most: int) -> None:
    with (
        TemporaryDirectory() as folder,
        SqliteStore(Path(folder) / "store.db") as store,
        pytest.MonkeyPatch.context() as m,
    ):
        m.setattr(postings, "_MOST_KEPT", most)
        kept = LongPostings()
        for some in commits:
            store.commit(
                [put(n, words) if kind == "put" else Remove(collection="c", id=f"{n}") for kind, n, words in some]
            )
            check(store, kept)
            check(store, kept)
            assert kept._size == sum(one.rows.size for one in kept._lists.values()) <= most


def test_a_reader_of_an_older_moment_sees_that_moment(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "store.db") as store:
        store.commit([put(i, "plum fig") for i in range(5)])
        kept = LongPostings()
        with store.reading() as old:
            before = read_extent(old)
            wanted = kept.get(old, "plum", before)
            assert wanted[0].size == 5
            for change in (put(9, "plum plum"), Remove(collection="c", id="2"), put(10, "plum")):
                store.commit([change])
                check(store, kept)
                for mine, its in zip(kept.get(old, "plum", before), wanted, strict=True):
                    assert np.array_equal(mine, its)
                check(store, kept)


def test_growth_reads_only_what_was_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteStore(tmp_path / "store.db") as store:
        store.commit([put(i, "plum pear fig") for i in range(5)])
        kept = LongPostings()
        check(store, kept)
        read = postings._read
        store.commit([put(6, "plum plum pear")])
        with store.reading() as db:
            monkeypatch.setattr(postings, "_read", lambda *_: pytest.fail("the whole list was read again"))
            rows, counts = kept.get(db, "plum", read_extent(db))
            monkeypatch.setattr(postings, "_read", read)
        assert rows.size == 6
        assert counts[-1] == 2
