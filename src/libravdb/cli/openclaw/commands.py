"""openclaw install, uninstall, status, doctor: the plugin in the OpenClaw of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from libravdb.cli.consent import ask_consent
from libravdb.cli.local_path import LocalPath
from libravdb.cli.names import NAME_TYPE
from libravdb.cli.openclaw.plugin_folder import PLUGIN, plugin_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from libravdb.cli.context import CommandContext
    from libravdb.cli.openclaw.host import OpenClawHost
    from libravdb.cli.openclaw.install_record import InstallRecord
    from libravdb.cli.openclaw.plan import PluginChange

_program = click.option("--openclaw", "program", type=LocalPath(), help="The host's program; else the one on PATH.")
_yes = click.option("--yes", is_flag=True, help="Do it without asking.")

UNITS = (".config/systemd/user/openclaw-gateway*.service", "Library/LaunchAgents/ai.openclaw.gateway*.plist")
"""Where the gateway's own service lies, below the home folder."""


@click.group()
def openclaw() -> None:
    """The memory of OpenClaw: put the plugin into the host, take it out, see how both are.

    \b
    Examples:
      libravdb openclaw install
      libravdb openclaw status
      libravdb openclaw doctor
      libravdb openclaw uninstall
    """


# ── install ───────────────────────────────────────────────────────────────────────────────────────────────


@openclaw.command()
@_program
@_yes
@click.option("--user", type=NAME_TYPE, help="One memory for all agents and chats of this host, under this name.")
@click.option(
    "--memory-per",
    type=click.Choice(["person", "session", "agent"]),
    help="Whose memory it is otherwise: each person's own (the default), each session's, each agent's.",
)
@click.option("--keep-dreaming", is_flag=True, help="Let memory-core go on dreaming at night.")
@click.pass_obj
def install(
    session: CommandContext,
    *,
    program: Path | None,
    yes: bool,
    user: str | None,
    memory_per: str | None,
    keep_dreaming: bool,
) -> None:
    """Make this the memory and the context engine of OpenClaw, after showing what changes.

    The plugin is linked from this installation, so that it comes before the host's own memory plugin. What stood before
    is remembered and comes back with 'uninstall'. Run it again after an update or a failure: only what is missing is
    done.

    \b
    Examples:
      libravdb openclaw install
      libravdb openclaw install --yes
      libravdb openclaw install --user anna
      libravdb openclaw install --memory-per session --openclaw ~/bin/openclaw
    """
    from libravdb.cli.openclaw.host import find_host  # noqa: PLC0415 - help need not load it
    from libravdb.cli.openclaw.install_record import read_record  # noqa: PLC0415
    from libravdb.cli.openclaw.installation import carry_out, refuse_foreign_store, verify  # noqa: PLC0415
    from libravdb.cli.openclaw.plan import InstallWishes, plan  # noqa: PLC0415
    from libravdb.cli.openclaw.round_trip import store_of  # noqa: PLC0415
    from libravdb.cli.service.passed_on import program as daemon_program  # noqa: PLC0415

    if user is not None and (memory_per is not None or not user.strip()):
        raise click.UsageError("Give --user with a name, or --memory-per, not both.")
    usual = session.loaded.config.store.path
    host = find_host(session.environ, program)
    wishes = InstallWishes(
        folder=plugin_folder(),
        daemon=daemon_program(),
        memory_per=memory_per,
        user=user,
        store=session.named_file,
        keeps_dreaming=keep_dreaming,
    )
    found = host.read()
    refuse_foreign_store(wishes.store or store_of(found, session.environ, usual=usual))
    changes = plan(found, wishes, read_record(host.state_folder))
    _show(session, host, changes)
    if any(not change.is_so for change in changes):
        host.refuse_unwritable()
        ask_consent(session.output, yes=yes)
        carry_out(session.output, host, found, changes, folder=wishes.folder)
    address = verify(session.output, host, session.environ)
    _show_next(session, host, changes, address)


def _show(session: CommandContext, host: OpenClawHost, changes: Sequence[PluginChange]) -> None:
    session.output.say(f"OpenClaw {host.version} at {host.program}, configuration {host.config_path}:")
    for change in changes:
        mark = ("✓", "green") if change.is_so else ("+", "yellow")
        after = " (already so)" if change.is_so else ""
        session.output.say("  ", mark, " ", (change.name, "bold"), f": {change.wanted}{after}")


