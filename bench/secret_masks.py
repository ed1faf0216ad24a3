"""How many secrets are caught, and how often talk without one is masked.

    python bench/secret_masks.py [--data FOLDER] [--show]

The forms of secrets and the talk without any live with the tests. `--data` names a folder of chats (`*.jsonl`,
`*.jsonl.gz`, `*.txt`); every different text in it counts as one turn, and `--show` prints the kinds that were masked,
with the words before them and never with what was masked.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # forms and talk live with the tests

from tests.core.ingest.secret_forms import forms
from tests.core.ingest.secret_talk import talk

from libravdb.core.ingest.secrets import mask_secrets

TURNS = 20_000
"""Turns of talk that are made."""


def caught() -> dict[str, tuple[int, int]]:
    """Of the forms of each group and half, how many are caught, and how many there are."""
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for form in forms():
        for name in (form.group, "held out" if form.is_held_out else "developed on", "all"):
            total[name] += 1
            found[name] += not form.remains(mask_secrets(form.text).text)
    return {name: (found[name], count) for name, count in total.items()}


def masked_turns(turns: Iterable[str], *, is_shown: bool = False) -> tuple[int, int, int]:
    """How many of these turns lose words, how many there are, and their letters."""
    masked, total, letters = 0, 0, 0
    for text in turns:
        done = mask_secrets(text)
        masked, total, letters = masked + bool(done.counts), total + 1, letters + len(text)
        if done.counts and is_shown:
            place = done.text.find("[secret: ")
            print("  ", dict(done.counts), repr(done.text[max(0, place - 60) : place]))
    return masked, total, letters


def read_turns(folder: Path) -> Iterator[str]:
    """Every different text of the chats in a folder."""
    seen: set[int] = set()
    for path in sorted(folder.rglob("*")):
        for text in _texts_of(path):
            if len(text) >= 15 and hash(text) not in seen:
                seen.add(hash(text))
                yield text


def _texts_of(path: Path) -> Iterator[str]:
    if path.suffix == ".txt":
        yield from path.read_text(encoding="utf-8").splitlines()
    elif path.name.endswith((".jsonl", ".jsonl.gz")):
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for line in data.splitlines():
            yield from _strings(json.loads(line))


def _strings(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder of chats")
    parser.add_argument("--show", action="store_true", help="print what was masked in them, by kind")
    given = parser.parse_args()
    for name, (found, total) in caught().items():
        print(f"caught, {name:14}{found:5} of {total:4}  {100 * found / total:6.1f} %")
    for name, turns in (("made talk", talk(TURNS)), *((("chats", read_turns(given.data)),) if given.data else ())):
        began = time.process_time()
        masked, total, letters = masked_turns(turns, is_shown=given.show)
        pace = (time.process_time() - began) * 1e3 / max(letters, 1) * 100_000
        print(f"false masks, {name:10}{masked:5} of {total:,} turns; {pace:.0f} ms of CPU for 100,000 letters")


if __name__ == "__main__":
    main()
