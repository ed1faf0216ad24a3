"""The storage methods: what existing clients of the protocol speak, served by the engine and its store.

Messages, orders and metadata here are part of the contract: clients compare them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from libravdb import __version__
from libravdb.daemon.call_stats import Calls
from libravdb.daemon.dispatch import Handler
from libravdb.engine.compaction import LEAST_TARGET
from libravdb.engine.documents import authored_order
from libravdb.engine.engine import Engine
from libravdb.engine.ingestion import ReliedOnState, relied_on_state
from libravdb.engine.masking import MaskingStore
from libravdb.engine.memories import relying_on_nothing
from libravdb.engine.notes import deserves_to_last
from libravdb.engine.turn_records import Placement, client_turn_owner, client_turn_places
from libravdb.errors import InvalidInput
from libravdb.model import (
    ANYTHING,
    Append,
    Edge,
    EnsureCollection,
    Json,
    Key,
    Put,
    Record,
    Remove,
    SearchMode,
    Touch,
    Watching,
    Where,
)
from libravdb.model.collections import (
    LIFECYCLE_JOURNAL,
    CollectionKind,
    dream_entries,
    durable_memory,
    is_authored,
    parse_collection,
    prefix,
    raw_turns,
)
from libravdb.model.namespaces import DEFAULT, told_owner
from libravdb.model.record_ids import dream_id
from libravdb.model.turn_metadata import (
    COMPACTED_AT,
    KIND,
    OWNER,
    SAID_AT,
    RecordKind,
    TurnMetadata,
    child_collection,
    dream_facts,
    named_owner,
)
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store
from libravdb.wire.fields import camel
from libravdb.wire.methods import storage as wire
from libravdb.wire.methods.identity import NOBODY_NAMED, stored_namespace
from libravdb.wire.methods.method import NoParams, Ok

EVERYTHING = 2**31 - 1
ENDINGS = frozenset({"new", "reset", "idle", "daily", "deleted"})
"""Reasons of `session_end` after which a host shows nothing of what was said before, whatever id it goes on under."""


class StorageMethods:
    """One method of this class per method of the contract, by the same name."""

    def __init__(
        self,
        engine: Engine,
        store: Store,
        *,
        clock: Clock,
        calls: Calls,
        path: str,
        journal_entries: int,
        watching: Callable[[], Watching | None] = lambda: None,
    ) -> None:
        self._engine = engine
        self._store = MaskingStore(store, engine.masking)
        self._clock = clock
        self._calls = calls
        self._path = path
        self._journal_entries = journal_entries
        self._watching = watching
        self._since = time.monotonic()

    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each storage method."""
        return {method.name: self._masked(getattr(self, method.name)) for method in wire.STORAGE_METHODS}

    def _masked(self, handler: Handler) -> Handler:
        """The handler, which is given nothing secret."""
        return lambda params: handler(self._engine.masking.fields(params))

    # ── the daemon itself ─────────────────────────────────────────────────────────────────────────────────

    def health(self, _: NoParams) -> wire.HealthResult:
        health = self._store.maintenance.health()
        told = health.words() or self._engine.embeddings.degraded()
        return wire.HealthResult(ok=health.is_writable, message=told or "ok")

    def status(self, _: NoParams) -> wire.StatusResult:
        state = self._engine.status()
        return wire.StatusResult(
            ok=state.health.is_writable,
            message=state.health.words() or state.degraded or "ok",
            turn_count=self._count(CollectionKind.TURN_INDEX),
            memory_count=self._count(CollectionKind.DURABLE_MEMORY),
            lifecycle_hint_count=state.store.journal,
            gating_threshold=self._engine.gate.threshold,
            abstractive_ready=self._engine.compaction.is_abstractive,
            embedding_profile=str(state.embedder.get("name", "")),
            mode=state.mode,
            version=__version__,
            record_count=state.store.records,
            collection_count=state.store.collections,
            unembedded_count=state.store.unembedded,
            store_path=self._path,
            store_bytes=state.store.size_bytes,
            uptime_seconds=round(time.monotonic() - self._since, 3),
            calls=self._calls.snapshot(),
            watch=self._watching(),
        )

    def _count(self, kind: CollectionKind) -> int:
        with self._engine.living.read() as snapshot:
            return sum(info.records for info in snapshot.collections(prefix=prefix(kind)).items)

    def flush(self, _: NoParams) -> Ok:
        return Ok()

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────

    def ensure_collections(self, params: wire.EnsureCollections) -> Ok:
        self._store.commit([EnsureCollection(name=name) for name in params.collections])
        return Ok()

    def insert_text(self, params: wire.InsertText) -> wire.InsertResult:
        _require(params.id, "record id is required", field="id")
        place = Placement(collection=params.collection, metadata=params.metadata)
        return self._insert(params.id, params.text, [place], at=TurnMetadata(params.metadata).said_at)

    def insert_session_turn(self, params: wire.InsertSessionTurn) -> wire.InsertResult:
        _require(params.session_id, "session ID is required", field="sessionId")
        _require(params.id, "record id is required", field="id")
        owner = client_turn_owner(params.metadata)
        places = client_turn_places(params.id, session=params.session_id, metadata=params.metadata)

        def state(snapshot: Snapshot) -> ReliedOnState:
            return relied_on_state(snapshot, params.session_id, owner=owner, now=self._clock())

        told = TurnMetadata(params.metadata).said_at
        at = None if told is None else min(told, self._clock())  # a clock that is ahead puts no turn behind later ones
        return self._insert(params.id, params.text, places, at=at, relied_on=state)

    def _insert(
        self,
        id: str,
        text: str,
        places: list[Placement],
        *,
        at: int | None,
        relied_on: Callable[[Snapshot], ReliedOnState] = relying_on_nothing,
    ) -> wire.InsertResult:
        done = self._engine.memories.insert(id=id, text=text, places=places, at=at, relied_on=relied_on)
        return wire.InsertResult(id=done.id if done.id != id else None, degraded=done.degraded or None)

    def bump_access_counts(self, params: wire.BumpAccessCounts) -> wire.Bumped:
        touches = [Touch(collection=update.collection, ids=update.ids) for update in params.updates]
        keys = {Key(touch.collection, id) for touch in touches for id in touch.ids}
        with self._engine.living.read() as snapshot:
            known = snapshot.records(keys)
        self._store.commit(touches)
        return wire.Bumped(unknown=len(keys) - len(known))

    def delete(self, params: wire.Delete) -> Ok:
        return self.delete_batch(wire.DeleteBatch(collection=params.collection, ids=(params.id,)))

    def delete_batch(self, params: wire.DeleteBatch) -> Ok:
        self._engine.deletions.remove(params.collection, params.ids)
        return Ok()

    def flush_namespace(self, params: wire.NamespaceParams) -> Ok:
        namespace = stored_namespace(params)
        _require(namespace, NOBODY_NAMED, field="namespace or userId")
        self._engine.deletions.flush_namespace(namespace)
        return Ok()

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────

    def search_text(self, params: wire.SearchText) -> wire.Results:
        return self._search((params.collection,), params.text, params.k, {params.collection: params.exclude_ids})

    def query_raw_session(self, params: wire.QueryRawSession) -> wire.Results:
        _require(params.session_id, "sessionId is required", field="sessionId")
        collection = raw_turns(params.session_id)
        return self._search((collection,), params.text, params.k, {collection: params.exclude_ids})

    def search_text_collections(self, params: wire.SearchTextCollections) -> wire.Results:
        if params.k <= 0:
            return wire.Results(results=())
        return self._search(params.collections, params.text, params.k, params.exclude_by_collection)

    def _search(
        self, collections: tuple[str, ...], text: str, k: int, exclude: Mapping[str, tuple[str, ...]]
    ) -> wire.Results:
        """The k best of each collection, merged by score, then collection, then id, and cut to k.

        An empty text is equally far from everything: all records tie at 0.
        """
        if not text.strip():
            return self._unranked(collections, k, exclude)
        excluded = {name: frozenset(ids) for name, ids in exclude.items()}
        matches = self._engine.memories.search_text(
            text, collections=collections, k=k if k > 0 else EVERYTHING, exclude=excluded
        )
        scored = [(one.score, one.record) for one in matches.found]
        if k <= 0:
            scored.extend(self._unmeasured(collections, exclude, known={(r.collection, r.id) for _, r in scored}))
            scored.sort(key=lambda pair: (-pair[0], pair[1].collection, pair[1].id))
        cut = scored[:k] if k > 0 else scored
        is_full = matches.mode is SearchMode.FULL
        return wire.Results(
            results=tuple(_wire_record(record, score=score, with_collection=True) for score, record in cut),
            mode=None if is_full else matches.mode,
            degraded=None if is_full else matches.degraded,
        )

    def _unmeasured(
        self, collections: tuple[str, ...], exclude: Mapping[str, tuple[str, ...]], known: set[tuple[str, str]]
    ) -> Iterator[tuple[float, Record]]:
        """The records that no measure reached (no text, or no common word), for whoever wants all."""
        for record in self._all_of(collections, exclude):
            if (record.collection, record.id) not in known:
                yield 0.0, record

    def _all_of(self, collections: tuple[str, ...], exclude: Mapping[str, tuple[str, ...]]) -> list[Record]:
        with self._engine.living.read() as snapshot:
            return [
                record
                for name in sorted(set(collections))
                for record in snapshot.page(name).items
                if record.id not in exclude.get(name, ())
            ]

    def _unranked(self, collections: tuple[str, ...], k: int, exclude: Mapping[str, tuple[str, ...]]) -> wire.Results:
        records = self._all_of(collections, exclude)
        cut = records[:k] if k > 0 else records
        return wire.Results(results=tuple(_wire_record(record, with_collection=True) for record in cut))

    def list_collection(self, params: wire.ListCollection) -> wire.Results:
        return self._listing(params.collection, ANYTHING)

    def list_by_meta(self, params: wire.ListByMeta) -> wire.Results:
        wanted = named_owner({params.key: params.value})
        return self._listing(params.collection, Where(metadata={key: (value,) for key, value in wanted.items()}))

    def _listing(self, collection: str, where: Where) -> wire.Results:
        with self._engine.living.read() as snapshot:
            records = list(snapshot.page(collection, where=where).items)
            written = {record.id for record in records}
            found = list(_projected(snapshot, collection))
        projected = [record for record in found if record.id not in written and where.fits(record.metadata)]
        if projected:
            records = sorted([*records, *projected], key=lambda record: record.id)
        if is_authored(collection):
            records.sort(key=authored_order)
        return wire.Results(results=tuple(_wire_record(record) for record in records))

    def expand_summary(self, params: wire.ExpandSummary) -> wire.Results:
        _require(params.session_id, "sessionId is required", field="sessionId")
        _require(params.summary_id, "summaryId is required", field="summaryId")
        records = self._engine.compaction.expand(
            params.summary_id, session=params.session_id, max_depth=max(params.max_depth, 1)
        )
        return wire.Results(results=tuple(_wire_record(record) for record in records))

    def export_memory(self, params: wire.NamespaceParams) -> wire.Exported:
        namespace = stored_namespace(params)
        with self._engine.living.read() as snapshot:
            names = [durable_memory(namespace)] if namespace else [info.name for info in snapshot.collections().items]
            records = [record for name in names for record in snapshot.page(name).items]
        return wire.Exported(
            records=tuple(
                wire.ExportedRecord(
                    collection=record.collection, id=record.id, text=record.text, metadata=_metadata(record)
                )
                for record in records
            )
        )

    # ── sessions ──────────────────────────────────────────────────────────────────────────────────────────

    def session_lifecycle_hint(self, params: wire.SessionLifecycleHint) -> wire.HintResult:
        now = self._clock()
        entry: dict[str, Json] = {
            KIND: RecordKind.LIFECYCLE_HINT.value,
            "internal": True,
            "source": "openclaw-hook",
            "ingest_kind": "lifecycle_journal",
            SAID_AT: now,
            **{camel(name): value for name, value in asdict(params).items()},
        }
        self._store.commit([Append(session=params.session_id, at=now, entry=entry, keep=self._journal_entries)])
        if params.session_id and (params.hook == "before_reset" or _ends_the_talk(params)):
            self._engine.sessions.renew(params.session_id)
        return wire.HintResult(ok=True, hook=params.hook, session_id=params.session_id, reason=params.reason)

    def list_lifecycle_journal(self, params: wire.ListLifecycleJournal) -> wire.Results:
        sessions = [params.session_id] if params.session_id else None
        with self._engine.living.read() as snapshot:
            entries = snapshot.journal(sessions=sessions, limit=params.limit if params.limit > 0 else None)
        rows = (_row(LIFECYCLE_JOURNAL, _journal_id(entry.seq), entry.entry, entry.at) for entry in entries)
        return wire.Results(results=tuple(map(_wire_record, rows)))

    # ── documents ─────────────────────────────────────────────────────────────────────────────────────────

    def ingest_markdown_document(self, params: wire.IngestMarkdownDocument) -> wire.IngestedDocument:
        _require(params.source_doc, "sourceDoc is required", field="sourceDoc")
        done = self._engine.documents.author(
            params.source_doc,
            params.text,
            core=params.core_doc,
            tokenizer=params.tokenizer_id,
            source_meta={camel(name): value for name, value in asdict(params.source_meta).items()},
        )
        return wire.IngestedDocument(nodes=done.document.nodes, outcome=done.outcome, degraded=done.degraded or None)

    def delete_authored_document(self, params: wire.DeleteAuthoredDocument) -> Ok:
        _require(params.source_doc, "sourceDoc is required", field="sourceDoc")
        self._engine.documents.withdraw(params.source_doc)
        return Ok()

    def promote_dream_entries(self, params: wire.PromoteDreamEntries) -> wire.Promoted:
        _require(params.user_id.strip(), "userId is required", field="userId")
        _require(params.source_doc, "sourceDoc is required", field="sourceDoc")
        owner = told_owner(params.user_id)
        collection = dream_entries(owner)
        with self._engine.living.read() as snapshot:
            former = snapshot.page(collection, where=Where(metadata={"source_doc": (params.source_doc,)})).items
        kept = [
            self._dream(params, owner, ordinal, entry)
            for ordinal, entry in enumerate(params.entries)
            if _deserves_to_last(entry)
        ]
        self._engine.memories.replace([Remove(collection=collection, id=record.id) for record in former], kept)
        return wire.Promoted(promoted=len(kept), rejected=len(params.entries) - len(kept))

    def _dream(self, params: wire.PromoteDreamEntries, owner: str, ordinal: int, entry: wire.DreamEntry) -> Put:
        facts = {name: value for name, value in asdict(entry).items() if name not in ("text", "metadata")}
        source = {name: value for name, value in asdict(params).items() if name not in ("user_id", "entries")}
        marks: dict[str, Json] = {OWNER: owner, SAID_AT: self._clock(), **dream_facts(entry.score)}
        return Put(
            collection=dream_entries(owner),
            id=dream_id(params.source_doc, ordinal),
            text=entry.text.strip(),
            at=self._clock(),
            metadata={**entry.metadata, **facts, **source, **marks},
        )

    # ── the gate and compaction ───────────────────────────────────────────────────────────────────────────

    def gating_scalar(self, params: wire.GatingScalar) -> wire.GatingResult:
        judged = self._engine.gate.judge(params.text, namespace=told_owner(params.user_id.strip() or DEFAULT))
        verdict = judged.verdict
        return wire.GatingResult(
            g=verdict.score,
            t=verdict.technical,
            h=verdict.novelty,
            r=verdict.repetition,
            d=verdict.load,
            input_freq=verdict.frequency,
            mem_saturation=verdict.saturation,
            p=verdict.specificity,
            a=verdict.action,
            dtech=verdict.detail,
            gconv=verdict.conversational,
            gtech=verdict.engineering,
            verdict=verdict.words(),
            veto=verdict.veto,
            reasons=verdict.reasons,
        )

    def compact_session(self, params: wire.CompactSession) -> wire.CompactionResult:
        _require(params.session_id, "session ID is required", field="sessionId")
        done = self._engine.compaction.compact(
            params.session_id,
            target=max(params.target_size, LEAST_TARGET) if params.target_size > 0 else None,
            minimum_turns=max(params.continuity_min_turns, 0),
            tail_tokens=max(params.continuity_tail_budget_tokens, 0),
            support_tokens=max(params.continuity_prior_context_tokens, 0),
        )
        return wire.CompactionResult(
            did_compact=done.did_compact,
            clusters_formed=done.clusters_formed,
            clusters_declined=done.clusters_declined,
            turns_removed=done.turns_removed,
            mean_confidence=done.mean_confidence,
            summary_method=done.summary_method or None,
            tokens_before=done.tokens_before,
            tokens_after=done.tokens_after,
            facts_kept=done.facts_kept,
            facts_listed=done.facts_listed,
            reasons=done.reasons,
        )


