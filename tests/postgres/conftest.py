"""Every test of this folder has a real PostgreSQL, or is skipped with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.postgres.server import Server, execute, fresh_database, missing_parts, shared_server

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.postgres)


@pytest.fixture
def server() -> Server:
    """The server of this run: quick, and shared by all tests."""
    return shared_server()


@pytest.fixture
def database(server: Server) -> Iterator[str]:  # noqa: ARG001  it says why a test is skipped
    """The URL of a fresh database."""
    with fresh_database() as url:
        yield url


@pytest.fixture
def roles(database: str, server: Server) -> Iterator[dict[str, str]]:
    """An owner of the tables (`own`), a role of the daemons (`run`) and one of the tenants (`see`) for a database in
    which nothing is yet; gone with it."""
    schema = "libravdb"
    names = {kind: f"{kind}_{database.partition('?')[0].rpartition('/')[2]}" for kind in ("own", "run", "see")}
    for kind, name in names.items():
        execute(database, f"CREATE ROLE {name} {'NOLOGIN' if kind == 'see' else 'LOGIN'}")
    execute(database, f"CREATE SCHEMA {schema} AUTHORIZATION {names['own']}")
    execute(database, f"GRANT USAGE ON SCHEMA {schema} TO {names['run']}")
    for rights, things in (("SELECT, INSERT, UPDATE, DELETE", "TABLES"), ("USAGE, SELECT, UPDATE", "SEQUENCES")):
        execute(
            database,
            f"ALTER DEFAULT PRIVILEGES FOR ROLE {names['own']} IN SCHEMA {schema} GRANT {rights} ON {things}"
            f" TO {names['run']}",
        )
    yield names
    server.drop_database(database)
    for name in names.values():
        execute(server.url(), f"DROP ROLE {name}")


@pytest.fixture
def durable_server() -> Iterator[Server]:
    """A server of its own that keeps what it promised: to be killed, stopped and started again."""
    if missing := missing_parts():
        pytest.skip(missing)
    own = Server(is_durable=True)
    yield own
    own.close()
