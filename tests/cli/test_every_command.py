"""What holds of every command: none makes a store that only reads one, none wraps or shortens in a pipe, each one's
result is JSON on request, and so are its errors. A new command has to be added to `CALLS`, or to `SERVING`."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from libravdb.cli.app import SECTIONS, command_line, main
from libravdb.cli.context import CREATING
from libravdb.cli.openclaw.plugin_folder import PLUGIN, plugin_folder

LONG = "the harbour office in Trieste keeps the spare key of the green boat behind the third lamp " * 4
"""Longer than any terminal is wide."""

DOCUMENT = f"# Rules\n\n- Always push tags, because {LONG.strip()}.\n- Always push tags, because {LONG.strip()}.\n"
FORGOTTEN = "Anna keeps bees on the roof of the town hall."

LINE = "home:84adceb1"

HOST = {
    "plugins": {
        "load": {"paths": [str(plugin_folder())]},
        "slots": {"memory": PLUGIN, "contextEngine": PLUGIN},
        "entries": {PLUGIN: {"enabled": True, "config": {"daemonCommand": sys.executable}}},
    }
}
"""The configuration of an OpenClaw in which the plugin is installed."""

CALLS: dict[str, tuple[str, ...]] = {
    "remember": (LONG,),
    "search": ("harbour office key",),
    "list": (),
    "get": ("note",),
    "update": ("note", "The spare key is with the harbour master now."),
    "versions": ("note",),
    "forget": ("note",),
    "profile show": (),
    "profile pin": (LINE,),
    "profile edit": (LINE, "I live in Trieste, above the harbour office."),
    "profile forget": (LINE,),
    "users": (),
    "ingest": ("chat.json", "--session", "another"),
    "gate explain": (LONG,),
    "gate report": (),
    "gate feedback": ("note", "--useful"),
    "gate restore": ("note",),
    "guidance list": (),
    "guidance remove": ("1",),
    "dream-promote": ("AGENTS.md", "--dry-run"),
    "chat": ("chat.json",),
    "explain": (),
    "why-not": ("note",),
    "replay": (),
    "sessions": (),
    "compact": ("talk", "--keep", "2", "--tail", "0"),
    "history": ("talk",),
    "authored add": ("AGENTS.md",),
    "authored watch": ("notes", "--once"),
    "authored list": (),
    "authored show": ("AGENTS.md",),
    "authored remove": ("AGENTS.md",),
    "authored lint": ("AGENTS.md",),
    "status": (),
    "doctor": (),
    "config": (),
    "fsck": (),
    "repair": ("--to", "saved.libravdb"),
    "backup": ("copy.libravdb",),
    "reembed": (),
    "retain": ("--yes",),
    "export": (),
    "import": ("all.jsonl",),
    "flush": ("--user", "nobody", "--yes"),
    "move": ("--to", "sqlite:moved.libravdb"),
    "move-memory": ("--from", "nobody", "--to", "somebody", "--yes"),
    "verify-erasure": ("nobody.json",),
    "service install": (),
    "service start": (),
    "service stop": (),
    "service status": (),
    "service logs": (),
    "service remove": (),
    "stop": (),
    "token create": ("--name", "another"),
    "token list": (),
    "token remove": ("laptop",),
    "openclaw install": ("--yes",),
    "openclaw uninstall": ("--yes",),
    "openclaw status": (),
    "openclaw doctor": (),
    "mcp install": ("claude", "--yes"),
    "mcp remove": ("claude", "--yes"),
    "mcp status": (),
    "demo": ("--keep",),
}
WITHOUT_STORE = {
    *("config", "doctor", "authored lint", "stop"),
    *(name for name in CALLS if name.startswith(("service ", "token ", "openclaw ", "mcp "))),
}
"""They work, or fail, without looking into a store."""

FAILING = {
    *("reembed", "gate restore", "guidance remove", "openclaw install", "openclaw uninstall"),
    *(name for name in CALLS if name.startswith("service ")),
}
"""There is no model, nothing outdated, no host and no supervisor here: these end with an error, whatever the form."""

DOCTORS = ("doctor", "openclaw doctor")


SERVING = {"inspect"}
"""They run until they are asked to end, and have tests of their own: tests/cli/test_inspect.py."""


def leaves() -> Iterator[str]:
    """Every command by its whole name."""
    context = click.Context(command_line)
    for name in command_line.list_commands(context):
        command = command_line.get_command(context, name)
        if isinstance(command, click.Group):
            yield from (f"{name} {inner}" for inner in command.commands)
        else:
            yield name


@dataclass(frozen=True, slots=True)
class Told:
    """How a command left, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> dict[str, Any]:
        """The one JSON document on standard error."""
        (line,) = self.err.splitlines()
        document = json.loads(line)
        assert set(document) == {"error"}
        assert set(document["error"]) == {"kind", "message", "remedy"}
        error: dict[str, Any] = document["error"]
        return error


