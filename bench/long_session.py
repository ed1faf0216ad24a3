"""What a prompt and a turn cost in a real long session, in embeddings of CPU: 700 turns, folded as it grew, in a memory
that is filled.

    python -m bench.long_session --records 100000

The chats of `bench/sets` become one session; around it stand invented turns of other sessions, of which every tenth is
a memory too, wishes, a profile and rules. Then the talk goes on: each step assembles the prompt with the last messages
in view, and takes in what was asked, the answer and a long turn of the user. Beside each step its words are embedded,
so that both see the same machine. The digest names the bytes of all prompts: equal digests are equal prompts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the daemon and the command do: more threads only spin
import numpy as np
from bench.data import Corpus, Rows, Writer, embedded_base, questions
from bench.personal import read

from libravdb import __version__
from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.sqlite import connection
from libravdb.app import open_store, read_rules
from libravdb.config import StoreSettings
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.indexing import IndexingStore
from libravdb.engine.settings import EngineSettings
from libravdb.model import Embedding, Json, Prompt, Put
from libravdb.ports.embedder import Embedder

NAMESPACE, SESSION = "large", "long"
OTHERS = 20
"""Turns of each of the other sessions."""
TURNS = 700
SHOWN = 20
"""Messages that the host shows by itself."""
MINUTE = 60_000
START = 1_790_000_000_000
SETS = Path(__file__).parent / "sets"
RESULTS = Path(__file__).parent / "results" / "long-session.json"
SETTINGS = CompactionSettings()
WISHES = (
    "From now on always answer questions about {hobby} in {town} briefly.",
    "Please never mention {food} to {first} {last}.",
    "Always call me when {first} {last} writes about the {kind} {tool}.",
    "In the future never book a {place} in {town} for me.",
)
RULES = """# Rules
- Never reveal the address of a customer.
- Always answer in the language of the question.
- Prefer short answers.
- You should cite the page that an answer comes from.
"""
SIXTY = 3
"""Invented sentences of about twenty tokens each."""


class Talk:
    """A store in which somebody has talked for long, and what is said next."""

    def __init__(self, folder: Path, *, records: int, wishes: int, embedder: Embedder) -> None:
        self.path = folder / f"long-session-{records}-{wishes}.libravdb"
        self._embedder = embedder
        self.now = START
        histories = [read(path) for path in sorted(SETS.glob("*/*.chat"))]
        said = [turn for history in histories for session in history.sessions for turn in session]
        self.said = [{"role": turn.role, "content": turn.text} for turn in said]
        self.asked = [question.text for history in histories for question in history.questions]
        self._wished = Writer(WISHES, seed=5).write(wishes)
        if not self.path.exists():
            self._fill(records)
            self._talk()
        self.now = START + 10 * TURNS * MINUTE

    def _fill(self, records: int) -> None:
        """The turns of other sessions, without the price of embedding them."""
        with open_store(StoreSettings(path=self.path)) as opened:
            filled = IndexingStore(opened)
            name = self._embedder.fingerprint
            filled.vectors.open(
                fingerprint=name, dimensions=self._embedder.dimensions, description=self._embedder.description
            )
            for rows in Corpus(embedded_base(self._embedder)).rows(records):
                filled.commit([put for place in range(len(rows.texts)) for put in _puts(rows, place, name)])

    def _talk(self) -> None:
        """Seven hundred turns, folded whenever the default would."""
        with self.engine() as engine:
            engine.documents.author("AGENTS.md", RULES)
            for wish in self._wished:
                self.say(engine, {"role": "user", "content": wish}, session="wishes")
            grown = 0
            for message in self.said[:TURNS]:
                self.say(engine, message)
                grown += len(message["content"]) // 4
                if grown > SETTINGS.auto_tokens:
                    engine.compaction.compact(SESSION)
                    grown = 0

    def say(self, engine: Engine, message: dict[str, str], *, session: str = SESSION) -> None:
        """One more turn, a minute later."""
        self.now += MINUTE
        told = {**message, "timestamp": self.now}
        engine.conversations.ingest(told, session=session, namespace=NAMESPACE)

    @contextmanager
    def engine(self, path: Path | None = None) -> Iterator[Engine]:
        """The engine over the store, or a copy of it. Nothing is folded by itself: the steps are measured alone."""
        settings = EngineSettings(compaction=CompactionSettings(auto_tokens=0))
        with Engine(
            store=open_store(StoreSettings(path=path or self.path)),
            load_embedder=lambda _: open_minilm(),
            clock=lambda: self.now,
            settings=settings,
            read_rules=read_rules,
        ) as opened:
            yield opened


def _puts(rows: Rows, place: int, fingerprint: str) -> Iterator[Put]:
    number = rows.start + place
    session, turn = f"s{number // OTHERS}", f"t{number % OTHERS}"
    at = START - (10**6 - number) * MINUTE
    metadata: dict[str, Json] = {
        "role": "user" if number % 2 == 0 else "assistant",
        "ts": at,
        "userId": NAMESPACE,
        "sessionId": session,
        "source_turn_id": turn,
        "type": "turn",
        "provenance_class": "session_turn",
        "stability_weight": 1.0,
    }
    names = [f"history:{NAMESPACE}", *([f"user:{NAMESPACE}"] if number % 10 == 0 else [])]
    for name in names:
        yield Put(
            collection=name,
            id=f"{session}/{turn}",
            text=rows.texts[place],
            at=at,
            metadata=metadata,
            embedding=Embedding(fingerprint=fingerprint, vectors=rows.vectors[place : place + 1]),
        )


# ── measuring ─────────────────────────────────────────────────────────────────────────────────────────────


class Statements:
    """Counts the statements that reach the file while it is `on`; to be counted at all costs time."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.what = ""

    @contextmanager
    def on(self) -> Iterator[None]:
        """Every connection that is made meanwhile tells of its statements."""
        plain = connection.connect

        def traced(*given: object, **named: object) -> sqlite3.Connection:
            db: sqlite3.Connection = plain(*given, **named)  # type: ignore[arg-type]
            db.set_trace_callback(self._note)
            return db

        connection.connect = traced
        try:
            yield
        finally:
            connection.connect = plain

    def _note(self, _: str) -> None:
        self.counts[self.what] += 1


