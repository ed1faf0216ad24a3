"""What a store in a file needs around it: SQLite with all it uses, a folder that can be written to, and room."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from pathlib import Path

from libravdb.model import Health, HealthCheck
from libravdb.text.sizes import size

LOW_DISK = 200 * 2**20


def check_sqlite() -> HealthCheck:
    """Whether the library can do what the store asks of it."""
    db = sqlite3.connect(":memory:")
    try:
        db.execute("CREATE VIRTUAL TABLE probe USING fts5(words)")
        db.execute("SELECT '{}' -> '$.a'")
    except sqlite3.OperationalError as error:
        remedy = "Use a Python whose sqlite3 is 3.38 or newer and has FTS5."
        detail = f"{sqlite3.sqlite_version}: {error}"
        return HealthCheck(name="sqlite", health=Health.BAD, detail=detail, remedy=remedy)
    finally:
        db.close()
    detail = f"{sqlite3.sqlite_version} with full text and JSON"
    return HealthCheck(name="sqlite", health=Health.GOOD, detail=detail)


def check_folder(path: Path) -> HealthCheck:
    """Whether the store's folder can be written to, and nobody else can read the file."""
    existing = _existing(path)
    if not os.access(existing, os.W_OK | os.X_OK):
        remedy = "Give yourself write permission there, or set store.path elsewhere."
        return HealthCheck(name="folder", health=Health.BAD, detail=f"{existing} cannot be written to", remedy=remedy)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0
    if mode & 0o077:
        remedy = f"Memory is private: chmod 600 {path}"
        detail = f"{path} can be read by others (mode {mode:o})"
        return HealthCheck(name="folder", health=Health.NOTICE, detail=detail, remedy=remedy)
    return HealthCheck(name="folder", health=Health.GOOD, detail=f"{path.parent} can be written to")


def check_disk(path: Path) -> HealthCheck:
    """Whether there is room for more."""
    free = shutil.disk_usage(_existing(path)).free
    if free < LOW_DISK:
        detail, remedy = f"only {size(free)} free", "Free some space."
        return HealthCheck(name="disk", health=Health.NOTICE, detail=detail, remedy=remedy)
    return HealthCheck(name="disk", health=Health.GOOD, detail=f"{size(free)} free")


def _existing(path: Path) -> Path:
    return next(folder for folder in path.absolute().parents if folder.exists())
