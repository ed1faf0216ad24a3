"""Standing wishes at work: kept when they are said, listed, removed, and put into every prompt of their person.

`core/guidance` reads; this module fetches what is kept, and writes what a new wish changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from libravdb.core.assembly.selection import STANDING
from libravdb.core.guidance.reader import IsRule, no_rule, read_wishes
from libravdb.core.guidance.replacement import replaces
from libravdb.engine.pages import every_record, one_record
from libravdb.engine.retry import retry_on_conflict
from libravdb.errors import InvalidInput, NotFound
from libravdb.model import (
    MUST_BE_NEW,
    Embedding,
    Hit,
    IncomingTurn,
    Json,
    KeptWish,
    Put,
    Record,
    Role,
    Turn,
    Where,
    Wish,
    WishReach,
)
from libravdb.model.collections import user_guidance
from libravdb.model.namespaces import named
from libravdb.model.record_ids import guidance_id
from libravdb.model.turn_metadata import (
    ECHO,
    EXCERPT,
    KIND,
    OWNER,
    PROVENANCE,
    ROLE,
    SAID_AT,
    SESSION,
    SOURCE_TURN,
    STABILITY,
    SUPERSEDED_AT,
    SUPERSEDED_BY,
    SUPERSEDES,
    WISH_PARTIES,
    WISH_REACH,
    WISH_TOPICS,
    WISH_WORDS,
    WITHDRAWN,
    Provenance,
    RecordKind,
    TurnMetadata,
)
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store

MOST_SPOKEN = 40
"""General wishes that are offered to one prompt, the newest."""

_IS_WISH = Where(metadata={KIND: (RecordKind.WISH.value,)})
_SHOWN = "'libravdb guidance list --all' shows what is there."


class Guidance:
    """The standing wishes of people: what counts, and the verbs to look at it and take it back."""

    def __init__(self, *, store: Store, clock: Clock, is_rule: IsRule = no_rule) -> None:
        self._store = store
        self._clock = clock
        self._is_rule = is_rule

    def list(self, *, namespace: str, everything: bool = False) -> list[KeptWish]:
        """The wishes that count, the newest first; with `everything`, replaced and removed ones too."""
        with self._store.read() as snapshot:
            found = wishes_of(snapshot, named(namespace))
        kept = [_kept(record, found) for record in found.values()]
        kept.sort(key=lambda wish: (-wish.since, wish.id))
        return [wish for wish in kept if everything or wish.is_current]

    def remove(self, id: str, *, namespace: str) -> KeptWish:
        """Let a wish count no more; what was said stays in the history."""
        return retry_on_conflict(lambda: self._removed(id, named(namespace)))

    def _removed(self, id: str, namespace: str) -> KeptWish:
        with self._store.read() as snapshot:
            record = one_record(snapshot, user_guidance(namespace), id)
        if record is None or not TurnMetadata.of(record).is_wish:
            raise NotFound("standing wish", id, remedy=_SHOWN)
        if TurnMetadata.of(record).withdrawn_at is not None:
            raise InvalidInput("id", f"{id!r} was removed before", remedy="There is nothing to remove.")
        now = self._clock()
        self._store.commit([_marked(record, {WITHDRAWN: now})])
        return replace(_kept(record, {record.id: record}), removed_at=now)

    def read_text(self, text: str) -> tuple[Wish, ...]:
        """The standing wishes in a text, as if a user said it."""
        return read_wishes(text, is_rule=self._is_rule)

    def read(self, said: IncomingTurn, *, is_among_people: bool = False) -> tuple[Wish, ...]:
        """The standing wishes of what a host reports; only a user has some, and not by giving back our own prompts."""
        if said.skipped or said.role is not Role.USER or said.metadata.get(ECHO) is True:
            return ()
        return read_wishes(said.judged_text, is_rule=self._is_rule, is_among_people=is_among_people)


@dataclass(slots=True)
class GuidanceDraft:
    """What the turns of one transaction change in somebody's wishes, by one moment of the store."""

    snapshot: Snapshot
    namespace: str
    _held: dict[str, Put] | None = None
    _changed: set[str] = field(default_factory=set)

    def add(self, wishes: Sequence[Wish], turn: Turn, *, at: int, embeddings: Mapping[str, Embedding]) -> None:
        """Keep the wishes of a turn. One that is known already is not kept twice; others of its topic are replaced."""
        for wish in wishes:
            held = self._current()
            counting = [put for put in held.values() if _counts(put.metadata, held)]
            if any(_plain(put.text) == _plain(wish.text) for put in counting):
                continue
            is_whole = wish.text.strip() == turn.text.strip()
            id = guidance_id(turn.session, turn.id, None if is_whole else wish.place)
            old = [put for put in counting if replaces(wish, TurnMetadata(put.metadata))]
            facts = _facts(wish, turn, is_excerpt=not is_whole)
            facts |= {SUPERSEDES: [put.id for put in old]} if old else {}
            for put in old:
                marks: dict[str, Json] = {SUPERSEDED_BY: id, SUPERSEDED_AT: at}
                held[put.id] = replace(put, metadata={**put.metadata, **marks})
                self._changed.add(put.id)
            held[id] = Put(
                collection=user_guidance(self.namespace),
                id=id,
                text=wish.text,
                at=at,
                metadata=facts,
                embedding=embeddings.get(wish.text),
                expect=MUST_BE_NEW,
            )
            self._changed.add(id)

    def changes(self) -> list[Put]:
        """What is to be written, by id."""
        held = self._held or {}
        return [held[id] for id in sorted(self._changed)]

    def _current(self) -> dict[str, Put]:
        if self._held is None:
            found = wishes_of(self.snapshot, self.namespace)
            self._held = {id: _marked(record, {}) for id, record in found.items()}
        return self._held


