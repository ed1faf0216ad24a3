"""Deleted rows: who may remove them from the pages of the tables, who can still read them, and whether all are gone.

A row stays for as long as somebody's older snapshot sees it, whatever is vacuumed, and nobody may look at it. But the
server vouches that no row in the pages of a table names a transaction before its `relfrozenxid`, neither as its writer
nor as its deleter, and a vacuum that freezes brings that number forward to the oldest one that anybody still needs. So
a table whose number is past a deletion holds nothing of it. Every role may read that; nobody is held up for it.
"""

from __future__ import annotations

import time
from contextlib import suppress

from psycopg.errors import LockNotAvailable

from libravdb.adapters.postgres.schema import SCHEMA as S
from libravdb.adapters.postgres.schema import Db
from libravdb.errors import StoreBusy, StoreUnwritable
from libravdb.model import ErasureCheck

PATIENCE_SECONDS = 10.0
"""How long is waited for those who can still read what was deleted."""

_PAUSE = 0.2
_ROUNDS = 3  # whoever connects with an older snapshot, as a replica may, holds up the tables that come after it
_MOST_TOLD = 5
_MAINTAIN_SINCE = 170_000
_PROBE = "migrations"  # small, and nobody writes to it: what a vacuum reaches there it reaches everywhere


def refuse_unable(db: Db, *, path: str) -> None:
    """Raise when a deletion of this moment could not be wiped: a right is missing, or somebody would read it on."""
    if forbidden := _forbidden(db):
        raise StoreUnwritable(
            path, f"{_told_forbidden(forbidden)}; nothing was deleted", remedy=_remedy(db.info.server_version)
        )
    mark = _mark(db)
    if not _is_out_of_reach(db, mark):
        raise StoreBusy(
            path,
            f"what is deleted now could still be read by {_holders(db, mark)}; nothing was deleted",
            remedy="Wait until that has ended, or end it, then repeat the command.",
        )


def wipe(db: Db) -> ErasureCheck:
    """Vacuum all tables, outside of any transaction, and look whether a row is left that was deleted before."""
    if forbidden := _forbidden(db):
        return _left(_told_forbidden(forbidden))
    mark = _mark(db)
    for _ in range(_ROUNDS):
        behind = _behind(db, mark)
        if not behind or not _is_out_of_reach(db, mark):
            break
        for table in behind:
            with suppress(LockNotAvailable):  # another vacuum has it: the next round
                _vacuum(db, table)
    if left := _behind(db, mark):
        return _left(f"{len(left):,} tables hold what was deleted: it can still be read by {_holders(db, mark)}")
    return ErasureCheck(name="tables", is_passed=True, detail="all were vacuumed, and no row deleted before is in them")


def _left(detail: str) -> ErasureCheck:
    return ErasureCheck(name="tables", is_passed=False, detail=detail)


def _vacuum(db: Db, table: str) -> None:
    db.execute(f'VACUUM (FREEZE, INDEX_CLEANUP ON) {S}."{table}"'.encode())


def _mark(db: Db) -> str:
    """The number before which all transactions lie that have ended by now."""
    return _texts(db, "SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::text")[0]


def _behind(db: Db, mark: str) -> list[str]:
    """The tables that may hold rows deleted before this mark, in their own pages or those of their long values."""
    return _texts(db, _BEHIND, mark, mark)


def _is_out_of_reach(db: Db, mark: str) -> bool:
    """Whether nobody can read any more what was deleted before this mark; waited for a while."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        _vacuum(db, _PROBE)
        if _PROBE not in _behind(db, mark):
            return True
        if time.monotonic() > until:
            return False
        time.sleep(_PAUSE)


def _holders(db: Db, mark: str) -> str:
    """Who still reads what was there before this mark, the oldest first."""
    told = _texts(db, _HOLDERS, mark)
    more = [f"{len(told) - _MOST_TOLD:,} more"] if len(told) > _MOST_TOLD else []
    return "; ".join([*told[:_MOST_TOLD], *more]) or "somebody who has ended since"


# ── rights ────────────────────────────────────────────────────────────────────────────────────────────────


def _forbidden(db: Db) -> list[str]:
    """The tables that this role may not vacuum: the server would skip them with no more than a warning."""
    is_granted = db.info.server_version >= _MAINTAIN_SINCE
    right = "has_table_privilege(c.oid, 'MAINTAIN')" if is_granted else "pg_has_role(c.relowner, 'USAGE')"
    return _texts(db, _FORBIDDEN.replace("{right}", right))


def _told_forbidden(tables: list[str]) -> str:
    more = f" and {len(tables) - 1:,} more" if len(tables) > 1 else ""
    return f"the user of store.url may not vacuum the tables ({tables[0]}{more})"


def _remedy(version: int) -> str:
    owner = "let the owner of the tables do it"
    if version < _MAINTAIN_SINCE:
        return f"{owner.capitalize()}: only the owner may vacuum before PostgreSQL 17."
    return f"GRANT MAINTAIN ON ALL TABLES IN SCHEMA {S} to that user, or {owner}."


def _texts(db: Db, question: str, *values: str) -> list[str]:
    return [str(text) for (text,) in db.execute(question.encode(), values).fetchall()]


_TABLES = f"""
FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_class long ON long.oid = c.reltoastrelid
WHERE c.relnamespace = to_regnamespace('{S}') AND c.relkind = 'r'
"""

_BEHIND = f"""
SELECT c.relname {_TABLES}
AND (age(c.relfrozenxid) > age(%s::text::xid) OR age(long.relfrozenxid) > age(%s::text::xid)) ORDER BY c.relname
"""

_FORBIDDEN = f"""
SELECT c.relname {_TABLES} AND NOT {{right}} AND NOT EXISTS (
  SELECT 1 FROM pg_catalog.pg_database d WHERE d.datname = current_database() AND pg_has_role(d.datdba, 'USAGE')
) ORDER BY c.relname
"""

# A snapshot of this database counts, and a transaction that writes in any: snapshots taken beside it remember it. Those
# who vacuum have snapshots too, which hold up nothing.
_HOLDERS = """
WITH held (age, told, since) AS (
  SELECT greatest(age(backend_xid), age(backend_xmin)),
    format('process %%s (%%s of %%s)', pid, coalesce(nullif(application_name, ''), 'a program'),
      coalesce(usename, 'the server')),
    coalesce(to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
      'a time that only a role with pg_read_all_stats may see')
  FROM pg_catalog.pg_stat_activity a
  WHERE pid <> pg_backend_pid() AND pid NOT IN (SELECT pid FROM pg_catalog.pg_stat_progress_vacuum)
    AND (backend_xid IS NOT NULL OR datid IS NULL OR datname = current_database())
  UNION ALL
  SELECT age(xmin), format('replication slot %%s', slot_name), 'its replica is behind'
  FROM pg_catalog.pg_replication_slots
  UNION ALL
  SELECT age(transaction), format('prepared transaction %%L of %%s', gid, owner),
    to_char(prepared AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
  FROM pg_catalog.pg_prepared_xacts
)
SELECT told || ' since ' || since FROM held WHERE age > age(%s::text::xid) ORDER BY age DESC
"""
