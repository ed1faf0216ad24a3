"""stop: ends the daemon that holds the store."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING

import click

from libravdb.app import daemon_of
from libravdb.errors import DaemonError

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext

SECONDS = 60.0
"""What runs is finished first: a long compaction may take a while."""


@click.command()
@click.pass_obj
def stop(session: CommandContext) -> None:
    """End the daemon that holds the store. What runs is finished first; nothing is lost.

    A daemon that runs as a service is left to its service manager: 'libravdb service stop'.

    \b
    Examples:
      libravdb stop
      libravdb --store ~/agents/memory.libravdb stop
    """
    store = session.loaded.config.store
    holder = daemon_of(store)
    if holder is not None:
        _refuse_service(holder.pid)
        _end(holder.pid)
        deadline = time.monotonic() + SECONDS
        while (still := daemon_of(store)) is not None and still.pid == holder.pid:
            if time.monotonic() > deadline:
                raise DaemonError(
                    f"The daemon (process {holder.pid}) was told to end and has not yet.",
                    remedy=f"It finishes what runs; look again, or end it at once: kill -9 {holder.pid}",
                )
            time.sleep(0.05)
    if session.output.is_json:
        session.output.json({"stopped": holder is not None, "pid": holder.pid if holder else None})
    elif holder is None:
        session.output.say(f"No daemon holds {store.place}: there is nothing to stop.")
    else:
        session.output.say(f"Stopped the daemon (process {holder.pid}) of {store.place}.")


def _end(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return  # it was quicker
    except PermissionError as error:
        raise DaemonError(
            f"The daemon (process {pid}) belongs to another user.", remedy="Stop it as that user, or as root."
        ) from error


def _refuse_service(pid: int) -> None:
    """A service would be started again by its manager."""
    from libravdb.cli.service.supervisors import supervisor_of  # noqa: PLC0415 - only when there is a daemon

    try:
        supervisor = supervisor_of(sys.platform, environ=os.environ)
        state = supervisor.state() if supervisor.path.exists() else None
    except DaemonError:
        return  # no such manager on this machine
    if state is not None and state.is_running and state.pid == pid:
        raise DaemonError(
            f"The daemon (process {pid}) runs as a service: {supervisor.name} would start it again.",
            remedy="'libravdb service stop' stops it until the next login, 'libravdb service remove' for good.",
        )


COMMANDS: tuple[click.Command, ...] = (stop,)
