"""What has expired is shown by nothing from its moment on, and the sweep leaves nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.stores import KINDS, open_store
from tests.puts import put
from tests.support import NOON

from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.pages import every_record
from libravdb.engine.settings import EngineSettings
from libravdb.errors import InvalidInput
from libravdb.model import Condition, Note, Operator, Scope, Where
from libravdb.model.collections import durable_memory, former_versions
from libravdb.model.turn_metadata import EXPIRES_AT
from libravdb.testing import FrozenClock, MemoryStore, WordsEmbedder

TOM = "tom"
MEMORIES = durable_memory(TOM)
HOME, BOAT = "I live in Graz.", "The boat is painted red."
HOUR = 3_600_000


class World:
    """An engine whose clock stands until it is told to go."""

    def __init__(self, store: object) -> None:
        self.clock = FrozenClock(NOON)
        self.store = store
        self.engine = Engine(
            store=store,  # type: ignore[arg-type]  # one of the stores
            load_embedder=lambda _: WordsEmbedder(),
            clock=self.clock,
            settings=EngineSettings(compaction=CompactionSettings(auto_tokens=0)),
        )

    def held(self) -> list[str]:
        """Every text that the store still holds, metadata too."""
        with self.store.read() as snapshot:  # type: ignore[attr-defined]
            names = [info.name for info in snapshot.collections().items]
            return [f"{one.text} {one.metadata}" for name in names for one in every_record(snapshot, name)]

    def shows(self, text: str) -> list[str]:
        """By which verbs a text is shown."""
        engine, found = self.engine, list[str]()
        words = text.strip(".").split()[-1]
        everything = tuple(Scope)
        hits = engine.search(text, namespace=TOM, session="s", scopes=everything).hits
        if any(words in hit.record.text for hit in hits):
            found.append("search")
        past = engine.search(text, namespace=TOM, session="s", as_of=NOON).hits
        if any(words in hit.record.text for hit in past):
            found.append("search as of then")
        made = engine.prompts.assemble(text[:-5] + "?", session="s", namespace=TOM, budget=2_000)
        if words in str(made):
            found.append("assemble")
        if any(words in line.text for line in engine.profile.show(namespace=TOM).lines):
            found.append("profile")
        listed = engine.memories.latest(MEMORIES, limit=99)
        if any(words in record.text for record in listed):
            found.append("list")
        ids = [record.id for record in listed] + ["one", "mem:one"]
        got = [engine.memories.get(MEMORIES, id) for id in ids]
        got += [engine.memories.read(id, namespace=TOM, scope=Scope.DURABLE) for id in ids]
        if any(one is not None and words in one.text for one in got):
            found.append("get")
        near = engine.memories.search_text(text, collections=[MEMORIES], k=5, exclude={})
        if words in str(near):
            found.append("text search")
        return found


@pytest.fixture(params=KINDS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    made = World(open_store(request.param, tmp_path))
    yield made
    assert list(made.engine.upkeep.verify()) == []
    made.engine.close()


def test_a_memory_is_shown_until_its_moment_and_by_nothing_from_then_on(world: World) -> None:
    world.engine.memories.remember(HOME, collection=MEMORIES, id="one", expires_at=NOON + HOUR)
    world.engine.memories.remember(BOAT, collection=MEMORIES)
    shown = world.shows(HOME)
    assert set(shown) >= {"search", "assemble", "profile", "list", "get", "text search"}
    world.clock.advance(HOUR - 1)
    assert world.shows(HOME) == shown
    world.clock.advance(1)
    assert world.shows(HOME) == []
    assert "list" in world.shows(BOAT)
    assert any("Graz" in text for text in world.held())
    assert world.engine.expiry.sweep() >= 1
    assert not any("Graz" in text for text in world.held())
    assert world.engine.expiry.sweep() == 0
    assert world.shows(HOME) == []


def test_a_pinned_line_of_an_expired_memory_goes_with_it(world: World) -> None:
    world.engine.memories.remember(HOME, collection=MEMORIES, expires_at=NOON + HOUR)
    (line,) = world.engine.profile.show(namespace=TOM).lines
    world.engine.profile.pin(line.id, namespace=TOM)
    world.clock.advance(HOUR)
    assert world.engine.profile.show(namespace=TOM).lines == ()
    world.engine.expiry.sweep()
    assert not any("Graz" in text for text in world.held())


def test_a_turn_that_expires_leaves_nothing_and_the_summary_over_it_goes_too(world: World) -> None:
    for n in range(12):
        world.engine.conversations.ingest(f"Turn {n}: the mill number {n} is open.", session="s", namespace=TOM)
    world.engine.compaction.compact("s", minimum_turns=2, tail_tokens=20)
    with world.engine.living.read() as snapshot:
        turn = next(one for one in every_record(snapshot, "session_raw:s") if "number 3 " in one.text)
        assert list(every_record(snapshot, "session_summary:s"))
    facts = {**turn.metadata, EXPIRES_AT: NOON + HOUR}
    world.store.commit([put("session_raw:s", turn.id, turn.text, at=turn.at, metadata=facts)])  # type: ignore[attr-defined]
    world.clock.advance(HOUR)
    with world.engine.living.read() as snapshot:
        seen = [
            one.text
            for info in snapshot.collections().items
            for one in every_record(snapshot, info.name)
            if "number 3 " in one.text
        ]
    assert seen == []
    world.engine.expiry.sweep()
    assert not any("number 3 " in text for text in world.held())
    assert any("number 4 " in text for text in world.held())


def test_what_is_remembered_again_after_it_expired_is_new(world: World) -> None:
    first = world.engine.memories.remember(HOME, collection=MEMORIES, expires_at=NOON + HOUR)
    world.clock.advance(HOUR)
    again = world.engine.memories.remember(HOME, collection=MEMORIES)
    assert (first.is_new, again.is_new, again.record.version) == (True, True, 1)
    assert EXPIRES_AT not in again.record.metadata
    assert "profile" in world.shows(HOME)
    world.engine.expiry.sweep()
    assert "profile" in world.shows(HOME)


def test_what_is_said_in_a_conversation_stays_although_a_note_of_it_was_to_expire(world: World) -> None:
    world.engine.memories.remember(HOME, collection=MEMORIES, id="one", expires_at=NOON + HOUR)
    (said,) = world.engine.conversations.ingest(HOME, session="s", namespace=TOM).turns
    assert (said.memory, said.is_strengthened) == ("one", True)
    world.clock.advance(HOUR)
    assert set(world.shows(HOME)) >= {"search", "assemble", "profile", "list", "get"}
    assert world.engine.expiry.sweep() == 0


def test_what_an_expired_memory_said_before_goes_with_it(world: World, tmp_path: Path) -> None:
    world.engine.memories.remember("The boat is in Graz.", collection=MEMORIES, id="one", expires_at=NOON + HOUR)
    world.engine.memories.update("one", namespace=TOM, text="The boat is in Linz.")
    world.clock.advance(HOUR)
    file = tmp_path / "tom.jsonl"
    assert world.engine.namespaces.export_file(file, namespace=TOM) == 0
    assert "Graz" not in file.read_text(encoding="utf-8")
    with world.engine.living.read() as snapshot:
        assert list(every_record(snapshot, former_versions(TOM))) == []
    world.engine.expiry.sweep()
    assert not any("Graz" in text for text in world.held())


def test_what_comes_back_from_a_file_after_it_expired_has_no_history(world: World, tmp_path: Path) -> None:
    world.engine.memories.remember("The boat is in Linz.", collection=MEMORIES, id="one")
    world.engine.namespaces.export_file(tmp_path / "tom.jsonl", namespace=TOM)
    world.engine.memories.update("one", namespace=TOM, text="The boat is in Graz.")
    world.engine.memories.update("one", namespace=TOM, expires_at=NOON + HOUR)
    world.clock.advance(HOUR)
    world.engine.namespaces.import_file(tmp_path / "tom.jsonl", namespace=TOM)
    assert [one.text for one in world.engine.memories.history("one", namespace=TOM)] == ["The boat is in Linz."]
    world.engine.expiry.sweep()
    assert not any("Graz" in text for text in world.held())


def test_every_writer_sweeps_a_little(world: World) -> None:
    world.engine.memories.remember(HOME, collection=MEMORIES, expires_at="1h")
    world.clock.advance(HOUR)
    assert world.engine.memories.latest(MEMORIES, limit=9) == []
    world.engine.memories.remember(BOAT, collection=MEMORIES)
    assert not any("Graz" in text for text in world.held())


@pytest.mark.parametrize("told", ["yesterday", "", "0d", True, 1.5, NOON, NOON - 1, "2001-01-01", 2**70, "-3d"])
def test_what_is_no_moment_to_come_is_refused(told: object) -> None:
    world = World(MemoryStore())
    with pytest.raises(InvalidInput) as caught:
        world.engine.memories.remember(HOME, collection=MEMORIES, expires_at=told)  # type: ignore[arg-type]
    assert caught.value.field == "expires_at"
    assert caught.value.remedy


@pytest.mark.parametrize(("told", "moment"), [("30d", NOON + 30 * 24 * HOUR), ("2100-01-01T00:00Z", 4_102_444_800_000)])
def test_a_moment_may_be_written_as_people_write_it(told: str, moment: int) -> None:
    world = World(MemoryStore())
    kept = world.engine.memories.remember(HOME, collection=MEMORIES, expires_at=told).record
    assert kept.metadata[EXPIRES_AT] == moment
    since = Where(conditions=(Condition(EXPIRES_AT, Operator.GTE, moment),))
    assert world.engine.memories.latest(MEMORIES, limit=9, where=since) == [kept]


@settings(max_examples=40, deadline=None)
@given(
    spans=st.lists(st.none() | st.integers(1, 6), min_size=1, max_size=6),
    steps=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["look", "sweep", "write"])), max_size=6),
    kind=st.sampled_from(["memory", "sqlite"]),
)
def test_at_every_clock_exactly_what_has_not_expired_is_seen(
    spans: list[int | None], steps: list[tuple[int, str]], kind: str
) -> None:
    with TemporaryDirectory() as folder:
        world = World(open_store(kind, Path(folder)))
        with world.engine as engine:
            for n, span in enumerate(spans):
                expires = None if span is None else NOON + span
                engine.memories.remember(f"Boat {n} is red", collection=MEMORIES, id=f"{n}", expires_at=expires)
            written = 0
            for hours, verb in steps:
                world.clock.advance(hours)
                if verb == "sweep":
                    engine.expiry.sweep()
                elif verb == "write":
                    engine.memories.remember(f"Note {written}", collection="notes")
                    written += 1
                living = {f"{n}" for n, span in enumerate(spans) if span is None or NOON + span > world.clock.now}
                assert {one.id for one in engine.memories.latest(MEMORIES, limit=99)} == living
                found = engine.search("boat red", collections=[MEMORIES], k=99).hits
                assert {hit.record.id for hit in found} == living
                assert {n for n in map(str, range(len(spans))) if engine.memories.get(MEMORIES, n)} == living


def test_of_many_that_expire_together_only_what_is_new_is_looked_at(tmp_path: Path) -> None:
    world = World(open_store("sqlite", tmp_path))
    with world.engine as engine:
        notes = [Note(text=f"Boat {n} is red", collection=MEMORIES, id=f"{n}", expires_at="1h") for n in range(300)]
        engine.memories.remember_many(notes)
        engine.memories.remember(HOME, collection=MEMORIES, id="home", expires_at="2h")
        world.clock.advance(HOUR)
        assert [one.id for one in engine.memories.latest(MEMORIES, limit=999)] == ["home"]
        first = engine.living._known[None]
        assert len(first.expired) == 300
        world.clock.advance(HOUR)
        assert engine.memories.latest(MEMORIES, limit=999) == []
        second = engine.living._known[None]
        assert all(second.traces[key] is first.traces[key] for key in first.expired)
        assert engine.expiry.sweep(100) == 100
        engine.memories.remember("Boat 0 is red", collection=MEMORIES, id="0")
        assert [one.id for one in engine.memories.latest(MEMORIES, limit=999)] == ["0"]
        assert "list" in world.shows("Boat 0 is red")
