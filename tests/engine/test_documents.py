"""Authored documents in a store: replaced as a whole, left alone when unchanged, refused when too hard."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support import NOON, open_file_store, open_words_engine, read_cues

from libravdb.adapters.sqlite.snapshot import SqliteSnapshot
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.core.assembly.settings import AssemblySettings
from libravdb.core.authored.deontic import rules
from libravdb.core.authored.settings import AuthoredSettings
from libravdb.core.authored.tiers import cache_key
from libravdb.engine.documents import FIRST_PAGE
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.errors import DocumentTooHard, InvalidInput
from libravdb.model import NOTHING_FORESEEN, DocumentInfo, Foreseen, Outcome, Page, Record, Rule, Tier, Touch
from libravdb.model.collections import AUTHORED, DOCUMENTS
from libravdb.testing import FrozenClock, WordsEmbedder
from libravdb.text.tokens import ESTIMATOR

pytestmark = pytest.mark.over_postgres

RULES = (
    "---\nhop_targets: [NOTES.md]\n---\n# Rules\n\n- be kind\n  - to users\n- be brief\n\n> We stay calm.\n\nSome lore."
)


@pytest.fixture
def embedder() -> WordsEmbedder:
    return WordsEmbedder()


@pytest.fixture
def engine(tmp_path: Path, embedder: WordsEmbedder) -> Iterator[Engine]:
    with open_words_engine(tmp_path / "data.libravdb", embedder) as engine:
        yield engine


def texts(engine: Engine, tier: Tier) -> list[str]:
    return [
        record.text for record in sorted(engine.memories.latest(AUTHORED[tier], limit=1000), key=lambda one: one.id)
    ]


def everything(engine: Engine) -> list[Record]:
    return [
        record for info in engine.memories.collections() for record in engine.memories.latest(info.name, limit=1000)
    ]


def test_a_core_document_is_spread_over_the_collections_of_its_tiers(engine: Engine) -> None:
    done = engine.documents.author("AGENTS.md", RULES)
    assert done.outcome is Outcome.ADDED
    assert texts(engine, Tier.HARD) == ["---\nhop_targets: [NOTES.md]\n---", "- be kind", "- to users", "- be brief"]
    assert texts(engine, Tier.SOFT) == ["> We stay calm."]
    assert texts(engine, Tier.LORE) == ["# Rules", "Some lore."]


def test_the_nodes_of_a_document_come_in_source_order_with_their_facts(engine: Engine) -> None:
    engine.documents.author("docs/agents.MD", RULES, source_meta={"sourcePath": "/w/agents.MD", "sourceMtimeMs": 12})
    nodes = engine.documents.nodes("docs/agents.MD")
    assert [node.id for node in nodes] == [f"docs/agents.MD#{ordinal:06}" for ordinal in range(7)]
    nested = nodes[3].metadata
    assert nested["context"] == ["be kind"]
    assert (nested["node_kind"], nested["tier"], nested["line"], nested["ordinal"]) == ("List", 1, 7, 3)
    assert RULES.encode()[int(str(nested["position"])) : int(str(nested["position_end"]))] == b"- to users"
    assert (nested["authority"], nested["authored"], nested["is_core_doc"]) == (1.0, True, True)
    assert (nested["token_estimate"], nested["modality_mask"], nested["promoted"]) == (3, 0, False)
    assert nested["cache_key"] == cache_key(RULES, ESTIMATOR)
    assert nested["tokenizer_id"] == ESTIMATOR
    assert (nested["source_path"], nested["source_mtime_ms"]) == ("/w/agents.MD", 12)
    assert nested["hop_targets"] == ["NOTES.md"]
    assert nested["tier_reason"] == "list item"


def test_every_node_of_a_note_is_lore(engine: Engine) -> None:
    engine.documents.author("notes/travel.md", RULES)
    assert texts(engine, Tier.HARD) == texts(engine, Tier.SOFT) == []
    assert len(texts(engine, Tier.LORE)) == 7
    assert {node.metadata["authority"] for node in engine.documents.nodes("notes/travel.md")} == {0.0}


def test_what_is_core_can_be_said_whatever_the_name(engine: Engine) -> None:
    assert engine.documents.author("house.md", "- be kind", core=True).document.hard_tokens == 3
    assert engine.documents.author("AGENTS.md", "- be kind", core=False).document.hard_tokens == 0


def test_an_unchanged_document_is_neither_embedded_nor_written(engine: Engine, embedder: WordsEmbedder) -> None:
    first = engine.documents.author("AGENTS.md", RULES, source_meta={"fileHash": "x"})
    before, embedded = everything(engine), len(embedder.embedded)
    again = engine.documents.author("AGENTS.md", RULES, source_meta={"fileHash": "x"})
    assert again.outcome is Outcome.UNCHANGED
    assert again.document == first.document
    assert everything(engine) == before
    assert len(embedder.embedded) == embedded


def test_an_unchanged_document_is_not_read_again(tmp_path: Path) -> None:
    read: list[str] = []

    def read_rules(text: str) -> tuple[Rule, ...]:
        read.append(text)
        return read_cues(text)

    store = open_file_store(tmp_path / "data.libravdb", now=NOON)
    with Engine(
        store=store, load_embedder=lambda _: WordsEmbedder(), clock=lambda: NOON, read_rules=read_rules
    ) as engine:
        done = engine.documents.author("SOUL.md", "You must be kind.\n\n- never shout")
        assert read == ["You must be kind.", "never shout"]
        assert done.document.soft_tokens == 5
        (promoted,) = [node for node in engine.documents.nodes("SOUL.md") if node.metadata["promoted"]]
        assert (promoted.collection, promoted.metadata["modality_mask"]) == ("authored:soft", 2)
        engine.documents.author("SOUL.md", "You must be kind.\n\n- never shout")
        assert len(read) == 2


def test_a_file_that_was_only_touched_is_unchanged_and_its_new_time_is_known(engine: Engine) -> None:
    engine.documents.author("AGENTS.md", RULES, source_meta={"sourceMtimeMs": 1})
    nodes = engine.documents.nodes("AGENTS.md")
    assert engine.documents.author("AGENTS.md", RULES, source_meta={"sourceMtimeMs": 2}).outcome is Outcome.UNCHANGED
    assert engine.documents.list()["AGENTS.md"].source_meta == {"sourceMtimeMs": 2}
    assert engine.documents.nodes("AGENTS.md") == nodes


@pytest.mark.parametrize("change", [{"core": False}, {"tokenizer": "other:v1"}])
def test_another_core_flag_or_tokenizer_is_a_change(engine: Engine, change: dict[str, object]) -> None:
    engine.documents.author("AGENTS.md", RULES)
    assert engine.documents.author("AGENTS.md", RULES, **change).outcome is Outcome.CHANGED  # type: ignore[arg-type]
    assert len(engine.documents.nodes("AGENTS.md")) == 7


def test_only_the_new_nodes_of_a_changed_document_are_embedded(engine: Engine, embedder: WordsEmbedder) -> None:
    engine.documents.author("AGENTS.md", RULES)
    embedder.embedded.clear()
    done = engine.documents.author("AGENTS.md", RULES.replace("- be kind", "- be wise\n- be kind"))
    assert done.outcome is Outcome.CHANGED
    assert embedder.embedded == ["- be wise"]
    assert [node.text for node in engine.documents.nodes("AGENTS.md")][2:5] == [
        "- be wise",
        "- be kind",
        "  - to users"[2:],
    ]
    found = engine.search("kind", collections=["authored:hard"]).hits[0]
    assert found.record.text == "- be kind"
    assert "cosine" in found.breakdown, "a node that moved keeps its vector"


def test_a_changed_document_leaves_nothing_of_its_former_self(engine: Engine) -> None:
    engine.documents.author("AGENTS.md", RULES)
    engine.documents.author("AGENTS.md", "Just a word.")
    assert [node.text for node in engine.documents.nodes("AGENTS.md")] == ["Just a word."]
    assert sum(info.records for info in engine.memories.collections("authored:")) == 1


def test_a_node_that_stays_keeps_its_time_and_the_count_of_its_uses(tmp_path: Path) -> None:
    clock = FrozenClock(NOON)
    store = open_file_store(tmp_path / "data.libravdb", now=NOON)
    with Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=clock) as engine:
        engine.documents.author("AGENTS.md", "- be kind\n- be brief")
        store.commit([Touch(collection="authored:hard", ids=("AGENTS.md#000000", "AGENTS.md#000001"))])
        clock.advance(1)
        engine.documents.author("AGENTS.md", "- be kind\n- be wise")
        assert [(node.at, node.access_count, node.text) for node in engine.documents.nodes("AGENTS.md")] == [
            (NOON, 1, "- be kind"),
            (NOON + 1, 0, "- be wise"),
        ]
        assert engine.documents.list()["AGENTS.md"].at == NOON + 1


def test_a_document_that_is_too_hard_is_refused_whole_and_the_former_version_stays(tmp_path: Path) -> None:
    settings = EngineSettings(
        authored=AuthoredSettings(prompt_tokens=100), assembly=AssemblySettings(augment_hard_share=0.1)
    )
    store = open_file_store(tmp_path / "data.libravdb", now=NOON)
    with Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=lambda: NOON, settings=settings) as engine:
        engine.documents.author("SOUL.md", "- be kind")
        with pytest.raises(DocumentTooHard, match=r"SOUL\.md: its hard rules take 15 tokens, at most 10 are") as caught:
            engine.documents.author("SOUL.md", "- be kind\n- be brief and say no more than what is asked")
        assert (caught.value.document, caught.value.tokens, caught.value.limit) == ("SOUL.md", 15, 10)
        assert "assembly.augment_hard_share" in caught.value.remedy
        assert [node.text for node in engine.documents.nodes("SOUL.md")] == ["- be kind"]
        engine.documents.author("notes.md", "- be brief and say no more than what is asked, in any note of any length")


def test_a_document_over_a_budget_that_has_shrunk_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "data.libravdb"
    with open_words_engine(path, WordsEmbedder()) as engine:
        engine.documents.author("SOUL.md", "- be kind and brief and wise")
    tight = EngineSettings(authored=AuthoredSettings(prompt_tokens=10))
    store = open_file_store(path, now=NOON)
    with (
        Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=lambda: NOON, settings=tight) as engine,
        pytest.raises(DocumentTooHard),
    ):
        engine.documents.author("SOUL.md", "- be kind and brief and wise")


def test_a_withdrawn_document_is_gone_with_its_record(engine: Engine) -> None:
    engine.documents.author("AGENTS.md", RULES)
    engine.documents.author("AGENTS.md#1", "- of another document whose name begins alike")
    engine.documents.author("notes.md", "lore")
    assert engine.documents.withdraw("AGENTS.md") == 7
    assert list(engine.documents.list()) == ["AGENTS.md#1", "notes.md"]
    assert len(engine.documents.nodes("AGENTS.md#1")) == 1
    assert engine.documents.withdraw("AGENTS.md") == 0
    assert engine.documents.author("AGENTS.md", RULES).outcome is Outcome.ADDED


def test_documents_are_told_without_their_nodes(engine: Engine) -> None:
    engine.documents.author("AGENTS.md", RULES, source_meta={"sourcePath": "/a", "sourceSize": 9})
    assert engine.documents.list() == {
        "AGENTS.md": DocumentInfo(
            source_doc="AGENTS.md",
            cache_key=cache_key(RULES, ESTIMATOR),
            core=True,
            nodes=7,
            hard_tokens=17,
            soft_tokens=4,
            source_meta={"sourcePath": "/a", "sourceSize": 9},
            at=NOON,
        )
    }


class WatchedStore(SqliteStore):
    """A store that tells of which collections pages were read, and how many records."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, now=NOON)
        self.pages: list[tuple[str, int]] = []

    @contextmanager
    def read(self, foreseen: Foreseen = NOTHING_FORESEEN) -> Iterator[SqliteSnapshot]:
        with super().read(foreseen) as snapshot:
            yield WatchedSnapshot(snapshot, self.pages)


