"""What every store does, whatever it is made of: one suite over the SQLite store and its twin in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.errors import Conflict, InvalidInput, LibraError, NotFound, SpaceMismatch, StoreClosed, StoreError
from libravdb.model import (
    MUST_BE_NEW,
    Append,
    Candidate,
    Change,
    CollectionInfo,
    DropCollection,
    DropState,
    Edge,
    Embedding,
    EnsureCollection,
    Json,
    KeepState,
    Link,
    Metadata,
    Put,
    Query,
    Record,
    Remove,
    Restore,
    RestoreState,
    SessionState,
    SetState,
    SpaceState,
    Touch,
    Unlink,
    Where,
    digest,
)
from libravdb.ports.store import Store
from libravdb.ports.validation import MAX_COUNT, MAX_METADATA_DEPTH, MAX_NAME_BYTES
from libravdb.testing import MemoryStore

Vector = NDArray[np.float32]
SPACE = "model-a"
OTHER = "model-b"
SURROGATE = "bad \ud800 text"


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Each implementation in turn; whatever a test did to it, it is sound afterwards."""
    opened: Store = SqliteStore(tmp_path / "store.db") if request.param == "sqlite" else MemoryStore()
    yield opened
    try:
        findings = list(opened.verify())
    except StoreClosed:
        findings = []
    opened.close()
    assert findings == []


# ── short words for the tests ─────────────────────────────────────────────────────────────────────────────


def put(id: str, text: str = "a text", *, into: str = "c", at: int = 1, **more: Any) -> Put:
    return Put(collection=into, id=id, text=text, at=at, **more)


def record(id: str, text: str = "a text", *, into: str = "c", at: int = 1, **more: Any) -> Record:
    return Record(collection=into, id=id, text=text, at=at, **{"metadata": {}, "version": 1, "access_count": 0, **more})


def kept(store: Store, id: str, *, of: str = "c") -> Record:
    found = store.get(of, id)
    assert found is not None
    return found


def rows(*directions: Sequence[float]) -> Vector:
    matrix = np.array(directions, dtype=np.float64)
    unit: Vector = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    return unit


def vector(*directions: Sequence[float], space: str = SPACE) -> Embedding:
    return Embedding(fingerprint=space, vectors=rows(*directions))


def open_space(store: Store, fingerprint: str = SPACE, dimensions: int = 2) -> None:
    store.open_space(fingerprint=fingerprint, dimensions=dimensions, description={"name": fingerprint})


def words(store: Store, text: str, *, into: str = "c", k: int = 10, **more: Any) -> list[str]:
    found = store.search(Query(collections=(into,), k=k, text=text, **more))
    return [candidate.record.id for candidate in found]


def near(store: Store, direction: Sequence[float], *, into: str = "c", k: int = 10, **more: Any) -> list[Candidate]:
    return store.search(Query(collections=(into,), k=k, embedding=vector(direction), **more))


def ids(found: Sequence[Record]) -> list[str]:
    return [one.id for one in found]


# ── names, texts, metadata: what goes in comes out ────────────────────────────────────────────────────────

NAMES = [
    "plain",
    "with space",
    "nul\0inside",
    "\0",
    "🦊🌍",
    "سلام",
    "a'b\"c;--",
    "%_*?",
    "C:\\x",
    "é",
    "e\u0301",
    "\x7f",
]


@pytest.mark.parametrize("name", NAMES)
def test_ids_and_collection_names_are_free_text(store: Store, name: str) -> None:
    store.commit([put(name, "hello", into=name), put(name + "x", "other", into=name)])
    assert store.get(name, name) == record(name, "hello", into=name)
    assert ids(store.scan(name, after=name)) == [name + "x"]
    assert store.collections(name) == [CollectionInfo(name=name, records=2)]
    assert words(store, "hello other", into=name, exclude={name: frozenset({name})}) == [name + "x"]
    store.commit([Touch(collection=name, ids=(name,)), Remove(collection=name, id=name + "x")])
    assert kept(store, name, of=name).access_count == 1
    assert ids(store.scan(name)) == [name]
    store.commit([DropCollection(name=name)])
    assert store.collections() == []


def test_the_empty_collection_name_is_a_name(store: Store) -> None:
    store.commit([put("1", "hello", into="")])
    assert store.get("", "1") == record("1", "hello", into="")
    assert words(store, "hello", into="") == ["1"]
    assert store.collections() == [CollectionInfo(name="", records=1)]


def test_a_record_needs_an_id(store: Store) -> None:
    for change in (put(""), Restore(record=record(""))):
        with pytest.raises(InvalidInput) as caught:
            store.commit([change])
        assert caught.value.field == "id"
        assert caught.value.remedy


def test_a_name_may_have_1024_bytes_and_no_more(store: Store) -> None:
    longest = "é" * (MAX_NAME_BYTES // 2)
    store.commit([put(longest, into=longest)])
    assert store.get(longest, longest) is not None
    for field, change in (("id", put(longest + "a")), ("collection", put("1", into=longest + "a"))):
        with pytest.raises(InvalidInput, match=r"1,025 bytes, at most 1,024") as caught:
            store.commit([change])
        assert caught.value.field == field
        assert caught.value.remedy
    assert store.get("c", longest + "a") is None


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "line\r\nline\ttab", "🦊", "a" * 100_000, "\ufeff\u2028\uffff", "é e\u0301"]
)
def test_texts_come_back_unchanged(store: Store, text: str) -> None:
    store.commit([put("1", text)])
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
        'nul\0 quote" back\\ \u2028 🦊',
        [],
        {},
        [1, [2, [3, {"a": [None, True, "x"]}]]],
        {"": 1, "a.b": {"$": [1.5]}, 'quo"te': None, "z": 1, "a": 2},
    ],
)
def test_metadata_of_every_json_type_comes_back_unchanged(store: Store, value: Json) -> None:
    store.commit([put("1", metadata={"key": value}), Restore(record=record("2", metadata={"key": value}))])
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
        put("1", metadata=metadata),
        Restore(record=record("1", metadata=metadata)),
        Append(session="s", at=1, entry=metadata),
        SetState(session="s", state=metadata, at=1),
        RestoreState(state=SessionState(session="s", generation=1, state=metadata, at=1)),
    ]
    for change in changes:
        with pytest.raises(InvalidInput) as caught:
            store.commit([put("0"), change])
        assert caught.value.field == "metadata"
    with pytest.raises(InvalidInput):
        store.open_space(fingerprint="f", dimensions=2, description=metadata)
    assert (store.collections(), store.journal(), store.sessions(), store.spaces()) == ([], [], [], [])


def test_metadata_too_deep_to_be_read_back_is_refused(store: Store) -> None:
    deep: Json = 1
    for _ in range(MAX_METADATA_DEPTH - 1):
        deep = [deep]
    store.commit([put("1", metadata={"a": deep})])
    assert kept(store, "1").metadata == {"a": deep}
    with pytest.raises(InvalidInput, match="nested"):
        store.commit([put("1", metadata={"a": [deep]})])
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidInput, match="nested"):
        store.commit([put("1", metadata={"a": deep})])
    while isinstance(deep, list):  # taken apart by hand: letting go of it all at once would overflow the stack
        deep = deep[0]


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("text", put("1", SURROGATE)),
        ("id", put(SURROGATE)),
        ("collection", put("1", into=SURROGATE)),
        ("metadata", put("1", metadata={"a": [SURROGATE]})),
        ("metadata", put("1", metadata={SURROGATE: 1})),
        ("text", Restore(record=record("1", SURROGATE))),
        ("id", Remove(collection="c", id=SURROGATE)),
        ("collection", Remove(collection=SURROGATE, id="1")),
        ("id", Touch(collection="c", ids=("1", SURROGATE))),
        ("collection", Touch(collection=SURROGATE, ids=())),
        ("collection", EnsureCollection(name=SURROGATE)),
        ("collection", DropCollection(name=SURROGATE)),
        ("child", Link(edge=Edge(session="s", parent="p", child=SURROGATE, child_kind="k", position=0, at=0))),
        ("session", Unlink(session=SURROGATE)),
        ("parent", Unlink(session="s", parent=SURROGATE)),
        ("session", Append(session=SURROGATE, at=1, entry={})),
        ("session", SetState(session=SURROGATE, state={}, at=1)),
        ("session", DropState(session=SURROGATE)),
        ("session", KeepState(state=SessionState(session=SURROGATE, generation=1, state={}, at=1))),
    ],
)
def test_a_lone_surrogate_is_refused_by_the_name_of_its_field(store: Store, field: str, change: Change) -> None:
    with pytest.raises(InvalidInput, match="lone surrogate") as caught:
        store.commit([put("0"), change])
    assert caught.value.field == field
    assert store.collections() == []


