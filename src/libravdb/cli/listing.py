"""get, update, versions, sessions, users: memories one by one, and who and what there is."""

from __future__ import annotations

import click

from libravdb.cli.context import CommandContext, pair
from libravdb.cli.memory import record_document
from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import local_time
from libravdb.errors import NotFound
from libravdb.model import Json

_ID = click.argument("id")
_USER = click.option("--user", type=NAME_TYPE, help="Whose memory; else the configured memory.user.")
_LIMIT = click.option("--limit", type=click.IntRange(1, 1_000), default=100, show_default=True, help="How many.")
_AFTER = click.option(
    "--after", type=NAME_TYPE, metavar="NAME", help="Only those behind this one: the last of the page before."
)


@click.command()
@_ID
@_USER
@click.pass_obj
def get(session: CommandContext, id: str, *, user: str | None) -> None:
    """Show one memory, turn or summary by its id, whole.

    \b
    Examples:
      libravdb get mem:47cc6af11a887915
      libravdb --json get note-1 --user anna
    """
    with session.engine() as engine:
        record = engine.memories.find(id, namespace=session.namespace(user))
    if record is None:
        raise NotFound("record", id, remedy="'libravdb list' shows what is there.")
    if session.output.is_json:
        session.output.json(record_document(record))
        return
    rows = [("when", local_time(record.at)), ("in", record.collection), ("id", record.id), ("text", record.text)]
    rows += [(key, str(value)) for key, value in record.metadata.items()]
    session.output.table((), rows)


@click.command()
@_ID
@click.argument("text", required=False)
@_USER
@click.option("--meta", type=pair, multiple=True, metavar="KEY=VALUE", help="Metadata to set. May be repeated.")
@click.option("--without", multiple=True, metavar="KEY", help="Metadata to take away. May be repeated.")
@click.option("--expires", metavar="TIME", help="When it expires: 30d from now, a date such as 2026-12-01, or never.")
@click.pass_obj
def update(
    session: CommandContext,
    id: str,
    text: str | None,
    *,
    user: str | None,
    meta: tuple[tuple[str, Json], ...],
    without: tuple[str, ...],
    expires: str | None,
) -> None:
    """Give a memory another text or other metadata. What it was before stays in its versions.

    \b
    Examples:
      libravdb update note-1 "We deploy on Wednesdays"
      libravdb update note-1 --meta topic=release --without draft
      libravdb update note-1 --expires never
    """
    told: dict[str, Json] = {**dict(meta), **dict.fromkeys(without)}
    if text is None and not told and expires is None:
        raise click.UsageError("Give a text, --meta, --without or --expires.")
    with session.engine() as engine:
        record = engine.memories.update(
            id, namespace=session.namespace(user), text=text, metadata=told or None, expires_at=expires
        )
    if session.output.is_json:
        session.output.json(record_document(record))
    session.output.say("Updated: ", (record.id, "bold"), f"; 'libravdb versions {record.id}' shows what it was.")


@click.command()
@_ID
@_USER
@click.pass_obj
def versions(session: CommandContext, id: str, *, user: str | None) -> None:
    """What a memory said before it was updated, the oldest first, and what it says today.

    \b
    Examples:
      libravdb versions note-1
    """
    with session.engine() as engine:
        records = engine.memories.history(id, namespace=session.namespace(user))
    if session.output.is_json:
        session.output.json([record_document(record) for record in records])
        return
    rows = [
        (local_time(record.at), "today" if record is records[-1] else "before", session.output.brief(record.text, 200))
        for record in records
    ]
    session.output.table(("since", "version", "text"), rows)


@click.command()
@_USER
@_LIMIT
@_AFTER
@click.pass_obj
def sessions(session: CommandContext, *, user: str | None, limit: int, after: str | None) -> None:
    """The sessions in which a user spoke, by name: how many turns, the first and the last.

    \b
    Examples:
      libravdb sessions
      libravdb sessions --user anna --limit 20
    """
    with session.engine() as engine:
        page = engine.sessions.list(namespace=session.namespace(user), limit=limit, after=after)
    if session.output.is_json:
        session.output.json({"sessions": page.items, "next": page.next})
        return
    rows = [(one.name, str(one.turns), local_time(one.first), local_time(one.last)) for one in page]
    session.output.table(("session", "turns", "first", "last"), rows)
    if page.next is not None:
        session.output.warn(f"There are more: repeat with --after {page.next!r}.")


@click.command()
@_LIMIT
@_AFTER
@click.pass_obj
def users(session: CommandContext, *, limit: int, after: str | None) -> None:
    """All whose memory is here, by name: how many records, and how many bytes of text and metadata.

    \b
    Examples:
      libravdb users
    """
    with session.engine() as engine:
        page = engine.namespaces.list(limit=limit, after=after)
    if session.output.is_json:
        session.output.json({"users": page.items, "next": page.next})
        return
    session.output.table(("user", "records", "bytes"), [(one.name, str(one.records), str(one.bytes)) for one in page])
    if page.next is not None:
        session.output.warn(f"There are more: repeat with --after {page.next!r}.")


COMMANDS: tuple[click.Command, ...] = (get, update, versions, sessions, users)
