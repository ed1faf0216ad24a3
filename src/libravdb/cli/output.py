"""What a person sees: tables and colours on a terminal, whole plain lines in a pipe, JSON on request.

In a pipe nothing is wrapped or shortened, whatever the width of a terminal may be. rich is loaded for terminals only.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_CONTROL = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), 127, *range(128, 160))}

Part = str | tuple[str, str]
"""A piece of a sentence, or a piece and its style on a terminal. It is text, never markup."""


class Output:
    """Where a command writes. `is_json` and `is_plain` say in which form."""

    def __init__(self, *, is_json: bool) -> None:
        self.is_json = is_json
        self.is_plain = not sys.stdout.isatty()

    @cached_property
    def _console(self) -> Console:
        return _console_of(is_error=False)

    def json(self, value: object) -> None:
        """One JSON document on a line of its own."""
        print(_document(_jsonable(value)), file=sys.stdout)

    def say(self, *parts: Part) -> None:
        """A sentence for people; nothing in JSON mode, where the document says it all."""
        if self.is_json:
            return
        if self.is_plain:
            print(_plain(parts), file=sys.stdout)
        else:
            self._console.print(_styled(parts))

    def warn(self, message: str) -> None:
        """Something that works less well than it could; always shown, beside the output."""
        if not message:
            return
        if self.is_json:
            print(_document({"note": message}), file=sys.stderr)
        else:
            _say_beside(("note:", "yellow"), f" {message}")

    def heading(self, *parts: Part) -> None:
        """What the next lines are about: a rule across a terminal, a line of its own in a pipe."""
        if self.is_plain:
            self.say(*parts)
        elif not self.is_json:
            from rich.rule import Rule  # noqa: PLC0415 - for terminals only

            self._console.print(Rule(_styled(parts), align="left"))

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """A table on a terminal, lines with tabs in a pipe. Cells are text, not markup."""
        if self.is_plain:
            for row in rows:
                print("\t".join(one_line(cell) for cell in row), file=sys.stdout)
            return
        from rich.table import Table  # noqa: PLC0415 - for terminals only

        table = Table(header_style="bold")
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*(_styled([cell]) for cell in row))
        self._console.print(table)

    def draw(self, *shapes: RenderableType) -> None:
        """What rich draws, on a terminal."""
        self._console.print(*shapes)

    def brief(self, text: str, width: int) -> str:
        """A text on one line: its beginning on a terminal, all of it in a pipe."""
        return one_line(text) if self.is_plain else shorten(text, width)

    @contextmanager
    def progress(self, title: str) -> Iterator[Callable[[int, int], None]]:
        """A bar on standard error while long work goes on; nothing when nobody watches."""
        if self.is_json or not sys.stderr.isatty():
            yield _ignore
            return
        from rich.progress import (  # noqa: PLC0415 - for terminals only
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=_console_of(is_error=True), transient=True) as bar:
            task = bar.add_task(title, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total or None)


def show_error(kind: str, message: str, *, remedy: str = "", is_json: bool = False) -> None:
    """An error on standard error: one JSON document, or red with its remedy on a line of its own."""
    if is_json:
        error = {"kind": kind, "message": message, "remedy": remedy}
        print(_document({"error": error}), file=sys.stderr)
        return
    _say_beside(("error:", "bold red"), f" {message}")
    if remedy:
        _say_beside(f"  {remedy}")


def _say_beside(*parts: Part) -> None:
    """A line on standard error, never wrapped: whoever looks for its words finds them."""
    if sys.stderr.isatty():
        _console_of(is_error=True).print(_styled(parts), soft_wrap=True)
    else:
        print(_plain(parts), file=sys.stderr)


def _console_of(*, is_error: bool) -> Console:
    from rich.console import Console  # noqa: PLC0415 - for terminals only

    return Console(stderr=is_error, highlight=False)


def _plain(parts: Iterable[Part]) -> str:
    return printable("".join(part if isinstance(part, str) else part[0] for part in parts))


def _styled(parts: Iterable[Part]) -> Text:
    from rich.text import Text  # noqa: PLC0415 - for terminals only

    pieces = [(part, "") if isinstance(part, str) else part for part in parts]
    return Text.assemble(*((printable(text), style) for text, style in pieces))


def _ignore(done: int, total: int) -> None:
    """Nobody is watching."""


def printable(text: str) -> str:
    """Text that cannot steer a terminal: control characters are shown, not sent, and so are bytes that are no text."""
    return _encodable(text.translate(_CONTROL))


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


def _document(value: object) -> str:
    """JSON on one line; half a character is written as JSON writes it."""
    return _encodable(json.dumps(value, ensure_ascii=False))


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _jsonable(value: object) -> Any:  # noqa: ANN401 - JSON is anything
    if is_dataclass(value) and not isinstance(value, type):
        return _jsonable(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
