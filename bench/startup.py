"""A fresh process that opens a store and searches; `foundation.py` starts it and reads its one line of JSON.

Usage: startup.py MODE STORE [VECTOR]. Modes: `store` searches with the vector in the file VECTOR, `engine` with a
question (the model is loaded by the first search), `model` only loads the model and embeds.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

COLLECTION = "bench"  # as in peers.py, which is not imported here: it would load what is to be measured
QUESTION = "Where did Maria meet Tom?"


class Stopwatch:
    """Laps in milliseconds by the clock."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Name the time since the last lap."""
        self.laps[name] = (time.perf_counter() - self._last) * 1000
        self._last = time.perf_counter()


def main(mode: str, store: Path, vector: Path | None) -> None:
    """Measure and print."""
    watch = Stopwatch()
    import libravdb  # noqa: F401, PLC0415 - the import is what is measured

    watch.lap("import libravdb")
    {"store": search_store, "engine": search_engine, "model": load_model}[mode](watch, store, vector)
    from bench.figures import memory_mb  # noqa: PLC0415 - after all measurements

    now, peak = memory_mb()
    print(json.dumps({"laps": watch.laps, "RSS": now, "peak RSS": peak}))


def search_store(watch: Stopwatch, store: Path, vector: Path | None) -> None:
    """Through the Store port, with a vector that is at hand."""
    import numpy as np  # noqa: PLC0415 - measured

    from libravdb.app import open_store  # noqa: PLC0415
    from libravdb.config import StoreSettings  # noqa: PLC0415
    from libravdb.model import Embedding  # noqa: PLC0415
    from libravdb.text.analysis import query_terms  # noqa: PLC0415

    watch.lap("import rooms")
    opened = open_store(StoreSettings(path=store))
    watch.lap("open")
    assert vector is not None  # noqa: S101
    with opened.read() as read:
        fingerprint = read.spaces()[0].fingerprint
    asked = Embedding(fingerprint=fingerprint, vectors=np.load(vector).reshape(1, -1))
    watch.lap("(prepare)")
    for lap in ("first search", "second search"):
        with opened.read() as read:
            near = read.nearest([COLLECTION], asked, k=10)
            worded = read.matching([COLLECTION], query_terms(QUESTION), k=10)
            read.records({*(one.key for one in near), *worded})
        watch.lap(lap)


def search_engine(watch: Stopwatch, store: Path, _: Path | None) -> None:
    """As a user does it: a question to the engine."""
    from libravdb.app import open_engine  # noqa: PLC0415
    from libravdb.config import Config, StoreSettings  # noqa: PLC0415 - measured

    watch.lap("import rooms")
    engine = open_engine(Config(store=StoreSettings(path=store)))
    watch.lap("open")
    engine.search(QUESTION, collections=[COLLECTION])
    watch.lap("first search")
    engine.search("Who is allergic to goat cheese?", collections=[COLLECTION])
    watch.lap("second search")


def load_model(watch: Stopwatch, _store: Path, _vector: Path | None) -> None:
    """The shipped model alone."""
    from libravdb.adapters.embedders.bundled import open_minilm  # noqa: PLC0415 - measured

    watch.lap("import rooms")
    embedder = open_minilm()
    watch.lap("load model")
    embedder.embed_query(QUESTION)
    watch.lap("first query")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
