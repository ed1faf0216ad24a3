"""How often a read crosses the network: counted on the wire, call by call."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from tests.contract.stores import SPACE, open_space, vector
from tests.postgres.stores import LentStore, open_lent
from tests.puts import put

from libravdb.adapters.postgres.connection import Address
from libravdb.adapters.postgres.schema import Db
from libravdb.adapters.postgres.snapshot import PostgresSnapshot, ReadCaches
from libravdb.model import Condition, Embedding, Foreseen, Key, Operator, Order, Put, Topic, Where, digest
from libravdb.ports.settings import StoreSettings

Ask = Callable[[PostgresSnapshot], object]

NAMES = ["a", "b", "c"]
KEYS = [Key(name, f"{n}") for name in NAMES for n in range(5)]
WORDS = [("text",), ("garden", "text"), ("nowhere",)]
QUESTION = vector([1, 0])
WHERE = Where(conditions=(Condition("n", Operator.GTE, 3),))
HIDDEN = {name: frozenset(("1", "2")) for name in NAMES}


def filled(name: str) -> list[Put]:
    return [
        put(
            name,
            f"{n}",
            f"text {n} of the gardens of {name}",
            at=n,
            metadata={"sessionId": "s", "n": n, "userId": "u"},
            embedding=vector([9, n + 1]),
        )
        for n in range(20)
    ]


@pytest.fixture
def store() -> Iterator[LentStore]:
    """Three collections, and three with so many vectors that codes choose."""
    with open_lent() as opened:
        open_space(opened)
        for name in NAMES:
            opened.commit(filled(name))
        yield opened


@pytest.fixture
def db(store: LentStore) -> Iterator[Db]:
    """A connection that prepares nothing: what is prepared crosses once more, the first time."""
    opened = Address(store.url).connect(is_preparing=False)
    yield opened
    opened.close()


@contextmanager
def counted(db: Db) -> Iterator[list[str]]:
    """The questions that cross the network: every stretch of messages to the server that is answered."""
    trips: list[str] = []
    with tempfile.TemporaryFile() as told:
        db.pgconn.trace(told.fileno())
        try:
            yield trips
        finally:
            db.pgconn.untrace()
        told.seek(0)
        lines = [line.split("\t") for line in told.read().decode().splitlines()]
    asked: list[str] = []
    for _, direction, _, *message in lines:
        if direction == "F":
            asked += [" ".join(message)] if message[0].startswith("Parse") else []
        elif asked:
            trips.append("\n".join(asked))
            asked = []


def trips_of(db: Db, caches: ReadCaches, *asks: Ask) -> int:
    """Round trips of the last of these calls, made one after the other in one snapshot."""
    snapshot = PostgresSnapshot(db, caches, explain=Address("").explain)
    try:
        snapshot.begin()
        for ask in asks[:-1]:
            ask(snapshot)
        with counted(db) as trips:
            asks[-1](snapshot)
        return len(trips)
    finally:
        snapshot.close()
        db.execute("ROLLBACK")


def nearest(read: PostgresSnapshot) -> object:
    return read.nearest(NAMES, QUESTION, k=5)


def matching(read: PostgresSnapshot) -> object:
    return read.matching(NAMES, WORDS, k=5)


CALLS: dict[str, tuple[Ask, int, int]] = {
    "revisions": (lambda read: read.revisions([Topic.collection(name) for name in NAMES]), 1, 1),
    "records": (lambda read: read.records(KEYS), 1, 1),
    "page by id": (lambda read: read.page("a", limit=5), 2, 2),
    "page by time": (lambda read: read.page("a", order=Order.NEWEST, where=WHERE, limit=5, exclude=HIDDEN), 2, 2),
    "expired": (lambda read: read.expired(5), 0, 0),  # that nothing ever expires is known from the beginning
    "holding": (lambda read: read.holding("a", [digest("text 1 of the gardens of a")]), 1, 1),
    "distinct": (lambda read: read.distinct("a", "speaker", limit=5), 1, 1),
    "sizes": (lambda read: read.sizes(NAMES), 1, 1),
    "collections": (lambda read: read.collections(), 1, 1),
    "collections of an owner": (lambda read: read.collections(owner="u", prefix="a"), 1, 1),
    "volume": (lambda read: read.volume(NAMES, owner="u"), 1, 1),
    "states": (lambda read: read.states(["s", "t"]), 1, 1),
    "states of an owner": (lambda read: read.states_of("u"), 1, 1),
    "edges": (lambda read: read.edges("s", parents=["p"], children=["c"]), 1, 1),
    "journal": (lambda read: read.journal(sessions=["s"]), 1, 1),
    # heads; vectors of all collections together; ids of the rows that were found
    "nearest": (nearest, 3, 1),
    # heads; vectors; what passes and what is excluded together; ids
    "nearest with a filter": (lambda read: read.nearest(NAMES, QUESTION, k=5, where=WHERE, exclude=HIDDEN), 4, 2),
    # heads; terms, how many texts hold two forms, and records that hold some; their bags
    "matching": (matching, 3, 2),
    "matching with a filter": (lambda read: read.matching(NAMES, WORDS, k=5, where=WHERE, exclude=HIDDEN), 3, 2),
    "neighbours": (lambda read: read.neighbours(KEYS, where=WHERE, exclude=HIDDEN), 2, 2),
    # heads; rows of the keys; their bags; their vectors
    "features": (lambda read: read.features(KEYS, embedding=QUESTION, words=WORDS), 4, 3),
    "vocabularies": (lambda read: read.vocabularies(NAMES, WORDS), 3, 1),
    "spaces": (lambda read: read.spaces(), 1, 1),
    "spaces without counts": (lambda read: read.spaces(is_counted=False), 0, 0),
    "vectors": (lambda read: read.vectors(SPACE, [digest("text 1 of the gardens of a")]), 1, 1),
}
"""What is asked, and how many round trips it takes at most: with nothing in memory, and when it was asked before."""


@pytest.mark.parametrize("call", CALLS)
def test_a_call_over_three_collections_takes_so_many_round_trips(db: Db, call: str) -> None:
    ask, cold, warm = CALLS[call]
    caches = ReadCaches(StoreSettings())
    assert trips_of(db, caches, ask) == cold
    assert trips_of(db, caches, ask) == warm
    again = trips_of(db, caches, ask, ask)
    assert again <= warm, "what a snapshot has met is not looked up again"


def test_a_read_begins_with_one_round_trip(db: Db) -> None:
    snapshot = PostgresSnapshot(db, ReadCaches(StoreSettings()), explain=Address("").explain)
    with counted(db) as trips:
        snapshot.begin()
    assert len(trips) == 1
    db.execute("ROLLBACK")


def test_what_was_foreseen_comes_with_the_beginning(db: Db) -> None:
    snapshot = PostgresSnapshot(db, ReadCaches(StoreSettings()), explain=Address("").explain)
    with counted(db) as trips:
        snapshot.begin(
            Foreseen(
                collections=(*NAMES, "nowhere"),
                sessions=("s", "nobody"),
                newest=("a", "nowhere"),
                records=tuple(KEYS),
                texts=(("a", digest("text 1 of the gardens of a")), ("nowhere", digest("nothing"))),
                distinct=(("a", "speaker"), ("b", "sessionId")),
            )
        )
    assert len(trips) == 1
    with counted(db) as trips:
        snapshot.revisions([*map(Topic.collection, (*NAMES, "nowhere")), Topic.session("s"), Topic.session("nobody")])
        snapshot.sizes([*NAMES, "nowhere"])
        snapshot.states(["s", "nobody"])
        snapshot.records(KEYS)
        snapshot.holding("a", [digest("text 1 of the gardens of a")])
        snapshot.holding("nowhere", [digest("nothing")])
        snapshot.distinct("a", "speaker", limit=9)
        snapshot.distinct("b", "sessionId", limit=9)
        snapshot.page("a", order=Order.NEWEST, limit=1)
        snapshot.page("nowhere", order=Order.NEWEST, limit=1)
    assert trips == []
    db.execute("ROLLBACK")


def test_a_recall_takes_six_round_trips_when_nothing_changed(db: Db) -> None:
    """As `engine/candidates.py` asks, over all collections of a prompt."""

    def recall(read: PostgresSnapshot) -> object:
        near = read.nearest(NAMES, QUESTION, k=5, where=WHERE)
        said = read.matching(NAMES, WORDS, k=5, where=WHERE)
        found = dict.fromkeys([*(one.key for one in near), *said])
        beside = read.neighbours(list(found), where=WHERE)
        met = [*found, *(key for one in beside.values() for key in (one.before, one.after) if key is not None)]
        return read.records(met), read.features(met, embedding=QUESTION, words=WORDS), read.vocabularies(NAMES, WORDS)

    caches = ReadCaches(StoreSettings())
    assert trips_of(db, caches, recall) <= 12
    assert trips_of(db, caches, recall) <= 6  # heads; what passes; words; turns beside; records; and the beginning


def test_a_search_after_a_write_asks_only_for_what_came(store: LentStore, db: Db) -> None:
    caches = ReadCaches(StoreSettings())
    trips_of(db, caches, nearest)
    store.commit([put("a", "new", "a new text", embedding=vector([9, 1]))])
    assert trips_of(db, caches, nearest) == 2  # heads; the new vector with the id of its record
    assert trips_of(db, caches, nearest) == 1


def test_a_search_by_codes_fetches_what_it_rescores_once(db: Db) -> None:
    settings = StoreSettings(exact_search_rows=4, rescore_rows=10, shortlist_rows=10)
    caches = ReadCaches(settings)
    unit = np.array([[1.0, 0.0]], dtype=np.float32)

    def near(read: PostgresSnapshot) -> object:
        return read.nearest(["a"], Embedding(fingerprint=SPACE, vectors=unit), k=2)

    assert trips_of(db, caches, near) == 4
    assert trips_of(db, caches, near) == 1
