"""Records to be written by tests, with the terms that an engine would give their texts."""

from __future__ import annotations

from typing import Any

from libravdb.model import Put, Record, Restore, Terms
from libravdb.text.analysis import index_terms


def put(collection: str, id: str, text: str = "a text", *, at: int = 1, **more: Any) -> Put:
    """A record; `more` are the other fields of a Put."""
    return Put(collection=collection, id=id, text=text, at=at, **{"terms": _terms_of(text), **more})


def restore(record: Record, **more: Any) -> Restore:
    """A record as an export holds it."""
    return Restore(record=record, **{"terms": _terms_of(record.text), **more})


def _terms_of(text: object) -> Terms | None:
    """What is no text has none: tests also try what a caller without a type checker sends."""
    return tuple(index_terms(text)) if isinstance(text, str) else None
