"""What ranking needs of a question: candidates by meaning and by words, the turns beside them, and their features."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from libravdb.engine.session_share import NOBODYS_PART, OwnPart
from libravdb.model import (
    ANYTHING,
    Beside,
    CandidateSet,
    Embedding,
    Excluded,
    Key,
    MeasuredCandidate,
    Near,
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
    own: OwnPart = NOBODYS_PART,
) -> CandidateSet:
    """The k best of each kind from each collection, measured in full, by collection as asked, then by id.

    In a collection of `linked` the turns right before and after the best `links` of each kind are met too. In those of
    `own` nothing is met but what it lets through.
    """
    near: list[Near] = []
    worded: list[Key] = []
    before: dict[Key, str] = {}
    after: dict[Key, str] = {}
    for names, seen in own.parted(collections, where):
        close = () if embedding is None else snapshot.nearest(names, embedding, k=k, where=seen, exclude=exclude)
        said = snapshot.matching(names, words, k=k, where=seen, exclude=exclude) if words else ()
        foremost = _foremost((one.key for one in close), linked, links) | _foremost(said, linked, links)
        earlier, later = _links(snapshot.neighbours(foremost, where=seen, exclude=exclude) if foremost else {})
        near, worded, before, after = [*near, *close], [*worded, *said], before | earlier, after | later
    found = dict.fromkeys([*(one.key for one in near), *worded])
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
