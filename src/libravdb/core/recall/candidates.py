"""The candidates of a question as arrays, each turn once, however many scopes it stands in."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libravdb.core.recall.bm25 import Values, length_share, rarity
from libravdb.core.recall.settings import RecallSettings
from libravdb.model import CandidateSet, MeasuredCandidate, Scope, Vocabulary
from libravdb.model.turn_metadata import TurnMetadata, turn_behind

Places = NDArray[np.int64]

NOWHERE = -1
"""As a place: there is none."""

ASKING = ("?", "？", "؟")
"""How a turn ends that asks."""

READ_CHARS = 4_000
"""Of a long text the beginning is looked at for dates and questions."""

_END = re.compile(r"[.!?。！？؟…]+\s*|\n\s*")
_CLEARLY_CLOSER = 0.1  # of cosines: a turn that is closer by this says more than its excerpt
_NO_WORDS = Vocabulary(texts=0, terms=0, holders=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Candidates, row by row. `before`, `after` and `session` are places (NOWHERE: none). What tells of words and
    lengths is that of where a row stands: `weights` the rarity of each word, `average` the terms of a text, `texts` how
    many there are, `length_share` a chat of short turns (0) or a log of long ones (1). `passing` is 1 for a turn that
    states nothing, `asks` how much of it asks, `ends_asking` 1 for one that ends so. `told` is what is told with
    each."""

    sightings: tuple[MeasuredCandidate, ...]
    told: tuple[TurnMetadata, ...]
    scopes: tuple[Scope, ...]
    cosine: Values
    whole: Values
    counts: Values
    lengths: Values
    weights: Values
    average: Values
    texts: Values
    length_share: Values
    before: Places
    after: Places
    session: Places
    passing: Values
    asks: Values
    ends_asking: Values
    is_dense: bool

    def __len__(self) -> int:
        return len(self.sightings)


def gather(survey: CandidateSet, *, scopes: Mapping[str, Scope], settings: RecallSettings) -> Pool:
    """One row per turn, in the survey's order: by collection as asked, then by id.

    Rarity and lengths come from where a row stands. What a person said is one body, whichever scopes it stands in, and
    its largest collection speaks for it: the history, as a rule. A shelf of notes speaks for itself.
    """
    groups: dict[tuple[str, str], list[MeasuredCandidate]] = {}
    for one in survey.sightings:
        groups.setdefault(turn_key(one), []).append(one)
    weights = {scope: settings.scope_weight(scope) for scope in Scope}
    rows = [group[0] if len(group) == 1 else _nearest(group, scopes, weights) for group in groups.values()]
    places = {(one.record.collection, one.record.id): row for row, group in enumerate(groups.values()) for one in group}
    bodies = _bodies(survey.vocabularies, scopes)
    shelves = sorted(bodies)
    numbers = {name: number for number, name in enumerate(shelves)}
    records = [one.record for one in rows]
    told = tuple([TurnMetadata(record.metadata) for record in records])
    stands = {record.collection: _body(record.collection, scopes) for record in records}
    numbered = {name: numbers.get(body, numbers[_SAID]) for name, body in stands.items()}
    body = np.array([numbered[record.collection] for record in records], dtype=np.int64)
    averages = [bodies[name].terms / max(bodies[name].texts, 1) for name in shelves]
    shares = [length_share(one, short=settings.short_terms, long=settings.long_terms) for one in averages]
    counts = np.array([one.counts for one in rows], dtype=np.float64).reshape(len(rows), len(survey.words))
    before, after = _links(groups.values(), places)
    return Pool(
        sightings=tuple(rows),
        told=told,
        scopes=tuple([scopes.get(record.collection, Scope.GLOBAL) for record in records]),
        cosine=_measured([one.cosine for one in rows]),
        whole=_measured([one.whole for one in rows]),
        counts=counts,
        lengths=np.array([one.length for one in rows], dtype=np.float64),
        weights=np.array([_weights(bodies[name], len(survey.words)) for name in shelves])[body],
        average=np.array(averages)[body],
        texts=np.array([bodies[name].texts for name in shelves], dtype=np.float64)[body],
        length_share=np.array(shares)[body],
        before=before,
        after=after,
        session=_sessions(told),
        passing=np.array([one.is_passing for one in told], dtype=np.float64),
        asks=np.array([asking_share(record.text) for record in records], dtype=np.float64),
        ends_asking=np.array([record.text.rstrip().endswith(ASKING) for record in records], dtype=np.float64),
        is_dense=any(one.cosine is not None for one in rows),
    )


