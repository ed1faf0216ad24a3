"""Where the conversations of a benchmark are kept: in a file, or in a database made for them and dropped afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from tests.postgres.server import Server, execute, missing_parts

from libravdb.config import StoreSettings

FILE = "file"
POSTGRESQL = "postgresql"
STORES = f"'{FILE}', '{POSTGRESQL}' (a server is started for it), or the URL of a server on which databases may be made"


@contextmanager
def fresh_store(where: str = FILE) -> Iterator[StoreSettings]:
    """What opens an empty store, which goes away afterwards."""
    if where == FILE:
        with tempfile.TemporaryDirectory() as folder:
            yield StoreSettings(path=Path(folder) / "bench.libravdb")
    elif where == POSTGRESQL:
        if missing := missing_parts():
            raise SystemExit(missing)
        server = Server()
        try:
            yield StoreSettings(url=server.create_database())
        finally:
            server.close()
    elif where.startswith(("postgresql://", "postgres://")):
        with _database_beside(where) as url:
            yield StoreSettings(url=url)
    else:
        raise SystemExit(f"No such store: {where}. Say {STORES}.")


@contextmanager
def _database_beside(url: str) -> Iterator[str]:
    """A database on the server of a URL."""
    address, mark, options = url.partition("?")
    name = f"libravdb_bench_{token_hex(4)}"
    execute(url, f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    try:
        yield f"{address.rpartition('/')[0]}/{name}{mark}{options}"
    finally:
        execute(url, f"DROP DATABASE {name}")
