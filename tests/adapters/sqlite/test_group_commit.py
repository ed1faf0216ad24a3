"""One writer for everybody: grouped, fair, and never stopped by somebody else's mistake or by a full disk."""

from __future__ import annotations

import queue
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests import puts
from tests.contract.stores import kept, listed, names

from libravdb.adapters.sqlite.connection import explain
from libravdb.adapters.sqlite.group_commit import Committer, Done, Removed
from libravdb.adapters.sqlite.reader_gate import Lulls
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.errors import Conflict, StoreClosed, StoreError, StoreFull
from libravdb.model import Change, DropCollection, Put, Remove


def put(id: str, text: str = "a text", *, expect: int | None = None) -> Put:
    return puts.put("c", id, text, expect=expect)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "store.db") as opened:
        yield opened
        assert list(opened.maintenance.verify()) == []


# ── groups ────────────────────────────────────────────────────────────────────────────────────────────────


class Line(queue.SimpleQueue[Any]):
    """The writer's queue, telling of each arrival."""

    def __init__(self) -> None:
        self.arrived = threading.Semaphore(0)

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:  # noqa: FBT001, FBT002 - as is
        super().put(item, block, timeout)
        self.arrived.release()


class Gate:
    """A job that holds the writer until everybody else stands in line: the next group is of known members."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._line = Line()
        self._entered = threading.Event()
        self._open = threading.Event()

    def work(self, _: sqlite3.Connection) -> Done[None]:
        self._entered.set()
        assert self._open.wait(30)
        return Done(None, {})

    def hold(self, pool: ThreadPoolExecutor) -> None:
        self._holding = pool.submit(self._store._commits.submit, self.work)
        assert self._entered.wait(30)
        self._store._commits._queue = self._line  # from here on the writer takes from this one

    def await_line(self, waiting: int) -> None:
        for _ in range(waiting):
            assert self._line.arrived.acquire(timeout=30)

    def let_go(self) -> None:
        self._open.set()
        self._holding.result()


def test_what_waits_together_is_committed_together(store: SqliteStore) -> None:
    commits: list[str] = []
    store._writer.set_trace_callback(lambda sql: commits.append(sql) if sql.startswith("COMMIT") else None)
    gate = Gate(store)
    with ThreadPoolExecutor(40) as pool:
        gate.hold(pool)
        writing = [pool.submit(store.commit, [put(f"{i}", f"text {i}")]) for i in range(30)]
        gate.await_line(30)
        gate.let_go()
        revisions = {one.result().revision for one in writing}
    store._writer.set_trace_callback(None)
    assert len(commits) == 2  # the gate's own, and one for all thirty
    assert len(revisions) == 30  # to their callers they are thirty
    assert store.maintenance.stats().records == 30


def stumble(_: sqlite3.Connection) -> Done[int]:
    return Done(1 // 0, {})


def test_one_failing_member_does_not_disturb_its_neighbours(store: SqliteStore) -> None:
    gate = Gate(store)
    with ThreadPoolExecutor(40) as pool:
        gate.hold(pool)
        good = [pool.submit(store.commit, [put(f"{i}", f"text {i}"), put("all", f"turn {i}")]) for i in range(20)]
        bad = [pool.submit(store.commit, [put(f"bad {i}"), put("x", expect=9)]) for i in range(5)]
        worse = pool.submit(store._commits.submit, stumble)
        gate.await_line(26)
        gate.let_go()
        for one in good:
            one.result()
        for one in bad:
            with pytest.raises(Conflict):
                one.result()
        with pytest.raises(ZeroDivisionError):
            worse.result()
    assert set(listed(store)) == {f"{i}" for i in range(20)} | {"all"}
    assert kept(store, "all").version == 20


def test_a_member_that_breaks_the_transaction_itself_is_told_and_the_others_are_tried_alone(store: SqliteStore) -> None:
    gate = Gate(store)

    def insult(db: sqlite3.Connection) -> Done[None]:
        db.execute("INSERT INTO records (collection) VALUES (NULL)")
        return Done(None, {})

    with ThreadPoolExecutor(20) as pool:
        gate.hold(pool)
        good = [pool.submit(store.commit, [put(f"{i}")]) for i in range(6)]
        bad = pool.submit(store._commits.submit, insult)
        more = [pool.submit(store.commit, [put(f"{i}")]) for i in range(6, 9)]
        gate.await_line(10)
        gate.let_go()
        for one in good + more:
            one.result()
        with pytest.raises(StoreError):
            bad.result()
    assert store.maintenance.stats().records == 9


def test_many_threads_writing_the_same_record_leave_one_history(store: SqliteStore) -> None:
    """Each adds one by compare and set; nobody's step is lost."""
    store.commit([put("n", "0")])

    def add(_: int) -> int:
        conflicts = 0
        while True:
            seen = kept(store, "n")
            try:
                store.commit([put("n", str(int(seen.text) + 1), expect=seen.version)])
            except Conflict:
                conflicts += 1
            else:
                return conflicts

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(60)))
    last = kept(store, "n")
    assert (last.text, last.version) == ("60", 61)


