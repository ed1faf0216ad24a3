"""Export and import: nothing is lost, nothing doubled, and a broken file is refused by line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.stores import ask, ids, kept
from tests.puts import put
from tests.support import open_file_store

from libravdb.engine.export import export_lines, import_lines
from libravdb.engine.indexing import IndexingStore
from libravdb.errors import InvalidInput
from libravdb.model import Append, Change, Edge, Embedding, Imported, Link, Record, SetState, Touch, digest
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.store import Store
from libravdb.testing import MemoryStore, WordsEmbedder

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(NAMES, JSON, max_size=3)
TIMES = st.integers(-(2**50), 2**50)
CHANGES = st.lists(
    st.one_of(
        st.builds(put, collection=NAMES, id=NAMES, text=NAMES, at=TIMES, metadata=OBJECTS),
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


def content(store: Store) -> tuple[object, ...]:
    """All that an export must carry."""
    with store.read() as read:
        names = [info.name for info in read.collections().items]
        journal = [(entry.session, entry.at, json.dumps(entry.entry)) for entry in read.journal()]
        states = read.states_of(None).items
        return (
            names,
            [_exact(record) for name in names for record in read.page(name).items],
            read.edges(None),
            [(state.session, state.generation, json.dumps(state.state), state.at) for state in states],
            sorted(set(journal)),
        )


def lines_of(store: Store, *, with_vectors: bool = False) -> list[str]:
    return ask(store, lambda read: list(export_lines(read, now=0, with_vectors=with_vectors)))


def into(store: Store, lines: Iterable[str], progress: Progress = no_progress) -> Imported:
    """As the engine imports: each text with its terms."""
    return import_lines(IndexingStore(store), lines, progress)


def _exact(record: Record) -> tuple[object, ...]:
    return (record.collection, record.id, record.text, json.dumps(record.metadata), record.at, record.version)


@given(CHANGES)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_round_trip_loses_nothing_and_a_second_import_changes_nothing(changes: list[Change]) -> None:
    source, target = MemoryStore(), MemoryStore()
    for change in changes:
        source.commit([change])
    lines = lines_of(source)
    into(target, lines)
    assert content(target) == content(source)
    into(target, lines)
    assert content(target) == content(source)


def test_versions_access_counts_and_vectors_come_along(tmp_path: Path) -> None:
    embedder = WordsEmbedder()
    with (
        closing(open_file_store(tmp_path / "a.libravdb")) as source,
        closing(open_file_store(tmp_path / "b.libravdb")) as target,
    ):
        source.vectors.open(fingerprint=embedder.fingerprint, dimensions=64, description=embedder.description)
        for text in ("first", "second"):
            vectors = Embedding(fingerprint=embedder.fingerprint, vectors=embedder.embed_text(text))
            source.commit([put("c", "x", text, at=5, embedding=vectors)])
        source.commit([Touch(collection="c", ids=("x",))])
        done = into(target, lines_of(source, with_vectors=True))
        assert (done.records, done.vectors) == (1, 1)
        assert kept(target, "x") == kept(source, "x")
        theirs, ours = (
            ask(store, lambda read: read.vectors(embedder.fingerprint, [digest("first"), digest("second")]))
            for store in (source, target)
        )
        assert ours.keys() == theirs.keys() == {digest("second")}
        assert (ours[digest("second")] == theirs[digest("second")]).all()
        assert list(target.maintenance.verify()) == []


def test_vectors_of_another_embedder_are_left_out(tmp_path: Path) -> None:
    old, new = WordsEmbedder(seed=1), WordsEmbedder(seed=2)
    with (
        closing(open_file_store(tmp_path / "a.libravdb")) as source,
        closing(open_file_store(tmp_path / "b.libravdb")) as target,
    ):
        source.vectors.open(fingerprint=old.fingerprint, dimensions=64, description={})
        target.vectors.open(fingerprint=new.fingerprint, dimensions=64, description={})
        vectors = Embedding(fingerprint=old.fingerprint, vectors=old.embed_text("x"))
        source.commit([put("c", "x", "x", at=5, embedding=vectors)])
        done = into(target, lines_of(source, with_vectors=True))
        assert (done.records, done.vectors) == (1, 0)
        assert target.maintenance.stats().unembedded == 1


def test_a_choice_of_collections_exports_only_their_records() -> None:
    store = MemoryStore()
    store.commit([put(name, "x", name) for name in ("user:a", "user:ab", "turns:a")])
    store.commit([Append(session="s", at=1, entry={})])
    chosen = ["user:a", "user:nobody"]
    items = ask(store, lambda read: [json.loads(line) for line in export_lines(read, now=0, collections=chosen)])
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
        into(store, [HEADER, first, line])
    assert "line" in caught.value.field
    assert "import the file again" in caught.value.remedy or "Export with" in caught.value.remedy
    into(store, [HEADER, first, json.dumps(GOOD)])
    assert ids(ask(store, lambda read: read.page("c")).items) == ["first", "x"]


@pytest.mark.parametrize("first", ['{"kind":"record"}', '{"kind":"header","format":"other"}'])
def test_a_file_without_our_header_is_refused(first: str) -> None:
    with pytest.raises(InvalidInput, match="is not the header"):
        into(MemoryStore(), [first])


def test_a_file_of_a_newer_format_is_refused() -> None:
    newer = json.dumps({"kind": "header", "format": "libravdb-export", "version": 2})
    with pytest.raises(InvalidInput, match="format version 2") as caught:
        into(MemoryStore(), [newer])
    assert "Upgrade" in caught.value.remedy


def test_progress_tells_how_far_it_is() -> None:
    store = MemoryStore()
    store.commit([put("c", str(n), str(n), at=n) for n in range(600)])
    told: list[tuple[int, int]] = []
    note: Callable[[int, int], None] = lambda done, total: told.append((done, total))  # noqa: E731 - one line
    lines = ask(store, lambda read: list(export_lines(read, now=0, progress=note)))
    assert told[-1] == (600, 600)
    told.clear()
    into(MemoryStore(), lines, note)
    assert told[-1] == (600, 600)
    assert len(told) > 2
