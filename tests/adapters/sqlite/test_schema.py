"""The shape of the file changes in named steps, each wholly or not at all, once, whoever comes first."""

from __future__ import annotations

import multiprocessing
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.puts import put

from libravdb.adapters.sqlite import schema
from libravdb.adapters.sqlite.integrity import verify_file
from libravdb.adapters.sqlite.schema import APPLICATION_ID, MIGRATIONS, applied_migrations, migrate
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.errors import StoreTooNew
from libravdb.ports.claim import ClaimKind

NAMES = [migration.__name__ for migration in MIGRATIONS]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    yield opened
    opened.close()


def dump(db: sqlite3.Connection) -> list[str]:
    return list(db.iterdump())


def test_a_new_file_gets_every_step_with_its_record(db: sqlite3.Connection) -> None:
    assert applied_migrations(db) == []
    assert migrate(db, path="store.db", now=77) == NAMES
    assert applied_migrations(db) == NAMES
    assert db.execute("SELECT DISTINCT applied_at FROM migrations").fetchall() == [(77,)]
    assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert not db.in_transaction


def test_a_file_that_is_up_to_date_is_left_as_it_is(db: sqlite3.Connection) -> None:
    migrate(db, path="store.db", now=1)
    before = dump(db)
    assert migrate(db, path="store.db", now=2) == []
    assert dump(db) == before


def test_each_step_is_one_transaction_with_its_record(db: sqlite3.Connection) -> None:
    statements: list[str] = []
    db.set_trace_callback(statements.append)
    migrate(db, path="store.db", now=1)
    db.set_trace_callback(None)
    frame = [
        s.split()[0] for s in statements if s.startswith(("BEGIN", "COMMIT", "ROLLBACK", "INSERT INTO migrations"))
    ]
    assert frame == ["BEGIN", "INSERT", "COMMIT"] * len(MIGRATIONS)


def half_done(db: sqlite3.Connection) -> None:
    """Does something, then fails."""
    db.execute("CREATE TABLE half (id INTEGER)")
    db.execute("DELETE FROM facts")
    db.execute("INSERT INTO nowhere VALUES (1)")


def with_a_defect(db: sqlite3.Connection) -> None:
    """Does something, then fails in a way that is not SQLite's."""
    db.execute("CREATE TABLE half (id INTEGER)")
    raise ZeroDivisionError


@pytest.mark.parametrize("step", [half_done, with_a_defect])
def test_a_step_that_fails_leaves_the_file_as_it_was(
    db: sqlite3.Connection, step: schema.Migration, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(db, path="store.db", now=1)
    before = dump(db)
    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, step))
    with pytest.raises((sqlite3.Error, ZeroDivisionError)):
        migrate(db, path="store.db", now=2)
    assert not db.in_transaction
    assert dump(db) == before
    monkeypatch.undo()
    assert migrate(db, path="store.db", now=3) == []


def test_a_step_that_fails_keeps_those_before_it(db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS[:2], with_a_defect))
    with pytest.raises(ZeroDivisionError):
        migrate(db, path="store.db", now=1)
    assert applied_migrations(db) == NAMES[:2]
    monkeypatch.undo()
    assert migrate(db, path="store.db", now=1) == NAMES[2:]


def test_a_store_that_stopped_half_way_is_finished_by_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.db"
    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS[:2], with_a_defect))
    with pytest.raises(ZeroDivisionError):
        SqliteStore(path)
    monkeypatch.undo()
    with SqliteStore(path) as store:
        store.commit([put("c", "1", "text")])
        assert list(store.maintenance.verify()) == []


def test_an_unknown_step_is_refused_before_anything_happens(db: sqlite3.Connection) -> None:
    migrate(db, path="store.db", now=1)
    db.execute("INSERT INTO migrations VALUES ('from_the_future', 1)")
    before = dump(db)
    with pytest.raises(StoreTooNew, match="from_the_future") as caught:
        migrate(db, path="store.db", now=2)
    assert caught.value.remedy
    assert dump(db) == before


def test_steps_have_names_of_their_own_and_say_what_they_are_for() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert all(migration.__doc__ for migration in MIGRATIONS)


