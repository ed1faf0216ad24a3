"""Fit the weights by which a sentence is told to replace another, and say how they do on the file left out.

    python bench/updates_fit.py

Pairs that replace: the updates of both written sets. Pairs that do not: those that stand apart, neighbouring facts of
`keeping.tsv`, the labelled pairs of the gate's tests, turns of one conversation on other matters, and the memories
of the crowd. Logistic regression with a ridge of 1; of several sentences of an update the likeliest counts. The limit
is where no written pair that stands apart is linked, and some more.
"""

from __future__ import annotations

import itertools
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # the labelled pairs live with the tests

from bench.updates import read_cases
from tests.core.gate.labelled import embed_whole, load_pairs
from tests.core.gate.memories import make_memories

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.core.gate.likelihood import LEAST_LIKELY_COSINE, pair_features
from libravdb.model import Kin

SETS = Path(__file__).parent / "sets"
FILES = ("choosing", "looking")
MARGIN = 0.6
_WEIGHTS = {"update": 3.0, "apart": 3.0, "sibling": 1.5, "labelled": 1.0, "chat": 0.7, "crowd": 0.3}
_WRITTEN = ("apart", "sibling", "labelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A new and an old text of a file, of what kind, and whether one replaces the other."""

    file: str
    kind: str
    new: str
    old: str

    @property
    def is_update(self) -> bool:
        return self.kind == "update"


def written_pairs(file: str) -> list[Pair]:
    """The updates and the pairs that stand apart, of one file."""
    found: list[Pair] = []
    for case in read_cases(SETS / file / "updates.tsv"):
        kind = "update" if case.is_update else "apart"
        for old, new in itertools.combinations(case.statements, 2):
            found.append(Pair(file=file, kind=kind, new=new, old=old))
    rows = [line.split("\t") for line in (SETS / file / "keeping.tsv").read_text(encoding="utf-8").splitlines()]
    facts = [row for row in rows if row[0] == "sibling"]
    for place, row in enumerate(facts):
        near = [other for other in facts[place + 1 : place + 6] if other[1] == row[1]]
        found.extend(Pair(file=file, kind="sibling", new=other[2], old=row[2]) for other in near)
    return found


def other_pairs() -> list[Pair]:
    """Labelled pairs of the tests, turns of one conversation on other matters, and memories of the crowd."""
    chance = random.Random(1)
    memories = make_memories()
    found: list[Pair] = []
    for file, split, crowd in zip(FILES, ("dev", "check"), (memories[:60], memories[60:120]), strict=True):
        for one in load_pairs(split):
            if one.kin is not Kin.SAME:
                kind = "update" if one.kin is Kin.SUPERSEDES else "labelled"
                found.append(Pair(file=file, kind=kind, new=one.new, old=one.old))
        found += [Pair(file=file, kind="crowd", new=new, old=old) for old, new in itertools.combinations(crowd, 2)]
        for path in sorted((SETS / file).glob("*.chat")):
            turns = re.findall(r"^user \[(\w+)\S*\]: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            for place, (matter, new) in enumerate(turns):
                for other, old in chance.sample(turns[:place], min(place, 12)):
                    if other != matter:
                        found.append(Pair(file=file, kind="chat", new=new, old=old))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The features of every pair of sentences, and to which pair of texts they belong."""

    pairs: list[Pair]
    names: list[str]
    rows: np.ndarray
    owner: np.ndarray

    def best(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The highest score of every pair, and the row it comes from (-1: none is left)."""
        scores = self.rows @ weights
        best, at = np.full(len(self.pairs), -np.inf), np.full(len(self.pairs), -1)
        for row, pair in enumerate(self.owner):
            if scores[row] > best[pair]:
                best[pair], at[pair] = scores[row], row
        return best, at


def measure(pairs: list[Pair]) -> Table:
    """Read every pair with the shipped embedder."""
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.new, pair.old)))
    vectors = dict(zip(texts, embed_whole(open_minilm(), texts), strict=True))
    found: list[dict[str, float]] = []
    owner: list[int] = []
    for place, pair in enumerate(pairs):
        cosine = float(vectors[pair.new] @ vectors[pair.old])
        if cosine >= LEAST_LIKELY_COSINE or pair.is_update:
            for one in pair_features(pair.new, pair.old, cosine):
                found.append({**one, "bias": 1.0})
                owner.append(place)
    names = list(found[0])
    rows = np.array([[one[name] for name in names] for one in found])
    return Table(pairs=pairs, names=names, rows=rows, owner=np.array(owner))


def fit(table: Table, files: tuple[str, ...], ridge: float = 1.0) -> np.ndarray:
    """Weights by logistic regression over the pairs of some files."""
    within = np.array([pair.file in files for pair in table.pairs])
    truth = np.array([float(pair.is_update) for pair in table.pairs])
    mass = np.array([_WEIGHTS[pair.kind] for pair in table.pairs])
    weights = np.zeros(len(table.names))
    weights[table.names.index("several shared")] = 1.0
    for _ in range(4):
        _, at = table.best(weights)
        rows = [row for row, pair in enumerate(table.owner) if within[pair] and (not truth[pair] or at[pair] == row)]
        owner = table.owner[rows]
        weights = _regress(table.rows[rows], truth[owner], mass[owner], ridge)
    return weights


def _regress(rows: np.ndarray, truth: np.ndarray, mass: np.ndarray, ridge: float) -> np.ndarray:
    weights, penalty = np.zeros(rows.shape[1]), np.eye(rows.shape[1]) * ridge
    for _ in range(30):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (mass * (likely - truth)) + penalty @ weights
        bend = (rows * (mass * likely * (1 - likely))[:, None]).T @ rows + penalty
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def report(table: Table, weights: np.ndarray, limit: float, file: str, title: str) -> None:
    """How many updates of a file are linked by the model alone, and how many others are."""
    best, _ = table.best(weights)
    mine = [(pair, score > limit) for pair, score in zip(table.pairs, best, strict=True) if pair.file == file]
    updates = [is_linked for pair, is_linked in mine if pair.is_update]
    false = {
        kind: int(sum(linked for pair, linked in mine if pair.kind == kind)) for kind in _WEIGHTS if kind != "update"
    }
    print(f"{title}: limit {limit:.2f}, linked {np.mean(updates):.1%} of {len(updates)}, false {false}")


def limit_of(table: Table, weights: np.ndarray, files: tuple[str, ...]) -> float:
    best, _ = table.best(weights)
    apart = [
        score
        for pair, score in zip(table.pairs, best, strict=True)
        if pair.file in files and pair.kind in _WRITTEN and np.isfinite(score)
    ]
    return float(max(apart)) + MARGIN


def main() -> None:
    table = measure([pair for file in FILES for pair in written_pairs(file)] + other_pairs())
    for fitted, left_out in (FILES, FILES[::-1]):
        weights = fit(table, (fitted,))
        report(
            table, weights, limit_of(table, weights, (fitted,)), left_out, f"fitted on {fitted}, {left_out} left out"
        )
    weights = fit(table, FILES)
    limit = limit_of(table, weights, FILES)
    for file in FILES:
        report(table, weights, limit, file, f"fitted on both, {file}")
    print(f"LEAST_LIKELY = {limit:.2f}\nWEIGHTS = {{")
    for name, weight in zip(table.names, weights, strict=True):
        print(f'    "{name}": {weight:.2f},')
    print("}")


if __name__ == "__main__":
    main()
