"""Cues: each looks at the candidates from one side and says how much that adds to their relevance.

A cue is a function of the pool, the question, the settings and what the cues before it have added; its result is one
number per candidate. `CUES` is the order they are asked in. To add one, write a function and a line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from libravdb.core.recall.bm25 import Values, blend, bm25, coverage
from libravdb.core.recall.candidates import NOWHERE, READ_CHARS, Pool, beside
from libravdb.core.recall.question import Question
from libravdb.core.recall.settings import RecallSettings
from libravdb.model import Role
from libravdb.model.turn_metadata import TurnMetadata
from libravdb.text.dates import DAY_MS, count_dates, read_dates

Parts = Mapping[str, Values]
Measure = Callable[[Pool, Question, RecallSettings, Parts], Values]

_DIGIT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|couple|dozen|once|twice|zwei|drei|vier"
    r"|dos|tres|cuatro|deux|trois|quatre)\b|[一二两三四五六七八九十]",
    re.IGNORECASE,
)
_READ_ROWS = 40
_ALIKE = 0.6  # share of the best match from which on a turn is said to match as well
_UNRELATED, _RELATED = 0.2, 0.8  # shares of the best match between which a turn comes to count as the user's word
_DEEP = 3  # turns of a session that count for how much it says
_ONLY_DATED = 2.0  # how much more the time counts where nothing else is asked for
_EVENT_DAYS = 8  # a mention of more than a week is no event


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A cue by name; `reason` says in words what it saw when it added or took something."""

    name: str
    measure: Measure
    reason: str


# ── meaning and words ─────────────────────────────────────────────────────────────────────────────────────


_SPAN = 0.3  # of cosines: what lies between a text on the subject and one on anything


