"""Files that are not what they should be: each is named, none is harmed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.contract.stores import ask, kept, listed, words
from tests.puts import put

from libravdb.adapters.sqlite.connection import explain, use_write_ahead_log
from libravdb.adapters.sqlite.integrity import verify_file
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.errors import NotFound, StoreCorrupt, StoreError, StoreTooNew, StoreUnwritable
from libravdb.model import Remove


def fill(path: Path, records: int = 200) -> None:
    with SqliteStore(path) as store:
        store.commit([put("c", f"{i}", f"text number {i} of many", at=i) for i in range(records)])


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refuse(path: Path, kind: type[StoreError]) -> StoreError:
    """Opening and checking are both refused; the file stays as it is, and opening leaves nothing beside it."""
    before = snapshot(path.parent)
    with pytest.raises(kind) as caught:
        SqliteStore(path)
    assert snapshot(path.parent) == before
    with pytest.raises(kind):
        list(verify_file(path))
    assert path.read_bytes() == before[path.name]
    assert caught.value.path == str(path)
    assert caught.value.remedy
    return caught.value


# ── not a store ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("content", [b"Dear diary,\n" * 100, b"\0" * 5000, b"SQLite format 3\0" + b"\xff" * 4080, b"x"])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "diary.txt"
    path.write_bytes(content)
    error = refuse(path, StoreCorrupt)
    assert "backup" in error.remedy


def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.execute("INSERT INTO recipes VALUES ('soup')")
    other.commit()
    other.close()
    error = refuse(path, StoreError)
    assert "another program" in str(error)


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.touch()
    fill(path)
    assert list(verify_file(path)) == []


def test_the_store_of_a_newer_version_is_not_touched_by_a_byte(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path)
    newer = sqlite3.connect(path)
    newer.execute("INSERT INTO migrations VALUES ('holographic_memory', 1)")
    newer.execute("CREATE TABLE holograms (id INTEGER)")
    newer.commit()
    newer.close()
    error = refuse(path, StoreTooNew)
    assert "holographic_memory" in str(error)
    assert "Upgrade" in error.remedy


# ── a damaged store ───────────────────────────────────────────────────────────────────────────────────────


def test_a_damaged_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path)
    content = bytearray(path.read_bytes())
    content[:16] = b"\0" * 16
    path.write_bytes(content)
    error = refuse(path, StoreCorrupt)
    assert "backup" in error.remedy


def test_a_file_that_was_cut_off_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2 // 4096 * 4096])
    assert damage(path)


def damage(path: Path) -> list[str]:
    """What a check finds, or the error that ends it."""
    try:
        return [f"{finding.invariant}: {finding.detail}" for finding in verify_file(path)]
    except StoreCorrupt as error:
        return [str(error)]


def test_a_damaged_page_is_noticed_wherever_it_is(tmp_path: Path) -> None:
    """Page after page is overwritten with noise, each time in a fresh copy."""
    sound, path = tmp_path / "sound.db", tmp_path / "store.db"
    fill(sound)
    content = sound.read_bytes()
    pages = len(content) // 4096
    unnoticed = []
    for page in range(1, pages):
        broken = bytearray(content)
        broken[page * 4096 : (page + 1) * 4096] = os.urandom(4096)
        path.write_bytes(broken)
        if not damage(path):
            unnoticed.append(page)
    db = sqlite3.connect(sound)
    (free,) = db.execute("PRAGMA freelist_count").fetchone()
    db.close()
    assert len(unnoticed) <= free, "only pages that hold nothing may be noise"


def test_reading_a_damaged_page_is_an_error_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path, 500)
    content = bytearray(path.read_bytes())
    middle = len(content) // 4096 // 2
    content[8 * 4096 :] = b"\xaa" * (len(content) - 8 * 4096)
    path.write_bytes(content)
    assert middle > 8
    with pytest.raises(StoreCorrupt) as caught, SqliteStore(path) as store:
        listed(store)
    assert caught.value.remedy


def test_text_that_is_no_longer_utf8_is_a_finding_and_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path, 3)
    content = path.read_bytes()
    assert content.count(b"text number 1 of many") == 1
    path.write_bytes(content.replace(b"text number 1 of many", b"text number \xff of many"))
    findings = list(verify_file(path))
    assert {finding.invariant for finding in findings} >= {"texts match their address"}


# ── places ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreUnwritable, match="folder") as caught:
        SqliteStore(tmp_path)
    assert caught.value.remedy


def test_a_path_through_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnwritable) as caught:
        SqliteStore(tmp_path / "file" / "store.db")
    assert caught.value.remedy


@pytest.mark.parametrize("name", ["x" * 300, "/".join(["y" * 200] * 30)])
def test_a_path_that_is_too_long_is_named_as_such(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreUnwritable, match="too long") as caught:
        SqliteStore(tmp_path / name / "store.db")
    assert caught.value.remedy


def test_a_path_with_a_nul_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "a\0b")


@pytest.mark.parametrize("name", ["with space.db", "ünï 日本.db", "a?mode=memory.db", "a#b%20.db", "'quoted\".db"])
def test_any_file_name_is_taken_as_it_is(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    fill(path)
    assert path.stat().st_size > 0
    with SqliteStore(path) as store:
        assert store.maintenance.stats().records == 200
        assert list(store.maintenance.verify()) == []
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_a_new_store_and_its_folder_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = tmp_path / "new" / "store.db"
        with SqliteStore(path) as store:
            store.commit([put("c", "1", "secret")])
            modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
            store.maintenance.backup(tmp_path / "copy.db")
    finally:
        os.umask(before)
    assert set(modes.values()) == {0o600}
    assert {"store.db", "store.db-wal", "store.db-shm", "store.db.lock"} == modes.keys()
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


_AS_NOBODY = """
import os, sys
from pathlib import Path
from libravdb.errors import StoreUnwritable
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.model import EnsureCollection

