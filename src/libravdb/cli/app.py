"""The command's frame: global options, one style of error, and the engine when a command needs it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markup import escape

import libravdb
from libravdb.cli import authored, demo, export, gate, ingest, maintenance, memory, prompts, sessions
from libravdb.cli.context import CommandContext
from libravdb.cli.output import printable
from libravdb.cli.service import commands
from libravdb.errors import ConfigError, LibraError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class HelpSection:
    """Commands under one heading of the help text."""

    title: str
    commands: tuple[click.Command, ...]


GROUPS = (
    HelpSection("Memory", memory.COMMANDS),
    HelpSection("Conversations", (*ingest.COMMANDS, *gate.COMMANDS)),
    HelpSection("Prompts", prompts.COMMANDS),
    HelpSection("Sessions", sessions.COMMANDS),
    HelpSection("Documents", authored.COMMANDS),
    HelpSection("Care", maintenance.COMMANDS),
    HelpSection("In and out", export.COMMANDS),
    HelpSection("Daemon", commands.COMMANDS),
    HelpSection("Try it", demo.COMMANDS),
)


class SectionedGroup(click.Group):
    """Lists commands under their headings, in the order they are told."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        for group in GROUPS:
            with formatter.section(group.title):
                formatter.write_dl([(command.name or "", command.get_short_help_str(80)) for command in group.commands])


@click.group(cls=SectionedGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration file (TOML or JSON).")
@click.option("--store", type=click.Path(path_type=Path), help="The store's file, instead of the configured one.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON.")
@click.version_option(libravdb.__version__, prog_name="libravdb")
@click.pass_context
def command_line(ctx: click.Context, config_file: Path | None, store: Path | None, *, is_json: bool) -> None:
    """A local memory for AI agents: remember, and find again by meaning and by words.

    Everything stays on this machine, in one file. No account, no network, no language model.

    \b
    Examples:
      libravdb remember "Anna is allergic to peanuts"
      libravdb search "what can Anna not eat?"
      libravdb status
    """
    ctx.obj = CommandContext(environ=os.environ, config_file=config_file, store=store, is_json=is_json)


for _group in GROUPS:
    for _command in _group.commands:
        command_line.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code: 0 done, 1 it failed, 2 it was asked wrongly."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy is loaded later; its threads would only spin
    try:
        code = command_line.main(args=arguments, prog_name="libravdb", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except OSError as error:
        click.echo(f"error: the output cannot be written ({error.strerror}).", err=True)
        sys.exit(1)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        sys.exit(130)
    except LibraError as error:
        _show(error)
        sys.exit(2 if isinstance(error, ConfigError) else 1)
    sys.exit(code if isinstance(code, int) else 0)


def _show(error: LibraError) -> None:
    """The error in red, its remedy on a line of its own."""
    console = Console(stderr=True, highlight=False)
    console.print(f"[bold red]error:[/] {escape(printable(error.message))}", soft_wrap=True)
    if error.remedy:
        console.print(f"  {escape(printable(error.remedy))}", soft_wrap=True)
