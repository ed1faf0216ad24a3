"""Taking turns in: what a host says becomes raw history, the session's view, and, if it deserves it, durable memory.

One turn is one embedding and one transaction, whatever the length of its session. What was said lands in the immutable
raw layer first of all; the gate only decides what is kept beyond the session, and its verdict is stored with the turn.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from libravdb.core.gate.substance import is_passing
from libravdb.core.ingest.echo import InjectedBefore
from libravdb.core.ingest.identity import (
    clash_id,
    content_key,
    identify,
    is_derived,
    is_place,
    overlap,
    owner_clash_id,
)
from libravdb.core.ingest.pipeline import as_turn, take_in
from libravdb.core.ingest.settings import IngestSettings
from libravdb.engine.embedding import Embeddings, Ready
from libravdb.engine.foresight import foresee
from libravdb.engine.guidance import Guidance, GuidanceDraft
from libravdb.engine.known_records import KnownRecords
from libravdb.engine.pages import every_record, newest
from libravdb.engine.profile_records import judged_changes
from libravdb.engine.promotion import Gate, Judgement, memory_changes, merged
from libravdb.engine.retry import retry_on_conflict
from libravdb.engine.session_names import require_session
from libravdb.engine.session_share import SessionShare, both, share_of
from libravdb.engine.turn_records import turn_places
from libravdb.errors import InvalidInput
from libravdb.model import (
    MUST_BE_NEW,
    Bootstrapped,
    Change,
    Committed,
    Embedding,
    Foreseen,
    IncomingTurn,
    Ingested,
    Json,
    Key,
    Put,
    Reception,
    Record,
    Revision,
    Role,
    SetState,
    Topic,
    Where,
    Wish,
    digest,
)
from libravdb.model.collections import commit_markers, raw_turns, session_view
from libravdb.model.namespaces import named
from libravdb.model.record_ids import commit_marker_id, shared_turn_id
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import (
    KIND,
    OWNER,
    PASSING,
    ROLE,
    SECRETS,
    SPEAKER,
    RecordKind,
    TurnMetadata,
    gate_facts,
    turn_facts,
)
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.store import Snapshot, Store
from libravdb.text.tokens import prompt_tokens

ATTEMPTS = 100
"""How often a batch looks again when others write to the same session: each conflict means that one got through."""

BATCH = 64
"""Texts embedded together."""

TAIL = 200
"""Turns at the end of a session that a host may send again without ids."""

_STRIPES = 64

_KEY = "key"
_CLOCKS_SET_SINCE = 978_307_200_000
"""2001, in milliseconds: a clock that has lost its time begins in 1970 or 2000."""
_SAME_MOMENT = 1_000
_CLOCK_SKEW = 14 * 3_600_000
"""How far behind the last turn of a session one may be stamped and still follow it, in milliseconds: within a
transcript, whose own stamps tell the order, and for what is said now, where clocks differ by up to a time zone."""


class Conversations:
    """The verbs that bring a conversation in. Usable from many threads: one namespace at a time decides and writes."""

    def __init__(
        self,
        *,
        store: Store,
        embeddings: Embeddings,
        gate: Gate,
        guidance: Guidance,
        known: KnownRecords,
        clock: Clock,
        settings: IngestSettings,
        max_text_chars: int,
        injected: Callable[[str, str, Snapshot], InjectedBefore],
        grown: Callable[[str, int], None],
    ) -> None:
        self._store = store
        self._embeddings = embeddings
        self._gate = gate
        self._guidance = guidance
        self._known = known
        self._clock = clock
        self._settings = settings
        self._max_text_chars = max_text_chars
        self._injected = injected
        self._grown = grown
        self._locks = [threading.Lock() for _ in range(_STRIPES)]

    def bootstrap(
        self, *, session: str, namespace: str, messages: object = (), progress: Progress = no_progress
    ) -> Bootstrapped:
        """Open a session, and take in what its transcript holds that we do not have; the same again adds nothing."""
        namespace = named(namespace)
        done = self.import_transcript(messages, session=session, namespace=namespace, progress=progress)
        imported = sum(turn.reception is Reception.STORED for turn in done.turns)
        with self._store.read() as snapshot:
            return Bootstrapped(
                namespace=namespace,
                session=session,
                turns=_count_turns(snapshot, session, share_of(snapshot, session, namespace)),
                imported=imported,
                degraded=done.degraded or self._embeddings.ready(snapshot).degraded,
            )

    def import_transcript(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        """Take in a session from its start: what it holds already is known, wherever the host cut or renumbered it.

        The nth time something is said is the nth time the session holds it.
        """
        require_session(session)
        return self._take(messages, session=session, namespace=named(namespace), is_transcript=True, progress=progress)

    def ingest(self, message: object, *, session: str, namespace: str) -> Committed:
        """Take in one message of a host, in whatever shape; what tools answered in it is a turn of its own."""
        return self.ingest_batch([message], session=session, namespace=namespace)

    def ingest_batch(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        """Take in new messages, in order. What the session holds already is known again, not stored again."""
        require_session(session)
        return self._take(messages, session=session, namespace=named(namespace), progress=progress)

    def commit_turn(
        self, messages: object, *, session: str, namespace: str, key: str, former: Sequence[str] = ()
    ) -> Committed:
        """Take in the messages of one turn of the host, all or none, once per key, also when the session stood under
        `former` names before.

        The same key with the same messages is a duplicate. With other messages it adds what the session does not hold:
        a host that retries with more has more to say.
        """
        require_session(session)
        if not key:
            raise InvalidInput("key", "is empty", remedy="Give each turn a key of its own, and retry under the same.")
        return self._take(messages, session=session, namespace=named(namespace), key=key, former=former)

    # ── one batch ─────────────────────────────────────────────────────────────────────────────────────────

    def _take(
        self,
        messages: object,
        *,
        session: str,
        namespace: str,
        key: str = "",
        former: Sequence[str] = (),
        is_transcript: bool = False,
        progress: Progress = no_progress,
    ) -> Committed:
        with self._store.read(foresee(namespace, session)) as snapshot:
            injected = self._injected(session, namespace, snapshot)
            heard = take_in(messages, injected=injected, settings=self._settings)
            self._refuse_long(heard)
            note = _CommitMarker.of(heard, session=session, owner=namespace, key=key) if key else None
            if note and note.is_held(snapshot, session, *former):
                return Committed(namespace=namespace, turns=(), is_duplicate=True)
            wishes = self._wishes(heard, snapshot, session)
            kept = [said.judged_text for said in heard if not said.skipped]
            texts = list(dict.fromkeys((*kept, *(wish.text for each in wishes.values() for wish in each))))
            ready = self._embeddings.ready(snapshot)
            held = self._embeddings.held(texts, ready, snapshot)
        made, degraded = self._embed([text for text in texts if text not in held], ready, progress)
        batch = _Batch(
            session=session,
            namespace=namespace,
            heard=heard,
            is_transcript=is_transcript,
            embeddings={**held, **made},
            note=note,
            wishes=wishes,
        )
        with self._locks[hash(namespace) % _STRIPES]:
            turns = self._settle(batch)
        stored = {turn.id for turn in turns or () if turn.reception is Reception.STORED}
        if stored:
            self._grown(session, sum(prompt_tokens(said.text) for said in heard if not said.skipped))
        is_duplicate = turns is None  # somebody committed the same under the same key meanwhile
        return Committed(namespace=namespace, turns=tuple(turns or ()), is_duplicate=is_duplicate, degraded=degraded)

    def _wishes(
        self, heard: Sequence[IncomingTurn], snapshot: Snapshot, session: str
    ) -> Mapping[str, tuple[Wish, ...]]:
        """The standing wishes to the agent, by the words in which they are said."""
        found = {said.judged_text: wishes for said in heard if (wishes := self._guidance.read(said))}
        if not found or not _are_people(heard, snapshot, session):
            return found
        named = (said for said in heard if said.judged_text in found)
        return {said.judged_text: self._guidance.read(said, is_among_people=True) for said in named}

    def _embed(self, texts: Sequence[str], ready: Ready, progress: Progress) -> tuple[dict[str, Embedding], str]:
        """Vectors of all that is new, before anybody waits for us."""
        made: dict[str, Embedding] = {}
        for start in range(0, len(texts), BATCH):
            some, failure = self._embeddings.of_new(texts[start : start + BATCH], ready)
            if failure:
                return made, failure
            made |= some
            progress(min(start + BATCH, len(texts)), len(texts))
        return made, ready.degraded

    def _settle(self, batch: _Batch) -> list[Ingested] | None:
        """Name the messages, and write what is new; when somebody else wrote meanwhile, look again.

        None when somebody else has committed the same batch under its key.
        """
        return retry_on_conflict(lambda: self._write(batch), attempts=ATTEMPTS)

    def _write(self, batch: _Batch) -> list[Ingested] | None:
        """Under a key all or none, else one by one; each commit is decided by one moment of the store."""
        done: list[Ingested] = []
        left: Sequence[IncomingTurn] | None = None
        while left is None or left:
            with self._store.read(_foreseen(batch, left)) as snapshot:
                if left is None:
                    if batch.note and batch.note.is_held(snapshot, batch.session):
                        return None
                    left = self._named(batch, snapshot)
                piece, left = (left, ()) if batch.note else (left[:1], left[1:])
                plan = self._plan(piece, batch, snapshot)
            done.extend(plan.ingested)
            if batch.note:
                plan.changes.extend(batch.note.changes(done, now=self._clock()))
            if plan.changes:
                self._store.commit(plan.changes, unless=plan.unless)
        return done

    def _plan(self, piece: Sequence[IncomingTurn], batch: _Batch, snapshot: Snapshot) -> _IngestPlan:
        """What one transaction will write."""
        plan = _IngestPlan(
            snapshot=snapshot,
            judgement=self._gate.begin(batch.namespace, snapshot),
            last=_last_moment(snapshot, batch.session),
            now=self._clock(),
            skew=_SAME_MOMENT if batch.is_transcript else _CLOCK_SKEW,
            share=share_of(snapshot, batch.session, batch.namespace),
            guidance=GuidanceDraft(snapshot, batch.namespace),
        )
        plan.ingested.extend(self._planned(said, batch, plan) for said in piece)
        plan.changes = merged(plan.changes)
        plan.changes.extend(judged_changes(snapshot, batch.namespace, plan.changes))
        plan.changes.extend(plan.guidance.changes())
        if plan.changes:
            state = relied_on_state(snapshot, batch.session, owner=batch.namespace, now=self._clock())
            plan.changes.extend(state.changes)
            plan.unless = state.unless
        return plan

    def _planned(self, said: IncomingTurn, batch: _Batch, plan: _IngestPlan) -> Ingested:
        """What becomes of one message; the records that it needs join the plan."""
        secrets = _secrets_of(said)
        if said.skipped:
            return Ingested(reception=Reception.SKIPPED, role=said.role, reason=said.skipped, secrets=secrets)
        known, id = _find(said, batch, plan)
        if known:
            return Ingested(reception=Reception.KNOWN, role=said.role, id=id, secrets=secrets)
        turn = as_turn(replace(said, id=id), namespace=batch.namespace, session=batch.session, now=self._clock())
        embedding = batch.embeddings.get(said.judged_text)
        at = plan.next_moment(turn.at)
        spoken = replace(turn, text=said.judged_text)
        judged = self._gate.weigh(spoken, embedding, plan.judgement) if turn.role is Role.USER else None
        marks = gate_facts(judged.verdict) if judged else {}
        seen: dict[str, Json] = {PASSING: True} if is_passing(said.judged_text) else {}
        plan.names[id] = (turn.role, turn.text)
        plan.changes.extend(
            Put(
                collection=place.collection,
                id=place.prefix + id,
                text=turn.text,
                at=at,
                metadata={
                    **place.metadata,
                    **(seen if place.collection != raw_turns(turn.session) else {}),
                    **(marks if place.collection == session_view(turn.session) else {}),
                },
                embedding=embedding,
                expect=MUST_BE_NEW,
            )
            for place in turn_places(turn)
        )
        ingested = Ingested(reception=Reception.STORED, role=turn.role, id=id, secrets=secrets)
        if judged is None:
            return ingested
        memory = shared_turn_id(turn.session, id)
        facts = {**turn_facts(turn), **marks}
        plan.guidance.add(batch.wishes.get(said.judged_text, ()), spoken, at=at, embeddings=batch.embeddings)
        changes = memory_changes(judged, turn=spoken, id=memory, at=at, facts=facts, embedding=embedding)
        plan.changes.extend(changes)
        plan.judgement.learn(changes)
        return replace(
            ingested,
            verdict=judged.verdict,
            memory=judged.same.id if judged.same else memory if judged.verdict.is_admitted else "",
            is_strengthened=judged.same is not None,
            supersedes=tuple(record.id for record in judged.outdated),
        )

    def _named(self, batch: _Batch, snapshot: Snapshot) -> tuple[IncomingTurn, ...]:
        """Each message with its id; an increment goes on counting where the session stands."""
        said_before = _said_before(snapshot, batch)
        if batch.is_transcript and not self._is_cut_at_head(batch, snapshot):
            return _aligned(batch, said_before)
        stored: dict[str, int] = {}
        for said in batch.heard:
            key = content_key(said, batch.session)
            if not said.skipped and key not in stored:
                held = [_said_by(record, has_time=said.at is not None) for record in said_before(said)]
                stored[key] = sum(content_key(one, batch.session) == key for one in held)
        return identify(batch.heard, session=batch.session, stored=stored, tail=self._tail(batch, snapshot))

    def _is_cut_at_head(self, batch: _Batch, snapshot: Snapshot) -> bool:
        """Whether a transcript begins in the middle of a session and goes on behind its end: then what is said there
        again is said again, and to count it from the start would lose it."""
        tail = self._tail(batch, snapshot)
        keys = [content_key(said, batch.session) for said in batch.heard if not said.skipped]
        is_whole = len(tail) >= TAIL or not keys or keys[0] == (tail or keys)[0]
        return not is_whole and 1 < overlap(tail, keys) < len(keys)

    def _tail(self, batch: _Batch, snapshot: Snapshot) -> list[str]:
        """Content keys of the session's last turns, oldest first, when the batch can be a part that is sent again.

        A single message without a time says nothing about when it was said: it counts as new, since "ok" may be said
        twice and nothing said is to be lost. So does what is committed under a key of its own.
        """
        kept = [said for said in batch.heard if not said.skipped]
        if not kept or (len(kept) == 1 and kept[0].at is None):
            return []
        if batch.note and not batch.note.is_key_known(snapshot):
            return []
        share = share_of(snapshot, batch.session, batch.namespace)
        has_time = kept[0].at is not None

        def key(record: Record) -> str:
            return content_key(_said_by(record, has_time=has_time), batch.session)

        name = "key with its time" if has_time else "key"
        return self._known.tail(snapshot, batch.session, share).of_each(name, key, limit=TAIL)[::-1]

    def _refuse_long(self, heard: Sequence[IncomingTurn]) -> None:
        most = self._max_text_chars
        for said in heard:
            if not said.skipped and len(said.text) > most:
                raise InvalidInput(
                    "messages",
                    f"hold a text of {len(said.text):,} characters, at most {most:,} are allowed",
                    remedy="Split it, or raise store.max_text_chars.",
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Messages on their way in, with all that is known before the store is asked."""

    session: str
    namespace: str
    heard: tuple[IncomingTurn, ...]
    is_transcript: bool
    embeddings: Mapping[str, Embedding]
    note: _CommitMarker | None
    wishes: Mapping[str, tuple[Wish, ...]]

    @property
    def told_ids(self) -> frozenset[str]:
        """The ids that the host gives: what it names twice in one batch was said twice."""
        return frozenset(said.id for said in self.heard if said.id and not is_place(said.id, self.session))


