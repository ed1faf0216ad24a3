"""A statement as short as it can stand by itself: its sentence, or the clause of it that tells the one thing.

Words are cut out, never changed: a line is what the person said.
"""

from __future__ import annotations

import re

from libravdb.model import StatedAttribute
from libravdb.text.tokens import prompt_tokens

SHORT, LONGEST = 25, 40
"""Tokens of a sentence that stands there whole, and of the longest line."""

_SIDE = 60
_JOINT = re.compile(
    r"[,;]\s+(?:(?:and|but|und|aber|y|pero|et|mais)\s+)?|\s+(?:and|but|und|aber|y|e|pero|et|mais|while)\s+|[，；、]",
    re.IGNORECASE,
)
_ONESELF = re.compile(
    r"(?<!\w)(?:i|my|me|mine|we|our|us|ich|mein\w{0,2}|mir|mich|wir|unse?r\w{0,2}|yo|mi|mis|me|nosotr[oa]s|nuestr[oa]s?"
    r"|je|mon|ma|mes|moi|nous|notre|nos)(?!\w)|(?<!\w)j['’]|[我俺咱]",
    re.IGNORECASE,
)


def clause_of(attribute: StatedAttribute, *, is_alone: bool = True) -> str:
    """The words that state an attribute. A short sentence that states nothing else (`is_alone`) stays whole."""
    sentence = " ".join(attribute.sentence.split())
    if is_alone and prompt_tokens(sentence) <= SHORT:
        return sentence
    value = " ".join(attribute.value.split())
    found = re.search(re.escape(value), sentence, re.IGNORECASE) if value else None
    if found is None:
        return _around(sentence, 0, 0) if prompt_tokens(sentence) > LONGEST else sentence
    start, end = _clause(sentence, *found.span(), subject=attribute.subject)
    clause = sentence[start:end].strip(" ,;，；、")
    return clause if prompt_tokens(clause) <= LONGEST else _around(sentence[:end], *found.span())


def _clause(sentence: str, start: int, end: int, *, subject: str) -> tuple[int, int]:
    """From the joint before to the joint behind; further to the left until it tells whom it is about."""
    joints = [match.span() for match in _JOINT.finditer(sentence)]
    stops = [left for left, _ in joints if left >= end]
    begins = [0, *(right for _, right in joints if right <= start)]
    until = min(stops, default=len(sentence))
    for begin in reversed(begins):
        if _tells_of(sentence[begin:until], subject):
            return begin, until
    return 0, until


def _tells_of(clause: str, subject: str) -> bool:
    return subject.casefold() in clause.casefold() if subject else _ONESELF.search(clause) is not None


def _around(text: str, start: int, end: int) -> str:
    """The words around a place in a text that is too long for a line, with a sign where some are missing."""
    left, right = max(0, start - _SIDE), min(len(text), min(end, start + _SIDE) + _SIDE)
    if left:
        left = text.find(" ", left, start) + 1 or left
    if right < len(text):
        right = max(text.rfind(" ", end, right), 0) or right
    return f"{'…' if left else ''}{text[left:right].strip()}{'…' if right < len(text) else ''}"
