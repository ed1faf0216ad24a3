"""Nobody is told what another said: people with names that look alike, in sessions of one name, through every door."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.commands import run_command
from tests.people import (
    PEOPLE,
    QUESTION,
    SAYINGS,
    Door,
    LibraryDoor,
    Person,
    WireDoor,
    dispatcher_of,
    open_engine,
    quietly,
    strangers_words,
)
from tests.served import Start, environment
from tests.support import NOON, open_file_store

from libravdb.engine.engine import Engine
from libravdb.engine.pages import every_record
from libravdb.memory import Memory
from libravdb.model import Record
from libravdb.model.collections import CollectionKind, parse_collection, session_summaries
from libravdb.model.turn_metadata import OWNER
from libravdb.ports.store import Store
from libravdb.testing import FrozenClock, MemoryStore

WHO = st.integers(0, 2)
"""One of the three who are there."""

WHERE = st.sampled_from(["main", "main", "main", "default"])
IDS = st.sampled_from(["t:1", "t:2", "shared-id", ""])
SAYING = st.sampled_from(SAYINGS)


class Neighbours(RuleBasedStateMachine):
    """People who share a store, and the names of their sessions, turns and commits. In memory, so it is fast."""

    @initialize(people=st.lists(st.sampled_from(PEOPLE), min_size=3, max_size=3, unique=True))
    def open(self, people: list[Person]) -> None:
        self.people = people
        self.clock = FrozenClock(NOON)
        self.store = self.make_store()
        self._enter()
        self.is_written = False

    def make_store(self) -> Store:
        return MemoryStore()

    def _enter(self) -> None:
        self.engine: Engine = open_engine(self.store, self.clock)
        dispatcher = dispatcher_of(self.engine, self.store, self.clock)
        self.doors: tuple[Door, ...] = (LibraryDoor(self.engine), WireDoor(dispatcher))

    def door(self, data: st.DataObject) -> Door:
        return data.draw(st.sampled_from(self.doors))

    def name_of(self, person: Person, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(person.names))

    def records(self) -> list[Record]:
        with self.store.read() as snapshot:
            names = [info.name for info in snapshot.collections().items]
            return [record for name in names for record in every_record(snapshot, name)]

    # ── what people do ────────────────────────────────────────────────────────────────────────────────────

    @rule(data=st.data(), number=WHO, session=WHERE, sayings=st.lists(SAYING, min_size=1, max_size=4), id=IDS)
    def say(self, data: st.DataObject, number: int, session: str, sayings: list[str], id: str) -> None:
        """Everybody says the same, but for one word; some say "ok", each under the same id."""
        who = self.people[number]
        self.clock.advance(1_000)
        messages: list[dict[str, object]] = [{"role": "user", "content": one.format(word=who.word)} for one in sayings]
        messages.append({"role": "assistant", "content": "ok", **({"id": id} if id else {})})
        messages.append({"role": "user", "content": "and so on", **({"id": id} if id else {})})
        door = self.door(data)
        key = data.draw(st.sampled_from(["", "k1", "k2"]))
        name = self.name_of(who, data)
        self.hears(who, quietly(lambda: door.say(name, messages, session=session, key=key)))
        self.is_written = True

    @rule(data=st.data(), number=WHO, session=WHERE)
    def say_the_same(self, data: st.DataObject, number: int, session: str) -> None:
        """Word for word what others say, under the same id and key: it is nobody else's turn."""
        who = self.people[number]
        self.clock.advance(1_000)
        message = {"role": "user", "content": "Good morning, garden.", "id": "morning", "timestamp": NOON}
        door = self.door(data)
        door.say(self.name_of(who, data), [message], session=session, key=data.draw(st.sampled_from(["", "k"])))
        mine = [
            record
            for record in self.records()
            if parse_collection(record.collection).kind is CollectionKind.RAW_TURNS
            and parse_collection(record.collection).owner == session
            and record.text == message["content"]
            and record.metadata[OWNER] == who.namespace
        ]
        assert len(mine) == 1, "said once by each, however often it is sent"
        self.is_written = True

    @rule(data=st.data(), number=WHO, saying=SAYING)
    def keep(self, data: st.DataObject, number: int, saying: str) -> None:
        who = self.people[number]
        door = self.door(data)
        self.hears(who, quietly(lambda: door.keep(self.name_of(who, data), saying.format(word=who.word))))
        self.is_written = True

    @precondition(lambda self: self.is_written)
    @rule(data=st.data(), number=WHO, session=WHERE)
    def look(self, data: st.DataObject, number: int, session: str) -> None:
        """All that can be asked, also for what is known to be others': their ids may be guessed."""
        who = self.people[number]
        self.clock.advance(1_000)
        records = self.records()
        ids = data.draw(st.lists(st.sampled_from([record.id for record in records]), max_size=3)) if records else []
        summaries = [record.id for record in records if record.collection == session_summaries(session)]
        door = self.door(data)
        name = self.name_of(who, data)
        self.hears(who, *door.look(name, session=session, ids=ids, summaries=summaries))

    @precondition(lambda self: self.is_written)
    @rule(session=WHERE)
    def fold(self, session: str) -> None:
        self.clock.advance(1_000)
        self.engine.compaction.compact(session, target=2, minimum_turns=0, tail_tokens=0)

    @precondition(lambda self: self.is_written)
    @rule(data=st.data(), number=WHO)
    def forget(self, data: st.DataObject, number: int) -> None:
        """What he names may be another's; that stays."""
        who = self.people[number]
        ids = sorted({record.id for record in self.records()})
        before = self.of_others(who)
        door = self.door(data)
        chosen = data.draw(st.lists(st.sampled_from(ids), max_size=3)) if ids else []
        self.hears(who, quietly(lambda: door.forget(self.name_of(who, data), chosen)))
        assert self.of_others(who) == before

    @precondition(lambda self: self.is_written)
    @rule(data=st.data(), number=WHO)
    def leave(self, data: st.DataObject, number: int) -> None:
        who = self.people[number]
        before = self.of_others(who)
        door = self.door(data)
        door.leave(self.name_of(who, data))
        assert self.of_others(who) == before, "deleted exactly that namespace"
        left = [record for record in self.records() if who.word in record.text or who.word in str(record.metadata)]
        assert left == [], "deleted everywhere"
        assert who.namespace not in {record.metadata.get(OWNER) for record in self.records()}

    def of_others(self, who: Person) -> set[tuple[str, str]]:
        """What others said and kept; not how it is folded."""
        kinds = {CollectionKind.RAW_TURNS, CollectionKind.DURABLE_MEMORY, CollectionKind.TURN_HISTORY}
        kinds |= {CollectionKind.TURN_INDEX, CollectionKind.USER_GUIDANCE, CollectionKind.SESSION_GUIDANCE}
        return {
            (record.collection, record.id)
            for record in self.records()
            if parse_collection(record.collection).kind in kinds
            and any(word in record.text for word in strangers_words(who))
        }

    # ── what must hold ────────────────────────────────────────────────────────────────────────────────────

    def hears(self, who: Person, *told: object) -> None:
        for one in told:
            words = json.dumps(one, ensure_ascii=False) if isinstance(one, dict) else repr(one)
            assert not [word for word in strangers_words(who) if word in words], (who, one)

    @invariant()
    def every_record_has_one_owner(self) -> None:
        if not hasattr(self, "store"):
            return
        by_namespace = {person.namespace: person for person in PEOPLE}
        for record in self.records():
            place = parse_collection(record.collection)
            told = record.metadata.get(OWNER)
            if place.kind is not CollectionKind.DURABLE_MEMORY:  # what is remembered on request tells nothing more
                assert told in by_namespace, record
            owner = by_namespace[str(told or place.owner)]
            assert not [word for word in strangers_words(owner) if word in record.text], record
            assert not [word for word in strangers_words(owner) if word in str(record.metadata)], record

    def teardown(self) -> None:
        if hasattr(self, "engine"):
            self.engine.close()


