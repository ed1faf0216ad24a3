"""Looking into memory: everything that is told of a thing is what became of it, and looking leaves nothing."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.stores import KINDS, open_store
from tests.puts import put
from tests.support import NOON, open_file_store, read_cues

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.app import open_engine
from libravdb.config import Config, EmbeddingSettings, StoreSettings
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.core.ingest.settings import IngestSettings
from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.engine import Engine
from libravdb.engine.inspection import MOST_RECEIPTS, MOST_SCORES
from libravdb.engine.marked_search import LOOKED_INTO, MOST_MARKED, passage_span
from libravdb.engine.pages import MOST_LISTED
from libravdb.engine.settings import EngineSettings
from libravdb.errors import InvalidInput, NotFound
from libravdb.model import (
    AssemblyMode,
    Finding,
    Health,
    Page,
    Prompt,
    PromptPreview,
    SectionKind,
    SummaryNode,
    TurnView,
)
from libravdb.model.collections import durable_memory, prompt_receipts, turn_history, turn_index
from libravdb.model.turn_metadata import SUPERSEDED_BY, SUPERSEDES, TurnMetadata
from libravdb.ports.store import Store
from libravdb.testing import MemoryStore, WordsEmbedder
from libravdb.text.passages import spans

ANNA, BEN = "anna", "ben"
FACT = "My sister Clara moved to Lisbon in March 2024 and works there as a nurse"
MINUTE = 60_000


class House:
    """An engine over a store of its own, with a clock that goes on by a minute at every look."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.embedder = WordsEmbedder()
        self.moments = itertools.count(NOON, MINUTE)
        self.engine = Engine(
            store=store,
            load_embedder=lambda _: self.embedder,
            clock=lambda: next(self.moments),
            read_rules=read_cues,
            settings=EngineSettings(compaction=CompactionSettings(auto_tokens=0)),
        )
        self.look = self.engine.inspection

    def say(self, *texts: str, session: str = "s", whose: str = ANNA, role: str = "user") -> None:
        for text in texts:
            message = {"role": role, "content": text}
            self.engine.conversations.ingest(message, session=session, namespace=whose)

    def talk(self, turns: int, *, session: str = "s", whose: str = ANNA) -> None:
        for number in range(turns):
            said = f"Turn {number}: we must water garden {number % 7} of {whose} before {number % 24} o'clock."
            self.say(said, session=session, whose=whose, role="assistant" if number % 3 == 1 else "user")

    def ask(self, question: str = "Where does Clara live?", *, session: str = "s", whose: str = ANNA) -> Prompt:
        return self.engine.prompts.assemble(question, session=session, namespace=whose, budget=900)

    def revision(self) -> int:
        return self.store.maintenance.revision()


@contextmanager
def opened(store: Store | None = None) -> Iterator[House]:
    house = House(store or MemoryStore())
    try:
        yield house
    finally:
        house.engine.close()


