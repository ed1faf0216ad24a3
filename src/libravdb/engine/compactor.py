"""Compaction at work: what is older than the tail is folded, cluster by cluster, each in one transaction.

`compact/` plans and measures; this module fetches, lets a summariser write, and commits. Raw turns are never touched: a
summary takes the place of its sources in the session's active view, and coverage edges lead back to them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from libravdb.core.compaction.clusters import Cluster, plan, topic_shifts
from libravdb.core.compaction.escalation import EXTRACTIVE, Ask, Declined, Folded, Rung, begin, failed, next_step, tried
from libravdb.core.compaction.extractive import (
    CHOSEN,
    RETOLD,
    TextUnit,
    beside,
    extract,
    split_units,
    term_vectors,
)
from libravdb.core.compaction.facts import inventory
from libravdb.core.compaction.faithfulness import checked
from libravdb.core.compaction.lineage import (
    coverage_edges,
    expand,
    read_source,
    summary_id,
    summary_metadata,
    trace,
)
from libravdb.core.compaction.prior_summaries import Support, choose_support
from libravdb.core.compaction.protection import MIN_STABILITY, PROTOTYPES, Reason, find_hint, make_shard, protect
from libravdb.core.compaction.quality import (
    MIN_ALIGN,
    Quality,
    is_about,
    is_worth_abstracting,
    mean_gate,
    measure,
    trust,
)
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.core.compaction.utterances import read_said
from libravdb.core.continuity.bundles import bundle, in_order, step_starts
from libravdb.core.continuity.tail import choose_tail
from libravdb.core.guidance.reader import is_exhortation, read_wish, read_wishes, split_wishes
from libravdb.engine.embedding import Embeddings, Ready
from libravdb.engine.pages import every_record
from libravdb.engine.session_share import by_owner, share_of
from libravdb.errors import Conflict, LibraError
from libravdb.model import (
    MUST_BE_NEW,
    Change,
    Compacted,
    Draft,
    Embedding,
    Key,
    Link,
    Put,
    Record,
    Remove,
    Role,
    SessionState,
    SetState,
    Source,
    SummaryTask,
    Turn,
    Where,
)
from libravdb.model.collections import session_guidance, session_summaries, session_view, user_guidance
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import FALLBACK, ROLE, SESSION, RecordKind, TurnMetadata, child_collection
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store
from libravdb.ports.summariser import Summariser
from libravdb.text.tokens import prompt_tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

_log = logging.getLogger(__name__)

MOST_FAILURES = 2
"""How often in a row a summariser may fail before the rest of a compaction is extracted: nobody waits for a server that
is away cluster after cluster."""

FALLBACK_REASON = "sentences were chosen, not written"

IsRule = Callable[[str], bool]
Sentences = Sequence[tuple[int | None, str]]
"""The sentences of a turn with their places in it; None for one that is the whole turn."""
LoadSummariser = Callable[[], Summariser | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ClusterWork:
    """One cluster with what it is made of, earlier summaries that a new one may lean on, and where turns of the session
    are kept word for word already."""

    session: str
    known: _KnownVectors
    guidance: Mapping[Key, Record]
    is_among_people: bool = False
    records: Sequence[Record] = ()
    sources: Sequence[Source] = ()
    support: Support = field(default_factory=Support)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ClusterSummary:
    """What came of a cluster: its summary, how good it is, and its vectors; `fallback` tells why a model that was asked
    did not write it."""

    folded: Folded
    quality: Quality
    embedding: Embedding | None
    shielded: Sequence[_Shielded]
    fallback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shielded:
    """A sentence of a turn that must be kept word for word: `place` is None when it is the whole turn."""

    source: Source
    place: int | None
    reason: Reason


@dataclass(slots=True)
class _CompactionProgress:
    """What a compaction has done so far, and the session's state as it must still be."""

    state: SessionState | None
    formed: int = 0
    declined: int = 0
    turns: int = 0
    methods: set[str] = field(default_factory=set)
    confidences: list[float] = field(default_factory=list)
    facts_kept: int = 0
    facts_listed: int = 0
    summaries: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    tokens_saved: int = 0
    model_failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _KnownVectors:
    """The vectors of what a session's view says, as the store held them when the compaction began."""

    ready: Ready
    held: Mapping[str, Embedding]

    def of(self, text: str) -> NDArray[np.float32] | None:
        """The vector of a whole text; None when it has none that may be compared."""
        embedding = self.held.get(text) if self.ready.is_comparable else None
        return None if embedding is None else embedding.vectors[0]


