"""How similar texts are by chance is measured of the memory as it is, whoever has written to it."""

from __future__ import annotations

import pytest
from tests.contract.stores import open_space, vector
from tests.puts import put

from libravdb.engine.chance import SAMPLE, ChanceSimilarity
from libravdb.engine.known_records import KnownRecords
from libravdb.engine.own_commits import NotedStore, OwnCommits
from libravdb.model import CandidateSet, Put, Scope
from libravdb.model.collections import durable_memory
from libravdb.ports.store import Store
from libravdb.testing import MemoryStore

MEMORY = durable_memory("anna")


def memory(id: str, number: int) -> Put:
    return put(MEMORY, id, f"text {number}", embedding=vector([1, number % 5]))


def measured(chance: ChanceSimilarity, store: Store) -> float | None:
    with store.read() as snapshot:
        found = CandidateSet(words=(), sightings=(), vocabularies=snapshot.vocabularies([MEMORY], []))
        return chance.measure(snapshot, {MEMORY: Scope.DURABLE}, found, vector([1, 0]))


@pytest.mark.parametrize("who", ["we", "others"])
@pytest.mark.parametrize("id", ["a", "z"])
@pytest.mark.parametrize("held", [SAMPLE - 8, SAMPLE + 8])
def test_a_chance_that_is_known_is_that_of_the_memory_as_it_is(who: str, id: str, held: int) -> None:
    store, commits = MemoryStore(is_shared=True), OwnCommits()
    ours, known = NotedStore(store, commits), KnownRecords(commits)
    open_space(store)
    store.commit([memory(f"m{number:03}", number) for number in range(held)])
    chance = ChanceSimilarity(changed=known.changed)
    assert measured(chance, store) is not None
    for number in range(4):
        (ours if who == "we" else store).commit([memory(f"{id}{number}", 100 + number)])
        assert measured(chance, store) == measured(ChanceSimilarity(), store)
