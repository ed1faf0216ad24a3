"""A store copied into another one: the same, whatever it holds, wherever the copy was broken off."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from tests.chats import ANNA, chat, open_engine, say
from tests.puts import put
from tests.support import NOON

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.engine.engine import Engine
from libravdb.engine.prepared_store import PreparedStore
from libravdb.engine.store_copy import compared, copy_store
from libravdb.errors import StoreBusy, StoreError
from libravdb.model import (
    NOTHING_FORESEEN,
    Append,
    Change,
    Commit,
    Embedding,
    EnsureCollection,
    Foreseen,
    Key,
    Put,
    Remove,
    Revision,
    SetState,
    Topic,
)
from libravdb.model.collections import raw_turns
from libravdb.ports.store import NO_CONDITION, Snapshot, Store
from libravdb.testing import MemoryStore
from libravdb.text.analysis import ANALYSIS

LATER = NOON + 10**9


@contextmanager
def a_store(kind: str, path: Path) -> Iterator[Store]:
    store: SqliteStore | MemoryStore = SqliteStore(path) if kind == "sqlite" else MemoryStore()
    with store:
        store.maintenance.reindex(ANALYSIS, lambda _: ())
        yield store


@pytest.fixture
def lived(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with a past: a chat that was compacted, memories, prompts, rules, two switches of the embedder."""
    with open_engine(tmp_path / "source.db") as engine:
        chat(engine, 60)
        engine.compaction.compact("s")
        engine.conversations.ingest(say("I live in Graz since May."), session="t", namespace="ben")
        engine.memories.remember("The pond is deep.", collection="user:anna", metadata={"n": 1.0, "t": True, "z": None})
        engine.memories.remember("It goes soon.", collection="notes", expires_at="30d")
        engine.prompts.assemble("Where do I live?", session="s", namespace=ANNA, budget=500)
    store = SqliteStore(tmp_path / "source.db")
    for name, dimensions in (("second", 3), ("third", 4), ("never used", 2)):
        store.vectors.open(fingerprint=name, dimensions=dimensions, description={"name": name})
        rows = np.eye(dimensions, dtype=np.float32)
        store.vectors.add([(one.digest, Embedding(fingerprint=name, vectors=rows)) for one in store.vectors.sample(9)])
        if name != "never used":
            store.vectors.activate(name)
    same_time = [put("session_raw:u", f"t{n % 7}{n}", at=5, metadata={"sessionId": "u"}) for n in range(20)]
    store.commit(same_time)
    store.commit([EnsureCollection(name="empty"), Append(session="s", at=3, entry={"a": [1, 1.0, True]})])
    with store:
        yield store


def same(one: Store, other: Store) -> bool:
    with one.read() as first, other.read() as second:
        return list(compared(first)) == list(compared(second))


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
def test_a_copy_is_the_same_in_every_part(lived: SqliteStore, kind: str, tmp_path: Path) -> None:
    with a_store(kind, tmp_path / "target.db") as target:
        done = copy_store(lived, target)
        assert done.records == done.written == lived.maintenance.stats().records
        assert same(lived, target)
        assert list(target.maintenance.verify()) == []
        with lived.read() as first, target.read() as second:
            assert [(s.fingerprint, s.state, s.texts, s.vectors) for s in first.spaces()] == [
                (s.fingerprint, s.state, s.texts, s.vectors) for s in second.spaces()
            ]
            assert [s.fingerprint for s in sorted(first.spaces(), key=lambda s: s.retired)] == [
                s.fingerprint for s in sorted(second.spaces(), key=lambda s: s.retired)
            ]
            keys = [Key(raw_turns("u"), f"t{n % 7}{n}") for n in range(20)]
            assert first.neighbours(keys) == second.neighbours(keys)
            assert (
                first.revisions([Topic.collection("empty")]).keys()
                == second.revisions([Topic.collection("empty")]).keys()
            )
        names = {part.name.partition(" ")[0] for part in done.parts}
        assert names == {"collection", "sessions", "edges", "journal", "vectors"}


def test_there_and_back_again_is_the_same(lived: SqliteStore, tmp_path: Path) -> None:
    with a_store("memory", tmp_path) as there, a_store("sqlite", tmp_path / "back.db") as back:
        copy_store(lived, there)
        copy_store(there, back)
        assert same(lived, back)


def test_an_engine_goes_on_in_the_copy(tmp_path: Path) -> None:
    def asked(engine: Engine) -> object:
        made = engine.prompts.preview("What is done by noon?", session="s", namespace=ANNA, budget=600, as_of=LATER)
        return made.sections

    with open_engine(tmp_path / "one.db") as engine:
        chat(engine, 30)
        wanted = asked(engine)
    with SqliteStore(tmp_path / "one.db") as source, a_store("sqlite", tmp_path / "two.db") as target:
        copy_store(source, target)
    with open_engine(tmp_path / "two.db") as engine:
        assert asked(engine) == wanted
        assert engine.search("harbour office", namespace=ANNA, session="s").hits


# ── a target in which nobody has been yet ─────────────────────────────────────────────────────────────────


