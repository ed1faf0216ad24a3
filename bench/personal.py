"""A person's own history with an assistant: is the right, current thing found, and nothing else?

    python -m bench.personal [FOLDER]          every `*.chat` of a folder, bench/sets/choosing unless another is named
    python -m bench.personal --misses          with every miss by name

Turns go in as a host sends them, through ingest and gate, session by session; questions are asked a week after the last
one, in a new session. A hit is junk when its turn was marked as chit-chat or passing work by who wrote the history.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bench.recall.cache import CachedEmbedder

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.app import open_store, read_rules
from libravdb.config import StoreSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.model import Answer, Hit, Tranche
from libravdb.model.turn_metadata import turn_behind
from libravdb.text.sentences import sentences

SETS = Path(__file__).parent / "sets" / "choosing"
WEEK = 7 * 86_400_000
PERSON = "person"
TASK_BUDGET, PROMPT_BUDGET = 600, 4_000
ASKED = ("fact", "update", "list", "time")
"""Kinds of questions that want an answer from the past."""

_TURN = re.compile(r"(user|assistant)(?: \[([^\]]+)\])?: (.+)")
_QUESTION = re.compile(r"(\w+): ([^|]+)\|([^<]*)(?:<(.*))?")
_CHIT_CHAT = "-"
_LEAST_QUOTED = 12  # characters of a sentence that tell whose it is


@dataclass(slots=True)
class Told:
    """A turn; `tag` names it for questions, or says that it is chit-chat."""

    id: str
    role: str
    tag: str
    text: str
    at: int

    @property
    def is_chit_chat(self) -> bool:
        """Whether showing it as a memory is junk."""
        return self.tag == _CHIT_CHAT


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with the turns that answer it and those that did before."""

    kind: str
    text: str
    evidence: frozenset[str]
    outdated: frozenset[str]


@dataclass(slots=True)
class PersonalHistory:
    """Sessions in order, each a list of turns, and what is asked afterwards."""

    name: str
    sessions: list[list[Told]] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    @property
    def turns(self) -> dict[str, Told]:
        """Every turn by its id."""
        return {turn.id: turn for session in self.sessions for turn in session}


def read(path: Path) -> PersonalHistory:
    """A history as it is written."""
    history = PersonalHistory(path.stem)
    ids: dict[str, str] = {}
    at = 0
    has_turns = True
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() == "??":
            has_turns = False
        elif not has_turns and (asked := _QUESTION.fullmatch(line)):
            history.questions.append(
                Question(
                    kind=asked[1], text=asked[2].strip(), evidence=_ids(asked[3], ids), outdated=_ids(asked[4], ids)
                )
            )
        elif line.startswith("== "):
            at = int(datetime.fromisoformat(line[3:].strip()).replace(tzinfo=UTC).timestamp() * 1000)
            history.sessions.append([])
        elif line.startswith("  ") and history.sessions and history.sessions[-1]:
            history.sessions[-1][-1].text += "\n" + line[2:]
        elif said := _TURN.match(line):
            session = history.sessions[-1]
            turn = Told(f"s{len(history.sessions)}t{len(session)}", said[1], said[2] or "", said[3], at)
            at += 20_000
            session.append(turn)
            ids[turn.tag] = turn.id
    return history


def _ids(tags: str | None, ids: dict[str, str]) -> frozenset[str]:
    return frozenset(ids[tag.strip()] for tag in (tags or "").split(",") if tag.strip())


@contextmanager
def remembered(history: PersonalHistory, cache: Path) -> Iterator[Engine]:
    """An engine that took the history in, its clock a week later."""
    embedder = CachedEmbedder(open_minilm(), cache)
    now = [0]
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(
            store=open_store(StoreSettings(path=Path(folder) / "personal.libravdb")),
            load_embedder=lambda _: embedder,
            clock=lambda: now[0],
            settings=EngineSettings(),
            read_rules=read_rules,
        )
        try:
            for number, session in enumerate(history.sessions):
                for turn in session:
                    now[0] = turn.at
                    message = {"role": turn.role, "content": turn.text, "id": turn.id, "timestamp": turn.at}
                    engine.conversations.ingest(message, session=f"s{number}", namespace=PERSON)
            now[0] += WEEK
            yield engine
        finally:
            engine.close()  # and the embedder with it


