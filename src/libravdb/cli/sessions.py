"""compact, history: what a session's older turns became, and the way back to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import Output, local_time, one_line, printable, shorten
from libravdb.errors import NotFound
from libravdb.model.collections import session_view
from libravdb.model.turn_metadata import TurnMetadata

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.model import Record
    from libravdb.ports.engine_api import EngineApi

_NAME = click.argument("name", type=NAME_TYPE, metavar="SESSION")
_EVERYTHING = 1_000_000


@dataclass(frozen=True, slots=True)
class SessionNode:
    """A turn, or a summary and what it stands for."""

    record: Record
    sources: tuple[SessionNode, ...] = ()

    @property
    def label(self) -> str:
        """Who speaks; summaries say so."""
        told = TurnMetadata.of(self.record)
        return "summary" if told.is_summary else told.role_name


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
            f"{done.turns_removed} turns became {done.clusters_formed} summaries ({done.summary_method}):"
            f" {done.tokens_before:,} tokens before, {done.tokens_after:,} now; {done.facts_kept} of"
            f" {done.facts_listed} facts are in them, mean confidence {done.mean_confidence:.2f}."
        )
    else:
        session.output.say(f"Nothing was folded; the active view has {done.tokens_before:,} tokens.")
    for reason in done.reasons:
        session.output.say(f"  {one_line(reason)}")


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
        nodes = [_read(engine, name, record, depth) for record in active]
    if session.output.is_json:
        session.output.json([_document(node) for node in nodes])
    elif session.output.is_plain:
        session.output.table((), _rows(nodes, level=1))
    else:
        _draw(session.output, name, nodes)


def _unknown(name: str) -> NotFound:
    remedy = "'libravdb ingest' takes a conversation in, 'libravdb list -c session:NAME' shows one."
    return NotFound("session", name, remedy=remedy)


def _read(engine: EngineApi, name: str, record: Record, depth: int) -> SessionNode:
    """A record of the session, and what it stands for as far as asked."""
    if not TurnMetadata.of(record).is_summary or depth < 1:
        return SessionNode(record)
    inside = engine.compaction.expand(record.id, session=name, max_depth=1)
    return SessionNode(record, tuple(_read(engine, name, child, depth - 1) for child in inside))


def _document(node: SessionNode) -> dict[str, object]:
    return {
        "id": node.record.id,
        "at": node.record.at,
        "text": node.record.text,
        "metadata": node.record.metadata,
        "sources": [_document(source) for source in node.sources],
    }


def _rows(nodes: Sequence[SessionNode], *, level: int) -> Iterator[Sequence[str]]:
    """Lines for a pipe; what a summary stands for follows it, one level deeper."""
    for node in nodes:
        yield str(level), local_time(node.record.at), node.label, node.record.id, node.record.text
        yield from _rows(node.sources, level=level + 1)


def _draw(output: Output, name: str, nodes: Sequence[SessionNode]) -> None:
    from rich.text import Text  # noqa: PLC0415 - for terminals only
    from rich.tree import Tree  # noqa: PLC0415

    def grow(tree: Tree, node: SessionNode) -> None:
        record = node.record
        branch = tree.add(
            Text.assemble(
                f"{local_time(record.at)} ",
                (node.label, "cyan"),
                f" {shorten(printable(record.text), 90)} ",
                (one_line(record.id), "dim"),
            )
        )
        for source in node.sources:
            grow(branch, source)

    tree = Tree(Text(one_line(name), style="bold"))
    for node in nodes:
        grow(tree, node)
    output.draw(tree)


COMMANDS: tuple[click.Command, ...] = (compact, history)