def test_many_threads_writing_and_dropping_leave_a_sound_store(store: SqliteStore) -> None:
    def work(worker: int) -> None:
        for i in range(15):
            changes: list[Change] = [
                put(f"{worker} {i}", f"shared {i}"),
                Remove(collection="c", id=f"{worker} {i - 3}"),
            ]
            if i == 7:
                changes.insert(0, DropCollection(name="c"))
            store.commit(changes)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert store.maintenance.stats().records >= 3


# ── mistakes ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("error", [ValueError("ours"), MemoryError("none left"), RecursionError("too deep")])
def test_an_error_that_is_not_ours_reaches_its_caller_and_the_writer_lives_on(
    store: SqliteStore, error: Exception
) -> None:
    def work(db: sqlite3.Connection) -> Done[None]:
        db.execute("INSERT INTO collections (name) VALUES ('half done')")
        raise error

    with pytest.raises(type(error)) as caught:
        store._commits.submit(work)
    assert caught.value is error
    assert names(store) == []
    store.commit([put("1")])
    assert store.maintenance.stats().records == 1


def test_a_commit_that_fails_after_its_removals_were_noted_keeps_them_searchable(tmp_path: Path) -> None:
    """The disk refuses at the last moment: memory was told of the removal already, and must forget that."""
    told: list[str] = []
    db = sqlite3.connect(tmp_path / "x.db", isolation_level=None, check_same_thread=False)
    db.execute("CREATE TABLE parents (id INTEGER PRIMARY KEY)")
    db.execute("CREATE TABLE children (id REFERENCES parents(id) DEFERRABLE INITIALLY DEFERRED)")
    db.execute("PRAGMA foreign_keys = ON")

    def note(removed: Removed) -> None:
        told.append(f"noted {removed}")

    def forget(removed: Removed) -> None:
        told.append(f"forgot {removed}")

    committer = Committer(
        db,
        path="x.db",
        lulls=Lulls(),
        check_file=lambda: None,
        explain=lambda error: explain(error, "x.db"),
        before_visible=note,
        after_failure=forget,
        when_idle=lambda _: None,
    )

    def orphan(db: sqlite3.Connection) -> Done[None]:
        db.execute("INSERT INTO children VALUES (7)")  # found out by COMMIT, not before
        return Done(None, {(1, 2): [3]})

    with pytest.raises(StoreError):
        committer.submit(orphan)
    assert told == ["noted {(1, 2): [3]}", "forgot {(1, 2): [3]}"]
    assert committer.submit(lambda db: Done(db.execute("SELECT count(*) FROM children").fetchone(), {})) == (0,)
    committer.close()
    db.close()


# ── closing ───────────────────────────────────────────────────────────────────────────────────────────────


