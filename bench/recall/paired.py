"""Two models, the same questions: what changes through the whole engine, with intervals.

    python -m bench.recall.paired --data FOLDER --before MODEL_FOLDER --after MODEL_FOLDER [--only locomo]

Without `--after` it is the shipped model. Differences are in points; the interval holds 95 of 100 bootstrap samples
of the questions, each counted with both models (so that a hard question is hard for both). Questions to one
conversation are not quite independent: take the intervals as a little too narrow.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from bench.recall.data import Conversation, load
from bench.recall.run import Result, is_scored, opened, own, silence

from libravdb.core.recall.settings import RecallSettings

SHOWN = ("any@1", "any@5", "any@10", "in 512", "in 1024", "session any@1", "session any@5", "session all@5")
SAMPLES = 2_000


def interval(differences: Sequence[float], seed: int = 1) -> tuple[float, float]:
    """Where the mean of these differences lies in 95 of 100 samples of them."""
    values = np.array(differences)
    places = np.random.default_rng(seed).integers(0, len(values), size=(SAMPLES, len(values)))
    low, high = np.percentile(values[places].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def compared(before: Sequence[Result], after: Sequence[Result]) -> dict[str, dict[str, list[float]]]:
    """For each group of questions and each measure: before, after, and the interval of the difference."""
    pairs = list(zip(before, after, strict=True))
    groups = {"all": pairs} | {
        f"kind {kind}": [pair for pair in pairs if pair[0].question.kind == kind]
        for kind in sorted({one.question.kind for one in before})
    }
    found: dict[str, dict[str, list[float]]] = {}
    for name, group in groups.items():
        found[f"{name} ({len(group)})"] = {}
        for measure in SHOWN:
            scores = [(a.measures[measure], b.measures[measure]) for a, b in group if measure in a.measures]
            if scores:
                low, high = interval([new - old for old, new in scores])
                means = [100 * float(np.mean(column)) for column in zip(*scores, strict=True)]
                found[f"{name} ({len(group)})"][measure] = [round(x, 1) for x in (*means, 100 * low, 100 * high)]
    return found


def ask(chosen: Sequence[Conversation], cache: Path, model: Path | None) -> tuple[list[Result], dict[str, object]]:
    """Every scored question through an engine with this model, and what silence does."""
    with opened(chosen, cache, model) as bench:
        bench.fill(namespace=own)
        results = bench.ask(RecallSettings(), namespace=own, accept=is_scored)
        return results, dict(silence(bench, RecallSettings(), results))


def main() -> None:
    """Measure both models and print the differences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with the conversations")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "libravdb-bench", help="embeddings")
    parser.add_argument("--before", type=Path, required=True, help="a model folder")
    parser.add_argument("--after", type=Path, help="another one; without it the shipped model")
    parser.add_argument("--only", default="", help="data sets whose name starts so")
    parser.add_argument("--conversations", type=int, help="the first so many of each data set")
    parser.add_argument("--results", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    conversations = [one for one in load(asked.data) if one.dataset.startswith(asked.only)]
    if not conversations:
        parser.error(f"{asked.data} holds no conversation{f' of {asked.only!r}' if asked.only else ''}")
    figures: dict[str, object] = {}
    for dataset in sorted({one.dataset for one in conversations}):
        chosen = [one for one in conversations if one.dataset == dataset][: asked.conversations]
        before, quiet_before = ask(chosen, asked.cache, asked.before)
        after, quiet_after = ask(chosen, asked.cache, asked.after)
        found = compared(before, after)
        figures[dataset] = {"measures": found, "silence": {"before": quiet_before, "after": quiet_after}}
        print(f"\n{dataset}: before → after (95 % interval of the difference)")
        for group, measures in found.items():
            told = ", ".join(f"{name} {a} → {b} ({low:+} … {high:+})" for name, (a, b, low, high) in measures.items())
            print(f"  {group}: {told}", flush=True)
    if asked.results:
        asked.results.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
