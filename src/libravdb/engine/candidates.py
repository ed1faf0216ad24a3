"""What ranking needs of a question: candidates by meaning and by words, the turns beside them, and their features."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from libravdb.engine.known_records import KnownRecords
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
    Order,
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
    times: Sequence[tuple[int, int]] = (),
    timed: int = 0,
    known: KnownRecords | None = None,
) -> CandidateSet:
    """The k best of each kind from each collection, measured in full, by collection as asked, then by id.

    In a collection of `linked` the turns right before and after the best `links` of each kind are met too, and of each
    of these `times` up to `timed` turns by their time alone: the nearest by meaning, else the latest. In those of `own`
    nothing is met but what it lets through. `known` are records that were read before.
    """
    near: list[Near] = []
    worded: list[Key] = []
    foremost: set[Key] = set()
    for names, seen in own.parted(collections, where):
        close = () if embedding is None else snapshot.nearest(names, embedding, k=k, where=seen, exclude=exclude)
        said = snapshot.matching(names, words, k=k, where=seen, exclude=exclude) if words else ()
        turns = [name for name in names if name in linked]
        for since, until in times if turns and timed else ():
            told = replace(seen, since=_later(seen.since, since), until=_earlier(seen.until, until))
            then = _said_then(snapshot, turns, embedding=embedding, k=timed, where=told, exclude=exclude)
            said = (*said, *then)
        foremost |= _foremost((one.key for one in close), linked, links) | _foremost(said, linked, links)
        near, worded = [*near, *close], [*worded, *said]
    found = dict.fromkeys([*(one.key for one in near), *worded])
    beside = snapshot.neighbours(foremost, where=where, exclude=exclude) if foremost else {}
    before, after = _links(beside)
    met = dict.fromkeys([*found, *before, *after])
    records = snapshot.records(met) if known is None else known.records(snapshot, met)
    strangers = {key for key in met if key not in found and not own.lets_see(records[key])}
    if strangers:
        before, after = _links({key: _without(strangers, each) for key, each in beside.items()})
        met = dict.fromkeys([*found, *before, *after])
    features = snapshot.features(met, embedding=embedding, words=words)
    places = {name: place for place, name in enumerate(dict.fromkeys(collections))}
    candidates = [
        MeasuredCandidate(records[key], *features[key], before.get(key), after.get(key), key in found)
        for key in sorted(met, key=lambda key: (places[key[0]], key[1]))
    ]
    return CandidateSet(
        words=tuple(words),
        sightings=tuple(candidates),
        vocabularies=snapshot.vocabularies(collections, words),
    )


def _said_then(
    snapshot: Snapshot,
    collections: Sequence[str],
    *,
    embedding: Embedding | None,
    k: int,
    where: Where,
    exclude: Excluded,
) -> list[Key]:
    """Turns of a time, which the filter tells: the nearest by meaning, and where those are fewer than k the latest."""
    if where.since is not None and where.until is not None and where.since >= where.until:
        return []
    near = () if embedding is None else snapshot.nearest(collections, embedding, k=k, where=where, exclude=exclude)
    found = [one.key for one in near]
    for name in collections:
        if sum(key.collection == name for key in found) == k:
            continue
        latest = snapshot.page(name, order=Order.NEWEST, where=where, limit=k).items
        hidden = exclude.get(name, frozenset())
        found.extend(Key(name, record.id) for record in latest if record.id not in hidden)
    return found


def _later(one: int | None, other: int) -> int:
    return other if one is None else max(one, other)


def _earlier(one: int | None, other: int) -> int:
    return other if one is None else min(one, other)


def _foremost(keys: Iterable[Key], linked: Collection[str], links: int) -> set[Key]:
    """The first of each collection whose neighbours are looked at."""
    left = dict.fromkeys(linked, links)
    chosen: set[Key] = set()
    for key in keys:
        if left.get(key.collection, 0) > 0:
            left[key.collection] -= 1
            chosen.add(key)
    return chosen


def _without(strangers: Collection[Key], beside: Beside) -> Beside:
    """The turns beside a turn, as far as they are the asker's own."""
    return Beside(
        before=None if beside.before in strangers else beside.before,
        after=None if beside.after in strangers else beside.after,
    )


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
