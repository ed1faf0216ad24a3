"""`libravdb openclaw …` against a stand-in for the host: a real program that keeps its configuration as the host does.

The real host is asked in `tests/openclaw/test_install.py`.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.commands import run_command

from libravdb import __version__
from libravdb.cli.openclaw.host_config import HostConfig
from libravdb.cli.openclaw.install_record import InstallRecord, read_record, restoring, what_stands, write_record
from libravdb.cli.openclaw.plan import InstallWishes, merged, plan
from libravdb.cli.openclaw.plugin_folder import PLUGIN, plugin_folder, surface_of

STAND_IN = """\
import json, os, pathlib, re, sys
here = pathlib.Path(__file__).resolve().parent
config = pathlib.Path(os.environ["OPENCLAW_CONFIG_PATH"])
arguments = sys.argv[1:]
with (here / "calls.jsonl").open("a") as calls:
    calls.write(json.dumps(arguments) + "\\n")
failing = here / "failing"
if failing.exists() and " ".join(arguments).startswith(failing.read_text()):
    print("Error: the disk is on fire", file=sys.stderr)
    sys.exit(1)

def read():
    text = config.read_text() if config.exists() else "{}"
    return json.loads(re.sub(r"/[*].*?[*]/", "", text))

def merge(one, other):
    for name, value in other.items():
        if value is None:
            one.pop(name, None)
        elif isinstance(value, dict):
            merge(one.setdefault(name, {}), value)
        else:
            one[name] = value

def write(document):
    config.write_text(json.dumps(document))

PLUGIN = "libravdb-memory"
document = read()
plugins = document.setdefault("plugins", {})
match arguments:
    case ["--version"]:
        print((here / "version").read_text())
    case ["config", "get", "plugins", "--json"]:
        print(json.dumps(plugins))
    case ["config", "patch", "--stdin"]:
        merge(document, json.loads(sys.stdin.read()))
        write(document)
    case ["plugins", "install", "--link", "--force", "--accept-capabilities", folder]:
        assert json.loads((pathlib.Path(folder) / "openclaw.plugin.json").read_text())["id"] == PLUGIN
        if (here / "copy").exists():
            sys.exit("plugin already exists: libravdb-memory (delete it first)")
        paths = plugins.setdefault("load", {}).setdefault("paths", [])
        if folder not in paths:
            paths.append(folder)
        if plugins.setdefault("entries", {}).setdefault(PLUGIN, {}).setdefault("enabled", True):
            plugins["slots"] = {"memory": PLUGIN, "contextEngine": PLUGIN}
        write(document)
    case ["plugins", "uninstall", "--force", name]:
        (here / "copy").unlink(missing_ok=True)
        plugins.pop("load", None)
        plugins.pop("slots", None)
        plugins["entries"][name] = {"enabled": False}
        write(document)
    case ["libravdb", "status", "--json"]:
        print("[plugins] a line of the host")
        print(json.dumps({"version": "1.2.3"}))
    case _:
        sys.exit(f"unknown: {arguments}")
"""


@dataclass
class Desk:
    """A home with a host in it."""

    home: Path
    environ: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return run_command(*arguments, env=self.environ, cwd=self.home)

    @property
    def path(self) -> Path:
        return self.home / "openclaw.json"

    @property
    def config(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.path.read_text())
        return document

    @property
    def calls(self) -> list[list[str]]:
        return [json.loads(line) for line in (self.home / "bin" / "calls.jsonl").read_text().splitlines()]

    def write(self, document: object) -> None:
        self.path.write_text(document if isinstance(document, str) else json.dumps(document))

    def break_at(self, command: str) -> None:
        (self.home / "bin" / "failing").write_text(command)

    def mend(self) -> None:
        (self.home / "bin" / "failing").unlink()


@pytest.fixture
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A host of the right version with nothing in its configuration; a daemon that was started is stopped."""
    home = tmp_path_factory.mktemp("h")
    (home / "bin").mkdir()
    program = home / "bin" / "openclaw"
    program.write_text(f"#!{sys.executable}\n{STAND_IN}")
    program.chmod(stat.S_IRWXU)
    (home / "bin" / "version").write_text("OpenClaw 2026.9.6 (eb377ac)")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LIBRAVDB_", "OPENCLAW_"))}
    environ = {
        **kept,
        "HOME": str(home),
        "PATH": os.pathsep.join((str(home / "bin"), str(Path(sys.executable).parent), os.defpath)),
        "OPENCLAW_CONFIG_PATH": str(home / "openclaw.json"),
        "OPENCLAW_STATE_DIR": str(home / "state"),
        "LIBRAVDB_EMBEDDING_BACKEND": "none",
        "LIBRAVDB_DAEMON_ENDPOINT": f"unix:{home / 'd.sock'}",
    }
    made = Desk(home, environ)
    yield made
    made.run("stop")
    shutil.rmtree(home)


