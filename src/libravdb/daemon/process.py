"""The command `libravdbd`: open the store, listen, serve until told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from libravdb import __version__
from libravdb.app import claim_for_daemon, now, open_engine_over, open_store, open_workspaces
from libravdb.config import Config, load
from libravdb.daemon import prometheus
from libravdb.daemon.announcement import announce
from libravdb.daemon.audit import open_audit
from libravdb.daemon.call_stats import Calls
from libravdb.daemon.dispatch import Dispatcher
from libravdb.daemon.folder_watch import FolderWatch, NoWatch, open_watch
from libravdb.daemon.gauges import daemon_gauges
from libravdb.daemon.guard import Guard
from libravdb.daemon.handlers.engine import EngineMethods
from libravdb.daemon.handlers.inspection import InspectionMethods
from libravdb.daemon.handlers.lifecycle import LifecycleMethods
from libravdb.daemon.handlers.memories import MemoryMethods
from libravdb.daemon.handlers.notes import NoteMethods
from libravdb.daemon.handlers.storage import StorageMethods
from libravdb.daemon.handlers.transfer import TransferMethods, exports_folder
from libravdb.daemon.http_calls import HttpCalls
from libravdb.daemon.http_listener import HttpListener, open_listener
from libravdb.daemon.log_lines import JsonLines, hidden_settings
from libravdb.daemon.mcp_mount import mcp_mounts
from libravdb.daemon.model_upgrade import ModelUpgrade
from libravdb.daemon.note_watch import NoteWatch
from libravdb.daemon.quotas import Quotas
from libravdb.daemon.retention_rounds import RetentionRounds
from libravdb.daemon.server import Limits, Server
from libravdb.daemon.store_checks import StoreChecks
from libravdb.daemon.tokens import TokenRegistry, tokens_path
from libravdb.engine.engine import Engine
from libravdb.errors import LibraError, StoreClosed, StoreError
from libravdb.ports.claim import Claim
from libravdb.ports.store import Store
from libravdb.wire import endpoint

logger = logging.getLogger("libravdb.daemon")
USAGE = "usage: libravdbd [serve] [--http HOST:PORT] [--tls-cert FILE] [--tls-key FILE] | libravdbd version"
OPTIONS = {"--http": "daemon.http", "--tls-cert": "daemon.tls_cert", "--tls-key": "daemon.tls_key"}
"""What can be said on the command line, and the settings that it stands for."""


def main() -> None:
    """Entry point; leaves with 0 after a clean stop, 1 when it could not start."""
    arguments = sys.argv[1:]
    if arguments == ["version"]:
        print(f"libravdbd {__version__}")
        return
    told = read_arguments(arguments)
    if told is None:
        print(USAGE, file=sys.stderr)
        sys.exit(1)
    try:
        serve(os.environ, told)
    except LibraError as error:
        print(f"libravdbd: {error.message}", error.remedy, sep="\n  ", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(0)  # stopped before it could listen
    if any(thread.name.startswith("libravdb-") and not thread.daemon for thread in threading.enumerate()):
        os._exit(0)  # a call is under way that nobody waits for; the store is closed, and nothing is half written


def read_arguments(arguments: Sequence[str]) -> dict[str, object] | None:
    """The settings that a command line names, by their keys; None when it is not understood."""
    left = list(arguments[1:] if arguments[:1] == ["serve"] else arguments)
    told: dict[str, object] = {}
    while left:
        name, has_value, value = left.pop(0).partition("=")
        if name not in OPTIONS or not (has_value or left):
            return None
        told[OPTIONS[name]] = value if has_value else left.pop(0)
    return told


def serve(environ: Mapping[str, str], told: Mapping[str, object] | None = None) -> None:
    """Run the daemon with the configuration of this environment and what the command line says."""
    config = load(environ=environ, arguments=told or {}).config
    _set_up_logging(config)
    with claim_for_daemon(config.store) as held:
        address = config.daemon.endpoint or endpoint.default_endpoint(environ)
        _make_private(address, environ)
        _serve_locked(config, held, endpoint.parse(address))


def _serve_locked(config: Config, held: Claim, wanted: endpoint.Endpoint) -> None:
    tokens = TokenRegistry.over(tokens_path(config.daemon, config.store.local_path), token=config.daemon.token)
    listener, actual = endpoint.listen(wanted, has_token=not wanted.path and not tokens.is_empty())
    made = Path(actual.path).stat().st_ino if actual.path else 0
    stopping = threading.Event()
    try:
        with (
            open_listener(config.daemon, tokens) as http,
            contextlib.closing(open_audit(config.daemon.audit_file)) as audit,
            open_store(config.store) as store,
            open_engine_over(store, config) as engine,
        ):
            announce(held, str(actual), stopping)
            calls = Calls()
            watch = open_watch(engine, config.watch)
            notes = NoteWatch(engine.notes, open_workspaces(), is_shared=store.is_shared)
            engine_methods = EngineMethods(engine, stopping=stopping, watching=watch.state)
            transfers = TransferMethods(
                engine,
                folder=exports_folder(config.store, str(actual)),
                backup_folder=config.daemon.backup_folder,
                progress=engine_methods.go_on,
            )
            methods = StorageMethods(
                engine,
                store,
                clock=now,
                calls=calls,
                path=config.store.place,
                journal_entries=config.daemon.journal_entries,
                watching=watch.state,
            )
            dispatcher = Dispatcher(
                {
                    **methods.handlers(),
                    **engine_methods.handlers(),
                    **LifecycleMethods(engine).handlers(),
                    **MemoryMethods(engine, transfers, progress=engine_methods.go_on).handlers(),
                    **InspectionMethods(engine, progress=engine_methods.go_on).handlers(),
                    **NoteMethods(engine, notes).handlers(),
                    **transfers.handlers(),
                },
                calls=calls,
                guard=Guard(store, engine.masking),
                tokens=tokens,
                quotas=Quotas.over(store, config.daemon),
                audit=audit,
                log_text=config.daemon.log_text,
            )
            doors = _Doors(config, dispatcher, engine=engine, store=store, calls=calls, tokens=tokens)
            doors.open_socket(listener, actual)
            if http is not None:
                doors.open_http(http)
            checks = StoreChecks(store.maintenance, hours=config.daemon.check_hours)
            stop_metrics = prometheus.start(config.daemon.metrics_port, calls, gauges=doors.gauges)
            upgrade = ModelUpgrade(engine.embeddings)
            checks.start()
            retention = RetentionRounds(store, engine.expiry, engine.retention)
            retention.start()
            try:
                asyncio.run(_run(doors, held, stopping, (watch, notes, upgrade)))
            finally:
                doors.close()
                checks.stop()
                for each in (retention.stop, upgrade.wait, watch.stop, notes.stop):
                    each(doors.limits.shutdown_seconds)
                transfers.close()
                stop_metrics()
    finally:
        listener.close()
        if actual.path:
            _remove_own(Path(actual.path), made)


class _Doors:
    """All places at which one dispatcher is served: they share threads, and what is known of strangers."""

    def __init__(
        self,
        config: Config,
        dispatcher: Dispatcher,
        *,
        engine: Engine,
        store: Store,
        calls: Calls,
        tokens: TokenRegistry,
    ) -> None:
        self._settings = config.daemon
        self._dispatcher = dispatcher
        self._engine = engine
        self._store = store
        self._calls = calls
        self._tokens = tokens
        self.limits = Limits(line_bytes=config.daemon.max_line_mb * 2**20, connections=config.daemon.max_connections)
        self._pools = self.limits.open_pools()
        self._strangers = self.limits.strangers()
        self._warm = _warm_up(engine)
        self._runs: list[Callable[[asyncio.Event], Awaitable[None]]] = []
        self.addresses: list[str] = []
        self.gauges = dict(daemon_gauges(store, engine, self._pools))

    def open_socket(self, listener: socket.socket, address: endpoint.Endpoint) -> None:
        """Serve lines on a socket."""
        server = Server(
            self._dispatcher,
            listener,
            needs_token=not address.path,
            limits=self.limits,
            pools=self._pools,
            strangers=self._strangers,
        )
        self.gauges["connections"] = lambda: float(server.connections)
        self._add(server.run, str(address))

    def open_http(self, http: HttpListener) -> None:
        """Serve HTTP beside it."""
        backend = HttpCalls(
            self._dispatcher,
            store=self._store,
            engine=self._engine,
            tokens=self._tokens,
            pools=self._pools,
            strangers=self._strangers,
            calls=self._calls,
            gauges=self.gauges,
            warm=self._warm,
        )
        from libravdb.inspector.mount import inspector_mount  # noqa: PLC0415 - needs the extra that HTTP needs

        mounts = (inspector_mount(), *mcp_mounts(self._dispatcher, self._tokens))
        door = http.open_door(backend, self._settings, mounts=mounts)
        self.gauges["http_connections"] = lambda: float(door.connections)
        self._add(door.run, http.url)

    def _add(self, run: Callable[[asyncio.Event], Awaitable[None]], address: str) -> None:
        self._runs.append(run)
        self.addresses.append(address)

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until `stop`; where one door fails, all are closed."""
        try:
            async with asyncio.TaskGroup() as group:
                for run in self._runs:
                    group.create_task(_closing(run, stop))
        except ExceptionGroup as several:
            raise several.exceptions[0] from several

    def close(self) -> None:
        """Let go of the threads."""
        self._pools.close()


