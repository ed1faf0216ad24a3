"""Real parts for tests of programs that use this package: a store in memory, a small embedder, a clock that stands.

They keep the same contracts as the parts that people use, so a test with them runs the engine itself, in milliseconds
and without a model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.memory.store import MemoryStore
from libravdb.errors import EmbedderError, InvalidInput
from libravdb.model import Metadata
from libravdb.ports.clock import Progress, no_progress

__all__ = ["FrozenClock", "MemoryStore", "WordsEmbedder"]

Vector = NDArray[np.float32]


class FrozenClock:
    """A clock that goes on only when it is told to. Times are milliseconds since 1970 UTC."""

    def __init__(self, now: int = 1_790_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def advance(self, milliseconds: int) -> None:
        """Let time pass."""
        self.now += milliseconds


class WordsEmbedder:
    """Texts that share words are similar: each word has its own random direction. `seed` makes another model.

    With `blur` 1 it is a broken model: every text gets about the same vector.
    """

    def __init__(self, *, seed: int = 0, dimensions: int = 64, blur: float = 0.0) -> None:
        self._seed = seed
        self._dimensions = dimensions
        self._blur = blur
        self.embedded: list[str] = []
        self.is_broken = False
        self.probe_sentence = ""

    @property
    def fingerprint(self) -> str:
        return f"words-{self._seed}-{self._dimensions}-{self._blur}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def description(self) -> Metadata:
        return {"backend": "words", "seed": self._seed, "dimensions": self._dimensions, "blur": self._blur}

    def embed_text(self, text: str) -> Vector:
        if self.is_broken:
            raise EmbedderError("The model is away.", remedy="Bring it back.")
        if not text.strip():
            raise InvalidInput("text", "is empty")
        self.embedded.append(text)
        return self._direction(text)[np.newaxis, :]

    def embed_texts(self, texts: Sequence[str], progress: Progress = no_progress) -> list[Vector]:
        rows = [self.embed_text(text) for text in texts]
        progress(len(rows), len(rows))
        return rows

    def embed_query(self, text: str) -> Vector:
        if self.is_broken:
            raise EmbedderError("The model is away.", remedy="Bring it back.")
        return self._direction(text)

    def probe(self) -> Vector | None:
        """As of a server: another sentence stands for another model behind the same name."""
        return self._direction(self.probe_sentence) if self.probe_sentence else None

    def close(self) -> None:
        """Nothing to let go of."""

    def _direction(self, text: str) -> Vector:
        words = re.findall(r"\w+", text.lower()) or [text]
        whole = sum(self._word(word) for word in words) * (1 - self._blur) + self._blur * self._word("the same")
        return np.asarray(whole / np.linalg.norm(whole), dtype=np.float32)

    def _word(self, word: str) -> NDArray[np.float64]:
        return _direction_of(f"{self._seed} {word}", self._dimensions)


@cache
def _direction_of(word: str, dimensions: int) -> NDArray[np.float64]:
    return np.random.default_rng(crc32(word.encode())).standard_normal(dimensions)
