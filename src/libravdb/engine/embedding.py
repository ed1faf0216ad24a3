"""The engine's embedder: loaded when it is first needed, watched, and honest about when it cannot be used.

Whatever goes wrong here is told in words and reduces the engine to searching by words; it never stops a write.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from libravdb.engine.reembedding import fill, has_drifted, open_space, reembed
from libravdb.errors import EmbedderError, EndpointError, ExtraMissing, NotFound, SelfCheckFailed, StoreBusy
from libravdb.model import Embedding, Json, Metadata, Reembedded, Space, SpaceState, digest
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.embedder import Embedder
from libravdb.ports.store import Snapshot, Store
from libravdb.text.unicode import mend

if TYPE_CHECKING:
    from numpy.typing import NDArray

LoadEmbedder = Callable[[Mapping[str, Json] | None], Embedder]
"""Loads the configured embedder, or, given a description, the one described (the former one of a store)."""

QUESTION_CHARS = 8_000
"""The beginning of a question that is embedded: more says nothing more about what is asked, and takes seconds."""

QUESTIONS = 64
"""Questions whose vectors are remembered."""

SHIPPED = "bundled"
"""The backend of the model inside the package, as its description names it."""

REEMBEDDING, EMBEDDING = "reembedding", "embedding of what is missing"
"""What one process does at a time, of all that share a store."""

AWAY_MS = 30_000
"""How long a server that did not answer is left alone, so that not every call waits for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """What can be done with vectors right now, and in words what is reduced. Without `embedder` none are made; those
    that are made may be compared with the store's only if `is_comparable`. `is_first`: no vectors were ever kept."""

    embedder: Embedder | None = None
    is_comparable: bool = False
    is_first: bool = False
    degraded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextVectors:
    """The vectors of some texts, made now or held by the store before; none of them when there is no embedder."""

    vectors: Mapping[str, Embedding] = field(default_factory=dict)
    is_comparable: bool = False
    degraded: str = ""

    def of(self, text: str) -> Embedding | None:
        """The vectors of one of them."""
        return self.vectors.get(text)


def is_in_use(snapshot: Snapshot, embedding: Embedding) -> bool:
    """True when a vector is of the space that the store searches at this moment."""
    active = _active(snapshot.spaces(is_counted=False))
    return active is not None and active.fingerprint == embedding.fingerprint


def has_no_vectors(snapshot: Snapshot) -> bool:
    """True for a store that never held a vector: whoever searches it by words misses nothing."""
    return not snapshot.spaces(is_counted=False)


