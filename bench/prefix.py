"""How much of a prompt a provider can take from its cache: whole chats, compacted as they grow, in every mode.

    python -m bench.prefix [CHAT …] [--turns 400]

A chat is played turn by turn through a real engine: a prompt is assembled for each question, then the question and its
answer are taken in, and whenever 2,000 tokens have come the session is compacted. Without a CHAT (a file as in
`bench/sets`) an assistant with long answers is played, drawn from a table of subjects.

For each mode and window: the share of a prompt's characters that begin it exactly as the prompt before began (the mean,
the worst twentieth, how many of a hundred prompts share less than 20 %), all of it as the provider sees it, with the
question last. "ours" counts what memory adds and leaves the host's messages out.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, quantiles

from bench.personal import read
from bench.recall.cache import CachedEmbedder

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.core.authored.deontic import rules as read_rules
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.model import AssemblyMode, Prompt
from libravdb.ports.embedder import Embedder
from libravdb.testing import WordsEmbedder
from libravdb.text.tokens import prompt_tokens

START = 1_790_000_000_000
FOLD = 2_000
LITTLE = 0.2
NAME = "anna"
SUBJECTS = (
    ("garden", "roses hedge compost seedlings watering shade fence bees hive honey soil spring"),
    ("release", "branch build tests deploy rollback ticket review staging database index schema cache"),
    ("kitchen", "recipe oven dough flour salt herbs soup lentils bread butter lemon pan"),
    ("journey", "train ticket hotel map station museum harbour ferry island weather luggage passport"),
    ("money", "budget rent invoice savings tax account transfer receipt insurance loan pension salary"),
    ("school", "exam essay chemistry lesson teacher homework notes library grade physics project team"),
)
GLUE = "the and with for about because then we should try another way before it gets late again on Monday".split()

Message = dict[str, str]
Host = Callable[[Sequence[Message]], Sequence[Message]]
"""What of a history a host shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A way to use memory: its mode, the budget it gets, and what the host shows itself."""

    name: str
    mode: AssemblyMode
    budget: int
    shows: Host


CASES = (
    *(
        Case(name=f"window {size:,}", mode=AssemblyMode.WINDOW, budget=size, shows=lambda said: said)
        for size in (8_000, 16_000)
    ),
    Case(name="augment, host shows all", mode=AssemblyMode.AUGMENT, budget=4_000, shows=lambda said: said),
    *(
        Case(name=f"augment {size:,}, shows 20", mode=AssemblyMode.AUGMENT, budget=size, shows=lambda said: said[-20:])
        for size in (4_000, 8_000)
    ),
    Case(name="augment 4,000, shows none", mode=AssemblyMode.AUGMENT, budget=4_000, shows=lambda _: ()),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One prompt: its shared beginning of all, of what memory adds, and what was made."""

    whole: float
    ours: float
    made: Prompt


def written(path: Path) -> list[Message]:
    """A chat of `bench/sets` as one session."""
    return [{"role": turn.role, "content": turn.text} for session in read(path).sessions for turn in session]


def drawn(turns: int, seed: int = 1) -> list[Message]:
    """An assistant with long answers; a subject lasts for a while."""
    random = Random(seed)
    said: list[Message] = []
    subject = SUBJECTS[0]
    while len(said) < turns:
        if random.random() < 0.15:
            subject = random.choice(SUBJECTS)
        words = [*subject[1].split(), *GLUE]
        for role, low, high in (("user", 6, 30), ("assistant", 30, 140)):
            text = " ".join(random.choices(words, k=random.randint(low, high)))
            said.append({"role": role, "content": f"{text.capitalize()} ({subject[0]} {len(said)})."})
    return said


def play(
    said: Sequence[Message], case: Case, *, embedder: Embedder, folder: Path, settings: EngineSettings | None = None
) -> Iterator[Step]:
    """Every prompt of a chat but the first, which has none before it."""
    chosen = settings or EngineSettings(compaction=CompactionSettings(auto_tokens=0))
    clock = itertools.count(START, 60_000).__next__
    store = SqliteStore(folder / "prefix.libravdb", now=START)
    with Engine(
        store=store, load_embedder=lambda _: embedder, clock=clock, settings=chosen, read_rules=read_rules
    ) as engine:
        before: tuple[str, str] | None = None
        came = 0
        for place, message in enumerate(said):
            if message["role"] == "user":
                shown = case.shows(said[:place])
                made = engine.prompts.assemble(
                    message["content"], session="s", namespace=NAME, budget=case.budget, messages=shown, mode=case.mode
                )
                now = _texts(made, shown, message["content"])
                if before is not None:
                    yield Step(whole=_share(now[0], before[0]), ours=_share(now[1], before[1]), made=made)
                before = now
            engine.conversations.ingest(message, session="s", namespace=NAME)
            came += prompt_tokens(message["content"])
            if came >= FOLD:
                engine.compaction.compact("s")
                came = 0


def _texts(made: Prompt, shown: Sequence[Message], question: str) -> tuple[str, str]:
    """A prompt as the provider sees it, and what memory adds to it."""
    kept = [f"{shown[place]['role']}: {shown[place]['content']}\n" for place in made.kept]
    whole = "".join((made.rules, made.opening, *kept[: made.closing_at], made.closing, *kept[made.closing_at :]))
    return whole + question, made.rules + made.opening + made.closing + question


def _share(now: str, before: str) -> float:
    differing = (place for place, (one, other) in enumerate(zip(now, before, strict=False)) if one != other)
    return next(differing, min(len(now), len(before))) / max(len(now), 1)


def report(name: str, said: Sequence[Message], load: Callable[[], Embedder]) -> None:
    """A table over all cases for one chat."""
    print(f"\n{name}: {len(said)} turns, {sum(prompt_tokens(one['content']) for one in said):,} tokens")
    print(f"{'':28}{'mean':>8}{'worst 5 %':>11}{'below 20 %':>12}{'ours':>8}{'tokens':>9}")
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            steps = list(play(said, case, embedder=load(), folder=Path(folder)))
        shares = [step.whole for step in steps]
        little = sum(share < LITTLE for share in shares) / len(shares)
        print(
            f"{case.name:28}{mean(shares):8.1%}{quantiles(shares, n=20)[0]:11.1%}{little:12.1%}"
            f"{mean(step.ours for step in steps):8.1%}{mean(step.made.tokens for step in steps):9,.0f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chats", nargs="*", type=Path)
    parser.add_argument("--turns", type=int, default=400)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache/libravdb-bench")
    given = parser.parse_args()
    for path in given.chats:
        report(path.stem, written(path), lambda: CachedEmbedder(open_minilm(), given.cache))
    if not given.chats:
        report("an assistant with long answers", drawn(given.turns), WordsEmbedder)


if __name__ == "__main__":
    main()
