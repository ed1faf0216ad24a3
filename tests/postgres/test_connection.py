"""Connections: lent and given back, waited for, found dead, and never telling the password."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread
from time import monotonic
from urllib.parse import quote, unquote

import psycopg
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict
from tests.postgres.proxy import Action, Fault, Message, Proxy
from tests.postgres.server import Server, execute
from tests.postgres.stores import LentStore, open_lent
from tests.puts import put

from libravdb.adapters.postgres import absence, connection
from libravdb.adapters.postgres.connection import MOST_CONNECTIONS, MOST_WRITING, Address, ConnectionPool, new_key
from libravdb.adapters.postgres.pipelines import together
from libravdb.adapters.postgres.server_errors import explain
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.errors import ConfigError, StoreBusy, StoreClosed, StoreError, StoreForked, StoreFull
from libravdb.model.addresses import ambiguity_of, passwords_in

SECRET = "p@ss w:rd/%"  # noqa: S105 - no real one
QUOTED = "p%40ss%20w%3Ard%2F%25"


@pytest.fixture
def store() -> Iterator[LentStore]:
    with open_lent() as opened:
        yield opened


@pytest.fixture
def pool(database: str) -> Iterator[ConnectionPool]:
    opened = ConnectionPool(Address(database), most=2)
    yield opened
    opened.close()


@contextmanager
def proxied(server: Server) -> Iterator[tuple[PostgresStore, Proxy]]:
    """An empty store behind a proxy."""
    with (
        open_lent() as direct,
        Proxy(f"{server.folder}/.s.PGSQL.{server.port}") as proxy,
        PostgresStore(proxy.url(direct.url.partition("?")[0].rpartition("/")[2])) as store,
    ):
        yield store, proxy


def pid(db: psycopg.Connection[tuple[object, ...]]) -> int:
    return db.info.backend_pid


def wait_until_alone(database: str) -> None:
    """Until nobody is connected any more: the server lets go of connections in its own time."""
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    until = monotonic() + 10
    while execute(database, others) != [(0,)]:
        assert monotonic() < until


# ── the password ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://bob:{QUOTED}@127.0.0.1:1/db",
        f"host=127.0.0.1 port=1 user=bob password='{SECRET}' dbname=db",
        f"postgresql://bob:{QUOTED}@nowhere.invalid:99999/db",
    ],
)
def test_no_error_shows_the_password(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absence, "RECONNECT_SECONDS", 0.0)
    with pytest.raises(StoreError) as caught:
        PostgresStore(url)
    told = "".join(map(repr, (caught.value, caught.value.remedy, caught.value.__cause__, Address(url))))
    for secret in (SECRET, QUOTED, "p@ss"):
        assert secret not in str(caught.value)
        assert secret not in told
    assert "bob@" in str(caught.value)


@pytest.mark.parametrize("url", [f"postgresql://bob:{QUOTED}@host:5432/db?nonsense=1", f"{SECRET} nonsense"])
def test_what_is_no_url_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(ConfigError, match=r"store\.url") as caught:
        PostgresStore(url)
    assert "p@ss" not in f"{caught.value!r} {caught.value}"
    assert QUOTED not in f"{caught.value!r} {caught.value}"
    assert caught.value.__cause__ is None
    assert "postgresql://" in caught.value.remedy


@pytest.mark.parametrize(
    "url", ["postgresql://h/\udcff", "postgresql://h/d\0", "postgresql://bob:p@ss@h/d", "h=\udcff"]
)
def test_what_libpq_cannot_read_for_certain_never_reaches_it(url: str) -> None:
    with pytest.raises(ConfigError, match=r"store\.url") as caught:
        Address(url)
    assert caught.value.__context__ is None
    assert "p@ss" not in f"{caught.value!r} {caught.value}"


@given(word=st.text("aZ9/@:?#%&=+ []é", min_size=1), is_encoded=st.booleans())
def test_libpq_takes_for_the_password_what_we_leave_out(word: str, is_encoded: bool) -> None:  # noqa: FBT001
    url = f"postgresql://me:{quote(word, safe='') if is_encoded else word}@host:5432/data"
    assume(not ambiguity_of(url))
    told = conninfo_to_dict(url)
    assert (told["password"], told["host"], told["dbname"]) == (unquote(passwords_in(url)[0]), "host", "data")
    assert not is_encoded or told["password"] == word


def test_a_message_that_quotes_the_password_is_cut(database: str) -> None:
    error = psycopg.OperationalError(f"cannot use {SECRET} or {QUOTED}")
    assert "***" in str(explain(error, "there", secret=SECRET))
    assert SECRET not in str(explain(error, "there", secret=SECRET))
    assert QUOTED not in str(explain(error, "there", secret=SECRET))
    assert SECRET not in repr(Address(f"{database}&password={QUOTED}"))


# ── the pool ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_connection_that_was_given_back_is_lent_again(pool: ConnectionPool) -> None:
    with pool.lend() as first:
        number = pid(first)
    with pool.lend() as again, pool.lend() as other:
        assert pid(again) == number != pid(other)


def test_whoever_finds_all_lent_waits_for_one(pool: ConnectionPool) -> None:
    lent, done = Event(), Event()

    def hold() -> None:
        with pool.lend():
            lent.set()
            done.wait(10)

    holder = Thread(target=hold)
    holder.start()
    lent.wait(10)
    with pool.lend():
        done.set()
        with pool.lend() as second:
            assert not second.closed
    holder.join()


def test_commits_that_wait_for_one_collection_leave_connections_to_reads_of_others(store: LentStore) -> None:
    store.commit([put("busy", "1")])
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with psycopg.connect(store.url) as holder, ThreadPoolExecutor(MOST_CONNECTIONS) as threads:
        holder.execute("SELECT 1 FROM libravdb.topics WHERE name = 'busy' FOR UPDATE")
        writing = [threads.submit(store.commit, [put("busy", f"note {n}")]) for n in range(MOST_CONNECTIONS)]
        until = monotonic() + 10
        while execute(store.url, waiting) != [(MOST_WRITING,)]:
            assert monotonic() < until
        with ExitStack() as reads:
            for _ in range(MOST_CONNECTIONS - MOST_WRITING):
                assert reads.enter_context(store.read()).sizes(["other"]) == {"other": 0}
        holder.rollback()
        assert all(one.result().revision for one in writing)


def test_a_commit_that_waits_too_long_for_its_turn_is_told(
    pool: ConnectionPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "WAIT_SECONDS", 0.01)
    with (
        pool.lend(is_writing=True),
        pytest.raises(StoreBusy, match="all 1 connections of this process that write"),
        pool.lend(is_writing=True),
    ):
        pass


def test_who_waits_too_long_is_told(pool: ConnectionPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "WAIT_SECONDS", 0.01)
    with pool.lend(), pool.lend(), pytest.raises(StoreBusy, match="all 2 connections"), pool.lend():
        pass


def test_a_connection_that_the_server_let_go_of_is_not_lent(
    server: Server, pool: ConnectionPool, database: str
) -> None:
    with pool.lend() as first:
        number = pid(first)
    server.sever_connections(database)
    wait_until_alone(database)
    with pool.lend() as fresh:
        assert pid(fresh) != number
        assert fresh.execute("SELECT 1").fetchone() == (1,)


def test_one_on_which_something_was_refused_is_not_lent_again(pool: ConnectionPool) -> None:
    """Of statements that were sent together and not run, psycopg believes that they are prepared."""
    numbers = []

    def refused() -> None:
        with pool.lend() as db, db.pipeline():
            numbers.append(pid(db))
            db.execute("SELECT 1 / 0")
            db.execute("SELECT 2")

    with pytest.raises(psycopg.errors.DivisionByZero):
        refused()
    with pool.lend() as other:
        assert pid(other) not in numbers


def test_one_on_which_something_was_refused_is_not_lent_again_though_the_error_was_caught(pool: ConnectionPool) -> None:
    with pool.lend() as db:
        number = pid(db)
        db.execute("BEGIN")
        db.execute("SELECT 2")
        db.execute("SELECT 2")
        with suppress(psycopg.errors.DivisionByZero), together(db):
            db.execute("SELECT 1 / 0")
            db.execute("SELECT 2")
    with pool.lend() as other:
        assert pid(other) != number
        assert other.execute("SELECT 2").fetchone() == (2,)


def test_a_read_survives_that_its_prepared_statements_are_forgotten(store: LentStore) -> None:
    """As behind a pooler; whatever connection it gets. From then on nothing is prepared."""
    store.commit([put("c", "1")])
    for _ in range(4):
        with store.read() as one, store.read() as two:
            assert one.sizes(["c"]) == two.sizes(["c"]) == {"c": 1}
    pool = store._database._pool
    with pool.lend() as first, pool.lend() as second:
        for db in (first, second):
            db.pgconn.exec_(b"DEALLOCATE ALL")
    with store.read() as read:
        assert read.sizes(["c"]) == {"c": 1}
    with pool.lend() as fresh:
        assert fresh.prepare_threshold is None


def test_a_transaction_that_was_left_open_is_undone(pool: ConnectionPool) -> None:
    with pool.lend() as db:
        db.execute("BEGIN")
        db.execute("CREATE TABLE left_behind ()")
    with pool.lend() as again:
        assert again.execute("SELECT to_regclass('left_behind')").fetchone() == (None,)


def test_a_read_that_has_ended_leaves_its_connection_outside_of_a_transaction(store: LentStore) -> None:
    with store.read() as read:
        read.sizes(["c"])
    inside = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND state <> 'idle'"
    )
    until = monotonic() + 10
    while execute(store.url, inside) != [(0,)]:
        assert monotonic() < until


def test_the_end_of_a_read_is_not_waited_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server never hears of it here, and never answers: what is read next is read through another connection."""
    with proxied(server) as (store, proxy):
        store.commit([put("c", "1")])
        fault = proxy.arm(Fault(action=Action.FREEZE, where=lambda message: message.statement == "ROLLBACK"))
        with store.read() as read:
            read.sizes(["c"])
        assert fault.met.wait(10)
        monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.01)
        with store.read() as read:
            assert read.sizes(["c"]) == {"c": 1}


