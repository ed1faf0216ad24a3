"""move-memory."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from libravdb.cli.names import NAME_TYPE

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.model import MovedMemory


@click.command("move-memory")
@click.option(
    "--from",
    "source",
    type=NAME_TYPE,
    required=True,
    metavar="NAMESPACE",
    help="Whose memory it is now, such as agent-id:main.",
)
@click.option(
    "--to", "target", type=NAME_TYPE, required=True, metavar="NAMESPACE", help="Whose it will be, such as person:anna."
)
@click.option("--dry-run", is_flag=True, help="Only tell how much it is.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def move_memory(session: CommandContext, source: str, target: str, *, dry_run: bool, yes: bool) -> None:
    """Give all that one namespace remembers to another. Asks first.

    Turns, memories, wishes, profile and sessions move, all or nothing; nothing is copied. What both hold stays once.

    \b
    Examples:
      libravdb move-memory --from agent-id:main --to person:anna --dry-run
      libravdb move-memory --from agent-id:main --to person:telegram:4711 --yes
    """
    output = session.output
    with session.engine() as engine:
        planned = engine.deletions.move_namespace(source, to_namespace=target, is_dry_run=True)
    if not dry_run and not yes and planned.records:  # the store is not held while somebody thinks
        if not sys.stdin.isatty():
            raise click.UsageError("Nobody is there to ask. Repeat with --yes to move it.")
        click.confirm(f"Move {_told(planned)} from {source} to {target}?", abort=True, err=True)
    if not dry_run:
        with session.engine() as engine:
            planned = engine.deletions.move_namespace(source, to_namespace=target)
    if output.is_json:
        output.json({"moved": planned})
    output.say(_said(planned))


def _said(moved: MovedMemory) -> str:
    if not moved.records:
        return f"There is nothing to move: {moved.namespace} holds nothing."
    verb = "Would move" if moved.is_dry_run else "Moved"
    return f"{verb} {_told(moved)} from {moved.namespace} to {moved.to_namespace}."


def _told(moved: MovedMemory) -> str:
    return (
        f"{moved.turns:,} turns, {moved.memories:,} memories and {moved.wishes:,} wishes"
        f" of {moved.sessions:,} sessions ({moved.records:,} records)"
    )


COMMANDS: tuple[click.Command, ...] = (move_memory,)
