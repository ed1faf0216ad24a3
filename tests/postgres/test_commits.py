"""Commits to PostgreSQL: how often they cross the network, what they copy on the server, and many writers at once."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from tests.contract.stores import OTHER, SPACE, ask, edge, kept, listed, near_ids, open_space, rows, vector, words
from tests.postgres.server import execute
from tests.postgres.stores import LentStore, open_lent
from tests.puts import put

from libravdb.adapters.postgres.keys import KEY_BYTES, text_key, text_key_sql
from libravdb.adapters.postgres.lookup import _LOCK_TOPICS
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.errors import Conflict
from libravdb.model import (
    Append,
    Change,
    ClearJournal,
    DropCollection,
    DropState,
    EnsureCollection,
    Key,
    Link,
    Remove,
    SetState,
    Topic,
    Touch,
    Unlink,
    digest,
)


@pytest.fixture
def store() -> Iterator[LentStore]:
    """An empty one; whatever a test did to it, it is sound afterwards."""
    with open_lent() as opened:
        yield opened
        assert list(opened.maintenance.verify()) == []


@contextmanager
def counted(store: PostgresStore) -> Iterator[list[int]]:
    """How often what follows crosses the network: every stretch of messages to the server that is answered."""
    with store._database._pool.lend() as db:
        pass  # the one that was given back last is lent next
    trips = [0]
    with tempfile.TemporaryFile() as told:
        db.pgconn.trace(told.fileno())
        try:
            yield trips
        finally:
            db.pgconn.untrace()
        told.seek(0)
        directions = re.findall(r"^[\d :.-]+\t([FB])\t", told.read().decode(), re.MULTILINE)
    turns = [one for one, before in zip(directions, ["B", *directions], strict=False) if one != before]
    trips[0] = turns.count("F")


def turn(n: int) -> list[Change]:
    """A turn as the engine writes it: in several collections, with its vectors, its session and an event."""
    said = f"turn {n} about gardens and rivers"
    facts = {"sessionId": "s", "userId": "u", "speaker": "user"}
    return [
        *(
            put(name, f"{n}", said, at=n, metadata=facts, embedding=vector([1, n], [n, 1]))
            for name in ("raw", "view", "u")
        ),
        SetState(session="s", state={"namespaces": ["u"], "n": n}, at=n),
        Append(session="s", at=n, entry={"n": n}, keep=5),
    ]


# ── round trips ───────────────────────────────────────────────────────────────────────────────────────────


COMMITS: dict[str, Callable[[], Sequence[Change]]] = {
    "a turn": lambda: turn(99),
    "a hundred turns": lambda: [change for n in range(100, 200) for change in turn(n)],
    "a new collection": lambda: [EnsureCollection(name="new")],
    "one record removed": lambda: [Remove(collection="u", id="3")],
    "a collection dropped": lambda: [DropCollection(name="raw")],
    "a text that stands elsewhere": lambda: [put("other", "1", "turn 3 about gardens and rivers")],
    "a new text for a record": lambda: [put("u", "3", "something else", at=3)],
    "accesses counted": lambda: [Touch(collection="u", ids=tuple(map(str, range(10))))],
    "a fold": lambda: [*(Link(edge=edge("sum", f"{n}", n)) for n in range(10)), Unlink(session="s", parent="old")],
    "a session's end": lambda: [DropState(session="s"), Unlink(session="s"), ClearJournal()],
}


@pytest.mark.parametrize("name", COMMITS)
def test_a_commit_crosses_the_network_twice_whatever_is_in_it(store: LentStore, name: str) -> None:
    open_space(store)
    for n in range(10):
        store.commit([*turn(n), Link(edge=edge("old", f"{n}", n))])
    changes = COMMITS[name]()
    with counted(store) as trips:
        assert store.commit(changes).revision
    assert trips == [2]


def test_what_changes_nothing_is_undone_in_a_second_round_trip(store: LentStore) -> None:
    store.commit([put("c", "1", "tea")])
    with counted(store) as trips:
        assert store.commit([put("c", "1", "tea"), Remove(collection="c", id="unknown")]).revision == 0
    assert trips == [2]


def test_vectors_for_texts_that_stand_already_take_another_attempt(store: LentStore) -> None:
    """The collections that hold them must be locked first, and only a look tells which."""
    open_space(store)
    store.commit([put(name, "1", "tea") for name in "abc"])
    with counted(store) as trips:
        assert store.vectors.add([(digest("tea"), vector([1, 0]))]) == 1
    assert trips == [4]


# ── copies of texts ───────────────────────────────────────────────────────────────────────────────────────


def test_a_text_is_copied_with_its_words_and_vectors_of_every_space(store: LentStore) -> None:
    open_space(store)
    store.commit([put("a", "1", "green tea", embedding=vector([1, 0], [0, 1]))])
    open_space(store, OTHER, 3)
    store.vectors.add([(digest("green tea"), vector([0, 1, 0], space=OTHER))])
    store.commit([put("b", "1", "green tea", terms=None), put("c", "1", "green tea", terms=None)])
    store.commit([DropCollection(name="a")])
    assert words(store, "tea", of="b") == ["1"]
    assert near_ids(store, [1, 0], of="c") == ["1"]
    with store.read() as read:
        assert np.array_equal(read.vectors(SPACE, [digest("green tea")])[digest("green tea")], rows([1, 0], [0, 1]))
        assert np.array_equal(read.vectors(OTHER, [digest("green tea")])[digest("green tea")], rows([0, 1, 0]))


def test_a_text_that_is_everywhere_is_copied_from_one_place(store: LentStore) -> None:
    """A commit never looks at all that hold a text: a short one may stand in each of a hundred thousand sessions."""
    open_space(store)
    store.commit([put(f"session {n}", "1", "ok", embedding=vector([1, 0])) for n in range(300)])
    done = store.commit([put("session new", "1", "ok", embedding=vector([0, 1]))])
    assert done.before == {Topic.collection("session new"): 0}
    assert near_ids(store, [1, 0], of="session new") == ["1"]
    with store.read() as read:
        assert np.array_equal(read.vectors(SPACE, [digest("ok")])[digest("ok")], rows([1, 0]))


def test_late_vectors_reach_every_collection_that_holds_the_text(store: LentStore) -> None:
    open_space(store)
    store.commit([put(name, "1", "tea") for name in "abc"])
    done = store.commit([put("d", "1", "tea", embedding=vector([1, 0]))])
    assert {topic.name for topic in done.before} == {*"abcd"}
    assert [near_ids(store, [1, 0], of=name) for name in "abcd"] == [["1"]] * 4


@pytest.fixture
def between_halves(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Let something happen once, between the two halves of the next commit."""
    from libravdb.adapters.postgres import commits  # noqa: PLC0415 - what is looked into

    real = commits._write
    waiting: list[Callable[[], object]] = []

    def interrupted(*arguments: Any) -> commits.CommitOutcome:
        if waiting:
            waiting.pop()()
        return real(*arguments)

    monkeypatch.setattr(commits, "_write", interrupted)
    return waiting.append


