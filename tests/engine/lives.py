"""Whatever can happen to the memory of two people, step by step, and all that an engine tells of them afterwards."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.chats import ANNA, chat, say
from tests.support import read_cues

from libravdb.core.compaction.settings import CompactionSettings
from libravdb.core.retention.settings import RetentionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.errors import NotFound
from libravdb.model import Prompt, PromptPreview
from libravdb.model.collections import durable_memory, raw_turns
from libravdb.model.turn_metadata import SUPERSEDED_BY
from libravdb.ports.store import Store
from libravdb.testing import FrozenClock, WordsEmbedder

BEN = "ben"
SESSIONS = ("s", "together")
DAY = 86_400_000
SPANS = ("1d", "3d", "30d")
SETTINGS = EngineSettings(
    compaction=CompactionSettings(auto_tokens=0, tail_tokens=60),
    retention=RetentionSettings(rules=("anna turns 20d", "* memories 40d", "* receipts 10d")),
)
TALK = (
    "I live in Graz since May.",
    "From now on always answer in one sentence.",
    "My sister keeps bees in Linz.",
    "Never book a window seat for me, please.",
    "I moved to Vienna last week.",
    "The garden has a pond with two wooden bridges and an old stone bench under the walnut tree.",
    "We decided to use the blue adapter in src/door.py, because the old one failed with ERR_42.",
)
SAID = (
    *TALK,
    "You can forget what I said about one sentence, write as long as you like.",
    "My name is Anna and I'm allergic to walnuts.",
)
DOCUMENTS = ("AGENTS.md", "SOUL.md")
RULES = (
    "- Answer in English.\n\nYou should never shout.\n",
    "- You must always greet the gardener.\n\nThe office has plants.\n",
)
QUESTIONS = ("Where do I live?", "What is in the garden?", "Book me a seat to Linz.", "Which adapter did we choose?")


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """What happens, with a number that chooses of what and to whom."""

    verb: str
    number: int

    @property
    def whose(self) -> str:
        return (ANNA, ANNA, BEN)[self.number % 3]

    @property
    def other(self) -> str:
        return ANNA if self.whose == BEN else BEN

    @property
    def session(self) -> str:
        return SESSIONS[self.number % 2]

    @property
    def question(self) -> str:
        return QUESTIONS[self.number % len(QUESTIONS)]


def begin(store: Store, clock: FrozenClock, embedder: WordsEmbedder) -> Engine:
    """An engine that has just begun, and remembers nothing."""
    return Engine(store=store, load_embedder=lambda _: embedder, clock=clock, read_rules=read_cues, settings=SETTINGS)


# ── what happens ──────────────────────────────────────────────────────────────────────────────────────────

Happen = Callable[[Engine, Step], object]


def _say(engine: Engine, step: Step) -> None:
    text = SAID[step.number % len(SAID)]
    engine.conversations.ingest(say(text, id=f"t{step.number}"), session=step.session, namespace=step.whose)


def _chat(engine: Engine, step: Step) -> None:
    chat(engine, 6, session=step.session, start=6 * (step.number % 4))


def _remember(engine: Engine, step: Step, **more: str) -> None:
    text, id = f"The pond is {step.number} feet deep. {SAID[step.number % len(SAID)]}", f"m{step.number % 4}"
    engine.memories.remember(text, collection=durable_memory(step.whose), id=id, replace=True, **more)  # type: ignore[arg-type]


def _ids(engine: Engine, collection: str) -> list[str]:
    return [record.id for record in engine.memories.latest(collection, limit=100)]


def _one_memory(engine: Engine, step: Step) -> str | None:
    found = _ids(engine, durable_memory(step.whose))
    return found[step.number % len(found)] if found else None


def _update(engine: Engine, step: Step) -> None:
    if (id := _one_memory(engine, step)) is not None:
        engine.memories.update(id, namespace=step.whose, text=f"I live in house {step.number} in Linz.")


def _forget_memory(engine: Engine, step: Step) -> None:
    if (id := _one_memory(engine, step)) is not None:
        engine.deletions.forget(durable_memory(step.whose), [id])


def _forget_turns(engine: Engine, step: Step) -> None:
    engine.deletions.forget(raw_turns(step.session), _ids(engine, raw_turns(step.session))[: 1 + step.number % 3])


def _supersede(engine: Engine, step: Step) -> None:
    found = _ids(engine, durable_memory(step.whose))
    if len(found) > 1:
        engine.gate.supersede(found[1], by=found[0], namespace=step.whose)


def _restore(engine: Engine, step: Step) -> None:
    for record in engine.memories.latest(durable_memory(step.whose), limit=100):
        if SUPERSEDED_BY in record.metadata:
            engine.gate.restore(record.id, namespace=step.whose)


def _rate(engine: Engine, step: Step) -> None:
    if (id := _one_memory(engine, step)) is not None:
        engine.gate.feedback(id, useful=bool(step.number % 2), namespace=step.whose)


def _unwish(engine: Engine, step: Step) -> None:
    for wish in engine.guidance.list(namespace=step.whose)[:1]:
        engine.guidance.remove(wish.id, namespace=step.whose)


def _pin(engine: Engine, step: Step) -> None:
    for line in engine.profile.show(namespace=step.whose).lines[:1]:
        engine.profile.pin(line.id, namespace=step.whose, is_pinned=bool(step.number % 2))


def _unprofile(engine: Engine, step: Step) -> None:
    for line in engine.profile.show(namespace=step.whose).lines[:1]:
        engine.profile.forget(line.id, namespace=step.whose)


def _author(engine: Engine, step: Step) -> None:
    engine.documents.author(DOCUMENTS[step.number % 2], RULES[step.number // 2 % 2])


def _withdraw(engine: Engine, step: Step) -> None:
    engine.documents.withdraw(DOCUMENTS[step.number % 2])


def _carry(engine: Engine, step: Step) -> None:
    """A memory is exported, perhaps deleted, and imported again."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        engine.namespaces.export_file(path, namespace=step.whose)
        if step.number % 2:
            engine.deletions.flush_namespace(step.whose)
        engine.namespaces.import_file(path, namespace=step.whose)


