"""Quality: cosines that stay in their range for any vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from libravdb.core.compaction.quality import UNKNOWN, Quality, is_about, is_worth_abstracting, mean_gate, measure, trust
from libravdb.model import Source

Row = NDArray[np.float32]
ROWS = st.lists(st.floats(width=32), min_size=3, max_size=3).map(lambda row: np.array(row, dtype=np.float32))


def row(*values: float) -> Row:
    return np.array(values, dtype=np.float32)


def judged(*gates: float | None) -> list[Source]:
    return [Source(id=str(place), text="x", at=place, gate=gate) for place, gate in enumerate(gates)]


@given(ROWS, st.lists(ROWS, max_size=5), st.none() | st.floats())
def test_every_measure_is_a_number_in_its_range(summary: Row, sources: list[Row], model: float | None) -> None:
    found = trust(measure(summary, sources), model)
    assert -1 <= found.align <= 1
    assert 0 <= found.cover <= 1
    assert 0 <= found.confidence <= 1
    assert math.isclose(found.decay_rate, 1 - found.confidence)


def test_align_is_the_cosine_with_the_middle_and_cover_the_mean_with_each() -> None:
    found = measure(row(1, 0), [row(2, 0), row(0, 3)])
    assert math.isclose(found.align, math.sqrt(0.5), rel_tol=1e-6)
    assert math.isclose(found.cover, 0.5)
    assert math.isclose(found.confidence, (math.sqrt(0.5) + 0.5) / 2, rel_tol=1e-6)


def test_an_opposite_source_covers_nothing_instead_of_less_than_nothing() -> None:
    assert measure(row(1, 0), [row(1, 0), row(-1, 0), row(-1, 0)]).cover == pytest.approx(1 / 3)


def test_without_vectors_nothing_is_claimed() -> None:
    assert measure(None, [row(1, 0)]) == UNKNOWN == measure(row(1, 0), [])
    assert not is_about(UNKNOWN)


@pytest.mark.parametrize(("align", "expected"), [(0.65, True), (0.649, False), (math.nan, False)])
def test_an_abstractive_draft_must_be_about_its_sources(align: float, expected: bool) -> None:  # noqa: FBT001 - a table
    assert is_about(Quality(align=align, cover=0.9, confidence=0.9)) is expected


def test_a_model_counts_a_fifth() -> None:
    measured = Quality(align=0.8, cover=0.6, confidence=0.7)
    assert trust(measured, 0.2).confidence == pytest.approx(0.8 * 0.7 + 0.2 * 0.2)
    assert trust(measured, 7.0).confidence == pytest.approx(0.8 * 0.7 + 0.2)
    assert trust(measured, None) == measured == trust(measured, math.nan)


def test_a_cluster_is_worth_a_model_from_a_mean_gate_score_on() -> None:
    assert is_worth_abstracting(judged(0.5, 0.7), least=0.6)
    assert is_worth_abstracting(judged(0.6, None, math.nan), least=0.6)
    assert not is_worth_abstracting(judged(0.5, 0.6), least=0.6)
    assert not is_worth_abstracting(judged(), least=0.1)
    assert is_worth_abstracting(judged(), least=0)
    assert mean_gate(judged(None)) is None
