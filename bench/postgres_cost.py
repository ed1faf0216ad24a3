"""What a store in PostgreSQL costs beside a file, in one run: a turn, a prompt, a search, round trips, bytes.

`python bench/postgres_cost.py [--only beside-10 …] [--calls 100] [--docs]` starts the server itself, prints a table for
each case and writes bench/results/postgres_cost.json. A case is a namespace with so many others beside it, or many
namespaces that are asked in turn. `--only million` takes ten to thirty minutes and 5 GB of disk, and is not part of a
plain run.
The engine runs in this process: CPU is its own, and beside it that of the server.
"""

from __future__ import annotations

import argparse
import itertools
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.data import Corpus, embedded_base, questions
from bench.figures import Figure, Row, Table, save, single, summary, timed
from bench.peers import puts
from bench.postgres_load import server_cpu
from bench.table import put_into_page, show
from tests.postgres.server import Server, missing_parts

from libravdb.app import load_embedder, open_engine, open_store
from libravdb.config import Config, load
from libravdb.engine.indexing import IndexingStore
from libravdb.memory import Memory
from libravdb.model import Put
from libravdb.model.collections import durable_memory

RESULTS = Path(__file__).parent / "results" / "postgres_cost.json"
BATCH = 1_000
SESSION = "evening"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """So many namespaces with so many memories each, which are asked in turn; beside them others that nobody asks."""

    title: str
    asked: int = 1
    records: int
    others: int = 0
    of_others: int = 5
    is_plain: bool = True

    @property
    def count(self) -> int:
        """All memories."""
        return self.asked * self.records + self.others * self.of_others


CASES = {
    "beside-10": Case(title="10,000 memories, 10 other tenants", records=10_000, others=10),
    "beside-10000": Case(title="10,000 memories, 10,000 other tenants", records=10_000, others=10_000),
    "thousand": Case(title="1,000 namespaces of 100 memories, each call in another one", asked=1_000, records=100),
    "million": Case(title="1,000,000 memories in one namespace", records=1_000_000, is_plain=False),
}


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


def user(number: int) -> str:
    """One whose namespace is asked."""
    return f"user-{number}"


def owners(case: Case) -> Iterator[str]:
    """Whose each memory is, one after the other."""
    for number in range(case.asked):
        yield from itertools.repeat(user(number), case.records)
    for number in range(case.others):
        yield from itertools.repeat(f"other-{number}", case.of_others)


def changes(corpus: Corpus, case: Case, *, fingerprint: str) -> Iterator[Put]:
    """The memories of all; those of each are other texts."""
    names = owners(case)
    for rows in corpus.rows(case.count):
        for i, text in enumerate(rows.texts):
            collection, id = durable_memory(next(names)), rows.start + i
            yield from puts([id], [text], rows.vectors[i : i + 1], fingerprint=fingerprint, collection=collection)


