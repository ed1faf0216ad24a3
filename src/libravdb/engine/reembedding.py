"""Re-embedding: new vectors beside the old ones, and a switch only when the new ones are whole and good.

The work is resumable because its state is the store itself: what has no vector yet is still to do. The old
vectors stay until they are dropped by name, so there is a way back.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libravdb.errors import SelfCheckFailed
from libravdb.model import Embedding, Reembedded, Space, SpaceState, StoredText
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.embedder import Embedder
from libravdb.ports.store import Store

FETCH = 1024
"""Texts fetched at a time; finding what is missing costs a look at everything, so it is done seldom."""

BATCH = 64
"""Texts embedded and committed at a time: what a kill can lose of the work."""

KNOWN_ITEMS = 200
"""Texts of the store that the self-check asks for."""

TOP = 5
"""A known item counts as found among the first so many."""

TOLERANCE = 0.02
"""The new vectors may find this share less: four of two hundred items is chance, not quality."""

_TIE = 1e-6
FLOOR = 0.6
"""Required when the old embedder is gone and cannot be measured; chance alone finds TOP of KNOWN_ITEMS."""


SAME = 0.99
"""Cosine from which two vectors of one sentence count as made by the same model (float16, other hardware)."""


def open_space(store: Store, embedder: Embedder) -> Space:
    """Make the embedder's space known to the store, with its probe if it has one."""
    probe = embedder.probe()
    description = dict(embedder.description)
    if probe is not None:
        description["probe"] = [round(float(value), 5) for value in probe]
    return store.vectors.open(fingerprint=embedder.fingerprint, dimensions=embedder.dimensions, description=description)


def has_drifted(space: Space, embedder: Embedder) -> bool:
    """Whether the model behind the embedder's name is no longer the one that made the space's vectors."""
    kept, probe = space.description.get("probe"), embedder.probe()
    if probe is None or not isinstance(kept, list):
        return False
    former = np.array(kept, dtype=np.float32)
    return former.shape != probe.shape or float(former @ probe) < SAME * float(np.linalg.norm(former))


def fill(store: Store, embedder: Embedder, progress: Progress = no_progress) -> int:
    """Give vectors to every text that has none in the embedder's space; returns how many got them."""
    space = open_space(store, embedder)
    stats = store.maintenance.stats()
    total = stats.unembedded if space.state is SpaceState.ACTIVE else max(stats.texts - space.texts, 0)
    done = 0
    progress(done, total)
    while missing := store.vectors.missing(embedder.fingerprint, limit=FETCH):
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            vectors = embedder.embed_texts([item.text for item in batch])
            store.vectors.add(
                [
                    (item.digest, Embedding(fingerprint=embedder.fingerprint, vectors=rows))
                    for item, rows in zip(batch, vectors, strict=True)
                ]
            )
            done += len(batch)
            progress(done, max(total, done))
    return done


def reembed(
    store: Store,
    embedder: Embedder,
    *,
    former: Embedder | None = None,
    force: bool = False,
    progress: Progress = no_progress,
) -> Reembedded:
    """Make the embedder's vectors whole, check them, and switch over to them.

    `former` is the embedder of the vectors in use, if it can still be loaded: the check then compares the
    two. Raises SelfCheckFailed, and switches nothing, when the new ones find known items less often.
    """
    with store.read() as snapshot:
        active = next((space for space in snapshot.spaces() if space.state is SpaceState.ACTIVE), None)
    embedded = fill(store, embedder, progress)
    if active is None or active.fingerprint == embedder.fingerprint:
        return Reembedded(fingerprint=embedder.fingerprint, embedded=embedded, switched=False)
    items = store.vectors.sample(KNOWN_ITEMS)
    found = share_found(store, embedder, items)
    required = FLOOR if former is None else share_found(store, former, items) - TOLERANCE
    if found < required and not force:
        raise SelfCheckFailed(found=found, required=required)
    store.vectors.activate(embedder.fingerprint)
    return Reembedded(
        fingerprint=embedder.fingerprint, embedded=embedded, switched=True, found=found, required=required
    )


def share_found(store: Store, embedder: Embedder, items: Sequence[StoredText]) -> float:
    """How many of the items are found by a fragment of themselves, among all the items.

    Only vectors of the embedder's own space are compared. No item at all counts as all found.
    """
    with store.read() as snapshot:
        known = snapshot.vectors(embedder.fingerprint, [item.digest for item in items])
    targets = [(item.text, known[item.digest]) for item in items if item.digest in known]
    if not targets:
        return 1.0
    found = 0
    for position, (text, _) in enumerate(targets):
        query = embedder.embed_query(fragment(text))
        scores = np.array([float((vectors @ query).max()) for _, vectors in targets])
        # Whoever is as close as the item counts against it: a model that gives every text one vector finds nothing.
        found += int((scores >= scores[position] - _TIE).sum()) - 1 < TOP
    return found / len(targets)


def fragment(text: str) -> str:
    """About half of a text from its middle: enough to know it by, too little to be it."""
    words = text.split()
    if len(words) < 4:
        return text
    quarter = len(words) // 4
    return " ".join(words[quarter : len(words) - quarter][:40])
