"""Measure what the plugin costs OpenClaw's real host: milliseconds a turn, and how steady its requests are.

    PYTHONPATH=. python bench/openclaw.py [--turns 60]

A gateway runs with the plugin, and a model that answers at once. Every step that the host asks of the plugin is timed
inside the gateway, by a wrapper around the plugin; the first turns warm up and do not count. The same turns are then
played to the host as it comes, for the whole latency of a turn. The prefix is the share of a request (tools, system
prompt, messages) that begins it exactly as the request before it in the session.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median, quantiles

from tools.openclaw_host import PLUGIN, Host, Json, call_tool, open_host

WARM_UP = 10
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


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--turns", type=int, default=60)
    turns = arguments.parse_args().turns
    with tempfile.TemporaryDirectory(prefix="oc-") as folder:
        home = Path(folder)
        steps, ours, requests, inside = _with_plugin(home / "ours", turns)
        stock = _as_it_comes(home / "stock", turns)
    print(f"{turns} turns after {WARM_UP} to warm up, every fifth with a call of a tool\n")
    names = ("assemble", "commitTurn", "other steps")
    rows = [(name, [_sum(turn, name, names) for turn in steps]) for name in names]
    rows.append(("all steps of a turn", [sum(ms for _, ms in turn) for turn in steps]))
    _show(("in the gateway, ms", "p50", "p95"), [(name, *_figures(values)) for name, values in rows])
    _show(("of it in the daemon, ms a turn", "mean"), inside)
    whole = [("with the plugin", ours), ("as it comes", stock)]
    _show(("whole turn, ms", "p50", "p95"), [(name, *_figures(values)) for name, values in whole])
    _show(("request begins as the one before", "mean", "p50", "least", "≥ 90 %"), _prefixes(requests))


def _show(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for first, *others in (head, *rows):
        print(f"{first:34}" + "".join(f"{cell:>9}" for cell in others))
    print()


Steps = list[tuple[str, float]]


def _with_plugin(home: Path, turns: int) -> tuple[list[Steps], list[float], list[Json], list[tuple[str, str]]]:
    home.mkdir()
    times = home / "times.jsonl"
    wrapped = home / "plugin"
    shutil.copytree(PLUGIN, wrapped, ignore=shutil.ignore_patterns("test", "index.js", "README.md"))
    names = {"plugin": json.dumps("./plugin.js"), "times": json.dumps(str(times))}
    shutil.copy(PLUGIN / "index.js", wrapped / "plugin.js")
    (wrapped / "index.js").write_text(WRAPPER % names, encoding="utf-8")
    steps: list[Steps] = []
    with open_host(home, plugin=wrapped) as host:
        host.start_daemon()
        host.memory("author", sourceDoc="AGENTS.md", text="- Always answer in plain words.\n")
        host.start_gateway()
        whole = []
        began = 0.0
        for turn in range(-WARM_UP, turns):
            began = cpu_ms(host) if turn == 0 else began
            before = times.read_text().count("\n") if times.exists() else 0
            took = _play(host, turn)
            lines = times.read_text().splitlines()[before:]
            if turn >= 0:
                steps.append([(step, ms) for step, ms in map(json.loads, lines)])
                whole.append(took)
        calls = host.memory("status")["calls"]
        inside = [(name, f"{calls[name]['meanMs']:.1f}") for name in ("assemble", "commit_turn")]
        inside.append(("CPU, compaction included", f"{(cpu_ms(host) - began) / turns:.1f}"))
        return steps, whole, host.model.requests, inside


def cpu_ms(host: Host) -> float:
    """CPU that the daemon has used so far, by the kernel's count; 0 where the kernel does not tell."""
    told = Path(f"/proc/{host.daemon.pid if host.daemon else 0}/stat")
    if not told.exists():
        return 0.0
    fields = told.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _as_it_comes(home: Path, turns: int) -> list[float]:
    home.mkdir()
    with open_host(home, plugin=None) as host:
        host.start_gateway()
        return [_play(host, turn) for turn in range(-WARM_UP, turns)][WARM_UP:]


def _play(host: Host, turn: int) -> float:
    topic = TOPICS[turn % len(TOPICS)]
    if turn % 5 == 4:
        host.model.script = [call_tool("memory_search", query=topic), "I looked it up."]
    began = time.perf_counter()
    host.say(
        f"Turn {turn}: let us talk about {topic}; last week it cost {turn * 7 + 80} euros.", key="agent:main:bench"
    )
    return (time.perf_counter() - began) * 1000


def _sum(turn: Sequence[tuple[str, float]], name: str, names: Sequence[str]) -> float:
    return sum(ms for step, ms in turn if step == name or (name == names[-1] and step not in names))


def _figures(values: Sequence[float]) -> tuple[str, str]:
    return f"{median(values):.1f}", f"{quantiles(values, n=20)[-1]:.1f}"


def _prefixes(requests: Sequence[Json]) -> list[tuple[str, ...]]:
    """All of a request, and its messages alone without the system prompt, which is the host's for the most part."""
    talk = [[one for one in request["messages"] if one["role"] != "system"] for request in requests]
    texts = {
        "the whole request": [json.dumps([request.get("tools"), request["messages"]]) for request in requests],
        "its conversation alone": [json.dumps(messages) for messages in talk],
    }
    rows = []
    for name, told in texts.items():
        shares = [
            _shared(one, other) / len(other) for one, other in zip(told[WARM_UP:], told[WARM_UP + 1 :], strict=False)
        ]
        steady = sum(share >= 0.9 for share in shares) / len(shares)
        rows.append((name, *(f"{figure:.1%}" for figure in (mean(shares), median(shares), min(shares), steady))))
    return rows


def _shared(one: str, other: str) -> int:
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


if __name__ == "__main__":
    main()
