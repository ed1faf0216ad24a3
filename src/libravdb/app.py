"""Open an engine from configuration: the only file that knows every implementation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from libravdb.adapters.embedders.profiles import PROFILES, UNKNOWN, EmbedderProfile
from libravdb.adapters.folders import require_extra
from libravdb.adapters.sqlite.ownership import shared
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.adapters.summarisers.profiles import PROFILES as WRITERS
from libravdb.client.client import Client
from libravdb.client.remote_engine import RemoteEngine
from libravdb.client.transport import SocketTransport
from libravdb.config import Config, EmbeddingSettings, StoreSettings, SummarizerSettings, WatchSettings
from libravdb.core.authored.markdown import split
from libravdb.core.authored.tiers import is_core
from libravdb.engine.embedding import LoadEmbedder
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.errors import ConfigError, EmbedderError, SummariserError
from libravdb.model import Json, Remark, Rule
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.embedder import Embedder
from libravdb.ports.engine_api import EngineApi
from libravdb.ports.store import Store
from libravdb.ports.summariser import Summariser
from libravdb.text.analysis import ANALYSIS, index_terms
from libravdb.wire.endpoint import parse as parse_endpoint

if TYPE_CHECKING:
    from libravdb.adapters.folders.progress import News
    from libravdb.adapters.folders.watcher import Watcher


def open_engine(config: Config) -> Engine:
    """An engine over the configured store and embedder; the model is loaded when it is first needed."""
    return open_engine_over(open_store(config.store), config)


def open_engine_over(store: Store, config: Config) -> Engine:
    """An engine over a store that is open already."""
    return Engine(
        store=store,
        load_embedder=embedder_loader(config.embedding),
        clock=now,
        read_rules=read_rules,
        load_summariser=lambda: load_summariser(config.summarizer),
        settings=engine_settings(config),
    )


def engine_settings(config: Config) -> EngineSettings:
    """The engine's own sections, as they are."""
    return EngineSettings(
        store=config.store,
        search=config.search,
        assembly=config.assembly,
        ingest=config.ingest,
        gate=config.gate,
        compaction=config.compaction,
        authored=config.authored,
    )


def read_rules(text: str) -> tuple[Rule, ...]:
    """The rules of a text, by the deontic reader. Its room is loaded with the first document that needs it."""
    from libravdb.core.authored.deontic import rules  # noqa: PLC0415 - loads the words of all languages

    return rules(text)


def review_documents(documents: Iterable[tuple[str, str]], config: Config) -> tuple[Remark, ...]:
    """Remarks on the rules of documents given as (name, text); no store is opened."""
    from libravdb.core.authored.review import review  # noqa: PLC0415 - loads the words of all languages

    nodes = ((name, node) for name, text in documents for node in split(text))
    return review(nodes, read_rules=read_rules, hard_limit=engine_settings(config).hard_budget)


def is_core_document(name: str, config: Config) -> bool:
    """Whether a document holds rules, by its file name."""
    return is_core(name, config.authored.core_names)


@contextmanager
def use_store(config: Config) -> Iterator[EngineApi]:
    """The store, through the daemon when one holds it, else through an engine of our own; never both."""
    with shared(config.store.path) as holder:
        if holder is None:
            with open_engine(config) as engine:
                yield engine
            return
        transport = SocketTransport(parse_endpoint(holder.endpoint), token=config.daemon.token)
        with RemoteEngine(Client(transport)) as remote:
            yield remote


def open_store(settings: StoreSettings) -> SqliteStore:
    """The configured store, made if it does not exist."""
    store = SqliteStore(settings.path, now=now(), settings=settings)
    if store.maintenance.analysis() != ANALYSIS:
        store.maintenance.reindex(ANALYSIS, lambda text: tuple(index_terms(text)))
    return store


def embedder_loader(config: EmbeddingSettings) -> LoadEmbedder:
    """Loads the configured embedder, or the one that a space of the store describes."""

    def load(description: Mapping[str, Json] | None) -> Embedder:
        return load_embedder(config if description is None else _described(config, description))

    return load


def open_watcher(
    engine: EngineApi,
    settings: WatchSettings,
    *,
    tell: Callable[[News], None],
    progress: Progress = no_progress,
) -> Watcher:
    """A watcher of the configured folders over an engine, ours or the daemon's. Needs the extra `watch`."""
    require_extra()
    from libravdb.adapters.folders.watcher import Watcher  # noqa: PLC0415 - an extra

    return Watcher(engine.documents, settings, clock=now, tell=tell, progress=progress)


def load_embedder(config: EmbeddingSettings) -> Embedder:
    """The embedder behind `embedding.backend`. Its room is imported only when it is used.

    Raises EmbedderError when it cannot be loaded, ExtraMissing when the library that reads it is not installed.
    """
    match config.backend:
        case "bundled":
            from libravdb.adapters.embedders.bundled import open_minilm  # noqa: PLC0415 - loads onnxruntime

            return open_minilm()
        case "onnx":
            from libravdb.adapters.embedders.onnx import OnnxEmbedder  # noqa: PLC0415 - loads onnxruntime

            return OnnxEmbedder.open(
                Path(config.model),
                profile=_profile(config.profile),
                tokenizer=Path(config.tokenizer) if config.tokenizer else None,
                dimensions=config.dimensions,
                normalize=config.normalize,
            )
        case "openai" | "ollama":
            from libravdb.adapters.embedders.http import EndpointEmbedder  # noqa: PLC0415 - loads the HTTP client

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

    Its room is imported only when it is used. Raises SummariserError when a model cannot be loaded, ExtraMissing when
    the library that reads it is not installed; a server is asked nothing yet.
    """
    match config.backend:
        case "onnx":
            from libravdb.adapters.summarisers.onnx import OnnxSummariser  # noqa: PLC0415 - loads onnxruntime

            if config.profile and config.profile not in WRITERS:
                problem = f"summarizer.profile {config.profile!r} is not known"
                raise SummariserError("onnx", problem, remedy=f"Known are: {', '.join(sorted(WRITERS))}.")
            return OnnxSummariser.open(
                Path(config.model_path),
                profile=WRITERS.get(config.profile),
                tokenizer=Path(config.tokenizer) if config.tokenizer else None,
            )
        case "openai" | "ollama":
            from libravdb.adapters.summarisers.http import EndpointSummariser  # noqa: PLC0415 - loads the HTTP client

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
