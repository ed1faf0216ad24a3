"""What the encoder learns from is taken from the corpus as the engine would meet it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.encoder.corpus import Split, Talk, load, parse
from tools.encoder.mining import (
    MOST_POSITIVES,
    NEGATIVES,
    Asked,
    Pair,
    Shelf,
    development,
    mine,
    pairs,
    questions,
    write,
)

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.embedders.onnx import OnnxEmbedder

LONG = (
    "Did I tell you that my sister has finally found a new job, after all those letters? She starts in the office of"
    " the harbour in May, on the very first day. And imagine, they will pay her better than the old place ever did."
)
TURNS = [
    "I finally bought a tent for the mountains.",
    "ha, nice",
    "The tent was 240 euros in the winter sale.",
    "My own tent leaks, I bought it years ago.",
    "When did you buy the tent?",
    LONG,
    "The stove needs new gas.",
    "We meet at seven at the station.",
    "Bring the big rope.",
    "ok",
]


@pytest.fixture(scope="module")
def minilm() -> OnnxEmbedder:
    return open_minilm()


@pytest.fixture(scope="module")
def shelf(minilm: OnnxEmbedder) -> Shelf:
    return Shelf(TURNS, minilm)


def asked(**changes: object) -> Asked:
    values: dict[str, object] = {
        "id": "q", "topic": "What did the tent cost?", "evidence": frozenset({2}), "spared": frozenset(), "near": (),
    }  # fmt: skip
    return Asked(**(values | changes))  # type: ignore[arg-type]


def test_a_pair_is_the_answer_and_the_turns_that_look_like_it(shelf: Shelf) -> None:
    (pair,) = pairs(shelf, asked())

    assert pair.positive == TURNS[2]
    assert len(pair.negatives) == NEGATIVES
    assert {TURNS[0], TURNS[3], TURNS[1]} <= set(pair.negatives)  # close in meaning, in words, beside it


def test_named_near_misses_are_taken_first_and_former_values_never(shelf: Shelf) -> None:
    (pair,) = pairs(shelf, asked(near=(8,), spared=frozenset({0, 3})))

    assert pair.negatives[0] == TURNS[8]
    assert not {TURNS[0], TURNS[3]} & set(pair.negatives)


def test_a_turn_of_several_passages_stands_for_the_closest_one(shelf: Shelf) -> None:
    (pair,) = pairs(shelf, asked(topic="Where does she work from spring?", evidence=frozenset({5})))

    assert pair.positive in LONG
    assert "harbour" in pair.positive
    assert "better" not in pair.positive


def test_of_many_answers_the_closest_are_learned(minilm: OnnxEmbedder) -> None:
    many = [f"We also saw bird number {n} at the lake." for n in range(7)]
    shelf = Shelf([*TURNS, *many], minilm)

    found = list(pairs(shelf, asked(topic="Which birds?", evidence=frozenset(range(len(TURNS), len(TURNS) + 7)))))

    assert len({pair.positive for pair in found}) == MOST_POSITIVES


def test_what_only_shares_a_rare_word_is_a_negative_too(minilm: OnnxEmbedder) -> None:
    """The vectors alone would pick turns about birds."""
    birds = [f"A small bird sang on branch {n} this morning." for n in range(8)]
    shelf = Shelf(["The invoice mentions Quorvex in its footer.", *birds, "ok", "I saw a Quorvex bird."], minilm)

    (pair,) = pairs(shelf, asked(topic="Who saw the Quorvex bird?", evidence=frozenset({10})))

    assert "The invoice mentions Quorvex in its footer." in pair.negatives


def test_the_same_words_said_again_are_no_wrong_answer(minilm: OnnxEmbedder) -> None:
    shelf = Shelf([*TURNS, TURNS[2]], minilm)

    (pair,) = pairs(shelf, asked())

    assert TURNS[2] not in pair.negatives


@given(evidence=st.sets(st.integers(0, 9), min_size=1, max_size=3), spared=st.sets(st.integers(0, 9), max_size=2))
def test_nothing_that_answers_or_answered_is_a_negative(shelf: Shelf, evidence: set[int], spared: set[int]) -> None:
    near = tuple({0, 1, 2} - evidence - spared)

    for pair in pairs(shelf, asked(evidence=frozenset(evidence), spared=frozenset(spared - evidence), near=near)):
        innocent = [TURNS[place] for place in evidence | spared]
        assert not [text for text in pair.negatives if any(text in said for said in innocent)]
        assert any(pair.positive in TURNS[place] for place in evidence)
        assert len(set(pair.negatives)) == NEGATIVES


def test_words_find_what_shares_them(shelf: Shelf) -> None:
    assert set(shelf.by_words("rope")) == {8}
    assert shelf.by_words("tent euros")[0] == 2
    assert shelf.by_words("zebra") == []


def test_names_leave_the_question_as_in_the_engine() -> None:
    talk = parse(
        "# T\n== 2025-01-01 10:00\nMara [a]: I paint.\nJo: ok\n??\nsingle: What does Mara do? | a\nnone: Why? | ~ a\n",
        "x",
    )

    assert [one.topic for one in questions(talk)] == ["What does do?"]


def test_a_conversation_to_choose_by_has_every_unit_and_its_questions() -> None:
    talk = parse(
        f"# T\n== 2025-01-01 10:00\nMara [a]: {LONG}\nJo: ok\n??\nlist: What does Mara tell? | a\n", "friends/x"
    )

    found = development(talk)

    assert found["units"] == [[LONG, *_passages(found)], ["ok"]]
    assert found["questions"] == [{"kind": "list", "query": "What does tell?", "evidence": [0]}]


def _passages(found: dict[str, object]) -> list[str]:
    units = found["units"]
    assert isinstance(units, list)
    passages = units[0][1:]
    assert len(passages) > 1
    assert all(passage in LONG for passage in passages)
    return list(passages)


def test_mining_takes_the_training_part_alone_and_gives_the_same_bytes(
    tmp_path: Path, minilm: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    few: dict[Split, list[Talk]] = {split: [] for split in Split}
    for talk in load():
        few[talk.split].append(talk)
    chosen = [few[Split.TRAIN][0], few[Split.DEVELOPMENT][0], few[Split.HELD][0]]
    monkeypatch.setattr("tools.encoder.mining.load", lambda: chosen)

    mine(tmp_path / "a", minilm)
    mine(tmp_path / "b", minilm)

    names = {path.name for path in (tmp_path / "a").iterdir()}
    assert names == {"pairs.jsonl.gz", "dev.jsonl.gz", "conversations.json"}
    assert all((tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes() for name in names)
    rows = [json.loads(line) for line in gzip.decompress((tmp_path / "a/pairs.jsonl.gz").read_bytes()).splitlines()]
    assert {row["question"].rpartition("-")[0] for row in rows} == {few[Split.TRAIN][0].id}
    assert list(json.loads((tmp_path / "a/conversations.json").read_text())) == [few[Split.TRAIN][0].id]
    assert set(rows[0]) == {"question", "query", "positive", "negatives"}


def test_rows_are_written_one_a_line(tmp_path: Path) -> None:
    write(tmp_path / "x.gz", [{"a": "ü"}, {"a": 2}])

    assert gzip.decompress((tmp_path / "x.gz").read_bytes()).decode() == '{"a": "ü"}\n{"a": 2}\n'


def test_a_pair_needs_enough_wrong_answers(minilm: OnnxEmbedder) -> None:
    assert list(pairs(Shelf(TURNS[:4], minilm), asked())) == []
    assert isinstance(next(iter(pairs(Shelf(TURNS, minilm), asked()))), Pair)
