"""Clients that ask now one daemon and now another whether something has changed miss nothing, and are told nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest
from tests.postgres.server import execute
from tests.postgres.stores import LentStore, open_lent
from tests.postgres.tenants import PEOPLE, fill, walled_store
from tests.postgres.test_commits import counted
from tests.puts import put

from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.engine.namespace_changes import NamespaceChanges
from libravdb.model import Change, DropCollection, SetState
from libravdb.model.collections import durable_memory, raw_turns
from libravdb.ports.walls import seen_by

SECONDS = 30


@pytest.fixture
def store() -> Iterator[LentStore]:
    with open_lent() as opened:
        yield opened


@contextmanager
def daemons(store: LentStore, count: int = 2) -> Iterator[list[NamespaceChanges]]:
    """What several daemons over one database tell of it."""
    others = [PostgresStore(store.url) for _ in range(count)]
    try:
        yield [NamespaceChanges(other) for other in others]
    finally:
        for other in others:
            other.close()


def wait_until_somebody_waits(store: LentStore) -> None:
    given_up = time.monotonic() + SECONDS
    while not execute(store.url, "SELECT 1 FROM pg_locks WHERE NOT granted"):
        assert time.monotonic() < given_up


def test_daemons_that_are_asked_in_turns_tell_one_number_as_long_as_nothing_changes(store: LentStore) -> None:
    store.commit([put(durable_memory("u"), "1", "one")])
    with daemons(store) as several:
        told = [several[0].revision("u")]
        store.commit([put("elsewhere", "1", "x")])  # what the other daemon has seen is newer
        told += [daemon.revision("u") for _ in range(3) for daemon in reversed(several)]
    assert len(set(told)) == 1


def test_a_commit_that_was_open_when_one_daemon_looked_is_told_by_the_next(store: LentStore) -> None:
    store.commit([put(durable_memory("u"), "1", "one")])
    with daemons(store) as (one, other), ThreadPoolExecutor(1) as pool:
        with psycopg.connect(store.url) as db:
            db.execute(f"LOCK TABLE {SCHEMA}.commits IN SHARE MODE".encode())
            kept = pool.submit(store.commit, [put(durable_memory("u"), "2", "two")])
            wait_until_somebody_waits(store)
            while_open = one.revision("u")
        assert kept.result(SECONDS).revision
        assert other.revision("u") != while_open
        assert one.revision("u") == other.revision("u")


def test_what_is_deleted_whole_gives_a_number_that_was_never_told(store: LentStore) -> None:
    steps: list[list[Change]] = [
        [put(durable_memory("u"), "1", "one")],
        [SetState(session="s", state={"namespaces": ["u"]}, at=1), put(raw_turns("s"), "1", "hello")],
        [DropCollection(name=durable_memory("u"))],
        [put(raw_turns("s"), "2", "hello again")],
        [DropCollection(name=raw_turns("s"))],
        [put(durable_memory("u"), "1", "one")],
    ]
    with daemons(store) as several:
        told = [several[0].revision("u")]
        for number, step in enumerate(steps):
            store.commit(step)
            told.append(several[number % 2].revision("u"))
    assert len(set(told)) == len(told)


def test_a_namespace_of_many_sessions_is_asked_about_as_often_as_one_of_few(store: LentStore) -> None:
    trips: list[int] = []
    for count in (3, 20):
        states = (SetState(session=f"s{number}", state={"namespaces": ["u"]}, at=1) for number in range(count))
        store.commit(list(states))
        for _ in range(9):  # until every statement is prepared
            NamespaceChanges(store).revision("u")
        with counted(store) as found:
            NamespaceChanges(store).revision("u")
        trips += found
    assert trips[0] == trips[1]


def test_behind_the_second_wall_the_number_is_the_same() -> None:
    with walled_store() as (store, _):
        fill(store)
        for person in PEOPLE:
            with seen_by((person,)):
                told = NamespaceChanges(store).revision(person)
            assert told == NamespaceChanges(store).revision(person), person
