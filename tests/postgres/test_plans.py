"""Statements are planned once for a connection, perhaps when there was nothing yet: they must still be right later."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.contract.stores import open_space, vector
from tests.postgres.stores import LentStore, open_lent
from tests.puts import put

from libravdb.adapters.postgres import queries, recall_reads, vector_blocks
from libravdb.adapters.postgres.connection import Address
from libravdb.adapters.postgres.lookup import RECORDS
from libravdb.adapters.postgres.read_transaction import Statement
from libravdb.adapters.postgres.schema import Db
from libravdb.model import Key, Put

MANY = 600


class Recorded:
    """Takes down what is asked, and has no answer."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []

    def ask_each(self, statements: list[Statement]) -> list[tuple[object, ...]]:
        self.statements += statements
        return []


def asked(ask: Callable[[Recorded], object]) -> Statement:
    recorded = Recorded()
    ask(recorded)
    return recorded.statements[0]


IDS = ["5", "7"]
STATEMENTS: dict[str, Callable[[int], Statement]] = {
    "records": lambda number: queries.records_statement("c", number, IDS),
    "records by name": lambda _: queries.named_records_statement([Key("c", id) for id in IDS]),
    "records of a commit": lambda _: (RECORDS, (["c", "c"], IDS)),
    "rows": lambda number: recall_reads.rows_statements([(number, id) for id in IDS])[0],
    "bags": lambda number: asked(lambda read: recall_reads.read_rows(read, {number: [5, 7]})),  # type: ignore[arg-type]
    "newer rows": lambda number: recall_reads.newer_rows_statement(number, MANY - 5),
    "newest": lambda _: queries.newest_statement(["c"]),
    "vectors of all": lambda number: (vector_blocks._NEWER_HALVES, (number, 0, MANY, number, 1)),
    "codes of all": lambda number: (vector_blocks._NEWER_CODES, (number, 0, MANY, number, 1)),
    "texts": lambda _: queries.holding_statement([("c", b"nothing")]),
    "speakers": lambda _: queries.distinct_statement("speaker", ["c"]),
}


def filled(first: int, last: int) -> list[Put]:
    return [
        put("c", f"{n}", f"text {n}", at=n, metadata={"sessionId": "s"}, embedding=vector([9, n + 1]))
        for n in range(first, last)
    ]


@pytest.fixture
def store() -> Iterator[LentStore]:
    with open_lent() as opened:
        open_space(opened)
        opened.commit(filled(0, 1))
        yield opened


@pytest.fixture
def db(store: LentStore) -> Iterator[Db]:
    opened = Address(store.url).connect(is_preparing=False)
    opened.execute("SET plan_cache_mode = force_generic_plan")
    opened.execute("SET enable_seqscan = off")
    yield opened
    opened.close()


def test_what_was_planned_for_an_empty_store_reads_nothing_in_vain_from_a_full_one(store: LentStore, db: Db) -> None:
    ((number,),) = db.execute("SELECT id FROM libravdb.collections WHERE name = 'c'").fetchall()
    calls: dict[str, str] = {}
    for place, (name, made) in enumerate(STATEMENTS.items()):
        statement, values = made(number)
        parts = [part for piece in statement.split("%s") for part in piece.split("%b")]
        numbered = parts[0] + "".join(f"${n}{part}" for n, part in enumerate(parts[1:], 1))
        db.execute(f"PREPARE s{place} AS {numbered}".encode())
        literals = ", ".join(literal(value) for value in values)
        calls[name] = f"EXECUTE s{place}({literals})"
        db.execute(calls[name].encode())
    store.commit(filled(1, MANY))
    wasted = {
        name: plan
        for name, call in calls.items()
        if "Rows Removed" in (plan := "\n".join(row[0] for row in db.execute(f"EXPLAIN ANALYZE {call}".encode())))
    }
    assert wasted == {}


def literal(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"ARRAY[{', '.join(literal(each) for each in value)}]"
    if isinstance(value, bytes):
        return f"'\\x{value.hex()}'::bytea"
    return str(value) if isinstance(value, int) else f"'{value}'"