def test_closing_finishes_what_was_accepted(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db")
    gate = Gate(store)
    with ThreadPoolExecutor(20) as pool:
        gate.hold(pool)
        writing = [pool.submit(store.commit, [put(f"{i}")]) for i in range(10)]
        gate.await_line(10)
        closing = [pool.submit(store.close) for _ in range(3)]  # at the same time, from several threads
        gate.await_line(1)
        with pytest.raises(StoreClosed):
            store.commit([put("late")])
        gate.let_go()
        for one in writing:
            assert one.result().revision > 0
        for end in closing:
            end.result()
    with SqliteStore(tmp_path / "store.db") as again:
        assert set(listed(again)) == {f"{i}" for i in range(10)}


def test_searches_that_are_under_way_when_the_store_closes_end_in_peace(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db")
    store.commit([put(f"{i}") for i in range(100)])
    begun = threading.Barrier(5)

    def read() -> None:
        begun.wait(30)
        while True:
            try:
                assert len(listed(store)) == 100
            except StoreClosed:
                return

    with ThreadPoolExecutor(4) as pool:
        reading = [pool.submit(read) for _ in range(4)]
        begun.wait(30)
        store.close()
        for one in reading:
            one.result()
    assert not (tmp_path / "store.db-wal").exists()


# ── a full disk ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_full_disk_is_named_and_earlier_writes_are_intact(store: SqliteStore) -> None:
    store.commit([put("before", "an early text")])
    (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
    store._writer.execute(f"PRAGMA max_page_count = {pages + 8}")
    with pytest.raises(StoreFull) as caught:
        store.commit([put(f"{i}", f"{i} " * 2000) for i in range(50)])
    assert "full" in str(caught.value)
    assert caught.value.remedy
    assert listed(store) == ["before"]
    assert list(store.maintenance.verify()) == []
    store.commit([put("small", "fits")])
    store._writer.execute("PRAGMA max_page_count = 1000000")
    store.commit([put(f"{i}", f"{i} " * 2000) for i in range(50)])
    assert store.maintenance.stats().records == 52


def test_when_the_disk_is_full_a_large_write_does_not_take_the_small_ones_with_it(store: SqliteStore) -> None:
    store.commit([put("before")])
    (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
    store._writer.execute(f"PRAGMA max_page_count = {pages + 8}")
    gate = Gate(store)
    with ThreadPoolExecutor(20) as pool:
        gate.hold(pool)
        large = pool.submit(store.commit, [put(f"l{i}", f"{i} " * 2000) for i in range(50)])
        small = [pool.submit(store.commit, [put(f"s{i}")]) for i in range(5)]
        gate.await_line(6)
        gate.let_go()
        with pytest.raises(StoreFull):
            large.result()
        for one in small:
            one.result()
    assert listed(store) == ["before", "s0", "s1", "s2", "s3", "s4"]


_LIMITED = """
import resource, signal, sys
from pathlib import Path
from libravdb.errors import StoreError
from libravdb.model import Put
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.text.analysis import index_terms

def put(id, text):
    return Put(collection="c", id=id, text=text, at=1, terms=tuple(index_terms(text)))

def size():
    with store.read() as read:
        return len(read.page("c").items)

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as a full disk does: an error, not the end
store = SqliteStore(Path(sys.argv[1]))
store.commit([put("before", "an early text")])
largest = max(path.stat().st_size for path in Path(sys.argv[1]).parent.iterdir())
resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 200_000, resource.RLIM_INFINITY))
written = 0
try:
    for written in range(1000):
        store.commit([put(f"{written}", f"text {written} " * 300)])
except StoreError as error:
    print(type(error).__name__, written, bool(error.remedy))
assert size() == written + 1
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.commit([put("after", "a late text")])
assert size() == written + 2
assert list(store.maintenance.verify()) == []
store.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are a POSIX matter")
def test_a_file_that_cannot_grow_gives_an_error_and_the_store_goes_on_when_it_can(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(tmp_path / "store.db")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    name, written, has_remedy = done.stdout.split()
    assert name in ("StoreFull", "StoreError")
    assert int(written) > 0
    assert has_remedy == "True"
    with SqliteStore(tmp_path / "store.db") as store:
        assert kept(store, "after").text == "a late text"
        assert list(store.maintenance.verify()) == []
