"""How similar two texts of a memory are by chance: what a cosine has to be measured against.

It depends on the embedder (some call everything .7) and on the memory (one that speaks of one thing only is close to
itself everywhere). So it is taken from the memory's own texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from libravdb.model import CandidateSet, Embedding, Revision, Scope, Topic, digest
from libravdb.model.collections import session_of
from libravdb.ports.store import Snapshot

LEAST_TEXTS = 16
"""Of fewer texts nothing can be told."""

SAMPLE = 48
"""Texts that are compared with one another: the first by their ids, which tell nothing of what they say."""

ChangedIds = Callable[[str, Revision, Revision], frozenset[str] | None]
"""The ids of a collection that this process changed from one revision to another; None when others may have."""

_STALE = 2.0  # it is measured anew when the memory has doubled or halved
_MOST_KNOWN = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """A chance similarity, the size and the revision of the memory that it was measured in, and the id that its sample
    ends with; empty when it may change with any text."""

    value: float | None
    size: int
    revision: Revision = 0
    end: str = ""


class ChanceSimilarity:
    """The mean cosine between texts of a memory, measured when first needed. Usable from many threads: two may measure
    at once, to the same end. Where others share the store it is measured after every change of its sample: whoever
    makes the next prompt has measured nothing before. `changed` tells then what only we have changed."""

    def __init__(self, *, changed: ChangedIds | None = None) -> None:
        self._changed = changed
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
        revision = 0 if self._changed is None else _revision(snapshot, largest)
        is_like = known is not None and known.size / _STALE <= size <= known.size * _STALE
        if known is None or not is_like or not self._is_unmoved(known, largest, revision):
            known = replace(_mean_cosine(snapshot, largest, embedding.fingerprint), size=size)
        known = replace(known, revision=revision)
        if key not in self._known and len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = known
        return known.value

    def _is_unmoved(self, known: _Measured, collection: str, revision: Revision) -> bool:
        """Whether the sample of a measurement is still the same: we alone changed something, and all of it behind."""
        if known.revision == revision:
            return True
        changed = None if self._changed is None else self._changed(collection, known.revision, revision)
        return changed is not None and bool(known.end) and all(id.encode() > known.end.encode() for id in changed)


def _revision(snapshot: Snapshot, collection: str) -> Revision:
    topic = Topic.collection(collection)
    return snapshot.revisions([topic])[topic]


def _mean_cosine(snapshot: Snapshot, collection: str, fingerprint: str) -> _Measured:
    sample = snapshot.page(collection, limit=SAMPLE).items
    addresses = {digest(record.text) for record in sample}
    vectors = snapshot.vectors(fingerprint, addresses)
    is_whole = len(sample) == SAMPLE and len(vectors) == len(addresses)  # no vector can still come to it
    end = sample[-1].id if is_whole else ""
    if len(vectors) < LEAST_TEXTS:
        return _Measured(value=None, size=0, end=end)
    rows = np.stack([vectors[address][0] for address in sorted(vectors)]).astype(np.float32)
    cosines = rows @ rows.T
    return _Measured(value=float(cosines[np.triu_indices(len(rows), 1)].mean()), size=0, end=end)
