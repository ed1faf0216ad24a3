"""Standing wishes count from the moment they are said: in every later prompt of their person, in every session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support import examples, open_words_engine

from libravdb.core.authored.deontic import rules as read_rules
from libravdb.engine.engine import Engine
from libravdb.errors import InvalidInput, NotFound
from libravdb.testing import WordsEmbedder

ANNA, BEN = "anna", "ben"
GERMAN = "From now on answer in German."
BRIEF = "I prefer short answers."
CASE = "When you write SQL use upper-case keywords."


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with open_words_engine(tmp_path / "m.libravdb", WordsEmbedder()) as opened:
        yield opened


def say(engine: Engine, text: str, id: str = "", *, session: str = "old", who: str = ANNA, **more: object) -> None:
    message = {"role": "user", "content": text, **({"id": id} if id else {}), **more}
    engine.conversations.ingest(message, session=session, namespace=who)


def guidance(
    engine: Engine, prompt: str = "hello", *, who: str = ANNA, budget: int = 2_000, session: str = "new"
) -> str:
    made = engine.prompts.assemble(prompt, session=session, namespace=who, budget=budget)
    return made.closing.partition("<elevated_guidance")[2].partition("</elevated_guidance>")[0]


def texts(engine: Engine, *, who: str = ANNA, everything: bool = False) -> list[str]:
    return [wish.text for wish in engine.guidance.list(namespace=who, everything=everything)]


# ── from the moment they are said ─────────────────────────────────────────────────────────────────────────


@pytest.mark.over_postgres
@pytest.mark.parametrize("prompt", ["", "hello", "17 * 23", "Where is the harbour?"])
def test_a_general_wish_stands_in_every_prompt_of_a_new_session(engine: Engine, prompt: str) -> None:
    say(engine, f"What a day, the bus was late. {GERMAN} My cat is called Tom.")
    told = guidance(engine, prompt)
    assert GERMAN in told
    assert "cat" not in told


def test_a_wish_about_a_subject_stands_where_it_is_asked_for(engine: Engine) -> None:
    say(engine, CASE)
    assert CASE in guidance(engine, "write SQL keywords for me")
    assert CASE not in guidance(engine, "hello")


def test_several_wishes_of_one_turn_all_count_and_the_turn_itself_can_be_recalled(engine: Engine) -> None:
    say(engine, f"{GERMAN} {BRIEF} My sister Clara moved to Lisbon.", "u1")
    made = engine.prompts.assemble("Where did my sister Clara move?", session="new", namespace=ANNA, budget=2_000)
    assert GERMAN in made.closing
    assert BRIEF in made.closing
    assert "My sister Clara moved to Lisbon." in made.closing.partition("<recalled_memories")[2]


def test_the_same_turn_and_the_same_words_again_change_nothing(engine: Engine) -> None:
    for _ in range(2):
        say(engine, GERMAN, "u1")
    say(engine, "from now on, answer in german!", "u2", session="other")
    assert texts(engine, everything=True) == [GERMAN]


def test_what_the_model_sees_anyway_is_not_shown_twice(engine: Engine) -> None:
    say(engine, f"Good morning. {GERMAN}", "u1", session="s")
    made = engine.prompts.assemble("hello", session="s", namespace=ANNA, budget=2_000)
    assert (made.opening + made.closing).count(GERMAN) == 1


def test_a_wish_is_its_owners_alone(engine: Engine) -> None:
    say(engine, GERMAN, session="main")
    say(engine, "Nice weather today.", session="main", who=BEN)
    assert GERMAN not in guidance(engine, who=BEN, session="main")
    assert texts(engine, who=BEN) == []


def test_only_a_user_wishes(engine: Engine) -> None:
    engine.conversations.ingest({"role": "assistant", "content": GERMAN}, session="s", namespace=ANNA)
    engine.conversations.ingest({"role": "tool", "content": GERMAN}, session="s", namespace=ANNA)
    assert texts(engine) == []


def test_friends_who_talk_with_one_another_leave_no_wishes(engine: Engine) -> None:
    talk = [
        {"role": "user", "content": text, "name": name}
        for name, text in (("Mia", "Call me Mimi."), ("Lou", "ok Mimi, always answer me in English please"))
    ]
    engine.conversations.ingest_batch(talk, session="friends", namespace=ANNA)
    assert texts(engine) == []


def test_secrets_are_masked_in_wishes_too(engine: Engine) -> None:
    secret = "hunter" + "2-Zwiebel!"
    say(engine, f"From now on always answer in German, my password is {secret}")
    assert secret not in repr(engine.guidance.list(namespace=ANNA, everything=True))


# ── the newest counts ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.over_postgres
def test_a_contrary_wish_replaces_the_older_one_and_forgetting_it_brings_that_back(engine: Engine) -> None:
    say(engine, GERMAN, "u1", session="a")
    say(engine, "Please answer in English again from now on.", "u2", session="b")
    assert texts(engine) == ["Please answer in English again from now on."]
    assert GERMAN not in guidance(engine)
    assert len(texts(engine, everything=True)) == 2
    engine.deletions.forget("session_raw:b", ["u2"])
    assert texts(engine) == [GERMAN]
    assert GERMAN in guidance(engine, session="newer")
    say(engine, "Answer in French from now on.", session="c")
    assert texts(engine) == ["Answer in French from now on."]


def test_a_batch_that_changes_its_mind_keeps_the_last(engine: Engine) -> None:
    messages = [{"role": "user", "content": text} for text in (GERMAN, "Answer in French from now on.")]
    engine.conversations.commit_turn(messages, session="s", namespace=ANNA, key="k")
    assert texts(engine) == ["Answer in French from now on."]


def test_a_removed_wish_counts_no_more_and_compaction_does_not_bring_it_back(engine: Engine) -> None:
    say(engine, GERMAN, "u1", session="s")
    (wish,) = engine.guidance.list(namespace=ANNA)
    assert engine.guidance.remove(wish.id, namespace=ANNA).removed_at is not None
    for n in range(30):
        say(engine, f"The {n}th letter came from Ghent, with a stamp of 1911.", f"t{n}", session="s")
    engine.compaction.compact("s", minimum_turns=0)
    assert texts(engine) == []
    assert GERMAN not in guidance(engine, "answer in German", session="s")
    with pytest.raises(InvalidInput, match="removed before"):
        engine.guidance.remove(wish.id, namespace=ANNA)
    with pytest.raises(NotFound, match="standing wish"):
        engine.guidance.remove(wish.id, namespace=BEN)


def test_a_wish_that_is_protected_again_is_shown_once(engine: Engine) -> None:
    say(engine, f"Morning. {GERMAN}", "u1", session="s")
    for n in range(200):
        say(engine, f"The {n}th letter came from Ghent, with a stamp of 1911.", f"t{n}", session="s")
    engine.compaction.compact("s", minimum_turns=0)
    for session in ("s", "new"):
        assert guidance(engine, "answer in German", session=session).count(GERMAN) == 1


# ── deletion ──────────────────────────────────────────────────────────────────────────────────────────────


def test_deleting_its_turn_deletes_a_wish(engine: Engine) -> None:
    say(engine, f"Good morning. {GERMAN}", "u1", session="s")
    engine.deletions.forget("session_raw:s", ["u1"])
    assert texts(engine, everything=True) == []
    assert list(engine.upkeep.verify()) == []


@pytest.mark.over_postgres
def test_a_deleted_namespace_leaves_no_wish(engine: Engine) -> None:
    say(engine, GERMAN)
    engine.deletions.flush_namespace(ANNA)
    assert texts(engine, everything=True) == []


# ── the prompt ────────────────────────────────────────────────────────────────────────────────────────────


def test_under_a_small_budget_the_newest_wishes_stand_there_in_the_order_of_time(engine: Engine) -> None:
    wishes = [GERMAN, "No emojis please.", "Use metric units.", "Call me Max.", "Always cite your sources."]
    for n, text in enumerate(wishes):
        say(engine, text, f"u{n}", timestamp=1_700_000_000_000 + 1_000 * n)
    every = guidance(engine)
    assert [text for text in sorted(wishes, key=every.find) if text in every] == wishes
    few = guidance(engine, budget=700)
    assert wishes[-1] in few
    assert wishes[0] not in few
    assert guidance(engine, budget=700) == few


def test_a_receipt_tells_why_a_wish_stands_there(engine: Engine) -> None:
    say(engine, GERMAN, timestamp=1_700_000_000_000)
    guidance(engine)
    told = "\n".join(engine.prompts.explain(namespace=ANNA).words)
    assert "a standing wish, said on 2023-11-14" in told


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    said=st.lists(
        st.tuples(
            st.sampled_from([ANNA, BEN]),
            st.sampled_from([GERMAN, BRIEF, CASE, "Answer in French from now on.", "Hello there.", "Call me Max."]),
        ),
        max_size=8,
    )
)
def test_whatever_is_said_wishes_stay_with_their_owner_and_prompts_are_stable(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, str]]
) -> None:
    with open_words_engine(tmp_path_factory.mktemp("wishes") / "m.libravdb", WordsEmbedder()) as engine:
        for n, (who, text) in enumerate(said):
            say(engine, text, f"u{n}", session=f"s{n % 2}", who=who)
        for who in (ANNA, BEN):
            own = {text for speaker, text in said if speaker == who}
            assert set(texts(engine, who=who, everything=True)) <= own
            assert len(texts(engine, who=who)) == len(set(texts(engine, who=who)))
            assert guidance(engine, who=who) == guidance(engine, who=who)


# ── compaction ────────────────────────────────────────────────────────────────────────────────────────────


def test_compaction_protects_sentences_and_nothing_that_people_say_to_one_another(tmp_path: Path) -> None:
    said = [
        "Take care! See you on Monday.",
        "Never give up, you can do it!",
        "You should rest. Always follow your heart.",
        "Please fix the test.",
        "The bus was late again. Never deploy to production on a Friday. My cat is asleep.",
    ]
    with open_words_engine(tmp_path / "m.libravdb", WordsEmbedder(), read_rules=read_rules) as engine:
        for n, text in enumerate(said):
            say(engine, text, f"r{n}", session="s")
            say(engine, f"The {n}th letter came from Ghent, with a stamp of 1911, and was read aloud.", session="s")
        for n in range(20):
            say(engine, f"The {n}th parcel came from Bruges, with a stamp of 1912.", f"t{n}", session="s")
        engine.compaction.compact("s", minimum_turns=0)
        for name in ("elevated:session:s", "elevated:user:anna"):
            kept = [record.text for record in engine.memories.latest(name, limit=99)]
            assert kept == ["Never deploy to production on a Friday."]


# ── what stands beside ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("From now on don't suggest meat.", "From now on don't suggest alcohol."),
        ("From now on ask me before deleting files.", "From now on ask me before sending emails."),
        ("Frag mich ab jetzt, bevor du Dateien löschst.", "Frag mich ab jetzt, bevor du Mails sendest."),
        ("A partir de ahora no sugieras carne.", "A partir de ahora no sugieras alcohol."),
        ("Call me Max.", "Don't call me before nine."),
    ],
)
def test_a_wish_that_only_begins_alike_leaves_the_other_in_place(engine: Engine, one: str, other: str) -> None:
    say(engine, one)
    say(engine, other)
    assert sorted(texts(engine)) == sorted([one, other])


def test_wishes_that_differ_only_in_a_sign_are_two(engine: Engine) -> None:
    say(engine, "Always write code in C++.")
    say(engine, "Always write code in C#.")
    assert "Always write code in C#." in texts(engine)


def test_a_wish_said_meanwhile_counts_for_the_same_question_asked_again(engine: Engine) -> None:
    """A host that asks the same at every hour, with nothing said in its session between."""
    say(engine, GERMAN, "u1", session="a")
    assert GERMAN in guidance(engine, "news?", session="hourly")
    say(engine, "From now on answer in French.", "u2", session="b")
    told = guidance(engine, "news?", session="hourly")
    assert "answer in French" in told
    assert GERMAN not in told
