"""Figures of the watcher: a first scan, a re-scan without change, from save to searchable, and idleness.

`python bench/watch.py [--quick]` prints tables and writes bench/results/watch.json.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.daemon import Daemon
from bench.data import TEMPLATES, Writer
from bench.figures import Figure, Row, Table, save, single, summary
from bench.table import put_into_page, show

from libravdb.app import load_embedder, now, open_store, open_watcher
from libravdb.client.client import Client as DaemonClient
from libravdb.client.remote_engine import RemoteEngine
from libravdb.client.transport import SocketTransport
from libravdb.config import Config, StoreSettings, WatchSettings
from libravdb.engine.engine import Engine
from libravdb.errors import EmbedderError
from libravdb.ports.embedder import Embedder
from libravdb.wire.endpoint import parse

RESULTS = Path(__file__).parent / "results" / "watch.json"
PER_FOLDER = 100


class Counted:
    """The shipped embedder, with the number of texts it was given."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.texts = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def embed_texts(self, texts: Sequence[str], *rest: object) -> object:
        """Count, then embed."""
        self.texts += len(texts)
        return self._inner.embed_texts(texts, *rest)  # type: ignore[arg-type]  # passed on as it came


def write_vault(folder: Path, notes: int) -> None:
    """Notes of a heading, two paragraphs and a list, a hundred in a folder, beside what a vault has of its own."""
    lines = iter(Writer(TEMPLATES, seed=17).write(notes * 6))
    for number in range(notes):
        place = folder / f"folder {number // PER_FOLDER:03}"
        place.mkdir(parents=True, exist_ok=True)
        first, second, third, fourth, fifth, sixth = (next(lines) for _ in range(6))
        text = f"# Note {number}\n\n{first} {second}\n\n{third} {fourth}\n\n- {fifth}\n- {sixth}\n"
        (place / f"note {number:05}.md").write_text(text)
    (folder / ".obsidian").mkdir()
    (folder / ".obsidian" / "workspace.json").write_text("{}")
    (folder / ".gitignore").write_text("".join(f"*.{kind}\n" for kind in ("tmp", "log", "bak", "pdf")) + "drafts/\n")


