"""The vector spaces of the store: one for each embedder that was ever in use.

Whoever changes which spaces there are, or which is in use, does so alone: every commit holds the lock of the spaces
together with others (`lookup.py`), so none is under way meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from libravdb.adapters.postgres import commits, queries
from libravdb.adapters.postgres.commits import NEXT_NUMBER, NUMBER
from libravdb.adapters.postgres.database import Database
from libravdb.adapters.postgres.known import other_dimensions
from libravdb.adapters.postgres.read_transaction import ReadTransaction
from libravdb.adapters.postgres.request import KINDS, Attach
from libravdb.adapters.postgres.schema import LOCK_SPACES, LOCKS, Db
from libravdb.adapters.postgres.schema import SCHEMA as S
from libravdb.adapters.postgres.transactions import Attempt
from libravdb.errors import InvalidInput, NotFound
from libravdb.model import SPACES, Embedding, Metadata, Space, SpaceState, StoredText
from libravdb.ports.store import NO_CONDITION
from libravdb.ports.validation import check_embedding, check_encodable, check_metadata, check_name, to_json

_MOST = 2**31 - 1


class PostgresSpaces:
    """Implements the port `VectorSpaces`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._complete: dict[int, int] = {}  # by space: of texts that arrived up to here, all have vectors

    def open(self, *, fingerprint: str, dimensions: int, description: Metadata) -> Space:
        """Make the space known: active when there is no active one, else building."""
        check_metadata(description)
        check_name("fingerprint", fingerprint)
        if dimensions < 1 or not fingerprint:
            raise InvalidInput("space", f"{fingerprint!r} with {dimensions} dimensions is not a vector space")
        written = to_json(description)
        self._change(lambda db: _open(db, fingerprint, dimensions, written))
        with self._database.reading() as db:
            known = queries.spaces(ReadTransaction(db, self._database.address.explain))
        return next(space for space in known if space.fingerprint == fingerprint)

    def activate(self, fingerprint: str) -> None:
        """Switch search over to this space; the one that was active is retired, and kept."""
        check_encodable(fingerprint=fingerprint)
        self._change(lambda db: _activate(db, fingerprint))

    def drop(self, fingerprint: str) -> None:
        """Delete a space that is not active, with its vectors."""
        check_encodable(fingerprint=fingerprint)
        self._change(lambda db: _drop(db, fingerprint))

    def missing(self, fingerprint: str, *, limit: int) -> tuple[StoredText, ...]:
        """Non-empty texts that have no vector in this space, oldest first."""
        check_encodable(fingerprint=fingerprint)
        with self._database.reading() as db:
            found = _space(db, fingerprint)
            space = found[0] if found else 0
            complete = self._complete.get(space, 0)
            rows = _unembedded(db, space, limit, after=complete)
            if not rows and complete:  # a commit of a lower number may have come to light later
                rows = _unembedded(db, space, limit, after=0)
        if rows:
            self._complete[space] = rows[0][0] - 1
        return tuple({address: StoredText(digest=address, text=text) for _, address, text in rows}.values())

    def add(self, items: Sequence[tuple[bytes, Embedding]]) -> int:
        """Attach vectors to texts by digest; texts that are gone are skipped."""
        for _, embedding in items:
            check_embedding(embedding)
        changes = [Attach(digest=bytes(address), embedding=embedding) for address, embedding in items]
        return commits.write(self._database.transactions, changes, NO_CONDITION).attached

    def sample(self, limit: int) -> tuple[StoredText, ...]:
        """Up to `limit` non-empty texts spread evenly over the store, oldest first."""
        if limit <= 0:
            return ()
        with self._database.reading() as db:
            found = db.execute(_SAMPLE.encode(), (min(limit, _MOST),), binary=True).fetchall()
        return tuple(StoredText(digest=address, text=text) for address, text in found)

    def _change(self, work: Callable[[Db], bool]) -> None:
        """Change the spaces, alone, in one commit; `work` tells whether anything changed."""

        def attempt(one: Attempt[None]) -> None:
            one.begin()
            one.check()
            one.db.execute(f"SELECT pg_advisory_xact_lock({LOCKS}, {LOCK_SPACES})".encode())
            if not work(one.db):
                return
            one.db.execute(NEXT_NUMBER)
            one.db.execute(_STAMP.encode())
            one.finish(lambda _: None, number=NUMBER)

        self._database.run(attempt)


