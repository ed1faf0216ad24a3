"""What `doctor --openclaw` looks at: is the plugin in place, does the host use it, does the daemon answer?

Only files are read: the host is not started, which would take seconds and might change something.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from libravdb import __version__
from libravdb.cli.openclaw.host import is_too_old
from libravdb.cli.openclaw.host_config import (
    SLOTS,
    STOCK,
    HostConfig,
    calls_waiting,
    config_path,
    mapping,
    read_plain,
    state_folder,
)
from libravdb.cli.openclaw.install_record import InstallRecord, read_record
from libravdb.cli.openclaw.plugin_folder import PLUGIN, surface_of
from libravdb.cli.openclaw.round_trip import ask_daemon, endpoint_of, plugins_config
from libravdb.config import Config
from libravdb.errors import ConfigError, LibraError
from libravdb.model import Health, HealthCheck

INSTALL = "Run 'libravdb openclaw install'."
COPY = (
    f"{PLUGIN} is a copy (npm or a tarball) and comes after {STOCK}, which keeps 'openclaw memory', memory_search and "
    "memory_get; ours are 'openclaw libravdb', libravdb_search and libravdb_get"
)


def examine_openclaw(environ: Mapping[str, str]) -> list[HealthCheck]:
    """Every check of the host's side, as far as the ones before it leave something to look at."""
    results = [_host(environ)]
    found = _read_config(config_path(environ))
    if isinstance(found, HealthCheck):
        return [*results, found]
    results.append(HealthCheck(name="openclaw configuration", health=Health.GOOD, detail=f"read from {found.path}"))
    record = read_record(state_folder(environ))
    results += [_plugin(found, record), _slots(found), _dreaming(found)]
    try:
        config = plugins_config(found, environ)
    except ConfigError as error:
        return [*results, _bad("plugin settings", error.message, error.remedy)]
    return [*results, _daemon(found, config, environ), *_waiting(environ)]


# ── the host ──────────────────────────────────────────────────────────────────────────────────────────────


def _host(environ: Mapping[str, str]) -> HealthCheck:
    program = shutil.which("openclaw", path=environ.get("PATH"))
    if program is None:
        return _notice("openclaw", "not found on PATH", "Install it with npm, or go on if it runs elsewhere.")
    version = _version_of(Path(program).resolve().parent / "package.json")
    if is_too_old(version):
        return _bad("openclaw", f"{version} at {program} is too old", "The plugin needs 2026.9 or newer.")
    return HealthCheck(name="openclaw", health=Health.GOOD, detail=f"{version or 'of unknown version'} at {program}")


def _version_of(package: Path) -> str:
    try:
        return str(mapping(json.loads(package.read_text(encoding="utf-8"))).get("version", ""))
    except (OSError, ValueError):
        return ""


def _read_config(path: Path) -> HostConfig | HealthCheck:
    name = "openclaw configuration"
    try:
        found = read_plain(path)
    except FileNotFoundError:
        return _bad(name, f"{path} does not exist", "Run 'openclaw onboard', or set OPENCLAW_CONFIG_PATH.")
    except OSError as error:
        return _bad(name, f"{path} cannot be read ({error.strerror})", "Give this user the right to read it.")
    if found is None:
        remedy = "It may be JSON5 all the same; 'openclaw plugins inspect libravdb-memory --runtime' tells the rest."
        return _notice(name, f"{path} is not plain JSON, so the rest cannot be checked", remedy)
    return found


# ── the plugin ────────────────────────────────────────────────────────────────────────────────────────────


