"""A statement as short as it can stand by itself: its sentence, or the clause of it that tells the one thing.

Words are cut out, never changed: a line is what the person said.
"""

from __future__ import annotations

import re
from functools import lru_cache

from libravdb.model import AttributeKind, StatedAttribute
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


@lru_cache(maxsize=2_048)
def clause_of(attribute: StatedAttribute, *, is_alone: bool = True) -> str:
    """The words that state an attribute. A short sentence that states nothing else (`is_alone`) stays whole."""
    sentence = " ".join(attribute.sentence.split())
    if attribute.kind is AttributeKind.PERSON and (named := _named_person(sentence, attribute.value)):
        return named
    if is_alone and prompt_tokens(sentence) <= SHORT:
        return sentence
    value = " ".join(attribute.value.split())
    found = re.search(re.escape(value), sentence, re.IGNORECASE) if value else None
    if found is None:
        return _around(sentence, 0, 0) if prompt_tokens(sentence) > LONGEST else sentence
    start, end = _clause(sentence, *found.span(), subject=attribute.subject)
    clause = sentence[start:end].strip(" ,;，；、")
    return clause if prompt_tokens(clause) <= LONGEST else _around(sentence[:end], *found.span())


def _named_person(sentence: str, name: str) -> str:
    """A person with what he is to the speaker, where both stand side by side; else nothing.

    What he does in the rest of the sentence is of the day: "my sister Ana", not "my sister Ana just rang".
    """
    called = re.escape(" ".join(name.split()))
    if not called:
        return ""
    before = rf"(?<!\w){_POSSESSIVE}(?: [\w'-]+){{1,3}}?(?:,| \()? ?{called}(?![\w'])(?! and )\)?"
    behind = rf"(?<!\w){called}(?:,? \(?|, that's |, das ist )(?:{_POSSESSIVE}) [\w-]+(?: (?:partner|tutor)\b)?\)?"
    found = re.search(f"{behind}|{before}", sentence, re.IGNORECASE)
    return (
        found[0].replace(" (", ", ")
        if found and found[0].count("(") > found[0].count(")")
        else found[0]
        if found
        else ""
    )


_POSSESSIVE = r"(?:my|our|(?-i:[A-ZÀ-Þ])[\w-]+'s|mein\w{0,2}|unse?r\w{0,2}|mi|mis|nuestr[oa]s?|mon|ma|mes|notre|nos)"


def _clause(sentence: str, start: int, end: int, *, subject: str) -> tuple[int, int]:
    """From the joint before to the joint behind; further to the left until it tells whom it is about."""
    joints = [match.span() for match in _JOINT.finditer(sentence)]
    stops = [left for left, _ in joints if left >= end]
    begins = [0, *(right for _, right in joints if right <= start)]
    until = min(stops, default=len(sentence))
    for begin in reversed(begins):
        if _tells_of(sentence[begin:until], subject):
            return begin, until
    further = (left for left in [*stops, len(sentence)] if _tells_of(sentence[:left], subject))
    return 0, next(further, until)


def _tells_of(clause: str, subject: str) -> bool:
    told = clause.casefold()
    return any(word in told for word in subject.casefold().split()) if subject else _ONESELF.search(clause) is not None


def _around(text: str, start: int, end: int) -> str:
    """The words around a place in a text that is too long for a line, with a sign where some are missing."""
    left, right = max(0, start - _SIDE), min(len(text), min(end, start + _SIDE) + _SIDE)
    if left:
        left = text.find(" ", left, start) + 1 or left
    if right < len(text):
        right = max(text.rfind(" ", end, right), 0) or right
    return f"{'…' if left else ''}{text[left:right].strip()}{'…' if right < len(text) else ''}"
