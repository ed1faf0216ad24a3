"""Every door over a database: the library, the command line, and daemons that share it."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.commands import Result, run_command
from tests.postgres.server import Server, execute
from tests.served import Start, environment

from libravdb import Memory
from libravdb.app import daemon_of, verify_store
from libravdb.client.addresses import transport_to
from libravdb.client.client import Client
from libravdb.client.remote_engine import RemoteEngine
from libravdb.config import load
from libravdb.daemon_link import DaemonLink
from libravdb.errors import ConfigError, ExtraMissing, StoreError, StoreTooNew, StoreUnwritable
from libravdb.ports.settings import StoreSettings
from libravdb.text.analysis import ANALYSIS

WORDS_ONLY = {"LIBRAVDB_EMBEDDING_BACKEND": "none"}
PASSWORD = "xK7-correct-horse"  # noqa: S105  a made-up one to look for where it must not be


def with_password(url: str) -> str:
    """The server trusts everybody who reaches its socket; a password is not asked for, and must not show."""
    return url.replace("postgres@", f"postgres:{PASSWORD}@")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, in which words are enough to search by."""
    for name, value in environment(tmp_path, **WORDS_ONLY).items():
        monkeypatch.setenv(name, value)
    return tmp_path


def command(home: Path, *arguments: str, is_fine: bool = True, **settings: str) -> Result:
    done = run_command(*arguments, env=environment(home, **WORDS_ONLY, **settings), cwd=home)
    assert (done.returncode == 0) is is_fine, done.stdout + done.stderr
    assert PASSWORD not in done.stdout + done.stderr
    return done


# ── the library ───────────────────────────────────────────────────────────────────────────────────────────


def test_programs_share_a_memory_in_a_database(database: str, home: Path) -> None:
    with Memory.open(database, user="anna") as one, Memory.open(database, user="anna") as other:
        one.remember("the green boat sails at dawn")
        assert [hit.record.text for hit in other.search("boat").hits] == ["the green boat sails at dawn"]
        other.remember("the red boat stays ashore")
        assert len(one.search("boat").hits) == 2
        prompts = [memory.assemble("Which boat sails?", session="s") for memory in (one, other)]
        assert "green boat" in prompts[0].closing
        assert prompts[0].closing == prompts[1].closing
    assert not list(home.rglob("*.libravdb"))


ANALYSIS_OF = "SELECT value FROM libravdb.facts WHERE name = 'analysis'"
SET_ANALYSIS = "UPDATE libravdb.facts SET value = %s WHERE name = 'analysis'"


@pytest.mark.usefixtures("home")
def test_an_index_of_words_is_made_anew_for_a_newer_version_and_never_for_an_older_one(database: str) -> None:
    older, newer = "terms-1 snowball-1.0.0 unicode-9.0.0", "terms-1 snowball-1.0.0 unicode-99.0.0"
    Memory.open(database, user="anna").close()
    execute(database, SET_ANALYSIS, older)
    Memory.open(database, user="anna").close()
    assert execute(database, ANALYSIS_OF) == [(ANALYSIS,)]
    execute(database, SET_ANALYSIS, newer)
    with pytest.raises(StoreTooNew, match=r"unicode-99\.0\.0") as caught:
        Memory.open(database, user="anna")
    assert "Python" in caught.value.remedy
    assert execute(database, ANALYSIS_OF) == [(newer,)]


@pytest.mark.usefixtures("home")
def test_a_program_whose_index_of_words_was_made_anew_by_another_version_is_told_to_be_restarted(database: str) -> None:
    with Memory.open(database, user="anna") as memory:
        memory.remember("the green boat sails at dawn")
        execute(database, SET_ANALYSIS, "terms-1 snowball-1.0.0 unicode-99.0.0")
        with pytest.raises(StoreUnwritable, match="nothing was written") as caught:
            memory.remember("the red boat stays ashore")
        assert "Restart" in caught.value.remedy


@pytest.mark.usefixtures("home")
def test_a_memory_in_a_database_outlives_its_program(database: str) -> None:
    with Memory.open(database) as memory:
        memory.add("I moved to Graz in May.", session="s")
    with Memory.open(database) as memory:
        assert memory.engine.status().store.records > 0
    assert list(verify_store(StoreSettings(url=database))) == []