def steps(talk: Talk, path: Path, *, count: int, budget: int, statements: Statements | None = None) -> Steps:
    """The talk goes on."""
    done = Steps()
    model = open_minilm()
    asked = [*talk.asked, *questions(count)]
    prompts = [asked[place * 7 % len(asked)] for place in range(count)]
    texts = Writer(_ANSWERS, seed=9).write(2 * count * SIXTY)
    sixty = [" ".join(texts[place : place + SIXTY]) for place in range(0, len(texts), SIXTY)]
    with talk.engine(path) as engine:
        shown = list(talk.said[TURNS - SHOWN : TURNS])
        for prompt, answer, told in zip(prompts, sixty[:count], sixty[count:], strict=True):
            user, assistant, more = (
                {"role": role, "content": text}
                for role, text in (("user", prompt), ("assistant", answer), ("user", told))
            )
            shown = [*shown[-SHOWN:], user]
            if statements is None:
                done.take("embedding of the prompt", partial(model.embed_query, prompt))
                done.take("embedding of a turn of 60 tokens", partial(model.embed_texts, [answer + " "]))
            for name, work in (
                ("assemble", partial(_assembled, engine, prompt, shown, budget, done)),
                ("receipt, written behind", engine._receipts.settle),  # noqa: SLF001 - else it falls on what is next
                ("ingest of the prompt", partial(talk.say, engine, user)),
                ("ingest of 60 tokens by the assistant", partial(talk.say, engine, assistant)),
                ("ingest of 60 tokens by the user", partial(talk.say, engine, more)),
            ):
                if statements is not None:
                    statements.what = name
                done.take(name, work)
            shown += (assistant, more)
    model.close()
    return done