@pytest.mark.parametrize(
    ("field", "ask"),
    [
        ("collection", lambda store: store.get(SURROGATE, "1")),
        ("id", lambda store: store.get("c", SURROGATE)),
        ("collection", lambda store: store.scan(SURROGATE)),
        ("after", lambda store: store.scan("c", after=SURROGATE)),
        ("where", lambda store: store.scan("c", where=Where(metadata={"a": (SURROGATE,)}))),
        ("where", lambda store: store.scan("c", where=Where(metadata={SURROGATE: (1,)}))),
        ("collection", lambda store: store.latest(SURROGATE, limit=1)),
        ("prefix", lambda store: store.collections(SURROGATE)),
        ("collection", lambda store: store.search(Query(collections=(SURROGATE,), k=1, text="a"))),
        (
            "exclude",
            lambda store: store.search(Query(collections=("c",), k=1, text="a", exclude={"c": frozenset({SURROGATE})})),
        ),
        ("session", lambda store: store.edges(SURROGATE)),
        ("parent", lambda store: store.edges("s", parent=SURROGATE)),
        ("session", lambda store: store.journal(session=SURROGATE)),
        ("session", lambda store: store.session_state(SURROGATE)),
        ("fingerprint", lambda store: store.open_space(fingerprint=SURROGATE, dimensions=1, description={})),
        ("fingerprint", lambda store: store.activate_space(SURROGATE)),
        ("fingerprint", lambda store: store.drop_space(SURROGATE)),
        ("fingerprint", lambda store: store.unembedded(SURROGATE, limit=1)),
        ("text", lambda store: store.unembedded_among("f", ["a", SURROGATE])),
        ("text", lambda store: store.vectors("f", SURROGATE)),
    ],
)
def test_a_lone_surrogate_in_a_question_is_refused_too(
    store: Store, field: str, ask: Callable[[Store], object]
) -> None:
    with pytest.raises(InvalidInput, match="lone surrogate") as caught:
        ask(store)
    assert caught.value.field == field


def test_a_lone_surrogate_among_the_words_of_a_question_is_no_word(store: Store) -> None:
    store.commit([put("1", "a bad story")])
    assert words(store, SURROGATE) == ["1"]


def test_a_text_of_ten_megabytes_is_refused_with_numbers_and_a_remedy(store: Store) -> None:
    with pytest.raises(InvalidInput, match=r"10,000,000 characters, at most 1,000,000") as caught:
        store.commit([put("0"), put("1", "x" * 10_000_000)])
    assert caught.value.field == "text"
    assert "store.max_text_chars" in caught.value.remedy
    assert store.get("c", "0") is None
    store.commit([put("1", "x" * 1_000_000)])
    assert len(kept(store, "1").text) == 1_000_000


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("at", put("1", at=2**63)),
        ("at", put("1", at=True)),
        ("at", put("1", at=1.5)),  # type: ignore[arg-type]  # what a caller without a type checker sends
        ("text", put("1", None)),  # type: ignore[arg-type]
        ("id", put(7)),  # type: ignore[arg-type]
        ("version", Restore(record=record("1", version=0))),
        ("version", Restore(record=record("1", version=MAX_COUNT))),
        ("access_count", Restore(record=record("1", access_count=-1))),
        ("keep", Append(session="s", at=1, entry={}, keep=0)),
        ("position", Link(edge=Edge(session="s", parent="p", child="c", child_kind="k", position=-1, at=0))),
        ("generation", RestoreState(state=SessionState(session="s", generation=0, state={}, at=1))),
        ("embedding", put("1", embedding=Embedding(fingerprint=SPACE, vectors=np.zeros((1, 2), np.float32)))),
        ("embedding", put("1", embedding=Embedding(fingerprint=SPACE, vectors=np.ones(2, np.float32)))),
        ("embedding", put("1", embedding=Embedding(fingerprint=SPACE, vectors=np.empty((0, 2), np.float32)))),
        ("embedding", put("1", embedding=Embedding(fingerprint=SPACE, vectors=np.full((1, 2), np.nan, np.float32)))),
    ],
)
def test_impossible_values_are_refused_by_field(store: Store, field: str, change: Change) -> None:
    open_space(store)
    with pytest.raises(InvalidInput) as caught:
        store.commit([put("0"), change])
    assert caught.value.field == field
    assert store.stats().records == 0


def test_times_reach_from_the_far_past_to_the_far_future(store: Store) -> None:
    store.commit([put("new", at=2**63 - 1), put("old", at=-(2**63))])
    assert [one.at for one in store.latest("c", limit=2)] == [2**63 - 1, -(2**63)]


def test_the_caller_keeps_no_hold_on_what_was_written_or_read(store: Store) -> None:
    metadata: dict[str, Json] = {"tags": ["a"]}
    store.commit([put("1", metadata=metadata)])
    metadata["tags"] = ["b"]
    read = kept(store, "1").metadata
    assert read == {"tags": ["a"]}
    assert isinstance(read, dict)
    read["tags"] = ["c"]
    assert kept(store, "1").metadata == {"tags": ["a"]}


# ── versions and atomicity ────────────────────────────────────────────────────────────────────────────────


def test_a_new_record_has_version_one_and_no_accesses(store: Store) -> None:
    store.commit([put("1", "hello", at=5, metadata={"a": 1}, expect=MUST_BE_NEW)])
    assert store.get("c", "1") == record("1", "hello", at=5, metadata={"a": 1})


@pytest.mark.parametrize("change", [{"text": "b"}, {"at": 2}, {"metadata": {"a": True}}, {"metadata": {"a": 1.0}}])
def test_each_change_of_text_time_or_metadata_is_a_new_version(store: Store, change: dict[str, Any]) -> None:
    store.commit([put("1", "a", metadata={"a": 1}), Touch(collection="c", ids=("1",))])
    store.commit([put("1", **{"text": "a", "metadata": {"a": 1}, **change})])
    found = kept(store, "1")
    assert (found.version, found.access_count) == (2, 1)


def test_the_same_record_again_is_no_change(store: Store) -> None:
    store.commit([put("1", "a", metadata={"a": 1, "b": [2, {"c": 3, "d": 4}]})])
    before = kept(store, "1")
    store.commit([put("1", "a", metadata={"b": [2, {"d": 4, "c": 3}], "a": 1})])
    after = kept(store, "1")
    assert after == before
    assert list(after.metadata) == list(before.metadata)


def test_a_put_with_the_version_that_was_seen_goes_through(store: Store) -> None:
    store.commit([put("1", "a")])
    store.commit([put("1", "b", expect=1)])
    store.commit([put("1", "b", expect=2)])
    assert (kept(store, "1").text, kept(store, "1").version) == ("b", 2)


