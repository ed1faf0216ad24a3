"""What installing does: by the host's own commands, with what stood before written down first, and tried at the end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from libravdb import __version__
from libravdb.cli.openclaw.host import OpenClawHost
from libravdb.cli.openclaw.host_config import HostConfig
from libravdb.cli.openclaw.install_record import (
    InstallRecord,
    read_record,
    record_path,
    restoring,
    what_stands,
    write_record,
)
from libravdb.cli.openclaw.plan import PluginChange, merged
from libravdb.cli.openclaw.plugin_folder import PLUGIN, id_of, surface_of
from libravdb.cli.openclaw.round_trip import try_daemon
from libravdb.cli.output import Output
from libravdb.errors import HostError

COMMAND = "libravdb"
"""The command of the host that is ours, however the plugin came there."""

SQLITE = b"SQLite format 3\0"


def refuse_foreign_store(path: Path) -> None:
    """Raises for a file of another program where our store would be, such as one of the earlier implementation."""
    try:
        with path.open("rb") as file:
            start = file.read(len(SQLITE))
    except OSError:
        return
    if start and start != SQLITE:
        raise HostError(
            f"{path} is not a store of this program; another one has written it.",
            remedy=f"Move it away (mv {path} {path}.old), or name another place: libravdb --store PATH openclaw install",  # noqa: E501 - one sentence
        )


def carry_out(
    output: Output, host: OpenClawHost, found: HostConfig, changes: tuple[PluginChange, ...], *, folder: Path
) -> None:
    """Do what is missing. It can be repeated after a failure, and undone."""
    state = host.state_folder
    record = read_record(state) or what_stands(found, plugin=PLUGIN)
    write_record(state, record)
    done: list[str] = []
    try:
        with output.progress("Telling OpenClaw") as progress:
            progress(0, 2)
            if any(change.is_link and not change.is_so for change in changes):
                _link(host, found, folder)
                done.append("linked the plugin")
                output.say("Linked the plugin.")
            progress(1, 2)
            if patch := merged(changes):
                host.patch(patch)
                done.append("set slots and settings")
                output.say("Set slots and settings.")
            progress(2, 2)
    except HostError as error:
        before = f" Done before it: {', '.join(done)}." if done else " Nothing was changed before it."
        raise HostError(
            f"{error.message}{before}",
            remedy=f"{error.remedy} Repeat this command to go on, or undo it: libravdb openclaw uninstall",
        ) from error
    write_record(state, replace(record, version=__version__, surface=surface_of(folder)))


def _link(host: OpenClawHost, found: HostConfig, folder: Path) -> None:
    """Link our folder; one that held the plugin before, of an older installation, is no longer looked at."""
    stale = [path for path in found.load_paths if _was_ours(path) and path.resolve() != folder.resolve()]
    if stale:
        kept = [str(path) for path in found.load_paths if path not in stale]
        host.patch({"plugins": {"load": {"paths": kept}}})
    command = ("plugins", "install", "--link", "--force", "--accept-capabilities", str(folder))
    try:
        host.call(*command)
    except HostError:
        if not found.entry or found.linked:
            raise
        _replace_copy(host, command)


def _replace_copy(host: OpenClawHost, command: tuple[str, ...]) -> None:
    """The host links nothing over a copy (npm, a tarball): take that one out first, and keep its settings.

    The settings are read after a write of the host's, which leaves plain JSON: only there secrets stand as they are.
    """
    host.patch({"plugins": {"entries": {PLUGIN: {"enabled": True}}}})
    settings = host.read().settings
    host.call("plugins", "uninstall", "--force", PLUGIN)
    host.call(*command)
    if settings:
        host.patch({"plugins": {"entries": {PLUGIN: {"config": dict(settings)}}}})


def _was_ours(path: Path) -> bool:
    """Whether our plugin is there, or was: its Python may be gone."""
    return id_of(path) == PLUGIN or (path.name == "openclaw_plugin" and not path.exists())


def verify(output: Output, host: OpenClawHost, environ: Mapping[str, str]) -> str:
    """One round trip through the daemon, and one through the host; gives where the daemon is."""
    with output.progress("Trying it") as progress:
        progress(0, 2)
        address = try_daemon(host.read(), environ, log=host.state_folder / "libravdb" / "libravdbd.log")
        output.say(f"Memory answers at {address}: one text kept, found and deleted.")
        progress(1, 2)
        version = _version_in(host.call(COMMAND, "status", "--json"))
        output.say(f"OpenClaw loads the plugin, and it reaches the daemon, version {version}.")
        progress(2, 2)
    return address


def _version_in(told: str) -> str:
    """What the plugin tells of the daemon; the host may print lines of its own before."""
    try:
        return str(json.loads(told[told.index("{") :])["version"])
    except (ValueError, KeyError, TypeError) as error:
        raise HostError(
            f"OpenClaw does not load the plugin as it should: 'openclaw {COMMAND} status' gives no status.",
            remedy=f"'openclaw plugins inspect {PLUGIN} --runtime' tells why.",
        ) from error


def put_back(output: Output, host: OpenClawHost, found: HostConfig, before: InstallRecord) -> None:
    """Take the plugin out and let what stood before stand again."""
    with output.progress("Telling OpenClaw") as progress:
        progress(0, 2)
        if found.entry or found.linked:
            _take_out(host)
        progress(1, 2)
        host.patch(restoring(before, plugin=PLUGIN))
        record_path(host.state_folder).unlink(missing_ok=True)
        progress(2, 2)


def _take_out(host: OpenClawHost) -> None:
    """By the host's own command; what it does not know any more needs none."""
    try:
        host.call("plugins", "uninstall", "--force", PLUGIN)
    except HostError as error:
        if "not found" not in error.message.lower():
            raise
