"""Builds the wheel and the sdist into `dist/`, and tries the wheel where nothing else is: `make test-wheel`.

In an environment of its own and outside the checkout: it installs, has all it needs and nothing it should not have,
imports, tells its version, and plays the demo. Needs an index or a folder of wheels that pip can reach.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
NEEDED = (
    "libravdb/py.typed",
    "libravdb/adapters/embedders/models/*/model.onnx",
    "libravdb/adapters/embedders/models/*/LICENSE",
    "libravdb/inspector/page/index.html",
    "libravdb/inspector/page/views/timeline.js",
    "libravdb/openclaw_plugin/openclaw.plugin.json",
    "libravdb/openclaw_plugin/package.json",
    "libravdb/openclaw_plugin/index.js",
    "libravdb/openclaw_plugin/README.md",
    "libravdb_memory-*.dist-info/licenses/LICENSE",
    "libravdb_memory-*.dist-info/licenses/NOTICE",
)
"""Files without which the package is not whole."""

TRY = """
import libravdb
from libravdb import Memory
with Memory.open("memory.libravdb") as memory:
    memory.ingest("The spare key is under the blue flower pot.")
    assert "flower pot" in memory.search("how do I get in?", k=1).hits[0].record.text
print(libravdb.__version__, libravdb.__file__)
"""


class WheelBroken(Exception):
    """The wheel is not what it should be; the message says how."""


def run(*command: str | Path, cwd: Path, environ: dict[str, str] | None = None) -> str:
    """Run a command and give back what it printed; what it could not do ends everything with its own words."""
    print("$", *(str(part).replace(str(ROOT), ".") for part in command), flush=True)
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise WheelBroken(f"{done.stdout}{done.stderr}")
    return done.stdout


def build(python: Path) -> Path:
    """Make wheel and sdist anew, the wheel from the sdist: what is missing there would be missing for everybody."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(python, "-m", "pip", "install", "-q", "build", cwd=ROOT)
    run(python, "-m", "build", "--outdir", DIST, ROOT, cwd=ROOT)
    (wheel,) = DIST.glob("*.whl")
    return wheel


def check_contents(names: Sequence[str]) -> None:
    """Refuse a wheel that lacks something needed, or brings more than the package."""
    missing = [pattern for pattern in NEEDED if not any(Path(name).match(pattern) for name in names)]
    foreign = [name for name in names if not re.match(r"libravdb(/|_memory-)", name) or "openclaw_plugin/test" in name]
    if missing or foreign:
        raise WheelBroken(f"The wheel lacks {missing} and has {foreign[:5]} too many.")


def try_out(wheel: Path, folder: Path) -> None:
    """Install the wheel in a fresh environment and use it as a newcomer would."""
    environment = folder / "fresh"
    venv.create(environment, with_pip=True)
    programs = environment / "bin"
    # HOME is the folder, so that nobody's memory is touched; a PYTHONPATH would bring the checkout back.
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("LIBRAVDB_", "PYTHON"))}
    environ["HOME"] = str(folder)
    run(programs / "python", "-m", "pip", "install", "-q", wheel, cwd=folder, environ=dict(os.environ))
    run(programs / "python", "-m", "pip", "check", cwd=folder, environ=environ)
    version = run(programs / "libravdb", "--version", cwd=folder, environ=environ).split()[-1]
    if f"-{version}-" not in wheel.name:
        raise WheelBroken(f"{wheel.name} says that it is version {version}.")
    told = run(programs / "python", "-W", "error", "-c", TRY, cwd=folder, environ=environ)
    if str(environment) not in told:
        raise WheelBroken(f"Another copy was imported: {told}")
    run(programs / "libravdbd", "version", cwd=folder, environ=environ)
    if "Jonas" not in run(programs / "libravdb", "demo", cwd=folder, environ=environ):
        raise WheelBroken("The demo tells nothing of Jonas.")


def main() -> int:
    """Build, look inside, try; 1 when something is wrong."""
    try:
        with tempfile.TemporaryDirectory(prefix="libravdb-wheel-") as name:
            folder = Path(name).resolve()  # on macOS the name is a link
            venv.create(folder / "builder", with_pip=True)
            wheel = build(folder / "builder" / "bin" / "python")
            check_contents(zipfile.ZipFile(wheel).namelist())
            try_out(wheel, folder)
    except WheelBroken as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{wheel.relative_to(ROOT)} installs, imports, and plays the demo.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