async def _closing(run: Callable[[asyncio.Event], Awaitable[None]], stop: asyncio.Event) -> None:
    try:
        await run(stop)
    finally:
        stop.set()


def _remove_own(path: Path, made: int) -> None:
    """Remove our socket, not one that another daemon has put in its place."""
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_ino == made:
            path.unlink()


async def _run(
    doors: _Doors,
    held: Claim,
    stopping: threading.Event,
    beside: tuple[FolderWatch | NoWatch, NoteWatch, ModelUpgrade],
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def begin_stop() -> None:
        held.retract()
        stopping.set()
        for each in beside:
            each.ask_to_stop()
        stop.set()

    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, begin_stop)
    with contextlib.suppress(BrokenPipeError):  # nobody reads the readiness line: serve all the same
        print(*doors.addresses, sep="\n", flush=True)
    for address in doors.addresses:
        logger.info("listening", extra={"endpoint": address, "version": __version__})
    for each in beside:
        each.start()
    await doors.run(stop)
    logger.info("stopped")


def _warm_up(engine: Engine) -> threading.Event:
    """Load the model beside serving, so that neither start nor first question waits for it; set when that is over."""
    warm = threading.Event()

    def load() -> None:
        try:
            engine.embeddings.degraded()
        except StoreClosed:
            return  # stopped before it was warm
        except StoreError as error:  # the model was loaded before the store was asked
            logger.warning("the store was away while the model was loaded: %s", error)
        warm.set()

    threading.Thread(target=load, name="libravdb-warm-up", daemon=True).start()
    return warm


def _make_private(address: str, environ: Mapping[str, str]) -> None:
    """The default folder of sockets belongs to its owner alone, also when something else made it."""
    folder = Path(environ.get("HOME", "")) / ".clawdb" / "run"
    if address == f"unix:{folder}/libravdb.sock" and folder.is_dir():
        with contextlib.suppress(OSError):
            folder.chmod(0o700)


def _set_up_logging(config: Config) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(hidden_settings(config)))
    root = logging.getLogger("libravdb")
    root.handlers = [handler]
    root.setLevel(config.daemon.log_level.upper())
    root.propagate = False
    with contextlib.suppress(ValueError, OSError):
        _raise_descriptor_limit()


def _raise_descriptor_limit() -> None:
    """Room for many connections; whoever set a hard limit keeps it."""
    import resource  # noqa: PLC0415 - not on every platform

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
