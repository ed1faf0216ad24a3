"""verify-erasure, and what 'forget --certificate' does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from libravdb.cli.local_path import LocalPath
from libravdb.cli.output import Output, local_time, one_line
from libravdb.errors import InvalidInput
from libravdb.model import ErasureCheck, ErasureReview, StoreCopy

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext

MOST_BYTES = 2**20
"""No certificate is longer."""


def erase(session: CommandContext, user: str, certificate: Path, *, with_name: bool) -> None:
    """Delete a user and write the certificate. Its file is begun first: nothing goes that could not be certified."""
    from libravdb.engine.export import write_file  # noqa: PLC0415 - loads numpy

    namespace = session.namespace(user)
    output = session.output
    with write_file(certificate) as out, session.engine() as engine:
        done = engine.erasures.erase(namespace, with_name=with_name)
        out.write(done.text)
    told = done.certificate
    if output.is_json:
        output.json({"path": str(certificate), "certificate": told})
        return
    counted = [f"{each.count:,} {each.kind.replace('_', ' ')}" for each in told.erased if each.count]
    output.say(f"Erased {', '.join(counted) or 'nothing: there was nothing'}.")
    if told.written_since:
        output.warn(f"{told.written_since:,} records were written since; they are newer than the certificate.")
    _warn_of_copies(output, told.copies)
    output.say(f"The certificate is in {certificate}; 'libravdb verify-erasure' checks it.")


def _warn_of_copies(output: Output, copies: Sequence[StoreCopy]) -> None:
    for copy in copies:
        if copy.exists:
            told = f"The {copy.kind} of {local_time(copy.at)} may hold it until it is deleted: {one_line(copy.path)}"
            output.warn(told)


@click.command("verify-erasure")
@click.argument("certificate", type=LocalPath())
@click.pass_obj
def verify_erasure(session: CommandContext, certificate: Path) -> None:
    """Check the certificate of an erasure: its signature, and the store of today.

    Leaves with exit code 1 when it was altered, is about another store, or something of the user is left. What the user
    wrote since is told, and is no fault.

    \b
    Examples:
      libravdb verify-erasure anna.json
      libravdb --json verify-erasure anna.json
    """
    with session.engine() as engine:
        review = engine.erasures.verify(_read(certificate))
    output = session.output
    if output.is_json:
        output.json(review)
    else:
        _show(output, review)
    if not review.is_valid:
        raise click.exceptions.Exit(1)


def _read(path: Path) -> str:
    """The file's text as it is: a changed line ending is a change."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES).decode()
    except UnicodeDecodeError:
        return ""
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        remedy = "Name a file that 'libravdb forget --certificate' wrote."
        raise InvalidInput(str(path), problem, remedy=remedy) from error


def _show(output: Output, review: ErasureReview) -> None:
    for check in review.checks:
        output.say(_mark(check), " ", (check.name, "bold"), f": {one_line(check.detail)}")
    _warn_of_copies(output, review.copies)
    if review.is_valid:
        output.say(("The certificate holds.", "green"))
    else:
        output.say(("The certificate does not hold.", "red"))


def _mark(check: ErasureCheck) -> tuple[str, str]:
    return ("✓", "green") if check.is_passed else ("✗", "red")


COMMANDS: tuple[click.Command, ...] = (verify_erasure,)
