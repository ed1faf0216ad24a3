"""What is sound in a damaged file is saved into a new one that passes every check; the rest is told; the damaged file
stays as it is."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest
from tests.adapters.sqlite import test_damage as damage
from tests.chats import ANNA, chat, open_engine
from tests.contract.stores import ask, near_ids
from tests.puts import put

from libravdb.adapters.sqlite import soundness
from libravdb.adapters.sqlite.integrity import verify_file
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.app import repair_file, replace_damaged
from libravdb.errors import NotFound, StoreBusy, StoreCorrupt, StoreError
from libravdb.model import Repaired
from libravdb.ports.claim import ClaimKind

PAGE = damage.PAGE
sound = damage.sound
killed = damage.killed


def lost_ids(done: Repaired) -> list[str]:
    return [id for loss in done.losses if loss.kind == "records" for id in loss.ids]


def texts_in(path: Path, collection: str = "c") -> dict[str, str]:
    with SqliteStore(path) as store:
        return {record.id: record.text for record in ask(store, lambda read: read.page(collection)).items}


@pytest.mark.parametrize("name", damage.SPOILERS)
def test_every_record_is_saved_or_named(name: str, sound: Path, tmp_path: Path) -> None:
    path, new = damage.copy_of(sound, tmp_path), tmp_path / "new.db"
    damage.SPOILERS[name](path)
    before = path.read_bytes()
    done = repair_file(path, new)
    assert path.read_bytes() == before
    assert list(verify_file(new)) == []
    saved = texts_in(new)
    assert {id: damage.TEXTS[id] for id in saved} == saved
    assert done.saved.records == len(saved)
    if name != "half a file":  # there the index of ids is cut off too
        assert sorted([*saved, *lost_ids(done)]) == list(damage.TEXTS)


def test_damage_to_indexes_loses_nothing(sound: Path, tmp_path: Path) -> None:
    path, new = damage.copy_of(sound, tmp_path), tmp_path / "new.db"
    for index in ("records_by_time", "records_by_arrival", "lexicon_data", "lexicon_idx", "bags"):
        damage.zeros_in(index)(path)
    done = repair_file(path, new)
    assert done.losses == ()
    assert texts_in(new) == damage.TEXTS
    assert done.saved.vectors == len(damage.TEXTS)
    with SqliteStore(new) as store:
        assert near_ids(store, (3, 1), k=1) == ["002"]


def test_vectors_that_are_lost_are_told_and_their_texts_kept(sound: Path, tmp_path: Path) -> None:
    path, new = damage.copy_of(sound, tmp_path), tmp_path / "new.db"
    damage.noise_in("vectors")(path)
    done = repair_file(path, new)
    assert texts_in(new) == damage.TEXTS
    assert "vectors" in {loss.kind for loss in done.losses}
    assert done.saved.vectors < len(damage.TEXTS)


def test_a_damaged_header_is_made_anew(sound: Path, tmp_path: Path) -> None:
    path, new = damage.copy_of(sound, tmp_path), tmp_path / "new.db"
    with path.open("r+b") as file:
        file.write(os.urandom(100))
    with pytest.raises(StoreCorrupt, match="not a database"):
        SqliteStore(path)
    done = repair_file(path, new)
    assert done.losses == ()
    assert texts_in(new) == damage.TEXTS


def test_a_first_page_that_cannot_be_read_is_made_anew(sound: Path, tmp_path: Path) -> None:
    path, new = damage.copy_of(sound, tmp_path), tmp_path / "new.db"
    damage.overwrite(path, 1, os.urandom(PAGE))
    assert repair_file(path, new).losses == ()
    assert texts_in(new) == damage.TEXTS


@pytest.mark.parametrize("size", [300_000, 400_000])
def test_a_file_that_is_no_store_at_all_is_refused_clearly(size: int, tmp_path: Path) -> None:
    path, new = tmp_path / "store.db", tmp_path / "new.db"
    path.write_bytes(os.urandom(size))
    with pytest.raises(StoreCorrupt, match="holds nothing that can be read as a store") as caught:
        repair_file(path, new)
    assert "backup" in caught.value.remedy
    assert [one.name for one in tmp_path.iterdir()] == ["store.db"]


def test_what_is_in_the_log_is_saved_too(killed: Path, tmp_path: Path) -> None:
    path, new = damage.copy_of(killed, tmp_path), tmp_path / "new.db"
    assert repair_file(path, new).losses == ()
    assert texts_in(new) == damage.TEXTS


def test_a_sound_store_is_copied_without_loss(tmp_path: Path) -> None:
    path, new = tmp_path / "store.db", tmp_path / "new.db"
    with open_engine(path) as engine:
        chat(engine, 60)
        engine.compaction.compact("s", target=10, minimum_turns=4, tail_tokens=60)
        engine.upkeep.export_file(tmp_path / "before.jsonl", with_vectors=True)
    done = repair_file(path, new)
    assert (done.losses, done.mended) == ((), 0)
    with open_engine(new) as engine:
        engine.upkeep.export_file(tmp_path / "after.jsonl", with_vectors=True)
    before, after = ((tmp_path / name).read_text().splitlines()[1:] for name in ("before.jsonl", "after.jsonl"))
    assert before == after


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with conversations and summaries of summaries."""
    path = tmp_path_factory.mktemp("talked") / "store.db"
    with open_engine(path) as engine:
        chat(engine, 200)
        for _ in range(2):
            engine.compaction.compact("s", target=10, minimum_turns=4, tail_tokens=60)
        chat(engine, 40, session="other")
        engine.memories.remember("a note", collection=f"user:{ANNA}")
    return path


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(3, 30))]
)
def test_whatever_pages_are_lost_the_rest_keeps_its_promises(seed: int, talked: Path, tmp_path: Path) -> None:
    path, new = tmp_path / "store.db", tmp_path / "new.db"
    shutil.copy(talked, path)
    chance = random.Random(seed)
    pages = path.stat().st_size // PAGE
    for page in chance.sample(range(30, pages), 4):
        damage.overwrite(path, page, chance.choice([bytes(PAGE), chance.randbytes(PAGE)]))
    done = repair_file(path, new)
    assert list(verify_file(new)) == []
    assert done.saved.records > 0
    with open_engine(new) as engine:
        engine.conversations.ingest({"role": "user", "content": "and on we go"}, session="s", namespace=ANNA)