BEFORE: dict[str, Any] = {
    "gateway": {"port": 1},
    "plugins": {"slots": {"memory": "memory-lancedb"}, "entries": {"x": {"enabled": True}}},
}


# ── installing ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_installing_links_and_sets_everything_once_and_uninstalling_puts_it_back(desk: Desk) -> None:
    desk.write(BEFORE)
    done = desk.run("openclaw", "install", "--yes")
    assert done.returncode == 0, done.stderr
    plugins = desk.config["plugins"]
    assert plugins["load"] == {"paths": [str(plugin_folder())]}
    assert plugins["slots"] == {"memory": PLUGIN, "contextEngine": PLUGIN}
    settings = plugins["entries"][PLUGIN]["config"]
    assert Path(settings["daemonCommand"]).is_absolute()
    assert os.access(settings["daemonCommand"], os.X_OK)
    assert settings["dreaming"] == {"enabled": False}
    assert "memory-core" not in plugins["entries"]
    assert plugins["entries"]["x"] == {"enabled": True}
    assert "one text kept, found and deleted" in done.stdout
    assert "openclaw gateway run" in done.stdout

    written = desk.path.read_bytes()
    again = desk.run("openclaw", "install")
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("(already so)") == again.stdout.count("✓") >= 6
    assert "nothing was changed" in again.stdout
    assert desk.path.read_bytes() == written

    exported = desk.run("export").stdout
    assert "is tried with this sentence" not in exported
    assert "install-check" not in exported

    status = desk.run("openclaw", "status").stdout
    assert f"linked from {plugin_folder()}" in status
    assert "turns kept" in status

    gone = desk.run("openclaw", "uninstall", "--yes")
    assert gone.returncode == 0, gone.stderr
    assert str(desk.home / ".clawdb" / "data.libravdb") in gone.stdout
    assert (desk.home / ".clawdb" / "data.libravdb").exists()
    after = desk.config
    assert after["gateway"] == BEFORE["gateway"]
    assert after["plugins"]["slots"] == BEFORE["plugins"]["slots"]
    assert after["plugins"]["entries"] == BEFORE["plugins"]["entries"]
    assert not (desk.home / "state" / "libravdb" / "install.json").exists()
    assert "nothing to take out" in desk.run("openclaw", "uninstall", "--yes").stdout


def test_without_a_terminal_and_without_yes_nothing_is_changed(desk: Desk) -> None:
    done = desk.run("openclaw", "install")
    assert done.returncode == 1
    assert "--yes" in done.stderr
    assert "+ plugin: linked from" in done.stdout
    assert not desk.path.exists()
    assert not (desk.home / "state").exists()
    assert json.loads(desk.run("--json", "openclaw", "install").stderr)["error"]["kind"] == "HostError"


@pytest.mark.slow
def test_a_failure_half_way_tells_what_was_done_and_can_be_repeated_and_undone(desk: Desk) -> None:
    desk.write(BEFORE)
    desk.break_at("config patch")
    done = desk.run("openclaw", "install", "--yes")
    assert done.returncode == 1
    assert "the disk is on fire" in done.stderr
    assert "Done before it: linked the plugin." in done.stderr
    assert "libravdb openclaw uninstall" in done.stderr
    desk.mend()
    repeated = desk.run("--json", "openclaw", "install", "--yes")
    assert repeated.returncode == 0, repeated.stderr
    assert json.loads(repeated.stdout)["changed"]
    assert desk.run("openclaw", "uninstall", "--yes").returncode == 0
    assert desk.config["plugins"]["slots"] == BEFORE["plugins"]["slots"]


@pytest.mark.slow
def test_a_configuration_with_comments_is_read_by_the_host(desk: Desk) -> None:
    desk.write('{ "plugins": { /* mine */ "slots": { "memory": "memory-lancedb" } } }')
    done = desk.run("openclaw", "install", "--yes")
    assert done.returncode == 0, done.stderr
    assert ["config", "get", "plugins", "--json"] in desk.calls
    assert "before: memory-lancedb" in done.stdout
    assert desk.run("openclaw", "uninstall", "--yes").returncode == 0
    assert desk.config["plugins"]["slots"] == {"memory": "memory-lancedb"}


