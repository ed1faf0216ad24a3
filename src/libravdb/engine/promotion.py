"""The gate at work: two searches, a verdict, and what durable memory makes of it.

`gate/` computes; this module fetches what it needs and writes what it decides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from libravdb.core.gate.attributes import read_attributes
from libravdb.core.gate.calibrate import Label, calibrate, report
from libravdb.core.gate.likelihood import differs
from libravdb.core.gate.score import judge
from libravdb.core.gate.settings import GateSettings
from libravdb.core.gate.supersession import is_own, relate
from libravdb.core.gate.vetoes import ECHO, EMPTY, SECRET, Circumstances
from libravdb.engine.embedding import Embeddings, is_in_use
from libravdb.engine.known_records import KnownRecords
from libravdb.engine.pages import every_record
from libravdb.engine.profile_records import following
from libravdb.engine.retry import retry_on_conflict
from libravdb.engine.successions import successors
from libravdb.errors import InvalidInput, NotFound
from libravdb.model import (
    MUST_BE_NEW,
    AttributeKind,
    Change,
    Embedding,
    GateAccount,
    Json,
    Judged,
    Key,
    Kin,
    Near,
    Put,
    Record,
    StatedAttribute,
    Topic,
    Touch,
    Turn,
    Verdict,
    Wish,
)
from libravdb.model.collections import durable_memory, parse_collection, turn_index
from libravdb.model.namespaces import named
from libravdb.model.record_ids import shared_turn_id
from libravdb.model.turn_metadata import (
    EXPIRES_AT,
    LAST_SEEN_AT,
    PROVENANCE,
    REPEATS,
    STATES,
    SUPERSEDED_AT,
    SUPERSEDED_BY,
    SUPERSEDES,
    TIMES_SEEN,
    USEFUL,
    USEFUL_AT,
    Provenance,
    TurnMetadata,
    expiry_of,
    stated_facts,
)
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store
from libravdb.text.unicode import mend

if TYPE_CHECKING:
    from libravdb.model import Vector

NEAREST_TURNS, NEAREST_MEMORIES = 10, 5
_SHOWN = "'libravdb list --user {}' shows what is there."

ReadWishes = Callable[[str], tuple[Wish, ...]]
"""The standing wishes to the agent in what a user says."""

Rules = Callable[[Snapshot], Sequence[str]]
"""The authored rules in force at a moment."""


@dataclass(slots=True, kw_only=True)
class Judgement:
    """What a batch has decided so far: turns of it are not in the store yet, and still count as said before. All of it
    is decided by one moment of the store. `changed` are memories as the batch will leave them, new ones too."""

    namespace: str
    snapshot: Snapshot
    known: KnownRecords
    turns: list[Vector] = field(default_factory=list)
    memories: list[tuple[str, Vector]] = field(default_factory=list)
    changed: dict[str, Record] = field(default_factory=dict)

    def learn(self, changes: Sequence[Change]) -> None:
        """What a turn changes in durable memory: the next one meets it so."""
        for change in changes:
            if isinstance(change, Put) and change.collection == durable_memory(self.namespace):
                self.changed[change.id] = _as_written(change)

    def latest(self, record: Record) -> Record:
        """A memory of the store as the batch will leave it."""
        return self.changed.get(record.id, record)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SimilarRecord:
    record: Record
    cosine: float


class Gate:
    """Decides what is kept beyond its session. Exactly two searches a turn; the turn itself is in neither."""

    def __init__(
        self,
        *,
        store: Store,
        embeddings: Embeddings,
        clock: Clock,
        weights: GateSettings,
        rules: Rules,
        read_wishes: ReadWishes,
        known: KnownRecords,
    ) -> None:
        self._known = known
        self._read_wishes = read_wishes
        self._clock = clock
        self._store = store
        self._embeddings = embeddings
        self._weights = weights
        self._rules = rules

    @property
    def threshold(self) -> float:
        """The score from which a turn is kept beyond its session."""
        return self._weights.threshold

    def begin(self, namespace: str, snapshot: Snapshot) -> Judgement:
        """A judgement over the turns of one transaction."""
        return Judgement(namespace=namespace, snapshot=snapshot, known=self._known)

    def judge(self, text: str, *, namespace: str) -> Judged:
        """The verdict on a text, and the standing wishes in it, without storing anything."""
        text, namespace = mend(text), named(namespace)
        embedding = self._embeddings.of_texts([text]).of(text) if text.strip() else None
        with self._store.read() as snapshot:
            judged = self._weigh(text, embedding, self.begin(namespace, snapshot))
        return replace(judged, wishes=self._read_wishes(text))

    def weigh(self, turn: Turn, embedding: Embedding | None, judgement: Judgement) -> Judged:
        """The verdict on a turn; the judgement learns of it."""
        told = TurnMetadata.of(turn)
        judged = self._weigh(
            turn.text,
            embedding,
            judgement,
            is_secret_only=told.is_secret_only,
            is_echo=told.is_echo,
            speaker=turn.speaker,
        )
        if embedding is not None:
            judgement.turns.append(embedding.vectors[0])
            if judged.verdict.is_admitted and judged.same is None:
                judgement.memories.append((shared_turn_id(turn.session, turn.id), embedding.vectors[0]))
        return judged

    def place(self, put: Put, snapshot: Snapshot) -> list[Put]:
        """A memory that is kept on request: with what it states and replaces, and the memories it outdates."""
        namespace = parse_collection(put.collection).owner
        if SUPERSEDED_BY in put.metadata or SUPERSEDES in put.metadata:
            return [put]  # it comes from where that was decided already
        stated = read_attributes(put.text)
        memories: list[_SimilarRecord] = []
        rivals: list[_SimilarRecord] = []
        judgement = self.begin(namespace, snapshot)
        if put.embedding is not None:
            _, memories, rivals = _met(judgement, put.embedding)
        met = {near.record.id: near for near in (*_stating(judgement, stated), *rivals, *memories)}
        met.pop(put.id, None)
        _, outdated = self._kindred(put.text, [near for near in met.values() if near.record.at <= put.at])
        facts: dict[str, Json] = {**stated_facts(stated)}
        if outdated:
            facts[SUPERSEDES] = [record.id for record in outdated]
        marks: dict[str, Json] = {SUPERSEDED_BY: put.id, SUPERSEDED_AT: put.at}
        kept = replace(put, metadata={**put.metadata, **facts})
        marked = [_remarked(record, marks) for record in outdated]
        return [kept, *marked, *following(snapshot, namespace, marked)]

    # ── afterwards ────────────────────────────────────────────────────────────────────────────────────────

    def feedback(self, id: str, *, useful: bool, namespace: str) -> None:
        """Tell whether a memory was useful: it is noted on it and on the turn it came from, and the threshold can be
        calibrated by it."""
        namespace = named(namespace)
        marks: dict[str, Json] = {USEFUL: useful, USEFUL_AT: self._clock()}

        def note() -> None:
            with self._store.read() as snapshot:
                found = snapshot.records([Key(durable_memory(namespace), id), Key(turn_index(namespace), id)])
            if not found:
                raise NotFound("memory or judged turn", id, remedy=_SHOWN.format(namespace))
            self._store.commit([_remarked(record, marks) for record in found.values()])

        retry_on_conflict(note)

    def restore(self, id: str, *, namespace: str) -> None:
        """Take back that a memory was made outdated by a newer one; both stay."""
        namespace = named(namespace)
        retry_on_conflict(lambda: self._restored(id, namespace, remedy=_SHOWN.format(namespace)))

    def _restored(self, id: str, namespace: str, *, remedy: str) -> None:
        collection = durable_memory(namespace)
        with self._store.read() as snapshot:
            record = snapshot.records([Key(collection, id)]).get(Key(collection, id))
            if record is None:
                raise NotFound("memory", id, remedy=remedy)
            newer = TurnMetadata.of(record).superseded_by
            if newer is None:
                problem = f"{id!r} is not outdated by any memory"
                raise InvalidInput("id", problem, remedy="There is nothing to take back.")
            successor = snapshot.records([Key(collection, newer)]).get(Key(collection, newer))
            again = _remarked(record, {}, without=(SUPERSEDED_BY, SUPERSEDED_AT))
            changes: list[Change] = [again, *following(snapshot, namespace, [again])]
        if successor is not None:
            left = [one for one in TurnMetadata.of(successor).supersedes if one != id]
            marks: dict[str, Json] = {SUPERSEDES: list[Json](left)} if left else {}
            changes.append(_remarked(successor, marks, without=(SUPERSEDES,)))
        self._store.commit(changes)

    def supersede(self, id: str, *, by: str, namespace: str) -> None:
        """Let a memory be outdated by another one, as if the gate had found it; `restore` takes it back."""
        namespace = named(namespace)
        if id == by:
            raise InvalidInput("by", "is the memory itself", remedy="Name the memory that holds in its place.")
        retry_on_conflict(lambda: self._superseded(id, by, namespace))

    def _superseded(self, id: str, by: str, namespace: str) -> None:
        """In one commit, unless a memory of the namespace is changed meanwhile: a circle may come from others too."""
        collection = durable_memory(namespace)
        topic = Topic.collection(collection)
        with self._store.read() as snapshot:
            before = snapshot.revisions([topic])
            found = snapshot.records([Key(collection, id), Key(collection, by)])
            for one in (id, by):
                if Key(collection, one) not in found:
                    raise NotFound("memory", one, remedy=_SHOWN.format(namespace))
            old, newer = found[Key(collection, id)], found[Key(collection, by)]
            if TurnMetadata.of(old).superseded_by == by:
                return
            _refuse_link(snapshot, old, newer)
            marked = _remarked(old, {SUPERSEDED_BY: by, SUPERSEDED_AT: self._clock()})
            held: list[Json] = [one for one in TurnMetadata.of(newer).supersedes if one != id]
            changes = [
                marked,
                _remarked(newer, {SUPERSEDES: [*held, id]}),
                *following(snapshot, namespace, [marked]),
            ]
        self._store.commit(changes, unless=before)

    def release(self, gone: Collection[Record], snapshot: Snapshot) -> list[Put]:
        """What becomes of memories that these had made outdated, now that they go: they count again, or were replaced
        by the first in their place that stays."""
        going = {Key(one.collection, one.id): one for one in gone}
        before = {Key(one.collection, id) for one in gone for id in TurnMetadata.of(one).supersedes} - going.keys()
        old = {
            key: (record, _heir(Key(key.collection, TurnMetadata.of(record).superseded_by or ""), going))
            for key, record in snapshot.records(list(before)).items()
            if Key(key.collection, TurnMetadata.of(record).superseded_by or "") in going
        }
        heirs = snapshot.records(list({heir for _, heir in old.values()}))
        changes = [
            _remarked(record, {SUPERSEDED_BY: heir.id})
            if heir in heirs
            else _remarked(record, {}, without=(SUPERSEDED_BY, SUPERSEDED_AT))
            for record, heir in old.values()
        ]
        for heir, newer in heirs.items():
            left = [id for id in TurnMetadata.of(newer).supersedes if Key(heir.collection, id) not in going]
            held: list[Json] = [*left, *(key.id for key, (_, its) in old.items() if its == heir and key.id not in left)]
            changes.append(_remarked(newer, {SUPERSEDES: held}))
        return changes

    def report(self, *, namespace: str) -> GateAccount:
        """How the gate decided so far, from what is stored with every judged turn, and what feedback says about its
        threshold."""
        namespace = named(namespace)
        with self._store.read() as snapshot:
            judged = [TurnMetadata.of(record) for record in every_record(snapshot, turn_index(namespace))]
        labels = [
            Label(score=score, is_useful=useful)
            for told in judged
            if (score := told.gate_score) is not None and (useful := told.is_useful) is not None
        ]
        return GateAccount(
            namespace=namespace,
            threshold=self._weights.threshold,
            report=report([told.facts for told in judged]),
            labels=len(labels),
            useful=sum(label.is_useful for label in labels),
            calibration=calibrate(labels),
        )

    # ── weighing ──────────────────────────────────────────────────────────────────────────────────────────

    def _weigh(
        self,
        text: str,
        embedding: Embedding | None,
        judgement: Judgement,
        *,
        is_secret_only: bool = False,
        is_echo: bool = False,
        speaker: str = "",
    ) -> Judged:
        stated = read_attributes(text)
        turn_cosines: list[float] = []
        memories: list[_SimilarRecord] = []
        rivals: list[_SimilarRecord] = []
        if embedding is not None:
            turn_cosines, memories, rivals = _met(judgement, embedding)
        met = {near.record.id: near for near in (*_stating(judgement, stated), *rivals, *memories)}
        if speaker:
            met = {id: near for id, near in met.items() if not _is_anothers(text, near.record, speaker)}
        known = [
            one for near in (*memories, *rivals) if near.record.id in met for one in read_attributes(near.record.text)
        ]
        verdict = judge(
            text,
            turn_cosines=turn_cosines[-NEAREST_TURNS:],
            durable_cosines=[near.cosine for near in memories],
            weights=self._weights,
            circumstances=Circumstances(
                is_echo=is_echo, is_secret_only=is_secret_only, rules=tuple(self._rules(judgement.snapshot))
            ),
            known=known,
            memories=[near.record.text for near in memories],
        )
        if verdict.veto in (ECHO, SECRET):
            return Judged(verdict=verdict)
        return self._related(text, verdict, sorted(met.values(), key=lambda near: -near.cosine), stated)

    def _related(
        self, text: str, verdict: Verdict, met: Sequence[_SimilarRecord], stated: tuple[StatedAttribute, ...]
    ) -> Judged:
        """What durable memory holds on the same thing. What replaces something is kept by that alone; else a vetoed
        turn has nothing to do with it. What is outdated already was replaced by what is still there."""
        same, outdated = self._kindred(text, met)
        if same is not None:
            return Judged(verdict=verdict, same=None if verdict.veto else same, attributes=stated)
        if outdated:
            verdict = _admitted(verdict, f"it replaces {_quoted(outdated)}")
        elif not verdict.is_admitted and verdict.veto in ("", EMPTY):
            other = next((near.record for near in met if differs(text, near.record.text, near.cosine)), None)
            verdict = _admitted(verdict, f"it differs from {_quoted([other])}") if other else verdict
        return Judged(verdict=verdict, outdated=tuple(outdated), attributes=stated)

    def _kindred(self, text: str, met: Sequence[_SimilarRecord]) -> tuple[Record | None, list[Record]]:
        """The memory that says the same, and those that the text makes outdated."""
        same: Record | None = None
        outdated: list[Record] = []
        for near in met:
            if TurnMetadata.of(near.record).is_outdated:
                continue
            match relate(text, near.record.text, near.cosine, is_rule=self._is_rule).kin:
                case Kin.SAME:
                    same = same or near.record
                case Kin.SUPERSEDES:
                    outdated.append(near.record)
                case Kin.DISTINCT:
                    pass
        return same, outdated

    def _is_rule(self, text: str) -> bool:
        """Whether a text holds a standing wish: what replaces it is decided among wishes."""
        return bool(self._read_wishes(text))


def _refuse_link(snapshot: Snapshot, old: Record, newer: Record) -> None:
    """Refuse to let a memory be outdated twice, or by what it made outdated itself."""
    by = TurnMetadata.of(old).superseded_by
    if by:
        raise InvalidInput("id", f"{old.id!r} is outdated by {by!r} already", remedy="Restore it first.")
    if old.id in successors(snapshot, newer):
        raise InvalidInput(
            "by",
            f"{newer.id!r} is itself outdated by {old.id!r}",
            remedy="Restore it first, or name them the other way round.",
        )


def _is_anothers(text: str, record: Record, speaker: str) -> bool:
    """Whether a memory is somebody else's own: two people of a group each have a home."""
    by = TurnMetadata.of(record).speaker
    return bool(by) and by.casefold() != speaker.casefold() and (is_own(text) or is_own(record.text))


