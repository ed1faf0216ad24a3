"""Recall through the engine: every question of a data folder, asked to a store that holds the conversations.

    python -m bench.recall.run --data FOLDER                     every measure, per kind, with the misses in a file
    python -m bench.recall.run --data FOLDER --ablate            each cue switched off in turn
    python -m bench.recall.run --data FOLDER --set speaker=.3    other weights
    python -m bench.recall.run --data FOLDER --compacted         before and after every session was compacted
    python -m bench.recall.run --data FOLDER --later 400         every question, and the same so many days later
    python -m bench.recall.run --data FOLDER --store postgresql  kept in a database instead of a file

Nothing is scored here: rankings are those of `Engine.search`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from bench.recall.cache import CachedEmbedder
from bench.recall.compacted import compare
from bench.recall.data import Asked, Conversation, load
from bench.recall.measures import Ranked, measure
from bench.recall.stores import FILE, STORES, fresh_store

from libravdb import __version__
from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.app import open_store
from libravdb.config import StoreSettings
from libravdb.core.gate.substance import is_passing
from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.engine import Engine
from libravdb.engine.indexing import IndexingStore
from libravdb.engine.settings import EngineSettings
from libravdb.model import Embedding, Hit, Json, Put, Scope
from libravdb.model.turn_metadata import PASSING
from libravdb.ports.store import Snapshot
from libravdb.text.dates import DAY_MS, read_dates

POOL = "pool"
TWO_YEARS = 730 * 86_400_000
COLUMNS = (
    "any@1", "any@5", "any@10", "frac@5", "frac@10", "ndcg@10", "in 512", "in 1024", "in 2048",
    "session any@1", "session any@5", "session any@50", "session frac@5", "session all@5",
)  # fmt: skip
DEEP = 64
"""Hits asked for: as many as a search looks at in any case, so that asking for them changes nothing."""

SWITCHES: dict[str, dict[str, Any]] = {
    "words alone": {"dense_weight": 0.0},
    "vectors alone": {"dense_weight": 1.0},
    "whole texts only": {"passage_share_short": 0.0, "passage_share_long": 0.0},
    "best passage only": {"passage_share_short": 1.0},
    "one length for all": {"length_norm_short": 0.75},
    "no words of neighbours": {"context_before": 0.0, "context_after": 0.0},
    "no speaker": {"speaker": 0.0},
    "no question penalty": {"question_short": 0.0, "question_long": 0.0},
    "no date": {"date": 0.0},
    "no event date": {"event_date": 0.0},
    "no role": {"role": 0.0},
    "no kind of answer": {"time_answer": 0.0, "number_answer": 0.0},
    "no length": {"length_short": 0.0, "length_long": 0.0},
    "no reply": {"reply": 0.0},
    "no neighbours": {"next_turn": 0.0, "previous_turn": 0.0},
    "no session": {"session_short": 0.0, "session_long": 0.0},
    "no session depth": {"session_depth_short": 0.0, "session_depth_long": 0.0},
    "no keyword coverage": {"keyword_coverage": 0.0},
    "no temporal selection": {"temporal": 0.0},
}
PLAIN: dict[str, Any] = {
    "dense_weight": 0.5, "passage_share_short": 0.0, "passage_share_long": 0.0, "k1": 1.2,
    "length_norm_short": 0.75, "context_before": 0.0,
    "context_after": 0.0, "speaker": 0.0, "question_short": 0.0, "question_long": 0.0, "date": 0.0,
    "event_date": 0.0, "role": 0.0,
    "time_answer": 0.0, "number_answer": 0.0, "length_short": 0.0, "length_long": 0.0, "reply": 0.0, "next_turn": 0.0,
    "previous_turn": 0.0, "session_short": 0.0, "session_long": 0.0, "session_depth_short": 0.0,
    "session_depth_long": 0.0, "keyword_coverage": 0.0, "temporal": 0.0, "recency": 0.0,
}  # fmt: skip
"""The plain weighted hybrid that everything is compared with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One question's measures; `first` are the texts of its first hits, `scores` all of them by id, best first."""

    question: Asked
    dataset: str
    namespace: str
    measures: dict[str, float]
    milliseconds: float
    is_silent: bool
    first: tuple[str, ...]
    scores: tuple[tuple[str, float], ...]


