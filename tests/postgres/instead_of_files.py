"""Databases in the place of files: with LIBRAVDB_TEST_STORE=postgres tests of the engine run over PostgreSQL.

A test opens a store by the path of a file (`tests.support.open_file_store`), and may open it again, or twice. So a path
stands for a database as long as its test runs, or one example of a property; then the database is wiped, and lent anew.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis.control import BuildContext, current_build_context, currently_in_test_context
from tests.postgres.server import missing_parts

from libravdb.ports.store import Store


class _Borrower(NamedTuple):
    """A test, and the example it is at, which its fixtures know nothing of."""

    test: str
    example: BuildContext | None

    def is_over(self, now: _Borrower) -> bool:
        return self.test != now.test or self.example not in (None, now.example)


_LENT: dict[Path, tuple[str, _Borrower]] = {}
_FREE: list[str] = []


def is_asked_for() -> bool:
    """Whether tests shall use PostgreSQL where they would use a file."""
    return os.environ.get("LIBRAVDB_TEST_STORE") == "postgres"


def open_instead(path: Path) -> Store:
    """The store in the database that stands for a file."""
    if missing := missing_parts():
        pytest.skip(missing)
    from libravdb.adapters.postgres.store import PostgresStore  # noqa: PLC0415  it needs the driver

    return PostgresStore(_database_for(path))


def _database_for(path: Path) -> str:
    from tests.postgres.server import shared_server  # noqa: PLC0415
    from tests.postgres.stores import create_store_database, wipe  # noqa: PLC0415

    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    now = _Borrower(test, current_build_context() if currently_in_test_context() else None)
    for other, (url, borrower) in list(_LENT.items()):
        if borrower.is_over(now) or not other.parent.exists():
            del _LENT[other]
            shared_server().sever_connections(url)  # an engine may still write what nobody waits for
            wipe(url)
            _FREE.append(url)
    if path not in _LENT:
        _LENT[path] = (_FREE.pop() if _FREE else create_store_database(), now)
    return _LENT[path][0]