@pytest.mark.parametrize(
    ("change", "expected", "actual"),
    [
        (put("1", "c", expect=1), 1, 2),
        (put("1", "c", expect=MUST_BE_NEW), 0, 2),
        (put("2", "c", expect=1), 1, 0),
        (Remove(collection="c", id="1", expect=1), 1, 2),
        (Remove(collection="c", id="2", expect=3), 3, 0),
        (Remove(collection="nowhere", id="2", expect=3), 3, 0),
        (SetState(session="s", state={}, at=1, expect=0), 0, 1),
        (SetState(session="t", state={}, at=1, expect=1), 1, 0),
        (KeepState(state=SessionState(session="s", generation=2, state={"a": 1}, at=1)), 2, 1),
        (KeepState(state=SessionState(session="s", generation=1, state={"a": True}, at=1)), 1, 1),
        (KeepState(state=SessionState(session="t", generation=1, state={}, at=1)), 1, 0),
        (DropState(session="s", expect=2), 2, 1),
        (DropState(session="t", expect=1), 1, 0),
        (DropCollection(name="c", seen=frozenset({"1", "old"})), 0, 50),
    ],
)
def test_a_conflict_leaves_nothing_written(store: Store, change: Change, expected: int, actual: int) -> None:
    open_space(store)
    store.commit([put("1", "a"), put("1", "b"), put("old", "gone soon?"), SetState(session="s", state={"a": 1}, at=1)])
    before = (store.scan("c"), store.collections(), store.stats(), store.journal(), store.edges("s"), store.sessions())
    many: list[Change] = [put(f"new {i}", f"text {i}", embedding=vector([1, i])) for i in range(50)]
    company: list[Change] = [
        *many,
        EnsureCollection(name="other"),
        Remove(collection="c", id="old"),
        Touch(collection="c", ids=("1",)),
        Link(edge=Edge(session="s", parent="p", child="c", child_kind="turn", position=0, at=0)),
        Append(session="s", at=1, entry={"a": 1}),
        change,
        DropCollection(name="c"),
    ]
    with pytest.raises(Conflict) as caught:
        store.commit(company)
    assert (caught.value.expected, caught.value.actual) == (expected, actual)
    assert caught.value.remedy
    after = (store.scan("c"), store.collections(), store.stats(), store.journal(), store.edges("s"), store.sessions())
    assert after == before
    assert near(store, [1, 0]) == []
    assert words(store, "text 7") == []
    assert words(store, "gone soon") == ["old"]


def test_the_changes_of_a_commit_see_one_another_in_order(store: Store) -> None:
    store.commit([put("1", "a"), put("1", "b", expect=1), Touch(collection="c", ids=("1",)), put("1", "c", expect=2)])
    assert (kept(store, "1").text, kept(store, "1").version, kept(store, "1").access_count) == ("c", 3, 1)
    store.commit([Remove(collection="c", id="1", expect=3), put("1", "d", expect=MUST_BE_NEW)])
    assert (kept(store, "1").text, kept(store, "1").version, kept(store, "1").access_count) == ("d", 1, 0)
    assert store.stats().texts == 1


def test_an_empty_commit_changes_nothing(store: Store) -> None:
    store.commit([])
    assert store.stats().records == 0


def test_a_restored_record_is_exactly_as_given(store: Store) -> None:
    restored = record("1", "hello", at=7, metadata={"a": [1]}, version=41, access_count=1000)
    store.commit([put("1", "before"), Restore(record=restored)])
    assert store.get("c", "1") == restored
    assert words(store, "hello") == ["1"]
    assert words(store, "before") == []
    store.commit([Restore(record=restored)])
    assert store.get("c", "1") == restored
    store.commit([put("1", "next", expect=41)])
    assert (kept(store, "1").version, kept(store, "1").access_count) == (42, 1000)


def test_the_largest_counts_can_still_grow(store: Store) -> None:
    store.commit([Restore(record=record("1", version=MAX_COUNT - 1, access_count=MAX_COUNT - 1))])
    store.commit([put("1", metadata={"a": 1}), Touch(collection="c", ids=("1",))])
    assert (kept(store, "1").version, kept(store, "1").access_count) == (MAX_COUNT, MAX_COUNT)


def test_removing_what_is_not_there_is_no_error(store: Store) -> None:
    store.commit([Remove(collection="c", id="1"), Remove(collection="c", id="1", expect=MUST_BE_NEW)])
    assert store.collections() == []
    store.commit([put("1"), Remove(collection="c", id="1"), Remove(collection="c", id="1")])
    assert store.collections() == [CollectionInfo(name="c", records=0)]


def test_a_touch_counts_each_distinct_id_once_and_skips_unknown_ones(store: Store) -> None:
    store.commit([put("1"), put("2"), put("1", into="d")])
    store.commit([Touch(collection="c", ids=("1", "1", "nobody")), Touch(collection="nowhere", ids=("1",))])
    store.commit([Touch(collection="c", ids=("1",)), Touch(collection="c", ids=())])
    counts = {(one.collection, one.id): one.access_count for name in "cd" for one in store.scan(name)}
    assert counts == {("c", "1"): 2, ("c", "2"): 0, ("d", "1"): 0}
    assert kept(store, "1").version == 1


# ── collections ───────────────────────────────────────────────────────────────────────────────────────────


def test_an_ensured_collection_exists_and_is_empty(store: Store) -> None:
    store.commit([EnsureCollection(name="c"), EnsureCollection(name="c")])
    assert store.collections() == [CollectionInfo(name="c", records=0)]
    store.commit([put("1"), EnsureCollection(name="c")])
    assert store.collections() == [CollectionInfo(name="c", records=1)]


def test_a_dropped_collection_can_be_rewritten_at_once(store: Store) -> None:
    open_space(store)
    store.commit([put("1", "old words", embedding=vector([1, 0])), put("2", "same words", embedding=vector([0, 1]))])
    assert ids([one.record for one in near(store, [1, 0])]) == ["1", "2"]
    store.commit([DropCollection(name="c"), put("2", "same words"), put("3", "new words")])
    assert ids(store.scan("c")) == ["2", "3"]
    assert kept(store, "2").version == 1
    assert words(store, "words") == ["2", "3"]
    assert words(store, "old") == []
    assert [one.record.id for one in near(store, [1, 0])] == ["2"]  # what stays in the store keeps its vectors
    store.commit([DropCollection(name="c")])
    assert (store.collections(), store.scan("c"), near(store, [1, 0])) == ([], [], [])
    assert store.stats().texts == 0
    store.commit([put("9", "old words", embedding=vector([0, 1]))])
    assert [one.record.id for one in near(store, [1, 0])] == ["9"]


def test_dropping_a_collection_leaves_those_with_longer_names_alone(store: Store) -> None:
    store.commit([put("1", f"in {name}", into=name) for name in ("user:a", "user:ab", "user:", "user:a ", "USER:A")])
    store.commit([DropCollection(name="user:a"), DropCollection(name="user")])
    assert [info.name for info in store.collections()] == ["USER:A", "user:", "user:a ", "user:ab"]
    assert words(store, "in user", into="user:ab") == ["1"]


def test_collections_are_listed_by_prefix_in_byte_order(store: Store) -> None:
    names = ["b", "a", "ab", "ä", "äb", "日", "日本", "🦊", "🦊x", "%", "a%", "\uffff", "a\0", "a\0b"]
    store.commit([EnsureCollection(name=name) for name in names])

    def listed(prefix: str) -> list[str]:
        return [info.name for info in store.collections(prefix)]

    assert listed("") == sorted(names, key=str.encode)
    assert listed("a") == ["a", "a\0", "a\0b", "a%", "ab"]
    assert listed("ä") == ["ä", "äb"]
    assert listed("日") == ["日", "日本"]
    assert listed("🦊") == ["🦊", "🦊x"]
    assert listed("%") == ["%"]
    assert listed("a\0") == ["a\0", "a\0b"]
    assert listed("A") == []
    assert listed("\U0010ffff") == []


# ── reading records ───────────────────────────────────────────────────────────────────────────────────────


def test_a_scan_goes_in_byte_order_page_by_page(store: Store) -> None:
    names = ["b", "B", "a", "a\0", "aa", "é", "z", "日", "\uffff", "🦊", "10", "9"]
    store.commit([put(name, at=i) for i, name in enumerate(names)])
    ordered = sorted(names, key=str.encode)
    assert ids(store.scan("c")) == ordered
    pages: list[str] = []
    while page := store.scan("c", after=pages[-1] if pages else None, limit=5):
        assert len(page) <= 5
        pages += ids(page)
    assert pages == ordered
    assert ids(store.scan("c", after="aaa", limit=2)) == ["b", "z"]
    assert ids(store.scan("c", after="")) == ordered
    assert store.scan("nowhere") == []


def test_the_records_that_hold_a_text_come_by_time_then_id(store: Store) -> None:
    store.commit([put(id="b", text="same", at=5), put(id="a", text="same", at=5), put(id="c", text="other")])
    store.commit([put(id="d", text="same", at=1), put(id="e", text="same", into="elsewhere")])
    assert ids(store.holding("c", "same")) == ["d", "a", "b"]
    store.commit([Remove(collection="c", id="b"), put(id="a", text="changed")])
    assert ids(store.holding("c", "same")) == ["d"]
    assert store.holding("c", "Same") == store.holding("nowhere", "same") == []


