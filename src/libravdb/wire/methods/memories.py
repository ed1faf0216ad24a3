"""Memories by their ids, lists of them, of sessions and of namespaces. Unknown fields are refused."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model import ANYTHING, Imported, NamespaceInfo, Record, Scope, SessionInfo, Where
from libravdb.model.namespaces import ANY
from libravdb.wire.methods.lifecycle import IdentityParams
from libravdb.wire.methods.method import AnyMethod, Method, MethodPace, Object, RecordsResult
from libravdb.wire.methods.transfer import OpenedExport

# ── params ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class FindMemoryParams(IdentityParams):
    """`id`: of a memory, a turn, a summary or a wish, as any method shows it."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMemoriesParams(IdentityParams):
    """`scope`: one that needs no session. `after`: the `next` of the page before."""

    scope: Scope = Scope.DURABLE
    where: Where = ANYTHING
    limit: int = 100
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMemoryParams(IdentityParams):
    """`text`, `metadata`, `expires_at` or several of them. Keys of `metadata` are set, those that are null go, all
    others stay. `at`: since when a new text counts, now if it is missing. `expires_at`: from when on the memory is shown
    by nothing (milliseconds, an ISO time, or a span such as 30d); `never` lifts that."""

    id: str
    text: str | None = None
    metadata: Object | None = None
    at: int | None = None
    expires_at: int | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryHistoryParams(IdentityParams):
    """`id`: of a memory."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSessionsParams(IdentityParams):
    """`after`: the `next` of the page before."""

    limit: int = 100
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNamespacesParams:
    """`patterns`: names, or `*` for any run of characters; with a token, those of its rights stand in their place.
    `after`: the `next` of the page before. `withSizes`: records and bytes are counted, which costs as much as there is;
    else both are 0."""

    patterns: tuple[str, ...] = (ANY,)
    limit: int = 100
    after: str | None = None
    with_sizes: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportNamespaceParams(IdentityParams):
    """`header`: the first line of the export; `lines`: some of the others, the first of which has the number
    `firstLine`."""

    header: str
    lines: tuple[str, ...]
    first_line: int = 2


# ── results ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPage:
    """`next`: where the following page begins; missing after the last one."""

    records: tuple[Record, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPage:
    """`next`: where the following page begins; missing after the last one."""

    sessions: tuple[SessionInfo, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespacePage:
    """`next`: where the following page begins; missing after the last one."""

    namespaces: tuple[NamespaceInfo, ...]
    next: str | None = None


# ── the table ──────────────────────────────────────────────────────────────────────────────────────────

# fmt: off
FIND_MEMORY = Method(name="find_memory", params=FindMemoryParams, result=RecordsResult, about="One record by its id, wherever a namespace has it or shares it; none when there is none of that id.", is_strict=True, is_repeatable=True)
LIST_MEMORIES = Method(name="list_memories", params=ListMemoriesParams, result=RecordPage, about="The records of a namespace in a scope, the newest first, page by page.", is_strict=True, is_repeatable=True)
UPDATE_MEMORY = Method(name="update_memory", params=UpdateMemoryParams, result=Record, verb="memories.update", about="Give a memory another text, or other metadata; what it was before stays readable as its history, where no search looks. The turn that it came from stays as it was said.", is_strict=True)
MEMORY_HISTORY = Method(name="memory_history", params=MemoryHistoryParams, result=RecordsResult, verb="memories.history", about="What a memory said before it was updated, the oldest first, and then what it says today.", is_strict=True, is_repeatable=True)
LIST_SESSIONS = Method(name="list_sessions", params=ListSessionsParams, result=SessionPage, about="The sessions in which a namespace spoke, by name: its turns there, the first and the last.", is_strict=True, is_repeatable=True)
LIST_NAMESPACES = Method(name="list_namespaces", params=ListNamespacesParams, result=NamespacePage, about="The namespaces that hold something, by name, with records and bytes; with a token, those within its rights.", is_strict=True, is_repeatable=True)
OPEN_NAMESPACE_EXPORT = Method(name="open_namespace_export", params=IdentityParams, result=OpenedExport, about="Write one moment of a namespace as JSON Lines to a private file of the daemon: all that is its own, and its part of its sessions. `read_export` reads it in pages, `close_export` deletes it.", is_strict=True, pace=MethodPace.LONG)
IMPORT_NAMESPACE = Method(name="import_namespace", params=ImportNamespaceParams, result=Imported, about="Read some lines of an export of the same namespace. What is not its own is refused, and the same again changes nothing.", is_strict=True, is_repeatable=True, pace=MethodPace.LONG)

MEMORY_METHODS: tuple[AnyMethod, ...] = (
    FIND_MEMORY, LIST_MEMORIES, UPDATE_MEMORY, MEMORY_HISTORY, LIST_SESSIONS, LIST_NAMESPACES, OPEN_NAMESPACE_EXPORT, IMPORT_NAMESPACE,
)
# fmt: on
