"""Measure the foundation: embedding, durable writes, search, start-up, and other stores in the same run.

    python bench/foundation.py                 everything, several minutes; results in bench/results/foundation.json
    python bench/foundation.py --quick         without the stores of a million records
    python bench/foundation.py --only search   one table; the others in the file stay as they are
    python bench/foundation.py --markdown      the tables of the file, for docs/internals/benchmarks.md
    python bench/foundation.py --docs          put them there

CPU time is that of all threads of the process: on a machine that others use too it says more than the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the daemon and the command do: more threads only spin

import numpy as np
from bench.data import (
    TEMPLATES,
    Corpus,
    Matrix,
    Rows,
    Truth,
    Writer,
    embedded_base,
    keywords,
    questions,
    rare_words,
    recall,
)
from bench.figures import Figure, Row, Spans, Table, heading, load, memory_mb, save, single, summary, timed
from bench.peers import COLLECTION, PEERS, Peer, as_query, candidates, obstacle, puts
from bench.shelf import K, Shelf, Watch
from bench.table import markdown, show
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from libravdb.adapters.embedders.bundled import open_minilm, shipped_folder
from libravdb.adapters.embedders.tokenizer import open_tokenizer
from libravdb.app import open_store
from libravdb.config import StoreSettings
from libravdb.engine.indexing import IndexingStore
from libravdb.model import Record
from libravdb.ports.embedder import Embedder
from libravdb.ports.store import Store

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "foundation.json"
DOCS = HERE.parent / "docs" / "internals" / "benchmarks.md"
BEGIN, END = "<!-- figures: begin (python bench/foundation.py --docs) -->", "<!-- figures: end -->"

QUERIES = 200
INSERTS = 200
THREADS = 8
STARTS = 5

T = TypeVar("T")
Cells = dict[str, Figure | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What every section works with."""

    embedder: Embedder
    corpus: Corpus
    vectors: Matrix
    others: Matrix
    shelf: Shelf
    watch: Watch
    folder: Path
    is_quick: bool

    def timed(self, calls: Sequence[Callable[[], T]], label: str) -> tuple[Spans, list[T]]:
        """Measure each call, with a bar that moves in between."""
        return timed(self.watch.over(calls, label, total=len(calls)))

    @property
    def fingerprint(self) -> str:
        """The space of all vectors on the shelf."""
        return self.embedder.fingerprint


# ── embedding ─────────────────────────────────────────────────────────────────────────────────────────────


def measure_embedding(bench: Bench) -> Table:
    """The shipped model: one text at a time, many at once, loading."""
    rows = []
    for tokens in (12, 60):
        texts = texts_of(tokens, 150)
        bench.embedder.embed_text(texts[0])
        spans, made = bench.timed([partial(bench.embedder.embed_text, text) for text in texts], f"{tokens} tokens")
        vectors = single(float(np.mean([len(one) for one in made])), "", n=len(made))
        rows.append(Row(label=f"text of {tokens} tokens", cells={**spans.figures("one text"), "vectors": vectors}))
    spans, _ = bench.timed([partial(bench.embedder.embed_query, text) for text in questions(150)], "questions")
    rows.append(Row(label="question", cells=spans.figures("one text")))
    many = texts_of(12, 150) * 4
    began = time.perf_counter()
    bench.embedder.embed_texts(many)
    rate = len(many) / (time.perf_counter() - began)
    rows.append(Row(label="600 texts of 12 tokens at once", cells={"rate": single(rate, "texts/s", n=len(many))}))
    started = [start("model", bench.folder) for _ in range(STARTS)]
    loading = {
        "load": summary([run["laps"]["load model"] for run in started], "ms"),
        "imports": summary([run["laps"]["import rooms"] for run in started], "ms"),
        "RSS": summary([run["RSS"] for run in started], "MB"),
    }
    rows.append(Row(label="fresh process, model alone", cells=dict(loading)))
    notes = [
        "CPU and wall: p50 / p95 of one call of `embed_text` or `embed_query`, one thread.",
        "Tokens without the two that every text gets.",
        "A text of several sentences is embedded as a whole and by passage; `vectors`: how many on average.",
    ]
    return Table(name="embedding", title="Embedding, shipped model", rows=rows, notes=notes)


