"""A second wall between tenants: row-level security, under a role that sees only what a caller may see.

A read on behalf of a caller (`ports/walls.py`) runs under the role `store.tenant_role`, and tells with its first
statement whose it is. Policies on every table then show what is of these namespaces and of the sessions in which they
speak; a caller who asks for more gets what he would get if it were not there. A collection is seen whole or not at all:
what is kept in memory of one is the same for all who see it.

Everything else (commits, what runs in the background, commands) uses the role of `store.url` and meets no policy:
policies are for the tenants' role alone. They hold whoever *inherits* from that role too, so that the role of
`store.url` may switch to it and must not inherit, unless it owns the tables.

- **One predicate.** Rows that belong to a collection are seen when `collections` shows it. The numbers of those that a
  read has looked up by name are noted in it (`met`): a look into an array for each row, instead of a lookup. Only what
  names no collection goes by the lookup.
- **Operators that are not leakproof** (`&&` and `@>` of arrays) cannot use an index under a policy. Words are
  therefore looked up by functions of the owner's (`texts_with`), which ask the same predicate themselves.
- Nothing of it stands in a database whose store has no such role.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from psycopg import sql

from libravdb.adapters.postgres.keys import text_key, value_key
from libravdb.adapters.postgres.schema import SCHEMA as S
from libravdb.adapters.postgres.schema import Db, wait_for_steps
from libravdb.errors import StoreError
from libravdb.model.namespaces import ANY
from libravdb.ports.validation import to_json
from libravdb.ports.walls import Sight

MET = f"{S}.met"
"""Names a setting: the numbers of collections that this read has looked up by name, and so may see."""

NOTE_MET = f"set_config('{MET}', concat_ws(',', nullif(current_setting('{MET}', true), ''), c.id), true)"
"""Notes a row of `collections c` that was shown, as a column of what asks for it."""


# ── what a read tells ─────────────────────────────────────────────────────────────────────────────────────


def settings_of(sight: Sight, role: str) -> dict[str, str]:
    """What a transaction is told before anything is read in it: whose it is, and the role to read under."""
    exact = [name for name in sight.namespaces if ANY not in name]
    patterns = [name for name in sight.namespaces if ANY in name]
    return {
        f"{S}.namespaces": _array(map(text_key, exact)),
        f"{S}.namespaces_like": _array(map(_like, patterns)),
        f"{S}.owners": _array(map(value_key, exact)),
        f"{S}.owners_like": _array(map(_json_like, patterns)),
        f"{S}.sessions": _array(sight.sessions),
        MET: "",
        "role": role,
    }


def _array(values: Iterable[str]) -> str:
    """Texts as one text that the server reads as an array."""
    quoted = ('"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' for value in values)
    return "{" + ",".join(quoted) + "}"


def _like(pattern: str) -> str:
    """A pattern of names as LIKE takes it."""
    return "%".join(map(_literal, pattern.split(ANY)))


def _json_like(pattern: str) -> str:
    """The same of names as JSON writes them, in which `records.owner` stands."""
    return '"' + "%".join(_literal(to_json(part)[1:-1]) for part in pattern.split(ANY)) + '"'


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


# ── what is made once ─────────────────────────────────────────────────────────────────────────────────────


def _told(name: str) -> str:
    """A setting as an array; NULL, which lets nothing through, where nobody has told it."""
    return f"(SELECT nullif(current_setting('{S}.{name}', true), ''))::text[]"


def _fits(column: str) -> str:
    """A column is the key of a namespace of the caller's."""
    return f"({column} = ANY ({_told('namespaces')}) OR {column} LIKE ANY ({_told('namespaces_like')}))"


OWN_COLLECTIONS = f"ARRAY(SELECT c.id FROM {S}.collections c WHERE c.owner = ANY ({_told('namespaces')}))"
"""The numbers of the collections that belong to the namespaces of a caller, in a statement."""

_MET = f"(SELECT string_to_array(nullif(current_setting('{MET}', true), ''), ','))::integer[]"


def _spoken_in(session: str) -> str:
    """A session, by a column with its table: a bare name would mean that of the table inside."""
    return f"(EXISTS (SELECT FROM {S}.session_owners o WHERE o.session = {session}) OR {S}.speaks_in({session}))"