def test_the_latest_come_newest_first_then_by_id_descending(store: Store) -> None:
    store.commit([put("a", at=2), put("b", at=3), put("c", at=2), put("d", at=-1)])
    assert ids(store.latest("c", limit=10)) == ["b", "c", "a", "d"]
    assert ids(store.latest("c", limit=2)) == ["b", "c"]
    assert ids(store.latest("c", limit=10, where=Where(until=3))) == ["c", "a", "d"]
    assert store.latest("nowhere", limit=3) == []


@pytest.mark.parametrize("limit", [0, -1, -(2**70)])
def test_a_limit_of_nothing_gives_nothing(store: Store, limit: int) -> None:
    store.commit([put("1"), Append(session="s", at=1, entry={})])
    assert store.scan("c", limit=limit) == []
    assert store.latest("c", limit=limit) == []
    assert store.journal(limit=limit) == []
    assert store.unembedded("f", limit=limit) == []
    assert store.sample_texts(limit) == []


def test_a_limit_may_be_larger_than_any_store(store: Store) -> None:
    store.commit([put("1"), Append(session="s", at=1, entry={})])
    assert len(store.scan("c", limit=2**80)) == len(store.latest("c", limit=2**80)) == 1
    assert len(store.journal(limit=2**80)) == len(store.unembedded("f", limit=2**80)) == 1


VALUES: dict[str, Json] = {
    "int": 1,
    "float": 1.0,
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


@pytest.mark.parametrize("name", [name for name in VALUES if name not in ("list", "object")])
def test_a_filter_tells_values_of_different_json_types_apart(store: Store, name: str) -> None:
    store.commit([put(key, metadata={"v": value}) for key, value in VALUES.items()] + [put("missing")])
    where = Where(metadata={"v": (VALUES[name],)})
    assert ids(store.scan("c", where=where)) == [name]
    assert ids(store.latest("c", limit=9, where=where)) == [name]
    assert words(store, "text", where=where) == [name]


def test_a_filter_takes_any_of_several_values_of_all_named_keys(store: Store) -> None:
    store.commit(
        [
            put("1", metadata={"a": 1, "b": "x"}),
            put("2", metadata={"a": 2, "b": "x"}),
            put("3", metadata={"a": 3, "b": "x"}),
            put("4", metadata={"a": 1, "b": "y"}),
            put("5", metadata={"a": 1}),
        ]
    )
    assert ids(store.scan("c", where=Where(metadata={"a": (1, 2), "b": ("x",)}))) == ["1", "2"]
    assert ids(store.scan("c", where=Where(metadata={"a": (1, 2), "b": ("x", "y")}))) == ["1", "2", "4"]
    assert store.scan("c", where=Where(metadata={"a": ()})) == []
    assert ids(store.scan("c", where=Where(metadata={"a": (1,)}), after="1", limit=1)) == ["4"]


@pytest.mark.parametrize("key", ["a.b", "a b", "$", "[0]", "日", "", "a'b", "#", "-1", "🦊", "/"])
def test_a_filter_key_is_a_name_and_never_a_path(store: Store, key: str) -> None:
    store.commit([put("1", metadata={key: 1}), put("2", metadata={"a": {"b": 1}, "x": [1]})])
    assert ids(store.scan("c", where=Where(metadata={key: (1,)}))) == ["1"]


def test_a_time_filter_includes_its_start_and_excludes_its_end(store: Store) -> None:
    store.commit([put(str(at), at=at) for at in range(5)])
    assert ids(store.scan("c", where=Where(since=1, until=3))) == ["1", "2"]
    assert ids(store.scan("c", where=Where(since=3))) == ["3", "4"]
    assert ids(store.scan("c", where=Where(until=0))) == []
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
    asks: list[Callable[[], object]] = [
        lambda: store.scan("c", where=where),
        lambda: store.latest("c", limit=1, where=where),
        lambda: store.search(Query(collections=("c",), k=1, text="a", where=where)),
    ]
    for ask in asks:
        with pytest.raises(InvalidInput) as caught:
            ask()
        assert caught.value.field == "where"


# ── full text ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The cats were running through the gardens", "cat"),
        ("The cats were running through the gardens", "run garden"),
        ("Wir haben die Häuser der Katzen gesehen und uns gefreut", "Haus"),
        ("Wir haben die Häuser der Katzen gesehen und uns gefreut", "Katze"),
        ("Nous avons mangé des pommes dans les jardins", "jardin pomme"),
        ("Las niñas comían manzanas en el jardín de la casa", "niña"),
        ("Las niñas comían manzanas en el jardín de la casa", "manzana"),
        ("Я люблю читать книги о путешествиях", "книга"),
        ("Я люблю читать книги о путешествиях", "ПУТЕШЕСТВИЕ"),
        ("Meet me at the café in Zürich", "cafe zurich"),
        ("the naive resume", "naïve résumé"),
        ("please read my résumé", "resume"),
        ("das Büro", "buro"),
        ("e\u0301clair", "éclair"),
        ("Straße", "STRASSE"),
        ("λόγος", "ΛΟΓΟΣ"),
        ("İstanbul", "istanbul"),
        ("ｆｕｌｌｗｉｄｔｈ", "fullwidth"),
        ("東京都に住んでいます", "東京"),
        ("東京都に住んでいます", "京"),
        ("東京都に住んでいます", "す"),
        ("東京都に住んでいます", "住んで"),
        ("我爱北京天安门", "天安门"),
        ("我爱北京天安门", "爱"),
        ("ジョン・スミスさん", "スミス"),
        ("ｼﾞｮﾝ", "ジョン"),
        ("저는 학교에 갑니다", "학교"),
        ("ฉันรักภาษาไทย", "ภาษา"),
        ("ฉันรักภาษาไทย", "ก"),
        ("मैं हिंदी सीख रहा हूँ।", "हूँ"),
        ("मैं हिंदी सीख रहा हूँ।", "हिंदी"),
        ("བོད་ཡིག", "ཡིག"),
        ("call getUserName() first", "user"),
        ("call getUserName() first", "getusername"),
        ("parseHTTPResponse2 failed", "http response"),
        ("set MAX_RETRY_COUNT to 5", "retry"),
        ("set max_retry_count to 5", "MAX_RETRY_COUNT"),
        ("error E1234 in main.py:42", "main.py"),
        ("error E1234 in main.py:42", "e1234"),
        ("it costs 1234 euros", "1234"),
        ("to be or not to be", "to be"),
        ("see https://example.org/path?x=1", "example path"),
        ("mail me@example.org", "me@example.org"),
        ("word" * 100, "word" * 100),
    ],
)
def test_a_word_is_found_in_any_language_and_form(store: Store, text: str, question: str) -> None:
    store.commit([put("1", text), put("2", "nothing alike: 42 quux ŋ")])
    assert "1" in words(store, question, k=1)


@pytest.mark.parametrize(
    "question",
    ['"cat"', "cat AND dog", "cat OR", "NEAR(cat dog)", "NOT cat", "cat*", "(cat", "cat)", "scope : c1 cat",
     "cat - ^ +", "terms:cat", "{cat}", 'cat"" OR 1', "cat; DROP TABLE records",
     "c1 cat", "\0cat\0", "'cat'", "cat\\", "%cat%"],
)  # fmt: skip
def test_the_syntax_of_the_full_text_engine_has_no_meaning_in_a_question(store: Store, question: str) -> None:
    store.commit([put("1", "a cat"), put("2", "the bird", into="d")])
    assert words(store, question) == ["1"]
    assert store.stats().records == 2


@pytest.mark.parametrize("question", ["", " ", "...", "\0", '"', "*", "🦊", "()", "-", "c1"])
def test_a_question_without_words_of_the_text_finds_nothing(store: Store, question: str) -> None:
    store.commit([put("1", "a cat"), put("2", "")])
    assert words(store, question) == []


def test_a_better_match_comes_before_a_weaker_one_when_there_is_room_for_one(store: Store) -> None:
    filler = [put(f"f{i}", f"filler number {i}") for i in range(20)]
    store.commit([*filler, put("a", "zebra in the garden"), put("z", "zebra zebra")])
    assert words(store, "zebra", k=1) == ["z"]
    assert words(store, "zebra garden", k=1) == ["a"]