def meaning(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """`w · mm(p·best passage + (1−p)·whole)`: how close the vectors are, scaled over the candidates.

    A long turn speaks of many things, and its vector of none in particular: there the best passage decides alone.
    """
    if not pool.is_dense:
        return np.zeros(len(pool))
    share = blend(settings.passage_share_short, settings.passage_share_long, pool.length_share)
    return settings.dense_weight * scaled(share * pool.cosine + (1 - share) * pool.whole, span=_SPAN)


def words(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """`(1−w) · √c · mm(BM25)`, where a turn also holds a part of the words said right before and after it.

    In a chat an answer seldom repeats what was asked; in a log of long turns it does, and lending would only blur. c is
    the most of the question's words that any turn holds: where none holds much, words are little to go by.
    """
    near = (1 - pool.length_share)[:, np.newaxis]
    lent = pool.counts + near * (
        settings.context_before * beside(pool.counts, pool.before)
        + settings.context_after * beside(pool.counts, pool.after)
    )
    found = bm25(
        lent,
        pool.lengths,
        weights=pool.weights,
        average=pool.average,
        k1=settings.k1,
        b=blend(settings.length_norm_short, settings.length_norm_long, pool.length_share),
    )
    if not pool.is_dense:
        return scaled(found)
    told = float(coverage(pool.counts, pool.weights).max(initial=0.0))
    return (1 - settings.dense_weight) * math.sqrt(told) * scaled(found)


# ── what the turn itself tells ────────────────────────────────────────────────────────────────────────────


def speaker(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """Said by somebody whom the question names."""
    if not question.names:
        return np.zeros(len(pool))
    said = [told.speaker in question.names for told in pool.told]
    return settings.speaker * np.array(said, dtype=np.float64)


def asking(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """A turn that asks repeats the words of the question without answering it: taken off by its share of questions."""
    weight = blend(settings.question_short, settings.question_long, pool.length_share)
    return np.asarray(-weight * pool.asks)


def passing(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """States nothing: greetings, acknowledgements and requests of the moment have the words, and not the answer."""
    return -settings.passing * pool.passing


def date(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """Said at the time that the question names."""
    return date_weight(question, settings) * date_closeness(pool, question)


def date_weight(question: Question, settings: RecallSettings) -> float:
    """A question that names a time and no subject is answered by that time."""
    return settings.date * (_ONLY_DATED if question.is_only_dated else 1.0)


def event_date(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:
    """Speaks of the day that the question names: "last Friday", counted from when it was said."""
    found = np.zeros(len(pool))
    for row in _promising(parts) if question.dates else ():
        record = pool.sightings[row].record
        found[row] = settings.event_date * _event_closeness(record.text, record.at, question)
    return found


def role(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:
    """Said by the user: what people tell of themselves is asked for most, and long answers crowd it out.

    `r · n`, where n rises from 0 to 1 between a fifth and four fifths of the best match: being the user's makes no
    answer of small talk. A short turn of the assistant gets it too where it holds more of the question's words than
    anything that the user said. A question about what the assistant said ("what did you recommend") is left alone.
    """
    roles = [] if question.is_about_assistant else [told.role_name for told in pool.told]
    if Role.ASSISTANT not in roles:
        return np.zeros(len(pool))
    is_users = np.array([role == Role.USER for role in roles])
    is_assistants = np.array([role == Role.ASSISTANT for role in roles])
    matched = parts["meaning"] + parts["words"]
    share = matched / max(float(matched.max()), 1e-12)
    near = np.clip((share - _UNRELATED) / (_RELATED - _UNRELATED), 0.0, 1.0)
    held = coverage(pool.counts, pool.weights)
    tells_more = is_assistants & (held > held[is_users].max(initial=0.0) + 1e-9)
    return np.asarray(settings.role * near * (is_users + tells_more * (1 - _long_share(pool, settings))))


def _long_share(pool: Pool, settings: RecallSettings) -> Values:
    """Where each turn stands between a short one (0) and a long one (1), by its own terms."""
    short, long = settings.short_terms, max(settings.long_terms, settings.short_terms + 1)
    return np.asarray(np.clip(np.log(np.maximum(pool.lengths, 1.0) / short) / math.log(long / short), 0.0, 1.0))


def answer_kind(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:
    """Holds the sort of thing that is asked for: a time for "when", a number for "how many"."""
    found = np.zeros(len(pool))
    for row in _promising(parts) if question.wants_time or question.wants_number else ():
        text = pool.sightings[row].record.text[:READ_CHARS]
        if question.wants_time and count_dates(text) > 0:
            found[row] += settings.time_answer
        if question.wants_number and _DIGIT.search(text) is not None:
            found[row] += settings.number_answer
    return found


def attribute(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """States an attribute of the kind that is asked for, and nothing newer has taken its place."""
    if not question.asked:
        return np.zeros(len(pool))
    return settings.attribute * np.array([_states(told, question) for told in pool.told], dtype=np.float64)


def _states(told: TurnMetadata, question: Question) -> bool:
    return not told.is_outdated and any(told.states(kind) for kind in question.asked)


def recent(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:
    """Said later than others that match as well, where it is asked how things are: what was said last holds.

    Only what matches nearly as well as the best takes part, so that the newest remark does not win for being new.
    """
    added = np.zeros(len(pool))
    if not question.is_about_now or settings.recent == 0 or len(pool) == 0:
        return added
    matched = parts["meaning"] + parts["words"] + parts["attribute"] + parts["passing"]
    alike = matched >= _ALIKE * float(matched.max())
    said = np.array([one.record.at for one in pool.sightings], dtype=np.float64)
    first, last = float(said[alike].min()), float(said[alike].max())
    if last > first:
        added[alike] = settings.recent * (said[alike] - first) / (last - first)
    return added


def length(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """`−l · log₂(tokens/50 + .2)`: among long turns the longer one costs more of the prompt for the same answer."""
    tokens = np.array([len(one.record.text) / 4 for one in pool.sightings])
    return -blend(settings.length_short, settings.length_long, pool.length_share) * np.log2(tokens / 50 + 0.2)


# ── what stands beside it ─────────────────────────────────────────────────────────────────────────────────


def reply(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """Follows a turn that asks: the question's relevance belongs to its answer."""
    if not (pool.length_share < 1).any():
        return np.zeros(len(pool))
    matched = parts["meaning"] + parts["words"]
    return settings.reply * (1 - pool.length_share) * beside(matched * pool.ends_asking, pool.before)


def neighbours(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """Stands beside relevant turns."""
    total = _sum(parts, len(pool))
    near = 1 - pool.length_share
    return near * (settings.next_turn * beside(total, pool.after) + settings.previous_turn * beside(total, pool.before))


def session(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """Belongs to a session whose best turn is relevant."""
    total = _sum(parts, len(pool))
    best = np.zeros(len(pool))
    known = pool.session != NOWHERE
    if known.any():
        peaks = np.full(int(pool.session.max()) + 1, -np.inf)
        np.maximum.at(peaks, pool.session[known], total[known])
        best[known] = peaks[pool.session[known]]
    best[~known] = total[~known]  # what belongs to no session is a session of its own
    return blend(settings.session_short, settings.session_long, pool.length_share) * np.maximum(best, 0.0)


def session_depth(pool: Pool, question: Question, settings: RecallSettings, parts: Parts) -> Values:  # noqa: ARG001 - a cue
    """Belongs to a session that speaks of the subject more than once: the sum of its three best matches, measured
    against the session where that is most."""
    weight = blend(settings.session_depth_short, settings.session_depth_long, pool.length_share)
    known = np.flatnonzero(pool.session != NOWHERE)
    depth = np.zeros(len(pool))
    if not weight.any() or known.size == 0:
        return depth
    matched = parts["meaning"] + parts["words"]
    order = known[np.lexsort((-matched[known], pool.session[known]))]
    starts = np.flatnonzero(np.diff(pool.session[order], prepend=NOWHERE))
    place = np.arange(order.size) - np.repeat(starts, np.diff(starts, append=order.size))
    sums = np.zeros(int(pool.session.max()) + 1)
    first = order[place < _DEEP]
    np.add.at(sums, pool.session[first], matched[first])
    if sums.max() > 0:
        depth[known] = sums[pool.session[known]] / sums.max()
    return weight * depth


CUES: tuple[Cue, ...] = (
    Cue(name="meaning", measure=meaning, reason="similar in meaning"),
    Cue(name="words", measure=words, reason="shares the words"),
    Cue(name="speaker", measure=speaker, reason="said by a person the question names"),
    Cue(name="asking", measure=asking, reason="asks rather than tells"),
    Cue(name="passing", measure=passing, reason="states nothing by itself"),
    Cue(name="date", measure=date, reason="said at the time asked about"),
    Cue(name="event_date", measure=event_date, reason="speaks of the day asked about"),
    Cue(name="role", measure=role, reason="said by the user"),
    Cue(name="answer_kind", measure=answer_kind, reason="holds a time or number as asked for"),
    Cue(name="attribute", measure=attribute, reason="states what is asked for"),
    Cue(name="recent", measure=recent, reason="said later than others on the same"),
    Cue(name="length", measure=length, reason="its length"),
    Cue(name="reply", measure=reply, reason="follows a question on the subject"),
    Cue(name="neighbours", measure=neighbours, reason="stands beside relevant turns"),
    Cue(name="session", measure=session, reason="in a session with a relevant turn"),
    Cue(name="session_depth", measure=session_depth, reason="in a session that comes back to the subject"),
)


# ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────


def missing_kinds(pool: Pool, question: Question) -> Values:
    """1 for a turn that holds no time or number where one is asked for."""
    found = np.zeros(len(pool))
    if question.wants_number:
        held = [_DIGIT.search(one.record.text[:READ_CHARS]) is not None for one in pool.sightings]
        found = 1 - np.array(held, dtype=np.float64)
    return found


def date_closeness(pool: Pool, question: Question) -> Values:
    """How close each turn was said to the time that the question names, in [0, 1]."""
    if not question.dates:
        return np.zeros(len(pool))
    close = [max(span.closeness(one.record.at) for span in question.dates) for one in pool.sightings]
    return np.array(close, dtype=np.float64)


def scaled(values: Values, *, span: float = 0.0) -> Values:
    """Min-max to [0, 1]. A uniform positive measure counts in full, a uniform zero not at all.

    Values that lie closer together than `span` are told apart by it: of two memories that are almost equally close the
    second is almost as good.
    """
    if values.size == 0:
        return values
    high = float(values.max())
    low = min(float(values.min()), high - span)
    if high - low < 1e-12:
        return np.full(values.shape, 1.0 if high > 0 else 0.0)
    return np.asarray((values - low) / (high - low))


def _promising(parts: Parts) -> list[int]:
    """The rows that match best so far: reading a text for dates is worth its time only where it can decide."""
    matched = parts["meaning"] + parts["words"]
    return [int(row) for row in np.argsort(-matched, kind="stable")[:_READ_ROWS]]


def _sum(parts: Parts, size: int) -> Values:
    total = np.zeros(size)
    for part in parts.values():
        total = total + part
    return total


def _event_closeness(text: str, at: int, question: Question) -> float:
    events: list[int] = [
        (span.start + span.end) // 2
        for span in read_dates(text[:READ_CHARS], now=at)
        if span.end - span.start <= _EVENT_DAYS * DAY_MS
    ]
    close: list[float] = [span.closeness(event) for span in question.dates for event in events]
    return max(close, default=0.0)
