"""Every way in which a file can still hold what was deleted is found under its own name, and wiped."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import numpy as np
import pytest
from tests.puts import put

from libravdb.adapters.sqlite.file import key_beside
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.core.erasure.fragments import cut_all
from libravdb.errors import StoreError
from libravdb.model import DeletedContent, DropCollection, Embedding, Remove
from libravdb.text.analysis import index_terms

TEXT = "The zanzibar ferry leaves the northern quay at seventeen minutes past four, says the harbour master."
DELETED = DeletedContent(terms=frozenset(index_terms(TEXT)), pieces=cut_all([TEXT.encode()]))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "m.db", now=1) as opened:
        opened.commit([put("c", "a", TEXT), put("c", "b", "tea with lemon")])
        yield opened


def left(store: SqliteStore) -> set[str]:
    return {check.name for check in store.maintenance.residue(DELETED) if not check.is_passed}


def carelessly(store: SqliteStore, *statements: str) -> None:
    """Another program at work on the file, which wipes nothing and respects no rule."""
    db = sqlite3.connect(store.path, isolation_level=None)
    db.execute("PRAGMA secure_delete = OFF")
    for statement in statements:
        db.execute(statement)
    db.close()


def test_what_is_there_is_no_residue_and_what_is_wiped_is_none(store: SqliteStore) -> None:
    assert left(store) == set()
    store.commit([Remove(collection="c", id="a")])
    store.maintenance.purge()
    assert left(store) == set()


def test_the_log_holds_what_was_deleted_until_it_is_emptied(store: SqliteStore) -> None:
    store.commit([Remove(collection="c", id="a")])
    assert "log" in left(store)
    store.maintenance.purge()
    assert left(store) == set()
    assert Path(f"{store.path}-wal").stat().st_size == 0


def test_the_same_words_said_and_replaced_while_it_is_looked_are_doubted_unless_writers_wait(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.commit([Remove(collection="c", id="a")])
    store.maintenance.purge()
    content = store.content

    def say_again() -> None:
        store.commit([put("c", "state", TEXT)])
        store.commit([put("c", "state", "another state")])

    with ThreadPoolExecutor(1) as pool:

        def read_slowly() -> Iterator[bytes]:
            said = pool.submit(say_again)
            wait([said], timeout=0.2)  # whoever must wait for us has not spoken by then
            yield from content()

        monkeypatch.setattr(store, "content", read_slowly)
        assert [check.name for check in store.maintenance.residue(DELETED) if not check.is_passed] == ["log"]
        alone = store.maintenance.residue(DELETED, is_alone=True)
    assert [check.name for check in alone if not check.is_passed] == []
    with store.read() as snapshot:
        assert [record.text for record in snapshot.page("c").items] == ["tea with lemon", "another state"]


def test_bytes_that_were_not_wiped_are_found_and_go_when_the_file_is_written_anew(store: SqliteStore) -> None:
    store.maintenance.purge()
    carelessly(store, f"CREATE TABLE other AS SELECT '{TEXT}' AS said", "DROP TABLE other")
    store.commit([Remove(collection="c", id="a")])
    store.maintenance.purge()
    assert left(store) == {"file"}
    store.maintenance.purge(is_anew=True)
    assert left(store) == set()


def test_a_text_that_no_record_holds_is_found(store: SqliteStore) -> None:
    carelessly(store, "DELETE FROM records WHERE id = 'a'")
    assert left(store) == {"texts"}


def test_a_vector_without_its_text_is_found(store: SqliteStore) -> None:
    store.vectors.open(fingerprint="f", dimensions=3, description={})
    embedding = Embedding(fingerprint="f", vectors=np.array([[1, 0, 0]], dtype=np.float32))
    store.commit([put("c", "v", "with a vector", embedding=embedding)])
    assert left(store) == set()
    carelessly(store, "INSERT INTO vectors (vector) VALUES (x'00')")
    assert left(store) == {"vectors"}


def test_a_word_in_a_row_of_the_index_that_no_text_has_is_found(store: SqliteStore) -> None:
    carelessly(store, "INSERT INTO lexicon (rowid, scope, terms) VALUES (9999, 'x', 'zanzibar')")
    assert left(store) == {"index"}


def test_a_text_that_goes_over_many_pages_leaves_nothing(store: SqliteStore) -> None:
    long = "\n".join(f"line {n} of the confession of the lighthouse keeper" for n in range(4_000))
    store.commit([put("d", "long", long)])
    store.commit([put("d", str(n), f"{long[n * 50 : n * 50 + 900]} {n}") for n in range(150)])
    store.commit([DropCollection(name="d")])
    store.maintenance.purge()
    deleted = DeletedContent(pieces=cut_all([long.encode()]))
    assert [check.name for check in store.maintenance.residue(deleted) if not check.is_passed] == []


def test_looking_at_the_bytes_drops_no_lock_of_the_store(store: SqliteStore) -> None:
    """A process loses all of its locks on a file when it closes any descriptor of it."""
    store.maintenance.residue(DELETED)
    look = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('SELECT 1 FROM texts'); db.close()"
    subprocess.run([sys.executable, "-c", look, str(store.path)], check=True)  # as the last one it would drop the log
    assert Path(f"{store.path}-wal").exists()
    store.commit([put("c", "later", "still written")])
    with store.read() as snapshot:
        assert [record.id for record in snapshot.page("c").items] == ["a", "b", "later"]


# ── the key ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_key_is_its_owners_alone_and_stays_the_same(store: SqliteStore, tmp_path: Path) -> None:
    key = store.maintenance.secret()
    place = tmp_path / "m.db.key"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert store.maintenance.secret() == key
    assert sorted(path.name for path in tmp_path.glob(".*")) == []


def test_all_who_come_at_once_get_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: key_beside(tmp_path / "m.db"), range(32)))
    assert len(keys) == 1


@pytest.mark.parametrize("content", ["", "zz", "ab", "ü"])
def test_a_damaged_key_is_told_and_not_replaced(store: SqliteStore, tmp_path: Path, content: str) -> None:
    place = tmp_path / "m.db.key"
    place.write_text(content, encoding="utf-8")
    with pytest.raises(StoreError, match="is no key"):
        store.maintenance.secret()
    assert place.read_text(encoding="utf-8") == content


def test_a_backup_does_not_hold_the_key(store: SqliteStore, tmp_path: Path) -> None:
    key = store.maintenance.secret()
    store.maintenance.backup(tmp_path / "copy.db")
    content = (tmp_path / "copy.db").read_bytes()
    assert key not in content
    assert key.hex().encode() not in content
