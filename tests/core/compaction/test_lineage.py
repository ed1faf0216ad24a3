"""Lineage: every summary knows its sources, and every raw turn is found again."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from graphlib import TopologicalSorter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.compaction.clusters import plan
from libravdb.core.compaction.lineage import (
    coverage_edges,
    expand,
    holders,
    read_source,
    summary_id,
    summary_metadata,
    trace,
)
from libravdb.errors import InvalidInput
from libravdb.model import Edge, Json, Record, Source


def turns_below(edges: Sequence[Edge], summary: str) -> tuple[str, ...]:
    def children(parent: str) -> list[Edge]:
        return sorted((edge for edge in edges if edge.parent == parent), key=lambda edge: edge.position)

    return tuple(edge.child for edge in expand(children, summary, depth=10_000))


def turn(place: int) -> Source:
    return Source(id=f"t{place}", text="x", at=1000 + place)


def fold(sources: list[Source], now: int) -> tuple[Source, tuple[Edge, ...]]:
    lineage = trace(sources, method="extractive", confidence=0.5, compacted_at=now)
    id = summary_id("s", lineage.source_ids)
    summary = Source(id=id, text="x", at=lineage.last_at, first_at=lineage.first_at, level=lineage.level)
    return summary, coverage_edges(sources, session="s", parent=id, compacted_at=now)


@given(st.lists(st.integers(0, 30), max_size=12), st.integers(2, 6), st.randoms(use_true_random=False))
def test_after_any_number_of_compactions_every_turn_is_reached_in_order(
    batches: list[int], target: int, chance: random.Random
) -> None:
    """Turns come in batches; after each the older ones are folded, some clusters being declined by chance."""
    view: list[Source] = []
    edges: list[Edge] = []
    said: list[str] = []
    for now, batch in enumerate(batches):
        fresh = [turn(len(said) + place) for place in range(batch)]
        said += [each.id for each in fresh]
        view += fresh
        kept: list[Source] = []
        for cluster in plan(view, edges=range(len(view)), target=target):
            inside = view[cluster.start : cluster.end]
            if cluster.declined or chance.random() < 0.2:
                kept += inside
                continue
            summary, covering = fold(inside, now)
            assert summary.level == cluster.level
            assert turns_below([*edges, *covering], summary.id)
            kept.append(summary)
            edges += covering
        view = kept
    reached = [id for source in view for id in (turns_below(edges, source.id) if source.is_summary else (source.id,))]
    assert reached == said
    order = TopologicalSorter[str]()
    for edge in edges:
        order.add(edge.parent, edge.child)
    order.prepare()  # raises when there is a circle
    assert [source.at for source in view] == sorted(source.at for source in view)


def test_an_id_is_made_from_the_session_and_the_sources() -> None:
    assert summary_id("s", ["a", "b"]) == f"summary:{sha256(b's:a,b').hexdigest()[:16]}"
    assert summary_id("s", ["a"]) != summary_id("t", ["a"])


def test_a_summary_without_sources_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least one"):
        trace([], method="extractive", confidence=1.0, compacted_at=1)


def test_the_metadata_is_that_of_the_protocol() -> None:
    older = Source(id="summary:1", text="x", at=20, first_at=5, level=2)
    leant_on = [Source(id="summary:0", text="", at=1, level=1)]
    lineage = trace(
        [older, turn(0)], method="onnx", confidence=0.7, compacted_at=99, support=leant_on, support_tokens=12
    )
    metadata = summary_metadata(
        lineage,
        session="s",
        user="u",
        tokens=30,
        source_tokens=100,
        align=0.8,
        cover=0.6,
        measured=0.7,
        model_confidence=0.5,
        gate=0.4,
        survival={"number": 0.5},
        facts=(1, 2),
    )
    assert metadata == {
        "gating_score": 0.4,
        "type": "summary",
        "ts": 1000,
        "sessionId": "s",
        "userId": "u",
        "source_ids": ["summary:1", "t0"],
        "method": "onnx",
        "token_count": 30,
        "confidence": 0.7,
        "decay_rate": pytest.approx(0.3),
        "compacted_at": 99,
        "nomic_align": 0.8,
        "nomic_cover": 0.6,
        "confidence_nomic": 0.7,
        "confidence_t5": 0.5,
        "continuity_lineage": {
            "source_ids": ["summary:1", "t0"],
            "source_turn_ids": ["t0"],
            "parent_summary_ids": ["summary:1"],
            "source_ts_min": 5,
            "source_ts_max": 1000,
            "compacted_at": 99,
            "method": "onnx",
            "confidence": 0.7,
            "support_summary_ids": ["summary:0"],
            "support_tokens": 12,
        },
        "level": 3,
        "source_tokens": 100,
        "facts_kept": 1,
        "facts_listed": 2,
        "fact_survival": {"number": 0.5},
    }


def test_a_stored_summary_is_read_as_what_it_was() -> None:
    lineage = trace([turn(3), turn(4)], method="extractive", confidence=0.5, compacted_at=9)
    metadata = summary_metadata(
        lineage, session="s", user="u", tokens=3, source_tokens=9, align=0.5, cover=0.5, measured=0.5, gate=0.7
    )
    record = Record(
        collection="session:s", id="summary:1", text="They met.", metadata=metadata, at=1004, version=1, access_count=0
    )
    found = read_source(record)
    assert found == Source(
        id="summary:1",
        text="They met.",
        at=1004,
        first_at=1003,
        level=1,
        role="system",
        gate=0.7,
        stability=0.5,
        turn_count=2,
        first_turn="t3",
        last_turn="t4",
    )
    assert (found.since, found.is_summary) == (1003, True)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({}, Source(id="t", text="x", at=5, stability=0.5)),
        (
            {"role": "assistant", "speaker": "Bo", "stability_weight": 0.25, "gating_score": 1, "level": 7},
            Source(id="t", text="x", at=5, role="assistant", speaker="Bo", stability=0.25, gate=1.0),
        ),
        (
            {"stability_weight": math.nan, "gating_score": "high", "speaker": None},
            Source(id="t", text="x", at=5, stability=0.5),
        ),
        (
            {"type": "summary", "level": "two", "continuity_lineage": []},
            Source(id="t", text="x", at=5, role="system", level=1, stability=0.5),
        ),
    ],
)
def test_a_record_is_read_whatever_its_metadata(metadata: dict[str, Json], expected: Source) -> None:
    record = Record(collection="session:s", id="t", text="x", metadata=metadata, at=5, version=1, access_count=0)
    assert read_source(record) == expected


def test_edges_keep_the_order_and_the_kind_of_what_they_cover() -> None:
    older = Source(id="summary:1", text="x", at=20, level=1)
    first, second = coverage_edges([older, turn(0)], session="s", parent="summary:2", compacted_at=9)
    assert (first.child, first.child_kind, first.position) == ("summary:1", "summary", 0)
    assert (second.child, second.child_kind, second.position) == ("t0", "turn", 1)


def test_an_unknown_summary_expands_to_nothing() -> None:
    assert turns_below([], "summary:none") == ()


def link(parent: str, child: str) -> Edge:
    return Edge(session="s", parent=parent, child=child, child_kind="summary", position=0, at=0)


def test_expansion_of_a_summary_that_covers_itself_still_ends() -> None:
    edges = [link("a", "b"), link("b", "c"), link("c", "b")]
    assert turns_below(edges, "a") == ()


def test_what_holds_something_of_a_turn_stands_above_it_or_leant_on_what_does() -> None:
    edges = [link("low", "t1"), link("low", "t2"), link("top", "low"), link("other", "t3")]
    assert holders(edges, ["t1"], leaning={}) == {"low", "top"}
    assert holders(edges, ["t1"], leaning={"other": ["low"]}) == {"low", "top", "other"}
    assert holders(edges, ["low"], leaning={"later": ["top"]}) == {"top", "later"}
    assert holders(edges, ["nobody"], leaning={"other": ["low"]}) == set()
    assert holders([link("a", "b"), link("b", "a")], ["a"], leaning={}) == {"a", "b"}


def test_a_summary_of_any_level_tells_its_first_and_last_turn_and_how_many_there_are() -> None:
    lower = [
        Source(id="summary:1", text="x", at=9, level=1, turn_count=20, first_turn="a", last_turn="b"),
        Source(id="summary:2", text="x", at=19, level=1, turn_count=18, first_turn="c", last_turn="d"),
    ]
    told = trace([*lower, turn(7)], method="extractive", confidence=0.5, compacted_at=9).metadata()
    assert (told["turn_count"], told["first_turn"], told["last_turn"]) == (39, "a", "t7")


def test_a_summary_of_summaries_that_do_not_tell_says_nothing_of_its_turns() -> None:
    told = trace([Source(id="s", text="x", at=1, level=2)], method="m", confidence=0.5, compacted_at=9).metadata()
    assert not {"turn_count", "first_turn", "last_turn"} & set(told)