class NeighboursOnDisk(Neighbours):
    """The same over the database that people use, which is closed and opened again in between."""

    def make_store(self) -> Store:
        self.folder = TemporaryDirectory()
        return open_file_store(Path(self.folder.name) / "m.libravdb", now=NOON)

    @precondition(lambda self: self.is_written)
    @rule()
    def open_again(self) -> None:
        self.engine.close()
        self.store = open_file_store(Path(self.folder.name) / "m.libravdb", now=NOON)
        self._enter()

    def teardown(self) -> None:
        super().teardown()
        if hasattr(self, "folder"):
            self.folder.cleanup()


# ── everybody at once ─────────────────────────────────────────────────────────────────────────────────────


def gather(door: Door, clock: FrozenClock) -> None:
    """All say the same in turns, but for one word, in one session, under the same ids and keys."""
    for round, saying in enumerate(SAYINGS):
        for person in PEOPLE:
            clock.advance(1_000)
            messages = [
                {"role": "user", "content": saying.format(word=person.word), "id": f"u:{round}"},
                {"role": "assistant", "content": "Noted.", "id": f"a:{round}"},
            ]
            door.say(person.names[0], messages, session="main", key=f"k{round}")


def hear(who: Person, told: object) -> None:
    words = json.dumps(told, ensure_ascii=False) if isinstance(told, dict) else repr(told)
    assert not [word for word in strangers_words(who) if word in words], (who, told)


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("is_folded", [False, True])
def test_ten_people_in_one_session_hear_nothing_of_each_other(tmp_path: Path, number: int, *, is_folded: bool) -> None:
    clock = FrozenClock(NOON)
    for is_opened_again in (False, True):
        store = open_file_store(tmp_path / "m.libravdb", now=NOON)
        with open_engine(store, clock) as engine:
            doors: tuple[Door, ...] = (LibraryDoor(engine), WireDoor(dispatcher_of(engine, store, clock)))
            door = doors[number]
            if not is_opened_again:
                gather(door, clock)
                if is_folded:
                    done = engine.compaction.compact("main", target=4, minimum_turns=0, tail_tokens=0)
                    assert done.clusters_formed >= len(PEOPLE)
            with store.read() as snapshot:
                ids = [record.id for record in every_record(snapshot, "session_raw:main")]
                summaries = [record.id for record in every_record(snapshot, "session_summary:main")]
                keepers = {record.metadata[OWNER] for record in every_record(snapshot, "elevated:session:main")}
            assert len(ids) == 2 * len(SAYINGS) * len(PEOPLE), "each said by each"
            assert keepers == ({one.namespace for one in PEOPLE} if is_folded else set())
            for person in PEOPLE:
                told = door.look(person.names[-1], session="main", ids=ids[::9], summaries=summaries)
                for one in told:
                    hear(person, one)
                assert person.word in repr(told)


