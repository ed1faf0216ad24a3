"""A replica beside the server: it may be read, and takes the server's place when that dies."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.contract.stores import open_space, vector
from tests.http.web import Web, registry
from tests.postgres.server import Server, execute
from tests.puts import put
from tests.served import Served

from libravdb.adapters.postgres.store import PostgresStore
from libravdb.errors import StoreUnwritable
from libravdb.model import Key, Topic

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
