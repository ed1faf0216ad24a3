"""The shipped model beside others in the same run: its own weights in float32, the model that it was tuned from.

    python bench/embedding_quality.py --data FOLDER --float FOLDER [--former FOLDER]

Recall of turns in `locomo.dev.jsonl.gz` by dense search alone: a question counts when some evidence turn is among
the first k of its conversation (kinds 1 to 4 that have evidence; whole vectors of "speaker: text"). Then the CPU
time of one text of 12 and of 60 tokens, and what loading the shipped model takes in a new process. The other folders
are made by `python -m tools.encoder.export` (`--tuned … --fp32 --target FOLDER`, `--original FOLDER`).

With `--passages 40` instead: how long a passage should be, on the user turns of as many questions of
`longmemeval-s.dev.jsonl.gz`; it prints a table and writes nothing.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import libravdb
from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.text import passages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from libravdb.model import Vector

ROOT = Path(__file__).parents[1]
RESULT = ROOT / "bench" / "results" / "embedding-quality.json"
RANKS = (1, 5, 10)
KINDS = {"1", "2", "3", "4"}
TEXTS = {tokens: "day " * (tokens - 2) for tokens in (12, 60)}  # one token a word, and two special ones
ALLOWED_LOSS = 0.5

COLD_START = """
import time
def resident():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS")) / 1000
begin = time.process_time()
from libravdb.adapters.embedders.bundled import open_minilm
imported = time.process_time()
embedder = open_minilm()
opened = time.process_time()
loaded = resident()
for count in range(1, 250, 5):
    embedder.embed_query("word " * count)
print(1000 * (imported - begin), 1000 * (opened - imported), loaded, resident())
"""


def read_conversations(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """One conversation a line."""
    with gzip.open(folder / f"{name}.dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def ranked(embedder: OnnxEmbedder, conversation: dict[str, Any]) -> list[tuple[set[str], list[str]]]:
    """For each scored question its evidence and the best turns."""
    turns = [turn for session in conversation["sessions"] for turn in session["turns"]]
    matrix: Vector = np.stack([embedder.embed_query(f"{turn['speaker']}: {turn['text']}") for turn in turns])
    found = []
    for question in conversation["questions"]:
        if str(question["kind"]) in KINDS and question["evidence"]:
            best = np.argsort(-(matrix @ embedder.embed_query(question["text"])), kind="stable")[: max(RANKS)]
            found.append((set(question["evidence"]), [turns[place]["id"] for place in best]))
    return found


def recall(embedder: OnnxEmbedder, conversations: list[dict[str, Any]]) -> dict[str, float]:
    """Percent of the questions with some evidence among the first k."""
    answers = [answer for conversation in conversations for answer in ranked(embedder, conversation)]
    scores = {
        f"recall@{k}": 100 * sum(bool(evidence & set(best[:k])) for evidence, best in answers) / len(answers)
        for k in RANKS
    }
    return {"questions": len(answers), **scores}


def cpu_times(embedders: dict[str, OnnxEmbedder]) -> dict[str, dict[str, float]]:
    """Least CPU milliseconds of many turns; the models take turns, so that a busy machine treats them alike."""
    least = {name: {f"ms_{tokens}_tokens": float("inf") for tokens in TEXTS} for name in embedders}
    for tokens, text in TEXTS.items():
        for _ in range(60):
            for name, embedder in embedders.items():
                begin = time.process_time()
                embedder.embed_query(text)
                spent = 1000 * (time.process_time() - begin)
                least[name][f"ms_{tokens}_tokens"] = min(least[name][f"ms_{tokens}_tokens"], spent)
    return least


def cold_start() -> dict[str, float]:
    """Median of five new processes: import and load in CPU milliseconds, resident memory in MB (Linux)."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    runs = []
    for _ in range(5):
        shown = subprocess.run(
            [sys.executable, "-c", COLD_START], capture_output=True, text=True, check=True, env=environment
        )
        runs.append([float(number) for number in shown.stdout.split()])
    names = ("import_cpu_ms", "load_cpu_ms", "resident_mb_loaded", "resident_mb_used")
    return dict(zip(names, np.median(runs, axis=0).round(1).tolist(), strict=True))