@pytest.fixture(params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    with opened(open_store(request.param, tmp_path)) as made:
        yield made


def every(page_of: Callable[[str | None], Page[TurnView]]) -> list[TurnView]:
    """All that a list holds, page by page."""
    found: list[TurnView] = []
    after: str | None = None
    while True:
        page = page_of(after)
        found += page
        if page.next is None:
            return found
        after = page.next


# ── turns ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_turns_come_newest_first_with_what_became_of_each(house: House) -> None:
    house.say(FACT, session="monday")
    house.say("How nice for her!", session="monday", role="assistant")
    house.say("Hi!", session="tuesday")
    greeting, reply, fact = house.look.list_turns(namespace=ANNA)
    assert [turn.session for turn in (greeting, reply, fact)] == ["tuesday", "monday", "monday"]
    assert fact.text == FACT
    assert fact.verdict is not None
    assert (fact.verdict.is_admitted, fact.verdict.words.startswith("kept: "), fact.memory) == (True, True, fact.id)
    assert (reply.verdict, reply.memory, reply.role) == (None, "", "assistant")
    assert greeting.verdict is not None
    assert not greeting.verdict.is_admitted
    assert greeting.memory == ""
    assert [turn.folded_into for turn in (greeting, reply, fact)] == ["", "", ""]


def test_every_turn_is_on_exactly_one_page(house: House) -> None:
    house.talk(11, session="a")
    house.talk(6, session="b")
    told = every(lambda after: house.look.list_turns(namespace=ANNA, limit=4, after=after))
    assert len({turn.id for turn in told}) == len(told) == 17
    assert [turn.at for turn in told] == sorted((turn.at for turn in told), reverse=True)
    of_a = every(lambda after: house.look.list_turns(namespace=ANNA, session="a", limit=4, after=after))
    assert of_a == [turn for turn in told if turn.session == "a"]
    between = house.look.list_turns(namespace=ANNA, since=told[9].at, until=told[3].at)
    assert [*between] == told[4:10]
    assert [*house.look.list_turns(namespace=ANNA, session="unheard")] == []


def test_a_turn_that_says_a_memory_again_names_that_memory(house: House) -> None:
    house.say(FACT, session="monday")
    house.say(FACT, session="friday")
    again, first = house.look.list_turns(namespace=ANNA)
    assert again.memory == first.memory == first.id


def test_a_memory_that_is_gone_is_named_no_more_and_an_outdated_one_says_so(house: House) -> None:
    house.say("My home is in Graz.")
    house.say("I moved, my home is in Vienna now.")
    newer, older = house.look.list_turns(namespace=ANNA)
    assert (older.is_outdated, newer.is_outdated) == (True, False)
    house.store.commit([dataclasses.replace(put("x", "gone"), collection=durable_memory(ANNA))])
    house.engine.deletions.flush([durable_memory(ANNA)])
    assert [turn.memory for turn in house.look.list_turns(namespace=ANNA)] == ["", ""]


def test_turns_know_the_summary_that_stands_for_them(house: House) -> None:
    house.talk(60)
    for _ in range(3):
        house.engine.compaction.compact("s", target=4, tail_tokens=60)
    nodes = {node.id: node for node in house.look.list_summaries("s", namespace=ANNA)}
    assert max(node.level for node in nodes.values()) > 1
    told = every(lambda after: house.look.list_turns(namespace=ANNA, limit=7, after=after))
    for turn in told:
        assert turn.folded_into == "" or nodes[turn.folded_into].is_active
        if turn.folded_into:
            assert turn.id in turns_behind(turn.folded_into, nodes)
    folded = {id for node in nodes.values() if node.is_active for id in turns_behind(node.id, nodes)}
    assert folded == {turn.id for turn in told if turn.folded_into}
    assert folded
    assert not any(turn.folded_into for turn in told[:2])


def turns_behind(id: str, nodes: dict[str, SummaryNode]) -> set[str]:
    found: set[str] = set()
    for child in nodes[id].children:
        found |= turns_behind(child.id, nodes) if child.kind == "summary" else {child.id}
    return found


def test_what_others_put_into_a_history_is_shown_as_far_as_it_tells(house: House) -> None:
    odd = [
        put(turn_history(ANNA), "bare"),
        put(turn_history(ANNA), "odd", metadata={"sessionId": 5, "role": None, "source_turn_id": "x"}),
        put(turn_index(ANNA), "bare", metadata={"gating_score": "high"}),
        put(turn_index(ANNA), "odd", metadata={"gating_score": 0.5, "repeats_memory_id": ["x"]}),
    ]
    house.store.commit(odd)
    told = {turn.id: turn for turn in house.look.list_turns(namespace=ANNA)}
    assert (told["bare"].session, told["bare"].verdict, told["bare"].memory) == ("", None, "")
    assert told["odd"].verdict is not None


@pytest.mark.parametrize("limit", [0, -1, MOST_LISTED + 1, 10**12])
def test_a_page_holds_some_and_not_too_many(limit: int) -> None:
    with opened() as house:
        with pytest.raises(InvalidInput, match="limit"):
            house.look.list_turns(namespace=ANNA, limit=limit)
        with pytest.raises(InvalidInput, match="limit"):
            house.look.list_receipts(namespace=ANNA, limit=limit)
        with pytest.raises(InvalidInput, match="limit"):
            house.look.gate_scores(namespace=ANNA, limit=limit * MOST_SCORES)
        with pytest.raises(InvalidInput, match="k"):
            house.look.try_search("x", namespace=ANNA, k=limit)
        with pytest.raises(InvalidInput, match="after"):
            house.look.list_turns(namespace=ANNA, after="nowhere")


# ── summaries ─────────────────────────────────────────────────────────────────────────────────────────────


def test_summaries_tell_how_they_were_made_and_what_they_stand_for(house: House) -> None:
    house.talk(60)
    for _ in range(3):
        done = house.engine.compaction.compact("s", target=4, tail_tokens=60)
    nodes = house.look.list_summaries("s", namespace=ANNA)
    assert [node.first_at for node in nodes] == sorted(node.first_at for node in nodes)
    assert done.clusters_formed
    known = {node.id: node for node in nodes}
    for node in nodes:
        assert node.first_at <= node.at
        assert node.turn_count == len(turns_behind(node.id, known))
        assert node.level == 1 + max((known[one.id].level for one in node.children if one.kind == "summary"), default=0)
        assert (node.method, node.fallback) == ("extractive", "")
        assert 0 < node.confidence <= 1
        assert 0 <= node.facts_kept <= node.facts_listed
    covered = {one.id for node in nodes for one in node.children}
    assert {node.id for node in nodes if node.is_active} == {node.id for node in nodes} - covered
    assert house.look.list_summaries("unheard", namespace=ANNA) == ()
    with pytest.raises(InvalidInput, match="session"):
        house.look.list_summaries("", namespace=ANNA)


def test_in_a_shared_session_everybody_sees_his_own(house: House) -> None:
    for whose in (ANNA, BEN):
        house.talk(40, session="shared", whose=whose)
    house.engine.compaction.compact("shared", target=4, tail_tokens=60)
    for whose, other in ((ANNA, BEN), (BEN, ANNA)):
        nodes = house.look.list_summaries("shared", namespace=whose)
        told = [
            *(turn.text for turn in house.look.list_turns(namespace=whose, session="shared", limit=99)),
            *(node.text for node in nodes),
            *(score.text for score in house.look.gate_scores(namespace=whose).scores),
            *(section.text for section in preview(house, whose=whose, session="shared").sections),
        ]
        assert nodes
        assert any(whose in text for text in told)
        assert not any(f"of {other}" in text for text in told)
    theirs = {node.id for node in house.look.list_summaries("shared", namespace=BEN)}
    mine = {node.id for node in house.look.list_summaries("shared", namespace=ANNA)}
    assert not mine & theirs
    assert house.look.list_summaries("shared", namespace="carla") == ()


# ── receipts and scores ───────────────────────────────────────────────────────────────────────────────────


def test_receipts_come_newest_first_and_agree_with_their_accounts(house: House) -> None:
    house.say(FACT)
    house.ask(session="a")
    house.ask("Which boat is green?", session="b")
    house.ask("Who is Clara?", session="a")
    told = house.look.list_receipts(namespace=ANNA)
    assert [one.prompt for one in told] == ["Who is Clara?", "Which boat is green?", "Where does Clara live?"]
    for one in told:
        whole = house.engine.prompts.explain(one.id, namespace=ANNA)
        assert (one.session, one.prompt, one.at) == (whole.session, whole.prompt, whole.at)
        assert (one.items, one.left_out) == (len(whole.receipt.items), len(whole.receipt.left_out))
        assert (one.tokens, one.budget, one.outcome) == (whole.receipt.tokens, 900, whole.receipt.outcome)
        assert (one.mode, one.silence) == ("augment", whole.receipt.silence)
    of_a = house.look.list_receipts(namespace=ANNA, session="a", limit=1)
    assert [one.prompt for one in of_a] == ["Who is Clara?"]
    rest = house.look.list_receipts(namespace=ANNA, session="a", limit=1, after=of_a.next)
    assert [one.prompt for one in rest] == ["Where does Clara live?"]
    assert rest.next is None
    assert [*house.look.list_receipts(namespace=BEN)] == []
    with pytest.raises(InvalidInput, match="limit"):
        house.look.list_receipts(namespace=ANNA, limit=MOST_RECEIPTS + 1)


@pytest.mark.parametrize("told", ["", "{}", "no JSON", "[" * 100_000, '{"mode": "augment"}', "5"])
def test_what_is_no_receipt_is_left_out(told: str) -> None:
    with opened() as house:
        house.ask()
        house.store.commit([put(prompt_receipts(ANNA), "x", metadata={"receipt": told})])
        assert [one.prompt for one in house.look.list_receipts(namespace=ANNA)] == ["Where does Clara live?"]


def test_scores_are_those_of_the_verdicts(house: House) -> None:
    house.say(FACT, "Hi!", "Please remember that the key is red.", f"{FACT} {'and so on ' * 50}")
    house.say("Of course.", role="assistant")
    told = house.look.gate_scores(namespace=ANNA)
    assert told.threshold == house.engine.gate.threshold
    judged = {turn.id: turn for turn in house.look.list_turns(namespace=ANNA) if turn.verdict}
    assert [one.id for one in told.scores] == list(judged)
    for one in told.scores:
        verdict = judged[one.id].verdict
        assert verdict is not None
        assert (one.score, one.is_admitted, one.veto) == (verdict.score, verdict.is_admitted, verdict.veto)
        assert one.text == judged[one.id].text[:200]
        assert (f"kept: {one.admission} (score" in verdict.words) if one.admission else True
    assert any(one.admission for one in told.scores)
    assert len(house.look.gate_scores(namespace=ANNA, limit=2).scores) == 2


# ── what is made outdated by hand ─────────────────────────────────────────────────────────────────────────


def remembered(house: House, **texts: str) -> None:
    for id, text in texts.items():
        house.engine.memories.remember(text, collection=durable_memory(ANNA), id=id)


def facts(house: House, id: str) -> TurnMetadata:
    found = house.engine.memories.find(id, namespace=ANNA)
    assert found is not None
    return TurnMetadata.of(found)


def test_a_memory_is_outdated_by_another_and_counts_again(house: House) -> None:
    remembered(house, old="I live in Graz.", new="The bakery opens at seven.")
    before = house.engine.profile.show(namespace=ANNA)
    assert before.lines
    revision = house.revision()
    house.engine.gate.supersede("old", by="new", namespace=ANNA)
    assert house.revision() == revision + 1, "one commit"
    assert (facts(house, "old").superseded_by, facts(house, "new").supersedes) == ("new", ("old",))
    assert facts(house, "old").superseded_at is not None
    assert not house.engine.profile.show(namespace=ANNA).lines
    found = house.look.try_search("Where do I live in Graz?", namespace=ANNA).usual.hits
    assert {hit.hit.id: hit.successor for hit in found} == {"old": "new", "new": ""}
    house.engine.gate.supersede("old", by="new", namespace=ANNA)
    assert house.revision() == revision + 1, "the same again changes nothing"
    house.engine.gate.restore("old", namespace=ANNA)
    assert (facts(house, "old").superseded_by, facts(house, "new").supersedes) == (None, ())
    assert house.engine.profile.show(namespace=ANNA) == before


def test_links_that_make_no_sense_are_refused(house: House) -> None:
    remembered(house, a="The ladder is in the shed", b="The saw is in the cellar", c="The kite is blue")
    supersede = house.engine.gate.supersede
    with pytest.raises(InvalidInput, match="is the memory itself"):
        supersede("a", by="a", namespace=ANNA)
    for id, by in (("a", "x"), ("x", "a"), ("a", ""), ("", "a")):
        with pytest.raises(NotFound):
            supersede(id, by=by, namespace=ANNA)
    with pytest.raises(NotFound):
        supersede("a", by="b", namespace=BEN)
    supersede("a", by="b", namespace=ANNA)
    with pytest.raises(InvalidInput, match=r"outdated by 'b' already.*Restore"):
        supersede("a", by="c", namespace=ANNA)
    supersede("b", by="c", namespace=ANNA)
    with pytest.raises(InvalidInput, match="is itself outdated by 'c'"):
        supersede("c", by="a", namespace=ANNA)
    assert facts(house, "c").superseded_by is None


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_whatever_is_linked_there_is_never_a_circle(links: list[tuple[int, int]]) -> None:
    with opened() as house:
        remembered(house, **{f"m{number}": f"Fact number {number} about the garden" for number in range(5)})
        for old, new in links:
            try:
                house.engine.gate.supersede(f"m{old}", by=f"m{new}", namespace=ANNA)
            except InvalidInput:
                continue
        above = {f"m{number}": facts(house, f"m{number}") for number in range(5)}
        for id in above:
            chain = [id]
            while (newer := above[chain[-1]].superseded_by) is not None:
                assert newer not in chain
                assert chain[-1] in above[newer].supersedes
                chain.append(newer)


def test_a_link_leaves_text_and_vectors_as_they_are(house: House) -> None:
    remembered(house, old="The ladder is in the shed", new="The kite is blue")
    embedded = list(house.embedder.embedded)
    house.engine.gate.supersede("old", by="new", namespace=ANNA)
    assert house.embedder.embedded == embedded
    old = house.engine.memories.find("old", namespace=ANNA)
    assert old is not None
    assert (old.text, {SUPERSEDED_BY, SUPERSEDES} & old.metadata.keys()) == (
        "The ladder is in the shed",
        {SUPERSEDED_BY},
    )


# ── search ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_search_that_is_looked_at_finds_what_search_finds(house: House) -> None:
    house.talk(30)
    house.say(FACT, "The boat is green, and boats are never red.")
    question = "Where does Clara keep the boats?"
    tried = house.look.try_search(question, namespace=ANNA, session="s")
    usual = house.engine.search(question, namespace=ANNA, session="s", k=10)
    assert tuple(one.hit for one in tried.usual.hits) == usual.hits
    assert (tried.usual.mode, tried.usual.degraded, tried.tried) == (usual.mode, usual.degraded, None)
    shown = {hit.hit.text: [hit.hit.text[start:end] for start, end in hit.words] for hit in tried.usual.hits}
    assert shown["The boat is green, and boats are never red."] == ["boat", "boats"]
    assert shown[FACT] == ["Clara"]
    assert len(house.look.try_search(question, namespace=ANNA, k=2).usual.hits) == 2


@pytest.mark.parametrize("question", ["Where is Clara in Lisbon?", "quantum chromodynamics", "Hi!", "thanks a lot"])
def test_a_search_says_what_a_prompt_would_say_for_staying_silent(house: House, question: str) -> None:
    house.talk(30)
    house.say(FACT)
    made = house.ask(question)
    silence = house.engine.prompts.explain(made.receipt, namespace=ANNA).receipt.silence
    assert house.look.try_search(question, namespace=ANNA, session="s").usual.silence == silence


def test_settings_are_tried_beside_the_usual_ones_and_kept_nowhere(house: House) -> None:
    house.talk(20)
    house.say(FACT)
    before = house.look.try_search("Clara Lisbon", namespace=ANNA)
    told = house.look.try_search("Clara Lisbon", namespace=ANNA, settings={"silence": 1.0, "dense_weight": 0, "k": 3})
    assert told.usual == before.usual
    assert told.tried is not None
    assert 1 <= len(told.tried.hits) <= 3, "the hits are given all the same"
    assert told.tried.silence.startswith("nothing speaks to the question")
    assert before.usual.silence == ""
    assert house.look.try_search("Clara Lisbon", namespace=ANNA) == before
    same = house.look.try_search("Clara Lisbon", namespace=ANNA, settings={"silence": RecallSettings().silence})
    assert same.tried == same.usual


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"dens_weight": 0.5}, "Did you mean 'dense_weight'"),
        ({"dense_weight": 1.5}, "dense_weight.*between 0 and 1"),
        ({"dense_weight": float("nan")}, "dense_weight.*finite"),
        ({"candidates": 0}, "candidates.*between 1 and"),
        ({"candidates": 2.5}, "candidates.*whole"),
        ({"k": 0}, "k"),
        ({"k": MOST_MARKED + 1}, "k"),
        ({"": 1}, "Did you mean"),
    ],
)
def test_settings_that_the_configuration_would_refuse_are_refused(settings: dict[str, float], problem: str) -> None:
    with opened() as house, pytest.raises(InvalidInput, match=problem):
        house.look.try_search("Clara", namespace=ANNA, settings=settings)


