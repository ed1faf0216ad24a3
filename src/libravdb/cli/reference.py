"""Prints the reference of the command line for `docs/reference/cli.md`: `python -m libravdb.cli.reference`."""

from __future__ import annotations

import sys

import click

from libravdb.cli.app import SECTIONS, command_line


def markdown() -> str:
    """Every command with its help text, as people see it on a terminal of 80 columns."""
    parts = [_section("libravdb", command_line, level=2)]
    context = click.Context(command_line)
    for section in SECTIONS:
        parts.append(f"## {section.title}\n")
        for name in section.commands:
            command = command_line.get_command(context, name)
            assert command is not None  # noqa: S101 - it stands in the table
            parts.append(_section(f"libravdb {name}", command, level=3))
            if isinstance(command, click.Group):
                parts.extend(_section(f"libravdb {name} {sub.name}", sub, level=4) for sub in command.commands.values())
    return "\n".join(parts)


def _section(name: str, command: click.Command, *, level: int) -> str:
    # Options for help are those of the whole command line; click remembers them with the command once they were shown.
    names = command_line.context_settings["help_option_names"]
    context = click.Context(command, info_name=name, terminal_width=80, max_content_width=80, help_option_names=names)
    return f"{'#' * level} `{name}`\n\n```text\n{command.get_help(context).rstrip()}\n```\n"


if __name__ == "__main__":
    sys.stdout.write(markdown())