Call = Callable[..., Told]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Told:
    """The command in this process: what it loads is loaded once for all of these tests."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main(arguments)
    out, err = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return Told(left.value.code, out, err)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a store that holds a memory, a talk and a document, and with files for commands to read."""
    home = tmp_path_factory.mktemp("prepared")
    said = [{"role": "user", "content": f"{number}. {LONG}"} for number in range(12)]
    (home / "chat.json").write_text(json.dumps(said))
    (home / "AGENTS.md").write_text(DOCUMENT)
    (home / "notes").mkdir()
    (home / "notes" / "roof.md").write_text(FORGOTTEN)
    (home / ".openclaw").mkdir()
    (home / ".openclaw" / "openclaw.json").write_text(json.dumps(HOST))
    with pytest.MonkeyPatch.context() as patch:
        _move_into(home, patch)
        for arguments in (
            ("remember", LONG, "--id", "note"),
            ("remember", "I live in Trieste."),
            ("ingest", "chat.json", "--session", "talk"),
            ("authored", "add", "AGENTS.md"),
            ("chat", "chat.json"),
            ("compact", "talk", "--keep", "4", "--tail", "0", "--target", "4"),
            ("export", "all.jsonl"),
            ("forget", "--user", "nobody", "--certificate", "nobody.json"),
            ("token", "create", "--name", "laptop"),
        ):
            with pytest.raises(SystemExit) as left:
                main(arguments)
            assert left.value.code == 0, arguments
    return home


def _move_into(home: Path, patch: pytest.MonkeyPatch) -> None:
    patch.chdir(home)
    patch.setenv("HOME", str(home))
    patch.setenv("PATH", "")  # no supervisor is asked
    patch.setenv("LIBRAVDB_EMBEDDING_BACKEND", "none")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home."""
    _move_into(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture
def call(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Calls a command, by its whole name, in a home as prepared; every call finds it as it was."""
    count = 0

    def call(name: str, *options: str, more: tuple[str, ...] = (), width: int = 80) -> Told:
        nonlocal count
        count += 1
        home = tmp_path / str(count) / "home"
        shutil.copytree(prepared, home)
        _move_into(home, monkeypatch)
        monkeypatch.setenv("COLUMNS", str(width))
        return run(capsys, *options, *name.split(), *CALLS[name], *more)

    return call


def test_every_command_is_looked_at() -> None:
    assert [name for name in leaves() if name not in SERVING] == list(CALLS)
    assert set(leaves()) >= SERVING
    assert set(CREATING) <= set(CALLS)


def test_the_table_of_commands_names_every_command_of_its_modules() -> None:
    from importlib import import_module  # noqa: PLC0415 - of this test alone

    offered: dict[str, str] = {}
    for module in {module for section in SECTIONS for module in section.commands.values()}:
        offered |= {command.name: module for command in import_module(f"libravdb.cli.{module}").COMMANDS}
    assert offered == {name: module for section in SECTIONS for name, module in section.commands.items()}


# ── a store that is not there ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", CALLS)
def test_only_commands_that_keep_something_make_a_store(call: Call, tmp_path: Path, name: str) -> None:
    store = tmp_path / "new" / "folder" / "typo.libravdb"
    told = call(name, "--store", str(store))
    assert store.exists() == (name in CREATING), told.err
    if name not in {*CREATING, "token create"}:  # a token is made before the daemon makes its store
        assert not (tmp_path / "new").exists()
    if name not in {*CREATING, *WITHOUT_STORE}:
        assert told.code == 1
        assert told.out == ""
        assert f"No store named '{store}'." in told.err
        assert all(creating in told.err for creating in CREATING)


