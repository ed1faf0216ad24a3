"""A short digest over what a record holds beside its text: a byte that changed on the disk is told from a change."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from hashlib import blake2b

SIZE = 8


def record_checksum(id: str, metadata: str, at: int) -> bytes:
    """The checksum of a record with this id, these metadata as they are written, and this time."""
    return _checksum(id.encode(), metadata.encode(), at)


def fill_checksums(db: sqlite3.Connection) -> None:
    """Give every record its checksum, as it is now."""
    db.create_function("record_checksum", 3, _checksum, deterministic=True)
    db.execute(f"UPDATE records SET checksum = record_checksum({_PARTS})")
    db.create_function("record_checksum", 3, None)


def misread_records(db: sqlite3.Connection) -> Iterator[str]:
    """Records that are no longer what was written."""
    for row, checksum, *parts in db.execute(f"SELECT row, checksum, {_PARTS} FROM records"):
        if checksum != _checksum(*parts):
            yield f"record row {row} has an id, metadata or a time that is not what was written"


_PARTS = "CAST(id AS BLOB), CAST(metadata AS BLOB), at"


def _checksum(id: object, metadata: object, at: object) -> bytes:
    """Whatever a damaged row holds has one; the length keeps an id from running into the metadata."""
    first, second = (part if isinstance(part, bytes) else b"" for part in (id, metadata))
    return blake2b(b"%d %s %s %a" % (len(first), first, second, at), digest_size=SIZE).digest()
