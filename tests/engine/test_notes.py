"""An agent's notes in a store: its own, found by those who may ask for them, and nobody's rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support import NOON, open_words_engine

from libravdb.engine.engine import Engine
from libravdb.engine.notes import NoteFile
from libravdb.model import Scope
from libravdb.model.collections import AUTHORED, agent_notes, curated_notes, dream_entries
from libravdb.testing import WordsEmbedder

pytestmark = pytest.mark.over_postgres

AGENT = "agent-id:main"
BOAT = "The green boat lies in Trieste."
ROUTER = "The old router stands in the cellar"
DIARY = f"## Deep Sleep\n\n- {ROUTER} {{score=0.9 recall=3 unique=2}}\n- Weak {{score=0.1 recall=1}}\n"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with open_words_engine(tmp_path / "data.libravdb", WordsEmbedder()) as engine:
        engine.notes.watch("/w", namespace=AGENT)
        yield engine


def keep(engine: Engine, path: str, text: str, *, mtime: int = NOON - 5_000) -> int:
    return engine.notes.keep(NoteFile(path=path, content=text.encode(), mtime_ms=mtime), namespace=AGENT)


def found(engine: Engine, question: str, *, notes_of: str = AGENT, namespace: str = "anna") -> list[str]:
    answer = engine.search(question, namespace=namespace, notes_of=notes_of)
    return [hit.record.text for hit in answer.hits]


def test_a_note_is_found_by_who_may_ask_for_the_agents_notes_and_by_nobody_else(engine: Engine) -> None:
    keep(engine, "memory/boat.md", BOAT)
    assert found(engine, "green boat") == [BOAT]
    assert found(engine, "green boat", notes_of="") == []
    assert found(engine, "green boat", notes_of="agent-id:other") == []
    assert found(engine, "green boat", notes_of="", namespace="agent-id:mai") == []


def test_a_note_is_information_and_never_a_rule(engine: Engine) -> None:
    keep(engine, "memory/AGENTS.md", "- Never ever deploy on Fridays.\n- Always be kind.\n")
    assert not any(engine.memories.latest(name, limit=10) for name in AUTHORED.values())
    assert engine.documents.list() == {}
    prompt = engine.prompts.assemble("Hello", session="s", namespace="anna", budget=2_000, notes_of=AGENT)
    assert "Fridays" not in prompt.rules + prompt.opening + prompt.closing


def test_recall_brings_notes_but_not_what_the_host_shows_itself(engine: Engine) -> None:
    keep(engine, "memory/boat.md", BOAT)
    keep(engine, "MEMORY.md", "The green boat is insured with Zeno.")
    asked = "Where does the green boat lie?"
    prompt = engine.prompts.assemble(asked, session="s", namespace="anna", budget=2_000, notes_of=AGENT)
    assert BOAT in prompt.closing
    assert "memory/boat.md" in prompt.closing
    assert "Zeno" not in prompt.closing
    assert "The green boat is insured with Zeno." in found(engine, "Zeno green boat")
    without = engine.prompts.assemble(asked, session="t", namespace="anna", budget=2_000)
    assert BOAT not in without.closing


def test_a_note_that_hardly_speaks_to_the_question_stays_out_of_the_prompt(engine: Engine) -> None:
    keep(engine, "memory/boat.md", BOAT)
    keep(engine, "memory/cat.md", "The cat of the harbour sleeps on green nets, and nobody knows whose it is.")
    asked = "Where does the green boat lie?"
    prompt = engine.prompts.assemble(asked, session="s", namespace="anna", budget=2_000, notes_of=AGENT)
    assert BOAT in prompt.closing
    assert "The cat" not in prompt.closing
    assert "a note whose strength" in engine.prompts.why_not("memory/cat.md#000000", namespace="anna")


def test_a_prompt_with_notes_can_be_explained_and_replayed(engine: Engine) -> None:
    keep(engine, "memory/boat.md", BOAT)
    prompt = engine.prompts.assemble(
        "Where does the green boat lie?", session="s", namespace="anna", budget=2_000, notes_of=AGENT
    )
    replayed = engine.prompts.replay(prompt.receipt, namespace="anna")
    assert all(section.is_proven for section in replayed.sections)
    assert "memory/boat.md#000000" in engine.prompts.why_not("memory/boat.md#000000", namespace="anna")


def test_a_changed_note_replaces_its_former_self_and_keeps_the_time_of_what_stayed(engine: Engine) -> None:
    long = "x " * 300
    keep(engine, "memory/log.md", f"# One\n\n{long}\n\n# Two\n\nold words\n", mtime=NOON - 9_000_000)
    keep(engine, "memory/log.md", f"# One\n\n{long}\n\n# Two\n\nnew words\n", mtime=NOON - 1_000)
    kept = {record.text: record for record in engine.memories.latest(agent_notes(AGENT), limit=10) if record.text}
    assert max(kept) == "# Two\n\nnew words"
    assert not any("old words" in text for text in kept)
    (one,) = (record for text, record in kept.items() if text.startswith("# One"))
    assert one.at == NOON - 9_000_000
    assert (one.metadata["line"], one.metadata["line_end"], one.metadata["source_doc"]) == (1, 3, "memory/log.md")


def test_a_dated_note_was_written_on_its_day(engine: Engine) -> None:
    keep(engine, "memory/2026-01-05-trip.md", BOAT)
    keep(engine, "memory/2999-01-01.md", "From the future.")
    keep(engine, "memory/2026-99-99.md", "On no day.", mtime=NOON - 7)
    at = {record.text: record.at for record in engine.memories.latest(agent_notes(AGENT), limit=10)}
    assert at["From the future."] == NOON
    assert at["On no day."] == NOON - 7
    assert 1_767_400_000_000 < at[BOAT] < 1_767_800_000_000


def test_a_withdrawn_note_is_gone(engine: Engine) -> None:
    keep(engine, "memory/boat.md", BOAT)
    assert engine.notes.withdraw("memory/boat.md", namespace=AGENT) == 1
    assert found(engine, "green boat") == []
    assert engine.notes.withdraw("memory/boat.md", namespace=AGENT) == 0


def test_an_agent_has_one_workspace_and_another_takes_its_place(engine: Engine) -> None:
    keep(engine, "memory/boat.md", BOAT)
    assert not engine.notes.watch("/w", namespace=AGENT)
    assert engine.notes.watch("/other", namespace=AGENT)
    assert found(engine, "green boat") == []
    assert [(one.namespace, one.folder, one.notes) for one in engine.notes.folders()] == [(AGENT, "/other", 0)]
    keep(engine, "memory/boat.md", BOAT)
    keep(engine, "MEMORY.md", BOAT)
    assert engine.notes.unwatch(namespace=AGENT) == 2
    assert engine.notes.folders() == []


def test_deleting_the_agents_namespace_deletes_its_notes(engine: Engine) -> None:
    keep(engine, "memory/boat.md", BOAT)
    keep(engine, "MEMORY.md", BOAT)
    engine.deletions.flush_namespace(AGENT)
    assert engine.notes.folders() == []
    assert not engine.memories.latest(agent_notes(AGENT), limit=1)
    assert not engine.memories.latest(curated_notes(AGENT), limit=1)


def test_notes_stay_with_the_agent_when_its_memory_becomes_a_persons(engine: Engine) -> None:
    keep(engine, "memory/boat.md", BOAT)
    engine.conversations.ingest_batch(["My sister Clara paints boats."], session="s", namespace=AGENT)
    engine.deletions.move_namespace(AGENT, to_namespace="person:anna")
    assert engine.notes.folders()[0].notes == 1
    assert found(engine, "green boat", notes_of="", namespace="person:anna") == ["My sister Clara paints boats."]


def test_a_diary_is_promoted_through_the_gate_and_answers_questions_about_dreams(engine: Engine) -> None:
    weighed = engine.notes.promote(DIARY, source_doc="DREAMS.md", namespace=AGENT, is_dry=True)
    assert (weighed.promoted, weighed.rejected, weighed.is_dry) == (1, 1, True)
    assert not engine.memories.latest(dream_entries(AGENT), limit=9)
    for _ in range(2):
        engine.notes.promote(DIARY, source_doc="DREAMS.md", namespace=AGENT)
    (kept,) = engine.memories.latest(dream_entries(AGENT), limit=9)
    assert kept.text == ROUTER
    assert found(engine, "What did you dream about the router?") == [kept.text]
    assert found(engine, "Where is the router?", notes_of=AGENT) == []
    engine.notes.promote("", source_doc="DREAMS.md", namespace=AGENT)
    assert not engine.memories.latest(dream_entries(AGENT), limit=9)


def test_only_the_scope_of_lore_shows_notes(engine: Engine) -> None:
    keep(engine, "memory/boat.md", BOAT)
    assert not engine.search("green boat", namespace="anna", notes_of=AGENT, scopes=[Scope.DURABLE]).hits
    (hit,) = engine.search("green boat", namespace="anna", notes_of=AGENT, scopes=[Scope.LORE]).hits
    assert hit.record.collection == agent_notes(AGENT)
