"""One tenant among others in a shared database: held to a quota by all daemons, moved elsewhere whole, and erased
without a trace."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.chats import Clock
from tests.commands import Result, run_command
from tests.postgres.server import execute, fresh_database, version_of
from tests.postgres.tenants import tables, walled_store
from tests.served import Start, environment

from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.client.addresses import transport_to
from libravdb.client.client import Client
from libravdb.client.remote_engine import RemoteEngine
from libravdb.daemon.quotas import USUAL_COPIES, measured
from libravdb.engine.engine import Engine
from libravdb.errors import QuotaExceeded, StoreUnwritable
from libravdb.model.collections import durable_memory
from libravdb.ports.walls import seen_by
from libravdb.testing import WordsEmbedder

WORDS_ONLY = {"LIBRAVDB_EMBEDDING_BACKEND": "none"}
MOST = 30
TRACE = "xyloquent"
MAINTAIN_SINCE = 17
"""A word that only the one says who is to go."""


def command(home: Path, *arguments: str, **settings: str) -> Result:
    done = run_command(*arguments, env=environment(home, **WORDS_ONLY, **settings), cwd=home)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


# ── quotas ────────────────────────────────────────────────────────────────────────────────────────────────


def test_daemons_hold_a_namespace_to_one_quota_together(database: str, start: Start, tmp_path: Path) -> None:
    addresses = [f"unix:{tmp_path}/{name}.sock" for name in "ab"]
    told = {**WORDS_ONLY, "LIBRAVDB_STORE_URL": database, "LIBRAVDB_DAEMON_QUOTA_RECORDS": str(MOST)}
    for address in addresses:
        daemon = start(**told, LIBRAVDB_DAEMON_ENDPOINT=address)
        assert daemon.stdout is not None
        assert daemon.stdout.readline().strip() == address
    engines = [RemoteEngine(Client(transport_to(address, token=""))) for address in addresses]

    def held(namespace: str) -> int:
        with PostgresStore(database) as store:
            return measured(store, namespace).records

    def remember(number: int, namespace: str) -> bool:
        try:
            engines[number % 2].memories.remember(f"boat {number}", collection=durable_memory(namespace))
        except QuotaExceeded:
            return False
        return True

    kept = [remember(number, "anna") for number in range(2 * MOST)]
    assert MOST - USUAL_COPIES < held("anna") <= MOST
    assert sum(kept) == held("anna")
    assert not any(kept[-10:])
    with ThreadPoolExecutor(2) as both:  # at once each may admit what the other admits in the same moment
        list(both.map(lambda sign: [remember(2 * n + sign, "ben") for n in range(MOST)], range(2)))
    assert held("ben") <= MOST + USUAL_COPIES
    assert remember(1, "carla")
    for engine in engines:
        engine.close()


# ── what doctor tells ─────────────────────────────────────────────────────────────────────────────────────


def test_doctor_tells_whether_the_second_wall_stands(database: str, roles: dict[str, str], tmp_path: Path) -> None:
    own = database.replace("postgres@", f"{roles['own']}@", 1)

    def told(**settings: str) -> dict[str, str]:
        done = run_command(
            "--json", "--store", own, "doctor", env=environment(tmp_path, **WORDS_ONLY, **settings), cwd=tmp_path
        )
        return next(each for each in json.loads(done.stdout) if each["name"] == "tenants")

    walled = {"LIBRAVDB_STORE_TENANT_ROLE": roles["see"]}
    assert told()["health"] == "good"
    assert "first start" in told(**walled)["detail"]
    PostgresStore(own).close()
    assert "may not switch to the role" in told(**walled)["detail"]
    execute(database, f"GRANT {roles['see']} TO {roles['own']}")
    assert "has no row-level security" in told(**walled)["detail"]
    command(tmp_path, "--store", own, "import", "-", **walled)
    assert told(**walled)["health"] == "good"
    assert "no role 'nobody'" in told(LIBRAVDB_STORE_TENANT_ROLE="nobody")["detail"]
    command(tmp_path, "--store", own, "token", "create", "--namespace", "anna")
    hint = told()
    assert hint["health"] == "notice"
    assert "store.tenant_role" in hint["remedy"]


# ── export ────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_tenant_goes_out_of_one_database_and_into_another_as_he_was(database: str, tmp_path: Path) -> None:
    _live(database)
    for user in ("anna", "ben"):
        command(tmp_path, "--store", database, "export", "--user", user, f"{user}.jsonl")
    told = (tmp_path / "anna.jsonl").read_text(encoding="utf-8")
    assert TRACE in told
    assert "zanzibar" not in told
    with fresh_database() as other:
        command(tmp_path, "--store", other, "import", "anna.jsonl")
        command(tmp_path, "--store", other, "export", "--user", "anna", "again.jsonl")
        assert _records(tmp_path / "again.jsonl") == _records(tmp_path / "anna.jsonl")
        command(tmp_path, "--store", other, "import", "ben.jsonl")  # his part of the session that they share
        command(tmp_path, "--store", other, "export", "--user", "ben", "his.jsonl")
        assert _records(tmp_path / "his.jsonl") == _records(tmp_path / "ben.jsonl")
        found = json.loads(command(tmp_path, "--json", "--store", other, "search", "--user", "anna", TRACE).stdout)
        assert found["hits"]
        command(tmp_path, "--store", other, "fsck")


def _records(file: Path) -> list[str]:
    """All lines but the header, which tells when it was written."""
    return sorted(file.read_text(encoding="utf-8").splitlines()[1:])


def _live(url: str, users: Sequence[str] = ("anna", "ben")) -> None:
    """People who talk to the same agent, each alone and all in one session."""
    with PostgresStore(url) as store:
        engine = Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=Clock())
        for user in users:
            word = TRACE if user == "anna" else "zanzibar"
            for session in (f"of {user}", "together"):
                for number in range(4):
                    said = f"I live in {word} since {2010 + number}, and my dog is called {word}."
                    engine.conversations.ingest(said, session=session, namespace=user)
            engine.memories.remember(f"{user} likes the {word}.", collection=durable_memory(user))
            engine.prompts.assemble(f"Where is {word}?", session=f"of {user}", namespace=user, budget=900)
        engine.close()


# ── erasure ───────────────────────────────────────────────────────────────────────────────────────────────


def _holding(url: str, *words: str) -> dict[str, int]:
    """How many rows of each table hold one of these words, in any column, as text or as the bytes of one."""
    patterns = [pattern for word in words for pattern in (f"%{word}%", f"%{word.encode().hex()}%")]
    found = {
        table: execute(url, f"SELECT count(*) FROM {SCHEMA}.{table} t WHERE t::text ILIKE ANY (%s)", patterns)[0][0]  # noqa: S608
        for table in tables(url)
    }
    return {table: count for table, count in found.items() if count}


def test_an_erased_tenant_is_in_no_table_and_others_are_as_they_were(database: str, tmp_path: Path) -> None:
    _live(database)
    assert {"collections", "records", "texts", "words", "topics", "session_owners", "sessions"} <= _holding(
        database, TRACE, "anna"
    ).keys()
    command(tmp_path, "--store", database, "export", "--user", "ben", "before.jsonl")
    command(tmp_path, "--store", database, "forget", "--user", "anna", "--certificate", "erased.json")
    left = _holding(database, TRACE, "anna")
    left.pop("copies", None)
    assert left == {}
    command(tmp_path, "--store", database, "export", "--user", "ben", "after.jsonl")
    assert _records(tmp_path / "after.jsonl") == _records(tmp_path / "before.jsonl")
    told = json.loads((tmp_path / "erased.json").read_text(encoding="utf-8"))
    assert "vacuumed" in json.dumps(told)
    command(tmp_path, "--store", database, "verify-erasure", "erased.json")


def test_who_may_not_vacuum_gets_no_certificate_until_he_may(database: str, roles: dict[str, str]) -> None:
    own, run = (database.replace("postgres@", f"{roles[kind]}@", 1) for kind in ("own", "run"))
    PostgresStore(own).close()
    _live(run)
    with PostgresStore(run) as store:
        engine = Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=Clock())
        with pytest.raises(StoreUnwritable, match="may not vacuum") as refused:
            engine.erasures.erase("anna")
        assert "GRANT MAINTAIN" in refused.value.remedy
        assert engine.memories.latest(durable_memory("anna"), limit=9)  # nothing was deleted that could not be proved
        engine.close()
    if version_of(database) >= MAINTAIN_SINCE:
        execute(database, f"GRANT MAINTAIN ON ALL TABLES IN SCHEMA {SCHEMA} TO {roles['run']}")
    with PostgresStore(run if version_of(database) >= MAINTAIN_SINCE else own) as store:
        engine = Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=Clock())
        certificate = engine.erasures.erase("anna").certificate
        assert any(one.count for one in certificate.erased)
        assert {check.name for check in certificate.checks if check.is_passed} >= {"server", "tables"}
        assert _holding(database, TRACE) == {}
        engine.close()


def test_a_tenant_who_goes_behind_the_wall_is_gone_from_all_tables() -> None:
    """By his own token, with all reads of the call limited to what he may see."""
    with walled_store() as (store, url):
        _live(url)
        engine = Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=Clock())
        with seen_by(["anna"]):
            engine.deletions.flush_namespace("anna")
        assert _holding(url, TRACE, "anna") == {}
        with seen_by(["ben"]):
            assert engine.search("zanzibar", namespace="ben").hits
        engine.close()
