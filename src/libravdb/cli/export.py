"""export, import, flush."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from libravdb.cli.local_path import LocalPath
from libravdb.cli.names import NAME_TYPE
from libravdb.model.collections import namespace_collections
from libravdb.ports.regular_file import lines_of, open_regular

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext

_FILE = LocalPath(allow_dash=True)


@click.command()
@click.argument("file", type=_FILE, default="-")
@click.option("--user", type=NAME_TYPE, help="Only what belongs to this user.")
@click.option(
    "-c", "--collection", "collections", type=NAME_TYPE, multiple=True, help="Only this collection. May be repeated."
)
@click.option("--vectors", is_flag=True, help="Include the vectors; the file grows, and import need not embed.")
@click.pass_obj
def export(
    session: CommandContext, file: Path, user: str | None, collections: tuple[str, ...], *, vectors: bool
) -> None:
    """Write everything as JSON Lines: records, coverage, sessions, journal. 'import' reads it back without loss.

    With --user all that is this user's own, and his part of his sessions; with --collection those records alone.

    \b
    Examples:
      libravdb export memory.jsonl
      libravdb export --user anna - | gzip > anna.jsonl.gz
    """
    whose = session.told_namespace(user)
    if whose and (collections or vectors):
        raise click.UsageError("Give --user alone: what is a user's is written whole, and embedded again on import.")
    with _file_for(file) as target:
        with session.engine() as engine, session.output.progress("Exporting") as progress:
            if whose:
                records = engine.namespaces.export_file(target, namespace=whose, progress=progress)
            else:
                records = engine.upkeep.export_file(
                    target, collections=collections, with_vectors=vectors, progress=progress
                )
        if str(file) == "-":
            with target.open("rb") as source:
                shutil.copyfileobj(source, sys.stdout.buffer)
            sys.stdout.flush()
            return
    if session.output.is_json:
        session.output.json({"path": str(file), "records": records})
    session.output.say(f"Exported {records:,} records to {file}.")


@contextlib.contextmanager
def _file_for(file: Path) -> Iterator[Path]:
    """The file itself; for '-' a private one in a temporary folder, because the daemon speaks in files."""
    if str(file) != "-":
        yield file.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="libravdb-") as folder:
        yield Path(folder) / "export.jsonl"


@click.command("import")
@click.argument("file", type=_FILE)
@click.pass_obj
def import_(session: CommandContext, file: Path) -> None:
    """Read a file that 'export' wrote. Importing it twice changes nothing; nothing else in the store is touched.

    \b
    Examples:
      libravdb import memory.jsonl
      gunzip -c anna.jsonl.gz | libravdb import -
    """
    output = session.output
    with _file_for(file) as source:
        if str(file) == "-":  # before the store is held: whoever writes into the pipe may take long
            with source.open("wb") as spool:
                spool.writelines(lines_of(sys.stdin.buffer))
        with session.engine() as engine:
            with output.progress("Importing") as progress:
                whose = _namespace_in(source)
                if whose:
                    done = engine.namespaces.import_file(source, namespace=whose, progress=progress)
                else:
                    done = engine.upkeep.import_file(source, progress)
            embedded, degraded = 0, ""
            if not whose:  # one user's texts were embedded as they came in
                with output.progress("Embedding") as progress:
                    embedded, degraded = engine.embeddings.embed_missing(progress)
    output.warn(degraded)
    if output.is_json:
        output.json({"imported": done, "embedded": embedded, "degraded": degraded})
    output.say(
        f"Imported {done.records:,} records, {done.edges:,} edges, {done.sessions:,} sessions,"
        f" {done.journal:,} journal entries; embedded {embedded:,} texts."
    )
    if done.known:
        output.say(f"{done.known:,} records were there already, and stay as they are.")


def _namespace_in(path: Path) -> str:
    """Whose an export is that was made of one user; empty for any other file, which is read as it is."""
    with open_regular(path, remedy="Name a file that 'libravdb export' wrote.") as source:
        first = source.readline(_LONGEST_HEADER)
    try:
        header = json.loads(first)
    except (ValueError, RecursionError):
        return ""
    told = header.get("namespace") if isinstance(header, dict) else None
    return told if isinstance(told, str) else ""


_LONGEST_HEADER = 100_000


@click.command()
@click.option(
    "--user", type=NAME_TYPE, help="Everything that belongs to exactly this user: memory, history and sessions."
)
@click.option(
    "-c", "--collection", "collections", type=NAME_TYPE, multiple=True, help="This collection. May be repeated."
)
@click.option("--everything", is_flag=True, help="All there is: records, sessions, coverage, journal.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def flush(
    session: CommandContext, user: str | None, collections: tuple[str, ...], *, everything: bool, yes: bool
) -> None:
    """Delete a user's memory, a collection, or everything, for good. Asks first.

    \b
    Examples:
      libravdb flush --user anna
      libravdb flush -c session:42 --yes
    """
    whose = session.told_namespace(user)
    if sum((bool(whose), bool(collections), everything)) != 1:
        raise click.UsageError("Say what to delete: --user, --collection or --everything.")
    with session.engine() as engine:
        present = {info.name: info.records for info in engine.memories.collections()}
    named = namespace_collections(whose) if whose else collections
    names = tuple(present) if everything else tuple(name for name in named if name in present)
    if collections and not names:
        if session.output.is_json:
            session.output.json({"collections": (), "records": 0})
        session.output.say("There is nothing to delete.")
        return
    if not yes:  # the store is not held while somebody thinks
        records = sum(present[name] for name in names)
        sessions = f" and all that {whose} said in sessions" if whose else ""
        _ask(f"Delete {records:,} records in {len(names):,} collections ({', '.join(names[:5])}){sessions} for good?")
    with session.engine() as engine:
        if everything:
            gone = engine.deletions.flush_everything()
        elif whose:
            gone = engine.deletions.flush_namespace(whose)
        else:
            gone = engine.deletions.flush(names)
    if session.output.is_json:
        session.output.json({"collections": names, "records": gone})
    session.output.say(f"Deleted {gone:,} records.")


def _ask(question: str) -> None:
    """Nothing is deleted without a yes; a pipe cannot say it by accident."""
    if not sys.stdin.isatty():
        raise click.UsageError("Nobody is there to ask. Repeat with --yes to delete.")
    click.confirm(question, abort=True, err=True)


COMMANDS: tuple[click.Command, ...] = (export, import_, flush)