def texts_of(tokens: int, count: int) -> list[str]:
    """Texts of about so many tokens (± 1 in 20), sentences put together where one is too short."""
    tokenizer = open_tokenizer(shipped_folder() / "tokenizer.json")
    found: list[str] = []
    text = ""
    for sentence in Writer(TEMPLATES, seed=73).write(20_000):
        text = f"{text} {sentence}".strip()
        length = len(tokenizer.encode(text)[0])
        if abs(length - tokens) * 20 <= tokens:
            found.append(text)
        if length * 20 >= tokens * 19:
            text = ""
        if len(found) == count:
            break
    return found


# ── durable inserts ───────────────────────────────────────────────────────────────────────────────────────


def measure_insert(bench: Bench) -> Table:
    """One record with its vector per commit, acknowledged when it is on the disk."""
    fresh = bench.corpus.fresh(INSERTS)
    rows = []
    for size in (100, 1_000, 10_000, 100_000):
        with open_store(StoreSettings(path=bench.shelf.copy(size))) as opened:
            store = IndexingStore(opened)
            commits = [partial(store.commit, one) for one in single_puts(fresh, bench.fingerprint)]
            spans, _ = bench.timed(commits, f"inserting at {size:,}")
        rows.append(Row(label=f"into {size:,}", cells=spans.figures("one insert")))
    rate = group_commit_rate(bench)
    rows.append(Row(label=f"{THREADS} threads into 10,000", cells={"rate": rate}))
    path = bench.shelf.store(100_000)
    rate = single(100_000 / bench.shelf.fill_seconds(path), "records/s", n=100_000)
    rows.append(Row(label="10,000 a commit, up to 100,000", cells={"rate": rate}))
    rows.append(Row(label="bare disk: 4 KiB and fsync", cells={"one insert wall": bare_fsync(bench.folder)}))
    notes = [
        "p50 / p95 of one commit with text, its analysis, full-text index and vector; synchronous=FULL.",
    ]
    return Table(name="insert", title="Durable insert", rows=rows, notes=notes)


def single_puts(rows: Rows, fingerprint: str) -> list[Any]:
    """Each row as a commit of its own."""
    return [
        puts([10**9 + i], [text], rows.vectors[i : i + 1], fingerprint=fingerprint) for i, text in enumerate(rows.texts)
    ]


def group_commit_rate(bench: Bench) -> Figure:
    """Inserts per second when several threads commit at the same time."""
    commits = single_puts(bench.corpus.fresh(THREADS * 250), bench.fingerprint)
    with open_store(StoreSettings(path=bench.shelf.copy(10_000))) as opened:
        store = IndexingStore(opened)

        def insert(part: list[Any]) -> None:
            for one in part:
                store.commit(one)

        threads = [threading.Thread(target=insert, args=(commits[i::THREADS],)) for i in range(THREADS)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return single(len(commits) / (time.perf_counter() - began), "inserts/s", n=len(commits))


def bare_fsync(folder: Path) -> Figure:
    """What this disk takes for the least durable write there is."""
    with (folder / "fsync").open("wb") as file:

        def write() -> None:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())

        spans, _ = timed([write] * INSERTS)
    return summary(spans.wall, "ms")


# ── search ────────────────────────────────────────────────────────────────────────────────────────────────

SEARCH_TARGETS = {100_000: 5.0, 1_000_000: 25.0}


