"""Hits of a search as a terminal shows them: each in a frame of its own, the words of the question set off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.panel import Panel
from rich.text import Text

from libravdb.cli.output import Output, local_time, one_line, printable, shorten
from libravdb.text.analysis import shared_words

if TYPE_CHECKING:
    from libravdb.model import Answer, Hit


def draw_hits(output: Output, answer: Answer, *, question: str = "", is_explained: bool = False) -> None:
    """Each hit in a frame, best first."""
    for rank, hit in enumerate(answer.hits, start=1):
        output.draw(_panel(rank, hit, question=question, is_explained=is_explained))


def _panel(rank: int, hit: Hit, *, question: str, is_explained: bool) -> Panel:
    body = Text(printable(shorten(hit.record.text, 600)))
    body.highlight_words(shared_words(question, hit.record.text), style="bold yellow", case_sensitive=False)
    for reason in hit.reasons:
        body.append(f"\n· {printable(reason)}", style="dim")
    for name, value in hit.breakdown.items() if is_explained else ():
        body.append(f"\n  {name:<14}{value:+7.3f}", style="cyan")
    strength = hit.breakdown.get("strength", hit.score)
    filled = round(strength * 10)
    bar = "█" * filled + "░" * (10 - filled)
    title = Text.assemble(
        (str(rank), "bold"), "  ", (bar, "cyan"), f" {strength:.2f}  ", (local_time(hit.record.at), "dim")
    )
    foot = Text(f"{one_line(hit.record.collection)} · {one_line(hit.record.id)}", style="dim")
    return Panel(
        body,
        title=title,
        title_align="left",
        subtitle=foot,
        subtitle_align="right",
        border_style="dim",
        style="dim" if "outdated" in hit.breakdown else "",
    )
