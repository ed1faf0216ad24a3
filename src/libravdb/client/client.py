"""A typed client of the daemon: one line per method, over a socket or in process.

A lost connection is made again. A request that the daemon may have seen already is sent again only where a repeat
changes nothing. Every call has a deadline.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from libravdb.errors import ERRORS_BY_NAME, DaemonError, InvalidInput, LibraError
from libravdb.model import (
    ANYTHING,
    Answer,
    AssemblyMode,
    Authored,
    CollectionInfo,
    Committed,
    Compacted,
    DocumentInfo,
    Explained,
    GateAccount,
    Imported,
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
from libravdb.ports.store import Progress, no_progress
from libravdb.text.tokens import ESTIMATOR
from libravdb.wire import codec
from libravdb.wire import methods as wire
from libravdb.wire.endpoint import Endpoint

if TYPE_CHECKING:
    from libravdb.daemon.dispatch import Dispatcher

T = TypeVar("T")
PAUSES = (0.05, 0.25, 0.5)
"""Seconds before each further attempt to connect: a daemon that restarts is back within half a second."""

REPEATABLE = (
    frozenset(method.name for method in wire.STORAGE_METHODS) - {"bump_access_counts", "session_lifecycle_hint"}
) | {"search", "list_records", "list_collections", "describe", "author", "list_documents", "list_nodes"}
"""Methods whose repeat changes nothing; all others are sent once."""

BATCH = 64
"""Texts sent in one call; their replies come before the daemon has to hold many more."""

FOREVER = 24 * 3600.0
"""The deadline of work that takes as long as it takes: re-embedding, export, import, backup."""


class Transport(Protocol):
    """Carries one line there and one line back."""

    def exchange(self, line: bytes, *, seconds: float, may_repeat: bool) -> bytes:
        """The reply to a request."""

    def close(self) -> None:
        """Let go of the connection."""


class InProcessTransport:
    """Calls a dispatcher in this process."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        from libravdb.daemon.dispatch import Connection  # noqa: PLC0415 - the dispatcher is there already

        self._dispatcher = dispatcher
        self._connection = Connection()

    def exchange(self, line: bytes, *, seconds: float, may_repeat: bool) -> bytes:  # noqa: ARG002 - nothing to wait for
        """The reply, at once."""
        return self._dispatcher.reply(line, self._connection) or b""

    def close(self) -> None:
        """Nothing to let go of."""