def _begin_anew(engine: Engine, step: Step) -> None:
    engine.sessions.renew(step.session)


def _ask(engine: Engine, step: Step) -> Prompt:
    return engine.prompts.assemble(step.question, session=step.session, namespace=step.whose, budget=600)


def _ask_and_echo(engine: Engine, step: Step) -> None:
    """What was shown comes back within a turn, as a host that repeats the prompt sends it."""
    shown = _ask(engine, step)
    back = f"{shown.opening}\n{shown.closing}\nAnd what else?"
    engine.conversations.ingest(say(back, id=f"t{step.number}"), session=step.session, namespace=step.whose)


VERBS: Mapping[str, Happen] = {
    "say": _say,
    "chat": _chat,
    "ask": _ask,
    "ask and echo": _ask_and_echo,
    "remember": _remember,
    "remember for a while": lambda engine, step: _remember(engine, step, expires_at=SPANS[step.number % 3]),
    "update": _update,
    "forget a memory": _forget_memory,
    "forget turns": _forget_turns,
    "supersede": _supersede,
    "restore": _restore,
    "rate": _rate,
    "unwish": _unwish,
    "pin": _pin,
    "forget a line": _unprofile,
    "rebuild the profile": lambda engine, step: engine.profile.rebuild(namespace=step.whose),
    "author": _author,
    "withdraw": _withdraw,
    "compact": lambda engine, step: engine.compaction.compact(step.session),
    "begin a session anew": _begin_anew,
    "carry": _carry,
    "retain": lambda engine, _: engine.retention.retain(),
    "forget a session": lambda engine, step: engine.deletions.forget_turns(
        namespace=step.whose, sessions=frozenset({step.session})
    ),
    "delete a namespace": lambda engine, step: engine.deletions.flush_namespace(step.whose),
    "erase": lambda engine, step: engine.erasures.erase(step.whose),
    "move": lambda engine, step: engine.deletions.move_namespace(step.whose, to_namespace=step.other),
    "delete everything": lambda engine, _: engine.deletions.flush_everything(),
    "embed anew": lambda engine, _: engine.embeddings.reembed(),
}


def happen(engine: Engine, step: Step) -> None:
    """Let a step happen by an engine; what is not there any more is left alone."""
    try:
        VERBS[step.verb](engine, step)
    except NotFound:
        return


def life(rng: random.Random, steps: int) -> list[tuple[Step, int, int]]:
    """Steps of a life, each with who takes it, of two, and how long before; much is said and asked."""
    often = ("say", "ask", "ask and echo")
    verbs = [rng.choice(often if rng.random() < 0.4 else [*VERBS]) for _ in range(steps)]
    pauses = (1_000, 1_000, 1_000, 60_000, DAY, 5 * DAY)
    begun = [Step("chat", 0), Step("say", 0), Step("remember", 1)]
    later = [Step(verb, rng.randrange(60)) for verb in verbs]
    return [(step, rng.randrange(2), rng.choice(pauses)) for step in (*begun, *later)]


# ── what is told ──────────────────────────────────────────────────────────────────────────────────────────

Told = Mapping[str, object]

OF_ONE_STORE = ("receipts", "changes")
"""What another store with the same memory tells otherwise: names by chance, and numbers of commits."""


def told(engine: Engine, step: Step) -> Told:
    """All that an engine tells of both people now, by what was asked; nothing is left of asking."""
    asked: dict[str, object] = {"documents": dict(engine.documents.list())}
    for who in (ANNA, BEN):
        asked |= {f"{name} of {who}": ask(engine, step, who) for name, ask in _QUESTIONS.items()}
    return asked


Ask = Callable[[Engine, Step, str], object]


def _prompt(engine: Engine, step: Step, who: str) -> object:
    made: PromptPreview = engine.inspection.preview_prompt(
        step.question, session=step.session, namespace=who, budget=600
    )
    # How much is as in the last prompt is counted by whoever made that one; a receipt does not hold what it takes.
    return made.sections, made.tokens, made.outcome, dataclasses.replace(made.receipt, timings={}, leading_tokens=0)


def _hits(engine: Engine, step: Step, who: str) -> Sequence[object]:
    found = engine.search(step.question, namespace=who, session=step.session, k=20)
    return [(hit.record, hit.score) for hit in found.hits]


_QUESTIONS: Mapping[str, Ask] = {
    "the prompt": _prompt,
    "a search": _hits,
    "memories": lambda engine, _, who: engine.memories.list(namespace=who),
    "wishes": lambda engine, _, who: engine.guidance.list(namespace=who, everything=True),
    "the profile": lambda engine, _, who: engine.profile.show(namespace=who),
    "sessions": lambda engine, _, who: engine.sessions.list(namespace=who),
    "turns": lambda engine, _, who: engine.inspection.list_turns(namespace=who),
    "summaries": lambda engine, step, who: engine.inspection.list_summaries(step.session, namespace=who),
    "receipts": lambda engine, _, who: engine.inspection.list_receipts(namespace=who),
    "changes": lambda engine, _, who: engine.inspection.changes(namespace=who),
}
