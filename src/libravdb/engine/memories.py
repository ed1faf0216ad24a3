"""What is kept on request: texts under ids of their own, written in batches, and read back as they are."""

from __future__ import annotations

import builtins
import dataclasses
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from libravdb.engine.embedding import Embeddings
from libravdb.engine.expiry import expiry_moment
from libravdb.engine.former_versions import put_former, versions_of
from libravdb.engine.ingestion import ReliedOnState
from libravdb.engine.pages import check_limit, newest, one_record
from libravdb.engine.profile_records import changes_with, following, updated_statement
from libravdb.engine.retry import retry_on_conflict
from libravdb.engine.session_share import share_of
from libravdb.engine.text_search import TextMatches, search_text
from libravdb.engine.turn_records import Placement
from libravdb.errors import Conflict, InvalidInput, NotFound
from libravdb.model import (
    ANYTHING,
    MUST_BE_NEW,
    Change,
    CollectionInfo,
    Excluded,
    Json,
    Key,
    Metadata,
    Note,
    Order,
    Page,
    Put,
    Record,
    Remembered,
    Remove,
    Scope,
    Where,
    digest,
)
from libravdb.model.collections import (
    AUTHORED,
    SHARED,
    CollectionKind,
    dream_entries,
    durable_memory,
    parse_collection,
    raw_turns,
    scope_collections,
    session_summaries,
    session_view,
    turn_history,
    user_guidance,
)
from libravdb.model.json import mend_json
from libravdb.model.namespaces import named
from libravdb.model.tier import Tier
from libravdb.model.turn_metadata import (
    EXPIRES_AT,
    LAST_SEEN_AT,
    SOURCE_TURN,
    STATES,
    SUPERSEDED_AT,
    SUPERSEDED_BY,
    SUPERSEDES,
    TIMES_SEEN,
    UPDATED_AT,
    WITHDRAWN,
    TurnMetadata,
    last_said,
    named_owner,
)
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.store import Snapshot, Store
from libravdb.text.unicode import mend

BATCH = 64
"""Texts embedded and committed together when many are remembered."""

NEVER = "never"
"""Written for a moment to expire, lifts it."""

FEW = 16
"""Texts up to which each is compared with what is remembered."""

