"""compact, history: what a session's older turns became, and the way back to them."""

from __future__ import annotations

import click
from rich.markup import escape
from rich.tree import Tree

from libravdb.cli.context import CommandContext
from libravdb.cli.output import local_time, one_line, printable, shorten
from libravdb.errors import NotFound
from libravdb.model import Record
from libravdb.model.collections import session_view
from libravdb.model.turn_metadata import TurnMetadata
from libravdb.ports.engine_api import EngineApi

_NAME = click.argument("name", metavar="SESSION")
_EVERYTHING = 1_000_000


@click.command()
@_NAME
@click.option("--target", type=click.IntRange(2, 1_000), help="Turns that one summary stands for, about.")
@click.option("--keep", type=click.IntRange(0), help="Last turns that stay word for word in any case.")
@click.option("--tail", type=click.IntRange(0), help="Tokens at the end that stay word for word.")
@click.pass_obj
def compact(session: CommandContext, name: str, *, target: int | None, keep: int | None, tail: int | None) -> None:
    """Fold a session's older turns into summaries. Nothing said is lost: 'libravdb history' leads back to it.

    \b
    Examples:
      libravdb compact monday
      libravdb compact monday --keep 10 --tail 2000
    """
    with session.engine() as engine:
        if not engine.memories.latest(session_view(name), limit=1):
            raise _unknown(name)
        done = engine.compaction.compact(name, target=target, minimum_turns=keep, tail_tokens=tail)
    if session.output.is_json:
        session.output.json(done)
        return
    if done.did_compact:
        session.output.say(
            f"{done.turns_removed} turns became {done.clusters_formed} summaries ({escape(done.summary_method)}):"
            f" {done.tokens_before:,} tokens before, {done.tokens_after:,} now; {done.facts_kept} of"
            f" {done.facts_listed} facts are in them, mean confidence {done.mean_confidence:.2f}."
        )
    else:
        session.output.say(f"Nothing was folded; the active view has {done.tokens_before:,} tokens.")
    for reason in done.reasons:
        session.output.say(f"  {escape(one_line(reason))}")


@click.command()
@_NAME
@click.option("--depth", type=click.IntRange(1, 100), default=100, show_default=True, help="How far summaries open.")
@click.pass_obj
def history(session: CommandContext, name: str, *, depth: int) -> None:
    """A session as a tree: summaries, what each stands for, and the turns that stay word for word.

    \b
    Examples:
      libravdb history monday
      libravdb history monday --depth 1
    """
    with session.engine() as engine:
        active = sorted(engine.memories.latest(session_view(name), limit=_EVERYTHING), key=lambda one: (one.at, one.id))
        if not active:
            raise _unknown(name)
        if session.output.is_json:
            session.output.json([_node(engine, name, record, depth) for record in active])
            return
        tree = Tree(f"[bold]{escape(one_line(name))}[/]")
        for record in active:
            _grow(tree, engine, name, record, depth)
    session.output.console.print(tree)


def _unknown(name: str) -> NotFound:
    remedy = "'libravdb ingest' takes a conversation in, 'libravdb list -c session:NAME' shows one."
    return NotFound("session", name, remedy=remedy)


def _children(engine: EngineApi, name: str, record: Record, depth: int) -> list[Record]:
    if not TurnMetadata.of(record).is_summary or depth < 1:
        return []
    return engine.compaction.expand(record.id, session=name, max_depth=1)


def _grow(tree: Tree, engine: EngineApi, name: str, record: Record, depth: int) -> None:
    told = TurnMetadata.of(record)
    label = "summary" if told.is_summary else told.role_name
    branch = tree.add(
        f"{local_time(record.at)} [cyan]{escape(label)}[/] {escape(shorten(printable(record.text), 90))}"
        f" [dim]{escape(one_line(record.id))}[/]"
    )
    for child in _children(engine, name, record, depth):
        _grow(branch, engine, name, child, depth - 1)


def _node(engine: EngineApi, name: str, record: Record, depth: int) -> dict[str, object]:
    return {
        "id": record.id,
        "at": record.at,
        "text": record.text,
        "metadata": record.metadata,
        "sources": [_node(engine, name, child, depth - 1) for child in _children(engine, name, record, depth)],
    }


COMMANDS = (compact, history)