class Embeddings:
    """Vectors for texts and questions, as long as they may be compared with the store's."""

    def __init__(self, *, store: Store, load: LoadEmbedder, clock: Clock) -> None:
        self._store = store
        self._load = load
        self._clock = clock
        self._loading = threading.Lock()
        self._embedder: Embedder | None = None
        self._failure = ""
        self._refused = ""
        self._was_loaded = False
        self._is_probed = False
        self._has_answered = False
        self._away_until = 0
        self._away = ""
        self._asked: OrderedDict[tuple[str, str], Embedding] = OrderedDict()
        self._asking = threading.Lock()

    def forget_questions(self) -> None:
        """Let go of the questions whose vectors are remembered."""
        with self._asking:
            self._asked.clear()

    def ready(self, snapshot: Snapshot | None = None) -> Ready:
        """Whether vectors can be made now, and whether they may be compared with those of the store."""
        if self._clock() < self._away_until:
            return Ready(degraded=self._away)
        embedder, failure = self._loaded()
        if embedder is None:
            return Ready(degraded=failure)
        try:
            return self._usable(embedder, self._spaces(snapshot))
        except EmbedderError as error:
            return Ready(degraded=self._note_failure(error))

    def of_texts(
        self,
        texts: Sequence[str],
        *,
        snapshot: Snapshot | None = None,
    ) -> TextVectors:
        """Vectors for texts, made where the store has none; without an embedder the texts go in without, and it is
        said."""
        if not texts:
            return TextVectors()
        with nullcontext(snapshot) if snapshot is not None else self._store.read() as moment:
            ready = self.ready(moment)
            held = self.held(texts, ready, moment)
        if ready.embedder is None:
            return TextVectors(degraded=ready.degraded)
        missing = [text for text in dict.fromkeys(texts) if text not in held]
        made, failure = self.of_new(missing, ready)
        if failure:
            return TextVectors(degraded=failure)
        return TextVectors(vectors={**held, **made}, degraded=ready.degraded, is_comparable=ready.is_comparable)

    def held(self, texts: Iterable[str], ready: Ready, snapshot: Snapshot) -> dict[str, Embedding]:
        """The vectors that the store has for these texts, of those that have some."""
        if ready.embedder is None:
            return {}
        fingerprint = ready.embedder.fingerprint
        addresses = {digest(text): text for text in texts}
        found = snapshot.vectors(fingerprint, addresses.keys())
        return {
            addresses[address]: Embedding(fingerprint=fingerprint, vectors=vectors)
            for address, vectors in found.items()
        }

    def of_new(self, texts: Sequence[str], ready: Ready) -> tuple[dict[str, Embedding], str]:
        """Vectors of texts that the store has none of, without asking it; or in words why there are none."""
        if ready.embedder is None or not texts:
            return {}, ready.degraded if texts else ""
        try:
            rows = ready.embedder.embed_texts(texts)
            if ready.is_first:
                open_space(self._store, ready.embedder)
        except EmbedderError as error:
            return {}, self._note_failure(error)
        fingerprint = ready.embedder.fingerprint
        return {
            text: Embedding(fingerprint=fingerprint, vectors=vectors) for text, vectors in zip(texts, rows, strict=True)
        }, ""

    def of_pieces(self, texts: Sequence[str], ready: Ready) -> NDArray[np.float32] | None:
        """One vector for each of these texts, of which nothing is kept; None without an embedder."""
        if not ready.is_comparable or not texts or not all(text.strip() for text in texts):
            return None
        made, _ = self.of_new(list(dict.fromkeys(texts)), ready)
        return np.stack([made[text].vectors[0] for text in texts]) if made else None

    def of_question(self, question: str, ready: Ready | None = None) -> tuple[Embedding | None, str]:
        """A question's vector, if the store's vectors may be compared with it; else None and why.

        The last ones are remembered: one prompt asks the same of several collections, and again in every tool call.
        """
        ready = self.ready() if ready is None else ready
        embedder = ready.embedder if ready.is_comparable else None
        if embedder is None:
            return None, ready.degraded
        key = embedder.fingerprint, mend(question)[:QUESTION_CHARS]
        with self._asking:
            known = self._asked.get(key)
        if known is not None:
            return known, ready.degraded
        try:
            vector = embedder.embed_query(key[1])
        except EmbedderError as error:
            return None, self._note_failure(error)
        embedding = Embedding(fingerprint=embedder.fingerprint, vectors=vector.reshape(1, -1))
        with self._asking:
            self._asked[key] = embedding
            while len(self._asked) > QUESTIONS:
                self._asked.popitem(last=False)
        return embedding, ready.degraded

    def degraded(self) -> str:
        """In words what is reduced right now; empty when nothing is."""
        return self.ready().degraded

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
        """Rebuild the vectors with the configured embedder, check them, switch over; resumable.

        Raises StoreBusy while somebody else who shares the store does it.
        """
        with self._store.exclusive(REEMBEDDING, is_waiting=False) as is_alone:
            if not is_alone:
                raise StoreBusy(
                    "the store",
                    "gets new vectors from another process already",
                    remedy="Wait until it has finished: 'libravdb status' shows how far it is.",
                )
            return self._reembed(force=force, progress=progress)

    def _reembed(self, *, force: bool, progress: Progress) -> Reembedded:
        embedder, failure = self._loaded()
        if embedder is None:
            raise EmbedderError(failure, remedy="Configure an embedder that loads; 'libravdb doctor' says more.")
        former = self._former_embedder(embedder)
        try:
            done = reembed(self._store, embedder, former=former, force=force, progress=progress)
        except SelfCheckFailed as error:
            self._refused = f" New ones were made and refused: {error}"
            raise
        finally:
            if former is not None and former is not embedder:
                former.close()
        self._refused = ""
        return done

    def is_outgrown(self) -> bool:
        """Whether the store's vectors are those of another edition's shipped model and are to be made anew by itself.

        Whoever chose a model has the say over it; whoever took what was shipped takes the next one too. Vectors that
        somebody has gone back from are left alone, and so is a store that takes no writes.
        """
        embedder, _ = self._loaded()
        if embedder is None or not self._store.maintenance.health().is_writable:
            return False
        return _is_outgrown(self._spaces(), embedder)

    def _former_embedder(self, embedder: Embedder) -> Embedder | None:
        """The embedder of the vectors in use, when it is another one and can still be loaded."""
        active = _active(self._spaces())
        if active is None or _is_of_another_edition(active, embedder) or active.fingerprint == embedder.fingerprint:
            return None  # the package holds one edition's model
        try:
            former = self._load(active.description)
        except (EmbedderError, ExtraMissing):
            return None
        if former.fingerprint == active.fingerprint:
            return former
        if former is not embedder:
            former.close()
        return None

    def roll_back(self) -> str:
        """Go back to the vectors that were in use before the last switch; returns their fingerprint."""
        retired = [space for space in self._spaces() if space.state is SpaceState.RETIRED]
        if not retired:
            raise NotFound("retired vector space", "any", remedy="There is nothing to go back to.")
        former = max(retired, key=lambda space: space.retired)
        self._store.vectors.activate(former.fingerprint)
        return former.fingerprint

    def drop_unused(self) -> list[str]:
        """Delete the vectors of every space that is not in use; returns their fingerprints."""
        unused = [space.fingerprint for space in self._spaces() if space.state is not SpaceState.ACTIVE]
        for fingerprint in unused:
            self._store.vectors.drop(fingerprint)
        return unused

    def embed_missing(self, progress: Progress = no_progress) -> tuple[int, str]:
        """Give vectors to texts that came in without; returns how many, or why not."""
        ready = self.ready()
        if ready.embedder is None or not ready.is_comparable:
            return 0, ready.degraded
        with self._store.exclusive(EMBEDDING):  # another who does it leaves nothing missing
            return fill(self._store, ready.embedder, progress), ""

    def close(self) -> None:
        """Let go of the model."""
        with self._loading:
            if self._embedder is not None:
                self._embedder.close()
                self._embedder = None
                self._was_loaded = False

    # ── the embedder ──────────────────────────────────────────────────────────────────────────────────────

    def _note_failure(self, error: EmbedderError) -> str:
        """In words that it failed; a server that did not answer is left alone for a while."""
        reason = f"{error} Search uses words only."
        if isinstance(error, EndpointError):
            self._away, self._away_until = reason, self._clock() + AWAY_MS
        return reason

    def _spaces(self, snapshot: Snapshot | None = None) -> tuple[Space, ...]:
        if snapshot is not None:
            return snapshot.spaces(is_counted=False)
        with self._store.read() as now:
            return now.spaces(is_counted=False)

    def _usable(self, embedder: Embedder, found: Sequence[Space]) -> Ready:
        """While the store still searches with another embedder's vectors, new texts already get ours when a
        re-embedding is under way, but nothing is compared across the two."""
        spaces = {space.fingerprint: space for space in found}
        active = _active(found)
        if active is None:  # whoever asks may be reading: the space is opened when there is something to put into it
            self._try_once(embedder)
            return Ready(embedder=embedder, is_comparable=True, is_first=True)
        if active.fingerprint == embedder.fingerprint:
            drift = self._drift(active, embedder)
            return Ready(degraded=drift) if drift else Ready(embedder=embedder, is_comparable=True)
        if _is_outgrown(found, embedder) and not self._refused:
            reason = (
                f"The store's vectors were made by the model of another edition ({active.fingerprint}): search uses"
                " words only until new ones are made. The daemon makes them by itself; 'libravdb reembed' does it now."
            )
        else:
            reason = (
                f"The store's vectors were made by {active.fingerprint}, the configured embedder is"
                f" {embedder.fingerprint}: search uses words only.{self._refused}"
                + ("" if self._refused else " Run 'libravdb reembed' to rebuild the vectors.")
            )
        ours = spaces.get(embedder.fingerprint)
        is_building = ours is not None and ours.state is SpaceState.BUILDING
        return Ready(embedder=embedder if is_building else None, degraded=reason)

    def _try_once(self, embedder: Embedder) -> None:
        """Raises when a server does not answer: that is said before the first text comes."""
        if not self._has_answered:
            embedder.probe()
            self._has_answered = True

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
                except (EmbedderError, ExtraMissing) as error:
                    self._failure = f"No embedder: {error} Search uses words only."
                self._was_loaded = True
            return self._embedder, self._failure


def _active(spaces: Iterable[Space]) -> Space | None:
    return next((space for space in spaces if space.state is SpaceState.ACTIVE), None)


def _is_of_another_edition(active: Space, embedder: Embedder) -> bool:
    """Backends first: asking a server for its fingerprint is a call."""
    backends = {active.description.get("backend"), embedder.description.get("backend")}
    return backends == {SHIPPED} and active.fingerprint != embedder.fingerprint


def _is_outgrown(spaces: Iterable[Space], embedder: Embedder) -> bool:
    known = tuple(spaces)
    active = _active(known)
    if active is None or not _is_of_another_edition(active, embedder):
        return False
    return not any(s.fingerprint == embedder.fingerprint and s.state is SpaceState.RETIRED for s in known)
