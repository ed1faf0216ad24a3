"""Why not this one? For every id that any door shows, the answer agrees with the bytes of the prompt."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support import examples, open_words_engine

from libravdb.core.assembly.render import unescape
from libravdb.engine.engine import Engine
from libravdb.model import AssemblyMode, Prompt, Record
from libravdb.model.collections import CollectionKind, parse_collection
from libravdb.testing import FrozenClock, WordsEmbedder

ANNA = "anna"
MINUTE = 60_000
NOUNS = tuple("harbour lantern violin copper orchard glacier saddle pepper cabin meadow rocket candle ferry".split())
SAID = (
    "The {a} number {n} belongs to the {b} near the {c}.",
    "I bought {n} of the {a} for the {b}.",
    "We decided that the {a} of number {n} goes to the {b}.",
    "From now on always mention the {a} of room {n}. The {b} is fine.",
    "Always answer with {n} words about the {a}.",
    "My sister keeps {n} lanterns in the {a}.",
    "I live at {a} street {n}.",
    "ok {n}",
)
RULES = "# House\n\n- Never mention room 70001.\n- Always be brief about 70002.\n\nThe office 70003 has plants.\n"
BOOKKEEPING = (
    CollectionKind.PROMPT_RECEIPTS,
    CollectionKind.COMMIT_MARKERS,
    CollectionKind.PROFILE,
    CollectionKind.COVERAGE_EDGES,
    CollectionKind.SESSION_STATE,
    CollectionKind.DOCUMENTS,
    CollectionKind.LIFECYCLE_JOURNAL,
)
STANDS = ("stands in the prompt", "stands in the conversation", "stands there", "it stands in ", "stands in summary")
NOWHERE = "No turn or memory of this namespace has that id."


@contextmanager
def opened() -> Iterator[tuple[Engine, FrozenClock]]:
    clock = FrozenClock()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_words_engine(Path(folder) / "m.libravdb", WordsEmbedder(), clock=clock) as engine,
    ):
        yield engine, clock


def talk(engine: Engine, clock: FrozenClock, random: Random, *, session: str, turns: int, first: int) -> None:
    """Turns of which every one says a number that no other says."""
    for number in range(first, first + turns):
        clock.advance(random.choice((0, MINUTE, 600 * MINUTE)))
        a, b, c = random.sample(NOUNS, 3)
        text = random.choice(SAID).format(n=number, a=a, b=b, c=c)
        role = "user" if number % 2 else "assistant"
        engine.conversations.ingest({"role": role, "content": text}, session=session, namespace=ANNA)


def shown_by_doors(engine: Engine) -> Iterator[Record]:
    """Every record of every collection, as lists, searches and sessions show them."""
    for info in engine.memories.collections(""):
        if parse_collection(info.name).kind not in BOOKKEEPING:
            yield from engine.memories.latest(info.name, limit=1_000)


def plain(text: str) -> str:
    return " ".join(unescape(text).split())


def ask(engine: Engine, random: Random) -> tuple[Prompt, str]:
    """A prompt in any mode, and all that the model reads."""
    said = engine.memories.latest("session_raw:s", limit=random.choice((1, 5, 20, 1_000)))
    is_shown = random.random() < 0.6
    shown = [{"role": one.metadata["role"], "content": one.text} for one in reversed(said)] if is_shown else []
    mode = random.choice(tuple(AssemblyMode))
    question = random.choice(("", "ok", f"Where is the {random.choice(NOUNS)} near the {random.choice(NOUNS)}?"))
    made = engine.prompts.assemble(
        question, session="s", namespace=ANNA, budget=random.choice((60, 400, 1_500, 6_000)), messages=shown, mode=mode
    )
    return made, plain(" ".join((made.text, *(str(shown[place]["content"]) for place in made.kept))))


@settings(max_examples=examples(6), deadline=None)
@given(st.integers(0, 2**32))
def test_the_answer_for_every_id_that_any_door_shows_agrees_with_the_bytes_of_the_prompt(seed: int) -> None:
    random = Random(seed)
    with opened() as (engine, clock):
        engine.documents.author("HOUSE.md", RULES, core=True)
        talk(engine, clock, random, session="old", turns=random.randrange(12), first=10_001)
        talk(engine, clock, random, session="s", turns=random.choice((3, 30, 50)), first=20_001)
        for _ in range(random.randrange(3)):
            engine.compaction.compact("s", target=random.choice((4, 10)), tail_tokens=100)
        _, read = ask(engine, random)
        for record in shown_by_doors(engine):
            is_there = plain(record.text) in read
            for id in (record.id, f"{record.collection}/{record.id}"):
                told = engine.prompts.why_not(id, namespace=ANNA)
                whole = "stands in the prompt: " in told.partition(";")[0] or "stands in the conversation" in told
                assert NOWHERE not in told
                assert is_there or not whole or "in part" in told or "profile, line" in told, (id, record.text, told)
                assert not is_there or any(words in told for words in STANDS), (record, told)
                assert is_there or "(it stands in " not in told, (id, record.text, told)
        for line in engine.profile.show(namespace=ANNA).lines:
            told = engine.prompts.why_not(line.id, namespace=ANNA)
            assert told == engine.prompts.why_not(f"profile/{line.id}", namespace=ANNA).replace("profile/", "", 1)
            assert ("stands in the prompt: profile" in told) <= (plain(line.text) in read), told


def test_a_turn_behind_a_summary_that_stands_there_says_so() -> None:
    with opened() as (engine, clock):
        talk(engine, clock, Random(1), session="s", turns=40, first=1_001)
        engine.compaction.compact("s", target=10, tail_tokens=50)
        engine.prompts.assemble("", session="s", namespace=ANNA, budget=1_500)
        (summary, *_) = engine.compaction.compact("s", target=10, tail_tokens=50).summaries or [
            record.id for record in engine.memories.latest("session_summary:s", limit=1)
        ]
        folded = engine.compaction.expand(summary, session="s", namespace=ANNA)
        for turn in folded:
            told = engine.prompts.why_not(f"s/{turn.id}", namespace=ANNA)
            assert f"stands in summary {summary}" in told or "stands in the prompt" in told


def test_what_was_said_later_in_another_session_or_by_somebody_else_is_told_apart() -> None:
    with opened() as (engine, clock):
        talk(engine, clock, Random(1), session="s", turns=4, first=1_001)
        engine.conversations.ingest("I keep seven bees.", session="s", namespace="ben")
        engine.conversations.ingest("I keep nine goats.", session="bens", namespace="ben")
        engine.prompts.assemble("Where are the glaciers?", session="s", namespace=ANNA, budget=1_500)
        clock.advance(MINUTE)
        late = engine.conversations.ingest("Later I bought a boat.", session="s", namespace=ANNA).turns[0].id
        for id in (late, f"s/{late}", f"session:s/{late}"):
            assert "came after this prompt was made" in engine.prompts.why_not(id, namespace=ANNA)
        for name in ("session_raw:s", "session:s", "history:ben", "session_raw:bens", "turns:ben"):
            for record in engine.memories.latest(name, limit=99):
                if record.metadata.get("userId") == "ben":
                    for id in (record.id, f"{name}/{record.id}"):
                        assert engine.prompts.why_not(id, namespace=ANNA) == NOWHERE


def test_the_question_itself_is_known_when_it_was_taken_in_later() -> None:
    with opened() as (engine, clock):
        talk(engine, clock, Random(1), session="s", turns=4, first=1_001)
        for question, is_shown, words in (
            ("Where did I leave the lantern?", False, "is the question of this prompt"),
            ("Who has the copper?", True, "stands in the conversation"),
        ):
            message = {"role": "user", "content": question}
            shown = [message] if is_shown else []
            engine.prompts.assemble(question, session="s", namespace=ANNA, budget=1_500, messages=shown)
            clock.advance(MINUTE)
            turn = engine.conversations.ingest(message, session="s", namespace=ANNA).turns[0].id
            assert words in engine.prompts.why_not(f"s/{turn}", namespace=ANNA)


@pytest.mark.parametrize("id", ["x", "s/x", "user:anna/x", "profile/x", "session:s/", "/", "a/b/c/d", ""])
def test_what_does_not_exist_is_told_to_be_nowhere(id: str) -> None:
    with opened() as (engine, clock):
        talk(engine, clock, Random(1), session="s", turns=2, first=1_001)
        engine.prompts.assemble("What?", session="s", namespace=ANNA, budget=500)
        assert engine.prompts.why_not(id, namespace=ANNA) == NOWHERE
