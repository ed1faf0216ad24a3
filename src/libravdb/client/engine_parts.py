"""Memories, documents and upkeep of an engine behind a daemon: the methods of the engine itself."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from pathlib import Path

from libravdb.client.remote_part import BATCH, FOREVER, RemotePart, whose
from libravdb.errors import DaemonError
from libravdb.model import (
    ANYTHING,
    Authored,
    BackupCopy,
    CollectionInfo,
    DocumentInfo,
    ErasureReview,
    Imported,
    Json,
    Metadata,
    MovedMemory,
    Note,
    Page,
    Record,
    Reembedded,
    Remembered,
    Retained,
    Scope,
    SignedErasure,
    Where,
)
from libravdb.model.namespaces import named
from libravdb.ports.clock import Progress, no_progress
from libravdb.text.tokens import ESTIMATOR
from libravdb.wire.methods import engine, memories
from libravdb.wire.methods.method import NoParams


class RemoteMemories(RemotePart):
    def remember(
        self,
        text: str,
        *,
        collection: str,
        id: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        at: int | None = None,
        replace: bool = False,
        expires_at: int | str | None = None,
    ) -> Remembered:
        note = Note(text=text, collection=collection, id=id, metadata=metadata, at=at, expires_at=expires_at)
        return self.remember_many([note], replace=replace)[0]

    def remember_many(
        self, notes: Sequence[Note], *, replace: bool = False, progress: Progress = no_progress
    ) -> builtins.list[Remembered]:
        done: list[Remembered] = []
        for start in range(0, len(notes), BATCH):
            params = engine.RememberParams(notes=tuple(notes[start : start + BATCH]), replace=replace)
            done.extend(self._client.call(engine.REMEMBER, params, seconds=FOREVER).remembered)
            progress(len(done), len(notes))
        return done

    def update(
        self,
        id: str,
        *,
        namespace: str,
        text: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        at: int | None = None,
        expires_at: int | str | None = None,
    ) -> Record:
        params = memories.UpdateMemoryParams(
            id=id, **whose(namespace), text=text, metadata=metadata, at=at, expires_at=expires_at
        )
        return self._client.call(memories.UPDATE_MEMORY, params)

    def history(self, id: str, *, namespace: str) -> builtins.list[Record]:
        params = memories.MemoryHistoryParams(id=id, **whose(namespace))
        return [*self._client.call(memories.MEMORY_HISTORY, params).records]

    def find(self, id: str, *, namespace: str) -> Record | None:
        params = memories.FindMemoryParams(id=id, **whose(namespace))
        return next(iter(self._client.call(memories.FIND_MEMORY, params).records), None)

    def list(
        self,
        *,
        namespace: str,
        scope: Scope = Scope.DURABLE,
        where: Where = ANYTHING,
        limit: int = 100,
        after: str | None = None,
    ) -> Page[Record]:
        params = memories.ListMemoriesParams(**whose(namespace), scope=scope, where=where, limit=limit, after=after)
        page = self._client.call(memories.LIST_MEMORIES, params)
        return Page(items=page.records, next=page.next)

    def read(self, id: str, *, namespace: str, scope: Scope) -> Record | None:
        from libravdb.wire.methods import lifecycle  # noqa: PLC0415 - the one method of another group

        params = lifecycle.ReadMemoryParams(id=id, **whose(namespace), scope=scope)
        return next(iter(self._client.call(lifecycle.READ_MEMORY, params).records), None)

    def latest(self, collection: str, *, limit: int, where: Where = ANYTHING) -> builtins.list[Record]:
        params = engine.ListRecordsParams(collection=collection, limit=limit, where=where)
        return [*self._client.call(engine.LIST_RECORDS, params).records]

    def collections(self, prefix: str = "") -> builtins.list[CollectionInfo]:
        params = engine.ListCollectionsParams(prefix=prefix)
        return [*self._client.call(engine.LIST_COLLECTIONS, params).collections]


class RemoteDeletions(RemotePart):
    def forget(self, collection: str, ids: Sequence[str]) -> int:
        return self._client.call(engine.FORGET, engine.ForgetParams(collection=collection, ids=tuple(ids))).records

    def flush(self, names: Sequence[str]) -> int:
        params = engine.DropCollectionsParams(names=tuple(names))
        return self._client.call(engine.DROP_COLLECTIONS, params, seconds=FOREVER).records

    def flush_namespace(self, namespace: str) -> int:
        params = engine.DropCollectionsParams(namespace=named(namespace))
        return self._client.call(engine.DROP_COLLECTIONS, params, seconds=FOREVER).records

    def flush_everything(self) -> int:
        params = engine.DropCollectionsParams(everything=True)
        return self._client.call(engine.DROP_COLLECTIONS, params, seconds=FOREVER).records

    def move_namespace(self, namespace: str, *, to_namespace: str, is_dry_run: bool = False) -> MovedMemory:
        params = engine.MoveNamespaceParams(from_=named(namespace), to=named(to_namespace), dry_run=is_dry_run)
        return self._client.call(engine.MOVE_NAMESPACE, params, seconds=FOREVER)


class RemoteRetention(RemotePart):
    def retain(self, *, is_dry_run: bool = False, progress: Progress = no_progress) -> Retained:  # noqa: ARG002 - the daemon works alone
        return self._client.call(engine.RETAIN, engine.RetainParams(dry_run=is_dry_run), seconds=FOREVER)


class RemoteErasures(RemotePart):
    def erase(self, namespace: str, *, with_name: bool = False) -> SignedErasure:
        params = engine.EraseNamespaceParams(namespace=named(namespace), with_name=with_name)
        return self._client.call(engine.ERASE_NAMESPACE, params, seconds=FOREVER)

    def verify(self, text: str) -> ErasureReview:
        params = engine.VerifyErasureParams(certificate=text)
        return self._client.call(engine.VERIFY_ERASURE, params, seconds=FOREVER)


class RemoteDocuments(RemotePart):
    def author(
        self,
        source_doc: str,
        text: str,
        *,
        core: bool | None = None,
        tokenizer: str = ESTIMATOR,
        source_meta: Metadata | None = None,
    ) -> Authored:
        params = engine.AuthorParams(
            source_doc=source_doc, text=text, core=core, tokenizer=tokenizer, source_meta=source_meta or {}
        )
        return self._client.call(engine.AUTHOR, params, seconds=FOREVER)

    def withdraw(self, source_doc: str) -> int:
        return self._client.call(engine.WITHDRAW, engine.DocumentParams(source_doc=source_doc)).records

    def list(self) -> Mapping[str, DocumentInfo]:
        found = self._client.call(engine.LIST_DOCUMENTS, NoParams()).documents
        return {one.source_doc: one for one in found}

    def nodes(self, source_doc: str) -> Sequence[Record]:
        params = engine.DocumentParams(source_doc=source_doc)
        return list(self._client.call(engine.LIST_NODES, params).records)


class RemoteEmbeddings(RemotePart):
    def reembed(self, *, force: bool = False, progress: Progress = no_progress) -> Reembedded:  # noqa: ARG002 - the daemon works alone
        done = self._reembed(engine.ReembedParams(step="run", force=force)).run
        if done is None:
            raise DaemonError("The daemon gave no account of the re-embedding.")
        return done

    def roll_back(self) -> str:
        return self._reembed(engine.ReembedParams(step="rollback")).active or ""

    def drop_unused(self) -> list[str]:
        return list(self._reembed(engine.ReembedParams(step="prune")).dropped)

    def embed_missing(self, progress: Progress = no_progress) -> tuple[int, str]:  # noqa: ARG002 - the daemon works alone
        done = self._reembed(engine.ReembedParams(step="missing"))
        return done.embedded, done.degraded

    def _reembed(self, params: engine.ReembedParams) -> engine.ReembedResult:
        return self._client.call(engine.REEMBED, params, seconds=FOREVER)


class RemoteUpkeep(RemotePart):
    def export_file(
        self,
        path: Path,
        *,
        collections: Sequence[str] = (),
        with_vectors: bool = False,
        progress: Progress = no_progress,
    ) -> int:
        if not self._client.is_local:
            from libravdb.client.transfer import fetch_export  # noqa: PLC0415 - loads numpy

            return fetch_export(
                self._client, path, collections=collections, with_vectors=with_vectors, progress=progress
            )
        params = engine.ExportFileParams(path=str(path), collections=tuple(collections), with_vectors=with_vectors)
        return self._client.call(engine.EXPORT_FILE, params, seconds=FOREVER).records

    def import_file(self, path: Path, progress: Progress = no_progress) -> Imported:
        if not self._client.is_local:
            from libravdb.client.transfer import send_import  # noqa: PLC0415 - loads numpy

            return send_import(self._client, path, progress)
        return self._client.call(engine.IMPORT_FILE, engine.FileParams(path=str(path)), seconds=FOREVER)

    def backup(self, target: Path, progress: Progress = no_progress) -> BackupCopy:  # noqa: ARG002 - the daemon works alone
        if not self._client.is_local:
            from libravdb.client.transfer import save_backup  # noqa: PLC0415 - loads numpy

            return save_backup(self._client, target)
        return self._client.call(engine.BACKUP, engine.FileParams(path=str(target.absolute())), seconds=FOREVER)
