"""What a command loads, told by Python itself: a process that asks a daemon needs neither the engine nor its parts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.served import Start, environment

HEAVY = {"numpy", "sqlite3", "onnxruntime", "tokenizers", "Stemmer", "markdown_it", "rich"}
WORDS_ONLY = {"LIBRAVDB_EMBEDDING_BACKEND": "none"}

Loaded = Callable[..., set[str]]


@pytest.fixture
def loaded(tmp_path: Path) -> Loaded:
    """Runs Python and gives the modules that it loaded."""

    def loaded(*arguments: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-X", "importtime", *arguments],
            env=environment(tmp_path, **WORDS_ONLY),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        names = (
            line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")
        )
        return set(names)

    return loaded


def engine_parts(modules: set[str]) -> set[str]:
    """The modules of the engine, its core and its adapters, but those that hold settings or tell who owns a store."""
    light = {"libravdb.adapters.sqlite", "libravdb.adapters.sqlite.ownership", "libravdb.adapters.sqlite.file"}
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
        loaded("-m", "libravdb", *before)
    found = {arguments: loaded("-m", "libravdb", *arguments) for arguments in ASKED}
    assert all("libravdb.client.client" in modules for modules in found.values()), "they did ask the daemon"
    heavy = {arguments: (modules & HEAVY) | engine_parts(modules) for arguments, modules in found.items()}
    assert {arguments: names for arguments, names in heavy.items() if names} == {}


def test_without_a_daemon_the_same_command_loads_the_engine(loaded: Loaded) -> None:
    """So that the test above cannot pass by looking at nothing."""
    modules = loaded("-m", "libravdb", "remember", "kept")
    assert {"numpy", "sqlite3", "libravdb.engine.engine"} <= modules
    assert "libravdb.engine.engine" in engine_parts(modules)
    assert "libravdb.client.client" not in modules


def test_naming_memory_loads_no_part_of_the_engine(loaded: Loaded) -> None:
    modules = loaded("-c", "from libravdb import Memory, Prompt, Scope; Memory.open")
    assert modules & HEAVY == set()
    assert engine_parts(modules) == set()
    assert "libravdb.config.schema" not in modules


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_no_part_of_the_engine(loaded: Loaded, option: str) -> None:
    modules = loaded("-m", "libravdb", option)
    assert modules & HEAVY == set()
    assert engine_parts(modules) == set()
    assert ("libravdb.model" in modules) == (option == "--help")