# ── measuring ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Tally:
    """Shares by measure, and every miss by name."""

    counts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    misses: list[str] = field(default_factory=list)

    def add(self, measure: str, value: float, miss: str = "") -> None:
        """Count one; what is below 1 is a miss worth telling."""
        self.counts[measure].append(value)
        if miss and value < 1:
            self.misses.append(f"{measure}: {miss}")

    def show(self, title: str) -> None:
        """Print the shares."""
        print(f"\n{title}")
        for measure, values in self.counts.items():
            print(f"  {measure:44} {100 * sum(values) / len(values):6.1f} %   of {len(values)}")


def measure(history: PersonalHistory, engine: Engine, tally: Tally) -> None:
    """Ask everything."""
    for question in history.questions:
        if question.kind in ASKED:
            _ask(history, engine, question, tally)
        elif question.kind == "task":
            _task(history, engine, question, tally)
        elif question.kind == "empty":
            shown = _recalled(engine, question.text)
            tally.add("contentless prompts that recall nothing", not shown, f"{question.text!r} → {shown[:1]}")
        else:
            found = engine.search(question.text, namespace=PERSON, is_quiet=True)
            tally.add("unanswerable: best strength (mean)", max((_strength(hit) for hit in found.hits), default=0.0))


def _ask(history: PersonalHistory, engine: Engine, question: Question, tally: Tally) -> None:
    found = engine.search(question.text, namespace=PERSON, is_quiet=True)
    ids = _turns(found)
    first = f"{question.text!r} → {[history.turns[id].text[:60] if id in history.turns else id for id in ids[:3]]}"
    tally.add("answerable: best strength (mean)", max((_strength(hit) for hit in found.hits), default=0.0))
    tally.add("answerable: shown something", bool(ids), first)
    tally.add("top-1", bool(question.evidence & set(ids[:1])), first)
    tally.add("top-3", bool(question.evidence & set(ids[:3])), first)
    for id in ids:
        is_junk = id in history.turns and history.turns[id].is_chit_chat
        tally.add("shown hits that are junk", is_junk)
    if question.outdated:
        new = min((ids.index(id) for id in question.evidence if id in ids), default=len(ids))
        old = min((ids.index(id) for id in question.outdated if id in ids), default=len(ids))
        tally.add("updates: new before old", new < old, first)


def _task(history: PersonalHistory, engine: Engine, question: Question, tally: Tally) -> None:
    prompt = engine.prompts.assemble(question.text, session="new", namespace=PERSON, budget=TASK_BUDGET)
    stand = [_stands(history.turns[id].text, prompt.text) for id in question.evidence]
    label = f"{question.text!r} lacks {[history.turns[id].text[:60] for id in question.evidence]}"
    tally.add(f"open tasks with a relevant memory in {TASK_BUDGET}", any(stand), label)
    tally.add("open tasks: share of the memories wanted", sum(stand) / len(stand))


def _stands(text: str, prompt: str) -> bool:
    """Whether a turn stands in a prompt: whole, or one of its sentences word for word."""
    parts = (text, *(text[begin:end] for begin, end in sentences(text)))
    return any(one in prompt for one in parts if len(one) >= _LEAST_QUOTED)


def _recalled(engine: Engine, prompt: str) -> list[str]:
    """What a prompt recalls, as the receipt tells it."""
    made = engine.prompts.assemble(prompt, session="new", namespace=PERSON, budget=PROMPT_BUDGET)
    told = engine.prompts.explain(made.receipt, namespace=PERSON)
    return [item.id for item in told.receipt.items if item.tranche is Tranche.RECALL]


def _turns(found: Answer) -> list[str]:
    """The turns behind the hits, in order."""
    return [turn.id if (turn := turn_behind(hit.record)) else hit.record.id for hit in found.hits]


def _strength(hit: Hit) -> float:
    return hit.breakdown.get("strength", hit.score)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every history of a folder, each and together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=SETS, help="folder with *.chat files")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "libravdb-bench", help="embeddings")
    parser.add_argument("--misses", action="store_true", help="print every miss")
    asked = parser.parse_args(arguments)
    whole = Tally()
    for path in sorted(asked.folder.glob("*.chat")):
        history = read(path)
        tally = Tally()
        with remembered(history, asked.cache) as engine:
            measure(history, engine, tally)
        tally.show(f"{history.name}: {len(history.turns)} turns, {len(history.questions)} questions")
        for name, values in tally.counts.items():
            whole.counts[name].extend(values)
        whole.misses.extend(f"{history.name}: {one}" for one in tally.misses)
    whole.show("together")
    if asked.misses:
        print("\n" + "\n".join(whole.misses))


if __name__ == "__main__":
    main()
