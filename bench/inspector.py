"""The inspector over a large memory: what its views cost the daemon, what a browser loads, whether anything jumps.

`python bench/inspector.py [--turns 100000] [--rounds 10] [--folder FOLDER]` prints tables and writes
bench/results/inspector.json; `--docs` puts them into the page. One namespace holds all turns, judged, with vectors, in
sessions of a hundred; every tenth is a memory. A real browser opens the views, `make test-inspector` says how to get
one. CPU is that of all threads of the daemon while a view is opened, until it asks for nothing more.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the daemon and the command do: more threads only spin
from playwright.sync_api import Browser, sync_playwright
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.data import Corpus, Rows, embedded_base
from bench.figures import Figure, Row, Table, save, single, summary
from bench.table import put_into_page, show
from tests.inspector.browser import Window, browser_flags, browser_path, windows
from tests.inspector.running import RunningDaemon

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.app import open_store
from libravdb.config import StoreSettings
from libravdb.engine.indexing import IndexingStore
from libravdb.inspector.files import page_files
from libravdb.model import Change, Embedding, Json, Put, SetState
from libravdb.model.collections import durable_memory, raw_turns, turn_history, turn_index
from libravdb.model.record_ids import shared_turn_id
from libravdb.ports.embedder import Embedder

RESULTS = Path(__file__).parent / "results" / "inspector.json"
NAMESPACE = "large"
IN_SESSION = 100
MINUTE = 60_000
VIEWS = ("timeline", "search", "prompt", "gate", "memory", "rules", "compaction", "health")
QUESTIONS = 20
"""Prompts that were made, so that there are receipts."""

FIRST_VIEW_CPU, MOST_SHIFT, MOST_WEIGHT = 300.0, 0.05, 250.0


# ── the store ─────────────────────────────────────────────────────────────────────────────────────────────


def fill(path: Path, turns: int, embedder: Embedder) -> None:
    """Turns of one namespace, judged, without the price of embedding them."""
    part = path.with_name("part.libravdb")
    name, now = embedder.fingerprint, int(time.time() * 1000)
    with open_store(StoreSettings(path=part)) as opened:
        filled = IndexingStore(opened)
        filled.vectors.open(fingerprint=name, dimensions=embedder.dimensions, description=embedder.description)
        for rows in Corpus(embedded_base(embedder)).rows(turns):
            filled.commit(list(_changes(rows, fingerprint=name, begin=now - turns * MINUTE)))
    part.rename(path)


def _changes(rows: Rows, *, fingerprint: str, begin: int) -> Iterator[Change]:
    for place, text in enumerate(rows.texts):
        number = rows.start + place
        session, turn, at = f"talk {number // IN_SESSION:04}", f"t{number}", begin + number * MINUTE
        if number % IN_SESSION == 0:
            state: dict[str, Json] = {"type": "session_state", "namespaces": [NAMESPACE]}
            yield SetState(session=session, state=state, at=at)
        is_kept = number % 10 == 0
        told: dict[str, Json] = {
            "role": "user" if number % 2 == 0 else "assistant",
            "userId": NAMESPACE,
            "sessionId": session,
            "source_turn_id": turn,
            "type": "turn",
        }
        judged: dict[str, Json] = {
            "gating_score": 0.5 if is_kept else 0.2,
            "gating_admitted": is_kept,
            "gating_veto": "",
            "gating_verdict": f"{'kept' if is_kept else 'not kept'}: score {0.5 if is_kept else 0.2:.2f}",
        }
        embedding = Embedding(fingerprint=fingerprint, vectors=rows.vectors[place : place + 1])
        shared = shared_turn_id(session, turn)
        yield Put(collection=raw_turns(session), id=turn, text=text, at=at, metadata=told, embedding=embedding)
        for collection in (turn_history(NAMESPACE), *((durable_memory(NAMESPACE),) if is_kept else ())):
            yield Put(collection=collection, id=shared, text=text, at=at, metadata=told, embedding=embedding)
        index = turn_index(NAMESPACE)
        yield Put(collection=index, id=shared, text=text, at=at, metadata={**told, **judged}, embedding=embedding)


# ── measuring ─────────────────────────────────────────────────────────────────────────────────────────────


def cpu_milliseconds(process: int) -> float:
    """CPU time of all threads of a process so far; Linux counts it in nanoseconds."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


