"""What a search has to know of a collection first: its number, how much it holds, and the commit that it is at."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from libravdb.adapters.postgres.read_transaction import ReadTransaction
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.tenants import NOTE_MET


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionHead:
    """A collection at one moment. `removed` is the commit at which records left it last, or got vectors later than
    themselves; `revision` the one that changed it last."""

    id: int
    records: int
    texts: int
    terms: int
    removed: int
    revision: int

    @property
    def average(self) -> float:
        """Terms of a text."""
        return self.terms / max(self.texts, 1)


_HEAD = "SELECT c.name, c.id, c.records, c.texts, c.terms, c.removed, coalesce(t.revision, 0)"
_FROM = (
    f" FROM {SCHEMA}.collections c LEFT JOIN {SCHEMA}.topics t ON t.kind = 1 AND t.name = c.name"
    " WHERE c.name = ANY(%s::text[])"
)


def find_collections(read: ReadTransaction, names: Collection[str]) -> dict[str, CollectionHead]:
    """Those of these collections that there are, by name."""
    statement = f"{_HEAD}, {NOTE_MET}{_FROM}" if read.is_limited else _HEAD + _FROM
    return {
        name: CollectionHead(id=id, records=records, texts=texts, terms=terms, removed=removed, revision=revision)
        for name, id, records, texts, terms, removed, revision, *_ in read.ask(statement, (list(names),))
    }