# ── shapes ────────────────────────────────────────────────────────────────────────────────────────────────


def _projected(snapshot: Snapshot, collection: str) -> Iterator[Record]:
    """Edges, session states and the journal as the records that clients expect to list."""
    name = parse_collection(collection)
    if name.kind is CollectionKind.COVERAGE_EDGES:
        edges = snapshot.edges(name.owner)
        children = snapshot.records([Key(child_collection(edge), edge.child) for edge in edges])
        yield from (_edge_record(collection, edge, children) for edge in edges)
    elif name.kind is CollectionKind.SESSION_STATE:
        for state in snapshot.states([name.owner]).values():
            yield _row(collection, "__session_state__", state.state, state.at, state.generation)
    elif name.kind is CollectionKind.LIFECYCLE_JOURNAL:
        for entry in snapshot.journal():
            yield _row(collection, _journal_id(entry.seq), entry.entry, entry.at)


def _edge_record(collection: str, edge: Edge, children: Mapping[Key, Record]) -> Record:
    place = child_collection(edge)
    child = children.get(Key(place, edge.child))
    metadata: dict[str, Json] = {
        KIND: RecordKind.COVERAGE_EDGE.value,
        "parent_summary_id": edge.parent,
        "child_id": edge.child,
        "child_type": edge.child_kind,
        "child_collection": place,
        "child_ts": 0 if child is None else child.at,
        "edge_order": edge.position,
        COMPACTED_AT: edge.at,
    }
    return _row(collection, f"edge:{edge.parent}:{edge.child}", metadata, edge.at)


