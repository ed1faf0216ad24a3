"""What an operator asks of the database as a whole: its figures, its soundness, an index made anew."""

from __future__ import annotations

import shlex
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_bytes

import psycopg

from libravdb.adapters.postgres import erasure, integrity, vacuum
from libravdb.adapters.postgres.database import Database
from libravdb.adapters.postgres.reindexing import reindex
from libravdb.adapters.postgres.schema import MIGRATIONS, Db
from libravdb.adapters.postgres.schema import SCHEMA as S
from libravdb.adapters.postgres.tenants import OWNER, refuse_without_wall
from libravdb.errors import StoreCorrupt, StoreError, StoreUnwritable
from libravdb.model import (
    BackupCopy,
    DeletedContent,
    ErasureCheck,
    Finding,
    Revision,
    StoreCopy,
    StoreHealth,
    StoreStats,
)
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.store import Analyse
from libravdb.ports.validation import check_encodable

_RESTORE = "Restore the newest backup made by 'pg_dump', or switch to a sound replica."


class PostgresMaintenance:
    """Implements the port `Maintenance`."""

    makes_backups = False

    def __init__(self, database: Database, *, forget_read: Callable[[], None], tenant_role: str = "") -> None:
        self._database = database
        self._tenant_role = tenant_role
        self._forget_read = forget_read
        self._damage: StoreCorrupt | None = None
        self._checked_at = 0

    def stats(self) -> StoreStats:
        """Counts over the whole store. A text counts once, wherever it stands: costs a look at all of them."""
        with self._database.reading() as db:
            version = db.info.server_version
            return StoreStats(
                collections=_number(db, f"SELECT count(*) FROM {S}.collections"),
                records=_number(db, f"SELECT coalesce(sum(records), 0) FROM {S}.collections"),
                texts=_number(db, f"SELECT count(DISTINCT digest) FROM {S}.texts"),
                unembedded=_number(db, _UNEMBEDDED),
                edges=_number(db, f"SELECT count(*) FROM {S}.edges"),
                journal=_number(db, f"SELECT count(*) FROM {S}.journal"),
                sessions=_number(db, f"SELECT count(*) FROM {S}.sessions"),
                size_bytes=_number(db, _SIZE),
                versions={
                    "postgresql": f"{version // 10_000}.{version % 10_000}",
                    "analysis": _fact(db, "analysis"),
                    "format": MIGRATIONS[-1].__name__,
                },
            )

    def health(self) -> StoreHealth:
        """Whether the server takes writes right now, and if not, why and what to do."""
        self._database.refuse_unusable()
        try:
            self.refuse_damaged()
            self._refuse_unwalled()
            self._refuse_unwritable()
        except StoreError as refusal:
            told = f"{refusal.path} {refusal.problem}"
            is_readable = isinstance(refusal, StoreUnwritable | StoreCorrupt)
            return StoreHealth(
                problem=told, remedy=refusal.remedy, checked_at=self._checked_at, is_readable=is_readable
            )
        return StoreHealth(checked_at=self._checked_at)

    def check(self) -> StoreHealth:
        """Read every text and compare it with its address; from the first damage on every write is refused."""
        try:
            with self._database.reading() as db:
                found = next(integrity.misread_texts(db), None)
        except StoreCorrupt as damage:
            self._damage = damage
        else:
            if found is not None:
                self._damage = StoreCorrupt(self._database.shown, f"is damaged ({found})", remedy=_RESTORE)
        self._checked_at = int(time.time() * 1000)
        return self.health()

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant in one read; yields what is broken."""
        with self._database.reading() as db:
            yield from integrity.verify(db, progress)

    def backup(self, target: Path, progress: Progress = no_progress) -> BackupCopy:  # noqa: ARG002 - the port's signature
        """Refused: the server has its own tools, which copy while others write. They have to be run as the owner of the
        tables: row-level security stops who does not own them."""
        self._database.refuse_unusable()
        ((owner,),) = self._database.ask(OWNER)
        named = (f"--file={target}", self._database.address.shown_for(owner))
        raise StoreError(
            self._database.shown,
            "a store in PostgreSQL is not copied to a file by us",
            remedy=f"Run: pg_dump --format=custom --schema={S} {shlex.join(named)}"
            " (and pg_restore to bring it back), or export the records.",
        )

    def analysis(self) -> str:
        """The name of the analysis that made the index of words; empty when it must be made anew."""
        with self._database.reading() as db:
            return _fact(db, "analysis")

    def reindex(self, analysis: str, analyse: Analyse, progress: Progress = no_progress) -> None:
        """Index every text anew by an analysis, in one commit."""
        self._database.run(lambda attempt: reindex(attempt, analysis, analyse, progress))
        self._forget_read()

    def refuse_damaged(self) -> None:
        """Raise when damage was found: nothing is written any more."""
        if self._damage is not None:
            raise self._damage

    # ── erasure ───────────────────────────────────────────────────────────────────────────────────────────

    def identity(self) -> str:
        """What tells this store from every other; a backup of it is the same store."""
        with self._database.reading() as db:
            return _fact(db, "identity")

    def revision(self) -> Revision:
        """The number of the newest commit that has taken one; see `change_token`."""
        ((number,),) = self._database.ask(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {S}.commits_seq")
        return int(number)

    def change_token(self) -> str:
        """Which transactions can be seen. Those of other databases of the server count too, which does no harm."""
        ((token,),) = self._database.ask("SELECT pg_current_snapshot()::text")
        return str(token)

    def secret(self) -> bytes:
        """A key that whoever can read the tables can read, made at first use. A dump of the database holds it too."""
        made = b64encode(token_bytes(32)).decode()

        def write(db: Db) -> str:
            if not _fact(db, "secret"):
                db.execute(f"INSERT INTO {S}.facts VALUES ('secret', %s) ON CONFLICT DO NOTHING".encode(), (made,))
            return _fact(db, "secret")

        with self._database.lent(write) as secret:
            return b64decode(secret)

    def note_copy(self, copy: StoreCopy) -> None:
        """Remember that the store was copied to a file."""
        check_encodable(kind=copy.kind, path=copy.path)
        with self._database.lent(lambda db: db.execute(_NOTE_COPY.encode(), (copy.kind, copy.path, copy.at))):
            pass

    def copies(self) -> tuple[StoreCopy, ...]:
        """The files that the store was copied to, the first copy first."""
        rows = self._database.ask(
            f'SELECT kind, path, at FROM {S}.copies ORDER BY at, kind COLLATE "C", path COLLATE "C"'
        )
        return tuple(StoreCopy(kind=kind, path=path, at=at, exists=Path(path).exists()) for kind, path, at in rows)

    def refuse_unpurgeable(self) -> None:
        """Raise when the role may not vacuum, or somebody would go on reading what is deleted now."""
        with self._database.alone() as db:
            vacuum.refuse_unable(db, path=self._database.shown)

    def purge(self, *, is_anew: bool = False) -> tuple[ErasureCheck, ...]:  # noqa: ARG002 - the port's signature
        """Vacuum what deletions left behind in the tables. Nothing is written anew: a vacuum leaves no row that this
        would take, and holds up nobody."""
        with self._database.alone() as db:
            done = vacuum.wipe(db)
        self._forget_read()
        return (done,)

    def residue(self, deleted: DeletedContent, *, is_alone: bool = False) -> tuple[ErasureCheck, ...]:  # noqa: ARG002 - the port's signature
        """Look in all tables for what was deleted. All at one moment, at which nobody is in the middle of writing the
        same words: so no writer has to wait."""
        with self._database.alone() as db:
            db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            return tuple(erasure.checks(db, deleted))

    def _refuse_unwalled(self) -> None:
        """Raise when limited callers can read nothing, or would meet no wall: what was granted may be revoked."""
        if not self._tenant_role:
            return

        def look(db: Db) -> None:
            refuse_without_wall(db, self._tenant_role, path=self._database.shown)

        with self._database.lent(look, is_patient=False):
            pass

    def _refuse_unwritable(self) -> None:
        ((is_replica, may_write),) = self._database.ask(
            "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool,"
            " " + " AND ".join(f"has_table_privilege('{S}.records', '{right}')" for right in _RIGHTS),
            is_patient=False,  # whoever asks how it is wants to be told now
        )
        if is_replica:
            raise self._database.address.explain(psycopg.errors.ReadOnlySqlTransaction("it takes no writes"))
        if not may_write:
            raise self._database.address.explain(psycopg.errors.InsufficientPrivilege("its tables may only be read"))


def _number(db: Db, question: str) -> int:
    found = db.execute(question.encode()).fetchone()
    return int(found[0]) if found else 0


def _fact(db: Db, name: str) -> str:
    found = db.execute(f"SELECT value FROM {S}.facts WHERE name = %s".encode(), (name,)).fetchone()
    return str(found[0]) if found else ""


_RIGHTS = ("INSERT", "UPDATE", "DELETE")
"""That a writer needs: of several in one question the server tells whether there is any."""

_UNEMBEDDED = f"""
SELECT count(DISTINCT t.digest) FROM {S}.texts t WHERE NOT t.blank AND NOT EXISTS (
  SELECT 1 FROM {S}.codes c WHERE c.collection = t.collection AND c.digest = t.digest
    AND c.space = (SELECT id FROM {S}.spaces WHERE state = 'active'))
"""

_SIZE = f"""
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = '{S}' AND c.relkind = 'r'
"""

_NOTE_COPY = f"""
INSERT INTO {S}.copies (kind, path, at) VALUES (%s, %s, %s)
ON CONFLICT (md5(kind), md5(path)) DO UPDATE SET at = excluded.at
"""
