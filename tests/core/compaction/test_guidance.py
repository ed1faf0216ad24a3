"""Rules that somebody says in passing outlive compaction word for word and come back when they matter; small talk does
not. With the shipped embedder, over a real engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.core.authored.deontic import rules as read_rules
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings

CORPUS = Path(__file__).parent / "corpus"
PLANTED = [line.split("\t") for line in (CORPUS / "rules.tsv").read_text(encoding="utf-8").splitlines()]
CHATTER = (CORPUS / "small_talk.txt").read_text(encoding="utf-8").splitlines()
ANSWERS = ("Noted.", "Understood, thanks for telling me.", "Sure.", "Good to know.", "That is fine with me.")
NOON = 1_790_000_000_000
ANNA = "anna"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A chat in which each rule is said between two bits of small talk, compacted as a whole."""
    embedder = open_minilm()
    store = SqliteStore(tmp_path_factory.mktemp("guidance") / "m.libravdb")
    quiet = EngineSettings(compaction=CompactionSettings(auto_tokens=0))
    with Engine(
        store=store, load_embedder=lambda _: embedder, clock=lambda: NOON, settings=quiet, read_rules=read_rules
    ) as opened:
        said = []
        for number, (rule, _) in enumerate(PLANTED):
            said += [("user", rule), ("assistant", ANSWERS[number % len(ANSWERS)])]
            said += [("user", CHATTER[number])] if number < len(CHATTER) else []
        messages = [
            {"role": role, "content": text, "id": f"t{n:04}-x", "timestamp": NOON + 1_000 * n}
            for n, (role, text) in enumerate(said)
        ]
        opened.conversations.ingest_batch(messages, session="chat", namespace=ANNA)
        opened.compaction.compact("chat", minimum_turns=0)
        yield opened
        assert list(opened.upkeep.verify()) == []


def test_a_hundred_rules_are_kept_word_for_word_and_a_hundred_bits_of_small_talk_are_not(
    engine: Engine,
) -> None:
    rules = {rule for rule, _ in PLANTED}
    assert len(rules) >= 100
    assert len(set(CHATTER)) >= 100
    for scope in ("elevated:user:anna", "elevated:session:chat"):
        kept = {record.text for record in engine.memories.latest(scope, limit=999)}
        assert kept == rules


def test_each_planted_rule_is_injected_for_a_question_it_answers(engine: Engine) -> None:
    missed = []
    for rule, question in PLANTED:
        made = engine.prompts.assemble(question, session="tomorrow", namespace=ANNA, budget=2_000)
        guidance, profile = _frame(made.text, "elevated_guidance"), _frame(made.text, "profile")
        if rule not in guidance + profile:  # what is known of the person stands there once, as that
            missed.append(rule)
    assert missed == []


def _frame(prompt: str, name: str) -> str:
    return prompt.partition(f"<{name}")[2].partition(f"</{name}>")[0]
