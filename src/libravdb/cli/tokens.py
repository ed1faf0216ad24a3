"""token create, list, remove: who may use a daemon over TCP, where, and for what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from libravdb.app import now
from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import local_time
from libravdb.daemon.rights import ALL, checked_rights
from libravdb.daemon.tokens import create_token, read_tokens, remove_token, tokens_path
from libravdb.wire.methods.access import AccessRole

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext


@click.group()
def token() -> None:
    """Let somebody use the daemon over TCP: in some namespaces, to read, to write, or as an admin.

    A running daemon notices every change. Over a unix socket nobody needs a token.

    \b
    Examples:
      libravdb token create --role admin
      libravdb token create --name laptop --namespace anna --namespace 'team-*' --role read
      libravdb token list
      libravdb token remove laptop
    """


@token.command()
@click.option(
    "--name", type=NAME_TYPE, default="default", show_default=True, help="Who will use it; for your own list."
)
@click.option(
    "--namespace",
    "namespaces",
    type=NAME_TYPE,
    multiple=True,
    help="A namespace, or a pattern with *. May be repeated.",
)
@click.option(
    "--role", type=click.Choice([role.value for role in AccessRole]), default=AccessRole.WRITE.value, show_default=True
)
@click.pass_obj
def create(session: CommandContext, name: str, namespaces: tuple[str, ...], role: str) -> None:
    """Make a token and print it, this once: only its digest is kept. Without --namespace it is for all of them.

    \b
    Example:
      libravdb token create --name laptop --namespace anna
    """
    rights = checked_rights(name, AccessRole(role), namespaces or (ALL,))
    path = _path(session)
    made = create_token(path, rights, now=now())
    if session.output.is_json:
        session.output.json({"token": made, "name": rights.name, "role": role, "namespaces": rights.namespaces})
    session.output.say(made)
    session.output.warn(
        f"Its digest is in {path}; the token itself is shown only here. Clients take it from daemon.token, or from"
        " LIBRAVDB_DAEMON_TOKEN."
    )


@token.command("list")
@click.pass_obj
def list_(session: CommandContext) -> None:
    """Show who has a token, for what and since when; the tokens themselves are not kept.

    \b
    Example:
      libravdb token list
    """
    entries = read_tokens(_path(session))
    rows = [(one.rights.name, one.rights.role, one.rights.namespaces, one.created) for one in entries]
    if session.output.is_json:
        session.output.json(
            [{"name": name, "role": role, "namespaces": names, "created": at} for name, role, names, at in rows]
        )
        return
    session.output.table(
        ("name", "role", "namespaces", "created"),
        [(name, role, ", ".join(names), local_time(at)) for name, role, names, at in rows],
    )


@token.command()
@click.argument("name", type=NAME_TYPE)
@click.pass_obj
def remove(session: CommandContext, name: str) -> None:
    """Take a token back: the daemon refuses it from its next request on.

    \b
    Example:
      libravdb token remove laptop
    """
    remove_token(_path(session), name)
    if session.output.is_json:
        session.output.json({"removed": name})
    session.output.say(f"The token of {name} is not taken any more.")


def _path(session: CommandContext) -> Path:
    config = session.loaded.config
    return tokens_path(config.daemon, config.store.local_path)


COMMANDS: tuple[click.Command, ...] = (token,)