# ── in a prompt ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenWishes:
    """What counts for a prompt whatever it is about, the newest first; and the ids of what counts no more."""

    hits: tuple[Hit, ...] = ()
    past: frozenset[str] = frozenset()


def spoken_wishes(snapshot: Snapshot, namespace: str, *, as_of: int | None = None) -> SpokenWishes:
    """The general wishes of a namespace as they are at a moment."""
    found = wishes_of(snapshot, namespace)
    if as_of is not None:
        found = {id: record for id, record in found.items() if record.at <= as_of}
    past = frozenset(id for id, record in found.items() if not _is_current(record, found, as_of=as_of))
    general = [
        record
        for id, record in found.items()
        if id not in past and TurnMetadata.of(record).wish_reach == WishReach.GENERAL.value
    ]
    general.sort(key=lambda record: (-record.at, record.id))
    return SpokenWishes(hits=tuple(_hit(record) for record in general[:MOST_SPOKEN]), past=past)


def _hit(record: Record) -> Hit:
    try:
        day = datetime.fromtimestamp(record.at / 1000, tz=UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        day = str(record.at)
    return Hit(record=record, score=1.0, breakdown={STANDING: 1.0}, reasons=(f"a standing wish, said on {day}",))


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────


def wishes_of(snapshot: Snapshot, namespace: str) -> dict[str, Record]:
    """Every kept wish of a namespace, whether it counts or not, by its id."""
    return {record.id: record for record in every_record(snapshot, user_guidance(namespace), where=_IS_WISH)}


def _is_current(record: Record, found: Mapping[str, Record], *, as_of: int | None = None) -> bool:
    """Whether a wish counts: nobody removed it, and no wish that is still there took its place."""
    told = TurnMetadata.of(record)
    is_later = as_of is not None and any(
        moment is not None and moment > as_of for moment in (told.withdrawn_at, told.superseded_at)
    )
    return is_later or (told.withdrawn_at is None and told.superseded_by not in found)


def _counts(facts: Mapping[str, Json], held: Mapping[str, Put]) -> bool:
    return WITHDRAWN not in facts and TurnMetadata(facts).superseded_by not in held


def _facts(wish: Wish, turn: Turn, *, is_excerpt: bool) -> dict[str, Json]:
    stability = TurnMetadata({ROLE: turn.role.value}).stability
    return {
        KIND: RecordKind.WISH.value,
        SOURCE_TURN: turn.id,
        SESSION: turn.session,
        OWNER: turn.namespace,
        ROLE: turn.role.value,
        SAID_AT: turn.at,
        PROVENANCE: Provenance.SESSION_TURN.value,
        STABILITY: stability,
        WISH_REACH: wish.reach.value,
        WISH_TOPICS: list[Json](wish.topics),
        WISH_WORDS: list[Json](wish.words),
        **({WISH_PARTIES: list[Json](wish.parties)} if wish.parties else {}),
        **({EXCERPT: True} if is_excerpt else {}),
    }


def _kept(record: Record, found: Mapping[str, Record]) -> KeptWish:
    told = TurnMetadata.of(record)
    newer = told.superseded_by or ""
    return KeptWish(
        id=record.id,
        text=record.text,
        topics=told.wish_topics,
        reach=WishReach.GENERAL if told.wish_reach == WishReach.GENERAL.value else WishReach.SUBJECT,
        since=record.at,
        session=told.session or "",
        turn=told.source_turn or "",
        replaced_by=newer if newer in found else "",
        removed_at=told.withdrawn_at,
    )


def _marked(record: Record, marks: Mapping[str, Json]) -> Put:
    return Put(
        collection=record.collection,
        id=record.id,
        text=record.text,
        at=record.at,
        metadata={**record.metadata, **marks},
        expect=record.version,
    )


def _plain(text: str) -> str:
    """A wish as it is compared: words in lower case, without marks other than those that tell C++ from C#."""
    return " ".join("".join(mark if mark.isalnum() or mark in _TELLING else " " for mark in text.lower()).split())


_TELLING = "+#<>%"
