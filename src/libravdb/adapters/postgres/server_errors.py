"""PostgreSQL's errors in our words: what happened, and what to do. No password ever stands in them."""

from __future__ import annotations

import re
from urllib.parse import quote

import psycopg

from libravdb.errors import LibraError, StoreBusy, StoreCorrupt, StoreError, StoreFull, StoreUnwritable

_AGAIN = ("40001", "40P01")
"""Somebody else was faster, or two waited for one another: the same again succeeds."""

_GONE = ("57P01", "57P02", "57P03", "57P05", "25P03", "08000", "08001", "08003", "08004", "08006")
"""The server shut down, is starting, or let go of the connection."""

_FORGOTTEN = ("26000", "42P05")
"""A pooler between us and the server gave us another connection: what was prepared is not known there."""

_LOCKED = "55P03"
"""A lock was waited for too long."""

_POOLER = "08P01"
"""A pooler refuses what was asked of it, or lost its own connection ("server conn crashed?")."""

_SAID = {
    "28000": re.compile(r"authentication failed|no password supplied|no pg_hba\.conf entry|role .* does not exist"),
    "3D000": re.compile(r"database .* does not exist"),
    "53300": re.compile(r"too many (clients|connections)|remaining connection slots"),
    _POOLER: re.compile(r"unsupported startup parameter"),
}
"""What a server says that refuses a connection: only the text of that reaches us, and not its code."""

NO_ROLE = "42501 role"
"""Ours, for a role that may not be switched to, or is not there any more."""

_NEVER_MADE = ("connection failed", "connection is bad", "failed to resolve", "connection timeout")
"""How an error begins that says that no connection could be made."""


def is_worth_repeating(error: psycopg.Error) -> bool:
    """Whether the same transaction may simply be run again."""
    return error.sqlstate in _AGAIN


def state_of(error: psycopg.Error) -> str | None:
    """The code of an error (SQLSTATE); None when the connection is gone and nobody gave one."""
    if error.sqlstate is None and isinstance(error, psycopg.OperationalError):
        return next((state for state, said in _SAID.items() if said.search(str(error))), None)
    if error.sqlstate in ("42501", "22023") and error.diag.source_function == "call_string_check_hook":
        return NO_ROLE  # of what we set, the server refuses the role alone
    if isinstance(error, psycopg.errors.FeatureNotSupported) and "during recovery" in str(error):
        return "25006"  # a replica that is asked to begin a write
    return error.sqlstate


def is_lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone; nobody knows then whether what was sent last was done."""
    state = state_of(error)
    if state is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return state in _GONE or (state == _POOLER and not _SAID[_POOLER].search(str(error)))


def is_forgotten(error: psycopg.Error) -> bool:
    """Whether a prepared statement was not known any more."""
    return error.sqlstate in _FORGOTTEN


def explain(error: psycopg.Error, path: str, *, secret: str = "") -> LibraError:
    """The server's error as one of ours, with what to do."""
    told = _told(error, secret)
    state = state_of(error) or ""
    if is_lost(error) and str(error).startswith(_NEVER_MADE):
        return StoreError(
            path,
            f"cannot be reached ({told})",
            remedy="Check that the server runs, that store.url names it, and that this machine may connect to it.",
        )
    if is_lost(error):
        return StoreError(
            path,
            f"the connection was lost ({told})",
            remedy="Repeat what was asked; if it goes on, check that the server runs.",
        )
    if state == _LOCKED and not error.diag.context:  # no row: it would be named there
        return StoreBusy(
            path,
            "somebody works on the whole of it, for example indexes all words anew or drops vectors, and lets nobody"
            f" else write; nothing was written ({told})",
            remedy="Try again when that is done; pg_stat_activity on the server shows who it is.",
        )
    for prefix, (kind, problem, remedy) in _EXPLAINED.items():
        if state.startswith(prefix):
            return kind(path, problem.format(told=told), remedy=remedy)
    return StoreError(path, told, remedy="Run 'libravdb fsck' to check the store; the server's log may tell more.")


def _told(error: psycopg.Error, secret: str) -> str:
    """The first line of what the server said, without the password."""
    primary = error.diag.message_primary or str(error).strip().partition("\n")[0] or type(error).__name__
    for hidden in {secret, quote(secret, safe="")} - {""}:
        primary = primary.replace(hidden, "***")
    return primary


_EXPLAINED: dict[str, tuple[type[StoreError], str, str]] = {
    "28": (
        StoreError,
        "refused the login ({told})",
        "Check the user and the password of store.url, or put the password into ~/.pgpass.",
    ),
    "3D": (StoreError, "has no such database ({told})", "Make it with 'createdb', or name another one in store.url."),
    NO_ROLE: (
        StoreError,
        "the user of store.url may not use the role of store.tenant_role any more ({told})",
        "Grant it again: GRANT … TO … WITH INHERIT FALSE, SET TRUE; 'libravdb doctor' writes the command.",
    ),
    "42501": (
        StoreUnwritable,
        "the user of store.url has no right to do that ({told})",
        "Let the user own the schema: GRANT CREATE ON DATABASE … TO …; on the first start it makes the tables.",
    ),
    "25006": (
        StoreUnwritable,
        "is read-only, as a replica is ({told})",
        "Name the primary in store.url, or all servers with target_session_attrs=read-write.",
    ),
    "53100": (
        StoreFull,
        "the disk of the server is full; this write was undone, all earlier ones are safe",
        "Free some space there and try again.",
    ),
    "53300": (
        StoreBusy,
        "has no connection left ({told})",
        "Raise max_connections there, put a pooler before it, or stop what is not needed.",
    ),
    "53": (StoreBusy, "has no room for that right now ({told})", "Look at the memory and the limits of the server."),
    "55P03": (StoreBusy, "somebody else holds what is needed ({told})", "Wait for them to finish, and try again."),
    "08P01": (
        StoreError,
        "a pooler before the server refuses what the URL asks for ({told})",
        "Take 'options' out of store.url and set it for the role on the server (ALTER ROLE … SET …).",
    ),
    "25P04": (
        StoreBusy,
        "took longer than allowed, and was undone ({told})",
        "Try again with less at once; if it goes on, look at the load of the server, and at whoever holds locks there.",
    ),
    "57014": (
        StoreBusy,
        "took longer than allowed, and was stopped ({told})",
        "Try again; if it goes on, look at the load of the server, and at whoever holds locks there.",
    ),
    "40": (StoreBusy, "others wrote the same at the same time, again and again ({told})", "Try again."),
    "3F": (StoreError, "its tables are gone ({told})", "Restart whoever has the store open, or restore a backup."),
    "42P01": (StoreError, "its tables are gone ({told})", "Restart whoever has the store open, or restore a backup."),
    "58": (StoreError, "the disk of the server failed ({told})", "Look at the log of the server."),
    "XX001": (StoreCorrupt, "is damaged ({told})", "Restore the newest backup made by 'pg_dump', or use a replica."),
    "XX002": (StoreCorrupt, "is damaged ({told})", "Run REINDEX DATABASE; then 'libravdb fsck'."),
}
"""By the beginning of the code (SQLSTATE), the longest first where two fit."""
