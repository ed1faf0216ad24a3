"""How long it takes to delete one user's five records among hundreds of others: `python bench/deletion.py`.

The cost is that of what the user holds; the table shows whether it grows with strangers. On a SQLite before 3.42 the
words of what was deleted are wiped from the index right after the reply, which takes a look at the whole index.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.engine.engine import Engine
from libravdb.testing import FrozenClock, WordsEmbedder

TURNS = 5
DELETED = 15


def measured(users: int) -> float:
    """Milliseconds until the deletion of one user is durable, the median of several."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "m.libravdb")
        embedder = WordsEmbedder()
        with Engine(store=store, load_embedder=lambda _: embedder, clock=FrozenClock()) as engine:
            for number in range(users):
                said = [f"I am user {number}, and this is turn {turn}." for turn in range(TURNS)]
                engine.conversations.commit_turn(said, session=f"s{number}", namespace=f"user{number}", key="k")
            costs = []
            for number in range(DELETED):
                time.sleep(0.05)  # let what the last one left be wiped
                began = time.perf_counter()
                engine.deletions.flush_namespace(f"user{number * users // DELETED}")
                costs.append(1_000 * (time.perf_counter() - began))
            return median(costs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, nargs="+", default=[100, 400, 1_600])
    asked = parser.parse_args()
    print("users   ms to delete one")
    for users in asked.users:
        print(f"{users:5,}   {measured(users):6.1f}")


if __name__ == "__main__":
    main()
