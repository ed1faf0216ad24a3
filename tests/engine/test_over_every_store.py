"""The whole engine over every store: the same conversation gives the same memories, prompts, summaries and exports."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from tests.contract.stores import KINDS, open_store
from tests.support import NOON, read_cues

from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.model import AssemblyMode, Scope
from libravdb.ports.store import Store
from libravdb.testing import WordsEmbedder

ANNA, BEN = "anna", "ben"


def open_engine(store: Store) -> Engine:
    embedder = WordsEmbedder()
    moments = itertools.count(NOON, 1_000)
    return Engine(
        store=store,
        load_embedder=lambda _: embedder,
        clock=moments.__next__,
        read_rules=read_cues,
        settings=EngineSettings(compaction=CompactionSettings(auto_tokens=0)),
    )


def lived(engine: Engine, folder: Path) -> list[object]:
    """A life with memory: every verb of the engine once, and what can be told of each."""
    told: list[object] = []
    engine.documents.author(
        "AGENTS.md", "- Answer in one sentence.\n\nYou should never shout.\n\nThe office has plants.\n"
    )
    engine.documents.author("notes/pond.md", "# The pond\n\nThe pond is two metres deep, and frogs live in it.\n")
    for number in range(60):
        said = f"Turn {number}: we must water garden {number % 7} before {number % 24} o'clock, said Clara."
        message = {"role": "assistant" if number % 3 == 1 else "user", "content": said, "id": f"t{number}"}
        done = engine.conversations.ingest(message, session="garden", namespace=ANNA)
        told.append([(turn.id, turn.reception, turn.memory) for turn in done.turns])
    engine.conversations.ingest("My cat Mitzi is allergic to fish.", session="shared", namespace=ANNA)
    engine.conversations.ingest("My dog Rex loves fish.", session="shared", namespace=BEN)
    engine.conversations.commit_turn(
        ["My sister moved to Lisbon.", "She lives in Lisbon now."], session="s", namespace=ANNA, key="k"
    )
    again = engine.conversations.commit_turn(
        ["My sister moved to Lisbon.", "She lives in Lisbon now."], session="s", namespace=ANNA, key="k"
    )
    told.append(again.is_duplicate)
    engine.memories.remember("The key hangs behind the door.", collection="user:anna", metadata={"room": 1})
    for question in ("Where does my sister live?", "How deep is the pond?", "garden 3 Clara", "zeppelin"):
        for scopes in (tuple(Scope), (Scope.DURABLE,), (Scope.HISTORY, Scope.LORE)):
            found = engine.search(question, namespace=ANNA, session="garden", scopes=scopes)
            told.append([(hit.record.collection, hit.record.id, round(hit.score, 9)) for hit in found.hits])
    told.append(vars_of(engine.compaction.compact("garden", tail_tokens=100)))
    told.append([edge.child for edge in engine.compaction.coverage("garden")])
    for mode in AssemblyMode:
        made = engine.prompts.assemble(
            "Where does my sister live?", session="garden", namespace=ANNA, budget=3_000, mode=mode
        )
        told.append((made.rules, made.opening, made.closing, made.tokens))
        told.append([line for line in engine.prompts.explain(namespace=ANNA).words if not line.startswith("took ")])
        told.append(engine.prompts.replay(made.receipt, namespace=ANNA).is_same)
    told.append(engine.sessions.renew("s"))
    told.append(engine.deletions.forget("history:anna", ["garden/t5", "s/nobody"]))
    told.append(engine.deletions.flush_namespace(BEN))
    told.append([(info.name, info.records) for info in engine.memories.collections()])
    engine.upkeep.export_file(folder / "out.jsonl", with_vectors=True)
    lines = (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    told.append([line for line in lines if "receipts:" not in line])  # a receipt tells how long its prompt took
    told.append(engine.status().store.records)
    told.append(list(engine.upkeep.verify()))
    return told


def vars_of(value: object) -> dict[str, object]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", KINDS)
def test_a_life_with_memory_works_and_ends_sound(kind: str, tmp_path: Path) -> None:
    with open_engine(open_store(kind, tmp_path)) as engine:
        told = lived(engine, tmp_path)
        assert told[-1] == [], "the store is sound"
        assert engine.deletions.flush_everything() > 0
        assert engine.memories.collections() == []


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "memory"])
def test_every_store_gives_the_same_memories_prompts_and_exports(kind: str, tmp_path: Path) -> None:
    lives: dict[str, list[object]] = {}
    for name in (kind, "memory"):
        folder = tmp_path / name
        folder.mkdir()
        with open_engine(open_store(name, folder)) as engine:
            lives[name] = lived(engine, folder)
    for step, (kept, in_memory) in enumerate(zip(lives[kind], lives["memory"], strict=True)):
        assert kept == in_memory, f"step {step}"


@pytest.mark.parametrize("kind", KINDS)
def test_an_export_of_one_store_is_read_by_every_other_without_loss(kind: str, tmp_path: Path) -> None:
    with open_engine(open_store("memory", tmp_path)) as engine:
        lived(engine, tmp_path)
    source = tmp_path / "out.jsonl"
    with open_engine(open_store(kind, tmp_path)) as engine:
        engine.upkeep.import_file(source)
        engine.upkeep.export_file(tmp_path / "again.jsonl", with_vectors=True)
    again = (tmp_path / "again.jsonl").read_text(encoding="utf-8")
    assert again.split("\n")[1:] == source.read_text(encoding="utf-8").split("\n")[1:]
