"""What every store lets through: a filter with comparisons says in SQL what it says in plain Python, before k."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.stores import (
    ask,
    is_there,
    listed,
    near_ids,
    new_collection,
    open_space,
    vector,
    words,
)
from tests.puts import put

from libravdb.errors import InvalidInput
from libravdb.model import Beside, Condition, Json, Key, Operator, Order, Where
from libravdb.ports.store import Snapshot, Store
from libravdb.ports.validation import MAX_COMPARED, MAX_CONDITIONS

EQ, NE, GT, GTE, LT, LTE, IN, EXISTS = Operator

VALUES: dict[str, Json] = {
    "bool": True,
    "float": 2.5,
    "int": 3,
    "list": [3],
    "none": None,
    "object": {"a": 3},
    "text": "m",
    "whole": 3.0,
}
"""By their ids; the record `missing` has no such key."""


def filled(store: Store, key: str = "v") -> None:
    store.commit([put("c", id, metadata={key: value}) for id, value in VALUES.items()])
    store.commit([put("c", "missing", metadata={"other": 1})])


@pytest.mark.parametrize("number", [1e308, -1e308, 1.7976931348623157e308, 10**308, 10**400, 1e22, 2**70])
def test_a_number_of_any_size_is_found_by_itself(store: Store, number: float) -> None:
    store.commit([put("c", "it", metadata={"v": number}), put("c", "other", metadata={"v": number // 2})])
    with store.read() as snapshot:
        for where in (Where(metadata={"v": (number,)}), Where(conditions=(Condition("v", IN, [number]),))):
            assert [record.id for record in snapshot.page("c", where=where).items] == ["it"]


@pytest.mark.parametrize("key", ["v", "sessionId", "speaker", "userId", "a.b"])
@pytest.mark.parametrize(
    ("operator", "value", "found"),
    [
        (EQ, 3, ["int", "whole"]),
        (EQ, None, ["none"]),
        (EQ, True, ["bool"]),
        (NE, 3, ["bool", "float", "list", "missing", "none", "object", "text"]),
        (NE, "m", ["bool", "float", "int", "list", "missing", "none", "object", "whole"]),
        (NE, None, ["bool", "float", "int", "list", "missing", "object", "text", "whole"]),
        (GT, 2, ["float", "int", "whole"]),
        (GT, 3, []),
        (GT, 2.5, ["int", "whole"]),
        (GTE, 3, ["int", "whole"]),
        (GTE, 2.5, ["float", "int", "whole"]),
        (LT, 3, ["float"]),
        (LTE, 3, ["float", "int", "whole"]),
        (LTE, 2.5, ["float"]),
        (GT, -(10**400), ["float", "int", "whole"]),
        (LT, 10**400, ["float", "int", "whole"]),
        (GT, "a", ["text"]),
        (GTE, "m", ["text"]),
        (LT, "m", []),
        (LTE, "z", ["text"]),
        (IN, [3, "m", True], ["bool", "int", "text", "whole"]),
        (IN, [], []),
        (EXISTS, True, ["bool", "float", "int", "list", "none", "object", "text", "whole"]),
        (EXISTS, False, ["missing"]),
    ],
)
def test_a_condition_lets_through_what_its_operator_says(
    store: Store, key: str, operator: Operator, value: Json, found: list[str]
) -> None:
    filled(store, key)
    where = Where(conditions=(Condition(key, operator, value),))
    assert listed(store, where=where) == found
    assert listed(store, order=Order.NEWEST, where=where) == found[::-1]
    assert sorted(words(store, "text", where=where)) == found


@pytest.mark.parametrize("texts", [("Z", "a", "é", "日", "🦊"), ("", " ", "0", "10", "9")])
def test_texts_are_ordered_by_code_point(store: Store, texts: tuple[str, ...]) -> None:
    assert sorted(texts) == list(texts)
    store.commit([put("c", f"{place}", metadata={"v": text}) for place, text in enumerate(texts)])
    for place, text in enumerate(texts):
        before = Where(conditions=(Condition("v", LT, text),))
        since = Where(conditions=(Condition("v", GTE, text),))
        assert listed(store, where=before) == [f"{one}" for one in range(place)]
        assert listed(store, where=since) == [f"{one}" for one in range(place, len(texts))]


def test_a_filter_comes_before_k_and_never_shortens_an_answer(store: Store) -> None:
    open_space(store)
    store.commit(
        [
            put("c", f"{n:03}", f"a text of {n}", metadata={"n": n}, embedding=vector([200 - n, n]), at=n)
            for n in range(200)
        ]
    )
    where = Where(conditions=(Condition("n", GTE, 190), Condition("n", NE, 195)))
    kept = [f"{n:03}" for n in range(190, 200) if n != 195]
    assert near_ids(store, [1, 0], k=5, where=where) == kept[:5]
    assert near_ids(store, [1, 0], k=50, where=where) == kept
    assert len(words(store, "text", k=5, where=where)) == 5
    assert sorted(words(store, "text", k=50, where=where)) == kept
    assert listed(store, where=where, limit=4) == kept[:4]


def test_what_a_condition_hides_is_nobodys_neighbour(store: Store) -> None:
    store.commit([put("c", f"{n}", at=n, metadata={"sessionId": "s", "n": n}) for n in range(3)])
    where = Where(conditions=(Condition("n", LT, 2),))
    beside = ask(store, lambda read: read.neighbours([Key("c", "1")], where=where))
    assert beside == {Key("c", "1"): Beside(before=Key("c", "0"))}


def test_many_values_can_be_asked_for_at_once(store: Store) -> None:
    store.commit([put("c", f"{n}", metadata={"v": n, "speaker": f"{n}"}) for n in range(3)])
    numbers: list[Json] = list(range(2, MAX_COMPARED + 2))
    names: list[Json] = [f"{n}" for n in range(1, 3_000)]
    assert listed(store, where=Where(conditions=(Condition("v", IN, numbers),))) == ["2"]
    assert listed(store, where=Where(conditions=(Condition("speaker", IN, names),))) == ["1", "2"]
    assert listed(store, where=Where(metadata={"v": tuple(numbers)})) == ["2"]


def deep(levels: int) -> Json:
    return [deep(levels - 1)] if levels else 1


@pytest.mark.parametrize(
    "condition",
    [
        Condition("v", GT, value=True),
        Condition("v", LT, None),
        Condition("v", GTE, [1]),
        Condition("v", LTE, {"a": 1}),
        Condition("v", EQ, [1]),
        Condition("v", NE, {"a": 1}),
        Condition("v", EQ, deep(50)),
        Condition("v", IN, 3),
        Condition("v", IN, "abc"),
        Condition("v", IN, [[1]]),
        Condition("v", IN, [float("nan")]),
        Condition("v", IN, [1] * (MAX_COMPARED + 1)),
        Condition("v", EXISTS, 1),
        Condition("v", EXISTS, None),
        Condition("v", EQ, float("inf")),
        Condition("v", GT, float("nan")),
        Condition("v", GT, 10**5000),
        Condition("v", GT, "\ud800"),
        Condition("v", EQ, "x" * 200_000),
        Condition('a"b', EQ, 1),
        Condition("a\\b", EXISTS, value=True),
        Condition("a\n", EQ, 1),
        Condition(3, EQ, 1),  # type: ignore[arg-type]  # what a caller without a type checker sends
        Condition("v", "$regex", "a"),  # type: ignore[arg-type]
        Condition("v", "=", 1),  # type: ignore[arg-type]
    ],
)
def test_a_condition_that_cannot_be_asked_is_refused(store: Store, condition: Condition) -> None:
    where = Where(conditions=(condition,))
    questions: list[Callable[[Snapshot], object]] = [
        lambda read: read.page("c", where=where),
        lambda read: read.matching(["c"], [("a",)], k=1, where=where),
        lambda read: read.neighbours([], where=where),
    ]
    for question in questions:
        with store.read() as read, pytest.raises(InvalidInput) as caught:
            question(read)
        assert caught.value.field == "where"


def test_an_unknown_operator_is_refused_with_the_names_of_all(store: Store) -> None:
    where = Where(conditions=(Condition("v", "$regex", "a"),))  # type: ignore[arg-type]
    with store.read() as read, pytest.raises(InvalidInput, match=r"\$eq, \$ne, \$gt, \$gte, \$lt, \$lte, \$in, \$exis"):
        read.page("c", where=where)


def test_too_many_conditions_are_refused(store: Store) -> None:
    most = tuple(Condition("v", NE, n) for n in range(MAX_CONDITIONS))
    assert listed(store, where=Where(conditions=most)) == []
    with store.read() as read, pytest.raises(InvalidInput, match="at most"):
        read.page("c", where=Where(conditions=(*most, Condition("v", NE, "one more"))))


def test_a_number_just_below_64_bits_is_ordered_as_the_lowest_of_them(store: Store) -> None:
    lowest = -(2**63)
    store.commit([put("c", "1", metadata={"v": lowest}), put("c", "2", metadata={"v": lowest - 1})])
    for bound in (lowest, lowest - 1):
        found = [listed(store, where=Where(conditions=(Condition("v", sign, bound),))) for sign in (GTE, LTE, GT, LT)]
        assert found == [["1", "2"], ["1", "2"], [], []]


# ── by property ───────────────────────────────────────────────────────────────────────────────────────────

NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([0.5, -0.5, 1.0, -0.0, 0.1 + 0.2, 1e22, 1e300, 5e-324, 2**53, 2**53 + 1, 2**63 - 1, -(2**63) - 1]),
    st.sampled_from([-(2**63), 2**63, 2**70, 2**70 + 1, -(10**400), 2.0**63, 2.0**70, 0.30000000000000004]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(),
)
TEXTS = st.one_of(st.sampled_from(["", "a", "b", "é", "日", "1", "true", "🦊"]), st.text("ab日", max_size=2))
PLAIN: st.SearchStrategy[Any] = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
STORED: st.SearchStrategy[Any] = st.one_of(
    PLAIN, st.lists(PLAIN, max_size=2), st.dictionaries(TEXTS, PLAIN, max_size=1)
)
KEYS = st.sampled_from(["a", "b", "sessionId", "speaker", "userId"])
CONDITIONS = st.one_of(
    st.builds(Condition, KEYS, st.sampled_from([EQ, NE]), PLAIN),
    st.builds(Condition, KEYS, st.sampled_from([GT, GTE, LT, LTE]), st.one_of(NUMBERS, TEXTS)),
    st.builds(Condition, KEYS, st.just(IN), st.lists(PLAIN, max_size=4)),
    st.builds(Condition, KEYS, st.just(EXISTS), st.booleans()),
)


def is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def as_ordered(value: Any) -> Any:
    """Beyond 64 bits numbers are ordered as floating point numbers are."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return float(value) if abs(value) < 10**308 else float("inf") * (1 if value > 0 else -1)
    return value


