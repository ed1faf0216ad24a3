"""Open an engine from configuration: the only file that knows every implementation.

Each part is imported where it is used, and a running daemon is looked for first: whoever talks to one loads neither
the engine nor numpy nor sqlite3.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from libravdb.adapters.sqlite import ownership
from libravdb.errors import (
    ConfigError,
    DaemonError,
    EmbedderError,
    InvalidInput,
    StoreCorrupt,
    StoreError,
    StoreTooNew,
    SummariserError,
)
from libravdb.ports.claim import Claim, ClaimKind, Holder, SharedClaim
from libravdb.ports.clock import no_progress

if TYPE_CHECKING:
    from libravdb.adapters.embedders.profiles import EmbedderProfile
    from libravdb.client.client import Client
    from libravdb.client.remote_engine import RemoteEngine
    from libravdb.config import Config, EmbeddingSettings, StoreSettings, SummarizerSettings, WatchSettings
    from libravdb.engine.embedding import LoadEmbedder
    from libravdb.engine.engine import Engine
    from libravdb.engine.settings import EngineSettings
    from libravdb.model import CopiedStore, Finding, HealthCheck, IncomingTurn, Json, News, Remark, Repaired, Rule
    from libravdb.ports.clock import Progress
    from libravdb.ports.embedder import Embedder
    from libravdb.ports.engine_api import EngineApi
    from libravdb.ports.store import OpenStore, Store
    from libravdb.ports.summariser import Summariser
    from libravdb.ports.watcher import FolderWatcher
    from libravdb.ports.workspace import Workspaces


def open_engine(config: Config) -> Engine:
    """An engine over the configured store and embedder; the model is loaded when it is first needed.

    It owns the store's file while it is open. Refused, by name, while a daemon or another program does.
    """
    return open_engine_over(open_store(config.store), config)


def open_or_connect(config: Config, *, given: Sequence[str] = ()) -> EngineApi:
    """The configured store through the daemon that holds it, else through an engine of our own that owns it.

    `given` names the settings that somebody asked for: a daemon works with its own, so they are refused there. Raises
    DaemonError when there is a daemon that cannot be reached. A database everybody may use at once: it is opened here.
    """
    if config.store.url:
        return open_engine(config)
    found = ownership.claim_or_daemon(config.store.path, ClaimKind.PROGRAM)
    if not isinstance(found, Holder):
        with found:  # the store has its own by then
            return open_engine(config)
    foreign = [name for name in given if not name.startswith("daemon.")]
    if foreign:
        raise InvalidInput(
            "settings",
            f"{', '.join(foreign)} cannot be set here: a daemon serves {config.store.path} with settings of its own",
            remedy="Leave them out and set them where the daemon is configured, or stop it first.",
        )
    return _answering(_client(found.endpoint, config.daemon.token))


def connect(
    config: Config, *, environ: Mapping[str, str], endpoint: str | None = None, token: str | None = None
) -> RemoteEngine:
    """The engine behind a daemon: the one at an endpoint, else the configured one, else the one of the configured
    store. Raises DaemonError when none answers there, or not to this token."""
    from libravdb.wire.endpoint import default_endpoint

    holder = None if endpoint or config.daemon.endpoint else daemon_of(config.store)
    where = endpoint or config.daemon.endpoint or (holder.endpoint if holder else default_endpoint(environ))
    return _answering(_client(where, config.daemon.token if token is None else token))


def _answering(client: Client) -> RemoteEngine:
    """An engine over a client, once its daemon has answered."""
    from libravdb.wire.methods.method import NoParams
    from libravdb.wire.methods.storage import HEALTH

    try:
        client.call(HEALTH, NoParams())
    except BaseException:
        client.close()
        raise
    return _remote(client)


@contextmanager
def use_store(config: Config) -> Iterator[EngineApi]:
    """The store for a command: through the daemon when one holds it, else beside other commands; never both. A database
    is opened beside everybody else, unless the daemon at the configured endpoint serves it."""
    if config.store.url:
        with _serving(config) or open_engine(config) as shared:
            yield shared
        return
    found = ownership.claim_or_daemon(config.store.path, ClaimKind.COMMAND)
    if isinstance(found, Holder):
        with _remote(_client(found.endpoint, config.daemon.token)) as remote:
            yield remote
        return
    with found, open_engine_over(open_store(config.store, ClaimKind.COMMAND), config) as engine:
        yield engine


def _serving(config: Config) -> RemoteEngine | None:
    """The engine of the daemon at the configured endpoint, if one answers there that serves the configured database."""
    if not config.daemon.endpoint:
        return None
    from libravdb.wire.methods.method import NoParams
    from libravdb.wire.methods.storage import STATUS

    client = _client(config.daemon.endpoint, config.daemon.token)
    try:
        if client.call(STATUS, NoParams()).store_path == config.store.place:
            return _remote(client)
    except DaemonError:
        pass  # then it is opened here: nobody has to be asked
    except BaseException:
        client.close()
        raise
    client.close()
    return None


def connect_to(address: str, *, token: str = "") -> RemoteEngine:
    """The engine of the daemon at an endpoint: `unix:/path`, `tcp:host:port`, `http://host:port`, `https://host:port`.
    No connection is made before the first call."""
    return _remote(_client(address, token))


def _client(endpoint: str, token: str) -> Client:
    """A client of a running daemon. No connection is made before the first call."""
    from libravdb.client.addresses import transport_to
    from libravdb.client.client import Client

    return Client(transport_to(endpoint, token=token))


def _remote(client: Client) -> RemoteEngine:
    from libravdb.client.remote_engine import RemoteEngine

    return RemoteEngine(client)


def engine_behind(daemon: Holder, config: Config) -> RemoteEngine:
    """The engine of a running daemon. No connection is made before the first call."""
    return connect_to(daemon.endpoint, token=config.daemon.token)


def claim_for_daemon(config: StoreSettings) -> Claim:
    """The right of a daemon to the configured store. Refused while another daemon, a program or a command has it.

    A database is everybody's; the first daemon of it on this machine is the one that is found here.
    """
    if not config.url:
        return ownership.claim(config.path, ClaimKind.DAEMON)
    try:
        config.local_path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return ownership.claim(config.local_path, ClaimKind.DAEMON)
    except (DaemonError, StoreError, OSError):
        return SharedClaim()


def holder_of(config: StoreSettings) -> Holder | None:
    """Who says that it holds the configured store, or serves the configured database on this machine."""
    return ownership.holder_of(config.local_path)


def daemon_of(config: StoreSettings) -> Holder | None:
    """The daemon that holds the configured store now, or the first one on this machine that serves the configured
    database; the note of a dead one does not count. Nothing is made."""
    return ownership.daemon_of(config.local_path)


def open_engine_over(store: Store, config: Config) -> Engine:
    """An engine over a store that is open already."""
    from libravdb.engine.engine import Engine

    return Engine(
        store=store,
        load_embedder=embedder_loader(config.embedding),
        clock=now,
        read_rules=read_rules,
        load_summariser=lambda: load_summariser(config.summarizer),
        settings=engine_settings(config),
        look_around=lambda: checks_around(config.store),
    )


def checks_around(settings: StoreSettings) -> tuple[tuple[str, Callable[[], HealthCheck]], ...]:
    """What can be checked of where the store lies, by name."""
    if settings.url:
        from libravdb.adapters.postgres import require_extra

        def check_database() -> HealthCheck:
            require_extra()
            from libravdb.adapters.postgres.surroundings import check_server

            return check_server(settings.url)

        def check_wall() -> HealthCheck:
            require_extra()
            from libravdb.adapters.postgres.surroundings import check_tenants

            return check_tenants(settings.url, settings.tenant_role)

        return (("database", check_database), *((("tenants", check_wall),) if settings.tenant_role else ()))
    from libravdb.adapters.sqlite.surroundings import check_disk, check_folder, check_sqlite

    return (
        ("sqlite", check_sqlite),
        ("folder", lambda: check_folder(settings.path)),
        ("disk", lambda: check_disk(settings.path)),
    )


def has_store(settings: StoreSettings) -> bool:
    """Whether there is a store already where one is configured. Nothing is made."""
    if not settings.url:
        return settings.path.exists()
    from libravdb.adapters.postgres import require_extra

    require_extra()
    from libravdb.adapters.postgres.surroundings import has_tables

    return has_tables(settings.url)


def engine_settings(config: Config) -> EngineSettings:
    """The engine's own sections, as they are."""
    from libravdb.engine.settings import EngineSettings

    return EngineSettings(
        store=config.store,
        search=config.search,
        assembly=config.assembly,
        ingest=config.ingest,
        gate=config.gate,
        compaction=config.compaction,
        authored=config.authored,
        retention=config.retention,
    )


