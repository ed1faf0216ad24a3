"""Memories by their ids: found, listed, updated with their history, and gone with it; sessions and namespaces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.chats import say
from tests.support import NOON, examples, open_words_engine

from libravdb.core.ingest.settings import IngestSettings
from libravdb.engine.engine import Engine
from libravdb.engine.masking import Masking
from libravdb.errors import InvalidInput, NotFound
from libravdb.model import Json, Note, Scope, Where
from libravdb.model.collections import durable_memory, former_versions, namespace_collections
from libravdb.model.record_ids import former_version_id
from libravdb.model.turn_metadata import EXPIRES_AT, TurnMetadata, last_said
from libravdb.testing import FrozenClock, WordsEmbedder

FACT = "My sister Clara moved to Lisbon in March 2024 and works as a nurse"
DAY = 86_400_000
LADDER = "The ladder is in the shed"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOON)


@pytest.fixture
def engine(tmp_path: Path, clock: FrozenClock) -> Iterator[Engine]:
    with open_words_engine(tmp_path / "data.libravdb", WordsEmbedder(), clock=clock) as opened:
        yield opened


def keep(engine: Engine, text: str, *, user: str = "anna", id: str | None = None, **told: object) -> str:
    return engine.memories.remember(text, collection=durable_memory(user), id=id, **told).record.id  # type: ignore[arg-type]  # of several types


def texts(engine: Engine, question: str, user: str = "anna", **told: object) -> list[str]:
    return [hit.text for hit in engine.search(question, namespace=user, **told)]  # type: ignore[arg-type]  # of several types


# ── remembering again ─────────────────────────────────────────────────────────────────────────────────────


def test_what_is_remembered_again_has_what_the_last_call_said(engine: Engine, clock: FrozenClock) -> None:
    keep(engine, LADDER, metadata={"room": 1, "by": "hand"})
    again = engine.memories.remember(LADDER, collection="user:anna", metadata={"room": 2}, expires_at=NOON + DAY)
    assert not again.is_new
    assert again.record.metadata == {"room": 2, "by": "hand", EXPIRES_AT: NOON + DAY}
    assert EXPIRES_AT not in engine.memories.remember(LADDER, collection="user:anna").record.metadata
    clock.advance(2 * DAY)
    assert texts(engine, LADDER) == [LADDER]
    keep(engine, LADDER, expires_at=NOON + 3 * DAY)
    clock.advance(DAY)
    assert texts(engine, LADDER) == []


def test_what_is_remembered_again_is_as_young_as_that(engine: Engine) -> None:
    home = "I live in Graz."
    keep(engine, home, id="home", metadata={"role": "user"}, at=NOON - 200 * DAY)
    (line,) = engine.profile.show(namespace="anna").lines
    engine.profile.forget(line.id, namespace="anna")
    keep(engine, home, id="home")
    record = engine.memories.find("home", namespace="anna")
    assert record is not None
    assert (record.at, last_said(record), TurnMetadata.of(record).times_seen) == (NOON - 200 * DAY, NOON, 2)
    assert [one.text for one in engine.profile.show(namespace="anna").lines] == [line.text]
    keep(engine, home, id="home", at=NOON - DAY)
    assert engine.memories.find("home", namespace="anna") == record


def test_of_the_same_text_twice_in_one_call_the_last_counts(engine: Engine) -> None:
    notes = [Note(text=LADDER, collection="user:anna", metadata={"room": room}) for room in (1, 2)]
    assert [one.is_new for one in engine.memories.remember_many(notes)] == [True, False]
    assert [one.metadata["room"] for one in engine.memories.list(namespace="anna")] == [2]


def test_a_text_without_an_id_is_known_or_kept_whatever_was_updated(engine: Engine) -> None:
    first = keep(engine, LADDER)
    engine.memories.update(first, namespace="anna", text="The saw is in the attic")
    again = engine.memories.remember(LADDER, collection="user:anna")
    assert again.is_new
    assert again.record.id != first
    for text, id in ((LADDER, again.record.id), ("The saw is in the attic", first)):
        known = engine.memories.remember(text, collection="user:anna")
        assert (known.is_new, known.record.id) == (False, id)
    with pytest.raises(InvalidInput, match="holds another text"):
        keep(engine, "The saw is lost", id=first)


def test_a_text_of_a_conversation_is_known_and_outlives_a_note_that_expires(engine: Engine, clock: FrozenClock) -> None:
    said = engine.conversations.ingest(FACT, session="s", namespace="anna").turns[0].memory
    assert said
    assert keep(engine, FACT) == said
    note = keep(engine, FACT, expires_at=NOON + DAY)
    assert note != said
    clock.advance(DAY)
    assert [one.id for one in engine.memories.list(namespace="anna")] == [said]


# ── updating ──────────────────────────────────────────────────────────────────────────────────────────────


def test_an_update_keeps_what_was_before_as_history(engine: Engine, clock: FrozenClock) -> None:
    id = keep(engine, "The ladder is in the shed", metadata={"room": 1, "by": "hand"})
    clock.advance(DAY)
    new = engine.memories.update(id, namespace="anna", text="The ladder is in the attic", metadata={"room": 2})
    assert (new.id, new.text, new.at) == (id, "The ladder is in the attic", NOON + DAY)
    assert (new.metadata["room"], new.metadata["by"]) == (2, "hand")
    clock.advance(DAY)
    engine.memories.update(id, namespace="anna", metadata={"by": None})
    first, second, today = engine.memories.history(id, namespace="anna")
    assert [one.text.split()[-1] for one in (first, second, today)] == ["shed", "attic", "attic"]
    assert (first.metadata, first.at) == ({"room": 1, "by": "hand"}, NOON)
    assert "by" not in today.metadata
    assert today.at == second.at == NOON + DAY
    assert first.version < second.version < today.version
    assert {one.id for one in (first, second, today)} == {id}


def test_what_a_memory_said_before_is_found_by_no_search(engine: Engine) -> None:
    id = keep(engine, "The ladder is in the shed")
    engine.memories.update(id, namespace="anna", text="The ladder is in the attic")
    assert texts(engine, "shed ladder") == ["The ladder is in the attic"]
    assert engine.search("shed", collections=[former_versions("anna")]).hits == ()
    found = engine.memories.search_text("shed", collections=[former_versions("anna")], k=9, exclude={})
    assert found.found == ()


def test_an_update_sets_moves_and_lifts_the_moment_to_expire(engine: Engine, clock: FrozenClock) -> None:
    def update(**told: object) -> object:
        return engine.memories.update("x", namespace="anna", **told).metadata.get(EXPIRES_AT)  # type: ignore[arg-type]  # of several types

    keep(engine, LADDER, id="x")
    assert update(expires_at=NOON + DAY) == NOON + DAY
    assert update(metadata={"room": 1}) == NOON + DAY
    assert update(expires_at="2d") == NOON + 2 * DAY
    assert update(metadata={EXPIRES_AT: "3d"}) == NOON + 3 * DAY
    assert update(metadata={EXPIRES_AT: None}) is None
    assert update(expires_at=NOON + DAY) == NOON + DAY
    assert update(expires_at="never") is None
    clock.advance(2 * DAY)
    assert texts(engine, LADDER) == [LADDER]


@pytest.mark.parametrize("told", [1, "soon", True, [1], NOON - 1])
def test_metadata_that_tell_no_moment_to_expire_are_refused(engine: Engine, told: Json) -> None:
    keep(engine, LADDER, id="x")
    before = engine.memories.find("x", namespace="anna")
    with pytest.raises(InvalidInput, match="expires_at"):
        engine.memories.update("x", namespace="anna", metadata={EXPIRES_AT: told})
    with pytest.raises(InvalidInput, match="expires_at"):
        keep(engine, "The saw is new", metadata={EXPIRES_AT: told})
    assert engine.memories.find("x", namespace="anna") == before
    assert EXPIRES_AT not in before.metadata if before else False
    assert keep(engine, "The saw is new", id="y", metadata={EXPIRES_AT: "1d"}) == "y"


def test_an_update_that_changes_nothing_leaves_no_version(engine: Engine) -> None:
    id = keep(engine, "The ladder is in the shed", metadata={"room": 1})
    same = engine.memories.update(id, namespace="anna", text="The ladder is in the shed", metadata={"room": 1})
    assert same.version == 1
    assert len(engine.memories.history(id, namespace="anna")) == 1


def test_an_update_replaces_in_the_profile_what_the_memory_stated(engine: Engine) -> None:
    id = keep(engine, "I live in Graz.")
    assert [line.text for line in engine.profile.show(namespace="anna")] == ["I live in Graz."]
    engine.memories.update(id, namespace="anna", text="I live in Trieste.")
    assert [line.text for line in engine.profile.show(namespace="anna")] == ["I live in Trieste."]
    engine.memories.update(id, namespace="anna", text="The harbour is loud at night")
    assert list(engine.profile.show(namespace="anna")) == []


def test_a_turn_whose_memory_was_rewritten_is_shown_as_outdated(engine: Engine, clock: FrozenClock) -> None:
    engine.conversations.ingest_batch([say(FACT, id="u1")], session="s", namespace="anna")
    (memory,) = engine.memories.list(namespace="anna")
    clock.advance(DAY)
    engine.memories.update(memory.id, namespace="anna", text="My sister Clara moved to Porto and works as a nurse")
    answer = engine.search("Where did Clara move to, Lisbon?", namespace="anna")
    assert "Porto" in answer[0].text
    outdated = [hit for hit in answer if "Lisbon" in hit.text]
    assert all("outdated" in hit.breakdown for hit in outdated)
    assert outdated
    before = engine.search("Where did Clara move to?", namespace="anna", as_of=NOON + 1)
    assert not any("outdated" in hit.breakdown for hit in before)


def test_what_is_updated_must_be_a_memory_and_something_must_be_said(engine: Engine) -> None:
    id = keep(engine, "The ladder is in the shed")
    with pytest.raises(NotFound, match="No memory named 'nothing'"):
        engine.memories.update("nothing", namespace="anna", text="x")
    with pytest.raises(NotFound):
        engine.memories.update(id, namespace="ben", text="x")
    with pytest.raises(NotFound):
        engine.memories.history(id, namespace="ben")
    for told in ({}, {"text": " "}, {"metadata": {"x": float("nan")}}):
        with pytest.raises(InvalidInput):
            engine.memories.update(id, namespace="anna", **told)
    assert len(engine.memories.history(id, namespace="anna")) == 1


@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["shed", "attic", "cellar", "roof"]), min_size=1, max_size=8))
def test_a_history_tells_every_change_once_and_in_order(engine: Engine, places: list[str]) -> None:
    user = f"user {len(list(engine.namespaces.list(limit=1_000)))}"
    keep(engine, "The ladder is in the garden", user=user, id="ladder")
    for place in places:
        engine.memories.update("ladder", namespace=user, text=f"The ladder is in the {place}")
    told = [one.text.split()[-1] for one in engine.memories.history("ladder", namespace=user)]
    assert told == ["garden", *(place for place, before in zip(places, ["", *places], strict=False) if place != before)]
    assert [one.text for one in engine.memories.list(namespace=user)] == [f"The ladder is in the {places[-1]}"]


def test_updates_at_the_same_time_are_all_in_the_history(engine: Engine) -> None:
    keep(engine, "The ladder is in the garden", id="ladder")
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: engine.memories.update("ladder", namespace="anna", text=f"Place {n}"), range(16)))
    history = engine.memories.history("ladder", namespace="anna")
    assert {one.text for one in history} == {"The ladder is in the garden", *(f"Place {n}" for n in range(16))}
    assert len({one.version for one in history}) == len(history) == 17


@given(ids=st.text(min_size=1, max_size=40), version=st.integers(min_value=1, max_value=10**9))
def test_the_name_of_a_version_is_never_taken_for_a_secret(ids: str, version: int) -> None:
    id = former_version_id(ids, version)
    assert Masking(IngestSettings()).name(id) == id


# ── history goes with its memory ──────────────────────────────────────────────────────────────────────────


def rewritten(engine: Engine, user: str = "anna") -> str:
    engine.conversations.ingest_batch([say(FACT, id="u1")], session="s", namespace=user)
    (memory,) = (one for one in engine.memories.list(namespace=user) if one.text == FACT)
    engine.memories.update(memory.id, namespace=user, text="My sister Clara moved to Porto and works as a nurse")
    return memory.id


def holds(engine: Engine, word: str) -> bool:
    with engine._store.read() as snapshot:
        names = [info.name for info in snapshot.collections()]
        records = [record for name in names for record in snapshot.page(name)]
    return any(word in record.text or word in json.dumps(dict(record.metadata)) for record in records)


def test_forgetting_a_rewritten_memory_takes_its_turn_and_its_history(engine: Engine) -> None:
    id = rewritten(engine)
    assert engine.deletions.forget(durable_memory("anna"), [id]) == 1
    assert not holds(engine, "Lisbon")
    assert not holds(engine, "Porto")


def test_forgetting_the_turn_of_a_rewritten_memory_takes_both_too(engine: Engine) -> None:
    rewritten(engine)
    engine.deletions.forget_turns(namespace="anna", sessions=["s"])
    assert not holds(engine, "Lisbon")
    assert not holds(engine, "Porto")


def test_flushing_memories_takes_their_history(engine: Engine) -> None:
    id = keep(engine, "The ladder is in the shed")
    engine.memories.update(id, namespace="anna", text="The ladder is in the attic")
    engine.deletions.flush([durable_memory("anna")])
    assert not holds(engine, "shed")


def test_erasing_a_namespace_takes_the_history_of_its_memories(engine: Engine) -> None:
    rewritten(engine)
    rewritten(engine, "ben")
    done = engine.erasures.erase("anna")
    assert engine.erasures.verify(done.text).is_valid
    with engine._store.read() as snapshot:
        assert not any(snapshot.sizes(namespace_collections("anna")).values())
        assert snapshot.sizes([former_versions("ben")])[former_versions("ben")] == 1


def test_a_history_moves_with_its_memory_under_whichever_id(engine: Engine) -> None:
    for user, place in (("anna", "shed"), ("ben", "cellar")):
        keep(engine, f"The ladder is in the {place}", user=user, id="ladder")
        engine.memories.update("ladder", namespace=user, text=f"The ladder was in the {place}")
    engine.deletions.move_namespace("anna", to_namespace="ben")
    told = {
        record.id: [one.text for one in engine.memories.history(record.id, namespace="ben")]
        for record in engine.memories.list(namespace="ben")
    }
    assert told == {
        "ladder": ["The ladder is in the cellar", "The ladder was in the cellar"],
        "ladder~2": ["The ladder is in the shed", "The ladder was in the shed"],
    }


# ── finding and listing ───────────────────────────────────────────────────────────────────────────────────


def test_a_record_is_found_by_its_id_wherever_a_namespace_has_it(engine: Engine) -> None:
    engine.conversations.ingest_batch([say(FACT, id="u1")], session="s", namespace="anna")
    engine.conversations.ingest_batch([say("Ben likes boats a lot", id="b1")], session="s", namespace="ben")
    (turn,) = engine.memories.list(namespace="anna", scope=Scope.HISTORY)
    for id in (turn.id, "u1"):
        found = engine.memories.find(id, namespace="anna")
        assert found is not None
        assert found.text == FACT
        assert engine.memories.find(id, namespace="ben") is None
    assert engine.memories.find("b1", namespace="anna") is None
    assert engine.memories.find("nothing", namespace="anna") is None


def test_lists_come_in_pages_the_newest_first(engine: Engine, clock: FrozenClock) -> None:
    for number in range(7):
        keep(engine, f"Note of number {number}", id=f"n{number}", metadata={"odd": number % 2 == 1})
        clock.advance(1)
    ids, after = [], None
    while True:
        page = engine.memories.list(namespace="anna", limit=3, after=after)
        ids += [record.id for record in page]
        if (after := page.next) is None:
            break
    assert ids == [f"n{number}" for number in reversed(range(7))]
    odd = engine.memories.list(namespace="anna", where=Where(metadata={"odd": (True,)}))
    assert [record.id for record in odd] == ["n5", "n3", "n1"]
    assert list(engine.memories.list(namespace="ben")) == []
    for limit in (0, 1_001):
        with pytest.raises(InvalidInput, match="limit"):
            engine.memories.list(namespace="anna", limit=limit)
    with pytest.raises(InvalidInput, match="scope history"):
        engine.memories.list(namespace="anna", scope=Scope.SESSION)
    with pytest.raises(InvalidInput, match="after"):
        engine.memories.list(namespace="anna", after="nonsense")


def test_sessions_tell_what_is_ones_own_in_them(engine: Engine, clock: FrozenClock) -> None:
    for user, session in (("anna", "a"), ("anna", "main"), ("ben", "main"), ("anna", "main")):
        engine.conversations.ingest_batch(
            [f"{user} rows to the harbour at {clock.now}"], session=session, namespace=user
        )
        clock.advance(DAY)
    told = [(one.name, one.turns, one.first, one.last) for one in engine.sessions.list(namespace="anna")]
    assert told == [("a", 1, NOON, NOON), ("main", 2, NOON + DAY, NOON + 3 * DAY)]
    first = engine.sessions.list(namespace="anna", limit=1)
    second = engine.sessions.list(namespace="anna", limit=1, after=first.next)
    assert [one.name for page in (first, second) for one in page] == ["a", "main"]
    assert second.next is None


def test_sessions_tell_the_newest_also_when_they_were_asked_before(engine: Engine, clock: FrozenClock) -> None:
    def told(user: str) -> list[tuple[str, int, int]]:
        return [(one.name, one.turns, one.last) for one in engine.sessions.list(namespace=user)]

    engine.conversations.ingest_batch(["Anna rows to the harbour"], session="main", namespace="anna")
    assert told("anna") == told("anna") == [("main", 1, NOON)]
    clock.advance(DAY)
    engine.conversations.ingest_batch(["Ben waits at the lighthouse"], session="main", namespace="ben")
    assert (told("anna"), told("ben")) == ([("main", 1, NOON)], [("main", 1, NOON + DAY)])
    clock.advance(DAY)
    engine.conversations.ingest_batch(["And Anna rows back again"], session="main", namespace="anna")
    assert told("anna") == [("main", 2, NOON + 2 * DAY)]
    engine.deletions.flush_namespace("anna")
    assert (told("anna"), told("ben")) == ([], [("main", 1, NOON + DAY)])


def test_namespaces_are_listed_without_sizes_where_nobody_needs_them(engine: Engine) -> None:
    keep(engine, "x" * 1_000, user="anna")
    (info,) = engine.namespaces.list(with_sizes=False)
    assert (info.name, info.records, info.bytes) == ("anna", 0, 0)


def test_namespaces_are_listed_with_their_sizes_and_by_patterns(engine: Engine) -> None:
    for user in ("anna", "ben", "person:carol"):
        keep(engine, "x" * 1_000, user=user)
    infos = list(engine.namespaces.list())
    assert [info.name for info in infos] == ["anna", "ben", "person:carol"]
    assert all(info.records >= 1 and info.bytes > 1_000 for info in infos)
    assert [info.name for info in engine.namespaces.list(patterns=["person:*", "b*"])] == ["ben", "person:carol"]
    first = engine.namespaces.list(limit=2)
    assert first.next == "ben"
    assert [info.name for info in engine.namespaces.list(after=first.next)] == ["person:carol"]


# ── one namespace out and in ──────────────────────────────────────────────────────────────────────────────


def fill(engine: Engine, user: str) -> None:
    words = "rows boat number {0} to harbour {0}, always early"
    said = [say(f"{user} {words.format(number)}", id=f"{user}{number}") for number in range(12)]
    engine.conversations.ingest_batch(said, session=f"of {user}", namespace=user)
    engine.compaction.compact(f"of {user}", target=4, minimum_turns=2, tail_tokens=0)
    hello = say(f"{user} says hello to the harbour", id=user)
    engine.conversations.ingest_batch([hello], session="main", namespace=user)
    rewritten(engine, user)
    keep(engine, f"I live in {user}ville.", user=user)


def state_of(engine: Engine, user: str) -> dict[str, object]:
    """All that is somebody's."""
    with engine._store.read() as snapshot:
        own = [*namespace_collections(user)]
        for state in snapshot.states_of(user):
            own += [f"{kind}:{state.session}" for kind in ("session", "session_raw", "session_summary")]
        records = {
            (record.collection, record.id, record.text, record.at)
            for name in own
            for record in snapshot.page(name)
            if record.metadata.get("userId", user) == user
        }
        edges = {(edge.session, edge.parent, edge.child) for edge in snapshot.edges(f"of {user}")}
    return {"records": records, "edges": edges, "sessions": engine.sessions.list(namespace=user)}


