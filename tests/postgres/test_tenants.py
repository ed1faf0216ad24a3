"""The second wall: whatever is asked of the store on behalf of somebody, nothing of anybody else comes back."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from tests.postgres.server import execute, version_of
from tests.postgres.tenants import (
    PEOPLE,
    ROLE,
    SPACE,
    TOGETHER,
    Seen,
    fill,
    put,
    tables,
    vector_of,
    walled_store,
)

from libravdb.adapters.postgres.keys import word_key
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.snapshot import PostgresSnapshot
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.adapters.postgres.tenants import settings_of
from libravdb.engine.pages import every_record
from libravdb.errors import StoreError
from libravdb.model import (
    SPACES,
    Json,
    Key,
    Order,
    Put,
    Record,
    Remove,
    SetState,
    Topic,
    TopicKind,
    Volume,
    Where,
    digest,
)
from libravdb.model.collections import parse_collection
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import Snapshot
from libravdb.ports.walls import Sight, for_nobody, seen_by, sight
from libravdb.text.analysis import index_terms

GRANT_OPTIONS_SINCE = 16
PATTERNS = (
    ("anna",),
    ("ben", "team/a"),
    ("team/*",),
    ("*a",),
    ("100%",),
    ("a_na",),
    ('quo"te\\d',),
    ('q*"t*',),
    ("session:nameless",),
    ("nobody",),
    (),
)


@dataclass(frozen=True, slots=True)
class World:
    """A filled store, and all that is in it."""

    store: PostgresStore
    url: str
    records: tuple[Record, ...]
    collections: tuple[str, ...]
    sessions: tuple[str, ...]

    @classmethod
    def of(cls, store: PostgresStore, url: str) -> World:
        with store.read() as read:
            names = tuple(info.name for info in read.collections().items)
            records = tuple(record for name in names for record in every_record(read, name))
        sessions = {parse_collection(name).owner for name in names if name.startswith("session")}
        return cls(store, url, records, names, tuple(sorted(sessions)))

    def seen(self, patterns: tuple[str, ...]) -> Seen:
        with self.store.read() as read:
            return Seen(read, self.records, patterns)

    @property
    def keys(self) -> list[Key]:
        return [Key(one.collection, one.id) for one in self.records]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with walled_store() as (store, url):
        fill(store)
        yield World.of(store, url)


# ── every question of the port ────────────────────────────────────────────────────────────────────────────

Ask = Callable[[Snapshot, World], Any]
Keep = Callable[[Any, Seen], Any]
WORDS = (("green",), ("boat*",), ("row", "rows", "speaks"), ("ok",))


def _keyed(found: Mapping[Key, Any], seen: Seen) -> dict[Key, Any]:
    return {key: value for key, value in found.items() if seen.collection(key.collection)}


def _listed(found: tuple[Any, ...], seen: Seen) -> tuple[Any, ...]:
    return tuple(one for one in found if seen.collection(getattr(one, "key", one).collection))


def _in_sessions(found: tuple[Any, ...], seen: Seen) -> tuple[Any, ...]:
    return tuple(one for one in found if seen.session(one.session))


def _topics(found: Mapping[Topic, int], seen: Seen) -> dict[Topic, int]:
    def is_seen(topic: Topic) -> bool:
        if topic.kind is TopicKind.SPACES:
            return True
        return seen.session(topic.name) if topic.kind is TopicKind.SESSION else seen.collection(topic.name)

    return {topic: revision if is_seen(topic) else 0 for topic, revision in found.items()}


def _each(ask: Callable[[Snapshot, str], Any]) -> Ask:
    return lambda read, world: {name: ask(read, name) for name in world.collections}


def _by_name(found: Mapping[str, Any], seen: Seen) -> dict[str, Any]:
    """What each collection answers; one that is not seen answers as one that is not there."""
    nothing = type(next(iter(found.values())))
    return {name: value if seen.collection(name) else nothing() for name, value in found.items()}


def _pages(read: Snapshot, name: str) -> tuple[Record, ...]:
    orders = [read.page(name, order=order).items for order in Order]
    return (*orders[0], *orders[1], *read.page(name, where=Where(metadata={"userId": ("anna", "ben")})).items)


def _all_topics(world: World) -> list[Topic]:
    return [SPACES, *map(Topic.collection, world.collections), *map(Topic.session, world.sessions)]


QUESTIONS: Mapping[str, tuple[Ask, Keep]] = {
    "revisions": (lambda read, world: read.revisions(_all_topics(world)), _topics),
    "records": (lambda read, world: read.records(world.keys), _keyed),
    "page": (_each(_pages), _by_name),
    "expired": (lambda read, _: read.expired(9), _listed),
    "holding": (
        lambda read, world: {
            name: tuple(one for several in read.holding(name, _digests(world)).values() for one in several)
            for name in world.collections
        },
        _by_name,
    ),
    "distinct": (_each(lambda read, name: read.distinct(name, "userId", limit=99)), _by_name),
    "sizes": (lambda read, world: read.sizes(world.collections), _by_name),
    "collections": (
        lambda read, _: (*read.collections().items, *(one for who in PEOPLE for one in read.collections(owner=who))),
        lambda found, seen: tuple(one for one in found if seen.collection(one.name)),
    ),
    "volume": (
        lambda read, world: {name: read.volume([name]) for name in world.collections},
        lambda found, seen: {name: one if seen.collection(name) else Volume() for name, one in found.items()},
    ),
    "states": (
        lambda read, world: read.states(world.sessions),
        lambda found, seen: {name: state for name, state in found.items() if seen.session(name)},
    ),
    "states_of": (
        lambda read, _: {who: read.states_of(who).items for who in (None, *PEOPLE)},
        lambda found, seen: {
            who: _in_sessions(states, seen) if who is None or seen.is_own(who) else () for who, states in found.items()
        },
    ),
    "edges": (
        lambda read, world: (*read.edges(None), *(e for s in world.sessions for e in read.edges(s))),
        _in_sessions,
    ),
    "journal": (lambda read, world: (*read.journal(), *read.journal(sessions=world.sessions)), _in_sessions),
    "nearest": (
        lambda read, world: read.nearest(world.collections, vector_of("anna rows the green boat of anna"), k=9),
        _listed,
    ),
    "matching": (lambda read, world: read.matching(world.collections, WORDS, k=9), _listed),
    "neighbours": (lambda read, world: read.neighbours(world.keys), _keyed),
    "features": (lambda read, world: read.features(world.keys, embedding=vector_of("ok"), words=WORDS), _keyed),
    "vocabularies": (
        lambda read, world: read.vocabularies(world.collections, WORDS),
        lambda found, seen: {name: one for name, one in found.items() if seen.collection(name)},
    ),
    "spaces": (lambda read, _: read.spaces(is_counted=False), lambda found, _: found),
    "vectors": (
        lambda read, world: {address: found.tolist() for address, found in _met(read, world).items()},
        lambda found, seen: {
            address: found[address]
            for address in found
            if any(digest(one.text) == address and seen.collection(one.collection) for one in _WORLD[0].records)
        },
    ),
}
"""What is asked about all that there is, and how the same answer looks to somebody who sees a part of it."""

_WORLD: list[World] = []


def _digests(world: World) -> list[bytes]:
    return sorted({digest(one.text) for one in world.records})


def _met(read: Snapshot, world: World) -> Mapping[bytes, Any]:
    read.sizes(world.collections)  # a limited read looks where it has been
    return read.vectors(SPACE, _digests(world))


def test_every_question_of_the_port_is_asked() -> None:
    asked = {name for name, _ in inspect.getmembers(Snapshot, inspect.isfunction) if not name.startswith("_")}
    assert QUESTIONS.keys() == asked


@pytest.mark.parametrize("patterns", PATTERNS, ids=" ".join)
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer_is_what_may_be_seen_of_it_and_all_of_that(
    world: World, name: str, patterns: tuple[str, ...]
) -> None:
    _WORLD[:] = [world]
    ask, keep = QUESTIONS[name]
    with world.store.read() as read:
        expected = keep(ask(read, world), world.seen(patterns))
    with seen_by(patterns), world.store.read() as read:
        assert ask(read, world) == expected


# ── the tables themselves ─────────────────────────────────────────────────────────────────────────────────

HIDDEN = {"commits", "copies", "migrations"}
"""Tables of which the role of the tenants may read nothing at all."""


def _read_raw(world: World, patterns: tuple[str, ...], question: str) -> list[tuple[Any, ...]]:
    """What the role of the tenants gets for any SQL, under a limit."""
    limits = settings_of(Sight(namespaces=patterns), ROLE)
    with psycopg.connect(world.url) as db:
        for name, value in limits.items():
            db.execute("SELECT set_config(%s, %s, true)", (name, value))
        return db.execute(question.encode()).fetchall()


def _leaks(world: World, patterns: tuple[str, ...]) -> dict[str, int]:
    """How many rows each table shows that are not the limited reader's."""
    seen = world.seen(patterns)
    numbers = dict(execute(world.url, f"SELECT id, name FROM {SCHEMA}.collections"))  # noqa: S608 - our own name
    found: dict[str, int] = {}
    for table in sorted(set(tables(world.url)) - HIDDEN - {"spaces"}):
        rows = _read_raw(world, patterns, f"SELECT to_jsonb(t) - 'words' FROM {SCHEMA}.{table} t")  # noqa: S608
        found[table] = sum(not _is_seen(table, row, seen, numbers) for (row,) in rows)
    return {table: leaked for table, leaked in found.items() if leaked}


