"""Search by words: rare words decide, common ones cost nothing, and a new analysis renews the index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.stores import ask, kept, words
from tests.puts import put

from libravdb.adapters.memory.measures import bm25
from libravdb.adapters.sqlite import fulltext, postings, writes
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.app import open_store
from libravdb.config import StoreSettings
from libravdb.model import DropCollection
from libravdb.ports.store import Store
from libravdb.text.analysis import ANALYSIS, index_terms, query_terms


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "m.libravdb") as store:
        yield store


def fill(store: Store, texts: list[str], collection: str = "c") -> None:
    store.commit([put(collection, f"{n:05}", text, at=n) for n, text in enumerate(texts)])


def found(store: SqliteStore, question: str, collection: str = "c", k: int = 10) -> list[str]:
    return [kept(store, id, of=collection).text for id in words(store, question, of=collection, k=k)]


def test_in_a_large_store_the_rare_words_of_a_question_decide(store: SqliteStore) -> None:
    texts = [f"common filler number{n} walks home" for n in range(7_000)]
    texts[3_333] = "common filler about a zebra walks home"
    fill(store, texts)
    assert found(store, "does the common zebra walk home", k=1) == [texts[3_333]]
    assert len(found(store, "common filler")) == 10
    assert list(store.maintenance.verify()) == []


def test_a_question_of_thousands_of_words_is_answered_by_its_rarest(store: SqliteStore) -> None:
    texts = [f"word{n % 97} word{n % 89} word{n}" for n in range(6_000)]
    fill(store, texts)
    question = " ".join(f"word{n}" for n in range(5_000, 6_000)) + " " + " ".join(f"word{n}" for n in range(97))
    assert all(int(text.split("word")[-1]) >= 5_000 for text in found(store, question))


def test_a_small_collection_in_a_large_store_is_searched_on_its_own(store: SqliteStore) -> None:
    fill(store, [f"the harbour has {n} boats" for n in range(6_000)])
    fill(store, ["the harbour has no boats today", "nothing here"], collection="small")
    assert found(store, "boats in the harbour", "small") == ["the harbour has no boats today"]


def test_counts_of_words_follow_the_store_as_it_grows(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (fulltext, postings):
        monkeypatch.setattr(module, "SMALL_STORE", 0)
    fill(store, ["old apple"])
    assert found(store, "apple") == ["old apple"]
    store.commit([put("c", f"x{n}", f"pear {n}", at=n) for n in range(50)])
    assert len(found(store, "pear", k=60)) == 50


def test_a_text_that_gives_way_to_one_of_the_same_length_changes_how_common_words_are(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"

    def holders(store: SqliteStore) -> tuple[int, ...]:
        return ask(store, lambda read: read.vocabularies(["c"], query_terms("rose kite")))["c"].holders

    with SqliteStore(path) as store:
        fill(store, ["rose petals", "rose garden", "kite string", "plain text", "other words"])
        assert (holders(store), words(store, "rose kite")) == ((2, 1), ["00002", "00000", "00001"])
        store.commit([put("c", "00001", "kite garden")])
        assert (holders(store), words(store, "rose kite")) == ((1, 2), ["00000", "00001", "00002"])
    with SqliteStore(path) as store:
        assert (holders(store), words(store, "rose kite")) == ((1, 2), ["00000", "00001", "00002"])


WORDS = st.lists(st.sampled_from("apple boat cedar drum ember fjord".split()), min_size=1, max_size=8).map(" ".join)


@pytest.mark.parametrize("small", [0, 5_000])
@given(here=st.lists(WORDS, max_size=12), there=st.lists(WORDS, max_size=12), question=WORDS, k=st.integers(1, 5))
def test_however_the_words_are_looked_up_the_ranking_is_bm25(
    small: int, here: list[str], there: list[str], question: str, k: int
) -> None:
    """A collection that is most of a large store is ranked by where words stand in all of it, any other by its bags."""
    with (
        TemporaryDirectory() as folder,
        SqliteStore(Path(folder) / "m.libravdb") as store,
        pytest.MonkeyPatch.context() as patch,
    ):
        for module in (fulltext, postings):
            patch.setattr(module, "SMALL_STORE", small)
        fill(store, here, "c")
        fill(store, there, "d")
        everywhere = {*here, *there}
        for name, texts in (("c", here), ("d", there)):
            is_most = len(everywhere) > small and len(set(texts)) > postings._LARGE_SHARE * len(everywhere)
            measured = {text: tuple(index_terms(text)) for text in (everywhere if is_most else texts)}
            scores = bm25(measured, query_terms(question))
            wanted = sorted((scores[text] for text in texts if text in scores), reverse=True)
            assert [scores[text] for text in found(store, question, name, k)] == pytest.approx(wanted[:k])


def test_an_index_made_by_another_analysis_is_made_anew_when_the_store_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    with open_store(StoreSettings(path=path)) as store:
        fill(store, ["running boats", "walking kites"])
    db = sqlite3.connect(path)
    db.execute("UPDATE facts SET value = 'terms-0' WHERE name = 'analysis'")
    db.execute("INSERT INTO lexicon (lexicon) VALUES ('delete-all')")
    db.commit()
    db.close()
    with open_store(StoreSettings(path=path)) as store:
        assert isinstance(store, SqliteStore)
        assert found(store, "boat") == ["running boats"]
        assert list(store.maintenance.verify()) == []
        assert store.maintenance.stats().versions["analysis"] == ANALYSIS


def test_dropping_a_collection_leaves_none_of_its_words_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    with SqliteStore(path) as store:
        fill(store, [f"xylophone{n} quagmire" for n in range(50)], collection="secret")
        fill(store, ["something else"])
        store.commit([DropCollection(name="secret")])
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"xylophone" not in content
    assert b"quagmire" not in content


def test_the_words_of_a_dropped_collection_are_wiped_also_by_whoever_opens_a_killed_store(tmp_path: Path) -> None:
    """An older SQLite keeps words in its index until segments are merged; the note to do so outlives a kill."""
    path = tmp_path / "store.db"
    with SqliteStore(path) as store:
        store.commit([put("mine", "1", "the zanzibar secret"), put("others", "2", "something else")])
    db = sqlite3.connect(path)
    writing = writes.WriteTransaction(db)
    writing.apply([DropCollection(name="mine")])
    writing.finish()
    db.commit()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    with SqliteStore(path):
        pass
    left = path.read_bytes() + b"".join(part.read_bytes() for part in tmp_path.glob("store.db-*"))
    assert b"zanzibar" not in left
