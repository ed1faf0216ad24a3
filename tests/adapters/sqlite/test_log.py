"""The write-ahead log stays bounded although somebody reads at every moment."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from tests.contract.stores import ask
from tests.puts import put

from libravdb.adapters.sqlite import group_commit
from libravdb.adapters.sqlite.reader_gate import Lulls
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.model import Order


def test_the_log_does_not_grow_without_bound_under_constant_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "_WAL_BYTES", 2**18)
    monkeypatch.setattr(group_commit, "_WAL_LOOK", 16)
    monkeypatch.setattr(group_commit, "_WAL_PATIENCE", 30.0)  # the machine may be busy; what matters is that it happens
    path = tmp_path / "m.libravdb"
    stop = threading.Event()
    with SqliteStore(path) as store:
        store.commit([put("c", "0", "first", at=0)])

        def read() -> None:
            while not stop.is_set():
                ask(store, lambda read: read.page("c", order=Order.NEWEST, limit=50))

        readers = [threading.Thread(target=read) for _ in range(4)]
        for reader in readers:
            reader.start()
        largest = 0
        try:
            for number in range(300):
                store.commit([put("c", str(number), f"text {number} " + "x" * 2_000, at=number)])
                largest = max(largest, (tmp_path / "m.libravdb-wal").stat().st_size)
        finally:
            stop.set()
            for reader in readers:
                reader.join()
        assert largest < 3 * 2**20
        assert list(store.maintenance.verify()) == []


def test_a_lull_holds_new_readers_back_until_it_is_over() -> None:
    lulls = Lulls()
    came = threading.Event()

    def read() -> None:
        with lulls.reading():
            came.set()

    with lulls.lull(0) as is_quiet:
        assert is_quiet
        reader = threading.Thread(target=read)
        reader.start()
        assert not came.wait(0.05)
    reader.join()
    assert came.is_set()


def test_a_long_read_is_not_waited_for() -> None:
    lulls = Lulls()
    with lulls.reading(), lulls.lull(0.01) as is_quiet:
        assert not is_quiet
    with lulls.lull(0) as is_quiet:
        assert is_quiet


def test_who_reads_already_may_read_once_more_in_a_lull() -> None:
    lulls = Lulls()
    reads, wanted = threading.Event(), threading.Event()

    def read_twice() -> None:
        with lulls.reading():
            reads.set()
            wanted.wait()
            with lulls.reading():
                pass

    reader = threading.Thread(target=read_twice)
    reader.start()
    reads.wait()
    threading.Timer(0.05, wanted.set).start()
    with lulls.lull(30) as is_quiet:  # he would wait for us, and we for him
        assert is_quiet
    reader.join()


def test_of_two_lulls_the_first_to_end_lets_nobody_in() -> None:
    lulls = Lulls()
    came = threading.Event()

    def read() -> None:
        with lulls.reading():
            came.set()

    reader = threading.Thread(target=read)
    with lulls.lull(0):
        with lulls.lull(0):
            reader.start()
        assert not came.wait(0.05)
    reader.join()