@pytest.mark.parametrize("question", ["", " ", "\n\t"])
def test_an_empty_question_is_refused(question: str) -> None:
    with opened() as house, pytest.raises(InvalidInput, match="question"):
        house.look.try_search(question, namespace=ANNA)


def bounds() -> st.SearchStrategy[dict[str, float]]:
    """Any settings at the ends of their ranges."""
    with opened() as house:
        known = house.look.recall_settings()
    ends = {
        one.name: st.sampled_from([one.least or 0, one.default, 50 if one.most is None else min(one.most, 200)])
        for one in known
    }
    return st.lists(st.sampled_from(sorted(ends)), unique=True, max_size=20).flatmap(
        lambda names: st.fixed_dictionaries({name: ends[name] for name in names})
    )


@given(bounds())
def test_no_setting_within_its_range_breaks_a_search(settings: dict[str, float]) -> None:
    with opened() as house:
        house.talk(8)
        house.say(FACT)
        told = house.look.try_search("When did Clara move on 3 March 2024?", namespace=ANNA, settings=settings)
        for answer in (told.usual, told.tried):
            assert answer is None or all(one.hit.score >= 0 for one in answer.hits)


def test_the_settings_in_force_are_told_with_their_defaults() -> None:
    settings = EngineSettings(search=RecallSettings(silence=0.5))
    with Engine(
        store=MemoryStore(), load_embedder=lambda _: WordsEmbedder(), clock=lambda: NOON, settings=settings
    ) as engine:
        told = {one.name: one for one in engine.inspection.recall_settings()}
    assert told.keys() == {field.name for field in dataclasses.fields(RecallSettings)}
    assert (told["silence"].value, told["silence"].default, told["silence"].is_tuned) == (0.5, 0.02, False)
    assert (told["silence"].least, told["silence"].most) == (0, 1)
    assert (told["k"].least, told["k"].most, told["k"].value) == (1, None, 10)
    assert told["k1"].is_tuned
    assert all(one.help for one in told.values())