def _collected(table: str) -> str:
    """A row of a table that belongs to a collection."""
    return f"{table}.collection = ANY ({_MET}) OR {S}.shows({table}.collection)"


_SHOWN: Mapping[str, str] = {
    "session_owners": _fits("owner"),
    "collections": f"shared OR {_fits('owner')} OR (session IS NOT NULL AND {_spoken_in('collections.session')})"
    f" OR (owner IS NULL AND NOT shared AND {S}.stands_in(id))",
    **{table: _collected(table) for table in ("records", "texts", "words", "codes", "vectors")},
    **{table: _spoken_in(f"{table}.session") for table in ("edges", "journal")},
    "sessions": f"{_spoken_in('sessions.session')} OR {S}.leads_to(session)",
    "topics": f"kind = 3 OR (kind = 1 AND EXISTS (SELECT FROM {S}.collections c WHERE c.name = topics.name))"
    f" OR (kind = 2 AND ({_spoken_in('topics.name')} OR {S}.leads_to(name)))",
    "facts": "name IN ('analysis', 'reindexed')",
}
"""What the tenants' role sees of each table. Of tables that are missing here it sees nothing, but for `spaces`, which
tells of nobody."""

_FUNCTION = "LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp"
_SEEN = f"""ARRAY(
    SELECT c.id FROM {S}.collections c WHERE c.id = ANY (asked) AND (c.id = ANY ({_MET}) OR c.shared
      OR {_fits("c.owner")}
      OR (c.session IS NOT NULL AND {S}.speaks_in(c.session))
      OR (c.owner IS NULL AND NOT c.shared AND {S}.stands_in(c.id))))"""
"""Those of the collections `asked` that the caller may see, to a function that goes past the policies."""

_FUNCTIONS: Mapping[str, str] = {
    # Whether a collection is shown, by its own policy. It costs more than it says: whoever plans a statement takes the
    # numbers that were met to be enough, as they nearly always are, and plans as if there were no wall.
    "shows(asked integer)": f"""
RETURNS boolean LANGUAGE plpgsql STABLE COST 1 AS $$ BEGIN
  RETURN EXISTS (SELECT FROM {S}.collections c WHERE c.id = asked);
END $$""",
    # Whether a record of the caller's stands in a collection.
    "stands_in(asked integer)": f"""
RETURNS boolean {_FUNCTION} AS $$ BEGIN
  RETURN EXISTS (SELECT FROM {S}.records r WHERE r.collection = asked AND r.owner = ANY ({_told("owners")}))
    OR (cardinality({_told("owners_like")}) > 0 AND EXISTS (
      SELECT FROM {S}.records r WHERE r.collection = asked AND r.owner LIKE ANY ({_told("owners_like")})));
END $$""",
    # Whether a session went on under a name (`s~2` of `s`) under which the caller speaks: then its state tells where.
    "leads_to(asked text)": f"""
RETURNS boolean {_FUNCTION} AS $$ BEGIN
  RETURN EXISTS (SELECT FROM {S}.session_owners o
    WHERE o.session > asked || '~' AND o.session < asked || '~:' AND {_fits("o.owner")});
END $$""",
    # Whether the caller speaks in a session, or is about to: in it, or under the name that it went on as.
    "speaks_in(asked text)": rf"""
RETURNS boolean {_FUNCTION} AS $$ BEGIN
  RETURN asked = ANY ({_told("sessions")}) OR regexp_replace(asked, '~[0-9]+$', '') = ANY ({_told("sessions")})
    OR EXISTS (SELECT FROM {S}.session_owners o WHERE o.session = asked AND {_fits("o.owner")})
    OR EXISTS (SELECT FROM {S}.collections c
      WHERE c.session = asked AND ({_fits("c.owner")} OR {S}.stands_in(c.id)));
END $$""",
    # When the first record of all, whoever's, has to go: nobody is told; reads ask for what is due only then.
    "first_expiry()": f"""
RETURNS bigint {_FUNCTION} AS $$ BEGIN
  RETURN (SELECT min(expires) FROM {S}.records WHERE expires IS NOT NULL);
END $$""",
    # What has expired by a moment: who else's has, is looked at once for each collection.
    "expired(moment bigint)": f"""
RETURNS TABLE (collection integer, id text, expires bigint) {_FUNCTION} AS $$ DECLARE
  asked integer[] := ARRAY(SELECT DISTINCT r.collection FROM {S}.records r WHERE r.expires <= moment);
  seen integer[] := {_SEEN};
BEGIN
  RETURN QUERY SELECT r.collection, r.id, r.expires FROM {S}.records r
    WHERE r.collection = ANY (seen) AND r.expires <= moment;
END $$""",
    # Which texts of these collections hold any of these words: only of collections that the caller may see.
    "texts_with(asked integer[], wanted bigint[])": f"""
RETURNS TABLE (collection integer, digest bytea, length integer, bag bytea) {_FUNCTION} AS $$ DECLARE
  seen integer[] := {_SEEN};
BEGIN
  RETURN QUERY EXECUTE 'SELECT t.collection, t.digest, t.length, t.bag FROM {S}.texts t
    WHERE t.collection = ANY ($1) AND t.words && $2' USING seen, wanted;
END $$""",
    # How many texts of a collection hold any of the words with the same number; words and collections go in pairs.
    "texts_counted(numbers integer[], asked integer[], wanted bigint[])": f"""
RETURNS TABLE (number integer, texts bigint) {_FUNCTION} AS $$ DECLARE seen integer[] := {_SEEN}; BEGIN
  RETURN QUERY SELECT k.n, count(DISTINCT t.digest) FROM unnest(numbers, asked, wanted) k (n, collection, word)
    JOIN {S}.texts t ON t.collection = k.collection AND t.words @> ARRAY[k.word]
    WHERE t.collection = ANY (seen) GROUP BY k.n;
END $$""",
}
_GRANTED = (*_SHOWN, "spaces")
_EDITION = sha256("".join((*_SHOWN, *_SHOWN.values(), *_FUNCTIONS, *_FUNCTIONS.values())).encode()).hexdigest()[:16]
"""Tells a wall of another version from ours; it stands as a comment on each policy."""


