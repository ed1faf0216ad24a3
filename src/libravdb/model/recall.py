"""What is asked and found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from libravdb.model.json import Metadata
from libravdb.model.records import Record


class Scope(StrEnum):
    """Where a memory stands in relation to the question; nearer scopes weigh more."""

    SESSION = "session"
    ELEVATED = "elevated"
    DURABLE = "durable"
    LORE = "lore"
    SUMMARY = "summary"
    HISTORY = "history"
    GLOBAL = "global"


class MeasuredCandidate(NamedTuple):
    """A record that a survey met, with all that was measured of it. A tuple, as `Features` is.

    `cosine` is that of its best vector (row `passage`), `whole` that of the whole text; None means: it has no vectors,
    or none were asked for. `counts` tells how often each word of the question stands in it, `length` how many terms it
    has. `before` and `after` are the ids of the turns beside it in its session, if the survey met them. `is_found`
    is False when only its neighbour brought it here.
    """

    record: Record
    cosine: float | None = None
    whole: float | None = None
    passage: int | None = None
    counts: tuple[int, ...] = ()
    length: int = 0
    before: str | None = None
    after: str | None = None
    is_found: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """How common the words of a question are in a collection: of `texts` texts with `terms` terms in all, so many
    hold each word."""

    texts: int
    terms: int
    holders: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateSet:
    """What a read found on a question, for ranking: `words` are those asked, each in every form it may have."""

    words: tuple[tuple[str, ...], ...]
    sightings: tuple[MeasuredCandidate, ...]
    vocabularies: Mapping[str, Vocabulary]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A search result with its full account: `breakdown` holds every part of the score."""

    record: Record
    score: float
    breakdown: Mapping[str, float]
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        return self.record.text

    @property
    def id(self) -> str:
        """Of what was found."""
        return self.record.id

    @property
    def text(self) -> str:
        """What was found, word for word."""
        return self.record.text

    @property
    def metadata(self) -> Metadata:
        """What is kept beside the text."""
        return self.record.metadata

    @property
    def at(self) -> int:
        """When it was said."""
        return self.record.at


class SearchMode(StrEnum):
    """How an answer was found; a reduced mode is always shown."""

    FULL = "full"
    LEXICAL_ONLY = "lexical-only"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a search returns: hits, the mode, and in words why it was reduced (empty when full).

    `silence` tells in words why nothing is shown although something was met.
    """

    hits: tuple[Hit, ...]
    mode: SearchMode
    degraded: str = ""
    silence: str = ""

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, place: int) -> Hit:
        return self.hits[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of a text to be remembered. `is_new` is False when it was known already."""

    record: Record
    is_new: bool
    degraded: str = ""

    @property
    def id(self) -> str:
        """By which it is found again."""
        return self.record.id
