"""`libravdb service` against stand-ins for systemctl, journalctl and launchctl: real programs, first on PATH, which
record how they were called, remember what they were told, and answer as the real ones do."""

from __future__ import annotations

import json
import os
import plistlib
import shutil
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click.testing
import pytest

from libravdb.cli.context import CommandContext
from libravdb.cli.service.commands import service
from libravdb.cli.service.supervisors import Launchd, ProcessResult, supervisor_of
from libravdb.errors import ConfigError, DaemonError

STAND_IN = '''\
import json, os, pathlib, sys
here = pathlib.Path(__file__).resolve().parent
program, arguments = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
with (here / "calls.jsonl").open("a") as calls:
    calls.write(json.dumps([program, *arguments]) + "\\n")
memory = here / "memory.json"
state = json.loads(memory.read_text())

def leave(code=0, output="", errors=""):
    memory.write_text(json.dumps(state))
    sys.stdout.write(output)
    sys.stderr.write(errors)
    sys.exit(code)

def run():
    """What the daemon does when it starts: it says beside its store who it is and where it listens."""
    if state["crashes"]:
        state.update(active="failed", pid=0)
        return
    if state["active"] != "active":
        state.update(active="active", pid=state["pid"] + 4711)
    if state["announces"]:
        note = {"pid": state["pid"], "endpoint": "unix:/run/libravdb.sock"}
        store = pathlib.Path(state["store"])
        store.parent.mkdir(parents=True, exist_ok=True)
        store.with_name(store.name + ".lock").write_text(json.dumps(note))

def systemctl(user, verb, *rest):
    assert user == "--user"
    file = pathlib.Path(state["unit"])
    if state["bus"]:
        leave(1, "", state["bus"] + "\\n")
    if verb == "daemon-reload":
        state["known"] = file.exists()
    elif verb == "show":
        load = state["load"] or ("loaded" if state["known"] else "not-found")
        enabled = "enabled" if state["enabled"] else ""
        print(f"MainPID={state['pid'] if state['active'] == 'active' else 0}", f"LoadState={load}", sep="\\n")
        print(f"ActiveState={state['active']}", "SubState=running", f"UnitFileState={enabled}", sep="\\n")
    elif verb == "reset-failed":
        if not state["known"]:
            leave(1, "", "Failed to reset failed state of unit libravdbd.service: Unit not loaded.\\n")
    elif not state["known"]:
        leave(1, "", "Failed to enable unit: Unit file libravdbd.service does not exist.\\n")
    elif verb == "enable":
        state["enabled"] = True
    elif verb == "disable":
        state.update(enabled=False, active="inactive")
    elif verb in ("start", "restart"):
        if verb == "restart":
            state["active"] = "inactive"
        run()
    elif verb == "stop":
        state["active"] = "inactive"

def journalctl(*rest):
    print('{"event": "listening"}')

def launchctl(verb, *rest):
    if state["bus"]:
        leave(125, "", state["bus"] + "\\n")
    if verb == "print":
        if not state["known"]:
            leave(113, "", 'Could not find service "libravdb.libravdbd" in domain for user gui: 501\\n')
        if state["active"] == "active":
            print("gui/501/libravdb.libravdbd = {", "\\tstate = running", f"\\tpid = {state['pid']}", "}", sep="\\n")
        else:
            code = "1" if state["active"] == "failed" else "0"
            print("x = {", "\\tstate = not running", f"\\tlast exit code = {code}", "}", sep="\\n")
    elif verb == "print-disabled":
        print('disabled services = {', f'\\t"libravdb.libravdbd" => {state["load"] or "enabled"}', '}', sep="\\n")
    elif verb == "bootstrap":
        if state["known"]:
            leave(5, "", "Bootstrap failed: 5: Input/output error\\n")
        assert pathlib.Path(rest[1]).exists()
        state["known"] = True
        run()
    elif verb == "kickstart":
        run()
    elif verb == "kill":
        state["active"] = "inactive"
    elif verb == "bootout":
        state.update(known=False, active="inactive")

globals()[program](*arguments)
leave()
'''


