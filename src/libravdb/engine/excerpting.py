"""An embedder that reads of very long texts only what tells most: the cost of a turn grows gently with its length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from libravdb.model import Metadata
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.embedder import Embedder
from libravdb.text.excerpt import excerpt

if TYPE_CHECKING:
    from libravdb.model import Vector


class ExcerptEmbedder:
    """Implements the port `Embedder` over another one; of a text longer than `limit` characters it embeds an
    excerpt."""

    def __init__(self, embedder: Embedder, *, limit: int) -> None:
        self._embedder = embedder
        self._limit = limit

    @property
    def fingerprint(self) -> str:
        """That of the model: vectors of excerpts are compared with all others."""
        return self._embedder.fingerprint

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        return self._embedder.dimensions

    @property
    def description(self) -> Metadata:
        """What the model tells of itself."""
        return self._embedder.description

    def embed_text(self, text: str) -> Vector:
        """All vectors of a text, or of the excerpt of a long one."""
        return self._embedder.embed_text(excerpt(text, self._limit))

    def embed_texts(self, texts: Sequence[str], progress: Progress = no_progress) -> list[Vector]:
        """The same for many."""
        return self._embedder.embed_texts([excerpt(text, self._limit) for text in texts], progress)

    def embed_query(self, text: str) -> Vector:
        """One vector for a question."""
        return self._embedder.embed_query(text)

    def probe(self) -> Vector | None:
        """The model's own."""
        return self._embedder.probe()

    def verify_files(self) -> None:
        """Where the model is files: read and hash them again."""
        verify = getattr(self._embedder, "verify_files", None)
        if verify is not None:
            verify()

    def close(self) -> None:
        """Let go of the model."""
        self._embedder.close()