if os.getuid() == 0:  # root may do anything: become somebody who may not
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for name in sys.argv[1:]:
    try:
        with SqliteStore(Path(name)) as store:
            with store.read() as read:
                print("read", read.sizes(["c"])["c"], end=" ")
            store.commit([EnsureCollection(name="new")])
    except StoreUnwritable as error:
        print(bool(error.remedy), error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="users and permissions as POSIX has them")
def test_a_place_without_permission_is_read_where_that_is_possible_and_left_alone(tmp_path: Path) -> None:
    """In a process of its own, as a user who owns nothing here."""
    shelf = tmp_path / "shelf"
    fill(shelf / "store.db", 3)
    (shelf / "store.db").chmod(0o444)
    shelf.chmod(0o555)
    hidden = tmp_path / "hidden"
    fill(hidden / "store.db", 3)
    hidden.chmod(0o000)
    before = (shelf / "store.db").read_bytes()
    paths = [shelf / "store.db", shelf / "new.db", shelf / "deeper" / "new.db", hidden / "store.db"]
    opened = [*tmp_path.parents][:3]  # the test's own folders are closed to others
    modes = {one: stat.S_IMODE(one.stat().st_mode) for one in (tmp_path, *opened)}
    try:
        for one in (tmp_path, *opened):
            one.chmod(modes[one] | 0o755)
        done = subprocess.run(
            [sys.executable, "-c", _AS_NOBODY, *map(str, paths)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        for one, mode in modes.items():
            one.chmod(mode)
        shelf.chmod(0o755)
        hidden.chmod(0o755)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == len(paths), done.stdout
    begins = ["read 3 True", "True", "True", "True"]
    for line, path, begin in zip(lines, paths, begins, strict=True):
        assert line.startswith(f"{begin} {path}")
    assert (shelf / "store.db").read_bytes() == before
    assert [one.name for one in shelf.iterdir()] == ["store.db"]


def test_checking_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        list(verify_file(tmp_path / "nowhere.db"))
    assert list(tmp_path.iterdir()) == []


def test_an_error_that_sqlite_does_not_number_is_still_an_error_of_ours() -> None:
    error = explain(sqlite3.OperationalError("something odd"), "store.db")
    assert isinstance(error, StoreError)
    assert "something odd" in str(error)


# ── copies ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_backup_is_one_file_that_opens_as_the_same_store(tmp_path: Path) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copies" / "copy.db"
    with SqliteStore(path) as store:
        store.commit([put("c", f"{i}", f"text {i}", at=i) for i in range(300)])
        told: list[tuple[int, int]] = []
        store.maintenance.backup(copy, lambda done, total: told.append((done, total)))
        assert told[-1][0] == told[-1][1] > 0
        assert [one.name for one in copy.parent.iterdir()] == ["copy.db"]
        with SqliteStore(copy) as again:
            assert ask(again, lambda read: read.page("c")) == ask(store, lambda read: read.page("c"))
            assert len(words(again, "text 7", k=9)) == 9
            assert list(again.maintenance.verify()) == []
        with pytest.raises(StoreError, match="exists already"):
            store.maintenance.backup(copy)


def test_a_backup_ends_although_others_write_all_the_time(tmp_path: Path) -> None:
    """A commit after every step of the copy: it must not start over, and must hold one moment only."""
    with SqliteStore(tmp_path / "store.db") as store:
        store.commit([put("c", f"{i}", f"{i:03}" * 20_000, at=i) for i in range(250)])
        steps = 0

        def write(_done: int, _total: int) -> None:
            nonlocal steps
            steps += 1
            assert steps < 100, "the copy starts over and over"
            store.commit([put("c", f"{i}", f"step {steps}", at=steps) for i in range(2)])

        store.maintenance.backup(tmp_path / "copy.db", write)
        assert steps > 2
        with SqliteStore(tmp_path / "copy.db") as copy:
            assert copy.maintenance.stats().records == 250
            assert [kept(copy, f"{i}").text for i in range(2)] == [f"{i:03}" * 20_000 for i in range(2)]
            assert list(copy.maintenance.verify()) == []


def test_a_backup_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "store.db") as store:
        store.commit([put("c", "1", "text")])
        before = {one.name for one in tmp_path.iterdir()}

        def stumble(_done: int, _total: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.maintenance.backup(tmp_path / "copy.db", stumble)
        (tmp_path / "file").write_text("x")
        with pytest.raises(StoreError):
            store.maintenance.backup(tmp_path / "file" / "copy.db")
        (tmp_path / "file").unlink()
        assert {one.name for one in tmp_path.iterdir()} == before
        (tmp_path / "copy.db.part").write_bytes(b"left by a copy that was killed")
        store.maintenance.backup(tmp_path / "copy.db")
    assert list(verify_file(tmp_path / "copy.db")) == []


def test_a_store_that_was_copied_with_its_log_opens_with_everything(tmp_path: Path) -> None:
    """As after a power cut: the file and its log, without anybody having closed them."""
    with SqliteStore(tmp_path / "store.db") as store:
        store.commit([put("c", "1", "text")])
        for name in ("store.db", "store.db-wal"):
            shutil.copy(tmp_path / name, tmp_path / f"found-{name}")
    with SqliteStore(tmp_path / "found-store.db") as found:
        assert kept(found, "1").text == "text"
        assert list(found.maintenance.verify()) == []


def test_what_is_forgotten_is_overwritten_in_the_file(tmp_path: Path) -> None:
    """Whatever SQLite was built with; single words may stay in the full-text index until it merges."""
    path = tmp_path / "store.db"
    with SqliteStore(path) as store:
        store.commit([put("c", f"{i}", f"filler {i}") for i in range(300)])
        store.commit([put("c", "secret", "the safe opens with 4711", metadata={"pin": "4712"})])
        assert store._writer.execute("PRAGMA secure_delete").fetchone() == (1,)
    assert b"opens with 4711" in path.read_bytes()
    with SqliteStore(path) as store:
        store.commit([Remove(collection="c", id="secret")])
    assert b"opens with 4711" not in path.read_bytes()
    assert b"4712" not in path.read_bytes()


def test_the_log_is_switched_on_although_another_process_just_does_the_same(tmp_path: Path) -> None:
    """SQLite refuses that at once; whoever opens the store must not see it."""
    path = tmp_path / "x.db"
    first = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    second = sqlite3.connect(path, isolation_level=None, timeout=0)
    first.execute("CREATE TABLE t (x)")
    first.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        second.execute("PRAGMA journal_mode = WAL")
    release = threading.Timer(0.05, lambda: first.execute("COMMIT"))
    release.start()
    use_write_ahead_log(second)
    release.join()
    assert second.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    first.close()
    second.close()