LONG = " ".join(f"In year {number} the harbour of town {number} was built anew by people." for number in range(60))


@given(st.integers(1, 80), st.integers(50, 6_000))
def test_a_passage_is_told_where_it_stands_or_not_at_all(row: int, embedded_chars: int) -> None:
    count = len(spans(LONG))
    found = passage_span(LONG, row, rows=count + 1, embedded_chars=10**6) if row <= count else None
    assert found == (spans(LONG)[row - 1] if row <= count else None)
    assert passage_span(LONG, 0, rows=count + 1, embedded_chars=10**6) is None
    assert passage_span(LONG, row, rows=count + 9, embedded_chars=10**6) is None
    excerpted = passage_span(LONG, 1, rows=count + 1, embedded_chars=embedded_chars)
    assert excerpted is None or LONG[slice(*excerpted)].strip()


PARTS = (
    "The boat that my uncle built lies in the harbour of Rovinj, and it needs new paint before the summer.",
    "My sister is a nurse in the children's hospital of Lisbon, and she works at night most of the week.",
    "The tax form of last year is still in the drawer of the desk, below the letters from the insurance.",
)


@pytest.mark.parametrize(("limit", "shown"), [(6_000, PARTS[1]), (250, PARTS[2])])
def test_the_shipped_model_shows_the_passage_that_is_closest(tmp_path: Path, limit: int, shown: str) -> None:
    """Also where only an excerpt of a text was embedded: its head and its end."""
    settings = EngineSettings(ingest=IngestSettings(embedded_chars=limit))
    store = open_file_store(tmp_path / "m.libravdb", now=NOON)
    with Engine(store=store, load_embedder=lambda _: open_minilm(), clock=lambda: NOON, settings=settings) as engine:
        engine.memories.remember(" ".join(PARTS), collection=durable_memory(ANNA), id="all")
        engine.memories.remember("We are out of coffee.", collection=durable_memory(ANNA), id="one")
        hits = engine.inspection.try_search("Who works in a hospital?", namespace=ANNA).usual.hits
        told = {hit.hit.id: hit for hit in hits}
        assert told["all"].passage is not None
        assert told["all"].hit.text[slice(*told["all"].passage)] == shown
        assert told["one"].passage is None
        assert engine.inspection.check_store().checks[1].health is Health.GOOD