class Bench:
    """A daemon over the store, and a browser that looks at it."""

    def __init__(self, daemon: RunningDaemon, browser: Browser) -> None:
        self._daemon = daemon
        self._browser = browser

    def opened(self, view: str) -> dict[str, float]:
        """Open a view in a fresh window, as `libravdb inspect` does; what that cost."""
        with windows(self._browser, url=self._daemon.url, pictures=Path(tempfile.gettempdir())) as new:
            window = new()
            if view == VIEWS[0]:
                told = self._spent(window, lambda: self._enter(window))
            else:
                self._enter(window)
                told = self._spent(window, lambda: window.go(view, namespace=NAMESPACE))
            return told | {"shift": window.shift()}

    def further_pages(self, rounds: int) -> list[dict[str, float]]:
        """Let the timeline show more, again and again."""
        with windows(self._browser, url=self._daemon.url, pictures=Path(tempfile.gettempdir())) as new:
            window = new()
            self._enter(window)
            return [self._spent(window, lambda: self._more(window)) for _ in range(rounds)]

    def idle(self, seconds: float) -> float:
        """Percent of a core that an open page costs while nothing happens."""
        with windows(self._browser, url=self._daemon.url, pictures=Path(tempfile.gettempdir())) as new:
            window = new()
            self._enter(window)
            window.page.wait_for_selector("#live.on")
            before = cpu_milliseconds(self._daemon.process.pid)
            window.page.wait_for_timeout(seconds * 1000)
            return (cpu_milliseconds(self._daemon.process.pid) - before) / seconds / 10

    def _enter(self, window: Window) -> None:
        window.open(token=self._daemon.tokens.admin, namespace=NAMESPACE)

    def _more(self, window: Window) -> None:
        shown = window.page.locator("article.turn").count()
        window.page.get_by_role("button", name="Show more").click()
        window.until(f"document.querySelectorAll('article.turn').length > {shown}")
        window.settle()

    def _spent(self, window: Window, work: Callable[[], object]) -> dict[str, float]:
        asked, loaded = len(window.seen.requests), _loaded(window)
        before, began = cpu_milliseconds(self._daemon.process.pid), time.perf_counter()
        work()
        return {
            "wall": (time.perf_counter() - began) * 1000,
            "cpu": cpu_milliseconds(self._daemon.process.pid) - before,
            "requests": len(window.seen.requests) - asked,
            "bytes": _loaded(window) - loaded,
        }


def _loaded(window: Window) -> float:
    """What a window has loaded so far, in kB over the line."""
    told: float = window.page.evaluate(
        "() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
        ".reduce((sum, each) => sum + (each.transferSize || 0), 0)"
    )
    return told / 1000


def row(label: str, spent: list[dict[str, float]], *, target: float | None = None) -> Row:
    """What several rounds of the same cost."""
    cells: dict[str, Figure | str] = {
        "server CPU": summary([each["cpu"] for each in spent], "ms", target=target),
        "until shown": summary([each["wall"] for each in spent], "ms"),
        "requests": summary([each["requests"] for each in spent], ""),
        "loaded": summary([each["bytes"] for each in spent], "kB"),
    }
    if "shift" in spent[0]:
        cells["layout shift"] = summary([each["shift"] for each in spent], "", target=MOST_SHIFT)
    return Row(label=label, cells=cells)


def views_table(bench: Bench, *, turns: int, rounds: int) -> Table:
    """Each view opened; the first one also just after the daemon began."""
    cold = [bench.opened(VIEWS[0])]
    rows = [row("timeline, the daemon just began", cold)]
    first = [bench.opened(VIEWS[0]) for _ in range(rounds)]
    rows.append(row("timeline, the first view", first, target=FIRST_VIEW_CPU))
    rows.append(row("timeline, one page more", bench.further_pages(rounds)))
    for view in VIEWS[1:]:
        bench.opened(view)
        rows.append(row(view, [bench.opened(view) for _ in range(max(2, rounds // 2))]))
    where = f"{turns:,} turns of one namespace in {turns // IN_SESSION:,} sessions."
    notes = [
        f"{where} A fresh window each time, nothing cached; the browser shares the machine with the daemon.",
        f"An open page that nothing happens to costs the daemon {bench.idle(10.0):.2f} % of a core.",
    ]
    return Table(name="inspector", title="The inspector over a large memory", rows=rows, notes=notes)


def weight_table() -> Table:
    """What all files weigh."""
    files = page_files()
    cells: dict[str, Figure | str] = {
        "files": single(len(files), ""),
        "as written": single(sum(len(each.body) for each in files.values()) / 1000, "kB"),
        "as sent": single(sum(len(each.packed) for each in files.values()) / 1000, "kB", target=MOST_WEIGHT),
    }
    return Table(name="weight", title="The weight of its page", rows=[Row(label="all files", cells=cells)])


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--folder", type=Path, help="keep the store here for the next run")
    parser.add_argument("--docs", action="store_true", help="put the kept tables into docs/internals/benchmarks.md")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    if options.docs:
        put_into_page("inspector", options.out)
        return
    path = browser_path()
    if path is None:
        sys.exit("No browser: 'make test-inspector' says how to get one.")
    with tempfile.TemporaryDirectory(prefix="libravdb-bench-") as scratch:
        folder = options.folder or Path(scratch)
        store = folder / f"inspector-{options.turns}.libravdb"
        if not store.exists():
            model = open_minilm()
            fill(store, options.turns, model)
            model.close()
        daemon = RunningDaemon(Path(scratch) / "home", store=store)
        try:
            for number in range(QUESTIONS):
                asked = {"prompt": f"What about the garden, number {number}?", "tokenBudget": 1_500}
                daemon.call("assemble", sessionId=f"talk {number:04}", namespace=NAMESPACE, **asked)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=path, args=browser_flags())
                tables = [
                    views_table(Bench(daemon, browser), turns=options.turns, rounds=options.rounds),
                    weight_table(),
                ]
                browser.close()
        finally:
            daemon.stop()
            shutil.rmtree(daemon.home)
    for table in tables:
        show(table, Console())
    save(tables, options.out, is_quick=options.turns < 100_000)


if __name__ == "__main__":
    main()