def _is_seen(table: str, row: dict[str, Any], seen: Seen, numbers: Mapping[int, str]) -> bool:
    match table:
        case "facts":
            return row["name"] in ("analysis", "reindexed")
        case "collections":
            return seen.collection(row["name"])
        case "session_owners":
            return seen.is_own(row["owner"])
        case "topics":
            return row["kind"] == 3 or (seen.collection if row["kind"] == 1 else seen.session)(row["name"])
        case "sessions" | "edges" | "journal":
            return seen.session(row["session"])
    return seen.collection(numbers[row["collection"]])


def test_no_table_shows_a_row_of_others(world: World) -> None:
    assert _leaks(world, ("anna",)) == {}
    assert _leaks(world, ("team/*",)) == {}


def test_who_has_told_nothing_sees_what_all_share_and_nothing_else(world: World) -> None:
    with psycopg.connect(world.url) as db:
        db.execute(f"SET LOCAL ROLE {ROLE}".encode())
        names = db.execute(f"SELECT name FROM {SCHEMA}.collections".encode()).fetchall()  # noqa: S608
        assert all(world.seen(()).collection(name) for (name,) in names)
        assert db.execute(f"SELECT count(*) FROM {SCHEMA}.sessions".encode()).fetchone() == (0,)  # noqa: S608


