"""The engine's embedder: loaded when it is first needed, watched, and honest about when it cannot be used.

Whatever goes wrong here is told in words and reduces the engine to searching by words; it never stops a write.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from libravdb.engine.reembedding import fill, has_drifted, open_space, reembed
from libravdb.errors import EmbedderError, EndpointError, NotFound
from libravdb.model import Embedding, Json, Metadata, Reembedded, Space, SpaceState
from libravdb.ports.store import Clock, Embedder, Progress, Store, no_progress
from libravdb.text.unicode import mend

if TYPE_CHECKING:
    from numpy.typing import NDArray

LoadEmbedder = Callable[[Mapping[str, Json] | None], Embedder]
"""Loads the configured embedder, or, given a description, the one described (the former one of a store)."""

QUESTION_CHARS = 8_000
"""The beginning of a question that is embedded: more says nothing more about what is asked, and takes seconds."""

QUESTIONS = 64
"""Questions whose vectors are remembered."""

AWAY_MS = 30_000
"""How long a server that did not answer is left alone, so that not every call waits for it."""


class Embeddings:
    """Vectors for texts and questions, as long as they may be compared with the store's."""

    def __init__(self, *, store: Store, load: LoadEmbedder, clock: Clock) -> None:
        self._store = store
        self._load = load
        self._clock = clock
        self._loading = threading.Lock()
        self._embedder: Embedder | None = None
        self._failure = ""
        self._was_loaded = False
        self._is_probed = False
        self._away_until = 0
        self._away = ""
        self._asked: OrderedDict[tuple[str, str], Embedding] = OrderedDict()
        self._asking = threading.Lock()

    def of_texts(
        self, texts: Sequence[str], *, heads: Mapping[str, str] = MappingProxyType({})
    ) -> tuple[dict[str, Embedding], str]:
        """Vectors for the texts that need them; without an embedder the texts go in without, and it is said.

        Of a text in `heads` only this beginning is embedded.
        """
        if not texts:
            return {}, ""
        embedder, degraded = self._ready(for_search=False)
        if embedder is None:
            return {}, degraded
        missing = self._store.unembedded_among(embedder.fingerprint, texts)
        try:
            rows = embedder.embed_texts([heads.get(text, text) for text in missing])
        except EmbedderError as error:
            return {}, self._note_failure(error)
        made = {
            text: Embedding(fingerprint=embedder.fingerprint, vectors=vectors)
            for text, vectors in zip(missing, rows, strict=True)
        }
        return made, degraded

    def of_pieces(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """One vector for each of these texts, of which nothing is kept; None without an embedder."""
        embedder, _ = self._ready(for_search=True)
        if embedder is None or not texts or not all(text.strip() for text in texts):
            return None
        try:
            rows = embedder.embed_texts(texts)
        except EmbedderError as error:
            self._note_failure(error)  # the next call need not wait for a server that is away
            return None
        return np.stack([row[0] for row in rows])

    def known(self, text: str) -> Embedding | None:
        """The vectors that the store holds for a text, if they may be compared."""
        embedder, _ = self._ready(for_search=True)
        if embedder is None:
            return None
        vectors = self._store.vectors(embedder.fingerprint, text)
        return None if vectors is None else Embedding(fingerprint=embedder.fingerprint, vectors=vectors)

    def is_comparable(self, embedding: Embedding) -> bool:
        """True when the store's vectors in use were made by the same embedder."""
        embedder, _ = self._ready(for_search=True)
        return embedder is not None and embedder.fingerprint == embedding.fingerprint

    def of_question(self, question: str) -> tuple[Embedding | None, str]:
        """A question's vector, if the store's vectors may be compared with it; else None and why.

        The last ones are remembered: one prompt asks the same of several collections, and again in every tool call.
        """
        embedder, degraded = self._ready(for_search=True)
        if embedder is None:
            return None, degraded
        key = embedder.fingerprint, mend(question)[:QUESTION_CHARS]
        with self._asking:
            known = self._asked.get(key)
        if known is not None:
            return known, degraded
        try:
            vector = embedder.embed_query(key[1])
        except EmbedderError as error:
            return None, self._note_failure(error)
        embedding = Embedding(fingerprint=embedder.fingerprint, vectors=vector.reshape(1, -1))
        with self._asking:
            self._asked[key] = embedding
            while len(self._asked) > QUESTIONS:
                self._asked.popitem(last=False)
        return embedding, degraded

    def degraded(self) -> str:
        """In words what is reduced right now; empty when nothing is."""
        return self._ready(for_search=True)[1]

    def is_ready(self) -> bool:
        """True when questions are answered by meaning too."""
        return self._ready(for_search=True)[0] is not None

    def told(self) -> Metadata:
        """What is loaded, as far as it can tell; a server that is away cannot."""
        loaded, _ = self._loaded()
        if loaded is None or self._clock() < self._away_until:
            return {}
        try:
            return {"fingerprint": loaded.fingerprint, **loaded.description}
        except EmbedderError:
            return dict(loaded.description)

    def reembed(self, *, force: bool = False, progress: Progress = no_progress) -> Reembedded:
        """Rebuild the vectors with the configured embedder, check them, switch over; resumable."""
        embedder, failure = self._loaded()
        if embedder is None:
            raise EmbedderError(failure, remedy="Configure an embedder that loads; 'libravdb doctor' says more.")
        return reembed(self._store, embedder, former=self._former_embedder(embedder), force=force, progress=progress)

    def _former_embedder(self, embedder: Embedder) -> Embedder | None:
        """The embedder of the vectors in use, when it is another one and can still be loaded."""
        active = next((space for space in self._store.spaces() if space.state is SpaceState.ACTIVE), None)
        if active is None or active.fingerprint == embedder.fingerprint:
            return None
        try:
            former = self._load(active.description)
        except EmbedderError:
            return None
        return former if former.fingerprint == active.fingerprint else None

    def roll_back(self) -> str:
        """Go back to the vectors that were in use before the last switch; returns their fingerprint."""
        retired = [space for space in self._store.spaces() if space.state is SpaceState.RETIRED]
        if not retired:
            raise NotFound("retired vector space", "any", remedy="There is nothing to go back to.")
        former = max(retired, key=lambda space: space.retired)
        self._store.activate_space(former.fingerprint)
        return former.fingerprint

    def drop_unused(self) -> list[str]:
        """Delete the vectors of every space that is not in use; returns their fingerprints."""
        unused = [space.fingerprint for space in self._store.spaces() if space.state is not SpaceState.ACTIVE]
        for fingerprint in unused:
            self._store.drop_space(fingerprint)
        return unused

    def embed_missing(self, progress: Progress = no_progress) -> tuple[int, str]:
        """Give vectors to texts that came in without; returns how many, or why not."""
        embedder, reason = self._ready(for_search=True)
        if embedder is None:
            return 0, reason
        return fill(self._store, embedder, progress), ""

    def close(self) -> None:
        """Let go of the model."""
        with self._loading:
            if self._embedder is not None:
                self._embedder.close()
                self._embedder = None
                self._was_loaded = False

    # ── the embedder ──────────────────────────────────────────────────────────────────────────────────────

    def _ready(self, *, for_search: bool) -> tuple[Embedder | None, str]:
        """The embedder if its vectors may be used now, and in words what is reduced.

        While the store still searches with another embedder's vectors, new texts already get ours when a
        re-embedding is under way, but nothing is compared across the two.
        """
        if self._clock() < self._away_until:
            return None, self._away
        embedder, failure = self._loaded()
        if embedder is None:
            return None, failure
        try:
            return self._usable(embedder, for_search=for_search)
        except EmbedderError as error:
            return None, self._note_failure(error)

    def _note_failure(self, error: EmbedderError) -> str:
        """In words that it failed; a server that did not answer is left alone for a while."""
        reason = f"{error} Search uses words only."
        if isinstance(error, EndpointError):
            self._away, self._away_until = reason, self._clock() + AWAY_MS
        return reason

    def _usable(self, embedder: Embedder, *, for_search: bool) -> tuple[Embedder | None, str]:
        spaces = {space.fingerprint: space for space in self._store.spaces()}
        active = next((space for space in spaces.values() if space.state is SpaceState.ACTIVE), None)
        if active is None:
            active = open_space(self._store, embedder)
        if active.fingerprint == embedder.fingerprint:
            drift = self._drift(active, embedder)
            return (None if drift else embedder), drift
        reason = (
            f"The store's vectors were made by {active.fingerprint}, the configured embedder is {embedder.fingerprint}:"
            " search uses words only. Run 'libravdb reembed' to rebuild the vectors."
        )
        ours = spaces.get(embedder.fingerprint)
        is_usable = ours is not None and ours.state is SpaceState.BUILDING and not for_search
        return (embedder if is_usable else None), reason

    def _drift(self, active: Space, embedder: Embedder) -> str:
        """In words, that a server's model is no longer the one that made the store's vectors; looked up once."""
        with self._loading:
            if not self._is_probed:
                drifted = has_drifted(active, embedder)
                self._is_probed = True
                if drifted:
                    self._failure = (
                        f"{embedder.fingerprint} gives other vectors than when the store's were made: its model was"
                        " changed behind the same name. Search uses words only. Give the new model a name of its own"
                        " (embedding.model) and run 'libravdb reembed'."
                    )
                    self._embedder = None
            return self._failure

    def _loaded(self) -> tuple[Embedder | None, str]:
        with self._loading:
            if not self._was_loaded:
                try:
                    self._embedder = self._load(None)
                except EmbedderError as error:
                    self._failure = f"No embedder: {error} Search uses words only."
                self._was_loaded = True
            return self._embedder, self._failure