def read_rules(text: str) -> tuple[Rule, ...]:
    """The rules of a text, by the deontic reader. Its room is loaded with the first document that needs it."""
    from libravdb.core.authored.deontic import rules

    return rules(text)


def escape_remembered(text: str) -> str:
    """A remembered text as it may stand in a frame: it can neither close the frame nor open another."""
    from libravdb.core.assembly.render import escape

    return escape(text)


def review_documents(documents: Iterable[tuple[str, str]], config: Config) -> tuple[Remark, ...]:
    """Remarks on the rules of documents given as (name, text); no store is opened."""
    from libravdb.core.authored.markdown import split
    from libravdb.core.authored.review import review

    nodes = ((name, node) for name, text in documents for node in split(text))
    return review(nodes, read_rules=read_rules, hard_limit=engine_settings(config).hard_budget)


def read_message(message: object) -> tuple[IncomingTurn, ...]:
    """The turns of one message, in any known shape; what is left out says why."""
    from libravdb.core.ingest.messages import read_message as read

    return read(message)


def verify_store(settings: StoreSettings, progress: Progress = no_progress) -> Iterator[Finding]:
    """Run every check on one consistent state of the configured store; yields what is broken, writes nothing."""
    if not settings.url:
        yield from verify_file(settings.path, progress)
        return
    with open_store(settings, ClaimKind.COMMAND) as store:
        yield from store.maintenance.verify(progress)


