"""Taking turns in: what a host says becomes raw history, the session's view, and, if it deserves it, durable memory.

One turn is one embedding and one transaction, whatever the length of its session. What was said lands in the immutable
raw layer first of all; the gate only decides what is kept beyond the session, and its verdict is stored with the turn.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from libravdb.core.ingest.identity import clash_id, content_key, identify
from libravdb.core.ingest.pipeline import as_turn, take_in
from libravdb.core.ingest.settings import IngestSettings
from libravdb.engine.embedding import Embeddings
from libravdb.engine.promotion import Judge, Judgement, memory_changes
from libravdb.errors import Conflict, InvalidInput
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
    SessionState,
    SetState,
)
from libravdb.model.collections import session_prefix, turn_facts, turn_places
from libravdb.ports.store import Clock, Progress, Store, no_progress
from libravdb.text.tokens import prompt_tokens

ATTEMPTS = 100
"""How often a batch looks again when others write to the same session: each conflict means that one got through."""

BATCH = 64
"""Texts embedded together."""

TAIL = 200
"""Turns at the end of a session that a host may send again without ids."""

CONTINUED = "continued_as"
"""In a session's state: the name under which it goes on after the host began it anew."""
FORMER = "formerly"
"""In a session's state: the names under which it stood before, oldest first."""
CONTINUATION = "~"

_STRIPES = 64


