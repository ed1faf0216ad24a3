"""How similar two texts of a memory are by chance: what a cosine has to be measured against.

It depends on the embedder (some call everything .7) and on the memory (one that speaks of one thing only is close to
itself everywhere). So it is taken from the memory's own texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from libravdb.model import CandidateSet, Embedding, Revision, Scope, Topic, digest
from libravdb.model.collections import session_of
from libravdb.ports.store import Snapshot

LEAST_TEXTS = 16
"""Of fewer texts nothing can be told."""

SAMPLE = 48
"""Texts that are compared with one another: the first by their ids, which tell nothing of what they say."""

_STALE = 2.0  # it is measured anew when the memory has doubled or halved
_MOST_KNOWN = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """A chance similarity, and the size and the revision of the memory that it was measured in."""

    value: float | None
    size: int
    revision: Revision = 0


class ChanceSimilarity:
    """The mean cosine between texts of a memory, measured when first needed. Usable from many threads: two may measure
    at once, to the same end. Where others share the store it is measured after every change: whoever makes the next
    prompt has measured nothing before."""

    def __init__(self, *, is_shared: bool = False) -> None:
        self._is_shared = is_shared
        self._known: dict[tuple[str, str], _Measured] = {}

    def measure(
        self, snapshot: Snapshot, collections: Mapping[str, Scope], found: CandidateSet, embedding: Embedding
    ) -> float | None:
        """The chance similarity in the largest of these collections, as its vocabulary tells; None in a small one."""
        lasting = [name for name in collections if session_of(name) is None and name in found.vocabularies]
        largest = max(lasting, key=lambda name: found.vocabularies[name].texts, default=None)
        if largest is None or found.vocabularies[largest].texts < LEAST_TEXTS:
            return None
        size = found.vocabularies[largest].texts
        key = largest, embedding.fingerprint
        known = self._known.get(key)
        revision = _revision(snapshot, largest) if self._is_shared else 0
        is_like = known is not None and known.size / _STALE <= size <= known.size * _STALE
        if known is None or not is_like or known.revision != revision:
            value = _mean_cosine(snapshot, largest, embedding.fingerprint)
            known = _Measured(value=value, size=size, revision=revision)
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = known
        return known.value


def _revision(snapshot: Snapshot, collection: str) -> Revision:
    topic = Topic.collection(collection)
    return snapshot.revisions([topic])[topic]


def _mean_cosine(snapshot: Snapshot, collection: str, fingerprint: str) -> float | None:
    sample = snapshot.page(collection, limit=SAMPLE).items
    vectors = snapshot.vectors(fingerprint, {digest(record.text) for record in sample})
    if len(vectors) < LEAST_TEXTS:
        return None
    rows = np.stack([vectors[address][0] for address in sorted(vectors)]).astype(np.float32)
    cosines = rows @ rows.T
    return float(cosines[np.triu_indices(len(rows), 1)].mean())