def test_a_copy_whose_source_goes_meanwhile_is_made_anew(
    store: LentStore, between_halves: Callable[[Callable[[], object]], None]
) -> None:
    open_space(store)
    store.commit([put("a", "1", "green tea", embedding=vector([1, 0]))])
    with PostgresStore(store.url) as other:
        between_halves(lambda: other.commit([DropCollection(name="a")]))
        store.commit([put("b", "1", "green tea")])
    assert listed(store, of="b") == ["1"]
    assert words(store, "tea", of="b") == ["1"]


def test_vectors_that_are_to_be_copied_and_go_meanwhile_are_those_that_came_along(
    store: LentStore, between_halves: Callable[[Callable[[], object]], None]
) -> None:
    """Its text stands where it stood, so that this alone can be copied."""

    def say_it_anew_without_them() -> None:
        other.commit([Remove(collection="a", id="1")])
        other.commit([put("a", "1", "green tea")])

    open_space(store)
    store.commit([put("a", "1", "green tea", embedding=vector([1, 0]))])
    with PostgresStore(store.url) as other:
        between_halves(say_it_anew_without_them)
        store.commit([put("b", "1", "green tea", embedding=vector([1, 0]))])
    assert near_ids(store, [1, 0], of="b") == ["1"]


def test_a_copy_whose_source_gets_vectors_meanwhile_gets_them_too(
    store: LentStore, between_halves: Callable[[Callable[[], object]], None]
) -> None:
    """It is told to lack them, and whoever brings them again brings them to the copy: a fill of vectors ends."""
    open_space(store)
    store.commit([put("a", "1", "green tea")])
    with PostgresStore(store.url) as other:
        between_halves(lambda: other.vectors.add([(digest("green tea"), vector([1, 0]))]))
        store.commit([put("b", "1", "green tea")])
    assert near_ids(store, [1, 0], of="a") == ["1"]
    assert near_ids(store, [1, 0], of="b") == []
    missing = store.vectors.missing(SPACE, limit=10)
    assert [one.text for one in missing] == ["green tea"]
    assert store.vectors.add([(one.digest, vector([1, 0])) for one in missing]) == 1
    assert store.vectors.missing(SPACE, limit=10) == ()
    assert near_ids(store, [1, 0], of="b") == ["1"]


