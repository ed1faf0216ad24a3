"""One read-only transaction: everything that is asked through it is of one moment.

Round trips are what a read over a network costs, so that statements can be sent together, and the transaction begins
with its first one. Planning is most of what a short statement costs the server, more so over partitions: a statement is
planned once for a connection, for any values, unless it says that its values matter (`PlannedAnew`).

A statement that names one collection by a parameter of its own (`collection = %s`) opens one partition; one that takes
several (`= ANY`, or joined with a list) opens all sixteen, and takes two to ten times as long. So what is asked of
several collections is one statement for each, all in one round trip (`ask_each`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import psycopg

from libravdb.adapters.postgres.schema import Db
from libravdb.errors import LibraError

Explain = Callable[[psycopg.Error], LibraError]
"""An error of the server as one of ours."""

Statement = tuple[str, Sequence[object]]
"""In SQL, and the values of its parameters."""

Found = list[tuple[Any, ...]]


class PlannedAnew(str):
    """SQL whose best plan depends on the values: how many records a filter lets through, or a word stands in."""

    __slots__ = ()


_BEGIN: Statement = ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ())
_PLAN_ONCE = (
    "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)"
)
"""By keys, whatever the values, and although a table may be empty when a statement is planned."""


NO_LIMITS: Mapping[str, str] = MappingProxyType({})


class ReadTransaction:
    """Asks a server, always about the same moment. Whoever lent the connection ends the transaction. With `limits` the
    server shows only what a caller may see (`tenants.py`): settings that hold until its end."""

    def __init__(self, db: Db, explain: Explain, *, limits: Mapping[str, str] = NO_LIMITS) -> None:
        self._db = db
        self._explain = explain
        self._limits = limits
        self.is_limited = bool(limits)

    def begin(self, statements: Sequence[Statement]) -> list[Found]:
        """Begin with the first questions: the moment is the one at which they are answered."""
        told = [part for pair in self._limits.items() for part in pair]
        settings = _PLAN_ONCE + ", set_config(%s, %s, true)" * len(self._limits)
        return self.ask_all([_BEGIN, (settings, told), *statements])[2:]

    def ask(self, statement: str, values: Sequence[object] = ()) -> Found:
        """The rows of one statement, in one round trip."""
        try:
            return self._asked(statement, values).fetchall()
        except psycopg.Error as error:
            raise self._explain(error) from error

    def ask_all(self, statements: Sequence[Statement]) -> list[Found]:
        """The rows of each statement, all in one round trip."""
        if len(statements) == 1:
            return [self.ask(*statements[0])]
        try:
            with self._db.pipeline():
                asked = [self._asked(told, values) for told, values in statements]
            return [cursor.fetchall() if cursor.description else [] for cursor in asked]
        except psycopg.Error as error:
            raise self._explain(error) from error

    def ask_each(self, statements: Sequence[Statement]) -> Found:
        """The rows of all statements together, in one round trip; without any there is none."""
        return [row for found in (self.ask_all(statements) if statements else ()) for row in found]

    def _asked(self, statement: str, values: Sequence[object]) -> psycopg.Cursor[tuple[Any, ...]]:
        prepare = False if isinstance(statement, PlannedAnew) else None
        return self._db.execute(statement.encode(), values, binary=True, prepare=prepare)
