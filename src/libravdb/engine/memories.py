"""What is kept on request: texts under ids of their own, written in batches, and read back as they are."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from libravdb.engine.embedding import Embeddings
from libravdb.engine.retry import retry_on_conflict
from libravdb.engine.turn_records import Placement
from libravdb.errors import Conflict, InvalidInput, NotFound
from libravdb.model import (
    ANYTHING,
    MUST_BE_NEW,
    Change,
    CollectionInfo,
    Json,
    Note,
    Put,
    Record,
    Remembered,
    Remove,
    Scope,
    Where,
    digest,
)
from libravdb.model.collections import CollectionKind, parse_collection, scope_collections
from libravdb.model.json import mend_json
from libravdb.model.namespaces import named
from libravdb.model.turn_metadata import WITHDRAWN, TurnMetadata
from libravdb.ports.store import Clock, Progress, Store, no_progress
from libravdb.text.unicode import mend

BATCH = 64
"""Texts embedded and committed together when many are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inserted:
    """Under which id a text stands now; `degraded` tells what is reduced."""

    id: str
    degraded: str = ""


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
    ) -> None:
        self._store = store
        self._embeddings = embeddings
        self._clock = clock
        self._mask = mask
        self._max_text_chars = max_text_chars

    def remember(
        self,
        text: str,
        *,
        collection: str,
        id: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        at: int | None = None,
        replace: bool = False,
    ) -> Remembered:
        """Keep a text. The same text again is no second memory; an id in use is taken over only on request."""
        note = Note(text=text, collection=collection, id=id, metadata=metadata, at=at)
        return self.remember_many([note], replace=replace)[0]

    def remember_many(
        self, notes: Sequence[Note], *, replace: bool = False, progress: Progress = no_progress
    ) -> list[Remembered]:
        """Keep many texts, embedding and committing them in batches."""
        done: list[Remembered] = []
        for start in range(0, len(notes), BATCH):
            done.extend(self._remember_batch(notes[start : start + BATCH], replace=replace))
            progress(len(done), len(notes))
        return done

    def _remember_batch(self, notes: Sequence[Note], *, replace: bool) -> list[Remembered]:
        puts = [self._put(note) for note in notes]
        known = [self._known(put, replace=replace) for put in puts]
        fresh = [put for put, record in zip(puts, known, strict=True) if record is None]
        embeddings, degraded = self._embeddings.of_texts([put.text for put in fresh])
        expect = None if replace else MUST_BE_NEW
        whole = [dataclasses.replace(put, embedding=embeddings.get(put.text), expect=expect) for put in fresh]
        written = iter(self._write(whole, degraded=degraded))
        return [next(written) if record is None else Remembered(record=record, is_new=False) for record in known]

    def _write(self, puts: Sequence[Put], *, degraded: str) -> list[Remembered]:
        """Commit all at once; when somebody was faster with one of them, one by one."""
        try:
            self._store.commit(puts)
        except Conflict:
            if len(puts) > 1:
                return [done for put in puts for done in self._write([put], degraded=degraded)]
            record = self._known(puts[0], replace=False)
            if record is None:
                raise
            return [Remembered(record=record, is_new=False)]
        return [Remembered(record=self._stored(put), is_new=True, degraded=degraded) for put in puts]

    def _stored(self, put: Put) -> Record:
        record = self._store.get(put.collection, put.id)
        if record is None:
            raise NotFound("record", put.id, remedy="Somebody removed it meanwhile; remember it again.")
        return record

    def _put(self, note: Note) -> Put:
        text = self._mask(mend(note.text))
        if not text.strip():
            raise InvalidInput("text", "is empty", remedy="Say what is to be remembered.")
        refuse_long(text, most=self._max_text_chars)
        return Put(
            collection=note.collection,
            id=f"mem:{digest(text).hex()[:16]}" if note.id is None else note.id,
            text=text,
            at=self._clock() if note.at is None else note.at,
            metadata=mend_json(note.metadata or {}),
        )

    def _known(self, put: Put, *, replace: bool) -> Record | None:
        """The record that makes writing needless; refuses to overwrite another text unasked."""
        record = self._store.get(put.collection, put.id)
        if record is None or replace:
            return None
        if record.text != put.text:
            raise InvalidInput(
                "id",
                f"{put.id!r} in {put.collection!r} holds another text",
                remedy="Use another id, or replace it on purpose (--replace).",
            )
        return record

    def insert(
        self,
        *,
        id: str,
        text: str,
        places: Sequence[Placement],
        at: int | None = None,
        also: Callable[[], Sequence[Change]] = tuple,
    ) -> Inserted:
        """Put a text into several collections at once, under one id. Nothing said is ever overwritten.

        The identical repeat changes nothing; other metadata replaces the old; another text under an id in use is kept
        under an id derived from both. `also` gives further changes for the same commit.
        """
        text = self._mask(mend(text))
        refuse_long(text, most=self._max_text_chars)
        cleaned = [dataclasses.replace(place, metadata=mend_json(place.metadata)) for place in places]
        return retry_on_conflict(lambda: self._insert(id, text, cleaned, at, also()))

    def _insert(
        self, id: str, text: str, places: Sequence[Placement], at: int | None, also: Sequence[Change]
    ) -> Inserted:
        for name in (id, f"{id}~{digest(text).hex()[:12]}"):
            held = [self._store.get(place.collection, place.prefix + name) for place in places]
            if all(record is None or record.text == text for record in held):
                break
        else:
            raise InvalidInput("id", f"{id!r} and the id derived from it hold other texts", remedy="Use another id.")
        changes: list[Change] = [
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
            embeddings, degraded = self._embeddings.of_texts([text])
            changes = [
                dataclasses.replace(change, embedding=embeddings.get(text)) if isinstance(change, Put) else change
                for change in changes
            ]
        if changes or also:
            self._store.commit([*changes, *also])
        return Inserted(id=name, degraded=degraded)

    def _moment(self, at: int | None, record: Record | None) -> int:
        """The time given, else the one the record had, else now."""
        if at is not None:
            return at
        return self._clock() if record is None else record.at

    def replace(self, gone: Sequence[Remove], kept: Sequence[Put]) -> str:
        """Delete some records and write others in one commit; returns in words what is reduced."""
        for put in kept:
            refuse_long(put.text, most=self._max_text_chars)
        texts = [put.text for put in kept if put.text.strip()]
        embeddings, degraded = self._embeddings.of_texts(texts)
        whole = [dataclasses.replace(put, embedding=embeddings.get(put.text)) for put in kept]
        self._store.commit([*gone, *whole])
        return degraded

    def get(self, collection: str, id: str) -> Record | None:
        """One record, or None."""
        return self._store.get(collection, id)

    def read(self, id: str, *, namespace: str, scope: Scope) -> Record | None:
        """One record of a namespace by its id, in a scope that needs no session; None when there is none."""
        found = (self._store.get(name, id) for name in scope_collections(named(namespace), None, [scope]))
        return next((record for record in found if record is not None), None)

    def latest(self, collection: str, *, limit: int, where: Where = ANYTHING) -> list[Record]:
        """The newest records of a collection, newest first."""
        return self._store.latest(collection, limit=limit, where=where)

    def collections(self, prefix: str = "") -> list[CollectionInfo]:
        """Collections and their sizes."""
        return self._store.collections(prefix)


def refuse_long(text: str, *, most: int, field: str = "text", by: str = "store.max_text_chars") -> None:
    """Before a text is embedded, which takes its time, not after."""
    if len(text) > most:
        raise InvalidInput(
            field,
            f"has {len(text):,} characters, at most {most:,} are allowed",
            remedy=f"Split it, or raise {by}.",
        )


def _with_mark(place: Placement, record: Record | None) -> Mapping[str, Json]:
    """The metadata for a place. A raw turn that was withdrawn from the view stays so when it is said again."""
    is_raw = parse_collection(place.collection).kind is CollectionKind.RAW_TURNS
    if record is None or not is_raw or not TurnMetadata.of(record).is_withdrawn:
        return place.metadata
    return {**place.metadata, WITHDRAWN: record.metadata[WITHDRAWN]}


def to_canonical(metadata: Mapping[str, Json]) -> str:
    """Metadata as text that is equal when the metadata are: the order of keys does not count, 1 and true differ."""
    return json.dumps(metadata, sort_keys=True)