class Machine:
    """A home, a PATH with stand-ins, and the command."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.bin = folder / "bin"
        self.store = self.home / ".clawdb" / "data.libravdb"
        self.unit = self.home / ".config" / "systemd" / "user" / "libravdbd.service"
        self.agent = self.home / "Library" / "LaunchAgents" / "libravdb.libravdbd.plist"
        self.home.mkdir()
        self.bin.mkdir()
        script = self.bin / "stand-in"
        script.write_text(f"#!{sys.executable} -S\n{STAND_IN}")
        script.chmod(0o755)
        for name in ("systemctl", "journalctl", "launchctl"):
            (self.bin / name).symlink_to(script)
        self.remember(
            unit=str(self.unit),
            store=str(self.store),
            known=False,
            enabled=False,
            active="inactive",
            pid=0,
            load="",
            bus="",
            crashes=False,
            announces=True,
        )

    def remember(self, **facts: Any) -> None:
        """Change what the stand-ins believe."""
        file = self.bin / "memory.json"
        former = json.loads(file.read_text()) if file.exists() else {}
        file.write_text(json.dumps(former | facts))

    def calls(self) -> list[str]:
        """How the programs were called since last asked, without the questions about the state."""
        file = self.bin / "calls.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        said = [" ".join(json.loads(line)) for line in lines]
        return [line for line in said if " show " not in line and " print" not in line]

    def run(self, *arguments: str, is_json: bool = False, store: Path | None = None) -> str:
        """What the command says; its errors are raised."""
        named = None if store is None else str(store)
        session = CommandContext(environ=os.environ, config_file=None, store=named, is_json=is_json)
        done = click.testing.CliRunner().invoke(service, arguments, obj=session, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    def status(self) -> dict[str, Any]:
        document = json.loads(self.run("status", is_json=True))
        assert isinstance(document, dict)
        return document


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Linux, whatever this is."""
    for name in os.environ:
        if name.startswith("LIBRAVDB_") or name == "XDG_CONFIG_HOME":
            monkeypatch.delenv(name)
    made = Machine(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.setenv("PATH", str(made.bin))
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys, "executable", _installed_python(tmp_path))
    return made


