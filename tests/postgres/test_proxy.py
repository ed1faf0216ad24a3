"""The proxy that cuts connections: it is passed through unseen, and does what it is told where it is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.postgres.proxy import Action, Fault, Message, Proxy
from tests.postgres.server import Server, execute

psycopg = pytest.importorskip("psycopg")


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    with Proxy(f"{server.folder}/.s.PGSQL.{server.port}") as made:
        yield made


@pytest.fixture
def through(proxy: Proxy, database: str) -> str:
    execute(database, "CREATE TABLE notes (n int)")
    return proxy.url(database.partition("?")[0].rpartition("/")[2])


def is_commit(message: Message) -> bool:
    return message.is_commit_sent


def is_answer(message: Message) -> bool:
    return message.is_commit_answered


def write(url: str) -> None:
    """One row, in a transaction whose statements travel together."""
    with closing(psycopg.connect(url, autocommit=True)) as db, db.pipeline():
        db.execute("BEGIN")
        db.execute("INSERT INTO notes VALUES (%s)", (1,))
        db.execute("COMMIT")


def count(url: str) -> int:
    number: int = execute(url, "SELECT count(*) FROM notes")[0][0]
    return number


def test_what_passes_is_unchanged_and_told_with_its_statement(proxy: Proxy, through: str, database: str) -> None:
    with proxy.recording() as seen:
        write(through)
    assert count(database) == 1
    assert [message.statement for message in seen if message.is_client and message.kind == "E"] == [
        "BEGIN",
        "INSERT INTO notes VALUES ($1)",
        "COMMIT",
    ]
    assert [message.statement for message in seen if message.kind == "C" and not message.is_client][-1] == "COMMIT"


def test_statements_are_known_when_they_were_prepared_earlier(proxy: Proxy, through: str) -> None:
    with closing(psycopg.connect(through, autocommit=True, prepare_threshold=0)) as db:
        db.execute("SELECT 1")
        with proxy.recording() as seen:
            db.execute("SELECT 1")
    assert [str(message) for message in seen if message.kind == "E"] == ["client E SELECT 1"]
    assert not [message for message in seen if message.kind == "P"]


@pytest.mark.parametrize(
    ("fault", "kept"),
    [
        (Fault(where=is_commit, action=Action.CUT_BEFORE), 0),
        (Fault(where=is_commit, action=Action.CUT_WITHIN), 0),
        (Fault(where=is_answer, action=Action.CUT_BEFORE), 1),
        (Fault(where=is_answer, action=Action.CUT_WITHIN), 1),
    ],
)
def test_a_cut_around_commit_leaves_all_or_nothing(
    proxy: Proxy, through: str, database: str, fault: Fault, kept: int
) -> None:
    proxy.arm(fault)
    with pytest.raises(psycopg.OperationalError):
        write(through)
    assert fault.met.is_set()
    assert count(database) == kept
    write(through)  # it happens once
    assert count(database) == kept + 1


def test_messages_are_counted_from_the_moment_a_fault_is_armed(proxy: Proxy, through: str, database: str) -> None:
    with closing(psycopg.connect(through, autocommit=True)) as db:
        fault = proxy.arm(Fault(where=lambda message: message.kind == "E", number=2, action=Action.CUT_BEFORE))
        db.execute("INSERT INTO notes VALUES (%s)", (1,))
        db.execute("INSERT INTO notes VALUES (%s)", (2,))
        with pytest.raises(psycopg.OperationalError):
            db.execute("INSERT INTO notes VALUES (%s)", (3,))
    assert fault.met.is_set()
    assert count(database) == 2


def test_a_frozen_connection_says_nothing_until_it_is_severed(proxy: Proxy, through: str) -> None:
    with closing(psycopg.connect(through, autocommit=True)) as db:
        fault = proxy.arm(Fault(where=lambda message: message.is_client, action=Action.FREEZE))
        db.pgconn.send_query(b"SELECT 1")
        db.pgconn.flush()
        assert fault.met.wait(10)
        db.pgconn.consume_input()
        assert db.pgconn.is_busy()  # no answer, and no end
        proxy.sever()
        with pytest.raises(psycopg.OperationalError):
            db.execute("SELECT 1")


def test_nobody_can_connect_while_it_refuses(proxy: Proxy, through: str) -> None:
    with proxy.refusing(), pytest.raises(psycopg.OperationalError):
        psycopg.connect(through)
    write(through)


def test_nobody_can_connect_after_a_fault_that_lasts(proxy: Proxy, through: str, database: str) -> None:
    proxy.arm(Fault(where=is_answer, action=Action.CUT_BEFORE))
    proxy.refuse_from_next_fault()
    with pytest.raises(psycopg.OperationalError):
        write(through)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(through)
    proxy.accept_again()
    write(through)
    assert count(database) == 2


def test_everything_can_be_slow(proxy: Proxy, through: str, database: str) -> None:
    proxy.delay(0.002)
    write(through)
    assert count(database) == 1


def test_it_stands_before_a_server_on_the_network_too() -> None:
    own = Server(is_on_network=True)
    try:
        with Proxy(("127.0.0.1", own.port)) as proxy:
            assert execute(proxy.url("postgres"), "SELECT 1") == [(1,)]
            proxy.arm(Fault(where=lambda message: message.kind == "E" and message.is_client, action=Action.CUT_BEFORE))
            with pytest.raises(psycopg.OperationalError):
                execute(proxy.url("postgres"), "SELECT %s", 1)
    finally:
        own.close()