def user_turns(conversation: dict[str, Any]) -> list[dict[str, Any]]:
    """What the user said, without empty turns."""
    turns = [turn for session in conversation["sessions"] for turn in session["turns"]]
    return [turn for turn in turns if turn["role"] == "user" and turn["text"].strip()]


def measure_passages(folder: Path, count: int) -> None:
    """any@k of dense search by a turn's best vector, for several least lengths of a passage."""
    embedder = open_minilm()
    vector = functools.cache(embedder.embed_query)
    asked_of_users = (
        (conversation["questions"][0], user_turns(conversation))
        for conversation in read_conversations(folder, "longmemeval-s")
    )
    chosen = [
        (question, turns)
        for question, turns in asked_of_users
        if not set(question["evidence"]).isdisjoint(turn["id"] for turn in turns)
    ][:count]
    print(f"{len(chosen)} questions; least bytes of a passage, any@{'/'.join(map(str, RANKS))}, vectors a turn")
    for least in (None, 1, 30, 60, 100, 150, 250):
        passages.SHORT = least or 0
        hits, rows, texts = dict.fromkeys(RANKS, 0), 0, 0
        for question, turns in chosen:
            asked, scores = vector(question["text"]), []
            for turn in turns:
                pieces = [turn["text"], *(passages.split(turn["text"]) if least else [])]
                pieces = pieces if len(pieces) != 2 else pieces[:1]
                scores.append(max(float(vector(piece) @ asked) for piece in pieces))
                rows, texts = rows + len(pieces), texts + 1
            best = [turns[place]["id"] for place in np.argsort(-np.array(scores), kind="stable")]
            for k in RANKS:
                hits[k] += bool(set(best[:k]) & set(question["evidence"]))
        shares = "".join(f"{100 * hit / len(chosen):8.1f}" for hit in hits.values())
        print(f"{least or 'whole'!s:>6}{shares}{rows / texts:8.2f}")


def show(figures: dict[str, dict[str, float]]) -> None:
    """The table."""
    columns = list(next(iter(figures.values())))
    print(f"{'':6}" + "".join(f"{column:>15}" for column in columns))
    for name, row in figures.items():
        print(f"{name:6}" + "".join(f"{row[column]:15.2f}" for column in columns))


def main() -> None:
    """Measure, print, write; exit 1 when int8 loses more than half a point."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("LIBRAVDB_RECALL_DATA"))
    parser.add_argument("--float", type=Path, help="folder with the shipped weights in float32")
    parser.add_argument("--former", type=Path, help="folder with the model that it was tuned from")
    parser.add_argument("--passages", type=int, default=0, metavar="QUESTIONS")
    arguments = parser.parse_args()
    if arguments.data is None or (arguments.float is None and not arguments.passages):
        parser.error("--data and --float are needed")
    if arguments.passages:
        measure_passages(Path(arguments.data), arguments.passages)
        return
    conversations = list(read_conversations(Path(arguments.data), "locomo"))
    embedders = {"int8": open_minilm(), "fp32": OnnxEmbedder.open(arguments.float)}
    if arguments.former is not None:
        embedders["former"] = OnnxEmbedder.open(arguments.former)
    times = cpu_times(embedders)
    figures = {name: recall(embedder, conversations) | times[name] for name, embedder in embedders.items()}
    started = cold_start()
    show(figures)
    print("cold start:", ", ".join(f"{name} {value:g}" for name, value in started.items()))
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "version": libravdb.__version__,
        "data": "LoCoMo development half, questions of kinds 1-4 with evidence",
        "models": {name: {key: round(value, 2) for key, value in row.items()} for name, row in figures.items()},
        "cold_start": started,
    }
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    for k in (5, 10):
        loss = figures["fp32"][f"recall@{k}"] - figures["int8"][f"recall@{k}"]
        if loss > ALLOWED_LOSS:
            sys.exit(f"int8 loses {loss:.2f} points of recall@{k}, more than {ALLOWED_LOSS}.")


if __name__ == "__main__":
    main()
