"""What an agent wrote down itself: the notes of its workspace, kept in step with its files, and its host's dreams.

Notes are information. They are the agent's alone, found by those who may ask for them by its name, and never rules. A
note stands in the store as its passages, each with the lines that it was cut from; the workspace itself is one small
record beside them, without a text, so that no search finds it and whoever deletes the namespace deletes it too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime

from libravdb.core.notes.diary import read_diary, why_unworthy
from libravdb.core.notes.passages import passages
from libravdb.engine.pages import every_record, one_record
from libravdb.engine.retry import retry_on_conflict
from libravdb.errors import InvalidInput
from libravdb.model import DiaryEntry, DreamPromotion, Json, NoteFolder, Put, Record, Remove, WeighedEntry, Where
from libravdb.model.collections import (
    CollectionKind,
    agent_notes,
    curated_notes,
    dream_entries,
    parse_collection,
    prefix,
)
from libravdb.model.namespaces import named
from libravdb.model.record_ids import dream_id
from libravdb.model.turn_metadata import OWNER, SAID_AT, dream_facts
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store
from libravdb.text.unicode import mend

WORKSPACE = "workspace:"
"""The id of the record that tells the folder of an agent's notes; no path of a note is written so."""

CURATED = ("MEMORY.md", "memory.md")
"""The notes that a host puts into the prompt itself."""

RECIPE = b"notes:1\0"
"""Raised when notes are cut in another way, so that all are read again."""

SOURCE = "source_doc"
DIGEST = "file_hash"

_DATED = re.compile(r"(?:^|/)(\d{4})-(\d\d)-(\d\d)")

Commit = Callable[[Sequence[Remove], Sequence[Put]], str]
"""Embeds what is new, commits all or nothing, and returns in words what is reduced."""


def digest_of(content: bytes) -> str:
    """What tells whether a note says something else than what is known of it."""
    return hashlib.sha256(RECIPE + content).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFile:
    """A note as it was read: its path within the workspace, what it says, and when it was written."""

    path: str
    content: bytes
    mtime_ms: int


