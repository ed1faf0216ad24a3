"""A filter as people write it, over the wire, joined with another, and without its secrets."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.ingest.settings import IngestSettings
from libravdb.engine.masking import Masking
from libravdb.engine.session_share import both
from libravdb.errors import InvalidInput
from libravdb.model import ANYTHING, Condition, Operator, Record, Where
from libravdb.wire import codec
from libravdb.wire.methods.search import SearchParams

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_a_filter_is_read_as_people_write_it() -> None:
    written = {"topic": "x", "priority": {"$gte": 3, "$lt": 9}, "city": ["Bonn", "Ulm"], "gone": None}
    assert Where.of(written, since=5) == Where(
        metadata={"topic": ("x",), "gone": (None,)},
        conditions=(
            Condition("priority", Operator.GTE, 3),
            Condition("priority", Operator.LT, 9),
            Condition("city", Operator.IN, ["Bonn", "Ulm"]),
        ),
        since=5,
    )
    assert Where.of(None) == Where.of({}) == ANYTHING
    assert Where.of(ANYTHING) is ANYTHING


@pytest.mark.parametrize(
    "written",
    [
        {"a": {"$regex": "x"}},
        {"a": {"gte": 3}},
        {"a": {}},
        {"a": {"$gt": 1, 3: 4}},
        {"$or": [{"a": 1}]},
        {3: 4},
        ["a"],
        "a",
        {"a": {"$" + "x" * 10_000: 1}},
    ],
)
def test_what_is_no_filter_is_refused_with_the_operators(written: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        Where.of(written)
    assert caught.value.field == "where"
    assert "$eq, $ne, $gt, $gte, $lt, $lte, $in, $exists" in caught.value.remedy
    assert len(str(caught.value)) < 600


def test_conditions_cross_the_wire() -> None:
    where = Where(
        metadata={"topic": ("x",)},
        conditions=(
            Condition("n", Operator.GTE, 3),
            Condition("m", Operator.IN, ["a", None, True, 1.5]),
            Condition("e", Operator.EXISTS, value=False),
            Condition("null", Operator.EQ, None),
        ),
    )
    sent = json.loads(codec.encode(codec.write(SearchParams(question="q", where=where))))
    assert sent["where"]["conditions"][0] == {"key": "n", "operator": "$gte", "value": 3}
    assert codec.read(SearchParams, sent, is_strict=True).where == where


@pytest.mark.parametrize(
    "condition",
    [
        {"key": "a", "operator": "$regex", "value": 1},
        {"key": "a"},
        {"operator": "$eq"},
        {"key": 1, "operator": "$eq"},
        3,
    ],
)
def test_a_condition_that_does_not_fit_is_refused_by_its_place(condition: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        codec.read(SearchParams, {"question": "q", "where": {"conditions": [condition]}}, is_strict=True)
    assert caught.value.field.startswith("where.conditions[0]")


def test_a_secret_in_a_condition_is_asked_for_as_it_is_kept() -> None:
    masking = Masking(IngestSettings())
    where = Where(
        conditions=(Condition("key", Operator.NE, TOKEN), Condition("key", Operator.IN, [f"token {TOKEN}", 3]))
    )
    masked: Where = masking.field("where", where)
    assert TOKEN not in str(masked)
    kept = masking.metadata({"key": f"token {TOKEN}"})
    record = Record(collection="c", id="1", text="", metadata=kept, at=1, version=1, access_count=0)
    assert masked.passes(record)


VALUES = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["a", "b", 0.5, 1.0])
KEYS = st.sampled_from(["a", "b"])
FILTERS = st.builds(
    Where,
    metadata=st.dictionaries(KEYS, st.lists(VALUES, max_size=2).map(tuple), max_size=2),
    since=st.none() | st.integers(0, 3),
    until=st.none() | st.integers(0, 3),
    may_lack=st.sampled_from([(), ("a",)]),
    conditions=st.lists(
        st.builds(Condition, KEYS, st.sampled_from([Operator.EQ, Operator.NE, Operator.GT, Operator.LTE]), VALUES),
        max_size=2,
    ).map(tuple),
)


@given(one=FILTERS, other=FILTERS, metadata=st.dictionaries(KEYS, VALUES), at=st.integers(0, 3))
def test_two_filters_joined_let_through_what_both_do(one: Where, other: Where, metadata: Any, at: int) -> None:
    record = Record(collection="c", id="1", text="", metadata=metadata, at=at, version=1, access_count=0)
    assert both(one, other).passes(record) == (one.passes(record) and other.passes(record))
