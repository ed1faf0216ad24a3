"""Whether the file can be trusted: the first damage anybody meets ends all writing until the file is repaired.

What was found is also noted beside the file (`.damaged`), because the next start may not meet it again: a log that was
cut off looks whole once SQLite has read what is left of it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
import threading
import time
from pathlib import Path

from libravdb.adapters.sqlite.connection import REPAIR, disk_failure, explain, is_damage, is_disk_failure
from libravdb.errors import LibraError, StoreCorrupt, StoreError

_log = logging.getLogger("libravdb.store")


def note_path(store: Path) -> Path:
    """Where it is noted that a store is damaged."""
    real = store.resolve()
    return real.with_name(f"{real.name}.damaged")


class Soundness:
    """What stands against writing to a file; the first reason stays. Safe to use from many threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._refusal: StoreError | None = None
        self._is_noted = False
        self.checked_at = 0

    @property
    def refusal(self) -> StoreError | None:
        """Why nothing is written any more, if so."""
        return self._refusal

    def refuse(self) -> None:
        """Raise when nothing is to be written."""
        if self._refusal is not None:
            raise type(self._refusal)(self._refusal.path, self._refusal.problem, remedy=self._refusal.remedy)

    def explain(self, error: sqlite3.Error) -> LibraError:
        """SQLite's error as one of ours; one that tells of damage ends all writing."""
        if is_damage(error):
            self.condemn(str(error))
        elif is_disk_failure(error):
            self._refuse_from_now_on(disk_failure(error, str(self._path)))
        return explain(error, str(self._path))

    def condemn(self, found: str) -> None:
        """From now on the file is damaged, and the next start knows it."""
        if self._refuse_from_now_on(damaged(self._path, found)):
            self._is_noted = True
            write_note(self._path, found)

    def seal(self, refusal: StoreError) -> None:
        """Nothing can be written for another reason than damage, such as a read-only place."""
        self._refuse_from_now_on(refusal, level=logging.WARNING)

    def unseal(self) -> None:
        """The reason is gone."""
        with self._lock:
            self._refusal = None

    def renew_note(self) -> None:
        """The file at rest is what the note is about."""
        found = read_note(self._path, is_same=False) if self._is_noted else None
        if found is not None:
            write_note(self._path, found)

    def _refuse_from_now_on(self, refusal: StoreError, *, level: int = logging.ERROR) -> bool:
        with self._lock:
            if isinstance(self._refusal, StoreCorrupt) or type(self._refusal) is type(refusal):
                return False
            self._refusal = refusal
        _log.log(level, "the store is read-only", extra={"store": str(self._path), "problem": refusal.problem})
        return True


def damaged(path: Path, found: str) -> StoreCorrupt:
    """The refusal of a damaged file."""
    return StoreCorrupt(
        str(path),
        f"is damaged ({found}), so nothing is written any more; what is sound can be read",
        remedy=REPAIR,
    )


def write_note(path: Path, found: str) -> None:
    """Note that the file as it is now is damaged; where that cannot be written, the next start has to find out."""
    with contextlib.suppress(OSError):
        told = {"found": found, "at": int(time.time() * 1000), "file": _state(path)}
        note_path(path).write_text(json.dumps(told), encoding="utf-8")


def read_note(path: Path, *, is_same: bool = True) -> str | None:
    """What was found in this very file, as it is now; None when nothing is known, or of another file."""
    try:
        told = json.loads(note_path(path).read_bytes())
        found, about = str(told["found"]), told["file"]
        return found if not is_same or about == _state(path) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def forget_note(path: Path) -> None:
    """The file was found sound after all, or is another one."""
    with contextlib.suppress(OSError):
        note_path(path).unlink()


def _state(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns]
