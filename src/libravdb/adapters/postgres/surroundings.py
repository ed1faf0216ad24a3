"""What a store in a database needs around it: a server that answers and is new enough, with a
database that can hold every text and in which the tables are, or may be made."""

from __future__ import annotations

import psycopg

from libravdb.adapters.postgres.connection import Address
from libravdb.adapters.postgres.schema import SCHEMA, beginning_problem, unfitness
from libravdb.adapters.postgres.tenants import OWNER, role_problem, wall_problem
from libravdb.model import Health, HealthCheck


def check_server(url: str) -> HealthCheck:
    """Whether the server answers and can do what the store asks of it. Nothing is made there."""
    address = Address(url)
    try:
        with address.connect() as db:
            version = db.info.server_version // 10_000
            problem = unfitness(db) or beginning_problem(db)
    except psycopg.Error as error:
        raise address.explain(error) from error
    if problem is not None:
        told, remedy = problem
        return HealthCheck(name="database", health=Health.BAD, detail=f"{address.shown} {told}", remedy=remedy)
    return HealthCheck(name="database", health=Health.GOOD, detail=f"{address.shown} answers: PostgreSQL {version}")


def check_tenants(url: str, role: str) -> HealthCheck:
    """Whether the second wall stands that `store.tenant_role` asks for. Nothing is made there."""
    if not has_tables(url):
        detail = f"row-level security under the role {role!r} comes with the first start"
        return HealthCheck(name="tenants", health=Health.NOTICE, detail=detail)
    address = Address(url)
    try:
        with address.connect() as db:
            problem = role_problem(db, role) or wall_problem(db, role)
            user, owner = db.info.user, db.execute(OWNER.encode()).fetchone()
    except psycopg.Error as error:
        raise address.explain(error) from error
    if problem is not None:
        told, remedy = problem
        return HealthCheck(name="tenants", health=Health.BAD, detail=f"{address.shown} {told}", remedy=remedy)
    detail = f"row-level security holds what is read for limited tokens, under the role {role!r}"
    if owner is not None and owner[0] != user:
        detail += f"; pg_dump has to run as {owner[0]!r}, who owns the tables"
    return HealthCheck(name="tenants", health=Health.GOOD, detail=detail)


def has_tables(url: str) -> bool:
    """Whether there is a store in the database already. Nothing is made there."""
    address = Address(url)
    try:
        with address.connect() as db:
            found = db.execute("SELECT to_regclass(%s) IS NOT NULL", (f"{SCHEMA}.facts",)).fetchone()
    except psycopg.Error as error:
        raise address.explain(error) from error
    return bool(found and found[0])