# ── the files ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_damaged_file_is_kept_beside_the_new_one(sound: Path, tmp_path: Path) -> None:
    path, new = damage.copy_of(sound, tmp_path), tmp_path / "new.db"
    damage.SPOILERS["an empty page of texts"](path)
    before = path.read_bytes()
    assert damage.outcome(path) == "refused"
    repair_file(path, new)
    kept = replace_damaged(path, new)
    assert kept.read_bytes() == before
    assert not new.exists()
    assert not soundness.note_path(path).exists()
    with SqliteStore(path) as store:
        store.commit([put("c", "new", "a new text")])
    assert replace_damaged(path, kept) != kept  # never the same name twice


def test_nothing_is_overwritten(sound: Path, tmp_path: Path) -> None:
    path, new = damage.copy_of(sound, tmp_path), tmp_path / "new.db"
    new.write_text("somebody's")
    with pytest.raises(StoreError, match="exists already"):
        repair_file(path, new)
    assert new.read_text() == "somebody's"


def test_a_store_that_is_in_use_is_not_repaired(sound: Path, tmp_path: Path) -> None:
    path = damage.copy_of(sound, tmp_path)
    with SqliteStore(path, kind=ClaimKind.COMMAND), pytest.raises(StoreBusy):
        repair_file(path, tmp_path / "new.db")


def test_a_store_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        repair_file(tmp_path / "nowhere.db", tmp_path / "new.db")
