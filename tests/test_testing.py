"""What a user's own tests are given: the engine itself, without a file, a model or a clock that runs."""

from __future__ import annotations

from libravdb import testing
from libravdb.engine.engine import Engine
from libravdb.memory import Memory


def open_memory(clock: testing.FrozenClock) -> Memory:
    engine = Engine(store=testing.MemoryStore(), load_embedder=lambda _: testing.WordsEmbedder(), clock=clock)
    return Memory(engine, user="anna")


def test_the_shipped_parts_carry_a_whole_memory() -> None:
    with open_memory(testing.FrozenClock()) as memory:
        memory.remember("The ferry to Naxos leaves at nine")
        memory.author("AGENTS.md", "- Answer briefly.")
        memory.ingest("When does the ferry leave?")
        assert memory.search("ferry to Naxos").hits[0].record.text == "The ferry to Naxos leaves at nine"
        assert "The ferry to Naxos" in memory.assemble("the ferry to Naxos?", session="other").closing


def test_time_passes_only_when_it_is_told_to() -> None:
    clock = testing.FrozenClock(1_700_000_000_000)
    with open_memory(clock) as memory:
        first = memory.remember("one").record
        second = memory.remember("two").record
        clock.advance(60_000)
        third = memory.remember("three").record
    assert (first.at, second.at, third.at) == (1_700_000_000_000, 1_700_000_000_000, 1_700_000_060_000)


def test_the_room_offers_these_parts_and_no_more() -> None:
    assert testing.__all__ == ["FrozenClock", "MemoryStore", "WordsEmbedder"]