def test_a_namespace_comes_back_from_its_file_as_it_was(engine: Engine, tmp_path: Path, clock: FrozenClock) -> None:
    for user in ("anna", "ben"):
        fill(engine, user)
    file = tmp_path / "anna.jsonl"
    written = engine.namespaces.export_file(file, namespace="anna")
    assert "ben" not in file.read_text(encoding="utf-8")
    before, others = state_of(engine, "anna"), state_of(engine, "ben")
    engine.deletions.flush_namespace("anna")
    assert engine.namespaces.import_file(file, namespace="anna").records == written
    assert state_of(engine, "anna") == before
    assert state_of(engine, "ben") == others
    engine.namespaces.import_file(file, namespace="anna")
    assert state_of(engine, "anna") == before
    assert "boat number" in texts(engine, "boat number 3 harbour")[0]
    with open_words_engine(tmp_path / "other.libravdb", WordsEmbedder(), clock=clock) as other:
        other.namespaces.import_file(file, namespace="anna")
        assert state_of(other, "anna") == before
        assert other.profile.show(namespace="anna") == engine.profile.show(namespace="anna")


def lines_of(engine: Engine, tmp_path: Path, user: str) -> list[str]:
    file = tmp_path / f"{user}-lines.jsonl"
    engine.namespaces.export_file(file, namespace=user)
    return file.read_text(encoding="utf-8").splitlines()


