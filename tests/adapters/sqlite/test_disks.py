"""A full disk and a read-only one: what was acknowledged is kept and can be read, a write is refused clearly, and all
is well again once there is room."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.contract.stores import kept, listed
from tests.disks import SmallDisk, disk
from tests.puts import put

from libravdb.adapters.sqlite.integrity import verify_file
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.errors import StoreError, StoreFull, StoreUnwritable
from libravdb.model import StoreHealth
from libravdb.ports.claim import ClaimKind

__all__ = ["disk"]
LONG = "a long text that takes room, " * 400


def write_until_full(store: SqliteStore) -> list[str]:
    """What was acknowledged before a write was refused."""
    kept: list[str] = []

    def write() -> None:
        for n in range(10_000):
            store.commit([put("c", f"{n:05}", f"{n} {LONG}")])
            kept.append(f"{n:05}")

    with pytest.raises(StoreError, match="full"):
        write()
    return kept


def test_a_disk_that_fills_up_loses_nothing_and_reads_go_on(disk: SmallDisk) -> None:
    path = disk.folder / "store.db"
    with SqliteStore(path) as store:
        acknowledged = write_until_full(store)
        assert listed(store) == acknowledged
        assert store.maintenance.health() == StoreHealth()  # it is tried again each time
        assert list(store.maintenance.verify()) == []
    with SqliteStore(path) as again:
        assert listed(again) == acknowledged


@pytest.mark.parametrize("kind", ClaimKind)
def test_a_store_on_a_full_disk_can_be_read_and_is_written_to_once_there_is_room(
    kind: ClaimKind, disk: SmallDisk
) -> None:
    path = disk.folder / "store.db"
    with SqliteStore(path) as store:
        store.commit([put("c", "1", "a text")])
    disk.fill()
    with SqliteStore(path, kind=kind) as store:
        assert listed(store) == ["1"]
        for _ in range(2):
            with pytest.raises(StoreFull, match="full") as caught:
                store.commit([put("c", "2", LONG)])
            assert "Free some space" in caught.value.remedy
        assert not store.maintenance.health().is_writable
        assert kept(store, "1").text == "a text"
        disk.free()
        store.commit([put("c", "3", "room again")])
        assert listed(store) == ["1", "3"]
        assert store.maintenance.health() == StoreHealth()
        assert list(store.maintenance.verify()) == []
    with SqliteStore(path) as again:
        assert listed(again) == ["1", "3"]


def test_a_backup_that_does_not_fit_leaves_nothing(disk: SmallDisk, tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "store.db") as store:
        for n in range(8):
            store.commit([put("c", f"{n}", f"{n} {LONG * 30}")])
        assert store.maintenance.stats().size_bytes > 3 * 2**20
        with pytest.raises(StoreFull):
            store.maintenance.backup(disk.folder / "copy.db")
        assert list(disk.folder.iterdir()) == []
        assert store.maintenance.health() == StoreHealth()


# ── read-only ─────────────────────────────────────────────────────────────────────────────────────────────


def assert_read_only(path: Path, kind: ClaimKind) -> None:
    with SqliteStore(path, kind=kind) as store:
        assert listed(store) == ["1"]
        with pytest.raises(StoreUnwritable, match="only be read") as caught:
            store.commit([put("c", "2", "refused")])
        assert "permission" in caught.value.remedy
        assert "only be read" in store.maintenance.health().words()


@pytest.mark.parametrize("kind", ClaimKind)
def test_a_store_on_a_read_only_disk_can_be_read(kind: ClaimKind, disk: SmallDisk) -> None:
    path = disk.folder / "store.db"
    with SqliteStore(path) as store:
        store.commit([put("c", "1", "a text")])
    disk.freeze()
    assert_read_only(path, kind)
    assert list(verify_file(path)) == []
    disk.thaw()
    with SqliteStore(path) as store:
        store.commit([put("c", "3", "again")])


def test_a_disk_that_becomes_read_only_under_a_store_is_read(disk: SmallDisk) -> None:
    """Its owner was killed: what it wrote is in the log, which can still be read as it lies there."""
    path, copy = disk.folder / "store.db", disk.folder / "copy.db"
    with SqliteStore(path) as store:
        store.commit([put("c", "1", "a text")])
        for suffix in ("", "-wal", "-shm"):
            Path(f"{copy}{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())
    disk.freeze()
    assert_read_only(copy, ClaimKind.COMMAND)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("kind", ClaimKind)
def test_a_store_in_a_folder_without_permission_can_be_read(kind: ClaimKind, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with SqliteStore(folder / "store.db") as store:
        store.commit([put("c", "1", "a text")])
    (folder / "store.db").chmod(0o400)
    folder.chmod(0o500)
    try:
        assert_read_only(folder / "store.db", kind)
    finally:
        folder.chmod(0o700)


def test_a_store_cannot_be_made_on_a_read_only_disk(disk: SmallDisk) -> None:
    disk.freeze()
    with pytest.raises(StoreUnwritable):
        SqliteStore(disk.folder / "store.db")
