"""What a store in PostgreSQL costs beside a file, in one run: a turn, a prompt, a search, round trips, bytes.

`python bench/postgres_cost.py [--records 10000] [--others 10 10000] [--calls 100]` starts the server itself, prints a
table and writes bench/results/postgres_cost.json. One namespace has `--records` memories; so many others stand beside
it, with a few memories each. The engine runs in this process: CPU is its own, and beside it that of the server.
"""

from __future__ import annotations

import argparse
import itertools
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.data import Corpus, embedded_base, questions
from bench.figures import Figure, Row, Table, save, single, summary, timed
from bench.peers import puts
from bench.postgres_load import server_cpu
from bench.table import show
from tests.postgres.server import Server, missing_parts

from libravdb.app import load_embedder, open_engine, open_store
from libravdb.config import Config, load
from libravdb.engine.indexing import IndexingStore
from libravdb.memory import Memory
from libravdb.model import Put
from libravdb.model.collections import durable_memory

RESULTS = Path(__file__).parent / "results" / "postgres_cost.json"
USER = "anna"
OF_OTHERS = 5
"""Memories of each other tenant."""

BATCH = 500
SESSION = "evening"


class CountingProxy:
    """Stands between us and the server, and counts round trips: what we send after an answer begins another one. A
    pipeline that is answered while it is being sent counts as several: the number is an upper bound."""

    def __init__(self, port: int) -> None:
        self.trips = 0
        self._target = port
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                ours, _ = self._listener.accept()
            except OSError:
                return
            theirs = socket.create_connection(("127.0.0.1", self._target))
            for end in (ours, theirs):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            is_ours = threading.Event()
            is_ours.set()
            threading.Thread(target=self._carry, args=(ours, theirs, is_ours), daemon=True).start()
            threading.Thread(target=self._answer, args=(theirs, ours, is_ours), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, is_ours: threading.Event) -> None:
        with suppress(OSError):
            while part := source.recv(65_536):
                if is_ours.is_set():
                    is_ours.clear()
                    with self._lock:
                        self.trips += 1
                target.sendall(part)
        _end(target)

    def _answer(self, source: socket.socket, target: socket.socket, is_ours: threading.Event) -> None:
        with suppress(OSError):
            while part := source.recv(65_536):
                is_ours.set()
                target.sendall(part)
        _end(target)


