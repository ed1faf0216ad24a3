"""Stores in PostgreSQL for tests: each in a database of its own, copied from one that has its tables already."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.postgres.server import Server, shared_server

from libravdb.adapters.postgres.store import PostgresStore

FILLED = "template_store"
"""The database that stores are copied from: with the tables of an empty store."""


class FreshStore(PostgresStore):
    """A store whose database is dropped when it is closed."""

    def __init__(self, **more: Any) -> None:
        self.server = _server_with_template()
        self.url = self.server.create_database(template=FILLED)
        self._is_there = True
        super().__init__(self.url, **more)

    def close(self) -> None:
        """Let go of the server, and drop the database."""
        super().close()
        if self._is_there:
            self._is_there = False
            self.server.drop_database(self.url)


@cache
def _server_with_template() -> Server:
    server = shared_server()
    server.make_template(FILLED, lambda url: PostgresStore(url).close())
    return server
