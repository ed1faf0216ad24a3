"""What a start costs.

`startup.py cost [RUNS]` measures the CPU time of whole processes, from the empty interpreter to a search through a
daemon, and prints a table. `startup.py MODE STORE [VECTOR]` is a fresh process that opens a store and searches;
`foundation.py` starts it and reads its one line of JSON. Modes: `store` searches with the vector in the file VECTOR,
`engine` with a question (the model is loaded by the first search), `model` only loads the model and embeds.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
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


# ── whole processes ───────────────────────────────────────────────────────────────────────────────────────

COMMAND = (sys.executable, "-m", "libravdb")
PROCESSES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("python -c pass", (sys.executable, "-c", "pass")),
    ("import click", (sys.executable, "-c", "import click")),
    ("from libravdb import Memory", (sys.executable, "-c", "from libravdb import Memory")),
    ("libravdb --version", (*COMMAND, "--version")),
    ("libravdb --help", (*COMMAND, "--help")),
)
SEARCH = (*COMMAND, "search", QUESTION)


def measure_processes(runs: int) -> None:
    """CPU time of fresh processes, user and system together: the least and the median of several runs, by turns."""
    with tempfile.TemporaryDirectory(prefix="libravdb-startup-") as folder:
        environ = {**os.environ, "HOME": folder}
        with serving(environ):
            subprocess.run(
                [*COMMAND, "remember", "Maria met Tom in Graz."], env=environ, check=True, capture_output=True
            )
            spent = measured([*PROCESSES, ("libravdb search, daemon", SEARCH)], environ, runs=runs)
        spent |= measured([("libravdb search, no daemon", SEARCH)], environ, runs=runs)
    empty = min(spent["python -c pass"])
    print(f"{'CPU time of a fresh process':<30}{'least':>9}{'median':>9}{'× empty':>9}")
    for name, seconds in spent.items():
        least, median = min(seconds), statistics.median(seconds)
        print(f"{name:<30}{least * 1000:>6.0f} ms{median * 1000:>6.0f} ms{least / empty:>9.1f}")


def measured(
    processes: Sequence[tuple[str, tuple[str, ...]]], environ: Mapping[str, str], *, runs: int
) -> dict[str, list[float]]:
    """Seconds of each process; once before counting, so that Python has compiled what it loads."""
    spent: dict[str, list[float]] = {name: [] for name, _ in processes}
    for run in range(runs + 1):
        for name, command in processes:
            seconds = cpu_seconds(command, environ)
            if run:
                spent[name].append(seconds)
    return spent


def cpu_seconds(command: tuple[str, ...], environ: Mapping[str, str]) -> float:
    """User and system time of a process and all it waited for."""
    quiet = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    _, status, used = os.wait4(os.posix_spawn(command[0], command, environ, file_actions=quiet), 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return used.ru_utime + used.ru_stime


@contextlib.contextmanager
def serving(environ: Mapping[str, str]) -> Iterator[None]:
    """A daemon over the default store, stopped afterwards."""
    with subprocess.Popen([sys.executable, "-m", "libravdb.daemon"], env=environ, stdout=subprocess.PIPE) as daemon:
        assert daemon.stdout is not None  # noqa: S101
        daemon.stdout.readline()
        try:
            yield
        finally:
            daemon.terminate()


if __name__ == "__main__":
    if sys.argv[1] == "cost":
        measure_processes(int(sys.argv[2]) if len(sys.argv) > 2 else 15)
        sys.exit()
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
