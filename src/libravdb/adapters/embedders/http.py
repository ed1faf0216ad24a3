"""An embedder that asks a server: OpenAI-compatible (`/v1/embeddings`) or Ollama (`/api/embed`).

Everything the server says is checked before it becomes a vector. How it is asked, how long it may take and how often
a failed question is asked again is told in `remote.py`.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from libravdb.adapters.embedders.pooling import is_usable, unit, weighted_mean
from libravdb.adapters.embedders.settings import DEFAULTS
from libravdb.adapters.http_json import Remote
from libravdb.errors import EndpointError, InvalidInput
from libravdb.ports.clock import no_progress
from libravdb.text.passages import RECIPE, require_text, split, windows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from libravdb.model import Metadata, Vector
    from libravdb.ports.clock import Progress

PATHS = {"openai": "/v1/embeddings", "ollama": "/api/embed"}
BATCH = 64
WINDOW_BYTES = 1500
"""Where a text is cut for a server whose tokenizer is unknown: about 350 tokens of English, 500 of Chinese."""
ANSWER_LIMIT = 32 * 1024 * 1024
"""64 vectors of 4,096 numbers, written out, are about 6 MB."""
PROBE = "The lighthouse keeper wrote down the weather every evening."
"""A sentence whose vector tells whether a server still runs the same model under the same name."""

_DIMENSIONS_HINT = "Some servers refuse a choice of dimensions: then set embedding.dimensions to 0."


@dataclass(frozen=True, slots=True, kw_only=True)
class _TextPieces:
    """The pieces of one text to be asked for: first the windows of the whole, then the passages."""

    windows: list[str]
    passages: list[str]


class EndpointEmbedder:
    """Texts to vectors by a server; see `Embedder` in `ports.py`. Making one asks nothing of the network."""

    def __init__(
        self,
        *,
        kind: str,
        url: str,
        model: str,
        api_key: str = "",
        dimensions: int = 0,
        timeout_seconds: float = DEFAULTS.timeout_seconds,
        retries: int = DEFAULTS.retries,
        query_prefix: str = "",
        document_prefix: str = "",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if kind not in PATHS:
            raise InvalidInput("backend", f"{kind!r} is no kind of server", remedy="Known are: openai, ollama.")
        if not model:
            raise InvalidInput("model", "is empty", remedy="Set embedding.model to the server's name for it.")
        if dimensions < 0:
            raise InvalidInput("dimensions", "must not be negative")
        self._kind = kind
        self._remote = Remote(
            url=url,
            api_path=PATHS[kind],
            section="embedding",
            fail=lambda shown, problem, remedy: EndpointError(shown, problem, remedy=remedy),
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            retries=retries,
            answer_limit=ANSWER_LIMIT,
            sleep=sleep,
        )
        self._model = model
        self._asked_dimensions = dimensions
        self._seen_dimensions = dimensions
        self._prefixes = (query_prefix, document_prefix)

    def __repr__(self) -> str:
        return f"EndpointEmbedder(kind={self._kind!r}, url={self._remote.shown!r}, model={self._model!r})"

    @property
    def fingerprint(self) -> str:
        """A server shows no bytes of its model: its name stands for it. Compare `probe` to notice a change."""
        content = [RECIPE, WINDOW_BYTES, self._kind, self._model, self.dimensions, *self._prefixes]
        return f"{self._kind}-{hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]}"

    @property
    def dimensions(self) -> int:
        """The length of every vector; when it was not configured, the server is asked once."""
        if not self._seen_dimensions:
            self._ask([PROBE])
        return self._seen_dimensions

    @property
    def description(self) -> Metadata:
        """What it is and whom it asks; never the key."""
        return {
            "backend": self._kind,
            "name": self._model,
            "model": self._model,
            "endpoint": self._remote.shown,
            "dimensions": self._seen_dimensions,
            "query_prefix": self._prefixes[0],
            "document_prefix": self._prefixes[1],
        }

    def probe(self) -> Vector:
        """The vector that the server gives to a fixed sentence now, of shape (dimensions,)."""
        return self._ask([PROBE])[0]

    def embed_text(self, text: str) -> Vector:
        """All vectors of a text to be kept, as rows: the whole first, then its passages."""
        return self.embed_texts([text])[0]

    def embed_texts(self, texts: Sequence[str], progress: Progress = no_progress) -> list[Vector]:
        """`embed_text` for many, in requests of up to 64 pieces."""
        plans = [_plan(text) for text in texts]
        wanted = [self._prefixes[1] + piece for plan in plans for piece in (*plan.windows, *plan.passages)]
        vectors: list[Vector] = []
        rows: list[Vector] = []
        used = 0
        for begin in range(0, len(wanted), BATCH):
            vectors += self._ask(wanted[begin : begin + BATCH])
            while len(rows) < len(plans) and used + _count(plans[len(rows)]) <= len(vectors):
                plan = plans[len(rows)]
                rows.append(self._rows(plan, vectors[used : used + _count(plan)]))
                used += _count(plan)
                progress(len(rows), len(plans))
        return rows

    def embed_query(self, text: str) -> Vector:
        """One vector for a question, of shape (dimensions,)."""
        require_text(text)
        pieces = _cut(text)
        asked = [self._prefixes[0] + piece for piece in pieces]
        vectors = [v for begin in range(0, len(asked), BATCH) for v in self._ask(asked[begin : begin + BATCH])]
        return self._mean(vectors, pieces)

    def close(self) -> None:
        """Nothing is held open between calls."""

    def _rows(self, plan: _TextPieces, vectors: list[Vector]) -> Vector:
        count = len(plan.windows)
        return np.stack([self._mean(vectors[:count], plan.windows), *vectors[count:]])

    def _mean(self, vectors: list[Vector], pieces: list[str]) -> Vector:
        if len(vectors) == 1:
            return vectors[0]
        mean = weighted_mean(vectors, [len(piece) for piece in pieces])
        if not is_usable(mean):
            raise self._remote.nonsense("gives vectors for the parts of a text that cancel each other out")
        return unit(mean)

    # ── asking ────────────────────────────────────────────────────────────────────────────────────────────

    def _ask(self, inputs: list[str]) -> list[Vector]:
        """The vectors of at most one batch of inputs, checked and at length 1."""
        body: dict[str, Any] = {"model": self._model, "input": inputs}
        if self._kind == "openai":
            body["encoding_format"] = "float"
        if self._asked_dimensions:
            body["dimensions"] = self._asked_dimensions
        answer = self._remote.ask(body, hint=_DIMENSIONS_HINT if self._asked_dimensions else "")
        return [self._vector(numbers) for numbers in self._embeddings(answer, len(inputs))]

    # ── believing nothing ─────────────────────────────────────────────────────────────────────────────────

    def _embeddings(self, content: object, count: int) -> list[object]:
        """The lists of numbers in the answer, in the order of the inputs."""
        key = "data" if self._kind == "openai" else "embeddings"
        items = content.get(key) if isinstance(content, dict) else None
        if not isinstance(items, list):
            raise self._remote.nonsense(f"answers without a list {key!r}")
        if len(items) != count:
            raise self._remote.nonsense(f"answers with {len(items)} vectors for {count} texts")
        return self._in_order(items) if self._kind == "openai" else items

    def _in_order(self, items: list[object]) -> list[object]:
        ordered: dict[int, object] = {}
        for item in items:
            index = item.get("index") if isinstance(item, dict) else None
            if not isinstance(item, dict) or not isinstance(index, int) or isinstance(index, bool):
                raise self._remote.nonsense("answers with a vector that has no index")
            ordered[index] = item.get("embedding")
        if sorted(ordered) != list(range(len(items))):
            raise self._remote.nonsense("answers with indexes that do not number the texts from 0")
        return [ordered[index] for index in range(len(items))]

    def _vector(self, numbers: object) -> Vector:
        if not isinstance(numbers, list) or not all(type(number) in (int, float) for number in numbers):
            raise self._remote.nonsense("answers with a vector that is not a list of numbers")
        self._check_dimensions(len(numbers))
        try:
            with np.errstate(over="ignore"):
                vector = np.array(numbers, dtype=np.float64).astype(np.float32)
        except OverflowError as error:
            raise self._remote.nonsense("answers with a number that is too large") from error
        if not is_usable(vector):
            raise self._remote.nonsense("answers with a vector that is zero or not finite")
        return unit(vector)

    def _check_dimensions(self, given: int) -> None:
        if given == 0:
            raise self._remote.nonsense("answers with an empty vector")
        if self._seen_dimensions and given != self._seen_dimensions:
            origin = "are configured" if self._asked_dimensions else "came before"
            problem = f"answers with vectors of {given} dimensions, but {self._seen_dimensions} {origin}"
            remedy = "Set embedding.dimensions to what the model gives, or to 0."
            raise EndpointError(self._remote.shown, problem, remedy=remedy)
        self._seen_dimensions = given


# ── what a text is cut into ───────────────────────────────────────────────────────────────────────────────


def _plan(text: str) -> _TextPieces:
    require_text(text)
    pieces = [piece for passage in split(text) for piece in _cut(passage)]
    return _TextPieces(windows=_cut(text), passages=pieces if len(pieces) > 1 else [])


def _count(plan: _TextPieces) -> int:
    return len(plan.windows) + len(plan.passages)


def _cut(text: str) -> list[str]:
    """Nearly equal pieces of about `WINDOW_BYTES`, cut at a space where there is one nearby."""
    text = text.strip()
    size = max(1, WINDOW_BYTES * len(text) // len(text.encode()))
    ends = [_space_before(text, end, size // 8) for _, end in windows(len(text), size)[:-1]]
    edges = [0, *ends, len(text)]
    pieces = (text[begin:end].strip() for begin, end in pairwise(edges))
    return [piece for piece in pieces if piece]


def _space_before(text: str, end: int, reach: int) -> int:
    space = text.rfind(" ", end - reach, end)
    return end if space < 0 else space + 1