class WatchedSnapshot(SqliteSnapshot):
    """A moment of a watched store."""

    def __init__(self, snapshot: SqliteSnapshot, pages: list[tuple[str, int]]) -> None:
        super().__init__(snapshot._db, snapshot._reader)
        self._pages = pages

    def page(self, collection: str, **more: Any) -> Page[Record]:
        found = super().page(collection, **more)
        self._pages.append((collection, len(found.items)))
        return found


def test_listing_documents_reads_no_node_and_a_document_reads_no_other(tmp_path: Path) -> None:
    store = WatchedStore(tmp_path / "data.libravdb")
    with Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=lambda: NOON) as engine:
        for number in range(30):
            engine.documents.author(f"{number}.md", "one\n\ntwo\n\nthree")
        store.pages.clear()
        assert len(engine.documents.list()) == 30
        assert store.pages == [(DOCUMENTS, 30)]
        store.pages.clear()
        assert [node.text for node in engine.documents.nodes("7.md")] == ["one", "two", "three"]
        assert [name for name, _ in store.pages] == list(AUTHORED.values()), "one short page of each tier"
        assert sum(read for _, read in store.pages) <= FIRST_PAGE


def test_the_record_of_a_document_has_no_text_and_no_search_finds_it(engine: Engine) -> None:
    engine.documents.author("AGENTS.md", RULES, source_meta={"sourcePath": "kind"})
    assert engine.search("kind AGENTS.md", collections=[DOCUMENTS]).hits == ()


