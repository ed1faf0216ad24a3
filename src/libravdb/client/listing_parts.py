"""Sessions and namespaces of an engine behind a daemon."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from libravdb.client.remote_part import FOREVER, RemotePart, whose
from libravdb.model import Imported, NamespaceInfo, Page, SessionInfo
from libravdb.model.namespaces import ANY, named
from libravdb.ports.clock import Progress, no_progress
from libravdb.wire.methods import engine, memories


class RemoteSessions(RemotePart):
    def list(self, *, namespace: str, limit: int = 100, after: str | None = None) -> Page[SessionInfo]:
        params = memories.ListSessionsParams(**whose(namespace), limit=limit, after=after)
        page = self._client.call(memories.LIST_SESSIONS, params)
        return Page(items=page.sessions, next=page.next)


class RemoteNamespaces(RemotePart):
    def list(
        self,
        *,
        patterns: Sequence[str] = (ANY,),
        limit: int = 100,
        after: str | None = None,
        with_sizes: bool = True,
    ) -> Page[NamespaceInfo]:
        params = memories.ListNamespacesParams(
            patterns=tuple(patterns), limit=limit, after=after, with_sizes=with_sizes
        )
        page = self._client.call(memories.LIST_NAMESPACES, params)
        return Page(items=page.namespaces, next=page.next)

    def export_file(self, path: Path, *, namespace: str, progress: Progress = no_progress) -> int:
        if self._client.is_local:  # the daemon notes where a copy of what it holds lies
            params = engine.ExportFileParams(path=str(path.absolute()), namespace=named(namespace))
            return self._client.call(engine.EXPORT_FILE, params, seconds=FOREVER).records
        from libravdb.client.transfer import fetch_namespace  # noqa: PLC0415 - loads numpy

        return fetch_namespace(self._client, path, namespace, progress)

    def import_file(self, path: Path, *, namespace: str, progress: Progress = no_progress) -> Imported:
        from libravdb.client.transfer import send_namespace  # noqa: PLC0415 - loads numpy

        return send_namespace(self._client, path, namespace, progress)
