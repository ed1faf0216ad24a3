"""demo: a short history of several weeks, a few questions, and what is found and why."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import click
from rich.rule import Rule

import libravdb
from libravdb.cli.context import CommandContext
from libravdb.cli.memory import show_panels
from libravdb.cli.output import local_time
from libravdb.model.collections import durable_memory, raw_turns

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
    config = session.loaded.config
    with tempfile.TemporaryDirectory(prefix="libravdb-demo-") as folder:
        if not keep:
            config = replace(config, store=replace(config.store, path=Path(folder) / "demo.libravdb"))
        with libravdb.open_engine(config) as engine:
            _play(session, engine)


def _play(session: CommandContext, engine: libravdb.Engine) -> None:
    output, now, target = session.output, libravdb.now(), durable_memory(USER)
    said = [{"role": "user", "content": text.format(key=KEY), "at": now - days * DAY} for days, text in HISTORY]
    output.console.print(Rule("Taking in six weeks of conversation", align="left"))
    with output.progress("Taking in") as progress:
        done = engine.conversations.import_transcript(said, session="demo", namespace=USER, progress=progress)
    texts = {record.id: record for record in engine.memories.latest(raw_turns("demo"), limit=len(said))}
    output.table(
        ("when", "what was said", "the gate"),
        [
            (local_time(texts[turn.id].at), texts[turn.id].text, turn.verdict.words())
            for turn in done.turns
            if turn.verdict is not None and turn.id in texts
        ],
    )
    for question in QUESTIONS:
        answer = engine.search(question, namespace=USER, k=3)
        output.console.print()
        output.console.print(Rule(f"[bold]{question}[/]", align="left"))
        output.warn(answer.degraded)
        show_panels(output, answer)
    state = engine.status()
    kept = engine.memories.latest(target, limit=1_000)
    output.say(
        f"\n{len(kept)} memories of {len(said)} turns, search mode: {state.mode}."
        " All of it stayed on this machine.\n"
        "Try it with your own: [bold]libravdb ingest[/], [bold]remember[/] and [bold]search[/]"
        " (see [bold]libravdb --help[/])."
    )


COMMANDS: tuple[click.Command, ...] = (demo,)
