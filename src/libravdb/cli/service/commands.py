"""service install, start, stop, status, logs, remove: the daemon kept running by the machine's own supervisor.

systemd on Linux and launchd on macOS, both for this user alone: nothing here needs root. Their programs are found on
PATH and run through one seam, `Runner`.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import click
from rich.markup import escape

from libravdb.adapters.sqlite.ownership import holder_of
from libravdb.cli.context import CommandContext
from libravdb.cli.output import printable
from libravdb.cli.service.units import LAUNCHD_LABEL, SYSTEMD_NAME, ServiceUnit, launchd_agent, systemd_unit
from libravdb.config import FILE_VARIABLE, USUAL_FILE, Loaded, ValueOrigin, env_text, lookup, settings
from libravdb.errors import DaemonError
from libravdb.wire import endpoint

BY_HAND = "Start the daemon yourself instead: libravdbd &"
WAIT_SECONDS = 10.0
"""How long a started daemon may take to listen before we stop watching; it goes on by itself."""


# ── programs ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessResult:
    """How a program ended, and what it said."""

    code: int
    output: str = ""
    errors: str = ""

    @property
    def reason(self) -> str:
        """The last line it wrote about its failure."""
        lines = (self.errors.strip() or self.output.strip()).splitlines()
        return lines[-1].strip() if lines else f"exit code {self.code}"


class Runner(Protocol):
    """Runs a program to its end; with `is_shown` it writes to our terminal instead of into the outcome."""

    def __call__(self, command: Sequence[str], *, is_shown: bool = False) -> ProcessResult: ...


def run_program(command: Sequence[str], *, is_shown: bool = False) -> ProcessResult:
    """The Runner of real life: whatever PATH finds."""
    program = shutil.which(command[0])
    if program is None:
        raise DaemonError(f"There is no {command[0]} on this machine's PATH.", remedy=BY_HAND)
    done = subprocess.run(  # noqa: S603 - no shell, and our own arguments
        [program, *command[1:]], capture_output=not is_shown, encoding="utf-8", errors="replace", check=False
    )
    return ProcessResult(code=done.returncode, output=done.stdout or "", errors=done.stderr or "")


# ── supervisors ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceState:
    """What the supervisor knows of the daemon; `word` is its own word for it."""

    is_installed: bool
    is_enabled: bool = False
    is_running: bool = False
    has_failed: bool = False
    pid: int = 0
    word: str = ""


class Supervisor(Protocol):
    """Keeps the daemon running. `path` is where its file about the daemon lies."""

    name: str
    path: Path

    def render(self, unit: ServiceUnit) -> str: ...
    def state(self) -> ServiceState: ...
    def enable(self) -> None: ...
    def start(self) -> None: ...
    def restart(self) -> None: ...
    def stop(self) -> None: ...
    def disable(self) -> None: ...
    def forget(self) -> None: ...
    def logs(self, lines: int, *, follow: bool = False, bare: bool = False) -> list[str]: ...


class Systemd:
    """The user's own systemd."""

    name = "systemd"

    def __init__(self, run: Runner, *, folder: Path) -> None:
        self._run = run
        self.path = folder / "systemd" / "user" / SYSTEMD_NAME

    def render(self, unit: ServiceUnit) -> str:
        return systemd_unit(unit)

    def state(self) -> ServiceState:
        wanted = "LoadState,UnitFileState,ActiveState,SubState,MainPID"
        shown = self._control("show", SYSTEMD_NAME, f"--property={wanted}")
        facts = dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)
        if facts.get("LoadState") == "masked":
            raise DaemonError(
                f"{SYSTEMD_NAME} is masked: systemd will not start it.",
                remedy=f"Allow it again: systemctl --user unmask {SYSTEMD_NAME}",
            )
        active = facts.get("ActiveState", "")
        pid = facts.get("MainPID", "")
        return ServiceState(
            is_installed=self.path.exists(),
            is_enabled=facts.get("UnitFileState") == "enabled",
            is_running=active in ("active", "reloading"),
            has_failed=active == "failed",
            pid=int(pid) if pid.isdecimal() else 0,
            word=f"{active} ({facts.get('SubState', '')})",
        )

    def enable(self) -> None:
        self._control("daemon-reload")
        self._control("enable", SYSTEMD_NAME)

    def start(self) -> None:
        self._forgive()
        self._control("start", SYSTEMD_NAME)

    def restart(self) -> None:
        self._forgive()
        self._control("restart", SYSTEMD_NAME)

    def stop(self) -> None:
        self._control("stop", SYSTEMD_NAME)

    def disable(self) -> None:
        self._control("disable", "--now", SYSTEMD_NAME)

    def forget(self) -> None:
        self._control("daemon-reload")
        self._forgive()

    def logs(self, lines: int, *, follow: bool = False, bare: bool = False) -> list[str]:
        options = ["--follow"] * follow + ["--output=cat"] * bare
        return ["journalctl", "--user", f"--unit={SYSTEMD_NAME}", f"--lines={lines}", "--no-pager", *options]

    def _forgive(self) -> None:
        """Forget earlier failures, which could count against the next start; there may be none, and that is fine."""
        self._run(["systemctl", "--user", "reset-failed", SYSTEMD_NAME])

    def _control(self, *arguments: str) -> str:
        command = ["systemctl", "--user", *arguments]
        done = self._run(command)
        if done.code == 0:
            return done.output
        if "connect to bus" in done.errors or "not been booted with systemd" in done.errors:
            raise DaemonError(
                f"systemd does not run for this user ({done.reason}).",
                remedy="Log in as the user itself, not through su or sudo; 'loginctl enable-linger' keeps a user's "
                f"systemd running without a login. {BY_HAND}",
            )
        raise DaemonError(
            f"'{' '.join(command)}' failed: {done.reason}", remedy="'libravdb service logs' may tell more."
        )