def fill(config: Config, corpus: Corpus, case: Case, console: Console) -> tuple[float, int]:
    """Write everything; how long that took by the clock, and how large the store is then."""
    embedder = load_embedder(config.embedding)
    began = time.perf_counter()
    with open_store(config.store) as opened:
        store = IndexingStore(opened)
        store.vectors.open(
            fingerprint=embedder.fingerprint, dimensions=embedder.dimensions, description=embedder.description
        )
        left = changes(corpus, case, fingerprint=embedder.fingerprint)
        parts = iter(lambda: list(itertools.islice(left, BATCH)), [])
        for part in track(parts, description="Filling", total=-(-case.count // BATCH), console=console, transient=True):
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


OPERATIONS = ("turn", "prompt", "search")


def measure(config: Config, case: Case, *, calls: int, meter: Meter) -> tuple[dict[str, dict[str, Figure | str]], str]:
    """The three operations on a filled store, and what the first search took."""
    cells: dict[str, dict[str, Figure | str]] = {name: {} for name in OPERATIONS}
    kind = "SQLite" if meter is NO_SERVER else "PostgreSQL"
    with open_engine(config) as engine:
        asked = questions(calls + 3)
        Memory(engine, user="somebody").remember("What loads the model.")
        before = resident_mb()
        first, _ = timed([lambda: Memory(engine, user=user(0)).search(asked[0], k=10)])
        operations: dict[str, Callable[[int], object]] = {
            "turn": lambda number: of(number).add(
                {"role": "user", "content": f"The lamp number {number} belongs into the hall, I told you yesterday."},
                {"role": "assistant", "content": f"Noted: lamp {number} goes to the hall."},
                session=f"{SESSION}-{number % case.asked}",
            ),
            "prompt": lambda number: of(number).assemble(
                asked[number], budget=1500, session=f"{SESSION}-{number % case.asked}"
            ),
            "search": lambda number: of(number).search(asked[number], k=10),
        }

        def of(number: int) -> Memory:
            return Memory(engine, user=user(number % case.asked))

        for name, operation in operations.items():
            for number in range(3):  # loads codes and plans
                operation(number)
            cpu, trips = meter.server(), meter.trips()
            spans, _ = timed(partial(operation, number) for number in range(3, calls + 3))
            cells[name][f"{kind} CPU"] = summary(spans.cpu, "ms")
            if meter is not NO_SERVER:
                cells[name]["its server"] = single((meter.server() - cpu) / calls * 1000, "ms", n=calls)
                cells[name]["round trips"] = single((meter.trips() - trips) / calls, "", n=calls)
            cells[name][f"{kind} wall"] = summary(spans.wall, "ms")
        grown = resident_mb() - before
    return cells, f"first search {first.wall[0]:,.0f} ms, {grown:,.0f} MB more in memory after all calls"


def resident_mb() -> float:
    """How much of this process is in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def configured(home: Path, **arguments: object) -> Config:
    """The configuration with nothing of this machine in it."""
    told = {name.replace("_", ".", 1): value for name, value in arguments.items()}
    return load(environ={"HOME": str(home)}, arguments=told).config


def tables(names: Sequence[str], calls: int, console: Console) -> Iterator[Table]:
    """For each case a file and a database, one right after the other."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lv-bench-")))
        server = Server(is_durable=True, is_on_network=True)
        stack.callback(server.close)
        proxy = CountingProxy(server.port)
        stack.callback(proxy.close)
        meter = Meter(server=lambda: server_cpu(server), trips=lambda: proxy.trips)
        corpus = Corpus(embedded_base(load_embedder(configured(folder).embedding)))
        for name in names:
            case, database = CASES[name], server.create_database()
            url = database.replace(f":{server.port}/", f":{proxy.port}/")
            file = folder / f"{name}.libravdb"
            stores = {
                "SQLite": (configured(folder, store_path=file), NO_SERVER),
                "PostgreSQL": (configured(folder, store_url=url), meter),
            }
            cells: dict[str, dict[str, Figure | str]] = {operation: {} for operation in OPERATIONS}
            needs = []
            for kind, (config, of_kind) in stores.items():
                console.print(f"[dim]{case.title}: {kind} …[/dim]")
                seconds, size = fill(config, corpus, case, console)
                found, needed = measure(config, case, calls=calls, meter=of_kind)
                for operation in OPERATIONS:
                    cells[operation] |= found[operation]
                needs.append(
                    f"{kind}: {size / case.count:,.0f} bytes a memory, filled at {case.count / seconds:,.0f} a second,"
                    f" {needed}."
                )
            server.drop_database(database)
            file.unlink(missing_ok=True)
            notes = [*needs, f"p50 / p95 of {calls} calls."]
            yield Table(
                name=f"postgres-cost-{name}",
                title=f"PostgreSQL beside a file: {case.title}",
                rows=[Row(label=f"a {operation}", cells=cells[operation]) for operation in OPERATIONS],
                notes=notes,
            )


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", choices=CASES, action="append", help="this case alone; may be repeated")
    parser.add_argument("--calls", type=int, default=100, help="of each kind")
    parser.add_argument("--docs", action="store_true", help="put the kept figures into docs/internals/benchmarks.md")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    if options.docs:
        put_into_page("postgres_cost", options.out)
        return
    if missing := missing_parts():
        sys.exit(missing)
    console = Console(width=max(Console().width, 160))
    for table in tables(
        options.only or [name for name, case in CASES.items() if case.is_plain], options.calls, console
    ):
        show(table, console)
        save([table], options.out, is_quick=options.calls < 100)


if __name__ == "__main__":
    main()