class Compactor:
    """Folds sessions. One compaction at a time per session, over all who share the store; several sessions may be
    folded at once."""

    def __init__(
        self,
        *,
        store: Store,
        embeddings: Embeddings,
        is_rule: IsRule,
        load_summariser: LoadSummariser,
        clock: Clock,
        settings: CompactionSettings,
    ) -> None:
        self._store = store
        self._embeddings = embeddings
        self._reads_rule = is_rule
        self._load_summariser = load_summariser
        self._clock = clock
        self._settings = settings
        self._model: Summariser | None = None
        self._is_loaded = False
        self._prototypes: NDArray[np.float32] | None = None
        self._loading = threading.Lock()

    @property
    def is_abstractive(self) -> bool:
        """True when a model writes summaries."""
        return self.summariser() is not None

    def compact(
        self,
        session: str,
        *,
        target: int | None = None,
        minimum_turns: int | None = None,
        tail_tokens: int | None = None,
        support_tokens: int | None = None,
        stopping: Callable[[], bool] = bool,
        is_waiting: bool = True,
    ) -> Compacted:
        """Fold what is older than the tail; run again, what has become old since, and summaries of summaries. Who does
        not wait leaves a session alone that somebody compacts already."""
        chosen = replace(
            self._settings,
            target_turns=self._settings.target_turns if target is None else target,
            minimum_turns=self._settings.minimum_turns if minimum_turns is None else minimum_turns,
            tail_tokens=self._settings.tail_tokens if tail_tokens is None else tail_tokens,
            support_tokens=self._settings.support_tokens if support_tokens is None else support_tokens,
        )
        with self._store.exclusive(f"compaction of {session}", is_waiting=is_waiting) as is_alone:
            return self._compact(session, chosen, stopping) if is_alone else _LEFT_TO_OTHERS

    def _compact(self, session: str, chosen: CompactionSettings, stopping: Callable[[], bool]) -> Compacted:
        with self._store.read() as snapshot:
            tally = _CompactionProgress(state=snapshot.states([session]).get(session))
            active = _active(snapshot, session)
            parts = by_owner(active, SessionMetadata.of(tally.state).namespaces)
            old = [self._older(part, chosen) for part in parts]
            every = [record for part in old for record in part]
            ready = self._embeddings.ready(snapshot)
            held = self._embeddings.held({record.text for record in every if record.text.strip()}, ready, snapshot)
            guidance = _kept_guidance(snapshot, session, every, tally.state)
        before = sum(prompt_tokens(record.text) for record in active)
        work = _ClusterWork(
            session=session,
            known=_KnownVectors(ready=ready, held=held),
            guidance=guidance,
            is_among_people=_are_people(active),
        )
        for part in old:
            self._fold_part(part, work, tally, chosen, stopping)
        return Compacted(
            did_compact=tally.formed > 0,
            clusters_formed=tally.formed,
            clusters_declined=tally.declined,
            turns_removed=tally.turns,
            tokens_before=before,
            tokens_after=before - tally.tokens_saved,
            summary_method="+".join(sorted(tally.methods)),
            mean_confidence=float(np.mean(tally.confidences)) if tally.confidences else 0.0,
            facts_kept=tally.facts_kept,
            facts_listed=tally.facts_listed,
            summaries=tuple(tally.summaries),
            reasons=tuple(dict.fromkeys(tally.reasons)),
        )

    def _fold_part(
        self,
        old: Sequence[Record],
        work: _ClusterWork,
        tally: _CompactionProgress,
        chosen: CompactionSettings,
        stopping: Callable[[], bool],
    ) -> None:
        """Fold what is old of one owner's turns: no summary stands for what two people said, nor leans on it."""
        sources = [read_source(record) for record in old]
        shifts = topic_shifts([None if source.is_summary else work.known.of(source.text) for source in sources])
        edges = _edges(old, chosen.target_turns)
        for cluster in plan(sources, edges=edges, target=chosen.target_turns, shifts=shifts):
            if stopping():
                tally.reasons.append("broken off: the engine is closing")
                break
            place = slice(cluster.start, cluster.end)
            support = choose_support(sources[: cluster.start], max_tokens=chosen.support_tokens)
            group = replace(work, records=old[place], sources=sources[place], support=support)
            self._fold(cluster, group, tally)

    # ── one cluster ───────────────────────────────────────────────────────────────────────────────────────

    def _fold(self, cluster: Cluster, group: _ClusterWork, tally: _CompactionProgress) -> None:
        """Fold one cluster and commit it, or say why it stays."""
        if cluster.declined:
            tally.declined += 1
            tally.reasons.append(cluster.declined)
            return
        outcome = self._climb(group, tally)
        if isinstance(outcome, Declined):
            tally.declined += 1
            tally.reasons.extend(outcome.reasons)
            return
        try:
            summary, tally.state = self._commit(group, outcome, tally.state)
        except Conflict:
            tally.declined += 1
            tally.reasons.append("somebody else changed the session meanwhile")
            return
        survival = outcome.folded.survival
        tally.formed += 1
        tally.turns += cluster.size
        tally.methods.add(outcome.folded.method)
        tally.confidences.append(outcome.quality.confidence)
        tally.facts_kept += len(survival.found)
        tally.facts_listed += len(survival.found) + len(survival.missing)
        tally.summaries.append(summary)
        if outcome.fallback:
            tally.reasons.append(outcome.fallback)
            _log.info("summary %s was not written by the summariser; its %s tells why", summary, FALLBACK)
        tally.tokens_saved += sum(prompt_tokens(record.text) for record in group.records)
        tally.tokens_saved -= prompt_tokens(outcome.folded.text)

    def _climb(self, group: _ClusterWork, tally: _CompactionProgress) -> _ClusterSummary | Declined:
        """Let the extractive summariser or a model write until the cluster gets smaller, or leave it."""
        shielded = self._protected(group)
        sources = [source for source in group.sources if not source.is_echo] or group.sources
        texts = [source.text for source in sources]
        writing = _ClusterDrafts(self, sources, group)
        is_worth = self.is_abstractive and is_worth_abstracting(sources, least=self._settings.model_gate)
        climb = begin(
            texts,
            facts=writing.facts,
            is_abstractive=is_worth and tally.model_failures < MOST_FAILURES,
            is_of_summaries=all(source.is_summary for source in sources),
        )
        refused = f"the summariser failed {MOST_FAILURES} times in a row and was not asked" if is_worth else ""
        while isinstance(step := next_step(climb), Ask):
            try:
                draft = writing.draft(step)
            except LibraError as error:
                climb = failed(climb, step, str(error))
                if step.is_abstractive:
                    _log.warning("sentences are chosen instead: %s", error)
                    tally.model_failures += 1
                    refused = str(error)
                continue
            vectors = self._vectors(draft.text, group.known) if step.is_abstractive else None
            measured = _quality(vectors, texts, group.known) if step.is_abstractive else None
            climb = tried(climb, step, draft, measured, least=self._least_align(step, measured, writing, group))
            if step.is_abstractive:
                tally.model_failures = 0
                refused = climb.reasons[-1] if climb.folded is None else ""
        if isinstance(step, Declined):
            return step
        embedding = self._vectors(step.text, group.known)
        quality = _quality(embedding, texts, group.known)
        if step.method != EXTRACTIVE:
            quality = trust(quality, step.model_confidence)
        fallback = f"{FALLBACK_REASON}: {refused}" if refused else ""
        return _ClusterSummary(folded=step, quality=quality, embedding=embedding, shielded=shielded, fallback=fallback)

    def _least_align(self, step: Ask, measured: Quality | None, writing: _ClusterDrafts, group: _ClusterWork) -> float:
        """How close a model's draft has to be to what was said: as close as the extract that would stand there."""
        if measured is None or is_about(measured):
            return MIN_ALIGN
        extract = writing.draft(replace(step, is_abstractive=False))
        texts = [source.text for source in group.sources]
        return min(MIN_ALIGN, _quality(self._vectors(extract.text, group.known), texts, group.known).align)

    def _vectors(self, text: str, known: _KnownVectors) -> Embedding | None:
        made, _ = self._embeddings.of_new([text], known.ready) if text.strip() else ({}, "")
        return made.get(text)

    def _commit(
        self, group: _ClusterWork, outcome: _ClusterSummary, state: SessionState | None
    ) -> tuple[str, SessionState]:
        """Shards, summary, coverage, the active view and the state, all or none; the summary's id and the new state."""
        session, records, sources, support = group.session, group.records, group.sources, group.support
        folded, quality, embedding = outcome.folded, outcome.quality, outcome.embedding
        now = self._clock()
        user = _owner(records, state)
        lineage = trace(
            sources,
            method=folded.method,
            confidence=quality.confidence,
            compacted_at=now,
            support=support.sources,
            support_tokens=support.tokens,
        )
        id = summary_id(session, lineage.source_ids)
        facts = summary_metadata(
            lineage,
            session=session,
            user=user,
            tokens=folded.tokens,
            source_tokens=folded.source_tokens,
            align=quality.align,
            cover=quality.cover,
            measured=quality.confidence,
            model_confidence=folded.model_confidence,
            gate=mean_gate(sources),
            survival={str(kind): rate for kind, rate in folded.survival.rates.items()},
            facts=(len(folded.survival.found), len(folded.survival.found) + len(folded.survival.missing)),
        )
        facts[ROLE] = RecordKind.SUMMARY.value
        if outcome.fallback:
            facts[FALLBACK] = outcome.fallback
        puts = [
            Put(
                collection=name,
                id=id,
                text=folded.text,
                at=lineage.last_at,
                metadata=facts,
                embedding=embedding,
                expect=MUST_BE_NEW,
            )
            for name in (session_summaries(session), session_view(session))
        ]
        advanced = _advanced(session, state, summary=id, now=now)
        changes: list[Change] = [
            *_shards(group, user, outcome.shielded),
            *puts,
            *(Link(edge=edge) for edge in coverage_edges(sources, session=session, parent=id, compacted_at=now)),
            *(Remove(collection=session_view(session), id=record.id, expect=record.version) for record in records),
            advanced,
        ]
        self._store.commit(changes)
        generation = 1 + (0 if state is None else state.generation)
        return id, SessionState(session=session, generation=generation, state=advanced.state, at=now)

    def _protected(self, group: _ClusterWork) -> list[_Shielded]:
        """The sentences that must be kept word for word, and why."""
        prototypes = self._known_guidance(group.known.ready)
        found: list[_Shielded] = []
        for source in group.sources:
            if source.is_echo or source.is_summary or not source.stability >= MIN_STABILITY:
                continue
            for place, sentence in sentences_of(source.text):
                one = replace(source, text=sentence)
                cosines = self._likeness(sentence, prototypes, group.known)
                is_addressed = self._is_addressed_to_people if group.is_among_people else self._is_addressed
                reason = protect(one, is_rule=self._is_rule, is_addressed=is_addressed, cosines=cosines).reason
                if reason is not None:
                    found.append(_Shielded(source=one, place=place, reason=reason))
        return found

    def _likeness(self, sentence: str, prototypes: NDArray[np.float32] | None, known: _KnownVectors) -> Sequence[float]:
        """The cosines of a sentence with known guidance, where they can decide something."""
        if prototypes is None or not find_hint(sentence) or self._is_rule(sentence):
            return ()
        vector = known.of(sentence)
        if vector is None:
            made = self._embeddings.of_pieces([sentence], known.ready)
            vector = None if made is None else made[0]
        return () if vector is None else list(prototypes @ vector)

    def _is_rule(self, sentence: str) -> bool:
        """A standing wish to the agent, or a rule on its surface."""
        return read_wish(sentence, is_rule=self._reads_rule) is not None or self._reads_rule(sentence)

    def _is_addressed(self, sentence: str) -> bool:
        return not is_exhortation(sentence)

    def _is_addressed_to_people(self, sentence: str) -> bool:
        """Among people only what names the agent is said to it."""
        return bool(read_wishes(sentence, is_rule=self._reads_rule, is_among_people=True))

    def _known_guidance(self, ready: Ready) -> NDArray[np.float32] | None:
        """The vectors of known pieces of guidance, made once; None as long as there is no embedder."""
        with self._loading:
            if self._prototypes is None:
                self._prototypes = self._embeddings.of_pieces(PROTOTYPES, ready)
            return self._prototypes

    # ── the session ───────────────────────────────────────────────────────────────────────────────────────

    def _older(self, active: Sequence[Record], chosen: CompactionSettings) -> list[Record]:
        """What may be folded: all before the tail, but the task whose last steps stand in it."""
        places = [place for place, record in enumerate(active) if not TurnMetadata.of(record).is_summary]
        if not chosen.minimum_turns:
            return list(active)
        turns = in_order(_turn(active[place]) for place in places)
        prices = np.cumsum([0, *(prompt_tokens(turn.text) for turn in reversed(turns))])
        tail = choose_tail(
            turns,
            price=lambda start: int(prices[len(turns) - start]),
            tail_budget=chosen.tail_tokens,
            room=lambda base: max(base, chosen.tail_tokens),
            minimum=chosen.minimum_turns,
        )
        end = places[tail.start] if tail.start < len(places) else len(active)
        task = None if tail.task is None else turns[tail.task].id
        return [record for record in active[:end] if record.id != task]

    def summariser(self) -> Summariser | None:
        """The configured model, loaded once; one that does not load leaves extraction."""
        with self._loading:
            if not self._is_loaded:
                self._is_loaded = True
                try:
                    self._model = self._load_summariser()
                except LibraError as error:
                    _log.warning("no summariser: %s Summaries are extracted.", error)
            return self._model

    def expand(
        self, session: str, summary: str, *, namespace: str | None, depth: int, max_tokens: int | None = None
    ) -> Iterator[Record]:
        """What a summary stands for, in order; each record once. What does not fit the budget ends it."""
        with self._store.read() as snapshot:
            covered = list(expand(lambda parent: list(snapshot.edges(session, parents=[parent])), summary, depth=depth))
            keys = [Key(child_collection(edge), edge.child) for edge in covered]
            share = None if namespace is None else share_of(snapshot, session, namespace)
            records = {
                key: record for key, record in snapshot.records(keys).items() if share is None or share.holds(record)
            }
        left = max_tokens
        for key in keys:
            if key not in records:
                continue
            if left is not None:
                left -= prompt_tokens(records[key].text)
                if left < 0:
                    return
            yield records[key]

    def close(self) -> None:
        """Let go of the model."""
        with self._loading:
            if self._model is not None:
                self._model.close()
                self._model = None


