"""Rules of retention over a real engine: what is too old goes, nothing younger does, and a dry run tells the same."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support import NOON, examples, open_words_engine

from libravdb.core.compaction.settings import CompactionSettings
from libravdb.core.retention.settings import RetentionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.pages import every_record
from libravdb.engine.retention import BATCH
from libravdb.engine.settings import EngineSettings
from libravdb.errors import InvalidInput
from libravdb.model import Append, Key, Record, RetainedKind, Scope
from libravdb.testing import FrozenClock

DAY = 24 * 3_600_000
ANNA, BEN = "person:anna", "person:ben"
FACT = "My sister Clara moved to Lisbon in March 2024 and works as a nurse there."
HOME, WISH = "I live in Graz.", "From now on always answer in German."
TURNS, MEMORIES, RECEIPTS, JOURNAL = RetainedKind


class World:
    """An engine with rules, and a clock that goes on when it is told to."""

    def __init__(self, folder: Path, *rules: str) -> None:
        self.clock = FrozenClock(NOON)
        self.engine = open_words_engine(
            folder / "m.libravdb",
            clock=self.clock,
            settings=EngineSettings(
                compaction=CompactionSettings(auto_tokens=0), retention=RetentionSettings(rules=rules)
            ),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        findings = list(self.engine.upkeep.verify())
        self.engine.close()
        assert findings == []

    def say(self, *texts: str, who: str = ANNA, session: str = "s") -> None:
        for text in texts:
            self.engine.conversations.ingest(text, session=session, namespace=who)

    def everything(self) -> dict[Key, Record]:
        return everything(self.engine)

    def said(self, who: str = ANNA) -> list[str]:
        return sorted(one.text for key, one in self.everything().items() if key.collection == f"history:{who}")

    def rows(self) -> dict[tuple[str, RetainedKind], int]:
        """What a dry run tells, after making sure that it changes nothing and the run does the same."""
        before = self.everything()
        told = self.engine.retention.retain(is_dry_run=True)
        assert self.everything() == before
        done = self.engine.retention.retain()
        assert (done.rows, done.expired) == (told.rows, told.expired)
        assert (done.is_dry_run, told.is_dry_run) == (False, True)
        again = self.engine.retention.retain()
        assert again.records == 0
        return {(row.namespace, row.kind): row.records for row in told.rows}


def everything(engine: Engine) -> dict[Key, Record]:
    with engine._store.read() as snapshot:
        names = [info.name for info in snapshot.collections().items]
        return {Key(name, one.id): one for name in names for one in every_record(snapshot, name)}


def test_old_turns_go_and_what_was_kept_of_them_stays(tmp_path: Path) -> None:
    with World(tmp_path, "person:* turns 90d") as world:
        world.say(FACT, HOME, WISH)
        world.say("The mill is sold.", who="carl", session="c")
        profile = world.engine.profile.show(namespace=ANNA)
        assert profile.lines
        world.engine.profile.pin(profile.lines[0].id, namespace=ANNA)
        profile, wishes = world.engine.profile.show(namespace=ANNA), world.engine.guidance.list(namespace=ANNA)
        memories = {key for key in world.everything() if key.collection == f"user:{ANNA}"}
        assert wishes
        assert memories
        world.clock.advance(60 * DAY)
        world.say("The boat is red.")
        world.clock.advance(30 * DAY)
        assert world.rows() == {}  # exactly as old as allowed is not older
        world.clock.advance(9)  # turns of one moment stand a millisecond apart
        assert world.rows() == {(ANNA, TURNS): 3}
        assert world.said() == ["The boat is red."]
        assert world.said("carl") == ["The mill is sold."]
        left = world.everything()
        assert {key for key in left if key.collection == f"user:{ANNA}"} == memories
        assert world.engine.profile.show(namespace=ANNA) == profile
        assert world.engine.guidance.list(namespace=ANNA) == wishes
        texts = {key.collection: one.text for key, one in left.items() if one.text == FACT}
        assert set(texts) == {f"user:{ANNA}"}
        found = world.engine.search("Where does my sister live?", namespace=ANNA, scopes=(Scope.DURABLE,)).hits
        assert FACT in [hit.record.text for hit in found]
        prompt = world.engine.prompts.assemble("Where is Clara?", session="s", namespace=ANNA, budget=2_000)
        assert "Lisbon" in str(prompt)


def test_a_summary_never_outlives_a_turn_that_it_stands_for(tmp_path: Path) -> None:
    with World(tmp_path, "* turns 10d") as world:
        for n in range(20):
            world.say(f"Turn {n}: the mill number {n} is open until {n % 24} o'clock.")
            world.clock.advance(DAY)
        world.engine.compaction.compact("s", minimum_turns=2, tail_tokens=20)
        assert any(key.collection == "session_summary:s" for key in world.everything())
        young = [one for one in world.said() if int(one.split(":")[0].split()[1]) >= 10]
        assert world.rows() == {(ANNA, TURNS): 10}
        assert world.said() == young
        texts = " ".join(one.text for one in world.everything().values())
        assert not any(f"number {n} " in texts for n in range(10))
        view = {one.text for key, one in world.everything().items() if key.collection == "session:s"}
        assert set(young) == view


def test_old_memories_go_with_their_profile_and_their_turns_stay(tmp_path: Path) -> None:
    with World(tmp_path, "* memories 30d") as world:
        remember = world.engine.memories.remember
        remember(HOME, collection=f"user:{ANNA}")
        remember("My name is Anna.", collection=f"user:{ANNA}")
        world.say(FACT)
        name = next(one for one in world.engine.profile.show(namespace=ANNA).lines if "Anna" in one.text)
        world.engine.profile.pin(name.id, namespace=ANNA)
        world.clock.advance(31 * DAY)
        remember("The boat is red.", collection=f"user:{ANNA}")
        assert world.rows()[ANNA, MEMORIES] >= 1
        kept = {one.text for key, one in world.everything().items() if key.collection == f"user:{ANNA}"}
        assert kept == {"My name is Anna.", "The boat is red."}
        assert [line.text for line in world.engine.profile.show(namespace=ANNA).lines] == [name.text]
        assert world.said() == [FACT]


def test_what_is_renewed_or_pinned_while_a_run_goes_on_stays(tmp_path: Path) -> None:
    with World(tmp_path, "* memories 30d") as world:
        engine = world.engine
        old = [f"The mill number {n} is open." for n in range(2 * BATCH)]
        for text in old:
            engine.memories.remember(text, collection=f"user:{ANNA}", id=text)
        engine.memories.remember(HOME, collection=f"user:{ANNA}", id="z home", metadata={"role": "user"})
        engine.memories.remember("The boat is blue.", collection=f"user:{ANNA}", id="z boat")
        (line,) = engine.profile.show(namespace=ANNA).lines
        world.clock.advance(31 * DAY)

        def meanwhile(done: int, _: int) -> None:
            if done == BATCH:
                engine.memories.update("z boat", namespace=ANNA, text="The boat is red.")
                engine.profile.pin(line.id, namespace=ANNA)

        gone = engine.retention.retain(progress=meanwhile)
        assert [(row.kind, row.records) for row in gone.rows] == [(MEMORIES, 2 * BATCH)]
        kept = {one.text for key, one in world.everything().items() if key.collection == f"user:{ANNA}"}
        assert kept == {HOME, "The boat is red."}


def test_what_a_memory_had_replaced_counts_again_when_only_that_stays(tmp_path: Path) -> None:
    with World(tmp_path, "* memories 30d") as world:
        remember = world.engine.memories.remember
        remember(HOME, collection=f"user:{ANNA}", at=NOON)
        remember("I moved to Vienna.", collection=f"user:{ANNA}", at=NOON - 1)
        world.clock.advance(30 * DAY)
        world.rows()
        assert [line.text for line in world.engine.profile.show(namespace=ANNA).lines] == [HOME]


def test_receipts_and_events_have_rules_of_their_own(tmp_path: Path) -> None:
    with World(tmp_path, "person:ben receipts forever", "* receipts 7d", "* journal 7d") as world:
        world.say(HOME)
        world.say(HOME, who=BEN, session="b")
        for who, session in ((ANNA, "s"), (BEN, "b")):
            world.engine.prompts.assemble("Where do I live?", session=session, namespace=who, budget=2_000)
            world.engine._store.commit([Append(session=session, at=NOON, entry={"hook": "x"})])
        world.engine._receipts.settle()
        world.clock.advance(8 * DAY)
        world.engine._store.commit([Append(session="s", at=world.clock.now, entry={"hook": "y"})])
        assert world.rows() == {(ANNA, RECEIPTS): 1, (ANNA, JOURNAL): 1, (BEN, JOURNAL): 1}
        with world.engine._store.read() as snapshot:
            assert [entry.entry["hook"] for entry in snapshot.journal()] == ["y"]
        assert [key.collection for key in world.everything() if "receipts" in key.collection] == [f"receipts:{BEN}"]
        assert world.said() == [HOME]


def test_two_who_share_a_session_have_rules_of_their_own(tmp_path: Path) -> None:
    with World(tmp_path, "person:ben turns forever", "* turns 1d") as world:
        world.say("The mill is sold.", session="shared")
        world.say("The boat is red.", who=BEN, session="shared")
        world.clock.advance(2 * DAY)
        assert world.rows() == {(ANNA, TURNS): 1}
        texts = [one.text for key, one in world.everything().items() if key.collection == "session_raw:shared"]
        assert texts == ["The boat is red."]


def test_a_run_sweeps_what_has_expired(tmp_path: Path) -> None:
    with World(tmp_path) as world:
        world.engine.memories.remember(HOME, collection=f"user:{ANNA}", expires_at="1d")
        world.clock.advance(DAY)
        told = world.engine.retention.retain(is_dry_run=True)
        done = world.engine.retention.retain()
        assert told.expired == done.expired == 1
        assert not any("Graz" in str(one) for one in world.everything().values())


def test_what_has_expired_counts_once_in_a_dry_run_and_in_a_run(tmp_path: Path) -> None:
    with World(tmp_path, "* memories 2d", "* receipts 2d") as world:
        world.engine.memories.remember(HOME, collection=f"user:{ANNA}", expires_at="3d")
        world.engine.memories.remember(FACT, collection=f"user:{ANNA}")
        world.engine.prompts.assemble(HOME, session="s", namespace=ANNA, budget=2_000)
        world.engine._receipts.settle()
        world.clock.advance(4 * DAY)
        assert world.engine.retention.retain(is_dry_run=True).expired == 1
        assert world.rows() == {(ANNA, MEMORIES): 1, (ANNA, RECEIPTS): 1}


def test_an_engine_with_rules_that_make_no_sense_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="rule 1"):
        World(tmp_path, "everything goes soon")


@settings(max_examples=examples(25), deadline=None)
@given(
    ages=st.lists(
        st.tuples(st.sampled_from([ANNA, BEN]), st.sampled_from([TURNS, MEMORIES]), st.integers(0, 9)),
        min_size=1,
        max_size=10,
    ),
    limits=st.dictionaries(st.sampled_from([TURNS, MEMORIES]), st.integers(1, 9), max_size=2),
    patterns=st.sampled_from(["*", ANNA, "person:b*", "nobody"]),
)
def test_exactly_what_is_older_than_its_rule_goes(
    ages: list[tuple[str, RetainedKind, int]], limits: dict[RetainedKind, int], patterns: str
) -> None:
    rules = [f"{patterns} {kind.value} {days}d" for kind, days in limits.items()]
    fitting = {"*": {ANNA, BEN}, ANNA: {ANNA}, "person:b*": {BEN}, "nobody": set[str]()}[patterns]
    with TemporaryDirectory() as folder, World(Path(folder), *rules) as world:
        now = NOON
        for n, (who, kind, age) in enumerate(ages):
            at = now - age * DAY
            if kind is TURNS:
                message = {"role": "user", "content": f"Stone {n} is grey", "id": f"t{n}", "timestamp": at}
                world.engine.conversations.ingest(message, session=f"{who} s", namespace=who)
            else:
                world.engine.memories.remember(f"Boat {n} is red", collection=f"user:{who}", at=at)
        before = world.everything()
        homes = {TURNS: "history:", MEMORIES: "user:"}
        gone = {
            key
            for key, one in before.items()
            for kind, days in limits.items()
            if key.collection.startswith(homes[kind])
            and key.collection.removeprefix(homes[kind]) in fitting
            and one.at < now - days * DAY
        }
        world.rows()
        left = world.everything()
        kept = {key for key in before if key.collection.startswith(("history:", "user:"))} - gone
        assert {key for key in left if key.collection.startswith(("history:", "user:"))} == kept
