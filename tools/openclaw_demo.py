"""The demo of the OpenClaw plugin: the real host, three sessions, and a model that only knows what it is shown.

The model is a stand-in on loopback: it answers out of the memories in its prompt, or says that it knows nothing. So
whatever it knows in the third session was put there by the plugin. Nothing leaves the machine; only the host itself is
fetched from npm, once.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from tools.openclaw_host import (
    HOST_VERSION,
    Host,
    Json,
    installation_folder,
    missing_packages,
    open_host,
    system_of,
    talk_of,
)

RULES = "- Always answer in one sentence.\n- Never mention prices.\n"
SESSIONS = (
    (
        "agent:main:monday",
        (
            "I'm Mara. I run a small bakery in Graz together with my brother Jonas.",
            "Jonas is allergic to hazelnuts, so nothing with nuts goes into the small oven.",
        ),
    ),
    (
        "agent:main:tuesday",
        ("What is the weather like?", "From December we open on Sundays too, from seven to eleven."),
    ),
    ("agent:main:friday", ("What must I keep away from Jonas?", "When do we open on Sundays?")),
)


def answer(request: Json) -> str:
    """The remembered sentence that has most words of the question; nothing to a statement, or when nothing fits."""
    told = [text for role, text in talk_of(request) if role == "user" and not text.startswith("<")]
    known = [
        text
        for _, shown in talk_of(request)
        if shown.startswith("<recalled_memories")
        for text in re.findall(r"^user: (.*)$", shown, re.MULTILINE)
    ]
    asked = words_of(told[-1])
    best = max(known, key=lambda text: len(asked & words_of(text)), default="")
    is_known = told[-1].strip().endswith("?") and asked & words_of(best)
    return f"You told me: “{best}”" if is_known else "Noted."


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text))


def announcement(missing: Sequence[str], folder: Path) -> list[str]:
    """What the demo fetches, where it goes, and how long all of it takes."""
    fetching = [
        f"First it fetches {' and '.join(missing)} from npm into {folder}:",
        "about 800 MB on disk, one to three minutes, once. Delete the folder to be rid of it.",
    ]
    return [
        *(fetching if missing else [f"The host is there already, in {folder}: nothing is downloaded."]),
        "Then the gateway starts (15 to 60 seconds), and six turns take a second each.",
    ]


def main() -> None:
    console = Console(highlight=False)
    console.print(f"[bold]OpenClaw {HOST_VERSION}[/] with LibraVDB Memory, a daemon and a model on this machine.")
    for line in announcement(missing_packages(), installation_folder()):
        console.print(escape(line), soft_wrap=True)
    with tempfile.TemporaryDirectory(prefix="lv-demo-") as folder, open_host(Path(folder)) as host:
        host.model.answer = answer
        host.start_daemon()
        host.memory("author", sourceDoc="AGENTS.md", text=RULES)
        host.start_gateway()
        for key, texts in SESSIONS:
            console.rule(f"[bold]session {key}", align="left")
            for text in texts:
                _turn(console, host, key, text)
        _receipt(console, host)


def _turn(console: Console, host: Host, key: str, text: str) -> None:
    request = host.say(text, key=key)[-1]
    console.print(f"[cyan]you:[/] {escape(text)}")
    for _, shown in talk_of(request):
        if shown.startswith("<recalled_memories"):
            console.print(
                Panel(
                    escape(shown.split("\n\nRuntime: ")[0].strip()),
                    title="what the plugin put before it",
                    title_align="left",
                )
            )
    rules = "both rules stand in the system prompt" if _has_rules(request) else "[red]the rules are missing[/]"
    console.print(f"[green]agent:[/] {escape(answer(request))}  [dim]({rules})[/]\n")


def _has_rules(request: Json) -> bool:
    return all(rule[2:] in system_of(request) for rule in RULES.splitlines())


def _receipt(console: Console, host: Host) -> None:
    console.rule("[bold]the receipt of the last prompt, as 'openclaw libravdb explain' tells it", align="left")
    told = host.memory("explain", namespace="agent-id:main")
    for line in (*told["words"], "", *told["bar"]):
        console.print(escape(re.sub(r"(score [\d.]+) \([^)]*\)", r"\1", line)))


if __name__ == "__main__":
    main()
