"""status, doctor, config, fsck, repair, backup, reembed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from libravdb.app import repair_file, replace_damaged, verify_store
from libravdb.cli.context import CREATING, CommandContext
from libravdb.cli.database_care import DATABASE_REMEDY
from libravdb.cli.local_path import LocalPath
from libravdb.cli.missing_store import refuse_missing
from libravdb.cli.output import Output, local_time, one_line
from libravdb.errors import StoreError
from libravdb.model import Finding, Health, Loss, Repaired, SpaceState, Status, Watching
from libravdb.text.sizes import size


@click.command()
@click.pass_obj
def status(session: CommandContext) -> None:
    """Show the state of the memory: how it searches, with what, over how much."""
    with session.engine() as engine:
        state = engine.status()
    output = session.output
    if output.is_json:
        output.json({"path": session.place, **_flat(state)})
        return
    output.table(("", "LibraVDB Memory"), _status_rows(state, session.place))
    output.warn(state.health.words())
    output.warn(state.degraded)


def _status_rows(state: Status, place: str) -> Sequence[tuple[str, str]]:
    return [
        ("version", state.version),
        ("store", f"{place} ({size(state.store.size_bytes)})"),
        ("search", state.mode),
        ("embedder", str(state.embedder.get("fingerprint", "none"))),
        ("records", f"{state.store.records:,} in {state.store.collections:,} collections"),
        ("texts", f"{state.store.texts:,} distinct, {state.store.unembedded:,} without vectors"),
        *(
            (f"vectors ({one.state})", f"{one.fingerprint}: {one.vectors:,} of {one.texts:,} texts")
            for one in state.spaces
        ),
        *(() if state.watch is None else _watch_rows(state.watch)),
    ]


def _watch_rows(watch: Watching) -> Sequence[tuple[str, str]]:
    waiting = f", {watch.waiting:,} still to be read" if watch.waiting else ""
    changed = local_time(watch.last_change) if watch.last_change else "none since the start"
    return [
        ("watched", f"{watch.documents:,} notes in {', '.join(watch.folders)} ({watch.mode}{waiting})"),
        ("last change", changed),
        *(("problem", problem) for problem in watch.problems),
    ]


def _flat(state: Status) -> dict[str, object]:
    return {
        "version": state.version,
        "mode": state.mode,
        "degraded": state.degraded,
        "embedder": state.embedder,
        "spaces": state.spaces,
        "store": state.store,
        "health": state.health,
        **({} if state.watch is None else {"watch": state.watch}),
    }


@click.command()
@click.option("--openclaw", "with_openclaw", is_flag=True, help="Check the OpenClaw plugin too.")
@click.pass_obj
def doctor(session: CommandContext, *, with_openclaw: bool) -> None:
    """Check the machine, the configuration, the model and the store, and say what to do.

    Leaves with exit code 1 when something is broken.
    """
    from libravdb.cli.doctor import examine  # noqa: PLC0415 - loads sqlite3
    from libravdb.cli.doctor_openclaw import examine_openclaw  # noqa: PLC0415

    output = session.output
    with output.progress("Examining") as progress:
        results = examine(session, progress)
    if with_openclaw:
        results += examine_openclaw(session.environ)
    if output.is_json:
        output.json(results)
    else:
        marks = {Health.GOOD: ("✓", "green"), Health.NOTICE: ("!", "yellow"), Health.BAD: ("✗", "red")}
        for result in results:
            output.say(marks[result.health], " ", (result.name, "bold"), f": {one_line(result.detail)}")
            if result.remedy:
                output.say(f"    {one_line(result.remedy)}")
    if any(result.health is Health.BAD for result in results):
        raise click.exceptions.Exit(1)


@click.command()
@click.option("--expert", is_flag=True, help="Also the settings that are chosen by measurement and not by hand.")
@click.pass_obj
def config(session: CommandContext, *, expert: bool) -> None:
    """Print the settings, their values and where each comes from.

    Expert settings, such as the weights of recall, are left out while they stand at their defaults. --json tells all.

    \b
    Examples:
      libravdb config
      libravdb config --expert
      LIBRAVDB_SEARCH_K=5 libravdb config
    """
    from libravdb.config import ValueOrigin, lookup, render_value, settings  # noqa: PLC0415 - help need not load it

    loaded, output = session.loaded, session.output
    rows = [
        (each, render_value(each, lookup(loaded.config, each.key)), loaded.origins[each.key]) for each in settings()
    ]
    if output.is_json:
        output.json(
            [
                {"key": each.key, "value": value, "origin": str(origin), "expert": each.expert}
                for each, value, origin in rows
            ]
        )
        return
    shown = [row for row in rows if expert or not row[0].expert or row[2].source is not ValueOrigin.DEFAULT]
    output.table(("setting", "value", "from"), [(each.key, value, str(origin)) for each, value, origin in shown])
    if len(shown) < len(rows) and not output.is_plain:
        output.say(f"{len(rows) - len(shown)} expert settings stand at their defaults; --expert shows them too.")


@click.command()
@click.argument("store", required=False)
@click.pass_obj
def fsck(session: CommandContext, store: str | None) -> None:
    """Verify every invariant of the configured store, or of another one. Reads only; what is damaged is not made worse.

    STORE is a file or postgresql://user@host/database.

    Leaves with exit code 1 when something is broken.
    """
    checked = session.loaded.config.store if store is None else session.store_at(store)
    refuse_missing(checked, creating=CREATING)
    with session.output.progress("Checking") as progress:
        findings = list(verify_store(checked, progress))
    place = checked.place if store is None or checked.url else store  # a file as it was named
    _show_findings(session.output, place, findings, remedy=DATABASE_REMEDY if checked.url else _FILE_REMEDY)
    if findings:
        raise click.exceptions.Exit(1)


def _show_findings(output: Output, place: str, findings: Sequence[Finding], *, remedy: str) -> None:
    if output.is_json:
        output.json({"path": place, "findings": findings})
    elif not findings:
        output.say(f"{place}: ", ("sound", "green"), ".")
    else:
        output.table(("broken", "detail"), [(each.invariant, each.detail) for each in findings])
        output.say(remedy)


_FILE_REMEDY = "'libravdb repair' saves what is sound into a new file; a backup may hold more."


@click.command()
@click.option("--to", "target", type=LocalPath(), help="The new file; else the store's name and .repaired.")
@click.option(
    "--replace", is_flag=True, help="Put the new file in place of the damaged one, which is kept and renamed."
)
@click.pass_obj
def repair(session: CommandContext, target: Path | None, *, replace: bool) -> None:
    """Save what is sound in a damaged store into a new file, and tell what is lost.

    The damaged file is only read. Everything is taken over row by row, indexes are made anew, and the new file is
    verified. Stop the daemon first. Texts whose vectors are lost get new ones by 'libravdb reembed'.

    \b
    Examples:
      libravdb repair
      libravdb --store broken.libravdb repair --to saved.libravdb
      libravdb repair --replace
    """
    if replace and target is not None:
        raise click.UsageError("Give --to or --replace, not both.")
    store, output = session.loaded.config.store, session.output
    if store.url:
        raise StoreError(store.place, "is a database, and no file that could be repaired", remedy=DATABASE_REMEDY)
    path = store.path
    refuse_missing(store, creating=CREATING)
    new = path.with_name(f"{path.name}.repaired") if target is None else target
    with output.progress("Saving") as progress:
        done = repair_file(path, new, progress)
    kept = replace_damaged(path, new) if replace else None
    place = path if replace else new
    if output.is_json:
        output.json({"path": str(place), "kept": None if kept is None else str(kept), **_plain(done)})
    output.say(
        f"Saved {done.saved.records:,} records, {done.saved.edges:,} edges, {done.saved.sessions:,} sessions,"
        f" {done.saved.journal:,} journal entries to {place}; it is sound."
    )
    if kept is not None:
        output.say(f"The damaged file is kept as {kept}.")
    _show_losses(output, done.losses)


def _plain(done: Repaired) -> dict[str, object]:
    return {"saved": done.saved, "mended": done.mended, "losses": done.losses}


def _show_losses(output: Output, losses: Sequence[Loss]) -> None:
    if output.is_json:
        return
    if not losses:
        output.say("Nothing is lost.")
        return
    rows = [
        (_what(loss), "unknown" if loss.count is None else f"{loss.count:,}", _some(loss.ids))
        for loss in losses
        if loss.count != 0
    ]
    output.table(("lost", "number", "ids"), rows)
    if any(len(loss.ids) > _SHOWN_IDS for loss in losses):
        output.say("'--json' lists every id.")


_SHOWN_IDS = 4


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_SHOWN_IDS]) + (" …" if len(ids) > _SHOWN_IDS else "")


def _what(loss: Loss) -> str:
    return f"{loss.kind} of {loss.place}" if loss.place else loss.kind


@click.command()
@click.argument("target", type=LocalPath())
@click.pass_obj
def backup(session: CommandContext, target: Path) -> None:
    """Copy the store to a new file, consistent, while others go on reading and writing, and verify the copy.

    A daemon on a TCP endpoint writes it into its own folder, daemon.backup_folder: give a name only. A database is
    backed up by pg_dump: the command is told.

    \b
    Examples:
      libravdb backup ~/backups/memory-2026-11-15.libravdb
    """
    with session.engine() as engine, session.output.progress("Copying pages") as progress:
        copy = engine.upkeep.backup(target, progress)
    if session.output.is_json:
        session.output.json({"path": str(target), "size_bytes": copy.size_bytes, "sha256": copy.sha256})
    where = target if target.exists() else f"{target} in the daemon's folder of backups"
    session.output.say(f"Copied to {where} ({size(copy.size_bytes)}) and verified; sha256 {copy.sha256}.")


@click.command()
@click.option("--rollback", is_flag=True, help="Go back to the vectors that were in use before.")
@click.option("--prune", is_flag=True, help="Delete the vectors that are not in use.")
@click.option("--force", is_flag=True, help="Switch over even if the self-check finds fewer known items.")
@click.pass_obj
def reembed(session: CommandContext, *, rollback: bool, prune: bool, force: bool) -> None:
    """Rebuild all vectors with the configured embedder, then switch over to them.

    Needed after a change of embedder, and useful to add vectors to texts that came in without. The work can be
    stopped and started again at any time; search goes on with the old vectors until the new ones are complete and
    have passed a self-check on known items. The old vectors are kept until --prune.

    \b
    Examples:
      libravdb reembed
      libravdb reembed --rollback
    """
    if rollback and (prune or force):
        raise click.UsageError("--rollback stands alone.")
    output = session.output
    with session.engine() as engine:
        if rollback:
            fingerprint = engine.embeddings.roll_back()
            _tell(output, f"Search uses the vectors of {fingerprint} again.", {"active": fingerprint})
            return
        if prune:
            dropped = engine.embeddings.drop_unused()
            _tell(output, f"Deleted the vectors of {', '.join(dropped) or 'nothing'}.", {"dropped": dropped})
            return
        with output.progress("Embedding") as progress:
            done = engine.embeddings.reembed(force=force, progress=progress)
        kept = any(space.state is SpaceState.RETIRED for space in engine.status().spaces)
    message = f"Embedded {done.embedded:,} texts with {done.fingerprint}."
    if done.switched and done.found is not None and done.required is not None:
        message += f" Known items found: {done.found:.0%} (required {done.required:.0%}). Search uses the new vectors."
    if done.switched and kept:
        message += " 'libravdb reembed --rollback' goes back, '--prune' deletes the old ones."
    _tell(output, message, done)


def _tell(output: Output, message: str, value: object) -> None:
    if output.is_json:
        output.json(value)
    output.say(message)


COMMANDS: tuple[click.Command, ...] = (status, doctor, config, fsck, repair, backup, reembed)