def verify_file(path: Path, progress: Progress = no_progress) -> Iterator[Finding]:
    """Run every check on one consistent state of a store's file; yields what is broken, writes nothing."""
    from libravdb.adapters.sqlite.integrity import verify_file as verify

    return verify(path, progress)


def repair_file(path: Path, target: Path, progress: Progress = no_progress) -> Repaired:
    """Save what is sound in a damaged store's file into a new one, which is verified. The damaged one is only read;
    nobody else may have it open."""
    from libravdb.adapters.sqlite.rescue import rescue
    from libravdb.engine.indexing import IndexingStore
    from libravdb.engine.repair import repair
    from libravdb.text.analysis import ANALYSIS

    with ownership.claim(path, ClaimKind.PROGRAM), rescue(path, target, analysis=ANALYSIS) as (salvage, store):
        return repair(IndexingStore(store), salvage, progress)


def replace_damaged(path: Path, repaired: Path) -> Path:
    """Put a repaired store in the place of the damaged one, which is kept under the name that is returned."""
    from libravdb.adapters.sqlite.rescue import replace_file

    with ownership.claim(path, ClaimKind.PROGRAM):
        return replace_file(path, repaired)


def copy_store(source: StoreSettings, target: StoreSettings, progress: Progress = no_progress) -> CopiedStore:
    """Make an empty store the same as another, which is only read; one that was broken off goes on. A file on either
    side has to be free, and one that is read has to be there."""
    from libravdb.engine.store_copy import copy_store as copy

    with open_store(source) as read, _open_indexed(target, ClaimKind.PROGRAM) as made:
        return copy(read, made, progress)