def _assembled(engine: Engine, prompt: str, shown: list[dict[str, str]], budget: int, done: Steps) -> None:
    made = engine.prompts.assemble(prompt, session=SESSION, namespace=NAMESPACE, budget=budget, messages=shown)
    done.note(made)


class Steps:
    """Milliseconds of CPU by what was done, and what came out."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = {}
        self._digest = hashlib.sha256()

    def take(self, name: str, work: Callable[[], object]) -> None:
        """Do it and count what it took, in all threads."""
        begin = time.process_time()
        work()
        self.spent.setdefault(name, []).append((time.process_time() - begin) * 1000)

    def note(self, made: Prompt) -> None:
        """Another prompt."""
        told = (made.rules, made.opening, made.closing, made.kept, made.closing_at, made.tokens, made.outcome)
        self._digest.update(repr(told).encode(errors="replace"))

    @property
    def digest(self) -> str:
        """What names the bytes of all prompts so far."""
        return self._digest.hexdigest()[:16]


_ANSWERS = (
    "I {bought} the {kind} {tool} in {town} for {count} euros, and {first} {last} likes it.",
    "{first} {last} {began} {hobby} near {town} and {said} that the {kind} {place} is {feeling}.",
)
WARM = 20


def figures(done: Steps) -> dict[str, dict[str, float]]:
    """Of each kind of work the middle and the 95th of a hundred, in milliseconds and in embeddings of the same run."""
    spent = {name: np.array(each[WARM:]) for name, each in done.spent.items()}
    units = {
        "assemble": "embedding of the prompt",
        "receipt, written behind": "embedding of the prompt",
        "ingest of the prompt": "embedding of the prompt",
        "ingest of 60 tokens by the assistant": "embedding of a turn of 60 tokens",
        "ingest of 60 tokens by the user": "embedding of a turn of 60 tokens",
    }
    told: dict[str, dict[str, float]] = {}
    for name, each in spent.items():
        told[name] = {"p50": round(float(np.median(each)), 2), "p95": round(float(np.quantile(each, 0.95)), 2)}
        if name in units:
            unit = float(np.median(spent[units[name]]))
            told[name] |= {f"{key} in embeddings": round(told[name][key] / unit, 2) for key in ("p50", "p95")}
    return told


def main() -> None:
    """Fill, talk, go on, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--wishes", type=int, default=60)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--budget", type=int, default=2_000)
    parser.add_argument("--folder", type=Path, help="keep the store here for the next run")
    parser.add_argument("--label", default="", help="keep the figures under this name")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        model = open_minilm()
        talk = Talk(given.folder or Path(scratch), records=given.records, wishes=given.wishes, embedder=model)
        model.close()
        begun = talk.now
        statements = Statements()
        with statements.on():
            talk.now, few = begun, 10
            steps(talk, _copy(talk.path, scratch, "counted"), count=few, budget=given.budget, statements=statements)
        talk.now = begun
        done = steps(talk, _copy(talk.path, scratch, "measured"), count=given.steps, budget=given.budget)
    told = figures(done)
    for name, each in told.items():
        in_all = f", {statements.counts[name] / few:.0f} statements" if name in statements.counts else ""
        print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in each.items()) + in_all)
    print(f"digest of {given.steps} prompts: {done.digest}")
    if given.label:
        known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        when = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "version": __version__}
        known[given.label] = {**when, "records": given.records, "wishes": given.wishes, **told}
        RESULTS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def _copy(path: Path, folder: str, name: str) -> Path:
    """The store as it was: each run begins with the same."""
    target = Path(folder) / f"{name}.libravdb"
    for end in ("", "-wal"):
        source = path.with_name(path.name + end)
        if source.exists():
            shutil.copy(source, target.with_name(target.name + end))
    return target


if __name__ == "__main__":
    main()
