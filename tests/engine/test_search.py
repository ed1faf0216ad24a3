"""Recall over a real store: scopes, namespaces, budgets, past moments, silence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support import NOON, examples, open_words_engine

from libravdb.engine.engine import Engine
from libravdb.engine.turn_records import client_turn_places
from libravdb.model import Json, Note, Scope, SearchMode, Where
from libravdb.model.collections import scope_collections, scope_of
from libravdb.testing import WordsEmbedder
from libravdb.text.tokens import prompt_tokens

pytestmark = pytest.mark.over_postgres

DAY = 86_400_000


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with open_words_engine(tmp_path / "memory.libravdb", WordsEmbedder()) as engine:
        yield engine


def said(engine: Engine, text: str, *, by: str = "", role: str = "user", at: int = NOON, **where: str) -> None:
    """A turn as ingest stores it, in the history of a namespace."""
    namespace, session = where.get("namespace", "anna"), where.get("session", "s")
    turn = f"t{len(text)}-{at}"
    metadata: dict[str, Json] = {
        "role": role, "ts": at, "userId": namespace, "sessionId": session, "source_turn_id": turn, "type": "turn",
    }  # fmt: skip
    if by:
        metadata["speaker"] = by
    notes = [Note(text=text, collection=f"history:{namespace}", id=f"{session}/{turn}", metadata=metadata, at=at)]
    if where.get("durable"):
        notes.append(Note(text=text, collection=f"user:{namespace}", id=f"{session}/{turn}", metadata=metadata, at=at))
    engine.memories.remember_many(notes)


def texts(engine: Engine, question: str, **more: object) -> list[str]:
    return [hit.record.text for hit in engine.search(question, **{"namespace": "anna", **more}).hits]  # type: ignore[arg-type]


def test_a_store_that_never_held_anything_is_searched_whole(engine: Engine) -> None:
    found = engine.search("Where is the ladder?", namespace="anna")
    assert (found.hits, found.mode, found.degraded) == ((), SearchMode.FULL, "")
    told = engine.memories.search_text("ladder", collections=["user:anna"], k=3, exclude={})
    assert (told.found, told.mode, told.degraded) == ((), SearchMode.FULL, "")


def test_a_namespace_is_searched_in_all_its_scopes_and_in_no_other(engine: Engine) -> None:
    said(engine, "the boat is green")
    said(engine, "the boat is red", namespace="annabel")
    engine.memories.remember("boats need paint", collection="global")
    assert set(texts(engine, "which boat")) == {"the boat is green", "boats need paint"}


def test_a_turn_that_a_client_stored_with_nothing_but_its_owner_is_found_once(engine: Engine) -> None:
    """Where it stands in a session tells which turn it is; in the history of its owner the metadata do."""
    places = client_turn_places("t1", session="s", metadata={"userId": "anna"})
    engine.memories.insert(id="t1", text="the boat is green", places=places)
    assert texts(engine, "which boat", session="s") == ["the boat is green"]


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=40).filter(str.strip), st.integers(1, 50))
def test_no_question_leaks_another_namespace(engine: Engine, question: str, k: int) -> None:
    said(engine, "the boat is green", session="one")
    said(engine, "the boat is secret", namespace="ben", session="two")
    answer = engine.search(question.encode(errors="replace").decode(), namespace="anna", k=k)
    assert all(hit.record.metadata["userId"] == "anna" for hit in answer.hits)


def test_a_turn_in_two_scopes_is_one_hit_in_the_nearer_one(engine: Engine) -> None:
    said(engine, "the boat is green", durable="yes")
    (hit,) = engine.search("boat", namespace="anna").hits
    assert hit.record.collection == "user:anna"


def test_scopes_can_be_chosen(engine: Engine) -> None:
    said(engine, "the boat is green", durable="yes")
    engine.memories.remember("boats are shared", collection="global")
    (hit,) = engine.search("boat", namespace="anna", scopes=(Scope.HISTORY,)).hits
    assert hit.record.collection == "history:anna"
    assert scope_collections("a", None, (Scope.SESSION, Scope.SUMMARY)) == {}
    assert list(scope_collections("a", "s", tuple(Scope)))[:2] == ["session:s", "elevated:user:a"]
    assert scope_of("elevated:user:a") is Scope.ELEVATED
    assert scope_of("anything") is Scope.GLOBAL


def test_hits_fit_the_budget_in_rank_order_and_what_does_not_fit_is_skipped(engine: Engine) -> None:
    said(engine, "boat " * 200, at=NOON)
    said(engine, "the boat is green", at=NOON - DAY)
    found = texts(engine, "boat", budget=20)
    assert found == ["the boat is green"]
    assert sum(map(prompt_tokens, found)) <= 20
    assert texts(engine, "boat", budget=0) == []


def test_as_of_a_past_moment_nothing_later_is_seen_and_time_counts_from_there(engine: Engine) -> None:
    said(engine, "we painted the boat", at=NOON - 20 * DAY)
    said(engine, "we sold the boat", at=NOON)
    assert texts(engine, "the boat", as_of=NOON - DAY) == ["we painted the boat"]
    past = engine.search("the boat yesterday", namespace="anna", as_of=NOON - 19 * DAY).hits[0]
    assert past.breakdown["date"] > 0
    assert texts(engine, "the boat", as_of=NOON - 20 * DAY) == ["we painted the boat"]
    assert texts(engine, "the boat", as_of=NOON - 21 * DAY) == []


def test_filters_by_session_speaker_role_and_time_hold_for_neighbours_too(engine: Engine) -> None:
    said(engine, "is the boat green?", by="Anna", at=NOON)
    said(engine, "yes it is", by="Ben", role="assistant", at=NOON + 1)
    said(engine, "boats are nice", by="Ben", session="t", at=NOON + 2)
    assert texts(engine, "boat", where=Where(metadata={"speaker": ("Anna",)})) == ["is the boat green?"]
    assert set(texts(engine, "boat", where=Where(metadata={"sessionId": ("s",)}))) == {
        "is the boat green?",
        "yes it is",
    }
    assert texts(engine, "boat", where=Where(metadata={"role": ("assistant",)})) == ["yes it is"]
    assert texts(engine, "boat", where=Where(until=NOON + 1)) == ["is the boat green?"]


def test_the_answer_beside_a_question_is_met_though_it_shares_no_word(engine: Engine) -> None:
    for number in range(400):
        said(engine, f"filler number {number} about nothing", session=f"f{number}", at=NOON + number)
    said(engine, "where is the purple lantern?", at=NOON)
    said(engine, "under the stairs", at=NOON + 1)
    assert "under the stairs" in texts(engine, "where is the purple lantern", k=5)


@pytest.mark.parametrize(
    "question", ["what happened on 3 March 2022", "was war am 3.3.2022?", "2022年3月3日发生了什么"]
)
def test_the_turns_of_a_named_day_are_met_though_they_share_no_word(engine: Engine, question: str) -> None:
    for number in range(60):
        said(engine, f"filler about nothing {'x' * number}", session=f"f{number}", at=NOON + number)
    then = int(datetime(2022, 3, 3, 15, tzinfo=UTC).timestamp() * 1000)
    said(engine, "lanterns everywhere", at=then)
    said(engine, "lanterns elsewhere", at=then, namespace="ben")
    assert texts(engine, question, k=5)[0] == "lanterns everywhere"
    assert "lanterns everywhere" not in texts(engine, question, where=Where(since=NOON))
    hidden = {"history:anna": frozenset({f"s/t{len('lanterns everywhere')}-{then}"})}
    assert "lanterns everywhere" not in texts(engine, question, exclude=hidden)
    assert "lanterns elsewhere" not in texts(engine, question, k=50)


def test_a_named_time_is_met_without_an_embedder_too(tmp_path: Path) -> None:
    with open_words_engine(tmp_path / "memory.libravdb", None) as engine:
        then = int(datetime(2022, 3, 3, 15, tzinfo=UTC).timestamp() * 1000)
        said(engine, "lanterns everywhere", at=then)
        said(engine, "nothing of the kind", at=NOON, session="t")
        assert texts(engine, "what about 3 March 2022") == ["lanterns everywhere"]


def test_quiet_search_shows_nothing_when_nothing_is_relevant_and_says_so(engine: Engine) -> None:
    for number in range(30):
        said(engine, f"the boat number {number} is green", session=f"s{number}", at=NOON + number)
    answer = engine.search("zebra quantum marzipan", namespace="anna", is_quiet=True)
    assert answer.hits == ()
    assert answer.silence.startswith("nothing speaks to the question")
    loud = engine.search("boat number 7 green", namespace="anna", is_quiet=True)
    assert loud.hits[0].record.text == "the boat number 7 is green"
    assert loud.silence == ""


@pytest.mark.parametrize("prompt", ["hello!", "thanks a lot", "17 * 23", "go on", "ok", "👍", "wie spät ist es?"])
def test_a_prompt_without_content_recalls_nothing_and_says_why(engine: Engine, prompt: str) -> None:
    said(engine, "hello, thanks, the boat is green and 17 meters long")
    answer = engine.search(prompt, namespace="anna", is_quiet=True)
    assert answer.hits == ()
    assert answer.silence.startswith("the message")
    assert engine.search(prompt, namespace="anna").silence == "", "who asks for it still sees what is there"


def test_an_embedder_that_calls_everything_similar_is_measured_by_its_own_chance(tmp_path: Path) -> None:
    """With a cosine of .9 between any two texts, .9 means nothing."""
    for blur, folder in ((0.0, "sharp"), (0.9, "blurred")):
        with open_words_engine(tmp_path / folder, WordsEmbedder(blur=blur)) as engine:
            for number in range(40):
                said(engine, f"the boat number {number} is green", session=f"s{number}", at=NOON + number)
            assert engine.search("zebra quantum marzipan", namespace="anna", is_quiet=True).silence, folder
            assert engine.search("is boat number 7 green", namespace="anna", is_quiet=True).hits, folder


def test_greetings_and_acknowledgements_are_not_offered(engine: Engine) -> None:
    for number, text in enumerate(("thanks for the boat!", "ok, boat", "The green boat lies in Kiel.", "Great boat!")):
        message = {"role": "assistant" if number % 2 else "user", "content": text, "id": f"m{number}"}
        engine.conversations.ingest(message, session=f"s{number}", namespace="anna")
    assert texts(engine, "boat") == ["The green boat lies in Kiel."]


def test_a_small_memory_is_never_silent(engine: Engine) -> None:
    said(engine, "the boat is green")
    assert engine.search("zebra", namespace="anna", is_quiet=True).silence == ""


def test_hop_targets_of_a_hit_come_along(engine: Engine) -> None:
    named: dict[str, Json] = {"hop_targets": ["rules", "gone"]}
    engine.memories.remember("how to sail the boat", collection="authored:variant", id="sail", metadata=named)
    engine.memories.remember("never alone", collection="authored:variant", id="rules")
    hits = engine.search("sail the boat", namespace="anna", k=5).hits
    assert [hit.record.id for hit in hits][:2] == ["sail", "rules"]


def test_without_an_embedder_words_decide_and_the_answer_says_so(tmp_path: Path) -> None:
    with open_words_engine(tmp_path / "memory.libravdb", None) as engine:
        engine.memories.remember("the boat is green", collection="history:anna")
        answer = engine.search("boat", namespace="anna")
        assert answer.mode is SearchMode.LEXICAL_ONLY
        assert answer.degraded
        assert [hit.record.text for hit in answer.hits] == ["the boat is green"]