def is_same(left: Any, right: Any) -> bool:
    return (is_number(left) and is_number(right) and left == right) or (type(left) is type(right) and left == right)


def plainly(condition: Condition, metadata: dict[str, Any]) -> bool:
    """What a condition means, told as simply as can be."""
    is_missing, value, wanted = condition.key not in metadata, metadata.get(condition.key), condition.value
    if condition.operator is EXISTS:
        return is_missing is not wanted
    if is_missing:
        return condition.operator is NE
    if condition.operator in (EQ, NE):
        return is_same(value, wanted) is (condition.operator is EQ)
    if condition.operator is IN:
        return isinstance(wanted, list) and any(is_same(value, one) for one in wanted)
    if not (is_number(value) and is_number(wanted)) and not (isinstance(value, str) and isinstance(wanted, str)):
        return False
    left, right = as_ordered(value), as_ordered(wanted)
    return bool({GT: left > right, GTE: left >= right, LT: left < right, LTE: left <= right}[condition.operator])


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    metadata=st.lists(st.dictionaries(KEYS, STORED, max_size=3), min_size=1, max_size=8),
    conditions=st.lists(CONDITIONS, max_size=3),
    since=st.none() | st.integers(0, 8),
    k=st.integers(1, 4),
)
def test_every_store_agrees_with_plain_python(
    store: Store, metadata: list[dict[str, Any]], conditions: list[Condition], since: int | None, k: int
) -> None:
    where = Where(conditions=tuple(conditions), since=since)
    expected = [
        f"{at}"
        for at, facts in enumerate(metadata)
        if (since is None or at >= since) and all(plainly(one, facts) for one in conditions)
    ]
    name = new_collection()
    open_space(store)
    store.commit(
        [
            put(name, f"{at}", f"text {at}", at=at, metadata=facts, embedding=vector([9, at + 1]))
            for at, facts in enumerate(metadata)
        ]
    )
    assert listed(store, of=name, where=where) == expected
    assert near_ids(store, [1, 0], of=name, k=k, where=where) == expected[:k]
    assert sorted(words(store, "text", of=name, k=99, where=where)) == expected
    assert len(words(store, "text", of=name, k=k, where=where)) == min(k, len(expected))