def _plugin(found: HostConfig, record: InstallRecord | None) -> HealthCheck:
    name = "plugin"
    if found.plugins.get("enabled") is False:
        return _bad(name, "all plugins are switched off", "Remove plugins.enabled: false.")
    if not found.entry and not found.linked:
        return _bad(name, f"{PLUGIN} is not installed", INSTALL)
    if found.entry.get("enabled") is False:
        return _bad(name, f"{PLUGIN} is switched off", f"openclaw plugins enable {PLUGIN}")
    if PLUGIN in (found.plugins.get("deny") or ()):
        return _bad(name, f"{PLUGIN} is in plugins.deny", "Take it out.")
    allowed = found.plugins.get("allow")
    if allowed and PLUGIN not in allowed:
        return _bad(name, f"plugins.allow does not name {PLUGIN}", "Add it there.")
    gone = [path for path in found.load_paths if not path.exists() and path.name == "openclaw_plugin"]
    if gone and not found.linked:
        return _bad(name, f"{gone[0]} is linked and is gone: its Python was removed or replaced", INSTALL)
    if not found.linked and not found.is_stock_off:
        return _notice(name, COPY, f"{INSTALL} It links it instead.")
    if found.linked and record is not None and record.surface not in ("", surface_of(found.linked[0])):
        return _notice(name, f"{found.linked[0]} was updated since OpenClaw was asked for consent", INSTALL)
    where = f", linked from {found.linked[0]}" if found.linked else ""
    return HealthCheck(name=name, health=Health.GOOD, detail=f"{PLUGIN} is installed and on{where}")


def _dreaming(found: HostConfig) -> HealthCheck:
    """The host's nightly work goes on beside whoever holds the memory slot, unless that one's settings say no."""
    if found.is_dreaming_off or found.is_stock_off:
        return HealthCheck(name="dreaming", health=Health.GOOD, detail=f"that of {STOCK} is off")
    remedy = f"openclaw config set plugins.entries.{PLUGIN}.config.dreaming.enabled false"
    return _notice("dreaming", f"{STOCK} goes on dreaming at night beside this memory", remedy)


def _slots(found: HostConfig) -> HealthCheck:
    others = {slot: found.slots.get(slot) for slot in SLOTS if found.slots.get(slot) != PLUGIN}
    if not others:
        return HealthCheck(name="slots", health=Health.GOOD, detail=f"{PLUGIN} is memory and context engine")
    told = ", ".join(f"{slot} is {holder or 'the default'}" for slot, holder in others.items())
    remedy = " ".join(f"openclaw config set plugins.slots.{slot} {PLUGIN};" for slot in others).rstrip(";")
    return _bad("slots", told, remedy)


# ── the daemon ────────────────────────────────────────────────────────────────────────────────────────────


def _daemon(found: HostConfig, config: Config, environ: Mapping[str, str]) -> HealthCheck:
    name = "daemon"
    told = endpoint_of(config, environ)
    try:
        status = ask_daemon(config, environ)
    except LibraError as error:
        return _absent(found, told, error, environ)
    if status.version != __version__:
        detail = f"version {status.version} at {told}, this command is {__version__}"
        return _notice(name, detail, "Restart the daemon: the plugin works with the one that runs.")
    return HealthCheck(name=name, health=Health.GOOD, detail=f"answers at {told}, {status.turn_count:,} turns kept")


def _waiting(environ: Mapping[str, str]) -> list[HealthCheck]:
    """What was said while no daemon listened, and is told to nobody yet."""
    waiting = calls_waiting(environ)
    if not waiting:
        return []
    detail = f"{len(waiting):,} turns and hints wait in {waiting[0].parent}"
    remedy = "A running gateway tells them to the daemon within seconds. Before you erase a person, let it do so."
    return [_notice("waiting turns", detail, remedy)]


def _absent(found: HostConfig, told: str, error: LibraError, environ: Mapping[str, str]) -> HealthCheck:
    """No daemon; that is no harm when the plugin can start one."""
    detail = f"nobody answers at {told} ({error.message})"
    if found.settings.get("startDaemon") is False:
        return _bad("daemon", detail, "Start it: libravdb service install, or libravdbd.")
    command = str(found.settings.get("daemonCommand") or "libravdbd")
    if shutil.which(command, path=environ.get("PATH")) is None:
        remedy = f"Set plugins.entries.{PLUGIN}.config.daemonCommand to the full path of libravdbd."
        return _bad("daemon", f"{detail}, and {command} is not on PATH", remedy)
    return _notice("daemon", detail, f"The plugin starts {command} with the next turn.")


def _bad(name: str, detail: str, remedy: str) -> HealthCheck:
    return HealthCheck(name=name, health=Health.BAD, detail=detail, remedy=remedy)


def _notice(name: str, detail: str, remedy: str) -> HealthCheck:
    return HealthCheck(name=name, health=Health.NOTICE, detail=detail, remedy=remedy)
