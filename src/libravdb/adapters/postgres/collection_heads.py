"""What a search has to know of a collection first: its number, how much it holds, and the commit that it is at."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from libravdb.adapters.postgres.read_transaction import Found, Statement
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.tenants import NOTE_MET
from libravdb.model import Revision


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


_HEAD = "SELECT k.name, c.id, c.records, c.texts, c.terms, c.removed, coalesce(t.revision, 0)"
_NAMED = (
    f" FROM unnest(%s::text[]) k(name) LEFT JOIN {SCHEMA}.topics t ON t.kind = 1 AND t.name = k.name"
    f" LEFT JOIN {SCHEMA}.collections c ON c.name = k.name"
)


def heads_statement(names: Collection[str], *, is_limited: bool = False) -> Statement:
    """What asks for collections; a limited read notes which it was shown."""
    return f"{_HEAD}, {NOTE_MET}{_NAMED}" if is_limited else _HEAD + _NAMED, (list(names),)


def heads_in(found: Found) -> tuple[dict[str, CollectionHead | None], dict[str, Revision]]:
    """The collections that were asked for, None where there is none, and which commit changed each last."""
    heads = {
        name: None
        if id is None
        else CollectionHead(id=id, records=records, texts=texts, terms=terms, removed=removed, revision=revision)
        for name, id, records, texts, terms, removed, revision, *_ in found
    }
    return heads, {row[0]: row[6] for row in found}
