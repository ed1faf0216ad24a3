"""One daemon per store: a lock beside the file, held by the kernel, so that a dead process never holds it.

The daemon takes it alone and writes into it who it is and where it listens. Commands that open the file directly share
it among themselves; when the daemon holds it, they find its endpoint here and talk to it instead.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from libravdb.errors import DaemonError, StoreFull, StoreUnwritable

PATIENCE_STEP, PATIENCE_STEPS = 0.05, 300
"""How long a command waits for a daemon that starts or stops, and a daemon for a command: fifteen seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """The daemon that holds a store."""

    pid: int
    endpoint: str


def lock_path(store: Path) -> Path:
    """Where the lock of a store lies: beside the real file, whatever links lead to it."""
    real = store.resolve()
    if not real.name:
        raise StoreUnwritable(str(store), "is a folder, not a file", remedy="Set store.path to a file.")
    return real.with_name(real.name + ".lock")


class StoreLock:
    """A held lock; close it to let go."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    def announce(self, endpoint: str) -> None:
        """Write down who holds the store and where it listens."""
        note = json.dumps({"pid": os.getpid(), "endpoint": endpoint}).encode()
        try:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, note, 0)
        except OSError as error:
            problem = f"cannot be written ({error.strerror})"
            raise StoreFull(str(self._path), problem, remedy="Free some space and try again.") from error

    def retract(self) -> None:
        """Nobody should come any more: whoever asks from now on waits until the store is free."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, 0)

    def close(self) -> None:
        """Let go; the file stays, an empty one means that nobody holds it."""
        self.retract()
        os.close(self._descriptor)


def holder_of(store: Path) -> Holder | None:
    """Who says that it holds the store; the note of a dead daemon is still there until somebody takes the lock."""
    try:
        return _parsed(lock_path(store).read_bytes())
    except OSError:
        return None


def take_alone(store: Path) -> StoreLock:
    """The daemon's lock. Refused while another daemon, or a command on the file itself, is at work."""
    path = lock_path(store)
    descriptor = _open(path)
    for _ in range(PATIENCE_STEPS):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)  # what a dead daemon said of itself is no longer true
            return StoreLock(path, descriptor)
        holder = _read(descriptor)
        if holder is not None:
            os.close(descriptor)
            raise DaemonError(
                f"A daemon already serves {store} (process {holder.pid}, {holder.endpoint}).",
                remedy="Use that one, or stop it first.",
            )
        time.sleep(PATIENCE_STEP)
    os.close(descriptor)
    raise DaemonError(
        f"{store} is in use by a libravdb command.", remedy="Wait until it has finished, then start again."
    )


@contextlib.contextmanager
def shared(store: Path) -> Iterator[Holder | None]:
    """Use the file directly, beside other commands but not beside a daemon: then its holder is given instead."""
    descriptor = _open(lock_path(store))
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            yield _read(descriptor) or _wait(descriptor)
            return
        os.ftruncate(descriptor, 0)  # no daemon lives: what a dead one said of itself is no longer true
        yield None
    finally:
        os.close(descriptor)


def _wait(descriptor: int) -> Holder | None:
    """The holder has not said yet who it is: it is just starting or stopping. Wait for one or the other."""
    for _ in range(PATIENCE_STEPS):
        time.sleep(PATIENCE_STEP)
        holder = _read(descriptor)
        if holder is not None:
            return holder
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return None
    raise DaemonError(
        "A daemon holds the store and does not say where it listens.", remedy="Wait a moment, or restart the daemon."
    )


def _open(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreUnwritable(
            str(path),
            f"cannot be opened ({error.strerror})",
            remedy="Check the permissions of the folder, or set store.path elsewhere.",
        ) from error


def _read(descriptor: int) -> Holder | None:
    return _parsed(os.pread(descriptor, 65_536, 0))


def _parsed(note: bytes) -> Holder | None:
    try:
        told = json.loads(note)
        return Holder(pid=int(told["pid"]), endpoint=str(told["endpoint"]))
    except (ValueError, KeyError, TypeError):
        return None
