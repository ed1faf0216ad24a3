"""The engine's verbs over the daemon, so that a command need not know where the engine is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from libravdb.client.client import Client
from libravdb.errors import DaemonError, InvalidInput
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
    Json,
    Judged,
    Metadata,
    Note,
    Prompt,
    Record,
    Reembedded,
    Remembered,
    Scope,
    Status,
    Where,
)
from libravdb.model.namespaces import named
from libravdb.ports.clock import Progress, no_progress
from libravdb.text.tokens import ESTIMATOR
from libravdb.wire.methods import engine, lifecycle
from libravdb.wire.methods.method import NoParams

BATCH = 64
"""Texts sent in one call; their replies come before the daemon has to hold many more."""

FOREVER = 24 * 3600.0
"""The deadline of work that takes as long as it takes: re-embedding, export, import, backup."""


class _RemotePart:
    """A part of the engine whose verbs are calls."""

    def __init__(self, client: Client) -> None:
        self._client = client


class RemoteConversations(_RemotePart):
    def bootstrap(
        self, *, session: str, namespace: str, messages: object = (), progress: Progress = no_progress
    ) -> Bootstrapped:
        listed = _listed(messages)
        params = lifecycle.BootstrapParams(session_id=session, user_id=named(namespace), messages=listed)
        done = self._client.call(lifecycle.BOOTSTRAP, params, seconds=FOREVER)
        progress(len(listed), len(listed))
        return done

    def ingest(self, message: object, *, session: str, namespace: str) -> Committed:
        return self.ingest_batch([message], session=session, namespace=namespace)

    def ingest_batch(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        return self._ingest(messages, session, namespace, progress, is_transcript=False)

    def import_transcript(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        return self._ingest(messages, session, namespace, progress, is_transcript=True)

    def commit_turn(
        self,
        messages: object,
        *,
        session: str,
        namespace: str,
        key: str,
        former: Sequence[str] = (),  # noqa: ARG002 - the daemon knows them
    ) -> Committed:
        params = lifecycle.CommitTurnParams(
            session_id=session, user_id=named(namespace), key=key, messages=_listed(messages)
        )
        return self._client.call(lifecycle.COMMIT_TURN, params, seconds=FOREVER)

    def _ingest(
        self, messages: object, session: str, namespace: str, progress: Progress, *, is_transcript: bool
    ) -> Committed:
        listed = _listed(messages)
        params = lifecycle.IngestBatchParams(
            session_id=session, user_id=named(namespace), messages=listed, is_transcript=is_transcript
        )
        done = self._client.call(lifecycle.INGEST_BATCH, params, seconds=FOREVER)
        progress(len(listed), len(listed))
        return done


class RemotePrompts(_RemotePart):
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
        params = lifecycle.AssembleParams(
            session_id=session,
            user_id=named(namespace),
            token_budget=budget,
            prompt=prompt,
            messages=tuple(messages),
            mode=mode,
            turn=turn,
        )
        return self._client.call(lifecycle.ASSEMBLE, params)

    def explain(self, receipt: str | None = None, *, namespace: str) -> Explained:
        return self._client.call(
            lifecycle.EXPLAIN, lifecycle.ExplainParams(receipt=receipt or "", user_id=named(namespace))
        )

    def why_not(self, record: str, *, namespace: str, receipt: str | None = None) -> str:
        params = lifecycle.WhyNotParams(id=record, receipt=receipt or "", user_id=named(namespace))
        return self._client.call(lifecycle.WHY_NOT, params).answer


class RemoteSearch(_RemotePart):
    def __call__(
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
        params = engine.SearchParams(
            question=question,
            collections=tuple(collections),
            namespace=None if namespace is None else named(namespace),
            session=session,
            scopes=tuple(scopes),
            k=k,
            budget=budget,
            where=where,
            exclude={name: tuple(sorted(ids)) for name, ids in (exclude or {}).items()},
            as_of=as_of,
            is_quiet=is_quiet,
        )
        return self._client.call(engine.SEARCH, params)


class RemoteMemories(_RemotePart):
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
        note = Note(text=text, collection=collection, id=id, metadata=metadata, at=at)
        return self.remember_many([note], replace=replace)[0]

    def remember_many(
        self, notes: Sequence[Note], *, replace: bool = False, progress: Progress = no_progress
    ) -> list[Remembered]:
        done: list[Remembered] = []
        for start in range(0, len(notes), BATCH):
            params = engine.RememberParams(notes=tuple(notes[start : start + BATCH]), replace=replace)
            done.extend(self._client.call(engine.REMEMBER, params, seconds=FOREVER).remembered)
            progress(len(done), len(notes))
        return done

    def read(self, id: str, *, namespace: str, scope: Scope) -> Record | None:
        params = lifecycle.ReadMemoryParams(id=id, user_id=named(namespace), scope=scope)
        return next(iter(self._client.call(lifecycle.READ_MEMORY, params).records), None)

    def latest(self, collection: str, *, limit: int, where: Where = ANYTHING) -> list[Record]:
        params = engine.ListRecordsParams(collection=collection, limit=limit, where=where)
        return list(self._client.call(engine.LIST_RECORDS, params).records)

    def collections(self, prefix: str = "") -> list[CollectionInfo]:
        params = engine.ListCollectionsParams(prefix=prefix)
        return list(self._client.call(engine.LIST_COLLECTIONS, params).collections)


class RemoteDeletions(_RemotePart):
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


class RemoteDocuments(_RemotePart):
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


class RemoteGate(_RemotePart):
    def judge(self, text: str, *, namespace: str) -> Judged:
        return self._client.call(lifecycle.JUDGE, lifecycle.JudgeParams(text=text, user_id=named(namespace)))

    def feedback(self, id: str, *, useful: bool, namespace: str) -> None:
        self._client.call(lifecycle.FEEDBACK, lifecycle.FeedbackParams(id=id, useful=useful, user_id=named(namespace)))

    def restore(self, id: str, *, namespace: str) -> None:
        self._client.call(lifecycle.RESTORE_MEMORY, lifecycle.SupersessionParams(id=id, user_id=named(namespace)))

    def report(self, *, namespace: str) -> GateAccount:
        return self._client.call(
            lifecycle.GATE_REPORT, lifecycle.IdentityParams(user_id=named(namespace)), seconds=FOREVER
        )


class RemoteCompaction(_RemotePart):
    def compact(
        self,
        session: str,
        *,
        target: int | None = None,
        minimum_turns: int | None = None,
        tail_tokens: int | None = None,
        support_tokens: int | None = None,
    ) -> Compacted:
        params = lifecycle.CompactParams(
            session_id=session,
            target_turns=target,
            minimum_turns=minimum_turns,
            tail_tokens=tail_tokens,
            support_tokens=support_tokens,
        )
        return self._client.call(lifecycle.COMPACT, params, seconds=FOREVER)

    def expand(self, summary: str, *, session: str, max_depth: int = 3, max_tokens: int | None = None) -> list[Record]:
        params = lifecycle.ExpandParams(
            session_id=session, summary_id=summary, max_depth=max_depth, max_tokens=max_tokens
        )
        return list(self._client.call(lifecycle.EXPAND, params).records)


class RemoteEmbeddings(_RemotePart):
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


class RemoteUpkeep(_RemotePart):
    def export_file(
        self,
        path: Path,
        *,
        collections: Sequence[str] = (),
        with_vectors: bool = False,
        progress: Progress = no_progress,  # noqa: ARG002 - the daemon works alone
    ) -> int:
        params = engine.ExportFileParams(path=str(path), collections=tuple(collections), with_vectors=with_vectors)
        return self._client.call(engine.EXPORT_FILE, params, seconds=FOREVER).records

    def import_file(self, path: Path, progress: Progress = no_progress) -> Imported:  # noqa: ARG002 - the daemon works alone
        return self._client.call(engine.IMPORT_FILE, engine.FileParams(path=str(path)), seconds=FOREVER)

    def backup(self, target: Path, progress: Progress = no_progress) -> None:  # noqa: ARG002 - the daemon works alone
        self._client.call(engine.BACKUP, engine.FileParams(path=str(target.absolute())), seconds=FOREVER)


class RemoteEngine:
    """An engine behind a daemon. `ports/engine_api.py` says what each verb does."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.conversations = RemoteConversations(client)
        self.prompts = RemotePrompts(client)
        self.search = RemoteSearch(client)
        self.memories = RemoteMemories(client)
        self.deletions = RemoteDeletions(client)
        self.documents = RemoteDocuments(client)
        self.gate = RemoteGate(client)
        self.compaction = RemoteCompaction(client)
        self.embeddings = RemoteEmbeddings(client)
        self.upkeep = RemoteUpkeep(client)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()

    def status(self) -> Status:
        return self._client.call(engine.DESCRIBE, NoParams())


def _listed(messages: object) -> tuple[Any, ...]:
    if isinstance(messages, str | bytes) or not isinstance(messages, Sequence):
        raise InvalidInput("messages", "are no list", remedy="Give a list of messages.")
    return tuple(messages)