def asking_share(text: str) -> float:
    """The share of sentences that end in a question mark; a line without a mark is a sentence too."""
    head = text[:READ_CHARS]
    if not ("?" in head or "？" in head or "؟" in head):  # asked of every candidate: a loop takes five times as long
        return 0.0
    ends: list[str] = _END.findall(head.rstrip() + "\n")
    asked = sum(1 for end in ends if end[0] in ASKING)
    return asked / max(len(ends), 1)


def beside(values: Values, places: Places) -> Values:
    """The value at each place; nothing where there is no place."""
    if values.shape[0] == 0:
        return values
    found = values[np.maximum(places, 0)]
    found[places == NOWHERE] = 0.0
    return np.asarray(found)


_SAID = ""  # the body of what was said, beside the shelves by name
_SHELVES = (Scope.LORE, Scope.GLOBAL)


def _body(collection: str, scopes: Mapping[str, Scope]) -> str:
    """Whose words and lengths count for a collection."""
    return collection if scopes.get(collection, Scope.GLOBAL) in _SHELVES else _SAID


def _bodies(known: Mapping[str, Vocabulary], scopes: Mapping[str, Scope]) -> dict[str, Vocabulary]:
    """The vocabulary of each body: that of its largest collection."""
    bodies = {_SAID: _NO_WORDS}
    for name, vocabulary in known.items():
        body = _body(name, scopes)
        if vocabulary.texts > bodies.get(body, _NO_WORDS).texts:
            bodies[body] = vocabulary
    return bodies


def _weights(vocabulary: Vocabulary, words: int) -> Values:
    """Rarity on a scale of its own, so that a word is not worth more because its shelf is longer."""
    if not vocabulary.holders:
        return np.zeros(words)
    return rarity(vocabulary) / math.log1p((vocabulary.texts + 0.5) / 0.5)


def turn_key(sighting: MeasuredCandidate) -> tuple[str, str]:
    """What makes two sightings the same memory: the same turn of a session, else the same text."""
    return turn_behind(sighting.record) or ("", sighting.record.text)


def _nearest(
    group: Sequence[MeasuredCandidate], scopes: Mapping[str, Scope], weights: Mapping[Scope, float]
) -> MeasuredCandidate:
    """A turn met in several scopes is shown as in the one that weighs most; a sentence of it that is kept apart shows
    for it only where it says as much on the question."""

    def standing(one: MeasuredCandidate) -> tuple[float, str, str]:
        return -weights[scopes.get(one.record.collection, Scope.GLOBAL)], one.record.collection, one.record.id

    return min(_telling(group), key=standing)


def _telling(group: Sequence[MeasuredCandidate]) -> Sequence[MeasuredCandidate]:
    """The sightings of a turn without its excerpts that hold fewer of the question's words, or are clearly less close.

    A rule taken out of a long turn weighs more than the turn, and would hide the rest of what was said there.
    """
    turns = [one for one in group if not TurnMetadata.of(one.record).is_excerpt]
    if not turns or len(turns) == len(group):
        return group
    words, close = max(map(_words_held, turns)), max(one.cosine or 0.0 for one in turns)
    return [
        one
        for one in group
        if not TurnMetadata.of(one.record).is_excerpt
        or (_words_held(one) >= words and (one.cosine or 0.0) >= close - _CLEARLY_CLOSER)
    ]


def _words_held(sighting: MeasuredCandidate) -> int:
    return sum(count > 0 for count in sighting.counts)


def _measured(values: Sequence[float | None]) -> Values:
    """What was not measured counts as the least that was; with nothing measured, as zero."""
    known = [value for value in values if value is not None]
    least = min(known, default=0.0)
    return np.array([least if value is None else value for value in values], dtype=np.float64)


def _links(
    groups: Collection[Sequence[MeasuredCandidate]], places: Mapping[tuple[str, str], int]
) -> tuple[Places, Places]:
    """For each row the places of the turns before and after it, as any of its sightings knows them."""
    before, after = [NOWHERE] * len(groups), [NOWHERE] * len(groups)
    for row, group in enumerate(groups):
        for one in group:
            if one.before is not None:
                before[row] = places.get((one.record.collection, one.before), NOWHERE)
            if one.after is not None:
                after[row] = places.get((one.record.collection, one.after), NOWHERE)
    return np.array(before, dtype=np.int64), np.array(after, dtype=np.int64)


def _sessions(told: Sequence[TurnMetadata]) -> Places:
    numbers: dict[str, int] = {}
    found = [
        numbers.setdefault(session, len(numbers)) if session else NOWHERE for session in (one.session for one in told)
    ]
    return np.array(found, dtype=np.int64)