@pytest.mark.parametrize("is_answered", [False, True])
def test_a_connection_that_is_cut_at_the_end_of_a_read_is_not_lent_again(server: Server, *, is_answered: bool) -> None:
    with proxied(server) as (store, proxy):
        store.commit([put("c", "1")])
        for action in (Action.CUT_BEFORE, Action.CUT_AFTER, Action.CUT_WITHIN):

            def is_the_end(message: Message) -> bool:
                return message.statement == "ROLLBACK" and message.is_client is not is_answered

            fault = proxy.arm(Fault(action=action, where=is_the_end))
            with store.read() as read:
                read.sizes(["c"])
            assert fault.met.wait(10)
            store.commit([put("c", "1", f"{action}")])
            with store.read() as read:
                assert read.page("c").items[0].text == action


def test_who_reads_again_and_again_uses_two_connections(store: LentStore) -> None:
    for _ in range(100):
        with store.read() as read:
            read.sizes(["c"])
    ours = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    ((count,),) = execute(store.url, ours)
    assert count <= 2


def test_keys_grow_with_time_and_are_of_version_seven() -> None:
    key = new_key()
    assert abs((key.int >> 80) / 1000 - time.time()) < 60
    assert (key.version, key.variant) == (7, "specified in RFC 4122")
    assert len({new_key() for _ in range(1_000)}) == 1_000


