"""The store at one moment: every read of a flow goes through one transaction, and remembers what it has met."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from libravdb.adapters import term_counts
from libravdb.adapters.kept_rows import KeptRow, KeptRows
from libravdb.adapters.postgres import queries, recall_reads
from libravdb.adapters.postgres.collection_heads import CollectionHead, heads_in, heads_statement
from libravdb.adapters.postgres.met_records import Learn, MetRecords
from libravdb.adapters.postgres.read_transaction import NO_LIMITS, Explain, Found, ReadTransaction, Statement
from libravdb.adapters.postgres.recall_reads import Place, Row, RowsOf, TurnBeside
from libravdb.adapters.postgres.schema import SCHEMA, Db
from libravdb.adapters.postgres.vector_blocks import Newcomers, VectorBlocks
from libravdb.adapters.postgres.vector_reads import SpaceInUse, read_vectors
from libravdb.adapters.postgres.word_search import RowsAtHand, TermSearch
from libravdb.adapters.vector_codes import Vector
from libravdb.adapters.vector_search import UNMEASURED, Fetch, Mask, Measures, Neighbour, Rows, View, measure, nearest
from libravdb.errors import SpaceMismatch, StoreClosed
from libravdb.model import (
    ANYTHING,
    NOTHING_FORESEEN,
    SPACES,
    Beside,
    CollectionInfo,
    Edge,
    Embedding,
    Excluded,
    Features,
    Foreseen,
    JournalEntry,
    Key,
    Near,
    Order,
    Page,
    Record,
    Revision,
    SessionState,
    Space,
    SpaceState,
    Topic,
    TopicKind,
    Vocabulary,
    Volume,
    Where,
    Word,
)
from libravdb.ports.paging import read_newest_cursor
from libravdb.ports.settings import StoreSettings
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

_OPENING = (
    "SELECT (SELECT string_agg(f.value, ' ' ORDER BY f.name)"
    f" FROM {SCHEMA}.facts f WHERE f.name IN ('analysis', 'reindexed')),"
    f" (SELECT t.revision FROM {SCHEMA}.topics t WHERE t.kind = 3 AND t.name = ''), s.id, {queries.SPACE}, 0, 0"
    f" FROM (SELECT) one LEFT JOIN {SCHEMA}.spaces s ON TRUE {queries.SPACES_IN_ORDER}"
)
"""What every search has to know: how texts were analysed, and which vector space is in use."""


class ReadCaches:
    """What searches keep in memory between two of them. Usable from many threads."""

    def __init__(self, settings: StoreSettings) -> None:
        self.settings = settings
        self.vectors = VectorBlocks(settings)
        self.words = TermSearch()
        self.rows = KeptRows()

    def clear(self) -> None:
        """Let go of everything."""
        self.vectors.clear()
        self.words.clear()
        self.rows.clear()


@dataclass(slots=True)
class _AskedVector:
    """What a vector has measured so far: cosine and vector of each row, and the views that it was compared with."""

    embedding: Embedding | None = None
    measured: dict[Row, tuple[float, int]] = field(default_factory=dict)


class PostgresSnapshot:
    """Implements the port `Snapshot` over a connection of its own; `begin` fixes the moment."""

    def __init__(self, db: Db, caches: ReadCaches, *, explain: Explain, limits: Mapping[str, str] = NO_LIMITS) -> None:
        self._open: ReadTransaction | None = ReadTransaction(db, explain, limits=limits)
        self._caches = caches
        self._analysis = ""
        self._spaces: tuple[Space, ...] = ()
        self._space: SpaceInUse | None = None
        self._heads: dict[str, CollectionHead | None] = {}
        self._states: dict[str, SessionState | None] = {}
        self._revisions: dict[Topic, Revision] = {}
        self._first_expiry: int | None = None
        self._rows: dict[Place, Row] = {}
        self._met = MetRecords(self._heads, self._note_row)
        self._views: dict[int, View] = {}
        self._question = _AskedVector()

    def begin(self, foreseen: Foreseen = NOTHING_FORESEEN) -> None:
        """Begin: what is read from now on is of this moment."""
        _check_each("collection", foreseen.collections)
        _check_each("session", foreseen.sessions)
        _check_each("collection", [*foreseen.newest, *(name for name, _ in (*foreseen.texts, *foreseen.distinct))])
        check_keys(foreseen.records)
        asked = self._unmet(foreseen.collections, foreseen.sessions) + self._met.foreseen(foreseen)
        found, ((self._first_expiry,),), *answers = self._read.begin(
            [(_OPENING, ()), queries.first_expiry(self._read), *(statement for statement, _ in asked)]
        )
        for (_, learn), answer in zip(asked, answers, strict=True):
            learn(answer)
        analysis, revision, id, *active = found[0]
        self._analysis = analysis or ""
        self._revisions[SPACES] = revision or 0
        if id is not None:
            self._spaces = queries.to_spaces([row[3:] for row in found])
            if self._spaces[0].state is SpaceState.ACTIVE:
                self._space = SpaceInUse(id=id, dimensions=active[1], fingerprint=active[0], revision=revision or 0)

    def close(self) -> None:
        """The read is over: its connection may be somebody else's by now."""
        self._open = None

    @property
    def _read(self) -> ReadTransaction:
        if self._open is None:
            raise StoreClosed("the store", "this read is over", remedy="Read inside the block of `read`.")
        return self._open

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        """Which commit changed each of these last; 0 where there is nothing."""
        check_topics(topics)
        named = {kind: [topic.name for topic in topics if topic.kind is kind] for kind in TopicKind}
        self._look_up(named[TopicKind.COLLECTION], named[TopicKind.SESSION])
        return {topic: self._revisions.get(topic, 0) for topic in topics}

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────

    def records(self, keys: Collection[Key]) -> Mapping[Key, Record]:
        """Those of these records that there are."""
        check_keys(keys)
        return self._met.records(self._read, keys)

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
        if after is not None and order is Order.NEWEST:
            read_newest_cursor(after)
        newest = self._met.newest(collection)
        is_open = where.is_open() and after is None and not exclude.get(collection)
        if newest is not None and is_open and order is Order.NEWEST and limit == 1:
            return newest
        head = self._head(collection)
        if head is None:
            return Page(items=())
        return queries.page(
            self._read,
            (collection, head.id),
            order=order,
            where=where,
            after=after,
            limit=limit,
            excluded=exclude.get(collection, frozenset()),
        )

    def expired(self, now: int, *, limit: int | None = None) -> tuple[Key, ...]:
        """The records whose moment to go has come."""
        read = self._read
        is_any = self._first_expiry is not None and self._first_expiry <= now
        return queries.expired(read, now, limit) if is_any else ()

    def holding(self, collection: str, digests: Collection[bytes]) -> Mapping[bytes, tuple[Record, ...]]:
        """The records of a collection that hold exactly these texts, by time, then id."""
        check_encodable(collection=collection)
        return self._met.holding(self._read, collection, digests)

    def distinct(self, collection: str, key: str, *, limit: int) -> tuple[str, ...]:
        """The texts that stand under a metadata key in a collection."""
        check_encodable(collection=collection)
        check_where(Where(metadata={key: ()}))
        return self._met.distinct(self._read, collection, key)[: max(limit, 0)]

    # ── collections and sessions ──────────────────────────────────────────────────────────────────────────

    def sizes(self, collections: Collection[str]) -> Mapping[str, int]:
        """How many records each of these holds; 0 where there is none."""
        _check_each("collection", collections)
        found = self._found(collections)
        return {name: found[name].records if name in found else 0 for name in collections}

    def collections(
        self, *, owner: str | None = None, prefix: str = "", after: str | None = None, limit: int | None = None
    ) -> Page[CollectionInfo]:
        """Collections in byte order of their names; with `owner`, only those that hold records of that namespace."""
        check_encodable(owner=owner, prefix=prefix, after=after)
        return queries.collections(self._read, owner=owner, prefix=prefix, after=after, limit=limit)

    def volume(self, collections: Collection[str], *, owner: str | None = None) -> Volume:
        """How much stands in these collections or is an owner's."""
        _check_each("collection", collections)
        check_encodable(owner=owner)
        if self._read.is_limited:
            self._found(collections)  # what was met is not looked up row by row
        return queries.volume(self._read, collections, owner)

    def states(self, sessions: Collection[str]) -> Mapping[str, SessionState]:
        """The states of these sessions, of those that have one."""
        _check_each("session", sessions)
        self._look_up((), sessions)
        return {session: state for session in sessions if (state := self._states[session]) is not None}

    def states_of(self, owner: str | None, *, after: str | None = None, limit: int | None = None) -> Page[SessionState]:
        """The states of the sessions that hold turns of a namespace, or of all."""
        check_encodable(owner=owner, after=after)
        return queries.states_of(self._read, owner, after, limit)

    def edges(
        self, session: str | None, *, parents: Collection[str] | None = None, children: Collection[str] | None = None
    ) -> tuple[Edge, ...]:
        """Coverage edges by session, parent, position, child."""
        check_encodable(session=session)
        _check_each("parent", parents or ())
        _check_each("child", children or ())
        return queries.edges(self._read, session, parents, children)

    def journal(self, *, sessions: Collection[str] | None = None, limit: int | None = None) -> tuple[JournalEntry, ...]:
        """Journal entries, newest last."""
        _check_each("session", sessions or ())
        return queries.journal(self._read, sessions, limit)

    # ── candidates ────────────────────────────────────────────────────────────────────────────────────────

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
        """The k records of each collection closest to a vector, best first, equals by id."""
        _check_question(collections, where, exclude)
        check_embedding(embedding)
        space = self._space_of(embedding)
        if space is None or k <= 0:
            return ()
        heads = self._found(collections)
        views = self._views_of(heads.values(), space)
        masks = self._masks(heads, views, where, exclude, is_whole=is_whole)
        found = {
            name: nearest(
                views[head.id],
                embedding.vectors[0],
                k=k,
                mask=masks[head.id],
                fetch=self._fetch(head.id, space),
                settings=self._caches.settings,
            )
            for name, head in heads.items()
        }
        kept = self._kept({heads[name].id: [one.record for one in near] for name, near in found.items()})
        if not is_whole:
            self._note(embedding, found.values())
        return tuple(one for name, near in found.items() for one in self._ranked(name, heads[name].id, near, kept)[:k])

    def _ranked(self, name: str, number: int, found: list[Neighbour], kept: Mapping[Row, KeptRow]) -> list[Near]:
        found.sort(key=lambda one: (-one.cosine, kept[one.record].id))
        self._rows.update(((number, kept[one.record].id), one.record) for one in found)
        view = self._views[number]
        starts, _ = view.spans(np.array([one.record for one in found], dtype=np.int64))
        firsts = view.vectors[starts].tolist() if found else []
        return [
            Near(key=Key(name, kept[row].id), cosine=cosine, passage=vector - first)
            for (row, vector, cosine), first in zip(found, firsts, strict=True)
        ]

    def _note(self, embedding: Embedding, found: Iterable[list[Neighbour]]) -> None:
        """Remember what a question has measured; what another one measured is no answer to it."""
        if self._question.embedding is not embedding:
            self._question = _AskedVector(embedding)
        for near in found:
            self._question.measured.update((row, (cosine, vector)) for row, vector, cosine in near)

    def _masks(
        self,
        heads: Mapping[str, CollectionHead],
        views: Mapping[int, View],
        where: Where,
        exclude: Excluded,
        *,
        is_whole: bool,
    ) -> dict[int, Mask]:
        """Which vectors of each collection may be found: a filter and what is excluded come before k."""
        numbers = [head.id for head in heads.values()]
        hidden = [(head.id, id) for name, head in heads.items() for id in exclude.get(name, ())]
        passing = [] if where.is_open() else [recall_reads.passing_statement(number, where) for number in numbers]
        statements = [*passing, *recall_reads.rows_statements(hidden)]
        answers = self._read.ask_all(statements) if statements else []
        only = recall_reads.sorted_rows(rows[0][0] for rows in answers[: len(passing)]) if passing else None
        excluded = (row for rows in answers[len(passing) :] for _, _, row in rows)
        without = np.array(sorted(excluded), dtype=np.int64)
        return {number: views[number].mask(only=only, without=without, is_whole=is_whole) for number in numbers}

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
        _check_question(collections, where, exclude)
        check_words(words)
        if k <= 0 or not any(words):
            return ()
        heads = self._found(collections)
        found = self._caches.words.search(
            self._read,
            list(heads.values()),
            words,
            k=k,
            where=where,
            excluded={head.id: exclude.get(name, ()) for name, head in heads.items()},
            rows=RowsAtHand(get=self._kept, keep=self._keep_rows),
        )
        for number, best in found.items():
            self._rows.update(((number, id), row) for row, id in best.items())
        return tuple(Key(name, id) for name, head in heads.items() for id in found.get(head.id, {}).values())

    def neighbours(
        self, keys: Collection[Key], *, where: Where = ANYTHING, exclude: Excluded = NOTHING_EXCLUDED
    ) -> Mapping[Key, Beside]:
        """The turns right before and after these in their session; each of these that there is has an entry."""
        check_keys(keys)
        _check_question((), where, exclude)
        heads = self._found(key.collection for key in keys)
        places = {(heads[key.collection].id, key.id): key for key in keys if key.collection in heads}
        if not places:
            return {}
        found = recall_reads.turns_beside(self._read, list(places), where)

        def told(place: Place, turn: TurnBeside | None) -> Key | None:
            """A turn that may be told of: one that is hidden is nobody's neighbour, unless it was asked for."""
            if turn is None:
                return None
            key = Key(places[place].collection, turn.id)
            self._rows[place[0], turn.id] = turn.row
            is_asked = (place[0], turn.id) in places
            is_open = turn.is_seen and turn.id not in exclude.get(key.collection, frozenset())
            return key if is_asked or is_open else None

        self._rows.update((place, row) for place, (row, _, _) in found.items())
        return {
            key: Beside(before=told(place, found[place][1]), after=told(place, found[place][2]))
            for place, key in places.items()
            if place in found
        }

    # ── features ──────────────────────────────────────────────────────────────────────────────────────────

    def features(
        self, keys: Collection[Key], *, embedding: Embedding | None, words: Sequence[Word]
    ) -> Mapping[Key, Features]:
        """What ranking measures of these records, exactly."""
        check_keys(keys)
        check_embedding(embedding)
        check_words(words)
        space = None if embedding is None else self._space_of(embedding)
        heads = self._found(key.collection for key in keys)
        rows = self._rows_of(keys, heads)
        worded = self._worded(heads, rows, words)
        measured = {} if embedding is None or space is None else self._measured(heads, rows, embedding, space)
        return {key: Features(*measured.get(row, UNMEASURED), *worded[row]) for key, row in rows.items()}

    def _worded(
        self, heads: Mapping[str, CollectionHead], rows: Mapping[Key, Row], words: Sequence[Word]
    ) -> dict[Row, tuple[tuple[int, ...], int]]:
        """How often each word stands in each record, and how many terms the record has."""
        grouped = {
            head.id: [row for key, row in rows.items() if key.collection == name] for name, head in heads.items()
        }
        if any(form.endswith("*") for forms in words for form in forms):
            return recall_reads.counted_terms(self._read, grouped, words)
        kept = self._kept(grouped)
        counts = term_counts.count([one.bag for one in kept.values()], words).tolist()
        return {row: (tuple(count), one.length) for (row, one), count in zip(kept.items(), counts, strict=True)}

    def _measured(
        self, heads: Mapping[str, CollectionHead], rows: Mapping[Key, Row], embedding: Embedding, space: SpaceInUse
    ) -> dict[Row, Measures]:
        """Cosines of records: with the views at hand, else with the vectors of these records alone."""
        query = embedding.vectors[0]
        known = self._question.measured if self._question.embedding is embedding else {}
        grouped: dict[int, list[Row]] = {}
        for key, row in rows.items():
            grouped.setdefault(heads[key.collection].id, []).append(row)
        unseen = [number for number in grouped if number not in self._views]
        measured: dict[Row, Measures] = {}
        if unseen:
            asked = sorted(row for number in unseen for row in grouped[number])
            view = read_vectors(self._read, unseen, space, asked)
            measured |= measure(view, asked, query, known={}, fetch=self._fetch(0, space))
        for number, some in grouped.items():
            if number in self._views:
                fetch = self._fetch(number, space)
                measured |= measure(self._views[number], sorted(some), query, known=known, fetch=fetch)
        return measured

    def vocabularies(self, collections: Collection[str], words: Sequence[Word]) -> Mapping[str, Vocabulary]:
        """How common words are in each of these collections, of those that there are."""
        _check_each("collection", collections)
        check_words(words)
        heads = self._found(collections)
        holders = self._caches.words.holders(self._read, list(heads.values()), words)
        return {
            name: Vocabulary(texts=head.texts, terms=head.terms, holders=holders[head.id])
            for name, head in heads.items()
        }

    # ── vectors ───────────────────────────────────────────────────────────────────────────────────────────

    def spaces(self, *, is_counted: bool = True) -> tuple[Space, ...]:
        """Vector spaces, the active one first."""
        read = self._read
        return queries.spaces(read) if is_counted else self._spaces

    def vectors(self, fingerprint: str, digests: Collection[bytes]) -> Mapping[bytes, Vector]:
        """The stored vectors of these texts in a space."""
        check_name("fingerprint", fingerprint)
        met = [head.id for head in self._heads.values() if head is not None]
        return queries.stored_vectors(self._read, fingerprint, digests, met)

    def _space_of(self, embedding: Embedding) -> SpaceInUse | None:
        """The space in use, if there is one; a question of another embedder is refused."""
        space = self._space
        if space is None:
            return None
        if embedding.fingerprint != space.fingerprint:
            raise SpaceMismatch(offered=embedding.fingerprint, active=space.fingerprint)
        offered = embedding.vectors.shape[1]
        if offered != space.dimensions:
            raise SpaceMismatch(
                offered=f"{embedding.fingerprint} with {offered} dimensions",
                active=f"{embedding.fingerprint} with {space.dimensions} dimensions",
            )
        return space

    # ── what was met so far ───────────────────────────────────────────────────────────────────────────────

    def _head(self, name: str) -> CollectionHead | None:
        return self._found([name]).get(name)

    def _found(self, names: Iterable[str]) -> dict[str, CollectionHead]:
        """The collections that there are, each once, in the order asked; each is looked up once."""
        asked = list(dict.fromkeys(names))
        self._look_up(asked, ())
        return {name: head for name in asked if (head := self._heads[name]) is not None}

    def _look_up(self, collections: Iterable[str], sessions: Iterable[str]) -> None:
        """Meet collections and sessions, in one round trip; whatever was met before is known."""
        read, asked = self._read, self._unmet(collections, sessions)
        if asked:
            answers = read.ask_all([statement for statement, _ in asked])
            for (_, learn), answer in zip(asked, answers, strict=True):
                learn(answer)

    def _unmet(self, collections: Iterable[str], sessions: Iterable[str]) -> list[tuple[Statement, Learn]]:
        """What asks for those of them that were not met yet, and what becomes of the answers."""
        names = [name for name in dict.fromkeys(collections) if name not in self._heads]
        unknown = [session for session in dict.fromkeys(sessions) if session not in self._states]
        is_limited = self._read.is_limited
        return [
            *([(heads_statement(names, is_limited=is_limited), self._meet_collections)] if names else []),
            *([(queries.states_statement(unknown), self._meet_sessions)] if unknown else []),
        ]

    def _meet_collections(self, found: Found) -> None:
        heads, revisions = heads_in(found)
        self._heads.update(heads)
        self._revisions.update((Topic.collection(name), revision) for name, revision in revisions.items())

    def _meet_sessions(self, found: Found) -> None:
        states, revisions = queries.states_in(found)
        self._states.update(states)
        self._revisions.update((Topic.session(name), revision) for name, revision in revisions.items())

    def _note_row(self, number: int, id: str, row: Row) -> None:
        self._rows[number, id] = row

    def _rows_of(self, keys: Collection[Key], heads: Mapping[str, CollectionHead]) -> dict[Key, Row]:
        """The rows of these records, of those that there are; what was met already is not looked up again."""
        places = {key: (heads[key.collection].id, key.id) for key in keys if key.collection in heads}
        unknown = [place for place in places.values() if place not in self._rows]
        if unknown:
            self._rows.update(recall_reads.rows_of(self._read, unknown))
        return {key: self._rows[place] for key, place in places.items() if place in self._rows}

    def _kept(self, rows: RowsOf) -> dict[Row, KeptRow]:
        """What is read of rows again and again."""
        transaction = self._read

        def read(missing: list[Row]) -> dict[Row, KeptRow]:
            unknown = set(missing)
            return recall_reads.read_rows(
                transaction, {number: [row for row in some if row in unknown] for number, some in rows.items()}
            )

        return self._caches.rows.get(
            [row for some in rows.values() for row in some], analysis=self._analysis, read=read
        )

    def _views_of(self, heads: Collection[CollectionHead], space: SpaceInUse) -> dict[int, View]:
        """The vectors of collections, brought up to date once a snapshot; those of all that were met, where one is
        asked for."""
        lacking = [head for head in heads if head.id not in self._views]
        if lacking:
            numbers = {head.id for head in lacking} | self._views.keys()
            along = [head for head in self._heads.values() if head is not None and head.id not in numbers]
            newcomers = Newcomers(statement=recall_reads.newer_rows_statement, learn=self._keep_newcomers)
            views = self._caches.vectors.views(self._read, lacking, space, along=along, newcomers=newcomers)
            self._views.update(views)
        return self._views

    def _keep_newcomers(self, found: Found) -> None:
        self._keep_rows(recall_reads.rows_in(found))

    def _keep_rows(self, fresh: dict[Row, KeptRow]) -> None:
        self._caches.rows.keep(fresh, analysis=self._analysis)

    def _fetch(self, number: int, space: SpaceInUse) -> Fetch:
        def fetch(ids: Rows) -> Vector:
            return self._caches.vectors.fetch(self._read, number, space, ids)

        return fetch


def _check_question(collections: Collection[str], where: Where, exclude: Excluded) -> None:
    _check_each("collection", collections)
    check_where(where)
    check_excluded(exclude)


def _check_each(field: str, names: Collection[str]) -> None:
    for name in names:
        check_encodable(**{field: name})
