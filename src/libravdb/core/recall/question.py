"""What a question tells about its answer before anything is searched: whom it names, when, and what sort it wants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from libravdb.core.recall.asked_kind import asked_kinds
from libravdb.core.recall.names import used_names
from libravdb.core.recall.phrases import (
    DREAMS,
    FRAME,
    NO_SUBJECT,
    NO_SUBJECT_CHINESE,
    NUMBER,
    OF_ASSISTANT,
    OF_NOW,
    OF_THE_PAST,
    ORDER,
    OVERVIEW,
    POLITE,
    TIME_COUNTED,
    WHEN,
)
from libravdb.model import AttributeKind
from libravdb.text.analysis import ALL_STOP_WORDS, query_words
from libravdb.text.date_words import TEMPORAL_PHRASES
from libravdb.text.dates import DAY_MS, Span, read_dates

_READ_CHARS = 2_000  # of the beginning and of the end: a long message asks in one of them
_MOST_TIMES = 3  # each costs a search
_TIME_DAYS = 36  # a month, with the day after it
_REMAINS = re.compile(r"\w{3}|[\u3040-\u30ff\u3400-\u9fff]")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, read. `topic` is its text without the names of participants: a name pulls every turn of that
    person close, whatever it is about. `dated_words` are those of its words, as a search has them, that only tell a
    date: no text about the subject need hold them. `is_only_dated`: it asks for a time, and names no subject.
    `asked` are the kinds of attributes that it asks for; `is_about_now`: it asks how things are, not how they were.
    `without_content` says in words why nothing is to be recalled for it."""

    text: str
    topic: str
    now: int
    names: frozenset[str] = frozenset()
    dates: tuple[Span, ...] = ()
    is_temporal: bool = False
    wants_time: bool = False
    wants_number: bool = False
    is_about_assistant: bool = False
    without_content: str = ""
    asked: frozenset[AttributeKind] = frozenset()
    is_about_now: bool = False
    wants_order: bool = False
    wants_overview: bool = False
    dated_words: frozenset[tuple[str, ...]] = frozenset()
    is_only_dated: bool = False

    @property
    def times(self) -> tuple[tuple[int, int], ...]:
        """The first times that it names whose turns are few enough to be looked at: [since, until), a day longer, since
        what happened is often told the day after."""
        named = {(span.start, span.end + DAY_MS): None for span in self.dates}
        short = [one for one in named if one[1] - one[0] <= _TIME_DAYS * DAY_MS and one[0] <= self.now]
        return tuple(short[:_MOST_TIMES])

    @property
    def is_wide(self) -> bool:
        """True when the answer lies in many places: an order of events, or all that was said of a subject."""
        return self.wants_order or self.wants_overview


def read_question(text: str, *, now: int, participants: Sequence[str] = (), without_content: str = "") -> Question:
    """Read a question against a moment and the people known to speak in the namespace."""
    said = text if len(text) <= 2 * _READ_CHARS else f"{text[:_READ_CHARS]}\n{text[-_READ_CHARS:]}"
    dates = read_dates(said, now=now)
    names = used_names(text, participants, dates)
    topic = _without(text, [place for places in names.values() for place in places])
    wants_order, wants_overview = ORDER.search(said) is not None, OVERVIEW.search(said) is not None
    if (wants_order or wants_overview) and said == text:
        topic = _subject(topic)
    lowered = f" {said.lower()} "
    return Question(
        text=text,
        topic=topic,
        now=now,
        names=frozenset(names),
        dates=dates,
        is_temporal=any(phrase in lowered for phrase in TEMPORAL_PHRASES),
        wants_time=WHEN.search(said) is not None,
        wants_number=NUMBER.search(said) is not None and TIME_COUNTED.search(said) is None,
        is_about_assistant=OF_ASSISTANT.search(POLITE.sub(" ", said)) is not None,
        without_content=without_content,
        asked=asked_kinds(said),
        is_about_now=not dates and not wants_order and not wants_overview and is_about_now(POLITE.sub(" ", said)),
        wants_order=wants_order,
        wants_overview=wants_overview,
        dated_words=_dated_words(topic, dates),
        is_only_dated=bool(dates) and _has_no_subject(_undated(topic, dates)),
    )


def is_about_now(text: str) -> bool:
    """True for a question about how things are: the newest that was said of it holds."""
    return OF_NOW.search(text) is not None and OF_THE_PAST.search(text) is None


def is_about_dreams(text: str) -> bool:
    """True for a question whose answer may stand in a host's dream diary."""
    return DREAMS.search(text) is not None


def _without(text: str, places: Sequence[tuple[int, int]]) -> str:
    topic = text
    for start, end in sorted(set(places), reverse=True):
        topic = f"{topic[:start]} {topic[end:]}"
    topic = _SPACES.sub(" ", topic).strip()
    return topic if _REMAINS.search(topic) else text


def _subject(topic: str) -> str:
    """What a wide question is about, without "summarise what we said of"."""
    subject = _SPACES.sub(" ", FRAME.sub(" ", topic)).strip(" ,.:;?!？。")
    return subject if _REMAINS.search(subject) else topic


def _dated_words(topic: str, dates: Sequence[Span]) -> frozenset[tuple[str, ...]]:
    """The words of a topic that it has only in its dates."""
    if not dates:
        return frozenset()
    rest = _undated(topic, dates)
    kept = query_words(rest) if _REMAINS.search(rest) else {}
    return frozenset(word for word in query_words(topic) if word not in kept)


def _undated(topic: str, dates: Sequence[Span]) -> str:
    for words in sorted({span.words for span in dates}, key=len, reverse=True):
        topic = topic.replace(words, " ")
    return topic


def _has_no_subject(rest: str) -> bool:
    words = query_words(NO_SUBJECT_CHINESE.sub(" ", rest)).values()
    return all(
        (len(word) == 1 and word.isascii()) or word.lower() in NO_SUBJECT or word.lower() in ALL_STOP_WORDS
        for word in words
    )
