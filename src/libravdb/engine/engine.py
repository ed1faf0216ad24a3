"""The engine: fetch, call the core, write. Every door (library, command line, daemon) speaks to this object."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TextIO

from libravdb import __version__
from libravdb.core.authored.markdown import split
from libravdb.core.authored.tiers import ReadRules, is_core
from libravdb.engine.auto_compaction import Growth
from libravdb.engine.deletion import Deletions
from libravdb.engine.documents import (
    DocumentInput,
    DocumentTools,
    author,
    authored_nodes,
    documents,
    ruling_nodes,
    withdraw,
)
from libravdb.engine.embedding import Embeddings, LoadEmbedder
from libravdb.engine.export import RECORD_LINE, export_lines, import_lines, read_lines, write_file
from libravdb.engine.indexing import IndexingStore
from libravdb.engine.ingestion import ReliedOnState, Sessions
from libravdb.engine.injected_texts import InjectedTexts
from libravdb.engine.notes import Inserted, Notes, relying_on_nothing
from libravdb.engine.pages import newest, one_record
from libravdb.engine.promotion import GateAccount, Judge
from libravdb.engine.prompts import Assembler, Request
from libravdb.engine.receipts import Receipts
from libravdb.engine.retry import retry_on_conflict
from libravdb.engine.rules_cache import RulesCache
from libravdb.engine.search import Search
from libravdb.engine.session_names import SessionNames
from libravdb.engine.settings import EngineSettings
from libravdb.engine.text_search import TextMatches, search_text
from libravdb.engine.turn_records import Placement
from libravdb.errors import InvalidInput
from libravdb.model import (
    ANYTHING,
    Answer,
    Assembly,
    AssemblyMode,
    Authored,
    Bootstrapped,
    CollectionInfo,
    Committed,
    Compacted,
    DocumentInfo,
    Edge,
    Embedding,
    Excluded,
    Explained,
    Finding,
    Imported,
    Json,
    Judged,
    Key,
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
    Where,
)
from libravdb.model.collections import scope_collections
from libravdb.model.json import mend_json
from libravdb.model.namespaces import named
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.store import Snapshot, Store
from libravdb.ports.summariser import Summariser
from libravdb.text.tokens import ESTIMATOR
from libravdb.text.unicode import mend

if TYPE_CHECKING:
    from libravdb.engine.compaction import Compactor, LoadSummariser

LEAST_TARGET = 2
"""A summary of a single turn would save nothing."""

MOST_HITS = 10_000
"""More results than this are a listing, not an answer."""

BATCH = 64
"""Texts embedded and committed together when many are remembered."""


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
        store = IndexingStore(store)
        self._store = store
        self._read_rules = read_rules
        self._clock = clock
        self._settings = settings or EngineSettings()
        self._embeddings = Embeddings(store=store, load=load_embedder, clock=clock)
        self._search = Search(store=store, embeddings=self._embeddings, clock=clock, settings=self._settings.search)
        rules = RulesCache()
        self._judge = Judge(store=store, embeddings=self._embeddings, weights=self._settings.gate, rules=rules.texts)
        self._notes = Notes(
            store=store,
            embeddings=self._embeddings,
            clock=clock,
            secrets=self._settings.ingest,
            max_text_chars=self._settings.store.max_text_chars,
        )
        self._load_summariser = load_summariser
        self._made_compactor: Compactor | None = None
        self._making = threading.Lock()
        self._growth = Growth(
            lambda session, stopping: self._compactor().compact(session, stopping=stopping),
            auto_tokens=self._settings.compaction.auto_tokens,
        )
        injected = InjectedTexts()
        self._receipts = Receipts(store, most=self._settings.assembly.receipts)
        self._assembler = Assembler(
            store=store,
            search=self._search,
            rules=rules.rules,
            clock=clock,
            settings=self._settings.assembly,
            recall=self._settings.search,
            injected=injected,
            receipts=self._receipts,
            mask=self._notes.masked,
        )
        self._deletions = Deletions(
            store=store,
            judge=self._judge,
            receipts=self._receipts,
            assembler=self._assembler,
            grown=self._growth.note,
            clock=clock,
        )
        self._names = SessionNames(store=store, clock=clock)
        self._sessions = Sessions(
            store=store,
            embeddings=self._embeddings,
            judge=self._judge,
            clock=clock,
            injected=injected.of,
            grown=self._growth.note,
            settings=self._settings.ingest,
            max_text_chars=self._settings.store.max_text_chars,
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
        return self._notes.remember(text, collection=collection, id=id, metadata=metadata, at=at, replace=replace)

    def remember_many(
        self, notes: Sequence[Note], *, replace: bool = False, progress: Progress = no_progress
    ) -> list[Remembered]:
        """Keep many texts, embedding and committing them in batches."""
        return self._notes.remember_many(notes, replace=replace, progress=progress)

    def insert(
        self,
        *,
        id: str,
        text: str,
        places: Sequence[Placement],
        at: int | None = None,
        relied_on: Callable[[Snapshot], ReliedOnState] = relying_on_nothing,
    ) -> Inserted:
        """Put a text into several collections at once, under one id. Nothing said is ever overwritten."""
        return self._notes.insert(id=id, text=text, places=places, at=at, relied_on=relied_on)

    def replace(self, gone: Sequence[Remove], kept: Sequence[Put]) -> str:
        """Delete some records and write others in one commit; returns in words what is reduced."""
        return self._notes.replace(gone, kept)

    def forget(self, collection: str, ids: Sequence[str]) -> int:
        """Delete records by id, all in one commit; returns how many there were."""
        return self._deletions.forget(collection, ids)

    def remove(self, collection: str, ids: Sequence[str]) -> None:
        """Delete exactly these records of a collection, in one commit; unknown ones are no error."""
        self._deletions.remove(collection, ids)

    def flush(self, names: Sequence[str]) -> int:
        """Delete whole collections, all in one commit; returns how many records went."""
        return self._deletions.flush(names)

    def flush_everything(self) -> int:
        """Delete all there is: collections, session states, coverage and the journal; returns how many records went."""
        return self._deletions.flush_everything()

    def flush_namespace(self, namespace: str) -> int:
        """Delete all that belongs to exactly this namespace, its sessions included; returns how many records went."""
        return self._deletions.flush_namespace(namespace)

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
        return self._names.current(session)

    def former_sessions(self, session: str) -> tuple[str, ...]:
        """The names under which a host's session stood before it was begun anew, oldest first."""
        return self._names.former(session)

    def renew_session(self, session: str) -> str:
        """Begin a session anew under its id, as hosts do on a reset; what was said before stays in the history."""
        return self._names.renew(session)

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
        with self._store.read() as snapshot:
            return list(snapshot.edges(session))

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
        source_doc, text = mend(source_doc), self._notes.masked(mend(text))
        if not source_doc.strip():
            raise InvalidInput("source_doc", "is empty", remedy="Name the document.")
        self._notes.refuse_long(text, field="document", most=self._settings.authored.max_chars, by="authored.max_chars")
        given = DocumentInput(
            source_doc=source_doc,
            text=text,
            core=is_core(source_doc, self._settings.authored.core_names) if core is None else core,
            tokenizer=mend(tokenizer),
            source_meta=mend_json(source_meta or {}),
        )
        desk = DocumentTools(
            store=self._store,
            commit=self._notes.replace,
            read_rules=self._read_rules,
            hard_budget=self._settings.hard_budget,
        )
        return retry_on_conflict(lambda: author(desk, given, now=self._clock()))

    def withdraw(self, source_doc: str) -> int:
        """Delete a document with all of its nodes, in one commit; returns how many there were."""
        return withdraw(self._store, mend(source_doc))

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
        return review(nodes, read_rules=self._read_rules, hard_limit=self._settings.hard_budget)

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
        return self._search.ask(
            question,
            collections=collections,
            namespace=namespace,
            session=session,
            scopes=scopes,
            k=k,
            budget=budget,
            where=where,
            exclude=exclude,
            as_of=as_of,
            is_quiet=is_quiet,
        )

    def search_text(self, text: str, *, collections: Sequence[str], k: int, exclude: Excluded) -> TextMatches:
        """The k closest texts of each of some collections, by one measure, without ranking."""
        return search_text(self._store, self._embeddings, text, collections=collections, k=k, exclude=exclude)

    def get(self, collection: str, id: str) -> Record | None:
        """One record, or None."""
        with self._store.read() as snapshot:
            return one_record(snapshot, collection, id)

    def read(self, id: str, *, namespace: str, scope: Scope) -> Record | None:
        """One record of a namespace by its id, in a scope that needs no session; None when there is none."""
        keys = [Key(name, id) for name in scope_collections(named(namespace), None, [scope])]
        with self._store.read() as snapshot:
            found = snapshot.records(keys)
        return next((found[key] for key in keys if key in found), None)

    def latest(self, collection: str, *, limit: int, where: Where = ANYTHING) -> list[Record]:
        """The newest records of a collection, newest first."""
        with self._store.read() as snapshot:
            return list(newest(snapshot, collection, limit=limit, where=where))

    def collections(self, prefix: str = "") -> list[CollectionInfo]:
        """Collections and their sizes."""
        with self._store.read() as snapshot:
            return list(snapshot.collections(prefix=prefix).items)

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
        with self._store.read() as snapshot:
            ready = self._embeddings.ready(snapshot)
            spaces = snapshot.spaces()
        degraded = ready.degraded
        stats = self._store.maintenance.stats()
        if not degraded and stats.unembedded:
            degraded = f"{stats.unembedded} texts have no vectors yet and are found by words only."
            degraded += " Run 'libravdb reembed' to add them."
        return Status(
            version=__version__,
            mode=SearchMode.FULL if ready.is_comparable else SearchMode.LEXICAL_ONLY,
            degraded=degraded,
            embedder=self._embeddings.told(),
            spaces=spaces,
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
        with self._store.read() as snapshot, write_file(path) as out:
            lines = export_lines(
                snapshot, now=self._clock(), collections=collections, with_vectors=with_vectors, progress=progress
            )
            return sum(_written(out, line) for line in lines)

    def import_file(self, path: Path, progress: Progress = no_progress) -> Imported:
        """Read a file that `export_file` wrote; the same file again changes nothing."""
        with read_lines(path) as lines:
            return import_lines(self._store, lines, progress)

    def verify(self, progress: Progress = no_progress) -> Iterator[Finding]:
        """Check every invariant of the store, read-only."""
        return self._store.maintenance.verify(progress)

    def backup(self, target: Path, progress: Progress = no_progress) -> None:
        """Copy a consistent state to a new file while others go on working."""
        self._receipts.try_to_settle()
        self._store.maintenance.backup(target, progress)

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
