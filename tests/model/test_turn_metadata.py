"""Metadata by what they mean: whatever a client wrote is read without harm, and each key is spelled in one place."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spelling import misspelled, misspelled_in, texts_of

from libravdb.model import Edge, Json, Record, Role, Turn, turn_metadata
from libravdb.model.collections import NAMESPACE_KINDS, SESSION_KINDS, parse_collection
from libravdb.model.record_ids import guidance_id, session_prefix, shared_turn_id, split_shared_turn_id
from libravdb.model.turn_metadata import (
    LINEAGE,
    SOURCE_TURN,
    TurnKey,
    TurnMetadata,
    child_collection,
    gate_facts_in,
    owner_of,
    raw_facts,
    turn_behind,
    turn_facts,
    turn_traces,
    view_facts,
)

KEYS = {value for name, value in vars(turn_metadata).items() if name.isupper() and isinstance(value, str)}
NAMES = st.text() | st.sampled_from(["", "alice", "alice:bob", "a/b", "%2F", "100%", "session:s"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
HOSTILE = st.dictionaries(st.sampled_from(sorted(KEYS)) | st.text(max_size=3), JSON)


def record(collection: str = "user:a", id: str = "x", **metadata: Json) -> Record:
    return Record(collection=collection, id=id, text="t", metadata=metadata, at=1, version=1, access_count=0)


def turn(**given: str) -> Turn:
    told = {"namespace": "n", "session": "s", "id": "t", "speaker": "", **given}
    return Turn(role=Role.USER, text="hello", at=5, metadata={"tool": "git"}, **told)


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────


@given(HOSTILE)
def test_whatever_a_client_wrote_is_read_as_what_it_should_be_or_as_nothing(facts: dict[str, Json]) -> None:
    told = TurnMetadata(facts)
    assert all(one is None or isinstance(one, str) for one in (told.owner, told.session, told.source_turn))
    assert told.superseded_by is None or isinstance(told.superseded_by, str)
    words = (told.kind, told.role_name, told.speaker, told.provenance, told.bundle, told.gate_verdict)
    assert all(isinstance(word, str) for word in words)
    assert told.role is None or told.role in Role
    assert told.said_at is None or (type(told.said_at) is int and abs(told.said_at) < 2**63)
    assert all(one is None or abs(one) < float("inf") for one in (told.stability, told.gate_score))
    lists = (told.supersedes, told.source_turns, told.support_summaries)
    assert all(isinstance(one, str) for texts in lists for one in texts)
    assert told.is_useful in (None, True, False)
    assert isinstance(told.times_seen, int)
    assert told.source_span is None or all(isinstance(one, int) for one in told.source_span)
    assert isinstance(told.is_summary and told.is_outdated and told.is_withdrawn, bool)


@pytest.mark.parametrize(
    ("told", "role", "name"),
    [({}, Role.USER, ""), ({"role": "tool"}, Role.TOOL, "tool"), ({"role": "narrator"}, None, "narrator")]
    + [({"role": bad}, None, "") for bad in (None, 5, ["user"], {"user": 1})],
)
def test_a_role_is_the_users_where_none_is_told_and_none_where_it_is_unknown(
    told: dict[str, Json], role: Role | None, name: str
) -> None:
    assert (TurnMetadata(told).role, TurnMetadata(told).role_name) == (role, name)


@pytest.mark.parametrize(
    ("told", "at"),
    [
        (5, 5),
        (5.0, 5),
        (-1, -1),
        (2**62 - 1, 2**62 - 1),
        *((bad, None) for bad in (True, "5", None, math.nan, math.inf, 2**62, -(2**62), 1e300)),
    ],
)
def test_a_time_is_a_number_that_can_be_stored(told: Json, at: int | None) -> None:
    assert TurnMetadata({"ts": told}).said_at == at


def test_a_summary_tells_where_it_came_from() -> None:
    lineage: dict[str, Json] = {
        "source_turn_ids": ["a", 5, "b"],
        "source_ts_min": 1,
        "source_ts_max": 9,
        "support_summary_ids": ["x", None],
    }
    told = TurnMetadata({LINEAGE: lineage, "type": "summary"})
    assert told.is_summary
    assert (told.source_turns, told.source_span, told.support_summaries) == (("a", "b"), (1, 9), ("x",))
    assert TurnMetadata({"source_turn_ids": ["a"], LINEAGE: "torn"}).source_turns == ("a",)
    assert TurnMetadata({LINEAGE: {"source_ts_min": "1", "source_ts_max": 9}}).source_span is None


# ── the turn behind a record ──────────────────────────────────────────────────────────────────────────────


@given(NAMES, NAMES, HOSTILE)
def test_in_a_sessions_own_collections_a_turn_is_known_by_where_it_stands(
    session: str, id: str, facts: dict[str, Json]
) -> None:
    for place in ("session", "session_raw", "session_recall"):
        found = turn_behind(record(f"{place}:{session}", id, **{**facts, "type": "turn"}))
        assert found == TurnKey(session, id)


def test_elsewhere_a_turn_is_known_by_what_is_told_with_it() -> None:
    told: dict[str, Json] = {"sessionId": "s", "source_turn_id": "t"}
    for place in ("history:n", "turns:n", "user:n", "elevated:user:n", "elevated:session:z", "notes"):
        assert turn_behind(record(place, "x", **told)) == ("s", "t")
        assert turn_behind(record(place, "x", **{**told, SOURCE_TURN: 5})) is None
        assert turn_behind(record(place, "x", sessionId="s")) is None


def test_behind_a_summary_stands_no_single_turn() -> None:
    for place in ("session:s", "session_raw:s", "session_summary:s", "user:n"):
        assert turn_behind(record(place, "x", type="summary", sessionId="s", source_turn_id="t")) is None


@given(NAMES.filter(bool), NAMES, NAMES)
def test_every_record_of_a_turn_leads_to_all_places_of_the_turn(namespace: str, session: str, id: str) -> None:
    facts = turn_facts(turn(namespace=namespace, session=session, id=id))
    traces = turn_traces(record(f"history:{namespace}", shared_turn_id(session, id), **facts))
    assert {(f"session:{session}", id), (f"session_raw:{session}", id)} < {*traces}
    assert (f"elevated:session:{session}", guidance_id(session, id)) in traces
    assert {(f"{kind}:{namespace}", shared_turn_id(session, id)) for kind in ("history", "turns", "user")} < {*traces}
    for name, _ in traces:
        place = parse_collection(name)
        assert place.owner == (session if place.kind in SESSION_KINDS else namespace)
        assert place.kind in (*SESSION_KINDS, *NAMESPACE_KINDS)
    for name, place_id in traces:
        assert {*turn_traces(record(name, place_id, **facts))} == {*traces}


@given(NAMES, NAMES)
def test_the_id_of_a_turn_among_all_sessions_names_both_again(session: str, id: str) -> None:
    assert shared_turn_id(session, id) == session_prefix(session) + id
    assert split_shared_turn_id(shared_turn_id(session, id)) == (session, id)


def test_ids_are_spelled_as_they_stand_on_disk() -> None:
    assert shared_turn_id("a/b%", "t/1") == "a%2Fb%25/t/1"
    assert guidance_id("s", "t") == "guidance:s:t"


def test_a_record_is_its_collections_owners_else_whose_it_says() -> None:
    assert owner_of(record("user:alice:bob", userId="carol")) == "alice:bob"
    assert owner_of(record("session:s", userId="carol")) == "carol"
    assert owner_of(record("session:s", userId=5)) == owner_of(record("session:s")) == ""


def test_an_edge_leads_to_a_summary_or_to_a_raw_turn() -> None:
    edge = Edge(session="s:1", parent="p", child="c", child_kind="summary", position=0, at=0)
    assert child_collection(edge) == "session_summary:s:1"
    other = Edge(session="s:1", parent="p", child="c", child_kind="turn", position=0, at=0)
    assert child_collection(other) == "session_raw:s:1"


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_turn_is_kept_with_what_stands_on_disk() -> None:
    assert list(turn_facts(turn(speaker="Anna")).items()) == [
        ("tool", "git"),
        ("speaker", "Anna"),
        ("role", "user"),
        ("ts", 5),
        ("userId", "n"),
        ("sessionId", "s"),
        ("type", "turn"),
        ("source_turn_id", "t"),
        ("provenance_class", "session_turn"),
        ("stability_weight", 0.5),
    ]
    assert "speaker" not in turn_facts(turn())
    assert all(type(value) in (str, int, float) for value in turn_facts(turn()).values())  # no enum reaches a store


@given(NAMES, NAMES, NAMES, NAMES)
def test_what_is_written_of_a_turn_is_read_again(namespace: str, session: str, id: str, speaker: str) -> None:
    told = TurnMetadata(turn_facts(turn(namespace=namespace, session=session, id=id, speaker=speaker)))
    assert (told.owner, told.session, told.source_turn, told.speaker) == (namespace, session, id, speaker)
    assert (told.role, told.said_at, told.kind, told.stability) == (Role.USER, 5, "turn", 0.5)


@given(st.dictionaries(st.text(max_size=5), JSON))
def test_a_raw_record_differs_from_the_view_by_its_marks_alone(facts: dict[str, Json]) -> None:
    raw = raw_facts(facts)
    assert (raw["raw_history"], raw["active_view"]) == (True, False)
    assert view_facts(raw) == view_facts(facts)


def test_a_verdict_is_found_among_other_metadata() -> None:
    facts: dict[str, Json] = {"gating_score": 0.5, "gating_new": 1, "role": "user", "gate": 1}
    assert gate_facts_in(facts) == {"gating_score": 0.5, "gating_new": 1}


# ── spelled once ──────────────────────────────────────────────────────────────────────────────────────────

ELSEWHERE = (
    "model/turn_metadata.py",
    "adapters/",  # columns of a table hold some keys, and a migration is what it was
)
COMMON = {
    "role", "speaker", "type", "ts", "userId", "sessionId", "useful", "secrets", "supersedes", "is_pinned", "level",
    "method", "confidence",
}  # fmt: skip
"""Words that mean other things elsewhere: fields of the protocol, of a host's messages, of a command."""


