"""One owner per store, seen from processes of their own: who is let in, who is told what, and what a death leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.puts import put

from libravdb.adapters.sqlite import ownership
from libravdb.adapters.sqlite.ownership import claim, claim_or_daemon, holder_of, lock_path
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.errors import DaemonError, StoreBusy, StoreError, StoreUnwritable
from libravdb.ports.claim import ClaimKind, Holder

Hold = Callable[..., "subprocess.Popen[str]"]

_HOLDER = """
import sys
from pathlib import Path
from libravdb.adapters.sqlite.ownership import claim
from libravdb.ports.claim import ClaimKind

with claim(Path(sys.argv[1]), ClaimKind(sys.argv[2])) as held:
    if sys.argv[3]:
        held.announce(sys.argv[3])
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def hold() -> Iterator[Hold]:
    """Starts a process that holds a store until it is told to end, or killed."""
    running: list[subprocess.Popen[str]] = []

    def hold(store: Path, kind: ClaimKind, *, endpoint: str = "") -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", _HOLDER, str(store), kind, endpoint],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        return process

    yield hold
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience is measured in seconds; whether it ends is seen as well after a fraction of one."""
    monkeypatch.setattr(ownership, "PROGRAM_PATIENCE", 0.1)
    monkeypatch.setattr(ownership, "PATIENCE", 0.3)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "m.libravdb"


# ── who is let in ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ClaimKind)
def test_a_program_lets_nobody_in_and_is_named(store: Path, hold: Hold, kind: ClaimKind) -> None:
    other = hold(store, ClaimKind.PROGRAM)
    with pytest.raises(StoreBusy, match=rf"is held by process {other.pid} \(-c\)") as caught:
        claim(store, kind)
    assert "libravdb service install" in caught.value.remedy


@pytest.mark.parametrize("kind", ClaimKind)
def test_a_daemon_is_told_to_whoever_comes(store: Path, hold: Hold, kind: ClaimKind) -> None:
    other = hold(store, ClaimKind.DAEMON, endpoint="unix:/here")
    assert claim_or_daemon(store, kind) == Holder(pid=other.pid, endpoint="unix:/here")
    with pytest.raises(DaemonError, match=rf"already serves {store} \(process {other.pid}, unix:/here\)"):
        claim(store, kind)


def test_commands_share_a_store_and_others_wait_for_them(store: Path, hold: Hold) -> None:
    hold(store, ClaimKind.COMMAND)
    claim(store, ClaimKind.COMMAND).close()
    for kind in (ClaimKind.PROGRAM, ClaimKind.DAEMON):
        with pytest.raises(StoreBusy, match="in use by a libravdb command"):
            claim(store, kind)


def test_a_command_waits_for_a_daemon_that_does_not_listen_yet(store: Path, hold: Hold) -> None:
    hold(store, ClaimKind.DAEMON)
    with pytest.raises(DaemonError, match="does not say where it listens"):
        claim(store, ClaimKind.COMMAND)


def test_within_a_process_stores_ride_on_one_claim_until_the_last_is_closed(store: Path) -> None:
    first, second = SqliteStore(store), SqliteStore(store)
    holder = holder_of(store)
    assert holder is not None
    assert holder.pid == os.getpid()
    first.close()
    assert holder_of(store) == holder
    second.commit([put("c", "x", "still ours")])
    second.close()
    assert holder_of(store) is None


def test_a_program_does_not_ride_on_a_command_that_shares(store: Path) -> None:
    with claim(store, ClaimKind.COMMAND), pytest.raises(StoreBusy, match="a command in this process"):
        claim(store, ClaimKind.PROGRAM)


def test_a_store_that_could_not_be_opened_is_not_held(store: Path, hold: Hold) -> None:
    store.write_text("no database")
    with pytest.raises(StoreError):
        SqliteStore(store)
    hold(store, ClaimKind.PROGRAM)


# ── what is left behind ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ClaimKind)
def test_a_killed_holder_holds_nothing(store: Path, hold: Hold, kind: ClaimKind) -> None:
    other = hold(store, kind, endpoint="unix:/here" if kind is ClaimKind.DAEMON else "")
    other.kill()
    other.wait()
    with SqliteStore(store) as opened:
        opened.commit([put("c", "x", "taken over")])
        holder = holder_of(store)
        assert holder is not None
        assert (holder.pid, holder.endpoint) == (os.getpid(), "")


def test_what_a_dead_daemon_said_of_itself_is_forgotten(store: Path, hold: Hold) -> None:
    other = hold(store, ClaimKind.DAEMON, endpoint="unix:/here")
    other.kill()
    other.wait()
    assert holder_of(store) == Holder(pid=other.pid, endpoint="unix:/here")
    with claim(store, ClaimKind.COMMAND):
        assert holder_of(store) is None


def test_nothing_is_left_beside_a_store_that_nobody_holds(store: Path, hold: Hold) -> None:
    other = hold(store, ClaimKind.COMMAND)
    claim(store, ClaimKind.COMMAND).close()
    assert lock_path(store).exists(), "the other one still shares it"
    other.communicate()
    assert list(store.parent.iterdir()) == []


def test_a_forked_child_owns_nothing_and_keeps_nothing(store: Path) -> None:
    """It neither rides on its parent's claim, nor lets go of it, nor holds it when the parent is gone."""
    code = f"""
import os, sys
from pathlib import Path
from libravdb.adapters.sqlite import ownership
from libravdb.errors import StoreBusy
from libravdb.ports.claim import ClaimKind

ownership.PROGRAM_PATIENCE = 0.1
store = Path({str(store)!r})
held = ownership.claim(store, ClaimKind.PROGRAM)
told, tell = os.pipe()
child = os.fork()
if child == 0:
    try:
        ownership.claim(store, ClaimKind.PROGRAM)
    except StoreBusy as error:
        print(f"process {{os.getppid()}}" in str(error), flush=True)
    held.close()
    os.write(tell, b".")
    sys.stdin.read()
    os._exit(0)
os.read(told, 1)
print(ownership.holder_of(store) is not None, flush=True)
os.kill(os.getpid(), {int(signal.SIGKILL)})
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        assert [parent.stdout.readline(), parent.stdout.readline()] == ["True\n", "True\n"]
        parent.wait(30)
        claim(store, ClaimKind.PROGRAM).close()
        assert parent.stdin is not None
        parent.stdin.close()  # lets the child go


# ── names of a file ───────────────────────────────────────────────────────────────────────────────────────


def test_a_store_reached_through_a_link_has_one_lock(store: Path, hold: Hold, tmp_path: Path) -> None:
    store.touch()
    (tmp_path / "link").symlink_to(store)
    other = hold(store, ClaimKind.DAEMON, endpoint="unix:/here")
    assert claim_or_daemon(tmp_path / "link", ClaimKind.COMMAND) == Holder(pid=other.pid, endpoint="unix:/here")


def test_a_file_with_two_names_is_refused_by_either(store: Path, tmp_path: Path) -> None:
    SqliteStore(store).close()
    other = tmp_path / "other.libravdb"
    other.hardlink_to(store)
    for name in (store, other):
        with pytest.raises(StoreError, match="has 2 names") as caught:
            SqliteStore(name)
        assert f"-inum {store.stat().st_ino}" in caught.value.remedy
    other.unlink()
    SqliteStore(store).close()
    assert [one.name for one in tmp_path.iterdir()] == ["m.libravdb"]


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(StoreUnwritable):
        claim(tmp_path / "a", ClaimKind.PROGRAM)


_COUNTER = """
import sys
from pathlib import Path
from libravdb.adapters.sqlite import ownership
from libravdb.ports.claim import ClaimKind

ownership._STEP = 0.001
store, counter = Path(sys.argv[1]), Path(sys.argv[2])
for _ in range(300):
    with ownership.claim(store, ClaimKind.DAEMON):
        counter.write_text(str(int(counter.read_text()) + 1))
"""


def test_however_many_come_and_go_only_one_holds_it_at_a_time(store: Path, tmp_path: Path) -> None:
    """Each takes the lock's file away when it leaves, while others are about to take that very lock."""
    counter = tmp_path / "counter"
    counter.write_text("0")
    workers = [subprocess.Popen([sys.executable, "-c", _COUNTER, str(store), str(counter)]) for _ in range(3)]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0]
    assert counter.read_text() == "900"