class Bench:
    """A store filled with conversations, asked through engines of different settings."""

    def __init__(self, conversations: Sequence[Conversation], embedder: CachedEmbedder, store: StoreSettings) -> None:
        self.conversations = conversations
        self._embedder = embedder
        self._store = IndexingStore(open_store(store))
        self._now = 0
        self.later = 0
        self._store.vectors.open(
            fingerprint=embedder.fingerprint, dimensions=embedder.dimensions, description=embedder.description
        )

    @property
    def now(self) -> int:
        """The moment of the question that was asked last."""
        return self._now

    def reading(self) -> AbstractContextManager[Snapshot]:
        """The store as it is at one moment."""
        return self._store.read()

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    def fill(self, *, namespace: Callable[[Conversation], str], shift: int = 0) -> None:
        """Write every turn under its namespace, as ingest does."""
        self._embedder.embed_texts([t.text for one in self.conversations for s in one.sessions for t in s.turns])
        with self._store.read() as read:
            known = {info.name for info in read.collections().items}
        for conversation in self.conversations:
            name = f"history:{namespace(conversation)}"
            if name in known and namespace(conversation) != POOL:
                continue
            self._store.commit(list(self._puts(conversation, name, shift)))

    def _puts(self, conversation: Conversation, collection: str, shift: int) -> Iterator[Put]:
        for session in conversation.sessions:
            for turn in session.turns:
                metadata: dict[str, Json] = {
                    "role": turn.role,
                    "ts": turn.at - shift,
                    "userId": collection.removeprefix("history:"),
                    "sessionId": session.id,
                    "source_turn_id": turn.id,
                    "type": "turn",
                    "speaker": turn.speaker,
                    **({PASSING: True} if is_passing(turn.text) else {}),
                }
                yield Put(
                    collection=collection,
                    id=f"{quote(session.id, safe='')}/{turn.id}",
                    text=turn.text,
                    at=turn.at - shift,
                    metadata=metadata,
                    embedding=Embedding(
                        fingerprint=self._embedder.fingerprint, vectors=_unit(self._embedder.embed_text(turn.text))
                    ),
                )

    def engine(self, settings: RecallSettings) -> Engine:
        """An engine over the store; its clock shows the moment of the question that is asked.

        Some sessions of the data are a few hours later than the question they answer, so nothing is hidden by time.
        """
        return Engine(
            store=self._store,
            load_embedder=lambda _: self._embedder,
            clock=lambda: self._now,
            settings=EngineSettings(search=settings),
        )

    def turn_to(self, conversation: Conversation, question: Asked) -> None:
        """Set the clock to the moment of a question, or `later` milliseconds after it."""
        self._now = (question.at or conversation.end) + self.later

    def ask(
        self,
        settings: RecallSettings,
        *,
        namespace: Callable[[Conversation], str],
        accept: Callable[[Conversation, Asked], bool],
        is_quiet: bool = False,
    ) -> list[Result]:
        """Every accepted question in its namespace; time is CPU time without the embedding of the question."""
        engine = self.engine(settings)
        return [
            self._result(engine, conversation, question, namespace(conversation), is_quiet=is_quiet)
            for conversation in self.conversations
            for question in conversation.questions
            if accept(conversation, question)
        ]

    def _result(
        self, engine: Engine, conversation: Conversation, question: Asked, namespace: str, *, is_quiet: bool
    ) -> Result:
        self.turn_to(conversation, question)
        engine.embeddings.of_question(question.text)
        begin = time.process_time()
        answer = engine.search(question.text, namespace=namespace, scopes=(Scope.HISTORY,), k=DEEP, is_quiet=is_quiet)
        spent = time.process_time() - begin
        return Result(
            question=question,
            dataset=conversation.dataset,
            namespace=namespace,
            measures=measure([_ranked(hit) for hit in answer.hits], question.evidence, question.sessions),
            milliseconds=spent * 1000,
            is_silent=not answer.hits,
            first=tuple(hit.record.text[:160] for hit in answer.hits[:3]),
            scores=tuple((hit.record.id, hit.score) for hit in answer.hits),
        )


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Rounding to float16 changes a length a little; the store wants length one."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def _ranked(hit: Hit) -> Ranked:
    metadata = hit.record.metadata
    return Ranked(
        turn=str(metadata["source_turn_id"]), session=str(metadata["sessionId"]), tokens=-(-len(hit.record.text) // 4)
    )


def own(conversation: Conversation) -> str:
    """Each conversation is a namespace."""
    return conversation.id


def pooled(_: Conversation) -> str:
    """All conversations share one namespace."""
    return POOL


def is_scored(conversation: Conversation, question: Asked) -> bool:
    """The questions that published figures count: LoCoMo's kinds 1–4 with evidence, what LongMemEval can answer."""
    if conversation.dataset.startswith("locomo"):
        return question.kind in "1234" and bool(question.evidence)
    return question.is_answerable


def half(question: Asked) -> int:
    """Which half a question belongs to: weights are chosen on half 0, half 1 only looks on."""
    return sha256(question.id.encode()).digest()[-1] % 2


# ── telling ───────────────────────────────────────────────────────────────────────────────────────────────


def mean(results: Iterable[Result], name: str) -> float | None:
    """In percent, over the questions that have the measure."""
    values = [result.measures[name] for result in results if name in result.measures]
    return round(100 * sum(values) / len(values), 1) if values else None


def table(title: str, results: Sequence[Result]) -> dict[str, dict[str, float | int | None]]:
    """Print all, both halves and every kind; return the figures."""
    groups: dict[str, list[Result]] = {"all": list(results)}
    groups |= {f"half {n}": [result for result in results if half(result.question) == n] for n in (0, 1)}
    for kind in sorted({result.question.kind for result in results}):
        groups[f"kind {kind}"] = [result for result in results if result.question.kind == kind]
    print(f"\n{title}")
    print(" " * 32 + "".join(f"{name.replace('session ', 's.'):>9}" for name in COLUMNS))
    figures: dict[str, dict[str, float | int | None]] = {}
    for name, group in groups.items():
        row = {column: mean(group, column) for column in COLUMNS}
        figures[name] = {"questions": len(group), **row}
        shown = "".join(f"{'–' if value is None else value:>9}" for value in row.values())
        print(f"{name[:25]:25} {len(group):5} {shown}", flush=True)
    times = sorted(result.milliseconds for result in results)
    if times:
        p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
        figures["milliseconds"] = {"p50": round(p50, 2), "p95": round(p95, 2)}
        print(f"CPU per question without its embedding: p50 {p50:.1f} ms, p95 {p95:.1f} ms")
    return figures


def settings_from(pairs: Sequence[str]) -> RecallSettings:
    """`name=value` pairs over the shipped defaults."""
    known = {each.name for each in fields(RecallSettings)}
    changes: dict[str, Any] = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        if name not in known:
            raise SystemExit(f"No such weight: {name}")
        changes[name] = type(getattr(RecallSettings(), name))(float(value))
    return replace(RecallSettings(), **changes)


@contextmanager
def opened(
    conversations: Sequence[Conversation],
    cache: Path,
    model: Path | None = None,
    *,
    store: str = FILE,
    exact_rows: int | None = None,
) -> Iterator[Bench]:
    """A bench over a store of its own that goes away with it; `model` is another folder than the shipped one, `store`
    another place than a file, `exact_rows` another `store.exact_search_rows`."""
    embedder = CachedEmbedder(open_minilm() if model is None else OnnxEmbedder.open(model), cache)
    with fresh_store(store) as settings:
        bench = Bench(
            conversations, embedder, replace(settings, exact_search_rows=exact_rows or settings.exact_search_rows)
        )
        try:
            yield bench
        finally:
            bench.close()
            embedder.close()


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True, help="folder with the conversations")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "libravdb-bench", help="embeddings")
    parser.add_argument("--only", default="", help="data sets whose name starts so")
    parser.add_argument("--set", nargs="*", default=[], dest="pairs", metavar="NAME=VALUE", help="other weights")
    parser.add_argument("--ablate", action="store_true", help="switch off each cue in turn")
    parser.add_argument("--later", type=int, default=0, metavar="DAYS", help="ask everything so many days later too")
    parser.add_argument("--compacted", action="store_true", help="before and after every session was compacted")
    parser.add_argument("--conversations", type=int, default=None, help="with --compacted: the first so many of each")
    parser.add_argument("--no-pool", action="store_true", help="leave out the flat pool")
    parser.add_argument("--store", default=FILE, help=f"where the conversations are kept: {STORES}")
    parser.add_argument("--results", type=Path, help="bench/results/recall.json, or recall-postgresql.json beside it")
    parser.add_argument("--misses", type=Path, default=Path("recall-misses.jsonl"))
    asked = parser.parse_args()
    name = "recall" if asked.store == FILE else "recall-postgresql"
    asked.results = asked.results or Path(f"bench/results/{name}.json")
    return asked


