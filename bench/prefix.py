"""Measure how much of a prompt a provider can take from its cache: a session of 200 turns, assembled at each turn.

    python bench/prefix.py

For each mode: the share of a prompt's tokens that begin it exactly as the prompt before began, as we lay it out, beside
a layout that puts what was recalled before the history. No model is loaded; memories are drawn at random, another
choice each turn, which is the worst case for a cache. CPU milliseconds are those of assembling alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean, quantiles

from libravdb.core.assembly.assemble import assemble
from libravdb.core.assembly.settings import AssemblySettings
from libravdb.core.continuity.tail import choose_tail
from libravdb.model import (
    Assembly,
    AssemblyMode,
    Hit,
    IncomingTurn,
    Material,
    Record,
    Role,
    SectionKind,
    Shown,
    Trace,
    Turn,
)
from libravdb.text.tokens import prompt_tokens

TURNS = 200
START = 1_790_000_000_000
WORDS = (
    "the garden bees hive frame honey queen spring shade fence plan budget release branch test build broke again today "
    "Monday about with for and then we should try another way because it was late write down move remove order call"
).split()
PROMPTS = (16_000, 32_000)
"""Prompt budgets: the window gets all of it, augmenting a quarter."""

SHARE = {AssemblyMode.AUGMENT: 4, AssemblyMode.WINDOW: 1}

LATE = (SectionKind.ELEVATED, SectionKind.RECALLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One prompt of the session: what was made, how much of it a cache holds in either layout, and its cost."""

    made: Assembly
    tokens: int
    ours: int
    recall_first: int
    milliseconds: float


def sentence(random: Random, low: int, high: int) -> str:
    return " ".join(random.choices(WORDS, k=random.randint(low, high))).capitalize() + "."


def memory(random: Random, number: int) -> Hit:
    record = Record(
        collection="history:n",
        id=f"h{number}",
        text=f"{number}: {sentence(random, 8, 50)}",
        metadata={"role": "user"},
        at=START - number * 3_600_000,
        version=1,
        access_count=0,
    )
    return Hit(record=record, score=random.random(), breakdown={}, reasons=())


def rules() -> tuple[Record, ...]:
    random = Random(5)
    return tuple(
        Record(
            collection="authored:hard" if number < 12 else "authored:soft",
            id=f"AGENTS.md#{number:06}",
            text=f"- {sentence(random, 8, 16)}",
            metadata={"tier": 1 if number < 12 else 2, "source_doc": "AGENTS.md"},
            at=START,
            version=1,
            access_count=0,
        )
        for number in range(18)
    )


def shown(turn: Turn) -> Shown:
    return Shown(content=turn.text, said=(IncomingTurn(role=turn.role, text=turn.text, id=turn.id),))


def session(
    mode: AssemblyMode, *, prompt_budget: int = 32_000, slack: float = 0.5, turns: int = TURNS, seed: int = 1
) -> Iterator[Step]:
    """A question and its answer each turn; six memories are recalled, and now and then there are none."""
    random = Random(seed)
    memories = [memory(random, number) for number in range(300)]
    said: list[Turn] = []
    previous: Trace | None = None
    before: tuple[list[tuple[str, int]], list[tuple[str, int]]] = ([], [])
    settings = AssemblySettings(slack=slack)
    authored = rules()
    for number in range(turns):
        prompt = sentence(random, 6, 30)
        found = sorted(random.sample(memories, 6), key=lambda hit: -hit.score)
        material = Material(
            mode=mode,
            budget=prompt_budget // SHARE[mode],
            session="s",
            prompt=prompt,
            turn=str(number),
            messages=tuple(shown(turn) for turn in said),
            turns=tuple(said),
            rules=authored,
            elevated=tuple(found[:1]),
            recalled=tuple(found[1:]),
            silence="nothing is relevant" if random.random() < 0.2 else "",
            previous=previous,
        )
        begin = time.process_time()
        made = assemble(material, choose_tail=choose_tail, settings=settings)
        spent = (time.process_time() - begin) * 1000
        layouts = (ordered(made, recall_first=False, prompt=prompt), ordered(made, recall_first=True, prompt=prompt))
        shares = [shared(now, then) for now, then in zip(layouts, before, strict=True)]
        whole = sum(tokens for _, tokens in layouts[0])
        yield Step(made=made, tokens=whole, ours=shares[0], recall_first=shares[1], milliseconds=spent)
        before, previous = layouts, made.trace
        for role, text in ((Role.USER, prompt), (Role.ASSISTANT, sentence(random, 30, 140))):
            id = f"t{len(said)}"
            said.append(Turn(namespace="n", session="s", id=id, role=role, text=text, at=START + len(said)))


def ordered(made: Assembly, *, recall_first: bool, prompt: str) -> list[tuple[str, int]]:
    """The parts of a prompt with their prices, the question last."""
    late = [section for section in made.sections if section.kind in LATE]
    rest = [section for section in made.sections if section.kind not in LATE]
    rules_end = sum(section.kind is SectionKind.RULES for section in rest)
    parts = [*rest[:rules_end], *late, *rest[rules_end:]] if recall_first else made.sections
    return [*((section.text, section.tokens) for section in parts), (prompt, prompt_tokens(prompt))]


def shared(now: Sequence[tuple[str, int]], then: Sequence[tuple[str, int]]) -> int:
    """The tokens of the parts at the beginning of a prompt that are those of the one before."""
    same = 0
    for (text, tokens), (other, _) in zip(now, then, strict=False):
        if text != other:
            break
        same += tokens
    return same


def main() -> None:
    print(f"{TURNS} turns. Share of a prompt that begins it as the one before began: the mean over prompts, its worst")
    print(
        "tenth, and the share of all tokens of the session that a cache could serve; beside it recall before history."
    )
    print(f"{'mode':8}{'prompt':>8}{'slack':>7}{'mean':>8}{'worst':>8}{'all':>8}  {'recall first':>12}", end="")
    print(f"{'most tokens / τ':>20}{'CPU p50 / p95 ms':>20}")
    for mode in AssemblyMode:
        for prompt_budget in PROMPTS:
            for slack in (0.0, 0.25, 0.5, 0.75):
                report(mode, prompt_budget, slack)


def report(mode: AssemblyMode, prompt_budget: int, slack: float) -> None:
    """One line of the table; the first prompt has none before it and does not count."""
    first, *later = session(mode, prompt_budget=prompt_budget, slack=slack)
    shares = [step.ours / step.tokens for step in later]
    whole = sum(step.tokens for step in later)
    other = mean(step.recall_first / step.tokens for step in later)
    times = quantiles([step.milliseconds for step in later], n=20)
    most = max(step.made.tokens for step in (first, *later))
    print(
        f"{mode.value:8}{prompt_budget:8,}{slack:7.2f}{mean(shares):8.1%}{quantiles(shares, n=10)[0]:8.1%}"
        f"{sum(step.ours for step in later) / whole:8.1%}  {other:12.1%}"
        f"{f'{most:,} / {first.made.budget:,}':>20}{f'{times[9]:.2f} / {times[18]:.2f}':>20}"
    )


if __name__ == "__main__":
    main()
