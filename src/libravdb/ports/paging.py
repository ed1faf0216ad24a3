"""Pages and where they end, alike in every store."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from libravdb.errors import InvalidInput
from libravdb.model import Page, Record

_T = TypeVar("_T")
_PLACE = re.compile(r"(-?[0-9]{1,19}):(.+)", re.DOTALL)
_INT64 = 2**63


def page_of(found: Sequence[_T], limit: int | None, *, cursor: Callable[[_T], str]) -> Page[_T]:
    """The first of what was found, and where the next page begins if there is more."""
    items = tuple(found if limit is None else found[: max(limit, 0)])
    return Page(items=items, next=cursor(items[-1]) if items and len(items) < len(found) else None)


def newest_cursor(record: Record) -> str:
    """Where a page of the newest records ends: by time and id."""
    return f"{record.at}:{record.id}"


def read_newest_cursor(after: str) -> tuple[int, str]:
    """The time and id at which a page of the newest records ended."""
    place = _PLACE.fullmatch(after)
    if place is None or not -_INT64 <= int(place[1]) < _INT64:
        raise InvalidInput(
            "after", f"{after!r} is not where a page of this order ended", remedy="Give a page's `next`."
        )
    return int(place[1]), place[2]