def _heir(key: Key, going: Mapping[Key, Record]) -> Key:
    """The first in a chain of updates that does not go; empty when all of them do."""
    seen: set[Key] = set()
    while key in going and key not in seen:
        seen.add(key)
        key = Key(key.collection, TurnMetadata.of(going[key]).superseded_by or "")
    return key


def _admitted(verdict: Verdict, reason: str) -> Verdict:
    """The verdict on a turn that is kept by itself, whatever stood against it."""
    told = (f"kept by itself: {reason}", *(one for one in verdict.reasons if not one.startswith("veto: ")))
    return replace(verdict, veto="", admission=reason, reasons=told)


def _quoted(records: Sequence[Record]) -> str:
    first = " ".join(records[0].text.split())
    brief = first if len(first) <= _BRIEF else f"{first[:_BRIEF]}…"
    rest = f" and {len(records) - 1} more" if len(records) > 1 else ""
    return f"“{brief}”{rest}"


_BRIEF = 80


def _met(judgement: Judgement, embedding: Embedding) -> tuple[list[float], list[_SimilarRecord], list[_SimilarRecord]]:
    """The gate's two searches: the cosines of the nearest turns, the nearest memories, and what memory holds of those
    turns."""
    snapshot, namespace, vector = judgement.snapshot, judgement.namespace, embedding.vectors[0]
    turns = _near(snapshot, turn_index(namespace), NEAREST_TURNS, embedding)
    memories = _with_records(judgement, _near(snapshot, durable_memory(namespace), NEAREST_MEMORIES, embedding))
    cosines = sorted([*(near.cosine for near in turns), *(float(vector @ one) for one in judgement.turns)])
    new = [_SimilarRecord(record=judgement.changed[id], cosine=float(vector @ one)) for id, one in judgement.memories]
    nearest = sorted([*memories, *new], key=lambda near: -near.cosine)
    kept = {Key(durable_memory(namespace), near.key.id): near.cosine for near in turns}
    found = judgement.known.records(snapshot, list(kept)) if kept else {}
    rivals = [_SimilarRecord(record=judgement.latest(record), cosine=kept[key]) for key, record in found.items()]
    return cosines, nearest[:NEAREST_MEMORIES], [*rivals, *nearest[NEAREST_MEMORIES:]]


