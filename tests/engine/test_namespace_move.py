"""A namespace becomes another's: all of it, in one commit, once, and nobody else's."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.chats import chat
from tests.engine.test_namespace_deletion import World, tell

from libravdb.engine.namespace_holdings import holdings
from libravdb.errors import InvalidInput
from libravdb.model import Record, Scope
from libravdb.model.turn_metadata import OWNER

AGENT, ANNA, BEN = "agent-id:main", "person:anna", "person:ben"
FACT = "My sister Clara moved to Lisbon in March 2024 and works as a nurse there"
WISH = "From now on always answer in German"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def said(world: World, namespace: str) -> list[str]:
    """What a namespace's history holds."""
    return sorted(record.text for record in world.records() if record.collection == f"history:{namespace}")


def fill(world: World) -> None:
    answer = {"role": "assistant", "content": "Noted."}
    for n, text in enumerate((FACT, WISH, "I am a baker, and I live in Graz since 2019.")):
        world.engine.conversations.commit_turn([text, answer], session="s", namespace=AGENT, key=f"k{n}")
    world.engine.memories.remember("The spare key hangs behind the blue door", collection=f"user:{AGENT}")
    tell(world.engine, BEN, "shared", "that the mill is sold")
    tell(world.engine, AGENT, "shared", "that the boat is red")


def test_everything_moves_and_nothing_is_left(world: World) -> None:
    fill(world)
    before = said(world, AGENT)
    others = said(world, BEN)
    profile = [line.text for line in world.engine.profile.show(namespace=AGENT).lines]
    wishes = [wish.text for wish in world.engine.guidance.list(namespace=AGENT)]
    assert profile
    assert wishes
    planned = world.engine.deletions.move_namespace(AGENT, to_namespace=ANNA, is_dry_run=True)
    assert said(world, AGENT) == before
    moved = world.engine.deletions.move_namespace(AGENT, to_namespace=ANNA)
    assert (moved.turns, moved.sessions) == (len(before), 2)
    assert (planned.records, planned.turns, planned.is_dry_run) == (moved.records, moved.turns, True)
    assert said(world, ANNA) == before
    assert said(world, BEN) == others
    with world.store.read() as snapshot:
        assert holdings(snapshot, AGENT) == ()
    assert [line.text for line in world.engine.profile.show(namespace=ANNA).lines] == profile
    assert [wish.text for wish in world.engine.guidance.list(namespace=ANNA)] == wishes
    world.check()


def test_it_is_found_by_meaning_and_stands_in_prompts_of_its_new_owner_alone(world: World) -> None:
    fill(world)
    world.engine.prompts.assemble("Where does Clara live?", session="s2", namespace=AGENT, budget=2_000)
    world.engine.deletions.move_namespace(AGENT, to_namespace=ANNA)
    hits = world.engine.search("Where does my sister Clara live?", namespace=ANNA, scopes=(Scope.HISTORY,)).hits
    assert hits[0].record.text == FACT
    assert hits[0].breakdown["cosine"] > 0
    made = world.engine.prompts.assemble("Where does Clara live?", session="s3", namespace=ANNA, budget=2_000)
    assert "Lisbon" in made.rules + made.closing
    for stranger in (AGENT, BEN):
        made = world.engine.prompts.assemble("Where does Clara live?", session="s4", namespace=stranger, budget=2_000)
        assert "Lisbon" not in made.rules + made.opening + made.closing


def test_a_second_time_there_is_nothing_and_the_same_turn_is_still_known(world: World) -> None:
    fill(world)
    world.engine.deletions.move_namespace(AGENT, to_namespace=ANNA)
    before = Counter(record.text for record in world.records())
    again = world.engine.deletions.move_namespace(AGENT, to_namespace=ANNA)
    assert (again.records, again.turns, again.sessions) == (0, 0, 0)
    messages = [FACT, {"role": "assistant", "content": "Noted."}]
    done = world.engine.conversations.commit_turn(messages, session="s", namespace=ANNA, key="k0")
    assert done.is_duplicate
    assert Counter(record.text for record in world.records()) == before