def test_bm25_is_positive_and_equal_for_equal_texts(store: Store) -> None:
    store.commit([put("1", "green tea"), put("2", "green tea"), put("3", "black tea"), put("4", "coffee")])
    found = store.search(Query(collections=("c",), k=9, text="green tea"))
    scores = {one.record.id: one.bm25 for one in found}
    assert scores.keys() == {"1", "2", "3"}
    assert scores["1"] == scores["2"]
    assert all(score is not None and score > 0 for score in scores.values())
    assert all(one.cosine is None and one.passage is None for one in found)


def test_a_word_that_every_text_has_still_finds(store: Store) -> None:
    store.commit([put(str(i), f"tea {i}") for i in range(30)])
    assert len(words(store, "tea", k=100)) == 30


def test_among_equal_words_the_ids_decide(store: Store) -> None:
    store.commit([put(str(i), "the same tea") for i in (5, 3, 9, 1, 7)])
    assert words(store, "tea", k=2) == ["1", "3"]
    assert words(store, "tea", k=2, exclude={"c": frozenset({"1"})}) == ["3", "5"]


def test_a_replaced_text_is_no_longer_found_by_its_old_words(store: Store) -> None:
    store.commit([put("1", "old elephant")])
    store.commit([put("1", "new giraffe")])
    assert words(store, "elephant") == []
    assert words(store, "giraffe") == ["1"]


def test_one_text_in_thirty_collections_is_found_in_each_and_leaves_each_alone(store: Store) -> None:
    names = [f"c{i}" for i in range(30)]
    for name in names:
        store.commit([put("1", "a shared elephant", into=name)])
    assert store.stats().texts == 1
    assert all(words(store, "elephant", into=name) == ["1"] for name in names)
    store.commit([Remove(collection=name, id="1") for name in names[:20]])
    assert [name for name in names if words(store, "elephant", into=name)] == names[20:]
    store.commit([put("2", "a shared elephant", into=name) for name in names[:10]])
    assert [name for name in names if words(store, "elephant", into=name)] == names[:10] + names[20:]
    found = store.search(Query(collections=tuple(names), k=1, text="elephant"))
    assert [one.record.collection for one in found] == names[:10] + names[20:]
    store.commit([DropCollection(name=name) for name in names])
    assert store.stats().texts == 0


def test_one_text_under_many_ids_is_found_under_each(store: Store) -> None:
    open_space(store)
    shared = [put(f"{i:03}", "same words", embedding=vector([1, 0])) for i in range(200)]
    store.commit([*shared, put("other", "different words", embedding=vector([0, 1]))])
    assert store.stats().texts == 2
    assert words(store, "same", k=1000) == [f"{i:03}" for i in range(200)]
    assert words(store, "same", k=3) == ["000", "001", "002"]
    assert [one.record.id for one in near(store, [1, 0], k=3)] == ["000", "001", "002"]
    store.commit([Remove(collection="c", id="000")])
    assert words(store, "same", k=3) == ["001", "002", "003"]
    assert store.stats().texts == 2


# ── what a search gives back ──────────────────────────────────────────────────────────────────────────────


def test_exclusions_never_shorten_the_page(store: Store) -> None:
    open_space(store)
    store.commit([put(f"{i:03}", f"tea number {i}", at=i, embedding=vector([1, i / 100])) for i in range(300)])
    excluded = frozenset(f"{i:03}" for i in range(250))
    asked = Query(collections=("c",), k=20, text="tea", embedding=vector([1, 0]), exclude={"c": excluded})
    found = store.search(asked)
    assert {one.record.id for one in found if one.cosine is not None} >= {f"{i:03}" for i in range(250, 270)}
    assert sum(one.bm25 is not None for one in found) == 20
    assert not excluded & {one.record.id for one in found}
    elsewhere = Query(collections=("c",), k=300, text="tea", exclude={"d": excluded})
    assert len(store.search(elsewhere)) == 300


def test_filters_never_shorten_the_page(store: Store) -> None:
    open_space(store)
    store.commit([put(f"{i:03}", "tea", at=i, metadata={"odd": i % 2}, embedding=vector([1, 0])) for i in range(300)])
    where = Where(metadata={"odd": (1,)}, since=100)
    for question in ({"text": "tea"}, {"embedding": vector([1, 0])}):
        found = store.search(Query(collections=("c",), k=5, where=where, **question))
        assert [one.record.id for one in found] == ["101", "103", "105", "107", "109"]


def test_candidates_come_by_collection_as_asked_then_by_id(store: Store) -> None:
    store.commit([put(id, "tea", into=name) for name in ("b", "a", "c") for id in ("2", "1")])
    found = store.search(Query(collections=("c", "nowhere", "a", "c"), k=5, text="tea"))
    assert [(one.record.collection, one.record.id) for one in found] == [("c", "1"), ("c", "2"), ("a", "1"), ("a", "2")]


@pytest.mark.parametrize("k", [0, -1])
def test_asking_for_no_candidates_gives_none(store: Store, k: int) -> None:
    open_space(store)
    store.commit([put("1", "tea", embedding=vector([1, 0]))])
    assert store.search(Query(collections=("c",), k=k, text="tea", embedding=vector([1, 0]))) == []


def test_a_search_without_a_question_finds_nothing(store: Store) -> None:
    store.commit([put("1", "tea")])
    assert store.search(Query(collections=("c",), k=5)) == []
    assert store.search(Query(collections=(), k=5, text="tea")) == []


def test_a_candidate_found_by_words_alone_carries_its_cosine(store: Store) -> None:
    open_space(store)
    store.commit(
        [
            put("near", "coffee", embedding=vector([1, 0])),
            put("far", "tea", embedding=vector([0, 1], [3, 4])),
            put("bare", "tea without a vector"),
        ]
    )
    found = store.search(Query(collections=("c",), k=1, text="tea", embedding=vector([1, 0])))
    measured = {one.record.id: one for one in found}
    assert measured.keys() == {"near", "far"}
    assert measured["near"].bm25 is None
    assert measured["near"].cosine == pytest.approx(1, abs=1e-3)
    assert measured["far"].cosine == pytest.approx(0.6, abs=1e-3)
    assert measured["far"].passage == 1
    everything = store.search(Query(collections=("c",), k=9, text="tea", embedding=vector([1, 0])))
    bare = next(one for one in everything if one.record.id == "bare")
    assert (bare.cosine, bare.passage) == (None, None)
    assert bare.bm25 is not None


def test_a_record_counts_as_its_best_passage(store: Store) -> None:
    open_space(store)
    store.commit(
        [
            put("long", "one two three", embedding=vector([0, 1], [1, 0], [1, 1])),
            put("short", "four", embedding=vector([3, 1])),
            put("away", "five", embedding=vector([-1, 0])),
        ]
    )
    assert [(one.record.id, one.passage) for one in near(store, [1, 0], k=1)] == [("long", 1)]
    assert [(one.record.id, one.passage) for one in near(store, [0, 1], k=1)] == [("long", 0)]
    found = near(store, [1, 0])
    assert {one.record.id: round(one.cosine or 0, 3) for one in found} == {"away": -1.0, "long": 1.0, "short": 0.949}


def test_among_equal_passages_the_first_counts(store: Store) -> None:
    open_space(store)
    store.commit([put("1", "x", embedding=vector([0, 1], [1, 0], [1, 0]))])
    assert near(store, [1, 0])[0].passage == 1


def test_cosines_are_those_of_the_stored_float16_vectors(store: Store) -> None:
    open_space(store, dimensions=7)
    numbers = np.random.default_rng(3).standard_normal((4, 7))
    given = vector(*numbers)
    asked = vector(np.random.default_rng(4).standard_normal(7).tolist())
    store.commit([put("1", "x", embedding=given)])
    stored = store.vectors(SPACE, "x")
    assert stored is not None
    assert stored.dtype == np.float32
    assert np.array_equal(stored, given.vectors.astype(np.float16).astype(np.float32))
    (found,) = store.search(Query(collections=("c",), k=1, embedding=asked))
    exact = stored.astype(np.float64) @ asked.vectors[0].astype(np.float64)
    assert found.cosine == pytest.approx(float(exact.max()), abs=1e-12)
    assert found.passage == int(exact.argmax())


