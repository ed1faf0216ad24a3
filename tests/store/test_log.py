"""The write-ahead log stays bounded although somebody reads at every moment."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from libravdb.model import Put
from libravdb.store import commits
from libravdb.store.sqlite import SqliteStore


def test_the_log_does_not_grow_without_bound_under_constant_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "_WAL_BYTES", 2**20)
    path = tmp_path / "m.libravdb"
    stop = threading.Event()
    with SqliteStore(path) as store:
        store.commit([Put(collection="c", id="0", text="first", at=0)])

        def read() -> None:
            while not stop.is_set():
                store.latest("c", limit=50)

        readers = [threading.Thread(target=read) for _ in range(4)]
        for reader in readers:
            reader.start()
        largest = 0
        try:
            for number in range(1_200):
                store.commit([Put(collection="c", id=str(number), text=f"text {number} " + "x" * 2_000, at=number)])
                largest = max(largest, (tmp_path / "m.libravdb-wal").stat().st_size)
        finally:
            stop.set()
            for reader in readers:
                reader.join()
        assert largest < 8 * 2**20
        assert list(store.verify()) == []
