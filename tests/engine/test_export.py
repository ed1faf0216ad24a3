"""Export and import: nothing is lost, nothing doubled, and a broken file is refused by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.engine.export import export_lines, import_lines
from libravdb.errors import InvalidInput
from libravdb.model import Append, Change, Edge, Embedding, Link, Put, Record, SetState, Touch
from libravdb.testing import MemoryStore, WordsEmbedder

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(NAMES, JSON, max_size=3)
TIMES = st.integers(-(2**50), 2**50)
CHANGES = st.lists(
    st.one_of(
        st.builds(Put, collection=NAMES, id=NAMES, text=NAMES, at=TIMES, metadata=OBJECTS),
        st.builds(
            Link,
            edge=st.builds(
                Edge,
                session=NAMES,
                parent=NAMES,
                child=NAMES,
                child_kind=st.just("turn"),
                position=st.just(1),
                at=TIMES,
            ),
        ),
        st.builds(Append, session=NAMES, at=TIMES, entry=OBJECTS),
        st.builds(SetState, session=NAMES, at=TIMES, state=OBJECTS),
    ),
    max_size=12,
)


def content(store: MemoryStore | SqliteStore) -> tuple[object, ...]:
    """All that an export must carry."""
    records = [record for info in store.collections() for record in store.scan(info.name)]
    journal = [(entry.session, entry.at, json.dumps(entry.entry)) for entry in store.journal()]
    return (
        [info.name for info in store.collections()],
        [_exact(record) for record in records],
        store.edges(),
        [(state.session, state.generation, json.dumps(state.state), state.at) for state in store.sessions()],
        sorted(set(journal)),
    )


def _exact(record: Record) -> tuple[object, ...]:
    return (record.collection, record.id, record.text, json.dumps(record.metadata), record.at, record.version)


@given(CHANGES)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_round_trip_loses_nothing_and_a_second_import_changes_nothing(changes: list[Change]) -> None:
    source, target = MemoryStore(), MemoryStore()
    for change in changes:
        source.commit([change])
    lines = list(export_lines(source, now=0))
    import_lines(target, lines)
    assert content(target) == content(source)
    import_lines(target, lines)
    assert content(target) == content(source)


def test_versions_access_counts_and_vectors_come_along(tmp_path: Path) -> None:
    embedder = WordsEmbedder()
    with SqliteStore(tmp_path / "a.libravdb") as source, SqliteStore(tmp_path / "b.libravdb") as target:
        source.open_space(fingerprint=embedder.fingerprint, dimensions=64, description=embedder.description)
        for text in ("first", "second"):
            vectors = Embedding(fingerprint=embedder.fingerprint, vectors=embedder.embed_text(text))
            source.commit([Put(collection="c", id="x", text=text, at=5, embedding=vectors)])
        source.commit([Touch(collection="c", ids=("x",))])
        done = import_lines(target, export_lines(source, now=0, with_vectors=True))
        assert (done.records, done.vectors) == (1, 1)
        assert target.get("c", "x") == source.get("c", "x")
        kept = target.vectors(embedder.fingerprint, "second")
        assert kept is not None
        assert (kept == source.vectors(embedder.fingerprint, "second")).all()
        assert list(target.verify()) == []


def test_vectors_of_another_embedder_are_left_out(tmp_path: Path) -> None:
    old, new = WordsEmbedder(seed=1), WordsEmbedder(seed=2)
    with SqliteStore(tmp_path / "a.libravdb") as source, SqliteStore(tmp_path / "b.libravdb") as target:
        source.open_space(fingerprint=old.fingerprint, dimensions=64, description={})
        target.open_space(fingerprint=new.fingerprint, dimensions=64, description={})
        vectors = Embedding(fingerprint=old.fingerprint, vectors=old.embed_text("x"))
        source.commit([Put(collection="c", id="x", text="x", at=5, embedding=vectors)])
        done = import_lines(target, export_lines(source, now=0, with_vectors=True))
        assert (done.records, done.vectors) == (1, 0)
        assert target.stats().unembedded == 1


def test_a_choice_of_collections_exports_only_their_records() -> None:
    store = MemoryStore()
    store.commit([Put(collection=name, id="x", text=name, at=1) for name in ("user:a", "user:ab", "turns:a")])
    store.commit([Append(session="s", at=1, entry={})])
    items = [json.loads(line) for line in export_lines(store, now=0, accept={"user:a"}.__contains__)]
    assert [item["kind"] for item in items] == ["header", "collection", "record"]
    assert items[2]["collection"] == "user:a"


HEADER = json.dumps({"kind": "header", "format": "libravdb-export", "version": 1, "records": 1})
GOOD = {"kind": "record", "collection": "c", "id": "x", "text": "t", "metadata": {}, "at": 1, "version": 1}
GOOD |= {"access_count": 0}


def without(key: str) -> str:
    return json.dumps({name: value for name, value in GOOD.items() if name != key})


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("not json", "is not JSON"),
        ("[1]", "is not an object with a kind"),
        (json.dumps({"kind": "spaceship"}), "unknown kind"),
        (without("text"), "'text' is missing"),
        (json.dumps(GOOD | {"text": 5}), "text"),
        (json.dumps(GOOD | {"id": ""}), "id"),
        (json.dumps(GOOD | {"at": "yesterday"}), "at"),
        (json.dumps(GOOD | {"version": 0}), "version"),
        (json.dumps(GOOD | {"metadata": [1]}), "metadata"),
        (HEADER, "header"),
    ],
)
def test_a_broken_line_is_refused_with_its_number_and_what_came_before_is_kept(line: str, problem: str) -> None:
    store = MemoryStore()
    first = json.dumps(GOOD | {"id": "first"})
    with pytest.raises(InvalidInput, match=problem) as caught:
        import_lines(store, [HEADER, first, line])
    assert "line" in caught.value.field
    assert "import the file again" in caught.value.remedy or "Export with" in caught.value.remedy
    import_lines(store, [HEADER, first, json.dumps(GOOD)])
    assert [record.id for record in store.scan("c")] == ["first", "x"]


@pytest.mark.parametrize("first", ['{"kind":"record"}', '{"kind":"header","format":"other"}'])
def test_a_file_without_our_header_is_refused(first: str) -> None:
    with pytest.raises(InvalidInput, match="is not the header"):
        import_lines(MemoryStore(), [first])


def test_a_file_of_a_newer_format_is_refused() -> None:
    newer = json.dumps({"kind": "header", "format": "libravdb-export", "version": 2})
    with pytest.raises(InvalidInput, match="format version 2") as caught:
        import_lines(MemoryStore(), [newer])
    assert "Upgrade" in caught.value.remedy


def test_progress_tells_how_far_it_is() -> None:
    store = MemoryStore()
    store.commit([Put(collection="c", id=str(n), text=str(n), at=n) for n in range(600)])
    told: list[tuple[int, int]] = []
    note: Callable[[int, int], None] = lambda done, total: told.append((done, total))  # noqa: E731 - one line
    lines = list(export_lines(store, now=0, progress=note))
    assert told[-1] == (600, 600)
    told.clear()
    import_lines(MemoryStore(), lines, note)
    assert told[-1] == (600, 600)
    assert len(told) > 2
