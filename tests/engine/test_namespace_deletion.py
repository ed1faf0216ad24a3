"""A namespace goes whole and alone: nothing of it stays, nothing of others goes, also while everybody writes."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.chats import ANNA, MANUAL, Clock, check, say
from tests.contract.stores import ask
from tests.support import NOON, examples, open_words_engine

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.engine.engine import Engine
from libravdb.engine.namespace_deletion import leave
from libravdb.engine.namespace_holdings import holdings
from libravdb.engine.pages import every_record
from libravdb.errors import InvalidInput
from libravdb.model import Change, Commit, Put, Record, Revision, Topic
from libravdb.model.session_state import SessionMetadata
from libravdb.ports.store import NO_CONDITION, Snapshot
from libravdb.testing import WordsEmbedder

pytestmark = pytest.mark.over_postgres

BEN = "ben"
FACT = "My sister Clara moved to Lisbon in March 2024 and works as a nurse there"


class InterruptedStore(SqliteStore):
    """A store where something else happens between the plan of a commit and the commit itself."""

    meanwhile: Callable[[], object] | None = None

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        happening, self.meanwhile = self.meanwhile, None
        if happening is not None:
            happening()
        return super().commit(changes, unless=unless)


class World:
    """An engine whose commits can be interrupted, and another one over the same file that interrupts."""

    def __init__(self, folder: Path) -> None:
        self.store = InterruptedStore(folder / "m.libravdb", now=NOON)
        self.other_store = SqliteStore(folder / "m.libravdb", now=NOON)
        self.engine, self.other = (
            Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=Clock(), settings=MANUAL)
            for store in (self.store, self.other_store)
        )

    def close(self) -> None:
        self.engine.close()
        self.other.close()

    def records(self) -> list[Record]:
        with self.other_store.read() as read:
            names = [info.name for info in read.collections().items]
            return [record for name in names for record in every_record(read, name)]

    def sessions(self) -> list[str]:
        """Those that the store knows."""
        return [state.session for state in ask(self.store, lambda read: read.states_of(None)).items]

    def notes(self, session: str) -> list[Record]:
        """What tells which turns of a session were committed under which keys."""
        return list(ask(self.store, lambda read: read.page(f"session_commit:{session}")).items)

    def left_of(self, namespace: str) -> list[tuple[str, str]]:
        """What is there of a namespace, by its name or by its words."""
        return [
            (record.collection, record.id)
            for record in self.records()
            if record.collection.endswith(f":{namespace}")
            or record.metadata.get("userId") == namespace
            or namespace in record.text
        ]

    def check(self) -> None:
        """Each session knows everybody whose turns it holds, and the store is sound."""
        states = {state.session: state for state in ask(self.other_store, lambda read: read.states_of(None)).items}
        for record in self.records():
            scope, _, session = record.collection.partition(":")
            if scope in ("session", "session_raw"):
                state = states.get(session)
                assert state is not None, record
                assert record.metadata.get("userId") in SessionMetadata.of(state).namespaces, record
        check(self.other)
        assert list(self.other.upkeep.verify()) == []


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def tell(engine: Engine, who: str, session: str, text: str) -> None:
    engine.conversations.ingest(say(f"{who} says {text}"), session=session, namespace=who)


def words(world: World, who: str) -> set[str]:
    """What somebody said, as the raw layer has it."""
    raw = (record for record in world.records() if record.collection.startswith("session_raw:"))
    return {record.text for record in raw if record.metadata.get("userId") == who}


# ── one thing at a time ───────────────────────────────────────────────────────────────────────────────────


def test_a_turn_that_comes_into_a_shared_session_during_the_flush_goes_too(world: World) -> None:
    tell(world.engine, ANNA, "s", "one")
    tell(world.engine, BEN, "s", "two")
    world.store.meanwhile = lambda: tell(world.other, ANNA, "s", "three")
    world.engine.deletions.flush_namespace(ANNA)
    assert world.left_of(ANNA) == []
    assert words(world, BEN) == {"ben says two"}
    world.check()


def test_a_session_that_begins_during_the_flush_goes_too(world: World) -> None:
    tell(world.engine, ANNA, "s", "one")
    world.store.meanwhile = lambda: tell(world.other, ANNA, "new", FACT)
    world.engine.deletions.flush_namespace(ANNA)
    assert world.left_of(ANNA) == []
    assert world.sessions() == []


def test_whoever_joins_a_session_while_its_owner_leaves_keeps_what_he_said(world: World) -> None:
    tell(world.engine, ANNA, "s", "one")
    world.store.meanwhile = lambda: tell(world.other, BEN, "s", FACT)
    world.engine.deletions.flush_namespace(ANNA)
    assert world.left_of(ANNA) == []
    assert words(world, BEN) == {f"ben says {FACT}"}
    world.check()


def test_a_turn_that_was_on_its_way_belongs_to_a_session_that_knows_its_owner(world: World) -> None:
    """It was planned before the flush and comes after it: it is new, and the next flush finds it."""
    tell(world.engine, ANNA, "s", "one")
    tell(world.engine, BEN, "s", "two")
    world.store.meanwhile = lambda: world.other.deletions.flush_namespace(ANNA)
    tell(world.engine, ANNA, "s", "three")
    world.check()
    assert words(world, ANNA) == {"anna says three"}
    world.engine.deletions.flush_namespace(ANNA)
    assert world.left_of(ANNA) == []
    assert words(world, BEN) == {"ben says two"}


def test_a_session_of_the_same_name_is_not_taken_for_the_one_that_was(world: World) -> None:
    tell(world.engine, BEN, "s", "one")

    def replace_it() -> None:
        world.other.deletions.flush_namespace(BEN)
        tell(world.other, ANNA, "s", "two")

    world.store.meanwhile = replace_it
    tell(world.engine, BEN, "s", "three")
    world.check()


def test_where_a_shared_session_goes_on_stays_known(world: World) -> None:
    tell(world.engine, ANNA, "s", "one")
    later = world.engine.sessions.renew("s")
    tell(world.engine, BEN, later, "two")
    world.engine.deletions.flush_namespace(ANNA)
    assert world.left_of(ANNA) == []
    assert world.engine.sessions.current("s") == later
    assert world.engine.sessions.former("s") == ("s",)
    world.engine.deletions.flush_namespace(BEN)
    assert world.records() == []
    assert world.sessions() == []


def test_a_session_that_goes_on_under_others_alone_is_forgotten_with_them(world: World) -> None:
    tell(world.engine, ANNA, "s", "one")
    tell(world.engine, ANNA, world.engine.sessions.renew("s"), "two")
    tell(world.engine, BEN, "other", "three")
    world.engine.deletions.flush_namespace(ANNA)
    assert world.sessions() == ["other"]
    assert world.engine.sessions.current("s") == "s"


def test_a_turn_can_be_committed_again_under_its_key_after_its_owner_left_a_shared_session(world: World) -> None:
    tell(world.engine, BEN, "s", "two")
    for namespace in (ANNA, BEN):
        world.engine.conversations.commit_turn(
            [say(f"{namespace} agrees")], session="s", namespace=namespace, key=f"k-{namespace}"
        )
    world.engine.deletions.flush_namespace(ANNA)
    assert [note.metadata["key"] for note in world.notes("s")] == ["k-ben"]
    again = world.engine.conversations.commit_turn([say("anna agrees")], session="s", namespace=ANNA, key="k-anna")
    assert not again.is_duplicate
    assert words(world, ANNA) == {"anna agrees"}


def test_a_note_of_an_older_version_goes_with_its_turns(world: World) -> None:
    tell(world.engine, BEN, "s", "two")
    (turn,) = world.engine.conversations.commit_turn([say("anna agrees")], session="s", namespace=ANNA, key="k").turns
    (note,) = world.notes("s")
    facts = {name: value for name, value in note.metadata.items() if name != "userId"}
    world.store.commit([Put(collection=note.collection, id=note.id, text="", at=note.at, metadata=facts)])
    assert note.metadata["turns"] == [turn.id]
    world.engine.deletions.flush_namespace(ANNA)
    assert world.notes("s") == []


def test_a_heartbeat_leaves_nothing_behind(world: World) -> None:
    world.engine.conversations.commit_turn([], session="s", namespace=ANNA, key="k")
    world.engine.deletions.flush_namespace(ANNA)
    assert world.records() == []


# ── records that tell their owner themselves ──────────────────────────────────────────────────────────────

ANYWHERE = ["notes", "team:notes", "global", "authored:soft", "authored:variant", "elevated:other"]
"""Collections that are nobody's, or of a client's own naming."""


def note(world: World, collection: str, who: str, id: str) -> None:
    """A record that names its owner, wherever it stands."""
    said = Put(collection=collection, id=id, text=f"{who} notes {id}", at=NOON, metadata={"userId": who}, terms=())
    world.store.commit([said])


@pytest.mark.parametrize("collection", ANYWHERE)
def test_what_names_its_owner_goes_from_any_collection_and_others_stay(world: World, collection: str) -> None:
    for id, who in enumerate((ANNA, BEN, ANNA, f"{ANNA}:work", "")):
        note(world, collection, who, f"{id}")
    assert world.engine.deletions.flush_namespace(ANNA) == 2
    assert [record.metadata["userId"] for record in world.records()] == [BEN, f"{ANNA}:work", ""]
    assert list(world.engine.upkeep.verify()) == []


def test_what_stands_in_the_memory_of_somebody_else_is_theirs_whatever_it_names(world: World) -> None:
    note(world, "user:ben", ANNA, "1")
    assert world.engine.deletions.flush_namespace(ANNA) == 0
    assert [record.collection for record in world.records()] == ["user:ben"]
    assert world.engine.deletions.flush_namespace(BEN) == 1


def test_a_note_that_comes_into_a_collection_of_its_own_naming_during_the_flush_goes_too(world: World) -> None:
    note(world, "notes", ANNA, "1")
    world.store.meanwhile = lambda: world.other.memories.remember(
        "anna adds more", collection="notes", metadata={"userId": ANNA}
    )
    world.engine.deletions.flush_namespace(ANNA)
    assert world.left_of(ANNA) == []


def test_notes_of_others_in_the_same_collection_are_not_read(world: World) -> None:
    """What it costs to delete a namespace does not grow with what others hold beside it."""
    note(world, "notes", ANNA, "1")
    world.store.commit(
        [Put(collection="notes", id=f"b{n}", text="x", at=n, metadata={"userId": BEN}, terms=()) for n in range(3_000)]
    )
    with world.store.read() as snapshot:
        planned = steps_of(snapshot, lambda: leave(snapshot, ANNA, now=NOON))
        looked = steps_of(snapshot, lambda: holdings(snapshot, ANNA))
    assert max(planned, looked) < 4 * 3_000, "others are counted, by an index, and not read"


def steps_of(snapshot: Snapshot, work: Callable[[], object]) -> int:
    """How many steps SQLite takes for something, in hundreds."""
    taken: list[None] = []
    db = snapshot._db  # type: ignore[attr-defined]
    db.set_progress_handler(lambda: taken.append(None), 100)
    work()
    db.set_progress_handler(None, 100)
    return len(taken) * 100


# ── in any order ──────────────────────────────────────────────────────────────────────────────────────────

STEPS = st.tuples(
    st.sampled_from([ANNA, BEN]),
    st.sampled_from(["s", "t"]),
    st.sampled_from(["tell", "tell", "commit", "renew", "compact", "flush"]),
)


class Story:
    """Carries steps out, and remembers what Ben said."""

    def __init__(self) -> None:
        self.said: set[str] = set()
        self._count = 0

    def carry_out(self, engine: Engine, step: tuple[str, str, str]) -> None:
        who, session, verb = step
        self._count += 1
        name = engine.sessions.current(session)
        text = f"{who} says {FACT} for the {self._count}th time"
        if verb == "renew":
            engine.sessions.renew(session)
        elif verb == "compact":
            engine.compaction.compact(name, minimum_turns=0, tail_tokens=0, target=2)
        elif verb == "flush":
            engine.deletions.flush_namespace(ANNA)
        else:
            if verb == "tell":
                engine.conversations.ingest(say(text), session=name, namespace=who)
            else:
                engine.conversations.commit_turn([say(text)], session=name, namespace=who, key=str(self._count))
            if who == BEN:
                self.said.add(text)


@settings(max_examples=examples(30))
@given(
    before=st.lists(STEPS, max_size=6),
    planned=STEPS,
    meanwhile=st.lists(STEPS, min_size=1, max_size=3),
)
def test_nothing_of_who_leaves_stays_and_nothing_of_others_goes(
    before: list[tuple[str, str, str]], planned: tuple[str, str, str], meanwhile: list[tuple[str, str, str]]
) -> None:
    """Any step is interrupted by any others between its plan and its commit."""
    with TemporaryDirectory() as folder:
        world, story = World(Path(folder)), Story()
        try:
            for step in before:
                story.carry_out(world.engine, step)

            def interrupt() -> None:
                for step in meanwhile:
                    story.carry_out(world.other, step)

            world.store.meanwhile = interrupt
            story.carry_out(world.engine, planned)
            world.check()
            world.store.meanwhile = None
            world.engine.deletions.flush_namespace(ANNA)
            assert world.left_of(ANNA) == []
            assert words(world, BEN) == story.said
            world.check()
        finally:
            world.close()


def test_nothing_of_who_leaves_stays_while_many_write_at_once(world: World) -> None:
    for who in (ANNA, BEN):
        for session in ("s", "t"):
            tell(world.engine, who, session, "hello")
    stories = [Story() for _ in range(4)]
    failures: list[BaseException] = []

    def live(number: int) -> None:
        rng = random.Random(number)
        engine = (world.engine, world.other)[number % 2]
        try:
            for _ in range(12):
                who, verb = rng.choice([ANNA, BEN]), rng.choice(["tell", "commit", "tell", "flush"])
                stories[number].carry_out(engine, (f"{who}", rng.choice(["s", "t"]), verb))
        except BaseException as error:  # noqa: BLE001 - told in the main thread
            failures.append(error)

    threads = [threading.Thread(target=live, args=(number,)) for number in range(len(stories))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    world.check()
    world.engine.deletions.flush_namespace(ANNA)
    assert world.left_of(ANNA) == []
    assert words(world, BEN) == {"ben says hello"}.union(*(story.said for story in stories))
    world.check()


def test_what_was_said_in_a_session_or_by_somebody_is_forgotten_wherever_it_left_text(tmp_path: Path) -> None:
    with open_words_engine(tmp_path / "data.libravdb", WordsEmbedder()) as engine:
        said = [
            {"role": "user", "name": name, "content": f"I am {name}, and I keep my green boat in {place}."}
            for name, place in (("Anna", "Trieste"), ("Bela", "Graz"))
        ]
        engine.conversations.ingest_batch(said, session="one", namespace="group:x")
        engine.conversations.ingest_batch(["My sister Clara paints boats."], session="two", namespace="group:x")
        engine.conversations.ingest_batch(["I keep a red boat in Linz."], session="one", namespace="other")
        dry = engine.deletions.forget_turns(namespace="group:x", speaker="Anna", is_dry=True)
        assert (dry.turns, [record.text for record in dry.latest]) == (1, [said[0]["content"]])
        assert engine.deletions.forget_turns(namespace="group:x", sessions=["two"], speaker="Anna").turns == 0
        assert engine.deletions.forget_turns(namespace="group:x", speaker="Anna").turns == 1
        texts = {
            record.text
            for info in engine.memories.collections()
            for record in engine.memories.latest(info.name, limit=100)
        }
        assert not any("Trieste" in text for text in texts)
        assert any("Graz" in text for text in texts)
        assert engine.deletions.forget_turns(namespace="group:x", sessions=["one"]).turns == 1
        left = [hit.record.text for hit in engine.search("boats", namespace="group:x").hits]
        assert left == ["My sister Clara paints boats."]
        assert engine.search("red boat", namespace="other").hits
        with pytest.raises(InvalidInput):
            engine.deletions.forget_turns(namespace="group:x")
