"""Search as storage clients know it: the closest texts of some collections by one measure, without ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from libravdb.core.recall.bm25 import bm25, rarity
from libravdb.engine.embedding import Embeddings, has_no_vectors, is_in_use
from libravdb.model import Embedding, Excluded, Key, Record, SearchMode
from libravdb.model.collections import is_former
from libravdb.ports.store import Snapshot, Store
from libravdb.text.analysis import query_terms
from libravdb.text.unicode import mend

_K1, _B = 1.2, 0.75  # of BM25


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRecord:
    """A record and how close it is to a text: the cosine, or without an embedder BM25 as a share of the best."""

    record: Record
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMatches:
    """What was found, best first; in a reduced mode it is said why."""

    found: tuple[ScoredRecord, ...]
    mode: SearchMode
    degraded: str = ""


def search_text(
    store: Store, embeddings: Embeddings, text: str, *, collections: Sequence[str], k: int, exclude: Excluded
) -> TextMatches:
    """The k closest records of each collection, by score, then collection, then id."""
    collections = [name for name in collections if not is_former(name)]
    embedding, degraded = embeddings.of_question(mend(text))
    with store.read() as snapshot:
        is_dense = embedding is not None and is_in_use(snapshot, embedding)
        scores = (
            _near(snapshot, collections, embedding, k=k, exclude=exclude)
            if embedding is not None and is_dense
            else _worded(snapshot, collections, mend(text), k=k, exclude=exclude)
        )
        records = snapshot.records(scores)
        is_new = embedding is not None and has_no_vectors(snapshot)
    found = [ScoredRecord(record=records[key], score=score) for key, score in scores.items()]
    found.sort(key=lambda one: (-one.score, one.record.collection, one.record.id))
    mode = SearchMode.FULL if is_dense or is_new else SearchMode.LEXICAL_ONLY
    return TextMatches(found=tuple(found), mode=mode, degraded="" if is_dense else degraded)


def _near(
    snapshot: Snapshot, collections: Sequence[str], embedding: Embedding, *, k: int, exclude: Excluded
) -> dict[Key, float]:
    near = snapshot.nearest(collections, embedding, k=k, exclude=exclude)
    return {one.key: max(-1.0, min(1.0, one.cosine)) for one in near}


def _worded(
    snapshot: Snapshot, collections: Sequence[str], text: str, *, k: int, exclude: Excluded
) -> dict[Key, float]:
    """BM25 within each collection, as a share of the best of all."""
    words = tuple(query_terms(text))
    keys = snapshot.matching(collections, words, k=k, exclude=exclude) if words else ()
    features = snapshot.features(keys, embedding=None, words=words)
    scores: dict[Key, float] = {}
    for name, vocabulary in snapshot.vocabularies(collections, words).items():
        own = [key for key in keys if key.collection == name]
        counts = np.array([features[key].counts for key in own], dtype=np.float64).reshape(len(own), len(words))
        lengths = np.array([features[key].length for key in own], dtype=np.float64)
        average = vocabulary.terms / max(vocabulary.texts, 1)
        measured = bm25(counts, lengths, weights=rarity(vocabulary), average=average, k1=_K1, b=_B)
        scores.update(zip(own, measured.tolist(), strict=True))
    best = max(scores.values(), default=0.0)
    return {key: score / best if best > 0 else 0.0 for key, score in scores.items()}
