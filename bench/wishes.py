"""Standing wishes, measured: are they in the prompt of a new session, and is nothing else taken for one?

    python bench/wishes.py [TSV]

Each line of the file is `label ⇥ language ⇥ turn ⇥ wish`: `general` wishes must stand in the prompt of a new session
for a greeting, `subject` ones for a question about their subject, `none` must leave no guidance, and of `replaces` (two
turns, separated by ` || `) the wish of the second must stand there and the first must not. Every miss is named.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.core.authored.deontic import rules as read_rules
from libravdb.engine.engine import Engine

DEFAULT = Path(__file__).parent / "sets" / "choosing" / "wishes.tsv"
BUDGET = 4_000
START = 1_790_000_000_000


@dataclass(frozen=True, slots=True)
class Line:
    """One case: what was said, and which wish must count."""

    label: str
    language: str
    turns: tuple[str, ...]
    wish: str


def read(path: Path) -> list[Line]:
    """The cases of a file; lines that begin with # are comments."""
    found = []
    for text in path.read_text(encoding="utf-8").splitlines():
        if text.strip() and not text.startswith("#"):
            label, language, turn, *wish = text.split("\t")
            turns = tuple(turn.split(" || "))
            found.append(Line(label, language, turns, wish[0].strip() if wish else ""))
    return found


def guidance_for(engine: Engine, line: Line, name: str) -> tuple[str, int]:
    """What stands as guidance in a new session after a case was said, and how many wishes count."""
    for number, turn in enumerate(line.turns):
        message = {"role": "user", "content": turn, "id": f"u{number}", "timestamp": START + 1_000 * number}
        engine.conversations.ingest(message, session=f"{name}-{number}", namespace=name)
    prompt = line.wish if line.label in ("subject", "replaces") else "hello"
    made = engine.prompts.assemble(prompt + " ?", session="new", namespace=name, budget=BUDGET)
    frame = made.closing.partition("<elevated_guidance")[2].partition("</elevated_guidance>")[0]
    return frame, len(engine.guidance.list(namespace=name))


def is_right(line: Line, frame: str, count: int) -> bool:
    """Whether a case came out as its label says."""
    if line.label == "none":
        return count == 0
    if line.label == "replaces":
        return _shows(frame, line.wish) and count == 1
    return _shows(frame, line.wish) if line.label == "general" else count > 0 and _shows(frame, line.wish)


def _shows(frame: str, wish: str) -> bool:
    plain = frame.replace("&quot;", '"').replace("&#x27;", "'").replace("&lt;", "<").replace("&amp;", "&")
    return wish.strip(" .!") in plain


def main() -> None:
    """Measure a file and print the account."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    embedder = open_minilm()
    done: Counter[str] = Counter()
    right: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "wishes.libravdb")
        with Engine(
            store=store, load_embedder=lambda _: embedder, clock=lambda: START + 10**9, read_rules=read_rules
        ) as engine:
            for number, line in enumerate(read(path)):
                frame, count = guidance_for(engine, line, f"p{number}")
                done[line.label] += 1
                if is_right(line, frame, count):
                    right[line.label] += 1
                else:
                    print(f"{line.label} {line.language}: {' || '.join(line.turns)}  ({count} count)")
    for label in ("general", "subject", "replaces"):
        if done[label]:
            print(f"{label}: {right[label]} of {done[label]} right ({right[label] / done[label]:.1%})")
    if done["none"]:
        wrong = done["none"] - right["none"]
        print(f"false guidance: {wrong} of {done['none']} ({wrong / done['none']:.1%})")


if __name__ == "__main__":
    main()