def test_words_are_looked_for_at_the_beginning_of_an_endless_text(house: House) -> None:
    house.say("boat " + "x" * LOOKED_INTO + " boat")
    (hit,) = house.look.try_search("boat", namespace=ANNA, k=1).usual.hits
    assert hit.words == ((0, 4),)


# ── previews ──────────────────────────────────────────────────────────────────────────────────────────────


def preview(
    house: House, question: str = "Where does Clara live?", *, session: str = "s", whose: str = ANNA
) -> PromptPreview:
    return house.look.preview_prompt(question, session=session, namespace=whose, budget=900)


def bytes_of(prompt: Prompt) -> tuple[object, ...]:
    return prompt.rules, prompt.opening, prompt.closing, prompt.tokens, prompt.leading_tokens, prompt.outcome


def lived(house: House) -> House:
    house.engine.documents.author("AGENTS.md", "- Answer in one sentence.\n")
    house.talk(50)
    house.engine.compaction.compact("s", target=4, tail_tokens=60)
    house.say(FACT, "I live in Graz.", "Please always answer in German.")
    return house


@pytest.mark.parametrize("mode", list(AssemblyMode))
def test_a_preview_is_the_prompt_that_comes_next(house: House, mode: AssemblyMode) -> None:
    lived(house).ask("Which garden?")
    told = house.look.preview_prompt("Where is Clara?", session="s", namespace=ANNA, budget=900, mode=mode)
    made = house.engine.prompts.assemble("Where is Clara?", session="s", namespace=ANNA, budget=900, mode=mode)
    assert "".join(section.text for section in told.sections) == made.text
    assert (told.tokens, told.budget, told.outcome) == (made.tokens, made.budget, made.outcome)
    whole = house.engine.prompts.explain(made.receipt, namespace=ANNA)
    assert dataclasses.replace(told.receipt, timings={}) == dataclasses.replace(whole.receipt, timings={})
    assert told.words[:-1] == whole.words[:-1]  # the last one tells how long it took


