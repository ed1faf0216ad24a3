"""The file itself, before SQLite opens it: made for its owner alone, and the system's refusals in our words."""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from libravdb.errors import StoreError, StoreFull, StoreUnwritable

KEY_BYTES = 32


def create(path: Path) -> None:
    """Make the file and its folder, readable by their owner alone; an existing file is left as it is."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise explain_os(error, path) from error
    except ValueError as error:
        raise StoreUnwritable(str(path), f"is no path ({error})", remedy="Set store.path to a file.") from error


def key_beside(path: Path) -> bytes:
    """The key in the file beside a store, readable by its owner alone; made at first use."""
    place = path.with_name(f"{path.name}.key")
    try:
        _make_key(place)
        key = bytes.fromhex(place.read_text(encoding="ascii"))
    except OSError as error:
        raise explain_os(error, place) from error
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        remedy = "Restore it from a backup; without it earlier certificates cannot be checked. Deleting it begins anew."
        raise StoreError(str(place), "is no key", remedy=remedy)
    return key


def _make_key(place: Path) -> None:
    """Whole or not at all, and never over one that is there: two processes may come at the same moment."""
    if place.exists():
        return
    handle, part = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    try:
        with open(handle, "w", encoding="ascii") as out:  # noqa: PTH123 - from a descriptor
            out.write(secrets.token_hex(KEY_BYTES))
            out.flush()
            os.fsync(out.fileno())
        with suppress(FileExistsError):
            os.link(part, place)
    finally:
        Path(part).unlink()


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