@pytest.mark.parametrize("typed", ["data.libravd", "dta.libravdb", "../.clawbd/data.libravdb", "other-name"])
def test_the_store_that_was_meant_is_named(
    prepared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    _move_into(prepared, monkeypatch)
    meant = prepared / ".clawdb" / "data.libravdb"
    assert f"Did you mean {meant}?" in run(capsys, "--store", f"{prepared}/.clawdb/{typed}", "list").err
    assert f"Did you mean {meant}?" in run(capsys, "fsck", f"{prepared}/.clawdb/{typed}").err
    doctor = run(capsys, "--json", "--store", f"{prepared}/.clawdb/{typed}", "doctor")
    (line,) = (each for each in json.loads(doctor.out) if each["name"] == "store")
    assert (line["health"], line["remedy"]) == ("notice", f"Did you mean {meant}?")


def test_an_empty_file_is_not_made_into_a_store_by_reading(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = home / "empty"
    empty.touch()
    assert "No store named" in run(capsys, "--store", str(empty), "list").err
    assert [each.name for each in home.iterdir()] == ["empty"]
    assert empty.stat().st_size == 0


# ── in a pipe ─────────────────────────────────────────────────────────────────────────────────────────────

NUMBERS = re.compile(r"lvdb_[\w-]+|\d+-\d+-[0-9a-f]{6}|[0-9a-f]*[0-9][0-9a-f]*")
"""Tokens, times, sizes and receipts differ from run to run."""


@pytest.mark.parametrize("name", CALLS)
def test_in_a_pipe_the_width_of_a_terminal_changes_nothing(call: Call, name: str) -> None:
    narrow, wide = (call(name, width=width) for width in (20, 500))
    assert (narrow.code != 0) == (name in FAILING), narrow.err
    for one, other in ((narrow.out, wide.out), (narrow.err, wide.err)):
        # The homes of the two calls differ in a number.
        assert NUMBERS.sub("#", one).splitlines() == NUMBERS.sub("#", other).splitlines()


@pytest.mark.parametrize(
    "name", ["search", "list", "get", "versions", "chat", "history", "authored show", "authored lint", "export"]
)
def test_in_a_pipe_no_text_is_shortened(call: Call, name: str) -> None:
    assert LONG.strip() in call(name, width=20).out


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", [name for name in CALLS if name not in FAILING])
def test_what_a_command_tells_is_json_on_request(call: Call, name: str) -> None:
    told = call(name, "--json")
    assert told.code == 0
    documents = [json.loads(line) for line in told.out.splitlines()]
    assert documents
    if name not in ("export", "authored watch"):  # a line for each record, and for each change
        assert len(documents) == 1
    assert all(set(json.loads(line)) == {"note"} for line in told.err.splitlines())


@pytest.mark.parametrize("name", sorted(FAILING))
def test_an_error_is_json_on_request(call: Call, name: str) -> None:
    told = call(name, "--json")
    assert told.code == 1
    assert told.out == ""
    assert told.error["message"]
    assert told.error["remedy"]
    assert told.error["kind"] in ("DaemonError", "EmbedderError", "HostError", "InvalidInput", "NotFound")


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_is_written_wrongly_is_told_in_json_too(call: Call, name: str) -> None:
    told = call(name, "--json", more=("--nonsense",))
    assert (told.code, told.out) == (2, "")
    assert told.error["kind"] == "UsageError"
    assert "--nonsense" in told.error["message"]
    assert told.error["remedy"] == f"'libravdb {name} --help' shows how it is written."


@pytest.mark.parametrize("name", CALLS)
def test_a_broken_configuration_is_told_in_json_too(call: Call, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("LIBRAVDB_SEARCH_K", "many")
    told = call(name, "--json")
    if name in DOCTORS:  # it tells of the error in its report
        assert told.code == 1
        assert "search.k" in told.out
        return
    if name.startswith("service "):  # the missing supervisor comes first
        assert told.error["kind"] == "DaemonError"
        return
    assert (told.code, told.out) == (2, "")
    assert told.error["kind"] == "ConfigError"
    assert "search.k" in told.error["message"]


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (("--json",), "UsageError", "Missing command."),
        (("--json", "serach", "x"), "UsageError", "No such command 'serach'."),
        (("--json", "search"), "UsageError", "Missing argument 'QUESTION'."),
        (
            ("--json", "search", "x", "-k", "0"),
            "UsageError",
            "0 is not in the range",
        ),
        (("--json", "--store"), "UsageError", "Option '--store' requires an argument."),
        (("search", "x", "--json"), "UsageError", "--json"),
        (("--json", "flush"), "UsageError", "Say what to delete: --user, --collection or --everything."),
        (("--json", "--config", "nowhere", "config"), "ConfigError", "nowhere"),
    ],
)
def test_errors_of_every_kind_have_one_shape(
    home: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], kind: str, message: str
) -> None:
    told = run(capsys, *arguments)
    assert list(home.iterdir()) == []
    assert (told.code, told.out) == (2, "")
    assert told.error["kind"] == kind
    assert message in told.error["message"]
    assert told.error["remedy"]


@pytest.mark.usefixtures("home")
def test_what_stands_behind_two_dashes_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "remember", "--", "--json").code == 0
    told = run(capsys, "forget", "--", "--json")
    assert told.err.startswith("error: No record named '--json'.")
