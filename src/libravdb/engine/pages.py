"""Walking through a collection, page by page."""

from __future__ import annotations

from collections.abc import Iterator

from libravdb.errors import InvalidInput
from libravdb.model import ANYTHING, Key, Order, Record, Where
from libravdb.ports.store import Snapshot

PAGE = 1_000
"""Records read at a time: what is held of a large collection at once."""

MOST_LISTED = 1_000
"""What one page of a list may hold."""


def every_record(snapshot: Snapshot, collection: str, *, where: Where = ANYTHING) -> Iterator[Record]:
    """The records of a collection in byte order of their ids."""
    after: str | None = None
    while True:
        page = snapshot.page(collection, where=where, after=after, limit=PAGE)
        yield from page.items
        if page.next is None:
            return
        after = page.next


def newest(snapshot: Snapshot, collection: str, *, limit: int, where: Where = ANYTHING) -> tuple[Record, ...]:
    """The newest records of a collection, newest first."""
    return snapshot.page(collection, order=Order.NEWEST, where=where, limit=limit).items


def one_record(snapshot: Snapshot, collection: str, id: str) -> Record | None:
    """One record, or None."""
    key = Key(collection, id)
    return snapshot.records([key]).get(key)


def check_limit(limit: int, *, most: int = MOST_LISTED) -> None:
    """How many things a page may hold."""
    if not 1 <= limit <= most:
        raise InvalidInput("limit", f"is {limit}", remedy=f"Ask for 1 to {most:,}, and for the next page.")
