"""A store in PostgreSQL as a whole: every broken invariant is found, nothing is copied to a file, all is wiped."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from tests.contract.stores import OTHER, ask, edge, open_space, vector
from tests.postgres.server import Server, execute, fresh_database
from tests.postgres.stores import LentStore, open_lent
from tests.puts import put

from libravdb.adapters.postgres import integrity
from libravdb.adapters.postgres.schema import LOCK_SPACES, LOCKS, SCHEMA
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.adapters.postgres.surroundings import check_tenants
from libravdb.app import open_engine_over
from libravdb.config import Config
from libravdb.daemon.handlers.transfer import TransferMethods
from libravdb.errors import StoreBusy, StoreCorrupt, StoreError, StoreUnwritable
from libravdb.model import DeletedContent, DropCollection, Link, Remove, SetState, Touch, digest
from libravdb.ports.settings import StoreSettings
from libravdb.text.analysis import index_terms
from libravdb.wire.methods.transfer import SaveBackupParams


@pytest.fixture
def store() -> Iterator[LentStore]:
    """One with something of everything."""
    with open_lent() as opened:
        open_space(opened)
        facts = {"sessionId": "s", "userId": "u", "speaker": "user", "memory_expires_at": 9}
        opened.commit(
            [
                put("c", "1", "green tea", metadata=facts, embedding=vector([1, 0], [0, 1])),
                put("d", "1", "green tea"),
                SetState(session="s", state={"namespaces": ["u"]}, at=1),
            ]
        )
        assert list(opened.maintenance.verify()) == []
        yield opened


DAMAGES: dict[str, tuple[str, ...]] = {
    "DELETE FROM {s}.collections WHERE name = 'c'": ("references resolve", "revisions are known"),
    "DELETE FROM {s}.texts WHERE collection = (SELECT id FROM {s}.collections WHERE name = 'c')": (
        "references resolve",
        "collections count right",
        "words count right",
        "vectors match codes",
    ),
    "UPDATE {s}.texts SET body = body || '!'": ("texts match their address",),
    "UPDATE {s}.texts SET blank = true": ("texts are indexed",),
    "UPDATE {s}.texts SET words = '{{1}}'": ("texts are indexed",),
    "UPDATE {s}.texts SET bag = ''": ("texts are indexed",),
    "UPDATE {s}.records SET owner = 'x'": ("records are as written",),
    "UPDATE {s}.records SET expires = 8 WHERE expires = 9": ("records are as written",),
    "UPDATE {s}.records SET facts = '{{\"a\": 1}}'": ("records are as written",),
    "UPDATE {s}.records SET metadata = '['": ("records are as written",),
    "UPDATE {s}.records SET version = 0": ("records are as written",),
    "DELETE FROM {s}.records WHERE id = '1'": ("texts are used", "collections count right"),
    "UPDATE {s}.collections SET texts = 7": ("collections count right",),
    "UPDATE {s}.collections SET shared = true": ("collections tell whose they are",),
    "UPDATE {s}.words SET holders = 7": ("words count right",),
    "DELETE FROM {s}.words": ("words count right",),
    "DELETE FROM {s}.vectors WHERE place = 1": ("vectors match codes",),
    "DELETE FROM {s}.codes": ("vectors match codes",),
    "UPDATE {s}.vectors SET vector = 'a'": ("vectors match codes",),
    "UPDATE {s}.codes SET code = 'a'": ("vectors match codes",),
    "UPDATE {s}.codes SET code = '\\x0102030405060708'::bytea || '\\x0102030405060708'": ("vectors match codes",),
    "UPDATE {s}.spaces SET state = 'retired'": ("one space is active",),
    "UPDATE {s}.sessions SET state = '1'": ("JSON is valid", "owners match states"),
    "UPDATE {s}.sessions SET generation = 0": ("JSON is valid",),
    "DELETE FROM {s}.session_owners": ("owners match states",),
    "DELETE FROM {s}.topics WHERE kind = 1": ("revisions are known",),
    "UPDATE {s}.topics SET revision = 1000": ("revisions are known",),
    "INSERT INTO {s}.topics VALUES (2, 'nobody', 1)": ("revisions are known",),
    "INSERT INTO {s}.edges VALUES ('a', 's', 'p', 'c', 'turn', 0, 1)": ("coverage is acyclic",),
    "UPDATE {s}.records SET row = 1; INSERT INTO {s}.records SELECT collection, row, '2', digest, at, version,"
    " access_count, expires, owner, session, speaker, metadata, facts FROM {s}.records": (
        "rows are distinct",
        "collections count right",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_broken_invariant_is_found(store: LentStore, damage: str) -> None:
    execute(store.url, damage.replace("{s}", SCHEMA).replace("{{", "{").replace("}}", "}"))
    found = {finding.invariant for finding in store.maintenance.verify()}
    assert found >= set(DAMAGES[damage])


def test_every_invariant_of_the_tables_is_tried() -> None:
    tried = {invariant for invariants in DAMAGES.values() for invariant in invariants}
    ours = {
        invariant for invariant, check in integrity.CHECKS if check.__name__ != "check"
    }  # those of coverage are not
    assert ours == tried


def test_a_check_that_finds_damage_stops_every_write(store: LentStore) -> None:
    execute(store.url, f"UPDATE {SCHEMA}.texts SET body = 'another'")  # noqa: S608 - our own name
    health = store.maintenance.check()
    assert "is not what its address says" in health.problem
    assert "pg_dump" in health.remedy
    assert health.checked_at
    with pytest.raises(StoreCorrupt):
        store.commit([put("c", "2")])
    assert ask(store, lambda read: read.sizes(["c"])) == {"c": 1}


def test_a_copy_is_made_by_the_tools_of_the_server(store: LentStore, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        store.maintenance.backup(tmp_path / "copy")
    assert f"pg_dump --format=custom --schema={SCHEMA} --file={tmp_path / 'copy'}" in caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_daemon_over_tcp_tells_the_same_and_asks_for_no_folder(store: LentStore, tmp_path: Path) -> None:
    with open_engine_over(store, Config()) as engine, pytest.raises(StoreError) as caught:
        TransferMethods(engine, folder=tmp_path).save_backup(SaveBackupParams(name="monday.dump"))
    assert "--file=monday.dump" in caught.value.remedy


def test_the_dump_that_is_told_goes_past_the_wall_and_into_another_database(
    database: str, roles: dict[str, str], server: Server, tmp_path: Path
) -> None:
    own, run = (database.replace("postgres@", f"{roles[kind]}@", 1) for kind in ("own", "run"))
    walled = StoreSettings(tenant_role=roles["see"])
    for kind in ("own", "run"):
        execute(database, f"ALTER ROLE {roles[kind]} NOINHERIT")
        execute(database, f"GRANT {roles['see']} TO {roles[kind]}")
    PostgresStore(own, settings=walled).close()
    with PostgresStore(run, settings=walled) as store:
        store.commit([put("user:anna", "1")])
        with pytest.raises(StoreError) as caught:
            store.maintenance.backup(tmp_path / "it's here.dump")
    told = re.findall(r"Run: (pg_dump .*) \(and", caught.value.remedy)[0]
    assert f"postgresql://{roles['own']}@" in told
    assert f"{roles['own']!r}, who owns the tables" in check_tenants(run, roles["see"]).detail
    assert server.shell(told.replace(roles["own"], roles["run"])).returncode != 0
    done = server.shell(told)
    assert done.returncode == 0, done.stderr
    with fresh_database() as other:
        name = other.partition("?")[0].rpartition("/")[2]
        execute(other, f"GRANT CREATE ON DATABASE {name} TO {roles['own']}")
        file = shlex.quote(str(tmp_path / "it's here.dump"))
        restored = server.shell(f"pg_restore -d {name} -U {roles['own']} {file}")
        assert restored.returncode == 0, restored.stderr
        with PostgresStore(other.replace("postgres@", f"{roles['run']}@", 1), settings=walled) as store:
            assert ask(store, lambda read: read.sizes(["user:anna"])) == {"user:anna": 1}
            assert list(store.maintenance.verify()) == []


def test_the_secret_is_the_same_for_all_who_share_the_store(store: LentStore) -> None:
    with PostgresStore(store.url) as other:
        assert other.maintenance.secret() == store.maintenance.secret()
        assert other.maintenance.identity() == store.maintenance.identity()


def test_a_change_is_noticed_by_its_token_whoever_made_it(store: LentStore) -> None:
    with PostgresStore(store.url) as other:
        before = store.maintenance.change_token()
        assert store.maintenance.change_token() == other.maintenance.change_token() == before
        other.commit([put("c", "2")])
        assert store.maintenance.change_token() != before


def test_deleted_rows_leave_the_pages_of_the_tables(store: LentStore) -> None:
    store.commit([DropCollection(name="c"), DropCollection(name="d")])
    size = (
        "SELECT sum(pg_relation_size(c.oid))::bigint FROM pg_class c WHERE c.relnamespace = to_regnamespace(%s)"
        " AND c.relname ~ '^(records|texts|words|vectors)_[0-9]+$'"
    )
    assert execute(store.url, size, SCHEMA)[0][0] > 0
    store.maintenance.purge()
    assert execute(store.url, size, SCHEMA) == [(0,)]


def test_an_index_made_anew_counts_along_everywhere(store: LentStore) -> None:
    told: list[tuple[int, int]] = []
    revision = store.maintenance.revision()
    store.maintenance.reindex(
        "plain", lambda text: (*index_terms(text), "more"), lambda done, total: told.append((done, total))
    )
    assert told == [(1, 2), (2, 2)]
    assert list(store.maintenance.verify()) == []
    assert store.maintenance.analysis() == "plain"
    assert store.maintenance.revision() == revision + 1
    with store.read() as read:
        assert len(read.matching(["c", "d"], [("more",)], k=9)) == 2


def test_texts_of_another_analysis_than_the_index_are_refused_and_all_else_is_written(store: LentStore) -> None:
    """A process of a newer version has indexed everything anew, and one of the older version goes on."""
    store.maintenance.reindex("old", lambda text: tuple(index_terms(text)))
    with PostgresStore(store.url, analysis="old") as old, PostgresStore(store.url, analysis="new") as new:
        old.commit([put("c", "3", "black tea")])
        new.maintenance.reindex("new", lambda text: tuple(f"new{word}" for word in text.split()))
        with pytest.raises(StoreUnwritable, match="'new'") as caught:
            old.commit([put("c", "4", "white tea")])
        assert "Restart" in caught.value.remedy
        old.commit([Remove(collection="c", id="3"), Touch(collection="c", ids=("1",))])
        new.commit([put("c", "5", "red tea", terms=("newred", "newtea"))])
        with new.read() as read:
            assert {key.id for key in read.matching(["c"], [("newtea",)], k=9)} == {"1", "5"}
    assert list(store.maintenance.verify()) == []


def test_who_holds_the_whole_store_is_told_apart_from_who_writes_the_same(store: LentStore) -> None:
    with (
        PostgresStore(f"{store.url}&options=-clock_timeout%3D100") as hurried,
        closing(psycopg.connect(store.url)) as other,
    ):
        other.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCKS, LOCK_SPACES))  # as indexing anew does
        with pytest.raises(StoreBusy, match="indexes all words anew") as caught:
            hurried.commit([put("c", "3")])
        assert "pg_stat_activity" in caught.value.remedy
        other.rollback()
        other.execute("SELECT FROM libravdb.topics FOR UPDATE")
        with pytest.raises(StoreBusy, match="somebody else holds what is needed"):
            hurried.commit([put("c", "3")])


def test_what_is_left_of_a_deletion_is_looked_for_while_others_write(store: LentStore) -> None:
    with closing(psycopg.connect(store.url)) as other:
        other.execute("SELECT pg_advisory_xact_lock_shared(%s, %s)", (LOCKS, LOCK_SPACES))  # as every commit does
        checks = store.maintenance.residue(DeletedContent(terms=frozenset(["tea"])), is_alone=True)
    assert all(check.is_passed for check in checks)


def test_texts_that_wait_for_vectors_are_found_in_batches_whoever_adds_them(store: LentStore) -> None:
    store.commit([put("e", f"{n}", f"waiting {n}") for n in range(10)])
    first = store.vectors.missing("model-a", limit=4)
    assert [one.text for one in first] == [f"waiting {n}" for n in range(4)]
    with PostgresStore(store.url) as other:
        other.vectors.add([(one.digest, vector([1, 0])) for one in first])
    second = store.vectors.missing("model-a", limit=99)
    assert [one.text for one in second] == [f"waiting {n}" for n in range(4, 10)]
    store.vectors.add([(one.digest, vector([1, 0])) for one in second])
    assert store.vectors.missing("model-a", limit=99) == ()
    open_space(store, OTHER, 3)
    assert [one.digest for one in store.vectors.missing(OTHER, limit=1)] == [digest("green tea")]


def test_an_edge_that_leads_back_is_found(store: LentStore) -> None:
    store.commit([Link(edge=edge("a", "b")), Link(edge=edge("b", "a"))])
    assert [finding.invariant for finding in store.maintenance.verify()] == ["coverage is acyclic"]