def _stating(judgement: Judgement, stated: Sequence[StatedAttribute]) -> list[_SimilarRecord]:
    """The newest memories that state what these attributes may replace: it may lie far from them in meaning."""
    replacing = [one for one in stated if one.is_single or one.is_ended]
    kinds = {kind for one in replacing for kind in (_ENDABLE if one.is_ended and one.kind in _ENDABLE else (one.kind,))}
    found: dict[str, _SimilarRecord] = {}
    for kind in sorted(kinds):
        mark = f"{STATES}{kind.value}"
        memory = durable_memory(judgement.namespace)
        stored = judgement.known.newest_marked(judgement.snapshot, memory, mark, limit=MOST_STATING)
        new = [record for record in judgement.changed.values() if record.metadata.get(mark) is True]
        for record in (*stored, *new):
            found[record.id] = _SimilarRecord(record=judgement.latest(record), cosine=0.0)
    return list(found.values())


MOST_STATING = 64
"""Memories of one kind that are compared with what may replace one of them."""
_ENDABLE = (AttributeKind.HABIT, AttributeKind.TOOL, AttributeKind.PLAN, AttributeKind.VEHICLE)


def _near(snapshot: Snapshot, collection: str, k: int, embedding: Embedding) -> tuple[Near, ...]:
    """The nearest records of a collection by whole texts."""
    if not is_in_use(snapshot, embedding):
        return ()
    question = Embedding(fingerprint=embedding.fingerprint, vectors=embedding.vectors[:1])
    return snapshot.nearest((collection,), question, k=k, is_whole=True)