def cpu_seconds() -> float:
    """CPU time of this process, all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


Scan = tuple[float, float, int]
"""Seconds by the clock, seconds of CPU, texts embedded."""


def scan(vault: Path, store: Path, notes: int, embedder: Counted | None) -> Scan:
    """Bring a store in step with a vault; without an embedder its texts get no vectors."""
    config = Config(store=StoreSettings(path=store), watch=WatchSettings(folders=(vault,), cpu_share=1.0))

    def load(_: object) -> Embedder:
        if embedder is None:
            raise EmbedderError("There is none.")
        return embedder  # type: ignore[return-value]  # it passes on what it does not count

    with Engine(store=open_store(config.store), load_embedder=load, clock=now) as engine:
        engine.embeddings.degraded()  # loads the embedder
        began, worked = time.perf_counter(), cpu_seconds()
        before = embedder.texts if embedder else 0
        tally = open_watcher(engine, config.watch, tell=lambda _: None).sync()
        if tally.documents != notes:
            raise RuntimeError(f"{tally.documents} of {notes} notes arrived")
        embedded = embedder.texts - before if embedder else 0
        return time.perf_counter() - began, cpu_seconds() - worked, embedded


def scans(vault: Path, store: Path, notes: int, sample: Path, sampled: int) -> Table:
    """A first scan of a sample with the shipped model, one of everything without, and re-scans without any change."""
    embedder = Counted(load_embedder(Config().embedding))
    first = scan(sample, store.with_name("sample"), sampled, embedder)
    plain = scan(vault, store, notes, None)
    time.sleep(3)  # what was saved less than two seconds before it was read is read once more
    scan(vault, store, notes, embedder)
    size = store.stat().st_size
    again = [scan(vault, store, notes, embedder) for _ in range(5)]
    is_same = store.stat().st_size == size
    rows = [
        _row(f"first scan of {sampled:,} notes", [first], sampled),
        _row(f"first scan of {notes:,}, no embedder", [plain], notes),
        _row(f"re-scan of {notes:,} without change", again, notes, target=2.0 * notes / 10_000),
    ]
    told = [
        "Notes have a heading, two paragraphs and two list items: five nodes, each embedded by itself.",
        "A re-scan reads the list of documents, walks the folders and compares size and time; nothing is opened.",
        f"The store's file {'did not change' if is_same else 'changed'} during the re-scans.",
    ]
    return Table(name="scans", title="Scanning a vault", rows=rows, notes=told)


def _row(label: str, runs: Sequence[Scan], notes: int, *, target: float | None = None) -> Row:
    embedded = sum(run[2] for run in runs)
    return Row(
        label=label,
        cells={
            "CPU": summary([run[1] for run in runs], "s", target=target),
            "wall": summary([run[0] for run in runs], "s"),
            "CPU per note": summary([run[1] * 1000 / notes for run in runs], "ms"),
            "texts embedded": single(embedded, "", target=None if target is None else 0),
        },
    )


def live(vault: Path, home: Path, saves: int, seconds: float) -> Table:
    """A daemon that watches the vault: idle CPU, and the time from a save until a search finds it."""
    daemon = Daemon(home, LIBRAVDB_WATCH_FOLDERS=str(vault))
    try:
        with RemoteEngine(DaemonClient(SocketTransport(parse(f"unix:{daemon.path}")))) as engine:
            began = time.perf_counter()
            while (state := engine.status().watch) is None or state.mode != "notified":
                time.sleep(0.05)
            caught_up = time.perf_counter() - began
            time.sleep(2)
            before = daemon.cpu_seconds()
            time.sleep(seconds)
            idle = (daemon.cpu_seconds() - before) / seconds * 100
            spans = [_save_to_found(engine, vault / "folder 000", number) for number in range(saves)]
    finally:
        daemon.stop()
    rows = [
        Row(label="daemon start to in step again", cells={"figure": single(caught_up, "s")}),
        Row(label=f"idle CPU over {seconds:g} s", cells={"figure": single(idle, "% of a core", target=1)}),
        Row(label=f"from save to searchable, {saves} saves", cells={"figure": summary(spans, "ms", target=1000)}),
    ]
    return Table(name="live", title="A daemon that watches the vault", rows=rows)


def _save_to_found(engine: RemoteEngine, folder: Path, number: int) -> float:
    text = f"The password of locker {number} is marmalade {number}."
    began = time.perf_counter()
    (folder / f"live {number}.md").write_text(text)
    while True:
        hits = engine.search(f"locker {number} marmalade", collections=["authored:variant"], k=3).hits
        if any(hit.record.text == text for hit in hits):
            return (time.perf_counter() - began) * 1000
        time.sleep(0.005)


def neighbours(vault: Path, home: Path, notes: int) -> Table:
    """How long a search takes while the daemon reads a vault for the first time, and while it does nothing."""
    daemon = Daemon(home, LIBRAVDB_WATCH_FOLDERS=str(vault))
    spans: dict[str, list[float]] = {"scanning": [], "at rest": []}
    try:
        with RemoteEngine(DaemonClient(SocketTransport(parse(f"unix:{daemon.path}")))) as engine:
            engine.search("warm up", collections=["user:default"])
            for mode, times in spans.items():
                while len(times) < 200:
                    state = engine.status().watch
                    if state is None or (state.mode == "scanning") != (mode == "scanning"):
                        if mode == "scanning":
                            break
                        time.sleep(0.1)
                        continue
                    began = time.perf_counter()
                    engine.search("where is the green boat?", collections=["user:default"])
                    times.append((time.perf_counter() - began) * 1000)
                    time.sleep(0.01)
    finally:
        daemon.stop()
    rows = [
        Row(
            label=f"search while {notes:,} notes are read for the first time",
            cells={"wall": _or_none(spans["scanning"])},
        ),
        Row(label="search at rest", cells={"wall": _or_none(spans["at rest"])}),
    ]
    return Table(name="neighbours", title="Others during a first scan (watch.cpu_share 0.5)", rows=rows)


def _or_none(times: list[float]) -> Figure | str:
    return summary(times, "ms") if times else "the scan was over too soon"


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="500 notes")
    parser.add_argument("--notes", type=int, default=10_000, help="notes in the vault")
    parser.add_argument("--docs", action="store_true", help="put the kept tables into docs/internals/benchmarks.md")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    if options.docs:
        put_into_page("watch", options.out)
        return
    console = Console()
    count = 500 if options.quick else options.notes
    with tempfile.TemporaryDirectory(prefix="libravdb-bench-") as made:
        folder = Path(made)
        write_vault(folder / "vault", count)
        (folder / "home" / ".clawdb").mkdir(parents=True)
        store = folder / "home" / ".clawdb" / "data.libravdb"
        fresh = min(count, 500)
        write_vault(folder / "fresh", fresh)
        tables = [scans(folder / "vault", store, count, folder / "fresh", fresh)]
        tables.append(live(folder / "vault", folder / "home", 10 if options.quick else 50, 3 if options.quick else 10))
        tables.append(neighbours(folder / "fresh", folder / "other home", fresh))
    for table in tables:
        show(table, console)
    save(tables, options.out, is_quick=options.quick)


if __name__ == "__main__":
    main()
