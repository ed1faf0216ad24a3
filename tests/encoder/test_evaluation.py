"""How two models are compared."""

from __future__ import annotations

import numpy as np
import pytest
from bench.recall.data import Asked
from bench.recall.paired import compared, interval
from bench.recall.run import Result
from hypothesis import given
from hypothesis import strategies as st
from tools.encoder.corpus import Talk, parse
from tools.encoder.evaluation import (
    cosines,
    moved,
    neighbourhood,
    ranks,
    retrieval,
    sentence_pairs,
    spearman,
    thresholds,
)

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.testing import Vector, WordsEmbedder

CHAT = """# Boats
== 2025-01-01 10:00
Mara [red]: The red boat is in the harbour.
Jo [kite]: My kite flew away.
Mara [lamp]: A lamp stands on the table.
??
single: red boat harbour | red
who: kite flew | kite
single: kite | lamp
none: zebra? | ~ lamp
"""


@pytest.fixture(scope="module")
def minilm() -> OnnxEmbedder:
    return open_minilm()


@pytest.fixture
def talk() -> Talk:
    return parse(CHAT, "x")


@given(st.lists(st.integers(-99, 99), min_size=3, max_size=20, unique=True))
def test_any_growing_function_keeps_the_order(values: list[int]) -> None:
    assert spearman(values, [3 * value + 1 for value in values]) == pytest.approx(1)
    assert spearman(values, [-value for value in values]) == pytest.approx(-1)


def test_equal_values_share_their_place() -> None:
    assert ranks([5, 1, 5, 9]).tolist() == [1.5, 0, 1.5, 3]


def test_the_shipped_model_orders_ordinary_sentences_as_the_original_did(minilm: OnnxEmbedder) -> None:
    """90.2 for all-MiniLM-L6-v2: tuning may cost a point of it, and not more."""
    found = neighbourhood(minilm)

    assert found["spearman"] >= 89.2
    means = [found[f"cosine of grade {grade}"] for grade in range(5)]
    assert means == sorted(means)


def test_the_graded_sentences_are_many_and_of_all_grades() -> None:
    rows = sentence_pairs()

    assert len(rows) >= 150
    assert all(sum(grade == row[0] for row in rows) >= 25 for grade in range(5))
    assert len({(one, other) for _, one, other in rows}) == len(rows)


def test_a_question_counts_when_its_turn_is_among_the_first(talk: Talk) -> None:
    found = retrieval(WordsEmbedder(), [talk])

    assert found["all"]["questions"] == 3  # what cannot be answered is not counted
    assert found["all"]["any@1"] == pytest.approx(200 / 3)
    assert found["single"]["any@1"] == 50
    assert found["who"]["any@1"] == 100
    assert found["all"]["any@5"] == 100


def test_a_model_beside_itself_has_not_moved(talk: Talk, minilm: OnnxEmbedder) -> None:
    found = moved(minilm, minilm, [talk])

    assert found["mean cosine"] == pytest.approx(1, abs=1e-5)


class Halved:
    """A direction of its own in every vector: each two are half as similar as they were."""

    def __init__(self, model: OnnxEmbedder) -> None:
        self._model = model
        self._seen: dict[str, int] = {}

    def embed_query(self, text: str) -> Vector:
        own = np.zeros(400, dtype=np.float32)
        own[self._seen.setdefault(text, len(self._seen))] = 1
        found: Vector = np.concatenate([self._model.embed_query(text), own]) / np.sqrt(np.float32(2))
        return found


def test_thresholds_move_as_the_cosines_do(minilm: OnnxEmbedder) -> None:
    said = dict.fromkeys(sentence for _, *both in sentence_pairs() for sentence in both)

    same, halved = (thresholds(cosines(minilm, said), cosines(model, said)) for model in (minilm, Halved(minilm)))

    for threshold in (0.2, 0.3, 0.5, 0.6):
        assert same[threshold] == pytest.approx(threshold, abs=0.02)
        assert halved[threshold] == pytest.approx(threshold / 2, abs=0.02)


def test_the_interval_is_the_one_of_a_fair_coin() -> None:
    """Of 400 tosses the mean lies within 1.96 standard errors in 95 of 100 samples."""
    low, high = interval([1.0, 0.0] * 200)

    assert low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.006)
    assert high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.006)


def result(measure: float, kind: str = "single") -> Result:
    asked = Asked(
        id="q", kind=kind, text="?", at=None, is_answerable=True, evidence=frozenset("t"), sessions=frozenset()
    )
    return Result(
        question=asked,
        dataset="d",
        namespace="n",
        measures={"any@1": measure},
        milliseconds=0,
        is_silent=False,
        first=(),
        scores=(),
    )


def test_differences_are_told_for_all_and_for_each_kind() -> None:
    before = [result(0), result(1), result(0, "list"), result(0, "list")]
    after = [result(1), result(1), result(0, "list"), result(1, "list")]

    found = compared(before, after)

    assert found["all (4)"]["any@1"][:2] == [25.0, 75.0]
    assert found["kind list (2)"]["any@1"][:2] == [0.0, 50.0]
    low, high = found["all (4)"]["any@1"][2:]
    assert low < 50 < high


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=5, max_size=60))
def test_the_interval_holds_the_mean_and_is_the_same_again(differences: list[float]) -> None:
    low, high = interval(differences)

    assert low - 1e-9 <= float(np.mean(differences)) <= high + 1e-9
    assert (low, high) == interval(differences)