SESSIONS_AT_ONCE = 200
"""Sessions that are looked into together for an id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inserted:
    """Under which id a text stands now; `degraded` tells what is reduced."""

    id: str
    degraded: str = ""


Place = Callable[[Put, Snapshot], list[Put]]
"""A memory with what it states and replaces, and the memories that it makes outdated."""


def relying_on_nothing(snapshot: Snapshot) -> ReliedOnState:  # noqa: ARG001 - what an insert may rely on
    """A text that belongs to no session."""
    return ReliedOnState()


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlacedPut:
    """A text to keep, and the marks on the memories that it makes outdated."""

    put: Put
    marks: tuple[Put, ...]


class Memories:
    """Records by collection and id. Usable from many threads."""

    def __init__(
        self,
        *,
        store: Store,
        embeddings: Embeddings,
        clock: Clock,
        mask: Callable[[str], str],
        max_text_chars: int,
        place: Place,
    ) -> None:
        self._place = place
        self._store = store
        self._embeddings = embeddings
        self._clock = clock
        self._mask = mask
        self._max_text_chars = max_text_chars

    # ── remembering ───────────────────────────────────────────────────────────────────────────────────────

    def remember(
        self,
        text: str,
        *,
        collection: str,
        id: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        at: int | None = None,
        replace: bool = False,
        expires_at: int | str | None = None,
    ) -> Remembered:
        """Keep a text. An id in use is taken over only on request. From `expires_at` on it is shown by nothing, and
        deleted soon after.

        The same text again is no second memory, and renews the one that there is: `metadata` are set beside those it
        has, it expires when this call says, or no more, and a rule of retention counts from now, or from `at`.
        """
        note = Note(text=text, collection=collection, id=id, metadata=metadata, at=at, expires_at=expires_at)
        return self.remember_many([note], replace=replace)[0]

    def remember_many(
        self, notes: Sequence[Note], *, replace: bool = False, progress: Progress = no_progress
    ) -> builtins.list[Remembered]:
        """Keep many texts, embedding and committing them in batches. A few are compared with what is remembered, and
        make outdated what they replace; a long list is kept as it is."""
        done: list[Remembered] = []
        is_placed = len(notes) <= FEW
        for start in range(0, len(notes), BATCH):
            batch = notes[start : start + BATCH]
            keep = partial(self._remember_batch, batch, replace=replace, is_placed=is_placed)
            done.extend(retry_on_conflict(keep))
            progress(len(done), len(notes))
        return done

    def _remember_batch(self, notes: Sequence[Note], *, replace: bool, is_placed: bool) -> builtins.list[Remembered]:
        puts = [self._put(note) for note in notes]
        with self._store.read() as snapshot:
            if not replace:
                is_named = [note.id is not None for note in notes]
                puts = [put if has_id else _found(snapshot, put) for put, has_id in zip(puts, is_named, strict=True)]
            known = _known(snapshot, puts, replace=replace)
        fresh = [put for put in puts if _key(put) not in known]
        vectors = self._embeddings.of_texts([put.text for put in fresh])
        expect = None if replace else MUST_BE_NEW
        whole = [dataclasses.replace(put, embedding=vectors.of(put.text), expect=expect) for put in fresh]
        placed = self._placed(whole) if is_placed else [_PlacedPut(put=put, marks=()) for put in whole]
        written = iter(self._write(placed, degraded=vectors.degraded))
        done = [None if _key(put) in known else next(written) for put in puts]
        again = [put for put, each in zip(puts, done, strict=True) if each is None]
        renewed = retry_on_conflict(lambda: self._renewed(again)) if again else {}
        return [
            Remembered(record=_stored(renewed.get(_key(put)), put), is_new=False) if each is None else each
            for put, each in zip(puts, done, strict=True)
        ]

    def _renewed(self, puts: Sequence[Put]) -> Mapping[Key, Record]:
        """What is known already, and is said again now: all of it in one commit, as far as that changes anything."""
        with self._store.read() as snapshot:
            held = snapshot.records([_key(put) for put in puts])
            now = dict(held)
            for put in puts:
                if _key(put) in now:
                    now[_key(put)] = _said_again(now[_key(put)], put)
            changed = [_remarked(now[key], record) for key, record in held.items() if _is_changed(record, now[key])]
            owners = sorted({parse_collection(put.collection).owner for put in changed if _is_memory(put.collection)})
            following_it = [change for owner in owners for change in following(snapshot, owner, changed)]
        if not changed:
            return held
        self._store.commit([*changed, *following_it])
        with self._store.read() as snapshot:
            return snapshot.records(list(held))

    def _placed(self, puts: Sequence[Put]) -> builtins.list[_PlacedPut]:
        """What each text is kept with: a memory states and replaces something. Nothing is outdated twice."""
        placed: list[_PlacedPut] = []
        seen = {_key(put) for put in puts}
        with self._store.read() as snapshot:
            for put in puts:
                kept, *marks = self._place(put, snapshot) if _is_memory(put.collection) else [put]
                fresh = tuple(mark for mark in marks if _key(mark) not in seen)
                seen |= {_key(mark) for mark in fresh}
                placed.append(_PlacedPut(put=kept, marks=fresh))
        return placed

    def _write(self, placed: Sequence[_PlacedPut], *, degraded: str) -> builtins.list[Remembered | None]:
        """Commit all at once; when somebody was faster with one of them, one by one. None for what is known by then."""
        if not placed:
            return []
        puts = [one.put for one in placed]
        try:
            self._store.commit([*changes_with(puts), *(mark for one in placed for mark in one.marks)])
        except Conflict:
            if len(placed) > 1:
                return [done for one in placed for done in self._write([one], degraded=degraded)]
            with self._store.read() as snapshot:
                if _key(puts[0]) not in _known(snapshot, puts, replace=False):
                    raise
            return [None]
        with self._store.read() as snapshot:
            stored = snapshot.records([_key(put) for put in puts])
        return [Remembered(record=_stored(stored.get(_key(put)), put), is_new=True, degraded=degraded) for put in puts]

    def _put(self, note: Note) -> Put:
        text = self._mask(mend(note.text))
        if not text.strip():
            raise InvalidInput("text", "is empty", remedy="Say what is to be remembered.")
        self._refuse_long(text)
        told = self._with_expiry(mend_json(note.metadata or {}), note.expires_at)
        return Put(
            collection=note.collection,
            id=f"mem:{digest(text).hex()[:16]}" if note.id is None else note.id,
            text=text,
            at=self._clock() if note.at is None else note.at,
            metadata=named_owner({name: value for name, value in told.items() if (name, value) != (EXPIRES_AT, None)}),
        )

    def _with_expiry(self, facts: Metadata, expires_at: int | str | None) -> Metadata:
        """Metadata with the moment at which a text expires, read the same way wherever it was told; None for never."""
        asked = facts.get(EXPIRES_AT) if expires_at is None else expires_at
        if expires_at is None and EXPIRES_AT not in facts:
            return facts
        return {**facts, EXPIRES_AT: None if asked in (None, NEVER) else expiry_moment(asked, now=self._clock())}

    # ── inserting ─────────────────────────────────────────────────────────────────────────────────────────

    def insert(
        self,
        *,
        id: str,
        text: str,
        places: Sequence[Placement],
        at: int | None = None,
        relied_on: Callable[[Snapshot], ReliedOnState] = relying_on_nothing,
    ) -> Inserted:
        """Put a text into several collections at once, under one id. Nothing said is ever overwritten.

        The identical repeat changes nothing; other metadata replaces the old; another text under an id in use is kept
        under an id derived from both. `relied_on` tells what of the store must still be so, and changes with it.
        """
        text = self._mask(mend(text))
        self._refuse_long(text)
        cleaned = [dataclasses.replace(place, metadata=named_owner(mend_json(place.metadata))) for place in places]
        return retry_on_conflict(lambda: self._insert(id, text, cleaned, at=at, relied_on=relied_on))

    def _insert(
        self,
        id: str,
        text: str,
        places: Sequence[Placement],
        *,
        at: int | None,
        relied_on: Callable[[Snapshot], ReliedOnState],
    ) -> Inserted:
        with self._store.read() as snapshot:
            name, held = _free_name(snapshot, id, text, places)
            state = relied_on(snapshot)
        puts = [
            Put(
                collection=place.collection,
                id=place.prefix + name,
                text=text,
                at=self._moment(at, record),
                metadata=_with_mark(place, record),
                expect=MUST_BE_NEW if record is None else record.version,
            )
            for place, record in zip(places, held, strict=True)
            if (record is None and not (place.is_view and any(held)))
            or (record is not None and to_canonical(record.metadata) != to_canonical(_with_mark(place, record)))
        ]
        degraded = ""
        if text.strip() and any(record is None for record in held):
            vectors = self._embeddings.of_texts([text])
            degraded = vectors.degraded
            puts = [dataclasses.replace(put, embedding=vectors.of(text)) for put in puts]
        new = [put for put in puts if put.expect == MUST_BE_NEW]
        told = [put for put in puts if put.expect != MUST_BE_NEW]
        changes: list[Change] = [*changes_with(new), *told, *state.changes]
        if changes:
            self._store.commit(changes, unless=state.unless)
        return Inserted(id=name, degraded=degraded)

    def replace(self, gone: Sequence[Remove], kept: Sequence[Put]) -> str:
        """Delete some records and write others in one commit; returns in words what is reduced."""
        for put in kept:
            self._refuse_long(put.text)
        vectors = self._embeddings.of_texts([put.text for put in kept if put.text.strip()])
        whole = [dataclasses.replace(put, embedding=vectors.of(put.text)) for put in kept]
        self._store.commit([*gone, *whole])
        return vectors.degraded

    # ── updating ──────────────────────────────────────────────────────────────────────────────────────────

    def update(
        self,
        id: str,
        *,
        namespace: str,
        text: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        at: int | None = None,
        expires_at: int | str | None = None,
    ) -> Record:
        """Give a memory another text, or other metadata; what it was before stays readable as its history.

        Keys of `metadata` are set, those that are None go, all others stay. A new text counts from now on, or from
        `at`, and makes outdated what it replaces; it is no longer what was said in the turn that it came from.
        `expires_at` sets when it expires, or lifts that with "never"; without it, that stays as it is.
        """
        if text is None and metadata is None and expires_at is None:
            raise InvalidInput("text", "and metadata are missing", remedy="Give one of them.")
        if text is not None:
            text = self._mask(mend(text))
            if not text.strip():
                raise InvalidInput("text", "is empty", remedy="Say what is to be remembered, or forget the memory.")
            self._refuse_long(text)
        told = named_owner(self._with_expiry(mend_json(metadata or {}), expires_at))
        return retry_on_conflict(lambda: self._updated(id, named(namespace), text, told, at=at))

    def _updated(self, id: str, namespace: str, text: str | None, told: Metadata, *, at: int | None) -> Record:
        key = Key(durable_memory(namespace), id)
        with self._store.read() as snapshot:
            record = snapshot.records([key]).get(key)
        if record is None:
            raise NotFound("memory", id, remedy=_LISTED.format(namespace))
        kept = {name: value for name, value in {**record.metadata, **told}.items() if told.get(name, "") is not None}
        is_said = text is None or text == record.text
        if is_said and at in (None, record.at) and to_canonical(kept) == to_canonical(record.metadata):
            return record
        now = self._clock()
        put = Put(
            collection=key.collection,
            id=id,
            text=record.text if text is None else text,
            at=(record.at if is_said else now) if at is None else at,
            metadata={**kept, UPDATED_AT: now},
            expect=record.version,
        )
        with self._store.read() as snapshot:
            former = put_former(record, snapshot, namespace=namespace, now=now)
        changes: list[Change] = [put] if is_said else self._reworded(put)
        self._store.commit([*changes, former])
        with self._store.read() as snapshot:
            return _stored(snapshot.records([key]).get(key), put)

    def _reworded(self, put: Put) -> builtins.list[Change]:
        """A memory that says something else: embedded, compared and read as if it were new; it keeps what it had
        replaced, and what replaced it."""
        facts = {name: value for name, value in put.metadata.items() if not _is_of_the_text(name)}
        marks = {name: put.metadata[name] for name in (SUPERSEDED_BY, SUPERSEDED_AT) if name in put.metadata}
        vectors = self._embeddings.of_texts([put.text])
        bare = dataclasses.replace(put, metadata=facts, embedding=vectors.of(put.text))
        with self._store.read() as snapshot:
            placed, *outdated = self._place(bare, snapshot)
        replaced = dict.fromkeys((*TurnMetadata(put.metadata).supersedes, *TurnMetadata(placed.metadata).supersedes))
        linked: dict[str, Json] = {**placed.metadata, **marks}
        if replaced:
            linked[SUPERSEDES] = list[Json](replaced)
        whole = dataclasses.replace(placed, metadata=linked)
        return [whole, updated_statement(whole), *outdated]

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────

    def find(self, id: str, *, namespace: str) -> Record | None:
        """One record by its id, wherever a namespace has it or shares it; None when there is none."""
        whose = named(namespace)
        own = (durable_memory, dream_entries, user_guidance, turn_history)
        names = [*(place(whose) for place in own), AUTHORED[Tier.LORE], SHARED]
        with self._store.read() as snapshot:
            found = snapshot.records([Key(name, id) for name in names])
            first = next((found[key] for name in names if (key := Key(name, id)) in found), None)
            return _in_sessions(snapshot, whose, id) if first is None else first

    def list(
        self,
        *,
        namespace: str,
        scope: Scope = Scope.DURABLE,
        where: Where = ANYTHING,
        limit: int = 100,
        after: str | None = None,
    ) -> Page[Record]:
        """The records of a namespace in a scope that needs no session, the newest first, page by page."""
        check_limit(limit)
        name = _listed_collection(named(namespace), scope)
        with self._store.read() as snapshot:
            return snapshot.page(name, order=Order.NEWEST, where=where, after=after, limit=limit)

    def history(self, id: str, *, namespace: str) -> builtins.list[Record]:
        """What a memory said before it was updated, the oldest first, and then what it says today."""
        key = Key(durable_memory(named(namespace)), id)
        with self._store.read() as snapshot:
            record = snapshot.records([key]).get(key)
            if record is None:
                raise NotFound("memory", id, remedy=_LISTED.format(named(namespace)))
            return [*versions_of(snapshot, named(namespace), id), record]

    def get(self, collection: str, id: str) -> Record | None:
        """One record, or None."""
        with self._store.read() as snapshot:
            return one_record(snapshot, collection, id)

    def read(self, id: str, *, namespace: str, scope: Scope) -> Record | None:
        """One record of a namespace by its id, in a scope that needs no session; None when there is none."""
        keys = [Key(name, id) for name in scope_collections(named(namespace), None, [scope], has_dreams=True)]
        with self._store.read() as snapshot:
            found = snapshot.records(keys)
        return next((found[key] for key in keys if key in found), None)

    def latest(self, collection: str, *, limit: int, where: Where = ANYTHING) -> builtins.list[Record]:
        """The newest records of a collection, newest first."""
        with self._store.read() as snapshot:
            return list(newest(snapshot, collection, limit=limit, where=where))

    def collections(self, prefix: str = "") -> builtins.list[CollectionInfo]:
        """Collections and their sizes."""
        with self._store.read() as snapshot:
            return list(snapshot.collections(prefix=prefix).items)

    def search_text(self, text: str, *, collections: Sequence[str], k: int, exclude: Excluded) -> TextMatches:
        """The k closest texts of each of some collections, by one measure, without ranking."""
        return search_text(self._store, self._embeddings, text, collections=collections, k=k, exclude=exclude)

    def _refuse_long(self, text: str) -> None:
        refuse_long(text, field="text", most=self._max_text_chars, by="store.max_text_chars")

    def _moment(self, at: int | None, record: Record | None) -> int:
        """The time given, else the one the record had, else now."""
        if at is not None:
            return at
        return self._clock() if record is None else record.at


def refuse_long(text: str, *, field: str, most: int, by: str) -> None:
    """Before a text is embedded, which takes its time, not after."""
    if len(text) > most:
        raise InvalidInput(
            field,
            f"has {len(text):,} characters, at most {most:,} are allowed",
            remedy=f"Split it, or raise {by}.",
        )


def _listed_collection(namespace: str, scope: Scope) -> str:
    if scope in (Scope.SESSION, Scope.SUMMARY):
        raise InvalidInput(
            "scope", f"is {scope}, which is a session's", remedy="What was said in one is in scope history."
        )
    return next(iter(scope_collections(namespace, None, [scope])))


def _in_sessions(snapshot: Snapshot, namespace: str, id: str) -> Record | None:
    """One record by its id in the sessions of a namespace, as far as it is the namespace's own."""
    after: str | None = None
    while True:
        page = snapshot.states_of(namespace, after=after, limit=SESSIONS_AT_ONCE)
        places = (raw_turns, session_view, session_summaries)
        keys = [Key(place(state.session), id) for state in page for place in places]
        found = snapshot.records(keys) if keys else {}
        for key in keys:
            session = parse_collection(key.collection).owner
            if key in found and share_of(snapshot, session, namespace).holds(found[key]):
                return found[key]
        if page.next is None:
            return None
        after = page.next


