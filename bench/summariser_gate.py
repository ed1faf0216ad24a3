"""From which mean gate score on a configured summariser should write: scores of clusters as compaction cuts them.

    python -m bench.summariser_gate [FOLDER …]     folders with *.chat and keeping.tsv; all of bench/sets unless named

Every history is played through ingest and gate, session by session, and folded by the real engine. *Talk*: the mean
score of every cluster, as its summary keeps it. *Passing*: runs of ten turns that their writer marked as chit-chat or
passing work, with the scores they got in the history; *small talk*: those of at most five words. *Fillers*: the turns
labelled `empty` in `keeping.tsv`, as a last session.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from bench.personal import PERSON, PersonalHistory, Told, read
from bench.recall.cache import CachedEmbedder

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.app import open_store, read_rules
from libravdb.config import StoreSettings
from libravdb.core.compaction.settings import DEFAULTS, CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.model.collections import session_summaries, session_view
from libravdb.model.turn_metadata import TurnMetadata
from libravdb.ports.embedder import Embedder

SETS = Path(__file__).parent / "sets"
THRESHOLDS = (0.30, 0.32, 0.33, 0.34, 0.35, 0.36, 0.38, 0.40, 0.60)
DAY = 86_400_000
FEW_WORDS = 5
RUN = 10
MANUAL = EngineSettings(compaction=CompactionSettings(auto_tokens=0))


def fillers(path: Path, *, since: int) -> list[Told]:
    """The turns of a set that are labelled as saying nothing worth keeping."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("empty\t"))
    return [Told(f"e{place}", "user", "-", row[2], since + 20_000 * place) for place, row in enumerate(rows)]


def scores(path: Path, embedder: Embedder) -> dict[str, list[float]]:
    """The mean gate scores of clusters by what they are made of."""
    history = read(path)
    last = fillers(path.parent / "keeping.tsv", since=DAY + max(turn.at for turn in history.turns.values()))
    now = [0]
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(
            store=open_store(StoreSettings(path=Path(folder) / "gate.libravdb")),
            load_embedder=lambda _: embedder,
            clock=lambda: now[0],
            settings=MANUAL,
            read_rules=read_rules,
        )
        try:
            for number, session in enumerate((*history.sessions, last)):
                for turn in session:
                    now[0] = turn.at
                    message = {"role": turn.role, "content": turn.text, "id": turn.id, "timestamp": turn.at}
                    engine.conversations.ingest(message, session=f"s{number}", namespace=PERSON)
            return _measured(engine, history)
        finally:
            engine.close()


def _measured(engine: Engine, history: PersonalHistory) -> dict[str, list[float]]:
    judged = {
        record.id: score
        for number in range(len(history.sessions))
        for record in engine.memories.latest(session_view(f"s{number}"), limit=1_000)
        if (score := TurnMetadata.of(record).gate_score) is not None
    }
    passing = [turn for turn in history.turns.values() if turn.is_chit_chat and turn.id in judged]
    small = [turn for turn in passing if len(turn.text.split()) <= FEW_WORDS]
    return {
        "talk": [score for number in range(len(history.sessions)) for score in _folded(engine, f"s{number}")],
        "passing": _runs([judged[turn.id] for turn in passing]),
        "small talk": _runs([judged[turn.id] for turn in small]),
        "fillers": _folded(engine, f"s{len(history.sessions)}"),
    }


def _folded(engine: Engine, session: str) -> list[float]:
    """Fold a session; what its summaries say of their turns."""
    engine.compaction.compact(session, minimum_turns=0)
    found = engine.memories.latest(session_summaries(session), limit=1_000)
    return [score for record in found if (score := TurnMetadata.of(record).gate_score) is not None]


def _runs(found: Sequence[float]) -> list[float]:
    """The means of ten after ten: a cluster of twenty turns has about so many that are judged."""
    return [float(np.mean(found[start : start + RUN])) for start in range(0, len(found) - RUN + 1, RUN)]


def show(title: str, found: Sequence[float]) -> None:
    """One line: how the scores lie, and which share of the clusters reaches each threshold."""
    low, middle, high = np.percentile(found, [5, 50, 95])
    reached = "".join(f"{100 * float(np.mean([one >= least for one in found])):6.0f}" for least in THRESHOLDS)
    print(f"{title:28} {len(found):4} {low:6.2f} {middle:6.2f} {high:6.2f} {max(found):6.2f}  {reached}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every set, each and together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*", help="folders with *.chat files and keeping.tsv")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "libravdb-bench", help="embeddings")
    asked = parser.parse_args(arguments)
    together: dict[str, list[float]] = {}
    marks = "".join(f"{least:6.2f}" for least in THRESHOLDS)
    print(f"{'% of clusters that reach':28} {'n':>4} {'p5':>6} {'p50':>6} {'p95':>6} {'max':>6}  {marks}")
    for folder in asked.folders or sorted(path for path in SETS.iterdir() if path.is_dir()):
        own: dict[str, list[float]] = {}
        for path in sorted(folder.glob("*.chat")):
            for kind, found in scores(path, CachedEmbedder(open_minilm(), asked.cache)).items():
                own.setdefault(kind, []).extend(found)
                together.setdefault(kind, []).extend(found)
        for kind, found in own.items():
            show(f"{folder.name}, {kind}", found)
    for kind, found in together.items():
        show(f"together, {kind}", found)
    print(f"compaction.model_gate is {DEFAULTS.model_gate:.2f}")


if __name__ == "__main__":
    main()