def main() -> None:
    """Measure what was asked for."""
    asked = arguments()
    conversations = [one for one in load(asked.data) if one.dataset.startswith(asked.only)]
    if asked.compacted:
        compacted(conversations, asked.cache, asked.results, asked.conversations, asked.store)
        return
    settings = settings_from(asked.pairs)
    figures: dict[str, object] = {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "version": __version__,
        "settings": asdict(settings),
    }
    misses: list[Result] = []
    shipped: list[Result] = []
    for dataset in sorted({one.dataset for one in conversations}):
        chosen = [one for one in conversations if one.dataset == dataset]
        with opened(chosen, asked.cache, store=asked.store) as bench:
            bench.fill(namespace=own)
            if asked.later:
                figures |= later(bench, dataset, settings, asked.later)
                continue
            if asked.ablate:
                figures[f"{dataset}: ablation"] = ablation(bench, settings)
                continue
            figures[f"{dataset}: plain hybrid"] = table(
                f"{dataset}: plain hybrid", bench.ask(replace(settings, **PLAIN), namespace=own, accept=is_scored)
            )
            shipped = bench.ask(settings, namespace=own, accept=is_scored)
            figures[f"{dataset}: shipped"] = table(f"{dataset}: shipped", shipped)
            misses += [one for one in shipped if one.measures.get("in 1024", 1) < 1]
            figures[f"{dataset}: silence"] = silence(bench, settings, shipped)
            if dataset.startswith("longmemeval") and not asked.no_pool:
                bench.fill(namespace=pooled)
                for name, weights in (("plain hybrid", replace(settings, **PLAIN)), ("shipped", settings)):
                    title = f"{dataset}: flat pool, {name}"
                    figures[title] = table(title, bench.ask(weights, namespace=pooled, accept=is_scored))
        if not asked.ablate and not asked.later:
            with opened(chosen, asked.cache, store=asked.store) as bench:
                bench.fill(namespace=own, shift=TWO_YEARS)
                title = f"{dataset}: shipped, memories two years older"
                older = bench.ask(settings, namespace=own, accept=is_scored)
                figures[title] = table(title, older)
                # "Last Saturday" can no longer point at what was said last Saturday: those questions are told apart.
                for name, results in (("as they are", shipped), ("two years older", older)):
                    title = f"{dataset}: questions that name no date, memories {name}"
                    undated = [one for one in results if not read_dates(one.question.text, now=bench.now)]
                    figures[title] = table(title, undated)
    write(asked.results, figures, asked.misses, misses, is_ablation=asked.ablate)


