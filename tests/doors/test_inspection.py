"""Looking into memory through every door: asked alike, all answer alike, and refuse alike."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.served import LOOPBACK, TOKEN, Served

from libravdb.app import connect_to
from libravdb.errors import LibraError
from libravdb.model import PromptPreview
from libravdb.model.collections import durable_memory
from libravdb.ports.engine_api import EngineApi
from libravdb.wire.endpoint import Endpoint

ANNA = "anna"
FACT = "My sister Clara moved to Lisbon in March 2024 and works there as a nurse"


def unix_socket(served: Served, folder: Path) -> EngineApi:
    return connect_to(str(served.listen(Endpoint(path=str(folder / "s.sock")))))


def tcp_with_token(served: Served, _: Path) -> EngineApi:
    return connect_to(str(served.listen(LOOPBACK)), token=TOKEN)


def http_with_token(served: Served, _: Path) -> EngineApi:
    address = served.listen_http()
    return connect_to(f"http://{address.host}:{address.port}", token=TOKEN)


DOORS: Mapping[str, Callable[[Served, Path], EngineApi]] = {
    "unix": unix_socket,
    "tcp": tcp_with_token,
    "http": http_with_token,
}


@contextmanager
def opened(folder: Path, door: str) -> Iterator[tuple[EngineApi, EngineApi]]:
    """An engine that has lived a little, and the same through a door."""
    with ExitStack() as closing:
        served = Served(folder)
        closing.callback(served.close)
        engine = DOORS[door](served, folder)
        closing.callback(engine.close)
        for number in range(40):
            message = {"role": "user", "content": f"Turn {number}: we must water garden {number % 7} at {number % 24}."}
            served.engine.conversations.ingest(message, session="s", namespace=ANNA)
        served.engine.conversations.ingest(FACT, session="t", namespace=ANNA)
        served.engine.compaction.compact("s", target=4, tail_tokens=60)
        for id, text in (("old", "I live in Graz."), ("new", "The bakery opens at seven.")):
            served.engine.memories.remember(text, collection=durable_memory(ANNA), id=id)
        served.engine.prompts.assemble("Where is Clara?", session="t", namespace=ANNA, budget=900)
        yield served.engine, engine


@pytest.fixture(scope="module", params=list(DOORS))
def engines(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[EngineApi, EngineApi]]:
    with opened(tmp_path_factory.mktemp("d"), request.param) as both:
        yield both


def timeless(told: PromptPreview) -> PromptPreview:
    """A preview without how long it took."""
    return dataclasses.replace(told, receipt=dataclasses.replace(told.receipt, timings={}), words=told.words[:-1])


def linked_and_back(engine: EngineApi) -> str:
    """What replaces a memory while it is outdated."""
    engine.gate.supersede("old", by="new", namespace=ANNA)
    found = engine.inspection.try_search("Graz", namespace=ANNA).usual.hits[0].successor
    engine.gate.restore("old", namespace=ANNA)
    return found


Verb = Callable[[EngineApi], object]

VERBS: Mapping[str, Verb] = {
    "turns": lambda engine: engine.inspection.list_turns(namespace=ANNA),
    "turns of a session": lambda engine: engine.inspection.list_turns(namespace=ANNA, session="t", limit=1),
    "turns of a time": lambda engine: engine.inspection.list_turns(namespace=ANNA, since=0, until=1),
    "a page": lambda engine: engine.inspection.list_turns(
        namespace=ANNA, limit=3, after=engine.inspection.list_turns(namespace=ANNA, limit=3).next
    ),
    "summaries": lambda engine: engine.inspection.list_summaries("s", namespace=ANNA),
    "receipts": lambda engine: engine.inspection.list_receipts(namespace=ANNA),
    "receipts of a session": lambda engine: engine.inspection.list_receipts(namespace=ANNA, session="s"),
    "scores": lambda engine: engine.inspection.gate_scores(namespace=ANNA, limit=9),
    "a search": lambda engine: engine.inspection.try_search("Where is Clara?", namespace=ANNA, session="s"),
    "a tried search": lambda engine: engine.inspection.try_search(
        "Where is Clara?", namespace=ANNA, k=3, settings={"dense_weight": 0.1, "candidates": 5}
    ),
    "settings": lambda engine: engine.inspection.recall_settings(),
    "changes": lambda engine: engine.inspection.changes(namespace=ANNA),
    "a preview": lambda engine: timeless(
        engine.inspection.preview_prompt("Where is Clara?", session="s", namespace=ANNA, budget=900, why_not="old")
    ),
    "health": lambda engine: engine.inspection.check_store(),
    "a link and back": linked_and_back,
}

REFUSED: Mapping[str, Verb] = {
    "no turns": lambda engine: engine.inspection.list_turns(namespace=ANNA, limit=0),
    "too many turns": lambda engine: engine.inspection.list_turns(namespace=ANNA, limit=10**9),
    "a cursor": lambda engine: engine.inspection.list_turns(namespace=ANNA, after="nowhere"),
    "no session": lambda engine: engine.inspection.list_summaries("", namespace=ANNA),
    "too many receipts": lambda engine: engine.inspection.list_receipts(namespace=ANNA, limit=201),
    "no scores": lambda engine: engine.inspection.gate_scores(namespace=ANNA, limit=-1),
    "no question": lambda engine: engine.inspection.try_search(" ", namespace=ANNA),
    "no results": lambda engine: engine.inspection.try_search("x", namespace=ANNA, k=0),
    "an unknown setting": lambda engine: engine.inspection.try_search("x", namespace=ANNA, settings={"dense": 1}),
    "a setting beyond": lambda engine: engine.inspection.try_search("x", namespace=ANNA, settings={"silence": 2}),
    "a budget": lambda engine: engine.inspection.preview_prompt("x", session="s", namespace=ANNA, budget=-1),
    "itself": lambda engine: engine.gate.supersede("old", by="old", namespace=ANNA),
    "an unknown memory": lambda engine: engine.gate.supersede("old", by="nothing", namespace=ANNA),
    "somebody else's": lambda engine: engine.gate.supersede("old", by="new", namespace="ben"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_door_answers_alike(engines: tuple[EngineApi, EngineApi], verb: str) -> None:
    here, there = engines
    assert VERBS[verb](there) == VERBS[verb](here)


@pytest.mark.parametrize("verb", REFUSED)
def test_every_door_refuses_alike(engines: tuple[EngineApi, EngineApi], verb: str) -> None:
    told = []
    for engine in engines:
        with pytest.raises(LibraError) as caught:
            REFUSED[verb](engine)
        told.append((type(caught.value), caught.value.message, caught.value.remedy))
    assert told[0] == told[1]
