"""The table of methods: names, params, results, and the codes of errors. `docs/protocol.md` is made from it.

Fields are written in snake_case here and in camelCase on the wire. Params of storage methods ignore unknown fields,
because existing clients send some; those of our own lifecycle methods refuse them by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from libravdb import errors
from libravdb.model import (
    ANYTHING,
    Answer,
    AssemblyMode,
    Authored,
    Bootstrapped,
    CollectionInfo,
    Committed,
    Compacted,
    DocumentInfo,
    Explained,
    GateAccount,
    Imported,
    Judged,
    Note,
    Prompt,
    Record,
    Reembedded,
    Remembered,
    Scope,
    Status,
    Watching,
    Where,
)
from libravdb.text.tokens import ESTIMATOR

Object = Mapping[str, Any]


# ── params ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class NoParams:
    """Nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Authenticate:
    """The token of a TCP endpoint; the first request of each connection there."""

    token: str = ""


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


# params of our own methods: unknown fields are refused


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberParams:
    notes: tuple[Note, ...]
    replace: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchParams:
    """Collections by name, or the scopes of a namespace, which is named or follows from who asks; `budget` in tokens,
    `as_of` a past moment."""

    question: str
    collections: tuple[str, ...] = ()
    namespace: str | None = None
    user_id: str = ""
    session_key: str = ""
    agent_id: str = ""
    session: str | None = None
    scopes: tuple[Scope, ...] = tuple(Scope)
    k: int | None = None
    budget: int | None = None
    where: Where = ANYTHING
    exclude: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    as_of: int | None = None
    is_quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetParams:
    collection: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRecordsParams:
    collection: str
    limit: int = 20
    where: Where = ANYTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCollectionsParams:
    prefix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DropCollectionsParams:
    """One of the three. `namespace`: all that belongs to it, its sessions included. `everything`: all collections, and
    session states, coverage and journal with them."""

    names: tuple[str, ...] = ()
    namespace: str = ""
    everything: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFileParams:
    """`collections` empty: everything. The daemon writes the file, so it must be on its machine."""

    path: str
    collections: tuple[str, ...] = ()
    with_vectors: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileParams:
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReembedParams:
    """`step`: run, rollback, prune, or missing (only texts without vectors)."""

    step: str = "run"
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorParams:
    """`core` missing: the document's file name decides. `sourceMeta` is kept with it as it is."""

    source_doc: str
    text: str
    core: bool | None = None
    tokenizer: str = ESTIMATOR
    source_meta: Object = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentParams:
    source_doc: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenDocument:
    source_doc: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LintParams:
    """`documents` are read as core documents and not stored; without any, the stored rules are looked at."""

    documents: tuple[GivenDocument, ...] = ()


# params of the lifecycle methods: they name who speaks, and the namespace follows from it


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityParams:
    """Who is meant: the first of these that is given names the namespace."""

    user_id: str = ""
    session_key: str = ""
    agent_id: str = ""
    session_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerParams:
    """Who speaks, in a session that must be named."""

    session_id: str
    user_id: str = ""
    session_key: str = ""
    agent_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapParams(SpeakerParams):
    """`messages`: the session's transcript from its start, if the host has one."""

    messages: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestParams(SpeakerParams):
    """`message`: text, or an object with role and content, in the shape of any known host."""

    message: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestBatchParams(SpeakerParams):
    """`is_transcript`: the messages are the session from its start, not only what is new."""

    messages: tuple[Any, ...]
    is_transcript: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitTurnParams(SpeakerParams):
    """`key`: the host's name for this turn; a retry comes under the same. `is_heartbeat`: nothing is kept."""

    key: str
    messages: tuple[Any, ...]
    is_heartbeat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembleParams(SpeakerParams):
    """`messages`: what the host shows anyway; in window mode its whole history. `turn`: a name for the current turn."""

    token_budget: int
    prompt: str = ""
    messages: tuple[Any, ...] = ()
    mode: AssemblyMode = AssemblyMode.AUGMENT
    turn: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactParams:
    """Missing numbers: as configured."""

    session_id: str
    target_turns: int | None = None
    minimum_turns: int | None = None
    tail_tokens: int | None = None
    support_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandParams:
    session_id: str
    summary_id: str
    max_depth: int = 3
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainParams(IdentityParams):
    """`receipt` empty: the newest."""

    receipt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNotParams(IdentityParams):
    """`id`: of a turn or memory. `receipt` empty: the newest."""

    id: str
    receipt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNotResult:
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackParams(IdentityParams):
    """`id`: of a memory or a judged turn."""

    id: str
    useful: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeParams(IdentityParams):
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMemoryParams(IdentityParams):
    """`id` and `scope` of a hit; a session's own scopes have none, what was said in it is in `history`."""

    id: str
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class SupersessionParams(IdentityParams):
    """`id`: of the memory that was taken to be outdated."""

    id: str


