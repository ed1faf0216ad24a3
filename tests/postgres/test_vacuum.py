"""What an erasure says of the pages of a database is true: no row is left that anybody could still read, no table is
written anew for it, nobody is held up, and what stands in the way is found before anything is deleted."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import psycopg
import pytest
from tests.chats import MANUAL, Clock
from tests.postgres.server import Server, execute, version_of
from tests.postgres.stores import LentStore, create_store_database, open_lent
from tests.puts import put

from libravdb.adapters.postgres import vacuum
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.engine.engine import Engine
from libravdb.errors import StoreBusy, StoreError, StoreUnwritable
from libravdb.model import Change, Commit, DropCollection, ErasureCheck, Revision, SignedErasure, Topic
from libravdb.ports.store import NO_CONDITION
from libravdb.testing import WordsEmbedder

ANNA, BEN = "anna", "ben"
SAID = "the zanzibar ferry sank at noon"
LONG = " ".join(f"the ferry number {number} sank" for number in range(9_000))
"""So long that the server keeps it beside its row."""

BODIES = f"SELECT body FROM {SCHEMA}.texts"  # noqa: S608 - our own name
WRITE = f"INSERT INTO {SCHEMA}.facts VALUES ('a', 'b')"  # noqa: S608
NOW = "SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::text"
PLACES = "SELECT oid, relfilenode FROM pg_class WHERE relnamespace = to_regnamespace('libravdb') AND relkind <> 'p'"
MAINTAIN_SINCE = 17


@pytest.fixture(autouse=True)
def _is_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stands in the way in these tests does not go by himself."""
    monkeypatch.setattr(vacuum, "PATIENCE_SECONDS", 0.3)


@contextmanager
def reading(url: str, statement: str = "SELECT 1", *, isolation: str = "REPEATABLE READ") -> Iterator[psycopg.Cursor]:
    """A transaction of somebody else that has run a statement and stays open."""
    with psycopg.connect(url, application_name="nightly dump") as other:
        yield other.execute(f"BEGIN ISOLATION LEVEL {isolation}; {statement}".encode())
        other.rollback()


def wait_until(url: str, question: str) -> None:
    """Until a server answers yes."""
    until = time.monotonic() + 30
    while not execute(url, question)[0][0]:
        assert time.monotonic() < until
        time.sleep(0.05)


def engine_over(store: PostgresStore) -> Engine:
    """An engine in which two users said something."""
    engine = Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=Clock(), settings=MANUAL)
    for namespace in (ANNA, BEN):
        engine.memories.remember(f"{SAID}, says {namespace}", collection=f"user:{namespace}")
    return engine


def memories(engine: Engine, namespace: str) -> int:
    with engine._store.read() as snapshot:
        return snapshot.sizes([f"user:{namespace}"])[f"user:{namespace}"]


def erased(done: SignedErasure) -> dict[str, int]:
    return {each.kind: each.count for each in done.certificate.erased}


def purged(store: PostgresStore) -> ErasureCheck:
    (check,) = store.maintenance.purge()
    return check


# ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", [SAID, LONG], ids=["short", "long"])
def test_rows_that_an_older_snapshot_reads_are_left_and_the_reader_is_named(text: str) -> None:
    with open_lent() as store:
        store.commit([put("c", "1", text)])
        with reading(store.url) as other:
            store.commit([DropCollection(name="c")])
            check = purged(store)
            assert other.execute(BODIES.encode()).fetchall() == [(text,)]
            assert not check.is_passed
            assert f"process {other.connection.info.backend_pid} (nightly dump of postgres) since 20" in check.detail
        assert purged(store).is_passed


def test_the_tables_are_vacuumed_although_others_go_on_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vacuum, "PATIENCE_SECONDS", 30.0)  # these do go by themselves
    with open_lent() as store, PostgresStore(store.url) as other:
        store.commit([put("c", "1", SAID)])
        store.commit([DropCollection(name="c")])
        stop = threading.Event()

        def write() -> None:
            for number in itertools.takewhile(lambda _: not stop.is_set(), itertools.count()):
                other.commit([put("d", f"{number}", SAID)])

        with ThreadPoolExecutor(2) as threads:
            writing = [threads.submit(write) for _ in range(2)]
            try:
                assert purged(store).detail.startswith("all were vacuumed")
            finally:
                stop.set()
        assert [each.result() for each in writing] == [None, None]


