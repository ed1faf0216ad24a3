"""Two models side by side, as they are shipped (int8): do questions find their turns, and is everything else as it was?

    python -m tools.encoder.evaluation BEFORE AFTER [--split held]

For each model folder: dense search in the chosen part of the corpus (a question counts when a turn that answers it is
among the first k of its conversation), and how well cosines order 150 pairs of ordinary sentences that we graded from
0 (unrelated) to 4 (the same), as Spearman's rank correlation. Then how far texts have moved from one to the other,
where the engine's thresholds on cosines would have to stand so that as many pairs of turns reach them as before, and
CPU time and size in the same run. Recall through the whole engine is measured by `bench.recall`.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from bench.embedding_quality import cpu_times
from tools.encoder.commands import run
from tools.encoder.corpus import Kind, Split, Talk, load
from tools.encoder.mining import Shelf, questions

from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.errors import LibraError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from libravdb.model import Vector
    from libravdb.ports.embedder import Embedder

PAIRS = Path(__file__).parent / "sentence_pairs.tsv"
RANKS = (1, 5, 10)
THRESHOLDS = (0.2, 0.3, 0.5, 0.6, 0.78, 0.8, 0.85, 0.9)
"""Cosines that the engine compares with: guidance shown, weak evidence, kinship, rules, repetition, saturation."""


class Queries(Protocol):
    """Whatever gives a text its vector."""

    def embed_query(self, text: str) -> Vector: ...


def sentence_pairs() -> list[tuple[float, str, str]]:
    """Grade and both sentences."""
    rows = [line.split("\t") for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    return [(float(grade), one, other) for grade, one, other in rows]


def ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """The place of each value in order; equal ones share the mean of their places."""
    array = np.asarray(values, dtype=np.float64)
    _, group, counts = np.unique(array, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray(((ends - counts + ends - 1) / 2)[group])


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Rank correlation in [-1, 1]."""
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def neighbourhood(embedder: Embedder) -> dict[str, float]:
    """Spearman's correlation of cosines with our grades, and the mean cosine of each grade."""
    rows = sentence_pairs()
    cosines = [float(embedder.embed_query(one) @ embedder.embed_query(other)) for _, one, other in rows]
    grades = [grade for grade, _, _ in rows]
    means = {
        f"cosine of grade {grade:.0f}": float(np.mean([c for c, g in zip(cosines, grades, strict=True) if g == grade]))
        for grade in sorted(set(grades))
    }
    return {"spearman": 100 * spearman(cosines, grades), **means}


def retrieval(embedder: Embedder, talks: Sequence[Talk]) -> dict[str, dict[str, float]]:
    """any@k in percent, over all questions and by kind."""
    found: dict[str, list[int]] = defaultdict(list)
    for talk in talks:
        shelf = Shelf([turn.text for turn in talk.turns], embedder)
        kinds = [question.kind for question in talk.questions if question.kind is not Kind.NONE]
        for kind, asked in zip(kinds, questions(talk), strict=True):
            cosines, _ = shelf.closest(asked.topic)
            best = min(int((cosines > cosines[place]).sum()) for place in asked.evidence)
            for group in ("all", kind.value):
                found[group].append(best)
    return {
        group: {"questions": len(best), **{f"any@{k}": 100 * float(np.mean(np.array(best) < k)) for k in RANKS}}
        for group, best in sorted(found.items())
    }


def cosines(model: Queries, texts: Iterable[str]) -> Vector:
    """Of each two different texts."""
    rows = np.stack([model.embed_query(text) for text in texts])
    found: Vector = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    return found


def thresholds(before: Vector, after: Vector) -> dict[float, float]:
    """For each threshold the cosine that as many pairs reach after as reached it before."""
    return {
        threshold: round(float(np.quantile(after, float((before < threshold).mean()))), 3) for threshold in THRESHOLDS
    }


def moved(before: Queries, after: Queries, talks: Sequence[Talk]) -> dict[str, object]:
    """The mean cosine of turns to what they were, and where thresholds would have to stand."""
    texts = [turn.text for talk in talks for turn in talk.turns]
    return {
        "mean cosine": float(np.mean([before.embed_query(text) @ after.embed_query(text) for text in texts])),
        "thresholds": thresholds(cosines(before, texts), cosines(after, texts)),
    }


def main() -> None:
    """Measure both and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("before", type=Path, help="a model folder")
    parser.add_argument("after", type=Path, help="another one")
    parser.add_argument("--split", type=Split, choices=list(Split), default=Split.DEVELOPMENT)
    asked = parser.parse_args()
    talks = [talk for talk in load() if talk.split is asked.split]
    folders = {"before": asked.before, "after": asked.after}
    models = {name: OnnxEmbedder.open(folder) for name, folder in folders.items()}
    times = cpu_times(models)
    figures: dict[str, object] = {
        name: {
            "fingerprint": model.fingerprint,
            "bytes": (folders[name] / "model.onnx").stat().st_size,
            **times[name],
            **neighbourhood(model),
            "retrieval": retrieval(model, talks),
        }
        for name, model in models.items()
    }
    figures["before to after"] = moved(models["before"], models["after"], talks)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    run(main, LibraError)