def _spaces(store: Store) -> dict[str, int]:
    with store.read() as snapshot:
        return {space.fingerprint: space.dimensions for space in snapshot.spaces()}


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
@pytest.mark.parametrize("started", [["another"], ["second"], ["third"], ["never used"], ["another", "third", "first"]])
def test_the_spaces_of_a_first_start_make_no_memory(
    lived: SqliteStore, started: Sequence[str], kind: str, tmp_path: Path
) -> None:
    """Whoever makes the tables opens a space for the embedder that he has, and leaves no vector in it."""
    with a_store(kind, tmp_path / "target.db") as target:
        for name in started:
            dimensions = _spaces(lived).get(name, 5)
            target.vectors.open(fingerprint=name, dimensions=dimensions, description={"name": name})
            target.vectors.activate(name)
        copy_store(lived, target)
        assert same(lived, target)
        assert list(target.maintenance.verify()) == []


def test_a_memory_without_vectors_leaves_the_space_of_a_first_start(tmp_path: Path) -> None:
    with a_store("memory", tmp_path) as words, a_store("sqlite", tmp_path / "target.db") as target:
        words.commit([put("user:anna", "1")])
        target.vectors.open(fingerprint="first", dimensions=5, description={})
        assert copy_store(words, target).written == 1
        assert copy_store(words, target).written == 0
        assert _spaces(target) == {"first": 5}


def test_a_copy_that_was_broken_off_over_a_first_start_goes_on(lived: SqliteStore, tmp_path: Path) -> None:
    with a_store("sqlite", tmp_path / "target.db") as target:
        target.vectors.open(fingerprint="third", dimensions=4, description={"name": "third"})
        for after in range(0, 40, 3):
            with suppress(StoreError):
                copy_store(lived, _Failing(target, after))
        copy_store(lived, target)
        assert same(lived, target)


# ── broken off ────────────────────────────────────────────────────────────────────────────────────────────


class _Failing(PreparedStore):
    """A store whose so-and-so-many-th commit fails."""

    def __init__(self, store: Store, after: int) -> None:
        super().__init__(store, lambda changes: changes)
        self.left = after

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        self.left -= 1
        if self.left < 0:
            raise StoreError("the target", "the power is gone")
        return super().commit(changes, unless=unless)


def test_a_copy_that_is_broken_off_anywhere_goes_on_where_it_was(lived: SqliteStore, tmp_path: Path) -> None:
    with a_store("memory", tmp_path) as target:
        for attempts in range(1_000):
            try:
                copy_store(lived, _Failing(target, after=2 + attempts % 3))
                break
            except StoreError:
                continue
        assert 5 < attempts < 100
        assert same(lived, target)
        assert copy_store(lived, target).written == 0, "whoever repeats it is told the same"


def test_what_changes_between_two_attempts_is_brought_along(lived: SqliteStore, tmp_path: Path) -> None:
    with a_store("memory", tmp_path) as target:
        with pytest.raises(StoreError):
            copy_store(lived, _Failing(target, after=12))
        lived.commit(
            [
                Remove(collection="user:anna", id=_first(lived, "user:anna")),
                Put(collection="notes", id="new", text="said since", at=9, metadata={}, terms=("said",)),
                SetState(session="s", state={"namespaces": []}, at=9),
            ]
        )
        copy_store(lived, target)
        assert same(lived, target)


def _first(store: Store, collection: str) -> str:
    with store.read() as snapshot:
        return snapshot.page(collection, limit=1).items[0].id


class _Growing(PreparedStore):
    """A store that somebody writes to whenever it is read."""

    def __init__(self, store: Store, write: Callable[[Store], object]) -> None:
        super().__init__(store, lambda changes: changes)
        self._write = write

    @contextmanager
    def read(self, foreseen: Foreseen = NOTHING_FORESEEN) -> Iterator[Snapshot]:
        with super().read(foreseen) as snapshot:
            yield snapshot
        self._write(self._store)


def test_a_store_that_others_go_on_writing_to_is_not_called_copied() -> None:
    with MemoryStore() as source, MemoryStore() as target:
        counts = iter(range(1_000))

        def write(store: Store) -> None:
            store.commit([put("c", f"{next(counts)}", "tea")])

        with pytest.raises(StoreBusy, match="others write to it"):
            copy_store(_Growing(source, write), target)


# ── what is refused ───────────────────────────────────────────────────────────────────────────────────────


def test_a_store_that_holds_something_else_is_left_as_it_is(lived: SqliteStore) -> None:
    with MemoryStore() as target:
        target.commit([put("c", "1", "mine")])
        with pytest.raises(StoreError, match="holds memory already"):
            copy_store(lived, target)
        with target.read() as made:
            assert [info.name for info in made.collections().items] == ["c"]


def test_the_unfinished_copy_of_one_store_is_not_finished_with_another(lived: SqliteStore) -> None:
    with MemoryStore() as target, MemoryStore() as other:
        with pytest.raises(StoreError, match="power"):
            copy_store(lived, _Failing(target, after=5))
        with pytest.raises(StoreError, match="unfinished copy of another store"):
            copy_store(other, target)


def test_an_empty_store_is_copied_too() -> None:
    with MemoryStore() as source, MemoryStore() as target:
        assert copy_store(source, target).records == 0
        assert same(source, target)