@pytest.mark.parametrize("table", sorted(HIDDEN))
def test_some_tables_are_closed_to_tenants(world: World, table: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        _read_raw(world, ("anna",), f"SELECT * FROM {SCHEMA}.{table}")  # noqa: S608 - our own name


def test_partitions_cannot_be_read_past_their_policy_and_nothing_can_be_written(world: World) -> None:
    for statement in (f"SELECT * FROM {SCHEMA}.records_0", f"DELETE FROM {SCHEMA}.records RETURNING id"):  # noqa: S608
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            _read_raw(world, ("anna",), statement)


def test_every_policy_is_needed(world: World) -> None:
    """A wall with one stone missing is found out: the tests above would fail."""
    walled = [row[0] for row in execute(world.url, "SELECT tablename FROM pg_policies WHERE policyname = 'tenants'")]
    assert sorted(walled) == sorted(set(tables(world.url)) - HIDDEN - {"spaces"})
    for table in walled:
        execute(world.url, f"ALTER TABLE {SCHEMA}.{table} DISABLE ROW LEVEL SECURITY")
        try:
            assert table in _leaks(world, ("anna",))
        finally:
            execute(world.url, f"ALTER TABLE {SCHEMA}.{table} ENABLE ROW LEVEL SECURITY")
    assert _leaks(world, ("anna",)) == {}


def test_a_search_by_words_asked_for_any_collection_answers_for_those_that_are_seen(world: World) -> None:
    """The function goes past the policies: it holds the wall itself."""
    numbers = dict(execute(world.url, f"SELECT id, name FROM {SCHEMA}.collections"))  # noqa: S608 - our own name
    asked = (
        f"SELECT collection FROM {SCHEMA}.texts_with(ARRAY(SELECT generate_series(1, 500)),"  # noqa: S608
        f" ARRAY(SELECT id::bigint << 32 | {word_key(0, 'green')} FROM generate_series(1, 500) id))"
    )
    found = {numbers[id] for (id,) in _read_raw(world, ("anna",), asked)}
    assert found
    assert found == {
        one.collection
        for one in world.records
        if "green" in one.text and world.seen(("anna",)).collection(one.collection)
    }


# ── indexes ───────────────────────────────────────────────────────────────────────────────────────────────


def _scans(read: PostgresSnapshot, kind: str) -> int:
    """How often indexes of words, or whole tables, were read on this connection; what it has told the server before
    does not count."""
    counted = {
        "words": "relkind = 'i' AND relname LIKE 'texts_%%_words_idx'",
        "tables": "relkind = 'r' AND (relname LIKE 'records_%%' OR relname LIKE 'texts_%%')",
    }[kind]
    ((scans,),) = read._read.ask(
        f"SELECT sum(pg_stat_get_xact_numscans(oid))::bigint FROM pg_class WHERE {counted}"  # noqa: S608
    )
    return int(scans)


def test_words_are_found_by_their_index_behind_the_wall_too() -> None:
    texts = [f"the green boat number {number} of many" for number in range(3_000)]
    changes = [
        Put(collection="user:anna", id=str(number), text=text, at=number, terms=tuple(index_terms(text)))
        for number, text in enumerate(texts)
    ]
    with walled_store() as (store, url):
        store.commit(changes)
        execute(url, "ANALYZE")
        for limit in (nullcontext(), seen_by(["anna"])):
            with limit, store.read() as read:
                words, tables = _scans(read, "words"), _scans(read, "tables")
                assert read.matching(["user:anna"], [("1234",), ("77", "78")], k=5)
                assert _scans(read, "words") > words
                assert read.records([Key("user:anna", "1")])
                assert read.page("user:anna", order=Order.NEWEST, limit=1).items
                assert read.neighbours([Key("user:anna", "1")])
                assert read.holding("user:anna", [digest(texts[7])])
                assert _scans(read, "tables") == tables


# ── what is kept in memory ────────────────────────────────────────────────────────────────────────────────


def test_readers_of_all_limits_share_what_is_kept_and_spoil_nothing() -> None:
    """They come in any order, while others write; each is compared with a store that has kept nothing."""
    chance = random.Random(7)
    people = ("anna", "ben")
    with walled_store() as (store, url):
        fill(store, people)
        places = ("user:anna", "user:ben", "session:of anna", f"session:{TOGETHER}", "global")
        for number in range(60):
            if chance.random() < 0.4:
                name, who = chance.choice(places), chance.choice(people)
                change = put(name, f"{chance.randrange(4)}", f"{who} has {number} green boats", who)
                store.commit([change if chance.random() < 0.8 else Remove(collection=name, id=change.id)])
            patterns = chance.choice([None, ("anna",), ("ben",), ("*n*",), ("nobody",)])
            with PostgresStore(url) as fresh, fresh.read() as read:
                seen = Seen(read, [one for name in places for one in every_record(read, name)], patterns or ("*",))
                expected = [_listed(answer, seen) for answer in _asked(read, places)]
            with nullcontext() if patterns is None else seen_by(patterns), store.read() as read:
                assert _asked(read, places) == expected, (number, patterns)


def _asked(read: Snapshot, places: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return [
        read.nearest(places, vector_of("green boats"), k=9),
        read.matching(places, [("green",), ("ha*",)], k=9),
        tuple(read.records([Key(name, str(number)) for name in places for number in range(5)]).values()),
    ]


# ── on whose behalf ───────────────────────────────────────────────────────────────────────────────────────


def test_a_limit_holds_in_its_block_and_thread_and_housekeeping_is_nobodys() -> None:
    assert sight() is None
    with seen_by(["anna"], sessions=["s"]):
        assert sight() == Sight(namespaces=("anna",), sessions=("s",))
        with for_nobody():
            assert sight() is None
        assert sight() == Sight(namespaces=("anna",), sessions=("s",))
    assert sight() is None


def test_a_session_is_open_to_who_is_about_to_speak_in_it_and_its_state_tells_where_it_goes_on() -> None:
    sessions = ["of ben", "of ben~2", "of team/a", "of team/a~2", "of team/a~x"]
    speak = [("of ben~2", ["ben", "anna"]), ("of team/a~2", ["team/a"]), ("of team/a~x", ["team/a"])]
    with walled_store() as (store, _):
        fill(store, ("anna", "ben", "team/a"))
        store.commit([SetState(session=name, state={"namespaces": list[Json](who)}, at=1) for name, who in speak])

        def shown(*open_: str) -> set[str]:
            with seen_by(["anna"], sessions=open_), store.read() as read:
                revisions = read.revisions(list(map(Topic.session, sessions)))
                assert {topic.name for topic, revision in revisions.items() if revision} == set(read.states(sessions))
                assert read.sizes(["session:of ben", "user:ben"]) == {"session:of ben": 0, "user:ben": 0}
                return set(read.states(sessions))

        assert shown() == {"of ben", "of ben~2"}  # she speaks in what it went on as
        assert shown("of team/a") == {"of ben", "of ben~2", "of team/a", "of team/a~2"}
        with seen_by(["anna"], sessions=["of ben"]), store.read() as read:
            assert read.sizes(["session:of ben", "user:ben"]) == {"session:of ben": 1, "user:ben": 0}


# ── how it is raised ──────────────────────────────────────────────────────────────────────────────────────


def _as(url: str, user: str) -> str:
    return url.replace("postgres@", f"{user}@", 1)


def _opened(url: str, role: str) -> PostgresStore:
    return PostgresStore(url, settings=StoreSettings(tenant_role=role))


def test_daemons_that_do_not_own_the_tables_use_a_wall_that_the_owner_raised(
    database: str, roles: Mapping[str, str]
) -> None:
    own, run = _as(database, roles["own"]), _as(database, roles["run"])
    execute(database, f"GRANT {roles['see']} TO {roles['run']}, {roles['own']}")
    PostgresStore(own).close()
    with pytest.raises(StoreError, match="inherits from the role") as refused:
        _opened(run, roles["see"])
    execute(database, refused.value.remedy.partition(": ")[2].rstrip("."))
    with pytest.raises(StoreError, match="row-level security") as refused:
        _opened(run, roles["see"])
    assert "as the owner of the tables" in refused.value.remedy
    _opened(own, roles["see"]).close()
    with _opened(run, roles["see"]) as store:
        fill(store, ("anna", "ben"))
        with seen_by(["anna"]), store.read() as read:
            assert read.sizes(["user:anna", "user:ben"]) == {"user:anna": 2, "user:ben": 0}
            assert read.matching(["user:anna", "user:ben"], [("green",)], k=5) == (Key("user:anna", "1"),)
        with store.read() as read:
            assert read.sizes(["user:anna", "user:ben"]) == {"user:anna": 2, "user:ben": 2}
    execute(database, f"ALTER TABLE {SCHEMA}.records FORCE ROW LEVEL SECURITY")  # who owns them is let through too
    with _opened(own, roles["see"]) as store, store.read() as read:
        assert len(read.page("user:ben").items) == 2


OTHER_FUNCTIONS = """
DROP FUNCTION {s}.texts_with, {s}.stands_in CASCADE;
CREATE FUNCTION {s}.texts_with(integer[], bigint[]) RETURNS integer AS 'SELECT 1' LANGUAGE sql;
CREATE FUNCTION {s}.stands_in(integer) RETURNS integer AS 'SELECT 1' LANGUAGE sql;
DROP POLICY tenants ON {s}.edges;
CREATE POLICY tenants ON {s}.edges USING ({s}.stands_in(1) = 1)
"""
"""A wall of another version, in which functions that searches and policies ask returned something else."""


def test_a_wall_that_is_not_whole_is_raised_anew_or_refused(database: str, roles: Mapping[str, str]) -> None:
    own, run = _as(database, roles["own"]), _as(database, roles["run"])
    if version_of(database) >= GRANT_OPTIONS_SINCE:
        execute(database, f"GRANT {roles['see']} TO {roles['run']} WITH INHERIT FALSE, SET TRUE")
    else:
        execute(database, f"ALTER ROLE {roles['run']} NOINHERIT")
        execute(database, f"GRANT {roles['see']} TO {roles['run']}")
    execute(database, f"GRANT {roles['see']} TO {roles['own']}")
    _opened(own, roles["see"]).close()
    for damage in (
        "DROP POLICY tenants ON {s}.records",
        "ALTER TABLE {s}.texts DISABLE ROW LEVEL SECURITY",
        "COMMENT ON POLICY tenants ON {s}.codes IS 'of another version'",
        f"ALTER POLICY tenants ON {{s}}.words TO {roles['run']}",
        OTHER_FUNCTIONS,
    ):
        execute(database, damage.replace("{s}", SCHEMA))
        with pytest.raises(StoreError, match="has no row-level security"):
            _opened(run, roles["see"])
        _opened(own, roles["see"]).close()
        _opened(run, roles["see"]).close()


def test_a_role_that_no_wall_can_hold_is_refused(database: str, roles: Mapping[str, str]) -> None:
    own = _as(database, roles["own"])
    for told, is_made_so, is_mended in (
        ("has no role 'nobody'", "", ""),
        ("may not switch to the role", "", f"GRANT {roles['see']} TO {roles['own']}"),
        ("is a superuser or has BYPASSRLS", "ALTER ROLE {see} BYPASSRLS", "ALTER ROLE {see} NOBYPASSRLS"),
        ("is a superuser or has BYPASSRLS", "ALTER ROLE {see} SUPERUSER", "ALTER ROLE {see} NOSUPERUSER"),
    ):
        if is_made_so:
            execute(database, is_made_so.format(**roles))
        with pytest.raises(StoreError, match=told) as refused:
            _opened(own, "nobody" if "nobody" in told else roles["see"])
        no_wall = "superuser" in told
        assert ("CREATE ROLE" in refused.value.remedy) is ("nobody" in told)
        assert ("GRANT" in refused.value.remedy) is not no_wall, "what no wall holds is not granted to anybody"
        assert ("Name another one" in refused.value.remedy) is no_wall
        if is_mended:
            execute(database, is_mended.format(**roles))
    _opened(own, roles["see"]).close()
    for owner, told in ((own, "is the user of store.url itself"), (database, "owns the tables")):
        with pytest.raises(StoreError, match=told) as refused:
            _opened(owner, roles["own"])
        assert "Name another one" in refused.value.remedy
    with pytest.raises(StoreError, match="is a superuser") as refused:
        _opened(own, "postgres")  # which it may not switch to, either
    assert "GRANT" not in refused.value.remedy


def test_a_right_that_is_revoked_while_the_store_is_open_is_told_and_mended(
    database: str, roles: Mapping[str, str]
) -> None:
    own = _as(database, roles["own"])
    execute(database, f"GRANT {roles['see']} TO {roles['own']}")
    with _opened(own, roles["see"]) as store:
        fill(store, ("anna", "ben"))
        assert store.maintenance.health().is_writable
        execute(database, f"REVOKE {roles['see']} FROM {roles['own']}")
        health = store.maintenance.health()
        assert "may not switch to the role" in health.problem
        assert not health.is_readable
        with seen_by(["anna"]), pytest.raises(StoreError, match=r"role of store\.tenant_role") as refused, store.read():
            pass
        assert "Grant it again" in refused.value.remedy
        execute(database, health.remedy.partition(": ")[2].rstrip("."))
        assert store.maintenance.health().is_writable
        with seen_by(["anna"]), store.read() as read:
            assert read.sizes(["user:anna", "user:ben"]) == {"user:anna": 2, "user:ben": 0}
        execute(database, f"DROP POLICY tenants ON {SCHEMA}.records")
        assert "has no row-level security" in store.maintenance.health().problem
