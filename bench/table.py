"""Tables for people: in the terminal with rich, in the documentation as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.figures import Figure, Table, heading, load
from rich.console import Console
from rich.table import Table as RichTable

PAGE = Path(__file__).parents[1] / "docs" / "internals" / "benchmarks.md"


def show(table: Table, console: Console) -> None:
    """Print one table with its notes."""
    columns = _columns(table)
    grid = RichTable(title=f"{table.title}\n[dim]{table.date}[/dim]", title_justify="left", title_style="bold")
    grid.add_column("")
    for column in columns:
        grid.add_column(column, justify="right")
    for row in table.rows:
        cells = [row.cells.get(column, "") for column in columns]
        grid.add_row(row.label, *(_coloured(cell) for cell in cells))
    console.print(grid)
    for note in table.notes:
        console.print(f"[dim]· {note}[/dim]")
    console.print()


def markdown(tables: Sequence[Table]) -> str:
    """All tables for `docs/internals/benchmarks.md`."""
    return "\n".join(line for table in tables for line in _markdown(table))


def put_into_page(name: str, results: Path, *, file: str = "") -> None:
    """Put the kept tables of a benchmark between its marks in the page."""
    text = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: begin (python bench/{file or name}.py --docs) -->\n", f"<!-- {name}: end -->"
    head, _, rest = text.partition(begin)
    tail = rest.partition(end)[2]
    PAGE.write_text(f"{head}{begin}\n{heading(results)}\n\n{markdown(load(results))}\n{end}{tail}", encoding="utf-8")


def _markdown(table: Table) -> Iterator[str]:
    columns = _columns(table)
    yield f"### {table.title}\n"
    yield f"| {' | '.join(['', *columns])} |"
    yield f"|---|{'---:|' * len(columns)}"
    for row in table.rows:
        cells = [_plain(row.cells.get(column, "")) for column in columns]
        yield f"| {' | '.join([row.label, *cells])} |"
    yield ""
    yield from (f"- {note}" for note in table.notes)
    yield f"- Measured {table.date}.\n"


def _columns(table: Table) -> list[str]:
    return list(dict.fromkeys(column for row in table.rows for column in row.cells))


def _coloured(cell: Figure | str) -> str:
    if isinstance(cell, str) or cell.is_met is None:
        return _plain(cell)
    return f"[{'green' if cell.is_met else 'red'}]{_plain(cell)}[/]"


def _plain(cell: Figure | str) -> str:
    """`p50 / p95 unit`, one number when there is one, and the target with whether it is met."""
    if isinstance(cell, str):
        return cell
    numbers = _number(cell.p50) if cell.p50 == cell.p95 else f"{_number(cell.p50)} / {_number(cell.p95)}"
    said = f"{numbers} {cell.unit}".rstrip()
    if cell.target is None:
        return said
    bound = f"{'≥' if cell.at_least else '≤'} {_number(cell.target)}"
    return f"{said} ({bound} {'✓' if cell.is_met else '✗'})"


def _number(value: float) -> str:
    """Three digits that matter."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 1 else f"{value:.3f}".rstrip("0").rstrip(".")