def test_a_folded_session_keeps_its_summaries(world: World) -> None:
    chat(world.engine, 40)
    world.engine.compaction.compact("s")
    before = [record for record in world.records() if record.collection == "session_summary:s"]
    assert before
    world.engine.deletions.move_namespace("anna", to_namespace=ANNA)
    after = [record for record in world.records() if record.collection == "session_summary:s"]
    assert [(one.id, one.text) for one in after] == [(one.id, one.text) for one in before]
    assert {one.metadata.get(OWNER) for one in after} == {ANNA}
    world.check()


def test_what_both_hold_stays_once(world: World) -> None:
    for who in (AGENT, ANNA):
        world.engine.memories.remember("The ladder is in the shed", collection=f"user:{who}")
        tell(world.engine, who, "shared", "good evening")
    world.engine.deletions.move_namespace(AGENT, to_namespace=ANNA)
    held = [record for record in world.records() if record.collection == f"user:{ANNA}"]
    assert [one.text for one in held].count("The ladder is in the shed") == 1
    assert len(said(world, ANNA)) == 2
    world.check()


@pytest.mark.parametrize("there", ["I live in Graz.", "The ladder is green"])
def test_a_memory_that_gets_another_id_is_forgotten_with_what_it_states(world: World, there: str) -> None:
    memories = world.engine.memories
    memories.remember(there, collection=f"user:{ANNA}", id="m")
    memories.remember("I'm allergic to walnuts.", collection=f"user:{AGENT}", id="m")
    world.engine.deletions.move_namespace(AGENT, to_namespace=ANNA)
    lines = {line.text: line.source for line in world.engine.profile.show(namespace=ANNA).lines}
    assert lines == {"I'm allergic to walnuts.": "m~2", **({there: "m"} if there.startswith("I ") else {})}
    world.engine.deletions.forget(f"user:{ANNA}", ["m~2"])
    assert "walnuts" not in str(world.engine.profile.show(namespace=ANNA))
    assert not any("walnuts" in str(record) for record in world.records() if record.collection == f"profile:{ANNA}")


def test_what_is_said_meanwhile_moves_too(world: World) -> None:
    fill(world)
    world.store.meanwhile = lambda: tell(world.other, AGENT, "late", "that the ferry is late")
    world.engine.deletions.move_namespace(AGENT, to_namespace=ANNA)
    assert f"{AGENT} says that the ferry is late" in said(world, ANNA)
    assert said(world, AGENT) == []
    world.check()


@pytest.mark.parametrize(
    ("source", "target"), [(AGENT, AGENT), ("jose\u0301", "jos\u00e9"), ("session:s", ANNA), (AGENT, " ")]
)
def test_what_cannot_be_moved_is_told(world: World, source: str, target: str) -> None:
    with pytest.raises(InvalidInput):
        world.engine.deletions.move_namespace(source, to_namespace=target)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_whatever_was_said_by_whomever_only_the_moved_one_moves(seed: int) -> None:
    draw = random.Random(seed)
    with TemporaryDirectory() as folder:
        world = World(Path(folder))
        try:
            for n in range(12):
                who = draw.choice((AGENT, ANNA, BEN, f"{AGENT}:x"))
                tell(world.engine, who, draw.choice("ab"), f"word{draw.randrange(6)} number {n % 5}")
            before = world.records()
            world.engine.deletions.move_namespace(AGENT, to_namespace=ANNA)
            after = world.records()
            assert _words(after, ANNA) == _words(before, ANNA) | _words(before, AGENT)
            assert not _words(after, AGENT)
            for stranger in (BEN, f"{AGENT}:x"):
                assert _of(after, stranger) == _of(before, stranger)
            world.check()
        finally:
            world.close()


def _of(records: list[Record], owner: str) -> list[Record]:
    return [record for record in records if record.metadata.get(OWNER) == owner]


def _words(records: list[Record], owner: str) -> set[str]:
    return {record.text for record in _of(records, owner) if record.collection.startswith("history:")}
