"""Stores in which names were kept as they were typed: whoever wrote there finds his memory under his name of today."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.people import open_engine
from tests.puts import put
from tests.support import NOON

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.app import open_store
from libravdb.config import StoreSettings
from libravdb.engine.engine import Engine
from libravdb.memory import Memory
from libravdb.model import Json, Put, SetState
from libravdb.testing import FrozenClock

TYPED, COMPOSED = "jose\u0301", "josé"


def said(owner: str, text: str, *, session: str = "s", id: str = "t:1") -> list[Put]:
    """A turn as an earlier version wrote it, a rule that is kept word for word among it."""
    told = {"userId": owner, "sessionId": session, "source_turn_id": id, "role": "user", "type": "turn"}
    return [
        put(f"session:{session}", id, text, metadata=told),
        put(f"session_raw:{session}", id, text, metadata={**told, "raw_history": True}),
        put(f"history:{owner}", f"{session}/{id}", text, metadata=told),
        put(f"user:{owner}", f"{session}/{id}", text, metadata=told),
        put(f"elevated:user:{owner}", f"guidance:{session}:{id}", text, metadata={**told, "type": "guidance_shard"}),
    ]


def written_before(path: Path, *owners: str) -> None:
    """A store that has never heard of today's names."""
    with SqliteStore(path, now=NOON) as store:
        for number, owner in enumerate(owners):
            store.commit(said(owner, f"The pond number {number} is deep.", session=f"s{number}"))
            state: dict[str, Json] = {"type": "session_state", "namespaces": [owner]}
            store.commit([SetState(session=f"s{number}", state=state, at=NOON)])
            store.commit([put(f"user:{owner}", "the same id", f"The well number {number} is dry.")])
            store.commit([put(f"user:{owner}", "the same", "The lake is wide.")])
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM migrations WHERE name IN ('owners_by_one_name', 'record_checksums')")
        db.execute("ALTER TABLE records DROP COLUMN checksum")
    db.close()


def reopened(path: Path) -> Engine:
    return open_engine(open_store(StoreSettings(path=path)), FrozenClock(NOON + 60_000))


@pytest.mark.parametrize("owners", [(TYPED,), (TYPED, COMPOSED), (COMPOSED, TYPED)])
def test_whoever_typed_his_name_otherwise_finds_all_of_his_memory(tmp_path: Path, owners: tuple[str, ...]) -> None:
    path = tmp_path / "m.libravdb"
    written_before(path, *owners)
    with reopened(path) as engine:
        assert list(engine.upkeep.verify()) == []
        memory = Memory(engine, user=TYPED)
        texts = ("The pond number {} is deep.", "The well number {} is dry.")
        wanted = {text.format(number) for number in range(len(owners)) for text in texts}
        assert {hit.record.text for hit in memory.search("pond well number", k=20).hits} - {
            "The lake is wide."
        } == wanted
        for number in range(len(owners)):
            made = memory.assemble("How deep is the pond?", session=f"s{number}")
            assert f"The pond number {number} is deep." in made.opening + made.closing
        kept = [record.id for record in engine.memories.latest(f"elevated:user:{COMPOSED}", limit=9)]
        assert sorted(kept) == [f"guidance:s{number}:t%3A1" for number in range(len(owners))]
        durable = [record.text for record in engine.memories.latest(f"user:{COMPOSED}", limit=9)]
        assert durable.count("The lake is wide.") == 1
        engine.deletions.flush_namespace(COMPOSED)
        assert [info.name for info in engine.memories.collections() if info.records] == []
        assert list(engine.upkeep.verify()) == []


@pytest.mark.parametrize("owner", ["user:x", "user-id:x"])
def test_a_name_that_means_others_today_is_kept_apart(tmp_path: Path, owner: str) -> None:
    path = tmp_path / "m.libravdb"
    written_before(path, owner, "x")
    with reopened(path) as engine:
        found = {hit.record.text for hit in Memory(engine, user=owner).search("pond", k=9).hits}
        assert "The pond number 0 is deep." in found
        assert "The pond number 1 is deep." not in found


def test_derived_names_and_those_of_sessions_stay(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    owners = ("agent-id:main", "session:e\u0301", "session-key:agent:main", "default", "anna:work")
    written_before(path, *owners)
    with reopened(path) as engine:
        names = {info.name for info in engine.memories.collections("history:")}
        assert names == {f"history:{owner}" for owner in owners}
