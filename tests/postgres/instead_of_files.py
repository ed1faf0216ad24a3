"""Databases in the place of files: with TEST_STORE=postgres tests of the engine run over PostgreSQL.

A test opens a store by the path of a file (`tests.support.open_file_store`), and may open it again, or twice. So a path
stands for a database until its test is over, or its example of a property, and whatever opened it is closed; then the
database is wiped, and lent again.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis.control import BuildContext, current_build_context, currently_in_test_context
from tests.postgres.server import missing_parts

from libravdb.ports.store import Store

if TYPE_CHECKING:
    from tests.postgres.stores import StoreOfPath


@dataclass
class _Loan:
    """A database, the test that it was lent to, the example which that was at (fixtures are at none), and the stores
    that were opened in it."""

    url: str
    test: str
    example: BuildContext | None
    stores: list[StoreOfPath] = field(default_factory=list)

    def is_over(self, path: Path, test: str, example: BuildContext | None) -> bool:
        """Whether another test, or another example, means that nobody comes back; a fixture may serve several tests."""
        has_gone_on = self.test != test or self.example not in (None, example)
        return not path.parent.exists() or (has_gone_on and not any(store.is_open for store in self.stores))


_LENT: dict[Path, _Loan] = {}
_FREE: list[str] = []


def is_asked_for() -> bool:
    """Whether tests shall use PostgreSQL where they would use a file; those of this folder say themselves what they
    use."""
    is_ours = os.environ.get("PYTEST_CURRENT_TEST", "").startswith("tests/postgres/")
    return os.environ.get("TEST_STORE") == "postgres" and not is_ours


def open_instead(path: Path) -> Store:
    """The store in the database that stands for a file."""
    if missing := missing_parts():
        pytest.skip(missing)
    from tests.postgres.server import shared_server  # noqa: PLC0415  they need the driver
    from tests.postgres.stores import StoreOfPath, create_store_database, wipe  # noqa: PLC0415

    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    example = current_build_context() if currently_in_test_context() else None
    for other, loan in list(_LENT.items()):
        if loan.is_over(other, test, example):
            del _LENT[other]
            shared_server().sever_connections(loan.url)  # whoever left it open
            wipe(loan.url)
            _FREE.append(loan.url)
    if path not in _LENT:
        _LENT[path] = _Loan(_FREE.pop() if _FREE else create_store_database(), test, example)
    opened = StoreOfPath(_LENT[path].url)
    _LENT[path].stores.append(opened)
    return opened
