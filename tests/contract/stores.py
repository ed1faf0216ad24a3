"""Every implementation of the port `Store`, and short words for what tests ask of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.postgres.server import missing_parts

from libravdb.adapters.memory.store import MemoryStore
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.model import Edge, Embedding, Key, Near, Page, Record
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import Snapshot, Store
from libravdb.text.analysis import query_terms

T = TypeVar("T")
Vector = NDArray[np.float32]

KINDS = ("sqlite", "memory", pytest.param("postgres", marks=pytest.mark.postgres))
SPACE = "model-a"
OTHER = "model-b"
SURROGATE = "bad \ud800 text"
NUL = "bad \0 text"


class OpenStore(Store, Protocol):
    """A store that a block can close."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...


def open_store(kind: str, folder: Path) -> OpenStore:
    """An empty one."""
    if kind == "postgres":
        return open_postgres_store()
    return SqliteStore(folder / "store.db") if kind == "sqlite" else MemoryStore()


def open_postgres_store(*, beside: OpenStore | None = None, settings: StoreSettings | None = None) -> OpenStore:
    """An empty one in a database of its own, or another one over the database of one that is open. Where there cannot
    be a server, the test is skipped."""
    if missing := missing_parts():
        pytest.skip(missing)
    from tests.postgres.stores import LentStore, open_lent  # noqa: PLC0415  they need the driver

    from libravdb.adapters.postgres.store import PostgresStore  # noqa: PLC0415

    return (
        PostgresStore(beside.url, settings=settings) if isinstance(beside, LentStore) else open_lent(settings=settings)
    )


_NUMBERS = itertools.count()


def new_collection() -> str:
    """A name that no example of a property had before: to fill another collection is quicker than another store."""
    return f"collection {next(_NUMBERS)}"


def ask(store: Store, question: Callable[[Snapshot], T]) -> T:
    """One question in a read of its own."""
    with store.read() as read:
        return question(read)


def record(id: str, text: str = "a text", *, of: str = "c", at: int = 1, **more: Any) -> Record:
    """A record as a store gives it back."""
    return Record(collection=of, id=id, text=text, at=at, **{"metadata": {}, "version": 1, "access_count": 0, **more})


def kept(store: Store, id: str, *, of: str = "c") -> Record:
    """A record that is there."""
    return ask(store, lambda read: read.records([Key(of, id)]))[Key(of, id)]


def is_there(store: Store, id: str, *, of: str = "c") -> bool:
    """Whether there is such a record."""
    return Key(of, id) in ask(store, lambda read: read.records([Key(of, id)]))


def names(store: Store, prefix: str = "") -> list[str]:
    """The names of the collections."""
    return [info.name for info in ask(store, lambda read: read.collections(prefix=prefix)).items]


def listed(store: Store, *, of: str = "c", **more: Any) -> list[str]:
    """The ids of a page."""
    return ids(ask(store, lambda read: read.page(of, **more)).items)


def walk(turn: Callable[[str | None], Page[T]]) -> Iterator[Page[T]]:
    """Every page, from the first one on, each asked for by the cursor that the one before gave."""
    page = turn(None)
    yield page
    while page.next is not None:
        page = turn(page.next)
        yield page


def ids(found: Sequence[Record]) -> list[str]:
    """The ids of records."""
    return [one.id for one in found]


def words(store: Store, question: str, *, of: str = "c", k: int = 10, **more: Any) -> list[str]:
    """The ids of the records that hold words of a question, best first."""
    found = ask(store, lambda read: read.matching([of], query_terms(question), k=k, **more))
    return [key.id for key in found]


def near(store: Store, direction: Sequence[float], *, of: str = "c", k: int = 10, **more: Any) -> list[Near]:
    """The records closest to a direction."""
    return list(ask(store, lambda read: read.nearest([of], vector(direction), k=k, **more)))


def near_ids(store: Store, direction: Sequence[float], **more: Any) -> list[str]:
    """Their ids."""
    return [one.key.id for one in near(store, direction, **more)]


def rows(*directions: Sequence[float]) -> Vector:
    """Vectors of length one."""
    matrix = np.array(directions, dtype=np.float64)
    unit: Vector = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    return unit


def vector(*directions: Sequence[float], space: str = SPACE) -> Embedding:
    """The vectors of a text."""
    return Embedding(fingerprint=space, vectors=rows(*directions))


def open_space(store: Store, fingerprint: str = SPACE, dimensions: int = 2) -> None:
    """Make a vector space known."""
    store.vectors.open(fingerprint=fingerprint, dimensions=dimensions, description={"name": fingerprint})


def edge(parent: str, child: str, position: int = 0, *, session: str = "s", at: int = 1, kind: str = "turn") -> Edge:
    """A summary stands for something."""
    return Edge(session=session, parent=parent, child=child, child_kind=kind, position=position, at=at)
