"""The candidates of a question as arrays, each turn once, however many scopes it stands in."""

from __future__ import annotations

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

_NO_WORDS = Vocabulary(texts=0, terms=0, holders=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Candidates, row by row. `before`, `after` and `session` are places (NOWHERE: none); `texts` tells how large the
    memory is, `length_share` chats of short turns (0) from logs of long ones (1)."""

    sightings: tuple[MeasuredCandidate, ...]
    scopes: tuple[Scope, ...]
    cosine: Values
    whole: Values
    counts: Values
    lengths: Values
    weights: Values
    average: float
    texts: int
    length_share: float
    before: Places
    after: Places
    session: Places
    is_dense: bool

    def __len__(self) -> int:
        return len(self.sightings)


def gather(survey: CandidateSet, *, scopes: Mapping[str, Scope], settings: RecallSettings) -> Pool:
    """One row per turn, in the survey's order: by collection as asked, then by id.

    The words' rarity is that of the largest collection asked: the history of the namespace, as a rule.
    """
    groups: dict[tuple[str, str], list[MeasuredCandidate]] = {}
    for one in survey.sightings:
        groups.setdefault(turn_key(one), []).append(one)
    weights = {scope: settings.scope_weight(scope) for scope in Scope}
    rows = [group[0] if len(group) == 1 else _nearest(group, scopes, weights) for group in groups.values()]
    places = {(one.record.collection, one.record.id): row for row, group in enumerate(groups.values()) for one in group}
    vocabulary = max(survey.vocabularies.values(), key=lambda one: one.texts, default=_NO_WORDS)
    average = vocabulary.terms / max(vocabulary.texts, 1)
    counts = np.array([one.counts for one in rows], dtype=np.float64).reshape(len(rows), len(survey.words))
    before, after = _links(groups.values(), places)
    return Pool(
        sightings=tuple(rows),
        scopes=tuple([scopes.get(one.record.collection, Scope.GLOBAL) for one in rows]),
        cosine=_measured([one.cosine for one in rows]),
        whole=_measured([one.whole for one in rows]),
        counts=counts,
        lengths=np.array([one.length for one in rows], dtype=np.float64),
        weights=rarity(vocabulary) if vocabulary.holders else np.zeros(len(survey.words)),
        average=average,
        texts=vocabulary.texts,
        length_share=length_share(average, short=settings.short_terms, long=settings.long_terms),
        before=before,
        after=after,
        session=_sessions(rows),
        is_dense=any(one.cosine is not None for one in rows),
    )


def beside(values: Values, places: Places) -> Values:
    """The value at each place; nothing where there is no place."""
    if values.shape[0] == 0:
        return values
    found = values[np.maximum(places, 0)]
    found[places == NOWHERE] = 0.0
    return np.asarray(found)


def turn_key(sighting: MeasuredCandidate) -> tuple[str, str]:
    """What makes two sightings the same memory: the same turn of a session, else the same text."""
    return turn_behind(sighting.record) or ("", sighting.record.text)


def _nearest(
    group: Sequence[MeasuredCandidate], scopes: Mapping[str, Scope], weights: Mapping[Scope, float]
) -> MeasuredCandidate:
    """A turn met in several scopes is shown as in the one that weighs most."""

    def standing(one: MeasuredCandidate) -> tuple[float, str, str]:
        return -weights[scopes.get(one.record.collection, Scope.GLOBAL)], one.record.collection, one.record.id

    return min(group, key=standing)


def _measured(values: Sequence[float | None]) -> Values:
    """What was not measured counts as the least that was; with nothing measured, as zero."""
    known = [value for value in values if value is not None]
    least = min(known, default=0.0)
    return np.array([least if value is None else value for value in values], dtype=np.float64)


def _links(
    groups: Collection[Sequence[MeasuredCandidate]], places: Mapping[tuple[str, str], int]
) -> tuple[Places, Places]:
    """For each row the places of the turns before and after it, as any of its sightings knows them."""
    before = np.full(len(groups), NOWHERE, dtype=np.int64)
    after = np.full(len(groups), NOWHERE, dtype=np.int64)
    for row, group in enumerate(groups):
        for one in group:
            if one.before is not None:
                before[row] = places.get((one.record.collection, one.before), NOWHERE)
            if one.after is not None:
                after[row] = places.get((one.record.collection, one.after), NOWHERE)
    return before, after


def _sessions(rows: Sequence[MeasuredCandidate]) -> Places:
    numbers: dict[str, int] = {}
    found = [
        numbers.setdefault(session, len(numbers)) if session else NOWHERE
        for session in (TurnMetadata.of(one.record).session for one in rows)
    ]
    return np.array(found, dtype=np.int64)
