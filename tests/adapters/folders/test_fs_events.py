"""Who tells of changes: roots that come and go, network file systems, and a system that gives no notifications."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import watchfiles
from tests.adapters.folders.shelves import Reader, Shelf, following, make, write

from libravdb.adapters.folders import fs_events
from libravdb.adapters.folders.debounce import Inbox
from libravdb.adapters.folders.fs_events import remote_kind
from libravdb.model import Did

MOUNTS = """\
22 1 0:20 / / rw,relatime - ext4 /dev/sda1 rw
23 22 0:21 / /home rw - btrfs /dev/sdb rw
30 22 0:30 / /mnt/team\\040notes rw,relatime shared:5 - nfs4 server:/notes rw
31 30 0:31 / /mnt/team\\040notes/local rw - ext4 /dev/sdc rw
32 22 0:32 / /mnt/c rw - 9p drvfs rw
33 22 0:33 / /mnt/ssh rw - fuse.sshfs host: rw
broken
34 22 0:34 / /mnt/nothing rw -
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/etc", ""),
        ("/home/ann/notes", ""),
        ("/mnt/team notes", "nfs4"),
        ("/mnt/team notes/a", "nfs4"),
        ("/mnt/team notes/local/a", ""),
        ("/mnt/cc", ""),
        ("/mnt/c/Users/ann", "9p"),
        ("/mnt/ssh/x", "fuse.sshfs"),
    ],
)
def test_network_file_systems_are_recognised_by_their_mount(path: str, kind: str) -> None:
    assert remote_kind(path, MOUNTS) == kind


def test_on_a_network_file_system_it_polls_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "notes"
    write(root / "a.md", "alpha")
    mounts = tmp_path / "mounts"
    mounts.write_text(f"22 1 0:20 / {tmp_path} rw - nfs4 server:/ rw\n")
    monkeypatch.setattr(fs_events, "MOUNTS", mounts)
    with following(Shelf(), root, poll_seconds=0.05) as (watcher, reader):
        assert watcher.state().mode == "polling"
        assert f"{root} (nfs4)" in reader.wait_for(Did.PROBLEM).detail
        write(root / "b.md", "beta")
        reader.wait_for(Did.ADDED, "b.md")


def test_when_the_system_has_no_watches_left_it_polls_and_names_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> Iterator[object]:
        raise OSError("OS file watch limit reached. about [...]")

    monkeypatch.setattr(watchfiles, "watch", full)
    write(tmp_path / "a.md", "alpha")
    with following(Shelf(), tmp_path, poll_seconds=0.05) as (watcher, reader):
        assert watcher.state().mode == "polling"
        assert "max_user_watches" in reader.wait_for(Did.PROBLEM).detail
        write(tmp_path / "b.md", "beta")
        reader.wait_for(Did.ADDED, "b.md")


def test_a_root_that_appears_goes_and_comes_back_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fs_events, "ROOT_SECONDS", 0.05)
    shelf, root = Shelf(), tmp_path / "notes"
    with following(shelf, root) as (watcher, reader):
        assert "is not there" in reader.wait_for(Did.PROBLEM).detail
        write(tmp_path / "made" / "a.md", "alpha")
        (tmp_path / "made").rename(root)
        reader.wait_for(Did.ADDED, "a.md")
        assert watcher.state().problem_count == 0
        root.rename(tmp_path / "made")
        reader.wait_for(Did.PROBLEM, count=2)
        assert len(shelf.held) == 1, "what is known of it stays"
        write(tmp_path / "made" / "b.md", "beta")
        (tmp_path / "made").rename(root)
        reader.wait_for(Did.ADDED, "b.md")
    assert shelf.texts(root) == {"a.md": "alpha", "b.md": "beta"}


def test_of_two_roots_one_may_be_missing(tmp_path: Path) -> None:
    write(tmp_path / "here" / "a.md", "alpha")
    with following(Shelf(), tmp_path / "here", tmp_path / "gone") as (_, reader):
        (tmp_path / "here" / "b.md").write_text("beta")
        reader.wait_for(Did.ADDED, "b.md")


def test_a_flood_of_changes_makes_it_look_at_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fs_events, "FLOOD", 5)
    write(tmp_path / "a.md", "alpha")
    with following(Shelf(), tmp_path) as (_, reader):
        for number in range(20):
            (tmp_path / f"{number}.md").write_text("x")
        reader.wait_for(Did.ADDED, count=21)


def test_a_watcher_may_be_stopped_before_it_starts(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "alpha")
    watcher = make(Shelf(), tmp_path, tell=Reader())
    watcher.stop()
    assert watcher.follow().counts == {}


def test_a_path_that_never_becomes_quiet_is_given_out_all_the_same() -> None:
    inbox = Inbox(quiet_seconds=0.01)
    taken: set[str] = set()
    while not taken:
        inbox.add(["/busy"])
        taken = inbox.take(wait=False)
    assert taken == {"/busy"}


def test_a_closed_inbox_gives_nothing_and_lets_go_whoever_waits() -> None:
    inbox = Inbox(quiet_seconds=0)
    inbox.add(["/x"], after=1000)
    inbox.close()
    assert inbox.take(wait=True) == set()
    inbox.rest(1000)
