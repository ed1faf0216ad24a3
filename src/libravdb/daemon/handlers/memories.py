"""Memories by id, and lists: of memories, of sessions, of namespaces; one namespace in and out."""

from __future__ import annotations

from collections.abc import Mapping

from libravdb.daemon.dispatch import Handler
from libravdb.daemon.handlers.forwarding import forwarding_handlers
from libravdb.daemon.handlers.transfer import TransferMethods
from libravdb.engine.engine import Engine
from libravdb.model import Imported
from libravdb.ports.clock import Progress, no_progress
from libravdb.wire.methods import memories as wire
from libravdb.wire.methods.identity import namespace_of
from libravdb.wire.methods.lifecycle import IdentityParams
from libravdb.wire.methods.method import RecordsResult
from libravdb.wire.methods.transfer import OpenedExport


class MemoryMethods:
    """One method of this class per method of the protocol that names no verb, by the same name."""

    def __init__(self, engine: Engine, transfers: TransferMethods, *, progress: Progress = no_progress) -> None:
        self._engine = engine
        self._transfers = transfers
        self._progress = progress

    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each method."""
        own = {method.name: getattr(self, method.name) for method in wire.MEMORY_METHODS if not method.verb}
        return forwarding_handlers(self._engine, wire.MEMORY_METHODS) | own

    def find_memory(self, params: wire.FindMemoryParams) -> RecordsResult:
        found = self._engine.memories.find(params.id, namespace=namespace_of(params))
        return RecordsResult(records=() if found is None else (found,))

    def list_memories(self, params: wire.ListMemoriesParams) -> wire.RecordPage:
        page = self._engine.memories.list(
            namespace=namespace_of(params),
            scope=params.scope,
            where=params.where,
            limit=params.limit,
            after=params.after,
        )
        return wire.RecordPage(records=page.items, next=page.next)

    def list_sessions(self, params: wire.ListSessionsParams) -> wire.SessionPage:
        page = self._engine.sessions.list(namespace=namespace_of(params), limit=params.limit, after=params.after)
        return wire.SessionPage(sessions=page.items, next=page.next)

    def list_namespaces(self, params: wire.ListNamespacesParams) -> wire.NamespacePage:
        page = self._engine.namespaces.list(
            patterns=params.patterns, limit=params.limit, after=params.after, with_sizes=params.with_sizes
        )
        return wire.NamespacePage(namespaces=page.items, next=page.next)

    def open_namespace_export(self, params: IdentityParams) -> OpenedExport:
        whose = namespace_of(params)
        return self._transfers.opened(
            lambda path: self._engine.namespaces.write_private(path, namespace=whose, progress=self._progress),
            namespace=whose,
        )

    def import_namespace(self, params: wire.ImportNamespaceParams) -> Imported:
        return self._engine.namespaces.import_lines(
            (params.header, *params.lines),
            namespace=namespace_of(params),
            progress=self._progress,
            first_line=params.first_line,
        )