def test_a_write_that_has_not_ended_and_may_read_older_rows_fails_the_check() -> None:
    with open_lent() as store:
        store.commit([put("c", "1", SAID)])
        with reading(store.url, WRITE, isolation="READ COMMITTED"):
            store.commit([DropCollection(name="c")])
            assert "nightly dump" in purged(store).detail
        assert purged(store).is_passed


def test_a_prepared_transaction_that_nobody_ends_is_named() -> None:
    with open_lent() as store:
        store.commit([put("c", "1", SAID)])
        with psycopg.connect(store.url, autocommit=True) as other:
            other.execute(f"BEGIN; {WRITE}; PREPARE TRANSACTION 'left'".encode())
            store.commit([DropCollection(name="c")])
            check = purged(store)
            other.execute("ROLLBACK PREPARED 'left'")
        assert not check.is_passed
        assert "prepared transaction 'left' of postgres since 20" in check.detail
        assert purged(store).is_passed


def test_the_slot_of_a_replica_on_which_somebody_reads_is_named(durable_server: Server) -> None:
    """It keeps what the replica asked for last, also while that is away."""
    url = durable_server.create_database()
    with PostgresStore(url) as store, closing(Server(is_durable=True, follows=durable_server)) as replica:
        store.commit([put("c", "1", SAID)])
        execute(url, "SELECT pg_create_physical_replication_slot('second')")
        for setting in (
            "hot_standby_feedback = on",
            "wal_receiver_status_interval = '1s'",
            "primary_slot_name = 'second'",
        ):
            execute(replica.url(), f"ALTER SYSTEM SET {setting}")
        execute(replica.url(), "SELECT pg_reload_conf()")
        with reading(replica.url()):
            wait_until(url, "SELECT xmin IS NOT NULL FROM pg_replication_slots")
            store.commit([DropCollection(name="c")])
            check = purged(store)
        assert not check.is_passed
        assert "replication slot second" in check.detail
        wait_until(url, f"SELECT age(xmin) <= age('{execute(url, NOW)[0][0]}'::xid) FROM pg_replication_slots")  # noqa: S608
        assert purged(store).is_passed


def test_a_table_that_another_vacuum_holds_waits_for_the_next_round() -> None:
    with open_lent() as store:
        store.commit([put("c", "1", SAID)])
        store.commit([DropCollection(name="c")])
        impatient = f"{store.url}&options=-c%20lock_timeout%3D100ms"
        lock = f"LOCK TABLE {SCHEMA}.journal IN SHARE UPDATE EXCLUSIVE MODE"
        with PostgresStore(impatient) as other:
            with reading(store.url, lock, isolation="READ COMMITTED"):
                assert purged(other).detail.startswith("1 tables hold")
            assert purged(other).is_passed


# ── others ────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_erasure_of_nobody_writes_no_table_anew_and_waits_for_no_reader() -> None:
    store = open_lent()
    with engine_over(store) as engine:
        before = execute(store.url, PLACES)
        with reading(store.url, BODIES, isolation="READ COMMITTED"):
            done = engine.erasures.erase("nosuchperson")
        assert execute(store.url, PLACES) == before
        (tables,) = [check for check in done.certificate.checks if check.name == "tables"]
        assert tables.detail.startswith("nothing was there to look for: all were vacuumed")
        assert engine.erasures.verify(done.text).is_valid


def test_an_erasure_right_after_another_finds_every_table_done() -> None:
    with open_lent() as store:
        store.commit([put("c", "1", SAID)])
        assert purged(store).is_passed
        worked = "SELECT sum(vacuum_count)::int FROM pg_stat_user_tables WHERE relname <> 'migrations'"
        before = execute(store.url, worked)
        assert purged(store).is_passed
        assert execute(store.url, worked) == before


# ── before anything is deleted ────────────────────────────────────────────────────────────────────────────


def test_while_somebody_reads_on_nothing_is_deleted_and_the_counts_are_not_lost() -> None:
    store = open_lent()
    with engine_over(store) as engine:
        with reading(store.url), pytest.raises(StoreBusy, match="nothing was deleted") as caught:
            engine.erasures.erase(ANNA)
        assert "nightly dump" in caught.value.problem
        assert "repeat the command" in caught.value.remedy
        assert memories(engine, ANNA) == 1
        assert erased(engine.erasures.erase(ANNA))["memories"] == 1
        assert memories(engine, BEN) == 1


