"""How well the deontic reader tells rules from prose, and how fast.

`python bench/deontic_quality.py` prints, per language, split and genre, the share of sentences that are wrongly read as
a rule (false positives), of rules that are not seen (false negatives) and of rules seen with the wrong modality, then
every miss, and writes `bench/results/deontic-quality.json`. The corpus is `tests/core/authored/corpus`; `--text FILE`
also measures the speed on a file of prose.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # run as a script: the corpus is shared with the tests

from tests.deontic_corpus import Sample, Score, label_of, load, score  # noqa: E402

import libravdb  # noqa: E402
from libravdb.core.authored.deontic import read, rules  # noqa: E402

RESULT = ROOT / "bench" / "results" / "deontic-quality.json"


def megabytes_a_second(text: str) -> float:
    """The best of five runs, in CPU time."""
    least = float("inf")
    for _ in range(5):
        begin = time.process_time()
        rules(text)
        least = min(least, time.process_time() - begin)
    return len(text.encode()) / 1e6 / least


def prose(size: int = 1_000_000) -> str:
    """A megabyte of this project's own pages: Markdown as people write it."""
    pages = "\n\n".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("docs/**/*.md")))
    return (pages + "\n\n") * (size // len(pages) + 1)


def dense(samples: Sequence[Sample], size: int = 1_000_000) -> str:
    """A megabyte of the corpus's English sentences, half of them rules: the worst case."""
    paragraph = "\n\n".join(sample.text for sample in samples if sample.language == "en")
    return (paragraph + "\n\n") * (size // len(paragraph) + 1)


def row(name: str, one: Score) -> str:
    """One line of the table."""
    shares = f"{100 * one.false_positive_share:8.1f} %{100 * one.false_negative_share:8.1f} %"
    return f"{name:28}{one.rules:7}{one.others:7}{shares}{one.wrong_modality:8}"


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--text", type=Path, help="a file of prose to measure the speed on")
    arguments = parser.parse_args()
    samples = load()
    figures = {}
    print(f"{'':28}{'rules':>7}{'others':>7}{'false +':>10}{'false −':>10}{'modality':>10}")
    for split in dict.fromkeys(sample.split for sample in samples):
        for language in dict.fromkeys(sample.language for sample in samples):
            chosen = [sample for sample in samples if (sample.language, sample.split) == (language, split)]
            if not chosen:
                continue
            total = score(chosen)
            figures[f"{language} {split}"] = asdict(total)
            print(row(f"{language} {split}", total))
            for genre in dict.fromkeys(sample.genre for sample in chosen):
                print(row(f"   {genre}", score(sample for sample in chosen if sample.genre == genre)))
    print("\nmisses")
    for sample in samples:
        found = label_of(sample.text)
        if found != sample.label:
            reason = read(sample.text).reason
            print(f"  {sample.language} {sample.split:9}{sample.label:12}{found:12}{reason:34}{sample.text}")
    text = arguments.text.read_text(encoding="utf-8") if arguments.text else prose()
    speeds = {"prose": megabytes_a_second(text), "nothing_but_candidates": megabytes_a_second(dense(samples))}
    print("\nMB/s of CPU time:", ", ".join(f"{name} {speed:.2f}" for name, speed in speeds.items()))
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "version": libravdb.__version__,
        "mb_per_cpu_second": {name: round(speed, 2) for name, speed in speeds.items()},
        "figures": figures,
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