class Sessions:
    """The verbs that bring a conversation in. Usable from many threads: one namespace at a time decides and writes."""

    def __init__(
        self,
        *,
        store: Store,
        embeddings: Embeddings,
        judge: Judge,
        clock: Clock,
        settings: IngestSettings,
        max_text_chars: int,
        injected: Callable[[str], tuple[Sequence[str], Sequence[str]]],
        grown: Callable[[str, int], None],
    ) -> None:
        self._store = store
        self._embeddings = embeddings
        self._judge = judge
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
        done = self.import_transcript(messages, session=session, namespace=namespace, progress=progress)
        held = {info.name: info.records for info in self._store.collections(f"session_raw:{session}")}
        imported = sum(turn.reception is Reception.STORED for turn in done.turns)
        return Bootstrapped(
            namespace=namespace,
            session=session,
            turns=held.get(f"session_raw:{session}", 0),
            imported=imported,
            degraded=done.degraded or self._embeddings.degraded(),
        )

    def import_transcript(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        """Take in a session from its start; the nth time something is said is the nth time the session holds it."""
        _require_session(session)
        return self._take(messages, session=session, namespace=namespace, is_transcript=True, progress=progress)

    def ingest(self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress) -> Committed:
        """Take in new messages, in order. What the session holds already is known again, not stored again."""
        _require_session(session)
        return self._take(messages, session=session, namespace=namespace, progress=progress)

    def commit_turn(
        self, messages: object, *, session: str, namespace: str, key: str, former: Sequence[str] = ()
    ) -> Committed:
        """Take in the messages of one turn of the host, all or none, once per key, also when the session stood under
        `former` names before.

        The same key with the same messages is a duplicate. With other messages it adds what the session does not hold:
        a host that retries with more has more to say.
        """
        _require_session(session)
        if not key:
            raise InvalidInput("key", "is empty", remedy="Give each turn a key of its own, and retry under the same.")
        return self._take(messages, session=session, namespace=namespace, key=key, former=former)

    # ── beginning anew ────────────────────────────────────────────────────────────────────────────────────

    def current(self, session: str) -> str:
        """Under which name a host's session stands here now: its own, until the host has begun it anew."""
        held = self._store.session_state(session)
        later = held.state.get(CONTINUED) if held is not None else None
        return later if isinstance(later, str) and later else session

    def former(self, session: str) -> tuple[str, ...]:
        """The names under which a host's session stood before, oldest first."""
        held = self._store.session_state(session)
        told = held.state.get(FORMER) if held is not None else None
        return tuple(name for name in told if isinstance(name, str)) if isinstance(told, list) else ()

    def renew(self, session: str) -> str:
        """The host forgets what was said in a session and goes on under the same id; gives its name from now on.

        What was said stays, and is found in the history of its namespace. A session in which nothing was said since is
        as good as new.
        """
        _require_session(session)
        for attempt in range(ATTEMPTS):
            name = self.current(session)
            held = self._store.session_state(session)
            if held is None or self._store.session_state(name) is None:
                return name
            later = self._unused(session)
            state: dict[str, Json] = {**held.state, CONTINUED: later, FORMER: [*self.former(session), name]}
            change = SetState(session=session, state=state, at=self._clock(), expect=held.generation)
            try:
                self._store.commit([change])
            except Conflict:
                if attempt == ATTEMPTS - 1:
                    raise
            else:
                return later
        raise AssertionError  # pragma: no cover - the loop returns or raises

    def _unused(self, session: str) -> str:
        """The next name of a session that begins anew; one that a host uses itself is left to it."""
        numbered = (f"{session}{CONTINUATION}{number}" for number in itertools.count(len(self.former(session)) + 2))
        return next(name for name in numbered if self._store.session_state(name) is None)

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
        for attempt in range(ATTEMPTS):
            if batch.note and batch.note.is_held(self._store, batch.session):
                return None
            try:
                return self._write(batch)
            except Conflict:
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError  # pragma: no cover - the loop returns or raises

    def _write(self, batch: _Batch) -> list[Ingested]:
        named = self._named(batch)
        pieces = [named] if batch.note else [(said,) for said in named]  # under a key all or none, else one by one
        done: list[Ingested] = []
        for piece in pieces:
            plan = _IngestPlan(judgement=self._judge.begin(batch.namespace), last=self._last_moment(batch.session))
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
        judged = self._judge.weigh(turn, embedding, plan.judgement) if turn.role is Role.USER else None
        marks = judged.verdict.metadata() if judged else {}
        plan.names[id] = (turn.role, turn.text)
        plan.changes.extend(
            Put(
                collection=place.collection,
                id=place.prefix + id,
                text=turn.text,
                at=at,
                metadata={**place.metadata, **(marks if place.collection.startswith("session:") else {})},
                embedding=embedding,
                expect=MUST_BE_NEW,
            )
            for place in turn_places(turn)
        )
        ingested = Ingested(reception=Reception.STORED, role=turn.role, id=id, secrets=secrets)
        if judged is None:
            return ingested
        memory = session_prefix(turn.session) + id
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
        latest = self._store.latest(f"session_raw:{batch.session}", limit=TAIL)
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
            record = self._store.get(f"session_raw:{batch.session}", id)
            if record is not None and record.text == said.text and record.metadata.get("role") == said.role:
                return True, id
            if id in plan.names:
                if plan.names[id] == (said.role, said.text):
                    return True, id
            elif record is None:
                again = [one for one in self._held(batch.session, said) if _is_same_moment(one, said)]
                return (True, again[0].id) if again else (False, id)
        raise InvalidInput("id", f"{said.id!r} and the id derived from it hold other texts", remedy="Use another id.")

    def _held(self, session: str, said: IncomingTurn) -> list[Record]:
        held = self._store.holding(f"session_raw:{session}", said.text)
        return [record for record in held if record.metadata.get("role") == said.role]

    # ── the session itself ────────────────────────────────────────────────────────────────────────────────

    def _last_moment(self, session: str) -> int | None:
        latest = self._store.latest(f"session_raw:{session}", limit=1)
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
        return store.get(f"session_commit:{session}", self.id) is not None

    def changes(self, turns: Sequence[Ingested], *, owner: str, now: int) -> list[Change]:
        named: list[Json] = [turn.id for turn in turns if turn.id]
        facts: dict[str, Json] = {"type": "commit", "key": self.key, "turns": named, "userId": owner}
        return [
            Put(
                collection=f"session_commit:{self.session}",
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
    known = [] if held is None else namespaces_of(held)
    if held is not None and (owner is None or owner in known):
        return [KeepState(state=held)]
    state: dict[str, Json] = {
        "type": "session_state",
        "compaction_generation": 0,
        "last_compacted_at": 0,
        "last_summary_id": "",
        "updated_at": now,
        **({} if held is None else held.state),
        "namespaces": list[Json](sorted({*known, *([owner] if owner else ())})),
    }
    return [SetState(session=session, state=state, at=now, expect=0 if held is None else held.generation)]


def path_of(state: SessionState) -> tuple[str, ...]:
    """Every name under which a host's session stood, oldest first, and the one under which it goes on; none before it
    was begun anew."""
    former, later = state.state.get(FORMER), state.state.get(CONTINUED)
    names = [*(former if isinstance(former, list) else ()), later]
    return tuple(name for name in names if isinstance(name, str) and name)


def namespaces_of(state: SessionState) -> list[str]:
    """Whose turns a session holds."""
    names = state.state.get("namespaces")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _require_session(session: str) -> None:
    if not session:
        raise InvalidInput("session", "is empty", remedy="Name the session that the messages belong to.")


def _secrets_of(said: IncomingTurn) -> Mapping[str, int]:
    counts = said.metadata.get("secrets")
    return {kind: count for kind, count in counts.items() if isinstance(count, int)} if isinstance(counts, dict) else {}


def _said_by(record: Record, *, has_time: bool) -> IncomingTurn:
    """A stored turn as the message it came from."""
    ts = record.metadata.get("ts")
    return IncomingTurn(
        role=Role(str(record.metadata.get("role", Role.USER))),
        text=record.text,
        at=ts if has_time and isinstance(ts, int) else None,
        speaker=str(record.metadata.get("speaker", "")),
    )


def _is_same_moment(record: Record, said: IncomingTurn) -> bool:
    return said.at is not None and record.metadata.get("ts") == said.at