def _show_next(session: CommandContext, host: OpenClawHost, changes: Sequence[PluginChange], address: str) -> None:
    home = Path(session.environ.get("HOME", "~")).expanduser()
    is_service = any(any(home.glob(unit)) for unit in UNITS)
    has_changed = any(not change.is_so for change in changes)
    command = "openclaw gateway restart" if is_service else "openclaw gateway run"
    if session.output.is_json:
        lines = [{"name": one.name, "wanted": one.wanted, "was": one.is_so} for one in changes]
        session.output.json(
            {"changed": has_changed, "changes": lines, "endpoint": address, "openclaw": host.version, "next": command}
        )
        return
    if not has_changed:
        session.output.say("Everything is in place; nothing was changed.")
    elif is_service:
        session.output.say("Next: openclaw gateway restart")
    else:
        session.output.say("Next: where the gateway runs, stop it; then start it: openclaw gateway run")


# ── uninstall ─────────────────────────────────────────────────────────────────────────────────────────────


@openclaw.command()
@_program
@_yes
@click.pass_obj
def uninstall(session: CommandContext, *, program: Path | None, yes: bool) -> None:
    """Take the plugin out of OpenClaw and put back what stood before. The memory itself stays.

    \b
    Examples:
      libravdb openclaw uninstall
      libravdb openclaw uninstall --yes
    """
    from libravdb.cli.openclaw.host import find_host  # noqa: PLC0415 - help need not load it
    from libravdb.cli.openclaw.install_record import read_record, what_stands  # noqa: PLC0415
    from libravdb.cli.openclaw.installation import put_back  # noqa: PLC0415
    from libravdb.cli.openclaw.round_trip import store_of  # noqa: PLC0415

    usual = session.loaded.config.store.path
    host = find_host(session.environ, program)
    found, record = host.read(), read_record(host.state_folder)
    store = store_of(found, session.environ, usual=usual)
    is_there = bool(found.entry or found.linked or PLUGIN in found.slots.values())
    if is_there or record is not None:
        before = record or what_stands(found, plugin=PLUGIN)
        _show_back(session, host, before)
        host.refuse_unwritable()
        ask_consent(session.output, yes=yes)
        put_back(session.output, host, found, before)
    if session.output.is_json:
        session.output.json({"removed": is_there, "store": str(store)})
        return
    told = "Taken out." if is_there else "The plugin is not installed: there is nothing to take out."
    session.output.say(f"{told} Your memory stays as it is: {store}")
    if is_there:
        session.output.say("Next: restart the gateway (openclaw gateway restart, or stop it and openclaw gateway run).")
        session.output.say("The daemon goes on for others: 'libravdb stop' ends it.")


def _show_back(session: CommandContext, host: OpenClawHost, before: InstallRecord) -> None:
    session.output.say(f"OpenClaw {host.version} at {host.program}, configuration {host.config_path}:")
    for slot, holder in before.slots.items():
        session.output.say(f"  - {slot}: back to {holder or 'the default'}")
    session.output.say("  - dreaming of memory-core: as it was before")
    session.output.say(f"  - plugin {PLUGIN} and its settings: removed")


# ── status and doctor ─────────────────────────────────────────────────────────────────────────────────────


@openclaw.command()
@click.pass_obj
def status(session: CommandContext) -> None:
    """Show in a few lines where the plugin is, whose memory it keeps, and how the daemon is.

    \b
    Examples:
      libravdb openclaw status
      libravdb --json openclaw status
    """
    from libravdb.cli.openclaw.host_status import look  # noqa: PLC0415 - help need not load it

    store = session.loaded.config.store.place
    facts = look(session.environ, store=store)
    if session.output.is_json:
        session.output.json(facts)
        return
    session.output.table(("", "LibraVDB Memory in OpenClaw"), tuple(facts.items()))


@openclaw.command()
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Check the machine, the store, the plugin and the host, and say what to do. The same as 'doctor --openclaw'.

    Leaves with exit code 1 when something is broken.

    \b
    Examples:
      libravdb openclaw doctor
    """
    from libravdb.cli.maintenance import doctor as examine  # noqa: PLC0415 - help need not load it

    ctx.invoke(examine, with_openclaw=True)


COMMANDS: tuple[click.Command, ...] = (openclaw,)
