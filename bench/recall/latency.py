"""What one recall costs in a large namespace: CPU time without the embedding of the question.

    python -m bench.recall.latency --turns 100000

Turns are the invented sentences of `bench/data.py`, in sessions of twenty, with vectors mixed from real ones.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from bench.data import Corpus, Rows, embedded_base, questions

from libravdb.embed.minilm import open_minilm
from libravdb.engine import Engine, EngineSettings
from libravdb.model import Embedding, Json, Put, Query
from libravdb.ports import Embedder
from libravdb.recall.settings import RecallSettings
from libravdb.store.sqlite import SqliteStore

NAMESPACE = "large"
SESSION = 20
MINUTE = 60_000


class Prepared:
    """Implements as much of an embedder as a search needs: the vectors of the questions are there already."""

    def __init__(self, embedder: Embedder, asked: list[str]) -> None:
        self.fingerprint, self.dimensions, self.description = (
            embedder.fingerprint,
            embedder.dimensions,
            embedder.description,
        )
        self._vectors = {text: embedder.embed_query(text) for text in asked}

    def embed_query(self, text: str) -> np.ndarray:
        """From memory."""
        return self._vectors[text]

    def probe(self) -> None:
        """Nothing to compare."""

    def close(self) -> None:
        """Nothing to let go of."""


def fill(path: Path, turns: int, embedder: Embedder) -> None:
    """A store with one namespace of so many turns."""
    with SqliteStore(path) as store:
        store.open_space(
            fingerprint=embedder.fingerprint, dimensions=embedder.dimensions, description=embedder.description
        )
        for rows in Corpus(embedded_base(embedder)).rows(turns):
            store.commit([_put(rows, place, embedder.fingerprint) for place in range(len(rows.texts))])


def _put(rows: Rows, place: int, fingerprint: str) -> Put:
    number = rows.start + place
    session, turn = f"s{number // SESSION}", f"t{number % SESSION}"
    metadata: dict[str, Json] = {
        "role": "user" if number % 2 == 0 else "assistant",
        "ts": number * MINUTE,
        "userId": NAMESPACE,
        "sessionId": session,
        "source_turn_id": turn,
        "type": "turn",
    }
    return Put(
        collection=f"history:{NAMESPACE}",
        id=f"{session}/{turn}",
        text=rows.texts[place],
        at=number * MINUTE,
        metadata=metadata,
        embedding=Embedding(fingerprint=fingerprint, vectors=rows.vectors[place : place + 1]),
    )


def measure(path: Path, asked: list[str], embedder: Prepared, *, now: int) -> tuple[list[float], list[float]]:
    """Milliseconds of CPU for each question, after a few to warm up: the store's bare search, and all of recall."""
    with SqliteStore(path) as store:
        engine = Engine(
            store=store,
            load_embedder=lambda _: embedder,  # type: ignore[arg-type,return-value]  # a search needs no more of it
            clock=lambda: now,
            settings=EngineSettings(recall=RecallSettings()),
        )
        searches: list[float] = []
        recalls: list[float] = []
        for question in asked[:10] + asked:
            vector = Embedding(fingerprint=embedder.fingerprint, vectors=embedder.embed_query(question).reshape(1, -1))
            plain = Query(collections=(f"history:{NAMESPACE}",), k=50, text=question, embedding=vector)
            searches.append(_milliseconds(lambda plain=plain: store.search(plain)))  # type: ignore[misc]
            recalls.append(_milliseconds(lambda q=question: engine.search(q, namespace=NAMESPACE)))  # type: ignore[misc]
        return searches[10:], recalls[10:]


def _milliseconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return (time.process_time() - begin) * 1000


def main() -> None:
    """Fill, ask, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--folder", type=Path, help="keep the store here for the next run")
    asked = parser.parse_args()
    texts = questions(asked.questions)
    model = open_minilm()
    with tempfile.TemporaryDirectory() as scratch:
        path = (asked.folder or Path(scratch)) / f"latency-{asked.turns}.libravdb"
        if not path.exists():
            fill(path, asked.turns, model)
        found = measure(path, texts, Prepared(model, texts), now=asked.turns * MINUTE)
    for name, spent in zip(("bare search of the store", "recall"), map(sorted, found), strict=True):
        p50, p95 = spent[len(spent) // 2], spent[int(len(spent) * 0.95)]
        print(f"{asked.turns:,} turns, {len(spent)} questions, {name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms of CPU")


if __name__ == "__main__":
    main()
