"""An embedder that remembers what it embedded, in a file per model, so that a second run takes minutes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.embedder import Embedder

if TYPE_CHECKING:
    from libravdb.model import Metadata, Vector


class CachedEmbedder:
    """Implements the port `Embedder` over another one. Vectors come back in float16 precision, as a store keeps them;
    those of questions in full."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._embedder = embedder
        self._db = sqlite3.connect(folder / f"{embedder.fingerprint}.db", timeout=60)
        for table in ("vectors", "queries"):
            self._db.execute(
                f"CREATE TABLE IF NOT EXISTS {table}"
                " (digest BLOB PRIMARY KEY, count INTEGER NOT NULL, vectors BLOB NOT NULL) WITHOUT ROWID"
            )

    @property
    def fingerprint(self) -> str:
        """The other one's."""
        return self._embedder.fingerprint

    @property
    def dimensions(self) -> int:
        """The other one's."""
        return self._embedder.dimensions

    @property
    def description(self) -> Metadata:
        """The other one's."""
        return self._embedder.description

    def embed_text(self, text: str) -> Vector:
        """All vectors of a text, from the file if it is there."""
        return self._remembered("vectors", text, np.dtype("<f2"), self._embedder.embed_text)

    def embed_texts(self, texts: Sequence[str], progress: Progress = no_progress) -> list[Vector]:
        """`embed_text` for many: what is not in the file is embedded on all cores, and kept every few hundred texts."""
        unknown = [text for text in dict.fromkeys(texts) if self._found("vectors", text) is None]
        for begin in range(0, len(unknown), 256):
            some = unknown[begin : begin + 256]
            for text, vectors in zip(some, self._embedder.embed_texts(some), strict=True):
                self._keep("vectors", text, vectors.astype("<f2"))
            self._db.commit()
            progress(begin + len(some), len(unknown))
        return [self.embed_text(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        """A question's vector, from the file if it is there."""
        return self._remembered("queries", text, np.dtype("<f4"), self._embedder.embed_query).reshape(-1)

    def probe(self) -> Vector | None:
        """The other one's."""
        return self._embedder.probe()

    def close(self) -> None:
        """Keep what is new and let go of both."""
        self._db.commit()
        self._db.close()
        self._embedder.close()

    def _remembered(self, table: str, text: str, kind: np.dtype[np.floating], embed: Callable[[str], Vector]) -> Vector:
        found = self._found(table, text)
        if found is None:
            kept = np.atleast_2d(embed(text)).astype(kind)
            self._keep(table, text, kept)
            return kept.astype(np.float32)
        count, blob = found
        return np.frombuffer(blob, dtype=kind).reshape(count, -1).astype(np.float32)

    def _found(self, table: str, text: str) -> tuple[int, bytes] | None:
        key = sha256(text.encode()).digest()
        row = self._db.execute(f"SELECT count, vectors FROM {table} WHERE digest = ?", (key,)).fetchone()
        return None if row is None else (row[0], row[1])

    def _keep(self, table: str, text: str, vectors: np.ndarray) -> None:
        row = (sha256(text.encode()).digest(), len(vectors), vectors.tobytes())
        self._db.execute(f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?)", row)
