"""`libravdb stop` and the daemon that holds the store."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.served import Start, environment

from libravdb.adapters.sqlite.ownership import daemon_of, lock_path

WORDS_ONLY = {"LIBRAVDB_EMBEDDING_BACKEND": "none"}


def stop(home: Path, *options: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "libravdb", *options, "stop"],
        env=environment(home, **WORDS_ONLY, **settings),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def running(start: Start) -> subprocess.Popen[str]:
    """A daemon that listens."""
    daemon = start(**WORDS_ONLY)
    assert daemon.stdout is not None
    assert daemon.stdout.readline()
    return daemon


@pytest.mark.slow
def test_the_daemon_of_the_store_ends_and_then_nobody_is_there(start: Start, tmp_path: Path) -> None:
    daemon = running(start)
    done = stop(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Stopped the daemon (process {daemon.pid})" in done.stdout
    assert daemon.wait(60) == 0
    again = stop(tmp_path, "--json")
    assert (again.returncode, json.loads(again.stdout)) == (0, {"stopped": False, "pid": None})


@pytest.mark.slow
def test_a_daemon_that_runs_as_a_service_is_left_to_its_manager(start: Start, tmp_path: Path) -> None:
    daemon = running(start)
    unit = tmp_path / ".config" / "systemd" / "user" / "libravdbd.service"
    unit.parent.mkdir(parents=True)
    unit.touch()
    manager = tmp_path / "bin" / "systemctl"
    manager.parent.mkdir()
    manager.write_text(f"#!/bin/sh\necho LoadState=loaded; echo ActiveState=active; echo MainPID={daemon.pid}\n")
    manager.chmod(0o700)
    path = os.pathsep.join((str(manager.parent), os.environ["PATH"]))
    if sys.platform != "linux":
        pytest.skip("the stand-in is systemd's")
    done = stop(tmp_path, PATH=path, XDG_CONFIG_HOME="")
    assert done.returncode == 1
    assert "libravdb service stop" in done.stderr
    assert daemon.poll() is None


def test_the_note_of_a_dead_daemon_stops_nobody(tmp_path: Path) -> None:
    """Its process number may be somebody else's by now: that of this test."""
    store = tmp_path / ".clawdb" / "data.libravdb"
    store.parent.mkdir()
    store.touch()
    lock_path(store).write_text(json.dumps({"pid": os.getpid(), "endpoint": "unix:/nowhere.sock"}))
    assert daemon_of(store) is None
    done = stop(tmp_path)
    assert done.returncode == 0
    assert "nothing to stop" in done.stdout


def test_looking_for_a_daemon_makes_nothing(tmp_path: Path) -> None:
    assert daemon_of(tmp_path / "no" / "store") is None
    assert list(tmp_path.iterdir()) == []
