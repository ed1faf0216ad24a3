"""The texts of a large collection that hold some words: what a search by words ranks there.

Thousands of texts are ranked to find a few records. So the server tells how long each of these texts is, and its bag,
from the very rows that the index led it to; which records hold a text is asked for the best of them alone. What a
filter hides is left out before that: a text counts when any record that holds it may be seen.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from libravdb.adapters.postgres.filters import where_sql
from libravdb.adapters.postgres.keys import word_key
from libravdb.adapters.postgres.read_transaction import PlannedAnew, Statement
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.model import Where


class FoundText(NamedTuple):
    """A text by what is ranked of it: its digest, how many terms it has, and their bag."""

    digest: bytes
    length: int
    bag: bytes


def holding(collection: int, terms: Collection[str], *, is_limited: bool) -> tuple[str, list[object]]:
    """Where the texts `t` stand that hold any of these terms, with the values of its parameters. A limited read goes by
    a function of the wall, since the operator could not use the index under a policy (`tenants.py`)."""
    values: list[object] = [collection, [word_key(collection, term) for term in terms]]
    if is_limited:
        return f"{SCHEMA}.texts_with(ARRAY[%s::integer], %s::bigint[]) t", values
    return f"{SCHEMA}.texts t WHERE t.collection = %s AND t.words && %s::bigint[]", values


def seen(where: Where, hidden: Collection[str]) -> tuple[str, list[object]]:
    """What a record `r` must fulfil to be found, each condition after an AND; empty where every record does."""
    condition, values = where_sql(where)
    if not hidden:
        return condition, [*values]
    return f"{condition} AND r.id <> ALL(%s::text[])", [*values, list(hidden)]


def texts_statement(
    collection: int, terms: Collection[str], where: Where, hidden: Collection[str], *, is_limited: bool
) -> Statement:
    """What asks for the texts that hold any of these terms in a record that may be found."""
    source, values = holding(collection, terms, is_limited=is_limited)
    condition, told = seen(where, hidden)
    if condition:
        source = (
            f"(SELECT t.digest, t.length, t.bag FROM {source} OFFSET 0) t CROSS JOIN LATERAL (SELECT"
            f" FROM {SCHEMA}.records r WHERE r.collection = %s AND r.digest = t.digest{condition} LIMIT 1) r"
        )
        values += [collection, *told]
    return PlannedAnew(f"SELECT t.digest, t.length, t.bag FROM {source}"), values


def records_statement(collection: int, digests: Collection[bytes], where: Where, hidden: Collection[str]) -> Statement:
    """What asks for the records that hold these texts, of those that may be found."""
    condition, told = seen(where, hidden)
    statement = (
        "SELECT r.digest, r.row, r.id FROM unnest(%s::bytea[]) k(digest)"
        f" CROSS JOIN LATERAL (SELECT * FROM {SCHEMA}.records r"
        f" WHERE r.collection = %s AND r.digest = k.digest{condition} OFFSET 0) r"
    )
    return PlannedAnew(statement), [list(digests), collection, *told]
