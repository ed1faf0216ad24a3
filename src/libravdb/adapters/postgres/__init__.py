"""A store in a PostgreSQL server that any number of daemons, programs and commands share.

    store (the port) ─► commits ─► changes (what a commit does, in memory) ─► writes (the difference, set by set)
         │                 └── connection (pool, retries, errors in our words) ── schema (the tables, as named steps)
         └────► snapshot (reads of one moment) · spaces · maintenance

The server keeps, the daemon ranks: no text is analysed there, and no extension of the server is needed. It needs the
extra `postgres`: whoever opens a store by a URL asks `require_extra` first.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from libravdb.errors import ExtraMissing


def require_extra() -> None:
    """Refuse with the remedy where the packages of the extra are not installed, or find no libpq. Loads them: whoever
    asks is about to use them."""
    needed_for = "a store in PostgreSQL (store.url)"
    if find_spec("psycopg") is None:
        raise ExtraMissing("postgres", needed_for=needed_for)
    try:
        import_module("psycopg")
    except ImportError as error:
        why = str(error).strip().partition("\n")[0].rstrip(":. ")
        raise ExtraMissing("postgres", needed_for=needed_for, why=why) from None
