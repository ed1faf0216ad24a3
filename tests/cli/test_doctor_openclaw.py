"""`doctor --openclaw` on the configurations that people really have."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.served import Served

from libravdb.cli.doctor_openclaw import examine_openclaw
from libravdb.cli.openclaw.host_status import look
from libravdb.cli.openclaw.install_record import InstallRecord, write_record
from libravdb.cli.openclaw.plugin_folder import PLUGIN, plugin_folder, surface_of
from libravdb.model import Health
from libravdb.wire import endpoint

Examine = Callable[..., dict[str, tuple[Health, str]]]

SLOTS = {"memory": PLUGIN, "contextEngine": PLUGIN}


@pytest.fixture
def examine(tmp_path: Path) -> Examine:
    """Examines a host whose configuration is given; each check by its name, with what it tells."""

    def examine(document: object = None, **environ: str) -> dict[str, tuple[Health, str]]:
        path = tmp_path / "openclaw.json"
        if document is not None:
            path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        environ = {"HOME": str(tmp_path), "PATH": str(tmp_path / "bin"), "OPENCLAW_CONFIG_PATH": str(path), **environ}
        return {one.name: (one.health, f"{one.detail} {one.remedy}") for one in examine_openclaw(environ)}

    return examine


def configured(settings: dict[str, Any] | None = None, **plugins: object) -> dict[str, Any]:
    """As 'libravdb openclaw install' leaves it."""
    entries = {PLUGIN: {"enabled": True, "config": {"dreaming": {"enabled": False}, **(settings or {})}}}
    return {"plugins": {"load": {"paths": [str(plugin_folder())]}, "slots": SLOTS, "entries": entries, **plugins}}


def program(folder: Path, name: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / name).chmod(0o700)


def test_a_host_that_is_set_up_is_well(examine: Examine, served: Served, tmp_path: Path) -> None:
    address = served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock")))
    program(tmp_path / "bin", "openclaw")
    (tmp_path / "bin" / "package.json").write_text('{"version": "2026.9.6"}', encoding="utf-8")
    found = examine(configured({"userId": "anna", "daemon": {"endpoint": str(address)}}))
    assert {health for health, _ in found.values()} == {Health.GOOD}
    assert "2026.9.6" in found["openclaw"][1]
    assert "answers" in found["daemon"][1]


def test_a_host_that_is_too_old_is_named(examine: Examine, tmp_path: Path) -> None:
    program(tmp_path / "bin", "openclaw")
    (tmp_path / "bin" / "package.json").write_text('{"version": "2026.6.1"}', encoding="utf-8")
    assert examine(configured())["openclaw"][0] is Health.BAD
    (tmp_path / "bin" / "package.json").write_text("no json", encoding="utf-8")
    assert examine(configured())["openclaw"][0] is Health.GOOD


def test_without_a_configuration_the_remedy_is_to_make_one(examine: Examine, tmp_path: Path) -> None:
    assert "onboard" in examine()["openclaw configuration"][1]
    found = examine("{ plugins: { /* JSON5 */ } }")
    assert found["openclaw configuration"][0] is Health.NOTICE
    assert "plugin" not in found
    assert (
        "onboard"
        in examine(OPENCLAW_CONFIG_PATH="", OPENCLAW_STATE_DIR=str(tmp_path / "x"))["openclaw configuration"][1]
    )
    assert "right to read" in examine(OPENCLAW_CONFIG_PATH=str(tmp_path))["openclaw configuration"][1]


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"plugins": {"slots": SLOTS}}, "not installed"),
        (configured(enabled=False), "all plugins"),
        (configured(deny=[PLUGIN]), "plugins.deny"),
        (configured(allow=["other"]), "plugins.allow"),
        ({"plugins": {"slots": SLOTS, "entries": {PLUGIN: {"enabled": False}}}}, "plugins enable"),
    ],
)
def test_why_the_plugin_does_not_load_is_told(examine: Examine, document: object, told: str) -> None:
    health, words = examine(document)["plugin"]
    assert health is Health.BAD
    assert told in words


def test_a_plugin_that_is_loaded_by_its_path_is_found(examine: Examine, tmp_path: Path) -> None:
    (tmp_path / "openclaw.plugin.json").write_text(json.dumps({"id": PLUGIN}), encoding="utf-8")
    paths = ["/nowhere", str(tmp_path)]
    assert examine({"plugins": {"slots": SLOTS, "load": {"paths": paths}}})["plugin"][0] is Health.GOOD


def test_a_copy_beside_memory_core_is_named_with_what_it_lacks(examine: Examine) -> None:
    health, words = examine(configured(load={}))["plugin"]
    assert health is Health.NOTICE
    assert "memory_search" in words
    assert "libravdb openclaw install" in words
    assert examine(configured(load={}, deny=["memory-core"]))["plugin"][0] is Health.GOOD


def test_a_link_into_a_python_that_is_gone_is_named(examine: Examine, tmp_path: Path) -> None:
    gone = str(tmp_path / "venv" / "openclaw_plugin")
    health, words = examine(configured(load={"paths": [gone]}))["plugin"]
    assert health is Health.BAD
    assert gone in words
    assert "libravdb openclaw install" in words


def test_a_plugin_that_was_updated_since_it_was_installed_is_named(examine: Examine, tmp_path: Path) -> None:
    write_record(tmp_path / ".openclaw", InstallRecord(surface="of another version"))
    health, words = examine(configured())["plugin"]
    assert health is Health.NOTICE
    assert "libravdb openclaw install" in words
    write_record(tmp_path / ".openclaw", InstallRecord(surface=surface_of(plugin_folder())))
    assert examine(configured())["plugin"][0] is Health.GOOD


def test_dreaming_that_goes_on_beside_us_is_named(examine: Examine) -> None:
    health, words = examine(configured({"dreaming": {}}))["dreaming"]
    assert health is Health.NOTICE
    assert f"plugins.entries.{PLUGIN}.config.dreaming.enabled false" in words
    assert examine(configured())["dreaming"][0] is Health.GOOD
    assert examine(configured({"dreaming": {}}, deny=["memory-core"]))["dreaming"][0] is Health.GOOD


def test_settings_of_the_earlier_implementation_tell_where_the_daemon_is(examine: Examine) -> None:
    assert "unix:/old.sock" in examine(configured({"sidecarPath": "unix:/old.sock"}))["daemon"][1]
    assert "/usr/bin" not in examine(configured({"sidecarPath": "/usr/bin/libravdbd"}))["daemon"][1]


def test_a_slot_that_another_plugin_holds_is_named(examine: Examine) -> None:
    health, words = examine(configured(slots={"memory": "memory-core"}))["slots"]
    assert health is Health.BAD
    assert "memory is memory-core, contextEngine is the default" in words
    assert f"config set plugins.slots.contextEngine {PLUGIN}" in words


def test_settings_that_the_engine_refuses_are_told_with_their_place(examine: Examine) -> None:
    health, words = examine(configured({"search": {"k": 0}}))["plugin settings"]
    assert health is Health.BAD
    assert "search.k" in words


def test_an_absent_daemon_is_a_problem_only_when_the_plugin_cannot_start_it(examine: Examine, tmp_path: Path) -> None:
    assert "not on PATH" in examine(configured())["daemon"][1]
    assert examine(configured({"startDaemon": False}))["daemon"][0] is Health.BAD
    program(tmp_path / "bin", "libravdbd")
    health, words = examine(configured())["daemon"]
    assert health is Health.NOTICE
    assert "starts libravdbd with the next turn" in words


def test_turns_that_no_daemon_has_heard_are_told(examine: Examine, tmp_path: Path) -> None:
    assert "waiting turns" not in examine(configured())
    folder = tmp_path / ".openclaw" / "libravdb" / "waiting-0123"
    folder.mkdir(parents=True)
    for number in range(3):
        (folder / f"{number:015}-000001-0a0b0c0d.json").write_text("{}", encoding="utf-8")
    health, told = examine(configured())["waiting turns"]
    assert health is Health.NOTICE
    assert f"3 turns and hints wait in {folder}" in told
    assert "Before you erase a person" in told
    environ = {"HOME": str(tmp_path), "PATH": "", "OPENCLAW_CONFIG_PATH": str(tmp_path / "openclaw.json")}
    assert look(environ, store=str(tmp_path / "m.libravdb"))["waiting"].startswith("3 turns")