class Launchd:
    """The agents of the user who is logged in on a Mac."""

    name = "launchd"

    def __init__(self, run: Runner, *, home: Path, user: int) -> None:
        self._run = run
        self._domain = f"gui/{user}"
        self._target = f"{self._domain}/{LAUNCHD_LABEL}"
        self.path = home / "Library" / "LaunchAgents" / f"{LAUNCHD_LABEL}.plist"
        self.log = home / ".clawdb" / "log" / "libravdbd.log"

    def render(self, unit: ServiceUnit) -> str:
        return launchd_agent(unit, log=str(self.log))

    def state(self) -> ServiceState:
        shown = self._shown()
        pid = re.search(r"^\s*pid = (\d+)$", shown, re.MULTILINE)
        word = re.search(r"^\s*state = (.+)$", shown, re.MULTILINE)
        failure = re.search(r"^\s*last exit code = ([1-9]\d*)", shown, re.MULTILINE)
        disabled = self._run(["launchctl", "print-disabled", self._domain]).output
        is_disabled = re.search(rf'"{re.escape(LAUNCHD_LABEL)}" => (disabled|true)', disabled)
        return ServiceState(
            is_installed=self.path.exists(),
            is_enabled=self.path.exists() and not is_disabled,
            is_running=pid is not None,
            has_failed=pid is None and failure is not None,
            pid=int(pid[1]) if pid else 0,
            word=word[1] if word else "not loaded",
        )

    def enable(self) -> None:
        self.log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # launchd does not make it
        self._control("enable", self._target)

    def start(self) -> None:
        if self._shown():
            self._control("kickstart", self._target)
        else:
            self._control("bootstrap", self._domain, str(self.path))

    def restart(self) -> None:
        """launchd reads the file only when it takes an agent in, so it has to let go of the old one first."""
        self.disable()
        self._control("bootstrap", self._domain, str(self.path))

    def stop(self) -> None:
        """The daemon leaves with 0 when told to, and launchd brings back only what failed."""
        self._control("kill", "SIGTERM", self._target)

    def disable(self) -> None:
        if not self._shown():
            return
        self._run(["launchctl", "bootout", self._target])  # may say "in progress": what counts is that it goes
        deadline = time.monotonic() + WAIT_SECONDS
        while self._shown():
            if time.monotonic() > deadline:
                raise DaemonError("launchd does not let go of the daemon.", remedy="Try again, or log out and in.")
            time.sleep(0.1)

    def forget(self) -> None:
        """launchd keeps nothing of an agent that it has let go."""

    def logs(self, lines: int, *, follow: bool = False, bare: bool = False) -> list[str]:  # noqa: ARG002 - always bare
        if not self.log.exists():
            raise DaemonError(f"{self.log} does not exist yet.", remedy="The daemon writes it when it first starts.")
        return ["tail", "-n", str(lines), *(["-F"] * follow), str(self.log)]

    def _shown(self) -> str:
        """What launchd says about the agent; empty when it has not taken it in."""
        done = self._run(["launchctl", "print", self._target])
        return done.output if done.code == 0 else ""

    def _control(self, *arguments: str) -> None:
        command = ["launchctl", *arguments]
        done = self._run(command)
        if done.code == 0:
            return
        if "domain" in done.reason.lower():
            raise DaemonError(
                f"launchd has no desktop session for this user ({done.reason}).",
                remedy=f"Log in on the Mac itself once, then try again. {BY_HAND}",
            )
        raise DaemonError(
            f"'{' '.join(command)}' failed: {done.reason}", remedy="'libravdb service logs' may tell more."
        )


