"""What changes is seen by the next prompt, whoever changed it: no cache outlives the revision it was read at."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support import NOON, open_file_store, open_words_engine

from libravdb.engine.engine import Engine
from libravdb.engine.ingestion import relied_on_state
from libravdb.engine.prompts import TURNS
from libravdb.engine.turn_records import Placement
from libravdb.model import Prompt, Remove
from libravdb.model.collections import AUTHORED
from libravdb.model.tier import Tier
from libravdb.testing import WordsEmbedder

pytestmark = pytest.mark.over_postgres

ANNA = "anna"
RULE = "Answer in one sentence."


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with open_words_engine(tmp_path / "m.libravdb", WordsEmbedder()) as opened:
        yield opened


def _two_engines(folder: Path) -> tuple[Engine, Engine]:
    """Two engines over one store, as two daemons have them over one database."""
    store = open_file_store(folder / "m.libravdb", now=NOON)
    clock = itertools.count(NOON, 1_000).__next__
    embedder = WordsEmbedder()
    ours, theirs = (Engine(store=store, load_embedder=lambda _: embedder, clock=clock) for _ in range(2))
    return ours, theirs


def ask(engine: Engine, prompt: str = "Good morning, what is new?", *, session: str = "s") -> Prompt:
    return engine.prompts.assemble(prompt, session=session, namespace=ANNA, budget=2_000)


def test_a_rule_that_was_flushed_with_everything_stands_in_no_later_prompt(engine: Engine) -> None:
    engine.documents.author("AGENTS.md", f"- {RULE}\n")
    assert RULE in ask(engine).rules
    engine.deletions.flush_everything()
    assert RULE not in ask(engine).rules


def test_a_rule_whose_collection_was_dropped_stands_in_no_later_prompt(engine: Engine) -> None:
    engine.documents.author("AGENTS.md", f"- {RULE}\n")
    assert RULE in ask(engine).rules
    engine.deletions.flush([AUTHORED[Tier.HARD]])
    assert RULE not in ask(engine).rules


def test_a_rule_that_is_withdrawn_or_deleted_by_its_id_stands_in_no_later_prompt(engine: Engine) -> None:
    engine.documents.author("AGENTS.md", f"- {RULE}\n- Be kind.\n")
    assert RULE in ask(engine).rules
    engine.memories.replace([Remove(collection=AUTHORED[Tier.HARD], id="AGENTS.md#000000")], [])
    assert RULE not in ask(engine).rules
    assert "Be kind." in ask(engine).rules
    engine.documents.withdraw("AGENTS.md")
    assert "Be kind." not in ask(engine).rules


def test_a_rule_that_is_imported_stands_in_the_next_prompt(engine: Engine, tmp_path: Path) -> None:
    with open_words_engine(tmp_path / "other.libravdb", WordsEmbedder()) as other:
        other.documents.author("AGENTS.md", f"- {RULE}\n")
        other.upkeep.export_file(tmp_path / "rules.jsonl")
    assert RULE not in ask(engine).rules
    engine.upkeep.import_file(tmp_path / "rules.jsonl")
    assert RULE in ask(engine).rules


def test_a_rule_that_another_engine_over_the_same_store_adds_stands_in_the_next_prompt(tmp_path: Path) -> None:
    ours, theirs = _two_engines(tmp_path)
    with ours, theirs:
        assert RULE not in ask(ours).rules
        theirs.documents.author("AGENTS.md", f"- {RULE}\n")
        assert RULE in ask(ours).rules
        theirs.documents.withdraw("AGENTS.md")
        assert RULE not in ask(ours).rules


def test_a_restated_rule_is_judged_by_the_rules_of_that_moment(engine: Engine) -> None:
    """The gate's veto on what the rules say already goes with the rule."""
    sentence = "Always answer in one short sentence, please."
    engine.documents.author("AGENTS.md", f"- {sentence}\n")
    assert engine.gate.judge(sentence, namespace=ANNA).verdict.veto
    engine.deletions.flush_everything()
    assert not engine.gate.judge(sentence, namespace=ANNA).verdict.veto


def test_what_another_engine_answered_last_steadies_our_next_prompt(tmp_path: Path) -> None:
    """The last trace of a session is read again once somebody else has written receipts of the namespace."""
    ours, theirs = _two_engines(tmp_path)
    with ours, theirs:
        for number in range(30):
            ours.conversations.ingest(
                f"Note {number}: the pond in garden {number} is deep.", session="old", namespace=ANNA
            )
        ask(ours, "Which pond is deep?")
        ours.prompts.explain(namespace=ANNA)
        other = ask(theirs, "And the garden?")
        theirs.prompts.explain(namespace=ANNA)
        last = ask(ours, "Which pond is deep, again?")
        ours.prompts.explain(namespace=ANNA)
        ours_again, before = (theirs.memories.get("receipts:anna", made.receipt) for made in (last, other))
        assert ours_again is not None
        assert before is not None
        assert ours_again.metadata["previous"] == before.metadata["trace"]


def test_raw_turns_that_came_without_an_owner_are_asked_for_where_recall_is_silent(engine: Engine) -> None:
    """They are not in the history of the namespace, so its silence says nothing about them."""
    question = "When does the zeppelin depart?"
    for number in range(25):
        engine.conversations.ingest(
            f"Note {number}: the pond in garden {number} is deep.", session="old", namespace=ANNA
        )
    engine.memories.insert(
        id="t0",
        text="The zeppelin does depart at dawn",
        places=[_raw_place("s")],
        at=NOON - 1_000_000,
        relied_on=lambda snapshot: relied_on_state(snapshot, "s", owner=ANNA, now=NOON),  # she alone speaks there
    )
    fillers = [f"Filler {number} of the session" for number in range(1, TURNS + 5)]
    for number, text in enumerate(fillers, start=1):
        engine.memories.insert(id=f"t{number}", text=text, places=[_raw_place("s")], at=NOON - 1_000_000 + number)
    assert engine.search(question, namespace=ANNA, session="s", is_quiet=True).silence
    messages = [{"role": "user", "content": text} for text in fillers]
    made = engine.prompts.assemble(question, session="s", namespace=ANNA, budget=8_000, messages=messages, turn="now")
    assert "zeppelin" not in made.opening, "it is older than what an assembly looks at"
    assert made.closing.count("The zeppelin does depart at dawn") == 1


def _raw_place(session: str) -> Placement:
    return Placement(collection=f"session_raw:{session}", metadata={"role": "user", "sessionId": session})