# ── what no index can hold ────────────────────────────────────────────────────────────────────────────────


def incompressible(size: int) -> str:
    return "".join(map(chr, np.random.default_rng(3).integers(0x4E00, 0x9FFF, size)))


def test_values_longer_than_an_index_entry_are_kept_and_found(store: LentStore) -> None:
    long = incompressible(50_000)
    name = incompressible(341)
    facts = {"userId": long, "sessionId": long, "speaker": long}
    store.commit(
        [
            put(name, name, "a", metadata=facts, terms=(long, "a", long[:-1] + "x")),
            put(name, f"{name}x"[-341:], "b", metadata=facts, at=2),
            SetState(session=name, state={"namespaces": [long]}, at=1),
            Link(edge=edge(name, f"x{name}"[:341], session=name)),
        ]
    )
    with store.read() as read:
        assert [state.session for state in read.states_of(long).items] == [name]
        assert [info.name for info in read.collections(owner=long).items] == [name]
        assert read.distinct(name, "speaker", limit=9) == (long,)
        assert read.neighbours([Key(name, name)])[Key(name, name)].after is not None
        assert len(read.edges(name)) == 1
        assert len(read.matching([name], [(long,)], k=9)) == 1
        assert len(read.matching([name], [(long[:100] + "*",)], k=9)) == 1
    store.commit([DropState(session=name), Unlink(session=name), Remove(collection=name, id=name)])


@pytest.mark.parametrize(
    "text", ["", "a" * KEY_BYTES, "a" * (KEY_BYTES + 1), incompressible(600), "😀" * 400, "é" * 800]
)
def test_the_server_makes_the_same_keys(store: LentStore, text: str) -> None:
    assert execute(store.url, f"SELECT {text_key_sql('%s::text')}", *[text] * 4) == [(text_key(text),)]
    assert text_key(text_key(text)) == text_key(text)
    assert len(text_key(text).encode()) <= KEY_BYTES


# ── many writers ──────────────────────────────────────────────────────────────────────────────────────────


def test_writers_of_the_same_collections_in_every_order_all_get_through(store: LentStore) -> None:
    open_space(store)
    stores = [store, PostgresStore(store.url)]
    start = Barrier(6)

    def write(who: int) -> int:
        start.wait()
        written = 0
        for n in range(15):
            names = [f"c{(who * 7 + n * 3 + k) % 5}" for k in range(3)]
            changes: list[Change] = [
                put(name, f"{who}-{n}", f"text {n % 4}", embedding=vector([1, n % 4])) for name in names
            ]
            if n % 4 == 3:
                changes.append(DropCollection(name=names[0]))
            written += stores[who % 2].commit([*changes, Append(session="s", at=n, entry={}, keep=3)]).revision > 0
        return written

    with ThreadPoolExecutor(6) as pool, stores[1]:
        assert sum(pool.map(write, range(6))) == 90
    assert len(ask(store, lambda read: read.journal())) >= 3


