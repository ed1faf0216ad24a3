"""A memory moves from a file into a database and back, and is the same on every side."""

from __future__ import annotations

import json
from pathlib import Path

from tests.chats import ANNA, chat, open_engine, say
from tests.commands import run_command
from tests.postgres.stores import open_lent
from tests.puts import put
from tests.served import environment

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.engine.store_copy import compared, copy_store
from libravdb.model import Key
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
