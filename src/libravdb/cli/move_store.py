"""move: everything from one store into another, between a file and a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from libravdb.app import copy_store
from libravdb.cli.context import CREATING, CommandContext
from libravdb.cli.missing_store import refuse_missing
from libravdb.ports.settings import is_database

if TYPE_CHECKING:
    from libravdb.model import CopiedStore
    from libravdb.ports.settings import StoreSettings

_FILE = "sqlite:"
_PLACES = "sqlite:FILE or postgresql://user@host/database"


@click.command()
@click.option("--from", "source", metavar="STORE", help=f"Where it is now: {_PLACES}; else the configured store.")
@click.option("--to", "target", required=True, metavar="STORE", help=f"An empty one: {_PLACES}.")
@click.pass_obj
def move(session: CommandContext, source: str | None, target: str) -> None:
    """Bring a whole memory from a file into a PostgreSQL database, or back, and compare both.

    Records, vectors, sessions, coverage and journal come along as they are. The first store is only read and stays as
    it is. A command that was broken off goes on when it is run again. Stop the daemon first. What erasures certified
    was signed with the key of the first store, and is checked there.

    \b
    Examples:
      libravdb move --to postgresql://memory@db.example.org/memory
      libravdb move --from postgresql://memory@localhost/memory --to sqlite:memory.libravdb
    """
    usual, output = session.loaded.config.store, session.output
    read = usual if source is None else _named(source, session)
    made = _named(target, session)
    if read.place == made.place:
        raise click.UsageError("--from and --to name the same store.")
    refuse_missing(read, creating=CREATING)
    with output.progress("Moving") as progress:
        done = copy_store(read, made, progress)
    if output.is_json:
        output.json({"from": read.place, "to": made.place, "written": done.written, "parts": done.parts})
        return
    output.say(_said(done, read, made))
    output.say(f"Use it from now on: set {'store.url' if made.url else 'store.path'} where you set your configuration.")


def _said(done: CopiedStore, read: StoreSettings, made: StoreSettings) -> str:
    return (
        f"{made.place} holds all that {read.place} holds: {done.records:,} records, {len(done.parts):,} parts compared"
        f" by counts and digests; {done.written:,} records were written now."
    )


def _named(place: str, session: CommandContext) -> StoreSettings:
    """The store that a text names, with all other settings as they are."""
    path = place.removeprefix(_FILE)
    if not path or (path != place and is_database(path)):
        raise click.UsageError(f"The name of a store is missing. Write {_PLACES}.")
    return session.store_at(path)


COMMANDS: tuple[click.Command, ...] = (move,)
