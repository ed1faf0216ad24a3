"""One task and very many steps: does a window keep the task, use its room, and shrink without a cliff?

    python -m bench.agent_turns [--steps 1000]

An agent gets one task behind a short chat and works on it step by step: a message with one to three calls of tools, and
their results, in the shapes of OpenAI, Anthropic and the OpenClaw host. At each step the whole history is given to the
assembly, which says what stays. No model is loaded. Shown for each window: how often the task stood there, the least
share of the budget that was used once the history exceeded it, the deepest drop from one step to the next, results that
stood there without their call, and how often the window moved.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from libravdb.core.assembly.assemble import assemble
from libravdb.core.continuity.tail import choose_tail
from libravdb.core.ingest.messages import read_message
from libravdb.model import AssemblyMode, Material, Shown

WINDOWS = (4_000, 8_000, 16_000, 32_000, 64_000, 128_000)
SHAPES = ("openai", "anthropic", "host")
WORDS = "parse the module and check each import before the build runs again on the second machine".split()
TASK = "Find out why the nightly build fails on the second machine, and mend it."


@dataclass(slots=True)
class Tally:
    """What was seen over all steps of a run."""

    steps: int = 0
    with_task: int = 0
    least_used: float = 1.0
    deepest_drop: float = 0.0
    orphans: int = 0
    moves: int = 0


def words(random: Random, low: int, high: int) -> str:
    return " ".join(random.choices(WORDS, k=random.randint(low, high)))


def steps(shape: str, random: Random) -> Iterator[list[dict[str, Any]]]:
    """The messages of each step: what the agent says and calls, and what its tools answer."""
    number = 0
    while True:
        calls = [f"c{number + place}" for place in range(random.choice((1, 1, 1, 2, 3)))]
        number += len(calls)
        results = {call: words(random, 20, 400 if random.random() < 0.2 else 120) for call in calls}
        yield _written(shape, words(random, 5, 40), results)


def _written(shape: str, said: str, results: dict[str, str]) -> list[dict[str, Any]]:
    if shape == "openai":
        calls = [
            {"id": call, "type": "function", "function": {"name": "run", "arguments": json.dumps({"at": call})}}
            for call in results
        ]
        told = [{"role": "tool", "tool_call_id": call, "content": text} for call, text in results.items()]
        return [{"role": "assistant", "content": said, "tool_calls": calls}, *told]
    if shape == "anthropic":
        uses = [{"type": "tool_use", "id": call, "name": "run", "input": {"at": call}} for call in results]
        parts = [{"type": "tool_result", "tool_use_id": call, "content": text} for call, text in results.items()]
        content: list[dict[str, Any]] = [{"type": "text", "text": said}, *uses]
        return [{"role": "assistant", "content": content}, {"role": "user", "content": parts}]
    uses = [{"type": "toolCall", "id": call, "name": "run", "arguments": {"at": call}} for call in results]
    answers: list[dict[str, Any]] = [
        {"role": "toolResult", "toolCallId": call, "content": [{"type": "text", "text": text}]}
        for call, text in results.items()
    ]
    return [{"role": "assistant", "content": [{"type": "text", "text": said}, *uses]}, *answers]


def shown(message: dict[str, Any]) -> Shown:
    said = read_message(message, field="message")
    return Shown(content=json.dumps(message["content"], ensure_ascii=False), said=said)


def calls_in(messages: Sequence[dict[str, Any]]) -> tuple[set[str], set[str]]:
    """The ids of the calls and of the results in these messages."""
    text = [json.dumps(message) for message in messages]
    made = {id for one in text if '"role": "assistant"' in one for id in _ids(one)}
    answered = {id for one in text if '"role": "assistant"' not in one for id in _ids(one)}
    return made, answered


def _ids(text: str) -> list[str]:
    return [piece.partition('"')[0] for piece in text.replace('d": "c', "\x00c").split("\x00")[1:]]


def play(shape: str, budget: int, most: int, seed: int = 1) -> Tally:
    """Work on the task for so many steps."""
    random = Random(seed)
    tally, previous, before, start = Tally(), None, 0, ""
    written: list[dict[str, Any]] = []
    for number in range(6):
        written += [{"role": "user", "content": f"{number}: {words(random, 5, 20)}"}]
        written += [{"role": "assistant", "content": words(random, 20, 80)}]
    written.append({"role": "user", "content": TASK})
    read = [shown(message) for message in written]
    for number, step in enumerate(steps(shape, random)):
        if number == most:
            return tally
        written += step
        read += map(shown, step)
        material = Material(
            mode=AssemblyMode.WINDOW,
            budget=budget,
            session="s",
            prompt=TASK,
            turn="the task",
            messages=tuple(read),
            turns=(),
            rules=(),
            previous=previous,
        )
        made = assemble(material, choose_tail=choose_tail)
        kept = [written[place] for place in made.kept]
        calls, answers = calls_in(kept)
        whole = sum(len(one.content) for one in read) / 4
        tally.steps += 1
        tally.with_task += any(message["content"] == TASK for message in kept)
        tally.orphans += len(answers - calls)
        if whole > 1.2 * budget:
            tally.least_used = min(tally.least_used, made.tokens / budget)
        tally.deepest_drop = max(tally.deepest_drop, 1 - made.tokens / before if before else 0.0)
        tally.moves += bool(start) and made.trace.tail_start != start
        before, previous, start = made.tokens, made.trace, made.trace.tail_start
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1_000)
    most: int = parser.parse_args().steps
    print(f"{'shape':12}{'window':>9}{'task':>8}{'least used':>12}{'deepest drop':>14}{'orphans':>9}{'moves':>7}")
    for shape in SHAPES:
        for budget in WINDOWS:
            tally = play(shape, budget, most)
            print(
                f"{shape:12}{budget:9,}{tally.with_task / tally.steps:8.0%}{tally.least_used:12.0%}"
                f"{tally.deepest_drop:14.0%}{tally.orphans:9}{tally.moves:7}"
            )


if __name__ == "__main__":
    main()
