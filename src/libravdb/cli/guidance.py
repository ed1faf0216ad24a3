"""guidance list, remove: the standing wishes of a person to the agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import local_time, one_line
from libravdb.errors import NotFound

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.model import KeptWish

_user = click.option("--user", type=NAME_TYPE, help="Whose memory; else the configured memory.user.")


@click.group()
def guidance() -> None:
    """See and remove standing wishes: what the agent was asked to do for good.

    \b
    Examples:
      libravdb guidance list
      libravdb guidance remove 2
    """


@guidance.command("list")
@click.option("--all", "everything", is_flag=True, help="Replaced and removed wishes too.")
@_user
@click.pass_obj
def list_(session: CommandContext, *, everything: bool, user: str | None) -> None:
    """Show the wishes that stand in every later prompt, or in those about their subject; the newest first.

    \b
    Examples:
      libravdb guidance list --user anna
      libravdb guidance list --all
    """
    with session.engine() as engine:
        found = engine.guidance.list(namespace=session.namespace(user), everything=everything)
    output = session.output
    if output.is_json:
        output.json(found)
    elif not found and not output.is_plain:
        output.say("No standing wishes yet. Say one in a conversation: “From now on answer in German.”")
    else:
        columns = ("no", "wish", "topic", "since", "session", "id", *(("state",) if everything else ()))
        output.table(columns, [_row(number, wish, everything=everything) for number, wish in enumerate(found, start=1)])


def _row(number: int, wish: KeptWish, *, everything: bool) -> tuple[str, ...]:
    topic = ", ".join(wish.topics) or "-"
    reach = topic if wish.reach == "general" else f"{topic} (subject)"
    state = (
        "counts" if wish.is_current else "removed" if wish.removed_at is not None else f"replaced by {wish.replaced_by}"
    )
    told = (str(number), one_line(wish.text), reach, local_time(wish.since), one_line(wish.session), one_line(wish.id))
    return (*told, state) if everything else told


@guidance.command()
@click.argument("wish")
@_user
@click.pass_obj
def remove(session: CommandContext, wish: str, *, user: str | None) -> None:
    """Let a wish count no more, by its id or by its number in 'guidance list'. What was said stays in the history.

    \b
    Examples:
      libravdb guidance remove 1
      libravdb guidance remove guidance:monday:u7
    """
    namespace = session.namespace(user)
    with session.engine() as engine:
        id = _id_of(wish, engine.guidance.list(namespace=namespace))
        gone = engine.guidance.remove(id, namespace=namespace)
    if session.output.is_json:
        session.output.json(gone)
    session.output.say("Removed: ", (one_line(gone.text), "bold"))


def _id_of(wish: str, found: Sequence[KeptWish]) -> str:
    """The id that a number of the list stands for, or the id itself."""
    if not wish.isdecimal():
        return wish
    if not 1 <= int(wish) <= len(found):
        problem = f"{wish} of {len(found)}"
        raise NotFound("standing wish", problem, remedy="'libravdb guidance list' shows the numbers.")
    return found[int(wish) - 1].id


COMMANDS: tuple[click.Command, ...] = (guidance,)