def is_core_document(name: str, config: Config) -> bool:
    """Whether a document holds rules, by its file name."""
    from libravdb.core.authored.tiers import is_core

    return is_core(name, config.authored.core_names)


def open_store(settings: StoreSettings, kind: ClaimKind = ClaimKind.PROGRAM) -> OpenStore:
    """The configured store, made if it does not exist; one whose words were indexed by another version is indexed
    anew. A part of another one is refused: what is written to it would be gone when the copy goes on."""
    store = _open_indexed(settings, kind)
    try:
        _refuse_part(store, settings)
    except BaseException:
        store.close()
        raise
    return store


def _refuse_part(store: OpenStore, settings: StoreSettings) -> None:
    from libravdb.model.collections import UNFINISHED_COPY

    try:
        with store.read() as snapshot:
            is_part = bool(snapshot.sizes([UNFINISHED_COPY])[UNFINISHED_COPY])
    except StoreCorrupt:
        return  # whoever reads what is damaged is told then
    if is_part:
        raise StoreError(
            settings.place,
            "holds a part of another store, whose copy was broken off",
            remedy="Run the same 'libravdb move' again: it goes on where it was.",
        )


def _open_indexed(settings: StoreSettings, kind: ClaimKind) -> OpenStore:
    store = _open_database(settings) if settings.url else _open_file(settings, kind)
    try:
        if store.maintenance.health().is_writable:
            _index_anew_if_needed(store, settings)
    except BaseException:
        store.close()
        raise
    return store


def _index_anew_if_needed(store: OpenStore, settings: StoreSettings) -> None:
    """See to it that all words are indexed as this version does. Never back to an older version where others may share
    the store: words would be lost on those of the newer one."""
    from libravdb.text.analysis import ANALYSIS, index_terms, is_older

    if store.maintenance.analysis() == ANALYSIS:
        return
    with store.exclusive("reindexing"):
        found = store.maintenance.analysis()
        if store.is_shared and is_older(ANALYSIS, than=found):
            raise StoreTooNew(
                settings.place,
                f"its words are indexed by {found!r}, and this process, of an older version, indexes by {ANALYSIS!r}",
                remedy="Use the version of libravdb, and of Python, that indexed it, or a newer one."
                " Nothing was changed.",
            )
        if found != ANALYSIS:  # who waited finds it done
            store.maintenance.reindex(ANALYSIS, lambda text: tuple(index_terms(text)))


def _open_file(settings: StoreSettings, kind: ClaimKind) -> OpenStore:
    from libravdb.adapters.sqlite.store import SqliteStore

    return SqliteStore(settings.path, kind=kind, now=now(), settings=settings)


def _open_database(settings: StoreSettings) -> OpenStore:
    from libravdb.adapters.postgres import require_extra

    require_extra()
    from libravdb.adapters.postgres.store import PostgresStore
    from libravdb.text.analysis import ANALYSIS

    return PostgresStore(settings.url, settings=settings, analysis=ANALYSIS)


def embedder_loader(config: EmbeddingSettings) -> LoadEmbedder:
    """Loads the configured embedder, or the one that a space of the store describes."""

    def load(description: Mapping[str, Json] | None) -> Embedder:
        return load_embedder(config if description is None else _described(config, description))

    return load


def open_workspaces() -> Workspaces:
    """The workspaces of agents, on this machine."""
    from libravdb.adapters.notes.workspace import WorkspaceFiles

    return WorkspaceFiles()


def open_watcher(
    engine: EngineApi,
    settings: WatchSettings,
    *,
    tell: Callable[[News], None],
    progress: Progress = no_progress,
) -> FolderWatcher:
    """A watcher of the configured folders over an engine, ours or the daemon's. Needs the extra `watch`."""
    from libravdb.adapters.folders import require_extra

    require_extra()
    from libravdb.adapters.folders.watcher import Watcher

    return Watcher(engine.documents, settings, clock=now, tell=tell, progress=progress)


