"""A search that is looked at: what a question finds, where in each text it is met, and whether a prompt would show
anything of it; also with other settings than those in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.prompts import MEMORIES, RECALLED_SCOPES
from libravdb.engine.search import Asked, Owned, Search, comparable, owned
from libravdb.model import Answer, Hit, Key, MarkedAnswer, MarkedHit, Scope, digest
from libravdb.model.turn_metadata import TurnMetadata
from libravdb.ports.store import Snapshot
from libravdb.text.analysis import word_spans
from libravdb.text.excerpt import excerpt
from libravdb.text.passages import spans
from libravdb.text.sentences import Span

MOST_MARKED = 200
"""Hits whose texts are looked into at once."""

LOOKED_INTO = 20_000
"""Characters of a text in which the words of a question are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedSearch:
    """A question of a namespace at a moment of the store. `embedded_chars` is how much of a text was embedded."""

    search: Search
    snapshot: Snapshot
    asked: Asked
    namespace: str
    session: str | None
    embedded_chars: int

    def answer(self, settings: RecallSettings, *, k: int) -> MarkedAnswer:
        """What the question finds with these settings."""
        found = self._found(self._asked_of(tuple(Scope)), settings, k=k)
        passages = self._passages(found.hits)
        return MarkedAnswer(
            hits=tuple(self._marked(hit, span) for hit, span in zip(found.hits, passages, strict=True)),
            mode=found.mode,
            degraded=found.degraded,
            silence=self._found(self._asked_of(RECALLED_SCOPES), settings, k=MEMORIES, is_quiet=True).silence,
        )

    def _asked_of(self, scopes: Sequence[Scope]) -> Owned:
        return owned(self.snapshot, self.namespace, self.session, scopes, question=self.asked.question.text)

    def _found(self, own: Owned, settings: RecallSettings, *, k: int, is_quiet: bool = False) -> Answer:
        return self.search.answer(
            self.snapshot, self.asked, own.scopes, own=own.part, k=k, is_quiet=is_quiet, settings=settings
        )

    def _marked(self, hit: Hit, passage: Span | None) -> MarkedHit:
        return MarkedHit(
            hit=hit,
            words=tuple(word_spans(self.asked.words, hit.text[:LOOKED_INTO])),
            passage=passage,
            successor=TurnMetadata.of(hit.record).superseded_by or "",
        )

    def _passages(self, hits: Sequence[Hit]) -> list[Span | None]:
        """Of each hit the place of the passage that is closest to the question."""
        embedding, _ = comparable(self.snapshot, self.asked)
        if embedding is None:
            return [None] * len(hits)
        keys = [Key(hit.record.collection, hit.record.id) for hit in hits]
        features = self.snapshot.features(keys, embedding=embedding, words=())
        best = [features[key].passage or 0 if key in features else 0 for key in keys]
        texts = {digest(hit.text) for hit, row in zip(hits, best, strict=True) if row}
        vectors = self.snapshot.vectors(embedding.fingerprint, texts) if texts else {}
        rows = {address: len(each) for address, each in vectors.items()}
        return [
            passage_span(hit.text, row, rows=rows.get(digest(hit.text), 0), embedded_chars=self.embedded_chars)
            for hit, row in zip(hits, best, strict=True)
        ]


def passage_span(text: str, row: int, *, rows: int, embedded_chars: int) -> Span | None:
    """Where the passage stands that one of the vectors of a text was made of; None for the vector of the whole text,
    and where these vectors were not made of passages as we know them."""
    if not row:
        return None
    read = excerpt(text, embedded_chars)
    places = spans(read)
    if len(places) != rows - 1:
        return None
    start, end = places[row - 1]
    if read == text:
        return start, end
    found = text.find(read[start:end])  # an excerpt consists of pieces of its text
    return None if found < 0 else (found, found + end - start)