@dataclass(slots=True, kw_only=True)
class _IngestPlan:
    """What one transaction will write, by which moment of the store it was decided, and what the next message of it has
    to know."""

    snapshot: Snapshot
    judgement: Judgement
    last: int | None
    now: int
    skew: int
    share: SessionShare
    guidance: GuidanceDraft
    changes: list[Change] = field(default_factory=list)
    unless: Mapping[Topic, Revision] = field(default_factory=dict)
    ingested: list[Ingested] = field(default_factory=list)
    names: dict[str, tuple[Role, str]] = field(default_factory=dict)

    def next_moment(self, at: int) -> int:
        """A time for the record that keeps the order in which turns came where clocks disagree.

        What is stamped ahead of our clock, or by a clock that was never set, was said now. Turns that share a
        millisecond with the last one, come a little behind it, or behind one that is ahead itself, follow it; those of
        another day stay where they are.
        """
        at = self.now if at < _CLOCKS_SET_SINCE else min(at, self.now)
        if self.last is not None and self.last >= at and (self.last - at < self.skew or self.last > self.now):
            at = self.last + 1
        self.last = at
        return at


@dataclass(frozen=True, slots=True, kw_only=True)
class _CommitMarker:
    """That a batch of somebody was committed under a key, kept beside the session."""

    session: str
    owner: str
    key: str
    content: str

    @classmethod
    def of(cls, heard: Sequence[IncomingTurn], *, session: str, owner: str, key: str) -> _CommitMarker:
        told = [[said.role, said.id, said.at, said.text, said.skipped] for said in heard]
        content = hashlib.sha256(json.dumps(told).encode()).hexdigest()
        return cls(session=session, owner=owner, key=key, content=content)

    @property
    def id(self) -> str:
        return commit_marker_id(self.former_id, self.owner)

    @property
    def former_id(self) -> str:
        """As it was before two people could commit under one key."""
        return f"{self.key}#{self.content[:16]}"

    def is_held(self, snapshot: Snapshot, *sessions: str) -> bool:
        keys = [Key(commit_markers(session), id) for session in sessions for id in (self.id, self.former_id)]
        shares = {commit_markers(session): share_of(snapshot, session, self.owner) for session in sessions}
        return any(shares[key.collection].holds(record) for key, record in snapshot.records(keys).items())

    def is_key_known(self, snapshot: Snapshot) -> bool:
        """Whether something was committed under this key before: then this is a retry with more to say."""
        where = both(Where(metadata={_KEY: (self.key,)}), share_of(snapshot, self.session, self.owner).where)
        return bool(snapshot.page(commit_markers(self.session), where=where, limit=1).items)

    def changes(self, turns: Sequence[Ingested], *, now: int) -> list[Change]:
        named: list[Json] = [turn.id for turn in turns if turn.id]
        facts: dict[str, Json] = {KIND: RecordKind.COMMIT.value, _KEY: self.key, "turns": named, OWNER: self.owner}
        return [
            Put(
                collection=commit_markers(self.session),
                id=self.id,
                text="",
                at=now,
                metadata=facts,
                expect=MUST_BE_NEW,
            )
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliedOnState:
    """What a turn changes in its session's state, or what of it must still be so when the turn is written."""

    changes: tuple[SetState, ...] = ()
    unless: Mapping[Topic, Revision] = field(default_factory=dict)


def relied_on_state(snapshot: Snapshot, session: str, *, owner: str | None, now: int) -> ReliedOnState:
    """A session's state begins with its first turn and knows whose turns it holds. Later turns leave it alone, and rely
    on it: a namespace that was deleted meanwhile is told in it again."""
    held = snapshot.states([session]).get(session)
    told = SessionMetadata.of(held)
    if held is not None and (owner is None or owner in told.namespaces):
        return ReliedOnState(unless=snapshot.revisions([Topic.session(session)]))
    state = told.joined(owner, now=now)
    generation = 0 if held is None else held.generation
    return ReliedOnState(changes=(SetState(session=session, state=state.facts, at=now, expect=generation),))


def _foreseen(batch: _Batch, left: Sequence[IncomingTurn] | None) -> Foreseen:
    """What is asked to write what is left of a batch: of the next message where it may stand already, if its id is
    known by then, and whether its text does; before the first one those of all."""
    collection = raw_turns(batch.session)
    said = batch.heard if left is None else left if batch.note else left[:1]
    ids = () if left is None else (id for one in said if not one.skipped for id in _possible_ids(one, batch))
    return replace(
        foresee(batch.namespace, batch.session),
        newest=(collection,),
        records=tuple(Key(collection, id) for id in ids),
        texts=tuple((collection, digest(one.text)) for one in said if not one.skipped),
    )


# ── identity ──────────────────────────────────────────────────────────────────────────────────────────────

SaidBefore = Callable[[IncomingTurn], list[Record]]
"""The namespace's own turns of a session that hold the same words by the same role, by time."""


def _said_before(snapshot: Snapshot, batch: _Batch) -> SaidBefore:
    """What the session holds of a batch's texts, read at once; what another said there is not said by this one."""
    share = share_of(snapshot, batch.session, batch.namespace)
    addresses = {said.text: digest(said.text) for said in batch.heard if not said.skipped}
    held = snapshot.holding(raw_turns(batch.session), set(addresses.values())) if addresses else {}

    def found(said: IncomingTurn) -> list[Record]:
        return [record for record in held.get(addresses[said.text], ()) if _is_by(record, said, share)]

    return found


def _aligned(batch: _Batch, said_before: SaidBefore) -> tuple[IncomingTurn, ...]:
    """A transcript from its start: the nth time something is said there is the nth time the session holds it."""
    named = identify(batch.heard, session=batch.session)
    told = {said.id for said, before in zip(named, batch.heard, strict=True) if said.id == before.id}
    counts: Counter[tuple[Role, str]] = Counter()
    aligned = []
    for said in named:
        if said.skipped or said.id in told:
            aligned.append(said)
            continue
        place = counts[said.role, said.text]
        counts[said.role, said.text] += 1
        held = [record.id for record in said_before(said) if record.id not in told]
        aligned.append(replace(said, id=held[place]) if place < len(held) else said)
    return tuple(aligned)


def _find(said: IncomingTurn, batch: _Batch, plan: _IngestPlan) -> tuple[bool, str]:
    """Whether the session holds this message of its speaker, and under which id; else the id that it gets.

    A host that numbers its messages anew is recognised by the time it tells: the same words of the same speaker at the
    same millisecond are the same turn.
    """
    ids = _possible_ids(said, batch)
    collection = raw_turns(batch.session)
    records = plan.snapshot.records([Key(collection, id) for id in ids])
    for id in ids:
        record = records.get(Key(collection, id))
        is_held = record is not None and record.text == said.text and _is_by(record, said, plan.share)
        if is_held or plan.names.get(id) == (said.role, said.text):
            return True, id
    offered = _ids_among_others(ids, batch) if plan.share.has_others else ids
    free = next((id for id in offered if id not in plan.names and Key(collection, id) not in records), None)
    if free is not None:
        held = plan.snapshot.holding(collection, [digest(said.text)]).get(digest(said.text), ())
        own = [one for one in held if _is_by(one, said, plan.share) and one.id not in batch.told_ids]
        again = [one for one in own if _is_same_moment(one, said) and TurnMetadata.of(one).speaker == said.speaker]
        return (True, again[0].id) if again else (False, free)
    raise InvalidInput("id", f"{said.id!r} and the id derived from it hold other texts", remedy="Use another id.")


def _possible_ids(said: IncomingTurn, batch: _Batch) -> tuple[str, str, str]:
    """The ids under which a message may stand: its own, or when somebody else has that, one of two others."""
    assert said.id is not None  # noqa: S101 - identify names whatever is not skipped
    clash = clash_id(said.id, said, batch.session)
    return said.id, clash, owner_clash_id(said.id, said, batch.session, owner=batch.namespace)


def _ids_among_others(ids: tuple[str, str, str], batch: _Batch) -> tuple[str, ...]:
    """Which of these ids a new message may get in a session in which somebody else speaks too.

    One that is derived from the words is always the owner's own: whether a plain one is free would tell whether
    another said the same. Of an id that the host chose it tells only that it was used.
    """
    own, _, of_owner = ids
    return (own, of_owner) if own in batch.told_ids and not is_derived(own) else (of_owner,)


def _are_people(heard: Sequence[IncomingTurn], snapshot: Snapshot, session: str) -> bool:
    """Whether a session is a talk of people with one another: several are named, and no assistant answers."""
    said = [turn for turn in heard if not turn.skipped]
    if not any(turn.speaker for turn in said) or any(turn.role is Role.ASSISTANT for turn in said):
        return False
    name = raw_turns(session)
    if Role.ASSISTANT.value in snapshot.distinct(name, ROLE, limit=len(Role)):
        return False
    return len({turn.speaker for turn in said if turn.speaker} | set(snapshot.distinct(name, SPEAKER, limit=2))) > 1


def _count_turns(snapshot: Snapshot, session: str, share: SessionShare) -> int:
    """How many turns of a session are a namespace's own."""
    collection = raw_turns(session)
    if share.is_alone:
        return snapshot.sizes([collection])[collection]
    return sum(1 for _ in every_record(snapshot, collection, where=share.where))


def _last_moment(snapshot: Snapshot, session: str) -> int | None:
    latest = newest(snapshot, raw_turns(session), limit=1)
    return latest[0].at if latest else None


def _secrets_of(said: IncomingTurn) -> Mapping[str, int]:
    counts = said.metadata.get(SECRETS)
    return {kind: count for kind, count in counts.items() if isinstance(count, int)} if isinstance(counts, dict) else {}


def _said_by(record: Record, *, has_time: bool) -> IncomingTurn:
    """A stored turn as the message it came from."""
    told = TurnMetadata.of(record)
    return IncomingTurn(
        role=told.role or Role.SYSTEM,
        text=record.text,
        at=told.said_at if has_time else None,
        speaker=told.speaker,
    )


def _is_by(record: Record, said: IncomingTurn, share: SessionShare) -> bool:
    return TurnMetadata.of(record).role_name == said.role and share.holds(record)


def _is_same_moment(record: Record, said: IncomingTurn) -> bool:
    return said.at is not None and TurnMetadata.of(record).said_at == said.at