def _with_records(judgement: Judgement, found: Sequence[Near]) -> list[_SimilarRecord]:
    records = judgement.known.records(judgement.snapshot, [one.key for one in found])
    return [_SimilarRecord(record=judgement.latest(records[one.key]), cosine=one.cosine) for one in found]


def memory_changes(
    judged: Judged, *, turn: Turn, id: str, at: int, facts: Mapping[str, Json], embedding: Embedding | None
) -> list[Change]:
    """What a judged turn changes: the repetition index always, durable memory by the verdict.

    A memory that says the same already is strengthened and dated anew, and lasts as long as the turn does; outdated
    ones are marked, and kept.
    """
    said = Put(
        collection=turn_index(turn.namespace),
        id=id,
        text=turn.text,
        at=at,
        metadata={**facts, PROVENANCE: Provenance.TURN_INDEX.value},
        embedding=embedding,
        expect=MUST_BE_NEW,
    )
    if judged.same is not None:
        repeated = replace(said, metadata={**said.metadata, REPEATS: judged.same.id})
        return [repeated, *_strengthened(judged.same, at, expires_at=expiry_of(facts))]
    if not judged.verdict.is_admitted:
        return [said]
    outdated: dict[str, Json] = {SUPERSEDES: [record.id for record in judged.outdated]} if judged.outdated else {}
    kept = replace(
        said,
        collection=durable_memory(turn.namespace),
        metadata={
            **facts,
            PROVENANCE: Provenance.DURABLE_MEMORY.value,
            **stated_facts(judged.attributes),
            **outdated,
        },
    )
    marks: dict[str, Json] = {SUPERSEDED_BY: id, SUPERSEDED_AT: at}
    return [said, kept, *(_remarked(record, marks) for record in judged.outdated)]