def record_line(collection: str, id: str, **metadata: object) -> str:
    told = {"collection": collection, "id": id, "text": "planted", "metadata": metadata, "at": NOON, "version": 1}
    return json.dumps({"kind": "record", **told, "access_count": 0})


def test_nothing_of_others_comes_in_with_a_namespace(engine: Engine, tmp_path: Path) -> None:
    for user in ("anna", "ben"):
        fill(engine, user)
    header = lines_of(engine, tmp_path, "anna")[0]
    before = state_of(engine, "ben")
    edge = {"kind": "edge", "session": "of ben", "parent": "x", "child": "ben1", "child_kind": "turn", "position": 0}
    planted = [
        record_line("user:ben", "x"),
        record_line("session_raw:main", "ben", userId="anna"),
        record_line("session_raw:main", "x"),
        record_line("session_raw:main", "x", userId="ben"),
        record_line("global", "x", userId="anna"),
        record_line("authored:hard", "x", userId="anna"),
        record_line("notebook", "x", userId="anna"),
        json.dumps({"kind": "collection", "name": "user:ben"}),
        json.dumps({**edge, "at": NOON}),
        json.dumps({"kind": "record", "collection": ["user:anna"]}),
        record_line("user:anna", "x").replace('"planted"', "7"),
        "{",
    ]
    for line in planted:
        with pytest.raises(InvalidInput, match="line 2"):
            engine.namespaces.import_lines([header, line], namespace="anna")
    with pytest.raises(InvalidInput, match="is of 'anna', not of 'ben'"):
        engine.namespaces.import_lines([header], namespace="ben")
    assert state_of(engine, "ben") == before
    assert not holds(engine, "planted")
    poisoned = {"kind": "session", "session": "of carol", "generation": 1, "at": NOON, "state": {"continued_as": "x"}}
    engine.namespaces.import_lines([header, json.dumps(poisoned)], namespace="anna")
    assert engine.sessions.current("of carol") == "of carol"


