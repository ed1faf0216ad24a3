"""Empty stores in PostgreSQL for tests: a database is wiped when its store is closed, and lent again.

To make one anew takes a third of a second, to wipe one a hundredth.
"""

from __future__ import annotations

from secrets import token_hex
from typing import Any

from tests.postgres.server import execute, shared_server

from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.store import PostgresStore

_FREE: list[str] = []
_TABLES = (
    "topics commits collections records texts words spaces codes vectors sessions session_owners edges journal copies"
)
_SEQUENCES = "commits_seq records_seq texts_seq collections_seq spaces_id_seq journal_seq_seq"


class LentStore(PostgresStore):
    """A store in a database of its own, which is wiped when it is closed."""

    def __init__(self, url: str, **more: Any) -> None:
        self.url = url
        self._is_there = True
        super().__init__(url, **more)

    def close(self) -> None:
        """Let go of the server, and leave an empty database behind."""
        super().close()
        if self._is_there:
            self._is_there = False
            wipe(self.url)
            _FREE.append(self.url)


def open_lent(**more: Any) -> LentStore:
    """An empty store in a database of its own."""
    return LentStore(_FREE.pop() if _FREE else shared_server().create_database(), **more)


def wipe(url: str) -> None:
    """Make a database of a store what it was when it was new, but for its identity."""
    parts = [f"DELETE FROM {SCHEMA}.{table}" for table in _TABLES.split()]  # noqa: S608 - our own names
    parts += [f"ALTER SEQUENCE {SCHEMA}.{name} RESTART" for name in _SEQUENCES.split()]
    parts += [
        f"DELETE FROM {SCHEMA}.facts",  # noqa: S608 - our own names
        f"INSERT INTO {SCHEMA}.facts VALUES ('identity', '{token_hex(16)}'), ('analysis', '')",  # noqa: S608
    ]
    execute(url, "; ".join(parts))