def _is_of_the_text(name: str) -> bool:
    """Whether metadata tell what a text says or whose words it is: they go with it."""
    return name.startswith(STATES) or name in (SOURCE_TURN, SUPERSEDES, SUPERSEDED_BY, SUPERSEDED_AT)


_LISTED = "'libravdb list --user {}' shows what is there; what was said in a session stays as it was."


def _key(put: Put) -> Key:
    return Key(put.collection, put.id)


def _known(snapshot: Snapshot, puts: Sequence[Put], *, replace: bool) -> dict[Key, Record]:
    """The records that make writing needless; refuses to overwrite another text unasked."""
    if replace:
        return {}
    found = snapshot.records([_key(put) for put in puts])
    for put in puts:
        record = found.get(_key(put))
        if record is not None and record.text != put.text:
            raise InvalidInput(
                "id",
                f"{put.id!r} in {put.collection!r} holds another text",
                remedy="Use another id, or update the memory.",
            )
    return dict(found)


def _found(snapshot: Snapshot, put: Put) -> Put:
    """A text that nobody gave an id, under the id that it has where it stands already, else under a free one of its
    own. What is outdated is said anew; what was said in a conversation stays as long as that, whatever expires."""
    held = snapshot.holding(put.collection, [digest(put.text)]).get(digest(put.text), ())
    for record in sorted(held, key=lambda each: each.id != put.id):
        told = TurnMetadata.of(record)
        if not told.is_outdated and not (told.source_turn and EXPIRES_AT in put.metadata):
            return dataclasses.replace(put, id=record.id)
    ids = itertools.chain([put.id], (f"{put.id}~{number}" for number in itertools.count(2)))
    return dataclasses.replace(put, id=next(id for id in ids if one_record(snapshot, put.collection, id) is None))


