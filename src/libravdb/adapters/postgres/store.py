"""The store in a PostgreSQL server: any number of processes read and write it at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Self

from libravdb.adapters.postgres import commits
from libravdb.adapters.postgres.connection import Address
from libravdb.adapters.postgres.database import Database
from libravdb.adapters.postgres.maintenance import PostgresMaintenance
from libravdb.adapters.postgres.read_transaction import NO_LIMITS
from libravdb.adapters.postgres.schema import Db, migrate
from libravdb.adapters.postgres.snapshot import PostgresSnapshot, ReadCaches
from libravdb.adapters.postgres.spaces import PostgresSpaces
from libravdb.adapters.postgres.tenants import settings_of, use_wall
from libravdb.adapters.postgres.transactions import forget_old_keys
from libravdb.errors import StoreError, StoreUnwritable
from libravdb.model import NOTHING_FORESEEN, Change, Commit, Foreseen, Revision, Topic, TopicKind
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import NO_CONDITION
from libravdb.ports.validation import check_changes, check_condition, check_topics
from libravdb.ports.walls import sight


class PostgresStore:
    """Implements the port `Store`. Safe to use from many threads, and from many processes, each with its own."""

    is_shared = True

    def __init__(self, url: str, *, settings: StoreSettings | None = None, analysis: str = "") -> None:
        """`analysis` names what makes the terms that are given with texts. When another process indexes everything anew
        by another one, such texts are refused from then on; without a name nobody looks."""
        self._settings = settings or StoreSettings()
        self._analysis = analysis
        self._caches = ReadCaches(settings=self._settings)
        self._database = Database(Address(url), when_changed=self._caches.clear)
        self._spaces = PostgresSpaces(self._database)
        self._maintenance = PostgresMaintenance(
            self._database, forget_read=self._caches.clear, tenant_role=self._settings.tenant_role
        )
        try:
            with self._database.lent(self._prepare, is_patient=False):
                pass
        except BaseException:
            self._database.close()
            raise

    def __repr__(self) -> str:
        return f"PostgresStore({self._database.shown!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def vectors(self) -> PostgresSpaces:
        """Its vector spaces."""
        return self._spaces

    @property
    def maintenance(self) -> PostgresMaintenance:
        """What operators need."""
        return self._maintenance

    @contextmanager
    def read(self, foreseen: Foreseen = NOTHING_FORESEEN) -> Iterator[PostgresSnapshot]:
        """The database at this moment; what is foreseen is read with its beginning. On behalf of a limited caller it is
        read behind the second wall."""
        role, seen = self._settings.tenant_role, sight()
        limits = settings_of(seen, role) if role and seen is not None else NO_LIMITS
        begin = partial(self._begin, foreseen=foreseen, limits=limits)
        with self._database.lent(begin, is_limited=bool(limits)) as snapshot:
            try:
                yield snapshot
            finally:
                snapshot.close()

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        """Apply all changes or none; durable when it returns, as far as the server is told to be."""
        check_changes(changes, max_text_chars=self._settings.max_text_chars)
        check_condition(unless)
        self._database.refuse_unusable()
        if not changes and not unless:
            return Commit()
        self._maintenance.refuse_damaged()
        try:
            written = commits.write(self._database.transactions, changes, unless, analysis=self._analysis)
        except commits.IndexedAnew as other:
            raise self._indexed_anew(other.analysis) from None
        return Commit(revision=written.revision, before=written.before if written.revision else {})

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """As of now which commit changed each of these last; 0 where there is nothing."""
        check_topics(topics)
        named = {kind: tuple(topic.name for topic in topics if topic.kind is kind) for kind in TopicKind}
        foreseen = Foreseen(collections=named[TopicKind.COLLECTION], sessions=named[TopicKind.SESSION])
        with self.read(foreseen) as snapshot:
            return snapshot.revisions(topics)

    def exclusive(self, name: str, *, is_waiting: bool = True) -> AbstractContextManager[bool]:
        """A block that nobody else is inside of under this name, over all processes that share the store."""
        return self._database.exclusive(name, is_waiting=is_waiting)

    def close(self) -> None:
        """Finish what was accepted and let go of the server."""
        self._database.close()

    def _prepare(self, db: Db) -> None:
        migrate(db, path=self._database.shown)
        self._database.lives.meet(db)  # there are tables now
        if self._settings.tenant_role:
            use_wall(db, self._settings.tenant_role, path=self._database.shown)
        forget_old_keys(db)

    def _indexed_anew(self, analysis: str) -> StoreError:
        return StoreUnwritable(
            self._database.shown,
            f"its words are indexed by {analysis!r} since a process of another version opened it, and this one would"
            f" index by {self._analysis!r}; nothing was written",
            remedy="Restart this process with the version of libravdb, and of Python, that the others run.",
        )

    def _begin(self, db: Db, foreseen: Foreseen, limits: Mapping[str, str]) -> PostgresSnapshot:
        snapshot = PostgresSnapshot(db, self._caches, explain=self._database.address.explain, limits=limits)
        snapshot.begin(foreseen)
        return snapshot
