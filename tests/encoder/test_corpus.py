"""The conversations that the encoder learns from: sound, varied, and split for good."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from bench.recall import data
from tools.encoder.corpus import (
    FOLDER,
    CorpusError,
    Kind,
    Split,
    Talk,
    build,
    check,
    digest,
    faults,
    load,
    parse,
    read,
    shaped,
)

from libravdb.core.ingest.secrets import secrets_in

SOUND = """# Two flatmates
== 2025-03-02 19:20
Nadia: We got the flat!
Tom [deposit]: The deposit: 1,450 euros.
  Due on Friday.
== 2025-03-09 08:05
Nadia [new]: I start at the bakery.
assistant [old]: You worked at the bank.
??
single: How much do they pay up front? | deposit
update: Where does Nadia work? | new < old ~ deposit
none: What is the landlord called? | ~ deposit
"""


@pytest.fixture(scope="module")
def talks() -> list[Talk]:
    return load()


def test_a_conversation_is_read_as_it_is_written() -> None:
    talk = parse(SOUND, "friends/flat")

    assert talk.title == "Two flatmates"
    assert [(turn.speaker, turn.role, turn.name, turn.session) for turn in talk.turns] == [
        ("Nadia", "user", "Nadia", 1),
        ("Tom", "user", "Tom", 1),
        ("Nadia", "user", "Nadia", 2),
        ("assistant", "assistant", "", 2),
    ]
    assert talk.turns[1].text == "The deposit: 1,450 euros.\nDue on Friday."
    assert talk.turns[2].at.isoformat() == "2025-03-09T08:05:00"
    assert talk.names == {"Nadia", "Tom"}
    assert [(q.kind, sorted(q.evidence), sorted(q.outdated), sorted(q.near)) for q in talk.questions] == [
        (Kind.SINGLE, [1], [], []),
        (Kind.UPDATE, [2], [3], [1]),
        (Kind.NONE, [], [], [1]),
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("??\n", "", "no line"),
        ("Nadia: We got", "Nadia We got", "line 3: neither a turn nor a session"),
        ("== 2025-03-09", "== 2025-03-01", "not later"),
        ("== 2025-03-09 08:05", "== spring", "line 6"),
        ("[new]", "[deposit]", "two turns are tagged"),
        ("| deposit\n", "| deposits\n", "no turn is tagged deposits"),
        ("single: How", "simple: How", "not 'kind: question | tags'"),
        ("front? | deposit", "front? deposit", "not 'kind: question | tags'"),
        ("| new < old", "| < old", "every other kind has some"),
        ("called? | ~", "called? |", "'none' has no evidence"),
        ("< old ~ deposit", "< old ~ old", "both sides"),
    ],
)
def test_what_is_wrong_is_told(old: str, new: str, told: str) -> None:
    assert old in SOUND

    with pytest.raises(CorpusError, match=told):
        parse(SOUND.replace(old, new, 1), "friends/flat")


def test_a_turn_before_the_first_session_is_told() -> None:
    with pytest.raises(CorpusError, match="before the first"):
        parse(SOUND.replace("== 2025-03-02 19:20\n", ""), "friends/flat")


def test_a_file_that_is_wrong_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken, poor = tmp_path / "broken.chat", tmp_path / "poor.chat"
    broken.write_bytes(b"\xff\n??\n")
    poor.write_text(SOUND, encoding="utf-8")

    assert check([broken, poor]) > 2

    said = capsys.readouterr()
    assert "broken.chat" in said.err
    assert "poor.chat: 4 turns" in said.err
    assert "1 conversations, 4 turns, 3 questions" in said.out


def test_questions_that_copy_their_answer_are_a_fault() -> None:
    copied = SOUND.replace("How much do they pay up front?", "The deposit euros due Friday")

    assert any("repeat the words" in fault for fault in faults(parse(copied, "a")))
    assert not any("repeat the words" in fault for fault in faults(parse(SOUND, "a")))


def test_every_conversation_is_sound(talks: list[Talk]) -> None:
    assert [f"{talk.id}: {fault}" for talk in talks for fault in faults(talk)] == []
    assert len({talk.id for talk in talks}) == len(talks)


def test_it_is_large_and_varied_enough(talks: list[Talk]) -> None:
    kinds = Counter(question.kind for talk in talks for question in talk.questions)

    assert len(talks) >= 250
    assert kinds.total() >= 4_000
    assert all(kinds[kind] >= 200 for kind in Kind)
    assert sum(bool(question.near) for talk in talks for question in talk.questions) >= 1_000
    assert len({talk.id.partition("/")[0] for talk in talks}) >= 6


def test_no_turn_is_written_twice(talks: list[Talk]) -> None:
    """Written, not permuted: beyond a few words no two conversations say the same."""
    said = Counter(turn.text for talk in talks for turn in talk.turns if len(turn.text) > 60)
    asked = Counter(question.text for talk in talks for question in talk.questions if len(question.text) > 60)

    assert [text for text, count in (said + asked).items() if count > 1] == []


def test_it_holds_no_secret(talks: list[Talk]) -> None:
    assert [turn.text for talk in talks for turn in talk.turns if secrets_in(turn.text)] == []


def test_the_split_depends_on_the_name_alone(talks: list[Talk]) -> None:
    """A conversation that was held back stays so, whatever is added."""
    counts = Counter(talk.split for talk in talks)

    assert parse(SOUND, "friends/allotment-47").split is parse(SOUND + "\n", "friends/allotment-47").split
    assert counts[Split.HELD] >= 40
    assert counts[Split.DEVELOPMENT] >= 25
    assert counts[Split.TRAIN] > counts.total() / 2


def test_the_digest_tells_any_change_of_text_or_evidence() -> None:
    changed = [SOUND, SOUND.replace("1,450", "1,451"), SOUND.replace("| deposit\n", "| new\n")]

    assert len({digest([parse(text, "a")]) for text in changed}) == 3


def test_a_part_of_it_is_what_the_recall_benchmark_reads(tmp_path: Path, talks: list[Talk]) -> None:
    build(Split.HELD, tmp_path)

    found = data.load(tmp_path)

    held = [talk for talk in talks if talk.split is Split.HELD]
    assert [one.id for one in found] == [talk.id for talk in held]
    assert {one.dataset for one in found} == {"chats-held"}
    for one, talk in zip(found, held, strict=True):
        turns = [turn for session in one.sessions for turn in session.turns]
        assert [turn.text for turn in turns] == [turn.text for turn in talk.turns]
        for asked, question in zip(one.questions, talk.questions, strict=True):
            assert asked.is_answerable == (question.kind is not Kind.NONE)
            assert asked.evidence == {turns[place].id for place in question.evidence}


def test_the_shape_names_outdated_and_near_turns() -> None:
    questions = json.loads(json.dumps(shaped(parse(SOUND, "a"), "chats")))["questions"]

    assert (questions[1]["evidence"], questions[1]["outdated"], questions[1]["near"]) == (["t2"], ["t3"], ["t1"])
    assert questions[1]["evidence_sessions"] == ["s2"]


def test_a_file_is_named_by_folder_and_stem_however_it_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another name would be another part."""
    path = min(FOLDER.glob("*/*.chat"))
    monkeypatch.chdir(FOLDER.parent)

    assert read(path).id == read(path.relative_to(FOLDER.parent)).id == f"{path.parent.name}/{path.stem}"


def test_a_file_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check([tmp_path / "nothing.chat"]) == 1
    assert "nothing.chat" in capsys.readouterr().err
