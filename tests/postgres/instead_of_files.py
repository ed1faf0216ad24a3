"""Databases in the place of files: with LIBRAVDB_TEST_STORE=postgres the tests of the engine run over PostgreSQL.

A test opens a store by the path of a file, and may open it again, or twice. So a path stands for a database as long as
its test runs; then the database is wiped, and lent to another one.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.postgres.server import missing_parts

from libravdb.ports.store import Store

_LENT: dict[Path, tuple[str, str]] = {}
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
    from tests.postgres.stores import wipe  # noqa: PLC0415

    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    for other, (url, owner) in list(_LENT.items()):
        if owner != test or not other.parent.exists():
            del _LENT[other]
            shared_server().sever_connections(url)  # an engine may still write what nobody waits for
            wipe(url)
            _FREE.append(url)
    if path not in _LENT:
        _LENT[path] = (_FREE.pop() if _FREE else shared_server().create_database(), test)
    return _LENT[path][0]
