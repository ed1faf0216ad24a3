"""The port of whatever turns texts into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from libravdb.model import Metadata
from libravdb.ports.clock import Progress, no_progress

if TYPE_CHECKING:
    from libravdb.model import Vector


class Embedder(Protocol):
    """Texts to vectors. Deterministic: the same text gives the same vectors, whatever else is embedded."""

    @property
    def fingerprint(self) -> str:
        """Identifies the model by content: equal fingerprints mean interchangeable vectors."""

    @property
    def dimensions(self) -> int:
        """The length of every vector."""

    @property
    def description(self) -> Metadata:
        """For people and for loading the same embedder again: backend, name, where it came from."""

    def embed_text(self, text: str) -> Vector:
        """All vectors of a text to be kept, as rows: the whole first, then its passages."""

    def embed_texts(self, texts: Sequence[str], progress: Progress = no_progress) -> list[Vector]:
        """`embed_text` for many, as fast as the machine allows."""

    def embed_query(self, text: str) -> Vector:
        """One vector for a question."""

    def probe(self) -> Vector | None:
        """The vector of a fixed sentence, where the fingerprint is a name and not the content: a server may change
        its model behind the same name. None where the fingerprint says it all."""

    def close(self) -> None:
        """Let go of the model."""
