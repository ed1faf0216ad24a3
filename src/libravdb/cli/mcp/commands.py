"""mcp: the memory for hosts that speak MCP, and what tells them of it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from libravdb.cli.consent import ask_consent
from libravdb.cli.mcp.mcp_hosts import HOSTS, NAME, InstallScope, McpHost, ServerEntry
from libravdb.cli.mcp.own_program import STORE, brought_settings, own_entry, own_program
from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import Output
from libravdb.errors import HostError, InvalidInput, LibraError

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.cli.mcp.host_file import FileChange, HostFile

_NAMES = re.compile(r"[A-Za-z0-9_-]{1,64}")

_host = click.argument("host", type=click.Choice(list(HOSTS)))
_for_user = click.option("--user", "for_user", is_flag=True, help="For all your projects; the default.")
_for_project = click.option("--project", "for_project", is_flag=True, help="For this project, in its own file.")
_name = click.option("--name", default=NAME, show_default=True, help="Under which name the host knows it.")
_yes = click.option("--yes", is_flag=True, help="Do it without asking.")


@click.group(invoke_without_command=True)
@click.option("--user", type=NAME_TYPE, help="Whose memory; else the configured memory.user.")
@click.option(
    "--aliases", "has_aliases", is_flag=True, help="Also offer the tools 'search' and 'fetch', as ChatGPT asks."
)
@click.pass_context
def mcp(ctx: click.Context, *, user: str | None, has_aliases: bool) -> None:
    """The memory for Claude Code, Codex, Gemini CLI, Cursor and every other host that speaks MCP.

    Without a further command it serves MCP on standard input and output: a host starts it so. It talks to the daemon,
    and starts one when there is none. Whose memory it is, is fixed by --user here or by --namespace before the command;
    the model has no say in it. Needs the extra 'mcp'.

    \b
    Examples:
      libravdb mcp install claude
      libravdb mcp status
      libravdb mcp --user anna
      libravdb --namespace agent-id:coder mcp
    """
    if ctx.invoked_subcommand is None:
        _serve(ctx.obj, user, has_aliases=has_aliases)
    elif user is not None or has_aliases:
        raise click.UsageError("--user and --aliases are for serving; 'libravdb mcp install' has --namespace.")


def _serve(session: CommandContext, user: str | None, *, has_aliases: bool) -> None:
    from libravdb.cli.service.passed_on import passed_on  # noqa: PLC0415 - help need not load it
    from libravdb.mcp import require_extra  # noqa: PLC0415

    namespace = session.namespace(user)
    config = session.loaded.config
    require_extra()
    from libravdb.mcp.stdio import serve_stdio  # noqa: PLC0415 - needs the extra

    if sys.stdin.isatty():
        session.output.warn("A host talks to this by MCP; 'libravdb mcp install' tells one. Ctrl-D ends it.")
    environment = {**session.environ, **passed_on(session.loaded)}
    serve_stdio(config, namespace=namespace, environment=environment, has_aliases=has_aliases)


# ── install and remove ────────────────────────────────────────────────────────────────────────────────────


@mcp.command()
@_host
@_for_user
@_for_project
@click.option("--namespace", type=NAME_TYPE, help="Whose memory the host gets; else the configured memory.user.")
@_name
@click.option("--replace", is_flag=True, help="Also where another server has that name; 'remove' brings it back.")
@_yes
@click.pass_obj
def install(
    session: CommandContext,
    host: str,
    *,
    for_user: bool,
    for_project: bool,
    namespace: str | None,
    name: str,
    replace: bool,
    yes: bool,
) -> None:
    """Tell a host of the memory, after showing what changes in its file.

    Everything else in the file stays as it is, byte by byte, and 'remove' takes it out again. Run again, it changes
    only what is not so. Another server of the same name stays, unless --replace is given; a copy of the file is kept.

    \b
    Examples:
      libravdb mcp install claude
      libravdb mcp install claude --project --namespace my-project
      libravdb mcp install codex --yes
    """
    from libravdb.mcp import require_extra  # noqa: PLC0415 - help need not load it

    require_extra()
    file = _file(session, HOSTS[host], _scope(for_user=for_user, for_project=for_project), name)
    is_replaced = file.is_taken and not file.is_installed
    change = file.installing(_entry(session, namespace), replaces=replace)
    _show(session.output, HOSTS[host], change)
    if not change.is_so:
        ask_consent(session.output, yes=yes)
        file.carry_out(change)
    step = HOSTS[host].next_step
    if session.output.is_json:
        session.output.json({**_told(host, change), "next": step})
    elif change.is_so:
        session.output.say("It is in place already; nothing was changed.")
    else:
        session.output.say(f"Written. Next: {step}. 'libravdb mcp status' tries it.")
        if is_replaced:
            session.output.say(f"What had the name is kept in {file.copy}; 'libravdb mcp remove' brings it back.")


@mcp.command()
@_host
@_for_user
@_for_project
@_name
@_yes
@click.pass_obj
def remove(session: CommandContext, host: str, *, for_user: bool, for_project: bool, name: str, yes: bool) -> None:
    """Take the memory out of a host's file again, after showing what changes. What is remembered stays.

    What 'install --replace' had put aside comes back.

    \b
    Examples:
      libravdb mcp remove claude
      libravdb mcp remove codex --yes
    """
    store = session.loaded.config.store.place
    file = _file(session, HOSTS[host], _scope(for_user=for_user, for_project=for_project), name)
    change = file.removing()
    _show(session.output, HOSTS[host], change)
    if not change.is_so:
        ask_consent(session.output, yes=yes)
        file.carry_out(change)
    if session.output.is_json:
        session.output.json(_told(host, change))
    else:
        told = "It does not stand there: there is nothing to take out." if change.is_so else "Taken out."
        session.output.say(f"{told} Your memory stays as it is: {store}")


def _told(host: str, change: FileChange) -> dict[str, object]:
    return {"host": host, "file": str(change.path), "changed": not change.is_so, "diff": change.lines}


def _show(output: Output, host: McpHost, change: FileChange) -> None:
    output.say((host.title, "bold"), f", {change.path}:")
    styles = {"+": "green", "-": "red", "@": "dim"}
    for line in change.lines:
        output.say((line, styles.get(line[:1], "")))


def _scope(*, for_user: bool, for_project: bool) -> InstallScope:
    if for_user and for_project:
        raise click.UsageError("Give --user or --project, not both.")
    return InstallScope.PROJECT if for_project else InstallScope.USER


def _file(session: CommandContext, host: McpHost, scope: InstallScope, name: str) -> HostFile:
    from libravdb.cli.mcp.host_file import HostFile  # noqa: PLC0415 - help need not load it

    if not _NAMES.fullmatch(name):
        raise InvalidInput("name", f"{name!r} is no name of a server", remedy="Use letters, digits, - and _.")
    return HostFile(host, host.file(scope, environ=session.environ, project=Path.cwd()), name=name)


def _entry(session: CommandContext, namespace: str | None) -> ServerEntry:
    """How the host starts us: with the settings of this command, save for secrets."""
    from libravdb.cli.service.passed_on import passed_on, refuse_withheld_store  # noqa: PLC0415 - help need not load it
    from libravdb.model.namespaces import named  # noqa: PLC0415

    refuse_withheld_store(session.loaded)
    told = session.told_namespace(None)
    if namespace is not None:
        if told:
            raise click.UsageError("Give --namespace once.")
        told = named(namespace)
    args = ("--namespace", told, "mcp") if told else ("mcp",)
    return ServerEntry(command=own_program(), args=args, env=passed_on(session.loaded))


# ── status ────────────────────────────────────────────────────────────────────────────────────────────────


@mcp.command()
@_name
@click.pass_obj
def status(session: CommandContext, *, name: str) -> None:
    """Show which hosts know the memory, and whether it answers when they start it: one round trip each.

    Only this installation's own program is started. Another program under that name is shown as such, and a project's
    file that brings settings of its own is not tried. Leaves with exit code 1 when one of them gets no answer.

    \b
    Examples:
      libravdb mcp status
      libravdb --json mcp status
    """
    rows = [
        row
        for host in HOSTS.values()
        for scope in InstallScope
        if (row := _state(session, host, scope, name)) is not None
    ]
    if session.output.is_json:
        session.output.json(rows)
    elif rows:
        columns = ("host", "scope", "file", "store", "starts", "answers")
        session.output.table(columns, [tuple(row[each] for each in columns) for row in rows])
    else:
        session.output.say("No host knows the memory yet: 'libravdb mcp install claude' tells Claude Code.")
    if any(row["answers"] != "yes" for row in rows):
        raise click.exceptions.Exit(1)


def _state(session: CommandContext, host: McpHost, scope: InstallScope, name: str) -> dict[str, str] | None:
    """A line about one file; None when nothing of ours stands there."""
    path = host.file(scope, environ=session.environ, project=Path.cwd())
    store = session.loaded.config.store.place
    row = {"host": host.name, "scope": scope.value, "file": str(path), "store": store, "starts": ""}
    try:
        file = _file(session, host, scope, name)
        if not file.is_taken:
            return None
        if (entry := file.entry) is not None:
            row |= {"store": entry.env.get(STORE, store), "starts": entry.command}
        own = None if entry is None else own_entry(entry, session.environ)
        if own is None:
            raise _other_program(host, scope, entry)
        row["starts"] = " ".join((own.command, *own.args))
        _try(session, host, scope, own)
    except LibraError as error:
        return {**row, "answers": f"no: {error}"}
    return {**row, "answers": "yes"}


def _other_program(host: McpHost, scope: InstallScope, entry: ServerEntry | None) -> HostError:
    option = " --project" if scope is InstallScope.PROJECT else ""
    told = "Another program stands there, and was not started." if entry else "Its entry starts no program."
    return HostError(
        told, remedy=f"'libravdb mcp install {host.name}{option} --replace' puts this one in its place, and keeps it."
    )


def _try(session: CommandContext, host: McpHost, scope: InstallScope, entry: ServerEntry) -> None:
    """Ask a server whose program is ours, where its settings are the user's. Raises HostError."""
    from libravdb.cli.mcp.answering import ask_server  # noqa: PLC0415 - help need not load it
    from libravdb.cli.service.passed_on import passed_on  # noqa: PLC0415

    if brought := brought_settings(entry, scope, {**session.environ, **passed_on(session.loaded)}):
        raise HostError(
            f"It was not started: the project brings settings of its own ({', '.join(brought)[:200]}).",
            remedy="Read its file; where you trust it, set the same variables here, and run it again.",
        )
    with session.output.progress(f"Asking as {host.title}"):
        ask_server(entry, session.environ)


COMMANDS: tuple[click.Command, ...] = (mcp,)
