"""Empty stores in PostgreSQL for tests: a database is wiped when its store is closed, and lent again.

To make its tables takes half a second of the server, to copy a database that has them a sixth, to wipe one a fiftieth.
"""

from __future__ import annotations

from functools import cache
from secrets import token_hex
from typing import Any

from tests.postgres.server import execute, shared_server

from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.store import PostgresStore

_FREE: list[str] = []
_PARTITIONED = "records texts words codes vectors"
_TABLES = "topics commits collections spaces sessions session_owners edges journal copies facts"
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


class StoreOfPath(PostgresStore):
    """A store in the database that stands for a file; tells whether somebody uses it still."""

    is_open = True

    def close(self) -> None:
        """Let go of the server."""
        super().close()
        self.is_open = False


def open_lent(**more: Any) -> LentStore:
    """An empty store in a database of its own."""
    return LentStore(_FREE.pop() if _FREE else create_store_database(), **more)


def create_store_database() -> str:
    """A database with an empty store in it; its URL."""
    url = shared_server().create_database(template=_template())
    wipe(url)  # the template's identity is not its own
    return url


@cache
def _template() -> str:
    name = "template_store"
    shared_server().make_template(name, lambda url: PostgresStore(url).close())
    return name


def wipe(url: str) -> None:
    """Make a database of a store what it was when it was new, but for its identity."""
    parts = [_EMPTY_PARTITIONS]
    parts += [f"DELETE FROM {SCHEMA}.{table}" for table in _TABLES.split()]  # noqa: S608 - our own names
    parts += [f"SELECT setval('{SCHEMA}.{name}', 1, false)" for name in _SEQUENCES.split()]
    parts += [f"INSERT INTO {SCHEMA}.facts VALUES ('identity', '{token_hex(16)}'), ('analysis', '')"]  # noqa: S608
    execute(url, "; ".join(parts))


# Collection by collection, of all that there ever were: a statement that names none is planned for every partition.
_EMPTY_ONE = "; ".join(f"DELETE FROM {SCHEMA}.{table} WHERE collection = $" for table in _PARTITIONED.split())  # noqa: S608
_EMPTY_PARTITIONS = (
    f"DO $$ BEGIN FOR number IN 1..(SELECT last_value FROM {SCHEMA}.collections_seq)"  # noqa: S608 - our own names
    f" LOOP EXECUTE replace('{_EMPTY_ONE}', '$', number::text); END LOOP; END $$"
)
