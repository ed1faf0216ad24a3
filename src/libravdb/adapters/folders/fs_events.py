"""Who tells that files changed: the file system itself, or, where it cannot, a clock.

Notifications come through `watchfiles`. They fail where the system's limit of watches is reached, and they stay silent
on network file systems, where another machine may write. Both are looked at again and again instead.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import watchfiles
from watchfiles.main import FileChange

from libravdb.adapters.folders.debounce import Inbox
from libravdb.adapters.folders.scan import is_beneath

MOUNTS = Path("/proc/self/mountinfo")
REMOTE = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "vboxsf", "virtiofs", "drvfs", "prl_fs", "davfs")
STEP_MS = 100
"""How often `watchfiles` wakes up to see whether something has come."""

FLOOD = 2_000
"""Changes at once from which on everything is looked at: the system's queue may have overflowed."""

ROOT_SECONDS = 5.0
"""How often it is checked that the roots are still the same folders."""

IDLE_SHARE = 50
"""A poll waits at least this many times as long as the last one took: it costs two percent of a core at most."""


class Mode(StrEnum):
    """How changes become known."""

    NOTIFIED = "notified"
    POLLING = "polling"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """Something about the watching itself that the user should know; an empty text takes it back."""

    about: str
    text: str


Identity = tuple[int, int] | None


class Notices:
    """Feeds the inbox until told to stop. `look_seconds` tells how long the last look at everything took."""

    def __init__(
        self,
        roots: Sequence[str],
        inbox: Inbox,
        *,
        concerns: Callable[[str], bool],
        alarm: Callable[[Alarm], None],
        poll_seconds: float,
        is_polling: bool,
        look_seconds: Callable[[], float],
    ) -> None:
        self._roots = tuple(roots)
        self._inbox = inbox
        self._concerns = concerns
        self._alarm = alarm
        self._poll_seconds = poll_seconds
        self._look_seconds = look_seconds
        self._stopping = threading.Event()
        self.mode = Mode.POLLING if is_polling else Mode.NOTIFIED

    def stop(self) -> None:
        """Leave as soon as possible, a tenth of a second at most."""
        self._stopping.set()

    def run(self) -> None:
        """Tell until stopped; first of all, all the roots."""
        self._look_for_remote_folders()
        while not self._stopping.is_set():
            if self.mode is Mode.POLLING:
                self._inbox.add(self._roots, after=0)
                self._stopping.wait(max(self._poll_seconds, IDLE_SHARE * self._look_seconds()))
            else:
                self._follow(identities(self._roots))

    def _look_for_remote_folders(self) -> None:
        if self.mode is Mode.POLLING:
            return
        try:
            mounts = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return  # not on Linux
        remote = {root: kind for root in self._roots if (kind := remote_kind(os.path.realpath(root), mounts))}
        if remote:
            said = ", ".join(f"{root} ({kind})" for root, kind in remote.items())
            self._fall_back(f"{said}: changes made on other machines are not notified")

    def _fall_back(self, reason: str) -> None:
        self.mode = Mode.POLLING
        self._alarm(Alarm(about="notices", text=f"{reason}; looking every {self._poll_seconds:g} s instead."))

    def _follow(self, present: Mapping[str, Identity]) -> None:
        """Take notifications as long as the roots stay what they are."""
        roots = [root for root, identity in present.items() if identity is not None]
        if not roots:
            self._inbox.add(self._roots, after=0)  # whoever looks will say that they are missing
            self._wait_for_a_change_of(present)
            return
        first_tick = _FirstTick(self._stopping, lambda: self._inbox.add(self._roots, after=0))
        try:
            for changes in watchfiles.watch(
                *roots,
                watch_filter=None,
                debounce=STEP_MS,
                step=STEP_MS,
                stop_event=first_tick,
                rust_timeout=int(ROOT_SECONDS * 1000),
                yield_on_timeout=True,
                force_polling=False,
                ignore_permission_denied=True,
                raise_interrupt=False,
            ):
                self._pass_on(changes)
                if identities(self._roots) != present:
                    return
        except FileNotFoundError:
            return  # gone in between: look at the roots again
        except (OSError, RuntimeError) as error:
            self._fall_back(f"The system gives no notifications ({error}){remedy_for(str(error))}")

    def _wait_for_a_change_of(self, present: Mapping[str, Identity]) -> None:
        while not self._stopping.wait(ROOT_SECONDS):
            if identities(self._roots) != present:
                return

    def _pass_on(self, changes: set[FileChange]) -> None:
        if len(changes) >= FLOOD:
            self._inbox.add(self._roots)
        else:
            quiet = STEP_MS / 1000  # it hands over changes when none has come for a step
            self._inbox.add((path for _, path in changes if self._concerns(path)), elapsed=quiet)


class _FirstTick:
    """The stop event that `watchfiles` asks at every step. The first question means that it watches by now: what
    changed before is found by looking at everything, what changes later is notified, and nothing falls between."""

    def __init__(self, stopping: threading.Event, is_watching: Callable[[], None]) -> None:
        self._stopping = stopping
        self._is_watching = is_watching
        self._is_told = False

    def is_set(self) -> bool:
        """Whether to stop."""
        if not self._is_told:
            self._is_told = True
            self._is_watching()
        return self._stopping.is_set()


def identities(roots: Sequence[str]) -> dict[str, Identity]:
    """Which folder each root is, by device and number; None when there is none."""
    return {root: _identity(root) for root in roots}


def _identity(root: str) -> Identity:
    try:
        status = os.stat(root)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def remote_kind(path: str, mounts: str) -> str:
    """The kind of network file system that a real path lies on, as Linux lists its mounts; empty when on none."""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        parts = fields.split()
        if len(parts) < 5 or not rest.split():
            continue
        point = parts[4].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        if is_beneath(path, point) and len(point) >= len(best):
            best, kind = point, rest.split()[0]
    return kind if kind in REMOTE or kind.startswith(("fuse.ssh", "fuse.rclone")) else ""


def remedy_for(message: str) -> str:
    """What helps when the system's limit of watches is reached."""
    if "limit" in message or "No space left" in message:
        return ", raise fs.inotify.max_user_watches with sysctl"
    return ""
