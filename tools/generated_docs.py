"""Makes the generated parts of the docs anew: `python tools/generated_docs.py`, or `make docs`.

A part stands between `<!-- made by COMMAND: begin -->` and `<!-- made by COMMAND: end -->`, and is what COMMAND prints.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PART = re.compile(
    r"(?P<begin><!-- made by `?(?P<command>python [^:`]+)`?: begin -->\n)(?P<text>.*?)(?P<end><!-- made by)", re.DOTALL
)


def pages() -> Iterator[Path]:
    """Every page that holds a generated part."""
    for page in sorted(ROOT.glob("docs/**/*.md")):
        if PART.search(page.read_text(encoding="utf-8")):
            yield page


def printed(command: str) -> str:
    """What a command prints, in a process of its own: click remembers how its help was shown before."""
    _, *arguments = shlex.split(command)
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    return done.stdout


def renewed(text: str) -> str:
    """A page with every generated part made anew."""
    return PART.sub(lambda part: f"{part['begin']}{printed(part['command'])}{part['end']}", text)


def main() -> None:
    """Write every page whose generated parts have changed, and say which."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if (new := renewed(text)) != text:
            page.write_text(new, encoding="utf-8")
            print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
