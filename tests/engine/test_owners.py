"""Two people who give their sessions one name: each finds his own, and nothing of the other's, nor loses anything."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.people import open_engine
from tests.puts import put
from tests.support import NOON

from libravdb.core.ingest.identity import content_key, derived_id
from libravdb.engine.engine import Engine
from libravdb.engine.search import owned
from libravdb.engine.turn_records import Placement, client_turn_places
from libravdb.model import Append, IncomingTurn, Json, Link, Reception, Role, Scope
from libravdb.model.records import Edge
from libravdb.testing import FrozenClock, MemoryStore

ANNA, BEN, NOBODY = "anna", "ben", "session:main"
RULE = "Never give the {} key of the harbour office to anybody."
QUESTION = "Who may get the key of the harbour office?"


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOON)


@pytest.fixture
def engine(store: MemoryStore, clock: FrozenClock) -> Iterator[Engine]:
    with open_engine(store, clock) as opened:
        yield opened


def tell(engine: Engine, who: str, *texts: str, **told: object) -> list[Reception]:
    messages = [{"role": "user", "content": text, **told} for text in texts]
    return [turn.reception for turn in engine.conversations.ingest_batch(messages, session="main", namespace=who).turns]


def shown(engine: Engine, who: str, *, question: str = QUESTION) -> str:
    made = engine.prompts.assemble(question, session="main", namespace=who, budget=4_000)
    found = engine.search(question, namespace=who, session="main", k=50)
    return made.rules + made.opening + made.closing + " ".join(hit.record.text for hit in found.hits)


def insert(engine: Engine, id: str, text: str, metadata: dict[str, Json], *collections: str) -> None:
    places = [Placement(collection=name, metadata=metadata) for name in collections]
    engine.memories.insert(id=id, text=text, places=places, at=NOON)


def fold(engine: Engine) -> None:
    engine.compaction.compact("main", target=4, minimum_turns=0, tail_tokens=0)


def texts_in(engine: Engine, collection: str) -> set[str]:
    return {record.text for record in engine.memories.latest(collection, limit=99)}


# ── what is read ──────────────────────────────────────────────────────────────────────────────────────────


def test_guidance_of_a_session_is_its_owners(engine: Engine) -> None:
    for who, key in ((ANNA, "brass"), (BEN, "iron")):
        tell(engine, who, RULE.format(key), f"The {key} door squeaks.", f"The {key} bell rings.", "Good night.")
    fold(engine)
    for who, own, other in ((ANNA, "brass", "iron"), (BEN, "iron", "brass")):
        told = shown(engine, who)
        assert RULE.format(own) in told
        assert other not in told


def test_what_a_record_names_comes_along_only_if_it_is_the_same_persons(engine: Engine) -> None:
    tell(engine, ANNA, "Anna likes her pond.", id="secret-of-anna")
    tell(engine, BEN, "Good morning.")
    insert(
        engine,
        "hop",
        "The harbour office has a key.",
        {"userId": BEN, "hop_targets": ["secret-of-anna"]},
        "session:main",
    )
    found = engine.search(QUESTION, namespace=BEN, session="main", scopes=[Scope.SESSION], k=9)
    assert [hit.record.id for hit in found.hits if hit.record.id == "hop"] == ["hop"]
    assert "pond" not in repr(found)


def test_people_are_looked_for_where_nobody_else_speaks(engine: Engine, store: MemoryStore) -> None:
    tell(engine, ANNA, "Good morning.")
    with store.read() as snapshot:
        assert "session:main" in owned(snapshot, ANNA, "main", list(Scope)).peopled
    tell(engine, BEN, "Good evening.")
    with store.read() as snapshot:
        assert not [name for name in owned(snapshot, ANNA, "main", list(Scope)).peopled if "main" in name]


def test_a_summary_is_of_one_person_and_opened_by_him(engine: Engine, clock: FrozenClock) -> None:
    for number in range(4):
        for who in (ANNA, BEN):
            clock.advance(60_000)
            tell(engine, who, f"{who} tells of step {number} of the harbour office.")
    fold(engine)
    assert {record.metadata["userId"] for record in engine.memories.latest("session_summary:main", limit=9)} == {
        ANNA,
        BEN,
    }
    for summary in engine.memories.latest("session_summary:main", limit=9):
        owner = str(summary.metadata["userId"])
        for who in (ANNA, BEN):
            inside = engine.compaction.expand(summary.id, session="main", namespace=who)
            assert len(inside) == (4 if who == owner else 0)
            assert (summary.text in shown(engine, who, question="What now?")) is (who == owner)
        assert len(engine.compaction.expand(summary.id, session="main")) == 4


def test_a_host_is_told_how_many_turns_are_its_speakers(engine: Engine) -> None:
    tell(engine, ANNA, "One.", "Two.")
    tell(engine, BEN, "Three.")
    assert engine.conversations.bootstrap(session="main", namespace=BEN).turns == 1


# ── what is said ──────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_shown_to_one_is_no_echo_when_another_says_it(engine: Engine) -> None:
    text = "The brass key of the harbour office lies below the blue stone beside the old well."
    tell(engine, ANNA, text)
    engine.conversations.ingest("Good evening.", session="other", namespace=ANNA)
    made = engine.prompts.assemble(QUESTION, session="other", namespace=ANNA, budget=900)
    assert text in made.closing
    said = engine.conversations.ingest(text, session="other", namespace=BEN)
    assert [turn.reception for turn in said.turns] == [Reception.STORED]


GUESSES = [f"The launch code is {name}." for name in ("quokka-41", "quokka-42", "quokka-43")]
"""The second is what Ben said."""


def form(id: str | None) -> str:
    """An id without its digests: all that a guesser could compare."""
    return re.sub("[0-9a-f]{12,}", "…", id or "")


@pytest.mark.parametrize("at", [None, NOON])
@pytest.mark.parametrize("kind", ["import_transcript", "ingest_batch"])
def test_an_id_does_not_tell_whether_another_said_the_same(engine: Engine, at: int | None, kind: str) -> None:
    told = [{"role": "user", "content": text, "timestamp": at} for text in GUESSES]
    engine.conversations.ingest_batch([told[1]], session="main", namespace=BEN)
    done = getattr(engine.conversations, kind)(told, session="main", namespace=ANNA)
    assert [turn.reception for turn in done.turns] == [Reception.STORED] * 3
    assert len({form(turn.id) for turn in done.turns}) == 1
    again = engine.conversations.import_transcript(told, session="main", namespace=ANNA)
    assert [turn.id for turn in again.turns] == [turn.id for turn in done.turns]


def test_a_guess_that_is_named_as_a_derived_id_tells_nothing_either(engine: Engine) -> None:
    engine.conversations.ingest_batch([{"role": "user", "content": GUESSES[1]}], session="main", namespace=BEN)
    forms = set()
    for text in GUESSES:
        id = derived_id(content_key(IncomingTurn(role=Role.USER, text=text), "main"), 1)
        for name in (id, f"x~{id}"):
            said = {"role": "user", "content": f"something else about {name}", "id": name}
            (turn,) = engine.conversations.ingest(said, session="main", namespace=ANNA).turns
            forms.add(form(turn.id).removeprefix("x~"))
    assert len(forms) == 1


def test_turns_from_before_another_came_are_known_when_they_are_sent_again(engine: Engine) -> None:
    told = [{"role": "user", "content": text} for text in GUESSES]
    first = engine.conversations.import_transcript(told[:2], session="main", namespace=BEN)
    engine.conversations.import_transcript(told, session="main", namespace=ANNA)
    again = engine.conversations.import_transcript(told, session="main", namespace=BEN)
    assert [turn.id for turn in again.turns][:2] == [turn.id for turn in first.turns]
    assert [turn.reception for turn in again.turns] == [Reception.KNOWN, Reception.KNOWN, Reception.STORED]


def test_the_same_words_under_the_same_id_are_two_turns(engine: Engine) -> None:
    for who in (ANNA, BEN, "carla"):
        assert tell(engine, who, "Good morning.", id="morning") == [Reception.STORED]
        assert tell(engine, who, "Good morning.", id="morning") == [Reception.KNOWN]
    raw = engine.memories.latest("session_raw:main", limit=9)
    assert {record.metadata["userId"] for record in raw} == {ANNA, BEN, "carla"}
    engine.deletions.flush_namespace(ANNA)
    assert tell(engine, BEN, "Good morning.", id="morning") == [Reception.KNOWN], "under the id that he got"


def test_the_end_of_what_one_said_is_not_the_beginning_of_what_another_says(engine: Engine) -> None:
    assert tell(engine, ANNA, "Good morning.", "How are you?") == [Reception.STORED] * 2
    assert tell(engine, BEN, "How are you?", "I am fine.") == [Reception.STORED] * 2
    assert tell(engine, BEN, "How are you?", "I am fine.") == [Reception.KNOWN] * 2
    assert tell(engine, BEN, "Good morning.", "How are you?") == [Reception.STORED] * 2
    assert tell(engine, BEN, "All is well.", "See you.") == [Reception.STORED] * 2
    assert tell(engine, ANNA, "All is well.", "How are you?") == [Reception.STORED] * 2
    assert tell(engine, BEN, "How are you?", "Are you there?") == [Reception.STORED] * 2, "said once more, by him"


def test_a_key_of_one_is_no_duplicate_of_anothers(engine: Engine) -> None:
    message = {"role": "user", "content": "Good morning.", "id": "morning"}
    for who in (ANNA, BEN):
        for is_again in (False, True):
            done = engine.conversations.commit_turn([message], session="main", namespace=who, key="k")
            assert done.is_duplicate is is_again


def test_a_key_that_was_kept_before_keys_had_owners_is_its_owners(engine: Engine, store: MemoryStore) -> None:
    message = {"role": "user", "content": "Good morning.", "id": "morning"}
    engine.conversations.commit_turn([message], session="main", namespace=ANNA, key="k")
    (marker,) = engine.memories.latest("session_commit:main", limit=9)
    former = put("session_commit:main", marker.id.rpartition("#")[0], "", metadata=marker.metadata)
    engine.deletions.remove("session_commit:main", [marker.id])
    store.commit([former])
    again = {
        who: engine.conversations.commit_turn([message], session="main", namespace=who, key="k") for who in (ANNA, BEN)
    }
    assert {who: done.is_duplicate for who, done in again.items()} == {ANNA: True, BEN: False}


# ── what names nobody ─────────────────────────────────────────────────────────────────────────────────────


def keep_nameless(engine: Engine, store: MemoryStore) -> None:
    """A turn as an existing client keeps it, which names no owner, and what an earlier version folded of several."""
    places = client_turn_places("n1", session="main", metadata={"role": "user", "sessionId": "main"})
    engine.memories.insert(id="n1", text="The nameless harbour office is shut.", places=places, at=NOON)
    told: dict[str, Json] = {"type": "summary", "userId": "", "role": "summary", "sessionId": "main"}
    for name in ("session:main", "session_summary:main"):
        insert(engine, "summary:1", "A mixture of the harbour office.", told, name)
    insert(
        engine,
        "guidance:main:z",
        "Always mix at the harbour office.",
        {**told, "type": "guidance_shard"},
        "elevated:session:main",
    )
    store.commit(
        [Link(edge=Edge(session="main", parent="summary:1", child="n1", child_kind="turn", position=0, at=NOON))]
    )


def test_what_names_nobody_is_the_only_speakers_and_else_theirs_who_came_without_a_name(
    engine: Engine, store: MemoryStore
) -> None:
    keep_nameless(engine, store)
    words = ("nameless", "mixture", "mix at")
    seen = {who: [word for word in words if word in shown(engine, who)] for who in (ANNA, NOBODY)}
    assert seen == {ANNA: [], NOBODY: list(words)}, "nobody who has a name speaks there"
    tell(engine, ANNA, "Good morning.")
    assert [word for word in words if word in shown(engine, ANNA)] == list(words), "she alone speaks there"
    tell(engine, BEN, "Good evening.")
    seen = {who: [word for word in words if word in shown(engine, who)] for who in (ANNA, BEN, NOBODY)}
    assert seen == {ANNA: [], BEN: [], NOBODY: ["nameless"]}, "what was mixed is nobody's"


def test_an_owner_is_found_however_a_client_typed_his_name(engine: Engine) -> None:
    told: dict[str, Json] = {"role": "user", "userId": "jose\u0301"}
    places = client_turn_places("n1", session="main", metadata=told)
    engine.memories.insert(id="n1", text="The turn of the harbour office.", places=places, at=NOON)
    engine.memories.remember("The note of the harbour office.", collection="session:main", metadata=told)
    insert(engine, "x", "The text of the harbour office.", told, "session:main")
    tell(engine, BEN, "Good morning.")
    assert [word for word in ("turn of", "note of", "text of") if word not in shown(engine, "josé")] == []
    assert "harbour" not in shown(engine, BEN)
    assert {record.metadata["userId"] for record in engine.memories.latest("session_raw:main", limit=9)} == {
        "josé",
        BEN,
    }
    (place, *_) = client_turn_places("n2", session="main", metadata={"userId": "user:x"})
    assert place.metadata["userId"] == "user-id:user:x"


# ── what is deleted ───────────────────────────────────────────────────────────────────────────────────────


def test_whoever_forgets_a_memory_forgets_no_turn_of_another(engine: Engine) -> None:
    tell(engine, ANNA, "Anna owns the harbour office.", id="a:1")
    tell(engine, BEN, "Good morning.")
    told: dict[str, Json] = {"sessionId": "main", "source_turn_id": "a:1"}
    for owner in (BEN, ANNA):
        engine.memories.remember(
            f"Told of {owner}.", collection="user:ben", id=owner, metadata={**told, "userId": owner}
        )
    assert engine.deletions.forget("user:ben", [ANNA, BEN]) == 2
    assert "Anna owns the harbour office." in texts_in(engine, "session_raw:main")
    assert "Anna owns the harbour office." in texts_in(engine, "session:main")
    assert "Anna owns the harbour office." in texts_in(engine, "history:anna")


def test_what_a_client_wrote_into_anothers_session_stays_its_owners(engine: Engine) -> None:
    tell(engine, ANNA, "Anna owns the harbour office.")
    insert(engine, "n", "Nobody owns the pier.", {"role": "user"}, "session:main", "session_raw:main")
    insert(engine, "x", "Ben owns the lighthouse.", {"userId": BEN, "role": "user"}, "session:main", "session_raw:main")
    engine.deletions.flush_namespace(ANNA)
    assert texts_in(engine, "session_raw:main") == texts_in(engine, "session:main") == {"Ben owns the lighthouse."}


def test_a_kept_turn_of_another_under_the_same_id_stays(engine: Engine, store: MemoryStore) -> None:
    tell(engine, ANNA, "Anna owns the harbour office.", id="a-1")
    tell(engine, BEN, "Good morning.")
    store.commit([put("session_recall:main", "a-1", "Ben owns the lighthouse.", metadata={"userId": BEN})])
    engine.deletions.flush_namespace(ANNA)
    assert texts_in(engine, "session_recall:main") == {"Ben owns the lighthouse."}


def test_the_journal_forgets_who_is_named_in_it(engine: Engine, store: MemoryStore) -> None:
    for who in ("agent-id:helper", BEN):
        tell(engine, who, "Good morning.")
    for agent in ("helper", "other"):
        store.commit([Append(session="main", at=NOON, entry={"agentId": agent, "sessionId": "main"})])
    engine.deletions.flush_namespace("agent-id:helper")
    with store.read() as snapshot:
        assert [entry.entry["agentId"] for entry in snapshot.journal()] == ["other"]
