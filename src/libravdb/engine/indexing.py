"""What texts are indexed under, on their way into the store: analysed once, whatever they become."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from libravdb.engine.prepared_store import PreparedStore
from libravdb.model import Change, Put, Record, Restore, Terms
from libravdb.ports.store import Store
from libravdb.text.analysis import index_terms


class IndexingStore(PreparedStore):
    """A store that is told the terms of every text."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, with_terms)


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
