"""Filled stores for the benchmarks: each is made once in a run, through the public API, and may be copied."""

from __future__ import annotations

import itertools
import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from bench.data import Corpus, Ids, Matrix, Rows, Truth
from bench.peers import COLLECTION, puts
from rich.progress import Progress

from libravdb.app import open_store
from libravdb.config import StoreSettings
from libravdb.engine.indexing import IndexingStore
from libravdb.model import Put
from libravdb.ports.embedder import Embedder

T = TypeVar("T")
K = 10


class Watch:
    """Progress bars that are drawn only between two measurements, so that drawing is never measured."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._drawn = 0.0

    def over(self, items: Iterable[T], label: str, *, total: int) -> Iterator[T]:
        """The items, one step of the bar each."""
        task = self._progress.add_task(label, total=total)
        for item in items:
            yield item
            self._progress.advance(task)
            if time.monotonic() - self._drawn > 0.25:
                self._progress.refresh()
                self._drawn = time.monotonic()
        self._progress.remove_task(task)


class Shelf:
    """Stores by size. `folder` outlives the run only if the caller wants it to."""

    def __init__(self, folder: Path, *, corpus: Corpus, embedder: Embedder, queries: Matrix, watch: Watch) -> None:
        self._folder = folder
        self._corpus = corpus
        self._embedder = embedder
        self._queries = queries
        self._watch = watch
        self._copies = itertools.count()

    def store(self, records: int) -> Path:
        """A closed store with one collection of so many records."""
        return self._made(f"one-{records}", records, lambda _: COLLECTION)

    def many(self, collections: int, each: int) -> Path:
        """A closed store with many collections, their records interleaved as many users write them."""
        return self._made(f"many-{collections}-{each}", collections * each, lambda i: f"user-{i % collections}")

    def copy(self, records: int) -> Path:
        """A store of that size that may be written to."""
        target = self._folder / f"copy-{next(self._copies)}.libravdb"
        shutil.copyfile(self.store(records), target)
        return target

    def truth(self, records: int) -> Ids:
        """The exact nearest records of each query in `store(records)`."""
        return np.asarray(np.load(self.store(records).with_suffix(".npy")), dtype=np.int64)

    def fill_seconds(self, path: Path) -> float:
        """How long the store took to fill, by the clock, texts and vectors being ready."""
        return float(json.loads(path.with_suffix(".json").read_text()))

    def _made(self, name: str, records: int, collection_of: Callable[[int], str]) -> Path:
        path = self._folder / f"{name}.libravdb"
        if path.with_suffix(".json").exists():  # written last: the store is whole
            return path
        for left in self._folder.glob(f"{name}.*"):
            left.unlink()
        truth, seconds = Truth(self._queries, k=K), 0.0
        with open_store(StoreSettings(path=path)) as opened:
            store, embedder = IndexingStore(opened), self._embedder
            store.vectors.open(
                fingerprint=embedder.fingerprint, dimensions=embedder.dimensions, description=embedder.description
            )
            steps = -(-records // 10_000)
            for rows in self._watch.over(self._corpus.rows(records), f"filling {records:,}", total=steps):
                changes = self._changes(rows, collection_of)
                began = time.perf_counter()
                store.commit(changes)
                seconds += time.perf_counter() - began
                truth.add(rows)
        np.save(path.with_suffix(".npy"), truth.ids)
        path.with_suffix(".json").write_text(json.dumps(seconds))
        return path

    def _changes(self, rows: Rows, collection_of: Callable[[int], str]) -> Sequence[Put]:
        """One commit of a fill."""
        fingerprint = self._embedder.fingerprint
        return [
            put
            for i, text in enumerate(rows.texts)
            for put in puts(
                [rows.start + i],
                [text],
                rows.vectors[i : i + 1],
                fingerprint=fingerprint,
                collection=collection_of(rows.start + i),
            )
        ]
