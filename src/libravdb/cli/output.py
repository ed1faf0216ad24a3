"""What a person sees: tables and colours on a terminal, plain lines in a pipe, JSON on request."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

_CONTROL = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), 127, *range(128, 160))}


class Output:
    """Where a command writes. `is_json` and `is_plain` say in which form."""

    def __init__(self, *, is_json: bool) -> None:
        self.console = Console(highlight=False, soft_wrap=False)
        self.errors = Console(stderr=True, highlight=False)
        self.is_json = is_json
        self.is_plain = not self.console.is_terminal

    def json(self, value: object) -> None:
        """One JSON document on a line of its own."""
        print(json.dumps(_jsonable(value), ensure_ascii=False), file=sys.stdout)

    def say(self, message: str) -> None:
        """A sentence for people; nothing in JSON mode, where the document says it all."""
        if not self.is_json:
            self.console.print(message, soft_wrap=self.is_plain)  # whoever reads a pipe wants whole lines

    def warn(self, message: str) -> None:
        """Something that works less well than it could; always shown, beside the output."""
        if message:
            self.errors.print(f"[yellow]note:[/] {escape(printable(message))}")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """A table on a terminal, lines with tabs in a pipe. Cells are text, not markup."""
        if self.is_plain:
            for row in rows:
                print("\t".join(one_line(cell) for cell in row), file=sys.stdout)
            return
        table = Table(header_style="bold")
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*(escape(printable(cell)) for cell in row))
        self.console.print(table)

    @contextmanager
    def progress(self, title: str) -> Iterator[Callable[[int, int], None]]:
        """A bar on standard error while long work goes on; nothing when nobody watches."""
        if not self.errors.is_terminal:
            yield _ignore
            return
        columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=self.errors, transient=True) as bar:
            task = bar.add_task(title, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total or None)


def _ignore(done: int, total: int) -> None:
    """Nobody is watching."""


def printable(text: str) -> str:
    """Text that cannot steer a terminal: control characters are shown, not sent."""
    return text.translate(_CONTROL)


def one_line(text: str) -> str:
    """A cell of a plain table: no tab, no line break, nothing that steers a terminal."""
    return printable(text.replace("\t", " ").replace("\r\n", " ").replace("\n", " "))


def shorten(text: str, width: int) -> str:
    """The beginning of a long text, on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def local_time(at: int) -> str:
    """A moment as people write it, in the machine's time zone."""
    try:
        return datetime.fromtimestamp(at / 1000, tz=UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return f"{at} ms"


def size(count: float) -> str:
    """Bytes in a unit that fits."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def _jsonable(value: object) -> Any:  # noqa: ANN401 - JSON is anything
    if is_dataclass(value) and not isinstance(value, type):
        return _jsonable(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
