"""How many facts survive compaction, and how well summaries stand for their sources, against their size.

    python bench/compaction_facts.py FOLDER [--sessions 40] [--rules]

FOLDER holds conversations as `*.jsonl.gz`, one per line: `{"sessions": [{"turns": [{"speaker", "text"}]}]}`. Sessions
are sampled, cut into clusters as compaction cuts them, and folded by the extractive summariser at several sizes.
`--rules` compares ways to choose sentences. The inventory is checked by a count of its own: runs of digits that it did
not read.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.core.compaction.clusters import plan
from libravdb.core.compaction.escalation import LEDGER_SHARE, REDRAFTS
from libravdb.core.compaction.extractive import CHOSEN, TextUnit, Weights, extract, render, split_units
from libravdb.core.compaction.facts import inventory, ledger, survival
from libravdb.core.compaction.quality import measure
from libravdb.core.compaction.sanitise import sanitise
from libravdb.model import Draft, Fact, FactKind, Source, SummaryTask
from libravdb.text.tokens import prompt_tokens

Rows = NDArray[np.float32]
SHARES = (0.50, 0.35, 0.25, 0.20, 0.15, 0.10, 0.05)
TARGET = (FactKind.NUMBER, FactKind.DATE, FactKind.PATH, FactKind.COMMAND, FactKind.IDENTIFIER)
"""The kinds of which 95 % are to survive at 35 % of the size."""

RULES: dict[str, Weights | None] = {
    "first sentences": None,
    "central": Weights(central=1, coverage=0, facts=0, thrift=1),
    "coverage": Weights(central=0, coverage=1, facts=0, thrift=1),
    "coverage and central": Weights(central=0.2, coverage=1, facts=0, thrift=1),
    "…, facts 0.1": Weights(central=0.2, coverage=1, facts=0.1, thrift=1),
    "…, facts 0.3": Weights(central=0.2, coverage=1, facts=0.3, thrift=1),
    "…, facts 1": Weights(central=0.2, coverage=1, facts=1, thrift=1),
    "…, facts 3 (chosen)": CHOSEN,
    "…, facts 0.3, thrift 0.5": Weights(central=0.2, coverage=1, facts=0.3, thrift=0.5),
    "facts only": Weights(central=0, coverage=0, facts=1, thrift=1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A cluster with everything that does not depend on the rule or the size."""

    task: SummaryTask
    tokens: int
    facts: tuple[Fact, ...]
    units: tuple[TextUnit, ...]
    unit_vectors: Rows
    turn_vectors: tuple[Rows, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of the clusters at one size: facts kept by kind, with and without the ledger."""

    size: float
    kept: Counter[FactKind]
    told: Counter[FactKind]
    align: float
    cover: float
    least_align: float


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sessions", type=int, default=40, help="how many of each file")
    parser.add_argument("--rules", action="store_true", help="compare ways to choose sentences")
    chosen = parser.parse_args()
    embedder = open_minilm()
    files = sorted(chosen.folder.glob("*.jsonl.gz"))
    if not files:
        sys.exit(f"{chosen.folder}: no *.jsonl.gz")
    for file in files:
        clusters = [prepare(cluster, embedder) for cluster in load(file, chosen.sessions)]
        show_inventory(file.name, clusters)
        show_curve(clusters, embedder)
        if chosen.rules:
            show_rules(clusters, embedder)


def load(file: Path, count: int) -> list[list[Source]]:
    """Clusters of sampled sessions, each turn an edge: these conversations have no tools that belong to a turn."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        sessions = [session["turns"] for line in lines for session in json.loads(line)["sessions"]]
    random.Random(5).shuffle(sessions)
    clusters: list[list[Source]] = []
    for turns in [turns for turns in sessions if len(turns) >= 4][:count]:
        sources = [
            Source(id=str(place), text=turn["text"], at=place, speaker=turn["speaker"])
            for place, turn in enumerate(turns)
            if turn["text"].strip()
        ]
        planned = plan(sources, edges=range(len(sources)))
        clusters += [sources[each.start : each.end] for each in planned if not each.declined]
    return clusters


def prepare(sources: Sequence[Source], embedder: OnnxEmbedder) -> Prepared:
    """Facts, units and vectors of a cluster."""
    task = SummaryTask(
        texts=tuple(sanitise(source.text) for source in sources),
        roles=tuple(source.speaker for source in sources),
        max_tokens=0,
    )
    units = split_units(task)
    return Prepared(
        task=task,
        tokens=sum(prompt_tokens(source.text) for source in sources),
        facts=inventory(task.texts),
        units=units,
        unit_vectors=np.stack([embedder.embed_query(unit.text) for unit in units]),
        turn_vectors=tuple(embedder.embed_query(source.text) for source in sources),
    )


def fold(cluster: Prepared, weights: Weights | None, max_tokens: int) -> tuple[str, str]:
    """The summary and its ledger, in the way of the ladder: the text yields room to the facts that it misses."""
    allowed = max_tokens
    for _ in range(1 + REDRAFTS):
        text = draft(cluster, weights, allowed).text
        missing = survival(cluster.facts, text).missing
        line = ledger(missing, max_tokens=max_tokens)
        needed = prompt_tokens(line) + 1 if line else 0
        allowed = max(1, max_tokens - min(needed, int(LEDGER_SHARE * max_tokens)))
        if prompt_tokens(text) <= allowed:
            break
    return text, ledger(missing, max_tokens=max_tokens - prompt_tokens(text) - 1)


def draft(cluster: Prepared, weights: Weights | None, max_tokens: int) -> Draft:
    """A draft by a rule; without weights the first sentence of each turn, then the second, and so on."""
    task = SummaryTask(texts=cluster.task.texts, roles=cluster.task.roles, max_tokens=max_tokens)
    if weights is not None:
        return extract(task, cluster.units, vectors=cluster.unit_vectors, facts=cluster.facts, weights=weights)
    rank: Counter[int] = Counter()
    order: list[tuple[int, int]] = []
    for place, unit in enumerate(cluster.units):
        order.append((rank[unit.source], place))
        rank[unit.source] += 1
    chosen: list[int] = []
    for _, place in sorted(order):
        if prompt_tokens(render(task, cluster.units, sorted([*chosen, place]))) <= max_tokens:
            chosen.append(place)
    return Draft(text=render(task, cluster.units, sorted(chosen)), method="lead")


def fold_all(clusters: Sequence[Prepared], embedder: OnnxEmbedder, *, weights: Weights | None, share: float) -> Outcome:
    """Fold every cluster at a size and count."""
    kept: Counter[FactKind] = Counter()
    told: Counter[FactKind] = Counter()
    sizes, aligns, covers = [], [], []
    for cluster in clusters:
        text, line = fold(cluster, weights, int(share * cluster.tokens))
        whole = f"{text}\n{line}" if line else text
        kept.update(fact.kind for fact in survival(cluster.facts, whole).found)
        told.update(fact.kind for fact in survival(cluster.facts, text).found)
        quality = measure(embedder.embed_query(whole or "-"), cluster.turn_vectors)
        sizes.append(prompt_tokens(whole) / cluster.tokens)
        aligns.append(quality.align)
        covers.append(quality.cover)
    return Outcome(
        size=float(np.mean(sizes)),
        kept=kept,
        told=told,
        align=float(np.mean(aligns)),
        cover=float(np.mean(covers)),
        least_align=min(aligns),
    )


def show_inventory(name: str, clusters: Sequence[Prepared]) -> None:
    """What was listed, and what a plain count of digits says was not."""
    listed = Counter(fact.kind for cluster in clusters for fact in cluster.facts)
    tokens = [cluster.tokens for cluster in clusters]
    full = [prompt_tokens(ledger(cluster.facts, max_tokens=10**6)) / cluster.tokens for cluster in clusters]
    print(f"\n{name}: {len(clusters)} clusters of {np.mean(tokens):.0f} tokens on average")
    print("  listed: " + ", ".join(f"{kind} {listed[kind]}" for kind in FactKind if listed[kind]))
    print(f"  a ledger of all facts would take {np.mean(full):.1%} of the source on average, at most {max(full):.1%}")
    runs = missed = 0
    for cluster in clusters:
        written = " ".join(fact.text for fact in cluster.facts)
        known = set(re.findall(r"\d+", written))
        for text in cluster.task.texts:
            for run in re.finditer(r"\d+", re.sub(r"(?m)^\W{0,20}\d{1,3}[.)](?=\W|$)", "", text)):
                runs += 1
                missed += run[0] not in known
    print(f"  digits outside of list numbers: {runs} runs, {missed} in no listed fact")


def show_curve(clusters: Sequence[Prepared], embedder: OnnxEmbedder) -> None:
    """Survival against size, with the rule that is used."""
    total = Counter(fact.kind for cluster in clusters for fact in cluster.facts)
    kinds = [kind for kind in FactKind if total[kind]]
    print(
        "\n| allowed | taken | target kinds | in sentences |"
        + "".join(f" {kind} |" for kind in kinds)
        + " align | cover |"
    )
    print("|---|" + "---:|" * (len(kinds) + 5))
    for share in SHARES:
        found = fold_all(clusters, embedder, weights=CHOSEN, share=share)
        cells = [f"{found.size:.1%}", f"{_rate(found.kept, total):.1%}", f"{_rate(found.told, total):.1%}"]
        cells += [f"{found.kept[kind] / total[kind]:.1%}" for kind in kinds]
        print(f"| {share:.0%} | " + " | ".join([*cells, f"{found.align:.3f}", f"{found.cover:.3f}"]) + " |", flush=True)


def show_rules(clusters: Sequence[Prepared], embedder: OnnxEmbedder) -> None:
    """The rules side by side at two sizes."""
    total = Counter(fact.kind for cluster in clusters for fact in cluster.facts)
    print("\n| rule | allowed | taken | target kinds | in sentences | names | decisions told | align | least | cover |")
    print("|---|" + "---:|" * 9)
    for share in (0.35, 0.15):
        for name, weights in RULES.items():
            found = fold_all(clusters, embedder, weights=weights, share=share)
            rates = [_rate(found.kept, total), _rate(found.told, total)]
            rates += [found.kept[FactKind.NAME] / max(1, total[FactKind.NAME])]
            rates += [found.told[FactKind.DECISION] / max(1, total[FactKind.DECISION])]
            cells = [f"{share:.0%}", f"{found.size:.1%}", *(f"{rate:.1%}" for rate in rates)]
            cells += [f"{found.align:.3f}", f"{found.least_align:.3f}", f"{found.cover:.3f}"]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def _rate(kept: Counter[FactKind], total: Counter[FactKind]) -> float:
    """The share of the facts of the target kinds."""
    return sum(kept[kind] for kind in TARGET) / max(1, sum(total[kind] for kind in TARGET))


if __name__ == "__main__":
    main()