def later(bench: Bench, dataset: str, settings: RecallSettings, days: int) -> dict[str, object]:
    """Every question at its own moment and days later, those apart whose dates mean another time by then."""
    shift = days * DAY_MS
    figures: dict[str, object] = {}
    ends = {(one.id, question.id): question.at or one.end for one in bench.conversations for question in one.questions}

    def is_steady(result: Result) -> bool:
        at = ends[result.namespace, result.question.id]
        return read_dates(result.question.text, now=at) == read_dates(result.question.text, now=at + shift)

    def is_dated(result: Result) -> bool:
        return bool(read_dates(result.question.text, now=ends[result.namespace, result.question.id]))

    groups: dict[str, Callable[[Result], bool]] = {
        "all": lambda _: True,
        "no relative date": is_steady,
        "a whole date": lambda one: is_dated(one) and is_steady(one),
        "a relative date": lambda one: not is_steady(one),
    }
    for name, moment in (("at once", 0), (f"{days} days later", shift)):
        bench.later = moment
        results = bench.ask(settings, namespace=own, accept=is_scored)
        for group, accept in groups.items():
            title = f"{dataset}: {group}, asked {name}"
            figures[title] = table(title, [one for one in results if accept(one)])
    bench.later = 0
    return figures


def compacted(conversations: Sequence[Conversation], cache: Path, results: Path, most: int | None, store: str) -> None:
    """Every data set with its sessions compacted, beside the same store before."""
    figures: dict[str, object] = {"date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC", "version": __version__}
    for dataset in sorted({one.dataset for one in conversations}):
        chosen = [one for one in conversations if one.dataset == dataset][:most]
        embedder = CachedEmbedder(open_minilm(), cache)
        with fresh_store(store) as settings:
            figures[dataset] = compare(chosen, embedder, settings, is_scored)
        embedder.close()
        print(json.dumps({dataset: figures[dataset]}, indent=1), flush=True)
    target = results.with_name(f"{results.stem}-compacted.json")
    known = json.loads(target.read_text()) if target.exists() else {}
    target.write_text(json.dumps({**known, **figures}, indent=1) + "\n", encoding="utf-8")