def test_every_reference_is_backed_by_an_index(db: sqlite3.Connection) -> None:
    """Deleting a row looks for those that refer to it: without an index that would read the whole table."""
    migrate(db, path="store.db", now=1)
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        for reference in db.execute(f"PRAGMA foreign_key_list({table})").fetchall():  # our own names
            column = reference[3]
            leading = [
                db.execute(f"PRAGMA index_info({index[1]})").fetchall()[0][2]
                for index in db.execute(f"PRAGMA index_list({table})").fetchall()
            ]
            keys = [name for _, name, *_, key in db.execute(f"PRAGMA table_info({table})") if key == 1]
            assert column in leading + keys, f"{table}.{column}"


# ── several processes ─────────────────────────────────────────────────────────────────────────────────────


def open_and_write(path: str, name: str, barrier: object, failures: object) -> None:
    """In a process of its own: open the new file at the same moment as the others, and write."""
    try:
        barrier.wait(60)  # type: ignore[attr-defined]
        with SqliteStore(Path(path), kind=ClaimKind.COMMAND) as store:
            for i in range(5):
                store.commit([put("c", f"{name} {i}", f"by {name}", at=i)])
    except BaseException as error:  # the parent wants to know, whatever it is
        failures.put(f"{name}: {error!r}")  # type: ignore[attr-defined]
        raise


@pytest.mark.parametrize("attempt", range(3))
def test_commands_that_open_a_new_file_at_the_same_time_share_it(tmp_path: Path, attempt: int) -> None:
    path = tmp_path / f"store {attempt}.db"
    context = multiprocessing.get_context("spawn")
    barrier, failures = context.Barrier(3), context.Queue()
    workers = [
        context.Process(target=open_and_write, args=(str(path), f"worker {i}", barrier, failures)) for i in range(3)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    told = [failures.get(timeout=10) for worker in workers if worker.exitcode != 0]
    failures.close()
    failures.join_thread()
    assert told == []
    with SqliteStore(path) as store:
        assert store.maintenance.stats().records == 15
    assert list(verify_file(path)) == []


def test_dreams_get_the_ids_that_clients_know_unless_somebody_else_has_them(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    former = {"type": "dream_entry", "source_doc": "D.md", "score": 0.7}
    with SqliteStore(path) as store:
        store.commit(
            [
                put("dream:a", "dream:0123456789abcdef:000004", "kept", metadata=former),
                put("dream:a", "D.md#dream#000005", "of a client", metadata={"type": "own"}),
                put("dream:a", "dream:0123456789abcdef:000005", "beside it", metadata=former),
                put("user:a", "dream:0123456789abcdef:000004", "elsewhere", metadata=former),
            ]
        )
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM migrations WHERE name IN ('spellings_of_the_wire', 'record_checksums')")
        db.execute("ALTER TABLE records DROP COLUMN checksum")
    db.close()
    with SqliteStore(path) as store, store.read() as snapshot:
        dreams = {record.text: record for record in snapshot.page("dream:a").items}
        (other,) = snapshot.page("user:a").items
    assert {text: record.id for text, record in dreams.items()} == {
        "kept": "D.md#dream#000004",
        "of a client": "D.md#dream#000005",
        "beside it": "dream:0123456789abcdef:000005",
    }
    today = {"type": "dream_promotion", "source_doc": "D.md", "score": 0.7, "source_kind": "dream", "dream_score": 0.7}
    assert dreams["kept"].metadata == dreams["beside it"].metadata == today
    assert (dreams["of a client"].metadata, other.metadata) == ({"type": "own"}, former)
    assert list(verify_file(path)) == []


def test_records_of_an_older_version_get_their_checksums_also_damaged_ones(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with SqliteStore(path) as store:
        store.commit([put("c", f"日{i}", f"text {i}", metadata={"who": "Zoë", "n": i}, at=i) for i in range(5)])
    with sqlite3.connect(path) as db:
        before = db.execute("SELECT row, checksum FROM records").fetchall()
        db.execute("DELETE FROM migrations WHERE name = 'record_checksums'")
        db.execute("ALTER TABLE records DROP COLUMN checksum")
        db.execute("UPDATE records SET metadata = x'ff' WHERE row = 5")
    db.close()
    SqliteStore(path).close()
    db = sqlite3.connect(path)
    assert db.execute("SELECT row, checksum FROM records WHERE row < 5").fetchall() == before[:4]
    db.close()
    assert {finding.invariant for finding in verify_file(path)} == {"JSON is valid"}
