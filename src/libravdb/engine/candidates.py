"""What ranking needs of a question: candidates by meaning and by words, the turns beside them, and their features."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from libravdb.model import (
    ANYTHING,
    Beside,
    CandidateSet,
    Embedding,
    Excluded,
    Key,
    MeasuredCandidate,
    Where,
    Word,
)
from libravdb.ports.store import NOTHING_EXCLUDED, Snapshot


def survey(
    snapshot: Snapshot,
    collections: Sequence[str],
    *,
    words: Sequence[Word],
    embedding: Embedding | None,
    k: int,
    where: Where = ANYTHING,
    exclude: Excluded = NOTHING_EXCLUDED,
    linked: Collection[str] = (),
    links: int = 0,
) -> CandidateSet:
    """The k best of each kind from each collection, measured in full, by collection as asked, then by id.

    In a collection of `linked` the turns right before and after the best `links` of each kind are met too.
    """
    near = () if embedding is None else snapshot.nearest(collections, embedding, k=k, where=where, exclude=exclude)
    worded = snapshot.matching(collections, words, k=k, where=where, exclude=exclude) if words else ()
    found = dict.fromkeys([*(one.key for one in near), *worded])
    foremost = _foremost((one.key for one in near), linked, links) | _foremost(worded, linked, links)
    before, after = _links(snapshot.neighbours(foremost, where=where, exclude=exclude) if foremost else {})
    met = dict.fromkeys([*found, *before, *after])
    records = snapshot.records(met)
    features = snapshot.features(met, embedding=embedding, words=words)
    places = {name: place for place, name in enumerate(dict.fromkeys(collections))}
    candidates = [
        MeasuredCandidate(
            record=records[key],
            cosine=features[key].cosine,
            whole=features[key].whole,
            passage=features[key].passage,
            counts=features[key].counts,
            length=features[key].length,
            before=before.get(key),
            after=after.get(key),
            is_found=key in found,
        )
        for key in sorted(met, key=lambda key: (places[key.collection], key.id))
    ]
    return CandidateSet(
        words=tuple(words),
        sightings=tuple(candidates),
        vocabularies=snapshot.vocabularies(collections, words),
    )


def _foremost(keys: Iterable[Key], linked: Collection[str], links: int) -> set[Key]:
    """The first of each collection whose neighbours are looked at."""
    left = dict.fromkeys(linked, links)
    chosen: set[Key] = set()
    for key in keys:
        if left.get(key.collection, 0) > 0:
            left[key.collection] -= 1
            chosen.add(key)
    return chosen


def _links(neighbours: Mapping[Key, Beside]) -> tuple[dict[Key, str], dict[Key, str]]:
    """From each turn the id of the one before it, and after it; also from a neighbour back to who brought it here."""
    before: dict[Key, str] = {}
    after: dict[Key, str] = {}
    for key, beside in neighbours.items():
        if beside.before is not None:
            before[key], after[beside.before] = beside.before.id, key.id
        if beside.after is not None:
            after[key], before[beside.after] = beside.after.id, key.id
    return before, after