def _open(db: Db, fingerprint: str, dimensions: int, description: str) -> bool:
    """A retired one that is opened again is built up again."""
    found = _space(db, fingerprint)
    is_first = db.execute(f"SELECT 1 FROM {S}.spaces WHERE state = 'active'".encode()).fetchone() is None
    state = SpaceState.ACTIVE if is_first else SpaceState.BUILDING
    if found is None:
        db.execute(
            f"INSERT INTO {S}.spaces (fingerprint, dimensions, description, state) VALUES (%s, %s, %s, %s)".encode(),
            (fingerprint, dimensions, description, state.value),
        )
        return True
    number, known, current = found
    if known != dimensions:
        raise other_dimensions(fingerprint, offered=dimensions, known=known)
    if current == SpaceState.RETIRED:
        db.execute(f"UPDATE {S}.spaces SET state = %s WHERE id = %s".encode(), (state.value, number))
        return True
    return False


def _activate(db: Db, fingerprint: str) -> bool:
    """Switch over in one step."""
    number, _, _ = _known_space(db, fingerprint)
    db.execute(
        f"UPDATE {S}.spaces SET state = 'retired', retired = (SELECT max(retired) + 1 FROM {S}.spaces)"
        " WHERE state = 'active' AND id <> %s".encode(),
        (number,),
    )
    db.execute(f"UPDATE {S}.spaces SET state = 'active' WHERE id = %s".encode(), (number,))
    return True


def _drop(db: Db, fingerprint: str) -> bool:
    number, _, state = _known_space(db, fingerprint)
    if state == SpaceState.ACTIVE:
        raise InvalidInput("fingerprint", f"{fingerprint} is the space in use", remedy="Activate another one first.")
    for table in ("codes", "vectors"):
        db.execute(f"DELETE FROM {S}.{table} WHERE space = %s".encode(), (number,))
    db.execute(f"DELETE FROM {S}.spaces WHERE id = %s".encode(), (number,))
    return True


def _space(db: Db, fingerprint: str) -> tuple[int, int, str] | None:
    """Its number, dimensions and state."""
    found = db.execute(
        f"SELECT id, dimensions, state FROM {S}.spaces WHERE fingerprint = %s".encode(), (fingerprint,)
    ).fetchone()
    return None if found is None else (found[0], found[1], found[2])


def _known_space(db: Db, fingerprint: str) -> tuple[int, int, str]:
    found = _space(db, fingerprint)
    if found is None:
        raise NotFound("vector space", fingerprint, remedy="'libravdb status' lists the spaces of a store.")
    return found


def _unembedded(db: Db, space: int, limit: int, *, after: int) -> list[tuple[int, bytes, str]]:
    found = db.execute(_UNEMBEDDED.encode(), (after, space, min(max(limit, 0), _MOST)), binary=True)
    return [(arrival, address, text) for arrival, address, text in found]


_STAMP = f"""
INSERT INTO {S}.topics AS t (kind, name, revision) VALUES ({KINDS[SPACES.kind]}, '', {NUMBER})
ON CONFLICT (kind, name) DO UPDATE SET revision = excluded.revision
"""

_UNEMBEDDED = f"""
SELECT DISTINCT ON (t.arrival) t.arrival, t.digest, t.body FROM {S}.texts t
WHERE NOT t.blank AND t.arrival > %s AND (
  SELECT 1 FROM {S}.codes c WHERE c.collection = t.collection AND c.space = %s AND c.digest = t.digest LIMIT 1
) IS NULL
ORDER BY t.arrival LIMIT %s
"""

_SAMPLE = f"""
WITH worthy AS (SELECT DISTINCT ON (arrival) arrival, digest, body FROM {S}.texts WHERE NOT blank ORDER BY arrival),
placed AS (
  SELECT arrival, digest, body, row_number() OVER (ORDER BY arrival) - 1 AS place, count(*) OVER () AS worthy
  FROM worthy
)
SELECT digest, body FROM placed WHERE place %% greatest(1, ceil(worthy::numeric / %s)::bigint) = 0 ORDER BY arrival
"""
