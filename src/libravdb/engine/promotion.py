"""The gate at work: two searches, a verdict, and what durable memory makes of it.

`gate/` computes; this module fetches what it needs and writes what it decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from libravdb.core.gate.calibrate import Label, calibrate, report
from libravdb.core.gate.score import judge
from libravdb.core.gate.settings import GateSettings
from libravdb.core.gate.supersession import relate
from libravdb.core.gate.vetoes import Circumstances
from libravdb.engine.embedding import Embeddings, is_in_use
from libravdb.engine.pages import every_record
from libravdb.engine.retry import retry_on_conflict
from libravdb.errors import InvalidInput, NotFound
from libravdb.model import (
    MUST_BE_NEW,
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
    Touch,
    Turn,
    Verdict,
    Wish,
)
from libravdb.model.collections import durable_memory, turn_index
from libravdb.model.namespaces import named
from libravdb.model.record_ids import shared_turn_id
from libravdb.model.turn_metadata import (
    LAST_SEEN_AT,
    PROVENANCE,
    SUPERSEDED_AT,
    SUPERSEDED_BY,
    SUPERSEDES,
    TIMES_SEEN,
    USEFUL,
    USEFUL_AT,
    Provenance,
    TurnMetadata,
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
    is decided by one moment of the store."""

    namespace: str
    snapshot: Snapshot
    turns: list[Vector] = field(default_factory=list)
    memories: list[tuple[Record, Vector]] = field(default_factory=list)


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
    ) -> None:
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
        return Judgement(namespace=namespace, snapshot=snapshot)

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
        judged = self._weigh(turn.text, embedding, judgement, is_secret_only=told.is_secret_only, is_echo=told.is_echo)
        if embedding is not None:
            judgement.turns.append(embedding.vectors[0])
            if judged.verdict.is_admitted and judged.same is None:
                judgement.memories.append((_unwritten(turn), embedding.vectors[0]))
        return judged

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
        retry_on_conflict(lambda: self._restored(id, durable_memory(namespace), remedy=_SHOWN.format(namespace)))

    def _restored(self, id: str, collection: str, *, remedy: str) -> None:
        with self._store.read() as snapshot:
            record = snapshot.records([Key(collection, id)]).get(Key(collection, id))
            if record is None:
                raise NotFound("memory", id, remedy=remedy)
            newer = TurnMetadata.of(record).superseded_by
            if newer is None:
                problem = f"{id!r} is not outdated by any memory"
                raise InvalidInput("id", problem, remedy="There is nothing to take back.")
            successor = snapshot.records([Key(collection, newer)]).get(Key(collection, newer))
        changes: list[Change] = [_remarked(record, {}, without=(SUPERSEDED_BY, SUPERSEDED_AT))]
        if successor is not None:
            left = [one for one in TurnMetadata.of(successor).supersedes if one != id]
            marks: dict[str, Json] = {SUPERSEDES: list[Json](left)} if left else {}
            changes.append(_remarked(successor, marks, without=(SUPERSEDES,)))
        self._store.commit(changes)

    def release(self, record: Record, snapshot: Snapshot) -> list[Put]:
        """What makes memories count again that this one had made outdated."""
        found = snapshot.records([Key(record.collection, id) for id in TurnMetadata.of(record).supersedes])
        return [
            _remarked(old, {}, without=(SUPERSEDED_BY, SUPERSEDED_AT))
            for old in found.values()
            if TurnMetadata.of(old).superseded_by == record.id
        ]

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
    ) -> Judged:
        snapshot, namespace = judgement.snapshot, judgement.namespace
        turn_cosines: list[float] = []
        memories: list[_SimilarRecord] = []
        if embedding is not None:
            vector = embedding.vectors[0]
            turns = _near(snapshot, turn_index(namespace), NEAREST_TURNS, embedding)
            memories = _with_records(snapshot, _near(snapshot, durable_memory(namespace), NEAREST_MEMORIES, embedding))
            turn_cosines = sorted([*(near.cosine for near in turns), *(float(vector @ one) for one in judgement.turns)])
            new = [_SimilarRecord(record=record, cosine=float(vector @ one)) for record, one in judgement.memories]
            memories = sorted([*memories, *new], key=lambda near: -near.cosine)[:NEAREST_MEMORIES]
        verdict = judge(
            text,
            turn_cosines=turn_cosines[-NEAREST_TURNS:],
            durable_cosines=[near.cosine for near in memories],
            weights=self._weights,
            circumstances=Circumstances(
                is_echo=is_echo, is_secret_only=is_secret_only, rules=tuple(self._rules(snapshot))
            ),
        )
        return self._related(text, verdict, memories)

    def _related(self, text: str, verdict: Verdict, memories: Sequence[_SimilarRecord]) -> Judged:
        """What durable memory holds on the same thing. A vetoed turn has nothing to do with it."""
        if verdict.veto:
            return Judged(verdict=verdict)
        same: Record | None = None
        outdated: list[Record] = []
        for near in memories:
            match relate(text, near.record.text, near.cosine).kin:
                case Kin.SAME:
                    same = same or near.record
                case Kin.SUPERSEDES:
                    outdated.append(near.record)
                case Kin.DISTINCT:
                    pass
        is_new = same is None and verdict.is_admitted
        return Judged(verdict=verdict, same=same, outdated=tuple(outdated) if is_new else ())


def _near(snapshot: Snapshot, collection: str, k: int, embedding: Embedding) -> tuple[Near, ...]:
    """The nearest records of a collection by whole texts."""
    if not is_in_use(snapshot, embedding):
        return ()
    question = Embedding(fingerprint=embedding.fingerprint, vectors=embedding.vectors[:1])
    return snapshot.nearest((collection,), question, k=k, is_whole=True)


def _with_records(snapshot: Snapshot, found: Sequence[Near]) -> list[_SimilarRecord]:
    records = snapshot.records([one.key for one in found])
    return [_SimilarRecord(record=records[one.key], cosine=one.cosine) for one in found]


def memory_changes(
    judged: Judged, *, turn: Turn, id: str, at: int, facts: Mapping[str, Json], embedding: Embedding | None
) -> list[Change]:
    """What a judged turn changes: the repetition index always, durable memory by the verdict.

    A memory that says the same already is strengthened and dated anew; outdated ones are marked, and kept.
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
        return [said, *(_strengthened(judged.same, at) if judged.same.version else ())]
    if not judged.verdict.is_admitted:
        return [said]
    outdated: dict[str, Json] = {SUPERSEDES: [record.id for record in judged.outdated]} if judged.outdated else {}
    kept = replace(
        said,
        collection=durable_memory(turn.namespace),
        metadata={**facts, PROVENANCE: Provenance.DURABLE_MEMORY.value, **outdated},
    )
    marks: dict[str, Json] = {SUPERSEDED_BY: id, SUPERSEDED_AT: at}
    return [said, kept, *(_remarked(record, marks) for record in judged.outdated if record.version)]


def _unwritten(turn: Turn) -> Record:
    """A memory of the same transaction: not in the store yet, so it has no version."""
    return Record(
        collection=durable_memory(turn.namespace),
        id=shared_turn_id(turn.session, turn.id),
        text=turn.text,
        metadata={},
        at=turn.at,
        version=0,
        access_count=0,
    )


def _strengthened(record: Record, at: int) -> list[Change]:
    marks: dict[str, Json] = {LAST_SEEN_AT: at, TIMES_SEEN: TurnMetadata.of(record).times_seen + 1}
    return [_remarked(record, marks), Touch(collection=record.collection, ids=(record.id,))]


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
