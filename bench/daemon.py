"""Figures of the daemon over its real socket: round trips, cost of a turn at growing session lengths, start, idle CPU.

`python bench/daemon.py [--quick]` prints tables and writes bench/results/daemon.json.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.figures import Figure, Row, Table, save, single, summary
from bench.table import put_into_page, show

RESULTS = Path(__file__).parent / "results" / "daemon.json"
NAMES = ("life", "round-trips", "long-texts", "turns")
LENGTHS = (100, 1_000, 10_000, 50_000)


class Wire:
    """A plain client: one line there, one line back."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        self._file = self._socket.makefile("rb")

    def __del__(self) -> None:
        """A connection ends with its last user: clients that are killed, refused or done all end alike."""
        if hasattr(self, "_file"):
            self._file.close()
        self._socket.close()

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The result of a call."""
        self._socket.sendall(json.dumps({"id": 1, "method": method, "params": params or {}}).encode() + b"\n")
        reply = json.loads(self._file.readline())
        if "error" in reply:
            raise RuntimeError(reply["error"]["message"])
        return dict(reply["result"])


class Daemon:
    """A running `libravdbd` in a home of its own."""

    def __init__(self, home: Path, **settings: str) -> None:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("LIBRAVDB_")}
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "libravdb.daemon"],
            env=environment | {"HOME": str(home)} | settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None  # noqa: S101 - a pipe was asked for
        self.path = self.process.stdout.readline().strip().removeprefix("unix:")
        self.start_ms = (time.perf_counter() - began) * 1000

    def cpu_seconds(self) -> float:
        """CPU time the process has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """Stop it as a service manager would."""
        self.process.terminate()
        self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def running() -> Iterator[Daemon]:
    """A daemon on a fresh store, warm."""
    with tempfile.TemporaryDirectory(prefix="libravdb-bench-") as home:
        daemon = Daemon(Path(home))
        try:
            Wire(daemon.path).ask("search_text", {"collection": "c", "text": "warm up", "k": 1})
            yield daemon
        finally:
            daemon.stop()


def round_trips(seconds: float) -> Table:
    """Calls a second without and with work behind them, from one connection and from 64."""
    rows = []
    with running() as daemon:
        Wire(daemon.path).ask("insert_text", {"collection": "c", "id": "x", "text": "a green boat"})
        for method, params in (("flush", {}), ("list_collection", {"collection": "c"})):
            for connections in (1, 64):
                calls, spans = _hammer(daemon, method, params, connections=connections, seconds=seconds)
                cells: dict[str, Figure | str] = {"calls a second": single(calls / seconds, "/s", n=calls)}
                cells["latency"] = summary(spans, "ms")
                rows.append(Row(label=f"{method}, {connections} connections", cells=cells))
    notes = ["The client shares the two cores: one Python process with a thread per connection."]
    return Table(name="round-trips", title="Round trips over the unix socket", rows=rows, notes=notes)


