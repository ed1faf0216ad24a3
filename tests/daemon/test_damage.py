"""A daemon over a store that is damaged, displaced, or on a full or read-only disk: it serves what is sound, says what
is wrong, and acknowledges no write that it cannot keep."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest
from tests.daemon.test_process import connect, ready
from tests.disks import SmallDisk, disk
from tests.served import Served, Start

from libravdb.adapters.sqlite.ownership import claim, holder_of
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.daemon.announcement import announce
from libravdb.daemon.store_checks import StoreChecks
from libravdb.errors import StoreCorrupt, StoreFull, StoreReplaced, StoreUnwritable
from libravdb.model import StoreHealth
from libravdb.ports.claim import ClaimKind
from libravdb.testing import MemoryStore
from libravdb.wire.methods.method import NoParams
from libravdb.wire.methods.storage import HEALTH, INSERT_TEXT, LIST_COLLECTION, STATUS, InsertText, ListCollection

__all__ = ["disk"]
LIST = ListCollection(collection="c")


def insert(n: int) -> InsertText:
    return InsertText(collection="c", id=f"{n}", text=f"text number {n}")


def stop(process: object) -> None:
    process.terminate()  # type: ignore[attr-defined]
    process.wait(30)  # type: ignore[attr-defined]


def test_a_damaged_store_is_served_read_only_and_says_so(start: Start, tmp_path: Path) -> None:
    store = tmp_path / "data.libravdb"
    first = start(LIBRAVDB_STORE_PATH=str(store))
    with connect(ready(first)) as client:
        for n in range(3):
            client.call(INSERT_TEXT, insert(n))
    stop(first)
    store.write_bytes(store.read_bytes().replace(b"text number 1", b"text number 7"))
    with connect(ready(start(LIBRAVDB_STORE_PATH=str(store)))) as client:
        with pytest.raises(StoreCorrupt, match="not what was written"):
            client.call(LIST_COLLECTION, LIST)
        with pytest.raises(StoreCorrupt, match="damaged") as caught:
            client.call(INSERT_TEXT, insert(9))
        assert "libravdb repair" in caught.value.remedy
        health = client.call(HEALTH, NoParams())
        assert not health.ok
        assert "damaged" in health.message
        status = client.call(STATUS, NoParams())
        assert not status.ok
        assert status.record_count == 3


def test_a_file_that_is_renamed_under_a_daemon_takes_no_writes(start: Start, tmp_path: Path) -> None:
    store = tmp_path / "data.libravdb"
    first = start(LIBRAVDB_STORE_PATH=str(store))
    with connect(ready(first)) as client:
        client.call(INSERT_TEXT, insert(1))
        store.rename(tmp_path / "away.libravdb")
        with pytest.raises(StoreReplaced):
            client.call(INSERT_TEXT, insert(2))
        assert not client.call(HEALTH, NoParams()).ok
        assert [one.id for one in client.call(LIST_COLLECTION, LIST).results] == ["1"]
    first.kill()
    first.wait(30)
    (tmp_path / "away.libravdb").rename(store)
    with connect(ready(start(LIBRAVDB_STORE_PATH=str(store)))) as client:
        assert [one.id for one in client.call(LIST_COLLECTION, LIST).results] == ["1"]


def test_a_daemon_starts_on_a_full_disk_and_goes_on_once_there_is_room(start: Start, disk: SmallDisk) -> None:
    store = disk.folder / "data.libravdb"
    first = start(LIBRAVDB_STORE_PATH=str(store))
    with connect(ready(first)) as client:
        client.call(INSERT_TEXT, insert(1))
    stop(first)
    disk.fill()
    with connect(ready(start(LIBRAVDB_STORE_PATH=str(store)))) as client:
        assert [one.id for one in client.call(LIST_COLLECTION, LIST).results] == ["1"]
        with pytest.raises(StoreFull):
            client.call(INSERT_TEXT, insert(2))
        disk.free()
        client.call(INSERT_TEXT, insert(3))
        assert [one.id for one in client.call(LIST_COLLECTION, LIST).results] == ["1", "3"]


def test_a_daemon_serves_a_read_only_disk(start: Start, disk: SmallDisk) -> None:
    store = disk.folder / "data.libravdb"
    first = start(LIBRAVDB_STORE_PATH=str(store))
    with connect(ready(first)) as client:
        client.call(INSERT_TEXT, insert(1))
    stop(first)
    disk.freeze()
    with connect(ready(start(LIBRAVDB_STORE_PATH=str(store)))) as client:
        assert [one.id for one in client.call(LIST_COLLECTION, LIST).results] == ["1"]
        with pytest.raises(StoreUnwritable, match="only be read"):
            client.call(INSERT_TEXT, insert(2))


# ── checks and announcements ──────────────────────────────────────────────────────────────────────────────


class Watched(logging.Handler):
    """Tells when something was logged."""

    def __init__(self) -> None:
        super().__init__()
        self.told = threading.Event()
        self.events: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.events.append(record.getMessage())
        self.told.set()


@pytest.fixture
def log() -> object:
    watched = Watched()
    logger = logging.getLogger("libravdb.daemon")
    logger.addHandler(watched)
    logger.setLevel(logging.INFO)
    yield watched
    logger.removeHandler(watched)
    logger.setLevel(logging.NOTSET)


def test_the_whole_store_is_checked_soon_after_the_start(served: Served, log: Watched) -> None:
    checks = StoreChecks(served.store.maintenance, hours=24, first_seconds=0)
    checks.start()
    assert log.told.wait(30)
    checks.stop()
    assert log.events == ["the store is sound"]
    assert served.store.maintenance.health().checked_at > 0


def test_damage_found_by_the_check_ends_all_writing(served: Served, log: Watched) -> None:
    client = served.client()
    client.call(INSERT_TEXT, insert(1))
    assert isinstance(served.store, SqliteStore)
    served.store._writer.execute("UPDATE texts SET body = 'text number 7'")
    assert client.call(HEALTH, NoParams()).ok
    StoreChecks(served.store.maintenance, hours=24, first_seconds=0)._run()
    assert "the store is read-only" in log.events
    assert not client.call(HEALTH, NoParams()).ok
    with pytest.raises(StoreCorrupt):
        client.call(INSERT_TEXT, insert(2))


def test_checks_can_be_switched_off() -> None:
    with MemoryStore() as store:
        checks = StoreChecks(store.maintenance, hours=0, first_seconds=0)
        checks.start()
        checks.stop()
        assert store.maintenance.health() == StoreHealth()
        assert not checks._thread.is_alive()


def test_where_a_daemon_listens_is_written_as_soon_as_there_is_room(disk: SmallDisk, log: Watched) -> None:
    store = disk.folder / "data.libravdb"
    store.touch()
    with claim(store, ClaimKind.DAEMON) as held:
        disk.fill()
        stopping = threading.Event()
        announce(held, "unix:/somewhere", stopping, retry_seconds=0.01)
        assert log.told.wait(30)
        assert holder_of(store) is None
        log.told.clear()
        disk.free()
        assert log.told.wait(30)
        stopping.set()
        found = holder_of(store)
    assert found is not None
    assert found.endpoint == "unix:/somewhere"
