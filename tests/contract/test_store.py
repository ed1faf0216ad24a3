"""What every store does, whatever it is made of: records, collections, sessions, and the store as a whole.

Moments, revisions and conditions are in `test_store_moments.py`, search in `test_store_search.py`, vector spaces in
`test_store_spaces.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.stores import (
    KINDS,
    NUL,
    SPACE,
    SURROGATE,
    ask,
    edge,
    ids,
    is_there,
    kept,
    listed,
    names,
    near,
    near_ids,
    new_collection,
    open_space,
    open_store,
    record,
    vector,
    walk,
    words,
)
from tests.puts import put, restore

from libravdb.errors import Conflict, InvalidInput, LibraError, StoreClosed, StoreError
from libravdb.model import (
    MUST_BE_NEW,
    Append,
    Change,
    ClearJournal,
    CollectionInfo,
    DropCollection,
    DropState,
    Embedding,
    EnsureCollection,
    Json,
    Key,
    Link,
    Metadata,
    Order,
    Page,
    Remove,
    RestoreState,
    SessionState,
    SetState,
    StoreCopy,
    Topic,
    Touch,
    Unlink,
    Volume,
    Where,
    digest,
)
from libravdb.ports.store import Snapshot, Store
from libravdb.ports.validation import MAX_COUNT, MAX_METADATA_DEPTH, MAX_NAME_BYTES
from libravdb.testing import MemoryStore

# ── names, texts, metadata: what goes in comes out ────────────────────────────────────────────────────────


NAMES = [
    "plain",
    "with space",
    "control\x01inside",
    "\x01",
    "🦊🌍",
    "سلام",
    "a'b\"c;--",
    "%_*?",
    "C:\\x",
    "é",
    "e\u0301",
    "\x7f",
    '["a","b"]',
]


@pytest.mark.parametrize("name", NAMES)
def test_ids_and_collection_names_are_free_text(store: Store, name: str) -> None:
    store.commit([put(name, name, "hello"), put(name, name + "x", "other")])
    assert kept(store, name, of=name) == record(name, "hello", of=name)
    assert listed(store, of=name, after=name) == [name + "x"]
    assert listed(store, of=name, order=Order.NEWEST) == [name + "x", name]
    assert ask(store, lambda read: read.collections(prefix=name)).items == (CollectionInfo(name=name, records=2),)
    assert ask(store, lambda read: read.sizes([name])) == {name: 2}
    assert words(store, "hello other", of=name, exclude={name: frozenset({name})}) == [name + "x"]
    assert list(ask(store, lambda read: read.neighbours([Key(name, name)]))) == [Key(name, name)]
    assert ask(store, lambda read: read.features([Key(name, name)], embedding=None, words=[]))[
        Key(name, name)
    ].length == len(["hello"])
    assert ask(store, lambda read: read.vocabularies([name], []))[name].texts == 2
    assert ask(store, lambda read: read.revisions([Topic.collection(name)]))[Topic.collection(name)] > 0
    store.commit([Touch(collection=name, ids=(name,)), Remove(collection=name, id=name + "x")])
    assert kept(store, name, of=name).access_count == 1
    assert listed(store, of=name) == [name]
    store.commit([DropCollection(name=name)])
    assert names(store) == []


@pytest.mark.parametrize("name", NAMES)
def test_session_names_are_free_text(store: Store, name: str) -> None:
    store.commit(
        [
            SetState(session=name, state={"namespaces": [name]}, at=1),
            Append(session=name, at=1, entry={}),
            Link(edge=edge(name, name, session=name)),
        ]
    )
    with store.read() as read:
        assert list(read.states([name])) == [name]
        assert [state.session for state in read.states_of(name).items] == [name]
        assert [entry.session for entry in read.journal(sessions=[name])] == [name]
        assert read.edges(name, parents=[name]) == (edge(name, name, session=name),)
        assert read.revisions([Topic.session(name)])[Topic.session(name)] > 0
    store.commit([DropState(session=name), Unlink(session=name, parent=name)])
    assert ask(store, lambda read: read.revisions([Topic.session(name)])) == {Topic.session(name): 0}


def test_the_empty_collection_name_is_a_name(store: Store) -> None:
    store.commit([put("", "1", "hello")])
    assert kept(store, "1", of="") == record("1", "hello", of="")
    assert words(store, "hello", of="") == ["1"]
    assert ask(store, lambda read: read.collections()).items == (CollectionInfo(name="", records=1),)


def test_a_record_needs_an_id(store: Store) -> None:
    for change in (put("c", ""), restore(record(""))):
        with pytest.raises(InvalidInput) as caught:
            store.commit([change])
        assert caught.value.field == "id"
        assert caught.value.remedy


def test_a_name_may_have_1024_bytes_and_no_more(store: Store) -> None:
    longest = "é" * (MAX_NAME_BYTES // 2)
    store.commit([put(longest, longest)])
    assert is_there(store, longest, of=longest)
    for field, change in (("id", put("c", longest + "a")), ("collection", put(longest + "a", "1"))):
        with pytest.raises(InvalidInput, match=r"1,025 bytes, at most 1,024") as caught:
            store.commit([change])
        assert caught.value.field == field
        assert caught.value.remedy
    assert not is_there(store, longest + "a")


@pytest.mark.parametrize(
    "text", ["", " ", "\x01", "line\r\nline\ttab", "🦊", "a" * 100_000, "\ufeff\u2028\uffff", "é e\u0301"]
)
def test_texts_come_back_unchanged(store: Store, text: str) -> None:
    store.commit([put("c", "1", text)])
    assert kept(store, "1").text == text


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        0,
        -1,
        2**63,
        -(2**70),
        10**400,
        0.1,
        -0.0,
        1e300,
        5e-324,
        "",
        'control\x01 quote" back\\ \u2028 🦊',
        [],
        {},
        [1, [2, [3, {"a": [None, True, "x"]}]]],
        {"": 1, "a.b": {"$": [1.5]}, 'quo"te': None, "z": 1, "a": 2},
    ],
)
def test_metadata_of_every_json_type_comes_back_unchanged(store: Store, value: Json) -> None:
    store.commit([put("c", "1", metadata={"key": value}), restore(record("2", metadata={"key": value}))])
    for id in ("1", "2"):
        back = kept(store, id).metadata
        assert json.dumps(back) == json.dumps({"key": value})


@pytest.mark.parametrize(
    "metadata",
    [
        {"a": float("nan")},
        {"a": [float("inf")]},
        {"a": b"bytes"},
        {"a": {1, 2}},
        {1: "a"},
        {"a": {"b": {1: 2}}},
        {"a": 1j},
        ["a"],
        None,
        "text",
        {"a": "x" * 1_000_001},
    ],
)
def test_what_json_cannot_say_is_refused(store: Store, metadata: Any) -> None:
    changes: list[Change] = [
        put("c", "1", metadata=metadata),
        restore(record("1", metadata=metadata)),
        Append(session="s", at=1, entry=metadata),
        SetState(session="s", state=metadata, at=1),
        RestoreState(state=SessionState(session="s", generation=1, state=metadata, at=1)),
    ]
    for change in changes:
        with pytest.raises(InvalidInput) as caught:
            store.commit([put("c", "0"), change])
        assert caught.value.field == "metadata"
    with pytest.raises(InvalidInput):
        store.vectors.open(fingerprint="f", dimensions=2, description=metadata)
    with store.read() as read:
        assert (read.collections().items, read.journal(), read.states_of(None).items, read.spaces()) == ((), (), (), ())


def test_metadata_too_deep_to_be_read_back_is_refused(store: Store) -> None:
    deep: Json = 1
    for _ in range(MAX_METADATA_DEPTH - 1):
        deep = [deep]
    store.commit([put("c", "1", metadata={"a": deep})])
    assert kept(store, "1").metadata == {"a": deep}
    with pytest.raises(InvalidInput, match="nested"):
        store.commit([put("c", "1", metadata={"a": [deep]})])
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidInput, match="nested"):
        store.commit([put("c", "1", metadata={"a": deep})])
    while isinstance(deep, list):  # taken apart by hand: letting go of it all at once would overflow the stack
        deep = deep[0]


UNSTORABLE = [pytest.param(SURROGATE, "lone surrogate", id="surrogate"), pytest.param(NUL, "NUL", id="nul")]


@pytest.mark.parametrize(("bad", "problem"), UNSTORABLE)
@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("text", lambda bad: put("c", "1", bad, terms=())),
        ("terms", lambda bad: put("c", "1", terms=(bad.replace(" ", ""),))),
        ("id", lambda bad: put("c", bad)),
        ("collection", lambda bad: put(bad, "1")),
        ("metadata", lambda bad: put("c", "1", metadata={"a": [bad]})),
        ("metadata", lambda bad: put("c", "1", metadata={bad: 1})),
        ("text", lambda bad: restore(record("1", bad), terms=())),
        ("terms", lambda bad: restore(record("1"), terms=("fine", bad.replace(" ", "")))),
        ("id", lambda bad: restore(record(bad))),
        ("collection", lambda bad: restore(record("1", of=bad))),
        ("metadata", lambda bad: restore(record("1", metadata={"a": {"b": bad}}))),
        ("id", lambda bad: Remove(collection="c", id=bad)),
        ("collection", lambda bad: Remove(collection=bad, id="1")),
        ("id", lambda bad: Touch(collection="c", ids=("1", bad))),
        ("collection", lambda bad: Touch(collection=bad, ids=())),
        ("collection", lambda bad: EnsureCollection(name=bad)),
        ("collection", lambda bad: DropCollection(name=bad)),
        ("session", lambda bad: Link(edge=edge("p", "c", session=bad))),
        ("parent", lambda bad: Link(edge=edge(bad, "c"))),
        ("child", lambda bad: Link(edge=edge("p", bad))),
        ("child_kind", lambda bad: Link(edge=edge("p", "c", kind=bad))),
        ("session", lambda bad: Unlink(session=bad)),
        ("parent", lambda bad: Unlink(session="s", parent=bad)),
        ("session", lambda bad: Append(session=bad, at=1, entry={})),
        ("metadata", lambda bad: Append(session="s", at=1, entry={"a": bad})),
        ("session", lambda bad: SetState(session=bad, state={}, at=1)),
        ("metadata", lambda bad: SetState(session="s", state={"a": bad}, at=1)),
        ("session", lambda bad: RestoreState(state=SessionState(session=bad, generation=1, state={}, at=1))),
        ("session", lambda bad: DropState(session=bad)),
        ("fingerprint", lambda bad: put("c", "1", embedding=vector([1, 0], space=bad))),
    ],
)
def test_what_no_database_can_hold_is_refused_by_the_name_of_its_field(
    store: Store, field: str, change: Callable[[str], Change], bad: str, problem: str
) -> None:
    with pytest.raises(InvalidInput, match=problem) as caught:
        store.commit([put("c", "0"), change(bad)])
    assert caught.value.field == field
    assert names(store) == []


@pytest.mark.parametrize(("bad", "problem"), UNSTORABLE)
@pytest.mark.parametrize(
    ("field", "question"),
    [
        ("topic", lambda read, bad: read.revisions([Topic.session(bad)])),
        ("collection", lambda read, bad: read.records([Key(bad, "1")])),
        ("id", lambda read, bad: read.records([Key("c", bad)])),
        ("collection", lambda read, bad: read.page(bad)),
        ("after", lambda read, bad: read.page("c", after=bad)),
        ("after", lambda read, bad: read.page("c", order=Order.NEWEST, after=f"1:{bad}")),
        ("where", lambda read, bad: read.page("c", where=Where(metadata={"a": (bad,)}))),
        ("where", lambda read, bad: read.page("c", where=Where(metadata={bad: (1,)}))),
        ("collection", lambda read, bad: read.page(bad, order=Order.NEWEST)),
        ("collection", lambda read, bad: read.holding(bad, [digest("a")])),
        ("collection", lambda read, bad: read.distinct(bad, "k", limit=1)),
        ("where", lambda read, bad: read.distinct("c", bad, limit=1)),
        ("collection", lambda read, bad: read.sizes(["c", bad])),
        ("prefix", lambda read, bad: read.collections(prefix=bad)),
        ("after", lambda read, bad: read.collections(after=bad)),
        ("session", lambda read, bad: read.states(["s", bad])),
        ("owner", lambda read, bad: read.states_of(bad)),
        ("after", lambda read, bad: read.states_of(None, after=bad)),
        ("session", lambda read, bad: read.edges(bad)),
        ("parent", lambda read, bad: read.edges("s", parents=["p", bad])),
        ("child", lambda read, bad: read.edges("s", children=["c", bad])),
        ("session", lambda read, bad: read.journal(sessions=[bad])),
        ("collection", lambda read, bad: read.nearest([bad], vector([1, 0]), k=1)),
        ("where", lambda read, bad: read.nearest(["c"], vector([1, 0]), k=1, where=Where(metadata={bad: (1,)}))),
        ("exclude", lambda read, bad: read.nearest(["c"], vector([1, 0]), k=1, exclude={"c": frozenset({bad})})),
        ("fingerprint", lambda read, bad: read.nearest(["c"], vector([1, 0], space=bad), k=1)),
        ("collection", lambda read, bad: read.matching([bad], [("a",)], k=1)),
        ("words", lambda read, bad: read.matching(["c"], [("a", bad.replace(" ", ""))], k=1)),
        ("where", lambda read, bad: read.matching(["c"], [("a",)], k=1, where=Where(metadata={bad: (1,)}))),
        ("exclude", lambda read, bad: read.matching(["c"], [("a",)], k=1, exclude={"c": frozenset({bad})})),
        ("collection", lambda read, bad: read.neighbours([Key(bad, "1")])),
        ("id", lambda read, bad: read.neighbours([Key("c", bad)])),
        ("where", lambda read, bad: read.neighbours([], where=Where(metadata={bad: (1,)}))),
        ("exclude", lambda read, bad: read.neighbours([], exclude={"c": frozenset({bad})})),
        ("id", lambda read, bad: read.features([Key("c", bad)], embedding=None, words=[])),
        ("words", lambda read, bad: read.features([], embedding=None, words=[(bad.replace(" ", ""),)])),
        ("collection", lambda read, bad: read.vocabularies([bad], [])),
        ("words", lambda read, bad: read.vocabularies([], [(bad.replace(" ", "") + "*",)])),
        ("fingerprint", lambda read, bad: read.vectors(bad, [digest("a")])),
    ],
)
def test_what_no_database_can_hold_is_refused_in_a_question_too(
    store: Store, field: str, question: Callable[[Snapshot, str], object], bad: str, problem: str
) -> None:
    open_space(store)
    with store.read() as read:
        with pytest.raises(InvalidInput, match=problem) as caught:
            question(read, bad)
        assert caught.value.field == field


@pytest.mark.parametrize(("bad", "problem"), UNSTORABLE)
@pytest.mark.parametrize(
    ("field", "use"),
    [
        ("topic", lambda store, bad: store.revisions([Topic.collection(bad)])),
        ("topic", lambda store, bad: store.commit([put("c", "1")], unless={Topic.collection(bad): 0})),
        ("fingerprint", lambda store, bad: store.vectors.open(fingerprint=bad, dimensions=1, description={})),
        ("metadata", lambda store, bad: store.vectors.open(fingerprint="f", dimensions=1, description={"a": bad})),
        ("path", lambda store, bad: store.maintenance.note_copy(StoreCopy(kind="export", path=bad, at=1))),
        ("fingerprint", lambda store, bad: store.vectors.activate(bad)),
        ("fingerprint", lambda store, bad: store.vectors.drop(bad)),
        ("fingerprint", lambda store, bad: store.vectors.missing(bad, limit=1)),
        ("fingerprint", lambda store, bad: store.vectors.add([(digest("a"), vector([1, 0], space=bad))])),
    ],
)
def test_what_no_database_can_hold_is_refused_beside_commits_and_questions(
    store: Store, field: str, use: Callable[[Store, str], object], bad: str, problem: str
) -> None:
    with pytest.raises(InvalidInput, match=problem) as caught:
        use(store, bad)
    assert caught.value.field == field
    assert (names(store), ask(store, lambda read: read.spaces())) == ([], ())


def test_a_commit_cannot_depend_on_a_name_that_is_too_long(store: Store) -> None:
    with pytest.raises(InvalidInput, match="at most 1,024 are allowed") as caught:
        store.commit([put("c", "1")], unless={Topic.collection("\u4e00" * 3_000): 0})
    assert caught.value.field == "topic"
    assert not is_there(store, "1")


def test_a_text_of_ten_megabytes_is_refused_with_numbers_and_a_remedy(store: Store) -> None:
    with pytest.raises(InvalidInput, match=r"10,000,000 characters, at most 1,000,000") as caught:
        store.commit([put("c", "0"), put("c", "1", "x" * 10_000_000, terms=())])
    assert caught.value.field == "text"
    assert "store.max_text_chars" in caught.value.remedy
    assert not is_there(store, "0")
    store.commit([put("c", "1", "x" * 1_000_000)])
    assert len(kept(store, "1").text) == 1_000_000


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("at", put("c", "1", at=2**63)),
        ("at", put("c", "1", at=True)),
        ("at", put("c", "1", at=1.5)),  # type: ignore[arg-type]  # what a caller without a type checker sends
        ("text", put("c", "1", None)),  # type: ignore[arg-type]
        ("id", put("c", 7)),  # type: ignore[arg-type]
        ("terms", put("c", "1", terms=("two words",))),
        ("terms", put("c", "1", terms=("fine", ""))),
        ("terms", restore(record("1"), terms=("tab\tinside",))),
        ("version", restore(record("1", version=0))),
        ("version", restore(record("1", version=MAX_COUNT))),
        ("access_count", restore(record("1", access_count=-1))),
        ("keep", Append(session="s", at=1, entry={}, keep=0)),
        ("position", Link(edge=edge("p", "c", -1))),
        ("generation", RestoreState(state=SessionState(session="s", generation=0, state={}, at=1))),
        ("embedding", put("c", "1", embedding=Embedding(fingerprint=SPACE, vectors=np.zeros((1, 2), np.float32)))),
        ("embedding", put("c", "1", embedding=Embedding(fingerprint=SPACE, vectors=np.ones(2, np.float32)))),
        ("embedding", put("c", "1", embedding=Embedding(fingerprint=SPACE, vectors=np.empty((0, 2), np.float32)))),
        (
            "embedding",
            put("c", "1", embedding=Embedding(fingerprint=SPACE, vectors=np.full((1, 2), np.nan, np.float32))),
        ),
    ],
)
def test_impossible_values_are_refused_by_field(store: Store, field: str, change: Change) -> None:
    open_space(store)
    with pytest.raises(InvalidInput) as caught:
        store.commit([put("c", "0"), change])
    assert caught.value.field == field
    assert store.maintenance.stats().records == 0


def test_times_reach_from_the_far_past_to_the_far_future(store: Store) -> None:
    store.commit([put("c", "new", at=2**63 - 1), put("c", "old", at=-(2**63))])
    newest = ask(store, lambda read: read.page("c", order=Order.NEWEST, limit=1))
    assert [one.at for one in newest.items] == [2**63 - 1]
    assert listed(store, order=Order.NEWEST, after=newest.next) == ["old"]


def test_the_caller_keeps_no_hold_on_what_was_written_or_read(store: Store) -> None:
    metadata: dict[str, Json] = {"tags": ["a"]}
    store.commit(
        [
            put("c", "1", metadata=metadata),
            Append(session="s", at=1, entry=metadata),
            SetState(session="s", state=metadata, at=1),
        ]
    )
    store.vectors.open(fingerprint=SPACE, dimensions=2, description=metadata)
    metadata["tags"] = ["b"]

    def told() -> list[Metadata]:
        with store.read() as read:
            return [
                read.records([Key("c", "1")])[Key("c", "1")].metadata,
                read.page("c").items[0].metadata,
                read.holding("c", [digest("a text")])[digest("a text")][0].metadata,
                read.journal()[0].entry,
                read.states(["s"])["s"].state,
                read.states_of(None).items[0].state,
                read.spaces()[0].description,
            ]

    for metadata_read in told():
        assert metadata_read == {"tags": ["a"]}
        assert isinstance(metadata_read, dict)
        metadata_read["tags"] = ["c"]
    assert told() == [{"tags": ["a"]}] * 7


# ── terms come with the text ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "change", [put("c", "1", "new text", terms=None), restore(record("1", "new text"), terms=None)]
)
def test_a_text_that_the_store_does_not_hold_needs_its_terms(store: Store, change: Change) -> None:
    with pytest.raises(InvalidInput, match="terms") as caught:
        store.commit([put("c", "0"), change])
    assert caught.value.field == "terms"
    assert caught.value.remedy
    assert names(store) == []


def test_a_text_that_the_store_holds_may_come_again_without_its_terms(store: Store) -> None:
    store.commit([put("c", "1", "green tea")])
    store.commit(
        [
            put("c", "2", "green tea", terms=None),
            put("d", "1", "green tea", terms=None),
            restore(record("3", "green tea"), terms=None),
            put("c", "1", "green tea", at=7, terms=None),
        ]
    )
    assert words(store, "tea") == ["1", "2", "3"]
    assert words(store, "tea", of="d") == ["1"]


def test_a_text_keeps_the_terms_it_came_with_first(store: Store) -> None:
    store.commit([put("c", "1", "green tea", terms=("leaf",))])
    store.commit([put("c", "2", "green tea", terms=("bean",)), put("c", "1", "green tea", terms=("bean",))])
    assert ask(store, lambda read: read.matching(["c"], [("leaf",)], k=9)) == (Key("c", "1"), Key("c", "2"))
    assert ask(store, lambda read: read.matching(["c"], [("bean",)], k=9)) == ()


def test_a_text_that_was_gone_may_come_back_under_other_terms(store: Store) -> None:
    store.commit([put("c", "1", "green tea", terms=("leaf",))])
    store.commit([Remove(collection="c", id="1")])
    with pytest.raises(InvalidInput, match="terms"):
        store.commit([put("c", "1", "green tea", terms=None)])
    store.commit([put("c", "1", "green tea", terms=("bean",))])
    assert ask(store, lambda read: read.matching(["c"], [("bean",)], k=9)) == (Key("c", "1"),)


def test_a_text_that_is_dropped_and_written_again_in_one_commit_was_never_gone(store: Store) -> None:
    store.commit([put("c", "1", "green tea")])
    store.commit([DropCollection(name="c"), put("c", "2", "green tea", terms=None)])
    assert words(store, "tea") == ["2"]


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_a_blank_text_needs_no_terms(store: Store, text: str) -> None:
    store.commit([put("c", "1", text, terms=None), restore(record("2", text), terms=None)])
    assert [one.text for one in ask(store, lambda read: read.page("c")).items] == [text, text]


# ── versions and atomicity ────────────────────────────────────────────────────────────────────────────────


def test_a_new_record_has_version_one_and_no_accesses(store: Store) -> None:
    store.commit([put("c", "1", "hello", at=5, metadata={"a": 1}, expect=MUST_BE_NEW)])
    assert kept(store, "1") == record("1", "hello", at=5, metadata={"a": 1})


@pytest.mark.parametrize("change", [{"text": "b"}, {"at": 2}, {"metadata": {"a": True}}, {"metadata": {"a": 1.0}}])
def test_each_change_of_text_time_or_metadata_is_a_new_version(store: Store, change: dict[str, Any]) -> None:
    store.commit([put("c", "1", "a", metadata={"a": 1}), Touch(collection="c", ids=("1",))])
    store.commit([put("c", "1", **{"text": "a", "metadata": {"a": 1}, **change})])
    found = kept(store, "1")
    assert (found.version, found.access_count) == (2, 1)


def test_the_same_record_again_is_no_change(store: Store) -> None:
    store.commit([put("c", "1", "a", metadata={"a": 1, "b": [2, {"c": 3, "d": 4}]})])
    before = kept(store, "1")
    assert store.commit([put("c", "1", "a", metadata={"b": [2, {"d": 4, "c": 3}], "a": 1})]).revision == 0
    after = kept(store, "1")
    assert after == before
    assert list(after.metadata) == list(before.metadata)


def test_a_put_with_the_version_that_was_seen_goes_through(store: Store) -> None:
    store.commit([put("c", "1", "a")])
    store.commit([put("c", "1", "b", expect=1)])
    store.commit([put("c", "1", "b", expect=2)])
    assert (kept(store, "1").text, kept(store, "1").version) == ("b", 2)


@pytest.mark.parametrize(
    ("change", "expected", "actual"),
    [
        (put("c", "1", "c", expect=1), 1, 2),
        (put("c", "1", "c", expect=MUST_BE_NEW), 0, 2),
        (put("c", "2", "c", expect=1), 1, 0),
        (Remove(collection="c", id="1", expect=1), 1, 2),
        (Remove(collection="c", id="2", expect=3), 3, 0),
        (Remove(collection="nowhere", id="2", expect=3), 3, 0),
        (SetState(session="s", state={}, at=1, expect=0), 0, 1),
        (SetState(session="t", state={}, at=1, expect=1), 1, 0),
        (DropState(session="s", expect=2), 2, 1),
        (DropState(session="t", expect=1), 1, 0),
    ],
)
def test_a_conflict_leaves_nothing_written(store: Store, change: Change, expected: int, actual: int) -> None:
    open_space(store)
    store.commit(
        [
            put("c", "1", "a"),
            put("c", "1", "b"),
            put("c", "old", "gone soon?"),
            SetState(session="s", state={"a": 1}, at=1),
        ]
    )
    topics = [Topic.collection("c"), Topic.collection("other"), Topic.session("s"), Topic.session("t")]

    def everything() -> tuple[object, ...]:
        with store.read() as read:
            lists = (read.page("c"), read.collections(), read.journal(), read.edges(None), read.states_of(None))
            return *lists, read.revisions(topics), read.spaces(), store.maintenance.stats()

    before = everything()
    many: list[Change] = [put("c", f"new {i}", f"text {i}", embedding=vector([1, i])) for i in range(50)]
    company: list[Change] = [
        *many,
        EnsureCollection(name="other"),
        Remove(collection="c", id="old"),
        Touch(collection="c", ids=("1",)),
        Link(edge=edge("p", "c")),
        Append(session="s", at=1, entry={"a": 1}),
        change,
        DropCollection(name="c"),
    ]
    with pytest.raises(Conflict) as caught:
        store.commit(company)
    assert (caught.value.expected, caught.value.actual) == (expected, actual)
    assert caught.value.remedy
    assert everything() == before
    assert near(store, [1, 0]) == []
    assert words(store, "text 7") == []
    assert words(store, "gone soon") == ["old"]


def test_the_changes_of_a_commit_see_one_another_in_order(store: Store) -> None:
    store.commit(
        [
            put("c", "1", "a"),
            put("c", "1", "b", expect=1),
            Touch(collection="c", ids=("1",)),
            put("c", "1", "c", expect=2),
        ]
    )
    assert (kept(store, "1").text, kept(store, "1").version, kept(store, "1").access_count) == ("c", 3, 1)
    store.commit([Remove(collection="c", id="1", expect=3), put("c", "1", "d", expect=MUST_BE_NEW)])
    assert (kept(store, "1").text, kept(store, "1").version, kept(store, "1").access_count) == ("d", 1, 0)
    assert store.maintenance.stats().texts == 1


def test_an_empty_commit_changes_nothing(store: Store) -> None:
    assert store.commit([]).revision == 0
    assert store.maintenance.stats().records == 0


def test_a_restored_record_is_exactly_as_given(store: Store) -> None:
    restored = record("1", "hello", at=7, metadata={"a": [1]}, version=41, access_count=1000)
    store.commit([put("c", "1", "before"), restore(restored)])
    assert kept(store, "1") == restored
    assert words(store, "hello") == ["1"]
    assert words(store, "before") == []
    store.commit([restore(restored)])
    assert kept(store, "1") == restored
    store.commit([put("c", "1", "next", expect=41)])
    assert (kept(store, "1").version, kept(store, "1").access_count) == (42, 1000)


def test_the_largest_counts_can_still_grow(store: Store) -> None:
    store.commit([restore(record("1", version=MAX_COUNT - 1, access_count=MAX_COUNT - 1))])
    store.commit([put("c", "1", metadata={"a": 1}), Touch(collection="c", ids=("1",))])
    assert (kept(store, "1").version, kept(store, "1").access_count) == (MAX_COUNT, MAX_COUNT)


def test_removing_what_is_not_there_is_no_error(store: Store) -> None:
    store.commit([Remove(collection="c", id="1"), Remove(collection="c", id="1", expect=MUST_BE_NEW)])
    assert names(store) == []
    store.commit([put("c", "1"), Remove(collection="c", id="1"), Remove(collection="c", id="1")])
    assert ask(store, lambda read: read.collections()).items == (CollectionInfo(name="c", records=0),)


def test_a_touch_counts_each_distinct_id_once_and_skips_unknown_ones(store: Store) -> None:
    store.commit([put("c", "1"), put("c", "2"), put("d", "1")])
    store.commit([Touch(collection="c", ids=("1", "1", "nobody")), Touch(collection="nowhere", ids=("1",))])
    store.commit([Touch(collection="c", ids=("1",)), Touch(collection="c", ids=())])
    with store.read() as read:
        counts = {Key(one.collection, one.id): one.access_count for name in "cd" for one in read.page(name).items}
    assert counts == {Key("c", "1"): 2, Key("c", "2"): 0, Key("d", "1"): 0}
    assert kept(store, "1").version == 1


# ── collections ───────────────────────────────────────────────────────────────────────────────────────────


def test_an_ensured_collection_exists_and_is_empty(store: Store) -> None:
    store.commit([EnsureCollection(name="c"), EnsureCollection(name="c")])
    assert ask(store, lambda read: read.collections()).items == (CollectionInfo(name="c", records=0),)
    store.commit([put("c", "1"), EnsureCollection(name="c")])
    assert ask(store, lambda read: read.collections()).items == (CollectionInfo(name="c", records=1),)


def test_a_dropped_collection_can_be_rewritten_at_once(store: Store) -> None:
    open_space(store)
    store.commit(
        [
            put("c", "1", "old words", embedding=vector([1, 0])),
            put("c", "2", "same words", embedding=vector([0, 1])),
        ]
    )
    assert near_ids(store, [1, 0]) == ["1", "2"]
    store.commit([DropCollection(name="c"), put("c", "2", "same words"), put("c", "3", "new words")])
    assert listed(store) == ["2", "3"]
    assert kept(store, "2").version == 1
    assert words(store, "words") == ["2", "3"]
    assert words(store, "old") == []
    assert near_ids(store, [1, 0]) == ["2"]  # what stays in the store keeps its vectors
    store.commit([DropCollection(name="c")])
    assert (names(store), listed(store), near(store, [1, 0])) == ([], [], [])
    assert store.maintenance.stats().texts == 0
    store.commit([put("c", "9", "old words", embedding=vector([0, 1]))])
    assert near_ids(store, [1, 0]) == ["9"]


def test_dropping_what_is_not_there_is_no_error(store: Store) -> None:
    store.commit([put("c", "1")])
    assert store.commit([DropCollection(name="nowhere")]).revision == 0
    store.commit([DropCollection(name="c"), DropCollection(name="c")])
    assert names(store) == []


def test_dropping_a_collection_leaves_those_with_longer_names_alone(store: Store) -> None:
    store.commit([put(name, "1", f"in {name}") for name in ("user:a", "user:ab", "user:", "user:a ", "USER:A")])
    store.commit([DropCollection(name="user:a"), DropCollection(name="user")])
    assert names(store) == ["USER:A", "user:", "user:a ", "user:ab"]
    assert words(store, "in user", of="user:ab") == ["1"]


def test_collections_are_listed_by_prefix_in_byte_order(store: Store) -> None:
    made = ["b", "a", "ab", "ä", "äb", "日", "日本", "🦊", "🦊x", "%", "a%", "\uffff", "a\x01", "a\x01b"]
    store.commit([EnsureCollection(name=name) for name in made])
    assert names(store) == sorted(made, key=str.encode)
    assert names(store, "a") == ["a", "a\x01", "a\x01b", "a%", "ab"]
    assert names(store, "ä") == ["ä", "äb"]
    assert names(store, "日") == ["日", "日本"]
    assert names(store, "🦊") == ["🦊", "🦊x"]
    assert names(store, "%") == ["%"]
    assert names(store, "a\x01") == ["a\x01", "a\x01b"]
    assert names(store, "A") == []
    assert names(store, "\U0010ffff") == []


def test_collections_come_page_by_page(store: Store) -> None:
    store.commit([EnsureCollection(name=name) for name in ("b:1", "a:2", "a:1", "a:3", "🦊")])
    with store.read() as read:
        first = read.collections(prefix="a:", limit=2)
        assert [info.name for info in first.items] == ["a:1", "a:2"]
        rest = read.collections(prefix="a:", after=first.next, limit=2)
        assert ([info.name for info in rest.items], rest.next) == (["a:3"], None)
        assert read.collections(prefix="a:", limit=3).next is None
        assert [info.name for info in read.collections(after="a:2x").items] == ["a:3", "b:1", "🦊"]
        assert read.collections(prefix="a:", after="b").items == ()


def owned(store: Store, owner: str, prefix: str = "") -> list[str]:
    """The names of the collections that hold records of a namespace."""
    return [info.name for info in ask(store, lambda read: read.collections(owner=owner, prefix=prefix)).items]


def said_by(owner: Json, collection: str, id: str, text: str = "a text") -> Change:
    """A record of a namespace."""
    return put(collection, id, text, metadata={"userId": owner})


SAID: list[Change] = [
    said_by("alice", "session:1", "1"),
    said_by("alice", "session:1", "2", "another text"),
    said_by("alice:bob", "session:1", "3"),
    said_by("alice:bob", "session:2", "1"),
    said_by("alice", "user:alice", "1"),
    said_by("bob", "user:alice:bob", "1"),
    put("alice", "1", metadata={"user": "alice", "other": {"userId": "alice"}}),
    said_by(["alice"], "odd:1", "1"),
    said_by({"alice": 1}, "odd:2", "1"),
    said_by(None, "odd:3", "1"),
    said_by(7, "odd:4", "1"),
    said_by("", "odd:5", "1"),
    EnsureCollection(name="empty:alice"),
]
"""Who said it is what the record tells, whatever its collection is called."""


def test_the_collections_of_a_namespace_are_those_that_hold_records_of_it(store: Store) -> None:
    store.commit(SAID)
    assert owned(store, "alice") == ["session:1", "user:alice"]
    assert owned(store, "alice:bob") == ["session:1", "session:2"]
    assert owned(store, "bob") == ["user:alice:bob"]
    assert owned(store, "") == ["odd:5"]
    for nobody in ("Alice", "ali", "alice:", "7", "null", '["alice"]', '"alice"', "%"):
        assert owned(store, nobody) == []
    assert owned(store, "alice", "session:") == ["session:1"]
    assert owned(store, "alice", "odd:") == []
    assert ask(store, lambda read: read.collections(owner="alice")).items == (
        CollectionInfo(name="session:1", records=3),  # all that it holds, not only those of the namespace
        CollectionInfo(name="user:alice", records=1),
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_namespace_is_free_text(store: Store, name: str) -> None:
    store.commit([said_by(name, "c", "1"), said_by(name + "x", "d", "1")])
    assert owned(store, name) == ["c"]


def test_a_namespace_leaves_a_collection_with_its_last_record_there(store: Store) -> None:
    store.commit(SAID)
    store.commit([Remove(collection="session:1", id="1")])
    assert owned(store, "alice") == ["session:1", "user:alice"]
    store.commit([Remove(collection="session:1", id="2")])
    assert (owned(store, "alice"), owned(store, "alice:bob")) == (["user:alice"], ["session:1", "session:2"])
    store.commit([said_by("bob", "user:alice", "1")])  # the record is another's from now on
    assert (owned(store, "alice"), owned(store, "bob")) == ([], ["user:alice", "user:alice:bob"])
    store.commit([DropCollection(name="session:1")])
    assert owned(store, "alice:bob") == ["session:2"]
    store.commit([restore(record("9", of="session:9", metadata={"userId": "alice"}))])
    assert owned(store, "alice") == ["session:9"]


def test_the_collections_of_a_namespace_come_page_by_page(store: Store) -> None:
    store.commit([said_by("u", name, "1") for name in ("d", "a", "c", "b")] + [said_by("v", "aa", "1")])
    with store.read() as read:
        first = read.collections(owner="u", limit=2)
        assert [info.name for info in first.items] == ["a", "b"]
        rest = read.collections(owner="u", after=first.next, limit=2)
        assert ([info.name for info in rest.items], rest.next) == (["c", "d"], None)


def test_who_holds_what_is_known_after_a_restart(tmp_path: Path) -> None:
    with open_store("sqlite", tmp_path) as before:
        before.commit(SAID)
        before.commit([Remove(collection="user:alice", id="1"), DropCollection(name="session:2")])
    with open_store("sqlite", tmp_path) as again:
        assert owned(again, "alice") == owned(again, "alice:bob") == ["session:1"]


def test_sizes_are_told_of_each_collection_asked(store: Store) -> None:
    store.commit([put("c", "1"), put("c", "2"), put("d", "1"), EnsureCollection(name="e")])
    assert ask(store, lambda read: read.sizes(["d", "e", "nowhere", "c", "d"])) == {
        "c": 2,
        "d": 1,
        "e": 0,
        "nowhere": 0,
    }
    assert ask(store, lambda read: read.sizes([])) == {}


# ── reading records ───────────────────────────────────────────────────────────────────────────────────────


def test_records_are_read_by_their_places_as_many_as_there_are(store: Store) -> None:
    store.commit([put("c", "1", "a"), put("c", "2", "b"), put("d", "1", "c")])
    keys = [Key("d", "1"), Key("c", "nobody"), Key("c", "2"), Key("nowhere", "1"), Key("c", "2")]
    assert ask(store, lambda read: read.records(keys)) == {
        Key("c", "2"): record("2", "b"),
        Key("d", "1"): record("1", "c", of="d"),
    }
    assert ask(store, lambda read: read.records([])) == {}


def test_hundreds_of_records_are_read_in_one_question(store: Store) -> None:
    store.commit([put("c", f"{i}", f"text {i}") for i in range(1_500)])
    keys = [Key("c", f"{i}") for i in range(1_500)]
    texts = {digest(f"text {i}") for i in range(1_500)}
    with store.read() as read:
        assert read.records(keys).keys() == set(keys)
        assert read.features(keys, embedding=None, words=[("text",)]).keys() == set(keys)
        assert read.neighbours(keys).keys() == set(keys)
        assert read.holding("c", texts).keys() == texts
        assert len(read.revisions([Topic.collection(f"{i}") for i in range(1_500)])) == 1_500
        assert read.states([f"{i}" for i in range(1_500)]) == {}


def test_a_page_goes_in_byte_order_of_the_ids(store: Store) -> None:
    given_ids = ["b", "B", "a", "a\x01", "aa", "é", "z", "日", "\uffff", "🦊", "10", "9"]
    store.commit([put("c", name, at=i) for i, name in enumerate(given_ids)])
    ordered = sorted(given_ids, key=str.encode)
    assert listed(store) == ordered
    with store.read() as read:
        pages = list(walk(lambda after: read.page("c", after=after, limit=5)))
    assert [ids(page.items) for page in pages] == [ordered[:5], ordered[5:10], ordered[10:]]
    assert [page.next for page in pages] == [ordered[4], ordered[9], None]
    assert listed(store, after="aaa", limit=2) == ["b", "z"]
    assert listed(store, after="") == ordered
    assert ask(store, lambda read: read.page("nowhere")) == Page(items=())


def test_the_records_that_hold_a_text_come_by_time_then_id(store: Store) -> None:
    store.commit([put("c", "b", "same", at=5), put("c", "a", "same", at=5), put("c", "c", "other")])
    store.commit([put("c", "d", "same", at=1), put("elsewhere", "e", "same")])
    asked = [digest(text) for text in ("same", "other", "Same", "gone")]
    found = ask(store, lambda read: read.holding("c", asked))
    assert {text: ids(holders) for text, holders in found.items()} == {
        digest("same"): ["d", "a", "b"],
        digest("other"): ["c"],
    }
    store.commit([Remove(collection="c", id="b"), put("c", "a", "changed")])
    assert ids(ask(store, lambda read: read.holding("c", [digest("same")]))[digest("same")]) == ["d"]
    assert ask(store, lambda read: read.holding("nowhere", [digest("same")])) == {}
    assert ask(store, lambda read: read.holding("c", [])) == {}


def test_the_newest_come_first_then_by_id_descending(store: Store) -> None:
    store.commit([put("c", "a", at=2), put("c", "b", at=3), put("c", "c", at=2), put("c", "d", at=-1)])
    assert listed(store, order=Order.NEWEST) == ["b", "c", "a", "d"]
    assert listed(store, order=Order.NEWEST, limit=2) == ["b", "c"]
    assert listed(store, order=Order.NEWEST, limit=10, where=Where(until=3)) == ["c", "a", "d"]
    assert listed(store, order=Order.NEWEST, of="nowhere", limit=3) == []


PAGED = st.dictionaries(
    st.sampled_from(["a", "b", "B", "aa", "a:b", "1:x", "é", "日", "🦊", "-1", ":"]), st.integers(-2, 2), max_size=11
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    records=PAGED,
    order=st.sampled_from(Order),
    limit=st.integers(1, 12),
    where=st.sampled_from([Where(), Where(since=0), Where(until=1), Where(metadata={"odd": (1,)})]),
)
def test_walking_the_pages_gives_everything_once(
    store: Store, records: dict[str, int], order: Order, limit: int, where: Where
) -> None:
    name = new_collection()
    store.commit([put(name, id, at=at, metadata={"odd": at % 2}) for id, at in records.items()])
    whole = ask(store, lambda read: read.page(name, order=order, where=where))
    assert whole.next is None
    with store.read() as read:
        pages = list(walk(lambda after: read.page(name, order=order, where=where, after=after, limit=limit)))
    assert tuple(one for page in pages for one in page.items) == whole.items
    assert all(len(page.items) == limit for page in pages[:-1])
    assert pages[-1].items or not whole.items  # nobody is sent to an empty page


def test_a_cursor_holds_although_its_record_is_gone(store: Store) -> None:
    store.commit([put("c", f"{i}", at=i) for i in range(5)])
    by_id = ask(store, lambda read: read.page("c", limit=2)).next
    newest = ask(store, lambda read: read.page("c", order=Order.NEWEST, limit=2)).next
    store.commit([Remove(collection="c", id="1"), Remove(collection="c", id="3")])
    assert listed(store, after=by_id) == ["2", "4"]
    assert listed(store, order=Order.NEWEST, after=newest) == ["2", "0"]


@pytest.mark.parametrize(
    "cursor", ["", "x", "12", "x:a", ":a", "1.5:a", " 1:a", "1_0:a", "1:", "99999999999999999999:a"]
)
def test_a_cursor_that_no_page_gave_is_refused(store: Store, cursor: str) -> None:
    store.commit([put("c", "1")])
    with store.read() as read:
        with pytest.raises(InvalidInput) as caught:
            read.page("c", order=Order.NEWEST, after=cursor)
        assert caught.value.field == "after"
        assert caught.value.remedy


@pytest.mark.parametrize("limit", [0, -1, -(2**70)])
def test_a_limit_of_nothing_gives_nothing(store: Store, limit: int) -> None:
    open_space(store)
    store.commit(
        [
            put("c", "1", metadata={"k": "v"}, embedding=vector([1, 0])),
            put("c", "2", "other"),
            Append(session="s", at=1, entry={}),
            SetState(session="s", state={}, at=1),
        ]
    )
    with store.read() as read:
        assert read.page("c", limit=limit) == Page(items=())
        assert read.page("c", order=Order.NEWEST, limit=limit) == Page(items=())
        assert read.collections(limit=limit) == Page(items=())
        assert read.states_of(None, limit=limit) == Page(items=())
        assert read.distinct("c", "k", limit=limit) == ()
        assert read.journal(limit=limit) == ()
    assert store.vectors.missing("f", limit=limit) == ()
    assert store.vectors.sample(limit) == ()


def test_a_limit_may_be_larger_than_any_store(store: Store) -> None:
    store.commit(
        [
            put("c", "1", metadata={"k": "v"}),
            Append(session="s", at=1, entry={}),
            SetState(session="s", state={}, at=1),
        ]
    )
    with store.read() as read:
        for page in (
            read.page("c", limit=2**80),
            read.page("c", order=Order.NEWEST, limit=2**80),
            read.collections(limit=2**80),
            read.states_of(None, limit=2**80),
        ):
            assert (len(page.items), page.next) == (1, None)
        assert len(read.journal(limit=2**80)) == len(read.distinct("c", "k", limit=2**80)) == 1
    assert len(store.vectors.missing("f", limit=2**80)) == len(store.vectors.sample(2**80)) == 1


def test_the_texts_under_a_key_are_listed_once_each(store: Store) -> None:
    store.commit(
        [
            put("c", "a", metadata={"speaker": "Tom"}),
            put("c", "b", metadata={"speaker": "Anna"}),
            put("c", "d", metadata={"speaker": "Tom"}),
            put("c", "e", metadata={"speaker": ""}),
            put("c", "f", metadata={"speaker": 7}),
            put("c", "h", metadata={"speaker": None}),
            put("c", "i", metadata={"speaker": ["Tim"]}),
            put("c", "j", metadata={"speaker": "Émile", "nick": "Em"}),
            put("c", "k", metadata={"speaker": 'quo"te\n🦊'}),
            put("c", "g"),
            put("other", "x", metadata={"speaker": "Zoe"}),
        ]
    )
    with store.read() as read:
        assert read.distinct("c", "speaker", limit=9) == ("", "Anna", "Tom", 'quo"te\n🦊', "Émile")
        assert read.distinct("c", "nick", limit=9) == ("Em",)
        assert read.distinct("nowhere", "speaker", limit=9) == ()
        assert read.distinct("c", "unknown", limit=9) == ()
        some = read.distinct("c", "speaker", limit=2)
        assert len(some) == 2
        assert list(some) == sorted(some)
        assert set(some) < set(read.distinct("c", "speaker", limit=9))


# ── filters ───────────────────────────────────────────────────────────────────────────────────────────────

VALUES: dict[str, Json] = {
    "one": 1,
    "half": 0.5,
    "true": True,
    "false": False,
    "text": "1",
    "null": None,
    "zero": 0,
    "big": 2**70,
    "word": 'é " \\ \n 日',
    "list": [1],
    "object": {"a": 1},
    "empty": "",
}


@pytest.mark.parametrize("key", ["v", "sessionId", "speaker"])
@pytest.mark.parametrize("name", [name for name in VALUES if name not in ("list", "object")])
def test_a_filter_tells_values_of_different_kinds_apart(store: Store, name: str, key: str) -> None:
    store.commit([put("c", id, metadata={key: value}) for id, value in VALUES.items()] + [put("c", "missing")])
    where = Where(metadata={key: (VALUES[name],)})
    assert listed(store, where=where) == [name]
    assert listed(store, order=Order.NEWEST, limit=9, where=where) == [name]
    assert words(store, "text", where=where) == [name]


@pytest.mark.parametrize("key", ["v", "sessionId", "speaker"])
@pytest.mark.parametrize(
    ("left", "right", "is_equal"),
    [
        (1, 1.0, True),
        (-3, -3.0, True),
        (0, -0.0, True),
        (0, 0.0, True),
        (10**17, 1e17, True),
        (2**70, 2.0**70, True),
        (1e-7, 1e-7, True),
        (10**400, 10**400, True),
        (1, 1.5, False),
        (2**53 + 1, 2.0**53, False),
        (2**70 + 1, 2**70, False),
        (1, True, False),
        (0, False, False),
        (1.0, True, False),
        (1, "1", False),
        (0, None, False),
        (0, "", False),
        (False, None, False),
    ],
)
def test_a_filter_compares_numbers_as_numbers(
    store: Store, left: Json, right: Json, key: str, *, is_equal: bool
) -> None:
    store.commit([put("c", "left", metadata={key: left}), put("c", "right", metadata={key: right})])
    found = ["left", "right"] if is_equal else ["left"]
    assert listed(store, where=Where(metadata={key: (left,)})) == found
    assert words(store, "text", where=Where(metadata={key: (left,)})) == found
    assert listed(store, where=Where(metadata={key: (right,)})) == (found if is_equal else ["right"])


def test_a_filter_takes_any_of_several_values_of_all_named_keys(store: Store) -> None:
    store.commit(
        [
            put("c", "1", metadata={"a": 1, "b": "x"}),
            put("c", "2", metadata={"a": 2, "b": "x"}),
            put("c", "3", metadata={"a": 3, "b": "x"}),
            put("c", "4", metadata={"a": 1, "b": "y"}),
            put("c", "5", metadata={"a": 1}),
        ]
    )
    assert listed(store, where=Where(metadata={"a": (1, 2), "b": ("x",)})) == ["1", "2"]
    assert listed(store, where=Where(metadata={"a": (1, 2), "b": ("x", "y")})) == ["1", "2", "4"]
    assert listed(store, where=Where(metadata={"a": ()})) == []
    assert listed(store, where=Where(metadata={"a": (1,)}), after="1", limit=1) == ["4"]


@pytest.mark.parametrize("key", ["b", "userId", "sessionId"])
def test_a_filter_may_let_through_what_lacks_a_key(store: Store, key: str) -> None:
    told: dict[str, Json] = {"1": "x", "2": "y", "3": None, "4": ""}
    store.commit([put("c", id, "text", metadata={key: value}) for id, value in told.items()])
    store.commit([put("c", "5", "text", metadata={"a": 1}), put("c", "6", "text")])
    assert listed(store, where=Where(metadata={key: ("x",)}, may_lack=(key,))) == ["1", "5", "6"]
    assert listed(store, where=Where(metadata={key: ("x", None)}, may_lack=("other",))) == ["1", "3"]
    both = Where(metadata={"a": (1,), key: ("x", "")}, may_lack=(key,))
    assert listed(store, where=both) == words(store, "text", where=both) == ["5"]
    newest = Where(metadata={key: ("y",)}, may_lack=(key,))
    assert listed(store, order=Order.NEWEST, limit=9, where=newest) == ["6", "5", "2"]


@pytest.mark.parametrize("key", ["a.b", "a b", "$", "[0]", "日", "", "a'b", "#", "-1", "🦊", "/"])
def test_a_filter_key_is_a_name_and_never_a_path(store: Store, key: str) -> None:
    store.commit([put("c", "1", metadata={key: 1}), put("c", "2", metadata={"a": {"b": 1}, "x": [1]})])
    assert listed(store, where=Where(metadata={key: (1,)})) == ["1"]
    store.commit([put("c", "1", metadata={key: "v"})])
    assert ask(store, lambda read: read.distinct("c", key, limit=9)) == ("v",)


def test_a_time_filter_includes_its_start_and_excludes_its_end(store: Store) -> None:
    store.commit([put("c", str(at), at=at) for at in range(5)])
    assert listed(store, where=Where(since=1, until=3)) == ["1", "2"]
    assert listed(store, where=Where(since=3)) == ["3", "4"]
    assert listed(store, where=Where(until=0)) == []
    assert words(store, "text", where=Where(since=1, until=3)) == ["1", "2"]


@pytest.mark.parametrize(
    "where",
    [
        Where(metadata={"a": ([1],)}),
        Where(metadata={"a": ({"b": 1},)}),
        Where(metadata={"a": (float("nan"),)}),
        Where(metadata={'a"b': (1,)}),
        Where(metadata={"a\\b": (1,)}),
        Where(metadata={"a\n": (1,)}),
        Where(since=2**63),
        Where(until=-(2**80)),
        Where(since=True),
        Where(until=1.5),  # type: ignore[arg-type]  # what a caller without a type checker sends
    ],
)
def test_a_filter_that_cannot_be_asked_is_refused(store: Store, where: Where) -> None:
    open_space(store)
    questions: list[Callable[[Snapshot], object]] = [
        lambda read: read.page("c", where=where),
        lambda read: read.page("c", order=Order.NEWEST, limit=1, where=where),
        lambda read: read.matching(["c"], [("a",)], k=1, where=where),
        lambda read: read.nearest(["c"], vector([1, 0]), k=1, where=where),
        lambda read: read.neighbours([], where=where),
    ]
    for question in questions:
        with store.read() as read:
            with pytest.raises(InvalidInput) as caught:
                question(read)
            assert caught.value.field == "where"


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────


def test_edges_come_by_session_parent_position_and_child(store: Store) -> None:
    linked = [edge("p", "b", 1), edge("p", "a", 1), edge("o", "z", 9), edge("p", "c", 0), edge("p", "a", session="r")]
    store.commit([Link(edge=one) for one in linked])
    ordered = (edge("o", "z", 9), edge("p", "c", 0), edge("p", "a", 1), edge("p", "b", 1))
    with store.read() as read:
        assert read.edges("s") == ordered
        assert read.edges("s", parents=["p"]) == ordered[1:]
        assert read.edges("s", parents=["p", "nobody", "o"]) == ordered
        assert read.edges(None) == (edge("p", "a", session="r"), *ordered)
        assert read.edges(None, parents=["p"]) == (edge("p", "a", session="r"), *ordered[1:])
        assert read.edges("nobody") == ()
        assert read.edges("s", parents=["nobody"]) == ()
        assert read.edges("s", parents=[]) == ()
        to_a = tuple(each for each in ordered if each.child == "a")
        assert read.edges("s", children=["a", "nobody"]) == to_a
        assert read.edges(None, children=["a"]) == (edge("p", "a", session="r"), *to_a)
        assert read.edges("s", parents=["p"], children=["a"]) == tuple(each for each in to_a if each.parent == "p")
        assert read.edges("s", children=[]) == ()


def test_the_same_edge_again_is_no_change_and_a_changed_one_replaces(store: Store) -> None:
    store.commit([Link(edge=edge("p", "a")), Link(edge=edge("p", "a"))])
    assert ask(store, lambda read: read.edges("s")) == (edge("p", "a"),)
    store.commit([Link(edge=edge("p", "a", 4, at=2, kind="summary"))])
    assert ask(store, lambda read: read.edges("s")) == (edge("p", "a", 4, at=2, kind="summary"),)
    store.commit([Link(edge=edge("p", "a", session="r")), Unlink(session="s"), Unlink(session="s")])
    assert ask(store, lambda read: read.edges(None)) == (edge("p", "a", session="r"),)


def test_the_edges_of_one_summary_can_be_deleted_alone(store: Store) -> None:
    store.commit([Link(edge=edge("p", "a")), Link(edge=edge("q", "a")), Link(edge=edge("p", "a", session="r"))])
    store.commit([Unlink(session="s", parent="p"), Unlink(session="s", parent="nobody")])
    assert ask(store, lambda read: read.edges(None)) == (edge("p", "a", session="r"), edge("q", "a"))


def test_the_journal_keeps_the_newest_and_numbers_go_on(store: Store) -> None:
    for i in range(10):
        store.commit([Append(session="ab"[i % 2], at=i, entry={"n": i}, keep=4)])
    with store.read() as read:
        assert [entry.entry for entry in read.journal()] == [{"n": i} for i in (6, 7, 8, 9)]
        assert [(entry.session, entry.at) for entry in read.journal(sessions=["b"])] == [("b", 7), ("b", 9)]
        assert [entry.at for entry in read.journal(sessions=["a", "b", "nobody"])] == [6, 7, 8, 9]
        assert [entry.at for entry in read.journal(limit=2)] == [8, 9]
        assert [entry.at for entry in read.journal(sessions=["a"], limit=1)] == [8]
        assert read.journal(sessions=["nobody"]) == ()
        assert read.journal(sessions=[]) == ()
        seqs = [entry.seq for entry in read.journal()]
    assert seqs == sorted(set(seqs))
    store.commit([Append(session="a", at=10, entry={}, keep=1)])
    assert [entry.seq for entry in ask(store, lambda read: read.journal())] == [seqs[-1] + 1]


def test_the_journal_is_cleared_by_numbers_or_as_a_whole(store: Store) -> None:
    store.commit([Append(session="s", at=at, entry={}) for at in range(4)])
    first, second, *_ = (entry.seq for entry in ask(store, lambda read: read.journal()))
    store.commit([ClearJournal(seqs=frozenset({first, second, 10**6}))])
    assert [entry.at for entry in ask(store, lambda read: read.journal())] == [2, 3]
    store.commit([ClearJournal(), Append(session="s", at=9, entry={})])
    (left,) = ask(store, lambda read: read.journal())
    assert (left.at, left.seq) == (9, first + 4)


def test_a_session_state_changes_only_from_the_generation_that_was_seen(store: Store) -> None:
    assert ask(store, lambda read: read.states(["s"])) == {}
    store.commit([SetState(session="s", state={"a": [1]}, at=5, expect=0)])
    assert ask(store, lambda read: read.states(["s", "nobody", "s"])) == {
        "s": SessionState(session="s", generation=1, state={"a": [1]}, at=5)
    }
    store.commit([SetState(session="s", state={"a": 2}, at=6, expect=1), SetState(session="s", state={"a": 2}, at=6)])
    assert ask(store, lambda read: read.states(["s"])) == {
        "s": SessionState(session="s", generation=3, state={"a": 2}, at=6)
    }
    with pytest.raises(Conflict) as caught:
        store.commit([SetState(session="s", state={}, at=7, expect=2)])
    assert (caught.value.expected, caught.value.actual) == (2, 3)
    store.commit([DropState(session="s"), DropState(session="s")])
    assert ask(store, lambda read: read.states(["s"])) == {}
    store.commit([SetState(session="s", state={}, at=8, expect=0)])
    assert ask(store, lambda read: read.states_of(None)).items == (
        SessionState(session="s", generation=1, state={}, at=8),
    )


def test_a_restored_session_state_is_exactly_as_given(store: Store) -> None:
    restored = SessionState(session="é", generation=12, state={"a": None}, at=-5)
    store.commit(
        [SetState(session="é", state={}, at=1), RestoreState(state=restored), SetState(session="a", state={}, at=1)]
    )
    assert ask(store, lambda read: read.states(["é"])) == {"é": restored}
    assert [one.session for one in ask(store, lambda read: read.states_of(None)).items] == ["a", "é"]


def test_the_sessions_of_a_namespace_are_those_whose_state_names_it(store: Store) -> None:
    states: dict[str, Metadata] = {
        "1": {"namespaces": ["alice"]},
        "2": {"namespaces": ["alice:bob"]},
        "3": {"namespaces": ["bob", "alice"]},
        "4": {"namespaces": []},
        "5": {"namespaces": "alice"},
        "6": {"namespaces": {"alice": 1}},
        "7": {"namespaces": ["ali", 7, None, ["alice"], ""]},
        "8": {"other": ["alice"]},
        "9": {"namespaces": ["alice", "alice"]},
    }
    store.commit([SetState(session=name, state=state, at=1) for name, state in states.items()])

    def owned(owner: str | None) -> str:
        return "".join(state.session for state in ask(store, lambda read: read.states_of(owner)).items)

    assert owned("alice") == "139"
    assert owned("alice:bob") == "2"
    assert owned("bob") == "3"
    assert owned("ali") == owned("") == "7"
    assert owned("Alice") == owned("alice:") == ""
    assert owned(None) == "123456789"
    store.commit(
        [
            DropState(session="1"),
            SetState(session="3", state={"namespaces": ["bob"]}, at=2),
            RestoreState(state=SessionState(session="4", generation=9, state={"namespaces": ["alice"]}, at=1)),
        ]
    )
    assert (owned("alice"), owned("bob")) == ("49", "3")


def test_the_states_of_a_namespace_come_page_by_page(store: Store) -> None:
    store.commit(
        [SetState(session=name, state={"namespaces": ["u"]}, at=1) for name in ("d", "a", "c", "b")]
        + [SetState(session="aa", state={"namespaces": ["v"]}, at=1)]
    )
    with store.read() as read:
        first = read.states_of("u", limit=2)
        assert [one.session for one in first.items] == ["a", "b"]
        rest = read.states_of("u", after=first.next, limit=2)
        assert ([one.session for one in rest.items], rest.next) == (["c", "d"], None)
        assert [one.session for one in read.states_of(None, after="aa").items] == ["b", "c", "d"]


# ── the whole store ───────────────────────────────────────────────────────────────────────────────────────


def test_stats_count_everything(store: Store) -> None:
    empty = store.maintenance.stats()
    assert (empty.collections, empty.records, empty.texts, empty.unembedded, empty.edges) == (0, 0, 0, 0, 0)
    open_space(store)
    store.commit(
        [
            put("c", "1", "tea", embedding=vector([1, 0])),
            put("c", "2", "tea"),
            put("d", "1", "coffee"),
            put("d", "2", " "),
            EnsureCollection(name="e"),
            Link(edge=edge("p", "a")),
            Append(session="s", at=1, entry={}),
            SetState(session="s", state={}, at=1),
        ]
    )
    stats = store.maintenance.stats()
    assert (stats.collections, stats.records, stats.texts, stats.unembedded) == (3, 4, 3, 1)
    assert (stats.edges, stats.journal, stats.sessions) == (1, 1, 1)
    assert stats.size_bytes >= 0
    assert {"analysis", "format"} <= stats.versions.keys()


def test_an_index_can_be_made_anew_by_another_analysis(store: Store) -> None:
    store.commit([put("c", "1", "Green tea"), put("d", "1", "black tea"), put("d", "2", "")])
    assert store.maintenance.analysis() == ""
    told: list[tuple[int, int]] = []
    store.maintenance.reindex(
        "reversed", lambda text: tuple(word[::-1] for word in text.lower().split()), lambda *step: told.append(step)
    )
    assert store.maintenance.analysis() == "reversed"
    assert store.maintenance.stats().versions["analysis"] == "reversed"
    assert told[-1] == (3, 3)
    with store.read() as read:
        assert read.matching(["c", "d"], [("aet",)], k=9) == (Key("c", "1"), Key("d", "1"))
        assert read.matching(["c", "d"], [("tea",)], k=9) == ()
        assert read.vocabularies(["d"], [("kcalb",), ("black",)])["d"].holders == (1, 0)
        assert read.features([Key("c", "1")], embedding=None, words=[("neerg",)])[Key("c", "1")].counts == (1,)
    store.commit([put("c", "2", "Green tea", terms=None), Remove(collection="c", id="1")])
    assert ask(store, lambda read: read.matching(["c"], [("aet",)], k=9)) == (Key("c", "2"),)


def test_an_analysis_that_fails_leaves_the_index_as_it_was(store: Store) -> None:
    store.commit([put("c", "1", "Green tea"), put("c", "2", "black tea")])

    def fail_on_the_second(text: str) -> tuple[str, ...]:
        if text == "black tea":
            raise ZeroDivisionError
        return ("new",)

    with pytest.raises(ZeroDivisionError):
        store.maintenance.reindex("failing", fail_on_the_second)
    assert store.maintenance.analysis() == ""
    assert words(store, "green") == ["1"]
    assert ask(store, lambda read: read.matching(["c"], [("new",)], k=9)) == ()


def test_verifying_tells_its_progress(store: Store) -> None:
    store.commit([put("c", "1")])
    told: list[tuple[int, int]] = []
    assert list(store.maintenance.verify(lambda done, total: told.append((done, total)))) == []
    assert told
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_summary_that_covers_itself_is_found(kind: str, tmp_path: Path) -> None:
    with open_store(kind, tmp_path) as store:
        store.commit([Link(edge=edge("a", "b")), Link(edge=edge("b", "a")), Link(edge=edge("b", "a", session="r"))])
        findings = list(store.maintenance.verify())
        assert {finding.invariant for finding in findings} == {"coverage is acyclic"}
        assert findings[0].detail


@pytest.mark.parametrize("kind", KINDS)
def test_every_store_finds_the_same_gaps_in_a_conversation(kind: str, tmp_path: Path) -> None:
    """A summary whose turn is gone, one without sources, and a turn that nothing leads to."""
    with open_store(kind, tmp_path) as store:
        store.commit(
            [
                put("session_raw:s", "lost", "lost", metadata={"raw_history": True}),
                put("session_summary:s", "a", "a", metadata={"source_ids": ["gone"]}),
                put("session_summary:s", "b", "b"),
                put("session:s", "a", "a"),
                put("session:s", "b", "b"),
                Link(edge=edge("a", "gone")),
            ]
        )
        assert [(finding.invariant, finding.detail) for finding in store.maintenance.verify()] == [
            ("edges lead to what is there", "session 's': summary 'a' stands for the turn 'gone', which is not there"),
            ("summaries have their sources", "session 's': summary 'b' has no sources"),
            (
                "everything said is reached",
                "session 's': turn 'lost' is neither in the active view nor behind a summary",
            ),
        ]


def test_closing_twice_is_fine_and_use_after_it_is_refused(store: Store, tmp_path: Path) -> None:
    store.commit([put("c", "1")])
    store.close()
    store.close()
    uses: list[Callable[[], object]] = [
        lambda: store.commit([put("c", "2")]),
        lambda: store.revisions([Topic.collection("c")]),
        lambda: ask(store, lambda read: read.page("c")),
        lambda: open_space(store),
        lambda: store.vectors.activate("f"),
        lambda: store.vectors.drop("f"),
        lambda: store.vectors.missing("f", limit=1),
        lambda: store.vectors.sample(1),
        lambda: store.vectors.add([(digest("a"), vector([1, 0]))]),
        store.maintenance.stats,
        store.maintenance.analysis,
        lambda: store.maintenance.reindex("other", lambda text: (text,)),
        lambda: list(store.maintenance.verify()),
        store.maintenance.health,
        store.maintenance.check,
        lambda: store.maintenance.backup(tmp_path / "copy.db"),
    ]
    for use in uses:
        with pytest.raises(StoreClosed) as caught:
            use()
        assert caught.value.remedy
    assert not list(tmp_path.glob("copy*"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_store_is_closed_by_its_with_block(kind: str, tmp_path: Path) -> None:
    with open_store(kind, tmp_path) as opened:
        opened.commit([put("c", "1")])
    with pytest.raises(StoreClosed):
        kept(opened, "1")


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_store_says_that_it_takes_writes(kind: str, tmp_path: Path) -> None:
    with open_store(kind, tmp_path) as store:
        store.commit([put("c", "1")])
        for health in (store.maintenance.health(), store.maintenance.check()):
            assert health.is_writable
            assert (health.problem, health.remedy, health.words()) == ("", "", "")


def test_a_store_in_memory_refuses_to_be_copied(tmp_path: Path) -> None:
    with MemoryStore() as store, pytest.raises(StoreError) as caught:
        store.maintenance.backup(tmp_path / "copy.db")
    assert isinstance(caught.value, LibraError)
    assert caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_every_error_names_what_to_do_next(store: Store) -> None:
    metadata: Metadata = {}
    store.commit([put("c", "1", metadata=metadata)])
    with pytest.raises(Conflict, match="Read it again and retry"):
        store.commit([put("c", "1", expect=7)])


def test_the_volume_of_collections_and_of_an_owner_counts_each_record_once(store: Store) -> None:
    store.commit([
        put("user:a", "1", "grün", metadata={"userId": "a", "n": [1, "ö"]}),
        put("user:a", "2", ""),
        put("session:s", "1", "grün", metadata={"userId": "a"}),
        put("session:s", "2", "else", metadata={"userId": "ab"}),
    ])  # fmt: skip
    with store.read() as snapshot:
        own = len("grün".encode()) + len('{"userId":"a","n":[1,"ö"]}'.encode()) + len("{}")
        assert snapshot.volume(["user:a", "user:none"]) == Volume(records=2, size_bytes=own)
        shared = own + len("grün".encode()) + len('{"userId":"a"}')
        assert snapshot.volume(["user:a"], owner="a") == Volume(records=3, size_bytes=shared)
        assert snapshot.volume([], owner="nobody") == snapshot.volume([]) == Volume()