# ── results ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Ok:
    ok: bool = True


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberResult:
    remembered: tuple[Remembered, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsResult:
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionsResult:
    collections: tuple[CollectionInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsResult:
    documents: tuple[DocumentInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkPlace:
    source_doc: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WireRemark:
    """`kind`: contradiction, duplicate, vague or budget. `severity`: error, warning or hint."""

    kind: str
    severity: str
    message: str
    places: tuple[RemarkPlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LintResult:
    remarks: tuple[WireRemark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReembedResult:
    """What was done: the run's account, the space gone back to, the spaces dropped, or the texts embedded."""

    run: Reembedded | None = None
    active: str | None = None
    dropped: tuple[str, ...] = ()
    embedded: int = 0
    degraded: str = ""


# ── the table ─────────────────────────────────────────────────────────────────────────────────────────────


class MethodPace(StrEnum):
    """How long a method may take. Each pace has threads of its own, so that the slow never hold up the quick."""

    QUICK = "quick"
    USUAL = "usual"
    LONG = "long"


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One method: what it takes, what it gives, and what there is to know about it."""

    name: str
    params: type
    result: type
    about: str
    is_strict: bool = False
    is_local: bool = False
    pace: MethodPace = MethodPace.USUAL


STORAGE_METHODS: tuple[Method, ...] = (
    Method(name="health", params=NoParams, result=HealthResult, about="Whether the daemon serves; a reduced mode that works is ok.", pace=MethodPace.QUICK),
    Method(name="status", params=NoParams, result=StatusResult, about="Counts, mode, versions, and for each method calls and latencies."),
    Method(name="ensure_collections", params=EnsureCollections, result=Ok, about="Make collections exist."),
    Method(name="insert_text", params=InsertText, result=InsertResult, about="Keep a text. The identical repeat changes nothing; other metadata replaces the old; another text under the same id is kept under a derived id, which the result names."),
    Method(name="insert_session_turn", params=InsertSessionTurn, result=InsertResult, about="Keep a turn in the session's active view and in its raw history, in one transaction."),
    Method(name="search_text", params=SearchText, result=Results, about="The records of a collection nearest to a text; k ≤ 0 gives all."),
    Method(name="search_text_collections", params=SearchTextCollections, result=Results, about="The k best of each collection, merged by score, collection, id and cut to k; k ≤ 0 gives none."),
    Method(name="list_collection", params=ListCollection, result=Results, about="All records by id; authored ones by document, position, ordinal, id."),
    Method(name="list_by_meta", params=ListByMeta, result=Results, about="Records whose metadata key equals the value, in the same order."),
    Method(name="bump_access_counts", params=BumpAccessCounts, result=Bumped, about="Count one access for each distinct id; unknown ones are skipped and counted."),
    Method(name="delete", params=Delete, result=Ok, about="Delete a record; an unknown one is no error."),
    Method(name="delete_batch", params=DeleteBatch, result=Ok, about="Delete records, all or none; unknown ones are no error."),
    Method(name="gating_scalar", params=GatingScalar, result=GatingResult, about="How much a text deserves to become durable memory."),
    Method(name="compact_session", params=CompactSession, result=CompactionResult, about="Fold a session's older turns into summaries."),
    Method(name="expand_summary", params=ExpandSummary, result=Results, about="What a summary covers, down to the depth given; an unknown summary gives none."),
    Method(name="query_raw_session", params=QueryRawSession, result=Results, about="Search the raw history of a session."),
    Method(name="ingest_markdown_document", params=IngestMarkdownDocument, result=IngestedDocument, about="Keep an authored document: its nodes replace those of its former version in one transaction. An unchanged one costs nothing; one whose hard rules exceed their budget is refused, and the former version stays."),
    Method(name="delete_authored_document", params=DeleteAuthoredDocument, result=Ok, about="Delete an authored document; an unknown one is fine."),
    Method(name="promote_dream_entries", params=PromoteDreamEntries, result=Promoted, about="Replace a source's dream entries by those that deserve it: text of at least 16 bytes, score ≥ .6, recalled at least twice by at least two questions."),
    Method(name="session_lifecycle_hint", params=SessionLifecycleHint, result=HintResult, about="Note an event of a session in the journal. On `before_reset`, and on `session_end` for a reason that ends the conversation, the lifecycle methods begin the session anew under its id; what was said stays in the history."),
    Method(name="list_lifecycle_journal", params=ListLifecycleJournal, result=Results, about="Journal entries, newest last; limit keeps the newest."),
    Method(name="export_memory", params=NamespaceParams, result=Exported, about="The durable memory of a namespace and its sub-collections; without one, everything.", pace=MethodPace.LONG),
    Method(name="flush_namespace", params=NamespaceParams, result=Ok, about="Delete exactly this namespace: durable memory, turns, elevated and dream records.", pace=MethodPace.LONG),
    Method(name="flush", params=NoParams, result=Ok, about="Nothing to do: writes are durable when they are acknowledged.", pace=MethodPace.QUICK),
)  # fmt: skip
ENGINE_METHODS: tuple[Method, ...] = (
    Method(name="remember", params=RememberParams, result=RememberResult, about="Keep texts; the same text twice is one memory.", is_strict=True),
    Method(name="search", params=SearchParams, result=Answer, about="Find by meaning and by words, with the account of every hit.", is_strict=True),
    Method(name="forget", params=ForgetParams, result=Counted, about="Delete records by id, all in one commit.", is_strict=True),
    Method(name="list_records", params=ListRecordsParams, result=RecordsResult, about="The newest records of a collection, newest first.", is_strict=True),
    Method(name="list_collections", params=ListCollectionsParams, result=CollectionsResult, about="Collections and their sizes.", is_strict=True),
    Method(name="drop_collections", params=DropCollectionsParams, result=Counted, about="Delete whole collections, all in one commit.", is_strict=True, pace=MethodPace.LONG),
    Method(name="describe", params=NoParams, result=Status, about="How the engine searches, with what, over what.", is_strict=True),
    Method(name="author", params=AuthorParams, result=Authored, about="Keep a Markdown document in tiers; a changed one replaces its former self in one transaction, an unchanged one costs nothing.", is_strict=True),
    Method(name="withdraw", params=DocumentParams, result=Counted, about="Delete an authored document with all of its nodes.", is_strict=True),
    Method(name="list_documents", params=NoParams, result=DocumentsResult, about="Every authored document, without its nodes.", is_strict=True),
    Method(name="list_nodes", params=DocumentParams, result=RecordsResult, about="The nodes of an authored document, in source order.", is_strict=True),
    Method(name="lint_authored", params=LintParams, result=LintResult, about="What the author of rules should look at: contradictions, duplicates, rules too vague to follow, the budget. Errors first. Documents that are given are read as core documents and not stored; without any, the stored rules are looked at.", is_strict=True),
    Method(name="reembed", params=ReembedParams, result=ReembedResult, about="Rebuild vectors with the configured embedder, go back, or delete unused ones.", is_strict=True, pace=MethodPace.LONG),
    Method(name="export_file", params=ExportFileParams, result=Counted, about="Write an export to a file of the daemon's machine; unix sockets only.", is_strict=True, is_local=True, pace=MethodPace.LONG),
    Method(name="import_file", params=FileParams, result=Imported, about="Read an export from a file of the daemon's machine; unix sockets only.", is_strict=True, is_local=True, pace=MethodPace.LONG),
    Method(name="backup", params=FileParams, result=Ok, about="Copy the store to a new file of the daemon's machine; unix sockets only.", is_strict=True, is_local=True, pace=MethodPace.LONG),
)  # fmt: skip
LIFECYCLE_METHODS: tuple[Method, ...] = (
    Method(name="bootstrap", params=BootstrapParams, result=Bootstrapped, about="Open a session and take in what its transcript holds that is not stored yet. The same again adds nothing.", is_strict=True, pace=MethodPace.LONG),
    Method(name="ingest", params=IngestParams, result=Committed, about="Take in one message: raw history, the session's view, the gate's verdict. Durable when it returns.", is_strict=True),
    Method(name="ingest_batch", params=IngestBatchParams, result=Committed, about="Take in new messages, in order. What the session holds already is known, not stored again.", is_strict=True),
    Method(name="commit_turn", params=CommitTurnParams, result=Committed, about="Take in the messages of one turn of the host, all or none, once per key.", is_strict=True),
    Method(name="assemble", params=AssembleParams, result=Prompt, about="What the model should see for a prompt, under a hard token budget: rules, recent turns, guidance, memories. The same state gives the same bytes.", is_strict=True),
    Method(name="compact", params=CompactParams, result=Compacted, about="Fold what is older than the recent tail of a session into summaries; raw turns stay and can be reached.", is_strict=True, pace=MethodPace.LONG),
    Method(name="expand", params=ExpandParams, result=RecordsResult, about="What a summary stands for, in order, down to a depth and within a token budget.", is_strict=True),
    Method(name="explain", params=ExplainParams, result=Explained, about="The account of an assembly: every item with its reasons, all that was left out, the budget.", is_strict=True),
    Method(name="why_not", params=WhyNotParams, result=WhyNotResult, about="Why a turn or memory does not stand in a prompt, in words.", is_strict=True),
    Method(name="judge", params=JudgeParams, result=Judged, about="The gate's verdict on a text with every reason; nothing is stored.", is_strict=True),
    Method(name="feedback", params=FeedbackParams, result=Ok, about="Tell whether a memory was useful: the gate's threshold can be calibrated by it.", is_strict=True),
    Method(name="gate_report", params=IdentityParams, result=GateAccount, about="How the gate decided so far: distributions, the share that was kept, a threshold that feedback suggests.", is_strict=True, pace=MethodPace.LONG),
    Method(name="read_memory", params=ReadMemoryParams, result=RecordsResult, about="One memory of a namespace by its id and scope, whole; none when the namespace has none of that id.", is_strict=True),
    Method(name="restore_memory", params=SupersessionParams, result=Ok, about="Undo that a memory was taken to be outdated by a newer one; both stay.", is_strict=True),
)  # fmt: skip
CONNECTION_METHODS: tuple[Method, ...] = (
    Method(name="authenticate", params=Authenticate, result=Ok, about="Show the token of a TCP endpoint.", is_strict=True, pace=MethodPace.QUICK),
)  # fmt: skip
METHODS: Mapping[str, Method] = {
    method.name: method for method in (*STORAGE_METHODS, *ENGINE_METHODS, *LIFECYCLE_METHODS, *CONNECTION_METHODS)
}


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────────

INVALID_REQUEST = -32600
UNKNOWN_METHOD = -32601
CRASHED = -32603
UNAUTHENTICATED = -32001
RESTART = "After an upgrade restart the daemon; 'libravdb service install' does it for an installed one."
"""What helps when daemon and client are of different versions."""
CODES: tuple[tuple[type[errors.LibraError], int], ...] = (
    (errors.InvalidInput, -32602),
    (errors.NotFound, -32004),
    (errors.AssemblyBroken, -32006),
    (errors.DocumentTooHard, -32005),
    (errors.Conflict, -32009),
    (errors.ConfigError, -32010),
    (errors.StoreFull, -32021),
    (errors.StoreUnwritable, -32022),
    (errors.StoreCorrupt, -32023),
    (errors.StoreTooNew, -32024),
    (errors.StoreBusy, -32025),
    (errors.StoreClosed, -32026),
    (errors.StoreError, -32020),
    (errors.SpaceMismatch, -32031),
    (errors.EmbedderError, -32030),
    (errors.SummariserError, -32032),
    (errors.DaemonError, -32040),
    (errors.LibraError, -32000),
)
"""The first class that fits gives the code."""


def code_of(error: errors.LibraError) -> int:
    """The code of an error on the wire."""
    return next(code for cls, code in CODES if isinstance(error, cls))
