"""What texts are indexed under, on their way into the store: analysed once, whatever they become."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from libravdb.model import Change, Put, Record, Restore, Revision, Terms, Topic
from libravdb.ports.store import NO_CONDITION, Maintenance, Snapshot, Store, VectorSpaces
from libravdb.text.analysis import index_terms


class IndexingStore:
    """A store that is told the terms of every text. Implements the port `Store` over another store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def vectors(self) -> VectorSpaces:
        """Its vector spaces."""
        return self._store.vectors

    @property
    def maintenance(self) -> Maintenance:
        """What operators need."""
        return self._store.maintenance

    def read(self) -> AbstractContextManager[Snapshot]:
        """The store at this moment."""
        return self._store.read()

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Revision:
        """Apply all changes or none, each text with its terms."""
        return self._store.commit(list(with_terms(changes)), unless=unless)

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """As of now which commit changed each of these last."""
        return self._store.revisions(topics)

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()


def with_terms(changes: Iterable[Change]) -> Iterator[Change]:
    """The changes, each text with its terms; one that enters several collections is analysed once. What is no text is
    left to the store, which refuses it."""
    known: dict[str, Terms] = {}

    def terms(text: str) -> Terms:
        if text not in known:
            known[text] = tuple(index_terms(text))
        return known[text]

    for change in changes:
        match change:
            case Put(text=str(text), terms=None):
                yield replace(change, terms=terms(text))
            case Restore(record=Record(text=str(text)), terms=None):
                yield replace(change, terms=terms(text))
            case _:
                yield change
