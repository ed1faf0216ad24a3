"""The OpenClaw plugin by itself: its manifest, and its own tests in node against the real daemon."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tools import openclaw_demo, openclaw_manifest

import libravdb
from libravdb.config import from_host, load, settings

PLUGIN = Path(__file__).parent.parent / "plugins" / "openclaw"
NODE = shutil.which("node")
OLDEST_NODE = 20


def node_version() -> int:
    if NODE is None:
        return 0
    told = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.findall(r"\d+", told)[0])


@pytest.mark.skipif(
    node_version() < OLDEST_NODE, reason=f"the plugin's own tests need node {OLDEST_NODE} or newer on PATH"
)
@pytest.mark.parametrize("file", sorted(PLUGIN.glob("test/*.test.js")), ids=lambda file: file.name)
def test_the_plugins_own_tests_pass(file: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LIBRAVDB_")}
    done = subprocess.run(
        [str(NODE), "--test", str(file)],
        env={**environment, "PYTHON": sys.executable, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_manifest_is_made_from_the_settings() -> None:
    assert openclaw_manifest.MANIFEST.read_text(encoding="utf-8") == openclaw_manifest.text(), (
        "run: python tools/openclaw_manifest.py"
    )


def test_every_setting_of_the_engine_can_be_set_by_the_host_under_the_name_in_the_manifest() -> None:
    sections = openclaw_manifest.manifest()["configSchema"]["properties"]
    for setting in settings():
        name = openclaw_manifest.camel(setting.name)
        default = sections[setting.section]["properties"][name]["default"]
        found = from_host({setting.section: {name: default}}, "openclaw.json")
        assert list(found) == [setting.key]
        assert load(environ={"HOME": "/home/anna"}, arguments=found).origins[setting.key].place == "openclaw.json"


def test_a_host_may_still_write_the_names_that_settings_had_before() -> None:
    sections = openclaw_manifest.manifest()["configSchema"]["properties"]
    former = [setting for setting in settings() if setting.former]
    assert former
    for setting in former:
        section, name = setting.former.split(".")
        schema = sections[section]["properties"][openclaw_manifest.camel(name)]
        assert "default" not in schema  # the plugin would take it for a value
        assert list(from_host({section: {openclaw_manifest.camel(name): setting.default}}, "openclaw.json")) == [
            setting.key
        ]


def test_the_host_is_told_which_settings_are_for_experts() -> None:
    hints = openclaw_manifest.manifest()["uiHints"]
    marked = {name for name, hint in hints.items() if hint.get("advanced")}
    assert marked == {openclaw_manifest.hosts_key(setting) for setting in settings() if setting.expert}
    assert "search.speaker" in marked


def test_every_setting_of_the_plugin_is_documented() -> None:
    page = (PLUGIN.parent.parent / "docs" / "how-to" / "openclaw.md").read_text(encoding="utf-8")
    assert [name for name in openclaw_manifest.OWN if f"| `{name}` |" not in page] == []


def test_at_most_two_settings_have_to_be_made() -> None:
    schema = openclaw_manifest.manifest()["configSchema"]
    assert "required" not in schema
    assert all("default" in property for property in openclaw_manifest.OWN.values())


def test_the_package_has_the_version_of_the_library_and_depends_on_nothing() -> None:
    package = json.loads((PLUGIN / "package.json").read_text(encoding="utf-8"))
    assert package["version"] == libravdb.__version__
    assert "dependencies" not in package
    imported = {
        name
        for file in PLUGIN.glob("*.js")
        for name in re.findall(r"""(?:from|import\()\s*["']([^"']+)["']""", file.read_text(encoding="utf-8"))
    }
    assert all(name.startswith(("./", "node:", "openclaw/plugin-sdk/")) for name in imported), imported


# ── the package, the wheel and the demo ───────────────────────────────────────────────────────────────────


def test_the_package_can_be_published_as_it_is() -> None:
    package = json.loads((PLUGIN / "package.json").read_text(encoding="utf-8"))
    wanted = {"description", "license", "keywords", "engines", "files", "publishConfig", "openclaw"}
    assert wanted <= set(package)
    assert package["publishConfig"] == {"access": "public"}
    packed = {file.name for pattern in package["files"] for file in PLUGIN.glob(pattern)}
    needed = {file.name for file in PLUGIN.iterdir() if file.is_file()} - {"package.json"}  # npm takes that one itself
    assert packed == needed


def test_the_wheel_carries_all_of_the_plugin_but_its_tests() -> None:
    project = tomllib.loads((PLUGIN.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["sources"]["plugins/openclaw"] == "libravdb/openclaw_plugin"
    root = PLUGIN.parent.parent
    patterns = [one.lstrip("/") for one in wheel["include"] if "plugins" in one]
    carried = {file for pattern in patterns for file in root.glob(pattern)}
    assert carried == {file for file in PLUGIN.iterdir() if file.is_file()}


def test_every_name_that_may_be_registered_is_declared() -> None:
    declared = openclaw_manifest.manifest()
    names = (PLUGIN / "names.js").read_text(encoding="utf-8")
    own = dict(re.findall(r"(memory_\w+): \"(libravdb_\w+)\"", names))
    assert own
    assert {*own, *own.values()} <= set(declared["contracts"]["tools"])
    assert [command["name"] for command in declared["cliCommands"]] == ["libravdb", "memory"]


def test_a_setting_of_the_earlier_implementation_became_one_that_there_is_or_says_why_not() -> None:
    properties = openclaw_manifest.manifest()["configSchema"]["properties"]
    today = {*openclaw_manifest.OWN, *(openclaw_manifest.hosts_key(setting) for setting in settings())}
    for name, row in openclaw_manifest.earlier().items():
        assert name not in openclaw_manifest.OWN
        assert properties[name]["type"] == row["schema"]["type"]
        assert ("became" in row) != ("why" in row), name
        assert row.get("became", "userId") in today, name


def test_the_demo_tells_what_it_downloads_and_how_long_it_takes() -> None:
    first = " ".join(openclaw_demo.announcement(["openclaw@1"], Path(".openclaw")))
    assert "openclaw@1 from npm into .openclaw" in first
    assert "minutes" in first
    later = " ".join(openclaw_demo.announcement([], Path(".openclaw")))
    assert "nothing is downloaded" in later
    assert "seconds" in later
