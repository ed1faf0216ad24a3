"""What the encoder learns from: each question with a turn that answers it and turns that only look like it.

    python -m tools.encoder.mining OUT --model FOLDER

Writes `OUT/pairs.jsonl.gz` (the training part of the corpus: query, positive, hard negatives), `OUT/dev.jsonl.gz`
(whole conversations of the development part, to choose by) and `OUT/conversations.json` (what was learned from).
Texts are cut as the engine cuts them: the names of participants leave the question, and a turn of several passages
stands for the one that is closest to the question. The original model decides what is close, so that mining is the
same for every training.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tools.encoder.commands import run
from tools.encoder.corpus import Kind, Split, Talk, digest, load

from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.core.recall.bm25 import bm25, rarity
from libravdb.core.recall.question import read_question
from libravdb.errors import LibraError
from libravdb.model import Vocabulary
from libravdb.text.analysis import index_terms, query_terms
from libravdb.text.passages import split

if TYPE_CHECKING:
    from libravdb.model import Vector
    from libravdb.ports.embedder import Embedder

NEGATIVES = 6
NEAR = 2
"""So many of the negatives are near misses that the corpus names; as many are taken by each search."""
MOST_POSITIVES = 4
"""Of a question with many answers, the closest ones: a list of twenty turns would outweigh twenty questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A question, a turn that answers it, and turns that do not; `question` tells pairs of one question."""

    question: str
    query: str
    positive: str
    negatives: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with the places of its turns: those that answer, those that must not count against
    it, and those known to be wrong."""

    id: str
    topic: str
    evidence: frozenset[int]
    spared: frozenset[int]
    near: tuple[int, ...]


class Shelf:
    """The turns of one conversation as the engine would keep them: vectors of the whole and of every passage, words."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self.texts = texts
        self._embedder = embedder
        self.units = [_units(text) for text in texts]

    @cached_property
    def _vectors(self) -> list[Vector]:
        return [np.stack([self._embedder.embed_query(unit) for unit in units]) for units in self.units]

    @cached_property
    def _terms(self) -> list[list[str]]:
        return [index_terms(text) for text in self.texts]

    def closest(self, topic: str) -> tuple[Vector, list[str]]:
        """For each turn its best cosine, and the unit that has it."""
        query = self._embedder.embed_query(topic)
        cosines = [vectors @ query for vectors in self._vectors]
        best = [int(np.argmax(each)) for each in cosines]
        return (
            np.array([float(each.max()) for each in cosines], dtype=np.float32),
            [units[place] for units, place in zip(self.units, best, strict=True)],
        )

    def by_words(self, topic: str) -> list[int]:
        """Turns that share words with the question, best first."""
        forms = query_terms(topic)
        counts = np.array(
            [[sum(term in form for term in terms) for form in forms] for terms in self._terms], dtype=np.float64
        ).reshape(len(self.texts), len(forms))
        lengths = np.array([len(terms) for terms in self._terms], dtype=np.float64)
        holders = tuple(int(count) for count in (counts > 0).sum(axis=0))
        average = float(lengths.mean())
        weights = rarity(Vocabulary(texts=len(self.texts), terms=int(lengths.sum()), holders=holders))
        scores = bm25(counts, lengths, weights=weights, average=average, k1=0.9, b=0.4)
        return [int(place) for place in np.argsort(-scores, kind="stable") if scores[place] > 0]


def _units(text: str) -> list[str]:
    passages = split(text)
    return [text, *passages] if len(passages) > 1 else [text]


def pairs(shelf: Shelf, asked: Asked) -> Iterator[Pair]:
    """One pair for each turn that answers."""
    cosines, units = shelf.closest(asked.topic)
    said = {shelf.texts[place] for place in asked.evidence}
    spared = asked.evidence | asked.spared | {place for place, text in enumerate(shelf.texts) if text in said}
    dense = [int(place) for place in np.argsort(-cosines, kind="stable")]
    lexical = shelf.by_words(asked.topic)
    for place in sorted(asked.evidence, key=lambda place: -cosines[place])[:MOST_POSITIVES]:
        around = [other for other in (place + 1, place - 1) if 0 <= other < len(shelf.texts)]
        ranked = (asked.near[:NEAR], _free(dense, spared)[:NEAR], _free(lexical, spared)[:NEAR], around, dense)
        chosen = _free(dict.fromkeys(place for places in ranked for place in places), spared)[:NEGATIVES]
        if len(chosen) == NEGATIVES:
            yield Pair(
                question=asked.id,
                query=asked.topic,
                positive=units[place],
                negatives=tuple(units[other] for other in chosen),
            )


def _free(places: Iterable[int], spared: frozenset[int] | set[int]) -> list[int]:
    return [place for place in places if place not in spared]


def questions(talk: Talk) -> Iterator[Asked]:
    """The questions of a conversation that it answers."""
    names = sorted(talk.names)
    for number, question in enumerate(talk.questions):
        if question.kind is not Kind.NONE:
            yield Asked(
                id=f"{talk.id}-{number}",
                topic=read_question(question.text, now=0, participants=names).topic,
                evidence=question.evidence,
                spared=question.outdated,
                near=tuple(sorted(question.near)),
            )


def development(talk: Talk) -> dict[str, object]:
    """A whole conversation to search in: the units of every turn, and the questions with their kinds."""
    kinds = {f"{talk.id}-{number}": question.kind for number, question in enumerate(talk.questions)}
    return {
        "id": talk.id,
        "units": [_units(turn.text) for turn in talk.turns],
        "questions": [
            {"kind": kinds[asked.id], "query": asked.topic, "evidence": sorted(asked.evidence)}
            for asked in questions(talk)
        ],
    }


def write(path: Path, rows: Iterable[object]) -> None:
    """One JSON value a line, the same bytes for the same rows."""
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))


def mine(target: Path, embedder: Embedder) -> None:
    """Write the pairs, the conversations to choose by, and what the pairs were taken from, each with a hash."""
    talks = load()
    found: list[Pair] = []
    for talk in talks:
        if talk.split is Split.TRAIN:
            shelf = Shelf([turn.text for turn in talk.turns], embedder)
            found.extend(pair for asked in questions(talk) for pair in pairs(shelf, asked))
    print(f"{len(found):,} pairs")
    write(target / "pairs.jsonl.gz", map(asdict, found))
    learned = {talk.id: digest([talk])[:16] for talk in talks if talk.split is Split.TRAIN}
    (target / "conversations.json").write_text(json.dumps(learned, indent=1) + "\n", encoding="utf-8")
    write(target / "dev.jsonl.gz", (development(talk) for talk in talks if talk.split is Split.DEVELOPMENT))


def main() -> None:
    """Read the command line and mine."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("target", type=Path, help="the folder for the files")
    parser.add_argument("--model", type=Path, required=True, help="what tools.encoder.export --original made")
    asked = parser.parse_args()
    mine(asked.target, OnnxEmbedder.open(asked.model))


if __name__ == "__main__":
    run(main, LibraError)