def spelled_keys(node: ast.AST) -> Iterator[ast.expr]:
    """Keys of their own wherever they stand; common words where metadata are asked for them, or made of them."""
    for constant, text in texts_of(node):
        if text in KEYS - COMMON:
            yield constant
    if isinstance(node, ast.Subscript) and _is_metadata(node.value):
        yield from _common(node.slice)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_metadata(node.func.value):
        yield from (one for each in node.args for one in _common(each))
    if isinstance(node, ast.keyword) and node.arg == "metadata" and isinstance(node.value, ast.Dict):
        yield from (one for key in node.value.keys if key is not None for one in _common(key))
    if isinstance(node, ast.Compare) and any(_is_metadata(each) for each in node.comparators):
        yield from _common(node.left)


def _is_metadata(value: ast.expr) -> bool:
    return ast.unparse(value).endswith(("metadata", "facts"))


def _common(value: ast.expr) -> Iterator[ast.expr]:
    return (constant for constant, text in texts_of(value) if text in COMMON)


def test_no_key_is_spelled_outside_its_module() -> None:
    assert misspelled(spelled_keys, except_in=ELSEWHERE) == []


@pytest.mark.parametrize(
    "code",
    [
        'told.get("source_turn_id")',
        'facts = {"provenance_class": "history"}',
        'BUNDLE_KEY = "continuity_bundle_id"',
        'record.metadata.get("role")',
        'record.metadata["type"]',
        'facts.get("ts")',
        '"userId" not in facts',
        'Where(metadata={"userId": (name,)})',
        'each["gating_score"]',
    ],
)
def test_a_key_that_is_spelled_is_found(code: str) -> None:
    assert misspelled_in(code, spelled_keys)


@pytest.mark.parametrize("code", ['message.get("role")', '_require(value, field="sessionId")', 'told["type"]'])
def test_words_that_are_no_keys_of_metadata_are_left_alone(code: str) -> None:
    assert misspelled_in(code, spelled_keys) == []
