"""Raw recovery: what was folded comes back into a prompt when recall is weak, within its reserve, and says why."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.chats import ANNA, active, chat, open_engine, say
from tests.support import NOON

from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.engine import Engine
from libravdb.engine.ingestion import relied_on_state
from libravdb.engine.raw_recovery import Recovered, recover
from libravdb.engine.turn_records import Placement
from libravdb.model import Answer, Hit, Item, Json, Record, SearchMode, Tranche
from libravdb.text.tokens import prompt_tokens

SETTINGS = RecallSettings()
LINEAGE: Json = {"source_ts_min": 10, "source_ts_max": 20}


def found(id: str, *, strength: float = 0.5, at: int = 15, collection: str = "history:anna", **told: Json) -> Hit:
    facts: dict[str, Json] = {"sessionId": "s", "source_turn_id": id, "userId": ANNA, **told}
    record = Record(collection=collection, id=id, text=id, metadata=facts, at=at, version=1, access_count=0)
    return Hit(record=record, score=1.0, breakdown={"strength": strength}, reasons=("similar",))


def summary(confidence: float = 0.9) -> Hit:
    return found(
        "summary:1", at=20, type="summary", confidence=confidence, continuity_lineage=LINEAGE,
        collection="session_summary:s",
    )  # fmt: skip


def recovered(hits: list[Hit], raw: list[Hit], *, budget: int = 1_000) -> Recovered:
    def search(collection: str, k: int) -> Answer:
        assert (collection, k) == ("session_raw:s", 8)
        return Answer(hits=tuple(raw), mode=SearchMode.FULL)

    return recover(hits, session="s", budget=budget, search=search, settings=SETTINGS)


def names(done: Recovered) -> list[str]:
    return [hit.record.id for hit in done.hits]


def test_raw_turns_come_when_recall_is_weak_or_empty() -> None:
    assert names(recovered([], [found("t1"), found("t2", at=99)])) == ["t1", "t2"]
    done = recovered([found("w", strength=0.05)], [found("t1"), found("weak too", strength=0.05)])
    assert names(done) == ["t1"]
    assert done.tokens == 100
    assert done.hits[0].reasons == ("a raw turn: the strongest evidence is 0.05, below 0.20", "similar")
    assert names(recovered([summary(confidence=0.1)], [found("t1")])) == ["t1"]


def test_nothing_comes_when_recall_is_strong() -> None:
    assert recovered([found("strong")], [found("t1")]) == Recovered()


def test_a_summary_calls_for_the_turns_behind_it() -> None:
    raw = [found(f"at {at}", at=at, strength=0.05) for at in (9, 10, 20, 21)]
    done = recovered([summary(), found("elsewhere", at=5)], raw)
    assert names(done) == ["at 10", "at 20"]
    assert done.why == "the summary summary:1 was found, and none of the turns behind it"


def test_a_summary_with_a_turn_of_its_own_calls_for_nothing() -> None:
    assert recovered([summary(), found("t1", at=15)], [found("t2")]) == Recovered()
    other = found("t1", at=15, sessionId="another")
    assert names(recovered([summary(), other], [found("t2")])) == ["t2"]


def test_a_summary_far_down_calls_for_nothing() -> None:
    others = [found(f"o{n}", at=1_000 + n) for n in range(8)]
    assert recovered([*others, summary()], [found("t1")]) == Recovered()


def test_what_was_found_anyway_is_not_recovered() -> None:
    weak = found("t1", strength=0.05)
    assert names(recovered([weak], [found("t1"), found("t3")])) == ["t3"]


def test_without_a_budget_nothing_is_even_searched() -> None:
    assert recovered([], [found("t1")], budget=0) == Recovered()


# ── through the engine ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with open_engine(tmp_path / "m.libravdb") as opened:
        yield opened
        assert list(opened.upkeep.verify()) == []


SAID = [f"Crate {n} of the move holds {n * 3 + 1} lamps for the attic room." for n in range(90)]
SAID[5] = "The brass compass lies in crate five below the blue blankets."


def keep(engine: Engine) -> None:
    """Turns as an existing client keeps them, which names no owner: no history holds them. One person speaks there."""
    speaks = partial(relied_on_state, session="s", owner=ANNA, now=NOON)
    for n, text in enumerate(SAID):
        places = [
            Placement(collection="session:s", metadata={"role": "user", "sessionId": "s"}, is_view=True),
            Placement(collection="session_raw:s", metadata={"role": "user", "sessionId": "s", "raw_history": True}),
        ]
        engine.memories.insert(id=f"t{n:02}", text=text, places=places, at=NOON + 1_000 * n, relied_on=speaks)
    assert engine.compaction.compact("s", minimum_turns=4, tail_tokens=0).did_compact
    assert "t05" not in {record.id for record in active(engine)}


def recalled(engine: Engine) -> list[Item]:
    receipt = engine.prompts.explain(namespace=ANNA).receipt
    return [item for item in receipt.items if item.tranche is Tranche.RECALL]


def test_a_folded_turn_comes_back_for_its_question(engine: Engine) -> None:
    keep(engine)
    made = engine.prompts.assemble("Where does the brass compass lie?", session="s", namespace=ANNA, budget=800)
    assert SAID[5] in made.closing
    (item,) = [item for item in recalled(engine) if item.id == "t05"]
    assert item.collection == "session_raw:s"
    assert item.reasons[0].startswith("a raw turn: ")


def test_recovered_turns_keep_to_their_reserve(engine: Engine) -> None:
    keep(engine)
    engine.prompts.assemble(
        "Which crate of the move holds lamps for the attic?", session="s", namespace=ANNA, budget=800
    )
    raw = [item for item in recalled(engine) if item.collection == "session_raw:s"]
    assert raw
    assert sum(item.tokens for item in raw) <= 80
    left = engine.prompts.explain(namespace=ANNA).receipt.left_out
    refused = [one.reason for one in left if one.collection == "session_raw:s"]
    assert "the 80 tokens of this part are taken" in refused


def test_the_same_question_again_gives_the_same_bytes(engine: Engine) -> None:
    keep(engine)
    first = engine.prompts.assemble("Where does the brass compass lie?", session="s", namespace=ANNA, budget=800)
    again = engine.prompts.assemble("Where does the brass compass lie?", session="s", namespace=ANNA, budget=800)
    assert first.closing == again.closing
    assert engine.prompts.replay(again.receipt, namespace=ANNA).is_same


def test_a_prompt_opens_with_what_stands_in_the_view_and_not_with_what_was_folded_again(engine: Engine) -> None:
    for part in range(6):
        chat(engine, 20, start=20 * part)
        engine.compaction.compact("s", target=5)
    standing = {record.id for record in active(engine) if record.metadata["type"] == "summary"}
    folded = {record.id for record in engine.memories.latest("session_summary:s", limit=999)} - standing
    assert folded
    engine.prompts.assemble("what now?", session="s", namespace=ANNA, budget=1_500)
    items = engine.prompts.explain(namespace=ANNA).receipt.items
    shown = {item.id for item in items if item.tranche is Tranche.SUMMARIES}
    assert shown
    assert shown <= standing


def test_a_summary_of_what_two_people_said_opens_nobodys_prompt(engine: Engine) -> None:
    for n in range(30):
        who = "berta" if n % 2 else ANNA
        engine.conversations.ingest(
            say(f"{who} tells of step {n} with {n * 7} bricks.", id=f"t{n:02}-x"), session="s", namespace=who
        )
    engine.compaction.compact("s", tail_tokens=0)
    made = engine.prompts.assemble("bricks", session="s", namespace=ANNA, budget=4_000)
    assert "berta" not in made.opening + made.closing
    assert prompt_tokens(made.opening) > 0
