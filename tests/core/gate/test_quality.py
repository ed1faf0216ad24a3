"""The gate on labelled turns and pairs, with the shipped embedder. The check halves were written before the code."""

from __future__ import annotations

import pytest
from tests.core.gate.labelled import (
    Related,
    judge_turns,
    load_pairs,
    load_turns,
    nearest_memories,
    precision_and_recall,
    relate_pairs,
)
from tests.core.gate.memories import make_memories

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.model import Kin

LEAST = 0.85


SPLITS = ("check", "final")


@pytest.fixture(scope="module")
def minilm() -> OnnxEmbedder:
    return open_minilm()


@pytest.fixture(scope="module")
def durable(minilm: OnnxEmbedder) -> dict[str, tuple[float, ...]]:
    """The cosines of every turn with its nearest of 500 memories."""
    texts = [turn.text for split in SPLITS for turn in load_turns(split)]
    return dict(zip(texts, nearest_memories(minilm, texts), strict=True))


@pytest.fixture(scope="module")
def related(minilm: OnnxEmbedder) -> list[Related]:
    return relate_pairs(load_pairs("check"), minilm)


def test_the_corpus_is_large_and_in_many_languages() -> None:
    turns = [turn for split in ("dev", "check", "final") for turn in load_turns(split)]
    assert len(turns) >= 320
    assert len({turn.language for turn in turns}) >= 6
    assert 0.4 < sum(turn.is_worth for turn in turns) / len(turns) < 0.6
    assert len({turn.text for turn in turns}) == len(turns)


def test_five_hundred_memories_are_distinct_and_always_the_same() -> None:
    assert make_memories() == make_memories()
    assert len(set(make_memories())) == 500


@pytest.mark.parametrize("split", SPLITS)
def test_on_an_empty_memory_the_gate_is_precise_and_complete(split: str) -> None:
    turns = load_turns(split)
    precision, recall = precision_and_recall(judge_turns(turns, [()] * len(turns)))
    assert precision >= LEAST
    assert recall >= LEAST


@pytest.mark.parametrize("split", SPLITS)
def test_beside_five_hundred_memories_the_gate_is_precise_and_complete(
    split: str, durable: dict[str, tuple[float, ...]]
) -> None:
    turns = load_turns(split)
    precision, recall = precision_and_recall(judge_turns(turns, [durable[turn.text] for turn in turns]))
    assert precision >= LEAST
    assert recall >= LEAST


def test_saying_it_ten_times_keeps_small_talk_out() -> None:
    chatter = [turn for turn in load_turns("check") if not turn.is_worth]
    judged = judge_turns(chatter, [()] * len(chatter), turn_cosines=(1.0,) * 10)
    assert [each.turn.text for each in judged if each.verdict.is_admitted] == []


def test_statements_are_merged_only_when_they_are_the_same(related: list[Related]) -> None:
    assert [each.pair for each in related if each.kin is Kin.SAME and each.pair.kin is not Kin.SAME] == []


def test_statements_are_rarely_replaced_by_another_matter(related: list[Related]) -> None:
    wrong = [each for each in related if each.kin is Kin.SUPERSEDES and each.pair.kin is not Kin.SUPERSEDES]
    assert len(wrong) <= 0.03 * len(related)


@pytest.mark.parametrize("kin", [Kin.SAME, Kin.SUPERSEDES])
def test_most_kin_are_found(kin: Kin, related: list[Related]) -> None:
    labelled = [each for each in related if each.pair.kin is kin]
    assert sum(each.kin is kin for each in labelled) >= LEAST * len(labelled)
