"""The engine's verbs over the daemon: asked alike, they answer alike."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

import pytest
from tests.chats import say
from tests.served import NOON, Served

from libravdb.client.remote_engine import RemoteEngine
from libravdb.engine.engine import Engine
from libravdb.errors import LibraError
from libravdb.model import AssemblyMode, Scope, Where
from libravdb.ports.engine_api import EngineApi

PARTS: dict[str, type] = {
    name: get_type_hints(part.fget)["return"] for name, part in vars(EngineApi).items() if isinstance(part, property)
}
FACT = "My sister Clara moved to Lisbon in March 2024 and works as a nurse"
Verb = Callable[[Any], object]


@pytest.fixture
def remote(served: Served) -> Iterator[RemoteEngine]:
    with RemoteEngine(served.client()) as engine:
        yield engine


def verbs_of(part: type) -> dict[str, inspect.Signature]:
    """Names, kinds, defaults and types."""
    verbs = {name: verb for name, verb in vars(part).items() if inspect.isfunction(verb)}
    return {name: inspect.signature(verb) for name, verb in verbs.items() if name[0] != "_" or name == "__call__"}


def both(here: Engine, there: RemoteEngine) -> tuple[EngineApi, EngineApi]:
    """For the type checker: each is an engine to whoever asks for one."""
    return here, there


@pytest.mark.parametrize("name", PARTS)
def test_a_part_has_the_verbs_that_are_promised_here_and_there(served: Served, remote: RemoteEngine, name: str) -> None:
    promised = verbs_of(PARTS[name])
    here, there = (verbs_of(type(getattr(engine, name))) for engine in both(served.engine, remote))
    assert promised
    assert promised == there
    assert promised.items() <= here.items()


def fill(engine: Engine) -> None:
    talk = [say(FACT, id="u-x"), say("How nice for her!", "assistant", id="a-x"), say("She likes boats", id="b-x")]
    engine.conversations.import_transcript(
        [*talk, say("Never wake her before noon", id="n-x")], session="s", namespace="anna"
    )
    engine.memories.remember(
        "The ladder is in the shed", collection="user:anna", id="ladder", at=NOON - 9, metadata={"room": 1}
    )
    engine.documents.author("notes/AGENTS.md", "- Never delete a branch\n", source_meta={"by": "hand"})
    engine.prompts.assemble("Where is Clara?", session="s", namespace="anna", budget=700)


READING: dict[str, Verb] = {
    "search": lambda engine: engine.search(
        "Where is Clara, and the ladder?",
        namespace=" anna ",
        session="s",
        scopes=(Scope.DURABLE, Scope.HISTORY),
        k=3,
        budget=90,
        where=Where(until=NOON + 9),
        exclude={"user:anna": frozenset({"nothing"})},
        as_of=NOON + 5,
        is_quiet=True,
    ),
    "search collections": lambda engine: engine.search("ladder", collections=["user:anna"]),
    "latest": lambda engine: engine.memories.latest("user:anna", limit=5, where=Where(metadata={"room": (1,)})),
    "latest by conditions": lambda engine: engine.memories.latest(
        "user:anna", limit=5, where=Where.of({"room": {"$gte": 1, "$lt": 2.5}, "gone": {"$exists": False}})
    ),
    "search by conditions": lambda engine: engine.search(
        "ladder", collections=["user:anna"], where=Where.of({"room": {"$in": [1, "x"]}, "state": {"$ne": "done"}})
    ),
    "retention": lambda engine: engine.retention.retain(is_dry_run=True),
    "collections": lambda engine: engine.memories.collections("session"),
    "explain": lambda engine: engine.prompts.explain(namespace="anna"),
    "why_not": lambda engine: engine.prompts.why_not("ladder", namespace="anna"),
    "replay": lambda engine: engine.prompts.replay(namespace="anna"),
    "judge": lambda engine: engine.gate.judge(FACT, namespace="anna"),
    "guidance": lambda engine: engine.guidance.list(namespace="anna", everything=True),
    "gate_report": lambda engine: engine.gate.report(namespace="anna"),
    "profile": lambda engine: engine.profile.show(namespace="anna"),
    "profile rebuilt": lambda engine: engine.profile.rebuild(namespace="anna"),
    "documents": lambda engine: engine.documents.list(),
    "authored_nodes": lambda engine: engine.documents.nodes("notes/AGENTS.md"),
    "expand": lambda engine: engine.compaction.expand("summary:none", session="s", max_depth=2, max_tokens=9),
    "status": lambda engine: engine.status(),
    "known": lambda engine: engine.conversations.ingest_batch([say(FACT, id="u-x")], session="s", namespace="anna"),
    "too little": lambda engine: engine.compaction.compact(
        "s", target=2, minimum_turns=9, tail_tokens=9_000, support_tokens=7
    ),
}


@pytest.mark.parametrize("name", READING)
def test_a_question_is_answered_alike_here_and_there(served: Served, remote: RemoteEngine, name: str) -> None:
    fill(served.engine)
    assert READING[name](remote) == READING[name](served.engine)


@pytest.mark.parametrize("expires", [NOON + 10**12, "2100-01-01T00:00:00Z", "30d"])
def test_a_memory_expires_alike_here_and_there(served: Served, remote: RemoteEngine, expires: int | str) -> None:
    here, there = both(served.engine, remote)
    kept = [
        engine.memories.remember("The ferry leaves at nine", collection=name, expires_at=expires).record
        for engine, name in ((here, "a"), (there, "b"))
    ]
    assert kept[0].metadata == kept[1].metadata
    for engine in (here, there):
        with pytest.raises(LibraError, match="lies in the past") as caught:
            engine.memories.remember("x", collection="c", expires_at=1)
        assert caught.value.remedy


def test_the_gates_report_tells_what_it_vetoed_here_and_there(served: Served, remote: RemoteEngine) -> None:
    served.engine.conversations.ingest_batch(["ok", "thanks!", FACT], session="s", namespace="anna")
    here, there = (engine.gate.report(namespace="anna") for engine in (served.engine, remote))
    assert here.report.vetoes
    assert here == there


def test_a_prompt_is_assembled_alike_here_and_there(served: Served, remote: RemoteEngine) -> None:
    fill(served.engine)
    here, there = (
        engine.prompts.assemble(
            "Where is Clara?",
            session="s",
            namespace="anna",
            budget=700,
            messages=[say("Where is Clara?")],
            mode=AssemblyMode.WINDOW,
            turn="7",
        )
        for engine in (served.engine, remote)
    )
    assert (here.rules, here.opening, here.closing, here.tokens) == (
        there.rules,
        there.opening,
        there.closing,
        there.tokens,
    )


REFUSED: dict[str, Verb] = {
    "nobody": lambda engine: engine.conversations.ingest_batch(["hello"], session="s", namespace=" "),
    "nobody's prompt": lambda engine: engine.prompts.assemble("hello", session="s", namespace="", budget=9),
    "nobody's search": lambda engine: engine.search("hello", namespace=""),
    "nobody's end": lambda engine: engine.deletions.flush_namespace(""),
    "text for a list": lambda engine: engine.conversations.ingest_batch("hello", session="s", namespace="anna"),
    "nothing for a list": lambda engine: engine.conversations.import_transcript(None, session="s", namespace="anna"),
    "no session": lambda engine: engine.compaction.compact(""),
    "less than nothing": lambda engine: engine.compaction.compact("s", support_tokens=-1),
    "an empty question": lambda engine: engine.search(" ", namespace="anna"),
    "an unknown receipt": lambda engine: engine.prompts.explain("none", namespace="anna"),
    "an unknown memory": lambda engine: engine.gate.restore("none", namespace="anna"),
    "an unknown line": lambda engine: engine.profile.pin("none", namespace="anna"),
    "nobody's profile": lambda engine: engine.profile.show(namespace=" "),
    "an empty name": lambda engine: engine.documents.author(" ", "x"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_engine_refuses_is_refused_by_the_same_name(served: Served, remote: RemoteEngine, name: str) -> None:
    fill(served.engine)
    kinds = []
    for engine in (served.engine, remote):
        with pytest.raises(LibraError) as caught:
            REFUSED[name](engine)
        kinds.append(type(caught.value))
    assert kinds[0] is kinds[1]
