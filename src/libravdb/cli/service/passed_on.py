"""What a service's daemon is told: which program it is, and the settings of the command that installs it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from libravdb.config import FILE_VARIABLE, USUAL_FILE, Loaded, ValueOrigin, env_text, lookup, settings
from libravdb.errors import ConfigError, DaemonError
from libravdb.wire import endpoint


def program() -> str:
    """The `libravdbd` of this installation, else the one on PATH."""
    beside = Path(sys.executable).with_name("libravdbd")
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("libravdbd")
    if found is None:
        raise DaemonError(
            "libravdbd was not found, neither beside Python nor on PATH.", remedy="Install libravdb-memory again."
        )
    return os.path.abspath(found)  # noqa: PTH100 - Path would not take out the dots


def passed_on(loaded: Loaded) -> dict[str, str]:
    """The variables that give the daemon the settings of this command's options and environment.

    Paths are full ones, for the daemon runs elsewhere. What stands in the file is left there, to be changed there;
    secrets never go into a service's file.
    """
    environment: dict[str, str] = {}
    if loaded.file is not None and loaded.file != USUAL_FILE.expanduser():
        environment[FILE_VARIABLE] = str(loaded.file)
    for each in settings():
        origin, value = loaded.origins[each.key], lookup(loaded.config, each.key)
        if each.is_confidential(value) or origin.source not in (ValueOrigin.ENVIRONMENT, ValueOrigin.ARGUMENT):
            continue
        if each.key == "daemon.endpoint":
            value = str(endpoint.parse(str(value)))
        name = origin.name if origin.source is ValueOrigin.ENVIRONMENT else each.env
        environment[name] = env_text(each, value)
    return environment


def refuse_withheld_store(loaded: Loaded) -> None:
    """A file that lacks the address of the database, because of its password, would lead to another memory."""
    key = "store.url"
    origin, told = loaded.origins[key], next(each for each in settings() if each.key == key)
    is_passed_on = origin.source in (ValueOrigin.ENVIRONMENT, ValueOrigin.ARGUMENT)
    if is_passed_on and told.is_confidential(lookup(loaded.config, key)):
        raise ConfigError(
            key,
            "has a password in it, which is written into no file of a service or a host",
            origin=str(origin),
            remedy="Leave the password out of the address and put it into ~/.pgpass; or set store.url in the"
            " configuration file.",
        )


def withheld(loaded: Loaded) -> list[str]:
    """The variables with secrets, which the daemon will not have."""
    held = ((each, lookup(loaded.config, each.key)) for each in settings())
    secret = [loaded.origins[each.key] for each, value in held if each.secret or each.is_confidential(value)]
    return [origin.name for origin in secret if origin.source is ValueOrigin.ENVIRONMENT]
