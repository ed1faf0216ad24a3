"""One read-only transaction: everything that is asked through it is of one moment.

Round trips are what a read over a network costs, so that statements can be sent together, and the transaction begins
with its first one. Planning is most of what a short statement costs the server, more so over partitions: a statement is
planned once for a connection, for any values, unless it says that its values matter (`PlannedAnew`).

A statement that names one collection by a parameter of its own (`collection = %s`) opens one partition; one that takes
several (`= ANY`, or joined with a list) opens all sixteen, and takes two to ten times as long. So what is asked of
several collections is one statement for each, all in one round trip (`ask_each`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import psycopg

from libravdb.adapters.postgres.pipelines import together
from libravdb.adapters.postgres.schema import Db
from libravdb.errors import LibraError

Explain = Callable[[psycopg.Error], LibraError]
"""An error of the server as one of ours."""

Statement = tuple[str, Sequence[object]]
"""In SQL, and the values of its parameters."""

Found = list[tuple[Any, ...]]
Asked = psycopg.Cursor[tuple[Any, ...]]


class PlannedAnew(str):
    """SQL whose best plan depends on the values: how many records a filter lets through, or a word stands in. It is
    planned with them, where all others are planned for any."""

    __slots__ = ()


_BEGIN: Statement = ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ())
_PLAN_ONCE = (
    "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),"
    " set_config('max_parallel_workers_per_gather', '0', true)"
)
"""By keys, whatever the values, and although a table may be empty when a statement is planned. None is spread over
several processes of the server: many daemons read at once."""

_BY_VALUES: Statement = ("SELECT set_config('plan_cache_mode', 'auto', true)", ())
_BY_NONE: Statement = ("SELECT set_config('plan_cache_mode', 'force_generic_plan', true)", ())

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
        return self.ask_all([(statement, values)])[0]

    def ask_all(self, statements: Sequence[Statement]) -> list[Found]:
        """The rows of each statement, all in one round trip."""
        try:
            if len(statements) == 1 and not isinstance(statements[0][0], PlannedAnew):
                return [_rows(self._asked(*statements[0]))]
            with together(self._db):
                asked = list(self._asked_in_turn(statements))
            return [_rows(cursor) for cursor in asked]
        except psycopg.Error as error:
            raise self._explain(error) from error

    def ask_each(self, statements: Sequence[Statement]) -> Found:
        """The rows of all statements together, in one round trip; without any there is none."""
        return [row for found in (self.ask_all(statements) if statements else ()) for row in found]

    def _asked_in_turn(self, statements: Sequence[Statement]) -> Iterator[Asked]:
        """Each statement, planned as it wants to be."""
        is_by_values = False
        for statement in statements:
            if isinstance(statement[0], PlannedAnew) is not is_by_values:
                is_by_values = not is_by_values
                self._asked(*_BY_VALUES if is_by_values else _BY_NONE)
            yield self._asked(*statement)
        if is_by_values:
            self._asked(*_BY_NONE)

    def _asked(self, statement: str, values: Sequence[object]) -> Asked:
        prepare = False if isinstance(statement, PlannedAnew) else None
        return self._db.execute(statement.encode(), values, binary=True, prepare=prepare)


def _rows(asked: Asked) -> Found:
    return asked.fetchall() if asked.description else []
