"""The programs that keep the daemon running: systemd on Linux and launchd on macOS, both for this user alone.

Nothing here needs root. Their programs are found on PATH and run through one seam, `Runner`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from libravdb.cli.service.units import LAUNCHD_LABEL, SYSTEMD_NAME, ServiceUnit, launchd_agent, systemd_unit
from libravdb.errors import DaemonError

BY_HAND = "Start the daemon yourself instead: libravdbd &"
WAIT_SECONDS = 10.0
"""How long a daemon that was told to start or to go may take before we stop watching; it goes on by itself."""


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
