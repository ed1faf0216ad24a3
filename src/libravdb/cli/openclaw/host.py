"""The host's program `openclaw`: found, asked for its version and its configuration, and told what to change.

All changes go through the host's own commands: it knows its formats, keeps a copy of its configuration, and tells a
gateway that runs.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libravdb.cli.openclaw.host_config import HostConfig, config_path, mapping, read_plain, state_folder
from libravdb.errors import HostError

OLDEST = (2026, 9)
SECONDS = 600.0
"""How long one command of the host may take; it needs ten seconds where nothing else runs."""

READ_ONLY = ("OPENCLAW_CONFIG_READONLY", "OPENCLAW_NIX_MODE")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClawHost:
    """The program, where it is, and whose environment it runs in."""

    program: str
    version: str
    environ: Mapping[str, str]

    @property
    def config_path(self) -> Path:
        return config_path(self.environ)

    @property
    def state_folder(self) -> Path:
        return state_folder(self.environ)

    def read(self) -> HostConfig:
        """The configuration: from its file, or from the host where only the host can read it (JSON5, includes)."""
        path = self.config_path
        try:
            found = read_plain(path)
        except FileNotFoundError:
            return HostConfig(path=path, plugins={})
        except OSError as error:
            raise HostError(
                f"{path} cannot be read ({error.strerror}).", remedy="Give this user the right to read it."
            ) from error
        return found or HostConfig(path=path, plugins=self._plugins())

    def _plugins(self) -> Mapping[str, Any]:
        done = self._run("config", "get", "plugins", "--json")
        try:
            answer = mapping(json.loads(done.stdout))
        except ValueError:
            answer = {}
        if done.returncode == 0:
            return answer
        if "unset" in str(mapping(answer.get("error")).get("message", "")):
            return {}
        raise self._failed("config get plugins", done)

    def refuse_unwritable(self) -> None:
        """Raises when the host cannot write its configuration or its state here."""
        managed = next((name for name in READ_ONLY if self.environ.get(name) == "1"), "")
        if managed:
            raise HostError(
                f"OpenClaw's configuration is managed from outside ({managed}=1).",
                remedy="Make the changes there: 'libravdb openclaw status' and docs/how-to/openclaw.md name them.",
            )
        for path in (self.config_path, self.config_path.parent, self.state_folder):
            existing = next(one for one in (path.absolute(), *path.absolute().parents) if one.exists())
            if not os.access(existing, os.W_OK):
                raise HostError(
                    f"{existing} cannot be written to.",
                    remedy="Run this as the user to whom OpenClaw belongs, or give yourself write permission there.",
                )

    def call(self, *arguments: str, stdin: str = "") -> str:
        """Run a command of the host to its end; gives what it printed, raises what it says about a failure."""
        done = self._run(*arguments, stdin=stdin)
        if done.returncode:
            raise self._failed(" ".join(arguments), done)
        return done.stdout

    def patch(self, changes: Mapping[str, Any]) -> None:
        """Change the configuration, all at once; None takes a value out."""
        self.call("config", "patch", "--stdin", stdin=json.dumps(changes))

    def _run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return run_host(self.program, *arguments, environ=self.environ, stdin=stdin)

    def _failed(self, command: str, done: subprocess.CompletedProcess[str]) -> HostError:
        said = [line.strip() for line in (done.stderr.strip() or done.stdout).splitlines() if line.strip()]
        reason = " ".join(said[-4:])[-600:] or f"exit code {done.returncode}"
        return HostError(
            f"'openclaw {command}' failed: {reason}",
            remedy="'openclaw doctor' looks for the cause on its side.",
        )


def run_host(
    program: str, *arguments: str, environ: Mapping[str, str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the host's program; raises when it cannot be started or does not end."""
    try:
        return subprocess.run(  # noqa: S603 - no shell, the user's own program
            [program, *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env={**environ, "NO_COLOR": "1", "OPENCLAW_NO_UPDATE_CHECK": "1"},
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise HostError(
            f"'openclaw {' '.join(arguments)}' did not end within {SECONDS:.0f} seconds.",
            remedy="Try it by hand; then repeat this command.",
        ) from error
    except OSError as error:
        raise HostError(
            f"{program} cannot be started ({error.strerror}).", remedy="Name the program: --openclaw PATH."
        ) from error


def find_host(environ: Mapping[str, str], named: Path | None) -> OpenClawHost:
    """The host that is named, else the one on PATH; raises when there is none, or one that is too old."""
    if named is None:
        found = shutil.which("openclaw", path=environ.get("PATH", ""))
        if found is None:
            raise HostError(
                "openclaw was not found on PATH.",
                remedy="Install OpenClaw first (npm install -g openclaw), or name its program: --openclaw PATH.",
            )
    else:
        found = str(named.expanduser().absolute())
    done = run_host(found, "--version", environ=environ)
    numbers = re.search(r"\d+(?:\.\d+)+", done.stdout)
    if done.returncode or numbers is None:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise HostError(
            f"{found} does not tell its version{f' ({said[-1]})' if said else ''}.",
            remedy="Is it OpenClaw, and does the Node.js that it needs come first on PATH?",
        )
    version = numbers[0]
    if is_too_old(version):
        raise HostError(
            f"OpenClaw {version} at {found} is too old.",
            remedy="The plugin needs 2026.9 or newer: npm install -g openclaw@latest",
        )
    return OpenClawHost(program=found, version=version, environ=environ)


def is_too_old(version: str) -> bool:
    """Whether the plugin does not work in this version; one that is not known may do."""
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    return bool(numbers) and numbers < OLDEST
