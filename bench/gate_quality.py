"""How well the gate decides: precision and recall on labelled turns, kinship on labelled pairs, every miss by name.

    python bench/gate_quality.py [--prose FILE] [--model FOLDER]

`--prose` names a text file with one ordinary sentence a line: the share of them that the detectors take for technical
is printed, and which detector fired.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # the labelled turns live with the tests

from tests.core.gate.labelled import (
    Judged,
    judge_turns,
    load_pairs,
    load_turns,
    nearest_memories,
    precision_and_recall,
    relate_pairs,
)

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.core.gate.calibrate import Label, calibrate
from libravdb.core.gate.detectors import TECHNICAL, fire
from libravdb.core.gate.parsed_turn import read
from libravdb.core.gate.score import technical_of
from libravdb.model import Kin

SPLITS = ("dev", "check", "final", "blind")


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prose", type=Path, help="a file with one ordinary sentence a line")
    parser.add_argument("--model", type=Path, help="a model folder instead of the shipped one")
    chosen = parser.parse_args()
    embedder = OnnxEmbedder.open(chosen.model) if chosen.model else open_minilm()
    for split in SPLITS:
        show_turns(split, embedder)
    for split in ("dev", "check"):
        show_pairs(split, embedder)
    if chosen.prose:
        show_prose(chosen.prose.read_text(encoding="utf-8").splitlines())


def show_turns(split: str, embedder: OnnxEmbedder) -> None:
    """The table of one set of turns, on an empty memory and beside 500 memories."""
    turns = load_turns(split)
    durable = nearest_memories(embedder, [turn.text for turn in turns])
    for memory, cosines in (("empty", [()] * len(turns)), ("500 memories", durable)):
        judged = judge_turns(turns, cosines)
        precision, recall = precision_and_recall(judged)
        print(f"\n{split}, {memory}: {len(turns)} turns, precision {precision:.3f}, recall {recall:.3f}")
        print("  recall by language: " + ", ".join(_recalls(judged)))
        novelty = [each.verdict.novelty for each in judged if each.turn.is_worth]
        print(f"  novelty of what is worth keeping: median {np.median(novelty):.2f}, least {min(novelty):.2f}")
        labels = [Label(score=each.verdict.score, is_useful=each.turn.is_worth) for each in judged]
        print(f"  calibration by score alone: {calibrate(labels).note}")
        for each in judged:
            if not each.is_right:
                print("  " + _miss(each))


def show_pairs(split: str, embedder: OnnxEmbedder) -> None:
    """How often pairs are told right, and every one that is not."""
    related = relate_pairs(load_pairs(split), embedder)
    merged = [each for each in related if each.kin is Kin.SAME and each.pair.kin is not Kin.SAME]
    replaced = [each for each in related if each.kin is Kin.SUPERSEDES and each.pair.kin is not Kin.SUPERSEDES]
    print(f"\npairs, {split}: {len(related)}; false merges {len(merged)}, false replacements {len(replaced)}")
    for kin in (Kin.SAME, Kin.SUPERSEDES):
        labelled = [each for each in related if each.pair.kin is kin]
        missed = sum(each.kin is not kin for each in labelled)
        print(f"  {kin}: {missed} of {len(labelled)} missed")
    for each in related:
        if each.kin is not each.pair.kin:
            print(f"  {each.pair.kin} taken for {each.kin} ({each.cosine:.2f}): {each.pair.old} → {each.pair.new}")


def show_prose(sentences: list[str]) -> None:
    """How many ordinary sentences look technical."""
    measured = [(technical_of(sentence), sentence) for sentence in sentences if sentence.strip()]
    fired = Counter(firing.signal for _, sentence in measured for firing in fire(TECHNICAL, read(sentence)))
    high = sum(technical >= 0.5 for technical, _ in measured)
    print(f"\nprose: {len(measured)} sentences, {high} with T ≥ 0.5, {sum(t > 0 for t, _ in measured)} with T > 0")
    print(f"  fired: {dict(fired)}")


def _recalls(judged: list[Judged]) -> list[str]:
    worth = [each for each in judged if each.turn.is_worth]
    total = Counter(each.turn.language for each in worth)
    kept = Counter(each.turn.language for each in worth if each.verdict.is_admitted)
    return [f"{language} {kept[language]}/{count}" for language, count in total.most_common()]


def _miss(each: Judged) -> str:
    verdict = each.verdict
    parts = f"T {verdict.technical:.2f} H {verdict.novelty:.2f} D {verdict.load:.2f} P {verdict.specificity:.2f}"
    more = f"A {verdict.action:.2f} Dtech {verdict.detail:.2f}"
    kind = "lost" if each.turn.is_worth else "kept in vain"
    text = " / ".join(each.turn.text.splitlines())[:90]
    return f"{kind} ({each.turn.language}, {each.turn.kind}): {text} [{verdict.words()}; {parts} {more}]"


if __name__ == "__main__":
    main()