def _is_memory(collection: str) -> bool:
    return parse_collection(collection).kind is CollectionKind.DURABLE_MEMORY


def _said_again(record: Record, put: Put) -> Record:
    """A record after its text was remembered once more: what is told with it is set, its expiry is what was said last,
    and a memory is as young as that."""
    facts: dict[str, Json] = {name: value for name, value in record.metadata.items() if name != EXPIRES_AT}
    facts |= put.metadata
    if _is_memory(record.collection) and put.at > last_said(record):
        facts |= {LAST_SEEN_AT: put.at, TIMES_SEEN: TurnMetadata.of(record).times_seen + 1}
    return dataclasses.replace(record, metadata=facts)


def _is_changed(record: Record, now: Record) -> bool:
    return to_canonical(record.metadata) != to_canonical(now.metadata)


def _remarked(now: Record, before: Record) -> Put:
    """The same text with other metadata; refused when somebody changed it meanwhile."""
    return Put(
        collection=now.collection,
        id=now.id,
        text=now.text,
        at=now.at,
        metadata=now.metadata,
        expect=before.version,
    )


def _stored(record: Record | None, put: Put) -> Record:
    if record is None:
        raise NotFound("record", put.id, remedy="Somebody removed it meanwhile; remember it again.")
    return record


def _free_name(snapshot: Snapshot, id: str, text: str, places: Sequence[Placement]) -> tuple[str, list[Record | None]]:
    """The id under which a text can stand in all of these places, and what stands there under it already."""
    for name in (id, f"{id}~{digest(text).hex()[:12]}"):
        keys = [Key(place.collection, place.prefix + name) for place in places]
        found = snapshot.records(keys)
        if all(record.text == text for record in found.values()):
            return name, [found.get(key) for key in keys]
    raise InvalidInput("id", f"{id!r} and the id derived from it hold other texts", remedy="Use another id.")


def _with_mark(place: Placement, record: Record | None) -> Metadata:
    """The metadata for a place. A raw turn that was withdrawn from the view stays so when it is said again."""
    is_raw = parse_collection(place.collection).kind is CollectionKind.RAW_TURNS
    if record is None or not is_raw or not TurnMetadata.of(record).is_withdrawn:
        return place.metadata
    return {**place.metadata, WITHDRAWN: record.metadata[WITHDRAWN]}


def to_canonical(metadata: Metadata) -> str:
    """Metadata as text that is equal when the metadata are: the order of keys does not count, 1 and true differ."""
    return json.dumps(metadata, sort_keys=True)