def supervisor_of(platform: str, *, environ: Mapping[str, str], run: Runner = run_program) -> Supervisor:
    """The supervisor of this kind of machine."""
    if platform == "linux":
        named = Path(environ.get("XDG_CONFIG_HOME", ""))
        return Systemd(run, folder=named if named.is_absolute() else Path.home() / ".config")
    if platform == "darwin":
        return Launchd(run, home=Path.home(), user=os.getuid())
    raise DaemonError(
        f"Services are made for Linux (systemd) and macOS (launchd), not for {platform}.",
        remedy="Start the daemon yourself: libravdbd, for example from the system's task scheduler.",
    )


# ── what the daemon is told ───────────────────────────────────────────────────────────────────────────────


def program() -> str:
    """The `libravdbd` of this installation, else the one on PATH."""
    beside = Path(sys.executable).with_name("libravdbd")
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("libravdbd")
    if found is None:
        raise DaemonError(
            "libravdbd was not found, neither beside Python nor on PATH.", remedy="Install libravdb-memory again."
        )
    return os.path.abspath(found)  # noqa: PTH100 - Path would not take out the dots


def passed_on(loaded: Loaded) -> dict[str, str]:
    """The variables that give the daemon the settings of this command's options and environment.

    Paths are full ones, for the daemon runs elsewhere. What stands in the file is left there, to be changed there;
    secrets never go into a service's file.
    """
    environment: dict[str, str] = {}
    if loaded.file is not None and loaded.file != USUAL_FILE.expanduser():
        environment[FILE_VARIABLE] = str(loaded.file)
    for each in settings():
        origin, value = loaded.origins[each.key], lookup(loaded.config, each.key)
        if each.secret or origin.source not in (ValueOrigin.ENVIRONMENT, ValueOrigin.ARGUMENT):
            continue
        if each.key == "daemon.endpoint":
            value = str(endpoint.parse(str(value)))
        name = origin.name if origin.source is ValueOrigin.ENVIRONMENT else each.env
        environment[name] = env_text(each, value)
    return environment


def withheld(loaded: Loaded) -> list[str]:
    """The variables with secrets, which the daemon will not have."""
    secret = [loaded.origins[each.key] for each in settings() if each.secret]
    return [origin.name for origin in secret if origin.source is ValueOrigin.ENVIRONMENT]


def announced(store: Path, *, pid: int) -> str:
    """Where this process listens, as it wrote beside the store; empty when it has not, or serves another store."""
    holder = holder_of(store)
    return holder.endpoint if pid and holder is not None and holder.pid == pid else ""