def test_search_sees_every_write_at_once(store: Store) -> None:
    open_space(store)
    assert near(store, [1, 0]) == []
    for i in range(20):
        store.commit([put(f"{i:02}", f"text {i}", embedding=vector([1, i]))])
        assert len(near(store, [1, 0], k=100)) == i + 1
    store.commit([put("03", "replaced", embedding=vector([-1, 0]))])
    assert near(store, [-1, 0], k=1)[0].record.id == "03"
    store.commit([put("04", "text 4", at=77)])
    assert [one.record.at for one in near(store, [1, 0], k=100) if one.record.id == "04"] == [77]
    store.commit([Remove(collection="c", id=f"{i:02}") for i in range(0, 20, 2)])
    assert len(near(store, [1, 0], k=100)) == 10


# ── vector spaces ─────────────────────────────────────────────────────────────────────────────────────────


def test_without_a_space_a_search_goes_by_words_alone(store: Store) -> None:
    store.commit([put("1", "tea")])
    found = store.search(Query(collections=("c",), k=5, text="tea", embedding=vector([1, 0])))
    assert [(one.record.id, one.cosine) for one in found] == [("1", None)]
    assert near(store, [1, 0]) == []
    with pytest.raises(SpaceMismatch):
        store.commit([put("2", "coffee", embedding=vector([1, 0]))])
    assert store.get("c", "2") is None


def test_the_first_space_is_active_and_the_next_is_building(store: Store) -> None:
    first = store.open_space(fingerprint=SPACE, dimensions=2, description={"a": [1]})
    assert (first.state, first.dimensions, first.description) == (SpaceState.ACTIVE, 2, {"a": [1]})
    assert (first.texts, first.vectors) == (0, 0)
    second = store.open_space(fingerprint="a first by name", dimensions=3, description={})
    assert second.state == SpaceState.BUILDING
    assert store.open_space(fingerprint=SPACE, dimensions=2, description={"other": 1}) == first
    assert store.spaces() == [first, second]


def test_a_space_is_only_what_can_be_one(store: Store) -> None:
    for fingerprint, dimensions in (("", 2), ("f", 0), ("f", -1)):
        with pytest.raises(InvalidInput):
            store.open_space(fingerprint=fingerprint, dimensions=dimensions, description={})
    open_space(store)
    with pytest.raises(SpaceMismatch):
        store.open_space(fingerprint=SPACE, dimensions=3, description={})
    with pytest.raises(NotFound):
        store.activate_space("unknown")
    with pytest.raises(NotFound):
        store.drop_space("unknown")
    with pytest.raises(InvalidInput, match="in use"):
        store.drop_space(SPACE)
    assert [space.fingerprint for space in store.spaces()] == [SPACE]


def test_vectors_of_two_embedders_are_never_mixed(store: Store) -> None:
    open_space(store)
    store.commit([put("1", "tea", embedding=vector([1, 0]))])
    with pytest.raises(SpaceMismatch) as caught:
        store.search(Query(collections=("c",), k=1, embedding=vector([1, 0], space=OTHER)))
    assert (caught.value.offered, caught.value.active) == (OTHER, SPACE)
    assert caught.value.remedy
    with pytest.raises(SpaceMismatch):
        store.search(Query(collections=("c",), k=1, embedding=vector([1, 0, 0])))
    with pytest.raises(InvalidInput):
        store.search(
            Query(collections=("c",), k=1, embedding=Embedding(fingerprint=SPACE, vectors=np.ones(2, np.float32)))
        )
    with pytest.raises(SpaceMismatch):
        store.commit([put("2", "coffee", embedding=vector([1, 0], space=OTHER))])
    with pytest.raises(SpaceMismatch):
        store.commit([put("2", "coffee", embedding=vector([1, 0, 0]))])
    with pytest.raises(SpaceMismatch):
        store.add_vectors([(digest("tea"), vector([1, 0], space=OTHER))])
    assert ids(store.scan("c")) == ["1"]


def test_a_new_space_is_filled_beside_the_old_one_and_switched_to_in_one_step(store: Store) -> None:
    open_space(store)
    store.commit([put("1", "tea", embedding=vector([1, 0])), put("2", "coffee", embedding=vector([0, 1]))])
    open_space(store, OTHER, 3)
    store.commit([put("3", "milk", embedding=vector([1, 0, 0], space=OTHER))])
    waiting = store.unembedded(OTHER, limit=10)
    assert [text.text for text in waiting] == ["tea", "coffee"]
    assert store.add_vectors([(text.digest, vector([0, 1, 0], space=OTHER)) for text in waiting]) == 2
    assert [one.record.id for one in near(store, [1, 0])] == ["1", "2"]
    store.activate_space(OTHER)
    assert [(space.fingerprint, space.state, space.texts) for space in store.spaces()] == [
        (OTHER, SpaceState.ACTIVE, 3),
        (SPACE, SpaceState.RETIRED, 2),
    ]
    with pytest.raises(SpaceMismatch):
        near(store, [1, 0])
    found = store.search(Query(collections=("c",), k=9, embedding=vector([1, 0, 0], space=OTHER)))
    assert [one.record.id for one in found if one.cosine == 1] == ["3"]
    with pytest.raises(SpaceMismatch):
        store.commit([put("4", "water", embedding=vector([1, 0]))])
    store.drop_space(SPACE)
    assert [space.fingerprint for space in store.spaces()] == [OTHER]
    assert store.vectors(SPACE, "tea") is None


def test_a_retired_space_can_be_opened_again_and_keeps_its_vectors(store: Store) -> None:
    open_space(store)
    store.commit([put("1", "tea", embedding=vector([1, 0])), put("2", "coffee")])
    assert len(near(store, [1, 0])) == 1
    open_space(store, OTHER, 3)
    store.activate_space(OTHER)
    again = store.open_space(fingerprint=SPACE, dimensions=2, description={})
    assert (again.state, again.texts, again.description) == (SpaceState.BUILDING, 1, {"name": SPACE})
    store.add_vectors([(digest("coffee"), vector([0, 1]))])
    store.activate_space(SPACE)
    assert [one.record.id for one in near(store, [1, 0])] == ["1", "2"]


def test_activating_the_active_space_changes_nothing(store: Store) -> None:
    open_space(store)
    store.commit([put("1", "tea", embedding=vector([1, 0]))])
    store.activate_space(SPACE)
    assert [space.state for space in store.spaces()] == [SpaceState.ACTIVE]
    assert len(near(store, [1, 0])) == 1


def test_unembedded_texts_are_listed_oldest_first_without_blank_ones(store: Store) -> None:
    open_space(store)
    store.commit([put("3", "third"), put("1", "first"), put("blank", " \n"), put("empty", "")])
    store.commit([put("2", "second", embedding=vector([1, 0])), put("4", "third", into="d"), put("5", "last")])
    assert [one.text for one in store.unembedded(SPACE, limit=9)] == ["third", "first", "last"]
    assert [one.text for one in store.unembedded(SPACE, limit=2)] == ["third", "first"]
    assert store.unembedded(SPACE, limit=1)[0].digest == digest("third")
    assert len(store.unembedded("unknown", limit=9)) == 4
    assert store.stats().unembedded == 3


def test_unembedded_among_keeps_the_order_given_and_names_each_once(store: Store) -> None:
    open_space(store)
    store.commit([put("1", "known", embedding=vector([1, 0])), put("2", "waiting")])
    assert store.unembedded_among(SPACE, ["new", "known", "waiting", "new", ""]) == ["new", "waiting", ""]
    assert store.unembedded_among("unknown", ["known"]) == ["known"]
    assert store.unembedded_among(SPACE, []) == []


def test_samples_are_spread_over_the_store_oldest_first(store: Store) -> None:
    store.commit([put(f"{i}", f"text {i}") for i in range(10)] + [put("blank", " ")])
    assert [one.text for one in store.sample_texts(5)] == [f"text {i}" for i in range(0, 10, 2)]
    assert [one.text for one in store.sample_texts(100)] == [f"text {i}" for i in range(10)]
    assert len(store.sample_texts(3)) <= 3
    assert store.sample_texts(3) == store.sample_texts(3)


