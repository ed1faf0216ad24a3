"""Stores of earlier versions open as they are: nothing is lost, nothing is mixed up, and everything works.

`stores/` holds a store and its export, both written by the version that their names tell; `stores/README.md` says how.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.contract.stores import ask

from libravdb.adapters.embedders.settings import EmbeddingSettings
from libravdb.adapters.sqlite.integrity import verify_file
from libravdb.adapters.sqlite.schema import MIGRATIONS, applied_migrations
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.app import open_engine, open_store
from libravdb.config import Config, StoreSettings
from libravdb.engine.engine import Engine
from libravdb.errors import StoreError
from libravdb.model import SPACES, SearchMode, Topic
from libravdb.model.json import mend_json
from libravdb.text.analysis import ANALYSIS

STORES = Path(__file__).parent / "stores"
VERSIONS = ("v0.1.0-first",)
ANNA, WORK = "anna", "anna:work"  # two namespaces, of which one begins like the other
Item = dict[str, Any]


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def path(tmp_path: Path, version: str) -> Path:
    """The store as the version left it."""
    place = tmp_path / "store.libravdb"
    place.write_bytes(gzip.decompress((STORES / f"{version}.libravdb.gz").read_bytes()))
    return place


@pytest.fixture
def told(version: str) -> list[Item]:
    """All that the version knew of it; NUL, which it let through, is replaced today."""
    text = gzip.decompress((STORES / f"{version}.jsonl.gz").read_bytes()).decode()
    return [spelled_anew(mend_json(item)) for item in items_of(text)]


def spelled_anew(item: Item) -> Item:
    """An item with nodes and dreams as clients spell them, which the version did not."""
    spellings = {"list_item": "List", "heading": "Heading", "paragraph": "Paragraph", "blockquote": "Blockquote"}
    facts = item.get("metadata", {})
    if "node_kind" in facts:
        facts["node_kind"] = spellings[facts["node_kind"]]
    if facts.get("type") == "dream_entry":
        facts |= {"type": "dream_promotion", "source_kind": "dream", "dream_score": facts["score"]}
        item["id"] = f"{facts['source_doc']}#dream#{item['id'][-6:]}"
    return item


def items_of(text: str) -> list[Item]:
    """What the lines of an export tell, without the header."""
    return [json.loads(line) for line in text.splitlines()][1:]


def open_old(path: Path, *, backend: str = "bundled") -> Engine:
    return open_engine(Config(store=StoreSettings(path=path), embedding=EmbeddingSettings(backend=backend)))


def exported(engine: Engine, folder: Path) -> list[Item]:
    target = folder / "export.jsonl"
    engine.upkeep.export_file(target)
    text = target.read_text(encoding="utf-8")
    target.unlink()
    return items_of(text)


def written(items: Sequence[Item]) -> list[str]:
    """As JSON: in Python 1, 1.0 and True are equal."""
    return [json.dumps(item) for item in items]


def of_kind(items: Sequence[Item], kind: str) -> list[Item]:
    return [item for item in items if item["kind"] == kind]


def owner_of(record: Item) -> str:
    return str(record["metadata"].get("userId", ""))


def dump(path: Path) -> list[str]:
    db = sqlite3.connect(path)
    found = list(db.iterdump())
    db.close()
    return found


# ── what it holds ─────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_kept_of_an_old_version_has_something_of_everything(told: list[Item]) -> None:
    """So that the tests below look at something."""
    records = of_kind(told, "record")
    kinds = {str(record["metadata"].get("type")) for record in records}
    assert kinds >= {"turn", "summary", "guidance_shard", "receipt", "dream_promotion", "commit"}
    assert {owner_of(record) for record in records} >= {ANNA, WORK, ""}
    assert max(record["metadata"].get("level", 0) for record in records) == 2
    assert any("superseded_by" in record["metadata"] for record in records)
    assert any("\ufffd" in record["text"] for record in records)
    assert any(record["collection"].startswith("authored:hard") for record in records)
    assert {len(state["state"]["namespaces"]) for state in of_kind(told, "session")} == {1, 2}
    assert any("continued_as" in state["state"] for state in of_kind(told, "session"))
    assert len(of_kind(told, "edge")) > 10
    assert len(of_kind(told, "journal")) == 4


def test_an_old_store_opens_sound_and_holds_all_that_it_held(path: Path, told: list[Item], tmp_path: Path) -> None:
    with open_old(path) as engine:
        assert list(engine.upkeep.verify()) == []
        assert written(exported(engine, tmp_path)) == written(told)
        status = engine.status()
        assert (status.store.records, status.store.unembedded) == (len(of_kind(told, "record")), 2)
    with SqliteStore(path) as store:
        assert store.maintenance.analysis() == ANALYSIS
        active, other = ask(store, lambda read: read.spaces())
        assert active.vectors > active.texts > 40
        assert (other.fingerprint, other.dimensions) == ("another-model", 4)


def test_a_second_opening_changes_nothing(path: Path) -> None:
    assert len(applied(path)) < len(MIGRATIONS)
    open_old(path).close()
    assert applied(path) == [migration.__name__ for migration in MIGRATIONS]
    before = dump(path)
    open_old(path).close()
    assert dump(path) == before


def applied(path: Path) -> list[str]:
    db = sqlite3.connect(path)
    found = applied_migrations(db)
    db.close()
    return found


def test_revisions_owners_and_collections_of_an_old_store_are_known(path: Path, told: list[Item]) -> None:
    records, states = of_kind(told, "record"), of_kind(told, "session")
    sessions = {one["session"] for one in (*states, *of_kind(told, "edge"))}
    topics = [Topic.collection(item["name"]) for item in of_kind(told, "collection")]
    topics += [SPACES, *map(Topic.session, sorted(sessions))]
    with open_store(StoreSettings(path=path)) as store, store.read() as read:
        assert 0 not in read.revisions(topics).values()
        assert read.revisions([Topic.session("nobody")]) == {Topic.session("nobody"): 0}
        for owner in (ANNA, WORK, "carl", "nobody"):
            held = {record["collection"] for record in records if owner_of(record) == owner}
            assert [info.name for info in read.collections(owner=owner).items] == sorted(held)
            spoke = sorted(state["session"] for state in states if owner in state["state"]["namespaces"])
            assert [state.session for state in read.states_of(owner).items] == spoke


def test_whoever_was_stopped_before_the_words_were_indexed_anew_finds_them_indexed_later(path: Path) -> None:
    SqliteStore(path).close()  # brings the file to today's shape, and does not know how texts are analysed
    with open_old(path, backend="none") as engine:
        assert list(engine.upkeep.verify()) == []
        assert found(engine, "Gartenhaus", ANNA)


def test_an_old_file_that_nobody_opened_is_not_called_damaged(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(StoreError, match="older version") as caught:
        list(verify_file(path))
    assert "libravdb status" in caught.value.remedy
    assert path.read_bytes() == before


def test_an_old_export_is_imported_into_a_new_store(version: str, told: list[Item], tmp_path: Path) -> None:
    source = tmp_path / "old.jsonl"
    source.write_bytes(gzip.decompress((STORES / f"{version}.jsonl.gz").read_bytes()))
    with open_old(tmp_path / "new.libravdb", backend="none") as engine:
        engine.upkeep.import_file(source)
        assert written(exported(engine, tmp_path)) == written(told)
        assert list(engine.upkeep.verify()) == []


# ── what it does ──────────────────────────────────────────────────────────────────────────────────────────


def found(engine: Engine, question: str, namespace: str, *, k: int = 3) -> list[str]:
    return [hit.record.text for hit in engine.search(question, namespace=namespace, k=k).hits]


FACTS = [
    (ANNA, "ferry Naxos", "The ferry to Naxos leaves Piraeus at 7:25 in the morning from gate E6."),
    (ANNA, "Gartenhaus", "Der Schlüssel zum Gartenhaus hängt hinter der Küchentür."),
    (ANNA, "verkaufte Fahrräder", "Heute habe ich mein Fahrrad für 350 Euro verkauft."),
    (ANNA, "妹妹", "我的妹妹住在柏林，她是一名护士。"),
    (ANNA, "gas meter", "The gas meter reads 20417."),
    (ANNA, "frogs", "The pond is two metres deep, and seven frogs live in it."),
    (WORK, "Halvorsen", "The invoice of Halvorsen Ltd. is due on 12 October."),
    (WORK, "Tresor", "Der Ersatzschlüssel liegt im Tresor von Frau Lindqvist."),
    (WORK, "ERR-31", "In run 1 the scanner printed\ufffdERR-31."),
]


def test_words_find_what_was_said_before(path: Path) -> None:
    with open_old(path, backend="none") as engine:
        assert engine.search("ferry", namespace=ANNA).mode is SearchMode.LEXICAL_ONLY
        for namespace, question, text in FACTS:
            assert found(engine, question, namespace, k=1) == [text], question
        assert found(engine, "Halvorsen", ANNA) == []


def test_meaning_finds_what_was_said_before_once_its_vectors_are_made_anew(path: Path) -> None:
    with open_old(path) as engine:
        before = engine.search("ferry", namespace=ANNA)
        assert (before.mode, "another edition" in before.degraded) == (SearchMode.LEXICAL_ONLY, True)
        assert engine.embeddings.is_outgrown()
        assert engine.embeddings.reembed().switched
        assert engine.search("ferry", namespace=ANNA).mode is SearchMode.FULL
        for namespace, question, text in FACTS:
            assert text in found(engine, question, namespace), question
        for namespace, question, text in (
            (
                ANNA,
                "When must I catch my ship?",
                "The ferry to Naxos leaves Piraeus at 7:25 in the morning from gate E6.",
            ),
            (ANNA, "Who gives music instruction?", "The violin teacher is Mr Okafor, and lessons are on Wednesdays."),
            (WORK, "Which bills are still unpaid?", "The invoice of Halvorsen Ltd. is due on 12 October."),
        ):
            assert text in found(engine, question, namespace, k=5), question


def test_summaries_receipts_rules_and_links_of_an_old_store_work(path: Path, told: list[Item]) -> None:
    records = of_kind(told, "record")
    with open_old(path) as engine:
        for record in records:
            if record["collection"] == "session_summary:trip" and record["metadata"]["level"] == 2:
                behind = engine.compaction.expand(record["id"], session="trip")
                assert {one.collection for one in behind} == {"session_raw:trip"}
                assert len(behind) > 2
        receipts = [record for record in records if record["metadata"].get("type") == "receipt"]
        assert len(receipts) == 3
        for receipt in receipts:
            explained = engine.prompts.explain(receipt["id"], namespace=owner_of(receipt))
            assert explained.prompt == receipt["metadata"]["prompt"]
        made = engine.prompts.assemble("Where is the key?", session="trip", namespace=ANNA, budget=1_500)
        assert "Never share the address of the house." in made.rules
        assert engine.sessions.current("daily") == "daily~2"
        engine.gate.restore("home/h1", namespace=ANNA)
        assert list(engine.upkeep.verify()) == []


def test_a_session_with_texts_that_could_not_be_written_today_is_folded(path: Path) -> None:
    with open_old(path, backend="none") as engine:
        assert engine.compaction.compact("scans", target=4, minimum_turns=0, tail_tokens=0).did_compact
        assert list(engine.upkeep.verify()) == []


@dataclass(frozen=True, kw_only=True)
class Departure:
    """Who goes, a word that only a summary of the shared session still told of them, and what is left of sessions."""

    gone: str
    word: str
    sessions: set[str]
    events: list[str]
    put_back: list[str]


DEPARTURES = [
    Departure(
        gone=ANNA,
        word="gloves",
        sessions={"desk", "scans", "shared"},
        events=["desk", "shared"],
        put_back=["s0", "s2", "s4"],
    ),
    Departure(
        gone=WORK,
        word="shelf",
        sessions={"daily", "daily~2", "home", "shared", "trip"},
        events=["trip", "shared", "daily"],
        put_back=["s1", "s3", "s5"],
    ),
]


@pytest.mark.parametrize("departure", DEPARTURES, ids=lambda departure: departure.gone)
def test_deleting_one_user_leaves_nothing_of_them_and_everything_of_the_other(
    departure: Departure, path: Path, told: list[Item], tmp_path: Path
) -> None:
    before = of_kind(told, "record")
    (other,) = {ANNA, WORK} - {departure.gone}
    said = {one["text"] for one in before if owner_of(one) == departure.gone} - {""}
    said -= {one["text"] for one in before if owner_of(one) == other}

    def is_own(record: Item) -> bool:
        """Also a rule of theirs from the shared session: that version did not note whose it is."""
        is_named = record["collection"].endswith(f":{departure.gone}") or owner_of(record) == departure.gone
        return is_named or record["text"] in said

    assert any(departure.word in record["text"] for record in before if record["collection"] == "session:shared")
    with open_old(path, backend="none") as engine:
        engine.deletions.flush_namespace(departure.gone)
        left = exported(engine, tmp_path)
        assert list(engine.upkeep.verify()) == []
        assert found(engine, "lamp", other)

    records = of_kind(left, "record")
    assert [one for one in records if is_own(one) or departure.word in one["text"]] == []
    assert [one["name"] for one in of_kind(left, "collection") if one["name"].endswith(f":{departure.gone}")] == []
    assert {state["session"] for state in of_kind(left, "session")} == departure.sessions
    assert {owner for state in of_kind(left, "session") for owner in state["state"]["namespaces"]} == {other}
    assert [entry["session"] for entry in of_kind(left, "journal")] == departure.events
    edges = [edge for edge in of_kind(told, "edge") if edge["session"] in departure.sessions - {"shared"}]
    assert written(of_kind(left, "edge")) == written(edges)

    were_of_both = ("session:shared", "session_summary:shared")
    kept = [one for one in before if not is_own(one) and one["collection"] not in were_of_both]
    put_back = [one for one in records if one["collection"] in were_of_both]
    assert written([one for one in records if one not in put_back]) == written(kept)
    assert [(one["collection"], one["id"]) for one in put_back] == [("session:shared", id) for id in departure.put_back]


def test_nodes_and_dreams_of_an_old_store_are_known_and_replaced(path: Path) -> None:
    """By their former spellings they would be doubled, or be overlooked by the reader of rules."""
    with open_engine(Config(store=StoreSettings(path=path))) as engine:
        kinds = {node.metadata["node_kind"] for node in engine.documents.nodes("AGENTS.md")}
        assert kinds <= {"YAMLFrontmatter", "Heading", "Paragraph", "List", "Blockquote", "CodeBlock", "Table"}
        dreams = [record for name in (ANNA, WORK) for record in engine.memories.latest(f"dream:{name}", limit=99)]
        assert {record.metadata["type"] for record in dreams} == {"dream_promotion"}
        answer = engine.search("What did I dream of the lighthouse?", namespace=ANNA)
        assert answer.hits[0].record.id == "DREAMS.md#dream#000000"