# ── the life of a store ───────────────────────────────────────────────────────────────────────────────────


def test_a_forked_child_is_refused_and_leaves_its_parent_alone(store: LentStore) -> None:
    store.commit([put("c", "1")])
    child = os.fork()
    if child == 0:
        try:
            store.commit([put("c", "2")])
        except StoreForked:
            PostgresStore.close(store)
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    store.commit([put("c", "3")])
    with store.read() as read:
        assert [record.id for record in read.page("c")] == ["1", "3"]


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")  # from 3.12 on
def test_a_forked_child_closes_a_store_in_which_its_parent_is_writing(store: LentStore) -> None:
    store.commit([put("c", "1")])
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with psycopg.connect(store.url) as holder, ThreadPoolExecutor(1) as threads:
        holder.execute("SELECT 1 FROM libravdb.topics FOR UPDATE")
        writing = threads.submit(store.commit, [put("c", "2")])
        until = monotonic() + 10
        while execute(store.url, waiting) != [(1,)]:
            assert monotonic() < until
        child = os.fork()
        if child == 0:
            signal.alarm(10)  # it would wait for a thread that it does not have
            PostgresStore.close(store)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        holder.rollback()
        assert writing.result(10).revision


def test_closing_lets_a_read_that_is_open_end(database: str) -> None:
    store = PostgresStore(database)
    store.commit([put("c", "1")])
    with store.read() as read:
        store.close()
        store.close()
        assert len(read.page("c")) == 1
    with pytest.raises(StoreClosed):
        store.commit([put("c", "2")])
    wait_until_alone(database)


def test_a_name_is_held_alone_over_stores_until_who_holds_it_is_gone(server: Server, store: LentStore) -> None:
    with (
        PostgresStore(store.url) as other,
        store.exclusive("work") as is_alone,
        other.exclusive("work", is_waiting=False) as is_second,
    ):
        assert (is_alone, is_second) == (True, False)
        server.sever_connections(store.url)  # its process died
        until = monotonic() + 10
        is_free = False
        while not is_free:
            assert monotonic() < until
            with other.exclusive("work", is_waiting=False) as is_free:
                pass


def test_who_leaves_what_is_exclusive_lets_the_next_one_in_before_the_server_hears_that_it_hung_up(
    server: Server,
) -> None:
    with proxied(server) as (store, proxy):
        fault = proxy.arm(Fault(action=Action.FREEZE, where=lambda message: message.is_client and message.kind == "X"))
        with store.exclusive("work") as is_alone:
            assert is_alone
        assert fault.met.wait(10)
        with store.exclusive("work", is_waiting=False) as is_alone:
            assert is_alone


def test_a_full_disk_is_told_as_one() -> None:
    told = explain(psycopg.errors.DiskFull("no room"), "there")
    assert isinstance(told, StoreFull)
    assert "earlier ones are safe" in str(told)


# ── settings ──────────────────────────────────────────────────────────────────────────────────────────────


def test_what_the_operator_decided_stays(database: str) -> None:
    name = database.partition("?")[0].rpartition("/")[2]
    execute(database, f'ALTER DATABASE "{name}" SET lock_timeout = 7000')
    db = Address(f"{database}&options=-cstatement_timeout%3D9000").connect()
    try:
        told = db.execute(
            "SELECT current_setting('statement_timeout'), current_setting('lock_timeout'), current_setting('jit')"
        )
        assert told.fetchone() == ("9s", "7s", "off")
    finally:
        db.close()
