"""The file itself, beside what SQLite makes of it: made for its owner alone, known again, and the system's refusals in
our words."""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from libravdb.errors import StoreError, StoreFull, StoreReplaced, StoreUnwritable

FULL = (errno.ENOSPC, errno.EDQUOT)
READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
_SAVE = "'libravdb backup' saves what it still holds, as long as it runs."

KEY_BYTES = 32


def create(path: Path) -> None:
    """Make the file and its folder, readable by their owner alone; an existing file is left as it is.

    It is not even opened: closing it would take away the locks that another connection of this process has on it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        if path.is_dir():
            raise StoreUnwritable(str(path), "is a folder, not a file", remedy="Set store.path to a file.") from None
        if path.is_symlink() and not path.exists():
            create(path.resolve())
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
    if error.errno in FULL:
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


class FileIdentity:
    """Which files were opened, to notice that others are at their paths by now."""

    def __init__(self, path: Path) -> None:
        real = path.resolve()
        self._path = path
        self._opened = {
            name: known
            for name in (path, real.with_name(f"{real.name}-wal"), real.with_name(f"{real.name}-shm"))
            if (known := _stat(name)) is not None
        }

    def check(self) -> None:
        """Raise when the store's file, or the log beside it, is not the one that was opened, or has a second name."""
        for name, opened in self._opened.items():
            found = _stat(name)
            if found is None or not os.path.samestat(found, opened):
                raise self._replaced(name, is_gone=found is None)
            if name is self._path:
                refuse_second_name(name, found)

    def _replaced(self, name: Path, *, is_gone: bool) -> StoreReplaced:
        what = "was deleted or renamed" if is_gone else "was replaced by another file"
        return StoreReplaced(
            str(name),
            f"{what} while it was open, so nothing is written any more",
            remedy=f"Put the file back, or restart whoever has it open to use what is there now. {_SAVE}",
        )


def refuse_second_name(path: Path, found: os.stat_result) -> None:
    """Two names of one file are two stores to SQLite, which keeps what it has yet to move into the file beside each:
    writes through one of them are lost to the other, also when they come one after the other."""
    if found.st_nlink > 1:
        raise StoreError(
            str(path),
            f"has {found.st_nlink} names (hard links), and what is written through one is lost to the others",
            remedy=f"Remove the other names ('find / -xdev -inum {found.st_ino}' lists them); 'cp' makes a real copy.",
        )


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
