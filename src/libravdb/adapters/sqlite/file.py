"""The file itself, before SQLite opens it: made for its owner alone, and the system's refusals in our words."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from libravdb.errors import StoreError, StoreFull, StoreUnwritable


def create(path: Path) -> None:
    """Make the file and its folder, readable by their owner alone; an existing file is left as it is."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise explain_os(error, path) from error
    except ValueError as error:
        raise StoreUnwritable(str(path), f"is no path ({error})", remedy="Set store.path to a file.") from error


def explain_os(error: OSError, path: Path) -> StoreError:
    """The system's refusal to make or open a file, with what to do."""
    if error.errno == errno.ENOSPC:
        return StoreFull(str(path), "the disk is full", remedy="Free some space and try again.")
    if error.errno == errno.EISDIR:
        return StoreUnwritable(str(path), "is a folder, not a file", remedy="Set store.path to a file.")
    if error.errno == errno.ENAMETOOLONG:
        return StoreUnwritable(str(path), "the path is too long", remedy="Set store.path to a shorter one.")
    return StoreUnwritable(
        str(path),
        f"cannot be created or opened ({error.strerror})",
        remedy="Check the permissions of the folder, or set store.path elsewhere.",
    )
