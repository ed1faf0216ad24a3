"""Which program a host's entry starts: this very installation, another one of ours, or something else.

A file in a project comes from whoever wrote the project: what stands there under our name is not ours for its name.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from libravdb.cli.mcp.mcp_hosts import NAME, InstallScope, ServerEntry
from libravdb.errors import HostError
from libravdb.ports.settings import is_database

STORE = "LIBRAVDB_STORE_PATH"
"""The variable by which an entry tells of another store."""

_VERB = "mcp"
_PROGRAMS = (NAME, f"{NAME}.exe")
_BEFORE = {"--config": True, "--store": True, "--endpoint": True, "--namespace": True, "--json": False}
_BEHIND = {"--user": True, "--aliases": False}
"""The options before the verb and behind it; True for those with a value."""

_HARMLESS = frozenset({"--store", "--namespace", "--json", *_BEHIND})
"""Options that say whose memory it is, and send nothing anywhere. A store that is a database somewhere is none of
them."""


def own_program() -> str:
    """The `libravdb` of this installation, else the one on PATH."""
    beside = Path(sys.executable).with_name(NAME)
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which(NAME)
    if found is None:
        raise HostError(
            "The program libravdb was not found, neither beside Python nor on PATH.",
            remedy="Install libravdb-memory again.",
        )
    return os.path.abspath(found)  # noqa: PTH100 - Path would not take out the dots


def serves_memory(entry: ServerEntry | None) -> bool:
    """True when an entry reads `libravdb … mcp`, of whichever installation."""
    is_named_so = entry is not None and Path(entry.command).name in _PROGRAMS
    return entry is not None and is_named_so and _options(entry.args) is not None


def own_entry(entry: ServerEntry, environ: Mapping[str, str]) -> ServerEntry | None:
    """The entry with the whole path of this installation's program; None when it starts anything else."""
    own = own_program()
    found = shutil.which(entry.command, path=environ.get("PATH"))
    if not serves_memory(entry) or found is None or os.path.realpath(found) != os.path.realpath(own):
        return None
    return ServerEntry(command=own, args=entry.args, env=entry.env)


def brought_settings(entry: ServerEntry, scope: InstallScope, environ: Mapping[str, str]) -> list[str]:
    """What an entry in a project's file sets otherwise than it is set here: it could send tokens and memories to an
    address of its choice, or load code. In the user's own file everything is the user's."""
    if scope is InstallScope.USER:
        return []
    options = [each for each in _options(entry.args) or () if each not in _HARMLESS]
    return options + [name for name, value in entry.env.items() if name != STORE and environ.get(name) != value]


def _options(args: tuple[str, ...]) -> list[str] | None:
    """The options of arguments that make the program serve; None when they are for something else."""
    options: list[str] = []
    known, is_serving = _BEFORE, False
    rest = iter(args)
    for each in rest:
        name, has_value, value = each.partition("=")
        if each == _VERB and not is_serving:
            known, is_serving = _BEHIND, True
        elif name not in known or (has_value and not known[name]):
            return None
        else:
            if known[name] and not has_value:
                value = next(rest, "")
                if not value:
                    return None
            options.append(f"{name} DATABASE" if is_database(value) else name)
    return options if is_serving else None