class OvertakenStore(LentStore):
    """A store where something else happens right before a commit."""

    before: Callable[[], object] | None = None

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        happening, self.before = self.before, None
        if happening is not None:
            happening()
        return super().commit(changes, unless=unless)


def test_who_begins_to_read_right_before_the_deletion_is_named_and_there_is_no_certificate() -> None:
    store = OvertakenStore(create_store_database())
    with engine_over(store) as engine:
        with ExitStack() as others:
            store.before = lambda: others.enter_context(reading(store.url, BODIES))
            with pytest.raises(StoreError, match=r"may be left in: tables \(.*nightly dump") as caught:
                engine.erasures.erase(ANNA)
            assert "no certificate was made" in caught.value.remedy
        assert memories(engine, ANNA) == 0
        assert engine.erasures.verify(engine.erasures.erase(ANNA).text).is_valid


def test_who_may_not_see_the_sessions_of_others_is_told_who_reads_on_and_how_to_learn_since_when(
    database: str, roles: dict[str, str]
) -> None:
    with PostgresStore(database.replace("postgres@", f"{roles['own']}@")) as store, engine_over(store) as engine:
        with reading(database) as other:
            pid = other.connection.info.backend_pid
            with pytest.raises(StoreBusy) as caught:
                engine.erasures.erase(ANNA)
        assert f"process {pid} (nightly dump of postgres) since a time that only" in caught.value.problem
        assert "pg_read_all_stats" in caught.value.problem
        assert erased(engine.erasures.erase(ANNA))["memories"] == 1


def test_who_does_not_own_the_tables_deletes_nothing_and_the_counts_are_not_lost(
    database: str, roles: dict[str, str]
) -> None:
    as_owner, as_daemon = (database.replace("postgres@", f"{roles[kind]}@") for kind in ("own", "run"))
    PostgresStore(as_owner).close()
    with engine_over(PostgresStore(as_daemon)) as engine:
        with pytest.raises(StoreUnwritable, match=r"may not vacuum the tables .*; nothing was deleted") as caught:
            engine.erasures.erase(ANNA)
        assert memories(engine, ANNA) == 1
    able = as_owner
    if version_of(database) >= MAINTAIN_SINCE:
        execute(database, f"GRANT MAINTAIN ON ALL TABLES IN SCHEMA {SCHEMA} TO {roles['run']}")
        able = as_daemon
    assert ("GRANT MAINTAIN ON ALL TABLES" if able == as_daemon else "owner of the tables") in caught.value.remedy
    with Engine(store=PostgresStore(able), load_embedder=lambda _: WordsEmbedder(), clock=Clock()) as engine:
        assert erased(engine.erasures.erase(ANNA))["memories"] == 1


def test_one_partition_that_may_not_be_vacuumed_is_found_before_anything_is_deleted(
    database: str, roles: dict[str, str]
) -> None:
    with engine_over(PostgresStore(database.replace("postgres@", f"{roles['own']}@"))) as engine:
        execute(database, f"ALTER TABLE {SCHEMA}.texts_7 OWNER TO postgres")
        execute(database, f"GRANT SELECT, INSERT, UPDATE, DELETE ON {SCHEMA}.texts_7 TO {roles['own']}")
        with pytest.raises(StoreUnwritable, match=r"may not vacuum the tables \(texts_7\)"):
            engine.erasures.erase(ANNA)
        assert memories(engine, ANNA) == 1
        (check,) = engine._store.maintenance.purge()
        assert (check.is_passed, "texts_7" in check.detail) == (False, True)
        execute(database, f"ALTER TABLE {SCHEMA}.texts_7 OWNER TO {roles['own']}")
        assert erased(engine.erasures.erase(ANNA))["memories"] == 1


def test_default_privileges_let_the_daemons_vacuum_tables_that_come_later(database: str, roles: dict[str, str]) -> None:
    if version_of(database) < MAINTAIN_SINCE:
        pytest.skip("before PostgreSQL 17 only owners vacuum")
    execute(
        database,
        f"ALTER DEFAULT PRIVILEGES FOR ROLE {roles['own']} IN SCHEMA {SCHEMA} GRANT MAINTAIN ON TABLES"
        f" TO {roles['run']}",
    )
    PostgresStore(database.replace("postgres@", f"{roles['own']}@")).close()
    with engine_over(PostgresStore(database.replace("postgres@", f"{roles['run']}@"))) as engine:
        assert erased(engine.erasures.erase(ANNA))["memories"] == 1
