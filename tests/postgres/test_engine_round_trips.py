"""How often a turn, a prompt and a search cross the network: counted on the wire, over all connections of a store.

What is counted is what somebody waits for: every group of statements that is answered as one. A ROLLBACK at the end of
a read is sent without waiting, and a statement crosses once more when it is prepared: neither counts. The numbers are
exact, so that one more is noticed; where one falls, write down the new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

import pytest
from tests.postgres.proxy import Message, Proxy
from tests.postgres.server import Server
from tests.postgres.stores import open_lent
from tests.support import NOON, read_cues

from libravdb.adapters.postgres.store import PostgresStore
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.memory import Memory
from libravdb.testing import WordsEmbedder

WARM = 4
"""Rounds until everything was met once on each connection."""

Operation = Callable[[Memory, int], object]


class Clock:
    """Moves a second at a time."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        self.now += 1_000
        return self.now


def turn(memory: Memory, number: int) -> object:
    return memory.add(
        {"role": "user", "content": f"The lamp number {number} belongs into the hall, I told you yesterday."},
        {"role": "assistant", "content": f"Noted: lamp {number} goes to the hall."},
        session="now",
    )


def prompt(memory: Memory, number: int) -> object:
    question = f"Where does the {_name(number)} lamp belong, and what grows in the garden?"
    return memory.assemble(question, session="now", budget=1_500)


def search(memory: Memory, number: int) -> object:
    return memory.search(f"the {_name(number)} lamp and the garden", k=10)


def search_in_session(memory: Memory, number: int) -> object:
    return memory.search(f"the lamp of the {_name(number)} room", k=10, session="now")


def _name(number: int) -> str:
    return ("red", "green", "blue", "old", "broken", "round", "tall")[number % 7]


OPERATIONS: dict[str, tuple[Operation, int]] = {
    # beginning, receipts of others, vectors of the texts; beginning, places of the turn, what the profile has of its
    # memory; commit (2). The second message: beginning; commit (2)
    "a turn": (turn, 11),
    # and vectors that came with the turn before, memories that it kept
    "a turn after it": (turn, 14),
    # beginning; beginning, vectors that came, words, a filter in the session, its words, turns beside, records, chance
    # (2), updates, wishes, summaries, turns that came; commit of the receipt (2)
    "a prompt": (prompt, 15),
    "a prompt after it": (prompt, 9),
    # beginning; beginning, words, turns beside
    "a search": (search, 4),
    # and in the session a filter and words
    "a search in a session": (search_in_session, 6),
}
"""What is done, one after the other, and how many round trips it takes when it was done before."""


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    with Proxy(f"{server.folder}/.s.PGSQL.{server.port}") as opened:
        yield opened


@pytest.fixture
def memory(proxy: Proxy) -> Iterator[Memory]:
    """Somebody with rules, wishes, memories, two sessions and their summaries."""
    embedder = WordsEmbedder()
    with open_lent() as direct:
        name = direct.url.partition("?")[0].rpartition("/")[2]
        engine = Engine(
            store=PostgresStore(proxy.url(name)),
            load_embedder=lambda _: embedder,
            clock=Clock(),
            read_rules=read_cues,
            settings=EngineSettings(compaction=CompactionSettings(auto_tokens=0)),
        )
        with Memory(engine, user="anna") as opened:
            fill(opened, engine)
            yield opened


def fill(memory: Memory, engine: Engine) -> None:
    memory.author("AGENTS.md", "- Answer in one sentence.\n- Never use the word delve.\n")
    memory.add("From now on always answer in one sentence.", session="old")
    memory.add("I live in Graz since May.", session="old")
    for number in range(30):
        memory.add(
            {"role": "user", "content": f"We spoke of the garden with its pond, bed {number}, and what grows there."},
            {"role": "assistant", "content": f"Yes, bed {number} has {number * 3} roses beside the bridge."},
            session="old" if number < 15 else "now",
        )
    for number in range(20):
        memory.remember(f"The shelf number {number} holds the lamp of the {number}th room.")
    for session in ("old", "now"):
        assert engine.compaction.compact(session, tail_tokens=100).clusters_formed


def waited_for(messages: Sequence[Message]) -> list[list[str]]:
    """What was asked together, each group once: the statements that were run before somebody waited."""
    trips: list[list[str]] = []
    asked: list[str] = []
    for message in messages:
        if not message.is_client:
            continue
        if message.kind == "E":
            asked.append(" ".join(message.statement.split())[:100])
        elif message.kind == "Q" and message.statement != "ROLLBACK":
            trips.append([message.statement])
        elif message.kind == "S" and asked:
            trips.append(asked)
            asked = []
    return trips


def test_operations_take_exactly_so_many_round_trips(memory: Memory, proxy: Proxy) -> None:
    numbers = count()
    for _ in range(WARM):
        for operation, _ in OPERATIONS.values():
            operation(memory, next(numbers))
    found: dict[str, int] = {}
    told: list[str] = []
    for name, (operation, _) in OPERATIONS.items():
        with proxy.recording() as messages:
            operation(memory, next(numbers))
        trips = waited_for(messages)
        found[name] = len(trips)
        told += [f"{name} {place}: {'; '.join(asked)}" for place, asked in enumerate(trips, 1)]
    assert found == {name: trips for name, (_, trips) in OPERATIONS.items()}, "\n".join(told)
