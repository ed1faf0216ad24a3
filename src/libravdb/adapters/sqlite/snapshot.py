"""The file at one moment: every read of a flow goes through one transaction, and remembers rows it has met."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence

from libravdb.adapters.sqlite import queries, recall_reads
from libravdb.adapters.sqlite.recall_reads import ActiveSpace, Met, Reader, Row
from libravdb.adapters.sqlite.writes import revision_of
from libravdb.adapters.vector_codes import Vector
from libravdb.adapters.vector_search import UNMEASURED, Measures, Rows, measure
from libravdb.errors import StoreClosed
from libravdb.model import (
    ANYTHING,
    Beside,
    CollectionInfo,
    Edge,
    Embedding,
    Excluded,
    Features,
    JournalEntry,
    Key,
    Near,
    Order,
    Page,
    Record,
    Revision,
    SessionState,
    Space,
    Topic,
    Vocabulary,
    Volume,
    Where,
    Word,
)
from libravdb.ports.store import NOTHING_EXCLUDED
from libravdb.ports.validation import (
    check_embedding,
    check_encodable,
    check_excluded,
    check_keys,
    check_name,
    check_topics,
    check_where,
    check_words,
)


class SqliteSnapshot:
    """Implements the port `Snapshot` over a connection that is inside a read transaction."""

    def __init__(self, db: sqlite3.Connection, reader: Reader) -> None:
        self._open: sqlite3.Connection | None = db
        self._reader = reader
        self._known: dict[str, Met | None] = {}

    def close(self) -> None:
        """The read is over: its connection may be somebody else's by now."""
        self._open = None

    @property
    def _db(self) -> sqlite3.Connection:
        if self._open is None:
            raise StoreClosed("the store", "this read is over", remedy="Read inside the block of `read`.")
        return self._open

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """Which commit changed each of these last; 0 where there is nothing."""
        check_topics(topics)
        return {topic: revision_of(self._db, topic) for topic in topics}

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────

    def records(self, keys: Collection[Key]) -> Mapping[Key, Record]:
        """Those of these records that there are."""
        check_keys(keys)
        found = queries.records(self._db, keys) if keys else {}
        for key, (row, _) in found.items():
            met = self._met(key.collection)
            if met is not None:
                met.rows[key.id] = row
        return {key: record for key, (_, record) in found.items()}

    def page(
        self,
        collection: str,
        *,
        order: Order = Order.ID,
        where: Where = ANYTHING,
        after: str | None = None,
        limit: int | None = None,
        exclude: Excluded = NOTHING_EXCLUDED,
    ) -> Page[Record]:
        """Records of a collection in an order."""
        check_encodable(collection=collection, after=after)
        check_where(where)
        check_excluded(exclude)
        hidden = exclude.get(collection, frozenset())
        return queries.page(self._db, collection, order=order, where=where, after=after, limit=limit, excluded=hidden)

    def expired(self, now: int, *, limit: int | None = None) -> tuple[Key, ...]:
        """The records whose moment to go has come."""
        return queries.expired(self._db, now, limit)

    def holding(self, collection: str, digests: Collection[bytes]) -> Mapping[bytes, tuple[Record, ...]]:
        """The records of a collection that hold exactly these texts, by time, then id."""
        check_encodable(collection=collection)
        return queries.holding(self._db, collection, digests)

    def distinct(self, collection: str, key: str, *, limit: int) -> tuple[str, ...]:
        """The texts that stand under a metadata key in a collection."""
        check_encodable(collection=collection)
        check_where(Where(metadata={key: ()}))
        return queries.distinct(self._db, collection, key, limit)

    # ── collections and sessions ──────────────────────────────────────────────────────────────────────────

    def sizes(self, collections: Collection[str]) -> Mapping[str, int]:
        """How many records each of these holds; 0 where there is none."""
        for name in collections:
            check_encodable(collection=name)
        return queries.sizes(self._db, collections)

    def collections(
        self, *, owner: str | None = None, prefix: str = "", after: str | None = None, limit: int | None = None
    ) -> Page[CollectionInfo]:
        """Collections in byte order of their names; with `owner`, only those that hold records of that namespace."""
        check_encodable(owner=owner, prefix=prefix, after=after)
        return queries.collections(self._db, owner=owner, prefix=prefix, after=after, limit=limit)

    def volume(self, collections: Collection[str], *, owner: str | None = None) -> Volume:
        """How much stands in these collections or is an owner's."""
        for name in collections:
            check_encodable(collection=name)
        check_encodable(owner=owner)
        return queries.volume(self._db, collections, owner)

    def states(self, sessions: Collection[str]) -> Mapping[str, SessionState]:
        """The states of these sessions, of those that have one."""
        for session in sessions:
            check_encodable(session=session)
        return queries.states(self._db, sessions)

    def states_of(self, owner: str | None, *, after: str | None = None, limit: int | None = None) -> Page[SessionState]:
        """The states of the sessions that hold turns of a namespace, or of all."""
        check_encodable(owner=owner, after=after)
        return queries.states_of(self._db, owner, after, limit)

    def edges(
        self, session: str | None, *, parents: Collection[str] | None = None, children: Collection[str] | None = None
    ) -> tuple[Edge, ...]:
        """Coverage edges by session, parent, position, child."""
        check_encodable(session=session)
        for parent in parents or ():
            check_encodable(parent=parent)
        for child in children or ():
            check_encodable(child=child)
        return queries.edges(self._db, session, parents, children)

    def journal(self, *, sessions: Collection[str] | None = None, limit: int | None = None) -> tuple[JournalEntry, ...]:
        """Journal entries, newest last."""
        for session in sessions or ():
            check_encodable(session=session)
        return queries.journal(self._db, sessions, limit)

    # ── candidates and features ───────────────────────────────────────────────────────────────────────────

    def nearest(
        self,
        collections: Sequence[str],
        embedding: Embedding,
        *,
        k: int,
        where: Where = ANYTHING,
        exclude: Excluded = NOTHING_EXCLUDED,
        is_whole: bool = False,
    ) -> tuple[Near, ...]:
        """The k records of each collection closest to a vector."""
        self._check_question(collections, where, exclude)
        check_embedding(embedding)
        space = recall_reads.active_space(self._db, embedding)
        if space is None or k <= 0:
            return ()
        return tuple(
            found
            for name, met in self._met_of(collections)
            for found in recall_reads.near(
                self._db,
                name,
                met,
                space,
                self._reader,
                embedding=embedding,
                k=k,
                where=where,
                excluded=exclude.get(name, frozenset()),
                is_whole=is_whole,
            )
        )

    def matching(
        self,
        collections: Sequence[str],
        words: Sequence[Word],
        *,
        k: int,
        where: Where = ANYTHING,
        exclude: Excluded = NOTHING_EXCLUDED,
    ) -> tuple[Key, ...]:
        """Up to k records of each collection that hold some of these words."""
        self._check_question(collections, where, exclude)
        check_words(words)
        if k <= 0:
            return ()
        return tuple(
            key
            for name, met in self._met_of(collections)
            for key in recall_reads.matching(
                self._db,
                name,
                met,
                self._reader,
                words=words,
                k=k,
                where=where,
                excluded=exclude.get(name, frozenset()),
            )
        )

    def neighbours(
        self, keys: Collection[Key], *, where: Where = ANYTHING, exclude: Excluded = NOTHING_EXCLUDED
    ) -> Mapping[Key, Beside]:
        """The turns right before and after these in their session."""
        check_keys(keys)
        self._check_question((), where, exclude)
        rows = self._rows(keys)
        asked = {row: key for key, row in rows.items()}
        links = recall_reads.links(self._db, list(asked))
        beside = {row for pair in links.values() for row in pair if row is not None} - asked.keys()
        seen = {
            row: key
            for row, key in recall_reads.visible(self._db, beside, where).items()
            if key.id not in exclude.get(key.collection, frozenset())
        }
        for row, key in seen.items():
            met = self._met(key.collection)
            if met is not None:
                met.rows[key.id] = row
        places = {**seen, **asked}
        found: dict[Key, Beside] = {}
        for key, row in rows.items():
            before, after = links.get(row, (None, None))
            found[key] = Beside(
                before=None if before is None else places.get(before),
                after=None if after is None else places.get(after),
            )
        return found

    def features(
        self, keys: Collection[Key], *, embedding: Embedding | None, words: Sequence[Word]
    ) -> Mapping[Key, Features]:
        """What ranking measures of these records, exactly."""
        check_keys(keys)
        check_embedding(embedding)
        check_words(words)
        rows = self._rows(keys)
        measured = {} if embedding is None else self._measured(rows, embedding)
        worded = recall_reads.worded(self._db, rows.values(), words, self._reader)
        return {key: Features(*measured.get(row, UNMEASURED), *worded[row]) for key, row in rows.items()}

    def vocabularies(self, collections: Collection[str], words: Sequence[Word]) -> Mapping[str, Vocabulary]:
        """How common words are in each of these collections, of those that there are."""
        for name in collections:
            check_encodable(collection=name)
        check_words(words)
        return {
            name: Vocabulary(
                texts=met.collection.texts,
                terms=met.collection.terms,
                holders=self._reader.words.holders(self._db, met.collection.indexed, words, met.holders),
            )
            for name, met in self._met_of(collections)
        }

    # ── vectors ───────────────────────────────────────────────────────────────────────────────────────────

    def spaces(self) -> tuple[Space, ...]:
        """Vector spaces, the active one first."""
        return queries.spaces(self._db)

    def vectors(self, fingerprint: str, digests: Collection[bytes]) -> Mapping[bytes, Vector]:
        """The stored vectors of these texts in a space."""
        check_name("fingerprint", fingerprint)
        return queries.stored_vectors(self._db, fingerprint, digests)

    # ── what was met so far ───────────────────────────────────────────────────────────────────────────────

    def _met(self, name: str) -> Met | None:
        if name not in self._known:
            found = recall_reads.find_collection(self._db, name)
            self._known[name] = None if found is None else Met(found)
        return self._known[name]

    def _met_of(self, names: Iterable[str]) -> Iterable[tuple[str, Met]]:
        """The collections that there are, each once, in the order asked."""
        for name in dict.fromkeys(names):
            met = self._met(name)
            if met is not None:
                yield name, met

    def _rows(self, keys: Collection[Key]) -> dict[Key, Row]:
        """The rows of these records, of those that there are; what was met already is not looked up again."""
        found: dict[Key, Row] = {}
        unknown: list[Key] = []
        known = {name: met.rows for name, met in self._met_of(key.collection for key in keys)}
        for key in dict.fromkeys(keys):
            rows = known.get(key.collection)
            if rows is None:
                continue
            row = rows.get(key.id)
            if row is None:
                unknown.append(key)
            else:
                found[key] = row
        return {**found, **queries.rows_of(self._db, unknown)} if unknown else found

    def _measured(self, rows: Mapping[Key, Row], embedding: Embedding) -> dict[Row, Measures]:
        space: ActiveSpace | None = recall_reads.active_space(self._db, embedding)
        if space is None:
            return {}
        grouped: dict[str, list[Row]] = {}
        for key, row in rows.items():
            grouped.setdefault(key.collection, []).append(row)
        query = embedding.vectors[0]

        def fetch(vectors: Rows) -> Vector:
            return self._reader.cache.fetch(self._db, vectors, query.size)

        measured: dict[Row, Measures] = {}
        for name, some in grouped.items():
            met = self._met(name)
            if met is not None:
                view = recall_reads.view_of(self._db, met, space, self._reader)
                known = met.measured if met.embedding is embedding else {}
                measured |= measure(view, sorted(some), query, known=known, fetch=fetch)
        return measured

    def _check_question(self, collections: Collection[str], where: Where, exclude: Excluded) -> None:
        for name in collections:
            check_encodable(collection=name)
        check_where(where)
        check_excluded(exclude)
