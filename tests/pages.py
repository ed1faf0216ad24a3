"""The pages that people read, and what stands in them: fenced blocks, inline code, links, headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")),
        ROOT / ".github" / "pull_request_template.md",
        ROOT / "plugins" / "openclaw" / "README.md",
        ROOT / "deploy" / "README.md",
        *ROOT.glob("docs/**/*.md"),
    ]
)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MADE = re.compile(r"<!-- [^>]*: begin[^>]*-->\n.*?<!-- [^>]*: end -->", re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, its text, and where it stands."""

    language: str
    text: str
    place: str


def named(page: Path) -> str:
    """A page as people call it."""
    return str(page.relative_to(ROOT))


def blocks(page: Path, *languages: str) -> list[Block]:
    """The fenced blocks of a page in these languages."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[1], found[2], f"{named(page)}:{text[: found.start()].count(chr(10)) + 1}")
        for found in FENCE.finditer(text)
        if found[1] in languages
    ]


def written(page: Path) -> str:
    """A page without the parts that a command made: what a person wrote and has to keep true."""
    return MADE.sub("", page.read_text(encoding="utf-8"))


def inline_code(page: Path) -> set[str]:
    """What stands between single backticks in the written part of a page, fences left out."""
    prose = FENCE.sub("", written(page))
    return {" ".join(code.split()) for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", prose)}


def shell_lines(page: Path) -> Iterator[str]:
    """Every line that a reader may type: those of shell blocks, with or without a prompt, and inline commands."""
    for block in blocks(page, "sh", "console"):
        for line in block.text.splitlines():
            if block.language == "sh" or line.startswith("$ "):
                yield line.removeprefix("$ ")
    yield from inline_code(page)


def links(page: Path) -> list[tuple[str, str]]:
    """The relative links of a page, each as a path and the heading behind it; either may be empty."""
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    found = re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)", prose)
    return [(path, anchor) for path, anchor in found if "://" not in path]


def anchors(page: Path) -> set[str]:
    """The names by which headings can be linked to, as the hosting platforms make them."""
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
