"""A statement taken apart, so that two can be compared: content, numbers, persons, polarity. For vetoes and kinship."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from libravdb.core.gate.languages import LANGUAGES
from libravdb.core.gate.languages.small import (
    ADDRESSED,
    COPULA,
    FILLERS,
    LIKING,
    NUMERALS,
    ONE_WORD,
    ORDINAL,
    OTHERS,
    PRONOUNS,
)
from libravdb.core.gate.parsed_turn import ParsedTurn, read
from libravdb.text.analysis import index_terms

_NUMBER = re.compile(r"\d+(?:[.,:]\d+){0,6}")
_TOKEN = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\\W\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+(?:[.@/-][\\w-]+)*"
    r"(?:\+\+|#)?"
)
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_COMMON = frozenset().union(*(words.common for words in LANGUAGES)) - {"no", "not"}


@dataclass(frozen=True, kw_only=True)
class Content:
    """A statement taken apart.

    `words` are the stems of its content words in order, `numbers` its numbers in order, `persons` who is spoken of
    besides the speaker. `is_negated` counts a disliking as a denied liking; `is_changed`: it says that something is no
    longer as it was. `state_at` is where its verb of state stands (None: it tells an event).
    """

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    persons: frozenset[str]
    is_negated: bool
    is_changed: bool
    state_at: int | None
    text: str

    @cached_property
    def held(self) -> frozenset[str]:
        """Its content words, in no order."""
        return frozenset(self.words)

    @cached_property
    def rooted(self) -> frozenset[str]:
        """What its content words may be cut to."""
        return frozenset(root for word in self.words for root in _roots(word))

    def shares(self, other: Content) -> bool:
        """Whether a content word of one is of one root with any of the other's."""
        return not (
            self.held.isdisjoint(other.held)
            and self.held.isdisjoint(other.rooted)
            and self.rooted.isdisjoint(other.held)
        )


def content_of(text: str) -> Content:
    """Take a statement apart. Rules and memories are looked at again and again: short ones are kept at hand."""
    return _known_content(text) if len(text) <= _SHORT else _content(text)


def _content(text: str) -> Content:
    reading = read(text)
    plain = reading.text
    signs = _signs(reading)
    words: list[str] = []
    dislikes = 0
    tokens = [token.lower() for token in _TOKEN.findall(plain)]
    for token in tokens:
        if token in LIKING:
            dislikes += not LIKING[token]
            words.append("like")
        elif not _is_number(token) and not all(part in _SMALL or part in signs for part in token.split("-")):
            words.extend(_stems(ONE_WORD.get(token, token)))
    state = COPULA.search(plain)
    return Content(
        words=tuple(word for word in words if word),
        numbers=tuple(number for token in tokens for number in _numbers(token)),
        persons=_persons(reading),
        is_negated=_denies(reading) != bool(dislikes % 2),
        is_changed=bool(reading.find("change", plain)),
        state_at=state.end() if state else None,
        text=plain,
    )


def unmatched(one: Content, other: Content) -> tuple[list[str], list[str]]:
    """The content words of each that the other lacks; stems of one root match (allergi, allerg)."""
    return _missing(one, other), _missing(other, one)


_SHORT = 2_000
_known_content = lru_cache(maxsize=4_096)(_content)


def overlap(one: Content, other: Content) -> tuple[float, float]:
    """The share of each statement's content words that the other has too."""
    left, right = unmatched(one, other)
    return 1 - len(left) / max(len(one.words), 1), 1 - len(right) / max(len(other.words), 1)


def _signs(reading: ParsedTurn) -> frozenset[str]:
    """Denials and signs of change, which carry no content here; long ones do."""
    signs = {
        part for kind in ("negation", "change") for found in reading.find(kind, reading.text) for part in found.split()
    }
    return frozenset(part for part in signs if len(part) <= _SHORT_SIGN or part in _LONG_SIGNS)


_SHORT_SIGN = 5
_LONG_SIGNS = frozenset(("longer", "anymore", "instead", "cannot"))
_SMALL = _COMMON | FILLERS | {"no", "not"} | PRONOUNS
"""Function words, fillers and pronouns: they carry no content anywhere."""


def _denies(reading: ParsedTurn) -> bool:
    """True when at least half of the languages it may be written in read a denial ("no" denies in few of them)."""
    denying = sum(bool(words.pattern("negation").search(reading.text)) for words in reading.languages)
    return denying * 2 >= len(reading.languages)


def _persons(reading: ParsedTurn) -> frozenset[str]:
    """Who is spoken of besides the speaker: kin, roles, others by pronoun, the listener. Names count as words."""
    found = [each for each in reading.find("person", reading.text) if " " not in each]
    persons = {ONE_WORD.get(each, each) for each in found if each in OTHERS or each not in PRONOUNS}
    return frozenset(persons | ({"you"} if ADDRESSED.search(reading.text) else set()))


@lru_cache(maxsize=16_384)
def _stems(token: str) -> tuple[str, ...]:
    if _UNSPACED.match(token) or not token.isalpha():
        return (token,)
    return tuple(index_terms(token)[:1])


def _is_number(token: str) -> bool:
    return token[0].isdigit() or token in NUMERALS


def _numbers(token: str) -> list[str]:
    if token in NUMERALS:
        return [NUMERALS[token]]
    ordinal = ORDINAL.match(token)
    return [ordinal[1]] if ordinal else ([token] if token[0].isdigit() else [])


def _missing(one: Content, other: Content) -> list[str]:
    """The words of one that are not among the other's, nor of one root with any of them."""
    held, roots = other.held, other.rooted
    return [
        word
        for word in one.words
        if word not in held and word not in roots and not any(root in held for root in _roots(word))
    ]


@lru_cache(maxsize=16_384)
def _roots(word: str) -> tuple[str, ...]:
    """What a stem may be cut to and still be of one root: at most two letters shorter, at least four long."""
    return tuple(word[:-cut] for cut in (1, 2) if len(word) - cut >= 4)


def is_of_one_root(one: str, other: str) -> bool:
    """Whether two stems are of one root (allergi, allerg)."""
    return one == other or one in _roots(other) or other in _roots(one)


def forget_statements() -> None:
    """Let go of the statements that were compared before."""
    _known_content.cache_clear()
    _stems.cache_clear()
    _roots.cache_clear()