def test_topics_are_locked_in_one_order_however_the_server_finds_them(store: LentStore) -> None:
    """Whoever locks in another one waits for whoever waits for him."""
    names = [f"c{n}" for n in np.random.default_rng(7).permutation(50)]
    store.commit([put(name, "1") for name in names])
    with store._database._pool.lend() as db:
        db.execute("BEGIN")
        db.execute("SELECT set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true)")
        locked = db.execute(_LOCK_TOPICS.encode(), ([1] * len(names), names)).fetchall()
    assert [name for _, name, _ in locked] == sorted(names)


def test_of_many_who_decide_by_the_same_moment_one_is_right(store: LentStore) -> None:
    topic = Topic.collection("c")
    store.commit([put("c", "1", "none yet")])
    seen = store.revisions([topic])
    start = Barrier(8)

    def decide(who: int) -> bool:
        start.wait()
        try:
            return store.commit([put("c", "1", f"by {who}")], unless=seen).before == seen
        except Conflict:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(decide, range(8))) == 1
    assert kept(store, "1").version == 2


def test_a_topic_that_goes_while_it_is_waited_for_is_made_again(store: LentStore) -> None:
    """Whoever waits for a row that is deleted finds none: it looks once more."""
    start = Barrier(2)

    def churn(who: int) -> None:
        start.wait()
        for n in range(40):
            store.commit([put("c", f"{who}", f"text {n}")] if (who + n) % 2 else [DropCollection(name="c")])

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(churn, range(2)))


def test_keys_of_commits_are_kept_for_a_day_of_the_servers_clock(
    store: LentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine whose clock is days ahead must not forget what others still may ask for."""
    store.commit([put("c", "1")])
    ((kept,),) = execute(store.url, f"SELECT key FROM {SCHEMA}.commits")  # noqa: S608 - our names
    execute(
        store.url,
        f"INSERT INTO {SCHEMA}.commits VALUES (gen_random_uuid(), 1, now() - interval '25 hours')",  # noqa: S608
    )
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 7 * 24 * 3600)
    with PostgresStore(store.url):
        assert execute(store.url, f"SELECT key FROM {SCHEMA}.commits") == [(kept,)]  # noqa: S608 - our names


def test_a_process_that_runs_for_years_forgets_old_keys_too(store: LentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("libravdb.adapters.postgres.transactions.FORGET_EVERY", 3)
    store.commit([put("c", "1")])
    execute(store.url, f"UPDATE {SCHEMA}.commits SET at = now() - interval '25 hours'")  # noqa: S608 - our names
    store.commit([put("c", "2")])
    assert execute(store.url, f"SELECT count(*) FROM {SCHEMA}.commits") == [(2,)]  # noqa: S608 - our names
    store.commit([put("c", "3")])
    assert execute(store.url, f"SELECT count(*) FROM {SCHEMA}.commits") == [(2,)]  # noqa: S608 - our names


def test_of_what_is_gone_not_even_the_name_stays(store: LentStore) -> None:
    store.commit([put("alice", "1"), SetState(session="alice", state={"namespaces": ["alice"]}, at=1)])
    store.commit([DropCollection(name="alice"), DropState(session="alice")], unless={Topic.collection("bob"): 0})
    for table in ("topics", "collections", "sessions", "session_owners", "records", "texts", "words"):
        assert execute(store.url, f"SELECT count(*) FROM {SCHEMA}.{table}") == [(0,)], table  # noqa: S608 - our names


def test_only_a_collection_that_may_be_made_takes_a_number(store: LentStore) -> None:
    """There are two billion, and a daemon tries to touch and remove things that are not there all day."""
    newest = f"SELECT last_value FROM {SCHEMA}.collections_seq"  # noqa: S608 - our own name
    store.commit([put("c", "1")])
    before = execute(store.url, newest)
    store.commit([Touch(collection="nothing", ids=("1",)), Remove(collection="none", id="1")])
    store.commit([DropCollection(name="absent"), DropCollection(name="c")])
    assert execute(store.url, newest) == before
    store.commit([DropCollection(name="c"), put("c", "1"), EnsureCollection(name="d")])
    assert listed(store, of="c") == ["1"]
