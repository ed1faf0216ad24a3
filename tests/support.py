"""Parts that several tests share: a small real embedder, clocks, and an engine over them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.core.authored.tiers import ReadRules
from libravdb.engine.compactor import LoadSummariser
from libravdb.engine.engine import Engine, no_rules, no_summariser
from libravdb.engine.settings import EngineSettings
from libravdb.errors import EmbedderError, InvalidInput
from libravdb.model import Json, Metadata, Modality, Rule
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.embedder import Embedder

Vector = NDArray[np.float32]
NOON = 1_790_000_000_000


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


CUES = {
    "must": Modality.OBLIGATION,
    "always": Modality.OBLIGATION,
    "should": Modality.OBLIGATION,
    "never": Modality.PROHIBITION,
    "may": Modality.PERMISSION,
}


def read_cues(text: str) -> tuple[Rule, ...]:
    """A reader of rules that knows five words: enough to see what others make of what it finds."""
    words = re.findall(r"\w+", text.lower())
    return tuple(
        Rule(
            modality=modality,
            sentence=text,
            start=0,
            end=len(text),
            cue=(text.lower().find(cue), text.lower().find(cue) + len(cue)),
            action=(),
            language="en",
            reason=f"“{cue}”",
        )
        for cue, modality in CUES.items()
        if cue in words
    )


def open_words_engine(
    path: Path,
    embedder: WordsEmbedder | None = None,
    *,
    now: int = NOON,
    settings: EngineSettings | None = None,
    clock: Clock | None = None,
    read_rules: ReadRules = no_rules,
    load_summariser: LoadSummariser = no_summariser,
) -> Engine:
    """An engine over a real store with the given embedder; None means that no embedder can be loaded."""

    def load(description: Mapping[str, Json] | None) -> Embedder:
        if description is not None and description.get("backend") == "words":
            return WordsEmbedder(
                seed=int(str(description["seed"])),
                dimensions=int(str(description["dimensions"])),
                blur=float(str(description["blur"])),
            )
        if embedder is None:
            raise EmbedderError("There is no model.", remedy="Install one.")
        return embedder

    return Engine(
        store=SqliteStore(path, now=now),
        load_embedder=load,
        clock=clock or (lambda: now),
        settings=settings,
        read_rules=read_rules,
        load_summariser=load_summariser,
    )
