"""What of the evidence stands in an assembled prompt, and what an assembly costs.

    python -m bench.assembly --data FOLDER      evidence turns in prompts of 1,024 tokens, beside bare packing

The data folder is that of `bench/recall`; prompts are those of `Engine.assemble`, and what stands in them is read from
their receipts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.recall.data import Asked, Conversation, load
from bench.recall.run import Bench, half, is_scored, opened, own

from libravdb import __version__
from libravdb.core.assembly.receipt import PASSAGE
from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.engine import Engine
from libravdb.model import Why

BUDGET = 1_024
RESULTS = Path("bench/results/assembly.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """How much of a question's evidence stood in its prompt, in any form and whole, how many memories did, and what it
    took."""

    share: float
    whole: float
    memories: int
    tokens: int
    is_silent: bool


def stand(engine: Engine, question: Asked, *, namespace: str) -> Stood:
    """Assemble for a question, in a session of its own, and look at the receipt."""
    prompt = engine.prompts.assemble(
        question.text, session=f"{namespace} {question.id}", namespace=namespace, budget=BUDGET
    )
    receipt = engine.prompts.explain(prompt.receipt, namespace=namespace).receipt
    items = receipt.items
    visible = {one.id.rpartition("/")[2] for one in receipt.left_out if one.why is Why.VISIBLE}  # in the profile
    shown = {item.id.rpartition("/")[2] for item in items} | visible
    cut = {item.id.rpartition("/")[2] for item in items if item.reasons and item.reasons[-1].startswith(PASSAGE)}
    evidence = question.evidence
    return Stood(
        share=len(evidence & shown) / len(evidence) if evidence else 0.0,
        whole=len(evidence & (shown - cut)) / len(evidence) if evidence else 0.0,
        memories=len(items),
        tokens=prompt.tokens,
        is_silent=not prompt.closing,
    )


def evidence(bench: Bench, conversations: Sequence[Conversation]) -> dict[str, float]:
    """The share of evidence in prompts beside that of bare packing, and how often nothing was injected.

    Unanswerable are the questions that the data calls so; foreign ones belong to another conversation.
    """
    engine = bench.engine(RecallSettings())
    packed, quiet = (
        bench.ask(RecallSettings(), namespace=own, accept=is_scored, is_quiet=is_quiet) for is_quiet in (False, True)
    )
    stood, unanswerable, foreign = [], [], []
    for place, conversation in enumerate(conversations):
        for question in conversation.questions:
            bench.turn_to(conversation, question)
            if not question.is_answerable:
                unanswerable.append(stand(engine, question, namespace=own(conversation)))
            if is_scored(conversation, question):
                stood.append(stand(engine, question, namespace=own(conversation)))
                if half(question) == 1:
                    foreign.append(stand(engine, question, namespace=own(conversations[place - 1])))
    return {
        "questions": len(stood),
        "evidence in 1,024 tokens, bare packing": _percent([one.measures["in 1024"] for one in packed]),
        "evidence in 1,024 tokens, bare packing with silence": _percent([one.measures["in 1024"] for one in quiet]),
        "evidence in prompts of 1,024 tokens": _percent([one.share for one in stood]),
        "the same, word for word and whole": _percent([one.whole for one in stood]),
        "memories in a prompt": round(sum(one.memories for one in stood) / max(len(stood), 1), 1),
        "largest prompt": max((one.tokens for one in stood), default=0),
        "answerable, nothing injected": _percent([float(one.is_silent) for one in stood]),
        "unanswerable questions": len(unanswerable),
        "unanswerable, nothing injected": _percent([float(one.is_silent) for one in unanswerable]),
        "foreign questions": len(foreign),
        "foreign, nothing injected": _percent([float(one.is_silent) for one in foreign]),
    }


def _percent(values: Sequence[float]) -> float:
    return round(100 * sum(values) / max(len(values), 1), 1)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with the conversations")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "libravdb-bench", help="embeddings")
    parser.add_argument("--only", default="", help="data sets whose name starts so")
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    conversations = [one for one in load(asked.data) if one.dataset.startswith(asked.only)]
    figures: dict[str, object] = {"date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC", "version": __version__}
    for dataset in sorted({one.dataset for one in conversations}):
        chosen = [one for one in conversations if one.dataset == dataset]
        with opened(chosen, asked.cache) as bench:
            bench.fill(namespace=own)
            found = evidence(bench, chosen)
        figures[dataset] = found
        print(dataset)
        for name, value in found.items():
            print(f"  {name:55} {value:8.1f}")
    asked.results.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