def measure_search(bench: Bench) -> Table:
    """Through the Store port, at several sizes of one collection and over many collections."""
    rows = []
    for size in (1_000, 10_000, 100_000, 1_000_000)[: 3 if bench.is_quick else 4]:
        path = bench.shelf.store(size)
        with open_store(StoreSettings(path=path)) as store:
            cells, found = search_cells(bench, store, [COLLECTION], f"{size:,}", target=SEARCH_TARGETS.get(size))
        shown = [[int(record.id) for record in some] for some in found]
        score = recall(shown, bench.shelf.truth(size))
        cells["recall@10"] = single(score, "", n=len(found), target=0.99, at_least=True)
        cells["fill"] = single(size / bench.shelf.fill_seconds(path), "records/s", n=size)
        cells["file"] = single(path.stat().st_size / 1e6, "MB")
        rows.append(Row(label=f"{size:,}", cells=cells))
    collections, each = (100 if bench.is_quick else 1_000), 1_000
    path = bench.shelf.many(collections, each)
    names = [f"user-{i}" for i in np.random.default_rng(5).integers(0, collections, QUERIES).tolist()]
    with open_store(StoreSettings(path=path)) as store:
        cells, _ = search_cells(bench, store, names, f"{collections} × {each}")
    cells["file"] = single(path.stat().st_size / 1e6, "MB")
    rows.append(Row(label=f"{collections:,} collections of {each:,}", cells=cells))
    notes = [
        "p50 / p95 of one read, k = 10, without embedding the question; records come with their texts.",
        "dense: by vector; words: by 5 words; both: in one read, by questions and words that were not asked before.",
        "recall@10 of dense against brute force in float32. Up to 20,000 vectors a collection is searched exactly.",
        "first: wall time of the first search of a collection in the process, its vectors being loaded.",
        "Among many collections each query goes to a random one, so nearly every dense search loads vectors.",
    ]
    return Table(name="search", title="Search, k = 10", rows=rows, notes=notes)


def search_cells(
    bench: Bench, store: Store, collections: Sequence[str], label: str, *, target: float | None = None
) -> tuple[Cells, list[list[Record]]]:
    """Dense, lexical and both; also what dense found. Nothing is asked twice: the store keeps what it has read."""
    words, no_words = keywords(2 * QUERIES), [""] * QUERIES

    def search(i: int, text: str, vectors: Matrix | None) -> Callable[[], list[Record]]:
        embedding = None if vectors is None else as_query(vectors[i], bench.fingerprint)
        return partial(candidates, store, collections[i % len(collections)], k=K, text=text, embedding=embedding)

    def ask(texts: Sequence[str], vectors: Matrix | None) -> tuple[Spans, list[list[Record]]]:
        searches = [search(i, text, vectors) for i, text in enumerate(texts)]
        return bench.timed(searches, f"searching {label}")

    first, _ = timed([search(QUERIES - 1, "", bench.others)])
    dense, found = ask(no_words, bench.vectors)
    rare, _ = ask(rare_words(QUERIES), None)
    lexical, _ = ask(words[:QUERIES], None)
    both, _ = ask(words[QUERIES:], bench.others)
    cells: Cells = {
        "dense CPU": summary(dense.cpu, "ms"),
        "dense wall": summary(dense.wall, "ms"),
        "rare words CPU": summary(rare.cpu, "ms"),
        "words CPU": summary(lexical.cpu, "ms"),
        "both CPU": summary(both.cpu, "ms", target=target),
        "both wall": summary(both.wall, "ms"),
        "first": single(first.wall[0], "ms"),
    }
    return cells, found


# ── start-up ──────────────────────────────────────────────────────────────────────────────────────────────


def measure_startup(bench: Bench) -> Table:
    """A fresh process over a store of 100,000 records, until its second search."""
    path = bench.shelf.store(100_000)
    vector = bench.folder / "query.npy"
    np.save(vector, bench.vectors[0])
    rows = []
    for mode, is_cold in (("store", False), ("engine", False), ("engine", True)):
        runs = []
        for _ in bench.watch.over(range(STARTS), "starting", total=STARTS):
            if is_cold:
                evict(path)
            runs.append(start(mode, path, vector))
        label = {"store": "vector given, no model", "engine": "question to the engine"}[mode]
        rows.append(Row(label=label + (", file not cached" if is_cold else ""), cells=startup_cells(runs)))
    notes = [
        "Wall time, p50 / p95 of fresh processes. The engine's first search includes loading the model.",
        "Not cached: the system was asked to drop the file from its page cache before each start.",
    ]
    return Table(name="startup", title="Start-up, store of 100,000 records", rows=rows, notes=notes)