def test_an_import_leaves_what_was_written_since_the_export(engine: Engine, tmp_path: Path, clock: FrozenClock) -> None:
    keep(engine, "red", id="k")
    keep(engine, "I live in Graz.", id="home", metadata={"role": "user"})
    lines = lines_of(engine, tmp_path, "anna")
    clock.advance(DAY)
    engine.memories.update("k", namespace="anna", text="blue")
    engine.memories.update("home", namespace="anna", text="The boat is red.")
    profile = engine.profile.show(namespace="anna")
    done = engine.namespaces.import_lines(lines, namespace="anna")
    assert (done.records, done.known) == (0, len(lines) - 1 - sum('"kind":"collection"' in one for one in lines))
    assert [one.text for one in engine.memories.history("k", namespace="anna")] == ["red", "blue"]
    assert engine.profile.show(namespace="anna") == profile
    engine.memories.update("k", namespace="anna", text="green")
    assert [one.text for one in engine.memories.history("k", namespace="anna")] == ["red", "blue", "green"]


def test_the_history_of_a_forgotten_memory_comes_back_only_with_it(
    engine: Engine, tmp_path: Path, clock: FrozenClock
) -> None:
    keep(engine, "red", id="k")
    clock.advance(DAY)
    engine.memories.update("k", namespace="anna", text="blue")
    lines = lines_of(engine, tmp_path, "anna")
    engine.deletions.forget("user:anna", ["k"])
    keep(engine, "white", id="k")
    engine.namespaces.import_lines(lines, namespace="anna")
    assert [one.text for one in engine.memories.history("k", namespace="anna")] == ["white"]
    engine.deletions.forget("user:anna", ["k"])
    engine.namespaces.import_lines(lines, namespace="anna")
    assert [one.text for one in engine.memories.history("k", namespace="anna")] == ["red", "blue"]


