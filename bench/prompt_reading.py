"""How recalled memories read: what the tags of a block cost, and whether a new question is answered first.

    python -m tools.encoder.corpus build --split dev FOLDER
    python -m bench.prompt_reading --data FOLDER

All conversations of the folder are one person's memory, each session apart. Questions are asked in prompts of several
budgets, in sessions of their own; then in pairs in one session, the second from another conversation: its block should
begin with what the second question found best, not with what the first one left there.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from bench.recall.data import Asked, Conversation, Session, load
from bench.recall.run import opened

from libravdb.core.assembly.render import parse
from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.engine import Engine

BUDGETS = (600, 1_024, 4_000)
NAMESPACE = "reader"
QUESTIONS = 120
_TAG = re.compile(r"<[^<>]*>\n?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The recalled part of a prompt: all of its characters, those of its tags, and those that were remembered."""

    characters: int
    tags: int
    words: int
    texts: tuple[str, ...]


def ask(engine: Engine, text: str, *, session: str, budget: int) -> Block:
    """The block that a question gets."""
    closing = engine.prompts.assemble(text, session=session, namespace=NAMESPACE, budget=budget).closing
    texts = tuple(text for block in parse(closing) or () for entry in block.entries for text in entry.texts)
    return Block(
        characters=len(closing),
        tags=sum(map(len, _TAG.findall(closing))),
        words=sum(map(len, texts)),
        texts=texts,
    )


def pooled(conversations: Sequence[Conversation]) -> Conversation:
    """All conversations as the memory of one person; sessions and turns keep names of their own."""
    sessions = tuple(
        Session(
            id=f"{one.id}-{session.id}",
            turns=tuple(replace(turn, id=f"{one.id}-{turn.id}") for turn in session.turns),
        )
        for one in conversations
        for session in one.sessions
    )
    return replace(conversations[0], id=NAMESPACE, sessions=sessions, questions=())


def mixed(conversations: Sequence[Conversation]) -> list[Asked]:
    """Questions of all conversations in turn, so that no two neighbours are about the same."""
    found = [
        question
        for place in range(max(len(one.questions) for one in conversations))
        for one in conversations
        for question in one.questions[place : place + 1]
        if question.is_answerable
    ]
    return found[:QUESTIONS]


def shares(engine: Engine, questions: Sequence[Asked]) -> Iterator[tuple[str, float]]:
    """What of a block are tags, and what is not remembered text, per budget."""
    for budget in BUDGETS:
        blocks = [ask(engine, one.text, session=f"{one.id} {budget}", budget=budget) for one in questions]
        whole = max(1, sum(block.characters for block in blocks))
        yield f"{budget:,} tokens: tags, %", round(100 * sum(block.tags for block in blocks) / whole, 1)
        rest = whole - sum(block.words for block in blocks)
        yield f"{budget:,} tokens: tags, names, gaps and indents, %", round(100 * rest / whole, 1)
        told = sum(len(block.texts) for block in blocks) / max(1, sum(bool(block.texts) for block in blocks))
        yield f"{budget:,} tokens: memories in a block", round(told, 1)


def followed(engine: Engine, questions: Sequence[Asked]) -> Iterator[tuple[str, float]]:
    """How often a block begins as it does without a question before it."""
    same = count = 0
    for first, second in pairwise(questions):
        session = f"{first.id}, then {second.id}"
        before = ask(engine, first.text, session=session, budget=1_024)
        after = ask(engine, second.text, session=session, budget=1_024)
        alone = ask(engine, second.text, session=f"{second.id} alone", budget=1_024)
        if before.texts and alone.texts:
            count += 1
            same += after.texts[:1] == alone.texts[:1]
    yield "follow-ups on another subject", count
    yield "of them beginning with their own best memory, %", round(100 * same / max(1, count), 1)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with the conversations")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "libravdb-bench", help="embeddings")
    parser.add_argument("--results", type=Path, default=None, help="where to keep the figures")
    asked = parser.parse_args()
    conversations = load(asked.data)
    whole = pooled(conversations)
    with opened([whole], asked.cache) as bench:
        bench.fill(namespace=lambda _: NAMESPACE)
        bench.turn_to(whole, mixed(conversations)[0])
        engine = bench.engine(RecallSettings())
        questions = mixed(conversations)
        figures = dict((*shares(engine, questions), *followed(engine, questions)))
        engine.prompts.explain(namespace=NAMESPACE)  # writes the receipts that wait, while the store is open
    for name, value in figures.items():
        print(f"{name:55} {value:8.1f}")
    if asked.results is not None:
        asked.results.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