def startup_cells(runs: Sequence[Mapping[str, Any]]) -> Cells:
    def laps(name: str, target: float | None = None) -> Figure:
        return summary([run["laps"][name] for run in runs], "ms", target=target)

    return {
        "import libravdb": laps("import libravdb", 100),
        "import rooms": laps("import rooms"),
        "open": laps("open"),
        "first search": laps("first search", 500),
        "second search": laps("second search"),
        "RSS": summary([run["RSS"] for run in runs], "MB", target=250),
        "peak RSS": summary([run["peak RSS"] for run in runs], "MB"),
    }


def start(mode: str, *arguments: Path) -> Any:  # noqa: ANN401 - parsed JSON
    """Run `startup.py` in a process of its own."""
    command = [sys.executable, str(HERE / "startup.py"), mode, *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def evict(path: Path) -> None:
    """Ask the system to forget its copy of the file, where it can be asked."""
    if hasattr(os, "posix_fadvise"):
        with path.open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


# ── peers ─────────────────────────────────────────────────────────────────────────────────────────────────


def measure_peers(bench: Bench) -> Table:
    """The same vectors, texts and questions in other stores; ratios are theirs to ours."""
    rows: list[Row] = []
    for name, (_, opened) in PEERS.items():
        if reason := obstacle(name):
            rows.append(Row(label=name, cells={"insert CPU": reason}))
            continue
        with tempfile.TemporaryDirectory(dir=bench.folder) as folder:
            cells = peer_cells(bench, name, partial(opened, Path(folder)))
        ours = rows[0].cells if rows else cells
        rows.append(Row(label=name, cells=with_ratios(cells, ours)))
    notes = [
        "p50 / p95; × is the ratio of medians to ours in this run: more than 1 means that they take longer.",
        "Defaults of each, on disk: chromadb HNSW; lancedb no index, all rows compared; sqlite-vec all rows compared.",
        "Every search returns the texts too; only ours also keeps a full-text index.",
        "insert: one row at 10,000. All but lancedb, which calls no fsync, have it on the disk when the call returns.",
    ]
    return Table(name="peers", title="Other stores in the same run", rows=rows, notes=notes)


def peer_cells(bench: Bench, name: str, opened: Callable[[], Peer]) -> Cells:
    peer = opened()
    sizes = (10_000,) if bench.is_quick else (10_000, 100_000)
    truth = Truth(bench.vectors, k=K)
    cells: Cells = {}
    seconds = 0.0
    for rows in bench.watch.over(bench.corpus.rows(max(sizes)), f"filling {name}", total=max(sizes) // 10_000):
        began = time.perf_counter()
        peer.add(range(rows.start, rows.start + len(rows.texts)), rows.texts, rows.vectors)
        seconds += time.perf_counter() - began
        truth.add(rows)
        size = rows.start + len(rows.texts)
        if size not in sizes:
            continue
        peer.find(bench.vectors[0], K)
        spans, found = bench.timed([partial(peer.find, vector, K) for vector in bench.vectors], f"{name} at {size:,}")
        score = single(recall(found, truth.ids), "", n=len(found))
        cells |= {**spans.figures(f"{size // 1000}k search"), f"{size // 1000}k recall@10": score}
        if size == 10_000:
            cells = {**insert_cells(bench, name, peer), **cells}
            truth.add(rows_inserted(bench))
    cells["fill"] = single(max(sizes) / seconds, "rows/s", n=max(sizes))
    peer.close()
    return cells


def insert_cells(bench: Bench, name: str, peer: Peer) -> Cells:
    """Rows one by one; they stay, as the truth of later searches knows."""
    rows = rows_inserted(bench)
    calls = [partial(peer.add, [rows.start + i], [text], rows.vectors[i : i + 1]) for i, text in enumerate(rows.texts)]
    spans, _ = bench.timed(calls, f"inserting into {name}")
    return spans.figures("insert")


def rows_inserted(bench: Bench) -> Rows:
    """The rows that are inserted one by one."""
    fresh = bench.corpus.fresh(INSERTS)
    return Rows(start=10**9, texts=fresh.texts, vectors=fresh.vectors)


def with_ratios(cells: Cells, ours: Cells) -> Cells:
    """Beside each time the ratio of its median to ours."""
    wider: Cells = {}
    for column, cell in cells.items():
        wider[column] = cell
        base = ours.get(column)
        if column.endswith((" CPU", " wall")) and isinstance(cell, Figure) and isinstance(base, Figure):
            wider[f"{column} ×"] = single(cell.p50 / base.p50, "", n=cell.n)
    return wider


# ── the run ───────────────────────────────────────────────────────────────────────────────────────────────

SECTIONS: Mapping[str, Callable[[Bench], Table]] = {
    "embedding": measure_embedding,
    "insert": measure_insert,
    "search": measure_search,
    "startup": measure_startup,
    "peers": measure_peers,
}


def main() -> None:
    """Measure, print, save."""
    options = parse()
    console = Console()
    if options.markdown or options.docs:
        text = f"{heading(options.out)}\n\n{markdown(load(options.out))}"
        print(text) if options.markdown else write_docs(text)
        return
    names = [options.only] if options.only else [name for name in SECTIONS if name != "peers" or options.peers]
    with prepared(options, console) as bench:
        for name in names:
            table = SECTIONS[name](bench)
            save([table], options.out, is_quick=options.quick)
            show(table, console)
    console.print(f"[dim]Written to {options.out}; this process used {memory_mb()[1]:,.0f} MB at most.[/dim]")


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="skip the stores of a million records")
    parser.add_argument("--only", choices=SECTIONS, help="measure one section")
    parser.add_argument("--peers", action=argparse.BooleanOptionalAction, default=True, help="measure other stores too")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file of results")
    parser.add_argument("--shelf", type=Path, help="keep filled stores in this folder and use them again")
    parser.add_argument("--markdown", action="store_true", help="print the tables of the file as Markdown")
    parser.add_argument("--docs", action="store_true", help="put the kept tables into docs/internals/benchmarks.md")
    return parser.parse_args()


@contextmanager
def prepared(options: argparse.Namespace, console: Console) -> Iterator[Bench]:
    """The model, the corpus and a folder that is gone afterwards."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=console, auto_refresh=False, transient=True)
    with progress, tempfile.TemporaryDirectory(prefix="libravdb-bench-") as temporary:
        folder, watch, embedder = Path(temporary), Watch(progress), open_minilm()
        kept: Path = options.shelf or folder
        kept.mkdir(parents=True, exist_ok=True)
        console.print("[dim]Embedding the base sentences (kept in bench/cache)…[/dim]")
        corpus = Corpus(embedded_base(embedder))
        asked = questions(QUERIES)
        others = [text for text in questions(3 * QUERIES) if text not in asked][:QUERIES]
        vectors, more = (np.stack([embedder.embed_query(text) for text in some]) for some in (asked, others))
        shelf = Shelf(kept, corpus=corpus, embedder=embedder, queries=vectors, watch=watch)
        yield Bench(
            embedder=embedder,
            corpus=corpus,
            vectors=vectors,
            others=more,
            shelf=shelf,
            watch=watch,
            folder=folder,
            is_quick=options.quick,
        )


def write_docs(text: str) -> None:
    """Put the tables between the two marks of the page."""
    page = DOCS.read_text()
    before, after = page.partition(BEGIN)[0], page.partition(END)[2]
    DOCS.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
