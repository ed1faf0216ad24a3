"""What existing clients of the protocol speak. Unknown fields are ignored, because some clients send them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from libravdb.model import Watching
from libravdb.text.tokens import ESTIMATOR
from libravdb.wire.methods.method import AnyMethod, Method, MethodPace, NoParams, Object, Ok

# ── params ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class EnsureCollections:
    collections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertText:
    collection: str = ""
    id: str = ""
    text: str = ""
    metadata: Object = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertSessionTurn:
    session_id: str = ""
    id: str = ""
    text: str = ""
    metadata: Object = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchText:
    collection: str = ""
    text: str = ""
    k: int = 0
    exclude_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTextCollections:
    collections: tuple[str, ...] = ()
    text: str = ""
    k: int = 0
    exclude_by_collection: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCollection:
    collection: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListByMeta:
    collection: str = ""
    key: str = ""
    value: Any = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessUpdate:
    collection: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BumpAccessCounts:
    updates: tuple[AccessUpdate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Delete:
    collection: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteBatch:
    collection: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GatingScalar:
    user_id: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactSession:
    session_id: str = ""
    force: bool = False
    target_size: int = 20
    continuity_min_turns: int = 0
    continuity_tail_budget_tokens: int = 128
    continuity_prior_context_tokens: int = 96


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandSummary:
    session_id: str = ""
    summary_id: str = ""
    max_depth: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRawSession:
    session_id: str = ""
    text: str = ""
    k: int = 0
    exclude_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMeta:
    """Where an authored document came from."""

    source_root: str = ""
    source_path: str = ""
    source_kind: str = ""
    file_hash: str = ""
    source_size: int = 0
    source_mtime_ms: int = 0
    ingest_version: int = 0
    hash_backend: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestMarkdownDocument:
    source_doc: str = ""
    text: str = ""
    tokenizer_id: str = ESTIMATOR
    core_doc: bool = False
    source_meta: SourceMeta = field(default_factory=SourceMeta)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteAuthoredDocument:
    source_doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamEntry:
    text: str = ""
    score: float = 0.0
    recall_count: int = 0
    unique_queries: int = 0
    section: str = ""
    line: int = 0
    source_line: int = 0
    metadata: Object = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromoteDreamEntries:
    user_id: str = ""
    source_doc: str = ""
    source_root: str = ""
    source_path: str = ""
    source_kind: str = ""
    file_hash: str = ""
    source_size: int = 0
    source_mtime_ms: int = 0
    ingest_version: int = 0
    hash_backend: str = ""
    entries: tuple[DreamEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLifecycleHint:
    hook: str = ""
    reason: str = ""
    session_file: str = ""
    session_id: str = ""
    session_key: str = ""
    agent_id: str = ""
    workspace_dir: str = ""
    message_count: int = 0
    duration_ms: int = 0
    transcript_archived: bool = False
    next_session_id: str = ""
    next_session_key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLifecycleJournal:
    session_id: str = ""
    limit: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceParams:
    namespace: str = ""
    user_id: str = ""


# ── results ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertResult:
    """`id` tells under which id the text stands when that is not the one asked for."""

    ok: bool = True
    id: str | None = None
    degraded: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthResult:
    ok: bool
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusResult:
    ok: bool
    message: str
    turn_count: int
    memory_count: int
    lifecycle_hint_count: int
    gating_threshold: float
    abstractive_ready: bool
    embedding_profile: str
    mode: str
    version: str
    record_count: int
    collection_count: int
    unembedded_count: int
    store_path: str
    store_bytes: int
    uptime_seconds: float
    calls: Object
    watch: Watching | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WireRecord:
    """`metadata` also carries text, access_count and, in searches, the collection."""

    id: str
    score: float
    text: str
    metadata: Object
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """`mode` and `degraded` are there only when the answer is reduced."""

    results: tuple[WireRecord, ...]
    mode: str | None = None
    degraded: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bumped:
    ok: bool = True
    unknown: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GatingResult:
    """The decomposition of the score; `verdict` and `reasons` tell it in words, `veto` names what forbids keeping."""

    g: float
    t: float
    h: float
    r: float
    d: float
    input_freq: float
    mem_saturation: float
    p: float
    a: float
    dtech: float
    gconv: float
    gtech: float
    verdict: str
    veto: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionResult:
    did_compact: bool
    clusters_formed: int
    clusters_declined: int
    turns_removed: int
    mean_confidence: float
    summary_method: str | None = None
    tokens_before: int = 0
    tokens_after: int = 0
    facts_kept: int = 0
    facts_listed: int = 0
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestedDocument:
    """`outcome`: added, changed or unchanged."""

    ok: bool = True
    nodes: int = 0
    outcome: str = ""
    degraded: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted:
    promoted: int
    rejected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HintResult:
    ok: bool
    hook: str
    session_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedRecord:
    collection: str
    id: str
    text: str
    metadata: Object


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    records: tuple[ExportedRecord, ...]


# ── the table ──────────────────────────────────────────────────────────────────────────────────────────

# fmt: off
HEALTH = Method(name="health", params=NoParams, result=HealthResult, about="Whether the daemon serves; a reduced mode that works is ok.", pace=MethodPace.QUICK, is_repeatable=True)
STATUS = Method(name="status", params=NoParams, result=StatusResult, about="Counts, mode, versions, and for each method calls and latencies.", is_repeatable=True)
ENSURE_COLLECTIONS = Method(name="ensure_collections", params=EnsureCollections, result=Ok, about="Make collections exist.", is_repeatable=True)
INSERT_TEXT = Method(name="insert_text", params=InsertText, result=InsertResult, about="Keep a text. The identical repeat changes nothing; other metadata replaces the old; another text under the same id is kept under a derived id, which the result names.", is_repeatable=True)
INSERT_SESSION_TURN = Method(name="insert_session_turn", params=InsertSessionTurn, result=InsertResult, about="Keep a turn in the session's active view and in its raw history, in one transaction.", is_repeatable=True)
SEARCH_TEXT = Method(name="search_text", params=SearchText, result=Results, about="The records of a collection nearest to a text; k ≤ 0 gives all.", is_repeatable=True)
SEARCH_TEXT_COLLECTIONS = Method(name="search_text_collections", params=SearchTextCollections, result=Results, about="The k best of each collection, merged by score, collection, id and cut to k; k ≤ 0 gives none.", is_repeatable=True)
LIST_COLLECTION = Method(name="list_collection", params=ListCollection, result=Results, about="All records by id; authored ones by document, position, ordinal, id.", is_repeatable=True)
LIST_BY_META = Method(name="list_by_meta", params=ListByMeta, result=Results, about="Records whose metadata key equals the value, in the same order.", is_repeatable=True)
BUMP_ACCESS_COUNTS = Method(name="bump_access_counts", params=BumpAccessCounts, result=Bumped, about="Count one access for each distinct id; unknown ones are skipped and counted.")
DELETE = Method(name="delete", params=Delete, result=Ok, about="Delete a record; an unknown one is no error.", is_repeatable=True)
DELETE_BATCH = Method(name="delete_batch", params=DeleteBatch, result=Ok, about="Delete records, all or none; unknown ones are no error.", is_repeatable=True)
GATING_SCALAR = Method(name="gating_scalar", params=GatingScalar, result=GatingResult, about="How much a text deserves to become durable memory.", is_repeatable=True)
COMPACT_SESSION = Method(name="compact_session", params=CompactSession, result=CompactionResult, about="Fold a session's older turns into summaries.", is_repeatable=True)
EXPAND_SUMMARY = Method(name="expand_summary", params=ExpandSummary, result=Results, about="What a summary covers, down to the depth given; an unknown summary gives none.", is_repeatable=True)
QUERY_RAW_SESSION = Method(name="query_raw_session", params=QueryRawSession, result=Results, about="Search the raw history of a session.", is_repeatable=True)
INGEST_MARKDOWN_DOCUMENT = Method(name="ingest_markdown_document", params=IngestMarkdownDocument, result=IngestedDocument, about="Keep an authored document: its nodes replace those of its former version in one transaction. An unchanged one costs nothing; one whose hard rules exceed their budget is refused, and the former version stays.", is_repeatable=True)
DELETE_AUTHORED_DOCUMENT = Method(name="delete_authored_document", params=DeleteAuthoredDocument, result=Ok, about="Delete an authored document; an unknown one is fine.", is_repeatable=True)
PROMOTE_DREAM_ENTRIES = Method(name="promote_dream_entries", params=PromoteDreamEntries, result=Promoted, about="Replace a source's dream entries by those that deserve it: text of at least 16 bytes, score ≥ .6, recalled at least twice by at least two questions.", is_repeatable=True)
SESSION_LIFECYCLE_HINT = Method(name="session_lifecycle_hint", params=SessionLifecycleHint, result=HintResult, about="Note an event of a session in the journal. On `before_reset`, and on `session_end` for a reason that ends the conversation, the lifecycle methods begin the session anew under its id; what was said stays in the history.")
LIST_LIFECYCLE_JOURNAL = Method(name="list_lifecycle_journal", params=ListLifecycleJournal, result=Results, about="Journal entries, newest last; limit keeps the newest.", is_repeatable=True)
EXPORT_MEMORY = Method(name="export_memory", params=NamespaceParams, result=Exported, about="The durable memory of a namespace and its sub-collections; without one, everything.", pace=MethodPace.LONG, is_repeatable=True)
FLUSH_NAMESPACE = Method(name="flush_namespace", params=NamespaceParams, result=Ok, about="Delete exactly this namespace: durable memory, turns, elevated and dream records.", pace=MethodPace.LONG, is_repeatable=True)
FLUSH = Method(name="flush", params=NoParams, result=Ok, about="Nothing to do: writes are durable when they are acknowledged.", pace=MethodPace.QUICK, is_repeatable=True)

STORAGE_METHODS: tuple[AnyMethod, ...] = (
    HEALTH, STATUS, ENSURE_COLLECTIONS, INSERT_TEXT, INSERT_SESSION_TURN, SEARCH_TEXT, SEARCH_TEXT_COLLECTIONS,
    LIST_COLLECTION, LIST_BY_META, BUMP_ACCESS_COUNTS, DELETE, DELETE_BATCH, GATING_SCALAR, COMPACT_SESSION,
    EXPAND_SUMMARY, QUERY_RAW_SESSION, INGEST_MARKDOWN_DOCUMENT, DELETE_AUTHORED_DOCUMENT, PROMOTE_DREAM_ENTRIES,
    SESSION_LIFECYCLE_HINT, LIST_LIFECYCLE_JOURNAL, EXPORT_MEMORY, FLUSH_NAMESPACE, FLUSH,
)
# fmt: on