@pytest.mark.slow
def test_whose_memory_it_is_can_be_said_and_stays_as_it_was_said(desk: Desk) -> None:
    assert desk.run("openclaw", "install", "--yes", "--user", "anna").returncode == 0
    assert desk.config["plugins"]["entries"][PLUGIN]["config"]["userId"] == "anna"
    again = desk.run("openclaw", "install")
    assert "'anna', as set before" in again.stdout
    assert "nothing was changed" in again.stdout
    assert desk.run("openclaw", "install", "--yes", "--memory-per", "session").returncode == 0
    settings = desk.config["plugins"]["entries"][PLUGIN]["config"]
    assert settings["memoryPer"] == "session"
    assert "userId" not in settings
    assert desk.run("openclaw", "install", "--user", "a", "--memory-per", "agent").returncode == 2


@pytest.mark.slow
def test_a_folder_of_an_older_installation_is_linked_no_more(desk: Desk) -> None:
    old = desk.home / "old" / "lib" / "openclaw_plugin"
    other = desk.home / "another-plugin"
    desk.write({"plugins": {"load": {"paths": [str(old), str(other)]}}})
    assert desk.run("openclaw", "install", "--yes").returncode == 0
    assert desk.config["plugins"]["load"]["paths"] == [str(other), str(plugin_folder())]


@pytest.mark.slow
def test_a_copy_is_replaced_by_the_link_and_keeps_its_settings(desk: Desk) -> None:
    (desk.home / "bin" / "copy").touch()
    settings = {"mode": "augment", "embedding": {"apiKey": "sk-1"}}
    slots = {"memory": PLUGIN, "contextEngine": PLUGIN}
    desk.write({"plugins": {"slots": slots, "entries": {PLUGIN: {"enabled": True, "config": settings}}}})
    done = desk.run("openclaw", "install", "--yes")
    assert done.returncode == 0, done.stderr
    plugins = desk.config["plugins"]
    assert plugins["load"]["paths"] == [str(plugin_folder())]
    assert plugins["slots"] == slots
    assert settings.items() <= plugins["entries"][PLUGIN]["config"].items()
    assert plugins["entries"][PLUGIN]["enabled"] is True


@pytest.mark.parametrize(
    ("version", "told"), [("OpenClaw 2026.6.1", "too old"), ("command not found", "does not tell its version")]
)
def test_a_host_that_cannot_be_used_is_refused_with_the_remedy(desk: Desk, version: str, told: str) -> None:
    (desk.home / "bin" / "version").write_text(version)
    done = desk.run("openclaw", "install", "--yes")
    assert done.returncode == 1
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 2  # what, and what to do
    assert not desk.path.exists()


def test_a_missing_host_is_told_and_can_be_named(desk: Desk) -> None:
    (desk.home / "bin" / "openclaw").rename(desk.home / "claw")
    missing = desk.run("openclaw", "install", "--yes")
    assert "npm install -g openclaw" in missing.stderr
    named = desk.run("openclaw", "install", "--openclaw", "claw")
    assert "2026.9.6" in named.stdout or "version" in named.stderr
    assert "cannot be started" in desk.run("openclaw", "install", "--openclaw", "nowhere").stderr


def test_a_configuration_that_is_managed_elsewhere_is_left_alone(desk: Desk) -> None:
    desk.environ["OPENCLAW_NIX_MODE"] = "1"
    assert "managed from outside" in desk.run("openclaw", "install", "--yes").stderr
    assert not desk.path.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_named(desk: Desk) -> None:
    desk.write({})
    desk.path.chmod(0o400)
    assert f"{desk.path} cannot be written to" in desk.run("openclaw", "install", "--yes").stderr


def test_a_file_of_another_program_in_place_of_the_store_is_named(desk: Desk) -> None:
    store = desk.home / ".clawdb" / "data.libravdb"
    store.parent.mkdir()
    store.write_bytes(b"LIBRAVDB\x01 of the earlier implementation")
    done = desk.run("openclaw", "install", "--yes")
    assert "another one has written it" in done.stderr
    assert f"mv {store}" in done.stderr
    assert not desk.path.exists()
    other = desk.home / "old.libravdb"
    store.rename(other)
    desk.write({"plugins": {"entries": {PLUGIN: {"config": {"dbPath": str(other)}}}}})  # as it was called before
    assert f"mv {other}" in desk.run("openclaw", "install", "--yes").stderr


def test_status_tells_also_where_nothing_is(desk: Desk) -> None:
    assert "not installed" in desk.run("openclaw", "status").stdout
    desk.write("{ /* JSON5 */ }")
    assert "no plain JSON" in desk.run("openclaw", "status").stdout
    desk.write({"plugins": {"entries": {PLUGIN: {"enabled": True, "config": {"userId": "anna"}}}}})
    told = json.loads(desk.run("--json", "openclaw", "status").stdout)
    assert told["plugin"].startswith("a copy")
    assert told["whose memory"].startswith("that of anna")
    assert told["slots"] == "memory is the default, contextEngine is the default"


