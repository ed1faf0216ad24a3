"""A replica beside the server: it may be read, and takes the server's place when that dies."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from tests.contract.stores import open_space, vector
from tests.http.web import Web, registry
from tests.postgres.server import Server, execute
from tests.puts import put
from tests.served import Served

from libravdb.adapters.postgres.store import PostgresStore
from libravdb.errors import StoreUnwritable
from libravdb.model import Append, Commit, Key, Remove, Topic

WRITES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A server, one that follows it, and the name of a database on both."""

    primary: Server
    replica: Server
    database: str


@pytest.fixture
def pair(durable_server: Server) -> Iterator[Pair]:
    """Two servers."""
    name = durable_server.create_database().partition("?")[0].rpartition("/")[2]
    with closing(Server(is_durable=True, follows=durable_server)) as follower:
        yield Pair(primary=durable_server, replica=follower, database=name)


def wait_for(store: PostgresStore, revision: int) -> None:
    """Until a replica has replayed a commit."""
    until, topic = time.monotonic() + 30, Topic.collection("a")
    while store.revisions([topic])[topic] < revision:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_replica_is_searched_and_keeps_up(pair: Pair, caplog: pytest.LogCaptureFixture) -> None:
    with PostgresStore(pair.primary.url(pair.database)) as store:
        open_space(store)
        wrote = store.commit([put("a", "1", "first word", embedding=vector([1, 0]))])
        wait_for_tables(pair)
        with PostgresStore(pair.replica.url(pair.database)) as reader:
            wait_for(reader, wrote.revision)
            assert found_in(reader) == [Key("a", "1")]
            wrote = store.commit([put("a", "2", "second word", embedding=vector([1, 0.1]))])
            wait_for(reader, wrote.revision)
            assert found_in(reader) == [Key("a", "1"), Key("a", "2")]
            assert "replica" in reader.maintenance.health().problem
            with pytest.raises(StoreUnwritable, match="replica"):
                reader.commit([put("a", "3", "third")])
    assert caplog.messages == [], "what is refused is told to whoever asked, and nowhere else"


