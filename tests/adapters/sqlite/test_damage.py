"""Damage is noticed: either everything is right, or the error is clear and no write is acknowledged.

Each test spoils a real file in one way. What is then read is what was written or an error; what is then written is
refused, and the next start still knows it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.stores import ask, kept, listed, open_space, vector, words
from tests.puts import put

from libravdb.adapters.sqlite import soundness
from libravdb.adapters.sqlite.ownership import claim
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.adapters.sqlite.wal_index import count_lost_frames
from libravdb.errors import StoreCorrupt, StoreError
from libravdb.model import BackupCopy, Key, Order, StoreHealth
from libravdb.ports.claim import ClaimKind

RECORDS = 80
PAGE = 4096
TEXTS = {f"{i:03}": f"text number {i} of many, " + "which goes on for a while, " * 12 for i in range(RECORDS)}


def fill(path: Path) -> None:
    with SqliteStore(path) as store:
        open_space(store)
        for id, text in TEXTS.items():
            store.commit([put("c", id, text, at=int(id), embedding=vector((int(id) + 1, 1)))])


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store at rest."""
    path = tmp_path_factory.mktemp("sound") / "store.db"
    fill(path)
    return path


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose owner died: everything written is still in the log, and its index lies beside it."""
    path, copy = tmp_path_factory.mktemp("killed") / "store.db", tmp_path_factory.mktemp("copy") / "store.db"
    with SqliteStore(path) as store:
        store._writer.execute("PRAGMA wal_autocheckpoint = 0")
        store.commit([put("c", "000", TEXTS["000"], at=0)])
        for id, text in list(TEXTS.items())[1:]:
            store.commit([put("c", id, text, at=int(id))])
        for suffix in ("", "-wal", "-shm"):
            shutil.copy(f"{path}{suffix}", f"{copy}{suffix}")
    return copy


def copy_of(store: Path, folder: Path) -> Path:
    for suffix in ("", "-wal", "-shm"):
        if Path(f"{store}{suffix}").exists():
            shutil.copy(f"{store}{suffix}", folder / f"store.db{suffix}")
    return folder / "store.db"


def pages_of(path: Path, name: str) -> list[int]:
    """The numbers of the pages of a table or an index, as far as SQLite tells: its root, else by what is on them."""
    db = sqlite3.connect(path)
    (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    db.close()
    content = path.read_bytes()
    page = content[(root - 1) * PAGE : root * PAGE]
    kind = page[0]
    if kind in (0x0D, 0x0A):
        return [root]
    cells = int.from_bytes(page[3:5], "big")
    starts = [int.from_bytes(page[12 + 2 * i : 14 + 2 * i], "big") for i in range(cells)]
    return [int.from_bytes(page[start : start + 4], "big") for start in starts] + [int.from_bytes(page[8:12], "big")]


def overwrite(path: Path, page: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(content)


# ── ways to spoil a file ──────────────────────────────────────────────────────────────────────────────────


def noise_in(table: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        pages = pages_of(path, table)
        overwrite(path, pages[len(pages) // 2], os.urandom(PAGE))

    return spoil


def zeros_in(table: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        pages = pages_of(path, table)
        overwrite(path, pages[len(pages) // 2], bytes(PAGE))

    return spoil


def empty_leaf_of(table: str, kind: int) -> Callable[[Path], None]:
    """A page without cells is sound by itself, and its rows are missing without a word."""

    def spoil(path: Path) -> None:
        pages = pages_of(path, table)
        overwrite(path, pages[len(pages) // 2], bytes([kind, 0, 0, 0, 0, 0x10, 0, 0]))

    return spoil


def swap_leaves_of(table: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        first, second, *_ = pages_of(path, table)
        content = path.read_bytes()
        one, other = (content[(page - 1) * PAGE : page * PAGE] for page in (first, second))
        overwrite(path, first, other)
        overwrite(path, second, one)

    return spoil


def flip_a_letter(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content.replace(b"text number 40 of", b"text number 41 of"))


def break_unicode(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content.replace(b"text number 40 of", b"text number \xff\xfe of"))


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 // PAGE * PAGE)


def cut_a_page(path: Path) -> None:
    os.truncate(path, path.stat().st_size - PAGE)


SPOILERS: dict[str, Callable[[Path], None]] = {
    "noise in the records": noise_in("records"),
    "noise in the texts": noise_in("texts"),
    "noise in the index of ids": noise_in("sqlite_autoindex_records_1"),
    "noise in the index of times": noise_in("records_by_time"),
    "noise in the index of words": noise_in("lexicon_data"),
    "noise in the vectors": noise_in("vectors"),
    "noise in the counts of terms": noise_in("bags"),
    "zeros in the records": zeros_in("records"),
    "zeros in the texts": zeros_in("texts"),
    "zeros in the index of words": zeros_in("lexicon_data"),
    "an empty page of records": empty_leaf_of("records", 0x0D),
    "an empty page of texts": empty_leaf_of("texts", 0x0D),
    "an empty page of ids": empty_leaf_of("sqlite_autoindex_records_1", 0x0A),
    "an empty page of arrivals": empty_leaf_of("records_by_arrival", 0x0A),
    "swapped pages of texts": swap_leaves_of("texts"),
    "another letter in a text": flip_a_letter,
    "a text that is no Unicode": break_unicode,
    "half a file": cut,
    "a file without its last page": cut_a_page,
}


def read_everything(store: SqliteStore) -> None:
    """By every way that a list is made; each gives all of it, or an error."""
    assert listed(store) == list(TEXTS)
    assert listed(store, order=Order.NEWEST) == list(reversed(TEXTS))
    for id, text in TEXTS.items():
        assert kept(store, id).text == text
    paged = []
    after = None
    while True:
        page = ask(store, lambda read: read.page("c", after=after, limit=7))  # noqa: B023 - asked at once
        paged += [record.id for record in page.items]
        after = page.next
        if after is None:
            break
    assert paged == list(TEXTS)
    assert set(words(store, "number many while", k=RECORDS)) == set(TEXTS)
    assert ask(store, lambda read: read.sizes(["c"])) == {"c": RECORDS}


def outcome(path: Path) -> str:
    """What becomes of opening, reading and writing a file: all well, or refused, never anything between."""
    try:
        store = SqliteStore(path)
    except StoreCorrupt as error:
        return told(error, "not opened")
    with store:
        try:
            read_everything(store)
        except StoreCorrupt as error:
            assert_refused(store)
            return told(error, "refused")
        if not store.maintenance.health().is_writable:
            assert_refused(store)
            return "refused"
        if not store.maintenance.check().is_writable:
            assert_refused(store)
            return "found in the background"
    return "well"


def told(error: StoreCorrupt, outcome: str) -> str:
    assert "libravdb repair" in error.remedy
    return outcome


def assert_refused(store: SqliteStore) -> None:
    with pytest.raises(StoreCorrupt, match="damaged") as caught:
        store.commit([put("c", "new", "a new text")])
    assert "libravdb repair" in caught.value.remedy
    health = store.maintenance.health()
    assert not health.is_writable
    assert "damaged" in health.words()
    assert "repair" in health.words()


@pytest.mark.parametrize("name", SPOILERS)
def test_whatever_is_spoiled_is_noticed_and_nothing_is_acknowledged(name: str, sound: Path, tmp_path: Path) -> None:
    path = copy_of(sound, tmp_path)
    before = path.read_bytes()
    SPOILERS[name](path)
    assert path.read_bytes() != before
    assert outcome(path) != "well"


@pytest.mark.parametrize("name", SPOILERS)
def test_what_was_found_once_is_known_at_the_next_start(name: str, sound: Path, tmp_path: Path) -> None:
    path = copy_of(sound, tmp_path)
    SPOILERS[name](path)
    if outcome(path) == "not opened":
        assert outcome(path) == "not opened"
        return
    with SqliteStore(path) as again:
        assert_refused(again)


def test_a_sound_store_stays_writable(sound: Path, tmp_path: Path) -> None:
    path = copy_of(sound, tmp_path)
    assert outcome(path) == "well"
    with SqliteStore(path) as store:
        assert store.maintenance.health() == StoreHealth()
        store.commit([put("c", "new", "a new text")])
        assert store.maintenance.check().checked_at > 0
    assert not soundness.note_path(path).exists()


def test_what_is_sound_is_served(sound: Path, tmp_path: Path) -> None:
    path = copy_of(sound, tmp_path)
    flip_a_letter(path)
    with SqliteStore(path) as store:
        with pytest.raises(StoreCorrupt, match=r"record '040' in 'c' is not what was written"):
            listed(store)
        assert kept(store, "041").text == TEXTS["041"]
        assert ask(store, lambda read: read.sizes(["c"])) == {"c": RECORDS}


def test_a_damaged_file_is_not_changed_by_opening_it(sound: Path, tmp_path: Path) -> None:
    path = copy_of(sound, tmp_path)
    SPOILERS["an empty page of ids"](path)
    before = path.read_bytes()
    with SqliteStore(path) as store:
        assert_refused(store)
    assert path.read_bytes() == before


def test_damage_that_comes_while_the_store_is_open_ends_all_writing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path)
    with SqliteStore(path) as store:
        store.commit([put("c", "early", "before the damage")])
        store._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        noise_in("texts")(path)
        store._writer.execute("PRAGMA shrink_memory")
        for _ in range(3):
            with pytest.raises(StoreCorrupt):
                ask(store, lambda read: [read.records([Key("c", id)]) for id in TEXTS])
        assert_refused(store)
    with SqliteStore(path) as again:
        assert_refused(again)


@pytest.mark.parametrize("left", [0, 100, 5_000])
def test_a_log_cut_off_under_an_open_store_is_not_told_to_have_lost_nothing(tmp_path: Path, left: int) -> None:
    """What stood only in the log is gone: nobody may say that earlier writes are safe."""
    path = tmp_path / "store.db"
    with SqliteStore(path) as store:
        store.commit([put("c", "1", "only in the log")])
        store._writer.execute("PRAGMA shrink_memory")  # what SQLite remembers of the file hides what became of it
        os.truncate(log_of(path), left)
        for _ in range(2):
            with pytest.raises(StoreError, match="what was written last may be gone") as caught:
                store.commit([put("c", "2", "refused")])
            assert not re.search("safe|is kept", str(caught.value))
        assert not store.maintenance.health().is_writable


def test_a_copy_put_in_place_of_a_damaged_file_is_trusted(sound: Path, tmp_path: Path) -> None:
    path = copy_of(sound, tmp_path)
    SPOILERS["an empty page of ids"](path)
    assert outcome(path) == "refused"
    shutil.copy(sound, path)  # into the same file
    assert outcome(path) == "well"
    assert not soundness.note_path(path).exists()


# ── the log ───────────────────────────────────────────────────────────────────────────────────────────────


def log_of(path: Path) -> Path:
    return Path(f"{path}-wal")


def test_a_log_that_was_left_behind_is_read(killed: Path, tmp_path: Path) -> None:
    path = copy_of(killed, tmp_path)
    assert count_lost_frames(path) == 0
    with SqliteStore(path) as store:
        assert listed(store) == list(TEXTS)
        store.commit([put("c", "new", "a new text")])


def cut_log(path: Path) -> None:
    os.truncate(log_of(path), log_of(path).stat().st_size // 2)


def spoil_log(path: Path) -> None:
    with log_of(path).open("r+b") as file:
        file.seek(log_of(path).stat().st_size // 2)
        file.write(os.urandom(64))


def spoil_log_header(path: Path) -> None:
    with log_of(path).open("r+b") as file:
        file.write(os.urandom(32))


def empty_log(path: Path) -> None:
    os.truncate(log_of(path), 0)


def remove_log(path: Path) -> None:
    log_of(path).unlink()


@pytest.mark.parametrize("spoil", [cut_log, spoil_log, spoil_log_header, empty_log, remove_log])
def test_a_log_that_lost_what_was_acknowledged_is_noticed(
    spoil: Callable[[Path], None], killed: Path, tmp_path: Path
) -> None:
    path = copy_of(killed, tmp_path)
    spoil(path)
    for _ in range(2):  # SQLite makes the index anew: the second start must know it from the first
        store: SqliteStore | None = None
        try:
            store = SqliteStore(path)
        except StoreCorrupt as error:  # nothing is left that could be read
            found = error.problem
        if store is None:
            assert "missing from its write-ahead log" in found
            continue
        with store:
            assert "missing from its write-ahead log" in store.maintenance.health().problem
            assert_refused(store)


def test_a_spoiled_log_is_noticed_under_a_claim_that_was_made_before(killed: Path, tmp_path: Path) -> None:
    """As a daemon does, which claims the store, listens, and opens it then."""
    path = copy_of(killed, tmp_path)
    cut_log(path)
    with claim(path, ClaimKind.DAEMON), SqliteStore(path) as store:
        assert_refused(store)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_byte_of_a_committed_log_can_change_unnoticed(data: st.DataObject, killed: Path, tmp_path: Path) -> None:
    path = copy_of(killed, tmp_path)
    content = bytearray(log_of(path).read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    is_padding = 12 <= place < 16  # a counter of checkpoints is part of the header and its checksum
    content[place] ^= data.draw(st.integers(1, 255))
    log_of(path).write_bytes(content)
    assert count_lost_frames(path) > 0 or is_padding


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_follows_the_last_commit_in_a_log_is_nobodys_loss(
    data: st.DataObject, killed: Path, tmp_path: Path
) -> None:
    """A write that was cut off by the kill was acknowledged to nobody."""
    path = copy_of(killed, tmp_path)
    with log_of(path).open("ab") as file:
        file.write(data.draw(st.binary(min_size=1, max_size=200)))
    assert count_lost_frames(path) == 0


def test_an_index_of_an_earlier_log_proves_nothing(tmp_path: Path) -> None:
    """After a power failure the index may be an old one: the log was begun anew since."""
    path = tmp_path / "store.db"
    with SqliteStore(path) as store:
        store.commit([put("c", "1", "a text")])
        old = Path(f"{path}-shm").read_bytes()[: 48 * 2 + 4]
        store._writer.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()
        store.commit([put("c", "2", "another text")])
        (tmp_path / "copy").mkdir()
        copy = copy_of(path, tmp_path / "copy")
    with Path(f"{copy}-shm").open("r+b") as file:
        file.write(old)
    assert count_lost_frames(copy) == 0


# ── not damage ────────────────────────────────────────────────────────────────────────────────────────────


def insult(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO records (collection) VALUES (NULL)")


def test_a_refused_change_is_not_taken_for_damage(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "store.db") as store:
        with pytest.raises(StoreError):
            store.submit(insult)
        assert store.maintenance.health() == StoreHealth()
        store.commit([put("c", "1", "a text")])


# ── copies ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", SPOILERS)
def test_no_backup_of_a_damaged_store_is_left(name: str, sound: Path, tmp_path: Path) -> None:
    """Also of one whose damage nobody has met: the copy is verified before it is kept."""
    path, copy = copy_of(sound, tmp_path), tmp_path / "copy.db"
    SPOILERS[name](path)
    try:
        store = SqliteStore(path)
    except StoreCorrupt:
        return
    with store, pytest.raises(StoreCorrupt, match="damaged") as caught:
        store.maintenance.backup(copy)
    assert "libravdb repair" in caught.value.remedy
    assert not list(tmp_path.glob("copy*"))


def test_a_backup_tells_its_size_and_digest(sound: Path, tmp_path: Path) -> None:
    path, copy = copy_of(sound, tmp_path), tmp_path / "copy.db"
    with SqliteStore(path) as store:
        told = store.maintenance.backup(copy)
    assert told == BackupCopy(size_bytes=copy.stat().st_size, sha256=hashlib.sha256(copy.read_bytes()).hexdigest())
