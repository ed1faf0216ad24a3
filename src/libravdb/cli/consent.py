"""Nothing of another program is changed before somebody said yes."""

from __future__ import annotations

import sys

import click

from libravdb.cli.output import Output
from libravdb.errors import HostError


def ask_consent(output: Output, *, yes: bool) -> None:
    """Ask whether the changes that were shown are meant; when not, leave the command. Refused where nobody answers."""
    if yes:
        return
    if output.is_json or not sys.stdin.isatty():
        raise HostError(
            "Nothing was changed: nobody can be asked here.", remedy="Add --yes if these changes are meant."
        )
    if not click.confirm("Make these changes?", default=False, err=True):
        output.say("Nothing was changed.")
        raise click.exceptions.Exit(1)