def use_wall(db: Db, role: str, *, path: str) -> None:
    """See to it that reads under this role are held by the wall; raised, or raised anew, by whoever owns the tables.
    Raises when it is not whole: a store that was told to have one never goes without."""
    if role_problem(db, role) is None and wall_problem(db, role) is not None and _may_raise(db):
        raise_wall(db, role)
    refuse_without_wall(db, role, path=path)


def refuse_without_wall(db: Db, role: str, *, path: str) -> None:
    """Raise when the wall does not hold what is read under this role, or nothing can be read under it."""
    problem = role_problem(db, role) or wall_problem(db, role)
    if problem is not None:
        told, remedy = problem
        raise StoreError(path, told, remedy=remedy)


def raise_wall(db: Db, role: str) -> None:
    """Make the policies, and what they need, in one transaction, as the owner of the tables."""
    whose = sql.Identifier(role)
    with db.transaction():
        wait_for_steps(db)
        db.execute(f"SELECT set_config('role', pg_get_userbyid(({_OWNERS})), true)".encode())
        db.execute(sql.SQL(f"GRANT USAGE ON SCHEMA {S} TO {{}}").format(whose))
        for table in _SHOWN:
            for policy in ("everybody", "tenants"):
                db.execute(f"DROP POLICY IF EXISTS {policy} ON {S}.{table}".encode())
        for name, body in _FUNCTIONS.items():
            kinds = re.sub(r"\w+ (?=integer|bigint|text)", "", name)
            db.execute(f"DROP FUNCTION IF EXISTS {S}.{kinds}".encode())  # another version's may return something else
            db.execute(f"CREATE FUNCTION {S}.{name} {body}".encode())
            db.execute(f"REVOKE ALL ON FUNCTION {S}.{kinds} FROM PUBLIC".encode())
            db.execute(sql.SQL(f"GRANT EXECUTE ON FUNCTION {S}.{kinds} TO {{}}").format(whose))
        for table in _GRANTED:
            db.execute(sql.SQL(f"GRANT SELECT ON {S}.{table} TO {{}}").format(whose))
        for table, shown in _SHOWN.items():
            for statement in (
                f"ALTER TABLE {S}.{table} ENABLE ROW LEVEL SECURITY",
                f"CREATE POLICY everybody ON {S}.{table} USING (TRUE) WITH CHECK (TRUE)",
                f"CREATE POLICY tenants ON {S}.{table} AS RESTRICTIVE TO {{}} USING ({shown})",
                f"COMMENT ON POLICY tenants ON {S}.{table} IS '{_EDITION}'",
            ):
                db.execute(sql.SQL(statement).format(whose))  # of constants alone


