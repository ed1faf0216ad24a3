"""`Memory` beside other owners of its file, each in a process of its own: a daemon, a shell, another program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.commands import run_command
from tests.served import Start, environment

from libravdb.app import open_engine
from libravdb.config import Config, StoreSettings
from libravdb.errors import DaemonError, InvalidInput, LibraError, StoreBusy, StoreError
from libravdb.memory import Memory

WORDS_ONLY = {"LIBRAVDB_EMBEDDING_BACKEND": "none"}
QUICK = {"embedding.backend": "none"}
"""No model is loaded: what is looked at here does not need one."""

Shell = Callable[..., "subprocess.CompletedProcess[str]"]
Program = Callable[[Path], "subprocess.Popen[str]"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything of a test happens in one home, this process included."""
    for name in [name for name in os.environ if name.startswith("LIBRAVDB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The store that daemon and shell use when nobody tells them another."""
    return tmp_path / ".clawdb" / "data.libravdb"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    def shell(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run_command(*arguments, env=environment(tmp_path, **WORDS_ONLY))

    return shell


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """Starts a program that keeps a memory open."""
    running: list[subprocess.Popen[str]] = []
    script = tmp_path / "agent.py"
    script.write_text(
        "import sys\n"
        "from libravdb import Memory\n"
        "with Memory.open(sys.argv[1]) as memory:\n"
        "    memory.remember('said by the agent')\n"
        "    print('open', flush=True)\n"
        "    sys.stdin.read()\n"
    )

    def program(store: Path) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, str(script), str(store)],
            env=environment(tmp_path, **WORDS_ONLY),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        return process

    yield program
    for process in running:
        process.kill()
        process.communicate()


def ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline()


# ── beside a daemon ───────────────────────────────────────────────────────────────────────────────────────


def test_memory_beside_a_daemon_goes_through_it_and_sees_what_a_shell_adds(
    start: Start, shell: Shell, store: Path, tmp_path: Path
) -> None:
    ready(start(**WORDS_ONLY))
    rules = tmp_path / "AGENTS.md"
    rules.write_text("- Always answer in verse.\n")
    with Memory.open(store) as memory:
        memory.remember("The ferry to Naxos leaves at nine")
        assert "in verse" not in memory.assemble("Hello?").rules
        assert shell("authored", "add", str(rules)).returncode == 0
        assert "in verse" in memory.assemble("Hello?").rules
        assert "The ferry to Naxos" in shell("search", "ferry").stdout
        assert shell("authored", "remove", str(rules)).returncode == 0
        assert "in verse" not in memory.assemble("Hello?").rules


def use_every_verb(memory: Memory) -> list[object]:
    """What a program is told by each verb, without times and receipts, which differ from run to run."""
    kept = memory.remember("Anna is allergic to peanuts")
    taken = memory.ingest("I moved to Graz in May.", session="s")
    turn = [{"role": "user", "content": "We deploy on Tuesdays."}]
    committed = [memory.commit_turn(turn, key="1", session="s") for _ in range(2)]
    authored = memory.author("AGENTS.md", "- Be brief.")
    prompt = memory.assemble("What can Anna not eat?", session="s", budget=500)
    found = memory.search("Anna peanuts", k=3, session="s")
    return [
        (kept.is_new, kept.record.id, kept.record.text),
        [(one.id, one.role, one.reception, one.reason, one.memory) for one in taken.turns],
        [[(one.id, one.reception) for one in each.turns] for each in committed],
        (authored.outcome, authored.document.nodes, authored.document.hard_tokens),
        (prompt.rules, re.sub(r' at="[^"]+"', "", prompt.opening), prompt.tokens, prompt.budget, prompt.mode),
        [(hit.record.id, hit.record.text, hit.reasons) for hit in found.hits],
        memory.explain(prompt.receipt).prompt,
        memory.why_not(kept.record.id, receipt=prompt.receipt),
        memory.forget(kept.record.id),
    ]


def test_every_verb_tells_the_same_through_a_daemon_as_without(start: Start, store: Path, tmp_path: Path) -> None:
    ready(start(**WORDS_ONLY))
    with Memory.open(store, user="anna") as through, Memory.open(tmp_path / "own", user="anna", settings=QUICK) as own:
        assert use_every_verb(through) == use_every_verb(own)


def test_settings_that_a_daemon_would_not_follow_are_refused(start: Start, store: Path) -> None:
    ready(start(**WORDS_ONLY))
    with pytest.raises(InvalidInput, match=r"search\.k cannot be set here: a daemon serves") as caught:
        Memory.open(store, settings={"search.k": 3, "daemon.token": "x"})
    assert "stop it first" in caught.value.remedy


def test_a_daemon_that_does_not_let_us_in_is_told_at_once(start: Start, store: Path) -> None:
    settings = WORDS_ONLY | {"LIBRAVDB_RPC_ENDPOINT": "tcp:127.0.0.1:0", "LIBRAVDB_DAEMON_TOKEN": "right"}
    ready(start(**settings))
    with pytest.raises(LibraError, match=r"daemon\.token"):
        Memory.open(store, settings={"daemon.token": "wrong"})
    with Memory.open(store, settings={"daemon.token": "right"}) as memory:
        assert memory.remember("let in").is_new


def test_an_engine_of_ones_own_is_refused_beside_a_daemon(start: Start, store: Path) -> None:
    daemon = start(**WORDS_ONLY)
    ready(daemon)
    with pytest.raises(DaemonError, match=rf"already serves .* \(process {daemon.pid}") as caught:
        open_engine(Config(store=StoreSettings(path=store)))
    assert "libravdb.Memory" in caught.value.remedy


def test_the_daemon_of_this_machine_is_connected_without_naming_it(start: Start) -> None:
    for number in range(2):  # the second one serves what the first one kept
        daemon = start(**WORDS_ONLY)
        ready(daemon)
        with Memory.connect(user="anna") as memory:
            memory.remember(f"kite {number}", id=f"kite {number}")
            assert [record.id for record in memory.list()] == [f"kite {one}" for one in reversed(range(number + 1))]
        daemon.terminate()
        daemon.wait(30)
    with pytest.raises(DaemonError, match="No daemon answers"):
        Memory.connect(user="anna")


# ── beside a program ──────────────────────────────────────────────────────────────────────────────────────


def test_a_second_program_is_refused_and_told_who_holds_the_file(program: Program, store: Path) -> None:
    other = program(store)
    with pytest.raises(StoreBusy, match=rf"is held by process {other.pid} \(agent\.py\)") as caught:
        Memory.open(store, settings=QUICK)
    assert "libravdb service install" in caught.value.remedy
    other.kill()
    other.wait()
    with Memory.open(store, settings=QUICK) as memory:
        assert [hit.record.text for hit in memory.search("agent").hits] == ["said by the agent"]


def test_shell_and_daemon_are_refused_while_a_program_holds_the_file(
    program: Program, shell: Shell, start: Start, store: Path
) -> None:
    other = program(store)
    for refused in (shell("search", "agent"), start(**WORDS_ONLY)):
        if isinstance(refused, subprocess.Popen):
            _, said = refused.communicate(timeout=30)
        else:
            said = refused.stderr
        assert refused.returncode == 1
        assert f"is held by process {other.pid} (agent.py)" in said
    other.communicate()
    assert "said by the agent" in shell("search", "agent").stdout


def test_within_a_program_two_users_share_the_file(store: Path) -> None:
    with (
        Memory.open(store, user="anna", settings=QUICK) as anna,
        Memory.open(store, user="ben", settings=QUICK) as ben,
    ):
        anna.remember("likes tea")
        ben.remember("likes coffee")
        assert [hit.record.text for hit in ben.search("likes").hits] == ["likes coffee"]


# ── one file, two names ───────────────────────────────────────────────────────────────────────────────────


def test_a_daemon_refuses_a_second_name_of_a_file_that_another_serves(
    start: Start, shell: Shell, store: Path, tmp_path: Path
) -> None:
    ready(start(**WORDS_ONLY))
    other = tmp_path / "other.libravdb"
    other.hardlink_to(store)
    second = start(**WORDS_ONLY, LIBRAVDB_STORE_PATH=str(other), LIBRAVDB_RPC_ENDPOINT="tcp:127.0.0.1:0")
    _, said = second.communicate(timeout=30)
    assert second.returncode == 1
    assert "has 2 names" in said
    with pytest.raises(StoreError, match="has 2 names"):
        Memory.open(other)
    assert "has 2 names" in shell("--store", str(other), "list").stderr
    with Memory.open(store) as memory:
        with pytest.raises(StoreError, match="has 2 names"):
            memory.remember("written while there are two names")
        other.unlink()
        memory.remember("written through the first name")
    assert "written through the first name" in shell("list").stdout


def test_a_user_is_erased_and_the_store_vouches_for_it(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.libravdb", user="anna") as anna:
        anna.remember("the zanzibar ferry sank at noon")
        Memory(anna.engine, user="ben").remember("tea with lemon")
        done = anna.erase(with_name=True)
        assert (done.certificate.namespace.name, "zanzibar" in done.text) == ("anna", False)
        assert anna.engine.erasures.verify(done.text).is_valid
        assert anna.search("zanzibar ferry").hits == ()
        assert Memory(anna.engine, user="ben").search("tea").hits[0].record.text == "tea with lemon"
