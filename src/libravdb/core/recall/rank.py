"""The whole of ranking: from a survey to hits, best first, each with the full account of its score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libravdb.core.recall.bm25 import Values, blend
from libravdb.core.recall.candidates import Pool, beside, gather
from libravdb.core.recall.cues import (
    CUES,
    Cue,
    date_closeness,
    date_weight,
)
from libravdb.core.recall.hybrid_score import hybrid
from libravdb.core.recall.question import Question
from libravdb.core.recall.second_pass import coarse, second
from libravdb.core.recall.settings import RecallSettings
from libravdb.core.recall.spread import spread
from libravdb.core.recall.strength import measure_strength
from libravdb.core.recall.time_coverage import Selected, select
from libravdb.model import CandidateSet, Hit, MeasuredCandidate, Record, Scope
from libravdb.text.analysis import query_words

_AT_THE_TIME = 0.9  # closeness of what was said in the time that is asked about
_FIRST = 20  # places that coverage may reorder
_TOLD_APART = ("meaning", "words", "length")
TOLD = 0.005
"""A part that changes a score by less is left out of the reasons; the breakdown has it all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Candidates in order, and all that led there: `explain` tells of each one. `strength` is how strong each is by
    itself; `words` are those asked, as they were written, and `dated` is 1 for those that belong to a date.
    Where nothing has earned its place, `has_earned` is False and everything is there for who asks for it."""

    pool: Pool
    question: Question
    order: tuple[Selected, ...]
    parts: Mapping[str, Values]
    law: Mapping[str, Values]
    passed: Mapping[int, tuple[float, float]]
    ceiling: Values
    cues: tuple[Cue, ...]
    strength: Values
    dated: Values
    has_earned: bool
    words: tuple[str, ...]

    @property
    def evidence(self) -> float:
        """How strong the strongest candidate is: what silence is decided by."""
        return float(self.strength.max(initial=0.0))

    def record(self, place: Selected) -> Record:
        """What stands at a place of the order."""
        return self.pool.sightings[place.row].record


def rank(
    survey: CandidateSet,
    question: Question,
    *,
    scopes: Mapping[str, Scope],
    settings: RecallSettings,
    k: int,
    chance: float | None = None,
    cues: tuple[Cue, ...] = CUES,
) -> Ranking:
    """Order everything that a survey met, best first; at least `k` of it, or as many as the coarse pass keeps.

    `chance` is how similar two texts of the memory are by chance, where that is known.
    """
    pool = gather(survey, scopes=scopes, settings=settings)
    parts: dict[str, Values] = {}
    for cue in cues:
        parts[cue.name] = cue.measure(pool, question, settings, parts)
    ceiling = _ceiling(pool, question, settings)
    relevance = np.clip(sum(parts.values(), np.zeros(len(pool))) / ceiling, 0.0, 1.0)
    score, law = hybrid(pool, relevance, question, settings)
    dated = np.array([word in question.dated_words for word in survey.words], dtype=np.float64)
    strength = measure_strength(pool, question, dated, chance=chance)
    earned = _earned(pool, question, strength, settings)
    offered = earned if earned.any() else np.ones(len(pool), dtype=np.bool_)
    rows = coarse(pool, score, settings, least=k, earned=offered)
    final, match, omega = second(pool, rows, score, settings)
    places = sorted(range(len(rows)), key=lambda place: (-final[place], rows[place]))
    whole = np.zeros(len(pool))
    whole[rows] = final
    share = settings.temporal if question.is_temporal else 0.0
    selected = select(pool, [rows[place] for place in places], whole, share=share, first=max(_FIRST, k))
    return Ranking(
        pool=pool,
        question=question,
        order=tuple(spread(pool, selected) if question.is_wide else selected),
        parts=parts,
        law=law,
        passed={row: (float(match[place]), float(omega[place])) for place, row in enumerate(rows)},
        ceiling=ceiling,
        cues=cues,
        strength=strength,
        dated=dated,
        has_earned=bool(earned.any()),
        words=_as_written(survey.words, question),
    )


def _earned(pool: Pool, question: Question, strength: Values, settings: RecallSettings) -> NDArray[np.bool_]:
    """Which rows have earned their place: by what they state themselves, by the time that the question names, or as the
    answer to a question that has earned it ("Yes, on Friday" tells nothing without what was asked)."""
    is_dated = date_closeness(pool, question) >= _AT_THE_TIME
    told = ((strength >= settings.least_strength) | is_dated) & (pool.passing == 0)
    return np.asarray(told | (beside(strength * pool.ends_asking, pool.before) >= settings.least_asked))


def _as_written(words: Sequence[tuple[str, ...]], question: Question) -> tuple[str, ...]:
    written = query_words(question.topic)
    return tuple([written.get(forms, forms[0]) for forms in words])


def _ceiling(pool: Pool, question: Question, settings: RecallSettings) -> Values:
    """The most that the cues can add up to for this question, where each row stands: what relevance 1 means."""
    most = np.ones(len(pool))
    most += settings.speaker if question.names else 0.0
    most += date_weight(question, settings) + settings.event_date if question.dates else 0.0
    most += 0.0 if question.is_about_assistant else settings.role * pool.length_share
    most += settings.time_answer if question.wants_time else 0.0
    most += settings.number_answer if question.wants_number else 0.0
    most += settings.attribute if question.asked else 0.0
    most += settings.recent if question.is_about_now else 0.0
    near = 1 - pool.length_share
    most *= 1 + near * (settings.next_turn + settings.previous_turn + settings.reply)
    most *= 1 + blend(settings.session_short, settings.session_long, pool.length_share)
    return most + blend(settings.session_depth_short, settings.session_depth_long, pool.length_share)


def explain(ranking: Ranking, place: Selected) -> Hit:
    """One place of a ranking as a hit: every part of its score, and the reasons in words."""
    sighting = ranking.pool.sightings[place.row]
    breakdown = {name: float(part[place.row] / ranking.ceiling[place.row]) for name, part in ranking.parts.items()}
    breakdown |= {name: float(part[place.row]) for name, part in ranking.law.items()}
    breakdown["keywords"], breakdown["standing"] = ranking.passed[place.row]
    breakdown["strength"] = float(ranking.strength[place.row])
    if sighting.cosine is not None:
        breakdown["cosine"] = sighting.cosine
    if place.dates or place.coverage:
        breakdown["dates"], breakdown["new_words"] = place.dates, place.coverage
    reasons = tuple(_reasons(ranking, sighting, breakdown))
    return Hit(record=sighting.record, score=place.score, breakdown=breakdown, reasons=reasons)


def _reasons(ranking: Ranking, sighting: MeasuredCandidate, breakdown: Mapping[str, float]) -> Iterator[str]:
    if sighting.cosine is not None:
        where = f", best in passage {sighting.passage}" if sighting.passage else ""
        yield f"similar in meaning ({sighting.cosine:.2f}{where})"
    if any(sighting.counts):
        shared = (word for word, count in zip(ranking.words, sighting.counts, strict=True) if count)
        yield f"shares the words: {', '.join(dict.fromkeys(shared))}"
    for cue in ranking.cues:
        if cue.name not in _TOLD_APART and abs(breakdown[cue.name]) >= TOLD:
            yield cue.reason
