"""The command `libravdbd`: open the store, listen, serve until told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from libravdb import __version__
from libravdb.app import claim_for_daemon, now, open_engine_over, open_store, open_workspaces
from libravdb.config import Config, load
from libravdb.daemon import prometheus
from libravdb.daemon.announcement import announce
from libravdb.daemon.call_stats import Calls
from libravdb.daemon.dispatch import Dispatcher
from libravdb.daemon.folder_watch import FolderWatch, NoWatch, open_watch
from libravdb.daemon.guard import Guard
from libravdb.daemon.handlers.engine import EngineMethods
from libravdb.daemon.handlers.lifecycle import LifecycleMethods
from libravdb.daemon.handlers.memories import MemoryMethods
from libravdb.daemon.handlers.notes import NoteMethods
from libravdb.daemon.handlers.storage import StorageMethods
from libravdb.daemon.handlers.transfer import TransferMethods
from libravdb.daemon.log_lines import JsonLines, hidden_settings
from libravdb.daemon.model_upgrade import ModelUpgrade
from libravdb.daemon.note_watch import NoteWatch
from libravdb.daemon.retention_rounds import RetentionRounds
from libravdb.daemon.server import Limits, Server
from libravdb.daemon.store_checks import StoreChecks
from libravdb.daemon.tokens import TokenRegistry, tokens_path
from libravdb.engine.engine import Engine
from libravdb.errors import LibraError, StoreClosed
from libravdb.ports.claim import Claim
from libravdb.wire import endpoint

logger = logging.getLogger("libravdb.daemon")
USAGE = "usage: libravdbd [serve | version]"


def main() -> None:
    """Entry point; leaves with 0 after a clean stop, 1 when it could not start."""
    arguments = sys.argv[1:]
    if arguments == ["version"]:
        print(f"libravdbd {__version__}")
        return
    if arguments not in ([], ["serve"]):
        print(USAGE, file=sys.stderr)
        sys.exit(1)
    try:
        serve(os.environ)
    except LibraError as error:
        print(f"libravdbd: {error.message}", error.remedy, sep="\n  ", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(0)  # stopped before it could listen
    if any(thread.name.startswith("libravdb-") and not thread.daemon for thread in threading.enumerate()):
        os._exit(0)  # a call is under way that nobody waits for; the store is closed, and nothing is half written


def serve(environ: Mapping[str, str]) -> None:
    """Run the daemon with the configuration of this environment."""
    config = load(environ=environ).config
    _set_up_logging(config)
    with claim_for_daemon(config.store) as held:
        address = config.daemon.endpoint or endpoint.default_endpoint(environ)
        _make_private(address, environ)
        _serve_locked(config, held, endpoint.parse(address))


def _serve_locked(config: Config, held: Claim, wanted: endpoint.Endpoint) -> None:
    tokens = TokenRegistry.over(tokens_path(config.daemon, config.store.path), token=config.daemon.token)
    listener, actual = endpoint.listen(wanted, has_token=not wanted.path and not tokens.is_empty())
    made = Path(actual.path).stat().st_ino if actual.path else 0
    stopping = threading.Event()
    try:
        with open_store(config.store) as store, open_engine_over(store, config) as engine:
            announce(held, str(actual), stopping)
            calls = Calls()
            watch = open_watch(engine, config.watch)
            notes = NoteWatch(engine.notes, open_workspaces())
            methods = StorageMethods(
                engine,
                store,
                clock=now,
                calls=calls,
                path=str(config.store.path),
                journal_entries=config.daemon.journal_entries,
                watching=watch.state,
            )
            engine_methods = EngineMethods(engine, stopping=stopping, watching=watch.state)
            transfers = TransferMethods(
                engine,
                store_path=config.store.path,
                backup_folder=config.daemon.backup_folder,
                progress=engine_methods.go_on,
            )
            handlers = {
                **methods.handlers(),
                **engine_methods.handlers(),
                **LifecycleMethods(engine).handlers(),
                **MemoryMethods(engine, transfers, progress=engine_methods.go_on).handlers(),
                **NoteMethods(engine, notes).handlers(),
                **transfers.handlers(),
            }
            dispatcher = Dispatcher(
                handlers,
                calls=calls,
                guard=Guard(store, engine.masking),
                tokens=tokens,
                log_text=config.daemon.log_text,
            )
            limits = Limits(line_bytes=config.daemon.max_line_mb * 2**20, connections=config.daemon.max_connections)
            server = Server(dispatcher, listener, needs_token=not actual.path, limits=limits)
            _warm_up(engine)
            gauges = {
                "connections": lambda: float(server.connections),
                "store_bytes": lambda: float(config.store.path.stat().st_size),
                "store_writable": lambda: float(store.maintenance.health().is_writable),
            }
            checks = StoreChecks(store.maintenance, hours=config.daemon.check_hours)
            stop_metrics = prometheus.start(config.daemon.metrics_port, calls, gauges=gauges)
            upgrade = ModelUpgrade(engine.embeddings)
            checks.start()
            retention = RetentionRounds(engine.expiry, engine.retention)
            retention.start()
            try:
                asyncio.run(_run(server, str(actual), held, stopping, (watch, notes, upgrade)))
            finally:
                checks.stop()
                retention.stop(limits.shutdown_seconds)
                upgrade.wait(limits.shutdown_seconds)
                watch.stop(limits.shutdown_seconds)
                notes.stop(limits.shutdown_seconds)
                transfers.close()
                stop_metrics()
    finally:
        listener.close()
        if actual.path:
            _remove_own(Path(actual.path), made)


def _remove_own(path: Path, made: int) -> None:
    """Remove our socket, not one that another daemon has put in its place."""
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_ino == made:
            path.unlink()


async def _run(
    server: Server,
    address: str,
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
        print(address, flush=True)
    logger.info("listening", extra={"endpoint": address, "version": __version__})
    for each in beside:
        each.start()
    await server.run(stop)
    logger.info("stopped")


def _warm_up(engine: Engine) -> None:
    """Load the model beside serving, so that neither start nor first question waits for it."""

    def load() -> None:
        with contextlib.suppress(StoreClosed):  # stopped before it was warm
            engine.embeddings.degraded()

    threading.Thread(target=load, name="libravdb-warm-up", daemon=True).start()


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
