"""The same questions to a file and to a database: the figures beside each other, and every question that differs.

    python -m bench.recall.both_stores --data FOLDER [--only locomo] [--every 8] [--store postgresql]

Each conversation is a namespace; then all of them are one, with so few vectors compared one by one (`--exact-rows`)
that codes choose. `--every 8` takes the first of every eight conversations of a data set.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.recall.data import Conversation, load
from bench.recall.run import Result, is_scored, mean, opened, own, pooled
from bench.recall.stores import FILE, POSTGRESQL, STORES

from libravdb import __version__
from libravdb.core.recall.settings import RecallSettings

SHOWN = ("any@1", "any@5", "any@10", "in 512", "in 1024", "session any@1", "session any@5")
RESULTS = Path("bench/results/recall-stores.json")
PLACES = 10
"""Of a ranking, in which another order is told."""


def ask(chosen: Sequence[Conversation], cache: Path, store: str, exact_rows: int) -> dict[str, list[Result]]:
    """Every scored question, first to its own conversation and then to all of them in one namespace."""
    found: dict[str, list[Result]] = {}
    for title, namespace, rows in (
        ("each its own namespace", own, None),
        ("one namespace, by codes", pooled, exact_rows),
    ):
        with opened(chosen, cache, store=store, exact_rows=rows) as bench:
            bench.fill(namespace=namespace)
            found[title] = bench.ask(RecallSettings(), namespace=namespace, accept=is_scored)
    return found


def compared(in_file: Sequence[Result], in_database: Sequence[Result]) -> dict[str, object]:
    """The measures of both, and how many questions got the same ids, and the same scores too."""
    pairs = list(zip(in_file, in_database, strict=True))
    others = [(a, b) for a, b in pairs if _ids(a)[:PLACES] != _ids(b)[:PLACES]]
    for a, b in others:
        print(f"  other hits: {a.question.id} “{a.question.text}”\n    {a.scores[:PLACES]}\n    {b.scores[:PLACES]}")
    return {
        "questions": len(pairs),
        "file": {name: mean(in_file, name) for name in SHOWN},
        "database": {name: mean(in_database, name) for name in SHOWN},
        f"other ids among the first {PLACES}": len(others),
        "other ids at all": sum(_ids(a) != _ids(b) for a, b in pairs),
        "other scores at all": sum(a.scores != b.scores for a, b in pairs),
        "CPU ms per question, p50": [_median(in_file), _median(in_database)],
    }


def _ids(result: Result) -> list[str]:
    return [id for id, _ in result.scores]


def _median(results: Sequence[Result]) -> float:
    return round(sorted(one.milliseconds for one in results)[len(results) // 2], 1)


def main() -> None:
    """Measure both and keep the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with the conversations")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "libravdb-bench", help="embeddings")
    parser.add_argument("--only", default="", help="data sets whose name starts so")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="the first of every N conversations")
    parser.add_argument("--exact-rows", type=int, default=1_000, help="vectors compared one by one in one namespace")
    parser.add_argument("--store", default=POSTGRESQL, help=f"what is compared with a file: {STORES}")
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    conversations = [one for one in load(asked.data) if one.dataset.startswith(asked.only)]
    figures: dict[str, object] = json.loads(asked.results.read_text()) if asked.results.exists() else {}
    figures |= {"date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC", "version": __version__}
    for dataset in sorted({one.dataset for one in conversations}):
        chosen = [one for one in conversations if one.dataset == dataset][:: asked.every]
        in_file = ask(chosen, asked.cache, FILE, asked.exact_rows)
        in_database = ask(chosen, asked.cache, asked.store, asked.exact_rows)
        for title, results in in_file.items():
            print(f"\n{dataset}, {len(chosen)} conversations, {title}", flush=True)
            found = compared(results, in_database[title])
            figures[f"{dataset}: {title}"] = {"conversations": len(chosen), **found}
            print(json.dumps(found, indent=1), flush=True)
    asked.results.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
