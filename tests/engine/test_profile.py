"""The profile over a real engine: it follows its memories, keeps its bytes, obeys the person, and leaves nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.chats import Clock
from tests.support import examples, open_words_engine

from libravdb.core.assembly.settings import AssemblySettings
from libravdb.engine.engine import Engine
from libravdb.engine.known_profiles import FEW
from libravdb.engine.pages import every_record
from libravdb.engine.profile_records import BUILT
from libravdb.engine.settings import EngineSettings
from libravdb.errors import InvalidInput, NotFound
from libravdb.model import Key, Profile, ProfileLine
from libravdb.model.collections import durable_memory, profile_of, raw_turns, turn_history
from libravdb.testing import WordsEmbedder

TOM, ANA = "tom", "ana"
STRICT = EngineSettings(assembly=AssemblySettings(strict=True))
ALLERGY, NAME, HOME = "I'm allergic to walnuts.", "My name is Tom.", "I live in Graz."
MOVED, SISTER = "I moved to Vienna.", "My sister Ana lives in Porto."
COOK = "What should I cook for us tonight?"


def opened(folder: Path) -> Engine:
    return open_words_engine(folder / "m.libravdb", WordsEmbedder(), settings=STRICT, clock=Clock())


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(tmp_path) as one:
        yield one


def say(engine: Engine, *texts: str, who: str = TOM, session: str = "s") -> None:
    for text in texts:
        engine.conversations.ingest(text, session=session, namespace=who)


def shown(engine: Engine, who: str = TOM) -> list[str]:
    return [line.text for line in engine.profile.show(namespace=who).lines]


def line_of(engine: Engine, text: str, who: str = TOM) -> ProfileLine:
    return next(line for line in engine.profile.show(namespace=who).lines if line.text == text)


def rules(engine: Engine, prompt: str = COOK, *, who: str = TOM, budget: int = 2_000, session: str = "new") -> str:
    return engine.prompts.assemble(prompt, session=session, namespace=who, budget=budget).rules


# ── what stands there ─────────────────────────────────────────────────────────────────────────────────────


def test_who_asks_what_to_cook_is_not_given_walnuts(engine: Engine) -> None:
    say(engine, NAME, HOME, SISTER, "I work as a nurse.", ALLERGY, session="old")
    made = engine.prompts.assemble(COOK, session="new", namespace=TOM, budget=600)
    assert ALLERGY in made.rules
    assert made.tokens <= 600
    told = engine.prompts.explain(made.receipt, namespace=TOM)
    assert any("health, from old/" in word for word in told.words)
    assert any(word.startswith("profile: ") for word in told.words)


def test_a_newer_value_takes_the_place_of_the_old_one(engine: Engine) -> None:
    say(engine, HOME, MOVED)
    assert shown(engine) == [MOVED]


def test_it_follows_what_is_kept_on_request(engine: Engine) -> None:
    memory = engine.memories.remember(ALLERGY, collection=durable_memory(TOM), id="walnut")
    engine.memories.remember("I live in Rome.", collection="notebook")
    assert shown(engine) == [ALLERGY]
    assert line_of(engine, ALLERGY).source == memory.record.id
    engine.memories.remember(HOME, collection=durable_memory(TOM), id="walnut", replace=True)
    assert shown(engine) == [HOME]
    engine.memories.remember("The ladder is in the shed.", collection=durable_memory(TOM), id="walnut", replace=True)
    assert shown(engine) == []


def test_what_an_assistant_says_is_no_fact_about_the_person(engine: Engine) -> None:
    engine.conversations.ingest({"role": "assistant", "content": HOME}, session="s", namespace=TOM)
    told = {"role": "assistant"}
    engine.memories.remember(HOME, collection=durable_memory(TOM), metadata=told)
    assert shown(engine) == []


def test_it_stands_in_the_same_commit_as_its_memory(engine: Engine) -> None:
    say(engine, ALLERGY)
    with engine._store.read() as snapshot:
        (source,) = every_record(snapshot, profile_of(TOM))
        memory = Key(durable_memory(TOM), str(source.metadata["source_memory_id"]))
        assert memory in snapshot.records([memory])
        stats = engine._store.maintenance.stats()
    assert source.text == ""
    assert stats.unembedded == 0


def test_two_people_never_see_each_other(engine: Engine) -> None:
    say(engine, ALLERGY, session="shared")
    say(engine, "I'm allergic to peanuts.", who=ANA, session="shared")
    assert shown(engine) == [ALLERGY]
    assert "peanuts" not in rules(engine, session="shared")
    assert "walnuts" not in rules(engine, who=ANA, session="shared")
    with pytest.raises(NotFound):
        engine.profile.forget(line_of(engine, ALLERGY).id, namespace=ANA)
    assert shown(engine) == [ALLERGY]


# ── it follows its memories ───────────────────────────────────────────────────────────────────────────────


def test_a_memory_that_is_forgotten_takes_its_lines_along_and_the_value_before_comes_back(engine: Engine) -> None:
    say(engine, HOME, MOVED)
    engine.deletions.forget(durable_memory(TOM), [line_of(engine, MOVED).source])
    assert shown(engine) == [HOME]


@pytest.mark.parametrize("place", [raw_turns("s"), turn_history(TOM)])
def test_a_turn_that_is_forgotten_takes_its_lines_along(engine: Engine, place: str) -> None:
    say(engine, ALLERGY)
    line = line_of(engine, ALLERGY)
    engine.profile.edit(line.id, "No walnuts for me.", namespace=TOM)
    (turn,) = engine.memories.latest(place, limit=1)
    engine.deletions.forget(place, [turn.id])
    assert shown(engine) == []
    with engine._store.read() as snapshot:
        assert list(every_record(snapshot, profile_of(TOM))) == []


def test_it_follows_when_a_memory_is_restored(engine: Engine) -> None:
    say(engine, "I live in Graz and I have a dog called Rex.", MOVED)
    old = engine.memories.latest(durable_memory(TOM), limit=9)[-1]
    outdated = old.metadata.get("superseded_by") is not None
    assert outdated
    assert shown(engine)[0] == MOVED
    engine.gate.restore(old.id, namespace=TOM)
    assert engine.profile.show(namespace=TOM) == engine.profile.rebuild(namespace=TOM)


def test_memories_that_are_dropped_or_removed_leave_no_line(engine: Engine) -> None:
    say(engine, ALLERGY, HOME)
    engine.deletions.remove(durable_memory(TOM), [line_of(engine, ALLERGY).source])
    assert shown(engine) == [HOME]
    engine.deletions.flush([durable_memory(TOM)])
    assert shown(engine) == []


def test_a_namespace_that_is_deleted_or_erased_leaves_nothing_of_its_profile(engine: Engine) -> None:
    say(engine, ALLERGY, HOME)
    say(engine, HOME, who=ANA)
    engine.profile.pin(line_of(engine, ALLERGY).id, namespace=TOM)
    rules(engine)
    certificate = engine.erasures.erase(TOM).certificate
    counts = {one.kind: one.count for one in certificate.erased}
    assert counts["profile_lines"] == 3
    assert shown(engine) == []
    assert rules(engine) == ""
    with engine._store.read() as snapshot:
        assert profile_of(TOM) not in {info.name for info in snapshot.collections().items}
    assert shown(engine, ANA) == [HOME]
    engine.deletions.flush_namespace(ANA)
    assert shown(engine, ANA) == []


def test_an_export_holds_it_and_an_import_of_an_older_one_is_read(engine: Engine, tmp_path: Path) -> None:
    say(engine, ALLERGY, HOME)
    engine.profile.pin(line_of(engine, HOME).id, namespace=TOM)
    engine.upkeep.export_file(tmp_path / "all.jsonl")
    engine.upkeep.export_file(tmp_path / "old.jsonl", collections=[durable_memory(TOM)])
    for name in ("all", "old"):
        (tmp_path / name).mkdir()
        with opened(tmp_path / name) as other:
            assert shown(other) == []
            other.upkeep.import_file(tmp_path / f"{name}.jsonl")
            assert shown(other) == [ALLERGY, HOME]
            assert line_of(other, HOME).is_pinned is (name == "all")


# ── stores of an earlier edition ──────────────────────────────────────────────────────────────────────────


def made_old(engine: Engine) -> None:
    """The store as an earlier edition would have left it."""
    engine.deletions.flush([profile_of(TOM)])


def test_memories_of_an_earlier_edition_are_read_at_the_first_look(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        say(engine, ALLERGY, HOME)
        made_old(engine)
    with opened(tmp_path) as engine:
        say(engine, NAME)
        assert ALLERGY in rules(engine)
        assert shown(engine) == [ALLERGY, NAME, HOME]


def test_of_many_memories_it_is_noted_that_they_were_read(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        for number in range(FEW + 5):
            text = f"The {number}th box holds screws of size {number}."
            engine.memories.remember(text, collection=durable_memory(TOM))
        engine.memories.remember(ALLERGY, collection=durable_memory(TOM))
        made_old(engine)
    with opened(tmp_path) as engine:
        assert shown(engine) == [ALLERGY]
        assert engine.memories.get(profile_of(TOM), BUILT) is not None
        made_old(engine)
        assert shown(engine) == []  # of this process it is known that all was read
        assert [line.text for line in engine.profile.rebuild(namespace=TOM).lines] == [ALLERGY]


def test_asking_for_the_profile_of_somebody_unknown_writes_nothing(engine: Engine) -> None:
    assert engine.profile.show(namespace="nobody") == Profile(namespace="nobody", lines=())
    rules(engine, who="nobody")
    assert profile_of("nobody") not in {info.name for info in engine.memories.collections()}


# ── what the person does ──────────────────────────────────────────────────────────────────────────────────


def test_a_pinned_line_stays_until_it_is_let_go(engine: Engine) -> None:
    say(engine, HOME)
    line = line_of(engine, HOME)
    assert engine.profile.pin(line.id, namespace=TOM).is_pinned
    say(engine, MOVED)
    assert shown(engine) == [HOME]
    engine.profile.pin(line.id, namespace=TOM, is_pinned=False)
    assert shown(engine) == [MOVED]


def test_a_correction_stands_until_something_newer_is_said(engine: Engine) -> None:
    say(engine, HOME)
    line = engine.profile.edit(line_of(engine, HOME).id, "  I live in Graz,\nby the river. ", namespace=TOM)
    assert (line.text, line.is_edited) == ("I live in Graz, by the river.", True)
    say(engine, NAME)
    assert shown(engine) == [NAME, "I live in Graz, by the river."]
    engine.profile.rebuild(namespace=TOM)
    assert shown(engine) == [NAME, "I live in Graz, by the river."]
    say(engine, MOVED)
    assert shown(engine) == [NAME, MOVED]


def test_what_is_forgotten_comes_back_only_when_it_is_said_anew(engine: Engine) -> None:
    say(engine, ALLERGY, HOME, MOVED)
    engine.profile.forget(line_of(engine, MOVED).id, namespace=TOM)
    engine.profile.forget(line_of(engine, ALLERGY).id, namespace=TOM)
    assert shown(engine) == []
    assert [line.text for line in engine.profile.rebuild(namespace=TOM).lines] == []
    with engine._store.read() as snapshot:
        assert not any("walnuts" in str(record) for record in every_record(snapshot, profile_of(TOM)))
    say(engine, "I live in Linz now.")
    assert shown(engine) == ["I live in Linz now."]


def test_what_cannot_be_is_refused_with_a_remedy(engine: Engine) -> None:
    say(engine, HOME)
    id = line_of(engine, HOME).id
    with pytest.raises(NotFound, match=f"Did you mean '{id}'"):
        engine.profile.pin(id[:-1], namespace=TOM)
    with pytest.raises(InvalidInput, match="is empty"):
        engine.profile.edit(id, " \n", namespace=TOM)
    with pytest.raises(InvalidInput, match="at most 300"):
        engine.profile.edit(id, "x" * 301, namespace=TOM)
    with pytest.raises(NotFound, match="profile show"):
        engine.profile.forget("", namespace=TOM)


# ── the same bytes ────────────────────────────────────────────────────────────────────────────────────────


def test_unrelated_turns_leave_its_bytes_alone(engine: Engine) -> None:
    say(engine, ALLERGY, NAME)
    before = rules(engine)
    for text in (
        "The build broke at noon again.",
        "We decided to use Postgres 16.",
        "thanks!",
        "Our rent is 900 euros.",
    ):
        say(engine, text)
        assert rules(engine, f"What about it: {text}") == before
    say(engine, HOME)
    assert rules(engine) != before


FACTS = (ALLERGY, NAME, HOME, SISTER)


def profile_after(texts: Sequence[str]) -> list[tuple[str, str]]:
    with TemporaryDirectory() as folder, opened(Path(folder)) as engine:
        say(engine, *texts)
        return [(line.id, line.text) for line in engine.profile.show(namespace=TOM).lines]


def test_the_order_of_independent_facts_does_not_matter() -> None:
    orders = list(permutations(FACTS))[::7]
    assert len({tuple(profile_after(order)) for order in orders}) == 1


SAYINGS = (*FACTS, MOVED, "I'm no longer allergic to walnuts.", "I work as a nurse.", "I'm a teacher now.", "ok")


@settings(max_examples=examples(15), deadline=None)
@given(st.integers(0, 2**32))
def test_reading_all_memories_again_changes_nothing(seed: int) -> None:
    draw = Random(seed)
    with TemporaryDirectory() as folder, opened(Path(folder)) as engine:
        for _ in range(draw.randrange(1, 9)):
            say(engine, draw.choice(SAYINGS), session=draw.choice(("s", "t")))
            lines = engine.profile.show(namespace=TOM).lines
            memories = engine.memories.latest(durable_memory(TOM), limit=9)
            match draw.randrange(6):
                case 0 if memories:
                    engine.deletions.forget(durable_memory(TOM), [draw.choice(memories).id])
                case 1 if lines:
                    engine.profile.forget(draw.choice(lines).id, namespace=TOM)
                case 2 if lines:
                    engine.profile.pin(draw.choice(lines).id, namespace=TOM, is_pinned=draw.random() < 0.5)
                case 3 if lines:
                    engine.profile.edit(draw.choice(lines).id, "I said otherwise.", namespace=TOM)
                case 4 if outdated := [one.id for one in memories if one.metadata.get("superseded_by")]:
                    engine.gate.restore(outdated[0], namespace=TOM)
        before = engine.profile.show(namespace=TOM)
        assert engine.profile.rebuild(namespace=TOM) == before


def test_a_forgotten_line_comes_back_when_it_is_said_anew_in_the_same_words(engine: Engine) -> None:
    say(engine, HOME, ALLERGY)
    engine.profile.forget(line_of(engine, HOME).id, namespace=TOM)
    engine.profile.rebuild(namespace=TOM)
    assert shown(engine) == [ALLERGY]
    say(engine, HOME, session="later")
    assert shown(engine) == [ALLERGY, HOME]
    engine.profile.rebuild(namespace=TOM)
    assert shown(engine) == [ALLERGY, HOME]
