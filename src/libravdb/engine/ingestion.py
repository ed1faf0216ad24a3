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

from libravdb.core.ingest.identity import clash_id, content_key, identify
from libravdb.core.ingest.pipeline import as_turn, take_in
from libravdb.core.ingest.settings import IngestSettings
from libravdb.engine.embedding import Embeddings
from libravdb.engine.promotion import Gate, Judgement, memory_changes
from libravdb.engine.retry import retry_on_conflict
from libravdb.engine.session_names import require_session
from libravdb.engine.turn_records import turn_places
from libravdb.errors import InvalidInput
from libravdb.model import (
    MUST_BE_NEW,
    Bootstrapped,
    Change,
    Committed,
    Embedding,
    IncomingTurn,
    Ingested,
    Json,
    KeepState,
    Put,
    Reception,
    Record,
    Role,
    SetState,
)
from libravdb.model.collections import commit_markers, raw_turns, session_view
from libravdb.model.namespaces import named
from libravdb.model.record_ids import shared_turn_id
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import KIND, OWNER, SECRETS, RecordKind, TurnMetadata, gate_facts, turn_facts
from libravdb.ports.store import Clock, Progress, Store, no_progress
from libravdb.text.tokens import prompt_tokens

ATTEMPTS = 100
"""How often a batch looks again when others write to the same session: each conflict means that one got through."""

BATCH = 64
"""Texts embedded together."""

TAIL = 200
"""Turns at the end of a session that a host may send again without ids."""

_STRIPES = 64


