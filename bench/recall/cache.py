"""An embedder that remembers what it embedded, in a file per model, so that a second run takes minutes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
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
        """`embed_text` for many; what was embedded is kept every few hundred texts."""
        found: list[Vector] = []
        for text in texts:
            found.append(self.embed_text(text))
            progress(len(found), len(texts))
            if len(found) % 256 == 0:
                self._db.commit()
        self._db.commit()
        return found

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

    def _remembered(self, table: str, text: str, kind: np.dtype[np.floating], embed: object) -> Vector:
        key = sha256(text.encode()).digest()
        found = self._db.execute(f"SELECT count, vectors FROM {table} WHERE digest = ?", (key,)).fetchone()
        if found is None:
            vectors: Vector = np.atleast_2d(embed(text))  # type: ignore[operator]
            kept = vectors.astype(kind)
            row = (key, len(kept), kept.tobytes())
            self._db.execute(f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?)", row)
            return kept.astype(np.float32)
        count, blob = found
        return np.frombuffer(blob, dtype=kind).reshape(count, -1).astype(np.float32)
