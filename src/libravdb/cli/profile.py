"""profile show, pin, edit, forget: what is known and current about a person, and where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import Output, local_time, one_line

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.model import Profile, ProfileLine

_user = click.option("--user", type=NAME_TYPE, help="Whose memory; else the configured memory.user.")


@click.group()
def profile() -> None:
    """See and correct what every prompt tells about you.

    \b
    Examples:
      libravdb profile show
      libravdb profile pin health:6f1c2a90
      libravdb profile edit home:0b7d11e4 "I live in Graz, near the river"
      libravdb profile forget vehicle:93ae5512
    """


@profile.command()
@click.option("--rebuild", "is_rebuilt", is_flag=True, help="Read all memories again first.")
@_user
@click.pass_obj
def show(session: CommandContext, *, is_rebuilt: bool, user: str | None) -> None:
    """What is known and current, line by line, with where each comes from.

    \b
    Examples:
      libravdb profile show
      libravdb --json profile show --user anna
    """
    with session.engine() as engine:
        namespace = session.namespace(user)
        look = engine.profile.rebuild if is_rebuilt else engine.profile.show
        found = look(namespace=namespace)
    if session.output.is_json:
        session.output.json(found)
        return
    _show(session.output, found)


def _show(output: Output, found: Profile) -> None:
    if not found.lines:
        output.say(f"Nothing is known of {one_line(found.namespace)} yet: 'libravdb ingest' and 'remember' take it in.")
        return
    output.table(("id", "kind", "line", "since", "from", "pinned"), (_row(line) for line in found.lines))


def _row(line: ProfileLine) -> tuple[str, ...]:
    kind = f"{line.kind.value} ({line.subject})" if line.subject else line.kind.value
    whence = f"{line.source} (session {line.session})" if line.session else line.source
    marks = [name for name, is_so in (("pinned", line.is_pinned), ("edited", line.is_edited)) if is_so]
    return line.id, kind, line.text, local_time(line.since), whence, ", ".join(marks)


@profile.command()
@click.argument("id")
@click.option("--off", "is_off", is_flag=True, help="Let it go with the times again.")
@_user
@click.pass_obj
def pin(session: CommandContext, id: str, *, is_off: bool, user: str | None) -> None:
    """Keep a line as it is, whatever is said later, and first of all in a small budget.

    \b
    Example:
      libravdb profile pin health:6f1c2a90
    """
    with session.engine() as engine:
        line = engine.profile.pin(id, namespace=session.namespace(user), is_pinned=not is_off)
    _tell(session.output, "Pinned: " if line.is_pinned else "No longer pinned: ", line)


@profile.command()
@click.argument("id")
@click.argument("text")
@_user
@click.pass_obj
def edit(session: CommandContext, id: str, text: str, *, user: str | None) -> None:
    """Correct a line. It stands until something newer is said about the same thing.

    \b
    Example:
      libravdb profile edit home:0b7d11e4 "I live in Graz, near the river"
    """
    with session.engine() as engine:
        line = engine.profile.edit(id, text, namespace=session.namespace(user))
    _tell(session.output, "Corrected: ", line)


@profile.command()
@click.argument("id")
@_user
@click.pass_obj
def forget(session: CommandContext, id: str, *, user: str | None) -> None:
    """Take a line out of the profile. The memory stays; 'libravdb forget' deletes that too.

    \b
    Example:
      libravdb profile forget vehicle:93ae5512
    """
    with session.engine() as engine:
        line = engine.profile.forget(id, namespace=session.namespace(user))
    _tell(session.output, "Forgotten: ", line)


def _tell(output: Output, what: str, line: ProfileLine) -> None:
    output.say(what, (one_line(line.id), "bold"), f" {output.brief(line.text, 80)}")
    if output.is_json:
        output.json(line)


COMMANDS: tuple[click.Command, ...] = (profile,)
