"""The tables of a store: made once by whoever comes first, and never touched when they are of a newer version."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier

import psycopg
import pytest
from tests.postgres.server import Server, execute, version_of
from tests.puts import put

from libravdb.adapters.postgres import schema, transactions
from libravdb.adapters.postgres.schema import LOCK_MIGRATIONS, LOCKS, MIGRATIONS, SCHEMA
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.adapters.postgres.surroundings import check_server
from libravdb.errors import StoreError, StoreTooNew, StoreUnwritable
from libravdb.model import Health


def test_daemons_that_start_at_once_make_the_tables_once(database: str) -> None:
    start = Barrier(6)

    def begin(_: int) -> str:
        start.wait()
        with PostgresStore(database) as store:
            return store.maintenance.identity()

    with ThreadPoolExecutor(6) as pool:
        identities = set(pool.map(begin, range(6)))
    assert len(identities) == 1
    ran = execute(database, f"SELECT name FROM {SCHEMA}.migrations ORDER BY place")  # noqa: S608 - our own name
    assert [name for (name,) in ran] == [migration.__name__ for migration in MIGRATIONS]


def test_who_starts_while_somebody_runs_steps_waits_for_them_however_long(database: str) -> None:
    hurried = f"{database}&options=-clock_timeout%3D100%20-cstatement_timeout%3D200"
    waiting = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        " AND clock_timestamp() - query_start > interval '1 second'"
    )
    with closing(psycopg.connect(database)) as holder, ThreadPoolExecutor(1) as pool:
        holder.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCKS, LOCK_MIGRATIONS))
        opening = pool.submit(PostgresStore, hurried)
        while execute(database, waiting) != [(1,)]:
            assert not opening.done(), opening.result()
        holder.rollback()
        opening.result(10).close()


def test_a_store_opens_while_somebody_else_forgets_old_keys_and_forgets_some(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    aged = f"UPDATE {SCHEMA}.commits SET at = now() - interval '25 hours'"  # noqa: S608 - our own name
    left = f"SELECT count(*) FROM {SCHEMA}.commits"  # noqa: S608 - our own name
    with PostgresStore(database) as store:
        for number in range(4):
            store.commit([put("c", f"{number}")])
    execute(database, aged)
    with closing(psycopg.connect(database)) as holder:
        holder.execute(f"DELETE FROM {SCHEMA}.commits WHERE revision = 1".encode())  # noqa: S608 - our own name
        monkeypatch.setattr(transactions, "FORGOTTEN_AT_ONCE", 2)
        PostgresStore(f"{database}&options=-clock_timeout%3D100").close()
        holder.rollback()
    assert execute(database, left) == [(2,)]


def test_a_store_opens_although_old_keys_cannot_be_forgotten(database: str) -> None:
    with PostgresStore(database) as store:
        store.commit([put("c", "1")])
    with closing(psycopg.connect(database)) as holder:
        holder.execute(f"LOCK TABLE {SCHEMA}.commits".encode())
        PostgresStore(f"{database}&options=-clock_timeout%3D100").close()


def test_a_store_of_a_newer_version_is_refused_and_not_touched(database: str) -> None:
    with PostgresStore(database) as store:
        store.commit([put("c", "1")])
    execute(database, f"INSERT INTO {SCHEMA}.migrations (name) VALUES ('of_tomorrow')")  # noqa: S608 - our own name
    with pytest.raises(StoreTooNew, match="of_tomorrow") as caught:
        PostgresStore(database)
    assert "pip install -U" in caught.value.remedy
    assert execute(database, f"SELECT count(*) FROM {SCHEMA}.records") == [(1,)]  # noqa: S608 - our own name


def test_a_database_that_cannot_hold_every_text_is_refused(server: Server) -> None:
    name = "in_latin"
    execute(server.url(), f"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(StoreError, match="LATIN1") as caught:
        PostgresStore(server.url(name))
    assert "UTF8" in caught.value.remedy
    assert execute(server.url(name), "SELECT count(*) FROM pg_namespace WHERE nspname = %s", SCHEMA) == [(0,)]


def test_a_server_that_is_too_old_is_refused_and_nothing_is_made(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = version_of(database)
    monkeypatch.setattr(schema, "OLDEST_SERVER", newest)
    assert check_server(database).health is Health.GOOD
    PostgresStore(database).close()
    execute(database, f"DROP SCHEMA {SCHEMA} CASCADE")
    monkeypatch.setattr(schema, "OLDEST_SERVER", newest + 1)
    with pytest.raises(StoreError, match=f"is PostgreSQL {newest}, at least {newest + 1} is needed"):
        PostgresStore(database)
    assert execute(database, "SELECT count(*) FROM pg_namespace WHERE nspname = %s", SCHEMA) == [(0,)]
    told = check_server(database)
    assert told.health is Health.BAD
    assert f"Use PostgreSQL {newest + 1} or newer" in told.remedy


def test_who_may_make_no_tables_is_told_what_is_needed(server: Server, database: str) -> None:
    execute(server.url(), "CREATE ROLE guest LOGIN")
    with pytest.raises(StoreUnwritable, match="no right") as caught:
        PostgresStore(database.replace("postgres@", "guest@"))
    assert "GRANT" in caught.value.remedy


def test_who_may_only_read_opens_it_and_is_told_at_the_first_write(server: Server, database: str) -> None:
    with PostgresStore(database) as store:
        store.commit([put("c", "1", "tea")])
    execute(server.url(), "CREATE ROLE reader LOGIN")
    for granted in (f"USAGE ON SCHEMA {SCHEMA}", f"SELECT ON ALL TABLES IN SCHEMA {SCHEMA}"):
        execute(database, f"GRANT {granted} TO reader")
    with PostgresStore(database.replace("postgres@", "reader@")) as store:
        with store.read() as read:
            assert [record.text for record in read.page("c")] == ["tea"]
        with pytest.raises(StoreUnwritable):
            store.commit([put("c", "2", "coffee")])
        with pytest.raises(StoreUnwritable, match="may not vacuum"):
            store.maintenance.refuse_unpurgeable()
        health = store.maintenance.health()
        assert not health.is_writable
        assert "GRANT" in health.remedy
        for right in ("INSERT", "UPDATE", "DELETE"):
            assert not store.maintenance.health().is_writable, "some of the rights are not enough"
            execute(database, f"GRANT {right} ON ALL TABLES IN SCHEMA {SCHEMA} TO reader")
        assert store.maintenance.health().is_writable


def test_a_server_that_takes_no_writes_is_read_and_says_so(database: str) -> None:
    with PostgresStore(database) as store:
        store.commit([put("c", "1", "tea")])
    read_only = f"{database}&options=-c%20default_transaction_read_only%3Don"
    with PostgresStore(read_only) as store:
        with store.read() as read:
            assert [record.text for record in read.page("c")] == ["tea"]
        health = store.maintenance.health()
        assert not health.is_writable
        assert "replica" in health.problem
        assert "primary" in health.remedy