def test_a_document_whose_nodes_were_dropped_is_written_again(engine: Engine) -> None:
    engine.documents.author("AGENTS.md", RULES)
    engine.deletions.flush(["authored:hard"])
    assert engine.documents.author("AGENTS.md", RULES).outcome is Outcome.CHANGED
    assert len(engine.documents.nodes("AGENTS.md")) == 7


def test_without_an_embedder_a_document_goes_in_and_the_account_says_so(tmp_path: Path) -> None:
    with open_words_engine(tmp_path / "data.libravdb", None) as engine:
        done = engine.documents.author("AGENTS.md", RULES)
        assert "Search uses words only" in done.degraded
        assert len(engine.documents.nodes("AGENTS.md")) == 7


@pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff", "---\n", "***", "\0", "\ud83d broken", "a\r\nb"])
def test_odd_documents_are_kept_and_withdrawn(engine: Engine, text: str) -> None:
    engine.documents.author("odd \ud83d.md", text)
    (name,) = engine.documents.list()
    assert engine.documents.list()[name].nodes == len(engine.documents.nodes(name))
    engine.documents.withdraw(name)
    assert engine.documents.list() == {}
    assert list(engine.upkeep.verify()) == []


def test_a_document_without_a_name_or_too_long_is_refused(tmp_path: Path) -> None:
    settings = EngineSettings(authored=AuthoredSettings(max_chars=10))
    store = open_file_store(tmp_path / "data.libravdb", now=NOON)
    with Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=lambda: NOON, settings=settings) as engine:
        with pytest.raises(InvalidInput, match="source_doc: is empty"):
            engine.documents.author(" ", "text")
        with pytest.raises(InvalidInput, match=r"has 11 characters, at most 10 .*authored\.max_chars"):
            engine.documents.author("a.md", "x" * 11)


