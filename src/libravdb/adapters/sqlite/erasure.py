"""What deletions leave in the file, and how it is wiped and looked for: index, log, free pages, bytes.

`secure_delete` writes zeros over what is deleted. It does not reach the copies of a row that SQLite left behind when it
moved the row to another page, so the bytes of the file are looked at, and where needed the file is written anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from libravdb.adapters.sqlite import connection
from libravdb.core.erasure.fragments import LENGTH, FragmentScan
from libravdb.errors import StoreBusy
from libravdb.model import DeletedContent, ErasureCheck

_CHUNK = 4 * 2**20
_BATCH = 500
_PATIENCE = 0.5
_TRIES = 20
_GAP = b"\0" * LENGTH  # no piece goes over it
Lull = Callable[[float], AbstractContextManager[bool]]


def purge(path: Path, lull: Lull, *, is_anew: bool) -> None:
    """Take deleted words out of the index, write the log back and empty it; `is_anew` writes the whole file anew."""
    with _opened(path) as db:
        db.execute("INSERT INTO lexicon (lexicon) VALUES ('optimize')")
        if is_anew:
            db.execute("VACUUM")
        _empty_log(db, path, lull)


@contextmanager
def writers_waiting(path: Path, lull: Lull) -> Iterator[None]:
    """Nobody writes, in no process, and the log is empty: all bytes there are belong to the state that is read now."""
    with _opened(path) as db:
        for _ in range(_TRIES):
            _empty_log(db, path, lull)
            db.execute("BEGIN IMMEDIATE")
            if not _size(log_of(path)):
                break
            db.execute("ROLLBACK")  # somebody wrote in between
        yield


def _empty_log(db: sqlite3.Connection, path: Path, lull: Lull) -> None:
    """Readers are held back meanwhile: where somebody always reads, SQLite would never find a moment for it."""
    db.execute(f"PRAGMA busy_timeout = {int(_PATIENCE * 1000)}")
    for _ in range(_TRIES):
        with lull(_PATIENCE):
            busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            db.execute(f"PRAGMA busy_timeout = {int(connection.BUSY_SECONDS * 1000)}")
            return
    raise StoreBusy(
        str(path),
        "somebody reads an earlier state of it, so its log cannot be emptied",
        remedy="Try again when exports and backups are done.",
    )


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    db = connection.connect(path)
    try:
        yield db
    except sqlite3.Error as error:
        raise connection.explain(error, str(path)) from error
    finally:
        db.close()


def log_of(path: Path) -> Path:
    """The write-ahead log of a file."""
    return Path(f"{path}-wal")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def checks(
    db: sqlite3.Connection, deleted: DeletedContent, *, content: Iterable[bytes], log: Path
) -> Iterator[ErasureCheck]:
    """What is left of a deleted content in the tables, the index and the bytes of the file and its log."""
    yield _told("texts", _orphans(db), "every text belongs to a record")
    yield _told("vectors", _loose_vectors(db), "every vector belongs to a text")
    if deleted.terms:
        yield _told("index", _loose_words(db, deleted.terms), f"{len(deleted.terms):,} words looked for")
    if not deleted.pieces:
        return
    scan = FragmentScan(deleted.pieces)
    found = scan.found_in_chunks(content)
    logged = scan.found_in_chunks(_bytes_at(log))
    there = FragmentScan(found | logged).found_in_chunks(_contents(db)) if found | logged else set()
    looked = f"{len(deleted.pieces):,} fragments looked for"
    yield _told("file", len(found - there), f"{looked} in all of its bytes, free pages too")
    yield _told("log", len(logged - there), f"{looked} in the write-ahead log")


def _told(name: str, left: int, detail: str) -> ErasureCheck:
    return ErasureCheck(name=name, is_passed=not left, detail=f"{left:,} left: {detail}" if left else detail)


def _orphans(db: sqlite3.Connection) -> int:
    """Texts that no record holds any more."""
    question = "SELECT count(*) FROM texts t WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.text = t.id)"
    (left,) = db.execute(question).fetchone()
    return int(left)


def _loose_vectors(db: sqlite3.Connection) -> int:
    """Codes and terms without their text, and vectors that no code leads to."""
    (codes,) = db.execute("SELECT count(*) FROM codes WHERE text NOT IN (SELECT id FROM texts)").fetchone()
    (bags,) = db.execute("SELECT count(*) FROM bags WHERE text NOT IN (SELECT id FROM texts)").fetchone()
    (held,) = db.execute("SELECT coalesce(sum(vectors), 0) FROM codes").fetchone()
    (stored,) = db.execute("SELECT count(*) FROM vectors").fetchone()
    return int(codes + bags + abs(stored - held))


def _loose_words(db: sqlite3.Connection, terms: Collection[str]) -> int:
    """Words that the index knows in rows which no text has."""
    question = (
        "SELECT 1 FROM lexicon_occurrences WHERE term = ? AND col = 'terms'"
        " AND doc NOT IN (SELECT row FROM lexical) LIMIT 1"
    )
    return sum(db.execute(question, (term,)).fetchone() is not None for term in terms)


def _bytes_at(path: Path) -> Iterator[bytes]:
    """The log; SQLite holds no lock on it that closing it here could drop."""
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except FileNotFoundError:
        return


def _contents(db: sqlite3.Connection) -> Iterator[bytes]:
    """All that rows hold: what is there belongs to somebody."""
    tables = db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        " UNION ALL SELECT 'sqlite_master'"
    ).fetchall()
    for (table,) in tables:
        rows = db.execute(f'SELECT * FROM "{table}"')
        while batch := rows.fetchmany(_BATCH):
            values = (value for row in batch for value in row if isinstance(value, str | bytes))
            yield _GAP.join(value.encode() if isinstance(value, str) else value for value in values) + _GAP
