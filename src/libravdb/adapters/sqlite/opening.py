"""How a file is opened: for writing where that is right, else for reading only, with the reason.

A damaged file is read as it is, without a byte being changed. In a read-only place and on a full disk it is read
without the files that SQLite puts beside it, as long as nobody else can be writing to it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from libravdb.adapters.sqlite import connection, schema, writes
from libravdb.adapters.sqlite.fast_checks import check_fast, check_pages, check_structure
from libravdb.adapters.sqlite.file import create
from libravdb.adapters.sqlite.ownership import FileClaim
from libravdb.adapters.sqlite.soundness import Soundness, forget_note, read_note
from libravdb.adapters.sqlite.wal_index import count_lost_frames
from libravdb.errors import StoreError, StoreFull, StoreUnwritable

Connect = Callable[[], sqlite3.Connection]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedFile:
    """A file that was opened: the connection that writes, if there is one, and how to get one that reads."""

    writer: sqlite3.Connection | None
    connect: Connect


def open_file(path: Path, claim: FileClaim, soundness: Soundness, *, now: int) -> OpenedFile:
    """The file, for writing if it is sound and that is possible. Raises when nothing can be read at all."""
    try:
        create(path)
    except StoreUnwritable:
        if not path.is_file():
            raise
    connection.check_head(claim.hold_file(path), path)
    if claim.begin_store():  # else it is open in this process, and what is known of it is known there
        _recall_damage(path, soundness)
    if soundness.refusal is None:
        opened = _try_to_write(path, soundness, now=now)
        if opened is not None:
            return opened
    return _open_for_reading(path, soundness)


def _recall_damage(path: Path, soundness: Soundness) -> None:
    """What the last owner found, and what its log has lost."""
    lost = count_lost_frames(path)
    if lost:
        soundness.condemn(f"{lost} pages that were committed are missing from its write-ahead log")
        return
    noted = read_note(path)
    if noted is not None:
        soundness.condemn(noted)
    elif read_note(path, is_same=False) is not None:
        _check_again(path)


def _check_again(path: Path) -> None:
    """The file has changed since it was found damaged: a copy may have been put in its place."""
    db = connection.connect(path, read_only=True)
    try:
        if not any(check_pages(db)):
            forget_note(path)
    except sqlite3.Error:
        return  # it will be met again
    finally:
        db.close()


def _try_to_write(path: Path, soundness: Soundness, *, now: int) -> OpenedFile | None:
    """The file for writing; None, with the reason in `soundness`, when it can only be read."""
    try:
        if not os.access(path, os.W_OK):  # SQLite would open it for reading without a word
            raise StoreUnwritable(str(path), "may not be written to")
        writer = connection.connect(path)
    except StoreError as error:
        _seal(path, soundness, error)
        return None
    try:
        _make_ready(writer, path, soundness, now=now)
    except sqlite3.Error as error:
        writer.close()
        _seal(path, soundness, connection.explain(error, str(path)), cause=error)
        return None
    except BaseException:
        writer.close()
        raise
    if soundness.refusal is not None:
        writer.close()
        return None
    return OpenedFile(writer=writer, connect=lambda: connection.connect(path))


def _make_ready(writer: sqlite3.Connection, path: Path, soundness: Soundness, *, now: int) -> None:
    """Nothing is written to a file before it was looked at."""
    connection.check_identity(writer, path)
    applied = schema.applied_migrations(writer)
    schema.refuse_newer(applied, path=str(path))
    is_ready = len(applied) == len(schema.MIGRATIONS)
    found = _first_damage(writer, check_fast if is_ready else check_structure)
    if found is not None:
        soundness.condemn(found)
        if not is_ready:
            soundness.refuse()
        return
    connection.use_write_ahead_log(writer)
    schema.migrate(writer, path=str(path), now=now)
    writes.wipe_words(writer)


def _first_damage(db: sqlite3.Connection, check: Callable[[sqlite3.Connection], Iterator[str]]) -> str | None:
    """What a check finds, also where it cannot go on for what it meets."""
    try:
        return next(check(db), None)
    except sqlite3.Error as error:
        if not connection.is_damage(error):
            raise
        return str(error)


def _seal(path: Path, soundness: Soundness, why: Exception, *, cause: sqlite3.Error | None = None) -> None:
    """Reading may still be possible, unless the file is no store at all, or its own structure cannot be read."""
    if isinstance(why, StoreFull):
        soundness.seal(StoreFull(str(path), "the disk is full, nothing was written", remedy=why.remedy))
    elif isinstance(why, StoreUnwritable):
        soundness.seal(
            StoreUnwritable(
                str(path),
                "is in a read-only place, or may not be written to; it can only be read",
                remedy="Give yourself write permission on the file and its folder, or set store.path elsewhere.",
            )
        )
    else:
        raise why from cause


def _open_for_reading(path: Path, soundness: Soundness) -> OpenedFile:
    """A file that is not to be written to. Raises why it is not, when it cannot be read either."""
    connect = partial(connection.connect_to_read, path)
    try:
        _check_readable(connect, path)
    except (sqlite3.Error, StoreError) as error:
        raise soundness.refusal or error from error
    return OpenedFile(writer=None, connect=connect)


def _check_readable(connect: Connect, path: Path) -> None:
    db = connect()
    try:
        connection.check_identity(db, path)
        applied = schema.applied_migrations(db)
        schema.refuse_newer(applied, path=str(path))
        schema.refuse_older(applied, path=str(path))
    finally:
        db.close()
