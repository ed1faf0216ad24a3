"""What `doctor --openclaw` looks at: is the plugin in place, does the host use it, does the daemon answer?

Only files are read: the host is not started, which would take seconds and might change something.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libravdb import __version__
from libravdb.cli.doctor import Health, Result
from libravdb.client.client import Client
from libravdb.client.transport import SocketTransport
from libravdb.config import Config, from_host, load
from libravdb.errors import ConfigError, LibraError
from libravdb.wire import endpoint
from libravdb.wire.methods.method import NoParams
from libravdb.wire.methods.storage import STATUS

PLUGIN = "libravdb-memory"
OLDEST_HOST = (2026, 9)
SLOTS = ("memory", "contextEngine")
SECTIONS = frozenset(Config.__dataclass_fields__)
INSTALL = "openclaw plugins install --link --force --accept-capabilities plugins/openclaw (from this project's folder)."


def examine_openclaw(environ: Mapping[str, str]) -> list[Result]:
    """Every check of the host's side, as far as the ones before it leave something to look at."""
    results = [_host(environ)]
    found = _read_config(_config_path(environ))
    if isinstance(found, Result):
        return [*results, found]
    results.append(Result(name="openclaw configuration", health=Health.GOOD, detail=f"read from {found.path}"))
    results += [_plugin(found), _slots(found)]
    try:
        config = load(environ=environ, arguments=from_host(found.engine_settings, str(found.path))).config
    except ConfigError as error:
        return [*results, _bad("plugin settings", error.message, error.remedy)]
    return [*results, _daemon(found, config, environ)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _HostConfig:
    """The host's configuration, as it is written."""

    path: Path
    document: Mapping[str, Any]

    @property
    def plugins(self) -> Mapping[str, Any]:
        return _object(self.document.get("plugins"))

    @property
    def entry(self) -> Mapping[str, Any]:
        return _object(_object(self.plugins.get("entries")).get(PLUGIN))

    @property
    def settings(self) -> Mapping[str, Any]:
        return _object(self.entry.get("config"))

    @property
    def engine_settings(self) -> Mapping[str, object]:
        """What of the plugin's settings the engine knows; the rest is the plugin's own."""
        return {name: value for name, value in self.settings.items() if name in SECTIONS}


# ── the host ──────────────────────────────────────────────────────────────────────────────────────────────


def _host(environ: Mapping[str, str]) -> Result:
    program = shutil.which("openclaw", path=environ.get("PATH"))
    if program is None:
        return _notice("openclaw", "not found on PATH", "Install it with npm, or go on if it runs elsewhere.")
    version = _version_of(Path(program).resolve().parent / "package.json")
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers and numbers < OLDEST_HOST:
        return _bad("openclaw", f"{version} at {program} is too old", "The plugin needs 2026.9 or newer.")
    return Result(name="openclaw", health=Health.GOOD, detail=f"{version or 'of unknown version'} at {program}")


def _version_of(package: Path) -> str:
    try:
        return str(_object(json.loads(package.read_text(encoding="utf-8"))).get("version", ""))
    except (OSError, ValueError):
        return ""


def _config_path(environ: Mapping[str, str]) -> Path:
    if named := environ.get("OPENCLAW_CONFIG_PATH"):
        return Path(named).expanduser()
    home = Path(environ.get("HOME", "~")).expanduser()
    return Path(environ.get("OPENCLAW_STATE_DIR") or home / ".openclaw").expanduser() / "openclaw.json"


def _read_config(path: Path) -> _HostConfig | Result:
    name = "openclaw configuration"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _bad(name, f"{path} does not exist", "Run 'openclaw onboard', or set OPENCLAW_CONFIG_PATH.")
    except OSError as error:
        return _bad(name, f"{path} cannot be read ({error.strerror})", "Give this user the right to read it.")
    except ValueError:
        remedy = "It may be JSON5 all the same; 'openclaw plugins inspect libravdb-memory --runtime' tells the rest."
        return _notice(name, f"{path} is not plain JSON, so the rest cannot be checked", remedy)
    return _HostConfig(path=path, document=_object(document))


# ── the plugin ────────────────────────────────────────────────────────────────────────────────────────────


def _plugin(found: _HostConfig) -> Result:
    name = "plugin"
    if found.plugins.get("enabled") is False:
        return _bad(name, "all plugins are switched off", "Remove plugins.enabled: false.")
    if not found.entry and not _is_loaded_by_path(found):
        return _bad(name, f"{PLUGIN} is not installed", INSTALL)
    if found.entry.get("enabled") is False:
        return _bad(name, f"{PLUGIN} is switched off", f"openclaw plugins enable {PLUGIN}")
    if PLUGIN in (found.plugins.get("deny") or ()):
        return _bad(name, f"{PLUGIN} is in plugins.deny", "Take it out.")
    allowed = found.plugins.get("allow")
    if allowed and PLUGIN not in allowed:
        return _bad(name, f"plugins.allow does not name {PLUGIN}", "Add it there.")
    return Result(name=name, health=Health.GOOD, detail=f"{PLUGIN} is installed and on")


def _is_loaded_by_path(found: _HostConfig) -> bool:
    paths = _object(found.plugins.get("load")).get("paths") or ()
    return any(
        _object(_json(Path(str(path)).expanduser() / "openclaw.plugin.json")).get("id") == PLUGIN for path in paths
    )


def _json(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _slots(found: _HostConfig) -> Result:
    slots = _object(found.plugins.get("slots"))
    others = {slot: slots.get(slot) for slot in SLOTS if slots.get(slot) != PLUGIN}
    if not others:
        return Result(name="slots", health=Health.GOOD, detail=f"{PLUGIN} is memory and context engine")
    told = ", ".join(f"{slot} is {holder or 'the default'}" for slot, holder in others.items())
    remedy = " ".join(f"openclaw config set plugins.slots.{slot} {PLUGIN};" for slot in others).rstrip(";")
    return _bad("slots", told, remedy)


# ── the daemon ────────────────────────────────────────────────────────────────────────────────────────────


def _daemon(found: _HostConfig, config: Config, environ: Mapping[str, str]) -> Result:
    name = "daemon"
    told = config.daemon.endpoint or f"unix:{environ.get('HOME', '~')}/.clawdb/run/libravdb.sock"
    try:
        transport = SocketTransport(endpoint.parse(told), token=config.daemon.token, pauses=())
        with Client(transport, seconds=5) as client:
            status = client.call(STATUS, NoParams())
    except LibraError as error:
        return _absent(found, told, error, environ)
    if status.version != __version__:
        detail = f"version {status.version} at {told}, this command is {__version__}"
        return _notice(name, detail, "Restart the daemon: the plugin works with the one that runs.")
    return Result(name=name, health=Health.GOOD, detail=f"answers at {told}, {status.turn_count:,} turns kept")


def _absent(found: _HostConfig, told: str, error: LibraError, environ: Mapping[str, str]) -> Result:
    """No daemon; that is no harm when the plugin can start one."""
    detail = f"nobody answers at {told} ({error.message})"
    if found.settings.get("startDaemon") is False:
        return _bad("daemon", detail, "Start it: libravdb service install, or libravdbd.")
    command = str(found.settings.get("daemonCommand") or "libravdbd")
    if shutil.which(command, path=environ.get("PATH")) is None:
        remedy = f"Set plugins.entries.{PLUGIN}.config.daemonCommand to the full path of libravdbd."
        return _bad("daemon", f"{detail}, and {command} is not on PATH", remedy)
    return _notice("daemon", detail, f"The plugin starts {command} with the next turn.")


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _bad(name: str, detail: str, remedy: str) -> Result:
    return Result(name=name, health=Health.BAD, detail=detail, remedy=remedy)


def _notice(name: str, detail: str, remedy: str) -> Result:
    return Result(name=name, health=Health.NOTICE, detail=detail, remedy=remedy)
