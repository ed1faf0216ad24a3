"""What a command loads, told by its own process: one that asks a daemon needs neither the engine nor its parts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.served import Start, environment

COMMAND = "runpy.run_module('libravdb', run_name='__main__', alter_sys=True)"
HEAVY = {"numpy", "sqlite3", "onnxruntime", "tokenizers", "Stemmer", "markdown_it", "rich"}
WORDS_ONLY = {"LIBRAVDB_EMBEDDING_BACKEND": "none"}

Loaded = Callable[..., set[str]]


_TELL = "import atexit, runpy, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "


@pytest.fixture
def loaded(tmp_path: Path) -> Loaded:
    """Runs Python and gives the modules that are loaded when it ends."""

    def loaded(code: str, *arguments: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", _TELL + code, *arguments],
            env=environment(tmp_path, **WORDS_ONLY),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return set(done.stderr.splitlines()[-1].split())

    return loaded


def engine_parts(modules: set[str]) -> set[str]:
    """Modules of the engine, its core and its adapters, but those that settings need or that tell who owns a store."""
    light = {
        "libravdb.adapters.sqlite",
        "libravdb.adapters.sqlite.ownership",
        "libravdb.adapters.sqlite.file",
        "libravdb.core.ingest.secret_exceptions",
    }
    rooms = ("libravdb.engine", "libravdb.core.", "libravdb.adapters.")
    found = {name for name in modules - light if name.startswith(rooms) and not name.endswith(".settings")}
    return {name for name in found if not (modules & {f"{name}.settings"})}


ASKED = (
    ("search", "ferry"),
    ("--json", "search", "ferry"),
    ("remember", "The ferry leaves at nine"),
    ("list",),
    ("status",),
    ("history", "talk"),
    ("gate", "report"),
    ("gate", "explain", "The ferry leaves at ten"),
    ("profile", "show"),
    ("explain",),
    ("authored", "list"),
    ("compact", "talk"),
    ("forget", "note"),
)


def test_through_a_daemon_commands_load_no_part_of_the_engine(start: Start, loaded: Loaded, tmp_path: Path) -> None:
    process = start(**WORDS_ONLY)
    assert process.stdout is not None
    assert process.stdout.readline()
    (tmp_path / "chat.json").write_text('[{"role": "user", "content": "The ferry to Naxos leaves at nine."}]')
    for before in (("remember", "kept", "--id", "note"), ("chat", str(tmp_path / "chat.json"), "--session", "talk")):
        loaded(COMMAND, *before)
    found = {arguments: loaded(COMMAND, *arguments) for arguments in ASKED}
    assert all("libravdb.client.client" in modules for modules in found.values()), "they did ask the daemon"
    heavy = {arguments: (modules & HEAVY) | engine_parts(modules) for arguments, modules in found.items()}
    assert {arguments: names for arguments, names in heavy.items() if names} == {}


def test_without_a_daemon_the_same_command_loads_the_engine(loaded: Loaded) -> None:
    """So that the test above cannot pass by looking at nothing."""
    modules = loaded(COMMAND, "remember", "kept")
    assert {"numpy", "sqlite3", "libravdb.engine.engine"} <= modules
    assert "libravdb.engine.engine" in engine_parts(modules)
    assert "libravdb.client.client" not in modules


def test_naming_memory_loads_no_part_of_the_engine(loaded: Loaded) -> None:
    modules = loaded("from libravdb import Memory, Prompt, Scope; Memory.open")
    assert modules & HEAVY == set()
    assert engine_parts(modules) == set()
    assert "libravdb.config" not in modules


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_no_part_of_the_engine(loaded: Loaded, option: str) -> None:
    modules = loaded(COMMAND, option)
    assert modules & HEAVY == set()
    assert engine_parts(modules) == set()
    assert "libravdb.config" not in modules
    assert ("libravdb.cli.memory" in modules) == (option == "--help")