def silence(bench: Bench, settings: RecallSettings, shipped: Sequence[Result]) -> dict[str, float | int | None]:
    """How often a question that the namespace cannot answer shows nothing, and what silence costs the others.

    Unanswerable are those that the data calls so, and questions that belong to another conversation.
    """
    quiet = bench.ask(settings, namespace=own, accept=is_scored, is_quiet=True)
    named = bench.ask(settings, namespace=own, accept=lambda _, q: not q.is_answerable, is_quiet=True)
    others = {one.id: bench.conversations[i - 1].id for i, one in enumerate(bench.conversations)}
    foreign = bench.ask(
        settings,
        namespace=lambda one: others[one.id],
        accept=lambda c, q: is_scored(c, q) and half(q) == 1,
        is_quiet=True,
    )
    found: dict[str, float | int | None] = {
        "foreign questions": len(foreign),
        "foreign silent": _silent(foreign),
        "unanswerable questions": len(named),
        "unanswerable silent": _silent(named),
        "answerable silent": _silent(quiet),
        "in 1024": mean(shipped, "in 1024"),
        "in 1024 with silence": mean(quiet, "in 1024"),
    }
    print("\nsilence: " + ", ".join(f"{name} {value}" for name, value in found.items()))
    return found


def _silent(results: Sequence[Result]) -> float | None:
    return round(100 * sum(one.is_silent for one in results) / len(results), 1) if results else None


def ablation(bench: Bench, settings: RecallSettings) -> dict[str, dict[str, float | None]]:
    """Every cue switched off in turn."""
    shown = ("any@1", "any@5", "any@10", "frac@10", "in 1024", "session any@1", "session any@5", "session all@5")
    print(" " * 28 + "".join(f"{name.replace('session ', 's.'):>9}" for name in shown))
    found: dict[str, dict[str, float | None]] = {}
    for name, changes in {"shipped": {}, **SWITCHES}.items():
        results = bench.ask(replace(settings, **changes), namespace=own, accept=is_scored)
        found[name] = {column: mean(results, column) for column in shown}
        print(f"{name:28}" + "".join(f"{found[name][column]!s:>9}" for column in shown), flush=True)
    return found


def write(path: Path, figures: dict[str, object], beside: Path, misses: Sequence[Result], *, is_ablation: bool) -> None:
    """Keep the figures; what was missed goes to a file apart, which quotes the data."""
    target = path.with_name(f"{path.stem}-ablation.json") if is_ablation else path
    target.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(target.read_text()) if target.exists() else {}
    target.write_text(json.dumps({**known, **figures}, indent=1) + "\n", encoding="utf-8")
    if not is_ablation:
        lines = [
            {"dataset": one.dataset, "kind": one.question.kind, "question": one.question.text, "first": one.first}
            for one in misses
        ]
        beside.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
        print(f"\n{len(misses)} questions with evidence missing from 1,024 tokens: {beside}")


if __name__ == "__main__":
    main()
