"""inspect: the memory in a browser."""

from __future__ import annotations

import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import click

from libravdb.cli.context import CREATING
from libravdb.cli.missing_store import refuse_missing
from libravdb.cli.names import NAME_TYPE
from libravdb.errors import DaemonError
from libravdb.model.addresses import without_password

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.cli.output import Output


@click.command()
@click.option("--user", type=NAME_TYPE, help="Whose memory is shown first; else the configured memory.user.")
@click.option("--read-only", is_flag=True, help="Look only: the page can change nothing.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="A port of this machine; any free one by default."
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.pass_obj
def inspect(session: CommandContext, *, user: str | None, read_only: bool, port: int, no_browser: bool) -> None:
    """See in a browser what is remembered and why it stands in a prompt, and mend it.

    Opens a page of this machine alone, for as long as the command runs; nothing is fetched from elsewhere. It talks to
    the daemon, and starts one when there is none. With --endpoint http://… before the command it opens the page of that
    daemon instead, with the configured token. Needs the extra 'http'.

    \b
    Examples:
      libravdb inspect
      libravdb inspect --user anna --read-only
      libravdb --endpoint https://memory.example.org inspect
    """
    if session.endpoint is not None:
        _open_served(session, user, is_asked=not no_browser)
    else:
        _serve(session, user, is_read_only=read_only, port=port, is_asked=not no_browser)


def _open_served(session: CommandContext, user: str | None, *, is_asked: bool) -> None:
    """The page of a daemon that serves HTTP itself."""
    from libravdb.http import require_extra  # noqa: PLC0415 - help need not load it

    require_extra()
    from libravdb.inspector.local_door import page_address  # noqa: PLC0415 - needs the extra

    endpoint, token = session.endpoint or "", session.loaded.config.daemon.token
    if not endpoint.startswith(("http://", "https://")):
        raise DaemonError(
            f"{without_password(endpoint)} serves no pages.",
            remedy="Name the HTTP door of the daemon, as http://host:port.",
        )
    if not token:
        raise DaemonError("No token is configured.", remedy="Set LIBRAVDB_DAEMON_TOKEN, or daemon.token.")
    address = page_address(endpoint.rstrip("/"), token=token, namespace=session.namespace(user))
    _tell(session.output, address)
    if is_asked:
        with ExitStack() as stack:
            _open(stack, address)
            click.pause("Press any key when the page is open.")


def _serve(session: CommandContext, user: str | None, *, is_read_only: bool, port: int, is_asked: bool) -> None:
    from libravdb.cli.service.passed_on import passed_on  # noqa: PLC0415 - help need not load it
    from libravdb.daemon_link import DaemonLink  # noqa: PLC0415
    from libravdb.http import require_extra  # noqa: PLC0415

    require_extra()
    from libravdb.inspector.local_door import serve_inspector  # noqa: PLC0415 - needs the extra
    from libravdb.wire.methods.access import AccessRole  # noqa: PLC0415

    refuse_missing(session.loaded.config.store, creating=CREATING)
    link = DaemonLink(session.loaded.config, environment={**session.environ, **passed_on(session.loaded)})
    with ExitStack() as stack:
        stack.callback(link.close)

        def opened(address: str) -> None:
            _tell(session.output, address)
            session.output.warn("Ctrl-C ends it; the daemon goes on.")
            if is_asked:
                _open(stack, address)

        serve_inspector(
            link,
            namespace=session.namespace(user),
            role=AccessRole.READ if is_read_only else AccessRole.ADMIN,
            address=f"127.0.0.1:{port}",
            opened=opened,
        )


def _tell(output: Output, address: str) -> None:
    if output.is_json:
        output.json({"address": address})
    else:
        output.say(address)


def _open(stack: ExitStack, address: str) -> None:
    """Open the address through a private file: on a command line every user of the machine could read its token."""
    page = stack.enter_context(_private_page(address))
    webbrowser.open(page.as_uri())


@contextmanager
def _private_page(address: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="libravdb-inspect-") as folder:
        page = Path(folder) / "open.html"
        page.touch(mode=0o600)
        target = escape(address, quote=True)
        page.write_text(
            f'<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
            f'<meta http-equiv="refresh" content="0;url={target}"><title>LibraVDB Memory</title>'
            f'<p><a href="{target}">Open the inspector</a></p>',
            encoding="utf-8",
        )
        yield page


COMMANDS: tuple[click.Command, ...] = (inspect,)