class Notes:
    """The notes of agents. Usable from many threads."""

    def __init__(
        self,
        *,
        store: Store,
        commit: Commit,
        clock: Clock,
        mask: Callable[[str], str],
        spell: Callable[[str], str],
    ) -> None:
        self._spell = spell
        self._store = store
        self._commit = commit
        self._clock = clock
        self._mask = mask

    # ── whose notes are where ─────────────────────────────────────────────────────────────────────────────

    def watch(self, folder: str, *, namespace: str) -> bool:
        """From now on the notes of an agent are those of this workspace, and of no other; returns whether that is new.
        What came from another one is forgotten."""
        owner = named(namespace)
        return retry_on_conflict(lambda: self._watch(owner, folder))

    def _watch(self, owner: str, folder: str) -> bool:
        with self._store.read() as snapshot:
            record = one_record(snapshot, agent_notes(owner), WORKSPACE)
            if record is not None and record.metadata.get("folder") == folder:
                return False
            gone = _all_of(snapshot, owner)
        facts: dict[str, Json] = {OWNER: owner, "folder": folder}
        put = Put(collection=agent_notes(owner), id=WORKSPACE, text="", at=self._clock(), metadata=facts)
        self._commit([one for one in gone if one.id != WORKSPACE], [put])
        return True

    def unwatch(self, *, namespace: str) -> int:
        """Forget the notes of an agent, and where they are; returns how many passages there were."""
        owner = named(namespace)

        def leave() -> int:
            with self._store.read() as snapshot:
                gone = _all_of(snapshot, owner)
            if gone:
                self._store.commit(gone)
            return sum(one.id != WORKSPACE for one in gone)

        return retry_on_conflict(leave)

    def is_watched(self, folder: str, *, namespace: str) -> bool:
        """Whether an agent's notes are still those of this folder: its namespace may have been deleted meanwhile."""
        with self._store.read() as snapshot:
            record = one_record(snapshot, agent_notes(named(namespace)), WORKSPACE)
        return record is not None and record.metadata.get("folder") == folder

    def folders(self) -> list[NoteFolder]:
        """Every agent's workspace, with what is known of its notes."""
        found: list[NoteFolder] = []
        with self._store.read() as snapshot:
            for info in snapshot.collections(prefix=prefix(CollectionKind.AGENT_NOTES)).items:
                owner = parse_collection(info.name).owner
                record = one_record(snapshot, info.name, WORKSPACE)
                if record is None or not isinstance(folder := record.metadata.get("folder"), str):
                    continue
                known = list(_passages(snapshot, owner))
                notes = {str(one.metadata.get(SOURCE)) for one in known}
                found.append(NoteFolder(namespace=owner, folder=folder, notes=len(notes), passages=len(known)))
        return found

    def spelled(self, path: str) -> str:
        """The path of a note as it stands in the store: without secrets, and in letters that can be kept."""
        return self._spell(mend(path))

    # ── notes ─────────────────────────────────────────────────────────────────────────────────────────────

    def known(self, *, namespace: str) -> Mapping[str, str]:
        """The digest of each note of an agent that is known, by its path as it is spelled."""
        with self._store.read() as snapshot:
            told = (record.metadata for record in _passages(snapshot, named(namespace)))
            return {str(one.get(SOURCE)): str(one.get(DIGEST)) for one in told}

    def keep(self, given: NoteFile, *, namespace: str) -> int:
        """Keep a note as it is now; its former self goes in the same commit. Returns how many passages it has."""
        owner = named(namespace)
        return retry_on_conflict(lambda: self._keep(owner, given))

    def _keep(self, owner: str, given: NoteFile) -> int:
        path, place = self.spelled(given.path), _place(owner, given.path)
        with self._store.read() as snapshot:
            former = _of_note(snapshot, owner, path)
        text = self._mask(mend(given.content.decode("utf-8-sig", errors="replace")))
        moments = {record.text: record.at for record in former}
        at = self._moment(given)
        shared: dict[str, Json] = {
            OWNER: owner,
            SOURCE: path,
            DIGEST: digest_of(given.content),
            "source_kind": "agent-note",
        }
        puts = [
            Put(
                collection=place,
                id=f"{path}#{ordinal:06}",
                text=passage.text,
                at=moments.get(passage.text, at),
                metadata={**shared, "line": passage.first, "line_end": passage.last},
            )
            for ordinal, passage in enumerate(passages(text))
        ]
        kept = {(put.collection, put.id) for put in puts}
        gone = [Remove(collection=one.collection, id=one.id) for one in former if (one.collection, one.id) not in kept]
        if gone or puts:
            self._commit(gone, puts)
        return len(puts)

    def withdraw(self, path: str, *, namespace: str) -> int:
        """Forget a note whose file is gone; returns how many passages it had."""
        with self._store.read() as snapshot:
            former = _of_note(snapshot, named(namespace), self.spelled(path))
        if former:
            self._store.commit([Remove(collection=one.collection, id=one.id) for one in former])
        return len(former)

    def _moment(self, given: NoteFile) -> int:
        """When a note was written: on the day that its name tells, else when its file changed; never in the future."""
        at = given.mtime_ms
        if told := _DATED.search(given.path):
            year, month, day = map(int, told.groups())
            with suppress(ValueError, OverflowError):  # no day of any calendar
                at = int(datetime(year, month, day, 12).astimezone().timestamp() * 1000)
        return max(0, min(at, self._clock()))

    # ── dreams ────────────────────────────────────────────────────────────────────────────────────────────

    def promote(self, diary: str, *, source_doc: str, namespace: str, is_dry: bool = False) -> DreamPromotion:
        """Keep what a diary of dreams asks to be kept and deserves it, in the place of what the same diary gave before.
        A dry run only tells what would be kept."""
        owner, source = named(namespace), mend(source_doc)
        if not source.strip():
            raise InvalidInput("source_doc", "is empty", remedy="Name the diary.")
        weighed = tuple(
            WeighedEntry(entry=entry, reason=_why_unworthy(entry)) for entry in read_diary(self._mask(mend(diary)))
        )
        if not is_dry:
            retry_on_conflict(lambda: self._replace_dreams(owner, source, weighed))
        promoted = sum(not one.reason for one in weighed)
        return DreamPromotion(promoted=promoted, rejected=len(weighed) - promoted, entries=weighed, is_dry=is_dry)

    def _replace_dreams(self, owner: str, source: str, weighed: Sequence[WeighedEntry]) -> None:
        collection = dream_entries(owner)
        with self._store.read() as snapshot:
            former = {record.id: record for record in _of_source(snapshot, collection, source)}
        puts = [self._dream(owner, source, ordinal, one.entry) for ordinal, one in enumerate(weighed) if not one.reason]
        if {put.id: put.text for put in puts} == {id: record.text for id, record in former.items()}:
            return
        kept = {put.id for put in puts}
        self._commit([Remove(collection=collection, id=id) for id in former if id not in kept], puts)

    def _dream(self, owner: str, source: str, ordinal: int, entry: DiaryEntry) -> Put:
        now = self._clock()
        facts = {name: value for name, value in asdict(entry).items() if name != "text"}
        return Put(
            collection=dream_entries(owner),
            id=dream_id(source, ordinal),
            text=entry.text,
            at=now,
            metadata={**facts, SOURCE: source, OWNER: owner, SAID_AT: now, **dream_facts(entry.score)},
        )


def deserves_to_last(*, text: str, score: float, recall_count: float, unique_queries: float) -> bool:
    """Whether a dream is kept."""
    return not why_unworthy(text=text, score=score, recall_count=recall_count, unique_queries=unique_queries)


def _why_unworthy(entry: DiaryEntry) -> str:
    return why_unworthy(
        text=entry.text,
        score=entry.score,
        recall_count=entry.recall_count,
        unique_queries=entry.unique_queries,
    )


def _place(owner: str, path: str) -> str:
    return curated_notes(owner) if path in CURATED else agent_notes(owner)


def _passages(snapshot: Snapshot, owner: str) -> Iterable[Record]:
    for collection in (agent_notes(owner), curated_notes(owner)):
        yield from (record for record in every_record(snapshot, collection) if record.id != WORKSPACE)


def _of_note(snapshot: Snapshot, owner: str, path: str) -> list[Record]:
    return _of_source(snapshot, _place(owner, path), path)


def _of_source(snapshot: Snapshot, collection: str, source: str) -> list[Record]:
    return [*every_record(snapshot, collection, where=Where(metadata={SOURCE: (source,)}))]


def _all_of(snapshot: Snapshot, owner: str) -> list[Remove]:
    return [
        Remove(collection=collection, id=record.id)
        for collection in (agent_notes(owner), curated_notes(owner))
        for record in every_record(snapshot, collection)
    ]
