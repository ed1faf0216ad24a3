"""One text kept, found and deleted again, by the daemon that the plugin will use; it is started when nobody answers."""

from __future__ import annotations

import os
import select
import subprocess
import uuid
from collections.abc import Mapping
from pathlib import Path

from libravdb.cli.openclaw.host_config import HostConfig
from libravdb.client.client import Client
from libravdb.client.transport import SocketTransport
from libravdb.config import Config, env_text, from_host, load, settings
from libravdb.errors import DaemonError, LibraError
from libravdb.model.collections import durable_memory
from libravdb.model.namespaces import named
from libravdb.wire import endpoint
from libravdb.wire.methods.method import NoParams
from libravdb.wire.methods.storage import (
    FLUSH_NAMESPACE,
    INSERT_TEXT,
    SEARCH_TEXT,
    STATUS,
    InsertText,
    NamespaceParams,
    SearchText,
    StatusResult,
)

TEXT = "The installation of the OpenClaw plugin is tried with this sentence."
READY_SECONDS = 60.0


def plugins_config(found: HostConfig, environ: Mapping[str, str]) -> Config:
    """The configuration of a daemon that the plugin starts: its settings over the file and the environment."""
    return load(environ=environ, arguments=from_host(found.engine_settings, str(found.path))).config


def store_of(found: HostConfig, environ: Mapping[str, str], *, usual: Path) -> Path:
    """The store of that daemon; the usual one when the plugin's settings cannot be read."""
    try:
        return plugins_config(found, environ).store.path if found.engine_settings else usual
    except LibraError:
        return usual


def endpoint_of(config: Config, environ: Mapping[str, str]) -> str:
    """Where the plugin looks for the daemon."""
    return config.daemon.endpoint or f"unix:{environ.get('HOME', '~')}/.clawdb/run/libravdb.sock"


def ask_daemon(config: Config, environ: Mapping[str, str]) -> StatusResult:
    """How the daemon is; raises when nobody answers."""
    with _client(config, environ, seconds=10) as client:
        return client.call(STATUS, NoParams())


def try_daemon(found: HostConfig, environ: Mapping[str, str], *, log: Path) -> str:
    """Reach the daemon or start it, keep a text in a namespace of its own, find it and delete it; gives where it is."""
    config = plugins_config(found, environ)
    try:
        ask_daemon(config, environ)
    except DaemonError as error:
        if found.settings.get("startDaemon") is False:
            remedy = "The plugin is told not to start it (startDaemon): run 'libravdb service install' or libravdbd."
            raise DaemonError(error.message, remedy=remedy) from error
        _start(found, environ, config, log=log)
    namespace = named(f"agent-id:install-check-{uuid.uuid4().hex}")
    with _client(config, environ, seconds=60) as client:
        collection = durable_memory(namespace)
        try:
            client.call(INSERT_TEXT, InsertText(collection=collection, id="try", text=TEXT))
            hits = client.call(SEARCH_TEXT, SearchText(collection=collection, text="trying the plugin", k=1)).results
        finally:
            client.call(FLUSH_NAMESPACE, NamespaceParams(namespace=namespace))
    if [hit.text for hit in hits] != [TEXT]:
        raise DaemonError("The daemon keeps a text and does not find it again.", remedy="'libravdb doctor' looks why.")
    return endpoint_of(config, environ)


def _client(config: Config, environ: Mapping[str, str], *, seconds: float) -> Client:
    address = endpoint.parse(endpoint_of(config, environ))
    return Client(SocketTransport(address, token=config.daemon.token, pauses=()), seconds=seconds)


def _start(found: HostConfig, environ: Mapping[str, str], config: Config, *, log: Path) -> None:
    """Start it as the plugin does: it serves every host and outlives this command."""
    command = str(found.settings.get("daemonCommand") or "libravdbd")
    told = {name: value for name, value in environ.items() if name != "LIBRAVDB_RPC_ENDPOINT"}
    environment = {**told, **_passed_on(found), "LIBRAVDB_DAEMON_ENDPOINT": endpoint_of(config, environ)}
    try:
        log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(log, "ab", opener=_private) as out:
            daemon = subprocess.Popen(  # noqa: S603 - no shell, the program that the plugin will start
                [command, "serve"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=out,
                start_new_session=True,
            )
    except OSError as error:
        raise DaemonError(f"{command} cannot be started ({error.strerror}).", remedy="See daemonCommand.") from error
    assert daemon.stdout is not None  # noqa: S101 - it is a pipe
    with daemon.stdout as says:
        is_told, _, _ = select.select([says], [], [], READY_SECONDS)
        line = os.read(says.fileno(), 4_096) if is_told else b""
    if not line:
        code = daemon.poll()
        problem = "was not ready in time" if code is None else f"ended with exit code {code}"
        raise DaemonError(f"The daemon {problem}.", remedy=f"{log} tells why; 'libravdb doctor' looks for the cause.")
    daemon.returncode = 0  # it goes on without us: nobody waits for it here


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _passed_on(found: HostConfig) -> dict[str, str]:
    """The plugin's settings as the daemon reads them from its environment; defaults are left to the daemon's file."""
    try:
        written = from_host(found.engine_settings, str(found.path))
    except LibraError:
        return {}
    by_key = {each.key: each for each in settings()}
    return {
        by_key[key].env: env_text(by_key[key], one.value)
        for key, one in written.items()
        if one.value != by_key[key].default
    }