@pytest.fixture
def mac(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("PATH", f"{machine.bin}{os.pathsep}/usr/bin{os.pathsep}/bin")  # for tail
    return machine


def _installed_python(folder: Path) -> str:
    """A Python with libravdbd beside it, as an installed package has."""
    environment = folder / "env dir" / "bin"
    environment.mkdir(parents=True)
    for name in ("python", "libravdbd"):
        (environment / name).write_text("#!/bin/sh\n")
        (environment / name).chmod(0o755)
    return str(environment / "python")


# ── systemd ───────────────────────────────────────────────────────────────────────────────────────────────


def test_install_writes_enables_and_starts(machine: Machine, tmp_path: Path) -> None:
    said = machine.run("install")
    assert machine.calls() == [
        "systemctl --user daemon-reload",
        "systemctl --user enable libravdbd.service",
        "systemctl --user reset-failed libravdbd.service",
        "systemctl --user start libravdbd.service",
    ]
    assert f'ExecStart="{tmp_path}/env dir/bin/libravdbd" serve' in machine.unit.read_text()
    assert stat.S_IMODE(machine.unit.stat().st_mode) == 0o600
    assert [file.name for file in machine.unit.parent.iterdir()] == ["libravdbd.service"]
    assert f"Installed {machine.unit}" in said
    assert "Started (process 4711, listening on unix:/run/libravdb.sock)." in said
    assert "loginctl enable-linger" in said


def test_installing_again_changes_nothing_and_restarts_nothing(machine: Machine) -> None:
    machine.run("install")
    before = machine.unit.stat()
    machine.calls()
    said = machine.run("install")
    assert machine.unit.stat().st_mtime_ns == before.st_mtime_ns
    assert machine.unit.stat().st_ino == before.st_ino
    assert f"Up to date: {machine.unit}" in said
    assert "Running (process 4711" in said
    assert "systemctl --user restart libravdbd.service" not in machine.calls()


def test_another_setting_replaces_the_unit_shows_the_difference_and_restarts(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.run("install")
    machine.calls()
    monkeypatch.setenv("LIBRAVDB_RPC_ENDPOINT", "tcp:127.0.0.1:37421")
    said = machine.run("install")
    assert f"Replaced {machine.unit}\n  +Environment=" in said
    assert '  +Environment="LIBRAVDB_RPC_ENDPOINT=tcp:127.0.0.1:37421"\n' in said
    assert "Restarted (process 9422" in said
    assert machine.calls()[-1] == "systemctl --user restart libravdbd.service"


def test_no_start_installs_only(machine: Machine) -> None:
    said = machine.run("install", "--no-start")
    assert machine.calls() == ["systemctl --user daemon-reload", "systemctl --user enable libravdbd.service"]
    assert "Not started now" in said
    status = machine.status()
    assert (status["installed"], status["enabled"], status["running"], status["pid"]) == (True, True, False, None)


def test_the_daemon_gets_what_this_command_was_given_with_full_paths(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(machine.home)
    Path("own.toml").write_text("[search]\nk = 3\n")
    monkeypatch.setenv("LIBRAVDB_CONFIG", "own.toml")
    monkeypatch.setenv("LIBRAVDB_RPC_ENDPOINT", "unix:my socket")
    monkeypatch.setenv("LIBRAVDB_EMBEDDING_NORMALIZE", "yes")
    machine.run("install", "--no-start", store=Path("100%.libravdb"))
    lines = [line for line in machine.unit.read_text().splitlines() if line.startswith("Environment=")]
    assert lines == [
        f'Environment="LIBRAVDB_CONFIG={machine.home}/own.toml"',
        'Environment="LIBRAVDB_EMBEDDING_NORMALIZE=true"',
        f'Environment="LIBRAVDB_RPC_ENDPOINT=unix:{machine.home}/my socket"',
        f'Environment="LIBRAVDB_STORE_PATH={machine.home}/100%%.libravdb"',
    ]


def test_the_usual_file_is_left_for_the_daemon_to_read(machine: Machine) -> None:
    machine.store.parent.mkdir()
    (machine.store.parent / "config.toml").write_text("[search]\nk = 3\n")
    machine.run("install", "--no-start")
    assert "Environment=" not in machine.unit.read_text()


def test_secrets_stay_out_of_the_unit_and_that_is_said(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRAVDB_DAEMON_TOKEN", "hush")
    said = machine.run("install", "--no-start")
    assert "hush" not in machine.unit.read_text()
    assert "hush" not in said
    assert "LIBRAVDB_DAEMON_TOKEN is a secret and was not passed on" in said


def test_a_database_whose_password_cannot_be_passed_on_is_refused(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service would come up with another memory."""
    monkeypatch.setenv("LIBRAVDB_STORE_URL", "postgresql://anna:hush@db.example.org/memory")
    with pytest.raises(ConfigError, match="has a password in it"):
        machine.run("install", "--no-start")
    assert not machine.unit.exists()
    monkeypatch.setenv("LIBRAVDB_STORE_URL", "postgresql://anna@db.example.org/memory")
    machine.run("install", "--no-start")
    assert "LIBRAVDB_STORE_URL=postgresql://anna@db.example.org/memory" in machine.unit.read_text()


def test_a_daemon_that_fails_is_told_with_its_last_words(machine: Machine) -> None:
    machine.remember(crashes=True)
    with pytest.raises(DaemonError, match="started and failed") as caught:
        machine.run("install")
    assert '{"event": "listening"}' in caught.value.message
    assert "libravdb service logs" in caught.value.remedy


def test_start_and_stop_need_an_installed_service(machine: Machine) -> None:
    for command in ("start", "stop"):
        with pytest.raises(DaemonError, match="not installed") as caught:
            machine.run(command)
        assert "libravdb service install" in caught.value.remedy


def test_stop_then_start(machine: Machine) -> None:
    machine.run("install")
    assert "Stopped" in machine.run("stop")
    assert machine.status()["running"] is False
    assert "It was not running" in machine.run("stop")
    assert "Started (process" in machine.run("start")
    assert "running already" in machine.run("start")
    assert json.loads(machine.run("start", is_json=True))["running"] is True


def test_starting_a_service_of_another_store_does_not_wait_for_this_one(machine: Machine) -> None:
    machine.run("install", "--no-start", store=machine.home / "other.libravdb")
    machine.remember(announces=False)
    assert "Started (process 4711; it has not said yet where it listens)." in machine.run("start")


def test_status_tells_all_in_a_table_and_in_json(machine: Machine) -> None:
    assert machine.run("status").splitlines()[0] == "installed\tno"
    machine.run("install")
    assert machine.run("status").splitlines() == [
        f"installed\t{machine.unit}",
        "starts at login\tyes",
        "running\tyes, active (running)",
        "process\t4711",
        "endpoint\tunix:/run/libravdb.sock",
    ]
    assert machine.status() == {
        "supervisor": "systemd",
        "path": str(machine.unit),
        "installed": True,
        "enabled": True,
        "running": True,
        "state": "active (running)",
        "pid": 4711,
        "endpoint": "unix:/run/libravdb.sock",
        "current": True,
    }


def test_status_notices_a_unit_of_other_settings(machine: Machine) -> None:
    other = machine.home / "other.libravdb"
    machine.remember(store=str(other))
    done = json.loads(machine.run("install", store=other, is_json=True))
    assert (done["changed"], done["running"], done["endpoint"]) == (True, True, "unix:/run/libravdb.sock")
    assert "'libravdb service install' brings it up to date" in machine.run("status")
    assert machine.status()["current"] is False


def test_an_endpoint_that_another_process_announced_is_not_ours(machine: Machine) -> None:
    machine.run("install")
    machine.remember(pid=99)
    assert machine.status()["endpoint"] is None


def test_remove_stops_deletes_and_leaves_the_memory(machine: Machine) -> None:
    machine.run("install")
    machine.store.write_text("precious")
    machine.calls()
    said = machine.run("remove")
    assert machine.calls() == [
        "systemctl --user disable --now libravdbd.service",
        "systemctl --user daemon-reload",
        "systemctl --user reset-failed libravdbd.service",
    ]
    assert not machine.unit.exists()
    assert machine.store.read_text() == "precious"
    assert f"Your memory stays as it is: {machine.store}" in said
    assert "nothing to remove" in machine.run("remove")


def test_logs_are_the_journal_of_the_unit(machine: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    machine.run("logs", "-n", "7", "-f")
    assert machine.calls() == ["journalctl --user --unit=libravdbd.service --lines=7 --no-pager --follow"]
    assert capfd.readouterr().out == '{"event": "listening"}\n'
    assert json.loads(machine.run("logs", is_json=True)) == {"lines": ['{"event": "listening"}']}


def test_following_has_no_end_and_so_no_json(machine: Machine) -> None:
    session = CommandContext(environ=os.environ, config_file=None, store=None, is_json=True)
    done = click.testing.CliRunner().invoke(service, ["logs", "-f"], obj=session)
    assert done.exit_code == 2
    assert machine.calls() == []


@pytest.mark.parametrize(
    "answer",
    [
        "Failed to connect to bus: No medium found",
        "Failed to connect to bus: $DBUS_SESSION_BUS_ADDRESS and $XDG_RUNTIME_DIR not defined",
        "System has not been booted with systemd as init system (PID 1). Can't operate.",
    ],
)
def test_without_a_session_bus_nothing_is_written_and_the_way_out_is_named(machine: Machine, answer: str) -> None:
    machine.remember(bus=answer)
    for command in ("install", "start", "stop", "status", "remove"):
        with pytest.raises(DaemonError, match="systemd does not run for this user") as caught:
            machine.run(command)
        assert answer in caught.value.message
        assert "loginctl enable-linger" in caught.value.remedy
        assert "libravdbd &" in caught.value.remedy
    assert list(machine.home.iterdir()) == []


def test_another_failure_of_systemctl_is_quoted(machine: Machine) -> None:
    machine.run("install")
    machine.remember(known=False)
    with pytest.raises(DaemonError, match=r"'systemctl --user start .*' failed: Failed to enable unit"):
        machine.run("start")


def test_a_masked_unit_is_left_alone(machine: Machine) -> None:
    machine.remember(load="masked")
    with pytest.raises(DaemonError, match="masked") as caught:
        machine.run("install")
    assert "systemctl --user unmask libravdbd.service" in caught.value.remedy


def test_a_missing_systemctl_is_told(machine: Machine) -> None:
    (machine.bin / "systemctl").unlink()
    with pytest.raises(DaemonError, match="no systemctl") as caught:
        machine.run("install")
    assert "libravdbd &" in caught.value.remedy


def test_a_missing_libravdbd_is_told(machine: Machine) -> None:
    Path(sys.executable).with_name("libravdbd").unlink()
    with pytest.raises(DaemonError, match="libravdbd was not found"):
        machine.run("install")
    (machine.bin / "libravdbd").symlink_to(machine.bin / "stand-in")
    machine.run("install")
    assert f'ExecStart="{machine.bin}/libravdbd" serve' in machine.unit.read_text()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_told(machine: Machine) -> None:
    machine.unit.parent.mkdir(parents=True)
    machine.unit.parent.chmod(0o500)
    with pytest.raises(DaemonError, match="cannot be written"):
        machine.run("install")
    machine.unit.parent.chmod(0o700)


def test_a_folder_in_the_way_is_told(machine: Machine) -> None:
    machine.unit.mkdir(parents=True)
    with pytest.raises(DaemonError, match="cannot be read"):
        machine.run("install")
    machine.unit.rmdir()
    machine.unit.parent.rmdir()
    machine.unit.parent.write_text("")
    with pytest.raises(DaemonError, match="cannot be"):
        machine.run("install")


def test_the_folder_of_configuration_may_be_another(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(machine.home / "settings"))
    assert machine.status()["path"] == str(machine.home / "settings" / "systemd" / "user" / "libravdbd.service")
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative, so it does not count")
    assert machine.status()["path"] == str(machine.unit)


# ── launchd ───────────────────────────────────────────────────────────────────────────────────────────────


def test_on_a_mac_install_takes_the_agent_in(mac: Machine) -> None:
    said = mac.run("install")
    target = f"gui/{os.getuid()}"
    assert mac.calls() == [
        f"launchctl enable {target}/libravdb.libravdbd",
        f"launchctl bootstrap {target} {mac.agent}",
    ]
    agent = plistlib.loads(mac.agent.read_bytes())
    assert agent["ProgramArguments"] == [str(Path(sys.executable).with_name("libravdbd")), "serve"]
    assert stat.S_IMODE((mac.home / ".clawdb" / "log").stat().st_mode) == 0o700
    assert "Started (process 4711, listening on unix:/run/libravdb.sock)." in said
    assert "linger" not in said
    status = mac.status()
    assert (status["supervisor"], status["enabled"], status["running"]) == ("launchd", True, True)


def test_on_a_mac_another_setting_lets_the_old_agent_go_first(mac: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    mac.run("install")
    mac.calls()
    monkeypatch.setenv("LIBRAVDB_SEARCH_K", "4")
    assert "+<key>LIBRAVDB_SEARCH_K</key>" in "".join(mac.run("install").split())
    verbs = [call.split()[1] for call in mac.calls()]
    assert verbs == ["enable", "bootout", "bootstrap"]


def test_on_a_mac_stop_start_and_remove(mac: Machine) -> None:
    mac.run("install")
    mac.calls()
    mac.run("stop")
    assert mac.status()["state"] == "not running"
    mac.run("start")
    said = mac.run("remove")
    assert [call.split()[1] for call in mac.calls()] == ["kill", "kickstart", "bootout"]
    assert not mac.agent.exists()
    assert "Your memory stays" in said
    assert mac.status()["state"] == "not loaded"


def test_on_a_mac_a_failed_daemon_is_told(mac: Machine) -> None:
    mac.remember(crashes=True)
    with pytest.raises(DaemonError, match="started and failed"):
        mac.run("install")


def test_on_a_mac_a_disabled_agent_does_not_start_at_login(mac: Machine) -> None:
    mac.run("install", "--no-start")
    mac.remember(load="disabled")
    assert mac.status()["enabled"] is False


def test_on_a_mac_logs_are_a_file(mac: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DaemonError, match="does not exist yet"):
        mac.run("logs")
    mac.run("install")
    (mac.home / ".clawdb" / "log" / "libravdbd.log").write_text("one\ntwo\nthree\n")
    mac.run("logs", "-n", "2")
    assert capfd.readouterr().out == "two\nthree\n"


def test_on_a_mac_without_a_desktop_session_the_way_out_is_named(mac: Machine) -> None:
    mac.remember(bus="Bootstrap failed: 125: Domain does not support specified action")
    with pytest.raises(DaemonError, match="no desktop session") as caught:
        mac.run("install")
    assert "libravdbd &" in caught.value.remedy


def test_another_failure_of_launchctl_is_quoted(tmp_path: Path) -> None:
    def fail(command: Sequence[str], *, is_shown: bool = False) -> ProcessResult:
        assert not is_shown
        return ProcessResult(code=3 if command[1] == "print" else 5, errors="Bootstrap failed: 5: Input/output error\n")

    with pytest.raises(DaemonError, match=r"bootstrap gui/501 .* failed: Bootstrap failed: 5"):
        Launchd(fail, home=tmp_path, user=501).start()


# ── other machines ────────────────────────────────────────────────────────────────────────────────────────


def test_elsewhere_there_is_no_service_but_a_way(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DaemonError, match="not for win32") as caught:
        supervisor_of("win32", environ={})
    assert "libravdbd" in caught.value.remedy
    monkeypatch.setattr(sys, "platform", "freebsd14")
    with pytest.raises(DaemonError, match="not for freebsd14"):
        machine.run("status")


@pytest.mark.skipif(shutil.which("systemctl") is None, reason="systemd is not installed here")
def test_the_real_systemctl_without_a_bus_gives_the_same_clear_error(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shutil.which("systemctl", path=os.defpath + os.pathsep + "/usr/bin")
    assert real is not None
    monkeypatch.setenv("PATH", str(Path(real).parent))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(machine.home))  # where no bus listens
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={machine.home}/bus")
    with pytest.raises(DaemonError, match="systemd does not run for this user") as caught:
        machine.run("install")
    assert "libravdbd &" in caught.value.remedy
    assert not machine.unit.exists()


@pytest.mark.parametrize("command", ["", "install", "start", "stop", "status", "logs", "remove"])
def test_help_teaches_by_example_and_needs_no_supervisor(command: str) -> None:
    done = click.testing.CliRunner().invoke(service, [*command.split(), "--help"])
    assert done.exit_code == 0
    assert f"Examples:\n    libravdb service {command}".rstrip() in done.output
