"""The same conversation in a file and in a database, told with the shipped model: ten prompts are the same bytes, and
ten searches the same hits with the same scores.

Nothing may differ: both keep vectors in the same two bytes a dimension, choose by the same codes, and hand out exact
features; everything that ranks is one engine. Only the name of a receipt is made by chance.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.chats import say
from tests.postgres.stores import open_lent
from tests.support import NOON

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.core.authored.deontic import rules as read_rules
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.model import Answer, AssemblyMode, Prompt, Scope
from libravdb.model.collections import durable_memory
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import Store

ANNA, BEN = "anna", "ben"
SMALL = StoreSettings(exact_search_rows=12, shortlist_rows=10, shortlist_rows_max=20)
"""In durable memory every vector is compared; in the history and the session codes choose which ones are."""

RULES = (
    "- Answer in one sentence.\n\nNever promise a date.\n\nYou should name your sources.\n\nThe office has plants.\n"
)
NOTE = "# The pond\n\nThe pond behind the house is two metres deep, and frogs live in it.\n\n# Keys\n\nUnder the pot.\n"
TOLD = (
    "I live in Graz since May, in the Leonhardstrasse.",
    "From now on always answer me in English.",
    "My sister Clara keeps bees in Linz and sells honey at the market on Fridays.",
    "Never book a window seat for me, please.",
    "We decided to use the blue adapter in src/door.py, because the old one failed with ERR_42.",
    "My cat Mitzi is allergic to fish, so I buy her chicken.",
    "I moved to Vienna last week; the flat in Graz is given up.",
    "The release 4.2 goes out on 3 October 2026, said Petra from the harbour office.",
    "Ich esse keinen Koriander, er schmeckt nach Spülmittel.",
    "ok",
    "ok",
    "Release 4.3 needs a new certificate; Petra pays 240 euros a year for it.",
)
QUESTIONS = (
    "Where do I live?",
    "Where did I live before?",
    "What does my sister sell, and when?",
    "Book me a seat to Linz.",
    "Which adapter did we choose, and why?",
    "What may the cat not eat?",
    "How deep is the pond?",
    "When does release 4.2 go out?",
    "Was mag ich nicht essen?",
    "What is the capital of Peru?",
)


@contextmanager
def living(store: Store) -> Iterator[Engine]:
    """An engine over a store, at a time that passes in the same way for each."""
    embedder, moments = open_minilm(), itertools.count(NOON, 1_000)
    settings = EngineSettings(compaction=CompactionSettings(auto_tokens=0, tail_tokens=150))
    with Engine(
        store=store,
        load_embedder=lambda _: embedder,
        clock=moments.__next__,
        read_rules=read_rules,
        settings=settings,
    ) as engine:
        yield engine


def live(engine: Engine) -> Iterator[tuple[str, object]]:
    """Rules, facts, wishes, small talk, another user, a compaction, a deletion; and what is answered meanwhile."""
    engine.documents.author("AGENTS.md", RULES)
    engine.documents.author("notes/pond.md", NOTE)
    engine.memories.remember("The key hangs behind the door.", collection=durable_memory(ANNA), id="key")
    for number, text in enumerate(TOLD):
        engine.conversations.ingest(say(text, id=f"t{number}"), session="s", namespace=ANNA)
        reply = f"Noted, point {number}: {text.split(',')[0].rstrip('.')}."
        engine.conversations.ingest(say(reply, "assistant", id=f"r{number}"), session="s", namespace=ANNA)
        engine.conversations.ingest(say(text, id=f"b{number}"), session="of ben", namespace=BEN)
    yield from ask(engine, "before")
    engine.compaction.compact("s")
    engine.deletions.flush_namespace(BEN)
    engine.conversations.ingest(say("My sister Clara moved to Lisbon.", id="t99"), session="later", namespace=ANNA)
    engine.deletions.forget(durable_memory(ANNA), ["key"])
    yield from ask(engine, "after")


def ask(engine: Engine, when: str) -> Iterator[tuple[str, object]]:
    """A prompt and a search for every question, in each mode of assembly in turn."""
    for question, mode in zip(QUESTIONS, itertools.cycle(AssemblyMode), strict=False):
        made = engine.prompts.assemble(question, session="s", namespace=ANNA, budget=900, mode=mode)
        yield f"prompt {when}: {question}", dataclasses.replace(made, receipt="")
        yield f"replay {when}: {question}", engine.prompts.replay(made.receipt, namespace=ANNA).is_same
        found = engine.search(question, namespace=ANNA, session="s", scopes=tuple(Scope), k=12)
        yield f"search {when}: {question}", found


def test_prompts_and_searches_over_a_database_are_those_over_a_file(tmp_path: Path) -> None:
    with living(SqliteStore(tmp_path / "m.libravdb", now=NOON, settings=SMALL)) as engine:
        in_file = dict(live(engine))
    with living(open_lent(settings=SMALL)) as engine:
        in_database = dict(live(engine))
    prompts = [one for one in in_file.values() if isinstance(one, Prompt)]
    answers = [one for one in in_file.values() if isinstance(one, Answer)]
    assert len(prompts) == len(answers) == 2 * len(QUESTIONS)
    assert all(one.rules and one.outcome == "full" for one in prompts)
    assert sum(bool(one.hits) for one in answers) >= len(answers) - 2
    for step, kept in in_file.items():
        assert in_database[step] == kept, step
