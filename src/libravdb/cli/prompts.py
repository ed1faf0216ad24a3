"""chat, explain, why-not, replay: what the model would see, and why; and whether it still would."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from libravdb.app import read_message
from libravdb.cli.ingest import read_transcript
from libravdb.cli.local_path import LocalPath
from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import Output, local_time, one_line
from libravdb.model import Committed, Explained, Prompt, Replayed, Role

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.ports.engine_api import EngineApi

_user = click.option("--user", type=NAME_TYPE, help="Whose memory; else the configured memory.user.")


@click.command()
@click.argument("file", required=False, type=LocalPath(exists=True, dir_okay=False))
@click.option(
    "--session", "name", type=NAME_TYPE, default="chat", show_default=True, help="The session that is talked in."
)
@click.option("--budget", type=click.IntRange(0), default=2_000, show_default=True, help="Tokens for memory.")
@_user
@click.pass_obj
def chat(session: CommandContext, file: Path | None, *, name: str, budget: int, user: str | None) -> None:
    """Play a transcript, or type along, and see for each turn what the model would be given and what is kept.

    No model answers here: memory is what is shown. Typed lines are the user's; an empty line or Ctrl-D ends it.

    \b
    Examples:
      libravdb chat talk.json
      libravdb chat --session monday --budget 1000
    """
    messages: Iterator[Any] = iter(read_transcript(file)) if file else _typed()
    told = []
    with session.engine() as engine:
        for message in messages:
            turn = _play(session, engine, message, name=name, budget=budget, namespace=session.namespace(user))
            told.append(turn)
    if session.output.is_json:
        session.output.json(told)


def _typed() -> Iterator[str]:
    """Lines of a person, until an empty one."""
    while True:
        if sys.stdin.isatty():
            click.echo(click.style("you: ", bold=True), nl=False, err=True)
        line = sys.stdin.readline()
        if not line.strip():
            return
        yield line.rstrip("\n")


def _play(
    session: CommandContext, engine: EngineApi, message: object, *, name: str, budget: int, namespace: str
) -> dict[str, object]:
    """One message: what memory says to it, then what memory makes of it."""
    said = read_message(message)
    asked = next((one for one in said if one.role is Role.USER and not one.skipped), None)
    prompt = None
    if asked is not None:
        prompt = engine.prompts.assemble(asked.text, session=name, namespace=namespace, budget=budget)
    done = engine.conversations.ingest_batch([message], session=name, namespace=namespace)
    if not session.output.is_json:
        _show_turn(session.output, said[0].role, said[0].text, prompt, done)
    return {"said": [one.text for one in said], "prompt": prompt, "turns": done.turns}


def _show_turn(output: Output, role: str, text: str, prompt: Prompt | None, done: Committed) -> None:
    output.heading((role, "bold"), f": {output.brief(text, 100)}")
    if prompt is not None:
        output.warn(prompt.degraded)
        for part in (prompt.rules, prompt.opening, prompt.closing):
            if part:
                output.say((part.rstrip(), "dim"))
        share = f"{prompt.leading_tokens} of them as in the prompt before"
        output.say(f"{prompt.tokens} of {prompt.budget} tokens, {share}; receipt {prompt.receipt}")
    for turn in done.turns:
        words = turn.verdict.words() if turn.verdict else turn.reason or turn.reception
        output.say((one_line(words), "cyan"))


@click.command()
@click.argument("receipt", required=False)
@_user
@click.pass_obj
def explain(session: CommandContext, receipt: str | None, *, user: str | None) -> None:
    """Why a prompt was assembled as it was: every item, all that was left out, and the budget as a bar.

    Without a receipt the newest prompt is explained.

    \b
    Examples:
      libravdb explain
      libravdb explain 1790000000000-1a2b3c4d --user anna
    """
    with session.engine() as engine:
        told = engine.prompts.explain(receipt, namespace=session.namespace(user))
    if session.output.is_json:
        session.output.json(told)
        return
    _show_account(session.output, told)


def _show_account(output: Output, told: Explained) -> None:
    output.say((one_line(told.id), "bold"), f", {local_time(told.at)}, session {one_line(told.session)}")
    if told.prompt:
        output.say(f"Asked: {output.brief(told.prompt, 200)}")
    for line in (*told.bar, *told.words):
        output.say(line)


@click.command("why-not")
@click.argument("record")
@click.option("--receipt", help="Of which prompt; else the newest.")
@_user
@click.pass_obj
def why_not(session: CommandContext, record: str, *, receipt: str | None, user: str | None) -> None:
    """Why something does not stand in a prompt, or where it does.

    RECORD is any id that is shown anywhere: of a turn, a memory, a summary, a wish, a rule or a line of the profile.

    \b
    Examples:
      libravdb why-not monday/u7
      libravdb why-not summary:3e51c51f1c90850c
    """
    with session.engine() as engine:
        answer = engine.prompts.why_not(record, namespace=session.namespace(user), receipt=receipt)
    if session.output.is_json:
        session.output.json({"record": record, "answer": answer})
    else:
        session.output.say(answer)


@click.command()
@click.argument("receipt", required=False)
@click.option(
    "--messages",
    "file",
    type=LocalPath(exists=True, dir_okay=False),
    help="What the host showed then, as a transcript.",
)
@_user
@click.pass_obj
def replay(session: CommandContext, receipt: str | None, *, file: Path | None, user: str | None) -> None:
    """Assemble a prompt again as of its moment: what has the same bytes, and what has changed since.

    Without a receipt the newest prompt is taken. A part is proven when what stood there gives the same bytes again.

    \b
    Examples:
      libravdb replay
      libravdb replay 1790000000000-1a2b3c4d --messages talk.json
    """
    messages = read_transcript(file) if file else ()
    with session.engine() as engine:
        told = engine.prompts.replay(receipt, namespace=session.namespace(user), messages=messages)
    if session.output.is_json:
        session.output.json(told)
    else:
        _show_replay(session.output, told)


def _show_replay(output: Output, told: Replayed) -> None:
    output.say((one_line(told.id), "bold"), f", {local_time(told.at)}, session {one_line(told.session)}")
    if told.prompt:
        output.say(f"Asked: {output.brief(told.prompt, 200)}")
    if told.is_same:
        output.say("Assembled again it has the same bytes.")
    elif told.is_proven:
        output.say("Every part of it is proven; assembled again it comes out otherwise.")
    else:
        output.say("Not all of it can be made again.")
    for line in told.words:
        output.say(f"  {line}")


COMMANDS = (chat, explain, why_not, replay)
