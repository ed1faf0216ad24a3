"""How often the store is asked: a database may be a network away, and whatever is asked together is of one moment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.counting_store import CountingStore
from tests.support import NOON, open_file_store, read_cues

from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.testing import WordsEmbedder

ANNA = "anna"


class Clock:
    """Moves a second at a time."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        self.now += 1_000
        return self.now


@pytest.fixture
def store(tmp_path: Path) -> CountingStore:
    return CountingStore(open_file_store(tmp_path / "m.libravdb", now=NOON))


@pytest.fixture
def engine(store: CountingStore) -> Iterator[Engine]:
    embedder = WordsEmbedder()
    settings = EngineSettings(compaction=CompactionSettings(auto_tokens=0))  # nothing counts but what a test does
    with Engine(
        store=store, load_embedder=lambda _: embedder, clock=Clock(), read_rules=read_cues, settings=settings
    ) as opened:
        opened.documents.author("AGENTS.md", "- Answer in one sentence.\n")
        for number in range(40):
            role = "assistant" if number % 2 else "user"
            message = {"role": role, "content": f"We spoke of the number {number} and of the garden", "id": str(number)}
            opened.conversations.ingest(message, session="old", namespace=ANNA)
        opened.memories.remember("The garden has a pond.", collection="user:anna")
        store.trips.clear()
        yield opened


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_turn_takes_at_most_four_round_trips(engine: Engine, store: CountingStore, role: str) -> None:
    engine.conversations.ingest({"role": role, "content": "My sister moved to Lisbon."}, session="s", namespace=ANNA)
    assert store.trips.total() <= 4, store.trips
    store.trips.clear()
    turn = [{"role": "user", "content": "And my brother?"}, {"role": "assistant", "content": "He lives in Graz."}]
    engine.conversations.commit_turn(turn, session="s", namespace=ANNA, key="k")
    assert store.trips.total() <= 4, store.trips


def test_a_prompt_takes_at_most_four_round_trips_with_its_receipt(engine: Engine, store: CountingStore) -> None:
    engine.prompts.assemble(
        "What is in the garden?", session="old", namespace=ANNA, budget=2_000
    )  # measures what chance is
    engine.prompts.explain(namespace=ANNA)
    store.trips.clear()
    engine.prompts.assemble("Is there a pond?", session="old", namespace=ANNA, budget=2_000)
    assert store.trips.total() <= (3 if store.is_shared else 2), store.trips  # shared, the receipt is written at once
    engine.close()  # else behind the reply
    assert store.trips.total() <= 4, store.trips


def test_the_first_prompt_takes_no_more(engine: Engine, store: CountingStore) -> None:
    engine.prompts.assemble("What is in the garden?", session="old", namespace=ANNA, budget=2_000)
    assert store.trips.total() <= 4, store.trips


def test_a_search_takes_two_round_trips(engine: Engine, store: CountingStore) -> None:
    engine.search("the pond", namespace=ANNA)
    assert store.trips.total() <= 2, store.trips


def test_compacting_two_hundred_turns_takes_at_most_twelve_round_trips(engine: Engine, store: CountingStore) -> None:
    messages = [
        {
            "role": "assistant" if number % 2 else "user",
            "content": f"Number {number}: the workshop on {number % 7} ended, and the report says {number * 3}.",
            "id": f"t{number}",
        }
        for number in range(200)
    ]
    engine.conversations.ingest_batch(messages, session="long", namespace=ANNA)
    store.trips.clear()
    done = engine.compaction.compact("long", tail_tokens=100)
    assert done.clusters_formed >= 9
    assert store.trips.total() <= 12, store.trips


def test_deleting_a_user_asks_no_more_of_a_store_with_many_users(engine: Engine, store: CountingStore) -> None:
    """Also inside a snapshot nothing is listed that is not the user's own; `bench/deletion.py` measures the time."""
    for number in range(20):
        engine.conversations.ingest(f"I am user {number}.", session=f"s{number}", namespace=f"user{number}")
    store.trips.clear()
    engine.deletions.flush_namespace("user3")
    assert store.trips.total() <= 3, store.trips
