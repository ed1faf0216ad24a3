"""Measure authored documents: a megabyte of Markdown into tiered nodes, and the list of many documents.

    python bench/authored.py

CPU seconds of this process, the best of three. No model is loaded: embedding is measured in bench/foundation.py.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from libravdb.app import open_engine
from libravdb.config import Config, EmbeddingSettings, StoreSettings
from libravdb.core.authored.tiers import tier
from libravdb.engine.engine import no_rules

ROOT = Path(__file__).resolve().parent.parent
MEGABYTE = 1_000_000
DOCUMENTS = 10_000


def pages() -> str:
    """Our own pages, over and over."""
    return "\n\n".join(page.read_text(encoding="utf-8") for page in sorted(ROOT.glob("docs/**/*.md")))


def note(number: int) -> str:
    """A short note."""
    return f"# Note {number}\n\nIts text.\n\n- item {number}\n"


KINDS = {
    "our own pages": pages(),
    "paragraphs of two lines": "They are wrapped by an editor at about eighty columns, as people\ndo, and end.\n\n",
    "list items of 64 bytes": "- Each item of this list says in some words what is to be done.\n",
    "nested items of 28 bytes": "- an item that has a child\n  - its child is as short\n\n",
}


def best(work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of three runs."""

    def once() -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    return min(once() for _ in range(3))


def main() -> None:
    for name, unit in KINDS.items():
        text = (unit * (MEGABYTE // len(unit) + 1)).encode()[:MEGABYTE].decode(errors="ignore")
        made = tier("note.md", text, core=False, read_rules=no_rules, hard_budget=0)
        seconds = best(lambda text=text: tier("note.md", text, core=False, read_rules=no_rules, hard_budget=0))  # type: ignore[misc]
        print(f"{name:28} {len(made.nodes):7,} nodes {seconds:6.2f} s a megabyte")
    with tempfile.TemporaryDirectory() as folder:
        config = Config(
            store=StoreSettings(path=Path(folder) / "x.libravdb"), embedding=EmbeddingSettings(backend="none")
        )
        with open_engine(config) as engine:
            begin = time.process_time()
            for number in range(DOCUMENTS):
                engine.documents.author(f"notes/{number:05}.md", note(number))
            print(f"{'keeping a note':28} {1000 * (time.process_time() - begin) / DOCUMENTS:14.2f} ms")
            again = best(lambda: engine.documents.author("notes/00000.md", note(0)))
            print(f"{'the same note again':28} {1000 * again:14.2f} ms")
            print(f"{'documents()':28} {best(engine.documents.list):14.2f} s for {DOCUMENTS:,}")


if __name__ == "__main__":
    main()
