"""ingest, gate: conversations go in, and the gate tells what it keeps and why."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from libravdb.cli.context import CommandContext
from libravdb.cli.output import Output, one_line, shorten
from libravdb.errors import InvalidInput
from libravdb.model import GateAccount, Ingested, Judged, Reception, Verdict
from libravdb.model.turn_metadata import gate_facts

_user = click.option("--user", help="Whose memory; else the configured memory.user.")
_BARS = " ▁▂▃▄▅▆▇█"
_WIDTH = 24


# ── conversations ─────────────────────────────────────────────────────────────────────────────────────────


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True))
@click.option("--session", "name", required=True, help="The session that the messages belong to.")
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
    output.table(("turn", "role", "outcome", "why"), (_row(turn) for turn in done.turns))
    kept = sum(bool(turn.memory) and not turn.is_strengthened for turn in stored)
    known = sum(turn.reception is Reception.KNOWN for turn in done.turns)
    masked = sum((Counter(turn.secrets) for turn in done.turns), Counter())
    turns = "1 turn" if len(stored) == 1 else f"{len(stored)} turns"
    output.say(
        f"{turns} stored, {known} known already, {len(done.turns) - len(stored) - known} skipped;"
        f" {kept} became durable memory of {escape(one_line(done.namespace))}."
    )
    if masked:
        output.say("Masked: " + ", ".join(f"{count} × {kind}" for kind, count in sorted(masked.items())) + ".")


def read_transcript(file: Path) -> list[Any]:
    """What a transcript file holds, whole or line by line."""
    raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
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


def _row(turn: Ingested) -> tuple[str, str, str, str]:
    return shorten(turn.id, 30) or "–", turn.role, _outcome(turn), _why(turn)


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


# ── the gate ──────────────────────────────────────────────────────────────────────────────────────────────


@click.group()
def gate() -> None:
    """See what the gate keeps beyond a session, why, and how well.

    \b
    Examples:
      libravdb gate explain "We decided to use Postgres 16"
      libravdb gate report
      libravdb gate feedback monday/u7 --useful
    """


@gate.command()
@click.argument("text")
@_user
@click.pass_obj
def explain(session: CommandContext, text: str, *, user: str | None) -> None:
    """Would this text be kept, and why? Nothing is stored.

    \b
    Example:
      libravdb gate explain "My daughter Mia starts school in September"
    """
    with session.engine() as engine:
        judged = engine.gate.judge(text, namespace=session.namespace(user))
    if session.output.is_json:
        session.output.json({**_verdict(judged.verdict), "same": _id(judged), "outdated": _outdated(judged)})
        return
    _show(session.output, judged)


def _verdict(verdict: Verdict) -> dict[str, object]:
    return {"is_admitted": verdict.is_admitted, "veto": verdict.veto, **gate_facts(verdict), "reasons": verdict.reasons}


def _id(judged: Judged) -> str | None:
    return None if judged.same is None else judged.same.id


def _outdated(judged: Judged) -> list[str]:
    return [record.id for record in judged.outdated]


def _show(output: Output, judged: Judged) -> None:
    verdict = judged.verdict
    colour = "green" if verdict.is_admitted else "yellow"
    output.say(f"[bold {colour}]{escape(verdict.words())}[/]")
    parts = (
        ("G", verdict.score, "(1 − T)·Gconv + T·Gtech"),
        ("T", verdict.technical, "how technical it is"),
        (
            "Gconv",
            verdict.conversational,
            f"H {verdict.novelty:.2f}, R {verdict.repetition:.2f}, Dnl {verdict.load:.2f}",
        ),
        (
            "Gtech",
            verdict.engineering,
            f"P {verdict.specificity:.2f}, A {verdict.action:.2f}, Dtech {verdict.detail:.2f}",
        ),
    )
    output.table(
        ("part", "value", "", "from"), ((name, f"{value:.2f}", bar(value), what) for name, value, what in parts)
    )
    for reason in verdict.reasons:
        output.say(f"  {escape(one_line(reason))}")
    if judged.same is not None:
        output.say(f"It would strengthen {escape(one_line(judged.same.id))}: {escape(shorten(judged.same.text, 80))}")
    for record in judged.outdated:
        output.say(f"It would supersede {escape(one_line(record.id))}: {escape(shorten(record.text, 80))}")


@gate.command()
@_user
@click.pass_obj
def report(session: CommandContext, *, user: str | None) -> None:
    """How the gate decided so far: what it kept, its measures, and what feedback says about the threshold.

    \b
    Example:
      libravdb gate report --user anna
    """
    with session.engine() as engine:
        account = engine.gate.report(namespace=session.namespace(user))
    if session.output.is_json:
        session.output.json(account)
        return
    _show_account(session.output, account)


def _show_account(output: Output, account: GateAccount) -> None:
    told = account.report
    if not told.judged:
        output.say(f"No turn of {escape(one_line(account.namespace))} was judged yet: 'libravdb ingest' takes some in.")
        return
    output.say(
        f"{told.judged} turns judged, [bold]{told.admitted}[/] kept ({told.admitted_share:.0%})"
        f" at threshold {account.threshold:.2f}."
    )
    refused = [("below the threshold", told.below_threshold), *told.vetoes]
    output.table(("not kept because", "turns"), ((name, str(count)) for name, count in refused if count))
    output.table(
        ("measure", "mean", "0 … 1", "turns per tenth"),
        (
            (one.name, f"{one.mean:.2f}", sparkline([each.count for each in one.bins]), _counts(one.bins))
            for one in told.distributions
        ),
    )
    output.say(f"Feedback: {account.labels} labels, {account.useful} useful. {escape(account.calibration.note)}.")
    for step in account.calibration.steps:
        output.say(f"  from {step.score:.2f}: {bar(step.chance)} {step.chance:.0%} useful ({step.labels} labels)")
    if account.calibration.threshold is not None:
        output.say(f"Suggested: [bold]gate.threshold = {account.calibration.threshold:.2f}[/]")


def _counts(bins: Sequence[Any]) -> str:
    return " ".join(str(each.count) for each in bins)


def sparkline(counts: Sequence[int]) -> str:
    """Counts as a row of blocks; anything above zero is seen."""
    most = max(counts, default=0)
    return "".join(_BARS[0 if not count else max(1, round(8 * count / most))] for count in counts)


def bar(value: float) -> str:
    """A value of [0, 1] as a bar."""
    filled = round(_WIDTH * min(max(value, 0.0), 1.0))
    return "█" * filled + "·" * (_WIDTH - filled)


@gate.command()
@click.argument("id")
@click.option("--useful/--useless", required=True, help="Whether it helped.")
@_user
@click.pass_obj
def feedback(session: CommandContext, id: str, *, useful: bool, user: str | None) -> None:
    """Tell whether a memory was useful; 'gate report' learns a threshold from it.

    \b
    Example:
      libravdb gate feedback monday/u7 --useless
    """
    with session.engine() as engine:
        engine.gate.feedback(id, useful=useful, namespace=session.namespace(user))
    session.output.say(f"Noted: [bold]{escape(one_line(id))}[/] was {'useful' if useful else 'useless'}.")
    if session.output.is_json:
        session.output.json({"id": id, "useful": useful})


@gate.command()
@click.argument("id")
@_user
@click.pass_obj
def restore(session: CommandContext, id: str, *, user: str | None) -> None:
    """Take back that a memory was made outdated by a newer one; both stay.

    \b
    Example:
      libravdb gate restore monday/u3
    """
    with session.engine() as engine:
        engine.gate.restore(id, namespace=session.namespace(user))
    session.output.say(f"[bold]{escape(one_line(id))}[/] counts again.")
    if session.output.is_json:
        session.output.json({"id": id})


COMMANDS = (ingest, gate)
