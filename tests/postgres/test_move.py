"""A memory moves from a file into a database and back, and is the same on every side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.chats import ANNA, chat, open_engine, say
from tests.commands import run_command
from tests.postgres.server import execute
from tests.postgres.stores import open_lent
from tests.puts import put
from tests.served import environment

from libravdb.adapters.postgres.store import PostgresStore
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.app import copy_store as copy_stores
from libravdb.app import open_store
from libravdb.engine.store_copy import compared, copy_store
from libravdb.errors import StoreError
from libravdb.model import Key, Put
from libravdb.model.collections import UNFINISHED_COPY
from libravdb.ports.settings import StoreSettings
from libravdb.text.analysis import ANALYSIS


def _fill(path: Path) -> None:
    with open_engine(path) as engine:
        chat(engine, 60)
        engine.compaction.compact("s")
        engine.conversations.ingest(say("I live in Graz since May."), session="t", namespace="ben")
        engine.memories.remember("The pond is deep.", collection="user:anna", metadata={"n": 1.0, "t": True, "z": None})
        engine.prompts.assemble("Where do I live?", session="s", namespace=ANNA, budget=500)
    with SqliteStore(path) as store:
        store.commit([put("session_raw:u", f"t{n % 7}{n}", at=5, metadata={"sessionId": "u"}) for n in range(20)])


def test_a_memory_is_the_same_in_the_database_and_back_in_a_file(tmp_path: Path) -> None:
    _fill(tmp_path / "one.db")
    keys = [Key("session_raw:u", f"t{n % 7}{n}") for n in range(20)]
    with SqliteStore(tmp_path / "one.db") as source, open_lent() as database, SqliteStore(tmp_path / "two.db") as back:
        for store in (database, back):
            store.maintenance.reindex(ANALYSIS, lambda _: ())
        copy_store(source, database)
        copy_store(database, back)
        assert copy_store(source, database).written == 0
        with source.read() as one, database.read() as there, back.read() as two:
            assert list(compared(one)) == list(compared(there)) == list(compared(two))
            assert one.neighbours(keys) == there.neighbours(keys) == two.neighbours(keys)
        assert list(database.maintenance.verify()) == []
        assert list(back.maintenance.verify()) == []


def test_the_command_moves_a_file_into_a_database_and_back(database: str, tmp_path: Path) -> None:
    _fill(tmp_path / "one.libravdb")
    env = environment(tmp_path, LIBRAVDB_EMBEDDING_BACKEND="none", LIBRAVDB_STORE_PATH=str(tmp_path / "one.libravdb"))

    def run(*arguments: str) -> str:
        done = run_command(*arguments, env=env, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    moved = json.loads(run("--json", "move", "--to", database))
    assert moved["written"] == sum(part["count"] for part in moved["parts"] if part["name"].startswith("collection"))
    assert "harbour" in run("--store", database, "search", "harbour office", "--user", "anna")
    assert "holds all that" in run("move", "--from", database, "--to", "sqlite:two.libravdb")
    assert run("--json", "--store", "two.libravdb", "fsck")
    again = run_command("move", "--from", f"sqlite:{tmp_path}/two.libravdb", "--to", database, env=env, cwd=tmp_path)
    assert again.returncode == 0, "the same is there already"


def test_what_is_moved_by_halves_is_nobodys_until_it_is_whole(database: str, tmp_path: Path) -> None:
    """Whoever wrote to it would find it gone when the copy goes on."""
    _fill(tmp_path / "one.libravdb")
    with SqliteStore(tmp_path / "one.libravdb") as source, PostgresStore(database) as target:
        identity = source.maintenance.identity()
        target.commit([Put(collection=UNFINISHED_COPY, id=identity, text="", at=0, terms=())])
    with pytest.raises(StoreError, match="a part of another store"):
        open_store(StoreSettings(url=database))
    copy_stores(StoreSettings(path=tmp_path / "one.libravdb"), StoreSettings(url=database))
    open_store(StoreSettings(url=database)).close()


@pytest.mark.parametrize("mover", ["run", "own"])
def test_a_memory_moves_under_the_roles_as_they_are_documented(
    mover: str, database: str, roles: dict[str, str], tmp_path: Path
) -> None:
    """The owner's first start makes the tables, and opens a space for vectors."""
    own, run = (database.replace("postgres@", f"{roles[kind]}@", 1) for kind in ("own", "run"))
    for kind in ("own", "run"):
        execute(database, f"ALTER ROLE {roles[kind]} NOINHERIT")
        execute(database, f"GRANT {roles['see']} TO {roles[kind]}")
    chosen = {"LIBRAVDB_STORE_TENANT_ROLE": roles["see"], "LIBRAVDB_STORE_PATH": str(tmp_path / "one.libravdb")}

    def command(*arguments: str) -> None:
        done = run_command(*arguments, env=environment(tmp_path, **chosen), cwd=tmp_path)
        assert done.returncode == 0, done.stderr

    command("remember", "the green boat sails at dawn")
    command("--store", own, "import", "-")
    assert execute(database, "SELECT count(*) FROM libravdb.spaces") == [(1,)]
    command("move", "--to", {"run": run, "own": own}[mover])
    command("--store", run, "search", "boat")
    assert execute(database, "SELECT count(*) FROM libravdb.texts") > [(0,)]


def test_a_store_is_not_moved_into_itself(database: str, tmp_path: Path) -> None:
    env = environment(tmp_path, LIBRAVDB_EMBEDDING_BACKEND="none", LIBRAVDB_STORE_PATH=str(tmp_path / "one.libravdb"))
    run_command("--store", database, "remember", "the green boat sails at dawn", env=env, cwd=tmp_path)
    for target in (database, f"{database}&port=5432"):
        done = run_command("move", "--from", database, "--to", target, env=env, cwd=tmp_path)
        assert done.returncode != 0
        assert "the same store" in done.stderr or "under another name" in done.stderr


def test_what_names_no_store_is_refused(tmp_path: Path) -> None:
    env = environment(tmp_path, LIBRAVDB_EMBEDDING_BACKEND="none")
    for place, told in (
        ("mysql://localhost/memory", "is not the address of a PostgreSQL database"),
        ("postgresql://localhost/\udcff", "must be text"),
        ("sqlite:", "name of a store is missing"),
        ("", "name of a store is missing"),
    ):
        for arguments in (("--to", place), ("--from", place, "--to", "sqlite:x.libravdb")):
            done = run_command("move", *arguments, env=env, cwd=tmp_path)
            assert done.returncode == 2
            assert told in done.stderr
    assert not list(tmp_path.rglob("memory*"))
