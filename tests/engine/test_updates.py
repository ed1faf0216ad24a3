"""Updates win: kept whatever their score, linked to what they replace, found before it. With the shipped embedder."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.core.gate.memories import make_memories
from tests.support import NOON, open_file_store

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.engine.engine import Engine
from libravdb.errors import InvalidInput
from libravdb.model import Ingested, Scope
from libravdb.model.collections import durable_memory
from libravdb.model.turn_metadata import TurnMetadata

ANNA = "anna"
MINUTE = 60_000
CROWD = 60
UPDATES = [
    ("I live in Leeds.", "We moved to Hull.", "Where do I live?"),
    ("My rent is 640 euros.", "My rent is 690 euros.", "How high is my rent?"),
    ("I work at Fjord Labs.", "I started at Kestrel on Monday.", "Where do I work?"),
    ("My landlord is Mr. Pell.", "My new landlord is Mrs. Oduya.", "Who is my landlord?"),
    ("I play the trombone.", "I gave up the trombone.", "Do I play an instrument?"),
    ("Ich wohne in Kassel.", "Ich wohne in Fulda.", "Wo wohne ich?"),
    ("Trabajo en Endesa.", "Empecé en Iberdrola.", "¿Dónde trabajo?"),
    ("J'habite à Brest.", "J'ai déménagé à Vannes.", "Où est-ce que j'habite ?"),
    ("我住在苏州。", "我搬到了无锡。", "我住在哪里？"),
]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    store = open_file_store(tmp_path / "m.libravdb", now=NOON)
    clock = itertools.count(NOON, MINUTE).__next__
    with Engine(store=store, load_embedder=lambda _: open_minilm(), clock=clock) as opened:
        yield opened


def say(engine: Engine, text: str, *, session: str = "s") -> Ingested:
    return engine.conversations.ingest(text, session=session, namespace=ANNA).turns[0]


def found(engine: Engine, question: str, **rest: object) -> list[str]:
    return [hit.record.text for hit in engine.search(question, namespace=ANNA, **rest).hits]  # type: ignore[arg-type]


def test_updates_are_kept_linked_and_first_when_alone(engine: Engine) -> None:
    for place, (old, new, question) in enumerate(UPDATES):
        namespace = f"alone-{place}"
        first = engine.conversations.ingest(old, session=namespace, namespace=namespace).turns[0]
        second = engine.conversations.ingest(new, session=namespace, namespace=namespace).turns[0]
        assert second.memory, new
        assert second.supersedes == (first.memory,), new
        assert second.verdict is not None
        assert second.verdict.words().startswith(f"kept: it replaces “{old}”")
        texts = [hit.record.text for hit in engine.search(question, namespace=namespace).hits]
        assert texts.index(new) < texts.index(old)


def test_updates_are_kept_linked_and_first_among_sixty_memories(engine: Engine) -> None:
    crowd = make_memories()[:CROWD]
    for text in crowd[::2]:
        say(engine, text, session="crowd")
    olds = [say(engine, old, session="then") for old, _, _ in UPDATES[:5]]
    for text in crowd[1::2]:
        say(engine, text, session="crowd")
    for old, (text, new, question) in zip(olds, UPDATES[:5], strict=True):
        assert old.memory in say(engine, new, session="now").supersedes
        texts = found(engine, question)
        assert new in texts
        assert text not in texts or texts.index(new) < texts.index(text)


def test_a_chain_of_updates_leaves_only_the_newest_current(engine: Engine) -> None:
    places = [say(engine, f"I live in {town}.").memory for town in ("Cork", "Galway", "Sligo", "Ennis")]
    kept = {record.id: TurnMetadata.of(record) for record in engine.memories.latest(durable_memory(ANNA), limit=10)}
    assert [kept[id].superseded_by for id in places] == [*places[1:], None]
    assert found(engine, "Where do I live?", k=1) == ["I live in Ennis."]


def test_restore_undoes_one_link_of_a_chain(engine: Engine) -> None:
    first, second, third = (say(engine, f"I live in {town}.").memory for town in ("Cork", "Galway", "Sligo"))
    engine.gate.restore(second, namespace=ANNA)
    kept = {record.id: TurnMetadata.of(record) for record in engine.memories.latest(durable_memory(ANNA), limit=10)}
    assert (kept[first].superseded_by, kept[second].is_outdated, kept[third].supersedes) == (second, False, ())
    with pytest.raises(InvalidInput):
        engine.gate.restore(second, namespace=ANNA)


def test_deleting_the_middle_of_a_chain_hands_its_past_to_what_replaced_it(engine: Engine) -> None:
    first, second, third = (say(engine, f"I live in {town}.").memory for town in ("Cork", "Galway", "Sligo"))
    engine.deletions.forget(durable_memory(ANNA), [second])
    kept = {record.id: TurnMetadata.of(record) for record in engine.memories.latest(durable_memory(ANNA), limit=10)}
    assert kept[first].superseded_by == third
    assert kept[third].supersedes == (first,)


def test_what_was_outdated_and_is_said_again_holds_again(engine: Engine) -> None:
    say(engine, "I live in Cork.")
    say(engine, "I live in Galway.")
    again = say(engine, "I live in Cork.", session="later")
    assert again.memory
    assert not again.is_strengthened
    assert found(engine, "Where do I live?", k=1) == ["I live in Cork."]


def test_the_mark_counts_for_the_same_turn_in_the_history(engine: Engine) -> None:
    say(engine, "I live in Cork.")
    say(engine, "I live in Galway.")
    hits = engine.search("Where do I live?", namespace=ANNA, scopes=[Scope.HISTORY]).hits
    assert [hit.record.text for hit in hits][:2] == ["I live in Galway.", "I live in Cork."]
    assert hits[1].reasons[0].startswith("outdated since ")


def test_as_of_a_moment_before_the_update_nothing_is_outdated(engine: Engine) -> None:
    say(engine, "I live in Cork.")
    before = engine.memories.latest(durable_memory(ANNA), limit=1)[0].at
    say(engine, "I live in Galway.")
    hits = engine.search("Where do I live?", namespace=ANNA, as_of=before).hits
    assert [hit.record.text for hit in hits] == ["I live in Cork."]
    assert not any("outdated" in reason for reason in hits[0].reasons)


def test_an_update_inside_a_request_is_kept(engine: Engine) -> None:
    old = say(engine, "I live in Cork.")
    new = say(engine, "I moved to Galway, can you adapt the weather report?")
    assert new.supersedes == (old.memory,)


def test_twelve_relatives_in_a_row_are_all_kept(engine: Engine) -> None:
    kin = "mother father sister brother aunt uncle cousin niece nephew grandmother grandfather daughter".split()
    names = "Rosa Emil Lea Tom Wilma Fritz Nils Ida Jan Olga Otto Mia".split()
    said = [say(engine, f"My {one} is called {name}.") for one, name in zip(kin, names, strict=True)]
    assert [one.memory for one in said if not one.memory or one.is_strengthened or one.supersedes] == []
    assert len({one.memory for one in said}) == len(kin)


@pytest.mark.parametrize(
    "text",
    [
        "Can you remember that I'm left-handed?",
        "Please remember that the spare key is with Jo.",
        "Merk dir bitte: die Tonne kommt dienstags.",
        "Recuerda que soy zurda.",
        "Souviens-toi que je suis gauchère.",
        "记住我是左撇子。",
    ],
)
def test_what_is_asked_to_be_remembered_is_kept(engine: Engine, text: str) -> None:
    verdict = engine.gate.judge(text, namespace=ANNA).verdict
    assert verdict.is_admitted
    assert verdict.admission == "asked to remember it"


def test_a_question_about_remembering_asks_for_nothing_to_be_kept(engine: Engine) -> None:
    verdict = engine.gate.judge("Can you remember when Rome fell?", namespace=ANNA).verdict
    assert not verdict.is_admitted


def test_no_prompt_holds_an_outdated_memory_without_its_successor(engine: Engine) -> None:
    say(engine, "My rent is 640 euros.", session="then")
    say(engine, "My rent went up to 690.", session="then")
    made = engine.prompts.assemble("How high is my rent?", session="now", namespace=ANNA, budget=1_000)
    assert "690" in made.opening + made.closing


def test_why_not_says_since_when_a_memory_is_outdated(engine: Engine) -> None:
    old = say(engine, "I live in Cork.")
    new = say(engine, "I live in Galway.")
    engine.prompts.assemble("Where do I live?", session="now", namespace=ANNA, budget=1_000)
    told = engine.prompts.why_not(old.memory, namespace=ANNA)
    assert "outdated since 20" in told
    assert new.memory in told


# ── several messages in one commit ────────────────────────────────────────────────────────────────────────


def commit(engine: Engine, *texts: str, key: str = "k") -> list[Ingested]:
    return list(engine.conversations.commit_turn(texts, session="s", namespace=ANNA, key=key).turns)


def links(engine: Engine) -> dict[str, tuple[str | None, tuple[str, ...]]]:
    """What each memory was replaced by, and what it replaces, by their texts."""
    held = engine.memories.latest(durable_memory(ANNA), limit=100)
    texts = {record.id: record.text for record in held}
    told = {record.text: TurnMetadata.of(record) for record in held}
    return {
        text: (texts.get(one.superseded_by or ""), tuple(texts[id] for id in one.supersedes))
        for text, one in told.items()
    }


def test_two_messages_of_one_commit_may_update_the_same_memory(engine: Engine) -> None:
    say(engine, "I live in Leeds.")
    commit(engine, "I moved to Hull.", "Sorry, I moved to York.")
    assert links(engine) == {
        "I live in Leeds.": ("I moved to Hull.", ()),
        "I moved to Hull.": ("Sorry, I moved to York.", ("I live in Leeds.",)),
        "Sorry, I moved to York.": (None, ("I moved to Hull.",)),
    }
    assert [line.text for line in engine.profile.show(namespace=ANNA).lines] == ["Sorry, I moved to York."]


def test_a_message_is_outdated_by_a_later_one_of_its_commit(engine: Engine) -> None:
    commit(engine, "I live in Leeds.", "I moved to Hull.")
    assert links(engine) == {
        "I live in Leeds.": ("I moved to Hull.", ()),
        "I moved to Hull.": (None, ("I live in Leeds.",)),
    }


def test_what_is_said_twice_in_one_commit_strengthens_its_memory_twice(engine: Engine) -> None:
    said = say(engine, "I live in Leeds.")
    commit(engine, "I live in Leeds!", "I live in Leeds")
    (record,) = engine.memories.latest(durable_memory(ANNA), limit=9)
    assert record.id == said.memory
    assert TurnMetadata.of(record).times_seen == 3


def test_what_was_replaced_counts_again_when_all_that_replaced_it_is_forgotten_at_once(engine: Engine) -> None:
    first, *others = (say(engine, f"I live in {place}.").memory for place in ("Leeds", "Hull", "York"))
    engine.deletions.forget(durable_memory(ANNA), others)
    assert links(engine) == {"I live in Leeds.": (None, ())}
    assert not TurnMetadata.of(engine.memories.get(durable_memory(ANNA), first)).is_outdated  # type: ignore[arg-type]
    assert [line.text for line in engine.profile.show(namespace=ANNA).lines] == ["I live in Leeds."]


def test_a_chain_closes_over_all_its_links_that_are_forgotten_at_once(engine: Engine) -> None:
    said = [say(engine, f"I live in {place}.").memory for place in ("Leeds", "Hull", "York", "Bath")]
    engine.deletions.forget(durable_memory(ANNA), said[1:3])
    assert links(engine) == {
        "I live in Leeds.": ("I live in Bath.", ()),
        "I live in Bath.": (None, ("I live in Leeds.",)),
    }


def tell(engine: Engine, speaker: str, text: str) -> Ingested:
    message = {"role": "user", "name": speaker, "content": text}
    return engine.conversations.ingest(message, session="group", namespace=ANNA).turns[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Leeds.", "I live in Hull."),
        ("My rent is 640 euros.", "My rent is 690 euros."),
        ("Trabajo en Endesa.", "Trabajo en Iberdrola."),
        ("J'habite à Brest.", "J'habite à Vannes."),
        ("We live in Leeds.", "We moved to Hull."),
        ("I am allergic to peanuts.", "I am allergic to peanuts."),
    ],
)
def test_what_one_person_of_a_group_says_of_himself_leaves_what_another_said(
    engine: Engine, one: str, other: str
) -> None:
    tell(engine, "Bob", one)
    said = tell(engine, "Carla", other)
    assert not said.supersedes
    assert not said.is_strengthened
    assert said.memory
    assert [
        TurnMetadata.of(record).is_outdated for record in engine.memories.latest(durable_memory(ANNA), limit=9)
    ] == [
        False,
        False,
    ]


def test_people_of_a_group_update_what_they_share_and_each_his_own(engine: Engine) -> None:
    tell(engine, "Bob", "I live in Leeds.")
    assert tell(engine, "bob", "I moved to Hull.").supersedes
    tell(engine, "Bob", "The API runs on port 8080.")
    assert tell(engine, "Carla", "The API runs on port 9090 now.").supersedes


def test_what_is_remembered_on_request_states_and_replaces_like_what_is_said(engine: Engine) -> None:
    collection = durable_memory(ANNA)
    old = engine.memories.remember("I live in Leeds.", collection=collection).record
    new = engine.memories.remember("I live in Hull.", collection=collection).record
    again = engine.memories.get(collection, old.id)
    assert again is not None
    assert TurnMetadata.of(again).superseded_by == new.id
    assert list(TurnMetadata.of(new).supersedes) == [old.id]
    assert any(key.startswith("states_") for key in new.metadata)


def test_a_note_from_earlier_outdates_nothing_that_came_later(engine: Engine) -> None:
    collection = durable_memory(ANNA)
    new = engine.memories.remember("I live in Hull.", collection=collection, at=NOON).record
    engine.memories.remember("I live in Leeds.", collection=collection, at=NOON - MINUTE)
    again = engine.memories.get(collection, new.id)
    assert again is not None
    assert not TurnMetadata.of(again).is_outdated


def test_what_says_something_else_than_a_memory_it_resembles_is_kept(engine: Engine) -> None:
    assert say(engine, "Der Drucker heißt otter.").memory
    assert say(engine, "Der Drucker heißt biber, steht im Flur rechts.").memory
