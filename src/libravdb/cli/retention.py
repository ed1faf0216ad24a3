"""retain."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from libravdb.cli.output import Output, local_time

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.model import Retained

_NO_RULES = (
    "Nothing is too old. Rules stand in the configuration, for example: [retention] rules ="
    ' ["person:* turns 90d", "* receipts 30d"].'
)


@click.command()
@click.option("--dry-run", is_flag=True, help="Only show what would go.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def retain(session: CommandContext, *, dry_run: bool, yes: bool) -> None:
    """Delete what has expired, and what is older than the rules of retention allow. Asks first.

    The rules are the setting retention.rules, each "namespaces kind age". A daemon applies them by itself, once an
    hour. A rule about turns deletes what was said and the summaries of it; memories that were kept of it stay until a
    rule about memories, and pinned lines of a profile and standing guidance stay for good.

    \b
    Examples:
      libravdb retain --dry-run
      libravdb retain --yes
    """
    output = session.output
    with session.engine() as engine:
        planned = engine.retention.retain(is_dry_run=True)
    is_all = dry_run or not planned.records
    if is_all or not output.is_json:
        _show(output, planned)
    if is_all:
        return
    if not yes:  # the store is not held while somebody thinks
        if not sys.stdin.isatty():
            raise click.UsageError("Nobody is there to ask. Repeat with --yes to delete it, or with --dry-run.")
        click.confirm(f"Delete {planned.records:,} records for good?", abort=True, err=True)
    with session.engine() as engine, output.progress("Deleting") as progress:
        done = engine.retention.retain(progress=progress)
    if output.is_json:
        _show(output, done)
    output.say(f"Deleted {done.records:,} records.")


def _show(output: Output, told: Retained) -> None:
    if output.is_json:
        output.json({"retained": told, "records": told.records})
        return
    if not told.records:
        output.say(_NO_RULES)
        return
    rows = [
        (row.namespace or "(shared)", row.kind.value, local_time(row.before), f"{row.records:,}") for row in told.rows
    ]
    if told.expired:
        rows.append(("(all)", "expired", "", f"{told.expired:,}"))
    output.table(("namespace", "kind", "older than", "records"), rows)


COMMANDS: tuple[click.Command, ...] = (retain,)