def role_problem(db: Db, role: str) -> tuple[str, str] | None:
    """What keeps the role from being used, and the remedy; None when nothing does."""
    has_options = db.info.server_version >= _OPTIONS_SINCE
    asked = _ROLE.format(switch="SET" if has_options else "MEMBER")
    found: Any = db.execute(asked.encode(), {"role": role}).fetchone()
    user = db.info.user
    apart = " WITH INHERIT FALSE, SET TRUE" if has_options else f'; ALTER ROLE "{user}" NOINHERIT'
    grant = f'GRANT "{role}" TO "{user}"{apart}.'
    if found is None:
        make = f'Run as a superuser: CREATE ROLE "{role}" NOLOGIN; {grant}'
        return f"has no role {role!r}, which store.tenant_role names", make
    may_switch, sees_all, is_self, is_owner, is_held = found
    if sees_all or is_self or is_owner:
        why = (
            "is a superuser or has BYPASSRLS"
            if sees_all
            else "is the user of store.url itself"
            if is_self
            else "owns the tables or is a member of who does"
        )
        another = "Name another one there, of its own and with no rights: docs/postgres.md, Tenants, makes it."
        return f"the role {role!r} (store.tenant_role) {why}: no wall holds it", another
    if not may_switch:
        told = f"the user of store.url may not switch to the role {role!r} (store.tenant_role)"
        return told, f"Run as a superuser: {grant}"
    if is_held:
        told = f"the user of store.url inherits from the role {role!r} (store.tenant_role), and is held by the wall too"
        return told, f"Run as a superuser: {grant}"
    return None


def wall_problem(db: Db, role: str) -> tuple[str, str] | None:
    """What is missing of the wall, and the remedy; None when it is whole, and ours."""
    rows = db.execute(_RAISED.encode(), {"role": role, "tables": list(_SHOWN), "edition": _EDITION}).fetchall()
    missing = sorted(_SHOWN.keys() - {table for (table,) in rows})
    if not missing:
        return None
    told = f"has no row-level security for the role {role!r} (store.tenant_role) on {', '.join(missing)}"
    return told, "Open the store once as the owner of the tables, with the same store.tenant_role."


def _may_raise(db: Db) -> bool:
    found = db.execute(_MAY_RAISE.encode()).fetchone()
    return found is not None and bool(found[0])


_OWNERS = f"SELECT relowner FROM pg_class WHERE oid = '{S}.collections'::regclass"

OWNER = f"SELECT pg_get_userbyid(({_OWNERS}))"
"""Who owns the tables, and is held by no policy."""

_MAY_RAISE = f"SELECT pg_has_role(({_OWNERS}), 'MEMBER')"

_OPTIONS_SINCE = (
    160_000  # from this version on a member may switch to a role without having its rights, and so policies
)

_ROLE = f"""
SELECT pg_has_role(r.oid, '{{switch}}'), r.rolsuper OR r.rolbypassrls, r.rolname = current_user,
  pg_has_role(r.oid, ({_OWNERS}), 'USAGE'),
  pg_has_role(r.oid, 'USAGE') AND NOT pg_has_role(({_OWNERS}), 'USAGE')
FROM pg_roles r WHERE r.rolname = %(role)s
"""

_RAISED = f"""
SELECT c.relname FROM pg_class c
JOIN pg_policy p ON p.polrelid = c.oid AND p.polname = 'tenants' AND NOT p.polpermissive
WHERE c.relnamespace = '{S}'::regnamespace AND c.relname = ANY (%(tables)s) AND c.relrowsecurity
  AND p.polroles = ARRAY(SELECT oid FROM pg_roles WHERE rolname = %(role)s)
  AND obj_description(p.oid, 'pg_policy') = %(edition)s
  AND has_table_privilege(%(role)s, c.oid, 'SELECT')
"""
