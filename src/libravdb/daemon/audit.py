"""The audit log: who did what, in which namespace, with which outcome. Never what was said.

One JSON object a line, appended to a file that its owner alone can read. When something else moved or removed the file,
as log rotation does, a new one is begun. A line that cannot be written is told in the daemon's own log, and holds
nobody up.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from libravdb.errors import DaemonError

COMPLAINT_SECONDS = 60.0
"""How often a file that cannot be written is complained about."""

MOST_NAMES = 20
"""Namespaces that one line tells."""

REFUSED_CHARS = 100
"""Characters of a name that are told of a call that failed."""

logger = logging.getLogger("libravdb.daemon")


class Audit(Protocol):
    """Told of every call."""

    def note(
        self, *, who: str, door: str, address: str, method: str, namespaces: Sequence[str], outcome: str, seconds: float
    ) -> None:
        """One call is over. `who` is the name of a token, `outcome` is `ok` or the kind of the error."""


class NoAudit:
    """Nobody wants to know."""

    def note(
        self, *, who: str, door: str, address: str, method: str, namespaces: Sequence[str], outcome: str, seconds: float
    ) -> None:
        """Nothing is written."""

    def close(self) -> None:
        """There is nothing to let go of."""


class AuditFile:
    """Appends to a file. Safe from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._complained_at = -COMPLAINT_SECONDS
        self._handle = self._opened()

    def note(
        self, *, who: str, door: str, address: str, method: str, namespaces: Sequence[str], outcome: str, seconds: float
    ) -> None:
        """Write one line, whole."""
        entry = {
            "at": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "who": who,
            "door": door,
            **({"address": address} if address else {}),
            "method": method,
            "namespaces": _told(namespaces, is_refused=outcome != "ok"),
            "outcome": outcome,
            "ms": round(seconds * 1000, 3),
        }
        line = json.dumps(entry, ensure_ascii=True).encode() + b"\n"
        with self._lock:
            try:
                self._follow()
                os.write(self._handle, line)
            except OSError as error:
                self._complain(error)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            os.close(self._handle)
            self._handle = -1

    def _follow(self) -> None:
        """Begin a new file where the one that is open has been moved or removed."""
        try:
            there = self._path.stat()
            is_same = os.path.samestat(there, os.fstat(self._handle))
        except FileNotFoundError:
            is_same = False
        if not is_same:
            former, self._handle = self._handle, self._open()
            os.close(former)

    def _opened(self) -> int:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            return self._open()
        except OSError as error:
            raise DaemonError(
                f"{self._path}: the audit log cannot be written ({error.strerror}).",
                remedy="Set daemon.audit_file to a file of your own, or leave it out.",
            ) from error

    def _open(self) -> int:
        handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        os.fchmod(handle, 0o600)
        return handle

    def _complain(self, error: OSError) -> None:
        if time.monotonic() - self._complained_at >= COMPLAINT_SECONDS:
            self._complained_at = time.monotonic()
            logger.error("the audit log cannot be written", extra={"why": error.strerror})


def _told(namespaces: Sequence[str], *, is_refused: bool) -> list[str]:
    """The names of one line. One that was refused may be no name at all, but something that somebody wants told."""
    return [name[:REFUSED_CHARS] if is_refused else name for name in namespaces[:MOST_NAMES]]


def open_audit(path: str) -> AuditFile | NoAudit:
    """The audit log as configured; an empty path is none."""
    return AuditFile(Path(path).expanduser().absolute()) if path else NoAudit()