class SocketTransport:
    """One connection, made when it is needed and again when it was lost. One call at a time."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        token: str = "",
        pauses: Sequence[float] = PAUSES,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = endpoint
        self._token = token
        self._pauses = pauses
        self._sleep = sleep
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._rest = b""

    def exchange(self, line: bytes, *, seconds: float, may_repeat: bool) -> bytes:
        """The reply to a request, before the deadline."""
        deadline = time.monotonic() + seconds
        if not self._lock.acquire(timeout=seconds):
            raise DaemonError(
                f"Another call over this connection took more than {seconds:g} seconds.",
                remedy="Use a client for each thread.",
            )
        try:
            for pause in (*self._pauses, None):
                was_sent = False
                try:
                    connection = self._connected(deadline)
                    was_sent = True
                    return self._ask(connection, line, deadline)
                except TimeoutError as error:
                    self._drop()
                    raise DaemonError(
                        f"{self._endpoint} did not answer within {seconds:g} seconds.",
                        remedy="Look at 'libravdb status' and the daemon's log; the request may still be carried out.",
                    ) from error
                except OSError as error:
                    self._drop()
                    if pause is None or (was_sent and not may_repeat):
                        raise self._unreachable(error) from error
                    self._sleep(min(pause, max(0.0, deadline - time.monotonic())))
        finally:
            self._lock.release()
        raise AssertionError  # pragma: no cover - the loop returns or raises

    def close(self) -> None:
        """Let go of the connection."""
        with self._lock:
            self._drop()

    def _connected(self, deadline: float) -> socket.socket:
        if self._socket is not None:
            return self._socket
        family = socket.AF_UNIX if self._endpoint.path else socket.AF_INET
        if ":" in self._endpoint.host:
            family = socket.AF_INET6
        made = socket.socket(family, socket.SOCK_STREAM)
        try:
            made.settimeout(_left(deadline))
            made.connect(self._endpoint.path or (self._endpoint.host, self._endpoint.port))
            if self._token and not self._endpoint.path:
                self._authenticate(made, deadline)
        except BaseException:
            made.close()
            raise
        self._socket, self._rest = made, b""
        return made

    def _authenticate(self, made: socket.socket, deadline: float) -> None:
        request = {"jsonrpc": "2.0", "id": 0, "method": "authenticate", "params": {"token": self._token}}
        reply = json.loads(self._ask(made, _line(request), deadline))
        if "error" in reply:
            raise DaemonError(f"{self._endpoint}: {reply['error']['message']}.", remedy="Check daemon.token.")

    def _ask(self, connection: socket.socket, line: bytes, deadline: float) -> bytes:
        connection.settimeout(_left(deadline))
        connection.sendall(line)
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            connection.settimeout(_left(deadline))
            chunk = connection.recv(2**18)
            if not chunk:
                raise ConnectionResetError("the daemon closed the connection")
            parts.append(chunk)
        reply, _, self._rest = b"".join(parts).partition(b"\n")
        return reply

    def _drop(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._rest = b""

    def _unreachable(self, error: OSError) -> DaemonError:
        return DaemonError(
            f"No daemon answers on {self._endpoint} ({error.strerror or error}).",
            remedy="Start it with 'libravdb service start' or 'libravdbd'.",
        )


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _line(request: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(request, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidInput("params", f"are not JSON ({error})") from error


class Client:
    """The methods of the protocol, typed. Errors of the daemon come back as the errors they were there."""

    def __init__(self, transport: Transport, *, seconds: float = 30.0) -> None:
        self._transport = transport
        self._seconds = seconds
        self._ids = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        self._transport.close()

    def call(self, method: str, params: object, result: type[T], *, seconds: float | None = None) -> T:
        """Call a method by name with its params object; gives its result object."""
        self._ids += 1
        request = {"jsonrpc": "2.0", "id": self._ids, "method": method, "params": codec.write(params)}
        line = self._transport.exchange(
            _line(request), seconds=self._seconds if seconds is None else seconds, may_repeat=method in REPEATABLE
        )
        try:
            reply = json.loads(line)
            if "error" not in reply:
                return codec.read(result, reply["result"], is_strict=False)
        except InvalidInput as error:
            raise _nonsense(method, error.message.rstrip(".")) from error
        except (ValueError, TypeError, KeyError) as error:
            raise _nonsense(method, str(error)) from error
        raise _error(reply["error"])

    # ── storage methods ───────────────────────────────────────────────────────────────────────────────────

    def health(self) -> wire.HealthResult:
        return self.call("health", wire.NoParams(), wire.HealthResult)

    def status(self) -> wire.StatusResult:
        return self.call("status", wire.NoParams(), wire.StatusResult)

    def ensure_collections(self, params: wire.EnsureCollections) -> wire.Ok:
        return self.call("ensure_collections", params, wire.Ok)

    def insert_text(self, params: wire.InsertText) -> wire.InsertResult:
        return self.call("insert_text", params, wire.InsertResult)

    def insert_session_turn(self, params: wire.InsertSessionTurn) -> wire.InsertResult:
        return self.call("insert_session_turn", params, wire.InsertResult)

    def search_text(self, params: wire.SearchText) -> wire.Results:
        return self.call("search_text", params, wire.Results)

    def search_text_collections(self, params: wire.SearchTextCollections) -> wire.Results:
        return self.call("search_text_collections", params, wire.Results)

    def list_collection(self, params: wire.ListCollection) -> wire.Results:
        return self.call("list_collection", params, wire.Results)

    def list_by_meta(self, params: wire.ListByMeta) -> wire.Results:
        return self.call("list_by_meta", params, wire.Results)

    def bump_access_counts(self, params: wire.BumpAccessCounts) -> wire.Bumped:
        return self.call("bump_access_counts", params, wire.Bumped)

    def delete(self, params: wire.Delete) -> wire.Ok:
        return self.call("delete", params, wire.Ok)

    def delete_batch(self, params: wire.DeleteBatch) -> wire.Ok:
        return self.call("delete_batch", params, wire.Ok)

    def gating_scalar(self, params: wire.GatingScalar) -> wire.GatingResult:
        return self.call("gating_scalar", params, wire.GatingResult)

    def compact_session(self, params: wire.CompactSession) -> wire.CompactionResult:
        return self.call("compact_session", params, wire.CompactionResult)

    def expand_summary(self, params: wire.ExpandSummary) -> wire.Results:
        return self.call("expand_summary", params, wire.Results)

    def query_raw_session(self, params: wire.QueryRawSession) -> wire.Results:
        return self.call("query_raw_session", params, wire.Results)

    def ingest_markdown_document(self, params: wire.IngestMarkdownDocument) -> wire.IngestedDocument:
        return self.call("ingest_markdown_document", params, wire.IngestedDocument)

    def delete_authored_document(self, params: wire.DeleteAuthoredDocument) -> wire.Ok:
        return self.call("delete_authored_document", params, wire.Ok)

    def promote_dream_entries(self, params: wire.PromoteDreamEntries) -> wire.Promoted:
        return self.call("promote_dream_entries", params, wire.Promoted)

    def session_lifecycle_hint(self, params: wire.SessionLifecycleHint) -> wire.HintResult:
        return self.call("session_lifecycle_hint", params, wire.HintResult)

    def list_lifecycle_journal(self, params: wire.ListLifecycleJournal) -> wire.Results:
        return self.call("list_lifecycle_journal", params, wire.Results)

    def export_memory(self, params: wire.NamespaceParams) -> wire.Exported:
        return self.call("export_memory", params, wire.Exported)

    def flush_namespace(self, params: wire.NamespaceParams) -> wire.Ok:
        return self.call("flush_namespace", params, wire.Ok)

    def flush(self) -> wire.Ok:
        return self.call("flush", wire.NoParams(), wire.Ok)


class RemoteEngine:
    """The engine's verbs over the daemon, so that a command need not know where the engine is."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def remember_many(
        self, notes: Sequence[Note], *, replace: bool = False, progress: Progress = no_progress
    ) -> list[Remembered]:
        done: list[Remembered] = []
        for start in range(0, len(notes), BATCH):
            params = wire.RememberParams(notes=tuple(notes[start : start + BATCH]), replace=replace)
            done.extend(self._client.call("remember", params, wire.RememberResult, seconds=FOREVER).remembered)
            progress(len(done), len(notes))
        return done

    def search(
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
        params = wire.SearchParams(
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
        return self._client.call("search", params, Answer)

    def forget(self, collection: str, ids: Sequence[str]) -> int:
        return self._client.call(
            "forget", wire.ForgetParams(collection=collection, ids=tuple(ids)), wire.Counted
        ).records

    def flush(self, names: Sequence[str]) -> int:
        params = wire.DropCollectionsParams(names=tuple(names))
        return self._client.call("drop_collections", params, wire.Counted, seconds=FOREVER).records

    def flush_namespace(self, namespace: str) -> int:
        params = wire.DropCollectionsParams(namespace=named(namespace))
        return self._client.call("drop_collections", params, wire.Counted, seconds=FOREVER).records

    def flush_everything(self) -> int:
        params = wire.DropCollectionsParams(everything=True)
        return self._client.call("drop_collections", params, wire.Counted, seconds=FOREVER).records

    def latest(self, collection: str, *, limit: int, where: Where = ANYTHING) -> list[Record]:
        params = wire.ListRecordsParams(collection=collection, limit=limit, where=where)
        return list(self._client.call("list_records", params, wire.RecordsResult).records)

    def collections(self, prefix: str = "") -> list[CollectionInfo]:
        params = wire.ListCollectionsParams(prefix=prefix)
        return list(self._client.call("list_collections", params, wire.CollectionsResult).collections)

    def import_transcript(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        return self._ingest(messages, session, namespace, progress, is_transcript=True)

    def ingest_batch(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        return self._ingest(messages, session, namespace, progress, is_transcript=False)

    def _ingest(
        self, messages: object, session: str, namespace: str, progress: Progress, *, is_transcript: bool
    ) -> Committed:
        if isinstance(messages, str | bytes) or not isinstance(messages, Sequence):
            raise InvalidInput("messages", "are no list", remedy="Give a list of messages.")
        params = wire.IngestBatchParams(
            session_id=session, user_id=named(namespace), messages=tuple(messages), is_transcript=is_transcript
        )
        done = self._client.call("ingest_batch", params, Committed, seconds=FOREVER)
        progress(len(messages), len(messages))
        return done

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
        params = wire.AssembleParams(
            session_id=session,
            user_id=named(namespace),
            token_budget=budget,
            prompt=prompt,
            messages=tuple(messages),
            mode=mode,
            turn=turn,
        )
        return self._client.call("assemble", params, Prompt)

    def compact(
        self,
        session: str,
        *,
        target: int | None = None,
        minimum_turns: int | None = None,
        tail_tokens: int | None = None,
        support_tokens: int | None = None,
    ) -> Compacted:
        params = wire.CompactParams(
            session_id=session,
            target_turns=target,
            minimum_turns=minimum_turns,
            tail_tokens=tail_tokens,
            support_tokens=support_tokens,
        )
        return self._client.call("compact", params, Compacted, seconds=FOREVER)

    def expand(self, summary: str, *, session: str, max_depth: int = 3, max_tokens: int | None = None) -> list[Record]:
        params = wire.ExpandParams(session_id=session, summary_id=summary, max_depth=max_depth, max_tokens=max_tokens)
        return list(self._client.call("expand", params, wire.RecordsResult).records)

    def explain(self, receipt: str | None = None, *, namespace: str) -> Explained:
        return self._client.call(
            "explain", wire.ExplainParams(receipt=receipt or "", user_id=named(namespace)), Explained
        )

    def why_not(self, record: str, *, namespace: str, receipt: str | None = None) -> str:
        params = wire.WhyNotParams(id=record, receipt=receipt or "", user_id=named(namespace))
        return self._client.call("why_not", params, wire.WhyNotResult).answer

    def judge(self, text: str, *, namespace: str) -> Judged:
        return self._client.call("judge", wire.JudgeParams(text=text, user_id=named(namespace)), Judged)

    def feedback(self, id: str, *, useful: bool, namespace: str) -> None:
        self._client.call("feedback", wire.FeedbackParams(id=id, useful=useful, user_id=named(namespace)), wire.Ok)

    def gate_report(self, *, namespace: str) -> GateAccount:
        return self._client.call(
            "gate_report", wire.IdentityParams(user_id=named(namespace)), GateAccount, seconds=FOREVER
        )

    def restore_memory(self, id: str, *, namespace: str) -> None:
        self._client.call("restore_memory", wire.SupersessionParams(id=id, user_id=named(namespace)), wire.Ok)

    def author(
        self,
        source_doc: str,
        text: str,
        *,
        core: bool | None = None,
        tokenizer: str = ESTIMATOR,
        source_meta: Metadata | None = None,
    ) -> Authored:
        params = wire.AuthorParams(
            source_doc=source_doc, text=text, core=core, tokenizer=tokenizer, source_meta=source_meta or {}
        )
        return self._client.call("author", params, Authored, seconds=FOREVER)

    def withdraw(self, source_doc: str) -> int:
        return self._client.call("withdraw", wire.DocumentParams(source_doc=source_doc), wire.Counted).records

    def documents(self) -> Mapping[str, DocumentInfo]:
        found = self._client.call("list_documents", wire.NoParams(), wire.DocumentsResult).documents
        return {one.source_doc: one for one in found}

    def authored_nodes(self, source_doc: str) -> list[Record]:
        params = wire.DocumentParams(source_doc=source_doc)
        return list(self._client.call("list_nodes", params, wire.RecordsResult).records)

    def status(self) -> Status:
        return self._client.call("describe", wire.NoParams(), Status)

    def reembed(self, *, force: bool = False, progress: Progress = no_progress) -> Reembedded:  # noqa: ARG002 - the daemon works alone
        done = self._reembed(wire.ReembedParams(step="run", force=force)).run
        if done is None:
            raise DaemonError("The daemon gave no account of the re-embedding.")
        return done

    def roll_back_vectors(self) -> str:
        return self._reembed(wire.ReembedParams(step="rollback")).active or ""

    def drop_unused_vectors(self) -> list[str]:
        return list(self._reembed(wire.ReembedParams(step="prune")).dropped)

    def embed_missing(self, progress: Progress = no_progress) -> tuple[int, str]:  # noqa: ARG002 - the daemon works alone
        done = self._reembed(wire.ReembedParams(step="missing"))
        return done.embedded, done.degraded

    def _reembed(self, params: wire.ReembedParams) -> wire.ReembedResult:
        return self._client.call("reembed", params, wire.ReembedResult, seconds=FOREVER)

    def export_file(
        self,
        path: Path,
        *,
        collections: Sequence[str] = (),
        with_vectors: bool = False,
        progress: Progress = no_progress,  # noqa: ARG002 - the daemon works alone
    ) -> int:
        params = wire.ExportFileParams(path=str(path), collections=tuple(collections), with_vectors=with_vectors)
        return self._client.call("export_file", params, wire.Counted, seconds=FOREVER).records

    def import_file(self, path: Path, progress: Progress = no_progress) -> Imported:  # noqa: ARG002 - the daemon works alone
        return self._client.call("import_file", wire.FileParams(path=str(path)), Imported, seconds=FOREVER)

    def backup(self, target: Path, progress: Progress = no_progress) -> None:  # noqa: ARG002 - the daemon works alone
        self._client.call("backup", wire.FileParams(path=str(target.absolute())), wire.Ok, seconds=FOREVER)


def _nonsense(method: str, problem: str) -> DaemonError:
    return DaemonError(
        f"The answer to {method} is not one of a libravdb daemon ({problem}).", remedy="Check daemon.endpoint."
    )


def _error(told: Mapping[str, Any]) -> LibraError:
    """The error that happened in the daemon, as the class it had there; its message and remedy are kept.

    A daemon of another version may know no remedy for what it does not know.
    """
    data = told.get("data") or {}
    cls = ERRORS_BY_NAME.get(str(data.get("kind")), DaemonError)
    remedy = data.get("remedy") or (wire.RESTART if told.get("code") == wire.UNKNOWN_METHOD else "")
    error = cls.__new__(cls)
    LibraError.__init__(error, str(data.get("message") or told.get("message")), remedy=str(remedy))
    return error
