"""What a benchmark says: figures in rows, rows in tables, tables in one report that is kept as JSON."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from libravdb import __version__

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One quantity, measured `n` times. `target` is the most (or, with `at_least`, the least) that p50 should be."""

    n: int
    p50: float
    p95: float
    unit: str
    target: float | None = None
    at_least: bool = False

    @property
    def is_met(self) -> bool | None:
        """Whether the target holds; None without one."""
        if self.target is None:
            return None
        return self.p50 >= self.target if self.at_least else self.p50 <= self.target


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table: a label and its figures by column. Text stands where nothing could be measured."""

    label: str
    cells: dict[str, Figure | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under a title, with what a reader must know to judge them."""

    name: str
    title: str
    rows: list[Row]
    notes: list[str] = field(default_factory=list)
    date: str = field(default_factory=lambda: datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"))


# ── measuring ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Spans:
    """How long each of several calls took, in milliseconds: by the clock and in CPU time of all threads."""

    wall: list[float]
    cpu: list[float]

    def figures(self, name: str, *, target_cpu: float | None = None) -> dict[str, Figure | str]:
        """Both kinds of time as cells."""
        return {
            f"{name} CPU": summary(self.cpu, "ms", target=target_cpu),
            f"{name} wall": summary(self.wall, "ms"),
        }


def timed(calls: Iterable[Callable[[], T]]) -> tuple[Spans, list[T]]:
    """Run each call on its own; returns the times and the results."""
    wall, cpu, results = list[float](), list[float](), list[T]()
    for call in calls:
        began, worked = time.perf_counter(), time.process_time()
        results.append(call())
        cpu.append((time.process_time() - worked) * 1000)
        wall.append((time.perf_counter() - began) * 1000)
    return Spans(wall=wall, cpu=cpu), results


def summary(values: Sequence[float], unit: str, *, target: float | None = None, at_least: bool = False) -> Figure:
    """Median and 95th percentile."""
    p50, p95 = np.percentile(values, [50, 95])
    return Figure(n=len(values), p50=float(p50), p95=float(p95), unit=unit, target=target, at_least=at_least)


def single(value: float, unit: str, *, n: int = 1, target: float | None = None, at_least: bool = False) -> Figure:
    """A figure that is one number, such as a share over `n` queries or a rate over `n` calls."""
    return Figure(n=n, p50=value, p95=value, unit=unit, target=target, at_least=at_least)


# ── the report ────────────────────────────────────────────────────────────────────────────────────────────

PACKAGES = ("numpy", "onnxruntime", "chromadb", "lancedb", "sqlite-vec")


def machine() -> dict[str, Any]:
    """Where it was measured."""
    return {"cpus": os.cpu_count(), "model": _cpu_model(), "system": f"{platform.system()} {platform.machine()}"}


def _cpu_model() -> str:
    known = Path("/proc/cpuinfo")
    if known.exists():
        for line in known.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def versions() -> dict[str, str]:
    """What it was measured with."""
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def save(tables: Sequence[Table], file: Path, *, is_quick: bool) -> None:
    """Write the report; tables of an earlier report that were not measured now stay, with their own dates."""
    kept = {table.name: table for table in (load(file) if file.exists() else [])}
    kept |= {table.name: table for table in tables}
    report = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "version": __version__,
        "quick": is_quick,
        "machine": machine(),
        "versions": versions(),
        "tables": [asdict(table) for table in kept.values()],
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(file.name + ".tmp")
    part.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    part.rename(file)


def load(file: Path) -> list[Table]:
    """The tables of a report."""
    report = json.loads(file.read_text())
    return [
        Table(**{**table, "rows": [Row(label=row["label"], cells=_cells(row["cells"])) for row in table["rows"]]})
        for table in report["tables"]
    ]


def _cells(cells: dict[str, Any]) -> dict[str, Figure | str]:
    return {column: cell if isinstance(cell, str) else Figure(**cell) for column, cell in cells.items()}


def heading(file: Path) -> str:
    """One line on when, where and with what a report was measured."""
    report = json.loads(file.read_text())
    at, known = report["machine"], report["versions"]
    used = ", ".join(f"{name} {number}" for name, number in known.items())
    quick = " (quick run)" if report["quick"] else ""
    return (
        f"Version {report['version']}, {report['date']}{quick}, {at['cpus']} × {at['model']}, {at['system']}; {used}."
    )


# ── memory ────────────────────────────────────────────────────────────────────────────────────────────────


def memory_mb() -> tuple[float, float]:
    """Resident memory of this process now and at its peak, in MB (10⁶ bytes); where the system tells only the
    peak, that twice."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        now, peak = (int(lines[name].split()[0]) * 1024 / 1e6 for name in ("VmRSS", "VmHWM"))
        return now, peak
    import resource  # noqa: PLC0415 - not on every system, and not needed on Linux

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    return most, most
