"""dream-promote: what the diary of a host's dreams asks to be kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from libravdb.cli.local_path import LocalPath
from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import one_line
from libravdb.model.namespaces import resolve_namespace
from libravdb.ports.regular_file import read_regular

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext

MAX_BYTES = 1_048_576
DIARY = "DREAMS.md"


@click.command("dream-promote")
@click.argument("diary", type=LocalPath(), default=DIARY)
@click.option("--agent", type=NAME_TYPE, default="main", show_default=True, help="The agent who dreamt.")
@click.option("--dry-run", is_flag=True, help="Only show what would be promoted.")
@click.pass_obj
def dream_promote(session: CommandContext, diary: Path, *, agent: str, dry_run: bool) -> None:
    """Promote what a diary of dreams asks for, through the gate; the same diary again replaces what it gave before.

    A line asks with its figures: `- The router is in the cellar {score=0.82 recall=3 unique=2}` under a heading such as
    Deep Sleep.

    \b
    Examples:
      libravdb dream-promote ~/.openclaw/workspace/DREAMS.md --dry-run
      libravdb dream-promote DREAMS.md --agent ops
    """
    text = read_regular(diary, max_bytes=MAX_BYTES).decode("utf-8-sig", errors="replace")
    source = DIARY if diary.name.lower() == DIARY.lower() else str(diary.absolute())
    with session.engine() as engine:
        done = engine.notes.promote(text, source_doc=source, namespace=resolve_namespace(agent=agent), is_dry=dry_run)
    output = session.output
    if output.is_json:
        output.json(done)
        return
    rows = [(one.reason or "yes", f"{one.entry.score:.2f}", one_line(one.entry.text)) for one in done.entries]
    if rows:
        output.table(("promoted", "score", "text"), rows)
    verb = "Would promote" if dry_run else "Promoted"
    output.say(f"{verb} {done.promoted}, rejected {done.rejected}.")


COMMANDS = (dream_promote,)
