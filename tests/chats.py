"""Conversations for tests of compaction: chats of any length over a real engine, and what must hold of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.support import NOON, open_words_engine

from libravdb.core.authored.deontic import rules as read_rules
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.model import Record
from libravdb.testing import WordsEmbedder
from libravdb.text.tokens import prompt_tokens

ANNA = "anna"
MANUAL = EngineSettings(compaction=CompactionSettings(auto_tokens=0, tail_tokens=200))
SUBJECTS = ("the harbour office", "our greenhouse", "release 4.2", "Clara's bakery", "the night train", "server falcon")


class Clock:
    """Time that goes on; `meanwhile` happens once, when the time is next asked for."""

    def __init__(self) -> None:
        self.now = NOON
        self.meanwhile: Callable[[], object] | None = None

    def __call__(self) -> int:
        self.now += 1_000
        happening, self.meanwhile = self.meanwhile, None
        if happening is not None:
            happening()
        return self.now


def open_engine(path: Path, *, clock: Clock | None = None, **more: object) -> Engine:
    told = {"settings": MANUAL, "clock": clock or Clock(), "read_rules": read_rules, **more}
    return open_words_engine(path, WordsEmbedder(), **told)  # type: ignore[arg-type]


def say(text: str, role: str = "user", **more: object) -> dict[str, object]:
    return {"role": role, "content": text, **more}


def fix(n: int) -> str:
    """A report that the gate finds worth a lot, so that a model may write its summary."""
    return (
        f"```python\ndef door{n}(): pass\n```\nWe decided to use the adapter in src/door{n}.py and fixed ERR_{n}42 in"
        f" commit 4be91f{n}; the config key DOOR={n} changed, released v1.{n}; class Door needs zanzibar, tests pass."
    )


def report(engine: Engine, turns: int, *, start: int = 0) -> None:
    for n in range(start, start + turns):
        engine.conversations.ingest(say(fix(n), id=f"f{n:02}-x"), session="s", namespace=ANNA)


def chat(engine: Engine, turns: int, *, session: str = "s", start: int = 0) -> None:
    engine.conversations.ingest_batch(said(turns, start=start), session=session, namespace=ANNA)


def said(turns: int, *, start: int = 0) -> list[dict[str, object]]:
    """Questions and answers in turn; what is said at a place follows from where the stretch begins."""
    rng = random.Random(start)
    messages = []
    for n in range(start, start + turns):
        subject = rng.choice(SUBJECTS)
        text = f"About {subject}: step {n} costs {rng.randrange(10, 999)} euros and is done in src/part{n}.py by noon."
        messages.append(say(text, "assistant" if n % 2 else "user", id=f"t{n:05}-x"))
    return messages


def active(engine: Engine, session: str = "s") -> list[Record]:
    return engine.memories.latest(f"session:{session}", limit=100_000)


def raw(engine: Engine, session: str = "s") -> set[str]:
    return {record.id for record in engine.memories.latest(f"session_raw:{session}", limit=100_000)}


def reached(engine: Engine, session: str = "s") -> set[str]:
    """Raw turns that the active view stands for."""
    found: set[str] = set()
    for record in active(engine, session):
        if record.metadata.get("type") == "summary":
            found |= {turn.id for turn in engine.compaction.expand(record.id, session=session, max_depth=99)}
        else:
            found.add(record.id)
    return found


def check(engine: Engine) -> None:
    """Invariants 4 to 10 for every session of a store."""
    for info in engine.memories.collections("session_raw:"):
        session = info.name.removeprefix("session_raw:")
        assert reached(engine, session) == raw(engine, session)
        for summary in engine.memories.latest(f"session_summary:{session}", limit=100_000):
            sources = engine.compaction.expand(summary.id, session=session, max_depth=1)
            assert sources, "a summary without sources"
            assert prompt_tokens(summary.text) < sum(prompt_tokens(one.text) for one in sources)
            assert [one.id for one in sources] == summary.metadata["source_ids"]