def test_a_daemon_of_a_replica_is_ready_for_reads_alone_and_says_once_that_it_keeps_no_receipts(
    pair: Pair, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    PostgresStore(pair.primary.url(pair.database)).close()
    wait_for_tables(pair)
    served = Served(tmp_path, store=PostgresStore(pair.replica.url(pair.database)), tokens=registry())
    web = Web(served.listen_http())
    for path, status in (("/ready", 503), ("/ready?for=read", 200), ("/ready?for=nothing", 503)):
        reply = web.ask("GET", path)
        assert (reply.status, reply.json["ready"]) == (status, status == 200)
        assert reply.json["problem"] == "The store takes no writes."
    with caplog.at_level(logging.WARNING, "libravdb"):
        for _ in range(3):
            served.engine.prompts.assemble("Where is the boat?", session="s", namespace="anna", budget=900)
    assert len([message for message in caplog.messages if "receipts are not written" in message]) == 1
    served.close()


def wait_for_tables(pair: Pair) -> None:
    """Until the replica has them: one that has none cannot make them."""
    there = "SELECT to_regclass('libravdb.copies') IS NOT NULL"  # the last one that is made
    until = time.monotonic() + 30
    while execute(pair.replica.url(pair.database), there) != [(True,)]:
        assert time.monotonic() < until
        time.sleep(0.01)


def found_in(store: PostgresStore) -> list[Key]:
    with store.read() as read:
        near = [one.key for one in read.nearest(["a"], vector([1, 0]), k=5)]
        assert sorted(read.matching(["a"], [("word",)], k=5)) == sorted(near)
        return near


def test_a_promoted_replica_has_all_that_was_acknowledged(pair: Pair) -> None:
    """When the server waits for it: writers go on there, by a URL that names both."""
    execute(pair.primary.url(), "ALTER SYSTEM SET synchronous_standby_names = '*'")
    execute(pair.primary.url(), "SELECT pg_reload_conf()")
    hosts = f"{pair.primary.folder},{pair.replica.folder}"
    both = f"postgresql://postgres@/{pair.database}?host={hosts}&target_session_attrs=read-write"
    acknowledged: list[int] = []

    def write(store: PostgresStore) -> None:
        for number in range(WRITES):
            store.commit([put("a", f"{number}", f"text {number}")])
            acknowledged.append(number)

    with PostgresStore(both) as store:
        writer = threading.Thread(target=write, args=(store,))
        writer.start()
        until = time.monotonic() + 30
        while len(acknowledged) < WRITES // 4:
            assert time.monotonic() < until
            time.sleep(0.001)
        pair.primary.kill()
        pair.replica.promote()
        writer.join()
        assert len(acknowledged) == WRITES
        with store.read() as read:
            held = read.records([Key("a", f"{number}") for number in range(WRITES)])
        assert [record.version for record in held.values()] == [1] * WRITES
        assert list(store.maintenance.verify()) == []


def test_what_was_kept_in_memory_of_commits_that_a_failover_lost_is_not_served(pair: Pair) -> None:
    """A standby that is behind takes over: the numbers of commits that it never had are not given out again."""
    hosts = f"{pair.primary.folder},{pair.replica.folder}"
    both = f"postgresql://postgres@/{pair.database}?host={hosts}&target_session_attrs=read-write"
    with PostgresStore(both) as idle:
        open_space(idle)
        first = idle.commit([put("a", "1", "first word", embedding=vector([1, 0]))])
        wait_for_tables(pair)
        with PostgresStore(pair.replica.url(pair.database)) as reader:
            wait_for(reader, first.revision)
        pair.replica.stop()
        for number in range(40):  # a sequence is logged for its next 32 values
            idle.commit([put("a", "2", f"lost word {number}", embedding=vector([1, 0.1]))])
        lost = idle.commit([Remove(collection="a", id="1")])
        assert found_in(idle) == [Key("a", "2")]
        pair.primary.kill()
        pair.replica.start()
        pair.replica.promote()
        with PostgresStore(both) as other:
            kept = other.commit([put("a", "3", "third word", embedding=vector([1, 0.2]))])
        assert kept.revision > lost.revision
        assert found_in(idle) == [Key("a", "1"), Key("a", "3")]


WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


def waiting_for_standby(server: Server, writing: Future[Commit], *, but: int = 0) -> int:
    """The process of the server that waits until a standby has a commit; 0 when that is acknowledged first."""
    until = time.monotonic() + 30
    while not (found := [pid for (pid,) in execute(server.url(), WAITING) if pid != but]):
        if writing.done():
            return 0
        assert time.monotonic() < until
    return int(found[0])


def test_a_commit_that_no_standby_has_is_not_acknowledged_after_a_lost_connection_either(
    durable_server: Server,
) -> None:
    """Where it is found by its key it is kept here alone: its server may die, and the standby never have it."""
    url, numbers, first = durable_server.url(), count(), 0
    with PostgresStore(durable_server.create_database()) as store, ThreadPoolExecutor(1) as pool:
        execute(url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        execute(url, "SELECT pg_reload_conf()")
        try:
            while not first:  # the server takes a moment to wait for one
                number = next(numbers)
                writing = pool.submit(store.commit, [Append(session="s", at=number, entry={})])
                first = waiting_for_standby(durable_server, writing)
            execute(url, "SELECT pg_terminate_backend(%s)", first)
            assert waiting_for_standby(durable_server, writing, but=first)
        finally:
            execute(url, "ALTER SYSTEM RESET synchronous_standby_names")
            execute(url, "SELECT pg_reload_conf()")
        assert writing.result(30).revision == number + 1
        with store.read() as read:
            assert [entry.at for entry in read.journal()] == list(range(number + 1))
