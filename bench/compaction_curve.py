"""A chat of thousands of turns, compacted again and again: how large its active view gets, and what folding costs.

    python bench/compaction_curve.py [--turns 2000] [--results bench/results/compaction-curve.json]

Two people alternate; a compaction starts whenever 2,000 tokens have come in, as it does by itself. Told for each part
of the chat: the active view right before and after compactions, and the CPU time of compaction per turn that was folded
(embedding included). At the end every raw turn must be reachable, and the file sound.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from libravdb import __version__
from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.model import Record
from libravdb.text.tokens import prompt_tokens

SESSION, NAMESPACE = "curve", "anna"
START = 1_790_000_000_000
PARTS = 10

TOPICS = (
    "the greenhouse", "the harbour office", "my sister's wedding", "the night train to Vienna", "release 4.2",
    "the roof", "the choir", "our bakery", "server falcon", "the tax return", "the garden wall", "the bicycle workshop",
)  # fmt: skip
ASKED = (
    "What did we say about {topic}? I think the estimate was {n} euros.",
    "Can you look into {topic} again? The notes are in notes/{slug}-{n}.md.",
    "I spoke to Clara about {topic} on {day} May, and she wants an answer by {hour}:30.",
    "For {topic} we still need {n} boxes; last time {m} were not enough, and the driver had to come twice.",
    "Let us move {topic} to {day} June, it rains too much, and half of the people are away anyway.",
)
ANSWERED = (
    "For {topic} I would plan {n} hours; the first {m} go into clearing what is there, the rest into the real work.",
    "The file notes/{slug}-{n}.md says that {topic} waits for part {m}, which should arrive on {day} July.",
    "Noted: {topic}, {n} euros, until {day} May. I will remind you two days before, and again on the morning.",
    "There are two ways to go on with {topic}: keep the old frame and spend {n} euros, or begin anew for about {m}.",
    "Done. I changed {topic} in commit {hash} and wrote down what was decided, with all reasons and {n} open points.",
)


@dataclass(slots=True)
class Part:
    """One stretch of the chat; sizes in tokens of the active view, time in CPU milliseconds per folded turn."""

    turns: int
    compactions: int = 0
    folded: int = 0
    seconds: float = 0.0
    largest: int = 0
    after: list[int] = field(default_factory=list)
    records: int = 0
    levels: int = 0

    def row(self) -> dict[str, float | int]:
        """As it is told."""
        return {
            "turns": self.turns,
            "compactions": self.compactions,
            "folded": self.folded,
            "largest view": self.largest,
            "view after folding": round(sum(self.after) / max(1, len(self.after))),
            "records in view": self.records,
            "levels": self.levels,
            "CPU ms per folded turn": round(1000 * self.seconds / max(1, self.folded), 1),
        }


def said(number: int, dice: random.Random) -> str:
    """What is said at a place of the chat."""
    topic = dice.choice(TOPICS)
    values = {
        "topic": topic,
        "slug": topic.rpartition(" ")[2],
        "n": dice.randrange(12, 980),
        "m": dice.randrange(2, 11),
        "day": dice.randrange(1, 29),
        "hour": dice.randrange(8, 19),
        "hash": f"{dice.randrange(16**7):07x}",
    }
    return dice.choice(ANSWERED if number % 2 else ASKED).format(**values)


def view_of(engine: Engine) -> list[Record]:
    """The active view."""
    return engine.memories.latest(f"session:{SESSION}", limit=1_000_000)


def price(records: Sequence[Record]) -> int:
    """What it costs in a prompt."""
    return sum(prompt_tokens(record.text) for record in records)


def unreached(engine: Engine) -> set[str]:
    """Raw turns to which no way leads from the active view."""
    turns = {record.id for record in engine.memories.latest(f"session_raw:{SESSION}", limit=1_000_000)}
    for record in view_of(engine):
        if record.metadata.get("type") == "summary":
            turns -= {turn.id for turn in engine.compaction.expand(record.id, session=SESSION, max_depth=100)}
        else:
            turns.discard(record.id)
    return turns


def talk(engine: Engine, turns: int, auto_tokens: int) -> list[Part]:
    """Say every turn and compact when it is time; the parts of the chat."""
    dice = random.Random(8)
    parts = [Part(turns=turns * (n + 1) // PARTS) for n in range(PARTS)]
    grown = 0
    for number in range(turns):
        part = parts[number * PARTS // turns]
        text = said(number, dice)
        message = {"role": "assistant" if number % 2 else "user", "content": text, "id": f"t{number:06}-x"}
        engine.conversations.ingest(
            {**message, "timestamp": START + 60_000 * number}, session=SESSION, namespace=NAMESPACE
        )
        grown += prompt_tokens(text)
        if grown >= auto_tokens:
            grown = 0
            part.largest = max(part.largest, price(view_of(engine)))
            began = time.process_time()
            done = engine.compaction.compact(SESSION)
            part.seconds += time.process_time() - began
            part.compactions += done.did_compact
            part.folded += done.turns_removed
            part.after.append(done.tokens_after)
        view = view_of(engine) if number + 1 == part.turns else []
        if view:
            part.records = len(view)
            part.levels = max(int(str(record.metadata.get("level", 0))) for record in view)
    return parts


def main() -> None:
    """Print the curve and keep it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=2_000)
    parser.add_argument("--results", type=Path, default=Path("bench/results/compaction-curve.json"))
    asked = parser.parse_args()
    settings = CompactionSettings()
    quiet = EngineSettings(compaction=CompactionSettings(auto_tokens=0))
    embedder = open_minilm()
    with (
        tempfile.TemporaryDirectory() as folder,
        Engine(
            store=SqliteStore(Path(folder) / "curve.libravdb"),
            load_embedder=lambda _: embedder,
            clock=lambda: START,
            settings=quiet,
        ) as engine,
    ):
        parts = talk(engine, asked.turns, settings.auto_tokens)
        whole = price(engine.memories.latest(f"session_raw:{SESSION}", limit=1_000_000))
        lost, broken = unreached(engine), list(engine.upkeep.verify())
    rows = [part.row() for part in parts]
    print("| " + " | ".join(rows[0]) + " |")
    print("|" + "---:|" * len(rows[0]))
    for row in rows:
        print("| " + " | ".join(f"{value:,}" for value in row.values()) + " |")
    print(
        f"\n{asked.turns:,} turns, {whole:,} tokens; {len(lost)} raw turns out of reach, {len(broken)} findings of fsck"
    )
    report = {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "version": __version__,
        "settings": asdict(settings),
        "turns": asked.turns,
        "tokens said": whole,
        "unreached": len(lost),
        "findings": len(broken),
        "parts": rows,
    }
    asked.results.parent.mkdir(parents=True, exist_ok=True)
    asked.results.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if lost or broken:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