def _hammer(
    daemon: Daemon, method: str, params: dict[str, Any], *, connections: int, seconds: float
) -> tuple[int, list[float]]:
    spans: list[float] = []
    until = time.perf_counter() + seconds

    def work() -> None:
        wire = Wire(daemon.path)
        mine = []
        while (began := time.perf_counter()) < until:
            wire.ask(method, params)
            mine.append((time.perf_counter() - began) * 1000)
        spans.extend(mine)

    threads = [threading.Thread(target=work) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(spans), spans


def turn_inserts(lengths: tuple[int, ...], console: Console) -> Table:
    """What one more turn costs at growing lengths of its session; embedding and durability included."""
    rows, first, length = [], 0.0, 0
    with tempfile.TemporaryDirectory(prefix="libravdb-bench-") as home:
        for target in lengths:
            console.print(f"[dim]Filling the session to {target:,} turns …[/dim]")
            filler = Daemon(Path(home), LIBRAVDB_EMBEDDING_BACKEND="none")
            length = _fill(filler, length, target)
            filler.stop()
            daemon = Daemon(Path(home))
            wire, spans = Wire(daemon.path), []
            for number in range(350):
                began = time.perf_counter()
                wire.ask("insert_session_turn", _turn(length + number, "measured"))
                spans.append((time.perf_counter() - began) * 1000)
            daemon.stop()
            length += 350
            figure = summary(spans[50:], "ms")
            first = first or figure.p50
            ratio = single(figure.p50 / first, "×", target=1.5)
            rows.append(Row(label=f"{target:,} turns", cells={"one turn": figure, "to the first": ratio}))
    notes = ["Embedding and durability included. The turns before were filled in without embedding, to save time."]
    return Table(name="turns", title="One more turn, by the length of its session", rows=rows, notes=notes)


def _fill(daemon: Daemon, start: int, end: int) -> int:
    numbers = iter(range(start, end))
    lock = threading.Lock()

    def work() -> None:
        wire = Wire(daemon.path)
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            wire.ask("insert_session_turn", _turn(number, "filled"))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(start, end)


def _turn(number: int, kind: str) -> dict[str, Any]:
    text = f"turn {number} was {kind}: the harbour has {number * 7919 % 1000} boats and a lighthouse"
    return {"sessionId": "s", "id": f"{kind}-{number}", "text": text, "metadata": {"role": "user", "ts": number}}


LONG_TARGETS = {1_000: None, 10_000: None, 100_000: 2.0, 1_000_000: 12.0}


def long_texts() -> Table:
    """What a turn costs by its length, and what another client notices of it meanwhile."""
    rows = []
    with running() as daemon:
        other = Wire(daemon.path)
        for number in range(200):
            other.ask("insert_session_turn", _turn(number, "before"))
        alone = _neighbours_wait(daemon, lambda: time.sleep(4))
        quiet: dict[str, Figure | str] = {
            "CPU": "",
            "wait of another": summary(alone, "ms"),
            "longest": _longest(alone),
        }
        rows.append(Row(label="nothing", cells=quiet))
        for length, target in LONG_TARGETS.items():
            used: list[float] = []

            def send(length: int = length, used: list[float] = used) -> None:
                for attempt in range(3):
                    before = daemon.cpu_seconds()
                    message = {"role": "user", "content": _prose(length, seed=length + attempt)}
                    params = {"userId": "u", "sessionId": f"long {length}", "message": message}
                    Wire(daemon.path).ask("ingest", params)
                    used.append(daemon.cpu_seconds() - before)

            waits = _neighbours_wait(daemon, send)
            cells: dict[str, Figure | str] = {"CPU": summary(used, "s", target=target)}
            cells |= {"wait of another": summary(waits, "ms"), "longest": _longest(waits)}
            rows.append(Row(label=f"{length:,} characters", cells=cells))
    note = "Prose of common words. CPU of the whole daemon, with the other client's few searches, one every 50 ms."
    return Table(name="long-texts", title="Long texts", rows=rows, notes=[note])


def _longest(waits: list[float]) -> Figure:
    return single(max(waits), "ms", n=len(waits))


def _neighbours_wait(daemon: Daemon, work: Callable[[], None]) -> list[float]:
    """How long another client's searches take while something else is done."""
    done = threading.Event()
    waits: list[float] = []

    def ask() -> None:
        wire = Wire(daemon.path)
        while not done.wait(0.05):
            began = time.perf_counter()
            wire.ask("search_text", {"collection": "session:s", "text": f"boats {len(waits)}", "k": 5})
            waits.append((time.perf_counter() - began) * 1000)

    thread = threading.Thread(target=ask)
    thread.start()
    work()
    done.set()
    thread.join()
    return waits


def _prose(length: int, *, seed: int) -> str:
    """Sentences of the words of our own pages."""
    page = (Path(__file__).parents[1] / "docs" / "tutorial.md").read_text(encoding="utf-8")
    words = re.findall(r"[a-z]{2,}", page)
    rng = random.Random(seed)
    sentences: list[str] = []
    size = 0
    while size < length:
        sentences.append(" ".join(rng.choices(words, k=rng.randint(6, 18))).capitalize() + ". ")
        size += len(sentences[-1])
    return "".join(sentences)[:length]


def life(seconds: float) -> Table:
    """How soon it listens, and what it uses while nobody asks."""
    starts = []
    with tempfile.TemporaryDirectory(prefix="libravdb-bench-") as home:
        for _ in range(10):
            daemon = Daemon(Path(home))
            starts.append(daemon.start_ms)
            daemon.stop()
    with running() as daemon:
        time.sleep(2)
        before = daemon.cpu_seconds()
        time.sleep(seconds)
        used = (daemon.cpu_seconds() - before) / seconds * 100
    rows = [
        Row(label="start to listening", cells={"figure": summary(starts, "ms", target=500)}),
        Row(label=f"idle CPU over {seconds:g} s", cells={"figure": single(used, "%", target=0)}),
    ]
    return Table(name="life", title="Start and idleness", rows=rows)


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="sessions of up to 1,000 turns only")
    parser.add_argument("--docs", action="store_true", help="put the kept tables into docs/internals/benchmarks.md")
    parser.add_argument(
        "--only", action="append", choices=NAMES, help="measure this table alone and keep the others as they are"
    )
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    if options.docs:
        put_into_page("daemon", options.out)
        return
    console = Console()
    measures: dict[str, Callable[[], Table]] = {
        "life": lambda: life(3 if options.quick else 10),
        "round-trips": lambda: round_trips(1 if options.quick else 3),
        "long-texts": long_texts,
        "turns": lambda: turn_inserts(LENGTHS[:2] if options.quick else LENGTHS, console),
    }
    tables = [measures[name]() for name in options.only or measures]
    for table in tables:
        show(table, console)
    save(tables, options.out, is_quick=options.quick)


if __name__ == "__main__":
    main()
