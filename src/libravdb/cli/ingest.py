"""ingest: conversations go in, and each turn's outcome is told with its reason."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from libravdb.cli.local_path import LocalPath
from libravdb.cli.names import NAME_TYPE
from libravdb.errors import InvalidInput
from libravdb.model import Ingested, Reception
from libravdb.ports.regular_file import read_bounded, read_regular

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.cli.output import Output

MAX_BYTES = 256 * 2**20
"""A transcript is read whole; a longer one can be cut between any two messages."""

_user = click.option("--user", type=NAME_TYPE, help="Whose memory; else the configured memory.user.")


@click.command()
@click.argument("file", type=LocalPath(exists=True, allow_dash=True))
@click.option("--session", "name", type=NAME_TYPE, required=True, help="The session that the messages belong to.")
@_user
@click.pass_obj
def ingest(session: CommandContext, file: Path, *, name: str, user: str | None) -> None:
    """Take in a transcript: every turn becomes history, and what deserves it durable memory.

    The file holds messages with role and content, as a JSON list, as {"messages": […]}, or one a line; - is standard
    input. Again is fine: a turn that is known is not stored twice.

    \b
    Examples:
      libravdb ingest chat.json --session monday
      libravdb --json ingest chat.jsonl --session monday --user anna
    """
    messages = read_transcript(file)
    with session.engine() as engine, session.output.progress("Taking in") as progress:
        done = engine.conversations.import_transcript(
            messages, session=name, namespace=session.namespace(user), progress=progress
        )
    output = session.output
    output.warn(done.degraded)
    if output.is_json:
        output.json(done)
        return
    stored = [turn for turn in done.turns if turn.reception is Reception.STORED]
    output.table(("turn", "role", "outcome", "why"), (_row(output, turn) for turn in done.turns))
    kept = sum(bool(turn.memory) and not turn.is_strengthened for turn in stored)
    known = sum(turn.reception is Reception.KNOWN for turn in done.turns)
    masked = sum((Counter(turn.secrets) for turn in done.turns), Counter())
    turns = "1 turn" if len(stored) == 1 else f"{len(stored)} turns"
    output.say(
        f"{turns} stored, {known} known already, {len(done.turns) - len(stored) - known} skipped;"
        f" {kept} became durable memory of {done.namespace}."
    )
    if masked:
        output.say("Masked: " + ", ".join(f"{count} × {kind}" for kind, count in sorted(masked.items())) + ".")


def read_transcript(file: Path) -> list[Any]:
    """What a transcript file holds, whole or line by line."""
    if str(file) == "-":
        raw = read_bounded(sys.stdin.buffer, name="standard input", max_bytes=MAX_BYTES)
    else:
        raw = read_regular(file, max_bytes=MAX_BYTES, remedy="Name a transcript; '-' reads standard input.")
    text = raw.decode(errors="replace")
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return _lines(text)
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        whole = whole["messages"]
    return whole if isinstance(whole, list) else [whole]


def _lines(text: str) -> list[Any]:
    messages = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                messages.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                remedy = "Write a JSON list of messages, or one message a line."
                raise InvalidInput(f"line {number}", "is not JSON", remedy=remedy) from error
    if not messages:
        raise InvalidInput("file", "holds no message", remedy="Write a JSON list of messages, or one message a line.")
    return messages


def _row(output: Output, turn: Ingested) -> tuple[str, str, str, str]:
    return output.brief(turn.id, 30) or "–", turn.role, _outcome(turn), _why(turn)


def _outcome(turn: Ingested) -> str:
    if turn.is_strengthened:
        return "known memory"
    return "memory" if turn.memory else turn.reception


def _why(turn: Ingested) -> str:
    if turn.supersedes:
        return f"supersedes {', '.join(turn.supersedes)}"
    if turn.is_strengthened:
        return f"says the same as {turn.memory}"
    return turn.reason or (turn.verdict.words() if turn.verdict else "")


COMMANDS: tuple[click.Command, ...] = (ingest,)
