"""What `openclaw status` tells: read from files and asked from the daemon; the host itself is not started."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

from libravdb.cli.openclaw.host_config import SLOTS, HostConfig, calls_waiting, config_path, read_plain, state_folder
from libravdb.cli.openclaw.install_record import read_record
from libravdb.cli.openclaw.plugin_folder import PLUGIN
from libravdb.cli.openclaw.round_trip import ask_daemon, endpoint_of, plugins_config
from libravdb.errors import LibraError


def look(environ: Mapping[str, str], *, store: str) -> dict[str, str]:
    """The few facts, each by its name."""
    program = shutil.which("openclaw", path=environ.get("PATH", ""))
    path = config_path(environ)
    facts = {"openclaw": program or "not found on PATH", "configuration": str(path)}
    try:
        found = read_plain(path)
    except FileNotFoundError:
        return {**facts, "plugin": "not installed; 'libravdb openclaw install' installs it", "store": store}
    except OSError as error:
        return {**facts, "plugin": f"unknown: {path} cannot be read ({error.strerror})", "store": store}
    if found is None:
        told = f"unknown: {path} is no plain JSON; 'openclaw plugins inspect {PLUGIN}' tells"
        return {**facts, "plugin": told, "store": store}
    facts["plugin"] = _plugin(found)
    if found.entry:
        others = {slot: found.slots.get(slot) for slot in SLOTS if found.slots.get(slot) != PLUGIN}
        facts["slots"] = ", ".join(f"{slot} is {holder or 'the default'}" for slot, holder in others.items()) or "ours"
        facts["whose memory"] = _whose(found)
    record = read_record(state_folder(environ))
    if record is not None:
        facts["installed"] = f"version {record.version or 'unknown (not finished)'} by 'libravdb openclaw install'"
    if waiting := calls_waiting(environ):
        facts["waiting"] = f"{len(waiting):,} turns and hints that no daemon has heard yet"
    return facts | _daemon(found, environ)


def _plugin(found: HostConfig) -> str:
    if not found.entry and not found.linked:
        return "not installed; 'libravdb openclaw install' installs it"
    if found.entry.get("enabled") is False:
        return "switched off"
    return f"linked from {found.linked[0]}" if found.linked else "a copy (npm or a tarball)"


def _whose(found: HostConfig) -> str:
    if user := found.settings.get("userId"):
        return f"that of {user}, for all agents and chats"
    return f"one per {found.settings.get('memoryPer') or 'default of the plugin'}"


def _daemon(found: HostConfig, environ: Mapping[str, str]) -> dict[str, str]:
    try:
        config = plugins_config(found, environ)
    except LibraError as error:
        return {"daemon": f"unknown: {error.message}"}
    address = endpoint_of(config, environ)
    try:
        told = ask_daemon(config, environ)
    except LibraError:
        return {"daemon": f"nobody answers at {address}", "store": config.store.place}
    return {
        "daemon": f"version {told.version} at {address}, {told.turn_count:,} turns kept",
        "store": told.store_path,
    }