@pytest.mark.usefixtures("home")
def test_a_server_that_is_away_is_told_with_a_remedy(tmp_path: Path) -> None:
    url = f"postgresql://postgres:{PASSWORD}@/nothing?host={tmp_path}"
    with pytest.raises(StoreError) as refused:
        Memory.open(url)
    assert refused.value.remedy
    assert PASSWORD not in f"{refused.value} {refused.value!r}"


@pytest.mark.usefixtures("home")
def test_without_the_driver_the_extra_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("libravdb.adapters.postgres.find_spec", lambda _: None)
    with pytest.raises(ExtraMissing, match=r"pip install 'libravdb-memory\[postgres\]'"):
        Memory.open("postgresql://localhost/memory")


def test_a_driver_that_finds_no_libpq_is_told_by_who_needs_it_alone(tmp_path: Path) -> None:
    away = {"LIBRAVDB_STORE_URL": "postgresql://localhost/memory", "PSYCOPG_IMPL": "c"}  # a part that is not installed
    env = environment(tmp_path, **WORDS_ONLY, **away)
    status, doctor, config = (run_command(name, env=env, cwd=tmp_path) for name in ("status", "doctor", "config"))
    for told in (status.stderr, doctor.stdout):
        assert "does not load (couldn't import requested psycopg 'c' implementation" in told
        assert "pip install 'libravdb-memory[postgres]'" in told
    assert "Traceback" not in status.stderr + doctor.stderr
    assert [done.returncode for done in (status, doctor, config)] == [1, 1, 0], "config needs no store, and no driver"


# ── the command line ──────────────────────────────────────────────────────────────────────────────────────


def test_commands_remember_and_find_in_a_database(database: str, tmp_path: Path) -> None:
    url = with_password(database)
    command(tmp_path, "--store", url, "remember", "the green boat sails at dawn")
    assert "green boat" in command(tmp_path, "--store", url, "search", "boat").stdout
    assert "green boat" in command(tmp_path, "search", "boat", LIBRAVDB_STORE_URL=url).stdout
    told = json.loads(command(tmp_path, "--json", "--store", url, "status").stdout)
    assert told["store"]["records"] == 1
    assert told["path"].startswith("postgresql://postgres:********@/")
    assert not (tmp_path / ".clawdb").exists()


def test_whoever_only_reads_makes_no_tables(database: str, tmp_path: Path) -> None:
    done = command(tmp_path, "--store", database, "search", "boat", is_fine=False)
    assert "Nothing is in the database yet" in done.stderr
    assert execute(database, "SELECT to_regclass('libravdb.facts')") == [(None,)]
    assert "holds no memory yet" in command(tmp_path, "--store", database, "doctor").stdout
    assert execute(database, "SELECT to_regclass('libravdb.facts')") == [(None,)]


def examined(home: Path, **settings: str) -> list[dict[str, str]]:
    """What doctor finds bad."""
    done = run_command("--json", "doctor", env=environment(home, **WORDS_ONLY, **settings), cwd=home)
    checks = json.loads(done.stdout)
    found = [check for check in checks if check["health"] == "bad"]
    assert bool(done.returncode) is bool(found)
    return found


