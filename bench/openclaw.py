"""Measure what the plugin costs OpenClaw's real host: milliseconds a turn, and how steady its requests are.

    PYTHONPATH=. python bench/openclaw.py [--turns 60]

Two gateways run, one with the plugin and one as it comes, with a model that answers at once. Each turn is played to
both, one after the other, so that a busy machine slows both. Every step that the host asks of the plugin is timed
inside the gateway, by a wrapper around the plugin; the first turns warm up and do not count. What passes before the
model is the time from the turn's beginning until its first request arrives.

Then a session outgrows a window of about 16,000 tokens (of a model that has 30,000, the host's part included), and a
greeting is said to both; with --turns 0 only this. The prefix is the share of a request
(tools, system prompt, messages) that begins it exactly as the request before it in the session.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import mean, median, quantiles

from bench.prefix import drawn
from tools.openclaw_host import PLUGIN, Host, Json, call_tool, open_host

from libravdb.text.tokens import prompt_tokens

WARM_UP = 10
WINDOW_TURNS = 45
LONGER = 5
"""How often an answer is said, so that the window is full after half of the turns."""
LITTLE = 0.22
"""A request that shares no more of its beginning was written anew."""
AGENTS = {"main": "wide", "medium": "medium"}
TOPICS = (
    "the hive at the fence and its honey",
    "the release of the exporter on Thursday",
    "the flat in Lisbon and its landlord",
    "the choir and its archive in the attic",
    "the night train to Graz and its timetable",
)
WRAPPER = """
import fs from "node:fs";
import plugin from %(plugin)s;

const write = (step, ms) => fs.appendFileSync(%(times)s, JSON.stringify([step, ms]) + "\\n");

/** The engine, with a clock at every door. */
function timed(engine) {
  return new Proxy(engine, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return async (...given) => {
        const began = performance.now();
        try {
          return await value.apply(target, given);
        } finally {
          write(name, performance.now() - began);
        }
      };
    },
  });
}

export default {
  ...plugin,
  register: (api) =>
    plugin.register(
      new Proxy(api, {
        get(target, name) {
          if (name !== "registerContextEngine") return Reflect.get(target, name, target);
          return (id, factory) => target.registerContextEngine(id, (ctx) => timed(factory(ctx)));
        },
      }),
    ),
};
"""


Steps = list[tuple[str, float]]


@dataclass(slots=True)
class Played:
    """What turns took, in milliseconds: until the model was asked, in whole, and in the plugin's steps."""

    before: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    steps: list[Steps] = field(default_factory=list)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--turns", type=int, default=60)
    turns = arguments.parse_args().turns
    with tempfile.TemporaryDirectory(prefix="oc-") as folder:
        _measure(Path(folder), turns)


def _measure(home: Path, turns: int) -> None:
    times = home / "times.jsonl"
    for name in ("ours", "stock"):
        (home / name).mkdir()
    plugin = _wrapped(home / "plugin", times)
    with (
        open_host(home / "ours", plugin=plugin, agents=AGENTS) as host,
        open_host(home / "stock", plugin=None, agents=AGENTS) as other,
    ):
        host.start_daemon()
        host.memory("author", sourceDoc="AGENTS.md", text="- Always answer in plain words.\n")
        host.start_gateway()
        other.start_gateway()
        if turns:
            ours, stock, cpu = _side_by_side(host, other, turns, times)
            _tell_turns(ours, stock, turns)
            calls = host.memory("status")["calls"]
            inside = [(name, f"{calls[name]['meanMs']:.1f}") for name in ("assemble", "commit_turn")]
            _show(("in the daemon, ms a turn", "mean"), [*inside, ("CPU, compaction included", f"{cpu:.1f}")])
            _show(_PREFIX, _prefixes(host.model.requests))
        _tell_window(host)
        _tell_greeting(host, other)


def _side_by_side(host: Host, other: Host, turns: int, times: Path) -> tuple[Played, Played, float]:
    """Each turn to both; who is first changes."""
    ours, stock = Played(), Played()
    began = 0.0
    for turn in range(-WARM_UP, turns):
        began = cpu_ms(host) if turn == 0 else began
        read = times.read_text().count("\n") if times.exists() else 0
        for played in ((host, ours), (other, stock)) if turn % 2 else ((other, stock), (host, ours)):
            _play(*played, turn)
        ours.steps.append([(step, ms) for step, ms in map(json.loads, times.read_text().splitlines()[read:])])
    for each in (ours, stock):
        each.before, each.whole, each.steps = each.before[WARM_UP:], each.whole[WARM_UP:], each.steps[WARM_UP:]
    return ours, stock, (cpu_ms(host) - began) / turns


def _tell_turns(ours: Played, stock: Played, turns: int) -> None:
    print(f"{turns} turns after {WARM_UP} to warm up, every fifth with a call of a tool\n")
    names = ("assemble", "commitTurn", "other steps")
    rows = [(name, [_sum(turn, name, names) for turn in ours.steps]) for name in names]
    rows.append(("all steps of a turn", [sum(ms for _, ms in turn) for turn in ours.steps]))
    _show(("in the gateway, ms", "p50", "p95"), [(name, *_figures(values)) for name, values in rows])
    for name, one, two in (("before the model", ours.before, stock.before), ("whole turn", ours.whole, stock.whole)):
        more = [a - b for a, b in zip(one, two, strict=True)]
        sides = (("with the plugin", one), ("as it comes", two), ("the difference, turn by turn", more))
        _show((f"{name}, ms", "p50", "p95"), [(side, *_figures(values)) for side, values in sides])