_LEFT_TO_OTHERS = Compacted(
    did_compact=False,
    clusters_formed=0,
    clusters_declined=0,
    turns_removed=0,
    tokens_before=0,
    tokens_after=0,
    summary_method="",
    mean_confidence=0.0,
    facts_kept=0,
    facts_listed=0,
    summaries=(),
    reasons=("somebody else compacts this session now",),
)


class _ClusterDrafts:
    """Drafts for one cluster: what it says is read and cut once, however often it is asked."""

    def __init__(self, compactor: Compactor, sources: Sequence[Source], group: _ClusterWork) -> None:
        self._compactor = compactor
        self._known = group.known
        self._sources = sources
        said = read_said(sources)
        self._utterances = said.utterances
        self._idle = {place: one.count for place, one in enumerate(said.utterances) if one.count < 1}
        self._weights = RETOLD if any(source.is_summary for source in sources) else CHOSEN
        self._support = group.support
        self._units: tuple[TextUnit, ...] | None = None
        self._rows: NDArray[np.float32] | None = None
        self.facts = inventory(
            [one.text for one in said.utterances],
            labels=[one.label for one in said.utterances],
            ledgers=said.ledgers,
        )

    def draft(self, ask: Ask) -> Draft:
        """What a model or the extraction says in so many tokens."""
        task = SummaryTask(
            texts=tuple(one.text for one in self._utterances),
            roles=tuple(one.speaker for one in self._utterances),
            days=tuple(one.day for one in self._utterances),
            support=self._support.texts,
            max_tokens=ask.text_tokens,
        )
        model = self._compactor.summariser() if ask.is_abstractive else None
        if model is not None:
            return checked(model.summarise(task), task)
        if self._units is None:
            calls = {place for place, one in enumerate(self._utterances) if one.calls}
            self._units = split_units(task, calls=calls)
            self._rows = self._vectors_of(self._units)
        rows = None if ask.rung is Rung.DETERMINISTIC else self._rows
        return extract(task, self._units, vectors=rows, facts=self.facts, idle=self._idle, weights=self._weights)

    def _vectors_of(self, units: Sequence[TextUnit]) -> NDArray[np.float32] | None:
        """A vector for each unit: that of its turn, which is known, beside its own words; None where no turn has one.

        To embed every sentence anew took most of the time of a compaction and chose hardly better ones.
        """
        turns = [self._sources[self._utterances[unit.source].origin] for unit in units]
        known = [None if turn.is_summary else self._known.of(turn.text) for turn in turns]
        width = next((len(vector) for vector in known if vector is not None), 0)
        if not width:
            return None
        meant = np.stack([np.zeros(width, dtype=np.float32) if vector is None else vector for vector in known])
        return beside(meant, term_vectors(units))