# ── what a read passes over ───────────────────────────────────────────────────────────────────────────────


def test_a_page_passes_over_what_is_excluded_and_is_no_shorter_for_it(store: Store) -> None:
    store.commit([put("c", f"{n}", at=n) for n in range(6)])
    exclude = {"c": frozenset(("0", "2")), "d": frozenset(("1",))}
    assert listed(store, exclude=exclude, limit=3) == ["1", "3", "4"]
    assert listed(store, exclude=exclude, order=Order.NEWEST, limit=9) == ["5", "4", "3", "1"]
    assert listed(store, exclude=exclude) == ["1", "3", "4", "5"]


def test_the_expired_are_those_whose_moment_has_come(store: Store) -> None:
    moments: dict[str, Json] = {"early": 5, "at": 10, "late": 11, "text": "5", "true": True, "half": 4.0, "none": None}
    store.commit([put("c", id, metadata={"memory_expires_at": moment}) for id, moment in moments.items()])
    store.commit([put("d", "early", metadata={"memory_expires_at": 5}), put("d", "never")])
    assert set(ask(store, lambda read: read.expired(10))) == {Key("c", "early"), Key("c", "at"), Key("d", "early")}
    assert ask(store, lambda read: read.expired(4)) == ()
    assert ask(store, lambda read: read.expired(99, limit=2)) == (Key("c", "early"), Key("d", "early"))
    store.commit([put("c", "early", metadata={"memory_expires_at": 20})])
    assert ask(store, lambda read: read.expired(10)) == (Key("d", "early"), Key("c", "at"))
    assert is_there(store, "at")