def test_a_preview_leaves_nothing() -> None:
    with opened() as looked, opened() as other:
        for house in (looked, other):
            lived(house)
            house.ask("Which garden?")
            house.look.list_receipts(namespace=ANNA)
        before = looked.revision()
        receipts = looked.look.list_receipts(namespace=ANNA)
        for question in ("Where does Clara live?", "Which garden?", ""):
            preview(looked, question)
            looked.look.preview_prompt(question, session="s", namespace=ANNA, budget=300, as_of=NOON + 30 * MINUTE)
        assert looked.look.list_receipts(namespace=ANNA) == receipts
        assert looked.revision() == before
        looked.moments, other.moments = itertools.count(2 * NOON, MINUTE), itertools.count(2 * NOON, MINUTE)
        for question in ("Where does Clara live?", "Which garden?"):
            assert bytes_of(looked.ask(question)) == bytes_of(other.ask(question))
        echo = "Clara lives in Lisbon and works there as a nurse."
        for house in (looked, other):
            house.say(echo)
        mine, theirs = (house.look.list_turns(namespace=ANNA, limit=1)[0] for house in (looked, other))
        assert (mine.verdict, mine.memory == "") == (theirs.verdict, theirs.memory == "")


def test_a_preview_of_a_session_that_never_was_begins_none(house: House) -> None:
    before = house.revision()
    told = preview(house, session="never heard of")
    assert told.tokens == 0
    assert house.revision() == before
    assert [*house.engine.sessions.list(namespace=ANNA)] == []


