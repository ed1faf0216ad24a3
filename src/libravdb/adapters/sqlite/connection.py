"""Opening the file: connections with the right pragmas, and SQLite's errors in our words."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from libravdb.adapters.sqlite.schema import APPLICATION_ID
from libravdb.errors import (
    LibraError,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreUnwritable,
)

BUSY_SECONDS = 10.0
_PAUSE = 0.01
_MAGIC = b"SQLite format 3\0"
_RESTORE = (
    "Restore the newest copy made by 'libravdb backup', or move the file aside to start a new store."
    " Nothing was changed."
)


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection in autocommit mode: transactions are begun and ended by name."""
    try:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
    except sqlite3.Error as error:
        raise explain(error, str(path)) from error
    try:
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA secure_delete = ON")  # what is forgotten is overwritten, whatever SQLite was built with
        db.execute("PRAGMA temp_store = MEMORY")
    except sqlite3.Error as error:
        db.close()
        raise explain(error, str(path)) from error
    return db


def use_write_ahead_log(db: sqlite3.Connection) -> None:
    """Switch to the write-ahead log. Two processes that do so at the same moment refuse each other at once, without the
    usual patience: so it is tried again."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(_PAUSE)
        else:
            return


def check_identity(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is none of ours: no database at all, or one of some other program.

    We look at the first bytes ourselves: SQLite takes a file of less than 512 bytes for an empty database,
    and would write over somebody's short note.
    """
    with path.open("rb") as file:
        head = file.read(len(_MAGIC))
    if head not in (b"", _MAGIC):
        raise StoreCorrupt(str(path), "is not a database", remedy=_RESTORE)
    # In this order: another process may be making the file, and marks it in the transaction of the first table.
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID and tables:
        raise StoreError(
            str(path),
            "is a SQLite database of another program",
            remedy="Choose another store.path. Nothing was changed.",
        )


def explain(error: sqlite3.Error, path: str) -> LibraError:
    """SQLite's error as one of ours, with what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StoreFull(
            path,
            "the disk is full; this write was undone, all earlier ones are safe",
            remedy="Free some space and try again.",
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreUnwritable(
            path,
            f"cannot be opened for writing ({error})",
            remedy="Check the permissions of the file and its folder, or set store.path elsewhere.",
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreCorrupt(path, f"is damaged or not a LibraVDB store ({error})", remedy=_RESTORE)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(
            path,
            f"another process has held the file for {BUSY_SECONDS:.0f} seconds",
            remedy="Wait for it to finish, or stop it, and try again.",
        )
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(
            path,
            f"the disk failed or is full ({error}); this write was undone, all earlier ones are safe",
            remedy="Check the disk's free space and health, then try again.",
        )
    return StoreError(path, f"{error}", remedy="Run 'libravdb fsck' to check the file.")
