"""Other stores behind one small seam: open at a path, add rows, find the nearest. Each with its own defaults."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from bench.data import Matrix

from libravdb.app import open_store
from libravdb.config import StoreSettings
from libravdb.engine.indexing import IndexingStore
from libravdb.model import Embedding, Key, Put, Record
from libravdb.ports.store import Store
from libravdb.text.analysis import query_terms

COLLECTION = "bench"
SPACE = "bench"
"""Fingerprint of the vectors in a peer comparison, where no embedder takes part."""


class Peer(Protocol):
    """A store of texts and vectors under whole numbers; `add` returns when the store calls the rows written."""

    def add(self, ids: Sequence[int], texts: Sequence[str], vectors: Matrix) -> None:
        """Write rows in one call."""

    def find(self, vector: Matrix, k: int) -> list[int]:
        """Numbers of the nearest rows, best first; texts are read as well, as any caller would."""

    def close(self) -> None:
        """Let go of the files."""


class Ours:
    """LibraVDB through its Store port; unlike the peers it also analyses texts and writes a full-text index."""

    def __init__(self, folder: Path) -> None:
        self._store = IndexingStore(open_store(StoreSettings(path=folder / "bench.libravdb")))
        self._store.vectors.open(fingerprint=SPACE, dimensions=384, description={})

    def add(self, ids: Sequence[int], texts: Sequence[str], vectors: Matrix) -> None:
        self._store.commit(puts(ids, texts, vectors, fingerprint=SPACE))

    def find(self, vector: Matrix, k: int) -> list[int]:
        found = candidates(self._store, COLLECTION, k=k, embedding=as_query(vector, SPACE))
        return [int(record.id) for record in found]

    def close(self) -> None:
        self._store.close()


class Chroma:
    """chromadb, PersistentClient, a collection as it comes (HNSW, squared distance)."""

    def __init__(self, folder: Path) -> None:
        import chromadb  # noqa: PLC0415 - optional

        settings = chromadb.Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(path=str(folder), settings=settings)
        self._rows = self._client.create_collection("bench", embedding_function=None)

    def add(self, ids: Sequence[int], texts: Sequence[str], vectors: Matrix) -> None:
        for start in range(0, len(ids), 5_000):  # it takes no more at a time
            part = slice(start, start + 5_000)
            self._rows.add(ids=[str(id) for id in ids[part]], documents=list(texts[part]), embeddings=vectors[part])

    def find(self, vector: Matrix, k: int) -> list[int]:
        return [int(id) for id in self._rows.query(query_embeddings=vector.reshape(1, -1), n_results=k)["ids"][0]]

    def close(self) -> None:
        self._rows = None
        self._client = None


class Lance:
    """lancedb, a local table as it comes: no index, every row compared."""

    def __init__(self, folder: Path) -> None:
        import lancedb  # noqa: PLC0415 - optional

        self._db = lancedb.connect(str(folder))
        self._rows: Any = None

    def add(self, ids: Sequence[int], texts: Sequence[str], vectors: Matrix) -> None:
        pa = import_module("pyarrow")  # comes with lancedb
        width = vectors.shape[1]
        flat = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), width)
        batch = pa.table({"id": pa.array(list(ids)), "text": pa.array(list(texts)), "vector": flat})
        if self._rows is None:
            self._rows = self._db.create_table("bench", batch)
        else:
            self._rows.add(batch)

    def find(self, vector: Matrix, k: int) -> list[int]:
        return [int(row["id"]) for row in self._rows.search(vector).limit(k).to_list()]

    def close(self) -> None:
        self._rows = None


class SqliteVec:
    """sqlite-vec, a vec0 table as it comes in a SQLite file as it comes: every row compared."""

    def __init__(self, folder: Path) -> None:
        import sqlite_vec  # noqa: PLC0415 - optional

        self._db = sqlite3.connect(folder / "bench.db")
        self._db.enable_load_extension(True)  # noqa: FBT003 - its only argument
        sqlite_vec.load(self._db)
        self._db.enable_load_extension(False)  # noqa: FBT003
        self._db.execute("CREATE VIRTUAL TABLE rows USING vec0(id INTEGER PRIMARY KEY, vector FLOAT[384], +text TEXT)")

    def add(self, ids: Sequence[int], texts: Sequence[str], vectors: Matrix) -> None:
        rows = [(id, vector.tobytes(), text) for id, vector, text in zip(ids, vectors, texts, strict=True)]
        with self._db:
            self._db.executemany("INSERT INTO rows (id, vector, text) VALUES (?, ?, ?)", rows)

    def find(self, vector: Matrix, k: int) -> list[int]:
        found = self._db.execute(
            "SELECT id, text FROM rows WHERE vector MATCH ? AND k = ? ORDER BY distance", (vector.tobytes(), k)
        )
        return [int(id) for id, _ in found]

    def close(self) -> None:
        self._db.close()


PEERS: Mapping[str, tuple[str, Callable[[Path], Peer]]] = {
    "libravdb": ("libravdb", Ours),
    "chromadb": ("chromadb", Chroma),
    "lancedb": ("lancedb", Lance),
    "sqlite-vec": ("sqlite_vec", SqliteVec),
}
"""Name to module and how to open one; ours is the first, and the measure."""


def obstacle(name: str) -> str:
    """Why a peer cannot be measured here; empty when it can."""
    if find_spec(PEERS[name][0]) is None:
        return "not installed"
    if name == "sqlite-vec" and not hasattr(sqlite3.Connection, "enable_load_extension"):
        return "this Python's sqlite3 loads no extensions"
    return ""


def puts(
    ids: Sequence[int], texts: Sequence[str], vectors: Matrix, *, fingerprint: str, collection: str = COLLECTION
) -> list[Put]:
    """Rows as changes for our store."""
    return [
        Put(
            collection=collection,
            id=str(id),
            text=text,
            at=id,
            embedding=Embedding(fingerprint=fingerprint, vectors=vectors[i : i + 1]),
        )
        for i, (id, text) in enumerate(zip(ids, texts, strict=True))
    ]


def as_query(vector: Matrix, fingerprint: str) -> Embedding:
    """A vector to be asked with."""
    return Embedding(fingerprint=fingerprint, vectors=vector.reshape(1, -1))


def candidates(
    store: Store, collection: str, *, k: int, text: str = "", embedding: Embedding | None = None
) -> list[Record]:
    """The k records closest in meaning, best first, then those that hold the words of a text, in one read."""
    with store.read() as read:
        near = () if embedding is None else read.nearest([collection], embedding, k=k)
        worded = read.matching([collection], query_terms(text), k=k) if text else ()
        keys: dict[Key, None] = dict.fromkeys([*(one.key for one in near), *worded])
        records = read.records(keys)
        return [records[key] for key in keys]