def test_doctor_tells_once_that_the_server_is_away(tmp_path: Path) -> None:
    (found,) = examined(tmp_path, LIBRAVDB_STORE_URL=f"postgresql://postgres@/nothing?host={tmp_path}")
    assert "cannot be reached" in found["detail"]


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_doctor_finds_a_database_that_cannot_hold_every_text(server: Server, tmp_path: Path, encoding: str) -> None:
    name = encoding.lower()
    execute(server.url(), f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' LOCALE 'C'")
    (found,) = examined(tmp_path, LIBRAVDB_STORE_URL=server.url(name))
    server.drop_database(server.url(name))
    assert f"holds text as {encoding}" in found["detail"]
    assert "ENCODING 'UTF8'" in found["remedy"]


def test_doctor_finds_that_nobody_may_make_the_tables(database: str, roles: Mapping[str, str], tmp_path: Path) -> None:
    """The role of the daemons, before the owner's first start; once more in a database without the schema."""
    run, own = (database.replace("postgres@", f"{roles[kind]}@", 1) for kind in ("run", "own"))
    (found,) = examined(tmp_path, LIBRAVDB_STORE_URL=run)
    assert "has no tables yet, and the user of store.url may not make them" in found["detail"]
    assert examined(tmp_path, LIBRAVDB_STORE_URL=own) == []
    command(tmp_path, "remember", "the green boat sails at dawn", LIBRAVDB_STORE_URL=own)
    assert examined(tmp_path, LIBRAVDB_STORE_URL=run) == []
    execute(database, "DROP SCHEMA libravdb CASCADE")
    for url in (run, own):
        (found,) = examined(tmp_path, LIBRAVDB_STORE_URL=url)
        assert "GRANT CREATE ON DATABASE" in found["remedy"]
    execute(database, found["remedy"].partition("superuser: ")[2].rstrip("."))
    assert examined(tmp_path, LIBRAVDB_STORE_URL=own) == []
    command(tmp_path, "remember", "the green boat sails at dawn", LIBRAVDB_STORE_URL=own)


def test_the_care_of_a_database_is_done_or_said(database: str, tmp_path: Path) -> None:
    url = with_password(database)
    command(tmp_path, "--store", url, "remember", "the green boat sails at dawn")
    assert "sound" in command(tmp_path, "--store", url, "fsck").stdout
    assert "postgres:********@" in command(tmp_path, "fsck", url).stdout
    examined = command(tmp_path, "--store", url, "doctor").stdout
    assert re.search(r"answers: PostgreSQL \d", examined)
    assert "is sound" in examined
    assert "sqlite" not in examined
    backup = command(tmp_path, "--store", url, "backup", "copy.dump", is_fine=False).stderr
    assert "pg_dump" in backup
    assert execute(database, "SELECT count(*) FROM libravdb.copies") == [(0,)], "what was refused is no copy"
    repair = command(tmp_path, "--store", url, "repair", is_fine=False).stderr
    assert "pg_restore" in repair
    command(tmp_path, "--store", url, "export", "all.jsonl")
    command(tmp_path, "--store", str(tmp_path / "m.libravdb"), "import", "all.jsonl")
    assert "green boat" in command(tmp_path, "--store", str(tmp_path / "m.libravdb"), "search", "boat").stdout
    assert "nothing to stop" in command(tmp_path, "--store", url, "stop").stdout


def test_the_configuration_shows_no_password(tmp_path: Path) -> None:
    url = f"postgresql://anna:{PASSWORD}@db.example.org/memory?sslpassword={PASSWORD}"
    for arguments in (("config",), ("--json", "config")):
        shown = command(tmp_path, *arguments, LIBRAVDB_STORE_URL=url).stdout
        assert "postgresql://anna:********@db.example.org/memory?sslpassword=********" in shown
    for scheme in ("mysql", "POSTGRESQL", "postgresql+psycopg"):
        other = url.replace("postgresql", scheme)
        for done in (
            command(tmp_path, "config", is_fine=False, LIBRAVDB_STORE_URL=other),
            command(tmp_path, "--store", other, "remember", "it is in no file of that name", is_fine=False),
        ):
            assert "is not the address of a PostgreSQL database" in done.stderr
    assert not [path for path in tmp_path.rglob("*") if "@" in path.name]


@pytest.mark.parametrize("signs", ["/", "@", "?"])
def test_a_password_that_is_not_encoded_is_refused_and_shown_nowhere(signs: str, tmp_path: Path) -> None:
    url = f"postgresql://anna:{PASSWORD}{signs}{PASSWORD}@127.0.0.1:1/memory"
    for arguments in (("config",), ("doctor",), ("status",), ("remember", "x"), ("mcp", "install", "claude", "--yes")):
        done = command(tmp_path, *arguments, is_fine=False, LIBRAVDB_STORE_URL=url)
        assert "%2F" in done.stdout + done.stderr
    for named in (("--store", url, "status"), ("fsck", url), ("move", "--to", url), ("move", "--from", url, "--to=x")):
        command(tmp_path, *named, is_fine=False)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_mistyped_address_makes_no_file(tmp_path: Path) -> None:
    slips = [f"{begin}anna:{PASSWORD}@h/db" for begin in ("postgresql:/", "postgresql//", "postgres:", "//", "")]
    for place in (*slips, f"host=h password={PASSWORD}"):
        for arguments in (("--store", place, "remember", "x"), ("move", "--to", place), ("fsck", place)):
            assert "reads like the address" in command(tmp_path, *arguments, is_fine=False).stderr
        for name in ("backup", "export", "import"):
            assert "the path of a file is asked for" in command(tmp_path, name, place, is_fine=False).stderr
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_program_that_misses_the_form_of_an_address_does_not_show_it(home: Path) -> None:
    for place in (f"postgresql://anna:{PASSWORD}/{PASSWORD}@h/db", f"postgresql:/anna:{PASSWORD}@h/db"):
        with pytest.raises(ConfigError) as refused:
            Memory.open(place)
        assert PASSWORD not in "".join(traceback.format_exception(refused.value))
    assert not list(home.rglob("*@*"))


def test_a_file_that_somebody_names_goes_before_a_database_of_the_environment() -> None:
    url = "postgresql://localhost/memory"
    named = load(environ={"LIBRAVDB_STORE_URL": url, "HOME": "/h"}, arguments={"store.path": "/srv/m.libravdb"})
    assert named.config.store.url == ""
    other = load(environ={"LIBRAVDB_STORE_PATH": "/srv/m.libravdb", "HOME": "/h"}, arguments={"store.url": url})
    assert other.config.store.url == url
    both = load(environ={"LIBRAVDB_STORE_PATH": "/srv/m.libravdb", "LIBRAVDB_STORE_URL": url, "HOME": "/h"})
    assert both.config.store.url == url


# ── daemons ───────────────────────────────────────────────────────────────────────────────────────────────


def _engine_at(address: str) -> RemoteEngine:
    return RemoteEngine(Client(transport_to(address, token="")))


def test_daemons_share_a_database_and_a_session_moves_between_them(
    database: str, start: Start, tmp_path: Path, server: Server
) -> None:
    url = with_password(database)
    told = {**WORDS_ONLY, "LIBRAVDB_STORE_URL": url}
    addresses = [f"unix:{tmp_path}/{name}.sock" for name in "ab"]
    daemons = [start(**told, LIBRAVDB_DAEMON_ENDPOINT=address) for address in addresses]
    for daemon, address in zip(daemons, addresses, strict=True):
        assert daemon.stdout is not None
        assert daemon.stdout.readline().strip() == address
    with _engine_at(addresses[0]) as one, _engine_at(addresses[1]) as other:
        several = (one, other)
        for number in range(8):
            text = f"The {'green red blue grey'.split()[number % 4]} boat number {number} sails at dawn."
            several[number % 2].conversations.ingest(
                {"role": "user", "content": text, "id": f"t{number}"}, session="s", namespace="anna"
            )
            asked = [
                engine.prompts.assemble(f"Where is boat number {number}?", session="s", namespace="anna", budget=900)
                for engine in several
            ]
            assert (asked[0].opening, asked[0].closing) == (asked[1].opening, asked[1].closing)
        assert one.status().store.records == other.status().store.records
        server.sever_connections(database)  # both find the server again
        assert one.search("boat", namespace="anna").hits
        assert other.search("boat", namespace="anna").hits
    found = daemon_of(StoreSettings(path=tmp_path / ".clawdb" / "data.libravdb", url=url))
    assert found is not None
    assert found.endpoint in addresses
    command(tmp_path, "--store", url, "remember", "beside the daemons", LIBRAVDB_DAEMON_ENDPOINT=addresses[1])
    for daemon in daemons:
        daemon.terminate()
        _, log = daemon.communicate(timeout=60)
        assert daemon.returncode == 0, log
        assert PASSWORD not in log


def test_inspect_and_mcp_find_the_daemon_of_a_database_or_start_one(database: str, tmp_path: Path) -> None:
    url = with_password(database)
    told = environment(tmp_path, **WORDS_ONLY)
    config = load(environ=told, arguments={"store.url": url}).config
    link = DaemonLink(config, environment=told)
    with link.engine() as engine:
        engine.memories.remember("the green boat sails at dawn", collection="user:anna")
        assert engine.status().store.records > 0
    assert link.reach() == daemon_of(config.store)
    link.close()
    assert "Stopped the daemon" in command(tmp_path, "--store", url, "stop").stdout
    assert daemon_of(config.store) is None
    assert PASSWORD not in (tmp_path / ".clawdb" / "log" / "libravdbd.log").read_text(encoding="utf-8")