def test_rules_are_reviewed_where_they_stand_stored_or_given(tmp_path: Path) -> None:
    store = open_file_store(tmp_path / "data.libravdb", now=NOON)
    with Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=lambda: NOON, read_rules=rules) as engine:
        engine.documents.author("AGENTS.md", "Lore.\n\n- Always squash commits.")
        engine.documents.author("SOUL.md", "Never squash commits.")
        engine.documents.author("note.md", "- Never squash commits.")
        (remark,) = engine.documents.review()
        assert [(spot.file, spot.line) for spot in remark.places] == [("AGENTS.md", 3), ("SOUL.md", 1)]
        (given,) = engine.documents.review({"a.md": "- Never skip tests.\n- Always skip tests.\n\n\ud800"})
        assert [(spot.file, spot.line) for spot in given.places] == [("a.md", 1), ("a.md", 2)]
        assert list(engine.documents.list()) == ["AGENTS.md", "SOUL.md", "note.md"]


def test_many_writers_of_one_document_leave_exactly_one_whole_version(engine: Engine) -> None:
    versions = [f"- rule of writer {number}\n" * (number + 1) for number in range(6)]
    threads = [threading.Thread(target=engine.documents.author, args=("AGENTS.md", text)) for text in versions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = [node.text for node in engine.documents.nodes("AGENTS.md")]
    assert "\n".join(found) + "\n" in versions
    assert engine.documents.list()["AGENTS.md"].nodes == len(found)
    assert list(engine.upkeep.verify()) == []


def test_the_documents_of_a_store_survive_export_and_import(engine: Engine, tmp_path: Path) -> None:
    engine.documents.author("AGENTS.md", RULES)
    engine.upkeep.export_file(tmp_path / "all.jsonl")
    with open_words_engine(tmp_path / "other.libravdb", WordsEmbedder()) as other:
        other.upkeep.import_file(tmp_path / "all.jsonl")
        assert other.documents.list() == engine.documents.list()
        assert other.documents.author("AGENTS.md", RULES).outcome is Outcome.UNCHANGED