def test_the_doctor_of_the_host_is_the_doctor_with_its_option(desk: Desk) -> None:
    ours, theirs = desk.run("openclaw", "doctor"), desk.run("doctor", "--openclaw")
    assert ours.returncode == theirs.returncode == 1
    assert "openclaw configuration" in ours.stdout
    assert [line.split(":")[0] for line in ours.stdout.splitlines()] == [
        line.split(":")[0] for line in theirs.stdout.splitlines()
    ]


# ── the plan, whatever stands there ───────────────────────────────────────────────────────────────────────

NAMES = st.sampled_from([None, PLUGIN, "memory-core", "memory-lancedb", 7])
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "userId": st.sampled_from(["", "anna"]),
        "memoryPer": st.sampled_from(["agent", "session", "nonsense"]),
        "daemonCommand": st.sampled_from(["libravdbd", "/d"]),
        "mode": st.just("augment"),
        "dreaming": st.sampled_from([None, {}, {"enabled": True}, {"enabled": False, "frequency": "0 3 * * *"}]),
    },
)
PLUGINS = st.fixed_dictionaries(
    {},
    optional={
        "slots": st.dictionaries(st.sampled_from(["memory", "contextEngine"]), NAMES),
        "entries": st.fixed_dictionaries(
            {},
            optional={
                PLUGIN: st.one_of(st.none(), st.fixed_dictionaries({"enabled": st.booleans(), "config": SETTINGS})),
                "memory-core": st.sampled_from([{}, {"enabled": True}, {"config": {"dreaming": {"enabled": True}}}, 7]),
            },
        ),
        "load": st.sampled_from([{}, {"paths": "text"}, {"paths": ["/elsewhere", 7]}, None]),
    },
)


def applied(document: Any, patch: Any) -> Any:
    """As the host merges a patch."""
    if not isinstance(patch, dict):
        return patch
    both = dict(document) if isinstance(document, dict) else {}
    for name, value in patch.items():
        if value is None:
            both.pop(name, None)
        else:
            both[name] = applied(both.get(name), value)
    return both


@given(plugins=PLUGINS, user=st.sampled_from([None, "ben"]), per=st.sampled_from([None, "agent", "session"]))
def test_what_is_planned_is_so_afterwards_and_can_be_put_back(
    plugins: dict[str, Any], user: str | None, per: str | None
) -> None:
    folder = plugin_folder()
    wishes = InstallWishes(folder=folder, daemon="/bin/libravdbd", user=user, memory_per=None if user else per)
    found = HostConfig(path=Path("openclaw.json"), plugins=plugins)
    record = what_stands(found, plugin=PLUGIN)
    patch = merged(plan(found, wishes, None))
    linked = {"plugins": {"load": {"paths": [str(folder)]}, "entries": {PLUGIN: {"enabled": True}}}}
    after = applied(applied({"plugins": plugins}, linked), patch)["plugins"]
    finished = InstallRecord(surface=surface_of(folder))
    lines = plan(HostConfig(path=found.path, plugins=after), wishes, finished)
    assert [line.name for line in lines if not line.is_so] == []
    assert merged(lines) == {}

    back = HostConfig(path=found.path, plugins=applied({"plugins": after}, restoring(record, plugin=PLUGIN))["plugins"])
    assert back.entry == {}
    for slot in ("memory", "contextEngine"):
        before = found.slots.get(slot)
        assert back.slots.get(slot) == (before if isinstance(before, str) and before != PLUGIN else None)
    assert back.entry_of("memory-core") == found.entry_of("memory-core")


@pytest.mark.parametrize("text", ["", "no json", "[]", '{"slots": 7, "version": null}'])
def test_a_damaged_record_of_the_installation_does_no_harm(tmp_path: Path, text: str) -> None:
    (tmp_path / "libravdb").mkdir()
    (tmp_path / "libravdb" / "install.json").write_text(text)
    found = read_record(tmp_path)
    assert found is None or set(found.slots.values()) == {None}


def test_a_record_of_the_installation_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = InstallRecord(slots={"memory": "memory-core", "contextEngine": None}, version=__version__, surface="x")
    write_record(tmp_path, record)
    assert read_record(tmp_path) == record
    assert stat.S_IMODE((tmp_path / "libravdb" / "install.json").stat().st_mode) == 0o600
