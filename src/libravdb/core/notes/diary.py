"""The diary of a host's dreams: which of its lines ask to be kept, and whether they deserve it.

Such a line is a list item under a heading that speaks of deep sleep, of dreams or of promotion, and tells its figures
at its end: `{score=0.82 recall=3 unique=2}`, or as the host writes them, `[score=0.812 signals=4 recalls=3 avg=0.7 …]`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from libravdb.model.notes import DiaryEntry

LEAST_BYTES = 16
LEAST_SCORE = 0.6
LEAST_RECALLS = 2
LEAST_QUESTIONS = 2

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(\S.*)$")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(\S.*)$")
_REMARK = re.compile(r"<!--[^>]*-->")
_FIGURES = re.compile(r"[{\[]([^{}\[\]]*\bscore=[^{}\[\]]*)[}\]][ \t]*$")
_FIGURE = re.compile(r"(\w+)=([^\s,]+)")
_WORDS = ("deep sleep", "promot", "dream")
_RECALLS = ("recall", "recalls", "recallcount")
_QUESTIONS = ("unique", "uniquequeries", "queries")


def read_diary(text: str) -> tuple[DiaryEntry, ...]:
    """The lines of a diary that ask to be kept, in their order. One that does not tell how many questions brought it up
    counts as many as it was recalled: the host wrote it down because its own gate let it through."""
    return tuple(_entries(text))


def _entries(text: str) -> Iterator[DiaryEntry]:
    section, is_code = "", False
    for number, line in enumerate(text.splitlines(), start=1):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and (heading := _HEADING.match(line)):
            section = " ".join(heading[1].split())
        elif not is_code and any(word in section.lower() for word in _WORDS) and (item := _ITEM.match(line)):
            entry = _entry(_REMARK.sub("", item[1]).strip(), section=section, line=number)
            if entry is not None:
                yield entry


def _entry(body: str, *, section: str, line: int) -> DiaryEntry | None:
    told = _FIGURES.search(body)
    if told is None or not (text := body[: told.start()].strip()):
        return None
    figures = {name.lower(): value for name, value in _FIGURE.findall(told[1])}
    score, recalls = _number(figures, "score"), _number(figures, *_RECALLS)
    if score is None or recalls is None:
        return None
    questions = _number(figures, *_QUESTIONS)
    return DiaryEntry(
        text=text,
        score=score,
        recall_count=int(recalls),
        unique_queries=int(recalls if questions is None else questions),
        section=section,
        line=line,
    )


def _number(figures: dict[str, str], *names: str) -> float | None:
    for name in names:
        try:
            value = float(figures[name])
        except (KeyError, ValueError):
            continue
        return value if math.isfinite(value) and abs(value) < _LARGEST else None
    return None


_LARGEST = 1e9


def why_unworthy(*, text: str, score: float, recall_count: float, unique_queries: float) -> str:
    """Why a dream is not kept, in words; empty when it is."""
    if len(text.strip().encode()) < LEAST_BYTES:
        return f"its text is shorter than {LEAST_BYTES} bytes"
    if score < LEAST_SCORE:
        return f"its score is below {LEAST_SCORE}"
    if recall_count < LEAST_RECALLS:
        return f"it was recalled less than {LEAST_RECALLS} times"
    if unique_queries < LEAST_QUESTIONS:
        return f"less than {LEAST_QUESTIONS} questions brought it up"
    return ""