def _active(snapshot: Snapshot, session: str) -> list[Record]:
    """The active view in order of time."""
    return sorted(every_record(snapshot, session_view(session)), key=lambda record: (record.at, record.id))


def sentences_of(text: str) -> Sentences:
    """The sentences of a turn, each with its place unless it is all that the turn says."""
    return [(None if sentence.strip() == text.strip() else place, sentence) for place, sentence in split_wishes(text)]


def _kept_guidance(
    snapshot: Snapshot, session: str, records: Sequence[Record], state: SessionState | None
) -> dict[Key, Record]:
    """What is kept word for word of a session already, whether it counts or not."""
    owners = {*SessionMetadata.of(state).namespaces, *(_owners(records))}
    own = Where(metadata={SESSION: (session,)})
    names = [session_guidance(session), *(user_guidance(owner) for owner in sorted(owners))]
    found = (record for name in names for record in every_record(snapshot, name, where=own))
    return {Key(record.collection, record.id): record for record in found}


def _are_people(records: Sequence[Record]) -> bool:
    """Whether a session is a talk of people with one another: several are named, and no assistant answers."""
    told = [TurnMetadata.of(record) for record in records]
    speakers = {one.speaker for one in told if one.speaker}
    return len(speakers) > 1 and not any(one.role is Role.ASSISTANT for one in told)


