"""service install, start, stop, status, logs, remove: the daemon kept running by the machine's own supervisor."""

from __future__ import annotations

import contextlib
import difflib
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from libravdb.app import holder_of
from libravdb.cli.service.supervisors import WAIT_SECONDS, ServiceState, run_program, supervisor_of
from libravdb.cli.service.units import ServiceUnit
from libravdb.errors import DaemonError

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.config import Loaded, StoreSettings


def announced(store: StoreSettings, *, pid: int) -> str:
    """Where this process listens, as it wrote beside the store; empty when it has not, or serves another store."""
    holder = holder_of(store)
    return holder.endpoint if pid and holder is not None and holder.pid == pid else ""


def write_whole(path: Path, text: str) -> None:
    """Write a file for its owner alone, all at once: a reader finds the old text or the new one, never a part."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(handle, "w", encoding="utf-8", newline="\n") as out:  # noqa: PTH123 - from a descriptor
                out.write(text)
                out.flush()
                os.fsync(handle)
            Path(part).replace(path)
        finally:
            Path(part).unlink(missing_ok=True)
    except OSError as error:
        raise DaemonError(
            f"{path} cannot be written ({error.strerror}).", remedy="Check the permissions of the folder."
        ) from error


class ServiceContext:
    """What these commands share: the session, the supervisor, and what would be installed now."""

    def __init__(self, session: CommandContext) -> None:
        self.output = session.output
        self.supervisor = supervisor_of(sys.platform, environ=os.environ)
        self._session = session

    @property
    def loaded(self) -> Loaded:
        return self._session.loaded

    @property
    def store(self) -> StoreSettings:
        return self.loaded.config.store

    def wanted(self) -> str:
        """The text that `install` would write."""
        from libravdb.cli.service.passed_on import passed_on, program  # noqa: PLC0415 - help need not load it

        return self.supervisor.render(ServiceUnit(executable=program(), environment=passed_on(self.loaded)))

    def present(self) -> str:
        """The text that lies there; empty when none does."""
        try:
            return self.supervisor.path.read_bytes().decode(errors="replace")
        except FileNotFoundError:
            return ""
        except OSError as error:
            message = f"{self.supervisor.path} cannot be read ({error.strerror})."
            raise DaemonError(message, remedy="Move it away, then install again.") from error

    def installed(self) -> ServiceState:
        """The state of a service that must be there."""
        state = self.supervisor.state()
        if not state.is_installed:
            raise DaemonError("The service is not installed.", remedy="'libravdb service install' installs it.")
        return state

    def watch(self) -> tuple[ServiceState, str]:
        """Wait until the started daemon listens, and tell where; raises when it fails instead."""
        is_ours = self.present() == self.wanted()  # otherwise it may serve a store that we do not know
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            state = self.supervisor.state()
            address = announced(self.store, pid=state.pid)
            if state.has_failed:
                raise DaemonError(
                    f"The daemon was started and failed.{self._last_words()}",
                    remedy="'libravdb service logs' shows more, and 'libravdb doctor' looks for the cause.",
                )
            if address or (state.is_running and not is_ours) or time.monotonic() > deadline:
                return state, address
            time.sleep(0.1)

    def _last_words(self) -> str:
        with contextlib.suppress(DaemonError):  # the failure itself is the news
            said = run_program(self.supervisor.logs(5, bare=True)).output.strip()
            return f" It said last:\n{said}" if said else ""
        return ""

    def tell_running(self, verb: str) -> None:
        """Say that the daemon runs, and where."""
        state, address = self.watch()
        if self.output.is_json:
            return
        where = f", listening on {address}" if address else "; it has not said yet where it listens"
        self.output.say(f"{verb} (process {state.pid}{where}).")

    def show_json(self, **more: object) -> None:
        """The state after a command, as a document."""
        state = self.supervisor.state()
        document = {
            "supervisor": self.supervisor.name,
            "path": str(self.supervisor.path),
            "installed": state.is_installed,
            "enabled": state.is_enabled,
            "running": state.is_running,
            "state": state.word,
            "pid": state.pid or None,
            "endpoint": announced(self.store, pid=state.pid) or None,
        }
        self.output.json(document | more)


@click.group()
def service() -> None:
    """Keep the daemon running: at login, after a crash, without a terminal.

    A systemd user unit on Linux, a launchd agent on macOS. It belongs to you alone and needs no root.

    \b
    Examples:
      libravdb service install
      libravdb service status
      libravdb service logs -f
      libravdb service remove
    """


@service.command()
@click.option("--no-start", is_flag=True, help="Only install it; it starts at the next login.")
@click.pass_obj
def install(session: CommandContext, *, no_start: bool) -> None:
    """Install the service and start it. Again after a change of settings or version: it is brought up to date.

    The daemon gets the settings of this command: --store and --config, and the LIBRAVDB_ variables that are set now.
    The configuration file is read by the daemon itself at each start. Secrets are not written into the service's
    file: put them in the configuration file.

    \b
    Examples:
      libravdb service install
      libravdb --store ~/agents/memory.libravdb service install
      LIBRAVDB_RPC_ENDPOINT=tcp:127.0.0.1:37421 libravdb service install --no-start
    """
    from libravdb.cli.service.passed_on import refuse_withheld_store, withheld  # noqa: PLC0415 - help need not load it

    desk = ServiceContext(session)
    before = desk.supervisor.state()
    refuse_withheld_store(desk.loaded)
    present, wanted = desk.present(), desk.wanted()
    is_changed = present != wanted
    diff = _difference(present, wanted) if present and is_changed else ""
    if is_changed:
        write_whole(desk.supervisor.path, wanted)
    desk.supervisor.enable()
    desk.output.say(f"{_install_verb(present, wanted)} {desk.supervisor.path}")
    if diff:
        desk.output.say(diff)
    for name in withheld(desk.loaded):
        desk.output.warn(f"{name} is a secret and was not passed on; put it in the configuration file.")
    if no_start:
        desk.output.say("Not started now: 'libravdb service start' does it, and every login.")
    else:
        _bring_up(desk, is_running=before.is_running, is_changed=is_changed)
    if desk.supervisor.name == "systemd":
        desk.output.say("It stops when you log out; 'loginctl enable-linger' lets it run on.")
    if desk.output.is_json:
        desk.show_json(changed=is_changed, diff=diff)


def _install_verb(present: str, wanted: str) -> str:
    if not present:
        return "Installed"
    return "Up to date:" if present == wanted else "Replaced"


def _bring_up(desk: ServiceContext, *, is_running: bool, is_changed: bool) -> None:
    if is_running and is_changed:
        desk.supervisor.restart()
        desk.tell_running("Restarted")
    else:
        desk.supervisor.start()
        desk.tell_running("Running" if is_running else "Started")


def _difference(present: str, wanted: str) -> str:
    """The lines that go and the lines that come."""
    lines = difflib.unified_diff(present.splitlines(), wanted.splitlines(), n=0, lineterm="")
    return "\n".join(f"  {line}" for line in list(lines)[2:] if not line.startswith("@@"))


@service.command()
@click.pass_obj
def start(session: CommandContext) -> None:
    """Start the installed service, and wait until it listens.

    \b
    Examples:
      libravdb service start
    """
    desk = ServiceContext(session)
    was_running = desk.installed().is_running
    desk.supervisor.start()
    desk.tell_running("It was running already" if was_running else "Started")
    if desk.output.is_json:
        desk.show_json()


@service.command()
@click.pass_obj
def stop(session: CommandContext) -> None:
    """Stop the service until the next login or 'start'. What runs is finished first.

    \b
    Examples:
      libravdb service stop
    """
    desk = ServiceContext(session)
    if desk.installed().is_running:
        desk.supervisor.stop()
        desk.output.say("Stopped. 'libravdb service start' starts it again.")
    else:
        desk.output.say("It was not running.")
    if desk.output.is_json:
        desk.show_json()


@service.command()
@click.pass_obj
def status(session: CommandContext) -> None:
    """Show whether the service is installed, starts at login, runs, and where it listens.

    \b
    Examples:
      libravdb service status
      libravdb --json service status
    """
    desk = ServiceContext(session)
    state = desk.supervisor.state()
    is_current = desk.present() == desk.wanted()
    if desk.output.is_json:
        desk.show_json(current=is_current)
        return
    place = str(desk.supervisor.path)
    rows = (
        ("installed", place if state.is_installed else "no"),
        ("starts at login", "yes" if state.is_enabled else "no"),
        ("running", ("yes, " if state.is_running else "no, ") + state.word),
        ("process", str(state.pid or "none")),
        ("endpoint", announced(desk.store, pid=state.pid) or "none known"),
    )
    desk.output.table(("", f"libravdbd under {desk.supervisor.name}"), rows)
    if state.is_installed and not is_current:
        desk.output.warn(
            "It was installed with other settings or by another version than this command has; "
            "'libravdb service install' brings it up to date."
        )


@service.command()
@click.option("-n", "--lines", default=50, show_default=True, type=click.IntRange(min=1), help="How many lines.")
@click.option("-f", "--follow", is_flag=True, help="Go on showing new lines; stop with Ctrl-C.")
@click.pass_obj
def logs(session: CommandContext, lines: int, *, follow: bool) -> None:
    """Show the last lines of the daemon's log: the journal on Linux, a file on macOS. It holds no message text.

    \b
    Examples:
      libravdb service logs
      libravdb service logs -n 200
      libravdb service logs -f
    """
    output = session.output
    if follow and output.is_json:
        raise click.UsageError("--json gives one document, and --follow never ends: use one of the two.")
    command = ServiceContext(session).supervisor.logs(lines, follow=follow, bare=output.is_json)
    done = run_program(command, is_shown=not output.is_json)
    if done.code != 0:
        raise DaemonError(f"'{' '.join(command)}' failed ({done.reason}).", remedy="Is the service installed?")
    if output.is_json:
        output.json({"lines": done.output.splitlines()})


@service.command()
@click.pass_obj
def remove(session: CommandContext) -> None:
    """Stop the service and delete its file. The memory itself, the configuration and the logs stay.

    \b
    Examples:
      libravdb service remove
    """
    desk = ServiceContext(session)
    is_installed = desk.supervisor.state().is_installed
    if is_installed:
        desk.supervisor.disable()
        desk.supervisor.path.unlink(missing_ok=True)
        desk.supervisor.forget()
        desk.output.say(f"Removed {desk.supervisor.path}. Your memory stays as it is: {desk.store.place}")
    else:
        desk.output.say("The service is not installed: there is nothing to remove.")
    if desk.output.is_json:
        desk.show_json(removed=is_installed)


COMMANDS: tuple[click.Command, ...] = (service,)
