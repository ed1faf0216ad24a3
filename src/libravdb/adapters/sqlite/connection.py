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
REPAIR = (
    "Run 'libravdb repair' to save what is sound into a new file, or restore the newest copy made by 'libravdb backup'."
)
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_DISK_FAILURES = (
    sqlite3.SQLITE_IOERR_READ,
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_IOERR_CORRUPTFS,
    sqlite3.SQLITE_IOERR_DATA,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_DIR_FSYNC,
)
"""After these nobody knows what is on the disk; a write that did not fit is none of them."""


class Inconsistent(sqlite3.DatabaseError):
    """What was read contradicts what was written, although SQLite finds no fault: a text that is not what its address
    says, a list that is shorter than its count."""


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file's content can no longer be trusted."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in _DAMAGE or isinstance(error, Inconsistent) or "Could not decode to UTF-8" in str(error)


def is_disk_failure(error: sqlite3.Error) -> bool:
    """Whether the disk did not do what it was told."""
    return getattr(error, "sqlite_errorcode", 0) in _DISK_FAILURES


def connect(path: Path, *, read_only: bool = False, is_immutable: bool = False) -> sqlite3.Connection:
    """A connection in autocommit mode: transactions are begun and ended by name. An immutable file is read without
    locks and without files beside it: right only while nobody can write to it."""
    mode = "ro&immutable=1" if is_immutable else "ro" if read_only else "rw"
    try:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
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


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that only reads: beside whoever writes; in a place where SQLite can put nothing beside a file, as
    it lies there."""
    try:
        return connect(path, read_only=True)
    except (StoreUnwritable, StoreFull):
        if not is_at_rest(path):
            raise
        return connect(path, is_immutable=True)


def is_at_rest(path: Path) -> bool:
    """Whether everything is in the file itself, and nothing of it in a log beside it."""
    real = path.resolve()
    log = real.with_name(f"{real.name}-wal")
    return not (log.exists() and log.stat().st_size)


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


def check_head(head: bytes, path: Path) -> None:
    """Refuse a file that is no database at all, by its first bytes.

    We look at them ourselves: SQLite takes a file of less than 512 bytes for an empty database, and would write over
    somebody's short note.
    """
    if head[: len(_MAGIC)] not in (b"", _MAGIC):
        raise StoreCorrupt(str(path), "is not a database", remedy=f"{REPAIR} Nothing was changed.")


def check_identity(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a database of some other program."""
    # In this order: another process may be making the file, and marks it in the transaction of the first table.
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID and tables:
        raise StoreError(
            str(path),
            "is a SQLite database of another program",
            remedy="Choose another store.path. Nothing was changed.",
        )


def disk_failure(error: sqlite3.Error, path: str) -> StoreError:
    """The refusal after a failed disk: what stood only in the log is gone if the log was cut off."""
    return StoreError(
        path,
        f"the disk failed ({error}), or the log beside the file was cut off; what was written last may be gone",
        remedy="Check the disk, then restart whoever has the store open; until then nothing is written."
        " A backup may hold what is missing.",
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
    if is_damage(error):
        return StoreCorrupt(path, f"is damaged or not a LibraVDB store ({error})", remedy=REPAIR)
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHMSIZE:
        return StoreFull(path, "the disk is full", remedy="Free some space and try again.")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(
            path,
            f"another process has held the file for {BUSY_SECONDS:.0f} seconds",
            remedy="Wait for it to finish, or stop it, and try again.",
        )
    if is_disk_failure(error):
        return disk_failure(error, path)
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(
            path,
            f"the disk failed or is full ({error}); this write was undone, all earlier ones are safe",
            remedy="Check the disk's free space and health, then try again.",
        )
    return StoreError(path, f"{error}", remedy="Run 'libravdb fsck' to check the file.")