def _shards(group: _ClusterWork, user: str, shielded: Sequence[_Shielded]) -> Iterator[Put]:
    """Protected sentences, word for word; the same one is never kept twice, and none that counts no more."""
    names = (session_guidance(group.session), *((user_guidance(user),) if user else ()))
    for one in shielded:
        shard = make_shard(one.source, one.reason, session=group.session, user=user, place=one.place)
        if any(_is_past(group.guidance.get(Key(name, shard.id))) for name in names):
            continue
        for name in names:
            if Key(name, shard.id) not in group.guidance:
                yield Put(collection=name, id=shard.id, text=shard.text, at=shard.at, metadata=shard.metadata)


def _is_past(record: Record | None) -> bool:
    """Whether a wish was replaced or removed: then compaction does not bring it back."""
    if record is None:
        return False
    told = TurnMetadata.of(record)
    return told.is_outdated or told.withdrawn_at is not None


def _quality(embedding: Embedding | None, texts: Sequence[str], known: _KnownVectors) -> Quality:
    vectors = [vector for text in texts if (vector := known.of(text)) is not None]
    return measure(None if embedding is None else embedding.vectors[0], vectors)


def _advanced(session: str, state: SessionState | None, *, summary: str, now: int) -> SetState:
    folded = SessionMetadata.of(state).compacted(summary=summary, now=now)
    return SetState(session=session, state=folded.facts, at=now, expect=0 if state is None else state.generation)


def _edges(records: Sequence[Record], most: int) -> set[int]:
    """Places where a cluster may begin: at a bundle, and inside one of more turns than a cluster has, at a step."""
    turns = [_turn(record) for record in records]
    bundles = bundle(turns)
    long = (each for each in bundles if each.end - each.start > most)
    return {each.start for each in bundles} | {place for each in long for place in step_starts(turns, each)}


def _turn(record: Record) -> Turn:
    told = TurnMetadata.of(record)
    return Turn(
        namespace=told.owner or "",
        session=told.session or "",
        id=record.id,
        role=told.role or Role.SYSTEM,
        text=record.text,
        at=record.at,
        metadata=record.metadata,
    )


def _owner(records: Sequence[Record], state: SessionState | None) -> str:
    """Whose summary and guidance it is: the one namespace of the turns, else the session's only one, else nobody's."""
    found = _owners(records) or set(SessionMetadata.of(state).namespaces)
    return found.pop() if len(found) == 1 else ""


def _owners(records: Iterable[Record]) -> set[str]:
    """Whose turns these are, as far as it is told."""
    return {owner for record in records if (owner := TurnMetadata.of(record).owner)}
