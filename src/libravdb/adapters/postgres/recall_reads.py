"""The reads behind recall that are neither vectors nor words: rows of records, what a filter lets through, and the
turns beside a turn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from libravdb.adapters import term_counts
from libravdb.adapters.kept_rows import KeptRow
from libravdb.adapters.postgres.filters import where_sql
from libravdb.adapters.postgres.read_transaction import Found, PlannedAnew, ReadTransaction, Statement
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.vector_search import Rows
from libravdb.model import Where, Word

Row = int
Place = tuple[int, str]
"""A record by the number of its collection and its id."""

RowsOf = Mapping[int, Collection[Row]]
"""Rows by the number of their collection."""

# One by one, by their keys: a server that has not counted its rows yet would read all for a few. And by a stretch from
# a key to itself in the order of its index: among equals there is no order, and who plans for an empty table takes any
# index of the collection, reading all of it for each key once it has grown.
_ROWS = (
    f"unnest(%s::bigint[]) k(row) CROSS JOIN LATERAL (SELECT * FROM {SCHEMA}.records r"
    " WHERE r.collection = %s AND r.row BETWEEN k.row AND k.row ORDER BY r.row LIMIT 1) r"
    f" CROSS JOIN LATERAL (SELECT * FROM {SCHEMA}.texts t WHERE t.collection = %s AND t.digest = r.digest LIMIT 1) t"
)


def read_rows(read: ReadTransaction, rows: RowsOf) -> dict[Row, KeptRow]:
    """What is kept of rows, of those that there are."""
    told = f"SELECT r.row, r.id, t.length, t.bag FROM {_ROWS}"
    return rows_in(read.ask_each([(told, (list(some), number, number)) for number, some in rows.items() if some]))


def newer_rows_statement(collection: int, after: Row) -> Statement:
    """What asks for the rows of a collection behind one; the last of very many are read when they are needed."""
    told = (
        f"SELECT r.row, r.id, t.length, t.bag FROM (SELECT * FROM {SCHEMA}.records r"
        " WHERE r.collection = %s AND r.row > %s ORDER BY r.row LIMIT %s) r"
        f" CROSS JOIN LATERAL (SELECT * FROM {SCHEMA}.texts t"
        " WHERE t.collection = %s AND t.digest = r.digest LIMIT 1) t"
    )
    return told, (collection, after, _MOST_NEWER, collection)


def rows_in(found: Found) -> dict[Row, KeptRow]:
    """The rows that were found."""
    return {row: KeptRow(id, length, bag) for row, id, length, bag in found}


_MOST_NEWER = 256


def rows_of(read: ReadTransaction, places: Sequence[Place]) -> dict[Place, Row]:
    """The rows of these records, of those that there are."""
    return {(number, id): row for number, id, row in read.ask_each(rows_statements(places))}


def rows_statements(places: Sequence[Place]) -> list[Statement]:
    """What asks for the rows of records."""
    told = (
        "SELECT r.collection, r.id, r.row FROM unnest(%s::text[]) k(id)"
        f" CROSS JOIN LATERAL (SELECT * FROM {SCHEMA}.records r"
        " WHERE r.collection = %s AND r.id BETWEEN k.id AND k.id ORDER BY r.id LIMIT 1) r"
    )
    return [(told, (ids, number)) for number, ids in _grouped(places).items()]


def _grouped(places: Iterable[Place]) -> dict[int, list[str]]:
    grouped: dict[int, list[str]] = {}
    for number, id in places:
        grouped.setdefault(number, []).append(id)
    return grouped


def passing_statement(collection: int, where: Where) -> Statement:
    """What asks for the rows that a filter lets through; costs a look at every record, unless an index helps."""
    condition, values = where_sql(where)
    told = f"SELECT string_agg(int8send(r.row), ''::bytea) FROM {SCHEMA}.records r WHERE r.collection = %s{condition}"
    return PlannedAnew(told), (collection, *values)


def sorted_rows(packed: Iterable[bytes | None]) -> Rows:
    """Rows that came as values, sorted."""
    return np.sort(np.frombuffer(b"".join(part or b"" for part in packed), dtype=">i8").astype(np.int64))


def counted_terms(read: ReadTransaction, rows: RowsOf, words: Sequence[Word]) -> dict[Row, tuple[tuple[int, ...], int]]:
    """How often each word stands in each record, and how many terms it has, from the terms themselves: a prefix has no
    checksum."""
    told = f"SELECT r.row, t.length, t.terms FROM {_ROWS}"
    found = read.ask_each([(told, (list(some), number, number)) for number, some in rows.items() if some])
    counted = term_counts.count_terms([terms for *_, terms in found], words).tolist()
    return {row: (tuple(count), length) for (row, length, _), count in zip(found, counted, strict=True)}


# ── the turns beside a turn ───────────────────────────────────────────────────────────────────────────────


class TurnBeside(NamedTuple):
    """A record that was met: its id, its row, and whether a filter lets it be seen."""

    id: str
    row: Row
    is_seen: bool


def turns_beside(
    read: ReadTransaction, places: Sequence[Place], where: Where
) -> dict[Place, tuple[Row, TurnBeside | None, TurnBeside | None]]:
    """Of each of these records that there is: its row, and the turns right before and after it in its session."""
    condition, values = where_sql(where)
    told = (
        "SELECT o.collection, o.id, o.row, b.id, b.row, b.seen, a.id, a.row, a.seen FROM unnest(%s::text[]) k(id)"
        f" CROSS JOIN LATERAL (SELECT * FROM {SCHEMA}.records r"
        " WHERE r.collection = %s AND r.id BETWEEN k.id AND k.id ORDER BY r.id LIMIT 1) o"
        f" LEFT JOIN LATERAL ({_beside('<', 'DESC', condition)}) b ON TRUE"
        f" LEFT JOIN LATERAL ({_beside('>', 'ASC', condition)}) a ON TRUE"
    )
    found = read.ask_each(
        [(told, (ids, number, *values, number, *values, number)) for number, ids in _grouped(places).items()]
    )
    return {(number, id): (row, _turn(*rest[:3]), _turn(*rest[3:])) for number, id, row, *rest in found}


def _beside(sign: str, direction: str, condition: str) -> str:
    """The turn next to the turn `o`. Turns of one moment are told apart by arrival: the index ends with the row."""
    return (
        f"SELECT r.id, r.row, (TRUE{condition}) AS seen FROM {SCHEMA}.records r"
        f" WHERE r.collection = %s AND r.session = o.session AND (r.at, r.row) {sign} (o.at, o.row)"
        f" ORDER BY r.at {direction}, r.row {direction} LIMIT 1"
    )


def _turn(id: str | None, row: Row | None, is_seen: bool | None) -> TurnBeside | None:  # noqa: FBT001  a row of three columns
    return None if id is None or row is None else TurnBeside(id, row, bool(is_seen))