def _tell_window(host: Host) -> None:
    """A session that outgrows its window: how much of each request is as it was."""
    before = len(host.model.requests)
    said = drawn(2 * WINDOW_TURNS)
    for question, answer in zip(said[::2], said[1::2], strict=True):
        host.model.script = [" ".join([str(answer["content"])] * LONGER)]
        host.say(str(question["content"]), key="agent:medium:window")
    requests = host.model.requests[before:]
    _show(_PREFIX, _prefixes(requests, warm_up=0))
    shares = _shares([json.dumps([one.get("tools"), one["messages"]]) for one in requests])
    little = sum(share <= LITTLE for share in shares)
    longest = max(prompt_tokens(json.dumps(one["messages"], ensure_ascii=False)) for one in requests)
    budget = host.memory("explain", agentId="medium")["receipt"]["budget"]
    print(f"{WINDOW_TURNS} turns in a window of {budget:,}, longest request {longest:,} tokens without its tools:")
    print(
        f"{little} of {len(shares)} share at most {LITTLE:.0%}; in turn: {' '.join(f'{one:.0%}' for one in shares)}\n"
    )


def _tell_greeting(host: Host, other: Host) -> None:
    """What a greeting in a new session costs more than without the plugin."""
    (ours,), (stock,) = (one.say("Hi there", key="agent:main:greeting") for one in (host, other))
    rows = []
    for part in ("messages", "tools"):
        more = [prompt_tokens(json.dumps(request.get(part), ensure_ascii=False)) for request in (ours, stock)]
        rows.append((part, *(f"{tokens:,}" for tokens in (*more, more[0] - more[1]))))
    _show(("tokens of a greeting", "ours", "stock", "more"), rows)


_PREFIX = ("request begins as the one before", "mean", "p50", "least", "≥ 90 %")


def _show(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for first, *others in (head, *rows):
        print(f"{first:34}" + "".join(f"{cell:>9}" for cell in others))
    print()


def _wrapped(folder: Path, times: Path) -> Path:
    """The plugin with a clock at every door."""
    shutil.copytree(PLUGIN, folder, ignore=shutil.ignore_patterns("test", "index.js", "README.md"))
    names = {"plugin": json.dumps("./plugin.js"), "times": json.dumps(str(times))}
    shutil.copy(PLUGIN / "index.js", folder / "plugin.js")
    (folder / "index.js").write_text(WRAPPER % names, encoding="utf-8")
    return folder


def cpu_ms(host: Host) -> float:
    """CPU that the daemon has used so far, by the kernel's count; 0 where the kernel does not tell."""
    told = Path(f"/proc/{host.daemon.pid if host.daemon else 0}/stat")
    if not told.exists():
        return 0.0
    fields = told.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _play(host: Host, played: Played, turn: int) -> None:
    topic = TOPICS[turn % len(TOPICS)]
    if turn % 5 == 4:
        host.model.script = [call_tool("memory_search", query=topic), "I looked it up."]
    asked = len(host.model.arrivals)
    began = time.perf_counter()
    host.say(
        f"Turn {turn}: let us talk about {topic}; last week it cost {turn * 7 + 80} euros.", key="agent:main:bench"
    )
    played.whole.append((time.perf_counter() - began) * 1000)
    played.before.append((host.model.arrivals[asked] - began) * 1000)


def _sum(turn: Sequence[tuple[str, float]], name: str, names: Sequence[str]) -> float:
    return sum(ms for step, ms in turn if step == name or (name == names[-1] and step not in names))


def _figures(values: Sequence[float]) -> tuple[str, str]:
    return f"{median(values):.1f}", f"{quantiles(values, n=20)[-1]:.1f}"


def _prefixes(requests: Sequence[Json], *, warm_up: int = WARM_UP) -> list[tuple[str, ...]]:
    """All of a request, and its messages alone without the system prompt, which is the host's for the most part."""
    talk = [[one for one in request["messages"] if one["role"] != "system"] for request in requests]
    texts = {
        "the whole request": [json.dumps([request.get("tools"), request["messages"]]) for request in requests],
        "its conversation alone": [json.dumps(messages) for messages in talk],
    }
    rows = []
    for name, told in texts.items():
        shares = _shares(told[warm_up:])
        steady = sum(share >= 0.9 for share in shares) / len(shares)
        rows.append((name, *(f"{figure:.1%}" for figure in (mean(shares), median(shares), min(shares), steady))))
    return rows


def _shares(told: Sequence[str]) -> list[float]:
    """How much of each text begins it as the one before it."""
    return [_shared(one, other) / len(other) for one, other in pairwise(told)]


def _shared(one: str, other: str) -> int:
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


if __name__ == "__main__":
    main()
