"""What taking in a turn costs beside the bare embedding of its text, at several lengths of history.

python bench/ingest.py [--quick]      measure, print, and keep in bench/results/ingest.json
python bench/ingest.py --docs         put the kept tables into docs/internals/benchmarks.md
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.figures import Figure, Row, Spans, Table, save, summary, timed
from bench.table import put_into_page, show

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.app import open_engine, open_store
from libravdb.config import Config, StoreSettings
from libravdb.engine.indexing import IndexingStore
from libravdb.model import Change, Embedding, Put

RESULTS = Path(__file__).parent / "results" / "ingest.json"

_SUBJECTS = "the billing service|our greenhouse|the night train|my sister Clara|the old laptop|team Falcon".split("|")
_VERBS = "was moved to|now depends on|will replace|no longer needs|was measured against|shares a budget with".split("|")
_OBJECTS = "the cluster in Lyon|a second pump|the morning shift|release 4.2|Postgres 16|the harbour office".split("|")
_TAILS = (
    "since last March|because of the audit|for about 40 euros a week|until the contract ends|after the review".split(
        "|"
    )
)


def turn(rng: random.Random, sentences: int) -> str:
    """A made-up turn; twelve to sixteen tokens a sentence."""
    parts = (_SUBJECTS, _VERBS, _OBJECTS, _TAILS)
    return " ".join(
        " ".join(rng.choice(part) for part in parts).capitalize() + f" (note {rng.randrange(10**6)})."
        for _ in range(sentences)
    )


def costs(turns: int, histories: list[int]) -> Table:
    """Ingest beside the bare embedding, alternating, so that both see the same machine."""
    rows = []
    embedder = open_minilm()
    for history in histories:
        with tempfile.TemporaryDirectory(prefix="libravdb-bench-") as folder:
            config = Config(store=StoreSettings(path=Path(folder) / "m.libravdb"))
            _fill(config, history)
            with open_engine(config) as engine:
                rng = random.Random(history)
                for sentences, tokens in ((1, 14), (4, 60)):
                    texts = [turn(rng, sentences) for _ in range(2 * turns + 10)]
                    for text in texts[:10]:
                        engine.conversations.ingest(text, session="warm", namespace="u")
                    bare, taken = Spans(wall=[], cpu=[]), Spans(wall=[], cpu=[])
                    for one, other in zip(texts[10 : 10 + turns], texts[10 + turns :], strict=True):
                        _add(bare, lambda one=one: embedder.embed_texts([one]))  # type: ignore[misc]
                        _add(taken, lambda other=other: engine.conversations.ingest(other, session="s", namespace="u"))  # type: ignore[misc]
                    rows.append(
                        Row(label=f"{history:,} earlier turns, ~{tokens} tokens", cells=_cells(bare, taken, tokens))
                    )
    embedder.close()
    notes = ["Ingest reads, guards, masks, names, embeds, judges (two searches) and commits with a sync to disk."]
    return Table(name="ingest", title="One turn taken in", rows=rows, notes=notes)


def _add(spans: Spans, call: Callable[[], object]) -> None:
    one, _ = timed([call])
    spans.wall.extend(one.wall)
    spans.cpu.extend(one.cpu)


def _cells(bare: Spans, taken: Spans, tokens: int) -> dict[str, Figure | str]:
    target = 1.3 if tokens >= 60 else None
    return {
        "bare embedding CPU": summary(bare.cpu, "ms"),
        "ingest CPU": summary(taken.cpu, "ms"),
        "ratio CPU": summary(
            [mine / theirs for mine, theirs in zip(taken.cpu, bare.cpu, strict=True)], "×", target=target
        ),
        "ingest wall": summary(taken.wall, "ms"),
        "ratio wall": summary([mine / theirs for mine, theirs in zip(taken.wall, bare.wall, strict=True)], "×"),
    }


def _fill(config: Config, history: int) -> None:
    """Earlier turns and memories of the namespace, with the vectors of other texts: what matters is their number."""
    rng = random.Random(7)
    with open_engine(config) as engine:
        texts = [turn(rng, 1) for _ in range(min(history, 500))]
        for text in texts:
            engine.conversations.ingest(text, session="old", namespace="u")
    with open_store(config.store) as opened:
        store = IndexingStore(opened)
        known = store.vectors.sample(500)
        with store.read() as read:
            space = read.spaces()[0].fingerprint
            held = read.vectors(space, [one.digest for one in known])
        vectors = [held[one.digest] for one in known]  # each text has some

        for start in range(len(texts), history, 500):
            changes: list[Change] = []
            for n in range(start, min(start + 500, history)):
                embedding = Embedding(fingerprint=space, vectors=vectors[n % len(vectors)])
                for scope in ("turns", "history", *(("user",) if n % 3 == 0 else ())):
                    text = f"{known[n % len(known)].text} Number {n}."
                    changes.append(Put(collection=f"{scope}:u", id=f"old/{n}", text=text, at=n, embedding=embedding))
            store.commit(changes)


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer turns, small histories")
    parser.add_argument("--docs", action="store_true", help="put the kept tables into docs/internals/benchmarks.md")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    if options.docs:
        put_into_page("ingest", options.out)
        return
    tables = [costs(15 if options.quick else 60, [100, 1_000] if options.quick else [100, 10_000, 100_000])]
    for table in tables:
        show(table, Console())
    save(tables, options.out, is_quick=options.quick)


if __name__ == "__main__":
    main()
