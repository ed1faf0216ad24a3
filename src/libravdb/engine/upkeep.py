"""Work on the store as a whole: files in and out, copies, checks."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from libravdb.engine.export import RECORD_LINE, export_lines, import_lines, read_lines, write_file
from libravdb.engine.known_profiles import KnownProfiles
from libravdb.engine.receipts import Receipts
from libravdb.errors import StoreError
from libravdb.model import BackupCopy, CopyKind, Finding, Imported, StoreCopy
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.store import Store

_log = logging.getLogger(__name__)


class Upkeep:
    """Receipts that wait are written before the store is copied."""

    def __init__(self, *, store: Store, receipts: Receipts, profiles: KnownProfiles, clock: Clock) -> None:
        self._store = store
        self._receipts = receipts
        self._profiles = profiles
        self._clock = clock

    def export_file(
        self,
        path: Path,
        *,
        collections: Sequence[str] = (),
        with_vectors: bool = False,
        progress: Progress = no_progress,
    ) -> int:
        """Write the store as JSON Lines, or only the records of some collections; returns how many records."""
        self.note_export(path)
        with self._store.read() as snapshot, write_file(path) as out:
            lines = export_lines(
                snapshot, now=self._clock(), collections=collections, with_vectors=with_vectors, progress=progress
            )
            return sum(_written(out, line) for line in lines)

    def import_file(self, path: Path, progress: Progress = no_progress) -> Imported:
        """Read a file that `export_file` wrote; the same file again changes nothing."""
        with read_lines(path) as lines:
            return self.import_lines(lines, progress)

    def import_lines(self, lines: Iterable[str], progress: Progress = no_progress, *, first_line: int = 2) -> Imported:
        """Read lines of an export: its header, and then those from the number `first_line` on. What they hold of
        memories counts for profiles."""
        try:
            return import_lines(self._store, lines, progress, first_line=first_line, unread=self._profiles.read_anew)
        finally:
            self._profiles.forget()

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant of the store, read-only."""
        return self._store.maintenance.verify(progress)

    @property
    def makes_backups(self) -> bool:
        """Whether `backup` copies the store to a file; else it only tells who does."""
        return self._store.maintenance.makes_backups

    def backup(self, target: Path, progress: Progress = no_progress) -> BackupCopy:
        """Copy a consistent state to a new file while others go on working, and verify the copy."""
        self._receipts.try_to_settle()
        if self.makes_backups:
            self._note(CopyKind.BACKUP, target)
        return self._store.maintenance.backup(target, progress)

    def note_export(self, path: Path) -> None:
        """Before a part of the store is written to a file."""
        self._receipts.try_to_settle()
        self._note(CopyKind.EXPORT, path)

    def _note(self, kind: CopyKind, path: Path) -> None:
        """Remember a copy before it is made, so that none is made unnoticed; what exists already will be refused.

        A store that cannot be written to any more must still be copied.
        """
        if os.path.lexists(path):
            return
        try:
            self._store.maintenance.note_copy(StoreCopy(kind=kind.value, path=str(path.absolute()), at=self._clock()))
        except StoreError as error:
            _log.warning("the %s to %s is not noted: %s", kind.value, path, error)


def _written(out: TextIO, line: str) -> bool:
    """Write a line; True when it is a record's."""
    out.write(line + "\n")
    return line.startswith(RECORD_LINE)
