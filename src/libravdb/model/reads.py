"""What is asked of a store, and what a read gives back. Every value is of one moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

_T = TypeVar("_T")

Revision = int
"""Which commit changed a topic last, as a number that only grows; 0 as long as there is nothing."""

Word = tuple[str, ...]
"""A word of a question in every form it may be indexed under; one that ends with `*` stands for all that begin so."""

Terms = tuple[str, ...]
"""What a text is indexed under, one entry for each occurrence."""

Excluded = Mapping[str, frozenset[str]]
"""Ids per collection that a read passes over; they never shorten the answer."""


class TopicKind(StrEnum):
    """What a revision can be about."""

    COLLECTION = "collection"
    SESSION = "session"
    SPACES = "spaces"


class Topic(NamedTuple):
    """Something whose changes can be noticed: the records of a collection, a session's state and coverage, or which
    vector spaces there are and which is in use."""

    kind: TopicKind
    name: str = ""

    @classmethod
    def collection(cls, name: str) -> Topic:
        """The records of a collection."""
        return cls(TopicKind.COLLECTION, name)

    @classmethod
    def session(cls, name: str) -> Topic:
        """A session's state and coverage."""
        return cls(TopicKind.SESSION, name)


SPACES = Topic(TopicKind.SPACES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """What became of some changes: the number of their commit, 0 when there was nothing to do, and at which revision
    every topic stood that it touched. Who follows a topic from the one to the other misses nobody's commit."""

    revision: Revision = 0
    before: Mapping[Topic, Revision] = field(default_factory=dict)


class Key(NamedTuple):
    """Where a record stands."""

    collection: str
    id: str


class Order(StrEnum):
    """In which order records are paged: by the bytes of their ids, or the newest first (time, then id descending)."""

    ID = "id"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[_T]):
    """Some of what was asked for; `next` is where the following page begins, None when this is the last one."""

    items: tuple[_T, ...]
    next: str | None = None

    def __iter__(self) -> Iterator[_T]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, place: int) -> _T:
        return self.items[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """What a flow is going to ask about, as far as it knows before it begins. It changes no answer; a store across a
    network fetches it when a read begins, and has it when it is asked.

    Of `collections` the revisions and sizes, and what a search in them has to know first; of `sessions` the states and
    revisions; of `newest` the newest record; `records` by their keys, `texts` by collection and digest, the values
    under metadata keys (`distinct`) by collection and key.
    """

    collections: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    newest: tuple[str, ...] = ()
    records: tuple[Key, ...] = ()
    texts: tuple[tuple[str, bytes], ...] = ()
    distinct: tuple[tuple[str, str], ...] = ()


NOTHING_FORESEEN = Foreseen()


class Near(NamedTuple):
    """A record close to a question: the cosine of its best vector, and which one that is (0: the whole text)."""

    key: Key
    cosine: float
    passage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The turns right before and after a turn in its session, as far as a filter lets them be seen."""

    before: Key | None = None
    after: Key | None = None


class Features(NamedTuple):
    """What ranking measures of a record. Thousands are made a second, and a tuple is made in a third of the time.

    `cosine` is that of its best vector (row `passage`), `whole` that of the whole text; None means: it has no vectors,
    or none were asked for. `counts` tells how often each word of the question stands in it, `length` how many terms it
    has.
    """

    cosine: float | None = None
    whole: float | None = None
    passage: int | None = None
    counts: tuple[int, ...] = ()
    length: int = 0
