"""From a damaged file to a new one: the new one appears only when it is whole, and nothing is ever overwritten."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from libravdb.adapters.sqlite.file import explain_os
from libravdb.adapters.sqlite.integrity import verify_file
from libravdb.adapters.sqlite.salvage import SqliteSalvage
from libravdb.adapters.sqlite.soundness import forget_note
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.adapters.sqlite.writes import name_analysis
from libravdb.errors import StoreCorrupt, StoreError

_BESIDE = ("", "-wal", "-shm", "-journal", ".lock")


@contextmanager
def rescue(path: Path, target: Path, *, analysis: str) -> Iterator[tuple[SqliteSalvage, SqliteStore]]:
    """What can be read of a damaged file, and a store to put it into. At the end the store is verified, and gets its
    name; on any error nothing is left of it."""
    if target.exists():
        raise StoreError(str(target), "exists already", remedy="Name a file that does not exist yet.")
    part = target.with_name(f"{target.name}.part")
    _remove(part)  # one that was killed may have left something
    try:
        with SqliteSalvage(path) as salvage, SqliteStore(part) as store:
            store.submit(lambda db: name_analysis(db, analysis))
            yield salvage, store
        finding = next(verify_file(part), None)
        if finding is not None:
            problem = f"what was saved from it is not sound ({finding.invariant}: {finding.detail})"
            raise StoreCorrupt(str(path), problem, remedy="Restore the newest backup, and please report this.")
        part.rename(target)
    except OSError as error:
        raise explain_os(error, target) from error
    finally:
        _remove(part)


def replace_file(path: Path, repaired: Path) -> Path:
    """Keep the damaged file, and what lies beside it, under another name; put the repaired one in its place."""
    kept = next(
        name for number in range(1, 10_000) if not (name := path.with_name(f"{path.name}.broken-{number}")).exists()
    )
    try:
        for suffix in ("-wal", "-shm", ""):  # the log first: it must never lie beside another file
            with suppress(FileNotFoundError):
                path.with_name(path.name + suffix).rename(kept.with_name(kept.name + suffix))
        repaired.rename(path)
        forget_note(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise explain_os(error, path) from error
    return kept


def _remove(part: Path) -> None:
    for suffix in _BESIDE:
        with suppress(OSError):
            part.with_name(part.name + suffix).unlink()
