"""Both ways of installing, in the real host: linked from a wheel by our command, and copied from the npm tarball."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.openclaw_host import PLUGIN, PLUGIN_ID, ROOT, Host, call_tool, open_host, system_of, talk_of, whole_of

import libravdb

pytestmark = pytest.mark.openclaw

CLARA = "My sister Clara moved to Lisbon in March. She paints old boats there."
TOOLS = (PLUGIN_ID, "memory_search")
"""All tools of the plugin; the second one makes the host load memory-core, as its own dreaming does."""
OURS = ("libravdb", "memory-core", "conflict", "already registered", "undeclared")
"""Words of an error in the host's log that would be about us."""


def errors_in(log: str) -> list[str]:
    """The lines of the host's log at its level of errors that speak of us."""
    found = []
    for line in log.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry.get("_meta", {}).get("logLevelName") in ("ERROR", "FATAL") and any(word in line for word in OURS):
            found.append(line[:1_000])
    return found


def answers_in(requests: list[dict[str, object]]) -> list[str]:
    """What tools answered in the last request."""
    return [text for role, text in talk_of(requests[-1]) if role == "tool"]


# ── the wheel ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with the wheel, far from the checkout; its dependencies are lent by ours."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)], check=True, timeout=600)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "fresh", with_pip=False)
    python = folder / "fresh" / "bin" / "python"
    subprocess.run([*pip, "--python", str(python), "install", "-q", "--no-deps", str(wheel)], check=True, timeout=600)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "fresh")}))
    # A path file in a folder that is added by one is not read: the checkout of an editable installation stays away.
    lent = [folder for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")]
    (packages / "lent.pth").write_text("\n".join(lent) + "\n", encoding="utf-8")
    return folder / "fresh" / "bin"


@pytest.fixture
def stock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """The host as it comes."""
    with open_host(tmp_path_factory.mktemp("oc"), plugin=None, tools=(PLUGIN_ID,)) as host:
        yield host


def test_two_lines_install_it_from_the_wheel_and_one_takes_it_out_again(stock: Host, programs: Path) -> None:
    before = json.loads((stock.home / "openclaw.json").read_text(encoding="utf-8"))

    def ours(*arguments: str) -> subprocess.CompletedProcess[str]:
        """Our command, as somebody has it who installed the wheel."""
        return subprocess.run(
            [str(programs / "libravdb"), *arguments],
            env=stock.environment,
            cwd=stock.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    program = str(stock.installed / "node_modules" / ".bin" / "openclaw")
    try:
        done = ours("openclaw", "install", "--yes", "--openclaw", program)
        assert done.returncode == 0, done.stdout + done.stderr
        plugins = json.loads((stock.home / "openclaw.json").read_text(encoding="utf-8"))["plugins"]
        (linked,) = plugins["load"]["paths"]
        assert Path(linked).is_relative_to(programs.parent)
        assert plugins["entries"][PLUGIN_ID]["config"]["daemonCommand"] == str(programs / "libravdbd")
        assert "one text kept, found and deleted" in done.stdout

        written = (stock.home / "openclaw.json").read_bytes()
        again = ours("openclaw", "install", "--openclaw", program)
        assert again.returncode == 0, again.stdout + again.stderr
        assert "nothing was changed" in again.stdout
        assert (stock.home / "openclaw.json").read_bytes() == written

        stock.start_gateway(seconds=240)
        stock.say(CLARA, key="agent:main:first")
        stock.model.script = [call_tool("memory_search", query="Clara"), "In Lisbon."]
        requests = stock.say("In which city does my sister Clara live?", key="agent:main:first")
        assert CLARA in answers_in(requests)[0]
        assert "memory_search" in system_of(requests[0])
        assert f"version   {libravdb.__version__}" in stock.run("memory", "status").stdout  # the other is asked above
        assert errors_in(stock.log) == []
        assert "dreaming cron job" not in stock.log
        stock.stop_gateway()

        gone = ours("openclaw", "uninstall", "--yes", "--openclaw", program)
        assert gone.returncode == 0, gone.stdout + gone.stderr
        after = json.loads((stock.home / "openclaw.json").read_text(encoding="utf-8"))
        assert after["plugins"].get("slots", {}) == before["plugins"].get("slots", {})
        assert after["plugins"]["entries"] == before["plugins"]["entries"]
        assert not after["plugins"].get("load", {}).get("paths")
        assert (stock.home / "data.libravdb").exists()
    finally:
        stopped = ours("stop")
    assert "Stopped the daemon" in stopped.stdout, stopped.stderr


# ── the tarball ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_copy_from_the_tarball_answers_under_names_of_its_own_without_an_error(stock: Host) -> None:
    npm = shutil.which("npm")
    assert npm is not None
    environment = {**os.environ, "PATH": stock.environment["PATH"]}
    subprocess.run(
        [npm, "pack", "--silent", "--pack-destination", str(stock.home)],
        cwd=PLUGIN,
        env=environment,
        check=True,
        timeout=300,
        capture_output=True,
    )
    (tarball,) = stock.home.glob("*.tgz")
    stock.config["tools"]["allow"] = list(TOOLS)
    # Settings of the earlier implementation, which had the same id.
    stock.config["plugins"]["entries"][PLUGIN_ID] = {"config": {"sidecarPath": stock.endpoint, "sessionTTL": 60}}
    stock.write_config()
    stock.run("plugins", "install", "--force", "--accept-capabilities", str(tarball), seconds=600)
    stock.start_daemon()
    stock.start_gateway(seconds=240)

    stock.say(CLARA, key="agent:main:first")
    stock.model.script = [
        call_tool("libravdb_search", query="Clara"),
        call_tool("libravdb_get", path="durable/no-such-memory"),
        "In Lisbon.",
    ]
    requests = stock.say("In which city does my sister Clara live?", key="agent:main:first")
    found, missing = answers_in(requests)
    assert CLARA in found
    assert "not_found" in missing
    assert "libravdb_search" in system_of(requests[0])
    assert CLARA in whole_of(requests[0])
    offered = [tool["function"]["name"] for tool in requests[0]["tools"]]
    assert len(offered) == len(set(offered))

    assert errors_in(stock.log) == []
    assert "setting sidecarPath is now daemon.endpoint" in stock.log
    assert "setting sessionTTL is ignored" in stock.log

    assert f"version   {libravdb.__version__}" in stock.run("libravdb", "status").stdout
    doctor = subprocess.run(
        [sys.executable, "-m", "libravdb", "openclaw", "doctor"],
        env=stock.environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "is a copy" in doctor.stdout
    assert "libravdb openclaw install" in doctor.stdout
