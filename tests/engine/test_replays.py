"""Replays: what stood in a prompt is proven long afterwards, and what has changed since is told."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from tests.engine.test_why_not import ANNA, MINUTE, NOUNS, RULES, opened, talk

from libravdb.engine.engine import Engine
from libravdb.model import Prompt, Put, Replayed, ReplayedSection, SectionKind
from libravdb.model.collections import prompt_receipts
from libravdb.testing import FrozenClock

Change = Callable[[Engine], object]


def nothing(_: Engine) -> None:
    """Only the turns that follow each prompt."""


def compaction(engine: Engine) -> None:
    for _ in range(2):
        engine.compaction.compact("s", target=4, tail_tokens=60)


def another_rule(engine: Engine) -> None:
    engine.documents.author("HOUSE.md", f"{RULES}\n- Never mention room 70009 to strangers.\n", core=True)


def other_rules(engine: Engine) -> None:
    engine.documents.author("HOUSE.md", RULES.replace("room 70001", "room 70010"), core=True)


def prompts(engine: Engine, clock: FrozenClock, random: Random) -> list[Prompt]:
    """A chat with a prompt after every few turns, some of them behind summaries."""
    made = []
    engine.documents.author("HOUSE.md", RULES, core=True)
    talk(engine, clock, random, session="old", turns=12, first=10_001)
    for number in range(6):
        talk(engine, clock, random, session="s", turns=5, first=20_001 + 10 * number)
        if number == 2:
            engine.compaction.compact("s", target=4, tail_tokens=60)
        clock.advance(MINUTE)
        question = f"Where is the {random.choice(NOUNS)} near the {random.choice(NOUNS)}?"
        made.append(engine.prompts.assemble(question, session="s", namespace=ANNA, budget=random.choice((500, 1_500))))
        clock.advance(MINUTE)
    return made


def part(told: Replayed, kind: SectionKind) -> ReplayedSection:
    return next(section for section in told.sections if section.kind is kind)


@pytest.mark.parametrize("change", [nothing, compaction, another_rule])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_part_is_proven_after_turns_compactions_and_more_rules(change: Change, seed: int) -> None:
    with opened() as (engine, clock):
        made = prompts(engine, clock, Random(seed))
        clock.advance(MINUTE)
        change(engine)
        for one in made:
            told = engine.prompts.replay(one.receipt, namespace=ANNA)
            assert told.is_proven, told.words
            assert told.is_same == ((told.rules, told.opening, told.closing) == (one.rules, one.opening, one.closing))
            assert told.opening == one.opening
            assert all(section.reasons for section in told.sections if not section.is_chosen_again)


def test_other_rules_leave_the_rest_proven_and_are_told() -> None:
    with opened() as (engine, clock):
        made = prompts(engine, clock, Random(3))
        clock.advance(MINUTE)
        other_rules(engine)
        for one in made:
            told = engine.prompts.replay(one.receipt, namespace=ANNA)
            assert not told.is_proven
            assert [section.kind for section in told.sections if not section.is_proven] == [SectionKind.RULES]
            assert any("since" in reason for reason in part(told, SectionKind.RULES).reasons)
            assert any(line.startswith("rules: differs: ") for line in told.words)


def test_what_was_deleted_is_told_where_it_stood() -> None:
    with opened() as (engine, clock):
        talk(engine, clock, Random(3), session="s", turns=6, first=20_001)
        made = engine.prompts.assemble("What now?", session="s", namespace=ANNA, budget=1_500)
        assert engine.prompts.replay(namespace=ANNA).words[0].startswith("the same bytes: ")
        last = engine.memories.latest("session_raw:s", limit=1)[0]
        engine.deletions.forget("session_raw:s", [last.id])
        told = engine.prompts.replay(made.receipt, namespace=ANNA)
        assert part(told, SectionKind.TAIL).is_proven is False
        assert f"1 turn deleted since ({last.id})" in part(told, SectionKind.TAIL).reasons


def test_messages_of_the_host_have_to_be_given_again() -> None:
    with opened() as (engine, clock):
        talk(engine, clock, Random(3), session="s", turns=6, first=20_001)
        shown = [{"role": "user", "content": "What was that again?"}]
        made = engine.prompts.assemble("What now?", session="s", namespace=ANNA, budget=1_500, messages=shown)
        assert engine.prompts.replay(made.receipt, namespace=ANNA, messages=shown).is_same
        without = engine.prompts.replay(made.receipt, namespace=ANNA)
        assert "the host's messages are not kept here: give them again" in part(without, SectionKind.MESSAGE).reasons


def test_a_receipt_of_an_earlier_version_tells_the_whole_alone() -> None:
    with opened() as (engine, clock):
        talk(engine, clock, Random(3), session="s", turns=6, first=20_001)
        made = engine.prompts.assemble("What now?", session="s", namespace=ANNA, budget=1_500)
        engine.prompts.explain(made.receipt, namespace=ANNA)  # so it is written
        (kept,) = engine.memories.latest(prompt_receipts(ANNA), limit=1)
        facts = {key: value for key, value in kept.metadata.items() if key != "section_digests"}
        for digest in (facts["digest"], "another"):
            change = Put(
                collection=kept.collection, id=kept.id, text="", at=kept.at, metadata={**facts, "digest": digest}
            )
            engine._store.commit([change])
            told = engine.prompts.replay(made.receipt, namespace=ANNA)
            is_same = digest != "another"
            assert (told.is_same, told.is_proven) == (is_same, is_same)
            assert {section.is_proven for section in told.sections} == {True if is_same else None}