TestNeighbours = Neighbours.TestCase
TestNeighbours.settings = settings(max_examples=30, stateful_step_count=16)
TestNeighboursOnDisk = NeighboursOnDisk.TestCase
TestNeighboursOnDisk.settings = settings(max_examples=6, stateful_step_count=12)


# ── the programs themselves ───────────────────────────────────────────────────────────────────────────────


def test_a_daemon_and_a_shell_tell_each_only_his_own(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("LIBRAVDB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    words_only = {"LIBRAVDB_EMBEDDING_BACKEND": "none"}
    daemon = start(**words_only)
    assert daemon.stdout is not None
    assert daemon.stdout.readline()

    def shell(*arguments: str) -> str:
        done = run_command("--json", *arguments, env=environment(tmp_path, **words_only))
        return done.stdout + done.stderr

    some = (PEOPLE[0], PEOPLE[3], PEOPLE[5])  # alice, josé, and one who chose the name of a session
    for person in some:
        with Memory.open(tmp_path / ".clawdb" / "data.libravdb", user=person.names[0]) as memory:
            memory.ingest(*(saying.format(word=person.word) for saying in SAYINGS), session="main")
            memory.remember(SAYINGS[0].format(word=person.word))
            memory.engine.compaction.compact("main", target=2, minimum_turns=0, tail_tokens=0)
    for person in some:
        user = person.names[-1]
        with Memory.open(tmp_path / ".clawdb" / "data.libravdb", user=user) as memory:
            made = memory.assemble(QUESTION, session="main")
            hear(person, (made, memory.explain(made.receipt), memory.search(QUESTION, session="main")))
            assert person.word in made.opening + made.closing
        told = [shell(*command, "--user", user) for command in (["search", QUESTION], ["list"], ["explain"])]
        for one in told:
            hear(person, one)
        assert [person.word in one for one in told] == [True, True, False], "an account of a prompt holds no text"
    with Memory.open(tmp_path / ".clawdb" / "data.libravdb") as memory:
        memory.engine.conversations.ingest("The garden of nobody.", session="main", namespace="session:main")
    derived = shell("--namespace", "session:main", "search", QUESTION)
    assert "The garden of nobody." in derived
    assert not [person.word for person in some if person.word in derived]
    assert "not both" in shell("--namespace", "session:main", "list", "--user", "alice")
