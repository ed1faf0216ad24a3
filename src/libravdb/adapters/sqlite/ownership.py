"""One owner per store: a lock beside the file, held by the kernel, so that a dead process never holds it.

A daemon and a program take it alone. The daemon writes into it where it listens, the program who it is: whoever comes
later finds the one's endpoint here and talks to it, or is told the other's name. Commands share it among themselves.
Within a process every store over one file rides on the first one's claim: the process is the owner.

On Linux the file itself is locked too, so that it has one owner also under another name, after it was renamed, and
where no lock can be made beside it: on a full disk, in a read-only place. SQLite does not notice: its locks are others.

Neither sqlite3 nor numpy is loaded here: a command looks for a daemon before it loads anything.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Self

from libravdb.adapters.sqlite.file import FULL, READ_ONLY, explain_os, refuse_second_name
from libravdb.errors import DaemonError, StoreBusy, StoreError, StoreFull, StoreUnwritable
from libravdb.ports.claim import ClaimKind, Holder

PATIENCE = 15.0
"""Seconds that a command waits for a daemon that starts or stops, and anybody for commands."""

PROGRAM_PATIENCE = 3.0
"""Seconds that anybody waits for a program: one that is about to end is gone by then, any other stays for long."""

_STEP = 0.05


def lock_path(store: Path) -> Path:
    """Where the lock of a store lies: beside the real file, whatever links lead to it."""
    try:
        real = store.resolve()
        if not real.is_dir():
            return real.with_name(real.name + ".lock")
    except OSError as error:
        raise explain_os(error, store) from error
    except (ValueError, RuntimeError) as error:  # a NUL, or links in a circle
        raise StoreUnwritable(str(store), f"is no path ({error})", remedy="Set store.path to a file.") from error
    raise StoreUnwritable(str(store), "is a folder, not a file", remedy="Set store.path to a file.")


class FileClaim:
    """Implements the port `Claim`."""

    def __init__(self, lock: _Lock) -> None:
        self._lock: _Lock | None = lock
        self._is_of_store = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def announce(self, endpoint: str) -> None:
        """Write down who holds the store and where it listens."""
        if self._lock is not None:
            self._lock.write({"pid": os.getpid(), "endpoint": endpoint})

    def retract(self) -> None:
        """Nobody should come any more: whoever asks from now on waits until the store is free."""
        if self._lock is not None:
            self._lock.clear()

    def hold_file(self, store: Path) -> bytes:
        """Lock the file itself, which is there by now; returns its first bytes. Refused while somebody else has it."""
        with _holding:
            return self._lock.hold_file(store) if self._lock is not None else b""

    def begin_store(self) -> bool:
        """A store is opened by this claim; returns whether it is the only one of this process over the file."""
        with _holding:
            if self._lock is None or self._is_of_store:
                return False
            self._is_of_store = True
            self._lock.stores += 1
            return self._lock.stores == 1

    def close(self) -> None:
        """Let go. The last claim of a process takes the lock away."""
        with _holding:
            lock, self._lock = self._lock, None
            if lock is not None:
                lock.stores -= self._is_of_store
                lock.leave()


class _Lock:
    """The lock that this process has on a store, counted by its claims. Used under `_holding`."""

    def __init__(self, path: Path, descriptor: int | None, kind: ClaimKind) -> None:
        self.path = path
        self.descriptor = descriptor  # None where no lock can be made beside the file
        self.kind = kind
        self.claims = 0
        self.stores = 0
        self.is_ours = True  # false in a forked child: the lock is the parent's
        self._file: int | None = None

    def join(self) -> FileClaim:
        self.claims += 1
        return FileClaim(self)

    def leave(self) -> None:
        self.claims -= 1
        if self.claims or not self.is_ours:
            return
        del _locks[self.path]
        if self._file is not None:  # now, not earlier: closing it takes SQLite's own locks away
            os.close(self._file)
        if self.descriptor is None:
            return
        self.clear()
        with contextlib.suppress(OSError):  # others may share it: the last one takes it away
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(self.path, self.descriptor):
                self.path.unlink()
        os.close(self.descriptor)

    def abandon(self) -> None:
        """In a forked child: everything is the parent's."""
        self.is_ours = False
        for descriptor in (self.descriptor, self._file):
            if descriptor is not None:
                os.close(descriptor)

    def hold_file(self, store: Path) -> bytes:
        if self._file is None:
            try:
                descriptor = os.open(store, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            except OSError as error:
                raise explain_os(error, store) from error
            if not _lock_file(descriptor, self.kind):
                os.close(descriptor)
                raise StoreBusy(
                    str(store),
                    "another process has this very file open, maybe under another name",
                    remedy=f"End that program first ('fuser {store}' names it), then start again.",
                )
            self._file = descriptor
        return os.pread(self._file, 16, 0)

    def write(self, note: dict[str, object]) -> None:
        """In place: room that the note of somebody else had is there also on a full disk."""
        if not self.is_ours:
            return
        try:
            descriptor = self._made()
            written = json.dumps(note).encode()
            os.pwrite(descriptor, written, 0)
            os.ftruncate(descriptor, len(written))
        except OSError as error:
            problem = f"cannot be written ({error.strerror})"
            raise StoreFull(str(self.path), problem, remedy="Free some space and try again.") from error

    def _made(self) -> int:
        """The lock beside the file, where none could be made before."""
        if self.descriptor is None:
            made = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(made, (fcntl.LOCK_SH if self.kind is ClaimKind.COMMAND else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            except OSError:
                os.close(made)
                raise
            self.descriptor = made
        return self.descriptor

    def clear(self) -> None:
        """A blank note says nothing; its room stays for the next one."""
        if self.is_ours and self.descriptor is not None:
            with contextlib.suppress(OSError):
                os.pwrite(self.descriptor, b" " * os.fstat(self.descriptor).st_size, 0)


_locks: dict[Path, _Lock] = {}
_holding = threading.Lock()


def _leave_to_parent() -> None:
    """A forked child owns nothing: it must neither speak for its parent nor keep the lock when that one dies."""
    global _holding  # noqa: PLW0603 - the parent's other threads may have held it
    _holding = threading.Lock()
    for lock in _locks.values():
        lock.abandon()
    _locks.clear()


os.register_at_fork(after_in_child=_leave_to_parent)


def claim(store: Path, kind: ClaimKind) -> FileClaim:
    """The right to use the file itself. Refused, by name, while somebody else has it."""
    found = claim_or_daemon(store, kind)
    if isinstance(found, FileClaim):
        return found
    raise DaemonError(
        f"A daemon already serves {store} (process {found.pid}, {found.endpoint}).",
        remedy="Use that one, as libravdb.Memory and the commands do, or stop it first.",
    )


def claim_or_daemon(store: Path, kind: ClaimKind) -> FileClaim | Holder:
    """The right to use the file itself, or the daemon that has it and can be asked instead."""
    path = lock_path(store)
    begun = time.monotonic()
    while True:
        with _holding:
            found = _take(store, path, kind)
        if isinstance(found, FileClaim) or (found is not None and found.endpoint):
            return found
        waited = time.monotonic() - begun
        if found is not None and waited > PROGRAM_PATIENCE:
            raise StoreBusy(
                str(store),
                f"is held by process {found.pid} ({found.program})",
                remedy="End that program first, or let a daemon hold the store ('libravdb service install'): programs"
                " and commands then share it.",
            )
        if waited > PATIENCE:
            raise _silent(store, kind)
        time.sleep(_STEP)


def holder_of(store: Path) -> Holder | None:
    """Who says that it holds the store; the note of a dead one is still there until somebody takes the lock."""
    try:
        return _parsed(lock_path(store).read_bytes())
    except (OSError, StoreError):
        return None


def daemon_of(store: Path) -> Holder | None:
    """The daemon that has the lock now: whoever holds it is alive. Nothing is made, nothing is kept."""
    try:
        descriptor = os.open(lock_path(store), os.O_RDONLY)
    except (OSError, StoreError):
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        found = _parsed(os.pread(descriptor, 65_536, 0))
        return found if found is not None and found.endpoint else None
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return None


def _take(store: Path, path: Path, kind: ClaimKind) -> FileClaim | Holder | None:
    """The claim, or who is in the way: None for somebody who does not say so (yet)."""
    held = _locks.get(path)
    if held is not None:
        if held.kind is ClaimKind.COMMAND and kind is not ClaimKind.COMMAND:
            return Holder(pid=os.getpid(), program="a command in this process")
        return held.join()
    descriptor = _open(path, is_needed=not store.exists())
    try:
        if descriptor is not None:
            shared = kind is ClaimKind.COMMAND
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            if not _is_at(path, descriptor):  # its last holder has just taken it away
                os.close(descriptor)
                return None
    except BlockingIOError:
        found = _parsed(os.pread(descriptor, 65_536, 0)) if descriptor is not None else None
        if descriptor is not None:
            os.close(descriptor)
        return found
    lock = _locks[path] = _Lock(path, descriptor, kind)
    lock.clear()  # what a dead holder said of itself is no longer true
    taken = lock.join()
    try:
        _refuse_second_name(store)
        if store.exists():
            lock.hold_file(store)
    except StoreError:
        lock.leave()
        raise
    if kind is ClaimKind.PROGRAM:
        with contextlib.suppress(StoreFull):  # where there is no room it holds the store without a name
            lock.write({"pid": os.getpid(), "endpoint": "", "program": Path(sys.argv[0]).name or "python"})
    return taken


def _refuse_second_name(store: Path) -> None:
    with contextlib.suppress(OSError):
        refuse_second_name(store, store.stat())


def _lock_file(descriptor: int, kind: ClaimKind) -> bool:
    """Lock the store's file itself. Elsewhere than on Linux this lock and SQLite's would stand in each other's way."""
    if sys.platform != "linux":
        return True
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if kind is ClaimKind.COMMAND else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without such locks
        return True
    return True


def _silent(store: Path, kind: ClaimKind) -> DaemonError | StoreBusy:
    if kind is ClaimKind.COMMAND:  # commands do not stand in each other's way
        return DaemonError(
            f"A daemon holds {store} and does not say where it listens.",
            remedy="Wait a moment, or restart the daemon.",
        )
    return StoreBusy(
        str(store), "is in use by a libravdb command", remedy="Wait until it has finished, then start again."
    )


def _open(path: Path, *, is_needed: bool) -> int | None:
    """The lock beside the store; None where none can be made, and there is a store that can be read all the same."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno in (*FULL, *READ_ONLY) and not is_needed:
            return None
        raise explain_os(error, path) from error


def _is_at(path: Path, descriptor: int) -> bool:
    """Whether the open file is still the one at this path."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _parsed(note: bytes) -> Holder | None:
    try:
        told = json.loads(note)
        return Holder(pid=int(told["pid"]), endpoint=str(told["endpoint"]), program=str(told.get("program", "")))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
