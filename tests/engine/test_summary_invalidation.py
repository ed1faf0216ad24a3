"""What is forgotten does not live on in a summary, and forgetting leaves coverage whole."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.chats import ANNA, Clock, active, chat, check, open_engine, raw, report, say

from libravdb.engine.engine import Engine
from libravdb.engine.turn_records import Placement, turn_places
from libravdb.errors import SummariserError
from libravdb.model import Draft, Role, SummaryTask, Turn

TELLING = "Locker 4711 is in keys/zanzibar.txt since 2024-03-09, mail zanzibar@example.org."


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with open_engine(tmp_path / "m.libravdb") as opened:
        yield opened
        check(opened)
        assert list(opened.upkeep.verify()) == []


def fold_deep(engine: Engine) -> None:
    """A telling turn among many, folded more than once."""
    chat(engine, 20)
    engine.conversations.ingest(say(TELLING, id="secret"), session="s", namespace=ANNA)
    for part in range(4):
        chat(engine, 20, start=20 + 20 * part)
        engine.compaction.compact("s", target=5)


def summaries(engine: Engine) -> dict[str, str]:
    return {record.id: record.text for record in engine.memories.latest("session_summary:s", limit=999)}


def everything(engine: Engine) -> str:
    names = [info.name for info in engine.memories.collections()]
    return "\n".join(record.text for name in names for record in engine.memories.latest(name, limit=9_999))


def test_a_forgotten_turn_leaves_no_trace_in_any_summary(engine: Engine) -> None:
    fold_deep(engine)
    before = summaries(engine)
    assert sum("zanzibar" in text for text in before.values()) >= 1
    assert engine.deletions.forget("session_raw:s", ["secret"]) == 1
    assert "zanzibar" not in everything(engine)
    assert "secret" not in raw(engine)
    kept = summaries(engine)
    assert kept.items() <= before.items()
    assert 0 < len(kept) < len(before)


def test_what_else_a_summary_stood_for_comes_back_as_it_was(engine: Engine) -> None:
    chat(engine, 30)
    before = {record.id: record for record in active(engine)}
    engine.compaction.compact("s", minimum_turns=0)
    assert not {record.id for record in active(engine)} & before.keys()
    engine.deletions.forget("history:anna", ["s/t00003-x"])
    now = {record.id: record for record in active(engine) if record.metadata["type"] == "turn"}
    assert "t00003-x" not in now
    assert now
    for id, record in now.items():
        assert (record.text, record.at, record.metadata) == (before[id].text, before[id].at, before[id].metadata)
    assert engine.compaction.compact("s", minimum_turns=0, target=10).did_compact


def test_forgetting_a_turn_that_was_never_folded_leaves_summaries_alone(engine: Engine) -> None:
    fold_deep(engine)
    before = summaries(engine)
    newest = max(raw(engine) - {"secret"})
    assert engine.deletions.forget("session:s", [newest]) == 1
    assert summaries(engine) == before


def test_forgetting_a_summary_brings_its_turns_back(engine: Engine) -> None:
    fold_deep(engine)
    turns = raw(engine)
    for id in list(summaries(engine)):
        engine.deletions.forget("session_summary:s", [id])
        check(engine)
        assert list(engine.upkeep.verify()) == []
    assert summaries(engine) == {}
    assert engine.compaction.coverage("s") == []
    assert {record.id for record in active(engine)} == raw(engine) == turns


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 20))]
)
def test_coverage_stays_whole_whatever_is_forgotten_and_folded(engine: Engine, seed: int) -> None:
    rng = random.Random(seed)
    fold_deep(engine)
    for _ in range(6):
        scope = rng.choice(("session_raw:s", "session:s", "session_summary:s"))
        held = [record.id for record in engine.memories.latest(scope, limit=999)]
        engine.deletions.forget(scope, rng.sample(held, k=min(len(held), rng.randint(1, 4))))
        engine.compaction.compact("s", target=rng.randint(2, 8), minimum_turns=rng.randint(0, 4))
        check(engine)
        assert list(engine.upkeep.verify()) == []


@pytest.mark.parametrize("scope", ["session", "session_raw", "session_summary"])
def test_dropping_a_part_of_a_session_takes_its_summaries_along(tmp_path: Path, scope: str) -> None:
    with open_engine(tmp_path / "m.libravdb") as engine:
        fold_deep(engine)
        engine.deletions.flush([f"{scope}:s"])
        assert summaries(engine) == {}
        assert engine.compaction.coverage("s") == []
        assert not any(record.metadata["type"] == "summary" for record in active(engine))
        assert list(engine.upkeep.verify()) == []


def test_a_client_that_trims_the_view_itself_leaves_a_sound_store(engine: Engine) -> None:
    fold_deep(engine)
    newest = max(raw(engine) - {"secret"})
    engine.deletions.remove("session:s", [newest])
    assert newest in raw(engine)
    assert list(engine.upkeep.verify()) == []
    engine.deletions.forget("session_raw:s", [newest])


def test_what_left_the_view_on_request_does_not_come_back_with_its_summary(tmp_path: Path) -> None:
    with open_engine(tmp_path / "m.libravdb") as engine:
        chat(engine, 30)
        engine.compaction.compact("s", minimum_turns=0)
        summary = next(record for record in active(engine) if record.metadata["type"] == "summary")
        first, second, *_ = (turn.id for turn in engine.compaction.expand(summary.id, session="s"))
        engine.deletions.remove("session:s", [first])
        engine.deletions.forget("session_raw:s", [second])
        view = {record.id for record in active(engine)}
        assert summary.id not in view
        assert first not in view
        assert first in raw(engine)
        assert list(engine.upkeep.verify()) == []


def insert_turn(engine: Engine, id: str, text: str) -> None:
    """A turn as older clients store it: nothing tells whose it is, nor of which session."""
    raw = {"raw_history": True, "active_view": False}
    view = Placement(collection="session:s", metadata={}, is_view=True)
    engine.memories.insert(id=id, text=text, places=[view, Placement(collection="session_raw:s", metadata=raw)])


@pytest.mark.parametrize("scope", ["session", "session_raw"])
def test_a_turn_that_tells_nothing_of_itself_goes_from_view_and_raw_layer(engine: Engine, scope: str) -> None:
    insert_turn(engine, "a", TELLING)
    insert_turn(engine, "b", "something else")
    assert engine.deletions.forget(f"{scope}:s", ["a"]) == 1
    assert everything(engine) == "something else\nsomething else"


def test_a_turn_that_left_the_view_and_is_said_again_stays_out_of_it(tmp_path: Path) -> None:
    with open_engine(tmp_path / "m.libravdb") as engine:
        insert_turn(engine, "a", TELLING)
        chat(engine, 30)
        engine.compaction.compact("s")
        assert "a" not in {record.id for record in active(engine)}
        insert_turn(engine, "b", "something else")
        engine.deletions.remove("session:s", ["b"])
        before = engine.memories.get("session_raw:s", "b")
        insert_turn(engine, "b", "something else")
        assert engine.memories.get("session_raw:s", "b") == before
        assert "b" not in {record.id for record in active(engine)}
        assert list(engine.upkeep.verify()) == []


def test_a_user_who_leaves_a_shared_session_leaves_its_summaries_too(tmp_path: Path) -> None:
    with open_engine(tmp_path / "m.libravdb") as engine:
        for n in range(40):
            who, other = ("berta", "Berta") if n % 2 else (ANNA, "Anna")
            text = f"{other} says: always keep step {n} of plan{n} in drawer {n * 7}."
            engine.conversations.ingest(say(text, id=f"t{n:02}-x"), session="s", namespace=who)
        engine.compaction.compact("s", minimum_turns=4, target=6)
        assert any("Anna" in text for text in summaries(engine).values())
        engine.deletions.flush_namespace(ANNA)
        assert "Anna" not in everything(engine)
        assert len(raw(engine)) == 20
        check(engine)
        assert list(engine.upkeep.verify()) == []


def test_forgetting_and_compacting_at_once_leaves_nothing_behind(tmp_path: Path) -> None:
    """Two engines over one file, as two processes have them: whoever comes second looks again or declines."""
    path = tmp_path / "m.libravdb"
    gone = [f"t{n:05}-x" for n in range(0, 60, 4)]
    with open_engine(path) as engine, open_engine(path) as other:
        chat(engine, 60)
        texts = {record.id: record.text for record in engine.memories.latest("session_raw:s", limit=99)}
        done = threading.Event()

        def fold() -> None:
            while not done.is_set():
                other.compaction.compact("s", target=3, minimum_turns=0)

        folding = threading.Thread(target=fold)
        folding.start()
        for id in gone:
            assert engine.deletions.forget("session_raw:s", [id]) == 1
        done.set()
        folding.join()
        assert raw(engine) == texts.keys() - set(gone)
        check(engine)
        assert list(engine.upkeep.verify()) == []
        left = everything(engine)
        assert not any(f"src/part{n}.py" in left for n in range(0, 60, 4))


def test_a_memory_that_changes_while_a_newer_one_is_forgotten_counts_again(tmp_path: Path) -> None:
    clock = Clock()
    with open_engine(tmp_path / "m.libravdb", clock=clock) as engine:
        engine.conversations.ingest(say("I live in Munich", id="u1"), session="s", namespace=ANNA)
        engine.conversations.ingest(say("I moved to Berlin", id="u2"), session="s", namespace=ANNA)
        clock.meanwhile = lambda: engine.gate.feedback("s/u1", useful=True, namespace=ANNA)
        assert engine.deletions.forget("user:anna", ["s/u2"]) == 1
        old = engine.memories.get("user:anna", "s/u1")
        assert old is not None
        assert old.metadata["useful"] is True
        assert "superseded_by" not in old.metadata


def test_a_user_leaves_a_session_that_is_compacted_meanwhile(tmp_path: Path) -> None:
    path, clock = tmp_path / "m.libravdb", Clock()
    with open_engine(path, clock=clock) as engine, open_engine(path) as other:
        for n in range(40):
            who = "berta" if n % 2 else ANNA
            text = f"{who} says: step {n} of plan{n} costs {n * 7} euros and is done in src/part{n}.py by noon."
            engine.conversations.ingest(say(text, id=f"t{n:02}-x"), session="s", namespace=who)
        clock.meanwhile = lambda: other.compaction.compact("s", minimum_turns=4, target=6)
        engine.deletions.flush_namespace(ANNA)
        assert "anna says" not in everything(engine)
        assert len(raw(engine)) == 20
        check(engine)
        assert list(engine.upkeep.verify()) == []


def test_turns_that_came_while_their_session_went_go_with_the_next_flush(engine: Engine) -> None:
    """What an ingest leaves that planned before a flush and commits after it: turns of a session without a state."""
    for who, session in ((ANNA, "own"), (ANNA, "shared"), ("berta", "shared"), ("berta", "hers")):
        late = Turn(namespace=who, session=session, id=f"late-{who}", role=Role.USER, text=f"{who} came late", at=1)
        engine.memories.insert(id=late.id, text=late.text, places=turn_places(late))
    assert engine.deletions.flush_namespace(ANNA) == 6
    left = {info.name: info.records for info in engine.memories.collections() if info.records}
    both = {f"{scope}:{session}": 1 for scope in ("session", "session_raw") for session in ("shared", "hers")}
    assert left == {**both, "history:berta": 2}
    assert "anna" not in everything(engine)


class Leaning:
    """A model that writes only where it is shown an earlier summary, and what it writes stands in its sources."""

    name = "leaning"

    def summarise(self, task: SummaryTask) -> Draft:
        if not task.support:
            raise SummariserError("leaning", "there is nothing to lean on", remedy="Come back later.")
        return Draft(text=task.texts[0], method=self.name, confidence=0.9)

    def close(self) -> None:
        """Nothing to let go of."""


def test_a_summary_that_a_model_wrote_from_a_forgotten_one_goes_too(tmp_path: Path) -> None:
    with open_engine(tmp_path / "m.libravdb", load_summariser=Leaning) as engine:
        for start in (0, 6):
            report(engine, 6, start=start)
            engine.compaction.compact("s", minimum_turns=0, target=6)
        written = engine.memories.latest("session_summary:s", limit=9)
        assert {record.metadata["method"] for record in written} == {"extractive", "leaning"}
        engine.deletions.forget("session_raw:s", ["f01-x"])
        assert summaries(engine) == {}
        check(engine)