def test_a_preview_as_of_a_moment_knows_nothing_later(house: House) -> None:
    house.talk(30)
    house.engine.compaction.compact("s", target=4, tail_tokens=60)
    moment = next(house.moments)
    at_the_time = preview(house, "Which garden, and who is Clara?")
    house.talk(30)
    house.say(FACT)
    for _ in range(3):
        house.engine.compaction.compact("s", target=4, tail_tokens=60)
    told = house.look.preview_prompt(
        "Which garden, and who is Clara?", session="s", namespace=ANNA, budget=900, as_of=moment
    )
    assert not any("Clara" in section.text for section in told.sections)
    kinds = (SectionKind.SUMMARIES, SectionKind.TAIL)
    stood, stands = (
        [section.text for section in each.sections if section.kind in kinds] for each in (at_the_time, told)
    )
    assert stands == stood
    early = house.look.preview_prompt("Which garden?", session="s", namespace=ANNA, budget=900, as_of=0)
    assert early.tokens == 0


def test_a_preview_tells_why_something_does_not_stand_in_it(house: House) -> None:
    lived(house)
    house.ask("Where does Clara live?")
    for turn in house.look.list_turns(namespace=ANNA, limit=60).items[::3]:
        told = house.look.preview_prompt(
            "Where does Clara live?", session="s", namespace=ANNA, budget=900, why_not=turn.id
        )
        assert told.why_not.startswith(turn.id)
        made = house.ask("Where does Clara live?")
        assert told.why_not == house.engine.prompts.why_not(turn.id, namespace=ANNA, receipt=made.receipt)
    unknown = house.look.preview_prompt("x", session="s", namespace=ANNA, budget=900, why_not="nothing")
    assert "No turn or memory" in unknown.why_not
    assert preview(house).why_not == ""


def test_a_preview_refuses_what_assemble_refuses(house: House) -> None:
    with pytest.raises(InvalidInput, match="session"):
        house.look.preview_prompt("x", session="", namespace=ANNA, budget=9)
    with pytest.raises(InvalidInput, match="budget"):
        house.look.preview_prompt("x", session="s", namespace=ANNA, budget=-1)
    with pytest.raises(InvalidInput, match="mode"):
        house.look.preview_prompt("x", session="s", namespace=ANNA, budget=9, mode="sideways")  # type: ignore[arg-type]  # on purpose


# ── changes ───────────────────────────────────────────────────────────────────────────────────────────────

