"""The engine over a real store: remembering once, finding, forgetting, and saying what is reduced."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest
from tests.support import NOON, open_file_store, open_words_engine

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.adapters.sqlite.writes import WriteTransaction
from libravdb.config import StoreSettings, load
from libravdb.core.assembly.settings import DEFAULTS
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.engine.turn_records import Placement
from libravdb.errors import ConfigError, EndpointError, InvalidInput
from libravdb.model import AssemblyMode, Commit, Note, Put, SearchMode, Where
from libravdb.testing import FrozenClock, Vector, WordsEmbedder

pytestmark = pytest.mark.over_postgres

HOME = "user:anna"


@pytest.fixture
def embedder() -> WordsEmbedder:
    return WordsEmbedder()


@pytest.fixture
def engine(tmp_path: Path, embedder: WordsEmbedder) -> Iterator[Engine]:
    with open_words_engine(tmp_path / "memory.libravdb", embedder) as engine:
        yield engine


def test_a_remembered_text_is_found_by_its_meaning_and_words_with_reasons(engine: Engine) -> None:
    engine.memories.remember("the green boat sails at dawn", collection=HOME)
    engine.memories.remember("taxes are due in april", collection=HOME)
    answer = engine.search("when does the boat sail", collections=[HOME])
    assert answer.mode is SearchMode.FULL
    assert answer.degraded == ""
    best = answer.hits[0]
    assert best.record.text == "the green boat sails at dawn"
    assert best.reasons[0].startswith("similar in meaning")
    assert best.reasons[1] == "shares the words: boat, sail"
    law = ("relevance", "recency", "scope")
    whole = sum(best.breakdown[part] for part in law) * best.breakdown["quality"] * best.breakdown["standing"]
    assert best.score == pytest.approx(whole)


class OneThingAtATime(SqliteStore):
    """Refuses to write for whoever reads: he would wait for a writer that waits for the log, which waits for him."""

    _readers: ClassVar[Counter[int]] = Counter()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        self._readers[threading.get_ident()] += 1
        try:
            with super().reading() as db:
                yield db
        finally:
            self._readers[threading.get_ident()] -= 1

    def write(self, work: Callable[[WriteTransaction], object]) -> Commit:
        assert not self._readers[threading.get_ident()]
        return super().write(work)

    def submit(self, work: Callable[[sqlite3.Connection], None]) -> None:
        assert not self._readers[threading.get_ident()]
        super().submit(work)


@pytest.mark.file_store("its writer waits for its readers")
@pytest.mark.parametrize("first", ["ingest", "remember", "status", "search", "assemble"])
def test_nobody_writes_while_he_reads_not_even_the_first_to_come(tmp_path: Path, first: str) -> None:
    store = OneThingAtATime(tmp_path / "m.libravdb", now=NOON)
    with Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=FrozenClock(NOON)) as engine:
        verbs: dict[str, Callable[[], object]] = {
            "ingest": lambda: engine.conversations.ingest("I live in Oslo since May", session="s", namespace="anna"),
            "remember": lambda: engine.memories.remember("tea at four", collection=HOME),
            "status": engine.status,
            "search": lambda: engine.search("tea", collections=[HOME]),
            "assemble": lambda: engine.prompts.assemble("tea?", session="s", namespace="anna", budget=500),
        }
        for name in (first, *verbs):
            verbs[name]()
        for n in range(60):
            engine.conversations.ingest(f"step {n} costs {n * 7} euros", session="s", namespace="anna")
        assert engine.compaction.compact("s", tail_tokens=100).did_compact
        assert engine.search("tea", collections=[HOME]).mode is SearchMode.FULL


def test_the_same_text_twice_is_one_memory_and_is_embedded_once(engine: Engine, embedder: WordsEmbedder) -> None:
    first = engine.memories.remember("tea at four", collection=HOME)
    second = engine.memories.remember("tea at four", collection=HOME)
    assert (first.is_new, second.is_new) == (True, False)
    assert first.record == second.record
    engine.memories.remember("tea at four", collection="user:ben")
    assert embedder.embedded == ["tea at four"]
    assert len(engine.memories.latest(HOME, limit=10)) == 1


def test_many_texts_with_repeats_among_them_are_each_kept_once(engine: Engine) -> None:
    notes = [Note(text=f"note {number % 50}", collection=HOME) for number in range(130)]
    done = engine.memories.remember_many(notes)
    assert sum(each.is_new for each in done) == 50
    assert [each.record.text for each in done] == [note.text for note in notes]
    assert len(engine.memories.latest(HOME, limit=1000)) == 50


def test_threads_that_remember_the_same_text_make_one_memory(engine: Engine) -> None:
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: engine.memories.remember("said by eight at once", collection=HOME), range(40)))
    assert sum(each.is_new for each in done) == 1
    assert len({each.record.id for each in done}) == 1


def test_an_id_that_holds_another_text_is_not_overwritten_unasked(engine: Engine) -> None:
    engine.memories.remember("old", collection=HOME, id="x")
    with pytest.raises(InvalidInput, match="holds another text"):
        engine.memories.remember("new", collection=HOME, id="x")
    assert engine.memories.latest(HOME, limit=5)[0].text == "old"
    replaced = engine.memories.remember("new", collection=HOME, id="x", replace=True)
    assert (replaced.record.text, replaced.record.version) == ("new", 2)


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_an_empty_text_is_refused(engine: Engine, text: str) -> None:
    with pytest.raises(InvalidInput, match="text: is empty"):
        engine.memories.remember(text, collection=HOME)


@pytest.mark.parametrize(("configured", "used"), [(0.2, 0.2), (0.05, 0.05), (0.45, 0.45)])
def test_the_configured_share_of_soft_rules_is_used_as_far_as_it_fits(configured: float, used: float) -> None:
    assembly = load(environ={"HOME": "/nobody"}, arguments={"authored.soft_share": configured}).config.assembly
    assert assembly.shares(AssemblyMode.AUGMENT).soft == pytest.approx(used)
    assert assembly.shares(AssemblyMode.WINDOW) == DEFAULTS.shares(AssemblyMode.WINDOW)


def test_a_share_of_soft_rules_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"assembly\.augment_soft_share.*must sum to at most 1, not to 1\.25"):
        load(environ={"HOME": "/nobody"}, arguments={"authored.soft_share": 0.7})


def test_a_question_must_say_something_and_ask_for_at_least_one(engine: Engine) -> None:
    with pytest.raises(InvalidInput, match="question"):
        engine.search("  ", collections=[HOME])
    with pytest.raises(InvalidInput, match="k: is 0"):
        engine.search("x", collections=[HOME], k=0)


def test_torn_emoji_are_joined_and_stray_halves_replaced(engine: Engine) -> None:
    assert engine.memories.remember("ok \ud83d\ude00 and \ud83d", collection=HOME).record.text == "ok 😀 and �"


def test_metadata_and_time_filter_what_is_found(engine: Engine) -> None:
    for day in range(5):
        engine.memories.remember(f"red ball day {day}", collection=HOME, at=NOON + day, metadata={"day": day})
    found = engine.search("red ball", collections=[HOME], where=Where(metadata={"day": (1, 3)}))
    assert {hit.record.metadata["day"] for hit in found.hits} == {1, 3}
    found = engine.search("red ball", collections=[HOME], where=Where(since=NOON + 2, until=NOON + 4))
    assert {hit.record.metadata["day"] for hit in found.hits} == {2, 3}


def test_one_user_never_sees_anothers_memory(engine: Engine) -> None:
    engine.memories.remember("anna keeps bees", collection="user:anna")
    engine.memories.remember("annabel keeps bees", collection="user:annabel")
    found = engine.search("bees", collections=["user:anna"])
    assert [hit.record.text for hit in found.hits] == ["anna keeps bees"]
    assert engine.deletions.flush(["user:anna"]) == 1
    assert [info.name for info in engine.memories.collections()] == ["user:annabel"]


def test_forgetting_counts_what_was_there(engine: Engine) -> None:
    record = engine.memories.remember("to be forgotten", collection=HOME).record
    assert engine.deletions.forget(HOME, [record.id, record.id, "unknown"]) == 1
    assert engine.search("forgotten", collections=[HOME]).hits == ()
    assert engine.deletions.forget(HOME, [record.id]) == 0


def test_without_an_embedder_search_works_by_words_and_says_so(tmp_path: Path) -> None:
    with open_words_engine(tmp_path / "m.libravdb", None) as engine:
        done = engine.memories.remember("the ferry leaves at nine", collection=HOME)
        assert "There is no model." in done.degraded
        answer = engine.search("ferry", collections=[HOME])
        assert answer.mode is SearchMode.LEXICAL_ONLY
        assert "There is no model." in answer.degraded
        assert answer.hits[0].record.text == "the ferry leaves at nine"
        assert "cosine" not in answer.hits[0].breakdown
        status = engine.status()
        assert status.mode is SearchMode.LEXICAL_ONLY
        assert "There is no model." in status.degraded


def test_an_embedder_that_fails_in_the_middle_loses_no_text_and_is_said(
    engine: Engine, embedder: WordsEmbedder
) -> None:
    engine.memories.remember("before the failure", collection=HOME)
    embedder.is_broken = True
    done = engine.memories.remember("during the failure", collection=HOME)
    assert "The model is away." in done.degraded
    answer = engine.search("failure", collections=[HOME])
    assert answer.mode is SearchMode.LEXICAL_ONLY
    assert len(answer.hits) == 2
    embedder.is_broken = False
    assert "1 texts have no vectors yet" in engine.status().degraded
    assert engine.embeddings.embed_missing() == (1, "")
    assert engine.status().degraded == ""
    hits = engine.search("during failure", collections=[HOME]).hits
    assert all("cosine" in hit.breakdown for hit in hits)


def test_what_is_remembered_survives_closing(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    with open_words_engine(path, WordsEmbedder()) as engine:
        kept = engine.memories.remember(
            "stays", collection=HOME, metadata={"n": 2**70, "x": [1, None, {"y": "ü"}]}
        ).record
    with open_words_engine(path, WordsEmbedder()) as engine:
        assert engine.memories.get(HOME, kept.id) == kept
        assert engine.search("stays", collections=[HOME]).hits[0].record == kept


def test_a_server_that_changes_its_model_behind_the_same_name_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    embedder = WordsEmbedder()
    embedder.probe_sentence = "the model of today"
    with open_words_engine(path, embedder) as engine:
        engine.memories.remember("tea at four", collection=HOME)
        assert engine.search("tea", collections=[HOME]).mode is SearchMode.FULL
    with open_words_engine(path, embedder) as engine:
        assert engine.search("tea", collections=[HOME]).mode is SearchMode.FULL
    embedder.probe_sentence = "quite another thing"
    with open_words_engine(path, embedder) as engine:
        answer = engine.search("tea", collections=[HOME])
        assert answer.mode is SearchMode.LEXICAL_ONLY
        assert "changed behind the same name" in answer.degraded
        assert "changed behind the same name" in engine.memories.remember("more tea", collection=HOME).degraded


def test_a_text_over_the_limit_is_refused_before_it_is_embedded(tmp_path: Path, embedder: WordsEmbedder) -> None:
    store = open_file_store(tmp_path / "m.libravdb")
    settings = EngineSettings(store=StoreSettings(max_text_chars=100))
    with Engine(store=store, load_embedder=lambda _: embedder, clock=lambda: NOON, settings=settings) as engine:
        for refused in (
            lambda: engine.memories.remember("x" * 101, collection=HOME),
            lambda: engine.memories.insert(id="x", text="x" * 101, places=[Placement(collection=HOME, metadata={})]),
            lambda: engine.memories.replace([], [Put(collection=HOME, id="x", text="x" * 101, at=1)]),
        ):
            with pytest.raises(InvalidInput, match="101 characters, at most 100"):
                refused()
    assert embedder.embedded == []


def test_only_the_beginning_of_an_endless_question_is_embedded(engine: Engine) -> None:
    engine.memories.remember("the boat", collection=HOME)
    assert engine.search("boat " * 50_000, collections=[HOME]).hits


def test_a_server_that_did_not_answer_is_left_alone_for_a_while(tmp_path: Path) -> None:
    clock = FrozenClock(NOON)
    asked: list[str] = []

    class Away(WordsEmbedder):
        def embed_query(self, text: str) -> Vector:
            asked.append(text)
            raise EndpointError("http://localhost:1", "does not answer")

    store = open_file_store(tmp_path / "m.libravdb")
    with Engine(store=store, load_embedder=lambda _: Away(), clock=clock) as engine:
        engine.memories.remember("tea", collection=HOME)
        for _ in range(3):
            assert "does not answer" in engine.search("tea", collections=[HOME]).degraded
        assert len(asked) == 1
        clock.advance(31_000)
        engine.search("tea", collections=[HOME])
        assert len(asked) == 2
