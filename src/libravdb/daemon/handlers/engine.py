"""The methods of our own, for clients that want more than storage: those that are more than a verb of the engine."""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from libravdb.daemon.dispatch import Handler
from libravdb.daemon.handlers.forwarding import forwarding_handlers
from libravdb.engine.engine import Engine
from libravdb.errors import DaemonError, InvalidInput
from libravdb.model import (
    Answer,
    BackupCopy,
    ErasureReview,
    Imported,
    MovedMemory,
    Retained,
    SignedErasure,
    Status,
    Watching,
)
from libravdb.wire.methods import engine as wire
from libravdb.wire.methods.identity import asked_namespace
from libravdb.wire.methods.method import NoParams
from libravdb.wire.methods.search import SearchParams


class EngineMethods:
    """One method of this class per method of the protocol that names no verb, by the same name."""

    def __init__(
        self,
        engine: Engine,
        *,
        stopping: threading.Event | None = None,
        watching: Callable[[], Watching | None] = lambda: None,
    ) -> None:
        self._engine = engine
        self._stopping = stopping or threading.Event()
        self._watching = watching

    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each method."""
        own = {method.name: getattr(self, method.name) for method in wire.ENGINE_METHODS if not method.verb}
        return forwarding_handlers(self._engine, wire.ENGINE_METHODS) | own

    def search(self, params: SearchParams) -> Answer:
        return self._engine.search(
            params.question,
            collections=params.collections,
            namespace=asked_namespace(params),
            session=params.session and self._engine.sessions.current(params.session),
            scopes=params.scopes,
            k=params.k,
            budget=params.budget,
            where=params.where,
            exclude={name: frozenset(ids) for name, ids in params.exclude.items()},
            as_of=params.as_of,
            is_quiet=params.is_quiet,
            notes_of=params.notes_of,
        )

    def drop_collections(self, params: wire.DropCollectionsParams) -> wire.Counted:
        if sum((bool(params.names), bool(params.namespace), params.everything)) > 1:
            raise InvalidInput(
                "params", "name more than one thing to delete", remedy="Give names, namespace or everything."
            )
        if params.everything:
            return wire.Counted(records=self._engine.deletions.flush_everything())
        if params.namespace:
            return wire.Counted(records=self._engine.deletions.flush_namespace(params.namespace))
        return wire.Counted(records=self._engine.deletions.flush(params.names))

    def erase_namespace(self, params: wire.EraseNamespaceParams) -> SignedErasure:
        return self._engine.erasures.erase(params.namespace, with_name=params.with_name)

    def move_namespace(self, params: wire.MoveNamespaceParams) -> MovedMemory:
        return self._engine.deletions.move_namespace(params.from_, to_namespace=params.to, is_dry_run=params.dry_run)

    def retain(self, params: wire.RetainParams) -> Retained:
        return self._engine.retention.retain(is_dry_run=params.dry_run, progress=self.go_on)

    def verify_erasure(self, params: wire.VerifyErasureParams) -> ErasureReview:
        return self._engine.erasures.verify(params.certificate)

    def list_documents(self, _: NoParams) -> wire.DocumentsResult:
        return wire.DocumentsResult(documents=tuple(self._engine.documents.list().values()))

    def lint_authored(self, params: wire.LintParams) -> wire.LintResult:
        given = {document.source_doc: document.text for document in params.documents}
        remarks = self._engine.documents.review(given or None)
        return wire.LintResult(
            remarks=tuple(
                wire.WireRemark(
                    kind=remark.kind,
                    severity=remark.severity,
                    message=remark.message,
                    places=tuple(
                        wire.RemarkPlace(source_doc=spot.file, line=spot.line, text=spot.text) for spot in remark.places
                    ),
                )
                for remark in remarks
            )
        )

    def describe(self, _: NoParams) -> Status:
        return dataclasses.replace(self._engine.status(), watch=self._watching())

    def reembed(self, params: wire.ReembedParams) -> wire.ReembedResult:
        match params.step:
            case "run":
                return wire.ReembedResult(run=self._engine.embeddings.reembed(force=params.force, progress=self.go_on))
            case "rollback":
                return wire.ReembedResult(active=self._engine.embeddings.roll_back())
            case "prune":
                return wire.ReembedResult(dropped=tuple(self._engine.embeddings.drop_unused()))
            case "missing":
                embedded, degraded = self._engine.embeddings.embed_missing(self.go_on)
                return wire.ReembedResult(embedded=embedded, degraded=degraded)
        raise InvalidInput("step", f"is {params.step!r}, not one of run, rollback, prune, missing")

    def export_file(self, params: wire.ExportFileParams) -> wire.Counted:
        if params.namespace:
            path = _absolute(params.path)
            records = self._engine.namespaces.export_file(path, namespace=params.namespace, progress=self.go_on)
            return wire.Counted(records=records)
        records = self._engine.upkeep.export_file(
            _absolute(params.path),
            collections=params.collections,
            with_vectors=params.with_vectors,
            progress=self.go_on,
        )
        return wire.Counted(records=records)

    def import_file(self, params: wire.FileParams) -> Imported:
        return self._engine.upkeep.import_file(_absolute(params.path), self.go_on)

    def backup(self, params: wire.FileParams) -> BackupCopy:
        return self._engine.upkeep.backup(_absolute(params.path), self.go_on)

    def go_on(self, done: int, total: int) -> None:
        """Told of progress in long work; breaks it off when the daemon is asked to stop. All of it can be resumed."""
        if self._stopping.is_set():
            raise DaemonError(
                f"The daemon is stopping; the work was broken off after {done:,} of {total:,}.",
                remedy="Start it again and repeat: what was done stays done.",
            )


def _absolute(path: str) -> Path:
    if not os.path.isabs(path) or "\0" in path:  # noqa: PTH117 - also true for an empty text
        raise InvalidInput("path", f"{path!r} is not an absolute path", remedy="Our working directory is not yours.")
    return Path(path)