def _end(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
    line.close()


# ── what is in it ─────────────────────────────────────────────────────────────────────────────────────────


def changes(corpus: Corpus, *, records: int, others: int, fingerprint: str) -> Iterator[Put]:
    """The memories of the user, then those of all others; theirs are other texts."""
    number = 0
    for rows in corpus.rows(records + others * OF_OTHERS):
        for i, text in enumerate(rows.texts):
            owner = USER if number < records else f"other-{(number - records) % max(others, 1)}"
            yield from puts(
                [number], [text], rows.vectors[i : i + 1], fingerprint=fingerprint, collection=durable_memory(owner)
            )
            number += 1


def fill(config: Config, corpus: Corpus, *, records: int, others: int) -> tuple[float, int]:
    """Write everything; how long that took by the clock, and how large the store is then."""
    embedder = load_embedder(config.embedding)
    began = time.perf_counter()
    with open_store(config.store) as opened:
        store = IndexingStore(opened)
        store.vectors.open(
            fingerprint=embedder.fingerprint, dimensions=embedder.dimensions, description=embedder.description
        )
        left = changes(corpus, records=records, others=others, fingerprint=embedder.fingerprint)
        while part := list(itertools.islice(left, BATCH)):
            store.commit(part)
        size = store.maintenance.stats().size_bytes
    return time.perf_counter() - began, size


# ── measuring ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """What can be read beside our own time: CPU seconds of the server, round trips to it."""

    server: Callable[[], float]
    trips: Callable[[], int]


NO_SERVER = Meter(server=lambda: 0.0, trips=lambda: 0)


def measure(config: Config, *, calls: int, meter: Meter) -> dict[str, Figure | str]:
    """The three operations on a filled store, as cells."""
    cells: dict[str, Figure | str] = {}
    with Memory(open_engine(config), user=USER) as memory:
        asked = questions(calls + 3)
        operations: dict[str, Callable[[int], object]] = {
            "turn": lambda number: memory.add(
                {"role": "user", "content": f"The lamp number {number} belongs into the hall, I told you yesterday."},
                {"role": "assistant", "content": f"Noted: lamp {number} goes to the hall."},
                session=SESSION,
            ),
            "prompt": lambda number: memory.assemble(asked[number], budget=1500, session=SESSION),
            "search": lambda number: memory.search(asked[number], k=10),
        }
        for name, operation in operations.items():
            for number in range(3):  # loads the model, codes and plans
                operation(number)
            cpu, trips = meter.server(), meter.trips()
            spans, _ = timed(_bound(operation, number) for number in range(3, calls + 3))
            cells[f"{name} CPU"] = summary(spans.cpu, "ms")
            cells[f"{name} wall"] = summary(spans.wall, "ms")
            if meter is not NO_SERVER:
                cells[f"{name} server"] = single((meter.server() - cpu) / calls * 1000, "ms", n=calls)
                cells[f"{name} trips"] = single((meter.trips() - trips) / calls, "", n=calls)
    return cells


def _bound(operation: Callable[[int], object], number: int) -> Callable[[], object]:
    return lambda: operation(number)


def configured(home: Path, **arguments: object) -> Config:
    """The configuration with nothing of this machine in it."""
    told = {name.replace("_", ".", 1): value for name, value in arguments.items()}
    return load(environ={"HOME": str(home)}, arguments=told).config


def rows(options: argparse.Namespace, console: Console) -> Iterator[Row]:
    """For each number of other tenants a file and a database, one right after the other."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lv-bench-")))
        server = Server(is_durable=True, is_on_network=True)
        stack.callback(server.close)
        proxy = CountingProxy(server.port)
        stack.callback(proxy.close)
        meter = Meter(server=lambda: server_cpu(server), trips=lambda: proxy.trips)
        corpus = Corpus(embedded_base(load_embedder(configured(folder).embedding)))
        for others in options.others:
            url = server.create_database().replace(f":{server.port}/", f":{proxy.port}/")
            kinds = {
                "SQLite": (configured(folder, store_path=folder / f"{others}.libravdb"), NO_SERVER),
                "PostgreSQL": (configured(folder, store_url=url), meter),
            }
            for kind, (config, of_kind) in kinds.items():
                console.print(f"[dim]{kind}: filling {options.records:,} records and {others:,} tenants …[/dim]")
                seconds, size = fill(config, corpus, records=options.records, others=others)
                cells = measure(config, calls=options.calls, meter=of_kind)
                count = options.records + others * OF_OTHERS
                cells["bytes a record"] = single(size / count, "", n=count)
                cells["filled"] = single(count / seconds, "records/s", n=count)
                yield Row(label=f"{kind}, {others:,} others", cells=cells)


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--records", type=int, default=10_000, help="of the namespace that is asked")
    parser.add_argument("--others", type=int, nargs="+", default=[10, 10_000], help="tenants beside it")
    parser.add_argument("--calls", type=int, default=100, help="of each kind")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    if missing := missing_parts():
        sys.exit(missing)
    console = Console(width=max(Console().width, 200))
    notes = [
        (
            f"One namespace of {options.records:,} memories; others have {OF_OTHERS} each. p50 / p95 of"
            f" {options.calls} calls. A turn is two messages with their embeddings. CPU: of the engine's process,"
            " the counting proxy included."
        ),
        "Trips: round trips to the server a call, on average, counted by a proxy, at most. Server: its CPU a call.",
    ]
    title = "A store in PostgreSQL beside a file"
    table = Table(name="postgres-cost", title=title, rows=list(rows(options, console)), notes=notes)
    show(table, console)
    save([table], options.out, is_quick=options.records < 10_000)


if __name__ == "__main__":
    main()
