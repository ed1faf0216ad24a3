"""What follows ranking: hops and raw recovery."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.recall.hops import hop, hop_targets
from libravdb.core.recall.recovery import needs_raw, reserve, strength
from libravdb.core.recall.settings import RecallSettings
from libravdb.model import Hit, Json, Record

SETTINGS = RecallSettings()


def hit(id: str, score: float = 0.5, **metadata: Json) -> Hit:
    return Hit(record=record(id, **metadata), score=score, breakdown={}, reasons=())


def record(id: str, **metadata: Json) -> Record:
    return Record(collection="lore", id=id, text=id, metadata=metadata, at=0, version=1, access_count=0)


def test_what_a_hit_names_comes_along_at_half_its_score() -> None:
    hits = hop([hit("a", 0.8, hop_targets=["b", "gone"])], {"b": [record("b")]}, share=0.5, least=0.15)
    assert [(one.record.id, one.score) for one in hits] == [("a", 0.8), ("b", 0.4)]
    assert hits[1].reasons == ("named by a, which was found",)


def test_a_weak_hit_pulls_nothing_in() -> None:
    assert len(hop([hit("a", 0.29, hop_targets=["b"])], {"b": [record("b")]}, share=0.5, least=0.15)) == 1


def test_hops_go_one_step_and_leave_what_was_found_as_it_was() -> None:
    targets = {"b": [record("b", hop_targets=["c"])], "c": [record("c")]}
    hits = hop([hit("a", 0.8, hop_targets=["b"]), hit("b", 0.2)], targets, share=0.5, least=0.15)
    assert [(one.record.id, one.score) for one in hits] == [("a", 0.8), ("b", 0.2)]


@pytest.mark.parametrize("targets", [None, "b", 3, [1, None, ""], {"b": 1}])
def test_targets_of_another_shape_name_nothing(targets: Json) -> None:
    assert hop_targets([hit("a", hop_targets=targets)]) == ()


def test_raw_turns_are_needed_when_nothing_or_nothing_good_was_found() -> None:
    assert needs_raw([], SETTINGS) == "nothing was found"
    assert "0.05" in needs_raw([hit("a", 0.05)], SETTINGS)
    assert needs_raw([hit("a", 0.4)], SETTINGS) == ""
    assert needs_raw([hit("a", 0.4, type="summary", confidence=0.2)], SETTINGS).startswith("only summaries")
    assert needs_raw([hit("a", 0.4, type="summary", confidence=0.9)], SETTINGS) == ""
    assert needs_raw([hit("a", 0.4, type="summary"), hit("b", 0.3)], SETTINGS) == ""


def test_what_was_measured_decides_and_the_score_only_where_nothing_was() -> None:
    measured = replace(hit("a", 0.9), breakdown={"strength": 0.08})
    assert strength(measured) == 0.08
    assert "0.08" in needs_raw([measured], SETTINGS)
    assert strength(hit("a", 0.9)) == 0.9


@given(st.integers(-10, 10**9))
def test_the_reserve_is_a_tenth_within_its_bounds_and_within_the_budget(budget: int) -> None:
    kept = reserve(budget, SETTINGS)
    assert 0 <= kept <= max(budget, 0)
    assert kept <= SETTINGS.reserve_most
    assert kept >= min(SETTINGS.reserve_least, max(budget, 0))
    assert reserve(1_000, SETTINGS) == 100
    assert reserve(1_000, replace(SETTINGS, reserve_share=0.0)) == 16
