"""What a recall and an assembly cost in a large namespace, in CPU time: recall without the embedding of the question,
as is the bare search of the store beside it; an assembly with everything, also the receipts that are written behind it.

    python -m bench.recall.latency --turns 100000

Turns are the invented sentences of `bench/data.py`, in sessions of twenty, with vectors mixed from real ones.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
from bench.data import Corpus, Rows, embedded_base, questions
from bench.peers import as_query, candidates

from libravdb import __version__
from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.app import open_store
from libravdb.config import StoreSettings
from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.engine import Engine
from libravdb.engine.indexing import IndexingStore
from libravdb.engine.settings import EngineSettings
from libravdb.model import Embedding, Json, Put
from libravdb.ports.embedder import Embedder

NAMESPACE = "large"
SESSION = 20
MINUTE = 60_000
WARM = 10
BUDGET = 1_024
RESULTS = Path(__file__).parents[1] / "results" / "latency.json"


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
    with open_store(StoreSettings(path=path)) as opened:
        store = IndexingStore(opened)
        store.vectors.open(
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


def measure(path: Path, asked: list[str], model: Embedder, *, now: int) -> dict[str, list[float]]:
    """Milliseconds of CPU for each question, after a few to warm up."""
    prepared = Prepared(model, asked)
    spent: dict[str, list[float]] = {}
    with open_store(StoreSettings(path=path)) as store:

        def engine(embedder: object) -> Engine:
            return Engine(
                store=store,
                load_embedder=lambda _: embedder,  # type: ignore[arg-type,return-value]  # no more of it is needed
                clock=lambda: now,
                settings=EngineSettings(search=RecallSettings()),
            )

        searching, assembling = engine(prepared), engine(model)
        for question in asked[:WARM] + asked:
            vector = as_query(prepared.embed_query(question), model.fingerprint)
            plain = partial(candidates, store, f"history:{NAMESPACE}", k=50, text=question, embedding=vector)
            for name, work in (
                ("embedding of the question", partial(model.embed_query, question)),
                ("bare search of the store", plain),
                ("recall", partial(searching.search, question, namespace=NAMESPACE)),
                (
                    "assembly",
                    partial(assembling.prompts.assemble, question, session="s0", namespace=NAMESPACE, budget=BUDGET),
                ),
            ):
                spent.setdefault(name, []).append(_milliseconds(work))
        assembling.close()  # writes the receipts that wait
    return {name: each[WARM:] for name, each in spent.items()}


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
        found = measure(path, texts, model, now=asked.turns * MINUTE)
    figures = {
        name: {"p50": round(spent[len(spent) // 2], 1), "p95": round(spent[int(len(spent) * 0.95)], 1)}
        for name, spent in ((name, sorted(each)) for name, each in found.items())
    }
    for name, figure in figures.items():
        print(
            f"{asked.turns:,} turns, {len(texts)} questions, {name}: p50 {figure['p50']}, p95 {figure['p95']} ms of CPU"
        )
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    known[f"{asked.turns:,} turns"] = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "version": __version__, **figures}
    RESULTS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