def test_a_memory_that_an_import_of_a_whole_store_set_back_can_be_updated(engine: Engine, tmp_path: Path) -> None:
    keep(engine, "red", id="k")
    engine.upkeep.export_file(tmp_path / "all.jsonl")
    engine.memories.update("k", namespace="anna", text="blue")
    engine.upkeep.import_file(tmp_path / "all.jsonl")
    for text in ("green", "white"):
        engine.memories.update("k", namespace="anna", text=text)
    assert [one.text for one in engine.memories.history("k", namespace="anna")] == ["red", "red", "green", "white"]


def test_what_names_another_in_its_metadata_comes_back_from_ones_own_file(engine: Engine, tmp_path: Path) -> None:
    keep(engine, "Ben drinks tea", id="tea", metadata={"userId": "ben"})
    lines = lines_of(engine, tmp_path, "anna")
    engine.deletions.flush_namespace("anna")
    engine.namespaces.import_lines(lines, namespace="anna")
    assert [one.id for one in engine.memories.list(namespace="anna")] == ["tea"]
    assert [*engine.memories.list(namespace="ben")] == []


def test_an_export_is_noted_as_a_copy_and_a_private_one_is_not(engine: Engine, tmp_path: Path) -> None:
    keep(engine, "The ladder is in the shed")
    engine.namespaces.write_private(tmp_path / "private.jsonl", namespace="anna")
    engine.namespaces.export_file(tmp_path / "anna.jsonl", namespace="anna")
    copies = engine.erasures.erase("anna").certificate.copies
    assert [Path(copy.path).name for copy in copies] == ["anna.jsonl"]


def test_an_export_of_a_whole_store_is_not_one_of_a_namespace(engine: Engine, tmp_path: Path) -> None:
    keep(engine, "The ladder is in the shed")
    engine.upkeep.export_file(tmp_path / "all.jsonl")
    with pytest.raises(InvalidInput, match="is not of one namespace") as caught:
        engine.namespaces.import_file(tmp_path / "all.jsonl", namespace="anna")
    assert "libravdb import" in caught.value.remedy