def write_whole(path: Path, text: str) -> None:
    """Write a file for its owner alone, all at once: a reader finds the old text or the new one, never a part."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(handle, "w", encoding="utf-8", newline="\n") as out:  # noqa: PTH123 - from a descriptor
                out.write(text)
                out.flush()
                os.fsync(handle)
            Path(part).replace(path)
        finally:
            Path(part).unlink(missing_ok=True)
    except OSError as error:
        raise DaemonError(
            f"{path} cannot be written ({error.strerror}).", remedy="Check the permissions of the folder."
        ) from error


# ── commands ──────────────────────────────────────────────────────────────────────────────────────────────


class ServiceContext:
    """What these commands share: the session, the supervisor, and what would be installed now."""

    def __init__(self, session: CommandContext) -> None:
        self.output = session.output
        self.supervisor = supervisor_of(sys.platform, environ=os.environ)
        self._session = session

    @property
    def loaded(self) -> Loaded:
        return self._session.loaded

    @property
    def store(self) -> Path:
        return self.loaded.config.store.path

    def wanted(self) -> str:
        """The text that `install` would write."""
        return self.supervisor.render(ServiceUnit(executable=program(), environment=passed_on(self.loaded)))

    def present(self) -> str:
        """The text that lies there; empty when none does."""
        try:
            return self.supervisor.path.read_bytes().decode(errors="replace")
        except FileNotFoundError:
            return ""
        except OSError as error:
            message = f"{self.supervisor.path} cannot be read ({error.strerror})."
            raise DaemonError(message, remedy="Move it away, then install again.") from error

    def installed(self) -> ServiceState:
        """The state of a service that must be there."""
        state = self.supervisor.state()
        if not state.is_installed:
            raise DaemonError("The service is not installed.", remedy="'libravdb service install' installs it.")
        return state

    def watch(self) -> tuple[ServiceState, str]:
        """Wait until the started daemon listens, and tell where; raises when it fails instead."""
        is_ours = self.present() == self.wanted()  # otherwise it may serve a store that we do not know
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            state = self.supervisor.state()
            address = announced(self.store, pid=state.pid)
            if state.has_failed:
                raise DaemonError(
                    f"The daemon was started and failed.{self._last_words()}",
                    remedy="'libravdb service logs' shows more, and 'libravdb doctor' looks for the cause.",
                )
            if address or (state.is_running and not is_ours) or time.monotonic() > deadline:
                return state, address
            time.sleep(0.1)

    def _last_words(self) -> str:
        with contextlib.suppress(DaemonError):  # the failure itself is the news
            said = run_program(self.supervisor.logs(5, bare=True)).output.strip()
            return f" It said last:\n{said}" if said else ""
        return ""

    def tell_running(self, verb: str) -> None:
        """Say that the daemon runs, and where."""
        state, address = self.watch()
        if self.output.is_json:
            return
        where = f", listening on {address}" if address else "; it has not said yet where it listens"
        self.output.say(escape(f"{verb} (process {state.pid}{where})."))

    def show_json(self, **more: object) -> None:
        """The state after a command, as a document."""
        state = self.supervisor.state()
        document = {
            "supervisor": self.supervisor.name,
            "path": str(self.supervisor.path),
            "installed": state.is_installed,
            "enabled": state.is_enabled,
            "running": state.is_running,
            "state": state.word,
            "pid": state.pid or None,
            "endpoint": announced(self.store, pid=state.pid) or None,
        }
        self.output.json(document | more)


@click.group()
def service() -> None:
    """Keep the daemon running: at login, after a crash, without a terminal.

    A systemd user unit on Linux, a launchd agent on macOS. It belongs to you alone and needs no root.

    \b
    Examples:
      libravdb service install
      libravdb service status
      libravdb service logs -f
      libravdb service remove
    """


@service.command()
@click.option("--no-start", is_flag=True, help="Only install it; it starts at the next login.")
@click.pass_obj
def install(session: CommandContext, *, no_start: bool) -> None:
    """Install the service and start it. Again after a change of settings or version: it is brought up to date.

    The daemon gets the settings of this command: --store and --config, and the LIBRAVDB_ variables that are set now.
    The configuration file is read by the daemon itself at each start. Secrets are not written into the service's
    file: put them in the configuration file.

    \b
    Examples:
      libravdb service install
      libravdb --store ~/agents/memory.libravdb service install
      LIBRAVDB_RPC_ENDPOINT=tcp:127.0.0.1:37421 libravdb service install --no-start
    """
    desk = ServiceContext(session)
    before, present, wanted = desk.supervisor.state(), desk.present(), desk.wanted()
    is_changed = present != wanted
    diff = _difference(present, wanted) if present and is_changed else ""
    if is_changed:
        write_whole(desk.supervisor.path, wanted)
    desk.supervisor.enable()
    desk.output.say(escape(f"{_install_verb(present, wanted)} {desk.supervisor.path}"))
    if diff:
        desk.output.say(escape(printable(diff)))
    for name in withheld(desk.loaded):
        desk.output.warn(f"{name} is a secret and was not passed on; put it in the configuration file.")
    if no_start:
        desk.output.say("Not started now: 'libravdb service start' does it, and every login.")
    else:
        _bring_up(desk, is_running=before.is_running, is_changed=is_changed)
    if desk.supervisor.name == "systemd":
        desk.output.say("It stops when you log out; 'loginctl enable-linger' lets it run on.")
    if desk.output.is_json:
        desk.show_json(changed=is_changed, diff=diff)


def _install_verb(present: str, wanted: str) -> str:
    if not present:
        return "Installed"
    return "Up to date:" if present == wanted else "Replaced"


def _bring_up(desk: ServiceContext, *, is_running: bool, is_changed: bool) -> None:
    if is_running and is_changed:
        desk.supervisor.restart()
        desk.tell_running("Restarted")
    else:
        desk.supervisor.start()
        desk.tell_running("Running" if is_running else "Started")


def _difference(present: str, wanted: str) -> str:
    """The lines that go and the lines that come."""
    lines = difflib.unified_diff(present.splitlines(), wanted.splitlines(), n=0, lineterm="")
    return "\n".join(f"  {line}" for line in list(lines)[2:] if not line.startswith("@@"))


@service.command()
@click.pass_obj
def start(session: CommandContext) -> None:
    """Start the installed service, and wait until it listens.

    \b
    Examples:
      libravdb service start
    """
    desk = ServiceContext(session)
    was_running = desk.installed().is_running
    desk.supervisor.start()
    desk.tell_running("It was running already" if was_running else "Started")
    if desk.output.is_json:
        desk.show_json()


@service.command()
@click.pass_obj
def stop(session: CommandContext) -> None:
    """Stop the service until the next login or 'start'. What runs is finished first.

    \b
    Examples:
      libravdb service stop
    """
    desk = ServiceContext(session)
    if desk.installed().is_running:
        desk.supervisor.stop()
        desk.output.say("Stopped. 'libravdb service start' starts it again.")
    else:
        desk.output.say("It was not running.")
    if desk.output.is_json:
        desk.show_json()


@service.command()
@click.pass_obj
def status(session: CommandContext) -> None:
    """Show whether the service is installed, starts at login, runs, and where it listens.

    \b
    Examples:
      libravdb service status
      libravdb --json service status
    """
    desk = ServiceContext(session)
    state = desk.supervisor.state()
    is_current = desk.present() == desk.wanted()
    if desk.output.is_json:
        desk.show_json(current=is_current)
        return
    place = str(desk.supervisor.path)
    rows = (
        ("installed", place if state.is_installed else "no"),
        ("starts at login", "yes" if state.is_enabled else "no"),
        ("running", ("yes, " if state.is_running else "no, ") + state.word),
        ("process", str(state.pid or "none")),
        ("endpoint", announced(desk.store, pid=state.pid) or "none known"),
    )
    desk.output.table(("", f"libravdbd under {desk.supervisor.name}"), rows)
    if state.is_installed and not is_current:
        desk.output.warn(
            "It was installed with other settings or by another version than this command has; "
            "'libravdb service install' brings it up to date."
        )


@service.command()
@click.option("-n", "--lines", default=50, show_default=True, type=click.IntRange(min=1), help="How many lines.")
@click.option("-f", "--follow", is_flag=True, help="Go on showing new lines; stop with Ctrl-C.")
@click.pass_obj
def logs(session: CommandContext, lines: int, *, follow: bool) -> None:
    """Show the last lines of the daemon's log: the journal on Linux, a file on macOS. It holds no message text.

    \b
    Examples:
      libravdb service logs
      libravdb service logs -n 200
      libravdb service logs -f
    """
    output = session.output
    if follow and output.is_json:
        raise click.UsageError("--json gives one document, and --follow never ends: use one of the two.")
    command = ServiceContext(session).supervisor.logs(lines, follow=follow, bare=output.is_json)
    done = run_program(command, is_shown=not output.is_json)
    if done.code != 0:
        raise DaemonError(f"'{' '.join(command)}' failed ({done.reason}).", remedy="Is the service installed?")
    if output.is_json:
        output.json({"lines": done.output.splitlines()})


@service.command()
@click.pass_obj
def remove(session: CommandContext) -> None:
    """Stop the service and delete its file. The memory itself, the configuration and the logs stay.

    \b
    Examples:
      libravdb service remove
    """
    desk = ServiceContext(session)
    is_installed = desk.supervisor.state().is_installed
    if is_installed:
        desk.supervisor.disable()
        desk.supervisor.path.unlink(missing_ok=True)
        desk.supervisor.forget()
        desk.output.say(escape(f"Removed {desk.supervisor.path}. Your memory stays as it is: {desk.store}"))
    else:
        desk.output.say("The service is not installed: there is nothing to remove.")
    if desk.output.is_json:
        desk.show_json(removed=is_installed)


COMMANDS: tuple[click.Command, ...] = (service,)