def load_embedder(config: EmbeddingSettings) -> Embedder:
    """The embedder behind `embedding.backend`. Its room is imported only when it is used.

    Raises EmbedderError when it cannot be loaded, ExtraMissing when the library that reads it is not installed.
    """
    match config.backend:
        case "bundled":
            from libravdb.adapters.embedders.bundled import open_minilm

            return open_minilm()
        case "onnx":
            from libravdb.adapters.embedders.onnx import OnnxEmbedder

            return OnnxEmbedder.open(
                Path(config.model),
                profile=_profile(config.profile),
                tokenizer=Path(config.tokenizer) if config.tokenizer else None,
                dimensions=config.dimensions,
                normalize=config.normalize,
            )
        case "openai" | "ollama":
            from libravdb.adapters.embedders.http import EndpointEmbedder
            from libravdb.adapters.embedders.profiles import UNKNOWN

            profile = _profile(config.profile) or UNKNOWN
            return EndpointEmbedder(
                kind=config.backend,
                url=config.endpoint,
                model=config.model,
                api_key=config.api_key,
                dimensions=config.dimensions,
                timeout_seconds=config.timeout_seconds,
                retries=config.retries,
                query_prefix=profile.query_prefix,
                document_prefix=profile.document_prefix,
            )
        case _:
            raise EmbedderError(
                "embedding.backend is 'none'.", remedy="Set it to 'bundled' to use the model inside the package."
            )


def load_summariser(config: SummarizerSettings) -> Summariser | None:
    """The model or server behind `summarizer.backend`; None when sentences are to be chosen and nobody writes.

    Its room is imported only when it is used. Raises SummariserError when a model cannot be loaded; a server is asked
    nothing yet.
    """
    match config.backend:
        case "onnx":
            from libravdb.adapters.summarisers.onnx import OnnxSummariser
            from libravdb.adapters.summarisers.profiles import PROFILES as WRITERS

            if config.profile and config.profile not in WRITERS:
                problem = f"summarizer.profile {config.profile!r} is not known"
                raise SummariserError("onnx", problem, remedy=f"Known are: {', '.join(sorted(WRITERS))}.")
            return OnnxSummariser.open(
                Path(config.model_path),
                profile=WRITERS.get(config.profile),
                tokenizer=Path(config.tokenizer) if config.tokenizer else None,
            )
        case "openai" | "ollama":
            from libravdb.adapters.summarisers.http import EndpointSummariser

            return EndpointSummariser(
                kind=config.backend,
                url=config.endpoint,
                model=config.model,
                api_key=config.api_key,
                timeout_seconds=config.timeout_seconds,
                retries=config.retries,
            )
        case _:
            return None


def now() -> int:
    """The clock of the engine: milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


def _profile(name: str) -> EmbedderProfile | None:
    from libravdb.adapters.embedders.profiles import PROFILES

    if not name:
        return None
    if name not in PROFILES:
        known = ", ".join(sorted(PROFILES))
        raise EmbedderError(f"embedding.profile: {name!r} is not known.", remedy=f"Known are: {known}.")
    return PROFILES[name]


def _described(config: EmbeddingSettings, description: Mapping[str, Json]) -> EmbeddingSettings:
    """The settings that load the embedder a space was made with, as far as its description tells."""
    told = {
        "backend": description.get("backend"),
        "model": description.get("model", ""),
        "tokenizer": description.get("tokenizer", ""),
        "endpoint": description.get("endpoint", ""),
        "dimensions": description.get("dimensions", 0),
        "normalize": description.get("normalize", True),
        "profile": description.get("profile", ""),
    }
    try:
        return replace(config, **told)  # type: ignore[arg-type]  # the configuration checks its own types
    except ConfigError as error:
        raise EmbedderError(f"The former embedder cannot be told from its description: {error}") from error
