"""The file under a running store is deleted, renamed, replaced, or gets a second name: nothing is acknowledged that a
restart would not find, and what is open can still be read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.contract.stores import kept, listed
from tests.puts import put

from libravdb.adapters.sqlite.ownership import claim
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.errors import StoreBusy, StoreError, StoreReplaced
from libravdb.model import StoreHealth
from libravdb.ports.claim import ClaimKind


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def delete(path: Path) -> None:
    path.unlink()


def rename(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def replace(path: Path) -> None:
    other = path.with_name("other.db")
    with SqliteStore(other) as store:
        store.commit([put("c", "stranger", "of another store")])
    other.replace(path)


def delete_log(path: Path) -> None:
    Path(f"{path}-wal").unlink()


def replace_log(path: Path) -> None:
    other = Path(f"{path}-other")
    shutil.copy(f"{path}-wal", other)
    other.replace(f"{path}-wal")


def delete_index(path: Path) -> None:
    Path(f"{path}-shm").unlink()


def rename_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))


WAYS = (delete, rename, replace, delete_log, replace_log, delete_index, rename_folder)


@pytest.mark.parametrize("displace", WAYS)
def test_a_displaced_file_takes_no_writes_and_can_still_be_read(displace: Callable[[Path], None], path: Path) -> None:
    with SqliteStore(path) as store:
        store.commit([put("c", "1", "before")])
        displace(path)
        for _ in range(3):
            with pytest.raises(StoreReplaced, match=r"(deleted or renamed|replaced by another)") as caught:
                store.commit([put("c", "2", "after")])
        assert "restart" in caught.value.remedy
        assert "renamed" in (problem := store.maintenance.health().problem) or "replaced" in problem
        with ThreadPoolExecutor(8) as pool:  # more readers than there are connections
            assert list(pool.map(lambda _: listed(store), range(32))) == [["1"]] * 32
        assert kept(store, "1").text == "before"


def test_a_file_that_is_displaced_while_it_is_written_is_not_acknowledged(path: Path) -> None:
    with SqliteStore(path) as store:
        with pytest.raises(StoreReplaced):
            store.submit(lambda _: rename(path))
        path.with_name("elsewhere.db").rename(path)
        store.commit([put("c", "1", "a text")])


def test_what_was_acknowledged_is_found_when_the_file_is_put_back(path: Path) -> None:
    with SqliteStore(path) as store:
        store.commit([put("c", "1", "before")])
        rename(path)
        with pytest.raises(StoreReplaced):
            store.commit([put("c", "2", "refused")])
        path.with_name("elsewhere.db").rename(path)
        assert store.maintenance.health() == StoreHealth()
        store.commit([put("c", "3", "after")])
    with SqliteStore(path) as again:
        assert listed(again) == ["1", "3"]
        assert list(again.maintenance.verify()) == []


def test_a_restart_finds_exactly_what_was_acknowledged(path: Path) -> None:
    """A process writes without end while its file is renamed beneath it; it is killed, the file put back."""
    writer = (
        "import sys; from pathlib import Path; from tests.puts import put;"
        "from libravdb.adapters.sqlite.store import SqliteStore; from libravdb.errors import StoreReplaced\n"
        "store, n = SqliteStore(Path(sys.argv[1])), 0\n"
        "while True:\n"
        "    try: store.commit([put('c', f'{n:05}', f'text {n}')])\n"
        "    except StoreReplaced: print('refused', flush=True); sys.stdin.read()\n"
        "    print(f'{n:05}', flush=True); n += 1\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", writer, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = [process.stdout.readline().strip() for _ in range(20)]
    rename(path)
    for line in process.stdout:
        if line.strip() == "refused":
            break
        told.append(line.strip())
    process.kill()
    process.wait(30)
    process.stdout.close()
    assert process.stdin is not None
    process.stdin.close()
    path.with_name("elsewhere.db").rename(path)
    with SqliteStore(path) as store:
        found = listed(store)
        assert found[: len(told)] == told
        assert len(found) <= len(told) + 1  # one may have been written and not acknowledged


def test_a_link_to_the_file_counts_as_the_file(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    with SqliteStore(path) as store:
        store.commit([put("c", "1", "a text")])
    link.symlink_to(path)
    with SqliteStore(link) as store:
        store.commit([put("c", "2", "through the link")])
        other = tmp_path / "other.db"
        other.touch()
        link.unlink()
        link.symlink_to(other)
        with pytest.raises(StoreReplaced):
            store.commit([put("c", "3", "the link leads elsewhere")])


# ── a second name ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_second_name_made_while_the_store_runs_stops_writing_until_it_is_gone(path: Path, tmp_path: Path) -> None:
    second = tmp_path / "second.db"
    with SqliteStore(path) as store:
        store.commit([put("c", "1", "a text")])
        os.link(path, second)
        with pytest.raises(StoreError, match="2 names"):
            store.commit([put("c", "2", "refused")])
        assert listed(store) == ["1"]
        second.unlink()
        store.commit([put("c", "3", "again")])
        assert listed(store) == ["1", "3"]


HOLD = (
    "import sys; from pathlib import Path; from libravdb.adapters.sqlite.store import SqliteStore;"
    "store = SqliteStore(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
)


@pytest.mark.skipif(sys.platform != "linux", reason="the file itself is locked on Linux only")
@pytest.mark.parametrize("kind", ClaimKind)
def test_a_renamed_file_has_one_owner(kind: ClaimKind, path: Path) -> None:
    """Its lock lies beside the old name, so the file itself is asked too."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    rename(path)
    with pytest.raises(StoreBusy, match="another process has this very file open"):
        claim(path.with_name("elsewhere.db"), kind)
    process.communicate("", timeout=30)
    claim(path.with_name("elsewhere.db"), kind).close()
