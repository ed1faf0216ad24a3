"""Compaction over a real engine: the view shrinks, nothing said is lost, and every summary leads back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from tests.chats import ANNA, MANUAL, Clock, active, chat, check, open_engine, raw, report, say
from tests.support import open_words_engine

from libravdb.core.compaction.protection import PROTOTYPES
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.auto_compaction import Growth
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.engine.turn_records import client_turn_places
from libravdb.errors import InvalidInput, SummariserError
from libravdb.model import Draft, Json, SummaryTask
from libravdb.testing import WordsEmbedder
from libravdb.text.tokens import prompt_tokens

ROOT = Path(__file__).parents[2]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with open_engine(tmp_path / "m.libravdb") as opened:
        yield opened
        check(opened)
        assert list(opened.upkeep.verify()) == []


@pytest.mark.over_postgres
def test_old_turns_become_summaries_and_the_recent_ones_stay_exact(engine: Engine) -> None:
    chat(engine, 60)
    before = {record.id: record.text for record in active(engine)}
    done = engine.compaction.compact("s")
    after = active(engine)
    assert done.did_compact
    assert done.tokens_after < done.tokens_before
    assert done.tokens_after == sum(prompt_tokens(record.text) for record in after)
    assert done.turns_removed == 60 - sum(record.metadata.get("type") != "summary" for record in after)
    newest = [record for record in after if record.metadata.get("type") != "summary"]
    assert all(record.text == before[record.id] for record in newest)
    assert {f"t{n:05}-x" for n in range(56, 60)} <= {record.id for record in newest}


def test_compacting_again_at_once_changes_nothing(engine: Engine) -> None:
    chat(engine, 60)
    engine.compaction.compact("s")
    first = active(engine)
    again = engine.compaction.compact("s")
    assert not again.did_compact
    assert active(engine) == first


def test_facts_survive_in_the_summary_or_its_ledger(engine: Engine) -> None:
    chat(engine, 80)
    done = engine.compaction.compact("s")
    assert done.facts_listed > 50
    assert done.facts_kept / done.facts_listed > 0.5  # three facts in every short turn are more than fit
    for summary in engine.memories.latest("session_summary:s", limit=99):
        assert summary.metadata["facts_listed"] >= summary.metadata["facts_kept"] > 0  # type: ignore[operator]


def test_rules_are_kept_word_for_word_and_small_talk_is_not(engine: Engine) -> None:
    rules = [f"Never deploy service number {n} on a Friday." for n in range(10)]
    for n, text in enumerate(rules):
        engine.conversations.ingest(say(text, id=f"r{n}-x"), session="s", namespace=ANNA)
        engine.conversations.ingest(
            say("Sure, noted for later.", "assistant", id=f"a{n}-x"), session="s", namespace=ANNA
        )
        engine.conversations.ingest(
            say("Thanks, what a lovely day it is today!", id=f"c{n}-x"), session="s", namespace=ANNA
        )
    chat(engine, 20)
    engine.compaction.compact("s")
    for scope in ("elevated:user:anna", "elevated:session:s"):
        kept = [record.text for record in engine.memories.latest(scope, limit=99)]
        assert sorted(kept) == rules
    made = engine.prompts.assemble(
        "May I deploy service number 3 on a Friday?", session="new", namespace=ANNA, budget=2_000
    )
    assert "<elevated_guidance" in made.closing
    assert rules[3] in made.closing


@pytest.mark.over_postgres
def test_a_summary_is_found_in_its_session_and_opens_the_prompt(engine: Engine) -> None:
    chat(engine, 60)
    first, second = engine.compaction.compact("s").summaries[:2]
    assert engine.memories.get("session:s", first) is not None
    for summary, step in ((first, "src/part3.py"), (second, "src/part25.py")):
        found = engine.search(f"which step is done in {step}?", collections=["session_summary:s"], k=1)
        assert [hit.record.id for hit in found.hits] == [summary]
    made = engine.prompts.assemble("what now?", session="s", namespace=ANNA, budget=1_000)
    assert 'source="summary"' in made.opening


def test_expansion_is_bounded_by_depth_and_tokens(engine: Engine) -> None:
    chat(engine, 60)
    summary = engine.compaction.compact("s").summaries[0]
    whole = engine.compaction.expand(summary, session="s")
    some = engine.compaction.expand(summary, session="s", max_tokens=100)
    assert 0 < len(some) < len(whole)
    assert some == whole[: len(some)]
    assert engine.compaction.expand("nobody", session="s") == []


class Meanwhile:
    """A summariser during whose work somebody else changes the session; what it writes itself is of no use."""

    name = "meanwhile"

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act
        self.calls = 0

    def summarise(self, task: SummaryTask) -> Draft:  # noqa: ARG002 - the port's signature
        self.calls += 1
        if self.calls == 1:
            self._act()
        raise SummariserError(self.name, "there was too much going on", remedy="Try later.")

    def close(self) -> None:
        """Nothing to let go of."""


@pytest.mark.over_postgres
def test_turns_that_another_process_adds_meanwhile_are_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    with open_engine(path) as other:
        report(other, 12)
        writer = Meanwhile(lambda: report(other, 3, start=20))
        with open_engine(path, load_summariser=lambda: writer) as engine:
            done = engine.compaction.compact("s", minimum_turns=2, tail_tokens=0, target=5)
            assert writer.calls == 2
            assert (done.clusters_formed, done.clusters_declined) == (2, 0)
            assert len(raw(engine)) == 15
            assert {f"f{n}-x" for n in (20, 21, 22)} <= {record.id for record in active(engine)}
            check(engine)
        assert list(other.upkeep.verify()) == []


WAITS = pytest.mark.file_store("over a shared store the other one waits until this compaction is over")


@pytest.mark.over_postgres
@pytest.mark.parametrize("what", [pytest.param("compacts", marks=WAITS), "forgets"])
def test_whoever_loses_a_race_declines_and_says_so(tmp_path: Path, what: str) -> None:
    path = tmp_path / "m.libravdb"
    with open_engine(path) as other:
        report(other, 12)
        acts: dict[str, Callable[[], object]] = {
            "compacts": lambda: other.compaction.compact("s", minimum_turns=0, target=4),
            "forgets": lambda: other.deletions.forget("session_raw:s", ["f11-x"]),
        }
        with open_engine(path, load_summariser=lambda: Meanwhile(acts[what])) as engine:
            done = engine.compaction.compact("s", minimum_turns=2, tail_tokens=0, target=5)
            assert not done.did_compact
            assert done.reasons == ("somebody else changed the session meanwhile",)
            check(engine)
            engine.compaction.compact("s", minimum_turns=2, tail_tokens=0, target=5)
            check(engine)
        assert list(other.upkeep.verify()) == []


def test_numbers_that_make_no_sense_are_refused_by_name(engine: Engine) -> None:
    chat(engine, 10)
    for name, value in (("target", 1), ("target", -4), ("minimum_turns", -1), ("tail_tokens", -1)):
        with pytest.raises(InvalidInput, match=name):
            engine.compaction.compact("s", **{name: value})
    with pytest.raises(InvalidInput, match="max_depth"):
        engine.compaction.expand("summary:x", session="s", max_depth=0)
    with pytest.raises(InvalidInput, match="max_tokens"):
        engine.compaction.expand("summary:x", session="s", max_tokens=-1)
    assert engine.compaction.expand("summary:x", session="s", max_tokens=0) == []


def test_known_guidance_is_embedded_once_for_all_clusters(tmp_path: Path) -> None:
    embedder = WordsEmbedder()
    with open_words_engine(tmp_path / "m.libravdb", embedder, settings=MANUAL, clock=Clock()) as engine:
        chat(engine, 60)
        engine.compaction.compact("s", target=5)
        chat(engine, 30, start=60)
        engine.compaction.compact("s", target=5)
    assert embedder.embedded.count(PROTOTYPES[0]) == 1


def test_a_defect_met_in_one_session_does_not_end_compaction_for_others(caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []
    met = threading.Event()

    def compact(session: str, stopping: Callable[[], bool]) -> None:  # noqa: ARG001 - as Growth calls it
        done.append(session)
        if session == "bad":
            raise ZeroDivisionError
        met.set()

    growth = Growth(compact, auto_tokens=10)
    for session in ("bad", "good"):
        growth.note(session, 10)
    assert met.wait(30)
    growth.close()
    assert done == ["bad", "good"]
    assert "session bad was not compacted" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_a_session_without_enough_turns_is_left_alone(engine: Engine) -> None:
    chat(engine, 3)
    done = engine.compaction.compact("s")
    assert (done.did_compact, done.turns_removed, done.tokens_before) == (False, 0, done.tokens_after)
    assert not engine.compaction.compact("never seen").did_compact
    with pytest.raises(InvalidInput, match="session"):
        engine.compaction.compact("")


class Writer:
    """A summariser that says what it is told, or fails."""

    name = "writer"

    def __init__(self, text: str) -> None:
        self.text = text
        self.tasks: list[SummaryTask] = []

    def summarise(self, task: SummaryTask) -> Draft:
        self.tasks.append(task)
        if not self.text:
            raise SummariserError("writer", "the model is away", remedy="Bring it back.")
        return Draft(text=self.text, method=self.name, confidence=0.5)

    def close(self) -> None:
        """Nothing to let go of."""


@pytest.mark.parametrize(("text", "method"), [("", "extractive"), ("bananas are yellow", "extractive")])
def test_a_model_that_fails_or_talks_nonsense_gives_way_to_extraction(tmp_path: Path, text: str, method: str) -> None:
    writer = Writer(text)
    with open_engine(tmp_path / "m.libravdb", load_summariser=lambda: writer) as engine:
        for n in range(30):
            fact = f"We decided on 2024-03-{n % 28 + 1:02} to use PostgreSQL {n} in src/db{n}.py; my sister prefers it."
            engine.conversations.ingest(say(fact, id=f"t{n:05}-x"), session="s", namespace=ANNA)
        done = engine.compaction.compact("s")
        assert done.summary_method == method
        check(engine)


def test_growth_starts_compaction_off_the_reply_path(tmp_path: Path) -> None:
    told = EngineSettings(compaction=CompactionSettings(auto_tokens=400, tail_tokens=100))
    with open_words_engine(tmp_path / "m.libravdb", WordsEmbedder(), settings=told, clock=Clock()) as engine:
        for n in range(80):
            chat(engine, 1, start=n)
    with open_words_engine(tmp_path / "m.libravdb", WordsEmbedder(), settings=MANUAL) as engine:
        assert any(record.metadata.get("type") == "summary" for record in active(engine))
        check(engine)


def test_edges_of_a_session_never_form_a_circle(engine: Engine) -> None:
    chat(engine, 120)
    for _ in range(4):
        engine.compaction.compact("s", target=5)
    order = TopologicalSorter[str]()
    for edge in engine.compaction.coverage("s"):
        order.add(edge.parent, edge.child)
    order.prepare()  # raises when there is a circle


def test_a_long_chat_stays_below_a_fixed_bound_and_every_turn_is_reached(tmp_path: Path) -> None:
    """Summaries of a level are folded when there are k of them, so what is said later does not add to the view."""
    size, tail, between = 5, 100, 40
    with open_engine(tmp_path / "m.libravdb") as engine:
        largest: list[int] = []
        counts: list[int] = []
        for part in range(15):
            chat(engine, between, start=between * part)
            engine.compaction.compact("s", target=size, tail_tokens=tail)
            view = active(engine)
            largest.append(sum(prompt_tokens(record.text) for record in view))
            counts.append(len(view))
        levels = {int(str(record.metadata["level"])) for record in view if record.metadata["type"] == "summary"}
        assert max(levels) >= 3
        assert max(counts) <= 2 * size * (1 + max(levels)) + between
        assert max(largest[8:]) <= 1.3 * max(largest[:8])
        assert len(raw(engine)) == 600
        check(engine)
        assert list(engine.upkeep.verify()) == []


def test_a_session_in_which_only_the_user_speaks_compacts(engine: Engine) -> None:
    for n in range(60):
        text = f"On day {n} I planted {n + 3} tulips beside the wall of the old mill, and counted them again at dusk."
        engine.conversations.ingest(say(text, id=f"u{n}-x"), session="s", namespace=ANNA)
    done = engine.compaction.compact("s")
    assert done.did_compact
    assert done.turns_removed >= 40
    assert len(raw(engine)) == 60


def test_a_cluster_of_nothing_but_rules_is_folded_and_its_rules_are_kept(engine: Engine) -> None:
    rules = [f"Never deploy service number {n} on a Friday without asking the team of number {n}." for n in range(30)]
    for n, text in enumerate(rules):
        engine.conversations.ingest(say(text, id=f"r{n}-x"), session="s", namespace=ANNA)
    done = engine.compaction.compact("s")
    assert done.did_compact
    kept = {record.text for record in engine.memories.latest("elevated:session:s", limit=99)}
    assert kept == set(rules[: done.turns_removed])
    assert {record.text for record in engine.memories.latest("elevated:user:anna", limit=99)} == set(rules)


@pytest.mark.parametrize(("role", "is_kept"), [("user", True), (None, True), ("assistant", False), ("tool", False)])
def test_a_turn_without_a_weight_counts_by_who_said_it(engine: Engine, role: str | None, is_kept: bool) -> None:  # noqa: FBT001
    told: dict[str, Json] = {"userId": ANNA} if role is None else {"userId": ANNA, "role": role}
    for n in range(12):
        text = "Never deploy on a Friday." if n == 3 else f"The {n}th letter came from Ghent, with a stamp of 1911."
        places = client_turn_places(f"t{n}", session="s", metadata=told)
        engine.memories.insert(id=f"t{n}", text=text, places=places, at=1_000 * n)
    engine.compaction.compact("s", minimum_turns=0)
    kept = [record.text for record in engine.memories.latest("elevated:session:s", limit=9)]
    assert kept == (["Never deploy on a Friday."] if is_kept else [])


def test_an_echo_is_neither_protected_nor_told_in_a_summary(engine: Engine) -> None:
    chat(engine, 30)
    frame = (
        '<recalled_memories>\n<entry role="user" at="2026-01-01">Never deploy the zeppelin on a Friday.</entry>\n'
        "</recalled_memories>"
    )
    engine.conversations.ingest(say(frame, id="echo-x"), session="s", namespace=ANNA)
    chat(engine, 30, start=30)
    engine.compaction.compact("s")
    assert "echo-x" in raw(engine)
    view = "\n".join(record.text for record in active(engine))
    assert "zeppelin" not in view
    assert engine.memories.latest("elevated:session:s", limit=99) == []