def test_vectors_that_come_later_are_searched_from_then_on(store: Store) -> None:
    open_space(store)
    store.commit([put("1", "tea"), put("2", "tea", into="d"), put("3", "coffee", embedding=vector([0, 1]))])
    assert [one.record.id for one in near(store, [1, 0])] == ["3"]
    assert store.add_vectors([(digest("tea"), vector([1, 0], [0, 1])), (digest("gone"), vector([1, 0]))]) == 1
    assert [one.record.id for one in near(store, [1, 0])] == ["1", "3"]
    assert [one.record.id for one in near(store, [1, 0], into="d")] == ["2"]
    assert store.add_vectors([(digest("tea"), vector([0, 1]))]) == 0
    kept_vectors = store.vectors(SPACE, "tea")
    assert kept_vectors is not None
    assert np.array_equal(kept_vectors, rows([1, 0], [0, 1]))
    assert [(space.texts, space.vectors) for space in store.spaces()] == [(2, 3)]


def test_the_same_put_again_may_bring_the_vectors_that_were_missing(store: Store) -> None:
    open_space(store)
    store.commit([put("1", "tea")])
    assert near(store, [1, 0]) == []
    store.commit([put("1", "tea", embedding=vector([1, 0]))])
    assert kept(store, "1").version == 1
    assert len(near(store, [1, 0])) == 1


@pytest.mark.parametrize(
    "vectors", [np.zeros((1, 2)), np.ones(2), np.empty((0, 2)), np.full((1, 2), np.nan), np.ones((1, 2))]
)
def test_vectors_that_are_none_are_refused_when_they_come_later_too(store: Store, vectors: NDArray[Any]) -> None:
    open_space(store)
    store.commit([put("1", "tea"), put("2", "coffee")])
    bad = Embedding(fingerprint=SPACE, vectors=vectors.astype(np.float32))
    with pytest.raises(InvalidInput) as caught:
        store.add_vectors([(digest("coffee"), vector([1, 0])), (digest("tea"), bad)])
    assert caught.value.field == "embedding"
    assert store.stats().unembedded == 2


def test_adding_vectors_is_atomic(store: Store) -> None:
    open_space(store)
    store.commit([put("1", "tea"), put("2", "coffee")])
    with pytest.raises(SpaceMismatch):
        store.add_vectors([(digest("tea"), vector([1, 0])), (digest("coffee"), vector([1, 0, 0]))])
    assert store.stats().unembedded == 2
    assert store.add_vectors([]) == 0


def test_a_text_is_erased_with_its_last_record_vectors_and_all(store: Store) -> None:
    open_space(store)
    both = [put("1", "tea", into=name, embedding=vector([1, 0], [0, 1])) for name in "cd"]
    store.commit(both)
    assert (store.stats().texts, [space.vectors for space in store.spaces()]) == (1, [2])
    store.commit([Remove(collection="c", id="1")])
    assert store.vectors(SPACE, "tea") is not None
    assert [one.record.id for one in near(store, [1, 0], into="d")] == ["1"]
    store.commit([put("1", "coffee", into="d")])
    assert store.vectors(SPACE, "tea") is None
    assert [one.text for one in store.unembedded(SPACE, limit=9)] == ["coffee"]
    assert [(space.texts, space.vectors) for space in store.spaces()] == [(0, 0)]
    store.commit([put("2", "tea", into="d")])
    assert [one.text for one in store.unembedded(SPACE, limit=9)] == ["coffee", "tea"]


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────


def edge(parent: str, child: str, position: int = 0, *, session: str = "s", at: int = 1, kind: str = "turn") -> Edge:
    return Edge(session=session, parent=parent, child=child, child_kind=kind, position=position, at=at)


def test_edges_come_by_session_parent_position_and_child(store: Store) -> None:
    given = [edge("p", "b", 1), edge("p", "a", 1), edge("o", "z", 9), edge("p", "c", 0), edge("p", "a", session="r")]
    store.commit([Link(edge=one) for one in given])
    ordered = [edge("o", "z", 9), edge("p", "c", 0), edge("p", "a", 1), edge("p", "b", 1)]
    assert store.edges("s") == ordered
    assert store.edges("s", parent="p") == ordered[1:]
    assert store.edges() == [edge("p", "a", session="r"), *ordered]
    assert store.edges("nobody") == []
    assert store.edges("s", parent="nobody") == []


def test_the_same_edge_again_is_no_change_and_a_changed_one_replaces(store: Store) -> None:
    store.commit([Link(edge=edge("p", "a")), Link(edge=edge("p", "a"))])
    assert store.edges("s") == [edge("p", "a")]
    store.commit([Link(edge=edge("p", "a", 4, at=2, kind="summary"))])
    assert store.edges("s") == [edge("p", "a", 4, at=2, kind="summary")]
    store.commit([Link(edge=edge("p", "a", session="r")), Unlink(session="s"), Unlink(session="s")])
    assert store.edges() == [edge("p", "a", session="r")]


def test_the_edges_of_one_summary_can_be_deleted_alone(store: Store) -> None:
    store.commit([Link(edge=edge("p", "a")), Link(edge=edge("q", "a")), Link(edge=edge("p", "a", session="r"))])
    store.commit([Unlink(session="s", parent="p"), Unlink(session="s", parent="nobody")])
    assert store.edges() == [edge("p", "a", session="r"), edge("q", "a")]


def test_the_journal_keeps_the_newest_and_numbers_go_on(store: Store) -> None:
    for i in range(10):
        store.commit([Append(session="ab"[i % 2], at=i, entry={"n": i}, keep=4)])
    assert [entry.entry for entry in store.journal()] == [{"n": i} for i in (6, 7, 8, 9)]
    assert [(entry.session, entry.at) for entry in store.journal(session="b")] == [("b", 7), ("b", 9)]
    assert [entry.at for entry in store.journal(limit=2)] == [8, 9]
    assert [entry.at for entry in store.journal(session="a", limit=1)] == [8]
    seqs = [entry.seq for entry in store.journal()]
    assert seqs == sorted(set(seqs))
    store.commit([Append(session="a", at=10, entry={}, keep=1)])
    assert [entry.seq for entry in store.journal()] == [seqs[-1] + 1]
    assert store.journal(session="nobody") == []


def test_a_session_state_changes_only_from_the_generation_that_was_seen(store: Store) -> None:
    assert store.session_state("s") is None
    store.commit([SetState(session="s", state={"a": [1]}, at=5, expect=0)])
    assert store.session_state("s") == SessionState(session="s", generation=1, state={"a": [1]}, at=5)
    store.commit([SetState(session="s", state={"a": 2}, at=6, expect=1), SetState(session="s", state={"a": 2}, at=6)])
    assert store.session_state("s") == SessionState(session="s", generation=3, state={"a": 2}, at=6)
    with pytest.raises(Conflict) as caught:
        store.commit([SetState(session="s", state={}, at=7, expect=2)])
    assert (caught.value.expected, caught.value.actual) == (2, 3)
    store.commit([DropState(session="s"), DropState(session="s")])
    assert store.session_state("s") is None
    store.commit([SetState(session="s", state={}, at=8, expect=0)])
    assert store.sessions() == [SessionState(session="s", generation=1, state={}, at=8)]


def test_what_was_decided_by_a_state_is_committed_while_it_holds(store: Store) -> None:
    store.commit([SetState(session="s", state={"a": 1, "b": 2}, at=5)])
    seen = SessionState(session="s", generation=1, state={"b": 2, "a": 1}, at=5)
    store.commit([KeepState(state=seen), put("1", "a")])
    assert store.session_state("s") == seen
    store.commit([DropState(session="s", expect=1)])
    with pytest.raises(Conflict):
        store.commit([KeepState(state=seen), put("2", "b")])
    assert [record.id for record in store.scan("c")] == ["1"]


def test_a_collection_goes_with_what_was_seen_in_it(store: Store) -> None:
    store.commit([put("1", "a"), put("2", "b")])
    with pytest.raises(Conflict):
        store.commit([DropCollection(name="c", seen=frozenset({"1"}))])
    store.commit([DropCollection(name="c", seen=frozenset({"1", "2", "gone already"}))])
    store.commit([DropCollection(name="c", seen=frozenset())])
    assert store.collections() == []


def test_a_restored_session_state_is_exactly_as_given(store: Store) -> None:
    given = SessionState(session="é", generation=12, state={"a": None}, at=-5)
    store.commit(
        [SetState(session="é", state={}, at=1), RestoreState(state=given), SetState(session="a", state={}, at=1)]
    )
    assert store.session_state("é") == given
    assert [one.session for one in store.sessions()] == ["a", "é"]


