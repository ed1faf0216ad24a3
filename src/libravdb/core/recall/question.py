"""What a question tells about its answer before anything is searched: whom it names, when, and what sort it wants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from libravdb.text.date_words import TEMPORAL_PHRASES
from libravdb.text.dates import Span, read_dates

_WHEN = re.compile(
    r"^\W*(?:(?:and|so|do you (?:know|remember)|tell me)\W+)?(?:when\b|(?:on|in|since|until) (?:which|what) "
    r"|(?:what|which) (?:date|day|month|year|time)\b|wann\b|seit wann\b|cu[aá]ndo\b|quand\b)"
    "|什么时候|何时|哪天|几号|哪一年",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow (?:many|much|old|often|tall|far)\b|\bwie ?(?:viele?|oft|alt)\b|\bcu[aá]nt[oa]s?\b|\bcombien\b"
    "|多少|几[个次岁]",
    re.IGNORECASE,
)
# "How many days since …" is answered by two dates, not by a number that somebody said.
_TIME_COUNTED = re.compile(
    r"\bhow many (?:days|weeks|months|years)\b|\bwie viele (?:tage|wochen|monate|jahre)\b|\bcu[aá]nt[oa]s (?:d[ií]as"
    r"|semanas|meses|años)\b|\bcombien de (?:jours|semaines|mois|temps)\b|几[天周年]|多少[天周年]",
    re.IGNORECASE,
)
_TO_ASSISTANT = re.compile(
    r"\b(?:you|your|yours|du|dir|dein\w*|sie mir|usted|tú|te|tu|vous|votre|vos)\b|你|您", re.IGNORECASE
)
_DREAMS = re.compile(
    r"\b(?:dream(?:s|t|ed|ing)?|nightmares?|(?:al[bp])?tr(?:aum(?:e?s)?|äum(?:e|en|st|te?|ten)?)|geträumt"
    r"|sueños?|soñ(?:ar|é|aste|ó|aba|abas|ado)|pesadillas?|rêv(?:es?|ais|ait|er|ée?s?)|cauchemars?)\b|梦|夢",
    re.IGNORECASE,
)
_REMAINS = re.compile(r"\w{3}|[\u3040-\u30ff\u3400-\u9fff]")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, read. `topic` is its text without the names of participants: a name pulls every turn of that
    person close, whatever it is about. `without_content` says in words why nothing is to be recalled for it."""

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


def read_question(text: str, *, now: int, participants: Sequence[str] = (), without_content: str = "") -> Question:
    """Read a question against a moment and the people known to speak in the namespace."""
    names = frozenset(name for name in participants if _names(name, text))
    lowered = f" {text.lower()} "
    return Question(
        text=text,
        topic=_without(text, names),
        now=now,
        names=names,
        dates=read_dates(text, now=now),
        is_temporal=any(phrase in lowered for phrase in TEMPORAL_PHRASES),
        wants_time=_WHEN.search(text) is not None,
        wants_number=_NUMBER.search(text) is not None and _TIME_COUNTED.search(text) is None,
        is_about_assistant=_TO_ASSISTANT.search(text) is not None,
        without_content=without_content,
    )


def is_about_dreams(text: str) -> bool:
    """True for a question whose answer may stand in a host's dream diary."""
    return _DREAMS.search(text) is not None


def _pattern(name: str) -> re.Pattern[str]:
    """The name, or its first part, as words of their own, with a possessive ending."""
    parts = {re.escape(part) for part in (name.strip(), name.split(maxsplit=1)[0] if name.split() else "") if part}
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(parts, key=len, reverse=True))})(?:['’]s?)?(?!\w)", re.IGNORECASE)


def _names(name: str, text: str) -> bool:
    return bool(name.strip()) and _pattern(name).search(text) is not None


def _without(text: str, names: frozenset[str]) -> str:
    topic = text
    for name in sorted(names, key=len, reverse=True):
        topic = _pattern(name).sub(" ", topic)
    topic = _SPACES.sub(" ", topic).strip()
    return topic if _REMAINS.search(topic) else text
