"""The engine: fetch, call the core, write. Every door (library, command line, daemon) speaks to this object."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TextIO

from libravdb import __version__
from libravdb.core.authored.markdown import split
from libravdb.core.authored.tiers import ReadRules, TierSettings, is_core
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.core.gate.score import GateWeights
from libravdb.core.ingest.pipeline import IntakeSettings
from libravdb.core.ingest.secrets import mask_secrets
from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.auto_compaction import Growth
from libravdb.engine.documents import (
    DocumentInput,
    DocumentTools,
    Rulebook,
    author,
    authored_nodes,
    documents,
    ruling_nodes,
    withdraw,
)
from libravdb.engine.embedding import Embeddings, LoadEmbedder
from libravdb.engine.export import RECORD_LINE, export_lines, import_lines, read_lines, write_file
from libravdb.engine.ingestion import Sessions, SessionSettings, namespaces_of
from libravdb.engine.namespace_deletion import Deletion, leave
from libravdb.engine.promotion import Judge
from libravdb.engine.prompts import Assembler, AssemblerSettings, Injected, Request
from libravdb.engine.receipts import RECEIPTS, Receipts
from libravdb.engine.search import Floors, answer, scope_collections, scope_of, until
from libravdb.engine.summary_invalidation import WITHDRAWN, unfold, unfold_all
from libravdb.errors import Conflict, InvalidInput, NotFound
from libravdb.model import (
    ANYTHING,
    MUST_BE_NEW,
    Answer,
    Assembly,
    AssemblyMode,
    Authored,
    Bootstrapped,
    Change,
    ClearJournal,
    CollectionInfo,
    Committed,
    Compacted,
    DocumentInfo,
    DropCollection,
    DropState,
    Edge,
    Embedding,
    Explained,
    Finding,
    GateAccount,
    Imported,
    Json,
    Judged,
    Metadata,
    Note,
    Prompt,
    Put,
    Record,
    Reembedded,
    Remark,
    Remembered,
    Remove,
    Rule,
    Scope,
    SearchMode,
    Status,
    Unlink,
    Where,
    digest,
)
from libravdb.model.collections import Placement, namespace_of, turn_traces
from libravdb.model.namespaces import named
from libravdb.ports.store import Clock, Progress, Store, Summariser, no_progress
from libravdb.text.tokens import ESTIMATOR
from libravdb.text.unicode import mend, mend_json

if TYPE_CHECKING:
    from libravdb.engine.compaction import Compactor, LoadSummariser

INSERT_ATTEMPTS = 1_000
"""How often an insert looks again when others write to the same id: each conflict means that one got through."""

LEAST_TARGET = 2
"""A summary of a single turn would save nothing."""

MOST_HITS = 10_000
"""More results than this are a listing, not an answer."""

_COVERED = ("session:", "session_raw:", "session_summary:")  # what the coverage of a session is about

BATCH = 64
"""Texts embedded and committed together when many are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """What the engine itself decides by."""

    k: int = 10
    max_text_chars: int = 1_000_000
    max_document_chars: int = 4_000_000
    intake: IntakeSettings = field(default_factory=IntakeSettings)
    gate: GateWeights = field(default_factory=GateWeights)
    assembly: AssemblerSettings = field(default_factory=AssemblerSettings)
    compaction: CompactionSettings = field(default_factory=CompactionSettings)
    tiers: TierSettings = field(default_factory=TierSettings)
    recall: RecallSettings = field(default_factory=RecallSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inserted:
    """Under which id a text stands now; `degraded` tells what is reduced."""

    id: str
    degraded: str = ""


def no_rules(text: str) -> tuple[Rule, ...]:  # noqa: ARG001 - the reader's signature
    """A reader that finds no rule anywhere."""
    return ()


def no_summariser() -> Summariser | None:
    """No model writes summaries: they are extracted."""
    return None


class Engine:
    """Memory over ports. Usable from many threads; the embedder is loaded when it is first needed."""

    def __init__(
        self,
        *,
        store: Store,
        load_embedder: LoadEmbedder,
        clock: Clock,
        settings: EngineSettings | None = None,
        read_rules: ReadRules = no_rules,
        load_summariser: LoadSummariser = no_summariser,
    ) -> None:
        self._store = store
        self._read_rules = read_rules
        self._clock = clock
        self._settings = settings or EngineSettings()
        self._embeddings = Embeddings(store=store, load=load_embedder, clock=clock)
        self._floors = Floors()
        self._rulebook = Rulebook(store)
        self._judge = Judge(
            store=store, embeddings=self._embeddings, weights=self._settings.gate, rules=self._rulebook.texts
        )
        self._load_summariser = load_summariser
        self._made_compactor: Compactor | None = None
        self._making = threading.Lock()
        self._growth = Growth(
            lambda session, stopping: self._compactor().compact(session, stopping=stopping),
            auto_tokens=self._settings.compaction.auto_tokens,
        )
        injected = Injected()
        self._receipts = Receipts(store, most=self._settings.assembly.receipts)
        self._assembler = Assembler(
            store=store,
            search=self.search,
            rules=self._rulebook.rules,
            clock=clock,
            settings=self._settings.assembly,
            recall=self._settings.recall,
            injected=injected,
            receipts=self._receipts,
            mask=self._masked,
        )
        self._sessions = Sessions(
            store=store,
            embeddings=self._embeddings,
            judge=self._judge,
            clock=clock,
            injected=injected.of,
            grown=self._growth.note,
            settings=SessionSettings(intake=self._settings.intake, max_text_chars=self._settings.max_text_chars),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        text = self._masked(mend(note.text))
        if not text.strip():
            raise InvalidInput("text", "is empty", remedy="Say what is to be remembered.")
        self._refuse_long(text)
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
        text = self._masked(mend(text))
        self._refuse_long(text)
        cleaned = [dataclasses.replace(place, metadata=mend_json(place.metadata)) for place in places]
        for attempt in range(INSERT_ATTEMPTS):
            try:
                return self._insert(id, text, cleaned, at, also())
            except Conflict:  # somebody wrote in between: look again
                if attempt == INSERT_ATTEMPTS - 1:
                    raise
        raise AssertionError  # pragma: no cover - the loop returns or raises

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

    def _masked(self, text: str) -> str:
        """The text without secrets: nothing that is stored has any, whichever way it came."""
        return mask_secrets(text, self._settings.intake.secrets).text

    def _refuse_long(
        self, text: str, *, field: str = "text", most: int | None = None, by: str = "store.max_text_chars"
    ) -> None:
        """Before a text is embedded, which takes its time, not after."""
        most = self._settings.max_text_chars if most is None else most
        if len(text) > most:
            raise InvalidInput(
                field,
                f"has {len(text):,} characters, at most {most:,} are allowed",
                remedy=f"Split it, or raise {by}.",
            )

    def _moment(self, at: int | None, record: Record | None) -> int:
        """The time given, else the one the record had, else now."""
        if at is not None:
            return at
        return self._clock() if record is None else record.at

    def replace(self, gone: Sequence[Remove], kept: Sequence[Put]) -> str:
        """Delete some records and write others in one commit; returns in words what is reduced."""
        for put in kept:
            self._refuse_long(put.text)
        texts = [put.text for put in kept if put.text.strip()]
        embeddings, degraded = self._embeddings.of_texts(texts)
        whole = [dataclasses.replace(put, embedding=embeddings.get(put.text)) for put in kept]
        self._store.commit([*gone, *whole])
        return degraded

    def forget(self, collection: str, ids: Sequence[str]) -> int:
        """Delete records by id, all in one commit; returns how many there were.

        What came from a turn goes wherever the turn left its text: history, session, repetition index. Summaries that
        may hold something of it are opened, and what else they stood for is folded anew. Receipts whose question has
        the same words go. A memory that a forgotten one had made outdated counts again.
        """
        return self._delete(lambda: self._forgetting(collection, ids))

    def _forgetting(self, collection: str, ids: Sequence[str]) -> Deletion:
        present = [record for id in dict.fromkeys(ids) if (record := self._store.get(collection, id)) is not None]
        places = {(record.collection, record.id) for record in present}
        places |= {place for record in present for place in turn_traces(record)}
        restored = [change for record in present for change in self._judge.release(record)]
        also: list[Change] = [change for change in restored if (change.collection, change.id) not in places]
        texts: dict[str, list[str]] = {}
        for record in present:
            if namespace := namespace_of(record):
                texts.setdefault(namespace, []).append(record.text)
        also += (change for namespace, said in texts.items() for change in self._receipts.drop_asked(said, namespace))
        return self._removal(places, records=len(present), also=also)

    def remove(self, collection: str, ids: Sequence[str]) -> None:
        """Delete exactly these records of a collection, in one commit; unknown ones are no error. Of the rest only
        summaries change, where one would stand for what is gone."""
        places = {(collection, id) for id in ids}
        self._delete(lambda: self._removal(places, records=len(places)))

    def _removal(self, places: Collection[tuple[str, str]], *, records: int, also: Sequence[Change] = ()) -> Deletion:
        """What deletes the records at these places, and opens the summaries that stood for them."""
        removals = [Remove(collection=name, id=id) for name, id in sorted(places)]
        return Deletion(
            changes=[*also, *removals],
            unfoldings=unfold(self._store, places, now=self._clock()),
            records=records,
        )

    def _delete(self, plan: Callable[[], Deletion]) -> int:
        """Commit what is planned, in one go; when others wrote meanwhile, plan again. Returns how many records went."""
        with self._receipts.paused():
            return self._deleted(plan)

    def _deleted(self, plan: Callable[[], Deletion]) -> int:
        for attempt in range(INSERT_ATTEMPTS):
            planned = plan()
            opening = [change for each in planned.unfoldings for change in each.changes]
            steps = [each.step for each in planned.unfoldings if each.step is not None]
            try:
                self._store.commit([*opening, *planned.changes, *steps])
            except Conflict:
                if attempt == INSERT_ATTEMPTS - 1:
                    raise
                continue
            for each in planned.unfoldings:
                self._growth.note(each.session, each.tokens)
            return planned.records
        raise AssertionError  # pragma: no cover - the loop returns or raises

    def flush(self, names: Sequence[str]) -> int:
        """Delete whole collections, all in one commit; returns how many records went.

        A session that loses its active view, its raw turns or its summaries loses all of its summaries: none stands for
        what is not there.
        """
        with self._receipts.paused():
            gone = self._delete(lambda: self._flushing(names))
            for name in names:
                if name.startswith(RECEIPTS):
                    self._receipts.discard(name.removeprefix(RECEIPTS))
        return gone

    def _flushing(self, names: Sequence[str]) -> Deletion:
        sizes = {info.name: info.records for info in self._store.collections()}
        present = [name for name in dict.fromkeys(names) if name in sizes]
        sessions = sorted({name.partition(":")[2] for name in present if name.startswith(_COVERED)})
        return Deletion(
            changes=[DropCollection(name=name) for name in present],
            unfoldings=[unfold_all(self._store, session, now=self._clock()) for session in sessions],
            records=sum(sizes[name] for name in present),
        )

    def flush_everything(self) -> int:
        """Delete all there is: collections, session states, coverage and the journal; returns how many records went."""
        with self._receipts.paused():
            sizes = {info.name: info.records for info in self._store.collections()}
            sessions = {state.session for state in self._store.sessions()}
            sessions |= {edge.session for edge in self._store.edges()}
            self._store.commit(
                [
                    *(DropCollection(name=name) for name in sizes),
                    *(DropState(session=session) for session in sorted(sessions)),
                    *(Unlink(session=session) for session in sorted(sessions)),
                    ClearJournal(),
                ]
            )
            self._assembler.forget()
        return sum(sizes.values())

    def flush_namespace(self, namespace: str) -> int:
        """Delete all that belongs to exactly this namespace, its sessions included; returns how many records went.

        Of a session that others took part in only the namespace's own turns go.
        """
        whose = named(namespace)
        with self._receipts.paused():
            gone = self._delete(lambda: leave(self._store, whose, now=self._clock()))
            self._assembler.forget(whose)
        return gone

    # ── conversations ─────────────────────────────────────────────────────────────────────────────────────

    def bootstrap(
        self, *, session: str, namespace: str, messages: object = (), progress: Progress = no_progress
    ) -> Bootstrapped:
        """Open a session, and take in what its transcript holds that we do not have; the same again adds nothing."""
        return self._sessions.bootstrap(
            session=session, namespace=named(namespace), messages=messages, progress=progress
        )

    def ingest(self, message: object, *, session: str, namespace: str) -> Committed:
        """Take in one message of a host, in whatever shape; what tools answered in it is a turn of its own."""
        return self.ingest_batch([message], session=session, namespace=namespace)

    def ingest_batch(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        """Take in new messages, in order. What the session holds already is known again, not stored again."""
        return self._sessions.ingest(messages, session=session, namespace=named(namespace), progress=progress)

    def import_transcript(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        """Take in a session from its start: what it holds already is known, wherever the host cut or renumbered it."""
        return self._sessions.import_transcript(
            messages, session=session, namespace=named(namespace), progress=progress
        )

    def commit_turn(
        self, messages: object, *, session: str, namespace: str, key: str, former: Sequence[str] = ()
    ) -> Committed:
        """Take in the messages of one turn of the host, all or none, once per key, also when the session stood under
        `former` names before."""
        return self._sessions.commit_turn(messages, session=session, namespace=named(namespace), key=key, former=former)

    def current_session(self, session: str) -> str:
        """Under which name a host's session stands here now: its own, until the host has begun it anew."""
        return self._sessions.current(session)

    def former_sessions(self, session: str) -> tuple[str, ...]:
        """The names under which a host's session stood before it was begun anew, oldest first."""
        return self._sessions.former(session)

    def renew_session(self, session: str) -> str:
        """Begin a session anew under its id, as hosts do on a reset; what was said before stays in the history."""
        return self._sessions.renew(session)

    def judge(self, text: str, *, namespace: str) -> Judged:
        """The gate's verdict on a text, without storing anything."""
        return self._judge.explain(mend(text), named(namespace))

    # ── prompts ───────────────────────────────────────────────────────────────────────────────────────────

    def assemble(
        self,
        prompt: str = "",
        *,
        session: str,
        namespace: str,
        budget: int,
        messages: Sequence[Any] = (),
        mode: AssemblyMode = AssemblyMode.AUGMENT,
        turn: str = "",
    ) -> Prompt:
        """What the model should see for a prompt, under a hard budget of tokens, with a receipt that explains it.

        `messages` are what the host shows anyway; nothing of it is injected again. In window mode they are the whole
        history, and the result says which of them stay. The same state gives the same bytes.
        """
        if not session:
            raise InvalidInput("session", "is empty", remedy="Name the session that the prompt belongs to.")
        return self._assembler.assemble(
            Request(
                session=session,
                namespace=named(namespace),
                budget=budget,
                prompt=mend(prompt),
                messages=tuple(messages),
                mode=mode,
                turn=mend(turn),
            )
        )

    def explain(self, receipt: str | None = None, *, namespace: str) -> Explained:
        """The account of an assembly by its receipt's id, or of the newest."""
        return self._assembler.explain(receipt, namespace=named(namespace))

    def why_not(self, record: str, *, namespace: str, receipt: str | None = None) -> str:
        """Why a turn or memory does not stand in a prompt (the newest one if no receipt is named), in words."""
        return self._assembler.why_not(record, receipt, namespace=named(namespace))

    def replay(self, id: str, *, namespace: str, messages: Sequence[Any] = ()) -> tuple[Assembly, bool]:
        """Assemble again what a receipt tells of, as of its moment, and whether the bytes are the same."""
        return self._assembler.replay(id, namespace=named(namespace), messages=messages)

    # ── compaction ────────────────────────────────────────────────────────────────────────────────────────

    @property
    def is_abstractive(self) -> bool:
        """True when a model writes summaries."""
        return self._compactor().is_abstractive

    def _compactor(self) -> Compactor:
        """What folds sessions; made when it is first needed, since its patterns take their time to load."""
        with self._making:
            if self._made_compactor is None:
                from libravdb.engine.compaction import Compactor  # noqa: PLC0415 - see above

                self._made_compactor = Compactor(
                    store=self._store,
                    embeddings=self._embeddings,
                    is_rule=lambda text: bool(self._read_rules(text)),
                    load_summariser=self._load_summariser,
                    clock=self._clock,
                    settings=self._settings.compaction,
                )
            return self._made_compactor

    def compact(
        self,
        session: str,
        *,
        target: int | None = None,
        minimum_turns: int | None = None,
        tail_tokens: int | None = None,
        support_tokens: int | None = None,
    ) -> Compacted:
        """Fold what is older than the recent tail of a session into summaries. Raw turns stay, and can be reached.

        Every cluster is one transaction; a kill in between leaves whole clusters folded or not at all.
        """
        if not session:
            raise InvalidInput("session", "is empty", remedy="Name the session to be compacted.")
        _require("target", target, least=LEAST_TARGET, remedy="A summary stands for 2 turns or more.")
        for name, value in (
            ("minimum_turns", minimum_turns),
            ("tail_tokens", tail_tokens),
            ("support_tokens", support_tokens),
        ):
            _require(name, value, least=0, remedy="Give 0 or more, or leave it out for what is configured.")
        return self._compactor().compact(
            session,
            target=target,
            minimum_turns=minimum_turns,
            tail_tokens=tail_tokens,
            support_tokens=support_tokens,
        )

    def expand(self, summary: str, *, session: str, max_depth: int = 3, max_tokens: int | None = None) -> list[Record]:
        """What a summary stands for, in order, down to a depth and within a budget; a summary at the end of the depth
        stands for itself."""
        _require("max_depth", max_depth, least=1, remedy="1 gives what the summary itself stands for.")
        _require("max_tokens", max_tokens, least=0, remedy="Give 0 or more, or leave it out for no limit.")
        return list(self._compactor().expand(session, summary, depth=max_depth, max_tokens=max_tokens))

    def coverage(self, session: str) -> list[Edge]:
        """Which summary of a session stands for what."""
        return self._store.edges(session)

    # ── the gate ──────────────────────────────────────────────────────────────────────────────────────────

    @property
    def gate_threshold(self) -> float:
        """The score from which a turn is kept beyond its session."""
        return self._judge.threshold

    def feedback(self, id: str, *, useful: bool, namespace: str) -> None:
        """Tell whether a memory was useful; the gate's threshold can be calibrated by it."""
        self._judge.feedback(id, useful=useful, namespace=named(namespace), now=self._clock())

    def gate_report(self, *, namespace: str) -> GateAccount:
        """How the gate decided so far, and what feedback says about its threshold."""
        return self._judge.report(named(namespace))

    def restore_memory(self, id: str, *, namespace: str) -> None:
        """Take back that a memory was made outdated by a newer one; both stay."""
        self._judge.restore(id, namespace=named(namespace))

    # ── authored documents ────────────────────────────────────────────────────────────────────────────────

    def author(
        self,
        source_doc: str,
        text: str,
        *,
        core: bool | None = None,
        tokenizer: str = ESTIMATOR,
        source_meta: Metadata | None = None,
    ) -> Authored:
        """Keep a Markdown document. A changed one replaces its former self in one commit, an unchanged one stays.

        Without `core` its file name decides. Raises DocumentTooHard when its hard rules exceed their budget; the former
        version then stays.
        """
        source_doc, text = mend(source_doc), self._masked(mend(text))
        if not source_doc.strip():
            raise InvalidInput("source_doc", "is empty", remedy="Name the document.")
        self._refuse_long(text, field="document", most=self._settings.max_document_chars, by="authored.max_chars")
        tiers = self._settings.tiers
        given = DocumentInput(
            source_doc=source_doc,
            text=text,
            core=is_core(source_doc, tiers.core_names) if core is None else core,
            tokenizer=mend(tokenizer),
            source_meta=mend_json(source_meta or {}),
        )
        desk = DocumentTools(store=self._store, commit=self.replace, read_rules=self._read_rules, settings=tiers)
        for attempt in range(INSERT_ATTEMPTS):
            try:
                done = author(desk, given, now=self._clock())
            except Conflict:  # somebody wrote the same document in between: look again
                if attempt == INSERT_ATTEMPTS - 1:
                    raise
            else:
                self._rulebook.forget()
                return done
        raise AssertionError  # pragma: no cover - the loop returns or raises

    def withdraw(self, source_doc: str) -> int:
        """Delete a document with all of its nodes, in one commit; returns how many there were."""
        gone = withdraw(self._store, mend(source_doc))
        self._rulebook.forget()
        return gone

    def documents(self) -> Mapping[str, DocumentInfo]:
        """Every authored document by its name, without its nodes."""
        return documents(self._store)

    def authored_nodes(self, source_doc: str) -> list[Record]:
        """The nodes of a document in source order; none when it is unknown."""
        return authored_nodes(self._store, mend(source_doc))

    def review(self, given: Mapping[str, str] | None = None) -> tuple[Remark, ...]:
        """What the author of rules should look at: contradictions, duplicates, vagueness, the budget.

        `given` maps names to Markdown that is read as core documents and not stored; without it, what is stored.
        """
        from libravdb.core.authored.review import review  # noqa: PLC0415 - loads the words of all languages

        nodes = (
            ruling_nodes(self._store)
            if given is None
            else ((name, node) for name, text in given.items() for node in split(mend(text)))
        )
        return review(nodes, read_rules=self._read_rules, hard_limit=self._settings.tiers.hard_budget)

    # ── finding ───────────────────────────────────────────────────────────────────────────────────────────

    def search(
        self,
        question: str,
        *,
        collections: Sequence[str] = (),
        namespace: str | None = None,
        session: str | None = None,
        scopes: Sequence[Scope] = tuple(Scope),
        k: int | None = None,
        budget: int | None = None,
        where: Where = ANYTHING,
        exclude: Mapping[str, frozenset[str]] | None = None,
        as_of: int | None = None,
        is_quiet: bool = False,
    ) -> Answer:
        """What memory holds on a question, best first, with the account of every hit.

        Asked are the scopes of a namespace (and of a session in it), or collections by name. `budget` keeps only what
        fits so many tokens, in rank order. `as_of` asks as if it were that moment: nothing later is seen, and time is
        counted from there. `is_quiet` shows nothing when nothing is relevant, and says so.
        """
        question = mend(question)
        if not question.strip():
            raise InvalidInput("question", "is empty", remedy="Ask for something.")
        wanted = self._settings.k if k is None else k
        if not 1 <= wanted <= MOST_HITS:
            raise InvalidInput("k", f"is {wanted}", remedy=f"Ask for 1 to {MOST_HITS:,} results.")
        asked = {name: scope_of(name) for name in collections}
        if namespace is not None:
            whose = named(namespace)
            own = session if session and self._owns(whose, session) else None
            asked |= scope_collections(whose, own, scopes)
        elif not asked:
            raise InvalidInput("collections", "are empty", remedy="Name collections, or a namespace to search.")
        return answer(
            self._store,
            question,
            collections=asked,
            embed=self.query_embedding,
            now=self._clock() if as_of is None else as_of,
            k=wanted,
            budget=budget,
            settings=self._settings.recall,
            where=until(where, as_of),
            exclude=exclude,
            floors=self._floors if is_quiet else None,
        )

    def _owns(self, namespace: str, session: str) -> bool:
        """True when nobody else speaks in the session: what others said there is not this namespace's to see."""
        state = self._store.session_state(session)
        return state is None or not namespaces_of(state) or namespaces_of(state) == [namespace]

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

    # ── the embedder ──────────────────────────────────────────────────────────────────────────────────────

    def query_embedding(self, question: str) -> tuple[Embedding | None, str]:
        """A question's vector, if the store's vectors may be compared with it; else None and why."""
        return self._embeddings.of_question(mend(question))

    def reembed(self, *, force: bool = False, progress: Progress = no_progress) -> Reembedded:
        """Rebuild the vectors with the configured embedder, check them, switch over; resumable."""
        return self._embeddings.reembed(force=force, progress=progress)

    def roll_back_vectors(self) -> str:
        """Go back to the vectors that were in use before the last switch; returns their fingerprint."""
        return self._embeddings.roll_back()

    def drop_unused_vectors(self) -> list[str]:
        """Delete the vectors of every space that is not in use; returns their fingerprints."""
        return self._embeddings.drop_unused()

    def embed_missing(self, progress: Progress = no_progress) -> tuple[int, str]:
        """Give vectors to texts that came in without; returns how many, or why not."""
        return self._embeddings.embed_missing(progress)

    def degraded(self) -> str:
        """In words what is reduced right now; empty when nothing is."""
        return self._embeddings.degraded()

    # ── the whole store ───────────────────────────────────────────────────────────────────────────────────

    def status(self) -> Status:
        """How the engine searches, with what, over what."""
        degraded = self._embeddings.degraded()
        stats = self._store.stats()
        if not degraded and stats.unembedded:
            degraded = f"{stats.unembedded} texts have no vectors yet and are found by words only."
            degraded += " Run 'libravdb reembed' to add them."
        return Status(
            version=__version__,
            mode=SearchMode.FULL if self._embeddings.is_ready() else SearchMode.LEXICAL_ONLY,
            degraded=degraded,
            embedder=self._embeddings.told(),
            spaces=tuple(self._store.spaces()),
            store=stats,
        )

    def export_file(
        self,
        path: Path,
        *,
        collections: Sequence[str] = (),
        with_vectors: bool = False,
        progress: Progress = no_progress,
    ) -> int:
        """Write the store as JSON Lines, or only the records of some collections; returns how many records."""
        self._receipts.try_to_settle()
        accept = frozenset(collections).__contains__ if collections else None
        lines = export_lines(
            self._store, now=self._clock(), accept=accept, with_vectors=with_vectors, progress=progress
        )
        with write_file(path) as out:
            return sum(_written(out, line) for line in lines)

    def import_file(self, path: Path, progress: Progress = no_progress) -> Imported:
        """Read a file that `export_file` wrote; the same file again changes nothing."""
        with read_lines(path) as lines:
            return import_lines(self._store, lines, progress)

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant of the store, read-only."""
        return self._store.verify(progress)

    def backup(self, target: Path, progress: Progress = no_progress) -> None:
        """Copy a consistent state to a new file while others go on working."""
        self._receipts.try_to_settle()
        self._store.backup(target, progress)

    def close(self) -> None:
        """Finish what is being folded and written, let go of the store and the models."""
        self._growth.close()
        self._receipts.close()
        self._store.close()
        if self._made_compactor is not None:
            self._made_compactor.close()
        self._embeddings.close()


def _require(field: str, value: int | None, *, least: int, remedy: str) -> None:
    if value is not None and value < least:
        raise InvalidInput(field, f"is {value}", remedy=remedy)


def _written(out: TextIO, line: str) -> bool:
    """Write a line; True when it is a record's."""
    out.write(line + "\n")
    return line.startswith(RECORD_LINE)


def _with_mark(place: Placement, record: Record | None) -> Mapping[str, Json]:
    """The metadata for a place. A raw turn that was withdrawn from the view stays so when it is said again."""
    if record is None or WITHDRAWN not in record.metadata or not place.collection.startswith("session_raw:"):
        return place.metadata
    return {**place.metadata, WITHDRAWN: record.metadata[WITHDRAWN]}


def to_canonical(metadata: Mapping[str, Json]) -> str:
    """Metadata as text that is equal when the metadata are: the order of keys does not count, 1 and true differ."""
    return json.dumps(metadata, sort_keys=True)
