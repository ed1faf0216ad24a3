"""What a store in a database needs around it: a server that answers, and is new enough."""

from __future__ import annotations

import psycopg

from libravdb.adapters.postgres.connection import Address
from libravdb.adapters.postgres.schema import OLDEST_SERVER, SCHEMA
from libravdb.model import Health, HealthCheck


def check_server(url: str) -> HealthCheck:
    """Whether the server answers and can do what the store asks of it. Nothing is made there."""
    address = Address(url)
    try:
        with address.connect() as db:
            version = db.info.server_version // 10_000
    except psycopg.Error as error:
        raise address.explain(error) from error
    if version < OLDEST_SERVER:
        detail, remedy = f"{address.shown}: PostgreSQL {version}", f"Use PostgreSQL {OLDEST_SERVER} or newer."
        return HealthCheck(name="database", health=Health.BAD, detail=detail, remedy=remedy)
    return HealthCheck(name="database", health=Health.GOOD, detail=f"{address.shown} answers: PostgreSQL {version}")


def has_tables(url: str) -> bool:
    """Whether there is a store in the database already. Nothing is made there."""
    address = Address(url)
    try:
        with address.connect() as db:
            found = db.execute("SELECT to_regclass(%s) IS NOT NULL", (f"{SCHEMA}.facts",)).fetchone()
    except psycopg.Error as error:
        raise address.explain(error) from error
    return bool(found and found[0])