# ── the whole store ───────────────────────────────────────────────────────────────────────────────────────


def test_stats_count_everything(store: Store) -> None:
    empty = store.stats()
    assert (empty.collections, empty.records, empty.texts, empty.unembedded, empty.edges) == (0, 0, 0, 0, 0)
    open_space(store)
    store.commit(
        [
            put("1", "tea", embedding=vector([1, 0])),
            put("2", "tea"),
            put("1", "coffee", into="d"),
            put("2", " ", into="d"),
            EnsureCollection(name="e"),
            Link(edge=edge("p", "a")),
            Append(session="s", at=1, entry={}),
            SetState(session="s", state={}, at=1),
        ]
    )
    stats = store.stats()
    assert (stats.collections, stats.records, stats.texts, stats.unembedded) == (3, 4, 3, 1)
    assert (stats.edges, stats.journal, stats.sessions) == (1, 1, 1)
    assert stats.size_bytes >= 0
    assert {"analysis", "format"} <= stats.versions.keys()


def test_verifying_tells_its_progress(store: Store) -> None:
    store.commit([put("1")])
    told: list[tuple[int, int]] = []
    assert list(store.verify(lambda done, total: told.append((done, total)))) == []
    assert told
    assert told[-1][0] == told[-1][1]


def test_a_summary_that_covers_itself_is_found(tmp_path: Path) -> None:
    stores: list[Store] = [SqliteStore(tmp_path / "store.db"), MemoryStore()]
    for one in stores:
        one.commit([Link(edge=edge("a", "b")), Link(edge=edge("b", "a")), Link(edge=edge("b", "a", session="r"))])
        findings = list(one.verify())
        assert {finding.invariant for finding in findings} == {"coverage is acyclic"}
        assert findings[0].detail
        one.close()


def test_both_stores_find_the_same_gaps_in_a_conversation(tmp_path: Path) -> None:
    """A summary whose turn is gone, one without sources, and a turn that nothing leads to."""
    stores: list[Store] = [SqliteStore(tmp_path / "store.db"), MemoryStore()]
    for one in stores:
        one.commit(
            [
                Put(collection="session_raw:s", id="lost", text="lost", at=1, metadata={"raw_history": True}),
                Put(collection="session_summary:s", id="a", text="a", at=1, metadata={"source_ids": ["gone"]}),
                Put(collection="session_summary:s", id="b", text="b", at=1),
                Put(collection="session:s", id="a", text="a", at=1),
                Put(collection="session:s", id="b", text="b", at=1),
                Link(edge=edge("a", "gone")),
            ]
        )
    first, second = (list(one.verify()) for one in stores)
    assert first == second
    assert [(finding.invariant, finding.detail) for finding in first] == [
        ("edges lead to what is there", "session 's': summary 'a' stands for the turn 'gone', which is not there"),
        ("summaries have their sources", "session 's': summary 'b' has no sources"),
        ("everything said is reached", "session 's': turn 'lost' is neither in the active view nor behind a summary"),
    ]
    for one in stores:
        one.close()


def test_closing_twice_is_fine_and_use_after_it_is_refused(store: Store, tmp_path: Path) -> None:
    store.commit([put("1")])
    store.close()
    store.close()
    uses: list[Callable[[], object]] = [
        lambda: store.commit([put("2")]),
        lambda: store.get("c", "1"),
        lambda: store.scan("c"),
        lambda: store.latest("c", limit=1),
        store.collections,
        lambda: store.search(Query(collections=("c",), k=1, text="a")),
        lambda: store.edges("s"),
        store.journal,
        lambda: store.session_state("s"),
        store.sessions,
        store.spaces,
        lambda: open_space(store),
        lambda: store.activate_space("f"),
        lambda: store.drop_space("f"),
        lambda: store.unembedded("f", limit=1),
        lambda: store.unembedded_among("f", ["a"]),
        lambda: store.sample_texts(1),
        lambda: store.add_vectors([(digest("a"), vector([1, 0]))]),
        lambda: store.vectors("f", "a"),
        store.stats,
        lambda: list(store.verify()),
        lambda: store.backup(tmp_path / "copy.db"),
    ]
    for use in uses:
        with pytest.raises(StoreClosed) as caught:
            use()
        assert caught.value.remedy
    assert not list(tmp_path.glob("copy*"))


def test_a_store_is_closed_by_its_with_block(tmp_path: Path) -> None:
    for kind in (lambda: SqliteStore(tmp_path / "store.db"), MemoryStore):
        with kind() as opened:
            opened.commit([put("1")])
        with pytest.raises(StoreClosed):
            opened.get("c", "1")


def test_a_store_in_memory_refuses_to_be_copied(tmp_path: Path) -> None:
    with MemoryStore() as store, pytest.raises(StoreError) as caught:
        store.backup(tmp_path / "copy.db")
    assert isinstance(caught.value, LibraError)
    assert caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_every_error_names_what_to_do_next(store: Store) -> None:
    metadata: Metadata = {}
    store.commit([put("1", metadata=metadata)])
    with pytest.raises(Conflict, match="Read it again and retry"):
        store.commit([put("1", expect=7)])


# ── surveys ───────────────────────────────────────────────────────────────────────────────────────────────


def turn(id: str, text: str, *, at: int, session: str = "s", **metadata: Json) -> Put:
    return put(id, text, at=at, metadata={"sessionId": session, **metadata})


def test_a_survey_meets_the_turns_beside_a_match_in_its_session(store: Store) -> None:
    store.commit(
        [
            turn("a", "good morning", at=1),
            turn("b", "where is the lantern", at=2),
            turn("c", "under the stairs", at=2),
            turn("d", "thanks", at=3),
            turn("e", "a stranger", at=2, session="other"),
        ]
    )
    found = store.survey(Query(collections=("c",), k=5, text="lantern", linked=frozenset("c")))
    beside = {one.record.id: (one.before, one.after, one.is_found) for one in found.sightings}
    assert beside == {"a": (None, "b", False), "b": ("a", "c", True), "c": ("b", None, False)}
    unlinked = store.survey(Query(collections=("c",), k=5, text="lantern"))
    assert [one.record.id for one in unlinked.sightings] == ["b"]


def test_a_survey_links_only_as_many_as_asked(store: Store) -> None:
    store.commit([turn("a", "hello", at=1), turn("b", "the lantern", at=2)])
    found = store.survey(Query(collections=("c",), k=5, text="lantern", linked=frozenset("c"), links=0))
    assert [one.record.id for one in found.sightings] == ["b"]


def test_neighbours_obey_filters_and_exclusions(store: Store) -> None:
    store.commit([turn("a", "hello", at=1), turn("b", "the lantern", at=2), turn("d", "bye", at=3)])
    asked = Query(
        collections=("c",),
        k=5,
        text="lantern",
        linked=frozenset("c"),
        where=Where(until=3),
        exclude={"c": frozenset("a")},
    )
    assert [one.record.id for one in store.survey(asked).sightings] == ["b"]


def test_a_survey_counts_words_in_texts_and_in_the_collection(store: Store) -> None:
    store.commit(
        [put("a", "boats and boats"), put("b", "a boat at sea"), put("d", "the sea"), put("x", "boat", into="other")]
    )
    found = store.survey(Query(collections=("c", "nowhere"), k=5, text="boat sea"))
    assert {one.record.id: (one.counts, one.length) for one in found.sightings} == {
        "a": ((2, 0), 3),
        "b": ((1, 1), 4),
        "d": ((0, 1), 2),
    }
    assert list(found.vocabularies) == ["c"]
    vocabulary = found.vocabularies["c"]
    assert (vocabulary.texts, vocabulary.terms, vocabulary.holders) == (3, 9, (2, 2))


def test_speakers_are_listed_once_each(store: Store) -> None:
    store.commit(
        [
            put("a", metadata={"speaker": "Tom"}),
            put("b", metadata={"speaker": "Anna"}),
            put("d", metadata={"speaker": "Tom"}),
            put("e", metadata={"speaker": ""}),
            put("f", metadata={"speaker": 7}),
            put("g"),
            put("x", into="other", metadata={"speaker": "Zoe"}),
        ]
    )
    assert store.speakers("c") == ["Anna", "Tom"]
    assert store.speakers("nowhere") == []
