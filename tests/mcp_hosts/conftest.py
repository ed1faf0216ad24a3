"""The hosts, installed from npm into a folder that is kept, and a home of their own for each run."""

from __future__ import annotations

import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.served import environment

from libravdb.app import holder_of
from libravdb.config import load

ROOT = Path(__file__).parent.parent.parent
FOLDER = Path(os.environ.get("MCP_HOSTS_INSTALLATION") or ROOT / ".mcp-hosts")
"""About 1.1 GB."""

NODE = "24.21.0"
NEEDED = {"@modelcontextprotocol/inspector": "2.12.0"}
OPTIONAL = {"@anthropic-ai/claude-code": "2.1.325", "@openai/codex": "0.166.0", "@google/gemini-cli": "0.61.0"}
"""Their tests are left out where npm cannot install them."""

SECONDS = 180


def node_package() -> str:
    """The npm package that carries a node for this machine: the inspector needs a newer one than most have."""
    chip = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower(), platform.machine())
    return f"node-{sys.platform}-{chip}"


@dataclass(frozen=True, slots=True)
class HostHome:
    """A home with a project in it, and the environment of the programs that run there."""

    project: Path
    env: dict[str, str]

    def run(self, *command: str | Path, with_errors: bool = False) -> str:
        """What a program says, on standard error too if that is wanted; it has to end well."""
        done = subprocess.run(
            [str(each) for each in command],
            cwd=self.project,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
        )
        shown = " ".join(str(each) for each in command)
        print(f"\n$ {shown}\n{done.stdout}{done.stderr}")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr if with_errors else done.stdout


@pytest.fixture(scope="session")
def installed() -> Path:
    """The folder of the programs."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is needed to install the hosts")
    wanted = {node_package(): NODE, **NEEDED, **OPTIONAL}
    FOLDER.mkdir(exist_ok=True)
    for package, version in wanted.items():
        told = FOLDER / "node_modules" / package / "package.json"
        if not told.exists() or f'"version": "{version}"' not in told.read_text(encoding="utf-8"):
            print(f"Fetching {package}@{version} from npm into {FOLDER} (once) …")
            _install(npm, f"{package}@{version}", is_needed=package not in OPTIONAL)
    return FOLDER / "node_modules"


def _install(npm: str, package: str, *, is_needed: bool) -> None:
    node = FOLDER / "node_modules" / node_package() / "bin"
    environ = {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ['PATH']}"}
    command = [npm, "install", "--prefix", str(FOLDER), "--silent", "--no-audit", "--no-fund", package]
    subprocess.run(command, cwd=FOLDER, check=is_needed, env=environ)


@pytest.fixture(scope="session")
def home(installed: Path) -> Iterator[HostHome]:
    """A home without anything; its daemon is ended afterwards."""
    with tempfile.TemporaryDirectory(prefix="lv-") as folder:
        project = Path(folder) / "project"
        project.mkdir()
        env = environment(
            Path(folder), LIBRAVDB_EMBEDDING_BACKEND="none", NO_COLOR="1", GEMINI_CLI_TRUST_WORKSPACE="true"
        )
        env.pop("PYTHONWARNINGS")
        node = installed / node_package() / "bin"
        env["PATH"] = f"{node}{os.pathsep}{env['PATH']}"
        yield HostHome(project, env)
        store = load(environ=env, arguments={"store.path": Path(folder) / ".clawdb" / "data.libravdb"}).config.store
        if (holder := holder_of(store)) is not None:
            os.kill(holder.pid, signal.SIGKILL)
