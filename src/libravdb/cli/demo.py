"""demo: a short history of several weeks, a few questions, and what is found and why."""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from libravdb.app import now, use_store
from libravdb.cli.memory import show_answer
from libravdb.cli.output import Output, local_time
from libravdb.model.collections import durable_memory, raw_turns

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.model import Answer
    from libravdb.ports.engine_api import EngineApi

DAY = 86_400_000
HISTORY: tuple[tuple[int, str], ...] = (
    (45, "Hi! How are you today?"),
    (44, "I'm Mara. I run a small bakery in Graz together with my brother Jonas."),
    (43, "Jonas is allergic to hazelnuts, so nothing with nuts goes into the small oven."),
    (39, "The sourdough starter is fed every evening at nine, equal parts rye flour and water."),
    (36, "We decided to take orders with a small Flask app; the data goes into PostgreSQL."),
    (30, "The old mixer broke again. The repair shop says the bearing costs 180 euros."),
    (28, "Thanks, that helped a lot!"),
    (27, "Please always answer in short sentences, I read on my phone while baking."),
    (21, "The order app failed with 'psycopg.OperationalError: connection refused' after the reboot."),
    (20, "Fixed it: the database was not enabled as a service. systemctl enable postgresql did it."),
    (15, "From December we open on Sundays too, but only from seven to eleven."),
    (14, "The flour supplier's new API key is {key}, keep it for the order app."),
    (12, "Frau Huber orders forty brioches for the fifth of December, to be picked up at eight."),
    (9, "We moved the shop: the new address is Lendplatz 12, right beside the tram stop."),
    (6, "My flight to Lisbon leaves on the second of January, Jonas runs the bakery that week."),
    (2, "The new mixer arrived, a spiral one with twenty litres. It is much quieter."),
)
QUESTIONS: tuple[str, ...] = (
    "What should I keep away from Jonas?",
    "Why could the order app not reach its database, and what solved it?",
    "Where is the shop now?",
    "When do we open on weekends?",
)
USER = "demo"
KEY = "sk_" + "live_" + "9Qm4Vt7Lx2Rb8Zk5Wd3Np6Hc"  # made up, and put together here: no scanner takes it for real


@click.command()
@click.option("--keep", is_flag=True, help="Use the configured store (user 'demo') instead of a temporary one.")
@click.pass_obj
def demo(session: CommandContext, *, keep: bool) -> None:
    """See it work: take in a conversation of several weeks, see what is kept and why, then ask about it.

    Uses a temporary store, so nothing of yours is touched.
    """
    with contextlib.ExitStack() as stack:
        if keep:
            engine = stack.enter_context(session.engine())
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="libravdb-demo-"))
            config = session.loaded.config
            aside = replace(config, store=replace(config.store, path=Path(folder) / "demo.libravdb", url=""))
            engine = stack.enter_context(use_store(aside))
        told = _play(session.output, engine)
    if session.output.is_json:
        session.output.json(told)
    else:
        _show(session.output, told, is_kept=keep)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoTurn:
    """What was said, when, and what the gate made of it."""

    at: int
    text: str
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoAnswer:
    """A question, and what memory holds on it."""

    question: str
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """All that is shown: `memories` of the turns were kept."""

    turns: tuple[DemoTurn, ...]
    questions: tuple[DemoAnswer, ...]
    memories: int
    mode: str


def _play(output: Output, engine: EngineApi) -> Demonstration:
    today = now()
    said = [{"role": "user", "content": text.format(key=KEY), "at": today - days * DAY} for days, text in HISTORY]
    with output.progress("Taking in") as progress:
        done = engine.conversations.import_transcript(said, session="demo", namespace=USER, progress=progress)
    texts = {record.id: record for record in engine.memories.latest(raw_turns("demo"), limit=len(said))}
    return Demonstration(
        turns=tuple(
            DemoTurn(at=texts[turn.id].at, text=texts[turn.id].text, verdict=turn.verdict.words())
            for turn in done.turns
            if turn.verdict is not None and turn.id in texts
        ),
        questions=tuple(
            DemoAnswer(question=question, answer=engine.search(question, namespace=USER, k=3)) for question in QUESTIONS
        ),
        memories=len(engine.memories.latest(durable_memory(USER), limit=1_000)),
        mode=engine.status().mode,
    )


def _show(output: Output, told: Demonstration, *, is_kept: bool) -> None:
    output.heading("Taking in six weeks of conversation")
    rows = [(local_time(turn.at), turn.text, turn.verdict) for turn in told.turns]
    output.table(("when", "what was said", "the gate"), rows)
    for each in told.questions:
        output.say()
        output.heading((each.question, "bold"))
        output.warn(each.answer.degraded)
        show_answer(output, each.answer)
    output.say(
        f"\n{told.memories} memories of {len(HISTORY)} turns, search mode: {told.mode}."
        " All of it stayed on this machine.\nTry it with your own: ",
        ("libravdb ingest", "bold"),
        ", ",
        ("remember", "bold"),
        " and ",
        ("search", "bold"),
        " (see ",
        ("libravdb --help", "bold"),
        ").",
    )
    output.say(
        "See it in a browser: ",
        *(() if is_kept else (("libravdb demo --keep", "bold"), ", then ")),
        (f"libravdb inspect --user {USER}", "bold"),
        ".",
    )


COMMANDS: tuple[click.Command, ...] = (demo,)
