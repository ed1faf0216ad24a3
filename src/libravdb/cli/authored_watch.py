"""authored watch: folders of notes, kept in step with memory."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import click

from libravdb.app import open_watcher
from libravdb.cli.local_path import LocalPath
from libravdb.cli.output import Output, one_line

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.config import WatchSettings
    from libravdb.model import News, WatchTally
    from libravdb.ports.watcher import FolderWatcher

COLOURS = {"added": "green", "changed": "green", "renamed": "green", "removed": "yellow"}
COUNTED = ("added", "changed", "renamed", "removed", "refused")


@dataclass(frozen=True, slots=True)
class _WatchProgress:
    """So much of what is to be read was read."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class _WatchEnd:
    """The watcher has left, with its tally or with what stopped it."""

    tally: WatchTally | None = None
    error: BaseException | None = None


Said = SimpleQueue["News | _WatchProgress | _WatchEnd"]


@click.command()
@click.argument("folders", nargs=-1, type=LocalPath(exists=True, file_okay=False))
@click.option("--include", multiple=True, metavar="PATTERN", help="Files that count as notes, instead of **/*.md …")
@click.option(
    "--exclude", multiple=True, metavar="PATTERN", help="Files and folders left out, besides those configured."
)
@click.option("--core", multiple=True, metavar="PATTERN", help="Notes whose rules bind, such as /AGENTS.md.")
@click.option("--once", is_flag=True, help="Bring memory in step and leave; for cron.")
@click.option("--debounce", type=click.IntRange(0, 60_000), metavar="MS", help="How long a file must be quiet first.")
@click.pass_obj
def watch(
    session: CommandContext,
    folders: tuple[Path, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    core: tuple[str, ...],
    *,
    once: bool,
    debounce: int | None,
) -> None:
    """Keep folders of Markdown notes, an Obsidian vault for example, in step with memory.

    All notes are read first, then every change as it is saved, until Ctrl-C. What was read before is not read again. A
    note that is deleted is forgotten, one that is moved is known under its new name. Patterns are those of .gitignore
    files, which count as well. Without FOLDERS, those of watch.folders are taken; a daemon watches them by itself.

    \b
    Examples:
      libravdb authored watch ~/notes
      libravdb authored watch ~/vault --exclude templates/ --once
      libravdb authored watch ~/work --core /AGENTS.md
    """
    configured = session.loaded.config.watch
    config = replace(
        configured,
        folders=tuple(folder.absolute() for folder in folders) or configured.folders,
        include=include or configured.include,
        exclude=(*configured.exclude, *exclude),
        core=(*configured.core, *core),
        debounce_ms=configured.debounce_ms if debounce is None else debounce,
        cpu_share=1.0,  # somebody waits for it
    )
    if not config.folders:
        raise click.UsageError("Name a folder, or set watch.folders.")
    with session.engine() as engine:
        said: Said = SimpleQueue()
        watcher = open_watcher(
            engine, config, tell=said.put, progress=lambda done, total: said.put(_WatchProgress(done, total))
        )
        tally = _attend(session.output, watcher, said, config, once=once)
    _sum_up(session.output, tally)
    if once and tally.counts.get("problem"):  # type: ignore[call-overload]  # a Did is its text
        raise click.exceptions.Exit(1)


def _attend(output: Output, watcher: FolderWatcher, said: Said, config: WatchSettings, *, once: bool) -> WatchTally:
    """Run the watcher beside and show what it says; Ctrl-C lets it finish the note at hand, a second one does not."""
    work = watcher.sync if once else watcher.follow
    thread = threading.Thread(target=_run, args=(work, said), name="libravdb-watcher")

    def leave(number: int, _: object) -> None:
        signal.signal(number, signal.default_int_handler)
        watcher.stop()

    former = {name: signal.signal(name, leave) for name in (signal.SIGINT, signal.SIGTERM)}
    thread.start()
    try:
        return _listen(output, said, config)
    finally:
        watcher.stop()
        thread.join()
        for name, handler in former.items():
            signal.signal(name, handler)


def _run(work: Callable[[], WatchTally], said: Said) -> None:
    try:
        said.put(_WatchEnd(tally=work()))
    except BaseException as error:  # noqa: BLE001 - raised again where somebody can be told
        said.put(_WatchEnd(error=error))


def _listen(output: Output, said: Said, config: WatchSettings) -> WatchTally:
    """Show everything until the end; of what went well in a first scan that goes on watching, only the number."""
    held: list[News] = []
    with output.progress("Reading notes") as advance:
        while not (
            isinstance(each := said.get(), _WatchEnd) or (not isinstance(each, _WatchProgress) and each.did == "ready")
        ):
            if isinstance(each, _WatchProgress):
                advance(each.done, each.total)
            else:
                held.append(each)
    if isinstance(each, _WatchEnd):
        _show_all(output, held)
        return _result(each)
    _show_all(output, [news for news in held if output.is_json or news.did in ("refused", "problem")])
    output.say(f"Watching {one_line(', '.join(map(str, config.folders)))}. Ctrl-C ends it.")
    return _follow(output, said)


def _follow(output: Output, said: Said) -> WatchTally:
    while not isinstance(each := said.get(), _WatchEnd):
        if not isinstance(each, _WatchProgress):
            _show_all(output, [each])
    return _result(each)


def _result(end: _WatchEnd) -> WatchTally:
    if end.error is not None:
        raise end.error
    assert end.tally is not None  # noqa: S101 - it ended well
    return end.tally


def _show_all(output: Output, news: list[News]) -> None:
    for each in news:
        if output.is_json:
            output.json({"did": each.did, "path": each.path, "detail": each.detail})
        elif each.did == "problem":
            output.warn(f"{each.path}: {each.detail}" if each.path.startswith("/") else each.detail)
        elif each.did != "ready":
            colour = COLOURS.get(each.did, "red")
            detail = f" (was {each.detail})" if each.did == "renamed" else f": {each.detail}" if each.detail else ""
            output.say((each.did, colour), " ", one_line(f"{each.path}{detail}"))


def _sum_up(output: Output, tally: WatchTally) -> None:
    counts = {str(did): count for did, count in tally.counts.items()}
    if output.is_json:
        output.json({"counts": counts, "unchanged": tally.unchanged, "documents": tally.documents})
        return
    done = ", ".join(f"{counts[did]:,} {did}" for did in COUNTED if did in counts) or "Nothing changed"
    output.say(f"{done}; {tally.documents:,} notes in memory.")