CHANGING: dict[str, Callable[[House], object]] = {
    "a turn": lambda house: house.say("The kite is blue."),
    "a memory": lambda house: remembered(house, kite="The kite is blue"),
    "a compaction": lambda house: house.engine.compaction.compact("s", target=4, tail_tokens=60),
    "a prompt": lambda house: (house.ask(), house.look.list_receipts(namespace=ANNA)),
    "an update": lambda house: house.engine.memories.update("home", namespace=ANNA, text="The kite is red"),
    "a deletion": lambda house: house.engine.deletions.forget_turns(namespace=ANNA, sessions=frozenset({"s"})),
    "all of it": lambda house: house.engine.deletions.flush_namespace(ANNA),
}


@pytest.mark.parametrize("change", CHANGING)
def test_whatever_changes_gives_another_number_and_in_a_file_a_greater_one(house: House, change: str) -> None:
    house.talk(30)
    remembered(house, home="My home is in Graz")
    before = house.look.changes(namespace=ANNA)
    assert house.look.changes(namespace=ANNA) == before
    CHANGING[change](house)
    after = house.look.changes(namespace=ANNA)
    assert after != before
    assert after > before or house.store.is_shared
    assert house.look.changes(namespace=ANNA) == after


def test_what_others_do_moves_nothing(house: House) -> None:
    house.talk(6)
    house.talk(30, session="of ben", whose=BEN)
    before = house.look.changes(namespace=ANNA)
    house.say("The kite is blue.", session="of ben", whose=BEN)
    house.engine.compaction.compact("of ben", target=4, tail_tokens=60)
    house.ask(session="of ben", whose=BEN)
    house.look.list_receipts(namespace=BEN)
    preview(house)
    assert house.look.changes(namespace=ANNA) == before


@pytest.mark.file_store("in a database the number is made of the state, and does not grow")
def test_the_number_never_shrinks_also_for_a_process_that_begins_anew(tmp_path: Path) -> None:
    store = open_file_store(tmp_path / "m.libravdb", now=NOON)
    with opened(store) as house:
        house.talk(6)
        told = [house.look.changes(namespace=ANNA)]
        house.engine.deletions.flush_namespace(ANNA)
        told.append(house.look.changes(namespace=ANNA))
    with opened(open_file_store(tmp_path / "m.libravdb", now=NOON)) as house:
        told.append(house.look.changes(namespace=ANNA))
        house.say("The kite is blue.")
        told.append(house.look.changes(namespace=ANNA))
    assert told == sorted(told)
    assert told[0] < told[1] <= told[2] < told[3]


# ── health ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_sound_store_is_told_to_be_so(house: House) -> None:
    house.talk(6)
    told = house.look.check_store()
    assert told.findings == ()
    assert [one.name for one in told.checks] == ["python", "model", "store", "vectors"]
    assert {one.health for one in told.checks if one.name != "model"} == {Health.GOOD}


def test_an_engine_that_knows_where_its_store_lies_looks_around(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    config = Config(store=StoreSettings(path=path), embedding=EmbeddingSettings(backend="none"))
    with open_engine(config) as engine:
        told = {one.name: one for one in engine.inspection.check_store().checks}
        assert [*told] == ["python", "sqlite", "folder", "disk", "model", "store", "vectors"]
        assert {one.health for one in told.values()} <= {Health.GOOD, Health.NOTICE}
        assert (told["model"].health, "words" in told["model"].detail) == (Health.NOTICE, True)
        path.chmod(0o644)
        folder = {one.name: one for one in engine.inspection.check_store().checks}["folder"]
        assert (folder.health, "chmod 600" in folder.remedy) == (Health.NOTICE, True)


def test_a_model_that_is_away_is_told_and_stops_nothing(house: House) -> None:
    house.talk(3)
    house.embedder.is_broken = True
    model = next(one for one in house.look.check_store().checks if one.name == "model")
    assert model.health is Health.BAD
    assert "away" in model.detail


def test_what_is_broken_is_listed(house: House) -> None:
    class Broken:
        """A store's maintenance that finds something."""

        def verify(self, progress: object) -> Iterator[Finding]:
            del progress
            yield from (Finding(invariant=f"rule {number}", detail="x") for number in range(5_000))

        def __getattr__(self, name: str) -> object:
            return getattr(house.store.maintenance, name)

    class Damaged:
        maintenance = Broken()

        def __getattr__(self, name: str) -> object:
            return getattr(house.store, name)

    inspection = house.engine.inspection._part  # type: ignore[attr-defined]  # behind its guard
    inspection._store = Damaged()
    told = house.look.check_store()
    assert len(told.findings) == 1_000
    store = next(one for one in told.checks if one.name == "store")
    assert (store.health, "rule 0" in store.detail, bool(store.remedy)) == (Health.BAD, True, True)