def _require(value: str, message: str, *, field: str) -> None:
    """Refuse an empty field. The message is exact, because clients compare it."""
    if not value:
        raise InvalidInput("", message, remedy=f"Give {field} as text that is not empty.")


def _metadata(record: Record) -> dict[str, Any]:
    """Metadata as clients see it: the text and the access count stand in it too."""
    text = {"text": record.text} if record.text else {}
    return {**record.metadata, **text, "access_count": record.access_count}


def _wire_record(record: Record, *, score: float = 0.0, with_collection: bool = False) -> wire.WireRecord:
    place = {"collection": record.collection} if with_collection else {}
    metadata = {**_metadata(record), **place}
    return wire.WireRecord(id=record.id, score=score, text=record.text, metadata=metadata, version=record.version)


def _row(collection: str, id: str, metadata: Mapping[str, Json], at: int, version: int = 1) -> Record:
    return Record(collection=collection, id=id, text="", metadata=metadata, at=at, version=version, access_count=0)


def _ends_the_talk(hint: wire.SessionLifecycleHint) -> bool:
    return hint.hook == "session_end" and hint.reason in ENDINGS


def _journal_id(seq: int) -> str:
    """Ids that sort as the entries came."""
    return f"hint:{seq:012}"


def _deserves_to_last(entry: wire.DreamEntry) -> bool:
    return deserves_to_last(
        text=entry.text,
        score=entry.score,
        recall_count=entry.recall_count,
        unique_queries=entry.unique_queries,
    )
