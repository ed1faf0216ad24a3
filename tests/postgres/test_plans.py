"""Statements are planned once for a connection, perhaps when there was nothing yet: they must still be right later.
Where values matter they are planned with them, and cost a look at what they are about, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from tests.contract.stores import SPACE, open_space, vector
from tests.postgres.stores import LentStore, open_lent
from tests.puts import put

from libravdb.adapters.postgres import queries, recall_reads, vector_reads
from libravdb.adapters.postgres.connection import Address
from libravdb.adapters.postgres.lookup import RECORDS
from libravdb.adapters.postgres.read_transaction import PlannedAnew, ReadTransaction, Statement
from libravdb.adapters.postgres.schema import Db
from libravdb.model import Condition, Key, Operator, Order, Put, Where

MANY = 600


class Recorded:
    """Takes down what is asked, and has no answer."""

    def __init__(self, answer: Sequence[tuple[object, ...]] = ()) -> None:
        self.statements: list[Statement] = []
        self.answer = list(answer)

    def ask_each(self, statements: list[Statement]) -> list[tuple[object, ...]]:
        self.statements += statements
        return []

    def ask(self, told: str, values: Sequence[object]) -> list[tuple[object, ...]]:
        self.statements.append((told, values))
        return self.answer


def asked(ask: Callable[[Recorded], object], answer: Sequence[tuple[object, ...]] = ()) -> Statement:
    recorded = Recorded(answer)
    ask(recorded)
    return recorded.statements[0]


IDS = ["5", "7"]
SPACE_OF_C = vector_reads.SpaceInUse(id=1, dimensions=2, fingerprint=SPACE, revision=1)
STATEMENTS: dict[str, Callable[[int], Statement]] = {
    "records": lambda number: queries.records_statement("c", number, IDS),
    "records by name": lambda _: queries.named_records_statement([Key("c", id) for id in IDS]),
    "records of a commit": lambda _: (RECORDS, (["c", "c"], IDS)),
    "rows": lambda number: recall_reads.rows_statements([(number, id) for id in IDS])[0],
    "bags": lambda number: asked(lambda read: recall_reads.read_rows(read, {number: [5, 7]})),  # type: ignore[arg-type]
    "newer rows": lambda number: recall_reads.newer_rows_statement(number, MANY - 5),
    "newest": lambda _: queries.newest_statement(["c"]),
    "vectors of all": lambda number: vector_reads.halves_behind(number, SPACE_OF_C, 0, most=MANY).statement,
    "codes of all": lambda number: vector_reads.codes_behind(number, SPACE_OF_C, 0, expected=MANY).statement,
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


def test_a_statement_whose_values_matter_is_planned_with_them_and_no_other(store: LentStore) -> None:
    told = "SELECT current_setting('plan_cache_mode')"
    once, anew = "force_generic_plan", "auto"
    db = Address(store.url).connect()
    read = ReadTransaction(db, Address(store.url).explain)
    read.begin([])
    for asked_for, found in (
        ([told], [once]),
        ([PlannedAnew(told)], [anew]),
        ([told, PlannedAnew(told), PlannedAnew(told), told], [once, anew, anew, once]),
        ([PlannedAnew(told), told, PlannedAnew(told)], [anew, once, anew]),
        ([told], [once]),
    ):
        assert [rows[0][0] for rows in read.ask_all([(each, ()) for each in asked_for])] == found
    assert read.ask(PlannedAnew(told)) == [(anew,)]
    assert read.ask(told) == [(once,)]
    db.close()


LONG = [f"value {number}" for number in range(2_000)]
FILTERS: dict[str, Where] = {
    "texts": Where(metadata={"n": tuple(LONG)}),
    "numbers": Where(conditions=(Condition(key="n", operator=Operator.IN, value=list(range(2_000))),)),
    "sessions": Where(metadata={"sessionId": tuple(LONG)}),
}


@pytest.mark.parametrize("where", FILTERS.values(), ids=FILTERS)
def test_many_values_are_not_looked_through_for_each_record(store: LentStore, db: Db, where: Where) -> None:
    """A hash, or an index: 50,000 records beside 10,000 numbers took two minutes."""
    ((number,),) = db.execute("SELECT id FROM libravdb.collections WHERE name = 'c'").fetchall()
    store.commit(filled(1, MANY))
    for told, values in (
        recall_reads.passing_statement(number, where),
        asked(lambda read: page(read, number, where)),
    ):
        assert isinstance(told, PlannedAnew)
        plan = explained(db, told, values)
        is_known = "session = ANY ('" in plan  # a list that is known is hashed
        assert is_known or "hashed SubPlan" in plan, plan


def test_what_is_hidden_is_not_looked_through_for_each_record_either() -> None:
    told, _ = asked(lambda read: page(read, 1, Where(), hidden=LONG))
    assert isinstance(told, PlannedAnew)  # NOT IN a list that is known is hashed


def page(read: Recorded, number: int, where: Where, *, hidden: Sequence[str] = ()) -> object:
    return queries.page(
        read,  # type: ignore[arg-type]
        ("c", number),
        order=Order.NEWEST,
        where=where,
        after=None,
        limit=5,
        excluded=hidden,
    )


def test_what_an_owner_holds_is_measured_by_what_it_holds(store: LentStore, db: Db) -> None:
    """A small one beside a large one: all records of all were joined with all texts."""
    store.commit(filled(1, MANY))
    store.commit([put("user:ben", "1", "his text", metadata={"userId": "ben"})])
    with store.read() as read:
        assert read.volume(["user:ben"], owner="ben").records == 1
        assert read.volume(["user:ben", "c"], owner="ben").records == MANY + 1
        assert read.volume([], owner="ben").records == 1
        assert read.volume(["user:ben"]).records == 1
    told, values = asked(lambda read: queries.volume(read, ["user:nobody"], "ben"), [(0, 0)])  # type: ignore[arg-type]
    plan = explained(db, told, values)
    assert "Rows Removed" not in plan
    assert " Seq Scan" not in plan
    assert "Hash" not in plan


def explained(db: Db, told: str, values: Sequence[object]) -> str:
    db.execute("SET plan_cache_mode = auto")
    return "\n".join(row[0] for row in db.execute(f"EXPLAIN ANALYZE {told}".encode(), values))
