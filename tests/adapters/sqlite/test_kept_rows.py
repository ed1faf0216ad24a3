"""What searches keep of rows: never more than its bound, never of another analysis, and gone when it is let go."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.adapters.sqlite.test_vector_cache import open_store, put

from libravdb.adapters import kept_rows
from libravdb.adapters.kept_rows import KeptRow
from libravdb.adapters.sqlite.kept_rows import RECORDS, FileRows
from libravdb.adapters.sqlite.writes import name_analysis


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A file with ten records, a row each."""
    with open_store(tmp_path) as store:
        store.commit([put(number, text=f"words of text {number}") for number in range(10)])
    opened = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    yield opened
    opened.close()


def rows_in(db: sqlite3.Connection) -> list[int]:
    return [row for (row,) in db.execute("SELECT row FROM records ORDER BY row")]


def count_reads(db: sqlite3.Connection) -> list[str]:
    """The statements that read bags from now on."""
    told: list[str] = []
    db.set_trace_callback(lambda statement: told.append(statement) if "bags" in statement else None)
    return told


def test_rows_come_in_the_order_asked_and_unknown_ones_are_left_out(db: sqlite3.Connection) -> None:
    kept, rows = FileRows(RECORDS), rows_in(db)
    kept.get(db, rows[3:5])
    found = kept.get(db, [rows[4], 10**9, rows[0], rows[3]])
    assert list(found) == [rows[4], rows[0], rows[3]]
    wanted = db.execute(
        "SELECT r.id, b.length, b.bag FROM records r JOIN bags b ON b.text = r.text WHERE r.row = ?", (rows[0],)
    ).fetchone()
    assert found[rows[0]] == KeptRow(*wanted)


def test_a_row_is_read_once_until_all_is_let_go(db: sqlite3.Connection) -> None:
    kept, rows = FileRows(RECORDS), rows_in(db)
    told = count_reads(db)
    first = kept.get(db, rows)
    assert kept.get(db, rows) == first
    assert len(told) == 1
    kept.clear()
    kept.get(db, rows)
    assert len(told) == 2


def test_what_another_analysis_counted_is_not_given_out(db: sqlite3.Connection) -> None:
    kept, rows = FileRows(RECORDS), rows_in(db)
    kept.get(db, rows)
    name_analysis(db, "another")
    db.execute("UPDATE bags SET length = 77")
    assert {read.length for read in kept.get(db, rows).values()} == {77}


def test_what_was_read_first_goes_first_when_there_is_no_room(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_rows, "MOST_BYTES", 2_000)
    kept, rows = FileRows(RECORDS), rows_in(db)
    kept.get(db, rows)
    told = count_reads(db)
    kept.get(db, rows[-2:])
    assert told == []
    kept.get(db, rows[:1])
    assert len(told) == 1
