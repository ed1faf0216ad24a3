"""A process that stands still (a stopped one, a paused machine) keeps its locks only for a while."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest
from tests.contract.stores import listed
from tests.postgres.server import execute
from tests.postgres.stores import LentStore, open_lent
from tests.puts import put

from libravdb.adapters.postgres import commits, lookup
from libravdb.adapters.postgres.lookup import Lookup
from libravdb.adapters.postgres.pipelines import together
from libravdb.adapters.postgres.request import request_of
from libravdb.adapters.postgres.store import PostgresStore

pytestmark = pytest.mark.usefixtures("server")
IN_TRANSACTION = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
)


@pytest.fixture
def store() -> Iterator[LentStore]:
    with open_lent() as opened:
        yield opened


def wait_until(url: str, *, in_transaction: int) -> None:
    until = time.monotonic() + 10
    while execute(url, IN_TRANSACTION) != [(in_transaction,)]:
        assert time.monotonic() < until


def start_and_stop_in_a_commit(url: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """A process that is stopped between the two halves of a commit."""
    child = os.fork()
    if child:
        assert os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1])
        return child
    try:
        write, still = commits._write, [True]

        def stop_and_write(*parts: object) -> object:
            if still:
                still.clear()
                os.kill(os.getpid(), signal.SIGSTOP)
            return write(*parts)  # type: ignore[arg-type]  # handed on

        monkeypatch.setattr(commits, "_write", stop_and_write)
        with PostgresStore(url) as store:
            store.commit([put("c", "of the child")])
        os._exit(0)
    finally:
        os._exit(1)


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")  # from 3.12 on
def test_a_daemon_that_is_stopped_in_a_commit_locks_others_out_for_a_moment_only(
    store: LentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.commit([put("c", "before")])
    monkeypatch.setattr(lookup, "STANDSTILL", "1s")
    child = start_and_stop_in_a_commit(store.url, monkeypatch)
    try:
        wait_until(store.url, in_transaction=1)
        began = time.monotonic()
        store.commit([put("c", "of another")])
        assert time.monotonic() - began < 15, "half of what a lock is waited for"
    finally:
        os.kill(child, signal.SIGCONT)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, "its commit was undone, and made again"
    assert sorted(listed(store, of="c")) == ["before", "of another", "of the child"]


def test_the_second_half_of_a_commit_is_waited_for_twenty_seconds(store: LentStore) -> None:
    with store._database._pool.lend() as db:
        with together(db):
            db.execute("BEGIN")
            Lookup(db, request_of([put("c", "1")], {}))
        assert db.execute("SHOW idle_in_transaction_session_timeout").fetchone() == ("20s",)


def test_a_read_that_stands_still_is_ended(store: LentStore) -> None:
    """It keeps what is deleted meanwhile from being vacuumed."""
    with PostgresStore(f"{store.url}&options=-cidle_in_transaction_session_timeout%3D1s") as other, other.read():
        wait_until(store.url, in_transaction=1)
        wait_until(store.url, in_transaction=0)
