"""The command's frame: global options, commands loaded when they are called, and one style of error."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

import libravdb
from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import show_error
from libravdb.errors import ConfigError, LibraError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class HelpSection:
    """Commands under one heading of the help text, each with the module of this package that it lives in."""

    title: str
    commands: Mapping[str, str]


SECTIONS = (
    HelpSection(
        "Memory",
        {
            "remember": "memory",
            "search": "memory",
            "list": "memory",
            "get": "listing",
            "update": "listing",
            "versions": "listing",
            "forget": "memory",
            "profile": "profile",
            "users": "listing",
        },
    ),
    HelpSection(
        "Conversations", {"ingest": "ingest", "gate": "gate", "guidance": "guidance", "dream-promote": "dreams"}
    ),
    HelpSection("See it", {"inspect": "inspect"}),
    HelpSection("Prompts", {"chat": "prompts", "explain": "prompts", "why-not": "prompts", "replay": "prompts"}),
    HelpSection("Sessions", {"sessions": "listing", "compact": "sessions", "history": "sessions"}),
    HelpSection("Documents", {"authored": "authored"}),
    HelpSection(
        "Care",
        {
            "status": "maintenance",
            "doctor": "maintenance",
            "config": "maintenance",
            "fsck": "maintenance",
            "repair": "maintenance",
            "backup": "maintenance",
            "reembed": "maintenance",
            "retain": "retention",
        },
    ),
    HelpSection(
        "In and out",
        {
            "export": "export",
            "import": "export",
            "flush": "export",
            "move": "move_store",
            "move-memory": "moving",
            "verify-erasure": "erasure",
        },
    ),
    HelpSection("Daemon", {"service": "service.commands", "stop": "stop", "token": "tokens"}),
    HelpSection("Hosts", {"openclaw": "openclaw.commands", "mcp": "mcp.commands"}),
    HelpSection("Try it", {"demo": "demo"}),
)


HERE_ONLY = ("doctor", "fsck", "repair", "move", "service", "stop", "token", "openclaw", "demo")
"""The commands that look at files and processes of this machine."""


class LazyGroup(click.Group):
    """Knows its commands by name, loads the one that is called, and lists them under their headings."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [name for section in SECTIONS for name in section.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        for section in SECTIONS:
            if cmd_name in section.commands:
                offered: tuple[click.Command, ...]
                offered = import_module(f"libravdb.cli.{section.commands[cmd_name]}").COMMANDS
                return next(command for command in offered if command.name == cmd_name)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section in SECTIONS:
            commands = [(name, self.get_command(ctx, name)) for name in section.commands]
            with formatter.section(section.title):
                formatter.write_dl([(name, command.get_short_help_str(80)) for name, command in commands if command])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration file (TOML or JSON).")
@click.option(
    "--store",
    metavar="PATH",
    help="The store's file, or postgresql://user@host/database, instead of the configured one.",
)
@click.option("--endpoint", help="A daemon's address (http://host:port, tcp:host:port, unix:/path), and no store here.")
@click.option(
    "--namespace", type=NAME_TYPE, help="Whose memory, where it is no user's: agent-id:…, session-key:… or session:…"
)
@click.option("--json", "is_json", is_flag=True, help="Print JSON, errors and notes too.")
@click.version_option(libravdb.__version__, prog_name="libravdb")
@click.pass_context
def command_line(
    ctx: click.Context,
    config_file: Path | None,
    store: str | None,
    endpoint: str | None,
    namespace: str | None,
    *,
    is_json: bool,
) -> None:
    """A local memory for AI agents: remember, and find again by meaning and by words.

    Everything stays on this machine, in one file. No account, no network, no language model.

    \b
    Examples:
      libravdb remember "Anna is allergic to peanuts"
      libravdb search "what can Anna not eat?"
      libravdb status
    """
    from libravdb.cli.context import CommandContext  # noqa: PLC0415 - '--version' need not load it

    if endpoint is not None and ctx.invoked_subcommand in HERE_ONLY:
        raise click.UsageError(f"'{ctx.invoked_subcommand}' works on this machine, not through --endpoint.")

    ctx.obj = CommandContext(
        environ=os.environ,
        config_file=config_file,
        store=store,
        endpoint=endpoint,
        namespace=namespace,
        is_json=is_json,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code: 0 done, 1 it failed, 2 it was asked wrongly."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy is loaded later; its threads would only spin
    logging.getLogger("libravdb").addHandler(logging.NullHandler())  # people are told by errors and notes
    given = sys.argv[1:] if arguments is None else list(arguments)
    is_json = asks_for_json(given)
    try:
        code = command_line.main(args=given, prog_name="libravdb", standalone_mode=False)
    except click.ClickException as error:
        if is_json:
            show_error("UsageError", error.format_message(), remedy=_usage(error), is_json=True)
        else:
            error.show()
        sys.exit(2)
    except OSError as error:
        show_error("OutputError", f"the output cannot be written ({error.strerror}).", is_json=is_json)
        sys.exit(1)
    except (click.Abort, KeyboardInterrupt):
        if is_json:
            show_error("Stopped", "Stopped.", is_json=True)
        else:
            click.echo("Stopped.", err=True)
        sys.exit(130)
    except LibraError as error:
        show_error(type(error).__name__, error.message, remedy=error.remedy, is_json=is_json)
        sys.exit(2 if isinstance(error, ConfigError) else 1)
    sys.exit(code if isinstance(code, int) else 0)


def asks_for_json(arguments: Sequence[str]) -> bool:
    """Whether errors are to be JSON: also when it stands in the wrong place, or what is beside it cannot be read."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def _usage(error: click.ClickException) -> str:
    """Where to read how it is written; '--json' itself stands before the command."""
    if isinstance(error, click.NoSuchOption) and error.option_name == "--json":
        return "Write it before the command: libravdb --json …"
    command = getattr(error, "ctx", None)
    return f"'{command.command_path if command else 'libravdb'} --help' shows how it is written."
