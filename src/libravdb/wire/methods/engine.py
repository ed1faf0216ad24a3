"""The engine's verbs, for clients that want more than storage. Unknown fields are refused by name."""

from __future__ import annotations

from dataclasses import dataclass, field

from libravdb.model import (
    ANYTHING,
    Authored,
    BackupCopy,
    CollectionInfo,
    DocumentInfo,
    ErasureReview,
    Imported,
    MovedMemory,
    Note,
    Reembedded,
    Remembered,
    Retained,
    SignedErasure,
    Status,
    Where,
)
from libravdb.text.tokens import ESTIMATOR
from libravdb.wire.methods.method import AnyMethod, Method, MethodPace, NoParams, Object, RecordsResult
from libravdb.wire.methods.search import SEARCH

# ── params ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberParams:
    notes: tuple[Note, ...]
    replace: bool = False


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
class EraseNamespaceParams:
    """`withName`: the certificate also tells the name, not only its salted digest."""

    namespace: str
    with_name: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveNamespaceParams:
    """`dryRun`: it is only counted."""

    from_: str
    to: str
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RetainParams:
    """`dryRun`: nothing is deleted, it is only counted."""

    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyErasureParams:
    """`certificate`: the text of its file, byte for byte."""

    certificate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFileParams:
    """`collections` empty: everything; `namespace`: all that is its own, and its part of its sessions. The daemon writes
    the file, so it must be on its machine."""

    path: str
    collections: tuple[str, ...] = ()
    with_vectors: bool = False
    namespace: str = ""


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


# ── results ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberResult:
    remembered: tuple[Remembered, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    records: int


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


# ── the table ──────────────────────────────────────────────────────────────────────────────────────────

# fmt: off
REMEMBER = Method(name="remember", params=RememberParams, result=RememberResult, verb="memories.remember_many", about="Keep texts; the same text twice is one memory.", is_strict=True)
FORGET = Method(name="forget", params=ForgetParams, result=Counted, verb="deletions.forget", about="Delete records by id, all in one commit.", is_strict=True)
LIST_RECORDS = Method(name="list_records", params=ListRecordsParams, result=RecordsResult, verb="memories.latest", about="The newest records of a collection, newest first.", is_strict=True, is_repeatable=True)
LIST_COLLECTIONS = Method(name="list_collections", params=ListCollectionsParams, result=CollectionsResult, verb="memories.collections", about="Collections and their sizes.", is_strict=True, is_repeatable=True)
DROP_COLLECTIONS = Method(name="drop_collections", params=DropCollectionsParams, result=Counted, about="Delete whole collections, all in one commit.", is_strict=True, pace=MethodPace.LONG)
ERASE_NAMESPACE = Method(name="erase_namespace", params=EraseNamespaceParams, result=SignedErasure, about="Delete exactly this namespace, look whether anything of it is left, and sign a certificate; when something is left, an error says where, and it can be repeated.", is_strict=True, pace=MethodPace.LONG)
MOVE_NAMESPACE = Method(name="move_namespace", params=MoveNamespaceParams, result=MovedMemory, about="Give all that belongs to exactly this namespace to another one, in one commit: turns, memories, wishes, profile, sessions. The same again finds nothing.", is_strict=True, pace=MethodPace.LONG)
RETAIN = Method(name="retain", params=RetainParams, result=Retained, about="Delete what has expired, and what is older than the rules of `retention.rules` allow, in batches; or tell for each namespace what would go.", is_strict=True, is_repeatable=True, pace=MethodPace.LONG)
VERIFY_ERASURE = Method(name="verify_erasure", params=VerifyErasureParams, result=ErasureReview, about="Whether a certificate of an erasure was signed as it is, and whether it still holds.", is_strict=True, is_repeatable=True, pace=MethodPace.LONG)
DESCRIBE = Method(name="describe", params=NoParams, result=Status, about="How the engine searches, with what, over what.", is_strict=True, is_repeatable=True)
AUTHOR = Method(name="author", params=AuthorParams, result=Authored, verb="documents.author", about="Keep a Markdown document in tiers; a changed one replaces its former self in one transaction, an unchanged one costs nothing.", is_strict=True, is_repeatable=True)
WITHDRAW = Method(name="withdraw", params=DocumentParams, result=Counted, verb="documents.withdraw", about="Delete an authored document with all of its nodes.", is_strict=True)
LIST_DOCUMENTS = Method(name="list_documents", params=NoParams, result=DocumentsResult, about="Every authored document, without its nodes.", is_strict=True, is_repeatable=True)
LIST_NODES = Method(name="list_nodes", params=DocumentParams, result=RecordsResult, verb="documents.nodes", about="The nodes of an authored document, in source order.", is_strict=True, is_repeatable=True)
LINT_AUTHORED = Method(name="lint_authored", params=LintParams, result=LintResult, about="What the author of rules should look at: contradictions, duplicates, rules too vague to follow, the budget. Errors first. Documents that are given are read as core documents and not stored; without any, the stored rules are looked at.", is_strict=True)
REEMBED = Method(name="reembed", params=ReembedParams, result=ReembedResult, about="Rebuild vectors with the configured embedder, go back, or delete unused ones.", is_strict=True, pace=MethodPace.LONG)
EXPORT_FILE = Method(name="export_file", params=ExportFileParams, result=Counted, about="Write an export to a file of the daemon's machine; unix sockets only.", is_strict=True, is_local=True, pace=MethodPace.LONG)
IMPORT_FILE = Method(name="import_file", params=FileParams, result=Imported, about="Read an export from a file of the daemon's machine; unix sockets only.", is_strict=True, is_local=True, pace=MethodPace.LONG)
BACKUP = Method(name="backup", params=FileParams, result=BackupCopy, about="Copy the store to a new file of the daemon's machine; unix sockets only.", is_strict=True, is_local=True, pace=MethodPace.LONG)

ENGINE_METHODS: tuple[AnyMethod, ...] = (
    REMEMBER, SEARCH, FORGET, LIST_RECORDS, LIST_COLLECTIONS, DROP_COLLECTIONS, ERASE_NAMESPACE, MOVE_NAMESPACE, RETAIN, VERIFY_ERASURE, DESCRIBE, AUTHOR, WITHDRAW,
    LIST_DOCUMENTS, LIST_NODES, LINT_AUTHORED, REEMBED, EXPORT_FILE, IMPORT_FILE, BACKUP,
)
# fmt: on