class Conversations:
    """The verbs that bring a conversation in. Usable from many threads: one namespace at a time decides and writes."""

    def __init__(
        self,
        *,
        store: Store,
        embeddings: Embeddings,
        gate: Gate,
        clock: Clock,
        settings: IngestSettings,
        max_text_chars: int,
        injected: Callable[[str], tuple[Sequence[str], Sequence[str]]],
        grown: Callable[[str, int], None],
    ) -> None:
        self._store = store
        self._embeddings = embeddings
        self._gate = gate
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
        held = {info.name: info.records for info in self._store.collections(raw_turns(session))}
        imported = sum(turn.reception is Reception.STORED for turn in done.turns)
        return Bootstrapped(
            namespace=namespace,
            session=session,
            turns=held.get(raw_turns(session), 0),
            imported=imported,
            degraded=done.degraded or self._embeddings.degraded(),
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
        injected, prompts = self._injected(session)
        heard = take_in(messages, injected=injected, prompts=prompts, settings=self._settings)
        self._refuse_long(heard)
        note = _CommitMarker.of(heard, session=session, key=key) if key else None
        if note and any(note.is_held(self._store, name) for name in (session, *former)):
            return Committed(namespace=namespace, turns=(), is_duplicate=True)
        embeddings, degraded = self._embed(heard, progress)
        batch = _Batch(
            session=session,
            namespace=namespace,
            heard=heard,
            is_transcript=is_transcript,
            embeddings=embeddings,
            note=note,
        )
        with self._locks[hash(namespace) % _STRIPES]:
            turns = self._settle(batch)
        stored = {turn.id for turn in turns or () if turn.reception is Reception.STORED}
        if stored:
            self._grown(session, sum(prompt_tokens(said.text) for said in heard if not said.skipped))
        is_duplicate = turns is None  # somebody committed the same under the same key meanwhile
        return Committed(namespace=namespace, turns=tuple(turns or ()), is_duplicate=is_duplicate, degraded=degraded)

    def _embed(self, heard: Sequence[IncomingTurn], progress: Progress) -> tuple[dict[str, Embedding], str]:
        """Vectors of all that will be stored, before anybody waits for us.

        A tool's answer may be a whole log, which would take minutes: its beginning tells what it is about.
        """
        texts = list(dict.fromkeys(said.text for said in heard if not said.skipped))
        most = self._settings.embedded_result_chars
        heads = {said.text: said.text[:most] for said in heard if said.role is Role.TOOL and said.text[:most].strip()}
        made: dict[str, Embedding] = {}
        degraded = ""
        for start in range(0, len(texts), BATCH):
            some, degraded = self._embeddings.of_texts(texts[start : start + BATCH], heads=heads)
            made |= some
            progress(min(start + BATCH, len(texts)), len(texts))
        return made, degraded

    def _settle(self, batch: _Batch) -> list[Ingested] | None:
        """Name the messages, and write what is new; when somebody else wrote meanwhile, look again.

        None when somebody else has committed the same batch under its key.
        """
        return retry_on_conflict(lambda: self._write(batch), attempts=ATTEMPTS)

    def _write(self, batch: _Batch) -> list[Ingested] | None:
        if batch.note and batch.note.is_held(self._store, batch.session):
            return None
        named = self._named(batch)
        pieces = [named] if batch.note else [(said,) for said in named]  # under a key all or none, else one by one
        done: list[Ingested] = []
        for piece in pieces:
            plan = _IngestPlan(judgement=self._gate.begin(batch.namespace), last=self._last_moment(batch.session))
            done.extend(self._planned(said, batch, plan) for said in piece)
            state = self._state(batch) if plan.changes else ()
            note = batch.note.changes(done, owner=batch.namespace, now=self._clock()) if batch.note else []
            if plan.changes or note:
                self._store.commit([*plan.changes, *state, *note])
        return done

    def _planned(self, said: IncomingTurn, batch: _Batch, plan: _IngestPlan) -> Ingested:
        """What becomes of one message; the records that it needs join the plan."""
        secrets = _secrets_of(said)
        if said.skipped:
            return Ingested(reception=Reception.SKIPPED, role=said.role, reason=said.skipped, secrets=secrets)
        known, id = self._find(said, batch, plan)
        if known:
            return Ingested(reception=Reception.KNOWN, role=said.role, id=id, secrets=secrets)
        turn = as_turn(replace(said, id=id), namespace=batch.namespace, session=batch.session, now=self._clock())
        embedding = batch.embeddings.get(turn.text) or self._embeddings.known(turn.text)
        at = plan.next_moment(turn.at)
        judged = self._gate.weigh(turn, embedding, plan.judgement) if turn.role is Role.USER else None
        marks = gate_facts(judged.verdict) if judged else {}
        plan.names[id] = (turn.role, turn.text)
        plan.changes.extend(
            Put(
                collection=place.collection,
                id=place.prefix + id,
                text=turn.text,
                at=at,
                metadata={**place.metadata, **(marks if place.collection == session_view(turn.session) else {})},
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
        plan.changes.extend(memory_changes(judged, turn=turn, id=memory, at=at, facts=facts, embedding=embedding))
        return replace(
            ingested,
            verdict=judged.verdict,
            memory=judged.same.id if judged.same else memory if judged.verdict.is_admitted else "",
            is_strengthened=judged.same is not None,
            supersedes=tuple(record.id for record in judged.outdated),
        )

    # ── identity ──────────────────────────────────────────────────────────────────────────────────────────

    def _named(self, batch: _Batch) -> tuple[IncomingTurn, ...]:
        """Each message with its id; an increment goes on counting where the session stands."""
        if batch.is_transcript:
            return self._aligned(batch)
        stored: dict[str, int] = {}
        for said in batch.heard:
            key = content_key(said, batch.session)
            if not said.skipped and key not in stored:
                held = [_said_by(record, has_time=said.at is not None) for record in self._held(batch.session, said)]
                stored[key] = sum(content_key(one, batch.session) == key for one in held)
        return identify(batch.heard, session=batch.session, stored=stored, tail=self._tail(batch))

    def _tail(self, batch: _Batch) -> list[str]:
        """Content keys of the session's last turns, oldest first, when the batch can be a part that is sent again.

        A single message without a time says nothing about when it was said: it counts as new, since "ok" may be said
        twice and nothing said is to be lost.
        """
        kept = [said for said in batch.heard if not said.skipped]
        if not kept or (len(kept) == 1 and kept[0].at is None):
            return []
        latest = self._store.latest(raw_turns(batch.session), limit=TAIL)
        has_time = kept[0].at is not None
        return [content_key(_said_by(record, has_time=has_time), batch.session) for record in reversed(latest)]

    def _aligned(self, batch: _Batch) -> tuple[IncomingTurn, ...]:
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
            held = [record.id for record in self._held(batch.session, said) if record.id not in told]
            aligned.append(replace(said, id=held[place]) if place < len(held) else said)
        return tuple(aligned)

    def _find(self, said: IncomingTurn, batch: _Batch, plan: _IngestPlan) -> tuple[bool, str]:
        """Whether the session holds this message, and under which id; else the id that it gets.

        A host that numbers its messages anew is recognised by the time it tells: the same words of the same speaker at
        the same millisecond are the same turn.
        """
        assert said.id is not None  # noqa: S101 - identify names whatever is not skipped
        for id in (said.id, clash_id(said.id, said, batch.session)):
            record = self._store.get(raw_turns(batch.session), id)
            if record is not None and record.text == said.text and _is_by(record, said):
                return True, id
            if id in plan.names:
                if plan.names[id] == (said.role, said.text):
                    return True, id
            elif record is None:
                again = [one for one in self._held(batch.session, said) if _is_same_moment(one, said)]
                return (True, again[0].id) if again else (False, id)
        raise InvalidInput("id", f"{said.id!r} and the id derived from it hold other texts", remedy="Use another id.")

    def _held(self, session: str, said: IncomingTurn) -> list[Record]:
        held = self._store.holding(raw_turns(session), said.text)
        return [record for record in held if _is_by(record, said)]

    # ── the session itself ────────────────────────────────────────────────────────────────────────────────

    def _last_moment(self, session: str) -> int | None:
        latest = self._store.latest(raw_turns(session), limit=1)
        return latest[0].at if latest else None

    def _state(self, batch: _Batch) -> Sequence[Change]:
        return state_changes(self._store, batch.session, owner=batch.namespace, now=self._clock())

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


@dataclass(slots=True, kw_only=True)
class _IngestPlan:
    """What one transaction will write, and what the next message of it has to know."""

    judgement: Judgement
    last: int | None
    changes: list[Change] = field(default_factory=list)
    names: dict[str, tuple[Role, str]] = field(default_factory=dict)

    def next_moment(self, at: int) -> int:
        """A time for the record that keeps the order in which turns of one moment came.

        Turns that share a millisecond, or come a little behind the last one, follow it; those of another day stay where
        they are.
        """
        if self.last is not None and 0 <= self.last - at < 1_000:
            at = self.last + 1
        self.last = at
        return at


@dataclass(frozen=True, slots=True, kw_only=True)
class _CommitMarker:
    """That a batch was committed under a key, kept beside the session."""

    session: str
    key: str
    content: str

    @classmethod
    def of(cls, heard: Sequence[IncomingTurn], *, session: str, key: str) -> _CommitMarker:
        told = [[said.role, said.id, said.at, said.text, said.skipped] for said in heard]
        content = hashlib.sha256(json.dumps(told).encode()).hexdigest()
        return cls(session=session, key=key, content=content)

    @property
    def id(self) -> str:
        return f"{self.key}#{self.content[:16]}"

    def is_held(self, store: Store, session: str) -> bool:
        return store.get(commit_markers(session), self.id) is not None

    def changes(self, turns: Sequence[Ingested], *, owner: str, now: int) -> list[Change]:
        named: list[Json] = [turn.id for turn in turns if turn.id]
        facts: dict[str, Json] = {KIND: RecordKind.COMMIT.value, "key": self.key, "turns": named, OWNER: owner}
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


def state_changes(store: Store, session: str, *, owner: str | None, now: int) -> list[SetState | KeepState]:
    """A session's state begins with its first turn and knows whose turns it holds. Later turns leave it alone, and rely
    on it: a namespace that was deleted meanwhile is told in it again."""
    held = store.session_state(session)
    told = SessionMetadata.of(held)
    if held is not None and (owner is None or owner in told.namespaces):
        return [KeepState(state=held)]
    state = told.joined(owner, now=now)
    return [SetState(session=session, state=state.facts, at=now, expect=0 if held is None else held.generation)]


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


def _is_by(record: Record, said: IncomingTurn) -> bool:
    return TurnMetadata.of(record).role_name == said.role


def _is_same_moment(record: Record, said: IncomingTurn) -> bool:
    return said.at is not None and TurnMetadata.of(record).said_at == said.at