def merged(changes: Sequence[Change]) -> list[Change]:
    """The changes of one transaction with each record written once: as the last one of them leaves it, and expected as
    the first one met it."""
    last: dict[Key, Put] = {}
    for change in changes:
        if isinstance(change, Put):
            key = Key(change.collection, change.id)
            first = last.get(key, change)
            last[key] = replace(change, expect=first.expect, embedding=first.embedding or change.embedding)
    kept: list[Change] = []
    for change in changes:
        if not isinstance(change, Put):
            kept.append(change)
        elif (put := last.pop(Key(change.collection, change.id), None)) is not None:
            kept.append(put)
    return kept


def _as_written(put: Put) -> Record:
    """A memory of the same transaction. One that is not in the store yet is at the version of what must be new."""
    return Record(
        collection=put.collection,
        id=put.id,
        text=put.text,
        metadata=put.metadata,
        at=put.at,
        version=put.expect or MUST_BE_NEW,
        access_count=0,
    )


def _strengthened(record: Record, at: int, *, expires_at: int | None) -> list[Change]:
    """A memory that was said again: what was to expire stays, or goes with the later of the two that say it."""
    marks: dict[str, Json] = {LAST_SEEN_AT: at, TIMES_SEEN: TurnMetadata.of(record).times_seen + 1}
    before = expiry_of(record.metadata)
    if expires_at is not None and before is not None:
        marks[EXPIRES_AT] = max(expires_at, before)
    return [
        _remarked(record, marks, without=(EXPIRES_AT,)),
        Touch(collection=record.collection, ids=(record.id,)),
    ]


def _remarked(record: Record, marks: Mapping[str, Json], *, without: Sequence[str] = ()) -> Put:
    """The same record with more or less in its metadata; refused when somebody changed it meanwhile."""
    kept = {key: value for key, value in record.metadata.items() if key not in without}
    return Put(
        collection=record.collection,
        id=record.id,
        text=record.text,
        at=record.at,
        metadata={**kept, **marks},
        expect=record.version,
    )
